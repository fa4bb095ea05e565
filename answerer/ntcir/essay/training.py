"""`answerer train ntcir-essay`: concept weights from sheets with gold essays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from os import fspath
from pathlib import Path
from typing import Any, NamedTuple

import click
import numpy as np

from answerer.formats.answer_sheet import Section, Sheet
from answerer.ntcir.essay.candidates import CandidatePool, find_candidates, read_question
from answerer.ntcir.essay.concepts import TASK, Concepts, concepts, features_of
from answerer.ntcir.essay.task import DEFAULT_METHOD
from answerer.ntcir.essay.writing import length_allowed, write_essays
from answerer.ntcir.sheets import sheet_and_index
from answerer.options import folds_option, index_option, language_option, seed_option
from answerer.training import Learned, model_output_option, write_learned
from evaluation.measures.rouge import rouge_n
from indexer.analysis.analyser import Analyser
from indexer.cli.types import Command, InputFile
from indexer.engines.contract import Index
from indexer.files.arrays import BoolArray
from indexer.files.errors import UserError
from indexer.files.hashes import fingerprint
from indexer.files.validation import FileName, validate_choice, validate_count
from indexer.languages.language import Language
from indexer.languages.registry import language_named
from retriever.learning.conditional_logit import cross_validate, fit_logistic, folds
from retriever.learning.model import Model, column_scales
from retriever.opened import AnyIndex
from retriever.queries import analyser_of, language_of

PENALTY = 30.0  # 10 to 100 learned as well
# Counted from 1: the first section is odd.
_STEPS = {"all": slice(None), "odd": slice(0, None, 2), "even": slice(1, None, 2)}


class EssayExample(NamedTuple):
    """A section to learn from: its pool, the pool's concepts, a flag for each concept that a gold
    essay contains, and the terms of each gold essay."""

    section: Section
    pool: CandidatePool
    concepts: Concepts
    in_gold: BoolArray
    gold: tuple[tuple[str, ...], ...]


def examples(sheet: Sheet, index: Index, analyser: Analyser) -> list[EssayExample]:
    """Makes a training example of every essay section, in order, with at least one gold essay and
    one candidate sentence; other sections are left out."""
    questions = [read_question(section, analyser, language_of(index)) for section in sheet.essays]
    samples = []
    for section, pool in zip(
        sheet.essays, find_candidates(index, questions, analyser), strict=True
    ):
        # A concept counts as wanted if any of the gold essays has it.
        gold = tuple(tuple(analyser.terms(text)) for text in section.texts)
        gold_terms = {term for terms in gold for term in terms}
        pool_concepts = concepts(pool)
        if gold_terms and pool_concepts.terms:
            samples.append(
                EssayExample(
                    section,
                    pool,
                    pool_concepts,
                    np.array([term in gold_terms for term in pool_concepts.terms]),
                    gold,
                )
            )
    return samples


def learn(samples: Sequence[EssayExample], penalty: float = PENALTY) -> Model:
    """Learns concept weights by logistic regression from at least one example: the target is
    whether a concept occurs in a gold essay. `penalty` is the L2 penalty. The model also stores the
    mean number of gold concepts per unit of the limit of a section's first answer."""
    features = np.concatenate([example.concepts.features for example in samples])
    means, scales = column_scales(features)
    gold = np.concatenate([example.in_gold for example in samples])
    standard = np.column_stack([(features - means) / scales, np.ones(len(gold))])
    # Without the intercept: the order of scores counts.
    weights = fit_logistic(standard, gold, penalty)[:-1]
    language = samples[0].pool.language
    limits = [length_allowed(example.section.answers[0].limit, language)[0] for example in samples]
    rate = float(
        np.mean(
            [
                example.in_gold.sum() / max(limit, 1)
                for example, limit in zip(samples, limits, strict=True)
            ]
        )
    )
    return Model(
        TASK,
        "logistic",
        features_of(language),
        weights,
        means,
        scales,
        learned={"terms per unit": rate},
    )


