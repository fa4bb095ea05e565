"""Candidate answers of passages, their features, their ranking, and how probable it is that the
first is right.

Candidates are noun phrases, names, dates, numbers with their unit, and quoted titles. English noun
phrases are found by the tags of a part-of-speech tagger, Japanese ones are runs of nouns. A
conditional logit ranks them; its model comes with the program (`model-ask-LANGUAGE.json`), and
`benchmarks/ask_questions.py` learns it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache, partial, reduce
from pathlib import Path
from typing import Literal, NamedTuple

import numpy as np

from answerer.asking.evidence import (
    AGREEMENT,
    ALIGNMENT,
    CALLED,
    DEFINITIONS,
    HEADS_LINE,
    MEANS,
    OPENING,
    VALIDATION,
    Definition,
    agreement,
    definition_features,
    find_definitions,
    key_term_of,
    paragraph_votes,
    question_pattern,
    read_sentences,
    runs,
    validate,
)
from answerer.asking.forms import FACTS, facts, pairs
from answerer.ntcir.term.candidates import (
    CandidateMention,
    Retrieval,
    TermCandidate,
    collect,
    distance,
    set_hypernyms,
)
from answerer.ntcir.term.entity_types import ANSWERS, NAMED, Span
from answerer.ntcir.term.language import TermLanguage
from answerer.ntcir.term.questions import TermQuestion, type_of_noun
from indexer.analysis.english import singular
from indexer.analysis.english_numbers import ONES, TEENS
from indexer.engines.contract import Index
from indexer.engines.scoring import round_score
from indexer.entities.english import KNOWN_PLACES
from indexer.files.arrays import Float64Array
from indexer.languages.language import Language
from indexer.sources.textbook.schema import SENTENCES, holds_sentences
from indexer.statistics.part import decode_kinds, decode_terms
from retriever.bm25 import idf
from retriever.learning.model import Model, read_model
from retriever.passages import Passage
from retriever.queries import union_query
from retriever.ranking.ranker import COPIES, copies, layout

Columns = Mapping[str, Float64Array]
"""Values of the candidates of some lists by the name of the column."""

COMPARED = (
    *"passage, three passages, passages, proximity, coverage, sentence coverage, in title, "
    "found in sentence, found in window, found in paragraph, pmi sentence, pmi paragraph, lift, "
    "rarity, rarest, question's words, key term, called, defined, glossed, gap's neighbours, role, "
    "other role, apposition, kind, other kind, shape, other shape, said to be, ends with focus, "
    "head of type, head of other type, proper, plural, other number, whole, words, adjective, "
    "quoted, number, time".split(", "),
    *VALIDATION,
    *AGREEMENT,
    *ALIGNMENT,
    *(f"question {name}" for name in ALIGNMENT[1:]),
    *FACTS,
)
"""Features that are compared with those of the other candidates of a question."""

# candidates whose counts in the whole book are asked for: the best by what the passages alone say
JUDGED = 250

# Weights of a score by the passages alone, which selects them.
FIRST_WEIGHTS = {"proximity": 6.0, "passage": 2.0, "coverage": 2.0, "key term": 3.0, "called": 1.0}
FIRST_WEIGHTS |= {"shape": 2.0, "other shape": -4.0, "own definition": 3.0}
EXPLAINING = 100  # sentences among which the one is looked for that explains an acronym
READ = 100  # passages that are read for candidates, the best ones
_DAMPING = 0.5

_GLOSSED = re.compile(r"[”\"]? ?(?:\(|, (?:an?|the|who|which|one of|or)\b)")
_JA_NAMED = re.compile(r"[」』]?と(?:いう|いい|よ(?:ばれ|ぶ|び)|呼(?:ばれ|ぶ|び)|称|言)")
_JA_DEFINED = re.compile(r"(?:\([^)]*\))?[」』]?(?:とは|は、?)")
_JA_GLOSSED = re.compile(r"\(")
_JA_ROLE = re.compile("[」』]?(?:(?P<subject>[はがも])|(?P<object>を)|(?P<place>[にへで]))")
_KATAKANA = re.compile("[ァ-ヺー・＝]+")
_BE = frozenset("is are was were been be being got".split())
_HELPING = _BE | {"has", "have", "had"}
_WORDS = re.compile(r"[^\W_]+")

# words of a noun phrase; of the answers of up to three words that review questions have none is
# longer
LONGEST = 5

_TOKEN = re.compile(r"\d+(?:,\d{3})+(?:\.\d+)?|[^\W_]+(?:[-'.’&/–][^\W_]+)*|[^\w\s]")
_NOUN = frozenset(("NN", "NNS", "NNP", "NNPS"))
_MODIFIER = frozenset(("JJ", "VBN", "VBG", "NN", "NNS", "NNP", "NNPS", "CD"))
# S. pyogenes is shown in full if a passage has Streptococcus pyogenes
_SPECIES = re.compile(r"(?<![\w.])[A-Z]\. [a-z]{4,}\b")
_BINOMIAL = re.compile(r"\b([A-Z][a-z]{2,}) ([a-z]{4,})\b")
_NUMBER_WORDS = frozenset(
    (
        *ONES,
        *TEENS,
        *"twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million billion "
        "third half quarter fourth".split(),
    )
)
_NO_HEADS = frozenset(
    "way ways time times part parts kind kinds type types sort lot number use many much several "
    "such other others same "
    "own first second last one ones thing things something anything example examples chapter "
    "link table page more most all some any each every both few little less least he she it they "
    "we you i his "
    "her its their our your this that these those who which what also including called named "
    "termed titled entitled".split()
)

# Closed classes: words that are not an answer, though a sentence that begins with one gives it a
# capital. _NO_HEADS has others, which also end a phrase.
_FUNCTION_WORDS = _NO_HEADS | frozenset(
    "none neither either nobody nothing nowhere noone everyone everybody everything everywhere "
    "someone somebody somewhere anyone anybody anywhere whoever whatever several enough another "
    "half such mine yours ours theirs myself itself himself herself themselves me him them us whom "
    "whose where when why how here there then thus hence now yet still once again however moreover "
    "therefore meanwhile otherwise instead perhaps indeed although though while because since "
    "unless until whereas whether if and or but nor not no yes a an the at by for from in into of "
    "off on onto out over to under up with without after before between during".split()
)

# Verbs that tell the reader what to do: in objectives, review questions, and at links.
_INSTRUCTS = re.compile(
    r"(?:Analy[sz]e|Appreciate|Assess|Browse|Classify|Click|Compare|Contrast|Define|Describe"
    r"|Determine|Differentiate|Discuss|Distinguish|Evaluate|Examine|Explain|Explore|Identify"
    r"|Illustrate|Imagine|Interpret|Listen|Outline|Provide|Read|Recogni[sz]e|Review|Summari[sz]e"
    r"|Understand|Visit|Watch)\b(?! ?\(|:)"
)
# No answer begins or ends so, or is a letter alone.
_BROKEN = re.compile(
    '^[-–—"“”\'‘]|—|[-–—"“‘]$|\\b(?:Dr|Ft|Mr|Mrs|Ms|Mt|No|Prof|St)$|^(?:[a-zA-Z]|e\\.g|i\\.e)$'
)
_MONTH = "(?:January|February|March|April|May|June|July|August|September|October|November|December)"
_DATE = re.compile(
    rf"(?:\d{{1,2}} )?{_MONTH} (?:\d{{1,2}},? )?\d{{4}}\b|(?:\d{{1,2}} {_MONTH}"
    rf"|{_MONTH} \d{{1,2}}"
    rf"|(?:(?<=\bin )|(?<=\bof )|(?<=\bby )|(?<=\blate )|(?<=\bearly )|(?<=\bsince )){_MONTH})\b"
)
_DATED = (["in"], ["since"], ["until"], ["around"], ["by"])
_FEW_DIGITS = re.compile(r"\d{1,3}")
_MEASURE = r"(?:percent|per cent|%|°[CF]|[a-z]+)"
_FIGURES = r"\d+(?:[.,]\d+)*+"
_AMOUNT = re.compile(
    rf"(?<![\w.,–-])(?:{_FIGURES}(?: to |–| and ){_FIGURES}(?: ?{_MEASURE})?|\d+:\d\d)(?![\w–-])"
)
_UNIT_LESS = re.compile(r" (?:to|at|in|of|and|or|for|on|by|with|from|as|is|are|was|were)$")
_FRACTION = re.compile(r"(?:\d+|[一二三四五六七八九十]+)分の(?:\d+|[一二三四五六七八九十]+)")


def spans_of(sentence: str, language: TermLanguage) -> list[Span]:
    """Candidate answers of a cleaned sentence as spans, sorted by start, then longest first; a span
    occurs once.

    In English: entities, dates, quoted titles, amounts with their unit, and noun phrases that do
    not cut a date, an amount or a complete name of several words. Otherwise: what the language's
    span finder finds, and fractions. Left out are spans inside an amount, numbers without their
    unit, single function words, and what begins or ends with a dash, quotation mark or title (Dr).
    """
    spans = {(span.start, span.end): span for span in language.spans(sentence)}
    if not language.spaced:
        for match in _FRACTION.finditer(sentence):
            spans[match.span()] = Span(match.group(), *match.span(), "number", "数")
    phrases = list(_phrases(sentence)) if language.spaced else []
    if language.spaced:
        for match in _DATE.finditer(sentence):
            text = match.group().rstrip(",")
            bounds = match.start(), match.start() + len(text)
            spans = {
                other: span
                for other, span in spans.items()
                if span.shape != "time" or other[1] <= bounds[0] or other[0] >= bounds[1]
            }
            spans[bounds] = Span(text, *bounds, "time", "number")
        tag_at = {word.start: word.tag for word in tag_words(sentence)}
        for bounds, span in list(spans.items()):
            # "Accordingly", which only the beginning of a sentence writes so
            if span.shape == "name" and not span.whole and " " not in span.text:
                if tag_at.get(bounds[0], "NN")[:2] not in ("NN", "JJ", "FW", "CD"):
                    del spans[bounds]
            elif span.shape == "time" and _FEW_DIGITS.fullmatch(span.text):
                spans[bounds] = span._replace(shape="years")  # tackles (118)
    # dates, and names whose two ends are sure, are not cut by a phrase
    fixed = [
        bounds
        for bounds, span in spans.items()
        if span.shape == "time" or (span.shape == "name" and span.whole)
    ]
    modifying = {span.start for span in phrases if span.shape == "noun"}
    ends = {(span.start, span.end) for span in phrases if span.whole == 2}
    # Gupta in "the Gupta dynasty" is not a whole name
    if phrases:
        for bounds, span in spans.items():
            if span.shape == "name":
                longer = bounds[0] in modifying and bounds not in ends
                longer = longer and any(
                    start <= bounds[0] and bounds[1] < end for start, end in ends
                )
                spans[bounds] = span._replace(whole=1 if longer else 2)
    if language.spaced:
        for match in _AMOUNT.finditer(sentence):
            if not any(bounds[0] < match.end() and match.start() < bounds[1] for bounds in fixed):
                spans[match.span()] = Span(match.group(), *match.span(), "number", "number")
                fixed.append(match.span())
    for span in phrases:
        inside = [bounds for bounds in fixed if bounds[0] < span.end and span.start < bounds[1]]
        is_cut = any(not (span.start <= start and end <= span.end) for start, end in inside)
        if is_cut or (inside and span.shape == "number"):
            continue
        previous = spans.get((span.start, span.end))
        if previous is None or previous.shape == "number":
            spans[span.start, span.end] = span
    amounts = [bounds for bounds, span in spans.items() if _AMOUNT.fullmatch(span.text)]
    whole = [
        span
        for bounds, span in spans.items()
        if not _BROKEN.search(span.text)
        and not _is_function_word(span)
        and not any(
            start <= bounds[0] and bounds[1] <= end and bounds != (start, end)
            for start, end in amounts
        )
        and not (span.shape == "number" and bounds not in amounts and _UNIT_LESS.search(span.text))
    ]
    return sorted(whole, key=lambda span: (span.start, -span.end))


def _is_function_word(span: Span) -> bool:
    """True for one word of a closed class that is not an acronym (IT, WHO)."""
    acronym = len(span.text) > 1 and span.text.isupper()
    return span.shape != "number" and span.text.lower() in _FUNCTION_WORDS and not acronym


class _Tagged(NamedTuple):
    """A word or mark of an English sentence: characters `start` to before `stop`; `tag` is its Penn
    tag."""

    text: str
    start: int
    stop: int
    tag: str


@lru_cache(20_000)
def tag_words(sentence: str) -> tuple[_Tagged, ...]:
    """The words and marks of an English sentence in order, each with its bounds and part of speech;
    a possessive 's is a separate word."""
    from indexer.analysis.english import tags

    words: list[tuple[str, int, int]] = []
    for match in _TOKEN.finditer(sentence):
        start, end = match.span()
        if match[0].endswith(("'s", "’s")):
            words += [(sentence[start : end - 2], start, end - 2), ("'s", end - 2, end)]
        else:
            words.append((match[0], start, end))
    tagged = tags([word for word, _, _ in words])
    return tuple(_Tagged(*word, tag) for word, tag in zip(words, tagged, strict=True))


