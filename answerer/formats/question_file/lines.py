"""The lines of a numbered text, and what each begins with or is: a number of a question, a label of
a choice, an answer, a heading."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from answerer.formats.question_file.parts import SERIES, SYMBOLS, Remark, half_width
from answerer.formats.question_file.truth import truth

# The style of a question's number that a word announces: Q1, Question 1, 問1, 第1問.
WORD = "Q"


class LineMark(NamedTuple):
    """A question number or choice label of a line. `style` is its kind: `A` (A. or A), which people
    mix), `(A)`, `1`, `(1)`, `1 ` (no sign after it), `①`, or `WORD`. `value` is its position in its
    series, from 1 (0: no number). The label begins at character `start`, 0 for one with which the
    line begins, the text after it at `end`. `begins_list`: a list of choices begins with it;
    `has_list`: a list begins between it and the next of its style, as after a question's number."""

    style: str
    value: int
    label: str
    start: int
    end: int
    begins_list: bool = False
    has_list: bool = False

    @property
    def is_digit(self) -> bool:
        """Whether the label is a number, plain or circled."""
        return "1" in self.style or self.style == "①"

    @property
    def is_numeral(self) -> bool:
        """Whether it may be a question's number: a number or behind a word for questions."""
        return self.is_digit or self.style == WORD


KANA = SERIES[2]
LETTERS = "".join(SERIES[2:])
SIGNS = "".join(SYMBOLS)
_LABEL = rf"[A-Za-z{LETTERS}]|\d{{1,4}}(?:[.-]\d{{1,3}}){{0,2}}"
MARK = re.compile(
    rf"[(\[<]\s?(?P<bracketed>{_LABEL})\s?[)\]>](?:\s?[.:])?"
    rf"|(?P<delimited>{_LABEL})(?:[)\]]\.?|\s?[.:]\)?(?!\d)(?![A-Za-z]\.)|、|\s[-–—](?=\s)"
    rf"|(?<=[A-Za-z])[/-](?=\s)|(?<=\d)/(?=\s*$|\s+[^\s\d])"
    rf"|(?<=\d)-(?=\s+[^\W\d]|(?![a-z])[^\W\d_]{{2}}))"
    rf"|(?P<spaced>[{KANA}]|\d{{1,2}}|[A-Za-z](?=\s\s|[\t\u2003]))\s+(?=\S)"
    rf"|(?P<symbol>[{SIGNS}])\s?[.:、)]?"
)
QUESTION_WORDS = (
    r"question|problem|item|exercise|no(?=\.)|q|設問|小問|問題|問|题|第"
    r"|frage|aufgabe|pregunta|questão|domanda|pytanie|vraag|вопрос|задание|soru|문제|문항"
)
_NUMBERED = re.compile(
    rf"[\[(<]?\s*(?:[A-Z]{{1,4}}_)?(?:{QUESTION_WORDS})\s?\.?\s?(?:n[°ºo]\.?\s?)?"
    rf"(?P<number>\d{{1,4}}(?:[.-]\d{{1,3}}){{0,2}})"
    rf"(?![\d%部章節])\s?[問题題]?\s*[.):、\]>]*(?:\s[-–—](?=\s))?",
    re.IGNORECASE,
)
# What comes before a label or number and says nothing: bullets, emphasis, boxes to tick, places for
# an answer, bubbles to fill in.
_BEFORE = re.compile(
    r"\s*(?:[#>+•●・○□✓✔✅❌√☑*-]\s*|\[[\sxX✓✔✅*]?\]\s*|_{2,}\s*(?=\d)|\(\s*\)\s*(?=\d))*"
    r"(?:(?:[0Oo]\s){2,}+(?=\d))?"
)

