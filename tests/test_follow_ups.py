"""Which messages take their subject from the conversation before them."""

import pytest

from tacit.language.follow_ups import is_follow_up


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
