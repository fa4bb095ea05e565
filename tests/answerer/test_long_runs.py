"""A run of 100,000 marks inside a question takes time in proportion to its length, in every
task."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.analysis.text import LONGEST, without_long_runs
from tests.places import SAMPLES

pytestmark = pytest.mark.process

SECONDS = 20  # of the processor; work with the square of the length took minutes
RUN = 100_000
INDEXES = {
    "en": ("textbook", "textbook-en.jsonl"),
    "ja": ("textbook", "textbook-ja.jsonl"),
    "kb": ("triples", "triples-zh.kb"),
    "data": ("datasets", "datasearch-collection.jsonl.bz2", "datasearch-data.tar.bz2"),
}
# Of a task: its command (`{index}` is an index), the file, its text with `%` for the run, the mark.
WORST = {
    "datasearch-qa digits": (
        "datasearch-qa --index {data}",
        "ds.tsv",
        "DS2-QA-J-1001\t令和3年の%総人口は。\t000090000001\n",
        "1",
    ),
    "nlpcc-kbqa commas": (
        "nlpcc-kbqa --index {kb}",
        "kbqa.txt",
        "<question id=1>\t谁%写了《岳阳楼记》？\n====================\n",
        "，",
    ),
    "ntcir-essay ja digits": ("ntcir-essay --index {ja}", "sheet.xml", "essay-ja", "1"),
    "ntcir-essay en digits": ("ntcir-essay --index {en}", "sheet.xml", "essay-en", "1"),
    "ntcir-mc names ja kana": ("ntcir-mc --index {ja}", "exam.xml", "exam-ja", "ア"),
    "ntcir-mc slqal en digits": (
        "ntcir-mc --index {en} --method slqal",
        "exam.xml",
        "exam-en",
        "1",
    ),
    "ntcir-term ja digits": ("ntcir-term --index {ja}", "sheet.xml", "term-ja", "1"),
}
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


def run(*command: str) -> subprocess.CompletedProcess[str]:
    """One of our programs, ended where it takes more than its seconds."""
    limited = ["sh", "-c", f'ulimit -t {SECONDS}; exec "$@"', "sh", sys.executable, "-m", *command]
    return subprocess.run(limited, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def indexes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The samples' indexes."""
    folder = tmp_path_factory.mktemp("indexes")
    for name, (kind, *files) in INDEXES.items():
        run(
            "indexer", kind, *(str(SAMPLES / file) for file in files), "--index", str(folder / name)
        )
    return {name: str(folder / name) for name in INDEXES}


@pytest.mark.parametrize(("command", "file", "shape", "mark"), WORST.values(), ids=WORST)
def test_a_long_run_is_answered(
    tmp_path: Path, indexes: dict[str, str], command: str, file: str, shape: str, mark: str
) -> None:
    path = tmp_path / file
    path.write_text(file_of(shape).replace("%", mark * RUN), "utf-8")
    words = [word.format(**indexes) for word in command.split()]
    # A mark that is no word of the index finds nothing, which is an error unless it is allowed.
    allowed = ["--allow-unanswered"] if "--index" in words else []
    done = run("answerer", *words, str(path), *allowed)
    assert (done.returncode, done.stderr.count(f" {LONGEST} ") > 0) == (0, True), done.stderr


def test_a_run_is_cut_and_told(caplog: pytest.LogCaptureFixture) -> None:
    assert without_long_runs("in " + "7" * 501 + " or " + "ア" * 600, "question 3") == (
        "in " + "7" * 500 + " or " + "ア" * 500
    )
    assert caplog.messages == [
        "question 3: a run of more than 500 marks of one kind; its first 500 are read"
    ]


@given(st.text(max_size=LONGEST))
def test_what_is_no_longer_stays_as_it_is(text: str) -> None:
    assert without_long_runs(text, "question 1") == text
