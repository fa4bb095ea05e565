"""Derivations from what stands around a table: its title, notes, unit and source."""

from __future__ import annotations

import re
from collections.abc import Iterator

from answerer.datasearch.derivations import Block, Derivation, header_share
from answerer.datasearch.match import Match
from answerer.datasearch.words import words

_LABELLED = re.compile(r"^\s*[（(]?\s*([^:：()（）]{1,24})\s*[:：]\s*(.+?)\s*[)）]?\s*$")
_BRACKETS = re.compile(r"^[（(]\s*(.+?)\s*[)）]$")
_BRACKETED_END = re.compile(r"[（(]\s*([^（()）]+?)\s*[)）]\s*$")
_LIMIT = 12
_ASKED = frozenset(("unit", "source", "note", "title"))


def note_derivations(match: Match) -> Iterator[Derivation]:
    """The title and notes of a table as answers; of `Unit: persons` what stands after the colon too."""
    asked = [trigger for trigger in match.question.triggers if trigger in _ASKED]
    if not asked:
        return
    table = match.view.table
    yield from _unit_headings(match)
    for place, (kind, text) in enumerate([("title", table.title), *(("note", note) for note in table.notes[:_LIMIT])]):
        if not text.strip():
            continue
        labelled = _LABELLED.match(text)
        label = words(labelled[1]) if labelled else ()
        for part, answer in (("whole", text), ("labelled", labelled[2] if labelled else ""), ("inside", _inside(text))):
            if not answer or (part != "whole" and answer == text) or (part == "inside" and labelled):
                continue
            block: Block = (
                (f"{kind} {part}", 1.0),
                *((f"{kind} {part} & {trigger}", 1.0) for trigger in asked),
                ("note label named", float(2 * sum(word in match.question.words for word in label) > len(label))),
                ("note long", float(len(answer) > 60)),
            )
            yield Derivation(answer.strip(), (block,), f"the table's {kind}: {text[:80]}", (-100 - place, 0))


def _unit_headings(match: Match) -> Iterator[Derivation]:
    """The last headings of columns as units, and what stands in brackets at the end of a heading."""
    if "unit" not in match.question.triggers:
        return
    view = match.view
    for column in view.columns:
        path = column.path
        bracketed = _BRACKETED_END.search(path[-1]) if path else None
        if (len(path) > 1 and not column.is_label) or bracketed:
            share = header_share(match, column)
            answer = bracketed[1] if bracketed else path[-1].strip()
            block: Block = (("unit heading", 1.0), ("unit heading share", share))
            yield Derivation(answer, (block,), f"the unit of column {column.header}", (-50, column.number))


def _inside(text: str) -> str:
    found = _BRACKETS.match(text.strip())
    return found[1] if found else ""
