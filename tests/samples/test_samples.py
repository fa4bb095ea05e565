"""The samples of every task, language and encoding, answered and scored by the public commands:
no figure of `samples.tsv` may fall.

A row of the table: task, method ("-": the task's own), language, encoding of all files that people
write, measure, and the figure that the commands give for it today. A figure that rises is put into
the table. Beside the tasks: `quiz`, questions that are not exam XML, by the form of their file, and
`ask`, the questions of `ask.tsv` and those of Data Search (these in UTF-8: other encodings of their
index are those of `datasearch-qa`, of a file of questions those of `ask`). Of these, `first answer`
is the share of questions whose first answer is right.
"""

from __future__ import annotations

import csv
import io
import re
import sys
import tarfile
import unicodedata
import zipfile
from pathlib import Path
from typing import NamedTuple

import pytest

from answerer.registry import tasks
from tests.places import ROOT, SAMPLES
from tests.programs import done, figures, invoked, json_lines

sys.path.insert(0, str(ROOT / "benchmarks"))

import degraded_essays

TABLE = Path(__file__).with_name("samples.tsv")
TOLERANCE = 5e-5  # the table has four decimals

# What is said to `indexer` for each index.
BUILDS = {
    "textbook-en": ("textbook", "textbook-en.jsonl", "--terms", "glossary-en.csv"),
    "textbook-ja": ("textbook", "textbook-ja.jsonl", "--terms", "glossary-ja.csv"),
    "triples": ("triples", "triples-zh.kb"),
    "datasets": ("datasets", "datasearch-collection.jsonl.bz2", "datasearch-data.tar.bz2"),
    "reports": ("reports", "u4-reports.tar.xz"),
}
# Questions, gold and index of each task, by language.
SETS = {
    "ntcir-mc": ("sample-exam-{}.xml", "sample-exam-{}.gold.xml", "textbook-{}"),
    "quiz": ("questions-{}.txt", "questions-{}.txt", "textbook-{}"),
    "quiz-csv": ("questions-{}.csv", "questions-{}.csv", "textbook-{}"),
    "quiz-gift": ("questions-{}.gift", "questions-{}.gift", "textbook-{}"),
    "ntcir-term": ("term-{}.xml", "term-{}.gold.xml", "textbook-{}"),
    "ntcir-sheet": ("term-{}.xml", "term-{}.gold.xml", "textbook-{}"),
    "ntcir-essay": ("essay-{}.xml", "essay-{}.gold.xml", "textbook-{}"),
    "ntcir-extraction": ("essay-{}.xml", "essay-{}.gold.xml", "textbook-{}"),
    "ntcir-summarization": ("essay-{}.xml", "essay-{}.gold.xml", ""),
    "nlpcc-kbqa": ("kbqa-zh.txt", "kbqa-zh.txt", "triples"),
    "nlpcc-dbqa": ("dbqa.dev.txt", "dbqa.dev.txt", ""),
    "nlpcc-tbqa": ("tbqa.dev.txt", "tbqa.dev.txt", ""),
    "selqa": ("selqa.dev.json", "selqa.dev.json", ""),
    "datasearch-qa": ("datasearch-questions.tsv", "datasearch-gold.tsv", "datasets"),
    "u4-tqa": ("u4-tqa.questions.json", "u4-tqa.gold.json", "reports"),
    "u4-tr": ("u4-tr.questions.json", "u4-tr.gold.json", "reports"),
}
QUIZZES = ("quiz", "quiz-csv", "quiz-gift")  # answered by ntcir-mc
# The tasks that score the runs of those without measures of their own.
SCORED_AS = {
    "ntcir-summarization": "ntcir-essay",
    "ntcir-sheet": "ntcir-term",
    **dict.fromkeys(QUIZZES, "ntcir-mc"),
}
# The indexes that `ask` is asked of, by language.
ASKED = {
    "ask": {"en": "textbook-en", "ja": "textbook-ja", "zh": "triples"},
    "ask-datasets": {"ja": "datasets"},
}
ASK_TABLE = Path(__file__).with_name("ask.tsv")


JIS = ("euc-jp", "iso-2022-jp")