# Pictures before a word: ticks, arrows, and the blocks from U+1F300 on.
EMOJI = "✓✔✅☑➡➜\U0001f300-\U0001faff"
KEY_LABEL = rf"(?:[A-Za-z{LETTERS}{SIGNS}]|\d{{1,2}})"
ANSWER_WORD = (
    r"(?:(?:the\s+)?(?:(?:correct|right|best)\s+)?(?:answers?|options?\s+correct[ae]?|solutions?)"
    r"(?:\s+key)?|(?:the\s+)?(?:correct|right|best)\s+(?:options?|choices?|responses?"
    r"|alternatives?)|ans|key|correct"
    r"|(?:模範)?解答|正解|正答|(?:正确|正確|参考|參考|标准|標準)?答案|答え?|こたえ"
    r"|정답|(?:la\s+)?respuestas?(?:\s+correctas?)?|soluci[oó]n|opción\s+correcta"
    r"|(?:la\s+)?(?:bonnes?\s+)?réponses?(?:\s+(?:correctes?|exactes?|justes?))?|corrigé"
    r"|(?:die\s+)?(?:richtige|korrekte)?\s?antwort(?:en)?|lösung(?:en)?"
    r"|(?:a\s+)?respostas?(?:\s+(?:corretas?|certas?))?|gabarito"
    r"|(?:la\s+)?rispost[ae](?:\s+(?:corrett[ae]|esatt[ae]|giust[ae]))?|soluzion[ei]"
    r"|(?:(?:juiste|goede)\s+)?antwoord(?:en)?|(?:(?:poprawna|prawidłowa)\s+)?odpowiedź"
    r"|(?:(?:правильный|верный)\s+)?ответы?|(?:doğru\s+)?cevap|(?:rätt\s+)?svar)"
    r"(?:番号|一覧|表)?"
)
# A label that an answer begins with, and what parts it from a text.
_LABEL_FIRST = rf"[(\[]?{KEY_LABEL}(?:[)\].:,]|\s*$|\s[-–—]\s)"
ANSWER_LINE = re.compile(
    rf"[\[(<*_#>•\s{EMOJI}-]*+(?:[A-Z]\d{{1,3}}\.\s)?(?:(?<=\()[^\W\d]{{3,20}}[;,]\s)?(?P<word>{ANSWER_WORD})"
    r"(?:(?<=[^\x00-ӿ])|(?![A-Za-zÀ-ɏЀ-ӿ]))[\])>*_]*"
    rf"(?P<sign>\s*[:=.]|\s+(?:is|es|est|ist)\b|は|\s*[-–—]+(?=\s*{_LABEL_FIRST}))?[\s*_:–—-]*(?P<rest>.*)",
    re.IGNORECASE,
)
# What is printed at the foot of a page, and may stand among choices.
_FOOT = re.compile(
    r"\s*(?:(?:page|seite|página|pagina|strona|pág\.)\s+(?:\d{1,4}|[IVX]{1,4}|[A-Z])\b.{0,50}"
    r"|\d{1,3}\s?\|\s?page\s*|©.{0,80}|copyright\b.{0,30}\b(?:19|20)\d\d\b.{0,50}|[-–—]\s?\d{1,3}\s?[-–—]\s*"
    r"|(?:https?://|www\.)\S+(?:\s+\d{1,3}(?:/\d{1,3})?)?\s*)",
    re.IGNORECASE,
)
_HEADING = re.compile(
    r"\s*(?:(?:the\s+)?end\s+of\s+(?:the\s+)?(?:test|quiz|exam|paper|section|part)\b.{0,50}|good\s+luck\W*"
    r"|(?:section|part|chapter|unit)\s+(?:\d{1,3}|[IVX]{1,4}|[A-Z])\b"
    r"|第\s?[\d一二三四五六七八九十]{1,3}\s?[部章節]).{0,50}"
    r"|\s*[一二三四五六七八九十]{1,3}\s?、\s?\S{1,30}"
    r"|[\s■●◆※(<\[]*+(?:[IVXⅠ-Ⅹ]{1,4}\s?)?(?:正誤|[○〇◯]\s?[・/]?\s?[×✕]|選択|記述|穴埋め)\s?問題\W*+"
    r"|\s*[IVX]{1,4}[.)]\s+(?:multiple|true|fill|short|matching|essay|objective|long)\b.{0,50}"
    r"|\s*(?:(?:very\s+)?(?:short|long|brief)[\s-]answers?|multiple[\s-]choice|essay|matching"
    r"|fill[\s-]in(?:[\s-]the)?(?:[\s-]blanks?)?|true[\s/-](?:or|and)?[\s/-]?false)(?:\s+type)?"
    r"\s+(?:questions?|items|section)\W*",
    re.IGNORECASE,
)

