"""KBQA on both engines: the same knowledge base, the same answers byte for byte, traces equal but
for the index."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from answerer.nlpcc.kbqa.task import command
from indexer.engines.opening import open_index
from tests.answerer.nlpcc.kbqa.knowledge import QUESTIONS, build
from tests.programs import json_lines


def answered(address: str, folder: Path) -> tuple[bytes, list[dict[str, Any]]]:
    out, trace = folder / "answers", folder / "trace"
    arguments = [
        str(QUESTIONS),
        "--index",
        address,
        "--top",
        "5",
        "-o",
        str(out),
        "--trace",
        str(trace),
    ]
    result = CliRunner().invoke(command, arguments)
    assert result.exception is None, result.exception
    return out.read_bytes(), json_lines(trace)


def test_both_engines_give_the_same_answers(elasticsearch_address: str, tmp_path: Path) -> None:
    embedded = str(tmp_path / "index")
    mentions = tmp_path / "mention2id"
    mentions.write_text("这部电视剧 ||| 红楼梦(1987年电视剧)\n", "utf-8")
    for address in (embedded, elasticsearch_address):
        build(address, "--mentions", str(mentions))
    ours, our_trace = answered(embedded, tmp_path)
    theirs, their_trace = answered(elasticsearch_address, tmp_path)
    assert theirs == ours
    for one, other in zip(our_trace[1:], their_trace[1:], strict=True):
        assert one["mentions"] == other["mentions"]
        for mine, yours in zip(one["candidates"], other["candidates"], strict=True):
            assert mine["fact"] == yours["fact"]
            assert mine["features"] == pytest.approx(yours["features"], rel=1e-5)


def test_both_engines_hold_the_same_documents(elasticsearch_address: str, tmp_path: Path) -> None:
    embedded = str(tmp_path / "index")
    for address in (embedded, elasticsearch_address):
        build(address)
    for part in ("subjects", "statistics"):
        ours, theirs = (
            list(open_index(address).part(part).scan())
            for address in (embedded, elasticsearch_address)
        )
        assert ours == theirs
        assert ours
