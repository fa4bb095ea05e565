"""Scores NTCIR extraction files: precision and recall of passages against the statements of the
gold essays."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING

from answerer.formats.answer_sheet import language_of_texts, read_sheet
from answerer.formats.topics import excess, read_extraction
from evaluation.contract import Figures, PoolItem
from evaluation.measures.pyramid import Nugget, Weight, idf_over, share_present
from evaluation.runs import RunFile, check_ids
from evaluation.tasks.results import (
    Reported,
    ReportedQuestion,
    ids_asked,
    measure_figures,
    measures_command,
)
from indexer.files.errors import UserError
from indexer.files.messages import counted
from indexer.files.validation import FileName
from indexer.files.xml import other_root

if TYPE_CHECKING:
    from evaluation.runs import AnyRun

TASK = "ntcir-extraction"
# Of a statement's idf, what a passage must contain to include it: a choice of this package.
SHARE = 0.5

Terms = Sequence[str]


def score(gold: FileName, run: AnyRun, *, interval: bool = False) -> Figures:
    """The means over the sections of an extraction file's precision, recall, F1, word recall
    (`passage_scores`), number of passages and `over the limit`, and those of each section; with
    `interval` also the means' 95 % bootstrap intervals. Raises UserError for what the command
    refuses."""
    return measure_figures(TASK, report_questions, gold, run, interval, "section")


def passage_scores(
    statements: Sequence[Terms], passages: Sequence[Terms], weight: Weight
) -> dict[str, float]:
    """Precision and recall of passages against the statements of the gold essays ([QALab3],
    "Evaluation").

    A passage includes a statement if it contains at least half of its idf. `precision`: the
    share of passages that include a statement; `recall`: the share of statements that a passage
    includes; `F1`: their harmonic mean; `word recall`: the share of the idf of the statements'
    different terms that any passage contains. All are 0 without passages, or statements.
    """
    # A passage counts as a set of terms: how often it repeats one does not matter.
    sets = [frozenset(terms) for terms in passages]
    shares = [
        [share_present(Nugget(statement, 1.0), terms, weight) for terms in sets]
        for statement in statements
    ]
    included = [any(value >= SHARE for value in row) for row in shares]
    useful = [any(row[column] >= SHARE for row in shares) for column in range(len(sets))]
    precision = sum(useful) / len(useful) if useful else 0.0
    recall = sum(included) / len(included) if included else 0.0
    together = precision + recall
    # Word recall looks at all passages as one text.
    every = tuple(dict.fromkeys(term for statement in statements for term in statement))
    return {
        "precision": precision,
        "recall": recall,
        "F1": 2 * precision * recall / together if together else 0.0,
        "word recall": share_present(Nugget(every, 1.0), frozenset().union(*sets), weight),
    }


def report_questions(gold_path: Path, run_path: RunFile) -> Reported:
    """Every gold section with an essay, in order, with the measures of `passage_scores`, its number
    of passages, and whether these exceed ten times the essay's limit, scored by F1; one that the
    run lacks scores 0. The answer is `3 passages`, "" for none. Raises UserError if the gold does
    not have essays, and as `check_ids` does."""
    topics = read_extraction(run_path)
    # Passages say in which language a bilingual sheet was answered.
    of_run = language_of_texts(passage.text for passages in topics.values() for passage in passages)
    gold = read_sheet(gold_path, of_bilingual=of_run)
    words = gold.language.analyser()
    statements = {}  # of each section, the terms of each sentence of its gold essays that has some
    for section in gold.essays:
        sentences = (
            words.terms(sentence) for text in section.texts for sentence in words.sentences(text)
        )
        # A sentence of function words has no terms: no passage could ever include it.
        statements[section.section_id] = [terms for terms in sentences if terms]
    sections = [section for section in gold.essays if statements[section.section_id]]
    if not sections:
        raise UserError(
            f"{gold_path}: no section with a gold essay; expected an answer sheet with its "
            f"expressions"
        )
    answered = [topic_id for topic_id, passages in topics.items() if passages]
    check_ids(
        gold_path,
        run_path,
        [section.section_id for section in sections],
        answered,
        "topics",
        without_answer=statements.keys(),
    )
    # Rare are terms that few statements of the sheet hold.
    weight = idf_over(terms for sentences in statements.values() for terms in sentences)
    questions = []
    for section in sections:
        passages = topics.get(section.section_id, [])
        measures = passage_scores(
            statements[section.section_id],
            [words.terms(passage.text) for passage in passages],
            weight,
        )
        measures["passages"] = float(len(passages))
        measures["over the limit"] = float(
            bool(excess(passages, section.answers[0].effective_limit))
        )
        answer = counted(len(passages), "passages") if passages else ""
        questions.append(
            ReportedQuestion(section.section_id, measures["F1"], answer=answer, measures=measures)
        )
    return Reported("F1", questions)


command = measures_command(
    TASK,
    "Precision and recall of extracted passages against the statements (sentences) of the gold "
    "essays.",
    "evaluate ntcir-extraction samples/essay-en.gold.xml extraction.xml",
    report_questions,
    "GOLD.xml...",
    "EXTRACTION.xml|TREE",
    "section",
)


def pool_items(_gold: Path, run: Path) -> Iterator[tuple[str, list[PoolItem]]]:
    """Yields the passages of each topic; assessors see them by source and text, not by rank."""
    for topic_id, passages in read_extraction(run).items():
        yield (
            topic_id,
            [
                PoolItem(
                    passage.text,
                    {"source": passage.source_id, "source type": passage.source_type},
                    order=(passage.source_id, passage.text),
                )
                for passage in passages
            ],
        )


def asked_in(path: Path, gold: bool) -> frozenset[str]:
    """The ids of a gold sheet's sections with an essay, or of the topics for which a run has
    passages; empty for XML of another task. UserError for any other file that is not of this
    one."""
    if gold:
        return ids_asked(path, gold, kind=attrgetter("essays"))
    if other_root(path, ("TOPIC", "TOPIC_SET")):
        return frozenset()
    return frozenset(topic_id for topic_id, passages in read_extraction(path).items() if passages)
