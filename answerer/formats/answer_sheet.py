"""Reads and fills NTCIR QA Lab answer sheets (term and essay questions, end-to-end, summarization
and gold alike).

Filling splices new expressions into a sheet's text; everything else keeps its bytes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import unescape
from itertools import count, zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from xml.sax.saxutils import escape, quoteattr

from answerer.formats.length_limit import FORMS, Limit, limits_in, read_limit, stricter
from indexer.analysis.text import cut_long_runs
from indexer.files.encoding import QUESTION_LIMIT, read_whole
from indexer.files.errors import UserError, bad_input
from indexer.files.validation import whole
from indexer.files.xml import by_id, decode_xml, line_of, parse_xml
from indexer.languages.language import Language
from indexer.languages.registry import LANGUAGES, detect_language

if TYPE_CHECKING:
    from lxml.etree import _Element

GAP = "____"
_SENTENCE = re.compile(r"(?<=[。．？！])(?![」』）])|(?<=[.?!])\s+")
ANSWER_STYLES = (
    "multipleChoice",
    "description_limited",
    "description_unlimited",
    "drawing",
    "other",
)
MATCH_TYPES = ("exact", "broad")
ANSWER_SET_TYPES = ("singleton", "unordered_list", "ordered_list")
# Elements whose text is analysed.
_ASKING = (
    "instruction grand_question_set reference_set blank_question choices keyword_set viewpoint_set"
).split()
# As misspelt on the task page: (PREASE WRITE YORE ANSWER).
_PLACEHOLDER = re.compile(r"\(\s*P[A-Z]+SE\s+(?:WRITE|ENTER)\b[^)]*\)")
NO_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class Expression(NamedTuple):
    """An answer's text, and the ids of the sources that it was made of (None if the sheet does not
    name any)."""

    text: str
    source_ids: tuple[str, ...] | None = None


class InstructionPart(NamedTuple):
    """The text of an instruction after a printed `label` ("" for the text before the first);
    `focus` is true if the sheet marks that label as the part to be answered."""

    label: str
    focus: bool
    text: str


class Context(NamedTuple):
    """The text of a grand question or of a reference; `direct` is true if the question itself
    refers to that text."""

    text: str
    direct: bool = False


class AnswerSlot(NamedTuple):
    """One `answer` element to fill.

    `printed_limit` is the limit in the attribute `length_limit`; `limit` is the lower of
    `printed_limit` and the limits that the instruction prints, and bounds the answers written.
    `order` is the position in an ordered list, from 1, None if the sheet leaves the position open
    (-1). `expressions` are the answer texts that the sheet already contains; `position` is the
    position of their `expression_set` in the file, from 0.
    """

    match_type: str
    order: int | None
    printed_limit: Limit
    limit: Limit
    expressions: tuple[Expression, ...]
    position: int = 0

    @property
    def effective_limit(self) -> Limit:
        """The limit that an answer is judged by: the attribute's, or the instruction's if the
        attribute is missing or sets no limit (-1)."""
        return self.limit if self.printed_limit.most is None else self.printed_limit

    @property
    def texts(self) -> tuple[str, ...]:
        """The texts that answer it, without placeholders and empty ones; in a gold sheet all that
        are right."""
        return tuple(
            expression.text for expression in self.expressions if not is_unanswered(expression.text)
        )


@dataclass(frozen=True, slots=True)
class Section:
    """One question of a sheet (`answer_section`): its instruction, context and answer slots.
    Elements that the sheet lacks are "" or ()."""

    section_id: str
    label: str
    answer_style: str
    answer_type: str
    instruction: tuple[InstructionPart, ...]
    grand_questions: tuple[Context, ...]
    references: tuple[Context, ...]
    keywords: tuple[str, ...]
    viewpoints: tuple[str, ...]
    answer_set_type: str
    answers: tuple[AnswerSlot, ...]
    knowledge_type: str = ""

    @property
    def is_essay(self) -> bool:
        """True if a text is asked for, not terms: the answer type contains `sentence`, or the
        section has no type and an answer of broad match. The answer style does not count."""
        if self.answer_type:
            return "sentence" in self.answer_type
        return any(answer.match_type == "broad" for answer in self.answers)

    @property
    def is_written(self) -> bool:
        """True if the answer is a text, not a drawing or the number of a choice."""
        return self.answer_style not in ("multipleChoice", "drawing")

    @property
    def texts(self) -> tuple[str, ...]:
        """The texts of all its answers, without placeholders and empty ones."""
        return tuple(text for answer in self.answers for text in answer.texts)

    @property
    def focused_instruction(self) -> str:
        """The part of the instruction that this section asks for, without printed labels: all of it
        where no label is in focus."""
        return (
            " ".join(part.text for part in self.instruction if part.focus) or self.instruction_text
        )

    @property
    def instruction_text(self) -> str:
        """The whole instruction without its printed labels."""
        return " ".join(part.text for part in self.instruction if part.text)


@dataclass(frozen=True, slots=True)
class Sheet:
    """An answer sheet as read from `file`.

    `data` are the bytes of the file, into which `write_sheet` splices answers; `src` is the root's
    `src` attribute (name of an extraction file). `locale` is the locale chosen of a bilingual file,
    None for a file without locales.
    """

    file: str
    data: bytes
    language: Language
    locale: str | None
    src: str | None
    sections: tuple[Section, ...]

    @property
    def essays(self) -> list[Section]:
        """The sections with a written answer that is an essay, in the sheet's order."""
        return [section for section in self.sections if section.is_written and section.is_essay]

    @property
    def terms(self) -> list[Section]:
        """The sections that ask for terms: written answers that are not essays, in the sheet's
        order."""
        return [section for section in self.sections if section.is_written and not section.is_essay]

    def section(self, section_id: str) -> Section | None:
        """The section of an id, None when the sheet does not have it."""
        return next(
            (section for section in self.sections if section.section_id == section_id), None
        )


