"""The parts of a score in words: names and their counts, features by family, concepts, pairs of events."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Callable, Sequence
from functools import cache, lru_cache, partial
from importlib.resources import files
from itertools import permutations
from typing import NamedTuple

from answerer.page.pieces import in_words
from answerer.registry import UNKNOWN, tasks
from answerer.task import Task
from answerer.trace import Features, TraceCandidate, TraceCount, TraceStatement

_ACCENT = re.compile("[\u0300-\u036f]")
_WORD = re.compile(r"[^\W_]+")
_SMALL = frozenset(("a", "an", "and", "of", "s", "the"))
_STEM = 4  # letters that a word and its form in a key begin with alike (Sicilian, sicily)
_MOST_WORDS = 6  # of a name, compared in every order: 720 of them


@lru_cache(10_000)  # the choices of a question say some of the same names
def link(said: str, key: str) -> str:
    """A message on the entity that the words `said` were linked to: its `key`, or "" if both obviously agree.

    They agree if their words begin alike in any order, or if the key is a date (`y:1453`). A key in quotation marks is
    a query of words: "looked up as plain words", or a message with the words used.
    """
    if key.startswith("y:"):
        return ""
    key_words = _words(key.strip("“”"))
    if key.startswith("“"):
        words = [word for word in _WORD.findall(said) if _words(word)]
        held = [word for word in words if any(_begin_alike(_words(word)[0], other) for other in key_words)]
        if len(held) == len(words) or not held:
            return "looked up as plain words" if len(words) > 1 else "looked up as a plain word"
        return f"looked up by “{' '.join(held)}” only"
    words = _words(said)
    if "".join(words) == "".join(key_words):
        return ""
    if len(words) != len(key_words) or len(words) > _MOST_WORDS:
        return key
    return "" if any(all(map(_begin_alike, words, order)) for order in permutations(key_words)) else key


def _words(text: str) -> list[str]:
    """The words of a name in lower case without accents, articles and `of`."""
    letters = _ACCENT.sub("", unicodedata.normalize("NFKD", text.casefold()))
    return [word for word in _WORD.findall(unicodedata.normalize("NFKC", letters)) if word not in _SMALL]


def _begin_alike(word: str, other: str) -> bool:
    least = min(len(word), len(other))
    return word == other or (least >= _STEM and word.isascii() and word[:_STEM] == other[:_STEM])


class ReasonPart(NamedTuple):
    """A family of features in words, with the sum of its features' contributions to a score (or of their values)."""

    words: str
    value: float


def parts(task: Task, features: Features) -> list[ReasonPart]:
    """Sums features by family, largest absolute sum first; families with sum 0 are left out.

    A feature that neither the task nor features.tsv describes is a family by its name.
    """
    # Features of one family are worded alike, so that a reader sees one reason.
    sums: dict[str, float] = {}
    for name, value in features.items():
        words = _families_words(task.name, name)
        sums[words] = sums.get(words, 0.0) + value
    return sorted(
        (ReasonPart(words, value) for words, value in sums.items() if value), key=lambda part: -abs(part.value)
    )


@cache
def _families_words(task: str, feature: str) -> str:
    """The description of a feature's family, by the task's patterns or else features.tsv.

    Returns the feature's name if neither describes it.
    """
    own = [(task, pattern, words) for pattern, words in tasks().get(task, UNKNOWN).features.items()]
    for known, pattern, words in (*own, *_lines()):
        if known in (task, "*") and re.fullmatch(re.escape(pattern).replace("…", ".*"), feature):
            return words
    return feature


@cache
def _lines() -> list[tuple[str, str, str]]:
    """The lines of features.tsv: task (* for any), pattern of the feature's name (… matches anything), words."""
    text = files(__package__).joinpath("features.tsv").read_text("utf-8")
    rows = [line.split("\t") for line in text.splitlines() if line and not line.startswith("#")]
    return [(task, pattern, words) for task, pattern, words in rows]


_FOUND_BY = ("sentence score", "paragraph score", "keywords")
_WHOLE, _SAME = "(statement)", "the same for every statement"


class Reason(NamedTuple):
    """The contribution of a name in a statement ("" for the whole candidate) to a score, by families of features.

    `value` is None if the parts have no common sum. `link` is the linked entity if its name differs, `counted` are
    lines on the name's co-occurrence counts.
    """

    name: str
    value: float | None
    parts: list[ReasonPart]
    link: str = ""
    counted: Sequence[str] = ()


