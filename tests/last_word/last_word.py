"""A task in a distribution of its own: the last word of every line of a file answers it."""

from __future__ import annotations

import re
from pathlib import Path

import click

from answerer.options import output_options
from answerer.run import Outputs, Run, one_file, write_run
from answerer.task import Task
from answerer.trace import TraceCandidate, TraceQuestion
from indexer.cli.types import Command, InputFile
from indexer.files.encoding import read_text
from indexer.languages.english import ENGLISH


def words_in(file: str | Path) -> list[str]:
    return re.sub("<.*?>", "", read_text(file)).split()


def answer(source: str | Path, *, evidence: bool = True) -> Run:
    lines = read_text(source).splitlines()
    questions = []
    for number, line in enumerate(lines):
        candidates = [
            TraceCandidate(id=str(place), text=word, score=place, features={"place": place})
            for place, word in enumerate(line.split())
        ]
        answered = TraceQuestion(
            question_id=str(number),
            question=line,
            system=(line.split()[-1],),
            candidates=tuple(candidates[::-1]),
        )
        questions.append(answered)
    return Run(
        task="last-word",
        method="split",
        parameters={"sheet": Path(source).stem},
        language=ENGLISH,
        sources=[str(source)],
        files=one_file(f"<words>{' '.join(line.split()[-1] for line in lines)}</words>"),
        questions=questions if evidence else (),
    )


@click.command(cls=Command, example="answer last-word lines.txt -o run.xml")
@click.argument("source", metavar="FILE", type=InputFile())
@output_options()
def command(source: Path, outputs: Outputs) -> None:
    """Answer each line of FILE by its last word."""
    write_run(answer(source, evidence=outputs.trace is not None), outputs)


def check(source: str, run: str) -> list[str]:
    asked, given = len(read_text(source).splitlines()), len(words_in(run))
    return [] if asked == given else [f"{given} words, {asked} lines"]


TASK = Task(
    name="last-word",
    help="The last word of a line.",
    module=__name__,
    check=check,
    recognises=lambda files, _run: files[0].line.startswith("last word:"),
    run_type=("words", "words", ("words",)),
    features={"place": "how late it comes in the line"},
    docs=str(Path(__file__).with_name("last_word.md")),
)