def _phrases(sentence: str) -> Iterator[Span]:
    """Yields the noun phrases of an English sentence as spans, in no fixed order: every part, up to
    `LONGEST` (5) words, of a run of nouns, adjectives and numbers that `_shape` accepts, such parts
    of up to two words joined with the run behind "of", and whole runs joined by "and" or a
    possessive (`_join_run`).

    `whole`, 0 to 2, counts the ends at which the span reaches the end of its run; `speech` is the
    tag of the last word ("JJ" for a single adjective or participle; one that is a verb is left
    out).
    """
    words = tag_words(sentence)
    end = 0
    while end < len(words):
        first = end
        while (
            end < len(words)
            and words[end].tag in _MODIFIER
            and words[end].text.lower() not in _NO_HEADS
        ):
            end += 1
        if end == first:
            end += 1
            continue
        yield from _join_run(sentence, words, first, end)
        for left in range(first, end):
            for right in range(left, min(end, left + LONGEST)):
                whole = (left == first) + (right == end - 1)
                if shape := _shape(words[left : right + 1], whole):
                    start, stop = words[left].start, words[right].stop
                    speech = (
                        "JJ"
                        if left == right and words[left].tag in ("JJ", "VBN")
                        else words[right].tag
                    )
                    if speech == "JJ" and _is_verb(words, left):
                        continue
                    yield Span(sentence[start:stop], start, stop, shape, speech, whole)
        if end + 1 < len(words) and words[end].text == "of" and words[end - 1].tag in _NOUN:
            after = end + 1 + (words[end + 1].text.lower() in ("the", "a", "an"))
            last = after
            while last < len(words) and words[last].tag in _MODIFIER:
                last += 1
            if after < last and words[last - 1].tag in _NOUN and last - end <= LONGEST:
                for left in range(max(first, end - 2), end):
                    start, head = words[left].start, words[last - 1]
                    text = sentence[start : head.stop]
                    yield Span(text, start, head.stop, "noun", head.tag, 1 + (left == first))


