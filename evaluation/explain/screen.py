"""One question of a trace as a screen of text: what was answered, how clearly, and why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from answerer.page.drawn import NO_GOLD, Candidate, Cell, Drawn, EssaySentence, Gold, Kind, Passage, Table
from answerer.page.pieces import MarkedPiece, Pieces, text_of
from answerer.page.reasons import Reason, ReasonPart
from indexer.cli.screen import Line, Run, Style, bar, columns, pad, shorten, wrap

# A part of a table in columns of a terminal: the answer in [brackets], the cells that led to it in ‹angles›.
#
# In a table that is a candidate itself, cells that hold words of the question stand in ‹angles› too.

_MARKS: dict[Kind, str] = {"": "{}", "label": "{}", "used": "‹{}›", "answer": "[{}]", "matched": "‹{}›"}
_STYLES: dict[Kind, Style] = {"": "", "label": "", "used": "accent", "answer": "strong", "matched": "accent"}
_GAP = "  "
_WIDEST = 24
_NARROWEST = 6


def table_lines(table: Table, width: int) -> Iterator[Line]:
    """The title, the headings and the rows; columns that do not fit are narrowed, then left out from the right."""
    if table.title or table.whole:
        yield [
            Run(
                shorten(" ".join(filter(None, (table.title, f"({table.whole})" if table.whole else ""))), width),
                "dim",
            )
        ]
    lines = [table.heads, *table.rows]
    widths = _widths(lines, width)
    for number, line in enumerate(lines):
        found: Line = []
        for cell, own in zip(line, widths, strict=False):
            said = cell.text if number else _fitting(cell.text, own)
            text = _MARKS[cell.kind].format(shorten(said, own - len(_MARKS[cell.kind]) + 2))
            found += [Run(pad(text, own), _STYLES[cell.kind] or ("" if number else "dim")), Run(_GAP)]
        yield found


def _fitting(text: str, width: int) -> str:
    """A heading whose whole path does not fit is called by its last part, which tells it from its neighbours."""
    return text if columns(text) <= width else text.rpartition(" / ")[2]


def _widths(lines: Sequence[Sequence[Cell]], width: int) -> list[int]:
    wanted = [min(_WIDEST, max(_NARROWEST, *(map(_taken, column)))) for column in zip(*lines, strict=False)]
    while sum(wanted) + len(_GAP) * len(wanted) > width and max(wanted, default=0) > _NARROWEST:
        wanted[wanted.index(max(wanted))] -= 1
    while wanted and sum(wanted) + len(_GAP) * len(wanted) > width:
        wanted.pop()
    return wanted


def _taken(cell: Cell) -> int:
    return columns(_MARKS[cell.kind].format(cell.text))


_NAMES = 4  # reasons of a candidate; of each statement where it makes several
_NAMES_EACH = 2
_REASONS = 3
_TERMS = 6
_PASSAGE_LINES = 3
_INDENT = "  "


def why(one: Candidate, called: str, width: int, told: set[str]) -> Iterator[Line]:
    """The reasons of a candidate's score, strongest first; nothing where the trace tells none.

    `told` are the statements and passages that another candidate's reasons showed; they are not repeated, and those
    shown here are added.
    """
    body = [
        *(line for pieces in one.said if not is_verdict(pieces) for line in _indented(text_of(pieces), width, 2)),
        *([Run(_INDENT), *line] for line in (table_lines(one.table, width - len(_INDENT)) if one.table else ())),
        *_reasons(one.reasons, width, told),
        *_terms(one, width),
        *_passages(one.passages, width, told),
    ]
    if body:
        yield []
        yield [Run(f"why {called}", "strong")]
        yield from body


def made_of(sentences: Sequence[EssaySentence], width: int) -> Iterator[Line]:
    """The sentences of an essay, each with its source and what it is the first to cover."""
    if sentences:
        yield []
        yield [Run("made of", "strong")]
    for number, one in enumerate(sentences, 1):
        yield from _indented(f"{number}. {text_of(one.text)}", width, 2)
        source = " · ".join(filter(None, (one.title, one.doc_id)))
        covers = ", ".join(f"{part.words} {part.value:.2g}" for part in one.covers[:_TERMS])
        yield from _indented(f"— {source}" + (f" · first to cover: {covers}" if covers else ""), width, 2, "dim")


def _reasons(reasons: Sequence[Reason], width: int, told: set[str]) -> Iterator[Line]:
    """Of a choice of several statements each statement with its strongest names; else the strongest of all."""
    several = any(map(_is_statement, reasons))
    left = most = _NAMES_EACH if several else _NAMES
    for reason in reasons:
        if _is_statement(reason):
            left = 0 if reason.name in told else most
            if left:
                told.add(reason.name)
                yield from _indented(reason.name, width, 2, after=signed(reason.value or 0.0))
        elif left > 0:
            left -= 1
            yield from _reason(reason._replace(counted=()) if several else reason, width)


def _is_statement(reason: Reason) -> bool:
    return not reason.parts and reason.value is not None


def _reason(reason: Reason, width: int) -> Iterator[Line]:
    """What a name adds and why, in two lines or three; the whole of a candidate has no value of its own."""
    if reason.value is None:
        said = f"{reason.name}: " if reason.name else ""
        yield from _indented(said + _listed(reason.parts), width, 2)
        return
    head = [Run(_INDENT), Run(f"{reason.name} → {reason.link}" if reason.link else reason.name, "strong")]
    head += [Run("  "), Run(signed(reason.value), "right" if reason.value >= 0 else "wrong"), Run("  ")]
    used = sum(columns(run.text) for run in head)
    if used > width - len(_INDENT) - 20:
        yield head
        head, used = [Run(_INDENT * 2)], len(_INDENT) * 2
    indent = len(_INDENT) * 2
    for number, line in enumerate(wrap(_listed(reason.parts), [width - used, width - indent], 2)):
        yield [*head, Run(line, "dim")] if not number else [Run(" " * indent), Run(line, "dim")]
    for counted in reason.counted:
        for line in wrap(counted, [width - indent], 2):
            yield [Run(" " * indent), Run(line, "dim")]


def _listed(found: Sequence[ReasonPart]) -> str:
    """The strongest parts in words, and what the others come to together."""
    shown = [f"{part.words} {signed(part.value)}" for part in found[:_REASONS]]
    rest = sum(part.value for part in found[_REASONS:])
    return " · ".join([*shown, *([f"all else {signed(rest)}"] if len(found) > _REASONS else [])])


def _terms(one: Candidate, width: int) -> Iterator[Line]:
    """The matched terms of a candidate that is its own evidence, with what each gave, each once in whatever case."""
    found: dict[str, MarkedPiece] = {}
    for piece in one.text:
        if isinstance(piece, MarkedPiece) and piece.kind == "term":
            found.setdefault(piece.text.lower(), piece)
    if found:
        terms = {piece.text: piece.value for piece in found.values()}
        yield from _indented(f"matched: {_by_value(terms)}", width, 2, "dim")


def _passages(passages: Sequence[Passage], width: int, told: set[str]) -> Iterator[Line]:
    """The first passage, or of those that say what they have to do with the answer the first two; none told before."""
    for passage in passages[: 2 if any(one.says for one in passages) else 1]:
        if passage.doc_id in told:
            continue
        told.add(passage.doc_id)
        says = f"{passage.says}: " if passage.says else ""
        if passage.text:
            yield from _indented(f"{says}“{text_of(passage.text)}”", width, _PASSAGE_LINES)
        source = " · ".join(filter(None, (passage.title, passage.doc_id)))
        matched = f" · matched: {_by_value(passage.terms)}" if passage.terms else ""
        yield from _indented(f"— {source}{matched}", width, 2, "dim")


def _by_value(terms: dict[str, float]) -> str:
    ordered = sorted(terms.items(), key=lambda item: -item[1])
    return ", ".join(f"{term} {value:.2g}" for term, value in ordered[:_TERMS]) + ("…" if len(ordered) > _TERMS else "")


def _indented(text: str, width: int, most: int, style: Style = "", after: str = "") -> Iterator[Line]:
    lines = wrap(text, [width - len(_INDENT) - columns(after) - 2 if after else width - len(_INDENT)], most)
    for line in lines[:-1]:
        yield [Run(_INDENT), Run(line, style)]
    yield [Run(_INDENT), Run(lines[-1], style), *([Run("  "), Run(after)] if after else [])]


def signed(value: float) -> str:
    """A number with its sign, two decimals, more where it is small."""
    size = abs(value)
    return ("−" if value < 0 else "+") + (f"{size:.2f}" if size >= 0.095 or size == 0 else f"{size:.2g}")


_BAR = 18
_SHOWN = 6  # candidates listed; the answer and the gold always are
_ALL = 8  # candidates up to which all are listed
_EXPLAINED = 3  # candidates whose reasons are told
_ASKED_LINES = 4  # of one line of the question
_QUESTION_LINES = 10
_TEXT_LINES = 2
_VERDICT_LINES = 3
_WRITTEN_LINES = 12
_SHORT_ID = 4
_ASKS = {"T": "asks for the true", "F": "asks for the false"}


def question_screen(name: str, drawn: Drawn, gold: Gold, width: int) -> Iterator[Line]:
    """The lines of a question. `gold` is `NO_GOLD` where nothing says what is right."""
    yield _head(name, drawn, gold, width)
    yield from _asked(drawn, width)
    yield []
    yield from _answers(drawn, gold, width)
    yield from _verdicts(drawn, width)
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
    for item in drawn.items:
        yield from ([Run(line)] for line in _lines(text_of(item), width, _TEXT_LINES))
    for label, said in drawn.facts:
        for line in _lines(f"{label}: {said}", width, 1):
            yield [Run(line, "dim")]
    for note in drawn.notes:
        yield from ([Run(line, "accent")] for line in _lines(f"note: {note}", width, _TEXT_LINES))


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
    elif drawn.probability is not None:
        found.append(
            Run(f"{'unsure' if drawn.unsure else 'sure'}: {drawn.probability:.0%}", "accent" if drawn.unsure else "")
        )
    elif drawn.margin is not None:
        said = f"margin {_plain(drawn.margin)}"
        found.append(Run(f"a coin toss, {said}", "accent") if drawn.unsure else Run(said))
    kind = ", ".join(filter(None, (drawn.shape, _ASKS.get(drawn.asks, ""))))
    found += [Run(kind, "dim")] if kind else []
    line = [Run(shorten(name, width // 2), "strong")]
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


def is_verdict(said: Pieces) -> bool:
    """Whether a line about a candidate is the verdict of a method of multiple choice."""
    return bool(said) and isinstance(said[0], MarkedPiece) and said[0].kind == "verdict"


def _verdicts(drawn: Drawn, width: int) -> Iterator[Line]:
    """The verdict on each choice in words, our answer's first; an empty line after them, nothing without any."""
    judged = [(one, said) for one in drawn.candidates for said in one.said[:1] if is_verdict(said)]
    for one, said in sorted(judged, key=lambda pair: not pair[0].chosen):
        text = f"{_called(drawn, one)} {text_of(one.text)} — {text_of(said)}"
        style: Style = "strong" if one.chosen else ""
        yield from ([Run(line, style)] for line in _lines(text, width, _VERDICT_LINES))
    if judged:
        yield []


def _labelled(label: str, text: str, width: int, most: int, style: Style) -> Iterator[Line]:
    for number, line in enumerate(wrap(text, [width - 12], most)):
        yield [Run(pad("" if number else label, 12), "dim"), Run(line, style)]


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
        head = f"{'▸' if one.chosen else ' '}{'★' if one.gold else ' '} {pad(names[id(one)], wide, right=True)} "
        score = _signed(one.score) if min(low, one.score) < 0 else _plain(one.score)
        before = f"{head}{bar(one.score - zero, low - zero, high - zero, _BAR)} {score:>7}  "
        indent = columns(before)
        for number, line in enumerate(wrap(_worded(one, drawn.shape), [width - indent], _TEXT_LINES)):
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
    return [shorten(line, width) for line in wrap(text, [width], most)]


def _plain(value: float) -> str:
    return f"{value:.2f}" if abs(value) >= 0.1 or value == 0 else f"{value:.2g}"


def _signed(value: float) -> str:
    return ("−" if value < 0 else "+") + _plain(abs(value))
