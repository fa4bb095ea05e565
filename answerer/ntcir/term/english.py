"""Candidates in English: capitalised names, dates, numbers with their noun, quoted names, glossary names, nouns."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import takewhile

from answerer.ntcir.term.entity_types import Span
from indexer.analysis.name_finder import NameFinder
from indexer.entities.english import EnglishNames
from indexer.entities.gazetteer import class_of

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
_ENGLISH_QUESTIONS_ARTICLE = r"(?:the |this |that |an? |one )?"
# Places of the noun in focus, tried in order: "the name of the organization", "which city", "what was the capital".
_FOCUS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\bnames? of {_ENGLISH_QUESTIONS_ARTICLE}(?:of (?:its|the|his|their) )?{_NOUN}",
        rf"\b(?:which|what) (?:of the )?{_NOUN}",
        rf"\b(?:who|what) (?:is|was|are|were) {_ENGLISH_QUESTIONS_ARTICLE}{_NOUN}",
        rf"\b(?:name|identify|give|write|state) {_ENGLISH_QUESTIONS_ARTICLE}{_NOUN}",
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
    """The answer type of the interrogative: time, number, person or place; "" if it does not show it."""
    text = _request(asked)
    return next((name for name, pattern in _INTERROGATIVES if re.search(pattern, text, re.IGNORECASE)), "")


@cache
def focus_of(asked: str) -> str:
    """The question focus: the noun that says what is asked for, in the singular; "" without one. Which Roman emperor
    conquered → emperor: of the words of the noun phrase the first that has an entity class, else the last."""
    for pattern in _FOCUS:
        match = pattern.search(_request(asked))
        if match:
            plain = [(word, word.strip("'’-").lower()) for word in match[1].split()]
            noun = list(takewhile(lambda pair: pair[1] not in _ENDS_NOUN, plain))
            # A first word in -ed is an adjective (which armed conflict), but a verb behind what (what happened to).
            first = match[0].lower() != f"what {match[1].lower()}" and len(noun) > 1
            ends = (place for place, (word, _) in enumerate(noun) if place >= first and _IN_ED.fullmatch(word))
            words = [_singular(low) for word, low in noun[: next(ends, None)] if not word.isdigit()]
            word = next(filter(class_of, words), words[-1] if words else "")
            if word and word not in _NO_FOCUS:
                return word
    return ""


def head_of(focus: str) -> str:
    """The noun itself: one word is in focus."""
    return focus


_COUNTED = re.compile(r"\bhow many ((?:[a-z'’-]+[^\w'’-]+){0,2}[a-z'’-]+)", re.IGNORECASE)
_UNIT = re.compile(r"(?:\d|[a-z]) (?:(?:hundred|thousand|million|billion)s? )*(?P<unit>[a-z]+)$")
_BEHIND = re.compile(r"(?: [a-z]+){0,2}")
_SCALES = frozenset("hundred thousand million billion".split())


def unit_of(asked: str) -> str:
    """The three words behind "how many", the noun that is counted among them; "" if nothing is counted."""
    match = _COUNTED.search(_request(asked))
    return " ".join(_singular(word.lower()) for word in re.findall(r"[^\W_]+", match[1])) if match else ""


def counts_in(text: str, after: str, unit: str) -> float:
    """1 if the noun after a number is one of the nouns counted in the question, −1 if not, 0 without such a noun.

    `text` is the number with its noun, `after` the text after it, `unit` the words after "how many". The two words
    after the noun are tried as well, as that may be an attribute (642 skeletal muscles).
    """
    match = _UNIT.search(text.lower())
    if not (unit and match) or match["unit"] in _SCALES:
        return 0.0
    nouns = (match["unit"], *_BEHIND.match(after.lower()).group().split())  # type: ignore[union-attr]  # always matches
    return 1.0 if any(_singular(noun) in unit.split() for noun in nouns) else -1.0


def asks_reading(asked: str) -> bool:
    """Returns False: see `is_reading`."""
    return False


def interrogative_spans(asked: str, focus: str) -> list[tuple[int, int]]:
    """Returns []: the interrogative opens an English question, and is not at the place of the answer."""
    return []


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > 3 else word


_NUMBER = re.compile(
    r"(?<![\w.,])(?:about |around |over |nearly |some )?(?P<number>(?:\d[\d,.]*\d|\d|two|three|four|five|six|"
    r"seven|eight|nine|ten|twelve|twenty|thirty|forty|fifty|hundred)(?: (?:hundred|thousand|million|billion))? "
    r"(?:percent|%|[a-z]+))"
)
_QUOTED = re.compile(r"[“\"]([A-Za-z][^”\"]{2,30}?)[,.]?[”\"]")
_ARTICLE = re.compile(r"^(?:the|a|an) ", re.I)
_ROLES = (
    ("glossed", re.compile(r" ?\(|, (?:a|an|the|who|which) ")),
    ("definition", re.compile(r",? (?:is|was|are|were) (?:a|an|the)\b")),
)


@cache
def _kind_patterns(noun: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Patterns that make a name a hyponym of `noun`: (for the text after the name, for the text before it)."""
    stem = re.escape(noun.removesuffix("y")) if noun.endswith("y") else re.escape(noun)
    named = rf"{stem}(?:s|es|y|ies)?\b" if noun.endswith("y") else rf"{stem}(?:s|es)?\b"
    few = r"(?:[a-z'-]+ ){0,3}?"
    return (
        re.compile(
            rf",? (?:is|was|are|were|became) (?:an?|the|one of (?:the|his|her|its|their)) {few}{named}"
            rf"|, (?:an?|the) {few}{named}|(?:, [^,.;]+)*,? (?:and|or) other {few}{named}"
        ),
        re.compile(rf"\b{named},? (?:such as|including|like|called|named|known as) (?:[^.;:]{{1,40}}(?:, |,? and ))?$"),
    )


