"""Features of all tables of a report beside a question: which of them answers it."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from answerer.u4.associations import GROUPS, ParsedQuestion, bigrams, plain
from answerer.u4.features import TEXTS, Beside, Features, IndexedReport, title_items
from answerer.u4.readings import closeness
from indexer.files.arrays import Float64Array
from indexer.tables.reports import fold_text

_OF_TABLES = [name for name in TEXTS if name != "rows before"]
_NAME = 25  # characters of a cell that may be a name
_READ = 0.3


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
