"""A sentence made shorter where a clause can go: cleaned of asides, and cut at clauses."""

from __future__ import annotations

import re

from indexer.analysis import Language

_OPENING = {
    "en": re.compile(
        r"^(?:However|For example|For instance|Moreover|Furthermore|In addition|Additionally|Thus|Therefore|Indeed|"
        r"Nevertheless|Nonetheless|Meanwhile|Also|Consequently|In fact|Similarly|Likewise|Still|Finally|Hence|"
        r"As a result|In other words|On the other hand|Of course),\s+(?=\w)|^(?:And|But),?\s+(?=\w)"
    ),
    "ja": re.compile(
        r"^(?:しかし|しかしながら|また|なお|一方|一方で|そして|さらに|ただし|だが|例えば|たとえば|そこで|"
        r"このように|こうして|ところが|つまり|したがって|従って|すなわち|それでも|その後)、"
    ),
}
_ASIDE = {
    "en": re.compile(r"\s*[(\[][^()\[\]]*[)\]]"),
    "ja": re.compile(r"[(（\[［][^()（）\[\]［］]*[)）\]］]"),
}
_RELATIVE_INSIDE = re.compile(r", (?:which|who|whose|where|when)\b[^,;]*,(?= )")
_RELATIVE_END = re.compile(r",(?: which| who| whose| where| when| although| though| while| as)\b[^,;]*(?=[.]$)")
_PARTICIPLE_END = re.compile(r",(?: thereby| thus| often)? [a-z]+ing\b[^,;]*(?=[.]$)")
_COMMA = re.compile(r"[,;:—–] ?")
_SUBORDINATE = re.compile(
    r"(?:Although|Though|While|When|As|After|Before|If|Because|Since|Despite|With|Without|By|During|In|On|At|"
    r"From|For|To|Unlike|Like|Among|Under|Once|Until|Not|[A-Z][a-z]+(?:ing|ed|ly))\b"
)
_VERB = re.compile(r"\b(?:is|are|was|were|had|has|have|became|began|made|took|led|gave|came|saw|[a-z]{2,}ed)\b")
_CLAUSE_END = re.compile(r"(?:[がしりてできくいみびちえけせれめべ]|ため|ので|おり|さい|後|際|ほか|ものの)、")
_SUBJECT = re.compile(r"[はがもを]")


def cleaned(text: str, language: Language) -> str:
    """A sentence without asides in brackets and without an opening connective, ending as a sentence does."""
    if language in _ASIDE:
        text = _ASIDE[language].sub("", text)
        text = _OPENING[language].sub("", text)
    return _finished(text.strip(), language)


def shortened(text: str, language: Language, limit: int | None, few: int = 2) -> list[str]:
    """Shorter forms of a cleaned sentence, longest first, none equal to it.

    English: without relative clauses, without a final participle or subordinate clause. Japanese: from a
    later clause on, where that has a topic, subject or object of its own. Where the limit leaves hardly room
    for one sentence (`limit` is given) also the beginnings (English) or endings (Japanese) at every comma.
    """
    forms = _japanese(text) if language == "ja" else _english(text) if language == "en" else []
    if limit is not None:
        forms += _cuts(text, language)
        few = 6
    finished = [_finished(form, language) for form in forms]
    different = [form for form in dict.fromkeys(finished) if form and form != text]
    return sorted(different, key=len, reverse=True)[:few] if limit is None else different[:few]


def _english(text: str) -> list[str]:
    inner = _RELATIVE_INSIDE.sub("", text)
    end = _RELATIVE_END.sub("", inner)
    return [form for form in (inner, end, _PARTICIPLE_END.sub("", end)) if len(form.split()) >= 5]


def _japanese(text: str) -> list[str]:
    """The sentence from each clause on that can stand alone, the longest first."""
    found = [text[match.end() :] for match in _CLAUSE_END.finditer(text)]
    return [form for form in found if len(form) >= 12 and _SUBJECT.search(form[:-4])]


def _cuts(text: str, language: Language) -> list[str]:
    """Beginnings up to a comma that can be a sentence (English), endings from one on (Japanese)."""
    if language == "en":
        if _SUBORDINATE.match(text):
            return []
        beginnings = [text[: match.start()] for match in _COMMA.finditer(text)]
        return [one for one in reversed(beginnings) if _VERB.search(one.split(", ")[0]) and len(one.split()) >= 6]
    starts = [match.end() for match in re.finditer("、", text)]
    return [text[start:] for start in starts if _SUBJECT.search(text[start:-4]) and len(text) - start >= 15]


def _finished(text: str, language: Language) -> str:
    """A text with a capital first and a full stop last."""
    text = text.strip(" ,;:、—–")
    if not text:
        return ""
    if language == "en":
        text = text[0].upper() + text[1:]
        return text if re.search(r"[.!?][\"”’')]*$", text) else text + "."
    return text if re.search(r"[。！？!?][」』）)]*$", text) else text + "。"


def cut(text: str, most: int, language: Language) -> str:
    """A text cut to a number of words (English) or characters, where nothing else fits; "" for no room."""
    if language == "en":
        words = text.split()[:most]
        return " ".join(words).rstrip(",;:") if words else ""
    if len(text) <= most:
        return text
    return text[: most - 1].rstrip("、") + "。" if most > 1 else text[:most]
