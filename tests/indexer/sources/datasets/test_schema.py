"""Tables, files and datasets go into payloads and come back the same, blocks know their table."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from indexer.sources.datasets.schema import (
    FileRead,
    RowBlock,
    StoredDataset,
    block_id,
    decode_block,
    decode_dataset,
    encode,
    encode_block,
    file_id,
    table_id,
    table_of_block,
)
from indexer.tables.table import Table

text = st.text(max_size=5)
texts = st.lists(text, max_size=3).map(tuple)
rows = st.lists(texts, max_size=3).map(tuple)
count = st.integers(0, 10**7)
tables = st.builds(Table, text, texts, rows, count, count, rows, st.booleans())


@given(st.builds(RowBlock, text, count, tables))
def test_a_block_comes_back(block: RowBlock) -> None:
    assert decode_block(encode_block(block)) == block


@given(st.builds(StoredDataset, text, text))
def test_a_dataset_comes_back(dataset: StoredDataset) -> None:
    assert decode_dataset(encode(dataset)) == dataset


@given(st.text(), count, count, count)
def test_a_block_knows_its_table(dataset_id: str, position: int, number: int, block: int) -> None:
    table = table_id(file_id(dataset_id, position), number)
    assert table_of_block(block_id(table, block)) == table


def test_the_layout_of_existing_indexes() -> None:
    table = Table("T", ("n",), (("a", "b"), ()), 1, 0, (("x", "1"),), True)
    assert encode_block(RowBlock("f.csv", 40, table)) == (
        '{"file":"f.csv","start":40,"title":"T","notes":["n"],"columns":[["a","b"],[]],"labels":1,"sections":0,'
        '"rows":[["x","1"]],"matrix":true}'
    )
    assert encode(StoredDataset("T", "")) == '{"title": "T", "description": ""}'
    assert encode(FileRead("f.csv", 1, "", "a.tar", 3)) == (
        '{"name": "f.csv", "tables": 1, "reason": "", "archive": "a.tar", "number": 3}'
    )
    assert (
        block_id(table_id(file_id("000012345678", 2), 1), 17) == "000012345678-00002-00001-000017"
    )
