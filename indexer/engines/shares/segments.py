"""Several tantivy indexes of one schema made one: their segments' files are moved together, none is read or copied.

tantivy lists an index's segments in `meta.json` and the files that it may remove in `.managed.json`; the files of a
segment carry its id in their names. Quickwit joins indexes so, before it merges them (`combine_index_meta` in its
`merge_executor.rs`).
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

META_FILE = "meta.json"
MANAGED_FILE = ".managed.json"
_META = {"index_settings", "segments", "schema", "opstamp"}
_SEGMENT = {"segment_id", "max_doc", "deletes"}


def can_join(folder: Path) -> bool:
    """Whether the tantivy that made the index in a folder writes its lists as they are known here."""
    try:
        meta, managed = _read(folder / META_FILE), _read(folder / MANAGED_FILE)
        known = set(meta) == _META and all(set(segment) == _SEGMENT for segment in meta["segments"])
    except (OSError, ValueError, TypeError):
        return False
    return known and isinstance(managed, list)


def join(target: Path, source: Path) -> None:
    """Move the segments of the index in one folder into that in another; nobody may be writing either.

    When it is broken off, `source` cannot be opened any more. ValueError where the two are not alike.
    """
    ours, theirs = _read(target / META_FILE), _read(source / META_FILE)
    if any(ours[key] != theirs[key] for key in ("schema", "index_settings")):
        raise ValueError(f"{source} is no index like {target}")
    ids = {segment["segment_id"].replace("-", "") for segment in theirs["segments"]}
    files = [file for file in source.iterdir() if file.name.partition(".")[0] in ids]
    managed = {*_read(target / MANAGED_FILE), *(file.name for file in files)}
    write_json(target / MANAGED_FILE, sorted(managed))
    for file in files:
        file.rename(target / file.name)
    ours["segments"] += theirs["segments"]
    ours["opstamp"] = max(ours["opstamp"], theirs["opstamp"])
    write_json(target / META_FILE, ours)


def write_json(path: Path, value: object) -> None:
    """Write JSON beside the path and put it in place once it is on the disk."""
    aside = path.with_name(f".{path.name}.new")
    with aside.open("w", encoding="utf-8") as file:
        json.dump(value, file, ensure_ascii=False, indent=1)
        file.flush()
        os.fsync(file.fileno())
    aside.replace(path)


def _read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))
