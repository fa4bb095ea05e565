"""`python -m evaluation explain TRACE`: the reasons for the answers of a run, a screen of text for each question."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType

from answerer.formats.answer_table import folded_exam
from answerer.page.drawn import NO_GOLD, Gold, draw_row
from answerer.registry import UNKNOWN, tasks
from answerer.task import load
from answerer.trace import TraceQuestion, asks_otherwise, read_trace
from evaluation.explain.screen import is_right, question_screen
from evaluation.registry import GoldAnswer
from indexer.cli.screen import Line, Run, print_lines
from indexer.cli.screen import width as screen_width
from indexer.files.errors import UserError, bad_input
from indexer.files.messages import warn
from indexer.languages.registry import LANGUAGES
from indexer.parameters import TEXT, InputPath, argument, command_line, option

Key = tuple[str, str]  # exam ("" for any) and question


class Golds:
    """The right answers to questions, by exam ("" for any) and question id; of questions with the same id each takes
    the next gold of that id.

    `asked` has the texts of questions that are known by their numbers only, by number.
    """

    def __init__(self, known: Iterable[tuple[Key, Gold]], asked: Mapping[str, str] = MappingProxyType({})) -> None:
        self._asked = asked
        self._waiting: dict[Key, list[Gold]] = {}
        for name, gold in known:
            self._waiting.setdefault(name, []).append(gold)

    def next_of(self, row: TraceQuestion) -> Gold:
        """Removes and returns the next gold for a question of a trace: of its exam, else of any exam, else `NO_GOLD`.
        Questions are passed in the trace's order."""
        question = row.question_id
        own = self._waiting.get((folded_exam(row.exam), question)) or self._waiting.get(("", question))
        return own.pop(0) if own else NO_GOLD

    def unlike(self, rows: Iterable[TraceQuestion]) -> list[str]:
        """The ids of a trace's questions whose text differs from the gold's question of that number."""
        return [row.question_id for row in rows if asks_otherwise(row, self._asked.get(row.question_id, ""))]


def read_golds(task: str, path: Path, language: str = "") -> Golds:
    """Reads the gold of a task from a file, or a folder if the task allows; of a bilingual sheet the answers in
    `language` (a code).

    Raises UserError if the task has no gold that marks right answers, or the file is malformed.
    """
    record = tasks().get(task, UNKNOWN)
    if record.gold is None:
        raise UserError(f"--gold: answers of {task!r} have no gold; omit --gold")
    if path.is_dir() and not record.gold_in_folders:
        raise UserError(f"{path}: is a folder; --gold must be a file")
    answers: list[GoldAnswer] = list(load(record.gold)(path, LANGUAGES.get(language)))
    asked = {one.question_id: one.asked for one in answers if one.asked}
    return Golds((((one.exam, one.question_id), Gold(one.texts, one.candidate_ids)) for one in answers), asked)


_NAMED = 5  # questions that an error lists


@command_line(
    "evaluation explain exam.run.jsonl --question A5 --gold samples/sample-exam-en.gold.xml",
    argument("trace", metavar="TRACE.jsonl", type=InputPath(path_type=Path)),
    option(
        "--question",
        "asked",
        multiple=True,
        metavar="ID",
        type=TEXT,
        help="A question to explain [all, one after another].",
    ),
    option(
        "--gold",
        metavar="GOLD",
        type=InputPath(("**/*.xml",), path_type=Path),
        help="The right answers: marked, and told.",
    ),
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
    # Questions of several exams are called by exam and id; golds are taken in the trace's order.
    several = len({row.exam for row in rows}) > 1
    named = [
        (f"{row.exam} {row.question_id}".strip() if several else row.question_id, row, known.next_of(row))
        for row in rows
    ]
    if gold and all(own == NO_GOLD for _, _, own in named):
        raise UserError(f"{gold}: has no gold for any question of {trace}")
    if unlike := known.unlike(rows):
        warn(
            f"{gold}: asks {len(unlike)} of {len(rows)} questions with another text than {trace} "
            f"(the first is {unlike[0]})"
        )
    chosen = [] if asked else named
    for question in asked:
        matching = [one for one in named if question in (one[0], one[1].question_id)]
        if not matching:
            more = f" and {len(named) - _NAMED} more" if len(named) > _NAMED else ""
            names = ", ".join(name for name, _, _ in named[:_NAMED])
            raise UserError(f"{trace}: no question {question!r}; it has {names}{more}")
        chosen += matching
    width = screen_width()
    drawn = [(name, draw_row(header, row, own), own) for name, row, own in chosen]
    lines: list[Line] = []
    if not asked:  # first of all task, method and index, how many are right, and how many unsure
        said = [f"{len(drawn)} question{'s' * (len(drawn) != 1)}"]
        judged = [(one, own) for _, one, own in drawn if own != NO_GOLD and not one.written]
        if gold and judged:
            said.append(f"{sum(is_right(one, own) for one, own in judged)} of {len(judged)} right")
        if unsure := sum(one.unsure for _, one, _ in drawn):
            said.append(f"{unsure} a coin toss")
        made_by = " · ".join(str(header[name]) for name in ("task", "method", "index") if header.get(name))
        lines += [[Run(made_by), Run("   " + ", ".join(said), "strong")], []]
    for number, (name, one, own) in enumerate(drawn):
        lines += [[], [Run("─" * width, "dim")]] if number else []
        lines += question_screen(name, one, own, width)
    print_lines(lines)
