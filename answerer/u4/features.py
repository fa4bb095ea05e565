"""Features of the cells and of the tables of a report, compared with a question."""

from __future__ import annotations

import base64
import re
import zlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import csr_array

from indexer.analysis.japanese import reading, short_vowels
from indexer.files.arrays import Float64Array
from indexer.tables.reports import Report, ReportCell, ReportTable, fold_text
from indexer.tables.values import scope_of, years_back, years_in

_QUESTION = re.compile(
    r"(?P<company>.*?)の(?P<year>\d{4})年(?P<instant>時点)?(?:の(?P<scope>連結|個別)決算)?"
    r"(?:の(?P<member>[A-Za-z0-9_]+))?における「(?P<label>.*)」は?[?？]?\s*",
    re.DOTALL,
)
_BRACKETS = re.compile(r"[(\[【][^()\[\]【】]*[)\]】]|[*※]\d*|^(?:[IVX]+|[0-9]{1,2}[.)]|[①-⑳])")
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z][a-z]*|[0-9]+")
_DASH = re.compile("[－-]")
_LONGEST_BACK = 5  # the five years of the key figures, the longest series of a report


class ParsedQuestion(NamedTuple):
    """A question taken apart: `year` is 0 and `scope` (連結, 個別), `member`, `company` are "" if
    it does not say."""

    year: int
    instant: bool
    scope: str
    member: str
    label: str
    heads: tuple[str, ...]
    company: str = ""


def read_question(text: str) -> ParsedQuestion:
    """Parses a question by its grammar:
    COMPANYのYEAR年(時点)の(連結|個別)決算のMEMBERにおける「LABEL、HEADING…」は？.

    Scope and member may be missing (""). A question that does not follow it is a label as a whole,
    of year 0, with "" for company, scope and member. The label's parts after a dash are headings
    too; blank parts are left out. Label and headings are folded (`fold_text`), company and member
    as printed.
    """
    match = _QUESTION.fullmatch(text)
    if not match:
        return ParsedQuestion(0, False, "", "", fold_text(text), ())
    # A comma inside brackets is a part of a heading: (甲、乙).
    parts = [""]
    for part in fold_text(match["label"]).split("、"):
        inside = parts[-1].count("(") > parts[-1].count(")")
        parts = [*parts[:-1], f"{parts[-1]}、{part}"] if inside else [*parts, part]
    label, *heads = [part for part in parts if part] or [""]
    dashed = [part for part in _DASH.split(label)[1:] if part]
    return ParsedQuestion(
        int(match["year"]),
        bool(match["instant"]),
        match["scope"] or "",
        match["member"] or "",
        label,
        (*dashed, *heads),
        match["company"],
    )


@lru_cache(maxsize=1 << 16)
def plain(text: str) -> str:
    """A heading without brackets and what they hold, marks of notes, and numbering before it (1, ①,
    IV; also I, V or X that begins a word); unchanged if nothing else is left."""
    return _BRACKETS.sub("", text) or text


def bigrams(text: str) -> list[str]:
    """The different pairs of neighbouring characters in their order; a text of one character is its
    only item; [] for ""."""
    return list(dict.fromkeys(text[start : start + 2] for start in range(len(text) - 1))) or (
        [text] if text else []
    )


def items(text: str) -> list[str]:
    """The `bigrams` by which a heading without marks is counted, and the whole of it behind "=";
    [] for ""."""
    return [*bigrams(text), "=" + text] if text else []


def member_words(member: str) -> list[str]:
    """The words of an XBRL member's name (camel case), as written, without the last, Member."""
    return _WORD.findall(member.removesuffix("Member"))


