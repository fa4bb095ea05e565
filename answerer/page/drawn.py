"""Prepares a question of a trace for display: text in pieces, its scores in words, evidence with
matched terms."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any, Literal, NamedTuple

from answerer.page.pieces import (
    MarkedPiece,
    MarkSpan,
    Pieces,
    as_printed,
    cut_text,
    in_words,
    keyword_spans,
    name_spans,
    term_spans,
)
from answerer.registry import UNKNOWN, tasks
from answerer.task import Task
from answerer.trace import (
    Features,
    TraceCandidate,
    TraceCount,
    TraceEvidence,
    TraceQuestion,
    TraceStatement,
    TraceTable,
)

_ACCENT = re.compile("[\u0300-\u036f]")
_WORD = re.compile(r"[^\W_]+")
_SMALL = frozenset(("a", "an", "and", "of", "s", "the"))
_STEM = 4  # letters that a word and its form in a key begin with alike (Sicilian, sicily)


@lru_cache(10_000)  # the choices of a question say some of the same names
def link(mention: str, key: str) -> str:
    """The `key` that a `mention` in a text was linked to, unchanged; "" if it is a date (`y:1453`)
    or both have the same words, in any case, in any order or as one word, without accents, small
    words and all but the first four letters of English ones; "looked up as plain words" for a key
    in quotes."""
    if key.startswith("“"):
        return "looked up as plain words"
    words = []
    for name in (mention, key):
        letters = _ACCENT.sub("", unicodedata.normalize("NFKD", name.casefold()))
        tokens = _WORD.findall(unicodedata.normalize("NFKC", letters))
        words.append([word for word in tokens if word not in _SMALL])
    stems = [sorted(word[:_STEM] if word.isascii() else word for word in group) for group in words]
    is_same = key.startswith("y:") or stems[0] == stems[1] or "".join(words[0]) == "".join(words[1])
    return "" if is_same else key


class ReasonPart(NamedTuple):
    """A family of features in words, with the sum of its features' contributions to a score (or of
    their values)."""

    words: str
    value: float


def parts(task: Task, features: Features) -> list[ReasonPart]:
    """Sums features by family, largest absolute sum first; families with sum 0 are left out. A
    feature that neither the task nor features.tsv describes is a family by its name."""
    # Features of one family are worded alike, so that a reader sees one reason.
    sums: dict[str, float] = {}
    for name, value in features.items():
        words = _families_words(task.name, name)
        sums[words] = sums.get(words, 0.0) + value
    return sorted(
        (ReasonPart(words, value) for words, value in sums.items() if value),
        key=lambda part: -abs(part.value),
    )


@cache
def _families_words(task: str, feature: str) -> str:
    """The description of a feature's family, by the task's patterns or else features.tsv; the
    feature's name if neither describes it. A line of features.tsv has the task (* for any), the
    feature's name (… matches anything), words."""
    text = files(__package__).joinpath("features.tsv").read_text("utf-8")
    lines = [line.split("\t") for line in text.splitlines() if line and not line.startswith("#")]
    patterns = [
        (task, pattern, words) for pattern, words in tasks().get(task, UNKNOWN).features.items()
    ]
    for task_name, pattern, words in (*patterns, *lines):
        if task_name in (task, "*") and re.fullmatch(
            re.escape(pattern).replace("…", ".*"), feature
        ):
            return words
    return feature


_FOUND_BY = ("sentence score", "paragraph score", "keywords")
_WHOLE, _SAME = "(statement)", "the same for every statement"


class Reason(NamedTuple):
    """The contribution of a name in a statement ("" for the whole candidate) to a score, by
    families of features (value None: without a common sum). `link` is the linked entity if its name
    differs, `counted` its co-occurrence."""

    name: str
    value: float | None
    parts: list[ReasonPart]
    link: str = ""
    counted: Sequence[str] = ()


