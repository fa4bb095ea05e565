"""The answers in a numbered text: lines below the questions, and keys."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import count

from answerer.formats.question_file.lines import (
    ANSWER_LINE,
    ANSWER_WORD,
    KANA,
    KEY_LABEL,
    LETTERS,
    QUESTION_WORDS,
    SIGNS,
    Line,
    Lines,
    counted_lines,
    is_truth_sign,
)
from answerer.formats.question_file.marks import with_arabic_numbers
from answerer.formats.question_file.parts import (
    EM_SPACE,
    SYMBOLS,
    Remark,
    plain_label,
)
from answerer.formats.question_file.truth import FALSE_WORDS, TRUE_WORDS, either, fold_answer

# What a learner chose, which some programs print before the right answer.
_GIVEN_ANSWER = re.compile(
    r"\s*(?:我的答案|学生答案|你的答案|(?:your|my|selected|student)\s+(?:answer|choice"
    r"|response))\s*:\s*(?P<label>[A-Za-z]{0,6})[\s;,.]*",
    re.IGNORECASE,
)
# What ExamView prints behind an answer: points, difficulty, page, topic.
_BEHIND_ANSWER = re.compile(r"(?<=\S)\s+(?:PTS|DIF|REF|OBJ|TOP|KEY|NAT|STA|MSC|BLM|LOC|NOT)\s*:.*")
_ANSWER_START = re.compile(
    rf"[\W_]*+(?:{_GIVEN_ANSWER.pattern}|{ANSWER_WORD}\s*[:=])", re.IGNORECASE
)
_LABELS = re.compile(
    rf"[(\[]?\s*{KEY_LABEL}\s*[)\]]?(?:\s*[,;/&、・]\s*{KEY_LABEL})*[\s.。)\]>*_]*"
)
# What a key says of a question: a label, or a word for true or false.
_TRUTHS = either(word for word in TRUE_WORDS | FALSE_WORDS if len(word) > 1 or not word.isascii())
_KEY_ANSWER = rf"(?:{_TRUTHS}|{KEY_LABEL})"
_QUESTION_WORD = rf"(?:(?:{QUESTION_WORDS})\s?)"
_WORD_BEHIND = rf"(?:\s?問|\.?\s?(?:{QUESTION_WORDS}))?"
_KEY_NUMBER = rf"{_QUESTION_WORD}?[(\[]?\d{{1,4}}\s?問?[)\]]?\.?"
_PAIR = re.compile(
    rf"(?:(?P<circled>[{SYMBOLS[0]}])\s*(?P<truth>{_TRUTHS})"
    rf"|{_QUESTION_WORD}"
    rf"?[(\[]?(?P<number>\d{{1,4}}(?:[.-]\d{{1,3}})?){_WORD_BEHIND}[)\]]?(?:\s?[.:)\]、=-]\s?|\s+|"
    rf"(?=[A-Za-z{LETTERS}{SIGNS}○〇◯×✕]))[(\[]?(?P<label>{_KEY_ANSWER})[)\]]?)"
    rf"(?=$|[\s,;、。|.)/])[\s,;、。|./]*",
    re.IGNORECASE,
)
# What is left of a pair at the end of a line that is broken inside it.
_BEGUN_PAIR = re.compile(rf"{_QUESTION_WORD}?[(\[]?\d{{0,4}}\s?問?[)\]]?[.:、=-]?", re.IGNORECASE)
_REASON = re.compile(
    r"[\[(<*_\s]*(?:[a-z']{2,15}[\s/]){0,2}(?:explanation|explained|rationale|feedback|reason|hint"
    r"|difficulty|diff|points?|pts|topic|concept|ref|reference|objective|bloom'?s?|type|category|tags?"
    r"|level|解説|解析|详解|説明|配点|难度|考点|分值|explicación|explication"
    r"|erklärung|spiegazione|explicação|пояснение)"
    r"[\])>*_]*\s*(?::|$|(?<=[\]>]))|解析(?![几式学])|sol\.",
    re.IGNORECASE,
)
# The answer with which an explanation ends: `so the correct answer is B.`
_ANSWER_IN_REASON = re.compile(
    rf"{ANSWER_WORD}\s*(?::|は|为|為|是|is\s)\s*[(\[]?(?P<label>[A-Z{LETTERS}{SIGNS}])[)\]]?[\s.。]*$",
    re.IGNORECASE,
)
# An answer behind a text on its line, as `Ans: (b)` behind the last choice.
_ANSWER_BEHIND = re.compile(
    rf"(?<=\S)\s+(?=(?:{ANSWER_WORD})\s*[:=]\s*[(\[]?{KEY_LABEL}[)\]]?[\s.。]*$)", re.IGNORECASE
)
_TRUTH_BEHIND = re.compile(
    rf"(?<=\S)\s(?:→|⇒|[=-]>)\s*(?=(?:{_TRUTHS})\s*(?:$|[-–—(\[.,:;]))", re.IGNORECASE
)
_LONGEST_ANSWER = 80  # characters at the end of a line in which such an answer is sought


def _pairs_of(narrow: str) -> list[tuple[str, str]]:
    """The pairs (question number, label) that a text in half width consists of; [] for one with
    other contents. Circled numbers, in plain digits, only stand before words for true and false."""
    pairs = list(_PAIR.finditer(narrow.strip()))
    is_whole = "".join(pair[0] for pair in pairs) == narrow.strip()
    return [
        (pair["number"] or plain_label(pair["circled"]), pair["label"] or pair["truth"])
        for pair in (pairs if is_whole else [])
    ]


def with_whole_pairs(lines: Lines) -> list[Line]:
    """The lines, but a pair of a key that a line end breaks (`1. B  2. C  3.` above `A`) is whole
    on the second line, only behind two whole pairs, before which an answer word may stand; and a
    line of numbers that count up above one of as many labels is a line of pairs."""
    whole: list[Line] = []
    begun = ""
    numbers: list[str] = []
    for line in lines:
        labels = _cells_of(_KEY_LABELS, line)
        texts = (begun + joint + line.text.strip() for joint in ("", " ") if begun)
        rows = [Line(line.number, text) for text in texts]
        row = next((row for row in rows if _PAIR.match(row.narrow)), Line(line.number, ""))
        goes_on = _begun_pair(row, 1)
        if goes_on or _pairs_of(row.narrow):
            before = whole[-1].text.rstrip()
            whole[-1] = Line(whole[-1].number, before[: len(before) - len(begun)])
            line = row
        elif numbers and len(numbers) == len(labels):
            whole[-1] = Line(whole[-1].number, "")
            pairs = zip(numbers, labels, strict=True)
            line = Line(line.number, "  ".join(f"{number}. {label}" for number, label in pairs))
        whole.append(line)
        begun = goes_on or _begun_pair(line, 2)
        numbers = [re.sub(r"\D", "", cell) for cell in _cells_of(_KEY_NUMBERS, line)]
        if numbers != [str(int(numbers[0]) + step) for step in range(len(numbers))]:
            numbers = []
    return whole


def _cells_of(row: re.Pattern[str], line: Line) -> list[str]:
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


# An answer of a key: its line, the number of its question as printed, its label.
KeyRow = tuple[int, str, str]

# Behind a key's heading: its words, whatever is around them.
_KEY_HEADING = re.compile(
    r"(?:^|[\W_])(?:answers|answer\s*(?:keys?|sheet)|keys?|solutions?|marking\s+(?:key|scheme)"
    r"|lösungen|lösungsschlüssel|antworten|corrigés?|r[ée]ponses|solucion(?:es|ario)|respuestas"
    r"|soluzioni|risposte|gabarito|respostas|antwoorden|odpowiedzi|ответы|ключи?|svar|facit"
    r"|정답)(?=$|[\W_])|解答|正解|答え|こたえ|答案|解答",
    re.IGNORECASE,
)
_KEY_COLUMNS = re.compile(
    r"\s*(?:no|nr|number|item|q|question(?:\s+(?:no|number))?)\.?\s*[\t|,;]\s*"
    r"(?:(?:correct|right)\s+)?(?:answer|choice|option|letter)\s*",
    re.IGNORECASE,
)
_LABEL_AT_END = re.compile(rf"[:=]\s*[(\[]?{KEY_LABEL}[)\]]?[\s.。]*$")
_LONGEST_HEADING = 60  # characters: a longer line with such a word is a sentence
# A row of a key: a number, a label, perhaps a text or reason behind it.
_KEY_ROW = re.compile(
    rf"[\s|*_>#•-]*{_QUESTION_WORD}?[(\[]?(?P<number>\d{{1,4}}(?:[.-]\d{{1,3}})?)"
    rf"{_WORD_BEHIND}[)\]*_]*\s*[.:)、=|–—-]?[\s|*_]*"
    rf"(?:(?:the\s+)?(?:(?:correct|right)\s+)?(?:answer|option|choice)\s*(?:is\s|:)\s*)?[(\[]?"
    rf"(?P<label>{_KEY_ANSWER})[*_]*"
    rf"(?:[)\]*_|.。\s]*$|[)\]]?\s*[.:;|、)\]]\s*\S.*|[)\]]?\s+[-–—(]\s*\S.*|\t.*)",
    re.IGNORECASE,
)
_KEY_RANGE = re.compile(
    r"(?P<first>\d{1,4})\s*[-–—~～至]\s*(?P<last>\d{1,4})\s*[.:、)]?\s*"
    r"(?P<labels>[A-Z](?:[\s,、]*[A-Z])*)(?![A-Za-z])[\s;；。.]*"
)
# The rows of a table that lies on its side, numbers above answers, perhaps with a head before each.
_KEY_NUMBERS = re.compile(
    rf"[\s|]*(?:[^\W\d]{{1,10}}[\s|]+)?(?P<cells>{_KEY_NUMBER}(?:[\s|]+{_KEY_NUMBER})+)[\s|]*"
)
_KEY_LABELS = re.compile(
    rf"[\s|]*(?:(?:{ANSWER_WORD})[\s|]+)?(?P<cells>{_KEY_ANSWER}(?:[\s|]+{_KEY_ANSWER})+)[\s|]*",
    re.IGNORECASE,
)
_NOTHING = re.compile(r"[\W_]*")
_STARRED = re.compile(r"\s*(?:\*+|\[[xX*]\]\s*|[✓✔√]\s*)[(\[]?(?P<label>[A-Za-z])[).\]]")
_MOST_BEFORE = 2  # lines between a key's heading and its first row, as the heads of a table


def without_keys(lines: Lines) -> tuple[list[Line], list[KeyRow], list[Remark]]:
    """The lines with blank ones for keys, the rows of these, and notes that count the lines of
    explanations among them. A key is behind an answer word (`Answers: 1. B 2. C`), below a heading
    such as `Teacher copy - answers` (60 characters at most), or, at the end and below a blank line,
    two or more pairs of number and label whose numbers begin lines above.

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
            remaining[row:end] = [Line(line.number, "") for line in lines[row:end]]
            key += rows
            notes += counted_lines(others, "explanations in a key")
        row = end if rows else row + 1
    final, begin = _key_at_end(remaining)
    if final:  # left in the text, it could be taken for the choices of the last question
        key += final
        remaining[begin:] = [Line(line.number, "") for line in remaining[begin:]]
    return remaining, key, notes


