"""The right answers of any task's gold file, by question, for the rows of a trace."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

from answerer.formats.answer_table import exam_name, folded_exam
from answerer.formats.question_file.answers import read_answers
from answerer.page.drawn import NO_GOLD, Gold
from answerer.trace import asks_otherwise
from indexer.files.errors import UserError

Key = tuple[str, str]  # exam ("" for any) and question
Found = Iterator[tuple[Key, Gold]]
Lists = Sequence[tuple[str, Sequence[bool]]]  # questions, and which of their candidates are right


class Golds:
    """Gold by question; one that is asked again (its id stands twice) takes the next gold of its id.

    `asked` are the texts of questions that are known by their numbers only.
    """

    def __init__(self, known: Iterable[tuple[Key, Gold]], asked: Mapping[str, str] = MappingProxyType({})) -> None:
        self._asked = asked
        self._waiting: dict[Key, list[Gold]] = {}
        for name, gold in known:
            self._waiting.setdefault(name, []).append(gold)

    def next_of(self, row: Mapping[str, Any]) -> Gold:
        """The gold of a row of the trace, rows given in the trace's order; `NO_GOLD` where there is none."""
        question, exam = str(row.get("question_id")), folded_exam(str(row.get("exam", "")))
        own = self._waiting.get((exam, question)) or self._waiting.get(("", question))
        return own.pop(0) if own else NO_GOLD

    def unlike(self, rows: Iterable[Mapping[str, Any]]) -> list[str]:
        """The ids of the rows of a trace that ask something else than the gold's question of that number."""
        named = ((str(row.get("question_id")), row) for row in rows)
        return [name for name, row in named if asks_otherwise(row, self._asked.get(name, ""))]


def read_golds(task: str, path: Path, language: str = "") -> Golds:
    """The gold of a task, of a bilingual sheet that of a language's code.

    UserError where the task has none that names answers, and for what its format refuses.
    """
    readers = _READERS | dict.fromkeys(_SHEETS, partial(_sheet, language))
    if task not in readers and task not in _RANKED:
        raise UserError(f"--gold: nothing says what is right in answers of {task!r}; leave it out")
    if path.is_dir() and task != "ntcir-mc":
        raise UserError(f"{path}: is a folder; --gold is to be a file")
    if task in _RANKED:
        lists = _RANKED[task](path)
        asked = {str(number): question for number, (question, _) in enumerate(lists, 1)}
        return Golds(_marked(marks for _, marks in lists), asked)
    return Golds(readers[task](path))


def _choices(path: Path) -> Found:
    """Of answer tables: a single one is for every exam of the trace, those of a folder for the exams of their names."""
    files = sorted(path.rglob("*.xml")) if path.is_dir() else [path]
    for file in files:
        table = read_answers(file)
        for answer in table.answers:
            exam = folded_exam(exam_name(table)) if path.is_dir() else ""
            yield (
                (exam, answer.column),
                Gold(candidate_ids=frozenset([answer.answer]) if answer.answer else frozenset()),
            )


def _sheet(language: str, path: Path) -> Found:
    from answerer.formats.answer_sheet import read_sheet
    from indexer.languages.registry import LANGUAGES

    for section in read_sheet(path, LANGUAGES.get(language)).sections:
        yield ("", section.section_id), Gold(section.texts)


def _facts(path: Path) -> Found:
    from answerer.formats.nlpcc_kbqa import read_questions

    for question in read_questions(path):
        yield ("", question.question_id), Gold(question.answers or ())


def _cells(path: Path) -> Found:
    from answerer.formats.datasearch import read_answers

    for question_id, answer in read_answers(path).answers.items():
        yield ("", question_id), Gold((answer,))


def _sentences(path: Path) -> Lists:
    from indexer.formats.sentence_lists import read_sentence_file

    return [(one.question, one.gold or ()) for one in read_sentence_file(path).lists]


def _documents(path: Path) -> Lists:
    from indexer.formats.sentence_rows import read_sentence_rows

    return [(one.question, one.gold or ()) for one in read_sentence_rows(path, dbqa=True).lists]


def _tables(path: Path) -> Lists:
    from indexer.formats.labels import read_label
    from indexer.formats.table_rows import read_table_rows

    lists: dict[str, list[bool]] = {}
    for row in read_table_rows(path):
        lists.setdefault(row.question, []).append(row.label is not None and read_label(row.label, path, row.line)[0])
    return list(lists.items())


def _marked(lists: Iterable[Sequence[bool]]) -> Found:
    """Lists of candidates, numbered from 1, whose right ones are known by their places."""
    for number, marks in enumerate(lists, 1):
        yield ("", str(number)), Gold(candidate_ids=frozenset(str(place) for place, right in enumerate(marks) if right))


_SHEETS = ("ntcir-term", "ntcir-essay", "ntcir-sheet", "ntcir-summarization")
_READERS: dict[str, Callable[[Path], Found]] = {
    "ntcir-mc": _choices,
    "nlpcc-kbqa": _facts,
    "datasearch-qa": _cells,
}
_RANKED: dict[str, Callable[[Path], Lists]] = {"nlpcc-dbqa": _documents, "nlpcc-tbqa": _tables, "selqa": _sentences}