def reasons_of(task: Task, candidate: TraceCandidate, weights: Features) -> list[Reason]:
    """The reasons for a candidate's score: its features by family, then for each of its statements
    the statement itself (if there are several) and its names, largest absolute sum first. `weights`
    multiply the candidate's features ({}: they are not multiplied, and if the task's traces need
    weights, that is said). A candidate with ordered pairs has only these as reasons."""
    if candidate.pairs:
        return [
            Reason(f"{pair}, {_likely(value)}", value, [])
            for pair, value in candidate.pairs.items()
        ]
    added = {
        name: value * weights.get(name, 0.0) if weights else value
        for name, value in candidate.features.items()
    }
    label = "before weights" if task.features_before_weights and not weights else ""
    reasons = [Reason(label, None, parts(task, added))] if added else []
    for statement in candidate.statements:
        likely = statement.log_probability
        if len(candidate.statements) > 1:
            label = statement.text
            if statement.claimed is not None:
                label = (
                    f"is {'true' if statement.claimed else 'false'}, "
                    f"{_likely(likely or 0.0)}: {label}"
                )
            reasons.append(Reason(label, statement.score if likely is None else likely, []))
        # As the statement writes them.
        written = {name: statement.text[slice(*span)] for name, span in statement.places.items()}
        for name, values in sorted(
            statement.names.items(), key=lambda item: -abs(item[1].get("sum", 0.0))
        ):
            total = values.get("sum", 0.0)
            if name == _WHOLE:  # its features are constants, the same for every statement
                called = (
                    "to begin with"
                    if len(statement.names) > 1
                    else "the book knows none of its names"
                )
                reasons.append(Reason(called, total, [ReasonPart(_SAME, total)]))
                continue
            features = {feature: value for feature, value in values.items() if feature != "sum"}
            lines = (
                counted_words(statement.counted[name], written) if name in statement.counted else []
            )
            linked = link(written[name], name) if written.get(name) else ""
            reasons.append(
                Reason(
                    written.get(name) or name.strip("“”"),
                    total,
                    parts(task, features),
                    linked,
                    lines,
                )
            )
    return reasons


def _likely(log_probability: float) -> str:
    """A natural logarithm of a probability in words, such as "63% likely"; above 0 it counts as
    0."""
    return f"{math.exp(min(log_probability, 0.0)):.0%} likely"


def reasons_of_concepts(candidate: TraceCandidate) -> list[Reason]:
    """The reasons for an essay sentence's score: the weights of its concepts, and its retrieval
    scores. The concept weights add up to the score. Empty groups are left out."""
    terms = {term: value for passage in candidate.evidence for term, value in passage.terms.items()}
    ordered = dict(sorted(terms.items(), key=lambda item: -item[1]))
    covers = [
        ReasonPart(word, value)
        for word, value in in_words(ordered, candidate.text).items()
        if value
    ]
    features = {name: candidate.features[name] for name in _FOUND_BY if name in candidate.features}
    found_by = Reason("how it was found", None, parts(tasks()["ntcir-essay"], features))
    return [
        reason
        for reason in (Reason("what it covers", candidate.score, covers), found_by)
        if reason.parts
    ]


_OTHERS = 3  # other names of the statement that are shown with their counts


def counted_words(counted: TraceCount, written: Mapping[str, str]) -> list[str]:
    """Describes the counts of a name in lines of text: the first `_OTHERS` (3) other names beside
    it, those never beside it, and always how much of what the rest of the statement retrieves has
    it; `written` maps an entity key to its spelling."""
    beside, never = [], []
    for key, paragraphs, times, sections in counted.beside[:_OTHERS]:
        name = written.get(key) or key.strip("“”")
        if paragraphs:
            beside.append(
                f"{name} in {paragraphs} paragraph{'s' * (paragraphs > 1)} ({times:.2g} times "
                f"chance)"
            )
        elif sections:
            beside.append(f"{name} only in {sections} section{'s' * (sections > 1)}")
        else:
            never.append(name)
    led, share = counted.led
    return [
        *(["stands together with " + ", ".join(beside)] if beside else []),
        *(["never stands together with " + ", ".join(never)] if never else []),
        f"occurs in {led:.0%} of what the rest of the statement finds (in {share:.1%} of the book)",
    ]


