"""What a score was made of, in words: names and their counts, signals by family, concepts, pairs of events."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from itertools import permutations
from typing import Any, NamedTuple

from answerer.page.pieces import in_words
from answerer.registry import UNKNOWN, tasks
from answerer.task import Task

_ACCENT = re.compile("[\u0300-\u036f]")
_WORD = re.compile(r"[^\W_]+")
_SMALL = frozenset(("a", "an", "and", "of", "s", "the"))
_STEM = 4  # letters that a word and its form in a key begin with alike (Sicilian, sicily)
_MOST_WORDS = 6


@lru_cache(10_000)  # the choices of a question say some of the same names
def link(said: str, key: str) -> str:
    """The name of the index that `said` was linked to, "" where that is plainly the same.

    A key in quotation marks is none of the index's names: it stands for the sentences that hold all these words, which
    may be some of those said.
    Keys of dates (`y:1453`) say nothing more than the date does.
    """
    if key.startswith("y:"):
        return ""
    if key.startswith("“"):
        return _looked_up(said, key.strip("“”"))
    return "" if _alike(_words(said), _words(key)) else key


def _looked_up(said: str, key: str) -> str:
    """How words that are no name were looked up: all those said, or only some of them."""
    wanted = _words(key)
    words = [word for word in _WORD.findall(said) if _words(word)]
    held = [word for word in words if any(_begin_alike(_words(word)[0], one) for one in wanted)]
    if len(held) == len(words) or not held:
        return "looked up as plain words" if len(words) > 1 else "looked up as a plain word"
    return f"looked up by “{' '.join(held)}” only"


def _words(text: str) -> list[str]:
    letters = _ACCENT.sub("", unicodedata.normalize("NFKD", text.casefold()))
    return [word for word in _WORD.findall(unicodedata.normalize("NFKC", letters)) if word not in _SMALL]


def _alike(one: list[str], other: list[str]) -> bool:
    """Whether each word of the one begins like a word of the other, whatever their order."""
    if "".join(one) == "".join(other):
        return True
    if len(one) != len(other) or len(one) > _MOST_WORDS:
        return False
    return any(all(map(_begin_alike, one, order)) for order in permutations(other))


def _begin_alike(one: str, other: str) -> bool:
    least = min(len(one), len(other))
    return one == other or (least >= _STEM and one.isascii() and one[:_STEM] == other[:_STEM])


class Part(NamedTuple):
    """What one family of signals added, or holds, in words."""

    words: str
    value: float


def number(value: object) -> float:
    """A number of a trace. TypeError for anything else: Python would take the text "inf" for one, too."""
    if type(value) is float:  # as nearly all are
        return value
    if not isinstance(value, int | float):
        raise TypeError(f"{value!r} is no number")
    return float(value)


def parts(task: Task, signals: Mapping[str, float]) -> list[Part]:
    """The signals by family, those of one family added up, the strongest first; families that add nothing are left out.

    A signal that neither the task nor a line of signals.tsv knows stands under its own name.
    """
    sums: dict[str, float] = {}
    for name, value in signals.items():
        words = _families_words(task.name, name)
        sums[words] = sums.get(words, 0.0) + value
    return sorted((Part(words, value) for words, value in sums.items() if value), key=lambda one: -abs(one.value))


@cache
def _families_words(task: str, signal: str) -> str:
    own = [(task, _pattern(pattern), words) for pattern, words in tasks().get(task, UNKNOWN).features.items()]
    lines = (*own, *_lines())
    return next(
        (words for known, pattern, words in lines if known in (task, "*") and pattern.fullmatch(signal)), signal
    )


@cache
def _lines() -> list[tuple[str, re.Pattern[str], str]]:
    text = files(__package__).joinpath("signals.tsv").read_text("utf-8")
    rows = [line.split("\t") for line in text.splitlines() if line and not line.startswith("#")]
    return [(task, _pattern(pattern), words) for task, pattern, words in rows]


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(re.escape(text).replace("…", ".*"))


_FOUND_BY = ("sentence score", "paragraph score", "keywords")
_WHOLE, _SAME = "(statement)", "the same for every statement"


class Reason(NamedTuple):
    """What something (a name of the statement; "" for the whole) adds to a score, by families of signals.

    `link` is what the index calls a name that stands there otherwise, `counted` what was counted of it, in words.
    """

    name: str
    value: float | None
    parts: list[Part]
    link: str = ""
    counted: Sequence[str] = ()


def reasons_of(task: Task, signals: Mapping[str, Any], weights: Mapping[str, float], unweighted: bool) -> list[Reason]:
    """The signals of a candidate; of the method `names` a reason a name, statement by statement."""
    if "features" in signals:
        added = {name: number(value) for name, value in signals["features"].items()}
        rest = {name: value for name, value in signals.items() if name != "features"}
        return [Reason("", None, parts(task, added)), *reasons_of(task, rest, weights, unweighted)]
    if "pairs" in signals:
        return [Reason(f"{pair}, {_likely(value)}", number(value), []) for pair, value in signals["pairs"].items()]
    if "statements" not in signals:
        plain = {name: number(value) for name, value in signals.items() if isinstance(value, int | float)}
        added = {name: value * weights.get(name, 0.0) for name, value in plain.items()} if weights else plain
        return [Reason("before weights" if unweighted else "", None, parts(task, added))] if plain else []
    found = []
    for statement in signals["statements"]:
        if len(signals["statements"]) > 1:
            found.append(Reason(_claim(statement), number(statement.get("log probability", statement["score"])), []))
        for name, added in sorted(statement.get("names", {}).items(), key=lambda item: -abs(item[1]["sum"])):
            each = {signal: number(value) for signal, value in added.items() if signal != "sum"}
            if name == _WHOLE:  # its signals are but the constants of signals that say nothing
                called = "to begin with" if len(statement["names"]) > 1 else "the book knows none of its names"
                found.append(Reason(called, number(added["sum"]), [Part(_SAME, number(added["sum"]))]))
                continue
            said, linked = _called(name, statement)
            counted = _counted(name, statement)
            found.append(Reason(said, number(added["sum"]), parts(task, each), linked, counted))
    return found


def _called(name: str, statement: Mapping[str, Any]) -> tuple[str, str]:
    """How a statement calls a judged name, and the name of the index that it was linked to where that is another."""
    start, end = (statement.get("places") or {}).get(name, (0, 0))
    said = str(statement.get("text", ""))[int(start) : int(end)]
    return said or name.strip("“”"), link(said, name) if said else ""


def _counted(name: str, statement: Mapping[str, Any]) -> list[str]:
    own = (statement.get("counted") or {}).get(name)
    return counted_words(own, lambda other: _called(other, statement)[0]) if own else []


def _claim(statement: Mapping[str, Any]) -> str:
    """A statement, and how likely it is what a choice claims of it."""
    text = str(statement.get("text", ""))
    if statement.get("claimed") is None:
        return text
    return f"is {'true' if statement['claimed'] else 'false'}, {_likely(statement['log probability'])}: {text}"


def true_likely(statement: Mapping[str, Any]) -> float:
    """The probability that a statement is true, from that of what a choice claims of it."""
    claimed = math.exp(min(number(statement["log probability"]), 0.0))
    return claimed if statement["claimed"] else 1 - claimed


def _likely(log_probability: Any) -> str:
    return f"{math.exp(min(number(log_probability), 0.0)):.0%} likely"


def reasons_of_concepts(one: Mapping[str, Any]) -> list[Reason]:
    """What the concepts in a sentence are worth, which add up to its score, and how the search had found it."""
    signals = one.get("signals") or {}
    terms = {str(term): number(value) for found in one.get("evidence") or () for term, value in found["terms"].items()}
    ordered = sorted(terms.items(), key=lambda item: -item[1])
    covers = [Part(word, value) for word, value in in_words(dict(ordered), str(one.get("text", ""))).items() if value]
    found = parts(tasks()["ntcir-essay"], {name: number(signals[name]) for name in _FOUND_BY if name in signals})
    return [
        *([Reason("what it covers", number(one.get("score") or 0.0), covers)] if covers else []),
        *([Reason("how it was found", None, found)] if found else []),
    ]


_OTHERS = 3


def counted_words(counted: Mapping[str, Any], say: Callable[[str], str]) -> list[str]:
    """Lines on one name of a trace's `counted`; `say` gives what the statement calls a name."""
    shown = list(counted["beside"])[:_OTHERS]
    beside = [
        _beside(say(str(other)), int(paragraphs), number(times), int(sections))
        for other, paragraphs, times, sections in shown
        if paragraphs or sections
    ]
    never = [say(str(other)) for other, paragraphs, _, sections in shown if not paragraphs and not sections]
    led, held = map(number, counted["led"])
    rivals = ", ".join(_rival(str(name), number(ahead)) for name, ahead in counted.get("rivals", ()))
    return [
        *(["stands together with " + ", ".join(beside)] if beside else []),
        *(["never stands together with " + ", ".join(never)] if never else []),
        f"stands in {led:.0%} of what the rest of the statement leads to (in {held:.1%} of the book)",
        *([f"others of its kind there: {rivals}"] if rivals else []),
    ]


def _beside(name: str, paragraphs: int, times: float, sections: int) -> str:
    if paragraphs:
        return f"{name} in {paragraphs} paragraph{'s' * (paragraphs > 1)} ({times:.2g} times chance)"
    return f"{name} only in {sections} section{'s' * (sections > 1)}"


def _rival(name: str, ahead: float) -> str:
    return f"{name.removeprefix('y:')} (fits {'worse' if ahead >= 0 else 'better'} by {abs(ahead):.2g})"
