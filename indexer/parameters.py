"""Options and arguments of commands as plain data: what Python's functions check values by.

The command line makes click's options of them (`indexer.cli.parameters`); nothing here loads click.
"""

from __future__ import annotations

import math
import operator
import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, TypeAlias

from indexer.files.errors import UserError
from indexer.files.paths import (
    STDOUT,
    claim,
    claim_input,
    claim_output,
    is_stdout,
    matching_files,
    refuse_bytes,
    refuse_pipe,
    require_input,
)
from indexer.files.validation import validate_plain_text
from indexer.languages.language import Language
from indexer.languages.registry import LANGUAGES
from indexer.location import claim_index

MOST = 2**31 - 1  # the largest whole number that every library below takes

# Types of values. `check` takes a value and the parameter's name as messages show it, and returns the converted value.
# It raises UserError for what the value leads to (no such file), ValueError for what the value itself is.


@dataclass(frozen=True)
class InputPath:
    """Type of a path that is read: a file, or, if `inside` holds patterns of its files, also a folder (without `files`,
    only a folder). The value is a `path_type`.

    Raises UserError for a path that is empty, missing, a folder where a file is meant, or not readable, and for a pipe
    if the file is read twice (`again`).
    """

    name: ClassVar[str] = "path"
    inside: tuple[str, ...] = ()
    files: bool = field(default=True, kw_only=True)
    again: bool = field(default=False, kw_only=True)
    path_type: type[str | Path] = field(default=str, kw_only=True)

    def check(self, value: object, named: str) -> object:
        """Checks and registers a path that is read, and returns it as `path_type`; `named` is the option's name in
        errors."""
        path = str(value)
        require_input(path, named, self.inside, files=self.files)
        if self.again:
            refuse_pipe(path, named)
        claim_input(path, named, self.inside)
        return self.path_type(path)


@dataclass(frozen=True)
class InputPattern(InputPath):
    """Type of a file that is read, or of a glob pattern of such files (`books/*.txt`; `**` goes into folders).

    If `inside` holds patterns of its files, a folder is accepted too. The value is the pattern, unexpanded.
    """

    def check(self, value: object, named: str) -> object:
        """Checks and registers the files that a pattern matches, and returns the pattern; `named` is the option's
        name."""
        path = str(value)
        if self.inside and os.path.isdir(path):  # noqa: PTH112 (False for what cannot be a path)
            require_input(path, named, self.inside)
            claim(named, path, written=False, inside=self.inside)
        else:
            for file in matching_files(path, named):
                refuse_pipe(file, named)
                claim_input(file, named)
        return path


@dataclass(frozen=True)
class OutputPath:
    """Type of a path that is written: a file, `-` for the standard output, or a folder if `inside` holds patterns of
    its files; with `files` and `inside` either.

    A pattern that ends in `/**` means everything below. Raises UserError if the path cannot be written, if the command
    reads it or writes another output there, and if an existing file does not begin with `begins`, as an earlier output
    would.
    """

    name: ClassVar[str] = "path"
    inside: tuple[str, ...] = ()
    files: bool = field(default=True, kw_only=True)
    begins: bytes = field(default=b"", kw_only=True)

    def check(self, value: object, named: str) -> object:
        """Checks and registers a path that is written, and returns it ("-" for any name of the standard output)."""
        path = str(value)
        if not path:
            raise UserError(f"{named} is empty: name {'a file' if self.files else 'a folder'}")
        refuse_bytes(path, named)
        folder = bool(self.inside) and (not self.files or path.endswith("/") or os.path.isdir(path))  # noqa: PTH112
        claim_output(named, path, self.inside if folder else None)
        if self.begins and Path(path).is_file():
            with Path(path).open("rb") as file:
                if not self.begins.startswith(file.read(len(self.begins))):
                    raise UserError(f"{named} {path}: exists and holds other files; remove it, or choose another place")
        return STDOUT if self.files and is_stdout(path) else path


@dataclass(frozen=True)
class TextParameter:
    """Plain text that is not empty. UserError for control characters and bytes that are not text."""

    name: ClassVar[str] = "text"

    def check(self, value: object, named: str) -> object:
        return validate_plain_text(str(value), named)


@dataclass(frozen=True)
class IndexAddress:
    """The address of an index, to be read or (`written`) built. UserError if it is not an address."""

    name: ClassVar[str] = "address"
    written: bool = field(default=False, kw_only=True)

    def check(self, value: object, named: str) -> object:
        claim_index(str(value), named, written=self.written)
        return str(value)


