"""Flaws of multiple-choice items that plain rules find, in English and Japanese.

The rules are those of Haladyna, Downing and Rodriguez, "A review of multiple-choice item-writing
guidelines for classroom assessment" (2002), numbered there 1 to 31, as far as they show in the
words of an item. Moore et al., "Assessing the quality of multiple-choice questions using GPT-4
and rule-based methods" (2023), judge items by such rules.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from answerer.formats.exam.parts import ExamQuestion, expand
from answerer.ntcir.multiple_choice.choices import aggregate_of
from indexer.analysis.analyser import Analyser

_LONGER = 1.5  # times the mean length of the other choices: then the length gives away the key
_SHORTEST_TOLD = 30  # characters: names and terms are as long as they are
_MEETING = 0.6  # share of the terms of a question that the other one must have to be about the same

_ABSOLUTE = re.compile(
    r"\b(?:always|never|all|none|every|everyone|everything|nobody|nothing|only|must|completely|"
    r"entirely|absolutely)\b|必ず|常に|決して|絶対|すべて|全て|完全に|一切|まったく",
    re.IGNORECASE,
)
_NEGATION = re.compile(
    r"\b(?:not|except|least|never|incorrect|false|wrong|untrue)\b|n['’]t\b", re.I
)
_JA_NEGATION = re.compile(r"ない|誤|不適|間違|まちが|正しくな")
_EMPHASIS = re.compile(
    r"[*_]{1,2}(?:not|except|least|never|incorrect|false)[*_]{1,2}", re.IGNORECASE
)
_ARTICLE = re.compile(r"\b(an?)\s*(?:_{2,}|[.…:]*)\s*$", re.IGNORECASE)
_VOWEL = re.compile(
    r"(?!eu|on(?:e|ce)\b)[aeio]|u(?!ni|se|su|ti)|hon(?:o|est)|hour|heir", re.IGNORECASE
)
_NUMBER = re.compile(r"([-+−]?\d[\d,]*(?:\.\d+)?)\s*([^\W\d]{0,12}%?)\.?")
_ITEM = re.compile(r"(?<!\w)[a-zア-ク1-9](?!\w)", re.IGNORECASE)
_PRINTED_LABEL = re.compile(r"(?<!\w)([a-zア-ク1-9])[)）\].．:](?![-–~〜])", re.IGNORECASE)
_INFINITIVE = re.compile(r"to\s+\w", re.IGNORECASE)
_RANGE = re.compile(
    r"\D{0,12}?(\d[\d,.]*)\D{0,8}?\s*(?:[-–—~〜～]|to|から)\s*\D{0,3}?(\d[\d,.]*)(\D{0,12})",
    re.IGNORECASE,
)


class Flaw(NamedTuple):
    """A flaw of an item: the name of its rule, what was found, and the guideline's number in
    Haladyna, Downing and Rodriguez (2002)."""

    rule: str
    detail: str
    guideline: int


def flaws_of(question: ExamQuestion, key: int | None, analyser: Analyser) -> list[Flaw]:
    """The flaws of a question by itself, in the order of the guidelines (all but 7); `key` is the
    position of the right choice, None if it is not known: then, and for a key that refers to other
    choices ("all of the above"), the rules about the key find nothing. Such choices are a flaw
    themselves, unless they name parts of the stem ("(1) and (2)"), and are compared with no
    others."""
    stem = stem_of(question)
    texts = [" ".join(choice.text.plain.split()) for choice in question.choices]
    labels = [choice.number for choice in question.choices]
    referring = [
        position for position in range(len(texts)) if aggregate_of(texts, labels, position)[0]
    ]
    plain = [text for position, text in enumerate(texts) if position not in referring]
    flaws = [
        *_unemphasised_negation(question, stem),
        *_numbers_out_of_order(plain),
        *_same_or_overlapping(plain, analyser),
    ]
    of_choices = [texts[n] for n in referring if not _names_parts_of(stem, texts[n])]
    if of_choices:
        flaws.append(Flaw("all or none of the above", quote(of_choices[0]), 25))
    if key is not None and key not in referring:
        wrong = [text for position, text in enumerate(texts) if position not in (key, *referring)]
        flaws += _longest_is_key(texts[key], wrong)
        flaws += _absolute_words(texts[key], wrong)
        flaws += _stem_word_in_key(stem, texts[key], wrong, analyser)
        flaws += _grammatical_cue(stem, texts[key], wrong)
    return sorted(flaws, key=lambda flaw: flaw.guideline)


def _names_parts_of(stem: str, text: str) -> bool:
    """True if all letters and numbers that stand alone in a choice, one at least, are labels that
    the stem prints: "(1) and (2)" behind "(1) the Hijra (2) the fall of Rome"."""
    labels = {match[1].casefold() for match in _PRINTED_LABEL.finditer(stem)}
    items = {item.casefold() for item in _ITEM.findall(text)}
    return bool(items) and items <= labels


def stem_of(question: ExamQuestion) -> str:
    """A question's instruction and data on one line, with the words of what they refer to."""
    texts = (question.instruction, *question.data)
    return " ".join(" ".join(expand(text).plain for text in texts).split())


