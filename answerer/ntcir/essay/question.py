"""Questions of essay sections: weighted terms from the instruction, the keywords and the context."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from answerer.formats.answer_sheet import Section
from answerer.ntcir.essay.language import essay_language
from indexer.analysis import Analyser
from indexer.languages.language import Language

CONTEXT_SHARE = 0.3  # of the weight of the asked terms, for all terms of the context together
MOST_FOR_CONTEXT = 0.2  # weight of one term of the context; an asked term weighs 1
_LIMIT = re.compile(
    r"[0-9０-９]+\s*字(?:以内|程度|以下)?(?:で)?|[0-9]+\s+(?:English )?words(?: or less)?", re.IGNORECASE
)


class EssayQuestion(NamedTuple):
    """An essay question for retrieval.

    `terms` maps a term to its weight (1 for what is asked, less for context); `keywords` pairs each prescribed keyword
    with its terms; `asked` is the asked part of the instruction, verbatim.
    """

    terms: Mapping[str, float]
    keywords: tuple[tuple[str, tuple[str, ...]], ...]
    asked: str = ""

    @property
    def keyword_terms(self) -> frozenset[str]:
        """All terms of all keywords."""
        return frozenset(term for _, terms in self.keywords for term in terms)

    @property
    def printed_keywords(self) -> tuple[str, ...]:
        """The keywords as the sheet prints them."""
        return tuple(keyword for keyword, _ in self.keywords)


def read_question(section: Section, analyser: Analyser, language: Language) -> EssayQuestion:
    """The weighted terms and the keywords of an essay section.

    Weight 1: asked part, keywords, viewpoints, and references to which the question directly refers. Weight ½: other
    parts of the instruction. Grand questions and other references, often long, together weigh `CONTEXT_SHARE` of all
    these, each term at most `MOST_FOR_CONTEXT`. Words about the essay itself (explain, 以内) are left out; a repeated
    keyword counts once.
    """
    about_essay = frozenset(
        term for word in essay_language(language).task_words.split() for term in [word, *analyser.terms(word)]
    )
    terms: dict[str, float] = {}

    def add(text: str, weight: float) -> None:
        for term in analyser.terms(_LIMIT.sub(" ", text)):
            if term not in about_essay:
                terms[term] = max(weight, terms.get(term, 0.0))

    add(section.focused_instruction, 1.0)
    keywords = tuple((keyword, tuple(analyser.terms(keyword))) for keyword in dict.fromkeys(section.keywords))
    for _, keyword_terms in keywords:
        terms.update(dict.fromkeys(keyword_terms, 1.0))
    for part in section.instruction:
        add(part.text, 0.5)
    for text in section.viewpoints:
        add(text, 1.0)
    for reference in section.references:
        if reference.direct:
            add(reference.text, 1.0)
    context = [one.text for one in (*section.references, *section.grand_questions)]
    # The weight of the context is shared by its terms, or a long text would drown the question.
    around = {term for text in context for term in analyser.terms(text)} - terms.keys()
    weight = CONTEXT_SHARE * sum(terms.values()) / max(len(around), 1)
    for text in context:
        add(text, min(weight, MOST_FOR_CONTEXT))
    return EssayQuestion(terms, keywords, section.focused_instruction)
