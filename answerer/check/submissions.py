"""`python -m answerer check INPUT RUN...`: is each submission complete and valid before it is sent?

Each check returns its problems as lines of text without the file's name, an empty list for a valid
submission, and raises UserError if one of the two files cannot be read.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import pairwise
from pathlib import Path

import click

from answerer.beginning import beginning_of
from answerer.formats import datasearch, nlpcc_kbqa, u4
from answerer.formats.answer_sheet import (
    language_answered,
    language_of_texts,
    read_sheet,
    read_sheets,
)
from answerer.formats.answers import read_answers
from answerer.formats.exam.read import read_exam
from answerer.formats.keywords import uses
from answerer.formats.length_limit import exceeds, measure
from answerer.formats.topics import excess, read_extraction, read_judged
from answerer.recognition import task_of
from answerer.registry import tasks
from indexer.cli.types import Command, InputFile
from indexer.files.encoding import (
    SAMPLE_SIZE,
    detect_encoding,
    open_bytes,
    open_lines,
    read_beginning,
)
from indexer.files.errors import UserError, visible
from indexer.files.messages import info
from indexer.files.validation import validate_choice
from indexer.files.xml import parse_xml
from indexer.formats.datasearch import read_questions
from indexer.languages.language import Language
from indexer.sources.textbook.schema import SOURCE_TYPES

# Each check takes the paths of the input and of the run, and returns its problems, [] without any.


def check_exam(exam: str, run: str) -> list[str]:
    """Problems of an answer table: the exam's name differs, an answer column is missing, unknown or
    repeated, an answer is empty or not one of the choices of a question with choices, a cell is not
    in NFKC form. Runs of plain questions have no name and may be in any form."""
    read, table = read_exam(exam), read_answers(run)
    unnamed = read.is_plain or table.filename == read.name
    problems = [] if unnamed else [f"filename is {table.filename!r}, the exam is {read.name!r}"]
    # Gaps of one question share an answer column: a choice of any of them is known.
    choices: dict[str, set[str]] = {}
    for question in read.questions:
        choices.setdefault(question.answer_column, set()).update(
            choice.number for choice in question.choices
        )
    columns = (question.answer_column for question in read.questions)
    problems += _count_problems(columns, (answer.column for answer in table.answers))
    if not read.is_plain:
        # Cells with `③` or `Ａ１`, which an exact comparison takes for other answers.
        for cell in parse_xml(run).iterfind(".//data/*"):
            if str(cell.tag).lower() in ("answer", "anscolumn_id"):  # in any case, as they are read
                text = "".join(map(str, cell.itertext())).strip()
                if text != (plain := unicodedata.normalize("NFKC", text)):
                    problems.append(f"{text!r} is to be written {plain!r}")
    for answer in table.answers:
        numbers = choices.get(answer.column, set())
        if not answer.answer:
            problems.append(f"{answer.column}: not answered")
        elif numbers and answer.answer not in numbers:
            problems.append(
                f"{answer.column}: {answer.answer!r} is not a choice ({', '.join(sorted(numbers))})"
            )
    return problems


def check_sheet(sheet: str, run: str) -> list[str]:
    """Problems of a filled answer sheet, of a bilingual one in the language that it answers:
    missing or unknown sections; in written sections, answers that are missing, too long, without a
    required keyword, or several in one `answer` element (further elements are not checked); a file
    named in `src` that is not in the folder of `run`."""
    answered = language_answered(sheet, run) or _first_open(sheet)
    expected, submission = (
        read_sheet(sheet, of_bilingual=answered),
        read_sheet(run, of_bilingual=answered),
    )
    problems = _count_problems(
        *([section.section_id for section in sheet.sections] for sheet in (expected, submission))
    )
    for section in expected.sections:
        filled, name = submission.section(section.section_id), section.section_id
        if filled is None or not section.is_written:
            continue
        for answer, entry in zip(section.answers, filled.answers, strict=False):
            if not entry.texts:
                problems.append(f"{name}: not answered")
            if len(entry.texts) > 1:
                problems.append(f"{name}: {len(entry.texts)} expressions where one answer is asked")
            for text in entry.texts:
                limit = answer.effective_limit
                if exceeds(text, limit) and limit.unit is not None:
                    length = f"{measure(text, limit.unit)} {limit.unit}"
                    problems.append(f"{name}: {length}, at most {limit.most} are allowed")
                if unused := [keyword for keyword in section.keywords if not uses(keyword, text)]:
                    problems.append(f"{name}: does not use the keywords {', '.join(unused)}")
        if len(filled.answers) < len(section.answers):
            problems.append(
                f"{name}: {len(section.answers)} answers asked, {len(filled.answers)} given"
            )
    if submission.src and not (Path(run).parent / submission.src).is_file():
        problems.append(f"src names {submission.src!r}, which does not lie beside it")
    return problems


def _first_open(sheet: str) -> Language:
    """The first language of a sheet, by code, in which no section is answered; if there is none,
    its first."""
    of_sheet = read_sheets(sheet)
    is_open = [sheet for sheet in of_sheet if not any(section.texts for section in sheet.sections)]
    return (is_open or of_sheet)[0].language


def check_extraction(sheet: str, run: str) -> list[str]:
    """Problems of an extraction file: topics (ids of essays) that are missing or unknown, unknown
    source types, normalised scores that rise with the rank, a topic's passages together over ten
    times the length limit of its first answer."""
    topics, kinds = read_extraction(run), " or ".join(SOURCE_TYPES)
    expected = read_sheet(
        sheet,
        of_bilingual=language_of_texts(
            passage.text for passages in topics.values() for passage in passages
        ),
    )
    problems = _count_problems((essay.section_id for essay in expected.essays), topics)
    for topic_id, passages in topics.items():
        odd = [passage for passage in passages if passage.source_type not in SOURCE_TYPES]
        faults = [
            f"SOURCE_ID_TYPE {passage.source_type!r} of rank {passage.rank} is not {kinds}"
            for passage in odd
        ]
        for better, worse in pairwise(passages):
            if worse.normalized > better.normalized:
                faults.append(
                    f"NORMALIZED_SCORE of rank {worse.rank} is higher than that of rank "
                    f"{better.rank}"
                )
        if section := expected.section(topic_id):
            faults += filter(None, [excess(passages, section.answers[0].effective_limit)])
        problems += [f"{topic_id}: {what}" for what in faults]
    return problems


def check_judged(sheet: str, run: str) -> list[str]:
    """Problems of an evaluation-method file: essays of the sheet without a topic, unknown topics,
    ranks that are not 1 to n in order."""
    topics = read_judged(run)
    expected = read_sheet(
        sheet,
        of_bilingual=language_of_texts(
            answer.text for answers in topics.values() for answer in answers
        ),
    )
    problems = _count_problems((essay.section_id for essay in expected.essays), topics)
    for topic_id, answers in topics.items():
        ranks = [answer.rank for answer in answers]
        if ranks != list(range(1, len(answers) + 1)):
            problems.append(
                f"{topic_id}: ranks {', '.join(map(str, ranks))}, expected 1 to {len(answers)}"
            )
    return problems


def check_blocks(questions: str, run: str) -> list[str]:
    """Problems of KBQA answer blocks, in any order: a question that is missing, unknown, reworded
    or without an answer line (it may be empty), stray blanks or tabs around answers, UTF-16, a byte
    order mark. Raises UserError, from the reader, for other encodings than UTF-8 and for a repeated
    question."""
    expected, blocks = (
        {question.question_id: question for question in nlpcc_kbqa.read_questions(file)}
        for file in (questions, run)
    )
    problems = [*_in_odd_encoding(run), *_count_problems(expected, blocks)]
    for name in (name for name in expected if name in blocks):
        if expected[name].text != blocks[name].text:
            problems.append(
                f"{name}: the question is {blocks[name].text!r}, asked was {expected[name].text!r}"
            )
        # An answer may be empty [NLPCC2017], but its line is in every block.
        if blocks[name].answers is None:
            problems.append(f"{name}: without an `<answer id=…>` line")
        elif blocks[name].answers and any(
            not part or part != part.strip()
            for part in (blocks[name].answer_text or "").split("\t")
        ):
            problems.append(
                f"{name}: a tab or blank too many around its answers, which are compared as they "
                f"stand"
            )
    return problems


def check_dataset_run(questions: str, run: str) -> list[str]:
    """Problems of a Data Search run: no <SYSDESC> line, a question that is missing, unknown or
    unanswered, tabs in an answer, blanks around it or its id, which a comparison may count, an
    encoding other than UTF-8, a byte order mark. Raises UserError for a repeated question, as the
    reader does."""
    submission = datasearch.read_answers(run)
    problems = _in_odd_encoding(run)
    problems += [] if submission.description else ["without a first line <SYSDESC>…</SYSDESC>"]
    problems += _count_problems(
        (question.question_id for question in read_questions(questions)), submission.answers
    )
    # The reader strips blanks, so they are looked for in the lines themselves.
    rows = [(line.text or "").split("\t") for line in open_lines(run)]
    blanks = [row[0].strip() for row in rows if len(row) == 2 and row != list(map(str.strip, row))]
    problems += [f"{name}: blanks around its id or its answer" for name in blanks]
    problems += [
        f"{name}: a tab stands in its answer"
        for name, answer in submission.answers.items()
        if "\t" in answer
    ]
    return problems + [
        f"{name}: not answered" for name, answer in submission.answers.items() if not answer.strip()
    ]


def _check_reports(questions: str, run: str, *, cells: bool) -> list[str]:
    """Problems of U4's answer sheet: questions missing, unknown or unanswered (of cells, without id
    or value), ids that do not begin with the question's table (`cells`) or else its report. Whether
    the cell or table exists is not checked."""
    expected = {
        question.question_id: question
        for question in u4.read_questions(questions, table_given=cells)
    }
    answers = u4.read_answers(run, cells)
    problems = _count_problems(expected, answers)
    for name in (name for name in expected if name in answers):
        answer, within = answers[name], expected[name].table_id if cells else expected[name].doc_id
        if not answer.answer_id or (cells and not answer.value):
            problems.append(f"{name}: not answered")
        elif not answer.answer_id.startswith(f"{within}-"):
            problems.append(
                f"{name}: {answer.answer_id!r} is no {'cell' if cells else 'table'} of {within}"
            )
    return problems


check_cells, check_tables = (
    partial(_check_reports, cells=True),
    partial(_check_reports, cells=False),
)


def _in_odd_encoding(run: str) -> list[str]:
    """A list with one problem if the run (a path) begins with a byte order mark or, by its first
    `SAMPLE_SIZE` bytes (1 MiB), is not in UTF-8; else []."""
    with open_bytes(run) as file:
        encoding = detect_encoding(file.read(SAMPLE_SIZE))
    problems = {"utf-8": [], "utf-8-sig": ["begins with a byte order mark"]}
    return problems.get(encoding, [f"is in {encoding}, not in UTF-8"])


def check_scores(questions: str, run: str) -> list[str]:
    """Checks that a score file has a finite number for every line of a DBQA or TBQA file; always
    returns []. Raises UserError, from the reader, for any other file."""
    from answerer.formats.ranked_results import read_scores
    from indexer.formats.sentence_rows import read_sentence_rows
    from indexer.formats.table_rows import is_table_file, read_table_rows

    rows = (
        read_table_rows(questions)
        if is_table_file(questions)
        else read_sentence_rows(questions, dbqa=True).positions
    )
    read_scores(run, len(list(rows)), questions)
    return []


def check_results(questions: str, run: str) -> list[str]:
    """Problems of a SelQA result file: another number of questions, questions, candidates or gold
    (if the input has it) that differ from those of the input at the same position, a result outside
    [0, 1] (the first of a question). The challenge takes the gold from the result file
    [SelQA-Challenge]."""
    from answerer.formats.ranked_results import read_results
    from indexer.formats.sentence_rows import read_sentence_file

    expected, (read, results) = read_sentence_file(questions).lists, read_results(run)
    lists = read.lists
    problems = []
    if len(expected) != len(lists):
        problems.append(f"{len(lists)} questions, {len(expected)} were asked")
    for number, (entry, other) in enumerate(zip(expected, lists, strict=False), 1):
        if (entry.question, entry.candidates) != (other.question, other.candidates):
            problems.append(f"question {number} is not the one asked")
        elif entry.gold not in (None, other.gold):
            problems.append(f"question {number}: its right candidates are not those of {questions}")
    for number, numbers in enumerate(results, 1):
        if beyond := [result for result in numbers if not 0 <= result <= 1]:
            problems.append(f"question {number}: the result {beyond[0]:g} is not from 0 to 1")
    return problems


def _count_problems(input_ids: Iterable[str], run_ids: Iterable[str]) -> list[str]:
    """Problems of a run's ids against the input's: ids missing, then unknown, then those that occur
    another number of times than in the input."""
    # Ids may repeat in the input, as those of exams that were merged.
    wanted, counts = Counter(list(input_ids)), Counter(list(run_ids))
    problems = [f"{name}: missing" for name in wanted if name not in counts]
    problems += [f"{name}: nobody asked for it" for name in counts if name not in wanted]
    often = [name for name in wanted if counts[name] not in (0, wanted[name])]
    return problems + [
        f"{name}: stands {counts[name]} times, asked {wanted[name]}" for name in often
    ]


CHECKS: dict[str, Callable[[str, str], list[str]]] = {
    "ntcir-mc": check_exam,
    "nlpcc-dbqa": check_scores,
    "nlpcc-tbqa": check_scores,
    "selqa": check_results,
    "nlpcc-kbqa": check_blocks,
    "datasearch-qa": check_dataset_run,
    "u4-tqa": check_cells,
    "u4-tr": check_tables,
    "ntcir-term": check_sheet,
    "ntcir-sheet": check_sheet,
    "ntcir-essay": check_sheet,
    "ntcir-extraction": check_extraction,
    "ntcir-summarization": check_sheet,
    "ntcir-evaluation-method": check_judged,
}
"""The check of each task of this package; that of another distribution's is in its record."""


