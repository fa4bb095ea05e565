"""Names in English: runs of words with capital letters, dates, and their folding to one key."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from indexer import analysis
from indexer.analysis.text import ORDINALS, plain_letters, read_word_list
from indexer.entities import Kind, Mention, date_mention

_ORDINAL = rf"\b(?:{'|'.join(sorted(ORDINALS, key=len, reverse=True))}|\d{{1,2}}(?:st|nd|rd|th))"
_BEFORE = r"B\.?\s?C\.?(?:\s?E\.?)?(?![A-Za-z])"
_SINCE = r"(?:C\.?E\.?|A\.?D\.?)(?![A-Za-z])"
_YEAR = r"(?:\d{1,3}(?:,\d{3})?|\d{4})"
_TO = r"(?:\s?[-–—]\s?|\s(?:and|to|or|until)\s(?:about\s|around\s)?)"
# A number of three digits is a year where a preposition leads to it and no noun that it counts
# follows.
_LEADS = (
    r"(?:\b(?:in|by|of|since|until|till|after|before|from|between|circa|ca?\.|year)\s(?:about\s"
    r"|around\s)?"
    r"|\((?:[a-z]{1,5}\.\s)?)"
)
_ENDS = (
    rf"(?=[,.;:!?)\]”\"’—](?!\d)|$|\s(?!{_BEFORE}|{_SINCE})(?:(?-i:[A-Z(“])|(?:and|to|in)\s(?!\d)"
    r"|(?:the|an?|but|that|when|where|who|which|while|with|by|at|on|it|he|she|they|his|her|their"
    r"|until|during|after|as|is|was"
    r"|were|had|marked|saw|led|brought|under|against)\b))"
)
_DATE = re.compile(
    rf"(?:(?P<from_century>{_ORDINAL})(?:\s(?:and|to|or)\s(?:the\s)?(?:(?:early|mid|late)[-\s])?"
    rf"|\s?[-–]\s?))?"
    rf"(?P<century>{_ORDINAL})(?:[- ]century|[- ]centuries)\b(?:\s(?P<century_before>{_BEFORE}))?"
    rf"|(?<![\d,.])\b(?:(?P<from_number>{_YEAR}){_TO})?(?P<number>{_YEAR})\s(?:"
    rf"(?P<before>{_BEFORE})|{_SINCE})|\bA\.?D\.?\s(?P<anno>\d{{1,4}})\b"
    rf"|(?:(?<![\d,.$£€-])|(?<=\b\d{{4}}-))\b(?P<year>1\d{{3}}|20[0-2]\d)(?P<decade>s)?\b(?![,.]\d"
    rf"|%)"
    rf"|\bthe\s(?P<early_decade>[1-9]\d0)s\b"
    rf"|{_LEADS}(?:(?P<from_early>[1-9]\d\d){_TO})?(?P<early>[1-9]\d\d|1\d{{3}}){_ENDS}",
    re.IGNORECASE,
)


_GROUPS = "from_century century from_number number anno year early_decade from_early early".split()


def dates(sentence: str) -> Iterator[Mention]:
    """Yields a mention for each date of a sentence, in order; each end of a range is a date, but
    the first not if it is a later year than the last. A year 0 is left out.

    Years from 1000 to 2029 need no context; those of three digits need a preposition before them
    and no noun after them; any year counts with BC, BCE, AD or CE, as do centuries in words or
    digits, and decades."""
    for match in _DATE.finditer(sentence):
        before = bool(match["before"] or match["century_before"])
        points = []
        for group in filter(match.group, _GROUPS):
            # The first and last year that a number means, negative before Christ; (0, …) for the
            # number 0.
            first = last = ORDINALS.get(match[group].lower()) or int(
                re.sub(r"\D", "", match[group])
            )
            if group.endswith("century"):
                first, last = ((first - 1) * 100 + 1, first * 100) if first else (0, 99)
            elif group == "early_decade" or (group == "year" and match["decade"]):
                last += 9
            points.append((group, (-last, -first) if before else (first, last)))
        if len(points) == 2 and points[0][0] != "from_century" and points[0][1] > points[1][1]:
            # no range: 500 and 300 BCE is one, 300 and 500 BCE counts something first
            del points[0]
        for group, span in points:
            if span[0]:
                end = match.end() if group == points[-1][0] else match.end(group)
                yield date_mention(sentence, match.start(group), end, span)


_WORD = re.compile(r"[^\W\d_](?:[^\W_]|['’‘ʻ](?=[^\W\d_])|-(?=[^\W_])|\.(?=[A-Z]\b))*")
_ROMAN = re.compile(r"(?=[IVX])X{0,2}(?:IX|IV|V?I{0,3})")


# The word lists: names of kinds of words to their words, peoples to the keys of their countries.
_WORDS: dict[str, frozenset[str]] = {}
for _line in read_word_list(__package__, "words-en.txt"):
    _name, _listed = _line.split(": ", 1)
    _WORDS[_name] = _WORDS.get(_name, frozenset()) | frozenset(_listed.split())
_PEOPLES = dict(
    line.lower().split(" ", 1) for line in read_word_list(__package__, "peoples-en.txt")
)
_STOP_WORDS = frozenset(read_word_list(analysis.__name__, "stop-words-en.txt")) | _WORDS["openers"]

KNOWN_PLACES = frozenset(_PEOPLES.values())
"""The keys of the countries and regions whose peoples are listed (carthage, italy)."""

DIRECTIONS = frozenset(map(str.lower, _WORDS["directions"]))
"""The points of the compass, in the spelling of keys."""

# Other names of a thing to its key; the single words among them are folded inside longer names too
# (House of Hapsburg).
_SAME = dict(line.split(": ", 1) for line in read_word_list(__package__, "aliases-en.txt"))
_SPELLINGS = {other: key for other, key in _SAME.items() if " " not in other + key}
# Words that alone are not a name.
_COMMON = {
    word.lower()
    for name in (
        "of heads",
        "period heads",
        "place heads",
        "titles",
        "no names",
        "no first names",
        "directions",
    )
    for word in _WORDS[name]
} - (KNOWN_PLACES | {"america", "asia", "africa", "europe", "ottoman"})


def singular(key: str) -> str:
    """The key without its last s, if it has more than four letters and ends with one; else ""."""
    return key[:-1] if len(key) > 4 and key.endswith("s") else ""


class EnglishNames:
    """Runs of capitalised words; "of" joins after heads such as Treaty, "the" before epithets such
    as Great.

    Dates are those of `dates`. Titles (King, Pope), week days, months and points of the compass
    alone are not names. A title that is always said with the name (Shah Jahan) is a part of its
    surface; no key has a title.
    """

    def __init__(self, names: Sequence[str] = ()) -> None:
        """`names` are surely names also where they begin a sentence, if written with a capital."""
        self._glossary = frozenset(map(fold, names))
        self.key, self.parts, self.cue = fold, _parts, _cue

    def mentions(self, sentence: str) -> list[Mention]:
        """Mentions of a sentence in order, without overlaps: dates, and names that no date
        overlaps."""
        spans = list(dates(sentence))
        names = _runs(sentence, self._glossary)
        return sorted(spans + [mention for mention in names if not mention.overlaps_any(spans)])


def _parts(key: str) -> list[str]:
    """Keys that may be short for a key: without its first word, and its last word; for one word its
    singular. [] for a date; roman numerals and common words are left out."""
    words = key.split()
    if key.startswith("y:"):
        return []
    if len(words) < 2:
        return [stem] if (stem := singular(key)) else []
    parts = dict.fromkeys((" ".join(words[1:]), words[-1]))
    return [part for part in parts if not (_ROMAN.fullmatch(part.upper()) or part in _COMMON)]


def _cue(sentence: str, mention: Mention) -> Kind | None:
    """Kind of name that a mention and the words around it indicate; None without an indication.

    "year" for a date; else by its head, by the words around it, else "person" for two or three
    words that look like first and last name.
    """
    if mention.span:
        return "year"
    words = mention.surface.split()
    shape: Kind | None = "person" if _is_shaped_as_person(words) else None
    return _cue_of_head(words) or _cue_of_neighbours(words, sentence, mention) or shape


def _cue_of_head(words: Sequence[str]) -> Kind | None:
    """Kind by a name's own words: "period" or "place" by its head (War, Treaty; Mount, River),
    "people" for one word that names a people; None without."""
    last = words[-2] if len(words) > 1 and _ROMAN.fullmatch(words[-1]) else words[-1]
    if last in _WORDS["period heads"] or words[0] in ("Treaty", "Battle", "Peace", "Congress"):
        return "period"
    if words[-1] in _WORDS["place heads"] or words[0] in ("Mount", "Cape", "Lake", "Gulf"):
        return "place"
    if len(words) == 1 and _fold_word(words[0].lower()) in _PEOPLES:
        return "people"
    return None


def _cue_of_neighbours(words: Sequence[str], sentence: str, mention: Mention) -> Kind | None:
    """Kind by a name's neighbours, the first that fits: behind "the" people for one word with s,
    place behind a preposition of places, else other; person with a title, a king's number or
    ", who"; place behind a preposition of places; person before a verb of persons; else None."""
    before = ["", "", *(word.rstrip(".") for word in sentence[: mention.start].split())][-2:]
    after = sentence[mention.end : mention.end + 30]
    if before[1].lower() == "the":
        if len(words) == 1 and words[0].endswith("s"):
            return "people"
        return "place" if _is_place(before[0], after) else "other"
    titled = before[1] in _WORDS["titles"] or (len(words) > 1 and words[0] in _WORDS["titles"])
    # a king's number follows a first name (Henry VIII; not World War II)
    numbered = any(
        _ROMAN.fullmatch(number) and name not in _WORDS["period heads"]
        for name, number in pairwise(words)
    )
    if titled or numbered or after.startswith(", who"):
        return "person"
    if _is_place(before[1], after):
        return "place"
    behind = re.search(r"[\w'’]+", after)
    return "person" if behind and behind[0] in _WORDS["person verbs"] else None


def _is_shaped_as_person(words: Sequence[str]) -> bool:
    """Whether words have the shape of first and last name: two or three, none a people's name or a
    head such as Treaty, and the first not listed as "no first names"."""
    heads = _WORDS["of heads"] | _WORDS["period heads"] | _WORDS["place heads"]
    return (
        2 <= len(words) <= 3
        and words[0] not in _WORDS["no first names"]
        and heads.isdisjoint(words)
        and not any(_fold_word(word.lower()) in _PEOPLES for word in words)
    )


def _runs(sentence: str, names: frozenset[str]) -> Iterator[Mention]:
    """Yields the names in the runs of capitalised words of a sentence, joined by a blank (after an
    initial or St by ". ") or by one or two link words (of, the, de); a possessive ends a run."""
    run: list[re.Match[str]] = []
    links: list[re.Match[str]] = []
    for match in (*_WORD.finditer(sentence), None):
        word = match.group() if match else ""
        if (
            match and run
        ):  # only a blank, or an abbreviation's period and a blank, joins words; no possessive does
            left = (links or run)[-1]
            between, last = sentence[left.end() : match.start()], left.group()
            is_abbreviation = between == ". " and (
                len(last) == 1 or last in ("St", "Dr", "Mr", "Mrs")
            )
            joined = (between == " " or is_abbreviation) and not last.endswith(("'s", "’s"))
        if match is None or (run and not joined):
            yield from _name_in_run(sentence, run, names)
            run, links = [], []
        if match and word[0].isupper():
            linking = [link.group() for link in links]
            if "of" in linking:
                linked = linking[0] == "of" and not {run[0].group(), run[-1].group()}.isdisjoint(
                    _WORDS["of heads"]
                )
            else:
                epithet = word.removesuffix("'s").removesuffix("’s")
                linked = "the" not in linking or (
                    linking == ["the"] and epithet in _WORDS["epithets"]
                )
            if not linked:
                yield from _name_in_run(sentence, run, names)
                run = []
            run += [*links, match] if run else [match]
            links = []
        elif match and run and word in _WORDS["links"] and len(links) < 2:
            links.append(match)
        elif run:
            yield from _name_in_run(sentence, run, names)
            run, links = [], []


def _name_in_run(sentence: str, run: list[re.Match[str]], names: frozenset[str]) -> list[Mention]:
    """At most one mention: the name in a run of words, without leading titles (but those said with
    names), link words, listed words, a stop word that opens the sentence and a possessive 's; none
    if one letter or stop word (but US) is left. Not sure where its capital may be the sentence's
    and its key is not among `names`."""
    if not run:
        return []
    before = sentence[: run[0].start()].rstrip(" \"'“‘([")
    opening = not before or before[-1] in ".!?:;”" or before.endswith("—")
    # words before a name that are not part of it: titles, listed words, the stop word that opens a
    # sentence
    while run:
        bare, alone = run[0].group().removesuffix("'s").removesuffix("’s"), len(run) == 1
        listed = (
            bare in _WORDS["titles"]
            or bare in _WORDS["no names"]
            or (alone and bare in _WORDS["directions"])
        )
        if bare in _WORDS["titles said with names"] and not alone:
            break
        if not listed and not (opening and bare.lower() in _STOP_WORDS):
            break
        run, opening = run[1:], False
    if (
        run and run[0].group() in _WORDS["titles"]
    ):  # a capital before a title of the name is not a sentence's
        opening = False
    while run and run[0].group() in _WORDS["links"]:
        run = run[1:]
    if not run:
        return []
    start = run[0].start()
    surface = sentence[start : run[-1].end()].removesuffix("'s").removesuffix("’s")
    if len(surface) < 2 or (len(run) == 1 and surface.lower() in _STOP_WORDS and surface != "US"):
        return []
    key = fold(surface)
    return [Mention(start, start + len(surface), surface, key, not opening or key in names)]


def _fold_word(word: str) -> str:
    """The singular of a word in lower case, as far as names need it: mongols → mongol, frenchmen →
    frenchman; athens stays, and so do most words in -es and in an s behind a, i, o, u or s."""
    if word in KNOWN_PLACES:  # what peoples are folded to
        return word
    if word.endswith("men") and word[:-3] + "man" in _PEOPLES:
        return word[:-3] + "man"
    plural = (
        len(word) > 4
        and word.endswith("s")
        and not word.endswith(("ss", "us", "is", "as", "os", "es"))
    )
    if plural or (word.endswith("s") and word[:-1] in _PEOPLES):
        return word[:-1]
    return word[:-2] if len(word) > 4 and word.endswith(("eses", "ianes")) else word


@lru_cache(maxsize=100_000)
def fold(surface: str) -> str:
    """Key of a name: lower case without titles at its beginning, "the", accents, ligatures,
    possessives, signs and the last word's plural; a people, also inside a name, as its country, and
    other spellings as the listed one."""
    bare = plain_letters(surface)
    words = re.findall(
        r"[^\W_]+(?:\.[^\W_])*", re.sub("[’‘ʻ]", "'", bare).replace("'s", "").replace("'", "")
    )
    while len(words) > 1 and words[0] in _WORDS["titles"]:
        words = words[1:]
    folded = [word.lower() for word in words if word.lower() != "the"] or [bare.lower()]
    folded[-1] = _fold_word(folded[-1])
    folded = [_SPELLINGS.get(word, word) for word in folded]
    key = _PEOPLES.get(" ".join(folded))
    # a people inside a longer name is its country (Roman Senate → rome senate), where that is one
    # word
    if not key:
        countries = [_PEOPLES.get(word, word) for word in folded[:-1]]
        whole = [
            word if " " in country else country
            for word, country in zip(folded, countries, strict=False)
        ]
        key = " ".join([*whole, folded[-1]])
    return _SAME.get(key, key)


def _is_place(before: str, after: str) -> bool:
    """Returns whether `before`, the word before a name, is in, at, near, throughout or across, and
    the text `after` the name does not go on with a word in small letters that is no stop word: a
    noun, whose adjective the name could be, or a verb."""
    if before.lower() not in _WORDS["place before"]:
        return False
    follows = re.match(r"\s([a-z]+)", after)
    return follows is None or follows.group(1) in _STOP_WORDS
