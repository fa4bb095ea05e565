"""Groups of commands that load when they are chosen, and `classical-qa
index|retrieve|answer|evaluate …`: the four programs as one command."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from pkgutil import resolve_name
from shlex import quote
from types import MappingProxyType
from typing import Any

import click

from indexer.cli.types import HELP_OPTIONS, version_option, write_example

Registry = Mapping[str, tuple[str, str]]
"""Command → (`module:attribute` of the command or group, `:command` if it is left out; one line of
help)."""


class LazyGroup(click.Group):
    """A group whose commands come from a registry, which may be a function: it is read for the
    overview, and for a command that `built_in`, a part of the registry, lacks. The overview imports
    no command."""

    def __init__(
        self,
        *args: Any,
        registry: Registry | Callable[[], Registry],
        built_in: Registry = MappingProxyType({}),
        **more: Any,
    ) -> None:
        super().__init__(*args, context_settings=HELP_OPTIONS, **more)
        self._registry = registry if callable(registry) else lambda: registry
        self._built_in = built_in

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names in the order of the registry, then those of the group itself."""
        return list(dict.fromkeys([*self._registry(), *self.commands]))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, which is loaded; None if unknown."""
        registry = self._built_in if cmd_name in self._built_in else self._registry()
        if cmd_name not in registry:
            return super().get_command(ctx, cmd_name)
        path = registry[cmd_name][0]
        command: click.Command = resolve_name(path if ":" in path else f"{path}:command")
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click's; the error for an unknown command ends in what may be meant: commands spelt
        like it, or the call for the file of that name."""
        if not args[0].startswith("-") and self.get_command(ctx, args[0]) is None:
            guess = _guess(args[0], self.list_commands(ctx))
            ctx.fail(f"No such command {args[0]!r}.{guess}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Writes the commands with a line of help each, from the registry, so that none is
        loaded."""
        lines = {name: str(command.short_help) for name, command in self.commands.items()}
        lines |= {name: line for name, (_, line) in self._registry().items()}
        with formatter.section("Commands"):
            formatter.write_dl([(name, lines[name]) for name in self.list_commands(ctx)])

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Writes the example."""
        write_example(self.epilog or "", formatter)


def _guess(name: str, commands: Sequence[str]) -> str:
    """What may be meant by a name that none of these commands has, as a sentence after a space: how
    a file of that name is passed if there is one, else the commands that are spelt like it, else
    those that have it as a word; "" without a guess."""
    if Path(name).is_file():
        return f" It is a file: {_calls_of_file(name, commands) or 'name a command before it.'}"
    like = get_close_matches(name, commands) or [
        command for command in commands if name in command.split("-")
    ]
    return f" Did you mean {' or '.join(map(repr, like))}?" if like else ""


def _calls_of_file(path: str, commands: Sequence[str]) -> str:
    """The calls that take the file at `path`, each behind what the file would be, joined by
    semicolons: of `index textbook` if `commands` have `textbook` or `index`, of `answer ntcir-mc`
    and `check-quiz` if they have `check-quiz`; "" if none."""
    calls = []
    if "textbook" in commands or "index" in commands:
        calls.append(("a book", "index textbook"))
    if "check-quiz" in commands:
        calls += [("a quiz", "answer ntcir-mc"), ("its keys", "check-quiz")]
    return "; ".join(
        f"for {what}: `classical-qa {call} {quote(path)} --index NAME`" for what, call in calls
    )


# The four programs. The module of one loads when it is chosen.
PROGRAMS: dict[str, tuple[str, str]] = {
    "index": (
        "indexer.__main__:main",
        "Build an index from a book, a collection or other files; list, remove.",
    ),
    "retrieve": (
        "retriever.__main__:main",
        "Search an index, or write a TREC run of topics.",
    ),
    "answer": (
        "answerer.__main__:main",
        "Answer the questions of an exam, a quiz or a task's file.",
    ),
    "evaluate": (
        "evaluation.__main__:main",
        "Score answers, compare runs, explain each answer.",
    ),
}
TOOLS_OF_ANSWERER = ("ask", "check-quiz", "serve")
"""Commands of `answerer` that are called without its name: `classical-qa ask`."""


def programs() -> Registry:
    """The commands of `classical-qa`: name → (its import path, one line of help)."""
    tools: Registry = resolve_name("answerer.registry:TOOLS")
    return PROGRAMS | {name: tools[name] for name in TOOLS_OF_ANSWERER}


@version_option
@click.group(
    cls=LazyGroup,
    registry=programs,
    built_in=PROGRAMS,
    epilog="Example: classical-qa index textbook book.txt",
)
def main() -> None:
    """Question answering baselines: index a corpus, retrieve from it, answer questions, evaluate
    the answers."""
