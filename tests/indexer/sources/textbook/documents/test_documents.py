"""PDF, EPUB, DOCX and HTML: their text, headings and pages; what cannot be read is refused in one
line."""

from __future__ import annotations

import sys
import zipfile
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.files.errors import UserError
from indexer.ingest_report import IngestReport
from indexer.languages.registry import LANGUAGES
from indexer.sources.textbook.markup import document_paragraphs, html_root, markup_paragraphs
from indexer.sources.textbook.passages import file_language, open_records
from tests.indexer.sources.textbook.documents.made import Text, column, docx, epub, pdf, zipped


def passages(
    path: Path, language: str = "en", definitions: int = 0
) -> tuple[list[tuple[str, str, str]], Counter[str]]:
    """Title, text and page of each passage of a file, and what was left out; checks the number of
    its lines of a glossary."""
    tally = IngestReport()
    found = [
        (one.title, one.text, one.page)
        for one in open_records(str(path), "b", LANGUAGES[language], tally)
    ]  # type: ignore[union-attr]
    assert (tally.read, tally.glossary_terms) == (len(found), definitions)
    return found, +tally.pieces


LEFT = [
    "Egypt lived by the flood of the",
    "Nile. The priests wrote on pa-",
    "pyrus, and the kings of the two",
]
RIGHT = [
    "lands were called pharaohs by",
    "their people. The largest of the",
    "pyramids was built for Khufu.",
]


def test_a_pdf_in_columns_with_heads_and_feet(tmp_path: Path) -> None:
    pages = [
        [Text("The gift of the river", 50, 60, 16), *column(LEFT, 50, 90), *column(RIGHT, 220, 90)],
        *(
            [*column([f"King {name} ruled the land for many years."], y=90)]
            for name in ("Khufu", "Teti", "Pepi")
        ),
    ]
    for number, page in enumerate(pages, 211):
        page += [
            Text(f"{number}   HISTORY" if number % 2 else f"EGYPT   {number}", 50, 30, 8),
            Text("Free", 150, 590, 8),
        ]
    found, left_out = passages(pdf(tmp_path / "book.pdf", pages))
    text = (
        "Egypt lived by the flood of the Nile. The priests wrote on papyrus, and the kings of the "
        "two lands were "
        "called pharaohs by their people. The largest of the pyramids was built for Khufu."
    )
    title = "The gift of the river"
    assert found[:3] == [
        (title, title, "211"),
        (title, text, "211"),
        (title, "King Khufu ruled the land for many years.", "212"),
    ]
    assert [page for _, _, page in found] == ["211", "211", "212", "213", "214"]
    assert left_out == {"running heads": 4, "running feet": 4, "hyphens at line ends": 1}


def test_a_japanese_pdf_has_no_blanks_at_the_ends_of_lines(tmp_path: Path) -> None:
    lines = ["エジプトは、ナイルのたまもので", "ある。ピラミッドは1つではない。"]
    path = pdf(tmp_path / "ja.pdf", [column(lines)])
    assert passages(path, "ja")[0] == [("", "".join(lines), "1")]
    assert file_language(str(path)) == LANGUAGES["ja"]


def test_vertical_writing_is_read_from_the_right(tmp_path: Path) -> None:
    lines = ["エジプトは、ナイルのたまもので", "ある。ピラミッドは王の墓である。"]
    page = [Text(line, 300 - 16 * number, 100, upright=True) for number, line in enumerate(lines)]
    assert passages(pdf(tmp_path / "ja.pdf", [page]), "ja")[0] == [("", "".join(lines), "1")]


def test_the_labels_of_a_pdf_are_its_pages_where_none_are_printed(tmp_path: Path) -> None:
    labels = "/PageLabels << /Nums [0 << /S /r /St 4 >> 1 << /S /D /St 1 >>] >>"
    path = pdf(
        tmp_path / "book.pdf",
        [[Text("Akbar ruled India.")], [Text("Saladin took Jerusalem.")]],
        labels,
    )
    assert [page for _, _, page in passages(path)[0]] == ["iv", "1"]


PICTURE = "q 300 0 0 400 50 50 cm BI /W 1 /H 1 /CS /G /BPC 8 ID \x7f EI Q"
TURNED = {
    "to the left": ((0, 1, -1, 0), lambda number: (100 + 14 * number, 500)),
    "to the right": ((0, -1, 1, 0), lambda number: (300 - 14 * number, 60)),
    "upside down": ((-1, 0, 0, -1), lambda number: (350, 400 - 14 * number)),
    "mirrored": ((-1, 0, 0, 1), lambda number: (350, 100 + 14 * number)),
}


