"""The types of the commands' arguments and options: what they take is checked, and claimed, before any work."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Callable, Iterable
from glob import escape
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem

from indexer.files.errors import UserError
from indexer.files.output_paths import STDOUT, claim, is_stdout
from indexer.languages.language import Language
from indexer.languages.registry import LANGUAGES
from indexer.location import indexes_folder
from indexer.paths import (
    claim_index,
    claim_input,
    claim_output,
    is_folder,
    matching_files,
    refuse_bytes,
    refuse_pipe,
    require_input,
)

MOST = 2**31 - 1


class InputPath(click.ParamType):  # type: ignore[type-arg]  # generic from click 8.5 on
    """A file that is read. `inside` holds patterns of the files of a folder where one is taken too.

    UserError for a path that is empty, missing, a folder where a file is meant, or not readable, and for a pipe where
    the file is read `again`.
    """

    name = "path"

    def __init__(
        self,
        inside: tuple[str, ...] = (),
        *,
        files: bool = True,
        again: bool = False,
        path_type: type[str | Path] = str,
    ) -> None:
        self.inside = inside
        self.files = files
        self.again = again
        self.path_type = path_type

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str | Path:
        path, named = str(value), named_by(param)
        require_input(path, named, self.inside, files=self.files)
        if self.again:
            refuse_pipe(path, named)
        claim_input(path, named, self.inside)
        return self.path_type(path)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        return [CompletionItem(incomplete, type="file" if self.files else "dir")]


class InputPattern(InputPath):
    """A file that is read, or a pattern of such files (`books/*.txt`; `**` goes into folders).

    `inside` holds patterns of the files of a folder where one is taken too.
    """

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if self.inside and Path(value).is_dir():
            require_input(str(value), named_by(param), self.inside)
            claim(named_by(param), value, written=False, inside=self.inside)
        else:
            for path in matching_files(value, named_by(param)):
                refuse_pipe(path, named_by(param))
                claim_input(path, named_by(param))
        return str(value)


class OutputPath(click.ParamType):  # type: ignore[type-arg]
    """A file that is written, `-` for the standard output; a folder with what is written `inside` it.

    A pattern that ends in `/**` means all that lies there. With `files` and `inside` it may be either. UserError
    where it cannot be written, where the command reads it, where another of its outputs goes there too, and where a
    file is there that does not begin with `begins`, as an earlier output would: it is something else.
    """

    name = "path"

    def __init__(self, inside: tuple[str, ...] = (), *, files: bool = True, begins: bytes = b"") -> None:
        self.inside = inside
        self.files = files
        self.begins = begins

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        path, named = str(value), named_by(param)
        if not path:
            raise UserError(f"{named} is empty: name {'a file' if self.files else 'a folder'}")
        refuse_bytes(path, named)
        folder = bool(self.inside) and (not self.files or path.endswith("/") or is_folder(path))
        claim_output(named, path, self.inside if folder else None)
        if self.begins and Path(path).is_file():
            with Path(path).open("rb") as file:
                if not self.begins.startswith(file.read(len(self.begins))):
                    raise UserError(f"{named} {path}: holds something else already; remove it, or choose another place")
        return STDOUT if self.files and is_stdout(path) else path

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        return [CompletionItem(incomplete, type="file" if self.files else "dir")]


class TextParameter(click.ParamType):  # type: ignore[type-arg]  # generic from click 8.5 on
    """Plain text that is not empty. Raises UserError for control characters and bytes that are not text."""

    name = "text"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        text = str(value)
        if not text.strip():
            raise UserError(f"{named_by(param)} is empty: give a text, or leave it out")
        if any(unicodedata.category(character) in ("Cc", "Cs") and not character.isspace() for character in text):
            raise UserError(f"{named_by(param)} {text!r}: has characters that are not text")
        return text


class IndexAddress(click.ParamType):  # type: ignore[type-arg]
    """The address of an index, to be read or (`written`) built. Raises UserError if it is not an address."""

    name = "address"

    def __init__(self, *, written: bool = False) -> None:
        self.written = written

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        claim_index(value, named_by(param), written=self.written)
        return str(value)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """The names of the embedded indexes here; folders where the beginning is one's."""
        if "/" in incomplete:
            return [CompletionItem(incomplete, type="dir")]
        return [CompletionItem(path.name) for path in sorted(indexes_folder().glob(f"{escape(incomplete)}*"))]


class SchedulerAddress(click.ParamType):  # type: ignore[type-arg]
    """The address of a Dask scheduler."""

    name = "address"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if not re.fullmatch(r"(tcp|tls)://[^\s/@]+:\d{1,5}", str(value)):
            self.fail(f"{value!r} is not the address of a Dask scheduler, such as tcp://localhost:8786.", param, ctx)
        return str(value)


class Number(click.ParamType):  # type: ignore[type-arg]
    """A finite number from `least` to `most`; `above` leaves out `least` itself."""

    name = "number"

    def __init__(self, least: float, most: float, *, above: bool = False) -> None:
        self.least, self.most, self.above = least, most, above

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        try:
            number = float(value)
        except ValueError:
            number = math.nan
        low = number > self.least if self.above else number >= self.least
        if not (low and number <= self.most):  # nan compares false
            bounds = f"above {self.least:g} and at most" if self.above else f"from {self.least:g} to"
            self.fail(f"{value!r} is not a number {bounds} {self.most:g}.", param, ctx)
        return number


class LanguageCode(click.ParamType):  # type: ignore[type-arg]
    """The code of a language that is registered by the time that the option is read; the value is the `Language`."""

    name = "language"

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str:
        return f"[{'|'.join(LANGUAGES)}]"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Language:
        if isinstance(value, Language):
            return value
        if value not in LANGUAGES:
            self.fail(f"{value!r} is not one of {', '.join(map(repr, LANGUAGES))}.", param, ctx)
        return LANGUAGES[value]

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        return [CompletionItem(code) for code in LANGUAGES if code.startswith(incomplete)]


def at_least(least: int, most: int = MOST) -> click.IntRange:
    """A whole number from `least` to `most`."""
    return click.IntRange(least, most)


SEED = at_least(0)
COUNT = at_least(1)
LANGUAGE = LanguageCode()
TEXT = TextParameter()


def named_by(param: click.Parameter | None) -> str:
    """Name of a parameter as the user writes it: `-o`, `EXAM.xml`."""
    if isinstance(param, click.Option):
        return param.opts[0]
    return param.human_readable_name.split()[0].strip("[].") if param else "a path"


# Commands that are made of a function and its options, and the option --index that many of them have.

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


about_option = click.option(
    "--about",
    "about_file",
    metavar="FILE",
    type=InputPath(),
    help="With --metadata, which it implies: actor and research goal, from YAML.",
)


def addresses_option(text: str, name: str = "addresses") -> Option:
    """--index ADDRESS, given as often as there are indexes, which reach a command under a name; `text` is the help."""
    return click.option("--index", name, multiple=True, metavar="ADDRESS", type=IndexAddress(), help=text)
