"""What the whole book says of a candidate: the signals of the exam's judged names, the question as their statement."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from answerer.ntcir.multiple_choice.names.counts import Counts, Unit, counted_by_this_version
from answerer.ntcir.multiple_choice.names.flat import Flat, apart, pooled_by_name
from answerer.ntcir.multiple_choice.names.latent import latent_signals
from answerer.ntcir.multiple_choice.names.retrieval import retrieval_signals
from answerer.ntcir.multiple_choice.names.signals import mutual_information
from answerer.ntcir.term.kinds import is_of
from answerer.ntcir.term.language import TermLanguage
from answerer.ntcir.term.languages.spans import NAMED
from answerer.ntcir.term.passages import Retrieved
from answerer.ntcir.term.questions import TermQuestion, without_gaps
from answerer.ntcir.term.signals import IN_BOOK, KINDS_IN_BOOK, Candidate
from indexer.engines.contract import Index, Searcher
from indexer.entities import Recogniser
from indexer.files.arrays import Float64Array
from indexer.statistics.part import decode_book

_AT_ONCE = 25  # questions whose names and terms are in memory at once
_DIGITS = 4  # the engines' last bits are not told apart
_WHOLE = 1.0  # the weight of the texts whose terms are the statement


class _Asked(NamedTuple):
    """A question and its candidates: its terms, the keys of its names, the keys and the terms of each candidate.

    `classes` are those of the answer, none where the question does not firmly say; `named` which candidates are names
    or nouns, no times or numbers.
    """

    terms: list[str]
    names: list[tuple[str, ...]]
    keys: list[tuple[str, ...]]
    own: list[list[str]]
    classes: frozenset[str]
    named: list[bool]


def set_in_book(
    questions: Sequence[TermQuestion],
    ranked: Sequence[Sequence[Candidate]],
    retrieved: Sequence[Retrieved],
    index: Index,
    language: TermLanguage,
) -> None:
    """Fill `IN_BOOK` and `KINDS_IN_BOOK` of the candidates of each question, in two look-ups for 25 questions.

    A candidate is the name of the book that it is called, or else stands wherever all its terms stand in one sentence.
    0 for one that stands nowhere, and in an index without the part `names`. UserError where another version made that.
    """
    if not any(part.name == "names" for part in index.metadata.parts):
        return
    searcher, recogniser = index.part("names"), language.language.recogniser(language.glossary)
    asked = [
        _read(question, candidates, each, recogniser, language)
        for question, candidates, each in zip(questions, ranked, retrieved, strict=True)
    ]
    for start in range(0, len(asked), _AT_ONCE):
        part = slice(start, start + _AT_ONCE)
        with counted_by_this_version(index):
            rows = _signals(asked[part], searcher)
        for candidates, values in zip(ranked[part], rows, strict=True):
            for candidate, row in zip(candidates, values, strict=False):
                candidate.signals |= row


def _read(
    question: TermQuestion,
    candidates: Sequence[Candidate],
    retrieved: Retrieved,
    recogniser: Recogniser,
    language: TermLanguage,
) -> _Asked:
    names = [
        (mention.key, *recogniser.parts(mention.key)) for mention in recogniser.mentions(without_gaps(question.asked))
    ]
    terms = [term for term, weight in retrieved.terms.items() if weight >= _WHOLE]
    keys = [_keys(one.text, recogniser) for one in candidates]
    own = [language.terms(one.text) for one in candidates]
    classes = question.classes if question.firm else frozenset()
    return _Asked(terms, names, keys, own, classes, [one.span.shape in NAMED for one in candidates])


def _keys(text: str, recogniser: Recogniser) -> tuple[str, ...]:
    """What the book may call a candidate: the key of the name that it is, else its own letters."""
    whole = (mention.key for mention in recogniser.mentions(text) if mention.surface == text)
    return (*whole, text.casefold(), text)


def _signals(asked: Sequence[_Asked], searcher: Searcher) -> list[list[Mapping[str, float]]]:
    """The signals of the candidates of each question."""
    keys = sorted({key for one in asked for own in (*one.names, *one.keys) for key in own})
    terms = sorted({term for one in asked for own in (one.terms, *one.own) for term in own})
    counts = Counts(decode_book(searcher, keys, terms))
    flat = _flat(asked, counts)
    if not counts.keys or not counts.sentences or not len(flat.rows):
        return [[] for _ in asked]
    found = retrieval_signals(counts.paragraph, flat)[0] | latent_signals(counts.paragraph, counts.vectors, flat)
    units = {"window": counts.window, "section": counts.section}
    found |= {f"pmi_{name}": _mutual(name, unit, flat) for name, unit in units.items()}
    columns = np.column_stack([np.where(flat.rows >= 0, found[name], 0.0) for name in IN_BOOK.values()])
    rows = iter([dict(zip(IN_BOOK, row, strict=True)) for row in np.round(columns, _DIGITS).tolist()])
    return [[next(rows) | kinds for kinds in _kinds(one, counts)] for one in asked]


def _kinds(asked: _Asked, counts: Counts) -> list[dict[str, float]]:
    """Whether each candidate is a name of the book, and whether its kind there is one that is asked for."""
    found: list[dict[str, float]] = []
    for keys, named in zip(asked.keys, asked.named, strict=True):
        row = _row(keys, (), counts) if named else -1
        said = row >= 0 and bool(asked.classes) and counts.kinds[row] != "year"
        fits = said and is_of(counts.kinds[row], asked.classes)
        found.append(dict(zip(KINDS_IN_BOOK, map(float, (row >= 0, fits, said and not fits)), strict=True)))
    return found


def _mutual(name: str, unit: Unit, flat: Flat) -> Float64Array:
    """The mean pointwise mutual information of each candidate with the names of its question, 0 without any."""
    use = flat.rows[flat.pair_of] >= 0
    of, other = flat.pair_of[use], flat.pair_with[use]
    own = flat.rows[of]
    values = mutual_information(name, unit, own, other)
    return pooled_by_name(values, of, len(flat.rows))[0]


def _flat(asked: Sequence[_Asked], counts: Counts) -> Flat:
    """The candidates of all questions, each paired with the names of its question; one rest for all of a question."""
    rows: list[int] = []
    claim: list[int] = []
    first: list[int] = []
    pairs: list[tuple[int, int]] = []
    terms: list[tuple[int, int]] = []
    for number, one in enumerate(asked):
        start = len(rows)
        own = [_row(keys, terms_of, counts) for keys, terms_of in zip(one.keys, one.own, strict=True)]
        context = [row for row in dict.fromkeys(_row(keys, (), counts) for keys in one.names) if row >= 0]
        pairs += [(start + place, row) for place, name in enumerate(own) for row in context if row != name]
        if own:
            terms += [(start, counts.term_row[term]) for term in one.terms if term in counts.term_row]
        rows += own
        claim += [number] * len(own)
        first += [start] * len(own)
    nothing = np.zeros(0, np.int64)
    size = len(rows)
    return Flat(
        np.array(rows, np.int64),
        np.array(claim, np.int64),
        [None] * size,
        *apart(pairs),
        *apart(terms),
        nothing,
        nothing,
        np.zeros(size, bool),
        np.full(size, Flat.NAME, np.int64),
        np.array(first, np.int64),
        [("", "")] * size,
    )


def _row(keys: Sequence[str], terms: Sequence[str], counts: Counts) -> int:
    """The row of a name by the first key that the book knows, else of all its terms in one sentence; -1 for neither."""
    row = next((counts.name_row[key] for key in keys if key in counts.name_row), -1)
    if row < 0 and terms and all(term in counts.term_row for term in terms):
        row = counts.phrase_row(frozenset(counts.term_row[term] for term in terms))
    return row
