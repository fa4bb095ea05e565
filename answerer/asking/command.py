"""`python -m answerer ask QUESTION`: the answer to a question in plain words, with its sources."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from pkgutil import resolve_name

import click

from answerer.asking.alternatives import choices_in
from answerer.asking.kinds import kinds
from answerer.asking.replies import Reply, Source
from indexer.address import Location, locate
from indexer.analysis.text import pasted_question, truncate_question
from indexer.cli.types import COUNT, Address, Command, InputFile, PlainText
from indexer.engines.contract import Index
from indexer.engines.opening import open_index
from indexer.files.errors import UserError
from indexer.files.validation import refuse_halves, validate_text, validate_texts
from indexer.languages.chinese import CHINESE
from indexer.languages.registry import detect_language
from retriever.opened import AnyIndex, using_index

_wrap = partial(textwrap.wrap, width=100, subsequent_indent="   ", break_on_hyphens=False)


def plain(reply: Reply) -> dict[str, object]:
    """A reply as JSON holds it: address, kind, answers, doubt ("" too), and the nearest passage
    where there is one; its likelihood, task and row are left out."""
    answers = [
        {**answer._asdict(), "sources": [source._asdict() for source in answer.sources]}
        for answer in reply.answers
    ]
    shown: dict[str, object] = {
        "address": reply.address,
        "kind": reply.kind,
        "answers": answers,
        "doubt": reply.doubt,
    }
    if reply.nearest:
        shown["nearest"] = reply.nearest._asdict()
    return shown


def ask(
    question: str,
    index: AnyIndex | None = None,
    choices: Sequence[str] = (),
    k: int = 3,
    *,
    method: str | None = None,
    evidence: bool = False,
) -> Reply:
    """Answers a question in plain words from an index of any kind: the k best answers.

    `index` is an open index, or an address; by default that of the question's language
    (`textbook-LANGUAGE`, in Chinese `triples`). With `choices`, two or more, which only a textbook
    can judge, all of them by falling score, by an exam `method` (by default that of `answerer
    ntcir-mc`) that reads `k` passages for each; so a textbook judges those in the question
    (`choices_in`). `evidence` asks for the row of a trace too. A question that is too long is cut,
    with a warning. Raises UserError for an empty question or choice, a single choice, `k` below 1,
    an unknown method of choices, and for an index of a kind that cannot answer it.
    """
    choices = validate_texts(choices, "choices")
    if not validate_text(question, "question").strip():
        raise UserError(
            'the question is empty: ask it in words, such as "Who built the Taj Mahal?"'
        )
    refuse_halves((question, *choices), "the question or a choice")
    if len(choices) == 1 or not all(choice.strip() for choice in choices):
        raise UserError("expected two or more choices, none of them empty")
    if k < 1:
        raise UserError(f"k is {k}: ask for one answer or more")
    question = truncate_question(pasted_question(question), "the question")
    with using_index(_default_address(question) if index is None else index) as opened:
        kind, answering = opened.metadata.kind, ("textbook",) if choices else tuple(kinds())
        if kind not in answering:
            what = "choices are judged by" if choices else "ask one of"
            raise UserError(
                f"the index {opened.address} is of the kind {kind!r}: {what} {', '.join(answering)}"
            )
        if kind == "textbook" and not choices:
            question, choices = choices_in(question)
        if choices:
            from answerer.asking.textbook import judge_choices

            return judge_choices(question, choices, opened, k, evidence, method)
        answer_from: Callable[[str, Index, int, bool], Reply] = resolve_name(kinds()[kind][0])
        return answer_from(question, opened, k, evidence)


@click.command(cls=Command, example='ask "Who built the Taj Mahal?" --index textbook-en')
@click.argument("question", metavar="[QUESTION]", required=False, type=PlainText())
@click.option(
    "--questions",
    "file",
    metavar="FILE",
    type=InputFile(),
    help="Ask the questions of a file, one a line.",
)
@click.option(
    "--index",
    metavar="ADDRESS",
    type=Address(),
    help="The index to ask [textbook-LANGUAGE, in Chinese triples].",
)
@click.option(
    "--choice",
    "choices",
    multiple=True,
    metavar="TEXT",
    type=PlainText(),
    help="A choice to judge; give two or more.",
)
@click.option("-k", type=COUNT, default=3, help="How many answers are shown [3].")
@click.option(
    "--format",
    "output_format",
    type=click.Choice(("text", "jsonl")),
    default="text",
    help="Form of output [text].",
)
def command(
    question: str | None,
    file: Path | None,
    index: Location | None,
    choices: tuple[str, ...],
    k: int,
    output_format: str,
) -> None:
    """Answer a question in plain words: of a textbook a term, or the best of the choices; of
    triples a fact; of datasets a cell.

    The question's language picks the index. Where the index hardly speaks of the matter, that is
    said. Of a FILE every line is a question, perhaps with an id and a tab before it.
    """
    if file and choices:
        raise UserError(
            "--choice goes with one QUESTION; a file of questions with choices is for "
            "`classical-qa answer "
            "ntcir-mc`"
        )
    if bool(file) == bool(question):
        raise UserError("give either a QUESTION or --questions FILE")
    if question:
        reply = ask(question, index or _default_address(question), choices, k)
        print(_as_json(reply) if output_format == "jsonl" else as_text(reply))
    elif file:
        _print_replies(file, index, k, output_format)


def _print_replies(file: Path, index: Location | None, k: int, output_format: str) -> None:
    """Prints the reply to every question of a file once it is answered: as "jsonl" a line of
    JSON, else as text after its id and words, with an empty line behind. Without `index` each
    question is put to the usual index of its language. A question that is refused ends the run with
    a UserError."""
    from retriever.topics import read_topics

    with ExitStack() as stack:
        indexes: dict[Location, Index] = {}
        language = None
        if index:
            indexes[index] = open_index(index)
            stack.callback(indexes[index].close)
            language = indexes[index].metadata.language
        for question in read_topics(file, language=language):
            location = index or locate(_default_address(question.text))
            # a file may hold questions of several languages: each index is opened once
            if location not in indexes:
                indexes[location] = open_index(location)
                stack.callback(indexes[location].close)
            reply = ask(question.text, indexes[location], k=k)
            if output_format == "jsonl":
                print(_as_json(reply, id=question.query_id, question=question.text))
            else:
                print(f"{question.query_id}: {question.text}\n{as_text(reply)}\n")


def _as_json(reply: Reply, **first: str) -> str:
    """A reply as a line of JSON, after the fields `first`."""
    return json.dumps({**first, **plain(reply)}, ensure_ascii=False)


def _default_address(question: str) -> str:
    """The address of the usual index of the question's language: of a textbook, for Chinese of the
    knowledge base."""
    language = detect_language(question)
    return "triples" if language == CHINESE else f"textbook-{language}"


def as_text(reply: Reply) -> str:
    """A reply as lines of text for the terminal: the doubt first, then each numbered answer with
    its reason and its sources (two for the first answer, one for each further), or the nearest
    passage of a book that does not seem to say, then the kind and address of the index."""
    lines = []
    if reply.nearest:
        lines += ["The book does not seem to say.", *_wrap(f"({reply.doubt})"), "The nearest:"]
        lines += _wrap(_citation(reply.nearest), initial_indent="   ")
    elif not reply.answers:
        lines.append(f"No answer: {reply.doubt}." if reply.doubt else "No answer.")
    elif reply.doubt:
        lines += _wrap(f"Not sure: {reply.doubt}.")
    for number, answer in enumerate(reply.answers, 1):
        head = f"{number}. {answer.text}" + (f"   ({answer.reason})" if answer.reason else "")
        # a sentence is wrapped; a source that is the answer itself is not repeated
        lines += _wrap(head) if answer.is_sentence else [head]
        for source in answer.sources[: 2 if number == 1 else 1]:
            title = f"— {source.title} " if source.title else ""
            line = f"{title}[{source.doc_id}]" if answer.is_sentence else _citation(source)
            lines += _wrap(line, initial_indent="   ")
    lines.append(f"({reply.kind} {reply.address})")
    return "\n".join(lines)


def _citation(source: Source) -> str:
    """The line that cites a source below an answer."""
    title = f"— {source.title} " if source.title else ""
    return f"“{source.text}” {title}[{source.doc_id}]"
