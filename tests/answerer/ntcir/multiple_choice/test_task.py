"""`python -m answerer ntcir-mc`: tables, folders of runs, traces and the errors a user can mend."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from answerer.formats.answer_table import read_answer_table
from answerer.ntcir.multiple_choice.methods import METHODS
from answerer.ntcir.multiple_choice.task import command
from indexer.sources.textbook.build import command as index_textbook
from tests.answerer.formats.exam.exams import choices, question, section, written
from tests.answerer.formats.exam.odd import ODD
from tests.places import SAMPLES
from tests.programs import invoked, json_lines, refusal
from tests.refusals import names


@pytest.fixture(scope="module")
def indexes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of indexes of both sample textbooks, as a user's `indexes/`."""
    folder = tmp_path_factory.mktemp("work") / "indexes"
    for language in ("ja", "en"):
        book = str(SAMPLES / f"textbook-{language}.jsonl")
        done = CliRunner().invoke(
            index_textbook, [book, "--index", str(folder / f"textbook-{language}")]
        )
        assert done.exception is None
    return folder


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(command, [str(argument) for argument in arguments])


refused = partial(refusal, command)


@pytest.mark.parametrize("language", ["ja", "en"])
def test_the_index_of_the_exams_language_is_asked_without_naming_it(
    indexes: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, language: str
) -> None:
    monkeypatch.chdir(indexes.parent)
    done = run(SAMPLES / f"sample-exam-{language}.xml", "--method", "slqal")
    assert done.exception is None
    table = tmp_path / "run.xml"
    table.write_text(done.stdout, "utf-8")
    read = read_answer_table(table)
    assert read.filename == f"sample-exam-{language}"
    assert [row.column for row in read.answers] == [f"A{n}" for n in range(1, 21)]
    assert all(row.answer.isdigit() for row in read.answers)


def test_an_index_of_paragraphs_is_asked_too(tmp_path: Path) -> None:
    address = tmp_path / "paragraphs"
    book = str(SAMPLES / "textbook-en.jsonl")
    invoked(index_textbook, book, "--unit", "paragraph", "--no-names", "--index", str(address))
    asked = run(SAMPLES / "sample-exam-en.xml", "--index", address, "--method", "slqal")
    assert asked.exception is None


def test_several_exams_make_a_folder_of_runs(indexes: Path, tmp_path: Path) -> None:
    sample = SAMPLES / "sample-exam-en.xml"
    copy = tmp_path / "Center-2001--Main-WorldHistoryB.xml"
    copy.write_bytes(sample.read_bytes())
    out = tmp_path / "runs"
    done = run(
        sample, copy, "--index", indexes / "textbook-en", "-o", f"{out}/", "--team", "WASEDA", "--priority", "2",
        "--method", "slqal",
    )  # fmt: skip
    assert done.exception is None
    assert sorted(path.name for path in out.iterdir()) == [
        "Center-2001--Main-WorldHistoryB_WASEDA_EN_02.xml",
        "sample-exam-en_WASEDA_EN_02.xml",
    ]
    one, other = sorted(out.iterdir())
    assert (
        one.read_text().replace("Center-2001--Main-WorldHistoryB", "sample-exam-en")
        == other.read_text()
    )


def test_the_trace_has_a_row_a_question(indexes: Path, tmp_path: Path) -> None:
    trace = tmp_path / "trace.jsonl"
    exam = SAMPLES / "sample-exam-en.xml"
    address = indexes / "textbook-en"
    done = run(
        exam,
        "--index",
        address,
        "-o",
        tmp_path / "run.xml",
        "--trace",
        trace,
        "--method",
        "slqal",
        "-k",
        "3",
    )
    assert done.exception is None
    header, *rows = json_lines(trace)
    assert {name: header["run"][name] for name in ("task", "method", "parameters", "engine", "language")} == {
        "task": "ntcir-mc", "method": "slqal", "parameters": {"k": 3}, "engine": "embedded", "language": "en",
    }  # fmt: skip
    assert [row["question_id"] for row in rows] == [f"A{n}" for n in range(1, 21)]
    first = rows[0]
    assert (first["shape"], first["asks"], first["exam"]) == ("sentence", "T", "sample-exam-en")
    assert "the code of King Hammurabi" in first["question"]
    assert [candidate["id"] for candidate in first["candidates"]] == ["1", "2", "3", "4"]
    best = max(first["candidates"], key=lambda candidate: candidate["score"])
    assert first["system"] == best["id"]
    assert len(best["evidence"]) == 3
    assert {"code", "king", "hammurabi"} <= set(best["query"])
    assert {term for hit in best["evidence"] for term in hit["terms"]} <= set(best["query"])
    assert set(best["evidence"][0]) == {"doc_id", "title", "text", "score", "terms"}
    assert best["score"] == pytest.approx(
        sum(hit["score"] for hit in best["evidence"]) / 3, rel=1e-5
    )


