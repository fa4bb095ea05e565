"""Registry of the tasks and of the commands beside them: a task of this package is one record here.

A task of another distribution is found by its entry point: group `classical_qa.tasks`, name and
`module:TASK`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from importlib.metadata import entry_points
from itertools import pairwise
from typing import TYPE_CHECKING

from answerer.task import Task
from indexer.files.errors import one_line
from indexer.files.messages import warn

if TYPE_CHECKING:
    from answerer.beginning import Beginning

ENTRY_POINTS = "classical_qa.tasks"
_CELLS = "_|_"  # between the cells of a table of NLPCC TBQA
_SHORTEST_QUESTION = 4  # characters; a label such as `(1)` has three
# Of e-Stat 12 digits, of data.gov a UUID [DataSearch2].
_DATASET_ID = re.compile(r"\d{12}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_TOPICS = ("TOPIC", "TOPIC_SET")  # root elements of extraction and evaluation-method files


def _asks_choices(one: Beginning) -> bool:
    """True if a file is an exam, or questions with choices in a plain-text format, judged by its
    beginning."""
    if one.root == "exam":
        return True
    if one.root == "answer_sheet" or _is_candidates(one) or _CELLS in one.line:
        return False
    # A sentence or a question in a column may contain "1. … 2. …", which numbered text would take
    # for choices.
    if _has_label(one) or _repeats_questions(one) or _names_datasets(one):
        return False
    # Last, for the plain formats have no root or mark: the beginning is parsed in each of them.
    from answerer.formats.question_file.read import looks_like_questions

    return looks_like_questions(one.text)


def _has_label(one: Beginning) -> bool:
    """Whether the first line has three columns, the first or last of them the label 0 or 1."""
    return len(one.columns) == 3 and bool({one.columns[0], one.columns[-1]} & {"0", "1"})


def _repeats_questions(one: Beginning) -> bool:
    """Whether all lines have two or all have three columns, and a line has its question again in
    the next line, as a question stands before each of its sentences in NLPCC DBQA."""
    rows = [line.split("\t") for line in one.text.strip("\ufeff\r\n").splitlines() if line.strip()]
    # The last line may be cut.
    rows = rows[:-1] if len(rows) > 2 else rows
    if len(one.columns) not in (2, 3) or any(len(row) != len(one.columns) for row in rows):
        return False
    # Labels of a numbered text, which may stand in a column of their own, are shorter.
    return any(
        row[column] == following[column] and len(row[column]) >= _SHORTEST_QUESTION
        for row, following in pairwise(rows)
        for column in range(len(one.columns) - 1)
    )


def _names_datasets(one: Beginning) -> bool:
    """Whether the first line has three columns, the last of them a data set's id of NTCIR Data
    Search."""
    return len(one.columns) == 3 and _DATASET_ID.fullmatch(one.columns[-1].strip()) is not None


def _is_topics(one: Beginning) -> bool:
    return one.root in _TOPICS


def _is_candidates(one: Beginning) -> bool:
    """True for the beginning of SelQA's JSON, WikiQA with headings, or TrecQA of four columns with
    a 0/1 label."""
    columns = one.columns
    if one.is_json:
        return '"sentences"' in one.text or '"candidates"' in one.text
    # WikiQA has a header; TrecQA's columns are question id, question, sentence and label.
    return columns[0] == "QuestionID" or (len(columns) == 4 and columns[3] in ("0", "1"))


def _asks_reports(one: Beginning) -> bool:
    return one.is_json and '"doc_id"' in one.text


def _is_plain_rows(one: Beginning) -> bool:
    """Whether a file has tab-separated rows and no feature of another format."""
    return not (
        one.root in ("answer_sheet", "question")
        or one.is_json
        or _CELLS in one.line
        or _is_candidates(one)
    )


def _is_labelled_pairs(one: Beginning) -> bool:
    """Whether a file has rows of question and sentence, with or without a label, as NLPCC
    DBQA's."""
    columns = one.columns
    # The guideline has the label last, the public files have it first [NLPCC2017].
    pairs = len(columns) == 2 or bool({columns[0], columns[-1]} & {"0", "1"})
    # Other numbers are labels where the rows show that questions stand beside sentences.
    labels = {columns[0], columns[-1]} if len(columns) == 3 else set()
    pairs = pairs or (any(map(str.isdecimal, labels)) and _repeats_questions(one))
    return pairs and _is_plain_rows(one) and not _asks_choices(one)


def _asks_datasets(one: Beginning) -> bool:
    """Whether a file has questions of NTCIR Data Search: JSON, or rows of three columns."""
    if one.is_json:
        return not _is_candidates(one) and not _asks_choices(one) and not _asks_reports(one)
    return (
        len(one.columns) == 3
        and _is_plain_rows(one)
        and not _is_labelled_pairs(one)
        and not _asks_choices(one)
    )


