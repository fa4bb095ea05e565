"""Scores NTCIR extraction files: precision and recall of passages against the statements of the gold essays."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter
from pathlib import Path

from answerer.formats.answer_sheet import language_of, read_sheet
from answerer.formats.topics import ExtractedTopic, excess, read_extraction
from evaluation.measures.pyramid import Nugget, idf_over, share_present
from evaluation.registry import Scoring
from evaluation.runs import check_ids
from evaluation.tables import Tables
from evaluation.tasks.results import Reported, ReportedQuestion, ids_asked, measure_rows, sheet_language_option
from indexer.files.errors import UserError
from indexer.files.xml import other_root
from indexer.languages.language import Language
from indexer.parameters import Number, option

SHARE = 0.5  # of a statement's idf that a passage must contain to include it; a choice of this package (--share)

Terms = Sequence[str]


def scores(
    statements: Sequence[Terms], passages: Sequence[Terms], weight: Callable[[str], float], share: float = SHARE
) -> dict[str, float]:
    """Precision and recall of passages against the statements of the gold essays ([QALab3], "Evaluation").

    A passage includes a statement if it contains at least `share` of its idf. `precision`: the share of passages that
    include a statement; `recall`: the share of statements that a passage includes; `F1`: their harmonic mean; `word
    recall`: the share of the idf of the statements' different terms that any passage contains. All are 0 without
    passages.
    """
    # A passage counts as a set of terms: how often it repeats one does not matter.
    held = [frozenset(terms) for terms in passages]
    shares = [[share_present(Nugget(tuple(one), 1.0), terms, weight) for terms in held] for one in statements]
    included = [any(value >= share for value in row) for row in shares]
    useful = [any(row[place] >= share for row in shares) for place in range(len(held))]
    precision = sum(useful) / len(useful) if useful else 0.0
    recall = sum(included) / len(included) if included else 0.0
    together = precision + recall
    # Word recall looks at all passages as one text: it does not depend on `share`.
    every = tuple(dict.fromkeys(term for one in statements for term in one))
    return {
        "precision": precision,
        "recall": recall,
        "F1": 2 * precision * recall / together if together else 0.0,
        "word recall": share_present(Nugget(every, 1.0), frozenset().union(*held), weight),
    }


def judge_sections(
    gold_path: str | Path, run_path: str | Path, language: Language | None = None, share: float = SHARE
) -> dict[str, dict[str, float]]:
    """The measures of each gold section, section id → measure → value; a topic that the run lacks scores 0.

    `share` as for `scores`. Raises UserError if the gold does not have essays, and as `check_ids` does.
    """
    extracted = read_extraction(run_path)
    # Passages say in which language a bilingual sheet was answered.
    of_run = language_of(one.text for topic in extracted for one in topic.passages)
    gold = read_sheet(gold_path, language, of_run)
    words = gold.language.analyser()
    statements = {}  # of each section, the terms of each sentence of its gold essays that has some
    for section in gold.essays:
        sentences = (words.terms(one) for text in section.texts for one in words.sentences(text))
        # A sentence of function words has no terms: no passage could ever include it.
        statements[section.section_id] = [terms for terms in sentences if terms]
    sections = [section for section in gold.essays if statements[section.section_id]]
    if not sections:
        raise UserError(f"{gold_path}: no section with a gold essay; expected an answer sheet with its expressions")
    topics: Mapping[str, ExtractedTopic] = {topic.topic_id: topic for topic in extracted}
    answered = [topic.topic_id for topic in extracted if topic.passages]
    check_ids(gold_path, run_path, [section.section_id for section in sections], answered, "topics")
    # Rare are terms that few statements of the sheet hold.
    weight = idf_over(one for each in statements.values() for one in each)
    rows = {}
    for section in sections:
        passages = topics[section.section_id].passages if section.section_id in topics else ()
        measures = scores(statements[section.section_id], [words.terms(one.text) for one in passages], weight, share)
        measures["passages"] = float(len(passages))
        measures["over the limit"] = float(bool(excess(passages, section.answers[0].effective_limit)))
        rows[section.section_id] = measures
    return rows


def asked_in(path: Path, gold: bool, language: Language | None = None) -> frozenset[str]:
    """The ids of a gold sheet's sections with an essay, or of the topics that have passages."""
    if gold:
        return ids_asked(path, gold, language, attrgetter("essays"))
    if other_root(path, ("TOPIC", "TOPIC_SET")):
        return frozenset()
    return frozenset(topic.topic_id for topic in read_extraction(path) if topic.passages)


def report_questions(gold: Path, run: Path, language: Language | None = None) -> Reported:
    """Every section, scored by F1; the answer is the number of passages."""
    questions = [
        ReportedQuestion(name, one["F1"], answer=f"{one['passages']:g} passages" if one["passages"] else "")
        for name, one in judge_sections(gold, run, language).items()
    ]
    return Reported("F1", questions)


def tables(gold: Path, run: Path, language: Language | None, share: float, interval: bool) -> Tables:
    """Scores a run: rows of measures over all sections, and a row for each section; `share` is the fraction of a
    statement's idf that a passage must contain to include it."""
    rows = judge_sections(gold, run, language, share)
    return Tables(
        lambda: measure_rows(list(rows.values()), "sections", interval),
        lambda: [{"section": name, **measures} for name, measures in rows.items()],
    )


SCORING = Scoring(
    help="Precision and recall of extracted passages against the statements (sentences) of the gold essays.",
    example="samples/essay-en.gold.xml extraction.xml",
    tables=tables,
    reported=report_questions,
    options=(
        option(
            "--share",
            type=Number(0, 1, above=True),
            default=SHARE,
            help=f"How much of a statement's idf a passage must hold to include it [{SHARE:g}].",
        ),
        sheet_language_option,
    ),
    tree_options=("language",),
    asked_in=asked_in,
    metavar=("GOLD.xml", "EXTRACTION.xml"),
    row="section",
)
