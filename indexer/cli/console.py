"""Groups of commands that load when they are chosen, and `classical-qa
index|retrieve|answer|evaluate …`: the four programs as one command, installed beside `python
-m`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pkgutil import resolve_name
from typing import Any, NoReturn

import click

from indexer.cli.commands import HELP_OPTIONS, click_command, version_option
from indexer.cli.program import run_program
from indexer.parameters import CommandLine

Registry = Mapping[str, tuple[str | CommandLine | Callable[[], CommandLine], str]]


class LazyGroup(click.Group):
    """A group whose commands come from a registry: name → (place, one line of help). The overview
    imports no command.

    A place is a command, a function that returns one, or `module:attribute` of a command or group;
    the attribute is `command` if it is left out. A registry may be a function; it is read when the
    group is used.
    """

    def __init__(
        self, *args: Any, registry: Registry | Callable[[], Registry], **more: Any
    ) -> None:
        super().__init__(*args, context_settings=HELP_OPTIONS, **more)
        self._registry = registry if callable(registry) else lambda: registry

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names in the order of the registry, then those of the group itself."""
        return list(dict.fromkeys([*self._registry(), *self.commands]))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, which is loaded; None if unknown."""
        registry = self._registry()
        if cmd_name not in registry:
            return super().get_command(ctx, cmd_name)
        found: Any = registry[cmd_name][0]
        if isinstance(found, str):
            found = resolve_name(found if ":" in found else f"{found}:command")
        if isinstance(found, click.Command):  # callable too, but a call would run it
            return found
        return click_command(found() if callable(found) else found)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        lines = {name: str(one.short_help) for name, one in self.commands.items()}
        lines |= {name: line for name, (_, line) in self._registry().items()}
        with formatter.section("Commands"):
            formatter.write_dl([(name, lines[name]) for name in self.list_commands(ctx)])


# name: (module:attribute, one line of help). The module loads when it is chosen.
PROGRAMS: dict[str, tuple[str, str]] = {
    "index": ("indexer.__main__:main", "Corpus files in, an index out (python -m indexer)."),
    "retrieve": (
        "retriever.__main__:main",
        "What an index answers, and why (python -m retriever).",
    ),
    "answer": (
        "answerer.__main__:main",
        "Official input in, official submission out (python -m answerer).",
    ),
    "run": (
        "answerer.blind:command",
        "A task answered blind, from a folder into a folder (python -m answerer run).",
    ),
    "evaluate": (
        "evaluation.__main__:main",
        "Gold and a submission in, official measures out (python -m evaluation).",
    ),
}


@version_option
@click.group(
    cls=LazyGroup, registry=PROGRAMS, epilog="Example: classical-qa index textbook book.txt"
)
def main() -> None:
    """Question answering baselines: index a corpus, retrieve from it, answer questions, evaluate
    the answers."""


def run() -> NoReturn:
    """The installed command."""
    run_program(main, "classical-qa")
