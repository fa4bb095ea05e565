"""From a pool of sentences to an essay: options within the limit, a choice, and the text, measured."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np

from answerer.formats.keywords import as_printed, uses
from answerer.formats.length_limit import Limit, Unit, measure
from answerer.ntcir.essay.concepts import Concepts, concepts, counted, weights
from answerer.ntcir.essay.language import essay_language
from answerer.ntcir.essay.leaning import leans
from answerer.ntcir.essay.pool import Candidate, Pool
from answerer.ntcir.essay.program import choose
from answerer.ntcir.essay.selection import Choice, Problem, settle
from answerer.ntcir.essay.shortening import cleaned, cut, shortened
from indexer.analysis import Analyser
from indexer.files.arrays import Float64Array, Int64Array
from indexer.languages.language import Language
from retriever.learning.model import Model

REPEAT = 0.3
CROWDING = 0.6
"""What every term takes from the worth, as a share of what one is worth in good sentences: F1 falls with each that no
gold essay has."""
SHORT_BONUS = 1.0
"""What the best retrieved sentence earns besides where the limit has room for few, as a share of a good one's worth."""
_BEST = 20
DEFAULT_LENGTH: dict[Unit, int] = {"words": 150, "characters": 300}
_FEW_SENTENCES = 3


class Option(NamedTuple):
    """A form in which a candidate may be used: as it is, or shortened."""

    candidate: int
    text: str
    terms: tuple[str, ...]
    length: int


Select = Callable[[Pool, Problem, list[Option]], Choice]


class Essay(NamedTuple):
    """An essay and how it came about. `chosen` are the options used, in reading order; `named` the keywords
    that only the closing clause uses; `unused` those for which there was no room; `weights` the worth of
    each concept; `length` is in `unit` of at most `limit`."""

    text: str
    chosen: tuple[Option, ...]
    named: tuple[str, ...]
    unused: tuple[str, ...]
    weights: dict[str, float]
    length: int
    limit: int
    unit: Unit


def room(limit: Limit, language: Language) -> tuple[int, Unit]:
    """How much may be written: the limit, or `DEFAULT_LENGTH` without one."""
    unit: Unit = limit.unit or ("words" if language.spaced else "characters")
    return (DEFAULT_LENGTH[unit] if limit.most is None else limit.most), unit


class Draft(NamedTuple):
    """An essay before its sentences are chosen."""

    pool: Pool
    options: list[Option]
    problem: Problem
    weights: dict[str, float]
    unit: Unit


def write_essays(tasks: Sequence[tuple[Pool, Limit]], analyser: Analyser, model: Model, method: str) -> list[Essay]:
    """The essay of each pool by a method of `METHODS`, never longer than its limit.

    Every keyword is used when the limit holds them all; without any sentence that fits, the best one is cut.
    Sentences are chosen in threads: HiGHS works outside Python's lock.
    """
    drafts = [_draft(pool, limit, analyser, model) for pool, limit in tasks]
    with ThreadPoolExecutor(max(1, min(os.cpu_count() or 1, len(drafts)))) as threads:
        chosen = list(threads.map(lambda draft: _chosen(METHODS[method], draft), drafts))
    return [_finished(draft, *each) for draft, each in zip(drafts, chosen, strict=True)]


def write_essay(pool: Pool, limit: Limit, analyser: Analyser, model: Model, method: str) -> Essay:
    """One essay; see `write_essays`."""
    return write_essays([(pool, limit)], analyser, model, method)[0]


def _draft(pool: Pool, limit: Limit, analyser: Analyser, model: Model) -> Draft:
    most, unit = room(limit, pool.language)
    known = concepts(pool)
    worth = weights(model, pool, known, most)
    options = _options(pool, analyser, most, unit)
    problem = _problem(pool, known, worth, options, most, unit)
    return Draft(pool, options, problem, dict(zip(known.terms, map(float, worth), strict=True)), unit)


