"""`answerer train nlpcc-tbqa`."""

from functools import partial

from answerer.nlpcc.tbqa import TASK
from answerer.trainings import ranker_command, train_ranker

train = partial(train_ranker, TASK)
command = ranker_command(
    TASK,
    "Train the ranker of NLPCC TBQA; folds by the right tables.",
    "answer train nlpcc-tbqa samples/tbqa.dev.txt -o tbqa.model.json --folds 3",
)
