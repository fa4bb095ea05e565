"""Types of options (paths, addresses, languages, texts) and the class of every command."""

from __future__ import annotations

import os
import platform
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
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
    refuse_bytes,
    refuse_shared,
    require_input,
    resolve_path,
)
from indexer.files.signatures import PACKED, SIGNED, binary_form
from indexer.files.validation import validate_plain_text
from indexer.files.versions import OURS, commit, versions

if TYPE_CHECKING:
    from indexer.address import Location
    from indexer.languages.language import Language

HELP_OPTIONS = {"help_option_names": ["-h", "--help"]}


def print_version(ctx: click.Context, option: click.Parameter, chosen: bool) -> None:
    """Ends the command if --version is `chosen`: prints the versions of the program, with the
    commit of a checkout, and of Python."""
    if chosen:
        installed = versions([]).get(OURS, "(not installed)")  # a checkout that is only on the path
        digits = commit()[:12]
        checkout = f"commit {digits}, " if digits else ""
        click.echo(f"{OURS} {installed} ({checkout}Python {platform.python_version()})")
        ctx.exit()


version_option = click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=print_version,
    help="Show the version and exit.",
)
"""Decorator that adds --version to a command."""

MOST = 2**31 - 1  # the largest whole number that every library below takes
COUNT = click.IntRange(1, MOST)
"""A whole number from 1."""

SEED = click.IntRange(0, MOST)
"""A whole number from 0."""
NEVER_WRITTEN = frozenset(
    ".pdf .doc .docx .odt .rtf .epub .xls .xlsx .ods .ppt .pptx .png .jpg .jpeg .gif".split()
)
"""Endings of documents and pictures: no command writes one."""


@dataclass(frozen=True, kw_only=True)
class InputFile(click.ParamType[Path | str]):
    """A file that is read, as a `Path`: it exists, may be read, is not a pipe. Raises UserError for
    anything else."""

    inside: tuple[str, ...] = ()
    """Patterns of files in a folder that may be given too (`**` as the last part means everything
    below it)."""
    files: bool = True
    """Whether a file may be given; else only a folder."""
    pattern: bool = False
    """Whether a glob pattern of files may be given (`books/*.txt`); the value is the text then."""
    words: tuple[str, ...] = ()
    """Words that may be given in the place of a path, and are passed on."""
    name = "path"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> Path | str:
        """The path of a value that can be read (for a `pattern` the pattern, all of whose files
        can); one of `words`, or a Path, unchanged and unchecked. Raises UserError for any other."""
        if isinstance(value, Path) or value in self.words:
            return value  # type: ignore[no-any-return]
        label = label_of(param)
        if self.pattern:
            matching_files(value, label, self.inside)
            return str(value)
        require_input(value, label, self.inside, files=self.files)
        return Path(value)


