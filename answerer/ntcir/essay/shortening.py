"""Shorter forms of an English and of a Japanese sentence: without removable clauses, and its
clauses by themselves."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_FINITE = (
    r"(?:is|are|was|were|has|had|have|did|could|would|can|may|might|will|became|began|made|took"
    r"|led|gave|came|saw|"
    r"fell|rose|went|grew|won|lost|held|kept|brought|built|wrote|found|left|sent|fought|sought|put"
    r"|ran|met|set|told|"
    r"spread|drew|chose|spoke|stood|paid|[a-z]{2,}ed)\b"
)
_VERB = re.compile(rf"\b{_FINITE}")
_RELATIVE_INSIDE = re.compile(r", (?:which|who|whose|where|when)\b[^,;]*,(?= )")
_APPOSITION = re.compile(
    rf", (?:an?|the|one of|his|her|its|their|known as|also|then|now|later|called|or|born"
    rf"|named)\b[^,;:]*,"
    rf"(?= (?:also )?{_FINITE})"
)
_RELATIVE_END = re.compile(
    r",(?: which| who| whose| where| when| although| though| while| as)\b[^,;]*(?=[.]$)"
)
_PARTICIPLE_END = re.compile(r",(?: thereby| thus| often)? [a-z]+ing\b[^,;]*(?=[.]$)")
_SUBORDINATE = re.compile(
    r"(?:Although|Though|While|When|As|After|Before|If|Because|Since|Despite|With|Without|By"
    r"|During|In|On|At|"
    r"From|For|To|Unlike|Like|Among|Under|Once|Until|Over|Through|Throughout|Within|Around|Not"
    r"|Just|"
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
    r"(?:Although|Though|When|While|Where|Whereas|Because|Since|If|Unless|Until|Once|After|Before"
    r"|As|Who|Which|Whose|"
    r"Whom|That)\b"
)
_COMMA = re.compile(r"[,;:—–] ?")
_LIST_GOES_ON = re.compile(r"(?:and|or|nor|as well as)\b")
_LEFT_OPEN = re.compile(
    r"(?:(?:and|but|or) )?(?:when|as|while|after|before|if|although|though|because|since|that)\b"
)


def english_forms(text: str, _tight: bool = False) -> list[str]:
    """Shortened versions of a sentence, each once: without removable clauses, and single clauses
    (these without stop, and some in lower case); without the sentence itself.

    Removable are relative clauses, appositions, final participles and an opening clause or phrase
    (When …, In …) up to the first comma. Of two clauses with subjects either may remain alone, and
    so may six or more words before a comma. Versions have at least five words; [] if no part can be
    a sentence alone. `text` ends in a full stop, question mark or exclamation mark; `_tight`
    changes nothing.
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
            starts = [
                base[: match.start()] for match in _COMMA.finditer(base) if _may_end(base, match)
            ]
            forms += [
                form
                for form in reversed(starts)
                if _VERB.search(form.split(", ")[0]) and len(form.split()) >= 6
            ]
    return [
        form
        for form in dict.fromkeys(forms)
        if form != text and len(form.split()) >= 5 and not _is_fragment(form)
    ]


def _is_fragment(form: str) -> bool:
    """True if a shortened sentence is only a subordinate clause: a conjunction opens it, and no
    main clause follows."""
    rest = _COMMA.split(form)[1:]
    return _CONJUNCTION.match(form) is not None and not any(
        _VERB.search(piece) and not _LIST_GOES_ON.match(piece) for piece in rest
    )


def _halves(text: str) -> Iterator[str]:
    """Yields what is left and right of each comma that parts two clauses of a compound sentence:
    both, or one if they share a subject or the other is subordinate. The words before the comma
    must contain a verb, as the comma may otherwise belong to a list."""
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
    """False if an English sentence cannot end before a comma (or `;`, `:`, dash): before the "and"
    or "or" of a list, and behind a clause that begins with a conjunction (when, because)."""
    last = _COMMA.split(text[: comma.start()])[-1]
    in_a_list = _LIST_GOES_ON.match(text, comma.end()) is not None and not _VERB.search(last)
    return not in_a_list and not _LEFT_OPEN.match(last)


# The past of Japanese verbs whose stem changes before た, by the last letter of the form that joins
# clauses.
_PAST = dict(
    zip("きぎしちりいにびみ", "いた いだ した った った った んだ んだ んだ".split(), strict=True)
)
_NO_PAST = ("ウ音便", "促音便ユク", "特殊")  # ends of the classes with other forms
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
    """A word as MeCab parses it: surface, part of speech, subclass, conjugation class, conjugated
    and base form."""

    surface: str
    part: str
    kind: str
    conjugation: str
    form: str
    base: str


