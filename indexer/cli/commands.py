"""Groups of commands, each loaded when it is chosen."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from difflib import get_close_matches
from pkgutil import resolve_name
from typing import Any

import click
from click.shell_completion import CompletionItem

from indexer.cli.parameters import HELP_OPTIONS, click_command
from indexer.parameters import CommandLine

Registry = Mapping[str, tuple[str | CommandLine | Callable[[], CommandLine], str]]


class LazyGroup(click.Group):
    """A group whose commands come from a registry: name → (place, one line of help). The overview imports no command.

    A place is a command, a function that returns one, or `module:attribute` of a command or group; the attribute is
    `command` if it is left out. A registry may be a function; it is read when the group is used.
    """

    def __init__(self, *args: Any, registry: Registry | Callable[[], Registry], **more: Any) -> None:
        super().__init__(*args, context_settings=HELP_OPTIONS, **more)
        self._registry = registry if callable(registry) else lambda: registry

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names in the order of the registry, then those of the group itself."""
        return list(dict.fromkeys([*self._registry(), *self.commands]))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, which is loaded; None if unknown, a UsageError if similar names are known. Raises
        TypeError if the registry names another object."""
        registry = self._registry()
        if cmd_name not in registry:
            own = super().get_command(ctx, cmd_name)
            # click itself suggests only names of commands that are loaded.
            if near := [] if own or ctx.resilient_parsing else get_close_matches(cmd_name, self.list_commands(ctx)):
                ctx.fail(f"No such command {cmd_name!r}. Did you mean {' or '.join(map(repr, near))}?")
            return own
        found: object = registry[cmd_name][0]
        if isinstance(found, str):
            found = resolve_name(found if ":" in found else f"{found}:command")
        if isinstance(found, click.Command):  # callable too, but a call would run it
            return found
        declared = found() if callable(found) else found
        if not isinstance(declared, CommandLine):
            raise TypeError(f"{cmd_name}: {declared!r} is not a command")
        return click_command(declared)

    def _lines(self, ctx: click.Context) -> list[tuple[str, str]]:
        """Name and line of help of each command, none of which is loaded."""
        lines = {name: str(one.short_help) for name, one in self.commands.items()}
        lines |= {name: line for name, (_, line) in self._registry().items()}
        return [(name, lines[name]) for name in self.list_commands(ctx)]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(self._lines(ctx))

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        names = [CompletionItem(name, help=line) for name, line in self._lines(ctx) if name.startswith(incomplete)]
        return [*names, *click.Command.shell_complete(self, ctx, incomplete)]
