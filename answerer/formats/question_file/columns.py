"""Questions in columns, CSV and TSV with a header or without; JSON objects have keys that mean the
same."""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise, zip_longest
from typing import Literal

from answerer.formats.question_file.parts import (
    SERIES,
    LabelledChoice,
    Parsed,
    PlainQuestion,
    Remark,
    keep_askable,
    lettered_question,
    other_kind,
    without_tags,
)
from answerer.formats.question_file.truth import truth

_NAMES = {
    "id": "id qid questionid no number num questionnumber questionno 番号 問題番号 题号 序号",
    "question": "question stem statement prompt text questiontext questiontitle 問題 問題文 質問 "
    "設問 問い 問 题目 题干 pregunta frage domanda pergunta вопрос pytanie vraag",
    "answer": "answer ans correct correctanswer correctanswers rightanswer key gold label "
    "answerkey correctoption correctoptions correctchoice correctindex answerindex answeridx "
    "correctanswerindex correctoptionindex rightoption correctletter cop solution 正解 正答 答え "
    "答 正解番号 正答番号 解答番号 正解記号 正解肢 正誤 "
    "解答 答案 正确答案 参考答案 respuesta respuestacorrecta antwort richtigeantwort réponse "
    "bonneréponse risposta rispostacorretta resposta respostacorreta ответ правильныйответ",
    "choices": "choices options alternatives answerchoices answeroptions 選択肢 选项 answers",
}
_CHOICE = re.compile(
    r"(?:choice|option|opt?|answerchoice|answeroption|answer|alternative"
    r"|選択肢?|选项|选择|opción|opcion|respuesta|réponse|antwort|risposta"
    r"|resposta)?([a-j]|[1-9]|10|[アイウエオカキクケコ])"
)
# The choices that are not right, where the right one has a separate column.
_WRONG = re.compile(
    r"(?:(?:wrong|incorrect)(?:(?:answer|option|choice|response)s?)?|falseanswers?|distractors?)\d*"
    r"|(?:错误答案|不正解|誤答|誤り)(?:選択肢)?\d*"
)
# In objects of choices: its label, its text, and whether it is right.
_LABEL_NAMES = "label letter key id".split()
_TEXT_NAMES = "text answertext optiontext choicetext value content option choice answer".split()
_RIGHT_NAMES = "correct iscorrect right isright isanswer is_answer".split()
_BETWEEN_CHOICES = ("\n", "|", ";", "；")  # in one cell
# What quiz programs write behind a column's name: `Question - max 120 characters`, `answer(s)`.
_BEHIND_NAME = re.compile(r"\([^()]*\)|（[^（）]*）|\s[-–—]\s.*", re.DOTALL)
_HINT = re.compile(r"(?:text of the question|question text|type your question)\b", re.IGNORECASE)
_ABOVE_HEADER = 20  # lines, such as a title
# Blackboard's rows: a kind, the question, and what is right (or pairs of choice and `correct`).
_KINDS = frozenset(
    "MC MA TF ESS ORD MAT FIB FIB_PLUS FIL NUM SR OP JUMBLED_SENTENCE QUIZ_BOWL".split()
)
_SIGNS = re.compile(r"[\s_\-.#:/()]+")
_ROWS = 20  # of a file without a header, by which its columns are recognised
_LABEL_BEFORE = re.compile(r"[(\[]?([A-Za-z])[).\]:]\s*(?=\S)")
_LABEL = re.compile(r"[A-Ja-j]|[1-9]|10|[アイウエオ]|[①-⑩]")