@pytest.mark.parametrize("way", TURNED)
def test_text_is_read_the_way_it_runs(tmp_path: Path, way: str) -> None:
    matrix, place = TURNED[way]
    turned = [Text(line, *place(number), matrix=matrix) for number, line in enumerate(LEFT)]
    found, _ = passages(
        pdf(tmp_path / "book.pdf", [[Text("Khufu built the largest pyramid.")], turned])
    )
    assert [text for _, text, _ in found] == [
        "Khufu built the largest pyramid.",
        "Egypt lived by the flood of the Nile. The priests wrote on papyrus, and the kings of the "
        "two",
    ]


def test_type_of_a_negative_size_stands_on_its_head(tmp_path: Path) -> None:
    matrix, _ = TURNED["upside down"]
    turned = [
        Text(line, 50, 80 + 12 * number, -10, matrix=matrix) for number, line in enumerate(LEFT)
    ]
    found, _ = passages(pdf(tmp_path / "book.pdf", [turned]))
    assert found[0][1].startswith("Egypt lived by the flood of the Nile. The priests wrote")


def _font_of(unicode: str) -> tuple[str, bytes]:
    """A font /F9, whose letters have these hexadecimal numbers in Unicode from `a` on, and its
    map, object 8 of a PDF of one page."""
    rows = "".join(f"<{0x61 + n:02x}> <{value}>\n" for n, value in enumerate(unicode.split()))
    count = len(unicode.split())
    cmap = (
        "/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <00> <ff> "
        f"endcodespacerange {count} beginbfchar\n{rows}endbfchar endcmap end"
    )
    font = "/F9 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 8 0 R >>"
    return font, f"<< /Length {len(cmap)} >>\nstream\n{cmap}\nendstream".encode()


@pytest.mark.parametrize(
    ("unicode", "text", "unknown"),
    [
        ("0064 0092 0061", "d’a", 0),  # as Windows numbers letters
        ("0064 0000 0061 0062", "d\ufffdab", 1),  # the font does not say which letter
    ],
)
def test_a_letter_without_a_name_is_not_lost(
    tmp_path: Path, unicode: str, text: str, unknown: int
) -> None:
    font, more = _font_of(unicode)
    letters = "abcd"[: len(unicode.split())]
    path = pdf(
        tmp_path / "book.pdf",
        [[]],
        content=f"BT /F9 10 Tf 50 400 Td ({letters}) Tj ET",
        fonts=font,
        more=[more],
    )
    found, left_out = passages(path)
    assert [found[0][1], left_out] == [
        text,
        Counter({"letters that cannot be told": unknown} if unknown else {}),
    ]


def test_a_page_of_letters_without_names_has_no_text(tmp_path: Path) -> None:
    font, more = _font_of("0001 0002 0003 0061")
    shown = " ".join(f"BT /F9 10 Tf 50 {400 - 12 * n} Td (abcdabac) Tj ET" for n in range(5))
    path = pdf(tmp_path / "book.pdf", [[]], content=shown, fonts=font, more=[more])
    with pytest.raises(UserError, match="hold no text"):
        passages(path)


def test_narrow_blanks_part_words(tmp_path: Path) -> None:
    shown = "BT /F0 10 Tf 50 400 Td [(geometry of) -240 (a) -190 (clarinet) -220 (is known)] TJ ET"
    found, _ = passages(pdf(tmp_path / "book.pdf", [[]], content=shown))
    assert found[0][1] == "geometry of a clarinet is known"


@pytest.mark.parametrize(
    ("font", "text"),
    [("/F0 10 Tf 2.4 Tc", "PHARAOHS"), ("/F9 10 Tf", "Il filial")],  # spaced; a typewriter's
)
def test_spaced_letters_stay_one_word(tmp_path: Path, font: str, text: str) -> None:
    path = pdf(
        tmp_path / "book.pdf",
        [[]],
        content=f"BT {font} 50 400 Td ({text}) Tj ET",
        fonts="/F9 << /Type /Font /Subtype /Type1 /BaseFont /Courier >>",
    )
    assert passages(path)[0][0][1] == text


def test_a_table_that_is_turned_does_not_mix_with_the_lines_around_it(tmp_path: Path) -> None:
    page = [
        *column([*LEFT[:1], *RIGHT[1:]]),
        Text("Teti ruled first.", 40, 300, matrix=(0, 1, -1, 0)),
    ]
    found, _ = passages(pdf(tmp_path / "book.pdf", [page]))
    assert [text for _, text, _ in found] == [
        "Egypt lived by the flood of the their people. The largest of the pyramids was built for "
        "Khufu.",
        "Teti ruled first.",
    ]


