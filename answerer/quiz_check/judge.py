"""Judges the keys of a quiz by its book: the probability that a key is wrong, and a status to
read."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from typing import Literal, NamedTuple

from answerer.formats.exam.parts import ExamQuestion
from answerer.ntcir.multiple_choice.marks import NOT_IN_BOOK
from answerer.ntcir.multiple_choice.methods import AnsweredQuestion, Verdict
from answerer.ntcir.multiple_choice.truth import NOT_JUDGED
from answerer.ntcir.multiple_choice.validation.verdict import SUPPORTED
from answerer.quiz_check.flaws import Flaw, answered_by_another, flaws_of, stem_of
from indexer.engines.contract import Index
from indexer.languages.language import Language
from indexer.sources.textbook.schema import PARAGRAPHS, title_of
from retriever.queries import analyser_of, language_of

Status = Literal["key doubtful", "two choices possible", "not found", "not judged", "key agrees"]
STATUSES: dict[Status, str] = {
    "key doubtful": "another choice is better supported by the book",
    "two choices possible": "the book may mean the key or another choice: read both",
    "not found": "no sentence was found that says a choice; the nearest is shown",
    "not judged": "asks what is NOT true, for a sum or a picture, or is without one key",
    "key agrees": "the choice that the book supports best is the key",
}

# ln odds that a key is wrong, where one key of ten is: a constant, and what is added per ln odds of
# the key's choice being the answer; less is added where the question is negated. Learned on review
# questions of three textbooks, each answered by weights that never saw it, with every choice once
# as the key, right ones weighing .9 and wrong ones .1 together (benchmarks/wrong_keys.py).
_CONSTANT, _PER_LOG_ODDS = -3.28, -1.11
_NEGATED_CONSTANT, _NEGATED_PER_LOG_ODDS = 0.17, 0.40

_RIVAL = 0.5  # times the best choice's probability: a choice as likely is supported, too
_SUMS = re.compile(
    r"\b(?:calculate|compute|how much is|what is the (?:sum|product|value))\b|計算|いくらになる",
    re.IGNORECASE,
)
_PICTURES = re.compile(
    r"\b(?:figure|graph|diagram|picture|map|table) (?:above|below|shown)\b|\bshown (?:above"
    r"|below)\b|(?:次|上|下)の(?:図|地図|写真|グラフ|表)",
    re.IGNORECASE,
)


class CheckedQuestion(NamedTuple):
    """A question of a quiz with what was found of its key.

    `key` and `best` are positions of choices, None if the question has no single key, or no choice
    was judged. `wrong` is the probability that the key is wrong where one of ten is, None without a
    key. `reason` says why a question is not judged. `verdicts` are parallel to the choices,
    `section` is the title above the sentence that supports the key, "" without one."""

    question: ExamQuestion
    key: int | None
    best: int | None
    status: Status
    wrong: float | None
    reason: str
    verdicts: tuple[Verdict, ...]
    flaws: tuple[Flaw, ...]
    section: str


class CheckedQuiz(NamedTuple):
    """The questions of a quiz in the order of `check_answers`. `sections` has the number of
    questions of each section of the book, in the book's order; `book` is the address of its index,
    `language` the book's."""

    name: str
    book: str
    language: Language
    questions: tuple[CheckedQuestion, ...]
    sections: dict[str, int]


def check_answers(
    name: str, answered: Sequence[AnsweredQuestion], keys: Sequence[int | None], index: Index
) -> CheckedQuiz:
    """The check of a quiz's keys by the answers that the default method of `ntcir-mc` found, with
    evidence, in the index of its book, with the number of questions on each section of the book.
    Doubtful keys come first, questions that are not judged last, among each the likeliest wrong key
    first, and equal ones, as those without a probability, in the quiz's order. `keys` are positions
    of the right choices, None where a question has no single one."""
    analyser = analyser_of(index)
    given_away = answered_by_another([answer.question for answer in answered], keys, analyser)
    checked = []
    for answer, key, elsewhere in zip(answered, keys, given_away, strict=True):
        flaws = (*flaws_of(answer.question, key, analyser), *elsewhere)
        checked.append(_check(answer, key, flaws))
    checked_in_order = sorted(checked, key=_order_key)
    titles = (section_of(title_of(document)) for document in index.part(PARAGRAPHS.name).scan())
    per_section = Counter(question.section for question in checked)
    sections = {title: per_section[title] for title in dict.fromkeys(titles) if title}
    return CheckedQuiz(name, index.address, language_of(index), tuple(checked_in_order), sections)


def section_of(title: str) -> str:
    """The section of a title: its first part. `Rivers: Deltas` is in the section `Rivers`."""
    return title.partition(": ")[0]


def _order_key(checked: CheckedQuestion) -> tuple[bool, bool, float]:
    """The sort key of a question: not judged last, doubtful keys first, then by falling probability
    of a wrong key, none last; rounded to 5 digits, which are equal on both engines."""
    wrong = -1.0 if checked.wrong is None else round(checked.wrong, 5)
    return checked.status == "not judged", checked.status != "key doubtful", -wrong


