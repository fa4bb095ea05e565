"""A candidate table goes into a payload and comes back the same."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from indexer.sources.tables.schema import StoredTable, decode_table, encode_table, table_id

text = st.text(st.characters(exclude_characters="\t", exclude_categories=["Cs"]))


@given(st.builds(StoredTable, text, text, text))
def test_a_table_comes_back(table: StoredTable) -> None:
    assert decode_table(encode_table(table)) == table


def test_the_layout_of_existing_indexes() -> None:
    assert (
        encode_table(StoredTable("Mayors", "name _|_ year", "Ann _|_ 1901"))
        == "Mayors\tname _|_ year\tAnn _|_ 1901"
    )
    assert table_id("tbqa", 4) == "tbqa-0000004"
