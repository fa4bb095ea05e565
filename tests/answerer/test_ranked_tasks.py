"""nlpcc-dbqa, nlpcc-tbqa and selqa as a user runs them: answer, train, answer with the model,
evaluate, export."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from answerer.__main__ import main as answerer
from answerer.formats.ranked_results import read_results
from evaluation.__main__ import main as evaluation
from evaluation.scoring import score
from indexer.files.errors import UserError
from tests.places import SAMPLES
from tests.programs import figures, invoked, json_lines
from tests.refusals import raises_at

TASKS = {"nlpcc-dbqa": "dbqa.{}.txt", "nlpcc-tbqa": "tbqa.{}.txt", "selqa": "selqa.{}.json"}
QUESTIONS = {"nlpcc-dbqa": 6, "nlpcc-tbqa": 6, "selqa": 7}


def sample(task: str, part: str) -> Path:
    return SAMPLES / TASKS[task].format(part)


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model of each task, trained on its development sample."""
    folder = tmp_path_factory.mktemp("models")
    for task in TASKS:
        invoked(answerer, "train", task, sample(task, "dev"), "-o", folder / task, "--folds", 3)
    return folder


def measured(task: str, gold: Path, out: Path, *options: object) -> dict[str, str]:
    """The first row of the evaluation."""
    files = [out, "--mrr", out.with_suffix(".mrr")] if task == "selqa" else [gold, out]
    return json.loads(
        invoked(evaluation, task, *files, "--format", "jsonl", *options).stdout.splitlines()[0]
    )  # type: ignore[no-any-return]


@pytest.mark.parametrize("task", ["nlpcc-dbqa", "nlpcc-tbqa"])
def test_a_test_file_gets_one_score_a_line(task: str) -> None:
    lines = invoked(answerer, task, sample(task, "test")).stdout.splitlines()
    assert len(lines) == len(sample(task, "test").read_text("utf-8").splitlines())
    assert all(float(line) == float(line) for line in lines)


def test_labels_are_not_looked_at(tmp_path: Path) -> None:
    rows = [
        line.split("\t") for line in sample("nlpcc-dbqa", "dev").read_text("utf-8").splitlines()
    ]
    (tmp_path / "plain.txt").write_text(
        "".join(f"{question}\t{text}\n" for question, text, _ in rows), "utf-8"
    )
    labelled = invoked(answerer, "nlpcc-dbqa", sample("nlpcc-dbqa", "dev")).stdout
    assert invoked(answerer, "nlpcc-dbqa", tmp_path / "plain.txt").stdout == labelled


def test_selqa_results_are_probabilities_and_0_for_an_empty_sentence() -> None:
    for row in json.loads(invoked(answerer, "selqa", sample("selqa", "test")).stdout):
        assert len(row["results"]) == len(row["sentences"])
        assert sum(row["results"]) == pytest.approx(1, abs=1e-4)
        assert [number == 0 for number in row["results"]] == [not text for text in row["sentences"]]


@pytest.mark.parametrize("task", TASKS)
def test_a_model_that_has_seen_the_file_says_so_once(
    task: str, models: Path, tmp_path: Path
) -> None:
    seen = tmp_path / sample(task, "dev").name  # the same bytes under another path
    seen.write_bytes(sample(task, "dev").read_bytes())
    said = invoked(answerer, task, seen, "--model", models / task, "-o", tmp_path / "out").stderr
    assert said.count(f"{models / task} was trained on this very file") == 1
    assert (
        "trained on"
        not in invoked(answerer, task, sample(task, "test"), "--model", models / task).stderr
    )


@pytest.mark.parametrize("task", TASKS)
def test_the_same_command_writes_the_same_bytes(task: str, models: Path, tmp_path: Path) -> None:
    invoked(answerer, "train", task, sample(task, "dev"), "-o", tmp_path / "again", "--folds", 3)
    assert (tmp_path / "again").read_bytes() == (models / task).read_bytes()


def test_a_model_tells_its_data_and_figures(models: Path) -> None:
    model = json.loads((models / "selqa").read_text("utf-8"))
    assert model["data"][0]["file"] == "selqa.dev.json"
    assert model["figures"]["cross-validated"]["questions"] == 7
    assert (model["figures"]["folds"], model["ranker"]) == (3, "listwise")


