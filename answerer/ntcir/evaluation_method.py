"""NTCIR QA Lab evaluation method: given answers ranked and scored against gold essays and
nuggets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import fspath
from pathlib import Path
from typing import Any, NamedTuple

import click

from answerer.formats.answer_sheet import Section, Sheet, read_sheet
from answerer.formats.topics import JudgedAnswer, NuggetExam, exams_by_section, topics_text
from answerer.ntcir.essay.writing import truncate
from answerer.options import language_option, output_options
from answerer.run import Outputs, Run, one_file, paths_of, write_run
from answerer.trace import TraceCandidate, TraceQuestion
from evaluation.measures.pyramid import Nugget, Weight, contains_nuggets, idf_over, pyramid
from evaluation.measures.rouge import rouge_n
from indexer.analysis.analyser import Analyser
from indexer.cli.types import Command, InputFile
from indexer.files.errors import UserError
from indexer.files.validation import FileName, validate_paths
from indexer.languages.language import Language
from indexer.languages.registry import language_named

# The share of its idf that a term of the question counts, a choice: repeating the question earns
# little.
QUESTION_WEIGHT = 0.3


class Standard(NamedTuple):
    """What answers to one question are judged by: the terms of each gold essay, the nuggets, and
    the question's own terms (which count `QUESTION_WEIGHT`)."""

    golds: list[list[str]]
    nuggets: list[Nugget]
    question: frozenset[str]


def read_standard(section: Section, words: Analyser, exam: NuggetExam | None) -> Standard:
    """The standard of a section: the terms of its gold essays, the nuggets of the exam, without one
    all sentences of the gold essays, of weight 1, and the terms of its question and keywords.
    Nuggets without terms are left out."""
    sentences = [(sentence, 1.0) for essay in section.texts for sentence in words.sentences(essay)]
    nuggets = [
        Nugget(words.terms(text), weight) for text, weight in (exam.nuggets if exam else sentences)
    ]
    question = {
        term for text in (section.instruction_text, *section.keywords) for term in words.terms(text)
    }
    golds = [words.terms(essay) for essay in section.texts]
    return Standard(golds, [nugget for nugget in nuggets if nugget.terms], frozenset(question))


def parts(terms: Sequence[str], standard: Standard, idf: Weight) -> dict[str, float]:
    """The component scores of an answer, each in [0, 1]: rouge-1, rouge-2 and nuggets ([Pyramid]).

    The ROUGE scores are recalls averaged over the gold essays; recall, not F, because the limit
    already caps the length. "nuggets" is the weight fraction of the nuggets found; a nugget is
    found if the answer contains 70 % of its idf, where a term of the question counts
    `QUESTION_WEIGHT`. `terms` are the answer's.
    """

    def weight(term: str) -> float:
        return idf(term) * (QUESTION_WEIGHT if term in standard.question else 1.0)

    return {
        "rouge-1": rouge_n(terms, standard.golds, 1).recall,
        "rouge-2": rouge_n(terms, standard.golds, 2).recall,
        "nuggets": pyramid(standard.nuggets, contains_nuggets(standard.nuggets, terms, weight)),
    }


def read_answers(paths: Sequence[str], gold: Sheet, language: Language | None) -> dict[str, Sheet]:
    """Reads answer sheets: file name → sheet, in the order given. Raises UserError for two files of
    the same name, and for a file that shares no section with the gold sheet."""
    sheets: dict[str, Sheet] = {}
    section_ids = {section.section_id for section in gold.sections}
    for path in paths:
        name = Path(path).name
        if name in sheets:
            raise UserError(
                f"{path}: an answer file named {name} is listed twice; file names must differ"
            )
        sheets[name] = read_sheet(path, language)
        if not section_ids.intersection(section.section_id for section in sheets[name].sections):
            raise UserError(
                f"{path}: shares no section with {gold.file}; expected answers to its questions"
            )
    return sheets


def judge(
    section: Section,
    standard: Standard,
    idf: Weight,
    sheets: Mapping[str, Sheet],
    words: Analyser,
    language: Language,
) -> list[tuple[JudgedAnswer, dict[str, float]]]:
    """Ranks the answers to a section of the gold: pairs (answer, its component scores), best first.

    The answer of a sheet is the first text in the section's first answer column. A score is the sum
    of the component scores; text beyond the section's limit does not count, but is returned. Equal
    scores keep the order of the files. A missing answer and a placeholder score 0; ranks are
    distinct, from 1.
    """
    most, unit = section.answers[0].effective_limit
    rows = []
    for name, sheet in sheets.items():
        answered = sheet.section(section.section_id)
        text = next(iter(answered.answers[0].texts), "") if answered else ""
        # A text that goes on beyond its limit must not gain by it.
        truncated = text if most is None or unit is None else truncate(text, most, unit, language)
        scores = parts(words.terms(truncated), standard, idf)
        rows.append((JudgedAnswer(name, 0, sum(scores.values()), text), scores))
    # Sorting is stable: of equal scores the file that was listed first comes first.
    rows.sort(key=lambda row: -row[0].score)
    return [(entry._replace(rank=rank), scores) for rank, (entry, scores) in enumerate(rows, 1)]


