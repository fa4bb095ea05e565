"""Rows of keys and values above a table's heading, as e-Stat's database and many reports write them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from indexer.tables.headings.body import filled_columns, is_figure
from indexer.tables.values import parse_value

_MOST_ROWS = 40
_HEADING_ROWS = 4
_COLON = re.compile(r"\s*[:：]\s*$")
_KNOWN = re.compile(
    r"(?:政府|提供)?統計(?:名|コード|分類\d?)|統計表?(?:名|番号|ID)|提供分類\d?|表(?:番号|題|名)|(?:調査|実施|公開|更新)(?:年月日?|日)"
    r"|(?:table|report|survey)\s(?:name|title|number|id)|data\ssource|last\supdated(?:\sdate)?",
    re.IGNORECASE,
)
_TITLES = re.compile(r"表題|(?:統計)?表名|タイトル|(?:table\s|report\s)?title|table(?:\sname)?", re.IGNORECASE)
_MARKS = re.compile(r"[-‐―－*＊.…‥xX0()（）]{1,5}")


def read_facts(rows: Sequence[Sequence[str]]) -> tuple[list[str], int]:
    """The leading rows of keys and values as lines, the title's value first, and the row after them.

    Nothing, and row 0, unless a table follows: after an empty row, or with a heading of more cells. Rows that
    explain marks (`***`, `-`) may stand among them.
    """
    facts: list[tuple[str, str]] = []
    widest = number = end = 0
    for number, row in enumerate(rows[:_MOST_ROWS]):
        filled = filled_columns(row)
        found = _facts(row, filled) or (_legend(row, filled) if facts else [])
        if (filled and not found) or (found and not facts and not found[0][1]):
            break
        facts += found
        end = number + 1 if found else end
        widest = max(widest, len(filled))
    least, near = (2, rows[number:]) if number > end else (max(3, widest + 1), rows[number : number + _HEADING_ROWS])
    below = facts and any(len(filled_columns(row)) >= least for row in near)
    return (_lines(facts), end) if below else ([], 0)


def _facts(row: Sequence[str], filled: Sequence[int]) -> list[tuple[str, str]]:
    """The keys of a row with their values, at most one each beside dashes (実施年月：, -, -); nothing where a cell is
    neither."""
    keys = [column for column in filled if _is_key(row[column])]
    if not keys or keys[0] != filled[0] or keys[0] != 0 or (len(keys) == len(filled) > 1):
        return []
    found = []
    for key, until in zip(keys, [*keys[1:], len(row)], strict=True):
        values = [row[column].strip() for column in filled if key < column < until]
        values = [value for value in values if parse_value(value).kind != "missing"] or values[:1]
        if len(values) > 1 or any(is_figure(value) for value in values if not _KNOWN.fullmatch(_name(row[key]))):
            return []
        found.append((row[key].strip(), "".join(values)))
    return found


def _is_key(text: str) -> bool:
    return _COLON.search(text) is not None or _KNOWN.fullmatch(text.strip()) is not None


def _name(text: str) -> str:
    return _COLON.sub("", text).strip()


def _legend(row: Sequence[str], filled: Sequence[int]) -> list[tuple[str, str]]:
    """A mark and what it means: `***`, 数字が得られないもの."""
    if len(filled) != 2 or filled[0] != 0 or not _MARKS.fullmatch(row[0].strip()):
        return []
    meaning = row[filled[1]].strip()
    return [(row[0].strip(), meaning)] if parse_value(meaning).kind == "text" else []


def _lines(facts: Sequence[tuple[str, str]]) -> list[str]:
    title = next((value for key, value in facts if value and _TITLES.fullmatch(_name(key))), "")
    return [*filter(None, (title,)), *(_line(key, value) for key, value in facts)]


def _line(key: str, value: str) -> str:
    plain = key.isascii() and value.isascii()
    colon = "" if _COLON.search(key) else ":" if plain else "："
    return f"{key}{colon}{' ' if plain else ''}{value}".strip()
