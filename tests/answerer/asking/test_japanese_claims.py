"""A sentence contradicts a Japanese claim by its particles, opposites, negation or dates."""

from __future__ import annotations

import pytest

from answerer.asking.command import ask
from answerer.ntcir.claims.japanese.differences import differences, has_opposite
from answerer.ntcir.claims.japanese.statement import is_stated, lacks_noun
from answerer.ntcir.claims.verdict import verify
from answerer.ntcir.claims.wording import DERIVED, japanese_share
from answerer.ntcir.term.candidates import retrieve
from answerer.ntcir.term.language import index_language
from answerer.ntcir.term.questions import read_question
from indexer import build_textbook
from indexer.engines.contract import Index
from indexer.engines.opening import open_index
from indexer.languages.japanese import JAPANESE


def parts(claim: str, sentence: str) -> list[str]:
    return [difference.part for difference in differences(claim, sentence)]


@pytest.mark.parametrize(
    ("claim", "sentence", "part"),
    [
        ("大阪は京都を破りましたか", "京都は1923年に大阪を破った。", "roles"),
        ("町は島から港に移りましたか", "町は港から島に移った。", "roles"),
        ("市長は橋を廃止しましたか", "市長は橋を導入した。", "opposite"),
        ("大阪は京都に敗れましたか", "大阪は京都を破った。", "opposite"),
        ("市長は橋を渡りましたか", "市長は橋を渡らなかった。", "negation"),
        ("市長は橋を渡りませんでしたか", "市長は橋を渡った。", "negation"),
        ("橋は1920年に建ちましたか", "橋は1931年に建った。", "number"),
        ("市長は14歳で橋を渡りましたか", "市長は5歳で橋を渡った。", "number"),
        ("橋は90万ドルでしたか", "橋は1億900万ドルだった。", "number"),
        ("市長は船を沈めましたか", "市長は船に沈められた。", "roles"),
        ("橋は前3世紀に建ちましたか", "橋は前2世紀に建った。", "number"),
        ("町の人は五万人ですか", "町の人は五万二千人だ。", "number"),
        ("町はすべての橋を壊しましたか", "町は橋の75%を壊した。", "quantifier"),
        ("修理は五年かかりましたか", "修理は安永五年に始まり、五か月かかった。", "number"),
        ("灯台は1924年に建ちましたか", "灯台は大正十二年に建った。", "number"),
        ("灯台は大正11年に建ちましたか", "灯台は大正１２年に建った。", "number"),
        ("谷には電車が届いていましたか", "電車の届かない谷では、荷は馬で運ばれた。", "negation"),
        ("客は切符を買いましたか", "切符を買わずに乗った客は、駅で降ろされた。", "negation"),
        ("兄は茶を飲みましたか", "兄は茶を飲まず、弟は茶を飲んだ。", "negation"),
        ("兄は弟に勝ちましたか", "家では、弟が兄に勝ち、兄は泣いた。", "roles"),
        ("駅の時計は常に正しいですか", "駅の時計は遅れることもある。", "quantifier"),
        ("村の店はすべて朝に開きますか", "村の店は茶屋を除いて朝に開く。", "quantifier"),
        ("店は駅の北東にありますか", "店は駅の南東にある。", "opposite"),
        ("歯車は反時計回りに動きますか", "歯車は時計回りに動く。", "opposite"),
        ("橋の計画は成立しましたか", "橋の計画は、町の反対で成立を見なかった。", "negation"),
        ("苗は霜では死なないですか", "苗は霜で死滅する。", "negation"),
        ("苗は鉢では育てることができませんか", "苗は鉢でも育てることができる。", "negation"),
        ("港は北に、駅は南にありますか", "港は南に、駅は北にある。", "roles"),
        ("村杯は北組が作りましたか", "町の店は、町杯(北組)や村杯(南組)を作った。", "rival"),
        ("許しを願ったのは市長ですか", "村長は市長に許しを願った。", "roles"),
        ("鐘を作ったのは大工ですか", "画家は鐘を、大工は塔を作った。", "roles"),
        ("市長は兄に勝ちましたか", "兄は市長に勝った。", "roles"),
        ("茶の値段は上がりましたか", "茶の値段の低下により、店は混んでいる。", "opposite"),
        ("村の東にある山は白山ですか", "東は黒山、南は白山と境を接する。", "opposite"),
        ("鯉は人の住まない谷には住まないですか", "鯉は人の住まない谷にも住む。", "negation"),
        ("海戦では北軍が勝ちましたか", "南軍の船は海戦で北軍を破った。", "roles"),
        ("市長は駅の移転に失敗しましたか", "市長は駅を移転した。", "negation"),
        ("寺では僧だけが働きますか", "寺では大工だけが働く。", "quantifier"),
        (
            "町が守るのは橋ではなく塔ですか",
            "町は橋を守っており、塔を守っているわけではない。",
            "roles",
        ),
    ],
)
def test_what_contradicts(claim: str, sentence: str, part: str) -> None:
    assert part in parts(claim, sentence)


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        ("京都は大阪を破りましたか", "京都は1923年に大阪を破った。"),
        ("京都は大阪に敗れましたか", "大阪は京都を破った。"),
        ("市長は橋を渡りましたか", "市長は橋を渡った。"),
        ("橋は1931年に建ちましたか", "橋は1931年10月に建った。"),
        ("船は市長に沈められましたか", "市長は船を沈めた。"),
        ("船は市長によって港に移されましたか", "市長は船を港に移した。"),
        ("町の人は52,000人ですか", "町の人は五万二千人だ。"),
        ("修理は五年かかりましたか", "修理は安永二年に始まった。"),
        ("灯台は1923年に建ちましたか", "灯台は大正十二年に建った。"),
        ("灯台は昭和元年に建ちましたか", "灯台は1926年に建った。"),
        ("灯台は1691年に建ちましたか", "灯台は元禄三年に建った。"),
        ("修理は五か月で終わりましたか", "修理は三月に始まり、五か月で瓦が替えられた。"),
        ("広場は塔より低いですか", "塔は広場より高い。"),
        ("島には電車が届きましたか", "電車の届かない谷では、荷は馬で運ばれた。"),
        ("客は切符を買いますか", "客は切符を買わなければならない。"),
        ("町は橋を架けましたか", "町は橋を架けただけでなく、壁も築いた。"),
        ("町は橋を架けましたか", "町は橋を架けたばかりでなく、壁も築いた。"),
        ("町は橋を架けましたか", "町は橋を架けざるをえなかった。"),
        ("兄は弟に勝ちましたか", "大会は兄の勝利に終わり、弟は兄に杯を渡した。"),
        ("歯車は時計回りに動きますか", "歯車は時計回りに動く。"),
        ("港は南に、駅は北にありますか", "港は南に、駅は北にある。"),
        ("村杯は南組が作りましたか", "町の店は、町杯(北組)や村杯(南組)を作った。"),
        ("町が守るのは橋ではなく塔ですか", "町は塔を守っており、橋を守っているわけではない。"),
        ("鐘を作ったのは画家ですか", "画家は鐘を、大工は塔を作った。"),
        ("茶を飲むのは朝ですか", "町の人は朝に茶を飲む。"),
        ("兄は市長に勝ちましたか", "兄は市長を破った。"),
        ("市長は村長から杯を受けましたか", "村長は市長に杯を授けた。"),
        ("茶の値段は上がりましたか", "茶の値段が上がり、客の低下が続いた。"),
        ("道は南北に分かれますか", "道は北に行く道と南に行く道に分かれる。"),
        ("南に面するのは店ですか", "港は北、店は南に面する。"),
        ("水温は上がりましたか", "水温の低下は春に止まり、夏には水温の上昇が続いた。"),
        ("米の生産は増えましたか", "米の生産は減少から増加に転じた。"),
        ("港を閉じたのは役人ですか", "役人の命令で、港は閉じた。"),
        ("会長に選ばれたのは大工ですか", "町は大工を会長に選んだ。"),
        ("海戦では北軍が勝ちましたか", "北軍の船は海戦で南軍を破った。"),
        ("市長は駅の移転に失敗しましたか", "市長は駅を移転できなかった。"),
        ("寺では大工だけが働きますか", "寺では船大工だけが働く。"),
        ("寺では僧だけが働きますか", "寺では大工だけでなく僧も働く。"),
        # of another matter nothing is said
        ("橋は1920年に建ちましたか", "橋は広い。"),
        ("", ""),
    ],
)
def test_what_does_not(claim: str, sentence: str) -> None:
    assert parts(claim, sentence) == []


