"""NLPCC KBQA: questions in, blocks of answers out of a knowledge base."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

import click
import numpy as np

from answerer.formats.nlpcc_kbqa import KbqaQuestion, answer_block, given_questions, read_questions
from answerer.models import UNTRAINED, model_of, model_parameters
from answerer.nlpcc.kbqa.linking import (
    Fact,
    FactCandidate,
    Linker,
    Reading,
    candidates_of,
    multi_hop,
)
from answerer.nlpcc.kbqa.ranker import (
    TASK,
    FactRanker,
    RankedAnswer,
    fact_ranker,
    overlap_ranker,
    rank,
    statistics_of,
)
from answerer.nlpcc.kbqa.relation_phrase import asks_for, relation_phrase
from answerer.options import index_option, model_option, output_options, questions_argument
from answerer.run import Outputs, Run, Unanswered, one_file, paths_of, write_run
from answerer.trace import TraceCandidate, TraceEvidence, TraceMention, TraceQuestion
from indexer.analysis.text import truncate_question
from indexer.cli.types import COUNT, Command
from indexer.engines.contract import Index
from indexer.files.arrays import Float64Array
from indexer.files.errors import UserError
from indexer.files.progress import with_progress
from indexer.files.validation import FileName, validate_choice, validate_count
from indexer.sources.triples.schema import MENTIONS, SUBJECTS, fold
from retriever.opened import AnyIndex, using_index
from retriever.provenance import describe

AT_ONCE = 100  # questions that are looked up in the index together
# Bonus of the second fact of a multi-hop question: it answers more of the question than the first
# alone. Set on `benchmarks/kb_further`.
SECOND_HOP = 2.0
SECOND_HOP_LEARNED = 6.0  # the same beside learned weights, which are larger
ECHO = -4.0  # penalty of a fact that only repeats the mention, where nothing asks for its predicate
TRACED = 10  # candidates in a trace


METHODS = ("facts", "overlap")
LINKING = ("fuzzy", "exact")


@click.command(
    cls=Command,
    example="answer nlpcc-kbqa samples/kbqa-zh.txt -o answers.txt --trace trace.jsonl",
)
@questions_argument
@index_option("triples")
@click.option(
    "--method",
    type=click.Choice(METHODS),
    default="facts",
    help="facts: all evidence, weighted by --model; overlap: longest name and predicate's "
    "overlap [facts].",
)
@click.option(
    "--linking",
    type=click.Choice(LINKING),
    default="fuzzy",
    help="fuzzy finds misspelt names too; exact is several times faster [fuzzy].",
)
@model_option
@click.option(
    "--top",
    type=COUNT,
    default=1,
    help="Write this many ranked answers a question, best first, for MRR and Accuracy@N; "
    "above 1 it costs F1 [1].",
)
@output_options(searches=True)
def command(source: Path, outputs: Outputs, **options: Any) -> None:
    """Answer NLPCC KBQA questions: all objects of the fact that fits best, in the official
    blocks."""
    write_run(answer(source, evidence=outputs.trace is not None, **options), outputs)


class KbqaResult(NamedTuple):
    """A question with its candidates, their scores, and the ranked answers.

    `rows` are the feature values, (candidates, features); `bonus` (candidates,) is added to a
    candidate's weighted features: for a second fact, or for an object that repeats the mention.
    """

    question: KbqaQuestion
    candidates: Sequence[FactCandidate]
    scores: Float64Array
    rows: Float64Array
    bonus: Float64Array
    ranked: Sequence[RankedAnswer]


def linker_of(index: Index, fuzzy: bool) -> Linker:
    """The linker over an index's parts, with `fuzzy` also of misspelt names; mentions only where
    the index has some."""
    mentions = index.part(MENTIONS.name)
    return Linker(index.part(SUBJECTS.name), mentions if len(mentions) else None, fuzzy)


def answer_questions(
    questions: Sequence[KbqaQuestion], linker: Linker, ranker: FactRanker, further: bool = True
) -> Iterator[KbqaResult]:
    """Yields the result of each question, in order, without answers where there are not any
    candidates; `further`: two facts in succession are tried too (multi-hop). Scores have a bonus
    for a second fact, and a penalty for an object that only repeats the name. Long questions are
    cut, with a warning (`truncate_question`)."""
    hop = SECOND_HOP_LEARNED if ranker.data else SECOND_HOP
    for start in range(0, len(questions), AT_ONCE):
        some = questions[start : start + AT_ONCE]
        folded = [
            fold(truncate_question(question.text, f"question {question.question_id}"))
            for question in some
        ]
        links = linker.link(folded)
        hops = multi_hop(folded, links, linker) if further else [[] for _ in some]
        # One question's at a time: its candidates are many.
        all_readings: Iterator[list[Reading]] = (
            [(text, candidates_of(linked)), *more]
            for text, linked, more in zip(folded, links, hops, strict=True)
        )
        for question, readings in zip(some, all_readings, strict=True):
            scored = [ranker.score(*reading) for reading in readings]
            bonus = []
            for question_text, candidate in (
                (question_text, candidate)
                for question_text, group in readings
                for candidate in group
            ):
                mention = candidate.mention
                phrase = relation_phrase(question_text, mention.start, mention.end)
                is_echo = candidate.answer == (mention.name,) and not asks_for(
                    phrase, candidate.fact.predicate
                )
                bonus.append(hop * (candidate.through is not None) + ECHO * is_echo)
            candidates = [candidate for _, group in readings for candidate in group]
            added = np.array(bonus)
            scores = np.concatenate([values for values, _ in scored]) + added
            rows = np.vstack([features for _, features in scored])
            yield KbqaResult(question, candidates, scores, rows, added, rank(candidates, scores))


def answer_texts(ranked: Sequence[RankedAnswer], top: int) -> list[str]:
    """Texts to write: the objects of the `top` best answers, each once."""
    return list(dict.fromkeys(text for candidate in ranked[:top] for text in candidate.answers))


def answer(
    source: FileName | Iterable[str | KbqaQuestion],
    *,
    index: AnyIndex | None = None,
    method: str = "facts",
    linking: str = "fuzzy",
    model: FileName | None = None,
    top: int = 1,
    evidence: bool = True,
) -> Run:
    """A run with the block of each question of a file (a path), or of given ones, answered
    from a triples index.

    `index` is by default the index `triples`. The objects of at most `top` answers are written,
    nothing in a block whose question mentions no subject. The method `overlap` takes no model
    (UserError) and tries no two facts in succession. `linking` is "fuzzy", of misspelt names too,
    or "exact". Without `evidence` the run has no trace.
    """
    validate_choice(method, METHODS, "method")
    validate_choice(linking, LINKING, "linking")
    validate_count(top, "top")
    if model not in (None, UNTRAINED) and method != "facts":
        raise UserError(f"--method {method} uses no model: leave out --model")
    model_path = model_of(TASK, model) if method == "facts" else None
    if isinstance(source, str | PathLike):
        questions = read_questions(Path(source))
    else:
        questions = given_questions(source)
    blocks, rows, without = [], list[TraceQuestion](), list[str]()
    with using_index("triples" if index is None else index, "triples") as opened:
        statistics = statistics_of(opened)
        ranker = overlap_ranker(statistics)
        if method == "facts":
            ranker = fact_ranker(model_path, statistics, paths_of(source))
        linker = linker_of(opened, linking == "fuzzy")
        results = answer_questions(questions, linker, ranker, further=method == "facts")
        for result in with_progress(results, "answered", len(questions)):
            texts = answer_texts(result.ranked, top)
            if not result.candidates:
                without.append(result.question.question_id)
            if evidence:
                rows.append(trace_row(result, texts, ranker))
            blocks.append(answer_block(result.question, texts))
    return Run(
        task=TASK,
        method=method,
        parameters={"linking": linking, "top": top, **model_parameters(model_path, ranker.data)},
        index=describe(opened),
        packages=ranker.features.packages,
        sources=paths_of(source),
        files=one_file("".join(blocks)),
        questions=rows,
        unanswered=Unanswered(without, len(questions), opened.address),
    )


def trace_row(result: KbqaResult, texts: Sequence[str], ranker: FactRanker) -> TraceQuestion:
    """The trace row of a question with the answers `texts`: mentions, and the best fact of each of
    the 10 best answers (TRACED) with each feature's part of its score, where that is not 0."""
    candidates = []
    for number, ranked in enumerate(result.ranked[:TRACED], 1):
        candidate, score = result.candidates[ranked.row], float(result.scores[ranked.row])
        features = dict(
            zip(
                ranker.features.names,
                (result.rows[ranked.row] * ranker.weights).tolist(),
                strict=True,
            )
        )
        features["second fact" if candidate.through else "name again"] = float(
            result.bonus[ranked.row]
        )
        first, led = candidate.through or ("", Fact("", ()))
        candidates.append(
            TraceCandidate(
                id=str(number),
                text="\t".join(ranked.answers),
                score=ranked.probability,
                fact=(candidate.subject.name, candidate.fact.predicate, *candidate.fact.objects),
                through=(first, led.predicate, *led.objects) if candidate.through else (),
                mention=candidate.mention.name,
                features={name: value for name, value in features.items() if value},
                evidence=tuple(
                    TraceEvidence(doc_id=doc_id, text=candidate.subject.name, score=score)
                    for doc_id in candidate.subject.doc_ids
                ),
            )
        )
    mentions = dict.fromkeys(candidate.mention for candidate in result.candidates)
    return TraceQuestion(
        question_id=result.question.question_id,
        shape="fact",
        question=result.question.text,
        system=("\t".join(texts),) if texts else (),
        mentions=tuple(
            TraceMention(
                name=mention.name,
                start=mention.start,
                end=mention.end,
                similarity=mention.similarity,
            )
            for mention in mentions
        ),
        candidates=tuple(candidates),
    )
