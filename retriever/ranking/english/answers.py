"""Answer tokens: words of a candidate that could answer this type of question, and how near they stand to its terms."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

import numpy as np

from indexer.files.arrays import BoolArray, Float64Array
from indexer.files.lists import listed
from retriever.learning.lists import summed
from retriever.question_types import QuestionType
from retriever.ranking.english.texts import EnglishTexts
from retriever.ranking.overlap import Tokens, distinct
from retriever.ranking.windows import row_max, token_weights, window_sums

NEAR = 7


@cache
def answer_words() -> dict[str, frozenset[str]]:
    """Word class → its lower-cased members."""
    classes: dict[str, list[str]] = {}
    for line in listed(__package__, "answer_words.tsv"):
        name, words = line.split("\t")
        classes.setdefault(name, []).extend(words.split())
    return {name: frozenset(words) for name, words in classes.items()}


def surface_classes(surfaces: list[str]) -> dict[str, BoolArray]:
    """For each class of word, which surface forms belong to it, (forms,)."""
    lowered = [surface.lower() for surface in surfaces]
    classes = {name: np.array([word in words for word in lowered], bool) for name, words in answer_words().items()}
    year = re.compile(r"(?:1\d|20)\d\d(?:s)?$")
    classes["year"] = np.array([bool(year.match(word)) for word in surfaces], bool)
    classes["digits"] = np.array([word[0].isdigit() for word in surfaces], bool) & ~classes["year"]
    classes["capital"] = np.array([word[0].isupper() for word in surfaces], bool)
    return classes


def _previous(tokens: Tokens, marks: BoolArray) -> BoolArray:
    """Marks the tokens, (tokens,), whose predecessor in the same row is marked."""
    after = np.zeros(len(marks), bool)
    if len(marks) > 1:
        after[1:] = marks[:-1] & (tokens.rows[1:] == tokens.rows[:-1])
    return after


def answer_tokens(texts: EnglishTexts, types: Sequence[QuestionType]) -> BoolArray:
    """Marks each token, (tokens,), that could be (part of) an answer to its question: never a word of the question."""
    tokens = texts.candidates
    of_surface = surface_classes(texts.words.surfaces)
    is_ = {name: marks[tokens.ids] for name, marks in of_surface.items()}
    content = ~texts.words.is_stop[tokens.ids]
    first = np.append(True, np.diff(tokens.rows) > 0)[: len(tokens.rows)]
    name = is_["capital"] & content & ~first
    after_place = _previous(tokens, is_["place preposition"])
    after_place |= _previous(tokens, after_place & ~content)
    number = is_["digits"] | is_["number"] | is_["year"]
    wanted = {
        "many": number & ~is_["year"],
        "money": is_["digits"] | is_["money"] | is_["number"],
        "measure": is_["digits"] | is_["unit"] | is_["number"] | is_["year"],
        "time": is_["year"] | is_["month"] | is_["time"],
        "who": name,
        "where": (after_place & content) | (name & ~is_["month"]),
        "why": is_["cause"],
        "how": is_["means"],
        "name": name,
        "define": is_["be"],
        "what": content,
        "other": content,
    }
    asks_for = np.array([one.name for one in types])[texts.lists.list_of[tokens.rows]]
    marks = np.zeros(len(tokens.ids), bool)
    for name_of_type, answering in wanted.items():
        marks |= (asks_for == name_of_type) & answering
    return marks & (texts.all_stems.token_term < 0)


def answers(texts: EnglishTexts, types: Sequence[QuestionType]) -> dict[str, Float64Array]:
    """How many answer tokens a row has, how special they are in the list, and how near to the question's terms."""
    tokens, lists, table = texts.candidates, texts.lists, texts.content_all
    marks = answer_tokens(texts, types)
    idf = rarity(texts)
    weight = table.list_idf() * table.file_idf()
    per_row = table.whole(weight)
    near = window_sums(tokens, token_weights(table, tokens, weight), NEAR, NEAR)
    special = summed(tokens.rows, marks * idf, lists.rows)
    count = summed(tokens.rows, marks, lists.rows)
    present = (count > 0).astype(float)
    covered = table.sums(weight) / per_row
    return {
        "answer: present": present,
        "answer: log count": np.log1p(count),
        "answer: list idf": np.log1p(special),
        "answer: best list idf": row_max(tokens, marks * idf),
        "answer: present × coverage": present * covered,
        "answer: best idf × coverage": row_max(tokens, marks * idf) * covered,
        "answer: near terms": row_max(tokens, marks * near) / per_row,
        "answer: idf near terms": row_max(tokens, marks * near * idf) / per_row,
    }


def rarity(texts: EnglishTexts) -> Float64Array:
    """For each token of the rows, (tokens,), log((n + 1) / df) of its stem over the rows of its list."""
    tokens, lists = texts.candidates, texts.lists
    size = len(texts.words.stems) + 1
    stems = texts.words.stem[tokens.ids]
    once = distinct(tokens.rows * size + stems)
    keys, df = np.unique(lists.list_of[once // size] * size + once % size, return_counts=True)
    own = df[np.searchsorted(keys, lists.list_of[tokens.rows] * size + stems)]
    return np.asarray(np.log((lists.sizes[lists.list_of[tokens.rows]] + 1) / own), float)
