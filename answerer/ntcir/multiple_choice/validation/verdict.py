"""A verdict on each choice that a teacher can read: what the book has of it, the sentence and where
it is."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Any, NamedTuple

from answerer.ntcir.multiple_choice.choices import ChoiceTerms, QuestionTerms
from answerer.ntcir.multiple_choice.methods import OUTCOME_WORDS, Outcome, Support, Verdict
from answerer.ntcir.multiple_choice.validation.features import COLUMNS, LEAST_SHARE, JudgedQuestion
from answerer.ntcir.multiple_choice.validation.passages import all_terms
from answerer.trace import TraceEvidence
from indexer.engines.contract import Index
from indexer.engines.scoring import round_score
from indexer.sources.textbook.schema import PARAGRAPHS
from retriever.bm25 import idf_in
from retriever.explain import Evidence, explain_hits
from retriever.learning.model import Model
from retriever.queries import analyser_of, language_of, union_query

_PARAGRAPHS = 5  # for question and choice, in which the sentence is looked for
_HELD = 0.8  # share of a choice's idf in a sentence that says it
_ASKED = (
    0.2  # share of the question's idf in a sentence and its neighbours that are about what is asked
)
_CUT = 300  # characters of a sentence that are quoted


def explain(
    judged: Sequence[JudgedQuestion],
    verdicts: Sequence[Sequence[Verdict]],
    model: Model,
    index: Index,
    k: int,
) -> list[list[Verdict]]:
    """The verdicts (parallel to `judged`) with contributions of features and names, a sentence of
    explanation, and at most `k` passages: those of entity association if it weighs more than half,
    else those with question and choice."""
    # Of statements to choose from the question says nothing that a passage would have to hold.
    questions = [
        judgement.terms if judgement.share > LEAST_SHARE else judgement.terms._replace(terms=())
        for judgement in judged
    ]
    rivals = []
    for judgement, row in zip(judged, verdicts, strict=True):
        scores = [round_score(verdict.score) for verdict in row]
        if judgement.sign > 0:
            rivals.append([_FITS_BETTER if score < max(scores) else "" for score in scores])
        else:
            # Most are true there: only the one that is taken for false needs its reason.
            rivals.append([_OTHERS_FIT_BETTER if score == min(scores) else "" for score in scores])
    explained: list[list[Verdict]] = []
    found_of = supports_of(questions, index, k)
    for judgement, row, but, supports in zip(judged, verdicts, rivals, found_of, strict=True):
        added = judgement.sign * judgement.utilities * model.weights
        explained.append([])
        for position, (verdict, (support, evidence)) in enumerate(zip(row, supports, strict=True)):
            parts: dict[str, Any] = {
                "features": dict(zip(COLUMNS, added[position].tolist(), strict=True))
            }
            passages: Sequence[Evidence | TraceEvidence] = evidence
            if judgement.by_names.verdicts and judgement.share < 1:
                by_names = judgement.by_names.verdicts[position]
                parts |= by_names.explained
                passages = by_names.evidence if judgement.share < 0.5 else passages
            explained[-1].append(
                verdict._replace(
                    explained=parts,
                    evidence=passages,
                    says=in_words(support, but[position]),
                    support=support,
                )
            )
    return explained


class _Window(NamedTuple):
    """The sentence of a paragraph with most of a choice. `held` is the fraction of the choice's idf
    in it, `asked` that of the question's idf in `text`, which adds the sentences before and after;
    windows are ordered by `value`."""

    value: float
    sentence: str
    text: str
    held: float
    asked: float


_FITS_BETTER = "but another choice fits better"
_OTHERS_FIT_BETTER = "but the other choices fit better"


def in_words(support: Support, but: str = "") -> str:
    """A verdict on a choice in words, with the sentence and its title. `but` is added where its
    words occur together and the method does not take it for true all the same ("" if it was
    not)."""
    words = OUTCOME_WORDS[support.outcome]
    title = f" ({support.title})" if support.title else ""
    words = f"{words}: “{support.sentence}”{title}" if support.sentence else words
    return f"{words}, {but}" if but and support.outcome == "together" else words


def supports_of(
    questions: Sequence[QuestionTerms], index: Index, k: int
) -> list[list[tuple[Support, list[Evidence]]]]:
    """The support of each choice of each question: what was found, and at most `k` passages that
    support it most, best first."""
    paragraphs = index.part(PARAGRAPHS.name)
    analyser, joiner = analyser_of(index), language_of(index).joiner
    rarity = idf_in(paragraphs, all_terms(questions))
    rarest = max(rarity.values(), default=1.0)

    def share(terms: Sequence[str], text_terms: frozenset[str]) -> float:
        """The share of the terms' idf that is in `text_terms`; terms that the book does not have
        are as rare as its rarest."""
        total = sum(rarity.get(term, rarest) for term in terms)
        return (
            sum(rarity.get(term, rarest) for term in terms if term in text_terms) / total
            if total
            else 0.0
        )

    def window(question: QuestionTerms, choice: ChoiceTerms, text: str) -> _Window:
        """The sentence of a text with most of the choice and, around it, of the question; the first
        of equal ones."""
        sentences = analyser.sentences(text) or [text]
        terms = [frozenset(analyser.terms(sentence)) for sentence in sentences]
        # Not "from (1)-(4) below": words of the instruction that the book does not have.
        indexed = [term for term in question.terms if term in rarity]
        windows = []
        by_itself: list[
            float
        ] = []  # the question's idf in the sentence: among equal windows it decides
        for position, sentence in enumerate(sentences):
            around = slice(max(0, position - 1), position + 2)
            choice_share, question_share = (
                share(choice.terms, terms[position]),
                share(indexed, frozenset[str]().union(*terms[around])),
            )
            # Where no blanks part words, a name alone may be cut into others than in its sentence.
            if not joiner and len(choice.text) > 1 and choice.text in sentence:
                choice_share = 1.0
            value = round(choice_share * (_ASKED + question_share), 6)
            windows.append(
                _Window(
                    value, sentence, joiner.join(sentences[around]), choice_share, question_share
                )
            )
            by_itself.append(round(share(indexed, terms[position]), 6))
        best = max(
            range(len(windows)),
            key=lambda position: (windows[position].value, by_itself[position], -position),
        )
        return windows[best]

    queries = [
        union_query(question.terms, choice.terms)
        for question in questions
        for choice in question.choices
    ]
    hits = paragraphs.search(queries, max(k, _PARAGRAPHS))
    evidence = iter(
        [explain_hits(paragraphs, query, row) for query, row in zip(queries, hits, strict=True)]
    )
    supports: list[list[tuple[Support, list[Evidence]]]] = []
    for question in questions:
        supports.append([])
        for choice, passages in zip(
            question.choices, islice(evidence, len(question.choices)), strict=True
        ):
            ranked = [(window(question, choice, passage.text), passage) for passage in passages]
            ranked.sort(key=lambda pair: -pair[0].value)
            if choice.aggregate:
                support, ranked = Support("refers"), []
            elif choice.terms and not any(term in rarity for term in choice.terms):
                support, ranked = Support("unknown"), []
            elif not ranked:
                support = Support("nothing")
            else:
                best, title = ranked[0][0], ranked[0][1].title
                outcome: Outcome = "together"
                if best.held < _HELD:
                    outcome = "nearest"
                elif best.asked < _ASKED and question.terms:
                    outcome = "elsewhere"
                sentence = best.sentence
                if len(sentence) > _CUT:
                    sentence = sentence[: _CUT - 1].rstrip() + "…"
                support = Support(outcome, sentence, title)
            supports[-1].append(
                (support, [passage._replace(text=best.text) for best, passage in ranked[:k]])
            )
    return supports
