"""Every other section of an answer sheet: the half that weights were not learned from (`train
ntcir-essay --sections`).

Example: python benchmarks/half_sheet.py essay-en.gold.xml --sections even -o even.gold.xml
"""

from __future__ import annotations

import re
from pathlib import Path

import click

from indexer.cli.program import run_program

_SECTION = re.compile(r"<answer_section .*?</answer_section>\s*", re.DOTALL)


@click.command(help=__doc__)
@click.argument("sheet", type=click.Path(exists=True, path_type=Path))
@click.option(
    "--sections",
    type=click.Choice(["odd", "even"]),
    required=True,
    help="Which ones, counted from 1.",
)
@click.option(
    "-o", "output", type=click.Path(path_type=Path), required=True, help="Where the half goes."
)
def main(sheet: Path, sections: str, output: Path) -> None:
    text = sheet.read_text("utf-8")
    left_out = _SECTION.findall(text)[1 if sections == "odd" else 0 :: 2]
    for section in left_out:
        text = text.replace(section, "", 1)
    output.parent.mkdir(parents=True, exist_ok=True)
    output.write_text(text, "utf-8")
    click.echo(f"{len(_SECTION.findall(text))} sections kept, {len(left_out)} left out", err=True)


if __name__ == "__main__":
    run_program(main, "python benchmarks/half_sheet.py")
