"""Scores ranked candidates: NLPCC DBQA and TBQA ([NLPCC2017]), and SelQA as the challenge does
([SelQA-Challenge]).

A score file of DBQA or TBQA has a number for each line of the gold. A result file of SelQA contains
the gold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from evaluation.measures.ranking import TIES, Ties, accuracy_at, average_precision, reciprocal_rank
from evaluation.registry import Scoring
from evaluation.significance import estimate
from evaluation.tables import Rows, Tables
from evaluation.tasks.results import Reported, ReportedQuestion, question_classes
from indexer.files.atomic import write_text
from indexer.files.errors import UserError
from indexer.files.messages import warn
from indexer.formats.labels import CandidateList, warn_of_labels
from indexer.formats.selqa import SelqaFile
from indexer.formats.sentence_rows import RowFile, read_sentence_file, read_sentence_rows
from indexer.formats.table_rows import read_table_lists
from indexer.languages.language import Language
from indexer.parameters import option, output_path, word_choice

RANKS = (1, 3, 5)  # of Accuracy@N


def measures(one: ReportedQuestion, ties: Ties) -> dict[str, float]:
    """MRR, MAP and Accuracy@N of one question, name → value, under a rule for ties."""
    scores, labels = one.scores, one.labels
    values = {
        "MRR": reciprocal_rank(scores, labels, ties),
        "MAP": average_precision(scores, labels, ties),
    }
    return values | {f"Accuracy@{n}": accuracy_at(n, scores, labels, ties) for n in RANKS}


def ranked_question(
    number: int, asked: CandidateList, scores: Sequence[float], kinds: Mapping[str, str], ties: Ties
) -> ReportedQuestion:
    """A question by its number in the file, with its candidates' scores and labels, scored by
    reciprocal rank."""
    labels = asked.gold or ()
    name, score = str(number), reciprocal_rank(scores, labels, ties)
    right = frozenset(str(place) for place, is_right in enumerate(labels) if is_right)
    chance = reciprocal_rank([0.0] * len(labels), labels, "expected")
    return ReportedQuestion(
        name,
        score,
        gold_ids=right,
        text=asked.question,
        chance=chance,
        kinds=kinds,
        scores=scores,
        labels=labels,
    )


def ranking_scoring(reported: Callable[..., Reported], default: Ties, **arguments: Any) -> Scoring:
    """Builds the scoring of a task that ranks given candidates; `default` is the rule for ties of
    its score.

    Its tables have all questions under each rule for ties, the `default` first, then under the
    first one the questions by type. Questions without gold count 0; of these, and of gold in which
    every candidate is right, it warns. `reported` and `arguments` are those of `Scoring`.
    """

    def tables(reported: Reported, interval: bool, ties: Ties | None = None) -> Tables:
        questions = reported.questions
        without = sum(not any(one.labels) for one in questions)
        # The mean is over all questions of the gold: one that no run can answer lowers every run
        # alike.
        if without:
            warn(f"{without} of {len(questions)} questions have no right candidate: they count 0")
        elif all(all(one.labels) for one in questions):
            warn("every candidate of every question is right: any order has the highest score")
        # Scorers differ in how they order equal scores, and runs of few features have many: all
        # rules are shown.
        rules = [ties] if ties else [default, *(rule for rule in TIES if rule != default)]

        def summary() -> Rows:
            every, *classes = question_classes(questions)
            rows: list[dict[str, object]] = []
            ruled = [*((every, rule) for rule in rules), *((one, rules[0]) for one in classes)]
            for (group, value, members), rule in ruled:
                row: dict[str, object] = {
                    "group": group,
                    "value": value,
                    "ties": rule,
                    "questions": len(members),
                }
                each = [measures(one, rule) for one in members]
                for name in each[0] if each else ():
                    values = [scores[name] for scores in each]
                    row[name] = sum(values) / len(values)
                    if interval:
                        mean = estimate(values)
                        row |= {name: mean.mean, f"{name} low": mean.low, f"{name} high": mean.high}
                rows.append(row)
            return rows

        def by_question() -> Rows:
            rows = []
            for one in questions:
                counts = {"candidates": len(one.scores), "gold": sum(map(bool, one.labels))}
                said = {"question": one.text, **one.kinds, "ties": rules[0]}
                rows.append({**said, **counts, **measures(one, rules[0])})
            return rows

        return Tables(summary, by_question)

    ties_option = option(
        "--ties",
        type=partial(word_choice, TIES),
        help=f"How equal scores are ordered [{default} first, then the others for comparison].",
    )
    return Scoring(
        tables=tables, reported=reported, options=(ties_option,), ranks=True, **arguments
    )


def gold_of(
    read: Callable[[Path], RowFile | SelqaFile], path: Path, _language: Language | None
) -> Iterator[ReportedQuestion]:
    """Yields the right candidates of each question of a file with labels, which `read` reads;
    questions are called by their numbers (from 1), candidates by their positions (from 0)."""
    for number, each in enumerate(read(path).lists, 1):
        right = frozenset(str(place) for place, is_right in enumerate(each.gold or ()) if is_right)
        yield ReportedQuestion(str(number), gold_ids=right, text=each.question)


# DBQA and TBQA: a score for each line of the gold.

read_dbqa = partial(read_sentence_rows, dbqa=True)
read_tables = partial(
    read_table_lists, text=lambda _: ""
)  # the tables are by far the largest part of a file


def report_lines(
    read: Callable[[Path], RowFile], chinese: bool, gold: Path, run: Path, **_options: object
) -> Reported:
    """Reads a labelled file with the scores of a run, one on each line; `read` reads the labelled
    file.

    Questions are typed as Chinese or as English. Raises UserError if the two files do not fit
    together.
    """
    from answerer.formats.ranked_results import read_scores
    from retriever.question_types import chinese_type, english_type

    file, type_of = read(gold), chinese_type if chinese else english_type
    if any(each.gold is None for each in file.lists):
        raise UserError(f"{gold}: no labels; expected a file with gold")
    warn_of_labels(file.warnings)
    # Places follow the lists one after another; rows of a question need not be adjacent in the
    # file.
    scores = iter(read_scores(run, len(file.places), gold)[file.places].tolist())
    questions = []
    for number, each in enumerate(file.lists, 1):
        own, kinds = (
            [next(scores) for _ in each.candidates],
            {"asks for": type_of(each.question).name},
        )
        questions.append(ranked_question(number, each, own, kinds, "file"))
    return Reported("reciprocal rank", questions)


dbqa_gold, tbqa_gold = partial(gold_of, read_dbqa), partial(gold_of, read_tables)


def lines_scoring(name: str, read: Callable[[Path], RowFile], chinese: bool) -> Scoring:
    """The scoring of DBQA or TBQA."""

    def asked_in(path: Path, gold: bool) -> frozenset[str]:
        from answerer.formats.ranked_results import read_scores

        # The number of lines is the only thing that a score file has in common with its questions.
        return frozenset([f"{len(read(path).places) if gold else len(read_scores(path))} lines"])

    return ranking_scoring(
        partial(report_lines, read, chinese),
        "file",
        asked_in=asked_in,
        help=f"Score SCORES, one number a line, against a {name} file with labels: MRR, MAP and "
        f"Accuracy@N.",
        example=f"samples/{name.lower()}.dev.txt {name.lower()}.scores.txt",
        metavar=("GOLD", "SCORES"),
    )


DBQA, TBQA = lines_scoring("DBQA", read_dbqa, True), lines_scoring("TBQA", read_tables, False)

# SelQA, and the result files of WikiQA and TrecQA.


def report_results(gold: Path, result: Path, **_options: object) -> Reported:
    """Reads the questions of a result file (JSON, or WikiQA and TrecQA rows with a last column of
    scores).

    `gold` may be the result file itself, which contains the gold. Raises UserError for a question
    without results or gold, and if the two files have different questions or sentences.
    """
    from answerer.formats import ranked_results
    from retriever.question_types import english_type

    read, scores = ranked_results.read_results(result)
    # A result file repeats the labels of its input, and so is its own gold.
    right = read if gold == result else read_sentence_file(gold)
    # Blanks aside: a result file may have been written by another program.
    ours, theirs = (
        [[text.split() for text in (each.question, *each.candidates)] for each in file.lists]
        for file in (read, right)
    )
    if ours != theirs:
        raise UserError(
            f"{result}: other questions or sentences than in {gold}; expected a result of that file"
        )
    if any(each.gold is None for each in right.lists):
        raise UserError(f"{gold}: no gold; expected labels in the file")
    warn_of_labels(right.warnings)
    questions = []
    for number, (each, own) in enumerate(zip(right.lists, scores, strict=True), 1):
        kinds = {**each.kinds, "asks for": english_type(each.question).name}
        questions.append(ranked_question(number, each, own, kinds, "average"))
    return Reported("reciprocal rank", questions)


def selqa_questions(path: Path, gold: bool) -> frozenset[str]:
    """The questions of a gold file or a result file, each after the number of its candidates."""
    lists = read_sentence_file(path, scored=not gold).lists
    return frozenset(
        f"{len(one.candidates)} {one.question}" for one in lists if not gold or one.gold is not None
    )


selqa_gold = partial(gold_of, read_sentence_file)


def write_mrr(gold: Path, run: Path, reported: Reported, mrr: str | None) -> None:
    """Writes the MRR as one number, tied candidates at the mean of their ranks, to the file `mrr`
    (None: not at all); warns if the scores of the run are the labels."""
    if mrr:
        scores = [one.score for one in reported.questions]
        write_text(mrr, f"{sum(scores) / len(scores):.6f}\n")
    # Right answers as scores give an MRR of 1: most often the gold file was given in place of the
    # run.
    if gold != run and all(
        list(map(float, one.labels)) == list(one.scores) for one in reported.questions
    ):
        warn(f"{run}: its scores are the labels of {gold}; expected those of `answerer selqa`")


SELQA = ranking_scoring(
    report_results,
    "average",
    asked_in=selqa_questions,
    help="""Score a result file of `answerer selqa`: MRR with average ranks of ties, MAP and Accuracy@N.

    The gold is read from RESULT itself, where GOLD is not given.
    """,
    example="SelQA-ass-result.json",
    metavar=("GOLD", "RESULT"),
    gold_in_run=True,
    written=(
        option(
            "--mrr",
            metavar="FILE",
            type=output_path,
            help="Write the MRR here too: the challenge's mrr.txt.",
        ),
    ),
    write=write_mrr,
)
