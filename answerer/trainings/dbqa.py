"""`answerer train nlpcc-dbqa`."""

from functools import partial

from answerer.nlpcc.dbqa import TASK
from answerer.trainings import ranker_command, train_ranker

train = partial(train_ranker, TASK)
command = ranker_command(
    TASK,
    "Train the ranker of NLPCC DBQA; folds by question.",
    "answer train nlpcc-dbqa samples/dbqa.dev.txt -o dbqa.model.json --folds 3",
)
