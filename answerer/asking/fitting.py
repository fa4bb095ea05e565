"""Which candidates can answer who, where, how many, how old, how long and how far, by their words
and what is beside them in their sentence. English only."""

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
_ASKS_LAST = re.compile(r"\b(?:whom?|(?P<where>where))\W*$", re.IGNORECASE)
_CALLED = re.compile(r"(\w+),? called(?: the| an?)? [“\"]?$")
# features, of which one shows a place where a place is asked for
SHOWS_PLACE = ("kind", "head of type", "said to be", "apposition")
_COUNTS = re.compile(r"\W*how (?:many|much)\b(?! time)", re.IGNORECASE)
_AGE = 2  # digits of an age or a duration without its unit at most: others are years
_PLACE_NAME = re.compile(r"(?:St|Mt|Ft|Lake|Mount|Cape|Fort) [A-Z]")
_TIMES = frozenset("second minute hour day week month year decade century".split())
_LENGTHS = frozenset(
    "mile foot feet inch yard meter metre kilometer kilometre centimeter centimetre millimeter "
    "millimetre league fathom storey story block km m cm mm ft".split()
)
_UNITS = {
    "age": _TIMES,
    "duration": _TIMES,
    "distance": _TIMES | _LENGTHS,
    "speed": _TIMES | _LENGTHS,
}
_OTHER_NAME = re.compile(r"(\w+) \((?:also )?(?:called|known as|named|born|née) $")
_LONG = re.compile(r"\d+-(?:second|minute|hour|day|week|month|year)", re.IGNORECASE)


def fits(candidate: TermCandidate, question: TermQuestion, language: TermLanguage) -> bool:
    """Whether an English candidate can answer its question, as far as its sentence shows.

    Not for who: with the answer as subject what is behind in, at, from or to, and what "called"
    links to a noun of another type (a newspaper called Argus), another name of one in the question
    in round brackets ("Ann (also called Anna)"), and a name of several words whose last is a noun
    for things (Water Act), but for one of two words that is known as a person's. Not for where:
    what is neither behind such a preposition nor known as a place. Not for either: a phrase with a
    verb. Not for how many or how much: a length of time, unless that is asked for.
    Not for how old or how long, with a verb such as last: what counts anything but times, and a
    number of more than two digits alone; not for how far, high, fast and the like what counts
    anything but lengths and times. Other questions, languages and gaps: always True.
    """
    if not language.spaced or question.has_gap:
        return True
    sentence, span = language.tools.clean(candidate.best.text), candidate.span
    if question.group == "number":
        number, _, unit = amount_of(sentence, span.start, span.end)
        if units := _UNITS.get(question.type.name):
            is_year = units is _TIMES and not unit and number.isdigit() and len(number) > _AGE
            fits_unit = number and unit in ("", *units) and not is_year
            return bool(fits_unit or _LONG.match(number))
        return unit not in _TIMES or not _COUNTS.match(question.text) or question.counted in _TIMES
    asks = _ASKS.match(question.text) or _ASKS_LAST.search(question.text)
    if asks is None:
        return True
    inside = [word for word in tag_words(sentence) if span.start <= word.start < span.end]
    if any(word.tag[:2] in ("VB", "MD") and word.text.islower() for word in inside):
        return False
    is_who = not asks["where"]
    if is_who and _is_thing(candidate):
        return False
    before = sentence[: span.start]
    if not is_who:
        shows = _LED.search(before) or _PLACE_NAME.match(candidate.text)
        return bool(shows) or any(map(candidate.features.get, SHOWS_PLACE))
    if question.role == "subject" and _PLACED.search(before):
        return False
    other = _OTHER_NAME.search(before)
    if other and re.search(rf"\b{re.escape(other[1])}\b", question.text, re.IGNORECASE):
        return False
    called = _CALLED.search(before)
    return not called or type_of_noun(singular(called[1].lower())).name in ("individual", "other")


def _is_thing(candidate: TermCandidate) -> bool:
    """Whether a name of several words ends with a noun for things, and is not one of two words that
    is known as a person's (Frederick Church)."""
    *others, last = candidate.text.split()
    kind = type_of_noun(singular(last.lower()))
    is_thing = kind.coarse == "entity" and kind.name != "other"
    is_person = len(others) == 1 and bool(candidate.features.get("kind"))
    return bool(others) and is_thing and not is_person
