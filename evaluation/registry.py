"""Registry of the tasks that are scored and of the commands beside them: name → (module, one line
of help).

A task of another distribution is found by its entry point: group `classical_qa.scorings`, the
task's name and its module, whose docstring's first line is the help.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, cast

from indexer.files.validation import validate_choice
from indexer.plug_ins import plug_ins

if TYPE_CHECKING:
    from evaluation.contract import Scoring

ENTRY_POINTS = "classical_qa.scorings"

# The tasks of this package, in the order of --help, each with one line of it. The module of a task
# is evaluation/tasks/NAME.py, with _ for -.
BUILT_IN: dict[str, tuple[str, str]] = {}
for _name, _line in {
    "ntcir-mc": "NTCIR QA Lab multiple choice: points of the answer tables.",
    "nlpcc-dbqa": "NLPCC DBQA: MRR and MAP of scored sentences.",
    "nlpcc-tbqa": "NLPCC TBQA: MRR, Accuracy@N and MAP of scored tables.",
    "selqa": "SelQA: MRR of a result file.",
    "nlpcc-kbqa": "NLPCC KBQA: MRR, Accuracy@N and averaged F1.",
    "datasearch-qa": "NTCIR Data Search QA: exact match and F1 over words.",
    "u4-tqa": "NTCIR-18 U4 Table QA: accuracy, cell and value.",
    "u4-tr": "NTCIR-18 U4 Table Retrieval: accuracy, table.",
    "ntcir-term": "NTCIR term questions: right and partly right answers, MRR.",
    "ntcir-essay": "NTCIR essays: ROUGE, limits, keywords, nuggets.",
    "ntcir-extraction": "NTCIR extraction: precision and recall of passages.",
    "ntcir-evaluation-method": "NTCIR evaluation method: agreement with experts.",
}.items():
    BUILT_IN[_name] = (f"evaluation.tasks.{_name.replace('-', '_')}", _line)

SHEET_TASKS = ("ntcir-term", "ntcir-essay", "ntcir-sheet", "ntcir-summarization")

# Commands that are not tasks: name: (module whose `command` is the command, one line of help).
TOOLS: dict[str, tuple[str, str]] = {
    "export": ("evaluation.trec", "Gold and run of a ranking task in the formats of TREC."),
    "trec": ("evaluation.trec_measures", "Any TREC run by the measures of ir_measures."),
    "compare": (
        "evaluation.comparison",
        "Runs of one task against each other: difference, interval, randomisation test.",
    ),
    "pool": (
        "evaluation.pool",
        "The answers of a tree of runs, each once, for assessors, by priority.",
    ),
    "explain": (
        "evaluation.explain",
        "Why questions were answered so: a trace, read on a terminal.",
    ),
    "report": (
        "evaluation.report.command",
        "A page of runs: figures, charts, and why every question was answered so.",
    ),
}


@cache
def tasks() -> Mapping[str, tuple[str, str]]:
    """The tasks that can be scored, ours and those of other distributions: name → (module, one line
    of help). Warns of those of others that are left out, as `load_entries` does."""
    return BUILT_IN | plug_ins(ENTRY_POINTS, {**BUILT_IN, **TOOLS})


def commands() -> Mapping[str, tuple[str, str]]:
    """The commands of `python -m evaluation`: name → (module, one line of help)."""
    return {**tasks(), **TOOLS}


def scoring(task: str) -> Scoring:
    """The module of a task, loaded. Raises UserError for a name that `tasks` does not have."""
    module, _ = tasks()[validate_choice(task, tasks(), "task")]
    return cast("Scoring", import_module(module))


def ranks_candidates(task: Scoring) -> bool:
    """Whether the candidates of a task come with the question."""
    return bool(getattr(task, "RANKS_CANDIDATES", False))
