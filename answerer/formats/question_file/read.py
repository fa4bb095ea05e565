"""Reads multiple-choice questions that are not exam XML: detects the form of a file, and makes an
exam of it."""

from __future__ import annotations

import csv
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from answerer.formats.answer_table import AnswerTable, NoKeyError, TableAnswer, read_answer_table
from answerer.formats.exam.parts import Choice, Exam, ExamQuestion, MarkedText, asked_for
from answerer.formats.question_file.anki import read_anki
from answerer.formats.question_file.columns import (
    have_indexes,
    missed_columns,
    question_of,
    questions_in,
    read_table,
    with_labels_for_positions,
)
from answerer.formats.question_file.gift import has_gift_answers, read_gift
from answerer.formats.question_file.keys import read_key
from answerer.formats.question_file.moodle_xml import is_moodle_xml, read_moodle_xml
from answerer.formats.question_file.numbered import read_numbered
from answerer.formats.question_file.parts import (
    DocumentLines,
    Parsed,
    PlainQuestion,
    Remark,
    document_form,
    file_encoding,
    keep_askable,
    plain_label,
    right_choice,
    text_of_file,
)
from answerer.formats.question_file.qti import is_qti, read_qti
from indexer.analysis.text import truncate_question, without_ignorable
from indexer.files.encoding import SAMPLE_SIZE
from indexer.files.errors import UserError, bad_input
from indexer.files.json_objects import json_objects
from indexer.files.messages import info
from indexer.languages.language import Language
from indexer.languages.registry import detect_language

# Endings of names that are cut from an exam's name; the form of a file is recognised by its
# content.
ENDINGS = tuple(
    ".txt .csv .tsv .gift .aiken .json .jsonl .md .text .xml .pdf .docx .xlsx .xls .ods .zip .imscc"
    " .qti".split()
)

EXPECTED = (
    "expected numbered questions with labelled choices, GIFT, columns with a header, or exam XML"
)
_XML = re.compile(r"[\ufeff\s]*<[?!A-Za-z]")
_JSON_CHOICES = re.compile(
    r'"(?:choices|options|(?:in)?correct_?answers?|correct_?(?:answer_?)?index|opa)"\s*:',
    re.IGNORECASE,
)
_JSON = re.compile(r"[\ufeff\s]*(?:\[\s*)?\{\s*\"")


def is_xml(data: bytes) -> bool:
    """True if a file's bytes begin as XML does, in any encoding, but not as Moodle's or QTI, which
    are question files, or a web page; an empty file counts as XML."""
    if document_form(data) or is_moodle_xml(data) or is_qti(data):
        return False
    text = _beginning(data)
    return not text.strip("\ufeff \t\r\n") or _XML.match(text) is not None


def _beginning(data: bytes) -> str:
    """The first MiB of a file as text, to detect its form; characters that cannot be decoded are
    replaced."""
    return without_ignorable(data[:SAMPLE_SIZE].decode(file_encoding(data), "replace"))


def looks_like_questions(text: str) -> bool:
    """True if a text (or the beginning of a file) contains multiple-choice questions in a format
    other than XML; of JSON, if it has a key of choices. False for a text with NUL."""
    if "\0" in text or _XML.match(text):
        return False
    if _JSON.match(text):
        return _JSON_CHOICES.search(text) is not None
    return bool(_parse_text(text.replace("\r\n", "\n").replace("\r", "\n"), "").questions)


def read_question_file(data: bytes, path: str | Path) -> Parsed:
    """Reads a question file that is not exam XML, with its answers, from its bytes; `path` is for
    messages.

    The format is detected from the contents: PDF, Word, Excel and OpenDocument sheets by their
    bytes; web pages by the element that they begin with; Moodle XML and QTI by the root element, or
    the manifest of a zip; JSON by its first bracket; Anki by its first line; columns by a header
    with a question and choices, or by rows alike; GIFT by answers in braces, unless as GIFT most is
    rejected and as numbered text more questions are found; any other text is numbered text. Names
    are made unique and free of blanks: a missing one becomes the question's position in the file, a
    repeated one gets -2, -3, … (a printed name stays before one made so). Raises UserError with
    file and line if the file contains no question, and for a web page whose lists are no quiz.
    """
    if form := document_form(data):
        parsed = _read_document(data, str(path), form)
    elif is_moodle_xml(data):
        parsed = read_moodle_xml(data, path)
    elif is_qti(data):
        parsed = read_qti(data, path)
    else:
        parsed = _parse_text(text_of_file(data, path), path)
    if not parsed.questions:
        # The first thing that could not be read says most about a file that is of no form.
        first = min(parsed.rejected, default=None)
        reason = f"; {first.text}" if first else ""
        where = parsed.where(path, first.line if first else 1)
        raise bad_input(where, None, f"no multiple-choice question{reason}", EXPECTED)
    names = _distinct([question.name for question in parsed.questions])
    pairs = zip(parsed.questions, names, strict=True)
    return parsed._replace(questions=[question._replace(name=name) for question, name in pairs])


