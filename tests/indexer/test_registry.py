"""A new kind of corpus is its folder and one line of the registry: the command, the index and the
errors know it."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from indexer.__main__ import main
from indexer.engines.opening import open_index
from indexer.files.errors import UserError
from indexer.registry import SOURCES
from retriever.__main__ import main as retriever
from tests.ingest_counts import records


@pytest.fixture(autouse=True)
def proverbs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The one line, and a file of the new kind."""
    monkeypatch.setitem(
        SOURCES, "proverbs", ("tests.indexer.sources.proverbs", "Proverbs with their years.")
    )
    monkeypatch.chdir(tmp_path)
    (tmp_path / "p.tsv").write_text(
        "1546\tTwo heads are better than one.\nno year\n1616\tThe early bird has the worm.\n"
    )
    return tmp_path / "p.tsv"


def test_it_is_indexed_and_searched(proverbs: Path) -> None:
    done = CliRunner().invoke(main, ["proverbs", str(proverbs), "--jobs", "2"])
    assert done.exception is None
    assert records(done.stderr) == (3, 2, 1)
    index = open_index("proverbs", "proverbs")
    assert [one.doc_id for one in index.part().lookup("year", ["1616"])[0]] == ["p-3"]
    found = CliRunner().invoke(retriever, ["proverbs", "early birds"])
    assert found.stdout.splitlines()[0].endswith("p-3\tThe early bird has the worm.")


def test_help_lists_it() -> None:
    assert "Proverbs with their years." in CliRunner().invoke(main, ["--help"]).stdout


def test_where_an_index_is_missing_its_command_is_named() -> None:
    with pytest.raises(UserError, match="`classical-qa index proverbs FILE"):
        open_index("proverbs-old")
