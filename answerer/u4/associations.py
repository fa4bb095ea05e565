"""Questions taken apart, and the PMI of their words and the headings of right answers [PMI]."""

from __future__ import annotations

import base64
import re
import zlib
from collections import Counter
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

PARTS = ("row", "column", "title")
"""The places of an answer's headings: left of the cell, above it, above the table."""

_LEAST = 2  # right answers that a token, an item and a pair need: one proves nothing
_MOST = 50_000  # pairs kept in a part, which bounds the size of a model file
_STEP = 0.25  # steps in which PMI is kept, so that it fits into a byte
_SMOOTHING = 0.5  # added to both counts, as usual for rare pairs
_LONGEST_BACK = 5  # the five years of the key figures, the longest series of a report


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
    """Parses a question by its grammar: COMPANYのYEAR年(時点)の(連結|個別)決算のMEMBERにおける「LABEL、HEADING…」は？.

    One that does not follow it is a label as a whole. The label's parts after a dash are headings too.
    """
    match = _QUESTION.fullmatch(text)
    if not match:
        return ParsedQuestion(0, False, "", "", fold_text(text), ())
    parts, depth = [""], 0
    for character in fold_text(match[6]):
        depth += (character == "(") - (character == ")")
        if character == "、" and depth <= 0:
            parts.append("")
        else:
            parts[-1] += character
    label, *heads = [part for part in parts if part] or [""]
    dashed = [part for part in _DASH.split(label)[1:] if part]
    company, year, instant, scope, member, _ = match.groups()
    return ParsedQuestion(int(year), bool(instant), scope or "", member or "", label, (*dashed, *heads), company)


@lru_cache(maxsize=1 << 16)
def plain(text: str) -> str:
    """A heading without brackets, marks of notes and numbering; unchanged if nothing else is left."""
    return _BRACKETS.sub("", text) or text


def bigrams(text: str) -> list[str]:
    """The different pairs of neighbouring characters in their order; a text of one character is its only item."""
    return list(dict.fromkeys(text[place : place + 2] for place in range(len(text) - 1))) or ([text] if text else [])


def items(text: str) -> list[str]:
    """The bigrams by which a plain heading is counted, and the whole of it behind "="."""
    return [*bigrams(text), "=" + text] if text else []


def member_words(member: str) -> list[str]:
    """The English words of an XBRL member's name."""
    return _WORD.findall(member.removesuffix("Member"))


def question_tokens(asked: ParsedQuestion, last_year: int) -> dict[str, list[str]]:
    """The tokens of a question on a report with this last year: of its label and headings, the bigrams of these, the
    XBRL member, and year and scope."""
    back = last_year - asked.year if asked.year else 0
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
            *("W:" + first + second for first, second in pairwise(words)),
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

    def scores(self, part: str, tokens: Sequence[str]) -> dict[str, Float64Array]:
        """The best and the mean PMI of each item with the known ones of the tokens, (items + 1,); 0 without any.

        The last entry, 0, is that of all unknown items.
        """
        rows = [number for number in (self.tokens.get(key(token)) for token in tokens) if number is not None]
        best, total = np.zeros(len(self.items) + 1), np.zeros(len(self.items) + 1)
        if rows:
            pairs = self.values[part][rows]
            np.maximum.at(best, pairs.indices, pairs.data)
            total += np.bincount(pairs.indices, pairs.data, len(total))
        return {"best": best, "mean": total / max(1, len(rows))}


Example = tuple[Sequence[int], Mapping[str, Sequence[int]]]
"""The keys of a question's tokens, and those of the items of its right answer by part, each once."""


def incidence(rows: Sequence[Iterable[int]], width: int) -> csr_array:
    """1 at the columns that each row names, (rows, width)."""
    columns = [np.fromiter(row, np.int64) for row in rows]
    ends = np.cumsum([0, *map(len, columns)])
    return csr_array((np.ones(ends[-1]), np.concatenate([*columns, ends[:0]]), ends), shape=(len(columns), width))


def _frequent(rows: Iterable[Iterable[int]]) -> dict[int, int]:
    """Numbers, by rising key, of the keys that at least `_LEAST` rows name, the most frequent that two bytes hold."""
    counts = Counter(key for row in rows for key in row).most_common(1 << 16)
    return {key: number for number, key in enumerate(sorted(key for key, count in counts if count >= _LEAST))}


def associate(examples: Iterable[Example]) -> Associations:
    """The associations of right answers: log((n_ti + k) / (n_t n_i / n + k)) of pairs that are frequent, if above 0."""
    listed = list(examples)
    tokens = _frequent(said for said, _ in listed)
    names = _frequent({item for own in held.values() for item in own} for _, held in listed)
    values = {}
    for part in PARTS:
        rows = [(said, held[part]) for said, held in listed if part in held]
        of_token = incidence([[tokens[one] for one in said if one in tokens] for said, _ in rows], len(tokens))
        of_item = incidence([[names[one] for one in held if one in names] for _, held in rows], len(names))
        both = (of_token.T @ of_item).tocoo()
        expected = of_token.sum(0)[both.row] * of_item.sum(0)[both.col] / max(1, len(rows))
        steps = np.rint(np.log((both.data + _SMOOTHING) / (expected + _SMOOTHING)) / _STEP)
        # ties are kept in the order of the keys, so that the same data give the same model
        order = np.lexsort((both.col, both.row, -both.data * steps))
        best = order[(both.data[order] >= _LEAST) & (steps[order] >= 1)][:_MOST]
        values[part] = csr_array((steps[best] * _STEP, (both.row[best], both.col[best])), shape=both.shape)
    return Associations(tokens, names, values)


def encode_associations(learned: Associations) -> dict[str, Any]:
    """The associations for a model file: keys, and row ends, columns and steps of each part, in base64."""

    def text(values: Iterable[int], kind: str) -> str:
        return base64.b64encode(np.array(list(values), kind).tobytes()).decode()

    parts = {name: matrix.sorted_indices() for name, matrix in learned.values.items()}
    return {
        "tokens": text(learned.tokens, "<u4"),
        "items": text(learned.items, "<u4"),
        **{
            name: [text(m.indptr, "<u4"), text(m.indices, "<u2"), text(np.rint(m.data / _STEP).astype(int), "<u1")]
            for name, m in parts.items()
        },
    }


def decode_associations(learned: Mapping[str, Any]) -> Associations:
    """The associations of a model file; raises ValueError, LookupError or TypeError for a damaged one."""

    def numbers(text: str, kind: str) -> Any:
        return np.frombuffer(base64.b64decode(text, validate=True), kind).astype(np.int64)

    tokens, names = (
        {int(key): number for number, key in enumerate(numbers(learned[what], "<u4"))} for what in ("tokens", "items")
    )
    values = {}
    for part in PARTS:
        ends, columns, steps = (
            numbers(text, kind) for text, kind in zip(learned[part], ("<u4", "<u2", "<u1"), strict=True)
        )
        values[part] = csr_array((steps * _STEP, columns, ends), shape=(len(tokens), len(names)))
        values[part].check_format()
    return Associations(tokens, names, values)
