"""LambdaMART by LightGBM, for comparison: the extra `classical-qa[lambdamart]` brings the library."""

from __future__ import annotations

import atexit
from collections.abc import Iterator
from functools import cache, lru_cache
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np

from indexer.apart import Apart, LostError
from indexer.cli.commands import install_hint
from indexer.files.errors import UserError

if TYPE_CHECKING:
    from indexer.files.arrays import BoolArray, Float64Array, Int64Array


def _lightgbm() -> Any:
    try:
        import lightgbm
    except ImportError as error:
        raise UserError(f"--ranker lambdamart needs LightGBM: {install_hint('lambdamart')}") from error
    except OSError as error:  # the package is there, and the system's library that it calls is not (libgomp1)
        raise UserError(f"--ranker lambdamart: LightGBM cannot be loaded ({error}): install libgomp") from error
    return lightgbm


def fit_trees(features: Float64Array, groups: Int64Array, gold: BoolArray, *, rounds: int, seed: int) -> str:
    """LightGBM's model text after `rounds` trees of LambdaMART on the groups; repeatable by its seed.

    `features` is (rows, features), `groups` and the mask `gold` are (rows,).
    """
    lightgbm = _lightgbm()
    sizes = np.unique(groups, return_counts=True)[1]
    settings = {
        "objective": "lambdarank",
        "learning_rate": 0.05,
        "num_leaves": 15,
        "min_data_in_leaf": 30,
        "lambda_l2": 10.0,
        "feature_fraction": 0.5,
        "bagging_fraction": 0.8,
        "bagging_freq": 1,
        "seed": seed,
        "deterministic": True,
        "force_row_wise": True,
        "num_threads": 1,
        "verbosity": -1,
    }
    data = lightgbm.Dataset(features, label=gold.astype(int), group=sizes, free_raw_data=True)
    return str(lightgbm.train(settings, data, num_boost_round=rounds).model_to_string())


def predict(trees: str, features: Float64Array) -> Float64Array:
    """One score a row, (rows,), of features (rows, features). UserError without LightGBM, and for a damaged text."""
    return _apart(trees, features, False)


def shapley_values(trees: str, features: Float64Array) -> Float64Array:
    """What each feature adds to each row's score, (rows, features + 1); the last column is the same for all rows.

    Errors as `predict`.
    """
    return _apart(trees, features, True)


def _apart(trees: str, features: Float64Array, shares: bool) -> Float64Array:
    try:
        with _ONE_AT_A_TIME:
            (values,) = _worker()(trees, features, shares)
    except LostError as error:
        raise UserError(f"the model's trees cannot be computed: {error}; train it again") from error
    return values


_ONE_AT_A_TIME = Lock()


@cache
def _worker() -> Apart[Float64Array]:
    """One process that computes with trees of any file, until this one ends."""
    worker = Apart(computed)
    atexit.register(worker.close)
    return worker


def computed(trees: str, features: Float64Array, shares: bool) -> Iterator[Float64Array]:
    """The scores of rows, or the shares of features in them, by LightGBM in this process."""
    yield np.asarray(_booster(trees).predict(features, num_threads=1, pred_contrib=shares), float)


@lru_cache(maxsize=4)
def _booster(trees: str) -> Any:
    try:
        return _lightgbm().Booster(model_str=trees)
    except _lightgbm().basic.LightGBMError as error:
        raise UserError(f"damaged LightGBM text in the model: {error}") from error