def _distinct(names: Sequence[str]) -> list[str]:
    """The names with - for blanks, none twice: a missing one is its position from 1, a repeated one
    gets -2, -3, …; a printed name stays before one made so."""
    printed = {"-".join(name.split()) for name in names}
    seen: set[str] = set()
    last = Counter[str]()
    distinct: list[str] = []
    for position, before in enumerate(names, 1):
        name = plain = "-".join(before.split()) or str(position)
        # A printed id goes before one that is made up here.
        while name in seen or (name in printed and (name != plain or not before)):
            last[plain] += 1
            name = f"{plain}-{last[plain] + 1}"
        seen.add(name)
        distinct.append(name)
    return distinct


def _read_document(data: bytes, path: str, form: str) -> Parsed:
    """Reads a document of a form of `document_form` by its lines; a note counts what its
    reader left out. In numbered text without answers, the right ones are the choices that are set
    in another way than the rest, where half of the questions have one. Raises UserError for a web
    page whose lists are no quiz."""
    document = _lines_of(data, path, form)
    text = without_ignorable("\n".join(document.lines))
    parsed = _parse_text(text, path)
    if form in _WORKBOOKS and not parsed.form and (missed := missed_columns(text)):
        parsed = keep_askable([Remark(1, missed)])
    if not parsed.form and not any(question.answers for question in parsed.questions):
        parsed = _with_marked_answers(parsed, document)
    if form == "HTML":
        from answerer.formats.question_file.html import has_quiz

        if not has_quiz(data, parsed.questions):
            what = "a web page with lists, but without a quiz"
            raise bad_input(path, None, what, "write answers below its questions if it is a quiz")
    notes = [*parsed.notes]
    if document.left_out.total():
        counts = (
            f"{count} {reason}" for reason, count in sorted(document.left_out.items()) if count
        )
        notes.append(Remark(0, f"left out: {', '.join(counts)}"))
    kind = _KINDS.get(form, f"a {form} document")
    what = f"{parsed.form or 'numbered text'} of {kind}"
    return parsed._replace(form=what, places=document.places, notes=notes)


_PAGES = 20  # of a PDF, by which it is known for a quiz: a book has its questions further behind
_CHARACTERS = 1_000_000  # of a text
# Characters of a question with its choices: a "question" of a book that is longer is its text, from
# a line that begins with a year to the next list.
_LONGEST_QUESTION = 600
_SHARE = 0.25  # of a quiz's characters that are in its questions; the rest is keys and explanations


def is_quiz(data: bytes, path: str | Path) -> bool:
    """Whether a file, of a PDF its first 20 pages and of a text its first million characters, is a
    quiz, with over a quarter of its characters in questions (of each at most 600 count), and not a
    book with some questions in it. Moodle XML and QTI are one, JSON if it looks like questions,
    other XML never. Raises UserError for one that cannot be read."""
    if is_moodle_xml(data) or is_qti(data):
        return True
    form = document_form(data)
    text = _text_of(data, path, form, _PAGES)
    if not form:
        text = text[:_CHARACTERS]
        if _JSON.match(text) or _XML.match(text):
            return looks_like_questions(text)
    questions = _parse_text(text, path).questions
    if form == "HTML":
        from answerer.formats.question_file.html import has_quiz

        if not has_quiz(data, questions):
            return False
    sizes = [
        len(question.text) + sum(len(choice.text) for choice in question.choices)
        for question in questions
    ]
    return sum(min(size, _LONGEST_QUESTION) for size in sizes) > _SHARE * len(text)


