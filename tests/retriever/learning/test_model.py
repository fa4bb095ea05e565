"""The model file: what is written is read back; everything else is refused in one line."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from indexer.files.errors import UserError
from indexer.files.hashes import fingerprint
from retriever.learning.model import Model, column_scales, load_model, model_text, save_model
from tests.refusals import raises_at

MODEL = Model(
    task="selqa",
    ranker="listwise",
    feature_names=("idf coverage", "位置"),
    weights=np.array([2.0, -0.25]),
    means=np.array([1.0, 0.0]),
    scales=np.array([0.5, 4.0]),
    data=({"file": "dev.json", "bytes": 3, "sha256": "ab"},),
    figures={"MRR": 0.9},
    settings={"penalty": 300.0},
)


def test_score_is_the_weighted_sum_of_standardised_features() -> None:
    assert MODEL.score(np.array([[2.0, 8.0], [1.0, 0.0]]).T).tolist() == [3.5, 0.0]


def test_contributions_of_a_feature_s_columns_are_added_up_and_sum_to_the_score() -> None:
    model = replace(MODEL, feature_names=("idf coverage", "idf coverage | z"))
    added = model.contributions(np.array([[2.0, 8.0], [1.0, 0.0]]).T)
    assert {name: values.tolist() for name, values in added.items()} == {"idf coverage": [3.5, 0.0]}
    apart = MODEL.contributions(np.array([[2.0, 8.0]]).T)
    assert {name: values.tolist() for name, values in apart.items()} == {
        "idf coverage": [4.0],
        "位置": [-0.5],
    }


def test_a_constant_column_has_scale_1() -> None:
    means, scales = column_scales(np.array([[3.0, 1.0], [3.0, 5.0]]))
    assert (means.tolist(), scales.tolist()) == ([3.0, 3.0], [1.0, 2.0])


def test_written_and_read_back(tmp_path: Path) -> None:
    save_model(MODEL, tmp_path / "m.json")
    back = load_model(tmp_path / "m.json", "selqa", MODEL.feature_names)
    assert model_text(back) == model_text(MODEL)
    assert back.weights.tolist() == [2.0, -0.25]


def test_the_file_is_json_with_a_feature_a_line() -> None:
    text = model_text(MODEL)
    assert json.loads(text)["figures"] == {"MRR": 0.9}
    assert '  ["位置", -0.25, 0.0, 4.0]\n' in text


def test_a_weight_that_is_no_number_is_never_written() -> None:
    with pytest.raises(ValueError, match="JSON"):
        model_text(replace(MODEL, weights=np.array([np.nan, 0.0])))


def refused(
    path: Path, text: str, task: str = "selqa", names: tuple[str, ...] = MODEL.feature_names
) -> str:
    path.write_text(text, "utf-8")
    with pytest.raises(UserError) as caught:
        load_model(path, task, names)
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("-0.25", "NaN", "NaN"),
        ("-0.25", '"x"', "damaged"),
        ('["位置"', '[], ["位置"', "damaged"),
        ("-0.25", "9" * 400, "99999999999999999999"),
        ("-0.25", "-1e308", "-1e308"),
        ('"MRR": 0.9', '"MRR": 1e999', "1e999"),
        ('"sha256"', '"sha"', "damaged model (without 'sha256')"),
        (", 4.0]", ", 1e-300]", "scale"),
        (", 4.0]", ", 0.0]", "scale"),
        ('"version": 1', '"version": 9', "version 9"),
        ('"format"', '"form"', "no ranking model"),
        ('"settings"', '"set"', "damaged model (without 'settings')"),
        ("{", "", "no ranking model"),
    ],
)
def test_damaged_models_are_refused(tmp_path: Path, old: str, new: str, said: str) -> None:
    assert said in refused(tmp_path / "m.json", model_text(MODEL).replace(old, new, 1))


def test_a_model_for_another_task_is_refused(tmp_path: Path) -> None:
    assert "nlpcc-dbqa" in refused(tmp_path / "m.json", model_text(MODEL), "nlpcc-dbqa")


@pytest.mark.parametrize(
    "names", [("idf coverage",), ("idf coverage", "位置", "length"), ("位置", "idf coverage")]
)
def test_a_model_with_other_features_is_refused(tmp_path: Path, names: tuple[str, ...]) -> None:
    assert "not those of this program" in refused(
        tmp_path / "m.json", model_text(MODEL), names=names
    )


def test_a_missing_model_is_named(tmp_path: Path) -> None:
    with raises_at(tmp_path / "none.json"):
        load_model(tmp_path / "none.json", "selqa", ())


def test_fingerprint_is_of_the_bytes(tmp_path: Path) -> None:
    (tmp_path / "abc.txt").write_bytes(b"abc")
    assert fingerprint(tmp_path / "abc.txt") == {
        "file": "abc.txt",
        "bytes": 3,
        "sha256": "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    }
