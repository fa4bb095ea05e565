"""`answerer datasearch-qa` and its training, from archives to a run, as a user calls them."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from openpyxl import Workbook

from answerer import train
from answerer.__main__ import main as answer
from answerer.datasearch import training
from answerer.datasearch.operations.records import SPOKEN
from answerer.datasearch.tables import library
from answerer.datasearch.task import DEFAULT_WEIGHTS, load_weights
from answerer.formats.datasearch import read_answers
from answerer.trace import read_trace
from indexer.__main__ import main as index
from indexer.engines.opening import open_index
from indexer.files.errors import UserError
from indexer.files.hashes import fingerprint
from indexer.formats.datasearch import read_questions
from retriever.learning.model import read_model
from tests.indexer.tables.open_data import (
    CENSUS,
    CENSUS_CSV,
    CITIES,
    CITIES_CSV,
    MILK,
    member_name,
    sample_collection,
    saved,
    write_collection,
    write_tar,
)
from tests.programs import json_lines
from tests.refusals import raises_at

QUESTIONS = [
    ("DS2-QA-E-1", "How many litres of skim milk were delivered in 2020?", MILK, "9,500"),
    ("DS2-QA-E-2", "How many farms delivered cheese in 2019?", MILK, "300"),
    ("DS2-QA-E-3", "Which fresh product had the most farms in 2020?", MILK, "Whole milk"),
    ("DS2-QA-E-4", "which city has the largest population?", CITIES, "Osaka"),
    ("DS2-QA-E-5", "in which country is Lyon?", CITIES, "France"),
    ("DS2-QA-J-6", "札幌市の男の人口はいくつですか", CENSUS, "918,682"),
]


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("datasets")
    address = str(folder / "index")
    index.main(["datasets", *sample_collection(folder), "--index", address], standalone_mode=False)
    return address


def write_questions(path: Path, rows: list[tuple[str, str, str, str]] = QUESTIONS) -> str:
    path.write_text("".join("\t".join(row[:3]) + "\n" for row in rows), "utf-8")
    return str(path)


@pytest.mark.process
def test_outputs_are_checked_before_the_work(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("answerer.datasearch.task.datasets_of", lambda *_: pytest.fail("too late"))
    trace = tmp_path / "trace.jsonl"
    arguments = [
        "datasearch-qa",
        write_questions(tmp_path / "q.tsv"),
        "--index",
        address,
        "--trace",
        str(trace),
    ]
    with raises_at(f"-o {tmp_path}"):
        answer.main([*arguments, "-o", str(tmp_path)], standalone_mode=False)
    assert not trace.exists()


def test_a_run(address: str, tmp_path: Path) -> None:
    questions, run = write_questions(tmp_path / "q.tsv"), tmp_path / "run.tsv"
    answer.main(
        ["datasearch-qa", questions, "--index", address, "--sysdesc", "ours", "-o", str(run)],
        standalone_mode=False,
    )
    lines = run.read_text("utf-8").splitlines()
    assert lines[0] == "<SYSDESC>ours</SYSDESC>"
    assert lines[1:] == [f"{row[0]}\t{row[3]}" for row in QUESTIONS]


@pytest.mark.process
def test_datasets_that_gave_no_rows_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One whose file is binary data, one whose file is missing, and one with a table."""
    names = [
        member_name(number, name)
        for number, name in enumerate(("a.bin", "gone.csv", "cities.csv"), 1)
    ]
    datasets = [
        (MILK, "Milk", names[:1]),
        (CENSUS, "Census", names[1:2]),
        (CITIES, "Cities", names[2:]),
    ]
    collection = write_collection(tmp_path / "c.jsonl.bz2", datasets)
    archive = write_tar(
        tmp_path / "a.tar.bz2", {names[0]: bytes(range(9)) * 99, names[2]: CITIES_CSV.encode()}
    )
    address, run = str(tmp_path / "index"), tmp_path / "run.tsv"
    index.main(["datasets", collection, archive, "--index", address], standalone_mode=False)
    asked = [
        ("E-1", "which city is largest?", CITIES, ""),
        ("E-2", "how much?", MILK, ""),
        ("E-3", "who?", CENSUS, ""),
    ]
    questions = write_questions(tmp_path / "q.tsv", asked)
    answer.main(
        ["datasearch-qa", questions, "--index", address, "--allow-unanswered", "-o", str(run)],
        standalone_mode=False,
    )
    assert run.read_text("utf-8").splitlines()[2:] == ["E-2\tMilk", "E-3\tCensus"]
    assert "E-2" in capsys.readouterr().err


