"""Features of the cells of a table, and of all tables of a report, beside a question."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array

from answerer.u4.associations import (
    GROUPS,
    Associations,
    ParsedQuestion,
    bigrams,
    items,
    key,
    member_words,
    plain,
    tokens,
)
from answerer.u4.readings import closeness, lay_over
from indexer.files.arrays import Float64Array
from indexer.tables.reports import Headed, Report, ReportTable, fold_text, years_in

Features = dict[str, Float64Array]

_THIS = re.compile(r"当(?:連結|事業|期|年|会計|中間)|本年度")
_LAST = re.compile(r"前(?:連結|事業|期|年|会計|中間)")
_FISCAL = re.compile(r"((?:19|20)\d\d)年度")
_NUMBERED = re.compile(r"(?:Row|No)(\d+)(?:MajorShareholders)?Member")
_RATES = ("率", "割合", "利回り", "比", "性向")
_READ = 0.3  # closeness of a name from which on a reading counts
_LONG_NAME = 30  # characters of a text that may be a name

TEXTS = tuple("first,last,left,top,near,above,over,path,text,raw first,raw last,raw near,rows before".split(","))
"""The headings of a cell that features look at: the first, the last and all on its left; the first, the last and all
above; the last and all that its row is under; its own text; three of them with brackets; labels of three rows above."""

NUMBERS = (
    "number", "dash", "date", "textual", "length", "row", "column", "body", "bodies", "order", "orders", "named",
    "year", "first year", "period", "row year", "row period", "caption year", "caption period", "change", "percent",
    "row total", "column total", "any total", "no left", "no above", "depth", "occurrence", "occurrences", "block year",
)  # fmt: skip


def years_back(text: str) -> int:
    """How many years before the report's last a period ends by its words, plus 1; 0 where they do not say it.

    The beginning of a period is the end of the one before.
    """
    this, last = bool(_THIS.search(text)), bool(_LAST.search(text))
    return 0 if this == last else 1 + last + ("前々" in text) + ("首" in text)


def answer_items(table: ReportTable, head: Headed | None) -> dict[str, list[int]]:
    """The keys of the items of a right table and, where the cell is known, of the headings of the right cell."""
    found = {"title": title_items(table)}
    if head is not None:
        left, above, under = (tuple(map(plain, one)) for one in head)
        texts = {
            "row": ["".join(left)[:80], *left[:1], *left[-1:]],
            "column": ["".join(above)[-120:], *above[-1:]],
            "any": ["".join(left)[:80], *left[:1], *left[-1:], "".join(above)[-120:], *above[-1:], *under[-1:]],
        }
        found |= {
            part: [key(one) for one in dict.fromkeys(item for text in own for item in items(text))]
            for part, own in texts.items()
        }
    return found


def title_items(table: ReportTable) -> list[int]:
    """The keys of what is above a table: the number of the section, the last headings, and short paragraphs."""
    found = ["#" + table.section, "#" + table.section[:5]]
    found += [item for heading in table.headings[-3:] for item in items(plain(heading))]
    found += ["b" + item for text in table.before[-2:] if len(text) < 40 for item in items(plain(text))]
    return [key(one) for one in dict.fromkeys(found)]


class IndexedReport:
    """The tables of a report, all or some, as arrays: a row a cell with text, table after table.

    `texts` and `numbers` are what TEXTS and NUMBERS name, (cells,); a text is the number of a row of `matrix`, which
    holds the items of each different heading, (headings, items). `span` maps a table's id to its cells.
    """

    def __init__(self, report: Report, found: Associations, wanted: frozenset[str] | None = None) -> None:
        self.report, self.found = report, found
        ends = [context.end for context in report.contexts if context.end]
        current = next((one for one in report.contexts if one.name == "CurrentYearDuration"), None)
        self.last_year = int((current.end if current else max(ends, default=""))[:4] or 0)
        # the year of a business year is that in which it begins, but the year of a question that in which it ends
        self.shift = int(current is not None and current.start[:4] != current.end[:4] and current.end[5:7] != "12")
        self.runs: dict[tuple[str, str, str], list[str]] = {}
        for one in report.contexts:
            if one.members:
                run = self.runs.setdefault((one.end, one.start, "".join((one.axes[-1], *one.members[:-1]))), [])
                if one.members[-1] not in run:
                    run.append(one.members[-1])
        self.number_of: dict[str, int] = {}
        self.item_of: dict[str, int] = {}
        self._rows: list[list[int]] = []
        self.tables = [one for one in report.tables if wanted is None or one.table_id in wanted]
        self.cells: list[tuple[int, int]] = []
        self.span: dict[str, tuple[int, int]] = {}
        texts: list[list[int]] = []
        numbers: list[list[float]] = []
        for place, table in enumerate(self.tables):
            start = len(texts)
            self._add(place, table, texts, numbers)
            self.span[table.table_id] = (start, len(texts))
        made_texts = np.array(texts, np.int64).reshape(len(texts), len(TEXTS))
        made_numbers = np.array(numbers, float).reshape(len(numbers), len(NUMBERS))
        self.texts = {name: made_texts[:, number] for number, name in enumerate(TEXTS)}
        self.numbers = {name: made_numbers[:, number] for number, name in enumerate(NUMBERS)}
        self.names = list(self.number_of)
        ends_of = np.cumsum([0, *map(len, self._rows)])
        columns = np.array([one for row in self._rows for one in row], np.int64)
        self.matrix = csr_array((np.ones(len(columns)), columns, ends_of), shape=(len(self.names), len(self.item_of)))
        self.sizes = np.maximum(np.diff(ends_of).astype(float), 1.0)
        self.known = np.array([found.items.get(key(one), len(found.items)) for one in self.item_of], np.int64)
        self.whole = np.array([self.item_of.get("=" + one, -1) for one in self.names], np.int64)
        self.memory: dict[object, object] = {}

    def heading(self, text: str) -> int:
        """The number of a heading, which is added where it is new."""
        if text not in self.number_of:
            self.number_of[text] = len(self._rows)
            self._rows.append([self.item_of.setdefault(one, len(self.item_of)) for one in items(text)])
        return self.number_of[text]

    def years(self, text: str) -> tuple[int, ...]:
        """The years that a text names, business years by their ends."""
        if "年度" in text:
            text = _FISCAL.sub(lambda one: f"{int(one[1]) + self.shift}年", text)
        return years_in(text)

    def _add(self, place: int, table: ReportTable, texts: list[list[int]], numbers: list[list[float]]) -> None:
        figures = [cell for cell in table.cells if cell.kind in ("number", "dash")]
        body = {row: number for number, row in enumerate(dict.fromkeys(cell.row for cell in figures))}
        order = {column: number for number, column in enumerate(sorted({cell.column for cell in figures}))}
        named: dict[int, int] = {}
        labels: dict[int, str] = {}
        rows_of: dict[str, list[int]] = {}
        block: dict[int, int] = {}
        year = 0
        for cell, head in zip(table.cells, table.headed, strict=True):
            if cell.text and head.above:
                named.setdefault(cell.row, len(named))
            if cell.kind == "text":
                labels.setdefault(cell.row, plain(cell.text)[:_LONG_NAME])
            if cell.text and cell.column == 0:
                rows_of.setdefault(cell.text, []).append(cell.row)
                year = next(reversed(self.years(cell.text)), year)
            block[cell.row] = year
        occurrence = {row: (number, len(rows)) for rows in rows_of.values() for number, row in enumerate(rows)}
        caption = next((found for text in reversed(table.before) if (found := self.years(text))), ())
        caption_period = years_back("".join(table.before[-2:]))
        for number, (cell, head) in enumerate(zip(table.cells, table.headed, strict=True)):
            if not cell.text:
                continue
            self.cells.append((place, number))
            left, above, under = (tuple(map(plain, one)) for one in head)
            over, side, section = "".join(head.above), "".join(head.left), "".join(head.under)
            own, row_years = self.years(over), self.years("".join(head.left[:2])) or self.years(section)
            held = (
                left[0] if left else "", left[-1] if left else "", "".join(left)[:80],
                above[0] if above else "", above[-1] if above else "", "".join(above)[-120:],
                under[-1] if under else "", "".join(under)[-80:], cell.text[:60],
                head.left[0] if left else "", head.left[-1] if left else "", head.above[-1] if above else "",
                "".join(labels.get(row, "") for row in range(cell.row - 3, cell.row)),
            )  # fmt: skip
            texts.append([self.heading(text) for text in held])
            numbers.append([
                cell.kind == "number", cell.kind == "dash", cell.kind == "date", cell.kind == "text",
                min(len(cell.text), 60), cell.row, cell.column, body.get(cell.row, -1), len(body),
                order.get(cell.column, -1), len(order), named.get(cell.row, -1),
                own[-1] if own else 0, own[0] if own else 0, years_back(over),
                row_years[-1] if row_years else 0, years_back("".join(head.left[:1]) + section),
                caption[-1] if caption else 0, caption_period, "増減" in over or "比" in over,
                "%" in cell.text or "%" in over or "%" in side, "計" in side[-2:], "計" in over[-3:], "計" in over,
                not left, not above, len(under), *occurrence.get(cell.row, (0, 1)), block[cell.row],
            ])  # fmt: skip

    def run_of(self, asked: ParsedQuestion) -> list[str]:
        """The members of the question's dimension at its time in the order of the cover; the longest where several."""
        runs = [
            (end[:4] == str(asked.year), len(run), run) for (end, _, _), run in self.runs.items() if asked.member in run
        ]
        return max(runs, key=lambda one: one[:2], default=(False, 0, [asked.member]))[2]


