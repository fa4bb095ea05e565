"""The figures of `answerer ask` on textbooks, and its model: review questions asked without their
choices.

    QA_DATA=… python benchmarks/ask_questions.py WORK                 (a row a set of questions,
    tab-separated) QA_DATA=… python benchmarks/ask_questions.py WORK -o FOLDER       (writes the
    models that come with the program)

Asked are the review questions of two textbooks whose right choice has one to three words and that
need no choices, each book with weights learned without it, NIILC's questions whose evidence
sentence holds the answer (in two halves), and the questions on the sample books. An answer counts
as right that has the same terms, or one term more than these ("Olmec culture"), or that is the end
of a right name ("Jackson"); "same" counts the first kind only. Doubt is cross-validated over all
questions of other sets than the one asked.
"""

from __future__ import annotations

import json
import pickle
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import click
import numpy as np
from niilc import has_evidence, read_niilc
from packs import pack

from answerer.asking.candidates import (
    DOUBTS,
    TASK,
    AskedList,
    doubt_features,
    probability_of,
    problems_of,
    read_candidates,
    set_scores,
)
from answerer.asking.textbook import SUPPORT, unknown_share
from answerer.ntcir.term.candidates import retrieve
from answerer.ntcir.term.language import TermLanguage, index_language
from answerer.ntcir.term.questions import read_question
from evaluation.significance import estimate
from evaluation.tables import print_rows
from indexer import build_textbook
from indexer.address import open_index
from indexer.cli.program import run_program
from indexer.files.hashes import fingerprint
from retriever.learning.conditional_logit import design, fit_logistic, train
from retriever.learning.model import Model, save_model

SAMPLES = Path(__file__).parent.parent / "samples"
OWN = Path(__file__).parent.parent / "tests" / "answerer" / "asking"
REVIEW_FILES = ("review/us-history.tsv", "review/psychology.tsv")
IN_PARAGRAPH = (
    5  # evidence sentences of NIILC that make a paragraph, so that sentences and paragraphs differ
)
PENALTY = 200.0  # of 50, 100, 200 and 400 the best on both books; not sensitive
TYPED = 0.2
_NEEDS_CHOICES = re.compile(
    r"\b(?:following|these|above|below|statement|best (?:describes|illustrates))\b", re.IGNORECASE
)
_NEGATED = re.compile(r"\b(?:not|except|least|false|never)\b|n't", re.IGNORECASE)
_JOINED = re.compile(r"\b(?:above|both|neither|none)\b|;", re.IGNORECASE)


class Asked(NamedTuple):
    """A question with the answers that are right."""

    name: str
    text: str
    gold: tuple[str, ...]


class AskedSet(NamedTuple):
    """Questions with their candidates, whether each is right (2: the same, 1: nearly, 0) and what
    its passage lacks."""

    asked: Sequence[Asked]
    lists: Sequence[AskedList]
    right: Sequence[Sequence[int]]
    unknown: Sequence[float]


def review(book: str) -> Iterator[Asked]:
    """The review questions of a textbook that can be asked without their choices."""
    for line in pack("review", f"{book}.tsv").read_text("utf-8").splitlines():
        name, text, number, *choices = line.split("\t")
        answer = choices[int(number) - 1]
        alone = not (_NEEDS_CHOICES.search(text) or _NEGATED.search(text) or _JOINED.search(answer))
        if alone and len(answer.split()) <= 3:
            yield Asked(name, text, (answer,))


def own_questions(language: str) -> Iterator[Asked]:
    """The questions on a sample book."""
    for number, line in enumerate(
        (OWN / f"sample-questions-{language}.tsv").read_text("utf-8").splitlines(), 1
    ):
        text, answers = line.split("\t")
        yield Asked(str(number), text, tuple(answers.split("|")))


def niilc() -> Iterator[Asked]:
    """NIILC's questions whose evidence sentence holds an accepted answer."""
    for one in read_niilc(pack("niilc-qa", "NIILC-ECQA2015_dev.xml")):
        if one.answers and has_evidence(one):
            yield Asked(one.question_id, one.text, one.answers)


def rightness(text: str, gold: Sequence[str], language: TermLanguage) -> int:
    """2 for an answer with the same terms as a right one, 1 for nearly the same (see the head of
    this file), else 0."""
    own, best = language.terms(text) or [language.fold(text)], 0
    for answer in gold:
        wanted = language.terms(answer) or [language.fold(answer)]
        if wanted == own or language.fold(answer) == language.fold(text):
            return 2
        if language.language.uses_spaces:
            inside, around = f" {' '.join(wanted)} ", f" {' '.join(own)} "
            more = inside in around and len(own) <= len(wanted) + 1
            surname = around in inside and text.split()[-1][:1].isupper() and wanted[-1] == own[-1]
            best = max(best, int(more or surname))
        else:
            one, other = language.fold(answer), language.fold(text)
            shorter = other in one and len(one) <= len(other) + 1 and len(other) > 1
            best = max(best, int((one in other and len(other) <= len(one) + 2) or shorter))
    return best


