"""Words that identify pages and templates of Wikipedia, from the lists that come with the program."""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import NamedTuple

from indexer.files.lists import read_word_list
from indexer.languages.language import Language

# Words that identify pages and templates of Wikipedia, from the lists that come with the program.

_PACKAGE = "indexer.sources.textbook"


@cache
def words(kind: str) -> tuple[str, ...]:
    """The names of a kind (`pages.txt`), in lower case."""
    pairs = (line.split("\t") for line in read_word_list(_PACKAGE, "pages.txt"))
    return tuple(name for told, name in pairs if told == kind)


@cache
def _templates() -> dict[str, str]:
    pairs = (line.partition("\t") for line in read_word_list(_PACKAGE, "templates.tsv"))
    return {name: shown for name, _, shown in pairs}


def template_text(template: str) -> str | None:
    """Visible text of a template, with `{1}` for its first argument; None where the template is not known."""
    shown = _templates().get(template)
    if shown is None and template.startswith("lang-"):
        return _templates()["lang-*"]
    return shown


@cache
def redirect_line() -> re.Pattern[str]:
    """Pattern of the beginning of a redirect page's text: `#REDIRECT [[Target#Section]]`."""
    return re.compile(
        rf"\s*#\s*(?:{'|'.join(map(re.escape, words('redirect')))})\s*:?\s*\[\[([^\]|\n]+)", re.IGNORECASE
    )


# Wiki markup out of a page's text, in one pass whose work is linear in the text, whatever its content.

DEEPEST = 64
"""Marks open at once: deeper ones are passed over, so that no text is copied more often than that."""

_TOKEN = re.compile(
    r"<!--(?:.*?-->|.*)"
    r"|<(?P<ends>/?)(?P<tag>[A-Za-z][A-Za-z0-9]*+)(?P<rest>[^<>]*+)>"
    r"|(?P<opens>\{\{+)|(?P<closes>\}\}+)"
    r"|(?P<link>\[\[)|(?P<linked>\]\])"
    r"|(?P<address>\[)(?=(?:https?:|ftp:)?//)|(?P<addressed>\])"
    r"|^[ \t:]*+(?P<table>\{\|)|^[ \t]*+(?P<tabled>\|\})(?!\}(?!\}))"
    r"|(?P<bar>\|)",
    re.DOTALL | re.MULTILINE,
)
# Elements that are left out with all that they hold, and what they are counted as.
_LEFT_OUT = {
    **dict.fromkeys(("ref", "references"), "references"),
    **dict.fromkeys(("math", "chem", "ce", "hiero", "score"), "formulas"),
    **dict.fromkeys(("gallery", "imagemap", "timeline", "graph", "mapframe", "maplink"), "pictures"),
    **dict.fromkeys(("syntaxhighlight", "source", "templatestyles", "style", "script"), "programs"),
    **dict.fromkeys(
        ("includeonly", "inputbox", "categorytree", "templatedata", "section", "indicator"), "other elements"
    ),
}
_LITERAL = frozenset(("nowiki", "pre"))
_APART = frozenset(("p", "div", "blockquote", "li", "ul", "ol", "dl", "dd", "dt", "center", "poem", "hr", "br"))
_WITHIN = frozenset(
    "b i u s em strong small big sub sup span font cite code var kbd samp tt abbr dfn q ins del strike h1 h2 h3 h4 h5 "
    "h6 ruby rb rt rp rtc bdi bdo mark time data wbr noinclude onlyinclude tr td th caption thead tbody nobr".split()
)
_PLACE = re.compile(r"\{(-?\d)\}")
_LANGUAGE = re.compile(r"[a-z]{2,3}(?:-[a-z]+)*\Z")


class Plain(NamedTuple):
    """A page's text without inline markup, its lines as they were; the templates used on it; what was left out."""

    text: str
    templates: frozenset[str]
    left_out: Counter[str]


class _OpenMark:
    """A mark that was opened: its kind, and the text since then in the parts between bars."""

    __slots__ = ("kind", "parts")

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.parts: list[list[str]] = [[]]