_WORKBOOKS = {"Excel": "an Excel workbook", "OpenDocument": "an OpenDocument workbook"}
_KINDS = {**_WORKBOOKS, "HTML": "a web page"}


def _lines_of(data: bytes, path: str, form: str, most: int | None = None) -> DocumentLines:
    """The lines of a document; of a PDF those of its first `most` pages, of others all."""
    if form == "PDF":
        from answerer.formats.question_file.pdf import pdf_lines

        return pdf_lines(data, path, most)
    if form in _WORKBOOKS:
        from answerer.formats.question_file.workbook import workbook_lines

        return workbook_lines(data, path)
    if form == "HTML":
        from answerer.formats.question_file.html import html_lines

        return html_lines(data, path)
    from answerer.formats.question_file.word import word_lines

    return word_lines(data, path)


def _text_of(data: bytes, path: str | Path, form: str, most: int | None = None) -> str:
    """The text of a document of that form, of a PDF its first `most` pages; with the form "" of a
    text file."""
    if not form:
        return text_of_file(data, path)
    return without_ignorable("\n".join(_lines_of(data, str(path), form, most).lines))


def _with_marked_answers(parsed: Parsed, document: DocumentLines) -> Parsed:
    """The questions, without answers so far, with the choices as answers that the first fitting
    kind of marks sets apart, one at most in each question, and in half of them at least; and a note
    on the kind. Unchanged without such marks."""
    texts = [question.text for question in parsed.questions]
    for mark, lines in document.ticked.items():
        ticked = read_numbered(without_ignorable("\n".join(lines))).questions
        counts = [len(question.answers) for question in ticked]
        is_same = [question.text for question in ticked] == texts
        if is_same and max(counts, default=0) == 1 and 2 * sum(counts) >= len(counts):
            pairs = zip(parsed.questions, ticked, strict=True)
            questions = [question._replace(answers=right.answers) for question, right in pairs]
            note = Remark(0, f"right answers are taken from {mark}")
            return parsed._replace(questions=questions, answer_notes=[note])
    return parsed


def _read_json(text: str, path: str | Path) -> Parsed:
    """The questions of a text of JSON objects, or of the lists in them, with labels for positions
    as answers; objects without question or choices are rejected. Raises UserError where it is
    damaged."""
    reason = "no question with choices: expected question and choices, got"
    objects = json_objects(text, path, "expected objects with question and choices")
    rows = [(line, inside) for line, record in objects for inside in questions_in(record)]
    questions = [
        question_of(record, line) or Remark(line, f"{reason} {', '.join(record)[:60]}")
        for line, record in rows
    ]
    is_from_0 = have_indexes([record for _, record in rows])
    return with_labels_for_positions(keep_askable(questions, form="JSON"), is_from_0=is_from_0)


_AIKEN = re.compile(r"^ANSWER: [A-Z]\s*$", re.MULTILINE)


def _parse_text(text: str, path: str | Path) -> Parsed:
    """Detects the format of a text and reads its questions; `path` is for messages. JSON, Anki and
    columns by their marks; GIFT where it rejects no more questions than it reads; else of GIFT and
    numbered text what more questions are found in, GIFT for as many. Raises UserError for
    damaged JSON, and for a field of Anki over csv's limit."""
    # JSON and columns have marks that no text has by chance. Braces are also of formulas: where
    # most of a text is not GIFT, it is read as what more questions are found in.
    if _JSON.match(text):
        return _read_json(text, path)
    try:
        if notes := read_anki(text):
            return notes
    except csv.Error as error:
        raise bad_input(path, None, f"Anki's notes: {error}", EXPECTED) from error
    if table := read_table(text):
        return table
    gift = read_gift(text) if has_gift_answers(text) else None
    if gift and len(gift.rejected) <= len(gift.questions):
        return gift
    numbered = read_numbered(text)
    if _AIKEN.search(text) and not any(question.name for question in numbered.questions):
        numbered = numbered._replace(form="Aiken")
    return gift if gift and len(gift.questions) >= len(numbered.questions) else numbered


