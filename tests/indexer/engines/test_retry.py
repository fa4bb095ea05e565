"""How long trouble is waited for, by a clock of the test's own."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

from indexer.address import locate
from indexer.engines import connection
from indexer.engines.errors import TransientError
from indexer.files.errors import UserError

PLACE = locate("http://localhost:9200/book")


class Clock:
    """A clock that runs while an action works and while it is waited: the module's own, threads
    beside it keep theirs.

    It stands for the module's `time` and `threading`, of which a pause is made.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 0.0
        monkeypatch.setattr(connection, "time", self)
        monkeypatch.setattr(connection, "threading", self)

    def monotonic(self) -> float:
        return self.now

    def Event(self) -> Clock:
        return self

    def is_set(self) -> bool:
        return False

    def wait(self, seconds: float) -> None:
        self.run(seconds)

    def run(self, seconds: float) -> None:
        self.now += seconds

    def failing(self, *seconds: float) -> Callable[[], str]:
        """An action that fails after so many seconds, again and again, and then succeeds at
        once."""
        left = list(seconds)

        def action() -> str:
            if not left:
                return "done"
            self.run(left.pop(0))
            raise TransientError("away")

        return action


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


def test_a_blip_is_not_worth_a_word(clock: Clock, capsys: pytest.CaptureFixture[str]) -> None:
    assert connection.retry(PLACE, clock.failing(0, 0)) == "done"
    assert clock.now == 0.5 + 1
    assert capsys.readouterr().err == ""


def test_what_lasts_is_told_once_with_its_reason(
    clock: Clock, capsys: pytest.CaptureFixture[str]
) -> None:
    assert connection.retry(PLACE, clock.failing(10, 10, 10), why=lambda: "; it is red") == "done"
    assert capsys.readouterr().err == "waiting, at most 90 seconds: away; it is red\n"


def test_after_a_minute_and_a_half_it_ends(clock: Clock) -> None:
    with pytest.raises(UserError, match=r"^away; waited for 88 seconds$"):
        connection.retry(PLACE, clock.failing(*[0] * 100))
    assert clock.now == 0.5 + 1 + 2 + 4 + 8 * 10


def test_what_went_well_for_long_has_its_full_patience(clock: Clock) -> None:
    assert connection.retry(PLACE, clock.failing(1_800, 0, 0, 0, 0, 0)) == "done"


def test_who_is_hurried_waits_for_nothing(clock: Clock) -> None:
    hurried = threading.Event()
    hurried.set()
    with pytest.raises(UserError, match=r"^away$"):
        connection.retry(PLACE, clock.failing(0), hurried=hurried)
    assert clock.now == 0
