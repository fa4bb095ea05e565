"""The question and answer blocks of NLPCC KBQA: read with all their variants, written to the letter."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from indexer.files.encoding import held_lines, numbered_lines
from indexer.files.errors import UserError, bad_input
from indexer.files.validation import refuse_halves, validate_iterable

_TAG = re.compile(r"<\s*(question|triple|answer)\s+id\s*=\s*(\"[^\"]*\"|'[^']*'|[^\s>\"']+)\s*>")
_CLOSING = re.compile(r"</\s*(?:question|triple|answer)\s*>")
_CLOSED = re.compile(rf"({_CLOSING.pattern})\s*$")
_LINE_BREAKS = re.compile(r"[\t\r\n\v\f\x1c-\x1e\x85\u2028\u2029]+")
_RULE = re.compile(r"={10,}\s*")
_BETWEEN_ANSWERS = re.compile(r"\t|\|\|\|")
_EXPECTED = "expected `<question id=N>`, tab, the question, then its answer"
RULE = "=" * 50


class Question(NamedTuple):
    """One block. `head` is the question's own tag, verbatim (`<question id=1>` or with quotes).

    `closing` is the tag at the end of the question's line, where there is one (`</question>`).
    `rule` is the separator of the blocks in its file: a row of `=`, "" for a blank line, None without one.
    `answers` is None if the block lacks its answer line (a test set), () if the line is empty.
    `triple` is (subject, predicate, object) or None. `line` is the line of the block's question.
    """

    question_id: str
    text: str
    head: str
    line: int
    answers: tuple[str, ...] | None = None
    triple: tuple[str, str, str] | None = None
    answer_text: str | None = None
    closing: str = ""
    rule: str | None = RULE


def split_answers(text: str) -> tuple[str, ...]:
    """The answers of one line: separated by tabs or `|||`, blanks around them stripped, empty ones dropped.

    A list inside one answer (`杨可桢，程光蕴`) stays one answer.
    """
    parts = map(str.strip, _BETWEEN_ANSWERS.split(text))
    return tuple(part for part in parts if part)


def read_questions(path: str | Path) -> list[Question]:
    """Every block of a file, in its order ([NLPCC2017]).

    Accepts CRLF, a byte order mark, bare and quoted ids, missing triple and answer lines. A block ends at a rule
    (ten or more `=`, the released data) or where the next question begins (the guideline), with or without blank
    lines. Ids may be sparse and are kept as written, without their quotes.
    Raises UserError `FILE:LINE: …` for a block without question, a repeated id, an id that changes inside a block,
    a second line of one kind, two tags in one line (as where only carriage returns end lines), stray text,
    a file without blocks, or one that is not UTF-8.
    """
    questions: list[Question] = []
    first_line: dict[str, int] = {}
    lines = list(numbered_lines(held_lines(path, fallbacks=()), path, "save the file as UTF-8"))
    rule = _rule_of(lines)
    for block in _blocks(lines):
        question = _question(path, block)._replace(rule=rule)
        earlier = first_line.setdefault(question.question_id, question.line)
        if earlier != question.line:
            what = f"question id {question.question_id} stands here a second time (first in line {earlier})"
            raise bad_input(path, question.line, what, "every id once")
        questions.append(question)
    if not questions:
        raise bad_input(path, None, "no question in it", _EXPECTED)
    return questions


def given_questions(given: Iterable[str | Question]) -> list[Question]:
    """Questions as a program gives them, texts numbered from 1. UserError for an empty one, no text, and none."""
    questions = [
        one if isinstance(one, Question) else _numbered_question(one, number, f"<question id={number}>")
        for number, one in enumerate(validate_iterable(given, "questions"), 1)
    ]
    if not questions:
        raise UserError("no questions: give texts")
    return questions


def _numbered_question(one: object, number: int, head: str) -> Question:
    if not isinstance(one, str) or not one.strip():
        raise UserError(f"question {number} is {'empty' if isinstance(one, str) else 'no text'}")
    refuse_halves([one], f"question {number}")
    return Question(str(number), " ".join(one.split()), head, 0)


def _rule_of(lines: Sequence[tuple[int, str]]) -> str | None:
    """The separator of a file's blocks: its first row of `=`, else "" if a blank line precedes a later question."""
    rule: str | None = None
    before, questions = "", 0
    for _, line in lines:
        if _RULE.fullmatch(line):
            return line.rstrip()
        if _is_question(line):
            rule = "" if questions and not before.strip() else rule
            questions += 1
        before = line
    return rule