def problems_of(source: str, run: str, name: str | None = None) -> Sequence[str]:
    """The problems of a run (path `run`) against its input (path `source`); empty if it is complete
    and valid. Without the task's `name` the beginnings of both files determine the task. Raises
    UserError for an unknown name, if no task recognises the files, and for a task whose runs are
    not checked."""
    if name is not None:
        task = tasks()[validate_choice(name, list(tasks()), "task")]
    else:
        beginning = beginning_of(read_beginning(source))
        answered = beginning_of(read_beginning(run))
        input_task = task_of([beginning], answered)
        if input_task is None:
            raise UserError(
                f"{source}: not the input of a task; expected an exam, a sheet, or questions in a "
                f"task's format, or name the task with --task"
            )
        task = input_task
    check = CHECKS.get(task.name, task.check)
    if check is None:
        raise UserError(f"{task.name}: its runs are not checked")
    return check(source, run)


@click.command(cls=Command, example="answer check samples/sample-exam-en.xml exam.run.xml")
@click.argument("source", metavar="INPUT", type=InputFile())
@click.argument("runs", metavar="RUN...", nargs=-1, required=True, type=InputFile())
@click.option("--task", "name", metavar="NAME", help="The task [by the files' formats].")
@click.option(
    "--schema",
    type=InputFile(),
    metavar="FILE.xsd",
    help="Validate XML runs against this schema too.",
)
def command(source: Path, runs: tuple[Path, ...], name: str | None, schema: Path | None) -> None:
    """Check any task's submissions against their input: every question once, known choices, limits,
    names.

    Each problem is a line on stdout; the exit status is 2 if there is one. The files' formats
    determine the task, unless it is named.
    """
    allowed = None
    if schema:
        from indexer.files.schema import read_schema, schema_problems

        allowed = read_schema(schema)
    faulty = 0
    for run in runs:
        problems = list(schema_problems(allowed, run)) if allowed is not None else []
        problems += problems_of(str(source), str(run), name)
        for problem in problems:
            print(visible(f"{run}: {problem}"))
        faulty += bool(problems)
        if not problems:
            info(f"{run}: complete and valid")
    if faulty:
        raise UserError(f"{faulty} of {len(runs)} submissions are incomplete or invalid")
