"""From a question to the subjects that it names: exactly, by all its substrings, and fuzzily, by an engine query."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from answerer.nlpcc.kbqa.requests import cue_spans
from indexer.document import Document
from indexer.engines.contract import Query, QueryTerm, Searcher
from indexer.sources.triples.schema import (
    ALIAS,
    LONGEST_NAME,
    MENTION,
    NAME,
    OBJECT,
    aliases,
    decode_entities,
    decode_facts,
    fold,
    object_names,
    pieces,
    split_subject,
)

OBJECT_HITS = 30
FUZZY_NAMES = 5
FUZZY_HITS = 30
LEAST_SIMILARITY = 0.5


class Mention(NamedTuple):
    """Where a folded question names something: question[start:end] stands for the folded `name`.

    `similarity` is 1 for an exact mention; for a fuzzy one the share of the name's characters that the
    question holds in order, over the longer of the name and its span.
    """

    start: int
    end: int
    name: str
    exact: bool
    similarity: float


class Fact(NamedTuple):
    """A predicate of a subject, cleaned, with all its different objects in the order of the knowledge base."""

    predicate: str
    objects: tuple[str, ...]


class Subject(NamedTuple):
    """A subject with the facts of all its documents. `detail` is what the parentheses of its name say, folded."""

    name: str
    detail: str
    doc_ids: tuple[str, ...]
    facts: tuple[Fact, ...]


class Link(NamedTuple):
    """A subject and the mention that led to it."""

    mention: Mention
    subject: Subject


class Holder(NamedTuple):
    """A subject with the fact whose object a question names, and where."""

    mention: Mention
    subject: Subject
    fact: Fact


def substrings(question: str) -> list[str]:
    """Every different substring of a folded question up to the longest name, sorted; none is punctuation only."""
    ends = len(question)
    pieces = {question[i:j] for i in range(ends) for j in range(i + 1, min(ends, i + LONGEST_NAME) + 1)}
    return sorted(piece for piece in pieces if len(piece) > 2 or any(map(str.isalnum, piece)))


def merge(documents: Iterable[Document]) -> list[Subject]:
    """The subjects of documents, in the order of their first document; a subject's runs become one.

    Facts that repeat (blanks and case aside) count once.
    """
    runs: dict[str, list[Document]] = {}
    for document in documents:
        runs.setdefault(document.text, []).append(document)
    return [_subject(name, found) for name, found in runs.items()]


def _subject(name: str, documents: Sequence[Document]) -> Subject:
    facts: dict[str, dict[str, str]] = {}
    for document in documents:
        for fact in decode_facts(document.payload):
            facts.setdefault(fact.cleaned, {}).setdefault(fold(fact.value), fact.value)
    listed = tuple(Fact(predicate, tuple(values.values())) for predicate, values in facts.items())
    return Subject(name, split_subject(name)[1], tuple(document.doc_id for document in documents), listed)


class Linker:
    """Finds subjects for many questions in one round trip a part."""

    def __init__(self, subjects: Searcher, mentions: Searcher | None, fuzzy: bool, knows_objects: bool = False) -> None:
        """`mentions` is the part of a mention file; None: without. `knows_objects`: subjects are found by them."""
        self.knows_objects = knows_objects
        self._subjects = subjects
        self._mentions = mentions
        self._fuzzy = fuzzy

    def link(self, questions: Sequence[str]) -> list[list[Link]]:
        """The links of each folded question: exact mentions from left to right, longer first, then fuzzy ones.

        The subjects of one mention stand in the order of their documents.
        """
        pieces = [substrings(question) for question in questions]
        known = self.named({piece for found in pieces for piece in found})
        mentions = [
            _locate(question, [piece for piece in found if piece in known])
            for question, found in zip(questions, pieces, strict=True)
        ]
        if self._fuzzy:
            near = self._near(questions)
            known |= self.named({mention.name for found in near for mention in found})
            mentions = [[*exact, *more] for exact, more in zip(mentions, near, strict=True)]
        return [
            [Link(mention, subject) for mention in found for subject in known.get(mention.name, ())]
            for found in mentions
        ]

    def holding(self, questions: Sequence[str]) -> list[list[Holder]]:
        """For each folded question the subjects of which it names an object, of the engine's 30 best by their objects;
        the index must have been built with them."""
        named = [[piece for piece in substrings(question) if len(piece) > 1] for question in questions]
        queries = [Query(tuple(QueryTerm(OBJECT, piece) for piece in found)) for found in named]
        return [
            [holder for subject in merge(hit.document for hit in hits) for holder in _held(question, subject)]
            for question, hits in zip(questions, self._subjects.search(queries, OBJECT_HITS), strict=True)
        ]

    def named(self, names: Iterable[str]) -> dict[str, list[Subject]]:
        """The subjects of each folded name; names that nothing bears are left out."""
        values = sorted(names)
        found: dict[str, dict[str, Document]] = {}
        for value, documents in zip(values, self._subjects.lookup(ALIAS, values), strict=True):
            if documents:
                found[value] = {document.doc_id: document for document in documents}
        for value, more in self._by_mention(values).items():
            found.setdefault(value, {}).update((document.doc_id, document) for document in more)
        return {value: merge(documents[doc_id] for doc_id in sorted(documents)) for value, documents in found.items()}

    def _by_mention(self, values: Sequence[str]) -> dict[str, list[Document]]:
        """The documents of the entities that a mention file lists for a name."""
        if self._mentions is None:
            return {}
        entities = {
            value: sorted({fold(entity) for document in found for entity in decode_entities(document.payload)})
            for value, found in zip(values, self._mentions.lookup(MENTION, values), strict=True)
            if found
        }
        wanted = sorted({entity for listed in entities.values() for entity in listed})
        documents = dict(zip(wanted, self._subjects.lookup(ALIAS, wanted), strict=True))
        return {
            value: [document for entity in listed for document in documents[entity]]
            for value, listed in entities.items()
        }

    def _near(self, questions: Sequence[str]) -> list[list[Mention]]:
        """For each question the 5 names that it nearly holds: the engine's best by shared pieces, aligned."""
        queries = [Query(tuple(QueryTerm(NAME, gram) for gram in pieces(text))) for text in questions]
        return [
            _nearest(question, [aliases(hit.document.text)[-1] for hit in hits])
            for question, hits in zip(questions, self._subjects.search(queries, FUZZY_HITS), strict=True)
        ]


