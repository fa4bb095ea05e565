"""Where questions are at home in an index of two books: the share of what they find there against
that by chance."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from answerer.ntcir.multiple_choice.names.judgement import compare_with_rivals, home_of, read_claims
from answerer.ntcir.multiple_choice.names.signals import NAMES, signal_rows
from answerer.ntcir.multiple_choice.shapes import ChoiceStatement
from indexer.address import open_index
from indexer.engines.contract import Index
from indexer.files.arrays import Float64Array
from indexer.statistics.forms import IdRun
from retriever.association import counts as counts_module
from retriever.association.counts import EntityCounts, entity_counts, unit_of
from retriever.association.features import NameClaim, flatten, retrieved_by
from tests.books import EMPTY_BOOK, incidence
from tests.programs import run

A, B = IdRun("a-", 7, 1, 3), IdRun("b-", 7, 1, 1)
RIVER, TEMPLE, DESERT = range(3)


@pytest.fixture(autouse=True)
def _small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of our small books is a block."""
    monkeypatch.setattr(counts_module, "_LEAST", 1)


def counts_of(*doc_ids: IdRun) -> EntityCounts:
    """Four paragraphs of a sentence each: three speak of the river, the last one of the temple."""
    terms = {"river": RIVER, "temple": TEMPLE, "desert": DESERT}
    at = incidence([0, 1, 2], [3], [])
    return entity_counts(EMPTY_BOOK._replace(term_row=terms, at_terms=at, doc_ids=list(doc_ids)))


def claim(*terms: int) -> NameClaim:
    return NameClaim((), terms)


def test_a_question_is_at_home_where_it_finds_more_than_by_chance() -> None:
    """All that the first finds is in a, by chance it would be 3/4 of it; the other way round for
    the second."""
    home = home_of([claim(RIVER), claim(TEMPLE)], [0, 1], counts_of(A, B))
    a, b = 1.05 / 0.80, 0.05 / 0.30
    assert home is not None
    assert home[0].tolist() == pytest.approx([1.0, (b / a / 0.5) ** 4])
    a, b = 0.05 / 0.80, 1.05 / 0.30
    assert home[1].tolist() == pytest.approx([(a / b / 0.5) ** 4, 1.0])


def test_statements_of_one_question_are_at_home_in_the_same_place() -> None:
    home = home_of([claim(RIVER), claim(TEMPLE)], [0, 0], counts_of(A, B))
    a, b = 0.55 / 0.80, 0.55 / 0.30
    assert home is not None
    assert home.tolist() == [pytest.approx([(a / b / 0.5) ** 4, 1.0])] * 2


def test_a_block_with_half_as_much_more_as_the_best_is_as_good_a_home() -> None:
    home = home_of([claim(RIVER), claim(RIVER), claim(TEMPLE)], [0, 0, 0], counts_of(A, B))
    a, b = (2 / 3 + 0.05) / 0.80, (1 / 3 + 0.05) / 0.30
    assert home is not None
    assert 0.5 < a / b < 1
    assert home.tolist() == [[1.0, 1.0]] * 3


def test_what_finds_nothing_is_at_home_everywhere() -> None:
    home = home_of([claim(DESERT), claim()], [0, 1], counts_of(A, B))
    assert home is not None
    assert home.tolist() == [[1.0, 1.0], [1.0, 1.0]]


def test_one_book_is_the_home_of_all() -> None:
    assert home_of([claim(RIVER)], [0], counts_of(A._replace(size=4))) is None
    assert home_of([], [], counts_of(A, B)) is None
    assert flatten([claim(RIVER)]).home is None


EAST = """King Cyrus of Persia took the city of Babylon. Cyrus ruled Babylon for long.

King Cyrus spared the river temple of Babylon, and Persia thrived.

The merchants of Sardis crossed a river to Babylon.
"""
WEST = """King Cyrus of Persia fought Sardis. Cyrus took Sardis by night.

The people of Sardis feared King Cyrus and Persia.
"""
PAIRS = [
    NAMES.index(f"{kind}_{unit}")
    for kind in ("pmi", "pmi_best", "pmi_worst")
    for unit in ("window", "section")
]


