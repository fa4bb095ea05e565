"""Questions that sentences answer: what something is, what happened, why; and the sentences."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Literal, NamedTuple

from answerer.asking.rows import CELL
from answerer.ntcir.essay.language import essay_language
from answerer.ntcir.term.candidates import Retrieval
from answerer.ntcir.term.language import TermLanguage
from indexer.engines.scoring import round_score
from indexer.entities.gazetteer import class_of
from indexer.sources.textbook.schema import sentence_number
from retriever.passages import Passage

GAIN = 0.5  # score of each sign of a definition, and of opening with the matter
NEAR_OPENING = 4  # terms before the matter by which the gain of opening with it is halved
LONGEST_MATTER = (
    6  # words of a matter; in more of them a question describes what it asks for (the man who …)
)


class Matter(NamedTuple):
    """Subject of a question that sentences answer: of "what", what something is, and "events", what
    was done or happened, its words; of "why", why or how something happened, and "difference", in
    what things differ, the whole question."""

    asked: Literal["what", "events", "why", "difference"]
    text: str


_WHAT = (
    r"\W*(?:what|who)(?:['’]s|\s+(?:is|are|was|were))\s+(?:meant by\s+)?(?:(?:an?"
    r"|the)\s+)?(?P<matter>.+)",
    r"\W*what\s+do(?:es)?\s+(?:(?:an?|the)\s+)?(?P<matter>.+)\s+means?\W*",
    r"\W*(?:please\s+)?(?:define|describe|explain|tell me about)\s+(?:(?:an?"
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
_EVENTS = (
    r"\W*what\s+(?:did|does|do|has|have|had)\s+(.+?)\s+(?:do|done)\b(?!\s+(?:away|with)\b)(.*)",
    r"\W*what\s+(?:(?:has|have|had)\s+)?happen(?:s|ed)?\b(.+)",
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
_CUES = (
    r"\b(?:called|named|termed|known as|term)\W+(?:(?:an?|the)\W+)?(?:\w+\W+){0,2}?MATTER\b",
    rf"\bMATTERs?\b\W*{_BRACKET}(?:,?\s*(?:is|are|was|were|means?|refers?|meaning|which means"
    rf"|denotes?)\b"
    r"|,\s*(?:an?|the|or|one)\b|\s+\()",
    rf"MATTER[」』]?{_BRACKET}(?:とは|は、|という[のこ])|(?:呼ばれ|よばれ)(?:る|た"
    rf"|ていた)[「『]?MATTER|と(?:いう|称する)[「『]?MATTER",
    rf"MATTER[”》]?{_BRACKET}，?(?:是|指|即)|(?:称为|叫做|称作|名为)[“《]?MATTER",
)

_ONLY_NAMES = (
    r"\b(?:called|named|termed) (?:it|this|that|them|these|him|her)\W+(?:(?:an?|the)\W+)?MATTER\b"
)
MAY_NOT_TELL = "this sentence may not tell it"
CHECK_WHY = "this asks why or how; check that the sentence says it"


def matter_of(text: str) -> Matter | None:
    """Subject of a question, in English, Japanese or Chinese, for a definition or events, the whole
    text of one for a reason or manner, or in English a difference; None for a question that asks
    for a term.

    A "what is X" question may still ask for a term if X is a description: see `names_one_thing`.
    """
    if _DIFFERENCE.match(text):
        return Matter("difference", text)
    for pattern in _WHAT:
        match = re.fullmatch(pattern, text.strip(), re.IGNORECASE)
        if match and (matter := match["matter"].strip(" \"'“”「」『』《》?？.。!！")):
            return Matter("what", matter)
    if _WHY.search(text):
        return Matter("why", text)
    matches = (re.fullmatch(pattern, text.strip(), re.IGNORECASE) for pattern in _EVENTS)
    return next((Matter("events", "".join(match.groups())) for match in matches if match), None)


def definition_sentences(
    matter: Matter, retrieved: Retrieval, language: TermLanguage
) -> list[Passage]:
    """The retrieved sentences for a subject with scores as definitions, comparable for one
    question; best first, ties by doc_id, each text once; for "what" those with all words of the
    subject, but rows of tables, are before the others.

    Sentences that lack the subject are left out, but for "why". [] if the subject of
    "what" is described (the capital of France), since such a question asks for a term. A score is
    relative BM25 + the fraction of the idf sum of the subject's terms that the sentence contains +
    GAIN × signs. Signs: it can be quoted alone; for "what" also how early the first term occurs,
    and one each for opening its paragraph, containing the subject verbatim, and having the form of
    a definition ("He called it X" has none).
    """
    if matter.asked == "what" and not names_one_thing(
        matter.text, [passage.text for passage in retrieved.passages], language
    ):
        return []
    rarity, rules = retrieved.weights, essay_language(language.language)
    cues = [
        re.compile(cue.replace("MATTER", re.escape(matter.text)), re.IGNORECASE) for cue in _CUES
    ]
    only_names = re.compile(_ONLY_NAMES.replace("MATTER", re.escape(matter.text)), re.IGNORECASE)
    sentences: list[Passage] = []
    wanted = set(language.terms(matter.text))
    partial_ids: set[str] = set()  # of sentences without all words of the subject, and of rows
    for passage in retrieved.passages:
        terms = language.terms(passage.text)
        overlap = [term for term in rarity if term in terms]
        stands_alone = not rules.depends_on_previous(passage.text)
        signs = float(rules.is_fit(passage.text) and stands_alone)
        if matter.asked == "what" and overlap:
            signs += 1 / (1 + min(map(terms.index, overlap)) / NEAR_OPENING)
            signs += passage.is_sentence and sentence_number(passage.doc_id) == 1
            if matter.text.casefold() in passage.text.casefold():
                signs += 1 + any(cue.search(passage.text) for cue in cues)
                signs -= bool(only_names.search(passage.text))
        if overlap or matter.asked == "why":
            share = sum(rarity[term] for term in overlap) / max(sum(rarity.values()), 1e-9)
            is_row = len(CELL.findall(passage.text)) > 1
            if matter.asked == "what" and (is_row or not wanted.issubset(terms)):
                partial_ids.add(passage.doc_id)
            sentences.append(
                passage._replace(score=round_score(passage.score + share + GAIN * signs))
            )
    sentences.sort(
        key=lambda passage: (passage.doc_id in partial_ids, -passage.score, passage.doc_id)
    )
    return list({passage.text: passage for passage in reversed(sentences)}.values())[::-1]


def names_one_thing(matter: str, texts: Sequence[str], language: TermLanguage) -> bool:
    """True if the subject of a "what is" question (`matter`, not "") is a name, as written in the
    question or mostly in the `texts` about it, or a word for a thing.

    False if it is a description: a clause, a relation, a class noun with modifiers (the French
    capital), or more than `LONGEST_MATTER` (6) words; in a script without blanks, a relation by の
    or 的 to a class noun, or with other hiragana.
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
    return not _DESCRIBES.search(matter) and (len(words) == 1 or not class_of(words[-1]))
