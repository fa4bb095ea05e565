"""The encoding of an East Asian file whose language nobody told."""

from __future__ import annotations

import pytest

from indexer.languages.chinese import CHINESE
from indexer.languages.english import ENGLISH
from indexer.languages.japanese import JAPANESE
from indexer.languages.language import Language
from indexer.tables.grids.delimited import decode_table
from indexer.tables.grids.east_asian import east_asian_encoding

CHINESE_CSV = "地区,年份,人口\n北京,2019,2190\n上海,2019,2481\n广州,2019,1874\n"


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (CHINESE_CSV, "gb18030"),
        ("地區,年份,人口\n臺北市,2019,2645041\n高雄市,2019,2773198\n", "big5"),
        ("지역,연도,인구\n서울,2019,9729\n부산,2019,3413\n", "euc-kr"),
        ("地域,年,人口\nさいたま市,2019,1314145\nつくば市,2019,237000\n", "euc-jp"),
        ("年,学校,生徒数\n2001,高校,13\n2002,小学校,20\n", "euc-jp"),  # Korean too, of rare syllables
        ("地域,年,人口\n北海道,2019,5250\n東京都,2019,13921\n", "cp932"),
    ],
)
def test_each_is_told_by_its_common_characters(text: str, encoding: str) -> None:
    assert east_asian_encoding(text.encode(encoding)) == encoding


@pytest.mark.parametrize(
    "data",
    [
        b"",
        "Région;Année\nÎle-de-France;2019\nRhône-Alpes;2019\nCôte d’Azur;2019\n".encode("cp1252"),
        "Åland,Ängelholm,Ästad,Örebro,Överkalix,Çanakkale,Älvsjö".encode("cp1252"),
        "München,Málaga,Besançon,Ærø,Århus,Orléans,Šibenik".encode(),
        "北京".encode("gb18030"),
        b"\xff\xfe\xfa",
    ],
    ids=["empty", "French", "Swedish capitals", "UTF-8", "too few", "no text"],
)
def test_others_are_none(data: bytes) -> None:
    assert east_asian_encoding(data) is None


@pytest.mark.parametrize("language", [ENGLISH, JAPANESE, CHINESE], ids=str)
def test_a_chinese_table_is_read_in_a_collection_of_any_language(language: Language) -> None:
    assert decode_table(CHINESE_CSV.encode("gb18030"), language) == (CHINESE_CSV, "")