def _gives_table(one: Beginning) -> bool:
    """Whether U4's questions give the table; those of Table Retrieval's train and valid hold it as
    the answer."""
    return '"table_id"' in one.text and '"question_tr_' not in one.text


# In the order of --help. The first task that recognises a file takes it: where two could, the
# stricter comes first.
OWN = (
    Task(
        name="ntcir-mc",
        help="Multiple choice: exam XML in, answer table out; plain questions in, TSV out.",
        module="answerer.ntcir.multiple_choice.task",
        index="textbook",
        check="answerer.check.submissions:check_exam",
        recognises=_asks_choices,
        run_type=(
            "mutiple_choice",
            "",
            ("answerTable",),
        ),  # the folder's name as the task page prints it
    ),
    Task(
        name="nlpcc-dbqa",
        help="NLPCC DBQA: the sentences of a document scored for its question.",
        module="answerer.nlpcc.dbqa",
        check="answerer.check.submissions:check_scores",
        recognises=_is_labelled_pairs,
    ),
    Task(
        name="nlpcc-tbqa",
        help="NLPCC TBQA: candidate tables scored for their question.",
        module="answerer.nlpcc.tbqa",
        check="answerer.check.submissions:check_scores",
        recognises=lambda one: _CELLS in one.line and not one.root and not one.is_json,
        features_are_shared_words=True,
    ),
    Task(
        name="selqa",
        help="SelQA: a probability for every sentence of a section.",
        module="answerer.selqa.task",
        check="answerer.check.submissions:check_results",
        recognises=lambda one: not one.root and _is_candidates(one),
    ),
    Task(
        name="nlpcc-kbqa",
        help="NLPCC KBQA: questions answered by the facts of a knowledge base.",
        module="answerer.nlpcc.kbqa.task",
        index="triples",
        check="answerer.check.submissions:check_blocks",
        recognises=lambda one: one.root == "question",
        ids_are_ranks=True,
    ),
    Task(
        name="datasearch-qa",
        help="NTCIR Data Search QA: the cell of a dataset that answers.",
        module="answerer.datasearch.task",
        index="datasets",
        check="answerer.check.submissions:check_dataset_run",
        recognises=_asks_datasets,
        ids_are_ranks=True,
    ),
    Task(
        name="u4-tqa",
        help="NTCIR-18 U4 Table QA: the cell of a report's table, and its value.",
        module="answerer.u4.cells",
        index="reports",
        check="answerer.check.submissions:check_cells",
        recognises=lambda one: _asks_reports(one) and _gives_table(one),
        ids_are_ranks=True,
    ),
    Task(
        name="u4-tr",
        help="NTCIR-18 U4 Table Retrieval: the table of a report.",
        module="answerer.u4.tables",
        index="reports",
        check="answerer.check.submissions:check_tables",
        recognises=lambda one: _asks_reports(one) and not _gives_table(one),
        ids_are_ranks=True,
    ),
    Task(
        # Recognises nothing: a sheet of terms begins like one of essays, and `ntcir-sheet` answers
        # both.
        name="ntcir-term",
        help="NTCIR QA Lab term questions: names, dates and numbers fill the sheet.",
        module="answerer.ntcir.term.task",
        index="textbook",
        check="answerer.check.submissions:check_sheet",
        run_type=("term", "term", ("answer_sheet",)),
        features_before_weights=True,
        ids_are_ranks=True,
    ),
    Task(
        name="ntcir-sheet",
        help="NTCIR QA Lab sheets that mix terms and essays: all filled in one run.",
        module="answerer.ntcir.mixed_sheet",
        index="textbook",
        check="answerer.check.submissions:check_sheet",
        recognises=lambda one: one.root == "answer_sheet",
        recognises_run=lambda asked, run: asked.root == "answer_sheet" and not _is_topics(run),
        run_type=("essay/e2e", "e2e", ("answer_sheet",)),
        features_before_weights=True,
        ids_are_ranks=True,
    ),
    Task(
        name="ntcir-essay",
        help="NTCIR QA Lab essays: answer sheet in, the sheet with essays out.",
        module="answerer.ntcir.essay.task",
        index="textbook",
        check="answerer.check.submissions:check_sheet",
        run_type=("essay/e2e", "e2e", ("answer_sheet",)),
    ),
    Task(
        name="ntcir-extraction",
        help="NTCIR QA Lab extraction: ranked passages for essay questions.",
        module="answerer.ntcir.extraction",
        index="textbook",
        check="answerer.check.submissions:check_extraction",
        recognises_run=lambda asked, run: (
            asked.root == "answer_sheet" and _is_topics(run) and "<ANSWER" not in run.text
        ),
        run_type=("essay/extraction", "extraction", _TOPICS),
    ),
    Task(
        name="ntcir-summarization",
        help="NTCIR QA Lab essays from the passages of a file.",
        module="answerer.ntcir.summarization",
        check="answerer.check.submissions:check_sheet",
        recognises_several=lambda files: any(map(_is_topics, files)),
        is_first=lambda one: not _is_topics(one),
        run_type=("essay/summarization", "summarization", ("answer_sheet",)),
    ),
    Task(
        name="ntcir-evaluation-method",
        help="NTCIR QA Lab essays of others, ranked and scored.",
        module="answerer.ntcir.evaluation_method",
        check="answerer.check.submissions:check_judged",
        recognises_run=lambda asked, run: (
            asked.root == "answer_sheet" and _is_topics(run) and "<ANSWER" in run.text
        ),
        recognises_several=lambda files: {one.root for one in files} == {"answer_sheet"},
        further="answers",
        run_type=("essay/evaluation_method", "evaluation-method", _TOPICS),
        features_before_weights=True,
    ),
)

