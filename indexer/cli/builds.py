"""`python -m indexer KIND FILE...`: the commands that build an index, one a kind of corpus."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from indexer.address import open_index
from indexer.cli.parameters import (
    LANGUAGE,
    TEXT,
    InputPath,
    InputPattern,
    Option,
    OutputPath,
    SchedulerAddress,
    address_option,
    at_least,
    with_options,
)
from indexer.files.errors import UserError
from indexer.files.messages import first_few
from indexer.registry import WIKI_FILES

if TYPE_CHECKING:
    from indexer.build import BuildOptions


_OPTIONS = (
    click.option("--rejects", metavar="FILE", type=OutputPath(), help="Keep rejected records here, as JSON lines."),
    click.option("--allow-rejects", is_flag=True, help="Publish even if most records, or all of a file, are rejected."),
    click.option("--replace", is_flag=True, help="Replace an index of another kind or of other sources."),
    click.option("--jobs", type=at_least(1, 256), default=1, help="Processes that analyse text [1]."),
    click.option("--shards", type=at_least(1, 1024), help="Elasticsearch: primary shards [1 for each 10 GB]."),
    click.option(
        "--replicas", type=at_least(0, 100), help="Elasticsearch: copies of each shard [1, or 0 on one node]."
    ),
)


def index_option(said: str, default: str | None = None) -> Option:
    """--index ADDRESS: where the index goes; `said` is the default as the help shows it."""
    return address_option(f"Where the index goes [{said}].", default, written=True)


scheduler_option = click.option(
    "--scheduler",
    metavar="ADDRESS",
    type=SchedulerAddress(),
    help="Build on the workers of a Dask scheduler (tcp://HOST:8786).",
)
"""The machines that build the index; goes below `build_options`."""


def build_options(command: Callable[..., None]) -> Callable[..., None]:
    """Gives a command these options, which reach it together as `options`, a `BuildOptions`."""

    @wraps(command)
    def with_build_options(**given: Any) -> None:
        from indexer.build import BuildOptions

        options = BuildOptions(**{name: given.pop(name) for name in BuildOptions._fields if name in given})
        command(options=options, **given)

    return with_options(with_build_options, _OPTIONS)


@click.command(epilog="Example: python -m indexer textbook samples/textbook-en.jsonl")
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=InputPattern(WIKI_FILES))
@index_option("textbook-LANGUAGE")
@click.option("--add", is_flag=True, help="Add FILEs to those of the index at --index, by its own settings.")
@click.option("--language", type=LANGUAGE, help="The text's language [told from its letters].")
@click.option("--unit", type=click.Choice(["sentence", "paragraph"]), default="sentence", help="A document [sentence].")
@click.option(
    "--terms",
    "terms",
    multiple=True,
    metavar="FILE",
    type=InputPath(("*.csv",)),
    help="A glossary: names with kinds, years and aliases.",
)
@click.option("--without", "without", metavar="FILE", type=InputPath(), help="Leave these texts out (one a line).")
@click.option(
    "--names/--no-names", "with_names", default=True, help="Count names and terms, which exams ask for [yes]."
)
@click.option("--source-type", type=TEXT, default="QALAB3", help="What extraction runs cite the text as [QALAB3].")
@build_options
@scheduler_option
def textbook(files: tuple[str, ...], add: bool, **given: Any) -> None:
    """Index textbooks: plain text, JSON lines (id, title, text), TREC <DOC> files or textbook XML, also .gz, .bz2.

    PDF (with the extra `documents`), the text that `pdftotext` makes of one, EPUB, DOCX and HTML: running heads, feet
    and page numbers are left out, divided words joined, and the pages kept.

    Wikipedia: MediaWiki XML dumps, and what WikiExtractor makes of them (its folder, its files, its JSON lines).

    Files of questions with candidate sentences (NLPCC DBQA, SelQA, WikiQA, TrecQA) give their candidates, each
    different one once and whole; a paragraph is one question's candidates.
    """
    from indexer.analysis.glossary import Glossary
    from indexer.sources.textbook.build import build
    from indexer.sources.textbook.forms import textbook_files
    from indexer.statistics.part import NAMES

    if add:
        # The recorded files and the new ones are built as a whole, with the settings of the index.
        address: str | None = given["address"]
        if address is None:
            raise UserError("--add: name the index with --index")
        index = open_index(address, "textbook")
        metadata = index.metadata
        index.close()
        own = metadata.settings
        recorded = tuple(name for name, _ in metadata.sources)
        if gone := [name for name in recorded if not Path(name).is_file()]:
            raise UserError(f"--add: {address} was built from files that are not there now: {first_few(gone)}")
        if own["left_out"] and given["without"] is None:
            raise UserError(f"--add: {address} was built --without texts: give that file again")
        settings: dict[str, Any] = {
            "language": metadata.language,
            "unit": own["unit"],
            "source_type": own["source_type"],
            "with_names": any(part.name == NAMES.name for part in metadata.parts),
        }
        for name, value in settings.items():
            explicit = click.get_current_context().get_parameter_source(name) is ParameterSource.COMMANDLINE
            if explicit and given[name] != value:
                raise UserError(f"--add: {address} was built with another {name}; build it anew to change that")
        glossary = given["terms"] or Glossary.from_lines(own["glossary"])
        options = given["options"]._replace(replace=True)
        files, given = (*recorded, *files), {**given, **settings, "terms": glossary, "options": options}
    build(textbook_files(files), **given)


@click.command(epilog="Example: python -m indexer triples samples/triples-zh.kb")
@click.argument("kb", metavar="KB", type=InputPath(again=True))
@click.option(
    "--mentions", metavar="FILE", type=InputPath(), help="Further names: lines of `mention ||| entity TAB entity`."
)
@index_option("triples", "triples")
@build_options
@scheduler_option
def triples(kb: str, mentions: str | None, address: str, options: BuildOptions) -> None:
    """Index a knowledge base of lines `subject ||| predicate ||| object`, also .gz and .bz2, of any size."""
    from indexer.sources.triples.build import build

    build(kb, mentions, address, options)


@click.command(epilog="Example: python -m indexer tables samples/tbqa.dev.txt")
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=InputPath())
@index_option("tables", "tables")
@click.option("--language", type=LANGUAGE, default="en", help="The tables' language [en].")
@build_options
def tables(**given: Any) -> None:
    """Index the candidate tables of NLPCC TBQA files, each different table once, with labels or without."""
    from indexer.sources.tables.build import build

    build(**given)


@click.command(
    epilog="Example: python -m indexer datasets samples/datasearch-collection.jsonl.bz2 samples/datasearch-data.tar.bz2"
)
@click.argument("files", nargs=-1, required=True, metavar="COLLECTION ARCHIVE...", type=InputPath())
@index_option("datasets", "datasets")
@click.option(
    "--only", metavar="QUESTIONS", type=InputPath(), help="Only the datasets that these questions (or ids) name."
)
@build_options
@scheduler_option
def datasets(files: tuple[str, ...], address: str, only: str | None, options: BuildOptions) -> None:
    """Index the tables of open data: metadata (JSON lines) and archives (tar, plain or packed, or zip) of data files.

    Archives are read once, member by member. csv, tsv, xls, xlsx, ods, html, json, xml, pdf (with the extra
    `pdf`) and zip of these give tables; what cannot be read is listed with its reason.
    """
    from indexer.sources.datasets.build import build

    build(files, address, only, options)


@click.command(epilog="Example: python -m indexer reports samples/u4-reports.tar.xz")
@click.argument(
    "files", nargs=-1, required=True, metavar="FOLDER|ARCHIVE...", type=InputPath(("**/*.html", "**/*.htm"))
)
@index_option("reports", "reports")
@build_options
def reports(**given: Any) -> None:
    """Index the tables of Japanese securities reports (EDINET's HTML, as NTCIR-18 U4 gives it), a document a table."""
    from indexer.sources.reports.build import build

    build(**given)
