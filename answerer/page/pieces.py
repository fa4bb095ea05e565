"""Splits text into pieces, so that a page can mark some of them without building markup from
text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from typing import Literal, NamedTuple, cast

from answerer.trace import TraceMark
from indexer.languages.english import ENGLISH

Kind = Literal["term", "name", "keyword", "underline", "wavy", "gap", "letter", "label", "verdict"]
Pieces = list["str | MarkedPiece"]

_WORD = re.compile(
    r"[0-9A-Za-zÀ-ɏ]+(?:[.'’-][0-9A-Za-zÀ-ɏ]+)*"
)  # of texts that part words by blanks
_INSIDE_KATAKANA = re.compile(r"[ァ-ヺー]{2}")
_LONGEST = 20_000  # characters of one text that are searched for marks


class MarkedPiece(NamedTuple):
    """A marked part of a text: kind of mark, weight, and the note that a tooltip shows. `printed`
    is the mark that the exam paper prints on a part with another kind. A "label" has an empty text;
    its note is printed in that place."""

    text: str
    kind: Kind
    value: float = 0.0
    note: str = ""
    printed: Kind | Literal[""] = ""


class MarkSpan(NamedTuple):
    """Characters [`start`, `end`) of a text to be marked: kind, weight (`value`) and tooltip
    (`note`)."""

    start: int
    end: int
    kind: Kind
    value: float = 0.0
    note: str = ""


def cut_text(text: str, spans: Iterable[MarkSpan]) -> Pieces:
    """Splits a text into marked and plain pieces, which concatenate to the text. Of overlapping
    spans the first, then the longest counts. Empty spans and spans outside the text are ignored."""
    pieces: Pieces = []
    done = 0
    for span in sorted(spans, key=lambda span: (span.start, -span.end)):
        if not done <= span.start < span.end <= len(text):
            continue
        if span.start > done:
            pieces.append(text[done : span.start])
        pieces.append(MarkedPiece(text[span.start : span.end], span.kind, span.value, span.note))
        done = span.end
    if done < len(text):
        pieces.append(text[done:])
    return pieces


def as_printed(pieces: Pieces, marks: Iterable[TraceMark]) -> Pieces:
    """The pieces with the marks that the exam paper prints; texts are unchanged. A `label` becomes
    an empty piece inserted where its mark begins."""
    for mark in marks:
        before, rest = _split(pieces, mark.start)
        inside, after = _split(rest, mark.end - max(mark.start, 0))
        if mark.kind == "label":
            inside = [MarkedPiece("", "label", note=mark.label), *inside]
        else:
            kind = cast("Kind", mark.kind)  # drawn as text if unknown
            inside = [
                piece._replace(printed=kind)
                if isinstance(piece, MarkedPiece)
                else MarkedPiece(piece, kind)
                for piece in inside
            ]
        pieces = [*before, *inside, *after]
    return pieces


def _split(pieces: Pieces, offset: int) -> tuple[Pieces, Pieces]:
    """Splits pieces at a character offset into (before, after); a piece across the offset is
    divided."""
    offset = max(offset, 0)
    for number, piece in enumerate(pieces):
        text = piece.text if isinstance(piece, MarkedPiece) else piece
        if offset < len(text):
            first, second = (
                piece._replace(text=part) if isinstance(piece, MarkedPiece) else part
                for part in (text[:offset], text[offset:])
            )
            return [*pieces[:number], *([first] if offset > 0 else [])], [
                second,
                *pieces[number + 1 :],
            ]
        offset -= len(text)
    return pieces, []


def text_of(pieces: Pieces) -> str:
    """The text of pieces, with the labels that the paper prints in [brackets]."""
    texts = []
    for piece in pieces:
        if isinstance(piece, str):
            texts.append(piece)
        elif piece.kind == "label":
            texts.append(f"[{piece.note}] ")
        else:
            texts.append(piece.text)
    return "".join(texts)


def term_spans(text: str, terms: Mapping[str, float]) -> list[MarkSpan]:
    """The spans of search terms in the first 20,000 characters of a text, by their starts; `terms`
    maps a term to its contribution to the score, the span's `value`. A term occurs in words with
    that stem or, if it is not ASCII, where its characters occur, in any case. Adjacent spans inside
    a katakana word are joined and their values added: アッ and シリア become アッシリア."""
    values = {term: value for term, value in terms.items() if term}
    if not values:
        return []
    searched = text[:_LONGEST]
    spans = [
        MarkSpan(start, end, "term", values[term])
        for start, end, terms_of_word in _words(searched)
        for term in terms_of_word
        if term in values
    ]
    folded = searched.lower()
    if len(folded) == len(searched):
        for term, value in values.items():
            if not term.isascii():
                spans += [
                    MarkSpan(*match.span(), "term", value)
                    for match in re.finditer(re.escape(term), folded)
                ]
    whole: list[MarkSpan] = []
    for span in sorted(spans, key=lambda span: (span.start, -span.end)):
        before = whole[-1] if whole else None
        if before and before.end == span.start and _INSIDE_KATAKANA.match(text, span.start - 1):
            whole[-1] = before._replace(end=span.end, value=before.value + span.value)
        else:
            whole.append(span)
    return whole


def in_words(terms: Mapping[str, float], *texts: str) -> dict[str, float]:
    """Replaces stemmed terms by the first word with that stem in the first 20,000 characters of
    each text; values of the same word are added. A term without such a word is kept, with blanks
    for underscores."""
    words: dict[str, str] = {}
    for text in texts:
        for start, end, terms_of_word in _words(text[:_LONGEST]):
            for term in terms_of_word:
                words.setdefault(term, text[start:end])
    values: dict[str, float] = {}
    for term, value in terms.items():
        word = words.get(term, term.replace("_", " "))
        values[word] = values.get(word, 0.0) + value
    return values


def name_spans(text: str, names: Mapping[str, float]) -> list[MarkSpan]:
    """The spans of names in a text; `names` maps a name's key, its stems ("caesar juliu"), to its
    share of the score. Each name has at most one span: the first sequence of words, in the first
    20,000 characters, with exactly the key's words or their stems, in any order; else, in the whole
    text, the first place of the key's own characters, in any case."""
    spans: list[MarkSpan] = []
    words = _words(text[:_LONGEST])
    folded = text.lower()
    for name, value in names.items():
        letters = name.strip("“”")
        bounds = _sequence(words, letters.split()) or _sequence(words, _english_terms(letters))
        if bounds is None and len(folded) == len(text):
            at = folded.find(letters.lower())
            bounds = (at, at + len(letters)) if at >= 0 else None
        if bounds:
            spans.append(MarkSpan(*bounds, "name", value, name))
    return spans


