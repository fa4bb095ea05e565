"""Candidate answers of passages and their features, which the ranker (`ranker.py`) weighs."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import replace
from functools import partial, reduce
from typing import NamedTuple

import numpy as np

from answerer.asking.antecedents import antecedents
from answerer.asking.evidence import (
    DEFINITIONS,
    Definition,
    agreement,
    definition_features,
    find_definitions,
    key_term_of,
    paragraph_votes,
    question_pattern,
    read_sentences,
    runs,
    validate,
)
from answerer.asking.forms import facts, pairs
from answerer.asking.japanese_forms import slot_features
from answerer.asking.phrases import spans_of
from answerer.asking.ranker import WEIGHED_IN_GAPS, AskedList
from answerer.ntcir.term.candidates import (
    AnswerContext,
    CandidateMention,
    Retrieval,
    TermCandidate,
    collect,
    distance,
    set_hypernyms,
)
from answerer.ntcir.term.entity_types import ANSWERS, NAMED, Span
from answerer.ntcir.term.language import Places, TermLanguage
from answerer.ntcir.term.questions import TermQuestion, type_of_noun
from indexer.analysis.english import singular
from indexer.engines.contract import Index
from indexer.entities.english import KNOWN_PLACES
from indexer.sources.textbook.schema import SENTENCES, holds_sentences
from indexer.statistics.part import decode_kinds, decode_terms
from retriever.bm25 import idf
from retriever.passages import Passage
from retriever.queries import union_query

# candidates whose counts in the whole book are asked for: the best by what the passages alone say
JUDGED = 250

# Weights of a score by the passages alone, which selects them.
FIRST_WEIGHTS = {"proximity": 6.0, "passage": 2.0, "coverage": 2.0, "key term": 3.0, "called": 1.0}
FIRST_WEIGHTS |= {"shape": 2.0, "other shape": -4.0, "own definition": 3.0}
EXPLAINING = 100  # sentences among which the one is looked for that explains an acronym
READ = 100  # passages that are read for candidates, the best ones
_DAMPING = 0.5

# What precedes a term that is being named, behind one that is being defined, and behind the
# one of a glossary's line.
_CALLED = re.compile(
    r"(?:called|known as|named|termed|referred to as|term|titled|entitled)(?: (?:an?|the))? "
    r"?[“\"'(]?$"
)
_MEANS = re.compile(
    r"[”\"'’)]?(?: ?\([^)]*\))?,? (?:is|are|was|were|refers? to|means?|involves?|occurs?|consists?"
    r"|describes?)\b"
)
_HEADS_LINE = re.compile(r"(?: ?\([^)]*\))?: ")
_OPENING = 6  # characters before a term that still opens its sentence: an article
_GLOSSED = re.compile(r"[”\"]? ?(?:\(|, (?:an?|the|who|which|one of|or)\b)")
_JA_NAMED = re.compile(r"[」』]?と(?:いう|いい|よ(?:ばれ|ぶ|び)|呼(?:ばれ|ぶ|び)|称|言)")
_JA_DEFINED = re.compile(r"(?:\([^)]*\))?[」』]?(?:とは|は、?)")
_JA_GLOSSED = re.compile(r"\(")
_JA_ROLE = re.compile("[」』]?(?:(?P<subject>[はがも])|(?P<object>を)|(?P<place>[にへで]))")
_KATAKANA = re.compile("[ァ-ヺー・＝]+")
_BE = frozenset("is are was were been be being got".split())
_WORDS = re.compile(r"[^\W_]+")

# S. pyogenes is shown in full if a passage has Streptococcus pyogenes
_SPECIES = re.compile(r"(?<![\w.])[A-Z]\. [a-z]{4,}\b")
_BINOMIAL = re.compile(r"\b([A-Z][a-z]{2,}) ([a-z]{4,})\b")
# Verbs that tell the reader what to do: in objectives, review questions, and at links.
_INSTRUCTS = re.compile(
    r"(?:Analy[sz]e|Appreciate|Assess|Browse|Classify|Click|Compare|Contrast|Define|Describe"
    r"|Determine|Differentiate|Discuss|Distinguish|Evaluate|Examine|Explain|Explore|Identify"
    r"|Illustrate|Imagine|Interpret|Listen|Outline|Provide|Read|Recogni[sz]e|Review|Summari[sz]e"
    r"|Understand|Visit|Watch)\b(?! ?\(|:)"
)
_DATED = (["in"], ["since"], ["until"], ["around"], ["by"])


class FoundAnswers(NamedTuple):
    """The candidate answers of a question's passages, with the mentions of each, and the
    definitions of key terms that were read; `meant` are the question's names that pronouns of the
    passages stand for (`antecedents`)."""

    candidates: list[TermCandidate]
    mentions: list[list[CandidateMention]]
    definitions: list[Definition]
    passages: list[Passage]
    meant: dict[str, Places]


def _find_answers(
    question: TermQuestion, retrieved: Retrieval, index: Index, language: TermLanguage
) -> FoundAnswers:
    """The candidate answers in the first `READ` (100) passages, with the features that these
    passages alone give; also their mentions, the definitions, and the passages. Spellings in upper
    and lower case are one candidate, and in English singular and plural, but for dates and numbers.

    English sentences that instruct or ask (`states_nothing`) are not read; the last passages make
    room for the `DEFINITIONS` (12) that match best; the key terms of all that were found are
    candidates wherever they occur. Adjectives are left out unless the question has a gap for one;
    an abbreviated species is a candidate in full, if a passage has that."""
    definitions = find_definitions(retrieved, index, language) if language.spaced else []
    matches = {
        _key(definition.term, language): definition.match for definition in reversed(definitions)
    }
    key_term = _key_terms(definitions, language)
    mentions: dict[str, list[CandidateMention]] = {}
    focus = language.fold(question.focus)
    verb = next(iter(language.terms(question.verb)), "") if question.verb else ""

    def look(mention: CandidateMention) -> tuple[str, dict[str, float]] | None:
        span, key, coverage = mention.span, mention.key, mention.coverage
        # an adjective answers only where it fills a gap before a noun or behind "is"
        if span.speech == "JJ" and not question.wants_adjective:
            return None
        if language.spaced and span.shape not in ("time", "number"):
            key = _key(span.text, language)
        role = ""
        if question.role and language.spaced:
            role = _role(mention.sentence, span, mention.places.get(verb, ()))
        elif question.role and (match := _JA_ROLE.match(mention.after)):
            role = match.lastgroup or ""
        opens, near = span.start < _OPENING, mention.before[-30:]
        signs = {
            "key term": span.start == 0 and _HEADS_LINE.match(mention.after),
            "called": _CALLED.search(near) if language.spaced else _JA_NAMED.match(mention.after),
            "defined": opens and (_MEANS if language.spaced else _JA_DEFINED).match(mention.after),
            "glossed": (_GLOSSED if language.spaced else _JA_GLOSSED).match(mention.after),
            "role": role and role == question.role,
            "other role": role and role != question.role,
            "apposition": focus
            and language.tools.in_apposition(mention.before, mention.after, focus),
        }
        # a sign in a sentence that says little of the question counts little
        features = {name: coverage for name, sign in signs.items() if sign}
        features["sentence coverage"] = mention.inside
        features["in title"] = mention.passage.score * (
            key in language.fold(mention.passage.heading)
        )
        features["gap's neighbours"] = coverage * _neighbours(
            question, mention.before, mention.after
        )
        features |= facts(question, mention, language.spaced)
        if key in matches:
            features["own definition"] = matches[key]
        mentions.setdefault(key, []).append(mention)
        return key, features

    def spans(sentence: str) -> list[Span]:
        answers = spans_of(sentence, language)
        if question.type.name == "country" and language.spaced:
            answers = [_country_of(span) for span in answers]
        for match in _SPECIES.finditer(sentence):
            if full := full_names.get(match[0]):
                start, end = match.span()
                answers = [span for span in answers if not start <= span.start < end]
                answers.append(Span(full, start, end, "noun", "NN", 2))
        bounds = {(span.start, span.end) for span in answers}
        if language.spaced and (defined := key_term_of(sentence)) and (0, defined[1]) not in bounds:
            answers.append(Span(defined[0], 0, defined[1], "noun", "NN"))
        for match in key_term.finditer(sentence.casefold()):
            if match.span() not in bounds and len(sentence) == len(sentence.casefold()):
                answers.append(Span(sentence[slice(*match.span())], *match.span(), "noun", "NN"))
        return answers

    first = {
        definition.passage.doc_id: definition.passage for definition in definitions[:DEFINITIONS]
    }
    others = [
        passage
        for passage in retrieved.passages
        if passage.doc_id not in first and not (language.spaced and states_nothing(passage.text))
    ]
    passages = [*others[: READ - len(first)], *first.values()]
    full_names = {
        f"{genus[0]}. {species}": f"{genus} {species}"
        for passage in passages
        for genus, species in _BINOMIAL.findall(passage.text)
    }
    read = retrieved._replace(passages=passages)
    meant = antecedents(question, read, index, language)
    candidates = collect(question, read, language, spans, look, meant)
    for candidate in candidates:
        _form(candidate, question, language)
    return FoundAnswers(candidates, list(mentions.values()), definitions, passages, meant)


def _key_terms(definitions: Sequence[Definition], language: TermLanguage) -> re.Pattern[str]:
    """What matches a term of the definitions or its short form in a folded text, also with a plural
    -s, the longest first; nothing for none."""
    terms = [
        language.fold(term)
        for definition in definitions
        for term in (definition.term, definition.short)
        if term
    ]
    key_terms = "|".join(map(re.escape, sorted(terms, key=lambda term: (-len(term), term))))
    return re.compile(rf"\b(?:{key_terms})s?\b" if key_terms else "(?!)")


def states_nothing(sentence: str) -> bool:
    """True for an English sentence that begins with an instruction to the reader (`_INSTRUCTS`:
    Explain, Compare …) or ends with a question mark."""
    return bool(_INSTRUCTS.match(sentence)) or sentence.rstrip("”\"')").endswith("?")


def _country_of(span: Span) -> Span:
    """A people's name as that of its country, as in "the Spanish settled there"; other spans
    as they are."""
    key = span.key if span.shape == "name" else ""
    is_people = key in KNOWN_PLACES and key != span.text.casefold()
    return span._replace(text=key.title()) if is_people else span


def _key(text: str, language: TermLanguage) -> str:
    """The key under which spellings of an English candidate, singular and plural, are one: folded,
    the last word in the singular."""
    *others, last = language.fold(text).split()
    return " ".join([*others, singular(last)])


def _role(sentence: str, span: Span, verbs: Sequence[tuple[int, int]]) -> str:
    """A candidate's role, "subject" or "object", by word order and passive, for the nearest of the
    `verbs` (the places of the question's main verb in the English sentence, in lower case). ""
    without a verb, for an object more than five words behind it, and behind a passive verb without
    "by" among the four words after it."""
    if not verbs:
        return ""
    start, end = min(verbs, key=lambda verb: distance(verb, (span.start, span.end)))
    passive = not _BE.isdisjoint(_WORDS.findall(sentence[:start])[-3:])
    between = _WORDS.findall(sentence[end : span.start])
    if span.end <= start:
        return "object" if passive else "subject"
    if passive:
        return "subject" if "by" in between[:4] else ""
    return "object" if len(between) < 6 else ""


def _neighbours(question: TermQuestion, before: str, after: str) -> float:
    """Fraction of the four words around an English gap, two on each side, that occur in the same
    places around the candidate; 0 without a gap."""
    if not (question.before or question.after):
        return 0.0
    wanted = [
        [word for word in text.split() if word.isalnum()]
        for text in (question.before, question.after)
    ]
    around = _WORDS.findall(before[-40:])[-2:], _WORDS.findall(after[:40])[:2]
    left = zip(reversed(around[0]), reversed(wanted[0]), strict=False)
    same = [word == other for word, other in (*left, *zip(around[1], wanted[1], strict=False))]
    return same.count(True) / 4


def _form(candidate: TermCandidate, question: TermQuestion, language: TermLanguage) -> None:
    """Adds to a candidate's `features` those of its form: its length, number of paragraphs, its
    shape against the type asked for, its head against the focus and the type; in a language without
    blanks whether it is a name, quoted, a number or a time; and `WEIGHED_IN_GAPS` again, as "gap
    NAME", where a gap is to be filled."""
    span, features, kind = candidate.span, candidate.features, question.type
    spaced, focus = language.spaced, language.fold(question.focus)
    words = candidate.text.split() if spaced else [candidate.text]
    head = singular(words[-1].lower()) if spaced else candidate.text
    head_type = type_of_noun(head)
    wanted = {"number": "number", "time": "time"}.get(question.group, "")
    shapes = ANSWERS.get(span.shape, frozenset())
    # "won its independence in ____"
    takes_date = question.has_gap and question.before.split()[-1:] in _DATED
    takes_date = takes_date and not question.after[:1].isalpha()
    is_amount = span.shape in (("time", "number", "years") if spaced else ("time", "number"))
    features |= {
        "passages": math.log1p(len(candidate.paragraphs)),
        "words": min(len(words), 5) if spaced else min(len(candidate.text), 10) / 2,
        "shape": float(bool(wanted) and wanted in shapes),
        "other shape": float(
            wanted not in shapes
            if wanted
            else is_amount and not (takes_date and span.shape != "number")
        ),
        "ends with focus": float(
            bool(focus) and head.endswith(focus) and language.fold(candidate.text) != focus
        ),
        "head of type": float(head_type.name == kind.name != "other"),
        "head of other type": float(
            head_type.name != "other" != kind.name and head_type.coarse != kind.coarse
        ),
    }
    if not spaced:
        features |= {
            "quoted": float(span.shape == "quoted"),
            "number": float(span.shape == "number"),
            "time": float(span.shape in ("time", "years")),
            "proper": float(span.speech in language.proper_speech),
        }
    if question.has_gap:
        features |= {f"gap {name}": features[name] for name in WEIGHED_IN_GAPS}


def add_kinds(
    question: TermQuestion,
    candidates: Sequence[TermCandidate],
    index: Index,
    language: TermLanguage,
) -> None:
    """Adds the features "kind" and "other kind", 0 or 1: whether the entity type of a candidate
    name is, or is not, one that the answer type allows.

    In languages with blanks known places, and their adjectives as peoples, come first; then the
    index's statistics; the language's lists, the glossary and the passages; in Japanese MeCab's
    part of speech, but not of katakana alone. Adds nothing if the answer type allows any type, or
    only times and numbers. Both are 0 for a name of an unknown type, of the type "other", and where
    the answer type allows none of its types for "St …"."""
    kinds = question.type.kinds - {"time", "number"}
    if not kinds:
        return
    recogniser = language.language.recogniser(language.glossary)
    names = [candidate for candidate in candidates if candidate.span.shape in NAMED]
    keys = [recogniser.key(candidate.text) for candidate in names]
    book_kinds = [""] * len(names)
    if index.metadata.has_part("names"):
        book_kinds = decode_kinds(index.part("names"), keys)
    speeches = {
        "人名": "person",
        "姓": "person",
        "名": "person",
        "地域": "place",
        "国": "place",
        "組織": "other",
    }
    for candidate, key, kind in zip(names, keys, book_kinds, strict=True):
        types = {kind} if kind not in ("", "other") else set(candidate.hints)
        # an adjective of a place (French) is keyed by the place, but names its people
        if language.spaced and key in KNOWN_PLACES:
            types = {"place"} if key == language.fold(candidate.text) else {"people"}
        if candidate.span.speech in speeches and not _KATAKANA.fullmatch(
            candidate.text
        ):  # of these MeCab guesses
            types = types or {speeches[candidate.span.speech]}
        types = types or ({kind} if kind else set())
        candidate.features["kind"] = float(not kinds.isdisjoint(types))
        # St Francis is a person, a church or a town
        is_other = bool(types - {"other"}) and kinds.isdisjoint(types)
        candidate.features["other kind"] = float(is_other and candidate.text[:3] != "St ")


def add_counts(
    candidates: Sequence[TermCandidate], retrieved: Retrieval, index: Index, language: TermLanguage
) -> None:
    """Adds the features computed from the corpus statistics of the candidates and the question's
    terms; nothing if the index has no statistics or counts no term of the question.

    "found in" a unit is the greatest BM25 of the question among the units that contain the
    candidate, relative to the best of all units; "pmi" the mean pointwise mutual information [PMI]
    with the question's terms, weighted by idf; "lift" the log ratio of the candidate's frequency
    among the 20 best-scoring paragraphs to that among all; "rarity" the mean idf of its terms,
    "rarest" the log of the sentences of the book over those that contain all its terms; "question's
    words" the fraction of its terms that are the question's; and `VALIDATION` (`validate`).
    """
    terms = sorted(retrieved.idf)
    terms_of = [list(dict.fromkeys(language.terms(candidate.text))) for candidate in candidates]
    if not candidates or not index.metadata.has_part("names"):
        return
    counted = decode_terms(index, sorted({*terms, *(term for words in terms_of for term in words)}))
    present = [term for term in terms if term in counted.row]
    if not present:
        return
    features: list[dict[str, float]] = [{} for _ in candidates]
    weight = np.array([retrieved.weights[term] for term in present])
    sentences = len(counted.sentences)
    paragraph_of = np.repeat(np.arange(len(counted.paragraphs)), counted.paragraphs)
    indices, starts = counted.at.indices.astype(np.int64), counted.at.indptr
    holding = {term: indices[starts[row] : starts[row + 1]] for term, row in counted.row.items()}
    # the sentences that hold all terms of a candidate; none where one of its terms is not
    # counted
    none = np.zeros(0, np.int64)
    sentences_of = [
        reduce(
            partial(np.intersect1d, assume_unique=True), [holding.get(term, none) for term in words]
        )
        if words
        else none
        for words in terms_of
    ]
    for name, of in (("sentence", np.arange(sentences)), ("paragraph", paragraph_of)):
        number = int(of[-1]) + 1
        lengths = np.bincount(of, counted.sentences, number)
        average = max(float(lengths.mean()), 1.0)
        damping = 1.2 * (0.25 + 0.75 * lengths / average)  # BM25's k1 and b, as in the engines
        scores = np.zeros(number)
        within = []
        for term, value in zip(present, weight, strict=True):
            frequency = np.bincount(of[holding[term]], minlength=number)
            scores += value * 2.2 * frequency / (frequency + damping)
            within.append(frequency > 0)
        scores /= float(scores.max()) or 1.0
        places = [runs(of[rows])[0] for rows in sentences_of]
        holds = np.array(within)
        share = holds.sum(axis=1) / number
        top = np.argsort(-scores, kind="stable")[:20]
        rank = np.zeros(number)
        rank[top] = scores[top] ** 2 / (float((scores[top] ** 2).sum()) or 1.0)
        for values, where in zip(features, places, strict=True):
            if not len(where):
                continue
            values[f"found in {name}"] = float(scores[where].max())
            # damped: of rare candidates one shared sentence says little
            both = holds[:, where].sum(axis=1)
            logs = np.log((both + _DAMPING) / (share * len(where) + _DAMPING))
            values[f"pmi {name}"] = float(weight @ logs / weight.sum())
            if name == "paragraph":
                values["lift"] = math.log(
                    (float(rank[where].sum()) + 0.01) / (len(where) / number + 0.01)
                )
        if name == "sentence":  # a sentence with half the score of its neighbours in the paragraph
            same = np.diff(paragraph_of) == 0
            window = scores.copy()
            window[1:] += 0.5 * np.where(same, scores[:-1], 0.0)
            window[:-1] += 0.5 * np.where(same, scores[1:], 0.0)
            window /= float(window.max()) or 1.0
            for values, where in zip(features, sentences_of, strict=True):
                values["found in window"] = float(window[where].max()) if len(where) else 0.0
    for values, more in zip(features, validate(terms_of, retrieved.weights, counted), strict=True):
        values |= more
    for values, words, where in zip(features, terms_of, sentences_of, strict=True):
        numbers = np.array([len(holding[term]) for term in words if term in holding], float)
        values["rarity"] = float(np.mean(idf(float(sentences), numbers))) if len(numbers) else 0.0
        values["rarest"] = math.log((sentences + 1) / (len(where) + 1))
        values["question's words"] = len(set(terms).intersection(words)) / max(len(words), 1)
    for candidate, values in zip(candidates, features, strict=True):
        candidate.features.update(values)


_ACRONYM = re.compile(r"\b[A-Z][A-Z.]{1,6}\b")
_NAME = r"(?:[A-Z][\w'’-]+ (?:(?:of|the|and|for|in) ){0,2}){1,5}[A-Z][\w'’-]+"


def expand_acronyms(question: TermQuestion, index: Index, language: TermLanguage) -> TermQuestion:
    """An English question with the long forms of its acronyms that a book explains ("United Nations
    (UN)", "UN (United Nations)") as further texts of weight 1: the first among the `EXPLAINING`
    (100) best sentences whose capitals are the acronym's letters. Other questions as they are."""
    acronyms = list(dict.fromkeys(_ACRONYM.findall(question.text))) if language.spaced else []
    if not acronyms or not holds_sentences(index.metadata):
        return question
    terms = [language.terms(acronym) for acronym in acronyms]
    results = index.part(SENTENCES.name).search([union_query(words) for words in terms], EXPLAINING)
    texts = list(question.texts)
    for acronym, hits in zip(acronyms, results, strict=True):
        written = re.escape(acronym)
        explained = re.compile(
            rf"(?P<long>{_NAME}) ?\({written}\)|\b{written} ?\((?P<behind>{_NAME})\)"
        )
        for match in filter(None, (explained.search(hit.document.text) for hit in hits)):
            long = (match["long"] or match["behind"]).split()
            letters = acronym.replace(".", "")
            # the words before the bracket whose first letters the acronym has
            for length in range(len(letters), len(long) + 1):
                name = long[-length:]
                initials = "".join(word[0] for word in name if word[0].isupper())
                if initials == letters:
                    texts.append((" ".join(name), 1.0))
                    break
            else:
                continue
            break
    return replace(question, texts=tuple(texts))


_STANDS_FOR = re.compile(
    r"\W*what (?:do|does|did|is|are)(?: the)?(?: \w+)? [“\"']?(?P<letters>[^\W_]{2,8})[”\"']? "
    r"(?:stands? for|(?:is )?(?:short|an acronym|an abbreviation) (?:for|of))\W*",
    re.IGNORECASE,
)
_PIECES = re.compile(r"[^\W_]+")
_SMALL = frozenset("of the and for in to on a an".split())


def asks_long_form(text: str) -> str:
    """The letters of which an English question asks what they stand for ("What does UN stand
    for?"), in small ones; "" for other questions."""
    letters = _STANDS_FOR.fullmatch(text)
    return letters["letters"].lower() if letters else ""


def long_form(letters: str, passages: Sequence[Passage]) -> tuple[str, Passage] | None:
    """What letters stand for, and the passage that explains them, the first that does: the fewest
    words before "(UN)" that begin with these letters, in any case, with "of", "the" and other small
    words that may lack theirs. None if no passage explains them."""
    bracket = re.compile(rf"\({re.escape(letters)}s?\)", re.IGNORECASE)
    for passage in passages:
        for match in bracket.finditer(passage.text):
            words = list(_PIECES.finditer(passage.text, 0, match.start()))
            for first in reversed(words[-2 * len(letters) :]):
                long = passage.text[first.start() : match.start()].strip()
                parts = _PIECES.findall(long.lower())
                every = "".join(part[0] for part in parts)
                main = "".join(part[0] for part in parts if part not in _SMALL)
                if letters in (every, main) and parts[0] not in _SMALL:
                    return long, passage
    return None


def read_candidates(
    questions: Sequence[TermQuestion],
    retrieved: Sequence[Retrieval],
    index: Index,
    language: TermLanguage,
) -> list[AskedList]:
    """The candidates of each question with all features, not yet ranked by the model: of those that
    fit its type, do not repeat its words and (if several answers are wanted) have no "and", the
    `JUDGED` (250) best by the `FIRST_WEIGHTS` of their features, ties by text."""
    every = [
        _find_answers(question, retrieval, index, language)
        for question, retrieval in zip(questions, retrieved, strict=True)
    ]
    for question, answers in zip(questions, every, strict=True):
        add_kinds(question, answers.candidates, index, language)
    focuses = [question.focus for question in questions]
    candidates = [answers.candidates for answers in every]
    set_hypernyms("said to be", list(zip(focuses, candidates, strict=True)), index, language)
    lists, spaced = [], language.spaced
    for question, answers, retrieval in zip(questions, every, retrieved, strict=True):
        mentions_of = {
            id(candidate): mentions
            for candidate, mentions in zip(answers.candidates, answers.mentions, strict=True)
        }
        # of several answers each is one, not two that are joined
        fitting = [
            candidate
            for candidate in answers.candidates
            if not is_of_other_type(question, candidate, spaced)
            and not (question.wanted != 1 and " and " in candidate.text)
            and not _repeats(candidate, question.text, retrieval, language)
        ]
        first = {
            id(candidate): sum(
                w * candidate.features.get(name, 0.0) for name, w in FIRST_WEIGHTS.items()
            )
            for candidate in fitting
        }
        best = sorted(fitting, key=lambda candidate: (-first[id(candidate)], candidate.text))[
            :JUDGED
        ]
        add_counts(best, retrieval, index, language)
        read = read_sentences(answers.passages, answers.meant, retrieval, index, language)
        pattern = question_pattern(question, language)
        votes = paragraph_votes(retrieval.passages)
        question_terms = language.terms(question.text)
        context = None
        if not spaced:
            focus = language.fold(question.focus)
            near = dict.fromkeys(question_terms, 1.0)
            context = AnswerContext(question.text, focus, near, language)
        for candidate in best:
            candidate.features |= agreement(
                mentions_of[id(candidate)], read, pattern, retrieval.weights, votes
            )
            candidate.features |= definition_features(candidate, answers.definitions)
            candidate.features |= pairs(question, candidate, question_terms, spaced)
            if context is not None:
                candidate.features |= slot_features(candidate, question_terms, context, language)
        lists.append(AskedList(question, best, spaced))
    return lists


def _repeats(
    candidate: TermCandidate, text: str, retrieved: Retrieval, language: TermLanguage
) -> bool:
    """True if all words of an English noun phrase are the question's (new weapons), or the one word
    of a noun or name is one of them, perhaps in the other number (drones); never for a key term
    whose definition matches the question, and for a name of several words."""
    if not language.spaced or candidate.span.shape not in ("noun", "name"):
        return False
    if "own definition" in candidate.features:  # the atomic force microscope
        return False
    if " " not in candidate.text:
        words = {singular(word) for word in _WORDS.findall(text.casefold())}
        return singular(candidate.text.casefold()) in words
    if candidate.span.shape == "name":
        return False
    return set(language.terms(candidate.text)) <= retrieved.terms.keys()


def is_of_other_type(question: TermQuestion, candidate: TermCandidate, spaced: bool) -> bool:
    """True if a candidate, by its features, cannot be of the question's answer type: a place for a
    person, a date for a thing. For a gap only a date or year is, where a date cannot be. `spaced`:
    the language has blanks, and capitals tell its names."""
    features, kind, span = candidate.features, question.type, candidate.span
    if question.group in ("time", "number"):
        return not features["shape"]
    if question.group == "gap":
        return bool(features["other shape"]) and span.shape in ("time", "years")
    if kind.name == "individual" and span.shape == "quoted":
        return True
    if kind.name == "individual" and spaced and features.get("free") == 0:
        return True
    wants_name = kind.name == "individual" or (
        kind.coarse == "location" and kind.name != "building"
    )
    is_name = span.shape in ("name", "quoted") or candidate.text.split()[-1][:1].isupper()
    if wants_name and (features.get("other kind") or (spaced and not is_name)):
        return True
    return bool(features["other shape"])