class Beside:
    """A question beside the headings of an indexed report."""

    def __init__(self, asked: ParsedQuestion, report: IndexedReport) -> None:
        self.asked, self.report = asked, report
        self.back = report.last_year - asked.year if asked.year else 0
        self.said = tokens(asked, self.back)
        self.lengths = np.maximum(report.sizes - 1, 1.0)

    def overlap(self, text: str) -> tuple[Float64Array, Float64Array, Float64Array]:
        """Of each heading, (headings,): Dice of its bigrams with a text's, the shares of the text's and of its."""
        grams = bigrams(plain(text))
        wanted = np.zeros(len(self.report.item_of))
        wanted[[self.report.item_of[one] for one in grams if one in self.report.item_of]] = 1.0
        both = self.report.matrix @ wanted
        most = max(1, len(grams))
        return 2 * both / (most + self.lengths), both / most, both / self.lengths

    def equal(self, text: str) -> Float64Array:
        """1 for the heading that is this text, (headings,)."""
        found = np.zeros(len(self.report.names))
        number = self.report.number_of.get(text)
        if number is not None and text:
            found[number] = 1.0
        return found

    def affinity(self, part: str, said: Sequence[str]) -> tuple[Float64Array, Float64Array, Float64Array]:
        """The best and mean PMI of tokens, as means over the items of each heading, and of the whole, (headings,)."""
        report = self.report
        best, mean = (one[report.known] for one in report.found.scores(part, said))
        sums = report.matrix @ np.stack([best, mean], 1)
        whole = np.where(report.whole >= 0, best[report.whole], 0.0)
        return sums[:, 0] / report.sizes, sums[:, 1] / report.sizes, whole


