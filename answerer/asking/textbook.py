"""Answers a question from a textbook: a term, yes or no, sentences on a matter, or the best of
given choices."""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import Literal, NamedTuple

from answerer.asking.amounts import amount_of, apart, unit_first, whole_text
from answerer.asking.candidates import (
    AskedList,
    calibrated_probability,
    contributions,
    expand_acronyms,
    moved_to_front,
    own_model,
    read_candidates,
    set_scores,
    tag_words,
)
from answerer.asking.dates import paired_first
from answerer.asking.fitting import SHOWS_PLACE, fits, fitting_first
from answerer.asking.japanese_answers import fitting_answers, misfit
from answerer.asking.replies import Answer, Reply, Source
from answerer.asking.rows import cell_first
from answerer.formats.question_file.parts import LabelledChoice, PlainQuestion
from answerer.formats.question_file.read import exam_question
from answerer.ntcir.claims.entailment import claim_model
from answerer.ntcir.claims.tokens import AUXILIARIES
from answerer.ntcir.claims.verdict import (
    PARTICLES,
    ClaimVerdict,
    asks_truth,
    judge_statement,
    read_claim,
    verify,
    with_previous,
)
from answerer.ntcir.claims.wording import all_forms, stem_share
from answerer.ntcir.essay.language import essay_language
from answerer.ntcir.multiple_choice.marks import NEGATED, NOT_IN_BOOK, with_marks
from answerer.ntcir.multiple_choice.methods import DEFAULT, METHODS, answer_all, method
from answerer.ntcir.multiple_choice.printed import trace_row
from answerer.ntcir.term.candidates import (
    Retrieval,
    TermCandidate,
    retrieve,
    trace_candidates,
)
from answerer.ntcir.term.language import TermLanguage, index_language
from answerer.ntcir.term.questions import TermQuestion, read_question
from answerer.page.drawn import SURE
from answerer.trace import TraceQuestion
from indexer.analysis.english import tags
from indexer.engines.contract import Index
from indexer.engines.scoring import round_score
from indexer.entities.gazetteer import class_of
from indexer.files.messages import either
from indexer.files.validation import validate_choice
from indexer.sources.textbook.schema import PARAGRAPHS, sentence_number
from indexer.statistics.part import book_terms
from retriever.bm25 import documents_with
from retriever.passages import Passage
from retriever.queries import language_of, union_query

GAIN = 0.5  # score of each sign of a definition, and of opening with the matter
NEAR_OPENING = 4  # terms before the matter by which the gain of opening with it is halved
LONGEST_MATTER = (
    6  # words of a matter; in more of them a question describes what it asks for (the man who …)
)


class Matter(NamedTuple):
    """Subject of a question that sentences answer: of "what", what something is, and "events", what
    was done or happened, its words; of "why", why or how something happened, the whole question."""

    asked: Literal["what", "events", "why"]
    text: str


