"""Ranking of English sentences: the families of features, the recipe of training, and the untrained methods."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property

import numpy as np

from indexer.files.arrays import BoolArray, Float64Array
from indexer.files.lists import read_word_list
from indexer.formats.labels import CandidateList
from retriever.learning.conditional_logit import ListLayout, Recipe, Types, layout, sum_by_place
from retriever.question_types import QuestionType, english_type, english_types
from retriever.ranking.english_words import Words, read_words
from retriever.ranking.overlap import (
    BLOCK,
    FileCounts,
    Overlap,
    Tokens,
    bm25,
    by_list,
    consecutive,
    coverage,
    distinct,
    file_counts,
    overlap,
    position,
    rank_bm25,
    row_max,
    token_lists,
    token_weights,
    window_sums,
    word_overlap,
)
from retriever.ranking.ranker import Ranking, RankingBlock

View = Callable[[Tokens], Tokens]


@dataclass(frozen=True)
class EnglishTexts:
    """Lists as term numbers; every overlap is computed when it is first asked for.

    They are a file, or a block of it: then `whole` is the file, whose counts say how common a term is.
    """

    lists: ListLayout
    question_texts: Sequence[str]
    candidate_texts: Sequence[str]
    words: Words
    questions: Tokens
    candidates: Tokens
    topics: Tokens
    whole: EnglishTexts | None = None
    _counted: dict[str, FileCounts] = field(default_factory=dict)

    def blocks(self) -> Iterator[EnglishTexts]:
        """The lists in their order, in blocks whose features fit into memory."""
        for block in self.lists.blocks(BLOCK):
            rows = self.lists.rows_of(block)
            yield EnglishTexts(
                layout(self.lists.sizes[block.start : block.stop].tolist()),
                self.question_texts[block.start : block.stop],
                self.candidate_texts[rows.start : rows.stop],
                self.words,
                self.questions.text_range(block.start, block.stop),
                self.candidates.text_range(rows.start, rows.stop),
                self.topics.text_range(block.start, block.stop),
                self,
            )

    @cached_property
    def all_stems(self) -> Overlap:
        """Every stem, stop words too."""
        return self._overlap("all stems", self._stems)

    @cached_property
    def content(self) -> Overlap:
        """Stems of content words."""
        return self._overlap("content", self._content)

    @cached_property
    def related_overlap(self) -> Overlap:
        """Groups of related words (a word without a group is its stem)."""
        return self._overlap("related", self._groups)

    @cached_property
    def content_all(self) -> Overlap:
        """Content stems matched at their place among all tokens of the rows."""
        return self._overlap("content at its place", self._content, self._stems_or_none)

    @cached_property
    def characters(self) -> Overlap:
        """Runs of four characters of content words, their ends marked."""
        return self._overlap("characters", self.words.letters)

    @cached_property
    def pairs(self) -> Overlap:
        """Two stems in a row, stop words too."""
        return self._overlap("pairs", self._pairs)

    def _stems(self, side: Tokens) -> Tokens:
        return self.words.view(side, self.words.stem)

    def _content(self, side: Tokens) -> Tokens:
        return self._stems(side).only(~self.words.is_stop[side.ids])

    def _groups(self, side: Tokens) -> Tokens:
        return self.words.view(side, self.words.group).only(~self.words.is_stop[side.ids])

    def _stems_or_none(self, side: Tokens) -> Tokens:
        return self.words.view(side, np.where(self.words.is_stop, -1, self.words.stem))

    def _pairs(self, side: Tokens) -> Tokens:
        return consecutive(self._stems(side), 2, len(self.words.stems) + 1)

    def _overlap(self, name: str, view: View, of_rows: View | None = None) -> Overlap:
        """The terms that a view gives of the questions and, unless it has its own, of the rows."""
        of_rows = of_rows or view
        counted = None
        if self.whole is not None and self.whole.lists.rows > self.lists.rows:
            counted = self.whole.frequencies(name, view, of_rows)
        return overlap(view(self.questions), of_rows(self.candidates), self.lists, counted)

    def frequencies(self, name: str, view: View, of_rows: View) -> FileCounts:
        """Frequencies of a view's terms in all lists; counted once a view."""
        if name not in self._counted:
            blocks = (of_rows(block.candidates) for block in self.blocks())
            self._counted[name] = file_counts(view(self.questions), blocks)
        return self._counted[name]


