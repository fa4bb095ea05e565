"""Which candidate answers a question first, by the wording of question and sentence: the rules move
a better one before the first of the ranker. English only, but for series."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise, takewhile

from answerer.asking.amounts import first_of_unit
from answerer.asking.dates import year_behind_name, year_of_life
from answerer.asking.doubts import ASKS_NOTHING, ENGLISH_WORD, missing_names, missing_verb
from answerer.asking.fitting import fits
from answerer.asking.phrases import tag_words
from answerer.asking.ranker import AskedList, moved_to_front
from answerer.asking.rows import cell_first
from answerer.ntcir.claims.wording import all_forms, stem_share
from answerer.ntcir.term.candidates import Retrieval, TermCandidate
from answerer.ntcir.term.language import TermLanguage
from answerer.ntcir.term.questions import LIST, TermQuestion
from indexer.engines.contract import Index
from indexer.sources.textbook.schema import PARAGRAPHS
from retriever.passages import Passage

_STATED = 12  # best candidates, among which one is looked for whose sentence has the verb
_JOINT = r"[”\"'」』]?(?:, and |, or |, | and | or |、|や|と|および|及び)(?:the |an? )?[“\"「『]?"

_SERIES = 3  # members of a series of unknown length at least
_COMPARED = 5  # best candidates, among which one that fits is looked for; chosen by hand


def in_order_of_rules(
    ranked: AskedList, retrieved: Retrieval, index: Index, language: TermLanguage
) -> AskedList:
    """Ranked candidates, one at least, in the order of the rules on what the first must be: each
    may move others before it, with its probability; a later rule has the last word."""
    question = ranked.question
    best = without_clauses(ranked.candidates, language)
    best = moved_to_front(best, first_that_fits(best, question, language))
    best = moved_to_front(best, first_with_verb(best, question, index, language))
    best = moved_to_front(best, first_with_names(best, question, index, language))
    best = moved_to_front(best, first_of_unit(best, question, language))
    best = cell_first(best, question, language)
    best = moved_to_front(best, year_behind_name(best, question, language))
    best = moved_to_front(best, year_of_life(best, question, language))
    if question.wanted != 1:
        best = joined_first(best, question, retrieved.passages, language)
    return ranked._replace(candidates=best)


def without_clauses(
    ranked: Sequence[TermCandidate], language: TermLanguage
) -> Sequence[TermCandidate]:
    """English candidates without those with a participle behind a noun, which is the verb of a
    clause (the fleet reached Oslo); all if nothing else is left, and in other languages."""
    if not language.spaced:
        return ranked
    return [candidate for candidate in ranked if not _is_clause(candidate, language)] or ranked


def _is_clause(candidate: TermCandidate, language: TermLanguage) -> bool:
    """Whether a word of a candidate of several is a participle right behind a noun."""
    span = candidate.span
    if " " not in candidate.text or span.shape != "noun":
        return False
    return any(
        before.tag.startswith("NN") and word.tag == "VBN" and span.start <= word.start < span.end
        for before, word in pairwise(tag_words(language.tools.clean(candidate.best.text)))
    )


def first_that_fits(
    ranked: Sequence[TermCandidate], question: TermQuestion, language: TermLanguage
) -> TermCandidate | None:
    """The best of the first five candidates that fits (`fits`); None if none does."""
    best = ranked[:_COMPARED]
    return next((candidate for candidate in best if fits(candidate, question, language)), None)


def first_with_verb(
    ranked: Sequence[TermCandidate], question: TermQuestion, index: Index, language: TermLanguage
) -> TermCandidate | None:
    """Where the passage of the first candidate lacks the verb of an English question and only this
    (`missing_verb`), the best of the first `_STATED` (12) that fits, and whose sentence has the
    verb and all other words of the question; else None. A word in the title counts, and one in the
    sentences of the paragraph before one that begins with a pronoun."""
    text = question.text
    verb = missing_verb(text, ranked[0].best, language)
    if not verb or question.has_gap:
        return None
    words = [word for word in ENGLISH_WORD.findall(text) if word.lower() not in ASKS_NOTHING]
    terms = {term for word in words for term in language.terms(word)}
    for candidate in ranked[1:_STATED]:
        passage = candidate.best
        says = all_forms(passage.text, language)
        if not stem_share(language.terms(verb)[0], says) or not fits(candidate, question, language):
            continue
        before = ""
        if _REFERS.match(passage.text):
            (documents,) = index.part(PARAGRAPHS.name).lookup("doc_id", [passage.paragraph])
            before = "".join(document.text for document in documents).partition(passage.text)[0]
        present = says | all_forms(f"{passage.heading} {before}", language)
        if all(stem_share(term, present) for term in terms):
            return candidate
    return None


def first_with_names(
    ranked: Sequence[TermCandidate], question: TermQuestion, index: Index, language: TermLanguage
) -> TermCandidate | None:
    """Where a number or time is asked for in English, and the paragraph of the first candidate
    lacks a name of the question (`missing_names`), the best of the first `_STATED` (12) of its
    shape that fits, lacks none, and whose passages cover at least as much of the question; else
    None."""
    first, text = ranked[0], question.text
    if question.group not in ("number", "time") or not missing_names(
        text, first.best, index, language
    ):
        return None
    for candidate in ranked[1:_STATED]:
        is_like = candidate.span.shape == first.span.shape and fits(candidate, question, language)
        covers = candidate.features.get("coverage", 0.0) >= first.features.get("coverage", 0.0)
        if is_like and covers and not missing_names(text, candidate.best, index, language):
            return candidate
    return None


_REFERS = re.compile(r"(?:He|She|It|They|His|Her|Its|Their)\b")


_COMPANY = re.compile(r"\bwith whom\b|\bwho(?:m|se)?\b.*\bwith\W*$", re.IGNORECASE)


def company_first(ranked: Sequence[TermCandidate], text: str) -> list[TermCandidate]:
    """Candidates, best first; if a question `text` asks for company (with whom), the best one of
    the same passage that joins the first with more by "and" is moved to the front. Raises
    IndexError for none."""
    first = ranked[0]
    joined = re.compile(rf"(?:.+ and )?{re.escape(first.text)}(?: and .+)?")
    beside = (other for other in ranked[1:] if other.best.doc_id == first.best.doc_id)
    wholes = (other for other in beside if " and " in other.text and joined.fullmatch(other.text))
    return moved_to_front(ranked, next(wholes, None) if _COMPANY.search(text) else None)


def joined_first(
    ranked: Sequence[TermCandidate],
    question: TermQuestion,
    passages: Sequence[Passage],
    language: TermLanguage,
) -> list[TermCandidate]:
    """Candidates, best first; where an English question asks for several, the members of the first
    series of just so many candidates (after "List the …" of three or more, in a passage with as
    many words of the question as the first one's), in one of the best `_STATED` (12) passages that
    has the noun asked for, are moved to the front, in its order, with that passage and the first
    one's probability; a first member that says what the others are (two planets, Mercury and Venus)
    is none, nor are two joined by ", and". Unchanged without a series. Raises IndexError for no
    candidates."""
    focus = set(language.terms(question.focus))
    if not language.spaced or not focus:
        return list(ranked)
    if not question.wanted and not LIST.match(question.text):
        return list(ranked)
    question_terms = set(language.terms(question.text))
    least = len(question_terms & set(language.terms(ranked[0].best.text)))
    # not case-folded: ß would become two letters, and shift what is behind it
    candidates = {candidate.text.lower(): candidate for candidate in reversed(ranked)}
    for key, candidate in list(candidates.items()):  # also in the other number
        candidates.setdefault(key[:-1] if key.endswith("s") else f"{key}s", candidate)
    member = "|".join(map(re.escape, sorted(candidates, key=lambda key: (-len(key), key))))
    series = re.compile(rf"\b(?:{member})(?:{_JOINT}(?:{member})\b)+")
    for passage in passages[:_STATED]:
        sentence = language.tools.clean(passage.text)
        if not focus <= all_forms(sentence, language):
            continue
        if not question.wanted and len(question_terms & set(language.terms(sentence))) < least:
            continue
        for match in series.finditer(sentence.lower()):
            members = list(re.finditer(rf"\b(?:{member})\b", match[0]))
            if members[0][0].endswith("s") and language.terms(members[0][0])[-1:] == list(focus):
                del members[0]
            n = len(members)
            # "in Lyon, and Ann Holm …" joins two clauses
            if n != (question.wanted or max(n, _SERIES)) or (n == 2 and ", and " in match[0]):
                continue
            chosen = []
            for part in members:
                candidate = candidates[part[0]]
                start, end = match.start() + part.start(), match.start() + part.end()
                text, score = sentence[start:end], ranked[0].probability
                span = candidate.span._replace(text=text, start=start, end=end)
                chosen.append(
                    replace(candidate, text=text, span=span, best=passage, probability=score)
                )
            members_of = {candidates[part[0]].text for part in members}
            return [*chosen, *(other for other in ranked if other.text not in members_of)]
    return list(ranked)


def series_length(ranked: Sequence[TermCandidate]) -> int:
    """How many of the candidates, best first, `joined_first` has put in front: the first and those
    behind it of the same passage and probability."""
    first = ranked[0]
    is_beside = (
        candidate.best.doc_id == first.best.doc_id and candidate.probability == first.probability
        for candidate in ranked
    )
    return sum(1 for _ in takewhile(bool, is_beside))


def series_first(ranked: Sequence[TermCandidate]) -> list[TermCandidate]:
    """Candidates, best first, with those in front that its sentence has in a series with the first
    (joined by commas, "and", "or" and the like), in the order of the sentence. Raises IndexError
    for none."""
    candidates = {candidate.text.casefold(): candidate for candidate in reversed(ranked)}
    keys = _series_of_first(ranked)
    return [
        *(candidates[key] for key in keys),
        *(candidate for candidate in ranked if candidate.text.casefold() not in keys),
    ]


def lacks_member(
    ranked: Sequence[TermCandidate], question: TermQuestion, language: TermLanguage
) -> str:
    """The doubt about the first of ranked candidates, one at least, if a Japanese question asks for
    more than its sentence has in a series with it; "" for one answer, any number, and in languages
    with blanks."""
    if language.spaced or question.wanted < 2 or len(_series_of_first(ranked)) >= question.wanted:
        return ""
    return f"this asks for {question.wanted}, and no passage names them together"


def _series_of_first(ranked: Sequence[TermCandidate]) -> list[str]:
    """The texts, in small letters, that the sentence of the first candidate has in a series with
    it; the first alone without one, maybe none where it is not in its sentence as written."""
    members = sorted(
        {candidate.text.casefold() for candidate in ranked}, key=lambda key: (-len(key), key)
    )
    # no part of a word, where blanks part words
    member = rf"(?<![a-z])(?:{'|'.join(map(re.escape, members))})(?![a-z])"
    first = rf"(?<![a-z]){re.escape(ranked[0].text.casefold())}(?![a-z])"
    series = rf"(?:{member}{_JOINT})*{first}(?:{_JOINT}{member})*"
    match = re.search(series, ranked[0].best.text.casefold())
    return list(dict.fromkeys(re.findall(member, match.group()))) if match else []
