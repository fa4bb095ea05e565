"""A row of a trace made ready to be drawn: texts in pieces, signals in words, evidence with what matched."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

from answerer.page.pieces import Piece, Pieces, Span, as_printed, cut, in_words, keyword_spans, name_spans, term_spans
from answerer.page.reasons import Part, Reason, number, reasons_of, reasons_of_concepts, true_likely
from answerer.registry import UNKNOWN, tasks
from answerer.task import Task
from indexer.files.errors import bad_input

# The part of a table that an answer stands in, ready to be drawn: which cell is the answer, which led to it.
#
# Of a table that is itself the candidate: which cells hold words of the question.

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


def shown_table(found: Mapping[str, Any]) -> Table:
    """The table of a trace's candidate. Raises where it is not as a trace has it."""
    answer = tuple(map(int, found["answer"])) if found["answer"] is not None else None
    matched = {(int(r), int(c)) for r, c in found.get("matched", ())}
    used = {(int(r), int(c)) for r, c in found["used"]}
    labels = int(found["labels"])

    def kind(r: int, c: int) -> Kind:
        if (r, c) == answer:
            return "answer"
        if (r, c) in used:
            return "used"
        if (r, c) in matched:
            return "matched"
        return "label" if r >= 0 and c < labels else ""

    heads = [Cell(" / ".join(map(str, path)), kind(-1, c)) for c, path in enumerate(found["columns"])]
    rows = [[Cell(str(text), kind(r, c)) for c, text in enumerate(cells)] for r, (_, cells) in enumerate(found["rows"])]
    height, width = map(int, found["size"])
    part = len(rows) < height or len(heads) < width
    return Table(str(found["title"]), heads, rows, f"of {height:,} rows and {width:,} columns" if part else "")


_EXPLAINED = 6  # candidates of a question whose signals and evidence are shown; gold and answer always are
_PASSAGES = 6
_CONCEPTS = 8  # of a sentence of an essay
_OF_CONCEPTS = ("essay", "extraction")  # shapes whose candidates are worth what the concepts in them are
_NOTHING_IN_COMMON = "no content word in common with the question"
SURE = 0.6  # as probability, of an answer without doubt: 83 of 100 such are right on review questions of other books
_LIKELY = 0.2  # of the share of an era that is shown: one of 4 in 100 says nothing
_VERDICT = re.compile(r"[^“]+(?=: “)|[^“]+$")  # what is said of a choice, before the sentence that it quotes
_COIN_TOSS = 0.1  # of the distance between the best and the worst candidate; of two, of the higher score


class Passage(NamedTuple):
    """A passage of the evidence, with what each term gave to its score; `says` what it has to do with the answer."""

    doc_id: str
    title: str
    text: Pieces
    score: float
    terms: dict[str, float]
    says: str = ""


class Candidate(NamedTuple):
    """A choice or candidate: `fact` are the parts of a fact, `said` the verdict, how it was derived or what it claims.

    `table` is the table that it stands in; `probability` that it is the answer, where the trace has one.
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


class Sentence(NamedTuple):
    """A sentence of an essay: where it is from, and the concepts that no sentence before it covers, heaviest first."""

    text: Pieces
    doc_id: str
    title: str
    covers: list[Part]


class Drawn(NamedTuple):
    """A question as it was answered. `margin` is how far the answer lies before the next candidate, where there is one;
    `unsure` where the answer's probability is too low, or, where the trace has none, the margin at most a tenth of the
    distance from the best candidate to the worst, or of two candidates of the higher score.

    `probability` is the answer's. `items` are the statements or events that the candidates combine, each with what was
    found of it. `around` are lines of the paper, outside the question, that its gaps stand in; `written` is a text that
    is the answer, `sentences` what it was made of.
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
    sentences: Sequence[Sentence] = ()


class Gold(NamedTuple):
    """What is right: texts, or ids of candidates where the candidates come with the question."""

    texts: Sequence[str] = ()
    candidate_ids: frozenset[str] = frozenset()

    def holds(self, candidate_id: str, text: str) -> bool:
        """Whether a candidate is right: by its id where ids are known, else by its text without case.

        A text of several answers, with tabs (in knowledge bases also `|||`) between them, is right where all are.
        """
        if self.candidate_ids:
            return candidate_id in self.candidate_ids
        return set(map(_folded, text.replace("|||", "\t").split("\t"))) <= set(map(_folded, self.texts))


