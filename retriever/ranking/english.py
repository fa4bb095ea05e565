"""Ranking of English sentences: words and stems, the families of features, and the untrained
methods."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Sequence
from itertools import count
from typing import NamedTuple

import numpy as np
import Stemmer

from indexer.analysis.text import read_word_list
from indexer.files.arrays import BoolArray, Float64Array, Int64Array
from indexer.formats.labels import CandidateList
from retriever.question_types import ENGLISH_TYPES, english_type
from retriever.ranking import overlap
from retriever.ranking.ranker import Ranking, RankingBlock, layout

# Abbreviations with points (U.S.), numbers with their marks (1,000.5, 1st), words with apostrophes
# (O'Neill's).
WORD = re.compile(r"(?:[^\W\d_]\.){2,}|\d+(?:[.,:]\d+)*(?:st|nd|rd|th|s)?|[^\W_]+(?:['’][^\W_]+)*")
_ACCENTS = re.compile("[\u0300-\u036f]+")
POSSESSIVE = re.compile(r"['’]s?$")
_YEAR = re.compile(r"(?:1\d|20)\d\ds?$")


# Function words, which carry no topic of a question or a sentence, and irregular form → base form
# (went → go).
STOP_WORDS = frozenset(" ".join(read_word_list(__package__, "english_stop_words.txt")).split())
IRREGULAR_FORMS = {
    form: base
    for base, *forms in map(str.split, read_word_list(__package__, "english_irregular_forms.txt"))
    for form in forms
}


def fold(text: str) -> str:
    """NFKD without its accents: é → e, ﬁ → fi; plain ASCII comes back unchanged."""
    return text if text.isascii() else _ACCENTS.sub("", unicodedata.normalize("NFKD", text))


class Words(NamedTuple):
    """The distinct surface forms of a file and their properties, every array (forms,); a token is
    its form's number. `stem` numbers `stems`. `runs` are the runs of four letters of each form (a
    text), the word's ends marked; a short word is one run, a stop word has none."""

    surfaces: list[str]
    stems: list[str]
    stem: Int64Array
    is_stop: BoolArray
    is_capital: BoolArray
    is_number: BoolArray
    runs: overlap.Tokens


def read_words(*collections: Sequence[str]) -> tuple[Words, list[overlap.Tokens]]:
    """The distinct words of several collections of texts under one numbering, numbered as they
    come, each with its stem, its runs of four letters and whether it is a stop word, a capital or a
    number; and each collection's tokens."""
    # Each gives a term its number when it is first met.
    forms, stems, runs = (defaultdict[str, int](count().__next__) for _ in range(3))
    read = [
        overlap.tokens_of([[forms[word] for word in WORD.findall(fold(text))] for text in texts])
        for texts in collections
    ]
    surfaces = list(forms)
    plain = [
        POSSESSIVE.sub("", word.lower()).replace("’", "'").replace(".", "") or word
        for word in surfaces
    ]
    bases = [IRREGULAR_FORMS.get(word, word) for word in plain]
    stem = [stems[base] for base in Stemmer.Stemmer("english").stemWords(bases)]
    is_stop = np.array([word in STOP_WORDS for word in plain], bool)
    letters = []
    for surface, skipped in zip(surfaces, is_stop.tolist(), strict=True):
        marked = f"^{surface.lower()}$"
        starts = range(0 if skipped else max(1, len(marked) - 3))
        letters.append([runs[marked[start : start + 4]] for start in starts])
    is_capital = np.array([word[0].isupper() for word in surfaces], bool)
    is_number = np.array([word[0].isdigit() for word in surfaces], bool)
    return Words(
        surfaces=surfaces,
        stems=list(stems),
        stem=np.array(stem, np.int64),
        is_stop=is_stop,
        is_capital=is_capital,
        is_number=is_number,
        runs=overlap.tokens_of(letters),
    ), read


def letter_runs(words: Words, tokens: overlap.Tokens) -> overlap.Tokens:
    """The runs of four letters (`Words.runs`) of all tokens as tokens of the same texts, one after
    another; a stop word has none."""
    first_of_form = np.searchsorted(words.runs.rows, np.arange(len(words.surfaces) + 1))
    first = first_of_form[tokens.ids]
    counts = first_of_form[tokens.ids + 1] - first
    shift = np.repeat(first - (np.cumsum(counts) - counts), counts)
    ids = words.runs.ids[shift + np.arange(len(shift))]
    return overlap.Tokens(ids, np.repeat(tokens.rows, counts), tokens.texts)


