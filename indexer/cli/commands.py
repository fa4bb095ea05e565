"""Groups of commands, each loaded when it is chosen."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pkgutil import resolve_name
from typing import Any

import click

from indexer.cli.parameters import HELP_OPTIONS, click_command
from indexer.parameters import CommandLine

Registry = Mapping[str, tuple[str | CommandLine | Callable[[], CommandLine], str]]


class LazyCommand(click.Command):
    """A command known by its name and line of help; it loads when it is run, or its options are completed.

    `place` is a command, a function that returns one, or `module:attribute` of a command or group; the attribute is
    `command` if it is left out.
    """

    def __init__(self, name: str, place: str | CommandLine | Callable[[], CommandLine], line: str) -> None:
        super().__init__(name, short_help=line)
        self.place = place

    def load(self) -> click.Command:
        """The command. Raises TypeError if the registry names another object."""
        found: object = self.place
        if isinstance(found, str):
            found = resolve_name(found if ":" in found else f"{found}:command")
        if isinstance(found, click.Command):  # callable too, but a call would run it
            return found
        declared = found() if callable(found) else found
        if not isinstance(declared, CommandLine):
            raise TypeError(f"{self.name}: {declared!r} is not a command")
        return click_command(declared)

    def make_context(self, *args: Any, **more: Any) -> click.Context:
        return self.load().make_context(*args, **more)


class LazyGroup(click.Group):
    """A group whose commands come from a registry: name → (place as in `LazyCommand`, one line of help).

    A registry may be a function; it is read when the group is used. The overview imports no command.
    """

    def __init__(self, *args: Any, registry: Registry | Callable[[], Registry], **more: Any) -> None:
        super().__init__(*args, context_settings=HELP_OPTIONS, **more)
        self._registry = registry

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names in the order of the registry, then those of the group itself."""
        registry = self._registry() if callable(self._registry) else self._registry
        registered: dict[str, click.Command] = {
            name: LazyCommand(name, place, line) for name, (place, line) in registry.items()
        }
        self.commands = registered | {name: one for name, one in self.commands.items() if name not in registered}
        return list(self.commands)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name; None if unknown."""
        self.list_commands(ctx)
        return super().get_command(ctx, cmd_name)
