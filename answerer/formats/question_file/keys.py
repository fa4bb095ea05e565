"""The answers in a numbered text: lines below the questions, and keys."""

from __future__ import annotations

import re
from collections.abc import Sequence

from answerer.formats.question_file.layout import counted_lines
from answerer.formats.question_file.marks import (
    KANA,
    LETTERS,
    SIGNS,
    WORD,
    first_mark,
    with_arabic_numbers,
)
from answerer.formats.question_file.parts import (
    EM_SPACE,
    SYMBOLS,
    Lines,
    Remark,
    half_width,
    plain_label,
)
from answerer.formats.question_file.truth import FALSE_WORDS, TRUE_WORDS, either, fold_answer, truth

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
# What a learner chose, which some programs print before the right answer.
_GIVEN_ANSWER = re.compile(
    r"\s*(?:我的答案|学生答案|你的答案|(?:your|my|selected|student)\s+(?:answer|choice"
    r"|response))\s*:\s*(?P<label>[A-Za-z]{0,6})[\s;,.]*",
    re.IGNORECASE,
)
# What ExamView prints behind an answer: points, difficulty, page, topic.
_BEHIND_ANSWER = re.compile(r"(?<=\S)\s+(?:PTS|DIF|REF|OBJ|TOP|KEY|NAT|STA|MSC|BLM|LOC|NOT)\s*:.*")
_ANSWER_LINE = re.compile(
    rf"[\[(<*_#>•\s-]*+(?:[A-Z]\d{{1,3}}\.\s)?(?:(?<=\()[^\W\d]{{3,20}}[;,]\s)?(?P<word>{ANSWER_WORD})"
    r"(?:(?<=[^\x00-ӿ])|(?![A-Za-zÀ-ɏЀ-ӿ]))[\])>*_]*"
    rf"(?P<sign>\s*[:=.]|\s+(?:is|es|est|ist)\b|は|\s*[-–—]+(?=\s*{_LABEL_FIRST}))?[\s*_:–—-]*(?P<rest>.*)",
    re.IGNORECASE,
)
_ANSWER_START = re.compile(
    rf"[\W_]*+(?:{_GIVEN_ANSWER.pattern}|{ANSWER_WORD}\s*[:=])", re.IGNORECASE
)
_LABELS = re.compile(
    rf"[(\[]?\s*{KEY_LABEL}\s*[)\]]?(?:\s*[,;/&、・]\s*{KEY_LABEL})*[\s.。)\]>*_]*"
)
# What a key says of a question: a label, or a word for true or false.
_TRUTHS = either(word for word in TRUE_WORDS | FALSE_WORDS if len(word) > 1 or not word.isascii())
_KEY_ANSWER = rf"(?:{_TRUTHS}|{KEY_LABEL})"
_QUESTION_WORD = r"(?:(?:q(?:uestion)?|設問|小問|問題?|第)\s?)"
_KEY_NUMBER = rf"{_QUESTION_WORD}?[(\[]?\d{{1,4}}\s?問?[)\]]?\.?"
_PAIR = re.compile(
    rf"(?:(?P<circled>[{SYMBOLS[0]}])\s*(?P<truth>{_TRUTHS})"
    rf"|{_QUESTION_WORD}"
    rf"?[(\[]?(?P<number>\d{{1,4}}(?:[.-]\d{{1,3}})?)\s?問?[)\]]?(?:\s?[.:)\]、=-]\s?|\s+|"
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
HEADING = re.compile(
    r"\s*(?:(?:page|section|part|chapter|unit)\s+(?:\d{1,3}|[IVX]{1,4}|[A-Z])\b"
    r"|第\s?[\d一二三四五六七八九十]{1,3}\s?[部章節]).{0,50}|\s*\d{1,3}\s?\|\s?page\s*"
    r"|\s*[一二三四五六七八九十]{1,3}\s?、\s?\S{1,30}"
    r"|[\s■●◆※(<\[]*+(?:[IVXⅠ-Ⅹ]{1,4}\s?)?(?:正誤|[○〇◯]\s?[・/]?\s?[×✕]|選択|記述|穴埋め)\s?問題\W*+"
    r"|\s*[IVX]{1,4}[.)]\s+(?:multiple|true|fill|short|matching|essay|objective|long)\b.{0,50}"
    r"|\s*(?:(?:very\s+)?(?:short|long|brief)[\s-]answers?|multiple[\s-]choice|essay|matching"
    r"|fill[\s-]in(?:[\s-]the)?(?:[\s-]blanks?)?|true[\s/-](?:or|and)?[\s/-]?false)(?:\s+type)?"
    r"\s+(?:questions?|items|section)\W*",
    re.IGNORECASE,
)


def _pairs_of(narrow: str) -> list[tuple[str, str]]:
    """The pairs (question number, label) that a text in half width consists of; [] for one with
    other contents. Circled numbers, in plain digits, only stand before words for true and false."""
    pairs = list(_PAIR.finditer(narrow.strip()))
    is_whole = "".join(pair[0] for pair in pairs) == narrow.strip()
    return [
        (pair["number"] or plain_label(pair["circled"]), pair["label"] or pair["truth"])
        for pair in (pairs if is_whole else [])
    ]


def with_whole_pairs(lines: Lines) -> list[tuple[int, str]]:
    """The lines, but a pair of a key that a line end breaks (`1. B  2. C  3.` above `A`) is whole
    on the second line. Only behind two whole pairs, before which an answer word may stand."""
    whole: list[tuple[int, str]] = []
    begun = ""
    for number, line in lines:
        rows = [begun + joint + line.strip() for joint in ("", " ") if begun]
        row = next((row for row in rows if _PAIR.match(half_width(row))), "")
        goes_on = _begun_pair(half_width(row), 1)
        if goes_on or _pairs_of(half_width(row)):
            before = whole[-1][1].rstrip()
            whole[-1] = whole[-1][0], before[: len(before) - len(begun)]
            line = row
        whole.append((number, line))
        begun = goes_on or _begun_pair(half_width(line), 2)
    return whole


def _begun_pair(narrow: str, least: int) -> str:
    """The pair that a line in half width begins behind `least` whole ones or more, and does not
    end; "" for other lines."""
    match = _ANSWER_LINE.fullmatch(narrow)
    rest = (match["rest"] if match else narrow).strip()
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
    rf"\s?[問题題]?[)\]*_]*\s*[.:)、=|–—-]?[\s|*_]*"
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


def is_answer_line(narrow: str) -> bool:
    """Whether a line in half width begins with an answer word and a sign (`Answer: B`), or is only
    an answer word, perhaps with a word for true or false behind it that is not ASCII (`答え ×`)."""
    match = _ANSWER_LINE.fullmatch(narrow)
    return match is not None and (
        match["sign"] is not None or not match["rest"] or _is_truth_sign(match["rest"])
    )


def _is_truth_sign(text: str) -> bool:
    """Whether a text is a word for true or false that is not in ASCII letters, such as ×."""
    return not text.isascii() and truth(text) is not None


def without_keys(
    lines: Lines,
) -> tuple[list[tuple[int, str]], list[KeyRow], list[Remark]]:
    """The lines with blank ones for the keys below headings such as `Teacher copy - answers` (60
    characters at most), the rows of these keys, and notes that count the lines of explanations
    among them.

    A row is a number and a label, perhaps with a text or a reason behind it; rows are also ranges
    (`1-5 ABCDA`), a line of numbers above one of labels, or the questions again, with answers.
    """
    blanked = list(lines)
    key: list[KeyRow] = []
    notes: list[Remark] = []
    row = 0
    while row < len(lines):
        narrow = half_width(lines[row][1])
        is_heading = (
            len(narrow) <= _LONGEST_HEADING
            and _KEY_HEADING.search(narrow) is not None
            and not narrow.rstrip().endswith("?")
            and first_mark(narrow) is None
            # Below a question's first line it goes on with it, unless it begins with such a word.
            and (_KEY_HEADING.match(narrow) or not (row and _is_numbered(lines[row - 1][1])))
            and not _says_answer(narrow)
        )
        end, rows, others = _key_below(lines, row) if is_heading else (row + 1, [], [])
        if rows:
            blanked[row:end] = [(number, "") for number, _ in lines[row:end]]
            key += rows
            notes += counted_lines(others, "explanations in a key")
        row = end if rows else row + 1
    return blanked, key, notes


def _is_numbered(line: str) -> bool:
    mark = first_mark(half_width(line))
    return mark is not None and (mark.is_digit or mark.style == WORD)


def _says_answer(narrow: str) -> bool:
    """Whether a line holds an answer, or pairs of a key, behind its answer word, or ends with a
    label behind a colon or equals sign."""
    if _LABEL_AT_END.search(narrow):
        return True
    match = _ANSWER_LINE.fullmatch(narrow)
    rest = match["rest"].strip(" *_:") if match else ""
    return bool(match and rest and (match["sign"] or _LABELS.fullmatch(rest) or _pairs_of(rest)))


def _key_below(lines: Lines, heading: int) -> tuple[int, list[KeyRow], list[tuple[int, str]]]:
    """The index of the line behind a key, the key's rows, and its other lines, such as
    explanations; no rows where the lines below a heading (the line with that index) are not a
    key."""
    above = {" ".join(half_width(line).split()) for _, line in lines[:heading]}
    choices = {
        fold_answer(line[mark.end :])
        for _, line in lines[:heading]
        if (mark := first_mark(half_width(line))) and not mark.is_digit and mark.style != WORD
    }
    rows: list[KeyRow] = []
    others: list[tuple[int, str]] = []
    end, pending = heading + 1, ""  # the number of a question that is printed again
    numbers: list[str] = []  # of a line of numbers alone
    seen: set[str] = set()  # numbers since the last heading of a section
    for row in range(heading + 1, len(lines)):
        number, line = lines[row]
        narrow = half_width(line)
        if _NOTHING.fullmatch(narrow):
            continue
        if (upper := _numbers_in(narrow)) and _is_below(lines, row, upper):
            numbers = upper
            continue
        mark = first_mark(narrow)
        pairs = _key_pairs(narrow, numbers)
        is_below_blank = not lines[row - 1][1].strip()
        if pairs and not seen & {name for name, _ in pairs}:
            rows += [(number, *pair) for pair in pairs]
            seen |= {name for name, _ in pairs}
            numbers, pending = [], ""
        elif HEADING.fullmatch(narrow):
            seen = set()
        elif mark is not None and (mark.is_digit or mark.style == WORD):
            text = fold_answer(narrow[mark.end :])
            if " ".join(narrow.split()) in above:
                pending = mark.label
                continue
            if text not in choices:
                break
            rows.append((number, mark.label, text))
        elif pending and (answer := _answer_again(narrow)):
            rows.append((number, pending, answer))
            pending = ""
        elif not pending and rows and (is_below_blank or _KEY_HEADING.search(narrow)):
            if not _key_goes_on(lines, row, rows[-1][1]):
                break
            others.append((number, line))
        elif not pending:
            others.append((number, line))
            if not rows and len(others) > _MOST_BEFORE:
                break
            if not rows:
                continue
        end = row + 1
    return end, rows, others


def _key_goes_on(lines: Lines, row: int, last: str) -> bool:
    """Whether the next numbered line, 40 lines below at most, is a key's row for the number after
    `last`."""
    for _, line in lines[row : row + 40]:
        if _is_numbered(line):
            match = _KEY_ROW.fullmatch(half_width(line))
            return match is not None and last.isdigit() and match["number"] == str(int(last) + 1)
    return False


def _is_below(lines: Lines, row: int, numbers: Sequence[str]) -> bool:
    """Whether `numbers`, those of line `row`, count up and the next line has as many labels."""
    following = half_width(lines[row + 1][1]) if row + 1 < len(lines) else ""
    first = int(numbers[0])
    is_count = list(map(int, numbers)) == [*range(first, first + len(numbers))]
    return is_count and len(_labels_in(following)) == len(numbers)


def _numbers_in(narrow: str) -> list[str]:
    """The numbers of a line of numbers, perhaps with a word before them; [] for another."""
    match = _KEY_NUMBERS.fullmatch(narrow)
    return re.findall(r"\d+", match["cells"]) if match else []


def _labels_in(narrow: str) -> list[str]:
    """The labels of a line of labels, perhaps with an answer word before them; [] for another."""
    match = _KEY_LABELS.fullmatch(narrow)
    return match["cells"].replace("|", " ").split() if match else []


def _key_pairs(narrow: str, numbers: Sequence[str]) -> list[tuple[str, str]]:
    """The pairs (number, label) of a line of a key, which may be below a line of `numbers`; [] for
    other lines, and for other than as many labels as numbers."""
    if numbers and len(labels := _labels_in(narrow)) == len(numbers):
        return list(zip(numbers, labels, strict=True))
    if pairs := _pairs_of(narrow.strip(" |*_")):
        return pairs
    ranges = list(_KEY_RANGE.finditer(narrow))
    if ranges and "".join(match[0] for match in ranges) == narrow.strip():
        pairs = [pair for match in ranges for pair in _range_pairs(match)]
    elif match := _KEY_ROW.fullmatch(narrow):
        pairs = [(match["number"], match["label"])]
    return pairs


def read_key(text: str) -> list[KeyRow]:
    """The rows of a text that is a key and nothing else: lines of numbers and labels (`1. b`,
    `1b 2a 3c`, `1-3 ABA`), with headings above or before them or without; [] for any other text."""
    rows: list[KeyRow] = []
    numbers: list[str] = []  # of a line of numbers alone
    for number, line in with_arabic_numbers(list(enumerate(text.split("\n"), 1))):
        narrow = half_width(line)
        heading, sign, rest = narrow.partition(":")
        if sign and rest.strip() and _is_heading(heading):
            narrow = rest
        if pairs := _key_pairs(narrow, numbers):
            rows += [(number, *pair) for pair in pairs]
            numbers = []
        elif upper := _numbers_in(narrow):
            numbers = upper
        elif not (_NOTHING.fullmatch(narrow) or _is_heading(narrow)):
            return []
    return rows


def _is_heading(narrow: str) -> bool:
    """Whether a line may be above the rows of a key: of a section, of the columns of a table, or
    of a key in 60 characters at most."""
    return bool(
        HEADING.fullmatch(narrow)
        or _KEY_COLUMNS.fullmatch(narrow)
        or (len(narrow) <= _LONGEST_HEADING and _KEY_HEADING.search(narrow))
    )


def _range_pairs(match: re.Match[str]) -> list[tuple[str, str]]:
    """The pairs of a range, such as `1-3 ABA`; [] if it has more or fewer labels."""
    labels = re.findall("[A-Z]", match["labels"])
    numbers = range(int(match["first"]), int(match["last"]) + 1)
    is_whole = len(numbers) == len(labels)
    return list(zip(map(str, numbers), labels, strict=True)) if is_whole else []


def _answer_again(narrow: str) -> str:
    """The answer of a question that is printed again in a key: what is behind an answer word, or
    the label of a starred choice; "" for other lines."""
    if match := _STARRED.match(narrow):
        return match["label"]
    match = _ANSWER_LINE.fullmatch(narrow)
    return match["rest"].strip(" *_") if match and (match["sign"] or match["rest"]) else ""


# A place for the answer beside a number, perhaps filled: `__B__ 1.`, `( B ) 1.`, `B 1.`, `( ) 1.`
_IN_PLACE = r"[A-Za-z]|(?i:true|false)"
_BEFORE_NUMBER = re.compile(
    rf"\s*(?:_++\s*+(?:(?P<line>{_IN_PLACE})\s*+_++)?|\(\s*+\)|[(\[]\s*(?P<bracket>[A-Z])\s*[)\]]"
    r"|(?P<bare>[A-PR-Z]))\s*(?=(?P<number>\d{1,3})[.)]\s*(?!Ans)\S)"
)
_BEHIND_NUMBER = re.compile(rf"(\s*\d{{1,3}}[.)]\s*+)_++\s*+({_IN_PLACE})\s*+_++\s*(?=\S)")


def answers_beside_numbers(lines: Lines) -> list[tuple[int, str]]:
    """The lines, each answer in a place beside its question's number moved to a line `Answer: X`
    of the same number behind it, without empty places before numbers. Places are underlined;
    before numbers that count up without a gap, two at least, answers are also in brackets or bare.
    Places behind numbers count if two lines at least have one."""
    before = [_BEFORE_NUMBER.match(half_width(line)) for _, line in lines]
    behind = [_BEHIND_NUMBER.match(line) for _, line in lines]
    numbers = [int(match["number"]) for match in before if match and any(match.groups()[:3])]
    is_count = len(numbers) > 1 and numbers == [*range(numbers[0], numbers[0] + len(numbers))]
    are_filled = sum(map(bool, behind)) > 1
    changed: list[tuple[int, str]] = []
    for (number, line), match, blank in zip(lines, before, behind, strict=True):
        label: str | None = None
        if match and (is_count or not (match["bracket"] or match["bare"])):
            label = match["line"] or match["bracket"] or match["bare"]
            line = line[match.end() :]
        elif blank and are_filled:
            label = blank[2]
            line = blank[1] + line[blank.end() :]
        changed.append((number, line))
        if label:
            changed.append((number, f"Answer: {label}"))
    return changed


def split_answers(
    lines: Lines,
) -> tuple[list[tuple[int, str]], dict[int, str], list[KeyRow]]:
    """Separates a text from its answers: (lines, answers by index of their line, rows of keys).
    Lines are pairs (line number, text), here those of answers and keys are blank. An answer is what
    a line such as `Answer: B`, `Ans. (b)`, `The correct answer is C.` or `正解: イ` has behind the
    word, as printed (labels, ○ and × alone without a sign such as `:`), or the line below; a line
    `Your answer: C` counts as "", and so does `Explanation: …`, unless it ends with an answer. A
    key is a line such as `Answers`, with pairs of number and label behind it or below; or, at the
    end and below a blank line, two or more such pairs whose numbers begin lines above."""
    texts: list[tuple[int, str]] = []
    answers: dict[int, str] = {}
    key: list[KeyRow] = []
    is_open = is_next = False
    for row, (number, text) in enumerate(lines):
        narrow = half_width(text)
        if is_next and text.strip():  # below `Answer:`
            is_next = False
            is_answer = _LABELS.fullmatch(narrow.strip()) or _is_truth_sign(narrow)
            if is_answer or _is_last_row(lines, row, narrow):
                is_open = False
                answers[row] = narrow.strip()
                texts.append((number, ""))
                continue
        if prefix := _GIVEN_ANSWER.match(narrow):
            narrow = narrow[prefix.end() :]
            if not narrow.strip():
                answers[row] = ""
                texts.append((number, ""))
                continue
        match = _ANSWER_LINE.fullmatch(narrow)
        rest = _BEHIND_ANSWER.sub("", match["rest"] if match else narrow, count=1)
        rest = rest.strip(f" \t{EM_SPACE}*_:") if match else narrow
        pairs = _pairs_of(rest)
        if match and (not rest or len(pairs) > 1 or (pairs and _PLURAL.search(match["word"]))):
            is_open = True
            is_next = not rest
        elif is_open and text.strip() and not pairs and not HEADING.fullmatch(narrow):
            is_open = False
        if is_open:
            key += [(number, *pair) for pair in pairs]
        elif _REASON.match(narrow):
            behind = _ANSWER_IN_REASON.search(narrow)
            answers[row] = behind["label"] if behind else ""
        elif match:
            before = narrow[: match.start("rest")].strip()
            # Without a sign or "is" after the word only labels and ○ and × are an answer.
            is_answer = _LABELS.fullmatch(rest) or _is_truth_sign(rest)
            is_answer = is_answer or _is_last_row(lines, row, rest)
            if match["sign"] or before.endswith("]") or is_answer:
                answers[row] = rest.rstrip("])>") if before.startswith(("[", "(", "<")) else rest
        texts.append((number, "" if is_open or row in answers else text))
    final, begin = _key_at_end(texts)
    if final:  # left in the text, it could be taken for the choices of the last question
        key += final
        texts[begin:] = [(number, "") for number, _ in texts[begin:]]
    return texts, answers, key


def _key_at_end(lines: Lines) -> tuple[list[KeyRow], int]:
    """The pairs of a key without a heading at the end of a text, and the row of the blank line
    above them; no pairs for fewer than two, and where their numbers do not all begin lines
    above."""
    rows: list[KeyRow] = []
    begin = len(lines)
    while begin:
        number, line = lines[begin - 1]
        pairs = _pairs_of(half_width(line))
        if not pairs and line.strip():
            break
        begin -= 1
        rows[:0] = [(number, *pair) for pair in pairs]
    above = {mark.label for _, line in lines[:begin] if (mark := first_mark(half_width(line)))}
    is_apart = len(rows) > 1 and not lines[begin][1].strip()
    return (rows if is_apart and {name for _, name, _ in rows} <= above else []), begin


_UNBROKEN_ROW = re.compile(rf"[{KANA}{SIGNS}○〇◯×✕]{{2,}}")


def _is_last_row(lines: Lines, row: int, narrow: str) -> bool:
    """Whether `narrow`, of the last line that is not blank, the one at `row`, is a row of labels
    without numbers, or of signs for true and false, but not of both; letters and digits need blanks
    between them."""
    is_unbroken = _UNBROKEN_ROW.fullmatch(narrow.strip()) is not None
    labels = list(narrow.strip()) if is_unbroken else _labels_in(narrow)
    is_row = len({_is_truth_sign(label) for label in labels}) == 1
    return is_row and not any(line.strip() for _, line in lines[row + 1 :])


_PLURAL = re.compile("s$|key|解答", re.IGNORECASE)


def answers_apart(lines: Lines) -> list[tuple[int, str]]:
    """The lines with an answer in the last 80 characters of a line as a separate line of the same
    number, where a wide blank is before it or the line begins with a label; so also a word for true
    or false behind an arrow."""
    apart: list[tuple[int, str]] = []
    for number, line in lines:
        if behind := _TRUTH_BEHIND.search(half_width(line)):
            apart += [(number, line[: behind.start()]), (number, f"Answer: {line[behind.end() :]}")]
            continue
        begin = max(len(line) - _LONGEST_ANSWER, 0)
        behind = _ANSWER_BEHIND.search(half_width(line[begin:]))
        # Behind a choice, or a gap: otherwise what is before may be the answer's own words.
        is_behind = behind and (
            len(behind[0].expandtabs()) > 1 or first_mark(half_width(line)) is not None
        )
        if behind and is_behind and not _ANSWER_START.match(half_width(line)):
            cut = begin + behind.start()
            apart += [(number, line[:cut]), (number, line[cut:].strip())]
        else:
            apart.append((number, line))
    return apart