_WHAT = (
    r"\W*(?:what|who)(?:['’]s|\s+(?:is|are|was|were))\s+(?:meant by\s+)?(?:(?:an?"
    r"|the)\s+)?(?P<matter>.+)",
    r"\W*what\s+do(?:es)?\s+(?:(?:an?|the)\s+)?(?P<matter>.+)\s+means?\W*",
    r"\W*(?:please\s+)?(?:define|describe|explain|tell me about)\s+(?:(?:an?"
    r"|the)\s+)?(?P<matter>.+)",
    r"(?P<matter>.+)(?:とは|って)、?(?:(?:何|なに|なん|誰|だれ|どのような|どういう|どんな).*)?\W*",
    r"(?P<matter>.+)は、?(?:どんな|どのような|どういう)(?:人|人物|もの|物|こと|事件|出来事)(?:です"
    r"|でした|だった|だ|である|なの)?か?\W*",
    r"(?P<matter>.+)(?:について|を)(?:簡単に|簡潔に)?(?:説明|述べ|論じ|教え).*",
    r"(?:什么|何)[是谓](?P<matter>.+)",
    r"(?P<matter>.+?)(?:是|指的是)(?:什么|谁)(?:意思)?\W*",
    r"请?(?:介绍|解释|说明|简述)(?:一下)?(?P<matter>.+)",
)
_WHY = re.compile(
    r"^\W*(?:why|how come)\b|^\W*how\s+(?:is|are|was|were|do|does|did|can|could|has|have|had)\b"
    r"|なぜ|何故|どうして|"
    r"どのように|どうやって|いかに|为什么|为何|怎么|怎样|如何",
    re.IGNORECASE,
)
_EVENTS = (
    r"\W*what\s+(?:did|does|do|has|have|had)\s+(.+?)\s+(?:do|done)\b(?!\s+(?:away|with)\b)(.*)",
    r"\W*what\s+(?:(?:has|have|had)\s+)?happen(?:s|ed)?\b(.+)",
    r"(.+?)は?、?(?:何|なに)を(?:した|して(?:い[たる]|きた)|しました|行[いっな]).*",
    r"(.+?)、?(?:何|なに)が(?:起|おこ|あった|ありました).*",
    r"(.+?)(?:(?:做|干)(?:了|过)?|发生(?:了|过)?)(?:什么|哪些).*",
)
_DESCRIBES = re.compile(
    r"['’]s\b|\b(?:that|which|who|whom|whose|when|where|of|in|on|at|by|for|from|to|with|after"
    r"|before|between|during|"
    r"is|are|was|were|did|does|do|called|named|first|last|next|most|least|only|name|\w+est)\b",
    re.IGNORECASE,
)
_JOINING = frozenset("of the and in for to at on de la le du des von van der den al".split())
_BRACKET = r"(?:\s*[(（][^)）]*[)）])?"
_CUES = (
    r"\b(?:called|named|termed|known as|term)\W+(?:(?:an?|the)\W+)?(?:\w+\W+){0,2}?MATTER\b",
    rf"\bMATTERs?\b\W*{_BRACKET}(?:,?\s*(?:is|are|was|were|means?|refers?|meaning|which means"
    rf"|denotes?)\b"
    r"|,\s*(?:an?|the|or|one)\b|\s+\()",
    rf"MATTER[」』]?{_BRACKET}(?:とは|は、|という[のこ])|(?:呼ばれ|よばれ)(?:る|た"
    rf"|ていた)[「『]?MATTER|と(?:いう|称する)[「『]?MATTER",
    rf"MATTER[”》]?{_BRACKET}，?(?:是|指|即)|(?:称为|叫做|称作|名为)[“《]?MATTER",
)

_ONLY_NAMES = (
    r"\b(?:called|named|termed) (?:it|this|that|them|these|him|her)\W+(?:(?:an?|the)\W+)?MATTER\b"
)
MAY_NOT_TELL = "this sentence may not tell it"
CHECK_WHY = "this asks why or how; check that the sentence says it"


def matter_of(text: str) -> Matter | None:
    """Subject of a question, in English, Japanese or Chinese, for a definition or events, the whole
    text of one for a reason or manner; None for a question that asks for a term.

    A "what is X" question may still ask for a term if X is a description: see `names_one_thing`.
    """
    for pattern in _WHAT:
        match = re.fullmatch(pattern, text.strip(), re.IGNORECASE)
        if match and (matter := match["matter"].strip(" \"'“”「」『』《》?？.。!！")):
            return Matter("what", matter)
    if _WHY.search(text):
        return Matter("why", text)
    matches = (re.fullmatch(pattern, text.strip(), re.IGNORECASE) for pattern in _EVENTS)
    return next((Matter("events", "".join(match.groups())) for match in matches if match), None)