def test_numbers_of_notes_are_no_part_of_words_and_powers_stay(tmp_path: Path) -> None:
    page = [
        Text("Khufu ruled Egypt", 50, 60),
        Text("12", 134, 56, 6),
        Text("for 10", 146, 60),
        Text("3", 173, 56, 6),
        Text("months.", 180, 60),
    ]
    found, left_out = passages(pdf(tmp_path / "book.pdf", [page]))
    assert [text for _, text, _ in found] == ["Khufu ruled Egypt for 10^3 months."]
    assert left_out == {"notes": 1}


def test_negative_powers_stay(tmp_path: Path) -> None:
    page = [
        Text("Khufu lost 10", 50, 60),
        *(Text("-5", 108.5, 56, 6), Text("of it and e", 117, 60)),
        *(Text("-", 161, 56, 6), Text("alone.", 166, 60)),
    ]
    texts, left_out = passages(pdf(tmp_path / "book.pdf", [page]))
    assert [text for _, text, _ in texts] == ["Khufu lost 10^-5 of it and e- alone."]
    assert left_out == {}


def test_the_number_of_a_note_that_is_taken_for_a_line_is_left_out(tmp_path: Path) -> None:
    page = [
        Text("Khufu ruled Egypt", 50, 60, 11),
        Text(".", 138, 60, 11),
        Text("2", 142, 55.6, 9.2),
        Text("His son ruled long.", 151, 60, 11),
    ]
    found, left_out = passages(pdf(tmp_path / "book.pdf", [page]))
    assert [text for _, text, _ in found] == ["Khufu ruled Egypt. His son ruled long."]
    assert left_out == {"notes": 1}


def test_the_number_before_a_note_is_no_part_of_its_text_but_that_of_an_isotope(
    tmp_path: Path,
) -> None:
    page = [
        Text("Khufu ruled Egypt.", 50, 60),
        *(Text("7", 50, 557, 5), Text("See the annals of Teti.", 53, 560, 8)),
        *(Text("23", 50, 567, 5), Text("Na is salt.", 56, 570, 8)),
    ]
    found, left_out = passages(pdf(tmp_path / "book.pdf", [page]))
    assert " ".join(text for _, text, _ in found[1:]) == "See the annals of Teti. 23Na is salt."
    assert left_out == {"notes": 1}


def test_a_numbered_line_in_slightly_larger_type_is_a_heading(tmp_path: Path) -> None:
    page = [
        Text("Teti ruled for a longer time than all of them.", 50, 35),
        Text("4.2.1 The engineers", 50, 60, 10.8),
        *column(["Khufu ruled Egypt and had the largest of the pyramids built."] * 2, 50, 85),
        Text("4.5 tons of stone.", 50, 110, 10.8),
    ]
    found = document_paragraphs(str(pdf(tmp_path / "book.pdf", [page])), "pdf", Counter())
    assert [paragraph.text for paragraph in found if paragraph.is_heading] == [page[1].text]


def test_an_initial_over_two_lines_joins_its_word(tmp_path: Path) -> None:
    page = [
        Text("E", 50, 72, 28),
        Text("gypt lived by the flood", 72, 60),
        Text("of the Nile.", 72, 72),
    ]
    found, _ = passages(pdf(tmp_path / "book.pdf", [page]))
    assert [text for _, text, _ in found] == ["Egypt lived by the flood of the Nile."]


def test_rare_letters_stay_and_type_of_no_size_is_hidden(tmp_path: Path) -> None:
    page = [Text("𠮟られた王はテティである。"), Text("unseen", 50, 80, 0.1)]
    found, left_out = passages(pdf(tmp_path / "book.pdf", [page]), "ja")
    assert [text for _, text, _ in found] == ["𠮟られた王はテティである。"]
    assert left_out == {"hidden text": 1}


def test_the_values_of_fields_are_read(tmp_path: Path) -> None:
    field = (
        b"<< /Type /Annot /Subtype /Widget /FT /Tx /T (Ruler) /V (Teti of Egypt) "
        b"/Rect [50 50 200 70] >>"
    )
    path = pdf(
        tmp_path / "form.pdf",
        [[Text("Who ruled first?")]],
        "/AcroForm << /Fields [8 0 R] >>",
        page_entries="/Annots [8 0 R]",
        more=[field],
    )
    assert "Ruler: Teti of Egypt" in " ".join(text for _, text, _ in passages(path)[0])


def test_numbered_headings_and_dates_are_no_page_numbers(tmp_path: Path) -> None:
    rulers = ("Khufu", "Teti", "Pepi")
    pages = [
        [
            Text(f"{number} {name}", 50, 40, 14),
            Text(f"{number + 3:02}/05/1921 A tomb of king {name} was opened.", 50, 60),
            Text(f"{name} was a king of Egypt.", 50, 90),
        ]
        for number, name in enumerate(rulers, 1)
    ]
    found, left_out = passages(pdf(tmp_path / "book.pdf", pages))
    assert [text for _, text, _ in found] == [
        text
        for number, name in enumerate(rulers, 1)
        for text in (
            f"{number} {name}",
            f"{number + 3:02}/05/1921 A tomb of king {name} was opened. {name} was a king of Egypt.",
        )
    ]
    assert left_out == {}


