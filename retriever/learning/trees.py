"""LightGBM's model text, taken apart and put together again: of a model file only checked numbers reach its C++.

LightGBM itself believes what it reads: a child beyond the last node ends the process, a circle of nodes never ends.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence

LEAVES_LIMIT = 1_000
TREES_LIMIT = 10_000

_NUMBER = re.compile(r"-?[0-9]+(?:\.[0-9]+)?(?:e[-+]?[0-9]{1,3})?")
_RANGE = re.compile(rf"none|\[{_NUMBER.pattern}:{_NUMBER.pattern}\]")
_NUMERICAL = (0, 2, 4, 6, 8, 10)  # splits by size; where a missing value goes, and what counts as one
_END = "end of trees"


def checked_trees(text: str, features: int) -> str:
    """LightGBM's text of the same trees over so many features, made of checked numbers; ValueError for any other.

    Read are ensembles as `answerer train` writes them: splits of one feature by size, one output.
    """
    head, *blocks = text.partition(_END)[0].split("\nTree=")
    if len(blocks) > TREES_LIMIT:
        raise ValueError(f"more than {TREES_LIMIT:,} trees")
    ranges = _fields(head, "its head").get("feature_infos", "").split()
    if len(ranges) != features or not all(_RANGE.fullmatch(one) for one in ranges):
        raise ValueError(f"trees over {len(ranges)} features, not over {features}")
    trees = [f"Tree={number}\n{_tree(block, features, number)}\n\n" for number, block in enumerate(blocks)]
    lines = (
        "tree",
        "version=v4",
        "num_class=1",
        "num_tree_per_iteration=1",
        "label_index=0",
        f"max_feature_idx={features - 1}",
        "objective=lambdarank",
        f"feature_names={' '.join(f'Column_{number}' for number in range(features))}",
        f"feature_infos={' '.join(ranges)}",
        f"tree_sizes={' '.join(str(len(tree)) for tree in trees)}",
    )
    return "\n".join((*lines, "", "".join(trees) + _END, ""))


def _fields(block: str, where: str) -> dict[str, str]:
    """The lines `name=value` of a block by their names."""
    fields: dict[str, str] = {}
    for name, equals, value in (line.partition("=") for line in block.splitlines()):
        if equals and fields.setdefault(name, value) is not value:
            raise ValueError(f"{where}: {name} stands there twice")
    return fields


def _tree(block: str, features: int, number: int) -> str:
    where = f"tree {number}"
    first, _, rest = block.partition("\n")
    if first != str(number):
        raise ValueError(f"{where} is called {first[:20]}")
    fields = _fields(rest, where)
    if fields.get("num_cat") != "0" or fields.get("is_linear", "0") != "0":
        raise ValueError(f"{where} is of a kind that is not read")
    (leaves,) = _whole(fields, "num_leaves", 1, range(1, LEAVES_LIMIT + 1), where)
    splits = leaves - 1
    children = [_whole(fields, name, splits, range(-leaves, splits), where) for name in ("left_child", "right_child")]
    _check_shape(children, leaves, where)
    checked: Mapping[str, Sequence[object]] = {
        "num_leaves": (leaves,),
        "num_cat": (0,),
        "split_feature": _whole(fields, "split_feature", splits, range(features), where),
        "split_gain": _real(fields, "split_gain", splits, where),
        "threshold": _real(fields, "threshold", splits, where),
        "decision_type": _whole(fields, "decision_type", splits, _NUMERICAL, where),
        "left_child": children[0],
        "right_child": children[1],
        "leaf_value": _real(fields, "leaf_value", leaves, where),
        "leaf_weight": _real(fields, "leaf_weight", leaves if splits else 0, where),
        "leaf_count": _whole(fields, "leaf_count", leaves, range(1, 2**31), where),
        "internal_value": _real(fields, "internal_value", splits, where),
        "internal_weight": _real(fields, "internal_weight", splits, where),
        "internal_count": _whole(fields, "internal_count", splits, range(1, 2**31), where),
        "is_linear": (0,),
        "shrinkage": _real(fields, "shrinkage", 1, where),
    }
    return "\n".join(f"{name}={' '.join(map(str, values))}" for name, values in checked.items())


def _check_shape(children: Sequence[Sequence[int]], leaves: int, where: str) -> None:
    """Every leaf and every split but the first is the child of one split, which stands before it: no circle."""
    if any(0 <= child <= split for side in children for split, child in enumerate(side)):
        raise ValueError(f"{where}: a split that leads back")
    below = sorted(child for side in children for child in side)
    if leaves > 1 and below != [*range(-leaves, 0), *range(1, leaves - 1)]:
        raise ValueError(f"{where}: its splits and leaves are not one tree")


def _whole(fields: Mapping[str, str], name: str, count: int, allowed: Sequence[int], where: str) -> list[int]:
    texts = _real(fields, name, count, where)
    if not all(text.lstrip("-").isdecimal() and int(text) in allowed for text in texts):
        raise ValueError(f"{where}: {name} beyond its bounds")
    return [int(text) for text in texts]


def _real(fields: Mapping[str, str], name: str, count: int, where: str) -> list[str]:
    """So many numbers as they are written: none is rounded on the way."""
    texts = fields.get(name, "").split()
    if len(texts) != count:
        raise ValueError(f"{where}: {name} has {len(texts):,} numbers, not {count:,}")
    if not all(len(text) < 40 and _NUMBER.fullmatch(text) and math.isfinite(float(text)) for text in texts):
        raise ValueError(f"{where}: {name} holds what is no number")
    return texts
