"""Exam methods of other distributions: the one of the docs as a plug-in, options with defaults, and
verdicts that are not right."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import click
import pytest

import indexer.plug_ins
from answerer.ntcir.multiple_choice.methods import (
    METHODS,
    TAKEN,
    AnsweredQuestion,
    Method,
    Verdict,
    declared_options,
    exam_methods,
    method,
    with_checks,
)
from answerer.ntcir.multiple_choice.task import command
from answerer.options import model_option
from answerer.trace import read_trace
from indexer.engines.contract import Index
from indexer.files.errors import UserError
from retriever.search import Hit
from tests.answerer.formats.exam.exams import choices, question, read, section
from tests.places import ROOT, SAMPLES


@pytest.fixture(scope="module")
def distribution(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the docs' example as an installed distribution, and an index of a book."""
    folder = tmp_path_factory.mktemp("plug-in")
    page = (ROOT / "docs/contributing.md").read_text("utf-8")
    declared = tomllib.loads(re.findall(r"^```toml\n(.*?)^```$", page, re.M | re.S)[0])
    ((group, points),) = declared["project"]["entry-points"].items()
    ((name, function),) = points.items()
    blocks = re.findall(
        r"^```python\n(.*?)^```$", (ROOT / "docs/python.md").read_text("utf-8"), re.M | re.S
    )
    (block,) = [block for block in blocks if "@click.option" in block]
    (folder / f"{function.partition(':')[0]}.py").write_text(block.partition("\nprint(")[0])
    metadata = folder / "best_passage-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: best-passage\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(f"[{group}]\n{name} = {function}\n")
    ended = run(folder, "indexer", "textbook", str(SAMPLES / "textbook-en.jsonl"))
    assert ended.returncode == 0, ended.stderr
    return folder


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": f"{folder}{os.pathsep}{os.environ['PYTHONPATH']}"}
    command = [sys.executable, "-m", *words]
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


