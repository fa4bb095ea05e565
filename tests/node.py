"""One real Elasticsearch process on this machine: started, stopped, killed, started again on the
same data."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from base64 import b64encode
from collections.abc import Mapping
from pathlib import Path

from indexer.engines.connection import trusting
from tests.authority import Authority
from tests.distribution import Installation, UnavailableError, install, open_to_all, server_user

START_SECONDS = 400
STOP_SECONDS = 30
MEMORY = "-Xms512m -Xmx512m"
QUICK_START = "-XX:TieredStopAtLevel=1"


class Node:
    """A server with a folder of its own for data, logs and settings; `url` stays the same for its
    life.

    With a password, security is on and its user is `elastic`; with an authority too, it speaks TLS.
    The Java option halves the time to start and slows what runs long: a server for use or for
    measuring is started without. `settings` are further ones, over the usual.
    """

    def __init__(
        self,
        folder: Path | None = None,
        port: int | None = None,
        password: str = "",
        java_options: str = QUICK_START,
        authority: Authority | None = None,
        settings: Mapping[str, str] | None = None,
    ) -> None:
        self._installation: Installation = install()
        self._temporary = folder is None
        self.folder = folder or Path(
            tempfile.mkdtemp(prefix="classical-qa-node-", dir=open_to_all())
        )
        self.log = self.folder / "output.log"
        self.port = port or free_port()
        self.password = password
        self._java_options = f"{MEMORY} {java_options}"
        self.transport_port = free_port()
        self._authority = authority
        self._more = dict(settings or {})
        self.url = f"{'https' if authority else 'http'}://localhost:{self.port}"
        self._process: subprocess.Popen[bytes] | None = None
        self._prepare()

    def start(self) -> None:
        """Start and wait until it answers; UnavailableError with the end of its log when it does
        not."""
        self.launch()
        self.wait()

    def launch(self) -> None:
        """Start it, and wait for nothing."""
        with self.log.open("ab") as log:
            self._process = self._run(
                ["bin/elasticsearch", *self._settings()], stdout=log, stderr=log
            )

    def wait(self) -> None:
        """Until it answers; UnavailableError with the end of its log when it does not."""
        try:
            self._wait_until_ready()
        except BaseException:
            self.kill()
            raise

    def stop(self) -> None:
        """End it in good order; killed when it does not end by itself."""
        if self._process is None:
            return
        self._process.terminate()
        try:
            self._process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.kill()
        self._process = None

    def kill(self) -> None:
        """End it at once, as a power cut does: the launcher and the server are one process
        group."""
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
            self._process = None

    def running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def end(self) -> str:
        """How its process ended by itself: `signal 9`, `status 1`; "" while it runs."""
        status = None if self._process is None else self._process.poll()
        if status is None:
            return ""
        return f"signal {-status}" if status < 0 else f"status {status}"

    def remove(self) -> None:
        """Stop it and remove what it wrote, unless its folder was given."""
        self.stop()
        if self._temporary:
            shutil.rmtree(self.folder, ignore_errors=True)

    def _wait_until_ready(self) -> None:
        deadline = time.monotonic() + START_SECONDS
        while not self._answers():
            if not self.running() or time.monotonic() > deadline:
                tail = self.log.read_text(errors="replace").splitlines()[-5:]
                raise UnavailableError("Elasticsearch did not start: " + " | ".join(tail))
            time.sleep(0.1)

    def _prepare(self) -> None:
        """The folders, owned by the server's user, and its settings with the password in the key
        store."""
        for name in ("data", "logs", "tmp"):
            (self.folder / name).mkdir(parents=True, exist_ok=True)
        if not (self.folder / "config").exists():
            shutil.copytree(self._installation.home / "config", self.folder / "config")
        if self._authority:
            self._authority.sign(self.folder / "config")
        user = server_user()
        if user is not None:
            for place in (self.folder, *self.folder.rglob("*")):
                os.chown(place, *user, follow_symlinks=False)
        if self.password and not (self.folder / "config" / "elasticsearch.keystore").exists():
            self._keystore("create")
            self._keystore("add", "-x", "bootstrap.password", text=self.password)

    def _keystore(self, *arguments: str, text: str = "") -> None:
        done = self._run(
            ["bin/elasticsearch-keystore", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
        )
        done.communicate(text.encode())
        if done.returncode:
            raise UnavailableError(f"elasticsearch-keystore {arguments[0]} failed")

    def _run(
        self, command: list[str], stdout: object = None, stderr: object = None, stdin: object = None
    ) -> subprocess.Popen[bytes]:
        """Run one of the server's programs as the server's user."""
        user, group = server_user() or (None, None)
        return subprocess.Popen(  # type: ignore[call-overload,no-any-return]
            [self._installation.home / command[0], *command[1:]],
            cwd=self.folder,
            env={
                "PATH": os.environ.get("PATH", os.defpath),
                "HOME": str(self.folder),
                "ES_JAVA_HOME": str(self._installation.java_home),
                "ES_JAVA_OPTS": self._java_options,
                "ES_PATH_CONF": str(self.folder / "config"),
                "ES_TMPDIR": str(self.folder / "tmp"),
            },
            stdin=stdin or subprocess.DEVNULL,
            stdout=stdout,
            stderr=stderr,
            user=user,
            group=group,
            extra_groups=[] if user is not None else None,
            start_new_session=True,
        )

    def _settings(self) -> list[str]:
        settings = {
            "xpack.security.enabled": "true" if self.password else "false",
            "network.host": "127.0.0.1",
            "http.port": str(self.port),
            "transport.port": str(self.transport_port),
            "path.data": str(self.folder / "data"),
            "path.logs": str(self.folder / "logs"),
            "cluster.routing.allocation.disk.threshold_enabled": "false",
            **({} if "discovery.seed_hosts" in self._more else {"discovery.type": "single-node"}),
            **(self._authority.settings() if self._authority else {}),
            **self._more,
        }
        return [piece for name, value in settings.items() for piece in ("-E", f"{name}={value}")]

    def _answers(self) -> bool:
        """Whether it is ready: `GET /` is not among the minimal server's answers, health is."""
        request = urllib.request.Request(  # noqa: S310
            f"{self.url}/_cluster/health?wait_for_status=yellow&timeout=5s"
        )
        if self.password:
            login = b64encode(f"elastic:{self.password}".encode()).decode()
            request.add_header("Authorization", f"Basic {login}")
        try:
            trusted = trusting(self._authority.certificate) if self._authority else None
            direct = urllib.request.ProxyHandler(
                {}
            )  # whatever proxy this machine reaches others by
            opener = urllib.request.build_opener(
                direct, urllib.request.HTTPSHandler(context=trusted)
            )
            with opener.open(request, timeout=10) as answer:
                return bool(answer.status == 200)
        except (urllib.error.URLError, OSError):
            return False


def free_port() -> int:
    """A port that nobody listens on, and that the system gives to nobody else for a minute.

    So long a connection that was closed holds it (TIME_WAIT): a server may listen on it, as all set
    SO_REUSEADDR.
    """
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = int(listener.getsockname()[1])
        with socket.create_connection(("127.0.0.1", port)):
            listener.accept()[0].close()
        return port
