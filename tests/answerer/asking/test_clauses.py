"""A claim is surely true only if one clause of a sentence says it: not with the subject, object,
place or date of another clause, nor with an owner for what is owned."""

from __future__ import annotations

import pytest

from answerer.ntcir.claims.english.statement import is_stated
from answerer.ntcir.claims.wording import base_terms
from indexer.languages.english import ENGLISH

STEM = base_terms(ENGLISH.analyser().terms)


@pytest.mark.parametrize(
    ("sentence", "true", "false"),
    [
        (
            "Moen shared the workshop with Tessel, who later painted Moen's sister Greta.",
            ["Did Tessel paint Greta?", "Did Tessel paint Moen's sister?"],
            ["Did Moen paint Greta?", "Did Tessel paint Moen?"],
        ),
        (
            "Ottilie Brandt, a weaver who had studied dyeing in Aarhus, started a school in Malmo.",
            ["Did Brandt study dyeing in Aarhus?", "Did Brandt start a school in Malmo?"],
            ["Did Brandt study dyeing in Malmo?", "Did Brandt start a school in Aarhus?"],
        ),
        (
            "Jonas Petri built his organ in Fulda, and Klara Weiss built her organ in Passau.",
            ["Did Petri build his organ in Fulda?", "Did Weiss build her organ in Passau?"],
            ["Did Petri build his organ in Passau?", "Did Weiss build her organ in Fulda?"],
        ),
        (
            "Pieter Vos studied botany in Leiden and planted a garden in Delft.",
            ["Did Vos study botany in Leiden?", "Did Vos plant a garden in Delft?"],
            ["Did Vos study botany in Delft?", "Did Vos plant a garden in Leiden?"],
        ),
        (
            "Rosa Lind was born in Turku and was buried in Vaasa.",
            ["Was Rosa Lind born in Turku?", "Was Rosa Lind buried in Vaasa?"],
            ["Was Rosa Lind born in Vaasa?", "Was Rosa Lind buried in Turku?"],
        ),
        (
            "The lighthouse, painted in Cork in 1850, was designed in Dublin by Liam Daly.",
            ["Was the lighthouse painted in Cork?", "Was the lighthouse designed in Dublin?"],
            ["Was the lighthouse painted in Dublin?", "Was the lighthouse designed in Cork?"],
        ),
        (
            "Diallo sold the estate to Okoro, who drained the marsh and planted rice.",
            ["Did Okoro drain the marsh?", "Did Okoro plant rice?"],
            ["Did Diallo drain the marsh?", "Did Diallo plant rice?"],
        ),
        (
            "The bishop hired Anton Graf, who carved the altar, and retired to Linz.",
            ["Did Anton Graf carve the altar?", "Did the bishop retire to Linz?"],
            ["Did the bishop carve the altar?", "Did Anton Graf retire to Linz?"],
        ),
        (
            "The surveyor who mapped the coast taught drawing in Leith.",
            ["Did the surveyor map the coast?", "Did the surveyor teach drawing in Leith?"],
            ["Did the surveyor map the coast in Leith?"],
        ),
        (
            "Lars Holm, having caught the whale off Iceland, drew the whale in Bergen.",
            ["Did Lars Holm draw the whale in Bergen?"],
            ["Did Lars Holm catch the whale in Bergen?"],
        ),
        (
            "Old Parr’s nephew Hugh invented a loom.",
            ["Did Hugh invent a loom?", "Did Old Parr's nephew invent a loom?"],
            ["Did Old Parr invent a loom?"],
        ),
        (
            "Marta Ruiz, the sister of Diego Ruiz, climbed Aconcagua.",
            ["Did Marta Ruiz climb Aconcagua?", "Did the sister of Diego Ruiz climb Aconcagua?"],
            ["Did Diego Ruiz climb Aconcagua?"],
        ),
    ],
)
def test_what_another_clause_says_is_not_stated(
    sentence: str, true: list[str], false: list[str]
) -> None:
    claims = [*true, *false]
    assert [claim for claim in claims if is_stated(claim, sentence, STEM)] == true
