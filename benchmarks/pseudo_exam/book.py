"""A textbook as the source of a pseudo-exam: its sentences with the names in them, and the wording
of its language."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import NamedTuple

import ahocorasick

from indexer.analysis.name_finder import is_whole
from indexer.entities import Kind, Mention
from indexer.entities.aliases import names_of, redirect_keys
from indexer.languages.english import ENGLISH
from indexer.languages.japanese import JAPANESE
from indexer.languages.language import Language
from indexer.languages.registry import offered_for
from indexer.statistics.notes import KEY_LIMIT

NEAR_PARAGRAPHS = 100  # on either side: taken as the chapter in a file without chapters
_OPENINGS = 3  # a file's first title that comes back so often opens its chapters (Introduction)


class BookParagraph(NamedTuple):
    """A paragraph of a book, the title of its section, and the file that it is from."""

    title: str
    text: str
    file: str = ""


class BookSentence(NamedTuple):
    """A sentence of the book, the index of its paragraph, and the names in it, in order."""

    text: str
    paragraph: int
    mentions: tuple[Mention, ...]

    @property
    def keys(self) -> set[str]:
        return {mention.key for mention in self.mentions}


@dataclass(frozen=True)
class Name:
    """A name in the book: `frequency` is the number of sentences with it, `forms` are pairs
    (spelling, count), `paragraphs` the indices of the paragraphs that mention it.
    """

    key: str
    kind: Kind
    frequency: int
    forms: tuple[tuple[str, int], ...]
    paragraphs: frozenset[int]


@dataclass(frozen=True)
class ExamBook:
    """A textbook: its sentences in order, and its names by key. `chapters` has, by paragraph index,
    the (first, last) paragraph of its chapter. `holders` maps a key to the paragraphs with the
    name, also inside a longer name (Asia in Asia Minor)."""

    language: Language
    sentences: list[BookSentence]
    names: dict[str, Name]
    chapters: list[tuple[int, int]]
    holders: dict[str, set[int]]


def read_book(
    paragraphs: Iterable[BookParagraph],
    language: Language,
    redirects: Iterable[tuple[str, str]] = (),
) -> ExamBook:
    """Builds a book from its paragraphs; a mention's key is that of the fullest form of its name.
    Names, their kinds and their forms are the same as in an index of these paragraphs
    (`indexer.entities.aliases.names_of`). `redirects` are pairs (alias, name) from a wiki."""
    analysis, recogniser = language.analyser(), language.recogniser()
    raw: list[tuple[str, int, list[Mention]]] = []
    places: list[tuple[str, str]] = []
    counts, sure, words = Counter[str](), Counter[str](), Counter[str]()
    cues: Counter[tuple[str, Kind]] = Counter()
    for number, paragraph in enumerate(paragraphs):
        places.append((paragraph.file, paragraph.title))
        for text in analysis.sentences(" ".join(paragraph.text.split())):
            mentions = [m for m in recogniser.mentions(text) if len(m.key) <= KEY_LIMIT]
            raw.append((text, number, mentions))
            # As an index of the same paragraphs counts, so that exam and index know the same names.
            words.update(set(analysis.terms(text)))
            for mention in mentions:
                counts[mention.key] += 1
                sure[mention.key] += mention.sure
                if kind := recogniser.cue(text, mention):
                    cues[mention.key, kind] += 1
    keys_of_aliases = redirect_keys(redirects, recogniser)
    full, kinds, _ = names_of(
        counts, sure, cues, words, recogniser, analysis, redirects=keys_of_aliases
    )
    sentences = [
        BookSentence(t, p, tuple(m._replace(key=full[m.key]) for m in ms if m.key in full))
        for t, p, ms in raw
    ]
    forms: dict[str, Counter[str]] = defaultdict(Counter)
    paragraphs_of: dict[str, list[int]] = defaultdict(list)
    for sentence in sentences:
        for mention in sentence.mentions:
            forms[mention.key][mention.surface] += 1
        for key in sentence.keys:
            paragraphs_of[key].append(sentence.paragraph)
    names = {}
    for key in sorted(forms):
        own = paragraphs_of[key]
        names[key] = Name(
            key, kinds.get(key, "other"), len(own), tuple(forms[key].most_common()), frozenset(own)
        )
    return ExamBook(
        language, sentences, names, _chapters(places), _holders(sentences, names, language)
    )


def _holders(
    sentences: Sequence[BookSentence], names: Mapping[str, Name], language: Language
) -> dict[str, set[int]]:
    """Maps each name's key to the indices of paragraphs with it, also inside longer names (dates
    only as mentions)."""
    forms = ahocorasick.Automaton()
    for key, name in names.items():
        for form, _ in name.forms if name.kind != "year" else ():
            if len(form) > 1:
                forms.add_word(form, (len(form), key))
    holders = {key: set(name.paragraphs) for key, name in names.items()}
    forms.make_automaton()
    for sentence in sentences if forms else ():
        for last, (length, key) in forms.iter(sentence.text):
            # A name inside a word is not the name, where words are parted by blanks.
            if not language.uses_spaces or is_whole(sentence.text, last + 1 - length, last + 1):
                holders[key].add(sentence.paragraph)
    return holders


def _chapters(places: Sequence[tuple[str, str]]) -> list[tuple[int, int]]:
    """For each paragraph the (first, last) paragraph of its chapter, within its file; `places` are
    (file, section title). A chapter begins at each repetition of the file's first title (at least
    `_OPENINGS`); else it is the 100 paragraphs on either side."""
    chapters: list[tuple[int, int]] = []
    for _, of_file in groupby(range(len(places)), key=lambda number: places[number][0]):
        paragraphs = list(of_file)
        first, last, openings = paragraphs[0], paragraphs[-1], list[int]()
        for place, of_section in groupby(paragraphs, key=places.__getitem__):
            # A book in one file has no chapters but the title that opens each.
            openings += [next(of_section)] if place == places[first] else []
        if places[first][1] and len(openings) >= _OPENINGS:
            for start, end in pairwise([*openings, last + 1]):
                chapters += [(start, end - 1)] * (end - start)
        else:
            chapters += [
                (max(first, n - NEAR_PARAGRAPHS), min(last, n + NEAR_PARAGRAPHS))
                for n in paragraphs
            ]
    return chapters


_WORDS = re.compile(r"[a-z]+")
_JOINED = re.compile(r"\b(?:and|or|nor|with|&)\b|[/]|^\s*,?\s*$")
_PLAIN_DATE = re.compile(r"(紀元前|前)?(\d{1,4})\s?(?:年代?|世紀)")


@dataclass(frozen=True, kw_only=True)
class ExamLanguage:
    """A language in which pseudo-exams are made.

    `marks` are printed before choices, `gaps` in gaps, `dash` between a reference and its answer;
    `asks` maps (shape, T or F) to the instruction, `fill` is the
    instruction of term questions. `lengths` are the least and greatest number of characters of a
    statement, `term_lengths` of a term question. `opposites` names the word list of pairs that
    reverse a statement. `gives_roles(between)`: whether the text between two names gives them
    different roles rather than listing them. `is_plain_date(surface, years, width)`: whether a date
    that spans these years, `width` years apart, is written with them (昭和20年 is not).
    """

    marks: tuple[str, ...]
    gaps: tuple[str, str]
    dash: str
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
        asks={
            ("statements", "T"): "From {first}-{last} below, choose the one correct sentence.",
            (
                "statements",
                "F",
            ): "From {first}-{last} below, choose the one sentence that contains a mistake.",
            (
                "gap",
                "T",
            ): "From {first}-{last} below, choose what should be inserted into the gap {gaps} in the text.",
        },
        fill="Write the name that belongs in the gap.",
        lengths=(40, 300),
        term_lengths=(50, 300),
        opposites="opposites-en.txt",
        gives_roles=lambda between: (
            len(_WORDS.findall(between)) >= 2 and not _JOINED.search(between)
        ),
        is_plain_date=lambda surface, years, width: True,
    ),
    JAPANESE: ExamLanguage(
        marks=tuple("①②③④⑤⑥⑦⑧"),
        gaps=("ア", "イ"),
        dash="―",
        asks={
            ("statements", "T"): "次の{first}～{last}のうちから,正しい文を一つ選べ。",
            ("statements", "F"): "次の{first}～{last}のうちから,誤りを含む文を一つ選べ。",
            (
                "gap",
                "T",
            ): "文中の空欄{gaps}に入れる語として正しいものを,次の{first}～{last}のうちから一つ選べ。",
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
