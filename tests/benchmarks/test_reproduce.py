"""`make reproduce` prints each figure beside the expected one, and the page has the expected ones."""

from __future__ import annotations

from pathlib import Path

import pytest
import reproduce
from click.testing import CliRunner

MILLS = """\
name = "Mills"
source = "the miller"
documents = "mills/documents.trec"
topics = "mills/topics.tsv"
qrels = "mills/qrels.txt"
measures = ["AP"]
tolerance = 0.0005
counts = { documents = 2, terms = 4, topics = 2, judged = 1 }

[[runs]]
options = ""
expected = { AP = 1.0 }
"""


def test_the_page_has_the_figures_of_the_configuration_files() -> None:
    collections = [
        (
            settings,
            reproduce.Reproduced(
                reproduce.expected_counts(settings),
                [
                    {measure: run["expected"][measure] for measure in settings["measures"]}
                    for run in settings["runs"]
                ],
            ),
        )
        for settings in reproduce.configured().values()
    ]
    assert reproduce.page(collections) == reproduce.PAGE.read_text("utf-8")


@pytest.mark.process
def test_figures_stand_beside_the_expected_and_what_is_missing_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The topic `rye` finds its one document: AP 1; that file expects .5, the other's data lack."""
    data, configured = tmp_path / "mills", tmp_path / "collections"
    data.mkdir()
    configured.mkdir()
    (data / "documents.trec").write_text(
        "<DOC><DOCNO>d1</DOCNO>rye mill</DOC>\n<DOC><DOCNO>d2</DOCNO>oat mill</DOC>\n"
    )
    (data / "topics.tsv").write_text("q1\trye\nq2\toat\n")
    (data / "qrels.txt").write_text("q1 0 d1 1\n")
    (configured / "mills.toml").write_text(MILLS.replace("AP = 1.0", "AP = 0.5"))
    (configured / "other.toml").write_text(MILLS.replace("mills/", "other/"))
    page = tmp_path / "page.md"
    monkeypatch.setattr(reproduce, "COLLECTIONS", configured)
    monkeypatch.setattr(reproduce, "PAGE", page)
    monkeypatch.setenv("QA_DATA", str(tmp_path))
    monkeypatch.delenv("ELASTICSEARCH_URL", raising=False)
    ended = CliRunner().invoke(reproduce.main, [], catch_exceptions=False)
    rows = [line.split() for line in ended.stdout.splitlines()]
    assert rows == [
        ["collection", "options", "measure", "expected", "got"],
        ["Mills", "AP", "0.5000", "1.0000", "differs"],
    ]
    assert ended.exit_code == 1
    assert "other/documents.trec is not there; get it from the miller" in caplog.text
    (configured / "mills.toml").write_text(MILLS)
    (configured / "other.toml").unlink()
    assert CliRunner().invoke(reproduce.main, ["mills"]).exit_code == 0
    assert not page.exists()
    CliRunner().invoke(reproduce.main, ["--write"], catch_exceptions=False)
    assert "| Mills (2 documents, 4 terms, 2 topics, 1 judged) |  | 1.0000 |  |" in page.read_text()
