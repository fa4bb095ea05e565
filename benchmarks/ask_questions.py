"""The figures of `answerer ask` on textbooks, and its models.

    QA_DATA=… python benchmarks/ask_questions.py WORK -l en            (figures, tab-separated)
    QA_DATA=… python benchmarks/ask_questions.py WORK -l en -o FOLDER  (and the model)

English: review questions of three textbooks whose right choice has one to three words and that need
no choices, the gaps of one of these books, each book by a model of the other books and of short
questions (XQuAD); XQuAD in ten folds of articles, each by a model of the others and of the books.
Japanese: NIILC's questions whose evidence sentence holds the answer, and JSQuAD, both in folds. The
questions on the sample books are for measuring alone.

An answer counts as right that has the same terms, or one term more than these ("Olmec culture"), or
that is the end of a right name ("Jackson"); "same" counts the first kind only. The probability of
an answer is fitted on outcomes of rankers that never saw the question's book or article, and judged
on a book by the outcomes of all others. Every fourth question is also asked with all passages taken
out that hold its answer ("absent"): no ranker learns from these, but the probability does.
"""

from __future__ import annotations

import json
import pickle
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

import click
import numpy as np
from niilc import has_evidence, read_niilc
from packs import pack
from scipy.sparse import csr_array, diags_array, hstack, vstack

from answerer.asking import candidates
from answerer.asking.antecedents import in_past
from answerer.asking.candidates import read_candidates
from answerer.asking.evidence import DEFINITION, Definition, find_definitions
from answerer.asking.forms import JOINT
from answerer.asking.ranker import (
    COMPARED,
    DOUBTED,
    TASK,
    AskedList,
    calibrated_probability,
    doubt_signs,
    features_of,
    rank,
)
from answerer.ntcir.term.candidates import Retrieval, retrieve
from answerer.ntcir.term.language import TermLanguage, index_language
from answerer.ntcir.term.questions import TermQuestion, read_question
from evaluation.significance import estimate
from evaluation.tables import print_rows
from indexer import build_textbook
from indexer.cli.program import run_program
from indexer.engines.contract import Index
from indexer.engines.opening import open_index
from indexer.files.arrays import Float64Array
from indexer.files.hashes import fingerprint
from retriever.learning.conditional_logit import fit, fit_logistic, folds
from retriever.learning.model import Model, save_model

SAMPLES = Path(__file__).parent.parent / "samples"
OWN = Path(__file__).parent.parent / "tests" / "answerer" / "asking"
LEARNED = {
    "en": (
        "review/us-history.tsv",
        "review/psychology.tsv",
        "review/microbiology.tsv",
        "review/microbiology.gaps.tsv",
        "squad/en.questions.tsv",
    ),
    "ja": ("niilc-qa/NIILC-ECQA2015_dev.xml", "squad/ja.questions.tsv"),
}
# evidence sentences of NIILC that make a paragraph, so that sentences and paragraphs differ
IN_PARAGRAPH = 5
FOLDS = 5
PENALTY = 400.0  # 100, 200, 400 and 800 were tried on the left-out books; not sensitive
DEFINITION_FACTOR = 1.5  # the columns of definitions are cheaper to the penalty
PAIR_FACTOR = 3.0  # and those of question and form; .5, 1 and 2 were compared
FREQUENT = 15  # questions in which a pair of question and form must occur
DOUBT_PENALTY = 3.0
ABSENT = 4  # of so many questions one is also asked without its answer; a choice
# The probability from which an answer is shown without a doubt: of .60, .61 … .70 the greatest
# that shows a tenth of each English set with .8 right, and no more absent answers than before; in
# Japanese, of .60 to .80, the one with the most right of NIILC's on one half: .74.
LIMITS = {"en": 0.65, "ja": 0.8}
_NEEDS_CHOICES = re.compile(
    r"\b(?:following|these|above|below|statement|best (?:describes|illustrates))\b", re.IGNORECASE
)
_NEGATED = re.compile(r"\b(?:not|except|least|false|never)\b|n't", re.IGNORECASE)
_JOINED = re.compile(r"\b(?:above|both|neither|none)\b|;", re.IGNORECASE)


