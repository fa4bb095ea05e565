"""Essays from candidate sentences: options within the limit, a choice by an integer linear program,
and the text.

The program ([ILP-Summary]) counts concepts once, and keywords are used or named in a closing
clause.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from threading import Lock
from typing import NamedTuple

import numpy as np

from answerer.formats.keywords import as_printed, uses
from answerer.formats.length_limit import Limit, Unit, measure
from answerer.ntcir.essay.candidates import CandidatePool
from answerer.ntcir.essay.concepts import concepts, term_counts, weights
from answerer.ntcir.essay.language import EssayLanguage, essay_language
from indexer.analysis.analyser import Analyser
from indexer.files.arrays import BoolArray, Float64Array, Int64Array
from indexer.languages.language import Language
from retriever.learning.model import Model

# Shorter forms of a sentence at most, a choice: each is one more option of the program that
# chooses.
FORMS = 12
# The share of its weight that each further mention of a concept earns.
REPEAT = 0.3  # not sensitive up to 0.4
# The price of every term, as a share of the worth of one in good sentences: F1 falls with each that
# no gold has.
CROWDING = 0.6  # 0.7 and 0.8 learned as well
# The bonus of the best retrieved sentence where only few fit the limit, as a share of a good one's
# worth.
SHORT_BONUS = 1.0  # the worth of one good sentence
_BEST = 20  # good sentences: those with the highest worth
DEFAULT_LENGTH: dict[Unit, int] = {"words": 150, "characters": 300}
_FEW_SENTENCES = 3  # a limit below this number of sentences of usual length is tight
_PER_KEYWORD = 2  # best sentences with each keyword that are solved for besides the most rewarding
# the relative gap at which the solver stops; a smaller one took longer and brought nothing
_GAP = 0.03
_NODES = 300
# Cost of a keyword that only the closing clause names, as a share of that of an unused one: a
# clause in 5 of 164 essays instead of 35, ROUGE-1 +0.00 ± 0.08 points in English and -0.36 ± 0.24
# in Japanese.
NAMED_COST = 0.02


class Option(NamedTuple):
    """A form of a candidate sentence for an essay, verbatim or shortened. `candidate` is its index
    in the pool, `length` is in the unit of the limit."""

    candidate: int
    text: str
    terms: tuple[str, ...]
    length: int


class Essay(NamedTuple):
    """An essay and how it was made.

    `chosen` are the options used, in reading order; `in_clause` the keywords that only the closing
    clause uses; `unused` the keywords without space; `weights` maps a concept to its value;
    `length` is in `unit`, at most `limit`.
    """

    text: str
    chosen: tuple[Option, ...]
    in_clause: tuple[str, ...]
    unused: tuple[str, ...]
    weights: dict[str, float]
    length: int
    limit: int
    unit: Unit


_SILENCE = Lock()


@contextmanager
def silent_stdout() -> Iterator[None]:
    """Sends the whole process's file descriptor 1, where some versions of HiGHS print and
    submissions go, to the null device; another thread waits before it does the same."""
    with _SILENCE:
        sys.stdout.flush()
        stdout, nowhere = os.dup(1), os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        try:
            yield
        finally:
            os.dup2(stdout, 1)
            os.close(stdout)
            os.close(nowhere)


class SummaryProblem(NamedTuple):
    """Options (sentences, verbatim or shortened) to choose an essay from; the first axis of each
    array is the option.

    `present` (options, concepts) says which concepts an option mentions, `weights` (concepts,) are
    the values of covering a concept, `bonus` the further value of an option. `lengths` are in the
    unit of `limit`. At most one option of the same `groups` number is chosen. `holds` (options,
    keywords) says which keywords an option uses; unused keywords are listed in a closing clause of
    length `opening` plus `clause` for each. Only the `sentences` groups with the highest value for
    length are considered.
    """

    present: BoolArray
    weights: Float64Array
    bonus: Float64Array
    lengths: Int64Array
    groups: Int64Array
    holds: BoolArray
    clause: Int64Array
    opening: int
    limit: int
    sentences: int


class ChosenOptions(NamedTuple):
    """Indices of the options chosen, of the keywords in the closing clause, and of the keywords
    that did not fit."""

    options: tuple[int, ...]
    in_clause: tuple[int, ...]
    unused: tuple[int, ...]


def settle(problem: SummaryProblem, options: tuple[int, ...]) -> ChosenOptions:
    """The choice made of the given options. Keywords that these do not use go into the closing
    clause while it fits, shortest first; the others are `unused`."""
    taken = list(options)
    free = np.flatnonzero(~problem.holds[taken].any(axis=0)).tolist()
    # Short keywords first: so most of them are named.
    shortest = sorted(free, key=lambda k: (problem.clause[k], k))
    costs = problem.opening + np.cumsum(problem.clause[shortest])
    closing = shortest[: int((costs <= problem.limit - problem.lengths[taken].sum()).sum())]
    left = tuple(k for k in free if k not in closing)
    return ChosenOptions(tuple(sorted(taken)), tuple(sorted(closing)), left)


def solve(problem: SummaryProblem) -> ChosenOptions | None:
    """Solves the problem as an integer linear program; None if the solver finds no solution.

    First the fewest unused keywords, then the highest value, less a cost for each keyword in the
    closing clause only. The solution is within 3 % of the optimum, or the best within 300 nodes,
    over the options of the `sentences` sentences of most value for length and of the 2 best with
    each keyword; deterministic. An unused keyword costs more than any options can earn or lose.
    """
    if not len(problem.lengths):
        return settle(problem, ())
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import csc_array

    # Options of the groups with the highest value for length, and of the best that use each
    # keyword.
    rewards = (problem.present @ problem.weights + problem.bonus) / np.maximum(problem.lengths, 1)
    order = np.argsort(-rewards, kind="stable")
    chosen = list(dict.fromkeys(problem.groups[order].tolist()))[: problem.sentences]
    for keyword in range(problem.holds.shape[1]):
        chosen += problem.groups[order[problem.holds[order, keyword]][:_PER_KEYWORD]].tolist()
    positions = np.flatnonzero(np.isin(problem.groups, chosen))
    present, holds = problem.present[positions], problem.holds[positions]
    groups, inverse = np.unique(problem.groups[positions], return_inverse=True)
    by_group = np.zeros((len(groups), present.shape[1]), bool)
    np.logical_or.at(by_group, inverse, present)
    shared = by_group.sum(axis=0) > 1
    values = problem.bonus[positions] + present[:, ~shared] @ problem.weights[~shared]
    patterns, merged = np.unique(present[:, shared].T, axis=0, return_inverse=True)
    worth = np.bincount(
        merged.ravel(), weights=problem.weights[shared], minlength=len(patterns)
    ).astype(float)
    options, concepts, keywords = len(positions), len(worth), holds.shape[1]
    single = (np.arange(len(groups))[:, None] == inverse).astype(float)
    identity, zeros = np.eye(keywords), np.zeros
    # Columns: options, concepts that several groups share (one where the same options have them),
    # keywords in the clause, unused keywords, the clause itself. Rows: a concept is covered by an
    # option that is chosen; the length; a keyword is used, named or unused; it is named in a clause
    # only; one option of a group.
    rows = np.block(
        [
            [-patterns.astype(float), np.eye(concepts), zeros((concepts, 2 * keywords + 1))],
            [
                problem.lengths[positions],
                np.zeros(concepts),
                problem.clause,
                np.zeros(keywords),
                problem.opening,
            ],
            [
                -holds.T.astype(float),
                zeros((keywords, concepts)),
                -identity,
                -identity,
                zeros((keywords, 1)),
            ],
            [
                zeros((keywords, options + concepts)),
                identity,
                zeros((keywords, keywords)),
                -np.ones((keywords, 1)),
            ],
            [single, zeros((len(groups), concepts + 2 * keywords + 1))],
        ]
    )
    most = [
        np.zeros(concepts),
        np.array([problem.limit]),
        -np.ones(keywords),
        np.zeros(keywords),
        np.ones(len(groups)),
    ]
    penalty = 2 * (float(worth.sum()) + float(np.sort(np.abs(values))[-30:].sum()) + 1e-6)
    costs = [np.full(keywords, NAMED_COST * penalty), np.full(keywords, penalty), [0.0]]
    result = milp(
        np.concatenate([-values, -worth, *costs]),
        constraints=LinearConstraint(csc_array(rows), -np.inf, np.concatenate(most)),
        integrality=np.concatenate(
            [np.ones(options), np.zeros(concepts), np.ones(2 * keywords + 1)]
        ),
        bounds=Bounds(0, 1),
        options={"mip_rel_gap": _GAP, "node_limit": _NODES},
    )
    # Nothing was found within the nodes.
    if result.x is None:
        return None
    return settle(
        problem, tuple(int(positions[i]) for i in np.flatnonzero(result.x[:options] > 0.5))
    )


def shorten(text: str, rules: EssayLanguage, tight: bool) -> list[str]:
    """Shortened versions of a cleaned sentence, each ending as a sentence does, longest first, at
    most 12; the sentence itself is not included. `tight` allows fragments of a clause."""
    forms = dict.fromkeys(rules.with_stop(form) for form in rules.shorter_forms(text, tight))
    return sorted((form for form in forms if form and form != text), key=len, reverse=True)[:FORMS]


def truncate(text: str, most: int, unit: Unit, language: Language) -> str:
    """Truncates a text to `most` words or characters, as the unit says; characters end with the
    language's full stop (one character alone does not). Words are joined by single blanks, without
    a comma, colon or semicolon at the end; a text of at most `most` characters is unchanged; "" for
    a limit of 0."""
    if unit == "words":
        return " ".join(text.split()[:most]).rstrip(",;:")
    if len(text) <= most:
        return text
    return (
        text[: most - 1].rstrip(",、 ") + essay_language(language).stop if most > 1 else text[:most]
    )


def length_allowed(limit: Limit, language: Language) -> tuple[int, Unit]:
    """The limit with its unit (by default words in languages with spaces, else characters), or 150
    words or 300 characters without one."""
    unit: Unit = limit.unit or ("words" if language.uses_spaces else "characters")
    return (DEFAULT_LENGTH[unit] if limit.most is None else limit.most), unit


Select = Callable[[CandidatePool, SummaryProblem, list[Option]], ChosenOptions]


def write_essays(
    tasks: Sequence[tuple[CandidatePool, Limit]], analyser: Analyser, model: Model, method: str
) -> list[Essay]:
    """Writes an essay from each pool within its limit, by a method of `METHODS`; the result is
    parallel to `tasks`.

    Every keyword is used if the limit allows. Essays are written in threads, as HiGHS releases
    Python's lock; meanwhile stdout goes to the null device.
    """
    drafts = [_draft(pool, limit, analyser, model) for pool, limit in tasks]
    with (
        silent_stdout(),
        ThreadPoolExecutor(max(1, min(os.cpu_count() or 1, len(drafts)))) as threads,
    ):
        return list(threads.map(lambda draft: _essay(METHODS[method], draft), drafts))


def _essay(select: Select, draft: _EssayDraft) -> Essay:
    """Writes an essay with the options that `select` chooses. Texts over the limit are truncated.
    If the closing clause has no space for all keywords left, a bare list of keywords is used where
    that leaves fewer out."""
    pool = draft.pool
    options = draft.options
    problem = draft.problem
    unit = draft.unit
    language, most = pool.language, problem.limit
    keywords, rules = pool.question.printed_keywords, essay_language(language)
    choice, close = select(pool, problem, options), rules.closing_clause
    # A bare list needs less space than a sentence that names the keywords.
    if choice.unused:
        bare_list = select(pool, problem._replace(opening=0), options)
        if len(bare_list.unused) < len(choice.unused):
            choice, close = bare_list, rules.keyword_list
    closing = [keywords[k] for k in choice.in_clause]
    chosen = [options[option] for option in choice.options]
    text = language.joiner.join(
        [*(option.text for option in chosen), *([close(closing)] if closing else [])]
    )
    text = truncate(text, most, unit, language) if measure(text, unit) > most else text
    return Essay(
        text=text,
        chosen=tuple(chosen),
        in_clause=tuple(keyword for keyword in closing if uses(keyword, text)),
        unused=tuple(keyword for keyword in keywords if not uses(keyword, text)),
        weights=draft.worth,
        length=measure(text, unit),
        limit=most,
        unit=unit,
    )


class _EssayDraft(NamedTuple):
    """What an essay is written from.

    `options` are the forms of the pool's sentences that fit the limit, in reading order, `problem`
    the integer linear program over them; `worth` maps a concept to its value, `unit` is that of the
    limit.
    """

    pool: CandidatePool
    options: list[Option]
    problem: SummaryProblem
    worth: dict[str, float]
    unit: Unit


def _draft(pool: CandidatePool, limit: Limit, analyser: Analyser, model: Model) -> _EssayDraft:
    """The options of an essay, in the order of the pool's candidates, the integer linear program
    over them, and the value of each concept.

    Options are the forms of sentences that fit the limit: together with the sentences that it
    depends on (without these a sentence has none); alone, cleaned; alone, shortened; as printed, if
    only that uses a keyword. Those that begin with the same sentence of a paragraph form a group.
    """
    most, unit = length_allowed(limit, pool.language)
    pool_concepts = concepts(pool)
    worth = weights(model, pool, pool_concepts, most)
    keywords = pool.question.printed_keywords
    language = pool.language
    rules = essay_language(pool.language)
    options = []
    for number, candidate in enumerate(pool.candidates):
        if candidate.before is None:
            continue
        sentences = [*candidate.before, candidate.text]
        plain = language.joiner.join(map(rules.clean, sentences))
        forms = [plain]
        # Of several sentences none is shortened: they are needed whole.
        if not candidate.before:
            tight = measure(plain, unit) * _FEW_SENTENCES > most
            forms += [
                form for form in shorten(plain, rules, tight) if not rules.depends_on_previous(form)
            ]
        if any(uses(keyword, candidate.text) and not uses(keyword, plain) for keyword in keywords):
            forms.append(language.joiner.join(sentences))
        for form in forms:
            text = as_printed(form, keywords)
            length = measure(text, unit)
            if 0 < length <= most:
                terms = candidate.terms if text == candidate.text else tuple(analyser.terms(text))
                options.append(Option(number, text, terms, length))
    counts = term_counts([option.terms for option in options], pool_concepts.terms)
    present = counts > 0
    mentions = present @ worth
    crowd = np.array([len(option.terms) for option in options], float)
    best = np.argsort(mentions)[-_BEST:]
    usual = float(mentions[best].mean()) if len(mentions) else 0.0
    usual_term = float(mentions[best].sum() / max(crowd[best].sum(), 1.0))
    scores = np.array([pool.candidates[option.candidate].sentence_score for option in options])
    lengths = np.array([option.length for option in options], np.int64)
    short = len(lengths) > 0 and most < _FEW_SENTENCES * float(np.median(lengths))
    numbers: dict[tuple[str, int], int] = {}
    firsts = [
        (candidate.paragraph, candidate.position - len(candidate.before or ()))
        for candidate in pool.candidates
    ]
    groups = [numbers.setdefault(firsts[option.candidate], len(numbers)) for option in options]
    holds = np.array(
        [[uses(keyword, option.text) for keyword in keywords] for option in options], bool
    )
    bonus = (
        SHORT_BONUS * usual * short * scores * lengths / max(most, 1)
        - CROWDING * usual_term * crowd
    )
    problem = SummaryProblem(
        present=present,
        weights=worth,
        bonus=REPEAT * (counts @ worth) + bonus,
        lengths=lengths,
        groups=np.array(groups, np.int64),
        holds=holds.reshape(len(options), len(keywords)),
        clause=np.array([measure(k, unit) + (unit == "characters") for k in keywords], np.int64),
        opening=3 if unit == "words" else 7,  # "Also relevant: … and …", ほかに…も関わる。
        limit=most,
        sentences=rules.solved_from,
    )
    values = dict(zip(pool_concepts.terms, worth.tolist(), strict=True))
    return _EssayDraft(pool, options, problem, values, unit)


def _keywords_first(
    pool: CandidatePool, problem: SummaryProblem, options: list[Option]
) -> ChosenOptions:
    """The baseline's options: the whole sentence with the highest sentence score for each keyword,
    then the others by that score; one that no longer fits, with a clause for the keywords left, is
    skipped."""

    def fit(options: list[int]) -> bool:
        """True if options of different groups fit with a clause for the keywords left, if such a
        clause fits."""
        if len(set(problem.groups[options].tolist())) < len(options):
            return False
        left = ~problem.holds[options].any(axis=0)
        clause = int(problem.clause[left].sum()) + problem.opening * bool(left.any())
        clause = clause if int(problem.clause.sum()) + problem.opening <= problem.limit else 0
        return int(problem.lengths[options].sum()) + clause <= problem.limit

    # The baseline takes sentences as they are printed.
    whole: dict[int, int] = {}  # the first, longest form of each candidate
    for number, option in enumerate(options):
        whole.setdefault(option.candidate, number)
    ranked = sorted(
        whole.values(), key=lambda o: (-pool.candidates[options[o].candidate].sentence_score, o)
    )
    users = [
        [option for option in ranked if problem.holds[option, k]][:1]
        for k in range(problem.holds.shape[1])
    ]
    taken: list[int] = []
    for number in (*(number for first in users for number in first), *ranked):
        if number not in taken and fit([*taken, number]):
            taken.append(number)
    return settle(problem, tuple(taken))


METHODS: dict[str, Select] = {
    "ilp": lambda pool, problem, options: solve(problem) or _keywords_first(pool, problem, options),
    "keywords-first": _keywords_first,
}
