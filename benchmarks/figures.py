"""Reruns the published figures whose data are at hand, and draws the pages of docs/figures from the
list of figures.

    python benchmarks/figures.py --list                  (every run: its task, its data, whether
    they are at hand) QA_DATA=… python benchmarks/figures.py --only ranking QA_DATA=… python
    benchmarks/figures.py --only selqa --accept python benchmarks/figures.py --write
    (the pages again, after a change of figures or templates)

docs/figures/figures.toml lists every figure once, with its run: data, commands, seed, commit and
date. A run's commands are run from the project's folder with $OUT for what they write; a figure is
found in what they print, by the cells of its row and its column. A figure holds when it is the
published one to the digits shown or differs by no more than its standard error. Exit status 1 where
one no longer holds.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any, NamedTuple

import click

from evaluation.tables import print_rows
from indexer.cli.program import run_program
from indexer.files.errors import UserError

ROOT = Path(__file__).resolve().parents[1]
FIGURES = ROOT / "docs" / "figures" / "figures.toml"
PARTS = ("value", "error", "low", "high", "p")
_PLACE = re.compile(r"\{([+]?)([a-z0-9-]+(?:\.[a-z0-9-]+)+?)(?::(value|error|low|high|p))?\}")
_LINKED = re.compile(r'\[[^\]\n]*\]\(([^)\s]+) "([a-z0-9-]+(?:\.[a-z0-9-]+)+)(?::(value))?"\)')
DRAWN = "<!-- Drawn from templates/{name} and figures.toml by python benchmarks/figures.py --write: edit those. -->\n\n"


class Figure(NamedTuple):
    """A published number: where its run prints it, and what was published, to the digits shown."""

    name: str
    find: str
    parts: Mapping[str, Decimal]


class Run(NamedTuple):
    """Commands that make figures. Without commands: measured once, on data that are kept apart or
    by hand."""

    name: str
    task: str
    data: str
    measured: str
    figures: Sequence[Figure]
    commands: Sequence[str] = ()
    needs: Sequence[str] = ()
    after: Sequence[str] = ()
    seed: int | None = None
    form: str = "share"
    columns: Mapping[str, str] = {}
    within: Decimal | None = None
    long: bool = False
    note: str = ""


def read_runs(path: Path = FIGURES) -> list[Run]:
    """The runs of the list, in its order. UserError for a name that stands twice."""
    runs = []
    for entry in tomllib.loads(path.read_text("utf-8"), parse_float=Decimal)["run"]:
        figures = [_figure(each) for each in entry.pop("figures", [])]
        runs.append(Run(**entry, figures=figures))
    names = [figure.name for run in runs for figure in run.figures] + [run.name for run in runs]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise UserError(f"{path}: {', '.join(twice)} stands twice; expected every figure once")
    return runs


def _figure(entry: Mapping[str, Any]) -> Figure:
    parts = {part: Decimal(entry[part]) for part in PARTS if part in entry}
    return Figure(entry["at"], entry.get("find", ""), parts)


# Drawing


def shown(number: Decimal, form: str, sign: bool = False) -> str:
    """A number as pages show it: shares without the zero before the point, a true minus, a plus
    where asked for."""
    text = f"{abs(number):,f}"
    if form == "share" and abs(number) < 1:
        text = text.removeprefix("0")
    return ("−" if number < 0 else "+" if sign else "") + text


def drawn(text: str, runs: Sequence[Run]) -> str:
    """A template with its figures: {name} is the value with its error, {name:low} a part,
    {+name:value} has a sign."""
    known = {figure.name: (figure, run.form) for run in runs for figure in run.figures}

    def fill(place: re.Match[str]) -> str:
        sign, name, part = place.groups()
        if name not in known:
            raise UserError(f"{{{name}}}: no such figure in {FIGURES.name}")
        figure, form = known[name]
        wanted = (
            (part,) if part else tuple(each for each in ("value", "error") if each in figure.parts)
        )
        if missing := [each for each in wanted if each not in figure.parts]:
            raise UserError(f"{name} has no {missing[0]} in {FIGURES.name}")
        return " ± ".join(
            shown(figure.parts[each], form, bool(sign) and each != "error") for each in wanted
        )

    return _PLACE.sub(fill, text)


def relinked(text: str, runs: Sequence[Run]) -> str:
    """A page whose links with a figure's name as their title show that figure: [.923 ± .008](page
    "selqa.trained")."""

    def fill(link: re.Match[str]) -> str:
        target, name, part = link.groups()
        place = f"{name}:{part}" if part else name
        return f'[{drawn(f"{{{place}}}", runs)}]({target} "{place}")'

    return _LINKED.sub(fill, text)


def pages(runs: Sequence[Run]) -> Iterator[tuple[Path, str]]:
    """Every page that shows figures, and its text as the list has it."""
    folder = FIGURES.parent
    for template in sorted((folder / "templates").rglob("*.md")):
        head, _, body = template.read_text("utf-8").partition("\n")
        place = template.relative_to(folder / "templates")
        note = DRAWN.format(name=place)
        yield folder / place, f"{head}\n\n{note}{drawn(body.lstrip(), runs)}"
    for path in [ROOT / "README.md", *sorted((ROOT / "docs" / "tasks").glob("*.md"))]:
        yield path, relinked(path.read_text("utf-8"), runs)


# Measuring


def at_hand(run: Run) -> bool:
    """Whether a run has commands, and $QA_DATA all that they need."""
    folder = os.environ.get("QA_DATA")
    return bool(run.commands) and (
        not run.needs or bool(folder and all(Path(folder, it).exists() for it in run.needs))
    )


def output_of(run: Run, out: Path) -> str:
    """What a run's commands print, stdout and stderr. UserError where one fails."""
    environment = {
        **{
            name: value
            for name, value in os.environ.items()
            if not name.startswith("ELASTICSEARCH")
        },
        "OUT": str(out),
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
    }
    printed = []
    for command in run.commands:
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=ROOT,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            last = (done.stderr.strip() or "no output").splitlines()[-1]
            raise UserError(f"{run.name}: `{command}` failed: {last}")
        printed += [done.stdout, done.stderr]
    return "\n".join(printed)


