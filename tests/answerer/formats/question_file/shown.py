"""What a reader of quizzes read, as its tests write it down."""

from __future__ import annotations

from answerer.formats.question_file.parts import Parsed, right_choice


def shown(parsed: Parsed) -> list[str]:
    """A line a question: id | text | choices as label=text | the labels of the right ones."""
    rows = []
    for question in parsed.questions:
        positions = [right_choice(question.choices, answer) for answer in question.answers]
        right = {question.choices[at].label for at in positions if at is not None}
        choices = " ".join(f"{choice.label}={choice.text}" for choice in question.choices)
        rows.append(f"{question.name}|{question.text}|{choices}|{' '.join(sorted(right))}")
    return rows
