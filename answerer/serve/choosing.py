"""The choice among a server's indexes for a question or a file that names none."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from typing import TYPE_CHECKING

from answerer.asking.replies import Reply
from answerer.serve.served import NO_BOOK, Served, opened
from indexer.files.errors import UserError
from indexer.languages.chinese import CHINESE
from indexer.languages.registry import detect_language

if TYPE_CHECKING:
    from answerer.formats.exam.parts import Exam
    from indexer.engines.contract import Index

PARAGRAPHS_READ = 3  # for each question of a quiz, in each book


def fitting(question: str, choices: Sequence[str], indexes: Sequence[Served]) -> list[Served]:
    """The indexes to ask if a question names none: the only one served, else every textbook in the
    question's language, else the first of datasets. For a Chinese question without choices a
    knowledge base (triples) comes first; with choices only textbooks fit. Raises UserError if none
    fits."""
    if not indexes:
        raise UserError(NO_BOOK)
    if len(indexes) == 1:
        return [indexes[0]]
    language = detect_language(question)
    kinds = ["textbook"]
    if not choices:
        kinds.append("datasets")
        if language == CHINESE:  # as NLPCC's knowledge base is
            kinds.insert(0, "triples")
    for kind in kinds:
        of_kind = [index for index in indexes if index.kind == kind]
        if kind == "textbook":
            of_kind = of_language(of_kind, language.code)
        if of_kind:
            return of_kind if kind == "textbook" else of_kind[:1]
    raise UserError(f"no index served here is a textbook in {language.name}: name an index")


def of_language(indexes: Sequence[Served], code: str) -> list[Served]:
    """The indexes in a language, in order."""
    return [index for index in indexes if index.language == code]


def best_reply(replies: Sequence[Reply]) -> int:
    """The position of the reply to trust most, of the first of equal ones: one with answers before
    one without, then by likelihood."""
    return max(
        range(len(replies)),
        key=lambda position: (bool(replies[position]), replies[position].likelihood),
    )


def book_of_quiz(exam: Exam, books: Sequence[Served]) -> Served:
    """The textbook, of those in the exam's language, whose passages have most of the words of its
    questions (see `words_found`), the first of equal ones; without one in the language the first
    textbook. Raises NotServed if one cannot be opened."""
    fit = of_language(books, exam.language.code) or books[:1]
    if len(fit) == 1:
        return fit[0]
    shares = []
    for book in fit:
        with closing(opened(book)) as index:
            shares.append(round(words_found(exam, index), 5))
    return fit[shares.index(max(shares))]


def words_found(exam: Exam, index: Index) -> float:
    """The sum over the questions of an exam of the largest share of their words, choices included,
    that a paragraph of a textbook has; of each question the best `PARAGRAPHS_READ` hits are
    read."""
    from answerer.quiz_check.flaws import stem_of
    from indexer.sources.textbook.schema import PARAGRAPHS
    from retriever.queries import analyser_of, union_query

    terms = analyser_of(index).terms
    questions = []
    for question in exam.questions:
        choices = " ".join(choice.text.plain for choice in question.choices)
        questions.append(set(terms(f"{stem_of(question)}\n{choices}")))
    queries = [union_query(sorted(words)) for words in questions]
    found = index.part(PARAGRAPHS.name).search(queries, PARAGRAPHS_READ)
    return sum(
        max((len(words.intersection(terms(hit.document.text))) for hit in hits), default=0)
        / max(len(words), 1)
        for words, hits in zip(questions, found, strict=True)
    )
