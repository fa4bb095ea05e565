"""A real Elasticsearch for the tests; `python -m tests.server` runs one for a user without
Docker."""

from __future__ import annotations

import argparse
import contextlib
import fcntl
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from tests.container import Container
from tests.distribution import VERSION, UnavailableError, data_folder, installed
from tests.node import START_SECONDS, Node
from tests.places import ROOT

POLL_SECONDS = 0.2
ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def new_server(password: str = "") -> Node | Container:
    """A server of one's own, not started yet: in a container where Docker answers, else from Maven
    Central."""
    try:
        return Container(password)
    except UnavailableError as without_docker:
        try:
            return Node(password=password)
        except UnavailableError as without_maven:
            raise UnavailableError(f"{without_docker}, and {without_maven}") from None


def started_server(password: str = "") -> Node | Container:
    """A running server of one's own; a container that cannot start (no image) is replaced by
    Maven's server."""
    server = new_server(password)
    try:
        server.start()
    except UnavailableError:
        server.remove()
        if isinstance(server, Node):
            raise
    except BaseException:
        server.remove()
        raise
    else:
        return server
    replacement = Node(password=password)
    replacement.start()
    return replacement


def shared_url(session: Path) -> str:
    """The URL of the one server of a test session, started by whoever asks first; to be called
    under a lock.

    A keeper process of its own holds the server and ends it when the test session's process is
    gone, in whatever way it went. UnavailableError says why there is none; it is asked only once.
    """
    state = session / "server"
    if not state.exists():
        command = [
            sys.executable,
            "-m",
            "tests.server",
            "--session",
            str(session),
            "--pid",
            session.name.split("-")[-1],
        ]
        with (session / "keeper.log").open("wb") as log, (session / "alive").open("w") as alive:
            fcntl.flock(
                alive, fcntl.LOCK_EX
            )  # held by the keeper until it is gone, however it goes
            keeper = subprocess.Popen(
                command,
                cwd=ROOT,  # a test may have gone elsewhere
                stdout=log,
                stderr=log,
                start_new_session=True,
                pass_fds=[alive.fileno()],
            )
        (session / "keeper").write_text(str(keeper.pid))
        _wait_for(state, keeper)
    kind, _, said = state.read_text().partition(" ")
    if kind == "error":
        raise UnavailableError(said)
    return said


def end_shared(session: Path) -> None:
    """End the session's server, if one was started, and wait until it is gone."""
    if not (session / "keeper").exists():
        return
    with contextlib.suppress(ProcessLookupError):
        os.kill(int((session / "keeper").read_text()), signal.SIGTERM)
    deadline = time.monotonic() + START_SECONDS
    with (session / "alive").open("w") as alive:
        while time.monotonic() < deadline:
            try:
                fcntl.flock(alive, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                time.sleep(POLL_SECONDS)
            else:
                return


def _wait_for(state: Path, keeper: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + 3 * START_SECONDS
    while not state.exists():
        if keeper.poll() is not None or time.monotonic() > deadline:
            said = (state.parent / "keeper.log").read_text(errors="replace").strip().splitlines()
            _write(state, f"error the server's keeper ended: {said[-1] if said else 'no output'}")
        time.sleep(POLL_SECONDS)


def _keep(session: Path, pid: int) -> None:
    """Hold a server as long as a process lives; its URL, or the reason why there is none, goes to a
    file."""
    state = session / "server"
    try:
        server = started_server()
    except UnavailableError as error:
        _write(state, f"error {error}")
        return
    try:
        _write(state, f"url {server.url}")
        while _lives(pid):
            time.sleep(POLL_SECONDS)
    finally:
        server.remove()


def _foreground(port: int) -> None:
    """Run a server until Ctrl-C; its data stay for the next time."""
    with socket.socket() as listener:
        if listener.connect_ex(("127.0.0.1", port)) == 0:
            raise UnavailableError(
                f"something listens on port {port} already: choose another (make elasticsearch PORT=…)"
            )
    folder = data_folder()
    with _only_one(folder):
        if not installed():
            _tell(f"Fetching Elasticsearch {VERSION} from Maven Central (99 MB, only once) …")
        server = Node(folder=folder, port=port, java_options="")
        _tell(f"Starting Elasticsearch {VERSION} on port {port}; this takes up to a minute …")
        try:
            server.start()
            print(f"export ELASTICSEARCH_URL={server.url}", flush=True)
            _tell(
                f"Elasticsearch runs at {server.url}; Ctrl-C stops it, its indexes stay in {folder}."
            )
            while server.running():
                time.sleep(POLL_SECONDS)
            raise UnavailableError(f"Elasticsearch ended ({server.end()}); log: {server.log}")
        finally:
            server.remove()


@contextlib.contextmanager
def _only_one(folder: Path) -> Iterator[None]:
    """Context manager that holds a folder for one server; UnavailableError if another has it."""
    with (folder / "in-use").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise UnavailableError(
                f"another server runs on {folder} (one at a time): stop it"
            ) from None
        yield


def _tell(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def _end(number: int, _frame: object) -> None:
    """Ends the program as Ctrl-C does, so that its server is stopped; a second signal while that
    happens (a closed terminal's, and make's own) is ignored."""
    for signal_number in ENDING:
        signal.signal(signal_number, signal.SIG_IGN)
    sys.exit(128 + number)


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def _write(path: Path, text: str) -> None:
    aside = path.with_suffix(".new")
    aside.write_text(text)
    aside.rename(path)


def main() -> None:
    """The command line; Ctrl-C, SIGTERM and a closed terminal stop the server."""
    parser = argparse.ArgumentParser(prog="python -m tests.server", description=__doc__)
    parser.add_argument("--port", type=int, default=9200, help="where it listens (default 9200)")
    parser.add_argument("--session", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--pid", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    for signal_number in ENDING:
        signal.signal(signal_number, _end)
    try:
        if options.session:
            _keep(options.session, options.pid)
        else:
            _foreground(options.port)
    except UnavailableError as error:
        sys.exit(f"error: {error}")


if __name__ == "__main__":
    main()
