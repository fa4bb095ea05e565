"""The worker processes of a server: what they leave behind."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path
from typing import NoReturn

import pytest

from answerer.serve.pool import ServerLimits, ServerPool


def test_a_process_that_cannot_start_leaves_no_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def refused(*_: object, **__: object) -> NoReturn:
        raise OSError("no process")

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(asyncio, "create_subprocess_exec", refused)
    with pytest.raises(OSError, match="no process"):
        asyncio.run(ServerPool(ServerLimits(), ()).start())
    assert list(tmp_path.iterdir()) == []
