"""The files of a textbook: found by their names and by patterns, and what doc_ids call them."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path

from indexer.cli.parameters import matching_files
from indexer.files.errors import UserError
from indexer.sources.labels import file_label
from indexer.sources.textbook.forms import WIKI_FILES

_WIKI_PLACE = re.compile(r"(^|/)[A-Z]{2}/wiki_\d+(\.\w+)?$")


def textbook_files(patterns: Sequence[str]) -> list[str]:
    """The files that names, glob patterns and WikiExtractor's folders stand for, in order, each once, links resolved.

    UserError where one finds nothing.
    """
    files: dict[Path, str] = {}
    for pattern in patterns:
        found = _of_a_folder(Path(pattern)) if os.path.isdir(pattern) else matching_files(pattern, "FILE")  # noqa: PTH112
        for path in found:
            files.setdefault(Path(path).resolve(), path)
    return list(files.values())


def _of_a_folder(folder: Path) -> list[str]:
    found = sorted(str(path) for pattern in WIKI_FILES for path in folder.glob(pattern) if path.is_file())
    if not found:
        raise UserError(
            f"{folder}: a folder without files of WikiExtractor (AA/wiki_00); name the files, as in '{folder}/*.txt'"
        )
    return found


def file_labels(files: Sequence[str]) -> list[str]:
    """The name of each file in doc_ids (`file_label`), numbered from the second on where names repeat.

    WikiExtractor's files, which are called the same in every folder, are called by their folder too: AA-wiki_00.
    """
    seen: dict[str, int] = {}
    labels = []
    for file in files:
        stem = file_label(file, "file")
        if _WIKI_PLACE.search(file):
            stem = f"{Path(file).parent.name}-{stem}"
        seen[stem] = seen.get(stem, 0) + 1
        labels.append(stem if seen[stem] == 1 else f"{stem}~{seen[stem]}")
    return labels
