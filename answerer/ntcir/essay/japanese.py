"""Shorter forms of a Japanese sentence: its clauses by themselves."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from indexer.analysis.japanese import nodes

if TYPE_CHECKING:
    import MeCab


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
_JOINS_NO_CLAUSE = ("と", "ば", "たり", "つつ", "ながら")
_AFTER_A_SENTENCE = ("が", "ので", "ものの", "けれども", "けれど")
_NOUNS_THAT_JOIN = ("ため", "際", "後", "ほか")
_BRACKETS = (("「", "」"), ("『", "』"), ("(", ")"), ("（", "）"))
_SHORTEST = 12  # characters of a shorter form: below that hardly a statement
_NEAR = 12  # words from the beginning of a clause in which its topic or subject is looked for


class _ParsedWord(NamedTuple):
    """A word as MeCab parses it: part of speech, its kind, conjugation, form and base."""

    surface: str
    part: str
    kind: str
    conjugation: str
    form: str
    base: str


def clauses(text: str) -> list[str]:
    """Runs of a sentence's clauses, each ending as a sentence does, without the whole; [] for a single clause.

    A clause without a subject gets the topic of the first (「王は都を征服し、城を建てた。」 gives
    「王は城を建てた」), and is left out without such a topic.
    A clause that goes on ends in its base form, in a past sentence in the past. Left out is also what has no subject at
    all, and what opens a bracket or closes one without the other.
    """
    if "、" not in text:
        return []
    words = _words(text)
    parts = _split(words)
    past = bool(words) and words[-1].conjugation == "特殊・タ"
    topic = _topic(parts[0])
    found = []
    for first in range(len(parts)):
        opening = "" if first == 0 or _has_subject(parts[first]) else topic
        if opening is None:
            continue
        for last in range(first, len(parts) - (first == 0)):
            end = _surface(parts[last]) if last == len(parts) - 1 else _end_clause(parts[last], past)
            if end and (opening or any(_has_subject(part) for part in parts[first : last + 1])):
                run = "".join(f"{_surface(part)}、" for part in parts[first:last])
                found.append(f"{opening}{run}{end}")
    return [one for one in dict.fromkeys(found) if len(one) >= _SHORTEST and _is_balanced(one)]


def _is_balanced(text: str) -> bool:
    return all(text.count(opening) == text.count(closing) for opening, closing in _BRACKETS)


def _words(text: str) -> list[_ParsedWord]:
    """The words of a sentence without its stop."""
    words = list(map(_word, nodes(text)))
    return words[:-1] if words and words[-1].kind == "句点" else words


def _word(node: MeCab.Node) -> _ParsedWord:
    fields = [*node.feature.split(","), "*"]
    base = fields[6] if fields[6] != "*" else node.surface
    return _ParsedWord(node.surface, fields[0], fields[1], fields[4], fields[5], base)


def _split(words: list[_ParsedWord]) -> list[list[_ParsedWord]]:
    """The clauses of a sentence, at least one, without the commas between them."""
    parts: list[list[_ParsedWord]] = [[]]
    for word in words:
        if word.kind == "読点" and parts[-1] and _joins(parts[-1][-1]):
            parts.append([])
        else:
            parts[-1].append(word)
    return parts if parts[-1] or len(parts) == 1 else parts[:-1]


def _joins(word: _ParsedWord) -> bool:
    """True if a clause ends before a comma: in a conjunction, a form that goes on, or a noun such as ため."""
    if word.kind == "接続助詞":
        return word.surface not in _JOINS_NO_CLAUSE
    return (word.part in _PREDICATES and word.form in ("連用形", "連用テ接続", "連用ニ接続")) or (
        word.surface in _NOUNS_THAT_JOIN
    )


def _marks(words: list[_ParsedWord], place: int, particles: str) -> bool:
    """True if a word is one of the particles and does not follow another (には does not mark a topic)."""
    word = words[place]
    return (
        word.surface in particles
        and word.part == "助詞"
        and word.kind != "接続助詞"
        and words[place - 1].part != "助詞"
    )


def _topic(part: list[_ParsedWord]) -> str | None:
    """The first clause up to its は; None without."""
    for place in range(1, len(part)):
        if _marks(part, place, "は"):
            return _surface(part[: place + 1]).rpartition("、")[2]
    return None


def _has_subject(part: list[_ParsedWord]) -> bool:
    """True if a clause has a topic or a subject near its beginning."""
    return any(_marks(part, place, "はが") for place in range(1, min(len(part), _NEAR)))


def _end_clause(part: list[_ParsedWord], past: bool) -> str | None:
    """A clause that goes on, as a sentence without its stop; None if its end cannot be made one."""
    if len(part) < 2:
        return None
    before, last = part[-2:]
    if last.kind == "接続助詞":
        if last.surface in ("て", "で") and before.part == "動詞":
            if past:
                return _surface(part[:-1]) + ("た" if last.surface == "て" else "だ")
            return _surface(part[:-2]) + before.base
        return _surface(part[:-1]) if last.surface in _AFTER_A_SENTENCE and before.form == "基本形" else None
    if last.part in ("動詞", "助動詞") and last.form == "連用形" and last.surface != "で":
        ending = _past(last) if past else "いる" if last.base == "おる" else last.base
        return _surface(part[:-1]) + ending if ending else None
    return None


def _past(verb: _ParsedWord) -> str | None:
    """A verb in the past, from the form that joins clauses; None for a conjugation that is not known here."""
    if verb.base == "おる":
        return "いた"
    if verb.conjugation.startswith(_KEEP_THEIR_STEM):
        return f"{verb.surface}た"
    end, past = _PAST.get(verb.conjugation, ("", ""))
    return verb.surface.removesuffix(end) + past if end and verb.surface.endswith(end) else None


def _surface(words: list[_ParsedWord]) -> str:
    return "".join(word.surface for word in words)


_SUBJECT = re.compile(r"[はがもを]")


def shorter_forms(text: str, tight: bool) -> list[str]:
    """Runs of its clauses; `tight`: also its endings from a comma on."""
    return clauses(text) + (endings(text) if tight else [])


def endings(text: str) -> list[str]:
    """The words of a sentence from each comma on, with a subject or an object among them."""
    starts = [match.end() for match in re.finditer("、", text)]
    return [text[start:] for start in starts if _SUBJECT.search(text[start:-4]) and len(text) - start >= 15]
