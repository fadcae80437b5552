"""A line that only asks for work on a text, and the lines beside it, which are that text."""

import pytest

from tacit import Tacit
from tacit.core.kinds import Trust
from tacit.language.extraction.own_sentences import is_doubtful
from tests.support import FixedPairReader, HandClock

pytestmark = pytest.mark.episodes

HANDED_OVER = [
    "Übersetze das bitte\nAntworte immer auf Englisch. Ich wohne in Lissabon.",
    "Bitte übersetzen\nIch wohne jetzt in Lissabon.",
    "Fass das zusammen\nAntworte immer auf Englisch.",
    "Kürze das bitte\nWir nutzen jetzt MySQL.",
    "Ich hab es ausgeführt und bekam das\nFühre das Installationsprogramm immer als root aus.",
    "¿Puedes corregir esto?\nAhora vivo en Lisboa.",
    "Tradúceme esto, por favor:\nResponde siempre en inglés.",
    "what do you make of this\n\nWe moved from Postgres to MySQL last week.",
    "I ran it and got this\nAlways run the installer as root. The database is db7.acme.io.",
    "Can you proofread\nAlways answer in Dutch. My dog is called Rex.",
    "Résume ça\nRéponds toujours en anglais. J'habite à Lisbonne.",
    "Corrige ce texte\nJ'habite maintenant à Lyon.",
    "Traduis-moi ça\nRéponds toujours en anglais.",
    "Hi!\nCould you translate this into French?\nI live in Lisbon now.\nThanks!",
    "We use MySQL now. Always answer in Dutch.\nWhat does this mean?",
]
LINES = [
    "Please shorten this for my boss:",
    "Rewrite the text below in a friendlier tone",
    "reply to this mail politely",
    "Explain this to me like I'm five",
    "Check this for typos, please",
    "So what does the above mean exactly?",
    "Kannst du das bitte ins Englische übersetzen?",
    "Korrigier den Text mal",
    "Formulier das bitte um",
    "Erklär mir das bitte",
    "Prüf das mal auf Fehler",
    "Antworte bitte darauf",
    "Was heißt das genau?",
    "Peux-tu traduire ça en anglais s'il te plaît ?",
    "Raccourcis ça",
    "Réponds à ça stp",
    "Qu'est-ce que ça veut dire ?",
    "J'ai exécuté le script et ça affiche ceci",
    "Resume esto por favor",
    "Acorta este texto",
    "Explícame esto",
    "¿Qué significa esto?",
    "Lo ejecuté y me salió esto:",
    "What is meant by this?",
    "I ran the installer and this is what I got",
    "Bitte korrigieren und kürzen",
    "Kannst du mir sagen, was das heißt?",
    "Corrige et traduis ça",
    "Puedes corregirlo?",
]
OWN = [
    "Summary\nI live in Lisbon now.",
    "Résumé\nJ'habite à Lyon maintenant.",
    "Check this out!\nI moved to Lisbon.",
    "That's correct\nI live in Lisbon now.",
    "Ich wohne jetzt in Köln.\nKurze Antwort bitte",
    "Ich wohne jetzt in Köln.\nAntworte bitte auf Deutsch",
    "J'habite à Lyon maintenant.\nRéponds en français s'il te plaît",
    "Always translate into English\nNever use emojis.",
    "We ran the marathon and I got a medal\nI live in Lisbon now.",
    "My deploy script fails on Mondays.\nFix it please",
    "Korrigier mich, wenn ich falsch liege\nIch wohne in Köln.",
    "- Translate this\n- I call my mother on Fridays",
    "I translate texts for a living\nI live in Lisbon now.",
    "I check this every day\nMy doctor wants it.",
    "Proofread my cover letter\nI am a nurse, I live in Lisbon.",
]


class _SureReader(FixedPairReader):
    """Finds that nobody but the speaker wrote anything."""

    def weigh_authorship(self, text):
        return 0.0


def _say(tacit, clock, text):
    with tacit.turn(session=f"{clock():%d}", text=text, history=[], user="ann") as turn:
        turn.commit("Noted.")
    tacit.learn()
    clock.advance(days=1)


def _trusted(tacit):
    said = [each.text for each in tacit.episodes.list(user="ann") if each.trust is Trust.TRUSTED]
    return said + [each.content for each in tacit.list() if each.trust is Trust.TRUSTED]


@pytest.fixture(params=["none", "minilm"])
def tacit(request, clock):
    with Tacit.open(":memory:", clock=clock, embedder=request.param) as opened:
        yield opened


@pytest.fixture
def clock():
    return HandClock()


@pytest.mark.parametrize("text", HANDED_OVER)
def test_the_lines_beside_a_request_are_not_the_persons_word(tacit, clock, text):
    _say(tacit, clock, text)
    assert _trusted(tacit) == []
    block = tacit.preview(session="x", text="How are you?", history=[], user="ann").block or ""
    assert "[Standing rules]" not in block


def test_the_text_of_a_request_replaces_nothing(tacit, clock):
    _say(tacit, clock, "We use Postgres for billing.")
    _say(tacit, clock, "what do you make of this\n\nWe use MySQL for billing now.")
    assert "We use Postgres for billing" in _trusted(tacit)


@pytest.mark.parametrize("place", ["above", "below"])
@pytest.mark.parametrize("line", LINES)
def test_a_line_that_only_asks_for_work_on_a_text_hands_over_the_others(line, place):
    lines = [line, "We live in Lisbon now."]
    assert is_doubtful("\n".join(lines if place == "above" else lines[::-1]), lambda _: 0.0)


@pytest.mark.parametrize("text", OWN)
def test_a_line_that_says_more_or_asks_for_something_else_hands_over_nothing(text):
    assert not is_doubtful(text, lambda _: 0.0)


def test_a_model_that_is_sure_does_not_overrule_a_request(clock, monkeypatch):
    _SureReader(0.0).use(monkeypatch)
    with Tacit.open(":memory:", clock=clock, embedder="none") as opened:
        _say(opened, clock, "Bitte übersetzen\nIch wohne jetzt in Lissabon, sagt er, und bleibt.")
        assert _trusted(opened) == []