def is_unanswered(text: str) -> bool:
    """True if an expression is blank or a placeholder of the task page, in capitals, such as
    `(PREASE WRITE YORE ANSWER)`."""
    return not text.strip() or _PLACEHOLDER.fullmatch(text.strip()) is not None


def language_answered(path: str | Path, filled: str | Path) -> Language | None:
    """Detects the language in which a bilingual sheet was answered, from the expressions of
    `filled` that `path` (the empty sheet or its gold) lacks; None without any. Placeholders do not
    count. Raises UserError for a file that is not an answer sheet in well-formed XML."""
    roots = (parse_xml(file, ("answer_sheet",)) for file in (path, filled))
    before, after = (dict.fromkeys(map(text_of, root.iter("expression"))) for root in roots)
    return language_of_texts(
        text for text in after if text not in before and not is_unanswered(text)
    )


def language_of_texts(texts: Iterable[str]) -> Language | None:
    """Detects the language of texts by their first 10,000 characters together; None without texts,
    or for blank ones."""
    text = " ".join(texts).strip()
    return detect_language(text) if text else None


def read_sheet(
    path: str | Path, language: Language | None = None, of_bilingual: Language | None = None
) -> Sheet:
    """Reads an answer sheet ([QALab3], second_stage_exam.xsd, and the bilingual variant with
    `locale` elements).

    `language` chooses the locale of a bilingual file; `of_bilingual` chooses the locale only if
    `language` is None. A file with a single locale needs neither. If `language` is None, the
    sheet's language is that of the locale, else the language detected in the instructions. Runs of
    thousands of characters without blanks are cut, with a warning. Raises UserError with file and
    line for damaged XML, another root, no section, a missing or repeated section id, an unknown
    answer style, `match_type` or answer set type, a limit or order that cannot be read, a section
    without instruction, answer, expression set or the locale, and (without a line) a file with
    locales of which none is chosen.
    """
    data = read_whole(path, QUESTION_LIMIT)
    root = parse_xml(data, ("answer_sheet",), str(path))
    elements = root.findall("answer_section")
    if not elements:
        raise bad_input(
            path, line_of(root), "no answer_section", "an answer sheet holds at least one"
        )
    cut_long_runs(root.iter(*_ASKING), str(path))
    # A bilingual sheet has each question in several locales; a plain sheet has none.
    locales, chosen = _locales(elements), language or of_bilingual
    locale = next((code for code in locales if chosen and code == chosen.code), None)
    if len(locales) == 1 and language is None:
        locale = locales[0]
    if locales and locale is None:
        raise UserError(
            f"{path}: the sheet is in {' and '.join(locales)}; choose one with "
            f"`classical-qa answer … "
            f"--language`"
        )
    sections = by_id(path, elements, "id", "every section has an id of its own")
    positions = {element: position for position, element in enumerate(root.iter("expression_set"))}
    read = tuple(
        _section(str(path), section_id, element, locale, positions)
        for section_id, element in sections.items()
    )
    if language is None:
        instructions = " ".join(section.instruction_text for section in read)
        language = LANGUAGES[locale] if locale in LANGUAGES else detect_language(instructions)
    return Sheet(str(path), data, language, locale, root.get("src"), read)


