"""What a passage lacks of a question, and the doubts about its answer."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from answerer.asking.amounts import amount_of
from answerer.asking.antecedents import POSSESSIVE, names_of
from answerer.asking.fitting import SHOWS_PLACE, fits
from answerer.asking.japanese_answers import misfit
from answerer.asking.phrases import tag_words
from answerer.ntcir.claims.coverage import PARTICLES
from answerer.ntcir.claims.english.tokens import AUXILIARIES
from answerer.ntcir.claims.wording import all_forms, past_form, stem_share
from answerer.ntcir.term.candidates import Retrieval, TermCandidate
from answerer.ntcir.term.language import TermLanguage
from answerer.ntcir.term.questions import TermQuestion, type_of_noun
from indexer.analysis.english import tags
from indexer.engines.contract import Index
from indexer.files.messages import either
from indexer.sources.textbook.schema import PARAGRAPHS
from retriever.passages import Passage

# Share of the question's idf that an answer's passage must hold: below it the book hardly speaks of
# the matter.
SUPPORT = 0.6


def count_doubt(question: TermQuestion, first: TermCandidate, language: TermLanguage) -> str:
    """The doubt about an English number that counts another noun than the question; "" without."""
    if not (language.spaced and question.counted) or first.span.shape != "number":
        return ""
    sentence = language.tools.clean(first.best.text)
    amount = amount_of(sentence, first.span.start, first.span.end)
    if amount.unit in ("", "them", question.counted):
        return ""
    return f"“{amount.whole}” may not count what is asked"


_CAPITALISED = re.compile(r"\b[A-Z][\w’'-]+")
_SORTS = {"age": "an age", "duration": "a length of time", "distance": "a distance"}


def _bare(name: str) -> str:
    return POSSESSIVE.sub("", name)


def unfit(
    question: TermQuestion, first: TermCandidate, retrieved: Retrieval, language: TermLanguage
) -> str:
    """The doubt about an answer to who or where that is also a common word, to who that is no
    person (`fits`) or in English the person of the question itself, to where in English that
    nothing shows to be a place, to how old, long or far in English that is none (`fits`), and about
    one to a Japanese 何歳 or the like that is in another counter; "" without one."""
    interrogative = {"individual": "who", "place": "where"}.get(question.type.name, "")
    if interrogative and _is_common(first.text, retrieved):
        return f"this asks {interrogative}, and “{first.text}” is also a common word of the book"
    if interrogative == "who" and not fits(first, question, language):
        return f"this asks who, and nothing shows that “{first.text}” is a person"
    names: list[str] = _CAPITALISED.findall(question.text)
    if interrogative == "who" and language.spaced and first.text not in names:
        *others, last = first.text.split()
        if others and last in map(_bare, names) and type_of_noun(question.focus).name == "other":
            return f"“{first.text}” may be the {last} of the question"
    if question.type.name in _SORTS and not fits(first, question, language):
        return f"nothing shows that “{first.text}” is {_SORTS[question.type.name]}"
    is_shown = any(map(first.features.get, SHOWS_PLACE))
    if interrogative == "where" and language.spaced and not is_shown:
        return f"this asks where, and nothing shows that “{first.text}” is a place"
    return misfit(question.text, first) if not language.spaced else ""


def _text_around(passage: Passage, index: Index) -> str:
    """A passage's title, the passage, and its paragraph."""
    (documents,) = index.part(PARAGRAPHS.name).lookup("doc_id", [passage.paragraph])
    return " ".join((passage.heading, passage.text, *(document.text for document in documents)))


def missing_names(text: str, passage: Passage, index: Index, language: TermLanguage) -> list[str]:
    """The names of an English question (`_names`) that neither the passage's paragraph nor its
    title has, nor a word of their family (Austria, Austrian)."""
    if not language.spaced:
        return []
    present = all_forms(_text_around(passage, index), language)
    return [
        name
        for name in names_of(text)
        if (terms := language.terms(name)) and not any(stem_share(term, present) for term in terms)
    ]


def missing_mentions(
    text: str, passage: Passage, index: Index, language: TermLanguage
) -> list[str]:
    """The names of a question in a language without blanks of which neither the passage's paragraph
    nor its title has the whole, or a word of two characters or more."""
    if language.spaced:
        return []
    present = language.fold(_text_around(passage, index))
    mentions = language.language.recogniser(language.glossary).mentions(text)
    return [
        mention.surface
        for mention in mentions
        if language.fold(mention.surface) not in present
        and not any(len(part) > 1 and part in present for part in language.terms(mention.surface))
    ]


ENGLISH_WORD = re.compile(r"[^\W\d_]+")
ASKS_NOTHING = AUXILIARIES | frozenset("known called named considered following".split())


def missing_verb(text: str, passage: Passage, language: TermLanguage) -> str:
    """The first verb or participle of an English question that its passage has in no form, nor a
    word of its family (invent, invention); "" without one, or if the passage has another word
    of the question that is not a name: then it speaks of the matter in other words."""
    if not language.spaced:
        return ""
    present = all_forms(f"{passage.heading} {passage.text}", language)
    words: list[str] = ENGLISH_WORD.findall(text)
    missing = ""
    for word, tag in zip(words, tags(words), strict=True):
        terms = language.terms(word)
        if not terms or word.lower() in ASKS_NOTHING or not word.islower():
            continue
        if any(stem_share(term, present) for term in terms):
            return ""
        if tag in ("VB", "VBD", "VBN", "VBP", "VBZ"):
            missing = missing or word
    return missing


