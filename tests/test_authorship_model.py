"""Whose words a message holds, where a model reads it beside the patterns."""

import tracemalloc

import pytest

from tacit import Tacit
from tacit.core.errors import ModelUnavailable
from tacit.core.kinds import Trust
from tacit.embedding.minilm import embedder
from tacit.embedding.minilm.model_files import ModelCache
from tacit.embedding.minilm.pair_reader import MiniLMPairReader
from tacit.language.extraction.authorship import MAX_OWN, MIN_FOREIGN
from tacit.language.extraction.own_sentences import is_doubtful
from tests.support import FixedPairReader, HandClock

pytestmark = pytest.mark.episodes

UNKNOWN_WAYS = [
    "The sign on the gym door: bring your own towel and never leave bags in the corridor. Ha.",
    "found on reddit lol. I always put ketchup on steak and I never tip",
    "Guess who said that. I always vote green and I live in Oslo.",
    "Best man speech draft by Tom. I live in Leeds, I am allergic to dogs, I never dance.",
]
PLAIN = [
    "My gym changed the rules, I always bring my own towel now",
    "I sold the Volvo, I drive a Skoda now. Never suggest parking in the street please.",
    "Ich bin allergisch gegen Nüsse und trage immer einen Stift bei mir.",
    "Je ne travaille plus chez Acme, écris-moi toujours à mon adresse privée.",
    "Ya no trabajo en Acme, escríbeme siempre a mi correo privado. Gracias.",
]
UNSUSPECTED = "Billing runs on PostgreSQL now, and the porter knows."
SUSPECTED = "Fix the grammar. Billing runs on PostgreSQL now."
BEFORE, LEARNED = "Billing runs on MySQL", "Billing runs on PostgreSQL now"


class _Reader(FixedPairReader):
    """Finds every message as likely somebody else's as it is told."""

    def __init__(self, likelihood):
        super().__init__(0.0)
        self.likelihood, self.seen = likelihood, []

    def weigh_authorship(self, text):
        self.seen.append(text)
        return self.likelihood


class _Failing(_Reader):
    def weigh_authorship(self, text):
        raise ModelUnavailable("no network")


@pytest.fixture(scope="module")
def reader():
    return MiniLMPairReader.open()


@pytest.fixture
def say(monkeypatch):
    """Learns from messages with a reader, and returns what is trusted."""

    def learn(reader, *texts):
        clock = HandClock()
        reader.use(monkeypatch)
        with Tacit.open(":memory:", clock=clock, embedder="none") as tacit:
            for number, text in enumerate(texts):
                with tacit.turn(session=str(number), text=text, history=[], user="ann") as turn:
                    turn.commit("Noted.")
                tacit.learn()
                clock.advance(days=1)
            found = [each.content for each in tacit.list() if each.trust is Trust.TRUSTED]
            said = tacit.episodes.list(user="ann")
            return found, [each.text for each in said if each.trust is Trust.TRUSTED]

    return learn


@pytest.mark.parametrize("text", UNKNOWN_WAYS)
def test_a_way_of_handing_over_that_no_pattern_knows_is_in_doubt_with_the_model(reader, text):
    assert not is_doubtful(text)
    assert is_doubtful(text, reader.weigh_authorship)


@pytest.mark.parametrize("text", PLAIN)
def test_plain_words_of_a_person_are_in_no_doubt_with_the_model(reader, text):
    assert not is_doubtful(text, reader.weigh_authorship)


def test_nothing_of_what_the_model_finds_likely_to_be_foreign_is_trusted(say):
    assert say(_Reader(MIN_FOREIGN - 0.01), UNSUSPECTED) != ([], [])
    assert say(_Reader(MIN_FOREIGN), UNSUSPECTED) == ([], [])


def test_what_the_model_finds_likely_to_be_foreign_replaces_nothing(say, monkeypatch):
    class Later(_Reader):
        def weigh_authorship(self, text):
            return MIN_FOREIGN if text == UNSUSPECTED else 0.1

    learned, _ = say(Later(0), f"{BEFORE}.", UNSUSPECTED)
    assert learned == [BEFORE]


def test_what_a_pattern_suspects_is_the_person_s_own_if_the_model_is_sure(say):
    assert say(_Reader(MAX_OWN), SUSPECTED) == ([], [])
    learned, said = say(_Reader(MAX_OWN / 2), SUSPECTED)
    assert LEARNED in learned
    assert said


def test_a_text_that_somebody_adopts_waits_for_a_person_however_sure_the_model_is(say):
    assert say(_Reader(0.0), "Follow this guide:\nNever use emojis in answers.") == ([], [])


def test_the_model_is_not_asked_about_a_message_of_a_few_words(say):
    reader = _Reader(1.0)
    assert all(say(reader, "I live in Leeds."))
    assert reader.seen == []


def test_the_model_reads_a_message_once(say):
    reader = _Reader(0.1)
    say(reader, UNSUSPECTED)
    assert reader.seen == [UNSUSPECTED]


@pytest.mark.parametrize(("text", "is_trusted"), [(UNSUSPECTED, True), (SUSPECTED, False)])
def test_without_a_model_the_patterns_alone_decide(text, is_trusted):
    clock = HandClock()
    with Tacit.open(":memory:", clock=clock, embedder="none") as tacit:
        with tacit.turn(session="s", text=text, history=[], user="ann") as turn:
            turn.commit("Noted.")
        tacit.learn()
        trusted = {each.trust is Trust.TRUSTED for each in tacit.episodes.list(user="ann")}
        assert trusted == {is_trusted}


@pytest.mark.parametrize(("text", "is_trusted"), [(UNSUSPECTED, True), (SUSPECTED, False)])
def test_a_model_that_fails_leaves_it_to_the_patterns_and_stops_no_learning(say, text, is_trusted):
    learned, said = say(_Failing(0.0), text)
    assert (LEARNED in " ".join(learned), bool(said)) == (is_trusted, is_trusted)


def test_of_a_long_message_the_beginning_and_the_end_are_read(reader):
    filler = "We talked about the garden and the weather for a while. " * 400
    plain, handing = "I water the ferns on Mondays.", "Gran dictated this and I typed it up."
    weigh = reader.weigh_authorship
    plain_one = weigh(f"{plain} {filler} {plain}")
    assert weigh(f"{handing} {filler} {plain}") != plain_one
    assert weigh(f"{plain} {filler} {handing}") != plain_one
    half = len(filler) // 2
    assert weigh(f"{plain} {filler[:half]}{handing}{filler[half:]} {plain}") == plain_one


def test_the_likelihood_does_not_depend_on_what_was_read_before(reader):
    first = [reader.weigh_authorship(text) for text in UNKNOWN_WAYS]
    assert [reader.weigh_authorship(text) for text in reversed(UNKNOWN_WAYS)] == first[::-1]


def test_loading_the_model_leaves_no_copy_of_its_file_in_memory():
    graph = ModelCache.of_user().message_graph
    load = embedder.open_session.__wrapped__  # tests share what is loaded
    tracemalloc.start()
    try:
        session = load(graph, threads=1)
        held, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert "token_states" in {each.name for each in session.get_outputs()}
    assert held < graph.stat().st_size / 10