def read_sheets(path: str | Path) -> list[Sheet]:
    """Reads a file as answer sheets: a bilingual one in each of its languages, in alphabetical
    order of their codes, without locales of unknown languages; any other is the only sheet.
    Raises UserError for a file that `read_sheet` refuses."""
    root = parse_xml(path, ("answer_sheet",))
    spoken = [
        LANGUAGES[code] for code in _locales(root.findall("answer_section")) if code in LANGUAGES
    ]
    return [read_sheet(path, language) for language in spoken] or [read_sheet(path)]


def _locales(elements: list[_Element]) -> list[str]:
    """The locales of a sheet, sorted, each once; none in a plain one."""
    return sorted(
        {child.get("id", "") for element in elements for child in element.findall("locale")}
    )


def text_of(element: _Element | None) -> str:
    """All text inside an element, blanks and line breaks folded to single blanks; "" for None."""
    return "" if element is None else " ".join("".join(map(str, element.itertext())).split())


def _section(
    file: str,
    section_id: str,
    outer: _Element,
    locale: str | None,
    positions: Mapping[_Element, int],
) -> Section:
    """Parses one `answer_section` element, or its child of the given `locale`. `positions` are
    those of all expression sets. Empty contexts are left out. A section without instruction has its
    last grand question as instruction; sentences with gaps are added to it, others to the
    references. Raises UserError for what `read_sheet` lists."""
    element = outer if locale is None else outer.find(f"locale[@id='{locale}']")
    if element is None:
        raise bad_input(file, line_of(outer), f'section "{section_id}" has no locale "{locale}"')
    contexts: dict[str, list[Context]] = {}
    for name in ("grand_question", "reference", "keyword", "viewpoint"):
        inner = element.iterfind(f"{name}_set/{name}")
        read = [
            Context(text_of(child), child.get("is_directly_referred") == "1") for child in inner
        ]
        contexts[name] = [context for context in read if context.text]
    instruction = _instruction(element)
    # A section that says nothing itself is asked by the last of its grand questions.
    if not any(part.text for part in instruction):
        instruction += [
            InstructionPart("", False, question.text)
            for question in contexts["grand_question"][-1:]
        ]
    gap_text, rest = _gap_sentences(element.find("blank_question"))
    if gap_text:
        instruction.append(InstructionPart("", any(part.focus for part in instruction), gap_text))
    if rest:
        contexts["reference"].append(Context(rest))
    if not any(part.text for part in instruction):
        raise bad_input(file, line_of(outer), f'section "{section_id}" has no instruction')
    style, answer_set = text_of(element.find("answer_style")), element.find("answer_set")
    slots = element.findall("answer_set[1]/answer")
    if answer_set is None or not slots:
        raise bad_input(file, line_of(outer), f'section "{section_id}" has no answer to fill')
    set_type = answer_set.get("type") or "singleton"
    _require_one_of(file, outer, "answer_style", style, ANSWER_STYLES)
    _require_one_of(file, answer_set, "answer_set type", set_type, ANSWER_SET_TYPES)
    # The limits that the asked part names; where it does not name any, those before the first
    # label.
    limits = [limit for part in instruction if part.focus for limit in limits_in(part.text)]
    limits = limits or [
        limit for part in instruction if not part.label for limit in limits_in(part.text)
    ]
    return Section(
        section_id=section_id,
        label=(outer.get("label") or "").strip(),
        answer_style=style,
        answer_type=text_of(element.find("answer_type")),
        instruction=tuple(instruction),
        grand_questions=tuple(contexts["grand_question"]),
        references=tuple(contexts["reference"]),
        keywords=tuple(context.text for context in contexts["keyword"]),
        viewpoints=tuple(context.text for context in contexts["viewpoint"]),
        answer_set_type=set_type,
        answers=tuple(_answer_slot(file, slot, limits, positions) for slot in slots),
        knowledge_type=text_of(element.find("knowledge_type")),
    )


def _require_one_of(
    file: str, element: _Element, what: str, value: str, allowed: Sequence[str]
) -> None:
    """Raises UserError if a value is neither empty nor one of those allowed; `what` says what it
    is."""
    if value and value not in allowed:
        raise bad_input(
            file, line_of(element), f'unknown {what} "{value}"', f"one of {', '.join(allowed)}"
        )


