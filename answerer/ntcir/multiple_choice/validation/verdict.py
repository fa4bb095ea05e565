"""A verdict on each choice that a teacher can read: what the book has of it, the sentence and where
it is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice
from typing import Any, NamedTuple

from answerer.ntcir.multiple_choice.choices import Aggregate, ChoiceTerms, QuestionTerms
from answerer.ntcir.multiple_choice.methods import OUTCOME_WORDS, Outcome, Support, Verdict
from answerer.ntcir.multiple_choice.validation.amounts import stands_in
from answerer.ntcir.multiple_choice.validation.features import COLUMNS, LEAST_SHARE, JudgedQuestion
from answerer.ntcir.multiple_choice.validation.passages import all_terms
from answerer.trace import TraceEvidence
from indexer.analysis.analyser import Analyser
from indexer.engines.contract import Index
from indexer.engines.scoring import round_score
from indexer.sources.textbook.schema import PARAGRAPHS, text_to_analyse
from retriever.bm25 import idf_in
from retriever.explain import Evidence, explain_hits
from retriever.learning.model import Model
from retriever.queries import analyser_of, language_of, union_query

_PARAGRAPHS = 5  # for question and choice, in which the sentence is looked for
_CHOICE_SHARE = 0.8  # of a choice's idf in a sentence that says it
# of the question's idf in a sentence and its neighbours that are about what is asked
_QUESTION_SHARE = 0.2
_CUT = 300  # characters of a sentence that are quoted
# Probability from which a choice is judged, though its words are in no sentence with what is asked.
SUPPORTED = 0.5


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
    explained: list[list[Verdict]] = []
    all_supports = supports_of(questions, index, k)
    for judgement, row, supports in zip(judged, verdicts, all_supports, strict=True):
        but = _rivals(row, judgement.sign)
        added = judgement.sign * judgement.utilities * model.weights
        explained.append([])
        likeliest = _likeliest(row, [support for support, _ in supports], judgement.sign)
        for position, (verdict, (support, evidence)) in enumerate(zip(row, supports, strict=True)):
            if position == likeliest and support.outcome in ("nearest", "elsewhere"):
                support = support._replace(outcome="likeliest")
            elif position != likeliest and support.outcome == "refers":
                support = support._replace(outcome="open")
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


def _rivals(verdicts: Sequence[Verdict], sign: float) -> list[str]:
    """What is said of other choices in the verdict on each: of those with less than the highest
    score that another fits better; where the false one is asked for (`sign` below 0), of those with
    the lowest score that the others do; else ""."""
    scores = [round_score(verdict.score) for verdict in verdicts]
    if sign > 0:
        return [_FITS_BETTER if score < max(scores) else "" for score in scores]
    # Most are true there: only the one that is taken for false needs its reason.
    return [_OTHERS_FIT_BETTER if score == min(scores) else "" for score in scores]


def _likeliest(verdicts: Sequence[Verdict], supports: Sequence[Support], sign: float) -> int | None:
    """The position of the choice that the passages as a whole speak for; None where the false one
    is asked for (`sign` below 0), or where no choice is in a sentence with what is asked and the
    best has a probability below `SUPPORTED` (0.5)."""
    probabilities = [verdict.probability or 0.0 for verdict in verdicts]
    best = max(range(len(probabilities)), key=probabilities.__getitem__)
    is_judged = probabilities[best] >= SUPPORTED or any(
        support.outcome == "together" for support in supports
    )
    return best if sign > 0 and is_judged else None


class _Window(NamedTuple):
    """The sentence of a paragraph with most of a choice. `choice_share` is the fraction of the
    choice's idf in it, `question_share` that of the question's idf in `text`, which adds the
    sentences before and after; windows are ordered by `value`."""

    value: float
    sentence: str
    text: str
    choice_share: float
    question_share: float


_FITS_BETTER = "but another choice fits better"
_OTHERS_FIT_BETTER = "but the other choices fit better"


def in_words(support: Support, doubt: str = "") -> str:
    """A verdict on a choice in words, with the sentence and its title if there are any. `doubt`,
    the words for a choice that the method does not take for true, is added only if the words of the
    choice occur together."""
    words = OUTCOME_WORDS[support.outcome]
    title = f" ({support.title})" if support.title else ""
    words = f"{words}: “{support.sentence}”{title}" if support.sentence else words
    return f"{words}, {doubt}" if doubt and support.outcome == "together" else words


def supports_of(
    questions: Sequence[QuestionTerms], index: Index, k: int
) -> list[list[tuple[Support, list[Evidence]]]]:
    """The support of each choice of each question, and at most `k` passages that support it most,
    best first, cut to their windows. The outcome is "unknown" for a choice with no word of the
    book, "nothing" where none is retrieved, else that of `_support` in the best window; that of a
    choice about others follows from theirs (`_of_aggregate`), without passages. One search serves
    all."""
    paragraphs = index.part(PARAGRAPHS.name)
    analyser, joiner = analyser_of(index), language_of(index).joiner
    rarity = idf_in(paragraphs, all_terms(questions))
    # Terms that the book does not have are as rare as its rarest.
    rarest = max(rarity.values(), default=1.0)

    def weight(term: str) -> float:
        return rarity.get(term, rarest)

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
        # Not "from (1)-(4) below": words of the instruction that the book does not have.
        indexed = [term for term in question.terms if term in rarity]
        of_choices = []
        passages_of = islice(evidence, len(question.choices))
        for choice, passages in zip(question.choices, passages_of, strict=True):
            ranked = [
                (_window(choice, indexed, text, analyser, joiner, weight), passage)
                for passage in passages
                for text in (text_to_analyse(passage.text, passage.title),)
            ]
            ranked.sort(key=lambda pair: -pair[0].value)
            is_known = not choice.terms or any(term in rarity for term in choice.terms)
            if choice.aggregate:  # judged below, by the others
                of_choices.append((Support("refers"), list[Evidence]()))
            elif not is_known:
                of_choices.append((Support("unknown"), []))
            elif not ranked:
                of_choices.append((Support("nothing"), []))
            else:
                support = _support(ranked[0][0], ranked[0][1].title, bool(question.terms))
                best = [passage._replace(text=window.text) for window, passage in ranked[:k]]
                of_choices.append((support, best))
        outcomes = [support.outcome for support, _ in of_choices]
        for position, choice in enumerate(question.choices):
            if choice.aggregate:
                members = [m for m in choice.members if not question.choices[m].aggregate]
                outcome = _of_aggregate(choice.aggregate, [outcomes[m] for m in members])
                of_choices[position] = Support(outcome), []
        supports.append(of_choices)
    return supports


def _of_aggregate(kind: Aggregate, members: Sequence[Outcome]) -> Outcome:
    """The outcome of a choice about others, whose outcomes are `members`. "All" `refers` to what
    is in the book if each is `together`, and `fails` if none is, or one is `nothing` or `unknown`;
    else it is `open`, as "none" always is: that a book is silent shows nothing."""
    if kind == "none":
        return "open"
    if "together" not in members or not {"nothing", "unknown"}.isdisjoint(members):
        return "fails"
    return "refers" if set(members) == {"together"} else "open"


def _window(
    choice: ChoiceTerms,
    question_terms: Sequence[str],
    text: str,
    analyser: Analyser,
    joiner: str,
    weight: Callable[[str], float],
) -> _Window:
    """The sentence of a text with most of the choice and, with the sentence before and behind it,
    of the question; of equal ones that with most of the question itself, then the first. In a
    language without spaces the choice's text counts as all its terms; of an amount whose number
    is without its unit half counts. `weight` is the idf of a term."""
    sentences = analyser.sentences(text) or [text]
    terms = [frozenset(analyser.terms(sentence)) for sentence in sentences]
    windows = []
    for position, sentence in enumerate(sentences):
        around = slice(max(0, position - 1), position + 2)
        choice_share = _share(choice.terms, terms[position], weight)
        # Where no blanks part words, a name alone may be cut into others than in its sentence.
        if not joiner and len(choice.text) > 1 and choice.text in sentence:
            choice_share = 1.0
        # A number with another unit is nearest at most.
        if choice.amount and not stands_in(choice.amount, sentence):
            choice_share /= 2
        question_share = _share(question_terms, frozenset[str]().union(*terms[around]), weight)
        value = round(choice_share * (_QUESTION_SHARE + question_share), 6)
        alone = round(_share(question_terms, terms[position], weight), 6)
        window = _Window(
            value, sentence, joiner.join(sentences[around]), choice_share, question_share
        )
        windows.append((value, alone, -position, window))
    return max(windows, key=lambda entry: entry[:3])[3]


def _share(
    terms: Sequence[str], text_terms: frozenset[str], weight: Callable[[str], float]
) -> float:
    """The share of the terms' weight that is of terms in `text_terms`; 0 without terms."""
    total = sum(map(weight, terms))
    return sum(weight(term) for term in terms if term in text_terms) / total if total else 0.0


def _support(best: _Window, title: str, has_question: bool) -> Support:
    """The support that a choice has in the best window, which is under a title: "nearest" below
    `_CHOICE_SHARE` (0.8), "elsewhere" below `_QUESTION_SHARE` (0.2), unless the question has no
    terms (`has_question` false), else "together". The sentence is cut to 300 characters."""
    outcome: Outcome = "together"
    if best.choice_share < _CHOICE_SHARE:
        outcome = "nearest"
    elif best.question_share < _QUESTION_SHARE and has_question:
        outcome = "elsewhere"
    sentence = best.sentence
    if len(sentence) > _CUT:
        sentence = sentence[: _CUT - 1].rstrip() + "…"
    return Support(outcome, sentence, title)
