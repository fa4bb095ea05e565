"""The metadata of a Data Search collection: which files belong to which dataset (seed 001)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple
from urllib.parse import unquote

from indexer.files.encoding import open_lines
from indexer.files.errors import bad_input
from indexer.files.json_objects import parse_json
from indexer.ingest_report import IngestReport

SHAPE = "expected one JSON object a line with id, title, description and data (a list of data_filename)"
_HASH = re.compile(r"[0-9a-f]{64}")


class Dataset(NamedTuple):
    """One dataset's metadata; `files` are the names of its members, in the collection's order."""

    dataset_id: str
    title: str
    description: str
    files: tuple[str, ...]


def file_key(name: str) -> bytes:
    """What tells a member's name in an archive and in the metadata to be one: its 64 hex digits, else its path."""
    found = _HASH.search(name)
    return bytes.fromhex(found.group()) if found else name.removeprefix("./").encode()


def readable(name: str) -> str:
    """What a file was called by those who gave it, without its folder, ending and hash: `7d…0-bus%20stops.csv` is
    `bus stops`."""
    return PurePosixPath(unquote(_HASH.sub("", name))).stem.lstrip("-")


def read_collection(
    path: str | Path, tally: IngestReport, only: frozenset[str] | None = None, seen: set[str] | None = None
) -> Iterator[Dataset]:
    """The datasets of a collection file (plain, gz or bz2), those of `only` where it is given; all are counted.

    A bad line is rejected, and so is an id that is among those `seen`. UserError where no line is a dataset.
    """
    good = 0
    seen = set() if seen is None else seen
    for line in open_lines(path):
        if line.text is not None and not line.text.strip():
            continue
        dataset, reason = _dataset(line.text) if line.text is not None else (None, line.reason)
        if dataset is None:
            tally.count()
            tally.reject(path, line.number, reason, line.text or "")
            continue
        good += 1
        if only is not None and dataset.dataset_id not in only:
            continue
        tally.count()
        if dataset.dataset_id in seen:
            tally.reject(path, line.number, "a dataset id that came before", dataset.dataset_id)
            continue
        seen.add(dataset.dataset_id)
        yield dataset
    if not good:
        raise bad_input(path, 1, "no dataset in it", SHAPE)


def _dataset(text: str) -> tuple[Dataset | None, str]:
    try:
        return _read_dataset(parse_json(text))
    except ValueError as error:
        return None, f"no JSON ({error})"
    except RecursionError:
        return None, "nested too deeply"


def _read_dataset(value: Any) -> tuple[Dataset | None, str]:
    if not isinstance(value, dict) or not (dataset_id := _text(value.get("id"))):
        return None, "no object with an id"
    if not dataset_id.isprintable() or " " in dataset_id:
        return None, "an id with blanks"
    files = value.get("data") or []
    if not isinstance(files, list):
        return None, "data is no list"
    names = [_text(item.get("data_filename")) for item in files if isinstance(item, dict)]
    title, description = _text(value.get("title")), _text(value.get("description"))
    return Dataset(dataset_id, title, description, tuple(dict.fromkeys(filter(None, names)))), ""


def _text(value: Any) -> str:
    """A metadata value as text; values can be lists."""
    if isinstance(value, list):
        return " ".join(_text(item) for item in value)
    return "" if value is None else str(value).strip()