_DENIAL = re.compile(
    r"\b(?:not(?! only\b)|never|neither|nor|cannot|without)\b|n['’]t\b", re.IGNORECASE
)


def denial(text: str, passage: Passage, language: TermLanguage) -> str:
    """The doubt that quotes the first negation ("not", "never" and the like; not "no") of the
    passage of an English answer, or of the question (`text`); "" if both have one or neither, and
    in other languages."""
    says, asks = _DENIAL.search(passage.text), _DENIAL.search(text)
    denial = says or asks
    if denial is None or not language.spaced or (says and asks):
        return ""
    word = denial[0] if denial[0].isalpha() else "not"  # of "didn't"
    return f"the passage says “{word}”" if says else f"the passage does not say “{word}”"


def adjective_for_verb(text: str, passage: Passage, language: TermLanguage) -> str:
    """The doubt about a passage that has a verb of an English question only as an adjective before
    a noun (when it opened: open wagons), with both words; "" if each verb is there in another way,
    or in no form."""
    if not language.spaced:
        return ""
    tagged = tag_words(language.tools.clean(passage.text))
    forms = [all_forms(word.text, language) for word in tagged]
    words: list[str] = ENGLISH_WORD.findall(text)
    for word, tag in zip(words, tags(words), strict=True):
        terms = language.terms(word)
        if tag not in ("VB", "VBD", "VBN") or not terms or word.lower() in ASKS_NOTHING:
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
            return f"the passage says “{shown}”, not “{word}”"
    return ""


def doubt_of_verb(text: str, passage: Passage, language: TermLanguage) -> str:
    """The doubt about a passage that lacks the verb of an English question (`missing_verb`), has it
    only as an adjective, or denies what is asked; "" without one."""
    if verb := missing_verb(text, passage, language):
        return f"the passage does not say “{verb}”"
    return adjective_for_verb(text, passage, language) or denial(text, passage, language)


def _is_common(answer: str, retrieved: Retrieval) -> bool:
    """Whether a single capitalised word is found in small letters in one of the passages: it may be
    capitalised only because a sentence begins with it."""
    if not answer.istitle() or not answer.isalpha():
        return False
    word = re.compile(rf"\b{answer.lower()}\b")
    return any(word.search(passage.text) for passage in retrieved.passages)


def unknown_share(
    text: str, retrieved: Retrieval, passage: Passage, index: Index, language: TermLanguage
) -> tuple[float, list[str]]:
    """Fraction, 0 to 1, of the idf sum of the question `text` whose terms are missing from the
    passage's paragraph, and the words, of names the whole ones, of its up to three rarest missing
    terms; a term that is not in the textbook counts with the highest idf of the question's terms, a
    Japanese particle nothing."""
    most = max(retrieved.idf.values(), default=1.0)
    rarity = {
        term: retrieved.idf.get(term, most)
        for term in retrieved.terms
        if not PARTICLES.fullmatch(term)
    }
    documents = index.part(PARAGRAPHS.name).lookup("doc_id", [passage.paragraph])[0]
    present = all_forms(" ".join(document.text for document in documents), language)
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
    words = words_of([term for term in missing if term not in parts][:3], text, language)
    return share, whole_names(words, text, language)


_ENGLISH_NAME = re.compile(
    r"(?<=[\w,’'] )[A-Z][\w’'-]*+(?: (?:(?:of|the|de|van|von) )?[A-Z](?:\.|[\w’'-]*+))++"
)


def whole_names(words: Sequence[str], text: str, language: TermLanguage) -> list[str]:
    """The words of a question, each once, a word of a longer name as the whole name (Jahan: Shah
    Jahan)."""
    if language.spaced:
        names = [POSSESSIVE.sub("", name) for name in _ENGLISH_NAME.findall(text)]
        words = [POSSESSIVE.sub("", word) for word in words]
        parts = [(name, name.split()) for name in names]
    else:
        recogniser = language.language.recogniser(language.glossary)
        names = [mention.surface for mention in recogniser.mentions(text)]
        parts = [(name, language.terms(name)) for name in names]
    whole = {part.strip("."): name for name, words_of_name in parts for part in words_of_name}
    return list(dict.fromkeys(whole.get(word, word) for word in words))


def hardly_spoken_of(unknown: float, words: Sequence[str]) -> str:
    """The doubt that names the `words` which a passage lacks; "" if they have 0.4 (1 − `SUPPORT`)
    of the question's idf or less (`unknown`)."""
    if unknown <= 1 - SUPPORT:
        return ""
    return does_not_mention([POSSESSIVE.sub("", word) for word in words])


def does_not_mention(words: Sequence[str]) -> str:
    """The doubt that names words which a passage lacks; all are in quotes if one is not a name."""
    if any(word[:1].islower() and " " not in word for word in words):
        return f"the passage does not say {either([f'“{word}”' for word in words])}"
    return f"the passage does not mention {either(words)}"


def words_of(terms: Sequence[str], text: str, language: TermLanguage) -> list[str]:
    """The word of a text that each term comes from, also by its irregular past (die: died); the
    term itself in a language without blanks, and where no one word gives it."""
    written: dict[str, str] = {}
    for word in text.split():
        bare = word.strip(",.?!;:\"'")
        for term in (*language.terms(bare), *language.terms(past_form(bare.lower()))):
            written.setdefault(term, bare)
    return [
        written.get(term, term.replace("_", " ")) if language.spaced else term for term in terms
    ]
