"""What a report costs: processor time of the command, size of the page, and what a browser works
until it is open.

Made-up questions as SelQA has them (Zipf-distributed words), so that any size can be had, and the
sample exam. Each command runs several times and its cheapest run is taken; a browser's figure is
the processor time of the page's thread. With --index a question asked of it, the whole process,
comes last.

Example: python benchmarks/report_speed.py --candidates 19500
"""

from __future__ import annotations

import random
import sys
import tempfile
from pathlib import Path

import click
from ranking_speed import best_of, made_up

from evaluation.tables import print_rows
from indexer.cli.program import run_program

ROOT = Path(__file__).resolve().parents[1]
SAMPLES = ROOT / "samples"
QUESTION = "Who built the Taj Mahal?"


def python(*words: object) -> list[str]:
    return [sys.executable, "-m", *map(str, words)]


def exam(folder: Path) -> list[str]:
    """The report of the sample exam, its run and trace made."""
    gold, run, trace, index = (
        SAMPLES / "sample-exam-en.gold.xml",
        folder / "e.xml",
        folder / "e.jsonl",
        folder / "index",
    )
    best_of(python("indexer", "textbook", SAMPLES / "textbook-en.jsonl", "--index", index), 1)
    asked = SAMPLES / "sample-exam-en.xml"
    best_of(python("answerer", "ntcir-mc", asked, "--index", index, "-o", run, "--trace", trace), 1)
    return python(
        "evaluation", "report", "ntcir-mc", gold, run, "--trace", trace, "-o", folder / "exam.html"
    )


def ranking(folder: Path, candidates: int) -> list[str]:
    """The report of so many ranked candidates, their run and trace made."""
    asked, run, trace = folder / "asked.json", folder / "SelQA-ass-result.json", folder / "s.jsonl"
    made_up(asked, candidates, random.Random(0))
    best_of(python("answerer", "selqa", asked, "-o", run, "--trace", trace), 1)
    return python(
        "evaluation", "report", "selqa", run, run, "--trace", trace, "-o", folder / "ranking.html"
    )


def opened(page: Path, times: int) -> tuple[float, float]:
    """Chromium's work until a page is open and its first questions are drawn, in seconds, and the
    time that it took."""
    sys.path.append(str(ROOT))
    from tests.browser.chromium import started

    found = []
    browser = started()
    try:
        browser.execute_cdp_cmd("Performance.enable", {"timeDomain": "threadTicks"})
        for _ in range(times):
            browser.get("about:blank")
            before = _work(browser)
            browser.get(page.as_uri())
            browser.find_element("css selector", "#list > article:not(.undrawn)")
            took = browser.execute_script("return performance.now() / 1000")  # type: ignore[no-untyped-call]
            found.append((_work(browser) - before, float(took)))
    finally:
        browser.quit()
    return min(found)


def _work(browser: object) -> float:
    metrics = browser.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]  # type: ignore[attr-defined]
    return next(float(one["value"]) for one in metrics if one["name"] == "TaskDuration")


@click.command()
@click.option(
    "--candidates",
    type=click.IntRange(12),
    default=19_500,
    help="Candidates of the large report [19500].",
)
@click.option(
    "--times",
    type=click.IntRange(1),
    default=3,
    help="Runs of each, of which the cheapest counts [3].",
)
@click.option("--index", help="A textbook's index that is asked a question too.")
def main(candidates: int, times: int, index: str | None) -> None:
    """Print a row a report."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        rows = []
        for said, page, command in (
            ("exam of 20 questions", "exam.html", exam(folder)),
            (f"{candidates:,} candidates", "ranking.html", ranking(folder, candidates)),
        ):
            spent, took, memory = best_of(command, times)
            work, until_open = opened(folder / page, times)
            rows.append(
                {
                    "report": said,
                    "processor seconds": spent,
                    "seconds": took,
                    "MB of memory": memory,
                    "MB of page": (folder / page).stat().st_size / 1e6,
                    "browser's work": work,
                    "seconds to open": until_open,
                }
            )
        print_rows(rows, "table")
    if index:
        spent, took, memory = best_of(python("answerer", "ask", QUESTION, "--index", index), times)
        print_rows(
            [{"ask": index, "processor seconds": spent, "seconds": took, "MB of memory": memory}],
            "table",
        )


if __name__ == "__main__":
    run_program(main, "report_speed.py")
