"""The marks of answers that are less sure than others: of negated questions, and of questions whose
choices are not in the book."""

from __future__ import annotations

from collections.abc import Sequence

from answerer.ntcir.multiple_choice.choices import STATED_WAYS, question_terms
from answerer.ntcir.multiple_choice.methods import AnsweredQuestion
from answerer.ntcir.multiple_choice.shapes import plan
from indexer.engines.contract import Index, Query
from retriever.queries import analyser_of, union_query

NEGATED = "negated: less sure"
NOT_IN_BOOK = "not in the book: none of the choices; a guess"


def marked(answered: Sequence[AnsweredQuestion], index: Index) -> list[AnsweredQuestion]:
    """The answers, in order, with their plans, and with their marks added to the notes: `NEGATED`
    where the false choice is asked for, `NOT_IN_BOOK` where the book has no word that distinguishes
    a choice from the others. An answer left blank has none; the second is for questions each of
    whose choices has such a word and says something by itself."""
    analyser = analyser_of(index)
    plans = [answer.plan or plan(answer.question) for answer in answered]
    queries: dict[int, Query] = {}
    for position, (answer, question_plan) in enumerate(zip(answered, plans, strict=True)):
        if not answer.question.choices or question_plan.way not in STATED_WAYS:
            continue
        choices = question_terms(answer.question, question_plan, analyser).choices
        term_lists = [choice.terms for choice in choices if not choice.aggregate]
        if term_lists and all(term_lists):
            queries[position] = union_query([term for terms in term_lists for term in terms])
    counts = dict(zip(queries, index.part().count(list(queries.values())), strict=True))
    rows = []
    for position, (answer, question_plan) in enumerate(zip(answered, plans, strict=True)):
        marks = [answer.note] if answer.note else []
        if answer.system and counts.get(position) == 0:
            marks.append(NOT_IN_BOOK)
        if answer.system and answer.question.asks == "F":
            marks.append(NEGATED)
        rows.append(answer._replace(note="; ".join(marks), plan=question_plan))
    return rows
