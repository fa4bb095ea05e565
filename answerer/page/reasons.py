"""The parts of a score in words: names and their counts, features by family, concepts, pairs of events."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
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
    """The name of the index that `said` was linked to, "" if it is plainly the same.

    A key in quotation marks is not a name of the index but the query of all its words, which may be only some of those
    in `said`. Keys of dates (`y:1453`) give "", for they say the same as the date.
    """
    if key.startswith("y:"):
        return ""
    if key.startswith("“"):
        return _looked_up(said, key.strip("“”"))
    return "" if _alike(_words(said), _words(key)) else key


def _looked_up(said: str, key: str) -> str:
    """A note on words that were searched because they are not a name: all of them, or only some."""
    wanted = _words(key)
    words = [word for word in _WORD.findall(said) if _words(word)]
    held = [word for word in words if any(_begin_alike(_words(word)[0], one) for one in wanted)]
    if len(held) == len(words) or not held:
        return "looked up as plain words" if len(words) > 1 else "looked up as a plain word"
    return f"looked up by “{' '.join(held)}” only"


def _words(text: str) -> list[str]:
    """The words of a name in lower case without accents, articles and `of`."""
    letters = _ACCENT.sub("", unicodedata.normalize("NFKD", text.casefold()))
    return [word for word in _WORD.findall(unicodedata.normalize("NFKC", letters)) if word not in _SMALL]


def _alike(one: list[str], other: list[str]) -> bool:
    """Whether the words of two names begin alike, paired in some order."""
    if "".join(one) == "".join(other):
        return True
    if len(one) != len(other) or len(one) > _MOST_WORDS:
        return False
    return any(all(map(_begin_alike, one, order)) for order in permutations(other))


def _begin_alike(one: str, other: str) -> bool:
    least = min(len(one), len(other))
    return one == other or (least >= _STEM and one.isascii() and one[:_STEM] == other[:_STEM])


class ReasonPart(NamedTuple):
    """A family of features in words, and the sum of what its features add to a score, or of their values."""

    words: str
    value: float


def parts(task: Task, features: Features) -> list[ReasonPart]:
    """Sums features by family, largest absolute sum first; families with the sum 0 are left out.

    A feature that neither the task nor a line of features.tsv describes has its own name.
    """
    sums: dict[str, float] = {}
    for name, value in features.items():
        words = _families_words(task.name, name)
        sums[words] = sums.get(words, 0.0) + value
    return sorted((ReasonPart(words, value) for words, value in sums.items() if value), key=lambda one: -abs(one.value))


@cache
def _families_words(task: str, feature: str) -> str:
    """The words for a feature's family: the task's, then those of features.tsv; else the feature's name."""
    own = [(task, _pattern(pattern), words) for pattern, words in tasks().get(task, UNKNOWN).features.items()]
    lines = (*own, *_lines())
    return next(
        (words for known, pattern, words in lines if known in (task, "*") and pattern.fullmatch(feature)), feature
    )


@cache
def _lines() -> list[tuple[str, re.Pattern[str], str]]:
    """The lines of features.tsv: task (* for any), pattern of the feature's name, words."""
    text = files(__package__).joinpath("features.tsv").read_text("utf-8")
    rows = [line.split("\t") for line in text.splitlines() if line and not line.startswith("#")]
    return [(task, _pattern(pattern), words) for task, pattern, words in rows]


def _pattern(text: str) -> re.Pattern[str]:
    """The regular expression of a feature's name in which … matches any characters."""
    return re.compile(re.escape(text).replace("…", ".*"))


_FOUND_BY = ("sentence score", "paragraph score", "keywords")
_WHOLE, _SAME = "(statement)", "the same for every statement"


class Reason(NamedTuple):
    """The contribution of a name of the statement ("" for the whole) to a score, by families of features.

    `link` is the name of the index if that differs, `counted` the counts of the name in words.
    """

    name: str
    value: float | None
    parts: list[ReasonPart]
    link: str = ""
    counted: Sequence[str] = ()