def _is_verb(words: Sequence[_Tagged], position: int) -> bool:
    """Whether a past participle is the verb of a passive or perfect ("is caused by"): a form of
    "be" or "have" among the three words before it, and a preposition or "to" behind it."""
    before = {word.text.lower() for word in words[max(0, position - 3) : position]}
    after = words[position + 1].tag if position + 1 < len(words) else "."
    return (
        words[position].tag == "VBN" and not before.isdisjoint(_HELPING) and after in ("IN", "TO")
    )


def _join_run(sentence: str, words: Sequence[_Tagged], start: int, end: int) -> Iterator[Span]:
    """Yields one span or none: a run of nouns, adjectives and numbers, from the word `start` to
    before `end`, joined with the one before it by "and" (Robert Lane and Benjamin Vail) or by a
    possessive 's (Bertrand's postulate, not workers' rights). Both end with a noun and have up to
    `LONGEST` (5) words; "and" joins two capitals or none; participles that begin the first run are
    cut off."""
    link = words[start - 1].text.lower() if start >= 2 else ""
    if link not in ("and", "'s") or words[end - 1].tag not in _NOUN or end - start > LONGEST:
        return
    first = start - 1
    while (
        first
        and words[first - 1].tag in _MODIFIER
        and words[first - 1].text.lower() not in _NO_HEADS
    ):
        first -= 1
    while words[first].tag in ("VBN", "VBG"):  # named Bertrand's postulate
        first += 1
    if first == start - 1 or words[start - 2].tag not in _NOUN or start - 1 - first > LONGEST:
        return
    is_name = words[start - 2].text[:1].isupper()
    if link == "and" and is_name != words[end - 1].text[:1].isupper():
        return
    from_, to = words[first].start, words[end - 1].stop
    yield Span(sentence[from_:to], from_, to, "noun", words[end - 1].tag)


