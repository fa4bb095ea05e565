"""The choices that a question has in itself: pasted behind it, or joined by "or"."""

from __future__ import annotations

import re
from collections.abc import Iterable

# The label of the first choice behind a question, or behind a gap at its end.
_FIRST_LABEL = re.compile(
    r"(?:[?？]|__\W?)[\"”’)]* (?P<opening>\(?)(?P<label>[Aa1])(?P<closing>[.):]) "
)
# The same in Japanese, where no blanks part label and choice.
_FIRST_JAPANESE = re.compile(
    r"(?:[?？。か]|__\W?)[」』]? ?(?P<opening>[(（]?)"
    r"(?:(?P<label>[AaＡａ1１ア])(?P<closing>[.．)）、:： ])|(?P<circled>①))"
)
_KANA = "アイウエオカキクケコ"
_MOST = 9  # labels of one list
_SEPARATOR = re.compile(r",? or |, |か、?")
_TRUTH = frozenset(("yes", "no", "true", "false", "はい", "いいえ"))
_WORD = r"[A-Z\d][\w’'.-]*"
_NAME = rf"(?:the )?(?!(?:Yes|No|True|False)\b){_WORD}(?: (?:(?:of|the|and) )?{_WORD}){{0,4}}"
_THING = rf"(?:{_NAME}|(?:an?|the) [\w’'-]+(?: [\w’'-]+){{0,2}})"
# "Who built it, Akbar or Shah Jahan?", and the clause before the comma
_WHICH = re.compile(rf"[,:] (?P<choices>{_THING}(?:, {_THING}){{0,6}},? or {_THING}) ?\?\Z")
_ASKS = re.compile(r"\b(?:who|whom|which|what|where|when|how)\b[^,:]*\Z", re.IGNORECASE)
# "Did Akbar or Shah Jahan build it?"
_WHETHER = re.compile(
    r"(?P<before>(?i:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should)\b"
    rf"(?! it (?:true|correct)).*? )(?P<choices>{_NAME}(?:, {_NAME}){{0,6}},? or {_NAME})"
    r"(?P<behind>(?!\w).*)"
)
# "アクバルとバーブルのどちら", and "アクバルかバーブルか" at the end
_JA_NAME = "[ァ-ヺー・＝=一-龥々A-Za-zＡ-Ｚ0-9０-９]{2,40}"
_JA_WHICH = re.compile(
    rf"(?P<before>|.*[はがをにで、])(?P<choices>{_JA_NAME}と{_JA_NAME})と?(?:の(?:うち)?|では?)?、?"
    r"(?P<behind>(?:どちら|どっち).*)"
)
_JA_WHETHER = re.compile(
    rf"(?P<before>.*[はがをにで、])(?P<choices>{_JA_NAME}か、?{_JA_NAME})(?P<behind>(?:です)?か[。?？]?)"
)


def choices_in(question: str) -> tuple[str, list[str]]:
    """A question without its choices, and these: those printed behind it, labelled A, B …, a, b …,
    1, 2 …, ①, ② … or ア, イ … ("? A. x B. y"), or English names or numbers joined by "or", behind a
    comma or colon ("Who built it, Akbar or Babur?"; things with an article too) or in a question
    for yes or no, which gets a gap for them; Japanese ones too (AとBのどちら, AかBか). Unchanged
    and [] without any, and if a labelled one is a question; labelled "yes" and "no" are dropped."""
    if first := _FIRST_LABEL.search(question) or _FIRST_JAPANESE.search(question):
        choices, stem = (
            _labelled(question[first.end() :], first),
            question[: first.start("opening")],
        )
        if choices and _TRUTH.issuperset(choice.casefold() for choice in choices):
            return stem.strip(), []
        return (stem.strip(), choices) if choices else (question, [])
    match = _WHICH.search(question)
    if match and _ASKS.search(question[: match.start()]):
        return f"{question[: match.start()]}?", _SEPARATOR.split(match["choices"])
    if match := _JA_WHICH.fullmatch(question):
        return f"{match['before']}{match['behind']}", match["choices"].split("と")
    if match := _WHETHER.fullmatch(question) or _JA_WHETHER.fullmatch(question):
        stem = f"{match['before']}____{match['behind']}"
        return stem, _SEPARATOR.split(match["choices"])
    return question, []


def _labelled(text: str, first: re.Match[str]) -> list[str]:
    """The choices in a text that follows the label of the first; [] for fewer than two, and if one
    is empty or a question."""
    groups = first.groupdict()
    label, closing = groups.get("circled") or first["label"], first["closing"] or ""
    further: Iterable[str] = map(chr, range(ord(label) + 1, ord(label) + _MOST))
    if label == "ア":
        further = _KANA[1:]
    gap = " " if first.re is _FIRST_LABEL else ""
    choices = []
    for following in further:
        mark = f"{gap}{first['opening']}{following}{closing}{gap}"
        before, mark_in_text, behind = text.partition(mark)
        if mark_in_text:
            choices.append(before.strip())
            text = behind
    choices.append(text.strip())
    is_list = len(choices) > 1 and not any(choice[-1:] in ("", "?", "？") for choice in choices)
    return choices if is_list else []
