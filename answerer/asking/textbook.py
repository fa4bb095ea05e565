"""Answers a question from a textbook: a term, yes or no, sentences on a matter, or the best of
given choices."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from answerer.asking.amounts import apart, whole_text
from answerer.asking.antecedents import in_past
from answerer.asking.candidates import (
    asks_long_form,
    expand_acronyms,
    long_form,
    read_candidates,
    states_nothing,
)
from answerer.asking.doubts import (
    ENGLISH_WORD,
    count_doubt,
    does_not_mention,
    doubt_of_verb,
    hardly_spoken_of,
    missing_mentions,
    missing_names,
    unfit,
    unknown_share,
    whole_names,
    words_of,
)
from answerer.asking.japanese_answers import fitting_answers
from answerer.asking.matters import (
    CHECK_WHY,
    JOINING,
    MAY_NOT_TELL,
    Matter,
    definition_sentences,
    is_glossed,
    matter_of,
)
from answerer.asking.ranker import (
    AskedList,
    calibrated_probability,
    contributions,
    doubt_signs,
    own_model,
    set_scores,
)
from answerer.asking.replies import Answer, Reply, Source
from answerer.asking.rules import (
    company_first,
    in_order_of_rules,
    lacks_member,
    series_first,
    series_length,
)
from answerer.asking.wording import declared, in_words_of_book, plain_question
from answerer.formats.question_file.parts import LabelledChoice, PlainQuestion
from answerer.formats.question_file.read import exam_question
from answerer.ntcir.claims.entailment import claim_model
from answerer.ntcir.claims.passages import with_previous
from answerer.ntcir.claims.reading import asks_truth, is_cleft, is_statement, read_claim
from answerer.ntcir.claims.verdict import ClaimVerdict, judge_statement, verify
from answerer.ntcir.multiple_choice.marks import NEGATED, NOT_IN_BOOK, with_marks
from answerer.ntcir.multiple_choice.methods import DEFAULT, METHODS, answer_all, method
from answerer.ntcir.multiple_choice.printed import trace_row
from answerer.ntcir.term.candidates import Retrieval, retrieve, trace_candidates
from answerer.ntcir.term.language import TermLanguage, index_language
from answerer.ntcir.term.questions import TermQuestion, read_question
from answerer.page.drawn import SURE
from answerer.trace import TraceQuestion
from indexer.engines.contract import Index
from indexer.engines.scoring import round_score
from indexer.files.messages import either
from indexer.files.validation import validate_choice
from indexer.languages.registry import detect_language
from indexer.sources.textbook.schema import PARAGRAPHS
from indexer.statistics.part import book_terms
from retriever.bm25 import documents_with
from retriever.passages import Passage
from retriever.queries import language_of, union_query

# The same share below which the book does not seem to say, and the probability of the first answer
# below which no passage supports one. Chosen by hand.
SPOKEN_OF = 0.4
LEAST = 0.04
# Least similarity (difflib's ratio) of an unknown name to one of the book, two letters of eight
# differ, and most letters by which their lengths do: Tecumseh is not Temeh.
SPELLING, LENGTH = 0.75, 2
_SHOUTED = 2  # blanks of a question in capitals: "WHO IS WHO?", not "DNA?"
STANDS_FOR = 0.9  # score of what letters stand for by a bracket behind it; set by hand
TRACED = 10  # candidates in the row of a trace

_NAME_WORD = re.compile(r"(?<=[a-z,’'] )[A-Z][\w’'-]{3,}|[ァ-ヺー]{4,}")
_NEXT_QUESTION = re.compile(r"(?<=\w[?？])\s*+(?=[^\W\d_a-z].*[?？])", re.DOTALL)
_AND_ASKS = re.compile(  # "When was it built, and who built it?"
    r"\A\W*(?:who|what|when|where|which|how|why)\b(?:\W+\w+){2,}?"
    r"(?P<next>,? and (?:who|when|where|why|what|which"
    r"|how (?:many|much|long|old|far|did|was|were))\b.*)",
    re.IGNORECASE | re.DOTALL,
)
_POLITE = re.compile(  # "Isn't it red?" asks whether it is
    r"\A\s*+(can|is|are|was|were|do|does|did|has|have|had|could|would|should)(?:(?<!can)n)?['’]t\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"[ァ-ヺー]+|[^\W_ァ-ヺー]+")


def ask_textbook(text: str, index: Index, k: int, evidence: bool) -> Reply:
    """The k best answers from a textbook, each with its sentence; the reply's doubt says why the
    first may be wrong, or why an answer is missing. If the book hardly speaks of the question, or
    the best answer is very improbable, it has the nearest passage in place of answers.

    A question for several terms gets up to as many as it asks for, or as its series has, if that is
    more than k. Without a trace row, a yes-no question gets "yes" or "no" with the sentence, one
    for a definition, events, a reason or manner the k best sentences, one for what letters stand
    for the words. A name that the textbook does not contain is replaced by the most similar one
    that it does, and the doubt says so. Of several questions the first is answered, which the doubt
    says; an English statement with a full stop, or a question mark alone (`declared`), is answered
    as one that is true or false; capitals alone are read as small letters, "Isn't" at the beginning
    as "Is", and an English text as the question that it means (`plain_question`).
    """
    language = index_language(index)
    if text.isupper() and text.count(" ") >= _SHOUTED:
        text = text.capitalize()
    text = _POLITE.sub(r"\1", text)
    if language.spaced:
        text = in_words_of_book(plain_question(text), index, language)
    statement = declared(text)
    states = is_statement(statement, language)
    if states:
        text = statement
    question_text, is_true_or_false = text, states or asks_truth(text)
    claim = read_claim(text, language) if is_true_or_false or is_cleft(text) else None
    if claim:
        text = claim.text
    elif further := _NEXT_QUESTION.search(text) or (
        _AND_ASKS.match(text) if language.spaced else None
    ):
        end = further.start(further.lastgroup or 0)
        reply = ask_textbook(text[:end], index, k, evidence)
        why = "only the first question is answered: ask one at a time"
        return replace(reply, doubt="; ".join(filter(None, (why, reply.doubt))))
    if changed := _respelt(text, index, language):
        for old, new in changed.items():
            question_text = question_text.replace(old, new)
        reply = ask_textbook(question_text, index, k, evidence)
        why = "; ".join(
            f"the book does not know {old}: read as {new}" for old, new in changed.items()
        )
        # A book that has the name itself is more likely to know.
        doubt, likelihood = "; ".join(filter(None, (why, reply.doubt))), reply.likelihood / 2
        return replace(reply, doubt=doubt, likelihood=likelihood)
    if language.spaced and (letters := asks_long_form(text)):
        (found,) = retrieve([read_question(letters, language.language)], index, language.analyser)
        if explained := long_form(letters, found.passages):
            answers = (Answer(explained[0], STANDS_FOR, "", (_source(explained[1]),)),)
            return Reply(index.address, "textbook", answers, likelihood=STANDS_FOR)
    matter = matter_of(text)
    if matter and (sentences := _sentences_on(matter, index, k, language)):
        return sentences
    # "A or B did it" as a claim is no choice between two
    question = claim or read_question(text, language.language)
    question = in_past(expand_acronyms(question, index, language))
    (retrieved,) = retrieve([question], index, language.analyser)
    retrieved = without_headings(retrieved)
    if question.polar and retrieved.passages:
        passages = with_previous(retrieved.passages, index, language)
        retrieved = retrieved._replace(passages=passages)
        judge = judge_statement if is_true_or_false else verify
        return _yes_or_no(question, judge(question, retrieved, language), index, language)
    return _terms(text, question, retrieved, index, language, k, evidence)


def _sentences_on(matter: Matter, index: Index, k: int, language: TermLanguage) -> Reply | None:
    """The reply with the k best sentences on a definition, events, a reason or manner, in a
    language with blanks without those that instruct the reader or ask; None without any."""
    question = read_question(matter.text, language.language)
    (retrieved,) = retrieve([question], index, language.analyser)
    retrieved = without_headings(retrieved)
    if language.spaced:
        stating = [passage for passage in retrieved.passages if not states_nothing(passage.text)]
        retrieved = retrieved._replace(passages=stating)
    sentences = definition_sentences(matter, retrieved, language)
    if not sentences:
        return None
    answers = tuple(
        Answer(sentence.text, None, "", (_source(sentence),))
        for sentence in with_previous(sentences[:k], index, language)
    )
    unknown, words = unknown_share(matter.text, retrieved, sentences[0], index, language)
    doubt = hardly_spoken_of(unknown, words)
    if matter.asked == "why":
        doubt = "; ".join(filter(None, (doubt, CHECK_WHY)))
    if not is_glossed(matter.text, sentences[0].text, language):
        doubt = doubt or MAY_NOT_TELL
    return Reply(index.address, "textbook", answers, doubt, likelihood=1 - unknown)


def _terms(
    text: str,
    question: TermQuestion,
    retrieved: Retrieval,
    index: Index,
    language: TermLanguage,
    k: int,
    evidence: bool,
) -> Reply:
    """The reply of `ask_textbook` to a question for terms, which `text` is as asked."""
    reply_with = partial(Reply, index.address, "textbook")
    model = own_model(language.language)
    learned = model.learned["doubt"]
    (read,) = read_candidates([question], [retrieved], index, language)
    (ranked,) = set_scores([read], model)
    if not language.spaced:
        ranked = ranked._replace(candidates=fitting_answers(text, ranked.candidates))
    if not ranked.candidates:
        reason = "the passages found hold no answer" if retrieved.idf else _no_word(text, language)
        return reply_with((), reason)
    ranked = in_order_of_rules(ranked, retrieved, index, language)
    features = contributions(ranked, model)[:TRACED] if evidence else []
    first = ranked.candidates[0]
    _calibrate(ranked, learned)
    unknown, words = unknown_share(text, retrieved, first.best, index, language)
    lacking = [] if question.has_gap else missing_names(text, first.best, index, language)
    if unheard := [name for name in lacking if not retrieved.idf.keys() & language.terms(name)]:
        doubt = f"the book does not mention {either(whole_names(unheard, text, language))}"
        return reply_with((), doubt, nearest=_source(first.best), likelihood=(1 - unknown) / 2)
    lacking = lacking or missing_mentions(text, first.best, index, language)
    is_unlikely = first.probability < learned["limit"]
    if is_unlikely and (unknown > 1 - SPOKEN_OF or first.probability < LEAST):
        doubt = hardly_spoken_of(unknown, words) or "no passage supports an answer"
        return reply_with((), doubt, nearest=_source(first.best), likelihood=1 - unknown)
    # a question for several wants the terms of one series, not the several likeliest
    best = ranked.candidates if question.wanted == 1 else series_first(ranked.candidates)
    best = company_first(best, text)
    most = max(k, question.wanted or series_length(best))
    answers = tuple(
        Answer(
            whole_text(candidate, question, language),
            candidate.probability,
            "",
            (_source(candidate.best),),
        )
        for candidate in apart(best, most)
    )
    # A gap is in a sentence that is taken from a book: what its passage leaves out says little.
    doubt = (
        ("" if question.has_gap else hardly_spoken_of(unknown, words))
        or (does_not_mention(whole_names(lacking, text, language)) if lacking else "")
        or count_doubt(question, first, language)
        or lacks_member(best, question, language)
        or (_few_are_right(first.probability) if is_unlikely else "")
        or unfit(question, first, retrieved, language)
        or ("" if question.has_gap else doubt_of_verb(text, first.best, language))
    )
    if not evidence:
        return reply_with(answers, doubt, likelihood=first.probability)
    row = TraceQuestion(
        question_id="ask",
        shape="term",
        question=text,
        system=(answers[0].text,),
        focus=question.focus,
        classes=(question.type.name,),
        # features are shown as contributions
        weights={name: 1.0 for values in features for name in values},
        candidates=trace_candidates(text, ranked.candidates[:TRACED], features, index, language),
    )
    return reply_with(answers, doubt, task="ntcir-term", row=row, likelihood=first.probability)


def _few_are_right(probability: float) -> str:
    return f"about {10 * probability:.0f} in 10 such answers are right"


def _no_word(text: str, language: TermLanguage) -> str:
    """Why no passage of a book has a word of a question: another script, or no reason known."""
    asked_in = detect_language(text)
    if asked_in.uses_spaces != language.spaced:
        return f"the question is in {asked_in.name}, the book in {language.language.name}"
    return "no passage holds a word of the question"


def _calibrate(ranked: AskedList, learned: Mapping[str, float]) -> None:
    """Sets the probabilities of the candidates to those of being right (`calibrated_probability`),
    none above the first's. The contributions stay those of the ranker."""
    first, signs = ranked.candidates[0], doubt_signs(ranked)
    for candidate in reversed(ranked.candidates):
        share = min(candidate.probability, first.probability)
        candidate.probability = calibrated_probability(share, learned, signs)


