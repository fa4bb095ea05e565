"""`python -m answerer ntcir-term`: sheets filled, lists, limits, siblings, traces and the errors a
user can mend."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

from answerer.formats.answer_sheet import AnswerSlot, Section, read_sheet
from answerer.formats.length_limit import Limit
from answerer.ntcir.term.candidates import TermCandidate
from answerer.ntcir.term.entity_types import Span
from answerer.ntcir.term.language import TermLanguage
from answerer.ntcir.term.ranking import ASKED
from answerer.ntcir.term.task import command, select_answers
from evaluation.tasks.ntcir_term import report_questions
from indexer.analysis.glossary import Entry, Glossary
from indexer.analysis.years import Years
from indexer.languages.japanese import JAPANESE
from indexer.sources.textbook.build import command as index_textbook
from retriever.passages import Passage
from tests.answerer.formats.sheets import section, sheet, write
from tests.places import SAMPLES
from tests.programs import invoked, json_lines, refusal


@pytest.fixture(scope="module")
def indexes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of indexes of both sample textbooks with their glossaries, as a user's
    `indexes/`."""
    folder = tmp_path_factory.mktemp("work") / "indexes"
    for language in ("ja", "en"):
        book, glossary = (
            str(SAMPLES / f"textbook-{language}.jsonl"),
            str(SAMPLES / f"glossary-{language}.csv"),
        )
        arguments = [book, "--terms", glossary, "--index", str(folder / f"textbook-{language}")]
        invoked(index_textbook, *arguments)
    return folder


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(command, [str(argument) for argument in arguments])


refused = partial(refusal, command)


@pytest.mark.parametrize(("language", "right"), [("en", 7), ("ja", 4)])
def test_most_sample_questions_are_answered_rightly(
    indexes: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, language: str, right: int
) -> None:
    monkeypatch.chdir(indexes.parent)
    done = run(SAMPLES / f"term-{language}.xml", "-o", tmp_path / "run.xml")
    assert done.exception is None
    judged = report_questions(SAMPLES / f"term-{language}.gold.xml", tmp_path / "run.xml").questions
    assert sum(row.score for row in judged) >= right
    assert all(row.answer for row in judged)


def test_everything_but_the_expressions_comes_back_unchanged(indexes: Path, tmp_path: Path) -> None:
    source = SAMPLES / "term-en.xml"
    assert (
        run(source, "--index", indexes / "textbook-en", "-o", tmp_path / "run.xml").exception
        is None
    )
    before, after = (
        source.read_text("utf-8").splitlines(),
        (tmp_path / "run.xml").read_text("utf-8").splitlines(),
    )
    assert len(before) == len(after)
    assert all("<expression>" in old for old, new in zip(before, after, strict=True) if old != new)


def test_two_runs_are_the_same_byte_for_byte(indexes: Path, tmp_path: Path) -> None:
    for name in ("a", "b"):
        arguments = (
            "--index",
            indexes / "textbook-ja",
            "-o",
            tmp_path / f"{name}.xml",
            "--trace",
            tmp_path / name,
        )
        assert run(SAMPLES / "term-ja.xml", *arguments).exception is None
    assert (tmp_path / "a.xml").read_bytes() == (tmp_path / "b.xml").read_bytes()
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_the_trace_shows_candidates_with_signals_and_passages(
    indexes: Path, tmp_path: Path
) -> None:
    arguments = (
        "--index",
        indexes / "textbook-en",
        "-o",
        tmp_path / "run.xml",
        "--trace",
        tmp_path / "trace",
    )
    assert run(SAMPLES / "term-en.xml", *arguments).exception is None
    rows = json_lines(tmp_path / "trace")
    assert rows[0]["run"]["task"] == "ntcir-term"
    row = rows[1]
    assert (row["question_id"], row["system"], row["focus"]) == (
        "S-EN-TERM-1",
        "Marco Polo",
        "merchant",
    )
    best = row["candidates"][0]
    assert best["text"] == "Marco Polo"
    assert set(best["features"]) == set(ASKED)
    assert best["score"] == pytest.approx(
        sum(ASKED[name] * value for name, value in best["features"].items()), rel=1e-4
    )
    evidence = best["evidence"][0]
    assert evidence["doc_id"] == "textbook-en-0000018-005"
    assert "Marco Polo, a merchant of Venice" in evidence["text"]
    assert {"merchant", "venic"} <= set(evidence["terms"])


def test_sections_with_one_instruction_answer_differently(indexes: Path, tmp_path: Path) -> None:
    assert (
        run(
            SAMPLES / "term-ja.xml", "--index", indexes / "textbook-ja", "-o", tmp_path / "run.xml"
        ).exception
        is None
    )
    filled = read_sheet(tmp_path / "run.xml")
    first, second = (filled.sections[place].answers[0].expressions[0].text for place in (3, 4))
    assert first == "クレイステネス" != second