def plain(text: str, title: str = "") -> Plain:
    """A page's text without its markup; `title` replaces a page's name for itself.

    A mark that is never closed is dropped, and what follows it is text.
    """
    return _MarkupReader(text, title).read()


class _MarkupReader:
    """Reads one page from its beginning to its end."""

    def __init__(self, text: str, title: str) -> None:
        self._text = text
        self._title = title
        self._open = [_OpenMark("page")]
        self._templates: set[str] = set()
        self._left_out: Counter[str] = Counter()
        self._never_closed: set[str] = set()
        self._ended: dict[str, Callable[[list[str]], str]] = {
            "template": self._template,
            "link": self._link,
            "address": _address,
            "table": lambda parts: self._drop("tables"),
        }

    def read(self) -> Plain:
        """Reads the whole text, token by token, and returns it without markup."""
        place = 0
        while token := _TOKEN.search(self._text, place):
            self._add(self._text[place : token.start()])
            # Handle the token, and set where reading continues.
            kind = token.lastgroup or "comment"
            if kind == "rest":
                # An element of HTML or of MediaWiki.
                name = token["tag"].lower()
                single = token["rest"].endswith("/")
                if name in _LEFT_OUT or name in _LITERAL:
                    end = None if token["ends"] or single else self._end_of(name, token.end())
                    if name in _LEFT_OUT:
                        self._left_out[_LEFT_OUT[name]] += not token["ends"]
                    elif end:
                        self._add(self._text[token.end() : end.start()])
                    place = end.end() if end else token.end()
                else:
                    if name == "table":
                        if token["ends"]:
                            self._end("table", "")
                        elif not single:
                            self._start("table")
                    elif name in _APART:
                        self._add("\n" if name == "br" else "\n\n")
                    elif name not in _WITHIN:
                        self._add(token[0])
                    place = token.end()
            elif kind == "linked" and self._open[-1].kind == "address":
                self._end("address", "]")
                place = token.start() + 1
            else:
                times = min(len(token[0]) // 2, DEEPEST) if kind in ("opens", "closes") else 1
                for _ in range(times):
                    if kind in _STARTS:
                        self._start(_STARTS[kind])
                    elif kind in _ENDS:
                        self._end(_ENDS[kind], token[0])
                if kind == "bar":
                    if self._open[-1].kind in ("template", "link"):
                        self._open[-1].parts.append([])
                    else:
                        self._add("|")
                place = token.end()
        self._add(self._text[place:])
        while len(self._open) > 1:
            self._give_up()
        return Plain("".join(self._open[0].parts[0]), frozenset(self._templates), self._left_out)

    def _add(self, text: str) -> None:
        """Appends text to the innermost open mark."""
        if text:
            self._open[-1].parts[-1].append(text)

    def _start(self, kind: str) -> None:
        """Opens a mark of a kind, unless marks are nested too deeply."""
        if len(self._open) <= DEEPEST:
            self._open.append(_OpenMark(kind))

    def _end(self, kind: str, mark: str) -> None:
        """The end of the nearest mark of a kind; those within it were never closed. Without one, it is text."""
        depth = self._depth_of(kind)
        if not depth:
            self._add("" if kind == "template" else mark)
            return
        while len(self._open) - 1 > depth:
            self._give_up()
        ended = self._open.pop()
        self._add(self._ended[kind](["".join(part) for part in ended.parts]))

    def _depth_of(self, kind: str) -> int:
        """Depth of the nearest open mark of a kind; 0 without one.

        A mark that ends inside of a template or (unless it is a template) of a table did not begin before it.
        """
        for depth in range(len(self._open) - 1, 0, -1):
            standing = self._open[depth].kind
            if standing == kind:
                return depth
            if standing == "template" or (standing == "table" and kind != "template"):
                return 0
        return 0

    def _give_up(self) -> None:
        """Drops the innermost open mark, which turned out not to be one: the text after it belongs to the mark around
        it."""
        ended = self._open.pop()
        self._left_out["marks that do not end"] += 1
        held = self._open[-1].parts[-1]
        for number, part in enumerate(ended.parts):
            if number:
                held.append("|")
            held += part

    def _end_of(self, name: str, place: int) -> re.Match[str] | None:
        """The closing tag; a name that has none any more is not looked for again."""
        if name in self._never_closed:
            return None
        found = re.compile(rf"</{name}\s*>", re.IGNORECASE).search(self._text, place)
        if not found:
            self._never_closed.add(name)
        return found

    def _template(self, parts: list[str]) -> str:
        """Visible text of a template with these parts; "" for one that is not known."""
        name, colon, value = parts[0].strip().replace("_", " ").partition(":")
        if colon:
            return value.strip() if name.lower() == "formatnum" else self._drop("templates")
        if name in ("PAGENAME", "FULLPAGENAME", "PAGENAMEBASE"):
            return self._title
        name = name.lower()
        self._templates.add(name)
        shown = template_text(name)
        if shown is None:
            return self._drop("boxes" if name.startswith(words("box")) else "templates")
        given = _arguments(parts[1:])
        return _PLACE.sub(lambda place: _argument(given, int(place[1])), shown)

    def _link(self, parts: list[str]) -> str:
        """Visible text of a link with these parts; "" for pictures, categories and links to other wikis."""
        target, label = parts[0].strip(), "|".join(parts[1:])
        prefix, colon, rest = target.partition(":")
        prefix = prefix.strip().lower()
        if not prefix and colon:
            return label or rest
        if colon and prefix in words("picture"):
            return self._drop("pictures")
        if colon and prefix in words("category"):
            return self._drop("categories")
        if colon and not label and _LANGUAGE.match(target.partition(":")[0]):
            return self._drop("links to other wikis")
        return label or target

    def _drop(self, what: str) -> str:
        """Counts something left out; returns ""."""
        self._left_out[what] += 1
        return ""


_STARTS = {"opens": "template", "link": "link", "address": "address", "table": "table"}
_ENDS = {"closes": "template", "linked": "link", "addressed": "address", "tabled": "table"}


def _address(parts: list[str]) -> str:
    """Label of a link to another site; "" for a bare number."""
    held = "|".join(parts)
    return f"[{held}]" if "\n" in held else held.partition(" ")[2]


def _arguments(parts: list[str]) -> list[str]:
    """A template's arguments without names, and those whose names are numbers, in order."""
    found: dict[int, str] = {}
    number = 0
    for part in parts:
        name, equals, value = part.partition("=")
        if not equals:
            number += 1
            found[number] = part.strip()
        elif name.strip() in ("1", "2", "3"):
            found[int(name)] = value.strip()
    return [found.get(place, "") for place in range(1, max(found, default=0) + 1)]


def _argument(given: list[str], number: int) -> str:
    """A template's argument by number, from 1, or from the end if negative; "" if it is missing."""
    if number < 0:
        return given[number] if len(given) >= -number else ""
    return given[number - 1] if 0 < number <= len(given) else ""


# A page of a wiki as passages: its paragraphs and list items under their headings, or why it has none.

DISAMBIGUATION = "disambiguation pages"
WITHOUT_TEXT = "pages without text"

_LIST = re.compile(r"[*#:;]+\s*")
_SWITCH = re.compile(r"__[^\W\d_]{3,20}__")
_QUOTES = re.compile(r"''+")
_EMPTY_BRACKETS = re.compile(r"\s?[(（][\s,;:、，；：]*+[)）]")
_AT_A_BRACKET = re.compile(r"(?<=[(（])[\s,;:、，；：]++|(?<![\s,;:、，；：])[\s,;:、，；：]++(?=[)）])")
_VARIANTS = re.compile(r"-\{([^{}]*+)\}-")
_WRITTEN_FIRST = ("zh-hans", "zh-cn", "zh", "zh-sg", "zh-hant", "zh-tw", "zh-hk")


class WikiText(NamedTuple):
    """The text of a page: (title, paragraph) in order; or what kind of page without text it is; what was left out."""

    passages: Sequence[tuple[str, str]]
    kind: str
    left_out: Counter[str]


def section_title(page: str, headings: Sequence[str], language: Language) -> str:
    """Title of a passage: the page's title and the headings above it, `Mughal Empire: Decline`."""
    return (": " if language.uses_spaces else "：").join((page, *headings))


def read_page(title: str, text: str, language: Language) -> WikiText:
    """The passages of a page's wiki text."""
    found = plain(text, title)
    named = title.lower().endswith(words("title"))
    if named or "__DISAMBIG__" in text or not found.templates.isdisjoint(words("disambiguation")):
        return WikiText((), DISAMBIGUATION, Counter())
    left_out = found.left_out
    passages = list(_passages(title, found.text, language, left_out))
    return WikiText(passages, "" if passages else WITHOUT_TEXT, left_out)


def _passages(title: str, text: str, language: Language, left_out: Counter[str]) -> Iterator[tuple[str, str]]:
    """Yields (title, paragraph) of a page's text; sections of notes and links are left out."""
    headings = _Headings()
    under = title
    for level, paragraph in _blocks(text, language, left_out):
        cleaned = _clean(paragraph)
        if level:
            headings.add(level, cleaned)
            left_out["sections of notes and links"] += headings.just_closed
            under = section_title(title, headings.names(), language)
        elif not headings.is_closed and any(map(str.isalnum, cleaned)):
            yield under, cleaned


class _Headings:
    """The headings above a place in a page, and whether its section holds no text but notes and links."""

    def __init__(self) -> None:
        self._above: list[tuple[int, str]] = []
        self._closed_at = 0
        self.just_closed = False

    @property
    def is_closed(self) -> bool:
        return self._closed_at > 0

    def add(self, level: int, heading: str) -> None:
        """Enters a heading of a level; sections of notes and links close until the next heading of their level or
        above."""
        self._above = [*((one, name) for one, name in self._above if one < level), (level, heading)]
        if self._closed_at >= level:
            self._closed_at = 0
        self.just_closed = not self._closed_at and heading.lower() in words("section")
        if self.just_closed:
            self._closed_at = level

    def names(self) -> list[str]:
        """The headings above the current paragraph, outermost first."""
        return [name for _, name in self._above if name]


def _blocks(text: str, language: Language, left_out: Counter[str]) -> Iterator[tuple[int, str]]:
    """Headings with their level, and paragraphs and list items with level 0."""
    lines: list[str] = []
    for line in text.split("\n"):
        line = line.strip()
        # The level of a heading, 1 to 6; 0 for any other line.
        if not line.startswith("=") or not line.endswith("="):
            level = 0
        else:
            before, behind = (len(line) - len(rest) for rest in (line.lstrip("="), line.rstrip("=")))
            level = 0 if before == len(line) else min(before, behind, 6)
        item = _LIST.match(line)
        if (not line or level or item or line.startswith(("|", "----"))) and lines:
            yield 0, language.joiner.join(lines)
            lines = []
        if level:
            yield level, line[level:-level]
        elif item:
            yield 0, line[item.end() :]
        elif line.startswith("|"):  # of a table that never ends
            left_out["rows of tables"] += 1
        elif line and not line.startswith("----"):
            lines.append(line)
    if lines:
        yield 0, language.joiner.join(lines)


def _clean(text: str) -> str:
    """A text without quotes for bold and italics, switches and brackets that were left empty; entities written out."""
    text = _VARIANTS.sub(_variant, _SWITCH.sub("", _QUOTES.sub("", text)))
    text = " ".join(html.unescape(text).replace("\u00ad", "").split())
    if "(" in text or "（" in text:
        text = _AT_A_BRACKET.sub("", _EMPTY_BRACKETS.sub("", text))
    return text


def _variant(found: re.Match[str]) -> str:
    """The simplified form of a word that a page gives in several scripts; "" for a rule that shows nothing."""
    flags, bar, body = found[1].rpartition("|")
    if bar and flags.strip() in ("H", "T", "-", "D"):
        return ""
    forms = {}
    for form in body.split(";"):
        name, colon, value = form.partition(":")
        if colon and name.strip() in _WRITTEN_FIRST:
            forms[name.strip()] = value.strip()
    return next((forms[name] for name in _WRITTEN_FIRST if name in forms), body)
