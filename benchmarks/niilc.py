"""NIILC-QA as answer sheets: the stand-in for real term questions, split by what the textbook
supports.

    python benchmarks/niilc.py NIILC-ECQA2015_dev.xml -o niilc/ --textbook
    jawiki-world-history.jsonl

writes niilc/{all,supported,evidence}.xml, their gold sheets `….gold.xml`, and niilc/evidence.jsonl,
the annotators' evidence sentences as a textbook of their own. `supported` are the questions for
which a paragraph of the textbook holds an accepted answer and at least half of the idf of those
terms of the question that the textbook holds; `evidence` those whose evidence sentence holds an
accepted answer. Any one accepted answer is right.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple
from xml.sax.saxutils import escape

import click

from evaluation.measures.answer_sets import fold_text
from indexer.cli.program import run_program
from indexer.files.xml import parse_xml
from indexer.languages.japanese import JAPANESE

_NOTE = re.compile(r"[（(\[［].*?[）)\]］]")


class NiilcQuestion(NamedTuple):
    """A question, its accepted answers (with and without their notes in brackets) and its evidence
    sentence."""

    question_id: str
    text: str
    answers: tuple[str, ...]
    evidence: str


def read_niilc(path: Path) -> list[NiilcQuestion]:
    """The questions of an NIILC-ECQA2015 file in order; answers "-" mean none."""
    found = []
    for question in parse_xml(path, ("questions",)).iterfind("question"):
        texts = [(answer.text or "").strip() for answer in question.iterfind("answers/answer")]
        both = [
            form
            for text in texts
            if text not in ("", "-")
            for form in (text, _NOTE.sub("", text).strip())
        ]
        evidence = (question.findtext("meta/E.5") or "").strip()
        answers = tuple(dict.fromkeys(filter(None, both)))
        found.append(
            NiilcQuestion(
                question.get("id", ""), (question.findtext("text") or "").strip(), answers, evidence
            )
        )
    return found


def supported(questions: Sequence[NiilcQuestion], paragraphs: Sequence[str]) -> list[NiilcQuestion]:
    """The questions that a paragraph supports (see the head of this file)."""
    terms_of = JAPANESE.analyser().terms
    held = [frozenset(terms_of(paragraph)) for paragraph in paragraphs]
    counts = Counter(term for terms in held for term in terms)
    texts = [fold_text(paragraph) for paragraph in paragraphs]

    def idf(term: str) -> float:
        return math.log(1 + (len(held) - counts[term] + 0.5) / (counts[term] + 0.5))

    def is_supported(question: NiilcQuestion) -> bool:
        known = sorted({term for term in terms_of(question.text) if counts[term]})
        golds = [fold_text(answer) for answer in question.answers]
        half = sum(map(idf, known)) / 2
        return any(
            any(gold in text for gold in golds)
            and sum(idf(term) for term in known if term in terms) >= half
            for text, terms in zip(texts, held, strict=True)
        )

    return [question for question in questions if is_supported(question)]


def has_evidence(question: NiilcQuestion) -> bool:
    """Whether the evidence sentence holds an accepted answer."""
    return any(fold_text(answer) in fold_text(question.evidence) for answer in question.answers)


def sheet(questions: Sequence[NiilcQuestion], gold: bool) -> str:
    """An answer sheet of the questions, empty or with every accepted answer."""
    sections = [_section(question, question.answers if gold else ("",)) for question in questions]
    body = "\n".join(sections)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<answer_sheet ver="0.1">\n{body}\n</answer_sheet>\n'


def _section(question: NiilcQuestion, answers: Sequence[str]) -> str:
    expressions = "".join(f"<expression>{escape(answer)}</expression>" for answer in answers)
    return (
        f'<answer_section id="{question.question_id}" label="{question.question_id}">'
        "<answer_style>description_unlimited</answer_style>"
        f"<instruction><p>{escape(question.text)}</p></instruction>"
        '<answer_set type="singleton" number="1"><answer match_type="exact" order="-1" '
        'length_limit="-1">'
        f"<expression_set>{expressions}</expression_set></answer></answer_set></answer_section>"
    )


@click.command()
@click.argument("niilc", type=click.Path(exists=True, path_type=Path))
@click.option(
    "--textbook",
    type=click.Path(exists=True, path_type=Path),
    required=True,
    help="JSON lines with text.",
)
@click.option("-o", "folder", type=click.Path(path_type=Path), required=True)
def main(niilc: Path, textbook: Path, folder: Path) -> None:
    """Write NIILC-QA as answer sheets with their gold, and its evidence sentences as a textbook."""
    questions = [question for question in read_niilc(niilc) if question.answers]
    paragraphs = [json.loads(line)["text"] for line in textbook.read_text("utf-8").splitlines()]
    groups = {
        "all": questions,
        "supported": supported(questions, paragraphs),
        "evidence": [question for question in questions if has_evidence(question)],
    }
    folder.mkdir(parents=True, exist_ok=True)
    for name, members in groups.items():
        (folder / f"{name}.xml").write_text(sheet(members, gold=False), "utf-8")
        (folder / f"{name}.gold.xml").write_text(sheet(members, gold=True), "utf-8")
        click.echo(f"{name}: {len(members)} questions", err=True)
    with (folder / "evidence.jsonl").open("w", encoding="utf-8") as file:
        for question in questions:
            if question.evidence:
                file.write(
                    json.dumps(
                        {"id": question.question_id, "text": question.evidence}, ensure_ascii=False
                    )
                    + "\n"
                )


if __name__ == "__main__":
    run_program(main, "python benchmarks/niilc.py")