def test_a_model_of_another_task_is_refused(models: Path) -> None:
    with pytest.raises(UserError, match=r"selqa.*nlpcc-dbqa"):
        invoked(answerer, "nlpcc-dbqa", sample("nlpcc-dbqa", "test"), "--model", models / "selqa")


def test_a_model_with_other_features_is_refused(models: Path, tmp_path: Path) -> None:
    (tmp_path / "m").write_text(
        (models / "selqa").read_text("utf-8").replace("all stems: bm25 | z", "other", 1), "utf-8"
    )
    with pytest.raises(UserError, match="not those of this program"):
        invoked(answerer, "selqa", sample("selqa", "test"), "--model", tmp_path / "m")


def test_a_damaged_file_writes_nothing(tmp_path: Path) -> None:
    (tmp_path / "bad.txt").write_text("问\t答\n问\n", "utf-8")
    with raises_at("bad.txt", 2):
        invoked(answerer, "nlpcc-dbqa", tmp_path / "bad.txt", "-o", tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    "row",
    ["who?\tPeople\tName\tAnn_||_Bob\t1", "who?\tPeople\tName\tAnn_||_Bob\t"],
    ids=["its label last", "a tab at its end"],
)
def test_tables_whose_first_of_five_columns_is_no_label_are_refused(
    tmp_path: Path, row: str
) -> None:
    (tmp_path / "f").write_text(f"{row}\n", "utf-8")
    with raises_at(tmp_path / "f", 1):
        invoked(answerer, "nlpcc-tbqa", tmp_path / "f", "-o", tmp_path / "out")


def test_files_without_gold_cannot_train(tmp_path: Path) -> None:
    with raises_at("tbqa.test.txt"):
        invoked(answerer, "train", "nlpcc-tbqa", sample("nlpcc-tbqa", "test"), "-o", tmp_path / "m")


def test_gold_without_any_wrong_candidate_cannot_train(tmp_path: Path) -> None:
    (tmp_path / "f").write_text("a\tb\t1\nc\td\t1\n")
    with raises_at(tmp_path / "f"):
        invoked(answerer, "train", "nlpcc-dbqa", tmp_path / "f", "-o", tmp_path / "m", "--folds", 2)


def test_questions_without_a_right_candidate_are_told_of(tmp_path: Path) -> None:
    """The first and only right candidate of each of two questions is found; a third has none."""
    (tmp_path / "f").write_text(
        "甲在哪里\t甲在山\t1\n甲在哪里\t乙\t0\n丙在哪里\t丙在河\t1\n丙在哪里\t丁\t0\n戊在哪里\t己\t0\n"
    )
    done = invoked(
        answerer, "train", "nlpcc-dbqa", tmp_path / "f", "-o", tmp_path / "m", "--folds", 2
    )
    assert "1 of 3 questions" in done.stderr
    assert re.search(r"overlap, untrained +2 +1\.0000", done.stdout)


@pytest.mark.parametrize(
    ("task", "text", "said"),
    [
        (
            "selqa",
            "谁建的桥？\t甲建的。\n",
            "the questions are in Chinese, and are ranked as English: is nlpcc-dbqa meant?",
        ),
        (
            "nlpcc-dbqa",
            "Who built it?\tAnn.\n",
            "in English, and are ranked as Chinese: is selqa meant?",
        ),
        (
            "nlpcc-tbqa",
            "谁建的桥？\t桥\t桥_|_年\t甲_|_1932\n",
            "the questions are in Chinese, and are ranked as English\n",
        ),
        ("selqa", "Who built it?\tAnn.\n", ""),
    ],
)
def test_questions_of_another_language_are_told_of(
    tmp_path: Path, task: str, text: str, said: str
) -> None:
    (tmp_path / "f").write_text(text * 9, "utf-8")
    err = invoked(answerer, task, tmp_path / "f", "-o", tmp_path / "out").stderr
    assert said in err
    assert ("the questions are in" in err) == bool(said)


