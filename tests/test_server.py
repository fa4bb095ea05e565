"""The server that `make elasticsearch` runs: where its indexes stay, what it says, how it ends."""

from __future__ import annotations

import os
import pty
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from tests import server
from tests.conftest import no_elasticsearch
from tests.distribution import UnavailableError, data_folder, install, open_to_all
from tests.node import Node, free_port
from tests.places import ROOT


def test_a_user_s_indexes_stay_where_programs_keep_data(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    assert data_folder() == tmp_path / ".local/share/classical-qa/elasticsearch"
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    assert data_folder() == tmp_path / "data/classical-qa/elasticsearch"
    assert data_folder().is_dir()


@pytest.mark.server
@pytest.mark.process
def test_it_says_what_happens_and_ends_with_its_terminal(tmp_path: Path) -> None:
    try:
        install()
        place = Path(tempfile.mkdtemp(dir=open_to_all()))
    except UnavailableError as error:
        no_elasticsearch(error)
    place.chmod(0o755)
    port = free_port()
    # Its data are not those of whoever runs this test.
    program = f"from pathlib import Path; from tests import server; server.data_folder = lambda: Path({str(place)!r}); server.main()"
    process, terminal = pty.fork()
    if not process:
        os.chdir(ROOT)
        os.execv(sys.executable, [sys.executable, "-c", program, "--port", str(port)])  # noqa: S606
    told = b""
    while b"Ctrl-C stops it" not in told:
        told += os.read(terminal, 1000)
    lines = told.decode().splitlines()
    assert lines[0].startswith("Starting Elasticsearch")
    assert f"on port {port};" in lines[0]
    assert lines[1] == f"export ELASTICSEARCH_URL=http://localhost:{port}"
    second = subprocess.run(
        [sys.executable, "-c", program, "--port", str(free_port())],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert second.returncode == 1
    assert second.stderr == f"error: another server runs on {place} (one at a time): stop it\n"
    os.close(terminal)  # as a window that is closed does
    _, status = os.waitpid(process, 0)
    shutil.rmtree(place)
    assert os.waitstatus_to_exitcode(status) == 128 + signal.SIGHUP
    with socket.socket() as client:
        assert client.connect_ex(("127.0.0.1", port)) != 0


def test_a_server_that_is_killed_is_an_error_with_its_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def launch(node: Node) -> None:
        node._process = subprocess.Popen(["sh", "-c", "kill -9 $$"])

    monkeypatch.setattr("tests.node.install", lambda: None)
    monkeypatch.setattr("tests.server.installed", lambda: True)
    monkeypatch.setattr("tests.server.data_folder", lambda: tmp_path)
    monkeypatch.setattr(Node, "launch", launch)
    for name in ("wait", "_prepare"):
        monkeypatch.setattr(Node, name, lambda _: None)
    monkeypatch.setattr("sys.argv", ["tests.server", "--port", str(free_port())])
    monkeypatch.setattr("signal.signal", lambda *_: None)
    with pytest.raises(SystemExit) as ended:
        server.main()
    assert ended.value.code == f"error: Elasticsearch ended (signal 9); log: {tmp_path}/output.log"
