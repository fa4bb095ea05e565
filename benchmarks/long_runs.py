"""Time against length: XML and question files of many pieces, and a run of one mark inside a
question.

    python benchmarks/long_runs.py --pieces 20000 --length 20000

Every reader of such files gets one of each shape, and every task that reads questions a question
with each mark, at two lengths, of which the second is four times the first. Seconds are of the
processor and of the whole program, so that work in proportion to the length shows at most four
times the seconds, and work with its square sixteen times. A mark that makes another language of the
question may be refused, and so are some of the shapes.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

import click

from indexer.cli.program import run_program

SAMPLES = Path(__file__).parents[1] / "samples"
TIMES = 4
MARKS = {
    "digits": "1",
    "wide digits": "１",
    "commas": "，",
    "kana": "ア",
    "letters": "a",
    "capitals": "A ",
    "Han": "国",
    "brackets": "「",
    "points": "・",
    "years": "年",
    "stops": "。",
    "bars": "-",
    "quotes": "'",
    "blanks": "\u3000",
}
INDEXES = {
    "en": ("textbook", "textbook-en.jsonl"),
    "ja": ("textbook", "textbook-ja.jsonl"),
    "kb": ("triples", "triples-zh.kb"),
    "tables": ("tables", "tbqa.dev.txt"),
    "data": ("datasets", "datasearch-collection.jsonl.bz2", "datasearch-data.tar.bz2"),
}
# What is asked: the task with its options, and the file whose text `%` stands for the run;
# `{index}` is an index.
ASKED: Mapping[str, tuple[str, str, str]] = {
    "ntcir-mc names ja": ("ntcir-mc --index {ja}", "exam.xml", "exam-ja"),
    "ntcir-mc slqal ja": ("ntcir-mc --index {ja} --method slqal", "exam.xml", "exam-ja"),
    "ntcir-mc names en": ("ntcir-mc --index {en}", "exam.xml", "exam-en"),
    "ntcir-mc slqal en": ("ntcir-mc --index {en} --method slqal", "exam.xml", "exam-en"),
    "ntcir-term ja": ("ntcir-term --index {ja}", "sheet.xml", "term-ja"),
    "ntcir-term en": ("ntcir-term --index {en}", "sheet.xml", "term-en"),
    "ntcir-essay ja": ("ntcir-essay --index {ja}", "sheet.xml", "essay-ja"),
    "ntcir-essay en": ("ntcir-essay --index {en}", "sheet.xml", "essay-en"),
    "nlpcc-kbqa": (
        "nlpcc-kbqa --allow-unanswered --index {kb}",
        "kbqa.txt",
        "<question id=1>\t谁%写了《岳阳楼记》？\n====================\n",
    ),
    "nlpcc-dbqa": ("nlpcc-dbqa", "dbqa.txt", "谁%写的？\t一%二。\n谁%写的？\t三。\n"),
    "nlpcc-tbqa": (
        "nlpcc-tbqa",
        "tbqa.txt",
        "which % bridge ?\tBridges\tName_|_Year\tA %_|_1932\n",
    ),
    "selqa": (
        "selqa",
        "selqa.jsonl",
        '{"question": "Who % built it?", "sentences": ["He % did.", "She did."], "candidates": '
        "[0]}\n",
    ),
    "datasearch-qa": (
        "datasearch-qa --index {data}",
        "ds.tsv",
        "DS2-QA-J-1001\t令和3年の%総人口は。\t000090000001\n",
    ),
}
# What is read: the reader, and a file: its beginning, one of its many pieces (`#` stands for their
# numbers), its end.
EXAM_QUESTION = (
    '<question id="Q#" minimal="yes" anscol="A#" answer_style="multipleChoice" '
    'answer_type="sentence"><instruction>Who '
    'built it?</instruction><ansColumn id="A#">1</ansColumn><choices anscol="A#"><choice '
    'ansnum="1"><cNum>(1)</cNum>'
    'Akbar</choice><choice ansnum="2"><cNum>(2)</cNum>Babur</choice></choices></question>'
)
SHEET_SECTION = (
    '<answer_section id="S#" '
    'label="S#"><question_id>q#</question_id><answer_style>description_unlimited</answer_style>'
    "<answer_type>term_person</answer_type><instruction><p>Who built "
    "it?</p></instruction><reference_set/><answer_set "
    'type="singleton" number="1"><answer match_type="exact" order="-1" '
    'length_limit="-1"><expression_set><expression/>'
    "</expression_set></answer></answer_set></answer_section>"
)
XML = "indexer.files.xml:parse_xml"
READ: Mapping[str, tuple[str, str, str, str]] = {
    "xml elements": (XML, "<a>", "<b/>", "</a>"),
    "xml texts": (XML, "<a>", "<b>who</b> ", "</a>"),
    "xml attributes": (XML, "<a>", "<b c='#'/>", "</a>"),
    "xml one element's attributes": (XML, "<a ", "b#='' ", "/>"),
    "xml levels": (XML, "", "<a>", ""),
    "xml comments": (XML, "<a>", "<!--b-->", "</a>"),
    "xml comments begun": (XML, "<a>", "<!--", "</a>"),
    "xml CDATA": (XML, "<a>", "<![CDATA[b]]>", "</a>"),
    "xml CDATA begun": (XML, "<a>", "<![CDATA[", "</a>"),
    "xml ampersands": (XML, "<a>", "&", "</a>"),
    "xml instructions before": (XML, "", "<?b?>", "<a/>"),
    "xml blanks": (XML, "<a>", " \n", "</a>"),
    "exam questions": (
        "answerer.formats.exam.read:read_exam",
        '<exam source="s" subject="SekaishiB" year="2026">',
        EXAM_QUESTION,
        "</exam>",
    ),
    "exam questions of one list": (
        "answerer.formats.exam.read:read_exam",
        '<exam source="s" subject="SekaishiB" year="2026"><question id="S" minimal="no"><choices '
        'anscol="A1">'
        '<choice ansnum="1">Akbar</choice></choices>',
        '<question id="Q#" minimal="yes" anscol="A1"><instruction>Who built '
        "it?</instruction></question>",
        "</question></exam>",
    ),
    "sheet sections": (
        "answerer.formats.answer_sheet:read_sheet",
        "<answer_sheet>",
        SHEET_SECTION,
        "</answer_sheet>",
    ),
    "kbqa questions": (
        "answerer.formats.nlpcc_kbqa:read_questions",
        "",
        "<question id=#>\twho?\n",
        "",
    ),
    "dbqa questions": (
        "indexer.formats.sentence_rows:read_sentence_rows",
        "",
        "who #?\tshe\t1\n",
        "",
    ),
    "dbqa sentences": (
        "indexer.formats.sentence_rows:read_sentence_rows",
        "",
        "who?\tshe #\t1\n",
        "",
    ),
    "tbqa tables": (
        "indexer.formats.table_rows:read_table_rows",
        "",
        "who?\tcaption\ta_|_b\tc_|_#\n",
        "",
    ),
    "selqa objects": (
        "indexer.formats.selqa:read_selqa",
        "",
        '{"question": "who #?", "sentences": ["she"]}\n',
        "",
    ),
    "selqa list": (
        "indexer.formats.selqa:read_selqa",
        "[",
        '{"question": "who #?", "sentences": ["she"]},',
        "]",
    ),
    "selqa sentences": (
        "indexer.formats.selqa:read_selqa",
        '{"question": "who?", "sentences": ["he"',
        ', "she #"',
        "]}",
    ),
    "datasearch questions": (
        "indexer.formats.datasearch:read_questions",
        "",
        "DS2-QA-E-#\twho?\t00#\n",
        "",
    ),
}
READER = """
import sys
from collections import deque
from collections.abc import Iterator
from {} import {} as read
found = read(sys.argv[1])
deque(found if isinstance(found, Iterator) else (), 0)
"""
QUESTION = {"ja": "タージ・マハル%を建てたのは誰か。", "en": "Who built the Taj Mahal % in India?"}


def file_of(shape: str) -> str:
    """A question file with `%` for the run: an exam or a sheet of one question, or the text
    itself."""
    kind, _, language = shape.partition("-")
    if language not in QUESTION:
        return shape
    asked = QUESTION[language]
    if kind == "exam":
        choices = "".join(
            f'<choice ansnum="{n}"><cNum>({n})</cNum>{asked}</choice>' for n in (1, 2)
        )
        return (
            '<exam source="s" subject="SekaishiB" year="2026">x<question id="Q1" minimal="yes" '
            'anscol="A1" '
            f'answer_style="multipleChoice" '
            f'answer_type="sentence"><instruction>{asked}</instruction>'
            f'<ansColumn id="A1">1</ansColumn><choices '
            f'anscol="A1">{choices}</choices></question></exam>'
        )
    sheet = (SAMPLES / f"{kind}-{language}.xml").read_text("utf-8")
    section = sheet[: sheet.index("</answer_section>")] + "</answer_section></answer_sheet>"
    before, found, behind = section.partition("</p></instruction>")
    return f"{before}%{found}{behind}"


def pieces_of(shape: str, count: int) -> str:
    """A file of a shape with so many pieces."""
    _, start, piece, end = READ[shape]
    return "".join([start, *(piece.replace("#", str(number)) for number in range(count)), end])


def seconds(program: list[str], most: int) -> str:
    """Seconds of the processor that a program took; where it took more than the most, or was
    refused, that."""
    limited = ["sh", "-c", f'ulimit -t {most}; exec "$@"', "sh", sys.executable, *program]
    process = subprocess.Popen(limited, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if os.WIFSIGNALED(status):
        return f"over {most} s"
    return "refused" if status else f"{usage.ru_utime + usage.ru_stime:.1f} s"


def measure_reading(folder: Path, only: str, pieces: int, most: int) -> None:
    for shape, (reader, *_) in READ.items():
        if only not in shape:
            continue
        path, spent = folder / "file", []
        for count in (pieces, TIMES * pieces):
            path.write_text(pieces_of(shape, count), "utf-8")
            spent.append(seconds(["-c", READER.format(*reader.split(":")), str(path)], most))
        print("\t".join(["reading", shape, *spent]), flush=True)


def measure_answering(folder: Path, only: str, length: int, most: int) -> None:
    indexes = {}
    for name, (kind, *files) in INDEXES.items():
        indexes[name] = str(folder / name)
        seconds(
            [
                "-m",
                "indexer",
                kind,
                *(str(SAMPLES / file) for file in files),
                "--index",
                indexes[name],
            ],
            600,
        )
    for asked, (command, file, shape) in ASKED.items():
        text, path = file_of(shape), folder / file
        for mark, run in MARKS.items():
            if only not in f"{asked} {mark}":
                continue
            spent = []
            for count in (length, TIMES * length):
                path.write_text(text.replace("%", run * count), "utf-8")
                words = [word.format(**indexes) for word in command.split()]
                spent.append(seconds(["-m", "answerer", *words, str(path)], most))
            print("\t".join([asked, mark, *spent]), flush=True)


@click.command()
@click.option("--pieces", default=20_000, help="Pieces of the shorter file.")
@click.option("--length", default=20_000, help="Characters of the shorter run.")
@click.option("--only", default="", help="Only the lines that hold this text.")
@click.option("--most", default=120, help="Seconds that one command may take.")
def main(pieces: int, length: int, only: str, most: int) -> None:
    """Measure how the time of reading grows with a file, and that of an answer with a run in its
    question."""
    with tempfile.TemporaryDirectory() as folder:
        measure_reading(Path(folder), only, pieces, most)
        measure_answering(Path(folder), only, length, most)


if __name__ == "__main__":
    run_program(main, "python benchmarks/long_runs.py")
