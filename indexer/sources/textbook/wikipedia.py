"""Wikipedia as passages: MediaWiki's XML dumps, plain or packed, and what WikiExtractor makes of
them."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from indexer.analysis.text import read_word_list
from indexer.files.encoding import numbered_lines, open_bytes, open_lines
from indexer.files.errors import bad_input
from indexer.files.xml import line_of, syntax_fault, xml_pieces
from indexer.ingest_report import IngestReport, leave_out
from indexer.languages.language import Language
from indexer.sources.textbook.schema import EXTRACTED, Redirect, SourcePassage

if TYPE_CHECKING:
    from lxml import etree

_WORDS: dict[str, tuple[str, ...]] = {}  # the names of a kind, in lower case
for _line in read_word_list(__package__, "pages.txt"):
    _kind, _name = _line.split("\t")
    _WORDS[_kind] = (*_WORDS.get(_kind, ()), _name)
# the visible text of templates by their names, with `{1}` for the first argument; `lang-*` is any
# language
_TEMPLATES = dict(line.split("\t", 1) for line in read_word_list(__package__, "templates.tsv"))
# the beginning of a redirect page's text: `#REDIRECT [[Target#Section]]`
_REDIRECT = re.compile(
    rf"\s*#\s*(?:{'|'.join(map(re.escape, _WORDS['redirect']))})\s*:?\s*\[\[([^\]|\n]+)",
    re.IGNORECASE,
)


# Wiki markup out of a page's text, in passes whose work is linear in the text, whatever its
# content.

_DEEPEST = 64  # templates and links inside each other; deeper ones become text
_TAG = re.compile(
    r"<!--.*?(?:-->|\Z)|<(?P<ends>/?)(?P<tag>[A-Za-z][A-Za-z0-9]*+)(?P<rest>(?:[\s/][^<>]*+)?)>",
    re.DOTALL,
)
# Elements that are left out with all that they hold, and what they are counted as.
_LEFT_OUT = {
    **dict.fromkeys(("ref", "references"), "references"),
    **dict.fromkeys(("math", "chem", "ce", "hiero", "score"), "formulas"),
    **dict.fromkeys(
        ("gallery", "imagemap", "timeline", "graph", "mapframe", "maplink"), "pictures"
    ),
    **dict.fromkeys(("syntaxhighlight", "source", "templatestyles", "style", "script"), "programs"),
    **dict.fromkeys(
        ("includeonly", "inputbox", "categorytree", "templatedata", "section"), "other elements"
    ),
}
_LITERAL = frozenset(("nowiki", "pre"))
# Tags that part text; others join it.
_PLACES = {
    **dict.fromkeys("p div blockquote li ul ol dl dd dt center poem hr".split(), "\n\n"),
    "br": "\n",
}
# The other tags of MediaWiki and of its extensions that are none of text; words in angle brackets
# that are no tags are shown as they are.
_UNSEEN = frozenset(
    "abbr b bdi bdo big caption cite code data del dfn em font h1 h2 h3 h4 h5 h6 i img indicator "
    "ins kbd link mark meta noinclude onlyinclude q rb rp rt rtc ruby s samp small span strike "
    "strong sub sup tbody td tfoot th thead time tr translate tt tvar u var wbr".split()
)
# Templates, links and addresses that hold no other, then those that hold a mark that never ends.
# Only sets of characters are repeated possessively: Python 3.11.2 loses matches where a group
# inside of a named one is.
_INNERMOST = re.compile(
    r"\{\{(?P<template>[^{}\[\]]*+(?:(?:\{(?!\{)|\}(?!\})|\[(?!\[)|\](?!\]))[^{}\[\]]*+)*)\}\}"
    r"|\[\[(?P<link>[^{}\[\]]*+(?:(?:\{(?!\{)|\}(?!\}))[^{}\[\]]*+)*)\]\]"
    r"|\[(?:https?:|ftp:)?//(?P<address>[^\[\]\n]*+)\]"
)
_BROKEN = re.compile(
    r"\{\{(?P<template>[^{}]*+(?:(?:\{(?!\{)|\}(?!\}))[^{}]*+)*)\}\}"
    r"|\[\[(?P<link>[^\[\]]*+(?:(?:\[(?!\[)|\](?!\]))[^\[\]]*+)*)\]\]"
)
_NO_END = "marks that do not end"
_SHOWN = 200  # characters of what is left out
_NEVER_ENDS = re.compile(r"\{\{|\[\[|\[(?=(?:https?:|ftp:)?//)")


LeftOut = list[tuple[str, str]]
"""What is left out of a page: (reason, text) of each piece."""


def plain_text(markup: str, left_out: LeftOut) -> tuple[str, frozenset[str]]:
    """A page's text without tags and comments, with the visible text of templates and links in
    their places, its lines unchanged; and the names of its templates in lower case. Adds what
    is left out to `left_out`.

    A mark that is never closed, or has over 64 inside each other, is dropped, and what follows it
    is text; a "}}" left over is dropped uncounted.
    """
    templates: set[str] = set()

    def replace(match: re.Match[str]) -> str:
        if match.lastgroup == "template":
            return _template(match["template"], templates, left_out)
        # The label of a link to another site; nothing for a bare number.
        return (
            _link(match["link"], left_out)
            if match.lastgroup == "link"
            else match["address"].partition(" ")[2]
        )

    text = _without_elements(markup, left_out)
    for _ in range(_DEEPEST):
        text, count = _INNERMOST.subn(replace, text)
        if not count:
            text, count = _BROKEN.subn(replace, text)
        if not count:
            break
    for mark in _NEVER_ENDS.finditer(text):
        left_out.append((_NO_END, text[mark.start() : mark.start() + _SHOWN]))
    text = _NEVER_ENDS.sub("", text)
    return text.replace("}}", ""), frozenset(templates)


def _without_elements(text: str, left_out: LeftOut) -> str:
    """The text without comments and the tags of HTML and MediaWiki, and without what the elements
    of `_LEFT_OUT` hold, of which 200 characters are added to `left_out`; tables of HTML get
    MediaWiki's marks, marks inside of `_LITERAL` become character references."""
    parts, position, never_closed = [], 0, set[str]()
    while token := _TAG.search(text, position):
        parts.append(text[position : token.start()])
        position, name = token.end(), (token["tag"] or "").lower()
        opens = not token["ends"] and not (token["rest"] or "").endswith("/")
        if name == "table":
            parts.append("\n{|\n" if opens else "\n|}\n")
        elif name in _LEFT_OUT or name in _LITERAL:
            end = None
            # the end of an element that has none any more is not looked for again: the work would
            # be quadratic
            if opens and name not in never_closed:
                end = re.compile(rf"</{name}\s*>", re.IGNORECASE).search(text, position)
                never_closed |= set() if end else {name}
            if name in _LITERAL and end:  # its marks are not markup
                literal = text[position : end.start()]
                parts.append(re.sub(r"[^\w\s]", lambda mark: f"&#{ord(mark[0])};", literal))
            elif name in _LEFT_OUT:
                inside = text[position : end.start() if end else position]
                left_out += [] if token["ends"] else [(_LEFT_OUT[name], inside[:_SHOWN])]
            position = end.end() if end else position
        elif name in _PLACES:
            parts.append(_PLACES[name])
        elif name and name not in _UNSEEN:
            parts.append(token[0])
    return "".join([*parts, text[position:]])