@pytest.mark.parametrize(
    ("claim", "sentence", "stated"),
    [
        ("町は橋を壊しましたか", "橋は町に壊された。", True),
        ("町は橋を壊しましたか", "町では橋が話題で、壁を壊した。", False),
        ("島は町に割譲されましたか", "王は島を町に割譲した。", True),
        ("島は王に割譲されましたか", "王は島を町に割譲した。", False),
        ("町は橋だけを壊しましたか", "町は橋を壊した。", False),
        ("町は橋を壊しましたか", "町は一部の橋を壊した。", False),
        ("町は橋を壊しましたか", "町は橋の七割を壊した。", False),
        ("町は橋を壊しましたか", "町は橋だけを壊した。", True),
        ("市長は村長から杯を受けましたか", "村長は市長に杯を授けた。", True),
        ("村長は市長から杯を受けましたか", "村長は市長に杯を授けた。", False),
        ("兄は市長に勝ちましたか", "兄は市長を破った。", True),
        ("許しを願ったのは市長ですか", "村長は市長に許しを願った。", False),
        ("漁業は発展しましたか", "漁業は、農業の発展で衰えた。", False),
    ],
)
def test_yes_is_stated_of_the_same_things_alone(claim: str, sentence: str, stated: bool) -> None:
    assert is_stated(claim, sentence) == stated


