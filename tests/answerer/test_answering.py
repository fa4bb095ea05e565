"""Tasks answered from Python: the files and the evidence that the commands write, from files and
from objects."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

import answerer.__main__
from answerer.answering import answer
from answerer.formats.exam.parts import ExamQuestion
from answerer.formats.exam.read import read_exam
from answerer.ntcir.multiple_choice.methods import AnsweredQuestion, Method, Verdict
from answerer.registry import tasks
from answerer.run import Run
from answerer.trace import read_trace
from indexer.files.errors import UserError
from indexer.formats.datasearch import read_questions
from indexer.formats.selqa import read_selqa
from retriever.search import open_index
from tests.answerer.formats.sheets import bilingual, write
from tests.answerer.sample_indexes import build_samples
from tests.answerer.traces import question
from tests.places import SAMPLES
from tests.programs import invoked

EXAM = str(SAMPLES / "sample-exam-en.xml")
ESSAY = str(SAMPLES / "essay-en.xml")
SELQA = str(SAMPLES / "selqa.test.json")
INPUTS = {
    "ntcir-mc": [EXAM],
    "nlpcc-dbqa": [str(SAMPLES / "dbqa.test.txt")],
    "nlpcc-tbqa": [str(SAMPLES / "tbqa.test.txt")],
    "selqa": [SELQA],
    "nlpcc-kbqa": [str(SAMPLES / "kbqa-zh.txt")],
    "datasearch-qa": [str(SAMPLES / "datasearch-questions.tsv")],
    "ntcir-term": [str(SAMPLES / "term-en.xml")],
    "ntcir-sheet": [str(SAMPLES / "sheet-en.xml")],
    "ntcir-essay": [ESSAY],
    "ntcir-extraction": [ESSAY],
    "ntcir-summarization": [ESSAY, "EXTRACTION"],
    "ntcir-evaluation-method": [str(SAMPLES / "essay-en.gold.xml")],
    "u4-tqa": [str(SAMPLES / "u4-tqa.questions.json")],
    "u4-tr": [str(SAMPLES / "u4-tr.questions.json")],
}
INDEX = {"nlpcc-kbqa": "triples", "datasearch-qa": "datasets"}
WITHOUT_INDEX = {
    "nlpcc-dbqa",
    "nlpcc-tbqa",
    "selqa",
    "ntcir-summarization",
    "ntcir-evaluation-method",
    "u4-tqa",
    "u4-tr",
}
REPORTS = {"reports": str(SAMPLES / "u4-reports.tar.xz")}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Indexes of the samples, and an extraction file of a sheet."""
    place = tmp_path_factory.mktemp("answering")
    build_samples(place)
    answer("ntcir-extraction", ESSAY, index=place / "textbook").save(place / "EXTRACTION")
    return place


def inputs(task: str, folder: Path) -> list[str]:
    return [str(folder / name) if name == "EXTRACTION" else name for name in INPUTS[task]]


@pytest.mark.process
@pytest.mark.parametrize("task", ["ntcir-term", "ntcir-sheet"])
def test_of_a_bilingual_sheet_the_language_of_the_index_is_answered(
    folder: Path, tmp_path: Path, task: str
) -> None:
    sheet = write(tmp_path, bilingual("", ""))
    run = answer(task, sheet, index=folder / "textbook", allow_unanswered=True)
    assert run.questions[0].question == "Who?"


def test_every_task_is_tried() -> None:
    assert INPUTS.keys() == tasks().keys()


@pytest.mark.parametrize("task", tasks())
def test_a_run_is_what_the_command_writes(task: str, folder: Path, tmp_path: Path) -> None:
    address = {} if task in WITHOUT_INDEX else {"index": str(folder / INDEX.get(task, "textbook"))}
    essays = (
        {"answers": ESSAY}
        if task == "ntcir-evaluation-method"
        else REPORTS
        if task.startswith("u4")
        else {}
    )
    options = [word for name, value in (address | essays).items() for word in (f"--{name}", value)]
    words = [
        task,
        *inputs(task, folder),
        *options,
        "-o",
        str(tmp_path / "run"),
        "--trace",
        str(tmp_path / "trace"),
    ]
    invoked(answerer.__main__.main, *words)
    run = answer(task, *inputs(task, folder), **address, **essays)  # type: ignore[arg-type]  # options of one type
    assert run.text == (tmp_path / "run").read_text("utf-8")
    assert run.trace == (tmp_path / "trace").read_bytes()
    assert run.header == read_trace(tmp_path / "trace")[0]


def test_the_text_of_a_sheet_is_read_in_its_own_encoding(tmp_path: Path) -> None:
    japanese = (SAMPLES / "essay-ja.xml").read_text("utf-8").replace("UTF-8", "Shift_JIS")
    sheet = write(tmp_path, japanese, encoding="cp932")
    topics = (SAMPLES / "essay-ja.xml").read_text("utf-8").split('answer_section id="')[1:]
    found = "".join(f'<TOPIC ID="{one.split(chr(34))[0]}"><PASSAGE_SET/></TOPIC>' for one in topics)
    run = answer(
        "ntcir-summarization",
        sheet,
        write(tmp_path, f"<TOPIC_SET>{found}</TOPIC_SET>", "found.xml"),
    )
    assert run.files[""].decode("cp932") == run.text != japanese


