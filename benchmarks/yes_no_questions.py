"""The figures of yes-or-no questions, and the model of claims that comes with the program.

    QA_DATA=… python benchmarks/yes_no_questions.py WORK [-o MODEL]

Whether a text entails a claim is learned on RTE-1 to 3 (development sets). Each set has a row of the
accuracy by weights of the other two, and one by ten folds of all. Then questions of our own, written
before any was answered, are asked of their books: `yes_no/books-en.tsv` of five textbooks, those
of the sample book, and `yes_no/paraphrased-en.tsv`, freely worded by two other writers, of three.
The probability of a claim is learned from them, for each row from those of the other books. `MODEL`
is learned from all.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import click
import numpy as np
from ask_questions import SAMPLES, trust
from lxml import etree
from packs import pack
from pseudo_exams import run

from answerer.asking.textbook import without_headings
from answerer.ntcir.claims.coverage import compare_claim
from answerer.ntcir.claims.entailment import DOUBT, FEATURES, TASK, claim_features
from answerer.ntcir.claims.passages import with_previous
from answerer.ntcir.claims.reading import asks_truth, read_claim, with_small_letter
from answerer.ntcir.claims.verdict import claim_signs, judge_statement, verify
from answerer.ntcir.term.candidates import Retrieval, retrieve
from answerer.ntcir.term.language import TermLanguage, index_language
from answerer.ntcir.term.questions import TermQuestion
from evaluation.significance import estimate
from evaluation.tables import print_rows
from indexer.cli.program import run_program
from indexer.engines.opening import open_index
from indexer.files.arrays import BoolArray, Float64Array, Int64Array
from indexer.files.hashes import fingerprint
from indexer.languages.english import ENGLISH
from retriever.learning.conditional_logit import fit_logistic
from retriever.learning.model import Model, column_scales, save_model

PENALTY = 10.0  # of the seven weights; 3 and 30 do as well
CALIBRATION_PENALTY = 1.0
ROUNDS = 4  # of choosing each claim's likeliest passage and learning from it
FOLDS = 10
SEEDS = 4  # of the folds, averaged
QUESTIONS = (
    Path(__file__).with_name("yes_no") / "books-en.tsv",
    Path(__file__).parents[1] / "tests/answerer/asking/sample-yes-no-en.tsv",
    Path(__file__).with_name("yes_no") / "paraphrased-en.tsv",
)
OTHER_BOOKS = {
    "openstax-world-history": "textbook/openstax-world-history.jsonl",
    "wells-short-history": "textbook/wells-short-history.txt",
}  # the others are those of the review questions
LIMIT = 0.75  # the probability from which "yes" and "no" are shown without a doubt
UNSURE = LIMIT - 0.01  # the greatest probability of an answer that is doubted for missing words


class Pairs(NamedTuple):
    """Pairs of text and claim: features, (pairs, features), whether the text entails the claim, and
    the number of the RTE set, (pairs,) each."""

    features: Float64Array
    entailed: BoolArray
    sets: Int64Array


class Asked(NamedTuple):
    """The claim of a question or statement of a book, in a file, the right outcome, and what was
    retrieved."""

    file: str
    book: str
    right: str
    claim: TermQuestion
    is_question: bool
    retrieved: Retrieval
    language: TermLanguage


def rte_pairs() -> Pairs:
    """The pairs of RTE-1 to 3, their idf counted over all texts."""
    stem = ENGLISH.analyser().terms
    rows = []
    for number in (1, 2, 3):
        for pair in etree.parse(pack("rte", f"rte{number}_dev.xml")).iter("pair"):
            text, claim = ("".join(pair.find(part).itertext()).strip() for part in ("t", "h"))
            entailed = (pair.get("value") or pair.get("entailment")) in ("TRUE", "YES")
            rows.append((number, entailed, text, claim))
    count = Counter(term for _, _, text, _ in rows for term in set(stem(text)))
    idf = {term: math.log(1 + (len(rows) - n + 0.5) / (n + 0.5)) for term, n in count.items()}
    features = np.array([claim_features(claim, text, "", stem, idf) for _, _, text, claim in rows])
    return Pairs(features, np.array([row[1] for row in rows]), np.array([row[0] for row in rows]))


def learned(features: Float64Array, entailed: BoolArray) -> Model:
    """The model of entailment; the intercept is in the mean of the last feature."""
    means, scales = column_scales(features)
    columns = np.column_stack([(features - means) / scales, np.ones(len(features))])
    *weights, intercept = fit_logistic(columns, entailed, PENALTY)
    means[-1] -= intercept * scales[-1] / weights[-1]
    return Model(TASK, "logistic regression", FEATURES, np.array(weights), means, scales)


def accuracies(pairs: Pairs) -> Iterator[dict[str, object]]:
    """A row a set and way: by weights of the other sets, and by folds of all sets."""
    folded = np.zeros((SEEDS, len(pairs.sets)))
    for seed in range(SEEDS):
        fold = np.random.default_rng(seed).permutation(len(pairs.sets)) % FOLDS
        for number in range(FOLDS):
            folded[seed, fold == number] = right(pairs, fold != number, fold == number)
    for number in (1, 2, 3):
        inside = pairs.sets == number
        by_way = {
            "other sets": right(pairs, ~inside, inside),
            "ten folds": folded.mean(axis=0)[inside],
        }
        for way, scores in by_way.items():
            found = estimate(scores.tolist())
            yield {"set": f"rte-{number}", "pairs": int(inside.sum()), "learned on": way,
                   "accuracy": found.mean, "standard error": found.standard_error}  # fmt: skip


def right(pairs: Pairs, seen: BoolArray, judged: BoolArray) -> Float64Array:
    """1 or 0 for each judged pair, by a model learned on those seen."""
    model = learned(pairs.features[seen], pairs.entailed[seen])
    entailed = model.score(pairs.features[judged].T) > 0
    return np.asarray(entailed == pairs.entailed[judged], float)


def questions() -> list[tuple[str, str, str, str]]:
    """The questions and statements of our own: name of the file, book, claim, right outcome."""
    rows = []
    for file in QUESTIONS:
        for line in file.read_text("utf-8").splitlines():
            *book, question, answer = line.split("\t")
            rows.append((file.stem, book[0] if book else "sample", question, answer))
    return rows


def ask(work: Path, rows: Sequence[tuple[str, str, str, str]]) -> list[Asked]:
    """The claims of questions, each with its passages; without those that have none."""
    asked = []
    for file, book, question, answer in rows:
        index = open_index(book_index(work, book))
        language = index_language(index)
        claim = read_claim(question, language)
        assert claim is not None, question
        (found,) = retrieve([claim], index, language.analyser)
        found = without_headings(found)
        found = found._replace(passages=with_previous(found.passages, index, language))
        is_question = question.endswith("?") and not asks_truth(question)
        if found.passages:
            asked.append(Asked(file, book, answer, claim, is_question, found, language))
    return asked


def all_signs(row: Asked, model: Model) -> Float64Array:
    """The signs that a claim holds by each of its passages, (passages, signs)."""
    claim = row.claim
    if not row.is_question:
        claim = with_small_letter(claim, row.retrieved.passages)
    compared = compare_claim(claim, row.retrieved, row.language)
    return np.array([signs for _, signs in claim_signs(compared, model)], float)


def book_index(work: Path, book: str) -> str:
    """The address of a book's index in the working folder; it is made if it is not there."""
    address = work / f"yes-no-{book}"
    if not address.exists():
        if book == "sample":
            terms = ("--terms", str(SAMPLES / "glossary-en.csv"))
            run("indexer", "textbook", str(SAMPLES / "textbook-en.jsonl"), *terms,
                "--index", str(address))  # fmt: skip
        else:
            file = OTHER_BOOKS.get(book, f"review/{book}.jsonl").split("/")
            run("indexer", "textbook", str(pack(*file)), "--index", str(address))
    return str(address)