def _template(inside: str, templates: set[str], left_out: LeftOut) -> str:
    """Visible text of what a template's braces hold, whose name is added in lower case to
    `templates` (not that of a function, with a colon, of which `formatnum` alone shows its value);
    "" for one that templates.tsv does not have and for other functions, which are added to
    `left_out`."""
    parts = inside.split("|")
    name, colon, value = parts[0].strip().replace("_", " ").partition(":")
    if colon and name.lower() == "formatnum":
        return value.strip()
    name = name.lower()
    shown = None
    if not colon:
        templates.add(name)
        shown = _TEMPLATES.get(
            "lang-*" if name.startswith("lang-") and name not in _TEMPLATES else name
        )
    if shown is None:
        kind = "boxes" if not colon and name.startswith(_WORDS["box"]) else "templates"
        left_out.append((kind, inside[:_SHOWN]))
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
    arguments |= {number - last - 1: value for number, value in arguments.items()}  # counted back
    return re.sub(r"\{(-?\d)\}", lambda match: arguments.get(int(match[1]), ""), shown)


def _link(inside: str, left_out: LeftOut) -> str:
    """Visible text of what a link's brackets hold; "" for pictures, categories and bare links to
    other wikis, which are added to `left_out`."""
    target, _, label = inside.partition("|")
    prefix, colon, rest = target.strip().partition(":")
    name = prefix.strip().lower()
    if not colon or not name:
        return label or rest or target.strip()
    if name in _WORDS["picture"]:
        kind = "pictures"
    elif name in _WORDS["category"]:
        kind = "categories"
    elif not label and re.fullmatch(r"[a-z]{2,3}(?:-[a-z]+)*", prefix):
        kind = "links to other wikis"
    else:
        return label or target.strip()
    left_out.append((kind, inside[:_SHOWN]))
    return ""


