"""Reading a user's glossary: lists, CSV with our headers, the ontology's headers, and what is
refused."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.analysis.glossary import Entry, Glossary
from indexer.analysis.glossary_file import parse_entry, read_glossary
from indexer.analysis.years import Years
from indexer.files.errors import UserError
from tests.refusals import raises_at


def _write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_a_list_has_one_name_a_line(tmp_path: Path) -> None:
    path = _write(tmp_path, "names.txt", "ウマイヤ朝\n\n 三十年戦争 \r\nLouis IX, Saint\n")
    assert read_glossary([path]).entries == (
        Entry("ウマイヤ朝"),
        Entry("三十年戦争"),
        Entry("Louis IX, Saint"),
    )


def test_a_header_that_never_ends_is_told(tmp_path: Path) -> None:
    path = _write(tmp_path, "g.csv", 'term,"kind\n' + "x\n" * 70_000)
    with raises_at(
        path, 65_535
    ):  # 5 + 2 · 65,534 characters are beyond 131,072, the limit of a cell
        read_glossary([path])


def test_our_headers_in_any_order(tmp_path: Path) -> None:
    path = _write(
        tmp_path,
        "g.csv",
        "kind,aliases,term,start\n都市@市,Byzantium@Istanbul,Constantinople,330\n",
    )
    assert read_glossary([path]).entries == (
        Entry(
            "Constantinople",
            ("都市", "市"),
            Years(330, 330, "330"),
            None,
            ("Byzantium", "Istanbul"),
        ),
    )


@pytest.mark.parametrize(
    "header",
    [
        "class,instance,evt:starting_time,evt:endint_time,evt:alias,evt:nationality",
        "class,instance,time_s,time_e,evt:alias,territory",
        "class,instance,starting_time,ending_time,alias,founder",
        "class,instance,starting_time,endint_time,alias_other,land_of_origin",
        "class,instance,starting_time,time_e,alias,author",
    ],
)
def test_the_ontology_headers_with_a_byte_order_mark(tmp_path: Path, header: str) -> None:
    path = _write(
        tmp_path, "o.csv", f"\ufeff{header}\n詩人,アイスキュロス,前525,前456,アイスキロス,アテネ\n"
    )
    assert read_glossary([path]).entries == (
        Entry(
            "アイスキュロス",
            ("詩人",),
            Years(-525, -525, "前525"),
            Years(-456, -456, "前456"),
            ("アイスキロス",),
        ),
    )


def test_rows_without_a_header_are_ours_or_wider_the_ontology_s(tmp_path: Path) -> None:
    ours = _write(tmp_path, "a.csv", "Nero,emperor,37,68,\n")
    ontology = _write(tmp_path, "b.csv", "\ufeff動物,汗血馬,,,,西域,,,\n")
    assert [(entry.term, entry.kinds) for entry in read_glossary([ours, ontology]).entries] == [
        ("Nero", ("emperor",)),
        ("汗血馬", ("動物",)),
    ]


@pytest.mark.parametrize("mark", [";", "\t"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_what_spreadsheets_write_beside_commas(tmp_path: Path, mark: str, encoding: str) -> None:
    path = tmp_path / "g.csv"
    path.write_bytes(
        f"term{mark}kind{mark}start\r\nCæsar, Gaius{mark}man{mark}-100\r\n".encode(encoding)
    )
    assert read_glossary([path]).entries == (
        Entry("Cæsar, Gaius", ("man",), Years(-100, -100, "-100")),
    )


def test_a_folder_stands_for_its_csv_files(tmp_path: Path) -> None:
    _write(tmp_path, "b.csv", "term,kind\nRome,city\n")
    _write(tmp_path, "a.csv", "term,kind\nNile,river\n")
    _write(tmp_path, "README.md", "not a glossary\n")
    assert [entry.term for entry in read_glossary([tmp_path]).entries] == ["Nile", "Rome"]


def test_a_broken_year_is_named_with_file_and_line(tmp_path: Path) -> None:
    path = _write(
        tmp_path, "g.csv", "term,kind,start,end,aliases\nRome,city,-753,476,\n\nNile,river,19o5,,\n"
    )
    with pytest.raises(
        UserError, match=r"g\.csv:4: broken year: '19o5' is not a year; expected a year such as 476"
    ):
        read_glossary([path])


@pytest.mark.parametrize("mark", ["\f", "\x1c", "\x85", "\u2028"])
def test_a_line_ends_only_where_other_readers_of_text_end_one(tmp_path: Path, mark: str) -> None:
    path = _write(tmp_path, "g.csv", f"term,kind,start\nRo{mark}me,city,\nNile,river,19o5\n")
    with raises_at("g.csv", 3):
        read_glossary([path])
    names = _write(tmp_path, "g.txt", f"Ro{mark}me\nNile\n")
    assert [entry.term for entry in read_glossary([names]).entries] == [f"Ro{mark}me", "Nile"]


def test_a_row_without_a_term_is_named_with_file_and_line(tmp_path: Path) -> None:
    path = _write(tmp_path, "g.csv", "term,kind\n,city\n")
    with raises_at("g.csv", 2):
        read_glossary([path])


@pytest.mark.parametrize(
    "line", ['{"id": 1, "text": "Rome, a city"}', '["Rome", "Nile"]', "<DOC>", "<?xml?>"]
)
def test_a_book_is_not_a_glossary(tmp_path: Path, line: str) -> None:
    with raises_at("g.txt", 1):
        read_glossary([_write(tmp_path, "g.txt", f"{line}\n{line}\n")])


def test_a_row_wider_than_its_header_loses_nothing_in_silence(tmp_path: Path) -> None:
    path = _write(tmp_path, "g.csv", "term,kind,aliases\nRome,city,Roma,,\nNile,river,Nil,Neilos\n")
    with pytest.raises(UserError, match=r"g\.csv:3: 4 cells under a header of 3; several aliases"):
        read_glossary([path])


def test_cells_beyond_columns_that_are_not_read_are_passed_over(tmp_path: Path) -> None:
    text = "class,instance,evt:alias,land_of_origin\ncity,Rome,Roma,,Latium,Italy\n"
    assert read_glossary([_write(tmp_path, "g.csv", text)]).entries == (
        Entry("Rome", ("city",), aliases=("Roma",)),
    )


@pytest.mark.parametrize(
    "text", ["Rome,city\nRome," + "x" * 140_000, '"' + "x" * 140_000 + '",city\n']
)
def test_a_cell_beyond_csv_s_limit_is_told(tmp_path: Path, text: str) -> None:
    with raises_at("g.csv", 2 if text.startswith("Rome") else 1):
        read_glossary([_write(tmp_path, "g.csv", text)])


@pytest.mark.parametrize("entry", [["Rome"], ["Rome", [], 476, None, []]])
def test_entries_of_a_damaged_index_are_refused(entry: list[object]) -> None:
    with pytest.raises((TypeError, ValueError)):
        Glossary.from_json({"entries": [entry]})


def test_a_glossary_without_names_is_refused(tmp_path: Path) -> None:
    with raises_at("g.csv"):
        read_glossary([_write(tmp_path, "g.csv", "term,kind,start,end,aliases\n")])


def test_a_glossary_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with raises_at("nowhere.csv"):
        read_glossary([tmp_path / "nowhere.csv"])


def test_a_glossary_that_is_not_utf_8_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "g.csv"
    path.write_bytes("term,kind\nローマ,都市\n".encode("cp932"))
    with raises_at("g.csv", 2):
        read_glossary([path])


def test_names_are_terms_and_aliases_once_without_notes() -> None:
    glossary = Glossary(
        (Entry("アフリカ（詩）", aliases=("唐", "ローマ")), Entry("ローマ"), Entry("Troy (city)"))
    )
    assert glossary.names() == ["アフリカ", "ローマ", "Troy"]


def test_a_name_finds_the_entries_called_so_before_those_it_is_an_alias_of() -> None:
    empire = Entry("Roman Empire", ("state",), aliases=("Rome",))
    city = Entry("Rome", ("city",))
    assert Glossary((empire, city)).by_name()["Rome"] == (city, empire)


_NAME = st.text(
    st.characters(exclude_categories=("Cc", "Cs", "Z"), exclude_characters="@"), min_size=1
)
_YEARS = st.sampled_from(["", "476", "前525", "17世紀半ば", "1848@1871"])


@given(st.lists(st.tuples(_NAME, st.lists(_NAME), _YEARS, _YEARS, st.lists(_NAME))))
def test_what_the_settings_hold_gives_the_glossary_back(
    rows: list[tuple[str, list[str], str, str, list[str]]],
) -> None:
    glossary = Glossary(
        tuple(
            parse_entry(term, "@".join(kinds), start, end, "@".join(aliases))
            for term, kinds, start, end, aliases in rows
        )
    )
    assert Glossary.from_json(json.loads(json.dumps(glossary.to_json()))) == glossary


def test_the_terms_of_names_are_themselves_and_those_of_aliases_the_only_term_that_has_them() -> (
    None
):
    un = Entry("United Nations (1945)", aliases=("UN", "Nations"))
    glossary = Glossary(
        (un, Entry("Unions", aliases=("Nations", "UN building", "UN")), Entry("UN building"))
    )
    assert glossary.terms() == {
        "United Nations": "United Nations",
        "UN": "UN",
        "Nations": "Nations",
        "Unions": "Unions",
        "UN building": "UN building",
    }
    assert Glossary((un,)).terms()["UN"] == "United Nations"
