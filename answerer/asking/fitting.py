"""Which candidates can answer who, where and how many, by their words and what is before them in
their sentence. English only."""

from __future__ import annotations

import re

from answerer.asking.amounts import amount_of
from answerer.asking.phrases import tag_words
from answerer.ntcir.term.candidates import TermCandidate
from answerer.ntcir.term.language import TermLanguage
from answerer.ntcir.term.questions import TermQuestion, type_of_noun
from indexer.analysis.english import singular

_PLACED = re.compile(r"\b(?:in|at|near|into|from|to)(?: the)? $", re.IGNORECASE)
_LED = re.compile(r"\b(?:in|at|near|into|from|to)(?: [\w’'-]+){0,2} $", re.IGNORECASE)
_ASKS = re.compile(r"\W*(?:\w+ )?(?:whom?|(?P<where>where))\b", re.IGNORECASE)
_CALLED = re.compile(r"(\w+),? called(?: the| an?)? [“\"]?$")
# features, of which one shows a place where a place is asked for
SHOWS_PLACE = ("kind", "head of type", "said to be", "apposition")
_COUNTS = re.compile(r"\W*how (?:many|much)\b(?! time)", re.IGNORECASE)
_PLACE_NAME = re.compile(r"(?:St|Mt|Ft|Lake|Mount|Cape|Fort) [A-Z]")
_TIMES = frozenset("second minute hour day week month year decade century".split())


def fits(candidate: TermCandidate, question: TermQuestion, language: TermLanguage) -> bool:
    """Whether an English candidate can answer its question, as far as its sentence shows.

    Not for who: with the answer as subject what is behind in, at, from or to, and what "called"
    links to a noun of another type (a newspaper called Argus). Not for where: what is neither
    behind such a preposition nor known as a place. Not for either: a phrase with a verb. Not for
    how many or how much: a length of time, unless that is asked for. Other questions, languages
    and gaps: always True.
    """
    if not language.spaced or question.has_gap:
        return True
    sentence, span = language.tools.clean(candidate.best.text), candidate.span
    if question.group == "number":
        unit = amount_of(sentence, span.start, span.end).unit
        return unit not in _TIMES or not _COUNTS.match(question.text) or question.counted in _TIMES
    if not (asks := _ASKS.match(question.text)):
        return True
    inside = [word for word in tag_words(sentence) if span.start <= word.start < span.end]
    if any(word.tag[:2] in ("VB", "MD") and word.text.islower() for word in inside):
        return False
    before = sentence[: span.start]
    if asks["where"]:
        shows = _LED.search(before) or _PLACE_NAME.match(candidate.text)
        return bool(shows) or any(map(candidate.features.get, SHOWS_PLACE))
    if question.role == "subject" and _PLACED.search(before):
        return False
    called = _CALLED.search(before)
    return not called or type_of_noun(singular(called[1].lower())).name in ("individual", "other")
