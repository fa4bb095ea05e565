"""Makes the part `names` while a textbook is indexed: what its passages tell is counted, then written as documents."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby, islice
from typing import TYPE_CHECKING, cast

from indexer.analysis import Analyser
from indexer.analysis.glossary import Glossary
from indexer.document import Document, Part
from indexer.engines.contract import Writer
from indexer.entities import Recogniser
from indexer.entities.aliases import redirected
from indexer.languages.language import Language
from indexer.statistics.notes import PassageNotes, sentence_notes

if TYPE_CHECKING:
    from indexer.statistics.counting import NameCounter

NAMES = Part("names", (), ("name", "term"))
PACKAGES = ("numpy", "scipy")  # by which it is counted
_BATCH = 2000


class NameDerivation:
    """Makes the part `names` of what was noted of a textbook's passages while they were indexed.

    `part` is the main part. After a resumed build, whose first sources nobody noted, all
    that was written is read again. `redirects` gives the (alias, name) pairs that a build wrote, of a wiki's titles.
    """

    def __init__(
        self,
        language: Language,
        glossary: Glossary,
        part: str,
        redirects: Callable[[Writer], Iterable[tuple[str, str]]] | None = None,
    ) -> None:
        self._language = language
        self._glossary = glossary
        self._part = part
        self._counter = new_counter()
        self._redirects = redirects
        self._seen_all = True

    def see(self, notes: object) -> None:
        """Count the notes of a batch: a list of `PassageNotes`, None where an earlier build wrote them."""
        if notes is None:
            self._seen_all = False
        else:
            self._counter.see(cast("list[PassageNotes]", notes))

    def join(self, counter: NameCounter) -> None:
        """Take in what another process counted of the notes of its batches."""
        self._counter.join(counter)

    def documents(self, writer: Writer) -> Iterator[dict[str, list[Document]]]:
        """The documents, some thousand at a time; to be called when all sources are written."""
        if not self._seen_all:
            self._counter = _counted_again(writer, self._part, self._language, self._glossary)
        redirects = self._redirects(writer) if self._redirects else ()
        documents = name_documents(self._counter, self._language, self._glossary, redirects)
        while batch := list(islice(documents, _BATCH)):
            yield {NAMES.name: batch}


def name_documents(
    counter: NameCounter, language: Language, glossary: Glossary, redirects: Iterable[tuple[str, str]]
) -> Iterator[Document]:
    """The documents of all that was counted; `redirects` are the (alias, name) pairs of a wiki's titles."""
    from indexer.statistics.counts import book_of
    from indexer.statistics.part import encode_book

    own = glossary.names()
    recogniser, analyser = language.recogniser(glossary), language.analyser(glossary.terms())
    book = book_of(counter, recogniser, analyser, own, redirected(redirects, recogniser))
    return encode_book(book, language)


def new_counter() -> NameCounter:
    """What counts notes in a process of its own."""
    from indexer.statistics.counting import NameCounter

    return NameCounter()


def _counted_again(writer: Writer, part: str, language: Language, glossary: Glossary) -> NameCounter:
    """The counts of all that was written to the main part, sentences or paragraphs."""
    analysis, names = language.analyser(glossary.terms()), language.recogniser(glossary)
    counter = new_counter()
    written = writer.written(part).scan()
    for doc_id, group in groupby(written, key=lambda found: (found.keys.get("paragraph") or (found.doc_id,))[0]):
        documents = list(group)
        title = (documents[0].keys.get("title") or ("",))[0]
        texts = [document.text for document in documents]
        sentences = texts if part == "sentences" else analysis.sentences(texts[0])
        counter.see([passage_notes(doc_id, title, sentences, analysis, names)])
    return counter


def passage_notes(
    doc_id: str, title: str, sentences: Sequence[str], analysis: Analyser, names: Recogniser
) -> PassageNotes:
    """The notes of a paragraph of these sentences; those without terms are in no index and left out."""
    noted = (sentence_notes(sentence, analysis.terms(sentence), names) for sentence in sentences)
    return PassageNotes(doc_id, title, [each for each in noted if each.terms])
