"""Entity association: scores of statements and choices by the fit of their names in an index; the
time of events."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from answerer.ntcir.multiple_choice.names.signals import NAMES, signal_rows
from answerer.ntcir.multiple_choice.shapes import ChoiceStatement
from indexer.entities import Mention, neighbour_words
from indexer.files.arrays import BoolArray, Float64Array, Int64Array
from indexer.files.errors import UserError
from indexer.statistics.forms import EVERY
from indexer.statistics.part import decode_book
from retriever.association.counts import (
    EntityCounts,
    entity_counts,
    highest,
    passages_with,
    phrase_row,
    unit_of,
)
from retriever.association.features import (
    NameClaim,
    NamedEntity,
    RaggedNames,
    flatten,
)
from retriever.learning.model import Model, load_model, unfit
from retriever.queries import analyser_of, language_of

if TYPE_CHECKING:
    from indexer.analysis.analyser import Analyser, Recogniser
    from indexer.engines.contract import Index

_REACH = 40  # characters on either side of a name in which the words beside it are looked for
_WHOLE = "(statement)"


class Claims(NamedTuple):
    """Statements resolved against an index: `claims` for the features, `labels` of their names in
    the same order. `places` maps a label to the character span (start, end) of the name's first
    mention, without words that are not part of a name."""

    claims: list[NameClaim]
    labels: list[list[str]]
    places: list[dict[str, tuple[int, int]]]
    counts: EntityCounts


def read_claims(statements: Sequence[ChoiceStatement], index: Index) -> Claims:
    """Resolves the names of statements by the part `names` of an index, with two requests. A name
    unknown as a whole is looked up by its parts (a surname); a capital letter at the start of a
    sentence counts only if the index knows the name. An unknown name of several terms, and a gap
    filler that is not a known name, are replaced by the sentences with all their terms. Raises
    UserError if the index counted no names, or was counted by another version of the program."""
    if not index.metadata.has_part("names"):
        raise UserError(
            f"the index {index.address} has no names: build it again without --no-names, or use "
            f"--method slqal"
        )
    glossary = index.glossary if index.metadata.settings.get("terms") else None
    analyser, recogniser = analyser_of(index), language_of(index).recogniser(glossary)
    mentions_of = [_mentions(statement, recogniser) for statement in statements]
    terms_of = [analyser.terms(statement.text) for statement in statements]
    # The whole name first, then its parts, such as a surname.
    keys = {
        mention.key: (mention.key, *recogniser.parts(mention.key))
        for mentions in mentions_of
        for mention, _ in mentions
    }
    counts = entity_counts(
        decode_book(
            index,
            sorted({key for parts in keys.values() for key in parts}),
            sorted({term for terms in terms_of for term in terms}),
            sorted({EVERY, *(w for mentions in mentions_of for _, both in mentions for w in both)}),
        )
    )
    claims, labels, places = [], [], []
    for statement, mentions, terms in zip(statements, mentions_of, terms_of, strict=True):
        term_rows = _rows_of(terms, counts)
        names, first = _named_entities(statement, mentions, keys, term_rows, analyser, counts)
        claims.append(NameClaim(tuple(names.values()), tuple(sorted(term_rows))))
        labels.append(list(names))
        places.append(first)
    return Claims(claims, labels, places, counts)


_Beside = tuple[str, str]  # the words right before and after a mention


def _mentions(statement: ChoiceStatement, recogniser: Recogniser) -> list[tuple[Mention, _Beside]]:
    """The mentions of names in a statement by position, each with the words beside it; what fills a
    gap is one, recognised as a name or not, for it is judged."""
    mentions = list(recogniser.mentions(statement.text))
    for start, end in statement.fillers:
        if not any(_touches(mention, [(start, end)]) for mention in mentions):
            filler = statement.text[start:end]
            mentions.append(Mention(start, end, filler, filler.lower()))
    return [
        (mention, neighbour_words(statement.text, mention.start, mention.end))
        for mention in sorted(mentions)
    ]


def _touches(mention: Mention, spans: Iterable[tuple[int, int]]) -> bool:
    """Whether a mention shares a character with one of the spans."""
    return any(mention.start < end and start < mention.end for start, end in spans)


def _rows_of(terms: Iterable[str], counts: EntityCounts) -> frozenset[int]:
    """The rows of those terms that the index has."""
    row_of = counts.book.term_row
    return frozenset(row_of[term] for term in terms if term in row_of)


def _named_entities(
    statement: ChoiceStatement,
    mentions: Sequence[tuple[Mention, _Beside]],
    keys: Mapping[str, Sequence[str]],
    term_rows: frozenset[int],
    analyser: Analyser,
    counts: EntityCounts,
) -> tuple[dict[str, NamedEntity], dict[str, tuple[int, int]]]:
    """The names of a statement by label, in the order of first mention, the statement as a whole
    last (unless it has gap fillers), and the span of each name's first mention. Judged are the gap
    fillers, without any the names in asserted spans, without these all. `keys` are the names under
    which a mention's key is looked up, the best first."""
    names: dict[str, NamedEntity] = {}
    first: dict[str, tuple[int, int]] = {}
    asserted: set[str] = set()
    for mention, beside in mentions:
        if _touches(mention, statement.asserted):
            asserted.update(keys[mention.key])
        is_filler = _touches(mention, statement.fillers)
        surface = analyser.terms(mention.surface)
        surface_rows = _rows_of(surface, counts)
        name_row = counts.book.name_row
        row = next((name_row[key] for key in keys[mention.key] if key in name_row), -1)
        are_known = len(surface_rows) == len(set(surface)) > 1
        if row < 0 and (is_filler or (mention.span is None and are_known)):
            # Wherever all its terms occur in one sentence, the name is taken to occur.
            row = phrase_row(counts, surface_rows)
        if row < 0 and not mention.sure:
            continue  # perhaps only the capital letter at the beginning of the sentence
        label = counts.keys[row] if row >= 0 else mention.key
        if label in names:
            names[label] = names[label]._replace(name_terms=names[label].name_terms | surface_rows)
            continue
        first[label] = mention.start, mention.end
        around = _rows_of(_terms_beside(statement.text, mention, analyser), counts)
        local = tuple(sorted((around & term_rows) - surface_rows))
        names[label] = NamedEntity(
            row, surface_rows, mention.span, local, is_filler, years=mention.years, beside=beside
        )
    # What is put into a gap is judged alone; else the names in asserted spans, or all.
    if not statement.fillers:
        judged = asserted & names.keys() or names.keys()
        names = {label: name._replace(judged=label in judged) for label, name in names.items()}
        names[_WHOLE] = NamedEntity(-1, frozenset(), whole=True)
    return names, first