def read_set(name: str, questions: Sequence[Asked], book: Path | str, work: Path) -> AskedSet:
    """Questions asked of a book, with all candidates and features; what was read before is taken
    from the folder."""
    cached = work / f"{name}.pickle"
    if cached.exists():
        found: AskedSet = pickle.loads(cached.read_bytes())  # noqa: S301 (written by this program)
        return found
    address = work / "indexes" / Path(book).stem
    if not address.exists():
        build_textbook([str(book)], str(address))
    index = open_index(str(address))
    language = index_language(index)
    read = [read_question(one.text, language.language) for one in questions]
    retrieved = retrieve(read, index, language.analyser)
    lists = read_candidates(read, retrieved, index, language)
    right = [
        [rightness(each.text, one.gold, language) for each in own.candidates]
        for one, own in zip(questions, lists, strict=True)
    ]
    unknown = [
        unknown_share(one.text, each, own.candidates[0].best, index, language)[0]
        if own.candidates
        else 1.0
        for one, each, own in zip(questions, retrieved, lists, strict=True)
    ]
    found = AskedSet(questions, lists, right, unknown)
    cached.write_bytes(pickle.dumps(found))
    return found


def learned(sets: Sequence[AskedSet], **facts: object) -> Model:
    """A model of the questions that have candidates, of which one is right."""
    lists, gold = [], []
    for each in sets:
        for own, marks in zip(each.lists, each.right, strict=True):
            if any(marks):
                lists.append(own)
                gold += [mark == max(marks) for mark in marks]
    block = problems_of(lists)
    matrix, names, factors = design([block], {}, TYPED)
    return train(
        TASK,
        names,
        matrix,
        block.lists.list_of,
        np.array(gold, bool),
        penalty=PENALTY,
        objective="each",
        factors=factors,
        **facts,
    )


class Outcome(NamedTuple):
    """A question answered: how right the first is, whether one of the first three is, and the
    features of doubt."""

    first: int
    among_three: bool
    doubt: np.ndarray | None


def answered(each: AskedSet, model: Model) -> list[Outcome]:
    """The questions of a set, answered by a model."""
    marks = {id(one): mark for own, row in zip(each.lists, each.right, strict=True)
             for one, mark in zip(own.candidates, row, strict=True)}  # fmt: skip
    found = []
    for own, unknown in zip(set_scores(each.lists, model), each.unknown, strict=True):
        row = [marks[id(one)] for one in own.candidates]
        doubt = doubt_features(own, unknown) if row else None
        found.append(Outcome(row[0] if row else 0, any(row[:3]), doubt))
    return found


def half(each: AskedSet, which: int) -> AskedSet:
    """Every other question of a set."""
    return AskedSet(*(column[which::2] for column in each))


def language_of(name: str) -> str:
    """The language of a set."""
    return "ja" if name.startswith("niilc") or name.endswith("-ja") else "en"


def is_learned_from(name: str, language: str) -> bool:
    """Whether a set teaches a language's model; the questions on the samples are for measuring
    alone."""
    return language_of(name) == language and not name.startswith("sample")


def crossed(sets: Mapping[str, AskedSet], measured: Sequence[str]) -> dict[str, list[Outcome]]:
    """The outcome of each set, by a model of all others."""
    found = {}
    for name in measured:
        others = [
            each
            for other, each in sets.items()
            if other != name and is_learned_from(other, language_of(name))
        ]
        found[name] = answered(sets[name], learned(others))
    return found


def doubts(outcomes: Mapping[str, Sequence[Outcome]]) -> dict[str, list[tuple[float, bool, float]]]:
    """The probability of each first answer, by the other sets' outcomes, whether it is right, and
    the share of the question that its passage lacks."""
    found = {}
    for name, own in outcomes.items():
        rows = [
            one
            for other, each in outcomes.items()
            if other != name
            for one in each
            if one.doubt is not None
        ]
        weights = fit_logistic(
            np.stack([one.doubt for one in rows if one.doubt is not None]),
            np.array([one.first > 0 for one in rows]),
            1.0,
        )
        named = dict(zip(DOUBTS, weights.tolist(), strict=True))
        found[name] = [
            (
                probability_of(one.doubt, named),
                one.first > 0,
                float(one.doubt[DOUBTS.index("unknown words")]),
            )
            for one in own
            if one.doubt is not None
        ]
    return found