def cells(line: str) -> list[str]:
    """The cells of a line of a table: separated by tabs, or by two blanks and more; a column may
    lack a name."""
    return [
        cell.strip()
        for cell in (line.split("\t") if "\t" in line else re.split(r" {2,}", line.rstrip()))
    ]


def measured_parts(run: Run, figure: Figure, printed: str) -> dict[str, Decimal]:
    """A figure's parts as the run prints them now. UserError where its row or column is not there.

    `find` is `cell | cell | column`: the first row that has all the cells (of a path its end),
    under the nearest header above it that has the column; or `/pattern/`, whose groups are the
    value and its error. A run's `columns` name those of the other parts, with {column} for the
    figure's own.
    """
    if figure.find.startswith("/"):
        if not (match := re.search(figure.find[1:-1], printed)):
            raise UserError(f"{run.name}: {figure.find} is not in what it prints")
        texts = dict(zip(PARTS, match.groups(), strict=False))
    else:
        texts = row_of(run, figure, printed)
    return {
        part: scaled(run, part, Decimal(text))
        for part, text in texts.items()
        if part in figure.parts
    }


def scaled(run: Run, part: str, number: Decimal) -> Decimal:
    """A number as it is published: of a run in per cent all but p are."""
    return number * 100 if run.form == "percent" and part != "p" else number


def row_of(run: Run, figure: Figure, printed: str) -> dict[str, str]:
    """The cells of a figure's parts in the row that `find` names."""
    *wanted, column = figure.find.split(" | ")
    names = {
        "value": column,
        **{part: name.format(column=column) for part, name in run.columns.items()},
    }
    header: list[str] = []
    for line in printed.splitlines():
        row = cells(line)
        if column in row:
            header = row
        elif len(row) == len(header) and all(
            any(has(cell, text) for cell in row) for text in wanted
        ):
            by_column = dict(zip(header, row, strict=True))
            return {part: by_column[name] for part, name in names.items() if part in figure.parts}
    raise UserError(f"{run.name}: no row with {figure.find} in what it prints")


def has(cell: str, text: str) -> bool:
    """Whether a cell is a text, or a path that ends in it."""
    return cell == text or cell.endswith(f"/{text}")


def verdict(published: Mapping[str, Decimal], now: Decimal, within: Decimal | None) -> str:
    """Whether a published figure still holds: to the digits shown, within its error (or a part of
    itself), or not."""
    value = published["value"]
    if abs(now - value) <= Decimal(1).scaleb(value.as_tuple().exponent) / 2:
        return "holds"
    error = published.get("error", abs(value) * within if within else Decimal(0))
    return "holds within its error" if abs(now - value) <= error else "NO LONGER HOLDS"


def remeasured(run: Run, out: Path) -> list[tuple[Figure, dict[str, Decimal]]]:
    """The figures of a run as its commands print them now."""
    printed = output_of(run, out)
    return [(figure, measured_parts(run, figure, printed)) for figure in run.figures]


def in_order(chosen: Sequence[Run], runs: Sequence[Run]) -> list[Run]:
    """The chosen runs, each after those that it builds on, each once."""
    named = {run.name: run for run in runs}
    order: dict[str, Run] = {}

    def add(run: Run) -> None:
        for name in run.after:
            add(named[name])
        order.setdefault(run.name, run)

    for run in chosen:
        add(run)
    return list(order.values())


