"""Entity association: scores of statements and choices by the fit of their names in an index; the
time of events."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.sparse import csr_array

from answerer.ntcir.multiple_choice.names import signals
from answerer.ntcir.multiple_choice.shapes import ChoiceStatement
from indexer.entities import Mention, span_of_key
from indexer.files.arrays import BoolArray, Float64Array, Int64Array
from indexer.files.errors import UserError
from indexer.statistics.forms import EVERY, neighbour_words
from indexer.statistics.part import decode_book, decode_paragraph_names, decode_standing
from retriever.association.counts import (
    EntityCounts,
    entity_counts,
    highest,
    passages_with,
    phrase_row,
    unit_of,
    with_names,
)
from retriever.association.features import (
    NameClaim,
    NamedEntity,
    RaggedNames,
    flatten,
    found_by,
    retrieved_by,
    with_rivals,
)
from retriever.learning.model import Model, load_model, unfit
from retriever.queries import analyser_of, language_of

if TYPE_CHECKING:
    from indexer.analysis.analyser import Analyser
    from indexer.engines.contract import Index, Searcher

_REACH = 40  # characters on either side of a name in which the words beside it are looked for
_WHOLE = "(statement)"
_HOME_SMOOTHING = (
    0.05  # of all that is found, as it would be found by chance, beside what each block has
)
_ENOUGH = 0.5  # of the greatest ratio: a block with that is as good a home
_HOME_SHARPNESS = 4.0  # power of what a block has of enough


class Claims(NamedTuple):
    """Statements resolved against an index: `claims` for the features, `labels` of their names in
    the same order. `places` maps a label to the character span (start, end) of the name's first
    mention, without words that are not part of a name. `home` is the result of `home_of`."""

    claims: list[NameClaim]
    labels: list[list[str]]
    places: list[dict[str, tuple[int, int]]]
    counts: EntityCounts
    home: Float64Array | None = None


def read_claims(
    statements: Sequence[ChoiceStatement], index: Index, questions: Sequence[int] | None = None
) -> Claims:
    """Resolves the names of statements by the part `names` of an index, with two requests. A name
    unknown as a whole is looked up by its parts (a surname); a capital letter at the start of a
    sentence counts only if the index knows the name. An unknown name of several terms, and a gap
    filler that is not a known name, are replaced by the sentences with all their terms. `questions`
    has the number of each statement's question; None: each statement's own. Raises UserError if the
    index counted no names, or was counted by another version of the program."""
    if not any(part.name == "names" for part in index.metadata.parts):
        raise UserError(
            f"the index {index.address} has no names: build it again without --no-names, or use "
            f"--method slqal"
        )
    glossary = index.glossary if index.metadata.settings.get("glossary") else None
    analyser, recogniser = analyser_of(index), language_of(index).recogniser(glossary)
    found: list[list[Mention]] = []
    for statement in statements:
        mentions = list(recogniser.mentions(statement.text))
        for (
            start,
            end,
        ) in statement.fillers:  # what fills a gap is judged, recognised as a name or not
            if not any(mention.start < end and start < mention.end for mention in mentions):
                filler = statement.text[start:end]
                mentions.append(Mention(start, end, filler, filler.lower()))
        found.append(sorted(mentions))
    # The whole name first, then its parts, such as a surname.
    keys = {
        each.key: (each.key, *recogniser.parts(each.key)) for mentions in found for each in mentions
    }
    texts = [statement.text for statement in statements]
    beside = [
        [neighbour_words(text, m.start, m.end) for m in own]
        for text, own in zip(texts, found, strict=True)
    ]
    terms = [analyser.terms(text) for text in texts]
    all_keys = sorted({each for own in keys.values() for each in own})
    words = sorted({EVERY, *(word for own in beside for both in own for word in both)})
    counts = entity_counts(
        decode_book(index, all_keys, sorted({term for own in terms for term in own}), words)
    )
    row_of, name_row = counts.book.term_row, counts.book.name_row
    claims, labels, places = [], [], []
    for statement, mentions, own_words, own_terms in zip(
        statements, found, beside, terms, strict=True
    ):
        known = frozenset(row_of[term] for term in own_terms if term in row_of)
        # By label, in the order of first mention.
        names: dict[str, NamedEntity] = {}
        first: dict[str, tuple[int, int]] = {}
        asserted: set[str] = set()
        for mention, both in zip(mentions, own_words, strict=True):
            is_asserted, is_filler = (
                any(mention.start < end and start < mention.end for start, end in spans)
                for spans in (statement.asserted, statement.fillers)
            )
            if is_asserted:
                asserted.update(keys[mention.key])
            surface = analyser.terms(mention.surface)
            own = frozenset(row_of[term] for term in surface if term in row_of)
            row = next((name_row[key] for key in keys[mention.key] if key in name_row), -1)
            if row < 0 and (
                is_filler or (mention.span is None and len(own) == len(set(surface)) > 1)
            ):
                # Wherever all its terms occur in one sentence, the name is taken to occur.
                row = phrase_row(counts, own)
            if row < 0 and not mention.sure:
                continue  # perhaps only the capital letter at the beginning of the sentence
            label = counts.keys[row] if row >= 0 else mention.key
            if label in names:
                names[label] = names[label]._replace(own=names[label].own | own)
                continue
            first[label] = mention.start, mention.end
            around = {
                row_of[term]
                for term in _terms_beside(statement.text, mention, analyser)
                if term in row_of
            }
            local = tuple(sorted((around & known) - own))
            names[label] = NamedEntity(
                row, own, mention.span, local, is_filler, years=mention.years, beside=both
            )
        if (
            not statement.fillers
        ):  # what is put into a gap is judged alone; else the names in asserted spans, or all
            inside = asserted & names.keys() or names.keys()
            names = {label: name._replace(judged=label in inside) for label, name in names.items()}
            names[_WHOLE] = NamedEntity(-1, frozenset(), whole=True)
        claims.append(NameClaim(tuple(names.values()), tuple(sorted(known))))
        labels.append(list(names))
        places.append(first)
    home = home_of(claims, range(len(claims)) if questions is None else questions, counts)
    return Claims(claims, labels, places, counts, home)


def _terms_beside(text: str, mention: Mention, analyser: Analyser) -> list[str]:
    """The two terms on either side of a mention; a word that the reach cuts in two is left out."""
    before, after = text[: mention.start], text[mention.end :]
    if len(before) > _REACH:
        before = before[-_REACH:].partition(" ")[2] or before[-_REACH:]
    if len(after) > _REACH:
        after = after[:_REACH].rpartition(" ")[0] or after[:_REACH]
    return [*analyser.terms(before)[-2:], *analyser.terms(after)[:2]]


def home_of(
    claims: Sequence[NameClaim], questions: Sequence[int], counts: EntityCounts
) -> Float64Array | None:
    """Collection selection: the weight of each block of the book for each claim, (claims, blocks),
    at most 1.

    The claims of a question share weights. With r the block's fraction of the passages retrieved by
    all terms of the question's statements, divided by its fraction of all passages: blocks with r
    at least half the greatest r weigh 1, others (r / half the greatest) to the fourth power; all
    weigh 1 if nothing is retrieved. None if the book is a single block. After federated search,
    which ranks collections by a sample of each ([SiCallan])."""
    unit = unit_of(counts, "paragraph")
    blocks, sizes = unit.block_of, unit.block_sizes
    if len(sizes) < 2 or not claims:
        return None
    retrieved = np.zeros((max(questions) + 1, len(sizes)))
    for claim, question in zip(claims, questions, strict=True):
        passages, shares = found_by(unit, np.array(claim.terms, np.int64))
        retrieved[question] += np.bincount(blocks[passages], shares, len(sizes))
    usual = sizes / sizes.sum()
    nothing = ~retrieved.any(axis=1, keepdims=True)
    # Where nothing is found the chance of a block is its size.
    share = np.where(nothing, usual, retrieved / (retrieved.sum(axis=1, keepdims=True) + nothing))
    ratio = (share + _HOME_SMOOTHING) / (usual + _HOME_SMOOTHING)
    home = np.minimum(1.0, ratio / ratio.max(axis=1, keepdims=True) / _ENOUGH) ** _HOME_SHARPNESS
    return np.asarray(home[np.asarray(questions)], float)


TASK = "ntcir-mc-names"
NAMES = (*signals.NAMES, "contrast", "has_rivals")  # the features in the order of their columns
WEIGHTS = Path(__file__).with_name(
    "weights-ntcir-mc-names.json"
)  # those that come with the program
_MOST = 6  # rivals of a name; twelve do no better
_ROUNDING = 9  # decimals of a share by which rivals are ordered
_UNKNOWN = 0.0  # the score of a statement in which nothing is judged


def load_weights(path: str | Path = WEIGHTS) -> Model:
    """Loads the weights in a file, by default the program's own. Its `learned` are `alone`, weights
    of the features without `contrast`, and `truth`, slope and middle of the log odds that a
    statement is true (slope × its score + middle). Raises UserError for a file that is not such a
    model."""
    model = load_model(path, TASK, NAMES)
    for name, number in (("truth", 2), ("alone", len(signals.NAMES))):
        values = model.learned.get(name)
        if (
            not isinstance(values, list)
            or [type(each) in (int, float) for each in values] != [True] * number
        ):
            raise unfit(path, f"damaged model (learned.{name}: expected {number} numbers)", TASK)
    if not isinstance(model.settings.get("languages"), list):
        raise unfit(path, "damaged model (settings.languages is not a list of languages)", TASK)
    return model


class Compared(NamedTuple):
    """Feature values of all names of an exam (`flat`), and of their distractors (`rivals`) put in
    the names' places. `rows` is (names, features), `rival_rows` (distractors, features); `of`
    (distractors,) is the index of the name that each competes with, rising; `rivals` (distractors,)
    is the row of each in `counts`, which include them."""

    flat: RaggedNames
    rows: Float64Array
    of: Int64Array
    rivals: Int64Array
    rival_rows: Float64Array
    counts: EntityCounts


def compare_with_rivals(claims: Claims, searcher: Searcher) -> Compared:
    """The features of all names and of their distractors, by two requests to `searcher`, the part
    `names`."""
    flat, counts = flatten(claims.claims, claims.home), claims.counts
    of = rivals = np.zeros(0, np.int64)
    if len(flat.rows) and len(counts.paragraph_of) and counts.keys:
        of, rivals, counts = _rivals(flat, claims, searcher)
    spans = [span_of_key(counts.keys[row]) for row in rivals]
    rows = signals.signal_rows(with_rivals(flat, of, rivals, spans), counts)
    size = len(flat.rows)
    return Compared(flat, rows[:size], of, rivals, rows[size:], counts)


def _rivals(
    flat: RaggedNames, claims: Claims, searcher: Searcher
) -> tuple[Int64Array, Int64Array, EntityCounts]:
    """The distractors of each name: (index of the name, rising; row of the distractor; counts that
    have that row). A name's distractors are entities of its type (for dates: spans of as many
    years) that the statement does not contain, at most `_MOST`, those with the greatest weight in
    the passages that the rest of the statement retrieves."""
    counts, unit = claims.counts, unit_of(claims.counts, "paragraph")
    dated = np.array([span is not None for span in flat.spans], bool)
    retrieved = retrieved_by(unit, flat)
    # Context and whole statements do not compete.
    competes = judged_names(claims) & ((flat.rows >= 0) | dated) & ~flat.whole
    shares = np.where(competes[:, None], retrieved.shares, 0.0)
    book = decode_paragraph_names(searcher, np.unique(retrieved.passages[shares > 0]), unit.size)
    places = (np.repeat(np.arange(len(flat.rows)), shares.shape[1]), retrieved.passages.ravel())
    leads = csr_array((shares.ravel(), places), (len(flat.rows), unit.size))
    leads.eliminate_zeros()
    found = csr_array(leads @ book.at)
    # The kind of each name and of each entity found, of a date its length.
    kinds = [
        *(counts.kinds[row] if row >= 0 else "year" for row in flat.rows.tolist()),
        *book.kinds,
    ]
    spans = [*flat.spans, *map(span_of_key, book.keys)]
    kinds = [
        kind if span is None else f"{span[1] - span[0]}"
        for kind, span in zip(kinds, spans, strict=True)
    ]
    stated = [
        {counts.keys[name.row] for name in claim.names if name.row >= 0} for claim in claims.claims
    ]
    of: list[int] = []
    columns: list[int] = []
    for name, claim in enumerate(flat.claim.tolist()):
        own = slice(found.indptr[name], found.indptr[name + 1])
        # By share, falling; equal shares in the order of the book.
        entries = zip(
            (-np.round(found.data[own], _ROUNDING)).tolist(),
            found.indices[own].tolist(),
            strict=True,
        )
        rivals = sorted(
            (share, column)
            for share, column in entries
            if kinds[len(flat.rows) + column] == kinds[name]
            and book.keys[column] not in stated[claim]
        )
        of += [name] * len(rivals[:_MOST])
        columns += [column for _, column in rivals[:_MOST]]

    # Rivals that no statement mentions have no counts yet: one more look-up.
    row_of = {key: row for row, key in enumerate(counts.keys)}
    missing = [column for column in sorted(set(columns)) if book.keys[column] not in row_of]
    if missing:
        keys = [book.keys[column] for column in missing]
        at, beside = decode_standing(searcher, keys, len(counts.paragraph_of))
        counts = with_names(counts, keys, [book.kinds[column] for column in missing], at, beside)
        row_of = {key: row for row, key in enumerate(counts.keys)}
    return (
        np.array(of, np.int64),
        np.array([row_of[book.keys[column]] for column in columns], np.int64),
        counts,
    )


def judged_names(claims: Claims) -> BoolArray:
    """Whether each name counts for the score of its statement, (names,)."""
    return np.array([name.judged for claim in claims.claims for name in claim.names], bool)


def contrast(u: Float64Array, of: Int64Array, of_rivals: Float64Array) -> Float64Array:
    """The margin of each name over its distractors, (names, 2): u − ln mean exp(u of its
    distractors), and 1. Both columns are 0 for a name without distractors. `u` are the scores of
    the names, `of` the index of the name of each distractor, `of_rivals` the distractors'
    scores."""
    has = np.bincount(of, minlength=len(u)) > 0
    return np.column_stack((np.where(has, u + pool_names(-of_rivals, of, len(u)), 0.0), has))


class Judgement(NamedTuple):
    """Scores of the statements of an exam, and the feature values that they come from. `scores`
    (statements,) are −ln mean exp(−u) over the statement's judged names, u being the name's
    weighted sum of features: high if every name fits. Per name: `rows` (names, features)
    standardised features, `judged` whether it counts, `u`, and `alone`, u without the margin over
    distractors, which `rival_u` is for the distractors in `compared`."""

    scores: Float64Array
    rows: Float64Array
    judged: BoolArray
    u: Float64Array
    claims: Claims
    statements: Sequence[ChoiceStatement]
    compared: Compared
    alone: Float64Array
    rival_u: Float64Array


def judge(
    statements: Sequence[ChoiceStatement],
    index: Index,
    model: Model,
    questions: Sequence[int] | None = None,
) -> Judgement:
    """Scores all statements by the fit of their names over one index; `questions` as for
    `read_claims`."""
    claims = read_claims(statements, index, questions)
    compared = compare_with_rivals(claims, index.part("names"))
    size, weights = len(signals.NAMES), np.array(model.learned["alone"], float)
    alone, rival_u = (
        np.asarray(((rows - model.means[:size]) / model.scales[:size]) @ weights, float)
        for rows in (compared.rows, compared.rival_rows)
    )
    rows = (
        np.column_stack((compared.rows, contrast(alone, compared.of, rival_u))) - model.means
    ) / model.scales
    u = rows @ model.weights
    judged = judged_names(claims)
    scores = pool_names(u[judged], compared.flat.claim[judged], len(statements))
    claims = claims._replace(counts=compared.counts)
    return Judgement(scores, rows, judged, u, claims, statements, compared, alone, rival_u)


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
_OWN_DATE = (
    50.0  # weight of a date in the statement, above all that passages can add (about 1 a name)
)
_LONG = (
    0.5  # years beyond its first at which a glossary's span counts half: a lifetime is not a date
)


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
    without any date. Years in the event itself outweigh all else. Otherwise evidence adds up: the
    shortest date that a glossary has for its names (less if long), the dates of what its terms
    retrieve, and of paragraphs with its names (more if rare)."""
    unit, weights = unit_of(counts, "paragraph"), unit_of(counts, "paragraph").terms.weights
    years, which = counts.different_dates
    of_dates = era_shares(*years.T)[which]
    times = np.full((len(claims), ERAS), _SMOOTHING / ERAS)
    for place, claim in enumerate(claims):
        if spans := [name.span for name in claim.names if name.span]:
            times[place] += _OWN_DATE * era_shares(*np.array(spans, float).T).mean(axis=0)
            continue
        if given := [name.years for name in claim.names if name.years]:
            start, end = min(given, key=lambda each: (each[1] - each[0], each))
            trust = _OWN_DATE / (1 + (end - start) / _LONG)
            times[place] += trust * era_shares(np.array([start], float), np.array([end], float))[0]
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
            times[place] += (
                2.0 * weight @ (dates / np.maximum(dates.sum(axis=1, keepdims=True), 1.0))
            )
        for name in claim.names:
            if name.row >= 0:
                paragraphs = passages_with(unit, name.row)
                held = (counts.dates_of[paragraphs] @ of_dates).sum(axis=0)
                if total := float(held.sum()):
                    # A rare name dates an event better than one that is in every chapter.
                    times[place] += held / total / np.log2(1 + len(paragraphs))
    return np.asarray(times / times.sum(axis=1, keepdims=True), float)


def pair_score(first: Float64Array, second: Float64Array) -> float:
    """log P(the first event came before the second); two events in one era count half."""
    before = np.concatenate(([0.0], np.cumsum(first)[:-1]))
    return float(np.log(before @ second + 0.5 * (first @ second) + 1e-6))


def log_probability(odds: float, true: bool) -> float:
    """The log probability that a statement is true, or that it is false, by its log odds of being
    true."""
    return float(-np.logaddexp(0.0, -odds if true else odds))
