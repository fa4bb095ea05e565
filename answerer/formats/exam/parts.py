"""Parts of an exam as the paper prints them, which choice is wanted, and the table that answers go
into."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from typing import Literal, NamedTuple

from indexer.languages.language import Language

Asks = Literal["T", "F"]
Kind = Literal["underline", "wavy", "statement", "gap", "picture", "reference"]
Target = Literal["underline", "statement", "gap", "data", "picture", "missing"]


class TextSpan(NamedTuple):
    """A marked part of a text, from character `start` up to `end`.

    `underline`: a phrase that references point to; `wavy`: the underlined part of a choice, which
    is what the choice asserts; `statement`: a labelled sentence; `gap`: an empty place, showing its
    label; `picture`: the description of a picture, labelled with its field, or the empty place of
    one that the file only names, which is its label; `reference`: a printed mark that refers to
    something else, with the `id`, the kind (`target`) and the words (`phrase`, none for gaps and
    pictures) of its target.
    """

    kind: Kind
    id: str
    label: str
    start: int
    end: int
    target: Target | None = None
    phrase: str = ""


class MarkedText(NamedTuple):
    """Text as a candidate reads it: references and gaps show their labels, lines break where the
    paper breaks them."""

    plain: str = ""
    spans: tuple[TextSpan, ...] = ()


def expand(text: MarkedText, *targets: Target) -> MarkedText:
    """The text with references to these kinds of target replaced by the words there, and spans
    moved accordingly. Without kinds: underlined phrases, statements and data. A reference without
    words, or that begins inside another replaced one, keeps its printed label. Returns the object
    itself if no reference is replaced."""
    replaced: list[TextSpan] = []
    for span in text.spans:
        wanted = span.kind == "reference" and span.target in (
            targets or ("underline", "statement", "data")
        )
        if wanted and span.phrase and not (replaced and span.start < replaced[-1].end):
            replaced.append(span)
    if not replaced:
        return text
    plain = text.plain
    for span in reversed(replaced):
        plain = plain[: span.start] + span.phrase + plain[span.end :]
    growth = [(span.end, len(span.phrase) - (span.end - span.start)) for span in replaced]
    moved = []
    for span in text.spans:
        start, end = (
            offset + sum(more for last, more in growth if last <= offset)
            for offset in (span.start, span.end)
        )
        moved.append(span._replace(start=start, end=end))
    return MarkedText(plain, tuple(moved))


class Choice(NamedTuple):
    """A choice without its printed number; `number` is its `ansnum`, in half-width digits. `label`
    is the label that a file of plain questions prints (②, ア), of which `number` is the plain
    form."""

    number: str
    text: MarkedText
    label: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExamQuestion:
    """One answer column of an exam: what is asked, and all that the paper prints with it.

    `answer_column` is the file's (it repeats where years are merged in one file). `data` are the
    question's own tables and sentences, `passages` those of the whole section. `asks` is "F" where
    the wrong choice is wanted. `together` are all answer columns of the question where it has
    several. `pictures` is true if every choice is a picture. A question without `choices` cannot be
    answered, but its column belongs into the answer table.
    """

    answer_column: str
    answer_type: str = ""
    asks: Asks = "T"
    instruction: MarkedText
    data: tuple[MarkedText, ...] = ()
    choices: tuple[Choice, ...]
    passages: tuple[MarkedText, ...] = ()
    together: tuple[str, ...] = ()
    pictures: bool = False


class Exam(NamedTuple):
    """An exam file. `name` is the file's name without .xml (an answer table's @filename). `notes`
    are what was odd but readable, each one line with file and line number. `is_plain` is true of
    questions that are not exam XML: they have no answer columns to fill, and are answered with rows
    of id, label and text. `title` is an exam's own id, "" without one."""

    name: str
    language: Language
    questions: tuple[ExamQuestion, ...]
    notes: tuple[str, ...]
    is_plain: bool = False
    title: str = ""