_STOPS = re.compile(r"[.!?:;…。！？：；]\W*$")


def without_headings(retrieved: Retrieval) -> Retrieval:
    """What was retrieved without the passages that are headings: without a mark at the end, and
    part of their title or with all but small words in capitals."""
    passages = [passage for passage in retrieved.passages if not _is_heading(passage)]
    return retrieved._replace(passages=passages)


def _is_heading(passage: Passage) -> bool:
    text = passage.text.strip()
    words = ENGLISH_WORD.findall(text)
    capital = bool(words) and all(word[0].isupper() or word in JOINING for word in words)
    return not _STOPS.search(text) and (text.casefold() in passage.title.casefold() or capital)


def _yes_or_no(
    question: TermQuestion, verdict: ClaimVerdict, index: Index, language: TermLanguage
) -> Reply:
    """The reply to a yes-no question: "yes" or "no" in the question's language by the verdict on
    its claim, with the sentence; no answer but the nearest passage if the verdict is "unknown".

    It is doubted if the sentence lacks words of the question, or the answer is not likely enough to
    be right. The score is the probability that it is right, in Japanese the fraction of the claim's
    idf in the sentence."""
    source = _source(verdict.passage)
    lacking = words_of(verdict.lacking, question.text, language)
    lacking = whole_names(lacking, question.text, language)
    doubt = does_not_mention(lacking) if lacking else ""
    if not verdict.stated:
        doubt = doubt or "check that the sentence says just this"
    if verdict.outcome == "unknown":
        doubt = doubt or "no passage says so"
        return Reply(
            index.address, "textbook", (), doubt, nearest=source, likelihood=verdict.coverage
        )
    words = {"no": "no", "yes": "yes"} if language.spaced else {"no": "いいえ", "yes": "はい"}
    right = verdict.coverage
    if verdict.probability is not None:
        right = verdict.probability if verdict.outcome == "yes" else 1 - verdict.probability
        if right < claim_model().learned["doubt"]["limit"]:
            doubt = doubt or _few_are_right(right)
    answer = Answer(words[verdict.outcome], round_score(right), verdict.reason, (source,))
    return Reply(index.address, "textbook", (answer,), doubt, likelihood=right)