def question_tokens(question: ParsedQuestion, last_year: int) -> dict[str, list[str]]:
    """The tokens of a question on a report with this last year, by group: of its label and headings
    ("label"), the bigrams of these ("grams"), the XBRL member ("member": whole, with label, with
    scope; its words and pairs of them), and scope and years back from the last, −1 to 5 (0 without
    a year), alone, together and with the label ("time")."""
    # Years count from the report's last: 2019 says nothing of a report of another year.
    back = last_year - question.year if question.year else 0
    when = f"{'i' if question.instant else 'd'}{max(-1, min(back, _LONGEST_BACK))}"
    words, member = member_words(question.member), question.member
    label = ["l:" + question.label, *("h:" + head for head in question.heads)]
    grams = ["g:" + gram for gram in bigrams(plain(question.label))]
    grams += ["G:" + gram for head in question.heads for gram in bigrams(plain(head))]
    members = ["m:" + member, f"lm:{member}|{question.label}"]
    members += [f"sm:{member}|{question.scope}{when[0]}"]
    members += ["w:" + word for word in words] + [
        "W:" + first + second for first, second in pairwise(words)
    ]
    time = ["t:" + when, "s:" + question.scope]
    time += [f"ts:{question.scope}{when}", f"tl:{when}{question.label}"]
    # A group has its own mean of PMI, so that the many bigrams do not drown the label as a whole.
    return {"label": label, "grams": grams, "member": members, "time": time}


def key(text: str) -> int:
    """The number of a token or an item (CRC-32), so that a model file holds no text of reports."""
    return zlib.crc32(text.encode())


@lru_cache(maxsize=1 << 15)
def reading_grams(text: str) -> frozenset[str]:
    """The bigrams of a name's reading."""
    return frozenset(bigrams(reading(text)))


def closeness(member: str, text: str) -> float:
    """Dice of a member's name and a text's reading over bigrams of romaji (long vowels short), 0 to
    1; 0 if either has none."""
    text_grams = reading_grams(text)
    member_grams = {
        gram
        for word in member_words(member)
        for gram in bigrams(short_vowels(word))
        if len(gram) == 2
    }
    return (
        2 * len(text_grams & member_grams) / (len(text_grams) + len(member_grams))
        if text_grams and member_grams
        else 0.0
    )


# The places of an answer's headings: left of the cell, above it, above the table.
PARTS = ("row", "column", "title")

_LEAST = 2  # right answers that a token, an item and a pair need: one proves nothing
_MOST = 50_000  # pairs kept in a part, which bounds the size of a model file
_STEP = 0.25  # steps in which PMI is kept, so that it fits into a byte
_SMOOTHING = 0.5  # added to both counts, as usual for rare pairs
# in a model file: keys, and the row ends, columns and steps of a part
_KEYS = "<u4"
_STORED = ("<u4", "<u2", "<u1")


class Associations(NamedTuple):
    """Numbers of tokens and of items by their keys, and per part of `PARTS` the positive PMI of
    each pair, (tokens, items)."""

    tokens: Mapping[int, int]
    items: Mapping[int, int]
    values: Mapping[str, csr_array]

    def scores(self, part: str, tokens: Sequence[str]) -> dict[str, Float64Array]:
        """The best and the mean PMI of each item with the known ones of the tokens, (items + 1,); 0
        without any.

        The last entry, 0, is that of all unknown items.
        """
        rows = [self.tokens[number] for number in map(key, tokens) if number in self.tokens]
        best, total = np.zeros(len(self.items) + 1), np.zeros(len(self.items) + 1)
        if rows:
            pairs = self.values[part][rows]
            np.maximum.at(best, pairs.indices, pairs.data)
            total += np.bincount(pairs.indices, pairs.data, len(total))
        return {"best": best, "mean": total / max(1, len(rows))}


def incidence(rows: Sequence[Iterable[int]], width: int) -> csr_array:
    """1 at the columns that each row names, (rows, width); a row must not name a column twice."""
    columns = [np.fromiter(row, np.int64) for row in rows]
    ends = np.cumsum([0, *map(len, columns)])
    # The empty slice gives the type where there is not a row.
    return csr_array(
        (np.ones(ends[-1]), np.concatenate([*columns, ends[:0]]), ends), shape=(len(columns), width)
    )


def _frequent(rows: Iterable[Iterable[int]]) -> dict[int, int]:
    """Key → its number, from 0 by rising key, of the keys that at least two rows name; of more than
    65,536 (what two bytes hold) the most frequent."""
    counts = Counter(key for row in rows for key in row).most_common(1 << 16)
    return {
        key: number
        for number, key in enumerate(sorted(key for key, count in counts if count >= _LEAST))
    }