Kind = Literal["", "label", "used", "answer", "matched"]


class Cell(NamedTuple):
    """A table cell for display. `kind` is "answer", "used" (by the table operation), "matched"
    (words of the question), "label" (of its row) or ""."""

    text: str
    kind: Kind = ""


class DrawnTable(NamedTuple):
    """The shown part of a table: header cells and rows of cells. `whole` gives the table's size if
    that is larger."""

    title: str
    heads: list[Cell]
    rows: list[list[Cell]]
    whole: str = ""


def shown_table(table: TraceTable) -> DrawnTable:
    """Prepares the traced part of a table for display: each cell with its kind, and a note of the
    table's size, "" if no row or column is left out."""
    kinds: dict[tuple[int, int], Kind] = dict.fromkeys(table.matched, "matched")
    kinds |= dict.fromkeys(table.used, "used")
    if table.answer is not None:
        kinds[table.answer] = "answer"
    heads = [Cell(" / ".join(path), kinds.get((-1, c), "")) for c, path in enumerate(table.columns)]
    rows = [
        [
            Cell(text, kinds.get((r, c), "label" if c < table.labels else ""))
            for c, text in enumerate(cells)
        ]
        for r, (_, cells) in enumerate(table.rows)
    ]
    height, width = table.size
    part = len(rows) < height or len(heads) < width
    return DrawnTable(
        table.title, heads, rows, f"of {height:,} rows and {width:,} columns" if part else ""
    )


# Candidates of a question whose features and evidence are shown, a choice; gold and answer always
# are.
_EXPLAINED = 6
_PASSAGES = 6  # passages shown for each candidate
_CONCEPTS = 8  # concepts shown for each sentence of an essay
_OF_CONCEPTS = (
    "essay",
    "extraction",
)  # shapes whose candidates are worth what the concepts in them are
_NOTHING_IN_COMMON = "no content word in common with the question"
# as probability, of an answer without doubt: 85 of 100 such are right on review questions of other
# books
SURE = 0.6
_LIKELY = 0.2  # of the share of an era that is shown: one of 4 in 100 says nothing
_VERDICT = re.compile(
    r"[^“]+(?=: “)|[^“]+$"
)  # what is said of a choice, before the sentence that it quotes
_COIN_TOSS = (
    0.1  # of the distance between the best and the worst candidate; of two, of the higher score
)


class DrawnPassage(NamedTuple):
    """An evidence passage for display: `terms` add up to its score, `says` is its relation to the
    answer."""

    doc_id: str
    title: str
    text: Pieces
    score: float
    terms: dict[str, float]
    says: str = ""


class Candidate(NamedTuple):
    """A choice or candidate for display. `fact` are subject, predicate and object; `said` its
    verdict, derivation or statement; `table` has the answer; `probability` is that of being the
    answer, None if the trace has none."""

    candidate_id: str
    text: Pieces
    score: float
    probability: float | None = None
    gold: bool = False
    chosen: bool = False
    fact: Sequence[str] = ()
    said: Sequence[Pieces] = ()
    reasons: Sequence[Reason] = ()
    passages: Sequence[DrawnPassage] = ()
    table: DrawnTable | None = None


class EssaySentence(NamedTuple):
    """A sentence of an essay for display; `covers` are the concepts that no earlier sentence
    covers, heaviest first."""

    text: Pieces
    doc_id: str
    title: str
    covers: list[ReasonPart]


