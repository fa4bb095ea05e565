"""Waiting for servers in trouble: what passes is tried again for a minute and a half, and a user is told of it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TypeVar

from indexer.engines.connection import PassingTrouble, talking
from indexer.files.talk import say
from indexer.location import Location

PATIENCE_SECONDS = 90.0
FIRST_WAIT_SECONDS = 0.5
LONGEST_WAIT_SECONDS = 8.0
SILENT_SECONDS = 2.0  # what is over by then is not worth a word

Answer = TypeVar("Answer")


def patiently(
    location: Location,
    action: Callable[[], Answer],
    gone: str = "",
    hurried: threading.Event | None = None,
    why: Callable[[], str] = str,
) -> Answer:
    """What an action on a server gives, tried again while the trouble is one that passes.

    The action may be done twice: an answer that got lost on its way counts as none. UserError when the trouble
    lasts, at once when it is none that passes or `hurried` is set. `gone` as `talking` has it; `why` is asked once,
    and what it gives follows the trouble's line.
    """
    started, wait, more = time.monotonic(), FIRST_WAIT_SECONDS, None
    pause = hurried or threading.Event()
    while True:
        try:
            with talking(location, gone):
                return action()
        except PassingTrouble as trouble:
            if pause.is_set():
                raise
            passed = time.monotonic() - started
            if more is None and passed + wait > SILENT_SECONDS:
                if passed > PATIENCE_SECONDS:  # a long merge, say, that went well until now
                    started, passed = time.monotonic(), 0.0
                more = why()
                say(f"waiting, at most {PATIENCE_SECONDS:.0f} seconds: {trouble}{more}")
            if passed + wait > PATIENCE_SECONDS:
                raise PassingTrouble(f"{trouble}{more or ''}; waited for {passed:.0f} seconds") from None
        pause.wait(wait)
        wait = min(LONGEST_WAIT_SECONDS, 2 * wait)
