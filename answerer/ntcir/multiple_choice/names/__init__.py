"""Entity association, the default method: fit of each name of a statement with the rest of it, by
book statistics."""

from __future__ import annotations

from answerer.ntcir.multiple_choice.methods import Method
from answerer.options import model_option
from indexer.files.validation import FileName


@model_option
def names(model: FileName | None = None) -> Method:
    """The method with the weights in the file `model` (None: the program's own)."""
    from answerer.ntcir.multiple_choice.names.judgement import WEIGHTS
    from answerer.ntcir.multiple_choice.names.method import names_method

    return names_method(WEIGHTS if model is None else model)