@pytest.mark.process
def test_collections_of_two_languages_share_an_index(tmp_path: Path) -> None:
    """Each collection with an archive of its own, as the task hands them out, in one call."""
    names = [member_name(1, "cities.csv"), member_name(2, "jp.csv")]
    english = write_collection(
        tmp_path / "e.jsonl.bz2", [(CITIES, "Cities of the world", names[:1])]
    )
    japanese = write_collection(
        tmp_path / "j.jsonl.bz2", [(CENSUS, "国勢調査 市区町村の人口", names[1:])]
    )
    first = write_tar(tmp_path / "e.tar.bz2", {names[0]: CITIES_CSV.encode()})
    second = write_tar(tmp_path / "j.tar.bz2", {names[1]: CENSUS_CSV.encode("cp932")})
    address = str(tmp_path / "both")
    index.main(
        ["datasets", japanese, second, english, first, "--index", address], standalone_mode=False
    )
    questions, run = write_questions(tmp_path / "q.tsv", QUESTIONS[3:]), tmp_path / "run.tsv"
    answer.main(
        ["datasearch-qa", questions, "--index", address, "-o", str(run)], standalone_mode=False
    )
    assert run.read_text("utf-8").splitlines()[1:] == [
        f"{row[0]}\t{row[3]}" for row in QUESTIONS[3:]
    ]


def yearly_workbook(*years: int, title: str) -> bytes:
    """A sheet a year, called by it, with a title and a table: of line North the year's last two
    digits."""
    book = Workbook()
    for place, year in enumerate(years):
        sheet = book.create_sheet(str(year), place)
        for row in ([[title], []] if title else []) + [
            ["Line", "Stops"],
            ["North", year % 100],
            ["South", 7],
        ]:
            sheet.append(row)
    del book["Sheet"]
    return saved(book)


@pytest.mark.process
@pytest.mark.parametrize(
    "files",
    [
        {"stops.xlsx": yearly_workbook(2019, 2020, 2021, title="")},
        {"stops.xlsx": yearly_workbook(2019, 2020, 2021, title="Stops by line")},
        {
            f"bus%20stops-{2000 + n}.csv": f"Line,Stops\nNorth,{n}\nSouth,7\n".encode()
            for n in (19, 20, 21)
        },
    ],
    ids=["sheets are titles", "sheets are notes", "files"],
)
def test_tables_are_told_apart_by_their_sheets_and_files(
    files: dict[str, bytes], tmp_path: Path
) -> None:
    named = {member_name(number, name): data for number, (name, data) in enumerate(files.items())}
    collection = write_collection(tmp_path / "c.jsonl.bz2", [("d1", "Bus stops", list(named))])
    address, run = str(tmp_path / "index"), tmp_path / "run.tsv"
    archive = write_tar(tmp_path / "a.tar.bz2", named)
    index.main(["datasets", collection, archive, "--index", address], standalone_mode=False)
    asked = [
        (f"DS2-QA-E-{year}", f"How many stops did line North have in {year}?", "d1", "")
        for year in (2020, 2019, 2021)
    ]
    questions = write_questions(tmp_path / "q.tsv", asked)
    answer.main(
        ["datasearch-qa", questions, "--index", address, "-o", str(run)], standalone_mode=False
    )
    assert list(read_answers(run).answers.values()) == ["20", "19", "21"]


def test_the_trace_shows_the_derivation_in_words(address: str, tmp_path: Path) -> None:
    questions, trace = write_questions(tmp_path / "q.tsv"), tmp_path / "trace.jsonl"
    options = ["--index", address, "-o", str(tmp_path / "run.tsv"), "--trace", str(trace)]
    answer.main(["datasearch-qa", questions, *options], standalone_mode=False)
    run, *rows = json_lines(trace)
    assert run["run"]["task"] == "datasearch-qa"
    assert [row["question_id"] for row in rows] == [row[0] for row in QUESTIONS]
    first = rows[0]["candidates"][0]
    assert first["text"] == "9,500"
    assert first["derivation"] == "row Fresh products > Skim milk, column Deliveries 2020 litres"
    assert 0 < first["score"] <= 1
    assert first["features"]["row strength"] > 0
    table = first["table"]
    row, column = table["answer"]
    assert table["rows"][row][1][column] == "9,500"
    assert table["columns"][column][-2:] == ["2020", "litres"]


