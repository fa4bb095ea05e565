"""Scores NTCIR essays against gold essays: ROUGE, limits, keywords, and nuggets if a file of them
is given."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING

import click

from answerer.formats.keywords import uses
from answerer.formats.length_limit import Unit, exceeds, measure
from answerer.formats.topics import NuggetExam, exams_by_section, read_marks
from evaluation.contract import Figures
from evaluation.measures.pyramid import (
    Nugget,
    contains_nuggets,
    idf_over,
    pyramid,
)
from evaluation.measures.ranking import agreement
from evaluation.measures.rouge import Terms, rouge_l, rouge_n, rouge_su4
from evaluation.options import (
    by_option,
    format_option,
    interval_option,
    refuse_by_question,
    scored_files_arguments,
)
from evaluation.overview import SystemRun, overview_rows, score_tree
from evaluation.registry import scoring
from evaluation.runs import RunFile, existing, gold_of, refuse_in_tree, scored_files
from evaluation.tables import ALL, print_rows, rows_of_groups
from evaluation.tasks.results import (
    Reported,
    ReportedQuestion,
    beside_run,
    ids_asked,
    measure_rows,
    question_classes,
    question_rows,
)
from indexer.cli.types import Command, InputFile
from indexer.files.errors import UserError
from indexer.files.messages import first_few, warn
from indexer.files.validation import FileName, validate_paths

if TYPE_CHECKING:
    from answerer.formats.answer_sheet import Section
    from evaluation.runs import AnyRun

TASK = "ntcir-essay"
KIND = attrgetter("essays")
KINDS = ("complex", "simple")
LONG: dict[Unit, int] = {"words": 100, "characters": 200}  # limits above which an essay is complex
ROUGE = ("ROUGE-1", "ROUGE-2", "ROUGE-L", "ROUGE-SU4")
NUGGET_MEASURES = ("pyramid", "nugget recall")
MARK = "experts' mark"


@click.command(cls=Command, example="evaluate ntcir-essay samples/essay-en.gold.xml essay.run.xml")
@scored_files_arguments("GOLD.xml...", "RUN.xml|TREE", "section")
@click.option(
    "--nuggets",
    multiple=True,
    metavar="NUGGETS.xml",
    type=InputFile(inside=("*.xml",)),
    help="Score nuggets too, of a file or a folder of them: pyramid and recall.",
)
@click.option(
    "--marks",
    metavar="MARKS",
    type=InputFile(),
    help="Show experts' marks of the essays too.",
)
@click.option(
    "--correlation",
    is_flag=True,
    help="Of a tree with --marks: how far each measure orders the runs as the marks do.",
)
@interval_option("sections")
@by_option("essay", "answer-style", "knowledge-type", "answer-knowledge-type")
@format_option
def command(
    golds: tuple[Path, ...],
    run: Path,
    by_question: bool,
    nuggets: tuple[Path, ...],
    marks: Path | None,
    correlation: bool,
    interval: bool,
    by: tuple[str, ...],
    form: str,
) -> None:
    """ROUGE-1, 2, L and SU4 of essays (F1 over content words, averaged over the gold essays of each
    section).

    Also how many exceed their limit, use their keywords, and are unanswered; with nuggets, the
    pyramid score; with marks, the experts'. Of all essays, and by kind (complex, simple), answer
    style and knowledge type.
    """
    if correlation and (marks is None or not run.is_dir()):
        raise UserError("--correlation needs --marks and a folder of runs")
    if run.is_dir():
        refuse_in_tree(run, {"-q": by_question, "--by": by})
        if correlation and marks:
            print_rows(correlation_rows(golds, run, nuggets, marks), form)
        else:
            print_rows(team_rows(golds, run, nuggets, marks, interval, form == "table"), form)
        return
    refuse_by_question(by_question, interval, by)
    reported = report_questions(gold_of(golds, run), run, nuggets, marks)
    require_marks(reported, run, marks)
    if by_question:
        print_rows(question_rows(reported, "section"), form)
    else:
        print_rows(rows_of_groups(class_rows(reported.questions, interval), by, form), form)


def score(
    gold: FileName,
    run: AnyRun,
    *,
    nuggets: FileName | Sequence[FileName] = (),
    marks: FileName | None = None,
    interval: bool = False,
) -> Figures:
    """The means of ROUGE, `over the limit`, `keywords used` and `unanswered` of a run, with files
    of `nuggets` also pyramid and nugget recall, with one of `marks` the experts' marks: of all
    essays and by class (`class_rows`), and of each; with `interval` also the means' 95 % bootstrap
    intervals. Raises UserError for what the command refuses."""
    nugget_files = [
        existing(path, "nuggets", folders=True) for path in validate_paths(nuggets, "nuggets")
    ]
    mark_file = existing(marks, "marks") if marks is not None else None
    gold_path, run_path, _ = scored_files(TASK, gold, run)
    reported = report_questions(gold_path, run_path, nugget_files, mark_file)
    require_marks(reported, run_path, mark_file)
    rows = [row for _, row in class_rows(reported.questions, interval)]
    return Figures(TASK, rows, question_rows(reported, "section"))


def report_questions(
    gold_path: Path, run_path: RunFile, nuggets: Sequence[Path] = (), marks: Path | None = None
) -> Reported:
    """Judges the essay of every essay section of the gold, in its order, scored by ROUGE-1;
    `nuggets` are paths of files or folders, `marks` of a file.

    ROUGE: F1 over the analyser's terms, averaged over the gold essays [ROUGE]. `over the limit` is
    1 for a text longer than the limit of the answer, else of the instruction; `keywords used` is
    the share of the prescribed keywords used (1 without any), `unanswered` is 1 for an empty text.
    With nuggets: `pyramid`, the weight of those present divided by that of all, and `nugget
    recall`, their unweighted share. With marks: `experts' mark`, of essays that have one under the
    name of the run's file, with or without its ending.

    The kind is that of the nugget file, or complex for sections that prescribe keywords, or allow
    more than 100 words or 200 characters. Of several answers the first is scored, with a warning;
    sections without nuggets are warned of, if a nugget file is given. Raises UserError as
    `beside_run` does.
    """
    gold, pairs = beside_run(gold_path, run_path, KIND, "section with a gold essay")
    if several := [section.section_id for section, _ in pairs if len(section.answers) > 1]:
        warn(
            f"{gold_path}: more than one answer in {', '.join(several)}: the first of each is "
            f"scored"
        )
    words = gold.language.analyser()
    essays = {
        section.section_id: [words.terms(text) for text in section.answers[0].texts]
        for section, _ in pairs
    }
    exams = exams_by_section(nuggets, [section for section, _ in pairs]) if nuggets else {}
    if nuggets and (without := [name for name in essays if name not in exams]):
        warn(
            f"{', '.join(map(str, nuggets))}: no nuggets of {', '.join(without)}: pyramid and "
            f"nugget recall are of the others only"
        )
    nuggets_of = {
        name: [Nugget(words.terms(text), weight) for text, weight in exam.nuggets]
        for name, exam in exams.items()
    }
    # Terms are weighed alike in all sections: the collection is all gold essays and nuggets of the
    # sheet.
    nugget_terms = [nugget.terms for of_section in nuggets_of.values() for nugget in of_section]
    gold_terms = [terms for of_section in essays.values() for terms in of_section]
    weight = idf_over([*gold_terms, *nugget_terms])
    marked = read_marks(marks) if marks else {}
    judged = []
    for section, of_run in pairs:
        name = section.section_id
        answer = next(iter(of_run.answers[0].texts), "") if of_run else ""
        terms = words.terms(answer)
        measures = rouge_measures(terms, essays[name]) | limit_measures(section, answer)
        if section_nuggets := nuggets_of.get(name):
            there = contains_nuggets(section_nuggets, terms, weight)
            shares = (pyramid(section_nuggets, there), sum(there) / len(there))
            measures |= dict(zip(NUGGET_MEASURES, shares, strict=True))
        # Experts name a run by its file, with or without the ending.
        file = Path(run_path)
        mark = marked.get((name, file.name), marked.get((name, file.stem)))
        measures |= {} if mark is None else {MARK: mark}
        kind, limit = kind_of(section, exams.get(name)), section.answers[0].effective_limit
        # A section without a limit has no unit: characters are counted.
        length = measure(answer, limit.unit) if limit.unit else len(answer)
        question = ReportedQuestion(
            name,
            measures["ROUGE-1"],
            section.answers[0].texts,
            answer=answer,
            kinds={
                "essay": kind,
                "answer_style": section.answer_style,
                "knowledge_type": section.knowledge_type,
            },
            measures=measures,
            cells={"essay": kind, "length": length, "limit": str(limit)},
        )
        judged.append(question)
    return Reported("ROUGE-1", judged)


def rouge_measures(terms: Terms, golds: Sequence[Terms]) -> dict[str, float]:
    """The F1 of each kind of ROUGE of an essay against the gold essays (the average over several),
    by its name in `ROUGE`."""
    rouges = (
        rouge_n(terms, golds, 1),
        rouge_n(terms, golds, 2),
        rouge_l(terms, golds),
        rouge_su4(terms, golds),
    )
    return {name: rouge.f1 for name, rouge in zip(ROUGE, rouges, strict=True)}


def limit_measures(section: Section, answer: str) -> dict[str, float]:
    """`over the limit` and `unanswered` (1 or 0) and `keywords used` (the share of the prescribed
    ones, 1 without any) of an essay, as `report_questions` says."""
    keywords = section.keywords
    used = sum(uses(keyword, answer) for keyword in keywords) / len(keywords) if keywords else 1.0
    # The organisers judge by the attribute of the answer, not by what the instruction says besides.
    over = exceeds(answer, section.answers[0].effective_limit)
    return {
        "over the limit": float(over),
        "keywords used": used,
        "unanswered": float(not answer),
    }


def kind_of(section: Section, exam: NuggetExam | None) -> str:
    """The kind of essay, "complex" or "simple": that of the nugget file, else complex if the
    section prescribes keywords or allows more than 100 words or 200 characters."""
    kind = exam.kind.partition(" ")[0] if exam else ""
    if kind in KINDS:
        return kind
    limit = section.answers[0].limit
    long = limit.unit is not None and (limit.most or 0) > LONG[limit.unit]
    return "complex" if section.keywords or long else "simple"


def require_marks(reported: Reported, run: RunFile, marks: Path | None) -> None:
    """Raises UserError if a file of marks has none of a run."""
    if marks and not any(MARK in question.measures for question in reported.questions):
        topics = first_few([question.question_id for question in reported.questions])
        raise UserError(
            f"{marks}: no mark of {Path(run).name} for any of {topics}; expected topic, file name "
            f"and mark"
        )


def class_rows(
    questions: Sequence[ReportedQuestion], interval: bool
) -> list[tuple[str, dict[str, object]]]:
    """The rows of `measure_rows` for all essays and by class, each with its division (`all` for all
    essays).

    Classes are the kind of essay, answer style, knowledge type and the product of the last two;
    divisions with a single class are left out.
    """
    rows: list[tuple[str, dict[str, object]]] = []
    # The row of a single class would repeat that of all essays.
    for division, value, members in question_classes(questions, fewest=2, crossed="answer_style"):
        of_class = measure_rows(members, interval, "section")
        rows += [(division, {"essays": value or ALL, **row}) for row in of_class]
    return rows


def team_rows(
    golds: Sequence[Path],
    tree: Path,
    nuggets: Sequence[Path],
    marks: Path | None,
    interval: bool,
    cells: bool,
) -> list[dict[str, object]]:
    """The rows of `overview_rows`, best ROUGE-1 first, with the means of the other kinds of ROUGE
    and of the nuggets, to which an exam that a run lacks counts 0, and of the marks, to which it
    does not count; `interval` adds 95 % bounds, `cells` is that of `overview_rows`. Raises
    UserError as `score_tree` and, with marks, `marked_sections` do."""
    scored, exams = score_tree(scoring(TASK), golds, tree, nuggets=nuggets, marks=marks)
    if marks:
        marked_sections(scored, tree, marks)
    further = {**dict.fromkeys((*ROUGE[1:], *NUGGET_MEASURES), 0.0), MARK: None}
    return overview_rows(scoring(TASK), scored, exams, interval, cells, further)


def marked_sections(
    scored: Sequence[SystemRun], tree: Path, marks: Path
) -> dict[str, dict[tuple[str, str], Mapping[str, float]]]:
    """The measures of the sections that have a mark, by exam and id, of each run that has some, by
    its name. Raises UserError where no run has a mark, and for two runs with marks whose files have
    the same name."""
    marked: dict[str, dict[tuple[str, str], Mapping[str, float]]] = {}
    run_of: dict[str, str] = {}
    for run in scored:
        for exam, reported in run.exams.items():
            sections = {
                (exam, question.question_id): question.measures
                for question in reported.questions
                if MARK in question.measures
            }
            name = run.results[exam].name
            if sections and run_of.setdefault(name, run.name) != run.name:
                raise UserError(
                    f"{tree}: {run_of[name]} and {run.name} are both called {name}, by which marks "
                    f"name a run; rename one"
                )
            if sections:
                marked.setdefault(run.name, {}).update(sections)
    if not marked:
        raise UserError(
            f"{marks}: no mark of any run of {tree}; expected topic, file name and mark"
        )
    return marked


def correlation_rows(
    golds: Sequence[Path], tree: Path, nuggets: Sequence[Path], marks: Path
) -> list[dict[str, object]]:
    """How far each measure orders the runs of a tree as the experts' marks do: a row for each of
    ROUGE and, with nuggets, of these.

    A run's value is its mean over the sections of which every run with marks has a mark, and so is
    its mark; `runs` is their number. Kendall's τ-b and Spearman's ρ are None for fewer than two
    runs and where all values or all marks are equal; pairs of runs with equal values, or equal
    marks, are counted. Warns of runs without marks and of sections that not all have, both left
    out. Raises UserError as `score_tree` and `marked_sections` do, and where no section has a mark
    of every such run.
    """
    scored, _ = score_tree(scoring(TASK), golds, tree, nuggets=nuggets, marks=marks)
    marked = marked_sections(scored, tree, marks)
    common = sorted(set.intersection(*(set(sections) for sections in marked.values())))
    if not common:
        raise UserError(f"{marks}: no section of which all {len(marked)} runs with marks have one")
    if partly := [name for name, sections in marked.items() if len(sections) > len(common)]:
        warn(
            f"{marks}: not every run has marks of the same sections; the {len(common)} that all "
            f"have count, not further ones of {first_few(partly)}"
        )
    if unmarked := [run.name for run in scored if run.name not in marked]:
        warn(f"{marks}: left out, as there are no marks of them: {first_few(unmarked)}")
    rows: list[dict[str, object]] = []
    for measure_name in (*ROUGE, *NUGGET_MEASURES):
        keys = [key for key in common if all(measure_name in of[key] for of in marked.values())]
        if not keys:
            continue
        values, experts = (
            [round(sum(of[key][name] for key in keys) / len(keys), 9) for of in marked.values()]
            for name in (measure_name, MARK)
        )
        correlation = agreement(values, experts)
        rows.append(
            {
                "measure": measure_name,
                "runs": len(values),
                "sections": len(keys),
                "kendall": correlation.kendall,
                "spearman": correlation.spearman,
                "equal in the measure": tied_pairs(values),
                "equal in the marks": tied_pairs(experts),
            }
        )
    return rows


def tied_pairs(values: Sequence[float]) -> int:
    """The number of pairs of equal values."""
    return sum(count * (count - 1) // 2 for count in Counter(values).values())


def asked_in(path: Path, gold: bool) -> frozenset[str]:
    """The ids of a sheet's essay sections (`ids_asked`)."""
    return ids_asked(path, gold, kind=KIND)