def cell_features(asked: ParsedQuestion, report: IndexedReport, rows: slice) -> Features:
    """The features of the cells of one table, each (cells,), by name; "family: feature"."""
    beside = Beside(asked, report)
    texts = {name: own[rows] for name, own in report.texts.items()}
    numbers = {name: own[rows] for name, own in report.numbers.items()}
    f: Features = {}
    dice, covered, filled = beside.overlap(asked.label)
    bare, short = plain(asked.label), plain(re.split("[－-]", asked.label)[0])
    equal, raw, shorter = beside.equal(bare), beside.equal(fold_text(asked.label)), beside.equal(short)
    inside = np.array([len(one) > 1 and one in bare for one in report.names], float)
    holds = np.array([len(bare) > 1 and bare in one for one in report.names], float)
    for name in ("first", "last", "left", "near", "above", "over"):
        f[f"label: dice {name}"], f[f"label: equal {name}"] = dice[texts[name]], equal[texts[name]]
    for name in ("first", "last", "near"):
        for what, values in (("filled", filled), ("inside", inside), ("holds", holds)):
            f[f"label: {what} {name}"] = values[texts[name]]
    for name in ("left", "above"):
        f[f"label: covered {name}"] = covered[texts[name]]
    for name in ("raw first", "raw last", "raw near"):
        f[f"label: equal {name}"] = raw[texts[name]]
    for name in ("first", "last", "near"):
        f[f"label: short equal {name}"] = shorter[texts[name]]
    f["label: dice row"] = np.maximum.reduce([f[f"label: dice {name}"] for name in ("first", "last", "left")])
    f["label: equal row"] = np.maximum(f["label: equal first"], f["label: equal last"])
    f["label: dice best"] = np.maximum.reduce([f[f"label: dice {name}"] for name in ("left", "near", "above")])
    f["label: covered by both"] = np.minimum(1.0, f["label: covered left"] + f["label: covered above"])
    f["label: text"], f["label: equal text"] = dice[texts["text"]], equal[texts["text"]]
    whole = beside.overlap(bare + "".join(map(plain, asked.heads)))
    for name in ("left", "above"):
        f[f"label: all dice {name}"], f[f"label: all covered {name}"], f[f"label: all filled {name}"] = (
            values[texts[name]] for values in whole
        )
    each = [beside.overlap(head) for head in asked.heads]
    for name in ("left", "above", "path", "rows before", "over"):
        own = [one[0 if name == "over" else 1][texts[name]] for one in each]
        f[f"headings: {name}"] = sum(own, np.zeros(len(texts[name]))) / max(1, len(own))
    f["headings: any"] = np.minimum(1.0, f["headings: left"] + f["headings: above"] + f["headings: path"])
    same = [beside.equal(plain(head)) for head in asked.heads] or [np.zeros(len(report.names))]
    for name in ("first", "last", "near", "over"):
        f[f"headings: equal {name}"] = np.maximum.reduce([one[texts[name]] for one in same])
    for group in GROUPS:
        for part, names in (("row", ("left", "last", "first")), ("column", ("above", "near"))):
            best, mean, as_whole = beside.affinity(part, beside.said[group])
            f[f"together: {part} {group} mean"] = mean[texts[names[0]]]
            for name in names:
                f[f"together: {part} {group} {name}"] = best[texts[name]]
            for name in names[:2]:
                f[f"together: {part} {group} whole {name}"] = as_whole[texts[name]]
        best, mean, _ = beside.affinity("any", beside.said[group])
        parts = np.stack([best[texts[name]] for name in ("left", "above", "over")])
        f[f"together: any {group} best"], f[f"together: any {group} sum"] = parts.max(0), parts.sum(0)
        f[f"together: any {group} mean"] = np.maximum.reduce([mean[texts[name]] for name in ("left", "above", "over")])
    place_features(f, asked, beside.back, numbers)
    return f | _member_features(asked, report, rows)


