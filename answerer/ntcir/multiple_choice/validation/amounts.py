"""Choices that are a number with a unit: only a number with its unit supports them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice

from answerer.formats.exam.parts import ExamQuestion, expand
from answerer.ntcir.multiple_choice.choices import QuestionTerms
from indexer.analysis.english import singular
from indexer.analysis.english_numbers import WORD, in_figures
from indexer.engines.contract import Index
from indexer.sources.textbook.schema import PARAGRAPHS
from retriever.queries import language_of, union_query

_DEPTH = 10  # paragraphs for question and choice, in which the number is looked for
_WORD = re.compile(WORD)
_PER_CENT = re.compile(r"%|\bper cent\b")
_JOINED = re.compile(r"(?<=\d)(?=(?:m|km|cm|mm|kg|g|ft|mi|yrs?|hrs?|min)\b)")  # 41m
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
# Those that the analyser does not spell out, and plurals of no rule.
_UNITS = {
    "ft": "foot",
    "feet": "foot",
    "mi": "mile",
    "yr": "year",
    "hr": "hour",
    "min": "minute",
    "g": "gram",
}
_LEADS = frozenset("about approximately around roughly nearly almost over under some".split())
_BETWEEN = frozenset(("to", "or", "and"))  # two numbers with one unit: 20 to 30 metres
_LONGEST = 3  # words of an amount: 12 square kilometres


def amount_in(text: str) -> tuple[str, str] | None:
    """The number, in figures, and the unit of an English choice that is just these, in two or three
    words ("22 m", "about 12 square kilometres"): the last word's singular, without abbreviation.
    None for any other, also where the last word is a name, a number or a unit of nothing
    ("1848 Revolution", "41")."""
    words = _words(text)
    while words and words[0] in _LEADS:
        words = words[1:]
    is_name = text.split()[-1:] != [] and text.split()[-1][:1].isupper()
    if is_name or not 1 < len(words) <= _LONGEST or not _NUMBER.fullmatch(words[0]):
        return None
    return None if words[-1][:1].isdigit() else (words[0], words[-1])


def stands_in(amount: tuple[str, str], text: str) -> bool:
    """Whether an English text has a number (in figures) with its unit (a singular) behind it, with
    at most one word between, or with other numbers before both ("20 to 30 metres")."""
    number, unit = amount
    words = _words(text)
    for position, word in enumerate(words):
        if word != number:
            continue
        behind = position + 1
        while behind < len(words) and (words[behind] in _BETWEEN or words[behind][0].isdigit()):
            behind += 1
        if unit in words[behind : behind + 2]:
            return True
    return False


def _words(text: str) -> list[str]:
    """The words of an English text, in lower case, as singulars, with numbers in figures and units
    spelt out."""
    text = _JOINED.sub(" ", _PER_CENT.sub(" percent ", text.lower()))
    words = [word for word in in_figures(_WORD.findall(text)) if word]
    return [_UNITS.get(word) or _UNITS.get(singular(word), singular(word)) for word in words]


def with_amounts(
    questions: Sequence[ExamQuestion], terms: Sequence[QuestionTerms], index: Index
) -> list[QuestionTerms]:
    """The terms of questions (parallel to them), where the choices that are amounts have their
    `amount`. Where the paragraphs, the ten best for the question and each of these, have some of
    a question's amounts, number with unit, the choices with other amounts have no terms. Unchanged
    where fewer than two choices are amounts, and in books that are not English."""
    if language_of(index).code != "en":
        return list(terms)
    amounts = [
        [amount_in(expand(choice.text).plain) for choice in question.choices]
        for question in questions
    ]
    amounts = [row if len(row) - row.count(None) > 1 else [None] * len(row) for row in amounts]
    queries = [
        union_query(term_set.terms, choice.terms)
        for term_set, row in zip(terms, amounts, strict=True)
        for choice, amount in zip(term_set.choices, row, strict=True)
        if amount
    ]
    hits = iter(index.part(PARAGRAPHS.name).search(queries, _DEPTH) if queries else ())
    read = []
    for term_set, row in zip(terms, amounts, strict=True):
        texts = [
            hit.document.text
            for ranked in islice(hits, len(row) - row.count(None))
            for hit in ranked
        ]
        stands = [
            amount is not None and any(stands_in(amount, text) for text in texts) for amount in row
        ]
        choices = tuple(
            choice._replace(
                amount=amount, terms=() if amount and any(stands) and not is_there else choice.terms
            )
            for choice, amount, is_there in zip(term_set.choices, row, stands, strict=True)
        )
        read.append(term_set._replace(choices=choices))
    return read
