"""The choice among a server's indexes for a question or a file that names none."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from typing import TYPE_CHECKING

from answerer.asking.replies import Reply
from answerer.serve.served import NO_BOOK, Served, open_served
from indexer.files.errors import UserError
from indexer.languages.chinese import CHINESE
from indexer.languages.registry import detect_language

if TYPE_CHECKING:
    from answerer.formats.exam.parts import Exam
    from indexer.engines.contract import Index

PARAGRAPHS_READ = 3  # for each question, in each book


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
    """The position of the reply (of at least one) to trust most, of equal ones the first: one with
    answers before one without, then by likelihood."""
    return max(
        range(len(replies)),
        key=lambda position: (bool(replies[position]), replies[position].likelihood),
    )


def best_books(texts: Sequence[str], books: Sequence[Served]) -> list[Served]:
    """The textbooks with most of the words of the texts (see `words_found`, to two decimals), all
    equal ones, in order: all if none has any; [] without books. Raises NotServed if one cannot be
    opened, TransientError if its server is away."""
    shares = []
    for book in books:
        with closing(open_served(book)) as index:
            shares.append(round(words_found(texts, index), 2))
    return [book for book, share in zip(books, shares, strict=True) if share == max(shares)]


def book_of_quiz(exam: Exam, books: Sequence[Served]) -> Served:
    """The textbook, of those in the exam's language, that has most of the words of its questions
    and choices, the first of equal ones; without one in the language the first textbook. Of
    several, raises NotServed if one cannot be opened, TransientError if its server is away."""
    from answerer.quiz_check.flaws import stem_of

    fit = of_language(books, exam.language.code) or books[:1]
    texts = [
        "\n".join((stem_of(question), *(choice.text.plain for choice in question.choices)))
        for question in exam.questions
    ]
    return best_books(texts, fit)[0] if len(fit) > 1 else fit[0]


def words_found(texts: Sequence[str], index: Index) -> float:
    """The sum over texts of the largest share of their words that a paragraph of a textbook has, of
    the `PARAGRAPHS_READ` (3) that BM25 puts first."""
    from indexer.sources.textbook.schema import PARAGRAPHS
    from retriever.queries import analyser_of, union_query

    terms = analyser_of(index).terms
    words_of_texts = [set(terms(text)) for text in texts]
    queries = [union_query(sorted(words)) for words in words_of_texts]
    hits_of_texts = index.part(PARAGRAPHS.name).search(queries, PARAGRAPHS_READ)
    return sum(
        max((len(words.intersection(terms(hit.document.text))) for hit in hits), default=0)
        / max(len(words), 1)
        for words, hits in zip(words_of_texts, hits_of_texts, strict=True)
    )
