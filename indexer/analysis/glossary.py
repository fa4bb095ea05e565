"""A user's glossary: names with their kinds, dates and aliases, as an index stores them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from indexer.analysis.years import Years


class Entry(NamedTuple):
    """One entry of a glossary: the name to index (`term`), its kinds from narrow to wide as in the
    file (都市, 市), first and last years (None where not given), and other spellings
    (`aliases`)."""

    term: str
    kinds: tuple[str, ...] = ()
    start: Years | None = None
    end: Years | None = None
    aliases: tuple[str, ...] = ()


class Glossary(NamedTuple):
    """The entries in the order of their files; one name may have several (a city and a man)."""

    entries: tuple[Entry, ...] = ()

    def names(self) -> list[str]:
        """Every term and alias once, in order, for an analyser to find, without notes in brackets.

        Names of one character are left out: an analyser gains nothing by them.
        """
        forms = dict.fromkeys(
            bare(form) for entry in self.entries for form in (entry.term, *entry.aliases)
        )
        return [name for name in forms if len(name) > 1]

    def terms(self) -> dict[str, str]:
        """Maps each of `names` to the term that is indexed for it: itself for a term or an alias of
        several terms, else the one term that has this alias."""
        terms = {bare(entry.term) for entry in self.entries}
        leads: dict[str, set[str]] = {}
        for entry in self.entries:
            for alias in entry.aliases:
                leads.setdefault(bare(alias), set()).add(bare(entry.term))
        return {
            name: name if name in terms or len(leads[name]) > 1 else next(iter(leads[name]))
            for name in self.names()
        }

    def by_name(self) -> dict[str, tuple[Entry, ...]]:
        """Maps each term and alias (without a note in brackets) to its entries: first those with
        the name as their term, then those with it as an alias; in file order."""
        pairs = [(entry.term, entry) for entry in self.entries]
        pairs += [(alias, entry) for entry in self.entries for alias in entry.aliases]
        groups: dict[str, dict[Entry, None]] = {}
        for name, entry in pairs:
            groups.setdefault(bare(name), {})[entry] = None
        return {name: tuple(entries) for name, entries in groups.items()}

    def to_json(self) -> dict[str, Any]:
        """The glossary as JSON values, to be stored in an index's settings: `names` maps each name
        to its term (`terms`), `entries` are lists of term, kinds, start, end and aliases; start and
        end are None or (first year, last year, text)."""
        return {
            "names": self.terms(),
            "entries": [
                [entry.term, entry.kinds, entry.start, entry.end, entry.aliases]
                for entry in self.entries
            ],
        }

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Glossary:
        """The glossary that `to_json` made these values of; `names` is not read. Raises
        LookupError, TypeError or ValueError for others."""
        entries = (Entry._make(values) for values in stored["entries"])
        return cls(
            tuple(
                entry._replace(
                    kinds=tuple(entry.kinds),
                    start=None if entry.start is None else Years(*entry.start),
                    end=None if entry.end is None else Years(*entry.end),
                    aliases=tuple(entry.aliases),
                )
                for entry in entries
            )
        )


def bare(name: str) -> str:
    """The name without a note in full-width brackets at its end (アフリカ（詩） → アフリカ), and
    then without one in ASCII brackets; unchanged where nothing else would be left."""
    for opening, closing in ("（）", "()"):
        if name.endswith(closing) and opening in name[1:]:
            name = name[: name.rindex(opening)].strip()
    return name
