"""What essays need to know of a language: the patterns of its sentences, and how its sentences are
shortened."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from answerer.ntcir.essay.shortening import english_forms, japanese_clauses, japanese_endings
from indexer.languages.chinese import CHINESE
from indexer.languages.english import ENGLISH
from indexer.languages.japanese import JAPANESE
from indexer.languages.language import Language
from indexer.languages.registry import offered_for


@dataclass(frozen=True, slots=True, kw_only=True)
class EssayLanguage:
    """What the essay tasks need for one language.

    `task_words` are words about the essay itself, separated by blanks; `stop` ends a sentence;
    `weights` is the file name of the default model, which has `further_features` besides
    `concepts.FEATURES`; `solved_from` is the number of sentences given to the integer program.
    `capital` is true if sentences begin with a capital letter. Patterns: `ended` (a complete end),
    `opening` and `aside` (words to remove), `unfit` (not for an essay), `anaphoric` (depends on the
    previous sentence). `shorter_forms(text, tight)` gives shortened versions of a cleaned sentence;
    `tight` allows fragments. `clause` is the template of the closing sentence that lists unused
    keywords, separated by `joints` (all but the last, the last).
    """

    task_words: str
    stop: str
    weights: str
    further_features: tuple[str, ...]
    solved_from: int
    ended: re.Pattern[str]
    capital: bool
    opening: re.Pattern[str]
    aside: re.Pattern[str]
    unfit: re.Pattern[str]
    anaphoric: re.Pattern[str]
    shorter_forms: Callable[[str, bool], list[str]]
    clause: str
    joints: tuple[str, str]

    def is_fit(self, text: str) -> bool:
        """True if a sentence fits an essay: no question or quotation and not in the first person,
        in English also no heading (without an end, or in capitals) and not in the second. All
        Chinese ones fit."""
        return not self.unfit.search(text)

    def bare(self, text: str) -> str:
        """A sentence without asides in brackets and without an opening connective; Chinese ones
        keep both."""
        return self.opening.sub("", self.aside.sub("", text)).strip()

    def depends_on_previous(self, text: str) -> bool:
        """True if a sentence, without an opening connective, has a word near its beginning that
        refers to a previous one (anaphora)."""
        return self.anaphoric.search(self.bare(text)) is not None

    def clean(self, text: str) -> str:
        """The `bare` sentence, ending as a sentence does (`with_stop`)."""
        return self.with_stop(self.bare(text))

    def with_stop(self, text: str) -> str:
        """The text without any of " ,;:、—–" at both ends, with an initial capital (if the language
        has capitals) and, unless its end is complete, a final stop. Returns "" if nothing else is
        left."""
        text = text.strip(" ,;:、—–")
        if not text:
            return ""
        text = text[0].upper() + text[1:] if self.capital else text
        return text if self.ended.search(text) else text + self.stop

    def closing_clause(self, names: Sequence[str]) -> str:
        """A sentence that only names the keywords (at least one) that no other sentence uses."""
        before, last = self.joints
        return self.clause.format(
            last.join([before.join(names[:-1]), names[-1]] if names[1:] else names)
        )

    def keyword_list(self, names: Sequence[str]) -> str:
        """The bare list of keywords with a final stop, for a limit too short for a clause."""
        return self.joints[0].join(names) + self.stop


_ENGLISH = EssayLanguage(
    task_words="write explain describe discuss identify analyze analyse summarize summarise "
    "compare contrast state "
    "outline essay answer question word english least less no more than use using all keyword "
    "keywordsshown "
    "shown below following above section give example list role factor explanation brief include "
    "including",
    stop=".",
    weights="weights-en.json",
    further_features=(),
    solved_from=25,  # 40 did not gain
    ended=re.compile(r"[.!?][\"”’')]*$"),
    capital=True,
    opening=re.compile(
        r"^(?:However|For example|For instance|Moreover|Furthermore|In addition|Additionally|Thus"
        r"|Therefore|Indeed|"
        r"Nevertheless|Nonetheless|Meanwhile|Also|Consequently|In fact|Similarly|Likewise|Still"
        r"|Finally|Hence|"
        r"As a result|In other words|On the other hand|Of course),\s+(?=\w)|^(?:And|But),?\s+(?=\w)"
    ),
    aside=re.compile(r"\s*[(\[][^()\[\]]*[)\]]"),
    # Questions, quotations, the first person, and headings: without an end, or with three words in
    # capitals.
    unfit=re.compile(
        r"\?[\"”’')]*$|^[“\"‘]|\b(?:I|[Ww]e|[Uu]s|[Oo]urs?|[Yy]ours?|[Yy]ou|[Mm]y)\b|"
        r"^(?!(?s:.*)[.!][\"”’')\]]*$)|(?:\b[A-Z]{2,}\b[^a-z]*){3}"
    ),
    anaphoric=re.compile(
        r"^(?:It|Its|They|Their|Them|Themselves|He|His|Him|She|Her|Hers|Such|Another|Others?"
        r"|Neither|Then|Thereafter|"
        r"Afterwards?|Later|Soon|Eventually|Subsequently|Instead|Yet|Nor|Here|So|That|Both(?! "
        r"[\w-]+ and\b))\b|"
        r"^The (?:former|latter|others?|next|following|same|result|results)\b|"
        r"^(?:When|As|While|After|Before|Although|Though|Once|Since|Because|If|Where|Like|Unlike) "
        r"(?:it|they|them|he|him|she|her)\b|"
        r"^(?:[\w-]+ ){1,3}(?:later|earlier|afterwards?)\b|^[A-Z]\w+ the (?:next|following|same"
        r"|previous|ensuing)\b|"
        r"^(?:\S+ ){0,5}(?:[Tt]his|[Tt]hese|[Tt]hose(?! who\b| of\b| that\b)|such(?! as\b))\b"
    ),
    shorter_forms=english_forms,
    clause="Also relevant: {}.",
    joints=(", ", " and "),
)
_JAPANESE = EssayLanguage(
    task_words="字 以内 程度 以下 説明 述べる 論述 論じる 記す 記述 語句 語 用いる 使う 必ず 一度 "
    "回 次 下記 以上 つ "
    "解答 回答 欄 まとめる 挙げる あげる 答える 具体 例 具体例 際 その 下線 付す 関する 関連 "
    "ついて つく 対する する "
    "いる ある れる こと もの 簡潔 次の 述べよ 記せ せよ なさる なさい 文 文章",
    stop="。",
    weights="weights-ja.json",
    further_features=("first place in the section", "katakana"),
    solved_from=40,  # 60 did not gain significantly
    ended=re.compile(r"[。！？!?][」』）)]*$"),
    capital=False,
    opening=re.compile(
        r"^(?:しかし|しかしながら|また|なお|一方|一方で|そして|さらに|ただし|だが|例えば|たとえば"
        r"|そこで|このように|こうして|ところが|つまり|したがって|従って|すなわち|それでも|その後)、"
    ),
    aside=re.compile(r"[(（\[［][^()（）\[\]［］]*[)）\]］]"),
    unfit=re.compile(r"[?？][」』）)]*$|^[「『]|私|僕|我々"),
    anaphoric=re.compile(
        r"^(?:これ|それ|あれ|この|その|こう|そう|ここ|そこ|かれ|彼|同(?:[年月日時氏地国様]|じ)"
        r"|両[者国軍]|[前後]者|"
        r"翌[年月日]|のちに?|後に|やがて|まもなく|間もなく|以[後来降]|当時|次い|続い|続け|さらに"
        r"|また|しかし|そして|だが|"
        r"一方|なお|ただし|ほか|他[のに]|特に|とくに|(?:なか|中)でも|結果|結局|ついに|いずれ"
        r"|いわば)|^[0-9０-９一二三四五六七八九十数]+(?:年|[かヶカ]月|日|世紀)後|"
        r"^[^、。]{0,12}(?:これら?|それら?|この|その|こうした|そうした)(?![ぁ-ん]{4})"
    ),
    shorter_forms=lambda text, tight: (
        japanese_clauses(text) + (japanese_endings(text) if tight else [])
    ),
    clause="ほかに{}も関わる。",
    joints=("・", "・"),
)
_NEVER = re.compile("(?!)")
# Chinese sentences are taken unchanged, but for endings where the limit is tight.
_CHINESE = replace(
    _JAPANESE,
    task_words="",
    opening=_NEVER,
    aside=_NEVER,
    unfit=_NEVER,
    anaphoric=re.compile(
        r"^(?:这|那|此|其|他|她|它|该|同[年月时样]|[之随而]后|后来|因此|于是|但|然而|不过|而且"
        r"|另外)"
    ),
    shorter_forms=lambda text, tight: japanese_endings(text) if tight else [],
)
_LANGUAGES: Mapping[Language, EssayLanguage] = {
    ENGLISH: _ENGLISH,
    JAPANESE: _JAPANESE,
    CHINESE: _CHINESE,
}


def essay_language(language: Language) -> EssayLanguage:
    """The essays of a language. Raises UserError if essays are not written in it."""
    return offered_for(_LANGUAGES, language, "essays are written")