def test_a_line_that_is_all_of_every_page_stays(tmp_path: Path) -> None:
    path = pdf(tmp_path / "book.pdf", [[Text("Teti ruled Egypt.")]] * 4)
    assert [page for _, _, page in passages(path)[0]] == ["1", "2", "3", "4"]


def test_a_scanned_page_is_counted_and_a_scanned_book_refused(tmp_path: Path) -> None:
    found, left_out = passages(pdf(tmp_path / "half.pdf", [[], [Text("Akbar ruled India.")]]))
    assert found == [("", "Akbar ruled India.", "2")]
    assert left_out == {"pages without text": 1}
    with pytest.raises(
        UserError, match=r"scan\.pdf: no text layer: 2 of 2 pages are pictures; recognise its text"
    ):
        passages(pdf(tmp_path / "scan.pdf", [[], []], content=PICTURE))
    with pytest.raises(UserError, match=r"blank\.pdf: a PDF whose 2 pages hold no text; "):
        passages(pdf(tmp_path / "blank.pdf", [[], []]))


def test_a_pdf_that_cannot_be_read_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (broken := tmp_path / "broken.pdf").write_bytes(b"%PDF-1.7\nAkbar ruled.\n%%EOF")
    with pytest.raises(UserError, match=r"broken\.pdf: a damaged PDF; repair it"):
        passages(broken)
    locked = pdf(tmp_path / "locked.pdf", [[Text("Akbar ruled India.")]])
    encryption = f"/Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <{'00' * 32}> /U <{'00' * 32}> >> /ID [<00> <00>] /Root"
    locked.write_bytes(locked.read_bytes().replace(b"/Root", encryption.encode()))
    with pytest.raises(
        UserError, match=r"locked\.pdf: a PDF that is locked with a password; save a copy"
    ):
        passages(locked)
    monkeypatch.setitem(sys.modules, "pypdfium2", None)
    with pytest.raises(
        UserError,
        match=r"locked\.pdf: a PDF, which takes the extra `documents` to read; `pip install",
    ):
        passages(locked)


def test_an_e_book_is_read_by_its_spine_with_its_printed_pages(tmp_path: Path) -> None:
    chapters = {
        "b.xhtml": "<h1>River valleys</h1><p>Akbar ruled.</p>",
        "a.xhtml": '<p>Saladin <span epub:type="pagebreak" '
        'title="212"/>fought.</p><p>He&nbsp;won.<br/>Twice.</p>',
    }
    path = epub(tmp_path / "book.epub", chapters)
    title = "River valleys"
    assert passages(path)[0] == [
        (title, title, ""),
        (title, "Akbar ruled.", ""),
        ("River valleys", "Saladin fought.", ""),
        ("River valleys", "He won. Twice.", "212"),
    ]


@pytest.mark.parametrize(
    ("title", "page"), [("Page xii.", "xii"), ("Index", ""), ("p12", "12"), ("Page 7", "7")]
)
def test_the_number_of_a_printed_page_is_no_end_of_a_word(
    tmp_path: Path, title: str, page: str
) -> None:
    chapter = f'<p><span epub:type="pagebreak" title="{title}"/>He won.</p>'
    path = epub(tmp_path / "book.epub", {"a.xhtml": chapter})
    assert passages(path)[0] == [("", "He won.", page)]


def test_an_e_book_whose_text_is_locked_is_refused(tmp_path: Path) -> None:
    locked = (
        "<encryption><EncryptedData><EncryptionMethod "
        'Algorithm="aes256"/><CipherData><CipherReference '
        'URI="OEBPS/text/a.xhtml"/></CipherData></EncryptedData></encryption>'
    )
    path = epub(
        tmp_path / "book.epub",
        {"a.xhtml": "<p>Akbar ruled.</p>"},
        {"META-INF/encryption.xml": locked},
    )
    with pytest.raises(
        UserError, match=r"book\.epub: an EPUB whose text is locked \(OEBPS/text/a\.xhtml\)"
    ):
        passages(path)


