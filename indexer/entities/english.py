"""Names in English: runs of words with capital letters, dates, and their folding to one key."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise

from indexer.analysis.text import ORDINALS, plain_letters, words_of
from indexer.entities import Kind, Mention, date_mention
from indexer.files.lists import read_word_list

_ORDINAL = rf"\b(?:{'|'.join(sorted(ORDINALS, key=len, reverse=True))}|\d{{1,2}}(?:st|nd|rd|th))"
_BEFORE = r"B\.?\s?C\.?(?:\s?E\.?)?(?![A-Za-z])"
_SINCE = r"(?:C\.?E\.?|A\.?D\.?)(?![A-Za-z])"
_YEAR = r"(?:\d{1,3}(?:,\d{3})?|\d{4})"
_TO = r"(?:\s?[-–—]\s?|\s(?:and|to|or|until)\s(?:about\s|around\s)?)"
# A number of three digits is a year where a preposition leads to it and no noun that it counts follows.
_LEADS = (
    r"(?:\b(?:in|by|of|since|until|till|after|before|from|between|circa|ca?\.|year)\s(?:about\s|around\s)?"
    r"|\((?:[a-z]{1,5}\.\s)?)"
)
_ENDS = (
    rf"(?=[,.;:!?)\]”\"’—](?!\d)|$|\s(?!{_BEFORE}|{_SINCE})(?:(?-i:[A-Z(“])|(?:and|to|in)\s(?!\d)"
    r"|(?:the|an?|but|that|when|where|who|which|while|with|by|at|on|it|he|she|they|his|her|their|until|during|after|as|is|was"
    r"|were|had|marked|saw|led|brought|under|against)\b))"
)
_DATE = re.compile(
    rf"(?:(?P<from_century>{_ORDINAL})(?:\s(?:and|to|or)\s(?:the\s)?(?:(?:early|mid|late)[-\s])?|\s?[-–]\s?))?"
    rf"(?P<century>{_ORDINAL})(?:[- ]century|[- ]centuries)\b(?:\s(?P<century_before>{_BEFORE}))?"
    rf"|(?<![\d,.])\b(?:(?P<from_number>{_YEAR}){_TO})?(?P<number>{_YEAR})\s(?:(?P<before>{_BEFORE})|{_SINCE})"
    rf"|\bA\.?D\.?\s(?P<anno>\d{{1,4}})\b"
    rf"|(?:(?<![\d,.$£€-])|(?<=\b\d{{4}}-))\b(?P<year>1\d{{3}}|20[0-2]\d)(?P<decade>s)?\b(?![,.]\d|%)"
    rf"|\bthe\s(?P<early_decade>[1-9]\d0)s\b"
    rf"|{_LEADS}(?:(?P<from_early>[1-9]\d\d){_TO})?(?P<early>[1-9]\d\d|1\d{{3}}){_ENDS}",
    re.IGNORECASE,
)


def dates(sentence: str) -> Iterator[Mention]:
    """Yields the dates of a sentence in order; each end of a range is a date.

    Years from 1000 on need no context; those of three digits need a preposition before them and no noun after; any year
    counts with BC, BCE, AD or CE, centuries in words or figures, decades.
    """
    for match in _DATE.finditer(sentence):
        before = bool(match["before"] or match["century_before"])
        found = []
        for group, width in _WIDTHS.items():
            if match[group]:
                wide = 10 if group == "year" and match["decade"] else width
                # The first and last year that a number means, negative before Christ; (0, …) for the number 0.
                text = match[group]
                number = ORDINALS.get(text.lower()) or int(re.sub(r"\D", "", text))
                first = (number - 1) * 100 + 1 if wide == 100 and number else number
                last = first + wide - 1
                found.append((group, (-last, -first) if before else (first, last)))
        if len(found) == 2 and found[0][0] != "from_century" and found[0][1] > found[1][1]:
            del found[0]  # no range: 500 and 300 BCE is one, 300 and 500 BCE counts something first
        for group, span in found:
            if span[0]:
                end = match.end() if group == found[-1][0] else match.end(group)
                yield date_mention(sentence, match.start(group), end, span)


_WIDTHS = {
    "from_century": 100,
    "century": 100,
    "from_number": 1,
    "number": 1,
    "anno": 1,
    "year": 1,
    "early_decade": 10,
    "from_early": 1,
    "early": 1,
}


_WORD = re.compile(r"[^\W\d_](?:[^\W_]|['’‘ʻ](?=[^\W\d_])|-(?=[^\W_])|\.(?=[A-Z]\b))*")
_ROMAN = re.compile(r"(?=[IVX])X{0,2}(?:IX|IV|V?I{0,3})")


@cache
def _words() -> dict[str, frozenset[str]]:
    """The word lists by what their words are."""
    found: dict[str, set[str]] = defaultdict(set)
    for line in read_word_list(__package__, "words-en.txt"):
        name, words = line.split(": ", 1)
        found[name].update(words.split())
    return {name: frozenset(words) for name, words in found.items()}


@cache
def _peoples() -> dict[str, str]:
    """Places by the name of their people, both in lower case."""
    pairs = (line.split(" ", 1) for line in read_word_list(__package__, "peoples-en.txt"))
    return {people.lower(): place.lower() for people, place in pairs}


@cache
def directions() -> frozenset[str]:
    """The points of the compass, in the spelling of keys."""
    return frozenset(word.lower() for word in _words()["directions"])


def singular(key: str) -> str:
    """The key without the s of a plural, "" where it has none."""
    return key[:-1] if len(key) > 4 and key.endswith("s") else ""


class EnglishNames:
    """Runs of capitalised words; "of" joins after heads such as Treaty, "the" before epithets such as Great.

    Dates are `english_dates.dates`. Titles (King, Pope), week days, months and points of the compass alone are not
    names. A title that is always said with the name (Shah Jahan) is a part of its surface; no key has a title.
    """

    def __init__(self, names: Sequence[str] = ()) -> None:
        self._glossary = frozenset(_fold(name) for name in names)
        self._key = cache(_fold)

    def key(self, surface: str) -> str:
        return _fold(surface)

    def mentions(self, sentence: str) -> list[Mention]:
        spans = list(dates(sentence))
        found = spans + [mention for mention in self._runs(sentence) if not mention.overlaps_any(spans)]
        return sorted(found)

    def parts(self, key: str) -> list[str]:
        words = key.split()
        if key.startswith("y:"):
            return []
        if len(words) < 2:
            return [one] if (one := singular(key)) else []
        found = [" ".join(words[1:]), words[-1]]
        return [
            part for part in dict.fromkeys(found) if not (_ROMAN.fullmatch(part.upper()) or part in _common_words())
        ]

    def cue(self, sentence: str, mention: Mention) -> Kind | None:
        if mention.span:
            return "year"
        words = mention.surface.split()
        last = words[-2] if len(words) > 1 and _ROMAN.fullmatch(words[-1]) else words[-1]
        if last in _words()["period heads"] or words[0] in ("Treaty", "Battle", "Peace", "Congress"):
            return "period"
        if words[-1] in _words()["place heads"] or words[0] in ("Mount", "Cape", "Lake", "Gulf"):
            return "place"
        if _fold_word(words[-1].lower()) in _peoples() and len(words) == 1:
            return "people"
        before = [word.rstrip(".") for word in sentence[: mention.start].split()[-2:]]
        after = sentence[mention.end : mention.end + 30]
        last = before[-1] if before else ""
        if last.lower() == "the":
            if len(words) == 1 and words[0].endswith("s"):
                return "people"
            return "place" if len(before) == 2 and _is_place(before[0], after) else "other"
        titled = last in _words()["titles"] or (len(words) > 1 and words[0] in _words()["titles"])
        # a king's number follows a first name (Henry VIII; not World War II)
        heads = _words()["period heads"]
        numbered = any(_ROMAN.fullmatch(number) and name not in heads for name, number in pairwise(words))
        if titled or numbered or after.startswith(", who"):
            return "person"
        if _is_place(last, after):
            return "place"
        first = re.findall(r"[\w'’]+", after)[:1] or [""]
        if first[0] in _words()["person verbs"] or _looks_like_a_person(words):
            return "person"
        return None

    def _runs(self, sentence: str) -> Iterator[Mention]:
        """Yields the names among a sentence's runs of capitalised words with the links between them."""
        run: list[re.Match[str]] = []
        links: list[re.Match[str]] = []
        for match in _WORD.finditer(sentence):
            word = match.group()
            if run and not _are_joined(sentence, (links or run)[-1], match):
                yield from self._name_in_run(sentence, run)
                run, links = [], []
            if word[0].isupper():
                if links and not _are_linked([w.group() for w in run], [w.group() for w in links], word):
                    yield from self._name_in_run(sentence, run)
                    run = []
                run += [*links, match] if run else [match]
                links = []
            elif run and word in _words()["links"] and len(links) < 2:
                links.append(match)
            elif run:
                yield from self._name_in_run(sentence, run)
                run, links = [], []
        if run:
            yield from self._name_in_run(sentence, run)

    def _name_in_run(self, sentence: str, run: list[re.Match[str]]) -> Iterator[Mention]:
        """The name in a run of words: without titles in front and without an opening word that is not part of a
        name."""
        before = sentence[: run[0].start()].rstrip(" \"'“‘([")
        opening = not before or before[-1] in ".!?:;”" or before.endswith("—")
        while run and _is_lead(run[0].group(), opening, alone=len(run) == 1):
            run, opening = run[1:], False
        if run and run[0].group() in _words()["titles"]:  # a capital before a title of the name is not a sentence's
            opening = False
        while run and run[0].group() in _words()["links"]:
            run = run[1:]
        if not run:
            return
        start, end = run[0].start(), run[-1].end()
        surface = sentence[start:end]
        for possessive in ("'s", "’s"):
            surface = surface.removesuffix(possessive)
        if len(surface) < 2 or (len(run) == 1 and surface.lower() in _stop_words() and surface != "US"):
            return
        key = self._key(surface)
        yield Mention(start, start + len(surface), surface, key, not opening or key in self._glossary)


