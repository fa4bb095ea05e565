"""Answers to the term questions of a sheet: passages, candidates, signals, choice, all sections in few round trips."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from answerer.formats.answer_sheet import Answer, Expression, Section
from answerer.formats.length_limit import exceeds
from answerer.ntcir.term.in_book import set_in_book
from answerer.ntcir.term.language import TermLanguage, index_language
from answerer.ntcir.term.languages.spans import NAMED
from answerer.ntcir.term.passages import FIELD, Retrieved, by_term, retrieve
from answerer.ntcir.term.questions import TermQuestion, section_question
from answerer.ntcir.term.signals import Candidate, set_signals
from answerer.ntcir.term.signals import candidates as candidates_in
from answerer.ntcir.term.weights import GAP, HAND, set_scores, weights_of
from indexer.analysis.years import read_years
from indexer.engines.contract import Index, Query, QueryTerm
from indexer.engines.scoring import rounded
from indexer.sources.textbook.schema import PARAGRAPHS, SENTENCES, holds_sentences
from retriever.queries import union_query
from retriever.term_counts import documents_with


def choose(
    section: Section, ranked: Sequence[Candidate], language: TermLanguage, taken: Sequence[str] = ()
) -> tuple[str, ...]:
    """The text of each of the section's answers, in order; "" where every candidate left is too long.

    No text is given twice, nor one that is part of another; `taken` are those of sections with the same
    instruction, which ask for other parts of it. In an ordered list whose answers are dates, or
    glossary names with dates, they stand in order of time; otherwise the best stands first.
    """
    chosen: list[str] = []
    for answer in section.answers:
        text = _next(answer, ranked, [*taken, *chosen], language)
        chosen.append(text)
    if section.answer_set_type == "ordered_list":
        chosen = _in_order(chosen, language)
    return _placed(section, chosen)


def _next(answer: Answer, ranked: Sequence[Candidate], chosen: Sequence[str], language: TermLanguage) -> str:
    taken = [language.fold(text) for text in chosen if text]
    for candidate in ranked:
        text = _shortened(candidate.text, answer, language)
        key = language.fold(text)
        if text and not any(key in other or other in key for other in taken):
            return text
    return ""


def _shortened(text: str, answer: Answer, language: TermLanguage) -> str:
    """The text, or where the limit does not hold it a shorter name of the glossary for it; "" for neither."""
    if not exceeds(text, answer.limit):
        return text
    entries = language.names_of(text)
    return next(
        (name for name in sorted(entries, key=lambda name: (len(name), name)) if not exceeds(name, answer.limit)), ""
    )


def _in_order(texts: Sequence[str], language: TermLanguage) -> list[str]:
    """The texts in order of time where every one has a year, else as they are."""
    years = [_year(text, language) for text in texts]
    if any(year is None for year in years):
        return list(texts)
    dated = zip(years, range(len(texts)), texts, strict=True)
    return [text for _, _, text in sorted((year or 0, place, text) for year, place, text in dated)]


def _year(text: str, language: TermLanguage) -> int | None:
    try:
        years = read_years(text)
    except ValueError:
        years = None
    years = years or language.start_of(text)
    return years.first if years else None


def _placed(section: Section, texts: Sequence[str]) -> tuple[str, ...]:
    """The texts at the places that `order` gives their answers, where the sheet prints them."""
    orders = [answer.order for answer in section.answers]
    if section.answer_set_type != "ordered_list" or any(order is None for order in orders):
        return tuple(texts)
    places = sorted(range(len(orders)), key=lambda place: orders[place] or 0)
    placed = [""] * len(texts)
    for text, place in zip(texts, places, strict=True):
        placed[place] = text
    return tuple(placed)


READ = 300
"""So many sentences with the noun that is asked for, the best by BM25, are read for what they say is one."""

_AT_ONCE = 25  # nouns whose sentences are in memory at once


def set_hypernyms(
    questions: Sequence[TermQuestion], ranked: Sequence[Sequence[Candidate]], index: Index, language: TermLanguage
) -> None:
    """Fill "hypernym" of each question's candidates, log(1 + places that say so), in a round trip for 25 nouns.

    The patterns are those of Hearst (1992, Automatic acquisition of hyponyms), in the words of each language; a noun
    asked for that is made of several counts by its head (三大宗教: 宗教). 0 where no noun is asked for.
    """
    named: dict[str, list[Candidate]] = {}
    for question, candidates in zip(questions, ranked, strict=True):
        head = language.tools.reader.head_of(language.fold(question.focus))
        named.setdefault(head, []).extend(one for one in candidates if one.span.shape in NAMED)
    part = index.part((SENTENCES if holds_sentences(index.metadata) else PARAGRAPHS).name)
    asked = [head for head in sorted(named) if language.terms(head)]
    for start in range(0, len(asked), _AT_ONCE):
        heads = asked[start : start + _AT_ONCE]
        hits = part.search([union_query(sorted(set(language.terms(head)))) for head in heads], READ)
        for head, found in zip(heads, hits, strict=True):
            sentences = [language.fold(hit.document.text) for hit in found]
            for one in named[head]:
                one.signals["hypernym"] = math.log1p(_said(language.fold(one.text), head, sentences, language))


def _said(name: str, head: str, sentences: Sequence[str], language: TermLanguage) -> int:
    """In how many places of the sentences a name is said to be one of what the noun names."""
    found = 0
    for sentence in sentences:
        start = sentence.find(name)
        while start >= 0:
            end = start + len(name)
            found += language.finder.is_said_to_be(sentence[:start], sentence[end:], head)
            start = sentence.find(name, end)
    return found


TRIED = 12  # candidates of a question that are put back
_TERMS = 8  # terms of the question, the heaviest, that it is counted with
_DAMPING = 0.5
_DIGITS = 4  # of a difference of scores that are rounded to 5 significant digits, on which the engines agree


def set_put_back(
    ranked: Sequence[Sequence[Candidate]], retrieved: Sequence[Retrieved], index: Index, language: TermLanguage
) -> None:
    """Fill "put back" for the first candidates of each question, in one round trip for all.

    The signal is the rise of the best paragraph's score, S(question + candidate) − S(question), relative to
    S(candidate): 1 where a paragraph that answers the question best is also one about the candidate.
    """
    queries: list[Query] = []
    for candidates, each in zip(ranked, retrieved, strict=True):
        queries.append(by_term(each.terms))
        for candidate in candidates[:TRIED]:
            new = {term: 1.0 for term in language.terms(candidate.text) if term not in each.terms}
            queries += [by_term(new), by_term({**each.terms, **new})]
    best = iter([rounded(hits[0].score) if hits else 0.0 for hits in index.part(PARAGRAPHS.name).search(queries, 1)])
    for candidates in ranked:
        alone = next(best)
        for candidate in candidates[:TRIED]:
            own, together = next(best), next(best)
            candidate.signals["put back"] = round((together - alone) / own, _DIGITS) if own else 0.0


def set_association(
    ranked: Sequence[Sequence[Candidate]], retrieved: Sequence[Retrieved], index: Index, language: TermLanguage
) -> None:
    """Fill "association" of each question's candidates, in two round trips for all.

    The pointwise mutual information of the candidate's rarest term c with the question's heaviest terms t, over
    all paragraphs: Σ w(t) log((n(c, t) + ½) / (n(c) n(t) / N + ½)) / Σ w(t), times the share of eight that
    there are of the terms (the mean of few says little); 0 for a candidate without terms.
    Paragraphs with both are counted as n(c) + n(t) − n(c or t).
    """
    part = index.part(PARAGRAPHS.name)
    heavy = [_heaviest(each) for each in retrieved]
    own = [[language.terms(one.text) for one in candidates] for candidates in ranked]
    terms = sorted({term for each in heavy for term in each} | {t for each in own for ts in each for t in ts})
    counts = documents_with(part, terms)
    rarest = [[min(ts, key=lambda t: (counts[t], t)) if ts else "" for ts in each] for each in own]
    pairs = sorted({(c, t) for cs, ts in zip(rarest, heavy, strict=True) for c in cs for t in ts if c and c != t})
    either = dict(zip(pairs, part.count([union_query(pair) for pair in pairs]), strict=True))
    for candidates, cs, ts in zip(ranked, rarest, heavy, strict=True):
        for candidate, c in zip(candidates, cs, strict=True):
            values = [
                (weight, counts[c] + counts[t] - either[c, t], counts[c] * counts[t] / len(part))
                for t, weight in ts.items()
                if (c, t) in either
            ]
            whole = sum(weight for weight, _, _ in values) or 1.0
            total = sum(w * math.log((both + _DAMPING) / (chance + _DAMPING)) for w, both, chance in values)
            candidate.signals["association"] = total / whole * len(values) / _TERMS


def _heaviest(retrieved: Retrieved) -> dict[str, float]:
    """The heaviest terms of a question with their weights, idf times the weight of their text."""
    weights = {term: idf * retrieved.terms[term] for term, idf in retrieved.idf.items()}
    return dict(sorted(weights.items(), key=lambda item: (-item[1], item[0]))[:_TERMS])


JUDGED = 100  # candidates of a question that the index is asked about: the best by what the passages alone say
SHOWN = 10  # candidates of the trace


class TermAnswer(NamedTuple):
    """A section answered: a text for each of its answers ("" without one), and the candidates, best first."""

    section: Section
    question: TermQuestion
    texts: tuple[str, ...]
    ranked: Sequence[Candidate]

    @property
    def expressions(self) -> tuple[tuple[Expression, ...], ...]:
        """What the writer of sheets takes: the expressions of each answer, an empty tuple without a text."""
        return tuple((Expression(text),) if text else () for text in self.texts)


def answer_terms(sections: Sequence[Section], index: Index) -> list[TermAnswer]:
    """Answer term sections from a textbook index, in order; its language and glossary are those of the index."""
    language = index_language(index)
    questions = [section_question(section, language.language) for section in sections]
    ranked = rank_candidates(questions, index, language)
    answered: list[TermAnswer] = []
    taken: dict[str, list[str]] = {}
    for section, question, best_first in zip(sections, questions, ranked, strict=True):
        siblings = taken.setdefault(section.instruction_text, [])
        texts = choose(section, best_first, language, siblings)
        siblings += texts
        answered.append(TermAnswer(section, question, texts, best_first))
    return answered


def rank_candidates(questions: Sequence[TermQuestion], index: Index, language: TermLanguage) -> list[list[Candidate]]:
    """The candidates of each question with their signals and scores, best first."""
    ranked = judged_candidates(questions, index, language)
    for question, candidates_of in zip(questions, ranked, strict=True):
        set_scores(candidates_of, weights_of(question))
    return ranked


def judged_candidates(questions: Sequence[TermQuestion], index: Index, language: TermLanguage) -> list[list[Candidate]]:
    """The candidates that are ranked at the end, with all their signals: the best by hand weights."""
    retrieved = retrieve(questions, index, language.analyser)
    found = [candidates_in(question, each, language) for question, each in zip(questions, retrieved, strict=True)]
    for question, every in zip(questions, found, strict=True):
        set_signals(question, every, language)
    set_hypernyms(questions, found, index, language)
    for every in found:
        set_scores(every, HAND)
    ranked = [every[:JUDGED] for every in found]
    set_association(ranked, retrieved, index, language)
    for judged in ranked:
        set_scores(judged, HAND)
    set_put_back(ranked, retrieved, index, language)
    for judged in ranked:
        set_scores(judged, HAND)
    set_in_book(questions, ranked, retrieved, index, language)
    return ranked


def trace_rows(answered: Sequence[TermAnswer], index: Index) -> Iterator[Mapping[str, Any]]:
    """A row of the trace for each section."""
    language = index_language(index)
    for one in answered:
        yield {
            "question_id": one.section.section_id,
            "shape": one.section.answer_type or "term",
            **trace_fields(one.question, one.texts, one.ranked, index, language),
        }


def trace_fields(
    question: TermQuestion, texts: Sequence[str], ranked: Sequence[Candidate], index: Index, language: TermLanguage
) -> dict[str, Any]:
    """What a trace says of a question: its candidates with their signals and the passage that each comes from."""
    shown = ranked[:SHOWN]
    evidence = [_evidence(question, candidate, index, language) for candidate in shown]
    return {
        "asks": None,
        "question": question.asked,
        "system": list(texts),
        "focus": question.focus,
        "classes": sorted(question.classes) if question.firm else [],
        **({"weights": GAP} if question.has_gap else {}),
        "candidates": [
            {
                "id": rank,
                "text": candidate.text,
                "score": candidate.score,
                "signals": candidate.signals
                | {f"from {source}": score for source, score in sorted(candidate.sources.items())},
                "evidence": [passage],
            }
            for rank, (candidate, passage) in enumerate(zip(shown, evidence, strict=True), 1)
        ],
    }


def _evidence(question: TermQuestion, candidate: Candidate, index: Index, language: TermLanguage) -> Mapping[str, Any]:
    """The passage of a candidate, with the terms of the question that it holds and what each gave."""
    passage = candidate.best
    found_alone = passage.is_sentence and holds_sentences(index.metadata)
    part = index.part((SENTENCES if found_alone else PARAGRAPHS).name)
    terms = tuple(QueryTerm(FIELD, term) for term in sorted(set(language.terms(question.asked))))
    explained = part.explain(Query(terms), [passage.doc_id])[0]
    return {
        "doc_id": passage.doc_id,
        "title": passage.citation,
        "text": passage.text,
        "score": passage.score,
        "terms": dict(explained.terms),
        **({"source": passage.source} if passage.source else {}),
    }


def without_candidates(answered: Sequence[TermAnswer]) -> tuple[str, ...]:
    """The warning that names the sections of which not all slots found a candidate; nothing where all did."""
    empty = [one.section.section_id for one in answered if not all(one.texts)]
    return (f"no candidate for all answers of: {', '.join(empty)}",) if empty else ()
