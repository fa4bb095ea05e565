"""A page of Wikipedia as passages: its markup taken away, its paragraphs under their headings."""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from indexer.files.lists import read_word_list
from indexer.languages.language import Language

_PACKAGE = "indexer.sources.textbook"


@cache
def words(kind: str) -> tuple[str, ...]:
    """The names of a kind (`pages.txt`), in lower case."""
    pairs = (line.split("\t") for line in read_word_list(_PACKAGE, "pages.txt"))
    return tuple(name for told, name in pairs if told == kind)


@cache
def _templates() -> dict[str, str]:
    """The visible text of templates by their names, with `{1}` for the first argument; `lang-*` is any language."""
    pairs = (line.partition("\t") for line in read_word_list(_PACKAGE, "templates.tsv"))
    return {name: shown for name, _, shown in pairs}


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
    """A page's text without inline markup, its lines unchanged; the names of its templates; counts of what was left
    out, by kind."""

    text: str
    templates: frozenset[str]
    left_out: Counter[str]


def plain(text: str, title: str = "") -> Plain:
    """A page's text without its markup; `title` replaces a page's name for itself.

    A mark that is never closed is dropped, and what follows it is text.
    """
    return _MarkupReader(text, title).read()


class _MarkupReader:
    """Reads one page from its beginning to its end.

    `_open` is the stack of markup that was opened, the page itself at the bottom: each with its kind and the text since
    then, in the parts between vertical bars.
    """

    def __init__(self, text: str, title: str) -> None:
        self._text = text
        self._title = title
        self._open: list[tuple[str, list[list[str]]]] = [("page", [[]])]
        self._templates: set[str] = set()
        self._left_out: Counter[str] = Counter()
        self._never_closed: set[str] = set()

    def read(self) -> Plain:
        """Reads the whole text, token by token; returns it without markup, with its templates and the counts of what
        was left out."""
        place = 0
        while token := _TOKEN.search(self._text, place):
            self._add(self._text[place : token.start()])
            place = token.end()
            kind = token.lastgroup or "comment"
            if kind == "rest":
                place = self._element(token)
            elif kind == "linked" and self._open[-1][0] == "address":
                self._end("address", "]")
                place = token.start() + 1
            elif kind == "bar":
                if self._open[-1][0] in ("template", "link"):
                    self._open[-1][1].append([])
                else:
                    self._add("|")
            else:
                times = min(len(token[0]) // 2, DEEPEST) if kind in ("opens", "closes") else 1
                for _ in range(times):
                    if kind in _STARTS:
                        self._start(_STARTS[kind])
                    elif kind in _ENDS:
                        self._end(_ENDS[kind], token[0])
        self._add(self._text[place:])
        while len(self._open) > 1:
            self._give_up()
        return Plain("".join(self._open[0][1][0]), frozenset(self._templates), self._left_out)

    def _element(self, token: re.Match[str]) -> int:
        """Handles a tag of HTML or MediaWiki and returns the character offset at which reading continues: behind the
        tag, or behind the end of an element that is left out or literal."""
        name, is_end = token["tag"].lower(), bool(token["ends"])
        is_single = token["rest"].endswith("/")
        if name in _LEFT_OUT or name in _LITERAL:
            end = None
            # the end of an element that has none any more is not looked for again: the work would be quadratic
            if not is_end and not is_single and name not in self._never_closed:
                end = re.compile(rf"</{name}\s*>", re.IGNORECASE).search(self._text, token.end())
                if not end:
                    self._never_closed.add(name)
            if name in _LEFT_OUT:
                self._left_out[_LEFT_OUT[name]] += not is_end
            elif end:
                self._add(self._text[token.end() : end.start()])
            return end.end() if end else token.end()
        if name == "table":
            if is_end:
                self._end("table", "")
            elif not is_single:
                self._start("table")
        elif name in _APART:
            self._add("\n" if name == "br" else "\n\n")
        elif name not in _WITHIN:
            self._add(token[0])
        return token.end()

    def _add(self, text: str) -> None:
        """Appends text to the innermost open mark."""
        if text:
            self._open[-1][1][-1].append(text)

    def _start(self, kind: str) -> None:
        """Opens a mark of a kind, unless marks are nested too deeply."""
        if len(self._open) <= DEEPEST:
            self._open.append((kind, [[]]))

    def _end(self, kind: str, mark: str) -> None:
        """Ends the innermost open markup of a kind, with that inside it given up; without one, `mark` is added as text.

        An end mark inside of a template, or (unless it is of a template) of a table, does not end markup that began
        before it.
        """
        depth = len(self._open) - 1
        while depth and self._open[depth][0] != kind:
            around = self._open[depth][0]
            depth = 0 if around == "template" or (around == "table" and kind != "template") else depth - 1
        if not depth:
            self._add("" if kind == "template" else mark)
            return
        while len(self._open) - 1 > depth:
            self._give_up()
        parts = ["".join(part) for part in self._open.pop()[1]]
        if kind == "template":
            self._add(self._template(parts))
        elif kind == "link":
            self._add(self._link(parts))
        elif kind == "table":
            self._left_out["tables"] += 1
        else:  # the label of a link to another site; nothing for a bare number
            held = "|".join(parts)
            self._add(f"[{held}]" if "\n" in held else held.partition(" ")[2])

    def _give_up(self) -> None:
        """Removes the innermost open markup, which never ended; the text after it goes to the markup around it."""
        _, parts = self._open.pop()
        self._left_out["marks that do not end"] += 1
        for number, part in enumerate(parts):
            self._open[-1][1][-1] += ["|", *part] if number else part

    def _template(self, parts: list[str]) -> str:
        """Visible text of a template with these parts (name, arguments); "" for an unknown one, which is counted."""
        name, colon, value = parts[0].strip().replace("_", " ").partition(":")
        if colon and name.lower() == "formatnum":
            return value.strip()
        if not colon and name in ("PAGENAME", "FULLPAGENAME", "PAGENAMEBASE"):
            return self._title
        name = name.lower()
        shown = None
        if not colon:
            self._templates.add(name)
            shown = _templates().get("lang-*" if name.startswith("lang-") and name not in _templates() else name)
        if shown is None:
            self._left_out["boxes" if not colon and name.startswith(words("box")) else "templates"] += 1
            return ""
        # arguments without names, and those whose names are numbers
        arguments: dict[int, str] = {}
        number = 0
        for part in parts[1:]:
            name, equals, value = part.partition("=")
            if not equals:
                number += 1
                arguments[number] = part.strip()
            elif name.strip() in ("1", "2", "3"):
                arguments[int(name)] = value.strip()
        last = max(arguments, default=0)
        counted_back = {place - last - 1: value for place, value in arguments.items()}
        return _PLACE.sub(lambda place: (arguments | counted_back).get(int(place[1]), ""), shown)

    def _link(self, parts: list[str]) -> str:
        """Visible text of a link with these parts (target, label); "" for pictures, categories and links to other
        wikis, which are counted."""
        target, label = parts[0].strip(), "|".join(parts[1:])
        prefix, colon, rest = target.partition(":")
        if not colon:
            return label or target
        is_language = not label and _LANGUAGE.match(prefix)
        prefix = prefix.strip().lower()
        if not prefix:
            return label or rest
        if prefix in words("picture"):
            self._left_out["pictures"] += 1
        elif prefix in words("category"):
            self._left_out["categories"] += 1
        elif is_language:
            self._left_out["links to other wikis"] += 1
        else:
            return label or target
        return ""


_STARTS = {"opens": "template", "link": "link", "address": "address", "table": "table"}
_ENDS = {"closes": "template", "linked": "link", "addressed": "address", "tabled": "table"}


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
    """Text of a page: (title, paragraph) pairs in order; `kind` says why a page has no pairs (disambiguation, no text),
    else ""; counts of what was left out, by kind."""

    passages: Sequence[tuple[str, str]]
    kind: str
    left_out: Counter[str]


def section_title(page: str, headings: Sequence[str], language: Language) -> str:
    """Title of a passage: the page's title and the headings above it, `Mughal Empire: Decline`."""
    return (": " if language.uses_spaces else "：").join((page, *headings))


def read_page(title: str, text: str, language: Language) -> WikiText:
    """Passages of a page's wiki text, each under its section's title; none for a disambiguation page. Sections of notes
    and links are left out."""
    found = plain(text, title)
    named = title.lower().endswith(words("title"))
    if named or "__DISAMBIG__" in text or not found.templates.isdisjoint(words("disambiguation")):
        return WikiText((), DISAMBIGUATION, Counter())
    passages: list[tuple[str, str]] = []
    above: list[tuple[int, str]] = []  # the headings above, with their levels
    under, closed_at = title, 0  # the level of the section of notes and links, which holds no text
    for level, paragraph in _blocks(found.text, language, found.left_out):
        cleaned = _clean(paragraph)
        if level:
            above = [*(heading for heading in above if heading[0] < level), (level, cleaned)]
            if closed_at >= level:
                closed_at = 0
            if not closed_at and cleaned.lower() in words("section"):
                closed_at = level
                found.left_out["sections of notes and links"] += 1
            under = section_title(title, [name for _, name in above if name], language)
        elif not closed_at and any(map(str.isalnum, cleaned)):
            passages.append((under, cleaned))
    return WikiText(passages, "" if passages else WITHOUT_TEXT, found.left_out)


def _blocks(text: str, language: Language, left_out: Counter[str]) -> Iterator[tuple[int, str]]:
    """Yields (level, text): headings with their level 1–6, paragraphs and list items with 0; rows of unfinished tables
    are counted in `left_out`."""
    lines: list[str] = []
    for line in text.split("\n"):
        line = line.strip()
        # the level of a heading, 1 to 6; 0 for any other line
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
    """A text without marks for bold and italics, switches and empty brackets; HTML entities as characters, white space
    folded."""
    text = _VARIANTS.sub(_variant, _SWITCH.sub("", _QUOTES.sub("", text)))
    text = " ".join(html.unescape(text).replace("\u00ad", "").split())
    if "(" in text or "（" in text:
        text = _AT_A_BRACKET.sub("", _EMPTY_BRACKETS.sub("", text))
    return text


def _variant(found: re.Match[str]) -> str:
    """The simplified form of a word given in several Chinese scripts; "" for a conversion rule that displays
    nothing."""
    flags, bar, body = found[1].rpartition("|")
    if bar and flags.strip() in ("H", "T", "-", "D"):
        return ""
    forms = {}
    for form in body.split(";"):
        name, colon, value = form.partition(":")
        if colon and name.strip() in _WRITTEN_FIRST:
            forms[name.strip()] = value.strip()
    return next((forms[name] for name in _WRITTEN_FIRST if name in forms), body)
