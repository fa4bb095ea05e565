"""`answerer train u4-tqa`."""

from functools import partial

from answerer.u4.task import CELLS
from answerer.u4.training import train_on_reports, training_command

train = partial(train_on_reports, CELLS)
command = training_command(
    CELLS,
    "Learn which cell answers, from questions with gold; the figures are cross-validated over the "
    "reports.",
    "answer train u4-tqa samples/u4-tqa.questions.json samples/u4-tqa.gold.json "
    "--reports samples/u4-reports.tar.xz --folds 2 -o tqa.json",
)