@pytest.mark.parametrize(
    ("sentence", "true", "crossed"),
    [
        ("港は南に面し、市場は北に面している。", "港は南に面していますか", "港は北に面していますか"),
        ("港は南に面し市場は北に面している。", "港は南に面していますか", "港は北に面していますか"),
        ("姉は画家で、弟は大工である。", "姉は画家ですか", "姉は大工ですか"),
        ("姉は画家、弟は大工であった。", "姉は画家でしたか", "姉は大工でしたか"),
        ("姉が絵を、弟が椅子を作った。", "姉は絵を作りましたか", "姉は椅子を作りましたか"),
        ("町では船が、村では馬が荷を引いた。", "町では船が荷を引きましたか", "町では馬が荷を引きましたか"),
        ("男の子は七歳で、女の子は九歳で塾に通う。", "男の子は七歳で塾に通いますか", "男の子は九歳で塾に通いますか"),
        ("店は利益に応じて、農家は田の広さに応じて税を納めた。", "店は利益に応じて税を納めましたか", "店は田の広さに応じて税を納めましたか"),
        ("塔は1900年に建ち、1950年に倒れた。", "塔は1950年に倒れましたか", "塔は1950年に建ちましたか"),
        ("市は東に駅を、西に港を作った。", "市は東に駅を作りましたか", "市は西に駅を作りましたか"),
        ("1900年、市長は橋を建て、塔を壊した。", "市長は塔を壊しましたか", "市長は塔を建てましたか"),
        ("灯台は大正十二年に建った。", "灯台は1923年に建ちましたか", "灯台は十二年建ちましたか"),
    ],
)  # fmt: skip
def test_yes_is_stated_by_one_clause(sentence: str, true: str, crossed: str) -> None:
    assert is_stated(true, sentence)
    assert not is_stated(crossed, sentence)


BOOK = "白石橋は1932年に田辺一郎が設計した。白石橋の長さは640メートルで、幅は12メートルである。"
BOOK += "東灯台は町でもっとも古い灯台である。東灯台は元禄三年に火をともした。"
BOOK += "梅園は谷の奥にある。四月に祭りが開かれ、町の人が集まる。"
BOOK += "小川港は1850年（嘉永3年）に開いた。南町はマリア＝ロペスが開いた。"
BOOK += "北文書はゲール大学が保管する。"
BOOK += "リンデルは町の画家である。1920年に駅の壁に魚を描いた。"
BOOK += "1950年の選挙（任期4年）で選ばれた議員は皆、農家の出である。"
BOOK += "若い王は西原の戦いで戦死した。風の当たらない谷に育つ茶は甘い。"
BOOK += "ロンド座は席の多い芝居小屋である。その入場料は席で異なった。"
BOOK += "田中座は1921年に開始した。1935年、田中座は屋根に看板を上げた。"
BOOK += "雍正帝は駅の北に古い塔を建てた。"


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Index:
    place = tmp_path_factory.mktemp("claims") / "book"
    return open_index(build_textbook([{"text": BOOK}], place, language="ja").address)


