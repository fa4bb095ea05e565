"""Scores NLPCC KBQA answers by the measures of the guideline, or as the official tool does ([NLPCC2017])."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from answerer.formats.nlpcc_kbqa import Question, read_questions
from evaluation.measures.answer_sets import PrecisionRecall, accuracy_at, precision_recall, reciprocal_rank
from evaluation.registry import GoldAnswer, Scoring
from evaluation.runs import check_ids
from evaluation.score_command import score_command
from evaluation.tables import Tables, measure_rows
from evaluation.tasks.ranked_lists import at_option, ranks
from evaluation.tasks.results import Reported, ReportedQuestion
from indexer.files.errors import UserError
from indexer.files.messages import first_few, warn
from indexer.languages.language import Language
from indexer.parameters import OneOf, option


class Judged(NamedTuple):
    """A question's gold and the run's block; `run` is None if the run lacks the question."""

    gold: Question
    run: Question | None


def pair(gold_path: Path, run_path: Path) -> list[Judged]:
    """Pairs every gold question, in its order, with the run's block of that id.

    Raises UserError if gold or run have no answer lines at all, and as `check_ids` does. Warns of empty gold and of
    different texts of a question.
    """
    golds, runs = read_questions(gold_path), read_questions(run_path)
    for path, questions in ((gold_path, golds), (run_path, runs)):
        if all(question.answers is None for question in questions):
            raise UserError(f"{path}: no block has an `<answer id=N>` line; expected questions with answers")
    scored = [gold for gold in golds if gold.answers is not None]
    given = {question.question_id: question for question in runs if question.answers is not None}
    check_ids(gold_path, run_path, [gold.question_id for gold in scored], given)
    if empty := [gold.question_id for gold in scored if not gold.answers]:
        warn(f"{gold_path}: the gold is empty, so by the guideline no answer is right: {first_few(empty)}")
    # Ids are line numbers in most files: the texts show whether two files belong together.
    rows = [Judged(gold, given.get(gold.question_id)) for gold in scored]
    other = [row for row in rows if row.run and _plain(row.run.text) != _plain(row.gold.text)]
    if other:
        first = other[0].gold.question_id
        warn(f"{len(other)} questions have another text in the run (the first is id {first})")
    return rows


def _plain(text: str) -> str:
    """Normalises a text for comparison by the guideline: lower case, white space runs as one blank."""
    return " ".join(text.lower().split())


def guideline_scores(row: Judged, at: Sequence[int] = ()) -> dict[str, float]:
    """MRR, Accuracy@N for each N of `at`, and F1 of one question, name → value ([NLPCC2017]).

    All are 0 for a question that the run lacks or leaves empty. Answers are separated by tabs (or `|||`), compared
    ignoring case, and repeated ones counted once.
    """
    gold = {_plain(text) for text in row.gold.answers or ()}
    answers = list(dict.fromkeys(map(_plain, row.run.answers or ()))) if row.run else []
    scores = {"MRR": reciprocal_rank(answers, gold)}
    scores |= {f"Accuracy@{n}": accuracy_at(answers, gold, n) for n in at}
    return scores | {"F1": precision_recall(answers, gold).f1}


def tool_scores(row: Judged) -> dict[str, float]:
    """P, R and F1 as the official tool computes them ([NLPCC2017]): split at tabs only, compared verbatim.

    A trailing tab adds an empty answer; a question with empty gold counts as answered rightly.
    """
    # The tool does not strip, fold or drop repeats: what it prints is to be got here too.
    gold_text = row.gold.answer_text or ""
    given = (row.run.answer_text or "") if row.run else ""
    measured = precision_recall(given.split("\t"), gold_text.split("\t"))
    if not gold_text:
        measured = PrecisionRecall(1.0, 1.0, 1.0)
    return {"P": measured.precision, "R": measured.recall, "F1": measured.f1}


def asked_in(path: Path, gold: bool) -> frozenset[str]:
    """Id and text of every question with an answer line; ids alone are the same in every file."""
    return frozenset(f"{one.question_id} {_plain(one.text)}" for one in read_questions(path) if one.answers is not None)


def report_questions(gold: Path, run: Path) -> Reported:
    """Every question with the gold answers and the run's, scored by F1."""
    questions = [
        ReportedQuestion(
            row.gold.question_id,
            guideline_scores(row)["F1"],
            gold=row.gold.answers or (),
            answer=" ||| ".join(row.run.answers or ()) if row.run else "",
            text=row.gold.text,
        )
        for row in pair(gold, run)
    ]
    return Reported("F1", questions)


def tables(gold: Path, run: Path, rules: str, at: str, interval: bool) -> Tables:
    """Scores a run: rows of measures over all questions, and a row for each question; by the `rules` of the official
    tool only those that the run answers."""
    cutoffs = ranks(at)
    rows = [row for row in pair(gold, run) if row.run is not None or rules != "tool"]
    scores = [tool_scores(row) if rules == "tool" else guideline_scores(row, cutoffs) for row in rows]

    def by_question() -> list[dict[str, object]]:
        return [
            {
                "id": row.gold.question_id,
                "gold": " ||| ".join(row.gold.answers or ()),
                "system": " ||| ".join(row.run.answers or ()) if row.run else "",
                **measured,
            }
            for row, measured in zip(rows, scores, strict=True)
        ]

    return Tables(lambda: measure_rows(scores, "questions", interval), by_question)


def gold(path: Path, _language: Language | None) -> Iterator[GoldAnswer]:
    """Yields the answers of each block."""
    for question in read_questions(path):
        yield GoldAnswer(question.question_id, tuple(question.answers or ()))


command = score_command(
    "nlpcc-kbqa",
    tables,
    "MRR, Accuracy@N and averaged F1 of KBQA answers against the gold.",
    "samples/kbqa-zh.txt answers.txt --rules tool",
    option(
        "--rules",
        type=OneOf(["guideline", "tool"]),
        default="guideline",
        help="guideline: MRR, Accuracy@N, F1 over all gold, without case; tool: as the official program [guideline].",
    ),
    at_option,
)

SCORING = Scoring(command=command, reported=report_questions, tables=tables, asked_in=asked_in)
