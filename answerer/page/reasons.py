"""What a score was made of, in words: names and their counts, signals by family, concepts, pairs of events."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from answerer.page.families import Part, number, parts
from answerer.page.links import link
from answerer.page.pieces import in_words

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


def reasons_of(task: str, signals: Mapping[str, Any], weights: Mapping[str, float], unweighted: bool) -> list[Reason]:
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


def _likely(log_probability: Any) -> str:
    return f"{math.exp(min(number(log_probability), 0.0)):.0%} likely"


def reasons_of_concepts(one: Mapping[str, Any]) -> list[Reason]:
    """What the concepts in a sentence are worth, which add up to its score, and how the search had found it."""
    signals = one.get("signals") or {}
    terms = {str(term): number(value) for found in one.get("evidence") or () for term, value in found["terms"].items()}
    ordered = sorted(terms.items(), key=lambda item: -item[1])
    covers = [Part(word, value) for word, value in in_words(dict(ordered), str(one.get("text", ""))).items() if value]
    found = parts("ntcir-essay", {name: number(signals[name]) for name in _FOUND_BY if name in signals})
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
