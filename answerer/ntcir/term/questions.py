"""Reads term questions: expected answer type, question focus, gap, how many answers, and the
context of a sheet.

The answer types are the two levels of [LiRoth], in `wordlists/answer-types.tsv`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache
from typing import NamedTuple
from unicodedata import numeric

from answerer.formats.answer_sheet import Section
from answerer.ntcir.term import japanese
from answerer.ntcir.term.entity_types import ASKED, OTHERS, PLACES
from indexer.analysis.analyser import Analyser
from indexer.analysis.english import singular
from indexer.analysis.text import read_word_list
from indexer.entities.gazetteer import class_of
from indexer.languages.english import ENGLISH
from indexer.languages.language import Language


class AnswerType(NamedTuple):
    """A fine expected answer type and its coarse type (human, location, number, entity …).

    `kinds` are the entity types and span shapes that can answer it; `nouns` and `endings` are the
    focus nouns, and the endings of focus nouns, that ask for it.
    """

    name: str
    coarse: str
    kinds: frozenset[str]
    nouns: frozenset[str]
    endings: re.Pattern[str]


# Weights of the texts that a section brings, in the query and in coverage; set, not learned.
ASKED_WEIGHT = 1.0
LEAD_WEIGHT = 1.0
SIDE_WEIGHT = 0.3  # of another part's text, or one that it refers to over another
GRAND_WEIGHT = 0.15  # of the text above all questions of the section
EVERYTHING = frozenset((*PLACES, *OTHERS, "person"))


@dataclass(frozen=True, kw_only=True)
class TermQuestion:
    """A question as it was read.

    `texts` are its texts with weights, the asked part first, then its context; `focus` is the noun
    that names what is asked ("" for none), `type` its fine answer type ("other" where nothing
    says), `before` and `after` are the words around the gap of an English sentence, `verb` is the
    main verb in small letters and `role` how the answer goes with it ("subject", "object" or "",
    in Japanese also "place"). `wanted` is how many answers are asked for (0: several, but not how
    many), `polar` whether yes or no; `counted` is the singular noun whose number is asked for (""
    for none). `classes` are the entity classes of the answer, or {"time"} or {"number"}; `firm` is
    true if the sheet, an interrogative or the focus determines them.
    """

    question_id: str = "ask"
    texts: tuple[tuple[str, float], ...]
    focus: str = ""
    type: AnswerType
    before: str = ""
    after: str = ""
    verb: str = ""
    role: str = ""
    wanted: int = 1
    polar: bool = False
    counted: str = ""
    classes: frozenset[str] = frozenset()
    firm: bool = False

    @property
    def text(self) -> str:
        """The asked part."""
        return self.texts[0][0]

    @cached_property
    def has_gap(self) -> bool:
        """True if a gap of a sentence is to be filled, instead of a question answered."""
        return bool(gap_spans(self.text))

    @cached_property
    def wants_adjective(self) -> bool:
        """True if an adjective may fill the gap: a word is behind it, or is, are … before it."""
        return self.has_gap and (
            bool(self.after and self.after[0].isalpha()) or bool(_PREDICATIVE.search(self.before))
        )

    @cached_property
    def group(self) -> str:
        """The question's coarse kind: person, place, number or time by the answer type, else "gap"
        for a question with a gap, else "thing"; a feature may count differently in each."""
        groups = {"human": "person", "location": "place", "number": "number"}
        if self.type.name == "date":
            return "time"
        return groups.get(self.type.coarse, "gap" if self.has_gap else "thing")


@cache
def answer_types() -> dict[str, AnswerType]:
    """Name → fine answer type, in the order in which `type_of_noun` tries the types."""
    types = {}
    for line in read_word_list(__package__, "answer-types.tsv"):
        row = dict(zip(AnswerType._fields, line.split("\t"), strict=True))
        endings = "|".join(row["endings"].split()) if row["endings"] != "-" else "(?!)"
        types[row["name"]] = AnswerType(
            row["name"],
            row["coarse"],
            frozenset(row["kinds"].split(",")) - {"-"},
            frozenset(row["nouns"].split()) - {"-"},
            re.compile(rf"(?:{endings})$"),
        )
    return types


@lru_cache(50_000)
def type_of_noun(noun: str) -> AnswerType:
    """The first fine answer type that lists a noun (English: in the singular, in small letters) or
    its ending; else the type "other"."""
    types = answer_types()
    fitting = (
        kind
        for kind in types.values()
        if noun and (noun in kind.nouns or kind.endings.search(noun))
    )
    return next(fitting, types["other"])


def read_question(text: str, language: Language) -> TermQuestion:
    """Reads a question, or a sentence with a gap, by the rules of English in a language with
    blanks between words, else by those of Japanese."""
    return _read_english(text) if language.uses_spaces else _read_japanese(text)


def section_question(section: Section, language: Language) -> TermQuestion:
    """A section of a sheet as a question. The rest of its instruction and what it refers to
    directly are context of weight 1, labelled parts and indirect references of 0.3, the section's
    grand questions of 0.15."""
    texts: list[tuple[str, float]] = [(section.focused_instruction, ASKED_WEIGHT)]
    if any(part.focus for part in section.instruction):
        others = (part for part in section.instruction if not part.focus)
        texts += [(part.text, SIDE_WEIGHT if part.label else LEAD_WEIGHT) for part in others]
    texts += [
        (reference.text, LEAD_WEIGHT if reference.direct else SIDE_WEIGHT)
        for reference in section.references
    ]
    texts += [(question.text, GRAND_WEIGHT) for question in section.grand_questions]
    return analyse(section.section_id, language, tuple(texts), section.answer_type)


def analyse(
    question_id: str,
    language: Language,
    texts: tuple[tuple[str, float], ...],
    answer_type: str = "",
) -> TermQuestion:
    """Analyses a question given as texts with weights, the asked part first, of which only the
    sentences without a gap are read. For the entity classes an answer type of the sheet
    (`term_person` …), narrowed or widened by the focus, takes precedence over the type detected
    from the words; but `term_other` does not over one of time or number."""
    # Sentences that have a gap do not say what is asked for.
    text = "".join(
        sentence for sentence in _SENTENCE.split(texts[0][0]) if not _BLANK.search(sentence)
    )
    read = read_question(text, language)
    # "person" is not said of groups and peoples, which are human too
    group = read.group if read.type.name == "individual" or read.type.coarse != "human" else ""
    classes = _classes(answer_type, group, read.focus)
    return replace(
        read, question_id=question_id, texts=texts, classes=classes, firm=classes != EVERYTHING
    )


_ANY_PLACE = re.compile(r"(?:地|場所|所|ところ|位置|place|location|site|where)$")


def _classes(answer_type: str, group: str, focus: str) -> frozenset[str]:
    """The entity classes of the answer; `EVERYTHING` if they are not determined.

    By the sheet's `answer_type`, narrowed by the `focus`; else by the interrogative's type `group`;
    else by the focus. If the focus is of another class than the sheet's type (but time), both are
    allowed: the task page's own sample has an organization as `term_person`.
    """
    by_focus, any_place = class_of(focus), bool(_ANY_PLACE.search(focus))
    for name, classes in ASKED.items():
        if name in answer_type:
            # A focus such as city says more than `term_location`.
            if by_focus in classes and not any_place:
                return frozenset((by_focus,))
            return (classes | {by_focus}) if by_focus and name != "term_time" else classes
    if group in ("time", "number"):
        return frozenset((group,))
    if "term_other" in answer_type:
        return frozenset((by_focus,)) if by_focus in OTHERS else OTHERS
    if group == "person":
        return frozenset(("person",))
    if (by_focus and any_place) or (group == "place" and (any_place or by_focus not in PLACES)):
        return PLACES
    return frozenset((by_focus,)) if by_focus else EVERYTHING


@cache
def _request_words() -> frozenset[str]:
    """Words that belong to the request (write, name, 答えよ, 名称), not to its subject."""
    return frozenset(" ".join(read_word_list(__package__, "request-words.txt")).split())


def terms_without_requests(terms: list[str]) -> list[str]:
    """The terms of a question text, in order, without the words of a request (write, name, 答えよ)
    in any case; all of them when nothing else is left."""
    # A question of requests alone still has to search for something.
    return [term for term in terms if term.casefold() not in _request_words()] or terms


_BLANK = re.compile(r"[_＿]{2,}|\(\s*\)|（\s*）|□+")
_NUMBER = re.compile(r"\A\d{1,4}[.)]\s+")
_SENTENCE = re.compile(r"(?<=[。．？！])|(?<=[.?!])(?=[\sA-Z])")


def gap_spans(text: str) -> list[tuple[int, int]]:
    """The spans (start, end) of the gaps of a text (____, □, empty brackets), in order."""
    return [match.span() for match in _BLANK.finditer(text)]


def without_gaps(text: str) -> str:
    """The text with the signs of a gap to fill (____, □, empty brackets) as a blank."""
    return _BLANK.sub(" ", text)


def query_terms(question: TermQuestion, analyser: Analyser) -> dict[str, float]:
    """The terms of the question and its context, each with the greatest weight of a text that
    contains the term; without words of requests (`terms_without_requests`)."""
    weights: dict[str, float] = {}
    for text, weight in question.texts:
        for term in terms_without_requests(analyser.terms(without_gaps(text))):
            weights[term] = max(weight, weights.get(term, 0.0))
    return weights


_WORD = re.compile(r"_{2,}|[^\W_]+(?:[-'’][^\W_]+)*|\d+|[^\w\s]")
AUXILIARY = r"(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|might|must)"
_POLAR = re.compile(rf"{AUXILIARY}\s(?!.*\bor\b(?! so\b))(?!n't)", re.IGNORECASE)
_INTRODUCED = re.compile(
    r"(?P<phrase>In|On|At|Under|During|After|Before|By|According to|Among|From|For|With|Within"
    r"|When|If|Although|Because|While|Since|As)"
    rf"(?P<rest>\s[^,?]++),\s(?P<question>{_POLAR.pattern}[^?]++)\?\s*+",
    re.IGNORECASE,
)
_HOW = (
    (r"how (?:many|much)\b", "count"),
    (r"how long\b(?=.*\b(?:last|take|took|rule|reign|live|stay|be)\b)", "duration"),
    (r"how (?:long|far|high|tall|deep|wide)\b", "distance"),
    (r"how old\b|at (?:what|which) age\b|what age (?:was|were|is|are|do|does|did)\b", "age"),
    (r"how (?:large|big)\b", "size"),
    (r"how fast\b", "speed"),
    (r"how often\b", "count"),
)
_NUMBERS = dict(
    zip("two three four five six seven eight nine ten".split(), range(2, 11), strict=True)
)
LIST = re.compile(
    r"\s*(?:please\s+)?(?:list|name|give|mention|write|identify|state|the names? of)\b",
    re.IGNORECASE,
)
_EMPTY_HEADS = frozenset(
    "name names type types kind kinds form forms sort term one part example word".split()
)
_WRITING = ("write", "wrote", "paint", "painted", "compose", "publish")
_NOUNS = ("NN", "NNS", "NNP", "NNPS")
_LINKS = frozenset("is are was were called as named termed".split())
_OPENING = frozenset("in during according by as after before to".split())
# Nouns whose name follows "of" (the city of Rome); the power of Rome is not a power called Rome.
_NAMED_WITH_OF = frozenset(
    "city town state country empire kingdom republic duchy county province colony island "
    "peninsula valley river gulf "
    "bay strait battle siege treaty act law year century decade".split()
)
_NAMING = re.compile(r"(?:known as|called|termed|referred to as)(?: an?| the)?$")
_PREDICATIVE = re.compile(
    r"\b(?:is|are|was|were|be|being|becomes?|became|more|very|(?:described|classified|seen) as)$"
)
_AUXILIARY = frozenset(
    "is are was were be been being am do does did has have had can could will would shall should "
    "may might must "
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
    """The words of an English question with Penn tags, each gap as a token `____` with the tag
    "GAP"; corrects nouns behind what, which or whose that the tagger takes for verbs, and some
    verbs in -s that it takes for plurals."""
    from indexer.analysis.english import tags

    written = _WORD.findall(text)
    gaps = [word.startswith("__") for word in written]
    # The tagger knows a pronoun in the place of the gap.
    words = ["something" if gap else word for word, gap in zip(written, gaps, strict=True)]
    if words:  # the capital of a first word that is not a name misleads the tagger
        words[0] = words[0].lower() if words[0].lower() in _OPENERS else words[0]
    tagged = tags(words) if words else []
    for position, word in enumerate(words[:-1]):
        # Behind an interrogative the tagger takes a noun for a verb, behind an article it does not.
        if word.lower() not in ("which", "what", "whose"):
            continue
        as_article = tags([*words[:position], "the", *words[position + 1 :]])
        behind = tagged[position + 2 : position + 3]
        if behind not in (["VB"], ["VBD"]) and _is_phrase(
            words, as_article, position + 1, tagged[position + 1]
        ):
            tagged[position + 1 :] = as_article[position + 1 :]
        elif tagged[position + 1] in ("VB", "VBP"):
            tagged[position + 1] = "NN"
    for position in range(2, len(words)):
        behind_noun = tagged[position - 1] in ("NN", "NNP") and tagged[position] == "NNS"
        if behind_noun and words[position] in _TAKEN_FOR_NOUNS:
            tagged[position] = "VBZ"
    return [
        _TaggedToken("____", "GAP") if gap else _TaggedToken(word, tag)
        for word, tag, gap in zip(words, tagged, gaps, strict=True)
    ]


def _is_phrase(words: Sequence[str], tagged: Sequence[str], start: int, tag: str) -> bool:
    """Whether a noun phrase begins at the word `start`, behind an interrogative: nouns and words
    before nouns up to the end, a mark, a verb, a preposition, a pronoun and the like. One word that
    may be a verb in -s (`tag` VBZ: what causes it) is one before a verb alone, or "kinds" before
    "of"."""
    end = start
    while end < len(words) and tagged[end] in _BEFORE_NOUNS:
        end += 1
    if (
        tag not in (*_BEFORE_NOUNS, "VB", "VBP", "VBZ")
        or end == start
        or tagged[end - 1] not in _NOUNS
        or words[start].lower() in _AUXILIARY
    ):
        return False
    behind, following = (words[end].lower(), tagged[end]) if end < len(words) else (".", ".")
    if tag == "VBZ" and end == start + 1:
        of_kind = behind == "of" and singular(words[start]) in _EMPTY_HEADS
        return of_kind or following in ("VBD", "VBP", "MD") or behind in _AUXILIARY
    return following[:2] in ("VB", "MD", "IN", "TO", ".", ",", "WD", "WP", "PR", "DT", "RB", "CC")


_TAKEN_FOR_NOUNS = frozenset("causes states works produces uses forms".split())
_BEFORE_NOUNS = ("NN", "NNS", "NNP", "NNPS", "JJ", "JJR", "JJS", "CD", "VBG", "VBN", "POS")
_OPENERS = frozenset(
    "what which who whom whose where when how why the a an in on at for by of to is was were are "
    "did do does name list "
    "during according as after before".split()
)


def _noun_phrase(tokens: Sequence[_TaggedToken], start: int) -> tuple[int, int]:
    """Token range of the first noun phrase from `start`, without what is before its first noun
    (determiners, adjectives, numbers, participles, "of"); empty if another phrase is first."""
    first = start
    while first < len(tokens) and (
        tokens[first].tag
        in ("DT", "JJ", "JJR", "JJS", "CD", "RB", "POS", "PRP$", "VBN", "VBG", "RBS")
        or (tokens[first].low in ("'s", "’s", "of", "the") and not tokens[first].is_noun)
    ):
        first += 1
    end = first
    while end < len(tokens) and (
        tokens[end].is_noun
        or tokens[end].low in ("'s", "’s")
        or (tokens[end].tag == "JJ" and end + 1 < len(tokens) and tokens[end + 1].is_noun)
    ):
        if end > first and tokens[end].text[0].isupper() and tokens[end - 1].text.islower():
            break  # the agreement Gerald Ford signed
        end += 1
    return first, end


def _head(tokens: Sequence[_TaggedToken], start: int) -> tuple[str, bool | None]:
    """Singular head noun, in small letters, of the noun phrase at or after `start`, and whether it
    is plural; ("", None) without one. Of a head that says nothing (kind, name) before "of" or "for"
    it is the head of the phrase behind that, if there is one."""
    first, end = _noun_phrase(tokens, start)
    if first == end:
        return "", None
    word = tokens[end - 1].low
    deeper: tuple[str, bool | None] = ("", None)
    if word in _EMPTY_HEADS and end < len(tokens) and tokens[end].low in ("of", "for"):
        deeper = _head(tokens, end + 1)
    return deeper if deeper[0] else (singular(word), singular(word) != word)


def _read_english(text: str) -> TermQuestion:
    """Reads an English question of several sentences by the last with a gap, else with a question
    mark, else the last.

    In this order: a gap (the first; also at the end of a beginning, `_is_beginning`), yes or no
    (only with "?"), how (many, tall …), "name three …", what, which or who, when or where; a
    question of none of these has the type "other"."""
    sentence = _asking_sentence(text)
    tokens = _tokens(sentence)
    gap = next((position for position, token in enumerate(tokens) if token.tag == "GAP"), -1)
    if gap < 0 and _is_beginning(sentence, tokens):
        text, gap = f"{text.rstrip(' :')} ____", len(tokens) - (tokens[-1].text == ":")
        tokens = [*tokens[:gap], _TaggedToken("____", "GAP")]
    if gap >= 0:
        return _read_gap(text, tokens, gap)
    plain = TermQuestion(texts=((text, 1.0),), type=answer_types()["other"])
    if moved := _INTRODUCED.fullmatch(sentence):  # the temple precede the wall, in Greek cities?
        sentence = f"{moved['question']} {moved['phrase'].lower()}{moved['rest']}?"
        plain = replace(plain, texts=((sentence, 1.0),))
    # "Was it A or B?" is not a question for yes or no: the pattern leaves it out
    if _POLAR.match(sentence) and sentence.rstrip().endswith("?"):
        return replace(plain, polar=True)
    # how before what and which, for "how many of which …" asks for a number
    return (
        _read_how(plain, sentence, tokens)
        or _read_list(plain, sentence, tokens)
        or _read_what(plain, tokens)
        or _read_when(plain, tokens)
    )


_OPEN_TAGS = frozenset("DT IN TO MD VB VBD VBG VBN VBP VBZ".split())
_ASKING_WORDS = frozenset("what which who whom whose when where why how".split())


def _is_beginning(sentence: str, tokens: Sequence[_TaggedToken]) -> bool:
    """Whether an English text is the beginning of a sentence that its answer ends: it ends with a
    colon; or it has a verb, its last word, without a mark, is a verb, preposition, article or
    possessive, and its first no interrogative (but "when", "where" of a clause) or auxiliary."""
    if sentence.rstrip().endswith(":"):
        return len(tokens) > 1
    tagged = [token.tag for token in tokens]
    last = tokens[-1] if tokens else _TaggedToken("", ".")
    is_open = last.tag in _OPEN_TAGS or last.low.endswith(("'s", "’s"))
    opens = bool(tokens) and tokens[0].low in (_ASKING_WORDS | _AUXILIARY)
    if tokens[1:] and tokens[0].low in ("when", "where"):  # it first leaves the kidney, urine …
        opens = tokens[1].low in _AUXILIARY or "," not in [token.low for token in tokens]
    return is_open and not opens and any(tag[:2] == "VB" for tag in tagged)


def _asking_sentence(text: str) -> str:
    """The sentence of a question that asks, without its number ("3. "): the last with a gap, else
    with a question mark, else the last; those before it introduce it."""
    sentences = ENGLISH.analyser().sentences(text.strip()) or [""]
    asking = [sentence for sentence in sentences if gap_spans(sentence)] or [
        sentence for sentence in sentences if sentence.rstrip().endswith("?")
    ]
    return _NUMBER.sub("", (asking or sentences)[-1])


def _read_how(
    plain: TermQuestion, sentence: str, tokens: Sequence[_TaggedToken]
) -> TermQuestion | None:
    """The question with the type of number that it asks for, and after "how many" and "how much"
    the noun that is counted; None if it does not ask how many, how long and the like."""
    for pattern, name in _HOW:
        if match := re.search(pattern, sentence, re.IGNORECASE):
            counted, _ = _head(tokens, len(_WORD.findall(sentence[: match.end()])))
            # The tagger takes "are" and "have" for nouns, and how deep counts no wells.
            if counted in _AUXILIARY or not match[0].lower().endswith(("many", "much")):
                counted = ""
            name = {"percent": "percent", "people": "count"}.get(counted, name)
            return replace(plain, type=answer_types()[name], counted=counted)
    return None


def _read_list(
    plain: TermQuestion, sentence: str, tokens: Sequence[_TaggedToken]
) -> TermQuestion | None:
    """The question with what is to be named, and how many; None unless it begins as "Name three …"
    does (also with list, give, mention, write, identify, state)."""
    match = LIST.match(sentence)
    if not match:
        return None
    start = len(_WORD.findall(sentence[: match.end()]))
    focus, plural = _head(tokens, start)
    wanted = _number_in(tokens[start : start + 3], 0 if plural else 1)
    focus = "" if focus in _EMPTY_HEADS else focus
    return replace(plain, focus=focus, type=type_of_noun(focus), wanted=wanted)


def _read_what(plain: TermQuestion, tokens: Sequence[_TaggedToken]) -> TermQuestion | None:
    """The question with its focus, answer type, verb, role and number of answers; None if it does
    not ask what, which or who, or does so in the clause that opens with when or where."""
    lows = [token.low for token in tokens]
    words = ("what", "which", "whose", "who", "whom")
    asks = next((position for position, low in enumerate(lows) if low in words), -1)
    if asks < 0 or (lows[0] in ("when", "where") and "," not in lows[:asks]):
        return None
    verb, role = _verb(tokens)
    direct = lows[asks + 1 : asks + 2] in (["is"], ["was"], ["are"], ["were"])
    who = lows[asks] in ("who", "whom", "whose")
    noun = asks + 2 if direct else asks + 1
    focus, plural = _head(tokens, noun) if direct or not who else ("", None)
    # which psychologist's ideas: the psychologist is asked for
    owner = re.fullmatch(r"(.+)['’]s", lows[asks + 1]) if asks + 1 < len(lows) else None
    if owner and not who:
        focus, plural = owner[1], False
    several = 0 if plural and not direct and not who else 1
    wanted = _number_in(tokens[asks + 1 : asks + 3 + direct], several)  # what are the five
    kind = type_of_noun(focus)
    if who:
        kind = kind if kind.coarse == "human" else answer_types()["individual"]
    elif not focus and verb in _WRITING:
        kind = answer_types()["work"]
    return replace(plain, focus=focus, type=kind, verb=verb, role=role, wanted=wanted)


def _number_in(tokens: Sequence[_TaggedToken], default: int) -> int:
    """The first number word (two to ten) among the tokens, as a number; `default` without one."""
    return next((_NUMBERS[token.low] for token in tokens if token.low in _NUMBERS), default)


def _read_when(plain: TermQuestion, tokens: Sequence[_TaggedToken]) -> TermQuestion:
    """The question with the answer type "date" if "when" is among its first three words, else
    "place" if "where" is, else "other"."""
    lows = [token.low for token in tokens[:3]]
    name = "place" if "where" in lows else "other"
    if "when" in lows:
        name = "date"
    return replace(plain, type=answer_types()[name])


def _verb(tokens: Sequence[_TaggedToken]) -> tuple[str, str]:
    """The main verb in lower case, and the role of the answer, "subject" or "object"; ("", "")
    without a verb."""
    lows = [token.low for token in tokens]
    verbs = [
        p for p, token in enumerate(tokens) if token.tag[:2] == "VB" and token.low not in _AUXILIARY
    ]
    # the words behind the auxiliary are the subject, and its verb comes after them
    helped = next((p for p, low in enumerate(lows) if low in ("did", "does", "do")), -1)
    first = next((p for p in verbs if p > helped), -1)
    if first < 0:
        return "", ""
    if helped >= 0:
        return lows[first], "object"
    passive = any(
        low in ("is", "are", "was", "were", "been") for low in lows[max(0, first - 3) : first]
    )
    by = lows[:1] == ["by"] or (passive and lows[-2:-1] == ["by"])
    return lows[first], "subject" if by or not passive else "object"


def _read_gap(text: str, tokens: Sequence[_TaggedToken], gap: int) -> TermQuestion:
    """Reads a sentence whose gap is token `gap` (len(tokens): after the last): the two words on
    each side, the answer type, and the focus, the noun right after the gap, before "of", or in the
    phrase that a form of "be" links to it; "" without one. Only a gap at the beginning has a role
    ("subject") and a verb."""
    lows = [token.low for token in tokens]
    before, after = " ".join(lows[max(0, gap - 2) : gap]), " ".join(lows[gap + 1 : gap + 3])
    types = answer_types()
    one_of_many = lows[gap - 1 : gap] in (["a"], ["an"], [")"])
    verb, role = "", ""
    if gap + 1 < len(tokens) and tokens[gap + 1].tag in ("NN", "NNS", "JJ"):
        first, end = _noun_phrase(tokens, gap + 1)
        focus = singular(lows[end - 1]) if end > first else ""
        kind = type_of_noun(focus) if type_of_noun(focus).coarse == "entity" else types["other"]
    elif gap == 0:
        linked = next((p for p in range(1, min(len(tokens), 4)) if lows[p] in _LINKS), -1)
        focus = (
            _head(tokens, linked + 1)[0]
            if lows[linked + 1 : linked + 2] in (["a"], ["an"], ["the"])
            else ""
        )
        kind, role = type_of_noun(focus), "subject"
        verb = next(
            (
                token.low
                for token in tokens[1:4]
                if token.tag[:2] == "VB" and token.low not in _AUXILIARY
            ),
            "",
        )
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
        # what is called a model is a word for a person, what is known as the critical period no
        # date
        if (one_of_many and kind.coarse == "human") or _NAMING.search(
            " ".join(lows[max(0, gap - 4) : gap])
        ):
            kind = kind if kind.coarse == "entity" else types["other"]
    read = TermQuestion(texts=((text, 1.0),), focus=focus, type=kind, before=before, after=after)
    return replace(read, verb=verb, role=role)


_JA_POLAR = re.compile(r"(?:か|の)[。？?]?$")
_JA_ANY = "[^、。はがをにで]{1,6}[にで]?も(?!っと)"  # どの年も asks for none
_JA_ASKS = re.compile(
    r"(?:何|なに|誰|だれ|どこ|どれ|どちら|いつ)(?!で?も(?!っと))|なん(?:と|の|で|年|人|回)"
    rf"|ど(?:の|んな)(?!{_JA_ANY})|(?<!か)どう"
    r"|いくつ|いくら|なぜ|挙げ|あげ|答え|述べ|□|[_＿]{2}"
)
_JA_LIST = re.compile(
    r"(?:を|は)?(?:(?P<n>[二三四五2-5２-５])(?:つ|人|個|ヶ国|カ国|か国)?)?、?(?:すべて|全て)?(?:"
    r"(?P<any>挙げ|あげ)|列挙|答え)"
)
_JA_TWO = re.compile(r"(?:どこ|誰|だれ|何|どれ)(?:の[^、。と]{1,3})?と(?:どこ|誰|だれ|何|どれ)")
_JA_ROLE = re.compile(
    r"(?:誰|だれ|何|なに|どこ|ど[のんう][^、。はがを]{1,8}?)"
    r"(?:(?P<object>を)|(?P<subject>が)|(?P<place>[にへ]|で(?![すしあは])))"
)


def _read_japanese(text: str) -> TermQuestion:
    """Reads a Japanese or Chinese question: yes or no, else its focus, answer type (the
    interrogative goes before the focus), role, and how many answers are wanted (0: any number)."""
    types = answer_types()
    question = text.strip()
    if _JA_POLAR.search(question) and not _JA_ASKS.search(question):
        return TermQuestion(texts=((text, 1.0),), type=types["other"], polar=True)
    focus, interrogative = japanese.focus_of(question), japanese.interrogative(question)
    wanted = 2 if _JA_TWO.search(question) else 1
    if match := _JA_LIST.search(question):
        if match["n"]:
            wanted = int(numeric(match["n"]))
        elif match["any"]:
            wanted = 0
        else:
            wanted = 1
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
    role = ""
    if match := _JA_ROLE.search(question):
        role = match.lastgroup or ""
    elif re.search("のは(?:誰|だれ)", question):
        role = "subject"
    return TermQuestion(texts=((text, 1.0),), focus=focus, type=kind, role=role, wanted=wanted)
