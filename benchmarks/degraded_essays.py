"""Gold essays made worse in known steps, to test evaluation methods.

python benchmarks/degraded_essays.py samples/essay-en.gold.xml out/worse
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import click

from answerer.formats.answer_sheet import Expression, Sheet, read_sheet, write_sheet
from indexer.analysis.analyser import Analyser
from indexer.cli.program import run_program
from indexer.cli.types import SEED, Command, InputFile, LanguageCode, OutputPath
from indexer.files.atomic import write_all
from indexer.files.errors import UserError
from indexer.languages.language import Language

FAMILIES = ("dropped", "swapped", "shuffled", "off-topic", "stuffed")
_SHARES = (0.25, 0.5, 0.75)
_PIECES = re.compile(r"[ァ-ヺー]+|[一-龥々]+|[ぁ-ん]+|[^ァ-ヺー一-龥々ぁ-ん]+")


class Essay(NamedTuple):
    """A gold essay as its sentences, the keywords asked for, and sentences of the other essays of
    the sheet."""

    sentences: tuple[str, ...]
    keywords: tuple[str, ...]
    others: tuple[str, ...]
    language: Language

    def joined(self, sentences: Sequence[str]) -> str:
        return self.language.joiner.join(sentences)


def degraded(essay: Essay, family: str, chance: random.Random) -> list[str]:
    """An essay and its worse versions, best first, all different.

    dropped: a quarter, half, three quarters of its sentences taken out; swapped: as many put in
    from other essays, and none of its own left; shuffled: its sentences, then its words in another
    order; off-topic: half and all of it of other essays; stuffed: half of its sentences, then its
    keywords alone. An essay too short for a step goes without it.
    """
    size = len(essay.sentences)
    order = chance.sample(range(size), size)
    foreign = [chance.choice(essay.others) for _ in range(size)]

    def without(count: int, replaced: bool) -> str:
        gone = set(order[:count])
        kept = [
            foreign[place] if place in gone else sentence
            for place, sentence in enumerate(essay.sentences)
            if replaced or place not in gone
        ]
        return essay.joined(kept)

    steps = [round(size * share) for share in _SHARES]
    whole = essay.joined(essay.sentences)
    versions = {
        "dropped": [without(step, False) for step in steps if step < size],
        "swapped": [*(without(step, True) for step in steps if step < size), essay.joined(foreign)],
        "shuffled": [
            *([essay.joined(chance.sample(essay.sentences, size))] if size > 2 else []),
            _mixed_words(essay, chance),
        ],
        "off-topic": [*([without(size // 2, True)] if size > 1 else []), essay.joined(foreign)],
        "stuffed": [*([without(size // 2, False)] if size > 1 else []), "、".join(essay.keywords)],
    }
    return [text for text in dict.fromkeys([whole, *versions[family]]) if text]


def _mixed_words(essay: Essay, chance: random.Random) -> str:
    """The words in another order; in Japanese the runs of one script."""
    text = essay.joined(essay.sentences)
    words = text.split() if essay.language.uses_spaces else _PIECES.findall(text)
    chance.shuffle(words)
    return essay.joined(words)


def essays(sheet: Sheet, words: Analyser) -> dict[str, Essay]:
    """The first gold essay of each essay section that has one, by the section's id."""
    texts = {
        section.section_id: next(iter(section.answers[0].texts), "") for section in sheet.essays
    }
    sentences = {key: tuple(words.sentences(text)) for key, text in texts.items() if text}
    essay_of = {}
    for section in sheet.sections:
        if section.section_id in sentences:
            others = tuple(
                one for key, each in sentences.items() if key != section.section_id for one in each
            )
            essay_of[section.section_id] = Essay(
                sentences[section.section_id], section.keywords, others, sheet.language
            )
    return essay_of


@click.command(
    cls=Command, epilog="Example: python -m degraded_essays samples/essay-en.gold.xml out/worse"
)
@click.argument("gold_path", metavar="GOLD.xml", type=InputFile())
@click.argument(
    "folder",
    metavar="FOLDER",
    type=OutputPath(inside=tuple(f"{family}/*" for family in FAMILIES), files=False),
)
@click.option("--language", type=LanguageCode(), help="The language of a bilingual sheet.")
@click.option("--seed", type=SEED, default=0, help="Of what is dropped, swapped and shuffled [0].")
def main(gold_path: Path, folder: str, language: Language | None, seed: int) -> None:
    """Write gold essays in versions of known order: FOLDER/FAMILY/1.xml (best), 2.xml … and
    FAMILY/marks.tsv.

    Rank the files of a family with `answerer ntcir-evaluation-method`, and score the result against
    its marks with `evaluation ntcir-evaluation-method`. The families: dropped, swapped, shuffled,
    off-topic, stuffed.
    """
    sheet = read_sheet(gold_path, language)
    essay_of = essays(sheet, sheet.language.analyser())
    if len(essay_of) < 2:
        raise UserError(
            f"{gold_path}: {len(essay_of)} sections with a gold essay; expected two or more to "
            f"swap between"
        )
    files: list[tuple[Path, str | bytes]] = []
    for family in FAMILIES:
        chance = random.Random(f"{seed} {family}")
        versions = {key: degraded(essay, family, chance) for key, essay in essay_of.items()}
        marks = []
        for step in range(max(map(len, versions.values()))):
            name = f"{step + 1}.xml"
            texts = {key: each[step] for key, each in versions.items() if step < len(each)}
            answers = {key: _every_answer(sheet, key, text) for key, text in texts.items()}
            empty = {key: _every_answer(sheet, key, "") for key in versions if key not in texts}
            files.append((Path(folder) / family / name, write_sheet(sheet, answers | empty)))
            marks += [f"{key}\t{name}\t{-step}\n" for key in texts]
        files.append((Path(folder) / family / "marks.tsv", "".join(marks)))
    write_all(files)


def _every_answer(sheet: Sheet, section_id: str, text: str) -> list[list[Expression]]:
    section = sheet.section(section_id)
    return [[Expression(text)] for _ in section.answers] if section else []


if __name__ == "__main__":
    run_program(main, "python benchmarks/degraded_essays.py")
