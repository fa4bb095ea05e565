"""A verdict on each choice that a teacher can read: whether the book supports it, the sentence and where it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from answerer.ntcir.multiple_choice.validation.passages import all_terms
from answerer.ntcir.multiple_choice.validation.question import ChoiceTerms, QuestionTerms
from indexer.analysis import Analyser
from indexer.engines.contract import Index
from indexer.sources.textbook.schema import PARAGRAPHS
from retriever.bm25 import idf_in
from retriever.explain import Evidence, explain_hits
from retriever.queries import analyser_of, language_of, union_query

_PARAGRAPHS = 5  # for question and choice, in which the sentence is looked for
_HELD = 0.8  # share of a choice's idf in a sentence that says it
_ASKED = 0.2  # share of the question's idf in a sentence and its neighbours that are about what is asked
_CUT = 300  # characters of a sentence that are quoted


class Support(NamedTuple):
    """The passages that speak most for a choice, best first, and a verdict in words."""

    verdict: str
    passages: Sequence[Evidence]


class _Window(NamedTuple):
    """The sentence of a paragraph that holds most of a choice, with its neighbours as `text`.

    `held` is the share of the choice's idf in the sentence, `asked` that of the question's in the whole text.
    """

    sentence: str
    text: str
    held: float
    asked: float

    @property
    def value(self) -> float:
        return self.held * (_ASKED + self.asked)


class _EvidenceReader(NamedTuple):
    """Splitting and joining of texts in a language, and the idf of terms in the book."""

    analyser: Analyser
    joiner: str
    rarity: Mapping[str, float]

    def window(self, question: QuestionTerms, choice: ChoiceTerms, text: str) -> _Window:
        """The sentence of a text with most of the choice and, around it, of the question; the first of equal ones."""
        sentences = self.analyser.sentences(text) or [text]
        terms = [frozenset(self.analyser.terms(sentence)) for sentence in sentences]
        windows = []
        for place, sentence in enumerate(sentences):
            around = slice(max(0, place - 1), place + 2)
            held = self._share(choice.terms, terms[place])
            known = [term for term in question.terms if term in self.rarity]  # not "from (1)-(4) below"
            asked = self._share(known, frozenset[str]().union(*terms[around]))
            windows.append(_Window(sentence, self.joiner.join(sentences[around]), held, asked))
        return max(windows, key=lambda window: round(window.value, 6))

    def _share(self, terms: Sequence[str], held: frozenset[str]) -> float:
        """The share of the terms' idf that is held; terms that the book does not have are as rare as its rarest."""
        rarest = max(self.rarity.values(), default=1.0)
        total = sum(self.rarity.get(term, rarest) for term in terms)
        return sum(self.rarity.get(term, rarest) for term in terms if term in held) / total if total else 0.0


def supports_of(
    questions: Sequence[QuestionTerms], likely: Sequence[Sequence[bool]], index: Index, k: int
) -> list[list[Support]]:
    """For each question the support of each choice, with at most `k` passages.

    `likely` says of each choice whether it is at least as likely to be true as a blind guess.
    """
    paragraphs = index.part(PARAGRAPHS.name)
    rarity = idf_in(paragraphs, all_terms(questions))
    queries = [union_query(question.terms, choice.terms) for question in questions for choice in question.choices]
    found = iter(
        [
            explain_hits(paragraphs, query, hits)
            for query, hits in zip(queries, paragraphs.search(queries, max(k, _PARAGRAPHS)), strict=True)
        ]
    )
    reader = _EvidenceReader(analyser_of(index), language_of(index).joiner, rarity)
    supports = []
    for question, truths in zip(questions, likely, strict=True):
        each = zip(question.choices, truths, islice(found, len(question.choices)), strict=True)
        supports.append([_support(question, choice, truth, hits, reader, k) for choice, truth, hits in each])
    return supports


def _support(
    question: QuestionTerms,
    choice: ChoiceTerms,
    likely: bool,
    hits: Sequence[Evidence],
    reader: _EvidenceReader,
    k: int,
) -> Support:
    """The verdict on a choice in words, with its `k` best passages; `likely` is true for a supported choice."""
    if choice.aggregate:
        return Support("follows from the other choices", ())
    windows = [reader.window(question, choice, hit.text) for hit in hits]
    order = sorted(range(len(hits)), key=lambda place: (-round(windows[place].value, 6), place))
    passages = [hits[place]._replace(text=windows[place].text) for place in order[:k]]
    if not any(term in reader.rarity for term in choice.terms):
        return Support("the book has none of its words", ())
    if not order:
        return Support("no passage says so", ())
    best, title = windows[order[0]], hits[order[0]].title
    quoted = f"“{_shorten(best.sentence)}”" + (f" ({title})" if title else "")
    if best.held < _HELD:
        return Support(f"no passage says so; the nearest: {quoted}", passages)
    if best.asked < _ASKED and question.terms:
        return Support(f"in the book, but not with what is asked: {quoted}", passages)
    return Support(f"supported: {quoted}" if likely else f"less supported than others: {quoted}", passages)


def _shorten(sentence: str) -> str:
    return sentence if len(sentence) <= _CUT else sentence[: _CUT - 1].rstrip() + "…"
