"""Builds the commands that score a task: gold and a run, or golds and a folder of runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from evaluation.registry import scoring
from evaluation.runs import check_run, warn_of_training
from evaluation.tables import TREC_EVAL, Tables, measures_format_option, print_rows
from indexer.files.errors import UserError
from indexer.parameters import LANGUAGE, CommandLine, InputPath, Parameter, argument, flag, option

_FOR_TREES = ("interval", "format")  # options of every task that apply to a tree of runs too

sheet_language_option = option("--language", type=LANGUAGE, help="The language of a bilingual sheet.")


def score_command(
    name: str,
    tables: Callable[..., Tables],
    text: str,
    example: str,
    *options: Parameter,
    row: str = "question",
    metavar: tuple[str, str] = ("GOLD", "RUN"),
    passed: Sequence[str] = (),
    folder_is_run: bool = False,
    gold_in_run: bool = False,
    written: tuple[Parameter, Callable[[Path, Path, Tables, Any], None]] | None = None,
) -> CommandLine:
    """Builds the command `evaluation TASK GOLD RUN`, which prints the `tables` of the two and the task's options.

    A folder of runs is printed as an overview. `text` is the help, `row` the unit of a row of -q. `passed` are the
    options that apply to a tree of runs too; any other, except --interval and --format, is refused there. With
    `folder_is_run` a folder of results for different exams is one run; with `gold_in_run` a run contains its gold, and
    the argument GOLD is optional. `written` is an option for a further file, and what writes it after the tables.
    """
    path = InputPath(("**",), path_type=Path)
    golds_shown = f"[{metavar[0]}...]" if gold_in_run else f"{metavar[0]}..."
    interval = flag("--interval", help=f"Show 95 % bootstrap intervals over the {row}s.")
    parameters = (
        argument("golds", path, golds_shown, multiple=True, required=not gold_in_run),
        argument("run", path, f"{metavar[1]}|TREE"),
        flag("-q", "by_question", help=f"One row a {row}."),
        *((written[0],) if written else ()),
        *options,
        interval,
        measures_format_option,
    )

    def print_score(golds: tuple[Path, ...], run: Path, **given: Any) -> None:
        task = scoring(name)
        form = given["format"]
        if run.is_dir():
            from evaluation.overview import is_one_run, tree_rows

            if not (folder_is_run and len(golds) == 1 and is_one_run(task, run)):
                # An option that is given its own default changes nothing, and is let pass.
                for one in parameters[2:]:
                    default = one.default if one.default is not None or not one.multiple else ()
                    if one.name not in (*_FOR_TREES, *passed) and given[one.name] != default:
                        raise UserError(f"{one.shown} needs a single run; {run} is a folder of runs")
                if form == TREC_EVAL:
                    raise UserError(f"--format {form} needs a single run; {run} is a folder of runs")
                passed_on = {name: given[name] for name in passed}
                print_rows(tree_rows(task, golds, run, passed_on, given["interval"], form == "table"), form)
                return
        # The result file of SelQA holds the gold ([SelQA-Challenge]).
        if gold_in_run and golds in ((), (run,)):
            from retriever.provenance import read_metadata

            gold = run
            warn_of_training(run, run, read_metadata(run))
        else:
            if len(golds) != 1:
                raise UserError(f"{len(golds)} gold files for the one run {run}: several are for a folder of runs")
            gold = golds[0]
            if gold.is_dir() and not folder_is_run:
                raise UserError(f"{gold}: is a folder; name the gold file of {run}")
            check_run(gold, run)
        taken = {one.name: given[one.name] for one in (*options, interval)}
        found = tables(gold, run, **taken)
        if form == TREC_EVAL and found.trec_eval:
            print_rows(found.trec_eval(given["by_question"]), form)
        else:
            print_rows(found.by_question() if given["by_question"] else found.summary(), form)
        if written:
            written[1](gold, run, found, given[written[0].name])

    return CommandLine(run=print_score, help=text, example=f"evaluation {name} {example}", parameters=parameters)
