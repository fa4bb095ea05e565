"""NTCIR QA Lab summarization: an extraction file and the sheet in, essays that cite their passages out."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import click

from answerer.formats.answer_sheet import Expression, Section, read_sheet
from answerer.formats.extraction import ExtractedTopic, read_extraction
from answerer.ntcir.essay.answering import (
    DEFAULT_METHOD,
    Written,
    essay_model,
    essay_sections,
    sheet_language,
    trace_rows,
    write_all,
)
from answerer.ntcir.essay.pool import Candidate, Passage, Pool, is_fit, shortlist
from answerer.ntcir.essay.question import Question, read_question
from answerer.ntcir.essay.task import finish, language_option, validate_option
from answerer.ntcir.essay.writing import METHODS
from answerer.run import model_option, output_option, trace_option
from answerer.trace import open_trace
from indexer.analysis import Analyser, Language, analyser
from indexer.files.errors import UserError, bad_input

_K1, _B = 1.2, 0.75


def passage_pools(
    questions: Sequence[Question], topics: Sequence[ExtractedTopic], words: Analyser, language: Language
) -> list[Pool]:
    """A pool for each question from its own passages.

    The passages of the whole file are the collection that says which terms are rare; sentences score by
    BM25 among the sentences of the topic, passages by their NORMALIZED_SCORE. Candidates come in the order
    of their source ids, which is the books' own.
    """
    passages = [
        [
            Passage(f"{topic.topic_id}-{one.rank:04d}", "", one.normalized, tuple(words.terms(one.text)))
            for one in topic.passages
        ]
        for topic in topics
    ]
    frequency = Counter(term for each in passages for one in each for term in set(one.terms))
    size = sum(map(len, passages))
    pools = []
    for question, topic, own in zip(questions, topics, passages, strict=True):
        candidates = _candidates(question, topic, words, language, frequency, size)
        pools.append(Pool(question, language, candidates, tuple(own), tuple(own), frequency, size))
    return pools


def _candidates(
    question: Question,
    topic: ExtractedTopic,
    words: Analyser,
    language: Language,
    frequency: Counter[str],
    size: int,
) -> tuple[Candidate, ...]:
    best = max((one.normalized for one in topic.passages), default=0.0) or 1.0
    found = []
    for passage in topic.passages:
        sentences = words.sentences(passage.text)
        for position, text in enumerate(sentences):
            doc_id = f"{topic.topic_id}-{passage.rank:04d}-{position + 1:03d}"
            terms = tuple(words.terms(text))
            if terms and is_fit(text, language):
                found.append(
                    Candidate(
                        doc_id, passage.source_id, f"{topic.topic_id}-{passage.rank:04d}", "", text, terms,
                        position, len(sentences), 0.0, passage.normalized / best,
                    )
                )  # fmt: skip
    scores = _bm25([one.terms for one in found], question, frequency, size)
    top = max(scores, default=0.0) or 1.0
    scored = [one._replace(sentence_score=score / top) for one, score in zip(found, scores, strict=True)]
    chosen = shortlist(_without_repeats(scored), question)
    return tuple(sorted(chosen, key=lambda one: (one.source_id, one.doc_id)))


def _without_repeats(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Each sentence once, from the passage that ranks best."""
    first: dict[str, Candidate] = {}
    for candidate in candidates:
        first.setdefault(candidate.text, candidate)
    return list(first.values())


def _bm25(sentences: Sequence[tuple[str, ...]], question: Question, frequency: Counter[str], size: int) -> list[float]:
    average = sum(map(len, sentences)) / max(len(sentences), 1)
    scores = []
    for terms in sentences:
        counts = Counter(terms)
        norm = _K1 * (1 - _B + _B * len(terms) / average)
        scores.append(
            sum(
                weight * math.log(1 + (size - frequency[term] + 0.5) / (frequency[term] + 0.5))
                * counts[term] * (_K1 + 1) / (counts[term] + norm)
                for term, weight in question.terms.items()
                if counts[term]
            )
        )  # fmt: skip
    return scores


def topics_of(
    sections: Sequence[Section], sheet_path: str, extraction_path: str, topics: Sequence[ExtractedTopic]
) -> list[ExtractedTopic]:
    """The topic of each section. UserError when the file lacks one, or belongs to another sheet altogether."""
    by_id = {topic.topic_id: topic for topic in topics}
    missing = [section for section in sections if section.section_id not in by_id]
    if len(missing) == len(sections):
        raise bad_input(
            extraction_path, topics[0].line, f"no topic of {sheet_path}", "the extraction file of this very sheet"
        )
    if missing:
        raise bad_input(
            extraction_path,
            None,
            f'no TOPIC "{missing[0].section_id}" ({sheet_path}:{missing[0].line} asks for it)',
            "a topic for each essay section of the sheet",
        )
    return [by_id[section.section_id] for section in sections]


def cited(one: Written) -> list[list[Expression]]:
    """The essays of a section with the sources of the passages that they use, each once, in their order."""
    filled = []
    for essay in one.essays:
        sources = dict.fromkeys(one.pool.candidates[option.candidate].source_id for option in essay.chosen)
        filled.append([Expression(essay.text, tuple(sources))] if essay.text else [])
    return filled


@click.command(epilog="Example: python -m answerer ntcir-summarization samples/essay-en.xml extraction.xml -o run.xml")
@click.argument("sheet_path", metavar="SHEET.xml")
@click.argument("extraction_path", metavar="EXTRACTION.xml")
@click.option("--method", type=click.Choice(list(METHODS)), default=DEFAULT_METHOD, help=f"[{DEFAULT_METHOD}]")
@language_option
@model_option
@validate_option
@output_option
@trace_option
def command(
    sheet_path: str,
    extraction_path: str,
    method: str,
    language: str | None,
    model_path: str | None,
    schema: str | None,
    output: str | None,
    trace_path: str | None,
) -> None:
    """Write essays from the passages of an extraction file, citing in source_id those that each one used."""
    sheet = read_sheet(sheet_path, language)
    sections = essay_sections(sheet)
    if not sections:
        raise UserError(f"{sheet_path}: no section asks for an essay; summarization is for essay questions")
    topics = topics_of(sections, sheet_path, extraction_path, read_extraction(extraction_path))
    spoken: Language = "ja" if language == "ja" else "en" if language == "en" else sheet_language(sheet)
    words = analyser(spoken)
    model = essay_model(model_path, spoken)
    pools = passage_pools([read_question(section, words, spoken) for section in sections], topics, words, spoken)
    answers: dict[str, Sequence[Sequence[Expression]]] = {}
    source = Path(extraction_path).name
    with open_trace(trace_path) as trace:
        parameters = {"model": model_path or "default", "sheet": Path(sheet_path).name, "extraction": source}
        trace.run("ntcir-summarization", method, parameters, None, spoken)
        for one in write_all(sections, pools, words, model, method):
            answers[one.section.section_id] = cited(one)
            for row in trace_rows(one):
                trace.question(row)
        finish(sheet, answers, output, schema, src=source)
