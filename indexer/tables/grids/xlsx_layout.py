"""What an xlsx says beside its values, which calamine leaves out: formats, indents, hidden rows and columns, extent."""

from __future__ import annotations

import io
import re
import sys
import zipfile
from collections.abc import Mapping, Sequence
from typing import IO, TYPE_CHECKING, NamedTuple

from indexer.files.xml import SAFE, xml_pieces
from indexer.languages.language import Language
from indexer.tables.grids.number_formats import built_in

if TYPE_CHECKING:
    from lxml import etree

_COLUMN_LIMIT = 16_384
_PIECE_LIMIT = 6_000_000
_NAMESPACE = re.compile(r"\{[^}]*\}")
_REFERENCE = re.compile(r"([A-Z]{1,3})([0-9]{1,7})")
DAMAGE = (zipfile.BadZipFile, KeyError, ValueError, OSError, NotImplementedError, EOFError, SyntaxError)
"""What reading the parts of a zipped workbook may raise."""


class Style(NamedTuple):
    """What a cell's format does to its text."""

    code: str
    indent: int


class Layout(NamedTuple):
    """A sheet's cells whose style changes their text, its hidden rows and columns, and how far its values reach."""

    styles: Mapping[tuple[int, int], Style]
    hidden_rows: frozenset[int]
    hidden_columns: frozenset[int]
    from_1904: bool = False
    cells: int = 0


class Layouts:
    """The layouts of a workbook's sheets.

    Other formats, and an xlsx whose parts are not where they belong, have none: values then show as General. An error
    of `DAMAGE` where the parts cannot be read.
    """

    def __init__(self, data: bytes, language: Language) -> None:
        self._archive: zipfile.ZipFile | None = None
        self._paths: dict[str, str] = {}
        self._styles: list[Style] = []
        self._from_1904 = False
        archive = zipfile.ZipFile(io.BytesIO(data))
        names = set(archive.namelist())
        if "xl/workbook.xml" in names:
            self._archive = archive
            self._paths = _sheet_paths(archive)
            self._from_1904 = bool(re.search(rb'date1904="(1|true)"', archive.read("xl/workbook.xml")))
            self._styles = _styles(archive, language) if "xl/styles.xml" in names else []

    def of(self, name: str) -> Layout:
        path = self._paths.get(name)
        if self._archive is None or path is None or path not in self._archive.NameToInfo:
            return Layout({}, frozenset(), frozenset())
        with self._archive.open(path) as file:
            return _sheet_layout(file, self._styles)._replace(from_1904=self._from_1904)


def _xml(data: bytes) -> etree._Element:
    from lxml import etree

    return etree.fromstring(data, etree.XMLParser(**SAFE))


def _attributes(element: etree._Element) -> dict[str, str]:
    return {_NAMESPACE.sub("", str(name)): str(value) for name, value in element.attrib.items()}


def _sheet_paths(archive: zipfile.ZipFile) -> dict[str, str]:
    relations = {}
    for relation in _xml(archive.read("xl/_rels/workbook.xml.rels")):
        fields = _attributes(relation)
        target = fields.get("Target", "")
        relations[fields.get("Id", "")] = target.lstrip("/") if target.startswith("/") else f"xl/{target}"
    paths = {}
    for sheet in _xml(archive.read("xl/workbook.xml")).iter("{*}sheet"):
        fields = _attributes(sheet)
        paths[fields.get("name", "")] = relations.get(fields.get("id", ""), "")
    return paths


def _styles(archive: zipfile.ZipFile, language: Language) -> list[Style]:
    root = _xml(archive.read("xl/styles.xml"))
    codes = built_in(language)
    for element in root.iter("{*}numFmt"):
        fields = _attributes(element)
        codes[int(fields["numFmtId"])] = fields.get("formatCode", "General")
    styles = []
    for xf in root.iterfind("{*}cellXfs/{*}xf"):
        alignment = xf.find("{*}alignment")
        indent = int(alignment.get("indent") or 0) if alignment is not None else 0
        styles.append(Style(codes.get(int(xf.get("numFmtId") or 0), "General"), min(indent, 15)))
    return styles


def _sheet_layout(file: IO[bytes], styles: Sequence[Style]) -> Layout:
    """The layout of a sheet's XML, which is read piece by piece: a page of empty rows takes no memory."""
    telling = {str(number): style for number, style in enumerate(styles) if style != ("General", 0)}
    found: dict[tuple[int, int], Style] = {}
    hidden_rows: set[int] = set()
    hidden_columns: set[int] = set()
    extent = _Extent()
    row, column = 0, -1  # the row under way, and its last cell so far
    for count, element in enumerate(xml_pieces(file, ("{*}col", "{*}c", "{*}row"))):
        if count > _PIECE_LIMIT:
            raise ValueError(f"more than {_PIECE_LIMIT:,} rows and cells")
        tag = str(element.tag).rpartition("}")[2]
        if tag == "c":
            number, place = cell_place(element.get("r") or "")
            row, column = row if number is None else number, column + 1 if place is None else place
            if len(element):
                extent.add(row, column)
                style = telling.get(element.get("s") or "0")
                if style is not None:
                    found[row, column] = style
        elif tag == "row":
            row = int(element.get("r") or row + 1) - 1
            if element.get("hidden") in ("1", "true"):
                hidden_rows.add(row)
            row, column = row + 1, -1
        elif element.get("hidden") in ("1", "true"):
            last = min(int(element.get("max") or 0), _COLUMN_LIMIT)
            hidden_columns.update(range(int(element.get("min") or 1) - 1, last))
    return Layout(found, frozenset(hidden_rows), frozenset(hidden_columns), False, extent.cells)


class _Extent:
    """The rectangle that holds all values: two of them at far ends make a huge sheet."""

    def __init__(self) -> None:
        self._top = self._left = sys.maxsize
        self._bottom = self._right = -1

    def add(self, row: int, column: int) -> None:
        self._top, self._bottom = min(self._top, row), max(self._bottom, row)
        self._left, self._right = min(self._left, column), max(self._right, column)

    @property
    def cells(self) -> int:
        return max(0, self._bottom - self._top + 1) * max(0, self._right - self._left + 1)


def cell_place(reference: str) -> tuple[int | None, int | None]:
    """The zero-based row and column of a cell reference such as AB12; None for what it does not tell."""
    found = _REFERENCE.fullmatch(reference)
    if found is None:
        return None, None
    number = 0
    for character in found[1]:
        number = number * 26 + ord(character) - 64
    return int(found[2]) - 1, number - 1