def place_features(f: Features, asked: ParsedQuestion, back: int, numbers: Mapping[str, Float64Array]) -> None:
    """Adds the features of the period, the kind and the place of each cell."""
    for name in ("year", "row year", "caption year"):
        own = numbers[name]
        for what, hit in (("equal", own == asked.year), ("other", own != asked.year), ("next", own == asked.year + 1)):
            f[f"period: {name} {what}"] = (hit & (own > 0)).astype(float)
    first = (numbers["first year"] == asked.year) & (numbers["first year"] != numbers["year"])
    f["period: first year equal"] = first.astype(float)
    for what in ("equal", "next"):
        f[f"period: year {what}, instant"] = f[f"period: year {what}"] * asked.instant
    for name in ("period", "caption period", "row period"):
        own = numbers[name]
        f[f"period: {name} equal"] = (own == 1 + back).astype(float)
        f[f"period: {name} other"] = ((own > 0) & (own != 1 + back)).astype(float)
    twice = numbers["occurrences"] == 2
    f["period: block of two"] = (twice & (numbers["occurrence"] == 1 - back)).astype(float)
    f["period: other block of two"] = (twice & (numbers["occurrence"] != 1 - back)).astype(float)
    for away in (-1, 0, 1):
        hit = (numbers["block year"] > 0) & (numbers["block year"] == asked.year + away)
        f[f"period: block year {away:+}"] = hit.astype(float)
        f[f"period: block year {away:+}, instant"] = (hit & asked.instant).astype(float)
    order, orders = numbers["order"], numbers["orders"]
    for what, place in (("end", orders - 1 - order), ("start", order)):
        hit = (place == back) & (order >= 0)
        f[f"period: column from the {what}"] = hit.astype(float)
        f[f"period: column from the {what} of two"] = (hit & (orders == 2)).astype(float)
    f["period: column from the end of five"] = ((orders - 1 - order == back) & (orders == 5)).astype(float)
    f["period: half of four columns"] = ((orders == 4) & (order >= 0) & ((order >= 2) == (back <= 0))).astype(float)
    for name in (*NUMBERS[:4], "change", "row total", "column total", "any total", "no left", "no above"):
        f[f"cell: {name}"] = numbers[name]
    total = any(word in asked.label for word in ("計", "総額"))
    for name in ("row total", "any total"):
        f[f"cell: {name} asked"] = numbers[name] * total
        f[f"cell: {name} without a member"] = numbers[name] * (not asked.member)
    rate = any(word in asked.label for word in _RATES)
    f["cell: rate asked"], f["cell: rate not asked"] = numbers["percent"] * rate, numbers["percent"] * (not rate)
    f["cell: date asked"] = numbers["date"] * ("日" in asked.label[-2:])
    f["cell: length"] = np.log1p(numbers["length"]) * numbers["textual"]
    f["place: order"], f["place: order from the end"] = order, orders - 1 - order
    f["place: first column"] = (order == 0).astype(float)
    f["place: last column"] = (order == orders - 1).astype(float)
    f["place: odd column"] = (order % 2) * (order >= 0)
    f["place: column"], f["place: row"], f["place: depth"] = numbers["column"], numbers["row"], numbers["depth"]
    several = numbers["occurrences"] > 1
    f["place: first of equal rows"] = (several & (numbers["occurrence"] == 0)).astype(float)
    f["place: last of equal rows"] = (several & (numbers["occurrence"] == numbers["occurrences"] - 1)).astype(float)


