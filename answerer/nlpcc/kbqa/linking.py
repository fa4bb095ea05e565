"""Entity linking for KBQA: mentions in a question, the subjects they name, and the facts of these
as candidates.

Exact mentions are all substrings of the question that are an alias in the index, fuzzy ones come
from an engine query and alignment. Multi-hop questions take the object of a first fact in the place
of its subject and predicate.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from answerer.nlpcc.kbqa.relation_phrase import asks_for, cue_patterns, relation_phrase
from indexer.engines.contract import Document, Query, QueryTerm
from indexer.engines.searching import Searcher
from indexer.sources.triples.schema import (
    ALIAS,
    LONGEST_NAME,
    MENTION,
    NAME,
    aliases,
    decode_entities,
    decode_facts,
    fold,
    pieces,
    split_subject,
)

FUZZY_NAMES = 5  # fuzzy mentions kept of a question: the right one is seldom further down
FUZZY_HITS = 30  # names of the engine that are aligned with a question
LEAST_SIMILARITY = 0.5  # below half of its characters a name is found by chance


class SubjectMention(NamedTuple):
    """A span of a folded question that names a subject: question[start:end] means the folded
    `name`.

    `similarity` is 1 for an exact mention; for a fuzzy one the number of the name's characters that
    the question has in order, divided by the length of the longer of name and span.
    """

    start: int
    end: int
    name: str
    exact: bool
    similarity: float


class Fact(NamedTuple):
    """A predicate of a subject, cleaned, with all its different objects in the order of the
    knowledge base."""

    predicate: str
    objects: tuple[str, ...]


class Subject(NamedTuple):
    """A subject with the facts of all its documents. `detail` is the folded text in parentheses in
    its name."""

    name: str
    detail: str
    doc_ids: tuple[str, ...]
    facts: tuple[Fact, ...]


class Link(NamedTuple):
    """A subject and the mention that led to it."""

    mention: SubjectMention
    subject: Subject


def substrings(question: str) -> list[str]:
    """The different substrings of a folded question of 1 to 32 characters (LONGEST_NAME), sorted;
    without those of one or two characters that have no letter or digit."""
    pieces = {
        question[i : i + size] for i in range(len(question)) for size in range(1, LONGEST_NAME + 1)
    }
    return sorted(piece for piece in pieces if len(piece) > 2 or any(map(str.isalnum, piece)))


def merge(documents: Iterable[Document]) -> list[Subject]:
    """The subjects of documents, in the order of their first document; documents of one name are
    one subject.

    Facts of one cleaned predicate are one, with its different objects (blanks and case ignored, the
    first spelling stays); facts and objects are in the order in which they first appear.
    """
    runs: dict[str, list[Document]] = {}
    for document in documents:
        runs.setdefault(document.text, []).append(document)
    subjects = []
    for name, group in runs.items():
        facts: dict[str, dict[str, str]] = {}
        for document in group:
            for fact in decode_facts(document.payload):
                facts.setdefault(fact.cleaned, {}).setdefault(fold(fact.value), fact.value)
        listed = tuple(
            Fact(predicate, tuple(values.values())) for predicate, values in facts.items()
        )
        subjects.append(
            Subject(
                name, split_subject(name)[1], tuple(document.doc_id for document in group), listed
            )
        )
    return subjects


class Linker(NamedTuple):
    """Finds the subjects that questions mention; a look-up in a part of the index is made for all
    questions at once.

    `mentions` is the part of a mention file, None without one; `fuzzy` finds misspelt names too.
    """

    subjects: Searcher
    mentions: Searcher | None
    fuzzy: bool

    def link(self, questions: Sequence[str]) -> list[list[Link]]:
        """The links of each folded question: exact mentions from left to right, longer first, then
        fuzzy mentions.

        A name is linked at its first occurrence; a single character inside a longer name is not a
        mention. The subjects of one mention are in the order of their documents.
        """
        # One look-up for the substrings of all questions: round trips cost more than names that
        # nobody has.
        pieces = [substrings(question) for question in questions]
        subjects = self.subjects_of({piece for listed in pieces for piece in listed})
        mentions = []
        for question, listed in zip(questions, pieces, strict=True):
            starts = ((name, question.index(name)) for name in listed if name in subjects)
            exact = [
                SubjectMention(start, start + len(name), name, True, 1.0) for name, start in starts
            ]
            exact.sort(key=lambda mention: (mention.start, -mention.end))
            inside = {
                offset
                for mention in exact
                if len(mention.name) > 1
                for offset in range(mention.start, mention.end)
            }
            mentions.append(
                [
                    mention
                    for mention in exact
                    if len(mention.name) > 1 or mention.start not in inside
                ]
            )
        if self.fuzzy:
            near = self.near_mentions(questions)
            subjects |= self.subjects_of({mention.name for listed in near for mention in listed})
            mentions = [[*exact, *more] for exact, more in zip(mentions, near, strict=True)]
        return [
            [
                Link(mention, subject)
                for mention in listed
                for subject in subjects.get(mention.name, ())
            ]
            for listed in mentions
        ]

    def subjects_of(self, names: Iterable[str]) -> dict[str, list[Subject]]:
        """Folded name → its subjects, by alias and by the mention file, in doc_id order; names
        without subjects are left out."""
        # The order of a set changes from process to process; requests to the engine must not.
        values = sorted(names)
        by_alias = zip(values, self.subjects.lookup(ALIAS, values), strict=True)
        by_name = {
            value: {document.doc_id: document for document in documents}
            for value, documents in by_alias
            if documents
        }
        # The documents of the entities that the mention file lists for a name.
        if self.mentions is not None:
            listed = zip(values, self.mentions.lookup(MENTION, values), strict=True)
            entities = [
                (value, fold(entity))
                for value, documents in listed
                for document in documents
                for entity in decode_entities(document.payload)
            ]
            wanted = sorted({entity for _, entity in entities})
            # The entities of all names at once: a request for each would cost a round trip a name.
            documents_of = dict(zip(wanted, self.subjects.lookup(ALIAS, wanted), strict=True))
            for value, entity in entities:
                by_name.setdefault(value, {}).update(
                    (document.doc_id, document) for document in documents_of[entity]
                )
        return {
            value: merge(documents[doc_id] for doc_id in sorted(documents))
            for value, documents in by_name.items()
            if documents
        }

    def near_mentions(self, questions: Sequence[str]) -> list[list[SubjectMention]]:
        """At most 5 mentions (FUZZY_NAMES) a question of misspelt names, by falling similarity ×
        length, then name.

        The names are those of the engine's 30 best subjects (FUZZY_HITS) by shared character pairs,
        without the text in parentheses, that are not in the question as they are and have a
        similarity of 0.5 (LEAST_SIMILARITY) or more.
        """
        queries = [
            Query(tuple(QueryTerm(NAME, gram) for gram in pieces(text))) for text in questions
        ]
        mentions = []
        for question, hits in zip(
            questions, self.subjects.search(queries, FUZZY_HITS), strict=True
        ):
            names = [aliases(hit.document.text)[-1] for hit in hits]
            aligned = [align(question, name) for name in names if name not in question]
            aligned.sort(
                key=lambda mention: (-mention.similarity * len(mention.name), mention.name)
            )
            mentions.append(
                [mention for mention in aligned if mention.similarity >= LEAST_SIMILARITY][
                    :FUZZY_NAMES
                ]
            )
        return mentions


def align(question: str, name: str) -> SubjectMention:
    """The fuzzy mention of a name in a question: the span around their longest common substring.

    Its similarity is the number of characters matched in order, divided by the length of the longer
    of name and span; 0, with an empty span, if no two adjacent characters match.
    """
    # Aligned around its longest piece: over a whole question single characters would match by
    # chance.
    anchor = SequenceMatcher(None, question, name, autojunk=False).find_longest_match()
    if anchor.size < 2:
        return SubjectMention(0, 0, name, False, 0.0)
    begin = max(0, anchor.a - anchor.b - 1)
    window = question[begin : anchor.a - anchor.b + len(name) + 1]
    blocks = SequenceMatcher(None, window, name, autojunk=False).get_matching_blocks()[:-1]
    start, end = begin + blocks[0].a, begin + blocks[-1].a + blocks[-1].size
    matched = sum(block.size for block in blocks)
    return SubjectMention(start, end, name, False, matched / max(len(name), end - start))


# The particle of possession: 姚明的妻子的身高 asks for two facts in a row.
_OF = "的"
# characters between a name and the 的 that ends the first hop: longer phrases are clauses
_LONGEST_STEP = 10
_MOST_HOPS = 40  # first hops that are followed of a question; more only cost look-ups


class FactCandidate(NamedTuple):
    """A candidate fact: one predicate, with all its objects, of a subject that a mention led to.

    `through` is (subject name, fact) of the fact whose object is the mention, in a multi-hop
    question; else None.
    """

    mention: SubjectMention
    subject: Subject
    fact: Fact
    through: tuple[str, Fact] | None = None

    @property
    def answer(self) -> tuple[str, ...]:
        """The folded objects: candidates that would write the same answer share it."""
        return tuple(map(fold, self.fact.objects))


Reading = tuple[str, list[FactCandidate]]
"""A folded question with the candidate facts that may answer it; for a multi-hop question the
question with the first fact's object in place of its name and predicate."""


