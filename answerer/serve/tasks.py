"""The tasks whose files a server answers: what each asks, which methods it has, and which one a file is of."""

from __future__ import annotations

import importlib
import re
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import click

from answerer.formats.question_file.read import looks_like_questions
from answerer.registry import TASKS
from indexer.files.errors import UserError

_FURTHER = {"ntcir-summarization": "", "ntcir-evaluation-method": "answers"}
_OTHER_KINDS = {"nlpcc-kbqa": "triples", "datasearch-qa": "datasets"}
_ROOT = re.compile(r"<(?![?!])([\w:]+)")
_EXTRACTION = ("TOPIC", "TOPIC_SET")
_ROOTS = {"exam": "ntcir-mc", "answer_sheet": "ntcir-sheet", "question": "nlpcc-kbqa"}
_CELLS = "_|_"


class TaskForm(NamedTuple):
    """A task: one line of help, the kind of index that it asks ("" for none), and its methods by name.

    `further` is the option that takes further files beside the first, "" where these are arguments; None where a task
    is answered from one file.
    """

    name: str
    help_line: str
    kind: str
    methods: tuple[str, ...]
    further: str | None


@cache
def task_forms() -> dict[str, TaskForm]:
    """The tasks whose files are answered, by name."""
    return {name: _form(name) for name in TASKS}


def _form(name: str) -> TaskForm:
    module, help_line = TASKS[name]
    params = {param.opts[0]: param for param in importlib.import_module(module).command.params}
    kind = _OTHER_KINDS.get(name, "textbook") if "--index" in params else ""
    method = params["--method"].type if "--method" in params else None
    methods = tuple(method.choices) if isinstance(method, click.Choice) else ()
    return TaskForm(name, help_line, kind, methods, _FURTHER.get(name))


def task_of_several(texts: Sequence[str]) -> str:
    """The task that several files are of together, by how they begin. UserError where that is not plain.

    Passages with a sheet are summarized; of sheets alone the first is the gold that the others are judged by.
    """
    roots = [_root(text) for text in texts]
    if any(root in _EXTRACTION for root in roots):
        return "ntcir-summarization"
    if set(roots) == {"answer_sheet"}:
        return "ntcir-evaluation-method"
    together = " or ".join(name for name, form in task_forms().items() if form.further is not None)
    raise UserError(f"the files do not say which task they are of together: name {together}, or give one at a time")


def is_extraction(text: str) -> bool:
    """Whether a file is of passages, which stands after the sheet that it belongs to."""
    return _root(text) in _EXTRACTION


def _root(text: str) -> str:
    start = text.lstrip("\ufeff \t\r\n")
    found = _ROOT.search(start) if start.startswith("<") else None
    return found[1] if found else ""


def task_of(text: str) -> str:
    """The task that a file is of, by how it begins. UserError where that is not plain.

    An answer sheet is taken for a mixed one, which fills terms and essays.
    """
    start = text.lstrip("\ufeff \t\r\n")
    line = start.partition("\n")[0].rstrip("\r")
    columns = line.split("\t")
    found = _ROOTS.get(_root(text), "")
    if found:
        return found
    if start.startswith(("[", "{")):
        found = "selqa" if '"sentences"' in start or '"candidates"' in start else "datasearch-qa"
        found = "ntcir-mc" if found != "selqa" and looks_like_questions(text) else found
    elif columns[0] == "QuestionID" or (len(columns) == 4 and columns[3] in ("0", "1")):
        found = "selqa"
    elif _CELLS in line:
        found = "nlpcc-tbqa"
    elif looks_like_questions(text):
        found = "ntcir-mc"
    elif len(columns) == 2 or {columns[0], columns[-1]} & {"0", "1"}:
        found = "nlpcc-dbqa"
    elif len(columns) == 3:
        found = "datasearch-qa"
    if not found or "\0" in text:
        raise UserError(f"the file does not say which task it is of: name one of {', '.join(task_forms())}")
    return found
