"""What a candidate looks like: digits, names, quotes, its first word."""

from __future__ import annotations

import numpy as np

from retriever.ranking.english import EnglishTexts
from retriever.ranking.features.answers import surface_classes
from retriever.ranking.lists import summed
from retriever.ranking.listwise import FloatArray


def surface_flags(texts: EnglishTexts) -> dict[str, FloatArray]:
    """Flags of 0 to 1 for each row, that do not look at the question's words except to leave them out."""
    tokens, rows = texts.candidates, texts.lists.rows
    is_ = surface_classes(texts.words.surfaces)
    new = texts.all_stems.token_term < 0
    first = np.append(True, np.diff(tokens.rows) > 0)[: len(tokens.rows)]
    pronoun = np.array([word.lower() in PRONOUNS for word in texts.words.surfaces], bool)

    def count(marks: np.ndarray) -> FloatArray:
        return np.minimum(summed(tokens.rows, marks, rows), 4) / 4

    def holds(pieces: tuple[str, ...]) -> FloatArray:
        return np.array([any(p in text for p in pieces) for text in texts.candidate_texts], float)

    flags = {
        "years": count(is_["year"][tokens.ids] & new),
        "months": count(is_["month"][tokens.ids] & new),
        "digits": count(is_["digits"][tokens.ids] & new),
        "number words": count(is_["number"][tokens.ids] & new),
        "names": count(is_["capital"][tokens.ids] & new & ~first & ~texts.words.is_stop[tokens.ids]),
        "causes": count(is_["cause"][tokens.ids] & new),
        "units": count(is_["unit"][tokens.ids] & new),
        "places": count(is_["place preposition"][tokens.ids]),
        "being": count(is_["be"][tokens.ids]),
        "starts with a pronoun": count(pronoun[tokens.ids] & first) * 4,
        "quotes": holds(('"', "“", "``")),
        "brackets": holds(("(",)),
        "list": np.minimum(np.array([text.count(",") for text in texts.candidate_texts], float), 5) / 5,
        "money": holds(("$", "£", "€", "%", "percent")),
    }
    return {f"surface: {name}": values for name, values in flags.items()}


PRONOUNS = frozenset("he she it they his her its their this these that those there such both".split())