class Asked(NamedTuple):
    """A question with the answers that are right, and the book or article that it is of; `absent`
    if the passages that hold a right answer are taken out."""

    name: str
    text: str
    gold: tuple[str, ...]
    group: str
    absent: bool = False


class Outcome(NamedTuple):
    """A question answered: how right the first is (2: the same, 1: nearly, 0), whether one of the
    first three is, the ranker's share for the first (None without candidates) and what its
    probability depends on (`doubt_signs`), and whether the answer is absent."""

    first: int
    among_three: bool
    share: float | None
    signs: Mapping[str, float]
    absent: bool


class AskedSet(NamedTuple):
    """Questions with their candidates, and whether each is right (2, 1 or 0)."""

    asked: Sequence[Asked]
    lists: Sequence[AskedList]
    right: Sequence[Sequence[int]]


def rows_of(*path: str) -> list[list[str]]:
    """The rows of a tab-separated file of a pack."""
    return [line.split("\t") for line in pack(*path).read_text("utf-8").splitlines()]


def review(book: str) -> Iterator[Asked]:
    """The review questions of a textbook that can be asked without their choices."""
    for name, text, number, *choices in rows_of("review", f"{book}.tsv"):
        answer = choices[int(number) - 1]
        alone = not (_NEEDS_CHOICES.search(text) or _NEGATED.search(text) or _JOINED.search(answer))
        if alone and len(answer.split()) <= 3:
            yield Asked(name, text, (answer,), book)


def gaps() -> Iterator[Asked]:
    """The sentences with gaps of *Microbiology*."""
    for name, text, answer in rows_of("review", "microbiology.gaps.tsv"):
        yield Asked(name, text, (answer,), "microbiology")


def squad(language: str) -> Iterator[Asked]:
    """Short factual questions on paragraphs of articles."""
    paragraphs = {row.split()[0]: row.split()[2] for row in
                  pack("squad", f"{language}.qrels.txt").read_text("utf-8").splitlines()}  # fmt: skip
    for name, text, answers in rows_of("squad", f"{language}.questions.tsv"):
        article = paragraphs[name].rpartition("-")[0]
        yield Asked(name, text, tuple(answers.split("|")), article)


def own_questions(language: str) -> Iterator[Asked]:
    """The questions on a sample book."""
    file = OWN / f"sample-questions-{language}.tsv"
    for number, line in enumerate(file.read_text("utf-8").splitlines(), 1):
        text, answers = line.split("\t")
        yield Asked(str(number), text, tuple(answers.split("|")), "sample")


def niilc() -> Iterator[Asked]:
    """NIILC's questions whose evidence sentence holds an accepted answer."""
    for one in read_niilc(pack("niilc-qa", "NIILC-ECQA2015_dev.xml")):
        if one.answers and has_evidence(one):
            yield Asked(one.question_id, one.text, one.answers, one.question_id)


def evidence_book(work: Path) -> Path:
    """The evidence sentences of NIILC as a book."""
    rows = read_niilc(pack("niilc-qa", "NIILC-ECQA2015_dev.xml"))
    texts = [f"{one.evidence.rstrip('。')}。" for one in rows if one.answers and one.evidence]
    starts = range(0, len(texts), IN_PARAGRAPH)
    lines = [{"text": "".join(texts[start : start + IN_PARAGRAPH])} for start in starts]
    book = work / "niilc-evidence.jsonl"
    book.write_text("".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in lines), "utf-8")
    return book


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


def read_set(name: str, questions: Sequence[Asked], book: Path, work: Path) -> AskedSet:
    """Questions asked of a book, with all candidates and features; what was read before is taken
    from the folder."""
    cached = work / f"{name}.pickle"
    if cached.exists():
        found: AskedSet = pickle.loads(cached.read_bytes())  # noqa: S301 (written by this program)
        return found
    address = work / "indexes" / book.stem
    if not address.exists():
        build_textbook([str(book)], str(address))
    index = open_index(str(address))
    language = index_language(index)
    lists: list[AskedList] = []
    for asked in questions:
        question = in_past(read_question(asked.text, language.language))
        (retrieved,) = retrieve([question], index, language.analyser)
        if asked.absent:
            lists.append(without_answer(asked, question, retrieved, index, language))
        else:
            lists += read_candidates([question], [retrieved], index, language)
    right = [
        [rightness(one.text, asked.gold, language) for one in own.candidates]
        for asked, own in zip(questions, lists, strict=True)
    ]
    found = AskedSet(questions, lists, right)
    cached.write_bytes(pickle.dumps(found))
    return found