def test_a_run_is_saved_as_it_was_answered(folder: Path, tmp_path: Path) -> None:
    run = answer("ntcir-mc", EXAM, index=folder / "textbook", method="slqal")
    run.save(tmp_path / "run.xml", trace=tmp_path / "run.jsonl")
    assert (tmp_path / "run.xml").read_bytes() == run.files["sample-exam-en"]
    assert run.trace == (tmp_path / "run.jsonl").read_bytes()


def test_several_exams_are_saved_in_a_folder(folder: Path, tmp_path: Path) -> None:
    other = tmp_path / "again.xml"
    other.write_bytes(Path(EXAM).read_bytes())
    run = answer("ntcir-mc", EXAM, other, index=folder / "textbook", method="slqal", evidence=False)
    run.save(tmp_path / "runs")
    assert sorted(path.name for path in (tmp_path / "runs").iterdir()) == [
        "again.xml",
        "sample-exam-en.xml",
    ]
    with pytest.raises(UserError, match="sample-exam-en, again"):
        _ = run.text


def test_a_run_says_what_it_is(folder: Path) -> None:
    run = answer("ntcir-mc", EXAM, index=folder / "textbook", method="slqal")
    assert repr(run) == "<Run ntcir-mc by slqal: 20 questions>"
    assert list(run.answers) == [f"A{number}" for number in range(1, 21)]


def test_several_answers_of_one_question_are_one_text() -> None:
    rows = [
        question({"question_id": "T-1", "system": ["Babur", "Akbar"]}),
        question({"question_id": "T-2", "system": ["Nero"]}),
    ]
    run = Run(task="ntcir-term", method="signals", files={}, questions=rows)
    assert run.answers == {"T-1": "Babur / Akbar", "T-2": "Nero"}


def test_ids_that_repeat_in_several_exams_lose_no_answer_in_silence() -> None:
    run = Run(
        task="ntcir-mc",
        method="slqal",
        files={},
        questions=[question({"system": "2"}), question({"system": "4"})],
    )
    with pytest.raises(UserError, match=" A1 "):
        _ = run.answers


def test_without_evidence_the_files_are_the_same(folder: Path) -> None:
    run, bare = (
        answer("ntcir-mc", EXAM, index=folder / "textbook", method="slqal", evidence=each)
        for each in (True, False)
    )
    assert (bare.files, bare.header, list(bare.questions)) == (run.files, run.header, [])
    assert repr(bare) == "<Run ntcir-mc by slqal, without evidence>"
    with pytest.raises(UserError, match="evidence=True"):
        _ = bare.answers


def test_an_open_index_stays_open(folder: Path) -> None:
    with open_index(folder / "textbook") as index:
        first, second = (
            answer("ntcir-mc", EXAM, index=index, method="slqal", evidence=False) for _ in range(2)
        )
        assert first == second
        assert index.search("Rome")


def one_by_one(run: Run) -> list[object]:
    return [(row.question, [one.score for one in row.candidates]) for row in run.questions]


def test_an_exam_that_was_read_is_answered_like_its_file(folder: Path) -> None:
    runs = [
        answer("ntcir-mc", source, index=folder / "textbook", method="slqal")
        for source in (EXAM, read_exam(EXAM))
    ]
    assert runs[0] == runs[1]


def test_questions_with_sentences_are_answered_like_a_file_of_them() -> None:
    assert one_by_one(answer("selqa", read_selqa(SELQA).lists)) == one_by_one(
        answer("selqa", SELQA)
    )


def test_rows_of_chinese_questions_are_scored_in_their_order(tmp_path: Path) -> None:
    pairs = [("谁建造了它？", ("下雨。", "沙贾汗建造了它。")), ("它在哪里？", ("它在阿格拉。",))]
    file = tmp_path / "rows.txt"
    file.write_text(
        "".join(f"{question}\t{text}\n" for question, texts in pairs for text in texts), "utf-8"
    )
    assert answer("nlpcc-dbqa", pairs).text == answer("nlpcc-dbqa", file).text


def test_questions_with_tables_are_answered_like_a_file_of_them(tmp_path: Path) -> None:
    tables = [
        ("Rivers", ["River", "Length"], [["Arle", "210 km"]]),
        ("Mayors", ["Name"], [["Ada"]]),
    ]
    file = tmp_path / "rows.txt"
    file.write_text(
        "how long is the Arle?\tRivers\tRiver_|_Length\tArle_|_210 km\nhow long is the "
        "Arle?\tMayors\tName\tAda\n"
    )
    given = answer("nlpcc-tbqa", [("how long is the Arle?", tables)])
    assert (given.text, given.questions) == (
        answer("nlpcc-tbqa", file).text,
        answer("nlpcc-tbqa", file).questions,
    )


