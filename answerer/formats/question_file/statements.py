"""Statements to be judged, which get true and false as choices."""

from __future__ import annotations

import re

from answerer.formats.question_file.layout import next_lines
from answerer.formats.question_file.lines import (
    LABELLED_LINE,
    WORD,
    Line,
    LineMark,
    Lines,
    labelled,
)
from answerer.formats.question_file.parts import half_width
from answerer.formats.question_file.truth import FALSE_WORDS, TRUE_WORDS, either

_NUMBERED_LINE = re.compile(r"\s*(?:T\s*[/|]?\s*F\s+)?[(\[]?\d{1,4}[.)\]、]\s*\S")
_TRUE, _FALSE = either(TRUE_WORDS), either(FALSE_WORDS)
_THIRD = r"not\s+given|doesn[’']t\s+say|cannot\s+say|can[’']t\s+tell|どちらでもない|わからない"
_BETWEEN = r"(?:\s*+[/|,・、]\s*+|\s++(?:or|oder|ou|o|または)\s++|\s++)"
_EMPTY = r"(?:(?:\(\s?\)|\[\s?\]|[□☐]|_++)\s?)?"  # a box or line to tick before a word
_LINE = r"(?:\s?_++)?"  # such a line behind it
_ORDERED = (
    rf"(?:{_EMPTY}(?P<first>{_TRUE}){_LINE}{_BETWEEN}{_EMPTY}(?P<second>{_FALSE}){_LINE}"
    rf"|{_EMPTY}(?P<other>{_FALSE}){_LINE}{_BETWEEN}{_EMPTY}(?P<last>{_TRUE}){_LINE})"
    rf"(?:{_BETWEEN}{_EMPTY}(?P<third>{_THIRD}))?"
)
_TRUTH_BEHIND = re.compile(
    rf"(?:(?<=\s)|(?<=[(\[.?!:。])|^)[(\[]?\s*+(?:circle\s++one\s*+:?\s*+)?{_ORDERED}[\s)\].。?:]*$",
    re.IGNORECASE,
)
_TRUTH_BEFORE = re.compile(r"\s*T\s*[/|]?\s*F\s+(?=\S)")
_TRUTH_FIRST = re.compile(
    rf"\s*(?:{_ORDERED}\s?[?:.]\s*|(?-i:{_EMPTY}(?:T(?:\s*[/|]\s*|\s+){_EMPTY}F"
    rf"|True(?:\s*[/|]\s*|\s+){_EMPTY}False))\s+)(?=\S)",
    re.IGNORECASE,
)
_ALONE = re.compile(
    rf"\s*(?:[-•○□☐*o]\s+|\(\s?\)\s*|_++\s*)?(?P<word>{_TRUE}|{_FALSE}|{_THIRD})[.。]?\s*",
    re.IGNORECASE,
)
# A heading or instruction above statements that are to be judged.
_ABOUT_TRUTH = re.compile(
    r"\btrue\b.{0,40}\bfalse\b|\bT\s*(?:/|\bor\b)\s*F\b|(?:richtig|wahr).{0,20}falsch"
    r"|vrai.{0,20}faux|verda(?:dero|deiro).{0,20}falso|\bvero.{0,20}falso|верно.{0,20}неверно"
    r"|prawda.{0,20}fałsz"
    r"|正しい.{0,20}(?:誤|間違)|正誤|[○〇◯⭕√].{1,20}[×✕✖]|判断题|判斷題|是非题|是非題",
    re.IGNORECASE,
)
_SIGNS_OF_TRUTH = re.compile(r"[○〇◯⭕√].{1,20}[×✕✖]|正誤|判断")
# An instruction to write one of two signs; a question for a row of them (組合せ) has choices.
_SIGNS_TO_WRITE = re.compile(r"[^組]*[○〇◯⭕][^組]{1,20}[×✕✖][^組]*")
_LONGEST_HEADING = 160  # characters: two lines of a page, as instructions have them
_LONGEST_WORDS = 30  # characters of a third choice: `cannot say`, `not in the text`; no sentence
_LONGEST_PAIR = 60  # characters at the end of a line in which words for true and false are sought
_PLACE = re.compile(
    r"(?:[(\[]\s*(?P<word>[^()\[\]]{0,5}?)\s*[)\]]"
    r"|(?<!_)_++\s*+(?:(?P<line>[^\W_]{1,5})\s*+_++)?)\s*$"
)
_GAP = re.compile(r"^(?P<number>\s*[(\[]?\d{1,4}[.)\]]?\s+)(?:_{2,}|[(\[]\s*[)\]])\s*")
_FULL_WORDS = {"t": "True", "f": "False"}


