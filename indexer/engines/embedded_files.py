"""The folder of an embedded index, for those who search it and those who build it.

It has `metadata.json`, and a numbered folder that holds a tantivy index for each part.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import tantivy

from indexer.engines.metadata import Metadata, from_json
from indexer.files.atomic import temporary_folder
from indexer.files.errors import UserError
from indexer.location import Location, nothing_there

METADATA_FILE = "metadata.json"
TOKENIZER = "by_spaces"
_TANTIVY_LOCK = ".tantivy-meta.lock"


def folder_of(location: Location) -> Path:
    """The folder of an embedded index's location."""
    assert location.folder is not None  # noqa: S101 - `builder_for` has seen to it
    return location.folder


def read_metadata(location: Location) -> tuple[str, Metadata]:
    """Returns the name of the generation folder that holds the index's parts, and the metadata.

    Raises UserError if the index does not exist or its metadata cannot be read.
    """
    path = folder_of(location) / METADATA_FILE
    try:
        stored = json.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        raise nothing_there(location, names(location)) from None
    except ValueError:
        raise UserError(f"the index {location.shown} is damaged ({path} is not JSON): build it again") from None
    metadata = from_json(stored, location.shown)
    return str(stored.get("generation")), metadata


def names(location: Location) -> list[str]:
    """The names of the indexes beside a location, in the folder of its folder, sorted."""
    return sorted(path.parent.name for path in folder_of(location).parent.glob(f"*/{METADATA_FILE}"))


def open_part(folder: Path) -> tantivy.Index:
    """Opens the tantivy index in a folder and registers its tokenizer, which tantivy does not store.

    tantivy locks a file of the folder while it opens: where that cannot be written (another user's index), it is opened
    through links in a temporary folder. Raises ValueError for a damaged index, UserError without a temporary folder.
    """
    with damage_caught():
        try:
            index = tantivy.Index.open(str(folder))
        except ValueError:
            if os.access(folder / _TANTIVY_LOCK, os.W_OK):
                raise
            files = [file for file in folder.absolute().iterdir() if file.suffix != ".lock"]
            for file in files:
                file.open("rb").close()  # tantivy reports a file that it may not read as damage
            try:
                with temporary_folder() as aside:
                    for file in files:
                        (aside / file.name).symlink_to(file)
                    index = tantivy.Index.open(str(aside))
            except OSError:
                raise UserError(
                    f"the index in {folder} is read-only, and opening it needs a folder for temporary files: "
                    "set TMPDIR to a writable folder"
                ) from None
    # terms come joined by single spaces; nothing else may be done to them
    index.register_tokenizer(TOKENIZER, tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace()).build())
    return index


@contextmanager
def damage_caught(part: str = "") -> Iterator[None]:
    """Context manager that turns tantivy's ValueError or PanicException over a damaged file into a UserError of one
    line that names the part; without a part, into a ValueError."""
    try:
        yield
    except BaseException as error:
        if not isinstance(error, ValueError) and type(error).__name__ != "PanicException":
            raise
        if not part:
            raise ValueError(error) from None
        raise UserError(f"an index is damaged in its part {part} ({error}): build it again") from None
