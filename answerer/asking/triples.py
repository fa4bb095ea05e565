"""A question asked of a knowledge base: the objects of the fact that fits best."""

from __future__ import annotations

from dataclasses import replace

from answerer.asking.replies import Answer, Reply, Source
from answerer.formats.nlpcc_kbqa import KbqaQuestion
from answerer.models import model_of
from answerer.nlpcc.kbqa.ranker import TASK, fact_ranker, statistics_of
from answerer.nlpcc.kbqa.task import answer_questions, linker_of, trace_row
from indexer.engines.contract import Index

LIKELY = 0.5  # probability below which the best fact is doubted
_LEAST_CUED = (
    2  # characters of a predicate that a cue must ask for; a single one may be in it by chance
)


def ask_triples(text: str, index: Index, k: int, evidence: bool) -> Reply:
    """The k most probable answers from a knowledge base, each with its fact, and the path to it as
    reason; several objects of one fact are one answer, joined by "、".

    The reply's doubt says if the best fact has a probability below `LIKELY` (0.5), or no word of
    the question asks for it. No answers, and a reason, if the knowledge base contains none of the
    question's names.
    """
    question = KbqaQuestion("1", text, "<question id=1>", 1)
    ranker = fact_ranker(model_of(TASK, None), statistics_of(index))
    (answered,) = answer_questions([question], linker_of(index, fuzzy=True), ranker)
    answers = []
    for answer in answered.ranked[:k]:
        candidate = answered.candidates[answer.row]
        subject, (predicate, objects) = candidate.subject.name, candidate.fact
        fact = f"{subject} | {predicate} | {'、'.join(objects)}"
        sources = tuple(Source(doc_id, subject, fact) for doc_id in candidate.subject.doc_ids)
        led = (
            f"{candidate.through[0]}, {candidate.through[1].predicate} → "
            if candidate.through
            else ""
        )
        reason = f"{led}{candidate.mention.name} → {subject}, {predicate}"
        answers.append(Answer("、".join(answer.answers), answer.probability, reason, sources))
    if not answers:
        return Reply(
            index.address, "triples", (), "the knowledge base knows none of the question's names"
        )
    best, doubt = answered.ranked[0], ""
    signals = dict(zip(ranker.features.names, answered.rows[best.row].tolist(), strict=True))
    predicate = answered.candidates[best.row].fact.predicate
    is_cued = signals["cue exact"] or signals["cue"] * len(predicate) >= _LEAST_CUED
    if best.probability < LIKELY:
        doubt = f"the best fact has a probability of {best.probability:.2f} only"
    elif signals["no overlap"] and not is_cued:
        doubt = f"no word of the question asks for {predicate}"
    reply = Reply(index.address, "triples", tuple(answers), doubt)
    return (
        replace(reply, task=TASK, row=trace_row(answered, best.answers, ranker))
        if evidence
        else reply
    )
