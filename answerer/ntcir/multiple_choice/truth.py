"""Questions whose choices are true and false: whether the book confirms or contradicts what they
say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from answerer.formats.exam.parts import ExamQuestion, expand
from answerer.formats.question_file.truth import truth
from answerer.ntcir.multiple_choice.marks import NOT_IN_BOOK
from answerer.ntcir.multiple_choice.methods import (
    OUTCOME_WORDS,
    AnsweredQuestion,
    Outcome,
    Support,
    Verdict,
    choose,
)
from indexer.engines.contract import Index

if TYPE_CHECKING:
    from answerer.ntcir.claims.verdict import ClaimVerdict as ClaimVerdict

NOT_JUDGED = "true or false: judged in English and Japanese only"
"""The note on a question in another language."""

# The most that is said of a verdict which `ask` doubts, since the sentence does not state the
# claim, and of a Japanese one, whose only number is the share of the claim's idf in the sentence.
# Of 54 new English questions 39 were answered right (docs/ask.md).
_MOST = 0.72


def claim_text(question: ExamQuestion) -> str:
    """What a question says, instruction and data on one line, whose two choices are words for true
    and false; "" for others."""
    truths = [truth(choice.text.plain) for choice in question.choices]
    if sorted(truths, key=str) != [False, True]:
        return ""
    texts = (question.instruction, *question.data)
    return " ".join(" ".join(expand(text).plain for text in texts).split())


def answer_claims(
    questions: Sequence[ExamQuestion], index: Index, evidence: bool
) -> dict[int, AnsweredQuestion]:
    """The answers to those questions whose choices are true and false and whose stem is a statement
    or a yes-no question, by their positions."""
    texts = {position: claim_text(question) for position, question in enumerate(questions)}
    texts = {position: text for position, text in texts.items() if text}
    return _judge_claims(questions, texts, index, evidence) if texts else {}


def _judge_claims(
    questions: Sequence[ExamQuestion], texts: Mapping[int, str], index: Index, evidence: bool
) -> dict[int, AnsweredQuestion]:
    """The answers to the questions with the claims `texts` (position → text), by position, without
    those whose claim is neither a statement nor a yes-no question.

    True has the probability that the claim holds by the verdict that `ask` gives, false the rest;
    neither has more than `_MOST` where the sentence does not state the claim.
    Where the verdict is that the book does not say, or it and the probability disagree, the
    likelier choice is marked `NOT_IN_BOOK`. The choice of the lowest number, at 0.5, is the answer
    in a language without rules, marked `NOT_JUDGED`, and without a passage, marked `NOT_IN_BOOK`.
    """
    # Taggers and models load for such questions only.
    from answerer.ntcir.claims.passages import with_previous
    from answerer.ntcir.claims.reading import read_claim
    from answerer.ntcir.claims.verdict import judge_statement, judges
    from answerer.ntcir.term.candidates import retrieve
    from answerer.ntcir.term.language import index_language

    language = index_language(index)
    read = {position: read_claim(text, language) for position, text in texts.items()}
    claims = {position: claim for position, claim in read.items() if claim is not None}
    retrievals = retrieve(list(claims.values()), index, language.analyser)
    answers = {}
    for (position, claim), retrieved in zip(claims.items(), retrievals, strict=True):
        # A claim with a "not" does not ask for the false choice.
        question = replace(questions[position], asks="T")
        if judges(language) and retrieved.passages:
            passages = with_previous(retrieved.passages, index, language)
            verdict = judge_statement(claim, retrieved._replace(passages=passages), language)
            verdicts, note = _verdicts(question, verdict, evidence)
        else:
            verdicts = [Verdict(0.5, probability=0.5) for _ in question.choices]
            note = NOT_IN_BOOK if judges(language) else NOT_JUDGED
        system = choose(question, [verdict.score for verdict in verdicts])
        answers[position] = AnsweredQuestion(question, system, tuple(verdicts), "truth", note)
    return answers


def _verdicts(
    question: ExamQuestion, verdict: ClaimVerdict, evidence: bool
) -> tuple[list[Verdict], str]:
    """The verdicts on the two choices by that on the claim, and the note of the answer ("" if the
    book decides). Where the book does not say, the passage is shown as the nearest, both
    probabilities are 0.5, and the scores alone have the claim's probability. A claim without one
    has its coverage, at most `_MOST` (0.72), as that of the outcome, 0.5 for "unknown"."""
    from retriever.explain import Evidence

    likely = verdict.probability
    if likely is None:
        sure = min(verdict.coverage, _MOST)
        likely = {"yes": sure, "no": 1 - sure, "unknown": 0.5}[verdict.outcome]
    elif not verdict.stated:
        likely = min(max(likely, 1 - _MOST), _MOST)
    holds = likely > 0.5
    decided = verdict.outcome == ("yes" if holds else "no") and likely != 0.5
    passage = verdict.passage
    verdicts = []
    for choice in question.choices:
        is_true = truth(choice.text.plain) is True
        outcome: Outcome = "nearest"
        if decided:
            outcome = "confirmed" if is_true == holds else "contradicted"
        says = f"{OUTCOME_WORDS[outcome]}: “{passage.text}” ({passage.citation})"
        if verdict.reason and outcome == "contradicted":
            says = f"{says}; {verdict.reason}"
        probability = likely if is_true else 1 - likely
        shown = Evidence(passage.doc_id, passage.text, passage.score, {}, passage.citation)
        verdicts.append(
            Verdict(
                probability,
                evidence=(shown,) if evidence else (),
                says=says,
                probability=probability if decided else 0.5,
                support=Support(outcome, passage.text, passage.citation),
            )
        )
    return verdicts, "" if decided else NOT_IN_BOOK
