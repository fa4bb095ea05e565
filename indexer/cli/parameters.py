"""click's options and commands, made of those that are declared as plain data (`indexer.parameters`)."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import cache
from glob import escape
from typing import Any

import click
from click.shell_completion import CompletionItem

from indexer import parameters
from indexer.languages.registry import LANGUAGES
from indexer.location import indexes_folder
from indexer.parameters import CommandLine, Parameter


class CheckedValue(click.ParamType):  # type: ignore[type-arg]  # generic from click 8.5 on
    """A click type for a declared type (`indexer.parameters`): values are checked by `check(value, option name)`."""

    check: Callable[[object, str], Any]

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The checked value; a ValueError of the check becomes click's error, which names the option."""
        try:
            return self.check(value, named_by(param))
        except ValueError as error:
            self.fail(str(error), param, ctx)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Completions in a shell of a file, folder, language code or index name; [] for other types."""
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


def named_by(param: click.Parameter | None) -> str:
    """Name of a parameter as the user writes it: `-o`, `EXAM.xml`."""
    if isinstance(param, click.Option):
        return param.opts[0]
    return param.human_readable_name.split()[0].strip("[].") if param else "a path"


def click_parameter(declared: Parameter) -> click.Parameter:
    """The click option, or argument if it has no flags, for a declared parameter."""
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
    more: dict[str, Any] = {"is_flag": True} if kind is click.BOOL else {"type": kind}
    if declared.default is not None or kind is click.BOOL:  # by itself click takes a flag that is not given for False
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
    """The click command for a declared command; a click command is returned unchanged."""
    if isinstance(declared, click.Command):
        return declared

    def run(**values: Any) -> object:
        """Calls the declared function with the command line's values, converted by `collect` where a parameter has
        it."""
        for parameter in declared.parameters:
            if parameter.collect:
                values[parameter.name] = parameter.collect(values[parameter.name])
        return declared.run(**values)

    return click.Command(
        "command",
        callback=run,
        params=list(map(click_parameter, declared.parameters)),
        help=inspect.cleandoc(declared.help),
        epilog=f"Example: python -m {declared.example}",
    )