_SENTENCE_END = re.compile(r"[。．.?？!！](?:\s|(?=[^\s\d)])|$)|\n")
_JA_ASKS = re.compile(r"選|答え|どれ|マーク")
_EN_CHOOSING = re.compile(
    r"\b(?:choose|select|pick|identify|indicate|mark|tick|circle)\b"
    r"|\A\W*find(?= the (?:\w+ )?(?:statement|sentence|pair|option|answer|choice|one)\b)",
    re.IGNORECASE,
)
_QUOTED = re.compile(
    r"[「『“\"'‘(（]\s*(?:正|誤|in?correct|correct|true|false)\s*[」』”\"'’)）]", re.IGNORECASE
)
# Words by which instructions ask for the wrong choice, for the right one, and negated verbs.
_JA_WRONG = re.compile(
    r"誤っている|誤りを含|誤りの(?:ある|もの)|誤りが(?:ある|あり)|誤りで(?:ある|す)|誤った|誤りを"
    r"|誤文|[事史]実と異な|(?:適当|適切|妥当|正確|適合|相応)で(?:は)?な|正しく(?:は)?な|ふさわしく"
    r"(?:は)?な"
    r"|(?:当て|あて)はまらな|該当しな|含まれ(?:てい)?な|属さな|不適(?:当|切)|間違(?:って|い|った)"
    r"|(?:正しい|適切|適当|妥当)とは(?:言|い|限)[えら]な|(?:関係|関連|関わり)(?:の|が)(?:ない|薄い)"
    r"|適さな|まちが[っい]|あやまっ|(?:では"
    r"|で)(?:な|ありま)(?:い|かった|せん)(?:もの|事項|人物|国|語|文|組)|以外の"
    r"|不正解|違うもの[をはの]|例外[はを]"
)
_JA_RIGHT = re.compile(
    r"正しい(?!とは)|正しく(?!(?:は)?な)|(?<!不)適[当切]な|妥当な|ふさわしい|(?:当て|あて)はまる"
    r"|該当する|含まれる|(?:誤り|間違い|まちがい|あやまり)[のが](?:ない|無い|なく)"
)
_JA_NEGATED = re.compile(r"(?:ない|なかった)(?:もの|国|人|語|都市|王朝|事項|出来事|組|文)")
_EN_WRONG = re.compile(
    r"\b(?:incorrect(?:ly)?|inappropriate(?:ly)?|inaccurate(?:ly)?|erroneous(?:ly)?"
    r"|mistaken(?:ly)?|mistakes?"
    r"|errors?|false(?:ly)?|wrong(?:ly)?|untrue|unsuitable|inaccuracy|inaccuracies|falsehood"
    r"|invalid|faulty|misstate\w*|misrepresent\w*"
    r"|not\s+(?:the\s+)?(?:\w+\s+)?(?:correct(?:ly)?|appropriate(?:ly)?|true|accurate(?:ly)?"
    r"|suitable|right|fit|valid)"
    r"|least\s+(?:appropriate|accurate|suitable)|except(?! for\b)|odd one out"
    r"|(?<!with the )exception|nothing to do with)\b",
    re.IGNORECASE,
)
_EN_RIGHT = re.compile(
    r"(?<!not )(?<!not the )\b(?:correct(?:ly)?|appropriate(?:ly)?|true|accurate(?:ly)?"
    r"|suitable)\b",
    re.IGNORECASE,
)
_EN_NEGATED = re.compile(
    r"\bcannot\b|\b(?:is|are|was|were|did|does|do|has|have|had|could|can|should|would)"
    r"(?:\s+not\b(?!\s+only\b)|n['’]t\b)",
    re.IGNORECASE,
)
# A question without "choose" wants the false choice by its main clause alone ("which of them did X
# not do?"), not by a relative clause ("which test is for recruits who were not …?"), nor by a
# sentence that asks nothing.
_EN_QUESTION_NEGATED = re.compile(
    r"\b(?:all|each|any)(?: of)? (?:the following|these)\b[^.?!]*\bexcept\b(?! for\b)"
    r"|\bexcept[\W_]*$"
    r"|(?:^|[.,:;?!]\s+|\b(?:of|in|for|to|by|from|on|at|with)\s+)(?:which|what|who|where|when)\b"
    r"(?:(?!\b(?:who|whom|whose|that|which|because|if|when|while|as|but|why|how"
    r"|whether)\b)[^.?!;])*?"
    r"(?:\b(?:not|cannot|never)\b(?!\s+only\b|-)|n['’]t\b|\bha(?:s|ve|d) nothing to do with\b"
    r"|\bleast\s+(?:likely|accurate|appropriate|suitable|consistent|characteristic|typical|true"
    r"|correct|probable)\b"
    r"|\b(?:is|are|was|were)\s+(?:\w+ly\s+)?(?:incorrect|inaccurate|inappropriate|false|untrue"
    r"|wrong|mistaken|invalid|(?:an?|the) (?:mistake|error|exception|odd one out))\b"
    r"|\b(?:incorrect|inaccurate|inappropriate|false|untrue|wrong)\s+"
    r"(?:statement|sentence|description|answer|choice|option|one|combination|pair|match|claim"
    r"|conclusion|definition|example)"
    r"|\b(?:incorrect|wrong|false|inaccurate)ly\s+(?:describe|state|represent|explain|match|pair)"
    r"|\b(?:contain|ha[sv]|with)\w*\s+(?:an?\s+)?(?:mistake|error))",
    re.IGNORECASE,
)


