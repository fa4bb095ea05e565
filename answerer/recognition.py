"""Which task a file is of, recognised by the beginning of the file."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from answerer.beginning import QUIZ_ROOTS, Beginning
from answerer.registry import OWN, TOPICS, tasks
from answerer.task import Task

_CELLS = "_|_"  # between the cells of a table of NLPCC TBQA
_SHORTEST_QUESTION = 4  # characters; a label such as `(1)` has three
# Of e-Stat 12 digits, of data.gov a UUID [DataSearch2].
_DATASET_ID = re.compile(r"\d{12}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)


# How a PDF, a zip, as a Word or Excel document is, and an old Office file, in UTF-8, begin.
_DOCUMENTS = ("%PDF-", "PK\x03\x04", "\ufffd\ufffd\x11\u0871\x1a")


def is_document(file: Beginning) -> bool:
    """Whether a file is a PDF, Word or Excel document, of which only quizzes are answered."""
    return file.text.startswith(_DOCUMENTS)


def task_of(files: Sequence[Beginning], run: Beginning | None = None) -> Task | None:
    """The task of a file, or of several that belong together (at least one); with `run`, of a
    submission for the file. Tasks of other distributions that recognise the files come first. None
    if no task fits.

    A sheet is of the task for mixed sheets (terms and essays), unless a run of another says more.
    """
    # Another distribution is installed on purpose, for files that a task of ours may claim too.
    ours = {task.name for task in OWN}
    for name, task in tasks().items():
        if name not in ours and task.recognises is not None and task.recognises(files, run):
            return task
    if len(files) > 1:
        name = _task_of_several(files)
    elif files[0].root:
        name = _task_of_xml(files[0], run)
    elif is_document(files[0]):
        name = "ntcir-mc"
    elif files[0].is_json:
        name = _task_of_json(files[0])
    else:
        name = _task_of_text(files[0])
    return tasks().get(name)


def _task_of_several(files: Sequence[Beginning]) -> str:
    """The task of several files: if one has passages, which belong to a sheet, their summarization;
    of sheets only, the method that judges the others by the first as gold; "" otherwise."""
    if any(file.root in TOPICS for file in files):
        return "ntcir-summarization"
    if all(file.root == "answer_sheet" for file in files):
        return "ntcir-evaluation-method"
    return ""


def _task_of_xml(file: Beginning, run: Beginning | None) -> str:
    """The task by the root element, of an answer sheet also by the root of its run and whether
    that holds answers; "" for another root."""
    if file.root in ("exam", *QUIZ_ROOTS):  # of NTCIR, of learning platforms
        return "ntcir-mc"
    if file.root == "question":
        return "nlpcc-kbqa"
    if file.root != "answer_sheet":
        return ""
    if run is None or run.root not in TOPICS:
        return "ntcir-sheet"
    return "ntcir-evaluation-method" if "<ANSWER" in run.text else "ntcir-extraction"


def _task_of_json(file: Beginning) -> str:
    """The task by the names of fields in the beginning: selqa, ntcir-mc, datasearch-qa, u4-tqa or
    u4-tr; "" without any of them."""
    if '"sentences"' in file.text or '"candidates"' in file.text:
        return "selqa"
    if _has_choices(file):
        return "ntcir-mc"
    if '"dataset"' in file.text:
        return "datasearch-qa"
    if '"doc_id"' not in file.text or '"question"' not in file.text:
        return ""
    # U4's questions give the table; those of Table Retrieval's train and valid hold it as the
    # answer.
    gives_table = '"table_id"' in file.text and '"question_tr_' not in file.text
    return "u4-tqa" if gives_table else "u4-tr"


def _task_of_text(file: Beginning) -> str:
    """The task of rows, or of questions in plain text: nlpcc-tbqa, selqa, ntcir-mc, nlpcc-dbqa or
    datasearch-qa, the first whose form fits; "" for none."""
    columns = file.columns
    if _CELLS in file.line:
        return "nlpcc-tbqa"
    # WikiQA has a header; TrecQA's columns are question id, question, sentence and label.
    if columns[0] == "QuestionID" or (len(columns) == 4 and columns[3] in ("0", "1")):
        return "selqa"
    repeated = _repeats_questions(file)
    labelled = bool({columns[0], columns[-1]} & {"0", "1"})
    # A sentence or a question in a column may contain "1. … 2. …", which numbered text would take
    # for choices.
    is_rows = repeated or (len(columns) == 3 and (labelled or _names_datasets(file)))
    if not is_rows and _has_choices(file):
        return "ntcir-mc"
    # The guideline has the label last, the public files have it first [NLPCC2017]. Other numbers
    # are labels where the rows show that questions are beside sentences.
    if len(columns) == 3 and repeated:
        labelled = labelled or columns[0].isdecimal() or columns[-1].isdecimal()
    if len(columns) == 2 or labelled:
        return "nlpcc-dbqa"
    return "datasearch-qa" if len(columns) == 3 else ""


def _has_choices(file: Beginning) -> bool:
    """Whether a file has questions with choices in a plain-text format: the beginning is parsed in
    each of them, since they have no root or mark."""
    from answerer.formats.question_file.read import looks_like_questions

    return looks_like_questions(file.text)


def _repeats_questions(file: Beginning) -> bool:
    """Whether all lines but the last, which may be cut, have two or all have three columns, and a
    line has its question, of four characters or more, again in the next line, as a question comes
    before each of its sentences in NLPCC DBQA."""
    rows = [line.split("\t") for line in file.text.strip("\ufeff\r\n").splitlines() if line.strip()]
    # The last line may be cut.
    rows = rows[:-1] if len(rows) > 2 else rows
    if len(file.columns) not in (2, 3) or any(len(row) != len(file.columns) for row in rows):
        return False
    # Labels of a numbered text, which may be a separate column, are shorter.
    return any(
        row[column] == following[column] and len(row[column]) >= _SHORTEST_QUESTION
        for row, following in pairwise(rows)
        for column in range(len(file.columns) - 1)
    )


def _names_datasets(file: Beginning) -> bool:
    """Whether the last column of the first line is a data set's id of NTCIR Data Search."""
    return _DATASET_ID.fullmatch(file.columns[-1].strip()) is not None