def _shape(words: Sequence[_Tagged], whole: int) -> Literal["number", "noun"] | None:
    """Shape of a part of a noun phrase that reaches `whole` ends of its run; None if it is not a
    candidate. "number" if it begins with one, ends with one or a noun and has at most three words;
    "noun" if it ends with a noun or gerund and reaches an end, is a name with a number behind it
    (Route 99) and reaches both, or is a single adjective or participle."""
    tag = words[-1].tag
    counted = tag == "CD" or tag in _NOUN or words[-1].text.lower() in _NUMBER_WORDS
    if words[0].tag == "CD" or words[0].text.lower() in _NUMBER_WORDS:
        return "number" if len(words) <= 3 and counted else None
    if tag in _NOUN or tag == "VBG":
        return "noun" if whole else None
    if tag == "CD" and len(words) > 1 and words[-2].tag in ("NNP", "NNPS"):
        return "noun" if whole == 2 else None  # State Route 99
    return "noun" if len(words) == 1 and tag in ("JJ", "VBN") else None


class FoundAnswers(NamedTuple):
    """The candidate answers of a question's passages, with the mentions of each, and the
    definitions of key terms that were read."""

    candidates: list[TermCandidate]
    mentions: list[list[CandidateMention]]
    definitions: list[Definition]
    passages: list[Passage]


def _find_answers(
    question: TermQuestion, retrieved: Retrieval, index: Index, language: TermLanguage
) -> FoundAnswers:
    """The candidate answers in the first `READ` (100) passages, with the features that these
    passages alone give; also their mentions, the definitions, and the passages. Spellings in upper
    and lower case are one candidate, and in English singular and plural, but for dates and numbers.

    English sentences that instruct or ask (`_states_nothing`) are not read; the last passages make
    room for the `DEFINITIONS` (12) that match best; the key terms of all that were found are
    candidates wherever they occur. Adjectives are left out unless the question has a gap for one;
    an abbreviated species is a candidate in full, if a passage has that."""
    definitions = find_definitions(retrieved, index, language) if language.spaced else []
    matches = {
        _key(definition.term, language): definition.match for definition in reversed(definitions)
    }
    terms = [
        language.fold(term)
        for definition in definitions
        for term in (definition.term, definition.short)
        if term
    ]
    key_terms = "|".join(map(re.escape, sorted(terms, key=lambda term: (-len(term), term))))
    key_term = re.compile(rf"\b(?:{key_terms})s?\b" if key_terms else "(?!)")
    mentions: dict[str, list[CandidateMention]] = {}
    focus = language.fold(question.focus)
    verb = next(iter(language.terms(question.verb)), "") if question.verb else ""

    def look(mention: CandidateMention) -> tuple[str, dict[str, float]] | None:
        span, key, coverage = mention.span, mention.key, mention.coverage
        # an adjective answers only where it fills a gap before a noun or behind "is"
        if span.speech == "JJ" and not question.wants_adjective:
            return None
        if language.spaced and span.shape not in ("time", "number"):
            key = _key(span.text, language)
        role = ""
        if question.role and language.spaced:
            role = _role(mention.sentence, span, mention.places.get(verb, ()))
        elif question.role and (match := _JA_ROLE.match(mention.after)):
            role = match.lastgroup or ""
        opens, near = span.start < OPENING, mention.before[-30:]
        signs = {
            "key term": span.start == 0 and HEADS_LINE.match(mention.after),
            "called": CALLED.search(near) if language.spaced else _JA_NAMED.match(mention.after),
            "defined": opens and (MEANS if language.spaced else _JA_DEFINED).match(mention.after),
            "glossed": (_GLOSSED if language.spaced else _JA_GLOSSED).match(mention.after),
            "role": role and role == question.role,
            "other role": role and role != question.role,
            "apposition": focus
            and language.tools.in_apposition(mention.before, mention.after, focus),
        }
        # a sign in a sentence that says little of the question counts little
        features = {name: coverage for name, sign in signs.items() if sign}
        features["sentence coverage"] = mention.inside
        features["in title"] = mention.passage.score * (
            key in language.fold(mention.passage.heading)
        )
        features["gap's neighbours"] = coverage * _neighbours(
            question, mention.before, mention.after
        )
        features |= facts(question, mention, language.spaced)
        if key in matches:
            features["own definition"] = matches[key]
        mentions.setdefault(key, []).append(mention)
        return key, features

    def spans(sentence: str) -> list[Span]:
        answers = spans_of(sentence, language)
        if question.type.name == "country" and language.spaced:
            answers = [_country_of(span) for span in answers]
        for match in _SPECIES.finditer(sentence):
            if full := full_names.get(match[0]):
                start, end = match.span()
                answers = [span for span in answers if not start <= span.start < end]
                answers.append(Span(full, start, end, "noun", "NN", 2))
        bounds = {(span.start, span.end) for span in answers}
        if language.spaced and (defined := key_term_of(sentence)) and (0, defined[1]) not in bounds:
            answers.append(Span(defined[0], 0, defined[1], "noun", "NN"))
        for match in key_term.finditer(sentence.casefold()):
            if match.span() not in bounds and len(sentence) == len(sentence.casefold()):
                answers.append(Span(sentence[slice(*match.span())], *match.span(), "noun", "NN"))
        return answers

    first = {
        definition.passage.doc_id: definition.passage for definition in definitions[:DEFINITIONS]
    }
    others = [
        passage
        for passage in retrieved.passages
        if passage.doc_id not in first and not (language.spaced and _states_nothing(passage.text))
    ]
    passages = [*others[: READ - len(first)], *first.values()]
    full_names = {
        f"{genus[0]}. {species}": f"{genus} {species}"
        for passage in passages
        for genus, species in _BINOMIAL.findall(passage.text)
    }
    candidates = collect(question, retrieved._replace(passages=passages), language, spans, look)
    for candidate in candidates:
        _form(candidate, question, language)
    return FoundAnswers(candidates, list(mentions.values()), definitions, passages)


