"""What comes back for a question in plain words: answers, what bears them, and how sure they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, overload

from answerer.trace import TraceQuestion


class Source(NamedTuple):
    """What bears an answer: a passage, a fact or a table's row, its title ("" without one) and place in the index."""

    doc_id: str
    title: str
    text: str


class Answer(NamedTuple):
    """An answer with its score (higher is better, comparable inside one reply), a reason in words, and its sources."""

    text: str
    score: float
    reason: str
    sources: tuple[Source, ...]

    @property
    def is_sentence(self) -> bool:
        """Whether the answer is a sentence of its source, not a term that this bears."""
        return [self.text] == [source.text for source in self.sources]


@dataclass(frozen=True, repr=False)
class Reply(Sequence[Answer]):
    """What one index answers: its answers, best first, and `doubt`: why they are not to be trusted ("" where they are).

    `address` is the index's, `kind` the kind of corpus. Where the evidence was asked for, `row` is the question as
    a trace of `task` has it, and `weights` those of its signals where it holds these before they are weighted.
    """

    address: str
    kind: str
    answers: tuple[Answer, ...]
    doubt: str = ""
    task: str = ""
    row: TraceQuestion | None = None
    weights: Mapping[str, float] = field(default_factory=dict)

    @overload
    def __getitem__(self, place: int) -> Answer: ...

    @overload
    def __getitem__(self, place: slice) -> tuple[Answer, ...]: ...

    def __getitem__(self, place: int | slice) -> Answer | tuple[Answer, ...]:
        return self.answers[place]

    def __repr__(self) -> str:
        told = " / ".join(one.text for one in self.answers) or "no answer"
        return f"<Reply {self.kind} {self.address}: {told}>"

    def __len__(self) -> int:
        """How many answers there are."""
        return len(self.answers)


def plain(reply: Reply) -> dict[str, object]:
    """A reply as JSON holds it, without the row of a trace."""
    answers = [{**one._asdict(), "sources": [source._asdict() for source in one.sources]} for one in reply.answers]
    return {"address": reply.address, "kind": reply.kind, "answers": answers, "doubt": reply.doubt}