def test_a_docx_has_headings_by_style_and_pages(tmp_path: Path) -> None:
    styles = '<w:style w:styleId="berschrift1"><w:name w:val="heading 1"/></w:style>'
    body = (
        '<w:p><w:pPr><w:pStyle w:val="berschrift1"/></w:pPr><w:r><w:t>River '
        "valleys</w:t></w:r></w:p>"
        "<w:p><w:r><w:t>Akbar </w:t></w:r><w:r><w:t>ruled.</w:t></w:r></w:p>"
        "<w:p><w:r><w:lastRenderedPageBreak/><w:t>Saladin</w:t><w:tab/><w:t>fought.</w:t></w:r></w:p>"
        "<w:p><w:r><w:t>He </w:t><w:lastRenderedPageBreak/><w:t>won.</w:t></w:r></w:p><w:p/>"
    )
    title = "River valleys"
    assert passages(docx(tmp_path / "book.docx", body, styles))[0] == [
        (title, title, "1"),
        (title, "Akbar ruled.", "1"),
        (title, "Saladin fought.", "2"),
        (title, "He won.", "2–3"),
    ]


ROWS = [["Year", "Bridges"], ["1900", "4"], ["1950", ""]]
AS_READ = ["Year Bridges", "Year: 1900; Bridges: 4", "Year: 1950"]


def test_a_term_in_bold_type_begins_a_line_of_a_glossary(tmp_path: Path) -> None:
    page = [Text("Glossary", 50, 40, 16)]
    for row, (term, width, text) in enumerate(
        (("silt", 22, "fine grains of rock"), ("ox bow", 40, "a lake in an old bend that the"))
    ):
        page += [Text(term, 50, 70 + 12 * row, bold=True), Text(text, 50 + width, 70 + 12 * row)]
    page += [Text("river has left", 50, 94), Text("Rivers", 50, 120, 16)]
    page += [Text("weir", 50, 144, bold=True), Text("and dam are the same here.", 76, 144)]
    found, _ = passages(pdf(tmp_path / "book.pdf", [page]), definitions=2)
    assert [text for _, text, _ in found] == [
        "Glossary",
        "silt: fine grains of rock",
        "ox bow: a lake in an old bend that the river has left",
        "Rivers",
        "weir and dam are the same here.",
    ]


def test_a_term_of_a_docx_glossary_gets_a_colon_only_where_it_has_none(tmp_path: Path) -> None:
    def line(term: str, rest: str) -> str:
        bold = f"<w:r><w:rPr><w:b/></w:rPr><w:t>{term}</w:t></w:r>"
        return f"<w:p>{bold}<w:r><w:t xml:space='preserve'>{rest}</w:t></w:r></w:p>"

    heading = "<w:p><w:pPr><w:outlineLvl w:val='0'/></w:pPr><w:r><w:t>Key terms</w:t></w:r></w:p>"
    body = (
        f"{line('Silt', ' lies here.')}{heading}{line('silt', ' fine rock')}{line('ox', ': a cow')}"
    )
    found, _ = passages(docx(tmp_path / "book.docx", body), definitions=1)
    assert [text for _, text, _ in found] == [
        *("Silt lies here.", "Key terms", "silt: fine rock", "ox: a cow")
    ]


def test_the_terms_of_a_list_of_definitions_stand_before_them(tmp_path: Path) -> None:
    path = tmp_path / "book.html"
    path.write_text(
        "<p>Books printed in Europe were dear.</p><h2>Glossary</h2><dl><dt>weir</dt><dt>dam</dt>"
        "<dd><p>a wall in a river</p><p>It holds water.</p></dd><dd>a lake</dd><div><dt>silt<sup>2</sup></dt>"
        "<dd>books printed in clay</dd></div><dt>Why do rivers bend?</dt><dd>Banks fall.</dd></dl>",
        "utf-8",
    )
    found, _ = passages(path, definitions=3)
    assert [text for _, text, _ in found] == [
        "Books printed in Europe were dear.",
        "Glossary",
        "weir, dam: a wall in a river",
        "It holds water.",
        "weir, dam: a lake",
        "silt: books printed in clay",
        "Why do rivers bend?",
        "Banks fall.",
    ]


def docx_table(rows: list[list[str]]) -> str:
    return "<w:tbl>{}</w:tbl>".format(
        "".join(
            "<w:tr>{}</w:tr>".format(
                "".join(f"<w:tc><w:p><w:r><w:t>{cell}</w:t></w:r></w:p></w:tc>" for cell in row)
            )
            for row in rows
        )
    )


def test_a_row_of_a_docx_table_is_read_with_the_headings_of_its_columns(tmp_path: Path) -> None:
    found, _ = passages(docx(tmp_path / "book.docx", docx_table(ROWS)))
    assert [text for _, text, _ in found] == AS_READ


def test_a_row_of_a_docx_table_without_headings_is_one_paragraph(tmp_path: Path) -> None:
    rows = [["Elbe", "1094 km"], ["Oder", "840 km"]]
    found, _ = passages(docx(tmp_path / "book.docx", docx_table(rows)))
    assert [text for _, text, _ in found] == ["Elbe 1094 km", "Oder 840 km"]