def associate(
    examples: Iterable[tuple[Sequence[int], Mapping[str, Sequence[int]]]],
) -> Associations:
    """The associations of right answers: PMI log((n_ti + ½) / (n_t n_i / n + ½)), rounded to
    quarters, of pairs that two or more answers have, if above 0; of a part the 50,000 with the
    highest product of count and PMI.

    An example is the keys of a question's tokens and, by part, those of the items of its right
    answer, each once. Without examples all are empty.
    """
    listed = list(examples)
    tokens = _frequent(tokens_of_question for tokens_of_question, _ in listed)
    # An item that is in the row and in the column of an answer counts once.
    names = _frequent(
        {item for keys in items_of_part.values() for item in keys} for _, items_of_part in listed
    )
    values = {}
    for part in PARTS:
        # Answers of which only the table is known say nothing of rows and columns.
        rows = [
            (question_keys, items_of_part[part])
            for question_keys, items_of_part in listed
            if part in items_of_part
        ]
        of_token = incidence(
            [
                [tokens[token] for token in question_keys if token in tokens]
                for question_keys, _ in rows
            ],
            len(tokens),
        )
        of_item = incidence(
            [[names[item] for item in item_keys if item in names] for _, item_keys in rows],
            len(names),
        )
        both = (of_token.T @ of_item).tocoo()
        expected = of_token.sum(0)[both.row] * of_item.sum(0)[both.col] / max(1, len(rows))
        steps = np.rint(np.log((both.data + _SMOOTHING) / (expected + _SMOOTHING)) / _STEP)
        # Ties are kept in the order of the keys, so that the same data give the same model.
        order = np.lexsort((both.col, both.row, -both.data * steps))
        best = order[(both.data[order] >= _LEAST) & (steps[order] >= 1)][:_MOST]
        values[part] = csr_array(
            (steps[best] * _STEP, (both.row[best], both.col[best])), shape=both.shape
        )
    return Associations(tokens, names, values)


def encode_associations(learned: Associations) -> dict[str, Any]:
    """The associations for a model file: the keys of tokens and items, and of each part the ends,
    columns and steps of its matrix, each array in base64."""

    def text(values: Iterable[int], kind: str) -> str:
        return base64.b64encode(np.array(list(values), kind).tobytes()).decode()

    encoded: dict[str, Any] = {
        "tokens": text(learned.tokens, _KEYS),
        "items": text(learned.items, _KEYS),
    }
    for part, matrix in learned.values.items():
        pairs = matrix.sorted_indices()
        arrays = (pairs.indptr, pairs.indices, np.rint(pairs.data / _STEP).astype(int))
        encoded[part] = [text(values, kind) for values, kind in zip(arrays, _STORED, strict=True)]
    return encoded


def decode_associations(learned: Mapping[str, Any]) -> Associations:
    """The associations of a model file; raises ValueError, LookupError or TypeError for a damaged
    one."""

    def numbers(text: str, kind: str) -> Any:
        return np.frombuffer(base64.b64decode(text, validate=True), kind).astype(np.int64)

    tokens, names = (
        {number: position for position, number in enumerate(numbers(learned[what], _KEYS).tolist())}
        for what in ("tokens", "items")
    )
    values = {}
    for part in PARTS:
        ends, columns, steps = (
            numbers(text, kind) for text, kind in zip(learned[part], _STORED, strict=True)
        )
        values[part] = csr_array((steps * _STEP, columns, ends), shape=(len(tokens), len(names)))
        # A model file may come from anyone: columns beyond the items would be read past the array's
        # end.
        values[part].check_format()
    return Associations(tokens, names, values)


Features = dict[str, Float64Array]

_RATE = re.compile("率|割合|利回り|比|性向")
_READ = 0.3  # closeness of a name from which on a reading counts; set by hand
_LONG_NAME = 30  # characters of a text that may be a name of a person
# EDINET's numbers of the sections with a group's and a company's statements, from the first to
# before the second.
_STATEMENTS = {"consolidated": ("01050", "01053"), "separate": ("01053", "0106")}

