"""Ranking of Chinese sentences: the families of features, the recipe of training, and the untrained
methods."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import cache

import numpy as np

from indexer.analysis.text import read_word_list
from indexer.files.arrays import Float64Array
from indexer.formats.labels import CandidateList
from retriever.bm25 import idf
from retriever.question_types import chinese_type
from retriever.ranking import overlap
from retriever.ranking.ranker import ListLayout, Ranking, RankingBlock, layout

CODE_POINTS = 0x110000  # of Unicode, 0 to 0x10FFFF: a character's number is below it
_BLANKS = re.compile(r"\s+")
SINGLE, PAIRS = "single", "pairs"  # overlaps of characters, and of two characters in a row


def normalise(text: str) -> str:
    """NFKC, lower case, without blanks."""
    return _BLANKS.sub("", unicodedata.normalize("NFKC", text).lower())


def characters(texts: Sequence[str]) -> overlap.Tokens:
    """The letters, digits and ideographs of each text as tokens; the token number is the code
    point."""
    # Through UTF-32 all characters of a file become numbers in one step.
    points = np.frombuffer("".join(texts).encode("utf-32-le"), np.uint32).astype(np.int64)
    rows = np.repeat(np.arange(len(texts)), [len(text) for text in texts])
    distinct_points, which = np.unique(points, return_inverse=True)
    is_letter = np.array([chr(point).isalnum() for point in distinct_points], bool)
    keep = is_letter[which]
    return overlap.Tokens(points[keep], rows[keep], len(texts))


def character_pairs(tokens: overlap.Tokens) -> overlap.Tokens:
    """Two characters in a row as one number."""
    return overlap.bigrams(tokens, CODE_POINTS)


def chinese_texts(lists: Sequence[CandidateList]) -> overlap.CandidateTexts:
    """The normalised questions and candidates, and the topics as they are, of the lists as
    character tokens, with the overlap views SINGLE (characters) and PAIRS (bigrams). Every list
    must have candidates."""
    questions = [normalise(entry.question) for entry in lists]
    candidates = [normalise(candidate) for entry in lists for candidate in entry.candidates]
    question_tokens, rows = characters(questions), characters(candidates)
    return overlap.CandidateTexts(
        lists=layout([len(entry.candidates) for entry in lists]),
        question_texts=questions,
        candidate_texts=candidates,
        types=[chinese_type(question) for question in questions],
        questions=question_tokens,
        candidates=rows,
        topics=characters([entry.topic for entry in lists]),
        views={SINGLE: (lambda tokens: tokens,) * 2, PAIRS: (character_pairs,) * 2},
        file=(question_tokens, rows),
    )


def late_weight(table: overlap.Overlap, questions: overlap.Tokens, n: int) -> Float64Array:
    """((end position of the n-gram) / (length of the question))³ of each question term, (terms,),
    at its last occurrence: what is asked for comes late in a question. n is 1 or 2."""
    runs = questions if n == 1 else character_pairs(questions)
    share = ((overlap.token_positions(runs) + n) / overlap.lengths(questions)[runs.rows]) ** 3
    weight = np.zeros(len(table.term_list))
    np.maximum.at(weight, table.question_term, share)
    return weight


def chinese_coverage(texts: overlap.CandidateTexts) -> dict[str, Float64Array]:
    """Feature name → values (rows,), three for the question's characters and three for its bigrams:
    coverage weighted by list idf × idf over questions; by that × late position in the question; and
    the second divided by log(length + 2)."""
    columns: dict[str, Float64Array] = {}
    for n, view in enumerate((SINGLE, PAIRS), 1):
        table = overlap.overlap_of(texts, view)
        weight = table.list_idf * table.question_idf
        late = overlap.coverage(table, late_weight(table, texts.questions, n) * weight)
        columns |= {
            f"{n}-grams: question idf": overlap.coverage(table, weight),
            f"{n}-grams: late × question idf": late,
            f"{n}-grams: late × question idf density": late / np.log(table.lengths + 2),
        }
    return columns


def novelty(texts: overlap.CandidateTexts) -> dict[str, Float64Array]:
    """{"new characters": log(1 + number of different characters of a row that its question lacks)},
    (rows,).

    A candidate that only repeats the question answers nothing.
    """
    tokens, new = texts.candidates, overlap.token_terms(overlap.overlap_of(texts, SINGLE)) < 0
    rows = overlap.distinct((tokens.rows * CODE_POINTS + tokens.ids)[new]) // CODE_POINTS
    return {
        "new characters": np.log1p(overlap.sum_by_index(rows, np.ones(len(rows)), texts.lists.rows))
    }


FLAGS = {
    "digits": re.compile(r"[0-9]"),
    "starts with a year": re.compile(r"^[^\u4e00-\u9fff]{0,3}[0-9]{4}"),
    "title": re.compile(r"《"),
    "quoted": re.compile(r"[“「『\"]"),
    "brackets": re.compile(r"[(]"),
    "colon": re.compile(r":"),
    "ends as a sentence": re.compile(r"[。.!?;」”][^。]{0,6}$"),
    "footnote": re.compile(r"\[[0-9]+\]"),
}


def intents(texts: overlap.CandidateTexts, requests: Sequence[str]) -> Float64Array:
    """For each row, (rows,), the share of its question's intent groups, of which it has an
    expression too, weighted by list idf and late position in the request; 0 for a request without
    any.

    `requests` are the questions without their topics, since the characters of a name say nothing of
    the request.
    """
    # Patterns of interchangeable question expressions, which match the longest expression first.
    groups = []
    for line in read_word_list(__package__, "chinese_intents.txt"):
        words = sorted(set(line.split()), key=lambda word: (-len(word), word))
        groups.append(re.compile("|".join(map(re.escape, words))))
    shares, lists = np.zeros(texts.lists.rows), texts.lists
    # Few groups are asked for: question by question, only rows of the list are searched.
    for request, start, size in zip(requests, *lists.spans(), strict=True):
        total = 0.0
        for group in groups:
            if ends := [match.end() for match in group.finditer(request)]:
                holds = np.array(
                    [
                        group.search(row) is not None
                        for row in texts.candidate_texts[start : start + size]
                    ]
                )
                weight = (
                    idf(size, holds.sum()) * (ends[-1] / len(request)) ** 3
                )  # as in `late_weight`
                shares[start : start + size] += holds * weight
                total += weight
        shares[start : start + size] /= total or 1.0
    return shares


def chinese_answers(texts: overlap.CandidateTexts) -> dict[str, Float64Array]:
    """Presence and log count, each (rows,), of the expressions in a row that fit its question's
    type and are not in the question; 0 for a type without a pattern of answers."""
    count = np.zeros(texts.lists.rows)
    spans = zip(*texts.lists.spans(), strict=True)
    for question, kind, (start, size) in zip(texts.question_texts, texts.types, spans, strict=True):
        if kind.answer is not None:
            for row in range(start, start + size):
                answers = kind.answer.findall(texts.candidate_texts[row])
                count[row] = sum(answer not in question for answer in answers)
    return {"answer: present": (count > 0).astype(float), "answer: log count": np.log1p(count)}


LEAD = 3  # a document names its topic in full at its beginning, and later leaves it out
SHORTEST = 3
LOOKED_AT = 1_000  # characters of a question: looking grows with these times the length of the rows


def split_questions(texts: overlap.CandidateTexts) -> tuple[list[str], list[str]]:
    """The topics and the requests of the questions: a topic ("" if none is found) is the longest
    substring, of three characters or more, that occurs in one of the first three rows (LEAD) of the
    question's list, the request is the rest.

    Only the question's first 1,000 characters are searched; of equally long substrings the first
    counts. "|" replaces the topic in the request, so that no expression spans the gap.
    """
    topics, requests = [], []
    for question, first, size in zip(texts.question_texts, *texts.lists.spans(), strict=True):
        # The longest run so far is only ever grown: each start is tried for a longer one alone.
        lead = texts.candidate_texts[first : first + min(LEAD, size)]
        start, length = 0, SHORTEST - 1
        end = min(len(question), LOOKED_AT)
        for position in range(end):
            while position + length < end and any(
                question[position : position + length + 1] in row for row in lead
            ):
                start, length = position, length + 1
        has_topic = length >= SHORTEST
        topics.append(question[start : start + length] if has_topic else "")
        requests.append(
            f"{question[:start]}|{question[start + length :]}" if has_topic else question
        )
    return topics, requests


def request(
    texts: overlap.CandidateTexts, topics: Sequence[str], requests: Sequence[str]
) -> dict[str, Float64Array]:
    """Feature name → values (rows,): coverage of the request's characters and of its bigrams, by
    list idf and without function words, and the fraction of the topic's different characters that a
    row contains.

    0 for a question without a request or a topic.
    """
    # Characters and words of questions that say nothing of their subject.
    function_words = " ".join(read_word_list(__package__, "chinese_function_words.txt")).split()
    pattern = re.compile("|".join(sorted(function_words, key=len, reverse=True)))
    tokens = characters([pattern.sub("", text) for text in requests])
    single = overlap.overlap(tokens, texts.candidates, texts.lists)
    pairs = overlap.overlap(character_pairs(tokens), character_pairs(texts.candidates), texts.lists)
    topic = overlap.overlap(characters(topics), texts.candidates, texts.lists)
    return {
        "request: 1-grams": overlap.coverage(single, single.list_idf),
        "request: 2-grams": overlap.coverage(pairs, pairs.list_idf),
        "topic: share": overlap.coverage(topic, np.ones_like(topic.list_df)),
    }


def reciprocal_ranks(values: Float64Array, lists: ListLayout) -> Float64Array:
    """1 / rank of each row in its list, (rows,), ranked by falling value, ties in the order of the
    list.

    Differences under 1e-9 count as ties, so that rounding does not decide.
    """
    row = np.arange(lists.rows)
    order = np.lexsort((row, -np.round(values, 9), lists.list_of))
    ranks = np.empty(lists.rows)
    ranks[order] = 1 / (1 + row - lists.starts[lists.list_of[order]])
    return ranks


# The sum that benchmarks/untrained_sums.py chooses on the DBQA development file (in nearly every
# fold, too).
UNTRAINED = {
    "places": {"place by request: 1-grams": 1.0},
    "intents": {"intents: share": 1.0},
    "request": {"request: 2-grams": 1.0},
    "answers": {"answer: present": 1.0},
    "coverage": {"2-grams: late × question idf density": 1.0},
}


def chinese_ranking(lists: Sequence[CandidateList]) -> Ranking:
    """The `Ranking` of lists of Chinese sentences, for models of nlpcc-dbqa. Its families are
    coverage, request, intents, position, answers, novelty, surface (`FLAGS`) and places (reciprocal
    ranks by five features of these). Every list must have candidates."""
    file = chinese_texts(lists)

    def block(texts: overlap.CandidateTexts) -> RankingBlock:
        """The families of features and the baselines of one block of lists, each computed when it
        is first needed."""
        single, pairs = overlap.overlap_of(texts, SINGLE), overlap.overlap_of(texts, PAIRS)
        # Families share these, and the untrained sum needs some of them alone: each is computed
        # when first asked for.
        covered = cache(lambda: chinese_coverage(texts))
        parts = cache(lambda: split_questions(texts))
        requested = cache(lambda: request(texts, *parts()))
        shared = cache(lambda: {"intents: share": intents(texts, parts()[1])})
        ranked = (
            (covered, "1-grams: late × question idf"),
            (covered, "2-grams: late × question idf"),
            (requested, "request: 1-grams"),
            (requested, "request: 2-grams"),
            (shared, "intents: share"),
        )
        return RankingBlock(
            lists=texts.lists,
            features={
                "coverage": covered,
                "request": requested,
                "intents": shared,
                "position": lambda: overlap.position(texts),
                "answers": lambda: chinese_answers(texts),
                "novelty": lambda: novelty(texts),
                # 1 for a row in which the pattern of `FLAGS` occurs, else 0.
                "surface": lambda: {
                    f"surface: {name}": np.array(
                        [bool(pattern.search(row)) for row in texts.candidate_texts], float
                    )
                    for name, pattern in FLAGS.items()
                },
                "places": lambda: {
                    f"place by {name}": reciprocal_ranks(of()[name], texts.lists)
                    for of, name in ranked
                },
            },
            baseline=lambda method: overlap.baseline(
                method, single, lambda: (texts.questions, texts.candidates), overlap.LOW_B
            ),
            matched=lambda: overlap.matched_terms(
                pairs,
                [
                    chr(key // CODE_POINTS) + chr(key % CODE_POINTS)
                    for key in pairs.term_key.tolist()
                ],
            ),
        )

    questions, kinds = [entry.question for entry in lists], [entry.name for entry in file.types]
    return Ranking(
        "nlpcc-dbqa",
        file.lists,
        questions,
        kinds,
        UNTRAINED,
        lambda: map(block, overlap.blocks(file)),
    )
