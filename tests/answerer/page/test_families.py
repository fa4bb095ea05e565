"""Signals are added up by family and called in plain words."""

from __future__ import annotations

from answerer.page.drawn import ReasonPart, parts
from answerer.registry import tasks


def test_signals_of_one_family_are_added_up_the_strongest_first() -> None:
    signals = {"pmi_sentence": 0.5, "pmi_best_window": 0.25, "latent_rest": -1.0, "known": 0.0}
    assert parts(tasks()["ntcir-mc"], signals) == [
        ReasonPart("the same subject matter", -1.0),
        ReasonPart("the names occur together", 0.75),
    ]


def test_a_family_that_adds_up_to_nothing_is_left_out() -> None:
    assert parts(tasks()["ntcir-mc"], {"pmi_sentence": 0.5, "pmi_window": -0.5}) == []


def test_a_signal_that_nobody_knows_keeps_its_name() -> None:
    assert parts(tasks()["selqa"], {"quite new": 1.0}) == [ReasonPart("quite new", 1.0)]


def test_a_pattern_of_another_task_does_not_count() -> None:
    assert parts(tasks()["ntcir-mc"], {"table best": 1.0}) == [ReasonPart("table best", 1.0)]
