"""click's options and commands, made of those that are declared as plain data (`indexer.parameters`); -h, --version,
--quiet and --verbose."""

from __future__ import annotations

import inspect
import platform
from collections import Counter
from functools import partial
from glob import escape
from typing import Any

import click
from click.shell_completion import CompletionItem

from indexer.files.errors import UserError
from indexer.files.messages import to_stderr
from indexer.files.versions import own_version
from indexer.parameters import (
    MOST,
    CommandLine,
    Parameter,
    boolean,
    checked_value,
    index_address,
    integer,
    language,
    type_name,
    word_choice,
)

HELP_OPTIONS = {"help_option_names": ["-h", "--help"]}

version_option = click.version_option(
    own_version(), message=f"classical-qa %(version)s (Python {platform.python_version()})"
)
"""Decorator that adds --version to a command, which prints the versions of the program and of Python."""


class DeclaredCommand(click.Command):
    """The click command for a declared one."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """As click's, but an option of one value that is given twice is a UserError: click would drop the first."""
        _, _, order = self.make_parser(ctx).parse_args(list(args))
        for option, times in Counter(order).items():
            if isinstance(option, click.Option) and times > 1 and not (option.multiple or option.is_flag):
                raise UserError(f"{option.opts[0]} is given {times} times: give it once")
        return super().parse_args(ctx, args)


def click_command(declared: CommandLine) -> click.Command:
    """The click command for a declared command, with --quiet, --verbose and -h."""
    messages = {
        "--quiet": "Say nothing but warnings and errors.",
        "--verbose": "Say more: what is opened, how long it takes.",
    }
    return DeclaredCommand(
        "command",
        callback=declared.run,
        params=[
            *map(click_parameter, declared.parameters),
            *(
                click.Option(
                    [name],
                    is_flag=True,
                    expose_value=False,
                    callback=lambda _, option, chosen: to_stderr(**{str(option.name): True}) if chosen else None,
                    help=text,
                )
                for name, text in messages.items()
            ),
        ],
        help=inspect.cleandoc(declared.help),
        epilog=f"Example: python -m {declared.example}",
        context_settings=HELP_OPTIONS,
    )


def click_parameter(declared: Parameter) -> click.Parameter:
    """The click option, or argument if it has no flags, for a declared parameter."""
    kind, metavar = declared.type, declared.metavar
    more: dict[str, Any] = {"callback": partial(collected_value, declared), "required": declared.required}
    if kind.func is integer:
        more["type"] = click.IntRange(*(*kind.args, MOST)[:2])
    elif kind.func is word_choice:
        more["type"] = click.Choice(tuple(kind.args[0]))
    elif kind.func is boolean:
        # By itself click takes a flag that is not given for False.
        more |= {"type": click.BOOL, "is_flag": True, "default": declared.default}
    else:
        more |= {"type": click.UNPROCESSED, "shell_complete": partial(_complete, declared)}
    if not declared.flags:
        return click.Argument([declared.name], metavar=metavar, nargs=-1 if declared.multiple else 1, **more)
    if kind.func is language:
        from indexer.languages.registry import LANGUAGES

        metavar = metavar or f"[{'|'.join(LANGUAGES)}]"
    elif "shell_complete" in more and metavar is None:
        metavar = type_name(declared).upper()
    if declared.default is not None:
        more["default"] = declared.default
    more |= {"multiple": declared.multiple, "metavar": metavar, "help": declared.help}
    return click.Option([*declared.flags, declared.name], **more)


def collected_value(declared: Parameter, context: click.Context, param: click.Parameter, value: object) -> object:
    """The checked value of a parameter for that of the command line, converted by its `collect` if it has one."""
    value = checked_value(declared, value)
    return declared.collect(value) if declared.collect else value


def _complete(
    declared: Parameter, context: click.Context, param: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Completions in a shell of a file, folder, language code or index name; [] for other types."""
    from indexer.languages.registry import LANGUAGES
    from indexer.location import indexes_folder

    check = declared.type.func
    if check is language:
        return [CompletionItem(code) for code in LANGUAGES if code.startswith(incomplete)]
    if type_name(declared) in ("path", "pattern"):
        return [CompletionItem(incomplete, type="file" if declared.type.keywords.get("files", True) else "dir")]
    if check is not index_address and declared.name != "address":
        return []
    if "/" in incomplete:
        return [CompletionItem(incomplete, type="dir")]
    # Typed text is escaped: it may contain `[`, and is a beginning, not a pattern.
    return [CompletionItem(path.name) for path in sorted(indexes_folder().glob(f"{escape(incomplete)}*"))]