def test_answering_twice_gives_the_same_bytes(indexes: Path, tmp_path: Path) -> None:
    exam = SAMPLES / "sample-exam-ja.xml"
    made = []
    for name in ("one", "two"):
        out, trace = tmp_path / f"{name}.xml", tmp_path / f"{name}.jsonl"
        assert (
            run(exam, "--index", indexes / "textbook-ja", "-o", out, "--trace", trace).exception
            is None
        )
        made.append((out.read_bytes(), trace.read_bytes()))
    assert made[0] == made[1]


@pytest.mark.parametrize("method", METHODS)
def test_an_exam_of_odd_questions_gives_a_complete_table(
    indexes: Path, tmp_path: Path, method: str
) -> None:
    exam = written(tmp_path, *(section(odd) for odd, _, _ in ODD.values()))
    table, trace = tmp_path / "run.xml", tmp_path / "trace.jsonl"
    done = run(
        exam, "--index", indexes / "textbook-ja", "--method", method, "-o", table, "--trace", trace,
        "--allow-unanswered",
    )  # fmt: skip
    assert done.exception is None
    rows = [(row.column, bool(row.answer)) for row in read_answer_table(table).answers]
    assert rows == [
        pair
        for _, columns, counts in ODD.values()
        for pair in zip(columns, map(bool, counts), strict=True)
    ]
    assert (
        done.stderr.splitlines()[-1]
        == f"warning: left blank: 5 of {len(rows)} questions: A1, A1, A1, A1, A2"
    )
    assert len(trace.read_text("utf-8").splitlines()) == 1 + len(rows)


def test_an_exam_without_blanks_says_only_what_it_wrote(indexes: Path, tmp_path: Path) -> None:
    exam = written(tmp_path, section(question("Choose", choices("Rome", "Athens"))))
    assert (
        run(exam, "--index", indexes / "textbook-en", "-o", tmp_path / "run.xml").stderr
        == f"wrote {tmp_path}/run.xml\n"
    )


def test_oddities_of_an_exam_go_to_stderr_not_into_the_table(indexes: Path, tmp_path: Path) -> None:
    exam = written(
        tmp_path, section(question('Choose <ref target="U9">(1)</ref>', choices("Rome", "Athens")))
    )
    done = run(exam, "--index", indexes / "textbook-en")
    assert "U9" in done.stderr
    assert done.stdout.startswith("<?xml")


def test_the_index_of_another_language_is_refused(indexes: Path) -> None:
    message = refused(SAMPLES / "sample-exam-en.xml", "--index", indexes / "textbook-ja")
    assert "'ja'" in message
    assert "'en'" in message


def test_without_an_index_both_remedies_are_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    message = refused(SAMPLES / "sample-exam-en.xml")
    assert "classical-qa index textbook" in message
    assert "ELASTICSEARCH_URL" in message
    assert "\n" not in message


def test_a_bad_exam_writes_nothing(indexes: Path, tmp_path: Path) -> None:
    bad = tmp_path / "bad.xml"
    bad.write_text("<exam>")
    out = tmp_path / "runs"
    refused(
        SAMPLES / "sample-exam-en.xml", bad, "--index", indexes / "textbook-en", "-o", f"{out}/"
    )
    assert not out.exists()


def test_exams_of_two_languages_are_answered_apart(indexes: Path, tmp_path: Path) -> None:
    message = refused(
        SAMPLES / "sample-exam-en.xml", SAMPLES / "sample-exam-ja.xml", "-o", f"{tmp_path}/"
    )
    assert names(message, SAMPLES / "sample-exam-ja.xml")


def test_several_exams_need_a_folder(tmp_path: Path) -> None:
    one, other = (
        written(tmp_path, section(question("Choose")), name=f"{name}.xml") for name in "ab"
    )
    assert "-o FOLDER/" in refused(one, other)
    file = tmp_path / "taken.xml"
    file.write_text("")
    assert "-o FOLDER/" in refused(one, other, "-o", file)


def test_exams_of_one_name_are_refused(tmp_path: Path) -> None:
    (tmp_path / "x").mkdir()
    one = written(tmp_path, section(question("Choose")))
    other = written(tmp_path / "x", section(question("Choose")))
    assert names(refused(one, other, "-o", f"{tmp_path}/runs/"), one)


def test_a_team_that_is_no_part_of_a_file_name_is_refused(tmp_path: Path) -> None:
    exam = written(tmp_path, section(question("Choose")))
    assert "--team '../x'" in refused(exam, "-o", f"{tmp_path}/runs/", "--team", "../x")
