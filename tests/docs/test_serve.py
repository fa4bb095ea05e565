"""Every command of docs/serve.md does what it says: servers are started, what follows asks them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.answerer.serve.server import Command, started
from tests.docs.pages import commands, run
from tests.places import ROOT

pytestmark = pytest.mark.process

SERVE = "classical-qa serve "


@pytest.mark.skipif(not shutil.which("curl"), reason="the page's commands ask the server with curl")
def test_every_command_runs(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "samples", tmp_path / "samples")
    server: Command | None = None
    answered = []
    for command in commands("docs/serve.md", "serve"):
        if command.startswith(SERVE):
            if server:
                assert server.end()[0] == 143
            server = started(*command.removeprefix(SERVE).split(), folder=tmp_path)
            continue
        port = server.port if server else 0
        done = run(
            command.replace(":8000", f":{port}").replace(
                "curl ", "curl --silent --show-error --fail "
            ),
            tmp_path,
        )
        assert done.returncode == 0, f"{command}\n{done.stderr}"
        answered.append(done.stdout)
    assert server
    assert server.end()[0] == 143
    assert json.loads(answered[1])["answers"][0]["text"]
    assert "query" in json.loads(answered[2])["row"]["candidates"][0]  # slqal's
    assert len(json.loads(answered[3])["result"]["answers"]) == 1
    assert len(json.loads(answered[6])["questions"]) == 20
