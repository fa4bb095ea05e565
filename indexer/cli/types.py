"""Types of options (paths, addresses, languages, texts) and the class of every command."""

from __future__ import annotations

import os
import platform
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from indexer.files.errors import UserError
from indexer.files.messages import to_stderr
from indexer.files.paths import (
    PathClaim,
    index_around,
    matching_files,
    output_fault,
    path_claim,
    refuse_bytes,
    refuse_shared,
    require_input,
)
from indexer.files.validation import validate_plain_text
from indexer.files.versions import OURS, versions
from indexer.location import Location, locate

if TYPE_CHECKING:
    from indexer.languages.language import Language

HELP_OPTIONS = {"help_option_names": ["-h", "--help"]}

version_option = click.version_option(
    versions(()).get(OURS, "(not installed)"),
    message=f"{OURS} %(version)s (Python {platform.python_version()})",
)
"""Decorator that adds --version to a command, which prints the versions of the program and of
Python."""

MOST = 2**31 - 1  # the largest whole number that every library below takes
COUNT = click.IntRange(1, MOST)
"""A whole number from 1."""
SEED = click.IntRange(0, MOST)
"""A whole number from 0."""


class InputFile(click.ParamType[Path | str]):
    """A file that is read, as a `Path`: it exists, may be read, is not a pipe.

    With patterns in `inside`, a folder of such files may be given too (`**` as the last part means
    everything below it); without `files` only a folder. With `pattern`, a glob pattern of files may
    be given (`books/*.txt`), and the value is the text as given. `words` may be given in the place
    of a path, and are passed on as they are. Raises UserError for anything else.
    """

    name = "path"

    def __init__(
        self,
        *inside: str,
        files: bool = True,
        pattern: bool = False,
        words: tuple[str, ...] = (),
    ) -> None:
        self.inside = inside
        self.files = files
        self.pattern = pattern
        self.words = words

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> Path | str:
        """The path of a value that can be read (for a `pattern` the pattern, all of whose files
        can), or one of `words` unchanged. Raises UserError for any other."""
        if isinstance(value, Path) or value in self.words:
            return value  # type: ignore[no-any-return]
        label = label_of(param)
        if not self.pattern:
            require_input(value, label, self.inside, files=self.files)
            return Path(value)
        for path in self.matches(value, label):
            require_input(path, label, self.inside)
        return str(value)

    def matches(self, value: str, label: str) -> list[str]:
        """The files of a pattern; a folder itself where folders may be given."""
        if self.inside and "\0" not in value and Path(value).is_dir():
            return [value]
        return matching_files(value, label)

    def claims(self, value: Path | str, label: str) -> Iterator[PathClaim]:
        """Yields the files that a value of this type reads."""
        if value in self.words:
            return
        paths = self.matches(str(value), label) if self.pattern else [value]
        for path in paths:
            if not Path(path).is_dir() or self.inside == ("**",):
                inside = self.inside if Path(path).is_dir() else None
                yield path_claim(label, path, written=False, inside=inside)
                continue
            for pattern in self.inside:
                for file in Path(path).glob(pattern):
                    yield path_claim(label, file, written=False)


