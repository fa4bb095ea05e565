"""`python -m retriever`: what it prints, and why a document answered."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from indexer.files.errors import UserError
from indexer.sources.textbook import command as index_textbook
from retriever.__main__ import main


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("retriever")
    book = folder / "book.txt"
    book.write_text("Augustus ruled Rome.\n\nAshoka ruled India.\n\nThe Ganges flows.\n", "utf-8")
    done = CliRunner().invoke(index_textbook, [str(book), "--index", str(folder / "index")])
    assert done.exception is None
    return str(folder / "index")


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments))


def rows(*arguments: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in run(*arguments, "--format", "jsonl").stdout.splitlines()]


def test_hits_come_best_first(address: str) -> None:
    found = rows(address, "Who ruled India?")
    assert [row["text"] for row in found] == ["Ashoka ruled India.", "Augustus ruled Rome."]
    assert [row["rank"] for row in found] == [1, 2]


def test_the_terms_explain_the_score(address: str) -> None:
    best = rows(address, "Who ruled India?", "--explain")[0]
    terms = best["terms"]
    assert isinstance(terms, dict)
    assert list(terms) == ["india", "rule"]
    assert sum(terms.values()) == pytest.approx(best["score"], rel=1e-5)


def test_k_cuts_the_list(address: str) -> None:
    assert len(rows(address, "ruled", "-k", "1")) == 1


def test_nothing_found_is_said_on_stderr(address: str) -> None:
    done = run(address, "Antarctica")
    assert (done.stdout, done.stderr) == ("", "nothing found\n")


def test_an_unknown_part_is_an_error(address: str) -> None:
    with pytest.raises(UserError, match="has no part 'chapters'; it has sentences, paragraphs"):
        CliRunner().invoke(main, [address, "x", "--part", "chapters"], catch_exceptions=False)


def test_a_missing_index_names_both_remedies(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"python -m indexer .*ELASTICSEARCH_URL"):
        CliRunner().invoke(main, [str(tmp_path / "none"), "x"], catch_exceptions=False)
