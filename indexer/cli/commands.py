"""click's commands, made of those that are declared as plain data (`indexer.parameters`), with -h,
--version, --quiet and --verbose."""

from __future__ import annotations

import inspect
from collections import Counter
from functools import partial
from typing import Any

import click

from indexer.cli.types import HELP_OPTIONS, installed_call
from indexer.files.errors import UserError
from indexer.files.messages import to_stderr
from indexer.parameters import (
    MOST,
    CommandLine,
    Parameter,
    boolean,
    checked_value,
    integer,
    language,
    number,
    type_name,
    word_choice,
)


class DeclaredCommand(click.Command):
    """The click command for a declared one."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """As click's, but an option of one value that is given twice is a UserError: click would
        drop the first."""
        _, _, order = self.make_parser(ctx).parse_args(list(args))
        for option, times in Counter(order).items():
            if (
                isinstance(option, click.Option)
                and times > 1
                and not (option.multiple or option.is_flag)
            ):
                raise UserError(f"{option.opts[0]} is given {times} times: give it once")
        return super().parse_args(ctx, args)


def click_command(declared: CommandLine | click.Command) -> click.Command:
    """The click command for a declared command, with --quiet, --verbose and -h; one of click's
    itself."""
    if isinstance(declared, click.Command):
        return declared
    messages = {
        "--quiet": "Say nothing but warnings and errors.",
        "--verbose": "Say more: what is opened, how long it takes.",
    }
    talk = [
        click.Option(
            [name],
            is_flag=True,
            expose_value=False,
            callback=lambda _, option, chosen: (
                to_stderr(**{str(option.name): True}) if chosen else None
            ),
            help=text,
        )
        for name, text in messages.items()
    ]
    return DeclaredCommand(
        "command",
        callback=declared.run,
        params=[*map(click_parameter, declared.parameters), *talk],
        help=inspect.cleandoc(declared.help),
        epilog=f"Example: {installed_call(declared.example)}",
        context_settings=HELP_OPTIONS,
    )


def click_parameter(declared: Parameter) -> click.Parameter:
    """The click option, or argument if it has no flags, for a declared parameter."""
    kind, metavar = declared.type, declared.metavar
    more: dict[str, Any] = {
        "callback": partial(collected_value, declared),
        "required": declared.required,
    }
    more["type"] = click.UNPROCESSED
    if kind.func is integer:
        more["type"] = click.IntRange(*(*kind.args, MOST)[:2])
    elif kind.func is number:
        more["type"] = click.FloatRange(*kind.args)
    elif kind.func is word_choice:
        more["type"] = click.Choice(tuple(kind.args[0]))
    elif kind.func is boolean:
        # By itself click takes a flag that is not given for False.
        more |= {"type": click.BOOL, "is_flag": True, "default": declared.default}
    if not declared.flags:
        return click.Argument(
            [declared.name], metavar=metavar, nargs=-1 if declared.multiple else 1, **more
        )
    if kind.func is language:
        from indexer.languages.registry import LANGUAGES

        metavar = metavar or f"[{'|'.join(LANGUAGES)}]"
    elif more["type"] is click.UNPROCESSED:
        metavar = metavar or type_name(declared).upper()
    if declared.default is not None:
        more["default"] = declared.default
    more |= {"multiple": declared.multiple, "metavar": metavar, "help": declared.help}
    return click.Option([*declared.flags, declared.name], **more)


def collected_value(
    declared: Parameter, context: click.Context, param: click.Parameter, value: object
) -> object:
    """The checked value of a parameter for that of the command line, converted by its `collect` if
    it has one."""
    value = checked_value(declared, value)
    return declared.collect(value) if declared.collect else value