class Drawn(NamedTuple):
    """An answered question for display.

    `margin` is the answer's score minus the best other score, None if not applicable. `unsure` is
    true if the answer has a note that says so, is of a question that asks for the false choice, if
    its `probability` is too low, or, without probabilities, if the margin is at
    most a tenth of the score range (with two candidates: of the higher absolute score). `items` are
    the statements or events that the candidates combine. `around` are printed lines, outside the
    question, with its gaps. `facts` are pairs (name, value). `written` is the answer if it is an
    essay, `sentences` its sentences.
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
    """The right answers: texts, or candidate ids if the question brings its candidates."""

    texts: Sequence[str] = ()
    candidate_ids: frozenset[str] = frozenset()

    def holds(self, candidate_id: str, text: str) -> bool:
        """Whether a candidate is right: by its id where ids are known, else by its text without
        case and repeated blanks. A text of several answers, with tabs or `|||` between them, is
        right where all are."""
        if self.candidate_ids:
            return candidate_id in self.candidate_ids
        answers, right = (
            {" ".join(answer.casefold().split()) for answer in texts}
            for texts in (text.replace("|||", "\t").split("\t"), self.texts)
        )
        return answers <= right


NO_GOLD = Gold()


def draw_question(
    task: str, row: TraceQuestion, gold: Gold = NO_GOLD, weights: Features | None = None
) -> Drawn:
    """Prepares the trace record `row` of any task for display; fields that the record lacks stay
    empty. The record's own weights, else `weights`, multiply the features if the task's traces hold
    unweighted ones. Only the first `_EXPLAINED` (6) candidates, the chosen and the right ones have
    reasons, passages and a table."""
    record = tasks().get(task, UNKNOWN)
    weights = (row.weights or weights or {}) if record.features_before_weights else {}
    written = row.shape == "essay"
    # A choice is known by its number; where ids only count the candidates, by its text.
    by_id = (
        not written
        and not record.ids_are_ranks
        and any(candidate.id in row.system for candidate in row.candidates)
    )
    candidates = []
    for position, candidate in enumerate(row.candidates):
        chosen = (
            candidate.id in row.system
            if by_id
            else candidate.chosen or candidate.text in row.system
        )
        is_gold = gold.holds(candidate.id, candidate.text)
        drawn = _candidate(
            record, row, candidate, weights, explained=position < _EXPLAINED or chosen or is_gold
        )
        candidates.append(drawn._replace(gold=is_gold, chosen=chosen))
    # The margin, and whether it is unsure; of two candidates the range is the higher score.
    sign = -1.0 if row.asks == "F" else 1.0
    scores = [candidate.score for candidate in candidates]
    ours = [sign * candidate.score for candidate in candidates if candidate.chosen]
    others = [sign * candidate.score for candidate in candidates if not candidate.chosen]
    margin = max(ours) - max(others) if ours and others and not written else None
    spread = max(scores) - min(scores) if len(scores) > 2 else max(map(abs, scores), default=0.0)
    likely = max(
        (
            candidate.probability
            for candidate in candidates
            if candidate.chosen and candidate.probability is not None
        ),
        default=None,
    )
    is_toss = margin is not None and 0 <= margin <= _COIN_TOSS * spread
    lines = {gap.text: gap for gap in row.gaps}
    return Drawn(
        asked=row.question,
        text=as_printed([row.question], row.marks),
        around=[
            as_printed([text], gap.marks)
            for text, gap in lines.items()
            if text and text not in row.question
        ],
        shape=row.shape,
        asks=row.asks,
        answer=row.answer,
        facts=_facts(row),
        notes=[row.note] if row.note else [],
        margin=margin,
        probability=likely,
        # a choice's own probability is that it is right: of the false one it says little
        unsure=row.asks == "F" or bool(row.note) or (is_toss if likely is None else likely < SURE),
        items=_items(row.candidates),
        candidates=candidates,
        written=cut_text(row.answer, keyword_spans(row.answer, row.keywords)) if written else [],
        sentences=_sentences(row) if written else [],
    )


def draw_row(header: Mapping[str, Any], row: TraceQuestion, gold: Gold) -> Drawn:
    """Prepares a question for display with the task and, if they are numbers, the weights of its
    trace's header."""
    weights = (header.get("parameters") or {}).get("weights")
    if not isinstance(weights, dict) or not all(
        type(weight) in (int, float) for weight in weights.values()
    ):
        weights = {}
    return draw_question(str(header.get("task", "")), row, gold, weights)


