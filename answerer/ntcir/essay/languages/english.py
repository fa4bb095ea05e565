"""Essays in English."""

from __future__ import annotations

import re
from collections.abc import Sequence

from answerer.ntcir.essay.languages.english_clauses import clauses

SILENT = (
    "write explain describe discuss identify analyze analyse summarize summarise compare contrast state "
    "outline essay answer question word english least less no more than use using all keyword keywordsshown "
    "shown below following above section give example list role factor explanation brief include including"
)
STOP = "."
WEIGHTS = "weights-en.json"
FURTHER_SIGNALS: tuple[str, ...] = ()
CHOSEN_FROM = 25
_OPENING = re.compile(
    r"^(?:However|For example|For instance|Moreover|Furthermore|In addition|Additionally|Thus|Therefore|Indeed|"
    r"Nevertheless|Nonetheless|Meanwhile|Also|Consequently|In fact|Similarly|Likewise|Still|Finally|Hence|"
    r"As a result|In other words|On the other hand|Of course),\s+(?=\w)|^(?:And|But),?\s+(?=\w)"
)
_ASIDE = re.compile(r"\s*[(\[][^()\[\]]*[)\]]")
_UNFIT = re.compile(r"\?[\"”’')]*$|^[“\"‘]|\b(?:I|[Ww]e|[Uu]s|[Oo]urs?|[Yy]ours?|[Yy]ou|[Mm]y)\b")
_LEANING = re.compile(
    r"^(?:It|Its|They|Their|Them|Themselves|He|His|Him|She|Her|Hers|Such|Another|Others?|Neither|Then|Thereafter|"
    r"Afterwards?|Later|Soon|Eventually|Subsequently|Instead|Yet|Nor|Here|So|That|Both(?! [\w-]+ and\b))\b|"
    r"^The (?:former|latter|others?|next|following|same|result|results)\b|"
    r"^(?:When|As|While|After|Before|Although|Though|Once|Since|Because|If|Where|Like|Unlike) "
    r"(?:it|they|them|he|him|she|her)\b|"
    r"^(?:[\w-]+ ){1,3}(?:later|earlier|afterwards?)\b|^[A-Z]\w+ the (?:next|following|same|previous|ensuing)\b|"
    r"^(?:\S+ ){0,5}(?:[Tt]his|[Tt]hese|[Tt]hose(?! who\b| of\b| that\b)|such(?! as\b))\b"
)
_HEADING = re.compile(r"(?:\b[A-Z]{2,}\b[^a-z]*){3}")
_SENTENCE_END = re.compile(r"[.!][\"”’')\]]*$")


def is_fit(text: str) -> bool:
    heading = not _SENTENCE_END.search(text) or _HEADING.search(text) is not None
    return not heading and not _UNFIT.search(text)


def leans(text: str) -> bool:
    return _LEANING.search(text) is not None


def bare(text: str) -> str:
    return _OPENING.sub("", _ASIDE.sub("", text))


def finished(text: str) -> str:
    text = text[0].upper() + text[1:]
    return text if re.search(r"[.!?][\"”’')]*$", text) else text + STOP


def shorter(text: str) -> list[str]:
    """Without relative clauses, appositions, what opens it or ends it, and single clauses of it."""
    return clauses(text)


def cuts(text: str) -> list[str]:
    """None: the beginnings up to a comma are among the shorter forms already."""
    return []


def closing(names: Sequence[str]) -> str:
    return f"Also relevant: {' and '.join([', '.join(names[:-1]), names[-1]] if names[1:] else names)}."


def listed(names: Sequence[str]) -> str:
    return f"{', '.join(names)}."