@dataclass(frozen=True, kw_only=True)
class OutputPath(click.ParamType[str]):
    """A path that is written, as text: a file in a folder that can be written to or made, or `-`
    for the standard output. Nothing goes into the folder of an index, or over a document, a picture
    or other file that is not text. Raises UserError for anything else."""

    inside: tuple[str, ...] = ()
    """Patterns of the files that are written where a folder is given (`**` as the last part means
    everything below it)."""
    files: bool = True
    """Whether a file may be given; else only a folder."""
    begins: bytes = b""
    """What an existing file must begin with, as an earlier output would."""
    name = "path"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The path, unchanged; nothing is written. Raises UserError if nothing can be written
        there, if it is in an index, if a file is there that does not begin with `begins` or is not
        text, or if it ends as a document, a picture or a packed file does."""
        label = label_of(param)
        path = str(value)
        refuse_bytes(path, label)
        is_folder = is_output_folder(self, path)
        if fault := output_fault(path, folder=is_folder):
            raise UserError(f"{label} {path}: {fault}")
        if path.lower().endswith(PACKED):
            raise UserError(f"{label} {path}: nothing is written packed; name it {Path(path).stem}")
        if (index := index_around(path)) is not None:
            raise UserError(f"{label} {path}: lies in the index {index}; choose another place")
        head = b""
        if os.path.isfile(path) and (self.begins or os.access(path, os.R_OK)):  # noqa: PTH113
            with Path(path).open("rb") as file:
                head = file.read(SIGNED)
        # A shorter file may be written over: an empty one, or the beginning that a killed program
        # left.
        if self.begins and not self.begins.startswith(head[: len(self.begins)]):
            raise UserError(
                f"{label} {path}: exists and holds other files; remove it, or choose another place"
            )
        if not self.begins and not is_folder:
            form, suffix = binary_form(head), Path(path).suffix.lower()
            if form or suffix in NEVER_WRITTEN:
                what = form[0] if form else f"the name of a {suffix} file"
                raise UserError(
                    f"{label} {path}: is {what}, which this command does not write; choose another "
                    f"name"
                )
        return path


def is_output_folder(output: OutputPath, path: str) -> bool:
    """Whether an option that may write a folder (`inside`) writes one at this path, and not a file:
    it writes no files, or the path ends in `/` or is a folder."""
    # os.path.isdir is False for what cannot be a path.
    return bool(output.inside) and (
        not output.files or path.endswith("/") or os.path.isdir(path)  # noqa: PTH112
    )


@dataclass(frozen=True, kw_only=True)
class Address(click.ParamType["Location"]):
    """An index's address, parsed into a `Location`. With `written`, the index is built there.
    Raises UserError if it is not a name, a folder or a URL."""

    written: bool = False
    name = "address"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> Location:
        from indexer.address import locate

        return locate(value)


def path_claims(ctx: click.Context) -> list[PathClaim]:
    """The paths that the values of a command's parameters read and write, resolved; of a folder of
    which only some files are read, these files. An index on a server has none."""
    claims = []
    for param in ctx.command.params:
        value, label, kind = ctx.params.get(str(param.name)), label_of(param), param.type
        values = value if isinstance(value, tuple) else (value,)
        for single in values:
            if single is None:
                continue
            if isinstance(kind, Address) and single.folder is not None:
                path = resolve_path(single.folder)
                claims.append(PathClaim(label, path, kind.written, ("**",)))
            elif isinstance(kind, OutputPath):
                inside = kind.inside if is_output_folder(kind, single) else None
                claims.append(PathClaim(label, resolve_path(single), True, inside))
            elif isinstance(kind, InputFile) and single not in kind.words:
                files = [str(single)]
                if kind.pattern:
                    files = matching_files(single, label, kind.inside)
                for file in files:
                    if os.path.isdir(file):  # noqa: PTH112
                        claims += _claims_in_folder(label, file, kind.inside)
                    else:
                        claims.append(PathClaim(label, resolve_path(file), False))
    return claims


def _claims_in_folder(label: str, folder: str, inside: tuple[str, ...]) -> list[PathClaim]:
    """The files read in a folder, those of the patterns `inside` (maybe none); the folder itself,
    whole, for `**`."""
    if inside == ("**",):
        return [PathClaim(label, resolve_path(folder), False, inside)]
    # links among the files lead elsewhere
    paths = [path for pattern in inside for path in Path(folder).glob(pattern)]
    return [PathClaim(label, resolve_path(path), False) for path in paths]


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
        """The language of a code, a `Language` unchanged; a usage error for an unknown code."""
        from indexer.languages.language import Language
        from indexer.languages.registry import LANGUAGES

        if isinstance(value, Language):
            return value
        if value not in LANGUAGES:
            codes = ", ".join(map(repr, LANGUAGES))
            self.fail(f"{value!r} is not one of {codes}.", param, ctx)
        return LANGUAGES[value]


class PlainText(click.ParamType[str]):
    """A text that is not empty and has no control characters; UserError for any other."""

    name = "text"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        return validate_plain_text(value, label_of(param))


MESSAGE_OPTIONS = [
    click.Option(["--quiet"], is_flag=True, help="Say nothing but warnings and errors."),
    click.Option(["--verbose"], is_flag=True, help="Say more: what is opened, how long it takes."),
]


class Command(click.Command):
    """A click command that refuses an option of one value given twice, an output that is also an
    input, and two outputs in one place; with -h, --quiet and --verbose.

    `example` is a call of it, without `classical-qa`, which ends the help.
    """

    def __init__(self, *args: Any, example: str = "", **more: Any) -> None:
        more.setdefault("context_settings", HELP_OPTIONS)
        more.setdefault("epilog", f"Example: classical-qa {example}" if example else None)
        super().__init__(*args, **more)
        self.params += MESSAGE_OPTIONS

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """As click's, but an option of one value that is given twice is a UserError: click would
        drop the first."""
        _, _, order = self.make_parser(ctx).parse_args(list(args))
        for param, times in Counter(order).items():
            if (
                times > 1
                and isinstance(param, click.Option)
                and not (param.multiple or param.is_flag)
            ):
                raise UserError(f"{param.opts[0]} is given {times} times: give it once")
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Calls the command's function without --quiet and --verbose, which it sets. Raises
        UserError before it if an output is also an input or another output."""
        quiet, verbose = ctx.params.pop("quiet"), ctx.params.pop("verbose")
        if quiet or verbose:
            to_stderr(quiet, verbose)
        types = [param.type for param in self.params if ctx.params.get(str(param.name))]
        if any(isinstance(kind, OutputPath) or kind == Address(written=True) for kind in types):
            refuse_shared(path_claims(ctx))
        return super().invoke(ctx)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Writes the example."""
        write_example(self.epilog or "", formatter)


def in_order(*decorators: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """One decorator for several, which the help lists in this order."""

    def decorate(function: Any) -> Any:
        for decorator in reversed(decorators):
            function = decorator(function)
        return function

    return decorate


def write_example(example: str, formatter: click.HelpFormatter) -> None:
    """Writes the example that ends a help, if it is not "", on lines that the shell takes as one
    and that do not end inside a word or a quoted text; a longer word has a line to itself."""
    if not example:
        return
    words = re.findall(r'"[^"]*"|\'[^\']*\'|\S+', example)
    lines = [words[0]]
    for word in words[1:]:
        if len(lines[-1]) + len(word) + 5 > formatter.width:
            lines.append(f"  {word}")
        else:
            lines[-1] += f" {word}"
    formatter.write_paragraph()
    formatter.write("  " + " \\\n  ".join(lines) + "\n")


def label_of(param: click.Parameter | None) -> str:
    """A parameter's name in messages: the first that an option declares (`--trace`, `-o`), the
    first word of an argument's metavar (`EXAM.xml`), else its name in capitals; "the value" for
    None."""
    if isinstance(param, click.Option):
        return param.opts[0]
    if param is None:
        return "the value"
    return (param.metavar or str(param.name).upper()).split()[0].strip("[].")
