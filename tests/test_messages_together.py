"""Two messages that are read as one: the word about a text shows that the text is another's."""

import pytest

from tacit import Tacit
from tacit.core.errors import ModelUnavailable
from tacit.core.kinds import Trust
from tacit.embedding.minilm.pair_reader import MiniLMPairReader
from tacit.writing.learning.exchanges import (
    MIN_PASSED_ON,
    MIN_PASSED_ON_UNASKED,
    HandedOver,
    find_handed_over,
)
from tests.support import FixedPairReader, HandClock

pytestmark = pytest.mark.episodes

KNOWN, TEXT = "I live in Bremen.", "I live in Hamburg now."
QUESTION = "is he happy there, you think?"
RULE = "Never call me after six."


class _Reader(FixedPairReader):
    """Finds the text somebody else's beside the question, as likely as it is told."""

    def __init__(self, likelihood=MIN_PASSED_ON):
        super().__init__(0.0)
        self.likelihood, self.read = likelihood, []

    def weigh_exchange(self, first, second):
        self.read.append((first, second))
        if QUESTION not in (first, second):
            return 0.0, 0.0
        return (0.0, self.likelihood) if first == QUESTION else (self.likelihood, 0.0)


class _AloneToo(_Reader):
    """Finds the text somebody else's, whatever stands beside it."""

    def weigh_exchange(self, first, second):
        return self.likelihood, self.likelihood


class _Failing(_Reader):
    def weigh_exchange(self, first, second):
        raise ModelUnavailable("no network")


@pytest.fixture
def clock():
    return HandClock()


@pytest.fixture
def open_with(monkeypatch, clock):
    """Opens a store that reads with a reader."""
    opened = []

    def start(reader=None):
        (reader or _Reader()).use(monkeypatch)
        opened.append(Tacit.open(":memory:", clock=clock, embedder="none"))
        return opened[-1]

    yield start
    for tacit in opened:
        tacit.close()


def _say(tacit, clock, *texts, session="s", learns=True):
    for text in texts:
        with tacit.turn(session=session, text=text, history=[], user="ann") as turn:
            turn.commit("Noted.")
        if learns:
            tacit.learn()
        clock.advance(minutes=1)


def _trusted(tacit):
    held = {each.content.rstrip(".") for each in tacit.list() if each.trust is Trust.TRUSTED}
    said = tacit.episodes.list(user="ann")
    return held | {each.text.rstrip(".") for each in said if each.trust is Trust.TRUSTED}


def _block(tacit):
    asked = {"text": "Answer the phone call of my sister?", "session": "x", "user": "ann"}
    return tacit.preview(**asked, history=[]).block or ""


@pytest.mark.parametrize("learns", [True, False])
def test_a_text_that_the_next_message_asks_about_is_trusted_no_longer(open_with, clock, learns):
    tacit = open_with()
    _say(tacit, clock, TEXT, learns=learns)
    _say(tacit, clock, QUESTION)
    assert TEXT.rstrip(".") not in _trusted(tacit)


def test_a_text_after_a_word_about_it_is_not_trusted(open_with, clock):
    tacit = open_with()
    _say(tacit, clock, QUESTION, TEXT)
    assert TEXT.rstrip(".") not in _trusted(tacit)


def test_what_such_a_text_replaced_holds_again_and_waits_for_a_person(open_with, clock):
    tacit = open_with()
    with tacit.turn(session="before", text=KNOWN, history=[], user="ann") as turn:
        turn.commit("Noted.")
    tacit.learn()
    (known,) = tacit.list()
    _say(tacit, clock, TEXT)
    assert tacit.get(known.id).superseded_by is not None
    _say(tacit, clock, QUESTION)
    assert tacit.get(known.id).superseded_by is None
    assert any(each.memory == known.id for each in tacit.reviews.list())


def test_such_an_order_stands_no_longer_until_a_person_accepts_it(open_with, clock):
    tacit = open_with()
    _say(tacit, clock, RULE)
    assert "[Standing rules]" in _block(tacit)
    _say(tacit, clock, QUESTION)
    assert "[Standing rules]" not in _block(tacit)
    (review,) = tacit.reviews.list()
    tacit.reviews.accept(review.id)
    assert "[Standing rules]" in _block(tacit)