def _states_nothing(sentence: str) -> bool:
    """True for an English sentence that begins with an instruction to the reader (`_INSTRUCTS`:
    Explain, Compare …) or ends with a question mark."""
    return bool(_INSTRUCTS.match(sentence)) or sentence.rstrip("”\"')").endswith("?")


def _country_of(span: Span) -> Span:
    """A people's name as that of its country, as in "the Spanish settled there"; other spans
    as they are."""
    key = span.key if span.shape == "name" else ""
    is_people = key in KNOWN_PLACES and key != span.text.casefold()
    return span._replace(text=key.title()) if is_people else span


def _key(text: str, language: TermLanguage) -> str:
    """The key under which spellings of an English candidate, singular and plural, are one: folded,
    the last word in the singular."""
    *others, last = language.fold(text).split()
    return " ".join([*others, singular(last)])


def _role(sentence: str, span: Span, verbs: Sequence[tuple[int, int]]) -> str:
    """A candidate's role, "subject" or "object", by word order and passive, for the nearest of the
    `verbs` (the places of the question's main verb in the English sentence, in lower case). ""
    without a verb, for an object more than five words behind it, and behind a passive verb without
    "by" among the four words after it."""
    if not verbs:
        return ""
    start, end = min(verbs, key=lambda verb: distance(verb, (span.start, span.end)))
    passive = not _BE.isdisjoint(_WORDS.findall(sentence[:start])[-3:])
    between = _WORDS.findall(sentence[end : span.start])
    if span.end <= start:
        return "object" if passive else "subject"
    if passive:
        return "subject" if "by" in between[:4] else ""
    return "object" if len(between) < 6 else ""


def _neighbours(question: TermQuestion, before: str, after: str) -> float:
    """Fraction of the four words around an English gap, two on each side, that occur in the same
    places around the candidate; 0 without a gap."""
    if not (question.before or question.after):
        return 0.0
    wanted = [
        [word for word in text.split() if word.isalnum()]
        for text in (question.before, question.after)
    ]
    around = _WORDS.findall(before[-40:])[-2:], _WORDS.findall(after[:40])[:2]
    left = zip(reversed(around[0]), reversed(wanted[0]), strict=False)
    same = [word == other for word, other in (*left, *zip(around[1], wanted[1], strict=False))]
    return same.count(True) / 4


def _form(candidate: TermCandidate, question: TermQuestion, language: TermLanguage) -> None:
    """Adds to a candidate's `features` those of its form: its length, number of paragraphs, whether
    it is an adjective, a name, quoted, a number or a time, its shape against the type asked for,
    its head against the focus and the type, and singular or plural against the question's, if that
    shows one."""
    span, features, kind = candidate.span, candidate.features, question.type
    spaced, focus = language.spaced, language.fold(question.focus)
    words = candidate.text.split() if spaced else [candidate.text]
    head = singular(words[-1].lower()) if spaced else candidate.text
    head_type = type_of_noun(head)
    wanted = {"number": "number", "time": "time"}.get(question.group, "")
    shapes = ANSWERS.get(span.shape, frozenset())
    capital = words[-1][:1].isupper() or span.shape in ("name", "quoted")
    # "won its independence in ____"
    takes_date = question.has_gap and question.before.split()[-1:] in _DATED
    takes_date = takes_date and not question.after[:1].isalpha()
    is_amount = span.shape in (("time", "number", "years") if spaced else ("time", "number"))
    features |= {
        "passages": math.log1p(len(candidate.paragraphs)),
        "words": min(len(words), 5) if spaced else min(len(candidate.text), 10) / 2,
        "adjective": float(span.speech == "JJ"),
        "quoted": float(span.shape == "quoted"),
        "number": float(span.shape == "number"),
        "time": float(span.shape in ("time", "years")),
        "shape": float(bool(wanted) and wanted in shapes),
        "other shape": float(
            wanted not in shapes
            if wanted
            else is_amount and not (takes_date and span.shape != "number")
        ),
        "ends with focus": float(
            bool(focus) and head.endswith(focus) and language.fold(candidate.text) != focus
        ),
        "head of type": float(head_type.name == kind.name != "other"),
        "head of other type": float(
            head_type.name != "other" != kind.name and head_type.coarse != kind.coarse
        ),
        "proper": float(capital if spaced else span.speech in language.proper_speech),
    }
    if question.plural is not None:
        plural = span.speech in ("NNS", "NNPS")
        features |= {
            "plural": float(question.plural and plural),
            "other number": float(question.plural != plural),
        }


