"""`answerer train u4-tr`."""

from functools import partial

from answerer.u4.task import TABLES
from answerer.u4.training import train_on_reports, training_command

train = partial(train_on_reports, TABLES)
command = training_command(
    TABLES,
    "Learn which table answers, from questions with gold; pairs of Table QA teach which words go "
    "together.",
    "answer train u4-tr samples/u4-tr.questions.json samples/u4-tr.gold.json "
    "--reports samples/u4-reports.tar.xz --folds 2 -o tr.json",
)
