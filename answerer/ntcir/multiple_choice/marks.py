"""The marks of answers that are less sure than others: of negated questions, and of questions whose
choices are not in the book."""

from __future__ import annotations

from collections.abc import Sequence

from answerer.ntcir.multiple_choice.choices import STATED_WAYS, question_terms
from answerer.ntcir.multiple_choice.methods import AnsweredQuestion
from answerer.ntcir.multiple_choice.shapes import plan
from answerer.run import Unanswered
from indexer.engines.contract import Index, Query
from retriever.queries import analyser_of, union_query

NEGATED = "negated: less sure"
NOT_IN_BOOK = "not in the book: none of the choices; a guess"


def marked(
    answered: Sequence[AnsweredQuestion], index: Index
) -> tuple[list[AnsweredQuestion], Unanswered]:
    """The answers, in order, with their plans, and with their marks added behind the notes:
    `NOT_IN_BOOK` where the book has none of the words that distinguish the choices from each other,
    `NEGATED` where the false choice is asked for. An answer left blank has none; the first is for
    questions each of whose choices has such a word and says something by itself.

    Also the answer columns, of the questions with choices, that find nothing: the index has no word
    of what their choices say, labels and gaps written out. One request to the index.
    """
    analyser = analyser_of(index)
    plans = [answer.plan or plan(answer.question) for answer in answered]
    stated: dict[int, Query] = {}
    distinguishing: dict[int, Query] = {}
    for position, (answer, question_plan) in enumerate(zip(answered, plans, strict=True)):
        if not answer.question.choices:
            continue
        text = "\n".join(statement.text for statement in question_plan.statements)
        stated[position] = union_query(analyser.terms(text))
        if question_plan.way in STATED_WAYS:
            choices = question_terms(answer.question, question_plan, analyser).choices
            term_lists = [choice.terms for choice in choices if not choice.aggregate]
            if term_lists and all(term_lists):
                distinguishing[position] = union_query(*term_lists)
    counts = iter(index.part().count([*stated.values(), *distinguishing.values()]))
    absent = [answered[position].question.answer_column for position in stated if next(counts) == 0]
    not_in_book = {position for position in distinguishing if next(counts) == 0}
    rows = []
    for position, (answer, question_plan) in enumerate(zip(answered, plans, strict=True)):
        marks = [answer.note] if answer.note else []
        if answer.system and position in not_in_book:
            marks.append(NOT_IN_BOOK)
        if answer.system and answer.question.asks == "F":
            marks.append(NEGATED)
        rows.append(answer._replace(note="; ".join(marks), plan=question_plan))
    return rows, Unanswered(absent, len(stated), index.address)
