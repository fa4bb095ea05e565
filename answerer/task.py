"""The record of a task: its names, its module, its input files and formats; `answerer.registry`
lists them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from answerer.beginning import Beginning


@dataclass(frozen=True, kw_only=True)
class Task:
    """A task as `--help`, `serve`, `check`, `submit`, `explain`, `report` and Python know it."""

    name: str
    help: str
    """One line of `--help`."""
    module: str
    """The module that has `command`, its click command, and `answer`, what Python calls: a function
    from questions and options to a `Run`. It loads when the task is chosen."""
    index: str = ""
    """The kind of index that it searches; "" for none."""
    several_files: bool = False
    """Whether it is answered from several input files together."""
    is_first: Callable[[Beginning], bool] = lambda _: True
    """Of several files, whether this one comes first."""
    further: str = ""
    """The option that takes the other files; "" if all are arguments."""
    recognises: Callable[[Sequence[Beginning], Beginning | None], bool] | None = None
    """Of a task of another distribution: whether these input files, and this submission if there is
    one, are its own. Those of ours are in `answerer.recognition`."""
    check: Callable[[str, str], list[str]] | None = None
    """Of a task of another distribution: from the paths of input and submission to the faults of
    the submission. Those of ours are in `answerer.check.submissions`."""
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
