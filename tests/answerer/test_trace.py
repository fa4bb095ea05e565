"""Traces: what is written comes back, damaged ones are refused in one line."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openapi_schema_validator import OAS31Validator

from answerer.run import Outputs, Run, one_file, write_run
from answerer.trace import (
    TraceCandidate,
    TraceEvidence,
    TraceQuestion,
    TraceStatement,
    decode,
    encode,
    read_trace,
)
from indexer.engines.contract import Document, Index, Metadata, Part
from indexer.engines.opening import builder_for, open_index
from indexer.languages.english import ENGLISH
from retriever.provenance import describe
from tests.answerer.trace_schema import PAGE, schema
from tests.places import SAMPLES
from tests.programs import done, refused
from tests.refusals import raises_at


def write_traced(
    path: Path, questions: Sequence[TraceQuestion], index: Index | None = None
) -> None:
    """Writes the trace of a run of SLQAL."""
    run = Run(
        task="ntcir-mc",
        method="slqal",
        parameters={"k": 5},
        index=describe(index) if index else None,
        language=ENGLISH,
        files=one_file(""),
        questions=questions,
    )
    write_run(run, Outputs(str(path.with_name("run")), trace=str(path)))


def test_a_trace_is_read_back(tmp_path: Path) -> None:
    path = tmp_path / "trace.jsonl"
    evidence = TraceEvidence(doc_id="d", text="t", score=1 / 3, terms={"war": 2.0}, title="Wars")
    answered = TraceQuestion(question_id="A1", candidates=(TraceCandidate(evidence=(evidence,)),))
    write_traced(path, [answered])
    run, (question,) = read_trace(path)
    assert (run["task"], run["method"], run["parameters"], run["engine"]) == (
        "ntcir-mc",
        "slqal",
        {"k": 5},
        None,
    )
    assert question.candidates[0].evidence == (replace(evidence, score=0.3333333),)


def corpus_of(tmp_path: Path, folder: str, unit: str) -> dict[str, Any]:
    """What a trace says of an index of one document, built in a folder of its own with a
    setting."""
    address, sources = str(tmp_path / folder / "index"), (("book.txt", 12),)
    metadata = Metadata(
        *("textbook", (Part("sentences", ("text",)),), ENGLISH, {"unit": unit}, sources),
        content="0123",
    )
    writer = builder_for(address).build(address, metadata)
    writer.add("sentences", [Document("a", "Rome fell.", {"text": ["rome", "fell"]})])
    writer.publish()
    questions = [TraceQuestion(question_id="A1")]
    write_traced(tmp_path / folder / "trace", questions, open_index(address))
    run, _ = read_trace(tmp_path / folder / "trace")
    return dict(run["corpus"])


def test_the_corpus_is_known_by_what_it_was_built_of_not_by_where_it_is(tmp_path: Path) -> None:
    corpus, same, other = (
        corpus_of(tmp_path, *each) for each in (("a", "s"), ("b", "s"), ("c", "p"))
    )
    assert corpus == same
    assert corpus["sources"] == [["book.txt", 12]]
    assert corpus["documents"] == {"sentences": 1}
    assert corpus["sha256"] == "0123"
    assert other == {**corpus, "settings": {"unit": "p"}}


@pytest.mark.parametrize(
    "content",
    [
        "no json\n",
        "[1]\n",
        '{"a": 1}\n',
        '{"run": 5}\n',
        '{"run": {}, "version": 2}\n',
        '{"question_id": "1", "candidates": [{"score": "inf"}]}\n',
        '{"question_id": "1", "candidates": [{"score": true}]}\n',
        '{"run": {"parameters": [1]}}\n',
        '{"run": {"versions": "1"}}\n',
        '{"question_id": ["1"]}\n',
        '{"question_id": "1", "exam": []}\n',
        '{"question_id": "1", "candidates": ["a"]}\n',
        '{"question_id": "1", "covered": NaN}\n',
        '{"question_id": "1", "covered": 1e999}\n',
        f'{{"question_id": "1", "covered": 1{"0" * 400}}}\n',
        '{"question_id": "1", "text": "\0"}\n',
    ],
)
def test_a_file_that_is_no_trace_is_refused_by_line(tmp_path: Path, content: str) -> None:
    path = tmp_path / "trace.jsonl"
    path.write_text('{"run": {}}\n' + content)
    with raises_at("trace.jsonl", 2):
        read_trace(path)


def test_a_text_with_line_ends_of_its_own_is_read_back(tmp_path: Path) -> None:
    questions = [TraceQuestion(question_id="1", question="who\u2028built\x85it")]
    write_traced(tmp_path / "t.jsonl", questions)
    assert read_trace(tmp_path / "t.jsonl")[1] == questions


def test_a_trace_is_not_written_over_another_file(tmp_path: Path) -> None:
    gold = tmp_path / "gold.xml"
    gold.write_text("<answerTable/>", "utf-8")
    said = refused("answerer", "nlpcc-dbqa", str(SAMPLES / "dbqa.test.txt"), "--trace", str(gold))
    assert str(gold) in said
    assert gold.read_text("utf-8") == "<answerTable/>"


def test_the_schema_of_the_docs_is_that_of_the_dataclasses() -> None:
    assert json.loads(PAGE.read_text("utf-8")) == schema(), (
        "run: python -m tests.answerer.trace_schema"
    )


@pytest.mark.process
def test_a_trace_fits_its_schema(tmp_path: Path) -> None:
    trace = tmp_path / "trace"
    words = ("-o", str(tmp_path / "run"), "--trace", str(trace))
    done("answerer", "nlpcc-tbqa", str(SAMPLES / "tbqa.dev.txt"), *words)
    lines = trace.read_text("utf-8").splitlines()
    valid = OAS31Validator(schema())
    assert len(lines) > 1
    assert [line for line in lines if not valid.is_valid(json.loads(line))] == []
    assert not valid.is_valid({"question_id": "1", "candidates": [{"score": "high"}]})


_NAMES = st.text(max_size=3)
_NUMBERS = st.floats(-1e6, 1e6).map(lambda value: float(f"{value:.7g}"))


@given(
    st.builds(
        TraceQuestion,
        question_id=_NAMES,
        system=st.lists(_NAMES.filter(bool), max_size=3).map(tuple),
        asks=st.sampled_from(("", "T", "F")),
        weights=st.dictionaries(_NAMES, _NUMBERS, max_size=2),
        covered=st.none() | _NUMBERS,
        candidates=st.lists(
            st.builds(
                TraceCandidate,
                id=_NAMES,
                score=_NUMBERS,
                chosen=st.booleans(),
                features=st.dictionaries(_NAMES, _NUMBERS, max_size=2),
                statements=st.lists(
                    st.builds(TraceStatement, claimed=st.none() | st.booleans()), max_size=2
                ).map(tuple),
                evidence=st.lists(
                    st.builds(TraceEvidence, doc_id=_NAMES, score=_NUMBERS), max_size=2
                ).map(tuple),
            ),
            max_size=2,
        ).map(tuple),
    )
)
def test_what_is_encoded_is_decoded(question: TraceQuestion) -> None:
    assert decode(json.loads(json.dumps(encode(question)))) == question
