"""Texts of tables and questions as words that can be compared: folded, stemmed, numbers and dates
unified."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache

import Stemmer

from indexer.analysis.english_numbers import ONES, TEENS
from indexer.analysis.text import plain_letters, read_word_list
from indexer.analysis.years import ERA_YEAR, MONTHS, era_year

_WORD = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:[.:]\d+)*|[^\W\d_]+|\d", re.UNICODE)
_WIDE = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff々〆ー]+")
_RUN = re.compile(
    r"(?P<han>[\u3400-\u9fff\uf900-\ufaff々〆]+)|(?P<katakana>[\u30a0-\u30ff]+)"
    r"|(?P<hiragana>[\u3040-\u309f]+)|[^\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff々〆]+"
)
_INNER_BLANK = re.compile(r"(?<=[\u3040-\u9fff])\s+(?=[\u3040-\u9fff])")
_ERA_YEAR = re.compile(rf"{ERA_YEAR}\s*(?:\(\d{{4}}\)\s*)?(?=年|\D|$)")
_DAY_OF_MONTH = r"(0?[1-9]|[12]\d|3[01])"
_YEAR_FIRST = re.compile(
    rf"(?<![\d/-])(\d{{4}})([/-])(0?[1-9]|1[0-2])\2{_DAY_OF_MONTH}(?![\d/-])", re.ASCII
)
_IN_IDEOGRAPHS = re.compile(
    rf"(?<!\d)(\d{{4}})\s*年\s*(0?[1-9]|1[0-2])\s*月\s*{_DAY_OF_MONTH}\s*日", re.ASCII
)
_AND_OVER = re.compile(r"(?<=\d)\+(?!\d)")
# Japanese words that say the same in questions and tables, as regular expressions, and what both
# become.
_UNIFIED = [
    (re.compile(pattern), f" {replacement} ")
    for pattern, replacement in (
        line.split("\t") for line in read_word_list(__package__, "unified.tsv")
    )
]
_STEMMER = Stemmer.Stemmer("porter")
_QUARTERS = {
    "first": 1,
    "second": 2,
    "third": 3,
    "fourth": 4,
    "1st": 1,
    "2nd": 2,
    "3rd": 3,
    "4th": 4,
}
_QUARTER = re.compile(r"\bq([1-4])\b|\b(first|second|third|fourth|1st|2nd|3rd|4th) quarter\b")
_QUARTER_ENDS = ("march", "june", "september", "december")
_QUARTER_END = re.compile(r"\bquarter (end(?:ed|ing)) (march|june|september|december)\b")
_NUMBERS = ["zero", *ONES, *TEENS[:6]]
# Months and numbers in words, and what they become.
_SPELT = {
    **{
        name: f"month{number}"
        for number, month in enumerate(MONTHS, 1)
        for name in (month.lower(), month[:3].lower())
    },
    **{word: str(number) for number, word in enumerate(_NUMBERS)},
    **{
        "sept": "month9",
        "twenty": "20",
        "thirty": "30",
        "forty": "40",
        "fifty": "50",
        "hundred": "100",
    },
}
# What Porter's stemmer leaves apart, or joins wrongly, and both questions and tables often have.
_IRREGULAR = {
    "won": "win", "wins": "win", "winner": "win", "winners": "win", "winning": "win",
    "lost": "lose", "losses": "lose", "loss": "lose", "losing": "lose", "held": "hold",
    "took": "take", "taken": "take", "men": "man", "women": "woman", "children": "child",
    "people": "person", "persons": "person", "sung": "sing", "sang": "sing", "written": "write",
    "wrote": "write", "writer": "write", "ran": "run", "built": "build", "building": "build",
    "buildings": "build", "paid": "pay", "began": "begin", "sold": "sell", "finished": "finish",
    "countries": "country", "cities": "city", "pct": "percent", "percentage": "percent",
    "percentages": "percent", "versus": "vs", "aircrafts": "aircraft", "nationality": "nation",
    "nations": "nation", "nation": "nation",
}  # fmt: skip


def words(text: str) -> tuple[str, ...]:
    """The words of a text in order, but for a lone s: accents and case folded, English stemmed,
    numbers without commas, spelt-out ones (to fifteen, tens to fifty, hundred) as figures, % as
    "percent"; () without any.

    Chinese and Japanese runs become their pairs of characters (a single one stays), and a year of a
    Japanese era becomes the common one: 平成27年 is 2015 年. Month names and their short forms are
    one word, as is the month of 2020-05-02, 2020/5/2 and 令和2年5月2日, which are 2 May 2020. Q1 is
    "quarter 1".
    """
    # Long texts are seldom met twice: they would only fill the cache.
    return _split(text) if len(text) < 400 else _split.__wrapped__(text)


@lru_cache(maxsize=200_000)
def _split(text: str) -> tuple[str, ...]:
    """The folded words of a text in order; dates and quarters in one spelling, ideographs as
    bigrams."""
    plain = (
        unicodedata.normalize("NFKC", text)
        .lower()
        .replace("%", " percent ")
        .replace("per cent", "percent")
    )
    # Tests for a character first: every cell is read, and a pattern's pass over it takes longer.
    if "q" in plain:
        plain = _QUARTER.sub(lambda match: f" quarter {match[1] or _QUARTERS[match[2]]} ", plain)
        plain = _QUARTER_END.sub(
            lambda match: f"quarter {_QUARTER_ENDS.index(match[2]) + 1} {match[1]} {match[2]}",
            plain,
        )
    if "+" in plain:
        plain = _AND_OVER.sub(" 以上 ", plain)
    if "-" in plain or "/" in plain:
        plain = _YEAR_FIRST.sub(lambda match: _spell_date(match[4], match[3], match[1]), plain)
    if _WIDE.search(plain):
        return tuple(_wide_words(plain))
    return tuple(folded for word in _WORD.findall(plain_letters(plain)) if (folded := _fold(word)))


def path_words(path: Sequence[str]) -> tuple[str, ...]:
    """The words of a path of headings, one below the other.

    Headings with Chinese or Japanese are split one by one (人口 over 女 gives no bigram 口女);
    others are read as one text, for "Quarter Ended" over "March 31" is the first quarter.
    """
    whole = " ".join(path)
    return (
        tuple(word for piece in path for word in words(piece))
        if _WIDE.search(whole)
        else words(whole)
    )


def _spell_date(day: str, month: str, year: str) -> str:
    """A date in lower-case English words between blanks, with the month's number, by which 1月 is
    found, at its end: " 2 may 2020 5 "."""
    return f" {int(day)} {MONTHS[int(month) - 1]} {year} {int(month)} ".lower()


def acronyms(tokens: Sequence[str]) -> dict[str, frozenset[str]]:
    """First letters → words of every run of three to five words that all begin with a letter; of
    runs with the same letters the last."""
    runs: dict[str, frozenset[str]] = {}
    for start in range(len(tokens) - 2):
        for end in range(start + 3, min(start + 5, len(tokens)) + 1):
            if all(word[0].isalpha() for word in tokens[start:end]):
                runs["".join(word[0] for word in tokens[start:end])] = frozenset(tokens[start:end])
    return runs


def acronym(tokens: tuple[str, ...] | list[str]) -> str:
    """The first letters of the words that begin with a letter, joined; "" unless there are two to
    six."""
    letters = "".join(word[0] for word in tokens if word[0].isalpha())
    return letters if 2 <= len(letters) <= 6 else ""


def with_common_years(plain: str) -> str:
    """A text (NFKC) with the years of Japanese eras as common years between blanks: 平成27(2015)年
    becomes " 2015 年"."""
    return _ERA_YEAR.sub(lambda era: f" {era_year(era[1], era[2])} ", plain)


def _wide_words(plain: str) -> list[str]:
    """The words, in order, of a text with ideographs or kana: runs of these as bigrams (a single
    character stays), other words folded. Before that, blanks between the characters are dropped,
    years of eras and full dates become common ones, and words of unified.tsv are replaced."""
    # Blanks between ideographs are of the layout: 東 京.
    plain = _IN_IDEOGRAPHS.sub(
        lambda match: _spell_date(match[3], match[2], match[1]),
        with_common_years(_INNER_BLANK.sub("", plain)),
    )
    for pattern, replacement in _UNIFIED:
        plain = pattern.sub(replacement, plain)
    tokens: list[str] = []
    for match in _RUN.finditer(plain):
        run = match.group()
        if not match.lastgroup:
            tokens += [folded for word in _WORD.findall(run) if (folded := _fold(word))]
        elif len(run) == 1:
            tokens.append(run)
        else:
            # Pairs: questions and tables cut compounds differently, which a dictionary's words
            # would follow.
            tokens += [run[at : at + 2] for at in range(len(run) - 1)]
    return tokens


def _fold(word: str) -> str:
    """The compared form of a word: figures without commas, names of months as month1 to month12,
    spelt numbers as figures, else the stem (Porter's; "" for a lone s)."""
    if word[0].isdigit():
        return word.replace(",", "")
    return _SPELT.get(word) or str(_STEMMER.stemWord(_IRREGULAR.get(word, word)))


# Name of a country → its other names and codes, each as words joined by blanks.
_OTHERS: dict[str, tuple[str, ...]] = {}
for _line in read_word_list(__package__, "peoples.tsv"):
    _names, _codes = (
        [" ".join(words(name)) for name in part.split(", ")]
        for part in f"{_line}\t".split("\t")[:2]
    )
    for _name in _names:
        _OTHERS[_name] = tuple(
            other for other in dict.fromkeys([*_names, *_codes]) if other not in ("", _name)
        )
_LONGEST = max(name.count(" ") for name in _OTHERS) + 1


def countries(tokens: tuple[str, ...]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yields the countries that a sequence of words names, in order, each with its other names in
    tables; at each position the longest name counts. Names are words joined by blanks."""
    start = 0
    while start < len(tokens):
        # Longest first: South Korea is not Korea with a word before it.
        for size in range(_LONGEST, 0, -1):
            name = " ".join(tokens[start : start + size])
            if name in _OTHERS:
                yield name, _OTHERS[name]
                break
        start += size


# Lines of a kind of thing (person, place …) and words that name it; lines of words that are alike.
_KINDS = [line.split("\t") for line in read_word_list(__package__, "kinds.tsv")]
_KIND_OF = [(kind, frozenset(words(members))) for kind, members in _KINDS]
_ALIKE = [frozenset(words(line)) for line in read_word_list(__package__, "alike.txt")]
_NAME = re.compile(
    r"[^\W\d_][\w.'’-]*(?: (?:van|von|de|der|da|di|al|bin|la|le|du|del))*(?: "
    r"[A-Z][\w.'’-]*){1,3}(?: ?[(†*].*)?"
)


def kinds_of(tokens: Sequence[str]) -> frozenset[str]:
    """The kinds of thing (person, place …) that any of the words names; empty if none is in
    `kinds.tsv`."""
    return frozenset(kind for kind, members in _KIND_OF if not members.isdisjoint(tokens))


def alike(word: str) -> frozenset[str]:
    """The synonyms of a word, under which a table may have it; empty for a word that is not in
    `alike.txt`."""
    return frozenset[str]().union(*(group for group in _ALIKE if word in group)) - {word}


def shape(cells: Sequence[str]) -> str:
    """The shape of more than half of the filled cells among a column's first 60, the first that
    holds of: "quoted", "long" (over 60 characters), "with commas" (places), "names", "codes" (up to
    4 characters); else "words"; "empty" without any."""
    filled = [cell for cell in cells[:60] if cell]
    if not filled:
        return "empty"
    # Quotes before commas, commas before names: the rarer sign decides.
    signs = {
        "quoted": [cell[0] in "\"“'「『" for cell in filled],
        "long": [len(cell) > 60 for cell in filled],
        "with commas": ["," in cell for cell in filled],
        "names": [_NAME.fullmatch(cell) is not None for cell in filled],
        "codes": [len(cell) <= 4 for cell in filled],
    }
    return next((name for name, marks in signs.items() if sum(marks) > len(filled) / 2), "words")
