"""NTCIR QA Lab summarization: an extraction file and the sheet in, essays that cite their passages
out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from answerer.formats.answer_sheet import Expression, Sheet, write_sheet
from answerer.formats.topics import ExtractedPassage, read_extraction
from answerer.ntcir.essay.candidates import (
    CandidatePool,
    CandidateSentence,
    EssayQuestion,
    preceding_sentences,
    read_question,
    shortlist,
)
from answerer.ntcir.essay.concepts import essay_model
from answerer.ntcir.essay.language import essay_language
from answerer.ntcir.essay.task import DEFAULT_METHOD, method_option, trace_rows, write_sections
from answerer.ntcir.essay.writing import METHODS
from answerer.ntcir.sheets import require_essays, sheet_argument, sheet_of
from answerer.options import language_option, model_option, output_options
from answerer.run import Outputs, Run, one_file, paths_of, write_run
from answerer.trace import TraceQuestion
from indexer.analysis.analyser import Analyser
from indexer.cli.types import Command, InputFile
from indexer.files.errors import UserError
from indexer.files.messages import warn
from indexer.files.validation import FileName, validate_choice
from indexer.languages.language import Language
from indexer.languages.registry import language_named
from indexer.sources.textbook.schema import sentence_id
from retriever.bm25 import idf, term_score


def passage_pools(
    questions: Mapping[str, EssayQuestion],
    topics: Mapping[str, Sequence[ExtractedPassage]],
    words: Analyser,
    language: Language,
) -> list[CandidatePool]:
    """A pool of candidate sentences for each question, from the passages of its topic (none if it
    has no topic), in the order of `questions`. Both mappings are by section id.

    Document frequencies are over all passages of the file. Sentence scores are BM25 among the
    sentences of the topic, paragraph scores the passage's NORMALIZED_SCORE, both relative to the
    best. Each sentence is a candidate once, of the passage that is first; those without terms, or
    not fit for an essay, are left out, and so are all but the `shortlist`. Candidates are ordered
    by source id and position, as in the book.
    """
    of_topics = {
        topic_id: tuple(tuple(words.terms(passage.text)) for passage in topics.get(topic_id, ()))
        for topic_id in questions
    }
    frequency = Counter(
        term for passages in of_topics.values() for terms in passages for term in set(terms)
    )
    size, pools, rules = sum(map(len, of_topics.values())), [], essay_language(language)
    for topic_id, question in questions.items():
        passages = topics.get(topic_id, ())
        # Scores of other teams' extraction files may all be 0.
        best = max((passage.normalized for passage in passages), default=0.0) or 1.0
        candidates = []
        for passage in passages:
            passage_id = f"{topic_id}-{passage.rank:04d}"
            texts = {
                sentence_id(passage_id, n): text
                for n, text in enumerate(words.sentences(passage.text), 1)
            }
            for position, (doc_id, text) in enumerate(texts.items()):
                terms = tuple(words.terms(text))
                if terms and rules.is_fit(text):
                    before = preceding_sentences(doc_id, text, texts, rules)
                    candidate = CandidateSentence(
                        doc_id=doc_id,
                        source_id=passage.source_id,
                        paragraph=passage_id,
                        title="",
                        text=text,
                        terms=terms,
                        position=position,
                        sentence_score=0.0,
                        paragraph_score=passage.normalized / best,
                        before=before,
                    )
                    candidates.append(candidate)
        weights = {
            term: weight * idf(size, frequency[term]) for term, weight in question.terms.items()
        }
        average = sum(len(sentence.terms) for sentence in candidates) / max(len(candidates), 1)
        scores = []
        for sentence in candidates:
            counts = Counter(sentence.terms)
            pairs = ((weight, counts[term]) for term, weight in weights.items() if counts[term])
            scores.append(
                sum(
                    term_score(weight, count, len(sentence.terms), average)
                    for weight, count in pairs
                )
            )
        top = max(scores, default=0.0) or 1.0
        # Each sentence once, from the passage that ranks best.
        first: dict[str, CandidateSentence] = {}
        for sentence, score in zip(candidates, scores, strict=True):
            first.setdefault(sentence.text, sentence._replace(sentence_score=score / top))
        chosen = sorted(
            shortlist(tuple(first.values()), question),
            key=lambda sentence: (sentence.source_id, sentence.doc_id),
        )
        pools.append(
            CandidatePool(question, language, tuple(chosen), of_topics[topic_id], frequency, size)
        )
    return pools


@click.command(
    cls=Command,
    example="answer ntcir-summarization samples/essay-en.xml extraction.xml -o summary.run.xml",
)
@sheet_argument
@click.argument("extraction", metavar="EXTRACTION.xml", type=InputFile())
@method_option
@language_option("The language to answer in [the sheet's].")
@model_option
@output_options()
def command(
    source: Path,
    extraction: Path,
    outputs: Outputs,
    **options: Any,
) -> None:
    """Write essays from the passages of an extraction file, citing in source_id those that each one
    used."""
    write_run(answer(source, extraction, evidence=outputs.trace is not None, **options), outputs)


def answer(
    source: FileName | Sheet,
    extraction_path: FileName,
    *,
    method: str = DEFAULT_METHOD,
    language: Language | str | None = None,
    model: FileName | None = None,
    evidence: bool = True,
) -> Run:
    """Writes essays into a sheet from the passages of an extraction file, with their source ids.

    `model` is a file of concept weights (None: the program's own); a bilingual sheet is read in
    `language`; without `evidence` the run has no trace. Warns of essay sections without a topic in
    the extraction file. Raises UserError if all are, for a sheet without essay sections, and for an
    unknown method.
    """
    validate_choice(method, METHODS, "method")
    sheet = require_essays(sheet_of(source, language_named(language)))
    extraction_path = Path(extraction_path)
    sources = paths_of(source, extraction_path)
    topics, ids = read_extraction(extraction_path), [section.section_id for section in sheet.essays]
    if missing := [topic_id for topic_id in ids if topic_id not in topics]:
        if len(missing) == len(ids):
            raise UserError(
                f"{extraction_path}: no topic of {sheet.file}; expected the extraction file of "
                f"this sheet"
            )
        warn(f"{extraction_path}: no TOPIC for {', '.join(missing)}: without passages")
    spoken = sheet.language
    words = spoken.analyser()
    concepts, file = essay_model(model, spoken, sources)
    questions = {
        section.section_id: read_question(section, words, spoken) for section in sheet.essays
    }
    pools = passage_pools(questions, topics, words, spoken)
    answers: dict[str, Sequence[Sequence[Expression]]] = {}
    extraction = extraction_path.name
    parameters = {"model": file, "sheet": Path(sheet.file).name, "extraction": extraction}
    packages = [*spoken.packages, "lxml", "numpy", *(["scipy"] if method == "ilp" else [])]
    rows: list[TraceQuestion] = []
    for essay in write_sections(sheet.essays, pools, words, concepts, method):
        answers[essay.section.section_id] = essay.expressions(cited=True)
        if evidence:
            rows += trace_rows(essay)
    return Run(
        task="ntcir-summarization",
        method=method,
        parameters=parameters,
        language=spoken,
        packages=packages,
        sources=sources,
        files=one_file(write_sheet(sheet, answers, extraction)),
        questions=rows,
    )
