"""Reads a question: its expected answer type, question focus, gap, and how many answers are asked for.

The types are the two levels of Li and Roth (2002, Learning question classifiers), in `wordlists/answer-types.tsv`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from answerer.ntcir.term.language import term_tools
from answerer.ntcir.term.questions import gap_spans
from indexer.analysis.text import read_word_list
from indexer.languages.english import ENGLISH
from indexer.languages.language import Language

GROUPS = ("person", "place", "time", "number", "thing", "gap")
"""Coarse kinds of question; a feature may count differently in each."""


class AnswerType(NamedTuple):
    """A fine expected answer type and its coarse type (human, location, number, entity …).

    `kinds` are the entity types and span shapes that can answer it; `nouns` and `endings` are the focus nouns, and the
    endings of focus nouns, that ask for it.
    """

    name: str
    coarse: str
    kinds: frozenset[str]
    nouns: frozenset[str]
    endings: re.Pattern[str]


@dataclass(frozen=True, kw_only=True)
class AskedQuestion:
    """A question in plain words as it was read.

    `focus` is the noun that names what is asked ("" for none), `type` its fine answer type ("other" where nothing
    says), `before` and `after` are the words around the gap where one is to be filled, `verb` is the main verb in small
    letters and `role` how the answer goes with it ("subject", "object" or ""). `wanted` is how many answers are asked
    for (0: several, but the question does not say how many), `plural` whether the answer is in the plural (None where
    nothing says), and `polar` whether yes or no is asked for.
    """

    text: str
    focus: str = ""
    type: AnswerType
    before: str = ""
    after: str = ""
    verb: str = ""
    role: str = ""
    unit: str = ""
    wanted: int = 1
    plural: bool | None = None
    polar: bool = False

    @property
    def has_gap(self) -> bool:
        return bool(gap_spans(self.text))

    @property
    def wants_adjective(self) -> bool:
        """True if an adjective may fill the gap: before a noun, or behind is, are and the like."""
        return self.has_gap and (bool(self.after and self.after[0].isalpha()) or bool(_PREDICATIVE.search(self.before)))

    @property
    def group(self) -> str:
        """The question's group, one of `GROUPS`: person, place, number or time by the answer type, else "gap" for a
        question with a gap, else "thing"."""
        named = {"human": "person", "location": "place", "number": "number"}
        if self.type.name == "date":
            return "time"
        return named.get(self.type.coarse, "gap" if self.has_gap else "thing")


@cache
def answer_types() -> dict[str, AnswerType]:
    """Name → fine answer type, in the order in which `type_of_noun` tries the types."""
    found = {}
    for line in read_word_list(__package__, "answer-types.tsv"):
        name, coarse, kinds, nouns, endings = line.split("\t")
        ending = "|".join(endings.split()) if endings != "-" else "(?!)"
        found[name] = AnswerType(
            name,
            coarse,
            frozenset(kinds.split(",")) - {"-"},
            frozenset(nouns.split()) - {"-"},
            re.compile(rf"(?:{ending})$"),
        )
    return found


def type_of_noun(noun: str) -> AnswerType:
    """The first fine answer type that lists a noun (English: in the singular) or its ending; the type "other" if none
    does, and for ""."""
    types = answer_types()
    return next(
        (one for one in types.values() if noun and (noun in one.nouns or one.endings.search(noun))), types["other"]
    )


def read_question(text: str, language: Language) -> AskedQuestion:
    """Reads a question or a sentence with a gap; another language is read as Japanese."""
    return _read_english(text) if language.uses_spaces else _read_japanese(text, language)


_WORD = re.compile(r"_{2,}|[^\W_]+(?:[-'’][^\W_]+)*|\d+|[^\w\s]")
_POLAR = re.compile(
    r"(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should)\s(?!.*\bor\b)(?!n't)", re.IGNORECASE
)
_HOW = (
    (r"how (?:many|much)\b", "count"),
    (r"how long\b(?=.*\b(?:last|take|took|rule|reign|live|stay|be)\b)", "duration"),
    (r"how (?:long|far|high|tall|deep|wide)\b", "distance"),
    (r"how old\b", "age"),
    (r"how (?:large|big)\b", "size"),
    (r"how fast\b", "speed"),
    (r"how often\b", "count"),
)
_NUMBERS = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
_LIST = re.compile(r"\s*(?:please\s+)?(?:list|name|give|mention)\b", re.IGNORECASE)
_EMPTY_HEADS = frozenset("name names type types kind kinds form forms sort term one part example word".split())
_WRITING = ("write", "wrote", "paint", "painted", "compose", "publish")
_NOUNS = ("NN", "NNS", "NNP", "NNPS")
_LINKS = frozenset("is are was were called as named termed".split())
_OPENING = frozenset("in during according by as after before to".split())
# Nouns whose name follows "of" (the city of Rome); the power of Rome is not a power called Rome.
_NAMED_WITH_OF = frozenset(
    "city town state country empire kingdom republic duchy county province colony island peninsula valley river gulf "
    "bay strait battle siege treaty act law year century decade".split()
)
_NAMING = re.compile(r"(?:known as|called|termed|referred to as)(?: an?| the)?$")
_PREDICATIVE = re.compile(r"\b(?:is|are|was|were|be|being|becomes?|became|more|very|a|an|\))$")
_AUXILIARY = frozenset(
    "is are was were be been being am do does did has have had can could will would shall should may might must "
    "known called considered according following".split()
)


class _TaggedToken(NamedTuple):
    """A word with its Penn tag; the tag of the gap ("____") is GAP."""

    text: str
    tag: str

    @property
    def low(self) -> str:
        return self.text.lower()

    @property
    def is_noun(self) -> bool:
        return self.tag in _NOUNS


def _tokens(text: str) -> list[_TaggedToken]:
    """The words of an English question with Penn tags, the gap as one token; corrects two errors of the tagger."""
    from indexer.analysis.english import tags

    words = [word if not word.startswith("__") else "something" for word in _WORD.findall(text)]
    if words:  # the capital of a first word that is not a name misleads the tagger
        words[0] = words[0].lower() if words[0].lower() in _OPENERS else words[0]
    tagged = tags(words) if words else []
    for place, word in enumerate(words[:-1]):  # behind an interrogative the tagger takes a noun for a verb
        if word.lower() in ("which", "what", "whose") and tagged[place + 1] in ("VB", "VBP"):
            tagged[place + 1] = "NN"
    found = [_TaggedToken(word, tag) for word, tag in zip(words, tagged, strict=True)]
    return [one._replace(text="____", tag="GAP") if one.text == "something" else one for one in found]


_OPENERS = frozenset(
    "what which who whom whose where when how why the a an in on at for by of to is was were are did do does name list "
    "during according as after before".split()
)


def singular(word: str) -> str:
    """The singular of an English noun by its ending (cities → city, women → woman); a word without a plural ending
    comes back unchanged."""
    if word in ("people", "series", "species"):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith("men"):
        return word[:-2] + "an"
    if word.endswith(("sses", "xes", "ches", "shes")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > 3 else word


def _noun_phrase(tokens: Sequence[_TaggedToken], start: int) -> tuple[int, int]:
    """Token range of the first noun phrase from `start`, without determiners; empty if another phrase is first."""
    place = start
    while place < len(tokens) and (
        tokens[place].tag in ("DT", "JJ", "JJR", "JJS", "CD", "RB", "POS", "PRP$", "VBN", "VBG", "RBS")
        or (tokens[place].low in ("'s", "’s", "of", "the") and not tokens[place].is_noun)
    ):
        place += 1
    end = place
    while end < len(tokens) and (
        tokens[end].is_noun
        or tokens[end].low in ("'s", "’s")
        or (tokens[end].tag == "JJ" and end + 1 < len(tokens) and tokens[end + 1].is_noun)
    ):
        if end > place and tokens[end].text[0].isupper() and tokens[end - 1].text.islower():
            break  # the agreement Gerald Ford signed
        end += 1
    return place, end


def _head(tokens: Sequence[_TaggedToken], start: int) -> tuple[str, bool | None]:
    """Singular head noun of the noun phrase at or after `start`, and whether it is plural; ("", None) without one."""
    first, end = _noun_phrase(tokens, start)
    if first == end:
        return "", None
    word = tokens[end - 1].low
    if word in _EMPTY_HEADS and end < len(tokens) and tokens[end].low in ("of", "for"):
        deeper, plural = _head(tokens, end + 1)
        if deeper:
            return deeper, plural
    return singular(word), singular(word) != word


def _read_english(text: str) -> AskedQuestion:
    """Reads an English question of several sentences: the last with a gap, else with a question mark, else the last."""
    sentences = ENGLISH.analyser().sentences(text.strip())
    # the sentences before it introduce the question
    asking = [one for one in sentences if gap_spans(one)] or [one for one in sentences if one.rstrip().endswith("?")]
    asked = asking[-1] if asking else sentences[-1]
    tokens = _tokens(asked)
    types = answer_types()
    lows = [one.low for one in tokens]
    gap = next((place for place, one in enumerate(tokens) if one.tag == "GAP"), -1)
    # the beginning of a sentence that the answer ends
    if gap < 0 and asked.rstrip().endswith((":", " was", " is", " are", " were")):
        gap = len(tokens)
    if gap >= 0:
        return _read_gap(text, tokens, gap)
    # "Was it A or B?" is not a question for yes or no: the pattern leaves it out
    if _POLAR.match(asked) and asked.rstrip().endswith("?"):
        return AskedQuestion(text=text, type=types["other"], polar=True)
    # before what and which, for "how many of which …" asks for a number
    for pattern, name in _HOW:
        if match := re.search(pattern, asked, re.IGNORECASE):
            unit, _ = _head(tokens, len(_WORD.findall(asked[: match.end()])))
            named = {"percent": "percent", "people": "count"}.get(unit, name)
            return AskedQuestion(text=text, type=types[named], unit=unit if name == "count" else "")
    asks = next((place for place, low in enumerate(lows) if low in ("what", "which", "whose", "who", "whom")), -1)
    if asks >= 0 and (lows[0] not in ("when", "where") or "," in lows[:asks]):
        verb, role = _verb(tokens)
        wanted = next((_NUMBERS[one] for one in lows[asks + 1 : asks + 3] if one in _NUMBERS), 1)
        direct = lows[asks + 1 : asks + 2] in (["is"], ["was"], ["are"], ["were"])
        who = lows[asks] in ("who", "whom", "whose")
        focus, plural = _head(tokens, asks + 1 + direct) if direct or not who else ("", None)
        kind = type_of_noun(focus)
        if who:
            kind = kind if kind.coarse == "human" else types["individual"]
        elif wanted == 1 and plural and not direct:
            wanted = 0
        if not who and not focus and verb in _WRITING:
            kind = types["work"]
        return AskedQuestion(text=text, focus=focus, type=kind, verb=verb, role=role, wanted=wanted, plural=plural)
    for word, name in (("when", "date"), ("where", "place")):
        if word in lows[:3]:
            return AskedQuestion(text=text, type=types[name])
    if match := _LIST.match(asked):
        start = len(_WORD.findall(asked[: match.end()]))
        focus, plural = _head(tokens, start)
        wanted = next((_NUMBERS[one] for one in lows[start : start + 3] if one in _NUMBERS), 0 if plural else 1)
        return AskedQuestion(text=text, focus=focus, type=type_of_noun(focus), wanted=wanted, plural=plural)
    return AskedQuestion(text=text, type=types["other"])


def _verb(tokens: Sequence[_TaggedToken]) -> tuple[str, str]:
    """The main verb in lower case, and the role of the answer, "subject" or "object"; ("", "") without a verb."""
    lows = [one.low for one in tokens]
    verbs = [p for p, one in enumerate(tokens) if one.tag[:2] == "VB" and one.low not in _AUXILIARY]
    # the words behind the auxiliary are the subject, and its verb comes after them
    helped = next((p for p, low in enumerate(lows) if low in ("did", "does", "do")), -1)
    if helped >= 0:
        after = [p for p in range(helped + 1, len(tokens)) if tokens[p].tag[:2] == "VB" and p in verbs]
        return (lows[after[0]], "object") if after else ("", "")
    if not verbs:
        return "", ""
    first = verbs[0]
    passive = any(low in ("is", "are", "was", "were", "been") for low in lows[max(0, first - 3) : first])
    by = lows[:1] == ["by"] or (passive and lows[-2:-1] == ["by"])
    return lows[first], "subject" if by or not passive else "object"


def _read_gap(text: str, tokens: Sequence[_TaggedToken], gap: int) -> AskedQuestion:
    """Reads a sentence whose gap is token `gap`; its focus is the noun after it, before "of", or linked by "be"."""
    lows = [one.low for one in tokens]
    before, after = " ".join(lows[max(0, gap - 2) : gap]), " ".join(lows[gap + 1 : gap + 3])
    types = answer_types()
    plural, verb, role = None, "", ""
    if lows[gap - 1 : gap] in (["a"], ["an"], [")"]):
        plural = False
    if gap + 1 < len(tokens) and tokens[gap + 1].tag in ("NN", "NNS", "JJ"):
        first, end = _noun_phrase(tokens, gap + 1)
        focus = singular(lows[end - 1]) if end > first else ""
        kind = type_of_noun(focus) if type_of_noun(focus).coarse == "entity" else types["other"]
    elif gap == 0:
        linked = next((p for p in range(1, min(len(tokens), 4)) if lows[p] in _LINKS), -1)
        focus = _head(tokens, linked + 1)[0] if lows[linked + 1 : linked + 2] in (["a"], ["an"], ["the"]) else ""
        kind, role = type_of_noun(focus), "subject"
        plural = lows[linked] in ("are", "were") if linked > 0 else None
        verb = next((one.low for one in tokens[1:4] if one.tag[:2] == "VB" and one.low not in _AUXILIARY), "")
    elif lows[gap - 1] == "of" and gap > 1 and tokens[gap - 2].is_noun:
        focus = singular(lows[gap - 2])
        kind = type_of_noun(focus) if focus in _NAMED_WITH_OF else types["other"]
    else:
        words = [low for low in lows[:gap] if low not in ("a", "an", "the", ":", "(", "n", ")")]
        start = 0  # of the subject: behind opening prepositional phrases
        while lows[start : start + 1] and lows[start] in _OPENING and "," in lows[start:]:
            start = lows.index(",", start) + 1
        focus = _head(tokens, start)[0] if _LINKS.intersection(words[-1:]) else ""
        kind = type_of_noun(focus)
        # what is called a model is a word for a person, what is known as the critical period no date
        if (plural is False and kind.coarse == "human") or _NAMING.search(" ".join(lows[max(0, gap - 4) : gap])):
            kind = kind if kind.coarse == "entity" else types["other"]
    return AskedQuestion(
        text=text, focus=focus, type=kind, before=before, after=after, verb=verb, role=role, plural=plural
    )


_JA_POLAR = re.compile(r"(?:か|の)[。？?]?$")
_JA_ASKS = re.compile(
    r"何|なに|なん(?:と|の|で|年|人|回)|誰|だれ|どこ|どの|どれ|どちら|どう|どん|いつ|いくつ|いくら|なぜ|挙げ|あげ|答え|述べ|□|[_＿]{2}"
)
_JA_LIST = re.compile(
    r"(?:を|は)?(?:(?P<n>[二三四五2-5２-５])(?:つ|人|個|ヶ国|カ国|か国)?)?、?(?:すべて|全て)?(?:挙げ|あげ|列挙|答え)"
)
_JA_TWO = re.compile(r"(?:どこ|誰|だれ|何|どれ)と(?:どこ|誰|だれ|何|どれ)")
_JA_ROLE = re.compile(
    r"(?:誰|だれ|何|なに|どこ|ど[のんう][^、。はがを]{1,8}?)(?P<particle>[をにへが]|で(?![すしあは]))"
)
_JA_ROLES = {"を": "object", "が": "subject", **dict.fromkeys("にへで", "place")}
_JA_NUMBER = {"二": 2, "三": 3, "四": 4, "五": 5}


def _read_japanese(text: str, language: Language) -> AskedQuestion:
    """Reads a Japanese or Chinese question; the number of answers is 0 where several are asked for without a number."""
    reader = term_tools(language)
    types = answer_types()
    asked = text.strip()
    if _JA_POLAR.search(asked) and not _JA_ASKS.search(asked):
        return AskedQuestion(text=text, type=types["other"], polar=True)
    focus, interrogative = reader.focus_of(asked), reader.interrogative(asked)
    wanted = 1
    if match := _JA_LIST.search(asked):
        number = match["n"]
        wanted = (_JA_NUMBER.get(number) or int(number)) if number else (0 if "挙げ" in asked or "あげ" in asked else 1)
    elif _JA_TWO.search(asked):
        wanted = 2
    kind = type_of_noun(focus)
    if interrogative == "time":
        kind = types["date"]
    elif interrogative == "number":
        kind = kind if kind.coarse == "number" and kind.name != "date" else types["count"]
        kind = types["language"] if focus.endswith("語") else kind
    elif interrogative == "person":
        kind = types["individual"]
    elif interrogative == "place" and kind.coarse != "location" and kind.name != "group":
        kind = types["place"]
    match = _JA_ROLE.search(asked)
    role = _JA_ROLES[match["particle"]] if match else "subject" if re.search("のは(?:誰|だれ)", asked) else ""
    gaps = gap_spans(text)
    before, after = (text[: gaps[0][0]][-2:], text[gaps[0][1] :][:2]) if gaps else ("", "")
    return AskedQuestion(
        text=text,
        focus=focus,
        type=kind,
        before=before,
        after=after,
        role=role,
        unit=reader.unit_of(asked) if kind.coarse == "number" else "",
        wanted=wanted,
    )
