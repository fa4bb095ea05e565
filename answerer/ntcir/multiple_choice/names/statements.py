"""Statements as the features see them: their names, resolved by the index, the terms around these, and their books."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from answerer.ntcir.multiple_choice.shapes import ChoiceStatement
from indexer.analysis import Analyser
from indexer.engines.contract import Index
from indexer.entities import Mention
from indexer.files.arrays import Float64Array
from indexer.files.errors import UserError
from indexer.statistics.part import EVERY, decode_book, neighbour_words
from retriever.association.claims import NameClaim, NamedEntity
from retriever.association.counts import EntityCounts, counted_by_this_version
from retriever.association.features import found_by
from retriever.queries import analyser_of, glossary_of, language_of

_REACH = 40  # characters on either side of a name in which the words beside it are looked for
_WHOLE = "(statement)"
_SMOOTHING = 0.05  # of all that is found, as it would be found by chance, beside what each block has
_ENOUGH = 0.5  # of the greatest ratio: a block with that is as good a home
_SHARPNESS = 4.0  # power of what a block has of enough


class _Read(NamedTuple):
    """An analysed statement: its mentions, and its terms.

    For each mention, `keys` are the possible entity keys, `beside` the previous and the next word.
    """

    statement: ChoiceStatement
    mentions: tuple[Mention, ...]
    keys: tuple[tuple[str, ...], ...]
    beside: tuple[tuple[str, str], ...]
    terms: tuple[str, ...]


class Claims(NamedTuple):
    """Statements resolved against an index: `claims` for the features, `labels` of their names in the same order.

    `places` maps a label to the character span (start, end) of the name's first mention, without words that are not
    part of a name. `home` is the result of `home_of`.
    """

    claims: list[NameClaim]
    labels: list[list[str]]
    places: list[dict[str, tuple[int, int]]]
    counts: EntityCounts
    home: Float64Array | None = None


def read_claims(statements: Sequence[ChoiceStatement], index: Index, questions: Sequence[int] | None = None) -> Claims:
    """Resolves the names of statements by the part `names` of an index, with two requests.

    A name unknown as a whole is looked up by its parts (a surname); a capital letter at the start of a sentence counts
    only if the index knows the name. An unknown name of several terms, and a gap filler that is not a known name, are
    replaced by the sentences with all their terms. `questions` has the number of each statement's question; None means
    that each statement is a separate question. Raises UserError if the index counted no names, or was counted by
    another version of the program.
    """
    if not any(part.name == "names" for part in index.metadata.parts):
        raise UserError(
            f"the index {index.address} has no names: build it again without --no-names, or use --method slqal"
        )
    analyser, recogniser = analyser_of(index), language_of(index).recogniser(glossary_of(index))
    read = []
    for statement in statements:
        mentions = list(recogniser.mentions(statement.text))
        for start, end in statement.fillers:  # what fills a gap is judged, recognised as a name or not
            if not any(_touches(mention, start, end) for mention in mentions):
                surface = statement.text[start:end]
                mentions.append(Mention(start, end, surface, surface.lower()))
        mentions.sort()
        # The whole name first, then its parts, such as a surname.
        keys = tuple((mention.key, *recogniser.parts(mention.key)) for mention in mentions)
        beside = tuple(neighbour_words(statement.text, mention.start, mention.end) for mention in mentions)
        read.append(_Read(statement, tuple(mentions), keys, beside, tuple(analyser.terms(statement.text))))
    all_keys = sorted({key for each in read for keys in each.keys for key in keys})
    all_terms = sorted({term for each in read for term in each.terms})
    words = sorted({EVERY, *(word for each in read for both in each.beside for word in both)})
    with counted_by_this_version(index):
        counts = EntityCounts(decode_book(index.part("names"), all_keys, all_terms, words))
    resolved = [_claim(each, counts, analyser) for each in read]
    claims = [claim for claim, _, _ in resolved]
    home = home_of(claims, range(len(claims)) if questions is None else questions, counts)
    return Claims(claims, [labels for _, labels, _ in resolved], [places for _, _, places in resolved], counts, home)


def _touches(mention: Mention, start: int, end: int) -> bool:
    return mention.start < end and start < mention.end


def _claim(
    read: _Read, counts: EntityCounts, analyser: Analyser
) -> tuple[NameClaim, list[str], dict[str, tuple[int, int]]]:
    """The claim of one statement, with the labels of its names and the character span of each label.

    Names come once, in order of first mention; without fillers the whole statement is added as a last, unjudged entry.
    """

    def rows(terms: Sequence[str]) -> frozenset[int]:
        return frozenset(counts.term_row[term] for term in terms if term in counts.term_row)

    statement = read.statement
    names: dict[int | str, NamedEntity] = {}
    labels: dict[int | str, str] = {}
    places: dict[str, tuple[int, int]] = {}
    asserted: set[str] = set()
    all_terms = rows(read.terms)
    for mention, keys, words in zip(read.mentions, read.keys, read.beside, strict=True):
        if any(_touches(mention, *span) for span in statement.asserted):
            asserted.update(keys)
        surface = analyser.terms(mention.surface)
        own = rows(surface)
        is_filler = any(_touches(mention, *span) for span in statement.fillers)
        row = next((counts.name_row[key] for key in keys if key in counts.name_row), -1)
        if row < 0 and (is_filler or (mention.span is None and len(own) == len(set(surface)) > 1)):
            # Wherever all its terms occur in one sentence, the name is taken to occur.
            row = counts.phrase_row(own)
        if row < 0 and not mention.sure:
            continue  # perhaps only the capital letter at the beginning of the sentence
        name: int | str = row if row >= 0 else mention.key
        if name in names:
            names[name] = names[name]._replace(own=names[name].own | own)
            continue
        labels[name] = counts.keys[row] if row >= 0 else mention.key
        places[labels[name]] = mention.start, mention.end
        # The two terms on either side; a word that the reach cuts in two is left out.
        before, after = statement.text[: mention.start], statement.text[mention.end :]
        if len(before) > _REACH:
            before = before[-_REACH:].partition(" ")[2] or before[-_REACH:]
        if len(after) > _REACH:
            after = after[:_REACH].rpartition(" ")[0] or after[:_REACH]
        local = rows([*analyser.terms(before)[-2:], *analyser.terms(after)[:2]]) & all_terms
        names[name] = NamedEntity(
            row, own, mention.span, tuple(sorted(local - own)), is_filler, years=mention.years, beside=words
        )
    if not statement.fillers:  # what is put into a gap is judged alone; else the names in asserted spans, or all
        inside = [name for name in names if labels[name] in asserted] or list(names)
        names = {name: named._replace(judged=name in inside) for name, named in names.items()}
        names[_WHOLE] = NamedEntity(-1, frozenset(), whole=True)
        labels[_WHOLE] = _WHOLE
    return NameClaim(tuple(names.values()), tuple(sorted(all_terms))), list(labels.values()), places


def home_of(claims: Sequence[NameClaim], questions: Sequence[int], counts: EntityCounts) -> Float64Array | None:
    """Collection selection: the weight of each block of the book for each claim, (claims, blocks), at most 1.

    The claims of a question share weights. With r the block's fraction of the passages retrieved by all terms of the
    question's statements, divided by its fraction of all passages: blocks with r at least half the greatest r weigh 1,
    others (r / half the greatest) to the fourth power; all weigh 1 if nothing is retrieved. None if the book is a
    single block. After federated search, which ranks collections by a sample of each ([SiCallan]).
    """
    blocks, sizes = counts.paragraph.terms.blocks
    if len(sizes) < 2 or not claims:
        return None
    retrieved = np.zeros((max(questions) + 1, len(sizes)))
    for claim, question in zip(claims, questions, strict=True):
        passages, shares = found_by(counts.paragraph, np.array(claim.terms, np.int64))
        retrieved[question] += np.bincount(blocks[passages], shares, len(sizes))
    usual = sizes / sizes.sum()
    nothing = ~retrieved.any(axis=1, keepdims=True)
    # Where nothing is found the chance of a block is its size.
    share = np.where(nothing, usual, retrieved / (retrieved.sum(axis=1, keepdims=True) + nothing))
    ratio = (share + _SMOOTHING) / (usual + _SMOOTHING)
    home = np.minimum(1.0, ratio / ratio.max(axis=1, keepdims=True) / _ENOUGH) ** _SHARPNESS
    return np.asarray(home[np.asarray(questions)], float)