def test_texts_are_questions_of_a_knowledge_base(folder: Path) -> None:
    from answerer.formats.nlpcc_kbqa import read_questions as read_blocks

    questions = read_blocks(INPUTS["nlpcc-kbqa"][0])
    given = answer("nlpcc-kbqa", [one.text for one in questions], index=folder / "triples")
    file = answer("nlpcc-kbqa", *INPUTS["nlpcc-kbqa"], index=folder / "triples")
    assert list(given.answers.values()) == list(file.answers.values())


def test_questions_on_datasets_are_answered_like_a_file_of_them(folder: Path) -> None:
    file = INPUTS["datasearch-qa"][0]
    given = answer("datasearch-qa", read_questions(file), index=folder / "datasets")
    assert given == answer("datasearch-qa", file, index=folder / "datasets")


REFUSED: dict[str, Callable[[], object]] = {
    "answers: no such task; expected one of ntcir-mc": lambda: answer("answers"),
    "missing.xml: ": lambda: answer("ntcir-mc", "missing.xml"),
    "EXAM... is missing": lambda: answer("ntcir-mc"),
    "best: no such method; expected one of sum": lambda: answer("selqa", SELQA, method="best"),
    "k is 0: expected 1 or more": lambda: answer("ntcir-mc", EXAM, k=0),
    "answers is missing": lambda: answer(
        "ntcir-evaluation-method", str(SAMPLES / "essay-en.gold.xml")
    ),
    "no questions: give pairs": lambda: answer("selqa", []),
    "question 1: _|_ or _||_ in a cell": lambda: answer(
        "nlpcc-tbqa", [("who?", [("a", ["b"], [["c_|_d"]])])]
    ),
    "question 1: expected a pair of a question and its candidates, a list": lambda: answer(
        "selqa", [("who?", [])]
    ),
    "question 2: expected a pair of a question and its candidates": lambda: answer(
        "nlpcc-dbqa", [("谁？", ["他"]), (" ", ["她"])]
    ),
    "selqa: None is given: give a file, or questions": lambda: answer("selqa", None),
    "question 1: expected a pair of a question and its candidates": lambda: answer(
        "selqa", ["who?"]
    ),
    "question 2: expected a pair of a question": lambda: answer(
        "selqa", [("who?", ["he"]), ("who?", "he")]
    ),
    "question 3: expected a pair": lambda: answer(
        "selqa", [*[("who?", ["he"])] * 2, ("who?", [float("nan")])]
    ),
    "question 1: expected a pair of a question and its tables": lambda: answer(
        "nlpcc-tbqa", ["who?"]
    ),
    "question and its tables, each a caption": lambda: answer("nlpcc-tbqa", [("who?", ["Rivers"])]),
    "rows of cells, all texts": lambda: answer(
        "nlpcc-tbqa", [("who?", [("Rivers", ["km"], [[210]])])]
    ),
    "question 1: expected its id, its text": lambda: answer("datasearch-qa", [("Q1", "why?")]),
    "question 2 is no text": lambda: answer("nlpcc-kbqa", ["谁？", float("nan")]),
    "no tables: give pairs": lambda: answer("nlpcc-tbqa", []),
    "no questions: give texts": lambda: answer("nlpcc-kbqa", []),
}


def test_an_option_that_a_task_does_not_have_is_a_type_error() -> None:
    with pytest.raises(TypeError, match="'k'"):
        answer("selqa", SELQA, k=3)
    with pytest.raises(TypeError, match="positional"):
        answer("selqa", SELQA, SELQA)


def test_a_function_answers_an_exam(folder: Path) -> None:
    def first(questions: Sequence[ExamQuestion], *_: object) -> list[AnsweredQuestion]:
        return [
            AnsweredQuestion(
                question, question.choices[0].number, tuple(Verdict(0.0) for _ in question.choices)
            )
            for question in questions
        ]

    run = answer("ntcir-mc", EXAM, index=folder / "textbook", method=first)
    assert (run.method, run.answers["A1"]) == ("first", "1")
    weighed = answer(
        "ntcir-mc", EXAM, index=folder / "textbook", method=Method(first, {"alpha": 0})
    )
    assert (weighed.method, weighed.header["parameters"]) == ("first", {"k": 5, "alpha": 0})


@pytest.mark.parametrize("line", REFUSED)
def test_what_a_command_would_refuse_is_a_users_error(line: str) -> None:
    with pytest.raises(UserError) as refused:
        REFUSED[line]()
    assert line in str(refused.value)


def test_without_pandas_a_frame_says_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(
        UserError, match=r"^to_frame needs pandas, which is not installed: pip install pandas$"
    ):
        answer("selqa", [("who?", ["he"])]).to_frame()


def test_a_frame_has_a_row_for_each_question() -> None:
    pytest.importorskip("pandas")
    found = answer(
        "selqa", [("who built it?", ["rain", "he built it"]), ("when?", ["now"])]
    ).to_frame()
    assert list(found["answer"]) == ["1", "0"]
    assert list(found["candidates"]) == [2, 1]
