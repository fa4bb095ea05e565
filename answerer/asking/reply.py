"""Reply to a question in plain words: answers, their sources, and their scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, overload

from answerer.trace import TraceQuestion


class Source(NamedTuple):
    """Source of an answer: `text` is a passage, a fact or a table row; `title` its heading ("" without one); `doc_id`
    its document in the index."""

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
        """True if the answer is a sentence of its source, False for a term that the source supports."""
        return [self.text] == [source.text for source in self.sources]


@dataclass(frozen=True, repr=False)
class Reply(Sequence[Answer]):
    """Reply of one index: its answers, best first, and `doubt`, the reason not to trust them ("" without one).

    `address` is the index's, `kind` its kind (textbook, triples, datasets, reports). If evidence was asked for, `row`
    is the question's row in a trace of `task`, and `weights` maps feature name to weight if the row has unweighted
    feature values.
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
        texts = " / ".join(one.text for one in self.answers) or "no answer"
        return f"<Reply {self.kind} {self.address}: {texts}>"

    def __len__(self) -> int:
        """Number of answers."""
        return len(self.answers)


def plain(reply: Reply) -> dict[str, object]:
    """A reply as JSON holds it, without the row of a trace."""
    answers = [{**one._asdict(), "sources": [source._asdict() for source in one.sources]} for one in reply.answers]
    return {"address": reply.address, "kind": reply.kind, "answers": answers, "doubt": reply.doubt}