UNKNOWN = Task(name="", help="", module="")
"""The record of a task that is not installed, whose traces can be read all the same."""

# What `answerer train` learns: name: (module with `command` and `train`, one line of help).
TRAININGS: dict[str, tuple[str, str]] = {
    "ntcir-mc": (
        "answerer.ntcir.multiple_choice.validation.training",
        "Weights of the features for multiple choice, from exams with gold.",
    ),
    "ntcir-mc-names": (
        "answerer.ntcir.multiple_choice.names.training",
        "Weights of the signals of --method names, from exams with gold.",
    ),
    "nlpcc-dbqa": ("answerer.trainings.dbqa", "The ranker of NLPCC DBQA."),
    "nlpcc-tbqa": ("answerer.trainings.tbqa", "The ranker of NLPCC TBQA."),
    "selqa": ("answerer.trainings.selqa", "The ranker of SelQA, WikiQA and TrecQA."),
    "nlpcc-kbqa": ("answerer.nlpcc.kbqa.training", "Templates and weights for NLPCC KBQA."),
    "datasearch-qa": (
        "answerer.datasearch.training",
        "Weights of derivations for NTCIR Data Search QA.",
    ),
    "u4-tqa": ("answerer.u4.cells_training", "The ranker of NTCIR-18 U4 Table QA."),
    "u4-tr": ("answerer.u4.tables_training", "The ranker of NTCIR-18 U4 Table Retrieval."),
    "ntcir-essay": ("answerer.ntcir.essay.training", "Weights of concepts for NTCIR essays."),
}

# What `answerer submit` lays out: name: (module whose `command` is the command, one line of help).
# The first is meant where no name is given.
SUBMISSIONS: dict[str, tuple[str, str]] = {
    "ntcir": (
        "answerer.ntcir.submission",
        "NTCIR QA Lab: RUN_IDs, a folder a run, a system description from the trace.",
    ),
    "selqa": (
        "answerer.selqa.submission",
        "SelQA challenge: result file, mrr.txt, description, program.",
    ),
}

# What looks at questions and answers beside the tasks: name: (module whose `command` is the
# command, help).
TOOLS: dict[str, tuple[str, str]] = {
    "check": (
        "answerer.check.submissions",
        "Is a submission complete and valid before it is sent?",
    ),
    "check-quiz": (
        "answerer.quiz_check.task",
        "Which questions of a quiz deserve a second look: keys, flaws, coverage.",
    ),
    "ask": ("answerer.asking.command", "Ask a question in plain words, without a file."),
    "serve": (
        "answerer.serve.command",
        "A page on this machine that answers questions and files, and an API.",
    ),
}


@cache
def tasks() -> Mapping[str, Task]:
    """Task name → task: this package's in the order of `OWN`, then those of other distributions
    (entry points) by name.

    An entry point that cannot be loaded, that is not a `Task`, or whose name is taken or malformed,
    is left out, with a warning that names its distribution.
    """
    # Ours come first: their names cannot be taken by another distribution.
    registered = {task.name: task for task in OWN}
    for point in sorted(entry_points(group=ENTRY_POINTS), key=lambda point: point.name):
        try:
            task = point.load()
            if not isinstance(task, Task) or task.name != point.name:
                raise ValueError(f"expected an answerer.task.Task called {point.name!r}")
            if point.name in registered or point.name in TOOLS:
                raise ValueError(f"the name {point.name!r} is taken")
            if not re.fullmatch("[a-z][a-z0-9-]*", point.name):
                raise ValueError(f"{point.name!r} is not of letters, digits and hyphens")
        except Exception as error:  # any code of others may run here
            distribution = point.dist.name if point.dist else "a distribution"
            warn(f"{distribution}: the task {point.name} is left out ({one_line(str(error))})")
            continue
        registered[point.name] = task
    return registered


def first_task(choose: Callable[[Task], bool]) -> Task | None:
    """The first task that is chosen, those of other distributions before this package's; None if
    none is chosen."""
    # Another distribution is installed on purpose, for files that a task of ours may claim too.
    ours = {task.name for task in OWN}
    return next(filter(choose, sorted(tasks().values(), key=lambda task: task.name in ours)), None)