def read_table(text: str) -> Parsed | None:
    """Reads the questions of a text in columns separated by tabs, commas, semicolons or `|`; None
    for any other text.

    A header has column names for question and choices; lines above it, 19 at most, are noted,
    and so are columns with other names where none is of answers, and names of answers that are
    repeated, which give none.
    Without a header, the first 20 rows decide; the separators are tabs: perhaps an id, the
    question, a label or number, and the choices; or the rows are Blackboard's, or, with commas,
    Brightspace's; or, with tabs or commas, the question, its choices and a label, as many cells in
    every row. With columns of a question and an answer, none of choices, and nothing but words for
    true and false as answers, the choices are A ○ and B ×, or True and False where all the words
    are ASCII. A row with more cells than the header, with an unclosed quote, or of hints such as
    "type your question" is rejected; missing cells are ""."""
    notes: list[Remark] = []
    words: dict[str, str] = {}
    if header := _header_of(text):
        row, sign, names, words = header
        rows = [(line + row, cells) for line, cells in _rows(_below(text, row), sign)[1:]]
        notes = _notes_on_header(text.split("\n", row)[:row], names)
        names = [name if name not in _repeated_answers(names) else "" for name in names]
    elif _LIBRARY.search(text):
        return keep_askable(_library_questions(_rows(text, ",")), form="columns")
    else:
        rows = _rows(text, "\t")
        if rows and all(cells and cells[0].upper() in _KINDS for _, cells in rows[:_ROWS]):
            typed = [_typed_question(cells, line) for line, cells in rows]
            return keep_askable(typed, form="columns")
        names = _guess_names([cells for _, cells in rows[:_ROWS]])
        names = names or _guess_names_before_label([cells for _, cells in rows[:_ROWS]])
        if not names:
            rows = _rows(text, ",") if _has_commas(text) else []
            names = _guess_names_before_label([cells for _, cells in rows[:_ROWS]])
        if not names:
            return None
    questions: list[PlainQuestion | Remark] = []
    for line, cells in rows:
        if not cells:
            what = "this and what follows" if line == rows[-1][0] else "this line"
            fault = f"a quote that is not closed, or too long a cell: {what} is not read"
            questions.append(Remark(line, fault))
        elif len(cells) > len(names):
            what = f"{len(cells)} cells, the header has {len(names)}"
            fault = f"{what}: put quotes around text that holds the separator"
            questions.append(Remark(line, fault))
        elif question := question_of(dict(zip_longest(names, cells, fillvalue="")) | words, line):
            is_hint = _HINT.match(question.text) and not any(map(str.isdigit, question.answers))
            hint = Remark(line, "a row that explains the columns: left out")
            questions.append(hint if is_hint else question)
    return with_labels_for_positions(keep_askable(questions, notes, form="columns"))


def _notes_on_header(above: Sequence[str], names: Sequence[str]) -> list[Remark]:
    """The notes on the lines above a header of these names, on names of answers that it repeats,
    and on its unknown names where none is of answers."""
    notes = []
    if spoken := [number for number, line in enumerate(above, 1) if line.strip(" \t,;|")]:
        notes.append(Remark(spoken[0], "above the header of the columns: left out"))
    if repeated := _repeated_answers(names):
        what = f"several columns {repeated[0]}: not read; write what is right in one"
        notes.append(Remark(len(above) + 1, what))
    roles = roles_of(names)
    unknown = [name for name, role in zip(names, roles, strict=True) if name and not role]
    if unknown and "answer" not in roles:
        what = f"no column of answers; columns not read: {', '.join(unknown)[:200]}"
        notes.append(Remark(len(above) + 1, what))
    return notes


def _repeated_answers(names: Sequence[str]) -> list[str]:
    """The names of answers that a header has several times, as one behind each choice."""
    pairs = zip(names, roles_of(names), strict=True)
    return [name for name, role in pairs if role == "answer" and names.count(name) > 1]


def _choices_of_statements(names: Sequence[str], text: str, sign: str) -> dict[str, str]:
    """The choices of statements to be judged, by their labels, True and False where all answers are
    ASCII, else ○ and ×; {} unless a header names a question and an answer, but no choices, and all
    answers of the text that it begins, at least one, are words for true and false."""
    roles = roles_of(names)
    if not {"question", "answer"} <= set(roles) or {"choices", "choice"} & set(roles):
        return {}
    column = roles.index("answer")
    answers = [cell for _, cells in _rows(text, sign)[1:] for cell in cells[column : column + 1]]
    told = list(filter(None, answers))
    if not told or any(truth(answer) is None for answer in told):
        return {}
    words = ("True", "False") if all(map(str.isascii, told)) else ("○", "×")
    return dict(zip("AB", words, strict=True))