@dataclass(frozen=True)
class SchedulerAddress:
    """The address of a Dask scheduler."""

    name: ClassVar[str] = "address"

    def check(self, value: object, named: str) -> object:
        if not re.fullmatch(r"(tcp|tls)://[^\s/@]+:\d{1,5}", str(value)):
            raise ValueError(f"{value!r} is not the address of a Dask scheduler, such as tcp://localhost:8786.")
        return str(value)


@dataclass(frozen=True)
class Number:
    """A finite number from `least` to `most`; `above` leaves out `least` itself."""

    name: ClassVar[str] = "number"
    least: float
    most: float
    above: bool = field(default=False, kw_only=True)

    def check(self, value: Any, named: str) -> object:
        """Returns the number. Raises ValueError if the value is not a number in the range."""
        try:
            number = float(value)
        except ValueError:
            number = math.nan
        low = number > self.least if self.above else number >= self.least
        if not (low and number <= self.most):  # nan compares false
            bounds = f"above {self.least:g} and at most" if self.above else f"from {self.least:g} to"
            raise ValueError(f"{value!r} is not a number {bounds} {self.most:g}.")
        return number


@dataclass(frozen=True)
class WholeNumber:
    """A whole number from `least` to `most`."""

    name: ClassVar[str] = "integer"
    least: int
    most: int = MOST

    def check(self, value: Any, named: str) -> object:
        """Returns the integer. Raises ValueError if the value is not one in the range, TypeError for another type."""
        try:
            number = int(value) if isinstance(value, str) else operator.index(value)
        except ValueError:
            raise ValueError(f"{value!r} is not a valid integer.") from None
        if not self.least <= number <= self.most:
            raise ValueError(f"{number} is not in the range {self.least}<=x<={self.most}.")
        return number


@dataclass(frozen=True)
class OneOf:
    """Type of an option whose value is one of several words."""

    name: ClassVar[str] = "choice"
    choices: Sequence[str]

    def check(self, value: object, named: str) -> object:
        if value not in self.choices:
            raise ValueError(f"{value!r} is not one of {', '.join(map(repr, self.choices))}.")
        return value


@dataclass(frozen=True)
class LanguageCode:
    """Type of a language's code; the value is the `Language`, looked up when the option is read, so that languages can
    be registered before."""

    name: ClassVar[str] = "language"

    def check(self, value: object, named: str) -> object:
        """Returns the `Language` of a code, or the given `Language`. Raises ValueError for an unknown code."""
        if isinstance(value, Language):
            return value
        if value not in LANGUAGES:
            raise ValueError(f"{value!r} is not one of {', '.join(map(repr, LANGUAGES))}.")
        return LANGUAGES[str(value)]


@dataclass(frozen=True)
class Flag:
    """An option that is given or not; `--words/--no-words` has a name for both."""

    name: ClassVar[str] = "boolean"

    def check(self, value: object, named: str) -> object:
        if not isinstance(value, bool):
            raise ValueError(f"{value!r} is not True or False.")
        return value


SEED = WholeNumber(0)
COUNT = WholeNumber(1)
LANGUAGE = LanguageCode()
TEXT = TextParameter()

ParameterType: TypeAlias = (
    InputPath
    | OutputPath
    | TextParameter
    | IndexAddress
    | SchedulerAddress
    | Number
    | WholeNumber
    | OneOf
    | LanguageCode
    | Flag
)


