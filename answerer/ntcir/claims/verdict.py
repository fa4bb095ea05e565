"""The verdict on a claim, of a yes-no question or a statement: what the sentence nearest to it
says."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Literal, NamedTuple

from answerer.ntcir.claims import japanese_claims
from answerer.ntcir.claims.entailment import (
    DENIED,
    FEATURES,
    claim_features,
    claim_model,
    probability,
    signs,
)
from answerer.ntcir.claims.quantities import (
    is_of_part,
    leaves_open,
)
from answerer.ntcir.claims.tokens import AUXILIARIES, NEGATIONS, tag_tokens
from answerer.ntcir.claims.verifier import Difference, differences, is_stated
from answerer.ntcir.claims.wording import (
    DERIVED,
    all_forms,
    base_terms,
    japanese_share,
    word_share,
)
from answerer.ntcir.term.candidates import Retrieval, proximity
from answerer.ntcir.term.language import TermLanguage
from answerer.ntcir.term.questions import TermQuestion, read_question
from indexer.analysis.english_numbers import WORD, in_figures
from indexer.engines.contract import Index
from indexer.engines.scoring import round_score
from indexer.sources.textbook.schema import (
    SENTENCES,
    sentence_id,
    sentence_number,
    sentences_before,
)
from retriever.learning.model import Model
from retriever.passages import Passage

# katakana behind a figure are a unit (640メートル)
_NAME_OR_NUMBER = re.compile(r"\d+|(?<![\dァ-ヺー])[ァ-ヺー]{3,}")
_PLAIN_NUMBER = re.compile("(?:西暦|紀元前|前)?[\\d年月日世紀代]+")
_IN_BRACKETS = re.compile("[（(][^（）()]*+[)）]")
_LEAVES_TOPIC = re.compile("[こそ]の|[^は]*+$")  # Japanese sentences of what was spoken of before
_JOINTS = re.compile(r"(?<=[ァ-ヺー])[・＝=](?=[ァ-ヺー])")  # タージ・マハル is タージ＝マハル
PARTICLES = re.compile("[ぁ-ん]+")
"""Japanese terms that say nothing of the matter."""


Outcome = Literal["yes", "no", "unknown"]

# Share of the claim's idf that the nearest passage must have: below it the book hardly speaks of
# the matter, and the claim is neither confirmed nor contradicted.
_ABOUT = 0.5
# Probability of a claim from which "yes" is likelier than "no": three in four of the claims that do
# not hold are contradicted by their book, the others not in it.
LIKELY = 0.43
_READ = 10  # passages, those nearest to the claim, of which one that states it is preferred
_RESOLVED = 40  # best passages, in which the sentences before a pronoun are read
_BEFORE = 3  # sentences at most that are read before a pronoun
_COMPARED = 3  # passages, those nearest to the claim, in which a contradiction is looked for
_LACKS_NAME = 0.75  # times the coverage of a passage that lacks a name or number of the claim
_PAIR = 0.9  # times the coverage of two sentences: .8 and 1 do as well
_AS_NEAR = 0.9  # times the coverage of the nearest: as near to the claim


_ASKS_TRUTH = r"(?:true or false|true\s?/\s?false|t\s?/\s?f|yes or no|yes\s?/\s?no)\b"
_IS_TRUE = r"(?:is it )?(?:true|right|correct) that\b"
_LEAD = re.compile(
    rf"\A[\s_]*+(?:[(\[]?(?:is it )?(?:{_ASKS_TRUTH}(?:\W*+that\b)?|{_IS_TRUE})[\W_]*+)?",
    re.IGNORECASE,
)
_TAIL = re.compile(rf"(?<![\s(\[:])[\s(\[:]*+{_ASKS_TRUTH}[\s)\].?:]*+$", re.IGNORECASE)
_FIRST_GAP = re.compile(r"\s*+_[\s_]*+(?!(?:true|right|correct|yes|t/f|is it)\b)[a-zぁ-ん,;:'’-]")
_QUESTION = re.compile(r"(?:[?？]|か[。.]?)$")
_HELPED = re.compile(
    r"(.+?)(?<! that)(?<! which)(?<! who) (is|are|was|were|can|could|will|would|should"
    r"|did|does|do) (.+)",
    re.DOTALL,
)
_FIRST_WORD = re.compile(r"([A-Z][a-z]++) ([A-Z][a-z]*+)\b")
_FORMS_OF_BE = frozenset("am is are was were".split())
_REFERRING_BACK = re.compile(
    r"\W*(?:(?:his|her|its|their|such|there|here|then|both)\b"
    r"|[a-z]++ (?:this|that|these|those|it|them)\b)",
    re.IGNORECASE,
)
_PRONOUN = re.compile(
    r"\W*(?:(?:he|she|it|they|this|these|those)\b|これ|それ|彼|此|他|她|它)", re.IGNORECASE
)
_WORDS = re.compile(r"\w+")
_NUMBER_OR_WORD = re.compile(WORD)
_CAPITAL = re.compile(r"\b[A-Z0-9]\w*+")
_CAPITAL_INSIDE = re.compile(r"(?<=[\w,;] )[A-Z0-9]\w*+")
_NOT_ALL = re.compile(r"\bnot (?:all|every)", re.IGNORECASE)
_ONLY = re.compile(r"\bonly\b", re.IGNORECASE)
_NEGATED = re.compile(rf"n['’]t\b|\b(?:{'|'.join(sorted(NEGATIONS))})\b", re.IGNORECASE)
_DENYING = re.compile(rf"{_NEGATED.pattern}|\b(?:{'|'.join(sorted(DENIED))})\b", re.IGNORECASE)
_JA_NEGATED = re.compile(r"(?<![少危])な(?:い|かった|く)|ません|ず[、。に]")
_JA_DENIED = re.compile(r"(?:(?<![少危])な(?:い|かった)|ません(?:でした)?)[。.]?$")


class ClaimVerdict(NamedTuple):
    """Whether a claim holds by the passage nearest to it: why not ("" for nothing that differs),
    the fraction of the claim's idf that the passage has, and the claim's terms that it lacks, none
    where a contradiction is of the only one. Of an English claim also the `signs` that the passage
    entails it and the probability that the claim holds. `stated` is False for a "yes" that no
    clause states, or only as possible (in Japanese: that is not `japanese_claims.is_stated`, or
    that lacks a name or a name's last word), and for a "no" by a missing name where the rest is not
    stated."""

    outcome: Outcome
    passage: Passage
    coverage: float
    reason: str
    lacking: list[str]
    signs: list[float] | None = None
    probability: float | None = None
    stated: bool = True


def with_previous(
    passages: Sequence[Passage], index: Index, language: TermLanguage
) -> list[Passage]:
    """All passages in their order; the sentences among the first `_RESOLVED` (40) that begin with a
    pronoun (English, Japanese or Chinese) have the text of the sentence before them in their
    paragraph, if there is one, put before their own, of up to `_BEFORE` (3) while that begins with
    a pronoun, too. Whole paragraphs stay as they are. One request to the index, none without such a
    sentence."""
    previous = {}
    for position, passage in enumerate(passages[:_RESOLVED]):
        before = sentences_before(passage.doc_id, _BEFORE) if passage.is_sentence else []
        if before and _PRONOUN.match(passage.text):
            previous[position] = before
    if not previous:
        return list(passages)
    ids = [doc_id for before in previous.values() for doc_id in before]
    documents = iter(index.part(SENTENCES.name).lookup("doc_id", ids))
    resolved, joint = list(passages), " " if language.spaced else ""
    for position, before in previous.items():
        texts = [document.text for _ in before for document in next(documents)]
        text = passages[position].text
        while texts and _PRONOUN.match(text):
            text = joint.join([texts.pop(), text])
        resolved[position] = passages[position]._replace(text=text)
    return resolved


def judges(language: TermLanguage) -> bool:
    """Whether there are rules for what contradicts a claim in a language: English and Japanese."""
    return language.language.code in ("en", "ja")


def asks_truth(text: str) -> bool:
    """Whether a text begins or ends with "true or false", "yes or no" or the like ("T/F"), begins
    with "is it true that" or "true that", or with a blank for the answer ("__"), unless that is a
    gap of the sentence: a small letter, kana or a mark is behind it ("__ is red")."""
    is_gap = _FIRST_GAP.match(text) and not _TAIL.search(text)
    return not is_gap and _without_asking(text) != text.strip()


def _without_asking(text: str) -> str:
    """A text, stripped, without what `asks_truth` looks for."""
    return _TAIL.sub("", _LEAD.sub("", text, count=1)).strip()


def read_claim(text: str, language: TermLanguage) -> TermQuestion | None:
    """The claim of a yes-no question, or of a statement, without "true or false" before or behind
    it; an English statement as a question, the form that the rules know ("Did bees dance?"). None
    for any other question (by its question mark, in Japanese か), and for no text."""
    claim = _without_asking(text)
    question = read_question(claim, language.language)
    if question.polar:
        return question
    if asks_truth(text):
        claim = claim.rstrip(" .?!")
    if not claim or _QUESTION.search(claim):
        return None
    if language.language.code == "en":
        claim = claim.rstrip(". ")
        helped = _HELPED.fullmatch(claim)
        polar = f"{helped[2].title()} {helped[1]} {helped[3]}?" if helped else f"Did {claim}?"
        return replace(read_question(polar, language.language), polar=True)
    return question


def judge_statement(
    claim: TermQuestion,
    retrieved: Retrieval,
    language: TermLanguage,
    model: Model | None = None,
) -> ClaimVerdict:
    """The verdict of `verify` on a claim that is to be called true or false. There must be a
    passage. "no", with the reverse probability, instead of "yes", where the claim has a negation
    (in Japanese at its end; not of "not all") and the sentence none, nor "refused" or the like: a
    question may have one for politeness."""
    is_english = language.language.code == "en"
    negated, denying = (_NEGATED, _DENYING) if is_english else (_JA_DENIED, _JA_NEGATED)
    if is_english:
        claim = _with_small_letter(claim, retrieved.passages)
    verdict = verify(claim, retrieved, language, model)
    if verdict.outcome != "yes" or not negated.search(claim.text):
        return verdict
    if is_english and _NOT_ALL.search(claim.text):
        return verdict
    if denying.search(verdict.passage.text):
        return verdict
    likely = verdict.probability
    return verdict._replace(
        outcome="no",
        reason="the sentence says so without a negation",
        probability=None if likely is None else 1 - likely,
    )


def _with_small_letter(claim: TermQuestion, passages: Sequence[Passage]) -> TermQuestion:
    """The claim of an English statement with a small letter at the statement's beginning, unless
    that is a name: what the tagger takes for one, and the passages never write in small letters."""
    match = _FIRST_WORD.match(claim.text)
    if match is None:
        return claim
    from indexer.analysis.english import tags

    small = match[2].lower()
    is_name = tags([match[2]])[0].startswith("NNP")
    if is_name and not any(small in _WORDS.findall(passage.text) for passage in passages):
        return claim
    text = f"{match[1]} {small}{claim.text[match.end() :]}"
    return replace(claim, texts=((text, 1.0), *claim.texts[1:]))


def verify(
    claim: TermQuestion,
    retrieved: Retrieval,
    language: TermLanguage,
    model: Model | None = None,
) -> ClaimVerdict:
    """The verdict on a claim by the passage nearest to it, in English rather by one that states it
    among the ten nearest; an English one that is "unknown", or "no" by a missing name of another
    than the subject, by that or by two neighbouring sentences read as one, unless these leave it
    "unknown". IndexError without a passage.

    "no" if one of the three nearest contradicts it (roles, polarity, opposites, numbers, in English
    also quantifiers), or that passage lacks a name or number of it, or has another date nearer to
    its terms; "unknown" if it has less than half of the claim's idf, or lacks a name and in all
    more than half of the terms, or a year and has no number (in Japanese a number and has none of
    its kind, or any in a comparison), or the name that the claim begins with
    (unless, in English, it says the rest, with another name, of somebody else), or in Japanese any
    noun but a verbal one (what is before the claim's は may be in the sentences before), or an
    opposite is there, or if the claim does not hold with a probability of `LIKELY` (0.43) by the
    `model` of entailment (None: the program's own; in English); else "yes"."""
    verdict = _judge(claim, retrieved, language, model)
    is_open = verdict.outcome == "unknown" or (verdict.outcome == "no" and not verdict.stated)
    if not is_open or language.language.code != "en":
        return verdict
    pairs = retrieved._replace(passages=_with_pairs(claim, retrieved.passages, language))
    by_pair = _judge(claim, pairs, language, model)
    return verdict if by_pair.outcome == "unknown" else by_pair


def _judge(
    claim: TermQuestion, retrieved: Retrieval, language: TermLanguage, model: Model | None
) -> ClaimVerdict:
    """The verdict of `verify` by the passages as they are."""
    stem = base_terms(language.terms)
    compared = _compare(claim, retrieved, language)
    nearest = compared.nearest
    best = retrieved.passages[nearest]
    wrong, lacking = compared.lacked[nearest], compared.lacking[nearest]
    if language.language.code == "ja":
        before = _sentences_before(retrieved.passages)[nearest]
        if _LEAVES_TOPIC.match(best.text):
            wrong = _without_topic(claim.text, wrong, before, language)
        lacking = _without_topic(claim.text, lacking, before, language)
    elsewhere = compared.elsewhere[nearest]
    # a sentence that says the rest of another name does not mean that of the sentence before
    is_rest_stated = elsewhere and _is_stated(claim, best, language, _words_of(elsewhere))
    if is_rest_stated and not compared.terms_of_names[nearest] <= {*language.terms(claim.text)}:
        wrong = [*wrong, *elsewhere]
    for position in compared.near_ones[:_COMPARED]:
        for difference in _differences(claim.text, retrieved.passages[position].text, language):
            contradicted = _verdict(compared, "no", model, position, difference.reason)
            # the one term that lacks is what differs, but for Japanese numbers, which are not terms
            is_number = difference.part == "number" and not language.spaced
            is_other = len(contradicted.lacking) > 1 or is_number
            return contradicted._replace(lacking=contradicted.lacking if is_other else [])
    if language.language.code == "en" and leaves_open(
        tag_tokens(claim.text, stem), tag_tokens(best.text, stem)
    ):
        return _verdict(compared, "unknown", model)
    if rival := _rival_date(claim.text, best.text, retrieved.weights, language):
        return _verdict(compared, "no", model, reason=rival)
    if compared.shares[nearest] < _ABOUT:
        return _verdict(compared, "unknown", model)
    # A sentence that agrees in all but a name or number contradicts the claim.
    absent = len({term for name in wrong for term in language.terms(name)}) + len(lacking)
    if wrong and absent > len(compared.terms) / 2:
        return _verdict(compared, "unknown", model)
    # What happened in a year that the sentence does not give may have happened then.
    if wrong and all(name.isdigit() for name in wrong) and not re.search(r"\d", best.text):
        return _verdict(compared, "unknown", model)
    if wrong and language.language.code == "ja" and _is_open(claim.text, wrong, best.text):
        return _verdict(compared, "unknown", model)
    if wrong:
        contradicted = _verdict(
            compared, "no", model, reason=f"the sentence does not say {', '.join(wrong)}"
        )
        words = _words_of(wrong)
        # That others eat fish does not say who does not, but that others won a certain war does.
        is_of_another = len(compared.names) > len(wrong) and _is_stated(
            claim, best, language, words
        )
        if is_of_another:
            return contradicted
        if language.spaced:
            # behind the auxiliary, with an article and the first word of a name
            is_subject = bool(words.intersection(claim.text.split()[1:4]))
        else:
            is_subject = claim.text.startswith(tuple(wrong))
        if is_subject:
            return _verdict(compared, "unknown", model)
        return contradicted._replace(stated=language.language.code != "en")
    if language.language.code == "ja":
        lacks_noun = japanese_claims.lacks_noun(claim.text, lacking, best.text)
        if lacks_noun or japanese_claims.has_opposite(claim.text, best.text):
            return _verdict(compared, "unknown", model)
    return _verdict(compared, "yes", model)


def _without_topic(
    claim: str, lacking: Sequence[str], before: str, language: TermLanguage
) -> list[str]:
    """The names or terms `lacking` in a Japanese sentence but for those of the claim's topic
    (before the first は) that the text `before` it has."""
    context, topic = all_forms(before, language), claim[: max(0, claim.find("は"))]

    def is_said_before(name: str) -> bool:
        return name in topic and all(japanese_share(term, context) for term in language.terms(name))

    return [name for name in lacking if not is_said_before(name)]


def _words_of(names: Sequence[str]) -> set[str]:
    """The words of all names, with their capitals."""
    return {word for name in names for word in _WORDS.findall(name)}


def _is_open(claim: str, wrong: Sequence[str], sentence: str) -> bool:
    """Whether a Japanese sentence without the claim's names or numbers `wrong` says nothing against
    it: it has no number of their kind, or the claim compares."""
    are_numbers = all(_PLAIN_NUMBER.fullmatch(name) for name in wrong)
    lacks_kind = are_numbers and japanese_claims.lacks_kind(claim, sentence)
    return lacks_kind or japanese_claims.compares(claim)


def _with_pairs(
    claim: TermQuestion, passages: Sequence[Passage], language: TermLanguage
) -> list[Passage]:
    """The passages, then each sentence among the first `_RESOLVED` (40) with the next one of its
    paragraph, if that is anywhere among them, as one passage of score 0. Two sentences that both
    have a verb of the claim are no pair, unless the second refers back ("Their …", "In that year
    …"): "Paris is the capital of France." would lend its words to "Rome is the capital of
    Italy."."""
    by_id = {passage.doc_id: passage for passage in passages if passage.is_sentence}
    stem = base_terms(language.terms)
    claim_verbs = _verbs(claim.text, stem)
    pairs = []
    for passage in passages[:_RESOLVED]:
        if not passage.is_sentence:
            continue
        number = sentence_number(passage.doc_id)
        following = by_id.get(sentence_id(passage.paragraph, number + 1))
        if following is None or following.text.startswith(passage.text):
            continue
        shared = claim_verbs & _stems(passage.text, stem) & _stems(following.text, stem)
        if not shared or _REFERRING_BACK.match(following.text):
            text = f"{passage.text} {following.text}"
            pairs.append(passage._replace(text=text, score=0.0))
    return [*passages, *pairs]


def _verbs(text: str, stem: Callable[[str], Sequence[str]]) -> set[str]:
    """The stems of the verbs of an English claim; "be" for its forms, no other auxiliaries."""
    tokens = [token for token in tag_tokens(text, stem) if token.tag.startswith("VB")]
    stems = {token.stem for token in tokens if token.text.lower() not in AUXILIARIES}
    return stems | (_stems(text, stem) & {"be"})


def _stems(text: str, stem: Callable[[str], Sequence[str]]) -> set[str]:
    """The stems of an English text, and "be" if it has a form of it."""
    is_copula = not _FORMS_OF_BE.isdisjoint(text.lower().split())
    return {*stem(text), "be"} if is_copula else {*stem(text)}


class _ComparedClaim(NamedTuple):
    """A claim beside its passages; what has a row for each passage is in their order."""

    claim: TermQuestion
    retrieved: Retrieval
    language: TermLanguage
    terms: list[str]
    """The claim's terms, without particles."""
    terms_of: list[set[str]]
    """By passage: the terms of its heading and text, in all forms."""
    shares: list[float]
    """By passage: the part of the claim's idf that it has, 0 to 1."""
    names: list[str]
    """The claim's names and numbers."""
    lacked: list[list[str]]
    """By passage: the names and numbers that it lacks, those of `elsewhere` left out."""
    elsewhere: list[list[str]]
    """By passage: in English, the names and numbers that only a sentence before it in its
    paragraph, of those retrieved, has."""
    terms_of_names: list[set[str]]
    """By passage: the terms of its words with a capital or figure, but for each sentence's first
    word."""
    lacking: list[list[str]]
    """By passage: the other terms of the claim that it lacks."""
    near_ones: list[int]
    """The positions of passages that are as near, nearest first; may be empty."""
    nearest: int
    """The position of the passage that decides."""


def _compare(claim: TermQuestion, retrieved: Retrieval, language: TermLanguage) -> _ComparedClaim:
    """A claim beside its passages. The nearest passage has most of the claim's idf, which counts
    less if it lacks a name; in English it is the first of the near ones that states the claim.
    IndexError without a passage."""
    weights = {
        term: weight
        for term, weight in retrieved.weights.items()
        if term not in japanese_claims.KINDS
    }
    total = sum(weights.values()) or 1.0
    terms = [
        term
        for term in retrieved.terms
        if not PARTICLES.fullmatch(term) and term not in japanese_claims.KINDS
    ]
    terms_of = [
        all_forms(f"{passage.heading} {passage.text}", language) for passage in retrieved.passages
    ]
    names = _names(claim, language)
    lacked = [
        _lacked_names(names, passage, words, language)
        for passage, words in zip(retrieved.passages, terms_of, strict=True)
    ]
    share_of = [
        _term_shares(terms, words, [name for name in names if name not in wrong], language)
        for words, wrong in zip(terms_of, lacked, strict=True)
    ]
    shares = [
        sum(weights.get(term, 0.0) * share for term, share in row.items()) / total
        for row in share_of
    ]
    near = [
        share * (_LACKS_NAME if wrong else 1) * (1 if passage.score else _PAIR)
        for share, wrong, passage in zip(shares, lacked, retrieved.passages, strict=True)
    ]
    order = sorted(
        range(len(shares)),
        key=lambda position: (-near[position], -retrieved.passages[position].score),
    )
    near_ones = [n for n in order[:_READ] if near[n] >= max(_ABOUT, _AS_NEAR * near[order[0]])]
    nearest = next(
        (n for n in near_ones if _is_stated(claim, retrieved.passages[n], language)), order[0]
    )
    elsewhere: list[list[str]] = [[] for _ in lacked]
    if language.language.code == "en":
        for n, before in enumerate(_sentences_before(retrieved.passages)):
            elsewhere[n] = _had_by(lacked[n], before, language)
            lacked[n] = [name for name in lacked[n] if name not in elsewhere[n]]
    of_names = {term for name in names for term in language.terms(name)}
    lacking = [
        [term for term in terms if not row[term] and term not in of_names] for row in share_of
    ]
    return _ComparedClaim(
        claim,
        retrieved,
        language,
        terms,
        terms_of,
        shares,
        names,
        lacked,
        elsewhere,
        [
            {*language.terms(" ".join(_CAPITAL_INSIDE.findall(passage.text)))}
            for passage in retrieved.passages
        ],
        lacking,
        near_ones,
        nearest,
    )


def _sentences_before(passages: Sequence[Passage]) -> list[str]:
    """For each passage the sentences before it in its paragraph that are among the passages, joined
    in their order; "" for whole paragraphs."""
    sentences: dict[str, dict[str, str]] = {}
    for passage in passages:
        if passage.is_sentence:
            sentences.setdefault(passage.paragraph, {})[passage.doc_id] = passage.text
    return [
        " ".join(
            text
            for doc_id, text in sorted(sentences.get(passage.paragraph, {}).items())
            if passage.is_sentence and doc_id < passage.doc_id
        )
        for passage in passages
    ]


def _had_by(names: Sequence[str], text: str, language: TermLanguage) -> list[str]:
    """Those of the names and numbers, in order, that an English text has as `_lacked_names` says
    (Bonaparte is Napoleon Bonaparte); [] for no text."""
    if not text or not names:
        return []
    context = Passage("", "", "", text, 0.0, 0.0)
    lacked = _lacked_names(names, context, set(), language)
    return [name for name in names if name not in lacked]


def _term_shares(
    terms: Sequence[str], words: set[str], names: Sequence[str], language: TermLanguage
) -> dict[str, float]:
    """Each term of a claim → its `word_share` in a passage with the terms `words`, that of a whole
    name for the words of the `names` that the passage has (Lincoln, for Abraham Lincoln); outside
    English 1 or 0."""
    if language.language.code == "ja":
        return {term: japanese_share(term, words) for term in terms}
    if language.language.code != "en":
        return {term: float(term in words) for term in terms}
    of_names = {term for name in names for term in language.terms(name)}
    return {
        term: word_share(term, words) or (DERIVED if term in of_names else 0.0) for term in terms
    }


def _verdict(
    compared: _ComparedClaim,
    outcome: Outcome,
    model: Model | None,
    position: int | None = None,
    reason: str = "",
) -> ClaimVerdict:
    """The verdict by the passage at a position, by default the nearest one. In English it has its
    signs and probability, and is "unknown" instead of "yes" if that is below `LIKELY` (0.43); in
    English and Japanese it has whether the passage states the claim, True unless it is "yes"."""
    claim, language = compared.claim, compared.language
    position = compared.nearest if position is None else position
    passage = compared.retrieved.passages[position]
    share, lacking = round_score(compared.shares[position]), compared.lacking[position]
    plain = ClaimVerdict(outcome, passage, share, reason, lacking)
    if language.language.code == "ja":
        has_names = not compared.lacked[position] and not any(
            _lacks_given_name(name, compared.terms_of[position], language)
            for name in compared.names
        )
        stated = has_names and japanese_claims.is_stated(claim.text, passage.text)
        return plain._replace(stated=stated or outcome != "yes")
    if language.language.code != "en":
        return plain
    entailment = model or claim_model()
    values = claim_features(
        claim.text, passage.text, passage.heading, language.terms, compared.retrieved.idf
    )
    lacks_name = bool(compared.lacked[position])
    distance = 1.0 if lacks_name else 0.5 if compared.elsewhere[position] else 0.0
    denied, possible = (values[FEATURES.index(name)] for name in ("negation", "modality"))
    stated = outcome == "yes" and not denied and not possible
    stated = stated and _is_stated(claim, passage, language)
    is_contradicted = outcome == "no" and not lacks_name
    parts = signs(values, distance, is_contradicted, stated, entailment)
    likely = probability(parts, entailment.learned["doubt"])
    if outcome == "yes" and likely < LIKELY:
        plain = plain._replace(outcome="unknown")
    return plain._replace(signs=parts, probability=likely, stated=stated or plain.outcome != "yes")


def _is_stated(
    claim: TermQuestion,
    passage: Passage,
    language: TermLanguage,
    ignored: Collection[str] = (),
) -> bool:
    """Whether one clause of a passage states an English claim, but for its words `ignored`; False
    in other languages, for a claim with "only", and where the passage says it of a part."""
    if language.language.code != "en":
        return False

    of_base = base_terms(language.terms)

    def stem(word: str) -> Sequence[str]:
        return () if word in ignored else of_base(word)

    tokens, sentence = tag_tokens(claim.text, stem), tag_tokens(passage.text, stem)
    if _ONLY.search(claim.text) or is_of_part(tokens, sentence):
        return False
    return is_stated(claim.text, passage.text, stem)


def _differences(claim: str, sentence: str, language: TermLanguage) -> list[Difference]:
    """The parts of a claim that a sentence contradicts, the surest first; [] in languages without
    rules for it."""
    if language.language.code == "en":
        return _english_differences(claim, sentence, language)
    if language.language.code == "ja":
        return japanese_claims.differences(claim, sentence)
    return []


def _english_differences(claim: str, sentence: str, language: TermLanguage) -> list[Difference]:
    """The parts of an English claim that a sentence contradicts, by the words as they are and by
    their base forms (taught: teach). No negation of a claim with "only", which a "never" of another
    thing does not contradict."""
    results = [
        *differences(claim, sentence, language.terms),
        *differences(claim, sentence, base_terms(language.terms)),
    ]
    if _ONLY.search(claim):
        return [result for result in results if result.part != "negation"]
    return results


def _lacks_given_name(name: str, words: Collection[str], language: TermLanguage) -> bool:
    """Whether a passage with the terms `words` has the first word of a Japanese name of several,
    and not the last."""
    terms = language.terms(name)
    return len(terms) > 1 and terms[0] in words and terms[-1] not in words


def _lacked_names(
    names: Sequence[str], passage: Passage, words: set[str], language: TermLanguage
) -> list[str]:
    """Those of the names and numbers that a passage with the terms `words` lacks, in order. It has
    a name if its title or text writes it so, or its text has all the name's figures and its last
    word, a surname, with a capital, or all its words; in languages without spaces any of its
    words."""

    def plain(text: str) -> str:
        if language.spaced:  # 18th and eighteenth are one word
            return " ".join(filter(None, in_figures(_NUMBER_OR_WORD.findall(language.fold(text)))))
        return _JOINTS.sub("", language.fold(japanese_claims.with_common_years(text)))

    folded = plain(f"{passage.heading} {passage.text}")
    # a surname has a capital: that of "Opium War" is not in "war"
    capitals = " ".join(_CAPITAL.findall(passage.text))
    of_text = set(language.terms(capitals)) if language.spaced else words
    of_any_case = set(language.terms(passage.text))
    numbers = set(re.findall(r"\d+", folded))

    def lacks(name: str) -> bool:
        terms = language.terms(name)
        words = [term for term in terms if len(term) > 1 and not term.isdigit()] or terms
        parts = words[-1:] if language.spaced else words
        is_whole = language.spaced and set(terms) <= of_any_case
        if not numbers.issuperset(re.findall(r"\d+", plain(name))):
            return True
        return of_text.isdisjoint(parts) and not is_whole

    return [name for name in names if plain(name) not in folded and lacks(name)]


def _names(claim: TermQuestion, language: TermLanguage) -> list[str]:
    """The names and numbers of a claim, each once: first the mentions that are recognised, as
    written, then runs of digits and katakana words (three characters or more) that no mention
    contains; in Japanese those of the text with its numbers in figures (五万二千: 52000)."""
    recogniser = language.language.recogniser(language.glossary)
    text = claim.text if language.spaced else japanese_claims.with_common_years(claim.text)
    mentions = [mention.surface for mention in recogniser.mentions(claim.text)]
    others = [match.group() for match in _NAME_OR_NUMBER.finditer(text)]
    apart = [other for other in others if not any(other in name for name in mentions)]
    return list(dict.fromkeys([*mentions, *apart]))


def _rival_date(
    text: str, sentence: str, weights: Mapping[str, float], language: TermLanguage
) -> str:
    """The date of the sentence that is nearest to the terms of `text` (term → weight), if another
    date of the sentence, and not this one, is in `text` too; else "", also without dates."""
    if not language.spaced:  # 1888年（明治21年）
        sentence = _IN_BRACKETS.sub("", sentence)
    clean = language.tools.clean(sentence)
    dates = [span for span in language.spans(clean) if span.shape in ("time", "years")]
    of_dates = {term for span in dates for term in language.terms(span.text)}
    places = language.places(clean.casefold(), weights.keys() - of_dates)
    text_dates = {
        language.fold(span.text)
        for span in language.spans(language.tools.clean(text))
        if span.shape in ("time", "years")
    }
    # "October 1945" is not another date than "1945".
    shared = {
        span: language.fold(span.text) in language.fold(text)
        or any(date in language.fold(span.text) for date in text_dates)
        for span in dates
    }
    # at the same distance the shared date counts
    dates.sort(
        key=lambda span: (
            -proximity((span.start, span.end), places, weights, 1.0),
            not shared[span],
        )
    )
    return dates[0].text if any(shared.values()) and not shared[dates[0]] else ""
