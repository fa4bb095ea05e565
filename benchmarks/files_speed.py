"""How fast files are read: a PDF of 2,000 pages beside PDFium alone, with its memory; a quiz and a
workbook. Ratios in one run.

    python benchmarks/files_speed.py
    python benchmarks/files_speed.py --before ../other-checkout

The PDF is the sample book again and again; its text is read and made paragraphs, as for an index.
`--before` runs the same in another checkout with this one's Python, in turns. Told by processor
time, which others on the machine hardly change; the memory is that of the reading process.
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import click

from indexer.cli.program import run_program

ROOT = Path(__file__).parents[1]
ROUNDS = 3


def write_pdf(pages: int, target: Path) -> None:
    """The pages of the sample book, repeated."""
    import pypdfium2

    book = pypdfium2.PdfDocument(str(ROOT / "samples/textbook-en.pdf"))
    made = pypdfium2.PdfDocument.new()
    while len(made) < pages:
        made.import_pages(book)
    made.save(str(target))


def write_quiz(questions: int, target: Path) -> None:
    """Numbered text with four choices and an answer line for each question."""
    lines = []
    for number in range(1, questions + 1):
        lines += [f"{number}. Which town lies at river {number}?", "a) Agra", "b) Geneva"]
        lines += ["c) Vienna", "d) Rome", "Answer: b", ""]
    target.write_text("\n".join(lines), "utf-8")


def write_table(rows: int, target: Path) -> None:
    """A table of towns with a year, a number and a text."""
    head = "town,opened,visitors,motto\n"
    body = (f'Town {n},{1000 + n % 1000},"{n * 7:,}","Here ""we"" are"\n' for n in range(rows))
    target.write_text(head + "".join(body), "utf-8")


def read_pdfium(path: Path) -> None:
    """The text of each page as PDFium gives it."""
    import pypdfium2

    for page in pypdfium2.PdfDocument(str(path)):
        page.get_textpage().get_text_range()


def read_pdf(path: Path) -> None:
    """Our pages and their paragraphs; the sandbox is left out, so that its processor time counts."""
    from indexer.sources.textbook import pages
    from indexer.sources.textbook.reading_order import Page

    found = [
        page for page in pages._read(pages._PdfSource(str(path), None)) if isinstance(page, Page)
    ]
    pages.page_paragraphs(found, Counter())


def read_quiz(path: Path) -> None:
    from answerer.formats.question_file.read import read_question_file

    read_question_file(path.read_bytes(), path)


def read_table(path: Path) -> None:
    from indexer.languages.english import ENGLISH
    from indexer.tables.files import read_grids

    list(read_grids(path.read_bytes(), ENGLISH))


STEPS: dict[str, Callable[[Path], None]] = {
    step.__name__: step for step in (read_pdfium, read_pdf, read_quiz, read_table)
}


def in_a_process(step: str, path: Path, checkout: Path) -> tuple[float, float]:
    """Seconds of the processor and MB of memory of one step with the code of a checkout."""
    told = subprocess.run(
        [sys.executable, __file__, "--step", step, "--file", str(path)],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": str(checkout)},
        cwd=checkout,
    )
    seconds, memory = told.stdout.split()
    return float(seconds), float(memory)


@click.command()
@click.option("--pages", default=2_000, help="Pages of the PDF.")
@click.option(
    "--before",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="A checkout to compare with.",
)
@click.option("--step", type=click.Choice(sorted(STEPS)), hidden=True)
@click.option("--file", "path", type=click.Path(path_type=Path), hidden=True)
def main(pages: int, before: Path | None, step: str | None, path: Path | None) -> None:
    """Measure how fast files are read."""
    if step and path:
        start = time.process_time()
        STEPS[step](path)
        spent = time.process_time() - start
        print(spent, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
        return
    with tempfile.TemporaryDirectory() as folder:
        book, short = Path(folder, "book.pdf"), Path(folder, "short.pdf")
        quiz, table = Path(folder, "quiz.txt"), Path(folder, "table.csv")
        write_pdf(pages, book)
        write_pdf(pages // 4, short)
        write_quiz(2_000, quiz)
        write_table(20_000, table)
        todo = [("read_pdfium", book), ("read_pdf", book), ("read_pdf", short)]
        todo += [("read_quiz", quiz), ("read_table", table)]
        for name, file in todo:
            checkouts = [ROOT, *([before.resolve()] if before else [])]
            rounds = [[in_a_process(name, file, each) for each in checkouts] for _ in range(ROUNDS)]
            spent = [
                (statistics.median(one[0] for one in each), max(one[1] for one in each))
                for each in zip(*rounds, strict=True)
            ]
            told = "\t".join(f"{seconds:.1f} s, {memory:.0f} MB" for seconds, memory in spent)
            ratio = f"\t{spent[0][0] / spent[1][0]:.2f} x before" if before else ""
            print(f"{name} {file.name}\t{told}{ratio}")


if __name__ == "__main__":
    run_program(main, "python benchmarks/files_speed.py")
