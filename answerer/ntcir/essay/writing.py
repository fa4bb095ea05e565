"""Essays from candidate sentences: options within the limit, a choice, and the text, measured."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np

from answerer.formats.keywords import as_printed, uses
from answerer.formats.length_limit import Limit, Unit, measure
from answerer.ntcir.essay.candidates import CandidatePool
from answerer.ntcir.essay.concepts import Concepts, concepts, term_counts, weights
from answerer.ntcir.essay.ilp import ChosenOptions, SummaryProblem, settle, solve, without_fillers
from answerer.ntcir.essay.language import essay_language
from indexer.analysis import Analyser
from indexer.files.arrays import Float64Array
from indexer.languages.language import Language
from retriever.learning.model import Model

# Shorter forms of a sentence at most: each is one more option of the program that chooses.
FORMS = 12  # bounds the size of the program
# The share of its weight that each further mention of a concept earns.
REPEAT = 0.3  # not sensitive up to 0.4 (docs/figures/notes/ntcir-essay.md)
# The price of every term, as a share of the worth of one in good sentences: F1 falls with each that no gold has.
CROWDING = 0.6  # 0.7 and 0.8 learned as well (docs/figures/notes/ntcir-essay.md)
# The bonus of the best retrieved sentence where only few fit the limit, as a share of a good one's worth.
SHORT_BONUS = 1.0  # the worth of one good sentence
_BEST = 20  # good sentences: those with the highest worth
DEFAULT_LENGTH: dict[Unit, int] = {"words": 150, "characters": 300}
# The least worth of a sentence's own concepts, as a share of the mean of the others; from 0.15 to 0.3 ROUGE-1 of
# pseudo-essays does not change (docs/figures/ntcir-essay.md).
_FILLER = 0.2
_FEW_SENTENCES = 3  # a limit below this number of sentences of usual length is tight


class Option(NamedTuple):
    """A form of a candidate sentence for an essay, verbatim or shortened.

    `candidate` is its index in the pool, `length` is in the unit of the limit.
    """

    candidate: int
    text: str
    terms: tuple[str, ...]
    length: int


Select = Callable[[CandidatePool, SummaryProblem, list[Option]], ChosenOptions]


class Essay(NamedTuple):
    """An essay and how it was made.

    `chosen` are the options used, in reading order; `named` the keywords that only the closing clause uses; `unused`
    the keywords without space; `weights` maps a concept to its value; `length` is in `unit`, at most `limit`.
    """

    text: str
    chosen: tuple[Option, ...]
    named: tuple[str, ...]
    unused: tuple[str, ...]
    weights: dict[str, float]
    length: int
    limit: int
    unit: Unit


class EssayDraft(NamedTuple):
    """The input for choosing an essay's sentences; `weights` maps each concept to its value."""

    pool: CandidatePool
    options: list[Option]
    problem: SummaryProblem
    weights: dict[str, float]
    unit: Unit


def clean_sentence(text: str, language: Language) -> str:
    """A sentence without asides in brackets and without an opening connective, ending as a sentence does."""
    own = essay_language(language)
    return own.with_stop(own.bare(text))


def shorten(text: str, language: Language, tight: bool) -> list[str]:
    """Shortened versions of a cleaned sentence, longest first, at most `FORMS`; the sentence itself is not included.

    `tight` allows fragments of a clause.
    """
    own = essay_language(language)
    forms = [own.with_stop(form) for form in own.shorter_forms(text, tight)]
    different = [form for form in dict.fromkeys(forms) if form and form != text]
    return sorted(different, key=len, reverse=True)[:FORMS]


def truncate(text: str, most: int, unit: Unit, language: Language) -> str:
    """Truncates a text to `most` words or characters, as the unit says; characters end with the language's full stop.

    A text within the limit is unchanged, except for trailing punctuation after words; "" for a limit of 0.
    """
    if unit == "words":
        words = text.split()[:most]
        return " ".join(words).rstrip(",;:") if words else ""
    if len(text) <= most:
        return text
    return text[: most - 1].rstrip(",、 ") + essay_language(language).stop if most > 1 else text[:most]


