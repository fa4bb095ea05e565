"""Schema of an index of a knowledge base: its parts, the doc_ids, and facts, entities and counts as
payloads."""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from itertools import chain
from operator import add
from typing import NamedTuple

from indexer.analysis.text import without_ignorable
from indexer.engines.contract import Part

# Names and predicates of a knowledge base, folded so that questions can be matched with them.

LONGEST_NAME = 32  # characters: longer ones are sentences, which no question names
MOST_PREDICATES = 1 << 20  # different ones that are looked at, which bounds the memory
_UNSEEN = ("Cc", "Cf")
_PARENTHESES = re.compile(r"\([^()]*\)|\[[^\[\]]*\]|【[^【】]*】")
_MARKS = '《》〈〉“”"「」『』‘’'
_QUOTES = str.maketrans("", "", _MARKS)
_OPENING = re.compile(r"[(\[【]")
_QUOTED = re.compile(f"[{_MARKS}]")
_FOOTNOTES = re.compile(r"\[\d+(?:[-,]\d+)*\]")
_BULLETS = re.compile(r"^[\-—–•·●◆■*.:;]+|[•●◆■:;]+|[\-—–·*.]+$")
_INNER_DOTS = re.compile(r"(?<=[^\W\d_a-z])[·.](?=[^\W\d_a-z])")


def fold(text: str) -> str:
    """A text in NFKC and lower case, without white space and invisible characters: knowledge bases
    write `国 籍`, questions `国籍`, both with zero-width spaces."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", without_ignorable(text))
    folded = "".join(text.lower().split())
    return (
        folded
        if folded.isprintable()
        else "".join(
            character for character in folded if unicodedata.category(character) not in _UNSEEN
        )
    )


@lru_cache(maxsize=1 << 17)
def clean_predicate(predicate: str) -> str:
    """The folded predicate without footnotes `[1]`, bullets and colons anywhere, dashes and points
    at both ends, and points between letters other than a–z.

    Where nothing would be left, the folded predicate itself.
    """
    folded = fold(predicate)
    return _INNER_DOTS.sub("", _BULLETS.sub("", _FOOTNOTES.sub("", folded))) or folded


def split_subject(subject: str) -> tuple[str, str]:
    """The folded name of a subject without its parentheses (`()`, `[]`, `【】`), and what they say,
    joined, "" without any: `李明(教授)` gives `李明` and `教授`."""
    folded = fold(subject)
    return _PARENTHESES.sub("", folded), "".join(
        part[1:-1] for part in _PARENTHESES.findall(folded)
    )


def aliases(subject: str) -> list[str]:
    """Distinct folded forms under which a question may name the subject, none empty, the shortest
    last.

    The whole name, the name without parentheses, and both without quotation marks (《》,
    “” and others); none for a name that folds to "".
    """
    folded = fold(subject)
    forms = [folded]
    if _OPENING.search(folded):
        forms.append(_PARENTHESES.sub("", folded))
    if _QUOTED.search(folded):
        forms += [form.translate(_QUOTES) for form in forms]
    return [form for form in dict.fromkeys(forms) if form]


def bigrams(name: str) -> list[str]:
    """The character bigrams of a folded name in order, each once; a name of one character is its
    own, "" has none."""
    return (
        list(dict.fromkeys(name[i : i + 2] for i in range(max(1, len(name) - 1)))) if name else []
    )


def pieces(name: str) -> list[str]:
    """Search pieces of a name, each once, by which a misspelt name is found: its bigrams, then the
    pairs with one character between; of one character that alone, of "" none.

    A character changed, left out or put in leaves pairs around it that still match.
    """
    if len(name) < 2:
        return bigrams(name)
    return list(dict.fromkeys([*map(add, name, name[1:]), *map(add, name, name[2:])]))


NAME, ALIAS, MENTION = "name", "alias", "mention"
SUBJECTS = Part("subjects", (NAME,), (ALIAS,))
MENTIONS = Part("mentions", (), (MENTION,))
STATISTICS = Part("statistics")
PREDICATE_CHARACTERS = "predicate-characters"  # the doc_id of the only document of the statistics

KNOWN_NAME = (
    "=",
)  # the one term of a subject whose bare name an earlier one has: nobody asks for it


class StoredFact(NamedTuple):
    """A fact of a subject: its predicate as written and cleaned, and its object (`value`)."""

    predicate: str
    cleaned: str
    value: str


def numbered_id(label: str, number: int) -> str:
    """The doc_id of a run of lines, or of a mention: the file's label and its number there, from
    1."""
    return f"{label}-{number:08d}"


def fact_beginning(predicate: str, cleaned: str) -> str:
    """Beginning of every stored fact of a predicate, made once for all that share it: both texts
    with a tab behind each, the cleaned one "" if it is the same; neither may hold a tab."""
    return f"{predicate}\t{'' if cleaned == predicate else cleaned}\t"


def encode_fact(beginning: str, value: str) -> str:
    """A fact in the line of a payload: the `fact_beginning` of its predicate, then the object, in
    which tabs become blanks. No text holds a line feed."""
    return beginning + (value.replace("\t", " ") if "\t" in value else value)


def decode_facts(payload: str) -> Iterator[StoredFact]:
    """Yields the facts of a subject's payload, one a line, in order."""
    for line in payload.split("\n"):
        predicate, cleaned, value = line.split("\t")
        yield StoredFact(predicate, cleaned or predicate, value)


def encode_entities(entities: Sequence[str]) -> str:
    """Payload of the entities that a mention may mean; none holds a tab."""
    return "\t".join(entities)


def decode_entities(payload: str) -> list[str]:
    """The entities of a mention's payload, in order."""
    return payload.split("\t")


def encode_counts(predicates: Collection[str]) -> str:
    """Payload of different cleaned predicates: their number, and the number of those that contain
    each character."""
    frequency = Counter(chain.from_iterable(map(set, predicates)))
    return json.dumps(
        {"predicates": len(predicates), "frequency": dict(sorted(frequency.items()))},
        ensure_ascii=False,
    )


def decode_counts(payload: str) -> tuple[int, dict[str, int]]:
    """The number of predicates, and of those with each character, of a payload."""
    stored = json.loads(payload)
    return stored["predicates"], stored["frequency"]
