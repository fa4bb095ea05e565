"""Texts in three languages, made by rule from a seed: sentences, repeats that tie, long paragraphs;
and queries."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from indexer.engines.contract import Document, Metadata, Part, Query, QueryTerm
from indexer.languages.language import Language

PART = Part("sentences", ("text",), ("paragraph", "title"))
SENTENCES = 400
PATTERNS: dict[Language, Sequence[str]] = {
    "ja": (
        "{year}年、{person}は{place}で{thing}を始めた。",
        "{place}の{thing}は{person}によって{place}へ伝えられた。",
        "{person}と{person}が{year}年に{place}で結んだ{thing}を何というか。",
        "{place}では{thing}と{thing}が盛んになり、{person}がこれを保護した。",
    ),
    "zh": (
        "{year}年,{person}在{place}开始了{thing}。",
        "{place}的{thing}由{person}传到{place}。",
        "{person}和{person}于{year}年在{place}签订了{thing}。",
        "{place}的{thing}和{thing}十分繁荣,受到{person}的保护。",
    ),
    "en": (
        "In {year}, {person} began the {thing} in {place}.",
        "The {thing} of {place} was brought to {place} by {person}.",
        "{person} and {person} agreed on the {thing} at {place} in {year}.",
        "In {place}, {thing} and {thing} flourished, and {person} protected them.",
    ),
}
NAMES: dict[Language, dict[str, Sequence[str]]] = {
    "ja": {
        "person": (
            "カエサル",
            "始皇帝",
            "ナポレオン",
            "アクバル",
            "鄭和",
            "スレイマン1世",
            "フビライ",
            "エカチェリーナ2世",
        ),
        "place": (
            "ローマ",
            "長安",
            "パリ",
            "デリー",
            "イスタンブル",
            "モスクワ",
            "カイロ",
            "サマルカンド",
            "東京",
            "ロンドン",
        ),
        "thing": (
            "貿易",
            "改革",
            "条約",
            "革命",
            "宗教",
            "農業",
            "税制",
            "印刷術",
            "科挙",
            "羅針盤",
            "遠征",
            "議会",
        ),
    },
    "zh": {
        "person": (
            "凯撒",
            "秦始皇",
            "拿破仑",
            "阿克巴",
            "郑和",
            "苏莱曼一世",
            "忽必烈",
            "叶卡捷琳娜二世",
        ),
        "place": (
            "罗马",
            "长安",
            "巴黎",
            "德里",
            "伊斯坦布尔",
            "莫斯科",
            "开罗",
            "撒马尔罕",
            "东京",
            "伦敦",
        ),
        "thing": (
            "贸易",
            "改革",
            "条约",
            "革命",
            "宗教",
            "农业",
            "税制",
            "印刷术",
            "科举",
            "指南针",
            "远征",
            "议会",
        ),
    },
    "en": {
        "person": (
            "Caesar",
            "Qin Shi Huang",
            "Napoleon",
            "Akbar",
            "Zheng He",
            "Suleiman I",
            "Kublai",
            "Catherine II",
        ),
        "place": (
            "Rome",
            "Chang'an",
            "Paris",
            "Delhi",
            "Istanbul",
            "Moscow",
            "Cairo",
            "Samarkand",
            "Tokyo",
            "London",
        ),
        "thing": (
            "trade",
            "reforms",
            "treaty",
            "revolution",
            "religion",
            "farming",
            "taxes",
            "printing",
            "compass",
        ),
    },
}


class Corpus(NamedTuple):
    """Documents that all have terms, and queries made of their terms."""

    language: Language
    documents: Sequence[Document]
    queries: Sequence[Query]

    @property
    def terms(self) -> dict[str, Sequence[str]]:
        return {document.doc_id: document.terms["text"] for document in self.documents}

    @property
    def metadata(self) -> Metadata:
        return Metadata(
            "textbook", (PART,), self.language, {"unit": "sentence"}, (("made", SENTENCES),)
        )


@cache
def corpus(language: Language, queries: int) -> Corpus:
    """The corpus of a language with that many queries of 1 to 12 terms, some of them of no
    document."""
    chance = random.Random(f"corpus {language}")
    sentences = [_sentence(chance, language) for _ in range(SENTENCES)]
    texts = [*sentences, *chance.choices(sentences, k=60)]
    texts += ["".join(chance.choices(sentences, k=length)) for length in (3, 9, 30, 100)]
    terms_of = language.analyser().terms
    documents = []
    for number, text in enumerate(texts):
        terms = [*terms_of(text), *["𠮷" * 200 * (number % 97 == 0)]]
        keys = {"paragraph": [f"p{number // 7}"], "title": [f"{language} {number % 5}", "all"]}
        entry = Document(
            f"made-{number * 7919 % 10_007:05d}",
            text,
            {"text": [*filter(None, terms)]},
            keys,
            str(number),
        )
        documents.append(entry)
    vocabulary = sorted({term for document in documents for term in document.terms["text"]})
    made = [_query(chance, vocabulary, number) for number in range(queries)]
    return Corpus(language, documents, made)


def _sentence(chance: random.Random, language: Language) -> str:
    """A sentence by one of the patterns; early names are frequent, late ones rare."""
    sentence = chance.choice(PATTERNS[language.code])
    for kind, names in NAMES[language.code].items():
        while f"{{{kind}}}" in sentence:
            name = names[int(chance.random() ** 2 * len(names))]
            sentence = sentence.replace(f"{{{kind}}}", name, 1)
    return sentence.replace("{year}", str(chance.randrange(1400, 1900)))


def _query(chance: random.Random, vocabulary: Sequence[str], number: int) -> Query:
    """Every third query has weights, every fifth a condition, every seventh a term twice, every
    ninth a strange one."""
    terms = chance.choices(vocabulary, k=chance.randint(1, 12))
    weights = [chance.choice((0.25, 0.5, 2.0, 3.0)) if number % 3 == 0 else 1.0 for _ in terms]
    asked = [QueryTerm("text", term, weight) for term, weight in zip(terms, weights, strict=True)]
    if number % 7 == 0:
        asked.append(asked[0])
    if number % 9 == 0:
        asked.append(QueryTerm("text", "unheard-of"))
    where = ("paragraph", ("p3", "p11", "p30", "nowhere")) if number % 5 == 0 else None
    return Query(tuple(asked), where)
