"""Options that every command which builds an index has, as click decorators."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import click

from indexer.build import BuildOptions
from indexer.cli.types import Address, OutputPath

Function = Callable[..., Any]


def index_option(shown: str, default: str | None = None) -> Callable[[Function], Function]:
    """Adds --index ADDRESS, where the index goes, passed as `address` (without it that of
    `default`, or None); `shown` is the default as the help shows it."""
    return click.option(
        "--index",
        "address",
        metavar="ADDRESS",
        type=Address(written=True),
        default=default,
        help=f"Where the index goes [{shown}].",
    )


_OPTIONS = (
    click.option(
        "--rejects",
        metavar="FILE",
        type=OutputPath(),
        help="Keep rejected records here, as JSON lines.",
    ),
    click.option(
        "--allow-rejects",
        is_flag=True,
        help="Publish even if most records, or all of a file, are rejected.",
    ),
    click.option(
        "--replace",
        is_flag=True,
        help="Replace an index of another kind, of other sources or options.",
    ),
    click.option(
        "--jobs",
        type=click.IntRange(1, 256),
        default=1,
        help="Processes that analyse text [1].",
    ),
    click.option(
        "--shards",
        type=click.IntRange(1, 1024),
        help="Elasticsearch: primary shards [1 for each 10 GB].",
    ),
    click.option(
        "--replicas",
        type=click.IntRange(0, 100),
        help="Elasticsearch: copies of each shard [1, or 0 on one node].",
    ),
)


def build_options(function: Function) -> Function:
    """Adds the options of every build; the function gets their values as one `BuildOptions` in
    `options`."""

    @wraps(function)
    def with_options(**values: Any) -> Any:
        options = BuildOptions(**{name: values.pop(name) for name in BuildOptions._fields})
        return function(**values, options=options)

    for option in reversed(_OPTIONS):
        with_options = option(with_options)
    return with_options