def _gap_sentences(element: _Element | None) -> tuple[str, str]:
    """Splits a `blank_question` into (sentences with a gap to fill, other sentences), each joined
    by blanks; ("", "") for None. Gaps in focus, or all if none is, are printed as `GAP`, others as
    their labels (second_stage_exam.xsd)."""
    if element is None:
        return "", ""
    blanks = element.findall("blank")
    # Only the gaps in focus are asked for; the others stay as the paper labels them.
    focused = [blank for blank in blanks if (blank.get("focus") or "").strip() == "1"] or blanks
    pieces = [element.text or ""]
    for blank in blanks:
        pieces += [GAP if blank in focused else blank.get("label") or "", blank.tail or ""]
    sentences = [
        sentence.strip() for sentence in _SENTENCE.split(" ".join("".join(pieces).split()))
    ]
    with_gap, rest = (
        [sentence for sentence in sentences if sentence and (GAP in sentence) == gap]
        for gap in (True, False)
    )
    return " ".join(with_gap), " ".join(rest)


def _answer_slot(
    file: str, element: _Element, limits: list[Limit], positions: Mapping[_Element, int]
) -> AnswerSlot:
    """Parses one `answer` element; `limits` are the length limits that the instruction prints.
    An order of 0 or below is None. Raises UserError for what `read_sheet` lists."""
    line, match_type = line_of(element), (element.get("match_type") or "").strip()
    _require_one_of(file, element, "match_type", match_type, MATCH_TYPES)
    order, printed = (element.get("order") or "-1").strip(), element.get("length_limit") or ""
    number, limit = whole(order.removeprefix("-")), read_limit(printed)
    if number is None:
        raise bad_input(file, line, f'order "{order}"', "a whole number, -1 where it is open")
    if limit is None:
        raise bad_input(file, line, f'length_limit "{printed}" cannot be read', f"forms: {FORMS}")
    expression_set = element.find("expression_set")
    if expression_set is None:
        raise bad_input(
            file, line, "answer without expression_set", "a place where the answer is written"
        )
    expressions = []
    for expression in expression_set.iterfind("expression"):
        sources = expression.get("source_id")
        ids = None if sources is None else tuple(filter(None, map(str.strip, sources.split(","))))
        expressions.append(Expression(text_of(expression), ids))
    rank = number if number and not order.startswith("-") else None
    return AnswerSlot(
        match_type,
        rank,
        limit,
        stricter(limit, limits),
        tuple(expressions),
        positions[expression_set],
    )


def _instruction(element: _Element) -> list[InstructionPart]:
    """The text of a section's instructions, cut at each printed label, with white space folded;
    parts without label and text are left out."""
    parts: list[tuple[str, bool, list[str]]] = [("", False, [])]

    def walk(node: _Element) -> None:
        if node.tag == "label":
            parts.append((text_of(node), (node.get("focus") or "").strip() == "1", []))
        else:
            parts[-1][2].append(("\n" if node.tag in ("p", "br") else "") + (node.text or ""))
            for child in node:
                walk(child)
                parts[-1][2].append(child.tail or "")

    # Text after a label belongs to it, also in the next paragraph.
    for paragraph in element.iterfind("instruction"):
        walk(paragraph)
    folded = (
        InstructionPart(label, focus, " ".join("".join(text).split()))
        for label, focus, text in parts
    )
    return [part for part in folded if part.text or part.label]


# The reader has already checked that the sheet is well-formed, so that its elements can be found in
# the text.
_ASIDE = r"<!--.*?-->|<!\[CDATA\[.*?\]\]>|<\?.*?\?>"
_VALUE = r"""\s*=\s*(?:"[^"]*"|'[^']*')"""
# Attributes that describe the replaced text: its writer, and if it is a gold standard.
_SAID_OF_IT = re.compile(rf"\s(?:writer|is_gold_standard){_VALUE}")


def _elements(name: str, with_content: bool = True) -> re.Pattern[str]:
    """A pattern for the elements of a name, and for what only looks like one: comments, CDATA,
    instructions.

    `begin` is the opening tag up to its end (None for what only looks like an element), `inside`
    the text up to `end`, the closing tag; these two are None for `<a/>`. Without `with_content`
    only opening tags are matched, and these two groups do not exist.
    """
    tag = rf"""(?P<begin><(?:[\w.-]+:)?{name}(?=[\s/>])(?:[^>"']|"[^"]*"|'[^']*')*?)"""
    rest = (
        rf">(?P<inside>(?:{_ASIDE}|.)*?)(?P<end></(?:[\w.-]+:)?{name}\s*>)" if with_content else ">"
    )
    return re.compile(f"{_ASIDE}|{tag}(?:/>|{rest})", re.DOTALL)


_SETS, _EXPRESSIONS = _elements("expression_set"), _elements("expression")


