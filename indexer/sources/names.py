"""What is counted over a whole textbook when it is indexed: where names and terms stand, names beside names."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from indexer.analysis import Analyser, Language, analyser
from indexer.document import Document, Part
from indexer.engines.contract import Writer
from indexer.names import Kind, Recogniser
from indexer.names.aliases import aliases, kinds_of

NAMES = Part("names", (), ("name", "term"))
LAYOUT_ID = "layout"
BLOCK = 15  # paragraphs that a section holds at most
NEIGHBOURS = 40  # names beside a name that its document lists
VERSION = 1  # of what these documents hold
_BATCH = 2000
_KEY_LIMIT = 120  # characters; longer terms are no words


class Passage(NamedTuple):
    """A sentence of the book in its order, with what tells its paragraph and its section apart."""

    text: str
    paragraph: str
    title: str


class Standing(NamedTuple):
    """The book read once: for each name and each term the numbers of the sentences that hold it, rising.

    `paragraphs` and `sections` are lengths in sentences and in paragraphs; `dates` are (sentence, first year, last
    year); `size` counts terms.
    """

    names: dict[str, list[int]]
    terms: dict[str, list[int]]
    kinds: dict[str, Kind]
    aliases: dict[str, str]
    dates: list[tuple[int, int, int]]
    paragraphs: list[int]
    sections: list[int]
    size: int


def derive_names(
    language: Language, names: Sequence[str], part: str, writer: Writer
) -> Iterator[dict[str, list[Document]]]:
    """The part `names` of a textbook index, made of what was written to its main part, sentences or paragraphs.

    `names` are the glossary's. To be called when all sources are written; yields some thousand documents at a time.
    """
    from indexer.names import recogniser

    documents = name_documents(
        _written(writer, part, analyser(language)), language, analyser(language, names), recogniser(language, names)
    )
    while batch := list(islice(documents, _BATCH)):
        yield {NAMES.name: batch}


def _written(writer: Writer, part: str, splitter: Analyser) -> Iterator[Passage]:
    """The passages of the book in the order of their doc_ids; paragraphs are cut into sentences."""
    for document in writer.written(part).scan():
        paragraph = (document.keys.get("paragraph") or (document.doc_id,))[0]
        title = (document.keys.get("title") or ("",))[0]
        texts = [document.text] if part == "sentences" else splitter.sentences(document.text)
        for text in texts:
            yield Passage(text, paragraph, title)


def name_documents(
    passages: Iterable[Passage], language: Language, analysis: Analyser, recogniser: Recogniser
) -> Iterator[Document]:
    """The documents of the part `names`, the same for the same book on every engine.

    `layout`: the lengths in sentences of paragraphs and in paragraphs of sections (at most 15, equal titles), the
    dates with their sentences, the number of terms. `n:KEY`, a name: kind, aliases, the sentences that hold it
    (each number less the one before), and the 40 names most often beside it, with counts of windows of three
    sentences and of paragraphs. `t:TERM`: the sentences that hold a term. Names are found by their aliases too.
    """
    found = _stand(passages, analysis, recogniser)
    layout = {
        "version": VERSION,
        "language": language,
        "sentences": sum(found.paragraphs),
        "terms": found.size,
        "paragraphs": found.paragraphs,
        "sections": found.sections,
        "dates": found.dates,
    }
    yield _document(LAYOUT_ID, {}, layout)
    others: dict[str, list[str]] = defaultdict(list)
    for alias, key in sorted(found.aliases.items()):
        others[key].append(alias)
    beside = _beside(found.names, found.paragraphs)
    for key, at in sorted(found.names.items()):
        payload = {
            "kind": found.kinds.get(key, "other"),
            "aliases": others.get(key, []),
            "at": _steps(at),
            "beside": beside[key],
        }
        yield _document(f"n:{key}", {"name": (key, *others.get(key, []))}, payload)
    for term, at in sorted(found.terms.items()):
        yield _document(f"t:{term}", {"term": (term,)}, _steps(at))


def _document(doc_id: str, keys: dict[str, tuple[str, ...]], payload: object) -> Document:
    return Document(doc_id, "", {}, keys, json.dumps(payload, ensure_ascii=False, separators=(",", ":")))


def _steps(numbers: Sequence[int]) -> list[int]:
    """Rising numbers as the steps between them: short to write, added up when read."""
    return [number - before for before, number in zip((0, *numbers), numbers, strict=False)]


class _Reader:
    """Reads passages one by one; holds numbers, never the text."""

    def __init__(self, analyser: Analyser, recogniser: Recogniser) -> None:
        self._analyser = analyser
        self._recogniser = recogniser
        self.at: dict[str, list[int]] = defaultdict(list)
        self.terms: dict[str, list[int]] = defaultdict(list)
        self.sure: set[str] = set()
        self.cues: dict[str, Counter[Kind]] = defaultdict(Counter)
        self.dates: list[tuple[int, int, int]] = []
        self.size = 0

    def read(self, number: int, text: str) -> None:
        for mention in self._recogniser.mentions(text):
            if len(mention.key) > _KEY_LIMIT:
                continue
            self.at[mention.key].append(number)
            if mention.sure:
                self.sure.add(mention.key)
            if cue := self._recogniser.cue(text, mention):
                self.cues[mention.key][cue] += 1
            if mention.span:
                self.dates.append((number, *mention.span))
        own = self._analyser.terms(text)
        self.size += len(own)
        for term in set(own):
            if len(term) <= _KEY_LIMIT:
                self.terms[term].append(number)


def _stand(passages: Iterable[Passage], analyser: Analyser, recogniser: Recogniser) -> Standing:
    """A name that stands somewhere for sure (not by a sentence's capital letter only) counts wherever it stands."""
    reader = _Reader(analyser, recogniser)
    paragraphs: list[int] = []
    sections: list[int] = []
    last = Passage("", "", "")
    for number, passage in enumerate(passages):
        reader.read(number, passage.text)
        if number and passage.paragraph == last.paragraph:
            paragraphs[-1] += 1
        else:
            paragraphs.append(1)
            if sections and passage.title == last.title and sections[-1] < BLOCK:
                sections[-1] += 1
            else:
                sections.append(1)
        last = passage
    known = {key: at for key, at in reader.at.items() if key in reader.sure}
    kinds = kinds_of({key: reader.cues[key] for key in known if key in reader.cues})
    full = aliases({key: len(at) for key, at in known.items()}, kinds, recogniser)
    names: dict[str, set[int]] = defaultdict(set)
    for key, at in known.items():
        names[full.get(key, key)].update(at)
    standing = {key: sorted(at) for key, at in names.items()}
    return Standing(standing, reader.terms, kinds, full, reader.dates, paragraphs, sections, reader.size)


def _beside(names: dict[str, list[int]], paragraphs: Sequence[int]) -> dict[str, list[tuple[str, int, int]]]:
    """For each name the names beside it: how often in a window of three sentences, how often in a paragraph."""
    keys = sorted(names)
    paragraph_of = [number for number, size in enumerate(paragraphs) for _ in range(size)]
    of_sentence: list[list[int]] = [[] for _ in paragraph_of]
    for row, key in enumerate(keys):
        for sentence in names[key]:
            of_sentence[sentence].append(row)
    found: dict[str, list[tuple[str, int, int]]] = {}
    for row, key in enumerate(keys):
        windows, whole = _counts_beside(row, names[key], of_sentence, paragraph_of)
        ranked = sorted(whole, key=lambda other: (-windows[other] - whole[other] / 2, other))[:NEIGHBOURS]
        found[key] = [(keys[other], windows[other], whole[other]) for other in ranked]
    return found


def _counts_beside(
    row: int, at: Iterable[int], of_sentence: Sequence[Sequence[int]], paragraph_of: Sequence[int]
) -> tuple[Counter[int], Counter[int]]:
    windows: Counter[int] = Counter()
    whole: Counter[int] = Counter()
    done = -1
    for sentence in at:
        paragraph = paragraph_of[sentence]
        near = range(max(0, sentence - 1), min(len(paragraph_of), sentence + 2))
        windows.update({o for s in near if paragraph_of[s] == paragraph for o in of_sentence[s]})
        if paragraph != done:
            done = paragraph
            first = last = sentence
            while first and paragraph_of[first - 1] == paragraph:
                first -= 1
            while last + 1 < len(paragraph_of) and paragraph_of[last + 1] == paragraph:
                last += 1
            whole.update({o for s in range(first, last + 1) for o in of_sentence[s]})
    del windows[row], whole[row]
    return windows, whole