def add_kinds(
    question: TermQuestion,
    candidates: Sequence[TermCandidate],
    index: Index,
    language: TermLanguage,
) -> None:
    """Adds the features "kind" and "other kind", 0 or 1: whether the entity type of a candidate
    name is, or is not, one that the answer type allows.

    In languages with blanks known places, and their adjectives as peoples, come first; then the
    index's statistics; the language's lists, the glossary and the passages; in Japanese MeCab's
    part of speech. Adds nothing if the answer type allows any type, or only times and numbers.
    Both are 0 for a name of an unknown or another type.
    """
    kinds = question.type.kinds - {"time", "number"}
    if not kinds:
        return
    recogniser = language.language.recogniser(language.glossary)
    names = [candidate for candidate in candidates if candidate.span.shape in NAMED]
    keys = [recogniser.key(candidate.text) for candidate in names]
    book_kinds = [""] * len(names)
    if index.metadata.has_part("names"):
        book_kinds = decode_kinds(index.part("names"), keys)
    speeches = {
        "人名": "person",
        "姓": "person",
        "名": "person",
        "地域": "place",
        "国": "place",
        "組織": "other",
    }
    for candidate, key, kind in zip(names, keys, book_kinds, strict=True):
        types = {kind} if kind not in ("", "other") else set(candidate.hints)
        # an adjective of a place (French) is keyed by the place, but names its people
        if language.spaced and key in KNOWN_PLACES:
            types = {"place"} if key == language.fold(candidate.text) else {"people"}
        if candidate.span.speech in speeches and not _KATAKANA.fullmatch(
            candidate.text
        ):  # of these MeCab guesses
            types = types or {speeches[candidate.span.speech]}
        types = types or ({kind} if kind else set())
        candidate.features["kind"] = float(not kinds.isdisjoint(types))
        # St Francis is a person, a church or a town
        is_other = bool(types - {"other"}) and kinds.isdisjoint(types)
        candidate.features["other kind"] = float(is_other and candidate.text[:3] != "St ")


def add_counts(
    candidates: Sequence[TermCandidate], retrieved: Retrieval, index: Index, language: TermLanguage
) -> None:
    """Adds the features computed from the corpus statistics of the candidates and the question's
    terms; nothing if the index has no statistics or counts no term of the question.

    "found in" a unit is the greatest BM25 of the question among the units that contain the
    candidate, relative to the best of all units; "pmi" the mean pointwise mutual information [PMI]
    with the question's terms, weighted by idf; "lift" the log ratio of the candidate's frequency
    among the 20 best-scoring paragraphs to that among all; "rarity" the mean idf of its terms,
    "rarest" the log of the sentences of the book over those that contain all its terms; "question's
    words" the fraction of its terms that are the question's; and `VALIDATION` (`validate`).
    """
    terms = sorted(retrieved.idf)
    terms_of = [list(dict.fromkeys(language.terms(candidate.text))) for candidate in candidates]
    if not candidates or not index.metadata.has_part("names"):
        return
    counted = decode_terms(index, sorted({*terms, *(term for words in terms_of for term in words)}))
    present = [term for term in terms if term in counted.row]
    if not present:
        return
    features: list[dict[str, float]] = [{} for _ in candidates]
    weight = np.array([retrieved.weights[term] for term in present])
    sentences = len(counted.sentences)
    paragraph_of = np.repeat(np.arange(len(counted.paragraphs)), counted.paragraphs)
    indices, starts = counted.at.indices.astype(np.int64), counted.at.indptr
    holding = {term: indices[starts[row] : starts[row + 1]] for term, row in counted.row.items()}
    # the sentences that hold all terms of a candidate; none where one of its terms is not
    # counted
    none = np.zeros(0, np.int64)
    sentences_of = [
        reduce(
            partial(np.intersect1d, assume_unique=True), [holding.get(term, none) for term in words]
        )
        if words
        else none
        for words in terms_of
    ]
    for name, of in (("sentence", np.arange(sentences)), ("paragraph", paragraph_of)):
        number = int(of[-1]) + 1
        lengths = np.bincount(of, counted.sentences, number)
        average = max(float(lengths.mean()), 1.0)
        damping = 1.2 * (0.25 + 0.75 * lengths / average)  # BM25's k1 and b, as in the engines
        scores = np.zeros(number)
        within = []
        for term, value in zip(present, weight, strict=True):
            frequency = np.bincount(of[holding[term]], minlength=number)
            scores += value * 2.2 * frequency / (frequency + damping)
            within.append(frequency > 0)
        scores /= float(scores.max()) or 1.0
        places = [runs(of[rows])[0] for rows in sentences_of]
        holds = np.array(within)
        share = holds.sum(axis=1) / number
        top = np.argsort(-scores, kind="stable")[:20]
        rank = np.zeros(number)
        rank[top] = scores[top] ** 2 / (float((scores[top] ** 2).sum()) or 1.0)
        for values, where in zip(features, places, strict=True):
            if not len(where):
                continue
            values[f"found in {name}"] = float(scores[where].max())
            # damped: of rare candidates one shared sentence says little
            both = holds[:, where].sum(axis=1)
            logs = np.log((both + _DAMPING) / (share * len(where) + _DAMPING))
            values[f"pmi {name}"] = float(weight @ logs / weight.sum())
            if name == "paragraph":
                values["lift"] = math.log(
                    (float(rank[where].sum()) + 0.01) / (len(where) / number + 0.01)
                )
        if name == "sentence":  # a sentence with half the score of its neighbours in the paragraph
            same = np.diff(paragraph_of) == 0
            window = scores.copy()
            window[1:] += 0.5 * np.where(same, scores[:-1], 0.0)
            window[:-1] += 0.5 * np.where(same, scores[1:], 0.0)
            window /= float(window.max()) or 1.0
            for values, where in zip(features, sentences_of, strict=True):
                values["found in window"] = float(window[where].max()) if len(where) else 0.0
    for values, more in zip(features, validate(terms_of, retrieved.weights, counted), strict=True):
        values |= more
    for values, words, where in zip(features, terms_of, sentences_of, strict=True):
        numbers = np.array([len(holding[term]) for term in words if term in holding], float)
        values["rarity"] = float(np.mean(idf(float(sentences), numbers))) if len(numbers) else 0.0
        values["rarest"] = math.log((sentences + 1) / (len(where) + 1))
        values["question's words"] = len(set(terms).intersection(words)) / max(len(words), 1)
    for candidate, values in zip(candidates, features, strict=True):
        candidate.features.update(values)


