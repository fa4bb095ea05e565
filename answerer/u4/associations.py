"""Questions taken apart, and which of their words go together with which headings: learned from right answers."""

from __future__ import annotations

import re
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import csr_array

from indexer.files.arrays import Float64Array
from indexer.tables.reports import fold_text

_QUESTION = re.compile(
    r"(.*?)の(\d{4})年(時点)?(?:の(連結|個別)決算)?(?:の([A-Za-z0-9_]+))?における「(.*)」は?[?？]?\s*", re.DOTALL
)
_BRACKETS = re.compile(r"[(\[【][^()\[\]【】]*[)\]】]|[*※]\d*|^(?:[IVX]+|[0-9]{1,2}[.)]|[①-⑳])")
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z][a-z]*|[0-9]+")
_DASH = re.compile("[－-]")

GROUPS = ("label", "grams", "member", "time")
PARTS = ("row", "column", "any", "title")
"""Where an answer's headings are: left of the cell, above it, either or the sections over it, and above the table."""

_LEAST = 2  # right answers that a token, an item and a pair need
_MOST = 50_000  # pairs kept in a part: the surest
_STEP = 0.25  # steps in which PMI is kept: 26 letters reach 6.5
_SMOOTHING = 0.5
_LONGEST_BACK = 5  # the five years of the key figures


class ParsedQuestion(NamedTuple):
    """A question taken apart.

    `year` is 0 and `scope` (連結 or 個別), `member` and `company` are "" where it does not say.
    """

    year: int
    instant: bool
    scope: str
    member: str
    label: str
    heads: tuple[str, ...]
    company: str = ""


def read_question(text: str) -> ParsedQuestion:
    """A question by its grammar: COMPANYのYEAR年(時点)の(連結|個別)決算のMEMBERにおける「LABEL、HEADING…」は？.

    One that does not follow it is a label as a whole. The label's own parts, after －, are headings too.
    """
    found = _QUESTION.fullmatch(text)
    if not found:
        return ParsedQuestion(0, False, "", "", fold_text(text), ())
    parts, depth = [""], 0
    for character in fold_text(found[6]):
        depth += (character == "(") - (character == ")")
        if character == "、" and depth <= 0:
            parts.append("")
        else:
            parts[-1] += character
    label, *heads = [part for part in parts if part] or [""]
    own = [part for part in _DASH.split(label)[1:] if part]
    company, year, instant, scope, member, _ = found.groups()
    return ParsedQuestion(int(year), bool(instant), scope or "", member or "", label, (*own, *heads), company)


@lru_cache(maxsize=1 << 16)
def plain(text: str) -> str:
    """A heading without brackets, marks of notes and numbering; unchanged if nothing else is left."""
    return _BRACKETS.sub("", text) or text


def bigrams(text: str) -> list[str]:
    """The different pairs of neighbouring characters in their order; a text of one character is its only item."""
    return list(dict.fromkeys(text[place : place + 2] for place in range(len(text) - 1))) or ([text] if text else [])


def items(text: str) -> list[str]:
    """What a plain heading is counted by: its bigrams, and the whole of it behind "="."""
    return [*bigrams(text), "=" + text] if text else []


def member_words(member: str) -> list[str]:
    return _WORD.findall(member.removesuffix("Member"))


def tokens(asked: ParsedQuestion, back: int) -> dict[str, list[str]]:
    """What of a question is counted, by group; `back` is how many years before the report's last it asks."""
    when = f"{'i' if asked.instant else 'd'}{max(-1, min(back, _LONGEST_BACK))}"
    words = member_words(asked.member)
    return {
        "label": ["l:" + asked.label, *("h:" + head for head in asked.heads)],
        "grams": [
            *("g:" + gram for gram in bigrams(plain(asked.label))),
            *("G:" + gram for head in asked.heads for gram in bigrams(plain(head))),
        ],
        "member": [
            "m:" + asked.member,
            f"lm:{asked.member}|{asked.label}",
            f"sm:{asked.member}|{asked.scope}{when[0]}",
            *("w:" + word for word in words),
            *("W:" + one + other for one, other in pairwise(words)),
        ],
        "time": ["t:" + when, "s:" + asked.scope, f"ts:{asked.scope}{when}", f"tl:{when}{asked.label}"],
    }


def key(text: str) -> int:
    """The number of a token or an item (CRC-32), so that a model file holds no text of reports."""
    return zlib.crc32(text.encode())


