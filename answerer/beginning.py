"""The beginning of a file, by which its task is recognised."""

from __future__ import annotations

import re
from typing import NamedTuple

from indexer.files.json_objects import begins_as_json

QUIZ_ROOTS = ("quiz", "questestinterop", "assessmentItem")
"""The root elements of quizzes of learning platforms: of Moodle's XML, QTI 1.2 and QTI 2.x."""

_ROOT = re.compile(r"<(?![?!])([\w:]+)")
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)  # may name elements too


class Beginning(NamedTuple):
    """The first characters of a file (`text`): `line` is the first line that is not blank, even
    a comment, `columns` its tab-separated fields, `root` the name of the root element ("" if the
    file is not XML)."""

    text: str
    line: str
    columns: list[str]
    root: str
    is_json: bool


def beginning_of(text: str) -> Beginning:
    """The beginning of a file from its first characters: the text unchanged, and, behind a byte
    order mark and blanks, the first line, that line's cells (TSV), the name of the XML root (""
    without one), and whether it begins as JSON does."""
    # Editors put a byte order mark and blank lines before the first line.
    start = text.lstrip("\ufeff \t\r\n")
    line = start.partition("\n")[0].rstrip("\r")
    root = _ROOT.search(_COMMENT.sub("", start)) if start.startswith("<") else None
    return Beginning(text, line, line.split("\t"), root[1] if root else "", begins_as_json(start))
