"""The trace of an exam: questions as a person reads them, with their printed marks, and the
verdicts on choices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from answerer.formats.exam.parts import MarkedText, TextSpan, expand
from answerer.ntcir.multiple_choice.methods import AnsweredQuestion, Verdict
from answerer.ntcir.multiple_choice.shapes import parse_shape
from answerer.trace import TraceCandidate, TraceEvidence, TraceGap, TraceMark, TraceQuestion


def trace_row(exam: str, answered: AnsweredQuestion) -> TraceQuestion:
    """The trace record of an answered question of the exam `exam`: its text with marks as printed,
    gaps in their lines, shape, answer, and each choice with its verdict; no choice of an answer
    without verdicts."""
    question = answered.question
    # The problem as a person reads it: underlined phrases written out.
    text, marks = _join_texts(
        [expand(text, "underline") for text in (question.instruction, *question.data)]
    )
    parsed, gaps = parse_shape(question), []
    for holder, gap in parsed.gaps:  # with the line of text that contains it
        plain = holder.plain
        start, end = plain.rfind("\n", 0, gap.start) + 1, plain.find("\n", gap.end)
        end = end if end >= 0 else len(plain)
        inside = [span for span in holder.spans if start <= span.start and span.end <= end]
        gaps.append(
            TraceGap(
                label=gap.label, text=plain[start:end], marks=tuple(_marks(plain, inside, -start))
            )
        )
    candidates = []
    # The method of another distribution need not judge the choices.
    choices = question.choices if answered.verdicts else ()
    for choice, verdict in zip(choices, answered.verdicts, strict=True):
        choice_text, choice_marks = _join_texts([choice.text])
        candidate = replace(
            _candidate(verdict), id=choice.number, text=choice_text, marks=choice_marks
        )
        candidates.append(candidate)
    return TraceQuestion(
        question_id=question.answer_column,
        exam=exam,
        shape=parsed.shape,
        asks=question.asks,
        answered_as=answered.way,
        note=answered.note,
        question=text,
        marks=marks,
        gaps=tuple(gaps),
        system=(answered.system,) if answered.system else (),
        candidates=tuple(candidates),
    )


def _candidate(verdict: Verdict) -> TraceCandidate:
    """A verdict as a trace candidate without id and text: its score with the parts of it, words,
    probability, query and passages."""
    return TraceCandidate(
        score=verdict.score,
        verdict=verdict.says,
        probability=verdict.probability,
        query=tuple(verdict.query),
        evidence=tuple(
            passage if isinstance(passage, TraceEvidence) else TraceEvidence(**passage._asdict())
            for passage in verdict.evidence
        ),
        **verdict.explained,
    )


def _join_texts(texts: Sequence[MarkedText]) -> tuple[str, tuple[TraceMark, ...]]:
    """Joins texts with line breaks; returns the result and the printed marks of all, with offsets
    in it."""
    marks: list[TraceMark] = []
    length = 0
    for text in texts:
        marks += _marks(text.plain, text.spans, length)
        length += len(text.plain) + 1
    return "\n".join(text.plain for text in texts), tuple(marks)


def _marks(plain: str, spans: Sequence[TextSpan], moved: int) -> list[TraceMark]:
    """The printed marks of a text, `moved` characters further on: gaps, wavy lines, underlines and
    letters of pictures, and before statements, underlines and pictures their labels, as empty marks
    of kind "label" (also of a picture that the file lacks)."""
    marks = []
    for span in spans:
        label = span.label if span.kind in ("statement", "underline") else ""
        if span.kind == "picture":
            label = span.label or "picture"
            if span.start == span.end:
                label = f"picture {span.label} (not in the file)".replace("  ", " ")
        kind = {"gap": "gap", "picture": "letter"}.get(span.target or "", "")
        if span.kind in ("wavy", "underline", "gap"):
            kind = span.kind
        elif span.target == "underline" and span.phrase == plain[span.start : span.end]:
            kind = "underline"
        if label:
            marks.append(
                TraceMark(
                    kind="label", start=span.start + moved, end=span.start + moved, label=label
                )
            )
        if kind:
            marks.append(TraceMark(kind=kind, start=span.start + moved, end=span.end + moved))
    return marks