def reasons_of(task: Task, one: TraceCandidate, weights: Features, unweighted: bool) -> list[Reason]:
    """The reasons for a candidate's score: its features, then for each statement that it makes one for each name."""
    if one.pairs:
        return [Reason(f"{pair}, {_likely(value)}", value, []) for pair, value in one.pairs.items()]
    added = {name: value * weights.get(name, 0.0) for name, value in one.features.items()} if weights else one.features
    found = [Reason("before weights" if unweighted else "", None, parts(task, added))] if one.features else []
    for statement in one.statements:
        if len(one.statements) > 1:
            likely = statement.log_probability
            found.append(Reason(_claim(statement), statement.score if likely is None else likely, []))
        for name, values in sorted(statement.names.items(), key=lambda item: -abs(item[1].get("sum", 0.0))):
            each = {feature: value for feature, value in values.items() if feature != "sum"}
            if name == _WHOLE:  # its features are constants, the same for every statement
                called = "to begin with" if len(statement.names) > 1 else "the book knows none of its names"
                found.append(Reason(called, values.get("sum", 0.0), [ReasonPart(_SAME, values.get("sum", 0.0))]))
                continue
            said, linked = _name_and_link(name, statement)
            counted = _count_lines(name, statement)
            found.append(Reason(said, values.get("sum", 0.0), parts(task, each), linked, counted))
    return found


def _name_and_link(name: str, statement: TraceStatement) -> tuple[str, str]:
    """A judged name as the statement writes it, and the name of the index that it was linked to ("" if the same)."""
    start, end = statement.places.get(name, (0, 0))
    said = statement.text[start:end]
    return said or name.strip("“”"), link(said, name) if said else ""


def _count_lines(name: str, statement: TraceStatement) -> list[str]:
    """Lines on the counts of a judged name; empty if the trace has none for it."""
    counts = statement.counted.get(name)
    return counted_words(counts, lambda other: _name_and_link(other, statement)[0]) if counts else []


def _claim(statement: TraceStatement) -> str:
    """A statement with the choice's claim and its probability."""
    if statement.claimed is None:
        return statement.text
    likely = _likely(statement.log_probability or 0.0)
    return f"is {'true' if statement.claimed else 'false'}, {likely}: {statement.text}"


def true_likely(statement: TraceStatement) -> float:
    """The probability that a statement is true, from that of what a choice claims of it."""
    claimed = math.exp(min(statement.log_probability or 0.0, 0.0))
    return claimed if statement.claimed else 1 - claimed


def _likely(log_probability: float) -> str:
    return f"{math.exp(min(log_probability, 0.0)):.0%} likely"


def reasons_of_concepts(one: TraceCandidate) -> list[Reason]:
    """The reasons for a sentence's score: the weights of its concepts, which add up to it, and its retrieval scores."""
    terms = {term: value for found in one.evidence for term, value in found.terms.items()}
    ordered = sorted(terms.items(), key=lambda item: -item[1])
    covers = [ReasonPart(word, value) for word, value in in_words(dict(ordered), one.text).items() if value]
    found = parts(tasks()["ntcir-essay"], {name: one.features[name] for name in _FOUND_BY if name in one.features})
    return [
        *([Reason("what it covers", one.score, covers)] if covers else []),
        *([Reason("how it was found", None, found)] if found else []),
    ]


_OTHERS = 3  # other names of the statement that are shown with their counts


def counted_words(counted: TraceCount, say: Callable[[str], str]) -> list[str]:
    """Lines on the counts of a judged name; `say` maps a key to the name as the statement writes it."""
    shown = [(say(one[0]), *one[1:]) for one in counted.beside[:_OTHERS]]
    beside = [_beside(*one) for one in shown if one[1] or one[3]]
    never = [other for other, paragraphs, _, sections in shown if not paragraphs and not sections]
    led, held = counted.led
    rivals = ", ".join(_rival(*one) for one in counted.rivals)
    return [
        *(["stands together with " + ", ".join(beside)] if beside else []),
        *(["never stands together with " + ", ".join(never)] if never else []),
        f"stands in {led:.0%} of what the rest of the statement leads to (in {held:.1%} of the book)",
        *([f"others of its kind there: {rivals}"] if rivals else []),
    ]


def _beside(name: str, paragraphs: int, times: float, sections: int) -> str:
    """A name with the number of paragraphs that it shares with the judged one, else of sections."""
    if paragraphs:
        return f"{name} in {paragraphs} paragraph{'s' * (paragraphs > 1)} ({times:.2g} times chance)"
    return f"{name} only in {sections} section{'s' * (sections > 1)}"


def _rival(name: str, ahead: float) -> str:
    return f"{name.removeprefix('y:')} (fits {'worse' if ahead >= 0 else 'better'} by {abs(ahead):.2g})"