def roles_of(names: Sequence[str]) -> list[str]:
    """What each column is by its name: a key of `_NAMES`, `choice`, or "" for another."""
    plain = list(map(_plain_name, names))
    roles = {alias: role for role, aliases in _NAMES.items() for alias in aliases.split()}
    is_choice = [_CHOICE.fullmatch(name) or _WRONG.fullmatch(name) for name in plain]
    return [
        roles.get(name, "choice" if choice else "")
        for name, choice in zip(plain, is_choice, strict=True)
    ]


def missed_columns(text: str) -> str:
    """Which columns a table without questions lacks, and those of its first line of cells; "" for a
    text whose first such line, of three cells or more parted by tabs, names neither a question nor
    choices."""
    cells = next((line.split("\t") for line in text.split("\n") if line.count("\t") > 1), [])
    roles = roles_of(cells)
    missed = ["a question"] * ("question" not in roles)
    missed += ["choices"] * ("choices" not in roles and roles.count("choice") < 2)
    if not cells or len(missed) == 2:
        return ""
    lacks = f"no column of {' or '.join(missed)}" if missed else "no row with a question"
    return f"{lacks}: the columns are {', '.join(cells)[:200]}"


def _below(text: str, count: int) -> str:
    return text.split("\n", count)[count] if count else text


def _header_of(text: str) -> tuple[int, str, list[str], dict[str, str]] | None:
    """The first of 20 lines with names of a question and of choices, more than three names unless
    it is the first line, or of statements to be judged: how many lines are above it, its separator,
    the names, and the choices that are the same for all (`_choices_of_statements`); None without
    such a line."""
    for row, line in enumerate(text.split("\n", _ABOVE_HEADER)[:_ABOVE_HEADER]):
        line = line.removeprefix("#columns:")  # Anki's
        for sign in "\t,;|":
            names = next((cells for _, cells in _rows(line, sign)), []) if sign in line else []
            has_choices = question_of(dict.fromkeys(names, ""), 1) and (row == 0 or len(names) > 3)
            words = _choices_of_statements(names, _below(text, row), sign)
            if has_choices or words:
                return row, sign, names, words
    return None


def _has_commas(text: str) -> bool:
    """Whether at least two of the first 20 lines are not blank, and each of these has three commas
    or more."""
    lines = [line for line in text.split("\n", _ROWS)[:_ROWS] if line.strip()]
    return len(lines) > 1 and all(line.count(",") > 2 for line in lines)


def _guess_names_before_label(rows: Sequence[Sequence[str]]) -> list[str]:
    """The names of the columns of at least two rows without a header that end with what is right:
    perhaps a number, the question, 2 to 10 choices, as many in every row, and the label, position
    (from 0 or 1) or text of one; [] for other rows, and, but with a text, for questions of less
    than four characters."""
    counts = {len(row) for row in rows}
    count = min(counts, default=0)
    if len(rows) < 2 or len(counts) > 1 or not count:
        return []
    numbers = [row[0] for row in rows]
    has_id = all(map(str.isdecimal, numbers)) and len(set(numbers)) == len(numbers)
    if not 4 <= count - has_id <= 12:
        return []
    labels = SERIES[0][: count - has_id - 2]
    positions = [str(position) for position in range(len(labels) + 1)]
    is_asked = all(len(row[has_id]) > 3 for row in rows) and any(
        all(row[-1] and row[-1] in right for row in rows)
        for right in (labels, labels.lower(), positions)
    )
    is_text = all(row[has_id + 1 : -1].count(row[-1]) == 1 and row[-1] for row in rows)
    return [*["id"][:has_id], "question", *labels, "answer"] if is_asked or is_text else []


# A question of Brightspace's question library, as its csv begins one.
_LIBRARY = re.compile(r'^"?NewQuestion"?,\s*"?[A-Z]{1,3}\b', re.MULTILINE)