# A page of a wiki as passages: its paragraphs and list items under their headings, or why it has
# none.

DISAMBIGUATION = "disambiguation pages"
WITHOUT_TEXT = "pages without text"

_LIST = re.compile(r"[*#:;]+\s*")
_SWITCH = re.compile(r"__[^\W\d_]{3,20}__")
_EMPTY_BRACKETS = re.compile(r"\s?[(（][\s,;:、，；：]*+[)）]")
_AT_A_BRACKET = re.compile(
    r"(?<=[(（])[\s,;:、，；：]++|(?<![\s,;:、，；：])[\s,;:、，；：]++(?=[)）])"
)
_VARIANTS = re.compile(r"-\{(?:[HTD-]\|[^{}]*+|(?:[\w;-]*+\|)?(?:[\w-]+:)?([^{};]*+)[^{}]*+)\}-")
"""A word in several Chinese scripts, which is shown in the first one, or a rule that shows
nothing."""


def section_title(page: str, headings: Sequence[str], language: Language) -> str:
    """Title of a passage: the page's title and the headings above it, `Mughal Empire: Decline`; a
    wide colon in a language without blanks."""
    return (": " if language.uses_spaces else "：").join((page, *headings))


def read_page(
    title: str, text: str, language: Language
) -> tuple[Sequence[tuple[str, str]], str, LeftOut]:
    """Passages of a page's wiki text: ((section title, paragraph) pairs in order, kind, what is
    left out). `kind` says why a page does not have any (disambiguation, of which nothing counts as
    left out; no text), else "". Left out are sections of notes and links, with those inside of
    them. Headings are titles only; paragraphs without a letter or digit are dropped."""
    left_out: LeftOut = []
    plain, templates = plain_text(text, left_out)
    is_list = title.lower().endswith(_WORDS["title"])
    if is_list or "__DISAMBIG__" in text or not templates.isdisjoint(_WORDS["disambiguation"]):
        return (), DISAMBIGUATION, []
    passages: list[tuple[str, str]] = []
    above: list[tuple[int, str]] = []  # the headings above, with their levels
    under, closed_at = title, 0  # the level of the section of notes and links, which holds no text
    for level, paragraph in _blocks(plain, language, left_out):
        # without bold, italics, switches, empty brackets; entities as characters, white space
        # folded
        cleaned = _VARIANTS.sub(r"\1", _SWITCH.sub("", re.sub(r"''+", "", paragraph)))
        cleaned = " ".join(html.unescape(cleaned).replace("\u00ad", "").split())
        if "(" in cleaned or "（" in cleaned:
            cleaned = _AT_A_BRACKET.sub("", _EMPTY_BRACKETS.sub("", cleaned))
        if level:
            above = [*(heading for heading in above if heading[0] < level), (level, cleaned)]
            if closed_at >= level:
                closed_at = 0
            if not closed_at and cleaned.lower() in _WORDS["section"]:
                closed_at = level
                left_out.append(("sections of notes and links", cleaned))
            under = section_title(title, [name for _, name in above if name], language)
        elif not closed_at and any(map(str.isalnum, cleaned)):
            passages.append((under, cleaned))
    return passages, "" if passages else WITHOUT_TEXT, left_out