def _member_features(asked: ParsedQuestion, report: IndexedReport, rows: slice) -> Features:
    """Features of the member's place among the members of its dimension, which tables mostly keep."""
    numbers = {name: own[rows] for name, own in report.numbers.items()}
    nothing = np.zeros(rows.stop - rows.start)
    names = (
        "row by order", "column by order", "equal row", "equal named row", "equal column", "near row", "near column",
        "reading", "number of row", "number of named row",
    )  # fmt: skip
    f = {f"member: {name}": nothing for name in names}
    if not asked.member:
        return f
    run = report.run_of(asked)
    if asked.member in run:
        place, most = run.index(asked.member), max(1, len(run) - 1)
        order, orders = numbers["order"], numbers["orders"]
        f["member: equal row"] = (numbers["body"] == place).astype(float)
        f["member: equal named row"] = (numbers["named"] == place).astype(float)
        f["member: equal column"] = ((order == place) & (orders > 2)).astype(float)
        down = numbers["body"] / np.maximum(1, numbers["bodies"] - 1)
        f["member: near row"] = -np.abs(down - place / most) * (numbers["body"] >= 0)
        f["member: near column"] = -np.abs(order / np.maximum(1, orders - 1) - place / most) * (order >= 0)
        in_memory = (rows.start, rows.stop, tuple(run))
        if in_memory not in report.memory:
            report.memory[in_memory] = _lay_members(run, report, rows)
        laid: Laid = report.memory[in_memory]  # type: ignore[assignment]
        f["member: row by order"] = (numbers["row"] == laid.rows.get(place, -1)).astype(float)
        f["member: column by order"] = (numbers["column"] == laid.columns.get(place, -1)).astype(float)
        f["member: reading"] = np.array([laid.readings[place].get(int(row), 0.0) for row in numbers["row"]])
    if numbered := _NUMBERED.match(asked.member):
        f["member: number of row"] = (numbers["body"] == int(numbered[1]) - 1).astype(float)
        f["member: number of named row"] = (numbers["named"] == int(numbered[1]) - 1).astype(float)
    return f