def threshold(pairs: Sequence[tuple[float, bool]], wanted: float = 0.8) -> float:
    """The least probability above which the wanted share is right, of at least ten answers; 1 where
    there is none."""
    ordered = sorted(pairs, reverse=True)
    right = np.cumsum([hit for _, hit in ordered])
    good = [n for n in range(10, len(ordered) + 1) if right[n - 1] >= wanted * n]
    return ordered[max(good) - 1][0] if good else 1.0


@click.command()
@click.argument("work", type=click.Path(path_type=Path))
@click.option("-o", "output", type=click.Path(path_type=Path))
def main(work: Path, output: Path | None) -> None:
    """Measure `ask`, and write its model."""
    rows = [
        one
        for one in read_niilc(pack("niilc-qa", "NIILC-ECQA2015_dev.xml"))
        if one.answers and one.evidence
    ]
    (work / "indexes").mkdir(parents=True, exist_ok=True)
    evidence = work / "niilc-evidence.jsonl"
    texts = [f"{one.evidence.rstrip('。')}。" for one in rows]
    paragraphs = [
        "".join(texts[start : start + IN_PARAGRAPH]) for start in range(0, len(texts), IN_PARAGRAPH)
    ]
    evidence.write_text(
        "".join(json.dumps({"text": text}, ensure_ascii=False) + "\n" for text in paragraphs),
        "utf-8",
    )
    japanese = read_set("niilc", list(niilc()), evidence, work)
    sets = {
        "us-history": read_set(
            "us-history", list(review("us-history")), pack("review", "us-history.jsonl"), work
        ),
        "psychology": read_set(
            "psychology", list(review("psychology")), pack("review", "psychology.jsonl"), work
        ),
        "niilc-1": half(japanese, 0),
        "niilc-2": half(japanese, 1),
        **{
            f"sample-{name}": read_set(
                f"sample-{name}",
                list(own_questions(name)),
                SAMPLES / f"textbook-{name}.jsonl",
                work,
            )
            for name in ("en", "ja")
        },
    }
    outcomes = crossed(sets, list(sets))
    table = []
    for name, each in outcomes.items():
        own = estimate([float(one.first > 0) for one in each])
        table.append({
            "set": name, "questions": len(each), "first": own.mean, "standard error": own.standard_error,
            "same": float(np.mean([one.first == 2 for one in each])),
            "among three": float(np.mean([one.among_three for one in each])),
        })  # fmt: skip
    print_rows(table, "tsv")
    for language in ("en", "ja"):
        asked = {name: each for name, each in outcomes.items() if is_learned_from(name, language)}
        pairs = doubts(asked)
        every = [pair for own in pairs.values() for pair in own]
        limit = threshold([pair[:2] for pair in every if pair[2] <= 1 - SUPPORT])
        reliability = reliability_of([pair[:2] for pair in every])
        print_rows(reliability, "tsv")
        for name, own in pairs.items():
            shown = [
                hit
                for probability, hit, unknown in own
                if probability >= limit and unknown <= 1 - SUPPORT
            ]
            print(
                name,
                "without doubt",
                len(shown),
                "of",
                len(own),
                "right",
                sum(shown),
                "limit",
                round(limit, 3),
            )
        if output:
            known = [each for own in asked.values() for each in own if each.doubt is not None]
            weights = fit_logistic(
                np.stack([one.doubt for one in known if one.doubt is not None]),
                np.array([one.first > 0 for one in known]),
                1.0,
            )
            files = REVIEW_FILES if language == "en" else ("niilc-qa/NIILC-ECQA2015_dev.xml",)
            model = learned(
                [each for name, each in sets.items() if is_learned_from(name, language)],
                data=[fingerprint(pack(*file.split("/"))) for file in files],
                settings={"penalty": PENALTY, "typed": TYPED},
                figures={
                    row["set"]: {"questions": row["questions"], "first": row["first"]}
                    for row in table
                },
            )
            named = dict(zip(DOUBTS, weights.tolist(), strict=True))
            doubt = {"weights": named, "threshold": limit, "reliability": reliability}
            save_model(
                replace(model, learned={"doubt": doubt}), output / f"model-{TASK}-{language}.json"
            )


def reliability_of(pairs: Sequence[tuple[float, bool]]) -> list[dict[str, object]]:
    """A row for each fifth of probability: how many answers, their mean probability and the share
    that is right."""
    rows: list[dict[str, object]] = []
    for low, high in ((0.0, 0.2), (0.2, 0.4), (0.4, 0.6), (0.6, 0.8), (0.8, 1.0)):
        inside = [pair for pair in pairs if low <= pair[0] < high or pair[0] == high == 1.0]
        if inside:
            mean, right = (float(np.mean(column)) for column in zip(*inside, strict=True))
            rows.append(
                {
                    "probability": f"{low}-{high}",
                    "answers": len(inside),
                    "mean": mean,
                    "right": right,
                }
            )
    return rows


if __name__ == "__main__":
    run_program(main, "python benchmarks/ask_questions.py")
