"""The verdict on a claim of a yes-no question or statement: "yes", "no" or "unknown".

The steps; 4 to 6 are modules of the same names in the folders `english` and `japanese`:

1. `reading`: the claim is read from a question, or a statement that is true or false.
2. `passages`: the sentences retrieved for it get those before and behind them in their paragraph.
3. `coverage`: how much of the claim each passage has, which names and words it lacks; the nearest.
4. `clauses`, `roles`: the sentence in clauses, and who does what to whom in each.
5. `differences`: what contradicts the claim: roles, negation, opposites, names, numbers (in
   Japanese of `numbers`), quantifiers (in English of `quantities`).
6. `statement`: whether one clause states the claim.
7. `entailment`: in English, the probability that the claim holds, by coverage and differences.
8. `verify`, here: the verdict by these steps.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from answerer.ntcir.claims.coverage import (
    ABOUT,
    ComparedClaim,
    ComparedPassage,
    compare_claim,
    lacks_given_name,
    states,
    words_of_names,
)
from answerer.ntcir.claims.difference import Difference
from answerer.ntcir.claims.english import differences as english
from answerer.ntcir.claims.english.quantities import leaves_open
from answerer.ntcir.claims.english.tokens import NEGATIONS, NO_NEGATION, tag_tokens
from answerer.ntcir.claims.entailment import (
    DENIED,
    FEATURES,
    claim_features,
    claim_model,
    probability,
    signs,
)
from answerer.ntcir.claims.japanese import differences as japanese
from answerer.ntcir.claims.japanese.numbers import lacks_kind, numbers_of
from answerer.ntcir.claims.japanese.statement import is_stated as is_stated_in_japanese
from answerer.ntcir.claims.japanese.statement import lacks_noun
from answerer.ntcir.claims.passages import with_pairs
from answerer.ntcir.claims.reading import with_small_letter
from answerer.ntcir.claims.wording import all_forms, base_terms, japanese_share
from answerer.ntcir.term.candidates import Retrieval, proximity
from answerer.ntcir.term.language import TermLanguage
from answerer.ntcir.term.questions import TermQuestion
from indexer.engines.scoring import round_score
from retriever.learning.model import Model
from retriever.passages import Passage

Outcome = Literal["yes", "no", "unknown"]

# Probability of a claim from which the answer is "yes": .38 to .5 are as good, by the mean of the
# right answers to claims that hold and to others, on freely worded claims of books left out.
LIKELY = 0.4
_COMPARED = 3  # passages, those nearest to the claim, in which a contradiction is looked for
_CLOSE = 10  # nearest passages, of which a Japanese one that lacks only numbers is compared
_READ, _PAIRS = 6, 4  # nearest passages, and pairs of sentences, that an English claim may hold by

_NOT_ALL = re.compile(r"\bnot (?:all|every)", re.IGNORECASE)
_ANY_DENIAL = rf"(?:{'|'.join(sorted(DENIED))})\b(?! (?:{NO_NEGATION.pattern}))"
_ANY_NEGATION = rf"(?:{'|'.join(sorted(NEGATIONS))})\b(?! (?:{NO_NEGATION.pattern}))"
_NEGATED = re.compile(rf"n['’]t\b|\b{_ANY_NEGATION}", re.IGNORECASE)
_DENYING = re.compile(rf"n['’]t\b|\b{_ANY_DENIAL}", re.IGNORECASE)
_JA_NEGATED = re.compile(r"(?<![少危])な(?:い|かった|く)|ません|ず[、。に]")
_JA_DENIED = re.compile(r"(?:(?<![少危])な(?:い|かった)|ません(?:でした)?)[。.]?$")
_PLAIN_NUMBER = re.compile("(?:西暦|紀元前|前)?[\\d年月日世紀代]+")
_CAPITAL_INSIDE = re.compile(r"(?<=[\w,;] )[A-Z0-9]\w*+")  # not a sentence's first word
_LEAVES_TOPIC = re.compile("[こそ]の|[^は]*+$")  # Japanese sentences of what was spoken of before


class ClaimVerdict(NamedTuple):
    """Whether a claim holds by the passage nearest to it: why not ("" for nothing that differs),
    the fraction of the claim's idf that the passage has, and the claim's terms that it lacks, none
    where a contradiction is of the only one. Of an English claim also the probability that it
    holds. `stated` is False for a "yes" that no
    clause states, or only as possible (in Japanese: that is not `japanese.statement.is_stated`, or
    that lacks a name or a name's last word, or has a negation where the claim has none or the other
    way round), and for a "no" by a missing name where the rest is not
    stated."""

    outcome: Outcome
    passage: Passage
    coverage: float
    reason: str
    lacking: list[str]
    probability: float | None = None
    stated: bool = True


def judges(language: TermLanguage) -> bool:
    """Whether there are rules for what contradicts a claim in a language: English and Japanese."""
    return language.language.code in ("en", "ja")


def judge_statement(
    claim: TermQuestion,
    retrieved: Retrieval,
    language: TermLanguage,
    model: Model | None = None,
) -> ClaimVerdict:
    """The verdict of `verify` on a claim that is to be called true or false. There must be a
    passage. "no", with the reverse probability, instead of "yes", where the claim has a negation
    (in Japanese at its end; not of "not all", "not only" or "no more than") and the sentence none,
    nor "refused" or the like: a question may have one for politeness."""
    is_english = language.language.code == "en"
    negated, denying = (_NEGATED, _DENYING) if is_english else (_JA_DENIED, _JA_NEGATED)
    if is_english:
        claim = with_small_letter(claim, retrieved.passages)
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


def verify(
    claim: TermQuestion,
    retrieved: Retrieval,
    language: TermLanguage,
    model: Model | None = None,
) -> ClaimVerdict:
    """The verdict on a claim by the passage nearest to it. IndexError without a passage.

    "no" if one of the three nearest contradicts it (roles, polarity, opposites, numbers, in English
    also quantifiers), or that passage lacks a name or number of it, or has another date nearer to
    its terms; "unknown" if it has less than half of the claim's idf, or lacks a name and in all
    more than half of the terms, or a year and has no number (in Japanese a number and has none of
    its kind, or any in a comparison), or the name that the claim begins with
    (unless, in English, it says the rest, with another name, of somebody else), or in Japanese any
    noun but a verbal one (what is before the claim's は may be in the sentences before), or an
    opposite is there; else "yes".

    An English one that is not "no" is "yes" if it holds with a probability of `LIKELY` (0.4) or
    more by the `model` (None: the program's own) and the passage of `_likeliest`, and this does not
    leave open how much of a noun it holds of; else "unknown". A "no" to what the model finds likely
    has no probability: the rules know of a difference that it does not."""
    compared = compare_claim(claim, retrieved, language)
    if language.language.code != "en":
        return _judge(compared)
    row, likely = _likeliest(compared, model or claim_model())
    stem = base_terms(language.terms)
    texts = (claim.text, row.passage.text)
    is_open = leaves_open(*(tag_tokens(text, stem) for text in texts))
    verdict = _judge(compared)._replace(probability=likely)
    if verdict.outcome != "no" and likely >= LIKELY and not is_open:
        return _verdict(compared, "yes", row)._replace(probability=likely)
    if verdict.outcome == "yes":
        return _verdict(compared, "unknown", row)._replace(probability=likely)
    if verdict.outcome == "no" and likely >= LIKELY:
        return verdict._replace(probability=None)
    return verdict


def _likeliest(compared: ComparedClaim, model: Model) -> tuple[ComparedPassage, float]:
    """The passage by which an English claim is likeliest to hold, the nearest of equals, and that
    probability, by the model's weights of the signs."""
    rows = [
        (row, probability(signs, model.learned["doubt"]))
        for row, signs in claim_signs(compared, model)
    ]
    return max(rows, key=lambda pair: pair[1])


def claim_signs(compared: ComparedClaim, model: Model) -> list[tuple[ComparedPassage, list[float]]]:
    """The six passages nearest to an English claim and the four nearest pairs of neighbouring
    sentences read as one, each with its `signs` that the claim holds, the log odds of entailment
    among them by the model."""
    claim, retrieved, language = compared.claim, compared.retrieved, compared.language
    passages = retrieved.passages
    pairs = with_pairs(claim, passages, language)[len(passages) :]
    rows = compared.rows[:_READ]
    if pairs:
        paired = compare_claim(claim, retrieved._replace(passages=pairs), language)
        rows = [*rows, *paired.rows[:_PAIRS]]
    is_contradicted = _first_difference(compared) is not None
    return [
        (
            row,
            signs(
                claim.text,
                row.passage,
                language.terms,
                retrieved.idf,
                model,
                coverage=row.share,
                is_stated=states(claim, row.passage, language),
                is_contradicted=is_contradicted,
                differs=bool(_differences(claim.text, row, language)),
            ),
        )
        for row in rows
    ]


def _judge(compared: ComparedClaim) -> ClaimVerdict:
    """The verdict of `verify` by its rules alone."""
    claim, language = compared.claim, compared.language
    sentence = compared.nearest.passage.text
    wrong, lacking = _missing(compared)
    if contradiction := _first_difference(compared):
        row, reason = contradiction
        verdict = _verdict(compared, "no", row, reason)
        # the one term that lacks is what differs
        return verdict._replace(lacking=verdict.lacking if len(verdict.lacking) > 1 else [])
    if language.language.code == "en":
        stem = base_terms(language.terms)
        if leaves_open(tag_tokens(claim.text, stem), tag_tokens(sentence, stem)):
            return _verdict(compared, "unknown")
    if rival := _rival_date(claim.text, sentence, compared.retrieved.weights, language):
        return _verdict(compared, "no", reason=rival)
    if _is_open(compared, wrong, lacking):
        return _verdict(compared, "unknown")
    if wrong:
        return _lacks_name(compared, wrong)
    return _verdict(compared, "yes")


def _missing(compared: ComparedClaim) -> tuple[list[str], list[str]]:
    """The names and numbers, and the other terms, of a claim that the nearest passage lacks. In
    Japanese, what is before the claim's は counts as there if the sentences before it have it, and
    a name that these have, unless the passage has a は of its own; in English, a bound that a
    number there keeps ("before 1820") is there too, and a name that only these have is missing
    where the passage states the rest of the claim and has a name that the claim lacks: it does
    not mean that of the sentence before."""
    claim, language, nearest = compared.claim, compared.language, compared.nearest
    wrong, lacking = nearest.lacked, nearest.lacking
    if language.language.code == "ja":
        if _LEAVES_TOPIC.match(nearest.passage.text):
            wrong = _without_topic(claim.text, wrong, nearest.before, language)
        else:  # it speaks of its own topic, not of names before
            wrong = [*wrong, *nearest.elsewhere]
        return wrong, _without_topic(claim.text, lacking, nearest.before, language)
    rest = words_of_names(nearest.elsewhere)
    names = language.terms(" ".join(_CAPITAL_INSIDE.findall(nearest.passage.text)))
    has_other_name = not {*names} <= {*language.terms(claim.text)}
    if nearest.elsewhere and has_other_name and states(claim, nearest.passage, language, rest):
        wrong = [*wrong, *nearest.elsewhere]
    if language.language.code == "en":
        stem = base_terms(language.terms)
        texts = (claim.text, nearest.passage.text)
        bounds = english.bounds_that_hold(*(tag_tokens(text, stem) for text in texts))
        wrong = [name for name in wrong if name not in bounds]
    return wrong, lacking


def _without_topic(
    claim: str, lacking: Sequence[str], before: str, language: TermLanguage
) -> list[str]:
    """The names or terms `lacking` in a Japanese sentence but for those of the claim's topic
    (before the first は) that the text `before` it has."""
    context, topic = all_forms(before, language), claim[: max(0, claim.find("は"))]

    def is_said_before(name: str) -> bool:
        return name in topic and all(japanese_share(term, context) for term in language.terms(name))

    return [name for name in lacking if not is_said_before(name)]


def _first_difference(compared: ComparedClaim) -> tuple[ComparedPassage, str] | None:
    """The first passage of the first `_COMPARED` (3) near ones that contradicts the claim, with the
    reason; None without one. In Japanese, where the nearest lacks a word that is no name, the first
    of the ten nearest that lack nothing but numbers is near, too."""
    rows = compared.near[:_COMPARED]
    if compared.language.language.code == "ja" and compared.nearest.lacking:
        rows += [row for row in compared.rows[:_CLOSE] if _lacks_only_numbers(row)][:1]
    for row in rows:
        for difference in _differences(compared.claim.text, row, compared.language):
            return row, difference.reason
    return None


def _lacks_only_numbers(row: ComparedPassage) -> bool:
    return not (row.lacking or row.elsewhere) and all(
        _PLAIN_NUMBER.fullmatch(name) for name in row.lacked
    )


def _differences(claim: str, row: ComparedPassage, language: TermLanguage) -> list[Difference]:
    """The parts of a claim that a passage contradicts, the surest first, in English by its words
    as they are and then by their base forms (taught: teach); [] in languages without rules."""
    sentence = row.passage.text
    if language.language.code == "ja":
        return japanese.differences(claim, sentence, f"{row.passage.heading} {row.before}")
    if language.language.code != "en":
        return []
    return [
        *english.differences(claim, sentence, language.terms),
        *english.differences(claim, sentence, base_terms(language.terms)),
    ]


def _is_open(compared: ComparedClaim, wrong: Sequence[str], lacking: Sequence[str]) -> bool:
    """Whether the nearest passage, which lacks the names or numbers `wrong` and the other terms
    `lacking`, neither confirms nor contradicts the claim: it has less than half of its idf; or
    lacks a name and more than half of all terms; or numbers alone, and has none; in Japanese also,
    if it has no number of their kind, or the claim compares, and, without a missing name, if it
    lacks a noun or has an opposite."""
    claim, language = compared.claim.text, compared.language
    sentence = compared.nearest.passage.text
    is_japanese = language.language.code == "ja"
    if compared.nearest.share < ABOUT:
        return True
    if not wrong:
        return is_japanese and (
            lacks_noun(claim, lacking, sentence) or japanese.has_opposite(claim, sentence)
        )
    absent = len({term for name in wrong for term in language.terms(name)}) + len(lacking)
    if absent > len(compared.terms) / 2:
        return True
    # What happened in a year that the sentence does not give may have happened then.
    if all(name.isdigit() for name in wrong) and not re.search(r"\d", sentence):
        return True
    are_numbers = all(_PLAIN_NUMBER.fullmatch(name) for name in wrong)
    return is_japanese and (
        (are_numbers and lacks_kind(claim, sentence)) or japanese.compares(claim)
    )


def _lacks_name(compared: ComparedClaim, wrong: Sequence[str]) -> ClaimVerdict:
    """The verdict by a nearest passage that agrees in all but the names or numbers `wrong`: "no";
    "unknown" where the claim begins with one (in English, a word of one is among its words
    2 to 4), unless in English the passage says the rest, with
    another name of the claim, of somebody else; also where a Japanese claim has a negation."""
    claim, language = compared.claim, compared.language
    passage = compared.nearest.passage
    reason = f"the sentence does not say {', '.join(wrong)}"
    contradicted = _verdict(compared, "no", reason=reason)
    words = words_of_names(wrong)
    # That others eat fish does not say who does not, but that others won a certain war does.
    if len(compared.names) > len(wrong) and states(claim, passage, language, words):
        return contradicted
    if language.spaced:
        # behind the auxiliary, with an article and the first word of a name
        is_subject = bool(words.intersection(claim.text.split()[1:4]))
    else:
        is_subject = claim.text.startswith(tuple(wrong))
    # what is not said of a name may be so: 日本にはなかったか
    is_denied = not language.spaced and _JA_NEGATED.search(claim.text)
    if is_subject or is_denied:
        return _verdict(compared, "unknown")
    return contradicted._replace(stated=language.language.code != "en")


def _verdict(
    compared: ComparedClaim,
    outcome: Outcome,
    row: ComparedPassage | None = None,
    reason: str = "",
) -> ClaimVerdict:
    """The verdict by a passage, by default the nearest one, without a probability. In English and
    Japanese it has whether the passage states the claim (in English without another negation or
    "may"), True unless it is "yes"."""
    claim, language = compared.claim, compared.language
    row = row or compared.nearest
    passage = row.passage
    verdict = ClaimVerdict(outcome, passage, round_score(row.share), reason, row.lacking)
    if outcome != "yes" or language.language.code not in ("en", "ja"):
        return verdict
    if language.language.code == "ja":
        has_names = not (row.lacked or row.elsewhere) and not any(
            lacks_given_name(name, row.terms, language) for name in compared.names
        )
        are_denied = [bool(_JA_NEGATED.search(text)) for text in (claim.text, passage.text)]
        stated = has_names and are_denied[0] == are_denied[1]
        stated = stated and is_stated_in_japanese(claim.text, passage.text)
        return verdict._replace(stated=stated)
    values = claim_features(
        claim.text, passage.text, passage.heading, language.terms, compared.retrieved.idf
    )
    denied, possible = (values[FEATURES.index(name)] for name in ("negation", "modality"))
    stated = not denied and not possible and states(claim, passage, language)
    return verdict._replace(stated=stated)


def _is_duration(text: str, language: TermLanguage) -> bool:
    """Whether a Japanese text is a number of years (5年), no date; False in other languages."""
    is_japanese = language.language.code == "ja"
    return is_japanese and any(number.kind == "duration" for number in numbers_of(text))


def _rival_date(
    text: str, sentence: str, weights: Mapping[str, float], language: TermLanguage
) -> str:
    """The date of the sentence that is nearest to the terms of `text` (term → weight), if another
    date of the sentence, and not this one, is in `text` too; else "", also without dates."""
    clean = language.tools.clean(sentence)
    dates = [
        span
        for span in language.spans(clean)
        if span.shape in ("time", "years") and not _is_duration(span.text, language)
    ]
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
    dates.sort(key=lambda span: -proximity((span.start, span.end), places, weights, 1.0))
    return dates[0].text if any(shared.values()) and not shared[dates[0]] else ""