def candidates_of(links: Sequence[Link]) -> list[FactCandidate]:
    """A candidate for every fact of every linked subject, in the order of the links."""
    return [
        FactCandidate(link.mention, link.subject, fact)
        for link in links
        for fact in link.subject.facts
    ]


def multi_hop(
    questions: Sequence[str], links: Sequence[Sequence[Link]], linker: Linker
) -> list[list[Reading]]:
    """The readings of each folded question as two facts in succession, from its links with exact
    mentions; objects are looked up at once.

    The words right after the name must ask for the predicate of the first fact; the candidates of a
    reading, none if nothing fits, are the facts of the first fact's object (2 to 32 characters)
    whose predicate the rest of the question asks for. Only the first 40 such objects are followed.
    """
    # Of each question: the first fact with its subject's name, its object as a mention, and what is
    # left of the question with the object in the place of the name and the predicate.
    hops: list[list[tuple[tuple[str, Fact], SubjectMention, str]]] = []
    for question, linked in zip(questions, links, strict=True):
        followed = []
        for mention, subject in linked:
            if not mention.exact:
                continue
            for fact in subject.facts:
                end = end_of_predicate(question, mention.end, fact.predicate) or len(question)
                if end >= len(question):
                    continue
                for name in dict.fromkeys(map(fold, fact.objects)):
                    if 1 < len(name) <= LONGEST_NAME and name != mention.name:
                        start = mention.start
                        at = SubjectMention(start, start + len(name), name, True, 1.0)
                        followed.append(
                            ((subject.name, fact), at, f"{question[:start]}{name}{question[end:]}")
                        )
        hops.append(followed[:_MOST_HOPS])
    subjects = linker.subjects_of({at.name for followed in hops for _, at, _ in followed})
    readings: list[list[Reading]] = [[] for _ in questions]
    for question_readings, followed in zip(readings, hops, strict=True):
        for through, at, left in followed:
            phrase = relation_phrase(left, at.start, at.end)
            second = candidates_of([Link(at, subject) for subject in subjects.get(at.name, ())])
            candidates = [
                candidate._replace(through=through)
                for candidate in second
                if asks_for(phrase, candidate.fact.predicate)
            ]
            question_readings.append((left, candidates))
    return readings


def end_of_predicate(question: str, start: int, predicate: str) -> int | None:
    """The offset where words that ask for a predicate end, if they begin at `start` (or after a 的
    there); else None.

    Such words are the predicate; else, within 10 characters and at least 2 long, the longest cue
    for it, or the text up to the next 的 if it contains the predicate or is part of it.
    """
    start += question.startswith(_OF, start)
    if question.startswith(predicate, start):
        return start + len(predicate)
    # Behind a cue or a phrase of a few characters; a longer way to the next 的 is a clause, not a
    # predicate.
    rest = question[start : start + _LONGEST_STEP]
    cued = (match.end() for pattern in cue_patterns(predicate) if (match := pattern.match(rest)))
    if (length := max(cued, default=0)) > 1:
        return start + length
    phrase, of, _ = rest.partition(_OF)
    if (
        of
        and len(phrase) > 1
        and len(predicate) > 1
        and (phrase in predicate or predicate in phrase)
    ):
        return start + len(phrase)
    return None
