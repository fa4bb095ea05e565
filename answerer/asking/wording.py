"""The question that an English text means: "Could you tell me who Akbar was?" asks who Akbar was,
"capital of Peru" what it is, "Who's" is "Who is", and "WW2" what the book calls World War II."""

from __future__ import annotations

import re

from answerer.ntcir.term.language import TermLanguage
from answerer.ntcir.term.questions import AUXILIARY, type_of_noun
from indexer.analysis.english import tags
from indexer.analysis.english_numbers import NUMBER_WORDS
from indexer.engines.contract import Index
from indexer.sources.textbook.schema import SENTENCES, holds_sentences
from retriever.queries import union_query

_LONGEST_PHRASE = 10  # words of a noun phrase that is read as a question
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")

_NUMBER = re.compile(r"\A\s*\d{1,3}[.)]\s+(?=\D)")
_GREETING = re.compile(
    r"\A\W*(?:(?:hi|hello|hey|good (?:morning|afternoon|evening)|dear \w+|ok(?:ay)?|so|well|please"
    r"|pl[sz]|excuse me|briefly|in (?:your|my) own words|q(?:uestion)?(?=:))\b"
    r"(?: there| all| everyone| siri| google| alexa)?(?:[,.!:]+\s+"
    r"|\s+(?=please|can|could|would|do|i|who|what|which|when|where|why|how|tell|explain|define"
    r"|describe)))+",
    re.IGNORECASE,
)
_THANKS = re.compile(
    r"[,.!?\s]+(?:please|pl[sz]|thanks|thank you|thx)(?: in advance)?\W*\Z", re.IGNORECASE
)
_YOU = r"(?:you|u|someone|anyone|anybody)"
_BOOK = r"(?:the|this|your|my) (?:book|text|textbook|chapter)"
_VERB = r"(?:is|are|was|were|do|does|did|has|have|had|ca|could|would|should)"
_ASKS = r"(?:who(?:m|se)?|what|which|when|where|why|how)\b"
# "I would like to know", "Can you tell me": only before a word that asks
_FRAME = re.compile(
    rf"(?:(?:can|could|would|will) {_YOU} (?:please )?(?:tell|remind|inform)"
    r"(?: (?:me|us))?|(?:please )?(?:tell|remind) (?:me|us)"
    r"|(?:can|could|would|will) you(?: please)?"
    r"(?= (?:explain|define|describe|tell (?:me|us) about)\b)"
    r"|(?:can|could|may) i (?:ask|know)(?: you)?"
    r"|(?:(?:i|we)(?:['’]d| would)? (?:just )?(?:like|love|want|need|wish) to|i must|let me) "
    r"(?:know|find out|ask)(?: you)?"
    rf"|(?:do|would|does|did) {_YOU} (?:happen to )?know"
    rf"|(?:(?:do|does) {_YOU} have )?any idea"
    rf"|does {_BOOK} (?:say|tell(?: me| us)?|mention)"
    r"|(?:i|we) (?:wonder|am wondering|was wondering)|i['’]m wondering"
    r"|(?:i|we) (?:do not|don['’]t) know)[,:]? ",
    re.IGNORECASE,
)
# "Can you give me", "Find", "I need": before a noun phrase that is asked for
_ORDER = re.compile(
    rf"(?:(?:can|could|would|will) {_YOU} )?(?:please )?"
    r"(?:(?:name|list|give|state|show|find|tell)(?: (?:me|us))?"
    r"|(?:i|we)(?:['’]d| would)? (?:just )?(?:(?:like|want|need|wish) to (?:know|find out)|need)"
    r"|(?:i am|i['’]m|we are|we['’]re) looking for)"
    rf" (?=(?:the|an?|all|some|any|at least|\d+|{'|'.join(sorted(NUMBER_WORDS))}) )"
    rf"|(?:do|does|did) {_YOU} (?:happen to )?know "
    r"(?=the \w+(?: \w+)? (?:of|in) )",
    re.IGNORECASE,
)
# not "who's been", not "Doctor Who's", and without an apostrophe not "the hows and whys"
_CONTRACTED = re.compile(
    r"((?:\A\W*|\b(?=[a-z]))(?i:who|what|when|where|how(?=['’])|why(?=['’])))['’]?s\b"
    r"(?! (?:been|got|had|done)\b)"
)
# "Akbar was a king, wasn't he?", "The capital of Peru is …"
_TAG = re.compile(
    rf"(?!{_ASKS}|{_VERB}\b)(?P<claim>.+), ?(?:right|correct|true|{_VERB}n['’]t \w+) ?\?\W*",
    re.IGNORECASE,
)
_UNFINISHED = re.compile(
    r"(?P<phrase>.+) (?P<be>is|was|are|were) ?(?:\?|:|…|\.\.\.)", re.IGNORECASE
)
_OR_NOT = re.compile(rf"(\A\W*{_VERB}\b.+?),? or not(?=\W*\Z)", re.IGNORECASE)
_ABOUT = re.compile(
    rf"(?:what (?:does|do) {_BOOK} (?:say|tell(?: us| me)?)"
    r"|what (?:do|can) you (?:know|tell (?:me|us))"
    r"|tell (?:me|us) (?:everything|all|more|something)(?: you know)?"
    r"|(?:some )?(?:info|information|facts)) (?:about|on|of) "
    rf"(?!.*\b{_ASKS})",
    re.IGNORECASE,
)
# "Akbar built it?", but not "It was built by ?"
_DECLARED = re.compile(
    rf"(?!\W*(?:can|will|may|might|{_VERB})\b)(?!.*\b{_ASKS})(?!.*__)(?P<claim>.+\w)"
    r"(?<! (?:by|of|in|at|on|to|is|an))(?<! (?:for|the|was|are|and))(?<! (?:from|with|were))\?+",
    re.IGNORECASE,
)
# "did the mill burn": the sign is forgotten, not a gap at the end
_POLAR = re.compile(rf"{AUXILIARY} [^.!?_]*[^\W_]", re.IGNORECASE)
_ASKS_OR_TELLS = re.compile(rf"{_ASKS}|(?:explain|define|describe|tell) ", re.IGNORECASE)
_WHETHER = re.compile(r"(?:whether(?: or not)?|if) (?=\w)", re.IGNORECASE)
# "who Akbar was": the order of a clause
_CLAUSE = re.compile(
    r"(?P<asks>who|what|where|when) (?P<subject>(?:(?!\b(?:is|was|are|were)\b).)+) "
    r"(?P<be>is|was|are|were)\b(?P<rest>(?: born| called| named)?\W*)",
    re.IGNORECASE,
)


