"""`answerer datasearch-qa` and its training, from archives to a run, as a user calls them."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from openpyxl import Workbook

from answerer import train
from answerer.datasearch import training
from answerer.datasearch.operations.records import SPOKEN
from answerer.datasearch.tables import library
from answerer.datasearch.task import DEFAULT_WEIGHTS, load_weights
from answerer.trace import read_trace
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
from tests.programs import done, json_lines, refused
from tests.refusals import names

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
    done("indexer", "datasets", *sample_collection(folder), "--index", address)
    return address


def write_questions(path: Path, rows: list[tuple[str, str, str, str]] = QUESTIONS) -> str:
    path.write_text("".join("\t".join(row[:3]) + "\n" for row in rows), "utf-8")
    return str(path)


def built(folder: Path, *datasets: tuple[str, str, dict[str, bytes]], lost: str = "") -> str:
    """The address of an index of datasets, each of an id, a title and the contents of its files, of
    which one may be lost."""
    number, listed, files = 0, [], dict[str, bytes]()
    for dataset, title, contents in datasets:
        named = {}
        for name, content in contents.items():
            number += 1
            named[member_name(number, name)] = content
            if name != lost:
                files[member_name(number, name)] = content
        listed.append((dataset, title, list(named)))
    collection = write_collection(folder / "c.jsonl.bz2", listed)
    archive = write_tar(folder / "a.tar.bz2", files)
    done("indexer", "datasets", collection, archive, "--index", folder / "index")
    return str(folder / "index")


def answered(
    folder: Path, address: str, rows: list[tuple[str, str, str, str]] = QUESTIONS, *options: object
) -> list[str]:
    """The lines of the run that answers questions, behind its first one."""
    questions, out = write_questions(folder / "q.tsv", rows), folder / "run.tsv"
    done("answerer", "datasearch-qa", questions, "--index", address, "-o", out, *options)
    return out.read_text("utf-8").splitlines()[1:]


@pytest.mark.process
def test_outputs_are_checked_before_the_work(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("answerer.datasearch.task.datasets_of", lambda *_: pytest.fail("too late"))
    questions, trace = write_questions(tmp_path / "q.tsv"), tmp_path / "trace.jsonl"
    line = refused(
        f"answerer datasearch-qa {questions} --index {address} --trace {trace} -o {tmp_path}"
    )
    assert names(line, f"-o {tmp_path}")
    assert not trace.exists()


def test_a_run(address: str, tmp_path: Path) -> None:
    lines = answered(tmp_path, address, QUESTIONS, "--sysdesc", "ours")
    assert lines == [f"{row[0]}\t{row[3]}" for row in QUESTIONS]
    assert (tmp_path / "run.tsv").read_text("utf-8").startswith("<SYSDESC>ours</SYSDESC>\n")


@pytest.mark.process
def test_datasets_that_gave_no_rows_are_told(tmp_path: Path) -> None:
    """One whose file is binary data, one whose file is missing, and one with a table."""
    address = built(
        tmp_path,
        (MILK, "Milk", {"a.bin": bytes(range(9)) * 99}),
        (CENSUS, "Census", {"gone.csv": b""}),
        (CITIES, "Cities", {"cities.csv": CITIES_CSV.encode()}),
        lost="gone.csv",
    )
    asked = [
        ("E-1", "which city is largest?", CITIES, ""),
        ("E-2", "how much?", MILK, ""),
        ("E-3", "who?", CENSUS, ""),
    ]
    questions = write_questions(tmp_path / "q.tsv", asked)
    ended = done(f"answerer datasearch-qa {questions} --index {address} --allow-unanswered")
    assert ended.out.splitlines()[2:] == ["E-2\tMilk", "E-3\tCensus"]
    assert "E-2" in ended.err


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
    done(f"indexer datasets {japanese} {second} {english} {first} --index {address}")
    assert answered(tmp_path, address, QUESTIONS[3:]) == [
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
    address = built(tmp_path, ("d1", "Bus stops", files))
    asked = [
        (f"DS2-QA-E-{year}", f"How many stops did line North have in {year}?", "d1", "")
        for year in (2020, 2019, 2021)
    ]
    answers = [line.partition("\t")[2] for line in answered(tmp_path, address, asked)]
    assert answers == ["20", "19", "21"]


def test_the_trace_shows_the_derivation_in_words(address: str, tmp_path: Path) -> None:
    trace = tmp_path / "trace.jsonl"
    answered(tmp_path, address, QUESTIONS, "--trace", trace)
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


def test_a_dataset_that_is_not_there_is_said_and_answered(address: str, tmp_path: Path) -> None:
    questions = write_questions(tmp_path / "q.tsv", [("Q1", "what?", "900000000000", "")])
    ended = done(f"answerer datasearch-qa {questions} --index {address} --allow-unanswered")
    assert ended.out.splitlines()[1] == "Q1\tunknown"
    assert "900000000000" in ended.err


def test_bad_questions_leave_nothing_behind(address: str, tmp_path: Path) -> None:
    path, run = tmp_path / "q.tsv", tmp_path / "run.tsv"
    path.write_text("Q1\tno dataset\n", "utf-8")
    line = refused(f"answerer datasearch-qa {path} --index {address} -o {run}")
    assert names(line, path, 1)
    assert not run.exists()


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A table of 7,000 rows in four blocks."""
    folder = tmp_path_factory.mktemp("large")
    figures = {5555: 99_999, 3333: 1}
    rows = "".join(
        f"place{n},province {n % 70},{figures.get(n, 1_000 + n)}\n" for n in range(7_000)
    )
    table = f"Town,Province,Inhabitants\n{rows}".encode()
    return built(folder, (CITIES, "Towns", {"towns.csv": table}))


