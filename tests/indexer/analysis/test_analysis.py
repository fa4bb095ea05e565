"""Text to terms: hand-made expectations in three languages, and what must hold for any text."""

from __future__ import annotations

import subprocess
import sys
import unicodedata
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.analysis.english import tags
from indexer.analysis.text import pasted_question
from indexer.languages.chinese import CHINESE
from indexer.languages.english import ENGLISH
from indexer.languages.japanese import JAPANESE
from indexer.languages.registry import LANGUAGES

ANALYSERS = {code: language.analyser() for code, language in LANGUAGES.items()}
TEXTS = st.text(
    st.one_of(
        st.characters(codec="utf-8"),
        st.sampled_from(
            "。、！？「」ローマ帝国の王はaA1.!? 'İßﬁ㌔①ー々年人民的是和 \t\n\u3000\x85\x1c\u2028"
        ),
    ),
    max_size=60,
)


def test_japanese_terms_are_base_forms_without_particles() -> None:
    terms = ANALYSERS["ja"].terms("1492年にコロンブスが新大陸へ到達した。")
    assert terms == ["1492", "年", "コロンブス", "新大陸", "到達", "する"]


def test_japanese_nouns_leave_out_pronouns_and_dependent_nouns() -> None:
    assert ANALYSERS["ja"].nouns("それはコロンブスの到達した時のことである。") == [
        "コロンブス",
        "到達",
    ]


def test_full_width_and_half_width_give_the_same_terms() -> None:
    assert ANALYSERS["ja"].terms("ＧＤＰは１９４５年") == ANALYSERS["ja"].terms("gdpは1945年")


def test_symbols_of_numbers_stay_symbols_in_japanese() -> None:
    assert ANALYSERS["ja"].nouns("次の①～④のうち") == ["次"]
    assert "1" not in ANALYSERS["ja"].terms("下線部①について")
    assert ANALYSERS["ja"].nouns("１～４のうち") == ["1", "4"]


def test_all_that_mecab_calls_a_symbol_stays_one() -> None:
    """Against MeCab itself: every number of Unicode's category `No` that NFKC changes, asked before
    and after."""
    from indexer.analysis.japanese import first_node

    numbers = [c for c in map(chr, range(0x20000)) if unicodedata.category(c) == "No"]
    changed = [c for c in numbers if unicodedata.normalize("NFKC", c) != c]
    features = {c: node.feature for c in changed if (node := first_node(c).next)}
    symbols = [c for c, feature in features.items() if feature.startswith("記号")]
    assert len(symbols) > 100
    assert [c for c in symbols if ANALYSERS["ja"].terms(c)] == []


@pytest.mark.parametrize("name", ["三十年戦争", "ウマイヤ朝", "東インド会社"])
def test_japanese_glossary_names_are_one_term_and_one_noun_more(name: str) -> None:
    text = f"{name}は古い。それは{name}だ"
    plain, named = ANALYSERS["ja"], JAPANESE.analyser({name: name})
    assert name not in plain.terms(text)
    assert named.nouns(text).count(name) == 2
    assert [term for term in named.terms(text) if term != name] == plain.terms(text)


def test_a_katakana_name_is_not_cut_out_of_a_longer_word() -> None:
    assert "イタリ" not in JAPANESE.analyser({"イタリ": "イタリ"}).terms("イタリアの都市")


@given(
    name=st.text(st.sampled_from("国際連合ローマ a1.,-(\t\u3000"), min_size=1, max_size=4),
    text=st.text(st.sampled_from("国際連合ローマの。 a1.,-(\t\u3000\n"), max_size=12),
)
def test_any_glossary_name_suits_mecab(name: str, text: str) -> None:
    terms = JAPANESE.analyser({name: name, "国際連合": "国際連合"}).terms(f"{text}国際連合 {text}")
    assert all(term.split() == [term] for term in terms)


def test_japanese_sentences_end_with_their_closing_bracket() -> None:
    assert ANALYSERS["ja"].sentences("彼は「来た。」と言った。次の文！最後") == [
        "彼は「来た。」",
        "と言った。",
        "次の文！",
        "最後",
    ]


def test_english_terms_are_stems_without_stop_words_and_possessives() -> None:
    assert ANALYSERS["en"].terms("The Emperor's armies were conquering Pātañjali") == [
        "emperor",
        "armi",
        "conquer",
        "patanjali",
    ]


