"""Questions that sentences answer: what something is, what happened, why; and the sentences."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Literal, NamedTuple

from answerer.asking.evidence import key_term_of
from answerer.asking.rows import CELL
from answerer.ntcir.essay.language import essay_language
from answerer.ntcir.term.candidates import Retrieval
from answerer.ntcir.term.language import TermLanguage
from indexer.engines.scoring import round_score
from indexer.entities.gazetteer import class_of
from retriever.passages import Passage

GAIN = 0.5  # score of a sentence that can be quoted alone
NEAR_OPENING = 4  # terms before the matter by which the gain of opening with it is halved
# Scores of what a definition is like: regression of the words that a sentence shares with the
# glossary's definition, on 1,133 key terms of two textbooks with their glossaries hidden, each
# book's sentences chosen better by the other's weights.
CENTRAL, DEFINES, NAMES, OPENS = 2.0, 3.0, 1.0, 1.0
LONGEST_MATTER = (
    6  # words of a matter; in more of them a question describes what it asks for (the man who …)
)


class Matter(NamedTuple):
    """Subject of a question that sentences answer: of "what", what something is, and "events", what
    was done or happened, its words; of "why", why or how something happened, and "difference", in
    what things differ, the whole question."""

    asked: Literal["what", "events", "why", "difference"]
    text: str


_OFTEN = 3  # occurrences that make a class noun with modifiers (the limbic system) a term
_WHAT = (
    r"\W*(?:what|who)(?:['’]s|\s+(?:is|are|was|were))\s+"
    r"(?:meant by\s+|(?:the\s+)?(?:meaning|definition) of\s+(?:the\s+(?:word|term)\s+)?)?"
    r"(?:(?:an?|the)\s+)?(?P<matter>.+)",
    r"\W*what\s+do(?:es)?\s+(?:(?:an?|the)\s+)?(?P<matter>.+)\s+means?\W*",
    r"\W*(?:please\s+)?(?:define:?|describe|explain|tell me about)\s+(?:(?:an?"
    r"|the)\s+)?(?P<matter>.+)",
    r"(?P<matter>.+)(?:とは|って)、?(?:(?:何|なに|なん|誰|だれ|どのような|どういう|どんな).*)?\W*",
    r"(?P<matter>.+)は、?(?:どんな|どのような|どういう)(?:人|人物|もの|物|こと|事件|出来事)(?:です"
    r"|でした|だった|だ|である|なの)?か?\W*",
    r"(?P<matter>.+)(?:について|を)(?:簡単に|簡潔に)?(?:説明|述べ|論じ|教え).*",
    r"(?:什么|何)[是谓](?P<matter>.+)",
    r"(?P<matter>.+?)(?:是|指的是)(?:什么|谁)(?:意思)?\W*",
    r"请?(?:介绍|解释|说明|简述)(?:一下)?(?P<matter>.+)",
)
_WHY = re.compile(
    r"^\W*(?:why|how come)\b|^\W*how\s+(?:is|are|was|were|do|does|did|can|could|has|have|had)\b"
    r"|なぜ|何故|どうして|"
    r"どのように|どうやって|いかに|为什么|为何|怎么|怎样|如何",
    re.IGNORECASE,
)
_DIFFERENCE = re.compile(
    r"\W*what(?:['’]s|\s+(?:is|are|was|were)) the differences?\b", re.IGNORECASE
)
# What is to be explained may be a reason, a manner or a difference.
_WHY_INSIDE = re.compile(r"(?:why|how)\b(?! (?:many|much)\b)", re.IGNORECASE)
_DIFFERENCE_INSIDE = re.compile(r"differences? between\b", re.IGNORECASE)
# What it does, or is known for, is a part of what it is.
_FAMOUS = re.compile(
    r"\W*what(?:['’]s|\s+(?:is|are|was|were))\s+(?P<matter>.+?)\s+(?:(?:best|most|mainly)\s+)?"
    r"(?:famous|known|noted|remembered)\s+for\W*",
    re.IGNORECASE,
)
_DOES = re.compile(
    r"\W*what\s+do(?:es)?\s+(?:(?:an?|the)\s+)?(?P<matter>[\w-]+(?: [\w-]+)?)\s+do\W*",
    re.IGNORECASE,
)
_EVENTS = (
    r"\W*what\s+(?:did|does|do|has|have|had)\s+(.+?)\s+(?:do|done)\b(?!\s+(?:away|with)\b)(.*)",
    r"\W*what\s+(?:(?:has|have|had)\s+)?"
    r"(?:happen(?:s|ed)?|occur(?:s|red)|t(?:ook|akes|aken) place)\b(.+)",
    r"(.+?)は?、?(?:何|なに)を(?:した|して(?:い[たる]|きた)|しました|行[いっな]).*",
    r"(.+?)、?(?:何|なに)が(?:起|おこ|あった|ありました).*",
    r"(.+?)(?:(?:做|干)(?:了|过)?|发生(?:了|过)?)(?:什么|哪些).*",
)
_DESCRIBES = re.compile(
    r"['’]s\b|\b(?:that|which|who|whom|whose|when|where|of|in|on|at|by|for|from|to|with|after"
    r"|before|between|during|"
    r"is|are|was|were|did|does|do|called|named|first|last|next|most|least|only|name|\w+est)\b",
    re.IGNORECASE,
)
JOINING = frozenset("of the and in for to at on de la le du des von van der den al".split())
_BRACKET = r"(?:\s*[(（][^)）]*[)）])?"
# "X, a kind of …", "X is the …", "X means …"
_DEFINES = (
    rf"\bMATTER(?:e?s)?\b[”\"]?{_BRACKET}(?:,\s*(?:an?|the|or|one|which|who|whose|in which)\b"
    r"|,?\s*(?:(?:is|are|was|were)\s+(?:an?|the|one|any|those|when)|means?|meaning"
    r"|refers? to|denotes?|describes?|involves?|consists?|occurs?|includes?)\b)",
    r"\ban? (?:[\w-]+ ){1,8}?[\w-]+, (?:the )?MATTER[,.;]",  # a book of songs, the Psalter,
    rf"MATTER[」』]?{_BRACKET}(?:とは|は、|という[のこ])",
    rf"MATTER[”》]?{_BRACKET}，?(?:是|指|即)",
)
# "a kind of … called X", "X was …", "X (…)"
_NAMES = (
    r"\b(?:called|named|termed|known as|term)\W+(?:(?:an?|the)\W+)?(?:\w+\W+){0,2}?MATTER\b",
    rf"\bMATTERs?\b\W*{_BRACKET}(?:,?\s*(?:is|are|was|were)\b|\s+\()",
    r"(?:呼ばれ|よばれ)(?:る|た|ていた)[「『]?MATTER|と(?:いう|称する)[「『]?MATTER",
    r"(?:称为|叫做|称作|名为)[“《]?MATTER",
)
_ONLY_NAMES = (
    r"\b(?:called|named|termed) (?:it|this|that|them|these|him|her)\W+(?:(?:an?|the)\W+)?MATTER\b",
)
MAY_NOT_TELL = "this sentence may not tell it"
CHECK_WHY = "this asks why or how; check that the sentence says it"


def matter_of(text: str) -> Matter | None:
    """Subject of a question, in English, Japanese or Chinese, for a definition or events, the whole
    text of one for a reason or manner, or in English a difference, without "explain" before it;
    None for a question that asks for a term.

    A "what is X" question may still ask for a term if X is a description: see `names_one_thing`.
    """
    if _DIFFERENCE.match(text):
        return Matter("difference", text)
    if part := _FAMOUS.fullmatch(text) or _DOES.fullmatch(text):
        return Matter("what", part["matter"])
    for pattern in _WHAT:
        match = re.fullmatch(pattern, text.strip(), re.IGNORECASE)
        if match and (matter := match["matter"].strip(" \"'“”「」『』《》?？.。!！")):
            if _WHY_INSIDE.match(matter) or _WHY.search(matter):
                return Matter("why", matter)
            return Matter("difference" if _DIFFERENCE_INSIDE.match(matter) else "what", matter)
    if _WHY.search(text):
        return Matter("why", text)
    matches = (re.fullmatch(pattern, text.strip(), re.IGNORECASE) for pattern in _EVENTS)
    return next((Matter("events", "".join(match.groups())) for match in matches if match), None)


def definition_sentences(
    matter: Matter, retrieved: Retrieval, language: TermLanguage
) -> list[Passage]:
    """The retrieved sentences for a subject, best first, ties by doc_id, each text once; before the
    others are the subject's lines of a glossary (`is_glossed`), then for "what" those with all
    words of the subject, but rows of tables.

    Sentences without any word of the subject are left out, but for "why". [] if the subject of
    "what" is described (the capital of France), since such a question asks for a term. Scores,
    comparable for one question: for "what" that of a definition (`_as_definition`), else relative
    BM25 + the fraction of the idf sum of the subject's terms that the sentence contains + GAIN (.5)
    if it can be quoted alone.
    """
    if matter.asked == "what" and not names_one_thing(
        matter.text, [passage.text for passage in retrieved.passages], language
    ):
        return []
    rarity, rules = retrieved.weights, essay_language(language.language)
    wanted = set(language.terms(matter.text))
    terms_of = [language.terms(passage.text) for passage in retrieved.passages]
    about = [set(terms) - wanted for terms in terms_of if wanted.issubset(terms)]
    shared = Counter(term for terms in about for term in terms)
    # In Japanese it favours long sentences: of 279 titles 174 get their article's first, without
    # it 222.
    central = {
        term: math.sqrt(n / len(about)) for term, n in shared.items() if n > 1 and language.spaced
    }
    forms = _Forms.of(matter.text)
    sentences: list[Passage] = []
    partial_ids: set[str] = set()  # of sentences without all words of the subject, and of rows
    for passage, terms in zip(retrieved.passages, terms_of, strict=True):
        overlap = [term for term in rarity if term in terms]
        if not overlap and matter.asked != "why":
            continue
        if matter.asked == "what":
            score = _as_definition(passage.text, terms, forms, wanted, central)
            is_row = len(CELL.findall(passage.text)) > 1
            if is_row or not wanted.issubset(terms):
                partial_ids.add(passage.doc_id)
        else:
            alone = rules.is_fit(passage.text) and not rules.depends_on_previous(passage.text)
            share = sum(rarity[term] for term in overlap) / max(sum(rarity.values()), 1e-9)
            score = passage.score + share + GAIN * alone
        sentences.append(passage._replace(score=round_score(score)))
    sentences.sort(
        key=lambda passage: (
            not is_glossed(matter.text, passage.text, language),
            passage.doc_id in partial_ids,
            -passage.score,
            passage.doc_id,
        )
    )
    best: dict[str, Passage] = {}
    for passage in sentences:
        best.setdefault(passage.text, passage)
    return list(best.values())


def is_glossed(matter: str, text: str, language: TermLanguage) -> bool:
    """Whether a text is the line of a glossary ("term: meaning") whose key term is the subject,
    in any case."""
    defined = key_term_of(text)
    return defined is not None and language.fold(defined[0]) == language.fold(matter)


class _Forms(NamedTuple):
    """What the sentences match that define a subject, name it, and only say how it is called."""

    defines: re.Pattern[str]
    names: re.Pattern[str]
    only_names: re.Pattern[str]

    @classmethod
    def of(cls, matter: str) -> _Forms:
        """The patterns with a subject for MATTER, in any case."""
        escaped = re.escape(matter)
        return cls(
            *(
                re.compile("|".join(patterns).replace("MATTER", escaped), re.IGNORECASE)
                for patterns in (_DEFINES, _NAMES, _ONLY_NAMES)
            )
        )


def _as_definition(
    text: str,
    terms: Sequence[str],
    forms: _Forms,
    wanted: Collection[str],
    central: Mapping[str, float],
) -> float:
    """The score of a sentence (with its terms) as a definition of a subject (its `forms` and terms,
    `wanted`): in languages with blanks how central it is, that is the sum of the `central` weights
    of its other terms over the root of their number, how early the subject is, and whether it has
    the form of a definition or names the subject ("He called it X" does not)."""
    others = set(terms).difference(wanted)
    weight = sum(central.get(term, 0.0) for term in sorted(others))
    score = CENTRAL * weight / math.sqrt(max(len(others), 1))
    if early := [terms.index(term) for term in wanted if term in terms]:
        score += OPENS / (1 + min(early) / NEAR_OPENING)
    score += DEFINES * bool(forms.defines.search(text))
    names = forms.names.search(text) and not forms.only_names.search(text)
    return score + NAMES * bool(names)


def names_one_thing(matter: str, texts: Sequence[str], language: TermLanguage) -> bool:
    """True if the subject of a "what is" question (`matter`, not "") is a name, as written in the
    question or mostly in the `texts` about it, or a word for a thing.

    False if it is a description: a clause, a relation, a class noun with modifiers (the French
    capital) that not even three `texts` have so, or more than `LONGEST_MATTER` (6) words; in a
    script without blanks, a relation by の or 的 to a class noun, or with other hiragana.
    """
    if not language.spaced:
        relation = re.search("[の的]", matter) and class_of(matter)
        return not relation and not re.search("[ぁ-ん]", matter.replace("の", ""))
    words = matter.split()
    if len(words) > LONGEST_MATTER:
        return False
    # As the question writes it, and with the capitals that the texts mostly give it.
    pattern = re.compile(rf"\b{re.escape(matter)}\b", re.IGNORECASE)
    written = Counter(match for text in texts for match in pattern.findall(text))
    for spelling in (words, max(sorted(written), key=written.__getitem__, default=matter).split()):
        if spelling[0][:1].isupper() and all(
            not word[:1].islower() or word in JOINING for word in spelling
        ):
            return True
    is_term = len(words) == 1 or not class_of(words[-1]) or sum(written.values()) >= _OFTEN
    return not _DESCRIBES.search(matter) and is_term
