"""Scores NTCIR essays against gold essays: ROUGE, limits, keywords, and nuggets where a file is given."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple

import click

from answerer.formats.answer_sheet import Section, Sheet
from answerer.formats.keywords import uses
from answerer.formats.length_limit import Unit, exceeds, measure
from answerer.formats.nuggets import exams_by_section
from answerer.formats.topics import read_marks
from evaluation.measures.pyramid import Nugget, contains_nuggets, idf_over, nugget_recall, pyramid
from evaluation.measures.rouge import rouge_l, rouge_n, rouge_su4
from evaluation.registry import Scoring
from evaluation.score_command import score_command, sheet_language_option
from evaluation.tables import Tables, cross_kinds, measure_rows
from evaluation.tasks.results import Reported, ReportedQuestion, beside_run, ids_asked
from indexer.analysis import Analyser
from indexer.cli.parameters import InputPath
from indexer.files.errors import UserError
from indexer.files.messages import first_few, warn
from indexer.languages.language import Language

_KIND = attrgetter("essays")
KINDS = ("complex", "simple")
LONG: dict[Unit, int] = {"words": 100, "characters": 200}
ROUGE = ("ROUGE-1", "ROUGE-2", "ROUGE-L", "ROUGE-SU4")


class Pair(NamedTuple):
    """A gold section, its gold essays, and what the run wrote ("" where it wrote nothing)."""

    gold: Section
    essays: tuple[str, ...]
    answer: str


class Judge(NamedTuple):
    """What essays are judged with: terms, and the nuggets and kind of each section that a nugget file has."""

    analyser: Analyser
    nuggets: Mapping[str, Sequence[Nugget]]
    kinds: Mapping[str, str]
    weight: Callable[[str], float]

    def kind(self, section: Section) -> str:
        """Whether a section asks for a "complex" or a "simple" essay: as the nugget file says.

        Otherwise one with prescribed keywords, or for more than 100 words or 200 characters, is complex.
        """
        told = self.kinds.get(section.section_id, "").partition(" ")[0]
        if told in KINDS:
            return told
        limit = section.answers[0].limit
        long = limit.unit is not None and (limit.most or 0) > LONG[limit.unit]
        return "complex" if section.keywords or long else "simple"


def pairs(gold_path: str | Path, run_path: str | Path, language: Language | None = None) -> tuple[Sheet, list[Pair]]:
    """Every essay section of the gold in its order beside the run's text. UserError as `beside_run` says.

    Of a section with several answers the first is scored, which is said.
    """
    gold, found = beside_run(gold_path, run_path, language, _KIND, "section with a gold essay")
    if several := [one.section_id for one, _ in found if len(one.answers) > 1]:
        warn(f"{gold_path}: more than one answer in {', '.join(several)}: the first of each is scored")
    return gold, [Pair(one, one.answers[0].texts, answered.written if answered else "") for one, answered in found]


def make_judge(gold: Sheet, paired: Sequence[Pair], nuggets_path: str | Path | None) -> Judge:
    """The judge of a gold sheet; idf of nuggets' terms over gold essays and nuggets."""
    words = gold.language.analyser()
    golds = [words.terms(text) for pair in paired for text in pair.essays]
    if nuggets_path is None:
        return Judge(words, {}, {}, idf_over(golds))
    exams = exams_by_section(nuggets_path, [pair.gold for pair in paired])
    without = [pair.gold.section_id for pair in paired if pair.gold.section_id not in exams]
    if without:
        warn(f"{nuggets_path}: no nuggets of {', '.join(without)}: pyramid and nugget recall are of the others only")
    nuggets = {
        section_id: [Nugget(tuple(words.terms(text)), weight) for text, weight in exam.nuggets]
        for section_id, exam in exams.items()
    }
    weight = idf_over([*golds, *(one.terms for each in nuggets.values() for one in each)])
    return Judge(words, nuggets, {section_id: exam.kind for section_id, exam in exams.items()}, weight)


def scores(pair: Pair, judge: Judge) -> dict[str, float]:
    """The measures of one section.

    ROUGE: F1 over content words (our terms), averaged over the gold essays. `over the limit` is 1 for a text
    longer than the printed limit (the instruction's where none is printed), `keywords used` the share of the
    keywords used (1 where none is prescribed), `unanswered` 1 for no text. With nuggets: `pyramid`, the
    weight found of all weight, and `nugget recall`, the share found.
    """
    terms = judge.analyser.terms(pair.answer)
    golds = [judge.analyser.terms(text) for text in pair.essays]
    rouges = (rouge_n(terms, golds, 1), rouge_n(terms, golds, 2), rouge_l(terms, golds), rouge_su4(terms, golds))
    keywords = pair.gold.keywords
    row = {name: rouge.f1 for name, rouge in zip(ROUGE, rouges, strict=True)}
    row["over the limit"] = float(exceeds(pair.answer, pair.gold.answers[0].allowed))
    row["keywords used"] = sum(uses(k, pair.answer) for k in keywords) / len(keywords) if keywords else 1.0
    row["unanswered"] = float(not pair.answer)
    nuggets = judge.nuggets.get(pair.gold.section_id)
    if nuggets:
        there = contains_nuggets(nuggets, terms, judge.weight)
        row |= {"pyramid": pyramid(nuggets, there), "nugget recall": nugget_recall(there)}
    return row


