"""The submission tree: RUN_IDs, folders, and a description of what really ran."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from answerer.__main__ import main
from answerer.ntcir.submission import system_description
from indexer.files.errors import UserError


def a_run(
    folder: Path, task: str, name: str = "run", xml: str = "<answer_sheet/>", **header: object
) -> str:
    """A run file with its trace beside it."""
    said = {
        "task": task,
        "method": "ilp",
        "parameters": {"sheet": "qalab3-en-phase1-answersheet-essay.xml"},
        "engine": "embedded",
        "index": "textbook-en",
        "language": "en",
        "versions": {"tantivy": "1"},
    }
    lines = [{"run": said | header}, {"question_id": "D-1"}]
    (folder / f"{name}.jsonl").write_text(
        "".join(json.dumps(line) + "\n" for line in lines), "utf-8"
    )
    (folder / f"{name}.xml").write_text(xml, "utf-8")
    return str(folder / f"{name}.xml")


def two_sheets(folder: Path) -> list[str]:
    """Essays of one system for the sheets A and B, each with its trace."""
    return [
        a_run(
            folder,
            "ntcir-essay",
            sheet,
            f"<answer_sheet><!--{sheet}--></answer_sheet>",
            parameters={"sheet": f"{sheet}.xml"},
        )
        for sheet in ("A", "B")
    ]


def submit(folder: Path, *arguments: str) -> list[str]:
    """The files of the tree, by their paths in it."""
    out = folder / "submission"
    result = CliRunner().invoke(main, ["submit", *arguments, "-o", str(out)], standalone_mode=False)
    if result.exception is not None:
        raise result.exception
    return sorted(str(path.relative_to(out)) for path in out.rglob("*") if path.is_file())


def test_the_task_page_s_example(tmp_path: Path) -> None:
    runs = [a_run(tmp_path, "ntcir-essay", f"run{number}") for number in (1, 2)]
    topics = "qalab3-en-phase1-answersheet-essay_QALabOrganizers_e2e"
    assert submit(tmp_path, *runs, "--team", "QALabOrganizers") == [
        "phase1/essay/e2e/run1/README.md",
        f"phase1/essay/e2e/run1/{topics}_01.xml",
        "phase1/essay/e2e/run2/README.md",
        f"phase1/essay/e2e/run2/{topics}_02.xml",
    ]


@pytest.mark.parametrize(
    ("task", "xml", "path"),
    [
        ("ntcir-term", "<answer_sheet/>", "phase2/term/run3/T_X_term_03.xml"),
        ("ntcir-sheet", "<answer_sheet/>", "phase2/essay/e2e/run3/T_X_e2e_03.xml"),
        ("ntcir-extraction", "<TOPIC_SET/>", "phase2/essay/extraction/run3/T_X_extraction_03.xml"),
        (
            "ntcir-summarization",
            "<answer_sheet/>",
            "phase2/essay/summarization/run3/T_X_summarization_03.xml",
        ),
        (
            "ntcir-evaluation-method",
            "<TOPIC/>",
            "phase2/essay/evaluation_method/run3/T_X_evaluation-method_03.xml",
        ),
        ("ntcir-mc", '<answerTable filename="E"/>', "phase2/mutiple_choice/run3/T_X_EN_03.xml"),
    ],
)
def test_every_task_has_its_folder_and_run_type(
    tmp_path: Path, task: str, xml: str, path: str
) -> None:
    run = a_run(tmp_path, task, xml=xml)
    files = submit(
        tmp_path, run, "--team", "X", "--phase", "2", "--priority", "3", "--topics", "T.xml"
    )
    assert path in files


def test_answer_tables_are_named_by_their_exams(tmp_path: Path) -> None:
    tables = tmp_path / "tables"
    tables.mkdir()
    for name in ("Center-1997", "Center-1999"):
        (tables / f"{name}_x.xml").write_text(f'<answerTable filename="{name}"/>', "utf-8")
    a_run(tmp_path, "ntcir-mc", "tables")
    files = submit(
        tmp_path, str(tables), "--team", "Q", "--correct-names", "--phase", "research_run"
    )
    assert files == [
        "research_run/multiple_choice/run1/Center-1997_Q_EN_01.xml",
        "research_run/multiple_choice/run1/Center-1999_Q_EN_01.xml",
        "research_run/multiple_choice/run1/README.md",
    ]


def test_the_description_says_what_ran(tmp_path: Path) -> None:
    run = a_run(
        tmp_path,
        "ntcir-extraction",
        xml="<TOPIC/>",
        parameters={
            "sheet": "s.xml",
            "source_type": "PARTICIPANT",
            "sources": ["our-book.txt"],
            "unit": "sentence",
        },
    )
    submit(tmp_path, run, "--team", "Q")
    said = (tmp_path / "submission/phase1/essay/extraction/run1/README.md").read_text("utf-8")
    for line in (
        "* Run: s_Q_extraction_01",
        "* Task: ntcir-extraction",
        "* Method: ilp",
        "* Index: textbook-en",
        "* Retrieval engine: embedded",
        "* unit: sentence",
        "* tantivy: 1",
        "* our-book.txt",
    ):
        assert line in said.splitlines()


@pytest.mark.parametrize(
    ("task", "xml", "message"),
    [
        ("kbqa", "<answer_sheet/>", "a trace of kbqa"),
        ("ntcir-essay", "<TOPIC/>", "the root element is <TOPIC>"),
    ],
)
def test_a_run_of_another_task_is_refused(
    tmp_path: Path, task: str, xml: str, message: str
) -> None:
    with pytest.raises(UserError, match=message):
        submit(tmp_path, a_run(tmp_path, task, xml=xml), "--team", "Q")
    assert not (tmp_path / "submission").exists()


def test_runs_need_traces_and_teams_names(tmp_path: Path) -> None:
    run = a_run(tmp_path, "ntcir-essay")
    with pytest.raises(UserError, match="1 runs and 2 traces"):
        submit(tmp_path, run, "--team", "Q", "--trace", str(run), "--trace", str(run))
    with pytest.raises(UserError, match="our team"):
        submit(tmp_path, run, "--team", "our team")
    (tmp_path / "run.jsonl").unlink()
    with pytest.raises(UserError, match=r"run.xml: .*run.jsonl"):
        submit(tmp_path, run, "--team", "Q")


def test_several_sheets_of_one_system_are_one_run(tmp_path: Path) -> None:
    files = submit(tmp_path, *two_sheets(tmp_path), "--team", "Q")
    assert files == [
        f"phase1/essay/e2e/run1/{name}"
        for name in ("A_Q_e2e_01.xml", "B_Q_e2e_01.xml", "README.md")
    ]
    said = (tmp_path / "submission/phase1/essay/e2e/run1/README.md").read_text("utf-8")
    assert "* Run: A_Q_e2e_01\n* Run: B_Q_e2e_01\n" in said


def test_a_folder_of_sheets_takes_the_trace_beside_each(tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    runs.mkdir()
    two_sheets(runs)
    submit(tmp_path, str(runs), "--team", "Q")
    folder = tmp_path / "submission/phase1/essay/e2e/run1"
    assert "<!--A-->" in (folder / "A_Q_e2e_01.xml").read_text("utf-8")
    assert "<!--B-->" in (folder / "B_Q_e2e_01.xml").read_text("utf-8")


def test_one_trace_for_two_sheets_is_refused(tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    runs.mkdir()
    a_run(tmp_path, "ntcir-essay", "runs")
    for sheet in ("A", "B"):
        (runs / f"{sheet}.xml").write_text("<answer_sheet/>", "utf-8")
    with pytest.raises(UserError, match=r"A.xml .*B.xml .*qalab3-en-phase1-answersheet-essay"):
        submit(tmp_path, str(runs), "--team", "Q")


def test_other_parameters_are_another_system(tmp_path: Path) -> None:
    a_run(tmp_path, "ntcir-essay", "A", parameters={"sheet": "A.xml", "model": "default"})
    a_run(tmp_path, "ntcir-essay", "B", parameters={"sheet": "B.xml", "model": "other"})
    files = submit(tmp_path, str(tmp_path / "A.xml"), str(tmp_path / "B.xml"), "--team", "Q")
    assert [file for file in files if file.endswith(".xml")] == [
        "phase1/essay/e2e/run1/A_Q_e2e_01.xml",
        "phase1/essay/e2e/run2/B_Q_e2e_02.xml",
    ]


def test_runs_of_several_priorities_stand_side_by_side(tmp_path: Path) -> None:
    run = a_run(tmp_path, "ntcir-essay")
    first = submit(tmp_path, run, "--team", "Q")
    before = (tmp_path / "submission/phase1/essay/e2e/run1/README.md").read_bytes()
    both = submit(tmp_path, run, "--team", "Q", "--priority", "2")
    assert set(both) - set(first) == {
        "phase1/essay/e2e/run2/README.md",
        "phase1/essay/e2e/run2/qalab3-en-phase1-answersheet-essay_Q_e2e_02.xml",
    }
    assert (tmp_path / "submission/phase1/essay/e2e/run1/README.md").read_bytes() == before


def test_nothing_is_overwritten_unless_told(tmp_path: Path) -> None:
    one, other = two_sheets(tmp_path)
    submit(tmp_path, one, "--team", "Q")
    with pytest.raises(UserError, match="run1"):
        submit(tmp_path, other, "--team", "Q")
    files = submit(tmp_path, other, "--team", "Q", "--replace")
    assert files == ["phase1/essay/e2e/run1/B_Q_e2e_01.xml", "phase1/essay/e2e/run1/README.md"]


def test_names_inside_files_follow_the_tree(tmp_path: Path) -> None:
    parameters = {"sheet": "S.xml"}
    a_run(tmp_path, "ntcir-extraction", "found", "<TOPIC/>", parameters=parameters)
    a_run(
        tmp_path,
        "ntcir-summarization",
        "short",
        '<answer_sheet ver="0.1"  src="found.xml"/>',
        parameters=parameters,
    )
    judged = '<TOPIC><ANSWER FILE_NAME="short.xml"/><ANSWER FILE_NAME="other.xml"/></TOPIC>'
    a_run(tmp_path, "ntcir-evaluation-method", "judged", judged, parameters={"gold": "G.xml"})
    submit(
        tmp_path,
        *(str(tmp_path / f"{name}.xml") for name in ("found", "short", "judged")),
        "--team",
        "Q",
    )
    essays = tmp_path / "submission/phase1/essay"
    assert (essays / "summarization/run1/S_Q_summarization_01.xml").read_text("utf-8") == (
        '<answer_sheet ver="0.1"  src="S_Q_extraction_01.xml"/>'
    )
    assert (essays / "evaluation_method/run1/G_Q_evaluation-method_01.xml").read_text("utf-8") == (
        '<TOPIC><ANSWER FILE_NAME="S_Q_summarization_01.xml"/><ANSWER '
        'FILE_NAME="other.xml"/></TOPIC>'
    )


@pytest.mark.parametrize("name", ["../../../X", "/etc/X", "a/b", "a\\b", ".hidden", "a\nb"])
def test_a_name_read_from_a_file_never_leads_outside(tmp_path: Path, name: str) -> None:
    (tmp_path / "deep" / "er").mkdir(parents=True)
    run = a_run(tmp_path / "deep" / "er", "ntcir-essay", parameters={"sheet": f"{name}.xml"})
    with pytest.raises(UserError, match="--topics"):
        submit(tmp_path / "deep" / "er", run, "--team", "Q")
    assert sorted(path.name for path in tmp_path.rglob("*") if path.is_file()) == [
        "run.jsonl",
        "run.xml",
    ]


def test_the_description_names_the_books_of_the_index() -> None:
    header = {"corpus": {"sources": [["/a/book-1.txt", 1200], ["/b/book-2.pdf", 7]]}}
    said = system_description({"task": "ntcir-mc", **header}, ["x"], "T").splitlines()
    at = said.index("## Indexed texts")
    assert said[at + 2 : at + 4] == ["* book-1.txt (1,200 bytes)", "* book-2.pdf (7 bytes)"]


def test_a_run_of_another_task_is_told_that_there_is_no_tree_for_it(tmp_path: Path) -> None:
    (tmp_path / "scores.txt").write_text("0.5\n0.25\n")
    with pytest.raises(UserError, match=r"scores.txt: not XML, as runs of NTCIR QA Lab are"):
        submit(tmp_path, str(tmp_path / "scores.txt"), "--team", "Q")
