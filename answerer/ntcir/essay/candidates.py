"""Essay questions and their candidate sentences, with the sentences that these depend on and
similar paragraphs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import islice
from typing import NamedTuple

from answerer.formats.answer_sheet import Section
from answerer.formats.keywords import mentions
from answerer.ntcir.essay.language import EssayLanguage, essay_language
from answerer.trace import TraceEvidence
from indexer.analysis.analyser import Analyser
from indexer.engines.contract import Document, Index, ScoredDocument
from indexer.engines.scoring import round_score
from indexer.files.errors import UserError
from indexer.languages.language import Language
from indexer.sources.textbook import schema
from retriever.bm25 import documents_with
from retriever.passages import rank_paragraphs, search_among
from retriever.queries import language_of, weighted_query

# How much is searched and kept: more brought nothing (docs/figures/ntcir-essay.md).
PARAGRAPHS = 20
SENTENCES = 80
# A choice: sentences kept for each keyword, so that the program can always choose one that uses
# it.
PER_KEYWORD = 3
_SEARCHED = 60  # paragraphs that are ranked, and sentences with a keyword
_INSIDE = 2_000  # sentences of the best paragraphs, or of a title
_OF_A_TITLE = 200  # paragraphs of a section
SECTION_SHARE = 0.5
TITLE_SHARE = 0.5
LONGEST = 3  # sentences in a row, the last of which depends on those before
CONTEXT_SHARE = 0.3  # of the weight of the asked terms, for all terms of the context together
MOST_FOR_CONTEXT = 0.2  # weight of one term of the context; an asked term weighs 1
_LIMIT = re.compile(
    r"[0-9０-９]+\s*字(?:以内|程度|以下)?(?:で)?|[0-9]+\s+(?:English )?words(?: or less)?",
    re.IGNORECASE,
)


class EssayQuestion(NamedTuple):
    """An essay question for retrieval. `terms` maps a term to its weight (1 for what is asked, less
    for context); `keywords` pairs each prescribed keyword with its terms; `focused_instruction` is
    the asked part of the instruction, verbatim."""

    terms: Mapping[str, float]
    keywords: tuple[tuple[str, tuple[str, ...]], ...]
    focused_instruction: str = ""

    @property
    def printed_keywords(self) -> tuple[str, ...]:
        """The keywords as the sheet prints them."""
        return tuple(keyword for keyword, _ in self.keywords)


def read_question(section: Section, analyser: Analyser, language: Language) -> EssayQuestion:
    """The weighted terms and the keywords (each once) of an essay section; a term has the highest
    of its weights.

    Weight 1: asked part, keywords, viewpoints, and references to which the question directly
    refers. Weight ½: other parts of the instruction. Grand questions and other references, often
    long, together weigh 0.3 of all these, each term at most 0.2. Words about the essay itself
    (explain, 以内), unless they are a keyword's, and limits of length are left out.
    """
    task_words = essay_language(language).task_words.split()
    about_essay = {term for word in task_words for term in [word, *analyser.terms(word)]}
    terms: dict[str, float] = {}

    def add(texts: Iterable[str], weight: float) -> None:
        for term in (term for text in texts for term in analyser.terms(_LIMIT.sub(" ", text))):
            if term not in about_essay:
                terms[term] = max(weight, terms.get(term, 0.0))

    add([section.focused_instruction], 1.0)
    keywords = tuple(
        (keyword, tuple(analyser.terms(keyword))) for keyword in dict.fromkeys(section.keywords)
    )
    for _, keyword_terms in keywords:
        terms.update(dict.fromkeys(keyword_terms, 1.0))
    add((part.text for part in section.instruction), 0.5)
    add(
        (
            *section.viewpoints,
            *(reference.text for reference in section.references if reference.direct),
        ),
        1.0,
    )
    context = [part.text for part in (*section.references, *section.grand_questions)]
    # The weight of the context is shared by its terms, or a long text would drown the question.
    around = {term for text in context for term in analyser.terms(text)} - terms.keys()
    add(context, min(CONTEXT_SHARE * sum(terms.values()) / max(len(around), 1), MOST_FOR_CONTEXT))
    return EssayQuestion(terms, keywords, section.focused_instruction)


class CandidateSentence(NamedTuple):
    """A sentence that may be chosen for an essay; `sentence_score` and `paragraph_score` are in [0,
    1], relative to the best of the question.

    `position` is the index in the paragraph, from 0. `source_id` is cited by submissions: the
    corpus's own id, or the program's of the paragraph. `before` are the sentences that must precede
    it (see `preceding_sentences`). `citation` is the title with the page.
    """

    doc_id: str
    source_id: str
    paragraph: str
    title: str
    text: str
    terms: tuple[str, ...]
    position: int
    sentence_score: float
    paragraph_score: float
    before: tuple[str, ...] | None = ()
    citation: str = ""

    @property
    def features(self) -> dict[str, float]:
        """Its scores, as traces have them."""
        return {"sentence score": self.sentence_score, "paragraph score": self.paragraph_score}

    def evidence(self, text: str, terms: Mapping[str, float]) -> TraceEvidence:
        """Its paragraph in a trace: the text used of it, its score and citation, and what each term
        adds to the score."""
        return TraceEvidence(
            doc_id=self.paragraph,
            title=self.citation,
            text=text,
            score=self.paragraph_score,
            terms=terms,
        )


@dataclass(frozen=True, slots=True)
class CandidatePool:
    """The candidate sentences of one essay with the statistics that weight their terms.

    `section` are the terms of each paragraph, of the first 200, under the title that the question
    names, else under the title with the best scores. `document_frequency` maps a term to its number
    of paragraphs, of `size` in the collection.
    """

    question: EssayQuestion
    language: Language
    candidates: tuple[CandidateSentence, ...]
    section: tuple[tuple[str, ...], ...]
    document_frequency: Mapping[str, int]
    size: int


def named_title(text: str, titles: Iterable[str], analyser: Analyser) -> str:
    """The title with the most terms that occurs verbatim, as whole words, in `text`; "" if none
    occurs. Ties: the longest title, then the first in order of code points."""
    text_terms = f" {' '.join(analyser.terms(text))} "
    ranked = []
    for title in {title for title in titles if title and title in text}:
        terms = analyser.terms(title)
        # Whole words only: 唐 is not a title of a text on 唐辛子.
        if terms and f" {' '.join(terms)} " in text_terms:
            ranked.append((-len(terms), -len(title), title))
    return min(ranked)[-1] if ranked else ""


def preceding_sentences(
    doc_id: str, text: str, texts: Mapping[str, str], rules: EssayLanguage
) -> tuple[str, ...] | None:
    """The sentences that must precede a sentence because it depends on them (pronouns,
    connectives), in reading order.

    `text` is the sentence itself, `texts` maps doc_ids to sentences. Returns () for an independent
    sentence; None if the needed sentences are not available: the sentence opens its paragraph, more
    than 2 are needed, or a needed sentence is unfit for an essay or missing from `texts`.
    """
    before = [text]
    # The sentence before may itself depend on the one before it.
    for doc_id_before in reversed(schema.sentences_before(doc_id, LONGEST - 1)):
        if rules.depends_on_previous(before[0]):
            before.insert(0, texts.get(doc_id_before, ""))
    complete = (
        all(map(rules.is_fit, before[:-1]))
        and all(before[:-1])
        and not rules.depends_on_previous(before[0])
    )
    return tuple(before[:-1]) if complete else None


def find_candidates(
    index: Index, questions: Sequence[EssayQuestion], analyser: Analyser
) -> list[CandidatePool]:
    """The pool of each question, in order: candidate sentences (none if nothing matches) with term
    statistics and the paragraphs (at most 200) under the question's title; all questions share a
    few requests to the index. Raises UserError for an index built without sentences."""
    if not schema.holds_sentences(index.metadata):
        raise UserError(
            f"{index.address} holds whole paragraphs: build an index with `--unit sentence` for "
            f"essays"
        )
    language = language_of(index)
    rules = essay_language(language)
    sentences, paragraphs = index.part(schema.SENTENCES.name), index.part(schema.PARAGRAPHS.name)

    terms_of = cache(lambda text: tuple(analyser.terms(text)))
    shortlists = _shortlists(index, questions, analyser, terms_of)
    titles = sorted({title for _, title in shortlists if title})
    titled = dict(zip(titles, paragraphs.lookup(schema.TITLE, titles), strict=True))
    sections = [
        tuple(terms_of(document.text) for document in titled.get(title, [])[:_OF_A_TITLE])
        for _, title in shortlists
    ]
    # One look-up for the sentences that candidates of all questions may depend on.
    of_all = [candidate for shortlisted, _ in shortlists for candidate in shortlisted]
    depending = [
        candidate.doc_id for candidate in of_all if rules.depends_on_previous(candidate.text)
    ]
    preceding_ids = sorted(
        {before for doc_id in depending for before in schema.sentences_before(doc_id, LONGEST - 1)}
    )
    texts = {
        document.doc_id: document.text
        for row in sentences.lookup("doc_id", preceding_ids)
        for document in row
    }
    frequency = documents_with(
        paragraphs, sorted({term for candidate in of_all for term in candidate.terms})
    )
    pools = []
    for question, (shortlisted, _), section in zip(questions, shortlists, sections, strict=True):
        complete = tuple(
            candidate._replace(
                before=preceding_sentences(candidate.doc_id, candidate.text, texts, rules)
            )
            for candidate in shortlisted
        )
        pools.append(
            CandidatePool(question, language, complete, section, frequency, len(paragraphs))
        )
    return pools


def _shortlists(
    index: Index,
    questions: Sequence[EssayQuestion],
    analyser: Analyser,
    terms_of: Callable[[str], tuple[str, ...]],
) -> list[tuple[tuple[CandidateSentence, ...], str]]:
    """The shortlist of each question, of the sentences of its 20 best paragraphs, those with a
    keyword, and all under a title that the question names; and that title, else the one with the
    highest scores ("" for none). Only titles of the 60 paragraphs first found count."""
    sentences, paragraphs = index.part(schema.SENTENCES.name), index.part(schema.PARAGRAPHS.name)
    queries = [weighted_query(question.terms) for question in questions]
    hits = paragraphs.search(queries, _SEARCHED)
    ranked = [
        rank_paragraphs(
            question_hits,
            PARAGRAPHS,
            SECTION_SHARE,
            TITLE_SHARE,
            partial(_share_named, question, analyser),
        )
        for question, question_hits in zip(questions, hits, strict=True)
    ]
    inside = search_among(sentences, queries, schema.PARAGRAPH, list(map(tuple, ranked)), _INSIDE)
    # A keyword weighs three times in its own search, so that its sentences come first.
    by_keyword = [
        weighted_query({**question.terms, **dict.fromkeys(terms, 3.0)})
        for question in questions
        for _, terms in question.keywords
    ]
    of_keywords = iter(sentences.search(by_keyword, _SEARCHED))
    sentences_of = [
        _scored_sentences(
            of_paragraphs, question.keywords, islice(of_keywords, len(question.keywords))
        )
        for question, of_paragraphs in zip(questions, inside, strict=True)
    ]
    titles_of = [
        {hit.doc_id: schema.title_of(hit.document) for hit in question_hits}
        for question_hits in hits
    ]
    named_titles = [
        named_title(question.focused_instruction, set(titles.values()), analyser)
        for question, titles in zip(questions, titles_of, strict=True)
    ]
    names = sorted(set(named_titles) - {""})
    titled = dict(zip(names, sentences.lookup(schema.TITLE, names), strict=True))
    for scored, title in zip(sentences_of, named_titles, strict=True):
        for document in titled.get(title, [])[:_INSIDE]:
            scored.setdefault(document.doc_id, (0.0, document))
    # Sentences that came by a keyword or a title get the score that the question itself gives them.
    missing = [
        tuple(doc_id for doc_id, (score, _) in scored.items() if not score)
        for scored in sentences_of
    ]
    rescored = search_among(sentences, queries, "doc_id", missing, _INSIDE)
    is_fit = essay_language(language_of(index)).is_fit
    for scored, again in zip(sentences_of, rescored, strict=True):
        scored.update((hit.doc_id, (round_score(hit.score), hit.document)) for hit in again)
    listed = []
    for number, question in enumerate(questions):
        title, scores = named_titles[number], ranked[number]
        candidates = _candidate_sentences(sentences_of[number], scores, is_fit, terms_of)
        pool = shortlist(candidates, question, title)
        listed.append((pool, title or _best_title(scores, titles_of[number])))
    return listed


def _share_named(question: EssayQuestion, analyser: Analyser, title: str) -> float:
    """The fraction of a title's terms that have weight 1 in the question; 0 for a title without
    terms."""
    terms = analyser.terms(title)
    weighted = sum(question.terms.get(term, 0.0) >= 1.0 for term in terms)
    return weighted / len(terms) if terms else 0.0


def _scored_sentences(
    hits: Iterable[ScoredDocument],
    keywords: Sequence[tuple[str, tuple[str, ...]]],
    of_keywords: Iterable[Sequence[ScoredDocument]],
) -> dict[str, tuple[float, Document]]:
    """doc_id → score and sentence, of the hits in a question's paragraphs and, with score 0 where
    they are none of these, of each keyword's 6 best hits that mention it; `of_keywords` are the
    hits of each keyword, parallel to `keywords`."""
    scored = {hit.doc_id: (round_score(hit.score), hit.document) for hit in hits}
    for (keyword, _), keyword_hits in zip(keywords, of_keywords, strict=True):
        having = [hit for hit in keyword_hits if mentions(keyword, hit.document.text)]
        for hit in having[: 2 * PER_KEYWORD]:
            scored.setdefault(hit.doc_id, (0.0, hit.document))
    return scored


def _best_title(scores: Mapping[str, float], titles: Mapping[str, str]) -> str:
    """The title under which the ten best paragraphs score most, of equal ones the first in order of
    code points; "" without any. `scores` are of paragraphs by doc_id, best first."""
    # Ten: one long section must not win by its length.
    sums: dict[str, float] = {}
    for doc_id, score in list(scores.items())[:10]:
        sums[titles[doc_id]] = sums.get(titles[doc_id], 0.0) + score
    return min(sums, key=lambda title: (-sums[title], title), default="")


def _candidate_sentences(
    scored: Mapping[str, tuple[float, Document]],
    paragraph_scores: Mapping[str, float],
    is_fit: Callable[[str], bool],
    terms_of: Callable[[str], tuple[str, ...]],
) -> list[CandidateSentence]:
    """The candidates of the sentences that are fit for an essay, by doc_id; sentence scores are
    fractions of the best of all, a paragraph without a score has 0."""
    # Scores are relative to the best: BM25 grows with the length of the question.
    best = max((score for score, _ in scored.values()), default=0.0) or 1.0
    candidates = []
    for doc_id, (score, document) in sorted(scored.items()):
        if not is_fit(document.text):
            continue
        position = schema.decode_place(document)
        candidate = CandidateSentence(
            doc_id=doc_id,
            source_id=position.source_id or position.paragraph or doc_id,
            paragraph=position.paragraph,
            title=position.title,
            text=document.text,
            terms=terms_of(document.text),
            position=schema.sentence_number(doc_id) - 1,
            sentence_score=score / best,
            paragraph_score=paragraph_scores.get(position.paragraph, 0.0),
            citation=position.citation,
        )
        candidates.append(candidate)
    return candidates


def shortlist(
    candidates: Sequence[CandidateSentence], question: EssayQuestion, title: str = ""
) -> tuple[CandidateSentence, ...]:
    """The 80 best candidates and the 3 best that use each keyword, in the order of `candidates`.

    Candidates rank by sentence score + paragraph score / 2, those under `title` ("" for none)
    before all others, ties by doc_id; sentences of fewer than three terms are left out.
    """

    def worse(candidate: CandidateSentence) -> tuple[bool, float, str]:
        return (
            bool(title) and candidate.title != title,
            -(candidate.sentence_score + candidate.paragraph_score / 2),
            candidate.doc_id,
        )

    ranked = sorted((candidate for candidate in candidates if len(candidate.terms) >= 3), key=worse)
    # Sentences of a keyword stay however they score: an essay has to use it.
    doc_ids = {candidate.doc_id for candidate in ranked[:SENTENCES]}
    for keyword in question.printed_keywords:
        doc_ids.update(
            [candidate.doc_id for candidate in ranked if mentions(keyword, candidate.text)][
                :PER_KEYWORD
            ]
        )
    return tuple(candidate for candidate in candidates if candidate.doc_id in doc_ids)
