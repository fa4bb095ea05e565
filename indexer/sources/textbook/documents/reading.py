"""The paragraphs of a document that is no plain text, and a sample of it to tell its language from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Literal

from indexer.files.encoding import JAPANESE_ENCODINGS, read_whole
from indexer.files.errors import bad_input
from indexer.files.packed import MIB
from indexer.sources.textbook.documents.markup import html_root, markup_paragraphs
from indexer.sources.textbook.documents.paragraphs import Paragraph, page_paragraphs
from indexer.sources.textbook.documents.pdf import pdf_pages
from indexer.sources.textbook.documents.zipped import docx_paragraphs, epub_paragraphs

DocumentForm = Literal["pdf", "html", "epub", "docx"]
_PAGE_SIZE = 64 * MIB  # bytes of a web page
_SAMPLE = 5_000  # characters


def document_paragraphs(
    path: str, form: DocumentForm, counts: Counter[str], encodings: tuple[str, ...] = JAPANESE_ENCODINGS
) -> Iterator[Paragraph]:
    """The paragraphs and headings of a document in order; what is left out is counted, by what it is.

    `encodings` are tried for a web page that is not UTF-8 and does not name its own. UserError for a document that
    cannot be read, and for a PDF of pictures only.
    """
    if form == "html":
        return markup_paragraphs(html_root(read_whole(path, _PAGE_SIZE), encodings, path), counts)
    if form == "pdf":
        return _of_pdf(path, counts)
    return (epub_paragraphs if form == "epub" else docx_paragraphs)(path, counts)


def _of_pdf(path: str, counts: Counter[str]) -> Iterator[Paragraph]:
    pages = list(pdf_pages(path))
    if not any(page.fragments for page in pages):
        what = f"a PDF whose {len(pages):,} pages hold no text, as in a scan"
        raise bad_input(path, None, what, "recognise its text first, for example with `ocrmypdf`")
    yield from page_paragraphs(pages, counts)


def document_sample(path: str, form: DocumentForm) -> str:
    """The beginning of a document's text."""
    if form == "pdf":
        texts = (one.text for page in pdf_pages(path) for one in page.fragments)
    else:
        texts = (one.text for one in document_paragraphs(path, form, Counter()))
    sample = ""
    for text in texts:
        sample += f"{text}\n"
        if len(sample) >= _SAMPLE:
            break
    return sample
