"""Of a fixed three thousand changed inputs those for commands, apart from the others so that both run at a time."""

from __future__ import annotations

from pathlib import Path

from tests.fuzz.pieces import INPUTS, fuzz, shared_out
from tests.fuzz.targets import commands


def test_what_commands_get_is_read_or_clearly_refused(corpus: Path) -> None:
    targets = {name: count for name, count in shared_out(INPUTS).items() if name in commands()}
    assert sum(targets.values()) == 60
    assert min(targets.values()) >= 1
    assert list(fuzz(corpus, targets, seed=0)) == []
