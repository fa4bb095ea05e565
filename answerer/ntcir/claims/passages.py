"""Sentences with those before and behind them in their paragraph, among the passages of a claim."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from answerer.ntcir.claims.english.tokens import AUXILIARIES, tag_tokens
from answerer.ntcir.claims.wording import base_terms
from answerer.ntcir.term.language import TermLanguage
from answerer.ntcir.term.questions import TermQuestion
from indexer.engines.contract import Index
from indexer.sources.textbook.schema import (
    SENTENCES,
    sentence_id,
    sentence_number,
    sentences_before,
)
from retriever.passages import Passage

_RESOLVED = 40  # best passages, in which the sentences before a pronoun are read
_BEFORE = 3  # sentences at most that are read before a pronoun
_PRONOUN = re.compile(
    r"\W*(?:(?:he|she|it|they|this|these|those)\b|これ|それ|彼|此|他|她|它)", re.IGNORECASE
)
_REFERRING_BACK = re.compile(
    r"\W*(?:(?:his|her|its|their|such|there|here|then|both)\b"
    r"|[a-z]++ (?:this|that|these|those|it|them)\b)",
    re.IGNORECASE,
)
_FORMS_OF_BE = frozenset("am is are was were".split())


def with_previous(
    passages: Sequence[Passage], index: Index, language: TermLanguage
) -> list[Passage]:
    """All passages in their order; the sentences among the first `_RESOLVED` (40) that begin with a
    pronoun (English, Japanese or Chinese) have the text of the sentence before them in their
    paragraph, if there is one, put before their own, of up to `_BEFORE` (3) while that begins with
    a pronoun, too. Whole paragraphs stay as they are. One request to the index, none without such a
    sentence."""
    previous = {}
    for position, passage in enumerate(passages[:_RESOLVED]):
        before = sentences_before(passage.doc_id, _BEFORE) if passage.is_sentence else []
        if before and _PRONOUN.match(passage.text):
            previous[position] = before
    if not previous:
        return list(passages)
    ids = [doc_id for before in previous.values() for doc_id in before]
    documents = iter(index.part(SENTENCES.name).lookup("doc_id", ids))
    resolved, joint = list(passages), " " if language.spaced else ""
    for position, before in previous.items():
        texts = [document.text for _ in before for document in next(documents)]
        text = passages[position].text
        while texts and _PRONOUN.match(text):
            text = joint.join([texts.pop(), text])
        resolved[position] = passages[position]._replace(text=text)
    return resolved


def with_pairs(
    claim: TermQuestion, passages: Sequence[Passage], language: TermLanguage
) -> list[Passage]:
    """The passages, then each sentence among the first `_RESOLVED` (40) with the next one of its
    paragraph, if that is anywhere among them, as one passage of score 0, unless the next begins
    with it itself. Two sentences that both have a verb of the claim are no pair, unless the second
    refers back ("Their …", "In that year …"): "Paris is the capital of France." would lend its
    words to "Rome is the capital of Italy."."""
    by_id = {passage.doc_id: passage for passage in passages if passage.is_sentence}
    stem = base_terms(language.terms)
    claim_verbs = _verbs(claim.text, stem)
    pairs = []
    for passage in passages[:_RESOLVED]:
        if not passage.is_sentence:
            continue
        number = sentence_number(passage.doc_id)
        following = by_id.get(sentence_id(passage.paragraph, number + 1))
        if following is None or following.text.startswith(passage.text):
            continue
        shared = claim_verbs & _stems(passage.text, stem) & _stems(following.text, stem)
        if not shared or _REFERRING_BACK.match(following.text):
            text = f"{passage.text} {following.text}"
            pairs.append(passage._replace(text=text, score=0.0))
    return [*passages, *pairs]


def _verbs(text: str, stem: Callable[[str], Sequence[str]]) -> set[str]:
    """The stems of the verbs of an English claim; "be" for its forms, no other auxiliaries."""
    tokens = [token for token in tag_tokens(text, stem) if token.tag.startswith("VB")]
    stems = {token.stem for token in tokens if token.text.lower() not in AUXILIARIES}
    return stems | (_stems(text, stem) & {"be"})


def _stems(text: str, stem: Callable[[str], Sequence[str]]) -> set[str]:
    """The stems of an English text, and "be" if it has a form of it."""
    is_copula = not _FORMS_OF_BE.isdisjoint(text.lower().split())
    return {*stem(text), "be"} if is_copula else {*stem(text)}


def retrieved_before(passages: Sequence[Passage]) -> list[str]:
    """For each passage the sentences before it in its paragraph that are among the passages, joined
    in their order; "" for whole paragraphs."""
    sentences: dict[str, dict[str, str]] = {}
    for passage in passages:
        if passage.is_sentence:
            sentences.setdefault(passage.paragraph, {})[passage.doc_id] = passage.text
    return [
        " ".join(
            text
            for doc_id, text in sorted(sentences.get(passage.paragraph, {}).items())
            if passage.is_sentence and doc_id < passage.doc_id
        )
        for passage in passages
    ]