def _pairs_behind_word(line: Line) -> list[tuple[str, str]]:
    """The pairs of a key behind the answer word of a line; [] for another line, and for one pair
    behind a word that is not plural."""
    pairs = _pairs_of(line.answer["rest"].strip(" *_:")) if line.answer else []
    is_key = line.answer and (len(pairs) > 1 or _PLURAL.search(line.answer["word"]))
    return pairs if is_key else []


def _is_key_heading(lines: Lines, row: int) -> bool:
    """Whether a line may be the heading of a key that is below it."""
    line = lines[row]
    return (
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
        line.answer and rest and (line.answer["sign"] or _LABELS.fullmatch(rest) or _pairs_of(rest))
    )


def _key_below(lines: Lines, heading: int, rows: list[KeyRow]) -> tuple[int, list[Line]]:
    """The index of the line behind a key, whose heading is the line with that index, and its lines
    without an answer, such as explanations; its rows are added to `rows`, none where the lines
    below are not a key."""
    # Behind a heading with answers no question is printed again.
    above = set() if rows else {" ".join(line.narrow.split()) for line in lines[:heading]}
    choices = {
        fold_answer(line.text[line.mark.end :])
        for line in lines[:heading]
        if line.mark and not line.mark.is_numeral
    }
    others: list[Line] = []
    end, pending = heading + 1, ""  # the number of a question that is printed again
    seen = {name for _, name, _ in rows}  # numbers since the last heading of a section
    for row in range(heading + 1, len(lines)):
        line = lines[row]
        if _NOTHING.fullmatch(line.narrow):
            continue
        pairs = _key_pairs(line.narrow)
        if pairs and not seen & {name for name, _ in pairs}:
            rows += [(line.number, *pair) for pair in pairs]
            seen |= {name for name, _ in pairs}
            pending = ""
        elif line.is_heading:
            seen = set()
        elif line.mark and line.is_numbered:
            text = fold_answer(line.narrow[line.mark.end :])
            if " ".join(line.narrow.split()) in above:
                pending = line.mark.label
                continue
            if text not in choices:
                break
            rows.append((line.number, line.mark.label, text))
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


