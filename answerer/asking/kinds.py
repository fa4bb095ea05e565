"""Registry of the kinds of index that `ask` answers from: adding a kind is a line here and the
function that it names."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from indexer.plug_ins import plug_ins

KINDS: dict[str, tuple[str, str]] = {
    "textbook": ("answerer.asking.textbook:ask_textbook", "A term, yes or no, or sentences."),
    "triples": ("answerer.asking.triples:ask_triples", "The objects of a fact."),
    "datasets": ("answerer.asking.datasets:ask_datasets", "A cell of a table."),
    "reports": ("answerer.asking.reports:ask_reports", "A cell of a report's table."),
}
"""Kind of index → (the function that answers, as `module:function`; one line of help). It takes the
question, the open index, the number of answers, and whether the row of a trace is wanted, and
returns a `Reply`."""
ENTRY_POINTS = "classical_qa.asking"


@cache
def kinds() -> Mapping[str, tuple[str, str]]:
    """The kinds of index that answer questions, ours and those of other distributions (entry points
    `KIND = MODULE:FUNCTION`), in the form of `KINDS`."""
    return KINDS | plug_ins(ENTRY_POINTS, KINDS)
