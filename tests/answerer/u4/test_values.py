"""Values as the gold standard writes them."""

from __future__ import annotations

from decimal import Decimal

import pytest

from answerer.u4.task import value_of
from indexer.tables.reports import read_section


@pytest.mark.parametrize(
    ("shown", "left", "above", "label", "value"),
    [
        ("1,234", "現金", "(単位:百万円)", "現金", "1234000000"),
        ("△1,234", "自己株式", "(百万円)", "自己株式", "-1234000000"),
        ("( 12 )", "自己株式", "(千円)", "自己株式", "-12000"),
        ("35", "工具", "(百万円)", "工具、減価償却累計額", "-35000000"),
        ("49.7", "配当性向(%)", "2016年3月", "配当性向", "0.497"),
        ("49.7%", "配当性向", "(百万円)", "配当性向", "0.497"),
        ("34", "浦野邦子", "所有株式数(千株)", "所有株式数", "34000"),
        ("139.82", "1株当たり利益", "(百万円)", "1株当たり利益", "139.82"),
        ("55円00銭", "配当額", "2016年3月", "配当額", "55.00"),
        ("1955年7月6日生", "青空太郎", "生年月日", "生年月日", "1955-07-06"),
        ("昭和30年7月6日", "青空太郎", "生年月日", "生年月日", "1955-07-06"),
        ("―", "現金", "(百万円)", "現金", "－"),
        ("取締役 社長", "青空太郎", "役職名", "役職名", "取締役社長"),
        ("03(3758)2111", "電話番号", "", "電話番号", "03(3758)2111"),
    ],
)
def test_a_value_in_full(shown: str, left: str, above: str, label: str, value: str) -> None:
    rows = [("", above), (left, shown)]
    body = "".join(f"<tr><td>{one}</td><td>{other}</td></tr>" for one, other in rows)
    (table,), _ = read_section(f'<table table-id="t">{body}</table>'.encode(), "0105010", "page")
    assert value_of(table, table.cells[3], label, Decimal(1)) == value