@pytest.mark.parametrize(
    ("claim", "outcome", "stated"),
    [
        ("白石橋は田辺一郎が設計しましたか。", "yes", True),
        ("白石橋は田辺二郎が設計しましたか。", "yes", False),
        ("白石橋は山本太郎が設計しましたか。", "no", True),
        ("白石橋の長さは六百四十メートルですか。", "yes", True),
        ("白石橋の長さは12メートルですか。", "yes", False),
        ("白石橋の長さは650メートルですか。", "no", True),
        ("白石橋は昭和七年に田辺一郎が設計しましたか。", "yes", True),
        ("白石橋は西暦1932年に田辺一郎が設計しましたか。", "yes", True),
        ("白石橋を設計した人は田辺一郎ですか。", "yes", True),
        # the sentence before says where
        ("梅園の祭りは四月に開かれますか。", "yes", False),
        ("小川港は1850年に開きましたか。", "yes", True),
        ("南町はマリア・ロペスが開きましたか。", "yes", True),
        ("北文書はゲール大学が保管しますか。", "yes", True),
        ("北文書はベルン大学が保管しますか。", "no", True),  # 大学 alone is not its name
        ("東灯台は1691年に火をともしましたか。", "unknown", True),
        ("東灯台は南灯台より古いですか。", "unknown", True),
        ("駅の壁に魚を描いたのはリンデルですか。", "yes", False),
        ("北文書はマリア・ロペスが保管しますか。", "no", True),  # who opened 南町
        ("リンデルは1931年に駅の壁に魚を描きましたか。", "no", True),
        ("北文書はベルン大学にはないですか。", "unknown", True),
        ("1950年の選挙で選ばれた議員は皆農家の出ですか。", "yes", True),
        ("風の当たる谷に育つ茶は甘いですか。", "yes", False),  # denied on one side alone
        ("若い王は西原の戦いで命を落としましたか。", "yes", True),
        ("若い王は西原の戦いで位を譲りましたか。", "unknown", True),
        ("ロンド座の入場料は席で違いますか。", "yes", False),  # その is of the sentence before
        # the sentence that says all but the year decides, not the one with the year
        ("田中座は1935年に始まりましたか。", "no", True),
        ("駅の北に古い塔を建てたのは乾隆帝ですか。", "no", True),  # 帝 alone is not his name
        ("白石橋の長さは640キロですか。", "unknown", True),  # a unit is no name that contradicts
    ],
)
def test_no_wrong_name_or_number_is_sure(
    book: Index, claim: str, outcome: str, stated: bool
) -> None:
    language = index_language(book)
    asked = read_question(claim, language.language)
    verdict = verify(asked, retrieve([asked], book, language.analyser)[0], language)
    assert (verdict.outcome, verdict.stated) == (outcome, stated)


@pytest.mark.parametrize(
    ("claim", "sentence", "is_open"),
    [
        ("兄の店の茶は安いですか", "兄の店は、弟の店と比べ茶が高い。", True),
        ("兄の店の茶は安いですか", "兄の店の茶は安い。", False),
        # who loses is not who wins
        ("兄は弟に敗れましたか", "弟は兄を破った。", False),
    ],
)
def test_an_opposite_leaves_a_claim_open(claim: str, sentence: str, is_open: bool) -> None:
    assert has_opposite(claim, sentence) == is_open


@pytest.mark.parametrize(
    ("term", "present", "share"),
    [
        ("橋", {"橋"}, 1.0),
        ("失う", {"喪失"}, DERIVED),
        ("南北", {"南", "北"}, DERIVED),
        ("亡くなる", {"死去"}, DERIVED),
        ("南北", {"南"}, 0.0),
        ("エンジン", {"機関"}, 0.0),
    ],
)
def test_a_word_by_its_characters_or_meaning(term: str, present: set[str], share: float) -> None:
    assert japanese_share(term, present) == share


def test_anybody_is_asked_for_nobody() -> None:
    assert read_question("子供は誰でも入れますか。", JAPANESE).polar
    assert read_question("どの町でも魚を売りますか。", JAPANESE).polar
    assert read_question("魚を売るかどうかは自由ですか。", JAPANESE).polar
    assert not read_question("誰もが歌う歌を作ったのは誰ですか。", JAPANESE).polar
    assert not read_question("どの町がもっとも高い所にありますか。", JAPANESE).polar


def test_a_verbal_noun_is_no_noun_of_a_claim() -> None:
    assert lacks_noun("市長は法令を発布しましたか", ["法令"])
    assert not lacks_noun("市長は法令を発布しましたか", ["発布"])


@pytest.mark.parametrize(
    ("sentence", "lacks"),
    [("町の稲荷社は古い。", False), ("稲荷社は町にある。", True), ("村の稲荷社は古い。", True)],
)
def test_what_stands_before_a_name_says_what_it_is(sentence: str, lacks: bool) -> None:
    assert lacks_noun("稲荷社は町の神社ですか", ["神社"], sentence) == lacks


def test_a_name_of_several_words_is_said_whole(book: Index) -> None:
    doubt = ask("山口健太は何年に市長になりましたか。", book).doubt
    assert doubt.startswith("the passage does not mention 山口健太")


def test_a_name_that_the_passage_lacks_is_doubted(book: Index) -> None:
    doubt = ask("北海道の白石橋を設計したのは誰ですか。", book).doubt
    assert doubt == "the passage does not mention 北海道"
