"""The marks of answers that are less sure than others: of negated questions, and of questions whose
choices are not in the book."""

from __future__ import annotations

from collections.abc import Sequence

from answerer.formats.exam.parts import ExamQuestion
from answerer.ntcir.multiple_choice.choices import STATED_WAYS, question_terms
from answerer.ntcir.multiple_choice.methods import AnsweredQuestion
from answerer.ntcir.multiple_choice.shapes import plan
from indexer.engines.contract import Index, Query
from retriever.queries import analyser_of, union_query

NEGATED = "negated: less sure"
NOT_IN_BOOK = "not in the book: none of the choices; a guess"


def marked(answered: Sequence[AnsweredQuestion], index: Index) -> list[AnsweredQuestion]:
    """The answers, in order, with their marks added to the notes: `NEGATED` where the false choice
    is asked for, `NOT_IN_BOOK` where the book has no word of any choice. An answer left blank has
    none."""
    absent = choices_not_in_book([answer.question for answer in answered], index)
    rows = []
    for answer, is_absent in zip(answered, absent, strict=True):
        marks = [answer.note] if answer.note else []
        if answer.system and is_absent:
            marks.append(NOT_IN_BOOK)
        if answer.system and answer.question.asks == "F":
            marks.append(NEGATED)
        rows.append(answer._replace(note="; ".join(marks)))
    return rows


def choices_not_in_book(questions: Sequence[ExamQuestion], index: Index) -> list[bool]:
    """For each question, whether the index has no word that distinguishes one of its choices from
    the others; False where a choice has no such word, or says nothing by itself (a combination)."""
    analyser = analyser_of(index)
    queries: dict[int, Query] = {}
    for position, question in enumerate(questions):
        question_plan = plan(question)
        if not question.choices or question_plan.way not in STATED_WAYS:
            continue
        choices = question_terms(question, question_plan, analyser).choices
        term_lists = [choice.terms for choice in choices if not choice.aggregate]
        if term_lists and all(term_lists):
            queries[position] = union_query([term for terms in term_lists for term in terms])
    counts = dict(zip(queries, index.part().count(list(queries.values())), strict=True))
    return [counts.get(position) == 0 for position in range(len(questions))]
