"""Ranking of English sentences: the families of features, the recipe of training, and the untrained methods."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

import numpy as np

from indexer.files.arrays import BoolArray, Float64Array
from indexer.files.lists import read_word_list
from indexer.formats.labels import CandidateList
from retriever.learning.conditional_logit import Recipe, Types, layout, sum_by_place
from retriever.question_types import QuestionType, english_type, english_types
from retriever.ranking.english_words import Words, read_words
from retriever.ranking.overlap import (
    CandidateTexts,
    Overlap,
    Tokens,
    bm25,
    consecutive,
    coverage,
    distinct,
    position,
    rank_bm25,
    row_max,
    token_weights,
    window_sums,
    word_overlap,
)
from retriever.ranking.ranker import Ranking, RankingBlock


def english_texts(lists: Sequence[CandidateList]) -> tuple[CandidateTexts, Words]:
    """The tokens of the lists with their overlap views, and the properties of their words. Every list must have
    candidates.

    Views: "content": stems of content words; "all stems": stop words too; "placed": content stems, a row's at their
    position among all its tokens; "characters": runs of four letters of content words; "pairs": bigrams of stems.
    """
    questions = [each.question for each in lists]
    candidates = [candidate for each in lists for candidate in each.candidates]
    words, (asked, rows, topics) = read_words(questions, candidates, [each.topic for each in lists])

    def stems(tokens: Tokens) -> Tokens:
        return tokens.renumber(words.stem)

    def content(tokens: Tokens) -> Tokens:
        return stems(tokens).only(~words.is_stop[tokens.ids])

    def content_in_place(tokens: Tokens) -> Tokens:
        return tokens.renumber(np.where(words.is_stop, -1, words.stem))

    def pairs(tokens: Tokens) -> Tokens:
        return consecutive(stems(tokens), 2, len(words.stems) + 1)

    texts = CandidateTexts(
        lists=layout([len(each.candidates) for each in lists]),
        question_texts=questions,
        candidate_texts=candidates,
        questions=asked,
        candidates=rows,
        topics=topics,
        views={
            "content": (content, content),
            "all stems": (stems, stems),
            "placed": (content, content_in_place),
            "characters": (words.letters, words.letters),
            "pairs": (pairs, pairs),
        },
    )
    return texts, words


@cache
def answer_words() -> dict[str, frozenset[str]]:
    """Word class (such as number, month, unit) → its members in lower case."""
    classes: dict[str, list[str]] = {}
    for line in read_word_list(__package__, "english_answer_words.tsv"):
        name, words = line.split("\t")
        classes.setdefault(name, []).extend(words.split())
    return {name: frozenset(words) for name, words in classes.items()}


def answer_tokens(texts: CandidateTexts, words: Words, types: Sequence[QuestionType]) -> BoolArray:
    """Mask (tokens,) of the candidates' tokens that could be (part of) an answer by the type of their question; words
    of the question are never marked.

    `types` has the type of each question.
    """
    tokens = texts.candidates
    # Word classes are of surface forms, whose number is small, and looked up by the tokens.
    lowered = [surface.lower() for surface in words.surfaces]
    is_ = {name: np.array([word in of for word in lowered], bool)[tokens.ids] for name, of in answer_words().items()}
    year = re.compile(r"(?:1\d|20)\d\d(?:s)?$")
    is_year = np.array([bool(year.match(word)) for word in words.surfaces], bool)[tokens.ids]
    digits = words.is_number[tokens.ids] & ~is_year
    content = ~words.is_stop[tokens.ids]
    same_row: BoolArray = np.append(False, np.diff(tokens.rows) == 0)[: len(tokens.rows)]  # as the token before
    # A capital at the beginning of a row says nothing.
    name = words.is_capital[tokens.ids] & content & same_row

    def behind(marks: BoolArray) -> BoolArray:
        """Mask of the tokens whose predecessor in the same row is in the mask `marks`."""
        shifted: BoolArray = np.append(False, marks)[: len(marks)]
        return shifted & same_row

    # "in York", and "in the town": a stop word may come between.
    after_place = behind(is_["place preposition"])
    after_place |= behind(after_place & ~content)
    answering = {
        "many": digits | is_["number"] & ~is_year,
        "money": digits | is_["money"] | is_["number"],
        "measure": digits | is_["unit"] | is_["number"] | is_year,
        "time": is_year | is_["month"] | is_["time"],
        "who": name,
        "where": (after_place & content) | (name & ~is_["month"]),
        "why": is_["cause"],
        "how": is_["means"],
        "name": name,
        "define": is_["be"],
        "what": content,
        "other": content,
    }
    expected = np.array([each.name for each in types])[texts.lists.list_of[tokens.rows]]
    # A sweep over all tokens for each type, which are few, instead of a loop over questions.
    marks = np.zeros(len(tokens.ids), bool)
    for type_name, fitting in answering.items():
        marks |= (expected == type_name) & fitting
    return marks & (texts.overlap("all stems").token_term < 0)


NEAR = 7  # words around an answer token in which the question's terms count; 5 to 10 do as well


def answers(texts: CandidateTexts, words: Words, types: Sequence[QuestionType]) -> dict[str, Float64Array]:
    """Feature name → values (rows,) of a row's possible answer tokens: presence, log count, list idf (summed and
    greatest), coverage, and proximity to the question's terms.

    `types` has the type of each question.
    """
    tokens, lists, table = texts.candidates, texts.lists, texts.overlap("placed")
    marks = answer_tokens(texts, words, types)
    # The rarity of each token: log((n + 1) / df) of its stem over the n rows of its list.
    size = len(words.stems) + 1
    stems, list_of = words.stem[tokens.ids], lists.list_of[tokens.rows]
    once = distinct(tokens.rows * size + stems)
    keys, df = np.unique(lists.list_of[once // size] * size + once % size, return_counts=True)
    rarity = np.log((lists.sizes[list_of] + 1) / df[np.searchsorted(keys, list_of * size + stems)])
    weight = table.list_idf() * table.file_idf()
    per_row = table.whole(weight)
    near = window_sums(tokens, token_weights(table, tokens, weight), NEAR, NEAR)
    count = sum_by_place(tokens.rows, marks, lists.rows)
    present = (count > 0).astype(float)
    covered = table.sums(weight) / per_row
    best = row_max(tokens, marks * rarity)
    return {
        "answer: present": present,
        "answer: log count": np.log1p(count),
        "answer: list idf": np.log1p(sum_by_place(tokens.rows, marks * rarity, lists.rows)),
        "answer: best list idf": best,
        "answer: present × coverage": present * covered,
        "answer: best idf × coverage": best * covered,
        "answer: near terms": row_max(tokens, marks * near) / per_row,
        "answer: idf near terms": row_max(tokens, marks * near * rarity) / per_row,
    }


OPENING = 6  # first words of a sentence
FADING = 4  # places after which a word of the opening counts half


def opening(table: Overlap) -> dict[str, Float64Array]:
    """Fractions of the question's weight that occur early in the row, (rows,), by feature name; `table` is the view
    "placed", whose terms are at their position among all words.

    A sentence that opens with the question's subject is about it. "fading": a word at position p (from 0) counts 1 / (1
    + p / 4), each term once, at its first position. "first words": the first six words alone. The weights are the idf
    over questions, for a subject is in nearly every row of its list. 0 for a row or a question without words.
    """
    tokens, lists = table.candidates, table.lists
    weight = table.question_idf()
    per_row = table.whole(weight)
    place = tokens.places()
    values = token_weights(table, tokens, weight)
    return {
        "opening: fading": sum_by_place(tokens.rows, values / (1 + place / FADING), lists.rows) / per_row,
        "opening: first words": sum_by_place(tokens.rows, values * (place < OPENING), lists.rows) / per_row,
    }


def neighbours(table: Overlap, name: str, reach: int = 2) -> dict[str, Float64Array]:
    """Feature name → values (rows,): for each of the `reach` rows before and after a row in its list, that row's
    coverage of the question and the coverage it adds to the row's own; and the best coverage of the three rows before,
    fading with distance.

    The feature names begin with `name`.
    """
    lists = table.lists
    weight = table.list_idf() * table.file_idf()
    per_row = table.whole(weight)
    covered = table.sums(weight) / per_row
    terms = max(1, len(weight))
    own = table.pair_row * terms + table.pair_term
    columns = {}
    for by in [*range(-reach, 0), *range(1, reach + 1)]:
        columns[f"{name}: coverage of the row at {-by:+d}"] = lists.shift(covered, by)
        # The terms of the row `by` places before, in the same list, that the row itself lacks.
        rows = table.pair_row + by
        inside = (rows >= 0) & (rows < lists.rows)
        inside[inside] = lists.list_of[rows[inside]] == table.term_list[table.pair_term[inside]]
        rows, term = rows[inside], table.pair_term[inside]
        new = ~np.isin(rows * terms + term, own)
        added = sum_by_place(rows[new], weight[term[new]], lists.rows)
        columns[f"{name}: added by the row at {-by:+d}"] = added / per_row
    # A list of sentences often hangs on one before it, which the further one counts the less.
    before = [lists.shift(covered, by) * 0.7 ** (by - 1) for by in range(1, 4)]
    columns[f"{name}: best of the rows before"] = np.max(before, axis=0)
    return columns


def pairs(table: Overlap) -> dict[str, Float64Array]:
    """Feature name → values (rows,): the fraction of the question's bigrams of stems that a row contains, unweighted
    and by list idf, and the summed file idf of these; `table` is the view "pairs"."""
    return {
        "pairs: coverage": table.coverage(np.ones_like(table.list_df)),
        "pairs: coverage × list idf": table.coverage(table.list_idf()),
        "pairs: sum × file idf": table.sums(table.file_idf()),
    }


def term_classes(texts: CandidateTexts, words: Words) -> dict[str, Float64Array]:
    """Class name → 0 or 1 for each question term, (terms,): capitalised names, numbers, other words, first or last
    positions in the question, in the article's title ("topic") or not."""
    table = texts.overlap("content")
    tokens = texts.questions.only(~words.is_stop[texts.questions.ids])
    place = tokens.places()
    from_end = tokens.lengths()[tokens.rows] - place
    size = len(words.stems) + 1
    # The topic of an article is in its title: every sentence is about it, and naming it earns nothing.
    titles = words.stem[texts.topics.ids] + texts.topics.rows * size
    topic = np.isin(table.term_list * size + table.term_key, titles).astype(float)
    capital, number = words.is_capital[tokens.ids], words.is_number[tokens.ids]
    marks = {
        "names": capital,
        "numbers": number,
        "plain": ~capital & ~number,
        "first": place == 0,
        "second": place == 1,
        "last": from_end == 1,
        "last but one": from_end == 2,
    }
    terms = len(table.term_list)
    of_tokens = {
        name: (sum_by_place(table.question_term, mark, terms) > 0).astype(float) for name, mark in marks.items()
    }
    return of_tokens | {"not topic": 1 - topic, "topic": topic}