def length_allowed(limit: Limit, language: Language) -> tuple[int, Unit]:
    """The limit with its unit, or `DEFAULT_LENGTH` without one."""
    unit: Unit = limit.unit or ("words" if language.uses_spaces else "characters")
    return (DEFAULT_LENGTH[unit] if limit.most is None else limit.most), unit


def write_essays(
    tasks: Sequence[tuple[CandidatePool, Limit]], analyser: Analyser, model: Model, method: str
) -> list[Essay]:
    """Writes an essay from each pool within its limit, by a method of `METHODS`; the result is parallel to `tasks`.

    Every keyword is used if the limit allows; if no sentence fits, the best one is truncated. Essays are written in
    threads, as HiGHS releases Python's lock.
    """
    drafts = []
    for pool, limit in tasks:
        most, unit = length_allowed(limit, pool.language)
        known = concepts(pool)
        worth = weights(model, pool, known, most)
        options = _options(pool, analyser, most, unit)
        problem = _problem(pool, known, worth, options, most, unit)
        drafts.append(EssayDraft(pool, options, problem, dict(zip(known.terms, map(float, worth), strict=True)), unit))
    with ThreadPoolExecutor(max(1, min(os.cpu_count() or 1, len(drafts)))) as threads:
        return list(threads.map(lambda draft: _essay(METHODS[method], draft), drafts))


def write_essay(pool: CandidatePool, limit: Limit, analyser: Analyser, model: Model, method: str) -> Essay:
    """One essay; see `write_essays`."""
    return write_essays([(pool, limit)], analyser, model, method)[0]


def _essay(select: Select, draft: EssayDraft) -> Essay:
    """Writes the essay of a draft with the options that `select` chooses.

    If the closing clause has no space for all keywords left, a bare list of keywords is used where that leaves fewer
    out.
    """
    language, most, unit = draft.pool.language, draft.problem.limit, draft.unit
    keywords, own = draft.pool.question.printed_keywords, essay_language(draft.pool.language)
    choice, close = select(draft.pool, draft.problem, draft.options), own.closing_clause
    # A bare list needs less space than a sentence that names the keywords.
    if choice.unused:
        bare_list = select(draft.pool, draft.problem._replace(opening=0), draft.options)
        if len(bare_list.unused) < len(choice.unused):
            choice, close = bare_list, own.keyword_list
    choice = without_fillers(draft.problem, choice, _FILLER)
    named = [keywords[k] for k in choice.named]
    clause = [close(named)] if named else []
    chosen = [draft.options[option] for option in choice.options]
    text = language.joiner.join([*(option.text for option in chosen), *clause])
    while chosen and measure(text, unit) > most:  # it should never be
        chosen = chosen[:-1]
        text = language.joiner.join([*(option.text for option in chosen), *clause])
    if measure(text, unit) > most:
        text = truncate(text, most, unit, language)
    return Essay(
        text=text,
        chosen=tuple(chosen),
        named=tuple(keyword for keyword in named if uses(keyword, text)),
        unused=tuple(keyword for keyword in keywords if not uses(keyword, text)),
        weights=draft.weights,
        length=measure(text, unit),
        limit=most,
        unit=unit,
    )


def _options(pool: CandidatePool, analyser: Analyser, most: int, unit: Unit) -> list[Option]:
    """Every form of every candidate that fits the limit of `most` units, in reading order.

    Forms of a sentence: together with the sentences that it depends on; alone, cleaned; alone, shortened; as printed,
    if only that uses a keyword. If no form fits, the best candidate truncated; [] for an empty pool.
    """
    keywords, language, own = pool.question.printed_keywords, pool.language, essay_language(pool.language)
    options = []
    for number, candidate in enumerate(pool.candidates):
        if candidate.before is None:
            continue
        sentences = [*candidate.before, candidate.text]
        plain = language.joiner.join(clean_sentence(sentence, language) for sentence in sentences)
        forms = [plain]
        # Of several sentences none is shortened: they are needed whole.
        if not candidate.before:
            tight = measure(plain, unit) * _FEW_SENTENCES > most
            forms += [form for form in shorten(plain, language, tight) if not own.depends_on_previous(form)]
        if any(uses(keyword, candidate.text) and not uses(keyword, plain) for keyword in keywords):
            forms.append(language.joiner.join(sentences))
        for form in forms:
            text = as_printed(form, keywords)
            length = measure(text, unit)
            if 0 < length <= most:
                terms = candidate.terms if text == candidate.text else tuple(analyser.terms(text))
                options.append(Option(number, text, terms, length))
    if options or not pool.candidates or most < 1:
        return options
    scores = [one.sentence_score + one.paragraph_score for one in pool.candidates]
    best = scores.index(max(scores))
    text = truncate(clean_sentence(pool.candidates[best].text, language), most, unit, language)
    return [Option(best, text, tuple(analyser.terms(text)), measure(text, unit))]


