"""Statements as the signals see them: names found in them, resolved by the index, and the terms around these."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from answerer.ntcir.multiple_choice.names.counts import ExamCounts
from answerer.ntcir.multiple_choice.names.flat import NameClaim, Named
from answerer.ntcir.multiple_choice.names.home.question import home_of
from answerer.ntcir.multiple_choice.shapes import ChoiceStatement
from indexer.analysis import Analyser
from indexer.engines.contract import Searcher
from indexer.entities import Mention, Recogniser
from indexer.files.arrays import Float64Array
from indexer.statistics.neighbours import EVERY, neighbour_words
from indexer.statistics.part import decode_book

_REACH = 40  # characters on either side of a name in which the words beside it are looked for


_WHOLE = "(statement)"


class _Read(NamedTuple):
    """An analysed statement: its mentions, the possible keys of each, the words right before and after each, and
    its terms."""

    statement: ChoiceStatement
    mentions: tuple[Mention, ...]
    keys: tuple[tuple[str, ...], ...]
    beside: tuple[tuple[str, str], ...]
    terms: tuple[str, ...]


class _Made(NamedTuple):
    """A statement's claim, and the labels and places of its names."""

    claim: NameClaim
    labels: list[str]
    places: dict[str, tuple[int, int]]


class Claims(NamedTuple):
    """Statements over an index: `claims` for the signals; `labels` the label of each name, in the same order.

    `places` are the spans (start, end) of the first mention of each labelled name, by its label, without words that
    are not names. `home` is the result of `home_of`.
    """

    claims: list[NameClaim]
    labels: list[list[str]]
    places: list[dict[str, tuple[int, int]]]
    counts: ExamCounts
    home: Float64Array | None = None


def read_statements(
    statements: Sequence[ChoiceStatement],
    searcher: Searcher,
    analyser: Analyser,
    recogniser: Recogniser,
    questions: Sequence[int] | None = None,
) -> Claims:
    """The claims of statements, their names resolved by the part `names` of an index in two look-ups.

    A name unknown as a whole is looked for by its parts (a surname); one that may only be the capital letter
    of its sentence counts where the index knows it. An unknown name of several terms, and a filler that is not
    a known name, are replaced by the sentences that contain all their terms. `questions` has the number of each
    statement's question; without it each statement is a separate question.
    """
    read = [_read(statement, analyser, recogniser) for statement in statements]
    keys = sorted({key for each in read for own in each.keys for key in own})
    terms = sorted({term for each in read for term in each.terms})
    words = sorted({EVERY, *(word for each in read for both in each.beside for word in both)})
    counts = ExamCounts(decode_book(searcher, keys, terms, words))
    made = [_claim(each, counts, analyser) for each in read]
    claims = [one.claim for one in made]
    home = home_of(claims, range(len(claims)) if questions is None else questions, counts)
    return Claims(claims, [one.labels for one in made], [one.places for one in made], counts, home)


def _read(statement: ChoiceStatement, analyser: Analyser, recogniser: Recogniser) -> _Read:
    """Recognises the names of a statement; a filler outside every recognised name counts as a name."""
    mentions = list(recogniser.mentions(statement.text))
    for start, end in statement.fillers:
        if not any(_touches(m, start, end) for m in mentions):
            surface = statement.text[start:end]
            mentions.append(Mention(start, end, surface, surface.lower()))
    found = tuple(sorted(mentions))
    keys = tuple((mention.key, *recogniser.parts(mention.key)) for mention in found)
    beside = tuple(neighbour_words(statement.text, mention.start, mention.end) for mention in found)
    terms = tuple(analyser.terms(statement.text))
    return _Read(statement, found, keys, beside, terms)


def _touches(mention: Mention, start: int, end: int) -> bool:
    return mention.start < end and start < mention.end


def _claim(read: _Read, counts: ExamCounts, analyser: Analyser) -> _Made:
    """The claim of a statement: each name once, at its first mention, in order, with the labels of the names."""
    names: dict[int | str, Named] = {}
    labels: dict[int | str, str] = {}
    places: dict[str, tuple[int, int]] = {}
    all_terms = _rows(read.terms, counts)
    for mention, keys, words in zip(read.mentions, read.keys, read.beside, strict=True):
        surface = analyser.terms(mention.surface)
        own = _rows(surface, counts)
        is_filler = any(_touches(mention, *span) for span in read.statement.fillers)
        row = next((counts.name_row[key] for key in keys if key in counts.name_row), -1)
        if row < 0 and (is_filler or (mention.span is None and len(own) == len(set(surface)) > 1)):
            row = counts.phrase_row(own)
        if row < 0 and not mention.sure:
            continue  # perhaps only the capital letter at the beginning of the sentence
        name: int | str = row if row >= 0 else mention.key
        if name in names:
            names[name] = names[name]._replace(own=names[name].own | own)
            continue
        labels[name] = counts.keys[row] if row >= 0 else mention.key
        places[labels[name]] = mention.start, mention.end
        beside = tuple(sorted((_rows(_beside(read.statement.text, mention, analyser), counts) & all_terms) - own))
        names[name] = Named(row, own, mention.span, beside, is_filler, years=mention.years, beside=words)
    if not read.statement.fillers:  # what is put into a gap is judged alone
        names = _asserted_names(read, names, labels)
        names[_WHOLE] = Named(-1, frozenset(), whole=True)
        labels[_WHOLE] = _WHOLE
    return _Made(NameClaim(tuple(names.values()), tuple(sorted(all_terms))), list(labels.values()), places)


def _asserted_names(read: _Read, names: dict[int | str, Named], labels: dict[int | str, str]) -> dict[int | str, Named]:
    """The names that are judged: those in the asserted spans where there are such, else all."""
    touched = {
        key
        for mention, keys in zip(read.mentions, read.keys, strict=True)
        if any(_touches(mention, *span) for span in read.statement.asserted)
        for key in keys
    }
    inside = [name for name in names if labels[name] in touched]
    judged = inside or list(names)
    return {name: named._replace(judged=name in judged) for name, named in names.items()}


def _beside(text: str, mention: Mention, analyser: Analyser) -> list[str]:
    """The two terms before a name and the two after it; a word that the reach cuts in two is left out."""
    before, after = text[: mention.start], text[mention.end :]
    if len(before) > _REACH:
        before = before[-_REACH:].partition(" ")[2] or before[-_REACH:]
    if len(after) > _REACH:
        after = after[:_REACH].rpartition(" ")[0] or after[:_REACH]
    return [*analyser.terms(before)[-2:], *analyser.terms(after)[:2]]


def _rows(terms: Sequence[str], counts: ExamCounts) -> frozenset[int]:
    return frozenset(counts.term_row[term] for term in terms if term in counts.term_row)
