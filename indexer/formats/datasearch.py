"""NTCIR Data Search: questions, and the collection of data sets (JSON lines)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple
from urllib.parse import unquote

from indexer.files.encoding import numbered_lines, open_lines
from indexer.files.errors import UserError, bad_input
from indexer.files.json_objects import parse_json
from indexer.files.validation import refuse_halves
from indexer.formats.labels import texts_of
from indexer.ingest_report import IngestReport
from indexer.languages.english import ENGLISH
from indexer.languages.japanese import JAPANESE
from indexer.languages.language import Language
from indexer.languages.registry import detect_language

# Data Search QA questions, in tabs or JSON lines, and the datasets that they are about
# [DataSearch2].

QUESTION_SHAPE = (
    "expected QUESTION_ID TAB question TAB dataset id, "
    "or a JSON object with question_id, question, dataset"
)
_LANGUAGE = re.compile(r"-([JE])-")
_LANGUAGES = {"J": JAPANESE, "E": ENGLISH}


class DatasetQuestion(NamedTuple):
    """A question about one dataset."""

    question_id: str
    text: str
    dataset_id: str

    @property
    def language(self) -> Language:
        """Language of the question: by the J or E in the id (DS2-QA-J-1001), else by the text's
        letters."""
        match = _LANGUAGE.search(self.question_id)
        return _LANGUAGES[match[1]] if match else detect_language(self.text)


def read_questions(path: str | Path) -> list[DatasetQuestion]:
    """Questions of a file in order, one a line, tab-separated (id, text, dataset's id) or JSON
    (`question_id`, `question`, `dataset`); fields are stripped, blank lines skipped.

    Raises UserError, with file and line: another shape, an empty field, a repeated id, no question
    at all.
    """
    questions: list[DatasetQuestion] = []
    seen: dict[str, int] = {}
    for number, text in numbered_lines(open_lines(path), path, QUESTION_SHAPE):
        if not text.strip():
            continue
        values: Sequence[object] = text.split("\t")
        if text.lstrip().startswith("{"):
            try:
                values = [*map(parse_json(text).get, ("question_id", "question", "dataset"))]
            except ValueError as error:
                raise bad_input(path, number, f"no JSON ({error})", QUESTION_SHAPE) from error
        fields = [str(value).strip() for value in values if type(value) in (str, int)]
        # Ids go into a run of lines and tabs; the question's text does not.
        in_one_line = all(one_line(field) == field for field in fields[::2])
        if len(values) != 3 or len(fields) != 3 or not all(fields) or not in_one_line:
            raise bad_input(path, number, "not three fields, each a text", QUESTION_SHAPE)
        question = DatasetQuestion(*fields)
        if question.question_id in seen:
            first = seen[question.question_id]
            raise bad_input(
                path, number, f"question id {question.question_id} stands in line {first} already"
            )
        seen[question.question_id] = number
        questions.append(question)
    if not questions:
        raise bad_input(path, None, "no question in it", QUESTION_SHAPE)
    return questions


def validate_questions(
    items: Iterable[DatasetQuestion | tuple[str, str, str]],
) -> list[DatasetQuestion]:
    """Validates questions given in Python, as (id, text, dataset id). Raises UserError if one is
    not three texts that are not blank, if an id repeats, or without questions."""
    questions = []
    for number, item in enumerate(items, 1):
        fields = texts_of(item) or ()
        if len(fields) != 3 or not all(field.strip() for field in fields):
            raise UserError(
                f"question {number}: expected its id, its text and the id of its dataset, three "
                f"texts"
            )
        refuse_halves(fields, f"question {number}")
        questions.append(DatasetQuestion(*fields))
    if not questions:
        raise UserError("no questions: give them with their ids and the ids of their datasets")
    if len({question.question_id for question in questions}) < len(questions):
        raise UserError("two questions have the same id")
    return questions


def one_line(text: str) -> str:
    """A text, stripped, with one blank for each row of tabs and line breaks, which a run cannot
    hold."""
    # All characters at which some program ends a line, not \n alone.
    return re.sub(r"[\t\r\n\x0b\x0c\x85\u2028\u2029]+", " ", text).strip()


# The metadata of a Data Search collection: which files belong to which dataset [DataSearch2].

SHAPE = (
    "expected one JSON object a line with id, title, description and data (a list of data_filename)"
)
# Names in an archive and in the metadata may differ in everything but these 64 hex digits.
_HASH = re.compile(r"[0-9a-f]{64}")


class DatasetMetadata(NamedTuple):
    """One dataset's metadata; `files` are the names of its members in the archive, in the
    collection's order."""

    dataset_id: str
    title: str
    description: str
    files: tuple[str, ...]


def file_key(name: str) -> bytes:
    """Key by which a member's name in an archive and in the metadata are the same: the bytes of 64
    lower-case hex digits in it, else its path without `./`."""
    match = _HASH.search(name)
    return bytes.fromhex(match.group()) if match else name.removeprefix("./").encode()


def readable(name: str) -> str:
    """Readable name of a file: without folder, ending and hash; `7d…0-bus%20stops.csv` is `bus
    stops`."""
    return PurePosixPath(unquote(_HASH.sub("", name))).stem.lstrip("-")


def read_collection(
    path: str | Path,
    tally: IngestReport,
    only: frozenset[str] | None = None,
    seen: set[str] | None = None,
) -> Iterator[DatasetMetadata]:
    """Yields the datasets of a collection file (plain, gz or bz2), with `only` those with these
    ids, and counts them in the tally.

    A bad line is rejected, and so is an id in `seen`, to which new ids are added. Raises UserError
    if no line is a dataset.
    """
    good = 0
    seen = set() if seen is None else seen
    for line in open_lines(path):
        if line.text is not None and not line.text.strip():
            continue
        try:
            if line.text is None:
                raise ValueError(line.reason)
            dataset = parse_dataset(line.text)
        except ValueError as error:
            tally.read += 1
            tally.reject(path, line.number, str(error), line.text or "")
            continue
        good += 1
        if only is not None and dataset.dataset_id not in only:
            continue
        tally.read += 1
        if dataset.dataset_id in seen:
            tally.reject(path, line.number, "a dataset id that came before", dataset.dataset_id)
            continue
        seen.add(dataset.dataset_id)
        yield dataset
    if not good:
        raise bad_input(path, 1, "no dataset in it", SHAPE)


def parse_dataset(line: str) -> DatasetMetadata:
    """The dataset of a JSON line: missing texts are "", a list of texts is joined by blanks, a file
    named twice counts once. Raises ValueError, with the reason, for other JSON, no id or one with
    blanks, and `data` that is not a list."""

    def text(value: Any) -> str:
        """A metadata value as stripped text, items of a list joined by blanks; "" for None."""
        if isinstance(value, list):
            return " ".join(map(text, value))
        return "" if value is None else str(value).strip()

    try:
        value = parse_json(line)
    except ValueError as error:
        raise ValueError(f"no JSON ({error})") from None
    try:
        if not isinstance(value, dict) or not (dataset_id := text(value.get("id"))):
            raise ValueError("no object with an id")
        title, description, files = (
            text(value.get("title")),
            text(value.get("description")),
            value.get("data") or [],
        )
        if not isinstance(files, list):
            raise ValueError("data is no list")
        names = dict.fromkeys(
            text(item.get("data_filename")) for item in files if isinstance(item, dict)
        )
    except RecursionError:
        raise ValueError("nested too deeply") from None
    if not dataset_id.isprintable() or " " in dataset_id:
        raise ValueError("an id with blanks")
    return DatasetMetadata(dataset_id, title, description, tuple(filter(None, names)))
