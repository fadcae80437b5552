"""What changed later of what answers a question comes with it, without a word of the question."""

import pytest

from tacit.core.receipt import NOTE_NEWS
from tacit.language.changes import tells_change
from tests.support import HandClock, writing_opener

_CHATTER = (
    "my sister Jo is over for the weekend, any ideas for a walk near Whitby?",
    "the boiler makes a knocking noise every morning",
    "can you think of a name for a ginger cat",
    "we painted the kitchen yellow and I hate it",
    "the allotment is full of slugs this year",
)
_RENT = "budget time, i work at the boba place, 18 an hr. rent is 950 with bea and a guy named cody"
_MOVE = "moving out june 1st btw! tita baby has a room for 400 incl wifi, bea goes to her parents"
_HOUSING = "what do i pay for housing, im filling out a form"
_BOOKED = "im booked five weeks out, all bookings go through the Fresha app which takes a cut"
_DROPPED = "so i dropped fresha, fees. its a paper diary now and im not ashamed"
_ASIDE = "fresha sent me a christmas card, how sweet"
_BOOKINGS = "where do i write down bookings"


def _ask(tmp_path, said, asked):
    clock = HandClock()
    with writing_opener(tmp_path, embedder="minilm", clock=clock) as opened:
        tacit = opened()
        for number, text in enumerate(said):
            with tacit.turn(session=f"s{number}", user="ann", text=text, history=[]) as turn:
                turn.commit("Okay.")
            tacit.learn()
            clock.advance(days=3)
        return tacit.preview(session="later", user="ann", text=asked)


@pytest.mark.episodes
@pytest.mark.encodes
def test_what_was_said_later_of_a_change_comes_with_the_line_that_it_changes(tmp_path):
    found = _ask(tmp_path, [_RENT, *_CHATTER, _MOVE], _HOUSING)
    assert "rent is 950" in found.block
    assert "a room for 400" in found.block
    (news,) = [each for each in found.receipt.candidates if each.note == NOTE_NEWS]
    assert news.by in [each.memory for each in found.receipt.injected]


@pytest.mark.episodes
@pytest.mark.encodes
def test_it_comes_alone_where_what_it_changes_no_longer_holds(tmp_path):
    found = _ask(tmp_path, [_BOOKED, *_CHATTER, _DROPPED], _BOOKINGS)
    assert "paper diary now" in found.block
    assert "all bookings go through" not in found.block


@pytest.mark.episodes
@pytest.mark.encodes
@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ([_MOVE, *_CHATTER, _RENT], _HOUSING),
        ([_BOOKED, *_CHATTER, _ASIDE], _BOOKINGS),
    ],
    ids=["said before", "no change"],
)
def test_what_was_said_before_or_tells_no_change_does_not_come(tmp_path, said, asked):
    found = _ask(tmp_path, said, asked)
    assert NOTE_NEWS not in [each.note for each in found.receipt.candidates]


@pytest.mark.parametrize(
    "text",
    [
        "rate goes to 110 may 1st",
        "we moved to Leeds",
        "from monday it's the 9:15 train",
        "riverpod fliegt raus, wir sind auf bloc",
        "ab März mache ich freitags frei",
        "Bruno frisst kein Huhn mehr",
        "on passe de Bloc à Riverpod",
        "je n’habite plus à Caen",
        "ya no toma metformina",
        "los deploys pasan a los martes",
    ],
)
def test_words_of_a_change_are_known_in_four_languages(text):
    assert tells_change(text)


@pytest.mark.parametrize(
    "text",
    [
        "my rate is 95 an hour",
        "I know a nowhere man",
        "wir nutzen Riverpod",
        "j'habite à Caen",
        "toma metformina",
    ],
)
def test_plain_statements_tell_no_change(text):
    assert not tells_change(text)
