"""The embedded index ranks as bm25s (method lucene) and rank-bm25 do on the same terms, up to what
they differ in."""

from __future__ import annotations

import math
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from indexer.engines.contract import engine_term, field_text
from indexer.languages.registry import LANGUAGES
from tests.parity.corpora import corpus
from tests.parity.reference import one_byte_length
from tests.places import ROOT, SAMPLES

sys.path.insert(0, str(ROOT / "benchmarks"))

import bm25_parity as parity

SHORT, EVERY = "documents of fewer than 24 terms", "all documents"


def tops(scorer: parity.Scorer, made: parity.Corpus) -> list[parity.Top]:
    return [parity.top_ten(made.doc_ids, scorer(query)) for query in made.queries]


@pytest.fixture(scope="module", params=LANGUAGES)
def made(request: pytest.FixtureRequest) -> parity.Corpus:
    """464 documents, some of them twice, the longest of a hundred sentences; 150 queries of 1 to 12
    terms."""
    source = corpus(LANGUAGES[request.param], 150)
    rows = [
        (document.doc_id, document.text, field_text(document.terms["text"]).split())
        for document in source.documents
    ]
    queries = [
        list(dict.fromkeys(engine_term(term.term) for term in query.terms))
        for query in source.queries
    ]
    return parity.Corpus(source.language, *map(list, zip(*rows, strict=True)), queries)


@pytest.fixture(scope="module", params=[EVERY, SHORT])
def pair(
    request: pytest.FixtureRequest, made: parity.Corpus, tmp_path_factory: pytest.TempPathFactory
) -> tuple[parity.Corpus, list[parity.Top], str]:
    """The corpus, what the embedded index answers, and which documents it has."""
    chosen = made.short() if request.param == SHORT else made
    folder = tmp_path_factory.mktemp("peers") / "index"
    return (
        chosen,
        parity.our_tops(parity.build_ours(chosen, str(folder)), chosen.queries),
        request.param,
    )


def lists(found: Sequence[parity.Top]) -> list[list[str]]:
    return [[doc_id for _, doc_id in top] for top in found]


def assert_equal(ours: Sequence[parity.Top], theirs: Sequence[parity.Top]) -> None:
    """The same documents in the same order, scores within single precision."""
    assert lists(ours) == lists(theirs)
    for one, other in zip(ours, theirs, strict=True):
        assert [score for score, _ in one] == pytest.approx([score for score, _ in other], rel=1e-5)


def test_rankings_are_those_of_bm25s_where_lengths_are_exact(
    pair: tuple[parity.Corpus, list[parity.Top], str],
) -> None:
    made, ours, which = pair
    theirs = tops(parity.bm25s_scorer(made.terms), made)
    if which == SHORT:
        assert_equal(ours, theirs)
    else:
        assert not all(map(parity.agree, ours, theirs))
        # a length above 24 loses less than an eighth of itself, and no score gains more than the
        # length lost
        assert max(map(parity.score_apart, ours, theirs)) < 1 / 8


def test_rankings_are_those_of_rank_bm25_with_our_idf_and_lengths(
    pair: tuple[parity.Corpus, list[parity.Top], str],
) -> None:
    made, ours, _ = pair
    assert_equal(
        ours, tops(parity.rank_bm25_scorer(made.terms, lucene_idf=True, one_byte=True), made)
    )


def test_rankings_are_those_of_the_formula_over_one_byte_lengths(
    pair: tuple[parity.Corpus, list[parity.Top], str],
) -> None:
    made, ours, _ = pair
    assert_equal(ours, tops(parity.Formula(made.terms, one_byte=True), made))


def test_bm25s_is_the_formula_over_exact_lengths(
    pair: tuple[parity.Corpus, list[parity.Top], str],
) -> None:
    made, _, _ = pair
    assert_equal(
        tops(parity.Formula(made.terms, one_byte=False), made),
        tops(parity.bm25s_scorer(made.terms), made),
    )


def test_rank_bm25_has_an_idf_of_its_own() -> None:
    terms = [["a", "b"], ["a", "c"], ["c", "d"], ["e", "f"]]
    own, ours = parity.rank_bm25_scorer(terms), parity.rank_bm25_scorer(terms, lucene_idf=True)
    # every document has the average length, so that a term that stands once scores its idf: 1 (k1 +
    # 1) / (1 + k1)
    assert own(["b"])[0] == pytest.approx(math.log((4 - 1 + 0.5) / (1 + 0.5)))
    assert ours(["b"])[0] == pytest.approx(math.log(1 + (4 - 1 + 0.5) / (1 + 0.5)))
    assert own(["a"])[0] == pytest.approx(
        math.log((4 - 2 + 0.5) / (2 + 0.5))
    )  # 0: it stands in half of them
    assert ours(["a"])[0] == pytest.approx(math.log(1 + (4 - 2 + 0.5) / (2 + 0.5)))


def test_lengths_of_one_byte() -> None:
    assert [parity.one_byte_length(length) for length in (0, 23, 24, 39, 40, 41, 42, 1000)] == [
        *(0, 23, 24, 39, 40, 40, 42),
        24 + (976 >> 6 << 6),
    ]
    assert all(parity.one_byte_length(length) == one_byte_length(length) for length in range(5_000))


def test_lists_agree_but_for_ties() -> None:
    one = [(2.0, "a"), (1.0, "b"), (1.0, "c")]
    assert parity.agree(one, [(2.0, "a"), (1.000001, "c"), (1.0, "b")])
    assert not parity.agree(one, [(2.0, "a"), (1.1, "b"), (1.0, "c")])
    assert not parity.agree(one, one[:2])
    assert parity.score_apart(one, [(2.0, "a"), (1.1, "b")]) == pytest.approx(0.1)


@pytest.mark.process
def test_the_benchmark_prints_rankings(tmp_path: Path) -> None:
    (tmp_path / "selqa").mkdir()
    shutil.copy(SAMPLES / "selqa.dev.json", tmp_path / "selqa" / "SelQA-ass-dev.json")
    command = [sys.executable, str(ROOT / "benchmarks" / "bm25_parity.py"), "--corpus", "selqa"]
    environment = {**os.environ, "QA_DATA": str(tmp_path)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    rows = [line.split("\t") for line in done.stdout.splitlines()]
    header = rows[0]
    found = [dict(zip(header, row, strict=True)) for row in rows[1:]]
    alike = [row for row in found if row["system"] in ("formula, one-byte lengths", "bm25s")]
    assert [row["of"] for row in alike] == ["all", "all", "short", "short"]
    assert all(row["queries"] == row["same ten"] == row["same scores"] != "0" for row in alike)