def figures(
    samples: Sequence[EssayExample], analyser: Analyser, k: int, seed: int
) -> dict[str, float]:
    """Cross-validated ROUGE-1 and ROUGE-2 of the learned and of the keywords-first essays for the
    first answer of each section. F1 over terms, means over sections; keys "rouge-1", "rouge-2",
    "baseline rouge-1", "baseline rouge-2". `k` is the number of folds; UserError for fewer
    sections."""

    def scores(number: int, model: Model) -> list[float]:
        example, limit = samples[number], samples[number].section.answers[0].limit
        tasks = [(example.pool, limit)]
        essays = [
            write_essays(tasks, analyser, model, method)[0]
            for method in (DEFAULT_METHOD, "keywords-first")
        ]
        return [
            rouge_n(analyser.terms(essay.text), example.gold, n).f1
            for essay in essays
            for n in (1, 2)
        ]

    measured = cross_validate(
        folds([example.section.section_id for example in samples], k, seed),
        lambda inside: learn(
            [example for example, included in zip(samples, inside, strict=True) if included]
        ),
        scores,
    )
    names = "rouge-1", "rouge-2", "baseline rouge-1", "baseline rouge-2"
    return {
        name: sum(values) / len(samples)
        for name, values in zip(names, zip(*measured, strict=True), strict=True)
    }


@click.command(
    cls=Command,
    example="answer train ntcir-essay samples/essay-en.gold.xml -o essay.model.json --folds 2",
)
@click.argument("gold", metavar="GOLD.xml", type=InputFile())
@index_option("textbook-LANGUAGE of the sheet")
@language_option("The language of a bilingual sheet.")
@folds_option
@seed_option
@click.option(
    "--sections",
    type=click.Choice([*_STEPS]),
    default="all",
    help="Learn from all sections, or from every other one (counted from 1) [all].",
)
@model_output_option
def command(gold: Path, output: str, **options: Any) -> None:
    """Learn which concepts belong in an essay, from a sheet with gold essays whose texts the index
    lacks."""
    write_learned(lambda: train(gold, **options), output)


def train(
    gold_path: FileName,
    *,
    index: AnyIndex | None = None,
    language: Language | str | None = None,
    folds: int = 5,
    seed: int = 0,
    sections: str = "all",
) -> Learned:
    """Learns essay weights from a sheet's gold essays, with cross-validated figures from `folds`
    folds.

    `sections` is "all", "odd" or "even" (by position of the example). Without `language`, a
    bilingual sheet is read in the language of the index, if an index is named. Raises UserError for
    a sheet without gold essays, or with fewer of them than folds.
    """
    validate_choice(sections, _STEPS, "sections")
    validate_count(folds, "folds", 2)
    validate_count(seed, "seed", 0)
    with sheet_and_index(gold_path, index, language_named(language)) as (sheet, opened):
        return _train(sheet, opened, fspath(gold_path), folds, seed, sections)


def _train(sheet: Sheet, index: Index, gold_path: str, k: int, seed: int, sections: str) -> Learned:
    """The model of `train` from an open index, with its data, figures and settings. Raises
    UserError if no section has a gold essay to learn from."""
    analyser = analyser_of(index)
    samples = examples(sheet, index, analyser)[_STEPS[sections]]
    if not samples:
        raise UserError(f"{gold_path}: no essay section with a gold essay to learn from")
    model = replace(
        learn(samples),
        data=[fingerprint(gold_path)],
        figures=figures(samples, analyser, k, seed),
        settings={
            "penalty": PENALTY,
            "folds": k,
            "seed": seed,
            "sections": sections,
            "essays": len(samples),
        },
    )
    return Learned(
        model,
        how=f"{len(samples)} essays, {k} folds, seed {seed}",
        ways="logistic, cross-validated",
    )