class OutputPath(click.ParamType[str]):
    """A path that is written, as text: a file in a folder that can be written to or made, or `-`
    for the standard output.

    With patterns in `inside`, a folder is taken too, in which such files are written (`**` as the
    last part means everything below it); without `files` only a folder. With `begins`, an existing
    file must begin with these bytes, as an earlier output would. Nothing goes into the folder of an
    index. Raises UserError for anything else.
    """

    name = "path"

    def __init__(self, *inside: str, files: bool = True, begins: bytes = b"") -> None:
        self.inside = inside
        self.files = files
        self.begins = begins

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The path, unchanged. Raises UserError if nothing can be written there, if it is in an
        index, or if a file is there that does not begin with `begins`."""
        label = label_of(param)
        path = str(value)
        refuse_bytes(path, label)
        if fault := output_fault(path, folder=self.is_folder(path)):
            raise UserError(f"{label} {path}: {fault}")
        if (index := index_around(path)) is not None:
            raise UserError(f"{label} {path}: lies in the index {index}; choose another place")
        if self.begins and Path(path).is_file():
            with Path(path).open("rb") as file:
                # A shorter file may be written over: an empty one, or the beginning that a killed
                # program left.
                beginning = file.read(len(self.begins))
            if not self.begins.startswith(beginning):
                raise UserError(
                    f"{label} {path}: exists and holds other files; remove it, or choose another "
                    f"place"
                )
        return path

    def is_folder(self, path: str) -> bool:
        """Whether files in a folder of this path are written, and not a file."""
        # os.path.isdir is False for what cannot be a path.
        return bool(self.inside) and (
            not self.files or path.endswith("/") or os.path.isdir(path)  # noqa: PTH112
        )

    def claims(self, value: str, label: str) -> Iterator[PathClaim]:
        """Yields what a value of this type writes."""
        inside = self.inside if self.is_folder(value) else None
        yield path_claim(label, value, written=True, inside=inside)


class Address(click.ParamType[Location]):
    """An index's address, parsed into a `Location`. With `written`, the index is built there.
    Raises UserError if it is not a name, a folder or a URL."""

    name = "address"

    def __init__(self, *, written: bool = False) -> None:
        self.written = written

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> Location:
        return locate(value)

    def claims(self, value: Location, label: str) -> Iterator[PathClaim]:
        """Yields the folder of an embedded index."""
        if value.folder is not None:
            yield path_claim(label, value.folder, written=self.written, inside=("**",))


class LanguageCode(click.ParamType["Language"]):
    """The code of a language (`ja`), as the `Language`. Codes are looked up when the option is
    read, so that a program may register languages before."""

    name = "language"

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str:
        """The codes, as the help shows them: [en|ja|zh]."""
        from indexer.languages.registry import LANGUAGES

        return f"[{'|'.join(LANGUAGES)}]"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> Language:
        """The language of a code; a usage error for an unknown one."""
        from indexer.languages.language import Language
        from indexer.languages.registry import LANGUAGES

        if isinstance(value, Language):
            return value
        if value not in LANGUAGES:
            codes = ", ".join(map(repr, LANGUAGES))
            self.fail(f"{value!r} is not one of {codes}.", param, ctx)
        return LANGUAGES[value]


# The names of the packages, and those commands of `answerer`, that `classical-qa` has for itself.
PACKAGES = {
    "indexer": "index",
    "retriever": "retrieve",
    "answerer": "answer",
    "evaluation": "evaluate",
}
SHORT = ("ask", "check-quiz", "serve")


class PlainText(click.ParamType[str]):
    """A text that is not empty and has no control characters; UserError for any other."""

    name = "text"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        return validate_plain_text(value, label_of(param))


def installed_call(call: str) -> str:
    """A call as `python -m` takes it, by the installed command if it has that program:
    `classical-qa answer selqa …` for `answerer selqa …`."""
    package, _, rest = call.partition(" ")
    if package not in PACKAGES:
        return f"python -m {call}"
    if package == "answerer" and rest.split()[0] in SHORT:
        return f"classical-qa {rest}"
    return f"classical-qa {PACKAGES[package]} {rest}"


class Command(click.Command):
    """A click command that refuses an option of one value given twice, an output that is also an
    input, and two outputs in one place; with -h, --quiet and --verbose.

    `example` is a call of it, which ends the help.
    """

    def __init__(self, *args: Any, example: str = "", **more: Any) -> None:
        more.setdefault("context_settings", HELP_OPTIONS)
        if example:
            more["epilog"] = f"Example: {installed_call(example)}"
        super().__init__(*args, **more)
        self.params += [
            _message_option("quiet", "Say nothing but warnings and errors."),
            _message_option("verbose", "Say more: what is opened, how long it takes."),
        ]

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """As click's, but an option of one value that is given twice is a UserError: click would
        drop the first."""
        _, _, order = self.make_parser(ctx).parse_args(list(args))
        for param, times in Counter(order).items():
            if (
                isinstance(param, click.Option)
                and times > 1
                and not (param.multiple or param.is_flag)
            ):
                raise UserError(f"{param.opts[0]} is given {times} times: give it once")
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Calls the command's function. Raises UserError before it if an output is also an input or
        another output."""
        claims = list(self.claims(ctx))
        for position, output in enumerate(claims):
            if output.written:
                others = claims[:position] + [
                    claim for claim in claims[position + 1 :] if not claim.written
                ]
                for other in others:
                    refuse_shared(other, output)
        return super().invoke(ctx)

    def claims(self, ctx: click.Context) -> Iterator[PathClaim]:
        """Yields the paths that the values of the command's parameters read and write."""
        for param in self.params:
            if not isinstance(param.type, InputFile | OutputPath | Address):
                continue
            value = ctx.params.get(str(param.name))
            values = value if isinstance(value, tuple | list) else (value,)
            for single in values:
                if single is not None:
                    yield from param.type.claims(single, label_of(param))

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Writes the example on lines that the shell takes as one, and that do not end inside a
        word."""
        if not self.epilog:
            return
        words = re.findall(r'"[^"]*"|\'[^\']*\'|\S+', self.epilog)
        lines = [words[0]]
        for word in words[1:]:
            if len(lines[-1]) + len(word) + 5 > formatter.width:
                lines.append(f"  {word}")
            else:
                lines[-1] += f" {word}"
        formatter.write_paragraph()
        formatter.write("  " + " \\\n  ".join(lines) + "\n")


def label_of(param: click.Parameter | None) -> str:
    """A parameter's name in messages, as the user writes it: `--trace`, `-o`, `EXAM.xml`."""
    if isinstance(param, click.Option):
        return param.opts[0]
    if param is None:
        return "the value"
    return (param.metavar or str(param.name).upper()).split()[0].strip("[].")


def _message_option(name: str, text: str) -> click.Option:
    """The option --quiet or --verbose, which says how much goes to stderr from now on."""

    def set_messages(_: click.Context, __: click.Parameter, chosen: bool) -> None:
        if chosen:
            to_stderr(**{name: True})

    return click.Option(
        [f"--{name}"], is_flag=True, expose_value=False, callback=set_messages, help=text
    )