def answered(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    exam = str(SAMPLES / "sample-exam-en.xml")
    return run(folder, "answerer", "ntcir-mc", exam, "-o", "run.xml", *options)


@pytest.mark.process
@pytest.mark.parametrize(("options", "stem"), [((), 0.5), (("--stem", "0"), 0)])
def test_the_method_of_the_docs_has_its_option(
    distribution: Path, options: tuple[str, ...], stem: float
) -> None:
    words = ("--method", "best-passage", *options, "--trace", "run.jsonl")
    ended = answered(distribution, *words)
    assert ended.returncode == 0, ended.stderr
    header, questions = read_trace(distribution / "run.jsonl")
    made_by = {"distribution": "best-passage 1.0"}
    assert header["parameters"] == {"k": 5, "stem": stem} | made_by
    assert header["versions"]["best-passage"] == "1.0"
    # The book has no word of the first choice: "It was written on papyrus in an alphabet."
    assert (questions[0].candidates[0].score > 0) == (stem > 0)


@pytest.mark.process
def test_another_method_does_not_take_it(distribution: Path) -> None:
    assert answered(distribution, "--method", "slqal").returncode == 0
    refused = answered(distribution, "--method", "slqal", "--stem", "0.5")
    assert refused.stderr == (
        "error: --method slqal does not take --stem: it takes --choice-only, --all-terms\n"
    )
    assert "score of the best passage" in " ".join(
        run(distribution, "answerer", "ntcir-mc", "--help").stdout.split()
    )


@click.option("--alpha", type=float, default="0.5")
@click.option("--seed", type=click.IntRange(0), required=True)
def weighed(**options: Any) -> Method:
    """Records its options."""
    return Method(lambda *_: [], options)


@pytest.fixture
def registered(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setitem(METHODS, "weighed", (f"{__name__}:weighed", ""))
    exam_methods.cache_clear()
    yield
    exam_methods.cache_clear()


@pytest.mark.usefixtures("registered")
def test_an_option_that_is_not_given_has_its_default_and_0_is_given() -> None:
    assert method("weighed", seed=7).parameters == {"alpha": 0.5, "seed": 7}
    assert method("weighed", alpha=0, seed=0).parameters == {"alpha": 0, "seed": 0}
    assert method("weighed", alpha=None, seed=1).parameters == {"alpha": 0.5, "seed": 1}
    with pytest.raises(UserError, match=r"^--method weighed needs --seed$"):
        method("weighed", alpha=1)


def test_what_is_0_or_false_is_given_to_a_method_that_does_not_take_it() -> None:
    with pytest.raises(
        UserError, match=r"^--method validation does not take --alpha: it takes --model$"
    ):
        method("validation", alpha=0)
    assert method("slqal", choice_only=False, all_terms=True).parameters == {"all_terms": True}


@pytest.mark.usefixtures("registered")
@pytest.mark.parametrize(
    ("options", "line"),
    [
        ({"alpha": "x"}, "--alpha: 'x' is not a valid float."),
        ({"alpha": [1]}, "--alpha: [1] is not a valid float."),
        ({"alpha": float("nan")}, "--alpha: nan is not a number"),
        ({"seed": -1}, "--seed: -1 is not in the range x>=0."),
        ({"seed": 2.7}, "--seed: '2.7' is not a valid integer range."),
        ({"sede": 1}, "--method weighed does not take --sede: it takes --alpha, --seed"),
    ],
)
def test_a_value_from_python_must_be_of_the_option_s_type(
    options: dict[str, object], line: str
) -> None:
    with pytest.raises(UserError) as refused:
        method("weighed", **{"seed": 1, **options})
    assert str(refused.value) == line


@click.option("--team", "side", type=int)
def with_a_name_of_the_command(**_: Any) -> Method:
    """Has an option of the command."""
    raise AssertionError


@click.option("--model", type=int)
def with_another_kind_of_model(**_: Any) -> Method:
    """Has an option of other methods, of another type."""
    raise AssertionError


@model_option
def with_a_model(**_: Any) -> Method:
    """Has the option of other methods."""
    raise AssertionError


@pytest.mark.parametrize(
    ("function", "fault"),
    [
        (with_a_name_of_the_command, "--team is one of the command's"),
        (with_another_kind_of_model, "--model is another method's, of another kind"),
        (with_a_model, ""),
    ],
)
def test_a_method_whose_option_is_there_already_is_left_out_and_named(
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    function: Callable[..., Method],
    fault: str,
) -> None:
    point = EntryPoint("mine", f"{__name__}:{function.__name__}", "methods")
    monkeypatch.setattr(indexer.plug_ins, "entry_points", lambda group: EntryPoints([point]))
    assert ("mine" in exam_methods.__wrapped__()) == (not fault)
    lines = [f"mine is left out (its option {fault})"] if fault else []
    assert [message.partition("exam_methods ")[2] for message in caplog.messages] == lines


def test_every_option_of_the_command_is_known_as_taken() -> None:
    of_methods = {
        option.name for place, _ in METHODS.values() for option in declared_options(place)
    }
    for param in command.params:
        if param.name not in of_methods:
            spellings = {text.lstrip("-").replace("-", "_") for text in param.opts}
            assert {param.name, *spellings} <= TAKEN


WRONG: dict[str, Any] = {
    "is 1.0: expected a Verdict": 1.0,
    "has the score '3': expected a finite number": Verdict("3"),  # type: ignore[arg-type]
    "has the score nan: expected a finite number": Verdict(float("nan")),
    "is explained by {'both': 1.0}: expected {\"features\": {NAME: NUMBER}}": Verdict(
        1.0, {"both": 1.0}
    ),
    "has the features {'both': 'x'}: expected {NAME: NUMBER}": Verdict(
        1.0, {"features": {"both": "x"}}
    ),
    "has the events [1]: expected a list of TraceEvent": Verdict(1.0, {"events": [1]}),
    "expected a list of Evidence, as of explain_hits": Verdict(
        1.0,
        evidence=[Hit("d1", 1.0, "", "")],  # type: ignore[list-item]
    ),
    "has the query 'rome': expected a list of terms": Verdict(1.0, query="rome"),
    "has the probability 'high': expected a number, or None": Verdict(1.0, probability="high"),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("fault", WRONG)
def test_a_verdict_that_is_not_right_is_one_line(tmp_path: Path, fault: str) -> None:
    asked = question("Choose.", choices("Rome", "Utica", column="A1"))
    questions = read(tmp_path, section(asked)).questions

    def mine(*_: object) -> list[AnsweredQuestion]:
        return [AnsweredQuestion(questions[0], "1", (Verdict(1.0), WRONG[fault]))]

    with pytest.raises(UserError) as refused:
        with_checks(Method(mine)).answer(questions, cast(Index, SimpleNamespace()), 5, True)
    line = str(refused.value)
    assert line.startswith("the method mine: the verdict on choice 2 of A1 ")
    assert fault in line
