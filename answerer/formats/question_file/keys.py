"""The answers in a numbered text: lines below the questions, and keys."""

from __future__ import annotations

import re
from itertools import count

from answerer.formats.question_file.layout import next_lines
from answerer.formats.question_file.lines import (
    ANSWER_LINE,
    ANSWER_WORD,
    KEY_LABEL,
    LETTERS,
    QUESTION_WORDS,
    SIGNS,
    Line,
    Lines,
    counted_lines,
)
from answerer.formats.question_file.marks import with_arabic_numbers, with_sections
from answerer.formats.question_file.parts import EM_SPACE, SYMBOLS, Remark, plain_label
from answerer.formats.question_file.truth import FALSE_WORDS, TRUE_WORDS, either, fold_answer

LABELS = re.compile(rf"[(\[]?\s*{KEY_LABEL}\s*[)\]]?(?:\s*[,;/&、・]\s*{KEY_LABEL})*[\s.。)\]>*_]*")
# What a key says of a question: a label, or a word for true or false.
TRUTHS = either(word for word in TRUE_WORDS | FALSE_WORDS if len(word) > 1 or not word.isascii())
_KEY_ANSWER = rf"(?:{TRUTHS}|{KEY_LABEL})"
_QUESTION_WORD = rf"(?:(?:{QUESTION_WORDS})\s?)"
_WORD_BEHIND = rf"(?:\s?[問题題]|\.?\s?(?=[^\W\d_]{{4}})(?:{QUESTION_WORDS}))?"
_KEY_NUMBER = rf"{_QUESTION_WORD}?[(\[]?\d{{1,4}}\s?問?[)\]]?\.?"
_PAIR = re.compile(
    rf"(?:(?P<circled>[{SYMBOLS[0]}])\s*(?P<truth>{TRUTHS})"
    rf"|[(\[]?{_QUESTION_WORD}"
    rf"?[(\[]?(?P<number>\d{{1,4}}(?:[.-]\d{{1,3}})?){_WORD_BEHIND}[)\]]?(?:\s?[.:)\]、=-]\s?|\s+|"
    rf"(?=[(\[A-Za-z{LETTERS}{SIGNS}○〇◯×✕]))[(\[]?(?:(?P<label>{_KEY_ANSWER}(?:\s?[,&+]\s?[A-Za-z](?=$|[\s,;.)&+\]]))*)|省略|略|essay|n/a)[)\]]?)"
    rf"(?=$|[\s,;、。|.)/])[\s,;、。|./]*",
    re.IGNORECASE,
)
_KEY_RANGE = re.compile(
    r"(?P<first>\d{1,4})\s*[-–—~～至]\s*(?P<last>\d{1,4})\s*[.:、)]?\s*"
    r"(?P<labels>[A-Z](?:[\s,、]*[A-Z])*)(?![A-Za-z])[\s;；。.]*"
)
# The section whose answers follow in a line: `Part II: 1. B  2. C`.
_SECTION = re.compile(
    r"^\s*(?:(?:section|part|chapter|unit|version|set)\s+(?:\d{1,3}|[IVX]{1,4}|[A-Z])\b|第\s?\d{1,3}\s?[部章節])[\s.:)-]*",
    re.IGNORECASE,
)
# What is left of a pair at the end of a line that is broken inside it.
_BEGUN_PAIR = re.compile(rf"{_QUESTION_WORD}?[(\[]?\d{{0,4}}\s?問?[)\]]?[.:、=-]?", re.IGNORECASE)


def _pairs_of(narrow: str) -> list[tuple[str, str]]:
    """The pairs (question number, label) that a text in half width consists of, also as ranges
    (`1-5 ABCDA`), perhaps behind a section's name; [] for one with other contents. Circled numbers,
    in plain digits, only stand before words for true and false; `essay`, 省略 and the like are no
    label."""
    text = narrow[behind.end() :] if (behind := _SECTION.match(narrow)) else narrow.strip()
    for pattern in (_PAIR, _KEY_RANGE):
        matches = list(pattern.finditer(text))
        if matches and "".join(match[0] for match in matches) == text:
            return [pair for match in matches for pair in _pairs_in(match)]
    return []


