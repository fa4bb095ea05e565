"""NLPCC KBQA: questions in, blocks of answers out of a knowledge base."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import click
import numpy as np

from answerer.formats.nlpcc_kbqa import Question, answer_block, given_questions, read_questions
from answerer.models import UNTRAINED, model_of, model_parameters
from answerer.nlpcc.kbqa.candidates import Candidate, Ranked, candidates_of, chained, echoes, holders_asked, rank
from answerer.nlpcc.kbqa.fact_ranker import TASK, FactRanker, fact_ranker, overlap_ranker, statistics_of
from answerer.nlpcc.kbqa.linking import Linker, chains_of
from answerer.run import Asked, index_option, model_option, open_asked, task_command
from answerer.submission import Submission, one_file
from answerer.trace import Trace
from indexer.analysis.text import bearable_question
from indexer.cli.parameters import COUNT, InputPath, Number
from indexer.engines.contract import Index
from indexer.files.arrays import Float64Array
from indexer.files.errors import UserError
from indexer.files.messages import watched
from indexer.sources.triples.schema import MENTIONS, SUBJECTS, fold

AT_ONCE = 100
SECOND_STEP = 2.0
"""What a fact earns that only another fact leads to: it answers more of the question than the first alone."""
SECOND_STEP_LEARNED = 6.0
"""The same beside learned weights, which are larger."""
SUBJECT_ASKED = -1.0
"""What a fact costs that is read from its object to its subject."""
ECHO = -4.0
"""What a fact costs that only says the name again which the question says, where nothing asks for it."""
TRACED = 10


class Answered(NamedTuple):
    """A question with its candidates, their scores, and the answers ranked.

    `rows` are the signals, a block for each reading of the question; `earned` what a candidate has beside them.
    """

    question: Question
    candidates: Sequence[Candidate]
    scores: Float64Array
    rows: Sequence[Float64Array]
    earned: Float64Array
    ranked: Sequence[Ranked]


def linker_of(index: Index, fuzzy: bool) -> Linker:
    """The linker over an index's parts; mentions only where the index has some."""
    mentions = index.part(MENTIONS.name)
    by_object = bool(index.metadata.settings.get("objects"))
    return Linker(index.part(SUBJECTS.name), mentions if len(mentions) else None, fuzzy, by_object)


def answer_questions(
    questions: Sequence[Question], linker: Linker, ranker: FactRanker, further: bool = True
) -> Iterator[Answered]:
    """Each question answered, in order; 100 at a time are looked up in the index together.

    `further`: also by two facts in a row and, where the linker knows objects, by the subject of a named object.
    """
    for start in range(0, len(questions), AT_ONCE):
        some = questions[start : start + AT_ONCE]
        folded = [fold(bearable_question(one.text, f"question {one.question_id}")) for one in some]
        links = linker.link(folded)
        nothing: list[list[Any]] = [[] for _ in some]
        chains = chains_of(folded, links, linker.named) if further else nothing
        holders = linker.holding(folded) if further and linker.knows_objects else nothing
        for question, text, found, led, held in zip(some, folded, links, chains, holders, strict=True):
            readings = [(text, [*candidates_of(found), *holders_asked(text, held)])]
            readings += [(chain.step.question, chained(chain)) for chain in led]
            yield _answered(question, readings, ranker)


def _answered(question: Question, readings: Sequence[tuple[str, list[Candidate]]], ranker: FactRanker) -> Answered:
    """A question answered from its readings: the text of each, and its candidates."""
    candidates = [candidate for _, found in readings for candidate in found]
    scored = [ranker.score(text, found) for text, found in readings]
    step = SECOND_STEP_LEARNED if ranker.data else SECOND_STEP
    earned = np.array(
        [
            step * (one.through is not None) + SUBJECT_ASKED * one.asks_subject + ECHO * echoes(text, one)
            for text, found in readings
            for one in found
        ]
    )
    scores = np.concatenate([scores for scores, _ in scored]) + earned
    return Answered(question, candidates, scores, [rows for _, rows in scored], earned, rank(candidates, scores))


def chosen(ranked: Sequence[Ranked], top: int, threshold: float) -> list[str]:
    """What is written: the objects of the `top` best answers, each once; nothing where the best is too unlikely."""
    if not ranked or ranked[0].probability < threshold:
        return []
    return list(dict.fromkeys(text for one in ranked[:top] for text in one.answers))


