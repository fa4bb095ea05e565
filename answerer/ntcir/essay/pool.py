"""The passages and sentences that an essay can be made of, found in an index."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import log
from typing import NamedTuple

from answerer.formats.keywords import mentions
from answerer.ntcir.essay.language import EssayLanguage, essay_language
from answerer.ntcir.essay.question import Question
from indexer.analysis import Analyser
from indexer.document import Document
from indexer.engines.contract import Hit, Index, Query
from indexer.engines.scoring import rounded
from indexer.files.errors import UserError
from indexer.languages.language import Language
from indexer.sources.textbook import schema
from indexer.sources.textbook.schema import sentences_before
from retriever.bm25 import idf
from retriever.joint.index import source_of
from retriever.queries import language_of, weighted_query
from retriever.term_counts import documents_with


def named_title(asked: str, titles: Iterable[str], analyser: Analyser) -> str:
    """The title of most terms that stands in a text as it is written, whole words of it; "" where none does.

    Of titles of equally many terms the longest, then the first in order of code points.
    """
    asked_terms = analyser.terms(asked)
    named = []
    for title in {title for title in titles if title and title in asked}:
        terms = analyser.terms(title)
        if terms and _holds(asked_terms, terms):
            named.append((-len(terms), -len(title), title))
    return min(named)[-1] if named else ""


def _holds(terms: list[str], run: list[str]) -> bool:
    return any(terms[start : start + len(run)] == run for start in range(len(terms) - len(run) + 1))


ALIKE = 100
"""So many paragraphs are counted at most."""
SEARCHED_ALIKE = 150
"""So many are looked for, since the section's own are among them."""
_TELLING = 40
_ASKED_WEIGHT = 5.0


def alike_query(
    question: Question, section: Sequence[tuple[str, ...]], frequency: Mapping[str, int], size: int
) -> Query:
    """What finds paragraphs like a question and its section: the question's terms, `_ASKED_WEIGHT` times as heavy as it
    weighs them, and the `_TELLING` terms of the section with the highest (1 + log count) · idf, by 1 + log count.

    `frequency` says how many of `size` paragraphs hold a term; terms of the section that it lacks are left out.
    """
    counts = Counter(term for passage in section for term in passage if frequency.get(term))
    weights = {term: 1 + log(count) for term, count in counts.items()}
    telling = sorted(weights, key=lambda term: (-weights[term] * idf(size, float(frequency[term])), term))[:_TELLING]
    asked = {term: _ASKED_WEIGHT * weight for term, weight in question.terms.items()}
    return weighted_query({**asked, **{term: weights[term] + asked.get(term, 0.0) for term in telling}})


def of_others(hits: Sequence[Hit], title: str) -> list[Document]:
    """The first `ALIKE` paragraphs found that do not stand under a title; with "" for the title, of all."""
    others = [hit.document for hit in hits if not title or schema.title_of(hit.document) != title]
    return others[:ALIKE]


LONGEST = 3
"""So many sentences in a row at most, the one that leans among them."""


def leans(text: str, own: EssayLanguage) -> bool:
    """Whether a sentence, without what is left off at its beginning, points to one before it."""
    return own.leans(own.bare(text).strip())


def asked_for(doc_id: str, text: str, own: EssayLanguage) -> list[str]:
    """The doc_ids of the sentences that one may lean on; none where it stands by itself."""
    return sentences_before(doc_id, LONGEST - 1) if leans(text, own) else []


def support(doc_id: str, text: str, texts: Mapping[str, str], own: EssayLanguage) -> tuple[str, ...] | None:
    """The sentences that have to stand before one, in reading order, the first of which leans on nothing.

    () where it stands by itself; None where they are not to be had: it opens its paragraph, leans over more
    than `LONGEST` sentences, or on one that is not fit for an essay or not among `texts` (by doc_id).
    """
    before: list[str] = []
    piece = text
    for doc_id_before in reversed(asked_for(doc_id, text, own)):
        piece = texts.get(doc_id_before, "")
        if not piece or not own.is_fit(piece):
            return None
        before.insert(0, piece)
        if not leans(piece, own):
            break
    return None if leans(piece, own) else tuple(before)


