"""English questions: the noun in focus and the interrogative."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from itertools import takewhile

from indexer.names.kinds import class_of

_INTERROGATIVES = (
    (
        "number",
        r"\bhow (?:many|much|long|far|high|tall|large|big|deep|old|fast)\b|\bwhat (?:percentage|number|proportion)",
    ),
    (
        "time",
        r"^\W*when\b|\bwhen (?:did|was|were)\b|\b(?:what|which) (?:year|century|decade|date|day|month)\b"
        r"|\bthe (?:year|century|date)\b",
    ),
    ("person", r"^\W*(?:by |from |to |against )?who(?:m|se)?\b|\bwho (?:was|were|is|did)\b[^,]*\?"),
    ("place", r"^\W*where\b|\bwhere (?:did|was|were|is)\b"),
)
# What ends a noun, beside a verb in -ed: words that open another part of the sentence, and verbs behind their subject.
_ENDS_NOUN = frozenset(
    "of in that which who whom whose where when to for from by at on with and or as than during after before "
    "the a an his her its their i you he she it we they there this these those "
    "am is was were are did does do has have had can could may might must shall should will would used known called "
    "became began bore bought broke brought built came caught chose drew drove fell felt fled flew fought found gave "
    "got grew held kept knew laid led left lost made met ran rode rose said sang sank sat saw sent set shot sold spent "
    "spoke stole stood struck swore taught threw told took went won wore wrote".split()
)
_IN_ED = re.compile(r"(?!sacred|hundred)[a-z]+[a-df-z]ed")  # neither Red and United, nor red, breed and speed
_NOUN = r"([^\W_][\w'’-]*(?: [^\W_][\w'’-]*){0,4})"
_ARTICLE = r"(?:the |this |that |an? |one )?"
# Where the noun in focus stands, tried in order: "the name of the organization", "which city", "what was the capital".
_FOCUS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\bnames? of {_ARTICLE}(?:of (?:its|the|his|their) )?{_NOUN}",
        rf"\b(?:which|what) (?:of the )?{_NOUN}",
        rf"\b(?:who|what) (?:is|was|are|were) {_ARTICLE}{_NOUN}",
        rf"\b(?:name|identify|give|write|state) {_ARTICLE}{_NOUN}",
    )
)
_IMPERATIVE = re.compile(r"(?:write|name|give|identify|state|answer|list|fill|choose)\b", re.IGNORECASE)
_NO_FOCUS = frozenset(
    "name names answer answers term word it he she they this that these those following appropriate".split()
)


def _request(asked: str) -> str:
    """The last sentence that asks (What …? or Write …); the whole text where not one does."""
    sentences = re.split(r"(?<=[.?!:])\s+", asked.strip())
    asking = [one for one in sentences if one.endswith("?") or _IMPERATIVE.match(one)]
    return asking[-1] if asking else asked


def interrogative(asked: str) -> str:
    """What the interrogative asks for: time, number, person or place; "" when it does not say."""
    text = _request(asked)
    return next((name for name, pattern in _INTERROGATIVES if re.search(pattern, text, re.IGNORECASE)), "")


@cache
def focus_of(asked: str) -> str:
    """The noun that names what is asked, in the singular; "" for none.

    Of the words there the first that names a kind of thing, else the last: which Roman emperor conquered → emperor.
    """
    for pattern in _FOCUS:
        match = pattern.search(_request(asked))
        if match:
            noun = _before_verb(match[1].split(), asks_what=match[0].lower() == f"what {match[1].lower()}")
            words = [_singular(_plain(word)) for word in noun if not word.isdigit()]
            word = next(filter(class_of, words), words[-1] if words else "")
            if word and word not in _NO_FOCUS:
                return word
    return ""


def _plain(word: str) -> str:
    return word.strip("'’-").lower()


def _before_verb(words: Sequence[str], asks_what: bool) -> Sequence[str]:
    """The words of a noun, without what follows it.

    A word in -ed at its beginning is an attribute (which armed conflict), but for that behind what (what happened to).
    """
    noun = list(takewhile(lambda word: _plain(word) not in _ENDS_NOUN, words))
    first = 0 if asks_what or len(noun) == 1 else 1
    ends = (place for place, word in enumerate(noun) if place >= first and _IN_ED.fullmatch(word))
    return noun[: next(ends, None)]


def head_of(focus: str) -> str:
    """The noun itself: one word is in focus."""
    return focus


_COUNTED = re.compile(r"\bhow many ((?:[a-z'’-]+[^\w'’-]+){0,2}[a-z'’-]+)", re.IGNORECASE)
_UNIT = re.compile(r"(?:\d|[a-z]) (?:(?:hundred|thousand|million|billion)s? )*(?P<unit>[a-z]+)$")
_BEHIND = re.compile(r"(?: [a-z]+){0,2}")
_SCALES = frozenset("hundred thousand million billion".split())


def unit_of(asked: str) -> str:
    """The three words behind "how many", the noun that is counted among them; "" where nothing is counted."""
    match = _COUNTED.search(_request(asked))
    return " ".join(_singular(word.lower()) for word in re.findall(r"[^\W_]+", match[1])) if match else ""


def counts_in(text: str, after: str, unit: str) -> float:
    """Whether the noun behind a number is one of the words behind "how many": 1, -1, or 0 without such a noun.

    Two words more are looked at, for one of those behind a number may be its noun's attribute (642 skeletal muscles).
    """
    match = _UNIT.search(text.lower())
    if not (unit and match) or match["unit"] in _SCALES:
        return 0.0
    nouns = (match["unit"], *_BEHIND.match(after.lower()).group().split())  # type: ignore[union-attr]  # always matches
    return 1.0 if any(_singular(noun) in unit.split() for noun in nouns) else -1.0


def asks_reading(asked: str) -> bool:
    """Never: see `EnglishSpans.is_reading`."""
    return False


def interrogative_spans(asked: str, focus: str) -> list[tuple[int, int]]:
    """None: the interrogative opens an English question, and does not stand where the answer would."""
    return []


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > 3 else word
