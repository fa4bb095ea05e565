"""Tasks and exam methods of other distributions: a broken one is left out with a warning."""

from __future__ import annotations

from importlib.metadata import EntryPoint, EntryPoints

import pytest

import indexer.plug_ins
from answerer.registry import OWN, tasks
from indexer.plug_ins import plug_ins

BROKEN = EntryPoint("broken", "no_such_module:TASK", "classical_qa.tasks")
METHODS = [
    EntryPoint("shortest", "answerer.ntcir.multiple_choice.baselines:slqal", "methods"),
    EntryPoint("slqal", "answerer.ntcir.multiple_choice.baselines:slqal", "methods"),
    EntryPoint("missing", "no_such_module:method", "methods"),
]


def test_a_task_that_cannot_be_loaded_is_left_out_and_named(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(indexer.plug_ins, "entry_points", lambda group: EntryPoints([BROKEN]))
    assert [*tasks.__wrapped__()] == [task.name for task in OWN]
    (message,) = caplog.messages
    assert "the task broken is left out" in message


def test_methods_that_cannot_be_had_are_left_out_and_named(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(indexer.plug_ins, "entry_points", lambda group: EntryPoints(METHODS))
    place, text = plug_ins("methods", taken=["slqal"])["shortest"]
    assert place == "answerer.ntcir.multiple_choice.baselines:slqal"
    assert text.startswith("SLQAL as its paper has it")
    assert len(caplog.messages) == 2
