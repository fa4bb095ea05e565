"""`python -m indexer KIND FILE...`: corpus files in, an index out."""

from __future__ import annotations

if __name__ == "__main__":
    from indexer.cli.console import end_on_interrupt

    end_on_interrupt()  # while the rest loads

import click

from indexer.cli.groups import LazyGroup
from indexer.cli.program import run_program
from indexer.cli.types import version_option
from indexer.registry import SOURCES, TOOLS, sources

EPILOG = "Example: classical-qa index textbook samples/textbook-en.jsonl"


@version_option
@click.group(
    cls=LazyGroup,
    registry=lambda: {**sources(), **TOOLS},
    built_in={**SOURCES, **TOOLS},
    epilog=EPILOG,
)
def main() -> None:
    """Build an index from corpus files: in a folder, or in Elasticsearch if you give a URL.

    An index is addressed by a name ($ELASTICSEARCH_URL/NAME when that variable is set, else the
    folder NAME in $CLASSICAL_QA_INDEXES, by default indexes/NAME), a folder (it has a /), or a URL
    (http://localhost:9200/NAME).
    """


if __name__ == "__main__":
    run_program(main, "python -m indexer")