def _held(question: str, subject: Subject) -> Iterator[Holder]:
    """The facts of a subject whose objects a question holds; a question that names the subject asks for no subject."""
    if aliases(subject.name)[-1] in question:
        return
    for fact in subject.facts:
        for name in object_names(fact.objects):
            start = question.find(name)
            if start >= 0:
                yield Holder(Mention(start, start + len(name), name, True, 1.0), subject, fact)


def _nearest(question: str, names: Iterable[str]) -> list[Mention]:
    """The names that the question does not hold but comes near to, by similarity times length, then by name."""
    aligned = [align(question, name) for name in names if name not in question]
    near = [mention for mention in aligned if mention.similarity >= LEAST_SIMILARITY]
    near.sort(key=lambda mention: (-mention.similarity * len(mention.name), mention.name))
    return near[:FUZZY_NAMES]


def _locate(question: str, names: Iterable[str]) -> list[Mention]:
    """The exact mentions of names, each where it stands first, from left to right, longer ones first.

    A single character inside a longer name is no mention.
    """
    starts = ((name, question.index(name)) for name in names)
    found = [Mention(start, start + len(name), name, True, 1.0) for name, start in starts]
    found.sort(key=lambda mention: (mention.start, -mention.end))
    longer = [mention for mention in found if len(mention.name) > 1]
    return [
        mention
        for mention in found
        if len(mention.name) > 1 or not any(other.start <= mention.start < other.end for other in longer)
    ]


def align(question: str, name: str) -> Mention:
    """The span of a question that is nearest to a name: around the longest piece that they share.

    Similarity: characters matched in order there, over the longer of name and span; 0 where no two characters
    match in a row.
    """
    anchor = SequenceMatcher(None, question, name, autojunk=False).find_longest_match()
    if anchor.size < 2:
        return Mention(0, 0, name, False, 0.0)
    begin = max(0, anchor.a - anchor.b - 1)
    window = question[begin : anchor.a - anchor.b + len(name) + 1]
    blocks = SequenceMatcher(None, window, name, autojunk=False).get_matching_blocks()[:-1]
    start, end = begin + blocks[0].a, begin + blocks[-1].a + blocks[-1].size
    matched = sum(block.size for block in blocks)
    return Mention(start, end, name, False, matched / max(len(name), end - start))


_OF = "的"
_LONGEST_STEP = 10
"""Characters between a name and the 的 that ends the first step."""
_MOST = 40
"""First steps that are followed of a question."""


class Step(NamedTuple):
    """The first fact of a chain, and the question that is left: its object stands where name and predicate stood."""

    subject: Subject
    fact: Fact
    question: str
    mention: Mention


class Chain(NamedTuple):
    """A first step with the links of its object."""

    step: Step
    links: Sequence[Link]


Named = Callable[[Iterable[str]], Mapping[str, Sequence[Subject]]]
"""The subjects of folded names."""


def chains_of(questions: Sequence[str], links: Sequence[Sequence[Link]], named: Named) -> list[list[Chain]]:
    """The chains that each folded question may speak of, from its links; all objects are looked up together."""
    steps = [list(_steps(text, found))[:_MOST] for text, found in zip(questions, links, strict=True)]
    subjects = named({step.mention.name for found in steps for step in found})
    return [
        [
            Chain(step, [Link(step.mention, subject) for subject in subjects[step.mention.name]])
            for step in found
            if step.mention.name in subjects
        ]
        for found in steps
    ]


def _steps(question: str, links: Sequence[Link]) -> Iterator[Step]:
    """The facts whose predicate follows the name of their subject, with something left to ask after it."""
    for mention, subject in links:
        if not mention.exact:
            continue
        for fact in subject.facts:
            end = _end_of_step(question, mention.end, fact.predicate)
            if end is None or end >= len(question):
                continue
            for name in dict.fromkeys(map(fold, fact.objects)):
                if 1 < len(name) <= LONGEST_NAME and name != mention.name:
                    left = f"{question[: mention.start]}{name}{question[end:]}"
                    at = Mention(mention.start, mention.start + len(name), name, True, 1.0)
                    yield Step(subject, fact, left, at)


def _end_of_step(question: str, start: int, predicate: str) -> int | None:
    """Where the words that ask for a predicate end, right behind a name; None where they stand elsewhere.

    The predicate itself, what a cue asks it by, or a phrase up to the next 的 that holds it or is a part of it.
    """
    start += question.startswith(_OF, start)
    if question.startswith(predicate, start):
        return start + len(predicate)
    rest = question[start : start + _LONGEST_STEP]
    if (cued := max((end for begin, end in cue_spans(rest, predicate) if begin == 0), default=0)) > 1:
        return start + cued
    phrase, of, _ = rest.partition(_OF)
    if of and len(phrase) > 1 and len(predicate) > 1 and (phrase in predicate or predicate in phrase):
        return start + len(phrase)
    return None