def _sentences(row: TraceQuestion) -> list[EssaySentence]:
    """The chosen sentences of an essay in its order, each with the up to `_CONCEPTS` (8) heaviest
    concepts not covered before."""
    seen: set[str] = set()
    sentences = []
    chosen = [candidate for candidate in row.candidates if candidate.chosen]
    for candidate in sorted(chosen, key=lambda candidate: row.answer.find(candidate.text)):
        passage = next(iter(candidate.evidence), TraceEvidence())
        new = [
            (term, value) for term, value in passage.terms.items() if term not in seen and value > 0
        ]
        heaviest = in_words(
            dict(sorted(new, key=lambda item: -item[1])[:_CONCEPTS]), candidate.text
        )
        covers = list(map(ReasonPart._make, heaviest.items()))
        marked = cut_text(candidate.text, keyword_spans(candidate.text, row.keywords))
        sentences.append(EssaySentence(marked, candidate.id, passage.title, covers))
        seen.update(passage.terms)
    return sentences


def _facts(row: TraceQuestion) -> list[tuple[str, str]]:
    """Pairs (name, value in words) of a record's focus, classes, length, covered fraction,
    uncovered concepts, names in the question and unused keywords; empty fields are left out."""
    limit = f" of {row.limit}" if row.limit else ""
    uncovered = in_words(
        dict.fromkeys(row.uncovered, 0.0), *(candidate.text for candidate in row.candidates)
    )
    facts = {
        "asked for": row.focus,
        "of the kind": ", ".join(row.classes),
        "length": "" if row.length is None else f"{row.length}{limit} {row.unit}".strip(),
        "covered": ""
        if row.covered is None
        else f"{row.covered:.0%} of what the concepts are worth",
        "not covered": ", ".join(uncovered),
        "names found": ", ".join(mention.name for mention in row.mentions),
        "keywords not used": ", ".join(
            name for name, by in row.keywords.items() if by in ("", "unused")
        ),
    }
    return [(name, words) for name, words in facts.items() if words]


