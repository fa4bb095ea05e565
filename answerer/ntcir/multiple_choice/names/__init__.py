"""Entity association, the default method: fit of each name of a statement with the rest of it, by
book statistics."""

from __future__ import annotations

from pathlib import Path

from answerer.ntcir.multiple_choice.methods import Method, learned_method
from answerer.options import model_option
from indexer.files.validation import FileName


@model_option
def names(model: FileName | None = None) -> Method:
    """The method with the weights in the file `model` (None: the program's own), which is read at
    once. Raises UserError for a file that is not such a model."""
    from answerer.ntcir.multiple_choice.names.judgement import WEIGHTS, load_weights
    from answerer.ntcir.multiple_choice.names.method import answer_by_association

    path = Path(WEIGHTS if model is None else model)
    return learned_method(answer_by_association, load_weights(path), path)