def calibration(signs: Sequence[Float64Array], holds: BoolArray) -> dict[str, float]:
    """The weights of the signs that a claim holds by the likeliest of its passages, which these
    weights choose; in the first round that is the nearest."""
    chosen = np.array([rows[0] for rows in signs])
    means, scales = column_scales(chosen)
    means[-1], scales[-1] = 0.0, 1.0  # of the intercept
    for _ in range(ROUNDS):
        weights = fit_logistic((chosen - means) / scales, holds, CALIBRATION_PENALTY)
        chosen = np.array([rows[np.argmax(((rows - means) / scales) @ weights)] for rows in signs])
    plain = weights / scales
    plain[-1] -= plain @ means
    return dict(zip(DOUBT, plain.tolist(), strict=True)) | {"limit": LIMIT}


def trusted(answered: Sequence[Asked], model: Model) -> dict[str, object]:
    """How many claims that hold are answered "yes", how many others are, and how many of these are
    shown as sure; and how far the answers and their probabilities can be trusted. As in a reply, an
    answer whose passage lacks a word of the question is never sure, nor one that is not `stated`."""
    counts: Counter[tuple[bool, str, bool]] = Counter()
    probabilities, rights = [], []
    for row in answered:
        judge = verify if row.is_question else judge_statement
        verdict = judge(row.claim, row.retrieved, row.language, model)
        outcome, holds = verdict.outcome, verdict.probability or 0.0
        likely = holds if outcome == "yes" else 1 - holds
        doubted = verdict.lacking or not verdict.stated
        sure = outcome != "unknown" and likely >= LIMIT and not doubted
        counts[row.right == "yes", outcome, sure] += 1
        if outcome != "unknown":
            probabilities.append(likely if sure else min(likely, UNSURE))
            rights.append(float(outcome == row.right))
    of = {
        holds: sum(n for (one, *_), n in counts.items() if one == holds) for holds in (True, False)
    }
    yes = {holds: counts[holds, "yes", False] + counts[holds, "yes", True] for holds in of}
    return {
        "hold": of[True], "yes": yes[True], "others": of[False], "yes to others": yes[False],
        "sure yes to others": counts[False, "yes", True], "answers": len(rights),
        **trust(np.array(probabilities), np.array(rights), LIMIT),
    }  # fmt: skip


