"""Texts of tables and questions as words that can be compared: folded, stemmed, numbers and dates unified."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache

import Stemmer

from indexer.analysis.text import plain_letters, read_word_list
from indexer.analysis.years import ERA_YEAR, MONTHS, era_year

_WORD = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:[.:]\d+)*|[^\W\d_]+|\d", re.UNICODE)
_WIDE = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff々〆ー]+")
_RUN = re.compile(
    r"(?P<han>[\u3400-\u9fff\uf900-\ufaff々〆]+)|(?P<katakana>[\u30a0-\u30ff]+)|(?P<hiragana>[\u3040-\u309f]+)|[^\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff々〆]+"
)
_INNER_BLANK = re.compile(r"(?<=[\u3040-\u9fff])\s+(?=[\u3040-\u9fff])")
_ERA_YEAR = re.compile(rf"{ERA_YEAR}\s*(?:\(\d{{4}}\)\s*)?(?=年|\D|$)")
_DAY_OF_MONTH = r"(0?[1-9]|[12]\d|3[01])"
_YEAR_FIRST = re.compile(rf"(?<![\d/-])(\d{{4}})([/-])(0?[1-9]|1[0-2])\2{_DAY_OF_MONTH}(?![\d/-])", re.ASCII)
_IN_IDEOGRAPHS = re.compile(rf"(?<!\d)(\d{{4}})\s*年\s*(0?[1-9]|1[0-2])\s*月\s*{_DAY_OF_MONTH}\s*日", re.ASCII)
_AND_OVER = re.compile(r"(?<=\d)\+(?!\d)")
# Japanese words that say the same in questions and tables, as regular expressions, and what both become.
_UNIFIED = [
    (re.compile(pattern), f" {replacement} ")
    for pattern, replacement in (line.split("\t") for line in read_word_list(__package__, "unified.tsv"))
]
_STEMMER = Stemmer.Stemmer("porter")
_QUARTERS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "1st": 1, "2nd": 2, "3rd": 3, "4th": 4}
_QUARTER = re.compile(r"\bq([1-4])\b|\b(first|second|third|fourth|1st|2nd|3rd|4th) quarter\b")
_QUARTER_ENDS = ("march", "june", "september", "december")
_QUARTER_END = re.compile(r"\bquarter (end(?:ed|ing)) (march|june|september|december)\b")
_NUMBERS = {
    word: str(number)
    for number, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen".split()
    )
} | {"twenty": "20", "thirty": "30", "forty": "40", "fifty": "50", "hundred": "100"}
_MONTHS = {
    name: f"month{number}"
    for number, month in enumerate(map(str.lower, MONTHS), 1)
    for name in (month, month[:3], *(["sept"] if month == "september" else []))
}
# What Porter's stemmer leaves apart, or joins wrongly, and both questions and tables often have.
_IRREGULAR = {
    "won": "win", "wins": "win", "winner": "win", "winners": "win", "winning": "win", "lost": "lose", "losses": "lose",
    "loss": "lose", "losing": "lose", "held": "hold", "took": "take", "taken": "take", "men": "man",
    "women": "woman", "children": "child", "people": "person", "persons": "person", "sung": "sing", "sang": "sing",
    "written": "write", "wrote": "write", "writer": "write", "ran": "run", "built": "build", "building": "build",
    "buildings": "build", "paid": "pay", "began": "begin", "sold": "sell", "finished": "finish", "countries": "country",
    "cities": "city", "pct": "percent", "percentage": "percent", "percentages": "percent",
    "versus": "vs", "aircrafts": "aircraft", "nationality": "nation", "nations": "nation", "nation": "nation",
}  # fmt: skip


def words(text: str) -> tuple[str, ...]:
    """The words of a text in order: accents and case folded, English stemmed, numbers without commas.

    Chinese and Japanese runs become their pairs of characters (a single one stays), and a year of a
    Japanese era becomes the common one: 平成27年 is 2015 年. Month names and their short forms are one word, as is the
    month of 2020-05-02, 2020/5/2 and 令和2年5月2日, which are 2 May 2020.
    """
    # Long texts are seldom met twice: they would only fill the cache.
    return _words(text) if len(text) < 400 else _split(text)


@lru_cache(maxsize=200_000)
def _words(text: str) -> tuple[str, ...]:
    return _split(text)


def _split(text: str) -> tuple[str, ...]:
    """The folded words of a text in order; dates and quarters in one spelling, ideographs as bigrams."""
    plain = unicodedata.normalize("NFKC", text).lower().replace("%", " percent ").replace("per cent", "percent")
    # Tests for a character first: every cell is read, and a pattern's pass over it takes longer.
    if "q" in plain:
        plain = _QUARTER.sub(lambda found: f" quarter {found[1] or _QUARTERS[found[2]]} ", plain)
        plain = _QUARTER_END.sub(
            lambda found: f"quarter {_QUARTER_ENDS.index(found[2]) + 1} {found[1]} {found[2]}", plain
        )
    if "+" in plain:
        plain = _AND_OVER.sub(" 以上 ", plain)
    if "-" in plain or "/" in plain:
        plain = _YEAR_FIRST.sub(lambda found: _spell_date(found[4], found[3], found[1]), plain)
    if _WIDE.search(plain):
        return tuple(_wide_words(plain))
    return tuple(folded for word in _WORD.findall(plain_letters(plain)) if (folded := _fold(word)))


def path_words(path: Sequence[str]) -> tuple[str, ...]:
    """The words of a path of headings, one below the other.

    Headings with Chinese or Japanese are split one by one (人口 over 女 gives no bigram 口女); others are read as one
    text, for "Quarter Ended" over "March 31" is the first quarter.
    """
    whole = " ".join(path)
    return tuple(word for piece in path for word in words(piece)) if _WIDE.search(whole) else words(whole)


def _spell_date(day: str, month: str, year: str) -> str:
    """A date in lower-case English words between blanks: day, month name, year, and the month's number, by which 1月 is
    found."""
    return f" {int(day)} {MONTHS[int(month) - 1]} {year} {int(month)} ".lower()


def acronyms(found: Sequence[str]) -> dict[str, frozenset[str]]:
    """Acronyms of every run of three to five words that all begin with a letter: their first letters → the words of the
    run."""
    runs: dict[str, frozenset[str]] = {}
    for start in range(len(found) - 2):
        for end in range(start + 3, min(start + 5, len(found)) + 1):
            if all(word[0].isalpha() for word in found[start:end]):
                runs["".join(word[0] for word in found[start:end])] = frozenset(found[start:end])
    return runs


def acronym(found: tuple[str, ...] | list[str]) -> str:
    """The first letters of the words that begin with a letter, joined; "" unless there are two to six."""
    letters = "".join(word[0] for word in found if word[0].isalpha())
    return letters if 2 <= len(letters) <= 6 else ""


def with_common_years(plain: str) -> str:
    """A text (NFKC) with the years of Japanese eras as common years: 平成27(2015)年 becomes 2015年."""
    return _ERA_YEAR.sub(lambda era: f" {era_year(era[1], era[2])} ", plain)


def _wide_words(plain: str) -> list[str]:
    """Words of a text with ideographs or kana: their runs as bigrams, other words folded."""
    # Blanks between ideographs are of the layout: 東 京.
    plain = _IN_IDEOGRAPHS.sub(
        lambda found: _spell_date(found[3], found[2], found[1]), with_common_years(_INNER_BLANK.sub("", plain))
    )
    for pattern, replacement in _UNIFIED:
        plain = pattern.sub(replacement, plain)
    found: list[str] = []
    for match in _RUN.finditer(plain):
        run = match.group()
        if not match.lastgroup:
            found += [folded for word in _WORD.findall(run) if (folded := _fold(word))]
        elif len(run) == 1:
            found.append(run)
        else:
            # Pairs: questions and tables cut compounds differently, which a dictionary's words would follow.
            found += [run[at : at + 2] for at in range(len(run) - 1)]
    return found


def _fold(word: str) -> str:
    """The compared form of a word: figures without commas, months and numbers as figures, else the stem."""
    if word[0].isdigit():
        return word.replace(",", "")
    month = _MONTHS.get(word)
    if month:
        return month
    number = _NUMBERS.get(word)
    if number:
        return number
    word = _IRREGULAR.get(word, word)
    return str(_STEMMER.stemWord(word))


def _read_country_names() -> dict[str, tuple[str, ...]]:
    """The names of countries from `peoples.tsv`: name → the other names and codes of that country, each as words joined
    by blanks."""
    found: dict[str, tuple[str, ...]] = {}
    for line in read_word_list(__package__, "peoples.tsv"):
        names, _, codes = line.partition("\t")
        spoken = [" ".join(words(name)) for name in names.split(", ")]
        known = list(dict.fromkeys([*spoken, *(" ".join(words(code)) for code in codes.split(", ") if code)]))
        for name in spoken:
            found[name] = tuple(other for other in known if other != name)
    return found


_OTHERS = _read_country_names()
_LONGEST = max(name.count(" ") for name in _OTHERS) + 1


def countries(found: tuple[str, ...]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yields the countries that a sequence of words names, in order, each with its other names in tables; at each
    position the longest name counts. Names are words joined by blanks."""
    start = 0
    while start < len(found):
        # Longest first: South Korea is not Korea with a word before it.
        for size in range(_LONGEST, 0, -1):
            name = " ".join(found[start : start + size])
            if name in _OTHERS:
                yield name, _OTHERS[name]
                break
        start += size


