"""Which messages ask memory for nothing: small talk, commands, words about the last reply."""

import pytest

from tacit.language.small_talk import (
    asks_for_something,
    is_about_reply,
    is_exclamation,
    is_low_information,
)


@pytest.mark.parametrize(
    "text",
    [
        "ok",
        "OK!!!",
        "okaaaay",
        "thanks",
        "Thank you so much :)",
        "bonsoir",
        "merci beaucoup",
        "danke",
        "guten Morgen",
        "hola",
        "muchas gracias",
        "спасибо",
        "привет",
        "ciao",
        "grazie",
        "obrigado",
        "obrigado pela ajuda",
        "grazie dell'aiuto",
        "bedankt voor je hulp",
        "ありがとう",
        "谢谢",
        "你好",
        "안녕하세요",
        "hey, thanks, great work!",
        "👍",
        "🎉🎉 ❤️",
        ":-) ...",
        "?!",
        "",
        "   ",
        "/clear",
        "/model opus",
        "  /Compact now please ",
    ],
)
@pytest.mark.parametrize("has_context", [True, False])
def test_small_talk_and_commands_ask_nothing(text, has_context):
    assert is_low_information(text, has_context=has_context)


@pytest.mark.parametrize(
    "text",
    [
        "How do we deploy?",
        "deploy",
        "Thanks, and how do we deploy?",
        "ok deploy it to Frankfurt",
        "/usr/bin",
        "/etc/hosts is empty",
        "/review the whole billing module again",
        "Wie stellen wir bereit?",
        "どのデータベースですか",
        "哪个数据库",
        "42",
        "nice weather API",
    ],
)
@pytest.mark.parametrize("has_context", [True, False])
def test_what_can_be_looked_for_is_a_question(text, has_context):
    assert not is_low_information(text, has_context=has_context)


@pytest.mark.parametrize(
    "text", ["why?", "Why that?", "And how?", "warum?", "por qué?", "почему это"]
)
def test_a_bare_question_needs_something_before_it(text):
    assert not is_low_information(text, has_context=True)


@pytest.mark.parametrize(
    "text",
    [
        "why?",
        "Why that?",
        "And how?",
        "und warum?",
        "et pourquoi ?",
        "¿y por qué?",
        "e perché?",
        "e por quê?",
        "en waarom?",
    ],
)
def test_a_bare_question_with_nothing_before_it_asks_nothing(text):
    assert is_low_information(text, has_context=False)


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
        "rendilo più corto",
        "riassumi in punti, per favore",
        "deixa mais curto",
        "maak het korter",
        "vat dat samen in een tabel",
        "was denkst du?",
        "qu'en penses-tu ?",
        "¿qué opinas?",
        "che ne pensi?",
        "o que você acha?",
        "wat vind je ervan?",
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
        "rendi più corto il contratto",
        "deixa o contrato mais curto",
        "maak de offerte korter",
        "Qual è il mio punto più debole?",
        "keep the door open again",
        "come over again for the tapas",
    ],
)
def test_words_that_name_a_thing_are_about_that(text):
    assert not is_about_reply(text)


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
