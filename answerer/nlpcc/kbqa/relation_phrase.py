"""The relation phrase of a Chinese question: its words without the entity's name and without polite
phrases.

It gives the expected answer type, the predicates that lexicon cues ask for, and, learned from
questions with answers, which of its character n-grams go with which predicate ("templates").
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from indexer.analysis.text import ONES, read_word_list
from indexer.files.arrays import Float64Array
from indexer.sources.triples.schema import bigrams

if TYPE_CHECKING:
    from scipy.sparse import csr_array


# Possessive (`++`): a long run of such phrases is never tried again in other divisions.
_OPENING = re.compile(
    r"^(?:(?:请问|请告诉我|请|你们?知道|您知道|你?能告诉我|谁?能?告诉我|有?谁知道|有人知道"
    r"|有没有人知道|大家知道|"
    r"我?很?想知道|我?想问一?下?|我?很?好奇|我想?了解|想了解|问一?下|知道|麻烦问一?下|你能说出|说说"
    r"|那么?|一下|关于|有谁能说|你了解|你晓得|是否知道|不知道|我不知道|谁能说|谁可以告诉我"
    r"|可以告诉我)[,，、:：?？]?)++"
)
_CLOSING = (*"吗呢啊呀吧哦呐嘛哈喔么?？!！。.,，~～", "知道", "来着", "请问", "告诉我")
_TYPES: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "when",
        re.compile(
            r"什么时候|何时|哪一?年|哪一?天|几几年|几号|几月|哪个?月|时间|日期|年份|生日|多会儿?"
        ),
    ),
    ("who", re.compile(r"谁|哪位|何人|什么人|哪些人|哪个人|哪个(?:作家|演员|歌手|导演|明星)")),
    (
        "where",
        re.compile(
            r"在哪|哪里|哪儿|什么地方|何处|哪个(?:国家|省|市|城市|地方|地区|县|区|镇)|哪国|位于"
            r"|何地"
        ),
    ),
    (
        "number",
        re.compile(r"多少|几[个位名人口只条种届集页次层岁所家]|多[大高长重宽深远厚快久]|第几|几分"),
    ),
)
_OBJECTS = {
    "when": re.compile(
        r"\d[年月]|\d{4}[-./]\d{1,2}|^\d{4}$|世纪|年代|公元|星期|^\d{1,2}[-:]\d{1,2}|朝|时期"
    ),
    "number": re.compile(rf"\d|^[{ONES}十百千万两]+[个年岁人]"),
    "where": re.compile(
        r"[省市县区镇乡村州国岛洲路街城湾山港湖江河]|中国|美国|日本|英国|法国|北京|上海|香港|台湾"
    ),
    "who": re.compile(
        r"^[^\W\d_]{2,4}$|[·・]|^[^\W\d_]{2,4}(?:[、,，;/和][^\W\d_]{2,4})+$"
        r"|^[a-z\u00df-\u024f][a-z\u00df-\u024f.'’\-]{3,38}[a-z\u00df-\u024f]$"
        r"|^(?:[a-z]\.-?)+[^\W\d_]{1,6}$"
    ),
}


def strip_chatter(question: str) -> str:
    """The folded question with opening and closing polite phrases (你知道…吗), particles and
    punctuation replaced by as many `|`, so that offsets remain valid. An opening or a closing that
    would leave nothing stays."""
    opening = _OPENING.match(question)
    start = opening.end() if opening and opening.end() < len(question) else 0
    end = len(question)
    while closing := next(
        (ending for ending in _CLOSING if question.endswith(ending, start, end)), ""
    ):
        end -= len(closing)
    end = end if end > start else len(question)
    return "|" * start + question[start:end] + "|" * (len(question) - end)


def relation_phrase(question: str, start: int, end: int) -> str:
    """The folded question without chatter and with the mention question[start:end] masked by one
    `|`; `|`, quotes and title marks (《》) at its two ends are removed."""
    bare = strip_chatter(question)
    return f"{bare[:start]}|{bare[end:]}".strip("《》“”\"'|")


def answer_type(phrase: str) -> str:
    """The expected answer type, the first that fits of when, who, where, number; "" where the
    phrase does not say."""
    return next((kind for kind, pattern in _TYPES if pattern.search(phrase)), "")


@lru_cache(maxsize=1 << 16)
def object_types(text: str) -> frozenset[str]:
    """The answer types (when, number, where, who) that fit a folded object by its characters; may
    be empty."""
    return frozenset(kind for kind, pattern in _OBJECTS.items() if pattern.search(text))


@cache
def cues() -> list[tuple[re.Pattern[str], list[str]]]:
    """The lexicon `cues.tsv`: a pattern of words of a relation phrase, and words of the predicates
    it asks for."""
    columns = (line.split("\t") for line in read_word_list(__package__, "cues.tsv"))
    return [(re.compile(pattern), words.split("|")) for pattern, words in columns]


@lru_cache(maxsize=1 << 12)
def cued_words(phrase: str) -> tuple[str, ...]:
    """The words of predicates that the cues of a relation phrase ask for, in the order of the
    lexicon, each once."""
    return tuple(
        dict.fromkeys(word for pattern, words in cues() if pattern.search(phrase) for word in words)
    )


@lru_cache(maxsize=1 << 14)
def cue_patterns(predicate: str) -> list[re.Pattern[str]]:
    """The patterns of the lexicon that ask for a word that the predicate holds, in the lexicon's
    order."""
    return [pattern for pattern, words in cues() if any(word in predicate for word in words)]


def asks_for(phrase: str, predicate: str) -> bool:
    """True where a relation phrase shares a character with the predicate, or asks for it by a
    cue."""
    return bool(set(predicate) & set(phrase)) or any(
        word in predicate for word in cued_words(phrase)
    )


LONGEST_GRAM = 3  # characters
# The smoothing and the share of a predicate's own grams were chosen on predicates held out of
# training (docs/figures/nlpcc-kbqa.md); half and twice as much differ by less than a standard
# error.
_PREDICATE_SMOOTHING = 40.0
_PIECE_SMOOTHING = 30.0
# The share of a predicate's own grams in the expected ones, chosen with the smoothing above.
_COPIED = 0.2
_UNKNOWN = 0.5  # count of a gram that training left out


def grams(phrase: str) -> list[str]:
    """The different character 1- to 3-grams of a phrase: of each part between `|` the single
    characters in order, then the pairs, then the triples."""
    distinct: dict[str, None] = {}
    for piece in phrase.split("|"):
        for size in range(1, LONGEST_GRAM + 1):
            for start in range(len(piece) - size + 1):
                distinct[piece[start : start + size]] = None
    return list(distinct)


@lru_cache(maxsize=1 << 14)
def pieces(predicate: str) -> tuple[str, ...]:
    """The different letters and digits of a predicate, then its different character bigrams, its
    ends marked by `^` and `$`."""
    return tuple(dict.fromkeys([*filter(str.isalnum, predicate), *bigrams(f"^{predicate}$")]))


class _PieceRatios(NamedTuple):
    """P(gram | piece) / P(gram), smoothed, for all grams and pieces of the predicates in training.

    `column_of` maps a piece, `row_of` a gram to its position in the matrix `raised` (grams,
    pieces); `smoothing` (pieces,) is what is added to its columns; `unknown_share` is P(gram) of
    any other gram.
    """

    column_of: Mapping[str, int]
    row_of: Mapping[str, int]
    raised: csr_array
    smoothing: Float64Array
    unknown_share: float


@dataclass(frozen=True)
class Templates:
    """Associations of character n-grams with predicates, learned from pairs of relation phrase and
    predicate.

    `gram_share` maps a gram to P(gram); `with_predicate` maps a predicate to gram → number of pairs
    with both.
    """

    gram_share: Mapping[str, float]
    with_predicate: Mapping[str, Mapping[str, int]]

    def associations(self, phrases: Sequence[str], predicates: Sequence[str]) -> Float64Array:
        """The mean over a phrase's grams of log(P(gram | predicate) / P(gram)), (phrases,
        predicates).

        0 for a phrase without grams. P(gram | predicate) = (count + 40 E(gram)) / (counts of the
        predicate + 40). E is what the predicate's own words lead to expect, so that a predicate
        which nobody asked for is put neither behind nor before the others: a fifth for its own
        grams, the rest the mean over its pieces of P(gram | piece), smoothed alike with 30 P(gram);
        of a gram that training did not hold, pieces lead to expect P(gram), half a count. A
        hierarchy of Dirichlet priors (MacKay and Peto 1995).
        """
        listed = [grams(phrase) for phrase in phrases]
        row_of = {
            gram: row
            for row, gram in enumerate(
                dict.fromkeys(gram for phrase_grams in listed for gram in phrase_grams)
            )
        }
        ratio = (1 - _COPIED) * self._by_pieces(row_of, predicates)
        shares = [self.gram_share.get(gram, self._pieces.unknown_share) for gram in row_of]
        totals = np.zeros(len(predicates))
        for column, predicate in enumerate(predicates):
            predicate_grams = grams(predicate)
            for gram_row in [row_of[gram] for gram in predicate_grams if gram in row_of]:
                ratio[gram_row, column] += _COPIED / (len(predicate_grams) * shares[gram_row])
            counts = self.with_predicate.get(predicate)
            if counts:
                totals[column] = sum(counts.values())
                for gram in [gram for gram in row_of if gram in counts]:
                    ratio[row_of[gram], column] += counts[gram] / (
                        _PREDICATE_SMOOTHING * shares[row_of[gram]]
                    )
        logs = np.log(ratio) - np.log1p(totals / _PREDICATE_SMOOTHING)
        associations = np.zeros((len(phrases), len(predicates)))
        for row, phrase_grams in enumerate(listed):
            if phrase_grams:
                associations[row] = logs[[row_of[gram] for gram in phrase_grams]].mean(axis=0)
        return associations

    def _by_pieces(self, row_of: Mapping[str, int], predicates: Sequence[str]) -> Float64Array:
        """The mean of P(gram | piece) / P(gram) over the pieces of a predicate that training knows,
        (grams, predicates); 1 without such pieces, and for an unknown gram. `row_of` maps a gram to
        its row."""
        ratios = self._pieces
        ratio = np.ones((len(row_of), len(predicates)))
        known_pieces = [
            [ratios.column_of[piece] for piece in pieces(predicate) if piece in ratios.column_of]
            for predicate in predicates
        ]
        used = list(dict.fromkeys(chain(*known_pieces)))
        known_grams = [gram for gram in row_of if gram in ratios.row_of]
        if not used or not known_grams:
            return ratio
        number_of = {column: number for number, column in enumerate(used)}
        # The weight of each piece in the mean of a predicate.
        part = np.zeros((len(used), len(predicates)))
        for position, columns in enumerate(known_pieces):
            part[[number_of[column] for column in columns], position] = 1 / max(len(columns), 1)
        rows = [ratios.row_of[gram] for gram in known_grams]
        of_pieces = ratios.raised[rows][:, used].toarray() + ratios.smoothing[used]
        with_pieces = [position for position, columns in enumerate(known_pieces) if columns]
        cells = np.ix_([row_of[gram] for gram in known_grams], with_pieces)
        ratio[cells] = of_pieces @ part[:, with_pieces]
        return ratio

    @cached_property
    def _pieces(self) -> _PieceRatios:
        """For each gram and each piece of the predicates in training the two parts, counted and
        smoothing, of P(gram | piece) / P(gram), and the share of an unknown gram; computed once."""
        rows = {gram: row for row, gram in enumerate(self.gram_share)}
        listed = [pieces(predicate) for predicate in self.with_predicate]
        columns = {
            piece: column
            for column, piece in enumerate(
                dict.fromkeys(piece for predicate_pieces in listed for piece in predicate_pieces)
            )
        }
        counts = _table(
            [
                {rows[gram]: n for gram, n in gram_counts.items()}
                for gram_counts in self.with_predicate.values()
            ],
            len(rows),
        )
        holding = _table(
            [{columns[piece]: 1 for piece in predicate_pieces} for predicate_pieces in listed],
            len(columns),
        )
        joint = (counts.T @ holding).tocoo()
        totals = holding.T @ counts.sum(axis=1) + _PIECE_SMOOTHING
        shares = np.array(list(self.gram_share.values()), np.float64)
        joint.data /= totals[joint.col] * shares[joint.row]
        unknown = _UNKNOWN / max(float(counts.sum()), 1)
        return _PieceRatios(
            columns,
            rows,
            joint.tocsr(),
            np.asarray(_PIECE_SMOOTHING / totals, np.float64),
            unknown,
        )


def _table(rows: Sequence[Mapping[int, int]], width: int) -> csr_array:
    """Sparse matrix (rows, width) from column → number of each row."""
    from scipy.sparse import csr_array

    cells = [(row, column) for row, columns in enumerate(rows) for column in columns]
    numbers = [float(number) for columns in rows for number in columns.values()]
    return csr_array((numbers, np.array(cells, np.int64).reshape(-1, 2).T), (len(rows), width))


def learn_templates(phrases: Sequence[str], predicates: Sequence[str]) -> Templates:
    """Templates of questions, of which phrases[i] asked for predicates[i], without grams of one
    phrase only."""
    listed = [grams(phrase) for phrase in phrases]
    frequency = Counter(gram for phrase_grams in listed for gram in phrase_grams)
    total = sum(count for count in frequency.values() if count > 1)
    with_predicate: dict[str, Counter[str]] = {}
    for phrase_grams, predicate in zip(listed, predicates, strict=True):
        # A gram seen once belongs to its question rather than to the predicate; `_UNKNOWN` counts
        # all of these.
        repeated = [gram for gram in phrase_grams if frequency[gram] > 1]
        with_predicate.setdefault(predicate, Counter()).update(repeated)
    return Templates(
        {gram: count / total for gram, count in sorted(frequency.items()) if count > 1},
        {
            predicate: dict(sorted(counts.items()))
            for predicate, counts in sorted(with_predicate.items())
        },
    )


def decode_templates(value: Mapping[str, Any]) -> Templates:
    """Templates from the JSON object of a model file, which has the fields of `Templates`.

    Raises KeyError, AttributeError, TypeError or ValueError for a damaged one.
    """
    shares, counts = value["gram_share"], value["with_predicate"]
    if not all(number > 0 for table in (shares, *counts.values()) for number in table.values()):
        raise ValueError(
            "templates need a share for each n-gram, and its count with each predicate"
        )
    return Templates(shares, counts)