# A line that begins with a letter or sign as a label.
LABELLED_LINE = re.compile(rf"\s*[*✓]?(?:[(\[]?[A-Za-z{LETTERS}][.):\]]|[{SIGNS}]|\([A-Za-z\d]\))")


def mark_of(match: re.Match[str]) -> LineMark:
    """The question number or choice label that `MARK` or `_INSIDE` found in a line in half width:
    its style (of a number "1" or "1.1", with the signs behind it; else the first label of its
    series; in brackets if the label is), its value, its text and its bounds."""
    kind = match.lastgroup or ""
    label = match[kind]
    if label[0].isdecimal() and kind != "symbol":
        parts = re.split("[.-]", label)
        style = f"{'1.' * (len(parts) - 1)}1{' ' if kind == 'spaced' else ''}"
        value = int(parts[-1])
    else:
        every = SYMBOLS if kind == "symbol" else SERIES
        series = next(series for series in every if label in series)
        style, value = series[0], series.index(label) + 1
    style = f"({style})" if kind == "bracketed" else style
    return LineMark(style, value, label, match.start(), match.end())


@dataclass(frozen=True)
class Line:
    """A line of a numbered text and its number in the file."""

    number: int
    text: str

    @cached_property
    def narrow(self) -> str:
        """The text in half width; every character keeps its place."""
        return half_width(self.text)

    @cached_property
    def mark(self) -> LineMark | None:
        """The question number or choice label with which it begins, after bullets and emphasis."""
        before = _BEFORE.match(self.narrow)
        begin = before.end() if before else 0
        if match := _NUMBERED.match(self.narrow, begin):
            number = match["number"]
            return LineMark(WORD, int(re.split("[.-]", number)[-1]), number, 0, match.end())
        label = MARK.match(self.narrow, begin)
        return mark_of(label)._replace(start=0) if label else None

    @property
    def shown(self) -> str:
        """How messages show it: at most 60 characters, with single blanks."""
        return " ".join(self.text.split())[:60]

    def with_text(self, text: str) -> Line:
        """A line of the same number with another text."""
        return Line(self.number, text)

    @property
    def is_blank(self) -> bool:
        """Whether it is empty, or all white space."""
        return not self.text.strip()

    @property
    def is_numbered(self) -> bool:
        """Whether it begins with what may be a question's number."""
        return self.mark is not None and self.mark.is_numeral

    @property
    def is_foot(self) -> bool:
        """Whether it is the foot of a page: its number, an address, a copyright."""
        return _FOOT.fullmatch(self.narrow) is not None

    @property
    def is_heading(self) -> bool:
        """Whether it is the heading of a section, or the foot of a page."""
        return self.is_foot or _HEADING.fullmatch(self.narrow) is not None

    @cached_property
    def answer(self) -> re.Match[str] | None:
        """Its parts, if it begins with an answer word: `word`, `sign` and `rest`."""
        return ANSWER_LINE.fullmatch(self.narrow)

    @property
    def is_answer(self) -> bool:
        """Whether it begins with an answer word and a sign (`Answer: B`), or is only an answer
        word, perhaps with a word for true or false behind it that is not ASCII (`答え ×`)."""
        match = self.answer
        return match is not None and (
            match["sign"] is not None or not match["rest"] or is_truth_sign(match["rest"])
        )


Lines = Sequence[Line]


def is_truth_sign(text: str) -> bool:
    """Whether a text is a word for true or false that is not in ASCII letters, such as ×."""
    return not text.isascii() and truth(text) is not None


def labelled(number: int, texts: Iterable[str]) -> list[Line]:
    """The texts labelled A), B), …, as lines that all have this line number."""
    return [Line(number, f"{label}) {text}") for label, text in zip(SERIES[0], texts, strict=False)]


def counted_lines(lines: Lines, what: str) -> list[Remark]:
    """A note that counts lines that are left out, with 60 characters of the first of them; none for
    no lines."""
    if not lines:
        return []
    count = len(lines)
    lines_of = "a line" if count == 1 else f"{count} lines"
    return [Remark(lines[0].number, f"{lines_of} of {what} left out: {lines[0].shown!r}")]