def _sequence(
    words: Sequence[tuple[int, int, tuple[str, ...]]], terms: Iterable[str]
) -> tuple[int, int] | None:
    """The (begin, end) of the first sequence of words that has all `terms` and no others; None
    without one and without terms."""
    wanted = frozenset(terms)
    seen: set[str] = set()
    start = 0
    for begin, end, word_terms in words:
        if not wanted.issuperset(word_terms):
            seen.clear()  # and no later word of that sequence began one that holds more
            continue
        if word_terms and not seen:
            start = begin
        seen.update(word_terms)
        if wanted and seen == wanted:
            return start, end
    return None


def keyword_spans(text: str, keywords: Iterable[str]) -> list[MarkSpan]:
    """The spans of prescribed keywords in a text, by keyword, ignoring case and `the` before them;
    [] if lower case is longer."""
    folded = text.lower()
    if len(folded) != len(text):
        return []
    return [
        MarkSpan(*match.span(), "keyword")
        for keyword in keywords
        if keyword.strip()
        for match in re.finditer(re.escape(keyword.lower().removeprefix("the ")), folded)
    ]


@lru_cache(100)  # the candidates of a question have the same passages
def _words(text: str) -> tuple[tuple[int, int, tuple[str, ...]], ...]:
    """The words of a text: start, end and terms of each."""
    return tuple(
        (word.start(), word.end(), _english_terms(word[0])) for word in _WORD.finditer(text)
    )


_english = cache(ENGLISH.analyser)  # made when the first page is


@lru_cache(100_000)
def _english_terms(word: str) -> tuple[str, ...]:
    return tuple(_english().terms(word))