NO_GOLD = Gold()


def drawn(task: str, row: Mapping[str, Any], gold: Gold = NO_GOLD, weights: Mapping[str, float] | None = None) -> Drawn:
    """A row of a trace of any task, ready to be drawn. Fields that the row does not have stay empty.

    `weights` are those of the signals, where the trace holds signals before they are weighted; a row may have its own.
    """
    record = tasks().get(task, UNKNOWN)
    weights = (row.get("weights") or weights or {}) if record.features_before_weights else {}
    given = [one for one in row.get("candidates", ()) if isinstance(one, Mapping)]
    answers = _texts(row.get("system"))
    keywords = list(row.get("keywords") or ())
    written = row.get("shape") == "essay"
    by_id = not written and not record.ids_are_ranks and any(str(one.get("id")) in answers for one in given)
    candidates = []
    for place, one in enumerate(given):
        name, text = str(one.get("id", place)), str(one.get("text", ""))
        chosen = name in answers if by_id else (bool(one.get("signals", {}).get("chosen")) or text in answers)
        is_gold = gold.holds(name, text)
        explained = place < _EXPLAINED or chosen or is_gold
        made = _candidate(record, one, explained, keywords, weights)
        if explained and row.get("shape") in _OF_CONCEPTS:
            made = made._replace(reasons=reasons_of_concepts(one), said=_titles(one))
        candidates.append(made._replace(gold=is_gold, chosen=chosen))
    margin, unsure = (None, False) if written else _margin([one.score for one in candidates], candidates, row)
    likely = max((one.probability for one in candidates if one.chosen and one.probability is not None), default=None)
    unsure = unsure if likely is None else likely < SURE
    question = str(row.get("question", ""))
    answer = " / ".join(answers)
    return Drawn(
        question,
        _as_printed([question], row),
        _around(row, question),
        str(row.get("shape") or ""),
        str(row.get("asks") or ""),
        answer,
        _facts(row),
        [str(row["note"])] if row.get("note") else [],
        margin,
        likely,
        unsure,
        _items(given),
        candidates,
        cut(answer, keyword_spans(answer, keywords)) if written else [],
        _sentences(given, answer, keywords) if written else [],
    )


def drawn_row(header: Mapping[str, Any], row: Mapping[str, Any], gold: Gold, file: str | Path) -> Drawn:
    """A row of the trace in a file, drawn as the trace's header says. UserError for a row that no trace of ours has."""
    try:
        return drawn(str(header.get("task", "")), row, gold, (header.get("parameters") or {}).get("weights"))
    except (ValueError, KeyError, TypeError, AttributeError):
        what = f"question {row.get('question_id')}: candidates, signals or evidence are not as a trace has them"
        raise bad_input(file, None, what, "expected a trace written with --trace") from None


def _as_printed(pieces: Pieces, one: Mapping[str, Any]) -> Pieces:
    """A text with what the trace says that the paper marks in it."""
    found = one.get("marks") or ()
    marks = [Span(int(m["start"]), int(m["end"]), m["kind"], note=str(m.get("label", ""))) for m in found]
    return as_printed(pieces, marks)


def _around(row: Mapping[str, Any], question: str) -> list[Pieces]:
    """The lines of the paper that gaps stand in, each once, without those that the question holds."""
    lines = {str(gap.get("text", "")): gap for gap in row.get("gaps") or ()}
    return [_as_printed([text], gap) for text, gap in lines.items() if text and text not in question]


def _texts(system: object) -> list[str]:
    if isinstance(system, Sequence) and not isinstance(system, str):
        return [str(one) for one in system]
    return [] if system is None or system == "" else [str(system)]


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())


def _margin(
    scores: Sequence[float], candidates: Sequence[Candidate], row: Mapping[str, Any]
) -> tuple[float | None, bool]:
    """How far the answer is before the best of the others, and whether that is next to nothing."""
    sign = -1.0 if row.get("asks") == "F" else 1.0
    chosen = [sign * one.score for one in candidates if one.chosen]
    others = [sign * one.score for one in candidates if not one.chosen]
    if not chosen or not others:
        return None, False
    margin = max(chosen) - max(others)
    spread = max(scores) - min(scores) if len(scores) > 2 else max(map(abs, scores))
    return margin, 0 <= margin <= _COIN_TOSS * spread


