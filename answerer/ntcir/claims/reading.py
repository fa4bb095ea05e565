"""The claim of a yes-no question or of a statement that is to be called true or false."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from answerer.ntcir.claims.english.clauses import sentence_parts
from answerer.ntcir.claims.english.tokens import tag_tokens
from answerer.ntcir.term.language import TermLanguage
from answerer.ntcir.term.questions import TermQuestion, read_question
from retriever.passages import Passage

_ASKS_TRUTH = r"(?:true or false|true\s?/\s?false|t\s?/\s?f|yes or no|yes\s?/\s?no)\b"
_IS_TRUE = r"(?:is it |it is )?(?:true|right|correct|the case) that\b"
_LEAD = re.compile(
    rf"\A[\s_]*+(?:[(\[]?(?:is it )?(?:{_ASKS_TRUTH}(?:\W*+that\b)?|{_IS_TRUE})[\W_]*+)?",
    re.IGNORECASE,
)
_TAIL = re.compile(rf"(?<![\s(\[:])[\s(\[:]*+{_ASKS_TRUTH}[\s)\].?:]*+$", re.IGNORECASE)
_FIRST_GAP = re.compile(r"\s*+_[\s_]*+(?!(?:true|right|correct|yes|t/f|is it)\b)[a-zぁ-ん,;:'’-]")
_QUESTION = re.compile(r"(?:[?？]|か[。.]?)$")
_HELPED = re.compile(
    r"(.+?)(?<! that)(?<! which)(?<! who) (is|are|was|were|can|could|will|would|should"
    r"|did|does|do) (.+)",
    re.DOTALL,
)
_CLEFT = re.compile(  # "It was Ada who wrote it", "Was it Ada who wrote it"
    r"(?:[Ii]t (?:is|was)|[IiWw](?:s|as) it) ((?:(?:the|in|on|at|by) |[A-Z0-9]).*?)"
    r" (?:that|who) (.+)",
    re.DOTALL,
)
_ASKS = re.compile(
    r"^\W*(?:wh(?:o|om|ose|ich|en|ere)|name|list|give|tell|mention|write|identify|state|explain"
    r"|describe|define|discuss|compare|show|find|choose|select|complete)\b|\b(?:what|why|how)\b",
    re.IGNORECASE,
)
_CONJUNCTIONS = frozenset("when if although because while since as once after before".split())
_FIRST_WORD = re.compile(r"([A-Z][a-z]++) ([A-Z][a-z]*+)\b")


def asks_truth(text: str) -> bool:
    """Whether a text begins or ends with "true or false", "yes or no" or the like ("T/F"), begins
    with "is it true that" or "true that" (also right, correct), or with a blank for the answer
    ("__"), unless that is a gap of the sentence: a small letter, kana or a mark is behind it ("__
    is red")."""
    is_gap = _FIRST_GAP.match(text) and not _TAIL.search(text)
    return not is_gap and _without_asking(text) != text.strip()


def is_statement(text: str, language: TermLanguage) -> bool:
    """Whether an English text ends with a full stop and says something: a finite verb is outside of
    its relative clauses. False for a request ("Name …"), a text with a gap or a question mark, one
    that begins with a question word or has "what", "why" or "how", and in other languages."""
    if not language.spaced or not text.rstrip().endswith(".") or "?" in text:
        return False
    if _ASKS.search(text) or read_question(text, language.language).has_gap:
        return False
    return _has_verb(text, language)


def is_cleft(text: str) -> bool:
    """Whether an English text is as "It was Ada who wrote it" or "Was it Ada who wrote it?"."""
    return _CLEFT.fullmatch(text.strip().rstrip(" ?.")) is not None


def _without_asking(text: str) -> str:
    """A text, stripped, without what `asks_truth` looks for."""
    return _TAIL.sub("", _LEAD.sub("", text, count=1)).strip()


def read_claim(text: str, language: TermLanguage) -> TermQuestion | None:
    """The claim of a yes-no question, or of a statement, without "true or false" before or behind
    it; an English statement as a question, the form that the rules know ("Did bees dance?"). None
    for any other question (by its question mark, in Japanese か), and for no text."""
    claim = _without_asking(text)
    if language.spaced and (cleft := _CLEFT.fullmatch(claim.rstrip(" ?."))):
        claim = f"{cleft[1]} {cleft[2]}"
    question = read_question(claim, language.language)
    if question.polar:
        return question
    if asks_truth(text):
        claim = claim.rstrip(" .?!")
    if not claim or _QUESTION.search(claim):
        return None
    if language.spaced:
        claim = claim.rstrip(". ")
        helped = _HELPED.fullmatch(claim)
        begins_clause = claim.split()[0].lower() in _CONJUNCTIONS
        if helped and (begins_clause or _has_verb(helped[1], language)):
            helped = None
        polar = f"{helped[2].title()} {helped[1]} {helped[3]}?" if helped else f"Did {claim}?"
        return replace(read_question(polar, language.language), polar=True)
    return question


def _has_verb(text: str, language: TermLanguage) -> bool:
    """Whether a text has a finite verb, tagged as a verb, outside of its relative clauses."""
    parts = sentence_parts(tag_tokens(text, language.terms))
    main = [part for part in parts if not part.relative]
    tags = {token.tag for part in main for token in part.tokens}
    return not tags.isdisjoint(("VBD", "VBP", "VBZ", "MD")) or any(
        part.is_finite and part.tokens[part.verb].tag == "VBN" for part in main
    )


def with_small_letter(claim: TermQuestion, passages: Sequence[Passage]) -> TermQuestion:
    """The claim of an English statement with a small letter at the statement's beginning, unless
    that is a name: what the tagger takes for one, and the passages never write in small letters."""
    match = _FIRST_WORD.match(claim.text)
    if match is None:
        return claim
    from indexer.analysis.english import tags

    small = match[2].lower()
    is_name = tags([match[2]])[0].startswith("NNP")
    if is_name and not any(small in re.findall(r"\w+", passage.text) for passage in passages):
        return claim
    text = f"{match[1]} {small}{claim.text[match.end() :]}"
    return replace(claim, texts=((text, 1.0), *claim.texts[1:]))