def plain_question(text: str) -> str:
    """An English text without its number ("3.") and what only addresses the reader: greetings,
    thanks, "please", "or not", and "Can you tell me", "I want to know", "Does the book say" and the
    like before a word that asks ("who Akbar was" becomes "who was Akbar") or "whether" ("Is it true
    that"). "Who's", "whats" and the like are written out; "Can you give me", "Find", "I need" and
    the like before "the", "a" or a number become "Name"; "Tell me all about", "What do you know
    about", "Info on" "Tell me about"; a statement before ", right?" or ", isn't it?" is asked as
    "Is it true that"; "The capital of Peru is?" becomes "What is …?"; "did it burn" gets its "?".

    A noun phrase of at most 10 words, without a verb but behind "that", "which" or "who", becomes
    "What is …?" (so does a plural), or "Who was …?" if it names a person's part in something
    ("founder of Lyon", "Ann's son"). A birth, death or date that it asks for, also behind "What is"
    or with a word that may be a verb, is asked for by "When was Ann born?" and the like
    (`_RELATIONS`). Other texts, those without letters of the Latin alphabet, and "" are as they
    are."""
    if not re.search("[a-z]", text, re.IGNORECASE):
        return text
    plain = _without_courtesy(text).strip()
    question = _behind_frame(plain) or _on_phrase(plain)
    return question or (f"{plain}?" if _POLAR.fullmatch(plain) else plain or text)


def _without_courtesy(text: str) -> str:
    """A text without number, greeting, thanks and "or not", and "who's" written out."""
    plain = _NUMBER.sub("", text)
    plain = _THANKS.sub("?" if plain.rstrip().endswith("?") else "", plain)
    plain = _GREETING.sub("", plain, count=1)
    return _OR_NOT.sub(r"\1", _CONTRACTED.sub(r"\1 is", plain))


def _behind_frame(text: str) -> str:
    """The question in a text that orders it, declares it, or only begins with that it is asked; ""
    for other texts."""
    if order := _ORDER.match(text):
        rest = text[order.end() :]
        return _relation(rest) or f"Name {rest}"
    if about := _ABOUT.match(text):
        return f"Tell me about {text[about.end() :]}"
    if tag := _TAG.fullmatch(text):
        return f"Is it true that {tag['claim']}?"
    unfinished = _UNFINISHED.fullmatch(text)
    if unfinished and (phrase := _noun_phrase(unfinished["phrase"])):
        return f"What {unfinished['be']} {phrase}?"
    if not (frame := _FRAME.match(text)):
        return ""
    clause = text[frame.end() :]
    if whether := _WHETHER.match(clause):
        return f"Is it true that {clause[whether.end() :]}"
    if order := _CLAUSE.fullmatch(clause):
        return f"{order['asks']} {order['be']} {order['subject']}{order['rest']}"
    return clause if _ASKS_OR_TELLS.match(clause) else ""


def _on_phrase(text: str) -> str:
    """The question for what a noun phrase names, or for a relation also behind "What is"; "" for
    other texts."""
    phrase = _noun_phrase(text)
    if relation := _relation(phrase or _WHAT_IS.sub("", text)):
        return relation
    part = _PART.match(phrase)
    if part and type_of_noun((part["before"] or part["behind"]).lower()).name == "individual":
        return f"Who was {phrase}?"
    return f"What is {phrase}?" if phrase else ""


