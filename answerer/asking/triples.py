"""A question asked of a knowledge base: the objects of the fact that fits best."""

from __future__ import annotations

from dataclasses import replace

from answerer.asking.reply import Answer, Reply, Source
from answerer.formats.nlpcc_kbqa import Question
from answerer.models import model_of
from answerer.nlpcc.kbqa.fact_ranker import TASK, fact_ranker, statistics_of
from answerer.nlpcc.kbqa.task import answer_questions, linker_of, trace_row
from indexer.engines.contract import Index

LIKELY = 0.5
"""Probability below which the best fact is doubted."""


def ask_triples(text: str, index: Index, k: int, evidence: bool) -> Reply:
    """The k most probable answers with their facts; and a doubt where no name is known or the best is unlikely."""
    question = Question("1", text, "<question id=1>", 1)
    ranker = fact_ranker(model_of(TASK, None), statistics_of(index))
    (answered,) = answer_questions([question], linker_of(index, fuzzy=True), ranker)
    answers = []
    for one in answered.ranked[:k]:
        candidate = answered.candidates[one.row]
        subject, predicate, objects = candidate.stated
        fact = f"{subject} | {predicate} | {'、'.join(objects)}"
        sources = tuple(Source(doc_id, subject, fact) for doc_id in candidate.subject.doc_ids)
        led = f"{candidate.through[0]}, {candidate.through[1].predicate} → " if candidate.through else ""
        reason = f"{led}{candidate.mention.name} → {subject}, {predicate}"
        answers.append(Answer("、".join(one.answers), one.probability, reason, sources))
    if not answers:
        return Reply(index.address, "triples", (), "the knowledge base knows none of the question's names")
    doubt = "" if answers[0].score >= LIKELY else f"the best fact has a probability of {answers[0].score:.2f} only"
    reply = Reply(index.address, "triples", tuple(answers), doubt)
    if not evidence:
        return reply
    return replace(reply, task=TASK, row=trace_row(answered, answered.ranked[0].answers, ranker))
