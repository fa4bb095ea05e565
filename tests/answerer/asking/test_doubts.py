"""Answers of a small book that must not be sure, though their words are near to the question."""

from __future__ import annotations

import pytest

from answerer.asking.command import ask
from answerer.asking.doubts import adjective_for_verb, denial
from answerer.ntcir.claims.english.statement import is_stated
from answerer.ntcir.claims.reading import asks_truth, read_claim
from answerer.ntcir.claims.verdict import ClaimVerdict, judge_statement
from answerer.ntcir.claims.wording import all_forms
from answerer.ntcir.term.candidates import retrieve
from answerer.ntcir.term.language import index_language
from indexer import build_textbook
from indexer.engines.contract import Index
from indexer.engines.opening import open_index
from indexer.languages.english import ENGLISH
from retriever.passages import Passage

TEXTS = {
    "2.1 The beaver": "2.1 The beaver",
    "2.1 The beaver, p. 3": "None of them can live far from water. Beavers build a dam of branches. "
    "The beavers came to the river in spring. Nobody has seen the lodge of Ida Holm.",
    "2.2 The study": "The Danish painter Ida Holm described the dam in 1911. She named it the "
    "barrage.",
    "2.4 The cannery": "The cannery paid half of the fines in fish. Fourth-class boats lay behind "
    "the pier. The cannery dug two wells. It planned a third well, but it was never dug. A kelp is "
    "no tree. It has no bark. In 1916 the first women drove the carts. Dahl taught Moe the trade of "
    "salting. The gaper is edible. Fungi grow on the pier.",
    "2.5 The strike": "The strike of Lund was long. On the fourth day soldiers ended the riots.",
    "2.3 Otters": "Ida Holm led the study. An otter is a hunter. The otters eat fish, while the beavers eat bark.",
}


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Index:
    documents = [{"title": title, "text": text} for title, text in TEXTS.items()]
    place = tmp_path_factory.mktemp("doubts") / "book"
    return open_index(build_textbook(documents, place, language="en").address)


def test_an_irregular_verb_states_a_claim(book: Index) -> None:
    reply = ask("Did Ida Holm lead the study?", book)
    assert (reply.answers[0].text, reply.doubt) == ("yes", "")


@pytest.mark.parametrize(
    ("question", "answers", "sure"),
    [
        # "She named it the barrage": the sentence before says who
        ("Did Ida Holm name the dam the barrage?", ["yes"], False),
        # the sentence before names the place
        ("Did soldiers end the riots in Lund on the fourth day?", ["yes"], False),
        # that others do says nothing of her
        ("Did Ida Holm eat fish?", [], False),
        ("Did the otters eat fish?", ["yes"], True),
        ("Do the beavers construct a dam of branches?", ["yes"], True),  # in other words
        ("In 1911, did Ida Holm describe the dam?", ["yes"], True),
        ("Did Ida Holm describe the dam before 1920?", ["yes"], False),  # 1911 is before
        ("Did Ida Holm describe the dam before 1900?", ["no"], True),
        ("Is the kelp without bark?", ["yes"], False),  # by two sentences
        ("Did the cannery pay all of the fines in fish?", ["no"], True),
        ("Did the cannery pay most of the fines in fish?", ["no"], True),
        ("Did the cannery pay half of the fines in fish?", ["yes"], True),
        ("Did the cannery pay the fines in fish?", ["yes"], False),
        ("Did all boats lie behind the pier?", [], False),
        ("Did fourth-class boats lie behind the pier?", ["yes"], True),
        ("Did the cannery dig only two wells?", ["yes"], False),
        ("Did the cannery dig two wells?", ["yes"], True),
        # "no women before" is not what "the first women in 1916" denies
        ("Did no women drive the carts before the war?", [], False),
        ("Does a kelp have bark?", ["no"], True),
        ("Did Moe teach Dahl the trade of salting?", ["no"], True),
        ("Did Dahl teach Moe the trade of salting?", ["yes"], True),
        ("Is the gaper poisonous?", ["no"], True),
        ("Does a fungus grow on the pier?", ["yes"], True),
        # the 2 of section 2.2 is no number of the text
        ("Did Ida Holm describe 2 dams?", ["no"], False),
    ],
)
def test_yes_or_no(book: Index, question: str, answers: list[str], sure: bool) -> None:
    reply = ask(question, book)
    assert ([one.text for one in reply.answers], not reply.doubt) == (answers, sure)


