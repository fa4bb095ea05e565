"""Registry of the kinds of corpus: adding a kind is a line here and the folder
`indexer/sources/KIND`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from indexer.plug_ins import plug_ins

# name: (module whose `command` builds it, one line of help). The module loads when it is chosen.
SOURCES: dict[str, tuple[str, str]] = {}
for _kind, _line in {
    "textbook": "Running text: textbooks, encyclopedias, sentence files.",
    "collection": "A test collection: documents with ids of their own.",
    "triples": "A knowledge base: lines of subject ||| predicate ||| object.",
    "datasets": "Open data: metadata and archives of tables and workbooks.",
    "tables": "Candidate tables of NLPCC TBQA files, each once.",
    "reports": "Japanese securities reports: their tables.",
}.items():
    SOURCES[_kind] = (f"indexer.sources.{_kind}.build", _line)

ENTRY_POINTS = "classical_qa.corpora"

# Commands that manage built indexes: name: (module:attribute of the click command, one line of
# help).
TOOLS: dict[str, tuple[str, str]] = {}
for _name, _line in {
    "list": "The indexes there are: kind, language, documents, size.",
    "info": "One index: its parts, settings, sources and versions.",
    "remove": "Remove indexes.",
}.items():
    TOOLS[_name] = (f"indexer.cli.indexes:{_name}_command", _line)


def sources() -> Mapping[str, tuple[str, str]]:
    """The kinds of corpus, ours and those of other distributions (entry points `KIND = MODULE`,
    whose `command` builds): name → (module, one line of help)."""
    return {**SOURCES, **_of_others()}


@cache
def _of_others() -> Mapping[str, tuple[str, str]]:
    """The kinds of other distributions; entry points are looked for once."""
    return plug_ins(ENTRY_POINTS, {**SOURCES, **TOOLS})


ANALYSIS: dict[str, int] = {
    "textbook": 10,
    "collection": 5,
    "tables": 2,
    "triples": 3,
    "reports": 4,
}
"""The version of each kind's analysis: rises when the same input gives other terms, or its
documents another form. Others are refused when opened."""

WIKI_FILES = ("wiki_[0-9]*", "*/wiki_[0-9]*")
"""The files that WikiExtractor makes of a dump, in the folder that it is given."""
