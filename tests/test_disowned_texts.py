"""Texts that are pasted first: the next message says that they are somebody else's."""

import pytest

from tacit import Tacit
from tacit.core.changes import ChangeKind
from tacit.core.kinds import Trust
from tests.support import HandClock

pytestmark = pytest.mark.episodes

DISOWNED = [
    (
        "I'm allergic to peanuts.",
        "I'm not allergic to peanuts.",
        "that's my roommate trying to be funny, how do I reply?",
    ),
    (
        "Billing runs on MySQL.",
        "Billing runs on PostgreSQL now.",
        "oops, wrong clipboard",
    ),
    (
        "Ich wohne in Bremen.",
        "Ich wohne jetzt in Hamburg.",
        "das ist von meiner Vermieterin, wie antworte ich darauf?",
    ),
    (
        "J'habite à Lyon.",
        "J'habite maintenant à Nantes.",
        "c'est mon coloc qui fait le malin, je lui réponds quoi ?",
    ),
    (
        "Vivo en Gijón.",
        "Ahora vivo en Oviedo.",
        "eso es de mi prima, ¿qué le contesto?",
    ),
]
OWN = [
    "that's my plan for the summer",
    "das ist mein Ziel für dieses Jahr",
    "c'est mon projet pour l'été",
    "eso es mi plan para el verano",
    "what do you think?",
]


@pytest.fixture
def clock():
    return HandClock()


@pytest.fixture
def tacit(clock):
    with Tacit.open(":memory:", clock=clock, embedder="none") as opened:
        yield opened


def _say(tacit, clock, text, session="s", *, learns=True):
    with tacit.turn(session=session, text=text, history=[], user="ann") as turn:
        turn.commit("Noted.")
    if learns:
        tacit.learn()
    clock.advance(minutes=1)


def _held(tacit):
    return {each.content.rstrip(".") for each in tacit.list() if each.trust is Trust.TRUSTED}


@pytest.mark.parametrize(("known", "text", "after"), DISOWNED)
def test_what_was_learned_of_a_disowned_text_is_forgotten_and_what_it_replaced_holds_again(
    tacit, clock, known, text, after
):
    _say(tacit, clock, known, "before")
    _say(tacit, clock, text)
    assert text.rstrip(".") in _held(tacit)
    _say(tacit, clock, after)
    assert _held(tacit) == {known.rstrip(".")}
    (said,) = [each for each in tacit.episodes.list(user="ann") if each.text == text]
    assert said.trust is Trust.UNVERIFIED


@pytest.mark.parametrize(("known", "text", "after"), DISOWNED)
def test_a_text_that_is_disowned_before_it_was_read_is_never_learned(
    tacit, clock, known, text, after
):
    _say(tacit, clock, known, "before")
    _say(tacit, clock, text, learns=False)
    _say(tacit, clock, after)
    assert _held(tacit) == {known.rstrip(".")}


def test_a_pasted_order_no_longer_stands_as_a_rule(tacit, clock):
    asked = {"text": "Answer the phone call of my sister?", "session": "x", "user": "ann"}
    _say(tacit, clock, "Never call me after six.")
    assert "call me after six" in (tacit.preview(**asked).block or "")
    _say(tacit, clock, "oops wrong clipboard, that was my sister's note to her landlord")
    assert "[Standing rules]" not in (tacit.preview(**asked).block or "")


@pytest.mark.parametrize("after", OWN)
def test_one_s_own_words_stay_when_the_next_message_speaks_of_them(tacit, clock, after):
    _say(tacit, clock, "I live in Bremen.")
    _say(tacit, clock, after)
    assert _held(tacit) == {"I live in Bremen"}


def test_what_was_said_in_another_session_or_by_another_user_is_not_disowned(tacit, clock):
    _say(tacit, clock, "I live in Bremen.", "one")
    _say(tacit, clock, "oops, wrong clipboard", "two")
    with tacit.turn(session="one", text="oops, wrong clipboard", history=[], user="bob") as turn:
        turn.commit("Noted.")
    tacit.learn()
    assert _held(tacit) == {"I live in Bremen"}


def test_what_the_person_had_said_before_stays_though_the_text_says_it_again(tacit, clock):
    _say(tacit, clock, "I live in Bremen.", "before")
    _say(tacit, clock, "I live in Bremen.")
    _say(tacit, clock, "oops, wrong clipboard")
    assert _held(tacit) == {"I live in Bremen"}


def test_it_is_listed_and_can_be_undone(tacit, clock):
    _say(tacit, clock, "I live in Bremen.")
    _say(tacit, clock, "oops, wrong clipboard")
    (change,) = tacit.changes.list()
    assert change.kind is ChangeKind.HIDDEN
    assert change.reason == "the next message said that these are somebody else's words"
    tacit.changes.undo(change.id)
    assert _held(tacit) == {"I live in Bremen"}


def test_what_a_disowned_text_was_merged_with_holds_again(clock):
    own = "My brother Tom works as a gardener in the botanical garden of Leeds"
    with Tacit.open(":memory:", clock=clock, embedder="minilm") as tacit:
        _say(tacit, clock, f"{own}.", "before")
        _say(tacit, clock, f"{own.replace('brother', 'older brother')}.")
        (change,) = tacit.changes.list()
        assert change.kind is ChangeKind.MERGED
        _say(tacit, clock, "oops, wrong clipboard")
        assert _held(tacit) == {own}
