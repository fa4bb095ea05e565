"""PDF: the reading order of columns, tables and headings, of vertical pages; what a damaged file
still gives."""

from __future__ import annotations

import zlib
from collections import Counter
from pathlib import Path

import pytest

from indexer.files.errors import UserError
from indexer.files.messages import capture_warnings
from indexer.sources.textbook.markup import document_paragraphs
from tests.indexer.sources.textbook.documents.made import Text, column, pdf

COLUMNS = (
    ["egypt lived by the flood", "of the nile and its kings", "had the pyramids built for"],
    ["their graves while sumer", "lay by two rivers and had", "a reed to write on clay."],
    ["the greeks sailed the sea", "and founded many towns in", "the west and south of it."],
)
FIRST, SECOND, THIRD = (" ".join(lines) for lines in COLUMNS)


def texts(path: Path) -> list[str]:
    counts: Counter[str] = Counter()
    return [paragraph.text for paragraph in document_paragraphs(str(path), "pdf", counts)]


def columns(count: int, y: float = 60, width: float = 120) -> list[Text]:
    """The first columns beside each other, written row by row, as some programs do."""
    drawn = [column(COLUMNS[place], 30 + place * width, y, 8, 10) for place in range(count)]
    return [line for row in zip(*drawn, strict=True) for line in row]


def test_three_columns_are_read_one_after_the_other(tmp_path: Path) -> None:
    found = texts(pdf(tmp_path / "a.pdf", [columns(3)]))
    assert found == [f"{FIRST} {SECOND}", THIRD]


@pytest.mark.parametrize("heading", ["Sumer", "The history of the first towns of the two rivers"])
def test_a_heading_over_both_columns_stands_between_what_is_above_and_below(
    tmp_path: Path, heading: str
) -> None:
    page = [*columns(2, 60, 180), Text(heading, 30, 110, 12), *columns(2, 130, 180)]
    assert texts(pdf(tmp_path / "a.pdf", [page])) == [
        f"{FIRST} {SECOND}",
        heading,
        f"{FIRST} {SECOND}",
    ]


def test_a_table_over_both_columns_is_read_row_by_row(tmp_path: Path) -> None:
    rows = [("Town", "1980", "1990"), ("Agra", "747", "948"), ("Delhi", "5,729", "8,419")]
    cells = [
        Text(cell, x, 110 + 12 * number, 8)
        for number, row in enumerate(rows)
        for x, cell in zip((40, 90, 300), row, strict=True)
    ]
    page = [*columns(2, 60, 180), *cells, *columns(2, 160, 180)]
    found = " ".join(texts(pdf(tmp_path / "a.pdf", [page])))
    assert "Town 1980 1990 Agra 747 948 Delhi 5,729 8,419" in found
    assert found.startswith(f"{FIRST} {SECOND} Town")


@pytest.mark.parametrize("sections", [1, 5])
def test_columns_a_table_below_them_and_full_width_text_are_read_one_after_the_other(
    tmp_path: Path, sections: int
) -> None:
    """With five sections, most lines at the left are headings, cells and ends of paragraphs."""
    left, right = 3 * COLUMNS[0], 3 * COLUMNS[1]
    page = [*column(left, 30, 60, 8, 10), *column(right, 210, 57, 8, 10)]
    for number, row in enumerate((("Town", "1980"), ("Agra", "747"), ("Pune", "1203"))):
        page += [Text(cell, x, 160 + 10 * number, 8) for x, cell in zip((30, 60), row, strict=True)]
    below = [
        "The towns of the two rivers were built of clay, and their walls were of baked bricks",
        "from Ur.",
    ]
    for number in range(sections):
        page += [Text("Sumer", 30, 210 + 50 * number, 12)]
        page += column(below, 30, 224 + 50 * number, 8, 10)
    assert texts(pdf(tmp_path / "a.pdf", [page])) == [
        " ".join([FIRST] * 3 + [SECOND] * 3),
        "Town 1980",
        "Agra 747",
        "Pune 1203",
        *["Sumer", " ".join(below)] * sections,
    ]