def _problem(
    pool: CandidatePool, known: Concepts, worth: Float64Array, options: list[Option], most: int, unit: Unit
) -> SummaryProblem:
    """The integer linear program over the options.

    Options that begin with the same sentence of a paragraph form a group. `known` are the pool's concepts, `worth`
    (concepts,) their values, `most` the limit in `unit`.
    """
    places = {term: place for place, term in enumerate(known.terms)}
    counts = term_counts([option.terms for option in options], places)
    keywords = pool.question.printed_keywords
    mentions = (counts > 0) @ worth
    crowd = np.array([len(option.terms) for option in options], float)
    best = np.argsort(mentions)[-_BEST:]
    usual = float(mentions[best].mean()) if len(mentions) else 0.0
    usual_term = float(mentions[best].sum() / max(crowd[best].sum(), 1.0))
    scores = np.array([pool.candidates[option.candidate].sentence_score for option in options])
    lengths = np.array([option.length for option in options], np.int64)
    short = len(lengths) > 0 and most < _FEW_SENTENCES * float(np.median(lengths))
    numbers: dict[tuple[str, int], int] = {}
    groups = []
    for option in options:
        candidate = pool.candidates[option.candidate]
        first = (candidate.paragraph, candidate.position - len(candidate.before or ()))
        groups.append(numbers.setdefault(first, len(numbers)))
    return SummaryProblem(
        counts=counts,
        weights=worth,
        repeat=REPEAT,
        bonus=SHORT_BONUS * usual * short * scores * lengths / max(most, 1) - CROWDING * usual_term * crowd,
        lengths=lengths,
        groups=np.array(groups, np.int64),
        holds=np.array([[uses(k, option.text) for k in keywords] for option in options], bool).reshape(
            len(options), len(keywords)
        ),
        clause=np.array([measure(k, unit) + (unit == "characters") for k in keywords], np.int64),
        opening=3 if unit == "words" else 7,  # "Also relevant: … and …", ほかに…も関わる。
        limit=most,
        sentences=essay_language(pool.language).solved_from,
    )


def _keywords_first(pool: CandidatePool, problem: SummaryProblem, options: list[Option]) -> ChosenOptions:
    """Chooses options by the baseline: the best whole sentence for each keyword, then the best that still fit.

    Sentences rank by their retrieval score.
    """

    def fit(options: list[int]) -> bool:
        """True if options of different groups fit with a clause for the keywords left, if such a clause fits."""
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
    ranked = sorted(whole.values(), key=lambda o: (-pool.candidates[options[o].candidate].sentence_score, o))
    users = [[option for option in ranked if problem.holds[option, k]][:1] for k in range(problem.holds.shape[1])]
    taken: list[int] = []
    for number in (*(number for first in users for number in first), *ranked):
        if number not in taken and fit([*taken, number]):
            taken.append(number)
    return settle(problem, tuple(taken))


METHODS: dict[str, Select] = {
    "ilp": lambda pool, problem, options: solve(problem) or _keywords_first(pool, problem, options),
    "keywords-first": _keywords_first,
}


def packages_of(method: str) -> tuple[str, ...]:
    """The distributions that a method computes with, whose versions a trace names."""
    return ("lxml", "numpy", "scipy") if method == "ilp" else ("lxml", "numpy")
