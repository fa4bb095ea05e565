"""What the registries promise: a new part is a file and a line, and the programs know it
everywhere."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.extended import Program
from tests.places import ROOT, SAMPLES

METHOD = '''
"""The longest choice is right."""

from answerer.ntcir.multiple_choice.methods import AnsweredQuestion, Method, Verdict, choose


def longest():
    return Method(lambda questions, index, k, evidence: [one(question) for question in questions])


def one(question):
    lengths = [float(len(choice.text.plain)) for choice in question.choices]
    return AnsweredQuestion(question, choose(question, lengths), tuple(map(Verdict, lengths)))
'''


@pytest.fixture
def program(tmp_path: Path) -> Program:
    return Program(tmp_path)


@pytest.mark.process
def test_an_exam_method_is_a_file_and_a_line(program: Program) -> None:
    program.add_file("answerer/ntcir/multiple_choice/longest.py", METHOD)
    program.add_line(
        "answerer/ntcir/multiple_choice/methods.py",
        "METHODS: dict[str, tuple[str, str]] = {",
        '    "longest": ("answerer.ntcir.multiple_choice.longest:longest", "the longest choice is right"),',
    )
    (program.folder / "book.txt").write_text("The Taj Mahal was built by Shah Jahan.", "utf-8")
    program.run("indexer", "textbook", "book.txt", "--index", "./ix/")
    exam = SAMPLES / "sample-exam-en.xml"
    program.run(
        "answerer", "ntcir-mc", exam, "--method", "longest", "--index", "./ix/", "-o", "run.xml",
        "--allow-unanswered",  # the book is one sentence
    )  # fmt: skip
    assert "points" in program.run(
        "evaluation", "ntcir-mc", SAMPLES / "sample-exam-en.gold.xml", "run.xml"
    )
    assert "the longest choice is right" in " ".join(
        program.run("answerer", "ntcir-mc", "--help").split()
    )


BOOK = """\
jan Sesa li lawa pi ma Loma. jan Sesa li moli lon tomo lawa.

jan Napolejon li lawa pi ma Kanse. jan Napolejon li utala tan ma Losi.
"""
ASKED = """<exam subject="SekaishiB" year="2026">tok
  <question id="Q1" minimal="yes" anscol="A1" answer_style="multipleChoice" answer_type="sentence" knowledge_type="KS">
    <instruction>o pana e toki pona: toki seme li pona?</instruction><ansColumn id="A1">1</ansColumn>
    <choices anscol="A1">
      <choice ansnum="1"><cNum>(1)</cNum>jan Lumi li tawa ma Sipisi.</choice>
      <choice ansnum="2"><cNum>(2)</cNum>jan Sesa li moli lon tomo lawa.</choice>
      <choice ansnum="3"><cNum>(3)</cNum>jan Matin li pana e telo.</choice>
    </choices>
  </question>
</exam>"""
GOLD = """<answerTable filename="exam"><data><answer_column>A1</answer_column><answer>2</answer><score>5</score>
<answer_type>sentence</answer_type><anscolumn_ID>A1</anscolumn_ID></data></answerTable>"""


@pytest.fixture
def toki_pona(program: Program) -> Program:
    """The program with a fourth language: the one of `tests/indexer/languages/toki_pona.py`."""
    text = (ROOT / "tests/indexer/languages/toki_pona.py").read_text("utf-8")
    program.add_file("indexer/languages/toki_pona.py", text)
    program.add_line(
        "indexer/languages/registry.py",
        "_REGISTERED = {",
        '    "tok": "indexer.languages.toki_pona:TOKI_PONA",',
    )
    for name, content in (("book.txt", BOOK), ("exam.xml", ASKED), ("gold.xml", GOLD)):
        (program.folder / name).write_text(content, "utf-8")
    return program


@pytest.mark.process
def test_a_language_is_a_file_and_a_line(toki_pona: Program) -> None:
    toki_pona.run("indexer", "textbook", "book.txt")
    assert toki_pona.run(
        "retriever", "textbook-tok", "seme li lawa e ma Loma?", "-k", "1"
    ).endswith("\tjan Sesa li lawa pi ma Loma.\n")
    toki_pona.run("answerer", "ntcir-mc", "exam.xml", "--method", "slqal", "-o", "run.xml")
    scored = toki_pona.run("evaluation", "ntcir-mc", "gold.xml", "run.xml", "--format", "jsonl")
    assert [json.loads(line)["right"] for line in scored.splitlines()][:1] == [1]


@pytest.mark.process
def test_a_new_language_can_be_named(toki_pona: Program) -> None:
    assert "[tok|ja|en|zh]" in toki_pona.run("indexer", "textbook", "--help")
    toki_pona.run(
        "indexer",
        "textbook",
        SAMPLES / "textbook-en.jsonl",
        "--language",
        "tok",
        "--index",
        "./named/",
    )
    assert (
        json.loads((toki_pona.folder / "named/metadata.json").read_text("utf-8"))["language"]
        == "tok"
    )
