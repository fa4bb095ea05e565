"""From a pool of sentences to an essay: options within the limit, a choice, and the text, measured."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Lock
from typing import NamedTuple

import numpy as np

from answerer.formats.keywords import as_printed, uses
from answerer.formats.length_limit import Limit, Unit, measure
from answerer.ntcir.essay.concepts import Concepts, concepts, counted, weights
from answerer.ntcir.essay.language import EssayLanguage, essay_language
from answerer.ntcir.essay.pool import Candidate, Pool, leans
from indexer.analysis import Analyser
from indexer.files.arrays import BoolArray, Float64Array, Int64Array
from indexer.languages.language import Language
from retriever.learning.model import Model

FORMS = 12
"""Shorter forms of a sentence at most: each is one more option of the program that chooses."""


def cleaned(text: str, language: Language) -> str:
    """A sentence without asides in brackets and without an opening connective, ending as a sentence does."""
    own = essay_language(language)
    return _shortening_finished(own.bare(text).strip(), own)


def shortened(text: str, language: Language, tight: bool) -> list[str]:
    """Shorter forms of a cleaned sentence, at most `FORMS`, the longest first, all different from it: without clauses
    that can go, and its clauses by themselves.

    Where the limit is tight also what stands alone when the sentence is cut at a comma.
    """
    own = essay_language(language)
    forms = own.shorter(text) + (own.cuts(text) if tight else [])
    finished = [_shortening_finished(form, own) for form in forms]
    different = [form for form in dict.fromkeys(finished) if form and form != text]
    return sorted(different, key=len, reverse=True)[:FORMS]


def _shortening_finished(text: str, own: EssayLanguage) -> str:
    """A text that ends as a sentence does; "" for punctuation alone."""
    text = text.strip(" ,;:、—–")
    return own.finished(text) if text else ""


def cut(text: str, most: int, unit: Unit, language: Language) -> str:
    """A text cut to a number of words or characters, where nothing else fits; "" where even that does not."""
    if unit == "words":
        words = text.split()[:most]
        return " ".join(words).rstrip(",;:") if words else ""
    if len(text) <= most:
        return text
    return text[: most - 1].rstrip(",、 ") + essay_language(language).STOP if most > 1 else text[:most]


class Problem(NamedTuple):
    """What to choose from. Rows are options: sentences as they are or shortened; of a `group` at most one.

    `counts` says how often each concept stands in an option, `weights` what covering it is worth; `repeat` is the share
    of its weight that every mention earns again, `bonus` what an option earns besides. `holds` says which keywords an
    option uses; those that no sentence uses are named in a closing clause, `clause` long each and `opening` for the
    first. Lengths are in the limit's unit. The `sentences` that reward most for their length are chosen from.
    """

    counts: Float64Array
    weights: Float64Array
    repeat: float
    bonus: Float64Array
    lengths: Int64Array
    groups: Int64Array
    holds: BoolArray
    clause: Int64Array
    opening: int
    limit: int
    sentences: int


class Choice(NamedTuple):
    """The options taken, the keywords that the closing clause names, and those that did not fit."""

    options: tuple[int, ...]
    named: tuple[int, ...]
    unused: tuple[int, ...]


def own_values(problem: Problem) -> Float64Array:
    """What each option earns whatever else is taken: the weights of its mentions times `repeat`, its bonus."""
    earned: Float64Array = problem.repeat * (problem.counts @ problem.weights) + problem.bonus
    return earned


def settle(problem: Problem, options: tuple[int, ...]) -> Choice:
    """The choice that takes these options: keywords that they leave open go into the clause while it fits."""
    taken = list(options)
    used = problem.holds[taken].any(axis=0) if taken else np.zeros(problem.holds.shape[1], bool)
    room = problem.limit - int(problem.lengths[taken].sum())
    named: list[int] = []
    cost = problem.opening
    for keyword in sorted(np.flatnonzero(~used).tolist(), key=lambda k: (problem.clause[k], k)):
        cost += int(problem.clause[keyword])
        if cost <= room:
            named.append(keyword)
    left = [k for k in np.flatnonzero(~used).tolist() if k not in named]
    return Choice(tuple(sorted(taken)), tuple(sorted(named)), tuple(left))


_KEPT_PER_KEYWORD = 2
_GAP = 0.03
_NODES = 300


def choose(problem: Problem) -> Choice | None:
    """The best choice: first the fewest unused keywords, then the highest value; None where the solver fails.

    An integer program over the `sentences` most rewarding sentences, optimal within 3 % or the best within its nodes.
    It depends on nothing but the problem: no clock, no chance.
    """
    solved = _solved(problem) if len(problem.lengths) else ()
    return None if solved is None else settle(problem, solved)


class _Small(NamedTuple):
    """The program made small: the options kept, what each earns alone, and the concepts that several groups
    share, merged where the same options hold them (a row a concept: which options cover it; its worth)."""

    kept: Int64Array
    own: Float64Array
    cover: Float64Array
    worth: Float64Array


def _solved(problem: Problem) -> tuple[int, ...] | None:
    """The options that the program takes; None where the solver fails.

    Variables: options x, shared concepts y, keywords named in the clause z, unused keywords u, and whether
    there is a clause at all. Unused keywords cost more than any options can earn or lose.
    """
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import csc_array

    small = _small(problem)
    options, concepts, keywords = len(small.kept), len(small.worth), problem.holds.shape[1]
    rows, tops = _constraints(problem, small)
    penalty = 2 * (float(small.worth.sum()) + float(np.sort(np.abs(small.own))[-30:].sum()) + 1e-6)
    costs = [np.zeros(keywords), np.full(keywords, penalty), [0.0]]
    goal = np.concatenate([-small.own, -small.worth, *costs])
    whole = np.concatenate([np.ones(options), np.zeros(concepts), np.ones(2 * keywords + 1)])
    with SILENCE:
        result = milp(
            goal,
            constraints=LinearConstraint(csc_array(rows), -np.inf, tops),
            integrality=whole,
            bounds=Bounds(0, 1),
            options={"mip_rel_gap": _GAP, "node_limit": _NODES},
        )
    if result.x is None:
        return None
    return tuple(int(small.kept[i]) for i in np.flatnonzero(result.x[:options] > 0.5))


def _constraints(problem: Problem, small: _Small) -> tuple[Float64Array, Float64Array]:
    """The rows A and tops b of A · (x, y, z, u, clause) ≤ b."""
    options, concepts, keywords = len(small.kept), len(small.worth), problem.holds.shape[1]
    groups, inverse = np.unique(problem.groups[small.kept], return_inverse=True)
    y, z, u = options, options + concepts, options + concepts + keywords
    rows = np.zeros((concepts + 1 + 2 * keywords + len(groups), u + keywords + 1))
    tops = np.zeros(len(rows))
    covered, length, used, named, single = np.split(
        rows, np.cumsum([concepts, 1, keywords, keywords])
    )  # views: filling them fills the rows
    covered[:, :options] = -small.cover
    covered[:, y:z] = np.eye(concepts)
    length[0, :options] = problem.lengths[small.kept]
    length[0, z:u] = problem.clause
    length[0, -1] = problem.opening
    tops[concepts] = problem.limit
    used[:, :options] = -problem.holds[small.kept].T.astype(float)
    used[:, z:u] = -np.eye(keywords)
    used[:, u:-1] = -np.eye(keywords)
    tops[concepts + 1 : concepts + 1 + keywords] = -1
    named[:, z:u] = np.eye(keywords)
    named[:, -1] = -1
    single[inverse, np.arange(options)] = 1
    tops[len(rows) - len(groups) :] = 1
    return rows, tops


def _small(problem: Problem) -> _Small:
    kept = _most_rewarding(problem)
    present = problem.counts[kept] > 0
    groups, inverse = np.unique(problem.groups[kept], return_inverse=True)
    by_group = np.zeros((len(groups), present.shape[1]), bool)
    np.logical_or.at(by_group, inverse, present)
    shared = by_group.sum(axis=0) > 1
    own = own_values(problem)[kept] + present[:, ~shared] @ problem.weights[~shared]
    patterns, merged = np.unique(present[:, shared].T, axis=0, return_inverse=True)
    worth = np.bincount(merged.ravel(), weights=problem.weights[shared], minlength=len(patterns))
    return _Small(kept, own, patterns.astype(float), worth.astype(float))


def _most_rewarding(problem: Problem) -> Int64Array:
    """The options of the sentences with the highest value for length, and the best holders of each keyword."""
    present = problem.counts > 0
    rewards = (present @ problem.weights + own_values(problem)) / np.maximum(problem.lengths, 1)
    order = np.argsort(-rewards, kind="stable")
    kept = list(dict.fromkeys(problem.groups[order].tolist()))[: problem.sentences]
    for keyword in range(problem.holds.shape[1]):
        holders = [option for option in order.tolist() if problem.holds[option, keyword]]
        kept += problem.groups[holders[:_KEPT_PER_KEYWORD]].tolist()
    return np.flatnonzero(np.isin(problem.groups, kept)).astype(np.int64)


class _Silence:
    """What keeps the process's own stdout from HiGHS while any thread solves: it belongs to the submission."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._solving = 0
        self._saved = -1

    def __enter__(self) -> None:
        with self._lock:
            self._solving += 1
            if self._solving == 1:
                sys.stdout.flush()
                self._saved = os.dup(1)
                nowhere = os.open(os.devnull, os.O_WRONLY)
                os.dup2(nowhere, 1)
                os.close(nowhere)

    def __exit__(self, *error: object) -> None:
        with self._lock:
            self._solving -= 1
            if self._solving == 0:
                os.dup2(self._saved, 1)
                os.close(self._saved)


SILENCE = _Silence()


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