def quote(text: str) -> str:
    """A text in quotation marks (“ ”), cut to 60 characters, of which the last is then "…"."""
    return f"“{text if len(text) <= 60 else text[:59].rstrip() + '…'}”"


def _unemphasised_negation(question: ExamQuestion, stem: str) -> list[Flaw]:
    """Guideline 17: the stem of a question for the wrong choice, with a negation in it, of which
    none is in capitals, underlined or otherwise marked."""
    if question.asks != "F" or _EMPHASIS.search(stem):
        return []
    marked = [
        text.plain[span.start : span.end]
        for text in (question.instruction, *question.data)
        for span in text.spans
        if span.kind in ("underline", "wavy")
    ]
    negations = [match[0] for match in (*_NEGATION.finditer(stem), *_JA_NEGATION.finditer(stem))]
    if not negations or any(negation.isupper() for negation in negations):
        return []
    if any(negation in text for negation in negations for text in marked):
        return []
    return [Flaw("negative stem without emphasis", quote(negations[-1]), 17)]


def _numbers_out_of_order(texts: Sequence[str]) -> list[Flaw]:
    """Guideline 20: three or more choices that are all numbers, of one unit if any (a word or %
    behind), neither rising nor falling; equal neighbours do not count."""
    matches = [_NUMBER.fullmatch(unicodedata.normalize("NFKC", text)) for text in texts]
    if len(texts) < 3 or not all(matches) or not _one_unit(match[2] for match in matches if match):
        return []
    numbers = [float(match[1].replace(",", "").replace("−", "-")) for match in matches if match]
    steps = {(after > before) - (after < before) for before, after in pairwise(numbers)}
    if steps <= {1, 0} or steps <= {-1, 0}:
        return []
    return [Flaw("numbers not in order", quote(", ".join(texts)), 20)]


def _one_unit(units: Iterable[str]) -> bool:
    """True if the words behind numbers do not differ, but for case, a plural -s, a final stop, the
    endings of ordinals and none at all."""
    words = {unit.strip(" .").casefold() for unit in units}
    words = {word.removesuffix("s") if len(word) > 2 else word for word in words}  # not s and ms
    return len(words - {"", "st", "nd", "rd", "th"}) < 2


def _same_or_overlapping(texts: Sequence[str], analyser: Analyser) -> list[Flaw]:
    """Guideline 21: two choices of the same terms in one order, unless only their capitals differ,
    or two ranges of numbers of one unit that overlap; a flaw for each pair."""
    terms = [tuple(analyser.terms(text)) or (text.casefold(),) for text in texts]
    ranges = [_RANGE.fullmatch(unicodedata.normalize("NFKC", text)) for text in texts]
    flaws = []
    for second in range(len(texts)):
        for first in range(second):
            pair = f"{quote(texts[first])} and {quote(texts[second])}"
            # Where only capitals differ, they are what is asked: Homo sapiens, Homo Sapiens.
            written = texts[first].casefold() != texts[second].casefold()
            if terms[first] == terms[second] and (written or texts[first] == texts[second]):
                flaws.append(Flaw("two choices say the same", pair, 21))
                continue
            left, right = ranges[first], ranges[second]
            if left and right and _one_unit((left[3], right[3])) and _overlap(left, right):
                flaws.append(Flaw("choices overlap", pair, 21))
    return flaws