def _terms_beside(text: str, mention: Mention, analyser: Analyser) -> list[str]:
    """At most two terms on either side of a mention, within `_REACH` characters; a word that the
    reach cuts in two is left out."""
    before, after = text[: mention.start], text[mention.end :]
    if len(before) > _REACH:
        before = before[-_REACH:].partition(" ")[2] or before[-_REACH:]
    if len(after) > _REACH:
        after = after[:_REACH].rpartition(" ")[0] or after[:_REACH]
    return [*analyser.terms(before)[-2:], *analyser.terms(after)[:2]]


TASK = "ntcir-mc-names"
# those that come with the program
WEIGHTS = Path(__file__).with_name("weights-ntcir-mc-names.json")
_UNKNOWN = 0.0  # the score of a statement in which nothing is judged


def load_weights(path: str | Path = WEIGHTS) -> Model:
    """Loads the weights in a file, by default the program's own. Its `learned` is `truth`, slope
    and middle of the log odds that a statement is true (slope × its score + middle). Raises
    UserError for a file that is not such a model."""
    model = load_model(path, TASK, NAMES)
    truth = model.learned.get("truth")
    if (
        not isinstance(truth, list)
        or [type(value) in (int, float) for value in truth] != [True] * 2
    ):
        raise unfit(path, "damaged model (learned.truth: expected 2 numbers)", TASK)
    if not isinstance(model.settings.get("languages"), list):
        raise unfit(path, "damaged model (settings.languages is not a list of languages)", TASK)
    return model


class Judgement(NamedTuple):
    """Scores of the statements of an exam, and the feature values that they come from. `scores`
    (statements,) are −ln mean exp(−u) over the statement's judged names, u being the name's
    weighted sum of features: high if every name fits. Per name of `flat`: `rows`
    (names, features) standardised features, `judged` whether it counts, and `u`."""

    scores: Float64Array
    rows: Float64Array
    judged: BoolArray
    u: Float64Array
    claims: Claims
    statements: Sequence[ChoiceStatement]
    flat: RaggedNames


def judge(statements: Sequence[ChoiceStatement], index: Index, model: Model) -> Judgement:
    """Scores all statements by the fit of their names over one index, in two requests. Raises
    UserError if the index counted no names, or was counted by another version of the program."""
    claims = read_claims(statements, index)
    flat = flatten(claims.claims)
    rows = (signal_rows(flat, claims.counts) - model.means) / model.scales
    u = rows @ model.weights
    judged = np.array([name.judged for claim in claims.claims for name in claim.names], bool)
    scores = pool_names(u[judged], flat.claim[judged], len(statements))
    return Judgement(scores, rows, judged, u, claims, statements, flat)


def pool_names(u: Float64Array, parts: Int64Array, size: int) -> Float64Array:
    """Statement scores (size,) from name scores `u`: −ln mean exp(−u) over the names of each
    statement. `_UNKNOWN` for a statement without names. `parts` is the index of each name's
    statement. Up to a constant, the score is the log likelihood that no name was exchanged, if one
    may have been."""
    least = np.full(size, np.inf)
    np.minimum.at(least, parts, u)
    # The least is taken out of the logarithm, so that no power overflows.
    least[~np.isfinite(least)] = _UNKNOWN
    total = np.bincount(parts, np.exp(least[parts] - u), size)
    number = np.bincount(parts, minlength=size)
    return np.asarray(
        np.where(
            number > 0, least - np.log(np.maximum(total, 1e-300) / np.maximum(number, 1)), _UNKNOWN
        )
    )


