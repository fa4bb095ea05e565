"""Versions of the packages that made something: an index, an answer."""

from __future__ import annotations

import platform
import shlex
from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path

OURS = "classical-qa"
PACKAGES = ("indexer", "retriever", "answerer", "evaluation")


def versions(packages: Iterable[str]) -> dict[str, str]:
    """Maps "python", this program and each package (by its name on PyPI) to its installed version,
    sorted by name; those that are not installed are left out, as is this program in a checkout.
    Nothing is imported."""
    releases = {"python": platform.python_version()}
    for package in {OURS, *packages}:
        with suppress(PackageNotFoundError):
            releases[package] = version(package)
    return dict(sorted(releases.items()))


def commit(checkout: Path = Path(__file__).parents[2]) -> str:
    """The commit (40 hex digits) that is checked out in a folder, by default that of the program;
    "" outside a checkout of Git's, as of an installation or an image. Changes that are not
    committed do not show. Git is not run."""
    git = checkout / ".git"
    try:
        if git.is_file():  # a further work tree
            git = checkout / git.read_text("utf-8").partition("gitdir:")[2].strip()
        head = (git / "HEAD").read_text("utf-8").strip()
        if not head.startswith("ref: "):
            return head
        name = head.removeprefix("ref: ")
        shared = git / "commondir"
        common = git / shared.read_text("utf-8").strip() if shared.is_file() else git
        if (common / name).is_file():
            return (common / name).read_text("utf-8").strip()
        packed = (common / "packed-refs").read_text("utf-8").splitlines()
        return next((line[:40] for line in packed if line[41:] == name), "")
    except (OSError, ValueError):
        return ""


def written_at() -> str:
    """When the program's newest module was written, as `2026-05-04 17:30` in local time: of an
    image or an installation when it was made, of a checkout when it was changed."""
    packages = [Path(__file__).parents[2] / name for name in PACKAGES]
    newest = max(file.stat().st_mtime for path in packages for file in path.rglob("*.py"))
    return datetime.fromtimestamp(newest).astimezone().strftime("%Y-%m-%d %H:%M")


def install_hint(extra: str) -> str:
    """The `pip install` command for the packages of an extra, with their version limits, since this
    program is not on a registry; `pip install -e '.[EXTRA]'` for a checkout not installed."""
    try:
        declared = requires(OURS) or []
    except PackageNotFoundError:  # a checkout that is only on the path
        declared = []
    wanted = [
        requirement.partition(";")[0].strip()
        for requirement in declared
        if f"'{extra}'" in requirement.replace('"', "'")
    ]
    return shlex.join(["pip", "install", *(wanted or ["-e", f".[{extra}]"])])
