"""Prepares a question of a trace for display: texts in pieces, features in words, evidence with its matched terms."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

from answerer.page.pieces import (
    MarkedPiece,
    Pieces,
    Span,
    as_printed,
    cut_text,
    in_words,
    keyword_spans,
    name_spans,
    term_spans,
)
from answerer.page.reasons import Reason, ReasonPart, reasons_of, reasons_of_concepts, true_likely
from answerer.registry import UNKNOWN, tasks
from answerer.task import Task
from answerer.trace import (
    Features,
    TraceCandidate,
    TraceEvidence,
    TraceMark,
    TraceQuestion,
    TraceStatement,
    TraceTable,
)

Kind = Literal["", "label", "used", "answer", "matched"]


class Cell(NamedTuple):
    """A cell: the `answer`, one that the derivation `used`, one that `matched` the question, a `label` of its row."""

    text: str
    kind: Kind = ""


class Table(NamedTuple):
    """Headings and rows of the part shown; `whole` says how large the table is where more is left out."""

    title: str
    heads: list[Cell]
    rows: list[list[Cell]]
    whole: str = ""


def shown_table(found: TraceTable) -> Table:
    """The part of a table that contains the answer: each cell with its role.

    In a table that is itself the candidate, cells with words of the question are `matched`.
    """
    matched, used = set(found.matched), set(found.used)

    def kind(r: int, c: int) -> Kind:
        """The role of the cell in row `r` and column `c`; r = -1 is a heading."""
        if (r, c) == found.answer:
            return "answer"
        if (r, c) in used:
            return "used"
        if (r, c) in matched:
            return "matched"
        return "label" if r >= 0 and c < found.labels else ""

    heads = [Cell(" / ".join(path), kind(-1, c)) for c, path in enumerate(found.columns)]
    rows = [[Cell(text, kind(r, c)) for c, text in enumerate(cells)] for r, (_, cells) in enumerate(found.rows)]
    height, width = found.size
    part = len(rows) < height or len(heads) < width
    return Table(found.title, heads, rows, f"of {height:,} rows and {width:,} columns" if part else "")


_EXPLAINED = 6  # candidates of a question whose features and evidence are shown; gold and answer always are
_PASSAGES = 6  # passages shown for each candidate
_CONCEPTS = 8  # concepts shown for each sentence of an essay
_OF_CONCEPTS = ("essay", "extraction")  # shapes whose candidates are worth what the concepts in them are
_NOTHING_IN_COMMON = "no content word in common with the question"
SURE = 0.6  # as probability, of an answer without doubt: 85 of 100 such are right on review questions of other books
_LIKELY = 0.2  # of the share of an era that is shown: one of 4 in 100 says nothing
_VERDICT = re.compile(r"[^“]+(?=: “)|[^“]+$")  # what is said of a choice, before the sentence that it quotes
_COIN_TOSS = 0.1  # of the distance between the best and the worst candidate; of two, of the higher score


class Passage(NamedTuple):
    """A passage of the evidence: `terms` are contributions to its score, `says` is its relation to the answer."""

    doc_id: str
    title: str
    text: Pieces
    score: float
    terms: dict[str, float]
    says: str = ""


class Candidate(NamedTuple):
    """A choice or candidate: `fact` are the parts of a fact, `said` the verdict, how it was derived or what it claims.

    `table` is the table that contains it; `probability` that it is the answer, if the trace has one.
    """

    candidate_id: str
    text: Pieces
    score: float
    probability: float | None = None
    gold: bool = False
    chosen: bool = False
    fact: Sequence[str] = ()
    said: Sequence[Pieces] = ()
    reasons: Sequence[Reason] = ()
    passages: Sequence[Passage] = ()
    table: Table | None = None


class EssaySentence(NamedTuple):
    """A sentence of an essay: where it is from, and the concepts that no sentence before it covers, heaviest first."""

    text: Pieces
    doc_id: str
    title: str
    covers: list[ReasonPart]


class Drawn(NamedTuple):
    """A question as it was answered. `margin` is how far the answer lies before the next candidate, where there is one;
    `unsure` where the answer's probability is too low, or, where the trace has none, the margin at most a tenth of the
    distance from the best candidate to the worst, or of two candidates of the higher score.

    `probability` is the answer's. `items` are the statements or events that the candidates combine, each with what was
    found of it. `around` are lines of the paper, outside the question, that contain its gaps; `written` is the answer
    if it is a text, `sentences` are those of which it was made.
    """

    asked: str
    text: Pieces
    around: list[Pieces]
    shape: str
    asks: str
    answer: str
    facts: list[tuple[str, str]]
    notes: list[str]
    margin: float | None
    probability: float | None
    unsure: bool
    items: list[Pieces]
    candidates: list[Candidate]
    written: Pieces
    sentences: Sequence[EssaySentence] = ()


class Gold(NamedTuple):
    """The right answers: texts, or ids of candidates if the candidates come with the question."""

    texts: Sequence[str] = ()
    candidate_ids: frozenset[str] = frozenset()

    def holds(self, candidate_id: str, text: str) -> bool:
        """Whether a candidate is right: by its id where ids are known, else by its text without case.

        A text of several answers, with tabs (in knowledge bases also `|||`) between them, is right where all are.
        """
        if self.candidate_ids:
            return candidate_id in self.candidate_ids
        return set(map(_fold, text.replace("|||", "\t").split("\t"))) <= set(map(_fold, self.texts))


NO_GOLD = Gold()


def draw_question(task: str, row: TraceQuestion, gold: Gold = NO_GOLD, weights: Features | None = None) -> Drawn:
    """Prepares a question of any task's trace. Fields that it does not have stay empty.

    `weights` are those of the features if the trace holds features before they are weighted; a question may have its
    own.
    """
    record = tasks().get(task, UNKNOWN)
    weights = (row.weights or weights or {}) if record.features_before_weights else {}
    keywords = list(row.keywords)
    written = row.shape == "essay"
    by_id = not written and not record.ids_are_ranks and any(one.id in row.system for one in row.candidates)
    candidates = []
    for place, one in enumerate(row.candidates):
        chosen = one.id in row.system if by_id else one.chosen or one.text in row.system
        is_gold = gold.holds(one.id, one.text)
        explained = place < _EXPLAINED or chosen or is_gold
        made = _candidate(record, one, explained, keywords, weights)
        if explained and row.shape in _OF_CONCEPTS:
            made = made._replace(reasons=reasons_of_concepts(one), said=_titles(one))
        candidates.append(made._replace(gold=is_gold, chosen=chosen))
    margin, unsure = (None, False) if written else _margin(candidates, row.asks)
    likely = max((one.probability for one in candidates if one.chosen and one.probability is not None), default=None)
    unsure = unsure if likely is None else likely < SURE
    return Drawn(
        row.question,
        _as_printed([row.question], row.marks),
        _around(row),
        row.shape,
        row.asks,
        row.answer,
        _facts(row),
        [row.note] if row.note else [],
        margin,
        likely,
        unsure,
        _items(row.candidates),
        candidates,
        cut_text(row.answer, keyword_spans(row.answer, keywords)) if written else [],
        _sentences(row, keywords) if written else [],
    )


def draw_row(header: Mapping[str, Any], row: TraceQuestion, gold: Gold) -> Drawn:
    """Prepares a question for display with the task and the weights of its trace's header."""
    return draw_question(str(header.get("task", "")), row, gold, header_weights(header))