def exam_of(parsed: Parsed, path: str | Path) -> Exam:
    """Converts a question file to an exam, without answers, feedback and ticks, in the language
    detected in its questions. It is named after the file, without an ending of `ENDINGS` or of
    compression. `notes` are the rejections and remarks with file and line, by line, and a count of
    questions used and rejected."""
    name = Path(path).name
    for endings in ((".gz", ".bz2", ".xz"), ENDINGS):
        cut = (name[: -len(end)] for end in endings if name.lower().endswith(end) and name != end)
        name = next(cut, name)
    words = list[str]()
    for question in parsed.questions:
        words += [question.text, *(choice.text for choice in question.choices)]
    language = detect_language("\n".join(words))
    questions = tuple(
        exam_question(question, parsed.where(path, question.line), language)
        for question in parsed.questions
    )
    notes = [
        f"{parsed.where(path, remark.line)}: {remark.text}"
        for remark in sorted((*parsed.rejected, *parsed.notes))
    ]
    used, rejected = len(questions), len(parsed.rejected)
    total = f"{used + rejected} question{'s' * (used + rejected != 1)}"
    form = parsed.form or "numbered text"
    notes.append(f"{path}: read as {form}: {total}, {used} used, {rejected} rejected")
    return Exam(name, language, questions, tuple(notes), is_plain=True)


def exam_question(plain: PlainQuestion, where: str, language: Language) -> ExamQuestion:
    """Converts a plain question to an exam question with its name as answer column; `language` is
    that in which it asks for the right or the wrong choice, within 10,000 characters. A choice's
    number is its label in plain form, or its position if labels are missing or repeated. Overlong
    texts are truncated with a message that begins with `where`."""
    instruction = MarkedText(truncate_question(plain.text, where))
    texts = [MarkedText(truncate_question(choice.text, where)) for choice in plain.choices]
    # Runs give numbers: ② and (2) are 2.
    numbers = [
        plain_label(choice.label) or str(position)
        for position, choice in enumerate(plain.choices, 1)
    ]
    if len(set(numbers)) < len(numbers):
        numbers = [str(position) for position in range(1, len(numbers) + 1)]
    choices = tuple(map(Choice, numbers, texts, (choice.label for choice in plain.choices)))
    asks = asked_for(plain.text[:10_000], language)
    return ExamQuestion(
        answer_column=plain.name, asks=asks, instruction=instruction, choices=choices
    )


# The columns of a run: a question's id, the label of the choice as its file prints it, the text of
# the choice.
HEADER = ("id", "answer", "text", "note")


def answers_text(answered: Iterable[tuple[ExamQuestion, str, str]]) -> str:
    """The TSV text of a run; `answered` are triples (question, number of the chosen choice, note).

    A header, then id, label and text of the choice, and the note, why an answer is less sure than
    others; this column is left out where no answer has one. Label and text are empty if no choice
    has that number.
    """
    rows = []
    for question, number, note in answered:
        choice = next((choice for choice in question.choices if choice.number == number), None)
        cells = (choice.label or choice.number, choice.text.plain) if choice else ("", "")
        rows.append([" ".join(cell.split()) for cell in (question.answer_column, *cells, note)])
    width = len(HEADER) if any(row[-1] for row in rows) else len(HEADER) - 1
    return "".join("\t".join(row[:width]) + "\n" for row in (list(HEADER), *rows))


_RUN_SEPARATOR = re.compile(r"[\t,;]")


def is_run(text: str) -> bool:
    """True if a text begins with the header of a run of plain questions, or of a key: `id` and
    `answer`, perhaps `text`, then `note`, in any case, perhaps in quotes, parted by tabs, commas or
    semicolons."""
    header = text.lstrip("\ufeff \r\n").partition("\n")[0].rstrip("\r").lower()
    names = tuple(name.strip(' "') for name in _RUN_SEPARATOR.split(header))
    return len(names) > 1 and names == HEADER[: len(names)]