def answer(
    source: str | Iterable[str | Question],
    asked: Asked,
    method: str,
    linking: str,
    model_path: str | None,
    top: int,
    threshold: float,
    trace: Trace,
) -> Submission:
    """The official block of each question of a file, or of those given. UserError for a model that no method takes."""
    if model_path not in (None, UNTRAINED) and method != "facts":
        raise UserError(f"--method {method} uses no model: leave out --model")
    model_path = model_of(TASK, model_path) if method == "facts" else None
    questions = read_questions(source) if isinstance(source, str) else given_questions(source)
    index = open_asked(asked, "triples")
    statistics = statistics_of(index)
    ranker = fact_ranker(model_path, statistics) if method == "facts" else overlap_ranker(statistics)
    settings = {"linking": linking, "top": top, "threshold": threshold, **model_parameters(model_path, ranker.data)}
    trace.run(TASK, method, settings, index, packages=ranker.signals.packages)
    answered = answer_questions(questions, linker_of(index, linking == "fuzzy"), ranker, method == "facts")
    blocks = []
    for one in watched(answered, "answered", len(questions)):
        texts = chosen(one.ranked, top, threshold)
        if trace.wanted:
            trace.question(trace_row(one, texts, ranker))
        blocks.append(answer_block(one.question, texts))
    return one_file("".join(blocks))


def trace_row(one: Answered, texts: Sequence[str], ranker: FactRanker) -> dict[str, Any]:
    """The question's row of a trace: its mentions and its best facts with what every signal adds to their scores."""
    added = np.vstack([ranker.added(rows) for rows in one.rows])
    mentions = list(dict.fromkeys(candidate.mention for candidate in one.candidates))
    return {
        "question_id": one.question.question_id,
        "shape": "fact",
        "asks": None,
        "question": one.question.text,
        "system": "\t".join(texts),
        "mentions": [
            {"name": mention.name, "start": mention.start, "end": mention.end, "similarity": mention.similarity}
            for mention in mentions
        ],
        "candidates": [
            _trace_candidate(
                number, ranked, one, dict(zip(ranker.signals.names, added[ranked.row].tolist(), strict=True))
            )
            for number, ranked in enumerate(one.ranked[:TRACED], 1)
        ],
    }


def _trace_candidate(number: int, ranked: Ranked, one: Answered, added: dict[str, float]) -> dict[str, Any]:
    candidate = one.candidates[ranked.row]
    subject, predicate, objects = candidate.stated
    further = "second fact" if candidate.through else "subject asked" if candidate.asks_subject else "name again"
    row = {
        "id": str(number),
        "text": "\t".join(ranked.answers),
        "score": ranked.probability,
        "fact": [subject, predicate, *objects],
        "mention": candidate.mention.name,
        "signals": {name: value for name, value in (added | {further: float(one.earned[ranked.row])}).items() if value},
        "evidence": [
            {"doc_id": doc_id, "text": candidate.subject.name, "score": float(one.scores[ranked.row]), "terms": {}}
            for doc_id in candidate.subject.doc_ids
        ],
    }
    if candidate.through:
        first, led = candidate.through
        row["through"] = [first, led.predicate, *led.objects]
    return row


command = task_command(
    answer,
    "Answer NLPCC KBQA questions: all objects of the fact that fits best, in the official blocks.",
    "nlpcc-kbqa samples/kbqa-zh.txt -o answers.txt --trace trace.jsonl",
    click.argument("source", metavar="QUESTIONS", type=InputPath()),
    index_option("triples"),
    click.option(
        "--method",
        type=click.Choice(["facts", "overlap"]),
        default="facts",
        help="facts: all evidence, weighted by --model; overlap: longest name and predicate's overlap [facts].",
    ),
    click.option(
        "--linking",
        type=click.Choice(["fuzzy", "exact"]),
        default="fuzzy",
        help="fuzzy finds misspelt names too; exact is several times faster [fuzzy].",
    ),
    model_option,
    click.option(
        "--top",
        type=COUNT,
        default=1,
        help="Write this many ranked answers a question, best first, for MRR and Accuracy@N; above 1 it costs F1 [1].",
    ),
    click.option(
        "--threshold",
        type=Number(0, 1),
        default=0.0,
        help="Answer nothing below this probability; under F1 an empty answer never pays [0].",
    ),
)
