"""Hand weights: what answers without a model, and the prior of what is learned."""

from __future__ import annotations

from importlib import resources

FILE = "weights.tsv"


def hand_weights(package: str, file: str = FILE) -> dict[str, float]:
    """The weight of each feature that a package's file (`weights.tsv`) names, in the order of the file.

    A line is a name, a tab and a number; lines that begin with # are remarks. ValueError for a name that
    stands there twice, and for a weight that is not a number.
    """
    lines = resources.files(package).joinpath(file).read_text("utf-8").splitlines()
    rows = [line.split("\t") for line in lines if line and not line.startswith("#")]
    weights = {name: float(weight) for name, weight in rows}
    if len(weights) < len(rows):
        raise ValueError(f"{package}: a feature stands twice in {file}")
    return weights
