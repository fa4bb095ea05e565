"""Ranking of Chinese sentences: the families of features, the recipe of training, and the untrained methods."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np

from indexer.analysis.text import ONES, read_word_list
from indexer.files.arrays import Float64Array
from indexer.formats.labels import CandidateList
from retriever.bm25 import idf
from retriever.question_types import chinese_type, chinese_types
from retriever.ranking.overlap import (
    LOW_B,
    CandidateTexts,
    Overlap,
    Tokens,
    bigrams,
    blocks,
    bm25,
    by_text,
    coverage,
    distinct,
    lengths,
    matched_terms,
    only,
    overlap,
    overlap_of,
    places,
    position,
    rank_bm25,
    sum_by_place,
    token_terms,
    word_overlap,
)
from retriever.ranking.ranker import ListLayout, Ranking, RankingBlock, Types, layout

CODE_POINTS = 0x110000  # of Unicode, 0 to 0x10FFFF: a character's number is below it
_BLANKS = re.compile(r"\s+")
SINGLE, PAIRS = "single", "pairs"  # overlaps of characters, and of two characters in a row


def normalise(text: str) -> str:
    """NFKC, lower case, without blanks."""
    return _BLANKS.sub("", unicodedata.normalize("NFKC", text).lower())


def characters(texts: Sequence[str]) -> Tokens:
    """The letters, digits and ideographs of each text as tokens; the token number is the code point."""
    # Through UTF-32 all characters of a file become numbers in one step.
    points = np.frombuffer("".join(texts).encode("utf-32-le"), np.uint32).astype(np.int64)
    rows = np.repeat(np.arange(len(texts)), [len(text) for text in texts])
    distinct_points, which = np.unique(points, return_inverse=True)
    is_letter = np.array([chr(point).isalnum() for point in distinct_points], bool)
    return only(Tokens(points, rows, len(texts)), is_letter[which])


def character_pairs(tokens: Tokens) -> Tokens:
    """Two characters in a row as one number."""
    return bigrams(tokens, CODE_POINTS)


def chinese_texts(lists: Sequence[CandidateList]) -> CandidateTexts:
    """The normalised questions, candidates and topics of the lists as character tokens, with the overlap views SINGLE
    (characters) and PAIRS (bigrams). Every list must have candidates."""
    questions = [normalise(each.question) for each in lists]
    candidates = [normalise(candidate) for each in lists for candidate in each.candidates]
    asked, rows = characters(questions), characters(candidates)
    return CandidateTexts(
        lists=layout([len(each.candidates) for each in lists]),
        question_texts=questions,
        candidate_texts=candidates,
        types=[chinese_type(question) for question in questions],
        questions=asked,
        candidates=rows,
        topics=characters([each.topic for each in lists]),
        views={SINGLE: (lambda tokens: tokens,) * 2, PAIRS: (character_pairs,) * 2},
        file=(asked, rows),
    )


def late_weight(table: Overlap, questions: Tokens, n: int) -> Float64Array:
    """((end position of the n-gram) / (length of the question))³ of each question term, (terms,), at its last
    occurrence: what is asked for comes late in a question. n is 1 or 2."""
    runs = questions if n == 1 else character_pairs(questions)
    share = ((places(runs) + n) / lengths(questions)[runs.rows]) ** 3
    weight = np.zeros(len(table.term_list))
    np.maximum.at(weight, table.question_term, share)
    return weight


def chinese_coverage(texts: CandidateTexts) -> dict[str, Float64Array]:
    """Feature name → values (rows,): coverage of the question's characters and bigrams, weighted by list idf, idf over
    questions, and late position in the question; some also divided by log length; and BM25."""
    columns: dict[str, Float64Array] = {}
    for n, view in enumerate((SINGLE, PAIRS), 1):
        table = overlap_of(texts, view)
        late = late_weight(table, texts.questions, n)
        list_idf, asked_idf = table.list_idf, table.list_idf * table.question_idf
        log_length = np.log(table.lengths + 2)
        columns |= {
            f"{n}-grams: list idf": coverage(table, list_idf),
            f"{n}-grams: late × list idf": coverage(table, late * list_idf),
            f"{n}-grams: question idf": coverage(table, asked_idf),
            f"{n}-grams: late × question idf": coverage(table, late * asked_idf),
            f"{n}-grams: late × question idf density": coverage(table, late * asked_idf) / log_length,
            f"{n}-grams: late density": coverage(table, late * list_idf) / log_length,
            f"{n}-grams: bm25": bm25(table, LOW_B),
        }
    return columns


def novelty(texts: CandidateTexts) -> dict[str, Float64Array]:
    """{"new characters": log(1 + number of different characters of a row that its question lacks)}, (rows,); 0 for an
    empty row.

    A candidate that only repeats the question answers nothing.
    """
    tokens = only(texts.candidates, token_terms(overlap_of(texts, SINGLE)) < 0)
    rows = distinct(tokens.rows * CODE_POINTS + tokens.ids) // CODE_POINTS
    return {"new characters": np.log1p(sum_by_place(rows, np.ones(len(rows)), texts.lists.rows))}


FLAGS = {
    "digits": re.compile(r"[0-9]"),
    "year": re.compile(rf"[0-9]{{3,4}}年|[零{ONES}〇十]+年|民国"),
    "starts with a year": re.compile(r"^[^\u4e00-\u9fff]{0,3}[0-9]{4}"),
    "month": re.compile(rf"[0-9{ONES}十]月"),
    "list": re.compile(r"、[^、]*、"),
    "one list mark": re.compile(r"、"),
    "title": re.compile(r"《"),
    "quoted": re.compile(r"[“「『\"]"),
    "brackets": re.compile(r"[(]"),
    "foreign": re.compile(r"[a-z]{3}"),
    "colon": re.compile(r":"),
    "ends as a sentence": re.compile(r"[。.!?;」”][^。]{0,6}$"),
    "footnote": re.compile(r"\[[0-9]+\]"),
    "is": re.compile(r"是|为"),
    "place": re.compile(r"位于|坐落|地处|位处|省|市|县|区|路|街|村|镇"),
    "person": re.compile(r"先生|女士|博士|教授|校长|院长|主席|·"),
    "quantity": re.compile(rf"[0-9{ONES}十百千万][余多]?[个所名位座届种条家次人间类岁辆亩年%万亿]"),
    "cause": re.compile(r"因|由于|为了|以便|目的|旨在"),
    "short for": re.compile(r"简称|称为|又称|全称|英语|英文"),
}


ANSWERED = "answer: present"


@cache
def intent_groups() -> tuple[re.Pattern[str], ...]:
    """The patterns of the groups of interchangeable question expressions, one a group, which match the longest
    expression first."""
    groups = [
        sorted(set(line.split()), key=lambda word: (-len(word), word))
        for line in read_word_list(__package__, "chinese_intents.txt")
    ]
    return tuple(re.compile("|".join(map(re.escape, group))) for group in groups)


def intents(texts: CandidateTexts, requests: Sequence[str]) -> dict[str, Float64Array]:
    """Feature name → values (rows,) for the intent groups whose expressions occur both in the row and in its question's
    request: their number, summed list idf, the same weighted by late position, its fraction of the possible sum, and
    the idf of the last one.

    `requests` are the questions without their topics, since the characters of a name say nothing of the request.
    """
    shared, special, late, density, last = columns = np.zeros((5, texts.lists.rows))
    # Groups are patterns, and few are asked for: question by question, only rows of the list are searched.
    for request, start, size in zip(requests, texts.lists.starts.tolist(), texts.lists.sizes.tolist(), strict=True):
        rows = slice(start, start + size)
        found = ((group, [match.end() for match in group.finditer(request)]) for group in intent_groups())
        asked = [(ends[-1], group) for group, ends in found if ends]
        total = 0.0
        for end, group in asked:
            holds = np.array([1.0 if group.search(row) else 0.0 for row in texts.candidate_texts[rows]])
            rarity = idf(size, holds.sum())
            place = (end / len(request)) ** 3  # as in `late_weight`: the end of a request says most
            shared[rows] += holds
            special[rows] += holds * rarity
            late[rows] += holds * rarity * place
            total += rarity * place
            if end == max(asked, key=lambda one: one[0])[0]:
                last[rows] = np.maximum(last[rows], holds * rarity)
        if total:
            density[rows] = late[rows] / total
    names = ("shared", "list idf", "late × list idf", "share", "last")
    return {f"intents: {name}": column for name, column in zip(names, columns, strict=True)}


def chinese_answers(texts: CandidateTexts, covered: Float64Array) -> dict[str, Float64Array]:
    """Feature name → values (rows,) for the expressions in a row that fit its question's type and are not in the
    question: presence, log count, greatest list idf, and two of these times `covered`.

    `covered`, (rows,), is a coverage of the question by each row. All 0 for a type without a pattern of answers.
    """
    lists = texts.lists
    count, best = np.zeros(lists.rows), np.zeros(lists.rows)
    for number, (question, asked) in enumerate(zip(texts.question_texts, texts.types, strict=True)):
        if asked.answer is None:
            continue
        start, size = int(lists.starts[number]), int(lists.sizes[number])
        expressions = [
            [one for one in asked.answer.findall(row) if one not in question]
            for row in texts.candidate_texts[start : start + size]
        ]
        # An expression counts once a row: its rarity is over rows, as idf is.
        df = Counter(one for row in expressions for one in set(row))
        for place, row in enumerate(expressions, start):
            count[place] = len(row)
            best[place] = max((np.log((size + 1) / df[one]) for one in row), default=0.0)
    present = (count > 0).astype(float)
    return {
        ANSWERED: present,
        "answer: log count": np.log1p(count),
        "answer: best list idf": best,
        "answer: present × coverage": present * covered,
        "answer: best idf × coverage": best * covered,
    }


LEAD = 3  # a document names its topic in full at its beginning, and later leaves it out
SHORTEST = 3
LOOKED_AT = 1_000  # characters of a question: looking grows with these times the length of the rows


class TopicAndRequest(NamedTuple):
    """A question's topic ("" if none is found), and the question with "|" in the topic's place."""

    topic: str
    request: str


def split_questions(texts: CandidateTexts) -> list[TopicAndRequest]:
    """Splits each question into topic and request: the topic is the longest substring, of three characters or more,
    that occurs in one of the first LEAD rows of its list.

    Only the question's first 1,000 characters are searched; of equally long substrings the first counts. "|" replaces
    the topic in the request, so that no expression spans the gap.
    """
    found = []
    starts, sizes = texts.lists.starts.tolist(), texts.lists.sizes.tolist()
    for question, first, size in zip(texts.question_texts, starts, sizes, strict=True):
        # The longest run so far is only ever grown: each start is tried for a longer one alone.
        lead = texts.candidate_texts[first : first + min(LEAD, size)]
        start, length = 0, SHORTEST - 1
        end = min(len(question), LOOKED_AT)
        for place in range(end):
            while place + length < end and any(question[place : place + length + 1] in row for row in lead):
                start, length = place, length + 1
        after = start + length
        if length < SHORTEST:
            found.append(TopicAndRequest("", question))
        else:
            found.append(TopicAndRequest(question[start:after], f"{question[:start]}|{question[after:]}"))
    return found


@cache
def function_words() -> re.Pattern[str]:
    """A pattern of the characters and words of questions that say nothing of their subject."""
    words = [word for line in read_word_list(__package__, "chinese_function_words.txt") for word in line.split()]
    return re.compile("|".join(sorted(words, key=len, reverse=True)))


def request(texts: CandidateTexts, asked: Sequence[TopicAndRequest]) -> dict[str, Float64Array]:
    """Feature name → values (rows,): coverage of the request's characters and of its bigrams, by list idf, and the
    fraction of the topic's different characters that a row contains.

    0 for a question without a request or a topic. `asked` has topic and request of each question.
    """
    requests = characters([function_words().sub("", each.request) for each in asked])
    single = overlap(requests, texts.candidates, texts.lists)
    pairs = overlap(character_pairs(requests), character_pairs(texts.candidates), texts.lists)
    topic = overlap(characters([each.topic for each in asked]), texts.candidates, texts.lists)
    return {
        "request: 1-grams": coverage(single, single.list_idf),
        "request: 2-grams": coverage(pairs, pairs.list_idf),
        "topic: share": coverage(topic, np.ones_like(topic.list_df)),
    }


def place_by(values: Float64Array, lists: ListLayout) -> Float64Array:
    """1 / rank of each row in its list, (rows,), ranked by falling value, ties in the order of the list.

    Differences under 1e-9 count as ties, so that rounding does not decide.
    """
    row = np.arange(lists.rows)
    order = np.lexsort((row, -np.round(values, 9), lists.list_of))
    places = np.empty(lists.rows)
    places[order] = 1 / (1 + row - lists.starts[lists.list_of[order]])
    return places


# Weighted by type of question too: a "when" is nearly always answered by a sentence with a date, a list is less sure.
BY_TYPE = frozenset({"answered"})
# The sum that benchmarks/untrained_sums.py chooses on the DBQA development file (in nearly every fold, too).
UNTRAINED = {
    "places": {"place by request: 1-grams": 1.0},
    "intents": {"intents: late × list idf": 1.0},
    "request": {"request: 2-grams": 1.0},
    "answered": {ANSWERED: 1.0},
    "coverage": {"2-grams: late × question idf density": 1.0},
}


def chinese_ranking(lists: Sequence[CandidateList]) -> Ranking:
    """The `Ranking` of lists of Chinese sentences. Every list must have candidates."""
    file = chinese_texts(lists)
    names = tuple(each.name for each in chinese_types())

    def block(texts: CandidateTexts) -> RankingBlock:
        """The families of features and the baselines of one block of lists, each computed when it is first needed."""
        single, pairs = overlap_of(texts, SINGLE), overlap_of(texts, PAIRS)
        # Families share these, and the untrained sum needs some of them alone: each is computed when first asked for.
        covered = cache(lambda: chinese_coverage(texts))
        asked = cache(lambda: split_questions(texts))
        requested = cache(lambda: request(texts, asked()))
        shared = cache(lambda: intents(texts, [each.request for each in asked()]))
        answering = cache(lambda: chinese_answers(texts, covered()["1-grams: late × question idf"]))
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
                "position": lambda: position(texts.lists, lengths(texts.candidates)),
                "answers": lambda: {name: values for name, values in answering().items() if name != ANSWERED},
                "answered": lambda: {ANSWERED: answering()[ANSWERED]},
                "novelty": lambda: novelty(texts),
                # 1 for a row in which the pattern of `FLAGS` occurs, else 0.
                "surface": lambda: {
                    f"surface: {name}": np.array([bool(pattern.search(row)) for row in texts.candidate_texts], float)
                    for name, pattern in FLAGS.items()
                },
                "places": lambda: {f"place by {name}": place_by(of()[name], texts.lists) for of, name in ranked},
            },
            baselines={
                "bm25": lambda: bm25(single, LOW_B),
                "rank-bm25": lambda: rank_bm25(by_text(texts.questions), by_text(texts.candidates), texts.lists),
                "overlap": lambda: word_overlap(single),
            },
            matched=lambda: matched_terms(
                pairs, [chr(key // CODE_POINTS) + chr(key % CODE_POINTS) for key in pairs.term_key.tolist()]
            ),
            types=Types(names, np.array([names.index(each.name) for each in texts.types]), BY_TYPE),
        )

    questions, kinds = [each.question for each in lists], [each.name for each in file.types]
    return Ranking("nlpcc-dbqa", file.lists, questions, kinds, UNTRAINED, lambda: map(block, blocks(file)))
