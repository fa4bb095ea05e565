"""Words for true and false, and the form in which answers are compared."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

TRUE_WORDS = frozenset(
    "true t yes richtig wahr vrai v verdadero cierto verdadeiro vero верно да prawda waar juist "
    "sant rätt doğru "
    "正しい 正 ○ 〇 ◯ ⭕ ✅ はい 对 對 正确 正確 √ ✓ ✔ 是 참".split()
)
"""Words for what is true, in lower case."""
FALSE_WORDS = frozenset(
    "false f no falsch faux falso неверно нет fałsz onwaar onjuist falskt fel yanlış 誤り "
    "誤 間違い 正しくない × ✕ ✖ ✗ ✘ ❌ いいえ 错 錯 错误 錯誤 否 거짓".split()
)
"""Words for what is false, in lower case."""


def either(words: Iterable[str]) -> str:
    """Alternatives of a regular expression, to be grouped, for any of the words, the longer ones
    first; "" for none."""
    return "|".join(sorted(map(re.escape, words), key=len, reverse=True))


def fold_answer(text: str) -> str:
    """The text as answers are compared with choices: NFKC, lower case, single blanks, no full
    stops at its end."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split()).rstrip(".。 ")


def truth(text: str) -> bool | None:
    """True for a word for true, False for a word for false (in many languages, perhaps in quotation
    marks), None for other texts."""
    word = fold_answer(text).strip("'\"“”‘’ ")
    if word in TRUE_WORDS:
        return True
    return False if word in FALSE_WORDS else None