def _key_goes_on(lines: Lines, last: str) -> bool:
    """Whether the first numbered line is a key's row for the number after `last`."""
    following = next((line.narrow for line in lines if line.is_numbered), "")
    match = _KEY_ROW.fullmatch(following)
    return match is not None and last.isdigit() and match["number"] == str(int(last) + 1)


def _key_pairs(narrow: str) -> list[tuple[str, str]]:
    """The pairs (number, label) of a line of a key; [] for other lines."""
    if pairs := _pairs_of(narrow.strip(" |*_")):
        return pairs
    ranges = list(_KEY_RANGE.finditer(narrow))
    if ranges and "".join(match[0] for match in ranges) == narrow.strip():
        return [pair for match in ranges for pair in _range_pairs(match)]
    match = _KEY_ROW.fullmatch(narrow)
    return [(match["number"], match["label"])] if match else []


def read_key(text: str) -> list[KeyRow]:
    """The rows of a text that is a key and nothing else: lines of numbers and labels (`1. b`,
    `1b 2a 3c`, `1-3 ABA`), with headings above or before them or without; [] for any other text."""
    rows: list[KeyRow] = []
    lines = list(map(Line, count(1), text.split("\n")))
    for line in with_whole_pairs(with_arabic_numbers(lines)):
        heading, sign, rest = line.narrow.partition(":")
        is_headed = sign and rest.strip() and _is_heading(Line(line.number, heading))
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


