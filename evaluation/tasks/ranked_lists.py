"""Scores ranked candidates: NLPCC DBQA and TBQA ([NLPCC2017]), and SelQA as the challenge does ([SelQA-Challenge]).

A score file of DBQA or TBQA has a number for each line of the gold. A result file of SelQA contains the gold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from evaluation.measures.ranking import (
    TIES,
    Ties,
    accuracy_at,
    average_precision,
    chance_reciprocal_rank,
    reciprocal_rank,
)
from evaluation.registry import Scoring
from evaluation.significance import estimate
from evaluation.tables import Rows, Tables, members_of_classes
from evaluation.tasks.results import Reported, ReportedQuestion
from indexer.files.atomic import write_text
from indexer.files.errors import UserError
from indexer.files.messages import warn
from indexer.files.validation import whole
from indexer.formats.labels import CandidateList, read_label, warn_of_labels
from indexer.formats.selqa import SelqaFile
from indexer.formats.sentence_rows import RowFile, read_sentence_file, read_sentence_rows
from indexer.formats.table_rows import read_table_rows
from indexer.languages.language import Language
from indexer.parameters import TEXT, option, output_path, word_choice


class Ranked(NamedTuple):
    """A question's candidates with scores and gold; `kinds`: name of a division of the questions → its class."""

    question: str
    scores: Sequence[float]
    gold: Sequence[bool]
    kinds: Mapping[str, str]


at_option = option("--at", type=TEXT, default="1,3,5", metavar="N,N", help="Ranks of Accuracy@N [1,3,5].")


def ranks(at: str) -> tuple[int, ...]:
    """Parses the ranks of --at. Raises UserError if they are not a list of whole numbers above 0."""
    numbers = tuple(whole(number.strip()) or 0 for number in at.split(","))
    if not all(numbers):
        raise UserError(f"--at {at}: expected ranks such as 1,3,5")
    return numbers


def measures(ranked: Ranked, ties: Ties, at: Sequence[int]) -> dict[str, float]:
    """MRR, MAP and Accuracy@N of one question, name → value, under a rule for ties; `at` are the ranks N."""
    scores, gold = ranked.scores, ranked.gold
    values = {"MRR": reciprocal_rank(scores, gold, ties), "MAP": average_precision(scores, gold, ties)}
    return values | {f"Accuracy@{n}": accuracy_at(n, scores, gold, ties) for n in at}


def mean_row(
    group: str, value: str, lists: Sequence[Ranked], ties: Ties, at: Sequence[int], interval: bool
) -> dict[str, object]:
    """The means of MRR, MAP and Accuracy@N over the questions of one class, under one rule for ties, as a row.

    `group` and `value` name the division and the class; `at` are the ranks N; `interval` adds 95 % bounds (`MRR low`,
    `MRR high`). Without questions the row has no measures.
    """
    each = [measures(ranked, ties, at) for ranked in lists]
    row: dict[str, object] = {"group": group, "value": value, "ties": ties, "questions": len(lists)}
    for name in each[0] if each else ():
        values = [scores[name] for scores in each]
        if interval:
            mean = estimate(values)
            row |= {name: mean.mean, f"{name} low": mean.low, f"{name} high": mean.high}
        else:
            row[name] = sum(values) / len(values)
    return row


