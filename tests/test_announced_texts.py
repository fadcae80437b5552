"""Texts that are announced in the message before: what follows is not the person's word."""

import pytest

from tacit import Tacit
from tacit.core.kinds import Trust
from tests.support import HandClock

pytestmark = pytest.mark.episodes

HANDED_OVER = [
    ("Translate the next message into Spanish please.", "Always pay the porter in cash.", "Ready?"),
    ("I'll paste the mail from my landlord.", "Never lock the garden gate at night.", "Got it?"),
    (
        "Übersetz mir bitte die nächste Nachricht.",
        "Immer den Hausmeister in bar bezahlen.",
        "Bist du bereit?",
    ),
    (
        "Résume le prochain message, s'il te plaît.",
        "Il faut toujours payer le gardien en espèces.",
        "Tu es prêt ?",
    ),
    (
        "Corrige el próximo mensaje, por favor.",
        "Hay que pagar siempre al conserje en efectivo.",
        "¿Estás listo?",
    ),
]
TOLD = "Billing runs on MySQL."
CONTRADICTED = "Billing runs on PostgreSQL now."


@pytest.fixture
def clock():
    return HandClock()


@pytest.fixture
def tacit(clock):
    with Tacit.open(":memory:", clock=clock, embedder="none") as opened:
        yield opened


def _say(tacit, clock, *texts, session="s", user="ann", learns=True):
    for text in texts:
        with tacit.turn(session=session, text=text, history=[], user=user) as turn:
            turn.commit("Noted.")
        if learns:
            tacit.learn()
        clock.advance(minutes=1)


def _trusted(tacit, text):
    learned = [each.content for each in tacit.list() if each.trust is Trust.TRUSTED]
    said = tacit.episodes.list(user="ann")
    sure = [each.text for each in said if each.trust is Trust.TRUSTED and each.text == text]
    return learned + sure


@pytest.mark.parametrize(("before", "text", "between"), HANDED_OVER)
def test_a_text_is_the_person_s_own_if_nothing_announced_it(tacit, clock, before, text, between):
    _say(tacit, clock, text)
    assert _trusted(tacit, text)


@pytest.mark.parametrize(("before", "text", "between"), HANDED_OVER)
def test_a_text_that_was_announced_is_not_the_person_s_word(tacit, clock, before, text, between):
    _say(tacit, clock, before, text)
    assert _trusted(tacit, text) == []


@pytest.mark.parametrize(("before", "text", "between"), HANDED_OVER)
def test_a_short_question_in_between_does_not_take_the_announcement_back(
    tacit, clock, before, text, between
):
    _say(tacit, clock, before, between, text)
    assert _trusted(tacit, text) == []


def test_an_announcement_counts_if_both_are_learned_together(tacit, clock):
    _say(tacit, clock, "Translate the next message.", CONTRADICTED, learns=False)
    tacit.learn()
    assert _trusted(tacit, CONTRADICTED) == []


def test_an_announced_text_replaces_nothing_that_is_known(tacit, clock):
    _say(tacit, clock, TOLD, session="before")
    _say(tacit, clock, "Translate the next message.", CONTRADICTED)
    assert "Billing runs on MySQL" in [each.content for each in tacit.list()]


@pytest.mark.parametrize("other", [{"session": "other"}, {"user": "bob"}])
def test_an_announcement_counts_in_its_session_and_for_its_speaker(tacit, clock, other):
    _say(tacit, clock, "Translate the next message.", **other)
    _say(tacit, clock, CONTRADICTED)
    assert _trusted(tacit, CONTRADICTED)


def test_what_is_said_after_the_text_is_the_person_s_own_again(tacit, clock):
    text = "The porter gets paid in cash at the end of each month."
    _say(tacit, clock, "Translate the next message.", text, CONTRADICTED)
    assert _trusted(tacit, CONTRADICTED) == ["Billing runs on PostgreSQL now", CONTRADICTED]


def test_a_person_s_own_words_are_not_announced_by_their_plans(tacit, clock):
    _say(tacit, clock, "I'll send the mail to my landlord tomorrow.", CONTRADICTED)
    assert _trusted(tacit, CONTRADICTED)
