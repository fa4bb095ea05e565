"""Every task that can be scored: adding one is a line here and the module that it names."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import click

from indexer.cli.given_values import named_given
from indexer.files.errors import UserError

if TYPE_CHECKING:
    from evaluation.tasks.ranked_lists import Ranked
    from evaluation.tasks.reported import Reported

# name: (module that is a `Task`, one line of help). The module loads when it is chosen.
TASKS: dict[str, tuple[str, str]] = {
    "nlpcc-dbqa": ("evaluation.tasks.dbqa", "NLPCC DBQA: MRR and MAP of scored sentences."),
    "nlpcc-tbqa": ("evaluation.tasks.tbqa", "NLPCC TBQA: MRR, Accuracy@N and MAP of scored tables."),
    "selqa": ("evaluation.tasks.selqa", "SelQA: MRR of a result file."),
    "ntcir-mc": ("evaluation.tasks.multiple_choice", "NTCIR QA Lab multiple choice: points of the answer tables."),
    "nlpcc-kbqa": ("evaluation.tasks.kbqa", "NLPCC KBQA: MRR, Accuracy@N and averaged F1."),
    "datasearch-qa": ("evaluation.tasks.datasearch", "NTCIR Data Search QA: exact match and F1 over words."),
    "ntcir-term": ("evaluation.tasks.term", "NTCIR term questions: right and partly right answers, MRR."),
    "ntcir-essay": ("evaluation.tasks.essay", "NTCIR essays: ROUGE, limits, keywords, nuggets."),
    "ntcir-extraction": ("evaluation.tasks.extraction", "NTCIR extraction: precision and recall of passages."),
    "ntcir-evaluation-method": (
        "evaluation.tasks.evaluation_method",
        "NTCIR evaluation method: agreement with experts.",
    ),
}

# Commands that are not tasks: name: (module whose `command` is the click command, one line of help).
TOOLS: dict[str, tuple[str, str]] = {
    "export": ("evaluation.trec", "Gold and run of a ranking task in the formats of TREC."),
    "trec": ("evaluation.trec_measures", "Any TREC run by the measures of ir_measures."),
    "compare": (
        "evaluation.comparison",
        "Runs of one task against each other: difference, interval, randomisation test.",
    ),
    "report": ("evaluation.report.command", "A page of runs: figures, charts, and why every question was answered so."),
    "plot": ("evaluation.charts.command", "The charts of the report as SVG, PNG or PDF, for papers."),
    "pseudo-exam": ("evaluation.pseudo_exam.command", "Make an exam with known answers out of a textbook."),
}


@runtime_checkable
class Task(Protocol):
    """What a task's module offers."""

    command: click.Command

    def reported(self, gold: Path, run: Path, **options: Any) -> Reported:
        """The questions of the gold in order, as the run answered them: what `compare` compares and reports show.

        A task whose command has --any-name takes `any_name`, and what it passes on for trees (`gold_and_run`).
        """


@runtime_checkable
class TreeTask(Task, Protocol):
    """What the module of a task offers whose golds and runs say what they are about: whole trees of runs are scored."""

    def asked_in(self, path: Path, gold: bool, **options: Any) -> frozenset[str]:
        """The questions of a gold file, or of a run, by what names them in both; empty for a file of another task.

        Takes, as keywords, the options that the task passes on for trees. UserError for a file that cannot be read.
        """


@runtime_checkable
class RankingTask(Task, Protocol):
    """What the module of a task offers whose candidates come with the question."""

    def ranked(self, gold: Path, run: Path) -> list[Ranked]:
        """The questions of the gold in order, each with its candidates' scores in the run: what `export` writes."""


def task(name: str) -> Task:
    """The module of a task. UserError for a name that is not in the registry."""
    module = importlib.import_module(TASKS[named_given(name, TASKS, "task")][0])
    if not isinstance(module, Task):
        raise TypeError(f"{TASKS[name][0]} is not a task: it lacks `command` or `reported`")
    return module


def ranking_task(name: str) -> RankingTask:
    """The module of a task whose candidates come with the question. UserError for any other task."""
    module = task(name)
    if not isinstance(module, RankingTask):
        ranking = [one for one in TASKS if isinstance(task(one), RankingTask)]
        raise UserError(
            f"{name} does not rank given candidates; expected one of {', '.join(ranking)}; "
            "`export` takes those of another task's trace by --trace"
        )
    return module


def tree_task(name: str) -> TreeTask:
    """The module of a task that scores whole trees."""
    module = task(name)
    if not isinstance(module, TreeTask):
        raise TypeError(f"{TASKS[name][0]} lacks `asked_in`")
    return module