PARAGRAPHS = 20
SENTENCES = 80
PER_KEYWORD = 3
SECTION_SHARE = 0.5
TITLE_SHARE = 0.5
_SEARCHED = 60
_INSIDE = 2_000
_OF_A_TITLE = 200


class Candidate(NamedTuple):
    """A sentence that may be chosen. `sentence_score` and `paragraph_score` lie in [0, 1], the best is 1.

    `position` counts from 0 in the paragraph; `source_id` is what a submission cites: the corpus's own id, or ours
    where it has none. `source` is the address of the index that it is from, where several were asked as one, else "".
    `before` are the sentences that have to come with it (see `leaning.support`). `citation` is the title with the page.
    """

    doc_id: str
    source_id: str
    paragraph: str
    title: str
    text: str
    terms: tuple[str, ...]
    position: int
    sentence_score: float
    paragraph_score: float
    source: str = ""
    before: tuple[str, ...] | None = ()
    citation: str = ""


@dataclass(frozen=True, slots=True)
class Pool:
    """All that is known when sentences are chosen for one essay.

    `section` holds the terms of each paragraph under the title that the question names, else under the one that
    scored best. `document_frequency` counts the paragraphs of the whole collection of `size` that hold a term. `alike`
    holds the different terms of the paragraphs that are most like the section, themselves not of it.
    """

    question: Question
    language: Language
    candidates: tuple[Candidate, ...]
    section: tuple[tuple[str, ...], ...]
    document_frequency: Mapping[str, int]
    size: int
    alike: tuple[frozenset[str], ...] = ()


def gather(index: Index, questions: Sequence[Question], analyser: Analyser) -> list[Pool]:
    """A pool for each question; the index is asked a few times in all, however many questions there are.

    UserError for an index of whole paragraphs: essays choose sentences.
    """
    if not schema.holds_sentences(index.metadata):
        raise UserError(f"{index.address} holds whole paragraphs: build an index with `--unit sentence` for essays")
    return _Gathering(index, analyser).pools(questions)


class _Found(NamedTuple):
    """What was found for one section before anything is analysed: the scores of its best paragraphs, the
    sentences with theirs, the title that the question names, and the one that its paragraphs agree on."""

    paragraph_scores: dict[str, float]
    sentences: dict[str, tuple[float, Document]]
    named: str
    common: str

    @property
    def title(self) -> str:
        """The title of the section that the question is about."""
        return self.named or self.common


