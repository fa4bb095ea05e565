"""Essay commands as a user runs them: sheets in, submissions out, one line for what cannot be
read."""

from __future__ import annotations

import json
import re
from functools import partial
from pathlib import Path

import pytest

from answerer.__main__ import main
from answerer.formats.answer_sheet import read_sheet
from answerer.formats.keywords import uses
from answerer.formats.length_limit import measure
from answerer.formats.topics import read_extraction, read_judged
from answerer.ntcir import evaluation_method
from tests.answerer.formats.sheets import section, sheet, write
from tests.answerer.ntcir.books import SAMPLES, build_sample
from tests.programs import invoked, json_lines
from tests.refusals import raises_at

ENGLISH = str(SAMPLES / "essay-en.xml")
GOLD = str(SAMPLES / "essay-en.gold.xml")


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> str:
    return build_sample(tmp_path_factory.mktemp("book"), "en")


run = partial(invoked, main)


def test_a_sheet_comes_back_with_its_essays_and_nothing_else_changed(
    book: str, tmp_path: Path
) -> None:
    out, trace = tmp_path / "run.xml", tmp_path / "run.jsonl"
    run("ntcir-essay", ENGLISH, "--index", book, "-o", str(out), "--trace", str(trace))
    filled = re.sub("<expression>[^<]*", "<expression>", out.read_text("utf-8"))
    assert filled == re.sub("<expression>[^<]*", "<expression>", Path(ENGLISH).read_text("utf-8"))
    for one in read_sheet(out).sections:
        text = one.answers[0].expressions[0].text
        assert 0 < measure(text, "words") <= (one.answers[0].limit.most or 0)
        assert all(uses(keyword, text) for keyword in one.keywords)
    rows = json_lines(trace)
    assert rows[0]["run"]["task"] == "ntcir-essay"
    essay = rows[1]
    assert essay["length"] == measure(essay["system"], "words") <= essay["limit"] == 60
    chosen = [one for one in essay["candidates"] if one.get("chosen")]
    assert all(one["text"] in essay["system"] and one["evidence"][0]["doc_id"] for one in chosen)
    assert set(essay["keywords"]) == {"Opium War", "the Sepoy Mutiny", "Suez Canal"}


def test_without_o_the_sheet_alone_goes_to_stdout(book: str) -> None:
    result = run("ntcir-essay", ENGLISH, "--index", book, "--method", "keywords-first")
    assert result.stdout.startswith(
        '<?xml version="1.0" encoding="UTF-8"?>\n<answer_sheet ver="0.1">'
    )
    assert result.stdout.endswith("</answer_sheet>\n")


def test_keywords_without_room_are_said_in_one_line(book: str, tmp_path: Path) -> None:
    text = section(
        "S",
        instruction="Explain.",
        limit="no more than 3 English words",
        keywords=("Suez Canal", "Opium War"),
    )
    result = run("ntcir-essay", str(write(tmp_path, sheet(text))), "--index", book)
    assert result.stderr == "warning: S: no room for Opium War in 3 words\n"
    assert "<expression>Suez Canal.</expression>" in result.stdout


def test_what_a_passage_covers_adds_up_to_its_score(book: str, tmp_path: Path) -> None:
    trace = tmp_path / "trace.jsonl"
    run(f"ntcir-extraction {ENGLISH} --index {book} -o {tmp_path}/out.xml --trace {trace}")
    for line in trace.read_text("utf-8").splitlines()[1:]:
        for one in json.loads(line)["candidates"]:
            (evidence,) = one["evidence"]
            assert sum(evidence["terms"].values()) == pytest.approx(one["score"], rel=1e-4)
            assert evidence["title"]


def test_extraction_stays_within_ten_times_the_limit(book: str, tmp_path: Path) -> None:
    out = tmp_path / "extraction.xml"
    run("ntcir-extraction", ENGLISH, "--index", book, "-o", str(out))
    sections = read_sheet(ENGLISH).sections
    for (topic_id, passages), one in zip(read_extraction(out).items(), sections, strict=True):
        assert topic_id == one.section_id
        assert [passage.rank for passage in passages] == list(range(1, len(passages) + 1))
        scores = [passage.normalized for passage in passages]
        assert scores[0] == 1.0
        assert scores == sorted(scores, reverse=True)
        length = sum(measure(passage.text, "words") for passage in passages)
        assert length <= 10 * (one.answers[0].limit.most or 0)
        assert {passage.source_type for passage in passages} == {"QALAB3"}
        assert all(passage.source_id.startswith("S-EN-") for passage in passages)


