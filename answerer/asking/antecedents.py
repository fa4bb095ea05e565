"""What a sentence says without the question's word: a name by a pronoun, a verb in the past."""

from __future__ import annotations

import re
from dataclasses import replace

from answerer.asking.phrases import tag_words
from answerer.ntcir.claims.wording import past_form
from answerer.ntcir.term.candidates import Retrieval
from answerer.ntcir.term.language import Places, TermLanguage
from answerer.ntcir.term.questions import TermQuestion
from indexer.engines.contract import Index
from indexer.sources.textbook.schema import PARAGRAPHS

_CAPITALISED = re.compile(r"(?<=[\w,’'] )[A-Z][\w’'-]+")
POSSESSIVE = re.compile(r"['’]s?$")
# "He", "In 1826 he", "The company": what refers to a name before it
_REFERS = re.compile(
    r"(?:(?:After|At|By|During|From|In|On|Until) (?:[^,.;]{1,40}+, |\d{4} ))?"
    r"(?P<word>(?:he|she|it|they|his|her|its|their)\b|the (?:author|city|company|country|emperor"
    r"|general|king|poet|president|queen|school|team|university)\b)",
    re.IGNORECASE,
)
_DID = re.compile(r"\bdid\b", re.IGNORECASE)
_BEFORE = 3  # sentences before a pronoun, among which that of its name is looked for


def names_of(text: str) -> list[str]:
    """The words of an English question of two letters or more with a capital, without a possessive
    's; not the first, nor what is behind another mark than a comma."""
    return [POSSESSIVE.sub("", word) for word in _CAPITALISED.findall(text)]


def antecedents(
    question: TermQuestion, retrieved: Retrieval, index: Index, language: TermLanguage
) -> dict[str, Places]:
    """Text of an English passage → the terms of the question's names that its opening pronoun, or
    "the president" and the like, may stand for → the place of that word in the text.

    A pronoun stands for the names of the sentence before it in its paragraph, of up to three while
    these open with one, too. {} for other languages and questions without names. One request."""
    names = {term for name in names_of(question.text) for term in language.terms(name)}
    names &= retrieved.idf.keys() if language.spaced else set()
    openings = {
        passage: match
        for passage in (retrieved.passages if names else ())
        if passage.paragraph and (match := _REFERS.match(passage.text))
    }
    stand_for: dict[str, Places] = {}
    if not openings:
        return stand_for
    ids = [passage.paragraph for passage in openings]
    paragraphs = index.part(PARAGRAPHS.name).lookup("doc_id", ids)
    for (passage, match), documents in zip(openings.items(), paragraphs, strict=True):
        whole = "".join(document.text for document in documents)
        start = max(whole.find(passage.text), 0)
        before = language.language.analyser().sentences(whole[:start])
        terms: set[str] = set()
        for sentence in reversed(before[-_BEFORE:]):
            terms |= set(language.terms(sentence))
            if not _REFERS.match(sentence):
                break
        if meant := terms & names:
            stand_for[passage.text] = {term: [match.span("word")] for term in sorted(meant)}
    return stand_for


def in_past(question: TermQuestion) -> TermQuestion:
    """An English question with "did" and a verb (did write) with the verb's irregular past in its
    place (did wrote), as books have it; others, and those for yes or no, as they are."""
    did = _DID.search(question.text)
    if did is None or question.has_gap or question.polar:
        return question
    words = tag_words(question.text)
    verb = next((word for word in words if word.start > did.start() and word.tag == "VB"), None)
    if verb is None or (past := past_form(verb.text)) == verb.text:
        return question
    text = f"{question.text[: verb.start]}{past}{question.text[verb.stop :]}"
    wanted_verb = past if question.verb == verb.text else question.verb
    return replace(question, texts=((text, 1.0), *question.texts[1:]), verb=wanted_verb)