# The texts of a cell that are compared with a question: headings on its left, above it and of its
# sections, its own, and the labels of the three rows above its own.
TEXTS = ("first", "last", "left", "near", "above", "over", "path", "text", "rows before")
_LONGEST = 120  # characters of such a text: a cell may be prose

# The numbers of a cell: its kind, its place, among the columns of figures too, the years and
# periods around it.
NUMBERS = (
    "number", "dash", "date", "text", "row", "order", "columns", "column year", "row year",
    "caption year", "column period", "row period", "percent", "row total", "column total",
    "no left", "no above",
)  # fmt: skip


def answer_items(table: ReportTable, cell: ReportCell | None) -> dict[str, list[int]]:
    """The keys, by part and each once, of the items of a right table ("title") and, where the cell
    is known, of the headings of the right cell ("row", "column"): of all together and of the first
    and last (above it, the last) alone, each text cut to 120 characters."""
    keys = {"title": title_items(table)}
    if cell is not None:
        left, above = list(map(plain, cell.left)), list(map(plain, cell.above))
        for part, texts in (("row", (left, left[:1], left[-1:])), ("column", (above, above[-1:]))):
            counted = dict.fromkeys(
                item for text in texts for item in items("".join(text)[:_LONGEST])
            )
            keys[part] = list(map(key, counted))
    return keys


def title_items(table: ReportTable) -> list[int]:
    """The distinct keys, in order, of what is above a table: the number of the section and its
    first five characters (always), the items of the last three headings, and those of the last two
    paragraphs if they have fewer than 40 characters."""
    titles = ["#" + table.section, "#" + table.section[:5]]
    titles += [item for heading in table.headings[-3:] for item in items(plain(heading))]
    titles += [
        "b" + item for text in table.before[-2:] if len(text) < 40 for item in items(plain(text))
    ]
    return list(map(key, dict.fromkeys(titles)))


def _last_year(*texts: str) -> int:
    """The year named last in the first of the texts that names a year; 0 if none does."""
    return next((years[-1] for text in texts if (years := years_in(text))), 0)