def with_true_and_false(lines: Lines, *, are_judged: bool = False) -> list[Line]:
    """The lines with labelled choices below statements that are to be judged: those with `True /
    False`, `(T/F)`, `○・×` behind them or below, or `True or false?` before them, and numbered ones
    below a heading that says so, or all where the key says so (`are_judged`); these words are left
    out. Below a heading a statement's answer becomes a line `Answer: …` behind its choices. Added
    lines have the number of the line they belong to. Not above choices of another kind."""
    changed: list[Line] = []
    following_lines = next_lines(lines)
    has_words = any(line.mark.style == WORD for line in lines if line.mark)
    has_numbers = has_words or any(_NUMBERED_LINE.match(line.narrow) for line in lines)
    is_counted = False
    heading: list[str] | None = None  # the words for the statements below it
    is_waiting = not has_numbers  # the last question has no choices so far
    # Whether text is below the last words, as explanations of statements without numbers are.
    narrows = [line.narrow for line in lines if not line.is_blank]
    has_text_below = bool(narrows) and not _ALONE.fullmatch(narrows[-1])
    is_explained = False
    row = 0
    while row < len(lines):
        line, following = lines[row], following_lines[row]
        mark, after = line.mark, following.mark
        if mark and not mark.is_digit and _TRUTH_BEHIND.match(line.narrow.strip()):
            mark = None  # `T   F`
        number = mark if mark and mark.is_numeral else None
        is_series = mark is not None and after is not None and mark.style == after.style
        is_open = is_series or not LABELLED_LINE.match(following.narrow)
        if _ALONE.fullmatch(line.narrow) and (words := _words_alone(lines, row)):
            row, texts = words
            if is_explained and len(changed) > 1 and changed[-2].text.endswith((".", "!")):
                changed.insert(-1, line.with_text(""))  # what is above explains the one before
            is_explained = not has_numbers and has_text_below
            # They are a whole list.
            changed += [*labelled(line.number, texts), line.with_text("")]
            is_waiting = not has_numbers
            continue
        # 問1 above (1), (2), …
        is_above_series = number and after and not is_series and _SIGNS_OF_TRUTH.search(line.narrow)
        is_told = _SIGNS_TO_WRITE.fullmatch(line.narrow) is not None
        # Below questions with plain numbers, and in them, circled labels are choices.
        is_counted = is_counted or (number is not None and number.style != "①")
        is_between = is_told or not is_waiting or not has_numbers
        is_between = is_between or not row or lines[row - 1].is_blank
        if (
            (is_above_series or (not number and is_between))
            and len(line.text) < _LONGEST_HEADING
            and _ABOUT_TRUTH.search(line.narrow)
            and _begins_statement(following, may_be_bare=is_told and not is_counted)
        ):
            heading, is_waiting = _words_of(line.narrow), False
            text = line.text[number.end :] if number and is_above_series else line.text
            changed += [line.with_text(shown) for shown in ("", text, "")]
            row += 1
            continue
        judged = _judged_line(line, number, is_text=bool(number or (mark is None and is_waiting)))
        if is_open and judged:
            text, texts = judged
            if text.strip():
                changed.append(line.with_text(_GAP.sub(r"\g<number>", text.rstrip())))
            changed += [*labelled(line.number, texts), line.with_text("")]
            is_waiting = not has_numbers
        elif (heading or are_judged) and number and is_open:
            row, statement, behind = _statement(lines, row)
            row, texts = _words_below(lines, row) or (row, heading or ["True", "False"])
            changed += statement + labelled(line.number, texts) + behind
            continue
        else:
            if not line.is_blank and not line.is_answer:
                heading = None
                is_waiting = (is_waiting or number is not None) and (not mark or number is not None)
            changed.append(line)
        row += 1
    return changed


def _begins_statement(line: Line, *, may_be_bare: bool) -> bool:
    """Whether a line begins a numbered statement; with `may_be_bare` also behind a number without a
    sign or in a circle."""
    styles = (WORD, "1 ", "①") if may_be_bare else (WORD,)
    is_begun = line.mark is not None and line.mark.style in styles
    return is_begun or _NUMBERED_LINE.match(line.narrow) is not None


def _judged_line(
    line: Line, number: LineMark | None, *, is_text: bool
) -> tuple[str, list[str]] | None:
    """The text of a line without its words for true and false, and these words ("True" and "False"
    for letters and empty places such as `T F`): before it, right behind its question's `number`, or
    at its end, if it is the text of a question; None without such words."""
    narrow = line.narrow
    before = _TRUTH_BEFORE.match(narrow)
    first = _TRUTH_FIRST.match(narrow, number.end) if number else None
    behind = _TRUTH_BEHIND.search(narrow, max(len(narrow) - _LONGEST_PAIR, 0)) if is_text else None
    if not (before or first or behind):
        return None
    text = line.text[: behind.start()] if behind else ""
    if before:
        text = line.text[before.end() :]
    elif first and number:
        text = f"{line.text[: number.end].rstrip()} {line.text[first.end() :]}"
    words_of = first or behind
    words = _matched_words(words_of) if words_of else []  # none of `T F` behind a number
    return text, words or ["True", "False"]