def english_texts(lists: Sequence[CandidateList]) -> EnglishTexts:
    """Tokenise the lists, which all have candidates."""
    questions = [one.question for one in lists]
    candidates = [candidate for one in lists for candidate in one.candidates]
    words, (asked, rows, topics) = read_words(questions, candidates, [one.topic for one in lists])
    places = layout([len(one.candidates) for one in lists])
    return EnglishTexts(places, questions, candidates, words, asked, rows, topics)


NEAR = 7  # words around an answer token in which the question's terms count; 5 to 10 do as well


@cache
def answer_words() -> dict[str, frozenset[str]]:
    """Word class → its lower-cased members."""
    classes: dict[str, list[str]] = {}
    for line in read_word_list(__package__, "english_answer_words.tsv"):
        name, words = line.split("\t")
        classes.setdefault(name, []).extend(words.split())
    return {name: frozenset(words) for name, words in classes.items()}


def surface_classes(surfaces: list[str]) -> dict[str, BoolArray]:
    """For each class of word a mask of the surface forms that belong to it, (forms,)."""
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
    """Features of a row's answer tokens, each (rows,): their number, their rarity in the list, their proximity to the
    question's terms."""
    tokens, lists, table = texts.candidates, texts.lists, texts.content_all
    marks = answer_tokens(texts, types)
    idf = rarity(texts)
    weight = table.list_idf() * table.file_idf()
    per_row = table.whole(weight)
    near = window_sums(tokens, token_weights(table, tokens, weight), NEAR, NEAR)
    special = sum_by_place(tokens.rows, marks * idf, lists.rows)
    count = sum_by_place(tokens.rows, marks, lists.rows)
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


OPENING = 6  # first words of a sentence
FADING = 4  # places after which a word of the opening counts half


def opening(table: Overlap) -> dict[str, Float64Array]:
    """Shares of the question's weight that occur early in the row; terms matched at their place among all words.

    A sentence that opens with the question's subject is about it. "fading": a word at place p (from 0) counts
    1 / (1 + p / 4), each term once, at its first place. "first words": the first six words alone. The weights are
    the idf over questions, for a subject is in nearly every row of its list. 0 for a row or a question without
    words.
    """
    tokens, lists = table.candidates, table.lists
    weight = table.question_idf()
    per_row = table.whole(weight)
    lengths = np.bincount(tokens.rows, minlength=tokens.texts)
    place = np.arange(len(tokens.ids)) - (np.cumsum(lengths) - lengths)[tokens.rows]
    values = token_weights(table, tokens, weight)
    return {
        "opening: fading": sum_by_place(tokens.rows, values / (1 + place / FADING), lists.rows) / per_row,
        "opening: first words": sum_by_place(tokens.rows, values * (place < OPENING), lists.rows) / per_row,
    }


def _neighbour_sums(table: Overlap, weight: Float64Array, by: int) -> Float64Array:
    """Weight, (rows,), of the terms that the row `by` places before has and the row lacks; `weight`: (terms,)."""
    terms = max(1, len(weight))
    own = table.pair_row * terms + table.pair_term
    rows = table.pair_row + by
    inside = (rows >= 0) & (rows < table.lists.rows)
    rows, term = rows[inside], table.pair_term[inside]
    inside = table.lists.list_of[rows] == table.term_list[term]
    rows, term = rows[inside], term[inside]
    new = ~np.isin(rows * terms + term, own)
    return sum_by_place(rows[new], weight[term[new]], table.lists.rows)


def neighbours(table: Overlap, name: str, reach: int = 2) -> dict[str, Float64Array]:
    """Coverage of the sentences around each row, and the gain of adding each to the row's own coverage."""
    lists = table.lists
    weight = table.list_idf() * table.file_idf()
    per_row = table.whole(weight)
    covered = table.sums(weight) / per_row
    columns = {}
    for by in [*range(-reach, 0), *range(1, reach + 1)]:
        columns[f"{name}: coverage of the row at {-by:+d}"] = lists.shift(covered, by)
        columns[f"{name}: added by the row at {-by:+d}"] = _neighbour_sums(table, weight, by) / per_row
    best = np.zeros(lists.rows)
    for by in range(1, 4):
        best = np.maximum(best, lists.shift(covered, by) * 0.7 ** (by - 1))
    columns[f"{name}: best of the rows before"] = best
    return columns