def test_a_docx_table_that_lays_out_paragraphs_is_no_table_of_data(tmp_path: Path) -> None:
    body = docx_table([["Left", "Right"]]).replace("</w:p></w:tc>", "</w:p><w:p/></w:tc>", 1)
    body = body.replace("<w:p/>", "<w:p><w:r><w:t>Below</w:t></w:r></w:p>")
    found, _ = passages(docx(tmp_path / "book.docx", body))
    assert [text for _, text, _ in found] == ["Left", "Below", "Right"]


def test_a_row_of_an_html_table_is_read_with_the_headings_of_its_columns(tmp_path: Path) -> None:
    head, *body = ROWS
    rows = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in body)
    table = f"<table><tr>{''.join(f'<th>{cell}</th>' for cell in head)}</tr>{rows}</table>"
    (path := tmp_path / "book.html").write_text(f"<html><body>{table}", "utf-8")
    assert [text for _, text, _ in passages(path)[0]] == AS_READ


TWO_ROWS = [
    "stone iron",
    "Country: Avia; Year: 1900; Bridges, stone: 4; Bridges, iron: 1",
    "Country: Avia; Year: 1950; Bridges, stone: 5; Bridges, iron: 6",
]


def test_merged_cells_of_an_html_table_name_all_the_columns_and_rows_they_cover(
    tmp_path: Path,
) -> None:
    (path := tmp_path / "book.html").write_text(
        "<table><tr><th colspan=4>Bridges of the rivers"
        "<tr><th rowspan=2>Country<th rowspan=2>Year<th colspan=2>Bridges<tr><th>stone<th>iron"
        "<tr><td rowspan=2>Avia<td>1900<td>4<td>1<tr><td>1950<td>5<td>6</table>",
        "utf-8",
    )
    assert [text for _, text, _ in passages(path)[0]] == [
        "Bridges of the rivers",
        "Country Year Bridges",
        *TWO_ROWS,
    ]


def test_a_control_character_in_a_cell_is_dropped(tmp_path: Path) -> None:
    (path := tmp_path / "book.html").write_bytes(
        b"<table><tr><th>Year<th>Bridges<tr><td>19\x0100<td>4"
    )
    assert passages(path)[0][-1][1] == "Year: 1900; Bridges: 4"


def test_merged_cells_of_a_docx_table_name_all_the_columns_and_rows_they_cover(
    tmp_path: Path,
) -> None:
    body = docx_table(
        [
            ["Country", "Year", "Bridges"],
            ["↑", "↑", "stone", "iron"],
            ["Avia", "1900", "4", "1"],
            ["↑", "1950", "5", "6"],
        ]
    )
    above = "<w:tc><w:tcPr><w:vMerge/></w:tcPr><w:p/></w:tc>"
    body = body.replace("<w:tc><w:p><w:r><w:t>↑</w:t></w:r></w:p></w:tc>", above)
    for text, merge in (
        ("Country", '<w:vMerge w:val="restart"/>'),
        ("Year", '<w:vMerge w:val="restart"/>'),
        ("Avia", '<w:vMerge w:val="restart"/>'),
        ("Bridges", '<w:gridSpan w:val="2"/>'),
    ):
        cell = f"<w:p><w:r><w:t>{text}<"
        body = body.replace(cell, f"<w:tcPr>{merge}</w:tcPr>{cell}")
    found, _ = passages(docx(tmp_path / "book.docx", body))
    assert [text for _, text, _ in found] == ["Country Year Bridges", *TWO_ROWS]


def test_a_web_page_has_its_text_without_what_is_around_it(tmp_path: Path) -> None:
    (path := tmp_path / "book.html").write_text(
        "<!DOCTYPE html><title>x</title><nav>Home | Books</nav><h2>River "
        "<i>valleys</i></h2><p>Akbar ruled.<ul><li>One"
        "<li>Two</ul><script>var x</script><div>Saladin<br>fought.<p "
        "hidden>No.</div><button>Show</button><table><tr><td>a<td>b</table>"
        "<footer>Free of charge</footer>",
        "utf-8",
    )
    found, left_out = passages(path)
    assert [text for _, text, _ in found] == [
        "River valleys",
        "Akbar ruled.",
        "One",
        "Two",
        "Saladin fought.",
        "a b",
    ]
    assert {title for title, _, _ in found} == {"River valleys"}
    assert left_out == {"navigation and page feet": 2, "hidden text": 1, "controls and drawings": 1}


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
@pytest.mark.parametrize(
    "text",
    [
        "<!-- notes --><!-- more --><h1>Agra</h1><p>Akbar ruled.",
        "<h1>Agra</h1><p>Akbar ruled.",
        "<HTML><h1>Agra</h1><p>Akbar ruled.",
    ],
)
def test_a_piece_of_a_web_page_is_one(tmp_path: Path, text: str, encoding: str) -> None:
    (path := tmp_path / "book.html").write_text(text, encoding)
    assert [text for _, text, _ in passages(path)[0]] == ["Agra", "Akbar ruled."]


