"""Essays in English."""

from __future__ import annotations

import re
from collections.abc import Sequence

SILENT = (
    "write explain describe discuss identify analyze analyse summarize summarise compare contrast state "
    "outline essay answer question word english least less no more than use using all keyword keywordsshown "
    "shown below following above section give example list role factor explanation brief include including"
)
STOP = "."
WEIGHTS = "weights-en.json"
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
_RELATIVE_INSIDE = re.compile(r", (?:which|who|whose|where|when)\b[^,;]*,(?= )")
_RELATIVE_END = re.compile(r",(?: which| who| whose| where| when| although| though| while| as)\b[^,;]*(?=[.]$)")
_PARTICIPLE_END = re.compile(r",(?: thereby| thus| often)? [a-z]+ing\b[^,;]*(?=[.]$)")
_COMMA = re.compile(r"[,;:—–] ?")
_SUBORDINATE = re.compile(
    r"(?:Although|Though|While|When|As|After|Before|If|Because|Since|Despite|With|Without|By|During|In|On|At|"
    r"From|For|To|Unlike|Like|Among|Under|Once|Until|Not|[A-Z][a-z]+(?:ing|ed|ly))\b"
)
_VERB = re.compile(r"\b(?:is|are|was|were|had|has|have|became|began|made|took|led|gave|came|saw|[a-z]{2,}ed)\b")


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
    """Without relative clauses, without a final participle or subordinate clause."""
    inner = _RELATIVE_INSIDE.sub("", text)
    end = _RELATIVE_END.sub("", inner)
    return [form for form in (inner, end, _PARTICIPLE_END.sub("", end)) if len(form.split()) >= 5]


def cuts(text: str) -> list[str]:
    """Beginnings up to a comma."""
    if _SUBORDINATE.match(text):
        return []
    beginnings = [text[: match.start()] for match in _COMMA.finditer(text)]
    return [one for one in reversed(beginnings) if _VERB.search(one.split(", ")[0]) and len(one.split()) >= 6]


def closing(names: Sequence[str]) -> str:
    return f"Also relevant: {' and '.join([', '.join(names[:-1]), names[-1]] if names[1:] else names)}."


def listed(names: Sequence[str]) -> str:
    return f"{', '.join(names)}."