TASK = "ask"


class AskedList(NamedTuple):
    """A question with its candidate answers; after `set_scores` best first, parts of better
    candidates last. `spaced` is true for a language with blanks between words."""

    question: TermQuestion
    candidates: Sequence[TermCandidate]
    spaced: bool


@cache
def own_model(language: Language) -> Model:
    """The packaged model for a language; Chinese has no questions to learn from and uses the
    Japanese one."""
    name = "en" if language.uses_spaces else "ja"
    return read_model(Path(__file__).with_name(f"model-ask-{name}.json"), TASK)


_ACRONYM = re.compile(r"\b[A-Z][A-Z.]{1,6}\b")
_NAME = r"(?:[A-Z][\w'’-]+ (?:(?:of|the|and|for|in) ){0,2}){1,5}[A-Z][\w'’-]+"


def expand_acronyms(question: TermQuestion, index: Index, language: TermLanguage) -> TermQuestion:
    """An English question with the long forms of its acronyms that a book explains ("United Nations
    (UN)", "UN (United Nations)") as further texts of weight 1: the first among the `EXPLAINING`
    (100) best sentences whose capitals are the acronym's letters. Other questions as they are."""
    acronyms = list(dict.fromkeys(_ACRONYM.findall(question.text))) if language.spaced else []
    if not acronyms or not holds_sentences(index.metadata):
        return question
    terms = [language.terms(acronym) for acronym in acronyms]
    results = index.part(SENTENCES.name).search([union_query(words) for words in terms], EXPLAINING)
    texts = list(question.texts)
    for acronym, hits in zip(acronyms, results, strict=True):
        written = re.escape(acronym)
        explained = re.compile(
            rf"(?P<long>{_NAME}) ?\({written}\)|\b{written} ?\((?P<behind>{_NAME})\)"
        )
        for match in filter(None, (explained.search(hit.document.text) for hit in hits)):
            long = (match["long"] or match["behind"]).split()
            letters = acronym.replace(".", "")
            # the words before the bracket whose first letters the acronym has
            for length in range(len(letters), len(long) + 1):
                name = long[-length:]
                initials = "".join(word[0] for word in name if word[0].isupper())
                if initials == letters:
                    texts.append((" ".join(name), 1.0))
                    break
            else:
                continue
            break
    return replace(question, texts=tuple(texts))


def read_candidates(
    questions: Sequence[TermQuestion],
    retrieved: Sequence[Retrieval],
    index: Index,
    language: TermLanguage,
) -> list[AskedList]:
    """The candidates of each question with all features, not yet ranked by the model: of those that
    fit its type, do not repeat its words and (if several answers are wanted) have no "and", the
    `JUDGED` (250) best by the `FIRST_WEIGHTS` of their features, ties by text."""
    every = [
        _find_answers(question, retrieval, index, language)
        for question, retrieval in zip(questions, retrieved, strict=True)
    ]
    for question, answers in zip(questions, every, strict=True):
        add_kinds(question, answers.candidates, index, language)
    focuses = [question.focus for question in questions]
    candidates = [answers.candidates for answers in every]
    set_hypernyms("said to be", list(zip(focuses, candidates, strict=True)), index, language)
    lists, spaced = [], language.spaced
    for question, answers, retrieval in zip(questions, every, retrieved, strict=True):
        mentions_of = {
            id(candidate): mentions
            for candidate, mentions in zip(answers.candidates, answers.mentions, strict=True)
        }
        # of several answers each is one, not two that are joined
        fitting = [
            candidate
            for candidate in answers.candidates
            if not is_of_other_type(question, candidate, spaced)
            and not (question.wanted != 1 and " and " in candidate.text)
            and not _repeats(candidate, question.text, retrieval, language)
        ]
        first = {
            id(candidate): sum(
                w * candidate.features.get(name, 0.0) for name, w in FIRST_WEIGHTS.items()
            )
            for candidate in fitting
        }
        best = sorted(fitting, key=lambda candidate: (-first[id(candidate)], candidate.text))[
            :JUDGED
        ]
        add_counts(best, retrieval, index, language)
        read = read_sentences(answers.passages, retrieval, index, language)
        pattern = question_pattern(question, language)
        votes = paragraph_votes(retrieval.passages)
        for candidate in best:
            candidate.features |= agreement(
                mentions_of[id(candidate)], read, pattern, retrieval.weights, votes
            )
            candidate.features |= definition_features(candidate, answers.definitions)
            candidate.features |= pairs(question, candidate)
        lists.append(AskedList(question, best, spaced))
    return lists


def _repeats(
    candidate: TermCandidate, text: str, retrieved: Retrieval, language: TermLanguage
) -> bool:
    """True if all words of an English noun phrase are the question's (new weapons), or the one word
    of a noun or name is one of them, perhaps in the other number (drones); never for a key term
    whose definition matches the question, and for a name of several words."""
    if not language.spaced or candidate.span.shape not in ("noun", "name"):
        return False
    if "own definition" in candidate.features:  # the atomic force microscope
        return False
    if " " not in candidate.text:
        words = {singular(word) for word in _WORDS.findall(text.casefold())}
        return singular(candidate.text.casefold()) in words
    if candidate.span.shape == "name":
        return False
    return set(language.terms(candidate.text)) <= retrieved.terms.keys()