class IndexedReport:
    """The tables of a report, all or those of `wanted`, as arrays: a row a cell with text, table
    after table; tables without text are left out.

    `texts` and `numbers` are what TEXTS and NUMBERS name, (cells,); a text is the number of a row
    of `matrix`, which holds the items of each different heading, (headings, items). `span` maps a
    table's id to its cells.
    """

    def __init__(
        self, report: Report, learned: Associations, wanted: frozenset[str] | None = None
    ) -> None:
        self.learned = learned
        self.last_year = report.last_year
        chosen = (table for table in report.tables if wanted is None or table.table_id in wanted)
        # A table without text has no rows below, and `reduceat` takes an empty one for its
        # successor.
        self.tables = [table for table in chosen if any(cell.shown for cell in table.cells)]
        self.cells: list[tuple[ReportTable, ReportCell]] = []
        self.headings: dict[str, int] = {}
        texts: list[list[int]] = []
        numbers: list[list[float]] = []
        ends = [0]
        for table in self.tables:
            # Reversed, so that the first text of a row is its label.
            labels = {
                cell.row: cell.text[:_LONG_NAME] for cell in reversed(table.cells) if cell.is_label
            }
            # Columns of labels do not count: the first column of figures is often the last year.
            figures = sorted(
                {cell.column for cell in table.cells if cell.kind in ("number", "missing")}
            )
            caption_year = _last_year(*reversed(table.before))
            for cell in (cell for cell in table.cells if cell.text):
                texts.append(
                    [
                        self.headings.setdefault(text, len(self.headings))
                        for text in _texts_of(cell, labels)
                    ]
                )
                numbers.append(_numbers_of(cell, figures, caption_year))
                self.cells.append((table, cell))
            ends.append(len(self.cells))
        self.starts = np.array(ends[:-1], np.int64)
        self.span = {
            table.table_id: slice(*bounds)
            for table, bounds in zip(self.tables, pairwise(ends), strict=True)
        }
        self.texts = dict(
            zip(TEXTS, np.array(texts, np.int64).reshape(-1, len(TEXTS)).T, strict=True)
        )
        self.numbers = dict(
            zip(NUMBERS, np.array(numbers, float).reshape(-1, len(NUMBERS)).T, strict=True)
        )
        self.item_of: dict[str, int] = {}
        bare = map(items, map(plain, self.headings))
        rows = [
            [self.item_of.setdefault(item, len(self.item_of)) for item in heading_items]
            for heading_items in bare
        ]
        self.matrix = incidence(rows, len(self.item_of))
        self.sizes = np.maximum([len(row) for row in rows], 1).astype(float)
        self.whole = np.array([row[-1] if row else -1 for row in rows], np.int64)
        unknown = len(learned.items)
        self.learned_items = np.array(
            [learned.items.get(key(item), unknown) for item in self.item_of], np.int64
        )
        # What is above each table: the bigrams of its headings and of the paragraphs before it, and
        # its items' numbers.
        self.titles = ["".join(map(plain, table.headings)) for table in self.tables]
        captions = ["".join(table.before[-2:])[-_LONGEST:] for table in self.tables]
        self.grams = {
            "titles": [*map(set, map(bigrams, self.titles))],
            "captions": [*map(set, map(bigrams, captions))],
        }
        titles = [
            [learned.items.get(item, unknown) for item in title_items(table)]
            for table in self.tables
        ]
        self.over = np.array([item for item_numbers in titles for item in item_numbers], int)
        self.over_ends = np.cumsum([0, *map(len, titles)])

    def overlap(self, text: str) -> Features:
        """By measure the likeness of each heading and a text, (headings,): shares of common
        bigrams, and equality.

        dice: of both; covered: of the text's; equal: 1 for the same without brackets; same: 1 for
        the same with them.
        """
        grams = bigrams(plain(text))
        wanted = np.zeros(len(self.item_of))
        wanted[[self.item_of[gram] for gram in grams if gram in self.item_of]] = 1.0
        both, most = self.matrix @ wanted, max(1, len(grams))
        return {
            "dice": 2 * both / (most + np.maximum(self.sizes - 1, 1.0)),
            "covered": both / most,
            "equal": (self.whole == self.item_of.get("=" + plain(text), -2)).astype(float),
            "same": (np.arange(len(self.headings)) == self.headings.get(text, -1)).astype(float),
        }

    def affinity(self, part: str, tokens: Sequence[str]) -> Features:
        """The PMI of each heading with tokens, (headings,): the means over its items of the best
        and the mean token."""
        scores = self.learned.scores(part, tokens)
        return {
            what: self.matrix @ values[self.learned_items] / self.sizes
            for what, values in scores.items()
        }


def _texts_of(cell: ReportCell, labels: Mapping[int, str]) -> list[str]:
    """The texts of a cell and around it, as TEXTS names them, cut to 120 characters; `labels` are
    those of the rows of its table."""
    left, above, under = cell.left, cell.above, cell.under
    joined = (left[:1], left[-1:], left, above[-1:], above, under[-1:], under, (cell.text,))
    before = "".join(labels.get(cell.row - away, "") for away in (3, 2, 1))
    return [*("".join(parts)[:_LONGEST] for parts in joined), before]


def _numbers_of(cell: ReportCell, figures: Sequence[int], caption_year: int) -> list[float]:
    """The numbers of a cell, as NUMBERS names them; `figures` are the columns of figures of its
    table."""
    left, above = cell.left, cell.above
    over, side, section = "".join(above), "".join(left), "".join(cell.under)
    position = figures.index(cell.column) if cell.column in figures else -1
    return [
        cell.kind == "number", cell.kind == "missing", cell.kind == "date",
        cell.kind in ("text", "measure"), cell.row, position, len(figures),
        _last_year(over), _last_year("".join(left[:2]), section), caption_year,
        years_back(over), years_back("".join(left[:1]) + section),
        "%" in cell.text + over + side, "計" in side[-2:], "計" in over[-3:],
        not left, not above,
    ]  # fmt: skip