def japanese_endings(text: str) -> list[str]:
    """The words of a sentence behind each comma, the longest first, if a subject or an object is
    among them and they are 15 characters or more."""
    ends = [text[match.end() :] for match in re.finditer("、", text)]
    return [end for end in ends if _SUBJECT.search(end[:-4]) and len(end) >= _SHORTEST_END]


def japanese_clauses(text: str) -> list[str]:
    """Shortened versions of a sentence: every contiguous run of its clauses, except the whole,
    without stop.

    A run without a subject gets the topic of the first clause
    (「王は北の都を征服し、巨大な新しい城を建てた。」 gives 「王は巨大な新しい城を建てた」), and is
    left out without such a topic. A continuative verb ends in its base form, in a past sentence in
    the past. Left out are also runs without any subject, of fewer than 12 characters, with
    unbalanced brackets, or whose last form cannot end a sentence. [] for a single clause.
    """
    if "、" not in text:
        return []
    from indexer.analysis.japanese import nodes

    words = []
    for node in nodes(text):
        fields = [*node.feature.split(","), "*"]
        base = fields[6] if fields[6] != "*" else node.surface
        words.append(_ParsedWord(node.surface, fields[0], fields[1], fields[4], fields[5], base))
    if words and words[-1].kind == "句点":
        words.pop()
    parts: list[list[_ParsedWord]] = [[]]
    for word in words:
        if word.kind == "読点" and parts[-1] and _ends_a_clause(parts[-1][-1]):
            parts.append([])
        else:
            parts[-1].append(word)
    if not parts[-1] and len(parts) > 1:
        parts.pop()
    is_past = bool(words) and words[-1].conjugation == "特殊・タ"
    marked = next(
        (position for position in range(1, len(parts[0])) if _marks(parts[0], position, "は")), None
    )
    topic = None if marked is None else _surface(parts[0][: marked + 1]).rpartition("、")[2]
    has_subject = [
        any(_marks(part, position, "はが") for position in range(1, min(len(part), _NEAR)))
        for part in parts
    ]
    forms: dict[str, None] = {}
    for first in range(len(parts)):
        opening = "" if first == 0 or has_subject[first] else topic
        if opening is None:
            continue
        for last_part in range(first, len(parts) - (first == 0)):
            part = parts[last_part]
            end = _surface(part) if last_part == len(parts) - 1 else _end_clause(part, is_past)
            if end and (opening or any(has_subject[first : last_part + 1])):
                form = (
                    opening
                    + "".join(f"{_surface(part)}、" for part in parts[first:last_part])
                    + end
                )
                if len(form) >= _SHORTEST and all(
                    form.count(left) == form.count(right) for left, right in _BRACKETS
                ):
                    forms[form] = None
    return list(forms)


def _ends_a_clause(word: _ParsedWord) -> bool:
    """True if a clause ends in a word before a comma: in a conjunction (と, ば, たり, つつ, ながら
    aside), a form that goes on, or a noun such as ため."""
    if word.kind == "接続助詞":
        return word.surface not in _JOINS_NO_CLAUSE
    return (word.part in _PREDICATES and word.form in _GOES_ON) or word.surface in _NOUNS_THAT_JOIN


def _marks(words: list[_ParsedWord], position: int, particles: str) -> bool:
    """True if a word is one of the particles, but no conjunction (が), and does not follow another
    (には does not mark a topic)."""
    word = words[position]
    is_particle = word.part == "助詞" and word.kind != "接続助詞"
    return word.surface in particles and is_particle and words[position - 1].part != "助詞"


def _end_clause(part: list[_ParsedWord], is_past: bool) -> str | None:
    """A clause with its last form made a sentence's end, in the past for `is_past`: a continuative
    verb, with or without て, in its base or past form; before が, ので … the clause without these.
    None for other forms, and for fewer than two words."""
    if len(part) < 2:
        return None
    before, last = part[-2:]
    if last.kind == "接続助詞":
        if last.surface in ("て", "で") and before.part == "動詞":
            if is_past:
                return _surface(part[:-1]) + ("た" if last.surface == "て" else "だ")
            return _surface(part[:-2]) + before.base
        return (
            _surface(part[:-1])
            if last.surface in _AFTER_A_SENTENCE and before.form == "基本形"
            else None
        )
    if last.part not in ("動詞", "助動詞") or last.form != "連用形" or last.surface == "で":
        return None
    if last.base == "おる":
        ending = "いた" if is_past else "いる"
    elif not is_past:
        ending = last.base
    elif last.conjugation.startswith(_KEEP_THEIR_STEM):
        ending = f"{last.surface}た"
    elif last.conjugation.startswith("五段") and not last.conjugation.endswith(_NO_PAST):
        ending = last.surface[:-1] + (
            "った" if "促音便" in last.conjugation else _PAST[last.surface[-1]]
        )
    else:
        return None
    return _surface(part[:-1]) + ending


def _surface(words: list[_ParsedWord]) -> str:
    """The text of words."""
    return "".join(word.surface for word in words)
