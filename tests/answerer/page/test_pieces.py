"""Pieces join to their text again, whatever it holds, and mark what was asked for."""

from __future__ import annotations

import time

from hypothesis import given
from hypothesis import strategies as st

from answerer.page.pieces import (
    MarkedPiece,
    MarkSpan,
    Pieces,
    as_printed,
    cut_text,
    keyword_spans,
    name_spans,
    term_spans,
)
from answerer.trace import TraceMark


def joined(pieces: Pieces) -> str:
    return "".join(piece if isinstance(piece, str) else piece.text for piece in pieces)


def marked(pieces: Pieces) -> list[str]:
    return [piece.text for piece in pieces if isinstance(piece, MarkedPiece)]


SPANS = st.lists(
    st.builds(MarkSpan, st.integers(-2, 30), st.integers(-2, 30), st.just("term")), max_size=6
)


@given(st.text(max_size=25), SPANS)
def test_pieces_join_to_the_text(text: str, spans: list[MarkSpan]) -> None:
    assert joined(cut_text(text, spans)) == text


@given(st.text(max_size=25), SPANS, SPANS)
def test_what_a_paper_marks_leaves_the_text_as_it_is(
    text: str, spans: list[MarkSpan], printed: list[MarkSpan]
) -> None:
    marks = [TraceMark(kind="wavy", start=span.start, end=span.end) for span in printed]
    labels = [
        TraceMark(kind="label", start=span.start, end=span.start, label="map") for span in printed
    ]
    assert joined(as_printed(cut_text(text, spans), [*marks, *labels])) == text


@given(st.text(max_size=40), st.dictionaries(st.text(max_size=5), st.floats(0, 9), max_size=4))
def test_any_text_can_be_marked_with_any_terms(text: str, terms: dict[str, float]) -> None:
    names = name_spans(text, terms)
    assert (
        joined(
            cut_text(text, [*term_spans(text, terms), *names, *keyword_spans(text, list(terms))])
        )
        == text
    )


def test_english_words_are_found_by_their_stems() -> None:
    text = "His code rested on principles; the rest did not."
    assert marked(cut_text(text, term_spans(text, {"rest": 4.5, "principl": 4.0}))) == [
        "rested",
        "principles",
        "rest",
    ]


def test_words_without_blanks_between_them_are_found_by_their_characters() -> None:
    text = "长河大学创办于1921年"
    assert marked(cut_text(text, term_spans(text, {"大学": 1.2, "1921": 1.0}))) == ["大学", "1921"]


def test_a_name_is_found_by_its_terms_in_any_order() -> None:
    text = "Octavian or Julius Caesar defeated Antony."
    pieces = cut_text(text, name_spans(text, {"“caesar juliu”": -2.0, "octavian": 1.0}))
    assert [(p.text, p.value) for p in pieces if isinstance(p, MarkedPiece)] == [
        ("Octavian", 1.0),
        ("Julius Caesar", -2.0),
    ]


def test_a_known_name_is_found_as_it_is_called() -> None:
    text = "It followed the Law of the Twelve Tables."
    assert marked(cut_text(text, name_spans(text, {"twelve tables": 1.0}))) == ["Twelve Tables"]


def test_each_name_is_marked_once_and_by_its_characters_whatever_is_found_before() -> None:
    spans = name_spans(
        "Rome wrote report 984b to Octavian.", {"rome": 1.0, "octavian": 1.0, "84b": 1.0}
    )
    assert [(span.start, span.end) for span in spans] == [(0, 4), (26, 34), (19, 22)]


def test_a_name_that_nearly_stands_there_all_along_takes_time_as_the_text() -> None:
    began = time.process_time()
    assert (
        name_spans("rome nile " * 2_000 + "oder", {"rome nile elbe": 1.0, "rome nile oder": 2.0})
        != []
    )
    assert (
        time.process_time() - began < 1
    )  # some hundredths of a second; with the square of the words 6


def test_of_spans_that_overlap_the_first_and_longest_counts() -> None:
    spans = [MarkSpan(2, 4, "term"), MarkSpan(0, 3, "term"), MarkSpan(0, 1, "term")]
    assert marked(cut_text("abcdef", spans)) == ["abc"]


def test_a_word_of_katakana_that_is_several_terms_is_marked_whole() -> None:
    (first, *_) = term_spans("アッシリアの王", {"アッ": 1.0, "シリア": 2.0})
    assert (first.start, first.end, first.value) == (0, 5, 3.0)
    assert marked(cut_text("大学入試", term_spans("大学入試", {"大学": 1.0, "入試": 1.0}))) == [
        "大学",
        "入試",
    ]
