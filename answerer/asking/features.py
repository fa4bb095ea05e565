"""Features of candidate answers: passages, words around, answer type, and counts of the whole book."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce

import numpy as np
from scipy.sparse import csr_array

from answerer.asking.answer_types import AskedQuestion, singular, type_of_noun
from answerer.asking.candidates import key_of, spans_of
from answerer.ntcir.term.candidates import Retrieval, distance, proximity
from answerer.ntcir.term.entity_types import NAMED, Span
from answerer.ntcir.term.language import TermLanguage
from answerer.ntcir.term.questions import without_gaps
from indexer.engines.contract import Index
from indexer.entities.english import is_known_place
from indexer.sources.textbook.schema import PARAGRAPHS, SENTENCES, holds_sentences
from indexer.statistics.part import decode_kinds, decode_terms
from retriever.bm25 import idf
from retriever.federated import sources_of
from retriever.passages import Passage
from retriever.queries import union_query

FAMILIES: Mapping[str, Sequence[str]] = {
    family: names.split(", ")
    for family, names in {
        "retrieval": "passage, three passages, passages, proximity, coverage, sentence coverage, in title, "
        "found in sentence, found in window, found in paragraph, pmi sentence, pmi paragraph, lift, rarity, rarest, "
        "question's words",
        "words": "key term, called, defined, glossed, gap's neighbours, role, other role, apposition",
        "type": "kind, other kind, shape, other shape, unit, said to be, ends with focus, head of type, "
        "head of other type, proper, plural, other number",
        "form": "whole, words, adjective, quoted, number, time",
    }.items()
}
"""Names of all features, by family."""

# 300 hold a right answer for two more of a hundred questions, and rank no better.
JUDGED = 200  # candidates whose counts in the whole book are asked for: the best by what the passages alone say

_FIRST = {
    **{"proximity": 6.0, "passage": 2.0, "coverage": 2.0, "key term": 3.0, "called": 1.0},
    **{"shape": 2.0, "other shape": -4.0},
}
READ = 100  # passages that are read for candidates, the best ones

_READ = 300  # sentences with the focus noun that are read for what they say is one; as in `ntcir-term`
_DAMPING = 0.5


@dataclass(slots=True)
class AskedCandidate:
    """A candidate answer with its features; `best` is the passage in which it is nearest to the question's terms,
    `span` its span there.

    `paragraphs` maps doc_id to the best passage score, for every paragraph with the candidate; `hints` are entity types
    suggested by its contexts, `spaced` whether its language puts blanks between words. `score` and `probability` are
    set by ranking.
    """

    text: str
    span: Span
    best: Passage
    features: dict[str, float]
    paragraphs: dict[str, float] = field(default_factory=dict)
    hints: set[str] = field(default_factory=set)
    spaced: bool = True
    score: float = 0.0
    probability: float = 0.0


_BEFORE_NAMED = re.compile(
    r"(?:called|known as|named|termed|referred to as|term|titled|entitled)(?: (?:an?|the))? ?[“\"'(]?$"
)
_DEFINED = re.compile(
    r"[”\"'’)]?(?: ?\([^)]*\))?,? (?:is|are|was|were|refers? to|means?|involves?|occurs?|consists?|describes?)\b"
)
_GLOSSED = re.compile(r"[”\"]? ?(?:\(|, (?:an?|the|who|which|one of|or)\b)")
_JA_NAMED = re.compile(r"[」』]?と(?:いう|いい|よ(?:ばれ|ぶ|び)|呼(?:ばれ|ぶ|び)|称|言)")
_JA_DEFINED = re.compile(r"(?:\([^)]*\))?[」』]?(?:とは|は、?)")
_JA_ROLES = {
    "subject": re.compile("[」』]?[はがも]"),
    "object": re.compile("[」』]?を"),
    "place": re.compile("[」』]?[にへで]"),
}
_KEY_TERM = re.compile(r"(?: ?\([^)]*\))?: ")
_OPENING = 6  # characters before a name with which a definition may still open: an article
_KATAKANA = re.compile("[ァ-ヺー・＝]+")
_BE = frozenset("is are was were been be being got".split())
_WORDS = re.compile(r"[^\W_]+")


def collect(question: AskedQuestion, retrieved: Retrieval, language: TermLanguage) -> list[AskedCandidate]:
    """The candidate answers in the first `READ` passages, with the features that these passages alone give, in order of
    first appearance; spellings with one `key_of` are one candidate.

    Of several occurrences a feature keeps its greatest value. Phrases that the question itself contains are left out,
    as are adjectives unless the question has a gap for one.
    """
    weights = retrieved.weights
    total = sum(weights.values()) or 1.0
    own, focus = language.fold(without_gaps(question.text)), language.fold(question.focus)
    verb = next(iter(language.terms(question.verb)), "") if question.verb else ""
    found: dict[str, AskedCandidate] = {}
    for passage in retrieved.passages[:READ]:
        sentence = language.tools.clean(passage.text)
        folded = sentence.lower() if len(sentence.lower()) == len(sentence) else sentence
        places = language.places(folded, weights)
        title = language.fold(passage.title)
        in_title = language.places(title, weights)
        inside = sum(weights[term] for term in places) / total
        coverage = sum(weights[term] for term in {*places, *in_title}) / total
        for span in spans_of(sentence, language):
            key = key_of(span, language)
            said = language.fold(span.text) in own and language.is_repeat(language.fold(span.text), own)
            # an adjective answers only where it fills a gap before a noun or behind "is"
            if said or (span.speech == "JJ" and not question.wants_adjective):
                continue
            if (one := found.get(key)) is None:
                one = found[key] = AskedCandidate(span.text, span, passage, {}, spaced=language.language.uses_spaces)
            before, after = folded[: span.start], folded[span.end :]
            paragraph = passage.paragraph or passage.doc_id
            one.paragraphs[paragraph] = max(passage.score, one.paragraphs.get(paragraph, 0.0))
            if span.hint:
                one.hints.add(span.hint)
            near = proximity((span.start, span.end), places, weights, language.tools.STRIDE)
            values = {
                "coverage": coverage,
                "sentence coverage": inside,
                "whole": span.whole / 2,
                "in title": passage.score * (key in title),
                "gap's neighbours": coverage * _neighbours(question, before, after, language),
            }
            signs = _english_signs if language.language.uses_spaces else _japanese_signs
            # a sign in a sentence that says little of the question counts little
            values |= dict.fromkeys(signs(question, folded, span, places.get(verb, ())), coverage)
            if focus and language.tools.in_apposition(before, after, focus):
                values["apposition"] = coverage
            one.features |= {name: float(max(value, one.features.get(name, 0.0))) for name, value in values.items()}
            if near / total > one.features.get("proximity", 0.0):
                one.features["proximity"] = near / total
                one.best, one.text, one.span = passage, span.text, span
    for one in found.values():
        _form(one, question, language, own)
    return list(found.values())


def _english_signs(question: AskedQuestion, folded: str, span: Span, verbs: Sequence[tuple[int, int]]) -> Iterator[str]:
    """Yields the names of the context features that hold for a candidate: key term, called, defined, glossed, role,
    other role.

    `folded` is the sentence in lower case, `verbs` the (start, end) offsets in it of the question's main verb.
    """
    before, after = folded[max(0, span.start - 30) : span.start], folded[span.end :]
    if span.start == 0 and _KEY_TERM.match(after):
        yield "key term"
    if _BEFORE_NAMED.search(before):
        yield "called"
    if span.start < _OPENING and _DEFINED.match(after):
        yield "defined"
    if _GLOSSED.match(after):
        yield "glossed"
    if verbs and question.role and (role := _role(folded, span, verbs)):
        yield "role" if role == question.role else "other role"


def _japanese_signs(
    question: AskedQuestion, folded: str, span: Span, verbs: Sequence[tuple[int, int]]
) -> Iterator[str]:
    """Yields the names of the context features that hold for a candidate (called, defined, glossed, role, other role)
    in a Japanese or Chinese sentence; the particle behind the candidate determines its role."""
    after = folded[span.end :]
    if _JA_NAMED.match(after):
        yield "called"
    if span.start < _OPENING and _JA_DEFINED.match(after):
        yield "defined"
    if after.startswith("("):
        yield "glossed"
    for role, pattern in _JA_ROLES.items():
        if question.role and pattern.match(after):
            yield "role" if role == question.role else "other role"


def _neighbours(question: AskedQuestion, before: str, after: str, language: TermLanguage) -> float:
    """Fraction (0 to 1) of the words beside the question's gap, two on either side, that also occur beside the
    candidate; 0 for a question without a gap.

    `before` and `after` are the sentence's text on either side of the candidate. In Japanese and Chinese each side
    counts as a whole: its two characters are equal or not.
    """
    if not (question.before or question.after):
        return 0.0
    if not language.language.uses_spaces:
        return ((before[-2:] == question.before != "") + (after[:2] == question.after != "")) / 2
    left, right = _WORDS.findall(before[-40:])[-2:], _WORDS.findall(after[:40])[:2]
    wanted_left = [word for word in question.before.split() if word.isalnum()]
    wanted_right = [word for word in question.after.split() if word.isalnum()]
    same = sum(a == b for a, b in zip(reversed(left), reversed(wanted_left), strict=False))
    return float(same + sum(a == b for a, b in zip(right, wanted_right, strict=False))) / 4


def _role(folded: str, span: Span, verbs: Sequence[tuple[int, int]]) -> str:
    """Grammatical role of a candidate: "subject" or "object" of the question verb's nearest occurrence, by word order
    and passive; "" if neither.

    `folded` is the sentence in lower case, `verbs` the (start, end) offsets in it of the question's main verb.
    """
    start, end = min(verbs, key=lambda place: distance(place, (span.start, span.end)))
    words = _WORDS.findall(folded[:start])[-3:]
    passive = not _BE.isdisjoint(words)
    if span.end <= start:
        return "object" if passive else "subject"
    between = _WORDS.findall(folded[end : span.start])
    if passive:
        return "subject" if "by" in between[:4] else ""
    return "object" if len(between) < 6 else ""


def _form(one: AskedCandidate, question: AskedQuestion, language: TermLanguage, own: str) -> None:
    """Adds to the candidate's `features` those of its text and span: passage scores, length, shape, unit, agreement
    with the focus and the answer type, proper noun, number; `own` is the question in folded form."""
    span, features, kind = one.span, one.features, question.type
    scores = sorted(one.paragraphs.values(), reverse=True)
    features["passage"], features["three passages"] = scores[0], sum(scores[:3]) / 3
    features["passages"] = math.log1p(len(scores))
    words = one.text.split() if language.language.uses_spaces else [one.text]
    head = singular(words[-1].lower()) if language.language.uses_spaces else one.text
    features["words"] = min(len(words), 5) if language.language.uses_spaces else min(len(one.text), 10) / 2
    features["adjective"] = float(span.speech == "JJ")
    features["quoted"] = float(span.shape == "quoted")
    features["number"] = float(span.shape == "number")
    features["time"] = float(span.shape in ("time", "years"))
    wanted = {"number": "number", "time": "time"}.get(question.group, "")
    shapes = {"years": ("time", "number"), "period": ("time",)}.get(span.shape, (span.shape,))
    features["shape"] = float(bool(wanted) and wanted in shapes)
    features["other shape"] = float(wanted not in shapes if wanted else span.shape in ("time", "number"))
    after = language.tools.clean(one.best.text)[span.end :]
    if question.unit:
        counted = language.tools.counts_in(language.fold(one.text), after, question.unit)
        features["unit"] = counted or float(question.unit in [singular(word.lower()) for word in words])
    elif question.type.name == "percent":
        features["unit"] = float(bool(re.search(r"%|percent|third|half|quarter|fourth|分の|割", one.text)))
    focus = language.fold(question.focus)
    features["ends with focus"] = float(bool(focus) and head.endswith(focus) and language.fold(one.text) != focus)
    named = type_of_noun(head)
    features["head of type"] = float(named.name == kind.name != "other")
    features["head of other type"] = float(named.name != "other" != kind.name and named.coarse != kind.coarse)
    proper = words[-1][:1].isupper() or span.shape in ("name", "quoted")
    features["proper"] = (
        float(proper) if language.language.uses_spaces else float(span.speech in language.proper_speech)
    )
    if question.plural is not None and language.language.uses_spaces:
        plural = span.speech in ("NNS", "NNPS")
        features["plural"] = float(question.plural and plural)
        features["other number"] = float(question.plural != plural)


def add_kinds(
    question: AskedQuestion, candidates: Sequence[AskedCandidate], index: Index, language: TermLanguage
) -> None:
    """Adds the features "kind" and "other kind", 0 or 1: whether the entity type of a candidate name is, or is not, one
    that the answer type allows.

    The entity type is taken from the index's statistics, else from the language's lists, the glossary and the passages.
    Adds nothing if the answer type does not restrict entity types.
    """
    kinds = question.type.kinds - {"time", "number"}
    if not kinds:
        return
    recogniser = language.language.recogniser(language.glossary)
    named = [one for one in candidates if one.span.shape in NAMED]
    keys = [recogniser.key(one.text) for one in named]
    known: list[str] = [""] * len(named)
    for source in sources_of(index):
        if any(part.name == "names" for part in source.metadata.parts):
            said = decode_kinds(source.part("names"), keys)
            known = [one if one not in ("", "other") else other or one for one, other in zip(known, said, strict=True)]
    speeches = {"人名": "person", "姓": "person", "名": "person", "地域": "place", "国": "place", "組織": "other"}
    for one, key, kind in zip(named, keys, known, strict=True):
        found = {kind} if kind not in ("", "other") else set(one.hints)
        # an adjective of a place (French) is keyed by the place, but names its people
        if language.language.uses_spaces and is_known_place(key):
            found = {"place"} if key == language.fold(one.text) else {"people"}
        if one.span.speech in speeches and not _KATAKANA.fullmatch(one.text):  # of these MeCab guesses
            found = found or {speeches[one.span.speech]}
        found = found or ({kind} if kind else set())
        one.features["kind"] = float(not kinds.isdisjoint(found))
        one.features["other kind"] = float(bool(found - {"other"}) and kinds.isdisjoint(found))


def add_said(
    questions: Sequence[AskedQuestion],
    ranked: Sequence[Sequence[AskedCandidate]],
    index: Index,
    language: TermLanguage,
) -> None:
    """Adds the feature "said to be" to candidate names: log(1 + number of occurrences in the retrieved passages that
    call the candidate an instance of the question's focus).

    `ranked` has the candidates of each question. The patterns are those of Hearst (1992, Automatic acquisition of
    hyponyms) and appositions. One round trip for all questions.
    """
    part = index.part((SENTENCES if holds_sentences(index.metadata) else PARAGRAPHS).name)
    asked = [(number, question.focus) for number, question in enumerate(questions) if language.terms(question.focus)]
    hits = part.search([union_query(sorted(set(language.terms(focus)))) for _, focus in asked], _READ)
    for (number, focus), found in zip(asked, hits, strict=True):
        head = language.tools.head_of(language.fold(focus))
        sentences = [language.fold(hit.document.text) for hit in found]
        for one in ranked[number]:
            name, count = language.fold(one.text), 0
            if one.span.shape not in NAMED:
                continue
            for sentence in sentences:
                start = sentence.find(name)
                while start >= 0:
                    end = start + len(name)
                    count += language.tools.is_said_to_be(sentence[:start], sentence[end:], head)
                    start = sentence.find(name, end)
            one.features["said to be"] = math.log1p(count)


def first_score(one: AskedCandidate) -> float:
    """Score by the passages alone, which selects the `JUDGED` candidates that are counted in the whole book."""
    return sum(weight * one.features.get(name, 0.0) for name, weight in _FIRST.items())


def add_counts(
    question: AskedQuestion,
    candidates: Sequence[AskedCandidate],
    retrieved: Retrieval,
    index: Index,
    language: TermLanguage,
) -> None:
    """Adds the features computed from the corpus statistics of the candidates and the question's terms; nothing if no
    index has statistics.

    "found in" a unit is the greatest BM25 of the question among the units that contain the candidate, relative to the
    best of all units; "pmi" the mean pointwise mutual information [PMI] with the question's terms, weighted by idf;
    "lift" the log ratio of the candidate's frequency among the best-scoring units to that among all. Of several
    textbooks the greatest value counts.
    """
    for source in sources_of(index):
        if candidates and any(part.name == "names" for part in source.metadata.parts):
            for one, found in zip(candidates, _counts(candidates, retrieved, source, language), strict=False):
                for name, value in found.items():
                    one.features[name] = max(value, one.features.get(name, value))


def _counts(
    candidates: Sequence[AskedCandidate], retrieved: Retrieval, index: Index, language: TermLanguage
) -> list[dict[str, float]]:
    """Feature name → value for each candidate, in order, from the statistics of one textbook; [] if the textbook
    contains none of the question's terms."""
    asked = sorted(retrieved.idf)
    own = [list(dict.fromkeys(language.terms(one.text))) for one in candidates]
    counted = decode_terms(index.part("names"), sorted({*asked, *(term for each in own for term in each)}))
    rows = [counted.row[term] for term in asked if term in counted.row]
    if not rows:
        return []
    found: list[dict[str, float]] = [{} for _ in candidates]
    weight = np.array([retrieved.weights[term] for term in asked if term in counted.row])
    sentences = len(counted.sentences)
    paragraph_of = np.repeat(np.arange(len(counted.paragraphs)), counted.paragraphs)
    at = csr_array((np.ones(len(counted.at.indices)), counted.at.indices, counted.at.indptr), counted.at.shape)
    # the sentences that hold all terms of a candidate; none where one of its terms is not counted
    held = [np.zeros(0, np.int64) for _ in own]
    for place, each in enumerate(own):
        if each and all(term in counted.row for term in each):
            rows_of = [at.indices[slice(*at.indptr[counted.row[term] :][:2])] for term in each]
            held[place] = reduce(np.intersect1d, rows_of).astype(np.int64)
    rarity = idf(float(sentences), np.diff(at.indptr).astype(float))
    for name, of in (("sentence", np.arange(sentences)), ("paragraph", paragraph_of)):
        number = int(of[-1]) + 1
        scores = np.zeros(number)
        lengths = np.bincount(of, counted.sentences, number)
        damping = 1.2 * (0.25 + 0.75 * lengths / max(float(lengths.mean()), 1.0))  # BM25's k1 and b, as in the engines
        within = []
        for row, value in zip(rows, weight, strict=True):
            columns = of[at.indices[at.indptr[row] : at.indptr[row + 1]]]
            frequency = np.bincount(columns, minlength=number)
            scores += value * 2.2 * frequency / (frequency + damping)
            within.append(frequency > 0)
        scores /= float(scores.max()) or 1.0
        places = [np.unique(of[one]) for one in held]
        share = np.array([one.sum() for one in within]) / number
        top = np.argsort(-scores, kind="stable")[:20]
        rank = np.zeros(number)
        rank[top] = scores[top] ** 2 / (float((scores[top] ** 2).sum()) or 1.0)
        for values, where in zip(found, places, strict=True):
            if not len(where):
                continue
            values[f"found in {name}"] = float(scores[where].max())
            # damped: of rare candidates one shared sentence says little
            both = np.array([one[where].sum() for one in within])
            logs = np.log((both + _DAMPING) / (share * len(where) + _DAMPING))
            values[f"pmi {name}"] = float(weight @ logs / weight.sum())
            if name == "paragraph":
                values["lift"] = math.log((float(rank[where].sum()) + 0.01) / (len(where) / number + 0.01))
        if name == "sentence":  # a sentence with half the score of its neighbours in the paragraph
            same = np.diff(paragraph_of) == 0
            window = scores.copy()
            window[1:] += 0.5 * np.where(same, scores[:-1], 0.0)
            window[:-1] += 0.5 * np.where(same, scores[1:], 0.0)
            window /= float(window.max()) or 1.0
            for values, where in zip(found, held, strict=True):
                values["found in window"] = float(window[where].max()) if len(where) else 0.0
    for values, each, where in zip(found, own, held, strict=True):
        known = [counted.row[term] for term in each if term in counted.row]
        values["rarity"] = float(np.mean(rarity[known])) if known else 0.0
        values["rarest"] = math.log((sentences + 1) / (len(where) + 1))
        values["question's words"] = len(set(asked).intersection(each)) / max(len(each), 1)
    return found