def _range_pairs(match: re.Match[str]) -> list[tuple[str, str]]:
    """The pairs of a range, such as `1-3 ABA`; [] if it has more or fewer labels."""
    labels = re.findall("[A-Z]", match["labels"])
    numbers = range(int(match["first"]), int(match["last"]) + 1)
    is_whole = len(numbers) == len(labels)
    return list(zip(map(str, numbers), labels, strict=True)) if is_whole else []


def _answer_again(line: Line) -> str:
    """The answer of a question that is printed again in a key: what is behind an answer word, or
    the label of a starred choice; "" for other lines."""
    if match := _STARRED.match(line.narrow):
        return match["label"]
    match = line.answer
    return match["rest"].strip(" *_") if match and (match["sign"] or match["rest"]) else ""


# A place for the answer beside a number, perhaps filled: `__B__ 1.`, `( B ) 1.`, `B 1.`, `( ) 1.`
_IN_PLACE = r"[A-Za-z]|(?i:true|false)"
_BEFORE_NUMBER = re.compile(
    rf"\s*(?:_++\s*+(?:(?P<line>{_IN_PLACE})\s*+_++)?|\(\s*+\)|[(\[]\s*(?P<bracket>[A-Z])\s*[)\]]"
    r"|(?P<bare>[A-PR-Z]))\s*(?=(?P<number>\d{1,3})[.)]\s*(?!Ans)\S)"
)
_BEHIND_NUMBER = re.compile(rf"(\s*\d{{1,3}}[.)]\s*+)_++\s*+({_IN_PLACE})\s*+_++\s*(?=\S)")


def answers_beside_numbers(lines: Lines) -> Iterator[Line]:
    """The lines, each answer in a place beside its question's number moved to a line `Answer: X`
    of the same number behind it, without empty places before numbers. Places are underlined;
    before numbers that count up without a gap, two at least, answers are also in brackets or bare.
    Places behind numbers count if two lines at least have one."""
    before = [_BEFORE_NUMBER.match(line.narrow) for line in lines]
    behind = [_BEHIND_NUMBER.match(line.text) for line in lines]
    numbers = [int(match["number"]) for match in before if match and any(match.groups()[:3])]
    is_count = len(numbers) > 1 and numbers == [*range(numbers[0], numbers[0] + len(numbers))]
    are_filled = sum(map(bool, behind)) > 1
    for line, match, blank in zip(lines, before, behind, strict=True):
        text, label = line.text, ""
        if match and (is_count or not (match["bracket"] or match["bare"])):
            label = match["line"] or match["bracket"] or match["bare"]
            text = text[match.end() :]
        elif blank and are_filled:
            label = blank[2]
            text = blank[1] + text[blank.end() :]
        yield Line(line.number, text)
        if label:
            yield Line(line.number, f"Answer: {label}")


