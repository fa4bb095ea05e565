"""The record of a task: names, commands, checks and formats; `answerer.registry`
lists them."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias, TypeVar, cast

if TYPE_CHECKING:
    from answerer.beginning import Beginning

Named = TypeVar("Named")
Lazy: TypeAlias = Named | str
"""An object, or its name as `module:attribute`: a record must not import what only the chosen task
needs."""


def load(named: Named | str) -> Named:
    """Returns the object, imported where only its name is given."""
    return cast(Named, pkgutil.resolve_name(named)) if isinstance(named, str) else named


@dataclass(frozen=True, kw_only=True)
class Task:
    """A task as `--help`, `serve`, `check`, `submit`, `explain`, `report` and Python know it.

    `answer` takes the command's arguments in order, `evidence`, and the other options, but for the
    outputs, by their long names. `index` is the kind of index it searches ("" for none).
    `check(input, run)` lists the faults of a submission. `recognises`, of a task of another
    distribution, decides by the beginnings of the input files, and of a submission if there is one;
    those of ours are in `answerer.recognition`. Of a task of several input files `is_first`
    says which comes first; `further` is the option for the others ("" if all are arguments).
    """

    name: str
    help: str
    module: str
    """The module that has `command`, its click command, and `answer`, what Python calls: a function
    from questions and options to a `Run`. It loads when the task is chosen."""
    index: str = ""
    check: Lazy[Callable[[str, str], list[str]]] | None = None
    recognises: Callable[[Sequence[Beginning], Beginning | None], bool] | None = None
    several_files: bool = False
    is_first: Callable[[Beginning], bool] = lambda _: True
    further: str = ""
    run_type: tuple[str, str, tuple[str, ...]] | None = None
    """NTCIR QA Lab's: its folder in a submission, its part of a RUN_ID ("" means the language), its
    files' roots."""
    features: Mapping[str, str] = field(default_factory=dict)
    """Feature (… matches any characters) → what it measures, in words."""
    features_before_weights: bool = False
    """Whether a trace holds feature values that its header's weights multiply, instead of what they
    add."""
    ids_are_ranks: bool = False
    """Whether a candidate's id is its rank, so that the answer is compared with its text."""
    features_are_shared_words: bool = False
    """Whether every feature is of the words that a candidate shares with the question."""
    docs: str = ""
    """The file of the page that describes the commands of a task from another distribution."""