def without_answer(
    asked: Asked, question: TermQuestion, retrieved: Retrieval, index: Index, language: TermLanguage
) -> AskedList:
    """The candidates of a question where no paragraph or definition holds a right answer."""
    answers = [set(language.terms(answer)) for answer in asked.gold]

    def holds(text: str) -> bool:
        terms = set(language.terms(text))
        return any(answer and answer <= terms for answer in answers)

    def remaining(*arguments: Any) -> list[Definition]:
        return [one for one in find_definitions(*arguments) if not holds(one.passage.text)]

    holding = {one.paragraph or one.doc_id for one in retrieved.passages if holds(one.text)}
    passages = [one for one in retrieved.passages if (one.paragraph or one.doc_id) not in holding]
    with mock.patch.object(candidates, "find_definitions", remaining):
        (asked_list,) = read_candidates(
            [question], [retrieved._replace(passages=passages)], index, language
        )
    return asked_list._replace(
        candidates=[
            one for one in asked_list.candidates if not rightness(one.text, asked.gold, language)
        ]
    )


class Design(NamedTuple):
    """The candidates of a set as rows: `values`, (rows, columns), the list of each row, the mark of
    each, and whether a model may learn from the row: its list has a right answer."""

    values: csr_array
    list_of: np.ndarray
    marks: np.ndarray
    taught: np.ndarray


def column_names(sets: Iterable[AskedSet]) -> tuple[str, ...]:
    """All columns: features compared in their lists, those of definitions, and pairs of question
    and form that are frequent."""
    counts: Counter[str] = Counter()
    for each in sets:
        for own in each.lists:
            counts.update(
                {name for one in own.candidates for name in one.features if JOINT in name}
            )
    pairs = sorted(name for name, count in counts.items() if count >= FREQUENT)
    compared = [f"{name} | {ending}" for name in COMPARED for ending in ("z", "below best")]
    return (*compared, *DEFINITION, *pairs)


def designed(each: AskedSet, names: Sequence[str]) -> Design:
    """The rows of a set."""
    plain = [name for name in names if JOINT not in name]
    pair = {name: place for place, name in enumerate(names) if JOINT in name}
    dense, pairs, starts = list[csr_array](), list[int](), [0]
    list_of, marks, taught = list[int](), list[int](), list[bool]()
    for number, (own, right) in enumerate(zip(each.lists, each.right, strict=True)):
        if not right:
            continue
        dense.append(csr_array(np.column_stack(list(features_of([own], plain).values()))))
        for one in own.candidates:
            pairs += [pair[name] - len(plain) for name in one.features if name in pair]
            starts.append(len(pairs))
        list_of += [number] * len(right)
        marks += right
        taught += [any(right)] * len(right)
    held = csr_array((np.ones(len(pairs)), np.array(pairs, np.int64), np.array(starts)),
                     (len(starts) - 1, len(pair)))  # fmt: skip
    values = csr_array(hstack([vstack(dense), held]))
    return Design(values, np.array(list_of), np.array(marks), np.array(taught))


def learned(designs: Sequence[Design], names: Sequence[str], **facts: Any) -> Model:
    """A model of the rows that may be learned from. Columns are scaled and not centred: what all
    candidates of a question share does not rank them."""
    offsets = np.cumsum([0, *(int(each.list_of.max()) + 1 for each in designs)])
    rows = csr_array(vstack([each.values[each.taught] for each in designs]))
    lists = np.concatenate([each.list_of[each.taught] + offset
                            for each, offset in zip(designs, offsets[:-1], strict=True)])  # fmt: skip
    _, groups = np.unique(lists, return_inverse=True)
    marks = np.concatenate([each.marks[each.taught] for each in designs])
    starts = np.flatnonzero(np.diff(groups, prepend=-1))
    gold = marks == np.maximum.reduceat(marks, starts)[groups]
    means = rows.sum(axis=0) / len(groups)
    squares = (rows * rows).sum(axis=0) / len(groups)
    scales = np.sqrt(np.maximum(squares - means**2, 0.0))
    scales[scales < 1e-9] = 1.0
    for place, name in enumerate(names):
        if name in DEFINITION:
            scales[place] /= DEFINITION_FACTOR
        elif JOINT in name:  # 0 or 1: by their deviation the rare ones would be the cheapest
            scales[place] = 1 / PAIR_FACTOR
    scaled = csr_array(rows @ diags_array(1 / scales))
    weights = fit(scaled, groups, gold, penalty=PENALTY, objective="each")
    return Model(TASK, "listwise", tuple(names), weights, np.zeros(len(names)), scales, **facts)