def _is_question(line: str) -> bool:
    tag = _TAG.match(line.lstrip())
    return tag is not None and tag[1] == "question"


def _blocks(lines: Iterable[tuple[int, str]]) -> Iterator[list[tuple[int, str]]]:
    """The numbered lines of each block without its rule and without blank lines."""
    block: list[tuple[int, str]] = []
    for number, line in lines:
        if block and (_RULE.fullmatch(line) or (_is_question(line) and any(_is_question(each) for _, each in block))):
            yield block
            block = []
        if line.strip() and not _RULE.fullmatch(line):
            block.append((number, line))
    if block:
        yield block


def _question(path: str | Path, block: list[tuple[int, str]]) -> Question:
    lines: dict[str, tuple[int, str, str]] = {}
    first_id = ""
    for number, line in block:
        tag = _TAG.match(line.lstrip())
        if tag is None:
            raise bad_input(path, number, f"this is not a line of a block: {line.strip()[:40]!r}", _EXPECTED)
        kind, written_id = tag[1], tag[2].strip("\"'").strip()
        first_id = first_id or written_id
        if kind in lines:
            raise bad_input(path, number, f"a second {kind} line in one block", "one of each")
        if written_id != first_id:
            what = f"{kind} id {written_id} stands in the block of id {first_id}"
            raise bad_input(path, number, what, "the same id in all lines of a block")
        rest = line.lstrip()[tag.end() :]
        if inner := _TAG.search(rest):
            what = f"{inner[0]} stands inside the line of {tag[0]}"
            raise bad_input(path, number, what, "each on a line of its own, ended by a line feed")
        lines[kind] = (number, tag[0], rest)
    closed = _CLOSED.search(lines["question"][2]) if "question" in lines else None
    bare = {kind: (number, tag, _CLOSING.sub("", text)) for kind, (number, tag, text) in lines.items()}
    if "question" not in bare or not bare["question"][2].strip():
        raise bad_input(path, block[0][0], f"the block of id {first_id} has no question", _EXPECTED)
    return _assemble(path, first_id, bare)._replace(closing=closed[1] if closed else "")


def _assemble(path: str | Path, question_id: str, lines: dict[str, tuple[int, str, str]]) -> Question:
    number, head, text = lines["question"]
    triple, answer_text = None, None
    if "triple" in lines:
        fields = [field.strip() for field in lines["triple"][2].strip().split("|||", 2)]
        if len(fields) < 3:
            where = lines["triple"][0]
            raise bad_input(path, where, "the triple has fewer than three fields", "subject ||| predicate ||| object")
        triple = (fields[0], fields[1], fields[2])
    if "answer" in lines:
        answer_text = lines["answer"][2].removeprefix("\t")
    answers = None if answer_text is None else split_answers(answer_text)
    return Question(question_id, text.strip(), head, number, answers, triple, answer_text)


def answer_block(question: Question, answers: Iterable[str]) -> str:
    """The block that answers a question: its own tag, text and closing tag, the answers joined by tabs, the rule.

    It ends as the blocks of the question's file do. No triple line, no trailing tab; without answers the line ends
    after its one tab. Tabs and line ends inside an answer become blanks. Lines end with a line feed.
    """
    joined = "\t".join(text for answer in answers if (text := _LINE_BREAKS.sub(" ", answer).strip()))
    head = question.head.replace("question", "answer", 1)
    rule = "" if question.rule is None else f"{question.rule}\n"
    return f"{question.head}\t{question.text}{question.closing}\n{head}\t{joined}\n{rule}"