def write_sheet(
    sheet: Sheet, answers: Mapping[str, Sequence[Sequence[Expression]]], src: str | None = None
) -> bytes:
    """The bytes of a sheet with new expressions in its own encoding; all other bytes are unchanged.

    `answers` maps a section id to the expressions of each `answer` element, in order; an empty
    sequence, and a section that `answers` lacks, leave the old expressions; sequences beyond the
    last element and ids that the sheet lacks are ignored. New expressions replace the old ones in
    order; further new ones are appended, surplus old ones are removed, and so are attributes about
    an old expression (writer, is_gold_standard). `source_ids` None keeps an old expression's
    `source_id`; `src`, the name of the extraction file, is set on the root element. Characters that
    the encoding lacks become character references (`&#8217;`), those that XML forbids are left out.
    """
    encoding, text = decode_xml(sheet.data, "the sheet")
    new = {
        slot.position: expressions
        for section in sheet.sections
        for slot, expressions in zip(
            section.answers, answers.get(section.section_id, ()), strict=False
        )
    }
    positions = count()

    def fill(old_set: re.Match[str]) -> str:
        """The text of an `expression_set`, found by `_SETS`, with its new expressions."""
        expressions = new.get(next(positions)) if old_set["begin"] else None
        if not expressions:  # an answer without new expressions keeps what was there
            return old_set[0]
        inside, end = old_set["inside"] or "", 0
        old = [match for match in _EXPRESSIONS.finditer(inside) if match["begin"]]
        # New expressions are set off as the first one is.
        gap = inside[: old[0].start()] if old else ""
        pieces = [_opening_tag(old_set)]
        for match, expression in zip_longest(old, expressions):
            before, tag, closing = "" if gap.strip() else gap, "<expression>", "</expression>"
            if match:
                before, end = inside[end : match.start()], match.end()
                # What is said of the old expression, its writer and whether it is gold, goes with
                # it.
                tag, closing = _SAID_OF_IT.sub("", _opening_tag(match)), match["end"] or closing
            if expression is None:  # with the blanks before it, so that no empty line stays
                pieces.append(before.rstrip())
                continue
            if expression.source_ids is not None:
                tag = _with_attribute(tag[:-1], "source_id", ",".join(expression.source_ids)) + ">"
            pieces += [before, tag, escape(NO_XML.sub("", expression.text)), closing]
        return "".join([*pieces, inside[end:], old_set["end"] or "</expression_set>"])

    # The text is changed instead of the tree: all else keeps its bytes.
    data = _SETS.sub(fill, text).encode(encoding, "xmlcharrefreplace")
    return (
        data
        if src is None
        else with_attribute_values(data, "answer_sheet", "src", lambda _: src, add_missing=True)
    )


def _opening_tag(element: re.Match[str]) -> str:
    """The opening tag of an element: `<a>`, also of `<a/>`."""
    return element["begin"].rstrip() + ">" if element["end"] is None else element["begin"] + ">"


def with_attribute_values(
    data: bytes,
    element: str,
    attribute: str,
    rename: Callable[[str], str],
    add_missing: bool = False,
) -> bytes:
    """The bytes of an XML result file with `rename` applied to the attribute `attribute`
    (unescaped, without outer blanks) of every `element`; with `add_missing` also to the "" of
    elements without it. All other bytes are unchanged."""
    encoding, text = decode_xml(data, "the sheet")

    def replace_value(match: re.Match[str]) -> str:
        begin = match["begin"] or ""
        value = re.search(rf"\s{attribute}{_VALUE}", begin)
        if not begin or not (value or add_missing):
            return match[0]
        old = unescape(value[0].partition("=")[2].strip()[1:-1]).strip() if value else ""
        new = rename(old)
        return (
            match[0]
            if new == old
            else _with_attribute(begin, attribute, new) + match[0][len(begin) :]
        )

    return (
        _elements(element, with_content=False)
        .sub(replace_value, text)
        .encode(encoding, "xmlcharrefreplace")
    )


def _with_attribute(begin: str, name: str, value: str) -> str:
    """A tag up to before its `>`, with the attribute `name` set to `value`, which is escaped,
    without characters that XML forbids: in place if the tag has it, else added last."""
    written = f"{name}={quoteattr(NO_XML.sub('', value))}"
    old = re.search(rf"(?<=\s){name}{_VALUE}", begin)
    # In its place, so that the other attributes keep their order.
    return (
        begin[: old.start()] + written + begin[old.end() :]
        if old
        else f"{begin.rstrip()} {written}"
    )
