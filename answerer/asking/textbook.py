"""A question asked of a textbook: a term with the sentences that bear it, or which of given choices holds."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import zip_longest

from answerer.asking.reply import Answer, Reply, Source
from answerer.asking.telling import Matter, Told, matter_of, tell
from answerer.formats.question_file.parts import LabelledChoice, PlainQuestion
from answerer.formats.question_file.read import exam_question
from answerer.ntcir.multiple_choice.methods import DEFAULT, METHODS, Verdict, answer_all, method
from answerer.ntcir.multiple_choice.task import trace_row
from answerer.ntcir.term.candidates import TermCandidate
from answerer.ntcir.term.language import TermLanguage, index_language
from answerer.ntcir.term.questions import TermQuestion, analyse, query_terms
from answerer.ntcir.term.ranking import ASKED, rank_candidates, trace_question
from answerer.ntcir.term.spans import NAMED
from answerer.page.drawn import SURE
from indexer.engines.contract import Index
from indexer.files.validation import named_given
from indexer.languages.registry import detect_language
from indexer.sources.textbook.schema import PARAGRAPHS
from retriever.bm25 import documents_with, idf
from retriever.passages import Passage

SUPPORT = 0.6
"""Share of the question's idf that an answer's passage must hold: below it the book hardly speaks of the matter."""

NAMED_BY = 0.5
"""Share of the words of the question's rarest name: a number or date whose sentence holds no more is not told of it."""

AHEAD = 0.4
"""Score by which the best term must lie before the next, lest that be named beside it."""

COIN_TOSS = 0.1
"""Scores of the two best choices that are nearer than this share of all choices' spread are a coin toss; of two choices
than this share of the higher score."""

_PARTICLES = re.compile("[ぁ-ん]+")  # Japanese terms that tell nothing of the matter


def ask_textbook(text: str, index: Index, k: int, evidence: bool) -> Reply:
    """The k best terms for a question, each with the sentence that bears it best; doubt where that knows too little.

    Where it asks what something is or did, why or how, the k sentences that tell best, without a row of a trace.
    """
    language = index_language(index)
    matter = matter_of(text)
    told = tell(matter, index, language) if matter else []
    if matter and told:
        answers = tuple(Answer(one.passage.text, one.score, "", (_source(one.passage),)) for one in told[:k])
        return Reply(index.address, "textbook", answers, _untold(matter, told, index, language))
    question = analyse("ask", language.language, ((text, 1.0),))
    ranked = rank_candidates([question], index, language)[0]
    answers = tuple(Answer(one.text, one.score, "", (_source(one.best),)) for one in ranked[:k])
    reply = Reply(index.address, "textbook", answers, _doubt(question, ranked, index, language))
    if not evidence or not ranked:
        return reply
    row = trace_question("ask", "term", question, [ranked[0].text], ranked, index, language)
    return replace(reply, task="ntcir-term", row=row, weights=ASKED)


def _source(passage: Passage) -> Source:
    return Source(passage.doc_id, passage.citation, passage.text)


def _doubt(question: TermQuestion, ranked: Sequence[TermCandidate], index: Index, language: TermLanguage) -> str:
    """Why the best answer is not to be trusted: nothing was found, what the passage lacks of the question, a rival."""
    if not ranked:
        return _unfound(question, index, language)
    lacking = _lacking(question, ranked[0].best, index, language) or _unnamed(question, ranked[0], index, language)
    close = len(ranked) > 1 and ranked[0].score - ranked[1].score < AHEAD
    return lacking or (f"{ranked[1].text} is nearly as likely" if close else "")


def _unfound(question: TermQuestion, index: Index, language: TermLanguage) -> str:
    """Why there is no answer: no passage has a word of the question, or those that have hold nothing of its kind."""
    terms = query_terms(question, language.analyser)
    if not any(documents_with(index.part(PARAGRAPHS.name), sorted(terms)).values()):
        return "no passage holds a word of the question" + _foreign(question.asked, language)
    wanted = {"time": "date", "number": "number"}.get("".join(question.classes), "name")
    return f"the passages found hold no {wanted} to answer with"


def _untold(matter: Matter, told: Sequence[Told], index: Index, language: TermLanguage) -> str:
    """Why the sentences may not tell what is asked: the passage of the best lacks its words, none has the name as it
    stands, or it is a reason or a manner, which is not read out of them."""
    question = analyse("ask", language.language, ((matter.text, 1.0),))
    lacking = _lacking(question, told[0].passage, index, language)
    if lacking or matter.asked == "events":
        return lacking
    if matter.asked == "what":
        whole = any(matter.text.casefold() in one.passage.text.casefold() for one in told)
        return "" if whole else f"no sentence found says “{matter.text}” as it stands"
    asked = "a reason is asked for" if matter.asked == "why" else "it is asked how"
    return f"{asked}: these sentences speak of the matter, and may not tell it"