def english_texts(lists: Sequence[CandidateList]) -> tuple[overlap.CandidateTexts, Words]:
    """The tokens of the lists, all with candidates, with their overlap views, and the properties of
    their words.

    Views: "content": stems of content words; "all stems": stop words too; "placed": content stems,
    a row's at their position among all its tokens; "characters": runs of four letters of content
    words; "pairs": bigrams of stems.
    """
    questions = [entry.question for entry in lists]
    candidates = [candidate for entry in lists for candidate in entry.candidates]
    words, (question_tokens, rows, topics) = read_words(
        questions, candidates, [entry.topic for entry in lists]
    )
    stem, is_content, in_place = words.stem, ~words.is_stop, np.where(words.is_stop, -1, words.stem)
    size = len(words.stems) + 1

    def stems(tokens: overlap.Tokens) -> overlap.Tokens:
        return tokens._replace(ids=stem[tokens.ids])

    def content(tokens: overlap.Tokens) -> overlap.Tokens:
        mask = is_content[tokens.ids]
        return overlap.Tokens(stem[tokens.ids[mask]], tokens.rows[mask], tokens.texts)

    texts = overlap.CandidateTexts(
        lists=layout([len(entry.candidates) for entry in lists]),
        question_texts=questions,
        candidate_texts=candidates,
        types=[english_type(question) for question in questions],
        questions=question_tokens,
        candidates=rows,
        topics=topics,
        file=(question_tokens, rows),
        views={
            "content": (content, content),
            "all stems": (stems, stems),
            "placed": (content, lambda tokens: tokens._replace(ids=in_place[tokens.ids])),
            "characters": (lambda tokens: letter_runs(words, tokens),) * 2,
            "pairs": (lambda tokens: overlap.bigrams(stems(tokens), size),) * 2,
        },
    )
    return texts, words


NEAR = 7  # words around an answer token in which the question's terms count; 5 to 10 do as well


