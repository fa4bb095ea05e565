"""What the rooms offer to Python: typed names that load when they are asked for, and nothing said
on the way."""

from __future__ import annotations

import importlib
import subprocess
import sys
from types import ModuleType

import pytest

from tests.places import ROOT

pytestmark = pytest.mark.process

FACES = [
    importlib.import_module(room) for room in ("indexer", "retriever", "answerer", "evaluation")
]


def rooms(module: ModuleType) -> str:
    return module.__name__


@pytest.mark.parametrize("room", FACES, ids=rooms)
def test_every_name_of_a_room_is_there(room: ModuleType) -> None:
    assert dir(room) == sorted(room.__all__)
    assert all(getattr(room, name).__doc__ for name in room.__all__)


@pytest.mark.parametrize("room", FACES, ids=rooms)
def test_an_unknown_name_is_none_of_a_room(room: ModuleType) -> None:
    with pytest.raises(
        AttributeError, match=f"module '{room.__name__}' has no attribute 'nonsense'"
    ):
        _ = room.nonsense


@pytest.mark.parametrize("room", FACES, ids=rooms)
def test_a_room_says_that_it_is_typed(room: ModuleType) -> None:
    assert (ROOT / room.__name__ / "py.typed").exists()


@pytest.mark.parametrize("room", FACES, ids=rooms)
def test_importing_a_room_loads_nothing_but_what_loads_names(room: ModuleType) -> None:
    # Without the environment's own start (-S), which may have loaded what is looked for; typing
    # itself takes re in Python 3.11.
    known = "import sys, typing; before = set(sys.modules)"
    script = f"{known}; import {room.__name__}; print(*set(sys.modules) - before)"
    done = subprocess.run(
        [sys.executable, "-S", "-c", script], capture_output=True, text=True, check=True, cwd=ROOT
    )
    loaded = set(done.stdout.split())
    assert {name for name in loaded if name.split(".")[0] not in sys.stdlib_module_names} <= {
        room.__name__,
        "indexer",
    }
    assert not loaded & {"dataclasses", "json", "logging", "pathlib", "re"}