def _respelt(text: str, index: Index, language: TermLanguage) -> dict[str, str]:
    """Each name of the question that the textbook does not know (a capitalised word but the first,
    or katakana, of four letters or more) → the word of the book most similar to it, with a
    similarity (difflib) of at least `SPELLING` (0.75), at most `LENGTH` (2) letters more or fewer,
    and in a language with blanks the same first letter; left out are names without one that is a
    name in the book, and parts of its longer katakana names (ヨルン・ハイデ). Empty for a book
    without statistics."""
    words = {word: language.terms(word) for word in _NAME_WORD.findall(text)}
    paragraphs = index.part(PARAGRAPHS.name)
    counts = documents_with(
        paragraphs, sorted({term for terms in words.values() for term in terms})
    )
    unknown = {
        word: terms[0] for word, terms in words.items() if len(terms) == 1 and not counts[terms[0]]
    }
    changed: dict[str, str] = {}
    if not unknown:
        return changed
    # the statistics list all terms of a book, where an index can only be asked for known ones
    counted = index.metadata.has_part("names")
    terms = sorted(
        {term for term in book_terms(index.part("names")) if len(term) > 3} if counted else ()
    )
    joined = {part for term in terms if "・" in term for part in term.split("・")}
    for word, term in unknown.items():
        if term in joined:  # the book writes it as a part of a longer name
            continue
        like = [
            other
            for other in terms
            if abs(len(other) - len(term)) <= LENGTH
            and (not language.spaced or other[0] == term[0])
        ]
        near = difflib.get_close_matches(term, like, 1, SPELLING)
        hits = paragraphs.search([union_query(near)], 1)[0] if near else []
        written = (
            token
            for hit in hits
            for token in _WORD.findall(hit.document.text)
            if language.terms(token) == near
        )
        if spelling := next((token for token in written if token[:1] == token[:1].upper()), None):
            changed[word] = spelling
    return changed


