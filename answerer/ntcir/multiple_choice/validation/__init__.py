"""Answer validation: does the book support each choice as an answer to what the question asks?"""

from __future__ import annotations

from pathlib import Path

from answerer.ntcir.multiple_choice.methods import Method, learned_method
from answerer.options import model_option
from indexer.files.validation import FileName


@model_option
def validation(model: FileName | None = None) -> Method:
    """The method with the weights in the file `model` (None: the program's own), which is read at
    once. Raises UserError for a file that is not such a model."""
    from answerer.ntcir.multiple_choice.validation.features import COLUMNS, TASK, WEIGHTS
    from answerer.ntcir.multiple_choice.validation.method import answer_by_support
    from retriever.learning.model import load_model

    path = Path(WEIGHTS if model is None else model)
    return learned_method(answer_by_support, load_model(path, TASK, COLUMNS), path)