def words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.lower()))


def test_summarization_cites_only_what_it_used(book: str, tmp_path: Path) -> None:
    extraction, out = tmp_path / "extraction.xml", tmp_path / "run.xml"
    run("ntcir-extraction", ENGLISH, "--index", book, "-o", str(extraction))
    run("ntcir-summarization", ENGLISH, str(extraction), "-o", str(out))
    topics = read_extraction(extraction)
    written = read_sheet(out)
    assert written.src == "extraction.xml"
    for one in written.sections:
        (essay,) = one.answers[0].expressions
        sentences = re.findall(r"[^.]+\.", essay.text.split(" Also relevant")[0])
        by_source: dict[str, str] = {}
        for passage in topics[one.section_id]:
            by_source[passage.source_id] = by_source.get(passage.source_id, "") + passage.text
        used = {
            source
            for source, text in by_source.items()
            if any(words(part) <= words(text) for part in sentences)
        }
        assert set(essay.source_ids or ()) == used


def test_summarization_refuses_the_extraction_of_another_sheet_and_says_what_a_file_lacks(
    tmp_path: Path,
) -> None:
    passage = '<PASSAGE RANK="1" SOURCE_ID="x" SOURCE_ID_TYPE="WEB" SCORE="1" NORMALIZED_SCORE="1">It fell.</PASSAGE>'
    other = write(
        tmp_path, f'<TOPIC ID="other"><PASSAGE_SET>{passage}</PASSAGE_SET></TOPIC>', "other.xml"
    )
    with raises_at(other):
        run("ntcir-summarization", ENGLISH, str(other))
    text = passage.replace("It fell", "China lost the Opium War")
    one = write(
        tmp_path, f'<TOPIC ID="S-EN-ESSAY-1"><PASSAGE_SET>{text}</PASSAGE_SET></TOPIC>', "one.xml"
    )
    result = run("ntcir-summarization", ENGLISH, str(one))
    assert f"warning: {one}: no TOPIC for S-EN-ESSAY-2: without passages\n" in result.stderr
    assert "warning: S-EN-ESSAY-2: nothing found to write in 25 words\n" in result.stderr
    assert '<expression source_id="x">China lost the Opium War.' in result.stdout


def test_an_empty_topic_leaves_the_answer_as_it_was_and_says_so(tmp_path: Path) -> None:
    asked = write(tmp_path, sheet(section("S")))
    empty = write(tmp_path, '<TOPIC ID="S"><PASSAGE_SET/></TOPIC>', "empty.xml")
    result = run("ntcir-summarization", str(asked), str(empty))
    assert "S: " in result.stderr
    assert "(PREASE WRITE YOUR ANSWER)" in result.stdout


def test_a_combination_run_fills_terms_and_essays(book: str, tmp_path: Path) -> None:
    out, trace = tmp_path / "run.xml", tmp_path / "run.jsonl"
    run(f"ntcir-sheet {SAMPLES}/sheet-en.xml --index {book} -o {out} --trace {trace}")
    texts = [one.answers[0].expressions[0].text for one in read_sheet(out).sections]
    assert texts[1] == "Marco Polo"
    assert "Suez Canal" in texts[0]
    assert "Liegnitz" in texts[2]
    rows = json_lines(trace)[1:]
    assert [row["question_id"] for row in rows] == ["S-EN-ESSAY-1", "S-EN-TERM-1", "S-EN-ESSAY-2"]


def test_term_sections_are_left_to_their_own_command(book: str, tmp_path: Path) -> None:
    term = section("T", kind="term_person", match="exact", limit="-1")
    result = run("ntcir-essay", str(write(tmp_path, sheet(term, section("S")))), "--index", book)
    assert result.stderr == "left as they were (no essays; `ntcir-sheet` fills terms too): T\n"
    terms = write(tmp_path, sheet(term))
    with raises_at(terms):
        run("ntcir-essay", str(terms), "--index", book)


