"""Answers from a row of a table, by the headings of its columns."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from answerer.ntcir.term.candidates import TermCandidate
from answerer.ntcir.term.entity_types import Span
from answerer.ntcir.term.language import TermLanguage
from answerer.ntcir.term.questions import TermQuestion

_LONGEST = 60  # characters of a cell that can be an answer
CELL = re.compile(r"(?:; |\A)(?P<heading>[^;:]{1,120}): (?P<value>[^;]+)")
"""A cell of a row as books with markup are read: "Station: Brenta; Bridges, stone: 4"."""


def cell_first(
    ranked: Sequence[TermCandidate], question: TermQuestion, language: TermLanguage
) -> list[TermCandidate]:
    """Candidates, best first; where the first one's sentence is a row of two cells or more with the
    headings of their columns, the text of the cell that is asked for comes before them, with the
    first one's features and probability, and others of that text are left out.

    Asked for is the cell whose heading has most terms of the question, of equal ones the first, and
    whose text has a term that the question has not. Unchanged without such a cell, and where its
    text has more than 60 characters. Raises IndexError for none.
    """
    first = ranked[0]
    cells = list(CELL.finditer(language.tools.clean(first.best.text)))
    wanted = set(language.terms(question.text))
    shares = [
        len(wanted.intersection(language.terms(cell["heading"])))
        * (not wanted.issuperset(language.terms(cell["value"])))
        for cell in cells
    ]
    if len(cells) < 2 or not any(shares):
        return list(ranked)
    cell = cells[shares.index(max(shares))]
    text = cell["value"].strip()
    if len(text) > _LONGEST:
        return list(ranked)
    shape = "number" if text[0].isdigit() else first.span.shape
    candidate = replace(first, text=text, span=Span(text, *cell.span("value"), shape))
    return [candidate, *(other for other in ranked if other.text.casefold() != text.casefold())]
