"""SelQA files: JSON objects, one a line or in one list, in the challenge's names or the corpus
repository's."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from indexer.files.encoding import QUESTION_LIMIT, read_text
from indexer.files.errors import bad_input
from indexer.files.json_objects import LARGEST_NUMBER, in_a_list, json_objects
from indexer.files.messages import counted
from indexer.formats.labels import CandidateList, Candidates, candidate_lists

SHAPE = "expected JSON objects with question, sentences and candidates, one a line or in one list"


class SelqaFile(NamedTuple):
    """The JSON objects of a file, unchanged, and for each its candidate list, first line and stored
    scores (`results`, None without); `is_list` is whether the file is one JSON list."""

    objects: list[dict[str, Any]]
    lists: list[CandidateList]
    is_list: bool
    results: list[list[float] | None]
    lines: list[int]
    warnings: Sequence[str] = ()  # as of other forms; these labels are all 0 or 1


def read_selqa(path: str | Path) -> SelqaFile:
    """Reads a file of the challenge [SelQA-Challenge] or of the corpus repository, which swaps
    names.

    Challenge: `candidates` are the indices of the gold sentences. Repository: `candidates` are the
    sentences and `answers` the indices. Objects without indices have no gold. `results` are read if
    present. A list's kinds are `type` (else `topic`) and, if it is given, `paraphrase` (yes, no);
    its group is the article, else the question; null is like a field that is not there.

    Raises UserError with file and line: not JSON, not an object, no question, no list of sentences
    (it may be empty), an index out of range, results that are not a list of finite numbers, one a
    sentence; and for a file without objects.
    """
    text = read_text(path, limit=QUESTION_LIMIT)
    is_list = in_a_list(text)
    objects, lists, lines = [], [], []
    results: list[list[float] | None] = []
    for line, item in json_objects(text, path, SHAPE):
        objects.append(item)
        # `candidates` are indices in the challenge and sentences in the repository: the key
        # `sentences` decides.
        swapped = "sentences" not in item and "candidates" in item
        names = ("candidates", "answers") if swapped else ("sentences", "candidates")
        question, scores = item.get("question"), item.get("results")
        sentences, gold = item.get(names[0]), item.get(names[1])
        if not isinstance(question, str) or not question.strip():
            raise bad_input(path, line, "an object without a question", SHAPE)
        if not isinstance(sentences, list) or not all(
            isinstance(sentence, str) for sentence in sentences
        ):
            raise bad_input(path, line, f"an object without {names[0]}, a list of texts", SHAPE)
        kinds = {"type": str(item.get("type") or item.get("topic") or "")}
        if item.get("is_paraphrase") is not None:
            kinds["paraphrase"] = "yes" if item["is_paraphrase"] else "no"
        article = str(item.get("article") or "")
        marks = None
        if gold is not None:
            # Not isinstance: true and false are instances of int, and not indices.
            if not isinstance(gold, list) or not all(
                type(index) is int and 0 <= index < len(sentences) for index in gold
            ):
                what = (
                    f"{names[1]} is not a list of places of its {len(sentences)} sentences, from 0"
                )
                raise bad_input(path, line, what, SHAPE)
            marks = tuple(map(set(gold).__contains__, range(len(sentences))))
        if scores is not None:
            numbers: list[Any] = scores if isinstance(scores, list) else [None]
            finite = all(
                type(score) in (int, float) and abs(score) <= LARGEST_NUMBER for score in numbers
            )
            if not finite or len(numbers) != len(sentences):
                expected = f"expected {counted(len(sentences), 'numbers')}"
                raise bad_input(path, line, "results is not one number a sentence", expected)
        # Questions of one article share its sentences: they must not be on both sides of a fold.
        lists.append(
            CandidateList(question, tuple(sentences), marks, article or question, article, kinds)
        )
        results.append(None if scores is None else [float(score) for score in scores])
        lines.append(line)
    if not objects:
        raise bad_input(path, None, "no questions", SHAPE)
    return SelqaFile(objects, lists, is_list, results, lines)


def selqa_file(questions: Iterable[CandidateList | Candidates]) -> SelqaFile:
    """Questions as the objects of a file, one a line, with `question` and `sentences` only. Raises
    UserError for another shape, an empty question, one without candidates, and no questions."""
    lists = candidate_lists(questions)
    objects = [{"question": item.question, "sentences": list(item.candidates)} for item in lists]
    return SelqaFile(objects, lists, False, [None] * len(lists), list(range(1, len(lists) + 1)))