LARGE = [
    ("DS2-QA-E-1", "How many inhabitants has place5554?", CITIES, "6554"),
    ("DS2-QA-E-6", "Which town comes after place4000?", CITIES, "place4001"),
]


def test_of_a_large_dataset_the_blocks_that_match_best_are_read(
    large: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(library, "WHOLE_BLOCKS", 2)
    monkeypatch.setattr(library, "SEARCHED_BLOCKS", 2)
    trace = tmp_path / "trace.jsonl"
    lines = answered(tmp_path, large, LARGE, "--trace", trace)
    assert lines == [f"{row[0]}\t{row[3]}" for row in LARGE]
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
        done(
            f"answerer train datasearch-qa {questions} {gold} --index {address} --folds 2 "
            f"-o {model}"
        )
    assert models[0].read_bytes() == models[1].read_bytes()
    figures = json.loads(models[0].read_text("utf-8"))["figures"]
    assert figures["questions"] == 11
    assert figures["exact match"] >= 10 / 11
    assert (
        load_weights(str(models[0]))[0]["op max & longest"] == DEFAULT_WEIGHTS["op max & longest"]
    )
    trace = tmp_path / "trace"
    lines = answered(tmp_path, address, QUESTIONS, "--model", models[0], "--trace", trace)
    assert lines[4] == "DS2-QA-E-5\tFrance"
    told = read_trace(trace)[0]["parameters"]
    assert told["model"] == fingerprint(models[0])
    assert [one["file"] for one in told["training data"]] == ["train.tsv", "gold.tsv"]


def test_a_question_given_twice_is_refused(address: str, tmp_path: Path) -> None:
    questions, gold = write_training(tmp_path)
    other = str(shutil.copy(gold, tmp_path / "other.tsv"))
    with pytest.raises(UserError, match="C-Kyoto"):
        train("datasearch-qa", questions, gold, questions, other, index=address, output="m")


def test_without_words_a_model_names_none_of_the_data(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(training, "OFTEN", 1)
    monkeypatch.setattr(training, "LEAST", 0.0)
    questions, gold = write_training(tmp_path)
    held = {}
    for option in ("--words", "--no-words"):
        path = tmp_path / option
        done(
            f"answerer train datasearch-qa {questions} {gold} --index {address} --folds 2 "
            f"-o {path} {option}"
        )
        held[option] = read_model(path, "datasearch-qa").feature_names
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
        train("datasearch-qa", questions, gold, index=address, output=tmp_path / "m")


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