def test_answers_are_ranked_and_scored(tmp_path: Path) -> None:
    texts = Path(GOLD).read_text("utf-8")
    half = re.sub(r"(<expression>[^<.]*\.)[^<]*", r"\1", texts)
    nothing = re.sub(r"<expression>[^<]*", "<expression>(PREASE WRITE YOUR ANSWER)", texts)
    files = [
        write(tmp_path, text, f"{name}.xml")
        for name, text in (("none", nothing), ("half", half), ("all", texts))
    ]
    out = tmp_path / "judged.xml"
    run("ntcir-evaluation-method", GOLD, "--answers", *map(str, files), "-o", str(out))
    topics = list(read_judged(out).values())
    for answers in topics:
        assert [answer.rank for answer in answers] == [1, 2, 3]
        assert answers[-1].score == 0.0
    assert [answer.file_name for answer in topics[0]] == ["all.xml", "half.xml", "none.xml"]


def test_the_files_that_are_judged_are_sources_of_the_run() -> None:
    assert evaluation_method.answer(GOLD, answers=[ENGLISH]).sources == [GOLD, ENGLISH]


def test_a_keyword_list_scores_less_than_an_answer(tmp_path: Path) -> None:
    texts = Path(GOLD).read_text("utf-8")
    stuffed = re.sub(
        r"<expression>[^<]*", "<expression>Opium War, the Sepoy Mutiny, Suez Canal. ", texts
    )
    half = re.sub(r"(<expression>[^<.]*\.)[^<]*", r"\1", texts)
    files = [
        write(tmp_path, text, f"{name}.xml")
        for name, text in (("stuffed", stuffed), ("half", half))
    ]
    result = run("ntcir-evaluation-method", GOLD, "--answers", str(files[0]), "--answers", str(files[1]),
                 "--nuggets", str(SAMPLES / "nuggets-en.xml"))  # fmt: skip
    (tmp_path / "judged.xml").write_text(result.stdout, "utf-8")
    topics = list(read_judged(tmp_path / "judged.xml").values())
    assert topics[0][0].file_name == "half.xml"


def test_the_run_id_of_the_task_page_s_second_example_comes_by_itself(tmp_path: Path) -> None:
    gold = tmp_path / "qalab3-en-phase1-goldstandard-essay.xml"
    gold.write_bytes(Path(GOLD).read_bytes())
    out = tmp_path / "judged.xml"
    run(f"ntcir-evaluation-method {gold} --answers {GOLD} -o {out} --trace {tmp_path}/judged.jsonl")
    run("submit", "ntcir", str(out), "--team", "QALabOrganizers", "-o", str(tmp_path / "tree"))
    name = "qalab3-en-phase1-answersheet-essay_QALabOrganizers_evaluation-method_01.xml"
    assert (tmp_path / "tree/phase1/essay/evaluation_method/run1" / name).exists()


def test_evaluation_method_refuses_what_it_cannot_judge(tmp_path: Path) -> None:
    other = write(tmp_path, sheet(section("X")), "other.xml")
    with raises_at(other):
        run("ntcir-evaluation-method", GOLD, "--answers", str(other))
    with raises_at(GOLD):
        run("ntcir-evaluation-method", GOLD, "--answers", GOLD, "--answers", GOLD)
    with raises_at(ENGLISH):
        run("ntcir-evaluation-method", ENGLISH, "--answers", GOLD)
    foreign = write(
        tmp_path,
        '<doc><exam id="Z"><answer><proposition value="x"/></answer></exam></doc>',
        "n.xml",
    )
    with raises_at(foreign):
        run("ntcir-evaluation-method", GOLD, "--answers", GOLD, "--nuggets", str(foreign))


def test_weights_are_learned_and_used(book: str, tmp_path: Path) -> None:
    model = tmp_path / "essay.model.json"
    result = run("train", "ntcir-essay", GOLD, "--index", book, "--folds", "2", "-o", str(model))
    assert result.stdout.splitlines()[0] == "2 essays, 2 folds, seed 0"
    assert "logistic, cross-validated" in result.stdout
    filled = run("ntcir-essay", ENGLISH, "--index", book, "--model", str(model)).stdout
    assert "Suez Canal" in filled
    with raises_at(ENGLISH):
        run("train", "ntcir-essay", ENGLISH, "--index", book, "-o", str(model))
