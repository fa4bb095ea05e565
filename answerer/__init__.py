"""Questions in, an official submission out: one file a task.

From Python: `answer("ntcir-mc", "exam.xml", index="books/mine")` gives a `Run`; `ask("Who built the
Taj Mahal?")` the answers of an index, best first; `check_quiz("quiz.txt", index="books/mine")` the
questions of a quiz whose keys may be wrong; `train("selqa", "dev.json",
output="selqa.model.json")` a ranker.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from answerer.answering import answer
    from answerer.asking.command import ask
    from answerer.asking.replies import Answer, Reply, Source
    from answerer.quiz_check.task import check_quiz
    from answerer.run import Run
    from answerer.training import Trained, train
    from indexer.files.errors import UserError
else:

    def __getattr__(name: str) -> object:
        from indexer.lazy import load_name

        modules = {
            ".answering": "answer",
            ".asking.command": "ask",
            ".asking.replies": "Answer Reply Source",
            ".quiz_check.task": "check_quiz",
            ".run": "Run",
            ".training": "Trained train",
        }
        return load_name(__name__, modules, name)

    def __dir__() -> list[str]:
        return __all__


__all__ = [
    "Answer",
    "Reply",
    "Run",
    "Source",
    "Trained",
    "UserError",
    "answer",
    "ask",
    "check_quiz",
    "train",
]