def test_a_left_column_that_is_longer_is_read_before_the_right_one(tmp_path: Path) -> None:
    page = [*column(3 * COLUMNS[0], 30, 60, 8, 10), *column(COLUMNS[1], 210, 60, 8, 10)]
    page.append(
        Text("The towns of the two rivers were built of clay, and their walls too.", 30, 180, 8)
    )
    assert texts(pdf(tmp_path / "a.pdf", [page]))[0] == " ".join([FIRST] * 3 + [SECOND])


def test_a_table_in_one_column_does_not_mix_with_the_other(tmp_path: Path) -> None:
    table = [
        Text(cell, x, 100 + 10 * number, 8)
        for number, row in enumerate((("Agra", "747"), ("Delhi", "5,729"), ("Pune", "1,203")))
        for x, cell in zip((30, 110), row, strict=True)
    ]
    page = [*columns(2, 60, 180), *table, *column(COLUMNS[2], 210, 100, 8, 10)]
    page += columns(2, 140, 180)
    found = " ".join(texts(pdf(tmp_path / "a.pdf", [page])))
    assert "Agra 747 Delhi 5,729 Pune 1,203" in found
    assert f"{SECOND} {THIRD}" in found


def test_cells_of_a_table_are_no_columns(tmp_path: Path) -> None:
    rows = [("Agra", "Shah Jahan, the emperor"), ("Constantinople", "Mehmed"), ("Rome", "Trajan")]
    cells = [
        Text(cell, x, 60 + 12 * number)
        for number, row in enumerate(rows)
        for x, cell in zip((50, 200), row, strict=True)
    ]
    assert " ".join(texts(pdf(tmp_path / "a.pdf", [cells]))) == " ".join(map(" ".join, rows))


# Three rows of a table, each with the lines of its three cells.
CELLS = [
    (["Agra"], ["a tomb of white marble", "that an emperor built", "for his wife"], ["on a river"]),
    (["Athens,", "Greece"], ["a temple on a hill"], ["seen from all of", "it"]),
    (["Rome"], ["baths and a theatre of", "stone where men"], ["built by many", "hands"]),
]


def wrapped_cells(y: float, space: float, *, is_middle: bool = False) -> list[Text]:
    """The rows of `CELLS` with `space` between them; the lines of a cell begin at the top of its
    row or are in its middle."""
    drawn = []
    for row in CELLS:
        height = max(map(len, row))
        for x, cell in zip((30, 100, 240), row, strict=True):
            down = 5 * (height - len(cell)) if is_middle else 0
            drawn += column(cell, x, y + down, 8, 10)
        y += 10 * height + space
    return drawn


@pytest.mark.parametrize(("space", "is_middle"), [(4, False), (0, False), (6, True)])
def test_a_table_is_read_cell_by_cell(tmp_path: Path, space: float, is_middle: bool) -> None:
    above = column(["What there is to see in the towns of old, by their", "names."], 30, 40, 8, 10)
    page = [*above, *wrapped_cells(80, space, is_middle=is_middle)]
    assert texts(pdf(tmp_path / "a.pdf", [page])) == [
        "What there is to see in the towns of old, by their names.",
        *(" ".join(line for cell in row for line in cell) for row in CELLS),
    ]


def test_a_row_is_read_with_headings_in_bold_type(tmp_path: Path) -> None:
    page = [Text("The lakes are these.", 40, 40), Text("The lake", 140, 66, bold=True)]
    places = (40, 140, 230)
    for x, heading in zip(places, ("Town", "Depth", "Fish"), strict=True):
        page.append(Text(heading, x, 80, bold=True))
    rows = [("Merrow", "40", "pike"), ("Isel", "12", "carp and"), ("Ashdale", "7", "eel")]
    for y, row in zip((94, 108, 134), rows, strict=True):
        page += [Text(cell, x, y) for x, cell in zip(places, row, strict=True)]
    page += [Text("perch", 230, 120), Text("They were measured by the monks of old.", 40, 160)]
    assert texts(pdf(tmp_path / "a.pdf", [page])) == [
        "The lakes are these.",
        "Town: Merrow; The lake, Depth: 40; Fish: pike",
        "Town: Isel; The lake, Depth: 12; Fish: carp and perch",
        "Town: Ashdale; The lake, Depth: 7; Fish: eel",
        "They were measured by the monks of old.",
    ]


