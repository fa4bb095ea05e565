"""Options and arguments of commands as plain data, and the checks of their values, for the command
line and for Python.

The command line makes click's options of them (`indexer.cli.commands`); nothing here loads click.
"""

from __future__ import annotations

import operator
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from indexer.files.errors import UserError
from indexer.files.paths import (
    claim,
    claim_output,
    matching_files,
    refuse_bytes,
    require_input,
)
from indexer.files.validation import validate_plain_text

if TYPE_CHECKING:
    from indexer.languages.language import Language

MOST = 2**31 - 1  # the largest whole number that every library below takes

# The types of values, as functions that check a value. Each takes the value and the parameter's
# name as errors show it (`named`), and returns the converted value. Limits come first, and are
# bound where a parameter is declared: `type=input_path`, `type=partial(integer, 1, 99)`. A check
# raises UserError for what the value leads to (no such file), ValueError for what the value itself
# is. Help and errors call a value by the last word of its check's name.


def input_path(
    inside: tuple[str, ...] = (),
    *,
    files: bool = True,
    path_type: type[str | Path] = str,
    value: object,
    named: str,
) -> str | Path:
    """Checks a path that is read: a file, or, if `inside` holds patterns of its files, also a
    folder (without `files`, only a folder). Registers it and returns it as `path_type`.

    Raises UserError for a path that is empty, missing, a folder where a file is meant, not
    readable, or a pipe.
    """
    path = str(value)
    require_input(path, named, inside, files=files)
    if not Path(path).is_dir() or inside == ("**",):
        claim(named, path, written=False, inside=inside if Path(path).is_dir() else None)
    else:  # each file that is read in it
        for file in (file for pattern in inside for file in Path(path).glob(pattern)):
            claim(named, file, written=False)
    return path_type(path)


def input_pattern(inside: tuple[str, ...] = (), *, value: object, named: str) -> str:
    """Checks a file that is read, or a glob pattern of such files (`books/*.txt`; `**` goes into
    folders), registers the files, and returns the pattern, unexpanded. If `inside` holds patterns
    of its files, a folder is accepted too."""
    path = str(value)
    folder = bool(inside) and os.path.isdir(path)  # noqa: PTH112 (False for what cannot be a path)
    for file in [path] if folder else matching_files(path, named):
        input_path(inside, value=file, named=named)
    return path


def output_path(
    inside: tuple[str, ...] = (),
    *,
    files: bool = True,
    begins: bytes = b"",
    value: object,
    named: str,
) -> str:
    """Checks and registers a path that is written: a file, `-` for the standard output, or a folder
    if `inside` holds patterns of its files; with `files` and `inside` either.

    A pattern that ends in `/**` means everything below. Raises UserError if the path cannot be
    written, if the command reads it or writes another output there, and if an existing file does
    not begin with `begins`, as an earlier output would.
    """
    path = str(value)
    refuse_bytes(path, named)
    folder = bool(inside) and (not files or path.endswith("/") or os.path.isdir(path))  # noqa: PTH112
    claim_output(named, path, inside if folder else None)
    if begins and Path(path).is_file():
        with Path(path).open("rb") as file:
            # A shorter file may be written over: an empty one, or the beginning that a killed
            # program left.
            if not begins.startswith(file.read(len(begins))):
                raise UserError(
                    f"{named} {path}: exists and holds other files; remove it, or choose another "
                    f"place"
                )
    return path


def index_address(*, written: bool = False, value: object, named: str) -> str:
    """Checks the address of an index, to be read or (`written`) built, and registers it. UserError
    if it is not an address."""
    from indexer.location import claim_index

    claim_index(str(value), named, written=written)
    return str(value)


def integer(least: int, most: int = MOST, *, value: Any, named: str) -> int:
    """Checks a whole number from `least` to `most`. Raises TypeError for a value of another
    type."""
    figure = operator.index(value)  # from Python numpy's integers are taken; 3.7 is a TypeError
    if not least <= figure <= most:
        raise ValueError(f"{figure} is not in the range {least}<=x<={most}.")
    return figure


def number(least: float, most: float, *, value: Any, named: str) -> float:
    """Checks a number from `least` to `most`."""
    figure = float(value)
    if not least <= figure <= most:
        raise ValueError(f"{figure} is not in the range {least}<=x<={most}.")
    return figure


def word_choice(choices: Sequence[str], *, value: object, named: str) -> object:
    """Checks a value that is one of several words."""
    if value not in choices:
        raise ValueError(f"{value!r} is not one of {', '.join(map(repr, choices))}.")
    return value


def language(*, value: object, named: str) -> Language:
    """The `Language` of a code, or the given `Language`. The code is looked up when the option is
    read, so that languages can be registered before."""
    from indexer.languages.language import Language
    from indexer.languages.registry import LANGUAGES

    if isinstance(value, Language):
        return value
    return LANGUAGES[str(word_choice(tuple(LANGUAGES), value=value, named=named))]


def boolean(*, value: object, named: str) -> object:
    """Checks the value of an option that is given or not; `--words/--no-words` has a name for
    both."""
    if not isinstance(value, bool):
        raise ValueError(f"{value!r} is not True or False.")
    return value


SEED, COUNT, LANGUAGE, TEXT = (
    partial(integer, 0),
    partial(integer, 1),
    language,
    validate_plain_text,
)


