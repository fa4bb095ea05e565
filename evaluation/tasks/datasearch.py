"""Scores Data Search QA runs: exact match (primary) and macro-averaged F1 over sets of words (seed 001)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import click

from answerer.formats.datasearch import Question, read_answers
from evaluation.measures.words import exact_match, word_f1
from evaluation.tables import format_option, print_rows
from indexer.files.errors import UserError


class Judged(NamedTuple):
    """A gold answer beside the run's; `answer` is None where the run lacks the question."""

    question_id: str
    gold: str
    answer: str | None


def pair(gold_path: Path, run_path: Path) -> list[Judged]:
    """Every gold question in its order with the run's answer. What the run lacks or has too much is said on stderr.

    UserError where the two share no question.
    """
    gold, run = read_answers(gold_path).answers, read_answers(run_path).answers
    missing = [question_id for question_id in gold if question_id not in run]
    extra = [question_id for question_id in run if question_id not in gold]
    if len(missing) == len(gold):
        raise UserError(f"{run_path}: answers none of the questions of {gold_path}; expected the same ids")
    if missing:
        click.echo(f"{len(missing)} of {len(gold)} questions are not in the run (the first is {missing[0]})", err=True)
    if extra:
        click.echo(f"{len(extra)} answers have no gold (the first is {extra[0]}): not scored", err=True)
    return [Judged(question_id, answer, run.get(question_id)) for question_id, answer in gold.items()]


def words(text: str, language: str) -> frozenset[str]:
    """The words of an answer: MeCab's surfaces where the question is Japanese, else what white space separates."""
    if language != "ja":
        return frozenset(text.split())
    return frozenset(_tagger()(text))


@cache
def _tagger() -> Callable[[str], list[str]]:
    import ipadic
    import MeCab

    tagger = MeCab.Tagger(f"{ipadic.MECAB_ARGS} -Owakati")

    def split(text: str) -> list[str]:
        return str(tagger.parse(text)).split()

    return split


def scores(row: Judged) -> dict[str, float]:
    """Exact match and F1 of one question; 0 for one that the run lacks."""
    if row.answer is None:
        return {"exact match": 0.0, "F1": 0.0}
    language = Question(row.question_id, row.gold, "").language
    f1 = word_f1(words(row.answer, language), words(row.gold, language))
    return {"exact match": exact_match(row.answer, row.gold), "F1": f1}


def summary(rows: Sequence[Judged]) -> list[dict[str, object]]:
    """A row a measure: the mean over the gold questions and its standard error."""
    table = [scores(row) for row in rows]
    found: list[dict[str, object]] = []
    for name in table[0]:
        values = [line[name] for line in table]
        mean = sum(values) / len(values)
        spread = sum((value - mean) ** 2 for value in values)
        error = math.sqrt(spread / (len(values) - 1) / len(values)) if len(values) > 1 else None
        found.append({"measure": name, "value": mean, "standard error": error, "questions": len(values)})
    return found


@click.command()
@click.argument("gold", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("run", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("-q", "questions", is_flag=True, help="One row a question.")
@format_option
def command(gold: Path, run: Path, questions: bool, format: str) -> None:  # noqa: A002
    """Exact match and macro-averaged F1 over sets of words of a Data Search QA run.

    \b
    Words of Japanese questions (J in the id) are MeCab's, of others what blanks separate.
    Example: python -m evaluation datasearch-qa gold.tsv run.tsv
    """
    rows = pair(gold, run)
    if questions:
        table = [{"id": row.question_id, "gold": row.gold, "system": row.answer or "", **scores(row)} for row in rows]
        print_rows(table, format)
    else:
        print_rows(summary(rows), format)
