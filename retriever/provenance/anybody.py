"""YAML of anybody: mappings, lists and texts, each standing for itself, and nothing else."""

from __future__ import annotations

from functools import cache
from typing import Any

LARGEST = 2**20
"""Characters of the largest text that is read."""


def read_yaml(text: str) -> Any:
    """What a text of YAML holds, every scalar as text.

    ValueError, in one short line, for what is no YAML, too large, nested too deeply, or repeats a part of itself by
    an alias: a few lines of these can stand for more than any memory holds.
    """
    import yaml

    if len(text) > LARGEST:
        raise ValueError(f"more than {LARGEST:,} characters")
    try:
        return yaml.load(text, Loader=_loader())  # noqa: S506 - a BaseLoader makes texts alone
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        raise ValueError(f"no YAML ({' '.join(str(error).split())[:200]})") from None


@cache
def _loader() -> Any:
    import yaml

    class Loader(yaml.BaseLoader):  # type: ignore[misc]  # untyped
        def compose_node(self, parent: Any, index: Any) -> Any:
            if self.check_event(yaml.AliasEvent):
                raise yaml.YAMLError("an alias, which stands for another part")
            return super().compose_node(parent, index)

    return Loader