@dataclass(frozen=True, kw_only=True)
class Parameter:
    """An option of a command (`flags`: `--method`, `-k`), or an argument (no flags); `name` is the
    name of its value.

    `long_name` is the name in Python (`--choice-only` is choice_only), `display_name` the one that
    the user writes (`-o`, `EXAM.xml`). `multiple` takes several values, as a tuple. `type` is a
    check with its limits, as a partial even without any. `collect`, if given, converts the value of
    the command line to what the command's function takes.
    """

    name: str
    long_name: str
    display_name: str
    flags: tuple[str, ...] = ()
    type: partial[Any]
    default: object = None
    required: bool = False
    multiple: bool = False
    metavar: str | None = None
    help: str = ""
    collect: Callable[[Any], object] | None = None


def checked_value(parameter: Parameter, given: object) -> object:
    """The checked value of a parameter for a given one, a tuple if it takes several; None means the
    default.

    Raises UserError for a value that its type refuses, and for None if the parameter is required.
    """
    if given is None and parameter.default is None:
        if parameter.required:
            raise UserError(f"{parameter.long_name} is missing")
        return () if parameter.multiple else None
    given = parameter.default if given is None else given
    check = partial(parameter.type, named=parameter.display_name)
    try:
        if not parameter.multiple:
            return check(value=given)
        # A single value counts as a list of one: a text is a sequence too, and must not be taken
        # apart.
        values = given if isinstance(given, list | tuple) else (given,)
        if any(one is None for one in values):
            raise TypeError
        return tuple(check(value=one) for one in values)
    except ValueError as error:
        raise UserError(f"Invalid value for '{parameter.display_name}': {error}") from None
    # Python's callers may give any object; that its type does not fit is their error, not a bug
    # here.
    except (AttributeError, OverflowError, TypeError):
        kind = type_name(parameter)
        raise UserError(f"{parameter.long_name}: {given!r} is not a valid {kind}") from None


def type_name(parameter: Parameter) -> str:
    """The kind of value that a parameter takes, in a word: path, text, integer, choice …"""
    return str(parameter.type.func.__name__).rpartition("_")[2]


def choices_of(parameter: Parameter) -> tuple[str, ...]:
    """The words of which a parameter takes one; () for another type."""
    return tuple(parameter.type.args[0]) if parameter.type.func is word_choice else ()


def option(*names: str, type: Callable[..., Any], **more: Any) -> Parameter:  # noqa: A002 (as click calls it)
    """Declares an option by its flags and, if its value is not to be called like the longest flag
    (of `--a/--no-a` the first half), a name without dashes."""
    flags = tuple(name for name in names if name.startswith("-"))
    # `--words/--no-words` is one option, called by its positive name.
    long_name = max(flags, key=len).partition("/")[0].lstrip("-").replace("-", "_")
    name = next((name for name in names if name not in flags), long_name)
    display_name = flags[0].partition("/")[0]
    return Parameter(
        name=name,
        long_name=long_name,
        display_name=display_name,
        flags=flags,
        type=partial(type),
        **more,
    )


def flag(*names: str, default: bool = False, help: str) -> Parameter:  # noqa: A002
    """Declares an option without a value: True where it is given."""
    return option(*names, type=boolean, default=default, help=help)


def argument(
    name: str,
    type: Any,  # noqa: A002
    metavar: str | None = None,
    required: bool = True,
    **more: Any,
) -> Parameter:
    """Declares an argument, which is called `metavar` in the help."""
    names = {
        "name": name,
        "long_name": name,
        "display_name": (metavar or name.upper()).split()[0].strip("[]."),
    }
    return Parameter(**names, type=partial(type), metavar=metavar, required=required, **more)  # type: ignore[arg-type]


def address_option(
    text: str, name: str = "address", *, written: bool = False, **more: Any
) -> Parameter:
    """Declares --index ADDRESS, with `multiple=True` given as often as there are indexes; `text` is
    the help."""
    return option(
        "--index",
        name,
        metavar="ADDRESS",
        type=partial(index_address, written=written),
        help=text,
        **more,
    )


def settings(
    task: str,
    parameters: Sequence[Parameter],
    given: Mapping[str, object],
    also: Sequence[str] = (),
) -> dict[str, object]:
    """Maps the name of each of a command's options to its checked value: from `given` (by the
    option's long name), else the default.

    Raises UserError for a value that the command would refuse, and for an unknown name; the message
    lists the options and `also`. `task` is the command's name in it.
    """
    by_name = {one.long_name: one for one in parameters if one.flags}
    # A misspelt option must not pass for the default.
    unknown = [name for name in given if name not in by_name]
    if unknown:
        known = ", ".join([*also, *by_name]) or "no options"
        raise UserError(f"{task} takes no {unknown[0]}; it takes {known}")
    return {one.name: checked_value(one, given.get(name)) for name, one in by_name.items()}


@dataclass(frozen=True, kw_only=True)
class CommandLine:
    """A command: the function that it runs with its parameters' values as keyword arguments, its
    help, an example call, and its parameters in the order of the help. `call` is what Python calls
    instead, without the outputs."""

    run: Callable[..., object]
    help: str
    example: str
    parameters: tuple[Parameter, ...]
    call: Callable[..., Any] | None = None


def command_line(
    example: str, *parameters: Parameter
) -> Callable[[Callable[..., object]], CommandLine]:
    """Decorator that makes a `CommandLine` of a function, whose docstring is the help; `example` is
    a call of it without `python -m`, and `parameters` are in the order of the help."""
    return lambda run: CommandLine(
        run=run, help=run.__doc__ or "", example=example, parameters=parameters
    )
