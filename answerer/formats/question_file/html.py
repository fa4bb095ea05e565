"""Quizzes on web pages (HTML) as the lines of text that a person sees: numbers and letters of
lists, buttons to choose by, rows of tables, right choices by their marks."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from answerer.formats.question_file.columns import question_of
from answerer.formats.question_file.lines import ANSWER_WORD, Line
from answerer.formats.question_file.marked_lines import (
    PAGE_MARK,
    MarkedLine,
    lines_with_ticks,
    list_numeral,
    row_line,
)
from answerer.formats.question_file.parts import DocumentLines, PlainQuestion, half_width
from indexer.analysis.text import without_ignorable
from indexer.files.encoding import JAPANESE_ENCODINGS
from indexer.ingest_report import leave_out
from indexer.sources.textbook.markup import BLOCKS, NAVIGATION, NO_TEXT, html_root

if TYPE_CHECKING:
    from lxml import etree

_BLOCKS = BLOCKS | frozenset(("fieldset", "label", "menu", "td", "th"))
_LISTS = frozenset(("ol", "ul", "menu"))
# Blocks that nothing before or behind them belongs to: an empty line parts them from it.
_APART = frozenset("article details fieldset h1 h2 h3 h4 h5 h6 header hr section table".split())
_ROLES_APART = frozenset(("heading", "list", "listitem"))
# Buttons to choose by are read, drop-down lists are counted.
_NOT_READ = NO_TEXT - {"input", "select"} | {"head"}
_AROUND_TAGS = frozenset(("nav", "footer", "aside"))
_AROUND_ROLES = frozenset("navigation banner contentinfo complementary search".split())
_UNSEEN_CLASSES = frozenset("accesshide sr-only visually-hidden screen-reader-text".split())
_BUTTONS = frozenset(("radio", "checkbox"))
_RIGHT = re.compile(
    r"(?:is|answer|choice|option|mark(?:ed)?)?[-_]*(?:correct|right)[-_]*"
    r"(?:answer|choice|option|response)?",
    re.IGNORECASE,
)
_RIGHT_DATA = frozenset(("data-correct", "data-is-correct", "data-iscorrect", "data-right"))
_ANSWER_HEADING = re.compile(
    rf"\W*(?:(?:show|see|view|reveal|check|click\s+(?:here\s+)?(?:to\s+see|for))\s+)?(?:the\s+)?"
    rf"{ANSWER_WORD}\W*",
    re.IGNORECASE,
)
# A question, by its end, or a gap in it.
_ASKS = re.compile(r"[?？][^\w?？]*+$|__|\(\s+\)|か。?$")
_LABEL_ALONE = re.compile(r"(?:\[ \]\s*)?[(\[]?\w{1,2}[.)\]:]\s*|\[ \]\s*|•\s")
_BOX_AT_LABEL = re.compile(r"(?P<box>\[ \]\s*)(?=[(\[]?\w{1,2}[.)\]:]\s|[①-⑳])")
_OWN_LABEL = re.compile(r"\s*[(\[]?(?:\w|\d{1,2})[.)\]:]\s*\S")
_FORMS = {
    "1": "decimal",
    "a": "lowerLetter",
    "A": "upperLetter",
    "i": "lowerRoman",
    "I": "upperRoman",
    "lower-alpha": "lowerLetter",
    "lower-latin": "lowerLetter",
    "upper-alpha": "upperLetter",
    "upper-latin": "upperLetter",
    "lower-roman": "lowerRoman",
    "upper-roman": "upperRoman",
    "decimal": "decimal",
    "katakana-iroha": "iroha",
    "katakana": "aiueo",
    "hangul": "ganada",
    "none": "none",
}
# Lists of Google Docs: the class names a list and its level, the style sheet the form of its level.
_DOCS_LIST = re.compile(r"\blst-kix_(?P<name>[\w-]+-(?P<level>\d))\b")
_DOCS_FORM = re.compile(r"counter\(lst-ctn-kix_([\w-]+-\d),\s*([a-z-]+)\)\s*\"?([).]?)")
_DOCS_LEVELS = ("decimal", "lowerLetter", "lowerRoman")  # of a list whose sheet is not saved
_CLASS = re.compile(r"[a-z0-9]*\.([\w-]+)")
_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
# The properties of a style that mark text: what is plain, in lower case without blanks.
_PLAIN_COLOUR = re.compile(r"|inherit|initial|black|windowtext|currentcolor|#0{3,6}|rgb\(0,0,0\)")
_PLAIN_GROUND = re.compile(r"|inherit|initial|none|transparent|white|#f{3,6}|rgb\(255,255,255\)")
_TAG_MARKS = {
    **dict.fromkeys(("b", "strong", "th"), "bold type"),
    **dict.fromkeys(("i", "em"), "italics"),
    **dict.fromkeys(("u", "ins"), "underlining"),
    "mark": "highlighting",
}
_MOST_ABOVE = 5  # lines of a table before its header
_BOX, _ANSWER = "[ ] ", "Answer: "


def html_lines(data: bytes, path: str) -> DocumentLines:
    """The lines of a web page as a person sees them, of its one `<main>` if it has one: items of
    lists with their numbers, letters or `•`, buttons to choose by as `[ ]`, one a line and none
    before a label; cells of a row with tabs between them, or below each other where they have
    several lines. A numbered list inside a numbered one has letters; the bullets of one, and those
    below a question mark, are boxes. A fold headed `Answer` is a line `Answer: …`. A button that is
    pressed is no answer: it may be anybody's.

    Scripts, navigation, page feet, drop-down lists and hidden text are left out, the latter
    counted, but a hidden line of an answer is read. Places are lines of the file. Raises UserError
    for damaged HTML.
    """
    root = html_root(data, JAPANESE_ENCODINGS, path)
    mains = [node for node in root.iter() if node.tag == "main" or node.get("role") == "main"]
    main = mains[0] if len(mains) == 1 else root
    page = _WebPage(_styles_of(root))
    page.read(main)
    lines = page.lines
    return DocumentLines(
        [line.text for line in lines],
        [f"line {line.place}" for line in lines],
        lines_with_ticks(lines),
        page.left_out,
    )


_RADIO = re.compile(rb"\b(?:type|role)\s*=\s*[\"']?radio\b", re.IGNORECASE)


def has_quiz(data: bytes, questions: Sequence[PlainQuestion]) -> bool:
    """Whether the lists of a page are those of a quiz: it has radio buttons, or half of its
    questions or more an answer, a question mark at the end or a gap to fill in, or none at all."""
    are_questions = [bool(q.answers) or _ASKS.search(q.text) is not None for q in questions]
    return 2 * sum(are_questions) >= len(are_questions) or _RADIO.search(data) is not None


class _Styles(NamedTuple):
    """What a page's style sheets say: the declarations of each class, and of each list of Google
    Docs the form of its numbers and the sign behind them."""

    classes: dict[str, str]
    docs_lists: dict[str, tuple[str, str]]

    def of(self, element: etree._Element) -> str:
        """The declarations of an element's classes and of its own, those that win last."""
        names = (element.get("class") or "").split()
        return ";".join((*(self.classes.get(n, "") for n in names), element.get("style") or ""))


