"""Gold essays made worse in known steps: what each step holds, and that our evaluation method sees
the order."""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from answerer.__main__ import main as answerer
from evaluation.__main__ import main as evaluation
from indexer.files.errors import UserError
from indexer.languages.english import ENGLISH
from tests.answerer.formats.sheets import section, sheet, write
from tests.places import ROOT
from tests.programs import invoked

sys.path.insert(0, str(ROOT / "benchmarks"))

import degraded_essays
from degraded_essays import FAMILIES, Essay, degraded

OWN = ("One fell.", "Two rose.", "Three won.", "Four lost.")
ESSAY = Essay(OWN, ("fall", "rise"), ("Rain came.", "Snow came."), ENGLISH)


@pytest.mark.parametrize("family", FAMILIES)
def test_every_family_begins_with_the_essay_itself(family: str) -> None:
    versions = degraded(ESSAY, family, random.Random(1))
    assert versions[0] == " ".join(OWN)
    assert len(set(versions)) == len(versions) > 1


def test_what_each_step_holds() -> None:
    def own(text: str) -> int:
        return sum(sentence in text for sentence in OWN)

    assert [own(text) for text in degraded(ESSAY, "dropped", random.Random(1))] == [4, 3, 2, 1]
    assert [own(text) for text in degraded(ESSAY, "swapped", random.Random(1))] == [4, 3, 2, 1, 0]
    assert [own(text) for text in degraded(ESSAY, "off-topic", random.Random(1))] == [4, 2, 0]
    stuffed = degraded(ESSAY, "stuffed", random.Random(1))
    assert ([own(text) for text in stuffed], stuffed[-1]) == ([4, 2, 0], "fall、rise")
    sentences, words = degraded(ESSAY, "shuffled", random.Random(1))[1:]
    assert (own(sentences), sorted(words.split())) == (4, sorted(" ".join(OWN).split()))


def test_an_essay_of_one_sentence_goes_without_the_steps_between() -> None:
    short = ESSAY._replace(sentences=("It fell at last.",))
    assert len(degraded(short, "dropped", random.Random(1))) == 1
    assert len(degraded(short, "swapped", random.Random(1))) == 2


def test_the_evaluation_method_sees_the_order(tmp_path: Path) -> None:
    texts = (
        "Ships sailed. Kings fell. Trade grew. Towns rose.",
        "Monks prayed. Popes ruled. Wars raged. Crops failed.",
    )
    asked = {"instruction": "Explain.", "limit": "-1", "keywords": ("ships", "monks")}
    gold = write(
        tmp_path,
        sheet(*(section(f"S{n}", expressions=(text,), **asked) for n, text in enumerate(texts))),
    )  # type: ignore[arg-type]
    invoked(degraded_essays.main, str(gold), str(tmp_path / "worse"))
    for family in FAMILIES:
        folder = tmp_path / "worse" / family
        files = sorted(map(str, folder.glob("*.xml")))
        judged = CliRunner().invoke(
            answerer, ["ntcir-evaluation-method", str(gold), "--answers", *files]
        )
        run = write(tmp_path, judged.stdout, "run.xml")
        scored = CliRunner().invoke(
            evaluation,
            ["ntcir-evaluation-method", str(folder / "marks.tsv"), str(run), "--format", "jsonl"],
        )
        kendall = json.loads(scored.stdout.splitlines()[0])
        assert (kendall["measure"], kendall["topics"]) == ("kendall", 2)
        assert kendall["value"] == pytest.approx(1.0)


def test_one_essay_alone_cannot_be_swapped(tmp_path: Path) -> None:
    gold = write(tmp_path, sheet(section("S", expressions=("It fell.",))))
    result = CliRunner().invoke(
        degraded_essays.main, [str(gold), str(tmp_path)], standalone_mode=False
    )
    assert isinstance(result.exception, UserError)
    assert "1 sections with a gold essay" in str(result.exception)