def _lacking(question: TermQuestion, passage: Passage, index: Index, language: TermLanguage) -> str:
    """The rarest words of the question that its passage lacks, where these weigh too much; else ""."""
    terms = sorted(term for term in query_terms(question, language.analyser) if not _PARTICLES.fullmatch(term))
    rarity = _rarity(terms, index)
    documents_of = index.part(PARAGRAPHS.name).lookup("doc_id", [passage.paragraph])[0]
    held = set(language.terms(" ".join(document.text for document in documents_of)))
    if sum(rarity[term] for term in terms if term in held) >= SUPPORT * sum(rarity.values()):
        return ""
    missing = [term for term in sorted(terms, key=lambda term: (-rarity[term], term)) if term not in held]
    words = {word for name in missing if "_" in name for word in language.terms(name.replace("_", " ")) if word != name}
    missing = [term for term in missing if term not in words]  # a name is said once, not its words again
    return f"its passage says nothing of {', '.join(_words(missing[:3], question.asked, language))}"


def _unnamed(question: TermQuestion, best: TermCandidate, index: Index, language: TermLanguage) -> str:
    """That the sentence of a number or date does not name what is asked about; "" where it does, or nothing is named.

    A number stands for what its sentence speaks of, not for whatever its paragraph does.
    """
    recogniser = language.language.recogniser(language.glossary)
    names = [name for name in recogniser.mentions(question.asked) if name.span is None]
    if best.span.shape in NAMED or not names:
        return ""
    terms = {name: sorted(set(language.terms(name.surface))) for name in names}
    rarity = _rarity(sorted({term for own in terms.values() for term in own}), index)
    rarest = max(names, key=lambda name: sum(rarity[term] for term in terms[name]))
    text = f"{best.best.title} {best.best.text}"
    sure = (name.key for name in recogniser.mentions(text) if name.sure)
    keys = {key for name in sure for key in (name, *recogniser.parts(name))}
    held = set(language.terms(text)).intersection(terms[rarest])
    if not keys.isdisjoint((rarest.key, *recogniser.parts(rarest.key))) or len(held) > NAMED_BY * len(terms[rarest]):
        return ""
    return f"the sentence of {best.text} does not name {rarest.surface}"


def _rarity(terms: Sequence[str], index: Index) -> dict[str, float]:
    """The idf of each term among the paragraphs."""
    paragraphs = index.part(PARAGRAPHS.name)
    counts = documents_with(paragraphs, terms)
    return {term: float(idf(len(paragraphs), counts[term])) for term in terms}


def _foreign(text: str, language: TermLanguage) -> str:
    asked = detect_language(text)
    return f": it is in '{asked}', the textbook in '{language.language}'" if asked != language.language else ""


def _words(terms: Sequence[str], text: str, language: TermLanguage) -> list[str]:
    """The words of a text that the terms come from; a term itself where words are not parted, or it is several."""
    written = {term: word.strip(",.?!;:\"'") for word in text.split() for term in language.terms(word)}
    return [written.get(term, term.replace("_", " ")) if " " in text.strip() else term for term in terms]


def judge_choices(
    text: str, choices: Sequence[str], index: Index, k: int, evidence: bool, chosen_method: str | None = None
) -> Reply:
    """The choices, best first, each with its verdict and the passages that decided; by an exam method.

    Doubt where the chosen one's probability is below `SURE`; of a method without probabilities, where the best two are
    level. Scores fall: of a question that asks for the false choice they are negated.
    """
    judge = method(DEFAULT if chosen_method is None else named_given(chosen_method, METHODS, "method"))
    asked = PlainQuestion("ask", text, tuple(LabelledChoice("", choice) for choice in choices), (), 1)
    question = exam_question("ask", asked, "the question")
    answered = answer_all(judge, [question], index, k, evidence=True)[0]
    sign = -1.0 if question.asks == "F" else 1.0
    order = sorted(zip(question.choices, choices, answered.verdicts, strict=True), key=lambda one: -sign * one[2].score)
    order.sort(key=lambda one: one[0].number != answered.system)
    answers = tuple(
        Answer(choice, sign * verdict.score, verdict.says, _nearest(verdict)) for _, choice, verdict in order
    )
    reply = Reply(index.address, "textbook", answers, _choices_doubt(answers, order[0][2].probability))
    if not evidence:
        return reply
    return replace(reply, task="ntcir-mc", row=trace_row("ask", answered))


def _choices_doubt(answers: Sequence[Answer], probability: float | None) -> str:
    """Why the best choice is not to be trusted: no passage decided about any, or it is not likely enough."""
    if not any(one.sources for one in answers):
        return "a guess: no passage of the book speaks of the choices"
    if probability is not None:
        return "" if probability >= SURE else f"it is right with a probability of {probability:.0%} only"
    scores = [one.score for one in answers]
    spread = max(scores) - min(scores) if len(scores) > 2 else max(map(abs, scores))
    close = abs(scores[0] - scores[1]) <= COIN_TOSS * spread
    return "a coin toss: the first two are nearly level" if close else ""


def _nearest(verdict: Verdict) -> tuple[Source, ...]:
    """The first two passages of each index that decided about a choice, in turn."""
    said = [one.verdict for one in verdict.sources] or [verdict]
    in_turn = [found for place in zip_longest(*(one.evidence[:2] for one in said)) for found in place if found]
    return tuple(Source(found.doc_id, found.title, found.text) for found in in_turn)
