"""Figures for papers: what they show, the same bytes again, and what is said where something
lacks."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from matplotlib.figure import Figure

from evaluation.charts import panels
from evaluation.registry import scoring
from evaluation.report.data import ReportData, report_data
from indexer.files.versions import install_hint
from indexer.files.xml import parse_xml
from tests.places import SAMPLES
from tests.programs import refused, run

GOLD = SAMPLES / "sample-exam-en.gold.xml"
CANDIDATES = [{"id": str(n), "text": "x", "score": 5.0 - n} for n in range(1, 5)]


def exam(folder: Path, name: str, answers: str) -> Path:
    rows = "".join(
        f"<data><anscolumn_ID>A{n}</anscolumn_ID><answer>{answer}</answer></data>"
        for n, answer in enumerate(answers, 1)
    )
    (folder / name).write_text(
        f'<answerTable filename="sample-exam-en">{rows}</answerTable>', "utf-8"
    )
    return folder / name


@pytest.fixture
def words(tmp_path: Path) -> list[str]:
    """A command without its output: two runs over the sample exam."""
    return [
        "plot",
        "ntcir-mc",
        str(GOLD),
        str(exam(tmp_path, "a.xml", "1" * 20)),
        str(exam(tmp_path, "b.xml", "2" * 20)),
    ]


def data(folder: Path) -> ReportData:
    return report_data("ntcir-mc", scoring("ntcir-mc"), GOLD, [exam(folder, "a.xml", "1" * 20)], [])


@pytest.mark.parametrize("form", ["svg", "png", "pdf"])
def test_the_same_input_gives_the_same_bytes(form: str, words: list[str], tmp_path: Path) -> None:
    out = tmp_path / f"figure.{form}"
    made = []
    for _ in range(2):
        assert run("evaluation", *words, "-o", str(out)).status == 0
        made.append(out.read_bytes())
    assert made[0] == made[1]
    assert made[0].startswith({"svg": b"<?xml", "png": b"\x89PNG", "pdf": b"%PDF"}[form])


def test_without_a_trace_there_are_scores_and_kinds(tmp_path: Path) -> None:
    found = panels(data(tmp_path))
    assert [panel.chart for panel in found] == ["score", "kinds"]
    assert found[0].title == "right × 100 of 20 questions, with 95 % intervals"
    assert found[1].title == "By knowledge type, with standard errors"


def test_a_bar_is_as_long_as_its_share(tmp_path: Path) -> None:
    shown = data(tmp_path)
    axes = Figure().subplots()
    panels(shown)[0].draw(axes)
    right = sum(one.runs[0].score for one in shown.questions)
    assert [bar.get_width() for bar in axes.patches] == [100 * right / 20]  # type: ignore[attr-defined]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["a"]


def test_what_a_dollar_encloses_is_no_formula(tmp_path: Path) -> None:
    words = ["plot", "ntcir-mc", str(GOLD), str(exam(tmp_path, "$\\undefined$.xml", "1" * 20))]
    assert run("evaluation", *words, "-o", str(tmp_path / "figure.svg")).status == 0


def test_an_svg_is_one_file_without_links(words: list[str], tmp_path: Path) -> None:
    assert (
        run("evaluation", *words, "--chart", "score", "-o", str(tmp_path / "figure.svg")).status
        == 0
    )
    root = parse_xml(tmp_path / "figure.svg", ("svg",))
    targets = [
        value
        for one in root.iter()
        for name, value in one.attrib.items()
        if str(name).endswith("href")
    ]
    assert all(str(target).startswith("#") for target in targets)


@pytest.mark.parametrize("name", ["figure", "figure.jpg", "-"])
def test_another_format_is_refused_before_any_work(
    name: str, words: list[str], tmp_path: Path
) -> None:
    target = name if name == "-" else str(tmp_path / name)
    assert "the file extension must be one of .svg, .png, .pdf" in refused(
        "evaluation", *words, "-o", target
    )


def test_a_chart_without_numbers_is_refused_with_the_remedy(
    words: list[str], tmp_path: Path
) -> None:
    line = refused("evaluation", *words, "--chart", "margins", "-o", str(tmp_path / "figure.svg"))
    assert (
        line
        == "--chart margins: there are no numbers for it; most charts need the --trace of each run"
    )
    assert not (tmp_path / "figure.svg").exists()


def test_a_character_that_no_font_has_is_said_in_one_line(tmp_path: Path) -> None:
    words = ["plot", "ntcir-mc", str(GOLD), str(exam(tmp_path, "run-\u0378.xml", "1" * 20))]
    ended = run("evaluation", *words, "-o", str(tmp_path / "figure.svg"))
    assert (ended.status, ended.err.splitlines()[0].partition(":")[0]) == (0, "warning")
    assert "no font on this machine has some of the characters" in ended.err.splitlines()[0]


@pytest.mark.process
def test_without_matplotlib_the_extra_is_named(words: list[str], tmp_path: Path) -> None:
    program = (
        "import sys; sys.modules['matplotlib'] = None; sys.argv = ['evaluation', *sys.argv[1:]]\n"
        "from evaluation.__main__ import main; from indexer.cli.program import run_program; "
        "run_program(main, 'x')"
    )
    out = tmp_path / "figure.svg"
    done = subprocess.run(
        [sys.executable, "-c", program, *words, "-o", str(out)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (
        2, f"error: evaluation plot needs matplotlib: {install_hint('plot')}\n"
    )  # fmt: skip
    assert not out.exists()