def _pairs_in(match: re.Match[str]) -> list[tuple[str, str]]:
    """The pair of a match of `_PAIR`, none without a label, or those of a range such as `1-3 ABA`,
    none if it has more or fewer labels."""
    if match.re is _PAIR:
        label = match["label"] or match["truth"]
        return [(match["number"] or plain_label(match["circled"]), label)] if label else []
    labels = re.findall("[A-Z]", match["labels"])
    numbers = range(int(match["first"]), int(match["last"]) + 1)
    is_whole = len(numbers) == len(labels)
    return list(zip(map(str, numbers), labels, strict=True)) if is_whole else []


def with_whole_pairs(lines: Lines) -> list[Line]:
    """The lines, but a pair of a key that a line end breaks (`1. B  2. C  3.` above `A`) is whole
    on the second line, only behind two whole pairs, before which an answer word may stand; and a
    line of numbers that count up above one of as many labels is a line of pairs."""
    whole: list[Line] = []
    begun = ""
    numbers: list[str] = []
    for line in lines:
        labels = cells_of(KEY_LABELS, line)
        texts = (begun + joint + line.text.strip() for joint in ("", " ") if begun)
        rows = [line.with_text(text) for text in texts]
        row = next((row for row in rows if _PAIR.match(row.narrow)), line.with_text(""))
        goes_on = _begun_pair(row, 1)
        if goes_on or _pairs_of(row.narrow):
            before = whole[-1].text.rstrip()
            whole[-1] = Line(whole[-1].number, before[: len(before) - len(begun)])
            line = row
        elif numbers and len(numbers) == len(labels):
            whole[-1] = Line(whole[-1].number, "")
            pairs = zip(numbers, labels, strict=True)
            line = line.with_text("  ".join(f"{number}. {label}" for number, label in pairs))
        whole.append(line)
        begun = goes_on or _begun_pair(line, 2)
        numbers = [re.sub(r"\D", "", cell) for cell in cells_of(_KEY_NUMBERS, line)]
        if numbers != [str(int(numbers[0]) + step) for step in range(len(numbers))]:
            numbers = []
    return whole


def with_labels_in_a_row(lines: Lines) -> list[Line]:
    """The lines with the labels at the end of a text, each alone on a line below an answer word
    alone, in one line; unchanged for fewer than two."""
    joined = list(lines)
    rows: list[int] = []
    for row in range(len(lines) - 1, -1, -1):
        line = lines[row]
        if line.answer and not line.answer["rest"] and len(rows) > 1:
            labels = " ".join(plain_label(lines[at].text) for at in rows)
            joined[rows[0] :] = [lines[at].with_text("") for at in range(rows[0], len(lines))]
            joined[rows[0]] = lines[rows[0]].with_text(labels)
        elif _LABEL_ALONE.fullmatch(line.narrow):
            rows.insert(0, row)
            continue
        elif line.is_blank:
            continue
        break
    return joined


def cells_of(row: re.Pattern[str], line: Line) -> list[str]:
    """The cells of a line that is a row of numbers or labels; [] for another."""
    match = row.fullmatch(line.narrow)
    return match["cells"].replace("|", " ").split() if match else []


def _begun_pair(line: Line, least: int) -> str:
    """The pair that a line begins behind `least` whole ones or more, and does not end; "" for other
    lines."""
    rest = (line.answer["rest"] if line.answer else line.narrow).strip()
    pairs = list(_PAIR.finditer(rest)) if _PAIR.match(rest) else []
    begun = rest[pairs[-1].end() :] if len(pairs) >= least else ""
    is_row = "".join(pair[0] for pair in pairs) + begun == rest
    return begun if is_row and _BEGUN_PAIR.fullmatch(begun) else ""


_PLURAL = re.compile("s$|key|解答", re.IGNORECASE)
# An answer of a key: its line, the number of its question as printed, its label.
KeyRow = tuple[int, str, str]