def _library_questions(rows: Sequence[tuple[int, list[str]]]) -> Iterator[PlainQuestion | Remark]:
    """Yields the questions of Brightspace's question library, whose rows begin with the name of a
    part: `NewQuestion` and a kind (`MC`, `MS`, `TF`), `ID`, `QuestionText`, `Option` (of TF `True`,
    `False`) with points and a text. Right are the choices of most points. A remark for other kinds;
    rows with other parts are not read."""
    begins = [n for n, (_, cells) in enumerate(rows) if cells[:1] == ["NewQuestion"]]
    for begin, end in pairwise([*begins, len(rows)]):
        line, kind = rows[begin][0], [*rows[begin][1], ""][1]
        name = text = ""
        choices: list[tuple[str, float]] = []
        for _, cells in rows[begin + 1 : end]:
            part, value, third = [*cells, "", "", ""][:3]
            if part == "ID":
                name = value
            elif part == "QuestionText":
                text = _text(without_tags(value))
            elif part == "Option" or part.lower() in ("true", "false"):
                shown = _text(without_tags(third)) if part == "Option" else part.title()
                choices.append((shown, _points(value)))
        most = max((points for _, points in choices), default=0.0)
        told = [(shown, points == most > 0) for shown, points in choices]
        is_asked = kind in ("MC", "MS", "TF")
        yield (
            lettered_question(name, text, told, line) if is_asked else other_kind(name, line, kind)
        )


def _points(cell: str) -> float:
    """A number of points, 0 for a negative one or other words."""
    return float(cell) if re.fullmatch(r"\d{1,9}(?:\.\d+)?", cell) else 0.0


def _typed_question(cells: Sequence[str], line: int) -> PlainQuestion | Remark:
    """Converts a row of Blackboard's text: `MC` or `MA`, the question, and pairs of a choice and
    `correct`, `incorrect` or ""; `TF`, the question, and `true` or `false`. A remark for a row of
    another kind."""
    kind, values = "".join(cells[:1]).upper(), [cell.lower() for cell in cells]
    if kind == "TF" and values[2:] and values[2] in ("true", "false"):
        choices = [(word, word.lower() == values[2]) for word in ("True", "False")]
    elif kind in ("MC", "MA") and len(cells) > 2:
        if not {*values[3::2]} <= {"correct", "incorrect", ""}:
            return Remark(line, "a choice without `correct` or `incorrect` in the cell behind it")
        pairs = zip(cells[2::2], (*values[3::2], ""), strict=False)
        choices = [(text, value == "correct") for text, value in pairs]
    else:
        return other_kind("", line, kind)
    return lettered_question("", cells[1], choices, line)


def have_indexes(records: Sequence[Mapping[str, object]]) -> bool:
    """Whether every JSON object has an integer as answer and a list: the form of MMLU [Hendrycks et
    al. 2021], whose indexes count from 0. False without objects."""

    def has_index(record: Mapping[str, object]) -> bool:
        integers = [name for name, value in record.items() if type(value) is int]
        has_list = any(isinstance(value, list) for value in record.values())
        return has_list and "answer" in roles_of(integers)

    return bool(records) and all(map(has_index, records))


