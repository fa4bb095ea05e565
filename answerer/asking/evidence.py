"""What the passages and the whole book say for a candidate answer: validation of question and
candidate together, agreement of its sentences with the question, words around the gap, and the
definition of a key term.

Notation: w is the weight of a question's term (its idf times the weight of its text), W their sum;
cover(x) = Σ w of the question's terms in x / W, reverse(x) = Σ w of the question's terms in x / Σ
idf of all terms in x, match(x) = √(cover(x) · min(1, reverse(x))).
"""

from __future__ import annotations

import itertools
import math
import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from answerer.ntcir.term.candidates import CandidateMention, Retrieval, TermCandidate
from answerer.ntcir.term.language import TermLanguage
from answerer.ntcir.term.questions import TermQuestion, gap_spans
from indexer.engines.contract import Index
from indexer.engines.scoring import K1, B
from indexer.files.arrays import Float64Array, Int64Array
from indexer.sources.textbook.schema import SENTENCES, decode_place, holds_sentences
from indexer.statistics.part import CountedTerms
from retriever.bm25 import idf, idf_in
from retriever.passages import Passage
from retriever.queries import weighted_query

VALIDATION = (
    *tuple(
        f"{name} {unit}"
        for unit in ("sentence", "window", "paragraph")
        for name in ("together", "ranks", "reverse")
    ),
    "section",
    "section paragraphs",
)
AGREEMENT = ("match", "cover", "reverse", "bigrams", "top votes", "sum of votes")
ALIGNMENT = ("near content", "aligned", "crossed", "left bigram", "right bigram")
DEFINITION = ("definition", "best definition", "sure definition")

_SEARCHED = 400  # sentences among which definitions are looked for
DEFINITIONS = 12  # the best definitions, read like passages
_WEAK = 0.25  # match of a definition that is not evidence: the best of a book that has none
_SURE = 0.45  # match from which 89 of 95 best definitions named the right key term
_VOTES = 20  # paragraphs that vote
_ALIGNED = 8  # sentences of a candidate that are compared with the gap
_BESIDE = 6  # words beside a gap or candidate that are compared
_DEFINITION = re.compile(
    r"(?!(?:he|she|it|they|we|you|there|this|these|those|here|but|and)\b)"  # they had one aim: …
    r"(?P<term>\w[^:.;!?()]{1,59}?(?: \([^()]{1,20}\) [^:.;!?()]{1,39})?)"
    r"(?: ?\((?P<short>[^)]{1,20})\))?: (?P<meaning>.+)",
    re.IGNORECASE,
)
_WORD = re.compile(r"_{2,}|[^\W_]+(?:[-'’][^\W_]+)*|[^\w\s]")


class ReadSentence(NamedTuple):
    """A passage prepared for comparison with the question: its words and marks in small letters,
    where they begin, their stems ("" for stop words and marks), and cover, reverse and match."""

    words: list[str]
    starts: list[int]
    stems: list[str]
    cover: float
    reverse: float
    match: float


class Definition(NamedTuple):
    """A key term, its short form in brackets ("" for none), its definition as a passage, and the
    match of the meaning with the question."""

    term: str
    short: str
    passage: Passage
    match: float


def match_of(shared: float, total: float, sentence: float) -> tuple[float, float, float]:
    """Cover (shared / total), reverse (shared / sentence, at most 1.5) and match (the geometric
    mean of both, reverse at most 1), from the weight that is shared, that of the question, and that
    of the sentence; 0 where a weight is 0."""
    cover = shared / total if total else 0.0
    reverse = shared / sentence if sentence else 0.0
    return cover, min(reverse, 1.5), math.sqrt(cover * min(1.0, reverse))