def test_a_word_that_only_its_sentence_writes_in_capitals_is_no_answer(book: Index) -> None:
    texts = [one.text for one in ask("Where does the beaver live?", book, k=20)]
    assert not {"None", "Nobody", "Beavers"}.intersection(texts)


def test_an_answer_without_the_verb_that_is_asked_for_is_not_sure(book: Index) -> None:
    reply = ask("When was Ida Holm born?", book)
    assert (reply.answers[0].text, bool(reply.doubt)) == ("1911", True)


@pytest.mark.parametrize(
    ("question", "passage", "doubt"),
    [
        ("When was it opened?", "They sat in open wagons.", "says “open wagons”, not “opened”"),
        ("When was it opened?", "It was opened with open wagons.", ""),
        ("When was it opened?", "The opening was in May.", ""),
        ("When was it opened?", "It is open.", ""),
        ("When was it painted?", "They sat in open wagons.", ""),
    ],
)
def test_an_adjective_is_not_the_verb_that_is_asked_for(
    book: Index, question: str, passage: str, doubt: str
) -> None:
    found = adjective_for_verb(
        question, Passage("1", "1", "", passage, 1.0, 1.0), index_language(book)
    )
    assert found == (doubt and f"the passage {doubt}")


@pytest.mark.parametrize(
    ("question", "passage", "doubt"),
    [
        ("Who dug the well?", "What Moe dug was not the well.", "the passage says “not”"),
        ("Who dug the well?", "Dahl didn’t stop: he dug the well.", "the passage says “not”"),
        ("Who dug the well?", "Moe dug not only the well.", ""),
        ("Who has no bark?", "The kelp has no bark.", ""),
        ("Who did not dig the well?", "Moe did not dig the well.", ""),
    ],
)
def test_a_negation_that_the_question_lacks_makes_doubtful(
    book: Index, question: str, passage: str, doubt: str
) -> None:
    found = denial(question, Passage("1", "1", "", passage, 1.0, 1.0), index_language(book))
    assert found == doubt


def test_a_sentence_with_a_pronoun_comes_with_the_one_before(book: Index) -> None:
    reply = ask("What is a barrage?", book)
    assert reply.answers[0].text == TEXTS["2.2 The study"]
    assert (reply.answers[0].score, reply.doubt) == (None, "this sentence may not tell it")


def test_a_heading_is_no_answer(book: Index) -> None:
    assert "2.1 The beaver" not in [one.text for one in ask("What is a beaver?", book, k=20)]


def test_an_irregular_form_is_a_mention(book: Index) -> None:
    assert "come" not in ask("Did the beavers come to the river in spring?", book).doubt


@pytest.mark.parametrize(
    ("statement", "outcome"),
    [
        ("The cannery paid all of the fines in fish.", "no"),
        ("None of the fines were paid in fish.", "no"),
        ("The cannery not only dug two wells.", "yes"),
        ("The cannery never dug two wells.", "no"),
    ],
)
def test_a_statement_of_a_quantity_or_with_not(book: Index, statement: str, outcome: str) -> None:
    assert judged(statement, book).outcome == outcome


def judged(statement: str, book: Index) -> ClaimVerdict:
    language = index_language(book)
    claim = read_claim(statement, language)
    assert claim is not None
    (found,) = retrieve([claim], book, language.analyser)
    return judge_statement(claim, found, language)


def test_a_form_that_the_stemmer_does_not_join_is_a_mention(book: Index) -> None:
    terms = all_forms("Moe succeeded Dahl.", index_language(book))
    assert set(ENGLISH.analyser().terms("succeed")) <= terms