class Associations(NamedTuple):
    """Numbers of tokens and of items by their keys, and per part the positive PMI of each pair, (tokens, items)."""

    tokens: Mapping[int, int]
    items: Mapping[int, int]
    values: Mapping[str, csr_array]

    def scores(self, part: str, said: Sequence[str]) -> tuple[Float64Array, Float64Array]:
        """The greatest and the mean PMI with the known of the tokens, each (items + 1,); the last is of unknown items.

        All 0 where no token is known.
        """
        rows = [number for number in (self.tokens.get(key(one)) for one in said) if number is not None]
        if not rows:
            zero = np.zeros(len(self.items) + 1)
            return zero, zero
        found = self.values[part][rows].toarray()
        return np.append(found.max(0), 0.0), np.append(found.mean(0), 0.0)

    def knows(self, token: str) -> bool:
        """Whether a token stood in enough questions to be learned from."""
        return key(token) in self.tokens


Example = tuple[Sequence[int], Mapping[str, Sequence[int]]]
"""The keys of a question's tokens, and of the items of its right answer by part."""


def associate(examples: Iterable[Example]) -> Associations:
    """The associations of right answers: log((n_ti + k) / (n_t n_i / n + k)) of pairs that are often and above 0."""
    of_token: Counter[int] = Counter()
    of_item: dict[str, Counter[int]] = {part: Counter() for part in PARTS}
    both: dict[str, dict[int, Counter[int]]] = {part: defaultdict(Counter) for part in PARTS}
    questions: Counter[str] = Counter()
    for said, held in examples:
        of_token.update(said)
        for part, own in held.items():
            questions[part] += 1
            of_item[part].update(own)
            for token in said:
                both[part][token].update(own)
    kept = sorted(token for token, count in of_token.items() if count >= _LEAST)
    numbers = {token: number for number, token in enumerate(kept)}
    names = sorted({item for part in PARTS for item, count in of_item[part].items() if count >= _LEAST})
    item_numbers = {item: number for number, item in enumerate(names)}
    values: dict[str, csr_array] = {}
    for part in PARTS:
        pairs = [
            (numbers[token], item_numbers[item], count, of_token[token] * of_item[part][item] / questions[part])
            for token, own in both[part].items()
            if token in numbers
            for item, count in own.items()
            if count >= _LEAST
        ]
        rows, columns, counts, expected = np.array(pairs, float).reshape(len(pairs), 4).T
        steps = np.minimum(np.rint(np.log((counts + _SMOOTHING) / (expected + _SMOOTHING)) / _STEP), 26)
        best = np.argsort(-counts * steps, kind="stable")[:_MOST]
        best = best[steps[best] >= 1]
        shape = (len(numbers), len(item_numbers))
        values[part] = csr_array(
            (steps[best] * _STEP, (rows[best].astype(int), columns[best].astype(int))), shape=shape
        )
    return Associations(numbers, item_numbers, values)


def encode_associations(found: Associations) -> dict[str, Any]:
    """The associations for a model file: keys in base 36, and a line a token of steps to the next item and a letter."""

    def line(matrix: csr_array, row: int) -> str:
        places = matrix.indices[matrix.indptr[row] : matrix.indptr[row + 1]]
        own = matrix.data[matrix.indptr[row] : matrix.indptr[row + 1]]
        order = np.argsort(places)
        gaps = np.diff(places[order], prepend=-1)
        letters = np.rint(own[order] / _STEP).astype(int)
        return "".join(np.base_repr(gap, 36).lower() + chr(64 + step) for gap, step in zip(gaps, letters, strict=True))

    return {
        "tokens": " ".join(np.base_repr(one, 36).lower() for one in found.tokens),
        "items": " ".join(np.base_repr(one, 36).lower() for one in found.items),
        **{part: " ".join(line(m, row) or "-" for row in range(m.shape[0])) for part, m in found.values.items()},
    }


def read_associations(learned: Mapping[str, Any]) -> Associations:
    """The associations of a model file; ValueError or KeyError for a damaged one."""
    numbers = {int(one, 36): number for number, one in enumerate(learned["tokens"].split())}
    item_numbers = {int(one, 36): number for number, one in enumerate(learned["items"].split())}
    values = {}
    for part in PARTS:
        columns: list[int] = []
        steps: list[int] = []
        ends = [0]
        for line in learned[part].split():
            place = -1
            for gap, letter in re.findall("([0-9a-z]+)([A-Z])", line):
                place += int(gap, 36)
                columns.append(place)
                steps.append(ord(letter) - 64)
            ends.append(len(columns))
        shape = (len(numbers), len(item_numbers))
        values[part] = csr_array((np.array(steps, float) * _STEP, columns, ends), shape=shape)
    return Associations(numbers, item_numbers, values)