def terms(texts: CandidateTexts, words: Words) -> dict[str, Float64Array]:
    """Feature name → values (rows,): coverage of each class of question terms, the greatest list idf of a matched term,
    and weights of the matched terms that few or no other rows of the list contain."""
    table, lists = texts.overlap("content"), texts.lists
    list_idf, file_idf = table.list_idf(), table.file_idf()
    weight = list_idf * file_idf
    classes = term_classes(texts, words)
    columns = {f"terms: {name}": table.coverage(weight * marks) for name, marks in classes.items()}
    best = np.zeros(lists.rows)
    np.maximum.at(best, table.pair_row, list_idf[table.pair_term])
    alone = (table.list_df == 1).astype(float)
    return columns | {
        "terms: not topic, list idf": table.coverage(list_idf * classes["not topic"]),
        "terms: not topic, density": columns["terms: not topic"] / np.log(table.lengths + 2),
        "terms: shared": table.sums(weight / np.maximum(table.list_df, 1)),
        "terms: best list idf": best,
        "terms: only here": table.sums(alone),
        "terms: only here × file idf": table.sums(alone * file_idf),
    }


RECIPE = Recipe("selqa", penalty=150.0)
# Families weighted by type of question too: the others (letters, pairs, related words) say the same as coverage again.
BY_TYPE = frozenset({"coverage", "terms", "opening", "position", "answers"})
# The sum that benchmarks/untrained_sums.py chooses on SelQA's development file (in nearly every fold, too).
UNTRAINED = {
    "characters": {"characters: bm25": 1.0},
    "terms": {"terms: not topic, list idf": 1.0},
    "coverage": {"all stems: coverage × list and question idf": 1.0},
    "answers": {"answer: present": 1.0},
}