def find_definitions(
    retrieved: Retrieval, index: Index, language: TermLanguage
) -> list[Definition]:
    """The definitions of key terms ("term: meaning", a separate sentence) that share terms with the
    question, of the `_SEARCHED` (400) sentences that match best; best match first, ties by doc_id.
    A key term occurs once, with its best definition; left out are those of more than six words, and
    those that the question itself has. [] if the index has no sentences."""
    weights = retrieved.weights
    if not weights or not holds_sentences(index.metadata):
        return []
    part = index.part(SENTENCES.name)
    (hits,) = part.search([weighted_query(dict(sorted(weights.items())))], _SEARCHED)
    lines = []
    for hit in hits:
        line = _DEFINITION.fullmatch(hit.document.text)
        if line and len(line["term"].split()) <= 6:
            terms = set(language.terms(line["meaning"]))
            if not terms.isdisjoint(weights) and not weights.keys() >= set(
                language.terms(line["term"])
            ):
                lines.append((hit, line, terms))
    rarity = idf_in(part, sorted({term for *_, terms in lines for term in terms})) if lines else {}
    total = sum(weights.values())
    definitions: dict[str, Definition] = {}
    for hit, line, terms in lines:
        shared = sum(weights[term] for term in sorted(terms) if term in weights)
        _, _, match = match_of(shared, total, sum(rarity.get(term, 0.0) for term in sorted(terms)))
        position = decode_place(hit.document)
        passage = Passage(
            hit.doc_id, position.paragraph, position.title, hit.document.text, match, match,
            position.citation,
        )  # fmt: skip
        term = _without_bracket(line["term"])
        definition = Definition(term, line["short"] or "", passage, match)
        if definition.match > definitions.setdefault(term.casefold(), definition).match:
            definitions[term.casefold()] = definition
    return sorted(
        definitions.values(), key=lambda definition: (-definition.match, definition.passage.doc_id)
    )


def _without_bracket(term: str) -> str:
    """A key term without brackets inside it or behind it ("critical (sensitive) period": critical
    period)."""
    return re.sub(r" \([^()]*\)", "", term)


def key_term_of(sentence: str) -> tuple[str, int] | None:
    """The key term, without a bracket, that a line of a glossary defines, and where it ends in the
    line; None for another sentence, and for a term of more than six words."""
    line = _DEFINITION.fullmatch(sentence)
    if not line or len(line["term"].split()) > 6:
        return None
    return _without_bracket(line["term"]), line.end("term")


def definition_features(
    candidate: TermCandidate, definitions: Sequence[Definition]
) -> dict[str, float]:
    """The features `DEFINITION` of a candidate that is a key term: how far the match of its
    definition is above `_WEAK` (0.25), the same if it is the best of all, and 1 if it is the best
    and at least `_SURE` (0.45). No features for other candidates, and up to `_WEAK`."""
    match = candidate.features.get("own definition", 0.0)
    if match <= _WEAK:
        return {}
    best = match >= definitions[0].match
    above = match - _WEAK
    return {
        "definition": above,
        "best definition": above * best,
        "sure definition": float(best and match >= _SURE),
    }


def paragraph_votes(passages: Sequence[Passage]) -> dict[str, float]:
    """The first `_VOTES` (20) paragraphs of passages, which are in order, best first → the square
    of the score of their first passage."""
    best: dict[str, float] = {}
    for passage in passages:
        best.setdefault(passage.paragraph or passage.doc_id, passage.score**2)
        if len(best) == _VOTES:
            break
    return best


def read_sentences(
    passages: Sequence[Passage],
    meant: Mapping[str, Collection[str]],
    retrieved: Retrieval,
    index: Index,
    language: TermLanguage,
) -> dict[str, ReadSentence]:
    """Text of a passage → its words with their starts and stems (in English; else none), and how it
    agrees with the question: cover, reverse and match by idf (`match_of`); the terms that its
    pronouns stand for (`meant`: text → terms) count as if it had them."""
    weights = retrieved.weights
    total = sum(weights.values())
    texts = list(dict.fromkeys(passage.text for passage in passages))
    terms_of = [sorted({*language.terms(text), *meant.get(text, ())}) for text in texts]
    part = index.part(SENTENCES.name if holds_sentences(index.metadata) else "paragraphs")
    rarity = idf_in(part, sorted({term for terms in terms_of for term in terms})) if texts else {}
    read = {}
    for text, terms in zip(texts, terms_of, strict=True):
        shared = sum(weights[term] for term in terms if term in weights)
        weight = sum(rarity.get(term, 0.0) for term in terms)
        words, starts, stems = list[str](), list[int](), list[str]()
        if language.spaced:
            for word in _WORD.finditer(language.fold(text)):
                words.append(word.group())
                starts.append(word.start())
                stems.append(language.stem(word.group()))
        read[text] = ReadSentence(words, starts, stems, *match_of(shared, total, weight))
    return read


