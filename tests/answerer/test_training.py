"""Rankers trained from Python: the model files that the commands write, with their figures, none of
it on stdout."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

import answerer.__main__
from answerer.answering import answer
from answerer.registry import TRAININGS
from answerer.training import train
from indexer.files.errors import UserError
from retriever.search import open_index
from tests.answerer.sample_indexes import build_samples
from tests.places import SAMPLES
from tests.programs import invoked, run

SELQA = str(SAMPLES / "selqa.dev.json")
INPUTS = {
    "ntcir-mc": ["EXAM"],
    "ntcir-mc-names": ["EXAM"],
    "nlpcc-dbqa": [str(SAMPLES / "dbqa.dev.txt")],
    "nlpcc-tbqa": [str(SAMPLES / "tbqa.dev.txt")],
    "selqa": [SELQA],
    "datasearch-qa": [
        str(SAMPLES / "datasearch-questions.tsv"),
        str(SAMPLES / "datasearch-gold.tsv"),
    ],
    "nlpcc-kbqa": [str(SAMPLES / "kbqa-zh.train.txt")],
    "ntcir-essay": [str(SAMPLES / "essay-en.gold.xml")],
    "u4-tqa": [str(SAMPLES / f"u4-tqa.{kind}.json") for kind in ("questions", "gold")],
    "u4-tr": [str(SAMPLES / f"u4-tr.{kind}.json") for kind in ("questions", "gold")],
}
REPORTS = {"reports": str(SAMPLES / "u4-reports.tar.xz")}
INDEX = {
    "ntcir-mc": "textbook",
    "ntcir-mc-names": "textbook",
    "datasearch-qa": "datasets",
    "nlpcc-kbqa": "triples",
    "ntcir-essay": "textbook",
}
WITHOUT_FOLDS = {"ntcir-mc", "ntcir-mc-names"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Indexes of the samples, and an exam with its gold as training takes it."""
    place = tmp_path_factory.mktemp("training")
    build_samples(place)
    (place / "EXAM").mkdir()
    shutil.copy(SAMPLES / "sample-exam-en.xml", place / "EXAM" / "exam.xml")
    shutil.copy(SAMPLES / "sample-exam-en.gold.xml", place / "EXAM" / "gold.xml")
    return place


def inputs(task: str, folder: Path) -> list[str]:
    return [str(folder / name) if name == "EXAM" else name for name in INPUTS[task]]


def options(task: str, folder: Path) -> dict[str, Any]:
    address = (
        {"index": str(folder / INDEX[task])}
        if task in INDEX
        else REPORTS
        if task.startswith("u4")
        else {}
    )
    return address | ({} if task in WITHOUT_FOLDS else {"folds": 2})


def test_every_task_that_learns_is_tried() -> None:
    assert INPUTS.keys() == TRAININGS.keys()


@pytest.mark.process
@pytest.mark.parametrize("task", TRAININGS)
def test_a_model_is_what_the_command_writes_and_none_of_it_is_printed(
    task: str, folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = options(task, folder)
    words = [word for name, value in given.items() for word in (f"--{name}", str(value))]
    command = ["train", task, *inputs(task, folder), *words, "-o", str(tmp_path / "by-command")]
    invoked(answerer.__main__.main, *command)
    capsys.readouterr()
    trained = train(task, *inputs(task, folder), output=tmp_path / "model", **given)
    assert capsys.readouterr().out == ""
    assert (tmp_path / "model").read_bytes() == (tmp_path / "by-command").read_bytes()
    assert (trained.path, trained.figures) == (
        str(tmp_path / "model"),
        json.loads((tmp_path / "model").read_text("utf-8"))["figures"],
    )


@pytest.mark.parametrize("by", ["command", "program"])
def test_of_a_bilingual_gold_the_essays_in_the_language_of_the_index_are_learned_from(
    by: str, folder: Path, tmp_path: Path
) -> None:
    plain, index = SAMPLES / "essay-en.gold.xml", str(folder / "textbook")
    twice = r'\1<locale id="en">\2</locale><locale id="ja">\2</locale>\3'
    both = tmp_path / "both.xml"
    both.write_text(
        re.sub(
            r"(?s)(<answer_section[^>]*>)(.*?)(</answer_section>)", twice, plain.read_text("utf-8")
        )
    )
    expected = train("ntcir-essay", plain, output=tmp_path / "plain", index=index, folds=2).figures
    if by == "program":
        train("ntcir-essay", both, output=tmp_path / "model", index=index, folds=2)
    else:
        words = (
            "train",
            "ntcir-essay",
            both,
            "--index",
            index,
            "--folds",
            "2",
            "-o",
            tmp_path / "model",
        )
        invoked(answerer.__main__.main, *words)
    assert json.loads((tmp_path / "model").read_text("utf-8"))["figures"] == expected


def test_what_was_trained_says_its_first_figure(tmp_path: Path) -> None:
    trained = train("selqa", SELQA, output=tmp_path / "model", folds=3)
    assert (
        repr(trained)
        == f"<Trained selqa: {tmp_path / 'model'}, MRR {trained.figures['cross-validated']['MRR']:.4f}>"
    )


def test_the_rows_are_the_ways_to_rank_and_a_table_of_pandas(tmp_path: Path) -> None:
    trained = train("selqa", SELQA, output=tmp_path / "model", folds=3)
    ways = ["listwise, cross-validated", "sum, untrained", "bm25, untrained", "overlap, untrained"]
    assert list(trained.to_frame()["ranking"]) == ways


def test_a_model_answers(tmp_path: Path) -> None:
    trained = train("selqa", SELQA, output=tmp_path / "model", folds=3)
    run = answer("selqa", str(SAMPLES / "selqa.test.json"), model=trained.path)
    assert len(run.questions) > 1


def test_an_open_index_is_asked_and_stays_open(folder: Path, tmp_path: Path) -> None:
    with open_index(folder / "textbook") as index:
        train("ntcir-mc", folder / "EXAM", output=tmp_path / "model", index=index)
        assert index.search("Who built the Taj Mahal?", k=1)


def test_an_exam_without_an_index_is_refused(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"1 .* 0 --index"):
        train("ntcir-mc", folder / "EXAM", output=tmp_path / "model")


def test_an_option_that_the_command_does_not_have_is_a_type_error(tmp_path: Path) -> None:
    for given in ({"index": "triples"}, {"nonsense": 1}):
        with pytest.raises(TypeError, match=next(iter(given))):
            train("selqa", SELQA, output=tmp_path / "model", **given)


def test_a_number_of_folds_that_the_command_would_refuse_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="folds is 1: expected 2 or more"):
        train("selqa", SELQA, output=tmp_path / "model", folds=1)
    assert list(tmp_path.iterdir()) == []


