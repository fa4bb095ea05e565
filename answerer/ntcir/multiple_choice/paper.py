"""Printed form of a question's texts for a trace: underlined, boxed and labelled parts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from answerer.formats.exam.parts import Gap, Question
from answerer.formats.exam.text import MarkedText, TextSpan
from answerer.trace import TraceMark


class Printed(NamedTuple):
    """A text with its marks."""

    text: str
    marks: tuple[TraceMark, ...]


def problem(question: Question) -> Printed:
    """The problem statement as a person reads it, underlined phrases written out."""
    return _join_texts([text.replacing("underline") for text in question.problem])


def line_of(gap: Gap) -> Printed:
    """The printed line with a gap."""
    plain = gap.text.plain
    start = plain.rfind("\n", 0, gap.start) + 1
    end = plain.find("\n", gap.end)
    end = end if end >= 0 else len(plain)
    inside = [span for span in gap.text.spans if start <= span.start and span.end <= end]
    return Printed(plain[start:end], tuple(_marks(plain, inside, -start)))


def choice(text: MarkedText) -> Printed:
    """A choice without its printed number."""
    return _join_texts([text])


def _join_texts(texts: Sequence[MarkedText]) -> Printed:
    """Texts a line each, with the places of their marks."""
    marks: list[TraceMark] = []
    length = 0
    for text in texts:
        marks += _marks(text.plain, text.spans, length)
        length += len(text.plain) + 1
    return Printed("\n".join(text.plain for text in texts), tuple(marks))


def _marks(plain: str, spans: Sequence[TextSpan], moved: int) -> Iterator[TraceMark]:
    """The marks of a text; a `label` is printed before what begins at its place."""
    for span in spans:
        if label := _label(span):
            yield TraceMark(kind="label", start=span.start + moved, end=span.start + moved, label=label)
        if kind := _kind(span, plain[span.start : span.end]):
            yield TraceMark(kind=kind, start=span.start + moved, end=span.end + moved)


def _label(span: TextSpan) -> str:
    """The label that a trace shows for a span, "" for kinds without one."""
    if span.kind == "picture" and span.start == span.end:
        return f"picture {span.label} (not in the file)".replace("  ", " ")
    if span.kind == "picture":
        return span.label or "picture"
    return span.label if span.kind in ("statement", "underline") else ""


def _kind(span: TextSpan, words: str) -> str:
    """The kind of mark that a trace shows for a span, "" for none."""
    if span.kind in ("wavy", "underline", "gap"):
        return span.kind
    if span.target == "underline" and span.phrase == words:
        return "underline"
    return {"gap": "gap", "picture": "letter"}.get(span.target or "", "")