def with_labels_for_positions(parsed: Parsed, *, is_from_0: bool = False) -> Parsed:
    """Replaces answers that are positions by labels, judging by the whole column of answers;
    unchanged if an answer is not an integer.

    Integers are texts if each is the text of one choice of its question; else positions, if none is
    beyond its question's choices: from 0 if one is 0; from 1 if one is the number of choices;
    unchanged if both are so; where neither is, from 0 by `is_from_0`, else from 1, with a note
    unless all labels are integers.
    """
    answered = [question for question in parsed.questions if question.answers]
    pairs = [(question, answer) for question in answered for answer in question.answers]
    if not pairs or not all(answer.isdecimal() and len(answer) < 10 for _, answer in pairs):
        return parsed
    numbers = [(question.choices, int(answer)) for question, answer in pairs]
    if all([choice.text for choice in row].count(str(number)) == 1 for row, number in numbers):
        return parsed
    has_0 = any(number == 0 for _, number in numbers)
    has_last = any(number == len(row) for row, number in numbers)
    if (has_0 and has_last) or any(number > len(row) for row, number in numbers):
        return parsed
    first = 0 if has_0 or (is_from_0 and not has_last) else 1
    questions = []
    for question in parsed.questions:
        labels = [question.choices[int(answer) - first].label for answer in question.answers]
        questions.append(question._replace(answers=tuple(labels)))
    notes = list(parsed.answer_notes)
    is_printed = all(choice.label.isdecimal() for row, _ in numbers for choice in row)
    if not has_0 and not has_last and not is_printed:
        what = f"answers are taken for positions from {first}: none is 0 or the last"
        notes.append(Remark(answered[0].line, what))
    return parsed._replace(questions=questions, answer_notes=notes)


_MOST_STOPS = 100  # lines whose quote is not closed, behind which a file is read on
_RULE = re.compile(r"[\s:+=-]*")  # of a blank line, or below the heads of a table in Markdown
_AS_TEXT = re.compile(r'="([^"]*)"')  # a cell that spreadsheets leave unchanged


def _rows(text: str, separator: str) -> list[tuple[int, list[str]]]:
    """Pairs (line number, cells) of the rows that are not blank or ruled; `separator` is a
    character. Quotes in a cell are doubled, or have a backslash before them where not all would
    close otherwise; with tabs they are characters like others, but for those around a cell, where
    not all close or rows would differ in length.

    A line whose quote is not closed, or whose cell is beyond csv's limit of 131,072 characters, has
    no cells, nor has a row right behind it with a quote in a cell; the hundredth is the last.
    """
    for quoted in dict.fromkeys((text, text.replace('\\"', '""'))):
        rows = _csv_rows(quoted, separator, csv.QUOTE_MINIMAL)
        # A tab in quotes leaves all rows of a spreadsheet as long as its header.
        is_even = separator != "\t" or len({len(cells) for _, cells in rows}) == 1
        if is_even and all(cells for _, cells in rows):
            return rows
    return _csv_rows(text, separator, csv.QUOTE_NONE if separator == "\t" else csv.QUOTE_MINIMAL)


def _csv_rows(text: str, separator: str, quoting: Literal[0, 3]) -> list[tuple[int, list[str]]]:
    """Pairs (line number, cells) of the rows that are not blank or ruled, by one of csv's rules for
    quotes; no cells where csv stops at a line, and in a row right behind it with a quote. Nothing
    behind the hundredth such line."""
    lines = io.StringIO(text).readlines()
    rows: list[tuple[int, list[str]]] = []
    begin = stops = 0
    while begin < len(lines) and stops < _MOST_STOPS:
        start, is_broken = begin, stops > 0
        reader = csv.reader(
            lines[start:], delimiter=separator, quoting=quoting, skipinitialspace=True, strict=True
        )
        try:
            for row in reader:
                cells = [cell.strip() for cell in row]
                if any(cell.startswith('="') for cell in cells):
                    cells = [_AS_TEXT.sub(r"\1", cell) for cell in cells]
                if quoting == csv.QUOTE_NONE:
                    cells = [
                        cell[1:-1].replace('""', '"') if re.fullmatch('".*"', cell) else cell
                        for cell in cells
                    ]
                # The rest of a cell over several lines is not a question.
                is_broken = is_broken and any('"' in cell for cell in cells)
                text = "".join(cells)
                if text and not (text[0] in ":+=-" and _RULE.fullmatch(text)):
                    rows.append((begin + 1, [] if is_broken else cells))
                begin = start + reader.line_num
        except csv.Error:
            rows.append((begin + 1, []))
            begin += 1
            stops += 1
    return rows