def test_a_sheet_of_essays_only_is_refused(indexes: Path) -> None:
    message = refused(SAMPLES / "essay-en.xml", "--index", indexes / "textbook-en")
    assert "no section asks for a term; `classical-qa answer ntcir-essay` writes essays" in message


def test_essays_of_a_mixed_sheet_are_left_and_named(indexes: Path, tmp_path: Path) -> None:
    done = run(
        SAMPLES / "sheet-en.xml", "--index", indexes / "textbook-en", "-o", tmp_path / "run.xml"
    )
    assert done.exception is None
    assert "(no terms; `ntcir-sheet` fills essays too): S-EN-ESSAY-1, S-EN-ESSAY-2" in done.stderr


def test_an_unknown_match_type_is_named_with_its_line(indexes: Path, tmp_path: Path) -> None:
    path = write(tmp_path, sheet(section(kind="term_person", match="loose", limit="-1")))
    message = refused(path, "--index", indexes / "textbook-en", "-o", tmp_path / "run.xml")
    assert message.startswith(f"{path}:12: ")
    assert not (tmp_path / "run.xml").exists()


def test_a_question_that_finds_nothing_is_named_and_left(indexes: Path, tmp_path: Path) -> None:
    path = write(
        tmp_path,
        sheet(section(kind="term_person", match="exact", limit="-1", instruction="Qwxyz zzyzx?")),
    )
    done = run(
        path, "--index", indexes / "textbook-en", "--allow-unanswered", "-o", tmp_path / "run.xml"
    )
    assert done.exception is None
    assert "no candidate for all answers of: A1-1" in done.stderr
    assert (tmp_path / "run.xml").read_bytes() == path.read_bytes()


def _candidate(text: str) -> TermCandidate:
    return TermCandidate(
        text, Span(text, 0, len(text), "name"), Passage("d", "p", "", text, 1.0, 1.0)
    )


def _section(answers: int = 1, kind: str = "singleton", most: int | None = None) -> Section:
    limit = Limit(most, "characters" if most else None)
    slots = (AnswerSlot("exact", None, limit, limit, ()) for _ in range(answers))
    return Section(
        section_id="S",
        label="S",
        answer_style="description_unlimited",
        answer_type="term_other",
        instruction=(),
        grand_questions=(),
        references=(),
        keywords=(),
        viewpoints=(),
        answer_set_type=kind,
        answers=tuple(slots),
    )


TOOLS = TermLanguage(
    JAPANESE,
    Glossary(
        (
            Entry("アメリカ合衆国", aliases=("米国",)),
            Entry("後漢", start=Years(25, 25, "25")),
            Entry("殷", start=Years(-1600, -1600, "前1600")),
        )
    ),
)


def test_a_list_is_filled_in_full_and_nothing_stands_twice_or_inside_another() -> None:
    ranked = [_candidate(text) for text in ("オスマン帝国", "帝国", "オスマン", "ムガル朝", "清")]
    assert select_answers(_section(3, "unordered_list"), ranked, TOOLS) == (
        "オスマン帝国",
        "ムガル朝",
        "清",
    )


def test_a_list_longer_than_the_candidates_keeps_empty_places() -> None:
    assert select_answers(_section(2, "unordered_list"), [_candidate("清")], TOOLS) == ("清", "")


def test_an_ordered_list_of_dated_names_stands_in_order_of_time() -> None:
    ranked = [_candidate(text) for text in ("後漢", "殷", "1453年")]
    assert select_answers(_section(3, "ordered_list"), ranked, TOOLS) == ("殷", "後漢", "1453年")


def test_a_name_over_the_limit_gives_way_to_its_shorter_alias_else_to_the_next() -> None:
    ranked = [_candidate(text) for text in ("グレートブリテン", "アメリカ合衆国", "清")]
    assert select_answers(_section(most=3), ranked, TOOLS) == ("米国",)


@given(
    st.lists(
        st.text(st.characters(categories=("Lo", "Lu", "Nd")), min_size=1, max_size=12), max_size=12
    ),
    st.integers(1, 10),
    st.integers(1, 4),
)
def test_no_term_is_over_its_limit_whatever_the_limit(
    texts: list[str], most: int, answers: int
) -> None:
    chosen = select_answers(
        _section(answers, "unordered_list", most), [_candidate(text) for text in texts], TOOLS
    )
    assert len(chosen) == answers
    assert all(len(text) <= most for text in chosen)
