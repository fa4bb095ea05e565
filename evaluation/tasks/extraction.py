"""Scores NTCIR extraction files: which statements of the gold essays the passages include, within the limit."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter
from pathlib import Path

import click

from answerer.formats.answer_sheet import Section, language_of, read_sheet
from answerer.formats.topics import ExtractedTopic, excess, read_extraction
from evaluation.measures.pyramid import Nugget, idf_over, share_present
from evaluation.registry import Scoring
from evaluation.runs import check_ids
from evaluation.score_command import score_command, sheet_language_option
from evaluation.tables import Tables, measure_rows
from evaluation.tasks.results import Reported, ReportedQuestion, ids_asked
from indexer.cli.parameters import Number
from indexer.files.errors import UserError
from indexer.files.xml import other_root
from indexer.languages.language import Language

SHARE = 0.5

Terms = Sequence[str]


def scores(
    statements: Sequence[Terms], passages: Sequence[Terms], weight: Callable[[str], float], share: float = SHARE
) -> dict[str, float]:
    """Precision and recall of passages against the statements of the gold essays (seed 002, "Evaluation").

    A passage includes a statement when it holds at least `share` of its idf. `precision`: passages that
    include a statement, of all; `recall`: statements that a passage includes, of all; `F1` their harmonic
    mean; `word recall`: the idf of the statements' different terms that any passage holds, of all. No
    passages score 0.
    """
    held = [frozenset(terms) for terms in passages]
    shares = [[share_present(Nugget(tuple(one), 1.0), terms, weight) for terms in held] for one in statements]
    included = [any(value >= share for value in row) for row in shares]
    useful = [any(row[place] >= share for row in shares) for place in range(len(held))]
    precision = sum(useful) / len(useful) if useful else 0.0
    recall = sum(included) / len(included) if included else 0.0
    together = precision + recall
    every = tuple(dict.fromkeys(term for one in statements for term in one))
    return {
        "precision": precision,
        "recall": recall,
        "F1": 2 * precision * recall / together if together else 0.0,
        "word recall": share_present(Nugget(every, 1.0), frozenset().union(*held), weight),
    }


def judged(
    gold_path: str | Path, run_path: str | Path, language: Language | None = None, share: float = SHARE
) -> dict[str, dict[str, float]]:
    """The measures of each gold section, by its id; a topic that the run lacks scores 0.

    UserError where the gold has no essays, and as `check_ids` says.
    """
    extracted = read_extraction(run_path)
    of_run = language_of(one.text for topic in extracted for one in topic.passages)
    gold = read_sheet(gold_path, language, of_run)
    words = gold.language.analyser()
    statements = {section.section_id: _statements(section, words.sentences, words.terms) for section in gold.essays}
    sections = [section for section in gold.essays if statements[section.section_id]]
    if not sections:
        raise UserError(f"{gold_path}: no section with a gold essay; expected an answer sheet with its expressions")
    topics: Mapping[str, ExtractedTopic] = {topic.topic_id: topic for topic in extracted}
    answered = [topic.topic_id for topic in extracted if topic.passages]
    check_ids(gold_path, run_path, [section.section_id for section in sections], answered, "topics")
    weight = idf_over(one for each in statements.values() for one in each)
    rows = {}
    for section in sections:
        passages = topics[section.section_id].passages if section.section_id in topics else ()
        measures = scores(statements[section.section_id], [words.terms(one.text) for one in passages], weight, share)
        measures["passages"] = float(len(passages))
        measures["over the limit"] = float(bool(excess(passages, section.answers[0].allowed)))
        rows[section.section_id] = measures
    return rows


def _statements(
    section: Section, sentences: Callable[[str], list[str]], terms: Callable[[str], list[str]]
) -> list[list[str]]:
    """The sentences of a section's gold essays, as terms."""
    statements = [terms(sentence) for text in section.texts for sentence in sentences(text)]
    return [statement for statement in statements if statement]


def asked_in(path: Path, gold: bool, language: Language | None = None) -> frozenset[str]:
    """The ids of a gold sheet's sections with an essay, or of the topics that have passages."""
    if gold:
        return ids_asked(path, gold, language, attrgetter("essays"))
    if other_root(path, ("TOPIC", "TOPIC_SET")):
        return frozenset()
    return frozenset(topic.topic_id for topic in read_extraction(path) if topic.passages)


def reported(gold: Path, run: Path, language: Language | None = None) -> Reported:
    """What the report shows of every section: F1, and how many passages the run has."""
    questions = [
        ReportedQuestion(name, one["F1"], answer=f"{one['passages']:g} passages" if one["passages"] else "")
        for name, one in judged(gold, run, language).items()
    ]
    return Reported("F1", questions)


def tables(gold: Path, run: Path, language: Language | None, share: float, interval: bool) -> Tables:
    """The figures of a run."""
    rows = judged(gold, run, language, share)
    return Tables(
        lambda: measure_rows(list(rows.values()), "sections", interval),
        lambda: [{"section": name, **measures} for name, measures in rows.items()],
    )


command = score_command(
    "ntcir-extraction",
    tables,
    "Precision and recall of extracted passages against the statements (sentences) of the gold essays.",
    "samples/essay-en.gold.xml extraction.xml",
    click.option(
        "--share",
        type=Number(0, 1, above=True),
        default=SHARE,
        help=f"How much of a statement's idf a passage must hold to include it [{SHARE:g}].",
    ),
    sheet_language_option,
    metavar=("GOLD.xml", "EXTRACTION.xml"),
    passed=("language",),
    row="section",
)

SCORING = Scoring(command=command, reported=reported, tables=tables, asked_in=asked_in)
