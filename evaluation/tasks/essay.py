"""Scores NTCIR essays against gold essays: ROUGE, limits, keywords, and nuggets if a file of them is given."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple

from answerer.formats.answer_sheet import Section, Sheet
from answerer.formats.keywords import uses
from answerer.formats.length_limit import Unit, exceeds, measure
from answerer.formats.topics import exams_by_section, read_marks
from evaluation.measures.pyramid import Nugget, contains_nuggets, idf_over, nugget_recall, pyramid
from evaluation.measures.rouge import rouge_l, rouge_n, rouge_su4
from evaluation.registry import Scoring
from evaluation.score_command import score_command, sheet_language_option
from evaluation.tables import Tables, cross_kinds, measure_rows
from evaluation.tasks.results import Reported, ReportedQuestion, beside_run, ids_asked
from indexer.analysis import Analyser
from indexer.files.errors import UserError
from indexer.files.messages import first_few, warn
from indexer.languages.language import Language
from indexer.parameters import InputPath, option

_KIND = attrgetter("essays")
KINDS = ("complex", "simple")
LONG: dict[Unit, int] = {"words": 100, "characters": 200}  # limits above which an essay is complex
ROUGE = ("ROUGE-1", "ROUGE-2", "ROUGE-L", "ROUGE-SU4")


class Pair(NamedTuple):
    """A gold section, its gold essays, and the run's essay ("" if it has none)."""

    gold: Section
    essays: tuple[str, ...]
    answer: str


class Judge(NamedTuple):
    """The means of judging essays: analyser, nuggets by section id, kind of essay by section id (as the nugget file has
    it), and the function term → weight."""

    analyser: Analyser
    nuggets: Mapping[str, Sequence[Nugget]]
    kinds: Mapping[str, str]
    weight: Callable[[str], float]

    def kind(self, section: Section) -> str:
        """The kind of essay that a section asks for, "complex" or "simple", as in the nugget file.

        Sections that the file lacks are complex if they prescribe keywords, or allow more than 100 words or 200
        characters.
        """
        kind = self.kinds.get(section.section_id, "").partition(" ")[0]
        if kind in KINDS:
            return kind
        limit = section.answers[0].limit
        long = limit.unit is not None and (limit.most or 0) > LONG[limit.unit]
        return "complex" if section.keywords or long else "simple"


def pairs(gold_path: str | Path, run_path: str | Path, language: Language | None = None) -> tuple[Sheet, list[Pair]]:
    """Pairs every essay section of the gold, in its order, with the run's text. Raises UserError as `beside_run` does.

    Of a section with several answers the first is scored, with a warning.
    """
    gold, found = beside_run(gold_path, run_path, language, _KIND, "section with a gold essay")
    if several := [one.section_id for one, _ in found if len(one.answers) > 1]:
        warn(f"{gold_path}: more than one answer in {', '.join(several)}: the first of each is scored")
    return gold, [
        Pair(one, one.answers[0].texts, answered.first_expression if answered else "") for one, answered in found
    ]


def make_judge(gold: Sheet, paired: Sequence[Pair], nuggets_path: str | Path | None) -> Judge:
    """Builds the judge of a gold sheet; terms are weighed by idf over gold essays and nuggets.

    Warns of sections without nuggets, if a nugget file is given.
    """
    words = gold.language.analyser()
    golds = [words.terms(text) for pair in paired for text in pair.essays]
    # Without nuggets nothing but keywords and the limit says which kind an essay is of.
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
    # Terms are weighed alike in all sections: the collection is all gold essays and nuggets of the sheet.
    weight = idf_over([*golds, *(one.terms for each in nuggets.values() for one in each)])
    return Judge(words, nuggets, {section_id: exam.kind for section_id, exam in exams.items()}, weight)


def scores(pair: Pair, judge: Judge) -> dict[str, float]:
    """Computes the measures of one section.

    ROUGE: F1 over the analyser's terms, averaged over the gold essays [ROUGE]. `over the limit` is 1 for a text longer
    than the limit of the answer, else of the instruction; `keywords used` is the share of the prescribed keywords that
    are used (1 without any), `unanswered` is 1 for an empty text. With nuggets: `pyramid`, the weight of those present
    divided by that of all, and `nugget recall`, their unweighted share.
    """
    terms = judge.analyser.terms(pair.answer)
    golds = [judge.analyser.terms(text) for text in pair.essays]
    rouges = (rouge_n(terms, golds, 1), rouge_n(terms, golds, 2), rouge_l(terms, golds), rouge_su4(terms, golds))
    keywords = pair.gold.keywords
    row = {name: rouge.f1 for name, rouge in zip(ROUGE, rouges, strict=True)}
    # The organisers judge by the attribute of the answer, not by what the instruction says besides.
    row["over the limit"] = float(exceeds(pair.answer, pair.gold.answers[0].effective_limit))
    row["keywords used"] = sum(uses(k, pair.answer) for k in keywords) / len(keywords) if keywords else 1.0
    row["unanswered"] = float(not pair.answer)
    nuggets = judge.nuggets.get(pair.gold.section_id)
    if nuggets:
        there = contains_nuggets(nuggets, terms, judge.weight)
        row |= {"pyramid": pyramid(nuggets, there), "nugget recall": nugget_recall(there)}
    return row