@pytest.mark.parametrize(
    "meta", ["<meta charset='euc-jp'>", "", "<META content='text/html; charset=EUC-JP'>"]
)
def test_a_web_page_in_another_encoding(tmp_path: Path, meta: str) -> None:
    (path := tmp_path / "book.html").write_bytes(
        f"<html>{meta}<p>王はナイルの国を治めた。".encode("euc-jp")
    )
    assert passages(path, "ja")[0] == [("", "王はナイルの国を治めた。", "")]


def test_zips_that_cannot_be_read_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"bomb\.docx: word/document\.xml: .* 200 to 1"):
        passages(zipped(tmp_path / "bomb.docx", {"word/document.xml": b"<p>" + b" " * 20_000_000}))
    cut = docx(tmp_path / "cut.docx", "<w:p/>")
    cut.write_bytes(cut.read_bytes()[:-30])
    with pytest.raises(UserError, match=r"cut\.docx: archive not read on"):
        passages(cut)
    with pytest.raises(UserError, match=r"book\.epub: an EPUB without its package document"):
        passages(zipped(tmp_path / "book.epub", {"META-INF/container.xml": "<container/>"}))
    with pytest.raises(UserError, match=r"bad\.docx: word/document\.xml:1: "):
        passages(zipped(tmp_path / "bad.docx", {"word/document.xml": "<document>"}))


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["p", "div", "li", "h1", "td"]), st.text("ab <&;/\n", max_size=20)
        )
    )
)
def test_a_web_page_loses_no_letter(blocks: list[tuple[str, str]]) -> None:
    source = "".join(
        f"<{tag}>{text.replace('&', '&amp;').replace('<', '&lt;')}</{tag}>" for tag, text in blocks
    )
    root = html_root(f"<html><body>x{source}".encode(), (), "page")
    found = "".join(one.text for one in markup_paragraphs(root, Counter()))
    assert [c for c in found if c.isalnum()] == [
        c for c in "x" + "".join(text for _, text in blocks) if c.isalnum()
    ]


def test_a_zip_has_its_members_in_any_order(tmp_path: Path) -> None:
    path = docx(tmp_path / "book.docx", "<w:p><w:r><w:t>Akbar ruled.</w:t></w:r></w:p>")
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
    assert passages(path)[0] == [("", "Akbar ruled.", "")]


def test_a_term_of_a_list_of_definitions_is_read_as_other_text(tmp_path: Path) -> None:
    path = tmp_path / "book.html"
    path.write_text(
        "<dl><dt>Ca<sup>2+</sup> pump<sup>7</sup></dt><dd>a protein</dd>"
        "<dt><ruby>都<rt>みやこ</rt></ruby></dt><dd>a town</dd></dl>",
        "utf-8",
    )
    texts, _ = passages(path, definitions=2)
    assert [text for _, text, _ in texts] == ["Ca2+ pump: a protein", "都: a town"]


def test_raised_numbers_of_notes_are_left_out_of_a_web_page(tmp_path: Path) -> None:
    path = tmp_path / "book.html"
    path.write_text(
        "<html><body><p>Teti<sup>3</sup> ruled in the 24<sup>th</sup> century.<sup>[4]</sup> Egypt "
        "has 10<sup>6</sup> km<sup>2</sup>, Ca<sup>2+</sup>, 10<sup>−5</sup> s<sup>-1</sup>.<span style='visibility: hidden'>x"
        "</span></p></body></html>",
        "utf-8",
    )
    found, left_out = passages(path)
    assert [text for _, text, _ in found] == [
        "Teti ruled in the 24th century. Egypt has 10^6 km^2, Ca2+, 10^−5 s^-1."
    ]
    assert left_out == {"notes": 2, "hidden text": 1}


def test_an_e_book_names_parts_of_chapters_and_holds_some_in_others(tmp_path: Path) -> None:
    path = epub(
        tmp_path / "book.epub",
        {"a.xhtml#top": "", "b.xhtml": "<p>Teti ruled.</p><object data='c.html'>None.</object>"},
        {
            "OEBPS/text/a.xhtml": "<html><body><p>Khufu ruled.</p></body></html>",
            "OEBPS/text/c.html": "<html><body><p>Pepi ruled.</p></body></html>",
            "OEBPS/text/d.html": "<html><body><p>Shown by nobody.</p></body></html>",
        },
    )
    found, left_out = passages(path)
    assert [text for _, text, _ in found] == ["Khufu ruled.", "Teti ruled.", "Pepi ruled."]
    assert left_out == {"chapters outside of the reading order": 1}


