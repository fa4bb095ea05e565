"""NTCIR QA Lab evaluation method: given answers ranked and scored against gold essays and nuggets."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from answerer.formats.answer_sheet import Section, Sheet, read_sheet
from answerer.formats.length_limit import Limit
from answerer.formats.topics import JudgedAnswer, JudgedTopic, exams_by_section, judged_text
from answerer.ntcir.essay.writing import truncate
from answerer.run import task_command
from answerer.submission import Submission, one_file
from answerer.trace import TraceCandidate, TraceQuestion
from answerer.trace_writer import Trace
from evaluation.measures.pyramid import THRESHOLD, Nugget, idf_over, pyramid, share_present
from evaluation.measures.rouge import rouge_n
from indexer.analysis.analyser import Analyser
from indexer.files.errors import UserError
from indexer.languages.language import Language
from indexer.parameters import LANGUAGE, argument, input_path, option

_RUN_ID = re.compile(r"(?P<topics>.+)_[A-Za-z0-9.-]+_(?:e2e|summarization)_\d{2}\.xml")
QUESTION_WEIGHT = 0.3  # share of its idf that a term of the question counts: repeating the question earns little


class Standard(NamedTuple):
    """What answers to one question are judged by: the terms of each gold essay, the nuggets, the question's own terms
    (which count `QUESTION_WEIGHT`), and the length limit."""

    golds: tuple[tuple[str, ...], ...]
    nuggets: tuple[Nugget, ...]
    question: frozenset[str]
    limit: Limit


def read_standards(sections: Sequence[Section], words: Analyser, nuggets_path: str | None) -> dict[str, Standard]:
    """Maps the id of each section with gold essays to its standard; without a nugget file the sentences of the gold
    essays are the nuggets."""
    exams = exams_by_section(nuggets_path, sections) if nuggets_path else {}
    standards = {}
    for section in sections:
        propositions = [(one, 1.0) for essay in section.texts for one in words.sentences(essay)]
        if exam := exams.get(section.section_id):
            propositions = exam.nuggets
        nuggets = [Nugget(tuple(words.terms(text)), weight) for text, weight in propositions]
        standards[section.section_id] = Standard(
            tuple(tuple(words.terms(essay)) for essay in section.texts),
            tuple(nugget for nugget in nuggets if nugget.terms),
            frozenset(term for text in (section.instruction_text, *section.keywords) for term in words.terms(text)),
            section.answers[0].effective_limit,
        )
    return standards


def parts(terms: Sequence[str], standard: Standard, idf: Mapping[str, float]) -> dict[str, float]:
    """The component scores of an answer, each in [0, 1]: rouge-1, rouge-2 and nuggets ([Pyramid]).

    The ROUGE scores are recalls averaged over the gold essays; recall, not F, because the limit already caps the
    length. "nuggets" is the weight fraction of the nuggets found; a nugget is found if the answer contains 70 % of its
    idf, where a term of the question counts `QUESTION_WEIGHT`. `terms` are the answer's.
    """

    def weight(term: str) -> float:
        return idf.get(term, 1.0) * (QUESTION_WEIGHT if term in standard.question else 1.0)

    held = frozenset(terms)
    found = [share_present(nugget, held, weight) >= THRESHOLD for nugget in standard.nuggets]
    return {
        "rouge-1": rouge_n(terms, standard.golds, 1).recall,
        "rouge-2": rouge_n(terms, standard.golds, 2).recall,
        "nuggets": pyramid(standard.nuggets, found),
    }


def read_answers(paths: Sequence[str], gold: Sheet, language: Language | None) -> dict[str, Sheet]:
    """Reads answer sheets: file name → sheet, in the order given. Raises UserError for two files of the same name, and
    for a file that shares no section with the gold sheet."""
    sheets: dict[str, Sheet] = {}
    known = {section.section_id for section in gold.sections}
    for path in paths:
        name = Path(path).name
        if name in sheets:
            raise UserError(f"{path}: an answer file named {name} is listed twice; file names must differ")
        sheets[name] = read_sheet(path, language)
        if not known.intersection(section.section_id for section in sheets[name].sections):
            raise UserError(f"{path}: shares no section with {gold.file}; expected answers to its questions")
    return sheets


def topics_file(gold: str, answers: Sequence[str]) -> str:
    """The file name of the topics that answers belong to, with which a RUN_ID begins ([QALab3], ex2).

    `answers` are the names of the answer files. If those that are RUN_IDs begin with the same topics name, that name;
    else the gold file's name with "answersheet" for "goldstandard".
    """
    topics = {found["topics"] for name in answers if (found := _RUN_ID.fullmatch(name))}
    if len(topics) == 1:
        return f"{topics.pop()}.xml"
    return gold.replace("goldstandard", "answersheet").replace(".gold.", ".")


def judge(
    standards: Mapping[str, Standard], sheets: Mapping[str, Sheet], words: Analyser, language: Language
) -> list[tuple[JudgedTopic, list[dict[str, float]]]]:
    """Ranks the answers to each section of the gold: pairs (topic with answers best first, their component scores).

    A score is the sum of the component scores; idf values come from gold essays and nuggets. Text
    beyond the limit is cut off. Equal scores keep the order of the files. A missing answer and a placeholder score 0;
    ranks are distinct, from 1.
    """
    texts = [terms for one in standards.values() for terms in (*one.golds, *(nugget.terms for nugget in one.nuggets))]
    weigh = idf_over(texts)
    idf = {term: weigh(term) for terms in texts for term in terms}
    judged = []
    for section_id, standard in standards.items():
        rows = []
        for name, sheet in sheets.items():
            answered, (most, unit) = sheet.section(section_id), standard.limit
            text = answered.first_expression if answered else ""
            # A text that goes on beyond its limit must not gain by it.
            kept = text if most is None or unit is None else truncate(text, most, unit, language)
            scores = parts(words.terms(kept), standard, idf)
            rows.append((name, text, scores, sum(scores.values())))
        # Sorting is stable: of equal scores the file that was listed first comes first.
        rows.sort(key=lambda row: -row[3])
        answers = tuple(JudgedAnswer(name, rank, total, text) for rank, (name, text, _, total) in enumerate(rows, 1))
        judged.append((JudgedTopic(section_id, answers), [scores for _, _, scores, _ in rows]))
    return judged


def answer(
    gold_path: str,
    more: Sequence[str],
    answers: Sequence[str],
    nuggets: str | None,
    language: Language | None,
    trace: Trace,
) -> Submission:
    """Ranks and scores the essays of answer files against gold essays; returns an evaluation-method file. `answers` and
    `more` are answer files, `nuggets` is a nugget file. Raises UserError for a gold sheet without essays."""
    gold = read_sheet(gold_path, language)
    sections, words = [section for section in gold.essays if section.texts], gold.language.analyser()
    standards = read_standards(sections, words, nuggets)
    if not standards:
        raise UserError(f"{gold_path}: no section with a gold essay; expected an answer sheet with its expressions")
    sheets = read_answers([*answers, *more], gold, language)
    judged = judge(standards, sheets, words, gold.language)
    parameters = {
        "question weight": QUESTION_WEIGHT,
        "gold": Path(gold_path).name,
        "sheet": topics_file(Path(gold_path).name, list(sheets)),
    }
    packages = ("lxml", *gold.language.packages)
    trace.run("ntcir-evaluation-method", "recall and nuggets", parameters, None, gold.language, packages)
    for topic, parts in judged:
        candidates = tuple(
            TraceCandidate(id=one.file_name, text=one.text, score=one.score, features=features)
            for one, features in zip(topic.answers, parts, strict=True)
        )
        kind, best = "evaluation method", tuple(one.id for one in candidates[:1])
        trace.question(TraceQuestion(question_id=topic.topic_id, shape=kind, system=best, candidates=candidates))
    return one_file(judged_text([topic for topic, _ in judged]))


command = task_command(
    answer,
    "Rank and score the essays in answer files (end-to-end or summarization runs) against the gold essays.",
    "ntcir-evaluation-method samples/essay-en.gold.xml --answers worse/dropped/1.xml worse/dropped/2.xml -o judged.xml",
    argument("gold_path", metavar="GOLD.xml", type=input_path),
    argument("more", multiple=True, required=False, metavar="[FILE...]", type=input_path),
    option(
        "--answers",
        multiple=True,
        type=input_path,
        required=True,
        metavar="FILE",
        help="A file of answers; repeat it, or list more files.",
    ),
    option("--nuggets", metavar="NUGGETS.xml", type=input_path, help="Nuggets [the sentences of the gold essays]."),
    option("--language", type=LANGUAGE, help="The language of a bilingual sheet."),
)
