"""Derivations from what stands around a table: its title, notes, unit and source."""

from __future__ import annotations

import re
from collections.abc import Iterator

from answerer.datasearch.operations.matching import Block, Match
from answerer.datasearch.operations.records import Derivation, header_share
from answerer.datasearch.question.words import words
from indexer.analysis.text import normalise
from indexer.tables.values import parse_value

_LONGEST_LABELLED = 500  # characters: a longer note is no label with its value, and blanks in it would take long
_LABELLED = re.compile(r"^\s*[（(]?\s*([^:：()（）]{1,24})\s*[:：]\s*(.+?)\s*[)）]?\s*$")
_BRACKETS = re.compile(r"^[（(]\s*+(.+?)\s*[)）]$")
_BRACKETED_END = re.compile(r"[（(]\s*+([^（()）]+?)\s*[)）]\s*$")
_SYMBOL = re.compile(
    r"what (?:does|do|did) (?:an? |the )?(?:symbols?|signs?|letters?|abbreviations?|code )?(.{1,100}?)"
    r" (?:means?|stands? for|denotes?|indicates?)\b"
    r"|(?:表中の|記号の?)?[「『\"“]?([^「」『』\"“”]{1,100}?)[」』\"”]?(?:という記号)?(?:とは何|の意味|は何を(?:意味|示|表))",
    re.IGNORECASE,
)
_LEGEND = re.compile(r"[:：=＝…]")
_LIMIT = 12
_ASKED = frozenset(("unit", "source", "note", "title", "meaning"))


def note_derivations(match: Match) -> Iterator[Derivation]:
    """The title and notes of a table as answers; of `Unit: persons` what stands after the colon too."""
    asked = [trigger for trigger in match.question.triggers if trigger in _ASKED]
    if not asked:
        return
    table = match.view.table
    symbol = _symbol(match) if "meaning" in asked else ""
    yield from _unit_headings(match)
    for place, (kind, text) in enumerate([("title", table.title), *(("note", note) for note in table.notes[:_LIMIT])]):
        text = text.strip()
        if not text:
            continue
        labelled = _LABELLED.match(text) if len(text) <= _LONGEST_LABELLED else None
        label = words(labelled[1]) if labelled else ()
        for part, answer in _parts(kind, text, labelled):
            block: Block = (
                (f"{kind} {part}", 1.0),
                *((f"{kind} {part} & {trigger}", 1.0) for trigger in asked),
                ("note label named", float(2 * sum(word in match.question.words for word in label) > len(label))),
                ("note long", float(len(answer) > 60)),
                ("note tells the meaning", float(part == "whole" and _explains(text, symbol))),
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
            if parse_value(answer).kind in ("number", "date"):
                continue
            block: Block = (("unit heading", 1.0), ("unit heading share", share))
            yield Derivation(answer, (block,), f"the unit of column {column.header}", (-50, column.number))


def _parts(kind: str, text: str, labelled: re.Match[str] | None) -> Iterator[tuple[str, str]]:
    """What of a note may be the answer: all of it, what follows its label, what stands in its brackets, and of a
    title what stands in brackets at its end, as units do."""
    bracketed = _BRACKETED_END.search(text) if kind == "title" else None
    inside = "" if labelled else _inside(text)
    yield "whole", text
    for part, found in (
        ("labelled", labelled[2] if labelled else ""),
        ("inside", inside),
        ("bracketed", bracketed[1] if bracketed and not inside else ""),
    ):
        if found and found != text:
            yield part, found


def _symbol(match: Match) -> str:
    """The symbol or word whose meaning the question asks, folded; "" where none is told."""
    found = _SYMBOL.search(_folded(match.question.text))
    return (found[1] or found[2]).strip(" '\"") if found else ""


def _explains(text: str, symbol: str) -> bool:
    """Whether a note has a symbol before the sign that explains it, as in "n/a = not available"."""
    parts = _LEGEND.split(_folded(text))
    return bool(symbol) and any(
        re.search(rf"(?<![^\W_]){re.escape(symbol)}\W*$", part) is not None for part in parts[:-1]
    )


def _folded(text: str) -> str:
    return normalise(text).strip()


def _inside(text: str) -> str:
    found = _BRACKETS.match(text.strip())
    return found[1] if found else ""