def _candidate(
    task: Task, row: TraceQuestion, candidate: TraceCandidate, weights: Features, explained: bool
) -> Candidate:
    """A question's candidate for display: its text with marked names or terms, fact, and lines said
    of it (verdict, derivation, statement). Only if `explained` its reasons, table and, of its first
    `_PASSAGES` (6) passages, those with another text than its own; a sentence for an essay then has
    its passages' titles as the lines."""
    # A candidate may be its own evidence.
    copies = [passage for passage in candidate.evidence if passage.text == candidate.text]
    statement = candidate.statements[0] if len(candidate.statements) == 1 else TraceStatement()
    # The terms of a candidate that is its own evidence are marked in it, or the names of a
    # statement that it is.
    marks = [span for passage in copies for span in term_spans(candidate.text, passage.terms)]
    if statement.text == candidate.text:
        marks = _name_marks(statement)
    # The verdict, the derivation, and the statement that it makes if that is not its own text.
    lines: list[Pieces] = []
    if head := _VERDICT.match(candidate.verdict):
        quoted = candidate.verdict[head.end() :]
        lines.append([MarkedPiece(head[0], "verdict"), *([quoted] if quoted else [])])
    if candidate.derivation:
        lines.append([candidate.derivation])
    if statement.text not in ("", candidate.text):
        lines.append(cut_text(statement.text, _name_marks(statement)))
    # Subject, predicate and the joined objects, after the subject and predicate of the fact that
    # led there.
    fact: tuple[str, ...] = ()
    if len(candidate.fact) > 2:
        fact = (*candidate.through[:2], *candidate.fact[:2], "、".join(candidate.fact[2:]))
    pieces = cut_text(candidate.text, [*keyword_spans(candidate.text, row.keywords), *marks])
    text = as_printed(pieces, candidate.marks)
    drawn = Candidate(
        candidate.id, text, candidate.score, candidate.probability, fact=fact, said=lines
    )
    if not explained:
        return drawn
    drawn = drawn._replace(table=shown_table(candidate.table) if candidate.table else None)
    if task.features_are_shared_words and copies and not any(passage.terms for passage in copies):
        # Features are relative to the question's other candidates, so some add to the score without
        # any shared word.
        return drawn._replace(
            reasons=[Reason("", None, [ReasonPart(_NOTHING_IN_COMMON, drawn.score)])]
        )
    sums: dict[str, float] = {}
    for name, added in (
        item for statement in candidate.statements for item in statement.names.items()
    ):
        sums[name] = sums.get(name, 0.0) + added.get("sum", 0.0)
    passages = []
    for passage in candidate.evidence[:_PASSAGES]:
        if passage in copies:
            continue
        names = name_spans(passage.text, {name: sums.get(name, 0.0) for name in passage.names})
        text = cut_text(passage.text, [*names, *term_spans(passage.text, passage.terms)])
        terms = in_words(passage.terms, passage.text)
        shown = DrawnPassage(
            passage.doc_id, passage.title, text, passage.score, terms, passage.says
        )
        # The passage of a fact is the fact itself: its text would repeat the candidate.
        passages.append(shown._replace(title=fact[-3], text=[], score=0.0) if fact else shown)
    if row.shape in _OF_CONCEPTS:  # said of a sentence are the titles of the book that it is under
        titles: list[Pieces] = [
            [title] for title in dict.fromkeys(p.title for p in candidate.evidence) if title
        ]
        return drawn._replace(
            reasons=reasons_of_concepts(candidate), said=titles, passages=passages
        )
    return drawn._replace(reasons=reasons_of(task, candidate, weights), passages=passages)


def _name_marks(statement: TraceStatement) -> list[MarkSpan]:
    """The spans of a statement's judged names: as the trace places them, else where their words are
    found."""
    sums = {name: added.get("sum", 0.0) for name, added in statement.names.items()}
    places = {name: span for name, span in statement.places.items() if name in sums}
    marks = [
        MarkSpan(start, end, "name", sums[name], name) for name, (start, end) in places.items()
    ]
    return [
        *marks,
        *name_spans(statement.text, {name: sums[name] for name in sums if name not in places}),
    ]


def _items(candidates: Sequence[TraceCandidate]) -> list[Pieces]:
    """The distinct statements (with their probability of being true) and events (with the eras of
    at least `_LIKELY`, 20 %) of choices; of equal ones the first, of statements those alone that a
    choice claims to be true or false."""
    items: dict[str, Pieces] = {}
    for judged in candidates:
        for statement in judged.statements:
            if statement.claimed is not None and statement.text not in items:
                likely = math.exp(
                    min(statement.log_probability or 0.0, 0.0)
                )  # of what the choice claims
                words = f"{likely if statement.claimed else 1 - likely:.0%} likely to be true"
                marked = cut_text(statement.text, _name_marks(statement))
                items[statement.text] = [*marked, " — ", MarkedPiece(words, "verdict")]
        for event in judged.events:
            times = ", ".join(
                f"{era} ({share:.0%})" for era, share in event.times.items() if share >= _LIKELY
            )
            items.setdefault(
                event.event,
                [f"{event.event} — ", MarkedPiece(times or "no date is likely", "verdict")],
            )
    return list(items.values())