def test_a_note_above_a_table_is_no_heading(tmp_path: Path) -> None:
    note = "Note: depths were taken at noon on the longest day"
    page = [Text(note, 42, 66, bold=True)]
    for y, row in zip((80, 94, 108, 122), (HEADS, *TOWNS), strict=True):
        page += [
            Text(cell, x, y, bold=y == 80) for x, cell in zip((42, 140, 230), row, strict=True)
        ]
    assert texts(pdf(tmp_path / "a.pdf", [page])) == [
        note,
        "Town: Merrow; Depth: 40; Fish: pike",
        "Town: Isel; Depth: 12; Fish: carp",
        "Town: Ashdale; Depth: 7; Fish: eel",
    ]


def test_the_heading_of_an_empty_column_is_not_lost(tmp_path: Path) -> None:
    page = [Text("Birds", 300, 80, bold=True)]
    for y, row in zip((80, 94, 108, 122), (HEADS, *TOWNS), strict=True):
        page += [
            Text(cell, x, y, bold=y == 80) for x, cell in zip((42, 140, 230), row, strict=True)
        ]
    assert texts(pdf(tmp_path / "a.pdf", [page]))[:2] == [
        "Birds",
        "Town: Merrow; Depth: 40; Fish: pike",
    ]


HEADS = ("Town", "Depth", "Fish")
TOWNS = [("Merrow", "40", "pike"), ("Isel", "12", "carp"), ("Ashdale", "7", "eel")]


def test_columns_below_headings_in_bold_type_are_no_table(tmp_path: Path) -> None:
    page = columns(2)
    heads = [
        Text(text, x, 46, bold=True) for text, x in (("Left", page[0].x), ("Right", page[-1].x))
    ]
    found = texts(pdf(tmp_path / "a.pdf", [[*heads, *page]]))
    assert not any(": " in text for text in found)


@pytest.mark.parametrize("offset", [0, 3])
def test_paragraphs_beside_each_other_are_no_rows_of_a_table(tmp_path: Path, offset: int) -> None:
    left, right = [], []
    for number in range(4):
        left += column(COLUMNS[0], 30, 60 + 44 * number, 8, 10)
        right += column(COLUMNS[1][: 1 + number % 3], 210, 60 + offset + 40 * number, 8, 10)
    found = " ".join(texts(pdf(tmp_path / "a.pdf", [[*left, *right]])))
    assert found.startswith(" ".join([FIRST] * 4))


def test_tiers_of_vertical_lines_are_read_downwards_and_level_lines_apart(tmp_path: Path) -> None:
    upper = ["王は国を治め、都を北の", "川の西に移して、そこに", "城と寺を多く建てた。"]
    lower = ["民は田を作り、税を米と", "布で納めたと、その頃の", "本に書かれている。"]
    page = [Text("第三章　都の移り変わり", 60, 40)]
    for y, tier in ((80, upper), (280, lower)):
        page += [Text(line, 300 - 16 * n, y, upright=True) for n, line in enumerate(tier)]
    assert texts(pdf(tmp_path / "a.pdf", [page])) == [
        "".join(upper),
        "".join(lower),
        "第三章都の移り変わり",
    ]


def test_a_vertical_line_in_a_level_page_is_one_word(tmp_path: Path) -> None:
    page = [
        *column(
            ["王は国を治め、都を川の西に移して、", "城と寺を建てたと本に書かれている。"], x=100
        ),
        Text("都の図、川の図", 50, 60, upright=True),
    ]
    assert texts(pdf(tmp_path / "a.pdf", [page]))[1:] == ["都の図、川の図"]


