"""Scores NTCIR essays against gold essays: ROUGE, limits, keywords, and nuggets if a file of them
is given.

And extraction files: precision and recall of passages against the statements of the gold essays.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from operator import attrgetter
from pathlib import Path

from answerer.formats.answer_sheet import language_of, read_sheet
from answerer.formats.keywords import uses
from answerer.formats.length_limit import Unit, exceeds, measure
from answerer.formats.topics import exams_by_section, excess, read_extraction, read_marks
from evaluation.measures.pyramid import (
    Nugget,
    Weight,
    contains_nuggets,
    idf_over,
    pyramid,
    share_present,
)
from evaluation.measures.rouge import rouge_l, rouge_n, rouge_su4
from evaluation.registry import Scoring
from evaluation.runs import check_ids
from evaluation.tables import Rows, Tables
from evaluation.tasks.results import (
    Reported,
    ReportedQuestion,
    beside_run,
    ids_asked,
    measure_rows,
    measure_tables,
    question_classes,
    question_rows,
)
from indexer.files.errors import UserError
from indexer.files.messages import first_few, warn
from indexer.files.xml import other_root
from indexer.parameters import input_path, option

_KIND = attrgetter("essays")
KINDS = ("complex", "simple")
LONG: dict[Unit, int] = {"words": 100, "characters": 200}  # limits above which an essay is complex
ROUGE = ("ROUGE-1", "ROUGE-2", "ROUGE-L", "ROUGE-SU4")


def report_questions(
    gold_path: Path, run_path: Path, nuggets: str | None = None, marks: str | None = None
) -> Reported:
    """Judges the essay of every essay section of the gold, in its order, scored by ROUGE-1;
    `nuggets` and `marks` are paths of files.

    ROUGE: F1 over the analyser's terms, averaged over the gold essays [ROUGE]. `over the limit` is
    1 for a text longer than the limit of the answer, else of the instruction; `keywords used` is
    the share of the prescribed keywords used (1 without any), `unanswered` is 1 for an empty text.
    With nuggets: `pyramid`, the weight of those present divided by that of all, and `nugget
    recall`, their unweighted share. With marks: `experts' mark`, of essays that have one.

    The kind is that of the nugget file, or complex for sections that prescribe keywords, or allow
    more than 100 words or 200 characters. Of several answers the first is scored, with a warning;
    sections without nuggets are warned of, if a nugget file is given. Raises UserError as
    `beside_run` does, and for marks of other runs.
    """
    gold, found = beside_run(gold_path, run_path, _KIND, "section with a gold essay")
    if several := [one.section_id for one, _ in found if len(one.answers) > 1]:
        warn(
            f"{gold_path}: more than one answer in {', '.join(several)}: the first of each is "
            f"scored"
        )
    words = gold.language.analyser()
    essays = {
        one.section_id: [words.terms(text) for text in one.answers[0].texts] for one, _ in found
    }
    exams = exams_by_section(nuggets, [one for one, _ in found]) if nuggets else {}
    if nuggets and (without := [name for name in essays if name not in exams]):
        warn(
            f"{nuggets}: no nuggets of {', '.join(without)}: pyramid and nugget recall are of the "
            f"others only"
        )
    nuggets_of = {
        name: [Nugget(words.terms(text), weight) for text, weight in exams[name].nuggets]
        for name in exams
    }
    # Terms are weighed alike in all sections: the collection is all gold essays and nuggets of the
    # sheet.
    nugget_terms = [nugget.terms for each in nuggets_of.values() for nugget in each]
    weight = idf_over([*(terms for each in essays.values() for terms in each), *nugget_terms])
    marked = read_marks(marks) if marks else {}
    judged = []
    for section, of_run in found:
        answer = next(iter(of_run.answers[0].texts), "") if of_run else ""
        terms, golds, keywords = words.terms(answer), essays[section.section_id], section.keywords
        rouges = (
            rouge_n(terms, golds, 1),
            rouge_n(terms, golds, 2),
            rouge_l(terms, golds),
            rouge_su4(terms, golds),
        )
        measures = {name: rouge.f1 for name, rouge in zip(ROUGE, rouges, strict=True)}
        # The organisers judge by the attribute of the answer, not by what the instruction says
        # besides.
        measures["over the limit"] = float(exceeds(answer, section.answers[0].effective_limit))
        measures["keywords used"] = (
            sum(uses(k, answer) for k in keywords) / len(keywords) if keywords else 1.0
        )
        measures["unanswered"] = float(not answer)
        if own := nuggets_of.get(section.section_id):
            there = contains_nuggets(own, terms, weight)
            measures |= {"pyramid": pyramid(own, there), "nugget recall": sum(there) / len(there)}
        # Experts name a run by its file, with or without the ending.
        mark = marked.get(
            (section.section_id, run_path.name), marked.get((section.section_id, run_path.stem))
        )
        measures |= {} if mark is None else {"experts' mark": mark}
        exam, slot = exams.get(section.section_id), section.answers[0]
        kind, limit = exam.kind.partition(" ")[0] if exam else "", slot.effective_limit
        if kind not in KINDS:
            long = slot.limit.unit is not None and (slot.limit.most or 0) > LONG[slot.limit.unit]
            kind = "complex" if keywords or long else "simple"
        # A section without a limit has no unit: characters are counted.
        length = measure(answer, limit.unit) if limit.unit else len(answer)
        kinds = {
            "essay": kind,
            "answer_style": section.answer_style,
            "knowledge_type": section.knowledge_type,
        }
        cells = {"essay": kind, "length": length, "limit": str(limit)}
        name, score = section.section_id, measures["ROUGE-1"]
        judged.append(
            ReportedQuestion(
                name, score, slot.texts, answer=answer, kinds=kinds, measures=measures, cells=cells
            )
        )
    if marks and not any("experts' mark" in one.measures for one in judged):
        topics = first_few([one.question_id for one in judged])
        raise UserError(
            f"{marks}: no mark of {run_path.name} for any of {topics}; expected topic, file name "
            f"and mark"
        )
    return Reported("ROUGE-1", judged)


def tables(reported: Reported, interval: bool, **_options: object) -> Tables:
    """The rows of `measure_rows` for all essays and by class, and a row for each section.

    Classes are the kind of essay, answer style, knowledge type and the product of the last two;
    divisions with a single class are left out.
    """

    def summary() -> Rows:
        # The row of a single class would repeat that of all essays.
        classes = question_classes(reported.questions, fewest=2, crossed="answer_style")
        rows = (
            (value or "all", measure_rows(members, "sections", interval))
            for _, value, members in classes
        )
        return [{"essays": value, **row} for value, own in rows for row in own]

    return Tables(summary, lambda: question_rows(reported, "section"))


SCORING = Scoring(
    help="""ROUGE-1, 2, L and SU4 of essays (F1 over content words, averaged over the gold essays of each section).

    Also how many exceed their limit, use their keywords, and are unanswered; with nuggets, the pyramid score;
    with marks, the experts'. Of all essays, and by kind (complex, simple), answer style and knowledge type.
    """,
    example="samples/essay-en.gold.xml essay.run.xml",
    tables=tables,
    reported=report_questions,
    options=(
        option(
            "--nuggets",
            metavar="NUGGETS.xml",
            type=input_path,
            help="Score nuggets too: pyramid and recall.",
        ),
        option(
            "--marks",
            metavar="MARKS",
            type=input_path,
            help="Show experts' marks of the run's essays too.",
        ),
    ),
    asked_in=partial(ids_asked, kind=_KIND),
    metavar=("GOLD.xml", "RUN.xml"),
    row="section",
)

# Extraction: passages in place of an essay.

SHARE = (
    0.5  # of a statement's idf that a passage must contain to include it; a choice of this package
)

Terms = Sequence[str]


def passage_scores(
    statements: Sequence[Terms], passages: Sequence[Terms], weight: Weight
) -> dict[str, float]:
    """Precision and recall of passages against the statements of the gold essays ([QALab3],
    "Evaluation").

    A passage includes a statement if it contains at least `SHARE` of its idf. `precision`: the
    share of passages that include a statement; `recall`: the share of statements that a passage
    includes; `F1`: their harmonic mean; `word recall`: the share of the idf of the statements'
    different terms that any passage contains. All are 0 without passages.
    """
    # A passage counts as a set of terms: how often it repeats one does not matter.
    held = [frozenset(terms) for terms in passages]
    shares = [
        [share_present(Nugget(one, 1.0), terms, weight) for terms in held] for one in statements
    ]
    included = [any(value >= SHARE for value in row) for row in shares]
    useful = [any(row[place] >= SHARE for row in shares) for place in range(len(held))]
    precision = sum(useful) / len(useful) if useful else 0.0
    recall = sum(included) / len(included) if included else 0.0
    together = precision + recall
    # Word recall looks at all passages as one text.
    every = tuple(dict.fromkeys(term for one in statements for term in one))
    return {
        "precision": precision,
        "recall": recall,
        "F1": 2 * precision * recall / together if together else 0.0,
        "word recall": share_present(Nugget(every, 1.0), frozenset().union(*held), weight),
    }


def report_extraction(gold_path: Path, run_path: Path) -> Reported:
    """Every gold section with its measures, scored by F1; a topic that the run lacks scores 0. The
    answer is the number of passages. Raises UserError if the gold does not have essays, and as
    `check_ids` does."""
    topics = read_extraction(run_path)
    # Passages say in which language a bilingual sheet was answered.
    of_run = language_of(one.text for passages in topics.values() for one in passages)
    gold = read_sheet(gold_path, of_bilingual=of_run)
    words = gold.language.analyser()
    statements = {}  # of each section, the terms of each sentence of its gold essays that has some
    for section in gold.essays:
        sentences = (words.terms(one) for text in section.texts for one in words.sentences(text))
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
    weight = idf_over(one for each in statements.values() for one in each)
    questions = []
    for section in sections:
        passages = topics.get(section.section_id, [])
        measures = passage_scores(
            statements[section.section_id], [words.terms(one.text) for one in passages], weight
        )
        measures["passages"] = float(len(passages))
        measures["over the limit"] = float(
            bool(excess(passages, section.answers[0].effective_limit))
        )
        answer = f"{len(passages)} passages" if passages else ""
        questions.append(
            ReportedQuestion(section.section_id, measures["F1"], answer=answer, measures=measures)
        )
    return Reported("F1", questions)


def extraction_asked_in(path: Path, gold: bool) -> frozenset[str]:
    """The ids of a gold sheet's sections with an essay, or of the topics that have passages."""
    if gold:
        return ids_asked(path, gold, kind=_KIND)
    if other_root(path, ("TOPIC", "TOPIC_SET")):
        return frozenset()
    return frozenset(topic_id for topic_id, passages in read_extraction(path).items() if passages)


EXTRACTION = Scoring(
    help="Precision and recall of extracted passages against the statements (sentences) of the "
    "gold essays.",
    example="samples/essay-en.gold.xml extraction.xml",
    reported=report_extraction,
    tables=partial(measure_tables, column="section"),
    asked_in=extraction_asked_in,
    metavar=("GOLD.xml", "EXTRACTION.xml"),
    row="section",
)
