"""Languages of pseudo-exams: marks, wording of questions, and rules on names by the words around them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping, Set
from dataclasses import dataclass

from indexer.languages.english import ENGLISH
from indexer.languages.japanese import JAPANESE
from indexer.languages.language import Language
from indexer.languages.registry import offered_for

_WORDS = re.compile(r"[a-z]+")
_JOINED = re.compile(r"\b(?:and|or|nor|with|&)\b|[/]|^\s*,?\s*$")
_PLAIN_DATE = re.compile(r"(紀元前|前)?(\d{1,4})\s?(?:年代?|世紀)")


@dataclass(frozen=True, kw_only=True)
class ExamLanguage:
    """A language in which pseudo-exams are made.

    `marks` are printed before choices, `gaps` in gaps, `dash` between a reference and its answer; `truth` maps T and F
    to printed words, `asks` (shape, T or F) to the instruction, `fill` is the instruction of term questions. `lengths`
    are the least and greatest number of characters of a statement, `term_lengths` of a term question. `opposites` names
    the word list of pairs that reverse a statement. `gives_roles(between)`: whether the text between two names gives
    them different roles rather than listing them. `is_plain_date(surface, years, width)`: whether a date that spans
    these years, `width` years apart, is written with them (昭和20年 is not).
    """

    marks: tuple[str, ...]
    gaps: tuple[str, str]
    dash: str
    truth: Mapping[str, str]
    asks: Mapping[tuple[str, str], str]
    fill: str
    lengths: tuple[int, int]
    term_lengths: tuple[int, int]
    opposites: str
    gives_roles: Callable[[str], bool]
    is_plain_date: Callable[[str, Set[int], int], bool]


def _is_plain_japanese_date(surface: str, years: Set[int], width: int) -> bool:
    match = _PLAIN_DATE.fullmatch(unicodedata.normalize("NFKC", surface))
    return match is not None and (int(match[2]) if width < 99 else int(match[2]) * 100) in years


_LANGUAGES: Mapping[Language, ExamLanguage] = {
    ENGLISH: ExamLanguage(
        marks=tuple(f"({number})" for number in range(1, 9)),
        gaps=("(A)", "(B)"),
        dash="-",
        truth={"T": "Correct", "F": "Incorrect"},
        asks={
            ("statements", "T"): "From {first}-{last} below, choose the one correct sentence.",
            ("statements", "F"): "From {first}-{last} below, choose the one sentence that contains a mistake.",
            ("combination", "T"): "Choose the one correct combination of correct and incorrect for sentences a and b.",
            ("gap", "T"): "From {first}-{last} below, choose what should be inserted into the gap {gaps} in the text.",
            ("ordering", "T"): "Choose the one that correctly arranges events a-c in chronological order.",
        },
        fill="Write the name that belongs in the gap.",
        lengths=(40, 300),
        term_lengths=(50, 300),
        opposites="opposites-en.txt",
        gives_roles=lambda between: len(_WORDS.findall(between)) >= 2 and not _JOINED.search(between),
        is_plain_date=lambda surface, years, width: True,
    ),
    JAPANESE: ExamLanguage(
        marks=tuple("①②③④⑤⑥⑦⑧"),
        gaps=("ア", "イ"),
        dash="―",
        truth={"T": "正", "F": "誤"},
        asks={
            ("statements", "T"): "次の{first}～{last}のうちから,正しい文を一つ選べ。",
            ("statements", "F"): "次の{first}～{last}のうちから,誤りを含む文を一つ選べ。",
            ("combination", "T"): "次の文aとbの正誤の組合せとして正しいものを一つ選べ。",
            ("gap", "T"): "文中の空欄{gaps}に入れる語として正しいものを,次の{first}～{last}のうちから一つ選べ。",
            ("ordering", "T"): "a～cの出来事が年代の古いものから順に正しく配列されているものを一つ選べ。",
        },
        fill="次の文の空欄に入る名称を答えよ。",
        lengths=(15, 140),
        term_lengths=(20, 140),
        opposites="opposites-ja.txt",
        gives_roles=lambda between: len(between) >= 3 and not re.match(r"[とや、・及]", between),
        is_plain_date=_is_plain_japanese_date,
    ),
}


def exam_language(language: Language) -> ExamLanguage:
    """The wording of a language. Raises UserError if exams cannot be made in it."""
    return offered_for(_LANGUAGES, language, "exams are made")
