"""`evaluation export --trace`: the candidates of tasks that find their answers, as a TREC run with
qrels."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.answerer.formats.sheets import section, sheet
from tests.answerer.formats.sheets import write as write_sheet
from tests.places import SAMPLES
from tests.programs import done, figures, refused
from tests.refusals import names


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def exported(task: str, gold: object) -> tuple[list[list[str]], list[list[str]]]:
    """The cells of the lines of qrels and run, exported from the files `run` and `trace`."""
    words = ("--trace", "trace", "--qrels", "qrels", "--run", "trec")
    done("evaluation", "export", task, gold, "run", *words)
    qrels, run = (
        [line.split() for line in Path(name).read_text().splitlines()] for name in ("qrels", "trec")
    )
    return qrels, run


def right_at_rank_1(task: str, gold: Path) -> float:
    judged, run = exported(task, gold)
    right = {(query_id, doc_id) for query_id, _, doc_id, _ in judged}
    first = [(query_id, doc_id) for query_id, _, doc_id, rank, *_ in run if rank == "1"]
    return sum(one in right for one in first) / len({line[0] for line in judged})


def share_right(task: str, gold: Path) -> float:
    rows = figures(task, gold, "run", "-q")
    return sum(row["gold"] == row["system"] for row in rows) / len(rows)


@pytest.mark.parametrize("method", ["slqal", "names"])
def test_the_best_choice_is_the_run_s_answer_whether_true_or_false_is_asked(
    folder: Path, sample_book: str, method: str
) -> None:
    """What stands first in the exported run is the answer, also where the lowest score wins (F)."""
    gold = SAMPLES / "sample-exam-en.gold.xml"
    words = ("--index", sample_book, "--method", method, "-o", "run", "--trace", "trace")
    done("answerer", "ntcir-mc", SAMPLES / "sample-exam-en.xml", *words)
    assert right_at_rank_1("ntcir-mc", gold) == pytest.approx(share_right("ntcir-mc", gold))
    first = Path("qrels").read_text().splitlines()[0].split()
    assert first[0] == "sample-exam-en/A1"
    assert first[2].startswith("sample-exam-en/A1-")


def test_facts_and_cells_are_named_by_their_texts(folder: Path) -> None:
    done("indexer", "triples", SAMPLES / "triples-zh.kb", "--index", "facts/")
    gold = SAMPLES / "kbqa-zh.txt"
    done("answerer", "nlpcc-kbqa", gold, "--index", "facts/", "-o", "run", "--trace", "trace")
    at_1 = right_at_rank_1("nlpcc-kbqa", gold)
    ours = {row["measure"]: row["value"] for row in figures("nlpcc-kbqa", gold, "run")}
    assert at_1 == pytest.approx(ours["Accuracy@1"], abs=1e-4)


def test_a_term_is_right_once_in_whatever_spelling(folder: Path) -> None:
    asked = {"kind": "term_person", "match": "exact", "limit": "-1"}
    texts = {"gold": ("James Watt", "Watt", "J. Watt"), "run": ("Watt",)}
    for name, expressions in texts.items():
        write_sheet(folder, sheet(section("S", expressions=expressions, **asked)), name)  # type: ignore[arg-type]
    write("trace", row("S", [("ｗatt", 0.9), ("Newton", 0.5)]))
    (right,), (first, other) = exported("ntcir-term", "gold")
    assert right[2] == first[2] != other[2]


def write(name: str, *rows: dict[str, object]) -> None:
    Path(name).write_text(
        "".join(json.dumps(row) + "\n" for row in ({"run": {"task": "datasearch-qa"}}, *rows))
    )


def row(question: str, candidates: Sequence[tuple[str, float]]) -> dict[str, object]:
    listed = [
        {"id": str(n), "text": text, "score": score}
        for n, (text, score) in enumerate(candidates, 1)
    ]
    return {"question_id": question, "system": candidates[0][0], "asks": None, "candidates": listed}


def test_doc_ids_are_the_same_in_every_run_and_equal_texts_are_one(folder: Path) -> None:
    Path("gold").write_text("Q 1\t42\nQ 2\tnone\n")
    Path("run").write_text("<SYSDESC>x</SYSDESC>\nQ 1\t41\nQ 2\ta\n")
    lines = []
    for candidates in ([("41", 0.5), ("42", 0.4), ("42", 0.1)], [("42", 0.9)]):
        write("trace", row("Q 1", candidates), row("Q 2", [("a", 1.0)]))
        qrels, run = exported("datasearch-qa", "gold")
        lines.append(run)
    right = qrels[0][2]
    assert [(line[0], line[3], line[4]) for line in lines[0]] == [
        ("Q_1", "1", "0.5"),
        ("Q_1", "2", "0.4"),
        ("Q_2", "1", "1"),
    ]
    assert lines[0][1][2] == lines[1][0][2] == right


def test_what_is_no_trace_of_candidates_is_refused(folder: Path) -> None:
    Path("gold").write_text("Q1\t42\n")
    Path("run").write_text("<SYSDESC>x</SYSDESC>\nQ1\t41\n")
    words = ("evaluation", "export", "datasearch-qa", "gold", "run", "--qrels", "q")
    assert "--trace" in refused(*words)
    write("trace", {"question_id": "Q1", "candidates": []})
    assert names(refused(*words, "--trace", "trace"), "trace")
    write("other", row("Q7", [("a", 1.0)]))
    assert names(refused(*words, "--trace", "other"), "other")
    write(
        "broken",
        {**row("Q1", [("a", 1.0)]), "candidates": [{"id": "1", "text": "a", "score": "1"}]},
    )
    assert names(refused(*words, "--trace", "broken"), "broken", 2)