def ranking_scoring(
    read: Callable[[Path, Path], list[Ranked]],
    asked_in: Callable[[Path, bool], frozenset[str]],
    default: Ties,
    text: str,
    example: str,
    **arguments: Any,
) -> Scoring:
    """Builds the scoring of a task that ranks given candidates; `read(gold, run)` gives the gold's questions with a
    run's scores.

    Its tables have all questions under each rule for ties, the `default` first, then under the first one the questions
    by type. Questions without gold count 0; of these, and of gold in which every candidate is right, it warns. `text`,
    `example` and `arguments` are those of `Scoring`.
    """

    def tables(gold: Path, run: Path, ties: Ties | None, at: str, interval: bool) -> Tables:
        cutoffs = ranks(at)
        lists = read(gold, run)
        without = sum(not any(ranked.gold) for ranked in lists)
        # The mean is over all questions of the gold: one that no run can answer lowers every run alike.
        if without:
            warn(f"{without} of {len(lists)} questions have no right candidate: they count 0")
        elif all(all(ranked.gold) for ranked in lists):
            warn("every candidate of every question is right: any order has the highest score")
        # Scorers differ in how they order equal scores, and runs of few features have many: all rules are shown.
        rules = [ties] if ties else [default, *(rule for rule in TIES if rule != default)]
        first = rules[0]

        def summary() -> Rows:
            rows = [mean_row("all", "", lists, rule, cutoffs, interval) for rule in rules]
            names = dict.fromkeys(name for ranked in lists for name in ranked.kinds)
            kinds = {name: [ranked.kinds.get(name, "") for ranked in lists] for name in names}
            for division, value, chosen in members_of_classes(lists, kinds):
                rows.append(mean_row(division, value, chosen, first, cutoffs, interval))
            return rows

        def by_question() -> Rows:
            return [
                {
                    "question": ranked.question,
                    **ranked.kinds,
                    "ties": first,
                    "candidates": len(ranked.scores),
                    "gold": sum(map(bool, ranked.gold)),
                    **measures(ranked, first, cutoffs),
                }
                for ranked in lists
            ]

        def trec_eval(each_question: bool) -> Rows:
            """The rows for trec_eval: one rule for ties, no types; questions are named by number, as in `export`."""
            if not each_question:
                return [mean_row("all", "", lists, first, cutoffs, interval)]
            return [{"id": str(number), **measures(one, first, cutoffs)} for number, one in enumerate(lists, 1)]

        return Tables(summary, by_question, trec_eval, lists)

    def report_questions(gold: Path, run: Path) -> Reported:
        """Every question by its number in the file, scored by reciprocal rank."""
        questions = [
            ReportedQuestion(
                str(number),
                reciprocal_rank(ranked.scores, ranked.gold, default),
                gold_ids=frozenset(str(place) for place, right in enumerate(ranked.gold) if right),
                text=ranked.question,
                chance=chance_reciprocal_rank(len(ranked.gold), sum(map(bool, ranked.gold))),
                kinds=ranked.kinds,
            )
            for number, ranked in enumerate(read(gold, run), 1)
        ]
        return Reported("reciprocal rank", questions)

    ties_option = option(
        "--ties",
        type=partial(word_choice, TIES),
        help=f"How equal scores are ordered [{default} first, then the others for comparison].",
    )
    return Scoring(
        help=text,
        example=example,
        tables=tables,
        reported=report_questions,
        options=(ties_option, at_option),
        asked_in=asked_in,
        ranked=read,
        **arguments,
    )


def gold_of(
    read: Callable[[Path], RowFile | SelqaFile], path: Path, _language: Language | None
) -> Iterator[ReportedQuestion]:
    """Yields the right candidates of each question of a file with labels, which `read` reads; questions are called by
    their numbers (from 1), candidates by their positions (from 0)."""
    for number, each in enumerate(read(path).lists, 1):
        right = frozenset(str(place) for place, is_right in enumerate(each.gold or ()) if is_right)
        yield ReportedQuestion(str(number), gold_ids=right, text=each.question)


# DBQA and TBQA: a score for each line of the gold.


def read_tables(path: Path) -> RowFile:
    """Reads the questions and labels of a TBQA file, which has a table on each line; the tables' texts are left empty,
    since they are by far the largest part of such a file."""
    rows: dict[str, list[tuple[int, bool | None]]] = {}
    warnings = []
    for row in read_table_rows(path):
        label, warning = (None, "") if row.label is None else read_label(row.label, path, row.line)
        warnings.append(warning)
        rows.setdefault(row.question, []).append((row.line - 1, label))
    lists: list[CandidateList] = []
    places: list[int] = []
    for question, tables in rows.items():
        lines, labels = zip(*tables, strict=True)
        places += lines
        lists.append(CandidateList(question, ("",) * len(lines), None if None in labels else labels))
    return RowFile("", [], lists, places, [], warnings)


read_dbqa = partial(read_sentence_rows, dbqa=True)


def read_scored_lines(read: Callable[[Path], RowFile], chinese: bool, gold: Path, run: Path) -> list[Ranked]:
    """Reads a labelled file with the scores of a run, one on each line; `read` reads the labelled file.

    `chinese` says by which rules questions are typed, of Chinese or of English. Raises UserError if the two files do
    not fit together.
    """
    from answerer.formats.ranked_results import read_scores
    from retriever.question_types import chinese_type, english_type

    file, type_of = read(gold), chinese_type if chinese else english_type
    if any(each.gold is None for each in file.lists):
        raise UserError(f"{gold}: no labels; expected a file with gold")
    warn_of_labels(file.warnings)
    # Places follow the lists one after another; rows of a question need not be adjacent in the file.
    scores = iter(read_scores(run, len(file.places), gold)[file.places].tolist())
    return [
        Ranked(
            each.question,
            [next(scores) for _ in each.candidates],
            each.gold or (),
            {"asks for": type_of(each.question).name},
        )
        for each in file.lists
    ]