def asked_in(path: Path, gold: bool, language: Language | None = None) -> frozenset[str]:
    """The ids of a sheet's essay sections; of a gold sheet only those with an essay."""
    return ids_asked(path, gold, language, _KIND)


def report_questions(gold: Path, run: Path, language: Language | None = None) -> Reported:
    """Every section with the gold essays and the run's, scored by ROUGE-1."""
    sheet, found = pairs(gold, run, language)
    judge = make_judge(sheet, found, None)
    questions = [
        # Every gold essay allows ROUGE; nuggets are in a file beside it, which a report is not given.
        ReportedQuestion(pair.gold.section_id, scores(pair, judge)["ROUGE-1"], pair.essays, answer=pair.answer)
        for pair in found
    ]
    return Reported("ROUGE-1", questions)


def by_kind(
    paired: Sequence[Pair], table: Sequence[Mapping[str, float]], kinds: Sequence[str], interval: bool
) -> list[dict[str, object]]:
    """The rows of `measure_rows` for all essays, then by kind (complex, simple), answer style, knowledge type and the
    product of the last two; divisions with a single class are left out.

    `table` has the measures of each of `paired`, `kinds` its kind.
    """
    styles = [pair.gold.answer_style for pair in paired]
    knowledge = [pair.gold.knowledge_type for pair in paired]
    # The product says more than its factors only where both have several classes.
    both = list(map(cross_kinds, styles, knowledge)) if min(len(set(styles)), len(set(knowledge))) > 1 else []
    groups = {"all": list(table)}
    for classes in (kinds, styles, knowledge, both):
        values = sorted(set(classes) - {""})
        # The row of a single class would repeat that of all essays.
        for value in values if len(values) > 1 else ():
            groups[value] = [line for line, own in zip(table, classes, strict=True) if own == value]
    return [
        {"essays": value, **row} for value, lines in groups.items() for row in measure_rows(lines, "sections", interval)
    ]


def by_section(
    paired: Sequence[Pair], table: Sequence[Mapping[str, float]], kinds: Sequence[str]
) -> list[dict[str, object]]:
    """A row for each section: id, kind, length and limit of the answer, and its measures, which `table` has in the same
    order."""
    rows: list[dict[str, object]] = []
    for pair, line, kind in zip(paired, table, kinds, strict=True):
        limit = pair.gold.answers[0].effective_limit
        # A section without a limit has no unit: characters are counted.
        length = measure(pair.answer, limit.unit) if limit.unit else len(pair.answer)
        rows.append({"section": pair.gold.section_id, "essay": kind, "length": length, "limit": str(limit), **line})
    return rows


def marks_of(path: str | Path, run: Path, paired: Sequence[Pair]) -> list[Mapping[str, float]]:
    """The experts' mark of each section's essay, in order, as the measure `experts' mark`; an empty mapping for a
    section without a mark.

    The topic of a mark is the section's id, its file name that of the run, with or without .xml. Raises UserError if
    the file does not mark any of the run's essays.
    """
    marks = read_marks(path)
    found = [
        # Experts name a run by its file, with or without the ending.
        marks.get((pair.gold.section_id, run.name), marks.get((pair.gold.section_id, run.stem)))
        for pair in paired
    ]
    if all(mark is None for mark in found):
        topics = first_few([pair.gold.section_id for pair in paired])
        raise UserError(f"{path}: no mark of {run.name} for any of {topics}; expected topic, file name and mark")
    return [{} if mark is None else {"experts' mark": mark} for mark in found]


def tables(
    gold: Path, run: Path, nuggets: str | None, marks: str | None, language: Language | None, interval: bool
) -> Tables:
    """Scores a run: rows of measures over all essays and by kind, and a row for each section. `nuggets` and `marks` are
    paths of files, None for none."""
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
    option("--nuggets", metavar="NUGGETS.xml", type=InputPath(), help="Score nuggets too: pyramid and recall."),
    option("--marks", metavar="MARKS", type=InputPath(), help="Show experts' marks of the run's essays too."),
    sheet_language_option,
    metavar=("GOLD.xml", "RUN.xml"),
    passed=("language",),
    row="section",
)

SCORING = Scoring(command=command, reported=report_questions, tables=tables, asked_in=asked_in)
