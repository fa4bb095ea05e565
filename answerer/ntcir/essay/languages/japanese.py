"""Essays in Japanese."""

from __future__ import annotations

import re
from collections.abc import Sequence

from answerer.ntcir.essay.languages.japanese_clauses import clauses

SILENT = (
    "字 以内 程度 以下 説明 述べる 論述 論じる 記す 記述 語句 語 用いる 使う 必ず 一度 回 次 下記 以上 つ "
    "解答 回答 欄 まとめる 挙げる あげる 答える 具体 例 具体例 際 その 下線 付す 関する 関連 ついて つく 対する する "
    "いる ある れる こと もの 簡潔 次の 述べよ 記せ せよ なさる なさい 文 文章"
)
STOP = "。"
WEIGHTS = "weights-ja.json"
FURTHER_SIGNALS: tuple[str, ...] = ("log share of paragraphs alike", "first place in the section", "katakana")
CHOSEN_FROM = 40
_OPENING = re.compile(
    r"^(?:しかし|しかしながら|また|なお|一方|一方で|そして|さらに|ただし|だが|例えば|たとえば|そこで|"
    r"このように|こうして|ところが|つまり|したがって|従って|すなわち|それでも|その後)、"
)
_ASIDE = re.compile(r"[(（\[［][^()（）\[\]［］]*[)）\]］]")
_UNFIT = re.compile(r"[?？][」』）)]*$|^[「『]|私|僕|我々")
_LEANING = re.compile(
    r"^(?:これ|それ|あれ|この|その|こう|そう|ここ|そこ|かれ|彼|同(?:[年月日時氏地国様]|じ)|両[者国軍]|[前後]者|翌[年月日]|"
    r"のちに?|後に|やがて|まもなく|間もなく|以[後来降]|当時|次い|続い|続け|さらに|また|しかし|そして|だが|一方|なお|ただし|"
    r"ほか|他[のに]|特に|とくに|(?:なか|中)でも|結果|結局|ついに|いずれ|いわば)|"
    r"^[0-9０-９一二三四五六七八九十数]+(?:年|[かヶカ]月|日|世紀)後|"
    r"^[^、。]{0,12}(?:これら?|それら?|この|その|こうした|そうした)(?![ぁ-ん]{4})"
)
_SUBJECT = re.compile(r"[はがもを]")


def is_fit(text: str) -> bool:
    return not _UNFIT.search(text)


def leans(text: str) -> bool:
    return _LEANING.search(text) is not None


def bare(text: str) -> str:
    return _OPENING.sub("", _ASIDE.sub("", text))


def finished(text: str) -> str:
    return text if re.search(r"[。！？!?][」』）)]*$", text) else text + STOP


def shorter(text: str) -> list[str]:
    """Runs of its clauses."""
    return clauses(text)


def cuts(text: str) -> list[str]:
    """Endings from a comma on."""
    starts = [match.end() for match in re.finditer("、", text)]
    return [text[start:] for start in starts if _SUBJECT.search(text[start:-4]) and len(text) - start >= 15]


def closing(names: Sequence[str]) -> str:
    return f"ほかに{'・'.join(names)}も関わる。"


def listed(names: Sequence[str]) -> str:
    return f"{'・'.join(names)}。"
