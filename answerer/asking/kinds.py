"""Registry of the kinds of index that `ask` answers from: adding a kind is a line here and the
module `KIND.py` beside this one, with the function `ask_KIND`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from indexer.plug_ins import plug_ins

KINDS = {
    kind: (f"answerer.asking.{kind}:ask_{kind}", line)
    for kind, line in {
        "textbook": "A term, yes or no, or sentences.",
        "triples": "The objects of a fact.",
        "datasets": "A cell of a table.",
        "reports": "A cell of a report's table.",
    }.items()
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
