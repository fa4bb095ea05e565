"""What `ask` replies: the answers of an index with their sources."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, overload

if TYPE_CHECKING:
    from answerer.trace import TraceQuestion


class Source(NamedTuple):
    """Source of an answer: `text` is a passage, a fact or a table row; `title` its heading (""
    without one); `doc_id` its document in the index."""

    doc_id: str
    title: str
    text: str


class Answer(NamedTuple):
    """An answer with its score (higher is better, comparable inside one reply; None for a sentence
    whose probability is not known), a reason in words, and its sources."""

    text: str
    score: float | None
    reason: str
    sources: tuple[Source, ...]

    @property
    def is_sentence(self) -> bool:
        """True if the answer is a sentence of its source, False for a term that the source
        supports."""
        return [self.text] == [source.text for source in self.sources]


@dataclass(frozen=True, repr=False)
class Reply(Sequence[Answer]):
    """Reply of one index: its answers, best first, and `doubt`, the reason not to trust them (""
    without one).

    `address` is the index's, `kind` its kind (textbook, triples, datasets, reports). A book that
    does not seem to say has no answers, but the passage that comes `nearest`. If evidence was asked
    for, `row` is the question's row in a trace of `task`. `likelihood` compares the replies of
    several textbooks to a question without choices: the probability, 0 to 1, that the first answer
    is right; of sentences, and without an answer, the share of the question that its best passage
    has.
    """

    address: str
    kind: str
    answers: tuple[Answer, ...]
    doubt: str = ""
    task: str = ""
    row: TraceQuestion | None = None
    nearest: Source | None = None
    likelihood: float = 0.0

    @overload
    def __getitem__(self, position: int) -> Answer: ...

    @overload
    def __getitem__(self, position: slice) -> tuple[Answer, ...]: ...

    def __getitem__(self, position: int | slice) -> Answer | tuple[Answer, ...]:
        return self.answers[position]

    def __repr__(self) -> str:
        texts = " / ".join(answer.text for answer in self.answers) or "no answer"
        return f"<Reply {self.kind} {self.address}: {texts}>"

    def __len__(self) -> int:
        """Number of answers."""
        return len(self.answers)