def reasons_of(task: Task, candidate: TraceCandidate, weights: Features, unweighted: bool) -> list[Reason]:
    """The reasons for a candidate's score: its features by family, then each name of each of its statements.

    `weights` multiply the candidate's features ({}: they are not multiplied); `unweighted` true labels them "before
    weights". A candidate with ordered pairs has only these as reasons.
    """
    if candidate.pairs:
        return [Reason(f"{pair}, {_likely(value)}", value, []) for pair, value in candidate.pairs.items()]
    added = candidate.features
    if weights:
        added = {name: value * weights.get(name, 0.0) for name, value in added.items()}
    reasons = [Reason("before weights" if unweighted else "", None, parts(task, added))] if candidate.features else []
    for statement in candidate.statements:
        likely = statement.log_probability
        if len(candidate.statements) > 1:
            said = statement.text
            if statement.claimed is not None:
                said = f"is {'true' if statement.claimed else 'false'}, {_likely(likely or 0.0)}: {said}"
            reasons.append(Reason(said, statement.score if likely is None else likely, []))
        for name, values in sorted(statement.names.items(), key=lambda item: -abs(item[1].get("sum", 0.0))):
            total = values.get("sum", 0.0)
            if name == _WHOLE:  # its features are constants, the same for every statement
                called = "to begin with" if len(statement.names) > 1 else "the book knows none of its names"
                reasons.append(Reason(called, total, [ReasonPart(_SAME, total)]))
                continue
            each = {feature: value for feature, value in values.items() if feature != "sum"}
            said, counts = _surface_form(name, statement), statement.counted.get(name)
            lines = counted_words(counts, partial(_surface_form, statement=statement)) if counts else []
            written = statement.text[slice(*statement.places.get(name, (0, 0)))]
            linked = link(written, name) if written else ""
            reasons.append(Reason(said, total, parts(task, each), linked, lines))
    return reasons


def _surface_form(name: str, statement: TraceStatement) -> str:
    """A judged name as the statement writes it."""
    start, end = statement.places.get(name, (0, 0))
    return statement.text[start:end] or name.strip("“”")


def true_likely(statement: TraceStatement) -> float:
    """The probability that a statement is true, from that of what a choice claims of it."""
    claimed = math.exp(min(statement.log_probability or 0.0, 0.0))
    return claimed if statement.claimed else 1 - claimed


def _likely(log_probability: float) -> str:
    return f"{math.exp(min(log_probability, 0.0)):.0%} likely"


def reasons_of_concepts(candidate: TraceCandidate) -> list[Reason]:
    """The reasons for an essay sentence's score: the weights of its concepts, and its retrieval scores.

    The concept weights add up to the score. Empty groups are left out.
    """
    terms = {term: value for passage in candidate.evidence for term, value in passage.terms.items()}
    ordered = dict(sorted(terms.items(), key=lambda item: -item[1]))
    covers = [ReasonPart(word, value) for word, value in in_words(ordered, candidate.text).items() if value]
    features = {name: candidate.features[name] for name in _FOUND_BY if name in candidate.features}
    retrieved = parts(tasks()["ntcir-essay"], features)
    return [
        *([Reason("what it covers", candidate.score, covers)] if covers else []),
        *([Reason("how it was found", None, retrieved)] if retrieved else []),
    ]


_OTHERS = 3  # other names of the statement that are shown with their counts


def counted_words(counted: TraceCount, say: Callable[[str], str]) -> list[str]:
    """Describes the co-occurrence counts of a name in lines of text; `say` maps an entity key to its spelling."""
    beside, never = [], []
    for key, paragraphs, times, sections in counted.beside[:_OTHERS]:
        if paragraphs:
            beside.append(f"{say(key)} in {paragraphs} paragraph{'s' * (paragraphs > 1)} ({times:.2g} times chance)")
        elif sections:
            beside.append(f"{say(key)} only in {sections} section{'s' * (sections > 1)}")
        else:
            never.append(say(key))
    led, held = counted.led
    rivals = ", ".join(
        f"{name.removeprefix('y:')} (fits {'worse' if ahead >= 0 else 'better'} by {abs(ahead):.2g})"
        for name, ahead in counted.rivals
    )
    return [
        *(["stands together with " + ", ".join(beside)] if beside else []),
        *(["never stands together with " + ", ".join(never)] if never else []),
        f"stands in {led:.0%} of what the rest of the statement leads to (in {held:.1%} of the book)",
        *([f"others of its kind there: {rivals}"] if rivals else []),
    ]
