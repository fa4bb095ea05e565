"""`answerer train selqa`."""

from functools import partial

from answerer.selqa.task import TASK
from answerer.trainings import ranker_command, train_ranker

train = partial(train_ranker, TASK)
command = ranker_command(
    TASK,
    "Train the ranker of SelQA, WikiQA or TrecQA; folds by article, else by question.",
    "answer train selqa samples/selqa.dev.json -o selqa.model.json --folds 3",
)