def _styles_of(root: etree._Element) -> _Styles:
    """The styles of a page's sheets, of which only rules for a single class are read."""
    sheet = "\n".join(style.text or "" for style in root.iter("style"))
    classes: dict[str, str] = {}
    for rule in sheet.split("}"):
        selectors, _, declarations = rule.rpartition("{")
        for selector in selectors.split(","):
            if match := _CLASS.fullmatch(selector.strip()):
                classes[match[1]] = f"{classes.get(match[1], '')};{declarations}"
    forms = ((n, (_FORMS.get(f, "decimal"), sign)) for n, f, sign in _DOCS_FORM.findall(sheet))
    return _Styles(classes, dict(forms))


def _declared(styles: str, name: str) -> str | None:
    """The last value of a property in declarations, in lower case without blanks; None without."""
    values = re.findall(rf"(?:^|;)\s*{name}\s*:([^;]*)", styles, re.IGNORECASE)
    return re.sub(r"\s+|!important", "", values[-1].lower()) if values else None


def _marks_of(
    element: etree._Element, tag: str, styles: str, around: frozenset[str]
) -> frozenset[str]:
    """What marks the text of an element inside one whose text is marked by `around`."""
    if not element.attrib and tag not in _TAG_MARKS:
        return around
    marks = set(around)
    if mark := _TAG_MARKS.get(tag):
        marks.add(mark)
    names = (element.get("class") or "").split()
    data = (element.get(name, "").lower() for name in _RIGHT_DATA)
    if any(map(_RIGHT.fullmatch, names)) or any(value in ("1", "true", "yes") for value in data):
        marks.add(PAGE_MARK)
    weight, slant = _declared(styles, "font-weight"), _declared(styles, "font-style")
    line = _declared(styles, "text-decoration(?:-line)?")
    ground = _declared(styles, "background(?:-color)?")
    colour = _declared(styles, "color") or (element.get("color") if tag == "font" else None)
    for name, value, is_marked in (
        ("bold type", weight, weight and re.fullmatch("bolder|bold|[6-9]00", weight)),
        ("italics", slant, slant in ("italic", "oblique")),
        ("underlining", line, line and "underline" in line),
        ("highlighting", ground, ground and not _PLAIN_GROUND.fullmatch(ground)),
        ("colour", colour, colour and not _PLAIN_COLOUR.fullmatch(colour)),
    ):
        if is_marked:
            marks.add(name)
        elif value:
            marks.discard(name)
    return frozenset(marks)


