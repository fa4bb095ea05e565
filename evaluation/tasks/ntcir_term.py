"""Scores NTCIR term questions: right answers with their alternatives, partly right ones, ranks from
the trace."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING

import click

from answerer.formats.answer_sheet import AnswerSlot, Section
from answerer.trace import read_trace
from evaluation.contract import Figures
from evaluation.measures.answer_sets import best_assignment, credit, fold_text, reciprocal_rank
from evaluation.options import (
    by_option,
    format_option,
    interval_option,
    refuse_by_question,
    scored_files_arguments,
)
from evaluation.runs import RunFile, existing, gold_of, scored_files
from evaluation.significance import estimate
from evaluation.tables import print_rows, rows_of_groups
from evaluation.tasks.results import (
    Reported,
    ReportedQuestion,
    beside_run,
    ids_asked,
    printed_tree,
    question_classes,
    question_rows,
)
from indexer.cli.types import Command, InputFile
from indexer.files.errors import UserError
from indexer.files.inputs import MemoryFile
from indexer.files.validation import FileName

if TYPE_CHECKING:
    from evaluation.runs import AnyRun

TASK = "ntcir-term"
CUTOFF = 5  # candidates of the trace that MRR looks at
_KIND = attrgetter("terms")


@click.command(
    cls=Command,
    example="evaluate ntcir-term samples/term-en.gold.xml term.run.xml --trace term.run.jsonl",
)
@scored_files_arguments("GOLD.xml...", "RUN.xml|TREE", "section")
@click.option(
    "--trace",
    metavar="TRACE.jsonl",
    type=InputFile(),
    help="The run's trace: adds accuracy@1 and MRR@5 of its candidates.",
)
@interval_option("sections")
@by_option("answer-type", "answer-set", "answer-style", "knowledge-type", "answer-knowledge-type")
@format_option
def command(
    golds: tuple[Path, ...],
    run: Path,
    by_question: bool,
    trace: Path | None,
    interval: bool,
    by: tuple[str, ...],
    form: str,
) -> None:
    """Shares of term questions answered rightly: an expression equals one of the gold's.

    Compared without case, blanks, middle dots and punctuation. `partly right` is the mean over the
    answers of a section: for a broad match_type, F1 over characters or words; for an exact one,
    right or wrong.
    """
    if printed_tree(
        TASK, golds, run, interval, form, {"-q": by_question, "--trace": trace, "--by": by}
    ):
        return
    refuse_by_question(by_question, interval, by)
    reported = report_questions(gold_of(golds, run), run, trace)
    if by_question:
        print_rows(question_rows(reported, "section"), form)
    else:
        rows = class_rows(reported.questions, interval)
        print_rows(rows_of_groups([(str(row["group"]), row) for row in rows], by, form), form)


def score(
    gold: FileName, run: AnyRun, *, trace: FileName | None = None, interval: bool = False
) -> Figures:
    """The means of `right` and `partly right` of a run, with a trace, by default the evidence of a
    run in memory, also accuracy@1 and MRR@5 of its candidates: of all sections and by class
    (`class_rows`), and of each; `interval` adds 95 % bounds. Raises UserError for what the command
    refuses."""
    gold_path, run_path, evidence = scored_files(TASK, gold, run, traced=trace is None)
    traced = evidence if trace is None else existing(trace, "trace")
    reported = report_questions(gold_path, run_path, traced)
    rows = class_rows(reported.questions, interval)
    return Figures(TASK, rows, question_rows(reported, "section"))


def report_questions(
    gold_path: Path, run_path: RunFile, trace: Path | MemoryFile | None = None
) -> Reported:
    """Judges every term section of the gold that has an answer, in its order; missing and
    placeholder answers fail.

    `right`, by which runs are compared, is 1 if every slot is filled rightly: a list counts only as
    a whole; `partly right` is the mean credit of the slots. `reciprocal rank`, with a trace, is 1 /
    rank of the first of its five best candidates that is right for any slot, 0 without one.

    Slots of an unordered list may be filled in any order, each answer fills one; those of an
    ordered list are sorted by `order` if the sheet prints it, others compared by position. Slots
    that the gold leaves empty are not scored; of several expressions the first counts. Raises
    UserError as `beside_run` does, and if the trace lacks an answered section.
    """
    _, sections = beside_run(gold_path, run_path, _KIND, "term section with an answer")
    traced = {row.question_id: row.candidates for row in read_trace(trace)[1]} if trace else {}
    judged, lacking = [], []
    for gold, run in sections:
        texts = tuple(next(iter(answer.texts), "") for answer in _by_order(run)) if run else ()
        # Each text of an unordered list may fill one slot: the best assignment counts.
        if gold.answer_set_type == "unordered_list":
            slots = [slot for slot in gold.answers if slot.texts]
            table = [
                [credit(text, slot.texts, slot.match_type) for text in texts] for slot in slots
            ]
            of_slots = best_assignment(table)
        else:
            # An answer that the run lacks is an empty text, which earns no credit.
            pairs = zip(_by_order(gold), (*texts, *[""] * len(gold.answers)), strict=False)
            of_slots = [
                credit(text, slot.texts, slot.match_type) for slot, text in pairs if slot.texts
            ]
        right = all(value == 1.0 for value in of_slots)
        measures: dict[str, float] = {
            "right": int(right),
            "partly right": sum(of_slots) / len(of_slots),
        }
        if trace:
            # Candidates are compared as answers are: folded, without marks and blanks.
            best = [
                fold_text(candidate.text) for candidate in traced.get(gold.section_id, ())[:CUTOFF]
            ]
            measures["reciprocal rank"] = reciprocal_rank(
                best, {fold_text(text) for text in gold.texts}
            )
            # Sections that the run leaves empty have no row in its trace.
            if any(texts) and gold.section_id not in traced:
                lacking.append(gold.section_id)
        answer = " / ".join(texts) if any(texts) else ""
        kinds = {"answer_type": gold.answer_type, "answer_set": gold.answer_set_type}
        kinds |= {"answer_style": gold.answer_style, "knowledge_type": gold.knowledge_type}
        all_right = " / ".join("|".join(slot.texts) for slot in _by_order(gold))
        question = ReportedQuestion(
            gold.section_id, float(right), gold.texts, answer=answer, kinds=kinds
        )
        spellings = [slot.texts for slot in gold.answers if slot.texts]
        cells = {"answer_type": gold.answer_type, "gold": all_right, "system": answer}
        judged.append(question._replace(spellings=spellings, measures=measures, cells=cells))
    if lacking:
        raise UserError(
            f"{trace}: no row for {', '.join(lacking[:3])}; expected the run's own trace"
        )
    return Reported("right", judged)


def _by_order(section: Section) -> Sequence[AnswerSlot]:
    """The slots of a section, those of an ordered list by `order` if all have one."""
    orders = [answer.order for answer in section.answers]
    # -1 as order leaves the place in the list open.
    ordered = section.answer_set_type == "ordered_list" and None not in orders
    return (
        sorted(section.answers, key=lambda answer: answer.order or 0)
        if ordered
        else section.answers
    )


def class_rows(questions: Sequence[ReportedQuestion], interval: bool) -> list[dict[str, object]]:
    """Rows of all sections, then by answer type, kind of list, answer style, knowledge type, and
    answer × knowledge type, each if there are several.

    A row has the numbers of sections and of those answered, and the means of `right` (with standard
    error) and `partly right`; with a trace also accuracy@1 (with standard error) and MRR@5.
    `interval` adds 95 % bounds.
    """
    rows = []
    for name, value, members in question_classes(questions, fewest=2):
        row: dict[str, object] = {"group": name, "value": value, "sections": len(members)}
        row["answered"] = sum(bool(question.answer) for question in members)
        measures = {
            name: [question.measures[name] for question in members]
            for name in ("right", "partly right")
        }
        if ranks := [
            question.measures["reciprocal rank"]
            for question in members
            if "reciprocal rank" in question.measures
        ]:
            measures |= {"accuracy@1": [float(rank == 1) for rank in ranks], "MRR@5": ranks}
        for measure, scores in measures.items():
            whole = estimate(scores)
            row[measure] = whole.mean
            if measure in ("right", "accuracy@1"):
                row[f"{measure}: standard error"] = whole.standard_error
            if interval:
                row |= {f"{measure}: low": whole.low, f"{measure}: high": whole.high}
        rows.append(row)
    return rows


def asked_in(path: Path, gold: bool) -> frozenset[str]:
    """The ids of a sheet's term sections (`ids_asked`)."""
    return ids_asked(path, gold, kind=_KIND)
