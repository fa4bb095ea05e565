"""Why a candidate has its score, in a few lines: its reasons in words, and a passage."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from answerer.explain.table import table_lines
from answerer.page.drawn import Candidate, Passage, Sentence
from answerer.page.families import Part
from answerer.page.pieces import Piece, text_of
from answerer.page.reasons import Reason
from indexer.cli.columns import columns, wrapped
from indexer.cli.screen import Line, Run, Style

_NAMES = 4  # reasons of a candidate; of each statement where it makes several
_NAMES_EACH = 2
_REASONS = 3
_TERMS = 6
_PASSAGE_LINES = 3
_INDENT = "  "


def why(one: Candidate, called: str, width: int, told: set[str]) -> Iterator[Line]:
    """The reasons of a candidate's score, strongest first; nothing where the trace tells none.

    `told` are the statements and passages that another candidate's reasons showed; they are not repeated, and those
    shown here are added.
    """
    body = [
        *(line for pieces in one.said for line in _indented(text_of(pieces), width, 2)),
        *([Run(_INDENT), *line] for line in (table_lines(one.table, width - len(_INDENT)) if one.table else ())),
        *_reasons(one.reasons, width, told),
        *_terms(one, width),
        *_passages(one.passages, width, told),
    ]
    if body:
        yield []
        yield [Run(f"why {called}", "strong")]
        yield from body


def made_of(sentences: Sequence[Sentence], width: int) -> Iterator[Line]:
    """The sentences of an essay, each with its source and what it is the first to cover."""
    if sentences:
        yield []
        yield [Run("made of", "strong")]
    for number, one in enumerate(sentences, 1):
        yield from _indented(f"{number}. {text_of(one.text)}", width, 2)
        source = " · ".join(filter(None, (one.title, one.doc_id)))
        covers = ", ".join(f"{part.words} {part.value:.2g}" for part in one.covers[:_TERMS])
        yield from _indented(f"— {source}" + (f" · first to cover: {covers}" if covers else ""), width, 2, "dim")


def _reasons(reasons: Sequence[Reason], width: int, told: set[str]) -> Iterator[Line]:
    """Of a choice of several statements each statement with its strongest names; else the strongest of all."""
    several = any(map(_is_statement, reasons))
    left = most = _NAMES_EACH if several else _NAMES
    for reason in reasons:
        if _is_statement(reason):
            left = 0 if reason.name in told else most
            if left:
                told.add(reason.name)
                yield from _indented(reason.name, width, 2, after=signed(reason.value or 0.0))
        elif left > 0:
            left -= 1
            yield from _reason(reason._replace(counted=()) if several else reason, width)


def _is_statement(reason: Reason) -> bool:
    return not reason.parts and reason.value is not None


def _reason(reason: Reason, width: int) -> Iterator[Line]:
    """What a name adds and why, in two lines or three; the whole of a candidate has no value of its own."""
    if reason.value is None:
        said = f"{reason.name}: " if reason.name else ""
        yield from _indented(said + _listed(reason.parts), width, 2)
        return
    head = [Run(_INDENT), Run(f"{reason.name} → {reason.link}" if reason.link else reason.name, "strong")]
    head += [Run("  "), Run(signed(reason.value), "right" if reason.value >= 0 else "wrong"), Run("  ")]
    used = sum(columns(run.text) for run in head)
    if used > width - len(_INDENT) - 20:
        yield head
        head, used = [Run(_INDENT * 2)], len(_INDENT) * 2
    indent = len(_INDENT) * 2
    for number, line in enumerate(wrapped(_listed(reason.parts), [width - used, width - indent], 2)):
        yield [*head, Run(line, "dim")] if not number else [Run(" " * indent), Run(line, "dim")]
    for counted in reason.counted:
        for line in wrapped(counted, [width - indent], 2):
            yield [Run(" " * indent), Run(line, "dim")]


def _listed(found: Sequence[Part]) -> str:
    """The strongest parts in words, and what the others come to together."""
    shown = [f"{part.words} {signed(part.value)}" for part in found[:_REASONS]]
    rest = sum(part.value for part in found[_REASONS:])
    return " · ".join([*shown, *([f"all else {signed(rest)}"] if len(found) > _REASONS else [])])


def _terms(one: Candidate, width: int) -> Iterator[Line]:
    """The matched terms of a candidate that is its own evidence, with what each gave, each once in whatever case."""
    found: dict[str, Piece] = {}
    for piece in one.text:
        if isinstance(piece, Piece) and piece.kind == "term":
            found.setdefault(piece.text.lower(), piece)
    if found:
        terms = {piece.text: piece.value for piece in found.values()}
        yield from _indented(f"matched: {_by_value(terms)}", width, 2, "dim")


def _passages(passages: Sequence[Passage], width: int, told: set[str]) -> Iterator[Line]:
    """The first passage, or of those that say what they have to do with the answer the first two; none told before."""
    for passage in passages[: 2 if any(one.says for one in passages) else 1]:
        if passage.doc_id in told:
            continue
        told.add(passage.doc_id)
        says = f"{passage.says}: " if passage.says else ""
        if passage.text:
            yield from _indented(f"{says}“{text_of(passage.text)}”", width, _PASSAGE_LINES)
        source = " · ".join(filter(None, (passage.title, passage.doc_id)))
        matched = f" · matched: {_by_value(passage.terms)}" if passage.terms else ""
        yield from _indented(f"— {source}{matched}", width, 2, "dim")


def _by_value(terms: dict[str, float]) -> str:
    ordered = sorted(terms.items(), key=lambda item: -item[1])
    return ", ".join(f"{term} {value:.2g}" for term, value in ordered[:_TERMS]) + ("…" if len(ordered) > _TERMS else "")


def _indented(text: str, width: int, most: int, style: Style = "", after: str = "") -> Iterator[Line]:
    lines = wrapped(text, [width - len(_INDENT) - columns(after) - 2 if after else width - len(_INDENT)], most)
    for line in lines[:-1]:
        yield [Run(_INDENT), Run(line, style)]
    yield [Run(_INDENT), Run(lines[-1], style), *([Run("  "), Run(after)] if after else [])]


def signed(value: float) -> str:
    """A number with its sign, two decimals, more where it is small."""
    size = abs(value)
    return ("−" if value < 0 else "+") + (f"{size:.2f}" if size >= 0.095 or size == 0 else f"{size:.2g}")