def header_weights(header: Mapping[str, Any]) -> Features:
    """The weights of features in the header of a trace; empty if it has none."""
    weights = (header.get("parameters") or {}).get("weights")
    return weights if isinstance(weights, dict) and all(type(one) in (int, float) for one in weights.values()) else {}


def _as_printed(pieces: Pieces, marks: Sequence[TraceMark]) -> Pieces:
    """The pieces with the marks that the paper prints in them, as the trace has them."""
    return as_printed(pieces, [Span(mark.start, mark.end, mark.kind, note=mark.label) for mark in marks])  # type: ignore[arg-type]  # drawn as text if unknown


def _around(row: TraceQuestion) -> list[Pieces]:
    """The lines of the paper that contain gaps, each once, without those that are in the question."""
    lines = {gap.text: gap for gap in row.gaps}
    return [_as_printed([text], gap.marks) for text, gap in lines.items() if text and text not in row.question]


def _fold(text: str) -> str:
    """The text in lower case with runs of blanks as one."""
    return " ".join(text.casefold().split())


def _margin(candidates: Sequence[Candidate], asks: str) -> tuple[float | None, bool]:
    """The score of the answer minus the best other score, and whether that is at most a tenth of the spread.

    (None, False) if no candidate or every candidate is chosen.
    """
    sign = -1.0 if asks == "F" else 1.0
    scores = [one.score for one in candidates]
    chosen = [sign * one.score for one in candidates if one.chosen]
    others = [sign * one.score for one in candidates if not one.chosen]
    if not chosen or not others:
        return None, False
    margin = max(chosen) - max(others)
    spread = max(scores) - min(scores) if len(scores) > 2 else max(map(abs, scores))
    return margin, 0 <= margin <= _COIN_TOSS * spread