def _blocks(text: str, language: Language, left_out: LeftOut) -> Iterator[tuple[int, str]]:
    """Yields (level, text): headings 1–6, paragraphs (lines joined) and list items 0; tables are
    left out, added to `left_out`."""
    rows = [*map(str.strip, text.split("\n")), ""]  # the blank one ends the last paragraph
    opened, tables = list[int](), list[tuple[int, int]]()
    for row, line in enumerate(rows):
        if line.lstrip(":").startswith("{|"):
            opened.append(row)
        elif line.startswith("|}") and opened:
            tables.append((opened.pop(), row))
    left_out += [("tables", " ".join(rows[begin : end + 1])[:_SHOWN]) for begin, end in tables]
    left_out += [(_NO_END, rows[begin]) for begin in opened]
    first = len(rows)
    for begin, end in reversed(tables):
        if begin < first:  # not inside of another
            rows[begin : end + 1] = [*[""] * (end - begin), rows[end][2:].strip()]
            first = begin
    lines: list[str] = []
    for line in rows:
        # the level of a heading, 1 to 6; 0 for any other line, also one of = alone
        before, behind = (len(line) - len(rest) for rest in (line.lstrip("="), line.rstrip("=")))
        level = 0 if before == len(line) else min(before, behind, 6)
        item = _LIST.match(line)
        if (not line or level or item or line.startswith(("|", "{|", "----"))) and lines:
            yield 0, language.joiner.join(lines)
            lines = []
        if level:
            yield level, line[level:-level]
        elif item:
            yield 0, line[item.end() :]
        elif line.startswith("|"):  # of a table that never ends
            left_out.append(("rows of tables", line))
        elif line and not line.startswith(("{|", "----")):
            lines.append(line)


# MediaWiki's XML dumps, plain or packed, page by page: whatever their size, one page is held in
# memory.


def dump_pages(path: str) -> Iterator[tuple[etree._Element, str]]:
    """Yields the `<page>` of each page of a dump in order, which is emptied after use, and the name
    of its namespace, "" for articles.

    Raises UserError with file and line: a dump that is truncated or not XML, one with a document
    type (dumps have none, and it could define entities).
    """
    from lxml import etree

    namespaces = {"0": ""}  # of articles
    with open_bytes(path) as file:
        try:
            for element in xml_pieces(file, ("{*}namespaces", "{*}page")):
                if element.getroottree().docinfo.internalDTD is not None:
                    raise bad_input(
                        path,
                        1,
                        "a document type in a dump",
                        "expected <mediawiki> without <!DOCTYPE>",
                    )
                if str(element.tag).endswith("namespaces"):
                    namespaces.update(
                        (namespace.get("key", ""), namespace.text or "") for namespace in element
                    )
                else:
                    key = (element.findtext("{*}ns") or "").strip() or "0"
                    yield element, namespaces.get(key, f"namespace {key}")
        except etree.XMLSyntaxError as error:
            raise syntax_fault(path, error) from None


# WikiExtractor's output: `<doc id="" url="" title="">`, a page's text and `</doc>`, or a JSON
# object a line.

_ATTRIBUTE = re.compile(r'\b(id|title)="(.*?)"(?=\s+[a-z]+="|\s*>\s*$)')
_END = re.compile(r"\s*</doc>\s*$", re.IGNORECASE)
_EXPECTED = (
    'expected <doc id="…" url="…" title="…">, the lines of a page and </doc>, '
    "as WikiExtractor writes them"
)
_HEADING = 80  # characters: a longer line is a paragraph
_SENTENCE_END = re.compile(r"[.!?。！？:：;；][\"'”’」』)）]*$")
_HEADING_WORDS = 6  # a bare line of more words is a sentence


# The articles of Wikipedia as passages, and the titles that only lead to them; what is neither is
# passed over.


