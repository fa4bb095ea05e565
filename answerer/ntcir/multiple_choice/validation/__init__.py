"""Answer validation: does the book support each choice as an answer to what the question asks?"""

from __future__ import annotations

from answerer.ntcir.multiple_choice.methods import Method
from answerer.options import model_option
from indexer.files.validation import FileName


@model_option
def validation(model: FileName | None = None) -> Method:
    """The method with the weights in the file `model` (None: the program's own)."""
    from answerer.ntcir.multiple_choice.validation.features import WEIGHTS
    from answerer.ntcir.multiple_choice.validation.method import validation_method

    return validation_method(WEIGHTS if model is None else model)