@dataclass(frozen=True)
class QuestionPattern:
    """An English question cut at the place of its answer: the words left and right of it, their
    stems; `has_gap` for a gap, else the order of a statement, with the answer where it would be.
    `pairs` are the adjacent pairs of stems."""

    left: tuple[str, ...]
    right: tuple[str, ...]
    left_stems: tuple[str, ...]
    right_stems: tuple[str, ...]
    has_gap: bool
    pairs: frozenset[tuple[str, str]]


_ASKS = frozenset("what which who whom whose when where how why".split())
_HELPS = frozenset("did does do".split())


def question_pattern(question: TermQuestion, language: TermLanguage) -> QuestionPattern:
    """Cuts a question at the place of its answer: the first gap.

    Without a gap: "what did X build in Y" is read as "X build ____ in Y", "who built X" as "____
    built X"; anything else has nothing on either side. The pairs are of neighbouring stems of the
    whole question, stop words left out.
    """
    folded = language.fold(question.text)
    gaps = gap_spans(folded)
    left, right = list[str](), list[str]()
    if gaps:
        left = _WORD.findall(folded[: gaps[0][0]])
        right = [word for word in _WORD.findall(folded[gaps[0][1] :]) if not word.startswith("__")]
    else:
        words = [word for word in _WORD.findall(folded) if word[0].isalnum()]
        asks = next((position for position, word in enumerate(words) if word in _ASKS), -1)
        verb = words.index(question.verb) if question.verb in words else -1
        if asks >= 0 and verb > asks:
            helped = next((p for p in range(asks, verb) if words[p] in _HELPS), -1)
            if helped >= 0:
                left, right = words[helped + 1 : verb + 1], words[verb + 1 :]
            elif question.role == "subject":
                right = words[verb:]
    stems = [stem for word in _WORD.findall(folded) if (stem := language.stem(word))]
    return QuestionPattern(
        tuple(left),
        tuple(right),
        tuple(filter(None, map(language.stem, left))),
        tuple(filter(None, map(language.stem, right))),
        bool(gaps),
        frozenset(itertools.pairwise(stems)),
    )


def agreement(
    mentions: Sequence[CandidateMention],
    read: Mapping[str, ReadSentence],
    pattern: QuestionPattern,
    weights: Mapping[str, float],
    votes: Mapping[str, float],
) -> dict[str, float]:
    """The features `AGREEMENT` and `ALIGNMENT` of a candidate with these mentions. Alignment (and
    "bigrams"), of the `_ALIGNED` (8) best of them, is left out where it is 0, and in Japanese;
    where the question has no gap, "aligned" and "crossed" have the prefix "question ".

    Each is the greatest of the mentions, but "top votes" and "sum of votes" count and add up the
    candidate's paragraphs in `votes` (paragraphs that vote → their squared scores), and the bigrams
    at the sides of a gap are the number of those of the n (≤ 60) best mentions that have them, over
    n + 2; without a gap they are left out.
    """
    features = dict.fromkeys(AGREEMENT, 0.0)

    def raise_to(name: str, value: float) -> None:
        if value > features.get(name, 0.0):
            features[name] = value

    scored = []
    for mention in mentions:
        sentence = read[mention.passage.text]
        raise_to("match", sentence.match)
        raise_to("cover", sentence.cover)
        raise_to("reverse", sentence.reverse)
        order = sentence.match + 0.3 * sentence.cover + 0.3 * mention.passage.score
        scored.append((order, mention, sentence))
    supporting = {
        mention.passage.paragraph or mention.passage.doc_id for mention in mentions
    } & votes.keys()
    features["top votes"] = float(len(supporting))
    features["sum of votes"] = sum(sorted(votes[paragraph] for paragraph in supporting))
    if not mentions or not scored[0][2].words:
        return features
    prefix = "" if pattern.has_gap else "question "
    total = sum(weights.values()) or 1.0
    left, right = set(pattern.left_stems), set(pattern.right_stems)
    scored.sort(key=lambda row: (-row[0], row[1].passage.doc_id, row[1].span.start))
    seen = list[tuple[str, str]]()
    for number, (_, mention, sentence) in enumerate(scored[:60]):
        first = bisect_left(sentence.starts, mention.span.start)
        last = bisect_right(sentence.starts, mention.span.end - 1)
        words = sentence.words
        beside = (words[first - 1] if first else "", words[last] if last < len(words) else "")
        seen.append(beside)
        if number >= _ALIGNED:
            continue
        around = {
            *sentence.stems[max(0, first - _BESIDE) : first],
            *sentence.stems[last : last + _BESIDE],
        }
        near = sum(weight for term, weight in weights.items() if term in around) / total
        raise_to("near content", near)
        filled = [stem for stem in sentence.stems if stem]
        pairs = pattern.pairs.intersection(itertools.pairwise(filled))
        raise_to("bigrams", len(pairs) / max(len(pattern.pairs), 1))
        if not (pattern.left or pattern.right):
            continue
        before, behind = set(sentence.stems[:first]), set(sentence.stems[last:])
        aligned = crossed = 0.0
        for term, weight in weights.items():
            aligned += weight * (
                (term in left and term in before) or (term in right and term in behind)
            )
            crossed += weight * (
                (term in left and term in behind) or (term in right and term in before)
            )
        raise_to(f"{prefix}aligned", aligned / total)
        raise_to(f"{prefix}crossed", crossed / total)
    for name, neighbour, side in (
        ("left bigram", pattern.left[-1:], 0),
        ("right bigram", pattern.right[:1], 1),
    ):
        if neighbour and pattern.has_gap:
            # + 2: one mention of a rare candidate does not make it certain
            equal = sum(beside[side] == neighbour[0] for beside in seen)
            features[name] = equal / (len(seen) + 2)
    return features