def english_ranking(lists: Sequence[CandidateList]) -> Ranking:
    """The `Ranking` of lists of English sentences. Every list must have candidates."""
    file, words = english_texts(lists)
    names = tuple(each.name for each in english_types())

    def block(texts: CandidateTexts) -> RankingBlock:
        """The families of features and the baselines of one block of lists, each computed when it is needed."""
        types = [english_type(question) for question in texts.question_texts]
        content = texts.overlap("content")
        (of_question, of_row), questions, rows = texts.views["content"], texts.questions, texts.candidates
        return RankingBlock(
            lists=texts.lists,
            features={
                "coverage": lambda: coverage(content, "content") | coverage(texts.overlap("all stems"), "all stems"),
                "characters": lambda: coverage(texts.overlap("characters"), "characters"),
                "terms": lambda: terms(texts, words),
                "pairs": lambda: pairs(texts.overlap("pairs")),
                "opening": lambda: opening(texts.overlap("placed")),
                "neighbours": lambda: neighbours(content, "content"),
                "position": lambda: position(texts.lists, rows.lengths()),
                "answers": lambda: answers(texts, words, types),
            },
            baselines={
                "bm25": lambda: bm25(content),
                "rank-bm25": lambda: rank_bm25(of_question(questions).by_text(), of_row(rows).by_text(), texts.lists),
                "overlap": lambda: word_overlap(content),
            },
            matched=lambda: content.matched_terms([words.stems[key] for key in content.term_key]),
            types=Types(names, np.array([names.index(each.name) for each in types], np.int64), BY_TYPE),
        )

    kinds = [english_type(question).name for question in file.question_texts]
    return Ranking(file.lists, file.question_texts, kinds, RECIPE, UNTRAINED, lambda: map(block, file.blocks()))
