"""The `blank_question` of a section: a text with gaps, of which the section asks for those in focus."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from lxml.etree import _Element

GAP = "____"
_SENTENCE = re.compile(r"(?<=[。．？！])(?![」』）])|(?<=[.?!])\s+")


class GapText(NamedTuple):
    """`asked`: the sentences with a gap in focus, which is shown as `GAP`; `rest`: the other sentences."""

    asked: str
    rest: str


def gap_text(element: _Element | None) -> GapText:
    """The text of a `blank_question` (second_stage_exam.xsd); both parts are "" where there is none.

    A gap that is not in focus shows its label. Where no gap is in focus, all are.
    """
    if element is None:
        return GapText("", "")
    blanks = element.findall("blank")
    focused = [one for one in blanks if (one.get("focus") or "").strip() == "1"] or blanks
    pieces = [element.text or ""]
    for blank in blanks:
        pieces += [GAP if blank in focused else blank.get("label") or "", blank.tail or ""]
    sentences = [one.strip() for one in _SENTENCE.split(" ".join("".join(pieces).split()))]
    return GapText(*(" ".join(one for one in sentences if one and (GAP in one) == asked) for asked in (True, False)))