def definition_sentences(
    matter: Matter, retrieved: Retrieval, language: TermLanguage
) -> list[Passage]:
    """The retrieved sentences for a subject with scores as definitions, comparable for one
    question; best first, ties by doc_id, each text once; for "what" those with all words of the
    subject are before the others.

    Sentences that lack the subject are left out, but for "why". [] if the subject of
    "what" is described (the capital of France), since such a question asks for a term. A score is
    relative BM25 + the fraction of the idf sum of the subject's terms that the sentence contains +
    GAIN × signs. Signs: it can be quoted alone; for "what" also how early the first term occurs,
    and one each for opening its paragraph, containing the subject verbatim, and having the form of
    a definition ("He called it X" has none).
    """
    if matter.asked == "what" and not names_one_thing(
        matter.text, [passage.text for passage in retrieved.passages], language
    ):
        return []
    rarity, rules = retrieved.weights, essay_language(language.language)
    cues = [
        re.compile(cue.replace("MATTER", re.escape(matter.text)), re.IGNORECASE) for cue in _CUES
    ]
    only_names = re.compile(_ONLY_NAMES.replace("MATTER", re.escape(matter.text)), re.IGNORECASE)
    sentences: list[Passage] = []
    wanted = set(language.terms(matter.text))
    partial_ids: set[str] = set()  # of sentences without all words of the subject
    for passage in retrieved.passages:
        terms = language.terms(passage.text)
        overlap = [term for term in rarity if term in terms]
        stands_alone = not rules.depends_on_previous(passage.text)
        signs = float(rules.is_fit(passage.text) and stands_alone)
        if matter.asked == "what" and overlap:
            signs += 1 / (1 + min(map(terms.index, overlap)) / NEAR_OPENING)
            signs += passage.is_sentence and sentence_number(passage.doc_id) == 1
            if matter.text.casefold() in passage.text.casefold():
                signs += 1 + any(cue.search(passage.text) for cue in cues)
                signs -= bool(only_names.search(passage.text))
        if overlap or matter.asked == "why":
            share = sum(rarity[term] for term in overlap) / max(sum(rarity.values()), 1e-9)
            if matter.asked == "what" and not wanted.issubset(terms):
                partial_ids.add(passage.doc_id)
            sentences.append(
                passage._replace(score=round_score(passage.score + share + GAIN * signs))
            )
    sentences.sort(
        key=lambda passage: (passage.doc_id in partial_ids, -passage.score, passage.doc_id)
    )
    return list({passage.text: passage for passage in reversed(sentences)}.values())[::-1]


def names_one_thing(matter: str, texts: Sequence[str], language: TermLanguage) -> bool:
    """True if the subject of a "what is" question (`matter`, not "") is a name, as written in the
    question or mostly in the `texts` about it, or a word for a thing.

    False if it is a description: a clause, a relation, a class noun with modifiers (the French
    capital), or more than `LONGEST_MATTER` (6) words; in a script without blanks, a relation by の
    or 的 to a class noun, or with other hiragana.
    """
    if not language.spaced:
        relation = re.search("[の的]", matter) and class_of(matter)
        return not relation and not re.search("[ぁ-ん]", matter.replace("の", ""))
    words = matter.split()
    if len(words) > LONGEST_MATTER:
        return False
    # As the question writes it, and with the capitals that the texts mostly give it.
    pattern = re.compile(rf"\b{re.escape(matter)}\b", re.IGNORECASE)
    written = Counter(match for text in texts for match in pattern.findall(text))
    for spelling in (words, max(sorted(written), key=written.__getitem__, default=matter).split()):
        if spelling[0][:1].isupper() and all(
            not word[:1].islower() or word in _JOINING for word in spelling
        ):
            return True
    return not _DESCRIBES.search(matter) and (len(words) == 1 or not class_of(words[-1]))


# Share of the question's idf that an answer's passage must hold: below it the book hardly speaks of
# the matter.
SUPPORT = 0.6
# The same share below which the book does not seem to say, and the probability of the first answer
# below which no passage supports one. Chosen by hand.
SPOKEN_OF = 0.4
LEAST = 0.04
# least similarity (difflib's ratio) of an unknown name to one of the book: two letters of eight
# differ
SPELLING = 0.75
_STATED = 12  # best candidates, among which one is looked for whose sentence has the verb
TRACED = 10  # candidates in the row of a trace

_JOINT = r"[”\"'」』]?(?:, and |, or |, | and | or |、|や|と|および|及び)(?:the |an? )?[“\"「『]?"
_NAME_WORD = re.compile(r"(?<=[a-z,’'] )[A-Z][\w’'-]{3,}|[ァ-ヺー]{4,}")
_CAPITALISED = re.compile(r"(?<=[\w,’'] )[A-Z][\w’'-]+")
_POSSESSIVE = re.compile(r"['’]s?$")
_WORD = re.compile(r"[ァ-ヺー]+|[^\W_ァ-ヺー]+")


