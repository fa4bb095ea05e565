"""Markdown [CommonMark] as lines of plain text: the marks of lists, quotations, links and emphasis
are taken out, the headings' stay."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from indexer.ingest_report import leave_out

ENDINGS = (".md", ".markdown")
"""Endings of the names of Markdown files."""

_FENCE = re.compile(r"\s{0,3}(?P<fence>`{3,}|~{3,})")
_UNDERLINE = re.compile(r"\s{0,3}(?:=+|-{2,})\s*")
_RULE = re.compile(r"[\s*_-]*|(?=[^|]*+\|)[\s|:-]*")  # also below the heads of a table
_ITEM = re.compile(r"\s*(?:>\s?)*(?:[-*+]|\d{1,9}[.)])\s+(?:\[[ xX]\]\s+)?(?=\S)")
_QUOTED = re.compile(r"^\s*(?:>\s?)+")
_DEFINITION = re.compile(r"\s{0,3}\[[^\]]{1,200}\]:\s*\S+.*")
_COMMENT_OR_TAG = re.compile(r"<!--.*?-->|</?[A-Za-z][A-Za-z0-9]*+(?:[\s/][^<>]*+)?>")
_IMAGE = re.compile(r"!\[[^\[\]]*\](?:\([^()\s]*(?:\s[^()]*)?\)|\[[^\[\]]*\])?")
_LINK = re.compile(r"\[([^\[\]]+)\](?:\([^()\s]*(?:\s[^()]*)?\)|\[[^\[\]]*\])")
_NOTE = re.compile(r"\[\^[^\[\]]{1,40}\]:?")
_CODE = re.compile(r"(`+)(?!`)(.+?)(?<!`)\1(?!`)")
_STRONG = re.compile(r"(?<!\\)(?:\*\*|__)(?=\S)(.+?)(?<=\S)(?:\*\*|__)")
_EMPHASIS = re.compile(r"(?<![\\\w*])([*_])(?=[^\s*_])(.+?)(?<=[^\s*_])\1(?![\w*])")
_LONGEST = 10_000  # characters: in a longer line pairs of marks are not looked for
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")


def without_marks(lines: Iterable[str], counts: Counter[str]) -> Iterator[str]:
    """Yields the lines of a Markdown file as they are shown, a blank one before each item of a
    list; an underlined heading gets `#`, cells of a table are parted by semicolons.

    Pictures, tags, addresses of links and references to notes are dropped; lines between fences
    stay as they are. What is said of the file above its text (between `---`) is left out and
    counted.
    """
    fence, before, is_first = "", "", True
    for line in lines:
        mark = _FENCE.match(line)
        if fence == "---":
            leave_out(counts, "front matter", line)
            fence = "" if line.strip() in ("---", "...") else fence
        elif fence:
            is_end = mark is not None and line.strip().startswith(fence)
            yield "" if is_end else line
            fence = "" if is_end else fence
        elif mark or (is_first and line.rstrip() == "---"):
            yield from () if is_first else (_shown(before), "")
            fence, before = (mark["fence"] if mark else "---"), ""
        elif before.strip() and _UNDERLINE.fullmatch(line) and not _ITEM.match(before):
            yield f"# {_shown(before)}"
            before = ""
        else:
            if not is_first:
                yield _shown(before)
            if _ITEM.match(line):
                yield ""
            before = "" if _RULE.fullmatch(line) or _DEFINITION.fullmatch(line) else line
        is_first = False
    yield _shown(before)


def _shown(line: str) -> str:
    """A line as it is shown, without the marks inside of it and at its beginning, but `#`; one over
    10,000 characters as it is."""
    if len(line) > _LONGEST:
        return line
    line = _ITEM.sub("", line, count=1) if _ITEM.match(line) else _QUOTED.sub("", line, count=1)
    codes = [match[2].strip() for match in _CODE.finditer(line)]
    line = _CODE.sub("\0", line)
    for pattern, shown in (
        (_COMMENT_OR_TAG, ""),
        (_IMAGE, ""),
        (_NOTE, ""),
        (_LINK, r"\1"),
        (_STRONG, r"\1"),
        (_EMPHASIS, r"\2"),
        (_ESCAPED, r"\1"),
    ):
        line = pattern.sub(shown, line)
    for code in codes:
        line = line.replace("\0", code, 1)
    if line.lstrip().startswith("|"):
        line = "; ".join(filter(None, map(str.strip, line.strip().strip("|").split("|"))))
    return line
