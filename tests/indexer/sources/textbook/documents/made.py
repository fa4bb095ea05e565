"""Small documents of each form, written by hand: PDF (ISO 32000-1, 7.5), EPUB and DOCX."""

from __future__ import annotations

import zipfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

WIDTH, HEIGHT = 400, 600
_JAPANESE = (
    b"<< /Type /Font /Subtype /Type0 /BaseFont /HeiseiMin-W3 /Encoding /UniJIS-UTF16-%s "
    b"/DescendantFonts [<< /Type"
    b" /Font /Subtype /CIDFontType0 /BaseFont /HeiseiMin-W3 /CIDSystemInfo << /Registry (Adobe) "
    b"/Ordering (Japan1)"
    b" /Supplement 5 >> /DW 1000 /FontDescriptor << /Type /FontDescriptor /FontName /HeiseiMin-W3 "
    b"/Flags 4"
    b" /FontBBox [0 -200 1000 900] /ItalicAngle 0 /Ascent 859 /Descent -140 /CapHeight 700 /StemV "
    b"80 >> >>] >>"
)


class Text(NamedTuple):
    """A line of text on a page: where its base line begins, in points from the upper left, the size
    of its type, the first four numbers of its matrix, which turns it, and whether it is bold."""

    text: str
    x: float = 50
    y: float = 50
    size: float = 10
    upright: bool = False
    matrix: tuple[int, int, int, int] = (1, 0, 0, 1)
    bold: bool = False


def column(
    lines: Sequence[str], x: float = 50, y: float = 60, size: float = 10, leading: float = 12
) -> list[Text]:
    """Lines one below the other."""
    return [Text(line, x, y + leading * number, size) for number, line in enumerate(lines)]


def pdf(
    path: Path,
    pages: Iterable[Iterable[Text]],
    catalog: str = "",
    *,
    page_entries: str = "",
    content: str = "",
    fonts: str = "",
    more: Sequence[bytes] = (),
) -> Path:
    """Write a PDF of these pages; text beyond Latin 1 is written in a Japanese font, `upright` from
    top to bottom. Every page has `page_entries`, and `content` behind its text, and
    `fonts` beside the usual four; `more` are objects with the next numbers, 6 + 2 · pages and on."""
    drawn = content.encode()
    objects: list[bytes] = [
        b"",
        b"",
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
        _JAPANESE % b"H",
        _JAPANESE % b"V",
    ]
    kids = []
    for page in pages:
        shown = b"\n".join([*map(_shown, page), drawn])
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(shown), shown))
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 %d %d] /Contents %d 0 R /Resources << "
            b"/Font << /F0 3 0 R /F1"
            b" 4 0 R /F2 5 0 R /F3 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold"
            b" /Encoding /WinAnsiEncoding >> %s >> >> %s >>"
            % (WIDTH, HEIGHT, len(objects), fonts.encode(), page_entries.encode())
        )
        kids.append(b"%d 0 R" % len(objects))
    objects += more
    objects[0] = b"<< /Type /Catalog /Pages 2 0 R %s >>" % catalog.encode()
    objects[1] = b"<< /Type /Pages /Kids [%s] /Count %d >>" % (b" ".join(kids), len(kids))
    data, offsets = b"%PDF-1.7\n", []
    for number, body in enumerate(objects, 1):
        offsets.append(len(data))
        data += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    data += (
        b"xref\n0 %d\n0000000000 65535 f \n%strailer\n<< /Size %d /Root 1 0 R "
        b">>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, table, len(objects) + 1, len(data))
    )
    path.write_bytes(data)
    return path


def _shown(one: Text) -> bytes:
    try:
        encoded, font = one.text.encode("cp1252"), b"F3" if one.bold else b"F0"
    except UnicodeEncodeError:
        encoded, font = one.text.encode("utf-16-be"), b"F2" if one.upright else b"F1"
    return b"BT /%s %g Tf %d %d %d %d %g %g Tm <%s> Tj ET" % (
        font,
        one.size,
        *one.matrix,
        one.x,
        HEIGHT - one.y,
        encoded.hex().encode(),
    )


def zipped(path: Path, files: Mapping[str, str | bytes]) -> Path:
    """Write a zip of these files."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return path


def epub(path: Path, chapters: Mapping[str, str], more: Mapping[str, str] | None = None) -> Path:
    """Write an e-book of these chapters (file names and the insides of their bodies), in this
    order."""
    items = "".join(
        f'<item id="{name}" href="text/{name}" media-type="application/xhtml+xml"/>'
        for name in chapters
    )
    spine = "".join(f'<itemref idref="{name}"/>' for name in chapters)
    package = f'<package xmlns="http://www.idpf.org/2007/opf"><manifest>{items}</manifest><spine>{spine}</spine></package>'
    container = (
        '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
        '<rootfile full-path="OEBPS/book.opf"/></rootfiles></container>'
    )
    body = '<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><body>{}</body></html>'
    files = {f"OEBPS/text/{name}": body.format(text) for name, text in chapters.items()}
    return zipped(
        path,
        {
            "mimetype": "application/epub+zip",
            "META-INF/container.xml": container,
            "OEBPS/book.opf": package,
            **files,
            **(more or {}),
        },
    )


def docx(path: Path, body: str, styles: str = "", numbering: str = "") -> Path:
    """Write a DOCX with this body (the elements inside `<w:body>`), these styles and lists."""
    space = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
    files = {"word/document.xml": f"<w:document {space}><w:body>{body}</w:body></w:document>"}
    if styles:
        files["word/styles.xml"] = f"<w:styles {space}>{styles}</w:styles>"
    if numbering:
        files["word/numbering.xml"] = f"<w:numbering {space}>{numbering}</w:numbering>"
    return zipped(path, files)
