"""Shorter forms of a Japanese sentence: its clauses by themselves."""

from __future__ import annotations

import re
from typing import NamedTuple

from indexer.analysis.japanese import nodes

# How verbs whose stem changes before た end: the end of the form that joins clauses, and the past.
_PAST = {
    "五段・カ行イ音便": ("き", "いた"),
    "五段・カ行促音便": ("き", "った"),
    "五段・ガ行": ("ぎ", "いだ"),
    "五段・サ行": ("し", "した"),
    "五段・タ行": ("ち", "った"),
    "五段・ラ行": ("り", "った"),
    "五段・ラ行アル": ("り", "った"),
    "五段・ワ行促音便": ("い", "った"),
    "五段・ナ行": ("に", "んだ"),
    "五段・バ行": ("び", "んだ"),
    "五段・マ行": ("み", "んだ"),
}
_KEEP_THEIR_STEM = ("一段", "サ変", "カ変")
_PREDICATES = ("動詞", "形容詞", "助動詞")
_GOES_ON = ("連用形", "連用テ接続", "連用ニ接続")
_JOINS_NO_CLAUSE = ("と", "ば", "たり", "つつ", "ながら")
_AFTER_A_SENTENCE = ("が", "ので", "ものの", "けれども", "けれど")
_NOUNS_THAT_JOIN = ("ため", "際", "後", "ほか")
_BRACKETS = (("「", "」"), ("『", "』"), ("(", ")"), ("（", "）"))
_SHORTEST = 12  # characters of a shorter form: below that hardly a statement
_NEAR = 12  # words from the beginning of a clause in which its topic or subject is looked for
_SHORTEST_END = 15  # characters from a comma on that may be a statement
_SUBJECT = re.compile(r"[はがもを]")


class _ParsedWord(NamedTuple):
    """A word as MeCab parses it: surface, part of speech, subclass, conjugation class, conjugated and base form."""

    surface: str
    part: str
    kind: str
    conjugation: str
    form: str
    base: str


def shorter_forms(text: str, tight: bool) -> list[str]:
    """Runs of its clauses; `tight`: also its endings from a comma on."""
    return clauses(text) + (endings(text) if tight else [])


def endings(text: str) -> list[str]:
    """The words of a sentence from each comma on, with a subject or an object among them."""
    ends = [text[match.end() :] for match in re.finditer("、", text)]
    return [end for end in ends if _SUBJECT.search(end[:-4]) and len(end) >= _SHORTEST_END]


def clauses(text: str) -> list[str]:
    """Shortened versions of a sentence: every contiguous run of its clauses, except the whole, without stop.

    A run without a subject gets the topic of the first clause (「王は都を征服し、城を建てた。」 gives
    「王は城を建てた」), and is left out without such a topic. A continuative verb ends in its base form, in a past
    sentence in the past. Left out are also runs without any subject and runs with unbalanced brackets. [] for a single
    clause.
    """
    if "、" not in text:
        return []
    words = []
    for node in nodes(text):
        fields = [*node.feature.split(","), "*"]
        base = fields[6] if fields[6] != "*" else node.surface
        words.append(_ParsedWord(node.surface, fields[0], fields[1], fields[4], fields[5], base))
    if words and words[-1].kind == "句点":
        words.pop()
    # A clause ends before a comma: in a conjunction, a form that goes on, or a noun such as ため.
    parts: list[list[_ParsedWord]] = [[]]
    for word in words:
        last = parts[-1][-1] if parts[-1] else None
        if (
            word.kind == "読点"
            and last
            and (
                last.surface not in _JOINS_NO_CLAUSE
                if last.kind == "接続助詞"
                else (last.part in _PREDICATES and last.form in _GOES_ON) or last.surface in _NOUNS_THAT_JOIN
            )
        ):
            parts.append([])
        else:
            parts[-1].append(word)
    if not parts[-1] and len(parts) > 1:
        parts.pop()
    is_past = bool(words) and words[-1].conjugation == "特殊・タ"
    marked = next((place for place in range(1, len(parts[0])) if _marks(parts[0], place, "は")), None)
    topic = None if marked is None else _surface(parts[0][: marked + 1]).rpartition("、")[2]
    has_subject = [any(_marks(part, place, "はが") for place in range(1, min(len(part), _NEAR))) for part in parts]
    forms = []
    for first in range(len(parts)):
        opening = "" if first == 0 or has_subject[first] else topic
        if opening is None:
            continue
        for last_part in range(first, len(parts) - (first == 0)):
            part = parts[last_part]
            end = _surface(part) if last_part == len(parts) - 1 else _end_clause(part, is_past)
            if end and (opening or any(has_subject[first : last_part + 1])):
                forms.append(opening + "".join(f"{_surface(part)}、" for part in parts[first:last_part]) + end)
    return [
        form
        for form in dict.fromkeys(forms)
        if len(form) >= _SHORTEST and all(form.count(opening) == form.count(closing) for opening, closing in _BRACKETS)
    ]


def _marks(words: list[_ParsedWord], place: int, particles: str) -> bool:
    """True if a word is one of the particles and does not follow another (には does not mark a topic)."""
    word = words[place]
    is_particle = word.part == "助詞" and word.kind != "接続助詞"
    return word.surface in particles and is_particle and words[place - 1].part != "助詞"


def _end_clause(part: list[_ParsedWord], is_past: bool) -> str | None:
    """A clause with its last form made a sentence's end, in the past for `is_past`; None if not possible."""
    if len(part) < 2:
        return None
    before, last = part[-2:]
    if last.kind == "接続助詞":
        if last.surface in ("て", "で") and before.part == "動詞":
            if is_past:
                return _surface(part[:-1]) + ("た" if last.surface == "て" else "だ")
            return _surface(part[:-2]) + before.base
        return _surface(part[:-1]) if last.surface in _AFTER_A_SENTENCE and before.form == "基本形" else None
    if last.part not in ("動詞", "助動詞") or last.form != "連用形" or last.surface == "で":
        return None
    if last.base == "おる":
        ending = "いた" if is_past else "いる"
    elif not is_past:
        ending = last.base
    elif last.conjugation.startswith(_KEEP_THEIR_STEM):
        ending = f"{last.surface}た"
    else:
        stem, past = _PAST.get(last.conjugation, ("", ""))
        if not stem or not last.surface.endswith(stem):
            return None
        ending = last.surface.removesuffix(stem) + past
    return _surface(part[:-1]) + ending


def _surface(words: list[_ParsedWord]) -> str:
    return "".join(word.surface for word in words)