def asked_in(path: Path, gold: bool, language: Language | None = None) -> frozenset[str]:
    """The ids of a sheet's essay sections, of gold those with an essay."""
    return ids_asked(path, gold, language, _KIND)


def reported(gold: Path, run: Path, language: Language | None = None) -> Reported:
    """What the report shows of every section: the gold essays, and the run's."""
    sheet, found = pairs(gold, run, language)
    judge = make_judge(sheet, found, None)
    questions = [
        ReportedQuestion(pair.gold.section_id, scores(pair, judge)["ROUGE-1"], pair.essays, answer=pair.answer)
        for pair in found
    ]
    return Reported("ROUGE-1", questions)


def by_kind(
    paired: Sequence[Pair], table: Sequence[Mapping[str, float]], kinds: Sequence[str], interval: bool
) -> list[dict[str, object]]:
    """The rows of `measure_rows` for all essays, then for those of each kind (complex, simple), answer style and
    knowledge type, and of style and knowledge type crossed, where there are several."""
    styles = [pair.gold.answer_style for pair in paired]
    knowledge = [pair.gold.knowledge_type for pair in paired]
    both = list(map(cross_kinds, styles, knowledge)) if min(len(set(styles)), len(set(knowledge))) > 1 else []
    groups = {"all": list(table)}
    for classes in (kinds, styles, knowledge, both):
        values = sorted(set(classes) - {""})
        for value in values if len(values) > 1 else ():
            groups[value] = [line for line, own in zip(table, classes, strict=True) if own == value]
    return [
        {"essays": value, **row} for value, lines in groups.items() for row in measure_rows(lines, "sections", interval)
    ]


def by_section(
    paired: Sequence[Pair], table: Sequence[Mapping[str, float]], kinds: Sequence[str]
) -> list[dict[str, object]]:
    """A row a section: its id and kind, how long the answer is of what limit, and its measures."""
    rows: list[dict[str, object]] = []
    for pair, line, kind in zip(paired, table, kinds, strict=True):
        limit = pair.gold.answers[0].allowed
        length = measure(pair.answer, limit.unit) if limit.unit else len(pair.answer)
        rows.append({"section": pair.gold.section_id, "essay": kind, "length": length, "limit": str(limit), **line})
    return rows


def marks_of(path: str | Path, run: Path, paired: Sequence[Pair]) -> list[Mapping[str, float]]:
    """The experts' mark of each section's essay, as a measure; a section without one has none.

    A mark belongs to the section that its topic names, and to the run that its file name is, with or without .xml.
    UserError where the file marks none of the run's essays.
    """
    marks = read_marks(path)
    found = [
        marks.get((pair.gold.section_id, run.name), marks.get((pair.gold.section_id, run.stem))) for pair in paired
    ]
    if all(mark is None for mark in found):
        topics = first_few([pair.gold.section_id for pair in paired])
        raise UserError(f"{path}: no mark of {run.name} for any of {topics}; expected topic, file name and mark")
    return [{} if mark is None else {"experts' mark": mark} for mark in found]


def tables(
    gold: Path, run: Path, nuggets: str | None, marks: str | None, language: Language | None, interval: bool
) -> Tables:
    """The figures of a run."""
    sheet, paired = pairs(gold, run, language)
    judge = make_judge(sheet, paired, nuggets)
    table = [scores(pair, judge) for pair in paired]
    if marks:
        table = [{**line, **own} for line, own in zip(table, marks_of(marks, run, paired), strict=True)]
    kinds = [judge.kind(pair.gold) for pair in paired]
    return Tables(lambda: by_kind(paired, table, kinds, interval), lambda: by_section(paired, table, kinds))


command = score_command(
    "ntcir-essay",
    tables,
    """ROUGE-1, 2, L and SU4 of essays (F1 over content words, averaged over the gold essays of each section).

    Also how many exceed their limit, use their keywords, and are unanswered; with nuggets, the pyramid score;
    with marks, the experts'. Of all essays, and by kind (complex, simple), answer style and knowledge type.
    """,
    "samples/essay-en.gold.xml essay.run.xml",
    click.option("--nuggets", metavar="NUGGETS.xml", type=InputPath(), help="Score nuggets too: pyramid and recall."),
    click.option("--marks", metavar="MARKS", type=InputPath(), help="Show experts' marks of the run's essays too."),
    sheet_language_option,
    metavar=("GOLD.xml", "RUN.xml"),
    passed=("language",),
    row="section",
)

SCORING = Scoring(command=command, reported=reported, tables=tables, asked_in=asked_in)