def test_a_dataset_that_is_not_there_is_said_and_answered(
    address: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    questions = write_questions(tmp_path / "q.tsv", [("Q1", "what?", "900000000000", "")])
    answer.main(
        ["datasearch-qa", questions, "--index", address, "--allow-unanswered"],
        standalone_mode=False,
    )
    captured = capsys.readouterr()
    assert captured.out.splitlines()[1] == "Q1\tunknown"
    assert "900000000000" in captured.err


def test_bad_questions_leave_nothing_behind(address: str, tmp_path: Path) -> None:
    path, run = tmp_path / "q.tsv", tmp_path / "run.tsv"
    path.write_text("Q1\tno dataset\n", "utf-8")
    with raises_at(path, 1):
        answer.main(
            ["datasearch-qa", str(path), "--index", address, "-o", str(run)], standalone_mode=False
        )
    assert not run.exists()


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A table of 7,000 rows in four blocks."""
    folder = tmp_path_factory.mktemp("large")
    figures = {5555: 99_999, 3333: 1}
    rows = "".join(
        f"place{n},province {n % 70},{figures.get(n, 1_000 + n)}\n" for n in range(7_000)
    )
    name = member_name(1, "towns.csv")
    collection = write_collection(folder / "c.jsonl.bz2", [(CITIES, "Towns", [name])])
    archive = write_tar(
        folder / "a.tar", {name: f"Town,Province,Inhabitants\n{rows}".encode()}, "w"
    )
    index.main(
        ["datasets", collection, archive, "--index", str(folder / "index")], standalone_mode=False
    )
    return str(folder / "index")


LARGE = [
    ("DS2-QA-E-1", "How many inhabitants has place5554?", CITIES, "6554"),
    ("DS2-QA-E-6", "Which town comes after place4000?", CITIES, "place4001"),
]


def test_of_a_large_dataset_the_blocks_that_match_best_are_read(
    large: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(library, "WHOLE_BLOCKS", 2)
    monkeypatch.setattr(library, "SEARCHED_BLOCKS", 2)
    questions, run, trace = (
        write_questions(tmp_path / "q.tsv", LARGE),
        tmp_path / "run.tsv",
        tmp_path / "trace.jsonl",
    )
    options = ["--index", large, "-o", str(run), "--trace", str(trace)]
    answer.main(["datasearch-qa", questions, *options], standalone_mode=False)
    assert run.read_text("utf-8").splitlines()[1:] == [f"{row[0]}\t{row[3]}" for row in LARGE]
    assert CITIES in capsys.readouterr().err
    _, rows = read_trace(trace)
    assert [row.unread for row in rows] == [4, 4]


def write_training(folder: Path) -> tuple[str, str]:
    """A question for each cell of the sample's cities and milk, and the gold."""
    rows = []
    facts = {
        "Kyoto": ("Japan", "794"),
        "Osaka": ("Japan", "645"),
        "Lyon": ("France", "43"),
        "Nara": ("Japan", "710"),
    }
    for city, (country, founded) in facts.items():
        rows += [(f"C-{city}", f"in which country is {city}?", CITIES, country)]
        rows += [(f"F-{city}", f"when was {city} founded?", CITIES, founded)]
    for product, farms in (("whole milk", "1,200"), ("skim milk", "800"), ("cheese", "300")):
        rows += [(f"M-{product}", f"how many farms had {product} in 2019?", MILK, farms)]
    gold = folder / "gold.tsv"
    gold.write_text("".join(f"{row[0]}\t{row[3]}\n" for row in rows), "utf-8")
    return write_questions(folder / "train.tsv", rows), str(gold)


def test_a_model_is_trained_and_used(address: str, tmp_path: Path) -> None:
    questions, gold = write_training(tmp_path)
    models = [tmp_path / "1.json", tmp_path / "2.json"]
    for model in models:
        options = ["--index", address, "--folds", "2", "-o", str(model)]
        answer.main(["train", "datasearch-qa", questions, gold, *options], standalone_mode=False)
    assert models[0].read_bytes() == models[1].read_bytes()
    figures = json.loads(models[0].read_text("utf-8"))["figures"]
    assert figures["questions"] == 11
    assert figures["exact match"] >= 10 / 11
    assert (
        load_weights(str(models[0]))[0]["op max & longest"] == DEFAULT_WEIGHTS["op max & longest"]
    )
    run, trace = tmp_path / "run.tsv", tmp_path / "trace"
    options = ["--index", address, "--model", str(models[0]), "-o", str(run), "--trace", str(trace)]
    answer.main(
        ["datasearch-qa", write_questions(tmp_path / "q.tsv"), *options], standalone_mode=False
    )
    assert run.read_text("utf-8").splitlines()[5] == "DS2-QA-E-5\tFrance"
    told = read_trace(trace)[0]["parameters"]
    assert told["model"] == fingerprint(models[0])
    assert [one["file"] for one in told["training data"]] == ["train.tsv", "gold.tsv"]


def test_a_question_given_twice_is_refused(address: str, tmp_path: Path) -> None:
    questions, gold = write_training(tmp_path)
    other = str(shutil.copy(gold, tmp_path / "other.tsv"))
    words = [
        "train",
        "datasearch-qa",
        questions,
        gold,
        questions,
        other,
        "--index",
        address,
        "-o",
        f"{tmp_path}/m",
    ]
    with pytest.raises(UserError, match="C-Kyoto"):
        answer.main(words, standalone_mode=False)


def test_without_words_a_model_names_none_of_the_data(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(training, "OFTEN", 1)
    monkeypatch.setattr(training, "LEAST", 0.0)
    questions, gold = write_training(tmp_path)
    held = {}
    for option in ("--words", "--no-words"):
        options = ["--index", address, "-o", str(tmp_path / option), "--folds", "2", option]
        answer.main(["train", "datasearch-qa", questions, gold, *options], standalone_mode=False)
        held[option] = [
            row[0]
            for row in json.loads((tmp_path / option).read_text("utf-8"))[
                "features: name, weight, mean, scale"
            ]
        ]
    assert any(SPOKEN in name for name in held["--words"])
    assert not any(SPOKEN in name for name in held["--no-words"])


def test_what_weighs_next_to_nothing_stands_in_no_model(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = write_training(tmp_path)
    models = []
    for least in (0.0, 0.02):
        monkeypatch.setattr(training, "LEAST", least)
        path = train(
            "datasearch-qa", *files, index=address, folds=2, output=tmp_path / f"{least}.json"
        ).path
        models.append(read_model(path, "datasearch-qa"))
    whole, short = (
        dict(zip(model.feature_names, model.weights.tolist(), strict=True)) for model in models
    )
    assert short == {
        name: weight
        for name, weight in whole.items()
        if abs(weight) >= 0.02 or DEFAULT_WEIGHTS.get(name)
    }
    assert len(short) < len(whole)


def test_too_few_questions_to_train_on(address: str, tmp_path: Path) -> None:
    questions = write_questions(tmp_path / "q.tsv", QUESTIONS[:2])
    gold = tmp_path / "gold.tsv"
    gold.write_text("DS2-QA-E-1\t9,500\n", "utf-8")
    with pytest.raises(UserError, match=re.escape(address)):
        answer.main(
            [
                "train",
                "datasearch-qa",
                questions,
                str(gold),
                "--index",
                address,
                "-o",
                str(tmp_path / "m"),
            ],
            standalone_mode=False,
        )


@pytest.mark.parametrize(("often", "learned"), [(2, True), (3, False)])
def test_words_that_few_questions_speak_are_not_learned_of(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, often: int, learned: bool
) -> None:
    monkeypatch.setattr(training, "OFTEN", often)
    questions = read_questions(
        write_questions(tmp_path / "q.tsv", QUESTIONS[:2])
    )  # both say "delivered"
    data = training.collect(
        open_index(address), questions, {each.question_id: "9,500" for each in questions}
    )
    assert ("cell ~ deliv" in data.names) is learned