def cell_features(question: ParsedQuestion, report: IndexedReport, rows: slice) -> Features:
    """The features, for a question, of the cells in the slice `rows` of a report, each (cells,), by
    name, "family: feature"."""
    return (
        _label_features(question, report, rows)
        | _association_features(question, report, rows)
        | _period_features(question, report, rows)
        | _kind_features(question, report, rows)
        | {"member: reading": _member_reading(question, report, rows)}
    )


def _label_features(question: ParsedQuestion, report: IndexedReport, rows: slice) -> Features:
    """The likeness to each of TEXTS around cells of the question's label (all measures of
    `overlap`), of label and headings as one text (dice, covered) and of the headings (means of
    covered and equal, 0 without any), and three of these combined over several texts."""
    f: Features = {}
    label = report.overlap(question.label)
    whole = report.overlap(plain(question.label) + "".join(map(plain, question.heads)))
    heads = [report.overlap(head) for head in question.heads]
    for name, all_headings in report.texts.items():
        headings = all_headings[rows]
        f |= {f"label: {what} {name}": values[headings] for what, values in label.items()}
        f |= {f"label: all {what} {name}": whole[what][headings] for what in ("dice", "covered")}
        for what in ("covered", "equal"):
            f[f"headings: {what} {name}"] = np.mean(
                [head[what][headings] for head in heads] or [np.zeros(len(headings))], 0
            )
    # Label and headings of a question are spread over the row's labels and the column's in any
    # order.
    f["label: covered by both"] = np.minimum(
        1.0, f["label: covered left"] + f["label: covered above"]
    )
    f["label: dice best"] = np.maximum.reduce(
        [f[f"label: dice {name}"] for name in ("left", "near", "above")]
    )
    f["headings: any"] = np.sum(
        [f[f"headings: covered {name}"] for name in ("left", "above", "path")], 0
    ).clip(0, 1)
    return f


def _association_features(question: ParsedQuestion, report: IndexedReport, rows: slice) -> Features:
    """How often the question's tokens came with the headings of cells in training: for each group
    of tokens the best and the mean PMI with the labels left of a cell (all, last, first) and with
    the texts above it (all, nearest)."""
    f: Features = {}
    for group, tokens in question_tokens(question, report.last_year).items():
        for part, names in (("row", ("left", "last", "first")), ("column", ("above", "near"))):
            for what, values in report.affinity(part, tokens).items():
                f |= {
                    f"together: {part} {group} {what} {name}": values[report.texts[name][rows]]
                    for name in names
                }
    return f


def _period_features(question: ParsedQuestion, report: IndexedReport, rows: slice) -> Features:
    """Whether the years and periods around cells are those of the question or others, years also
    the next and each again for a question about a point in time, and whether the column is as many
    from either end as the year is back (0 for a question without a year)."""
    f: Features = {}
    numbers = {name: column[rows] for name, column in report.numbers.items()}
    back = report.last_year - question.year if question.year else 0
    for source in ("column", "row", "caption"):
        year = numbers[f"{source} year"]
        # The balance at the beginning of a year is that of the end of the one before: next is right
        # for some of them.
        hits = {
            "equal": year == question.year,
            "other": year != question.year,
            "next": year == question.year + 1,
        }
        for what, hit in hits.items():
            values = (hit & (year > 0)).astype(float)
            f[f"period: {source} year {what}"] = values
            f[f"period: {source} year {what}, instant"] = values * question.instant
    for source in ("column", "row"):
        period = numbers[f"{source} period"]
        f[f"period: {source} period equal"] = (period == 1 + back).astype(float)
        f[f"period: {source} period other"] = ((period > 0) & (period != 1 + back)).astype(float)
    order, columns = numbers["order"], numbers["columns"]
    for what, distance in (("end", columns - 1 - order), ("start", order)):
        f[f"period: column from the {what}"] = ((distance == back) & (order >= 0)).astype(float)
    return f


