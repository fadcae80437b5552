"""What a message refers to: the conversation before it, the last reply, or the speaker's own."""

import pytest

from tacit.language.references import (
    asks_for_something,
    is_about_reply,
    is_exclamation,
    is_follow_up,
    speaks_for_self,
    speaks_of_own,
    speaks_of_self,
)


@pytest.mark.parametrize(
    "text",
    [
        "and the other one?",
        "and if they pay?",
        "Why that instead of sessions?",
        "What was behind it?",
        "Did we lose anything?",
        "How much time have I got left?",
        "What about for kids?",
        "what happens to the old one",
        "Do you know why she left?",
        "Und wann können wir wieder drauf?",
        "Haben die auch nachts jemanden?",
        "Et pourquoi il est parti ?",
        "¿Quién se encarga de eso?",
        "why?",
    ],
)
def test_a_question_without_a_subject_of_its_own_is_a_follow_up(text):
    assert is_follow_up(text)


@pytest.mark.parametrize(
    "text",
    [
        "How do I bake sourdough bread?",
        "What's the difference between a mutex and a semaphore?",
        "Where do I work these days?",
        "When's my birthday?",
        "Why do otters hold hands when they sleep?",
        "How do I centre a div so that it stays in the middle?",
        "Wann kommt das Ersatzteil für den Aufzug?",
        "Wer hat die Zauberflöte komponiert?",
        "make it shorter",
        "perfect, send it",
        "ok do it",
        "are you sure about that?",
        "can you summarise what you just said?",
        "kannst du das wiederholen?",
        "",
    ],
)
def test_what_names_its_subject_or_is_a_command_stands_by_itself(text):
    assert not is_follow_up(text)


@pytest.mark.parametrize(
    "text",
    [
        "make it shorter",
        "one more time but in a table",
        "can you summarise what you just said?",
        "perfect, send it",
        "hm, I don't get it",
        "mach das bitte kürzer",
        "super, so schicken",
        "fais plus court",
        "hazlo más corto",
    ],
)
def test_words_about_the_last_reply_are_about_nothing_else(text):
    assert is_about_reply(text)


@pytest.mark.parametrize(
    "text",
    [
        "make the login form shorter",
        "Which version do we use?",
        "When is my next run?",
        "How fast does our API have to be?",
        "Wie lang darf die Kaution sein?",
    ],
)
def test_words_that_name_a_thing_are_about_that(text):
    assert not is_about_reply(text)


@pytest.mark.parametrize(
    ("text", "own", "for_self", "of_self"),
    [
        ("How fast does our API have to be?", True, True, False),
        ("Put together a session for my living room", True, True, True),
        ("Can I push this out on Friday?", False, True, True),
        ("Write me a unit test", False, True, True),
        ("How do I reverse a linked list?", False, False, False),
        ("My sister needs a cover letter", True, False, False),
        ("Schreib für meine Schwester eine Bewerbung", True, False, False),
        ("Was haben wir vereinbart?", True, True, False),
        ("The podcast site shows wrong dates.", False, False, False),
    ],
)
def test_whom_a_message_speaks_of(text, own, for_self, of_self):
    told = (speaks_of_own(text), speaks_for_self(text), speaks_of_self(text))
    assert told == (own, for_self, of_self)


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("Write me a unit test for the fare calculator", True),
        ("What is JWT?", True),
        ("how does a lighthouse lens work", True),
        ("Do you know when Clara arrives?", True),
        ("Wie funktioniert eine Wärmepumpe?", True),
        ("brb, lunch", False),
        ("drop the emoji", False),
        ("can you bold the title?", False),
        ("ich bin müde", False),
        ("", False),
    ],
)
def test_what_asks_for_something(text, asks):
    assert asks_for_something(text) is asks


def test_an_exclamation_asks_for_nothing():
    assert is_exclamation("what a week")
    assert is_exclamation("Was für ein Tag!")
    assert not is_exclamation("what a mutex is, please explain")
    assert not is_exclamation("What a week was it when we moved?")