def declared(text: str) -> str:
    """An English question that only its mark makes one ("Akbar built it?") with a full stop for
    it; other texts, and one that ends with a preposition or the like, as they are."""
    match = _DECLARED.fullmatch(text.strip())
    return f"{match['claim']}." if match else text


_RELATIONS = (
    (r"(?:date|day|year|time) of birth|birth ?(?:date|day|year)", "When was {} born?"),
    (r"(?:date|day|year|time) of death|death (?:date|year)", "When did {} die?"),
    (r"place of birth|birth ?place", "Where was {} born?"),
    (r"place of death", "Where did {} die?"),
    (r"date", "When was {}?"),
)
_LONGEST_RELATION = 6  # words
_ASKS_OR_IS = rf"\b(?:{_ASKS}|(?:is|are|was|were|up to) )"
_WHAT_IS = re.compile(r"\W*what (?:is|was) (?:the )?", re.IGNORECASE)
# "founder of Lyon", "Ann's son"
_PART = re.compile(r"(?:the )?(?P<before>\w+) of [^,]+$|.+['’]s? (?P<behind>\w+)$")


def _relation(phrase: str) -> str:
    """What a phrase of up to six words asks for of `_RELATIONS`, as a question; "" for others, as
    of no certain thing (a blind date), and for one with a word that asks or a form of "be"."""
    text = phrase.strip(" \t\n?!").removeprefix("the ")
    if text.count(" ") >= _LONGEST_RELATION or re.search(_ASKS_OR_IS, text, re.IGNORECASE):
        return ""
    for relation, question in _RELATIONS:
        pattern = (
            rf"(?:{relation}) of (?P<of>.{{2,}})|(?!an? )(?P<whose>.{{2,}}?)(?:['’]s?)?"
            rf" (?:{relation})"
        )
        if match := re.fullmatch(pattern, text, re.IGNORECASE):
            return question.format(match["of"] or match["whose"])
    return ""


def _noun_phrase(text: str) -> str:
    """A text that is a noun phrase and no sentence, with "the" before a noun with "of", "in" or a
    relative clause (the capital of Peru); "" for others."""
    phrase = re.sub(r"\AThe ", "the ", text.strip(' \t\n?!"“”'))
    words: list[str] = _WORD.findall(phrase)
    if not words or len(words) > _LONGEST_PHRASE or not re.fullmatch(r"[\w\s'’.&-]+", phrase):
        return ""
    if phrase.endswith(".") or re.search(rf"\b{_ASKS}", re.sub(r"\b(?:who|which) ", "", phrase)):
        return ""
    head, relative, _ = re.sub(r"\b(?:who|which)\b", "that", phrase).partition(" that ")
    kinds = tags(_WORD.findall(re.sub(r"(?<=\w)['’]s?\b", "", head)))
    if any(kind[:2] in ("VB", "MD", "WP", "WR", "WD") for kind in kinds):
        return ""
    if not kinds or not kinds[-1].startswith(("NN", "CD", "FW", "JJ")):
        return ""
    is_relation = relative or re.match(r"(?:the )?[a-z]+(?: [a-z]+)? (?:of|in) ", phrase)
    return f"the {phrase.removeprefix('the ')}" if is_relation else phrase


# names of one thing, of which a book uses one
_SAME = (
    ("World War I", "First World War", "World War One", "World War 1", "WWI", "WW1"),
    ("World War II", "Second World War", "World War Two", "World War 2", "WWII", "WW2"),
    ("United States", "USA", "U.S.A.", "U.S."),
    ("United Kingdom", "U.K.", "UK"),
    ("Soviet Union", "USSR", "U.S.S.R."),
    ("B.C.", "BC", "B.C.E.", "BCE"),
)
_WRITTEN = tuple(
    re.compile(
        rf"(?<![\w.])(?:the )?(?:{'|'.join(map(re.escape, sorted(names, key=len, reverse=True)))})"
        r"(?!\w)",
        re.IGNORECASE,
    )
    for names in _SAME
)
_SEARCHED = 100  # sentences that show which name a book uses


def in_words_of_book(text: str, index: Index, language: TermLanguage) -> str:
    """An English text with each name of `_SAME` (WW2, USSR …), in any case, and a "the" before it,
    as the name of the same thing that the most of the 100 best sentences of the book have, ties by
    the order of the list; as it is where none has one, in other languages, and for an index without
    sentences."""
    if not language.spaced or not holds_sentences(index.metadata):
        return text
    for names, written in zip(_SAME, _WRITTEN, strict=True):
        if not written.search(text):
            continue
        terms = sorted({term for name in names for term in language.terms(name)})
        (hits,) = index.part(SENTENCES.name).search([union_query(terms)], _SEARCHED)
        texts = [hit.document.text for hit in hits]
        counts = {
            name: sum(
                bool(re.search(rf"(?<![\w.]){re.escape(name)}(?!\w)", text)) for text in texts
            )
            for name in names
        }
        best = max(names, key=counts.__getitem__)
        if counts[best]:
            text = written.sub(best, text)
    return text