def is_of_other_type(question: TermQuestion, candidate: TermCandidate, spaced: bool) -> bool:
    """True if a candidate, by its features, cannot be of the question's answer type: a place for a
    person, a date for a thing. For a gap only a date or year is, where a date cannot be. `spaced`:
    the language has blanks, and capitals tell its names."""
    features, kind = candidate.features, question.type
    if question.group in ("time", "number"):
        return not features["shape"]
    if question.group == "gap":
        return bool(features["other shape"]) and bool(features["time"])
    if kind.name == "individual" and features["quoted"]:
        return True
    if kind.name == "individual" and spaced and features.get("free") == 0:
        return True
    wants_name = kind.name == "individual" or (
        kind.coarse == "location" and kind.name != "building"
    )
    if wants_name and (features.get("other kind") or (spaced and not features["proper"])):
        return True
    return bool(features["other shape"])


def features_of(lists: Sequence[AskedList], names: Sequence[str]) -> Columns:
    """The columns with these names, each (rows,), of the candidates of all lists, one list after
    another: "NAME | z" and "NAME | below best" compare a feature with the list's others, "NAME" is
    the feature, 0 for one that a candidate lacks. Every list must have a candidate."""
    rows = [candidate.features for ranking in lists for candidate in ranking.candidates]
    shape = layout([len(ranking.candidates) for ranking in lists])
    compared = {name.partition(" | ")[0] for name in names if " | " in name}
    column_of = {
        name: n for n, name in enumerate(dict.fromkeys(n.partition(" | ")[0] for n in names))
    }
    values = np.zeros((len(column_of), len(rows)))
    for number, row in enumerate(rows):
        for name in row.keys() & column_of.keys():
            values[column_of[name], number] = row[name]
    columns: dict[str, Float64Array] = {}
    for feature, column in zip(column_of, values, strict=True):
        is_compared = feature in compared and column.any()
        variants = copies(column, shape) if is_compared else [column] * len(COPIES)
        columns |= {
            f"{feature}{ending}": variant for ending, variant in zip(COPIES, variants, strict=True)
        }
    return {name: columns[name] for name in names}


def set_scores(lists: Sequence[AskedList], model: Model) -> list[AskedList]:
    """The lists, in their order, with scores and probabilities by a model set in their candidates,
    these best first, but parts of a better one last (`rank`); lists without a candidate as they
    are."""
    filled = [ranking for ranking in lists if ranking.candidates]
    if not filled:
        return list(lists)
    columns = features_of(filled, model.feature_names)
    return rank(lists, model.score(columns.values()))


def rank(lists: Sequence[AskedList], scores: Float64Array) -> list[AskedList]:
    """Sets score and probability (softmax in its list) of every candidate, from the scores of all
    candidates, (rows,), one list after another; returns the lists in their order, the candidates of
    each by falling score, ties by text. But candidates that are part of a better one come last;
    parts of the first add their probability to it."""
    ends = np.cumsum([len(ranking.candidates) for ranking in lists])[:-1]
    for ranking, logits in zip(lists, np.split(scores, ends), strict=True):
        share = np.exp(logits - logits.max(initial=0.0))
        for candidate, value, probability in zip(
            ranking.candidates, logits, share / share.sum(), strict=True
        ):
            candidate.score, candidate.probability = (
                round_score(float(value)),
                round_score(float(probability)),
            )
    ranked = []
    for ranking in lists:
        best = sorted(ranking.candidates, key=lambda candidate: (-candidate.score, candidate.text))
        # A part of a better answer goes last (Jackson after Andrew Jackson), and what is likely of
        # it counts for the first. A longer form keeps its place: the better part may be wrong
        # (Romantic for romantic love).
        distinct: list[TermCandidate] = []
        texts: list[str] = []
        repeats: list[TermCandidate] = []
        bound = " " if ranking.spaced else ""  # of words
        for candidate in best:
            text = f"{bound}{candidate.text.casefold()}{bound}"
            whole = next((position for position, other in enumerate(texts) if text in other), None)
            if whole is None:
                distinct.append(candidate)
                texts.append(text)
                continue
            repeats.append(candidate)
            if whole == 0:
                first = distinct[0]
                first.probability = round_score(first.probability + candidate.probability)
        ranked.append(ranking._replace(candidates=[*distinct, *repeats]))
    return ranked


def contributions(ranking: AskedList, model: Model) -> list[dict[str, float]]:
    """Feature name → contribution to the candidate's score, all columns of the feature added up,
    without zeros; one dict a candidate, in the list's order. The contributions sum to the score."""
    columns = features_of([ranking], model.feature_names)
    added = model.contributions(columns.values())
    return [
        {name: round_score(float(values[row])) for name, values in added.items() if values[row]}
        for row in range(len(ranking.candidates))
    ]


def calibrated_probability(
    share: float, doubt: Mapping[str, float], has_gap: bool, coverage: float
) -> float:
    """The probability that an answer is right, from the ranker's share for it, 0 to 1: the logistic
    function of "slope" times its log odds plus "intercept" [Platt], plus "coverage" times that of
    the question by the answer's passages, 0 to 1, and for a gap to fill plus "gap"; a model may
    lack the last two."""
    inside = min(max(share, 1e-6), 1 - 1e-6)
    odds = math.log(inside / (1 - inside))
    further = doubt.get("coverage", 0.0) * coverage + doubt.get("gap", 0.0) * has_gap
    return float(
        round_score(1 / (1 + math.exp(-doubt["slope"] * odds - doubt["intercept"] - further)))
    )


def moved_to_front(
    ranked: Sequence[TermCandidate], candidate: TermCandidate
) -> list[TermCandidate]:
    """The candidates with `candidate`, one of them, before all others, which keep their order; its
    probability is set to that of the first until now."""
    candidate.probability = ranked[0].probability
    return [candidate, *(other for other in ranked if other is not candidate)]