@pytest.fixture(scope="module")
def books(tmp_path_factory: pytest.TempPathFactory) -> tuple[Index, Index]:
    """The index of both books, and that of the first alone."""
    folder = tmp_path_factory.mktemp("home")
    for name, text in (("east", EAST), ("west", WEST)):
        (folder / f"{name}.txt").write_text(text, "utf-8")
    for name, files in (("both", ("east", "west")), ("one", ("east",))):
        sources = [str(folder / f"{file}.txt") for file in files]
        assert run("indexer", "textbook", *sources, "--index", str(folder / name)).status == 0
    return open_index(str(folder / "both")), open_index(str(folder / "one"))


def signals(index: Index, home: list[float] | None) -> Float64Array:
    """The signals of the names of a statement, by their labels in order."""
    claims = read_claims([ChoiceStatement("King Cyrus of Persia took Babylon.")], index)
    places = [claims.labels[0].index(label) for label in ("cyrus", "persia", "babylon")]
    flat = replace(flatten(claims.claims), home=None if home is None else np.array([home]))
    return signal_rows(flat, claims.counts)[places]


def test_a_block_that_counts_nothing_is_as_if_it_were_in_another_index(
    books: tuple[Index, Index],
) -> None:
    both, one = books
    assert signals(both, [1.0, 1e-12])[:, PAIRS] == pytest.approx(signals(one, None)[:, PAIRS])
    assert signals(both, None)[:, PAIRS] != pytest.approx(signals(one, None)[:, PAIRS], abs=0.01)


def test_the_share_of_what_is_retrieved_is_times_what_its_block_counts(
    books: tuple[Index, Index],
) -> None:
    claims = read_claims(
        [ChoiceStatement("The people of Sardis feared the temple of King Cyrus.")], books[0]
    )
    flat, unit = flatten(claims.claims), unit_of(claims.counts, "paragraph")
    place = claims.labels[0].index("sardis")

    def shares(home: list[float]) -> dict[int, float]:
        found = retrieved_by(unit, replace(flat, home=np.array([home])))
        return dict(zip(found.passages[place].tolist(), found.shares[place].tolist(), strict=True))

    usual, lower = shares([1.0, 1.0]), shares([1.0, 0.95])
    assert {unit.block_of[passage] for passage, share in usual.items() if share} == {0, 1}
    total = sum(share * (1.0, 0.95)[unit.block_of[passage]] for passage, share in usual.items())
    expected = {
        passage: share * (1.0, 0.95)[unit.block_of[passage]] / total
        for passage, share in usual.items()
    }
    assert lower == pytest.approx(expected)
    assert {unit.block_of[passage] for passage, share in shares([1.0, 1e-12]).items() if share} == {
        0
    }


def test_where_all_blocks_count_alike_signals_are_those_of_one(books: tuple[Index, Index]) -> None:
    assert np.allclose(signals(books[0], [1.0, 1.0]), signals(books[0], None), atol=1e-12)


def test_names_and_rivals_are_judged_by_what_counts_at_home(books: tuple[Index, Index]) -> None:
    claims = read_claims([ChoiceStatement("King Cyrus of Persia took Babylon.")], books[0])
    claims = claims._replace(home=np.array([[1.0, 0.1]]))
    found = compare_with_rivals(claims, books[0].part("names"))
    flat = flatten(claims.claims, claims.home)
    assert found.rows.tolist() == signal_rows(flat, found.counts).tolist()
    assert (
        found.rows[:, PAIRS].tolist()
        != signal_rows(flatten(claims.claims), found.counts)[:, PAIRS].tolist()
    )


def test_statements_of_one_question_share_a_home_that_others_do_not_change(
    books: tuple[Index, Index],
) -> None:
    texts = (
        "The merchants crossed a river.",
        "Persia thrived.",
        "The people of Sardis feared Cyrus.",
    )
    statements = [ChoiceStatement(text) for text in texts]
    home = read_claims(statements, books[0], [0, 0, 1]).home
    alone = read_claims(statements[2:], books[0], [0]).home
    assert home is not None
    assert alone is not None
    assert home[0].tolist() == home[1].tolist() != home[2].tolist()
    assert home[2].tolist() == pytest.approx(alone[0].tolist())
    assert read_claims(statements, books[1], [0, 0, 1]).home is None
