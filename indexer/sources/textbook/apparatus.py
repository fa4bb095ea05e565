"""What a textbook has beside its text: reference lists, objectives, review questions, citations in
brackets; and key terms of a glossary that no colon parts from their definitions."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from indexer.ingest_report import IngestReport, leave_out
from indexer.languages.language import Language
from indexer.sources.textbook.schema import Redirect, SourcePassage

BOOK_SIZE = 50_000_000  # a choice: ten times the longest textbooks
"""Characters of a file up to which it is looked through as a whole first, for the terms of its
glossary and the style of its citations; the longest textbooks have a tenth."""

_REFERENCES = (
    r"(?:(?:chapter )?references(?: cited)?|(?:works|literature) cited|(?:selected )?bibliography"
    r"|参考文献|引用文献)"
)
_READINGS = (
    r"(?:for )?(?:further|suggested|recommended|additional) readings?|参考図書|读书指导|推荐阅读"
)
_LEFT_OUT = (
    _REFERENCES,
    _READINGS,
    r"(?:(?:chapter|learning|section|unit) )?objectives?|learning (?:outcomes?|goals?)|学習目標"
    r"|学习目标",
    r"(?:(?:chapter|section|self[- ]?check) )?(?:review )?questions|self[- ]?check"
    r"|review exercises|(?:critical thinking|discussion|study|personal application) questions"
    r"|questions for (?:review|discussion|study)|復習問題|確認問題|复习题|思考题",
)
_SECTION = re.compile("|".join(f"(?:{pattern})" for pattern in _LEFT_OUT), re.IGNORECASE)
_REFERENCE_LIST = re.compile(_REFERENCES, re.IGNORECASE)
# lists of works may have further headings ("Further Reading: The Civil War")
_WORKS = re.compile(rf"(?:^|: )(?:{_REFERENCES}|{_READINGS}): ", re.IGNORECASE)
_GLOSSARY = re.compile(r"(?:glossary|key terms?(?: and concepts)?)(?:: \w)?", re.IGNORECASE)
_NUMBERING = re.compile(r"^[\d.\s]*")

_YEAR = r"(?:1[5-9]|20)\d\d[a-z]?"
_NAME = r"[A-ZÀ-ÖØ-Þ][\w'’.-]{1,30}"
_PARTICLES = r"(?:(?:van|von|der|de|la|le|du|al|el|ten|ibn) ){0,3}"
_MONTH = (
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December)"
)
# one source: names and a year, perhaps a second year, a day or a page
_SOURCE = (
    rf"(?!{_MONTH}\b){_PARTICLES}(?:[A-ZÀ-ÖØ-Þ][^();\d]{{1,120}}, ?|{_NAME}(?: (?:&|and) {_NAME}"
    rf"| et al\.)? ){_YEAR}(?:[,–-] ?(?:{_YEAR}|p{{1,2}}\. ?[\d–-]+|[A-Z][a-z]+ \d{{1,2}}))*"
)
_AUTHORS = re.compile(
    rf" ?\((?:(?:see|e\.g\.|cf\.|as cited in)(?: also)?,? )?{_SOURCE}(?:; {_SOURCE})*\)"
)
# names that only a citation joins so
_CITES_SURELY = re.compile(rf" & | et al\.?,|{_YEAR}; ")
_NUMBERS = re.compile(r"(?: ?\[[1-9]\d{0,2}(?: ?[,–-] ?[1-9]\d{0,2})*\])+")
_SENTENCE_MARK = frozenset(".,;:!?”’\"')")
_NUMBERED_ENTRY = re.compile(r"\[?\d{1,3}[\].]")

# "Madras, 163", "Madras    163": what an index or a list of pictures has of a page
_PAGE = re.compile(r"(?:, ?|[^\W\d_][)\"”]? {2,80})\d{1,4}(?:[–-]\d{1,4})?(?=[,;. ]|$)")
_PAGES, _WORDS_OF_PAGE = 10, 6  # least pages of a passage of an index, most words for each

_ENDS_SENTENCE = re.compile(r"[a-z]{3}\. +[A-Z]")
_LONGEST_TERM = 6  # words of a key term
_WORD = re.compile(r"\w+")
_FUNCTION_WORDS = frozenset(
    "the a an of in and or by to for with that is are on from at as which used any".split()
)
_DEFINED = re.compile(r".{1,80}?: ")


@dataclass(frozen=True)
class Apparatus:
    """What a whole book shows of its apparatus: whether it has a list of references, whether that
    is numbered, and the words of the key terms, in small letters, that its text uses."""

    has_references: bool = False
    has_numbers: bool = False
    terms: frozenset[str] = frozenset()


def last_heading(title: str) -> str:
    """The innermost heading of a title, behind its last colon and blank ("Mutations: Key terms":
    "Key terms"), without a number before it; "" for a number alone."""
    return _NUMBERING.sub("", title.rpartition(": ")[2]).strip()


def read_apparatus(passages: Sequence[SourcePassage | Redirect], language: Language) -> Apparatus:
    """What the passages of a whole book tell of its apparatus: whether it has lists of references,
    whether more than half of their entries are numbered, and (in a language that parts words by
    blanks) which terms of its glossary lines without a colon its other text uses, in small
    letters."""
    texts = [passage for passage in passages if isinstance(passage, SourcePassage)]
    listed = [
        passage.text for passage in texts if _REFERENCE_LIST.fullmatch(last_heading(passage.title))
    ]
    numbered = sum(bool(_NUMBERED_ENTRY.match(text)) for text in listed)
    lines = [
        passage.text for passage in texts if language.uses_spaces and is_glossary_line(passage)
    ]
    body = (passage.text for passage in texts if not is_in_glossary(passage.title))
    used = terms_used(lines, body) if lines else frozenset[str]()
    return Apparatus(bool(listed), 2 * numbered > len(listed), used)


def terms_used(lines: Iterable[str], texts: Iterable[str]) -> frozenset[str]:
    """Of the `possible_terms` of glossary lines those that occur in texts, also with a plural
    -s, as `term_words` gives them."""
    starts: dict[str, set[str]] = defaultdict(set)  # of possible terms, by their first word
    for line in lines:
        for term in possible_terms(line):
            words = term_words(term)
            starts[words.partition(" ")[0]].add(words)
    used = set[str]()
    for text in texts:
        in_text = [word.casefold() for word in _WORD.findall(text)]
        for position, word in enumerate(in_text):
            for term in starts.get(word, ()):
                length = term.count(" ") + 1
                span = " ".join(in_text[position : position + length])
                if span in (term, f"{term}s"):
                    used.add(term)
        # in the plural the first word of a term of one word differs
        for word in in_text:
            if word.endswith("s") and word[:-1] in starts.get(word[:-1], ()):
                used.add(word[:-1])
    return frozenset(used)


def is_in_glossary(title: str) -> bool:
    """True for a title that is, or whose innermost heading is, `Glossary`, `Key terms` or `Key
    terms and concepts`, in any case, a letter behind it too ("Glossary: Z")."""
    return bool(_GLOSSARY.fullmatch(last_heading(title)) or _GLOSSARY.fullmatch(title))


def is_glossary_line(passage: SourcePassage) -> bool:
    """True for an entry of a glossary that no colon and blank in its first 80 characters part into
    term and definition; not for the title itself."""
    return (
        is_in_glossary(passage.title)
        and passage.text != passage.title
        and not _DEFINED.match(passage.text)
    )


def term_words(term: str) -> str:
    """The words of a term in small letters, with a blank between them, without punctuation and
    without what is in round brackets at its end; "" if nothing else is there."""
    return " ".join(_WORD.findall(re.sub(r" ?\([^)]*\)$", "", term).casefold()))


def possible_terms(line: str) -> Iterator[str]:
    """Yields the beginnings of a glossary line that may be its term, longest first: up to six
    words, not ending in an English function word, a comma or a semicolon, with two or more words
    behind them."""
    words = line.split(" ")
    for length in range(min(_LONGEST_TERM, len(words) - 2), 0, -1):
        last = words[length - 1]
        if last.casefold() not in _FUNCTION_WORDS and not last.endswith((",", ";")):
            yield " ".join(words[:length])


def is_of_index(text: str) -> bool:
    """True for a passage of an index or list with the numbers of pages: at least 10 numbers of up
    to four digits behind a comma or two blanks, of its words one in six or more but no more than
    two thirds, and no end of a sentence inside (three small letters, a period and a capital)."""
    pages, words = len(_PAGE.findall(text)), len(_WORD.findall(text))
    is_even = 1.5 * pages <= words <= _WORDS_OF_PAGE * pages  # more numbers: a table
    return pages >= _PAGES and is_even and not _ENDS_SENTENCE.search(text)


def with_colon(line: str, apparatus: Apparatus) -> str:
    """A glossary line as "term: definition": the term is the longest of its `possible_terms` that
    the text of the book uses (`apparatus.terms`), with a round bracket of at most 20 characters
    behind it; the line unchanged if it has none."""
    terms = (term for term in possible_terms(line) if term_words(term) in apparatus.terms)
    if not (term := next(terms, "")):
        return line
    rest = line[len(term) :].lstrip()
    if bracket := re.match(r"\([^)]{1,20}\)", rest):
        term, rest = f"{term} {bracket.group()}", rest[bracket.end() :].lstrip()
    return f"{term}: {rest}"


def without_citations(text: str, apparatus: Apparatus, pieces: Counter[str]) -> str:
    """A text without citations in brackets and the blank before them, which are counted in
    `pieces`: of author and year where the book has a list of references or only a citation is so
    written (&, et al.), and of numbers ("[12]") behind a mark of punctuation, or anywhere in a book
    whose references are numbered."""

    def author_year(match: re.Match[str]) -> str:
        if not (apparatus.has_references or _CITES_SURELY.search(match.group())):
            return match.group()
        leave_out(pieces, "citations", match.group())
        return ""

    def number(match: re.Match[str]) -> str:
        before = text[: match.start()][-1:]
        if not before or not (apparatus.has_numbers or before in _SENTENCE_MARK):
            return match.group()
        leave_out(pieces, "citations", match.group())
        return ""

    text = _NUMBERS.sub(number, text)
    return _AUTHORS.sub(author_year, text)


def book_text(
    passages: Iterable[SourcePassage | Redirect],
    path: str,
    language: Language,
    tally: IngestReport,
    *,
    has_type: bool,
) -> Iterator[SourcePassage | Redirect | None]:
    """Yields the passages of a book as readers search them: citations removed, a colon behind the
    terms of a glossary unless the book `has_type` that sets them apart, None in the place of a
    passage of a section that is not text (references, objectives, review questions), or in
    a language with blanks of an index (`is_of_index`), which the tally counts as passed over.

    A file of more than 50,000,000 characters is not looked at as a whole: its glossary stays
    unchanged, and citations go as in a book without references.
    """
    rest = iter(passages)
    ahead, size = list[SourcePassage | Redirect](), 0
    for passage in rest:
        ahead.append(passage)
        size += len(passage.text) if isinstance(passage, SourcePassage) else 0
        if size > BOOK_SIZE:
            break
    apparatus = read_apparatus(ahead, language) if size <= BOOK_SIZE else Apparatus()
    for passage in chain(ahead, rest):
        if isinstance(passage, Redirect):
            yield passage
            continue
        heading = last_heading(passage.title)
        if _SECTION.fullmatch(heading) or _WORKS.search(passage.title):
            tally.reject(path, 0, f"passages of {heading.lower()}", passage.text, fault=False)
            yield None
            continue
        text = passage.text
        if language.uses_spaces and is_of_index(text):
            tally.reject(path, 0, "passages of an index", text, fault=False)
            yield None
            continue
        if "[" in text or "(" in text:
            text = without_citations(text, apparatus, tally.pieces)
        text = text.strip()
        if apparatus.terms and not has_type and is_glossary_line(passage):
            parted = with_colon(text, apparatus)
            tally.glossary_terms += parted != text
            text = parted
        # sentences that the file itself splits are kept as they are
        yield passage._replace(text=text)
