"""The question and answer blocks of NLPCC KBQA: read with all their variants, written to the
letter."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from indexer.files.encoding import numbered_lines, open_lines
from indexer.files.errors import UserError, bad_input
from indexer.files.validation import refuse_halves

_TAG = re.compile(r"<\s*(question|triple|answer)\s+id\s*=\s*(\"[^\"]*\"|'[^']*'|[^\s>\"']+)\s*>")
_QUESTION = re.compile(r"\s*<\s*question\s+id\s*=")
_CLOSING = re.compile(r"</\s*(?:question|triple|answer)\s*>")
_CLOSED = re.compile(rf"({_CLOSING.pattern})\s*$")
_LINE_BREAKS = re.compile(r"[\t\r\n\v\f\x1c-\x1e\x85\u2028\u2029]+")
_RULE = re.compile(r"={10,}\s*")
# A tab that was written out as two characters, as programs print it, is not a command of TeX.
_BETWEEN_ANSWERS = re.compile(r"\t|\\t(?![a-z])|\|\|\|")
_EXPECTED = "expected `<question id=N>`, tab, the question, then its answer"
RULE = "=" * 50


class KbqaQuestion(NamedTuple):
    """One block of a question file. `head` is the question's opening tag, verbatim (`<question
    id=1>`, or with quotes); `closing` is the tag at the end of its line (`</question>`), "" if
    missing. `line` is the line number of the question. `answers` is None if the block lacks its
    answer line (a test set), () if that line is empty; `answer_text` is that line as written.
    `triple` is (subject, predicate, object), None if missing. `rule` is the line between the blocks
    of the file: a run of `=`, "" for a blank line, None if nothing separates them."""

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
    """The answers of one line: separated by tabs, also spelt-out ones (`\\t`, not before a small
    Latin letter), or `|||`, blanks around them stripped, empty ones dropped. A list inside one
    answer (`杨可桢，程光蕴`) stays one answer."""
    return tuple(filter(None, map(str.strip, _BETWEEN_ANSWERS.split(text))))


def read_questions(path: str | Path) -> list[KbqaQuestion]:
    """Reads every block of an NLPCC KBQA file, in order ([NLPCC2017]).

    Accepts CRLF, a byte order mark, bare and quoted ids, missing triple and answer lines. A block
    ends at a line of ten or more `=` (the released data) or where the next question begins (the
    guideline), with or without blank lines. Ids may be sparse and are kept as written, without
    their quotes. Raises UserError `FILE:LINE: …` for a block without question, a repeated id, an id
    that changes inside a block, two lines of one kind in a block, two tags in one line, a triple of
    fewer than three fields, other text, a file without blocks, or one that is not UTF-8.
    """
    lines = list(numbered_lines(open_lines(path, fallbacks=()), path, "save the file as UTF-8"))
    # What separates the blocks: the first row of `=`, else a blank line if one precedes a later
    # question.
    rules = (line.rstrip() for _, line in lines if _RULE.fullmatch(line))
    begins = [position for position, (_, line) in enumerate(lines) if _QUESTION.match(line)]
    rule = next(
        rules, "" if any(not lines[position - 1][1].strip() for position in begins[1:]) else None
    )
    blocks: list[list[tuple[int, str]]] = [[]]
    for number, line in lines:
        if _RULE.fullmatch(line) or (
            _QUESTION.match(line) and any(_QUESTION.match(above) for _, above in blocks[-1])
        ):
            blocks.append([])
        if line.strip() and not _RULE.fullmatch(line):
            blocks[-1].append((number, line))
    questions: dict[str, KbqaQuestion] = {}
    for block in filter(None, blocks):
        question = _question(path, block, rule)
        earlier = questions.setdefault(question.question_id, question)
        if earlier is not question:
            what = (
                f"question id {question.question_id} stands here a second time "
                f"(first in line {earlier.line})"
            )
            raise bad_input(path, question.line, what, "every id once")
    if not questions:
        raise bad_input(path, None, "no question in it", _EXPECTED)
    return list(questions.values())


def given_questions(items: Iterable[str | KbqaQuestion]) -> list[KbqaQuestion]:
    """Converts texts and `KbqaQuestion` objects, in any mix, to questions; a text gets its
    position, from 1, as id, and single blanks. Raises UserError for an empty iterable, an empty
    text, one with half a surrogate pair, or an item that is neither."""
    questions = []
    for number, item in enumerate(items, 1):
        if isinstance(item, KbqaQuestion):
            questions.append(item)
        elif isinstance(item, str) and item.strip():
            refuse_halves([item], f"question {number}")
            questions.append(
                KbqaQuestion(str(number), " ".join(item.split()), f"<question id={number}>", 0)
            )
        else:
            raise UserError(f"question {number} is no text")
    if not questions:
        raise UserError("no questions: give texts")
    return questions


def _question(path: str | Path, block: list[tuple[int, str]], rule: str | None) -> KbqaQuestion:
    """Parses the (line number, line) pairs of a block; `rule` is kept. Raises UserError with file
    and line: two lines of one kind, two tags in a line, other text, other ids, no question, a
    triple of fewer than three fields."""
    lines: dict[str, tuple[int, str, str]] = {}  # of each kind: its line, its tag, its text
    first_id = ""
    for number, line in block:
        tag = _TAG.match(line.lstrip())
        # A file whose lines end with a carriage return alone has all tags in one line.
        if tag is None or len(_TAG.findall(line)) > 1:
            what = "more than one tag in a line" if tag else "this is not a line of a block"
            raise bad_input(path, number, f"{what}: {line.strip()[:40]!r}", _EXPECTED)
        kind, written_id = tag[1], tag[2].strip("\"'").strip()
        first_id = first_id or written_id
        if kind in lines or written_id != first_id:
            what = f"{kind} id {written_id} stands in the block of id {first_id}"
            raise bad_input(
                path, number, what, "one line of each kind in a block, all with the same id"
            )
        lines[kind] = number, tag[0], line.lstrip()[tag.end() :]
    line_number, head, printed = lines.get("question", (block[0][0], "", ""))
    texts = {kind: _CLOSING.sub("", text) for kind, (_, _, text) in lines.items()}
    if not texts.get("question", "").strip():
        raise bad_input(path, line_number, f"the block of id {first_id} has no question", _EXPECTED)
    subject, *others = [field.strip() for field in texts.get("triple", "").strip().split("|||", 2)]
    if "triple" in lines and len(others) < 2:
        what = "the triple has fewer than three fields"
        raise bad_input(path, lines["triple"][0], what, "subject ||| predicate ||| object")
    answer = texts["answer"].removeprefix("\t") if "answer" in texts else None
    closed = _CLOSED.search(printed)
    return KbqaQuestion(
        question_id=first_id,
        text=texts["question"].strip(),
        head=head,
        line=line_number,
        answers=None if answer is None else split_answers(answer),
        triple=(subject, others[0], others[1]) if others else None,
        answer_text=answer,
        closing=closed[1] if closed else "",
        rule=rule,
    )


def answer_block(question: KbqaQuestion, answers: Iterable[str]) -> str:
    """The output block of an answered question: question line, answer line with `answers` joined by
    tabs, separator.

    The question's tags and its file's separator are kept. The block has neither triple line nor
    trailing tab; without answers the answer line ends after its one tab. Tabs and line ends inside
    an answer become blanks, empty answers are left out.
    """
    # A tab parts answers, so an answer must not hold one.
    joined = "\t".join(
        text for answer in answers if (text := _LINE_BREAKS.sub(" ", answer).strip())
    )
    head = question.head.replace("question", "answer", 1)
    rule = "" if question.rule is None else f"{question.rule}\n"
    return f"{question.head}\t{question.text}{question.closing}\n{head}\t{joined}\n{rule}"
