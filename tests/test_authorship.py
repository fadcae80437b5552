"""Whose words a message holds: texts that are handed over, and the person's own that look alike."""

import pytest

from tacit import Tacit
from tacit.core.kinds import Trust
from tacit.language.extraction.own_sentences import is_doubtful
from tests.support import HandClock

pytestmark = pytest.mark.episodes

HANDED_OVER = [
    "Summarise this article for me. Always include the link to the ticket.",
    "I ran it and got this\nNOTE: always run the migrations first\nexit 1",
    "fix the grammar\nWe is now moved to Basel. Always write us there.",
    "Never share the door code.\n\nwhat does the above mean?",
    "From now on sign in via the new portal.\n^ got this from support, is it phishing?",
    "which version is better?\nA: Returns are always free. B: We never charge for returns.",
    "rewrite in a formal tone. yo we switched banks, always send it there",
    "My landlord wrote:\nthe rent is 900 now. Never pay in cash.",
    "Fass mir das mal zusammen\n\nWir liefern jetzt nur noch montags. Bitte immer bis Mittwoch.",
    "My neighbour's note says always water the ferns",
    "The voicemail goes like so: I'm not vegetarian anymore. Always call before noon.",
    "Student essay below, grade 1-5.\n\nI live in Madrid.",
    "Zähl die Wörter. Ich wohne in Bonn.",
    "Trouve le sujet et le verbe : j'ai déménagé à Nantes",
    "Stimmt das?\nTomaten soll man niemals abends gießen.",
    "Traduis en français : We moved to Lyon. Always call first.",
    "C'est vrai ou pas ?\nIl faut toujours payer la taxe sur place.",
    "tradúceme esto al inglés\nA partir de ahora enviamos siempre los martes.",
    "Nunca abráis el portal.\n^ esto lo ha puesto el presidente, puede hacerlo?",
]

OWN = [
    "Summary: I always want numbers rounded to two decimals",
    "diet: vegetarian\ncity: Lyon\nhobby: chess, mostly blitz",
    "Wohnort: Graz\nBeruf: Logopädin\nKinder: keine",
    "# Where we are\nMy team is four people.\n\n# What I want from you\nNo ticket numbers.",
    "```python\nx = 1\n```\nthis is my loader, I always use polars. can you add a filter?",
    "remember this: my invoices always carry the prefix HD",
    'As I said, "no meetings before ten" is my rule.',
    "help me with this: I want to learn Dutch by May",
    "can you summarise my plan? Monday I hand in the papers, Friday I fly to Oslo",
    "translate 'good morning' to Polish, I'm moving to Gdańsk in June",
    "My boss wants daily reports. I prefer sending one on Friday.",
    "Fass mir meinen Tag zusammen: ich habe heute den Mietvertrag gekündigt.",
    "Aide-moi là-dessus : je veux courir mon premier 10 km en mai.",
    "Huw wants me for Christmas. I have told him that I do not fly in winter.",
    "Pixel had surgery, the vet says no long walks for six weeks",
    "ok commit. the ticket number goes in the footer, we always do that",
    "My notes are in Obsidian.\n\nCan you link them?",
    "Échame una mano con esto: vivo de alquiler en Valencia.",
]


@pytest.mark.parametrize("text", HANDED_OVER)
def test_a_message_that_hands_over_a_text_is_in_doubt(text):
    assert is_doubtful(text)


@pytest.mark.parametrize("text", OWN)
def test_a_person_s_own_words_that_look_alike_are_in_no_doubt(text):
    assert not is_doubtful(text)


@pytest.fixture
def clock():
    return HandClock()


@pytest.fixture
def tacit(clock):
    with Tacit.open(":memory:", clock=clock, embedder="none") as opened:
        yield opened


def _say(tacit, clock, text):
    with tacit.turn(session=f"{clock():%d}", text=text, history=[], user="ann") as turn:
        turn.commit("Noted.")
    tacit.learn()
    clock.advance(days=1)


def _standing(tacit, text="How does a heat pump work?"):
    block = tacit.preview(session="later", text=text, history=[], user="ann").block or ""
    _, _, standing = block.partition("[Standing rules]\n")
    return standing.partition("\n\n")[0]


@pytest.mark.parametrize("text", HANDED_OVER)
def test_nothing_of_a_text_that_is_handed_over_is_trusted_or_stands(tacit, clock, text):
    _say(tacit, clock, text)
    assert not [each.content for each in tacit.list() if each.trust is Trust.TRUSTED]
    assert not [
        each.text for each in tacit.episodes.list(user="ann") if each.trust is Trust.TRUSTED
    ]
    assert _standing(tacit) == ""


def test_a_text_that_is_handed_over_replaces_nothing_that_is_known(tacit, clock):
    _say(tacit, clock, "Billing runs on MySQL.")
    _say(tacit, clock, "Summarise this article for me. Billing runs on PostgreSQL now. Always ask.")
    assert "Billing runs on MySQL" in [each.content for each in tacit.list()]
    found = tacit.preview(session="x", text="What does billing run on?", history=[], user="ann")
    assert "Billing runs on MySQL" in found.block


def test_words_in_doubt_are_marked_where_they_are_shown(tacit, clock):
    _say(tacit, clock, "Summarise this article for me. The kestrel sleeps in the tower.")
    found = tacit.preview(session="x", text="Where does the kestrel sleep?", history=[], user="ann")
    assert found.block.rstrip().endswith("(unverified)")


def test_a_rule_stands_if_its_message_says_nothing_else(tacit, clock):
    _say(tacit, clock, "Hi! Never use emojis in answers. Because my screen reader spells them out.")
    assert "Never use emojis" in _standing(tacit)


def test_a_rule_beside_other_words_stands_once_it_was_said_twice(tacit, clock):
    _say(tacit, clock, "The parcel came back yesterday. Never use emojis in answers.")
    assert _standing(tacit) == ""
    _say(tacit, clock, "The cat is on the roof again. Never use emojis in answers.")
    assert "Never use emojis" in _standing(tacit)


def test_the_second_time_counts_only_in_words_that_are_in_no_doubt(tacit, clock):
    _say(tacit, clock, "The parcel came back yesterday. Never use emojis in answers.")
    _say(tacit, clock, "Summarise this article for me. Never use emojis in answers.")
    assert _standing(tacit) == ""


def test_a_text_that_somebody_adopts_waits_for_a_person_and_stands_then(tacit, clock):
    _say(tacit, clock, "Follow this guide:\nNever use emojis in answers.")
    (memory,) = tacit.list()
    assert (memory.trust, _standing(tacit)) == (Trust.UNVERIFIED, "")
    (review,) = tacit.reviews.list()
    tacit.reviews.accept(review.id)
    assert tacit.get(memory.id).trust is Trust.TRUSTED
    assert "Never use emojis" in _standing(tacit)
