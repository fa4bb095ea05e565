"""`python -m answerer explain TRACE`: why every question, or one, was answered so, a screen of text each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from answerer.explain.gold import Golds, read_golds
from answerer.explain.screen import is_right, question_screen
from answerer.page.drawn import NO_GOLD, Drawn, Gold, drawn_row
from answerer.trace import read_trace
from indexer.cli.parameters import TEXT, InputPath
from indexer.cli.screen import Line, Run, print_lines
from indexer.cli.screen import width as screen_width
from indexer.files.errors import UserError, bad_input
from indexer.files.talk import warn

_NAMED = 5  # questions that an error lists


@click.command(
    epilog="Example: python -m answerer explain exam.run.jsonl --question A5 --gold samples/sample-exam-en.gold.xml"
)
@click.argument("trace", metavar="TRACE.jsonl", type=InputPath(path_type=Path))
@click.option(
    "--question",
    "asked",
    multiple=True,
    metavar="ID",
    type=TEXT,
    help="A question to explain [all, one after another].",
)
@click.option(
    "--gold", metavar="GOLD", type=InputPath(("**/*.xml",), path_type=Path), help="The right answers: marked, and told."
)
def command(trace: Path, asked: tuple[str, ...], gold: Path | None) -> None:
    """Tell why questions were answered so: a screen each, for reading on a terminal.

    TRACE is what a task wrote with --trace. A screen shows what was asked, the choices or candidates with their scores
    as bars, how clearly the answer came first, and the strongest reasons in words with a passage.
    """
    header, rows = read_trace(trace)
    if not rows:
        raise bad_input(trace, None, "no question in it", "expected a trace written with --trace")
    known = read_golds(str(header.get("task")), gold, str(header.get("language"))) if gold else Golds(())
    several = len({row.get("exam") for row in rows}) > 1
    told = [(_name(row, several), row, known.next_of(row)) for row in rows]
    if gold and all(own == NO_GOLD for _, _, own in told):
        raise UserError(f"{gold}: says of no question of {trace} what is right; expected their gold")
    if unlike := known.unlike(rows):
        warn(f"{gold}: asks {len(unlike)} of {len(rows)} questions otherwise than {trace} (the first is {unlike[0]})")
    chosen = _chosen(told, asked, trace) if asked else told
    width = screen_width()
    made = [(name, drawn_row(header, row, own, trace), own) for name, row, own in chosen]
    lines = [] if asked else [_summary(header, made, bool(gold)), []]
    for number, (name, one, own) in enumerate(made):
        lines += [[], [Run("─" * width, "dim")]] if number else []
        lines += question_screen(name, one, own, width)
    print_lines(lines)


def _name(row: Mapping[str, Any], several: bool) -> str:
    """What a question is called: its id, with the exam where there are several."""
    return f"{row.get('exam', '')} {row['question_id']}".strip() if several else str(row["question_id"])


Told = tuple[str, Mapping[str, Any], Gold]


def _chosen(told: Sequence[Told], asked: Sequence[str], trace: Path) -> list[Told]:
    """The rows of the questions asked for, in the order asked. UserError for one that the trace does not have."""
    found: list[Told] = []
    for wanted in asked:
        own = [one for one in told if wanted in (one[0], str(one[1]["question_id"]))]
        if not own:
            names = [name for name, _, _ in told]
            more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
            raise UserError(f"{trace}: no question {wanted!r}; it has {', '.join(names[:_NAMED])}{more}")
        found += own
    return found


def _summary(header: Mapping[str, Any], made: Sequence[tuple[str, Drawn, Gold]], scored: bool) -> Line:
    """What ran, how many questions there are, and how many of them are right and a coin toss."""
    line = [Run(" · ".join(str(header[name]) for name in ("task", "method", "index") if header.get(name)))]
    said = [f"{len(made)} question{'s' * (len(made) != 1)}"]
    judged = [(one, gold) for _, one, gold in made if gold != NO_GOLD and not one.written]
    if scored and judged:
        said.append(f"{sum(is_right(one, gold) for one, gold in judged)} of {len(judged)} right")
    tosses = sum(one.unsure for _, one, _ in made)
    return [*line, Run("   " + ", ".join([*said, *([f"{tosses} a coin toss"] if tosses else [])]), "strong")]
