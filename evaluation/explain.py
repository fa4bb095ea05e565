"""`python -m evaluation explain TRACE`: the reasons for the answers of a run, a screen of text for
each question."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path

import click

from answerer.page.drawn import NO_GOLD, Candidate, Drawn, DrawnTable, Gold, Kind, Reason, draw_row
from answerer.page.pieces import MarkedPiece, Pieces, text_of
from answerer.trace import read_trace
from evaluation.registry import SHEET_TASKS, SHEETS, tasks
from evaluation.report.data import match_rows
from evaluation.tasks.results import Reported, ReportedQuestion
from indexer.cli.screen import Line, Style, Text, bar, columns, pad, print_lines, shorten, wrap
from indexer.cli.screen import width as screen_width
from indexer.cli.types import Command, InputFile, PlainText
from indexer.files.errors import UserError, bad_input
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
_STYLES: dict[Kind, Style] = {"used": "accent", "answer": "strong", "matched": "accent"}
_GAP = "  "
_WIDEST = 24  # columns of the terminal for a column of the table
_NARROWEST = 6  # columns that it keeps, fewer of which show no word


def paragraph(
    text: str,
    width: int,
    most: int,
    style: Style = "",
    lead: Sequence[Text] = (),
    indent: int = -1,
    after: str = "",
) -> Iterator[Line]:
    """Yields a text as lines of at most `width` columns behind the runs `lead`, at most `most`;
    what does not fit is cut.

    Further lines are indented by `indent` columns, by default those of `lead`. The text `after` is
    behind the last.
    """
    used = sum(columns(run.text) for run in lead)
    indent = used if indent < 0 else indent
    left = width - (columns(after) + 2 if after else 0)
    lines = wrap(text, [left - used, left - indent], most)
    for number, line in enumerate(lines):
        runs = list(lead)
        if number:
            runs = [Text(" " * indent)] if indent else []
        runs.append(Text(line, style))
        if after and line is lines[-1]:
            runs += [Text(_GAP), Text(after)]
        yield runs


def table_lines(table: DrawnTable, width: int) -> Iterator[Line]:
    """Yields a table's title, headings and rows as lines of at most `width` columns of the
    terminal; table columns that do not fit are narrowed, then left out from the right."""
    if title := " ".join(filter(None, (table.title, table.whole and f"({table.whole})"))):
        yield [Text(shorten(title, width), "dim")]
    lines = [table.heads, *table.rows]
    needed = (
        max(columns(_MARKS[cell.kind].format(cell.text)) for cell in column)
        for column in zip(*lines, strict=False)
    )
    widths = [min(_WIDEST, max(_NARROWEST, size)) for size in needed]
    while sum(widths) + len(_GAP) * len(widths) > width and max(widths, default=0) > _NARROWEST:
        widths[widths.index(max(widths))] -= 1
    while widths and sum(widths) + len(_GAP) * len(widths) > width:
        widths.pop()
    for number, line in enumerate(lines):
        shown: Line = []
        for cell, column_width in zip(line, widths, strict=False):
            content = cell.text
            if (
                not number and columns(content) > column_width
            ):  # of a path of headings the last part, in which neighbours differ
                content = content.rpartition(" / ")[2]
            text = _MARKS[cell.kind].format(
                shorten(content, column_width - len(_MARKS[cell.kind]) + 2)
            )
            shown += [
                Text(pad(text, column_width), _STYLES.get(cell.kind, "" if number else "dim")),
                Text(_GAP),
            ]
        yield shown


# What is shown of a candidate, so that a question fits on a screen.
_NAMES = 4  # reasons of a candidate that makes one statement
_NAMES_EACH = 2  # of each statement of a candidate that makes several
_REASONS = 3  # families of features of a reason
_TERMS = 6  # matched terms
_PASSAGE_LINES = 3
_INDENT = "  "
_MARGIN = [Text(_INDENT)]


def why(candidate: Candidate, called: str, width: int, seen: set[str]) -> Iterator[Line]:
    """Yields the reasons for a candidate's score, strongest first, under the heading `why CALLED`;
    nothing if the trace has none.

    Of a choice with several statements those of each statement follow it. `seen` are the statements
    and passages shown for other candidates: they are not repeated, and those shown here are added.
    """
    body: list[Line] = []
    for pieces in candidate.said:
        if not is_verdict(pieces):
            body += paragraph(text_of(pieces), width, 2, lead=_MARGIN)
    if candidate.table:
        body += [
            [Text(_INDENT), *line] for line in table_lines(candidate.table, width - len(_INDENT))
        ]
    several = any(not reason.parts and reason.value is not None for reason in candidate.reasons)
    left = most = _NAMES_EACH if several else _NAMES
    for reason in candidate.reasons:
        if (
            not reason.parts and reason.value is not None
        ):  # a statement, followed by the names that it is made of
            left = 0 if reason.name in seen else most
            if left:
                seen.add(reason.name)
                body += paragraph(
                    reason.name, width, 2, lead=_MARGIN, after=signed_number(reason.value)
                )
        elif left > 0:
            left -= 1
            body += _reason_lines(reason._replace(counted=()) if several else reason, width)
    # The matched terms of a candidate that is its own evidence, each once ignoring case.
    terms: dict[str, MarkedPiece] = {}
    for piece in candidate.text:
        if isinstance(piece, MarkedPiece) and piece.kind == "term":
            terms.setdefault(piece.text.lower(), piece)
    if terms:
        values = {piece.text: piece.value for piece in terms.values()}
        body += paragraph(f"matched: {_by_value(values)}", width, 2, "dim", _MARGIN)
    # The first passage, or the first two if some say their relation to the answer.
    for passage in candidate.passages[
        : 2 if any(passage.says for passage in candidate.passages) else 1
    ]:
        if passage.doc_id in seen:
            continue
        seen.add(passage.doc_id)
        says = f"{passage.says}: " if passage.says else ""
        if passage.text:
            body += paragraph(
                f"{says}“{text_of(passage.text)}”", width, _PASSAGE_LINES, lead=_MARGIN
            )
        source = " · ".join(filter(None, (passage.title, passage.doc_id)))
        matched = f" · matched: {_by_value(passage.terms)}" if passage.terms else ""
        body += paragraph(f"— {source}{matched}", width, 2, "dim", _MARGIN)
    if body:
        yield from ([], [Text(f"why {called}", "strong")], *body)


def _reason_lines(reason: Reason, width: int) -> Iterator[Line]:
    """Yields the lines of one reason: its name, its value, and the feature families that it
    consists of with theirs; a reason without a value, which is for the whole candidate, has one or
    two lines without it."""
    shown = [f"{part.words} {signed_number(part.value)}" for part in reason.parts[:_REASONS]]
    if len(reason.parts) > _REASONS:
        shown.append(
            f"all else {signed_number(sum(part.value for part in reason.parts[_REASONS:]))}"
        )
    parts = " · ".join(shown)
    if reason.value is None:
        yield from paragraph(
            (f"{reason.name}: " if reason.name else "") + parts, width, 2, lead=_MARGIN
        )
        return
    head = [
        Text(_INDENT),
        Text(f"{reason.name} → {reason.link}" if reason.link else reason.name, "strong"),
    ]
    head += [
        Text(_GAP),
        Text(signed_number(reason.value), "right" if reason.value >= 0 else "wrong"),
        Text(_GAP),
    ]
    below = [Text(_INDENT * 2)]
    if sum(columns(run.text) for run in head) > width - len(_INDENT) - 20:
        yield head
        head = below
    yield from paragraph(parts, width, 2, "dim", head, 2 * len(_INDENT))
    for counted in reason.counted:
        yield from paragraph(counted, width, 2, "dim", below)


def _by_value(terms: dict[str, float]) -> str:
    """The `_TERMS` terms with the highest values as text, `term value, …`; "…" at the end if there
    are more."""
    ordered = sorted(terms.items(), key=lambda item: -item[1])
    return ", ".join(f"{term} {value:.2g}" for term, value in ordered[:_TERMS]) + (
        "…" if len(ordered) > _TERMS else ""
    )


def signed_number(value: float) -> str:
    """A number with its sign: two decimals, two significant digits if it is small."""
    size = abs(value)
    return ("−" if value < 0 else "+") + (
        f"{size:.2f}" if size >= 0.095 or size == 0 else f"{size:.2g}"
    )


# What is shown of a question, so that it fits on a screen.
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


def question_screen(name: str, drawn: Drawn, gold: Gold, width: int) -> Iterator[Line]:
    """Yields the lines of a question on the terminal, `name` first; `gold` is `NO_GOLD` if the
    right answer is not known."""
    # Ids are names if all of them are short.
    short = all(0 < len(candidate.candidate_id) <= _SHORT_ID for candidate in drawn.candidates)
    names = {
        id(candidate): candidate.candidate_id if short else str(rank)
        for rank, candidate in enumerate(drawn.candidates, 1)
    }
    yield _head(name, drawn, gold, width)
    lines = [
        line
        for part in text_of(drawn.text).splitlines()
        for line in paragraph(part, width, _ASKED_LINES)
    ]
    yield from lines[:_QUESTION_LINES]
    if len(lines) > _QUESTION_LINES:
        yield [Text(f"… and {len(lines) - _QUESTION_LINES} more lines", "dim")]
    for around in drawn.around[:1]:  # the line of the paper that contains the question
        yield from paragraph(f"… {text_of(around)}", width, _TEXT_LINES, "dim")
    for item in drawn.items:
        yield from paragraph(text_of(item), width, _TEXT_LINES)
    for label, value in drawn.facts:
        yield from paragraph(f"{label}: {value}", width, 1, "dim")
    for note in drawn.notes:
        yield from paragraph(f"note: {note}", width, _TEXT_LINES, "accent")
    yield []
    # The answer and the gold in words, if they are not marked among the candidates.
    ours, right = [Text("our answer  ", "dim")], [Text("gold        ", "dim")]
    if drawn.written:
        yield from paragraph(text_of(drawn.written), width, _WRITTEN_LINES, lead=ours)
        for text in list(gold.texts)[:1]:
            yield from paragraph(text, width, _WRITTEN_LINES, "right", right)
    else:
        if not any(candidate.chosen for candidate in drawn.candidates):
            yield from paragraph(drawn.answer or "none", width, _TEXT_LINES, "strong", ours)
        if gold.texts and not any(candidate.gold for candidate in drawn.candidates):
            right_text = " / ".join(gold.texts) + (" (no candidate)" if drawn.candidates else "")
            yield from paragraph(right_text, width, _TEXT_LINES, "right", right)
    judged = [
        (candidate, verdict)
        for candidate in drawn.candidates
        for verdict in candidate.said[:1]
        if is_verdict(verdict)
    ]
    for candidate, verdict in sorted(judged, key=lambda pair: not pair[0].chosen):
        text = f"{names[id(candidate)]} {text_of(candidate.text)} — {text_of(verdict)}"
        yield from paragraph(text, width, _VERDICT_LINES, "strong" if candidate.chosen else "")
    if judged:
        yield []
    if not drawn.written:
        yield from _candidate_lines(drawn, names, width)
    if drawn.sentences:
        yield from ([], [Text("made of", "strong")])
    for number, sentence in enumerate(drawn.sentences, 1):
        yield from paragraph(f"{number}. {text_of(sentence.text)}", width, 2, lead=_MARGIN)
        source = " · ".join(filter(None, (sentence.title, sentence.doc_id)))
        if covers := ", ".join(
            f"{part.words} {part.value:.2g}" for part in sentence.covers[:_TERMS]
        ):
            source += f" · first to cover: {covers}"
        yield from paragraph(f"— {source}", width, 2, "dim", _MARGIN)
    explained = (
        []
        if drawn.sentences
        else [candidate for candidate in drawn.candidates if candidate.chosen]
        or drawn.candidates[:1]
    )
    if gold != NO_GOLD and not drawn.written and not is_right(drawn, gold):
        explained += [
            candidate for candidate in drawn.candidates if candidate.gold and not candidate.chosen
        ]
    seen: set[str] = set()
    for candidate in explained[:_EXPLAINED]:
        yield from why(candidate, names[id(candidate)], width, seen)


def is_right(drawn: Drawn, gold: Gold) -> bool:
    """Whether the answer is right: all chosen candidates are gold or, if the gold has no ids of
    candidates, all texts of the answer are gold texts. False without an answer."""
    chosen = [candidate for candidate in drawn.candidates if candidate.chosen]
    if gold.candidate_ids:
        return bool(chosen) and all(candidate.gold for candidate in chosen)
    return bool(drawn.answer) and all(gold.holds("", text) for text in drawn.answer.split(" / "))


def _head(name: str, drawn: Drawn, gold: Gold, width: int) -> Line:
    """The first line of a question: its name, right or wrong, the margin or probability, and the
    kind of question, as far as they fit."""
    marks = []
    if gold != NO_GOLD and not drawn.written:
        marks.append(
            Text("✓ right", "right") if is_right(drawn, gold) else Text("✗ wrong", "wrong")
        )
    unsure: Style = "accent" if drawn.unsure else ""
    if drawn.margin is not None and drawn.margin < 0:
        marks.append(Text(f"{_plain(-drawn.margin)} below the best", "accent"))
    elif drawn.probability is not None:
        marks.append(
            Text(f"{'unsure' if drawn.unsure else 'sure'}: {drawn.probability:.0%}", unsure)
        )
    elif drawn.margin is not None:
        marks.append(
            Text(f"{'unsure, ' if drawn.unsure else ''}margin {_plain(drawn.margin)}", unsure)
        )
    if kind := ", ".join(filter(None, (drawn.shape, _ASKS.get(drawn.asks, "")))):
        marks.append(Text(kind, "dim"))
    line = [Text(shorten(name, width // 2), "strong")]
    for run in marks:
        if sum(columns(piece.text) for piece in (*line, run)) + 2 <= width:
            line += [Text("  "), run]
    return line


def is_verdict(said: Pieces) -> bool:
    """Whether a line about a candidate is the verdict of a method of multiple choice."""
    return bool(said) and isinstance(said[0], MarkedPiece) and said[0].kind == "verdict"


def _candidate_lines(drawn: Drawn, names: Mapping[int, str], width: int) -> Iterator[Line]:
    """Yields the candidates, called by `names` (by their `id`), with their scores as bars, marks
    for the answer and the gold, and a key to the marks; of many the first, the answer and the
    gold."""
    candidates = drawn.candidates
    scores = [candidate.score for candidate in candidates]
    low, high = min(scores, default=0.0), max(scores, default=0.0)
    if high > 0 or low == high:
        zero, low, high = 0.0, min(0.0, low), max(0.0, high)
    # all are negative, as log probabilities: bars begin below the lowest, so that the best has the
    # longest
    else:
        zero = low - (high - low) / _BAR
        low = zero
    first = candidates if len(candidates) <= _ALL else candidates[:_SHOWN]
    shown = [
        *first,
        *(
            candidate
            for candidate in candidates[len(first) :]
            if candidate.chosen or candidate.gold
        ),
    ]
    wide = max([len(names[id(candidate)]) for candidate in shown], default=0)
    for candidate in shown:
        mark: Style = "accent" if candidate.chosen else ""
        if candidate.gold:
            mark = "right"
        marks = ("▸" if candidate.chosen else " ") + ("★" if candidate.gold else " ")
        head = f"{marks} {pad(names[id(candidate)], wide, right=True)} "
        score = _plain(candidate.score)
        if min(low, candidate.score) < 0:
            score = ("−" if candidate.score < 0 else "+") + _plain(abs(candidate.score))
        before = f"{head}{bar(candidate.score - zero, low - zero, high - zero, _BAR)} {score:>7}  "
        if candidate.fact:
            text = " → ".join(candidate.fact)
        else:  # judged essays are known by their file names
            text = (
                f"{candidate.candidate_id}: " if drawn.shape == "evaluation method" else ""
            ) + text_of(candidate.text)
        yield from paragraph(
            text,
            width,
            _TEXT_LINES,
            "strong" if candidate.chosen or candidate.gold else "",
            [Text(before, mark)],
        )
    if len(shown) < len(candidates):
        yield [Text(f"   and {len(candidates) - len(shown)} more", "dim")]
    if any(candidate.chosen for candidate in shown):
        yield [
            Text(
                "▸ our answer" + ("   ★ key" if any(candidate.gold for candidate in shown) else ""),
                "dim",
            )
        ]


def _plain(value: float) -> str:
    """A number without a plus sign: two decimals, two significant digits if it is small."""
    return f"{value:.2f}" if abs(value) >= 0.1 or value == 0 else f"{value:.2g}"


def read_golds(task: str, path: Path, language: str = "") -> list[ReportedQuestion]:
    """Reads the gold of a task from a file, or a folder if the task allows; of a bilingual sheet
    the answers in `language` (a code).

    Raises UserError if the task has no gold that marks right answers, or the file is malformed.
    """
    if task in SHEET_TASKS:
        module = import_module(SHEETS)
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
    "asked",
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
def command(trace: Path, asked: tuple[str, ...], gold: Path | None) -> None:
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
    chosen = [] if asked else entries
    for question in asked:
        matching = [entry for entry in entries if question in (entry[0], entry[1].question_id)]
        if not matching:
            raise UserError(f"{trace}: no question {question!r}; it has {first_few(ids)}")
        chosen += matching
    width = screen_width()
    drawn = [(name, draw_row(header, row, right), right) for name, row, right in chosen]
    lines: list[Line] = []
    if not asked:  # first of all task, method and index, how many are right, and how many unsure
        summary = [f"{len(drawn)} question{'s' * (len(drawn) != 1)}"]
        judged = [
            (answer, right) for _, answer, right in drawn if right != NO_GOLD and not answer.written
        ]
        if gold and judged:
            summary.append(
                f"{sum(is_right(answer, right) for answer, right in judged)} of {len(judged)} right"
            )
        if unsure := sum(answer.unsure for _, answer, _ in drawn):
            summary.append(f"{unsure} unsure")
        made_by = " · ".join(
            str(header[name]) for name in ("task", "method", "index") if header.get(name)
        )
        lines += [[Text(made_by), Text("   " + ", ".join(summary), "strong")], []]
    for number, (name, answer, right) in enumerate(drawn):
        lines += [[], [Text("─" * width, "dim")]] if number else []
        lines += question_screen(name, answer, right, width)
    print_lines(lines)