class Row(NamedTuple):
    """A row of the table."""

    task: str
    method: str
    language: str
    encoding: str
    measure: str
    figure: float

    def __str__(self) -> str:
        return "-".join(self[:5]).replace(" ", "_")


def rows() -> list[Row]:
    """The rows of the table."""
    with TABLE.open(encoding="utf-8") as file:
        return [
            Row(*row[:5], float(row[5])) for row in list(csv.reader(file, dialect="excel-tab"))[1:]
        ]


def recoded(content: bytes, encoding: str) -> bytes:
    """Text of UTF-8 or cp932 in another encoding, which a declaration in it names."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = content.decode("cp932")
    name = {"cp932": "Shift_JIS", "utf-8-sig": "UTF-8"}.get(encoding, encoding)
    text = re.sub(r'(?i)(?<=encoding=")utf-8(?=")', name, text, count=1)
    text = re.sub(r"(?i)(?<=charset=)shift_jis", name, text, count=1)
    # What Microsoft's tables call full-width hyphen and tilde are minus and wave dash in JIS's.
    # It has no circled digits.
    if encoding in JIS:
        text = text.replace("\uff0d", "\u2212").replace("\uff5e", "\u301c")
        text = re.sub("[①-⑨]", lambda digit: f"({unicodedata.digit(digit[0])})", text)
    return text.encode(encoding)


def recoded_archive(content: bytes, encoding: str) -> bytes:
    """A tar of data sets whose texts are in another encoding, those in a zip inside it too."""
    written = io.BytesIO()
    with (
        tarfile.open(fileobj=io.BytesIO(content)) as source,
        tarfile.open(fileobj=written, mode="w:bz2") as target,
    ):
        for member in source:
            if (file := source.extractfile(member)) is None:
                target.addfile(member)
                continue
            data = file.read()
            if member.name.endswith(".zip"):
                data = recoded_zip(data, encoding)
            elif not data.startswith(b"PK"):
                data = recoded(data, encoding)
            elif encoding in JIS:  # sheets name the character by its number
                data = with_wave_dashes(data)
            member.size = len(data)
            target.addfile(member, io.BytesIO(data))
    return written.getvalue()


def with_wave_dashes(workbook: bytes) -> bytes:
    """A workbook with the wave dash that its gold answers have in JIS's encodings."""
    written = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(workbook)) as source, zipfile.ZipFile(written, "w") as target:
        for name in source.namelist():
            target.writestr(name, source.read(name).replace(b"&#65374;", b"&#12316;"))
    return written.getvalue()


def recoded_zip(content: bytes, encoding: str) -> bytes:
    """A zip of tables whose texts are in another encoding."""
    written = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as source, zipfile.ZipFile(written, "w") as target:
        for name in source.namelist():
            target.writestr(name, recoded(source.read(name), encoding))
    return written.getvalue()


def copied(folder: Path, encoding: str) -> None:
    """Copies the samples in an encoding. Sheets, reports and glossaries, which are UTF-8, are
    copied as they are, and texts that cannot be written in the encoding are left out."""
    for path in filter(Path.is_file, SAMPLES.iterdir()):
        content = path.read_bytes()
        if path.name == "datasearch-data.tar.bz2":
            # A Japanese data set is never in a Chinese encoding.
            content = content if encoding == "gb18030" else recoded_archive(content, encoding)
        elif path.suffix not in (".bz2", ".xz", ".pdf") and not path.name.startswith("glossary"):
            try:
                content = recoded(content, encoding)
            except UnicodeEncodeError:
                continue
        (folder / path.name).write_bytes(content)


def with_index(folder: Path, name: str) -> list[str]:
    """The option that names the index of a sample, which is built if it is not there yet."""
    address = folder / "indexes" / name
    if not address.exists():
        kind, *files = BUILDS[name]
        words = [one if one.startswith("-") else str(folder / one) for one in files]
        done("indexer", kind, *words, "--index", address)
    return ["--index", str(address)]


