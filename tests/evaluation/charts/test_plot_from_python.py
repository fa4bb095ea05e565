"""Charts from Python: those of the command, of runs that were just answered, saved or shown by a
notebook."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from answerer import answer
from evaluation import Plot, UserError, plot
from evaluation.__main__ import main
from tests.places import SAMPLES
from tests.programs import invoked

GOLD = SAMPLES / "selqa.dev.json"


def test_the_figure_is_the_one_that_the_command_draws(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    run, trace, figure = tmp_path / "terms", tmp_path / "trace.jsonl", tmp_path / "python.svg"
    answered = answer("selqa", GOLD)
    answered.save(run, trace)
    made = plot("selqa", GOLD, answered)
    made.save(figure)
    command = [
        "plot",
        "selqa",
        str(GOLD),
        str(run),
        "--trace",
        str(trace),
        "-o",
        str(tmp_path / "command.svg"),
    ]
    invoked(main, *command)
    assert figure.read_bytes() == (tmp_path / "command.svg").read_bytes()
    assert made._repr_png_().startswith(b"\x89PNG")


def test_runs_are_called_by_their_methods_and_told_apart(tmp_path: Path) -> None:
    answered, bare = answer("selqa", GOLD), answer("selqa", GOLD, evidence=False)
    answered.save(tmp_path / "mine.json")
    method = answered.header["method"]
    assert repr(plot("selqa", GOLD, answered, bare, tmp_path / "mine.json")) == (
        f"<Plot selqa: {method}, {method} (2), mine.json>"
    )


def figure() -> Plot:
    return plot("selqa", GOLD, answer("selqa", GOLD, evidence=False))


REFUSED: dict[str, Callable[[], object]] = {
    "no run: expected one or more to draw": lambda: plot("selqa", GOLD),
    "charts: expected a list of score, kinds, margins, calibration": lambda: plot(
        "selqa", GOLD, "x", charts="score"
    ),
    "missing: ": lambda: plot("selqa", GOLD, "missing"),
    "figure.gif: ": lambda: figure().save("figure.gif"),
}


@pytest.mark.parametrize("line", REFUSED)
def test_what_cannot_be_drawn_is_a_users_error(
    line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UserError) as refused:
        REFUSED[line]()
    assert line in str(refused.value)
    assert not list(tmp_path.iterdir())
