"""A click group that loads a command's module only when it is chosen, so that --help stays quick."""

from __future__ import annotations

import importlib
from collections.abc import Mapping

import click


class LazyGroup(click.Group):
    """A group whose commands come from a registry: name → (module, one line of help).

    `attribute` is the name of the click command in each module. Names in the group and in the registry
    must not repeat. The overview shows the registry's lines without importing anything.
    """

    def __init__(
        self,
        *args: object,
        registry: Mapping[str, tuple[str, str]],
        attribute: str = "command",
        **kwargs: object,
    ) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        self.registry = registry
        self.attribute = attribute

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*self.registry, *super().list_commands(ctx)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.registry:
            return super().get_command(ctx, cmd_name)
        module, _ = self.registry[cmd_name]
        command = getattr(importlib.import_module(module), self.attribute)
        if not isinstance(command, click.Command):
            raise TypeError(f"{module}.{self.attribute} is no click command")
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        rows = [(name, help_line) for name, (_, help_line) in self.registry.items()]
        rows += [(name, command.get_short_help_str(80)) for name, command in sorted(self.commands.items())]
        if rows:
            with formatter.section("Commands"):
                formatter.write_dl(rows)
