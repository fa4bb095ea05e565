"""`--about FILE`: what only a person can say of a run, for its metadata."""

from __future__ import annotations

from typing import Any

import click

from indexer.cli.parameters import InputPath
from indexer.files.encoding import read_text
from indexer.files.errors import UserError
from retriever.provenance.anybody import LARGEST, read_yaml

ABOUT = ("actor", "research goal")

about_option = click.option(
    "--about",
    "about_file",
    metavar="FILE",
    type=InputPath(),
    help="With --metadata, which it implies: actor and research goal, from YAML.",
)


def about(path: str | None) -> dict[str, dict[str, Any]]:
    """What a person says of a run in a file of YAML: `actor` and `research goal`, mappings both. UserError for more."""
    if path is None:
        return {}
    try:
        found = read_yaml(read_text(path, LARGEST))
    except ValueError as error:
        raise UserError(f"{path}: {error}") from None
    known = isinstance(found, dict) and set(found) <= set(ABOUT)
    if not known or not all(isinstance(value, dict) for value in found.values()):
        raise UserError(f"{path}: expected {' or '.join(ABOUT)} with entries of their own, as in ir_metadata")
    return dict(found)
