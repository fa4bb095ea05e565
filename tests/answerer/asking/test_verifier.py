"""A sentence contradicts a claim by its roles, polarity, opposites, numbers or quantifiers."""

from __future__ import annotations

import pytest

from answerer.ntcir.claims.english.differences import differences
from answerer.ntcir.claims.wording import base_terms
from indexer.languages.english import ENGLISH

TERMS = ENGLISH.analyser().terms

BASE = base_terms(TERMS)


def parts(claim: str, sentence: str) -> list[str]:
    return [difference.part for difference in differences(claim, sentence, TERMS)]


@pytest.mark.parametrize(
    ("claim", "sentence", "part"),
    [
        ("Did Ayr defeat Perth?", "Perth defeated Ayr in the cup of 1923.", "roles"),
        ("Was Perth defeated by Ayr?", "Perth defeated Ayr in the cup of 1923.", "roles"),
        ("Did Ayr defeat Perth?", "Ayr was defeated by Perth in 1923.", "roles"),
        ("Did the mayor paint the bridge?", "The mayor never painted the bridge.", "negation"),
        ("Did the town forbid boats?", "The town allowed boats on the lake.", "opposite"),
        ("Did Ayr win the cup?", "Ayr lost the cup to Perth.", "opposite"),
        ("Is Ayr larger than Perth?", "Ayr is smaller than Perth.", "opposite"),
        ("Was the bridge built in 1920?", "The bridge was built in 1931.", "number"),
        ("Did the town build three mills?", "The town built five mills.", "number"),
        ("Did the town build 24 mills?", "The town built twenty-five mills.", "number"),
        ("Do all herons migrate?", "Some herons migrate in the autumn.", "quantifier"),
        ("Do herons have teeth?", "Herons are birds that have no teeth.", "negation"),
        ("Is the colour due to genes?", "Food, and not her genes, decides the colour.", "negation"),
        ("Is the mill run by wind?", "Water rather than wind turns the mill.", "negation"),
        ("Did Ayr buy the mill from Perth?", "Perth bought the mill from Ayr.", "roles"),
        (
            "Did the third mayor build the mill?",
            "The third mayor drank, and the fourth mayor built the mill.",
            "rival",
        ),
        ("Is the heron small?", "The bittern is small, and the heron is large.", "rival"),
        ("Did Ida follow Olaf?", "The head was Olaf. He followed Ida in 1901.", "roles"),
        ("Did Ida follow Olaf?", "Olaf was the son of Ida. He followed Ida in 1901.", "roles"),
        ("Did Ida follow Olaf?", "Olaf was the head, but he followed Ida in 1901.", "roles"),
        ("Were fewer than 100 boats sold?", "In May, 126 boats were sold.", "number"),
        ("Were no fewer than 100 boats sold?", "In May, 26 boats were sold.", "number"),
        ("Was the mill built before 1820?", "The mill was built in 1850.", "number"),
        ("Was the mill built between 1800 and 1820?", "The mill was built in 1850.", "number"),
        ("Did boats run after 90 days?", "Boats ran after 30 days.", "number"),
        ("Is Ayr larger than Perth?", "Perth is larger than Ayr.", "roles"),
        ("Was Ida the second mayor of Ayr?", "Ida was the first mayor of Ayr.", "number"),
        ("Did the council pass the plan?", "The council refused to pass the plan.", "negation"),
        ("Are newts unable to hear?", "The newts are able to hear.", "opposite"),
        ("Did herons don't migrate?", "Herons migrate in the autumn.", "negation"),
        ("Did herons migrate?", "Herons don’t migrate.", "negation"),
        ("Did newts can't hear?", "Newts can hear in water.", "negation"),
        ("Did Ida build the Red Mill?", "Olaf built the Red Mill and Ida the White Mill.", "rival"),
        ("Did the council approve the canal?", "The council banned the canal.", "opposite"),
        ("Did prices rise in May?", "Prices dropped in May.", "opposite"),
    ],
)
def test_what_contradicts(claim: str, sentence: str, part: str) -> None:
    assert part in parts(claim, sentence)


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        ("Did Perth defeat Ayr?", "Perth defeated Ayr in the cup of 1923."),
        ("Did herons don't have teeth?", "Geese have no teeth. Herons are alike."),
        ("Did herons lack teeth?", "Geese have no teeth. Herons are alike."),
        ("Were the newts that Ida saw dead?", "Ida saw not living newts but dead ones."),
        ("Was Ayr defeated by Perth?", "Perth defeated Ayr in the cup of 1923."),
        ("Did Perth defeat Ayr?", "Ayr was defeated by Perth in 1923."),
        ("Did in the cup Ayr lose to Perth?", "In the cup, Perth won over Ayr."),
        ("Did the town allow boats?", "The town allowed boats on the lake."),
        ("Did Perth live by the sea?", "Perth lived by the sea, and Ayr by a lake."),
        ("Did Perth lose the cup?", "Perth lost the cup to Ayr."),
        ("Was the bridge built in 1931?", "The bridge was built in 1931, and widened in 1950."),
        (
            "Did the fourth mayor build the mill?",
            "The third mayor drank, the fourth mayor built it.",
        ),
        ("Did the smith improve the engine?", "The engine was improved by a Scottish engineer."),
        ("Is Ayr the first port?", "The talks of Ayr on the port lasted a week."),
        ("Did the town build 24 mills?", "The town built twenty-four mills."),
        ("Did Muir paint the view in 1923?", "The view, painted in 1923 by Muir, hung here."),
        ("Did Olaf follow Ida?", "The head was Olaf. He followed Ida in 1901."),
        ("Does the port own two iron cranes?", "The port owns six steel cranes, two iron cranes."),
        ("Were fewer than 200 boats sold?", "In May, 126 boats were sold."),
        ("Were no more than 200 boats sold?", "In May, 126 boats were sold."),
        ("Were 150 boats sold?", "Fewer than 200 boats were sold."),
        ("Were boats sold?", "No fewer than 200 boats were sold."),
        ("Was the mill built before 1820?", "The mill was built in 1810."),
        ("Was the mill built in 1810?", "The mill was built before 1820."),
        ("Was the mill built by 1820?", "The mill was built in 1810."),
        ("Was the mill built between 1800 and 1820?", "The mill was built in 1810."),
        ("Did Ayr win the cup?", "Ayr defeated Perth in the final of the cup."),
        ("Did Ida build the mill?", "Ida not only built the mill but also ran it."),
        ("Have the boats no limit?", "The boats are unlimited."),
        ("Is the mill run by water instead of wind?", "Water rather than wind turns the mill."),
        ("Did the mayor help Ida?", "The clerk, the brother of Ida, helped the mayor."),
        ("Did the mayor help Ida?", "Ida taught because rich patrons helped the mayor."),
        ("Did Ayr live by the sea?", "Ayr lived by the sea and its herring."),
        ("Did northern mills burn southern coal?", "Northern mills burnt coal of the South."),
        ("Did Ida build the White Mill?", "Olaf built the Red Mill and Ida the White Mill."),
        ("Have red cells a wall?", "This drug is weak; it cannot cross the wall of red cells."),
        ("Does rain raise the lake?", "Rain raises the lake; the mayor cannot raise the bridge."),
        ("Did Muir write the song?", "The song, written mainly by Muir, is long."),
        (
            "Did Ayr withdraw from South Holm?",
            "North Holm and Ayr left; Ayr withdrew from South Holm.",
        ),
        ("Are paper blots not used for peas?", "Wax is used for paper blots."),
        ("Is no link known between rain and hours of sleep?", "We know no link of sleep and rain."),
        ("Did cells secrete gel?", "Once cut, cells become gel-secreting pieces."),
        ("Did 25 percent of ants sting?", "A quarter of ants sting, 40 percent of bees fly."),
        ("Does Ayr own more mills than Perth?", "Perth owns fewer mills than Ayr."),
        # each end has its own clause
        (
            "Does the tip of the reed answer low notes?",
            "The base of the reed answers high notes and the tip of the reed answers low notes.",
        ),
        ("Does dry malt give less beer?", "Less beer comes of wet malt or dry malt."),
        ("Is the wool gene cut?", "The common marker gene, the wool gene, is cut."),
        ("Can a barge hold a bigger mill?", "A barge holds a larger mill, so a smaller crew does."),
        ("Is a mill that misses its wheel a hull?", "A hull is a mill without its wheel."),
        ("Is there no mill that does not turn?", "All mills turn."),
        # of other things nothing is said
        ("Was the bridge built in 1920?", "The mill has five wheels."),
        ("Is Venus a planet?", "Venus is a planet."),
        ("", ""),
    ],
)
def test_what_does_not(claim: str, sentence: str) -> None:
    assert parts(claim, sentence) == []


def test_a_past_that_looks_like_a_noun_is_a_verb() -> None:
    (difference,) = differences("Did Ayr overtake Perth?", "The Perth boat overtook Ayr.", BASE)
    assert difference.part == "roles"
