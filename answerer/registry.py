"""Every task that the answerer knows: adding one is a line here and the module that it names."""

from __future__ import annotations

# name: (module whose `command` is the click command, one line of help). The module loads when it is chosen.
TASKS: dict[str, tuple[str, str]] = {
    "ntcir-mc": (
        "answerer.ntcir.multiple_choice.task",
        "Multiple choice: exam XML in, answer table out; plain questions in, TSV out.",
    ),
    "nlpcc-dbqa": ("answerer.nlpcc.dbqa", "NLPCC DBQA: the sentences of a document scored for its question."),
    "nlpcc-tbqa": ("answerer.nlpcc.tbqa", "NLPCC TBQA: candidate tables scored for their question."),
    "selqa": ("answerer.selqa.task", "SelQA: a probability for every sentence of a section."),
    "nlpcc-kbqa": ("answerer.nlpcc.kbqa.task", "NLPCC KBQA: questions answered by the facts of a knowledge base."),
    "datasearch-qa": ("answerer.datasearch.task", "NTCIR Data Search QA: the cell of a dataset that answers."),
    "ntcir-term": ("answerer.ntcir.term.task", "NTCIR QA Lab term questions: names, dates and numbers fill the sheet."),
    "ntcir-sheet": (
        "answerer.ntcir.mixed_sheet",
        "NTCIR QA Lab sheets that mix terms and essays: all filled in one run.",
    ),
    "ntcir-essay": ("answerer.ntcir.essay.task", "NTCIR QA Lab essays: answer sheet in, the sheet with essays out."),
    "ntcir-extraction": ("answerer.ntcir.extraction", "NTCIR QA Lab extraction: ranked passages for essay questions."),
    "ntcir-summarization": ("answerer.ntcir.summarization", "NTCIR QA Lab essays from the passages of a file."),
    "ntcir-evaluation-method": (
        "answerer.ntcir.evaluation_method",
        "NTCIR QA Lab essays of others, ranked and scored.",
    ),
}

# The tasks whose rankers learn: name: (module whose `train` is the click command, one line of help).
TRAINABLE: dict[str, tuple[str, str]] = {
    "ntcir-mc": (
        "answerer.ntcir.multiple_choice.validation.training",
        "Weights of the features for multiple choice, from exams with gold.",
    ),
    "ntcir-mc-names": (
        "answerer.ntcir.multiple_choice.names.training",
        "Weights of the signals of --method names, from exams with gold.",
    ),
    "nlpcc-dbqa": ("answerer.nlpcc.dbqa", "The ranker of NLPCC DBQA."),
    "nlpcc-tbqa": ("answerer.nlpcc.tbqa", "The ranker of NLPCC TBQA."),
    "selqa": ("answerer.selqa.task", "The ranker of SelQA, WikiQA and TrecQA."),
    "datasearch-qa": ("answerer.datasearch.training", "Weights of derivations for NTCIR Data Search QA."),
    "nlpcc-kbqa": ("answerer.nlpcc.kbqa.training", "Templates and weights for NLPCC KBQA."),
    "ntcir-essay": ("answerer.ntcir.essay.training", "Weights of concepts for NTCIR essays."),
}

# What `answerer submit` lays out: name: (module whose `command` is the click command, one line of help).
# The first is meant where no name is given.
SUBMISSIONS: dict[str, tuple[str, str]] = {
    "ntcir": (
        "answerer.ntcir.submission.command",
        "NTCIR QA Lab: RUN_IDs, a folder a run, a system description from the trace.",
    ),
    "selqa": ("answerer.selqa.submission", "SelQA challenge: result file, mrr.txt, description, program."),
}

# What looks at questions and answers beside the tasks: name: (module whose `command` is the click command, help).
TOOLS: dict[str, tuple[str, str]] = {
    "check": ("answerer.check.command", "Is a submission complete and valid before it is sent?"),
    "ask": ("answerer.asking.command", "Ask a question in plain words, without a file."),
    "explain": ("answerer.explain.command", "Why questions were answered so: a trace, read on a terminal."),
    "run": ("answerer.blind", "A task answered blind: what lies in a folder, as TIRA's code submissions ask."),
    "serve": ("answerer.serve.command", "A page on this machine that answers questions and files, and an API."),
}