# Behind a key's heading: its words, whatever is around them.
_KEY_HEADING = re.compile(
    r"(?:^|[\W_])(?:answers|answer\s*(?:keys?|sheet|section)|keys?|solutions?|mark(?:ing)?\s+(?:key|scheme)"
    r"|lösungen|lösungsschlüssel|antworten|corrigés?|r[ée]ponses|solucion(?:es|ario)|respuestas"
    r"|soluzioni|risposte|gabarito|respostas|antwoorden|odpowiedzi|ответы|ключи?|svar|facit"
    r"|정답)(?=$|[\W_])|解答|正解|答え|こたえ|答案|解答",
    re.IGNORECASE,
)
_KEY_COLUMNS = re.compile(
    rf"[\s|]*+(?:no|nr|#|number|item|q|question(?:\s+(?:no|number|#))?)\.? *[\t|,;{EM_SPACE}]"
    r"[\s|]*+(?:(?:correct|right)\s+)?(?:ans(?:wers?)?|choice|option|letter)\b[\s|]*+"
    r"(?:why|reason|explanation|rationale)?[\s|]*+",
    re.IGNORECASE,
)
_LABEL_AT_END = re.compile(rf"[:=]\s*[(\[]?{KEY_LABEL}[)\]]?[\s.。]*$")
_LONGEST_HEADING = 60  # characters: a longer line with such a word is a sentence
_NUMBERED_ANSWER = r"\(?\d{1,3}\s?(?:[.):(-]\s?\S|[A-Za-z]\b)"
_LIKE_KEY = re.compile(rf"(?:[IVX]{{1,4}}[.:]\s)?{_NUMBERED_ANSWER}.*[\s,;]{_NUMBERED_ANSWER}")
_LABEL_BEHIND = re.compile(r"(?<=\S)\s*[(\[]([A-Za-z])[)\]][\s.]*$")
# A row of a key: a number, a label, perhaps a text or reason behind it.
_KEY_ROW = re.compile(
    rf"[\s|*_>#•-]*{_QUESTION_WORD}?[(\[]?(?P<number>\d{{1,4}}(?:[.-]\d{{1,3}})?)"
    rf"{_WORD_BEHIND}[)\]*_]*\s*(?:[.…]{{2,}}|[.:)、=|–—-])?[\s|*_]*"
    rf"(?:(?:the\s+)?(?:(?:correct|right)\s+)?(?:answer|ans|option|choice)\s*(?:is\s|:)\s*)?[(\[]?"
    rf"(?P<label>{_KEY_ANSWER})[*_]*"
    r"(?:[)\]*_|.。\s]*$|[)\]]?\s*[.:;|、)\]]\s*\S.*|[)\]]?\s+(?:[-–—(]|PTS:)\s*\S.*"
    rf"| *[\t{EM_SPACE}].*)",
    re.IGNORECASE,
)
# The rows of a table that lies on its side, numbers above answers, perhaps with a head before each.
_KEY_NUMBERS = re.compile(
    rf"[\s|]*(?:[^\W\d]{{1,10}}\.?[\s|]+)?(?P<cells>{_KEY_NUMBER}(?:[\s|]+{_KEY_NUMBER})+)[\s|]*"
)
KEY_LABELS = re.compile(
    rf"[\s|]*(?:(?:{ANSWER_WORD})[\s|]+)?(?P<cells>{_KEY_ANSWER}(?:[\s|]+{_KEY_ANSWER})+)[\s|]*",
    re.IGNORECASE,
)
_LABEL_ALONE = re.compile(rf"\s*[(\[]?[A-Za-z{LETTERS}{SIGNS}][).\]]?\s*")
_NOTHING = re.compile(r"[\W_]*")
_STARRED = re.compile(r"\s*(?:\*+|\[[xX*]\]\s*|[✓✔✅√]\s*)[(\[]?(?P<label>[A-Za-z])[).\]]")
_MOST_BEFORE = 2  # lines between a key's heading and its first row, as the heads of a table