def _sentences(row: TraceQuestion, keywords: Sequence[str]) -> list[EssaySentence]:
    """The sentences of an essay in its order; each concept counts where it comes first."""
    known: set[str] = set()
    found = []
    for one in sorted((one for one in row.candidates if one.chosen), key=lambda one: row.answer.find(one.text)):
        terms = one.evidence[0].terms if one.evidence else {}
        new = sorted((term for term in terms if term not in known and terms[term] > 0), key=lambda term: -terms[term])
        marked = cut_text(one.text, keyword_spans(one.text, keywords))
        covers = list(
            map(ReasonPart._make, in_words({term: terms[term] for term in new[:_CONCEPTS]}, one.text).items())
        )
        found.append(EssaySentence(marked, one.id, one.evidence[0].title if one.evidence else "", covers))
        known.update(terms)
    return found


def _facts(row: TraceQuestion) -> list[tuple[str, str]]:
    """Further fields of a question, named in words."""
    found = []
    if row.focus:
        found.append(("asked for", row.focus))
    if row.classes:
        found.append(("of the kind", ", ".join(row.classes)))
    if row.length is not None:
        limit = f" of {row.limit}" if row.limit else ""
        found.append(("length", f"{row.length}{limit} {row.unit}".strip()))
    if row.covered is not None:
        found.append(("covered", f"{row.covered:.0%} of what the concepts are worth"))
    if row.uncovered:
        texts = [one.text for one in row.candidates]
        found.append(("not covered", ", ".join(in_words(dict.fromkeys(row.uncovered, 0.0), *texts))))
    if row.mentions:
        found.append(("names found", ", ".join(one.name for one in row.mentions)))
    unused = [name for name, by in row.keywords.items() if by in ("", "unused")]
    if unused:
        found.append(("keywords not used", ", ".join(unused)))
    return found


def _candidate(
    task: Task, one: TraceCandidate, explained: bool, keywords: Sequence[str], weights: Features
) -> Candidate:
    """Prepares a candidate; only an `explained` one has reasons, passages and its table."""
    own = [found for found in one.evidence if found.text == one.text]  # a candidate that is its own evidence
    by_source, judged = _leading(one)
    if len(judged.statements) == 1 and judged.statements[0].text == one.text:
        marks = _name_marks(judged.statements[0])
    else:
        marks = [span for found in own for span in term_spans(one.text, found.terms)]
    made = Candidate(
        one.id,
        _as_printed(cut_text(one.text, [*keyword_spans(one.text, keywords), *marks]), one.marks),
        one.score,
        one.probability,
        fact=_fact(one),
        said=_remarks(one, judged.statements),
    )
    if not explained:
        return made
    table = shown_table(one.table) if one.table else None
    sums: dict[str, float] = {}
    for statement in judged.statements:
        for name, added in statement.names.items():
            sums[name] = sums.get(name, 0.0) + added.get("sum", 0.0)
    passages = [_passage(found, sums) for found in one.evidence[:_PASSAGES] if found not in own]
    if made.fact:  # the passage is the fact itself: its text would repeat the candidate
        passages = [one._replace(title=made.fact[-3], text=[], score=0.0) for one in passages]
    if task.features_are_shared_words and own and not any(found.terms for found in own):
        # Features are relative to the question's other candidates, so some add to the score without any shared word.
        return made._replace(reasons=[Reason("", None, [ReasonPart(_NOTHING_IN_COMMON, made.score)])], table=table)
    return made._replace(
        reasons=[*by_source, *reasons_of(task, judged, weights, task.features_before_weights and not weights)],
        passages=passages,
        table=table,
    )


