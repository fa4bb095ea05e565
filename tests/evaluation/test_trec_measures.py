"""`python -m evaluation trec`: TREC runs by ir_measures, and our own figures beside them."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from evaluation import compare, read_run, score
from indexer.files.errors import UserError
from retriever import Rankings
from tests.places import SAMPLES
from tests.programs import done, figures, json_lines, refused, run
from tests.refusals import names

QRELS = "1 0 a 1\n1 0 b 0\n1 0 c 1\n2 0 a 1\n"
RUN = "1 Q0 a 1 3.5 ours\n1 Q0 b 2 2.5 ours\n1 Q0 c 3 1.5 ours\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("qrels.txt").write_text(QRELS)
    Path("run.txt").write_text(RUN)
    return tmp_path


def rows(*words: str) -> list[dict[str, object]]:
    return figures("trec", *words)


def test_measures_by_hand_over_all_queries_of_the_qrels(folder: Path) -> None:
    """Query 1 has its right documents at ranks 1 and 3; query 2 is not in the run."""
    first, second = rows("qrels.txt", "run.txt", "-m", "AP RR", "-m", "nDCG@10 P@2", "-q")
    ideal = 1 / math.log2(2) + 1 / math.log2(3)
    assert first == {
        "query": "1",
        "AP": pytest.approx((1 / 1 + 2 / 3) / 2),
        "RR": 1.0,
        "nDCG@10": pytest.approx((1 / math.log2(2) + 1 / math.log2(4)) / ideal),
        "P@2": 1 / 2,
    }
    assert second == {"query": "2", "AP": 0.0, "RR": 0.0, "nDCG@10": 0.0, "P@2": 0.0}
    (whole,) = rows("qrels.txt", "run.txt", "-m", "AP RR")
    assert whole == {"queries": 2, "AP": pytest.approx(5 / 12), "RR": 0.5}
    warning = run("evaluation", "trec", "qrels.txt", "run.txt").err
    assert names(warning.removeprefix("warning: "), "run.txt")
    assert warning.endswith(": 2\n")


def test_several_runs_are_rows_and_intervals_are_of_the_queries(folder: Path) -> None:
    found = rows("qrels.txt", "run.txt", "run.txt", "-m", "RR", "--interval")
    assert [(row["run"], row["RR"], row["RR low"], row["RR high"]) for row in found] == [
        ("run.txt", 0.5, 0.0, 1.0)
    ] * 2


def test_intervals_are_not_of_single_queries(folder: Path) -> None:
    said = refused("evaluation", "trec", "qrels.txt", "run.txt", "-q", "--interval")
    assert said.startswith("-q and --interval:")


@pytest.mark.process
def test_a_measure_of_gdeval_takes_ids_that_are_no_numbers(folder: Path) -> None:
    """ERR of a right document (grade 1 of at most 4) at rank 1 is (2 ** 1 - 1) / 2 ** 4."""
    Path("qrels.txt").write_text("DS2-QA-E-1001 0 a 1\n")
    Path("run.txt").write_text("DS2-QA-E-1001 Q0 a 1 3.5 ours\n")
    assert rows("qrels.txt", "run.txt", "-m", "ERR@20", "-q") == [
        {"query": "DS2-QA-E-1001", "ERR@20": pytest.approx(1 / 16, abs=1e-4)}
    ]


def test_the_header_of_a_run_is_passed_over(folder: Path) -> None:
    Path("told.txt").write_text(f"# ir_metadata.start\n# tag: ours\n# ir_metadata.end\n{RUN}")
    assert rows("qrels.txt", "told.txt") == rows("qrels.txt", "run.txt")


@pytest.mark.parametrize(
    ("name", "text", "line", "named"),
    [
        ("qrels.txt", "1 0 a\n", 1, "'1 0 a'"),
        ("qrels.txt", "1 Q0 a 1 2 t\n", 1, "the qrels come first"),
        ("run.txt", "1 0 a 1\n", 1, "the qrels come first"),
        ("qrels.txt", "1 0 a yes\n", 1, "yes'"),
        ("qrels.txt", "1 0 a --5\n", 1, "--5'"),
        ("qrels.txt", "1 0 a 1\n1 0 a 0\n", 2, "query 1"),
        ("qrels.txt", "\n", None, ""),
        ("run.txt", "1 Q0 a 1 nan t\n", 1, "nan t'"),
        ("run.txt", "1 Q0 a 1 1_0 t\n", 1, "1_0 t'"),
        ("run.txt", "1 Q0 a 1 2 t\n1 Q0 a 2 1 t\n", 2, "query 1"),
        ("run.txt", "# late\n1 Q0 a 1 2 t\n# comment\n", 3, "# comment"),
        ("run.txt", "9 Q0 a 1 2 t\n", None, "qrels.txt"),
    ],
)
def test_a_bad_line_is_named(
    folder: Path, name: str, text: str, line: int | None, named: str
) -> None:
    Path(name).write_text(text)
    refusal = refused("evaluation", "trec", "qrels.txt", "run.txt")
    assert names(refusal, name, line)
    assert named in refusal


def test_doc_ids_of_another_collection_are_suspected(folder: Path) -> None:
    """In one of two queries, more than a third; of three it is not."""
    asked = "none of the documents is judged in qrels.txt in 1 of 2 queries"
    Path("run.txt").write_text("1 Q0 other 1 2 t\n2 Q0 a 1 2 t\n")
    assert asked in warnings()
    Path("qrels.txt").write_text(f"{QRELS}3 0 a 1\n")
    Path("run.txt").write_text("1 Q0 other 1 2 t\n2 Q0 a 1 2 t\n3 Q0 a 1 2 t\n")
    assert "is judged" not in warnings()


def warnings() -> str:
    return run("evaluation", "trec", "qrels.txt", "run.txt").err


def test_equal_scores_are_a_warning_of_their_order(folder: Path) -> None:
    Path("run.txt").write_text("1 Q0 a 1 1 t\n1 Q0 b 2 1 t\n2 Q0 a 1 1 t\n")
    assert "warning: run.txt: equal scores in 1 of 2 queries: ordered by falling doc_id" in (
        warnings()
    )


@pytest.mark.parametrize(
    ("lines", "queries"),
    [
        ("1 Q0 a 1 1 t\n1 Q0 b 2 2 t\n2 Q0 a 1 9 t\n", 1),  # score = rank
        ("1 Q0 b 2 2 t\n1 Q0 a 1 1 t\n2 Q0 a 1 1 t\n2 Q0 b 2 2 t\n", 2),
        ("1 Q0 b 2 1 t\n1 Q0 a 1 2 t\n2 Q0 a 3 3 t\n", 0),  # in another order, in accord
        ("1 Q0 b 0 1 t\n1 Q0 a 0 2 t\n", 0),  # without ranks
    ],
)
def test_ranks_that_contradict_the_scores_are_told(folder: Path, lines: str, queries: int) -> None:
    Path("run.txt").write_text(lines)
    asked = f"warning: run.txt: ranks contradict scores in {queries} of 2 queries"
    assert (asked in warnings()) == bool(queries)
    assert ("ranks contradict" in warnings()) == bool(queries)


@pytest.mark.parametrize("text", ["", "# a header alone\n"])
def test_an_empty_run_scores_0_on_every_query(folder: Path, text: str) -> None:
    Path("run.txt").write_text(text)
    assert rows("qrels.txt", "run.txt", "-m", "AP P@1") == [{"queries": 2, "AP": 0.0, "P@1": 0.0}]
    assert "no answer to 2 of 2 queries, which score 0" in warnings()
    assert score("trec", "qrels.txt", Rankings({}), measures="AP").rows == [
        {"queries": 2, "AP": 0.0}
    ]


def test_queries_without_a_relevant_document_are_told(folder: Path) -> None:
    Path("qrels.txt").write_text("1 0 a 1\n2 0 a 0\n3 0 a -1\n")
    assert "warning: qrels.txt: no relevant document, which counts 0: 2 of 3 queries: 2, 3" in (
        warnings()
    )


def test_queries_without_qrels_are_told_once_for_all_runs(folder: Path) -> None:
    Path("run.txt").write_text("1 Q0 a 1 2 t\n3 Q0 a 1 2 t\n")
    Path("other.txt").write_text("1 Q0 b 1 2 t\n3 Q0 a 1 2 t\n")
    ended = run("evaluation", "compare", "trec", "qrels.txt", "run.txt", "other.txt")
    assert ended.err.count("no gold for 1 of the queries") == 1


@pytest.mark.parametrize(
    "name", ["nonsense", "P", "nDCG@", "nDCG@x", "nDCG(foo=3)@10", "__import__('os')"]
)
def test_what_is_no_measure_is_refused(folder: Path, name: str) -> None:
    assert f"-m {name}: not a measure" in refused(
        "evaluation", "trec", "qrels.txt", "run.txt", "-m", name
    )


@pytest.mark.parametrize(
    "name", ["P@0", "nDCG@99999999999999999999", "ERR@0", "P(rel=0)@1", "SetF(beta=1e999)"]
)
def test_a_number_that_the_programs_behind_abort_on_is_refused(folder: Path, name: str) -> None:
    assert f"-m {name}: the numbers of a measure" in refused(
        "evaluation", "trec", "qrels.txt", "run.txt", "-m", name
    )


@pytest.mark.parametrize("task", ["nlpcc-dbqa", "nlpcc-tbqa", "selqa"])
def test_our_figures_are_those_of_ir_measures_where_no_scores_tie(folder: Path, task: str) -> None:
    """RR, AP and P@1 of an exported run are our MRR, MAP and Accuracy@1."""
    dev = str(next(SAMPLES.glob(f"{task.removeprefix('nlpcc-')}.dev.*")))
    done("answerer", task, dev, "-o", "scores", "--method", "sum")
    untied("scores", task)
    gold = [] if task == "selqa" else [dev]
    ours = run("evaluation", task, *gold, "scores", "--ties", "file", "--format", "jsonl").out
    done("evaluation", "export", task, dev, "scores", "--qrels", "q", "--run", "r")
    own, (theirs,) = json.loads(ours.splitlines()[0]), rows("q", "r", "-m", "RR AP P@1")
    pairs = (("RR", "MRR"), ("AP", "MAP"), ("P@1", "Accuracy@1"))
    assert [theirs[name] for name, _ in pairs] == pytest.approx([own[name] for _, name in pairs])


def untied(path: str, task: str) -> None:
    """Move every score a little by its place, so that no two are equal."""
    text = Path(path).read_text("utf-8")
    if task != "selqa":
        moved = (
            f"{float(line) - place * 1e-6:.9g}\n" for place, line in enumerate(text.splitlines())
        )
        Path(path).write_text("".join(moved))
        return
    objects = json_lines(text) if not text.startswith("[") else json.loads(text)
    for one in objects:
        one["results"] = [
            max(score - place * 1e-6, 0.0) + 1e-9 * (9 - place)
            for place, score in enumerate(one["results"])
        ]
    Path(path).write_text(json.dumps(objects))


def test_python_scores_rankings_and_their_file_alike(tmp_path: Path) -> None:
    qrels = tmp_path / "qrels.txt"
    qrels.write_text("q1 0 d1 1\nq2 0 d2 1\n", "utf-8")
    # q1: the right document is second, RR 1/2; q2: first, 1
    rankings = Rankings(q1=[("d9", 2.0), ("d1", 1.0)], q2=[("d2", 3.0)])
    run = tmp_path / "run.txt"
    run.write_text(rankings.to_trec(), "utf-8")
    for either in (rankings, run):
        figures = score("trec", qrels, either, measures="RR P@1")
        assert figures.rows == [{"queries": 2, "P@1": 0.5, "RR": 0.75}]
        assert figures.by_question[0] == {"query": "q1", "RR": 0.5, "P@1": 0.0}


def test_a_run_is_read_back(folder: Path) -> None:
    rankings = Rankings(q2=[("b", 3.0), ("a", 0.1)], q1=[("a", 1e-7)])
    Path("back.txt").write_text(rankings.to_trec())
    assert (read_run("back.txt"), list(read_run("back.txt"))) == (rankings, ["q2", "q1"])
    assert isinstance(read_run(Path("back.txt")), Rankings)
    Path("back.txt").write_text("q1 Q0 a 1 best t\n")
    with pytest.raises(UserError, match=r"back.txt:1: .*expected QUERY_ID Q0"):
        read_run("back.txt")


def test_rankings_out_of_order_are_scored_by_their_scores(tmp_path: Path) -> None:
    """The right document has the second best score, and stands last."""
    (tmp_path / "qrels.txt").write_text("q1 0 d1 1\n", "utf-8")
    rankings = Rankings(q1=[("d8", 1.0), ("d9", 3.0), ("d1", 2.0)])
    figures = score("trec", tmp_path / "qrels.txt", rankings, measures=["RR", "P@1"])
    assert figures.rows == [{"queries": 1, "P@1": 0.0, "RR": 0.5}]
    with pytest.raises(UserError, match="Rankings"):
        score("trec", tmp_path / "qrels.txt", dict(rankings))


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("map", "AP"),
        ("ndcg_cut_10", "nDCG@10"),
        ("P_10", "P@10"),
        ("recip_rank", "RR"),
        ("mrr", "RR"),
    ],
)
def test_a_name_of_trec_eval_has_its_equal_named(folder: Path, name: str, meant: str) -> None:
    said = refused("evaluation", "trec", "qrels.txt", "run.txt", "-m", name)
    assert said.endswith(f"did you mean {meant}?")


def test_commas_part_measures(folder: Path) -> None:
    (row,) = rows("qrels.txt", "run.txt", "-m", "AP,P(rel=1)@2, RR")
    assert set(row) == {"queries", "AP", "P@2", "RR"}


def test_topics_under_other_ids_are_told_of_renumber(folder: Path) -> None:
    """Two queries in each, of which one id is the same."""
    Path("run.txt").write_text("1 Q0 a 1 2 t\n4 Q0 a 1 2 t\n")
    assert "--renumber" in run("evaluation", "trec", "qrels.txt", "run.txt").err


def test_python_compares_rankings_by_a_measure(tmp_path: Path) -> None:
    qrels = tmp_path / "qrels.txt"
    qrels.write_text("q1 0 d1 1\n", "utf-8")
    first, second = Rankings(q1=[("d1", 1.0)]), Rankings(q1=[("d9", 2.0), ("d1", 1.0)])
    for chosen in ({"measure": "RR"}, {"measures": ["RR"]}):
        figures = compare("trec", qrels, first, second, **chosen)
        assert [row["mean"] for row in figures.rows] == [1.0, 0.5]
        assert [row["run"] for row in figures.rows] == ["run", "run (2)"]


def test_python_names_the_runs_that_it_compares(folder: Path) -> None:
    better = Rankings({"1": [("a", 2.0), ("c", 1.0)], "2": [("a", 1.0)]})
    figures = compare("trec", "qrels.txt", {"bm25": "run.txt", "rm3": better}, measure="P@1")
    assert [(row["run"], row["mean"]) for row in figures.rows] == [("bm25", 0.5), ("rm3", 1.0)]
    with pytest.raises(UserError, match="one run: expected at least two"):
        compare("trec", "qrels.txt", {"bm25": "run.txt"})
    with pytest.raises(UserError, match=r"names of runs\[0\]: expected a text, not int"):
        compare("trec", "qrels.txt", {1: "run.txt", 2: better})  # type: ignore[dict-item]
