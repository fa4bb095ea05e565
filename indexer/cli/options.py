"""The options that every command of the indexer has."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, NamedTuple

import click

from indexer.cli.declared import Option, address_option, with_options
from indexer.cli.parameters import OutputPath, SchedulerAddress, at_least


class BuildOptions(NamedTuple):
    """How an index is built: where rejected records go, on how many processes, what may be replaced or let pass; the
    Dask scheduler on whose workers, where that is asked for."""

    rejects: str | None = None
    jobs: int = 1
    shards: int | None = None
    replicas: int | None = None
    replace: bool = False
    allow_rejects: bool = False
    scheduler: str | None = None


_OPTIONS = (
    click.option("--rejects", metavar="FILE", type=OutputPath(), help="Keep rejected records here, as JSON lines."),
    click.option("--allow-rejects", is_flag=True, help="Publish even if most records, or all of a file, are rejected."),
    click.option("--replace", is_flag=True, help="Replace an index of another kind or of other sources."),
    click.option("--jobs", type=at_least(1, 256), default=1, help="Processes that analyse text [1]."),
    click.option("--shards", type=at_least(1, 1024), help="Elasticsearch: primary shards [1 for each 10 GB]."),
    click.option(
        "--replicas", type=at_least(0, 100), help="Elasticsearch: copies of each shard [1, or 0 on one node]."
    ),
)


def index_option(said: str, default: str | None = None) -> Option:
    """--index ADDRESS: where the index goes; `said` is the default as the help tells it."""
    return address_option(f"Where the index goes [{said}].", default, written=True)


scheduler_option = click.option(
    "--scheduler",
    metavar="ADDRESS",
    type=SchedulerAddress(),
    help="Build on the workers of a Dask scheduler (tcp://HOST:8786).",
)
"""The machines that build the index; goes below `build_options`."""


def build_options(command: Callable[..., None]) -> Callable[..., None]:
    """Gives a command these options, which reach it together as `options`, a `BuildOptions`."""

    @wraps(command)
    def with_build_options(**given: Any) -> None:
        options = BuildOptions(**{name: given.pop(name) for name in BuildOptions._fields if name in given})
        command(options=options, **given)

    return with_options(with_build_options, _OPTIONS)