def runs(numbers: Int64Array) -> tuple[Int64Array, Int64Array]:
    """The different numbers of a rising array, and how often each occurs."""
    is_first = np.ones(len(numbers) + 1, bool)
    np.not_equal(numbers[1:], numbers[:-1], out=is_first[1:-1])
    bounds = is_first.nonzero()[0]
    return numbers[bounds[:-1]], bounds[1:] - bounds[:-1]


class _MeasureUnit:
    """BM25 of the question in one kind of unit of a book (sentences, windows of three, paragraphs),
    and of further terms, as the engines count it. `places` maps the sentences that hold a term to
    the units that do, rising, a unit as often as its sentences; None for sentences themselves."""

    def __init__(
        self, lengths: Float64Array, places: Callable[[Int64Array], Int64Array] | None = None
    ) -> None:
        average = max(float(lengths.sum()) / max(len(lengths), 1), 1.0)
        self.damping = K1 * (1 - B + B * lengths / average)
        self.size = len(lengths)
        self._places = places

    def scores(self, at: Int64Array, weight: float) -> tuple[Int64Array, Float64Array]:
        """The units that hold a term, of which `at` are the sentences, and in each its BM25 times
        its `weight`."""
        if self._places is None:
            return at, weight * (K1 + 1) / (1 + self.damping[at])
        units, counts = runs(self._places(at))
        return units, weight * (K1 + 1) * counts / (counts + self.damping[units])