def _guess_names(rows: Sequence[Sequence[str]]) -> list[str]:
    """The names of the columns of rows without a header: perhaps `id`, `question`, `answer` (a
    label or a number), and ten labels, however many choices the rows have; [] unless all rows are
    such questions, of four characters or more, with two choices or more."""
    for answer in (1, 2):
        if rows and all(
            len(row) > answer + 2 and _LABEL.fullmatch(row[answer]) and len(row[answer - 1]) > 3
            for row in rows
        ):
            numbers = all(row[answer].isdecimal() for row in rows)
            labels = [*map(str, range(1, 11))] if numbers else [*SERIES[0][:10]]
            return [*["id"][: answer - 1], "question", "answer", *labels]
    return []


def _plain_name(name: str) -> str:
    """A column's name without case, blanks, `_-.#:/`, and what is in brackets or behind a dash; a
    "#" at its end is "number", and a name of nothing else keeps what is in brackets."""
    lower = unicodedata.normalize("NFKC", name).lower()
    lower = re.sub(r"\s#$", " number", lower.strip())
    return _SIGNS.sub("", _BEHIND_NAME.sub("", lower)) or _SIGNS.sub("", lower)


_DEEPEST = 4  # objects and lists, as of quizzes and sections, around the questions of an object


def questions_in(record: Mapping[str, object]) -> list[Mapping[str, object]]:
    """The objects of the lists of questions in a JSON object, at most four deep in others, without
    its other items; the object itself in a list if it holds none or is a question. An object of
    objects counts as a list; one is of questions if it holds one."""
    if question_of(record, 1) is not None:
        return [record]
    return list(_objects_of_lists(record.values(), _DEEPEST)) or [record]


def _objects_of_lists(values: Iterable[object], depth: int) -> Iterator[Mapping[str, object]]:
    """Yields the objects among the values, if one is a question, and those of the lists of
    questions that they hold, down to a depth."""
    values = list(values)
    objects = [value for value in values if isinstance(value, Mapping)]
    are_questions = any(question_of(value, 1) for value in objects)
    if are_questions:
        yield from objects
    if not depth:
        return
    for value in values:
        if isinstance(value, list):
            yield from _objects_of_lists(value, depth - 1)
        elif isinstance(value, Mapping) and not are_questions:
            yield from _objects_of_lists(value.values(), depth - 1)


def question_of(record: Mapping[str, object], line: int) -> PlainQuestion | None:
    """Converts a row or JSON object, by names, to a question; `line` is its line number.

    Names are compared without case, blanks and signs (`_plain_name`); of several the first of
    `_NAMES` counts (`question` before `text`), of equal ones the first. None without
    a question or choices: two or more in one column each; all as value of `choices`, which is a
    list of texts or of objects, an object of labels to texts, or a cell with signs between them; in
    an object that is the question; or the right one and the wrong ones in separate columns,
    whose texts are then sorted without case. Empty choices at the end are dropped, so that none may
    be left.
    """
    values = {
        _plain_name(name): value
        for name, value in reversed(list(record.items()))
        if value is not None
    }
    cells = {
        role: next((values[alias] for alias in _NAMES[role].split() if alias in values), None)
        for role in ("id", "question", "answer", "choices")
    }
    question, answer, choices_value = cells["question"], cells["answer"], cells["choices"]
    if isinstance(question, Mapping):  # with the choices in it
        others = {name: value for name, value in record.items() if value is not question}
        return question_of({**others, **question}, line)
    right = list(filter(None, map(_text, answer if isinstance(answer, list) else [answer])))
    pairs: list[tuple[str, object]] = []
    for printed, value in record.items():
        # `Choice A`, `option1` and `A` alike; the label keeps the case of the header.
        if match := _CHOICE.fullmatch(_plain_name(printed)):
            pairs.append((match[1].upper() if match[1].upper() in printed else match[1], value))
    if len(pairs) < 2:
        pairs, right = _choice_pairs(choices_value, right, is_sure="answers" not in values)
    if not pairs and (wrong := [value for name, value in values.items() if _WRONG.fullmatch(name)]):
        if len(wrong) == 1 and isinstance(wrong[0], str):
            wrong = [_texts_in(wrong[0])]
        lists = (value if isinstance(value, list) else [value] for value in wrong)
        texts = [_text(text) for value in lists for text in value]
        texts = sorted(filter(None, [*texts, *right]), key=str.casefold) or ["", ""]
        pairs = list(zip(SERIES[0], texts, strict=False)) if cells["answer"] is not None else []
    if question is None or not pairs:
        return None
    choices = [LabelledChoice(label, _text(value)) for label, value in pairs]
    while choices and not choices[-1].text:
        choices.pop()
    return PlainQuestion(_text(cells["id"]), _text(question), tuple(choices), tuple(right), line)