def answered(each: AskedSet, design: Design, model: Model) -> list[Outcome]:
    """The questions of a set, answered by a model."""
    marks = {id(one): mark for own, row in zip(each.lists, each.right, strict=True)
             for one, mark in zip(own.candidates, row, strict=True)}  # fmt: skip
    found = []
    ranked = rank(each.lists, design.values @ (model.weights / model.scales))
    for asked, own in zip(each.asked, ranked, strict=True):
        row = [marks[id(one)] for one in own.candidates]
        first = own.candidates[0] if row else None
        found.append(
            Outcome(
                row[0] if row else 0,
                any(row[:3]),
                first.probability if first else None,
                doubt_signs(own) if first else {},
                asked.absent,
            )
        )
    return found


def crossed(
    sets: Mapping[str, AskedSet], designs: Mapping[str, Design], names: Sequence[str],
    taught: Sequence[str],
) -> dict[str, list[Outcome]]:  # fmt: skip
    """The outcome of each set by a model of the `taught` sets that never saw its book or article."""
    books = {name: {one.group for one in each.asked} for name, each in sets.items()}
    found: dict[str, list[Outcome]] = {}
    models: dict[tuple[str, ...], Model] = {}
    for name, each in sets.items():
        design = designs[name]
        others = tuple(
            other for other in taught if other != name and books[other].isdisjoint(books[name])
        )
        rest = [designs[other] for other in others]
        if len(books[name]) == 1:
            if others not in models:
                models[others] = learned(rest, names)
            found[name] = answered(each, design, models[others])
            continue
        fold_of = folds([one.group for one in each.asked], FOLDS, 0)
        outcomes: list[Outcome] = [Outcome(0, False, None, {}, False)] * len(each.asked)
        for fold in range(FOLDS):
            seen = design._replace(taught=design.taught & (fold_of[design.list_of] != fold))
            own = answered(each, design, learned([*rest, seen], names))
            for place in np.flatnonzero(fold_of == fold).tolist():
                outcomes[place] = own[place]
        found[name] = outcomes
    return found


def fit_doubt(outcomes: Sequence[Outcome]) -> dict[str, float]:
    """Slope and intercept of the probability that a first answer is right, by the log odds of its
    share, and what is added for each sign (`doubt_signs`) that some answers have."""
    rows = [one for one in outcomes if one.share is not None]
    shares = np.clip([one.share for one in rows], 1e-6, 1 - 1e-6)
    odds = np.log(shares / (1 - shares))
    columns = {"slope": odds, "intercept": np.ones(len(odds))}
    for name in (*DOUBTED, "gap"):
        columns[name] = np.array([one.signs[name] for one in rows])
    filled = {name: column for name, column in columns.items() if column.any()}
    weights = fit_logistic(np.column_stack(list(filled.values())),
                           np.array([one.first > 0 for one in rows]), DOUBT_PENALTY)  # fmt: skip
    return dict(zip(filled, map(float, weights), strict=True))


def trust(probabilities: Float64Array, right: Float64Array, limit: float) -> dict[str, float]:
    """How far probabilities can be trusted: how many answers are at or above the limit, how many of
    these are right; c@1 (Peñas and Rodrigo, 2011) of answering these alone; and the calibration
    error, the mean over ten bins of |mean probability − share right|, by their answers."""
    sure = probabilities >= limit
    correct, silent, count = right[sure].sum(), (~sure).sum(), len(right)
    bins = np.minimum((probabilities * 10).astype(int), 9)
    error = sum(abs(float((probabilities[bins == one] - right[bins == one]).sum()))
                for one in range(10))  # fmt: skip
    return {"sure": int(sure.sum()), "sure and right": int(correct),
            "c@1": float((correct + silent * correct / count) / count),
            "calibration error": error / count}  # fmt: skip