def pairs(texts: EnglishTexts) -> dict[str, Float64Array]:
    """Shares of the question's pairs of stems, stop words too, and the idf over the file that they sum to."""
    table = texts.pairs
    return {
        "pairs: coverage": table.coverage(np.ones_like(table.list_df)),
        "pairs: coverage × list idf": table.coverage(table.list_idf()),
        "pairs: sum × file idf": table.sums(table.file_idf()),
    }


def term_classes(texts: EnglishTexts) -> dict[str, Float64Array]:
    """Weights (0 or 1) of the question's content terms, an array (terms,) a class."""
    words, table = texts.words, texts.content
    tokens = texts.questions.only(~words.is_stop[texts.questions.ids])
    counts = np.bincount(tokens.rows, minlength=int(tokens.rows.max(initial=0)) + 1)
    place = np.arange(len(tokens.rows)) - (np.cumsum(counts) - counts)[tokens.rows]
    from_end = counts[tokens.rows] - place
    size = len(words.stems) + 1
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


def terms(texts: EnglishTexts) -> dict[str, Float64Array]:
    """Coverage of each class, the rarest term held and missing, and how few rows share the matches."""
    table, lists = texts.content, texts.lists
    weight = table.list_idf() * table.file_idf()
    columns: dict[str, Float64Array] = {}
    classes = term_classes(texts)
    for name, marks in classes.items():
        columns[f"terms: {name}"] = table.coverage(weight * marks)
    columns["terms: not topic, list idf"] = table.coverage(table.list_idf() * classes["not topic"])
    columns["terms: not topic, density"] = columns["terms: not topic"] / np.log(table.lengths + 2)
    columns["terms: shared"] = table.sums(weight / np.maximum(table.list_df, 1))
    best = np.zeros(lists.rows)
    np.maximum.at(best, table.pair_row, table.list_idf()[table.pair_term])
    columns["terms: best list idf"] = best
    alone = (table.list_df == 1).astype(float)
    columns["terms: only here"] = table.sums(alone)
    columns["terms: only here × file idf"] = table.sums(alone * table.file_idf())
    return columns


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


def english_families(
    texts: EnglishTexts, types: Sequence[QuestionType]
) -> Mapping[str, Callable[[], Mapping[str, Float64Array]]]:
    """Every family of features, each computed for all rows at once when it is called."""
    return {
        "coverage": lambda: coverage(texts.content, "content") | coverage(texts.all_stems, "all stems"),
        "related": lambda: coverage(texts.related_overlap, "related"),
        "characters": lambda: coverage(texts.characters, "characters"),
        "terms": lambda: terms(texts),
        "pairs": lambda: pairs(texts),
        "opening": lambda: opening(texts.content_all),
        "neighbours": lambda: neighbours(texts.content, "content"),
        "position": lambda: position(texts.lists, texts.all_stems.lengths),
        "answers": lambda: answers(texts, types),
    }


def english_ranking(lists: Sequence[CandidateList]) -> Ranking:
    """Lists of English sentences, all with candidates, ready to be ranked."""
    texts = english_texts(lists)
    kinds = [english_type(question).name for question in texts.question_texts]
    return Ranking(texts.lists, texts.question_texts, kinds, RECIPE, UNTRAINED, lambda: map(_block, texts.blocks()))


def _block(texts: EnglishTexts) -> RankingBlock:
    """The ranking of some lists of English sentences."""
    types = [english_type(question) for question in texts.question_texts]
    names = tuple(one.name for one in english_types())

    def stems(tokens: Tokens) -> list[list[int]]:
        return token_lists(texts.words.view(tokens.only(~texts.words.is_stop[tokens.ids]), texts.words.stem))

    return RankingBlock(
        texts.lists,
        english_families(texts, types),
        {
            "bm25": lambda: bm25(texts.content),
            "rank-bm25": lambda: rank_bm25(stems(texts.questions), by_list(stems(texts.candidates), texts.lists)),
            "overlap": lambda: word_overlap(texts.content),
        },
        lambda: texts.content.matched_terms([texts.words.stems[key] for key in texts.content.term_key]),
        Types(names, np.array([names.index(one.name) for one in types], np.int64), BY_TYPE),
    )