def ask_textbook(text: str, index: Index, k: int, evidence: bool) -> Reply:
    """The k best answers from a textbook, each with its sentence; the reply's doubt says why the
    first may be wrong, or why an answer is missing. If the book hardly speaks of the question, or
    the best answer is very improbable, it has the nearest passage in place of answers.

    A question for several terms gets up to as many as it asks for, if that is more than k; a yes-no
    question "yes" or "no" with the sentence; one for a definition, events, a reason or manner the k
    best sentences, without a trace row. A name that the textbook does not contain is replaced by
    the most similar one that it does, and the doubt says so.
    """
    language = index_language(index)
    asked, is_statement = text, False
    if asks_truth(text) and (claim := read_claim(text, language)):
        text, is_statement = claim.text, True
    if changed := _respelt(text, index, language):
        for old, new in changed.items():
            asked = asked.replace(old, new)
        reply = ask_textbook(asked, index, k, evidence)
        why = "; ".join(
            f"the book does not know {old}: read as {new}" for old, new in changed.items()
        )
        # A book that has the name itself is more likely to know.
        doubt, likelihood = "; ".join(filter(None, (why, reply.doubt))), reply.likelihood / 2
        return replace(reply, doubt=doubt, likelihood=likelihood)
    matter = matter_of(text)
    if matter and (sentences := _sentences_on(matter, index, k, language)):
        return sentences
    question = expand_acronyms(read_question(text, language.language), index, language)
    (retrieved,) = retrieve([question], index, language.analyser)
    retrieved = without_headings(retrieved)
    if question.polar and retrieved.passages:
        passages = with_previous(retrieved.passages, index, language)
        retrieved = retrieved._replace(passages=passages)
        judge = judge_statement if is_statement else verify
        return _yes_or_no(question, judge(question, retrieved, language), index, language)
    return _terms(text, question, retrieved, index, language, k, evidence)


