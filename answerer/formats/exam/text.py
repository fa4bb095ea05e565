"""Text of an exam as printed, with the places of its underlines, gaps, statements and references."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from lxml import etree

Kind = Literal["underline", "wavy", "statement", "gap", "picture", "reference"]
Target = Literal["underline", "statement", "gap", "data", "picture", "missing"]


class TextSpan(NamedTuple):
    """A marked part of a text, from character `start` up to `end`.

    `underline`: a phrase that references point to; `wavy`: the underlined part of a choice, which is what the
    choice asserts; `statement`: a labelled sentence; `gap`: an empty place, showing its label; `picture`: the
    description of a picture, labelled with its field, or the empty place of one that the file only names, which is
    its label; `reference`: a printed mark that refers to something else. `id` is its own id, for a reference the id
    of its target.
    `target` and `phrase` say what a reference points to: the kind and the words there (none for gaps and pictures).
    """

    kind: Kind
    id: str
    label: str
    start: int
    end: int
    target: Target | None = None
    phrase: str = ""


@dataclass(frozen=True, slots=True)
class MarkedText:
    """Text as a candidate reads it: references and gaps show their labels, lines break where the paper breaks them."""

    plain: str = ""
    spans: tuple[TextSpan, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.plain)

    def before(self, end: int) -> MarkedText:
        """The text up to a character, with the spans that end there or earlier."""
        kept = self.plain[:end].rstrip()
        return MarkedText(kept, tuple(span for span in self.spans if span.end <= len(kept)))

    def of_kind(self, kind: Kind) -> list[TextSpan]:
        """The spans of a kind, in the order in which they begin."""
        return [span for span in self.spans if span.kind == kind]

    def phrases(self, kind: Kind) -> list[str]:
        """The words of the spans of a kind."""
        return [self.plain[span.start : span.end] for span in self.of_kind(kind)]

    def replaced(self, *targets: Target) -> str:
        """The text with each reference to one of these kinds of target replaced by the words there.

        Without kinds: underlined phrases, statements and data. A reference without words keeps its printed label.
        """
        return self.replacing(*(targets or ("underline", "statement", "data"))).plain

    def replacing(self, *targets: Target) -> MarkedText:
        """The text of `replaced`, with its spans at their places in the new text."""
        return self._rewrite(lambda span: span.phrase if span.kind == "reference" and span.target in targets else "")

    def without_spans(self, unwanted: Callable[[TextSpan], bool]) -> str:
        """The text with the spans that are unwanted cut out."""
        return " ".join(self._rewrite(lambda span: " " if unwanted(span) else "").plain.split())

    def _rewrite(self, words: Callable[[TextSpan], str]) -> MarkedText:
        """The text with the new words of spans in the place of the old, and all spans moved along."""
        pieces: list[str] = []
        grown: list[tuple[int, int]] = []  # ends of spans with new words, and by how many characters these are longer
        done = 0
        for span in self.spans:
            new = words(span)
            if new and span.start >= done:
                pieces += (self.plain[done : span.start], new)
                grown.append((span.end, len(new) - (span.end - span.start)))
                done = span.end

        def move(place: int) -> int:
            return place + sum(more for end, more in grown if end <= place)

        spans = tuple(span._replace(start=move(span.start), end=move(span.end)) for span in self.spans)
        return MarkedText("".join((*pieces, self.plain[done:])), spans)


class Mark(NamedTuple):
    """The target of a reference."""

    id: str
    kind: Target
    label: str
    phrase: str


Resolver = Callable[["etree._Element", str], Mark]
"""Returns the mark that a `ref` element refers to, given the element and its printed label."""

_MARKED: dict[str, Target] = {"uText": "underline", "lText": "statement", "blank": "gap", "data": "data"}
_NO_MARKS = frozenset("exam question choices choice ansColumn img ref label".split())

_SKIPPED = frozenset(("cNum", "question", "choices", "ansColumn", "instruction", "rt", "rp"))  # rt: how ruby is read
_BLOCKS = frozenset("data row tbl table caption note quote source info p title choice poem list item".split())
_LABELLED = frozenset((*_MARKED, "question", "choice", "exam"))
_NO_LABEL = "____"
_BLANKS = re.compile(r"\s+")
_WIDE = re.compile(r"[\u3000-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef\u2010-\u2027\u2460-\u24ff]")
_GLUED = re.compile(r"(?<=[a-z0-9)\]\"'’”][.?!])(?=[A-Z](?:[a-z']|$))|(?<=[a-z]{4})(?=[A-Z][a-z]{3})")


def kind_of(element: etree._Element) -> Target | None:
    """The kind of target that an element is for references; None for elements that cannot be referred to.

    Other elements with an id (seen in other publishers' files) are statements where they have a label.
    """
    known = _MARKED.get(element.tag)
    if known or element.tag in _NO_MARKS or not element.get("id"):
        return known
    return "statement" if element.find("label") is not None else "data"


def text_of(element: etree._Element, resolve: Resolver, choice: bool = False) -> MarkedText:
    """The text of an element, its own label left out; white space of the file is squeezed, `br` breaks a line."""
    builder = _Builder(resolve, choice)
    builder.inside(element)
    return builder.text()


def own_label(element: etree._Element) -> str:
    """The printed mark of an element: the text of its `label` child, without blanks."""
    return "".join(printed_text(element.find("label")).split())


def printed_text(element: etree._Element | None) -> str:
    """All characters of an element as in the file, "" for None."""
    return "" if element is None else "".join(map(str, element.itertext()))


class _Builder:
    """Collects squeezed text and the spans in it."""

    def __init__(self, resolve: Resolver, choice: bool) -> None:
        self._resolve = resolve
        self._choice = choice
        self._pieces: list[str] = []
        self._length = 0
        self._tail = ""  # the last characters
        self._pending = ""  # white space that waits for the next word
        self._beside_label = False  # whether the label of a reference begins or ended here
        self._spans: list[TextSpan] = []

    def text(self) -> MarkedText:
        spans = sorted(self._spans, key=lambda span: (span.start, -span.end))
        return MarkedText(
            "".join(self._pieces), tuple(span for span in spans if span.end > span.start or span.kind == "picture")
        )

    def inside(self, element: etree._Element) -> None:
        """Writes the text inside an element."""
        self._write(element.text)
        for child in element:
            self._child(child, element)
            self._write(child.tail)

    def _child(self, child: etree._Element, parent: etree._Element) -> None:
        """Writes an element inside another one; skips its label and elements without text."""
        if child.tag in _SKIPPED:
            return
        if child.tag == "label" and (parent.tag in _LABELLED or parent.get("id")):
            return
        if child.tag == "br":
            self._pending = "\n"
        elif child.tag in ("img", "adata"):
            self._picture(child, parent)
        elif child.tag == "cell":
            self._part(" ")
            self.inside(child)
            self._part(" ")
        elif child.tag in _BLOCKS:
            self._part("\n")
            self.inside(child)
            self._part("\n")
        elif kind_of(child) in ("underline", "statement", "gap"):
            self._add_mark(child)
        elif child.tag == "ref":
            self._reference(child)
        else:
            self.inside(child)

    def _part(self, by: str) -> None:
        """Separates the next piece from the text so far, by a blank or a new line."""
        if self._pending != "\n":
            self._pending = by

    def _add_mark(self, element: etree._Element) -> None:
        """Writes an underlined phrase, a statement or a gap, and notes its span."""
        label = own_label(element)
        kind: Kind = "underline"
        if element.tag == "blank":
            kind = "gap"
        elif kind_of(element) == "statement":
            kind = "statement"
        elif self._choice and not label:
            kind = "wavy"
        first, begin = len(self._pieces), self._length
        if kind == "gap":
            self._write(label)
        self.inside(element)
        if kind == "gap" and self._length == begin:
            self._write(_NO_LABEL)
        self._span(kind, element.get("id", ""), label, first, begin)

    def _picture(self, element: etree._Element, parent: etree._Element) -> None:
        """A picture's description in separate lines; the empty place of a picture without a description."""
        if element.tag == "adata":
            self._part("\n")
            first, begin = len(self._pieces), self._length
            self.inside(element)
            self._span("picture", "", element.get("field", ""), first, begin)
            self._part("\n")
        elif parent.find("adata") is None:
            self._span("picture", "", element.get("src", ""), len(self._pieces), self._length)

    def _reference(self, element: etree._Element) -> None:
        """Writes a reference and notes its span with the mark that it points to."""
        first, begin = len(self._pieces), self._length
        self._beside_label = True
        self.inside(element)
        label = "".join("".join(self._pieces[first:]).split())
        mark = self._resolve(element, label)
        if not label:
            self._write(mark.label)
        self._beside_label = True
        self._span("reference", mark.id, label or mark.label, first, begin, mark)

    def _span(self, kind: Kind, id_: str, label: str, first: int, begin: int, mark: Mark | None = None) -> None:
        """Records the pieces from number `first`, at character `begin`, as one span."""
        written = "".join(self._pieces[first:])
        start = begin + len(written) - len(written.lstrip())
        target, phrase = (mark.kind, mark.phrase) if mark else (None, "")
        self._spans.append(TextSpan(kind, id_, label, start, self._length, target, phrase))

    def _write(self, text: str | None) -> None:
        """Writes a text word by word; blanks and line ends are folded."""
        if not text:
            return
        position = 0
        for blank in _BLANKS.finditer(text):
            self._word(text[position : blank.start()])
            self._pending = self._pending or ("\r" if "\n" in blank[0] or "\r" in blank[0] else " ")
            position = blank.end()
        self._word(text[position:])

    def _word(self, word: str) -> None:
        """Writes a word after the pending blank; a line end of the file (`\r`) does not separate wide characters.

        English files lack blanks after full stops and before names (ancientRome): they get them.
        """
        if not word:
            return
        pending, self._pending = self._pending, ""
        if not self._tail:
            pending = ""
        elif pending == "\r":
            pending = "" if _WIDE.match(self._tail[-1]) and _WIDE.match(word) else " "
        if self._beside_label and not pending and self._runs_into(word):
            pending = " "
        self._beside_label = False
        before = "" if pending else self._tail
        word = _GLUED.sub(" ", before + word)[len(before) :]
        self._pieces.append(pending + word)
        self._length += len(pending) + len(word)
        self._tail = (self._tail + pending + word)[-4:]

    def _runs_into(self, word: str) -> bool:
        """True if a label and a word would become one word (`aGermanybItaly`): choices print them apart."""
        touching = self._tail[-1:] + word[0]
        return len(touching) == 2 and touching.isalnum() and (self._choice or touching.isascii())