def test_a_docx_says_where_its_text_is_and_has_notes_and_hidden_text(tmp_path: Path) -> None:
    def run(text: str, look: str = "") -> str:
        return f"<w:r><w:rPr>{look}</w:rPr><w:t>{text}</w:t></w:r>"

    raised = '<w:vertAlign w:val="superscript"/>'
    body = (
        run("Teti")
        + run("3", raised)
        + '<w:footnoteReference w:id="7"/>'
        + run(" had 10")
        + run("2", raised)
        + run(" men, 10")
        + run("-2", raised)
        + run(" each.")
    )
    space = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
    path = zipped(
        tmp_path / "book.docx",
        {
            "_rels/.rels": "<Relationships><Relationship Type='http://x.org/officeDocument' "
            "Target='/word/document2.xml'/></Relationships>",
            "word/document2.xml": f"<w:document {space}><w:body><w:p>{body}"
            f"{run('unseen', '<w:vanish/>')}</w:p></w:body></w:document>",
            "word/footnotes.xml": f"<w:footnotes {space}><w:footnote><w:p/></w:footnote>"
            f"<w:footnote><w:p>{run('By a scribe.')}</w:p></w:footnote>"
            f"<w:footnote w:id='7'><w:p>{run('A king.')}</w:p></w:footnote></w:footnotes>",
            "word/header1.xml": f"<w:hdr {space}><w:p>{run('Chapter 3')}</w:p></w:hdr>",
            "word/footer1.xml": "a damaged one",
        },
    )
    found, left_out = passages(path)
    assert [text for _, text, _ in found] == ["Teti had 10^2 men, 10^-2 each.", "A king."]
    assert left_out == {"notes": 1, "hidden text": 1, "footnotes": 1, "running heads": 1}


def test_a_note_follows_the_row_of_a_table_whose_first_cell_refers_to_it(tmp_path: Path) -> None:
    space = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
    body = docx_table([["Teti", "dwarf"]]).replace(
        "Teti</w:t>", '</w:t><w:footnoteReference w:id="7"/><w:t>Teti</w:t>'
    )
    path = zipped(
        tmp_path / "book.docx",
        {
            "word/document.xml": f"<w:document {space}><w:body>{body}</w:body></w:document>",
            "word/footnotes.xml": f"<w:footnotes {space}><w:footnote w:id='7'><w:p><w:r>"
            "<w:t>A king.</w:t></w:r></w:p></w:footnote></w:footnotes>",
        },
    )
    texts, left_out = passages(path)
    assert [text for _, text, _ in texts] == ["Teti dwarf", "A king."]
    assert left_out == {}


def test_a_docx_style_may_precede_the_heading_that_it_is_based_on(tmp_path: Path) -> None:
    styles = (
        "<w:style w:styleId='Kopf'><w:basedOn w:val='H1'/></w:style>"
        "<w:style w:styleId='H1'><w:name w:val='heading 1'/></w:style>"
    )
    body = (
        "<w:p><w:pPr><w:pStyle w:val='Kopf'/></w:pPr><w:r><w:t>River valleys</w:t></w:r></w:p>"
        "<w:p><w:r><w:t>Silt settles.</w:t></w:r></w:p>"
    )
    texts, _ = passages(docx(tmp_path / "book.docx", body, styles))
    assert texts[1] == ("River valleys", "Silt settles.", "")


def test_moved_text_of_a_docx_is_read_once_and_symbols_are_counted(tmp_path: Path) -> None:
    def tracked(change: str, text: str) -> str:
        return f"<w:p><w:{change}><w:r><w:t>{text}</w:t></w:r></w:{change}></w:p>"

    symbol = "<w:p><w:r><w:t>The ray</w:t><w:sym w:font='Symbol' w:char='F061'/></w:r></w:p>"
    body = tracked("moveFrom", "It rained.") + symbol + tracked("moveTo", "It rained.")
    found, left_out = passages(docx(tmp_path / "book.docx", body))
    assert [text for _, text, _ in found] == ["The ray", "It rained."]
    assert left_out == {"letters that cannot be told": 1}


def test_readings_above_words_are_no_part_of_a_docx(tmp_path: Path) -> None:
    def part(name: str, text: str) -> str:
        return f"<w:{name}><w:r><w:t>{text}</w:t></w:r></w:{name}>"

    ruby = f"<w:r><w:ruby>{part('rt', 'みやこ')}{part('rubyBase', '都')}</w:ruby></w:r>"
    path = docx(tmp_path / "book.docx", f"<w:p>{ruby}<w:r><w:t>に住む。</w:t></w:r></w:p>")
    found, left_out = passages(path)
    assert [text for _, text, _ in found] == ["都に住む。"]
    assert left_out == {"readings of words": 1}