def test_a_question_without_sentences_keeps_its_number_in_the_trace(tmp_path: Path) -> None:
    """The right one of the second question's sentences stands first there, and is found."""
    asked = [
        {"question": "Who ran?", "sentences": [], "candidates": []},
        {
            "question": "Who built the mill?",
            "sentences": ["Ann built the mill.", "It is red."],
            "candidates": [0],
        },
    ]
    gold = tmp_path / "gold.json"
    gold.write_text(json.dumps(asked), "utf-8")
    invoked(answerer, "selqa", gold, "-o", tmp_path / "out", "--trace", tmp_path / "trace")
    rows = json_lines(tmp_path / "trace")
    found = [
        (row["question_id"], row["candidates"][0]["evidence"][0]["doc_id"])
        for row in rows
        if "candidates" in row
    ]
    assert found == [("2", "2-0")]
    assert (
        "1 of 1 right" in invoked(evaluation, "explain", tmp_path / "trace", "--gold", gold).stdout
    )
    exported = invoked(
        evaluation, "export", "selqa", gold, tmp_path / "out", "--qrels", tmp_path / "qrels"
    )
    assert "questions without candidates: 1 of 2\n" in exported.stderr
    assert (tmp_path / "qrels").read_text() == "2 0 2-0 1\n2 0 2-1 0\n"


def test_the_trace_has_a_chinese_question_as_it_was_asked(tmp_path: Path) -> None:
    (tmp_path / "f").write_text("谁写了 Dream １？\t甲写了。\n", "utf-8")
    invoked(
        answerer,
        "nlpcc-dbqa",
        tmp_path / "f",
        "-o",
        tmp_path / "out",
        "--trace",
        tmp_path / "trace",
    )
    assert (
        json.loads((tmp_path / "trace").read_text("utf-8").splitlines()[1])["question"]
        == "谁写了 Dream １？"
    )


@pytest.mark.parametrize(("cells", "said"), [("2004", True), ("2004_|_2005", False)])
def test_four_columns_without_marks_of_cells_are_told_of(
    tmp_path: Path, cells: str, said: bool
) -> None:
    """WikiTableQuestions' own files have four columns too: id, question, the table's file and the
    answer."""
    (tmp_path / "f").write_text(f"nu-0\twhat was the last year?\tcsv/590.csv\t{cells}\n", "utf-8")
    err = invoked(answerer, "nlpcc-tbqa", tmp_path / "f", "-o", tmp_path / "out").stderr
    assert ("f: most of its tables have a single cell; expected _|_ and _||_" in err) == said


def test_too_many_folds_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=" 4"):
        invoked(
            answerer, "train", "selqa", sample("selqa", "dev"), "-o", tmp_path / "m", "--folds", 9
        )


def test_figures_of_training_stand_below_their_names(tmp_path: Path) -> None:
    said = invoked(
        answerer, "train", "nlpcc-dbqa", sample("nlpcc-dbqa", "dev"), "-o", tmp_path / "m"
    ).stdout
    header, *rows = said.splitlines()[1:]
    ends = [
        found.end() for found in re.finditer(r"\S+(?: \S+)*", header)
    ]  # columns are two blanks apart
    assert len(ends) == 6
    assert [[found.end() for found in re.finditer(r"[\d.]+(?= |$)", row)] for row in rows] == [
        ends
    ] * len(rows)


def test_the_trace_shows_features_and_terms(tmp_path: Path) -> None:
    asked = ("selqa", sample("selqa", "test"), "--model", "none")
    invoked(answerer, *asked, "-o", tmp_path / "out", "--trace", tmp_path / "trace")
    rows = json_lines(tmp_path / "trace")
    best = rows[1]["candidates"][0]
    assert (rows[0]["run"]["method"], rows[1]["system"]) == ("sum", best["id"])
    assert best["text"] == "Its first lighthouse was built by Ellen Marsh in 1843."
    assert list(best["evidence"][0]["terms"]) == ["build", "1", "lighthous"]


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("method", ["sum", "bm25", "rank-bm25", "overlap", "model"])
def test_every_candidate_has_a_score_that_the_signals_of_its_trace_add_up_to(
    task: str, method: str, models: Path, tmp_path: Path
) -> None:
    """A model ranks well what it was trained on."""
    how = ("--model", models / task) if method == "model" else ("--method", method)
    words = ("-o", tmp_path / "out", "--trace", tmp_path / "trace")
    invoked(answerer, task, sample(task, "dev"), *how, *words)
    candidates = [one for row in json_lines(tmp_path / "trace")[1:] for one in row["candidates"]]
    sums = [sum(one["features"].values()) for one in candidates]
    assert sums == pytest.approx([one["score"] for one in candidates], abs=1e-5)
    row = measured(task, sample(task, "dev"), tmp_path / "out")
    assert row["questions"] == QUESTIONS[task]
    assert (0.9 if method == "model" else 0) < float(row["MRR"]) <= 1