def read_plain_answers(path: str | Path, data: bytes) -> AnswerTable:
    """Reads answers from the bytes of a file: a run in columns, a question file with answers, or
    an XML answer table.

    A run has a header with id, answer and perhaps text and note, or is a list of numbers and
    labels, one or several a line, below a heading or none, in a text or a document; its `filename`
    is "". In a question file
    each answer is worth one point; the answer is "" for a question without one and, with a message,
    for several or one that is not among the choices. Raises UserError if the file cannot be read as
    its format, or an answer is 0 and no choice; NoKeyError if no question has an answer.
    """
    # What looks like XML and is not an exam is an answer table.
    if is_xml(data):
        return read_answer_table(path, data)
    form = document_form(data)
    # The cells of a table have tabs between them, but in a PDF.
    if is_run(_text_of(data, path, form) if form not in ("", "PDF") else _beginning(data)):
        return _read_run(_text_of(data, path, form), path)
    try:
        parsed = read_question_file(data, path)
    except UserError:
        if key := _key_in(data, path, form):
            return key
        raise
    exam = exam_of(parsed, path)
    for note in parsed.answer_notes:
        info(f"{parsed.where(path, note.line)}: {note.text}")
    rows = []
    for plain, question in zip(parsed.questions, exam.questions, strict=True):
        answer = _number_of_right_choice(plain, question, parsed.where(path, plain.line))
        choices = frozenset(choice.number for choice in question.choices)
        points = 1.0 if answer else None
        line = 0 if parsed.places else plain.line
        rows.append(TableAnswer(plain.name, answer, points, line=line, choices=choices))
    if not any(row.answer for row in rows):
        if key := _key_in(data, path, form):
            return key
        raise NoKeyError(
            f"{path}: no question has an answer; expected answers below the questions, or a key"
        )
    return AnswerTable(str(path), exam.name, tuple(rows))


def _number_of_right_choice(plain: PlainQuestion, question: ExamQuestion, where: str) -> str:
    """The number of the choice that the answer of a question names, a label, number or text of a
    choice; "" for a question without one and, with a message that begins with `where`, for several
    or one that is no choice. Raises UserError for the answer 0 that is no choice."""
    position = right_choice(plain.choices, plain.answers[0]) if len(plain.answers) == 1 else None
    if position is not None:
        return question.choices[position].number
    if plain.answers == ("0",):
        expected = "answers count from 1, or are labels or texts of choices"
        raise bad_input(where, None, "the answer 0", expected)
    if plain.answers:
        printed = unicodedata.normalize("NFKC", ", ".join(plain.answers))[:60]
        what = f"{printed!r} is not one of its choices: not scored"
        info(f"{where}: question {plain.name}: {what}")
    return ""


def _key_in(data: bytes, path: str | Path, form: str) -> AnswerTable | None:
    """The run that a file is whose lines are a key and nothing else (`read_key`); None for another.
    Raises UserError as `_run_of` does."""
    key = read_key(_text_of(data, path, form))
    return _run_of(((line, [name, label]) for line, name, label in key), path) if key else None


def _read_run(text: str, path: str | Path) -> AnswerTable:
    """Parses a run below its header, the first line, whose separator parts all lines; blank lines
    are skipped; between tabs quotes are text unless the header has them. Raises UserError as
    `_run_of` does, and for a cell over csv's limit."""
    lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    separator = _RUN_SEPARATOR.search(lines[0][1])
    mark = separator[0] if separator else "\t"
    is_quoted = mark != "\t" or lines[0][1].startswith('"')

    def cells(line: int, text: str) -> list[str]:
        try:
            return next(csv.reader([text], delimiter=mark)) if is_quoted else text.split(mark)
        except csv.Error as error:
            raise bad_input(path, line, str(error), "expected an id and a label") from error

    return _run_of(((line, cells(line, text)) for line, text in lines[1:]), path)


def _run_of(cells_of_lines: Iterable[tuple[int, list[str]]], path: str | Path) -> AnswerTable:
    """The run of lines with their numbers, each an id and a label (maybe ""), of which the plain
    form is kept; further cells are dropped. Raises UserError for a row of one cell or without id, a
    repeated id, or no rows."""
    rows: dict[str, TableAnswer] = {}
    for line, printed in cells_of_lines:
        cells = [cell.strip() for cell in printed]
        if len(cells) < 2 or not cells[0]:
            expected = "expected an id, a tab or comma, and the label of a choice"
            raise bad_input(path, line, "not a row of a run", expected)
        if cells[0] in rows:
            what = f"question {cells[0]} came before, in line {rows[cells[0]].line}"
            raise bad_input(path, line, what, "ids differ")
        rows[cells[0]] = TableAnswer(cells[0], plain_label(cells[1]), line=line)
    if not rows:
        raise bad_input(path, 1, "a run without answers", "expected rows below its header")
    return AnswerTable(str(path), "", tuple(rows.values()), is_run=True)