class Laid(NamedTuple):
    """The row and the column of each member of a run in one table, and how close its name is to each row's texts."""

    rows: dict[int, int]
    columns: dict[int, int]
    readings: list[dict[int, float]]


def _lay_members(run: Sequence[str], report: IndexedReport, span: slice) -> Laid:
    row_of = report.numbers["row"][span].astype(int).tolist()
    column_of = report.numbers["column"][span].astype(int).tolist()
    headed = (report.numbers["no above"][span] == 0).tolist()
    value = (report.numbers["number"][span] + report.numbers["dash"][span] > 0).tolist()
    names: dict[int, list[str]] = {}
    label: dict[int, int] = {}
    title: dict[int, int] = {}
    for place, (row, column) in enumerate(zip(row_of, column_of, strict=True)):
        table, number = report.cells[span.start + place]
        cell = report.tables[table].cells[number]
        if cell.kind == "text" and len(cell.text) <= _LONG_NAME:
            names.setdefault(row, []).append(cell.text)
        if value[place]:
            title[column] = int(report.texts["near"][span.start + place])
            label[row] = int(report.texts["last"][span.start + place])
        label.setdefault(row, int(report.texts["last"][span.start + place]))
    rows = sorted({row for row, under in zip(row_of, headed, strict=True) if under})
    columns = sorted({column for column, own in zip(column_of, value, strict=True) if own})
    readings = [
        {row: max((closeness(one, text) for text in names.get(row, ())), default=0.0) for row in rows} for one in run
    ]
    by_row, by_column = (np.array([_member_scores(one, report, part) for one in run]) for part in ("row", "column"))
    read = np.array([[own[row] for row in rows] for own in readings]).reshape(len(run), len(rows))
    row_scores = by_row[:, [label[row] for row in rows]] + 3 * np.where(read > _READ, read, 0.0)
    column_scores = by_column[:, [title[column] for column in columns]]
    return Laid(lay_over(row_scores, rows), lay_over(column_scores, columns), readings)


def _member_scores(member: str, report: IndexedReport, part: str) -> Float64Array:
    """How a member's name goes with each heading, (headings,)."""
    if (member, part) not in report.memory:
        said = ["m:" + member, *("w:" + word for word in member_words(member))]
        best = report.found.scores(part, said)[0][report.known]
        report.memory[member, part] = (report.matrix @ best) / report.sizes
    found: Float64Array = report.memory[member, part]  # type: ignore[assignment]
    return found


_OF_TABLES = [name for name in TEXTS if name != "rows before"]
_NAME = 25  # characters of a cell that may be a name, of all tables of a report