_TRUE_OR_FALSE = re.compile(
    r"\b(?:correct|true)\W+(?:and|or|/)\W+(?:incorrect|false)\b|正誤|正しいか誤|正・誤|正、誤",
    re.IGNORECASE,
)


def asked_for(instruction: str, language: Language) -> Asks:
    """Detects from an instruction whether the wrong choice is to be chosen: "F" if so, else "T".

    The sentence that asks decides, or the whole instruction if that sentence says neither. In
    Japanese the last word of judgement in it counts (誤っているもの, 適当でないもの), in English
    the first from "choose" on ("contains a mistake", "incorrectly"), else a negated verb; in an
    English question without "choose" the negation of its main clause. The 誤 of 正誤の組合せ and
    of 誤りのない, "not only", and quoted words do not count. "T" in other languages.
    """
    text = _TRUE_OR_FALSE.sub(" ", _QUOTED.sub(" ", instruction))
    sentences = list(filter(None, _SENTENCE_END.split(text)))
    if language.code == "ja":
        for part in (" ".join(filter(_JA_ASKS.search, sentences)), text):
            wrong = max((match.end() for match in _JA_WRONG.finditer(part)), default=-1)
            right = max((match.end() for match in _JA_RIGHT.finditer(part)), default=-1)
            if wrong != right or _JA_NEGATED.search(part):
                return "F" if wrong >= right else "T"
    elif language.code == "en":
        choosing = [
            sentence[match.start() :]
            for sentence in sentences
            if (match := _EN_CHOOSING.search(sentence))
        ]
        if not choosing:
            return "F" if _EN_QUESTION_NEGATED.search(text) else "T"
        for part in (" ".join(choosing), text):
            wrong, right = (
                match.start() if (match := pattern.search(part)) else len(part)
                for pattern in (_EN_WRONG, _EN_RIGHT)
            )
            if wrong != right or _EN_NEGATED.search(part):
                return "F" if wrong <= right else "T"
    return "T"


_HEAD = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<!DOCTYPE answerTable SYSTEM "http://21robot.org/answerTable.dtd">\n'
)


def answer_table_text(filename: str, answers: Iterable[Sequence[str]]) -> str:
    """The XML text of a submission; `answers` are pairs (answer column, answer) in the exam's
    order."""
    rows = [
        f"<data>\n<answer>{escape(answer)}</answer>\n"
        f"<anscolumn_ID>{escape(column)}</anscolumn_ID>\n</data>\n"
        for column, answer in answers
    ]
    return f'{_HEAD}<answerTable filename="{escape(filename)}">\n{"".join(rows)}</answerTable>\n'