BOOK = ["Khufu built the largest pyramid.", "Teti ruled Egypt.", "Babur took Delhi."]


def test_a_vertical_line_without_its_font_is_read_and_a_letter_counted(tmp_path: Path) -> None:
    level = Text("The cities of old stood beside rivers.", 50, 60, 12)
    lines = [Text("古代都市", 300, 100, 12, upright=True), Text("川", 250, 100, 12, upright=True)]
    path = pdf(tmp_path / "a.pdf", [[level, *lines]])
    counts: Counter[str] = Counter()
    found = [paragraph.text for paragraph in document_paragraphs(str(path), "pdf", counts)]
    assert found == [level.text, "古代都市"]
    assert counts["letters that cannot be told"] == 1


def test_the_pages_of_half_a_file_are_read_and_the_user_is_told(tmp_path: Path) -> None:
    path = pdf(tmp_path / "a.pdf", [[Text(text)] for text in BOOK])
    data = path.read_bytes()
    path.write_bytes(data[: data.index(b"/Type /Page ", data.rindex(b"/Type /Page ") - 400)])
    with capture_warnings() as warnings:
        assert texts(path) == BOOK[:1]
    assert warnings == [f"{path}: its end is missing, 1 pages are read; download it again"]
    path.write_bytes(data[:600])
    with pytest.raises(UserError, match=r"a\.pdf: a PDF whose end is missing, with no whole page"):
        texts(path)


def test_half_a_file_with_packed_objects_is_read(tmp_path: Path) -> None:
    """ISO 32000-1, 7.5.7: objects 1 and 2 in a stream; its numbers and offsets stand first."""
    page = b"<< /Type /Page /MediaBox [0 0 400 600] /Contents 4 0 R /Resources << /Font << /F0 2 0 R >> >> >>"
    font = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"
    head = b"1 0 2 %d " % (len(page) + 1)
    packed = zlib.compress(head + page + b" " + font)
    content = b"BT /F0 10 Tf 50 500 Td (Teti ruled Egypt.) Tj ET"
    (path := tmp_path / "a.pdf").write_bytes(
        b"%%PDF-1.5\n4 0 obj\n<< /Length %d >>\nstream\n%s\nendstream\nendobj\n"
        b"3 0 obj\n<< /Type /ObjStm /N 2 /First %d /Filter /FlateDecode /Length %d >>\n"
        b"stream\n%s\nendstream\nendobj\n5 0 obj\n<< /Ty"
        % (len(content), content, len(head), len(packed), packed)
    )
    assert texts(path) == ["Teti ruled Egypt."]


def test_a_page_that_kills_its_reader_is_told_and_the_others_are_read(tmp_path: Path) -> None:
    packer = zlib.compressobj(9)
    bomb = b"".join(packer.compress(b" " * 2**20) for _ in range(1200)) + packer.flush()
    stream = b"<< /Length %d /Filter [/FlateDecode /FlateDecode] >>\nstream\n%s\nendstream"
    bomb = zlib.compress(bomb)
    path = pdf(
        tmp_path / "a.pdf", [[Text(text)] for text in BOOK], more=[stream % (len(bomb), bomb)]
    )
    # the second page draws the bomb, object 12, instead of its own text, object 8
    path.write_bytes(path.read_bytes().replace(b"/Contents 8 0 R ", b"/Contents 12 0 R"))
    counts: Counter[str] = Counter()
    found = [one.text for one in document_paragraphs(str(path), "pdf", counts)]
    assert found == [BOOK[0], BOOK[2]]
    assert counts["pages that cannot be read"] == 1


def test_a_page_whose_letters_cannot_be_told_is_counted(tmp_path: Path) -> None:
    """The font is not in the file, and has no widths from top to bottom."""
    path = pdf(tmp_path / "a.pdf", [[Text("都", upright=True)], [Text(BOOK[0])]])
    counts: Counter[str] = Counter()
    found = [one.text for one in document_paragraphs(str(path), "pdf", counts)]
    assert found == [BOOK[0]]
    assert counts["pages whose letters cannot be told"] == 1
