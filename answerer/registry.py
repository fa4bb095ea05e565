"""Registry of the tasks and of the commands beside them: a task of this package is one record here.

A task of another distribution is found by its entry point: group `classical_qa.tasks`, name and
`module:TASK`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.metadata import EntryPoint

from answerer.task import Task
from indexer.plug_ins import load_entries

ENTRY_POINTS = "classical_qa.tasks"
TOPICS = ("TOPIC", "TOPIC_SET")
"""Root elements of extraction and evaluation-method files."""

# In the order of --help.
OWN = (
    Task(
        name="ntcir-mc",
        help="Multiple choice: exam XML in, answer table out; plain questions in, TSV out.",
        module="answerer.ntcir.multiple_choice.task",
        index="textbook",
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
    ),
    Task(
        name="nlpcc-tbqa",
        help="NLPCC TBQA: candidate tables scored for their question.",
        module="answerer.nlpcc.tbqa",
        features_are_shared_words=True,
    ),
    Task(
        name="selqa",
        help="SelQA: a probability for every sentence of a section.",
        module="answerer.selqa.task",
    ),
    Task(
        name="nlpcc-kbqa",
        help="NLPCC KBQA: questions answered by the facts of a knowledge base.",
        module="answerer.nlpcc.kbqa.task",
        index="triples",
        ids_are_ranks=True,
    ),
    Task(
        name="datasearch-qa",
        help="NTCIR Data Search QA: the cell of a dataset that answers.",
        module="answerer.datasearch.task",
        index="datasets",
        ids_are_ranks=True,
    ),
    Task(
        name="u4-tqa",
        help="NTCIR-18 U4 Table QA: the cell of a report's table, and its value.",
        module="answerer.u4.cells",
        index="reports",
        ids_are_ranks=True,
    ),
    Task(
        name="u4-tr",
        help="NTCIR-18 U4 Table Retrieval: the table of a report.",
        module="answerer.u4.tables",
        index="reports",
        ids_are_ranks=True,
    ),
    Task(
        # Recognises nothing: a sheet of terms begins like one of essays, and `ntcir-sheet` answers
        # both.
        name="ntcir-term",
        help="NTCIR QA Lab term questions: names, dates and numbers fill the sheet.",
        module="answerer.ntcir.term.task",
        index="textbook",
        run_type=("term", "term", ("answer_sheet",)),
        features_before_weights=True,
        ids_are_ranks=True,
    ),
    Task(
        name="ntcir-sheet",
        help="NTCIR QA Lab sheets that mix terms and essays: all filled in one run.",
        module="answerer.ntcir.mixed_sheet",
        index="textbook",
        run_type=("essay/e2e", "e2e", ("answer_sheet",)),
        features_before_weights=True,
        ids_are_ranks=True,
    ),
    Task(
        name="ntcir-essay",
        help="NTCIR QA Lab essays: answer sheet in, the sheet with essays out.",
        module="answerer.ntcir.essay.task",
        index="textbook",
        run_type=("essay/e2e", "e2e", ("answer_sheet",)),
    ),
    Task(
        name="ntcir-extraction",
        help="NTCIR QA Lab extraction: ranked passages for essay questions.",
        module="answerer.ntcir.extraction",
        index="textbook",
        run_type=("essay/extraction", "extraction", TOPICS),
    ),
    Task(
        name="ntcir-summarization",
        help="NTCIR QA Lab essays from the passages of a file.",
        module="answerer.ntcir.summarization",
        several_files=True,
        is_first=lambda beginning: beginning.root not in TOPICS,
        run_type=("essay/summarization", "summarization", ("answer_sheet",)),
    ),
    Task(
        name="ntcir-evaluation-method",
        help="NTCIR QA Lab essays of others, ranked and scored.",
        module="answerer.ntcir.evaluation_method",
        several_files=True,
        further="answers",
        run_type=("essay/evaluation_method", "evaluation-method", TOPICS),
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


BUILT_IN: dict[str, tuple[str, str]] = {
    **{task.name: (task.module, task.help) for task in OWN},
    **TOOLS,
}
"""The commands of this package's own tasks and tools, as in `TOOLS`."""


@cache
def tasks() -> Mapping[str, Task]:
    """Task name → task: this package's in the order of `OWN`, then those of other distributions
    (entry points) by name. An entry point that cannot be loaded, is not a `Task` of its name, or
    whose name is taken or not of small letters, digits and hyphens, is left out, with a warning."""
    ours = {task.name: task for task in OWN}
    # The names of ours cannot be taken by another distribution.
    return ours | load_entries(ENTRY_POINTS, {*ours, *TOOLS}, _task, "the task")


def _task(point: EntryPoint) -> Task:
    """The task of an entry point; ValueError if it is not one, or not of the entry point's name."""
    task = point.load()
    if not isinstance(task, Task) or task.name != point.name:
        raise ValueError(f"expected an answerer.task.Task called {point.name!r}")
    return task
