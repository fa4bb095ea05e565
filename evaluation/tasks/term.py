"""Scores NTCIR term questions: right answers with their alternatives, partly right ones, ranks from the trace."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple

from answerer.formats.answer_sheet import AnswerSlot, Section
from answerer.trace import read_trace
from evaluation.measures.answer_sets import best_assignment, credit, fold_text, reciprocal_rank
from evaluation.registry import Scoring
from evaluation.significance import estimate
from evaluation.tables import Rows, Tables, cross_kinds, members_of_classes
from evaluation.tasks.results import Reported, ReportedQuestion, beside_run, ids_asked, sheet_language_option
from indexer.files.errors import UserError
from indexer.languages.language import Language
from indexer.parameters import input_path, option

_KIND = attrgetter("terms")
CUTOFF = 5  # candidates of the trace that MRR looks at


class JudgedSection(NamedTuple):
    """A gold section with the run's texts and the credit of each of its slots, 0 to 1.

    `reciprocal_rank` is 1 / rank of the first of the trace's five best candidates that is right for any slot, 0 without
    one; None without a trace.
    """

    gold: Section
    texts: tuple[str, ...]
    credits: tuple[float, ...]
    reciprocal_rank: float | None = None

    @property
    def right(self) -> float:
        """1 if every slot is filled rightly, else 0: a list counts only as a whole."""
        return float(all(one == 1.0 for one in self.credits))

    @property
    def partial(self) -> float:
        """The mean credit of the slots."""
        return sum(self.credits) / len(self.credits)


def judge(
    gold_path: Path, run_path: Path, language: Language | None = None, trace: str | None = None
) -> list[JudgedSection]:
    """Judges every term section of the gold that has an answer, in its order; missing and placeholder answers fail.

    Slots of an unordered list may be filled in any order, each answer fills one; those of an ordered list are sorted by
    `order` if the sheet prints it, others compared by position. Slots that the gold leaves empty are not scored; of
    several expressions the first counts. Raises UserError as `beside_run` does, and if the trace lacks an answered
    section.
    """
    _, sections = beside_run(gold_path, run_path, language, _KIND, "term section with an answer")
    traced = {row.question_id: row.candidates for row in read_trace(trace)[1]} if trace else {}
    judged = []
    lacking = []
    for gold, run in sections:
        texts = tuple(next(iter(answer.texts), "") for answer in _by_order(run)) if run else ()
        # Each text of an unordered list may fill one slot: the best assignment counts.
        if gold.answer_set_type == "unordered_list":
            slots = [slot for slot in gold.answers if slot.texts]
            table = [[credit(text, slot.texts, slot.match_type) for text in texts] for slot in slots]
            of_slots = best_assignment(table)
        else:
            # An answer that the run lacks is an empty text, which earns no credit.
            given = zip(_by_order(gold), (*texts, *[""] * len(gold.answers)), strict=False)
            of_slots = [credit(text, slot.texts, slot.match_type) for slot, text in given if slot.texts]
        rank = None
        if trace:
            # Candidates are compared as answers are: folded, without marks and blanks.
            best = [fold_text(one.text) for one in traced.get(gold.section_id, ())[:CUTOFF]]
            rank = reciprocal_rank(best, {fold_text(text) for text in gold.texts})
            # Sections that the run leaves empty have no row in its trace.
            if any(texts) and gold.section_id not in traced:
                lacking.append(gold.section_id)
        judged.append(JudgedSection(gold, texts, tuple(of_slots), rank))
    if lacking:
        raise UserError(f"{trace}: no row for {', '.join(lacking[:3])}; expected the run's own trace")
    return judged


def _by_order(section: Section) -> Sequence[AnswerSlot]:
    """The slots of a section, those of an ordered list by `order` if all have one."""
    orders = [answer.order for answer in section.answers]
    # -1 as order leaves the place in the list open.
    if section.answer_set_type != "ordered_list" or None in orders:
        return section.answers
    return sorted(section.answers, key=lambda answer: answer.order or 0)


def report_questions(gold: Path, run: Path, language: Language | None = None) -> Reported:
    """Every section with the gold's expressions, the run's answers and the answer type, scored 1 if right."""
    questions = [
        ReportedQuestion(
            row.gold.section_id,
            row.right,
            gold=row.gold.texts,
            answer=" / ".join(row.texts) if any(row.texts) else "",
            kinds={"answer type": row.gold.answer_type},
            spellings=[answer.texts for answer in row.gold.answers if answer.texts],
        )
        for row in judge(gold, run, language)
    ]
    return Reported("right", questions)


def summary(rows: Sequence[JudgedSection], interval: bool = False) -> Rows:
    """Rows of all sections, then by answer type, kind of list, answer style, knowledge type, and answer × knowledge
    type, each if there are several.

    A row has the number of sections, and the means of `right` (with standard error) and `partly right`; with a trace
    also accuracy@1 and MRR@5. `interval` adds 95 % bounds.
    """
    names = {"answer_type": "answer_type", "answer_set": "answer_set_type", "answer_style": "answer_style"}
    names["knowledge_type"] = "knowledge_type"
    kinds = {name: [str(getattr(row.gold, field)) for row in rows] for name, field in names.items()}
    if len(set(kinds["knowledge_type"])) > 1:
        kinds["answer × knowledge type"] = list(map(cross_kinds, kinds["answer_type"], kinds["knowledge_type"]))
    lines = []
    for name, value, members in [("all", "", list(rows)), *members_of_classes(rows, kinds, fewest=2)]:
        line: dict[str, object] = {"group": name, "value": value, "sections": len(members)}
        line["answered"] = sum(any(row.texts) for row in members)
        measures = {"right": [row.right for row in members], "partly right": [row.partial for row in members]}
        ranks = [row.reciprocal_rank for row in members if row.reciprocal_rank is not None]
        if ranks:
            measures |= {"accuracy@1": [float(rank == 1) for rank in ranks], "MRR@5": ranks}
        for measure, scores in measures.items():
            whole = estimate(scores)
            line[measure] = whole.mean
            if measure in ("right", "accuracy@1"):
                line[f"{measure}: standard error"] = whole.standard_error
            if interval:
                line |= {f"{measure}: low": whole.low, f"{measure}: high": whole.high}
        lines.append(line)
    return lines


def by_section(rows: Sequence[JudgedSection]) -> Rows:
    """A row for each section: answer type, gold, answer, credit and, with a trace, the reciprocal rank of its
    candidates."""
    return [
        {
            "section": row.gold.section_id,
            "answer_type": row.gold.answer_type,
            "gold": " / ".join("|".join(answer.texts) for answer in _by_order(row.gold)),
            "system": " / ".join(row.texts),
            "right": int(row.right),
            "partly right": row.partial,
            **({} if row.reciprocal_rank is None else {"reciprocal rank": row.reciprocal_rank}),
        }
        for row in rows
    ]


def tables(gold: Path, run: Path, trace: str | None, language: Language | None, interval: bool) -> Tables:
    """Scores a run: rows of measures over all sections and by group, and a row for each section; `trace` is the path of
    the run's trace."""
    rows = judge(gold, run, language, trace)
    return Tables(lambda: summary(rows, interval), lambda: by_section(rows))


SCORING = Scoring(
    help="""Shares of term questions answered rightly: an expression equals one of the gold's.

    Compared without case, blanks, middle dots and punctuation. `partly right` is the mean over the answers of a
    section: for a broad match_type, F1 over characters or words; for an exact one, right or wrong.
    """,
    example="samples/term-en.gold.xml term.run.xml --trace term.run.jsonl",
    tables=tables,
    reported=report_questions,
    options=(
        option(
            "--trace",
            metavar="TRACE.jsonl",
            type=input_path,
            help="The run's trace: adds accuracy@1 and MRR@5 of its candidates.",
        ),
        sheet_language_option,
    ),
    tree_options=("language",),
    asked_in=partial(ids_asked, kind=_KIND),
    metavar=("GOLD.xml", "RUN.xml"),
    row="section",
)