def test_english_terms_have_no_accents_and_no_ligatures() -> None:
    assert ENGLISH.analyser().terms("Cæsar’s Phœnician façade") == ["caesar", "phoenician", "facad"]


def test_a_stem_that_is_empty_is_no_term() -> None:
    assert ANALYSERS["en"].terms("s 's") == []


def test_english_nouns_are_told_by_a_tagger() -> None:
    nouns = ANALYSERS["en"].nouns(
        "Choose the one correct sentence from 1-4. The Emperor's armies were conquering Hungary"
    )
    assert nouns == ["sentenc", "emperor", "armi", "hungari"]


def test_the_tagger_is_textblob_s_own() -> None:
    from textblob.en import tag

    sentence = "Suleiman the Magnificent quickly conquered the Kingdom of Hungary in 1526 , did he ?".split()
    assert [(word, own) for word, own in zip(sentence, tags(sentence), strict=True)] == tag(
        " ".join(sentence), False
    )


@pytest.mark.parametrize(
    ("sentence", "word", "tag"),
    [
        ("They wanted to report it .", "report", "VB"),  # NN VB PREVTAG TO
        ("The losses were followed by riots .", "followed", "VBN"),  # VBD VBN NEXTWD by
        ("He left before , not after .", "before", "RB"),  # IN RB RBIGRAM before ,
        ("It was as tall as a tower .", "as", "RB"),  # IN RB WDAND2AFT as as
    ],
)
def test_the_words_around_change_a_tag(sentence: str, word: str, tag: str) -> None:
    words = sentence.split()
    assert tags(words)[words.index(word)] == tag