def test_true_or_false_is_a_question_for_yes_or_no(book: Index) -> None:
    reply = ask("true or false: the otters eat fish", book)
    assert (reply.answers[0].text, reply.doubt) == ("yes", "")


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("True or false: an otter is a hunter.", "Is an otter a hunter?"),
        ("Beavers eat bark. True or false?", "Did Beavers eat bark?"),
        ("Is it true that otters swim?", "Did otters swim?"),
        ("A dam that was built by beavers is low.", "Is A dam that was built by beavers low?"),
        ("Do otters swim? (yes/no)", "Do otters swim?"),
        ("Who saw the true dam?", ""),
        ("", ""),
    ],
)
def test_the_question_of_a_claim(book: Index, text: str, question: str) -> None:
    claim = read_claim(text, index_language(book))
    assert (claim.text if claim else "") == question


def test_only_a_text_with_true_or_false_asks_for_truth() -> None:
    assert asks_truth("Is it true that otters swim?")
    assert not asks_truth("Who saw the true dam?")


def test_a_blank_before_a_small_letter_is_a_gap_to_fill() -> None:
    assert not asks_truth("____ swim in the river.")
    assert asks_truth("____ Otters swim in the river.")


def test_a_negated_statement_is_false_where_the_book_says_the_contrary(book: Index) -> None:
    assert ask("True or false: the otters do not eat fish", book).answers[0].text == "no"


@pytest.mark.parametrize(
    ("claim", "sentence", "stated"),
    [
        ("Do otters eat fish?", "The otters eat fish, while the beavers eat bark.", True),
        ("Do otters eat bark?", "The otters eat fish, while the beavers eat bark.", False),
        ("Is an otter a hunter?", "An otter is a skilled hunter.", True),
        ("Did Ida prefer tea to milk?", "Ida prefers milk to tea.", False),
        ("Did Ida prefer tea to milk?", "Ida prefers tea to milk.", True),
        ("Is an otter not a hunter?", "An otter is a skilled hunter.", False),
        ("Is a kelp not a tree?", "A kelp is not a tree.", True),
        ("Is a kelp a tree?", "A kelp is not a tree.", False),
        ("Is an otter a beaver?", "An otter weighs ten kilograms, a beaver twenty.", False),
        ("Is an otter a hunter?", "The otter, a hunter of the rivers, eats fish.", True),
        ("Is an otter a hunter?", "Hunters such as the otter eat fish.", True),
        ("Is an otter a hunter?", "otter: hunter of fish", True),
        ("Are otters hunters?", "Otters can avoid all hunters.", False),
        ("Did the duke drain the lake?", "After the refusal of the duke to drain the lake.", False),
        ("Did the duke drain the lake?", "The duke, a rich man, drained the lake.", True),
        ("Was the lake drained by the duke?", "The duke drained the lake.", True),
        ("Is the dam built by beavers?", "The dam, which is built by beavers, is low.", True),
        ("Do beavers hunt?", "The beavers fear otters that hunt.", False),
        ("Does a dam stop water?", "dam: wall that stops water", True),
        ("Do wasps sting?", "Ants, wasps and bees sting us, and all of them fly.", True),
        ("Do ants sting?", "Ants, wasps, and bees sting the boy at night.", True),
        ("Was the dam built in 1911?", "In 1911, the dam was built.", True),
        ("Was Ida the mayor of Ayr?", "In spring Ida, mayor of Ayr, wrote a book.", True),
        ("Does rain decrease dust?", "As a rule, rain always decreases the dust.", True),
        ("Is the lake fed by snow?", "The lake is fed by the river, and not snow.", False),
        ("Do workers feed larvae?", "The queen leads workers and nurses feed larvae.", False),
        ("Did Ayr paint the mill?", "The mill was painted by Ida in Ayr.", False),
        ("Is the otter a beaver?", "The otter, like the beaver, swims.", False),
        ("Did Olaf paint the mill?", "Ida, whose brother Olaf dug wells, painted the mill.", False),
        ("Did Ida paint in 1911?", "Ida painted in Ayr, and in 1911, Olaf moved to Ely.", False),
    ],
)
def test_one_clause_states_a_claim(claim: str, sentence: str, stated: bool) -> None:
    assert is_stated(claim, sentence, ENGLISH.analyser().terms) == stated