def _kind_features(question: ParsedQuestion, report: IndexedReport, rows: slice) -> Features:
    """What kind of cell each is (number, dash, total …); that again of a total, if the question has
    no member, and of a rate, by whether the question asks for one."""
    numbers = {name: column[rows] for name, column in report.numbers.items()}
    names = ("number", "dash", "date", "text", "row total", "column total", "no left", "no above")
    f = {f"cell: {name}": numbers[name] for name in names}
    for name in ("row total", "column total"):
        f[f"cell: {name} without a member"] = numbers[name] * (not question.member)
    rate = bool(_RATE.search(question.label))
    f["cell: rate asked"] = numbers["percent"] * rate
    f["cell: rate not asked"] = numbers["percent"] * (not rate)
    return f


def _member_reading(question: ParsedQuestion, report: IndexedReport, rows: slice) -> Float64Array:
    """The closeness of the question's member to the labels of each cell's row (those of 2 to 30
    characters), as a reading of them, (cells,), where above 0.3; 0 else, and for a member that the
    training had too."""
    cells = report.cells[rows]
    closest = np.zeros(len(cells))
    if not question.member or key("m:" + question.member) in report.learned.tokens:
        return closest
    # A member that no other company has may be a person, whose name the table has in Japanese.
    for position, (_, cell) in enumerate(cells):
        if cell.is_label and 1 < len(cell.text) <= _LONG_NAME:
            closest[position] = closeness(question.member, cell.text)
    starts = np.flatnonzero(np.diff(report.numbers["row"][rows], prepend=-1))
    best = np.maximum.reduceat(closest, starts)
    return np.repeat(np.where(best > _READ, best, 0.0), np.diff(starts, append=len(cells)))


def table_features(question: ParsedQuestion, report: IndexedReport) -> Features:
    """The features of all tables (at least one), each (tables,): the best of their cells, matches
    with titles and sections, place among the tables that hold the label, scope, size and
    position."""
    cells = cell_features(question, report, slice(0, len(report.cells)))
    f = {name: np.maximum.reduceat(values, report.starts) for name, values in cells.items()}
    size = np.diff(report.starts, append=len(report.cells))
    holds = np.maximum.reduce(
        [f[f"label: equal {name}"] for name in ("first", "last", "near", "over")]
    )
    f["label: first that holds it"] = holds * (np.cumsum(holds) == 1)
    f["label: how many before hold it"] = np.where(
        holds > 0, np.minimum(np.cumsum(holds) - 1, 5), 0.0
    )
    f["label: how rare"] = holds / max(1.0, float(holds.sum()))
    for where, grams in report.grams.items():
        question_texts = (question.label, *question.heads)
        shares = [
            np.array(
                [
                    len(question_grams & table_grams) / max(1, len(question_grams))
                    for table_grams in grams
                ]
            )
            for question_grams in (set(bigrams(plain(text))) for text in question_texts)
        ]
        f[f"label: in {where}"] = shares[0]
        f[f"headings: in {where}"] = np.mean(shares[1:] or [np.zeros(len(size))], 0)
    for group, tokens in question_tokens(question, report.last_year).items():
        for what, pmi in report.learned.scores("title", tokens).items():
            sums = np.add.reduceat(pmi[report.over], report.over_ends[:-1])
            f[f"together: title {group} {what}"] = sums / np.diff(report.over_ends)
            f[f"together: section {group} {what}"] = pmi[report.over[report.over_ends[:-1]]]
    # Group and company have statements of the same labels: sections tell them apart, and headings
    # elsewhere.
    sections = [table.section for table in report.tables]
    kinds = {
        what: [first <= section < end for section in sections]
        for what, (first, end) in _STATEMENTS.items()
    }
    kinds["of the company"] = [scope_of(title) == "個別" for title in report.titles]
    kinds["of the group"] = [scope_of(title) == "連結" for title in report.titles]
    for name, kind in kinds.items():
        for scope in ("連結", "個別", ""):
            f[f"scope: {name}, asked {scope or 'neither'}"] = np.array(kind, float) * (
                question.scope == scope
            )
    f["table: size"] = np.log1p(size)
    return f
