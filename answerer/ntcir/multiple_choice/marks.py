"""The marks of answers that are less sure than others: of negated questions, and of questions whose
choices are not in the book."""

from __future__ import annotations

from collections.abc import Sequence

from answerer.formats.exam.parts import expand
from answerer.ntcir.multiple_choice.choices import choice_terms
from answerer.ntcir.multiple_choice.methods import AnsweredQuestion
from answerer.run import Unanswered
from indexer.engines.contract import Index, Query
from retriever.queries import analyser_of, union_query

NEGATED = "negated: less sure"
NOT_IN_BOOK = "not in the book: none of the choices; a guess"
# Of which of the labelled statements are true a choice speaks, and not of the book.
_TRUTH_VALUES = "correct incorrect true false 正 誤"


def with_marks(
    answered: Sequence[AnsweredQuestion], index: Index
) -> tuple[list[AnsweredQuestion], Unanswered]:
    """The answers, in order, with their marks added behind the notes: `NOT_IN_BOOK` where the book
    has none of the words that distinguish the choices from each other, `NEGATED` where the false
    choice is asked for. An answer left blank has none; the first is for questions each of whose
    choices has such a word, "correct" and the like not counted.

    Also the answer columns, of the questions with choices, that find nothing: the index has no word
    of the choices and of the question's data, or of a claim that is true or false. One request to
    the index.
    """
    analyser = analyser_of(index)
    truth_values = set(analyser.terms(_TRUTH_VALUES))
    queries: dict[int, Query] = {}
    distinguishing: dict[int, Query] = {}
    for position, answer in enumerate(answered):
        question = answer.question
        if not question.choices:
            continue
        context = [analyser.terms(expand(text).plain) for text in question.data]
        if answer.way == "truth":
            context.append(analyser.terms(expand(question.instruction).plain))
            queries[position] = union_query(*context)
            continue
        of_choices = [analyser.terms(expand(choice.text).plain) for choice in question.choices]
        queries[position] = union_query(*context, *of_choices)
        term_lists = [
            set(choice.terms) - truth_values
            for choice in choice_terms(question, of_choices)
            if not choice.aggregate
        ]
        if term_lists and all(term_lists):
            distinguishing[position] = union_query(*term_lists)
    counts = iter(index.part().count([*queries.values(), *distinguishing.values()]))
    nothing_said = [answered[p].question.answer_column for p in queries if next(counts) == 0]
    absent = {position for position in distinguishing if next(counts) == 0}
    rows = []
    for position, answer in enumerate(answered):
        marks = [answer.note] if answer.note else []
        if answer.system and position in absent:
            marks.append(NOT_IN_BOOK)
        if answer.system and answer.question.asks == "F":
            marks.append(NEGATED)
        rows.append(answer._replace(note="; ".join(marks)))
    return rows, Unanswered(nothing_said, len(queries), index.address)