def count_lines(read: Callable[[Path], RowFile], path: Path, gold: bool) -> frozenset[str]:
    """The number of lines of a file as `N lines`, the only thing that a score file has in common with its questions."""
    from answerer.formats.ranked_results import score_lines

    return frozenset([f"{len(read(path).places) if gold else score_lines(path)} lines"])


dbqa_gold, tbqa_gold = partial(gold_of, read_dbqa), partial(gold_of, read_tables)

DBQA = ranking_scoring(
    partial(read_scored_lines, read_dbqa, True),
    partial(count_lines, read_dbqa),
    "file",
    "Score SCORES, one number a line, against a DBQA file with labels: MRR, MAP and Accuracy@N.",
    "samples/dbqa.dev.txt dbqa.scores.txt",
    metavar=("GOLD", "SCORES"),
)
TBQA = ranking_scoring(
    partial(read_scored_lines, read_tables, False),
    partial(count_lines, read_tables),
    "file",
    "Score SCORES, one number a line, against a TBQA file with labels: MRR, Accuracy@N and MAP.",
    "samples/tbqa.dev.txt tbqa.scores.txt",
    metavar=("GOLD", "SCORES"),
)

# SelQA, and the result files of WikiQA and TrecQA.


def read_results(gold: Path, result: Path) -> list[Ranked]:
    """Reads the questions of a result file (JSON, or WikiQA and TrecQA rows with a last column of scores).

    `gold` may be the result file itself, which contains the gold. Raises UserError for a question without results or
    gold, and if the two files have different questions or sentences.
    """
    from answerer.formats import ranked_results
    from retriever.question_types import english_type

    read, scores = ranked_results.read_results(result)
    # A result file repeats the labels of its input, and so is its own gold.
    right = read if gold == result else read_sentence_file(gold)
    ours, theirs = (
        [[" ".join(text.split()) for text in (each.question, *each.candidates)] for each in file.lists]
        for file in (read, right)
    )
    # Blanks aside: a result file may have been written by another program.
    if ours != theirs:
        raise UserError(f"{result}: other questions or sentences than in {gold}; expected a result of that file")
    if any(each.gold is None for each in right.lists):
        raise UserError(f"{gold}: no gold; expected labels in the file")
    if isinstance(right, RowFile):
        warn_of_labels(right.warnings)
    return [
        Ranked(each.question, own, each.gold or (), {**each.kinds, "asks for": english_type(each.question).name})
        for each, own in zip(right.lists, scores, strict=True)
    ]


def selqa_questions(path: Path, gold: bool) -> frozenset[str]:
    """The questions of a gold file or a result file, each after the number of its candidates."""
    lists = read_sentence_file(path, scored=not gold).lists
    return frozenset(f"{len(one.candidates)} {one.question}" for one in lists if not gold or one.gold is not None)


selqa_gold = partial(gold_of, read_sentence_file)


def write_mrr(gold: Path, run: Path, tables: Tables, mrr: str | None) -> None:
    """Writes the MRR as one number, tied candidates at the mean of their ranks, to the file `mrr` (None: not at all);
    warns if the scores of the run are the labels."""
    lists: Sequence[Ranked] = tables.read
    if mrr:
        values = [reciprocal_rank(ranked.scores, ranked.gold, "average") for ranked in lists]
        write_text(mrr, f"{sum(values) / len(values):.6f}\n")
    # Right answers as scores give an MRR of 1: most often the gold file was given in place of the run.
    if gold != run and all(list(map(float, ranked.gold)) == list(ranked.scores) for ranked in lists):
        warn(f"{run}: its scores are the labels of {gold}; expected those of `answerer selqa`")


SELQA = ranking_scoring(
    read_results,
    selqa_questions,
    "average",
    """Score a result file of `answerer selqa`: MRR with average ranks of ties, MAP and Accuracy@N.

    The gold is read from RESULT itself, where GOLD is not given.
    """,
    "SelQA-ass-result.json",
    metavar=("GOLD", "RESULT"),
    gold_in_run=True,
    written=(
        option("--mrr", metavar="FILE", type=output_path, help="Write the MRR here too: the challenge's mrr.txt."),
        write_mrr,
    ),
)