def wrong_key_probability(probability: float, negated: bool) -> float:
    """The probability that a key is wrong, where one key of ten is: the logistic function of a
    constant plus a slope times the log odds of its choice's probability, with a constant and a
    slope for `negated` questions."""
    probability = min(max(probability, 1e-6), 1 - 1e-6)
    log_odds = math.log(probability / (1 - probability))
    constant = _CONSTANT + negated * _NEGATED_CONSTANT
    slope = _PER_LOG_ODDS + negated * _NEGATED_PER_LOG_ODDS
    return 1 / (1 + math.exp(-(constant + slope * log_odds)))


def _check(answer: AnsweredQuestion, key: int | None, flaws: tuple[Flaw, ...]) -> CheckedQuestion:
    """A question with its status, its likeliest choice (None unless every choice has a probability;
    the first of equal ones), the probability that its key is wrong (None also without a key), and
    the section of the book that supports the key, "" without one."""
    question, verdicts = answer.question, _without_unfounded(answer.verdicts)
    likely = [verdict.probability for verdict in verdicts]
    probabilities = [p for p in likely if p is not None]
    best: int | None = None
    wrong: float | None = None
    if probabilities and len(probabilities) == len(likely):
        best = max(range(len(probabilities)), key=lambda position: probabilities[position])
        if key is not None:
            wrong = wrong_key_probability(probabilities[key], question.asks == "F")
    reason = _why_not_judged(answer, key, best)
    status: Status = "not judged"
    if not reason and key is not None and best is not None:
        status = _status(verdicts, probabilities, key, best)
        if answer.way == "truth" and NOT_IN_BOOK in answer.note:
            status = "not found"
    section = ""
    if key is not None and verdicts and (support := verdicts[key].support) is not None:
        section = section_of(support.title.partition(", p. ")[0].partition(", pp. ")[0])
    return CheckedQuestion(question, key, best, status, wrong, reason, verdicts, flaws, section)


def _without_unfounded(verdicts: tuple[Verdict, ...]) -> tuple[Verdict, ...]:
    """The verdicts on the choices of a question, with probabilities of sum 1, in which "all of the
    above" that does not follow from the others is at most as probable as the least of them;
    unchanged without such a choice."""
    outcomes = [verdict.support and verdict.support.outcome for verdict in verdicts]
    likely = [verdict.probability or 0.0 for verdict in verdicts]
    plain = [
        probability
        for probability, outcome in zip(likely, outcomes, strict=True)
        if outcome not in ("refers", "open", "fails")
    ]
    if "fails" not in outcomes or not plain:
        return verdicts
    capped = [
        min(probability, *plain) if outcome == "fails" else probability
        for probability, outcome in zip(likely, outcomes, strict=True)
    ]
    total = sum(capped) or 1.0
    return tuple(
        verdict._replace(probability=probability / total)
        for verdict, probability in zip(verdicts, capped, strict=True)
    )


def _why_not_judged(answer: AnsweredQuestion, key: int | None, best: int | None) -> str:
    """Why a question cannot be judged by sentences of a book; "" if it can."""
    question = answer.question
    stem = stem_of(question)
    if key is None:
        return "it has no key, or several"
    if NOT_JUDGED in answer.note:
        return NOT_JUDGED
    if best is None:
        return "its choices are combinations or orders of statements"
    if question.asks == "F":
        return "a question that asks which is NOT true cannot be checked this way"
    if question.pictures or _PICTURES.search(stem):
        return "it needs a picture"
    if _SUMS.search(stem):
        return "it asks for a sum"
    return ""


def _status(
    verdicts: Sequence[Verdict], probabilities: Sequence[float], key: int, best: int
) -> Status:
    """The status of a judged question: "not found" if no choice is said together in a
    sentence and the best is improbable or has no sentence; "two choices possible" if the key and
    another, both said together, are at least half as probable as the best. A tie of the key and
    another as the best is "two choices possible" if any choice is said together, else "not
    found". Otherwise "key agrees" if the key is the best, else "key doubtful"."""
    together = [
        verdict.support is not None and verdict.support.outcome == "together"
        for verdict in verdicts
    ]
    support = verdicts[best].support
    has_sentence = support is not None and support.sentence != ""
    if not any(together) and (probabilities[best] < SUPPORTED or not has_sentence):
        return "not found"
    rivals = [
        position
        for position in range(len(verdicts))
        if together[position] and probabilities[position] >= _RIVAL * probabilities[best]
    ]
    if len(rivals) > 1 and key in rivals:
        return "two choices possible"
    # A tie is not a finding.
    rounded = [round(probability, 5) for probability in probabilities]
    if rounded[key] == rounded[best] and rounded.count(rounded[best]) > 1:
        return "two choices possible" if any(together) else "not found"
    return "key agrees" if key == best else "key doubtful"
