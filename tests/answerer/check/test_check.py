"""Submissions checked before they are sent: what our commands write is valid, and each defect is
named."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from answerer.check.submissions import problems_of
from tests.answerer.formats.sheets import bilingual, write
from tests.places import SAMPLES
from tests.programs import done, refused, run
from tests.refusals import names

EXAM = str(SAMPLES / "sample-exam-en.xml")


@pytest.mark.parametrize(
    ("task", "sample"),
    [
        ("ntcir-mc", "sample-exam-en.xml"),
        ("ntcir-term", "term-en.xml"),
        ("ntcir-essay", "essay-en.xml"),
        ("ntcir-extraction", "essay-en.xml"),
    ],
)
def test_what_our_commands_write_is_complete_and_valid(
    sample_book: str, task: str, sample: str, tmp_path: Path
) -> None:
    out = str(tmp_path / "run.xml")
    assert (
        run("answerer", task, str(SAMPLES / sample), "--index", sample_book, "-o", out).status == 0
    )
    ended = run("answerer", "check", str(SAMPLES / sample), out)
    assert (ended.status, ended.out, ended.err) == (0, "", f"{out}: complete and valid\n")


@pytest.mark.parametrize(
    ("task", "sample"), [("nlpcc-dbqa", "dbqa.test.txt"), ("nlpcc-tbqa", "tbqa.test.txt")]
)
def test_scores_fit_their_file(task: str, sample: str, tmp_path: Path) -> None:
    out = tmp_path / "scores.txt"
    done("answerer", task, SAMPLES / sample, "-o", out)
    assert problems_of(str(SAMPLES / sample), str(out)) == []
    out.write_text("1\n", "utf-8")
    ended = run("answerer", "check", str(SAMPLES / sample), str(out))
    assert (ended.status, "1 scores" in ended.err) == (2, True)


FIRST, SECOND = "谁建的？\t1. 甲 2. 乙 3. 丙", "谁建的？\t1. 丁 2. 戊 3. 己"


@pytest.mark.parametrize(
    "rows",
    [
        f"1\t{FIRST}\n0\t{SECOND}\n",
        f"{FIRST}\t0\n{SECOND}\t1\n",
        f"10\t{FIRST}\n0\t{SECOND}\n",
        f"{FIRST}\n{SECOND}\n",
    ],
    ids=["label first", "label last", "label 10", "no label"],
)
def test_rows_of_numbered_sentences_are_no_quiz(rows: str, tmp_path: Path) -> None:
    questions, scores = tmp_path / "dbqa.txt", tmp_path / "scores.txt"
    questions.write_text(rows, "utf-8")
    scores.write_text("0.9\n0.1\n", "utf-8")
    assert problems_of(str(questions), str(scores)) == []
    scores.write_text("0.9\n", "utf-8")
    assert "1 scores" in refused("answerer", "check", str(questions), str(scores))


def test_a_numbered_question_on_a_dataset_is_no_quiz(tmp_path: Path) -> None:
    asked, given = tmp_path / "asked", tmp_path / "run"
    asked.write_text("DS2-QA-E-1\tWhich: 1. tea 2. rice 3. coal?\t000000000001\n", "utf-8")
    given.write_text("<SYSDESC>x</SYSDESC>\nDS2-QA-E-2\trice\n", "utf-8")
    assert problems_of(str(asked), str(given)) == [
        "DS2-QA-E-1: missing",
        "DS2-QA-E-2: nobody asked for it",
    ]


def test_a_quiz_whose_labels_are_a_column_is_a_quiz(tmp_path: Path) -> None:
    quiz, given = tmp_path / "quiz.txt", tmp_path / "run.tsv"
    quiz.write_text("1.\tWho built it?\na.\tAnn\nb.\tBob\nc.\tCid\n", "utf-8")
    given.write_text("id\tanswer\n1\td\n", "utf-8")
    assert problems_of(str(quiz), str(given)) == ["1: 'd' is not a choice (a, b, c)"]


def test_a_task_that_is_named_overrides_the_guess(tmp_path: Path) -> None:
    blocks = str(SAMPLES / "kbqa-zh.txt")
    done("answerer", "check", blocks, blocks)
    ended = run("answerer", "check", blocks, blocks, "--task", "datasearch-qa")
    assert ended.status == 2
    ended = run("answerer", "check", blocks, blocks, "--task", "nothing")
    assert (ended.status, "nlpcc-kbqa" in ended.err) == (2, True)


def table(folder: Path, rows: dict[str, str], name: str = "sample-exam-en") -> str:
    data = "".join(
        f"<data><anscolumn_ID>{column}</anscolumn_ID><answer>{answer}</answer></data>"
        for column, answer in rows.items()
    )
    path = folder / "table.xml"
    path.write_text(f'<answerTable filename="{name}">{data}</answerTable>', "utf-8")
    return str(path)


def test_every_fault_of_an_answer_table_is_named(tmp_path: Path) -> None:
    rows = {f"A{number}": "1" for number in range(1, 21)}
    assert problems_of(EXAM, table(tmp_path, rows)) == []
    del rows["A7"]
    rows |= {"A2": "99", "A3": "", "A99": "1"}
    assert problems_of(EXAM, table(tmp_path, rows, "other")) == [
        "filename is 'other', the exam is 'sample-exam-en'",
        "A7: missing",
        "A99: nobody asked for it",
        "A2: '99' is not a choice (1, 2, 3, 4)",
        "A3: not answered",
    ]


def test_figures_of_another_kind_are_told(tmp_path: Path) -> None:
    rows = {f"A{number}": "1" for number in range(1, 21)} | {"A2": "③"}
    del rows["A3"]
    path = Path(table(tmp_path, rows | {"Ａ３": "2"}))
    told = ["'③' is to be written '3'", "'Ａ３' is to be written 'A3'"]
    assert problems_of(EXAM, str(path)) == told
    path.write_text(path.read_text("utf-8").replace("answer>", "ANSWER>"), "utf-8")
    assert problems_of(EXAM, str(path)) == told


def test_a_faulty_run_among_several_is_counted_and_the_status_says_so(tmp_path: Path) -> None:
    good = Path(table(tmp_path, {f"A{number}": "1" for number in range(1, 21)})).rename(
        tmp_path / "good.xml"
    )
    bad = table(tmp_path, {"A1": "1"})
    ended = run("answerer", "check", EXAM, str(good), bad)
    assert ended.status == 2
    assert ended.out.splitlines()[0] == f"{bad}: A2: missing"
    first, last = ended.err.splitlines()
    assert names(first, good)
    assert last == "error: 1 of 2 submissions are incomplete or invalid"


SHEET = """<answer_sheet><answer_section id="S"><answer_type>sentence</answer_type>
<instruction>Write of Rome, in no more than 3 English words.</instruction>
<keyword_set><keyword>Tiber</keyword></keyword_set>
<answer_set type="singleton" number="1">
<answer match_type="broad" order="-1" length_limit="no more than 4 English words">
<expression_set><expression>{}</expression></expression_set></answer></answer_set></answer_section></answer_sheet>"""


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        ("Rome on the Tiber", []),
        ("", ["S: not answered"]),
        ("Rome lies on the Tiber", ["S: 5 words, at most 4 are allowed"]),
        ("Rome", ["S: does not use the keywords Tiber"]),
        ("Tiber</expression><expression>The Tiber", ["S: 2 expressions where one answer is asked"]),
    ],
)
def test_limits_and_keywords_of_an_essay(tmp_path: Path, text: str, problems: list[str]) -> None:
    for name, filled in (("sheet", ""), ("run", text)):
        (tmp_path / f"{name}.xml").write_text(SHEET.format(filled), "utf-8")
    assert problems_of(str(tmp_path / "sheet.xml"), str(tmp_path / "run.xml")) == problems


def test_a_bilingual_sheet_is_checked_in_the_language_that_was_answered(tmp_path: Path) -> None:
    asked = write(tmp_path, bilingual("Marco Polo", ""))
    answered = write(tmp_path, bilingual("Marco Polo", "マルコ・ポーロという人"), "run.xml")
    assert problems_of(str(asked), str(answered)) == ["D-1: 11 characters, at most 9 are allowed"]


@pytest.mark.parametrize("before", ["", "マルコ・ポーロ"])
def test_a_bilingual_sheet_that_nobody_answered_is_said_to_be_so(
    tmp_path: Path, before: str
) -> None:
    asked = write(tmp_path, bilingual("", before))
    answered = write(tmp_path, bilingual("", before).replace("\n", "") + "\n", "run.xml")
    assert problems_of(str(asked), str(answered)) == ["D-1: not answered"]


# A schema of sheets and topics, smaller than QA Lab's.
XSD = """<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">
<xs:element name="answer_sheet"><xs:complexType><xs:sequence><xs:any processContents="lax" maxOccurs="unbounded"/>
</xs:sequence><xs:attribute name="ver" use="required"/></xs:complexType></xs:element>
<xs:element name="answer_section"><xs:complexType><xs:sequence><xs:any processContents="lax" maxOccurs="unbounded"/>
</xs:sequence><xs:attribute name="id" use="required"/></xs:complexType></xs:element>
<xs:element name="TOPIC"><xs:complexType><xs:choice><xs:element name="PASSAGE_SET"><xs:complexType><xs:sequence>
<xs:element name="PASSAGE" maxOccurs="unbounded"/></xs:sequence></xs:complexType></xs:element>
<xs:element name="ANSWER_SET"/></xs:choice><xs:attribute name="ID" use="required"/></xs:complexType></xs:element>
</xs:schema>"""
PASSAGE = '<PASSAGE RANK="1" SOURCE_ID="a" SOURCE_ID_TYPE="WEB" SCORE="1" NORMALIZED_SCORE="1">Tiber</PASSAGE>'
ANSWER = '<ANSWER FILE_NAME="a.xml" RANK="1" SCORE="1">Tiber</ANSWER>'
SHEET_1 = SHEET.format("Rome on the Tiber").replace("<answer_sheet", '<answer_sheet ver="1.0"')


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (SHEET_1, 0),
        (SHEET.format("Rome on the Tiber"), 1),  # without a version
        (SHEET_1.replace(' id="S"', ' id="S" status="done"'), 1),
        (f'<TOPIC ID="S"><PASSAGE_SET>{PASSAGE}</PASSAGE_SET></TOPIC>', 0),
        (f'<TOPIC ID="S"><PASSAGE_SET>\n{PASSAGE}<NOTE/></PASSAGE_SET></TOPIC>', 2),
        (f'<TOPIC ID="S"><ANSWER_SET>{ANSWER}</ANSWER_SET></TOPIC>', 0),
        (f'<TOPIC ID="S">\n<ANSWERS>{ANSWER}</ANSWERS></TOPIC>', 2),
    ],
)
def test_runs_are_validated_against_a_schema(tmp_path: Path, text: str, line: int) -> None:
    paths = [tmp_path / name for name in ("sheet.xml", "run.xml", "lab.xsd")]
    for path, content in zip(paths, (SHEET.format(""), text, XSD), strict=True):
        path.write_text(content, "utf-8")
    sheet, answered, schema = map(str, paths)
    assert problems_of(sheet, answered) == []
    ended = run("answerer", "check", sheet, answered, "--schema", schema)
    assert ended.status == (2 if line else 0)
    printed = ended.out.splitlines()
    assert [one.startswith(f"{answered}: line {line}: ") for one in printed] == [True] * (line > 0)


def test_a_summary_names_a_file_that_lies_beside_it(tmp_path: Path) -> None:
    (tmp_path / "sheet.xml").write_text(SHEET.format(""), "utf-8")
    summary = SHEET.format("Rome on the Tiber").replace(
        "<answer_sheet>", '<answer_sheet src="found.xml">', 1
    )
    (tmp_path / "run.xml").write_text(summary, "utf-8")
    pair = (str(tmp_path / "sheet.xml"), str(tmp_path / "run.xml"))
    assert problems_of(*pair) == ["src names 'found.xml', which does not lie beside it"]
    (tmp_path / "found.xml").write_text("<TOPIC/>", "utf-8")
    assert problems_of(*pair) == []


def test_passages_of_unknown_kind_and_beyond_ten_times_the_limit(tmp_path: Path) -> None:
    (tmp_path / "sheet.xml").write_text(SHEET.format(""), "utf-8")
    passage = '<PASSAGE RANK="1" SOURCE_ID="a" SOURCE_ID_TYPE="BOOK" SCORE="1" NORMALIZED_SCORE="1">{}</PASSAGE>'
    text = passage.format("word " * 41)
    (tmp_path / "run.xml").write_text(
        f'<TOPIC ID="S"><PASSAGE_SET>{text}</PASSAGE_SET></TOPIC>', "utf-8"
    )
    assert problems_of(str(tmp_path / "sheet.xml"), str(tmp_path / "run.xml")) == [
        "S: SOURCE_ID_TYPE 'BOOK' of rank 1 is not WEB or QALAB3 or PARTICIPANT",
        "S: 41 words, at most 40 are allowed",
    ]


def test_passages_whose_scores_rise_where_their_ranks_fall(tmp_path: Path) -> None:
    (tmp_path / "sheet.xml").write_text(SHEET.format(""), "utf-8")
    passage = '<PASSAGE RANK="{}" SOURCE_ID="a" SOURCE_ID_TYPE="WEB" SCORE="1" NORMALIZED_SCORE="{}">x</PASSAGE>'
    text = "".join(passage.format(*one) for one in ((1, "0.5"), (2, "0.5"), (3, "0.7")))
    (tmp_path / "run.xml").write_text(
        f'<TOPIC ID="S"><PASSAGE_SET>{text}</PASSAGE_SET></TOPIC>', "utf-8"
    )
    assert problems_of(str(tmp_path / "sheet.xml"), str(tmp_path / "run.xml")) == [
        "S: NORMALIZED_SCORE of rank 3 is higher than that of rank 2"
    ]


def test_knowledge_base_answers(tmp_path: Path) -> None:
    asked = tmp_path / "questions.txt"
    asked.write_text(
        "<question id=1>\t甲是谁？\n==========\n<question id=2>\t乙是谁？\n==========\n", "utf-8"
    )
    given = tmp_path / "answers.txt"
    given.write_text("<question id=1>\t丙是谁？\n<answer id=1>\t\n==========\n", "utf-8")
    assert problems_of(str(asked), str(given)) == [
        "2: missing",
        "1: the question is '丙是谁？', asked was '甲是谁？'",
    ]


def test_a_block_without_an_answer_line_is_named_and_an_empty_answer_is_not(tmp_path: Path) -> None:
    asked, given = tmp_path / "asked", tmp_path / "run"
    asked.write_text("<question id=1>\t甲？\n\n<question id=2>\t乙？\n", "utf-8")
    given.write_text("<question id=1>\t甲？\n<answer id=1>\t\n\n<question id=2>\t乙？\n", "utf-8")
    assert problems_of(str(asked), str(given)) == ["2: without an `<answer id=…>` line"]


@pytest.mark.parametrize(
    ("answer", "good"),
    [("\t", True), ("\t甲", True), ("\t甲\t乙", True), ("\t甲\r", True), ("\t甲\t", False), ("\t\t甲", False), ("\t甲 \t乙", False),
     (" 甲", False), ("\t甲\u3000", False)],
)  # fmt: skip
def test_knowledge_base_answers_stand_as_they_are_compared(
    answer: str, good: bool, tmp_path: Path
) -> None:
    (tmp_path / "asked").write_text("<question id=1>\t谁？\n", "utf-8")
    (tmp_path / "run").write_bytes(f"<question id=1>\t谁？\n<answer id=1>{answer}\n".encode())
    said = ["1: a tab or blank too many around its answers, which are compared as they stand"]
    assert problems_of(str(tmp_path / "asked"), str(tmp_path / "run")) == ([] if good else said)


def test_a_byte_order_mark_before_knowledge_base_answers(tmp_path: Path) -> None:
    (tmp_path / "asked").write_text("<question id=1>\t谁？\n", "utf-8-sig")
    (tmp_path / "run").write_text("<question id=1>\t谁？\n<answer id=1>\t甲\n", "utf-8-sig")
    assert problems_of(str(tmp_path / "asked"), str(tmp_path / "run")) == [
        "begins with a byte order mark"
    ]


def test_problems_stand_in_the_order_of_the_questions(tmp_path: Path) -> None:
    for name, answer in (("questions", ""), ("answers", "<answer id={0}>\t甲\t\n")):
        blocks = [
            f"<question id={{0}}>\t甲？\n{answer}==========\n".format(number)
            for number in range(20)
        ]
        (tmp_path / f"{name}.txt").write_text("".join(blocks), "utf-8")
    given = str(tmp_path / "questions.txt"), str(tmp_path / "answers.txt")
    assert [problem.partition(":")[0] for problem in problems_of(*given)] == [
        str(number) for number in range(20)
    ]


def test_a_dataset_run(tmp_path: Path) -> None:
    asked = tmp_path / "questions.tsv"
    asked.write_text(
        "DS2-QA-E-1001\tHow many?\t000000000001\nDS2-QA-E-1002\tWho?\t000000000001\n", "utf-8"
    )
    given = tmp_path / "run.tsv"
    given.write_text("<SYSDESC>ours</SYSDESC>\nDS2-QA-E-1001\t12\nDS2-QA-E-1002\t13\n", "utf-8")
    assert problems_of(str(asked), str(given)) == []
    given.write_text("<SYSDESC>ours</SYSDESC>\nDS2-QA-E-1001\t1\t2\nDS2-QA-E-1002\t13\n", "utf-8")
    assert problems_of(str(asked), str(given)) == ["DS2-QA-E-1001: a tab stands in its answer"]
    given.write_text("<SYSDESC>ours</SYSDESC>\nDS2-QA-E-1001\t12\n", "utf-8")
    assert problems_of(str(asked), str(given)) == ["DS2-QA-E-1002: missing"]


@pytest.mark.parametrize(
    ("rows", "encoding", "said"),
    [
        ("DS2-QA-J-1\t東京都", "utf-8", []),
        ("DS2-QA-J-1 \t東京都", "utf-8", ["DS2-QA-J-1: blanks around its id or its answer"]),
        ("DS2-QA-J-1\t東京都\u3000", "utf-8", ["DS2-QA-J-1: blanks around its id or its answer"]),
        ("DS2-QA-J-1\t東京都", "cp932", ["is in cp932, not in UTF-8"]),
    ],
)
def test_a_dataset_run_as_texts_are_compared(
    rows: str, encoding: str, said: list[str], tmp_path: Path
) -> None:
    (tmp_path / "asked").write_text("DS2-QA-J-1\tどこ？\t000000000001\n", "utf-8")
    (tmp_path / "run").write_text(f"<SYSDESC>x</SYSDESC>\n{rows}\n", encoding)
    assert problems_of(str(tmp_path / "asked"), str(tmp_path / "run")) == said


@pytest.mark.parametrize(
    "asked",
    [
        "DS2-QA-E-1001\tHow many?\t000002505731\n",
        '{"question_id": "DS2-QA-E-1001", "question": "How many?", "dataset": "1"}\n',
    ],
)
def test_a_dataset_run_that_does_not_describe_its_system(asked: str, tmp_path: Path) -> None:
    (tmp_path / "asked").write_text(asked, "utf-8")
    (tmp_path / "run").write_text("DS2-QA-E-1001\t12\n", "utf-8")
    assert problems_of(str(tmp_path / "asked"), str(tmp_path / "run")) == [
        "without a first line <SYSDESC>…</SYSDESC>"
    ]


def test_scores_of_a_file_in_a_chinese_encoding(tmp_path: Path) -> None:
    (tmp_path / "asked").write_text("谁建的？\t甲建的。\t1\n谁建的？\t乙。\t0\n", "gb18030")
    (tmp_path / "run").write_text("0.5\n-1\n", "utf-8")
    assert problems_of(str(tmp_path / "asked"), str(tmp_path / "run")) == []


def test_rows_with_results(tmp_path: Path) -> None:
    (tmp_path / "asked").write_text("1.1\tWho?\tAnn.\t1\n1.1\tWho?\tBob.\t0\n", "utf-8")
    pair = str(tmp_path / "asked"), str(tmp_path / "run")
    (tmp_path / "run").write_text("1.1\tWho?\tAnn.\t1\t0.5\n1.1\tWho?\tBob.\t0\t0\n", "utf-8")
    assert problems_of(*pair) == []
    (tmp_path / "run").write_text("1.1\tWho?\tAnn.\t1\t0.5\n", "utf-8")
    assert problems_of(*pair) == ["question 1 is not the one asked"]


def test_results_are_probabilities(tmp_path: Path) -> None:
    asked = {"question": "Who?", "sentences": ["a", "b", "c"]}
    (tmp_path / "asked").write_text(json.dumps(asked), "utf-8")
    (tmp_path / "run").write_text(json.dumps({**asked, "results": [1, 1.5, -1]}), "utf-8")
    assert problems_of(str(tmp_path / "asked"), str(tmp_path / "run")) == [
        "question 1: the result 1.5 is not from 0 to 1"
    ]


@pytest.mark.parametrize("gold", [{"candidates": [1]}, {}], ids=["another", "none"])
def test_results_have_the_gold_of_the_input(tmp_path: Path, gold: dict[str, list[int]]) -> None:
    asked = {"question": "Who?", "sentences": ["a", "b"]}
    (tmp_path / "asked").write_text(json.dumps({**asked, "candidates": [0]}), "utf-8")
    (tmp_path / "test").write_text(json.dumps(asked), "utf-8")
    (tmp_path / "run").write_text(json.dumps({**asked, **gold, "results": [0.1, 0.9]}), "utf-8")
    said = f"question 1: its right candidates are not those of {tmp_path / 'asked'}"
    assert problems_of(str(tmp_path / "asked"), str(tmp_path / "run")) == [said]
    assert problems_of(str(tmp_path / "test"), str(tmp_path / "run")) == []


def test_rows_with_results_have_the_labels_of_the_input(tmp_path: Path) -> None:
    (tmp_path / "asked").write_text("1.1\tWho?\tAnn.\t1\n1.1\tWho?\tBob.\t0\n", "utf-8")
    (tmp_path / "run").write_text("1.1\tWho?\tAnn.\t0\t0.5\n1.1\tWho?\tBob.\t1\t0\n", "utf-8")
    (problem,) = problems_of(str(tmp_path / "asked"), str(tmp_path / "run"))
    assert problem.startswith("question 1: ")
    assert problem.endswith(f" {tmp_path / 'asked'}")


def test_results_of_candidates(tmp_path: Path) -> None:
    asked = tmp_path / "asked.json"
    asked.write_text(
        json.dumps([{"question": "Who?", "sentences": ["a", "b"], "candidates": [0]}]), "utf-8"
    )
    given = tmp_path / "given.json"
    rows = [{"question": "Who?", "sentences": ["a", "c"], "candidates": [0], "results": [0.1, 0.9]}]
    given.write_text(json.dumps(rows), "utf-8")
    (problem,) = problems_of(str(asked), str(given))
    assert problem.startswith("question 1 ")


def test_what_is_not_the_input_of_a_task_is_refused(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("notes\n", "utf-8")
    ended = run("answerer", "check", str(tmp_path / "notes.txt"), EXAM)
    assert (ended.status, ended.err.count("\n")) == (2, 1)
    assert names(ended.err, "notes.txt")


def test_a_problem_is_told_without_marks_that_turn_the_writing_round(tmp_path: Path) -> None:
    ended = run("answerer", "check", EXAM, table(tmp_path, {"A1&#x202e;": "1"}))
    assert "table.xml: A1\\u202e: nobody asked for it\n" in ended.out
