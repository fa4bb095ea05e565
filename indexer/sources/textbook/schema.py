"""Schema of an index of running text: its parts, the doc_ids, and the keys that give a text's
place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from indexer.engines.contract import Document, Metadata, Part

if TYPE_CHECKING:
    from indexer.engines.writing import Writer

TEXT_FIELD = "text"
PARAGRAPH, TITLE, SOURCE_ID = "paragraph", "title", "source_id"
SENTENCES = Part("sentences", (TEXT_FIELD,), (PARAGRAPH, TITLE, SOURCE_ID))
PARAGRAPHS = Part("paragraphs", (TEXT_FIELD,), (PARAGRAPH, TITLE, SOURCE_ID))
ALIAS, LEADS_TO = "alias", "leads_to"
REDIRECTS = Part("redirects", (), (ALIAS, LEADS_TO))
"""The titles of a wiki that only lead to others, for the counting of names; in indexes of dumps
only."""

_NUMBERED = 10**7  # paragraphs of a file whose numbers have seven digits


_SECTION_NUMBER = re.compile(r"(?:^|(?<=: ))\d{1,3}(?:\.|(?:\.\d{1,3})++\.?)(?:\s+|$)")


def without_number(title: str) -> str:
    """A heading, or a title of several ("3. Rivers: 3.2 The Nile"), without the numbers of its
    sections: they are not numbers that a text speaks of. A number without a point stays (13
    Colonies)."""
    return _SECTION_NUMBER.sub("", title)


def text_to_analyse(text: str, title: str) -> str:
    """What is analysed of a text with this title or citation above it: a text that occurs in the
    title (a heading) without its number; other texts as they are."""
    return without_number(text) if text in title else text


class SourcePassage(NamedTuple):
    """A paragraph of a file, with the title above it and the file's id for it; `sentences` is ()
    unless the file splits it. `page` is its page in a book with pages, `212` or `212–213`; `doc_id`
    is "" until it is numbered."""

    text: str
    title: str = ""
    source_id: str = ""
    sentences: tuple[str, ...] = ()
    page: str = ""
    doc_id: str = ""


class Redirect(NamedTuple):
    """A wiki title that only redirects to another, of which it is an alias; `doc_id` is "" until it
    is numbered."""

    alias: str
    target: str
    doc_id: str = ""


class Place(NamedTuple):
    """Place of a sentence or paragraph: its paragraph's doc_id, the title above it, the corpus's id
    for it, and the paragraph's pages; "" if unknown."""

    paragraph: str
    title: str
    source_id: str
    page: str = ""

    @property
    def citation(self) -> str:
        """The title and the page as a person cites them: `River valleys, p. 212` (`pp. 212–213`);
        one alone without the other."""
        if not self.page:
            return self.title
        page = f"{'pp' if '–' in self.page else 'p'}. {self.page}"
        return ", ".join(filter(None, (self.title, page)))


def holds_sentences(metadata: Metadata) -> bool:
    """Returns whether an index has single sentences, not only whole paragraphs."""
    return metadata.has_part(SENTENCES.name)


def encode_place(paragraph: str, title: str, source_id: str) -> dict[str, tuple[str, ...]]:
    """A place as the keys of a document, without those that are ""; the page, which nothing is
    looked up by, is its payload."""
    keys = {PARAGRAPH: paragraph, TITLE: title, SOURCE_ID: source_id}
    return {name: (value,) for name, value in keys.items() if value}


def decode_place(document: Document) -> Place:
    """The place that a document's keys and payload tell."""
    paragraph, title, source_id = (
        document.keys.get(name, ("",))[0] for name in (PARAGRAPH, TITLE, SOURCE_ID)
    )
    return Place(paragraph, title, source_id, document.payload)


def title_of(document: Document) -> str:
    """The title above a document's text ("" if it has none), quicker than its whole place."""
    titles = document.keys.get(TITLE)
    return titles[0] if titles else ""


def paragraph_id(label: str, number: int) -> str:
    """The doc_id of a paragraph: the file's label and the paragraph's number there, from 1; from
    ten million on with an x and more digits, so that doc_ids keep the order of the paragraphs."""
    return f"{label}-{number:07d}" if number < _NUMBERED else f"{label}-x{number:010d}"


def redirect_id(label: str, number: int) -> str:
    """The doc_id of a redirect: the file's label and the redirect's number there, from 1."""
    return f"{label}-r{number:010d}"


def sentence_id(paragraph: str, number: int) -> str:
    """The doc_id of a sentence: its paragraph's and its number there, from 1."""
    return f"{paragraph}-{number:03d}"


def sentences_before(doc_id: str, count: int) -> list[str]:
    """The doc_ids of the `count` sentences before one in its paragraph, in reading order; fewer
    where it begins."""
    paragraph, number = doc_id.rpartition("-")[0], sentence_number(doc_id)
    return [sentence_id(paragraph, before) for before in range(max(number - count, 1), number)]


def encode_redirect(redirect: Redirect) -> Document:
    """A redirect as a document without text: alias and target are keys."""
    return Document(
        redirect.doc_id, "", {}, {ALIAS: (redirect.alias,), LEADS_TO: (redirect.target,)}
    )


def written_redirects(writer: Writer) -> Iterator[tuple[str, str]]:
    """Yields alias and target of all redirects that a build has written."""
    return (
        (document.keys[ALIAS][0], document.keys[LEADS_TO][0])
        for document in writer.searcher(REDIRECTS.name).scan()
    )


def sentence_number(doc_id: str) -> int:
    """The number of a sentence in its paragraph, from 1, by its doc_id."""
    return int(doc_id.rpartition("-")[2])


EXTRACTED = re.compile(r'<doc\s[^<>]*?\btitle="', re.IGNORECASE)
"""Beginning of a document of WikiExtractor; TREC's `<DOC>` does not have a title there."""

SOURCE_TYPES = ("WEB", "QALAB3", "PARTICIPANT")
"""What an extraction run calls the source of a passage: SOURCE_ID_TYPE of [QALab3]."""