class _Gathering:
    """One run over all sections: each stage asks the index once for all of them."""

    def __init__(self, index: Index, analyser: Analyser) -> None:
        self.sentences = index.part(schema.SENTENCES.name)
        self.paragraphs = index.part(schema.PARAGRAPHS.name)
        self.language = language_of(index)
        self.own = essay_language(self.language)
        self.analyser = analyser
        self.terms_of: dict[str, tuple[str, ...]] = {}

    def pools(self, questions: Sequence[Question]) -> list[Pool]:
        searched = self._search(questions)
        titles = sorted({one.title for one in searched if one.title})
        titled = dict(zip(titles, self.paragraphs.lookup(schema.TITLE, titles), strict=True))
        sections = [
            tuple(self._terms(document) for document in titled.get(one.title, [])[:_OF_A_TITLE]) for one in searched
        ]
        candidates = self._supported([self._candidates(*each) for each in zip(questions, searched, strict=True)])
        words = sorted({term for chosen in candidates for one in chosen for term in one.terms})
        frequency = documents_with(self.paragraphs, words)
        alike = self._alike(questions, searched, sections, frequency)
        return [
            Pool(question, self.language, chosen, section, frequency, len(self.paragraphs), like)
            for question, chosen, section, like in zip(questions, candidates, sections, alike, strict=True)
        ]

    def _alike(
        self,
        questions: Sequence[Question],
        searched: Sequence[_Found],
        sections: Sequence[tuple[tuple[str, ...], ...]],
        frequency: Mapping[str, int],
    ) -> list[tuple[frozenset[str], ...]]:
        """The terms of the paragraphs like each section; none in a language whose models do not ask for them."""
        if not self.own.FURTHER_SIGNALS:
            return [() for _ in questions]
        size = len(self.paragraphs)
        queries = [alike_query(*each, frequency, size) for each in zip(questions, sections, strict=True)]
        found = self.paragraphs.search(queries, SEARCHED_ALIKE)
        return [
            tuple(frozenset(self._terms(document)) for document in of_others(hits, one.title))
            for hits, one in zip(found, searched, strict=True)
        ]

    def _search(self, questions: Sequence[Question]) -> list[_Found]:
        asked = [weighted_query(question.terms) for question in questions]
        hits = self.paragraphs.search(asked, _SEARCHED)
        ranked = [self._ranked(one, question) for one, question in zip(hits, questions, strict=True)]
        inside = [
            Query(query.terms, (schema.PARAGRAPH, tuple(scores))) for query, scores in zip(asked, ranked, strict=True)
        ]
        of_paragraphs = self.sentences.search(inside, _INSIDE)
        of_keywords = iter(self.sentences.search(_keyword_queries(questions), _SEARCHED))
        searched = []
        for question, scores, sentences, one in zip(questions, ranked, of_paragraphs, hits, strict=True):
            kept = {hit.doc_id: (rounded(hit.score), hit.document) for hit in sentences}
            for keyword, _ in question.keywords:
                holding = [hit for hit in next(of_keywords) if mentions(keyword, hit.document.text)]
                for hit in holding[: 2 * PER_KEYWORD]:
                    kept.setdefault(hit.doc_id, (0.0, hit.document))
            named = named_title(question.asked, {_title(hit.document) for hit in one}, self.analyser)
            searched.append(_Found(scores, kept, named, _common_title(one, scores)))
        return self._scored(self._with_named(searched), asked)

    def _with_named(self, searched: list[_Found]) -> list[_Found]:
        """All sentences under the title that a question names are found too."""
        titles = sorted({one.named for one in searched if one.named})
        sentences = dict(zip(titles, self.sentences.lookup(schema.TITLE, titles), strict=True))
        for one in searched:
            for document in sentences.get(one.named, [])[:_INSIDE]:
                one.sentences.setdefault(document.doc_id, (0.0, document))
        return searched

    def _ranked(self, hits: Sequence[Hit], question: Question) -> dict[str, float]:
        """The best paragraphs with their scores: their own, their title's, and whether the question names it."""
        if not hits:
            return {}
        by_title: dict[str, list[float]] = {}
        for hit in hits:
            by_title.setdefault(_title(hit.document), []).append(rounded(hit.score))
        best = rounded(hits[0].score)
        section = {title: sum(sorted(scores, reverse=True)[:3]) / 3 for title, scores in by_title.items()}
        top = max(section.values())
        named = {title: self._share_named(title, question) for title in by_title}
        scores = {
            hit.doc_id: rounded(hit.score) / best
            + SECTION_SHARE * section[_title(hit.document)] / top
            + TITLE_SHARE * named[_title(hit.document)]
            for hit in hits
        }
        chosen = sorted(scores, key=lambda key: (-scores[key], key))[:PARAGRAPHS]
        return {key: scores[key] / scores[chosen[0]] for key in chosen}

    def _share_named(self, title: str, question: Question) -> float:
        terms = self.analyser.terms(title)
        return sum(question.terms.get(term, 0.0) >= 1.0 for term in terms) / len(terms) if terms else 0.0

    def _scored(self, searched: list[_Found], asked: list[Query]) -> list[_Found]:
        """Sentences that came by a keyword or a title get the score that the question itself gives them."""
        missing = [tuple(key for key, (score, _) in one.sentences.items() if not score) for one in searched]
        queries = [Query(query.terms, ("doc_id", keys)) for query, keys in zip(asked, missing, strict=True)]
        for one, hits in zip(searched, self.sentences.search(queries, _INSIDE), strict=True):
            one.sentences.update((hit.doc_id, (rounded(hit.score), hit.document)) for hit in hits)
        return searched

    def _candidates(self, question: Question, searched: _Found) -> tuple[Candidate, ...]:
        best = max((score for score, _ in searched.sentences.values()), default=0.0) or 1.0
        made = []
        for doc_id, (score, document) in sorted(searched.sentences.items()):
            place = schema.decode_place(document)
            if self.own.is_fit(document.text):
                made.append(
                    Candidate(
                        doc_id,
                        place.source_id or place.paragraph or doc_id,
                        place.paragraph,
                        place.title,
                        document.text,
                        self._terms(document),
                        schema.sentence_number(doc_id) - 1,
                        score / best,
                        searched.paragraph_scores.get(place.paragraph, 0.0),
                        source_of(document),
                        citation=place.citation,
                    )
                )
        return shortlist(made, question, searched.named)

    def _supported(self, pools: list[tuple[Candidate, ...]]) -> list[tuple[Candidate, ...]]:
        """The candidates with what those that lean on the sentence before them need. One look-up."""
        asked = sorted({key for pool in pools for one in pool for key in asked_for(one.doc_id, one.text, self.own)})
        texts = {found.doc_id: found.text for row in self.sentences.lookup("doc_id", asked) for found in row}
        return [
            tuple(one._replace(before=support(one.doc_id, one.text, texts, self.own)) for one in pool) for pool in pools
        ]

    def _terms(self, document: Document) -> tuple[str, ...]:
        if document.doc_id not in self.terms_of:
            self.terms_of[document.doc_id] = tuple(self.analyser.terms(document.text))
        return self.terms_of[document.doc_id]