@click.command(
    cls=Command,
    example="answer ntcir-evaluation-method samples/essay-en.gold.xml --answers "
    "worse/dropped/1.xml worse/dropped/2.xml -o judged.xml",
)
@click.argument("gold", metavar="GOLD.xml", type=InputFile())
@click.argument("more", metavar="[FILE...]", nargs=-1, type=InputFile())
@click.option(
    "--answers",
    multiple=True,
    type=InputFile(),
    required=True,
    metavar="FILE",
    help="A file of answers; repeat it, or list more files.",
)
@click.option(
    "--nuggets",
    multiple=True,
    metavar="NUGGETS.xml",
    type=InputFile(inside=("*.xml",)),
    help="Nuggets, or a folder of them [the sentences of the gold essays].",
)
@language_option("The language of a bilingual sheet.")
@output_options()
def command(
    gold: Path,
    more: tuple[Path, ...],
    outputs: Outputs,
    **options: Any,
) -> None:
    """Rank and score the essays in answer files (end-to-end or summarization runs) against the gold
    essays."""
    write_run(answer(gold, *more, evidence=outputs.trace is not None, **options), outputs)


def answer(
    gold_path: FileName,
    *more: FileName,
    answers: FileName | Sequence[FileName] = (),
    nuggets: FileName | Sequence[FileName] = (),
    language: Language | str | None = None,
    evidence: bool = True,
) -> Run:
    """Ranks and scores the essays of answer files against gold essays; returns a run with the
    evaluation-method file. `answers` and `more` are answer files, `nuggets` are nugget files.
    Sections without a gold essay are not judged; bilingual sheets are read in `language`; without
    `evidence` the run has no trace. Raises UserError for a gold sheet without essays,
    without an answer file, for two answer files of the same name, and for one that shares no
    section with the gold sheet."""
    language = language_named(language)
    gold_path = fspath(gold_path)
    files = validate_paths(answers, "answers")
    if not files and not more:
        raise UserError("answers is missing: expected files of answers to judge")
    gold = read_sheet(gold_path, language)
    sections = [section for section in gold.essays if section.texts]
    words = gold.language.analyser()
    if not sections:
        raise UserError(
            f"{gold_path}: no section with a gold essay; expected an answer sheet with its "
            f"expressions"
        )
    nugget_files = validate_paths(nuggets, "nuggets")
    exams = exams_by_section(nugget_files, sections) if nugget_files else {}
    standards = [
        read_standard(section, words, exams.get(section.section_id)) for section in sections
    ]
    sheets = read_answers([fspath(path) for path in (*files, *more)], gold, language)
    name = Path(gold_path).name
    # The name of the topics file, with which a RUN_ID begins ([QALab3], ex2).
    topics_file = name.replace("goldstandard", "answersheet").replace(".gold.", ".")
    parameters = {"question weight": QUESTION_WEIGHT, "gold": name, "sheet": topics_file}
    packages = ("lxml", *gold.language.packages)
    # Terms are weighed alike in all sections.
    idf = idf_over(
        terms
        for standard in standards
        for terms in (*standard.golds, *(nugget.terms for nugget in standard.nuggets))
    )
    topics, rows = {}, list[TraceQuestion]()
    for section, standard in zip(sections, standards, strict=True):
        judged = judge(section, standard, idf, sheets, words, gold.language)
        topics[section.section_id] = [entry for entry, _ in judged]
        candidates = tuple(
            TraceCandidate(id=entry.file_name, text=entry.text, score=entry.score, features=scores)
            for entry, scores in judged
        )
        kind, best = "evaluation method", tuple(candidate.id for candidate in candidates[:1])
        rows.append(
            TraceQuestion(
                question_id=section.section_id, shape=kind, system=best, candidates=candidates
            )
        )
    return Run(
        task="ntcir-evaluation-method",
        method="recall and nuggets",
        parameters=parameters,
        language=gold.language,
        packages=packages,
        sources=paths_of(gold_path, *files, *more),
        files=one_file(topics_text(topics, "ANSWER")),
        questions=rows if evidence else (),
    )
