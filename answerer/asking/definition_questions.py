"""Definition and description questions: what something is or did, why, or how; answered by sentences of the book."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from answerer.ntcir.essay.language import essay_language
from answerer.ntcir.term.candidates import retrieve
from answerer.ntcir.term.language import TermLanguage
from answerer.ntcir.term.questions import read_question
from indexer.engines.contract import Index
from indexer.engines.scoring import round_score
from indexer.entities.gazetteer import class_of
from indexer.sources.textbook.schema import sentence_number
from retriever.passages import Passage

GAIN = 0.5  # score of each sign of a definition, and of opening with the matter

NEAR_OPENING = 4  # terms before the matter by which the gain of opening with it is halved

LONGEST_MATTER = 6  # words of a matter; in more of them a question describes what it asks for (the man who …)


class Matter(NamedTuple):
    """Subject of a definition question, and its kind (what something is, what was done or happened, why, how).

    `text` is the words of the subject; for why and how the whole question.
    """

    asked: Literal["what", "events", "why", "how"]
    text: str


class DefinitionSentence(NamedTuple):
    """A sentence that answers a definition question; its score is comparable for one question, higher is better."""

    passage: Passage
    score: float


def _compile(*patterns: str) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(pattern, re.IGNORECASE) for pattern in patterns)


_WHAT = _compile(
    r"\W*(?:what|who)(?:['’]s|\s+(?:is|are|was|were))\s+(?:meant by\s+)?(?:(?:an?|the)\s+)?(?P<matter>.+)",
    r"\W*what\s+do(?:es)?\s+(?:(?:an?|the)\s+)?(?P<matter>.+)\s+mean\W*",
    r"\W*(?:please\s+)?(?:define|describe|explain|tell me about)\s+(?:(?:an?|the)\s+)?(?P<matter>.+)",
    r"(?P<matter>.+)(?:とは|って)、?(?:(?:何|なに|なん|誰|だれ|どのような|どういう|どんな).*)?\W*",
    r"(?P<matter>.+)は、?(?:どんな|どのような|どういう)(?:人|人物|もの|物|こと|事件|出来事)(?:です|でした|だった|だ|である|なの)?か?\W*",
    r"(?P<matter>.+)(?:について|を)(?:簡単に|簡潔に)?(?:説明|述べ|論じ|教え).*",
    r"(?:什么|何)[是谓](?P<matter>.+)",
    r"(?P<matter>.+?)(?:是|指的是)(?:什么|谁)(?:意思)?\W*",
    r"请?(?:介绍|解释|说明|简述)(?:一下)?(?P<matter>.+)",
)
_WHY = re.compile(r"^\W*(?:why|how come)\b|なぜ|何故|どうして|为什么|为何", re.IGNORECASE)
_HOW = re.compile(
    r"^\W*how\s+(?:is|are|was|were|do|does|did|can|could|has|have|had)\b|どのように|どうやって|いかに|怎么|怎样|如何",
    re.IGNORECASE,
)
_EVENTS = _compile(
    r"\W*what\s+(?:did|does|do|has|have|had)\s+(.+?)\s+(?:do|done)\b(?!\s+(?:away|with)\b)(.*)",
    r"\W*what\s+(?:(?:has|have|had)\s+)?happen(?:s|ed)?\b(.+)",
    r"(.+?)は?、?(?:何|なに)を(?:した|して(?:い[たる]|きた)|しました|行[いっな]).*",
    r"(.+?)、?(?:何|なに)が(?:起|おこ|あった|ありました).*",
    r"(.+?)(?:(?:做|干)(?:了|过)?|发生(?:了|过)?)(?:什么|哪些).*",
)
_DESCRIBES = re.compile(
    r"['’]s\b|\b(?:that|which|who|whom|whose|when|where|of|in|on|at|by|for|from|to|with|after|before|between|during|"
    r"is|are|was|were|did|does|do|called|named|first|last|next|most|least|only|name|\w+est)\b",
    re.IGNORECASE,
)
_JOINING = frozenset("of the and in for to at on de la le du des von van der den al".split())
_BRACKET = r"(?:\s*[(（][^)）]*[)）])?"
_CUES = (
    r"\b(?:called|named|termed|known as|term)\W+(?:(?:an?|the)\W+)?(?:\w+\W+){0,2}?MATTER\b",
    rf"\bMATTERs?\b\W*{_BRACKET}(?:,?\s*(?:is|are|was|were|means?|refers?|meaning|which means|denotes?)\b"
    r"|,\s*(?:an?|the|or|one)\b|\s+\()",
    rf"MATTER[」』]?{_BRACKET}(?:とは|は、|という[のこ])|(?:呼ばれ|よばれ)(?:る|た|ていた)[「『]?MATTER|と(?:いう|称する)[「『]?MATTER",
    rf"MATTER[”》]?{_BRACKET}，?(?:是|指|即)|(?:称为|叫做|称作|名为)[“《]?MATTER",
)


def matter_of(text: str) -> Matter | None:
    """Subject of a definition or description question and its kind: what, events, why or how; None for a question that
    asks for a term.

    A "what is X" question may still ask for a term if X is a description: see `names_one_thing`.
    """
    for pattern in _WHAT:
        match = pattern.fullmatch(text.strip())
        if match and (matter := match["matter"].strip(" \"'“”「」『』《》?？.。!！")):
            return Matter("what", matter)
    if _WHY.search(text):
        return Matter("why", text)
    if _HOW.search(text):
        return Matter("how", text)
    found = (pattern.fullmatch(text.strip()) for pattern in _EVENTS)
    return next((Matter("events", "".join(match.groups())) for match in found if match), None)


def definition_sentences(matter: Matter, index: Index, language: TermLanguage) -> list[DefinitionSentence]:
    """The sentences that answer a definition question, best first, ties by doc_id, each text once; [] if no sentence
    contains a word of the subject.

    [] too if the subject of "what is" is described, not named (the capital of France), since such a question asks for a
    term. For why and how, neighbours of sentences that contain a word of the subject are included.
    """
    (found,) = retrieve([read_question(matter.text, language.language)], index, language.analyser)
    if matter.asked == "what" and not names_one_thing(matter.text, [one.text for one in found.passages], language):
        return []
    rarity = {term: found.idf[term] * weight for term, weight in found.terms.items() if term in found.idf}
    passages = found.passages
    if matter.asked in ("what", "events"):
        passages = [one for one in passages if not rarity.keys().isdisjoint(language.terms(one.text))]
    sentences = [DefinitionSentence(one, _score(one, matter, rarity, language)) for one in passages]
    sentences.sort(key=lambda one: (-one.score, one.passage.doc_id))
    return list({one.passage.text: one for one in reversed(sentences)}.values())[::-1]


def names_one_thing(matter: str, texts: Sequence[str], language: TermLanguage) -> bool:
    """True if the subject of a "what is" question (`matter`) is a name, as written in the question or in the `texts`
    found for it, or a word for a thing.

    False if it is a description: a clause, a relation, a class noun with modifiers (the French capital), or more than
    `LONGEST_MATTER` words.
    """
    if not language.language.uses_spaces:
        return not re.search("[ぁ-ん]", matter.replace("の", "")) and not (
            re.search("[の的]", matter) and class_of(matter)
        )
    words = matter.split()
    if len(words) > LONGEST_MATTER:
        return False
    # As the question writes it, and with the capitals that the texts mostly give it.
    pattern = re.compile(rf"\b{re.escape(matter)}\b", re.IGNORECASE)
    written = Counter(match for text in texts for match in pattern.findall(text))
    for own in (words, max(sorted(written), key=written.__getitem__, default=matter).split()):
        if own[0][:1].isupper() and all(not word[:1].islower() or word in _JOINING for word in own):
            return True
    return not _DESCRIBES.search(matter) and (len(words) == 1 or not class_of(words[-1]))


def _score(passage: Passage, matter: Matter, rarity: Mapping[str, float], language: TermLanguage) -> float:
    """Score of a sentence for a subject: relative BM25 + the fraction of the idf sum of the subject's terms that it
    contains + GAIN × signs.

    `rarity` maps each term of the subject to its weighted idf. Signs of a definition: the sentence can be quoted alone;
    for "what" also how early the first term occurs, and one each for opening its paragraph, containing the subject
    verbatim, and having the form of a definition.
    """
    terms = language.terms(passage.text)
    held = [term for term in rarity if term in terms]
    share = sum(rarity[term] for term in held) / max(sum(rarity.values()), 1e-9)
    own = essay_language(language.language)
    signs: float = own.is_fit(passage.text) and not own.depends_on_previous(passage.text)
    if matter.asked == "what" and held:
        whole = matter.text.casefold() in passage.text.casefold()
        cues = [cue.replace("MATTER", re.escape(matter.text)) for cue in _CUES] if whole else []
        signs += 1 / (1 + min(map(terms.index, held)) / NEAR_OPENING)
        signs += passage.is_sentence and sentence_number(passage.doc_id) == 1
        signs += whole + any(re.search(cue, passage.text, re.IGNORECASE) for cue in cues)
    return round_score(passage.score + share + GAIN * signs)