def shortlist(candidates: Sequence[Candidate], question: Question, named: str = "") -> tuple[Candidate, ...]:
    """The `SENTENCES` best candidates, and the `PER_KEYWORD` best that use each keyword, in reading order.

    Those under the title that the question names, where it names one, come before all others.
    """

    def worse(one: Candidate) -> tuple[bool, float, str]:
        return bool(named) and one.title != named, -(one.sentence_score + one.paragraph_score / 2), one.doc_id

    ranked = sorted((one for one in candidates if len(one.terms) >= 3), key=worse)
    kept = {one.doc_id for one in ranked[:SENTENCES]}
    for keyword in question.printed_keywords:
        kept.update([one.doc_id for one in ranked if mentions(keyword, one.text)][:PER_KEYWORD])
    return tuple(one for one in candidates if one.doc_id in kept)


def _keyword_queries(questions: Sequence[Question]) -> list[Query]:
    """One query a keyword of every question, its own terms three times as heavy."""
    return [
        weighted_query({**question.terms, **dict.fromkeys(terms, 3.0)})
        for question in questions
        for _, terms in question.keywords
    ]


def _common_title(hits: Sequence[Hit], scores: Mapping[str, float]) -> str:
    """The title under which the best ten paragraphs score most; "" where none has a title."""
    sums: dict[str, float] = {}
    titles = {hit.doc_id: _title(hit.document) for hit in hits}
    for doc_id, score in list(scores.items())[:10]:
        sums[titles[doc_id]] = sums.get(titles[doc_id], 0.0) + score
    return min(sums, key=lambda title: (-sums[title], title), default="")


def _title(document: Document) -> str:
    return schema.decode_place(document).title
