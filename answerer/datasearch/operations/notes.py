"""Answers from the text around a table's figures: its unit, its source, its title."""

from __future__ import annotations

import re
from collections.abc import Iterator

from answerer.datasearch.operations.records import Derivation
from answerer.datasearch.operations.selection import FeatureBlock, Match
from answerer.datasearch.question.words import words
from indexer.tables.values import parse_value

NOTE_TRIGGERS = ("unit", "source", "title")
"""The triggers of a question about these."""

_NOTES = 12  # that are looked at; a table has few
_LONGEST = 500  # characters of a label with its value; a longer note is prose
_LONG = 60  # characters from which on an answer is long
_LABELLED = re.compile(
    r"^\s*+[（(]?\s*+([^:：()（）]{1,24})\s*[:：]\s*+(.+?)(?<=\S)\s*+[)）]?\s*+$"
)
_BRACKETS = re.compile(r"^[（(]\s*+(.+?)\s*[)）]$")
_BRACKETED_END = re.compile(r"[（(]\s*+([^（()）]+?)\s*[)）]\s*$")


def note_derivations(match: Match) -> Iterator[Derivation]:
    """Yields, where a question is about a unit, a source or a title (`NOTE_TRIGGERS`; nothing
    otherwise), the units in headings (of a question about a unit only), then the table's title and
    its first 12 notes, each with its parts (of `Unit: persons` also `persons`; a text of more than
    500 characters has no label)."""
    triggers = [trigger for trigger in match.question.triggers if trigger in NOTE_TRIGGERS]
    if not triggers:
        return
    if "unit" in triggers:
        yield from _unit_headings(match)
    table = match.view.table
    texts = [("title", table.title), *(("note", note) for note in table.notes[:_NOTES])]
    for kind, text in texts:
        labelled = _LABELLED.match(text) if len(text) <= _LONGEST else None
        label = words(labelled[1]) if labelled else ()
        is_named = 2 * sum(word in match.question.words for word in label) > len(label)
        for part, answer in _parts(kind, text.strip(), labelled):
            block: FeatureBlock = (
                (f"{kind} {part}", 1.0),
                *((f"{kind} {part} & {trigger}", 1.0) for trigger in triggers),
                ("note label named", float(is_named)),
                ("note long", float(len(answer) > _LONG)),
            )
            yield Derivation(answer, (block,), f"the table's {kind}: {text[:80]}", (-1, 0))


def _parts(kind: str, text: str, labelled: re.Match[str] | None) -> Iterator[tuple[str, str]]:
    """Yields (part's name, text) of what may be the answer in a title or note: all of it, unless it
    is "", and what is behind its label (`labelled` is the match of label and rest), else in the
    brackets around it, else, of a title, in those at its end."""
    if text:
        yield "whole", text
    if labelled:
        yield "labelled", labelled[2].strip()
    elif around := _BRACKETS.match(text):
        yield "inside", around[1].strip()
    elif kind == "title" and (end := _BRACKETED_END.search(text)):
        yield "bracketed", end[1].strip()


def _unit_headings(match: Match) -> Iterator[Derivation]:
    """Yields what is in brackets at the end of a column's heading, else, unless it is a label
    column, the last of several headings one below the other; numbers and dates are left out."""
    for column in match.view.columns:
        path = column.path
        bracketed = _BRACKETED_END.search(path[-1]) if path else None
        if not bracketed and (len(path) < 2 or column.is_label):
            continue
        answer = bracketed[1] if bracketed else path[-1].strip()
        if parse_value(answer).kind in ("number", "date"):
            continue
        share = match.heading_share(column)
        block: FeatureBlock = (("unit heading", 1.0), ("unit heading share", share))
        text = f"the unit of column {column.header}"
        yield Derivation(answer, (block,), text, (-len(path), column.number))
