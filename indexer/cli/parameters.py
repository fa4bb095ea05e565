"""click's options and commands, made of those that are declared as plain data (`indexer.parameters`)."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from functools import cache
from glob import escape
from typing import Any

import click
from click.shell_completion import CompletionItem

from indexer import parameters
from indexer.languages.registry import LANGUAGES
from indexer.location import indexes_folder
from indexer.parameters import CommandLine, Parameter

MOST = parameters.MOST


class CheckedValue(click.ParamType):  # type: ignore[type-arg]  # generic from click 8.5 on
    """click's side of a type of values: it completes them in a shell, and names the option in errors."""

    check: Callable[[object, str], Any]

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        try:
            return self.check(value, named_by(param))
        except ValueError as error:
            self.fail(str(error), param, ctx)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        if isinstance(self, parameters.InputPath | parameters.OutputPath):
            return [CompletionItem(incomplete, type="file" if self.files else "dir")]
        if isinstance(self, parameters.LanguageCode):
            return [CompletionItem(code) for code in LANGUAGES if code.startswith(incomplete)]
        if not isinstance(self, parameters.IndexAddress):
            return []
        if "/" in incomplete:
            return [CompletionItem(incomplete, type="dir")]
        return [CompletionItem(path.name) for path in sorted(indexes_folder().glob(f"{escape(incomplete)}*"))]

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str | None:
        return f"[{'|'.join(LANGUAGES)}]" if isinstance(self, parameters.LanguageCode) else None


@cache
def _with_click(kind: type) -> Any:
    """The type of values as one that click takes, with the same constructor."""
    return type(kind.__name__, (CheckedValue, kind), {})


InputPath = _with_click(parameters.InputPath)
InputPattern = _with_click(parameters.InputPattern)
OutputPath = _with_click(parameters.OutputPath)
IndexAddress = _with_click(parameters.IndexAddress)
SchedulerAddress = _with_click(parameters.SchedulerAddress)
Number = _with_click(parameters.Number)
LANGUAGE = _with_click(parameters.LanguageCode)()
TEXT = _with_click(parameters.TextParameter)()


def at_least(least: int, most: int = MOST) -> click.IntRange:
    """A whole number from `least` to `most`."""
    return click.IntRange(least, most)


SEED = at_least(0)
COUNT = at_least(1)


def named_by(param: click.Parameter | None) -> str:
    """Name of a parameter as the user writes it: `-o`, `EXAM.xml`."""
    if isinstance(param, click.Option):
        return param.opts[0]
    return param.human_readable_name.split()[0].strip("[].") if param else "a path"


def click_parameter(declared: Parameter) -> click.Parameter:
    """Makes click's option or argument of a declared one."""
    kind: Any
    match declared.type:
        case parameters.WholeNumber(least, most):
            kind = click.IntRange(least, most)
        case parameters.OneOf(choices):
            kind = click.Choice(list(choices))
        case parameters.Flag():
            kind = click.BOOL
        case other:
            kind = _with_click(type(other))(**vars(other))  # type: ignore[arg-type]  # a class is hashable
    if not declared.flags:
        return click.Argument(
            [declared.name],
            type=kind,
            metavar=declared.metavar,
            required=declared.required,
            nargs=-1 if declared.multiple else 1,
        )
    # click distinguishes an option without a default from one whose default is None.
    more: dict[str, Any] = {"is_flag": True} if kind is click.BOOL else {"type": kind}
    if declared.default is not None:
        more["default"] = declared.default
    return click.Option(
        [*declared.flags, declared.name],
        multiple=declared.multiple,
        required=declared.required,
        metavar=declared.metavar,
        help=declared.help,
        **more,
    )


def click_command(declared: CommandLine | click.Command) -> click.Command:
    """Makes click's command of a declared one; one of click's is returned unchanged."""
    if isinstance(declared, click.Command):
        return declared
    collected = {one.name: one.collect for one in declared.parameters if one.collect}

    def run(**given: Any) -> object:
        for name, collect in collected.items():
            given[name] = collect(given[name])
        return declared.run(**given)

    return click.Command(
        "command",
        callback=run,
        params=list(map(click_parameter, declared.parameters)),
        help=inspect.cleandoc(declared.help),
        epilog=f"Example: python -m {declared.example}",
    )


# Commands that are made of a function and its options, and the option --index that many of them have.

Option = Callable[[Callable[..., Any]], Callable[..., Any]]


def click_option(declared: Parameter) -> Option:
    """Makes a decorator that adds a declared option to a function, as click's own do."""

    def add(function: Callable[..., Any]) -> Callable[..., Any]:
        click.decorators._param_memo(function, click_parameter(declared))
        return function

    return add


def with_options(function: Callable[..., Any], options: Iterable[Option]) -> Callable[..., Any]:
    """A function with options and arguments, which the help shows in this order."""
    for one in reversed(list(options)):
        function = one(function)
    return function


def address_option(text: str, default: str | None = None, *, written: bool = False) -> Option:
    """--index ADDRESS, which reaches a command as `address`; `text` is the help."""
    return click_option(parameters.address_option(text, default=default, written=written))


def addresses_option(text: str, name: str = "addresses") -> Option:
    """--index ADDRESS, given as often as there are indexes, which reach a command under a name; `text` is the help."""
    return click_option(parameters.addresses_option(text, name))
