"""Every task that can be scored: adding one is a line here and the module that it names."""

from __future__ import annotations

# name: (module whose `command` is the click command, one line of help). The module loads when it is chosen.
TASKS: dict[str, tuple[str, str]] = {
    "nlpcc-dbqa": ("evaluation.tasks.dbqa", "NLPCC DBQA: MRR and MAP of scored sentences."),
    "nlpcc-tbqa": ("evaluation.tasks.tbqa", "NLPCC TBQA: MRR, Accuracy@N and MAP of scored tables."),
    "selqa": ("evaluation.tasks.selqa", "SelQA: MRR of a result file, written to mrr.txt too."),
    "ntcir-mc": (
        "evaluation.tasks.multiple_choice",
        "NTCIR QA Lab multiple choice: points of the answer tables.",
    ),
    "nlpcc-kbqa": ("evaluation.tasks.kbqa", "NLPCC KBQA: MRR, Accuracy@N and averaged F1."),
    "datasearch-qa": ("evaluation.tasks.datasearch", "NTCIR Data Search QA: exact match and F1 over words."),
    "ntcir-term": ("evaluation.tasks.term", "NTCIR term questions: right and partly right answers, MRR."),
    "ntcir-essay": ("evaluation.tasks.essay", "NTCIR essays: ROUGE, limits, keywords, nuggets."),
    "ntcir-extraction": ("evaluation.tasks.extraction", "NTCIR extraction: precision and recall of passages."),
    "ntcir-evaluation-method": (
        "evaluation.tasks.evaluation_method",
        "NTCIR evaluation method: agreement with experts.",
    ),
}

# Commands that are no task: name: (module whose `command` is the click command, one line of help).
TOOLS: dict[str, tuple[str, str]] = {
    "export": ("evaluation.trec", "Gold and run of a ranking task in the formats of TREC."),
    "compare": ("evaluation.compare", "Runs of one task against each other: difference, interval, randomisation test."),
    "degrade": ("evaluation.degradations", "Gold essays made worse in known steps, to test evaluation methods."),
    "pseudo-exam": ("evaluation.pseudo_exam.command", "Make an exam with known answers out of a textbook."),
}
