"""Facts that lead on: in 姚明的妻子的身高 the first is a fact of 姚明, and its object the subject of the second."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from answerer.nlpcc.kbqa.linking import Fact, Link, Mention, Subject
from answerer.nlpcc.kbqa.requests import cue_spans
from indexer.sources.triples.facts import LONGEST_NAME, fold

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