@dataclass(frozen=True, kw_only=True)
class Parameter:
    """An option of a command (`flags`: `--method`, `-k`), or an argument (no flags); `name` is the name of its value.

    `multiple` takes several values, as a tuple. `collect`, if given, converts the value of the command line to what the
    command's function takes; a caller in Python passes the converted value.
    """

    name: str
    flags: tuple[str, ...] = ()
    type: ParameterType
    default: object = None
    required: bool = False
    multiple: bool = False
    metavar: str | None = None
    help: str = ""
    collect: Callable[[Any], object] | None = None

    @property
    def long_name(self) -> str:
        """The name of an option in Python: `--choice-only` is choice_only, `-k` is k."""
        return max(self.flags, key=len).partition("/")[0].lstrip("-").replace("-", "_")

    @property
    def shown(self) -> str:
        """The name as the user writes it: `-o`, `EXAM.xml`."""
        if self.flags:
            return self.flags[0].partition("/")[0]
        return (self.metavar or self.name.upper()).split()[0].strip("[].")

    def value(self, given: object) -> object:
        """The checked value of this option for a value given in Python; None means the default.

        Raises UserError for a value that the command would refuse, and for None if the option is required.
        """
        if given is None and self.default is None:
            if self.required:
                raise UserError(f"{self.long_name} is missing")
            return () if self.multiple else None
        given = self.default if given is None else given
        named = self.shown
        try:
            if not self.multiple:
                return self.type.check(given, named)
            values = given if isinstance(given, list | tuple) else (given,)
            if any(one is None for one in values):
                raise TypeError
            return tuple(self.type.check(one, named) for one in values)
        except ValueError as error:
            raise UserError(f"Invalid value for '{named}': {error}") from None
        except (AttributeError, TypeError):
            raise UserError(f"{self.long_name}: {given!r} is not a valid {self.type.name}") from None
        except OverflowError:  # which no text of a command line gives
            raise UserError(f"{self.long_name}: a number out of range") from None


def option(*names: str, type: ParameterType, **more: Any) -> Parameter:  # noqa: A002 (as click calls it)
    """Declares an option by its flags and, if its value is not to be called like the first long flag, a name without
    dashes."""
    # As click: the names with dashes are flags, the one without is the name of the value.
    flags = tuple(name for name in names if name.startswith("-"))
    named = next((name for name in names if not name.startswith("-")), None)
    parameter = Parameter(name="", flags=flags, type=type, **more)
    return Parameter(**{**vars(parameter), "name": named or parameter.long_name})


def flag(*names: str, default: bool = False, help: str) -> Parameter:  # noqa: A002
    """Declares an option without a value: True where it is given."""
    return option(*names, type=Flag(), default=default, help=help)


def argument(
    name: str,
    type: ParameterType,  # noqa: A002
    metavar: str | None = None,
    *,
    required: bool = True,
    multiple: bool = False,
) -> Parameter:
    """Declares an argument, which is called `metavar` in the help."""
    return Parameter(name=name, type=type, metavar=metavar, required=required, multiple=multiple)


def settings(
    task: str, parameters: Sequence[Parameter], given: Mapping[str, object], also: Sequence[str] = ()
) -> dict[str, object]:
    """Maps the name of each of a command's options to its checked value: from `given` (by the option's long name), else
    the default.

    Raises UserError for a value that the command would refuse, and for an unknown name; the message lists the options
    and `also`. `task` is the command's name in it.
    """
    by_name = {one.long_name: one for one in parameters if one.flags}
    # A misspelt option must not pass for the default.
    unknown = [name for name in given if name not in by_name]
    if unknown:
        known = ", ".join([*also, *by_name]) or "no options"
        raise UserError(f"{task} takes no {unknown[0]}; it takes {known}")
    return {one.name: one.value(given.get(name)) for name, one in by_name.items()}


@dataclass(frozen=True, kw_only=True)
class CommandLine:
    """A command: the function that it runs, its help, an example call, and its parameters in the order of the help.

    `run` takes the parameters' values as keyword arguments.
    """

    run: Callable[..., object]
    help: str
    example: str
    parameters: tuple[Parameter, ...]


def command_line(example: str, *parameters: Parameter) -> Callable[[Callable[..., object]], CommandLine]:
    """Decorator that makes a `CommandLine` of a function, whose docstring is the help; `example` is a call of it
    without `python -m`, and `parameters` are in the order of the help."""

    def declare(run: Callable[..., object]) -> CommandLine:
        return CommandLine(run=run, help=run.__doc__ or "", example=example, parameters=parameters)

    return declare


def address_option(
    text: str, name: str = "address", default: str | None = None, *, written: bool = False, **more: Any
) -> Parameter:
    """Declares --index ADDRESS; `text` is the help."""
    return option(
        "--index", name, default=default, metavar="ADDRESS", type=IndexAddress(written=written), help=text, **more
    )


def addresses_option(text: str, name: str = "addresses", **more: Any) -> Parameter:
    """Declares --index ADDRESS, given as often as there are indexes; `text` is the help."""
    return address_option(text, name, multiple=True, **more)


about_option = option(
    "--about",
    "about_file",
    metavar="FILE",
    type=InputPath(),
    help="With --metadata, which it implies: actor and research goal, from YAML.",
)