# Time as a histogram: spans of years that grow wider the further back they lie.
BOUNDS = np.r_[
    -1e9,
    -6000,
    -4000,
    -3000:-1000:250,
    -1000:1000:100,
    1000:1500:50,
    1500:1800:25,
    1800:2030:10,
    1e9,
]
ERAS = len(BOUNDS) - 1
_BLUR = 2.0  # eras over which a date is blurred
_PASSAGES = 12  # paragraphs that say when an event was
_SHARPNESS = 0.5  # of the softmax over BM25 scores: 2 points multiply a weight by e
_SMOOTHING = 0.3  # of all eras alike, so that no order is impossible
# weight of a date in the statement, above all that passages can add (about 1 a name)
_OWN_DATE = 50.0
# years beyond its first at which a glossary's span counts half: a lifetime is not a date
_LONG = 0.5


def era_shares(first: Float64Array, last: Float64Array) -> Float64Array:
    """Distributes each span of years, from `first` to `last` inclusive, over the eras: (spans,
    eras), rows sum to 1. A span is divided evenly over its eras and then smoothed by a Gaussian of
    two eras, so that near dates agree."""
    low = np.searchsorted(BOUNDS, first, side="right") - 1
    high = np.searchsorted(BOUNDS, last, side="right") - 1
    eras = np.arange(ERAS)
    inside = (eras >= low[:, None]) & (eras <= high[:, None])
    distance = (eras[:, None] - eras) / _BLUR
    blur = np.exp(-(distance**2) / 2)
    blur /= blur.sum(axis=1, keepdims=True)
    return np.asarray((inside / inside.sum(axis=1, keepdims=True)) @ blur, float)


def event_times(claims: Sequence[NameClaim], counts: EntityCounts) -> Float64Array:
    """The distribution of each event (claim) over time, (events, eras); rows sum to 1, uniform
    without any date. Years in the event itself count alone. Otherwise evidence adds up: the
    shortest date that a glossary has for its names (less if long), the dates of what its terms
    retrieve, and of paragraphs with its names (more if rare)."""
    unit, weights = unit_of(counts, "paragraph"), unit_of(counts, "paragraph").terms.weights
    years, which = counts.different_dates
    of_dates = era_shares(*years.T)[which]
    times = np.full((len(claims), ERAS), _SMOOTHING / ERAS)
    for row, claim in enumerate(claims):
        if spans := [name.span for name in claim.names if name.span]:
            times[row] += _OWN_DATE * era_shares(*np.array(spans, float).T).mean(axis=0)
            continue
        if periods := [name.years for name in claim.names if name.years]:
            start, end = min(periods, key=lambda period: (period[1] - period[0], period))
            trust = _OWN_DATE / (1 + (end - start) / _LONG)
            times[row] += trust * era_shares(np.array([start], float), np.array([end], float))[0]
        if claim.terms and unit.size:
            # The dates of the best paragraphs for the claim's terms, weighted by a softmax of BM25.
            scores = np.zeros(unit.size)
            for term in claim.terms:
                part = slice(weights.indptr[term], weights.indptr[term + 1])
                scores[weights.indices[part]] += weights.data[part]
            # So that sums in another order give the same ranking.
            scores = np.round(scores, 4)
            top = highest(scores, min(_PASSAGES, len(scores)))
            weight = np.exp(_SHARPNESS * (scores[top] - scores[top[0]]))
            weight /= weight.sum()
            dates = counts.dates_of[top] @ of_dates
            times[row] += 2.0 * weight @ (dates / np.maximum(dates.sum(axis=1, keepdims=True), 1.0))
        for name in claim.names:
            if name.row >= 0:
                paragraphs = passages_with(unit, name.row)
                shares = (counts.dates_of[paragraphs] @ of_dates).sum(axis=0)
                if total := float(shares.sum()):
                    # A rare name dates an event better than one that is in every chapter.
                    times[row] += shares / total / np.log2(1 + len(paragraphs))
    return np.asarray(times / times.sum(axis=1, keepdims=True), float)


def pair_score(first: Float64Array, second: Float64Array) -> float:
    """log P(the first event came before the second), from the probabilities of each era, earliest
    first, for both events; two events in one era count half. At least ln 1e-6."""
    before = np.concatenate(([0.0], np.cumsum(first)[:-1]))
    return float(np.log(before @ second + 0.5 * (first @ second) + 1e-6))


def log_probability(odds: float, true: bool) -> float:
    """The log probability that a statement is true, or that it is false, by its log odds of being
    true."""
    return float(-np.logaddexp(0.0, -odds if true else odds))