def accept(
    path: Path, run: Run, now: Sequence[tuple[Figure, Mapping[str, Decimal]]], commit: str
) -> None:
    """Writes measured figures into the list, to as many digits as were published, with the commit
    and its date."""
    text = path.read_text("utf-8")
    for figure, parts in now:
        line = re.search(rf'^.*at = "{re.escape(figure.name)}",.*$', text, re.MULTILINE)
        if line is None:
            raise UserError(f"{path}: no line with {figure.name}")
        changed = line[0]
        for part, value in parts.items():
            changed = re.sub(
                rf"\b{part} = [-+\d.]+", f"{part} = {value.quantize(figure.parts[part])}", changed
            )
        text = text.replace(line[0], changed)
    entry = re.compile(
        rf'(name = "{re.escape(run.name)}"\n(?:(?!\[\[run\]\]).*\n)*?measured = )"[^"]*"'
    )
    path.write_text(entry.sub(rf'\g<1>"{commit}"', text), "utf-8")


def this_commit() -> str:
    """The commit that stands checked out, with a + where files differ from it, and its date:
    `970e5c3, 2026-11-21`."""
    told = [
        subprocess.run(
            ["git", "-C", str(ROOT), *words], check=True, capture_output=True, text=True
        ).stdout.strip()
        for words in (
            ["describe", "--always", "--exclude", "*", "--dirty=+"],
            ["log", "-1", "--format=%cs"],
        )
    ]
    return ", ".join(told)


@click.command(help=(__doc__ or "").replace("\n\n", "\n\n\b\n", 1))
@click.option(
    "--only",
    multiple=True,
    metavar="TASK|RUN",
    help="Only runs of this task (a page's name), or this run.",
)
@click.option("--long", "long_too", is_flag=True, help="Runs of more than ten minutes too.")
@click.option(
    "--accept",
    "accepting",
    is_flag=True,
    help="Write what was measured into the list, and draw the pages.",
)
@click.option("--write", "writing", is_flag=True, help="Only draw the pages from the list.")
@click.option("--list", "listing", is_flag=True, help="Only list the runs.")
@click.option(
    "--out",
    default="out/figures",
    type=click.Path(path_type=Path),
    help="Where runs write [out/figures].",
)
@click.option(
    "--file",
    "path",
    default=FIGURES,
    type=click.Path(exists=True, path_type=Path),
    help="Another list.",
)
def main(
    only: tuple[str, ...],
    long_too: bool,
    accepting: bool,
    writing: bool,
    listing: bool,
    out: Path,
    path: Path,
) -> None:
    runs = read_runs(path)
    out.mkdir(parents=True, exist_ok=True)
    if unknown := set(only) - {run.task for run in runs} - {run.name for run in runs}:
        raise UserError(f"{', '.join(sorted(unknown))}: no such task or run; see --list")
    chosen = [run for run in runs if not only or run.task in only or run.name in only]
    if listing:
        rows = [(run, "yes" if at_hand(run) else "no") for run in chosen]
        print_rows(
            [{"task": r.task, "run": r.name, "at hand": yes, "data": r.data} for r, yes in rows],
            "table",
        )
    elif writing:
        write_pages(runs)
    else:
        held = rerun(
            [run for run in chosen if ready(run, long_too or run.name in only)],
            runs,
            out,
            path,
            accepting,
        )
        sys.exit(0 if held else 1)


def ready(run: Run, long_too: bool) -> bool:
    """Whether to rerun a run; why not is said."""
    if not run.commands:
        return False
    if not at_hand(run):
        click.echo(
            f"{run.name}: left out, its data are not in $QA_DATA: {', '.join(run.needs)}", err=True
        )
    elif run.long and not long_too:
        click.echo(f"{run.name}: left out, it takes more than ten minutes (--long)", err=True)
    else:
        return True
    return False


def rerun(
    chosen: Sequence[Run], runs: Sequence[Run], out: Path, path: Path, accepting: bool
) -> bool:
    """Measures runs anew and prints a row a figure; whether all hold."""
    held = True
    for run in in_order(chosen, runs):
        click.echo(f"{run.name} …", err=True)
        try:
            now = remeasured(run, out.absolute())
        except UserError as error:
            click.echo(f"{error}", err=True)
            held = False
            continue
        for figure, parts in now:
            said = verdict(figure.parts, parts["value"], run.within)
            held = held and said != "NO LONGER HOLDS"
            numbers = f"{shown(figure.parts['value'], run.form)}\t{parts['value']:.6g}"
            click.echo(f"{figure.name}\t{numbers}\t{said}")
        if accepting and now:
            accept(path, run, now, this_commit())
    if accepting and path == FIGURES:
        write_pages(read_runs(path))
    return held


def write_pages(runs: Sequence[Run]) -> None:
    for path, text in pages(runs):
        if not path.exists() or path.read_text("utf-8") != text:
            path.write_text(text, "utf-8")
            click.echo(f"{path.relative_to(ROOT)} drawn anew", err=True)


if __name__ == "__main__":
    run_program(main, "python benchmarks/figures.py")