def _finished(draft: Draft, choice: Choice, closing: bool) -> Essay:
    keywords, most, unit = draft.pool.question.printed_keywords, draft.problem.limit, draft.unit
    named = tuple(keywords[k] for k in choice.named)
    kept = [draft.options[option] for option in choice.options]
    text, chosen = _measured(kept, named, closing, most, unit, draft.pool.language)
    return Essay(
        text=text,
        chosen=chosen,
        named=tuple(keyword for keyword in named if uses(keyword, text)),
        unused=tuple(keyword for keyword in keywords if not uses(keyword, text)),
        weights=draft.weights,
        length=measure(text, unit),
        limit=most,
        unit=unit,
    )


def _chosen(select: Select, draft: Draft) -> tuple[Choice, bool]:
    """The choice, and whether its closing clause has words around the keywords.

    Where the clause has no room for all of them, their bare list is tried.
    """
    choice = select(draft.pool, draft.problem, draft.options)
    if not choice.unused:
        return choice, True
    bare_list = select(draft.pool, draft.problem._replace(opening=0), draft.options)
    return (bare_list, False) if len(bare_list.unused) < len(choice.unused) else (choice, True)


def _options(pool: Pool, analyser: Analyser, most: int, unit: Unit) -> list[Option]:
    """Every form of every candidate that fits the limit, in reading order."""
    keywords = pool.question.printed_keywords
    options = []
    for number, candidate in enumerate(pool.candidates):
        for form in _forms(candidate, keywords, pool.language, most, unit):
            text = as_printed(form, keywords)
            length = measure(text, unit)
            if 0 < length <= most:
                terms = candidate.terms if text == candidate.text else tuple(analyser.terms(text))
                options.append(Option(number, text, terms, length))
    return options or _cut_option(pool, analyser, most, unit)


def _forms(candidate: Candidate, keywords: Sequence[str], language: Language, most: int, unit: Unit) -> list[str]:
    """How a sentence may be written, with those that it leans on; in no form where these are not to be had."""
    if candidate.before is None:
        return []
    sentences = [*candidate.before, candidate.text]
    plain = language.joiner.join(cleaned(sentence, language) for sentence in sentences)
    forms = [plain]
    if not candidate.before:
        own = essay_language(language)
        tight = measure(plain, unit) * _FEW_SENTENCES > most
        forms += [form for form in shortened(plain, language, tight) if not leans(form, own)]
    if any(uses(keyword, candidate.text) and not uses(keyword, plain) for keyword in keywords):
        forms.append(language.joiner.join(sentences))
    return forms


def _groups(pool: Pool, options: Sequence[Option]) -> Int64Array:
    """A number for each option, shared by the options that begin with the same sentence of a paragraph."""
    numbers: dict[tuple[str, int], int] = {}
    found = []
    for option in options:
        candidate = pool.candidates[option.candidate]
        first = (candidate.paragraph, candidate.position - len(candidate.before or ()))
        found.append(numbers.setdefault(first, len(numbers)))
    return np.array(found, np.int64)


def _cut_option(pool: Pool, analyser: Analyser, most: int, unit: Unit) -> list[Option]:
    """The best candidate cut to the limit, where none fits as it is."""
    if not pool.candidates or most < 1:
        return []
    scores = [one.sentence_score + one.paragraph_score for one in pool.candidates]
    best = scores.index(max(scores))
    text = cut(cleaned(pool.candidates[best].text, pool.language), most, unit, pool.language)
    return [Option(best, text, tuple(analyser.terms(text)), measure(text, unit))]