def _sentences(given: Sequence[Mapping[str, Any]], answer: str, keywords: Sequence[str]) -> list[Sentence]:
    """The sentences of an essay in its order; each concept counts where it comes first."""
    chosen = [one for one in given if one.get("signals", {}).get("chosen")]
    known: set[str] = set()
    found = []
    for one in sorted(chosen, key=lambda one: answer.find(str(one.get("text")))):
        text = str(one.get("text", ""))
        source: Mapping[str, Any] = next(iter(one.get("evidence") or ()), {})
        terms = {str(term): number(value) for term, value in (source.get("terms") or {}).items()}
        new = sorted((term for term in terms if term not in known and terms[term] > 0), key=lambda term: -terms[term])
        marked = cut(text, keyword_spans(text, keywords))
        covers = list(map(Part._make, in_words({term: terms[term] for term in new[:_CONCEPTS]}, text).items()))
        found.append(Sentence(marked, str(one.get("id", "")), str(source.get("title") or ""), covers))
        known.update(terms)
    return found


def _facts(row: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Further fields of a row, named in words."""
    found = []
    if row.get("focus"):
        found.append(("asked for", str(row["focus"])))
    if row.get("classes"):
        found.append(("of the kind", ", ".join(map(str, row["classes"]))))
    if row.get("length") is not None:
        limit = f" of {row['limit']}" if row.get("limit") else ""
        found.append(("length", f"{row['length']}{limit} {row.get('unit') or ''}".strip()))
    if row.get("covered") is not None:
        found.append(("covered", f"{number(row['covered']):.0%} of what the concepts are worth"))
    if row.get("uncovered"):
        texts = [str(one.get("text", "")) for one in row.get("candidates", ())]
        found.append(("not covered", ", ".join(in_words(dict.fromkeys(map(str, row["uncovered"]), 0.0), *texts))))
    if row.get("mentions"):
        found.append(("names found", ", ".join(str(one.get("name", "")) for one in row["mentions"])))
    unused = [name for name, by in (row.get("keywords") or {}).items() if by in (None, "", "unused")]
    if unused:
        found.append(("keywords not used", ", ".join(unused)))
    return found


def _candidate(
    task: Task, one: Mapping[str, Any], explained: bool, keywords: Sequence[str], weights: Mapping[str, float]
) -> Candidate:
    text = str(one.get("text", ""))
    evidence = list(one.get("evidence") or ())
    own = [found for found in evidence if found.get("text") == text]  # a candidate that is its own evidence
    by_source, one = _leading(one)
    signals = one.get("signals") or {}
    made = Candidate(
        str(one.get("id", "")),
        _as_printed(cut(text, [*keyword_spans(text, keywords), *_marks(text, signals, own)]), one),
        number(one.get("score") or 0.0),
        None if one.get("probability") is None else number(one["probability"]),
        fact=_fact(one),
        said=_said(one),
    )
    if not explained:
        return made
    table = shown_table(one["table"]) if one.get("table") else None
    sums = _sums(signals)
    passages = [_passage(found, sums) for found in evidence[:_PASSAGES] if found not in own]
    if made.fact:  # what it is evidence of is the fact itself
        passages = [one._replace(title=made.fact[-3], text=[], score=0.0) for one in passages]
    if task.features_are_shared_words and own and not any(found.get("terms") for found in own):
        # its signals tell it from the question's other candidates: some then add, though there is nothing to add for
        return made._replace(reasons=[Reason("", None, [Part(_NOTHING_IN_COMMON, made.score)])], table=table)
    return made._replace(
        reasons=[*by_source, *reasons_of(task, signals, weights, task.features_before_weights and not weights)],
        passages=passages,
        table=table,
    )


def _fact(one: Mapping[str, Any]) -> tuple[str, ...]:
    """Subject, predicate, and the objects as one, after the subject and predicate of the fact that led there; nothing
    where the candidate is no fact."""
    subject, predicate, *objects = map(str, one.get("fact") or ("", ""))
    led = map(str, (one.get("through") or ())[:2])
    return (*led, subject, predicate, "、".join(objects)) if objects else ()


def _titles(one: Mapping[str, Any]) -> list[Pieces]:
    """Under which titles of the book a sentence stands."""
    return [
        [title]
        for title in dict.fromkeys(str(found.get("title") or "") for found in one.get("evidence") or ())
        if title
    ]


def _leading(one: Mapping[str, Any]) -> tuple[list[Reason], Mapping[str, Any]]:
    """Of several indexes what each added, and the candidate as judged by the one that speaks most for it."""
    sources = list(one.get("sources") or ())
    if not sources:
        return [], one
    shares = [number(one["signals"][f"from {source['index']}"]) for source in sources]
    leading = max(sources, key=lambda source: number(source["score"]))
    added = [
        Reason(f"from {source['index']}", share, []) for source, share in zip(sources, shares, strict=True) if share
    ]
    return added, {**one, "signals": leading["signals"]}


def _marks(text: str, signals: Mapping[str, Any], own: Sequence[Mapping[str, Any]]) -> list[Span]:
    """The names of a choice that is one statement; else the matched terms of what is its own evidence."""
    statements = list(signals.get("statements") or ())
    if len(statements) == 1 and statements[0].get("text") == text:
        return _name_marks(text, statements[0])
    return [span for found in own for span in term_spans(text, found.get("terms", {}))]


def _name_marks(text: str, statement: Mapping[str, Any]) -> list[Span]:
    """Each name where the trace says that it stands, or else where its words are found."""
    sums = {str(name): number(added["sum"]) for name, added in statement.get("names", {}).items()}
    places = {str(name): place for name, place in (statement.get("places") or {}).items() if name in sums}
    known = [Span(int(start), int(end), "name", sums[name], name) for name, (start, end) in places.items()]
    unknown = {name: value for name, value in sums.items() if name not in places}
    return [*known, *name_spans(text, unknown)]


def _sums(signals: Mapping[str, Any]) -> dict[str, float]:
    """What each judged name adds, over the statements of a choice."""
    found: dict[str, float] = {}
    for statement in signals.get("statements") or ():
        for name, added in statement.get("names", {}).items():
            found[str(name)] = found.get(str(name), 0.0) + number(added["sum"])
    return found


def _said(one: Mapping[str, Any]) -> list[Pieces]:
    """The verdict on a candidate, how it was derived, or what it claims where that is not its own text."""
    verdict = str(one.get("verdict") or "")
    head = _VERDICT.match(verdict)
    found: list[Pieces] = []
    if head:
        found.append([Piece(head[0], "verdict"), *([verdict[head.end() :]] if verdict[head.end() :] else [])])
    if one.get("derivation"):
        found.append([str(one["derivation"])])
    statements = list((one.get("signals") or {}).get("statements") or ())
    if len(statements) == 1 and statements[0].get("text") not in ("", None, one.get("text")):
        found.append(cut(str(statements[0]["text"]), _name_marks(str(statements[0]["text"]), statements[0])))
    return found


def _items(given: Sequence[Mapping[str, Any]]) -> list[Pieces]:
    """The statements that choices claim to be true or false, or the events that they order: each once, with how likely
    it is to be true, or when it was."""
    found: dict[str, Pieces] = {}
    for signals in (_leading(one)[1].get("signals") or {} for one in given):
        for statement in signals.get("statements") or ():
            text = str(statement.get("text", ""))
            if statement.get("claimed") is not None and text not in found:
                likely = f"{true_likely(statement):.0%} likely to be true"
                found[text] = [*cut(text, _name_marks(text, statement)), " — ", Piece(likely, "verdict")]
        for event in signals.get("events") or ():
            eras = {era: number(share) for era, share in event.get("times", {}).items() if number(share) >= _LIKELY}
            times = ", ".join(f"{era} ({share:.0%})" for era, share in eras.items())
            text = str(event.get("event", ""))
            found.setdefault(text, [f"{text} — ", Piece(times or "no date is likely", "verdict")])
    return list(found.values())


def _passage(found: Mapping[str, Any], sums: Mapping[str, float]) -> Passage:
    text = str(found.get("text", ""))
    terms = {str(term): number(value) for term, value in (found.get("terms") or {}).items()}
    names = name_spans(text, {str(name): sums.get(str(name), 0.0) for name in found.get("names") or ()})
    marked = cut(text, [*names, *term_spans(text, terms)])
    place = str(found.get("doc_id", "")), str(found.get("title") or "")
    says = str(found.get("says") or "")
    return Passage(*place, marked, number(found.get("score") or 0), in_words(terms, text), says)
