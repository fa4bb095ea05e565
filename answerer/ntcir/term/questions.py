"""Analysis of term questions: text and context, the noun in focus (question focus), type and form of the answer."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from answerer.formats.answer_sheet import Section
from answerer.ntcir.term.entity_types import ASKED, OTHERS, PLACES
from answerer.ntcir.term.language import term_tools
from indexer.analysis.analyser import Analyser
from indexer.analysis.text import read_word_list
from indexer.entities.gazetteer import class_of
from indexer.languages.language import Language

# Weights of the texts that a section brings, in the query and in coverage.
ASKED_WEIGHT, LEAD_WEIGHT, SIDE_WEIGHT, GRAND_WEIGHT = 1.0, 1.0, 0.3, 0.15
EVERYTHING = frozenset((*PLACES, *OTHERS, "person"))


class TermQuestion(NamedTuple):
    """An analysed term question.

    `texts` are its texts with weights, the asked part first; `focus` is the noun that says what is asked for; `classes`
    are the entity classes of the answer, or {"time"} or {"number"}; `firm` is true if the sheet, an interrogative or
    the focus determines the classes.
    """

    question_id: str
    texts: tuple[tuple[str, float], ...]
    focus: str
    classes: frozenset[str]
    firm: bool

    @property
    def question_text(self) -> str:
        return self.texts[0][0]

    @property
    def has_gap(self) -> bool:
        """True if a gap of a sentence is to be filled, instead of a question answered."""
        return bool(gap_spans(self.question_text))


def section_question(section: Section, language: Language) -> TermQuestion:
    """Analyses a section of a sheet as a term question. Other instruction parts, references and grand questions are
    context with lower weights."""
    asked = section.focused_instruction
    focused = any(part.focus for part in section.instruction)
    texts: list[tuple[str, float]] = [(asked, ASKED_WEIGHT)]
    if focused:
        others = (part for part in section.instruction if not part.focus)
        texts += [(part.text, SIDE_WEIGHT if part.label else LEAD_WEIGHT) for part in others]
    texts += [(one.text, LEAD_WEIGHT if one.direct else SIDE_WEIGHT) for one in section.references]
    texts += [(one.text, GRAND_WEIGHT) for one in section.grand_questions]
    return analyse(section.section_id, language, tuple(texts), section.answer_type)


def analyse(
    question_id: str, language: Language, texts: tuple[tuple[str, float], ...], answer_type: str = ""
) -> TermQuestion:
    """Analyses a question given as texts with weights, the asked part first. An answer type of the sheet (`term_person`
    …), narrowed or widened by the focus, takes precedence over the type detected from the words; but `term_other` does
    not over one of time or number."""
    reader = term_tools(language)
    # Sentences that have a gap do not say what is asked for.
    asked = "".join(one for one in _SENTENCE.split(texts[0][0]) if not _BLANK.search(one))
    focus = reader.focus_of(asked)
    classes, firm = _classes(answer_type, reader.interrogative(asked), focus)
    return TermQuestion(question_id, texts, focus, classes, firm)


_ANY_PLACE = re.compile(r"(?:地|場所|所|ところ|位置|place|location|site|where)$")


def _classes(answer_type: str, asked: str, focus: str) -> tuple[frozenset[str], bool]:
    """The entity classes of the answer, and whether they are determined: (all classes, False) if not.

    By the sheet's `answer_type`, narrowed by the `focus`; else by the interrogative's type `asked`; else by the focus.
    If the focus is of another class than the sheet's type, both are allowed: the task page's own sample has an
    organization as `term_person`.
    """
    by_focus = class_of(focus)
    for name, classes in ASKED.items():
        if name not in answer_type:
            continue
        # A focus such as city says more than `term_location`.
        if by_focus in classes and not _ANY_PLACE.search(focus):
            return frozenset((by_focus,)), True
        return (classes | {by_focus}) if by_focus and name != "term_time" else classes, True
    if asked in ("time", "number"):
        return frozenset((asked,)), True
    if "term_other" in answer_type:
        return (frozenset((by_focus,)) if by_focus in OTHERS else OTHERS), True
    if asked == "person":
        return frozenset(("person",)), True
    if asked == "place" and (by_focus not in PLACES or _ANY_PLACE.search(focus)):
        return PLACES, True
    if by_focus:
        return PLACES if _ANY_PLACE.search(focus) else frozenset((by_focus,)), True
    return EVERYTHING, False


@cache
def _request_words() -> frozenset[str]:
    """Words that belong to the request (write, name, 答えよ, 名称), not to its subject."""
    return frozenset(" ".join(read_word_list(__package__, "request-words.txt")).split())


def terms_without_requests(terms: list[str]) -> list[str]:
    """The terms of a question text that are about its matter; all of them when nothing else is left."""
    # A question of requests alone still has to search for something.
    return [term for term in terms if term.casefold() not in _request_words()] or terms


_BLANK = re.compile(r"[_＿]{2,}|\(\s*\)|（\s*）|□+")
_SENTENCE = re.compile(r"(?<=[。．？！])|(?<=[.?!])(?=[\sA-Z])")


def gap_spans(text: str) -> list[tuple[int, int]]:
    """The spans (start, end) of the gaps of a text."""
    return [match.span() for match in _BLANK.finditer(text)]


def without_gaps(text: str) -> str:
    """The text with the signs of a gap to fill (____, □, empty brackets) as a blank."""
    return _BLANK.sub(" ", text)


def query_terms(question: TermQuestion, analyser: Analyser) -> dict[str, float]:
    """The terms of the question and its context, each with the greatest weight of a text that contains the term."""
    weights: dict[str, float] = {}
    for text, weight in question.texts:
        for term in terms_without_requests(analyser.terms(without_gaps(text))):
            weights[term] = max(weight, weights.get(term, 0.0))
    return weights