class IndexedTables:
    """The tables of an indexed report, each as its different headings and what is said of its periods."""

    def __init__(self, report: IndexedReport) -> None:
        self.report = report
        self.tables = [one for one in report.tables if len(set(report.span[one.table_id])) > 1]
        self.ids = [one.table_id for one in self.tables]
        spans = [report.span[one] for one in self.ids]
        parts = {name: [np.unique(report.texts[name][a:b]) for a, b in spans] for name in _OF_TABLES}
        self.texts = {
            name: (np.concatenate([*own, np.zeros(0, np.int64)]), np.cumsum([0, *map(len, own)])[:-1])
            for name, own in parts.items()
        }
        numbers = report.numbers

        def values_of(name: str) -> list[set[int]]:
            return [set(numbers[name][a:b].astype(int).tolist()) - {0} for a, b in spans]

        self.years, self.row_years, self.periods = values_of("year"), values_of("row year"), values_of("period")
        self.caption_year = np.array([numbers["caption year"][a] for a, _ in spans])
        self.caption_period = np.array([numbers["caption period"][a] for a, _ in spans])
        self.fixed: Features = {
            "table: size": np.log1p(np.array([b - a for a, b in spans], float)),
            "table: figures": np.array([numbers["number"][a:b].mean() for a, b in spans]),
            "table: place": np.arange(len(spans)) / max(1, len(spans)),
        }
        titles = ["".join(map(plain, one.headings)) for one in self.tables]
        self.titles = [set(bigrams(one)) for one in titles]
        self.captions = [set(bigrams("".join(one.before[-2:])[-120:])) for one in self.tables]
        self.last = [plain(one.headings[-1]) if one.headings else "" for one in self.tables]
        statements = {"consolidated": ("01050", "01053"), "separate": ("01053", "0106")}  # EDINET's numbers of sections
        self.kinds = {
            what: np.array([first <= one.section < end for one in self.tables], float)
            for what, (first, end) in statements.items()
        }
        self.kinds["of the company"] = np.array(["提出会社" in one for one in titles], float)
        self.kinds["of the group"] = np.array(["連結" in one for one in titles], float)
        unknown = len(report.found.items)
        above = [[report.found.items.get(item, unknown) for item in title_items(one)] for one in self.tables]
        self.above_table = np.repeat(np.arange(len(above)), [len(one) for one in above])
        self.above = np.array([item for one in above for item in one], np.int64)
        self.section = np.array([one[0] for one in above], np.int64)
        short = np.unique(report.texts["text"][(numbers["textual"] > 0) & (numbers["length"] <= _NAME)])
        self.names = [number for number in short.tolist() if len(report.names[number]) > 1]

    def best(self, values: Float64Array, name: str) -> Float64Array:
        """The greatest value, (tables,), of a table's headings of a kind, from those of all headings."""
        numbers, starts = self.texts[name]
        return np.maximum.reduceat(values[numbers], starts)


def table_features(asked: ParsedQuestion, tables: IndexedTables) -> Features:
    """The features of all tables, each (tables,), by name; "family: feature"."""
    report = tables.report
    beside = Beside(asked, report)
    back, year = beside.back, asked.year
    nothing = np.zeros(len(tables.ids))
    f: Features = dict(tables.fixed)
    bare, short = plain(asked.label), plain(re.split("[－-]", asked.label)[0])
    dice, covered, _ = beside.overlap(asked.label)
    equal, raw, shorter = beside.equal(bare), beside.equal(fold_text(asked.label)), beside.equal(short)
    for name in ("first", "last", "top", "near", "over"):
        f[f"label: equal {name}"] = tables.best(equal, name)
    for name in ("raw first", "raw last", "raw near", "text"):
        f[f"label: raw {name}"] = tables.best(raw, name)
    for name in ("first", "near"):
        f[f"label: short {name}"] = tables.best(shorter, name)
    for name in ("first", "last", "near", "left", "above", "over", "text"):
        f[f"label: dice {name}"] = tables.best(dice, name)
    for name in ("left", "above", "path"):
        f[f"label: covered {name}"] = tables.best(covered, name)
    f["label: dice any"] = np.maximum.reduce(
        [f[f"label: dice {name}"] for name in ("first", "last", "near", "left", "above")]
    )
    f["label: covered"] = np.minimum(1.0, f["label: covered left"] + f["label: covered above"])
    holds = np.maximum.reduce([f[f"label: equal {name}"] for name in ("first", "last", "near", "over")])
    f["label: equal any"] = holds
    f["label: first that holds it"] = holds * (np.cumsum(holds) == 1)
    f["label: how many before hold it"] = np.where(holds > 0, np.minimum(np.cumsum(holds) - 1, 5), 0.0)
    f["label: how rare"] = holds / max(1.0, float(holds.sum()))
    for name, own in (("titles", tables.titles), ("captions", tables.captions)):
        f[f"label: in {name}"] = _shares(bare, own)
    f |= _heading_features(asked, beside, tables)
    for part, names in (("row", ("left", "first")), ("column", ("above", "near")), ("any", ("left", "above", "over"))):
        for group in GROUPS:
            best, _, whole = beside.affinity(part, beside.said[group])
            for name in names:
                f[f"together: {part} {group} {name}"] = tables.best(best, name)
            if group in ("label", "member") and part != "any":
                f[f"together: {part} {group} whole"] = tables.best(whole, names[-1])
    count = np.maximum(1, np.bincount(tables.above_table, minlength=len(tables.ids)))
    for group in GROUPS:
        best, mean = report.found.scores("title", beside.said[group])
        for name, values in (("best", best), ("mean", mean)):
            f[f"together: title {group} {name}"] = (
                np.bincount(tables.above_table, values[tables.above], len(count)) / count
            )
        f[f"together: section {group}"] = best[tables.section]
    for name, years in (("years", tables.years), ("row years", tables.row_years)):
        f[f"period: {name} hold it"] = np.array([year in own for own in years], float)
        f[f"period: {name} are others"] = np.array([bool(own) and year not in own for own in years], float)
    f["period: row years hold the next"] = (
        np.array([year + 1 in own for own in tables.row_years], float) * asked.instant
    )
    f["period: years"] = np.array([min(len(own), 5) for own in tables.years], float)
    f["period: many years for an old one"] = ((f["period: years"] >= 4) & (back >= 2)).astype(float)
    f["period: few years for an old one"] = ((f["period: years"] <= 2) & (back >= 2)).astype(float)
    caption, words = tables.caption_year, tables.caption_period
    f["period: caption equal"] = (caption == year).astype(float)
    f["period: caption other"] = ((caption > 0) & (caption != year)).astype(float)
    f["period: caption next"] = (caption == year + 1).astype(float)
    f["period: caption next, instant"] = f["period: caption next"] * asked.instant
    f["period: caption says so"] = (words == 1 + back).astype(float)
    f["period: caption says another"] = ((words > 0) & (words != 1 + back)).astype(float)
    f["period: caption says the next, instant"] = (words == back).astype(float) * asked.instant
    f["period: columns say so"] = np.array([1 + back in one for one in tables.periods], float)
    for name, kind in tables.kinds.items():
        f[f"scope: {name}"] = kind
        for scope in ("連結", "個別", ""):
            f[f"scope: {name}, asked {scope or 'neither'}"] = kind * (asked.scope == scope)
    f["member: reading"] = nothing
    if asked.member and not report.found.knows("m:" + asked.member):
        read = np.zeros(len(report.names))
        read[tables.names] = [closeness(asked.member, report.names[number]) for number in tables.names]
        f["member: reading"] = tables.best(np.where(read > _READ, read, 0.0), "text")
    return f