STRIDE, REACH = 5.0, 3  # letters of an average word; a noun phrase on either side


def clean(text: str) -> str:
    """The text with single blanks and plain apostrophes."""
    return " ".join(text.replace("’", "'").split())


def speech_of(names: Iterable[str]) -> Mapping[str, str]:
    """Maps each name to "proper": parts of speech do not distinguish English names."""
    return dict.fromkeys(names, "proper")


def in_apposition(before: str, after: str, focus: str) -> bool:
    """True if the text around a name calls it a `focus`. For capital: the capital, Berlin; the capital of Berlin;
    Berlin, the capital; Berlin was the capital."""
    noun = rf"{re.escape(focus)}(?:es|s)?"
    return bool(
        re.search(rf"\b{noun}(?:,| of| is| was| were| called| named| known as)?(?: the)? ?[“\"(]?$", before)
        or re.match(
            rf"[”\")]?,?(?: (?:is|was|were|became|as))?(?: (?:the|a|an|its|their|his))?(?: \w+)? {noun}\b", after
        )
    )


def is_said_to_be(before: str, after: str, noun: str) -> bool:
    """True if the text around a name makes it a hyponym of `noun`. For city: Troy was an ancient city; Troy, a city;
    cities such as Troy; Troy and other cities."""
    behind, ahead = _kind_patterns(noun)
    inside = before[-1:].isalnum() or after[:1].isalnum()
    return not inside and bool(behind.match(after) or ahead.search(before))


def is_reading(before: str, text: str) -> bool:
    """Returns False: English texts do not print the reading of a word beside it."""
    return False


def roles(before: str, after: str) -> Sequence[str]:
    """The roles of a candidate: glossed (a bracket, or a comma and what it is), definition (was a …)."""
    return [role for role, pattern in _ROLES if pattern.match(after)]


def span_finder(names: Sequence[str] = ()) -> Callable[[str], list[Span]]:
    """Makes a cached function from a cleaned sentence to its candidates, in order of start, the longer first.

    Candidates are glossary `names` of several words, recognised names and dates, numbers, and quoted phrases; only
    quoted phrases may overlap others.
    """
    entities, glossary = EnglishNames(names), NameFinder(names)

    def find(sentence: str) -> Iterator[Span]:
        taken = [(start, end) for start, end in glossary.whole(sentence) if " " in sentence[start:end]]
        for start, end in taken:
            yield Span(sentence[start:end], start, end, "name", "proper")
        for mention in entities.mentions(sentence):
            start, end = mention.start, mention.end
            # A glossary name is not cut by another way to read the sentence.
            if any(start < right and left < end for left, right in taken):
                continue
            taken.append((start, end))
            if mention.span:
                surface = mention.surface
                # A full stop after a date ends the sentence, unless it is one of several (B.C.).
                text = surface[:-1] if surface.endswith(".") and surface.count(".") == 1 else surface
                yield Span(text, start, end, "time", "number")
                continue
            text = _ARTICLE.sub("", mention.surface)
            hint = entities.cue(sentence, mention) or ""
            whole = 2 if mention.sure else 0
            yield Span(
                text=text,
                start=end - len(text),
                end=end,
                shape="name",
                speech="proper",
                whole=whole,
                hint=hint,
                key=mention.key,
            )
        for match in _NUMBER.finditer(sentence):
            if not any(match.start() < end and start < match.end() for start, end in taken):
                yield Span(match["number"], match.start(), match.end(), "number", "number")
        for match in _QUOTED.finditer(sentence):
            if match.span(1) not in taken:
                yield Span(match[1], *match.span(1), "quoted")

    return cache(lambda sentence: sorted(find(sentence), key=lambda span: (span.start, -span.end)))
