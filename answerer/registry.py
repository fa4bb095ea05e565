"""Every task that the answerer knows: adding one is a line here and the module that it names."""

from __future__ import annotations

# name: (module whose `command` is the click command, one line of help). The module loads when it is chosen.
TASKS: dict[str, tuple[str, str]] = {
    "ntcir-mc": (
        "answerer.ntcir.multiple_choice.task",
        "NTCIR QA Lab multiple choice: exam XML in, answer table out.",
    ),
    "nlpcc-kbqa": ("answerer.nlpcc.kbqa", "NLPCC KBQA: questions answered by the facts of a knowledge base."),
}

# The tasks whose rankers learn: name: (module whose `train` is the click command, one line of help).
TRAINABLE: dict[str, tuple[str, str]] = {
    "nlpcc-kbqa": ("answerer.nlpcc.kbqa_training", "Templates and weights for NLPCC KBQA."),
}
