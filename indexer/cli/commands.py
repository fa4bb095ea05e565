"""Groups of commands, each loaded when it is chosen."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pkgutil import resolve_name
from typing import Any

import click

from indexer.cli.parameters import HELP_OPTIONS, click_command
from indexer.parameters import CommandLine

Registry = Mapping[str, tuple[str | CommandLine | Callable[[], CommandLine], str]]
"""Name of a command → its place, and one line of help. The place is the command, a function that returns it, or
`module:attribute` of a command or group; the attribute is `command` if it is left out."""


class LazyGroup(click.Group):
    """A group whose commands come from a registry, or a function that returns one, read when the group is used. The
    overview imports no command."""

    def __init__(self, *args: Any, registry: Registry | Callable[[], Registry], **more: Any) -> None:
        super().__init__(*args, context_settings=HELP_OPTIONS, **more)
        self._registry = registry

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names in the order of the registry, then those of the group itself."""
        registry = self._registry() if callable(self._registry) else self._registry
        self.places: dict[str | None, object] = {name: place for name, (place, _) in registry.items()}
        registered = {name: click.Command(name, short_help=line) for name, (_, line) in registry.items()}
        self.commands = registered | {name: one for name, one in self.commands.items() if name not in registered}
        return list(self.commands)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The name of the chosen command, the command, which is loaded, and the arguments behind its name. Raises
        TypeError if the registry names another object."""
        self.list_commands(ctx)
        name, command, rest = super().resolve_command(ctx, args)
        if name not in self.places:
            return name, command, rest
        found = self.places[name]
        if isinstance(found, str):
            found = resolve_name(found if ":" in found else f"{found}:command")
        if isinstance(found, click.Command):  # callable too, but a call would run it
            return name, found, rest
        declared = found() if callable(found) else found
        if not isinstance(declared, CommandLine):
            raise TypeError(f"{name}: {declared!r} is not a command")
        return name, click_command(declared), rest