def probabilities(outcomes: Sequence[Outcome], doubt: Mapping[str, float]) -> Float64Array:
    """The probability of each first answer, (outcomes,); about 0 without one."""
    return np.array(
        [calibrated_probability(one.share or 0.0, doubt, one.signs) for one in outcomes]
    )


def table_of(outcomes: Mapping[str, Sequence[Outcome]], taught: Sequence[str],
             books: Mapping[str, set[str]], limit: float) -> list[dict[str, object]]:  # fmt: skip
    """A row a set: how many first answers are right, and how far their probabilities, fitted on the
    outcomes of the others, can be trusted."""
    rows: list[dict[str, object]] = []
    for name, each in outcomes.items():
        others = [one for other in taught for one in outcomes[other]
                  if other != name and books[other].isdisjoint(books[name])]  # fmt: skip
        doubt = fit_doubt(others or each)
        present = [one for one in each if not one.absent]
        known = [one for one in present if one.share is not None]
        right = np.array([one.first > 0 for one in known], float)
        absent = [one for one in each if one.absent]
        own = estimate([float(one.first > 0) for one in present])
        rows.append({
            "set": name, "questions": len(present), "first": own.mean,
            "standard error": own.standard_error,
            "same": float(np.mean([one.first == 2 for one in present])),
            "among three": float(np.mean([one.among_three for one in present])),
            **trust(probabilities(known, doubt), right, limit),
            "absent": len(absent),
            "absent and sure": int((probabilities(absent, doubt) >= limit).sum()),
        })  # fmt: skip
    return rows


@click.command()
@click.argument("work", type=click.Path(path_type=Path))
@click.option("-l", "--language", type=click.Choice(("en", "ja")), default="en")
@click.option("-o", "output", type=click.Path(path_type=Path))
def main(work: Path, language: str, output: Path | None) -> None:
    """Measure `ask`, and write its model."""
    pack("squad")  # without the collections nothing is made
    (work / "indexes").mkdir(parents=True, exist_ok=True)
    if language == "en":
        asked = {book: (list(review(book)), pack("review", f"{book}.jsonl"))
                 for book in ("us-history", "psychology", "microbiology")}  # fmt: skip
        asked["gaps"] = (list(gaps()), pack("review", "microbiology.jsonl"))
        asked["xquad"] = (list(squad("en")), pack("squad", "en.book.jsonl"))
    else:
        asked = {"niilc": (list(niilc()), evidence_book(work)),
                 "jsquad": (list(squad("ja")), pack("squad", "ja.book.jsonl"))}  # fmt: skip
    taught = list(asked)
    sample = f"sample-{language}"
    asked[sample] = (list(own_questions(language)), SAMPLES / f"textbook-{language}.jsonl")
    for questions, _ in asked.values():
        questions += [one._replace(absent=True) for one in questions[::ABSENT]]
    sets = {name: read_set(name, *own, work) for name, own in asked.items()}
    names = column_names(sets[name] for name in taught)
    designs = {name: designed(each, names) for name, each in sets.items()}
    outcomes = crossed(sets, designs, names, taught)
    books = {name: {one.group for one in each.asked} for name, each in sets.items()}
    table = table_of(outcomes, taught, books, LIMITS[language])
    print_rows(table, "tsv")
    if output:
        doubt = fit_doubt([one for name in taught for one in outcomes[name]]) | {
            "limit": LIMITS[language]
        }
        model = learned(
            [designs[name] for name in taught],
            names,
            data=[fingerprint(pack(*file.split("/"))) for file in LEARNED[language]],
            settings={"penalty": PENALTY, "pairs": PAIR_FACTOR},
            figures={
                row["set"]: {name: value for name, value in row.items() if name != "set"}
                for row in table
            },
        )
        used = np.flatnonzero(model.weights)
        model = replace(
            model,
            feature_names=tuple(names[place] for place in used),
            weights=model.weights[used],
            means=model.means[used],
            scales=model.scales[used],
            learned={"doubt": doubt},
        )
        save_model(model, output / f"model-{TASK}-{language}.json")


if __name__ == "__main__":
    run_program(main, "python benchmarks/ask_questions.py")
