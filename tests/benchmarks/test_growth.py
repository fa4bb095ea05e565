"""The table of growth says what was measured and what was not; the costs at scale are sums that can
be done by hand."""

from __future__ import annotations

import sys

from tests.places import ROOT

sys.path.insert(0, str(ROOT / "benchmarks"))

from growth import SIZES, table
from scale import DRAWN, PAGE, costs, drawn, measured

FOUND = {
    "growth-sentences.es-disk": 50.0,  # MB, of 100,000 sentences
    "growth-sentences.es-build": 36.0,
    "growth-sentences.es-server": 18.0,
    "growth-sentences.es-asking": 0.5,  # ms a query
    "growth-sentences.100k-tantivy-queries": 1_000.0,
    "growth-sentences.5k-tantivy-queries": 10_000.0,
    "growth-sentences.10m-indexer-memory": 1000.0,  # MB
    "growth-sentences.1m-indexer-memory": 100.0,
    "growth-sentences.layout": 500_000.0,
    "growth-triples.es-disk": 60.0,  # MB, of a million triples
    "growth-triples.es-build": 9.0,
    "growth-triples.es-server": 18.0,
}


def measured_row(size: int, processor: float, system: str) -> dict[str, object]:
    return {
        "kind": "triples",
        "size": size,
        "system": system,
        "processor": processor,
        "of it the server": 0.0,
        "clock": 2 * processor,
        "memory": 100.0,
        "disk": 50.0,
    }


def test_a_row_has_its_ratio_to_the_bare_tool_and_its_growth() -> None:
    rows = table(
        [
            measured_row(1_000_000, 8.0, "indexer"),
            measured_row(1_000_000, 5.0, "tantivy, parsed records"),
            measured_row(10_000_000, 100.0, "indexer"),
        ]
    )
    by_place = {(row["size"], row["system"]): row for row in rows if row["kind"] == "triples"}
    assert by_place["1,000,000", "indexer"]["× the bare"] == "1.60"  # 8 / 5
    assert (
        by_place["10,000,000", "indexer"]["an item, × the size before"] == "1.25"
    )  # (100 / 10) / (8 / 1)
    assert by_place["43,000,000", "indexer"]["processor s"] == "not measured"
    assert {row["size"] for row in rows if row["kind"] == "datasets"} == {
        f"{size:,}" for size in SIZES["datasets"]
    }


def test_the_costs_at_scale_are_the_products_that_they_say() -> None:
    found = {cost.what: (cost.sentences, cost.triples) for cost in costs(FOUND)}
    assert found["documents"] == ("1.2 billion", "2.0 billion")  # 1e9 × 6/5; 1e10 / 4.97
    assert found["disk, one copy"] == ("500 GB", "600 GB")  # 50 MB × 10,000; 60 MB × 10,000
    assert found["primary shards"] == ("10", "12")  # 500 / 50; 600 / 50; by documents 6 and 11
    assert found["nodes of 64 GB that keep it all in memory"] == (
        "31",
        "37",
    )  # 1,000 / 33; 1,200 / 33
    assert found["our processes, hours of a core"] == (
        "100",
        "25",
    )  # 36 × 10,000 / 3,600; 9 × 10,000 / 3,600
    assert found["the servers, hours of a core"] == ("100", "100")  # for two copies
    assert found["queries of 1 to 12 terms a second, nodes with 16 cores each"] == (
        "52",
        "–",
    )  # 31 × 16 / (.0009 / 95,000 × 1e9 + 10 × .0005)
    assert found["memory of the process that counts names"] == (
        "100 GB",
        "–",
    )  # 900 MB / 9,000,000 × 1e9
    assert found["sentences at which the document `layout` is too large"] == (
        "20 million",
        "–",
    )  # 100 MB / 5 bytes


def test_the_page_shows_what_is_computed_from_the_published_figures() -> None:
    page = PAGE.read_text("utf-8")
    assert DRAWN.search(page)
    assert page == drawn(page, measured()), "run: python benchmarks/scale.py --write"
