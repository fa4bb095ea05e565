"""Questions in traditional characters of a knowledge base in simplified ones, and the other way round."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

from answerer.nlpcc.kbqa.linking import Holder, Link, Linker

if TYPE_CHECKING:
    from opencc import OpenCC

PACKAGE = "opencc"
_NAMED = 2
"""Characters of a mention from which on a question is taken to be in the knowledge base's characters."""


def linked_in_either(questions: Sequence[str], linker: Linker) -> tuple[list[str], list[list[Link]]]:
    """The folded questions with their links, each in the characters in which the longest name is found.

    A question with traditional characters is tried in simplified ones too; any other in traditional ones where it names
    nothing. Of names of the same length the question's own counts, objects that it names among them. Without the extra
    `opencc` all stay as they are.
    """
    texts, links = list(questions), linker.link(questions)
    others = {place: other for place, text in enumerate(texts) if (other := _other(text, _longest(links[place])))}
    if not others:
        return texts, links
    held = linker.holding([texts[place] for place in others]) if linker.knows_objects else [[] for _ in others]
    for (place, other), objects, found in zip(others.items(), held, linker.link(list(others.values())), strict=True):
        if _longest(found) > _longest([*links[place], *objects]):
            texts[place], links[place] = other, found
    return texts, links


def _longest(links: Sequence[Link | Holder]) -> int:
    """The length of the longest name that is found exactly, 0 for none and for names of one character."""
    longest = max((len(link.mention.name) for link in links if link.mention.exact), default=0)
    return longest if longest >= _NAMED else 0


def _other(text: str, longest: int) -> str:
    """The question in the other characters where it may be asked so, else ""."""
    if not has_other_characters():
        return ""
    simplified = str(_converter("t2s").convert(text))
    if simplified != text:
        return simplified
    traditional = "" if longest else str(_converter("s2t").convert(text))
    return traditional if traditional != text else ""


@cache
def has_other_characters() -> bool:
    """Whether the extra `opencc` is installed, which knows both kinds of characters."""
    try:
        import opencc  # noqa: F401
    except ImportError:
        return False
    return True


@cache
def _converter(name: str) -> OpenCC:
    from opencc import OpenCC

    return OpenCC(name)