def _fact(one: TraceCandidate) -> tuple[str, ...]:
    """Subject, predicate and the joined objects, after the subject and predicate of the fact that led there.

    Empty if the candidate is not a fact.
    """
    return (*one.through[:2], *one.fact[:2], "、".join(one.fact[2:])) if len(one.fact) > 2 else ()


def _titles(one: TraceCandidate) -> list[Pieces]:
    """The titles of the book under which a sentence appears, each once."""
    return [[title] for title in dict.fromkeys(found.title for found in one.evidence) if title]


def _leading(one: TraceCandidate) -> tuple[list[Reason], TraceCandidate]:
    """The contribution of each index, and the candidate of the index that scores it highest.

    If one index was searched: no contributions, and the candidate itself.
    """
    if not one.sources:
        return [], one
    shares = [(f"from {source.index}", one.features.get(f"from {source.index}", 0.0)) for source in one.sources]
    return [Reason(name, share, []) for name, share in shares if share], max(one.sources, key=lambda each: each.score)


def _name_marks(statement: TraceStatement) -> list[Span]:
    """Marks each name at its place in the trace, or, without a place there, where its words are found."""
    sums = {name: added.get("sum", 0.0) for name, added in statement.names.items()}
    places = {name: place for name, place in statement.places.items() if name in sums}
    known = [Span(start, end, "name", sums[name], name) for name, (start, end) in places.items()]
    unknown = {name: value for name, value in sums.items() if name not in places}
    return [*known, *name_spans(statement.text, unknown)]


def _remarks(one: TraceCandidate, statements: Sequence[TraceStatement]) -> list[Pieces]:
    """The verdict on a candidate, its derivation, and the statement that it makes if that is not its own text."""
    found: list[Pieces] = []
    if head := _VERDICT.match(one.verdict):
        quoted = one.verdict[head.end() :]
        found.append([MarkedPiece(head[0], "verdict"), *([quoted] if quoted else [])])
    if one.derivation:
        found.append([one.derivation])
    if len(statements) == 1 and statements[0].text not in ("", one.text):
        found.append(cut_text(statements[0].text, _name_marks(statements[0])))
    return found


def _items(given: Sequence[TraceCandidate]) -> list[Pieces]:
    """The statements that choices claim to be true or false, with their probabilities, and the events that they order.

    Each once, in the order of the choices; events have their likely dates.
    """
    found: dict[str, Pieces] = {}
    for judged in (_leading(one)[1] for one in given):
        for statement in judged.statements:
            if statement.claimed is not None and statement.text not in found:
                likely = MarkedPiece(f"{true_likely(statement):.0%} likely to be true", "verdict")
                found[statement.text] = [*cut_text(statement.text, _name_marks(statement)), " — ", likely]
        for event in judged.events:
            times = ", ".join(f"{era} ({share:.0%})" for era, share in event.times.items() if share >= _LIKELY)
            found.setdefault(event.event, [f"{event.event} — ", MarkedPiece(times or "no date is likely", "verdict")])
    return list(found.values())


def _passage(found: TraceEvidence, sums: Features) -> Passage:
    """Prepares a passage: names with the values in `sums` and matched terms are marked."""
    names = name_spans(found.text, {name: sums.get(name, 0.0) for name in found.names})
    marked = cut_text(found.text, [*names, *term_spans(found.text, found.terms)])
    terms = in_words(dict(found.terms), found.text)
    return Passage(found.doc_id, found.title, marked, found.score, terms, found.says)
