"""`python -m evaluation explain TRACE`: the reasons for the answers of a run, a screen of text for
each question."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import click

from answerer.page.drawn import NO_GOLD, Candidate, Drawn, DrawnTable, Gold, Kind, Reason, draw_row
from answerer.page.pieces import MarkedPiece, Pieces, text_of
from answerer.trace import read_trace
from evaluation.registry import SHEET_TASKS, tasks
from evaluation.report.data import match_rows
from evaluation.tasks import results
from evaluation.tasks.results import Reported, ReportedQuestion
from indexer.cli.screen import bar, columns, pad, shorten, wrap
from indexer.cli.screen import width as screen_width
from indexer.cli.types import Command, InputFile, PlainText
from indexer.files.errors import UserError, bad_input, visible
from indexer.files.messages import first_few
from indexer.languages.registry import LANGUAGES

# The answer is printed in [brackets], cells that led to it or have words of the question in
# ‹angles›.
_MARKS: dict[Kind, str] = {
    "": "{}",
    "label": "{}",
    "used": "‹{}›",
    "answer": "[{}]",
    "matched": "‹{}›",
}
_GAP = "  "
_WIDEST = 24  # columns of the terminal for a column of the table
_NARROWEST = 6  # columns that it keeps, fewer of which show no word


def paragraph(
    text: str, width: int, most: int, lead: str = "", indent: int = -1, after: str = ""
) -> Iterator[str]:
    """Yields a text as at most `most` lines of at most `width` columns; what does not fit is cut,
    with "…" at the end.

    `lead` begins the first line, also of an empty text; further lines are indented by `indent`
    columns, by default those of `lead`. `after` ends the last; every line leaves room for it.
    """
    indent = columns(lead) if indent < 0 else indent
    left = width - (columns(after) + len(_GAP) if after else 0)
    lines = wrap(text, [left - columns(lead), left - indent], most)
    if after:
        lines[-1] += _GAP + after
    yield lead + lines[0]
    yield from (" " * indent + line for line in lines[1:])


def table_lines(table: DrawnTable, width: int) -> Iterator[str]:
    """Yields a table's title (if any), headings and rows as lines of at most `width` columns of the
    terminal.

    Table columns that do not fit are narrowed, then left out from the right; texts are cut with
    "…", and of a heading `A / B` that is too long only `B` is shown.
    """
    if title := " ".join(filter(None, (table.title, table.whole and f"({table.whole})"))):
        yield shorten(title, width)
    widths = _table_widths(table, width)
    # Of a path of headings that is too long the last part, in which neighbours differ.
    heads = [
        cell._replace(text=cell.text.rpartition(" / ")[2]) if columns(cell.text) > size else cell
        for cell, size in zip(table.heads, widths, strict=False)
    ]
    for row in (heads, *table.rows):
        yield "".join(
            pad(
                _MARKS[cell.kind].format(shorten(cell.text, size - len(_MARKS[cell.kind]) + 2)),
                size,
            )
            + _GAP
            for cell, size in zip(row, widths, strict=False)
        )


def _table_widths(table: DrawnTable, width: int) -> list[int]:
    """The widths of the columns of a table in `width` columns of the terminal: 6 to 24 as their
    texts need; if they do not fit, the widest are narrowed down to 6, then the last left out."""
    needed = (
        max(columns(_MARKS[cell.kind].format(cell.text)) for cell in column)
        for column in zip(table.heads, *table.rows, strict=False)
    )
    widths = [min(_WIDEST, max(_NARROWEST, size)) for size in needed]
    while sum(widths) + len(_GAP) * len(widths) > width and max(widths, default=0) > _NARROWEST:
        widths[widths.index(max(widths))] -= 1
    while widths and sum(widths) + len(_GAP) * len(widths) > width:
        widths.pop()
    return widths


# What is shown of a candidate, so that a question fits on a screen.
_NAMES = 4  # reasons of a candidate that makes one statement
_NAMES_EACH = 2  # of each statement of a candidate that makes several
_REASONS = 3  # families of features of a reason
_TERMS = 6  # matched terms
_PASSAGE_LINES = 3
_MARGIN = "  "


def why(candidate: Candidate, name: str, width: int, shown: set[str]) -> Iterator[str]:
    """Yields, under the heading `why NAME`, what the trace says of a candidate (but its verdict),
    its table, reasons, matched terms and first passage; nothing if it has none of these.

    A second passage follows if one says its relation to the answer. Statements and `doc_id`s of
    passages in `shown` are not repeated, and those shown here are added to it.
    """
    lines = [
        line
        for pieces in candidate.said
        if not is_verdict(pieces)
        for line in paragraph(text_of(pieces), width, 2, _MARGIN)
    ]
    if candidate.table:
        lines += (_MARGIN + line for line in table_lines(candidate.table, width - columns(_MARGIN)))
    lines += _reasons_lines(candidate.reasons, width, shown)
    # The matched terms of a candidate that is its own evidence, each once ignoring case.
    terms: dict[str, MarkedPiece] = {}
    for piece in candidate.text:
        if isinstance(piece, MarkedPiece) and piece.kind == "term":
            terms.setdefault(piece.text.lower(), piece)
    if terms:
        values = {piece.text: piece.value for piece in terms.values()}
        lines += paragraph(f"matched: {_by_value(values)}", width, 2, _MARGIN)
    # The first passage, or the first two if some say their relation to the answer.
    most = 2 if any(passage.says for passage in candidate.passages) else 1
    for passage in candidate.passages[:most]:
        if passage.doc_id not in shown:
            shown.add(passage.doc_id)
            says = f"{passage.says}: " if passage.says else ""
            if passage.text:
                quoted = f"{says}“{text_of(passage.text)}”"
                lines += paragraph(quoted, width, _PASSAGE_LINES, _MARGIN)
            matched = f" · matched: {_by_value(passage.terms)}" if passage.terms else ""
            lines += _source_lines(passage.title, passage.doc_id, matched, width)
    if lines:
        yield from ("", f"why {name}", *lines)


def _reasons_lines(reasons: Sequence[Reason], width: int, shown: set[str]) -> Iterator[str]:
    """Yields the lines of the first 4 reasons or, if there are statements, of each statement and
    the first 2 reasons behind it, without what they counted.

    A statement in `shown` is left out with its reasons; the others are added to `shown`.
    """
    statements = any(map(_is_statement, reasons))
    left = most = _NAMES_EACH if statements else _NAMES
    for reason in reasons:
        if _is_statement(reason):
            left = 0 if reason.name in shown else most
            if left and reason.value is not None:
                shown.add(reason.name)
                yield from paragraph(
                    reason.name, width, 2, _MARGIN, after=signed_number(reason.value)
                )
        elif left:
            left -= 1
            yield from _reason_lines(reason._replace(counted=()) if statements else reason, width)


def _is_statement(reason: Reason) -> bool:
    """Whether a reason is a statement, which the reasons for it follow: it has a value and no
    parts."""
    return not reason.parts and reason.value is not None


def _reason_lines(reason: Reason, width: int) -> Iterator[str]:
    """Yields the lines of one reason: its name, its value, the first 3 feature families that it
    consists of with their values, the sum of further ones, and what was counted.

    Of a reason without a value, which is for the whole candidate, only name and families, in at
    most two lines.
    """
    families = [f"{part.words} {signed_number(part.value)}" for part in reason.parts[:_REASONS]]
    if rest := reason.parts[_REASONS:]:
        families.append(f"all else {signed_number(sum(part.value for part in rest))}")
    text = " · ".join(families)
    if reason.value is None:
        name = f"{reason.name}: " if reason.name else ""
        yield from paragraph(name + text, width, 2, _MARGIN)
        return
    name = f"{reason.name} → {reason.link}" if reason.link else reason.name
    head = f"{_MARGIN}{name}{_GAP}{signed_number(reason.value)}{_GAP}"
    below = _MARGIN * 2
    if columns(head) > width - columns(_MARGIN) - 20:
        yield head
        head = below
    yield from paragraph(text, width, 2, head, columns(below))
    for counted in reason.counted:
        yield from paragraph(counted, width, 2, below)


def _source_lines(title: str, doc_id: str, more: str, width: int) -> Iterator[str]:
    """Yields one or two lines that say where a passage is from (title and id), with `more` behind
    that."""
    source = " · ".join(filter(None, (title, doc_id)))
    return paragraph(f"— {source}{more}", width, 2, _MARGIN)


def _by_value(terms: dict[str, float]) -> str:
    """The 6 terms with the highest values, these with two significant digits, as `term value, …`;
    "…" at the end if there are more. Ties in the order of `terms`."""
    ordered = sorted(terms.items(), key=lambda item: -item[1])
    return ", ".join(f"{term} {value:.2g}" for term, value in ordered[:_TERMS]) + (
        "…" if len(ordered) > _TERMS else ""
    )


def signed_number(value: float) -> str:
    """A number with its sign, `+0.00` or `−3.40`: two decimals, two significant digits below 0.095
    (`+0.0012`)."""
    size = abs(value)
    return ("−" if value < 0 else "+") + (
        f"{size:.2f}" if size >= 0.095 or size == 0 else f"{size:.2g}"
    )


def _plain(value: float) -> str:
    """A number, a negative one with "-": two decimals, two significant digits below 0.1."""
    return f"{value:.2f}" if abs(value) >= 0.1 or value == 0 else f"{value:.2g}"


_BAR = 18  # columns of the longest bar
_SHOWN = 6  # candidates listed; the answer and the gold always are
_ALL = 8  # candidates up to which all are listed
_EXPLAINED = 3  # candidates whose reasons are shown
_ASKED_LINES = 4  # of one line of the question
_QUESTION_LINES = 10
_TEXT_LINES = 2
_VERDICT_LINES = 3  # of each choice
_WRITTEN_LINES = 12  # of an essay
_SHORT_ID = 4  # characters up to which an id is shown instead of the rank
_ASKS = {"T": "which is right", "F": "which is wrong"}


def question_screen(name: str, drawn: Drawn, gold: Gold, width: int) -> Iterator[str]:
    """Yields the lines of a question on the terminal, `name` first; `gold` is `NO_GOLD` if the
    right answer is not known. At most three candidates are explained."""
    # Ids are names if all of them are short.
    short = all(0 < len(candidate.candidate_id) <= _SHORT_ID for candidate in drawn.candidates)
    names = {
        id(candidate): candidate.candidate_id if short else str(rank)
        for rank, candidate in enumerate(drawn.candidates, 1)
    }
    yield _head(name, drawn, gold, width)
    yield from _asked_lines(drawn, width)
    yield ""
    yield from _answer_lines(drawn, gold, width)
    yield from _verdict_lines(drawn, names, width)
    if not drawn.written:
        yield from _candidate_lines(drawn, names, width)
    yield from _sentence_lines(drawn, width)
    shown: set[str] = set()
    for candidate in _candidates_to_explain(drawn, gold)[:_EXPLAINED]:
        yield from why(candidate, names[id(candidate)], width, shown)


def is_right(drawn: Drawn, gold: Gold) -> bool:
    """Whether the answer is right: all chosen candidates are gold or, if the gold has no ids of
    candidates, the answer, or each of its parts between " / ", is a gold text. False without an
    answer."""
    chosen = [candidate for candidate in drawn.candidates if candidate.chosen]
    if gold.candidate_ids:
        return bool(chosen) and all(candidate.gold for candidate in chosen)
    if not drawn.answer:
        return False
    # " / " joins several answers, and may be inside one.
    return gold.holds("", drawn.answer) or all(
        gold.holds("", text) for text in drawn.answer.split(" / ")
    )


def _head(name: str, drawn: Drawn, gold: Gold, width: int) -> str:
    """The first line of a question: its name (cut to half the width), right or wrong (if the gold
    is known, not of an essay), the probability or else the margin, and the kind of question.

    Each is left out if it does not fit. A negative margin replaces a probability.
    """
    marks = []
    if gold != NO_GOLD and not drawn.written:
        marks.append("✓ right" if is_right(drawn, gold) else "✗ wrong")
    if drawn.margin is not None and drawn.margin < 0:
        marks.append(f"{_plain(-drawn.margin)} below the best")
    elif drawn.probability is not None:
        marks.append(f"{'unsure' if drawn.unsure else 'sure'}: {drawn.probability:.0%}")
    elif drawn.margin is not None:
        marks.append(f"{'unsure, ' if drawn.unsure else ''}margin {_plain(drawn.margin)}")
    if kind := ", ".join(filter(None, (drawn.shape, _ASKS.get(drawn.asks, "")))):
        marks.append(kind)
    line = shorten(name, width // 2)
    for mark in marks:
        if columns(line + _GAP + mark) <= width:
            line += _GAP + mark
    return line


def _asked_lines(drawn: Drawn, width: int) -> Iterator[str]:
    """Yields the question's text (at most 10 lines, 4 of a paragraph, then how many more), the line
    of the paper around it, its items, facts and notes."""
    lines = [
        line
        for part in text_of(drawn.text).splitlines()
        for line in paragraph(part, width, _ASKED_LINES)
    ]
    yield from lines[:_QUESTION_LINES]
    if len(lines) > _QUESTION_LINES:
        yield f"… and {len(lines) - _QUESTION_LINES} more lines"
    for around in drawn.around[:1]:  # the line of the paper that contains the question
        yield from paragraph(f"… {text_of(around)}", width, _TEXT_LINES)
    for item in drawn.items:
        yield from paragraph(text_of(item), width, _TEXT_LINES)
    for label, value in drawn.facts:
        yield from paragraph(f"{label}: {value}", width, 1)
    for note in drawn.notes:
        yield from paragraph(f"note: {note}", width, _TEXT_LINES)


def _answer_lines(drawn: Drawn, gold: Gold, width: int) -> Iterator[str]:
    """Yields the answer ("none" if empty) and the gold in words, each only if no candidate is
    marked as it; of an essay always, with the first gold text."""
    ours, right = "our answer  ", "gold        "
    if drawn.written:
        yield from paragraph(text_of(drawn.written), width, _WRITTEN_LINES, ours)
        for text in list(gold.texts)[:1]:
            yield from paragraph(text, width, _WRITTEN_LINES, right)
        return
    if not any(candidate.chosen for candidate in drawn.candidates):
        yield from paragraph(drawn.answer or "none", width, _TEXT_LINES, ours)
    if gold.texts and not any(candidate.gold for candidate in drawn.candidates):
        text = " / ".join(gold.texts) + (" (no candidate)" if drawn.candidates else "")
        yield from paragraph(text, width, _TEXT_LINES, right)


def _verdict_lines(drawn: Drawn, names: Mapping[int, str], width: int) -> Iterator[str]:
    """Yields the candidates that have a verdict, with it, the chosen ones first, each in at most
    `_VERDICT_LINES` lines (a long candidate leaves no room for its verdict), and an empty line;
    nothing if none has."""
    judged = [
        (candidate, verdict)
        for candidate in drawn.candidates
        for verdict in candidate.said[:1]
        if is_verdict(verdict)
    ]
    for candidate, verdict in sorted(judged, key=lambda pair: not pair[0].chosen):
        text = f"{names[id(candidate)]} {text_of(candidate.text)} — {text_of(verdict)}"
        yield from paragraph(text, width, _VERDICT_LINES)
    if judged:
        yield ""


def is_verdict(line: Pieces) -> bool:
    """Whether a line about a candidate is the verdict of a method of multiple choice: its first
    piece is marked so."""
    return bool(line) and isinstance(line[0], MarkedPiece) and line[0].kind == "verdict"


def _candidate_lines(drawn: Drawn, names: Mapping[int, str], width: int) -> Iterator[str]:
    """Yields the candidates, called by `names` (by Python's `id` of them), with their scores as
    bars, marks for the answer and the gold, and a key to the marks if there is an answer.

    Of more than 8 the first 6, the answer and the gold, and the number of others.
    """
    first = len(drawn.candidates) if len(drawn.candidates) <= _ALL else _SHOWN
    shown = [
        candidate
        for rank, candidate in enumerate(drawn.candidates)
        if rank < first or candidate.chosen or candidate.gold
    ]
    zero, low, high = _scale([candidate.score for candidate in drawn.candidates])
    widest = max([len(names[id(candidate)]) for candidate in shown], default=0)
    for candidate in shown:
        marks = ("▸" if candidate.chosen else " ") + ("★" if candidate.gold else " ")
        score = _plain(candidate.score)
        if min(low, candidate.score) < 0:
            score = ("−" if candidate.score < 0 else "+") + _plain(abs(candidate.score))
        drawn_bar = bar(candidate.score - zero, low - zero, high - zero, _BAR)
        name = pad(names[id(candidate)], widest, right=True)
        text = " → ".join(candidate.fact) or text_of(candidate.text)
        if drawn.shape == "evaluation method":  # judged essays are known by their file names
            text = f"{candidate.candidate_id}: {text}"
        yield from paragraph(text, width, _TEXT_LINES, f"{marks} {name} {drawn_bar} {score:>7}  ")
    if len(shown) < len(drawn.candidates):
        yield f"   and {len(drawn.candidates) - len(shown)} more"
    if any(candidate.chosen for candidate in shown):
        yield "▸ our answer" + ("   ★ key" if any(candidate.gold for candidate in shown) else "")


def _scale(scores: Sequence[float]) -> tuple[float, float, float]:
    """The score at which bars begin, and the lowest and the highest that they show: 0, which these
    two include. Bars of different scores without a positive one, as log probabilities, begin below
    the lowest, so that the best has the longest."""
    low, high = min(scores, default=0.0), max(scores, default=0.0)
    if high > 0 or low == high:
        return 0.0, min(0.0, low), max(0.0, high)
    zero = low - (high - low) / _BAR
    return zero, zero, high


def _sentence_lines(drawn: Drawn, width: int) -> Iterator[str]:
    """Yields the sentences that an essay is made of, with their sources and up to 6 terms that each
    is the first to cover; nothing without."""
    if drawn.sentences:
        yield from ("", "made of")
    for number, sentence in enumerate(drawn.sentences, 1):
        yield from paragraph(f"{number}. {text_of(sentence.text)}", width, 2, _MARGIN)
        covers = ", ".join(f"{part.words} {part.value:.2g}" for part in sentence.covers[:_TERMS])
        more = f" · first to cover: {covers}" if covers else ""
        yield from _source_lines(sentence.title, sentence.doc_id, more, width)


def _candidates_to_explain(drawn: Drawn, gold: Gold) -> list[Candidate]:
    """The candidates that are explained: the chosen ones or, without any, the first, then the right
    ones of a wrong answer; none of an essay with sentences, which are shown."""
    candidates: list[Candidate] = []
    if not drawn.sentences:
        chosen = [candidate for candidate in drawn.candidates if candidate.chosen]
        candidates = chosen or list(drawn.candidates[:1])
    if gold != NO_GOLD and not drawn.written and not is_right(drawn, gold):
        candidates += [
            candidate
            for candidate in drawn.candidates
            if candidate.gold and candidate not in candidates
        ]
    return candidates


def read_golds(task: str, path: Path, language: str = "") -> list[ReportedQuestion]:
    """Reads the gold of a task from a file, or a folder if the task allows; of a bilingual sheet
    the answers in `language` (a code).

    Raises UserError if the task has no gold that marks right answers, for a folder if it does not
    allow one, and for a malformed file.
    """
    if task in SHEET_TASKS:
        module: ModuleType | None = results
    elif task in tasks():
        module = import_module(tasks()[task][0])
    else:
        module = None
    gold = getattr(module, "gold", None)
    if gold is None:
        raise UserError(f"--gold: answers of {task!r} have no gold; omit --gold")
    if path.is_dir() and not getattr(module, "GOLD_IN_FOLDERS", False):
        raise UserError(f"{path}: is a folder; --gold must be a file")
    return list(gold(path, LANGUAGES.get(language)))


@click.command(
    cls=Command,
    example="evaluate explain exam.run.jsonl --question A5 --gold samples/sample-exam-en.gold.xml",
)
@click.argument("trace", metavar="TRACE.jsonl", type=InputFile())
@click.option(
    "--question",
    "question_ids",
    multiple=True,
    metavar="ID",
    type=PlainText(),
    help="A question to explain [all, one after another].",
)
@click.option(
    "--gold",
    metavar="GOLD",
    type=InputFile(inside=("**/*.xml",)),
    help="The right answers: marked, and told.",
)
def command(trace: Path, question_ids: tuple[str, ...], gold: Path | None) -> None:
    """Explain each answer, on a screen of the terminal.

    TRACE is what a task wrote with --trace. A screen shows what was asked, the choices or
    candidates with their scores as bars, how clearly the answer came first, and the strongest
    reasons in words with a passage.
    """
    header, rows = read_trace(trace)
    if not rows:
        raise bad_input(trace, None, "no question in it", "expected a trace written with --trace")
    golds = read_golds(str(header.get("task")), gold, str(header.get("language"))) if gold else []
    matched = match_rows(Reported("", golds), rows, trace) if gold else []
    right_of = {
        id(row): Gold(question.gold, question.gold_ids)
        for question, row in zip(golds, matched, strict=True)
        if row
    }
    # Questions of several exams are called by exam and id.
    several = len({row.exam for row in rows}) > 1
    ids = [f"{row.exam} {row.question_id}".strip() if several else row.question_id for row in rows]
    entries = [
        (name, row, right_of.get(id(row), NO_GOLD)) for name, row in zip(ids, rows, strict=True)
    ]
    chosen = [] if question_ids else entries
    for question_id in question_ids:
        matching = [entry for entry in entries if question_id in (entry[0], entry[1].question_id)]
        if not matching:
            raise UserError(f"{trace}: no question {question_id!r}; it has {first_few(ids)}")
        chosen += matching
    width = screen_width()
    drawn = [(name, draw_row(header, row, right), right) for name, row, right in chosen]
    lines = [] if question_ids else [_summary(header, [pair[1:] for pair in drawn]), ""]
    for number, (name, answer, right) in enumerate(drawn):
        lines += ["", "─" * width] if number else []
        lines += question_screen(name, answer, right, width)
    for line in lines:
        print(visible(line).rstrip(" "))


def _summary(header: Mapping[str, Any], answers: Sequence[tuple[Drawn, Gold]]) -> str:
    """The line above all questions: task, method and index, how many questions there are, how many
    of those with gold (but essays) are right, and how many unsure, if any."""
    counts = [f"{len(answers)} question{'s' * (len(answers) != 1)}"]
    judged = [is_right(*pair) for pair in answers if pair[1] != NO_GOLD and not pair[0].written]
    if judged:
        counts.append(f"{sum(judged)} of {len(judged)} right")
    if unsure := sum(answer.unsure for answer, _ in answers):
        counts.append(f"{unsure} unsure")
    made_by = [str(header[name]) for name in ("task", "method", "index") if header.get(name)]
    return f"{' · '.join(made_by)}   {', '.join(counts)}"
