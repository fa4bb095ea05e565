"""What kind of thing a word names (a person, a place, a work …), for questions and column headings alike."""

from __future__ import annotations

import re
from collections.abc import Sequence

from answerer.datasearch.words import words

_LISTS = {
    "person": "who person people man woman player driver rider actor actress director author writer artist singer musician"
    " performer name candidate member minister president governor mayor king queen ruler coach manager captain athlete"
    " winner champion runner swimmer skater golfer jockey politician representative senator deputy incumbent contestant"
    " competitor wrestler boxer pitcher batsman opponent partner composer producer host character leader chairman"
    " astronaut pilot scorer owner officer 人 氏名 名前 選手",
    "place": "where country nation city town village state province region county district location place venue stadium"
    " site area continent island municipality arena address headquarters hometown birthplace constituency territory"
    " ground park airport station 国 都道府県 市区町村 地域 場所 市町村",
    "time": "when year date day month season time period week term era decade released opened 年 年次 年度 月 日",
    "work": "title song single album track film movie show series episode book play game publication novel program role"
    " production programme video poem composition recording",
    "group": "team club party company organisation organization school university college band group network airline"
    " agency manufacturer brand label studio league church union publisher nationality opponent constructor sponsor"
    " distributor institution",
    "event": "race tournament competition event championship match game round cup election olympics festival award"
    " meeting open convention mission battle conference",
    "number": "number amount total population attendance points score rank position height length area elevation size"
    " percent rate cost price revenue income expense goals votes seats wins losses average capacity distance weight speed"
    " duration margin gdp count 人口 数 率 割合 額 面積",
    "thing": "building ship vessel locomotive engine model type car aircraft plane weapon class species bridge lake river"
    " mountain road street route canal tower railway station device chip version product language religion color",
}
KINDS = tuple(_LISTS)
_KIND_OF: dict[str, tuple[str, ...]] = {}
for _kind, _list in _LISTS.items():
    for _word in words(_list):
        _KIND_OF[_word] = (*_KIND_OF.get(_word, ()), _kind)

_ALIKE = (
    "song single track title",
    "movie film title",
    "show production title series program",
    "country nation nationality",
    "city town location place venue",
    "team club opponent",
    "player name",
    "person name",
    "rider driver name",
    "year date season",
    "opponent team versus vs",
    "stadium venue site ground location arena",
    "place location venue",
    "competition event tournament championship",
    "race tournament event grand prix",
    "position rank place pos finish",
    "score result",
    "points pts total",
    "attendance crowd",
    "album title",
    "constituency electorate district",
    "percent percentage share pct",
    "company manufacturer airline carrier",
    "time date",
    "expense cost",
    "revenue income",
    "employee worker",
    "size area",
    "length distance long",
    "height elevation tall",
    "wins win w won",
    "losses loss l lost",
    "role character",
    "award category",
    "winner champion",
    "day date",
    "game match",
    "party affiliation",
    "lake name",
    "building name",
    "ship name",
    "mission name flight",
    "chart peak",
    "network channel",
    "inhabitants residents people live lives populous populated population",
    "long longest shortest length time duration distance",
    "old oldest youngest age",
    "oldest earliest newest latest year date built opened founded established completed",
    "tall tallest highest height elevation altitude",
    "far farthest furthest distance",
    "big biggest largest smallest area size",
    "heavy heaviest lightest weight mass",
    "fast fastest slowest speed time",
    "expensive cheapest price cost",
    "seats seat people capacity",
    "grossing gross",
    "deep deepest depth",
    "lowest low minimum least",
    "highest high maximum peak most",
    "rich richest wealth",
    "popular votes rating",
    "crop commodity",
    "male man boy",
    "female woman girl",
)
_ALIKE_OF: dict[str, frozenset[str]] = {}
for _line in _ALIKE:
    _group = words(_line)
    for _word in _group:
        _ALIKE_OF[_word] = _ALIKE_OF.get(_word, frozenset()) | frozenset(_group) - {_word}

_NAME = re.compile(
    r"[^\W\d_][\w.'’-]*(?: (?:van|von|de|der|da|di|al|bin|la|le|du|del))*(?: [A-Z][\w.'’-]*){1,3}(?: ?[(†*].*)?"
)


def kinds_of(found: Sequence[str]) -> frozenset[str]:
    """The kinds that words name; none for words that are not known."""
    return frozenset(kind for word in found for kind in _KIND_OF.get(word, ()))


def alike(word: str) -> frozenset[str]:
    """Words that head a column where a question uses this one."""
    return _ALIKE_OF.get(word, frozenset())


def shape(cells: Sequence[str]) -> str:
    """What most cells of a column look like: names, quoted, places (with a comma), codes, long or words."""
    filled = [cell for cell in cells[:60] if cell]
    if not filled:
        return "empty"
    half = len(filled) / 2
    if sum(cell[0] in "\"“'「『" for cell in filled) > half:
        return "quoted"
    if sum(len(cell) > 60 for cell in filled) > half:
        return "long"
    if sum("," in cell for cell in filled) > half:
        return "with commas"
    if sum(bool(_NAME.fullmatch(cell)) for cell in filled) > half:
        return "names"
    if sum(len(cell) <= 4 for cell in filled) > half:
        return "codes"
    return "words"