def test_a_model_over_its_own_training_file_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "dev.json"
    shutil.copy(SELQA, file)
    with pytest.raises(UserError, match=str(file)):
        train("selqa", file, output=file)
    assert file.read_bytes() == Path(SELQA).read_bytes()


def test_the_standard_output_is_refused() -> None:
    with pytest.raises(UserError, match="output"):
        train("selqa", SELQA, output="-")


def test_a_task_without_training_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"ntcir-term.* ntcir-mc, "):
        train("ntcir-term", "x", output=tmp_path / "model")


def test_objects_in_the_place_of_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"selqa.* list"):
        train("selqa", [("Who?", ["He."])], output=tmp_path / "model")  # type: ignore[arg-type]


def test_no_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"^selqa: "):
        train("selqa", output=tmp_path / "model")


def test_a_right_table_of_two_files_stands_on_one_side_of_the_folds(tmp_path: Path) -> None:
    """The further file has a question more before the same six."""
    dev = SAMPLES / "tbqa.dev.txt"
    more = "1\twhich boats won?\tCups\tBoat\tSwan\n0\twhich boats won?\tFerries\tBoat\tHeron\n"
    (tmp_path / "more.txt").write_text(more + dev.read_text("utf-8"), "utf-8")
    model = ("-o", str(tmp_path / "model.json"), "--folds", "3")
    told = run("answerer", "train", "nlpcc-tbqa", str(dev), str(tmp_path / "more.txt"), *model).out
    assert told.startswith("3 folds by 7 groups, ")


def test_questions_that_share_any_right_table_stand_on_one_side_of_the_folds(
    tmp_path: Path,
) -> None:
    """Boats and cups share the table of swans, the second right one of boats; ferries are asked for
    in both files."""
    rows = [
        ("1", "which boats won?", "Cups", "Heron"),
        ("1", "which boats won?", "Boats", "Swan"),
        ("0", "which boats won?", "Rivers", "Arle"),
        ("1", "who sails a cup?", "Boats", "Swan"),
        ("0", "who sails a cup?", "Rivers", "Tovey"),
        ("1", "where are ferries?", "Ferries", "Mere"),
        ("0", "where are ferries?", "Rivers", "Arle"),
    ]
    lines = ["\t".join((*row[:3], "Name", row[3])) for row in rows]
    (tmp_path / "one.txt").write_text("\n".join(lines), "utf-8")
    (tmp_path / "two.txt").write_text("\n".join(lines[-2:]).replace("Mere", "Lake Mere"), "utf-8")
    model = ("-o", str(tmp_path / "model.json"), "--folds", "2")
    told = run(
        "answerer",
        "train",
        "nlpcc-tbqa",
        str(tmp_path / "one.txt"),
        str(tmp_path / "two.txt"),
        *model,
    ).out
    assert told.startswith("2 folds by 2 groups, ")