def validate(
    terms: Sequence[Sequence[str]], weights: Mapping[str, float], counted: CountedTerms
) -> list[dict[str, float]]:
    """The features `VALIDATION` of candidates, by their terms, in a book: whether question and
    candidate together find better passages than others do. One dict a candidate, empty where the
    book lacks all terms of the candidate or of the question.

    For sentences, windows of three and paragraphs: "together" is the mean of the five greatest BM25
    of the question with the candidate's further terms, over the best of the question alone; "ranks"
    the mean of the three greatest BM25 of the question, each times the candidate's share (by idf)
    of the unit; "reverse" the greatest BM25 of the candidate times the unit's cover of the
    question. "section" is the best of `section_scores` whose paragraphs hold all terms of the
    candidate, "section paragraphs" the mean of their squares.
    """
    sentences = len(counted.sentences)
    results: list[dict[str, float]] = [{} for _ in terms]
    book_weights = {term: weight for term, weight in weights.items() if term in counted.row}
    if not book_weights or not sentences:
        return results
    indices, starts = counted.at.indices.astype(np.int64), counted.at.indptr
    holding = {term: indices[starts[row] : starts[row + 1]] for term, row in counted.row.items()}
    counts = np.array([len(at) for at in holding.values()], float)
    rarity = dict(zip(holding, idf(float(sentences), counts).tolist(), strict=True))
    paragraph_of = np.repeat(np.arange(len(counted.paragraphs)), counted.paragraphs)
    total = sum(book_weights.values())
    lengths = counted.sentences.astype(float)
    joined = np.concatenate(([-1], paragraph_of, [-1]))
    before, after = joined[:-2] == joined[1:-1], joined[2:] == joined[1:-1]
    wide = lengths.copy()
    wide[1:] += np.where(before[1:], lengths[:-1], 0.0)
    wide[:-1] += np.where(after[:-1], lengths[1:], 0.0)

    def window(at: Int64Array) -> Int64Array:
        """The windows that hold a sentence: its own and its neighbours'."""
        return np.sort(np.concatenate((at, at[before[at]] - 1, at[after[at]] + 1)))

    def paragraph(at: Int64Array) -> Int64Array:
        return paragraph_of[at]

    section_of = np.repeat(np.arange(len(counted.sections)), counted.sections)
    of_section = section_scores(book_weights, holding, paragraph_of, section_of)
    in_paragraphs = np.bincount(paragraph_of, lengths, len(counted.paragraphs)).astype(float)
    for name, unit in (
        ("sentence", _MeasureUnit(lengths)),
        ("window", _MeasureUnit(wide, window)),
        ("paragraph", _MeasureUnit(in_paragraphs, paragraph)),
    ):
        scores, cover = np.zeros(unit.size), np.zeros(unit.size)
        for term, weight in book_weights.items():
            units, values = unit.scores(holding[term], weight)
            scores[units] += values
            cover[units] += weight / total
        most = float(scores.max()) or 1.0
        top = np.argsort(-scores, kind="stable")[:5]
        own_scores = {
            term: unit.scores(holding[term], rarity[term])
            for term in sorted({term for words in terms for term in words} & holding.keys())
        }
        added, sums, share = np.zeros(unit.size), np.zeros(unit.size), np.zeros(unit.size)
        for features, candidate in zip(results, terms, strict=True):
            present = [term for term in candidate if term in own_scores]
            whole = sum(rarity.get(term, math.log(sentences + 1)) for term in candidate)
            if not present:
                continue
            for term in present:
                units, values = own_scores[term]
                sums[units] += values
                share[units] += rarity[term] / whole
                if term not in book_weights:
                    added[units] += values
            rows = (
                own_scores[present[0]][0]
                if len(present) == 1
                else runs(np.sort(np.concatenate([own_scores[term][0] for term in present])))[0]
            )
            both = np.concatenate((scores[rows] + added[rows], scores[top][share[top] == 0]))
            ranks = scores[rows] / most * share[rows]
            features[f"together {name}"] = float(np.sort(both)[-5:].sum()) / 5 / most
            features[f"ranks {name}"] = float(np.sort(ranks)[-3:].sum()) / 3
            features[f"reverse {name}"] = float((sums[rows] * cover[rows]).max() / sums[rows].max())
            whole_in = section_of[rows[share[rows] > 0.999]] if name == "paragraph" else rows[:0]
            if len(whole_in):
                features["section"] = float(of_section[whole_in].max())
                features["section paragraphs"] = float((of_section[whole_in] ** 2).mean())
            for buffer in (added, sums, share):
                buffer[rows] = 0.0
    return results


def section_scores(
    weights: Mapping[str, float],
    holding: Mapping[str, Int64Array],
    paragraph_of: Int64Array,
    section_of: Int64Array,
) -> Float64Array:
    """The score of each section for a question: Σ weight × ln(1 + sentences of the section that
    hold the term), divided by the best section's score; all 0 without weights. Every term with a
    weight must be in `holding` (term → its sentences)."""
    scores = np.zeros(int(section_of[-1]) + 1)
    for term, weight in weights.items():
        frequency = np.bincount(section_of[paragraph_of[holding[term]]], minlength=len(scores))
        scores += weight * np.log1p(frequency)
    scores /= float(scores.max()) or 1.0
    return scores