def split_answers(lines: Lines) -> tuple[list[Line], dict[int, str]]:
    """Separates a text from its answers: lines, those of answers blank, and answers by index of
    their line. An answer is what a line such as `Answer: B`, `Ans. (b)`, `The correct answer is C.`
    or `正解: イ` has behind the word, as printed (labels, ○ and × alone without a sign such as
    `:`), or the line below; a line `Your answer: C` counts as "", and so does `Explanation: …`,
    unless it ends with an answer."""
    texts: list[Line] = []
    answers: dict[int, str] = {}
    is_next = False
    for row, line in enumerate(lines):
        answer = _answer_of(lines, row, is_next=is_next)
        is_word = line.answer is not None and not line.answer["rest"].strip(_AROUND_ANSWER)
        is_next = is_word or (is_next and line.is_blank)
        if answer is not None:
            answers[row] = answer
        texts.append(line if answer is None and not is_word else Line(line.number, ""))
    return texts, answers


def _answer_of(lines: Lines, row: int, *, is_next: bool) -> str | None:
    """The answer that a line gives, with `is_next` below an answer word alone; "" for an
    explanation, None for another line."""
    narrow = lines[row].narrow
    if is_next and _is_answer(lines, row, narrow.strip()):
        return narrow.strip()
    if prefix := _GIVEN_ANSWER.match(narrow):
        narrow = narrow[prefix.end() :]
        if not narrow.strip():
            return ""
    match = ANSWER_LINE.fullmatch(narrow)
    if _REASON.match(narrow):
        behind = _ANSWER_IN_REASON.search(narrow)
        return behind["label"] if behind else ""
    rest = _BEHIND_ANSWER.sub("", match["rest"], count=1).strip(_AROUND_ANSWER) if match else ""
    if not match or not rest:
        return None
    before = narrow[: match.start("rest")].strip()
    # Without a sign or "is" after the word only labels and ○ and × are an answer.
    if match["sign"] or before.endswith("]") or _is_answer(lines, row, rest):
        return rest.rstrip("])>") if before.startswith(("[", "(", "<")) else rest
    return None


def _is_answer(lines: Lines, row: int, narrow: str) -> bool:
    """Whether a text of a line is labels, or a sign for true or false, or the last row of some."""
    is_label = _LABELS.fullmatch(narrow) is not None
    return is_label or is_truth_sign(narrow) or _is_last_row(lines, row, narrow)


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
    is_apart = len(rows) > 1 and lines[begin].is_blank
    return (rows if is_apart and {name for _, name, _ in rows} <= above else []), begin


_AROUND_ANSWER = f" \t{EM_SPACE}*_:"
_UNBROKEN_ROW = re.compile(rf"[{KANA}{SIGNS}○〇◯×✕]{{2,}}")


def _is_last_row(lines: Lines, row: int, narrow: str) -> bool:
    """Whether `narrow`, of the last line that is not blank, the one at `row`, is a row of labels
    without numbers, or of signs for true and false, but not of both; letters and digits need blanks
    between them."""
    is_unbroken = _UNBROKEN_ROW.fullmatch(narrow.strip()) is not None
    labels = list(narrow.strip()) if is_unbroken else _cells_of(_KEY_LABELS, Line(0, narrow))
    is_row = len(set(map(is_truth_sign, labels))) == 1
    return is_row and all(line.is_blank for line in lines[row + 1 :])


_PLURAL = re.compile("s$|key|解答", re.IGNORECASE)


def answers_apart(lines: Iterable[Line]) -> Iterator[Line]:
    """The lines with an answer in the last 80 characters of a line as a separate line of the same
    number, where a wide blank is before it or the line begins with a label; so also a word for true
    or false behind an arrow."""
    for line in lines:
        begin = max(len(line.text) - _LONGEST_ANSWER, 0)
        if behind := _TRUTH_BEHIND.search(line.narrow):
            yield Line(line.number, line.text[: behind.start()])
            yield Line(line.number, f"Answer: {line.text[behind.end() :]}")
        elif (
            (behind := _ANSWER_BEHIND.search(line.narrow, begin))
            # Behind a choice, or a gap: otherwise what is before may be the answer's own words.
            and (line.mark or len(behind[0].expandtabs()) > 1)
            and not _ANSWER_START.match(line.narrow)
        ):
            yield Line(line.number, line.text[: behind.start()])
            yield Line(line.number, line.text[behind.start() :].strip())
        else:
            yield line
