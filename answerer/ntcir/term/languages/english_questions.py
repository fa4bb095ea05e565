"""English questions: the noun in focus and the interrogative."""

from __future__ import annotations

import re
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
# What ends a noun, beside verbs in -ed: words that open another part of the sentence, and verbs behind their subject.
_ENDS_NOUN = frozenset(
    "of in that which who whom whose where when to for from by at on with and or as than during after before "
    "the a an his her its their i you he she it we they there this these those "
    "am is was were are did does do has have had can could may might must shall should will would used known called "
    "became began bore bought broke brought built came caught chose drew drove fell felt fled flew fought found gave "
    "got grew held kept knew laid led left lost made met ran rode rose said sang sank sat saw sent set shot sold spent "
    "spoke stole stood struck swore taught threw told took went won wore wrote".split()
)
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
            noun = takewhile(_is_of_noun, map(_plain, match[1].split()))
            words = [_singular(word) for word in noun if not word.isdigit()]
            word = next(filter(class_of, words), words[-1] if words else "")
            if word and word not in _NO_FOCUS:
                return word
    return ""


def _plain(word: str) -> str:
    return word.strip("'’-").lower()


def _is_of_noun(word: str) -> bool:
    return word not in _ENDS_NOUN and not (word.endswith("ed") and "-" not in word)


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