def test_a_text_that_is_pasted_and_asked_about_twice_is_doubted_twice(open_with, clock):
    tacit = open_with()
    _say(tacit, clock, RULE, QUESTION, session="one")
    _say(tacit, clock, RULE, QUESTION, session="two")
    assert not any(each.trust is Trust.TRUSTED for each in tacit.list())


def test_what_the_person_had_said_before_stays(open_with, clock):
    tacit = open_with()
    _say(tacit, clock, RULE, session="before")
    _say(tacit, clock, RULE, QUESTION)
    assert any(each.trust is Trust.TRUSTED for each in tacit.list())


def test_below_the_likelihood_a_message_stays_the_person_s_own(open_with, clock):
    tacit = open_with(_Reader(MIN_PASSED_ON - 0.01))
    _say(tacit, clock, TEXT, QUESTION)
    assert TEXT.rstrip(".") in _trusted(tacit)


def test_messages_of_two_sessions_are_not_read_together(open_with, clock):
    reader = _Reader()
    tacit = open_with(reader)
    _say(tacit, clock, TEXT, session="one")
    _say(tacit, clock, QUESTION, session="two")
    assert reader.read == []


def test_a_model_that_fails_leaves_the_words_to_the_patterns(open_with, clock):
    tacit = open_with(_Failing())
    _say(tacit, clock, TEXT, QUESTION)
    assert TEXT.rstrip(".") in _trusted(tacit)


def test_a_text_that_looks_foreign_alone_is_not_told_by_the_next_message(open_with, clock):
    tacit = open_with(_AloneToo())
    _say(tacit, clock, TEXT, QUESTION)
    assert TEXT.rstrip(".") in _trusted(tacit)


REMARK = "my cousin's latest lines"


@pytest.mark.parametrize("likelihood", [MIN_PASSED_ON_UNASKED, MIN_PASSED_ON_UNASKED - 0.01])
def test_a_message_that_asks_nothing_must_hand_over_more_surely(open_with, clock, likelihood):
    class Reader(_Reader):
        def weigh_exchange(self, first, second):
            return (likelihood if second == REMARK else 0.0), 0.0

    tacit = open_with(Reader())
    _say(tacit, clock, TEXT, REMARK)
    assert (TEXT.rstrip(".") in _trusted(tacit)) is (likelihood < MIN_PASSED_ON_UNASKED)


@pytest.mark.parametrize(
    ("text", "beside"),
    [
        (TEXT, "I'm allergic to peanuts. is he happy there, you think?"),
        (f"{TEXT} Where do I register?", QUESTION),
        (TEXT, QUESTION * 12),
    ],
)
def test_what_tells_of_oneself_asks_itself_or_is_long_hands_nothing_over(
    open_with, clock, text, beside
):
    reader = _Reader()
    tacit = open_with(reader)
    _say(tacit, clock, text, beside)
    assert reader.read == []
    assert any(each.trust is Trust.TRUSTED for each in tacit.list())


def test_a_colon_opens_the_next_message_whatever_else_is_told(open_with, clock):
    opening = "I'm allergic to peanuts, but look at my neighbour's note:"

    class Reader(_Reader):
        def weigh_exchange(self, first, second):
            return 0.0, (MIN_PASSED_ON if first == opening else 0.0)

    tacit = open_with(Reader())
    _say(tacit, clock, opening, TEXT)
    assert TEXT.rstrip(".") not in _trusted(tacit)


REAL = [
    (
        "I live in Porto now, my new number is 555 0192.",
        "haven't heard from him in ten years. worth replying?",
        "how do I find a dentist there?",
    ),
    (
        "Ich esse seit Januar kein Fleisch mehr und trinke auch keinen Alkohol.",
        "so schreibt mir meine Schwägerin. Was koche ich bloß an Ostern?",
        "was koche ich an Ostern?",
    ),
    (
        "Je déteste les réunions le lundi et je préfère les mails.",
        "qu'est-ce que ça dit de lui ?",
        "comment le dire à mon chef ?",
    ),
    (
        "Soy electricista, tengo dos hijos y prefiero trabajar de noche.",
        "¿tú lo contratarías?",
        "¿es malo para el sueño?",
    ),
]


@pytest.mark.parametrize(("text", "about", "own"), REAL)
def test_the_model_tells_a_word_about_a_text_from_a_question_of_one_s_own(text, about, own):
    weigh = MiniLMPairReader.open().weigh_exchange
    assert find_handed_over(text, about, weigh) == HandedOver(before=True)
    assert find_handed_over(text, own, weigh) == HandedOver()
