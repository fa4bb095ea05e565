"""NLPCC KBQA: questions in, blocks of answers out of a knowledge base."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

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
from answerer.options import Asked, index_option, model_option, open_asked, task_command
from answerer.run import Questions, Run, one_file
from answerer.trace import TraceCandidate, TraceEvidence, TraceMention, TraceQuestion
from answerer.unanswered import Unanswered
from indexer.analysis.text import truncate_question
from indexer.engines.contract import Index
from indexer.files.arrays import Float64Array
from indexer.files.errors import UserError
from indexer.files.progress import with_progress
from indexer.parameters import COUNT, argument, input_path, option, word_choice
from indexer.sources.triples.schema import MENTIONS, SUBJECTS, fold
from retriever.provenance import describe

AT_ONCE = 100  # questions that are looked up in the index together
# Bonus of the second fact of a multi-hop question: it answers more of the question than the first
# alone. Set on `benchmarks/kb_further`.
SECOND_HOP = 2.0
SECOND_HOP_LEARNED = 6.0  # the same beside learned weights, which are larger
ECHO = -4.0  # penalty of a fact that only repeats the mention, where nothing asks for its predicate
TRACED = 10  # candidates in a trace


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
    """The linker over an index's parts; mentions only where the index has some."""
    mentions = index.part(MENTIONS.name)
    return Linker(index.part(SUBJECTS.name), mentions if len(mentions) else None, fuzzy)


def answer_questions(
    questions: Sequence[KbqaQuestion], linker: Linker, ranker: FactRanker, further: bool = True
) -> Iterator[KbqaResult]:
    """Yields the result of each question, in order; `further`: two facts in succession are tried
    too (multi-hop)."""
    hop = SECOND_HOP_LEARNED if ranker.data else SECOND_HOP
    for start in range(0, len(questions), AT_ONCE):
        some = questions[start : start + AT_ONCE]
        folded = [fold(truncate_question(one.text, f"question {one.question_id}")) for one in some]
        links = linker.link(folded)
        hops = multi_hop(folded, links, linker) if further else [[] for _ in some]
        for question, text, found, more in zip(some, folded, links, hops, strict=True):
            readings: list[Reading] = [(text, candidates_of(found)), *more]
            scored = [ranker.score(*reading) for reading in readings]
            bonus = []
            for asked, candidate in (
                (asked, candidate) for asked, own in readings for candidate in own
            ):
                mention = candidate.mention
                phrase = relation_phrase(asked, mention.start, mention.end)
                is_echo = candidate.answer == (mention.name,) and not asks_for(
                    phrase, candidate.fact.predicate
                )
                bonus.append(hop * (candidate.through is not None) + ECHO * is_echo)
            candidates, added = [one for _, own in readings for one in own], np.array(bonus)
            scores = np.concatenate([own for own, _ in scored]) + added
            rows = np.vstack([own for _, own in scored])
            yield KbqaResult(question, candidates, scores, rows, added, rank(candidates, scores))


def answer_texts(ranked: Sequence[RankedAnswer], top: int) -> list[str]:
    """Texts to write: the objects of the `top` best answers, each once."""
    return list(dict.fromkeys(text for one in ranked[:top] for text in one.answers))


def answer(
    source: str | Iterable[str | KbqaQuestion],
    asked: Asked,
    method: str,
    linking: str,
    model_path: str | None,
    top: int,
    evidence: bool,
) -> Run:
    """A run with the block of each question of a file (a path), or of given ones, answered
    from a triples index.

    At most `top` answers are written. Raises UserError for a model with another method than
    `facts`.
    """
    if model_path not in (None, UNTRAINED) and method != "facts":
        raise UserError(f"--method {method} uses no model: leave out --model")
    model_path = model_of(TASK, model_path) if method == "facts" else None
    questions = read_questions(source) if isinstance(source, str) else given_questions(source)
    index = open_asked(asked, "triples")
    statistics = statistics_of(index)
    ranker = (
        fact_ranker(model_path, statistics) if method == "facts" else overlap_ranker(statistics)
    )
    settings = {"linking": linking, "top": top, **model_parameters(model_path, ranker.data)}
    answered = answer_questions(
        questions, linker_of(index, linking == "fuzzy"), ranker, method == "facts"
    )
    blocks, rows, without = [], Questions(), list[str]()
    for one in with_progress(answered, "answered", len(questions)):
        texts = answer_texts(one.ranked, top)
        if not one.candidates:
            without.append(one.question.question_id)
        if evidence:
            rows.append(trace_row(one, texts, ranker))
        blocks.append(answer_block(one.question, texts))
    return Run(
        task=TASK,
        method=method,
        parameters=settings,
        index=describe(index),
        packages=ranker.features.packages,
        sources=[source] if isinstance(source, str) else [],
        files=one_file("".join(blocks)),
        questions=rows,
        unanswered=Unanswered(without, len(questions), index.address),
    )


def trace_row(result: KbqaResult, texts: Sequence[str], ranker: FactRanker) -> TraceQuestion:
    """The trace row of a question with the answers `texts`: mentions, and the best facts with each
    feature's part."""
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


command = task_command(
    answer,
    "Answer NLPCC KBQA questions: all objects of the fact that fits best, in the official blocks.",
    "nlpcc-kbqa samples/kbqa-zh.txt -o answers.txt --trace trace.jsonl",
    argument("source", metavar="QUESTIONS", type=input_path),
    index_option("triples"),
    option(
        "--method",
        type=partial(word_choice, ["facts", "overlap"]),
        default="facts",
        help="facts: all evidence, weighted by --model; overlap: longest name and predicate's "
        "overlap [facts].",
    ),
    option(
        "--linking",
        type=partial(word_choice, ["fuzzy", "exact"]),
        default="fuzzy",
        help="fuzzy finds misspelt names too; exact is several times faster [fuzzy].",
    ),
    model_option,
    option(
        "--top",
        type=COUNT,
        default=1,
        help="Write this many ranked answers a question, best first, for MRR and Accuracy@N; "
        "above 1 it costs F1 [1].",
    ),
)