def _sentences_on(matter: Matter, index: Index, k: int, language: TermLanguage) -> Reply | None:
    """The reply with the k best sentences on a definition, events, a reason or manner; None without
    any."""
    question = read_question(matter.text, language.language)
    (retrieved,) = retrieve([question], index, language.analyser)
    sentences = definition_sentences(matter, without_headings(retrieved), language)
    if not sentences:
        return None
    answers = tuple(
        Answer(sentence.text, None, "", (_source(sentence),))
        for sentence in with_previous(sentences[:k], index, language)
    )
    unknown, words = unknown_share(matter.text, retrieved, sentences[0], index, language)
    doubt = _hardly_spoken_of(unknown, words)
    if matter.asked == "why":
        doubt = "; ".join(filter(None, (doubt, CHECK_WHY)))
    return Reply(index.address, "textbook", answers, doubt or MAY_NOT_TELL, likelihood=1 - unknown)


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
        reason = (
            "the passages found hold no answer"
            if retrieved.idf
            else "no passage holds a word of the question"
        )
        return reply_with((), reason)
    ranked = _in_order_of_rules(ranked, retrieved, index, language)
    features = contributions(ranked, model)[:TRACED] if evidence else []
    first = ranked.candidates[0]
    _calibrate(ranked, learned)
    unknown, words = unknown_share(text, retrieved, first.best, index, language)
    lacking = [] if question.has_gap else missing_names(text, first.best, index, language)
    if unheard := [name for name in lacking if not retrieved.idf.keys() & language.terms(name)]:
        doubt = f"the book does not mention {either(_whole_names(unheard, text, language))}"
        return reply_with((), doubt, nearest=_source(first.best), likelihood=(1 - unknown) / 2)
    is_unlikely = first.probability < learned["limit"]
    if is_unlikely and (unknown > 1 - SPOKEN_OF or first.probability < LEAST):
        doubt = _hardly_spoken_of(unknown, words) or "no passage supports an answer"
        return reply_with((), doubt, nearest=_source(first.best), likelihood=1 - unknown)
    # a question for several wants the terms of one series, not the several likeliest
    best = ranked.candidates if question.wanted == 1 else series_first(ranked.candidates)
    if _COMPANY.search(text):
        best = company_first(best)
    answers = tuple(
        Answer(
            whole_text(candidate, question, language),
            candidate.probability,
            "",
            (_source(candidate.best),),
        )
        for candidate in apart(best, max(k, question.wanted))
    )
    # A gap is in a sentence that is taken from a book: what its passage leaves out says little.
    doubt = "" if question.has_gap else _hardly_spoken_of(unknown, words)
    if not doubt and lacking:
        doubt = _does_not_mention(_whole_names(lacking, text, language))
    doubt = doubt or _count_doubt(question, first, language)
    if not doubt and is_unlikely:
        doubt = f"about {10 * first.probability:.0f} in 10 such answers are right"
    doubt = doubt or _unfit(question, first, retrieved, language)
    if not (doubt or question.has_gap):
        verb = missing_verb(text, first.best, language)
        doubt = (
            f"the passage does not say {verb}"
            if verb
            else adjective_for_verb(text, first.best, language)
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


def _in_order_of_rules(
    ranked: AskedList, retrieved: Retrieval, index: Index, language: TermLanguage
) -> AskedList:
    """Ranked candidates, one at least, in the order of the rules on what the first must be: each
    may move others before it, with its probability; a later rule has the last word."""
    question = ranked.question
    best = fitting_first(ranked.candidates, question, language)
    best = stated_first(best, question, index, language)
    best = named_first(best, question, index, language)
    best = unit_first(best, question, language)
    best = cell_first(best, question, language)
    best = paired_first(best, question, language)
    if question.wanted > 1:
        best = joined_first(best, question, retrieved.passages, language)
    return ranked._replace(candidates=best)


def _calibrate(ranked: AskedList, learned: Mapping[str, float]) -> None:
    """Sets the probabilities of the candidates to those of being right (`calibrated_probability`),
    none above the first's. The contributions stay those of the ranker."""
    first = ranked.candidates[0]
    for candidate in reversed(ranked.candidates):
        candidate.probability = calibrated_probability(
            min(candidate.probability, first.probability),
            learned,
            ranked.question.has_gap,
            first.features.get("coverage", 0.0),
        )


def _count_doubt(question: TermQuestion, first: TermCandidate, language: TermLanguage) -> str:
    """The doubt about an English number that counts another noun than the question; "" without."""
    if not (language.spaced and question.counted) or first.span.shape != "number":
        return ""
    sentence = language.tools.clean(first.best.text)
    amount = amount_of(sentence, first.span.start, first.span.end)
    if amount.unit in ("", "them", question.counted):
        return ""
    return f"“{amount.whole}” may not count what is asked"


def _unfit(
    question: TermQuestion, first: TermCandidate, retrieved: Retrieval, language: TermLanguage
) -> str:
    """The doubt about an answer to who or where that may be no name, or in English no place, and
    about one to a Japanese 何歳 or the like that is in another counter; "" without one."""
    interrogative = {"individual": "who", "place": "where"}.get(question.type.name, "")
    if interrogative and _is_common(first.text, retrieved):
        return f"this asks {interrogative}, and “{first.text}” is also a common word of the book"
    if interrogative == "who" and not fits(first, question, language):
        return f"this asks who, and nothing shows that “{first.text}” is a person"
    if (
        interrogative == "where"
        and language.spaced
        and not any(map(first.features.get, SHOWS_PLACE))
    ):
        return f"this asks where, and nothing shows that “{first.text}” is a place"
    return misfit(question.text, first) if not language.spaced else ""


def missing_names(text: str, passage: Passage, index: Index, language: TermLanguage) -> list[str]:
    """The names of an English question (`_names`) that neither the passage's paragraph nor its
    title has, nor a word of their family (Austria, Austrian)."""
    if not language.spaced:
        return []
    documents = index.part(PARAGRAPHS.name).lookup("doc_id", [passage.paragraph])[0]
    texts = [passage.heading, passage.text, *(document.text for document in documents)]
    present = all_forms(" ".join(texts), language)
    return [
        name
        for name in _names(text)
        if (terms := language.terms(name)) and not any(stem_share(term, present) for term in terms)
    ]


_ENGLISH_WORD = re.compile(r"[^\W\d_]+")
_ASKS_NOTHING = AUXILIARIES | frozenset("known called named considered following".split())


def missing_verb(text: str, passage: Passage, language: TermLanguage) -> str:
    """The first verb or participle of an English question that its passage has in no form, nor a
    word of its family (invent, invention); "" without one, or if the passage has another word
    of the question that is not a name: then it speaks of the matter in other words."""
    if not language.spaced:
        return ""
    present = all_forms(f"{passage.heading} {passage.text}", language)
    words: list[str] = _ENGLISH_WORD.findall(text)
    missing = ""
    for word, tag in zip(words, tags(words), strict=True):
        terms = language.terms(word)
        if not terms or word.lower() in _ASKS_NOTHING or not word.islower():
            continue
        if any(stem_share(term, present) for term in terms):
            return ""
        if tag in ("VB", "VBD", "VBN", "VBP", "VBZ"):
            missing = missing or word
    return missing


def adjective_for_verb(text: str, passage: Passage, language: TermLanguage) -> str:
    """The doubt about a passage that has a verb of an English question only as an adjective before
    a noun (when it opened: open wagons), with both words; "" if each verb is there in another way,
    or in no form."""
    if not language.spaced:
        return ""
    tagged = tag_words(language.tools.clean(passage.text))
    forms = [all_forms(word.text, language) for word in tagged]
    words: list[str] = _ENGLISH_WORD.findall(text)
    for word, tag in zip(words, tags(words), strict=True):
        terms = language.terms(word)
        if tag not in ("VB", "VBD", "VBN") or not terms or word.lower() in _ASKS_NOTHING:
            continue
        pairs = [
            pair
            for pair, form in zip(pairwise((*tagged, None)), forms, strict=True)
            if stem_share(terms[0], form)
        ]
        if pairs and all(
            first and first.tag == "JJ" and noun and noun.tag in ("NN", "NNS")
            for first, noun in pairs
        ):
            shown = " ".join(part.text for part in pairs[0] if part)
            return f"the passage says “{shown}”, not {word}"
    return ""


def stated_first(
    ranked: Sequence[TermCandidate], question: TermQuestion, index: Index, language: TermLanguage
) -> list[TermCandidate]:
    """Candidates, best first; where the passage of the first lacks the verb of an English question
    and only this (`missing_verb`), the best of the first `_STATED` (12) that fits, and whose
    sentence has the verb and all other words of the question, is moved to the front, and its
    probability set to the first's. A word in the title counts, one in the sentences of the
    paragraph before one that begins with a pronoun, and any name where a pronoun is inside.
    Raises IndexError for none."""
    text = question.text
    verb = missing_verb(text, ranked[0].best, language)
    if not verb or question.has_gap:
        return list(ranked)
    words = [word for word in _ENGLISH_WORD.findall(text) if word.lower() not in _ASKS_NOTHING]
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
        if _REFERS_INSIDE.search(passage.text):
            present |= {term for name in _names(text) for term in language.terms(name)}
        if all(stem_share(term, present) for term in terms):
            return moved_to_front(ranked, candidate)
    return list(ranked)


def named_first(
    ranked: Sequence[TermCandidate], question: TermQuestion, index: Index, language: TermLanguage
) -> list[TermCandidate]:
    """Candidates, best first; where a number or time is asked for in English, and the paragraph of
    the first lacks a name of the question (`missing_names`), the best of the first `_STATED` (12)
    of its shape that fits, lacks none, and whose passages cover at least as much of the question,
    is moved to the front, and its probability set to the first's. Raises IndexError for none."""
    first, text = ranked[0], question.text
    if question.group not in ("number", "time") or not missing_names(
        text, first.best, index, language
    ):
        return list(ranked)
    for candidate in ranked[1:_STATED]:
        is_like = candidate.span.shape == first.span.shape and fits(candidate, question, language)
        covers = candidate.features.get("coverage", 0.0) >= first.features.get("coverage", 0.0)
        if is_like and covers and not missing_names(text, candidate.best, index, language):
            return moved_to_front(ranked, candidate)
    return list(ranked)


_REFERS = re.compile(r"(?:He|She|It|They|His|Her|Its|Their)\b")
_REFERS_INSIDE = re.compile(r"\b(?:he|she|it|they)\b")


def _names(text: str) -> list[str]:
    """The capitalised words of an English question but the first, without a possessive 's."""
    return [_POSSESSIVE.sub("", word) for word in _CAPITALISED.findall(text)]


_STOPS = re.compile(r"[.!?:;…。！？：；]\W*$")


def without_headings(retrieved: Retrieval) -> Retrieval:
    """What was retrieved without the passages that are headings: without a mark at the end, and
    part of their title or with all but small words in capitals."""
    passages = [passage for passage in retrieved.passages if not _is_heading(passage)]
    return retrieved._replace(passages=passages)


def _is_heading(passage: Passage) -> bool:
    text = passage.text.strip()
    words = _ENGLISH_WORD.findall(text)
    capital = bool(words) and all(word[0].isupper() or word in _JOINING for word in words)
    return not _STOPS.search(text) and (text.casefold() in passage.title.casefold() or capital)


def _is_common(answer: str, retrieved: Retrieval) -> bool:
    """Whether a single capitalised word is found in small letters in one of the passages: it may be
    capitalised only because a sentence begins with it."""
    if not answer.istitle() or not answer.isalpha():
        return False
    word = re.compile(rf"\b{answer.lower()}\b")
    return any(word.search(passage.text) for passage in retrieved.passages)


_COMPANY = re.compile(r"\bwith whom\b|\bwho(?:m|se)?\b.*\bwith\W*$", re.IGNORECASE)


def company_first(ranked: Sequence[TermCandidate]) -> list[TermCandidate]:
    """Candidates, best first, of a question for company (with whom): if another of the same passage
    joins the first with more by "and", it is moved to the front, and its probability set to the
    first's. Raises IndexError for none."""
    first = ranked[0]
    joined = rf"(?:.+ and )?{re.escape(first.text)}(?: and .+)?"
    whole = next(
        (
            candidate
            for candidate in ranked[1:]
            if " and " in candidate.text
            and candidate.best.doc_id == first.best.doc_id
            and re.fullmatch(joined, candidate.text)
        ),
        None,
    )
    return list(ranked) if whole is None else moved_to_front(ranked, whole)


def joined_first(
    ranked: Sequence[TermCandidate],
    question: TermQuestion,
    passages: Sequence[Passage],
    language: TermLanguage,
) -> list[TermCandidate]:
    """Candidates, best first; where an English question asks for several, the members of the first
    series of just so many candidates, in one of the best `_STATED` (12) passages that has the noun
    asked for, are moved to the front, in its order, with that passage and the first one's
    probability. Unchanged without one."""
    candidates = {candidate.text.casefold(): candidate for candidate in reversed(ranked)}
    member = "|".join(map(re.escape, sorted(candidates, key=lambda key: (-len(key), key))))
    series = re.compile(rf"\b(?:{member})(?:{_JOINT}(?:{member})\b)+")
    focus = set(language.terms(question.focus))
    for passage in passages[:_STATED] if language.spaced and focus else ():
        sentence = language.tools.clean(passage.text)
        if not focus <= all_forms(sentence, language):
            continue
        for match in series.finditer(sentence.casefold()):
            members = list(re.finditer(rf"\b(?:{member})\b", match[0]))
            # "in Lyon, and Ann Holm …" joins two clauses
            if len(members) != question.wanted or (len(members) == 2 and ", and " in match[0]):
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
            keys = {part[0] for part in members}
            return [*chosen, *(one for one in ranked if one.text.casefold() not in keys)]
    return list(ranked)


def series_first(ranked: Sequence[TermCandidate]) -> list[TermCandidate]:
    """Candidates, best first, with those in front that its sentence has in a series with the first
    (joined by commas, "and", "or" and the like), in the order of the sentence. Raises IndexError
    for none."""
    candidates = {candidate.text.casefold(): candidate for candidate in reversed(ranked)}
    member = "|".join(map(re.escape, sorted(candidates, key=lambda key: (-len(key), key))))
    first = re.escape(ranked[0].text.casefold())
    series = rf"(?:(?:{member}){_JOINT})*{first}(?:{_JOINT}(?:{member}))*"
    match = re.search(series, ranked[0].best.text.casefold())
    keys = list(dict.fromkeys(re.findall(member, match.group()))) if match else []
    return [
        *(candidates[key] for key in keys),
        *(candidate for candidate in ranked if candidate.text.casefold() not in keys),
    ]


def _yes_or_no(
    question: TermQuestion, verdict: ClaimVerdict, index: Index, language: TermLanguage
) -> Reply:
    """The reply to a yes-no question: "yes" or "no" in the question's language by the verdict on
    its claim, with the sentence; no answer but the nearest passage if the verdict is "unknown".

    It is doubted if the sentence lacks words of the question, or the answer is not likely enough to
    be right. The score is the probability that it is right, in Japanese the fraction of the claim's
    idf in the sentence."""
    source = _source(verdict.passage)
    lacking = _whole_names(
        _words(verdict.lacking, question.text, language), question.text, language
    )
    doubt = _does_not_mention(lacking) if lacking else ""
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
            doubt = doubt or f"about {10 * right:.0f} in 10 such answers are right"
    answer = Answer(words[verdict.outcome], round_score(right), verdict.reason, (source,))
    return Reply(index.address, "textbook", (answer,), doubt, likelihood=right)


def _respelt(text: str, index: Index, language: TermLanguage) -> dict[str, str]:
    """Each name of the question that the textbook does not know (a capitalised word but the first,
    of four letters or more; katakana) → the word of the book most similar to it, with a similarity
    (difflib) of at least `SPELLING` (0.75); names without one that is a name in the book are left
    out. Empty for a book without statistics."""
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
    for word, term in unknown.items():
        near = difflib.get_close_matches(term, terms, 1, SPELLING)
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


_ASKS_MEANING = re.compile(r"\bwhat do(?:es)?\b.*\bmeans?\b", re.IGNORECASE)


def unknown_share(
    text: str, retrieved: Retrieval, passage: Passage, index: Index, language: TermLanguage
) -> tuple[float, list[str]]:
    """Fraction, 0 to 1, of the idf sum of the question `text` whose terms are missing from the
    passage's paragraph, and the words of its up to three rarest missing terms; a term that is not
    in the textbook counts with the highest idf of the question's terms, a Japanese particle
    nothing."""
    most = max(retrieved.idf.values(), default=1.0)
    rarity = {
        term: retrieved.idf.get(term, most)
        for term in retrieved.terms
        if not PARTICLES.fullmatch(term)
    }
    documents = index.part(PARAGRAPHS.name).lookup("doc_id", [passage.paragraph])[0]
    present = all_forms(" ".join(document.text for document in documents), language)
    if _ASKS_MEANING.search(text):
        present |= set(language.terms("mean"))
    missing = sorted(
        rarity.keys() - present, key=lambda term: (term in retrieved.idf, -rarity[term], term)
    )
    parts = {
        word
        for name in missing
        if "_" in name
        for word in language.terms(name.replace("_", " "))
        if word != name
    }
    share = sum(rarity[term] for term in rarity if term not in present) / (
        sum(rarity.values()) or 1.0
    )
    # a name is said once, not its words again
    words = _words([term for term in missing if term not in parts][:3], text, language)
    return share, _whole_names(words, text, language)


_ENGLISH_NAME = re.compile(
    r"(?<=[\w,’'] )[A-Z][\w’'-]*+(?: (?:(?:of|the|de|van|von) )?[A-Z][\w’'-]*+)++"
)


def _whole_names(words: Sequence[str], text: str, language: TermLanguage) -> list[str]:
    """The words of a question, each once, a word of a longer name as the whole name (Jahan: Shah
    Jahan)."""
    if language.spaced:
        names = [_POSSESSIVE.sub("", name) for name in _ENGLISH_NAME.findall(text)]
        words = [_POSSESSIVE.sub("", word) for word in words]
        parts = [(name, name.split()) for name in names]
    else:
        recogniser = language.language.recogniser(language.glossary)
        names = [mention.surface for mention in recogniser.mentions(text)]
        parts = [(name, language.terms(name)) for name in names]
    whole = {part: name for name, words_of_name in parts for part in words_of_name}
    return list(dict.fromkeys(whole.get(word, word) for word in words))


def _source(passage: Passage) -> Source:
    return Source(passage.doc_id, passage.citation, passage.text)


def _hardly_spoken_of(unknown: float, words: Sequence[str]) -> str:
    """The doubt that names the `words` which a passage lacks; "" if they have 0.4 (1 − `SUPPORT`)
    of the question's idf or less (`unknown`)."""
    if unknown <= 1 - SUPPORT:
        return ""
    return _does_not_mention([_POSSESSIVE.sub("", word) for word in words])


def _does_not_mention(words: Sequence[str]) -> str:
    """The doubt that names words which a passage lacks; all are in quotes if one is not a name."""
    if any(word[:1].islower() and " " not in word for word in words):
        return f"the passage does not say {either([f'“{word}”' for word in words])}"
    return f"the passage does not mention {either(words)}"


def _words(terms: Sequence[str], text: str, language: TermLanguage) -> list[str]:
    """The word of a text that each term comes from; the term itself in a text without blanks, and
    where no one word gives it."""
    written = {
        term: word.strip(",.?!;:\"'") for word in text.split() for term in language.terms(word)
    }
    return [
        written.get(term, term.replace("_", " ")) if " " in text.strip() else term for term in terms
    ]


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
