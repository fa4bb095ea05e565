"""Names in English: runs of words with capital letters, dates, and their folding to one key."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cache
from importlib import resources

from indexer.analysis.text import words_of
from indexer.names import Kind, Mention

_WORD = re.compile(r"[^\W\d_](?:[^\W_]|['’ʻ](?=[^\W\d_])|-(?=[^\W_])|\.(?=[A-Z]\b))*")
_ROMAN = re.compile(r"(?=[IVX])X{0,2}(?:IX|IV|V?I{0,3})")
_ORDINALS = {
    word: number
    for number, word in enumerate(
        "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth "
        "fifteenth sixteenth seventeenth eighteenth nineteenth twentieth twenty-first".split(),
        1,
    )
}
_BEFORE = r"B\.?\s?C\.?(?:\s?E\.?)?"
_DATE = re.compile(
    rf"(?P<century>\b(?:{'|'.join(sorted(_ORDINALS, key=len, reverse=True))}|\d{{1,2}}(?:st|nd|rd|th)))"
    rf"(?:[- ]century|[- ]centuries)\b(?:\s(?P<cbefore>{_BEFORE})(?![A-Za-z]))?"
    rf"|\b(?P<number>\d{{1,3}}(?:,?\d{{3}})?|\d{{4}})\s(?P<before>{_BEFORE}|C\.?E\.?|A\.?D\.?)(?![A-Za-z])"
    rf"|\bA\.?D\.?\s(?P<anno>\d{{1,4}})\b"
    rf"|(?<![\d,.$£€-])\b(?P<year>1\d{{3}}|20[0-2]\d|[5-9]\d\d(?=s?\b[^,\d%]*$))(?P<decade>s)?\b(?![,.]\d|%)",
    re.IGNORECASE,
)


@cache
def _words() -> dict[str, frozenset[str]]:
    """The word lists by what their words are."""
    found: dict[str, set[str]] = defaultdict(set)
    for line in resources.files(__package__).joinpath("words-en.txt").read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            name, words = line.split(": ", 1)
            found[name].update(words.split())
    return {name: frozenset(words) for name, words in found.items()}


@cache
def _peoples() -> dict[str, str]:
    lines = resources.files(__package__).joinpath("peoples-en.txt").read_text("utf-8").splitlines()
    pairs = (line.split(" ", 1) for line in lines if line and not line.startswith("#"))
    return {people.lower(): place.lower() for people, place in pairs}


class EnglishNames:
    """Runs of capitalised words; "of" joins after heads such as Treaty, "the" before epithets such as Great.

    Dates: years from 1000 on, years with BC, BCE, AD or CE, decades, centuries in words or figures.
    Titles (King, Pope), week days, months and points of the compass alone are no names.
    """

    def __init__(self, names: Sequence[str] = ()) -> None:
        self._glossary = frozenset(_fold(name) for name in names)
        self._keys: dict[str, str] = {}

    def key(self, surface: str) -> str:
        return _fold(surface)

    def mentions(self, sentence: str) -> list[Mention]:
        dates = [m for match in _DATE.finditer(sentence) if (m := _date(match))]
        found = dates + [
            mention
            for mention in self._runs(sentence)
            if not any(mention.start < date.end and date.start < mention.end for date in dates)
        ]
        return sorted(found)

    def parts(self, key: str) -> list[str]:
        words = key.split()
        if len(words) < 2 or key.startswith("y:"):
            return []
        return [words[-1], words[0], " ".join(words[1:]), " ".join(words[:-1])]

    def cue(self, sentence: str, mention: Mention) -> Kind | None:
        if mention.span:
            return "year"
        words = mention.surface.split()
        if words[-1] in _words()["period heads"] or words[0] in ("Treaty", "Battle", "Peace", "Congress"):
            return "period"
        if words[-1] in _words()["place heads"] or words[0] in ("Mount", "Cape", "Lake", "Gulf"):
            return "place"
        if _fold_word(words[-1].lower()) in _peoples() and len(words) == 1:
            return "people"
        return _context_cue(sentence, mention, words)

    def _runs(self, sentence: str) -> Iterator[Mention]:
        run: list[re.Match[str]] = []
        links: list[re.Match[str]] = []
        for match in _WORD.finditer(sentence):
            word = match.group()
            if run and not _joined(sentence, (links or run)[-1], match):
                yield from self._named(sentence, run)
                run, links = [], []
            if word[0].isupper():
                if links and not _linked([w.group() for w in run], [w.group() for w in links], word):
                    yield from self._named(sentence, run)
                    run = []
                run += [*links, match] if run else [match]
                links = []
            elif run and word in _words()["links"] and len(links) < 2:
                links.append(match)
            elif run:
                yield from self._named(sentence, run)
                run, links = [], []
        if run:
            yield from self._named(sentence, run)

    def _named(self, sentence: str, run: list[re.Match[str]]) -> Iterator[Mention]:
        """The name in a run of words: without titles in front and without an opening word that is no name."""
        opening = _opens(sentence, run[0].start())
        while run and _is_lead(run[0].group(), opening, alone=len(run) == 1):
            run, opening = run[1:], False
        while run and run[0].group() in _words()["links"]:
            run = run[1:]
        if not run:
            return
        start, end = run[0].start(), run[-1].end()
        surface = sentence[start:end]
        for possessive in ("'s", "’s"):
            surface = surface.removesuffix(possessive)
        if len(surface) < 2:
            return
        key = self._keys.get(surface)
        if key is None:
            key = self._keys[surface] = _fold(surface)
        yield Mention(start, start + len(surface), surface, key, not opening or key in self._glossary)


def _joined(sentence: str, left: re.Match[str], right: re.Match[str]) -> bool:
    between = sentence[left.end() : right.start()]
    if left.group().endswith(("'s", "’s")):
        return False
    return between == " " or (between == ". " and left.group() in ("St", "Dr", "Mr", "Mrs")) or (
        between == ". " and len(left.group()) == 1
    )  # fmt: skip


def _linked(run: list[str], links: list[str], word: str) -> bool:
    if not links:
        return True
    if links[0] == "of":
        return run[0] in _words()["of heads"] or run[-1] in _words()["of heads"]
    if links == ["the"]:
        return word in _words()["epithets"]
    return "the" not in links and "of" not in links


def _opens(sentence: str, start: int) -> bool:
    before = sentence[:start].rstrip(" \"'“‘([")
    return not before or before[-1] in ".!?:;”" or before.endswith("—")


def _is_lead(word: str, opening: bool, *, alone: bool) -> bool:
    bare = word.removesuffix("'s").removesuffix("’s")
    if bare in _words()["titles"] or bare in _words()["no names"]:
        return True
    return opening and bare.lower() in _stop_words()


@cache
def _stop_words() -> frozenset[str]:
    text = resources.files("indexer.analysis").joinpath("stop-words-en.txt").read_text("utf-8")
    return words_of(text.splitlines()) | _words()["openers"]


def _fold_word(word: str) -> str:
    """A word in the singular, as far as names need it: Mongols → mongol, Athenians → athenian."""
    if word.endswith("men") and word[:-3] + "man" in _peoples():
        return word[:-3] + "man"
    if len(word) > 4 and word.endswith("s") and not word.endswith(("ss", "us", "is", "as", "os", "es")):
        return word[:-1]
    if len(word) > 4 and word.endswith(("eses", "ianes")):
        return word[:-2]
    return word


def _fold(surface: str) -> str:
    """The key of a name: lower case without accents, titles, hyphens and plural; a people as its country."""
    plain = "".join(c for c in unicodedata.normalize("NFKD", surface) if not unicodedata.combining(c))
    words = re.findall(r"[^\W_]+(?:\.[^\W_])*", plain.replace("’", "'").replace("'s", "").replace("'", ""))
    while len(words) > 1 and words[0] in _words()["titles"]:
        words = words[1:]
    folded = [word.lower() for word in words if word.lower() not in ("the",)] or [plain.lower()]
    folded[-1] = _fold_word(folded[-1])
    key = " ".join(folded)
    peoples = _peoples()
    if key in peoples:
        return peoples[key]
    return " ".join([*(_country(word) for word in folded[:-1]), folded[-1]])


def _country(word: str) -> str:
    """The country of a people inside a longer name (Roman Senate → rome senate), where that is one word."""
    place = _peoples().get(word, word)
    return word if " " in place else place


def _date(match: re.Match[str]) -> Mention | None:
    if match["century"]:
        word = match["century"].lower()
        number = _ORDINALS.get(word) or int(re.sub(r"\D", "", word))
        before, width = bool(match["cbefore"]), 100
        first = (number - 1) * 100 + 1
    else:
        number = int((match["number"] or match["anno"] or match["year"]).replace(",", ""))
        before = (match["before"] or "").upper().startswith("B")
        width = 10 if match["decade"] else 1
        first = number
    if not number:
        return None
    last = first + width - 1
    span = (-last, -first) if before else (first, last)
    key = f"y:{span[0]}" if width == 1 else f"y:{span[0]}..{span[1]}"
    return Mention(match.start(), match.end(), match.group(), key, True, span)


def _context_cue(sentence: str, mention: Mention, words: list[str]) -> Kind | None:
    before = sentence[: mention.start].split()[-1:] or [""]
    after = sentence[mention.end : mention.end + 30]
    first = re.findall(r"[\w'’]+", after)[:1] or [""]
    if (
        before[0].rstrip(".") in _words()["titles"]
        or any(_ROMAN.fullmatch(w) for w in words[1:])
        or after.startswith(", who")
    ):
        return "person"
    if before[0].lower() == "the":
        return "people" if words[-1].endswith("s") and len(words) == 1 else None
    if before[0].lower() in _words()["place before"] and before[0].lower() not in ("to", "from"):
        return "place"
    if first[0] in _words()["person verbs"] or _looks_like_a_person(words):
        return "person"
    return "place" if before[0].lower() in _words()["place before"] else None


def _looks_like_a_person(words: list[str]) -> bool:
    """Whether a name has the shape of first and last name: two or three plain words, none a people's."""
    if not 2 <= len(words) <= 3 or words[0] in _words()["no first names"]:
        return False
    return not any(word in _words()["of heads"] or _fold_word(word.lower()) in _peoples() for word in words)