@pytest.mark.parametrize(
    ("task", "row"), [("nlpcc-dbqa", "{}\tWho?\ta"), ("nlpcc-tbqa", "{}\tWho?\ta\tb_|_c\td_|_e")]
)
def test_accuracy_at_the_ranks_that_are_chosen(task: str, row: str, tmp_path: Path) -> None:
    lines = [row.format(int(place == 6)) for place in range(7)]  # the last of seven is right
    (tmp_path / "gold").write_text("".join(f"{line}\n" for line in lines), "utf-8")
    (tmp_path / "run").write_text("".join(f"{7 - place}\n" for place in range(7)), "utf-8")
    words = (task, tmp_path / "gold", tmp_path / "run", "--ties", "file", "--at", "7,2,6")
    found = figures(*words)[0]
    assert {name: value for name, value in found.items() if name.startswith("Accuracy")} == {
        "Accuracy@2": 0,
        "Accuracy@6": 0,
        "Accuracy@7": 1,
    }


def test_python_takes_the_ranks_too(tmp_path: Path) -> None:
    (tmp_path / "gold").write_text("0\tWho?\ta\n1\tWho?\tb\n", "utf-8")
    (tmp_path / "run").write_text("2\n1\n", "utf-8")
    found = score("nlpcc-dbqa", tmp_path / "gold", tmp_path / "run", ties="file", at=[2]).rows[0]
    assert "Accuracy@1" not in found
    assert found["Accuracy@2"] == 1
    with pytest.raises(UserError):
        score("nlpcc-dbqa", tmp_path / "gold", tmp_path / "run", at=[0])


def test_figures_by_rule_type_and_question(tmp_path: Path) -> None:
    invoked(answerer, "selqa", sample("selqa", "dev"), "-o", tmp_path / "out.json")
    mrr = tmp_path / "mrr.txt"
    text = invoked(
        evaluation, "selqa", tmp_path / "out.json", "--format", "jsonl", "--interval", "--mrr", mrr
    ).stdout
    rows = json_lines(text)
    assert [row["ties"] for row in rows[:4]] == ["average", "file", "expected", "worst"]
    assert {row["value"] for row in rows if row["group"] == "type"} == {
        "FOOD",
        "HISTORICAL EVENTS",
        "MUSIC",
        "TRAVEL",
    }
    assert rows[0]["MRR low"] <= rows[0]["MRR"] <= rows[0]["MRR high"]
    assert float(mrr.read_text()) == pytest.approx(rows[0]["MRR"], abs=1e-6)
    assert (
        len(
            invoked(
                evaluation, "selqa", tmp_path / "out.json", "--format", "jsonl", "-q"
            ).stdout.splitlines()
        )
        == 7
    )