@click.command()
@click.argument("work", type=click.Path(path_type=Path))
@click.option("-o", "output", type=click.Path(path_type=Path))
def main(work: Path, output: Path | None) -> None:
    """Measure entailment and yes-or-no questions, and write the model of claims."""
    pack("review")  # without the collections nothing is made
    pairs = rte_pairs()
    rows = list(accuracies(pairs))
    print_rows(rows, "tsv")
    model = learned(pairs.features, pairs.entailed)
    asked = ask(work, questions())
    signs = [all_signs(row, model) for row in asked]
    holds = np.array([row.right == "yes" for row in asked])
    table = []
    for file, book in dict.fromkeys((row.file, row.book) for row in asked):
        others = [n for n, row in enumerate(asked) if row.book != book]
        doubt = calibration([signs[n] for n in others], holds[others])
        of_book = [row for row in asked if (row.file, row.book) == (file, book)]
        judged = trusted(of_book, replace(model, learned={"doubt": doubt}))
        table.append({"set": f"{file}, {book}", **judged})
    print_rows(table, "tsv")
    if output:
        files = [pack("rte", f"rte{number}_dev.xml") for number in (1, 2, 3)]
        figures = {f"{row['set']}, {row['learned on']}": row["accuracy"] for row in rows}
        about = {"data": [fingerprint(file) for file in (*files, *QUESTIONS)],
                 "settings": {"penalty": PENALTY}, "figures": figures}  # fmt: skip
        save_model(replace(model, learned={"doubt": calibration(signs, holds)}, **about), output)


if __name__ == "__main__":
    run_program(main, "python benchmarks/yes_no_questions.py")