def _are_joined(sentence: str, left: re.Match[str], right: re.Match[str]) -> bool:
    """Returns whether two words are neighbours in one run: a blank between them, or an abbreviation's period."""
    between = sentence[left.end() : right.start()]
    if left.group().endswith(("'s", "’s")):
        return False
    return between == " " or (between == ". " and left.group() in ("St", "Dr", "Mr", "Mrs")) or (
        between == ". " and len(left.group()) == 1
    )  # fmt: skip


def _are_linked(run: list[str], links: list[str], word: str) -> bool:
    """Returns whether link words (of, the, de …) join a run to the next capitalised word."""
    if not links:
        return True
    if links[0] == "of":
        return run[0] in _words()["of heads"] or run[-1] in _words()["of heads"]
    if links == ["the"]:
        return word in _words()["epithets"]
    return "the" not in links and "of" not in links


def _is_lead(word: str, opening: bool, *, alone: bool) -> bool:
    """Returns whether a word before a name is not part of it: a title, a word of the list, a sentence's opening stop
    word."""
    bare = word.removesuffix("'s").removesuffix("’s")
    if bare in _words()["titles said with names"] and not alone:
        return False
    if bare in _words()["titles"] or bare in _words()["no names"] or (alone and bare in _words()["directions"]):
        return True
    return opening and bare.lower() in _stop_words()