def answers(texts: overlap.CandidateTexts, words: Words) -> dict[str, Float64Array]:
    """Feature name → values (rows,) of a row's possible answer tokens, by the type of its question:
    presence, log count, list idf (log of the sum; greatest), presence and greatest list idf each
    times the row's coverage of the question, and the greatest fraction of the question's weight
    near a token, alone and times list idf.

    Words of the question are never possible answers.
    """
    tokens, lists, table = texts.candidates, texts.lists, overlap.overlap_of(texts, "placed")
    # Word classes (such as number, month, unit) are of surface forms, whose number is small, and
    # looked up by tokens.
    lowered = [surface.lower() for surface in words.surfaces]
    is_ = {}
    for name, listed in (
        line.split("\t") for line in read_word_list(__package__, "english_answer_words.tsv")
    ):
        of_class = set(listed.split())
        is_[name] = np.array([word in of_class for word in lowered], bool)[tokens.ids]
    is_year = np.array([_YEAR.match(word) is not None for word in words.surfaces], bool)[tokens.ids]
    digits = words.is_number[tokens.ids] & ~is_year
    content = ~words.is_stop[tokens.ids]
    same_row = np.diff(tokens.rows, prepend=-1) == 0  # as the token before
    # A capital at the beginning of a row says nothing.
    is_name = words.is_capital[tokens.ids] & content & same_row
    # "in York", and "in the town": a stop word may come between.
    after_place = np.append(False, is_["place preposition"])[:-1] & same_row
    after_place |= np.append(False, after_place & ~content)[:-1] & same_row
    answering = {
        "many": digits | is_["number"] & ~is_year,
        "money": digits | is_["money"] | is_["number"],
        "measure": digits | is_["unit"] | is_["number"] | is_year,
        "time": is_year | is_["month"] | is_["time"],
        "who": is_name,
        "where": (after_place & content) | (is_name & ~is_["month"]),
        "why": is_["cause"],
        "how": is_["means"],
        "name": is_name,
        "define": is_["be"],
        "what": content,
        "other": content,
    }
    expected = np.array([kind.name for kind in texts.types])[lists.list_of[tokens.rows]]
    # A sweep over all tokens for each type, which are few, instead of a loop over questions.
    marks = np.zeros(len(tokens.ids), bool)
    for name, fitting in answering.items():
        marks |= (expected == name) & fitting
    marks &= overlap.token_terms(overlap.overlap_of(texts, "all stems")) < 0
    # The rarity of each token: log((n + 1) / df) of its stem over the n rows of its list.
    size = len(words.stems) + 1
    stems, list_of = words.stem[tokens.ids], lists.list_of[tokens.rows]
    once = overlap.distinct(tokens.rows * size + stems)
    keys, df = np.unique(lists.list_of[once // size] * size + once % size, return_counts=True)
    rarity = np.log((lists.sizes[list_of] + 1) / df[np.searchsorted(keys, list_of * size + stems)])
    weight = table.list_idf * table.file_idf
    per_row = overlap.weight_asked(table, weight)
    # The weights of the words around each token in its row: a window's sum is the difference of two
    # running sums.
    running = np.concatenate(([0.0], np.cumsum(overlap.token_weights(table, weight))))
    positions = np.arange(len(tokens.ids))
    begin, end = (np.searchsorted(tokens.rows, tokens.rows, side) for side in ("left", "right"))
    near = (
        running[np.minimum(positions + NEAR + 1, end)]
        - running[np.maximum(positions - NEAR, begin)]
    )
    number = overlap.sum_by_index(tokens.rows, marks, lists.rows)
    present = (number > 0).astype(float)
    covered = overlap.weight_held(table, weight) / per_row
    # The greatest value of a row's possible answers, 0 without any.
    best, nearest, near_and_rare = np.zeros((3, lists.rows))
    for greatest, values in ((best, rarity), (nearest, near), (near_and_rare, near * rarity)):
        np.maximum.at(greatest, tokens.rows, marks * values)
    return {
        "answer: present": present,
        "answer: log count": np.log1p(number),
        "answer: list idf": np.log1p(overlap.sum_by_index(tokens.rows, marks * rarity, lists.rows)),
        "answer: best list idf": best,
        "answer: present × coverage": present * covered,
        "answer: best idf × coverage": best * covered,
        "answer: near terms": nearest / per_row,
        "answer: idf near terms": near_and_rare / per_row,
    }


FADING = 4  # places after which a word of the opening counts half


def opening(texts: overlap.CandidateTexts) -> dict[str, Float64Array]:
    """{"opening: fading": fraction of the question's weight that a row contains, (rows,)}, a word
    at position p of the row (from 0, stop words count) counting 1 / (1 + p / 4), each term once, at
    its first position. 0 for a row or a question without content words. A sentence that opens with
    the question's subject is about it. The weights are the idf over questions, for a subject is in
    nearly every row of its list.
    """
    table = overlap.overlap_of(texts, "placed")
    values = overlap.token_weights(table, table.question_idf) / (
        1 + overlap.token_positions(table.tokens) / FADING
    )
    weight = overlap.sum_by_index(table.tokens.rows, values, table.lists.rows)
    return {"opening: fading": weight / overlap.weight_asked(table, table.question_idf)}


def neighbours(texts: overlap.CandidateTexts) -> dict[str, Float64Array]:
    """Feature name → values (rows,): the coverage that each of the two rows before (`at -2`, `at
    -1`) and after (`at +1`, `at +2`) in its list adds to a row's own; 0 without one."""
    table, lists = overlap.overlap_of(texts, "content"), texts.lists
    weight = table.list_idf * table.file_idf
    terms = max(1, len(weight))
    pairs, columns = table.pair_row * terms + table.pair_term, {}
    for by in (-2, -1, 1, 2):
        # The terms of the row `by` places before, in the same list, that the row itself lacks.
        rows = table.pair_row + by
        inside = (rows >= 0) & (rows < lists.rows)
        inside[inside] = lists.list_of[rows[inside]] == table.term_list[table.pair_term[inside]]
        rows, term = rows[inside], table.pair_term[inside]
        new = ~np.isin(rows * terms + term, pairs)
        added = overlap.sum_by_index(rows[new], weight[term[new]], lists.rows)
        columns[f"content: added by the row at {-by:+d}"] = added / overlap.weight_asked(
            table, weight
        )
    return columns


def terms(texts: overlap.CandidateTexts, words: Words) -> dict[str, Float64Array]:
    """Feature name → values (rows,): coverage of each class of question terms (capitalised names,
    numbers, other words, first or last positions in the question, in the article's title ("topic")
    or not), of terms outside the title also by list idf alone and divided by log length, the
    greatest list idf of a matched term, and weights of the matched terms that few or no other rows
    of the list contain."""
    table, lists = overlap.overlap_of(texts, "content"), texts.lists
    questions, content = texts.questions, ~words.is_stop[texts.questions.ids]
    tokens = overlap.Tokens(questions.ids[content], questions.rows[content], questions.texts)
    positions = overlap.token_positions(tokens)
    from_end = overlap.lengths(tokens)[tokens.rows] - positions
    capital, number = words.is_capital[tokens.ids], words.is_number[tokens.ids]
    marks = {
        "names": capital,
        "numbers": number,
        "plain": ~capital & ~number,
        "first": positions == 0,
        "second": positions == 1,
        "last": from_end == 1,
        "last but one": from_end == 2,
    }
    classes = {
        name: (overlap.sum_by_index(table.question_term, mark, len(table.term_list)) > 0).astype(
            float
        )
        for name, mark in marks.items()
    }
    # The topic of an article is in its title: every sentence is about it, and naming it earns
    # nothing.
    size = len(words.stems) + 1
    titles = words.stem[texts.topics.ids] + texts.topics.rows * size
    topic = np.isin(table.term_list * size + table.term_key, titles).astype(float)
    classes |= {"not topic": 1 - topic, "topic": topic}
    list_idf, weight = table.list_idf, table.list_idf * table.file_idf
    columns = {
        f"terms: {name}": overlap.coverage(table, weight * of_class)
        for name, of_class in classes.items()
    }
    best = np.zeros(lists.rows)
    np.maximum.at(best, table.pair_row, list_idf[table.pair_term])
    alone = (table.list_df == 1).astype(float)
    return columns | {
        "terms: not topic, list idf": overlap.coverage(table, list_idf * classes["not topic"]),
        "terms: not topic, density": columns["terms: not topic"] / np.log(table.lengths + 2),
        "terms: shared": overlap.weight_held(table, weight / np.maximum(table.list_df, 1)),
        "terms: best list idf": best,
        "terms: only here": overlap.weight_held(table, alone),
        "terms: only here × file idf": overlap.weight_held(table, alone * table.file_idf),
    }


# Families weighted by type of question too: the others (letters, pairs, related words) say the same
# as coverage again.
BY_TYPE = frozenset({"coverage", "terms", "opening", "position", "answers"})
# The sum that benchmarks/untrained_sums.py chooses on SelQA's development file (in nearly every
# fold, too).
UNTRAINED = {
    "characters": {"characters: bm25": 1.0},
    "terms": {"terms: not topic, list idf": 1.0},
    "coverage": {"all stems: coverage × list and question idf": 1.0},
    "answers": {"answer: present": 1.0},
}


def english_ranking(lists: Sequence[CandidateList]) -> Ranking:
    """The `Ranking` of lists of English sentences, for models of selqa. Its families are coverage,
    characters, terms, pairs, opening, neighbours, position and answers. Every list must have
    candidates."""
    file, words = english_texts(lists)
    return Ranking(
        "selqa",
        file.lists,
        file.question_texts,
        [kind.name for kind in file.types],
        UNTRAINED,
        lambda: (_block(texts, words) for texts in overlap.blocks(file)),
    )


def _block(texts: overlap.CandidateTexts, words: Words) -> RankingBlock:
    """The families of features and the baseline of a block of lists, each computed when it is
    needed."""
    content, (of_question, _) = overlap.overlap_of(texts, "content"), texts.views["content"]
    names = tuple(kind.name for kind in ENGLISH_TYPES)

    return RankingBlock(
        lists=texts.lists,
        features={
            "coverage": lambda: overlap.coverage_features(texts, "all stems"),
            "characters": lambda: overlap.coverage_features(texts, "characters"),
            "terms": lambda: terms(texts, words),
            "pairs": lambda: {
                "pairs: coverage × list idf": overlap.coverage(
                    table := overlap.overlap_of(texts, "pairs"), table.list_idf
                )
            },
            "opening": lambda: opening(texts),
            "neighbours": lambda: neighbours(texts),
            "position": lambda: overlap.position(texts),
            "answers": lambda: answers(texts, words),
        },
        baseline=lambda method: overlap.baseline(
            method, content, lambda: (of_question(texts.questions), content.tokens)
        ),
        matched=lambda: overlap.matched_terms(
            content, [words.stems[key] for key in content.term_key]
        ),
        types=names,
        type_of_list=np.array([names.index(kind.name) for kind in texts.types]),
        typed=BY_TYPE,
    )