def truth_words(line: str) -> list[tuple[str, int, int]]:
    """The words for true and false at the end of a line, each with its bounds; [] without a
    pair."""
    pair = _TRUTH_BEHIND.search(half_width(line), max(len(line) - _LONGEST_PAIR, 0))
    names = ("first", "second", "other", "last") if pair else ()
    return [(pair[name], *pair.span(name)) for name in names if pair and pair[name]]


def _matched_words(match: re.Match[str]) -> list[str]:
    """The words of choices as printed, from left to right; T and F as words."""
    words = [match[name] for name in ("first", "second", "other", "last", "third") if match[name]]
    return [_FULL_WORDS.get(word.casefold(), word) for word in words]


def _words_of(heading: str) -> list[str]:
    """The words for true and false by which statements below a heading are judged: 正确 and 错误
    for 判断, else ○ and × if it has them, else 正しい and 誤り for 正誤, else those that it has in
    another script than Latin, else True and False."""
    if re.search("判断|判斷|是非", heading):
        return ["正确", "错误"]
    if re.search("[○〇◯⭕].*[×✕✖]", heading):
        return ["○", "×"]
    if "正誤" in heading:
        return ["正しい", "誤り"]
    match = re.search(_ORDERED, heading, re.IGNORECASE)
    words = _matched_words(match)[:2] if match else []
    if len(words) == 2 and words[0].casefold() in TRUE_WORDS and not words[0].isascii():
        return words
    return ["True", "False"]


def _words_alone(lines: Lines, row: int) -> tuple[int, list[str]] | None:
    """The row behind the words of true and false on separate lines from `row` on, within six lines,
    and these words, perhaps with a third choice; None without such words, and at the first line."""
    if not row:
        return None
    texts: list[str] = []
    end = row
    is_below_statement = _NUMBERED_LINE.match(lines[row - 1].narrow) is not None
    for position, line in enumerate(lines[row : row + 6], row):
        if line.is_blank:
            if not texts:
                return None
            continue
        match = _ALONE.fullmatch(line.narrow)
        is_letter = match is not None and len(match["word"]) == 1 and match["word"].isascii()
        if match is None or (is_letter and not is_below_statement):
            # A third choice beside yes and no, in other words.
            is_further = len(texts) == 2 and end == position and len(line.text) <= _LONGEST_WORDS
            is_sentence = line.text.rstrip().endswith((".", "!"))  # which explains
            if is_further and not (is_sentence or line.mark or line.is_answer):
                texts.append(line.text.strip())
                end = position + 1
            break
        texts.append(_FULL_WORDS.get(match["word"].casefold(), match["word"]))
        end = position + 1
    folded = {text.casefold() for text in texts[:2]}
    is_pair = len(folded) == 2 and bool(folded & TRUE_WORDS) and bool(folded & FALSE_WORDS)
    return (end, texts) if is_pair and len(texts) < 4 else None


def _words_below(lines: Lines, row: int) -> tuple[int, list[str]] | None:
    """The row behind the words for true and false that are below a statement from `row` on, in
    one line or in several, and these words; None for another text."""
    while row < len(lines) and lines[row].is_blank:
        row += 1
    if row == len(lines):
        return None
    match = _TRUTH_BEHIND.match(lines[row].narrow.strip())
    return (row + 1, _matched_words(match)) if match else _words_alone(lines, row)


def _statement(lines: Lines, row: int) -> tuple[int, list[Line], list[Line]]:
    """The row behind a numbered statement, its lines up to a blank one or the next number, label,
    answer or heading, and the lines behind its choices: `Answer: …` for a word for true or false in
    brackets behind it, and what is below this. The brackets are cut off, empty ones too."""
    end = row + 1
    while end < len(lines) and not lines[end].is_blank:
        line = lines[end]
        is_next = line.mark or line.is_answer or line.is_heading
        if is_next or _ABOUT_TRUTH.search(line.narrow) or _words_below(lines, end):
            break
        end += 1
    first = lines[row]
    statement = [first.with_text(_GAP.sub(r"\g<number>", first.text)), *lines[row + 1 : end]]
    for count, line in enumerate(statement, 1):
        match = _PLACE.search(line.narrow)
        word = (match["word"] or match["line"] or "").strip("_ ") if match else ""
        is_told = word.casefold() in TRUE_WORDS | FALSE_WORDS
        if match and (is_told or (not word and count == len(statement))):
            answers = [line.with_text(f"Answer: {word}")] if word else []
            cut = line.with_text(line.text[: match.start()].rstrip())
            return end, [*statement[: count - 1], cut], answers + statement[count:]
    return end, statement, []
