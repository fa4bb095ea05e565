"""Shorter forms of an English sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator

_FINITE = (
    r"(?:is|are|was|were|has|had|have|did|could|would|can|may|might|will|became|began|made|took|led|gave|came|saw|"
    r"fell|rose|went|grew|won|lost|held|kept|brought|built|wrote|found|left|sent|fought|sought|put|ran|met|set|told|"
    r"spread|drew|chose|spoke|stood|paid|[a-z]{2,}ed)\b"
)
_VERB = re.compile(rf"\b{_FINITE}")
_RELATIVE_INSIDE = re.compile(r", (?:which|who|whose|where|when)\b[^,;]*,(?= )")
_APPOSITION = re.compile(
    rf", (?:an?|the|one of|his|her|its|their|known as|also|then|now|later|called|or|born|named)\b[^,;:]*,"
    rf"(?= (?:also )?{_FINITE})"
)
_RELATIVE_END = re.compile(r",(?: which| who| whose| where| when| although| though| while| as)\b[^,;]*(?=[.]$)")
_PARTICIPLE_END = re.compile(r",(?: thereby| thus| often)? [a-z]+ing\b[^,;]*(?=[.]$)")
_SUBORDINATE = re.compile(
    r"(?:Although|Though|While|When|As|After|Before|If|Because|Since|Despite|With|Without|By|During|In|On|At|"
    r"From|For|To|Unlike|Like|Among|Under|Once|Until|Over|Through|Throughout|Within|Around|Not|Just|"
    r"[A-Z][a-z]+(?:ing|ed|ly))\b"
)
_OPENING_CLAUSE = re.compile(rf"{_SUBORDINATE.pattern}[^,]*, (?=[\w’'-])")
_SECOND = re.compile(
    rf"(?:, (?:and|but|while|whereas|although|though|so|yet)|;) "
    rf"(?!{_FINITE}|(?:also|then|later|thus|too|that|in|by|at|to|with) )"
    rf"(?=(?:(?:the|an?|many|some|most|several|other) )?(?:[\w’'-]+ ){{1,5}}?{_FINITE})"
)
_SECOND_VERB = re.compile(rf",? and (?=(?:also |then |later |eventually )?{_FINITE})")
_CONJUNCTION = re.compile(
    r"(?:Although|Though|When|While|Where|Whereas|Because|Since|If|Unless|Until|Once|After|Before|As|Who|Which|Whose|"
    r"Whom|That)\b"
)
_COMMA = re.compile(r"[,;:—–] ?")
_LIST_GOES_ON = re.compile(r"(?:and|or|nor|as well as)\b")
_LEFT_OPEN = re.compile(r"(?:(?:and|but|or) )?(?:when|as|while|after|before|if|although|though|because|since|that)\b")


def shorter_forms(text: str, _tight: bool = False) -> list[str]:
    """Shortened versions of a sentence: without removable clauses, and single clauses; without the sentence itself.

    Removable are relative clauses, appositions, final participles and the words before the first comma. Of two clauses
    with subjects either may remain alone, and so may the words before a comma. Versions have at least five words; [] if
    no part can be a sentence alone. `text` ends in a full stop, question mark or exclamation mark.
    """
    inner = _APPOSITION.sub("", _RELATIVE_INSIDE.sub("", text))
    end = _RELATIVE_END.sub("", inner)
    bases = [text, inner, end, _PARTICIPLE_END.sub("", end)]
    for base in list(bases):
        opening = _OPENING_CLAUSE.match(base)
        if opening and _VERB.search(_COMMA.split(base[opening.end() :])[0]):
            bases.append(base[opening.end() :])
    forms = []
    for base in dict.fromkeys(bases):
        forms += [base, *_halves(base)]
        if not _SUBORDINATE.match(base):  # then the longest words before a comma first
            starts = [base[: match.start()] for match in _COMMA.finditer(base) if _may_end(base, match)]
            forms += [one for one in reversed(starts) if _VERB.search(one.split(", ")[0]) and len(one.split()) >= 6]
    whole = [form for form in dict.fromkeys(forms) if not _is_fragment(form)]
    return [form for form in whole if form != text and len(form.split()) >= 5]


def _is_fragment(form: str) -> bool:
    """True if a shortened sentence is only a subordinate clause: a conjunction opens it, and no main clause follows."""
    rest = _COMMA.split(form)[1:]
    return _CONJUNCTION.match(form) is not None and not any(
        _VERB.search(piece) and not _LIST_GOES_ON.match(piece) for piece in rest
    )


def _halves(text: str) -> Iterator[str]:
    """Yields a compound sentence's single clauses, a verb before the comma; only the first if one subject."""
    for match in _SECOND.finditer(text):
        before = _COMMA.split(text[: match.start()])
        if _VERB.search(before[-1]):
            if len(before) > 1 or not _SUBORDINATE.match(text):
                yield text[: match.start()]
            yield text[match.end() :]
    for match in _SECOND_VERB.finditer(text):
        first = text[: match.start()]
        if _VERB.search(_COMMA.split(first)[-1] if _SUBORDINATE.match(first) else first):
            yield first


def _may_end(text: str, comma: re.Match[str]) -> bool:
    """True if a sentence may end before a comma: not in the middle of a list or of a subordinate clause."""
    last = _COMMA.split(text[: comma.start()])[-1]
    in_a_list = _LIST_GOES_ON.match(text, comma.end()) is not None and not _VERB.search(last)
    return not in_a_list and not _LEFT_OPEN.match(last)
