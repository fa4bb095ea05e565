"""The ways to score given candidates: methods without training, or a model."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from answerer.models import UNTRAINED, model_of, model_parameters
from indexer.files.errors import UserError

if TYPE_CHECKING:
    from indexer.files.arrays import Float64Array
    from retriever.ranking.ranker import Ranking

PACKAGES = ("numpy", "scipy")

METHODS = {
    "sum": "a fixed sum of a few features, untrained",
    "bm25": "BM25 with idf from the question's own candidates",
    "rank-bm25": "the rank-bm25 package over the question's own candidates",
    "overlap": "terms of the question in the candidate",
}


class Scored(NamedTuple):
    """Scores (rows,) of a file's candidates, the method and parameters that gave them, and the third-party packages
    used.

    `added` computes feature name → contribution to the scores, (rows,).
    """

    scores: Float64Array
    method: str
    parameters: dict[str, Any]
    packages: tuple[str, ...]
    added: Callable[[], Mapping[str, Float64Array]]


def require_one(method: str | None, model_path: str | None) -> None:
    """Raises UserError if both a method and a model are given."""
    if model_path not in (None, UNTRAINED) and method:
        raise UserError("--model and --method exclude each other: a model is a method")


def score_candidates(ranking: Ranking, method: str | None, model_path: str | None) -> Scored:
    """Scores candidates by the untrained `method`, else by the model file (None: the packaged model, or the fixed sum
    without one; `none`: the fixed sum).

    Raises UserError if both are given.
    """
    require_one(method, model_path)
    model_path = None if method else model_of(ranking.recipe.task, model_path)
    if not model_path:
        packages = (*PACKAGES, "rank-bm25") if method == "rank-bm25" else PACKAGES
        name = method or "sum"
        return Scored(ranking.by_method(name), name, {}, packages, lambda: ranking.contributions_by_method(name))
    model = ranking.load(model_path)
    parameters = model_parameters(model_path, model.data)
    return Scored(
        ranking.by_model(model), model.ranker, parameters, PACKAGES, lambda: ranking.contributions_by_model(model)
    )
