"""The worker processes of a server: what they leave behind."""

from __future__ import annotations

import asyncio
import tempfile
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import NoReturn

import pytest

from answerer.serve.pool import ServerLimits, server_pool


def test_a_process_that_cannot_start_leaves_no_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(_: object) -> NoReturn:
        raise OSError("no process")

    async def start() -> None:
        async with server_pool(ServerLimits(), ()):
            pass

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(ForkServerProcess, "start", refused)
    with pytest.raises(OSError, match="no process"):
        asyncio.run(start())
    assert list(tmp_path.iterdir()) == []