def _overlap(left: re.Match[str], right: re.Match[str]) -> bool:
    """True if two ranges of numbers share a value; False if one cannot be read."""

    def number(text: str) -> float:
        return float(text.replace(",", "").rstrip("."))

    try:
        return max(number(left[1]), number(right[1])) <= min(number(left[2]), number(right[2]))
    except ValueError:
        return False


def _longest_is_key(key: str, wrong: Sequence[str]) -> list[Flaw]:
    """Guideline 24: the key, of 30 characters or more, is longer than every other choice, and at
    least 1.5 times as long as their mean."""
    lengths = [len(text) for text in wrong]
    if not lengths or len(key) < _SHORTEST_TOLD or len(key) <= max(lengths):
        return []
    if len(key) < _LONGER * sum(lengths) / len(lengths):
        return []
    return [Flaw("longest choice is the key", quote(key), 24)]


def _absolute_words(key: str, wrong: Sequence[str]) -> list[Flaw]:
    """Guideline 28a: absolute words in wrong choices, and not in the key."""
    words = [match[0] for text in wrong if (match := _ABSOLUTE.search(text))]
    if not words or _ABSOLUTE.search(key):
        return []
    return [Flaw("absolute word only in wrong choices", quote(", ".join(words)), 28)]


def _stem_word_in_key(stem: str, key: str, wrong: Sequence[str], analyser: Analyser) -> list[Flaw]:
    """Guideline 28b: one flaw for all nouns of the stem in the key and in no wrong choice."""
    shared = set(analyser.nouns(stem)) & set(analyser.terms(key))
    shared.difference_update(*map(analyser.terms, wrong))
    words = [word for word in re.findall(r"\w+", stem) if shared.intersection(analyser.terms(word))]
    if not words:
        return []
    return [Flaw("word of the stem only in the key", quote(", ".join(dict.fromkeys(words))), 28)]


def _grammatical_cue(stem: str, key: str, wrong: Sequence[str]) -> list[Flaw]:
    """Guideline 28c: the article at the end of the stem fits the key alone, or, beside two wrong
    choices at least, the key alone (or every choice but the key) begins with an infinitive. One
    flaw at most."""
    rule = "grammar gives the key away"
    article = _ARTICLE.search(stem)
    if article and wrong:
        wants_vowel = article[1].lower() == "an"
        fitting = [text for text in (key, *wrong) if bool(_VOWEL.match(text)) == wants_vowel]
        if fitting == [key]:
            return [Flaw(rule, f"only the key fits “{article[1]}”", 28)]
    infinitives = [text for text in wrong if _INFINITIVE.match(text)]
    if len(wrong) < 2 or len(infinitives) not in (0, len(wrong)):
        return []
    if _INFINITIVE.match(key) and not infinitives:
        return [Flaw(rule, "only the key begins with “to”", 28)]
    if infinitives and not _INFINITIVE.match(key):
        return [Flaw(rule, "only the key lacks “to”", 28)]
    return []


def answered_by_another(
    questions: Sequence[ExamQuestion], keys: Sequence[int | None], analyser: Analyser
) -> list[list[Flaw]]:
    """Guideline 7: for each question, a flaw with the first other question whose stem holds the
    terms of the key and at least 60 % of the terms of the stem; [] without one, without a key,
    and for a key whose terms are in its own stem."""
    stems = [frozenset(analyser.terms(stem_of(question))) for question in questions]
    flaws: list[list[Flaw]] = [[] for _ in questions]
    for position, (question, key) in enumerate(zip(questions, keys, strict=True)):
        stem = stems[position]
        if key is None:
            continue
        answer = frozenset(analyser.terms(question.choices[key].text.plain))
        if not answer or not stem or answer <= stem:
            continue
        for other, terms in enumerate(stems):
            meets = answer <= terms and len(stem & terms) >= _MEETING * len(stem)
            if other != position and meets:
                detail = f"question {questions[other].answer_column}"
                flaws[position].append(Flaw("another question gives the answer", detail, 7))
                break
    return flaws
