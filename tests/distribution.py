"""Elastic's own minimal server from Maven Central: found, fetched once, and unpacked where its user
can read it."""

from __future__ import annotations

import fcntl
import os
import pwd
import re
import shutil
import subprocess
import tempfile
import zipfile
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

COMPOSED = "8.19.14"  # the version in docker-compose.yml
VERSION = os.environ.get("TEST_ELASTICSEARCH_VERSION", COMPOSED)
UNPACKED = f"elasticsearch-{VERSION}"
ARTIFACT = f"org.elasticsearch.distribution.integ-test-zip:elasticsearch:{VERSION}:zip"
OLDEST_JAVA = 17
ATTEMPTS = 3  # a network may fail for once


class UnavailableError(Exception):
    """Why no real Elasticsearch can be had here."""


class Installation(NamedTuple):
    """An unpacked server and what it takes to start it."""

    home: Path
    java_home: Path


def install() -> Installation:
    """The unpacked server; the first call on a machine fetches it (99 MB). UnavailableError without
    Java or Maven."""
    java_home = find_java()
    cache = cache_folder()
    home = cache / UNPACKED
    with (cache / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not home.exists():
            archive = _fetch(cache)
            _unpack(archive, home)
            archive.unlink()
    return Installation(home, java_home)


def installed() -> bool:
    """Whether the server was fetched and unpacked before."""
    return (cache_folder() / UNPACKED).exists()


def cache_folder() -> Path:
    """Where the server lies unpacked between runs: root's home is closed to the user that runs it,
    others' may be."""
    user = os.geteuid()
    if user != 0:
        with suppress(OSError, RuntimeError):  # no home, or one that is closed
            folder = (
                Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "classical-qa"
            )
            folder.mkdir(parents=True, exist_ok=True)
            return folder
    folder = open_to_all() / (
        f"classical-qa-elasticsearch-{user}" if user else "classical-qa-elasticsearch"
    )
    folder.mkdir(exist_ok=True)
    if folder.is_symlink() or folder.stat().st_uid != user:
        raise UnavailableError(f"{folder} belongs to somebody else")
    folder.chmod(0o755)  # whatever the umask
    return folder


def data_folder() -> Path:
    """Where a user's server keeps its indexes: never in a temporary folder, which a restart of the
    machine may empty. Root's home is closed to the user that runs it."""
    home = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local/share"
    folder = Path(home if os.geteuid() else "/var/lib") / "classical-qa" / "elasticsearch"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not os.geteuid():
            folder.parent.chmod(0o755)  # whatever the umask: another user runs the server
    except OSError as error:
        raise UnavailableError(f"{folder} cannot be made ({error.strerror})") from None
    return folder


def open_to_all() -> Path:
    """A folder for temporary files that every user can reach, and Java and its scripts whatever the
    locale."""
    for folder in (Path(tempfile.gettempdir()), Path("/tmp"), Path("/var/tmp")):  # noqa: S108
        plain = re.fullmatch(r"[\w./-]+", str(folder), re.ASCII)
        if (
            plain
            and folder.is_dir()
            and all(place.stat().st_mode & 0o001 for place in (folder, *folder.parents))
        ):
            return folder
    raise UnavailableError("there is no temporary folder that every user can reach")


def server_user() -> tuple[int, int] | None:
    """The user and group to run as: Elasticsearch refuses root. None: as oneself."""
    if os.geteuid() != 0:
        return None
    nobody = pwd.getpwnam("nobody")
    return nobody.pw_uid, nobody.pw_gid


def find_java() -> Path:
    """The home of a Java that is new enough."""
    for variable in ("ES_JAVA_HOME", "JAVA_HOME"):
        if os.environ.get(variable):
            home = Path(os.environ[variable])
            break
    else:
        java = shutil.which("java")
        if java is None:
            raise UnavailableError("there is no Java (17 or later)")
        home = Path(java).resolve().parent.parent
    told = subprocess.run(
        [home / "bin" / "java", "-version"], capture_output=True, text=True, check=False
    )
    version = re.search(r'version "(\d+)', told.stderr)
    if version is None or int(version[1]) < OLDEST_JAVA:
        raise UnavailableError(f"Java {OLDEST_JAVA} or later is needed, {home} is another")
    return home


def _fetch(cache: Path) -> Path:
    """The archive from Maven Central."""
    maven = shutil.which("mvn")
    if maven is None:
        raise UnavailableError("there is no Maven (mvn) to fetch the server with")
    command = [
        maven,
        "-q",
        "-B",
        "-U",
        "dependency:copy",
        f"-Dartifact={ARTIFACT}",
        f"-DoutputDirectory={cache}",
    ]
    archive = cache / f"elasticsearch-{VERSION}.zip"
    for _ in range(ATTEMPTS):
        told = subprocess.run(command, capture_output=True, text=True, check=False, cwd=cache)
        if told.returncode == 0 and archive.exists():
            return archive
    reason = (told.stdout.strip() or told.stderr.strip() or "no output").splitlines()[0]
    raise UnavailableError(f"Maven could not fetch {ARTIFACT}: {reason}")


def _unpack(archive: Path, home: Path) -> None:
    """Unpack beside and rename, so that a half unpacked server is never taken for a whole one."""
    with tempfile.TemporaryDirectory(dir=home.parent) as aside:
        with zipfile.ZipFile(archive) as packed:
            packed.extractall(aside)
            for member in packed.infolist():
                mode = member.external_attr >> 16
                if mode:
                    (Path(aside) / member.filename).chmod(mode)
        unpacked = Path(aside) / home.name
        for path in (unpacked, *unpacked.rglob("*")):  # whatever the umask
            path.chmod(path.stat().st_mode | (0o755 if path.is_dir() else 0o444))
        unpacked.rename(home)
