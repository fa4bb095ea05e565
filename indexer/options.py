"""The options that every command of the indexer has."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

Command = TypeVar("Command", bound=Callable[..., Any])


def build_options(command: Command) -> Command:
    """--rejects, --jobs, --shards, --replicas."""
    for option in (
        click.option("--replicas", type=click.IntRange(0), default=0, help="Elasticsearch: copies of each shard [0]."),
        click.option("--shards", type=click.IntRange(1), default=1, help="Elasticsearch: primary shards [1]."),
        click.option("--jobs", type=click.IntRange(1), default=1, help="Processes that analyse text [1]."),
        click.option("--rejects", metavar="FILE", help="Keep rejected records here, as JSON lines."),
    ):
        command = option(command)
    return command
