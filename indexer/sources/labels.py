"""What files are called in doc_ids."""

from __future__ import annotations

from pathlib import Path


def file_label(path: str, otherwise: str) -> str:
    """The name of a file up to its first point, in doc_ids; `otherwise` where nothing stands before it.

    Blanks and characters that nobody sees are written as _: a TREC run parts its columns by blanks, its lines by line
    ends.
    """
    stem = Path(path).name.split(".")[0]
    return "".join(each if each.isprintable() and each != " " else "_" for each in stem) or otherwise