def dump_passages(
    path: str, language: Language, tally: IngestReport
) -> Iterator[SourcePassage | Redirect]:
    """Yields the passages of a dump's articles, by the last revision of each, and its redirects;
    every page is counted as a record in the tally.

    Pages that are not articles (other namespaces, disambiguation, no text, another markup) and
    redirects to sections, which are parts of an article and not names of it, are skipped and
    counted by kind. Raises UserError with file and line: those of `dump_pages`, a page without a
    title.
    """
    for page, namespace in dump_pages(path):
        tally.read += 1
        title, page_id = ((page.findtext(f"{{*}}{name}") or "").strip() for name in ("title", "id"))
        if not title:
            raise bad_input(
                path, line_of(page), "a <page> without a <title>", "expected a MediaWiki dump"
            )
        last = [page, *page.findall("{*}revision")][-1]
        model, text = (
            (last.findtext("{*}model") or "wikitext").strip(),
            last.findtext("{*}text") or "",
        )
        # the title, and the section behind `#`, that a page leads to
        written, marked = _REDIRECT.match(text), page.find("{*}redirect")
        redirect = ""
        if written:
            redirect = written[1].replace("_", " ").strip()
        elif marked is not None:
            redirect = marked.get("title", "")
        passages: Sequence[tuple[str, str]] = ()
        kind, left_out = "", LeftOut()
        if namespace:
            kind = f"{namespace} pages"
        elif redirect:
            kind = "redirects to sections" if "#" in redirect else ""
        elif model != "wikitext":
            kind = f"pages in {model}"
        else:
            passages, kind, left_out = read_page(title, text, language)
        for reason, piece in left_out:
            leave_out(tally.pieces, reason, piece)
        if kind:
            tally.reject(path, line_of(page) or 0, kind, title, fault=False)
        elif redirect:
            yield Redirect(title, redirect)
        for under, paragraph in passages:
            yield SourcePassage(paragraph, under, page_id)


def extracted_passages(
    path: str, language: Language, tally: IngestReport
) -> Iterator[SourcePassage]:
    """Yields the passages of a file of `<doc …>` documents; each document is a record.

    Raises UserError with file and line: text outside of documents, one that does not end before the
    next or before the end of the file, one without a title, a line that cannot be read.
    """
    opened: tuple[int, str, str] | None = None  # line, id and title of the document
    lines: list[str] = []
    for number, text in numbered_lines(open_lines(path), path, _EXPECTED):
        begins = EXTRACTED.match(text) is not None
        attributes = dict(_ATTRIBUTE.findall(text)) if begins else {}
        title = html.unescape(attributes.get("title", "")).strip()
        if begins and not opened and title:
            opened, lines = (number, attributes.get("id", ""), title), []
        elif begins or (not opened and text.strip()):
            what = "a <doc> without a title, or inside another, or text outside of one"
            raise bad_input(path, number, what, _EXPECTED)
        elif opened and _END.match(text):
            tally.read += 1
            yield from page_passages(*opened, lines, path, language, tally)
            opened = None
        elif opened:
            lines.append(html.unescape(text))
    if opened:
        raise bad_input(path, opened[0], "no </doc> before the end of the file", _EXPECTED)


def page_passages(
    number: int,
    page_id: str,
    title: str,
    lines: Sequence[str],
    path: str,
    language: Language,
    tally: IngestReport,
) -> Iterator[SourcePassage]:
    """Yields the passages of one page that WikiExtractor wrote, which begins in line `number`; a
    page without text or for disambiguation gives none and is counted as skipped.

    The title above the text is left out. A heading is a passage too, as in plain text, and the
    title of itself and those that follow: a line of at most 80 characters that does not end like a
    sentence (a full stop behind at most six words is not such an end), neither the first nor the
    last of the page, no list item.
    """
    texts = [" ".join(line.split()) for line in lines if line.strip()]
    texts = texts[1:] if texts[:1] == [title] else texts
    is_list = title.lower().endswith(_WORDS["title"]) or (
        texts and texts[0].lower().endswith(_WORDS["refers"])
    )
    if is_list or not texts:
        tally.reject(path, number, DISAMBIGUATION if is_list else WITHOUT_TEXT, title, fault=False)
        return
    under = title
    for position, line in enumerate(texts, 1):
        # WikiExtractor ends headings with a full stop where nothing else does; neither the first
        # line of a page, its definition, nor the last, which names nothing, is one
        bare = line.removesuffix(".")
        is_short = len(line) <= _HEADING and not line.startswith(("-", "*", "•"))
        is_title = bare == line or (len(bare.split()) <= _HEADING_WORDS and ". " not in bare)
        if 1 < position < len(texts) and is_short and is_title and not _SENTENCE_END.search(bare):
            under = section_title(title, [line.rstrip(".")], language)
        yield SourcePassage(line, under, page_id)
