"""Parts of an exam: passages, questions, choices and their slots, statements and gaps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from indexer.languages.language import Language

Asks = Literal["T", "F"]
Shape = Literal["sentence", "combination", "filling", "ordering", "pair", "map", "selection", "term", "picture"]
"""`combination`: which labelled statements are true; `filling`: the contents of the gaps; `ordering`: events in
time; `pair`: two things that belong together; `map`: the meaning of letters in a picture; `selection`: which
labelled statements; `term`: a name; `picture`: choices are pictures; `sentence`: all else, one sentence each."""


Kind = Literal["underline", "wavy", "statement", "gap", "picture", "reference"]
Target = Literal["underline", "statement", "gap", "data", "picture", "missing"]


class TextSpan(NamedTuple):
    """A marked part of a text, from character `start` up to `end`.

    `underline`: a phrase that references point to; `wavy`: the underlined part of a choice, which is what the
    choice asserts; `statement`: a labelled sentence; `gap`: an empty place, showing its label; `picture`: the
    description of a picture, labelled with its field, or the empty place of one that the file only names, which is
    its label; `reference`: a printed mark that refers to something else. `id` is its own id, for a reference the id
    of its target.
    `target` and `phrase` say what a reference points to: the kind and the words there (none for gaps and pictures).
    """

    kind: Kind
    id: str
    label: str
    start: int
    end: int
    target: Target | None = None
    phrase: str = ""


@dataclass(frozen=True, slots=True)
class MarkedText:
    """Text as a candidate reads it: references and gaps show their labels, lines break where the paper breaks them."""

    plain: str = ""
    spans: tuple[TextSpan, ...] = ()


def expand(text: MarkedText, *targets: Target) -> MarkedText:
    """The text with references to these kinds of target replaced by the words there, and spans moved accordingly.
    Without kinds: underlined phrases, statements and data. A reference without words keeps its printed label. Returns
    the object itself if no reference is replaced."""
    targets = targets or ("underline", "statement", "data")
    replaced: list[TextSpan] = []
    for span in text.spans:
        inside = bool(replaced) and span.start < replaced[-1].end
        if span.kind == "reference" and span.target in targets and span.phrase and not inside:
            replaced.append(span)
    if not replaced:
        return text
    plain = text.plain
    for span in reversed(replaced):
        plain = plain[: span.start] + span.phrase + plain[span.end :]
    growth = [(span.end, len(span.phrase) - (span.end - span.start)) for span in replaced]
    spans = [
        span._replace(
            start=span.start + sum(more for end, more in growth if end <= span.start),
            end=span.end + sum(more for end, more in growth if end <= span.end),
        )
        for span in text.spans
    ]
    return MarkedText(plain, tuple(spans))


class Slot(NamedTuple):
    """A part of a choice: its claim (`value`) about the referent of its printed `label`. `target`, `id` and `phrase`
    are the reference's (`phrase`: the statement's words); `symbol` is the letter inside a picture that goes with the
    value; `correct` is what a true-false combination claims of the statement. In an ordering each slot is an event: its
    words are the phrase or, where it has none, the value."""

    label: str = ""
    target: Target | None = None
    id: str = ""
    phrase: str = ""
    value: str = ""
    symbol: str = ""
    correct: bool | None = None


class ExamPassage(NamedTuple):
    """A `data` element: a passage, table or picture."""

    id: str
    label: str
    text: MarkedText


class Gap(NamedTuple):
    """An empty place that a question asks to fill: characters `start` to `end` of `text`, which print its label."""

    id: str
    label: str
    text: MarkedText
    start: int
    end: int


class Statement(NamedTuple):
    """A labelled statement (a, b, c) that choices speak of."""

    id: str
    label: str
    text: str


@dataclass(frozen=True, slots=True)
class Choice:
    """A choice without its printed number; `number` is its `ansnum`, in half-width digits. `slots` are its parts where
    it is a combination, a pair, a row of gap fillers or an order of events (in that order); a plain choice has none.
    `label` is the label that a file of plain questions prints (②, ア), of which `number` is the plain form."""

    number: str
    text: MarkedText
    slots: tuple[Slot, ...] = ()
    label: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExamQuestion:
    """One answer column of an exam: what is asked, and all that the paper prints with it.

    `answer_column` is the file's (it repeats where years are merged in one file). `data` are the question's own tables
    and sentences, `passages` those of the whole section. `underlines` are the phrases that the instruction refers to,
    ranges included. `asks` is "F" where the wrong choice is wanted.
    `together` are all answer columns of the question where it has several.
    A question without `choices` cannot be answered, but its column belongs into the answer table.
    """

    answer_column: str
    answer_type: str = ""
    shape: Shape
    asks: Asks = "T"
    instruction: MarkedText
    data: tuple[ExamPassage, ...] = ()
    choices: tuple[Choice, ...]
    passages: tuple[ExamPassage, ...] = ()
    underlines: tuple[str, ...] = ()
    gaps: tuple[Gap, ...] = ()
    statements: tuple[Statement, ...] = ()
    together: tuple[str, ...] = ()

    @property
    def problem(self) -> tuple[MarkedText, ...]:
        """The problem statement: the instruction and the question's own data, not the passages."""
        return (self.instruction, *(passage.text for passage in self.data))


@dataclass(frozen=True, slots=True)
class Exam:
    """An exam file. `name` is the file's name without .xml (an answer table's @filename), `title` its own id. `notes`
    are what was odd but readable, each one line with file and line number. `is_plain` is true of questions that are not
    exam XML: they have no answer columns to fill, and are answered with rows of id, label and text."""

    name: str
    title: str
    language: Language
    questions: tuple[ExamQuestion, ...]
    notes: tuple[str, ...]
    is_plain: bool = False
