"""Scores NTCIR term questions: right answers with their alternatives, partly right ones, ranks from the trace."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple

from answerer.formats.answer_sheet import AnswerSlot, Section
from answerer.trace import read_trace
from evaluation.measures.answer_sets import best_assignment, credit, fold_text, reciprocal_rank
from evaluation.registry import Scoring
from evaluation.significance import estimate
from evaluation.tables import Tables, cross_kinds
from evaluation.tasks.results import Reported, ReportedQuestion, beside_run, ids_asked, sheet_language_option
from indexer.files.errors import UserError
from indexer.languages.language import Language
from indexer.parameters import InputPath, option

_KIND = attrgetter("terms")
CUTOFF = 5  # candidates of the trace that MRR looks at


class JudgedSection(NamedTuple):
    """A gold section with the run's texts and the credit of each of its slots, 0 to 1.

    `candidates` are the texts of the trace, best first; None without a trace.
    """

    gold: Section
    texts: tuple[str, ...]
    credits: tuple[float, ...]
    candidates: tuple[str, ...] | None = None

    @property
    def right(self) -> float:
        """1 if every slot is filled rightly, else 0: a list counts only as a whole."""
        return float(all(one == 1.0 for one in self.credits))

    @property
    def partial(self) -> float:
        """The mean credit of the slots."""
        return sum(self.credits) / len(self.credits)

    @property
    def reciprocal_rank(self) -> float:
        """1 / rank of the first candidate that is right for any slot; 0 if it is not among the first five."""
        gold = {fold_text(text) for answer in self.gold.answers for text in answer.texts}
        # Candidates are compared as answers are: folded, without marks and blanks.
        return reciprocal_rank([fold_text(text) for text in (self.candidates or ())[:CUTOFF]], gold)


def judge(gold_path: str | Path, run_path: str | Path, language: Language | None = None) -> list[JudgedSection]:
    """Judges every term section of the gold that has an answer, in its order; missing and placeholder answers fail.

    Slots of an unordered list may be filled in any order, each answer fills one; those of an ordered list are sorted by
    `order` if the sheet prints it, others compared by position. Slots that the gold leaves empty are not scored; of
    several expressions the first counts. Raises UserError as `beside_run` does.
    """
    _, sections = beside_run(gold_path, run_path, language, _KIND, "term section with an answer")
    judged = []
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
        judged.append(JudgedSection(gold, texts, tuple(of_slots)))
    return judged


def _by_order(section: Section) -> Sequence[AnswerSlot]:
    """The slots of a section, those of an ordered list by `order` if all have one."""
    orders = [answer.order for answer in section.answers]
    # -1 as order leaves the place in the list open.
    if section.answer_set_type != "ordered_list" or None in orders:
        return section.answers
    return sorted(section.answers, key=lambda answer: answer.order or 0)


def with_trace(rows: Sequence[JudgedSection], path: str | Path) -> list[JudgedSection]:
    """Adds the candidates of the run's trace. Raises UserError if the trace lacks an answered section."""
    _, questions = read_trace(path)
    candidates = {row.question_id: tuple(one.text for one in row.candidates) for row in questions}
    # Sections that the run leaves empty have no row in its trace.
    lacking = [row.gold.section_id for row in rows if any(row.texts) and row.gold.section_id not in candidates]
    if lacking:
        raise UserError(f"{path}: no row for {', '.join(lacking[:3])}; expected the run's own trace")
    return [row._replace(candidates=candidates.get(row.gold.section_id, ())) for row in rows]


def asked_in(path: Path, gold: bool, language: Language | None = None) -> frozenset[str]:
    """The ids of a sheet's term sections; of a gold sheet only those with an answer."""
    return ids_asked(path, gold, language, _KIND)


def report_questions(gold: Path, run: Path, language: Language | None = None) -> Reported:
    """Every section with the gold's expressions, the run's answers and the answer type, scored 1 if right."""
    questions = [
        ReportedQuestion(
            row.gold.section_id,
            row.right,
            gold=[text for answer in row.gold.answers for text in answer.texts],
            answer=" / ".join(row.texts) if any(row.texts) else "",
            kinds={"answer type": row.gold.answer_type},
            spellings=[answer.texts for answer in row.gold.answers if answer.texts],
        )
        for row in judge(gold, run, language)
    ]
    return Reported("right", questions)


def summary(rows: Sequence[JudgedSection], interval: bool = False) -> list[dict[str, object]]:
    """Rows of all sections, then by answer type, kind of list, answer style, knowledge type, and answer × knowledge
    type, each if there are several.

    A row has the number of sections, and the means of `right` (with standard error) and `partly right`; accuracy@1 and
    MRR@5 only if all its sections have candidates. `interval` adds 95 % bounds.
    """
    groups: list[tuple[str, str, list[JudgedSection]]] = [("all", "", list(rows))]
    kinds: dict[str, Callable[[JudgedSection], str]] = {
        "answer_type": lambda row: row.gold.answer_type,
        "answer_set": lambda row: row.gold.answer_set_type,
        "answer_style": lambda row: row.gold.answer_style,
        "knowledge_type": lambda row: row.gold.knowledge_type,
    }
    if len({row.gold.knowledge_type for row in rows}) > 1:
        kinds["answer × knowledge type"] = lambda row: cross_kinds(row.gold.answer_type, row.gold.knowledge_type)
    for name, kind in kinds.items():
        values = sorted({kind(row) for row in rows} - {""})
        if len(values) > 1:
            groups += [(name, value, [row for row in rows if kind(row) == value]) for value in values]
    lines = []
    for name, value, members in groups:
        line: dict[str, object] = {
            "group": name,
            "value": value,
            "sections": len(members),
            "answered": sum(any(row.texts) for row in members),
        }
        measures = {"right": [row.right for row in members], "partly right": [row.partial for row in members]}
        if all(row.candidates is not None for row in members):
            measures["accuracy@1"] = [float(row.reciprocal_rank == 1) for row in members]
            measures["MRR@5"] = [row.reciprocal_rank for row in members]
        for measure, scores in measures.items():
            whole = estimate(scores)
            line[measure] = whole.mean
            if measure in ("right", "accuracy@1"):
                line[f"{measure}: standard error"] = whole.standard_error
            if interval:
                line |= {f"{measure}: low": whole.low, f"{measure}: high": whole.high}
        lines.append(line)
    return lines


def by_section(rows: Sequence[JudgedSection]) -> list[Mapping[str, object]]:
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
            **({} if row.candidates is None else {"reciprocal rank": row.reciprocal_rank}),
        }
        for row in rows
    ]


def tables(gold: Path, run: Path, trace: str | None, language: Language | None, interval: bool) -> Tables:
    """Scores a run: rows of measures over all sections and by group, and a row for each section; `trace` is the path of
    the run's trace."""
    rows = judge(gold, run, language)
    if trace:
        rows = with_trace(rows, trace)
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
            type=InputPath(),
            help="The run's trace: adds accuracy@1 and MRR@5 of its candidates.",
        ),
        sheet_language_option,
    ),
    tree_options=("language",),
    asked_in=asked_in,
    metavar=("GOLD.xml", "RUN.xml"),
    row="section",
)