def test_the_mrr_of_a_result_is_written_without_reading_it_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of two questions the right sentence is first and second: (1 + 1/2) / 2."""
    rows = [
        "who?\tAnn.\t1\t0.9",
        "who?\tBob.\t0\t0.1",
        "when?\tNow.\t0\t0.9",
        "when?\tThen.\t1\t0.1",
    ]
    (tmp_path / "run").write_text("".join(f"{row}\n" for row in rows))
    read = []

    def noted(path: Path) -> object:
        read.append(path)
        return read_results(path)

    monkeypatch.setattr("answerer.formats.ranked_results.read_results", noted)
    invoked(evaluation, "selqa", tmp_path / "run", "--ties", "worst", "--mrr", tmp_path / "mrr.txt")
    assert (tmp_path / "mrr.txt").read_text() == "0.750000\n"
    assert read == [tmp_path / "run"]


def test_labels_in_the_place_of_scores_are_told(tmp_path: Path) -> None:
    for name, right in (("gold", "1"), ("labels", "1.0")):  # equal bytes are refused
        (tmp_path / name).write_text(f"who?\tAnn.\t0\nwho?\tBob.\t{right}\n")
    told = invoked(evaluation, "selqa", tmp_path / "gold", tmp_path / "labels").stderr
    assert f"{tmp_path}/labels: its scores are the labels of {tmp_path}/gold" in told


@pytest.mark.parametrize(
    ("task", "row"),
    [
        ("nlpcc-dbqa", "10\twho?\tAnn."),
        ("nlpcc-tbqa", "10\twho?\ta\tb\tc"),
        ("selqa", "7\twho?\tAnn.\t10"),
    ],
)
def test_a_label_other_than_0_and_1_is_told_once_where_it_counts(
    task: str, row: str, tmp_path: Path
) -> None:
    gold = tmp_path / "gold"
    gold.write_text(f"{row}\n{row.replace('10', '0')}\n")
    (tmp_path / "run").write_text(
        f"{row}\t0.5\n{row.replace('10', '0')}\t0.2\n" if task == "selqa" else "0.5\n0.2\n"
    )
    told = invoked(evaluation, task, gold, tmp_path / "run").stderr
    assert told.count(f"{gold}:1: the label 10 counts as 1") == 1


def test_gold_that_says_that_all_is_right_is_told(tmp_path: Path) -> None:
    (tmp_path / "gold").write_text("1\twho?\tAnn.\n1\twho?\tBob.\n")
    (tmp_path / "run").write_text("0.5\n0.2\n")
    told = invoked(evaluation, "nlpcc-dbqa", tmp_path / "gold", tmp_path / "run").stderr
    assert "every candidate of every question is right: any order has the highest score" in told


def test_sentences_in_another_order_than_in_the_gold_are_refused(tmp_path: Path) -> None:
    (tmp_path / "gold").write_text("who?\tAnn.\t0\nwho?\tBob.\t1\n")
    (tmp_path / "run").write_text("who?\tBob.\t1\t0.8\nwho?\tAnn.\t0\t0.2\n")
    with raises_at(tmp_path / "run"):
        invoked(evaluation, "selqa", tmp_path / "gold", tmp_path / "run")


def test_scores_that_do_not_fit_the_gold_are_refused(tmp_path: Path) -> None:
    (tmp_path / "s").write_text("1\n2\n")
    with pytest.raises(UserError, match=r"s: 2 .* 21 "):
        invoked(evaluation, "nlpcc-dbqa", sample("nlpcc-dbqa", "dev"), tmp_path / "s")


def test_results_are_scored_against_a_gold_file_of_the_same_questions(tmp_path: Path) -> None:
    invoked(answerer, "selqa", sample("selqa", "test"), "-o", tmp_path / "out.json")
    with raises_at(tmp_path / "out.json"):
        invoked(
            evaluation,
            "compare",
            "selqa",
            sample("selqa", "dev"),
            tmp_path / "out.json",
            tmp_path / "out.json",
        )


def test_export_to_trec(tmp_path: Path) -> None:
    (tmp_path / "gold").write_text("a\tx\t0\na\ty\t1\nb\tz\t1\n")
    (tmp_path / "scores").write_text("0.5\n0.75\n-1\n")
    options = ["--qrels", tmp_path / "q", "--run", tmp_path / "r"]
    invoked(evaluation, "export", "nlpcc-dbqa", tmp_path / "gold", tmp_path / "scores", *options)
    assert (tmp_path / "q").read_text() == "1 0 1-0 0\n1 0 1-1 1\n2 0 2-0 1\n"
    assert (
        (tmp_path / "r").read_text()
        == "1 Q0 1-1 1 0.75 classical-qa\n1 Q0 1-0 2 0.5 classical-qa\n2 Q0 2-0 1 -1 classical-qa\n"
    )


def test_wikiqa_rows_come_back_with_a_score(tmp_path: Path) -> None:
    (tmp_path / "w.tsv").write_text("who won ?\tAnn won .\t1\nwho won ?\tIt rained .\t0\n")
    invoked(answerer, "selqa", tmp_path / "w.tsv", "-o", tmp_path / "out.tsv")
    assert [line.count("\t") for line in (tmp_path / "out.tsv").read_text().splitlines()] == [3, 3]
    assert measured("selqa", tmp_path / "w.tsv", tmp_path / "out.tsv")["MRR"] == 1.0


def test_blank_sentences_are_ranked_and_no_sentences_get_no_results(tmp_path: Path) -> None:
    asked = [
        {"question": "Who?", "sentences": ["Ann.", " "]},
        {"question": "Who?", "sentences": []},
    ]
    (tmp_path / "q").write_text("\n".join(map(json.dumps, asked)))
    lines = invoked(answerer, "selqa", tmp_path / "q", "--method", "overlap").stdout.splitlines()
    assert [len(json.loads(line)["results"]) for line in lines] == [2, 0]