def _read_kinds() -> dict[str, tuple[str, ...]]:
    """The kinds of thing that words name, from `kinds.tsv`: word → kinds (person, place …), in the file's order."""
    found: dict[str, tuple[str, ...]] = {}
    for line in read_word_list(__package__, "kinds.tsv"):
        kind, _, members = line.partition("\t")
        for word in words(members):
            found[word] = (*found.get(word, ()), kind)
    return found


def _read_alike() -> dict[str, frozenset[str]]:
    """Synonyms from `alike.txt`: word → the other words of all lines that have it."""
    found: dict[str, frozenset[str]] = {}
    for line in read_word_list(__package__, "alike.txt"):
        group = words(line)
        for word in group:
            found[word] = found.get(word, frozenset()) | frozenset(group) - {word}
    return found


_KIND_OF = _read_kinds()
_ALIKE_OF = _read_alike()
_NAME = re.compile(
    r"[^\W\d_][\w.'’-]*(?: (?:van|von|de|der|da|di|al|bin|la|le|du|del))*(?: [A-Z][\w.'’-]*){1,3}(?: ?[(†*].*)?"
)


def kinds_of(found: Sequence[str]) -> frozenset[str]:
    """The kinds of thing (person, place …) that any of the words names; empty if none is in `kinds.tsv`."""
    return frozenset(kind for word in found for kind in _KIND_OF.get(word, ()))


def alike(word: str) -> frozenset[str]:
    """The synonyms of a word, under which a table may have it; empty for a word that is not in `alike.txt`."""
    return _ALIKE_OF.get(word, frozenset())


def shape(cells: Sequence[str]) -> str:
    """The shape of more than half of the filled cells among a column's first 60: "quoted", "long" (over 60 characters),
    "with commas" (places), "names", "codes" (up to 4 characters), else "words"; "empty" without any."""
    filled = [cell for cell in cells[:60] if cell]
    if not filled:
        return "empty"
    # Quotes before commas, commas before names: the rarer sign decides.
    half = len(filled) / 2
    if sum(cell[0] in "\"“'「『" for cell in filled) > half:
        return "quoted"
    if sum(len(cell) > 60 for cell in filled) > half:
        return "long"
    if sum("," in cell for cell in filled) > half:
        return "with commas"
    if sum(bool(_NAME.fullmatch(cell)) for cell in filled) > half:
        return "names"
    if sum(len(cell) <= 4 for cell in filled) > half:
        return "codes"
    return "words"
