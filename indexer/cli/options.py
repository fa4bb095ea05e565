"""The options of every build command, and the options of a command given from Python."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from typing import Any, NamedTuple

import click

from indexer.cli.parameters import Option, OutputPath, SchedulerAddress, address_option, at_least, with_options
from indexer.files.errors import UserError


class BuildOptions(NamedTuple):
    """Options of every build: the file of rejected records, the number of processes, what may be replaced or let pass,
    the Dask scheduler whose workers build (if any)."""

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
    """--index ADDRESS: where the index goes; `said` is the default as the help shows it."""
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


# The options of a command as Python gives them: by their long names, checked by the types of the command line.


def settings(
    task: str, params: Sequence[click.Parameter], given: Mapping[str, object], also: Sequence[str] = ()
) -> dict[str, object]:
    """Values of a command's options by parameter name: the given value, converted by the option's type, else its
    default.

    Raises UserError for a value that the command would refuse, and for a name that is not an option's; its message
    lists `also` beside the options.
    """
    by_name = {_long_name(param): param for param in params if isinstance(param, click.Option)}
    unknown = [name for name in given if name not in by_name]
    if unknown:
        known = ", ".join([*also, *by_name]) or "no options"
        raise UserError(f"{task} takes no {unknown[0]}; it takes {known}")
    return {str(param.name): _convert(param, given.get(name)) for name, param in by_name.items()}


def _long_name(param: click.Parameter) -> str:
    """Name of an option in Python: `--choice-only` is choice_only, `-k` is k."""
    return max(param.opts, key=len).lstrip("-").replace("-", "_")


def _convert(param: click.Parameter, value: object) -> object:
    """A value as a parameter's type takes it, the default for None. Raises UserError as the command says it."""
    if value is None:
        value = param.to_info_dict()["default"]
    elif param.multiple and not isinstance(value, list | tuple):
        value = (value,)
    if value is None:
        if param.required:
            raise UserError(f"{_long_name(param)} is missing")
        return () if param.multiple else None
    try:
        if param.multiple and any(one is None for one in value):  # type: ignore[attr-defined]  # a list, by now
            raise TypeError
        return param.type_cast_value(click.Context(click.Command(None)), value)
    except click.UsageError as error:
        raise UserError(error.format_message()) from None
    except (AttributeError, TypeError):  # nor one of another kind, of which click's own types make a text or fail
        raise UserError(f"{_long_name(param)}: {value!r} is no {param.type.name}") from None
    except OverflowError:  # which no text of a command line gives
        raise UserError(f"{_long_name(param)}: a number beyond all bounds") from None