@pytest.mark.process
def test_only_english_nouns_load_the_tagger_and_nltk_never_loads() -> None:
    program = (
        "import sys; sys.modules['nltk'] = None; from indexer.languages.english import ENGLISH; from indexer.analysis.english "
        "import _tagger; "
        "en = ENGLISH.analyser(); en.terms('Rome'); print(_tagger.cache_info().currsize); "
        "print(en.nouns('Rome fell'))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.split("\n")[:2] == ["0", "['rome']"]


def test_english_glossary_names_are_one_term_and_one_noun_more() -> None:
    named = ENGLISH.analyser({"Thirty Years' War": "Thirty Years' War", "Concise": "Concise"})
    assert named.terms("the Thirty Years' War's end") == [
        "thirty_years_war",
        "thirti",
        "year",
        "war",
        "end",
    ]
    nouns = ["thirty_years_war", "thirti", "year", "war", "concis"]
    assert [
        noun for noun in named.nouns("after Thirty Years' War, concise and quick") if noun in nouns
    ] == [noun for noun in nouns if noun != "thirti"]


def test_an_alias_is_the_term_that_it_stands_for() -> None:
    english = ENGLISH.analyser(
        {"United Nations": "United Nations", "UN": "United Nations", "Old Nick": "Nick"}
    )
    assert english.terms("UN") == ["united_nations", "un"]
    assert english.terms("Old Nick") == ["old", "nick"]
    assert JAPANESE.analyser({"国連": "国際連合"}).terms("国連の本部") == [
        "国際連合",
        *ANALYSERS["ja"].terms("国連の本部"),
    ]
    assert CHINESE.analyser({"北大": "北京大学"}).terms("北大的学生")[0] == "北京大学"


def test_english_sentences_do_not_end_at_abbreviations_and_initials() -> None:
    text = "Mr. J. Smith joined the U.S. Army. He died in 44 B.C. The war went on. etc. and so on."
    assert ANALYSERS["en"].sentences(text) == [
        "Mr. J. Smith joined the U.S. Army.",
        "He died in 44 B.C.",
        "The war went on. etc. and so on.",
    ]


def test_initials_before_a_word_that_opens_sentences_end_one() -> None:
    sentences = ["They moved to Rome, D.C.", "If so, they came at 5 p.m.", "Roe left."]
    assert ANALYSERS["en"].sentences(" ".join(sentences)) == sentences


def test_english_sentences_do_not_end_at_a_number_that_begins_them() -> None:
    text = "1604. Olaf died. 1610–12. War with Mora. It ended in 1612. Peace came."
    assert ANALYSERS["en"].sentences(text) == [
        "1604. Olaf died.",
        "1610–12. War with Mora.",
        "It ended in 1612.",
        "Peace came.",
    ]


@pytest.mark.parametrize(
    "sentence",
    [
        "See Fig. 3 of the map.",
        "Compare Figs. 3 and 4.",
        "The walls (cf. p. 12) fell.",
        "As Eq. 4 and Sect. 2.1 say, it holds.",
        "It is in Vols. I and II, Chap. IV.",
        "It is No. 5 of them.",
        "Metals, e.g. Iron, rust.",
        "Mt. Etna and approx. 40 villages burned.",
        "Messrs. Lee and Dr. Roe met Maj. Fox.",
        "The diary of T.E. Roe and George H.W. Fox was lost.",
    ],
)
def test_an_abbreviation_before_a_number_or_name_ends_no_sentence(sentence: str) -> None:
    assert ANALYSERS["en"].sentences(f"{sentence} More follows.") == [sentence, "More follows."]


@pytest.mark.parametrize("sentence", ["He said no.", "It is a fig.", "It is a work of art."])
def test_a_word_that_is_also_an_abbreviation_ends_a_sentence(sentence: str) -> None:
    assert ANALYSERS["en"].sentences(f"{sentence} Then he left.") == [sentence, "Then he left."]


def test_chinese_terms_keep_latin_and_digits_whole() -> None:
    terms = ANALYSERS["zh"].terms("iPhone12的作者是杨可桢")
    assert terms[:2] == ["iphone12", "作者"]


def test_chinese_nouns_are_told_by_tag() -> None:
    assert ANALYSERS["zh"].nouns("北京大学的学生迅速奔跑") == ["北京大学", "学生"]


def test_chinese_glossary_names_are_one_noun_more() -> None:
    assert CHINESE.analyser({"机械设计基础": "机械设计基础"}).nouns("机械设计基础的作者") == [
        "机械设计基础",
        *ANALYSERS["zh"].nouns("机械设计基础的作者"),
    ]


@pytest.mark.parametrize("language", LANGUAGES)
@given(text=TEXTS)
def test_terms_suit_both_engines(language: str, text: str) -> None:
    for term in ANALYSERS[language].terms(text):
        assert term == term.lower() or not term.isascii()
        assert term.split() == [term]
        assert 0 < len(term) <= 255


@pytest.mark.parametrize("language", ["ja", "en"])
@given(text=TEXTS, name=st.text(st.sampled_from("国王aA1 'ﬁŐ"), max_size=5))
def test_nouns_are_among_the_terms(language: str, text: str, name: str) -> None:
    for each in (ANALYSERS[language], LANGUAGES[language].analyser({name: name})):
        assert not Counter(each.nouns(text)) - Counter(each.terms(text))


@given(
    text=st.text(
        st.sampled_from("北京大学的学生在2017年用gdp数据分析了这本书，。！ 三国演义人口"),
        max_size=40,
    )
)
def test_chinese_nouns_are_among_the_terms(text: str) -> None:
    assert not Counter(ANALYSERS["zh"].nouns(text)) - Counter(ANALYSERS["zh"].terms(text))


@pytest.mark.parametrize("language", LANGUAGES)
@given(text=TEXTS)
def test_sentences_lose_nothing_but_blanks(language: str, text: str) -> None:
    sentences = ANALYSERS[language].sentences(text)
    assert all(sentence.strip() == sentence != "" for sentence in sentences)
    assert "".join("".join(sentences).split()) == "".join(text.split())


@pytest.mark.parametrize(
    "invisible",
    ["\u00ad", "\u034f", "\u200b", "\u200e", "\u2060", "\ufe0f", "\ufeff", "\U000e0100"],
)
def test_what_nobody_sees_is_no_part_of_a_term(invisible: str) -> None:
    assert ANALYSERS["en"].terms(f"Sama{invisible}rkand") == ["samarkand"]
    assert ANALYSERS["ja"].terms(f"大{invisible}阪") == ["大阪"]
    assert ANALYSERS["zh"].terms(f"中{invisible}国") == ANALYSERS["zh"].terms("中国")


@pytest.mark.parametrize(
    ("pasted", "question"),
    [
        ("Who wrote\r\n  the Almagest?", "Who wrote the Almagest?"),
        ("Ｗｈｏ　ｗｒｏｔｅ the Almagest？", "Who wrote the Almagest?"),
        ("Who wrote\u00a0the Al\u00admagest?", "Who wrote the Almagest?"),
        ("アルマゲストを\n書いたのは誰か？", "アルマゲストを書いたのは誰か？"),
        ("ＧＤＰとは何か", "ＧＤＰとは何か"),
    ],
)
def test_a_pasted_question_is_one_line(pasted: str, question: str) -> None:
    assert pasted_question(pasted) == question