def _source(passage: Passage) -> Source:
    return Source(passage.doc_id, passage.citation, passage.text)


def judge_choices(
    text: str,
    choices: Sequence[str],
    index: Index,
    k: int,
    evidence: bool,
    chosen_method: str | None = None,
) -> Reply:
    """All choices, best first, ties in order, each with its verdict and up to two of the passages
    that decided it, by the exam method `chosen_method` (default: that of ntcir-mc), which reads `k`
    passages for a choice. Raises UserError for an unknown method.

    Scores fall: those of a question that asks for the false choice are negated; but a choice of
    combined statements that the method prefers is first whatever its score. The reply's doubt says
    if no passage was found, if the book has no word of any choice, if the first choice's
    probability is below `SURE`, and if the question is negated.
    """
    judge = method(
        DEFAULT if chosen_method is None else validate_choice(chosen_method, METHODS, "method")
    )
    plain = PlainQuestion(
        "ask", text, tuple(LabelledChoice("", choice) for choice in choices), (), 1
    )
    question = exam_question(plain, "the question", language_of(index))
    (answered,), _ = with_marks(answer_all(judge, [question], index, k, evidence=True), index)
    sign = -1.0 if question.asks == "F" else 1.0
    order = sorted(
        zip(question.choices, choices, answered.verdicts, strict=True),
        key=lambda row: -sign * row[2].score,
    )
    # combinations of statements are chosen by the method, not by their own scores
    order.sort(key=lambda row: row[0].number != answered.system)
    answers = []
    for _, choice, verdict in order:
        passages = verdict.evidence[:2]
        sources = tuple(Source(passage.doc_id, passage.title, passage.text) for passage in passages)
        answers.append(Answer(choice, sign * verdict.score, verdict.says, sources))
    probability, doubt = order[0][2].probability, ""
    if not any(answer.sources for answer in answers):
        doubt = "a guess: no passage of the book speaks of the choices"
    elif probability is not None and probability < SURE:
        doubt = f"it is right with a probability of {probability:.0%} only"
    if NOT_IN_BOOK in answered.note:
        doubt = NOT_IN_BOOK
    if NEGATED in answered.note:
        doubt = f"{doubt}; {NEGATED}" if doubt else NEGATED
    reply = Reply(index.address, "textbook", tuple(answers), doubt)
    return replace(reply, task="ntcir-mc", row=trace_row("ask", answered)) if evidence else reply