def _choice_pairs(
    choices_value: object, right: list[str], *, is_sure: bool
) -> tuple[list[tuple[str, object]], list[str]]:
    """The choices of one value as pairs of label and text, and the right answers, where the value
    says them too; one pair for a cell without signs between texts, none for a value of another form
    or a list of more than 26. A list of texts needs a right answer beside it, or `is_sure`: that
    only choices are called so. Labels that texts begin with (`A) x`) are cut off."""
    if isinstance(choices_value, str):
        parts = _without_labels(_texts_in(choices_value)) or [""]
        return list(zip(SERIES[0], parts, strict=False)), right
    if isinstance(choices_value, Mapping):
        labels, texts = choices_value.get("label"), choices_value.get("text")
        if isinstance(labels, list) and isinstance(texts, list):
            return list(zip(map(_text, labels), texts, strict=False)), right
        is_plain = not any(isinstance(value, list | dict) for value in choices_value.values())
        return list(choices_value.items()) if is_plain else [], right
    if not isinstance(choices_value, list) or len(choices_value) > len(SERIES[0]):
        return [], right
    if not any(isinstance(item, Mapping) for item in choices_value):
        parts = _without_labels(list(map(_text, choices_value)))
        return list(zip(SERIES[0], parts, strict=False)) if is_sure or right else [], right
    rows: list[Mapping[str, object]] = [
        {_plain_name(str(name)): value for name, value in item.items()}
        if isinstance(item, Mapping)
        else {"text": item}
        for item in choices_value
    ]
    ids = [_text(_first_present(row, _LABEL_NAMES)) for row in rows]
    has_labels = all(len(name) == 1 and name.isalnum() for name in ids) and len({*ids}) == len(ids)
    printed = ids if has_labels else [*SERIES[0][: len(rows)]]
    if right:
        label_of_id = dict(zip(ids, printed, strict=True)) if all(ids) else {}
        right = [label_of_id.get(answer, answer) for answer in right]
    else:
        is_right = [
            _text(_first_present(row, _RIGHT_NAMES)).casefold() in ("true", "1", "yes")
            for row in rows
        ]
        right = [label for label, is_one in zip(printed, is_right, strict=True) if is_one]
    return [
        (label, _first_present(row, _TEXT_NAMES)) for label, row in zip(printed, rows, strict=True)
    ], right


def _texts_in(cell: str) -> list[str]:
    """The texts in a cell, stripped, with one of `_BETWEEN_CHOICES` between them; [] for none."""
    sign = next((sign for sign in _BETWEEN_CHOICES if sign in cell), "")
    return list(filter(None, map(str.strip, cell.split(sign) if sign else [cell])))


def _without_labels(texts: list[str]) -> list[str]:
    """The texts of choices without the labels A, B, … that all begin with, in any case."""
    labels = list(filter(None, map(_LABEL_BEFORE.match, texts)))
    if "".join(label[1].upper() for label in labels) != SERIES[0][: len(texts)]:
        return texts
    return [text[label.end() :] for text, label in zip(texts, labels, strict=True)]


def _first_present(row: Mapping[str, object], names: Sequence[str]) -> object:
    """The value of the first name that has one in a row ("" is one), else None."""
    return next((row[name] for name in names if row.get(name) is not None), None)


def _text(cell: object) -> str:
    """A cell as text, blanks made single; "" for None, lists and objects."""
    return "" if cell is None or isinstance(cell, dict | list) else " ".join(str(cell).split())
