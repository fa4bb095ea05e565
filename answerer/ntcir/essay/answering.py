"""Essays for the sections of a sheet: what every command that writes essays shares."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from answerer.formats.answer_sheet import Expression, Section
from answerer.formats.keywords import uses
from answerer.ntcir.essay.pool import Pool, gather
from answerer.ntcir.essay.question import read_question
from answerer.ntcir.essay.writing import Essay, write_essays
from indexer.analysis import Analyser
from indexer.engines.contract import Index
from indexer.files.messages import warn
from retriever.learning.model import Model
from retriever.queries import analyser_of, language_of

DEFAULT_METHOD = "ilp"
_TRACED = 20
_UNCOVERED = 8  # concepts that a trace lists as not covered


class Written(NamedTuple):
    """A section, the essay for each of its answers, and the pool that they were made of."""

    section: Section
    essays: tuple[Essay, ...]
    pool: Pool

    @property
    def expressions(self) -> list[list[Expression]]:
        """What goes into the sheet, one expression an answer; an empty essay leaves the answer as it was."""
        return [[Expression(essay.text)] if essay.text else [] for essay in self.essays]


def answer_essays(sections: Sequence[Section], index: Index, model: Model, method: str) -> list[Written]:
    """An essay for each answer of each section, in order (end-to-end: retrieval and writing)."""
    analyser = analyser_of(index)
    questions = [read_question(section, analyser, language_of(index)) for section in sections]
    return write_all(sections, gather(index, questions, analyser), analyser, model, method)


def write_all(
    sections: Sequence[Section], pools: Sequence[Pool], analyser: Analyser, model: Model, method: str
) -> list[Written]:
    """The essays of each section from its pool; a line on stderr where keywords, or any text at all, did not fit."""
    tasks = [(pool, answer.limit) for section, pool in zip(sections, pools, strict=True) for answer in section.answers]
    essays = iter(write_essays(tasks, analyser, model, method))
    done = [
        Written(section, tuple(next(essays) for _ in section.answers), pool)
        for section, pool in zip(sections, pools, strict=True)
    ]
    for one in done:
        _report(one)
    return done


def _report(one: Written) -> None:
    section = one.section
    texts = [essay.text for essay in one.essays if essay.text]
    if len(set(texts)) < len(texts):
        warn(f"{section.section_id}: asks for {len(one.essays)} essays, of which some are written alike: change them")
    for essay in one.essays:
        limit = f"{essay.limit} {essay.unit}"
        if essay.unused:
            warn(f"{section.section_id}: no room for {', '.join(essay.unused)} in {limit}")
        if not essay.text:
            warn(f"{section.section_id}: nothing found to write in {limit}")


def trace_rows(one: Written) -> Iterator[dict[str, Any]]:
    """What the trace tells of each essay: the sentences chosen and the best of those that were not, what
    each is worth, which keywords it covers, where it stands, and how long the essay is."""
    for essay in one.essays:
        yield {
            "question_id": one.section.section_id,
            "shape": "essay",
            "asks": None,
            "question": one.section.asked,
            "system": essay.text,
            "length": essay.length,
            "limit": essay.limit,
            "unit": essay.unit,
            **_coverage(essay),
            "keywords": {keyword: _used_by(keyword, one, essay) for keyword in one.pool.question.printed_keywords},
            "candidates": _candidates(one.pool, essay),
        }


def _coverage(essay: Essay) -> dict[str, Any]:
    """How much of all that concepts are worth the sentences cover, and the heaviest concepts that they do not."""
    used = {term for option in essay.chosen for term in option.terms}
    worth = {term: weight for term, weight in essay.weights.items() if weight > 0}
    missing = sorted((term for term in worth if term not in used), key=lambda term: (-worth[term], term))
    total = sum(worth.values())
    share = sum(weight for term, weight in worth.items() if term in used) / total if total else 0.0
    return {"covered": share, "uncovered": {term: worth[term] for term in missing[:_UNCOVERED]}}


def _used_by(keyword: str, one: Written, essay: Essay) -> str:
    for option in essay.chosen:
        if uses(keyword, option.text):
            return one.pool.candidates[option.candidate].doc_id
    return "closing clause" if keyword in essay.named else "unused"


def _candidates(pool: Pool, essay: Essay) -> list[dict[str, Any]]:
    chosen = {option.candidate: option for option in essay.chosen}
    scores = [_worth(candidate.terms, essay) for candidate in pool.candidates]
    others = sorted((n for n in range(len(scores)) if n not in chosen), key=lambda n: (-scores[n], n))
    rows = []
    for number in [*sorted(chosen), *others[:_TRACED]]:
        candidate = pool.candidates[number]
        option = chosen.get(number)
        terms = option.terms if option else candidate.terms
        rows.append(
            {
                "id": candidate.doc_id,
                "text": option.text if option else candidate.text,
                "score": _worth(terms, essay),
                "signals": {
                    "chosen": int(option is not None),
                    "sentence score": candidate.sentence_score,
                    "paragraph score": candidate.paragraph_score,
                    "keywords": sum(uses(k, candidate.text) for k in pool.question.printed_keywords),
                },
                "evidence": [
                    {
                        "doc_id": candidate.paragraph,
                        "title": candidate.citation,
                        "text": candidate.text,
                        "score": candidate.paragraph_score,
                        "terms": {term: essay.weights[term] for term in dict.fromkeys(terms) if term in essay.weights},
                        **({"source": candidate.source} if candidate.source else {}),
                    }
                ],
            }
        )
    return rows


def _worth(terms: Sequence[str], essay: Essay) -> float:
    """The sum of the concept weights of the different terms."""
    return sum(essay.weights.get(term, 0.0) for term in dict.fromkeys(terms))