def words_and_gold(folder: Path, task: str, language: str) -> tuple[list[str], str]:
    """What is said to `answerer TASK` for a sample, and the path of its gold."""
    if task == "ntcir-evaluation-method":
        # Gold essays made worse step by step stand for the essays that experts mark.
        worse = folder / f"worse-{language}" / "dropped"
        essays = str(folder / f"essay-{language}.gold.xml")
        if not worse.exists():
            invoked(degraded_essays.main, essays, worse.parent)
        return [essays, "--answers", *map(str, worse.glob("*.xml"))], str(worse / "marks.tsv")
    questions, gold, index = SETS[task]
    names = [one.format(language) for one in (questions, gold, index)]
    words = [str(folder / names[0])]
    if task == "ntcir-summarization":
        words.append(answered(folder, "ntcir-extraction", "-", language)[1])
    return words + (with_index(folder, names[2]) if index else []), str(folder / names[1])


def answered(folder: Path, task: str, method: str, language: str) -> tuple[str, str]:
    """Answers the sample of a task; returns the paths of gold and run."""
    words, gold = words_and_gold(folder, task, language)
    run = str(folder / f"{task}.{method}.{language}.run")
    if not Path(run).exists():  # another measure of the same run was asked before
        command = "ntcir-mc" if task in QUIZZES else task
        done(
            "answerer", command, *words, *([] if method == "-" else ["--method", method]), "-o", run
        )
    return gold, run


def questions_to_ask(folder: Path, row: Row) -> list[tuple[str, set[str]]]:
    """The questions that a row asks, each with the answers that are right."""
    if row.task == "ask-datasets":
        asked = (folder / "datasearch-questions.tsv").read_text(row.encoding).splitlines()
        gold = (folder / "datasearch-gold.tsv").read_text(row.encoding).splitlines()
        answers = dict(line.split("\t") for line in gold)
        return [(line.split("\t")[1], {answers[line.split("\t")[0]]}) for line in asked]
    with ASK_TABLE.open(encoding="utf-8") as file:
        return [
            (one["question"], set(one["answers"].split("|")))
            for one in csv.DictReader(file, dialect="excel-tab")
            if one["language"] == row.language
        ]


def share_of_first_answers(folder: Path, row: Row) -> float:
    """The share of a row's questions of which the first answer of `ask` is right."""
    gold = questions_to_ask(folder, row)
    file = folder / f"{row.task}.{row.language}.txt"
    file.write_text("".join(f"{question}\n" for question, _ in gold), row.encoding)
    index = with_index(folder, ASKED[row.task][row.language])
    printed = done("answerer", "ask", "--questions", file, *index, "--format", "jsonl").out
    replies = json_lines(printed)
    assert [reply["question"] for reply in replies] == [question for question, _ in gold]
    first = ([answer["text"] for answer in reply["answers"][:1]] for reply in replies)
    return sum(
        bool(right & set(texts)) for (_, right), texts in zip(gold, first, strict=True)
    ) / len(gold)


def figure(folder: Path, row: Row) -> float:
    """The figure of a row of the table, over all questions of the sample."""
    if row.task in ASKED:
        return share_of_first_answers(folder, row)
    gold, run = answered(folder, row.task, row.method, row.language)
    golds = [] if row.task == "selqa" else [gold]  # its result file holds the gold
    printed = figures(SCORED_AS.get(row.task, row.task), *golds, run)
    for line in printed:
        if "measure" not in line:  # the first row is of all questions
            return float(line[row.measure])
        if line["measure"] == row.measure:
            return float(line["value"])
    raise AssertionError(f"{row.measure} is not in {printed}")


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The samples by encoding, each in a folder of its own."""
    found = {}
    for encoding in {row.encoding for row in rows()}:
        found[encoding] = tmp_path_factory.mktemp(encoding)
        copied(found[encoding], encoding)
    return found


@pytest.mark.parametrize("row", rows(), ids=str)
def test_no_figure_of_a_sample_falls(folders: dict[str, Path], row: Row) -> None:
    assert figure(folders[row.encoding], row) >= row.figure - TOLERANCE


def test_every_task_has_a_row() -> None:
    assert {row.task for row in rows()} == {*tasks(), *QUIZZES, *ASKED}
