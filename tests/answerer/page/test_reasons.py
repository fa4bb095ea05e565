"""What was counted of a name, in words."""

from __future__ import annotations

from answerer.page.drawn import counted_words, draw_question
from answerer.page.pieces import MarkedPiece
from answerer.trace import TraceCount
from tests.answerer.traces import question


def test_names_beside_a_name_and_where_the_rest_leads() -> None:
    beside = (("a", 4, 7.25, 2), ("b", 1, 1.5, 1), ("c", 0, 0.5, 3), ("d", 0, 0.1, 0))
    counted = TraceCount(beside=beside, led=(0.975, 0.0244))
    assert counted_words(counted, {key: key.upper() for key in "abc"}) == [
        "stands together with A in 4 paragraphs (7.2 times chance), B in 1 paragraph (1.5 times "
        "chance), "
        "C only in 3 sections",
        "occurs in 98% of what the rest of the statement finds (in 2.4% of the book)",
    ]


def test_a_name_alone_and_one_that_stands_nowhere_with_it() -> None:
    assert (
        counted_words(TraceCount(beside=(("d", 0, 0.1, 0),), led=(0.0, 0.5)), {})[0]
        == "never stands together with d"
    )
    assert len(counted_words(TraceCount(beside=(), led=(0.0, 0.5)), {})) == 1


def test_a_passage_that_decided_says_why_and_has_its_names_marked() -> None:
    statement = {
        "text": "Macedonia and Rome.",
        "score": 1.0,
        "names": {"macedon": {"sum": 2.0, "known": 2.0}},
        "places": {"macedon": [0, 9], "rome": [14, 18]},
        "counted": {"macedon": {"beside": [["rome", 2, 3.0, 1]], "led": [0.5, 0.25]}},
    }
    passage = {
        "doc_id": "d",
        "text": "Rome beat Macedon.",
        "says": "both stand here",
        "names": ["macedon"],
        "terms": {},
    }
    one = {"id": "1", "text": "Macedonia and Rome.", "score": 1.0, "statements": [statement]}
    row = {
        "question_id": "A1",
        "question": "?",
        "system": "1",
        "candidates": [{**one, "evidence": [passage]}],
    }
    found = draw_question("ntcir-mc", question(row)).candidates[0]
    assert found.reasons[0].name == "Macedonia"
    assert (
        found.reasons[0].counted[0] == "stands together with Rome in 2 paragraphs (3 times chance)"
    )
    assert found.passages[0].says == "both stand here"
    assert found.passages[0].text == [
        "Rome beat ",
        MarkedPiece("Macedon", "name", 2.0, "macedon"),
        ".",
    ]