@cache
def _stop_words() -> frozenset[str]:
    return words_of(read_word_list("indexer.analysis", "stop-words-en.txt")) | _words()["openers"]


def _fold_word(word: str) -> str:
    """A word in the singular, as far as names need it: Mongols → mongol, Athenians → athenian; Athens stays."""
    if word in _places():  # what peoples are folded to
        return word
    if word.endswith("s") and word[:-1] in _peoples():
        return word[:-1]
    if word.endswith("men") and word[:-3] + "man" in _peoples():
        return word[:-3] + "man"
    if len(word) > 4 and word.endswith("s") and not word.endswith(("ss", "us", "is", "as", "os", "es")):
        return word[:-1]
    if len(word) > 4 and word.endswith(("eses", "ianes")):
        return word[:-2]
    return word


@cache
def _places() -> frozenset[str]:
    return frozenset(_peoples().values())


def is_known_place(key: str) -> bool:
    """Returns whether a key is that of a country or region whose people the word list names (carthage, italy)."""
    return key in _places()


@cache
def _same() -> dict[str, str]:
    """Other names of the same, each with the key that both are folded to."""
    found = (line.partition(": ") for line in read_word_list(__package__, "aliases-en.txt"))
    return {other: key for other, _, key in found}


@cache
def _spellings() -> dict[str, str]:
    """Single words among these, which are folded inside longer names too (House of Hapsburg)."""
    return {other: key for other, key in _same().items() if " " not in other + key}


def _fold(surface: str) -> str:
    """The key of a name: lower case without accents, ligatures, titles, hyphens and plural; a people as its country."""
    plain = plain_letters(surface)
    words = re.findall(r"[^\W_]+(?:\.[^\W_])*", re.sub("[’‘ʻ]", "'", plain).replace("'s", "").replace("'", ""))
    while len(words) > 1 and words[0] in _words()["titles"]:
        words = words[1:]
    folded = [word.lower() for word in words if word.lower() not in ("the",)] or [plain.lower()]
    folded[-1] = _fold_word(folded[-1])
    folded = [_spellings().get(word, word) for word in folded]
    key = _peoples().get(" ".join(folded))
    if not key:  # a people inside a longer name is its country (Roman Senate → rome senate), where that is one word
        countries = [_peoples().get(word, word) for word in folded[:-1]]
        whole = [word if " " in country else country for word, country in zip(folded, countries, strict=False)]
        key = " ".join([*whole, folded[-1]])
    return _same().get(key, key)


def _is_place(before: str, after: str) -> bool:
    """Returns whether a preposition of places precedes a name and no noun follows it, whose adjective it could be."""
    if before.lower() not in _words()["place before"]:
        return False
    follows = re.match(r"\s([a-z]+)", after)
    return follows is None or follows.group(1) in _stop_words()


@cache
def _common_words() -> frozenset[str]:
    lists = ("of heads", "period heads", "place heads", "titles", "no names", "no first names", "directions")
    kept = {*_peoples().values(), "america", "asia", "africa", "europe", "ottoman"}
    return frozenset(word.lower() for name in lists for word in _words()[name]) - kept


def _looks_like_a_person(words: list[str]) -> bool:
    """Returns whether a name has the shape of first and last name: two or three plain words, none the name of a
    people."""
    if not 2 <= len(words) <= 3 or words[0] in _words()["no first names"]:
        return False
    heads = _words()["of heads"] | _words()["period heads"] | _words()["place heads"]
    return not any(word in heads or _fold_word(word.lower()) in _peoples() for word in words)
