"""What a Wikipedia dump costs: pages read a second and the memory they take, on dumps made up here.

    python benchmarks/wikipedia.py --pages 20000

A page has a box, three sections, references, links, a table and, in one of ten, a picture; every
third page is a redirect. Every step runs in a process of its own; seconds are of the processor.
Memory is measured on the dump and on one four times as long: what grows with the dump would show.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

import click

from indexer.cli.program import run_program

WORDS = "empire king river fort trade army law temple city war treaty coin harbour road school poet".split()
HEAD = (
    '<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" '
    'xml:lang="en"><siteinfo><namespaces>'
    '<namespace key="0" /><namespace key="10">Template</namespace></namespaces></siteinfo>\n'
)
READ = (
    "import sys\nfrom indexer.languages.registry import LANGUAGES\nfrom indexer.ingest_report "
    "import IngestReport\n"
    "from indexer.sources.textbook.passages import open_records\n"
    "print(sum(1 for _ in open_records(sys.argv[1], 'wiki', LANGUAGES['en'], IngestReport())))"
)


def sentence(chance: random.Random) -> str:
    words = chance.choices(WORDS, k=14)
    link = f"[[{words[0].title()} {chance.randrange(5000)}|{words[1]}]]"
    return f"The {words[2]} of '''{words[3]}''' {link} {' '.join(words[4:])} in {chance.randint(800, 1900)}."


def paragraph(chance: random.Random) -> str:
    note = (
        f'&lt;ref name="n{chance.randrange(9)}"&gt;{{{{cite book|title=A|year=1900}}}}&lt;/ref&gt;'
    )
    return " ".join(sentence(chance) for _ in range(5)) + note


def article(chance: random.Random, number: int) -> str:
    picture = "[[File:a.jpg|thumb|A [[fort]] by a river]]\n" if number % 10 == 0 else ""
    parts = (
        f"\n== Part {part} ==\n{paragraph(chance)}\n\n{paragraph(chance)}\n" for part in range(3)
    )
    rows = "".join(f"|-\n| {row} || [[Fort {row}]]\n" for row in range(5))
    box = "{{Infobox place\n| name = P\n|}}\n"
    return f"{box}{picture}{paragraph(chance)}\n{''.join(parts)}{{|\n{rows}|}}\n[[Category:Places]]"


def write_dump(path: Path, pages: int) -> None:
    chance = random.Random(0)
    with path.open("w", encoding="utf-8") as file:
        file.write(HEAD)
        for number in range(pages):
            text = (
                f"#REDIRECT [[Place {number - 1}]]" if number % 3 == 2 else article(chance, number)
            )
            file.write(f"<page><title>Place {number}</title><ns>0</ns><id>{number}</id>")
            file.write(f"<revision><text>{text}</text></revision></page>\n")
        file.write("</mediawiki>\n")


def measured(command: list[str]) -> tuple[float, float]:
    """Seconds of the processor and peak memory (MB) of a command."""
    process = subprocess.Popen(
        [sys.executable, *command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise click.ClickException("a step failed")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


@click.command()
@click.option("--pages", default=20_000, help="Pages of the shorter dump.")
def main(pages: int) -> None:
    """Measure reading and indexing dumps of Wikipedia."""
    with tempfile.TemporaryDirectory() as folder:
        for number in (pages, 4 * pages):
            dump = Path(folder) / f"wiki-{number}.xml"
            write_dump(dump, number)
            print(f"pages\t{number}\t{dump.stat().st_size / 2**20:.0f} MiB")
            seconds, memory = measured(["-c", READ, str(dump)])
            print(f"read\t{number / seconds:.0f} pages a second\t{memory:.0f} MB")
            if number > pages:
                continue
            for option in ("--no-names", "--names"):
                command = [
                    "-m",
                    "indexer",
                    "textbook",
                    str(dump),
                    option,
                    "--index",
                    f"{folder}/index{option}",
                ]
                seconds, memory = measured(command)
                print(f"indexed {option}\t{number / seconds:.0f} pages a second\t{memory:.0f} MB")


if __name__ == "__main__":
    run_program(main, "python benchmarks/wikipedia.py")