def without_keys(lines: Lines) -> tuple[list[Line], list[KeyRow], list[Remark]]:
    """The lines with blank ones for keys, the rows of these, and notes that count the lines of
    explanations among them. A key is behind an answer word (`Answers: 1. B 2. C`), below a heading
    such as `Teacher copy - answers` (60 characters at most) or `Question | Answer`, or, at the end
    and below a blank line, two or more pairs of number and label whose numbers begin lines above.

    A row is a number and a label, perhaps with a text or a reason behind it; rows are also ranges
    (`1-5 ABCDA`), a line of numbers above one of labels, or the questions again, with answers.
    """
    remaining = list(lines)
    key: list[KeyRow] = []
    notes: list[Remark] = []
    row = 0
    while row < len(lines):
        rows = [(lines[row].number, *pair) for pair in _pairs_behind_word(lines[row])]
        end, others = row + 1, list[Line]()
        if rows or _is_key_heading(lines, row):
            end, others = _key_below(lines, row, rows)
        if rows:
            remaining[row:end] = [line.with_text("") for line in lines[row:end]]
            key += rows
            notes += counted_lines(others, "explanations in a key")
        elif (match := lines[row].answer) and _LIKE_KEY.match(match["rest"]):
            what = f"like a key, but not read as one: {lines[row].shown!r}"
            notes.append(Remark(lines[row].number, what))
            remaining[row] = lines[row].with_text("")
        row = end if rows else row + 1
    final, begin = _key_at_end(remaining)
    if final:  # left in the text, it could be taken for the choices of the last question
        key += final
        remaining[begin:] = [line.with_text("") for line in remaining[begin:]]
    return remaining, key, notes


def _pairs_behind_word(line: Line) -> list[tuple[str, str]]:
    """The pairs of a key behind the answer word of a line; [] for another line, and for one pair
    behind a word that is not plural."""
    match = ANSWER_LINE.fullmatch(_SECTION.sub("", line.narrow, count=1))
    pairs = _pairs_of(match["rest"].strip(" *_:")) if match else []
    is_key = match and (len(pairs) > 1 or _PLURAL.search(match["word"]))
    return pairs if is_key else []


def _is_key_heading(lines: Lines, row: int) -> bool:
    """Whether a line may be the heading of a key that is below it, or of the key's columns."""
    line = lines[row]
    return _KEY_COLUMNS.fullmatch(line.narrow) is not None or (
        len(line.text) <= _LONGEST_HEADING
        and _KEY_HEADING.search(line.narrow) is not None
        and not line.narrow.rstrip().endswith("?")
        and line.mark is None
        # Below a question's first line it goes on with it, unless it begins with such a word.
        and bool(
            _KEY_HEADING.match(line.narrow.lstrip()) or not (row and lines[row - 1].is_numbered)
        )
        and not _says_answer(line)
    )


def _says_answer(line: Line) -> bool:
    """Whether a line holds an answer, or pairs of a key, behind its answer word, or ends with a
    label behind a colon or equals sign."""
    if _LABEL_AT_END.search(line.narrow):
        return True
    rest = line.answer["rest"].strip(" *_:") if line.answer else ""
    return bool(
        line.answer and rest and (line.answer["sign"] or LABELS.fullmatch(rest) or _pairs_of(rest))
    )


def _key_below(lines: Lines, heading: int, rows: list[KeyRow]) -> tuple[int, list[Line]]:
    """The index of the line behind a key, whose heading is the line with that index, and its lines
    without an answer, such as explanations; its rows are added to `rows`, none where the lines
    below are not a key."""
    # Behind a heading with answers no question is printed again.
    above = set() if rows else {" ".join(line.narrow.split()) for line in lines[:heading]}
    choices = {
        fold_answer(line.text[line.mark.end :] if line.mark else line.text.lstrip("•●▪–-* \t"))
        for line in lines[:heading]
        if not (line.is_numbered or line.is_blank)
    }
    others: list[Line] = []
    end, pending = heading + 1, ""  # the number of a question that is printed again
    seen = {name for _, name, _ in rows}  # numbers since the last heading of a section
    for row in range(heading + 1, len(lines)):
        line = lines[row]
        if _NOTHING.fullmatch(line.narrow) or _KEY_COLUMNS.fullmatch(line.narrow):
            continue
        pairs = _key_pairs(line.narrow)
        seen = set() if _SECTION.match(line.narrow) else seen
        if pairs and not seen & {name for name, _ in pairs}:
            rows += [(line.number, *pair) for pair in pairs]
            seen |= {name for name, _ in pairs}
            pending = ""
        elif line.is_heading:
            seen = set()
        elif line.mark and line.is_numbered:
            text = line.narrow[line.mark.end :]
            label = _LABEL_BEHIND.search(text)
            text = fold_answer(text[: label.start()] if label else text)
            if " ".join(line.narrow.split()) in above:
                pending = line.mark.label
                continue
            if text in choices:
                rows.append((line.number, line.mark.label, label[1] if label else text))
            elif rows and _goes_on_without_label(lines, heading, row, rows[-1][1]):
                others.append(line)
            else:
                break
        elif pending and (answer := _answer_again(line)):
            rows.append((line.number, pending, answer))
            pending = ""
        elif not pending:
            is_apart = lines[row - 1].is_blank or _KEY_HEADING.search(line.narrow)
            if rows and is_apart and not _key_goes_on(lines[row : row + 40], rows[-1][1]):
                break
            others.append(line)
            if not rows and len(others) > _MOST_BEFORE:
                break
            if not rows:
                continue
        end = row + 1
    return end, others


