"""Command groups of all programs: commands loaded when they are chosen, -h, --version, --quiet."""

from __future__ import annotations

import platform
from collections import Counter
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from functools import cached_property
from pkgutil import resolve_name
from typing import Any, TypeVar

import click
from click.shell_completion import CompletionItem

from indexer.cli.parameters import click_command
from indexer.files.errors import UserError
from indexer.files.messages import to_stderr
from indexer.files.versions import own_version
from indexer.parameters import CommandLine

Command = TypeVar("Command", bound=click.Command)
AnyCommand = click.Command | CommandLine
Registry = Mapping[str, tuple[str | AnyCommand | Callable[[], AnyCommand], str]]
HELP_OPTIONS = {"help_option_names": ["-h", "--help"]}


class LazyGroup(click.Group):
    """A group whose commands come from a registry: name → (module, module:attribute or command, one line of help).

    A registry may be a function, called when the group is first used. `attribute` is the name of the click command in
    each module that names none. Names in the group and in the registry must not repeat. The overview shows the
    registry's lines without importing anything.
    """

    def __init__(
        self, *args: Any, registry: Registry | Callable[[], Registry], attribute: str = "command", **kwargs: Any
    ) -> None:
        super().__init__(*args, context_settings=HELP_OPTIONS, **kwargs)
        self._registry = registry
        self.attribute = attribute

    @cached_property
    def registry(self) -> Registry:
        return self._registry() if callable(self._registry) else self._registry

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*self.registry, *super().list_commands(ctx)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, imported now and given --quiet and --verbose (unless it is a group); None if
        unknown.

        Raises TypeError if the registry names an object that is not a command.
        """
        if cmd_name not in self.registry:
            return super().get_command(ctx, cmd_name)
        named = self.registry[cmd_name][0]
        if isinstance(named, str):
            named = resolve_name(named if ":" in named else f"{named}:{self.attribute}")
        declared = named() if callable(named) and not isinstance(named, click.Command) else named
        if not isinstance(declared, click.Command | CommandLine):
            raise TypeError(f"{cmd_name}: {declared!r} is not a command")
        command = click_command(declared)
        return command if isinstance(command, click.Group) else with_quiet(command)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click's, but the error for an unknown command suggests a similar name."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            near = get_close_matches(args[0], self.list_commands(ctx), 1)
            if not near:
                raise
            raise click.UsageError(f"{error.format_message()} Did you mean {near[0]!r}?", ctx) from None

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """The commands that begin so, as the registry says them: nothing is imported for it; and the options."""
        found = [CompletionItem(name, help=line) for name, line in self._rows() if name.startswith(incomplete)]
        return found + click.Command.shell_complete(self, ctx, incomplete)

    def _rows(self) -> list[tuple[str, str]]:
        """Commands with their lines of help."""
        rows = [(name, help_line) for name, (_, help_line) in self.registry.items()]
        return rows + [(name, command.get_short_help_str(80)) for name, command in sorted(self.commands.items())]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(self._rows())


def with_quiet(command: Command) -> Command:
    """Adds --quiet, --verbose and -h to a command, in place, and returns it; options of one value given twice then
    raise UserError. A command that has --quiet is returned unchanged."""
    if any(param.name == "quiet" for param in command.params):  # a command is asked for again in one process
        return command
    parse = command.parse_args

    def parse_once_each(context: click.Context, args: list[str]) -> list[str]:
        _, _, order = command.make_parser(context).parse_args(list(args)) if args else ({}, [], [])
        for option, times in Counter(order).items():
            if isinstance(option, click.Option) and times > 1 and not (option.multiple or option.is_flag):
                raise UserError(f"{option.opts[0]} is given {times} times: give it once")
        return parse(context, args)

    def say_less_or_more(context: click.Context, option: click.Parameter, chosen: bool) -> None:
        context.meta[f"{__name__}.{option.name}"] = chosen  # --verbose goes before --quiet, in whatever order
        verbose = bool(context.meta.get(f"{__name__}.verbose"))
        to_stderr(quiet=bool(context.meta.get(f"{__name__}.quiet")) and not verbose, verbose=verbose)

    command.parse_args = parse_once_each  # type: ignore[assignment, method-assign]
    command.context_settings = {**HELP_OPTIONS, **command.context_settings}
    for name, text in (
        ("--quiet", "Say nothing but warnings and errors."),
        ("--verbose", "Say more: what is opened, how long it takes."),
    ):
        command.params.append(
            click.Option([name], is_flag=True, expose_value=False, callback=say_less_or_more, help=text)
        )
    return command


def version_option(command: Command) -> Command:
    """Adds --version, which prints the versions of the program and of Python, to a command, in place, and returns
    it."""

    def show(context: click.Context, _option: click.Parameter, wanted: bool) -> None:
        if wanted:
            click.echo(f"classical-qa {own_version()} (Python {platform.python_version()})")
            context.exit()

    option = click.Option(
        ["--version"], is_flag=True, expose_value=False, is_eager=True, callback=show, help="Show the version and exit."
    )
    command.params.append(option)
    return command
