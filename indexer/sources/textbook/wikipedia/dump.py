"""MediaWiki's XML dumps, plain or packed, page by page: whatever their size, one page is held in memory."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from indexer.files.encoding import open_bytes
from indexer.files.errors import bad_input
from indexer.files.xml import line_of, syntax_fault, xml_pieces

if TYPE_CHECKING:
    from lxml import etree

ROOT = "mediawiki"
ARTICLES = "0"


class WikiPage(NamedTuple):
    """A page as its dump has it: the text of its last revision ("" where none is told), in wiki markup or in `model`.

    `namespace` is the name of its namespace, "" for articles. `redirect` is the title that it leads to, "" for none.
    """

    line: int
    page_id: str
    title: str
    namespace: str
    redirect: str
    model: str
    text: str


def dump_pages(path: str) -> Iterator[WikiPage]:
    """The pages of a dump in order.

    A dump with the history of its pages gives the last revision of each that it holds. UserError with file and line:
    a dump that ends too early or is no XML, one with a document type (no dump has one, and it could define entities),
    a page without a title.
    """
    from lxml import etree

    namespaces = {ARTICLES: ""}
    header: WikiPage | None = None
    with open_bytes(path) as file:
        try:
            for element in xml_pieces(file, ("{*}namespaces", "{*}revision", "{*}page")):
                if element.getroottree().docinfo.internalDTD is not None:
                    raise bad_input(path, 1, "a document type in a dump", "expected <mediawiki> without <!DOCTYPE>")
                name = str(element.tag).rpartition("}")[2]  # a QName refuses odd name spaces
                if name == "namespaces":
                    namespaces.update((each.get("key", ""), each.text or "") for each in element)
                elif name == "revision":  # what stands before it is forgotten once it was read
                    parent = element.getparent()
                    if header is None and parent is not None:
                        header = _header(parent, path, namespaces)
                    if header is not None:
                        header = _revised(header, element)
                else:
                    yield header or _header(element, path, namespaces)
                    header = None
        except etree.XMLSyntaxError as error:
            raise syntax_fault(path, error) from None


def _header(page: etree._Element, path: str, namespaces: dict[str, str]) -> WikiPage:
    title = (page.findtext("{*}title") or "").strip()
    if not title:
        raise bad_input(path, line_of(page), "a <page> without a <title>", "expected a MediaWiki dump")
    key = page.findtext("{*}ns")
    namespace = (
        _namespace_of(title, namespaces) if key is None else namespaces.get(key.strip(), f"namespace {key.strip()}")
    )
    redirect = page.find("{*}redirect")
    leads_to = "" if redirect is None else redirect.get("title", "")
    return WikiPage(
        line_of(page) or 0, (page.findtext("{*}id") or "").strip(), title, namespace, leads_to, "wikitext", ""
    )


def _namespace_of(title: str, namespaces: dict[str, str]) -> str:
    """The namespace of a page in the dumps of before 2011, which tell it by the title only."""
    prefix, colon, _ = title.partition(":")
    return prefix if colon and prefix in namespaces.values() else ""


def _revised(page: WikiPage, revision: etree._Element) -> WikiPage:
    model = (revision.findtext("{*}model") or "wikitext").strip()
    return page._replace(model=model, text=revision.findtext("{*}text") or "")
