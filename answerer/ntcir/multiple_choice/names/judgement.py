"""Scores of the statements of an exam from the signals of their names, over one index."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from answerer.ntcir.multiple_choice.names.counts import counted_by_this_version
from answerer.ntcir.multiple_choice.names.rivals import Compared, compare_with_rivals, contrast
from answerer.ntcir.multiple_choice.names.statements import Claims, read_statements
from answerer.ntcir.multiple_choice.names.weights import alone_of
from answerer.ntcir.multiple_choice.shapes import ChoiceStatement
from indexer.engines.contract import Index
from indexer.files.arrays import Float64Array, Int64Array
from indexer.files.errors import UserError
from retriever.learning.model import Model
from retriever.queries import analyser_of, glossary_of, language_of

_UNKNOWN = 0.0  # the score of a statement in which nothing is judged


class Judgement(NamedTuple):
    """Scores of the statements of an exam, and the signals they come from.

    `scores` has a number a statement: −log of the mean over its judged names of exp(−u), u a name's weighted
    signals: high where every name belongs. `rows` and `parts` are the signals of each name, standardised, and
    the statement that it is in; `u` their weighted sums. `claims` and `statements` are what was judged. `compared` has
    the rivals of the names, `rival_u` their weighted sums without contrast, and `alone` those of the names.
    """

    scores: Float64Array
    rows: Float64Array
    parts: Int64Array
    judged: Int64Array
    u: Float64Array
    claims: Claims
    statements: Sequence[ChoiceStatement]
    compared: Compared
    alone: Float64Array
    rival_u: Float64Array


def judge(
    statements: Sequence[ChoiceStatement], index: Index, model: Model, questions: Sequence[int] | None = None
) -> Judgement:
    """The signals of all statements over one index, weighted and pooled; `questions` are as in `read_claims`."""
    claims = read_claims(statements, index, questions)
    found = compare_with_rivals(claims, index.part("names"))
    alone, of_rivals = (_alone(rows, model) for rows in (found.rows, found.rival_rows))
    raw = np.column_stack((found.rows, contrast(alone, found.of, of_rivals)))
    rows = (raw - model.means) / model.scales
    u = rows @ model.weights
    parts = np.array([n for n, claim in enumerate(claims.claims) for _ in claim.names], np.int64)
    judged = np.array([name.judged for claim in claims.claims for name in claim.names], bool)
    scores = pool_names(u[judged], parts[judged], len(statements))
    claims = claims._replace(counts=found.counts)
    return Judgement(scores, rows, parts, judged, u, claims, statements, found, alone, of_rivals)


def _alone(rows: Float64Array, model: Model) -> Float64Array:
    """The weighted sums of the signals without contrast, by the weights learned for them alone."""
    size = rows.shape[1]
    return np.asarray(((rows - model.means[:size]) / model.scales[:size]) @ alone_of(model), float)


def read_claims(statements: Sequence[ChoiceStatement], index: Index, questions: Sequence[int] | None = None) -> Claims:
    """The claims of statements over an index; `questions` are their questions' numbers, by default one each.

    Raises UserError if the index counted no names, or other things of them.
    """
    if not any(part.name == "names" for part in index.metadata.parts):
        raise UserError(
            f"the index {index.address} has no names: build it again without --no-names, or use --method slqal"
        )
    names = language_of(index).recogniser(glossary_of(index))
    with counted_by_this_version(index):
        return read_statements(statements, index.part("names"), analyser_of(index), names, questions)


def pool_names(u: Float64Array, parts: Int64Array, size: int) -> Float64Array:
    """−log mean exp(−u) over the names of each statement, 0 without one: the likelihood, up to a constant,
    that no name was exchanged, if one may have been."""
    least = np.full(size, np.inf)
    np.minimum.at(least, parts, u)
    least[~np.isfinite(least)] = _UNKNOWN
    total = np.bincount(parts, np.exp(least[parts] - u), size)
    number = np.bincount(parts, minlength=size)
    return np.asarray(np.where(number > 0, least - np.log(np.maximum(total, 1e-300) / np.maximum(number, 1)), _UNKNOWN))