def _goes_on_without_label(lines: Lines, heading: int, row: int, last: str) -> bool:
    """Whether a numbered line of a key is the answer, in words, to a question above the heading:
    its number is the next one behind `last`, or another such answer is between, and no choices are
    below it."""
    numbers = [line.mark.label for line in lines[:heading] if line.mark and line.is_numbered]
    mark, below = lines[row].mark, next_lines(lines[row : row + 40])[0].mark
    return (
        mark is not None
        and {last, mark.label} <= {*numbers}
        and numbers.index(last) < numbers.index(mark.label)
        and (below is None or below.is_numeral)
    )


def _key_goes_on(lines: Lines, last: str) -> bool:
    """Whether the first numbered line is a key's row for the number after `last`."""
    following = next((line.narrow for line in lines if line.is_numbered), "")
    match = _KEY_ROW.fullmatch(following)
    return match is not None and last.isdigit() and match["number"] == str(int(last) + 1)


def _key_pairs(narrow: str) -> list[tuple[str, str]]:
    """The pairs (number, label) of a line of a key; [] for other lines."""
    if pairs := _pairs_of(narrow.strip(" |*_")):
        return pairs
    match = _KEY_ROW.fullmatch(narrow)
    return [(match["number"], match["label"])] if match else []


def read_key(text: str) -> list[KeyRow]:
    """The rows of a text that is a key and nothing else: lines of numbers and labels (`1. b`,
    `1b 2a 3c`, `1-3 ABA`), with headings above or before them or without; [] for any other text."""
    rows: list[KeyRow] = []
    lines = list(map(Line, count(1), text.split("\n")))
    for line in with_whole_pairs(with_arabic_numbers(with_sections(lines))):
        heading, sign, rest = line.narrow.partition(":")
        is_headed = sign and rest.strip() and _is_heading(line.with_text(heading))
        if pairs := _key_pairs(rest if is_headed else line.narrow):
            rows += [(line.number, *pair) for pair in pairs]
        elif not (_NOTHING.fullmatch(line.narrow) or _is_heading(line)):
            return []
    return rows


def _is_heading(line: Line) -> bool:
    """Whether a line may be above the rows of a key: of a section, of the columns of a table, or
    of a key in 60 characters at most."""
    return bool(
        line.is_heading
        or _KEY_COLUMNS.fullmatch(line.narrow)
        or (len(line.text) <= _LONGEST_HEADING and _KEY_HEADING.search(line.narrow))
    )


def _answer_again(line: Line) -> str:
    """The answer of a question that is printed again in a key: what is behind an answer word, or
    the label of a starred choice; "" for other lines."""
    if match := _STARRED.match(line.narrow):
        return match["label"]
    match = line.answer
    return match["rest"].strip(" *_") if match and (match["sign"] or match["rest"]) else ""


def _key_at_end(lines: Lines) -> tuple[list[KeyRow], int]:
    """The pairs of a key without a heading at the end of a text, and the row of the blank line
    above them; no pairs for fewer than two, and where their numbers do not all begin lines
    above."""
    rows: list[KeyRow] = []
    begin = len(lines)
    while begin:
        line = lines[begin - 1]
        pairs = _pairs_of(line.narrow)
        if not (pairs or line.is_blank or (line.answer and not line.answer["rest"])):
            break
        begin -= 1
        rows[:0] = [(line.number, *pair) for pair in pairs]
    above = {line.mark.label for line in lines[:begin] if line.mark}
    is_apart = len(rows) > 1 and (lines[begin].is_blank or len(_pairs_of(lines[begin].narrow)) > 1)
    return (rows if is_apart and {name for _, name, _ in rows} <= above else []), begin