def _heading_features(asked: ParsedQuestion, beside: Beside, tables: IndexedTables) -> Features:
    """How much of the question's further headings each table and what is above it holds, the mean over them."""
    most = max(1, len(asked.heads))
    names = (*(f"headings: {one}" for one in ("left", "above", "path", "text")), "headings: equal first")
    f = dict.fromkeys((*names, "headings: equal near", "headings: equal over"), np.zeros(len(tables.ids)))
    f |= dict.fromkeys(("headings: titles", "headings: captions", "headings: last title"), np.zeros(len(tables.ids)))
    for head in asked.heads:
        dice, covered, _ = beside.overlap(head)
        equal, bare = beside.equal(plain(head)), plain(head)
        for name in ("left", "above", "path", "text"):
            f[f"headings: {name}"] = (
                f[f"headings: {name}"] + tables.best(dice if name == "text" else covered, name) / most
            )
        for name in ("first", "near", "over"):
            f[f"headings: equal {name}"] = f[f"headings: equal {name}"] + tables.best(equal, name) / most
        f["headings: titles"] = f["headings: titles"] + _shares(bare, tables.titles) / most
        f["headings: captions"] = f["headings: captions"] + _shares(bare, tables.captions) / most
        last = [float(bare in one or (len(one) > 1 and one in head)) for one in tables.last]
        f["headings: last title"] = f["headings: last title"] + np.array(last) / most
    f["headings: best"] = np.maximum.reduce(
        [f[f"headings: {one}"] for one in ("left", "above", "path", "titles", "captions")]
    )
    return f


def _shares(text: str, own: Sequence[set[str]]) -> Float64Array:
    """The share of a text's bigrams that each set holds, (sets,)."""
    grams = set(bigrams(text))
    return np.array([len(grams & one) for one in own]) / max(1, len(grams))
