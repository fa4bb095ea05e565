"""Commands that are made of a function and its options, and the option --index that many of them have."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import click

from indexer.cli.parameters import IndexAddress

Option = Callable[[Callable[..., Any]], Callable[..., Any]]


def with_options(function: Callable[..., Any], options: Iterable[Option]) -> Callable[..., Any]:
    """A function with options and arguments, which the help shows in this order."""
    for option in reversed(list(options)):
        function = option(function)
    return function


def command_of(function: Callable[..., object], text: str, example: str, options: Iterable[Option]) -> click.Command:
    """A command; `text` is the help, `example` how it is called, from the program's name on."""
    declared = click.command("command", help=text, epilog=f"Example: python -m {example}")
    return declared(with_options(function, options))


def address_option(text: str, default: str | None = None, *, written: bool = False) -> Option:
    """--index ADDRESS, which reaches a command as `address`; `text` is the help."""
    return click.option(
        "--index", "address", default=default, metavar="ADDRESS", type=IndexAddress(written=written), help=text
    )


def addresses_option(text: str, name: str = "addresses") -> Option:
    """--index ADDRESS, given as often as there are indexes, which reach a command under a name; `text` is the help."""
    return click.option("--index", name, multiple=True, metavar="ADDRESS", type=IndexAddress(), help=text)