def _problem(pool: Pool, known: Concepts, worth: Float64Array, options: list[Option], most: int, unit: Unit) -> Problem:
    places = {term: place for place, term in enumerate(known.terms)}
    counts = counted([option.terms for option in options], places)
    keywords = pool.question.printed_keywords
    mentions = (counts > 0) @ worth
    crowd = np.array([len(option.terms) for option in options], float)
    best = np.argsort(mentions)[-_BEST:]
    usual = float(mentions[best].mean()) if len(mentions) else 0.0
    usual_term = float(mentions[best].sum() / max(crowd[best].sum(), 1.0))
    scores = np.array([pool.candidates[option.candidate].sentence_score for option in options])
    lengths = np.array([option.length for option in options], np.int64)
    short = len(lengths) > 0 and most < _FEW_SENTENCES * float(np.median(lengths))
    return Problem(
        counts=counts,
        weights=worth,
        repeat=REPEAT,
        bonus=SHORT_BONUS * usual * short * scores * lengths / max(most, 1) - CROWDING * usual_term * crowd,
        lengths=lengths,
        groups=_groups(pool, options),
        holds=np.array([[uses(k, option.text) for k in keywords] for option in options], bool).reshape(
            len(options), len(keywords)
        ),
        clause=np.array([measure(k, unit) + (unit == "characters") for k in keywords], np.int64),
        opening=3 if unit == "words" else 7,
        limit=most,
        sentences=essay_language(pool.language).CHOSEN_FROM,
    )


def _keywords_first(pool: Pool, problem: Problem, options: list[Option]) -> Choice:
    """The baseline: the best retrieved whole sentence for each keyword, then the first ones that fit."""
    whole = _whole(pool, options)
    ranked = sorted(whole, key=lambda o: (-pool.candidates[options[o].candidate].sentence_score, o))
    taken: list[int] = []
    for keyword in range(problem.holds.shape[1]):
        holders = [option for option in ranked if problem.holds[option, keyword]]
        taken += [option for option in holders[:1] if option not in taken and _fits(problem, [*taken, option])]
    for option in ranked:
        if option not in taken and _fits(problem, [*taken, option]):
            taken.append(option)
    return settle(problem, tuple(taken))


def packages_of(method: str) -> tuple[str, ...]:
    """The packages of others that writing essays computes with."""
    return ("lxml", "numpy", "scipy") if method == "ilp" else ("lxml", "numpy")


METHODS: dict[str, Select] = {
    "ilp": lambda pool, problem, options: choose(problem) or _keywords_first(pool, problem, options),
    "keywords-first": _keywords_first,
}


def _whole(pool: Pool, options: list[Option]) -> list[int]:
    """The first, longest form of each candidate."""
    seen: dict[int, int] = {}
    for number, option in enumerate(options):
        seen.setdefault(option.candidate, number)
    return list(seen.values())


def _fits(problem: Problem, taken: list[int]) -> bool:
    """Whether options, of different groups, fit together with a clause for the open keywords, if such a clause fits."""
    if len(set(problem.groups[taken].tolist())) < len(taken):
        return False
    open_keywords = ~problem.holds[taken].any(axis=0)
    clause = int(problem.clause[open_keywords].sum()) + problem.opening * bool(open_keywords.any())
    clause = clause if int(problem.clause.sum()) + problem.opening <= problem.limit else 0
    return int(problem.lengths[taken].sum()) + clause <= problem.limit


def _measured(
    chosen: list[Option], named: tuple[str, ...], closing: bool, most: int, unit: Unit, language: Language
) -> tuple[str, tuple[Option, ...]]:
    """The text, measured as a whole, and its options; while it is too long (it never should be) the last goes."""
    for end in range(len(chosen), -1, -1):
        text = _text(chosen[:end], named, closing, language)
        if measure(text, unit) <= most:
            return text, tuple(chosen[:end])
    return cut(_text([], named, closing, language), most, unit, language), ()


def _text(chosen: list[Option], named: tuple[str, ...], closing: bool, language: Language) -> str:
    """The sentences in order, then the keywords that they do not use."""
    texts = [option.text for option in chosen]
    if named:
        own = essay_language(language)
        texts.append(own.closing(list(named)) if closing else own.listed(list(named)))
    return language.joiner.join(texts)
