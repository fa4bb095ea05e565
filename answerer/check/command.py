"""`python -m answerer check INPUT RUN...`: is each submission complete and valid before it is sent?"""

from __future__ import annotations

from indexer.files.errors import UserError, visible
from indexer.files.messages import info
from indexer.parameters import InputPath, argument, command_line


@command_line(
    "answerer check samples/sample-exam-en.xml exam.run.xml",
    argument("given", metavar="INPUT", type=InputPath()),
    argument("runs", multiple=True, metavar="RUN...", type=InputPath()),
)
def command(given: str, runs: tuple[str, ...]) -> None:
    """Check any task's submissions against their input: every question once, known choices, limits, names.

    Each problem is a line on stdout; the exit status is 2 if there is one. The files' formats determine the task.
    """
    from answerer.check.submissions import problems_of

    faulty = 0
    for run in runs:
        problems = problems_of(given, run)
        for problem in problems:
            print(visible(f"{run}: {problem}"))
        faulty += bool(problems)
        if not problems:
            info(f"{run}: complete and valid")
    if faulty:
        raise UserError(f"{faulty} of {len(runs)} submissions are not to be sent as they are")