def _is_moodle_state(element: etree._Element, names: list[str]) -> bool:
    """Whether an element of these classes says if a question of Moodle is answered."""
    parent = element.getparent()
    return "state" in names and parent is not None and "info" in (parent.get("class") or "").split()


class _List:
    """A list being read: the form of its labels (`•` for bullets, `[ ]` for those in a list of
    numbers or below a `question`, "none" for items with labels), the sign behind a number, and the
    number of its next item. `above` is the form of the list around it."""

    def __init__(
        self, element: etree._Element, tag: str, styles: _Styles, above: str, question: str
    ) -> None:
        declared = _declared(styles.of(element), "list-style(?:-type)?") or ""
        docs = _DOCS_LIST.search(element.get("class") or "")
        self.sign = "."
        names = (form for name, form in _FORMS.items() if len(name) > 1 and name in declared)
        self.form = _FORMS.get(element.get("type") or "", next(names, ""))
        if tag != "ol":
            self.form = "none" if declared == "none" else "•"
            self.form = "[ ]" if above == "decimal" or _ASKS.search(question) else self.form
        elif docs:
            form = _DOCS_LEVELS[int(docs["level"]) % 3], "."
            self.form, self.sign = styles.docs_lists.get(docs["name"], form)
        elif not self.form:
            # The choices of a numbered question, where only the sheet of the site says how they are
            # lettered: two numbers below each other name nothing.
            self.form = "upperLetter" if above == "decimal" else "decimal"
        items = [item for item in element if item.tag == "li"]
        texts = [next((str(t) for t in item.itertext() if str(t).strip()), "") for item in items]
        if texts and tag == "ol" and all(map(_OWN_LABEL.match, texts)):
            self.form = "none"
        start = element.get("start") or ""
        self.step = -1 if element.get("reversed") is not None else 1
        self.number = len(items) if self.step < 0 else 1
        self.number = int(start) if re.fullmatch(r"-?\d{1,6}", start) else self.number

    def label(self, item: etree._Element) -> str:
        """The label of an item, with a blank behind it, which is counted; "" for none."""
        if self.form in ("none", "•", "[ ]"):
            return "" if self.form == "none" else f"{self.form} "
        value = item.get("value") or ""
        self.number = int(value) if re.fullmatch(r"-?\d{1,6}", value) else self.number
        text = f"{list_numeral(self.number, self.form)}{self.sign} "
        self.number += self.step
        return text


class _Row(NamedTuple):
    """A row of a table being read: the lines before it, and where each of its cells begins."""

    start: int
    cells: list[int]


