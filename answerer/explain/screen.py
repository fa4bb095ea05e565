"""One question of a trace as a screen of text: what was answered, how clearly, and why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from answerer.explain.why import made_of, why
from answerer.page.drawn import NO_GOLD, Candidate, Drawn, Gold
from answerer.page.pieces import text_of
from indexer.cli.columns import bar, columns, padded, shortened, wrapped
from indexer.cli.screen import Line, Run, Style

_BAR = 18
_SHOWN = 6  # candidates listed; the answer and the gold always are
_ALL = 8  # candidates up to which all are listed
_EXPLAINED = 3  # candidates whose reasons are told
_ASKED_LINES = 4  # of one line of the question
_QUESTION_LINES = 10
_TEXT_LINES = 2
_WRITTEN_LINES = 12
_SHORT_ID = 4
_ASKS = {"T": "asks for the true", "F": "asks for the false"}


def question_screen(name: str, drawn: Drawn, gold: Gold, width: int) -> Iterator[Line]:
    """The lines of a question. `gold` is `NO_GOLD` where nothing says what is right."""
    yield _head(name, drawn, gold, width)
    yield from _asked(drawn, width)
    yield []
    yield from _answers(drawn, gold, width)
    yield from _candidates(drawn, width)
    yield from made_of(drawn.sentences, width)
    explained = [] if drawn.sentences else [one for one in drawn.candidates if one.chosen] or drawn.candidates[:1]
    if gold != NO_GOLD and not drawn.written and not is_right(drawn, gold):
        explained += [one for one in drawn.candidates if one.gold and not one.chosen]
    told: set[str] = set()
    for one in explained[:_EXPLAINED]:
        yield from why(one, _called(drawn, one), width, told)


def _asked(drawn: Drawn, width: int) -> Iterator[Line]:
    """The question, the line of the paper that it stands in, and what else the row tells."""
    asked = [line for part in text_of(drawn.text).splitlines() for line in _lines(part, width, _ASKED_LINES)]
    for line in asked[:_QUESTION_LINES]:
        yield [Run(line)]
    if len(asked) > _QUESTION_LINES:
        yield [Run(f"… and {len(asked) - _QUESTION_LINES} more lines", "dim")]
    for around in drawn.around[:1]:
        for line in _lines(f"… {text_of(around)}", width, _TEXT_LINES):
            yield [Run(line, "dim")]
    for label, said in drawn.facts:
        for line in _lines(f"{label}: {said}", width, 1):
            yield [Run(line, "dim")]
    for note in drawn.notes:
        for line in _lines(f"note: {note}", width, _TEXT_LINES):
            yield [Run(line, "accent")]


def is_right(drawn: Drawn, gold: Gold) -> bool:
    """Whether what was answered is right: the candidates chosen, or the texts where these are no candidates."""
    chosen = [one for one in drawn.candidates if one.chosen]
    if gold.candidate_ids:
        return bool(chosen) and all(one.gold for one in chosen)
    return bool(drawn.answer) and all(gold.holds("", text) for text in drawn.answer.split(" / "))


def _head(name: str, drawn: Drawn, gold: Gold, width: int) -> Line:
    """The question's name, right or wrong, how clear the answer was, and what was asked for where there is room."""
    found = []
    if gold != NO_GOLD and not drawn.written:
        found.append(Run("✓ right", "right") if is_right(drawn, gold) else Run("✗ wrong", "wrong"))
    if drawn.margin is not None and drawn.margin < 0:
        found.append(Run(f"{_plain(-drawn.margin)} below the best", "accent"))
    elif drawn.margin is not None:
        said = f"margin {_plain(drawn.margin)}"
        found.append(Run(f"a coin toss, {said}", "accent") if drawn.unsure else Run(said))
    kind = ", ".join(filter(None, (drawn.shape, _ASKS.get(drawn.asks, ""))))
    found += [Run(kind, "dim")] if kind else []
    line = [Run(shortened(name, width // 2), "strong")]
    for run in found:
        if sum(columns(one.text) for one in (*line, run)) + 2 <= width:
            line += [Run("  "), run]
    return line


def _answers(drawn: Drawn, gold: Gold, width: int) -> Iterator[Line]:
    """The answer and the gold in words, where no mark among the candidates says them."""
    if drawn.written:
        yield from _labelled("our answer", text_of(drawn.written), width, _WRITTEN_LINES, "")
        for text in list(gold.texts)[:1]:
            yield from _labelled("gold", text, width, _WRITTEN_LINES, "right")
        return
    if not any(one.chosen for one in drawn.candidates):
        yield from _labelled("our answer", drawn.answer or "none", width, _TEXT_LINES, "strong")
    if gold.texts and not any(one.gold for one in drawn.candidates):
        said = " / ".join(gold.texts) + (" (no candidate)" if drawn.candidates else "")
        yield from _labelled("gold", said, width, _TEXT_LINES, "right")


def _labelled(label: str, text: str, width: int, most: int, style: Style) -> Iterator[Line]:
    for number, line in enumerate(wrapped(text, [width - 12], most)):
        yield [Run(padded("" if number else label, 12), "dim"), Run(line, style)]


def _candidates(drawn: Drawn, width: int) -> Iterator[Line]:
    given = drawn.candidates
    if drawn.written:
        return
    zero, low, high = _scale([one.score for one in given])
    names = {id(one): _called(drawn, one) for one in given}
    shown = [one for n, one in enumerate(given) if len(given) <= _ALL or n < _SHOWN or one.chosen or one.gold]
    wide = max([len(names[id(one)]) for one in shown], default=0)
    for one in shown:
        mark: Style = "right" if one.gold else "accent" if one.chosen else ""
        head = f"{'▸' if one.chosen else ' '}{'★' if one.gold else ' '} {padded(names[id(one)], wide, right=True)} "
        score = _signed(one.score) if min(low, one.score) < 0 else _plain(one.score)
        before = f"{head}{bar(one.score - zero, low - zero, high - zero, _BAR)} {score:>7}  "
        indent = columns(before)
        for number, line in enumerate(wrapped(_worded(one, drawn.shape), [width - indent], _TEXT_LINES)):
            style: Style = "strong" if one.chosen or one.gold else ""
            yield [Run(" " * indent if number else before, mark), Run(line, style)]
    if len(shown) < len(given):
        yield [Run(f"   and {len(given) - len(shown)} more", "dim")]
    if any(one.chosen for one in shown):
        yield [Run("▸ our answer" + ("   ★ gold" if any(one.gold for one in shown) else ""), "dim")]


def _scale(scores: Sequence[float]) -> tuple[float, float, float]:
    """Where bars begin, and the least and the greatest that they show: from 0, or from below where all are negative.

    So the longest bar is that of the best, also of log probabilities.
    """
    low, high = min(scores, default=0.0), max(scores, default=0.0)
    if high > 0 or low == high:
        return 0.0, min(0.0, low), max(0.0, high)
    zero = low - (high - low) / _BAR
    return zero, zero, high


def _called(drawn: Drawn, one: Candidate) -> str:
    """The number of a choice; of a candidate with a long id, its rank."""
    if all(0 < len(other.candidate_id) <= _SHORT_ID for other in drawn.candidates):
        return one.candidate_id
    return str(1 + next(place for place, other in enumerate(drawn.candidates) if other is one))


def _worded(one: Candidate, shape: str) -> str:
    """A fact, or a candidate's text; of essays that are judged with the file that each is from."""
    if one.fact:
        return " → ".join(one.fact)
    return f"{one.candidate_id}: {text_of(one.text)}" if shape == "evaluation method" else text_of(one.text)


def _lines(text: str, width: int, most: int) -> Sequence[str]:
    return [shortened(line, width) for line in wrapped(text, [width], most)]


def _plain(value: float) -> str:
    return f"{value:.2f}" if abs(value) >= 0.1 or value == 0 else f"{value:.2g}"


def _signed(value: float) -> str:
    return ("−" if value < 0 else "+") + _plain(abs(value))
