"""The submission tree: RUN_IDs, folders, and a description of what really ran."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from answerer.__main__ import main
from indexer.files.errors import UserError


def a_run(folder: Path, task: str, name: str = "run", xml: str = "<answer_sheet/>", **header: object) -> str:
    """A run file with its trace beside it."""
    said = {"task": task, "method": "ilp", "parameters": {"sheet": "qalab3-en-phase1-answersheet-essay.xml"},
            "engine": "embedded", "index": "textbook-en", "language": "en", "versions": {"tantivy": "1"}}  # fmt: skip
    lines = [{"run": said | header}, {"question_id": "D-1"}]
    (folder / f"{name}.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    (folder / f"{name}.xml").write_text(xml, "utf-8")
    return str(folder / f"{name}.xml")


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
        ("ntcir-term", "<answer_sheet/>", "phase2/term/run1/T_X_term_03.xml"),
        ("ntcir-sheet", "<answer_sheet/>", "phase2/essay/e2e/run1/T_X_e2e_03.xml"),
        ("ntcir-extraction", "<TOPIC_SET/>", "phase2/essay/extraction/run1/T_X_extraction_03.xml"),
        ("ntcir-summarization", "<answer_sheet/>", "phase2/essay/summarization/run1/T_X_summarization_03.xml"),
        ("ntcir-evaluation-method", "<TOPIC/>", "phase2/essay/evaluation_method/run1/T_X_evaluation-method_03.xml"),
        ("ntcir-mc", '<answerTable filename="E"/>', "phase2/mutiple_choice/run1/T_X_EN_03.xml"),
    ],
)
def test_every_task_has_its_folder_and_run_type(tmp_path: Path, task: str, xml: str, path: str) -> None:
    run = a_run(tmp_path, task, xml=xml)
    files = submit(tmp_path, run, "--team", "X", "--phase", "2", "--priority", "3", "--topics", "T.xml")
    assert path in files


def test_answer_tables_are_named_by_their_exams(tmp_path: Path) -> None:
    tables = tmp_path / "tables"
    tables.mkdir()
    for name in ("Center-1997", "Center-1999"):
        (tables / f"{name}_x.xml").write_text(f'<answerTable filename="{name}"/>', "utf-8")
    a_run(tmp_path, "ntcir-mc", "tables")
    files = submit(tmp_path, str(tables), "--team", "Q", "--correct-names", "--phase", "research_run")
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
        parameters={"sheet": "s.xml", "source_type": "PARTICIPANT", "sources": ["our-book.txt"], "unit": "sentence"},
    )
    submit(tmp_path, run, "--team", "Q")
    said = (tmp_path / "submission/phase1/essay/extraction/run1/README.md").read_text("utf-8")
    for line in ("* Run: s_Q_extraction_01", "* Task: ntcir-extraction", "* Method: ilp", "* Index: textbook-en",
                 "* Retrieval engine: embedded", "* unit: sentence", "* tantivy: 1", "* our-book.txt"):  # fmt: skip
        assert line in said.splitlines()


@pytest.mark.parametrize(
    ("task", "xml", "message"),
    [
        ("kbqa", "<answer_sheet/>", "a trace of kbqa; submissions are made of ntcir-mc"),
        ("ntcir-essay", "<TOPIC/>", "the root element is <TOPIC>"),
    ],
)
def test_a_run_that_is_none_is_refused(tmp_path: Path, task: str, xml: str, message: str) -> None:
    with pytest.raises(UserError, match=message):
        submit(tmp_path, a_run(tmp_path, task, xml=xml), "--team", "Q")
    assert not (tmp_path / "submission").exists()


def test_runs_need_traces_and_teams_names(tmp_path: Path) -> None:
    run = a_run(tmp_path, "ntcir-essay")
    with pytest.raises(UserError, match="1 runs and 2 traces"):
        submit(tmp_path, run, "--team", "Q", "--trace", "a", "--trace", "b")
    with pytest.raises(UserError, match="a team's id has letters"):
        submit(tmp_path, run, "--team", "our team")
    (tmp_path / "run.jsonl").unlink()
    with pytest.raises(UserError, match=r"run.xml: no run.jsonl beside it; write one with --trace"):
        submit(tmp_path, run, "--team", "Q")