class _WebPage:
    """Reads the elements of a page into `lines`. `left_out` counts by reason what is not read."""

    def __init__(self, styles: _Styles) -> None:
        self.lines: list[MarkedLine] = []
        self.left_out: Counter[str] = Counter()
        self._styles = styles
        self._text = ""  # of the line being read, with its marks and place
        self._marks: list[frozenset[str]] = []
        self._place = 0
        self._lists: list[_List] = []
        self._rows: list[_Row] = []
        # Of each table around, the line it begins with, and whether it is of questions.
        self._tables: list[tuple[int, bool]] = []
        self._pre = 0  # elements around that keep line ends

    def read(self, root: etree._Element) -> None:
        """Reads an element with all that is in it."""
        from lxml import etree

        around: list[frozenset[str]] = [frozenset()]
        skipped: etree._Element | None = None
        walker = etree.iterwalk(root, events=("start", "end"))
        for event, element in walker:
            tag = str(element.tag).lower()
            if event == "end":
                around.pop()
                if element is not skipped:
                    self._end(tag)
                if element is not root:
                    self._write(element.tail or "", around[-1])
                continue
            styles = self._styles.of(element) if element.attrib else ""
            around.append(_marks_of(element, tag, styles, around[-1]))
            self._place = self._place if self._text else int(element.sourceline or 0)
            if self._is_left_out(element, tag, styles):
                walker.skip_subtree()
                skipped = element
                continue
            self._start(element, tag)
            self._write(element.text or "", around[-1])

    def _is_left_out(self, element: etree._Element, tag: str, styles: str) -> bool:
        """Whether an element is not read; counts what a person could miss."""
        names = (element.get("class") or "").split()
        if tag in _AROUND_TAGS or element.get("role") in _AROUND_ROLES:
            reason = NAVIGATION
        elif tag == "select":
            reason = "drop-down lists"
        elif (
            tag in _NOT_READ
            or element.get("role") == "button"
            or not _UNSEEN_CLASSES.isdisjoint(names)
            or _is_moodle_state(element, names)
        ):
            return True
        elif element.get("hidden") is not None or _HIDDEN.search(styles):
            reason = "hidden text"
        else:
            return False
        text = " ".join("".join(map(str, element.itertext())).split())
        if reason == "hidden text" and Line(0, text).is_answer:
            return False  # a button shows it
        if text:
            leave_out(self.left_out, reason, text)
        return True

    def _start(self, element: etree._Element, tag: str) -> None:
        is_button = tag == "input" and (element.get("type") or "").lower() in _BUTTONS
        is_button = is_button or element.get("role") in _BUTTONS
        if tag in _BLOCKS and not (self._text == _ANSWER or _LABEL_ALONE.fullmatch(self._text)):
            self._end_line()
        if (
            tag in _APART
            or element.get("role") in _ROLES_APART
            or (tag in _LISTS and not self._lists)
        ):
            self._part()
        if tag == "br":
            self._end_line()
        elif tag == "pre":
            self._pre += 1
        elif tag in _LISTS:
            above = self._lists[-1].form if self._lists else ""
            texts = (line.text for line in reversed(self.lines) if line.text)
            self._lists.append(_List(element, tag, self._styles, above, next(texts, "")))
        elif tag == "li" and self._lists and self._text != _ANSWER:
            self._end_line()
            self._append(self._lists[-1].label(element), frozenset())
        elif tag == "table":
            self._tables.append((len(self.lines), False))
        elif tag == "tr":
            self._rows.append(_Row(len(self.lines), []))
        elif tag in ("td", "th") and self._rows:
            self._end_line()
            self._rows[-1].cells.append(len(self.lines))
        elif is_button:
            self._begin_choice(element)
        elif tag == "sup" and re.fullmatch(r"\s*[-−]?\d{1,3}\s*", element.text or ""):
            self._append("^", frozenset())

    def _begin_choice(self, button: etree._Element) -> None:
        """Writes a box before the words that a button to choose by belongs to, where these are in a
        label before them or behind."""
        before = button.getprevious()
        label_for = before.get("for") if before is not None and before.tag == "label" else None
        if label_for and label_for == button.get("id") and self.lines and not self._text.strip():
            line = self.lines[-1]
            if not _OWN_LABEL.match(line.text):
                marks = [frozenset[str]()] * len(_BOX) + [*line.marks]
                self.lines[-1] = MarkedLine(f"{_BOX}{line.text}", marks, line.place)
        elif next(button.iterancestors("label"), None) is not None:
            if not self._text.startswith(_BOX):
                self._text = f"{_BOX}{self._text}"
                self._marks = [frozenset()] * len(_BOX) + self._marks
        else:
            if not _LABEL_ALONE.fullmatch(self._text):
                self._end_line()
            self._append(_BOX, frozenset())

    def _end(self, tag: str) -> None:
        if tag == "summary" and _ANSWER_HEADING.fullmatch(half_width(self._text)):
            self._text, self._marks = _ANSWER, [frozenset()] * len(_ANSWER)
        elif tag in ("label", "li", "td", "th", "details") or (
            tag in _BLOCKS and self._text not in (_ANSWER, _BOX)
        ):
            self._end_line()
        if tag == "pre":
            self._pre -= 1
        elif tag in _LISTS and self._lists:
            self._lists.pop()
        elif tag == "tr" and self._rows:
            self._end_row(self._rows.pop())
        elif tag == "table":
            self._tables.pop()
        if tag in _APART or (tag in _LISTS and not self._lists):
            self._part()

    def _write(self, text: str, marks: frozenset[str]) -> None:
        """Adds text to the line, runs of blanks folded, but not of those that do not break."""
        text = without_ignorable(text)
        if self._pre:
            first, *others = text.split("\n")
            self._append(first, marks)
            for line in others:
                self._end_line(keeps_blank=True)
                self._place += 1
                self._append(line, marks)
            return
        text = re.sub(r"[ \t\r\n\f]+", " ", text)
        if not self._text or self._text[-1] in " \t":
            text = text.removeprefix(" ")
        self._append(text, marks)

    def _append(self, text: str, marks: frozenset[str]) -> None:
        self._text += text.replace("\xa0", " ")
        self._marks += [marks] * len(text)

    def _end_line(self, *, keeps_blank: bool = False) -> None:
        """Ends the line; a blank one is none, unless it is kept."""
        text = self._text
        if box := _BOX_AT_LABEL.match(text):
            text, self._marks = text[box.end("box") :], self._marks[box.end("box") :]
        if text.strip() or keeps_blank:
            self.lines.append(MarkedLine(text.rstrip(), self._marks, self._place))
        elif text:  # a paragraph of a blank: people part questions so
            self._part()
        self._text, self._marks = "", []

    def _part(self) -> None:
        """Adds an empty line, unless the last one is, or the row of a table is being read."""
        if not self._rows and self.lines and self.lines[-1].text:
            self.lines.append(MarkedLine("", [], self._place))

    def _end_row(self, row: _Row) -> None:
        """Makes one line of the cells of a row that have a line each, or are a table's of
        questions; of other tables empty cells are left out, and a first cell of a label or a button
        is parted by a blank from the next, others by a tab."""
        bounds = [*row.cells, len(self.lines)]
        cells = [self.lines[a:b] for a, b in pairwise(bounds)]
        heads = ["\n".join(line.text for line in cell).strip() for cell in cells]
        first, is_columns = self._tables[-1] if self._tables else (0, False)
        if row.start - first < _MOST_ABOVE and question_of(dict.fromkeys(heads, ""), 1):
            is_columns = True
            self._tables[-1:] = [(first, True)]
        if not is_columns and any(len(cell) > 1 for cell in cells):
            return
        del self.lines[row.start :]
        if not any(heads):
            return
        if is_columns:
            self.lines.append(row_line(cells))
            return
        line = row_line([cell for cell in cells if cell])
        text = re.sub(r"^((?:\[ \]|[(\[]?\w{1,2}[.)\]:]))\t", r"\1 ", line.text)
        self.lines.append(line._replace(text=text))
