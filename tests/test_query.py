"""From what was said to what is asked: cleaned, and put into context."""

import pytest

from tacit.core.messages import Message
from tacit.language.query import (
    Exchange,
    SearchQuery,
    build_query,
    clean_message,
    is_unread,
    recent_exchanges,
)
from tacit.language.tokens import estimate_tokens

CHOICE = Exchange(
    "Shall we authenticate the API with JWT or sessions?",
    "JWT is stateless, so we chose it over session cookies.",
)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("How do we deploy?", "How do we deploy?"),
        ("  How do\n\nwe \t deploy? ", "How do we deploy?"),
        ("<system-reminder>Be brief</system-reminder>How do we deploy?", "How do we deploy?"),
        ("<SYSTEM id=1>\nBe brief\n</SYSTEM>\nHow do we deploy?", "How do we deploy?"),
        ("How <hook_context>a\nb</hook_context> do we deploy?", "How do we deploy?"),
        (
            "<command-name>/x</command-name><command-args>y</command-args> How do we deploy?",
            "How do we deploy?",
        ),
        ("How do we deploy?\n```\nfatal: no such host\n```", "How do we deploy?"),
        ("How do we deploy?\n```python\nnever closed", "How do we deploy?"),
        ("> You said we use Helm\nHow do we deploy?", "How do we deploy?"),
        ("2026-03-01T12:00:01 worker died\nHow do we deploy?", "How do we deploy?"),
        ("[2026-03-01 12:00] worker died\nHow do we deploy?", "How do we deploy?"),
        ("12:00:01.345 worker died\nHow do we deploy?", "How do we deploy?"),
        ("ERROR no such host\nHow do we deploy?", "How do we deploy?"),
        (
            'How do we deploy?\nTraceback (most recent call last):\n  File "a.py", line 3, in b',
            "How do we deploy?",
        ),
        ("    at com.acme.Main.run(Main.java:7)\nHow do we deploy?", "How do we deploy?"),
        ("[Request interrupted by user for tool use]\nHow do we deploy?", "How do we deploy?"),
        (
            "This session is being continued from a previous conversation that ran out.\n"
            "How do we deploy?",
            "How do we deploy?",
        ),
        ("[Compaction Summary]: we spoke of Helm\nHow do we deploy?", "How do we deploy?"),
    ],
)
def test_what_programs_put_around_a_message_is_left_out(text, left):
    assert clean_message(text) == left


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (
            'Make this friendlier: "The deployment of the billing service failed again" please',
            "Make this friendlier please",
        ),
        (
            "Übersetze das: „Die Rechnung ist noch offen, bitte zahlen Sie bis Freitag“",
            "Übersetze das",
        ),
        (
            "Traduis: «La facture de la semaine dernière est encore ouverte»",
            "Traduis",
        ),
    ],
)
def test_a_text_that_something_is_to_be_done_with_is_not_what_is_asked(text, left):
    assert clean_message(text) == left


@pytest.mark.parametrize(
    "text",
    [
        "Is 3 > 2 here?",
        "An ERROR came up at 12:00 today",
        "Use <b>bold</b> and `code` in the answer",
        "The <system> tag is never closed",
        "We met at noon (as usual)",
        "Remind me: this session is being continued tomorrow",
        'Who said "The deployment of the billing service failed again" yesterday?',
        'Rename the service to: "billing"',
    ],
)
def test_what_a_person_said_stays_as_it_is(text):
    assert clean_message(text) == text


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("```\nfatal: no such host\n```", "``` fatal: no such host ```"),
        ("> quoted", "> quoted"),
        ("ERROR no such host", "ERROR no such host"),
        ("<system>Be brief</system>\n> quoted", "> quoted"),
        ("<system>Be brief</system>", ""),
        (" \n ", ""),
    ],
)
def test_where_nothing_else_is_left_the_message_itself_is(text, left):
    assert clean_message(text) == left


def test_a_message_by_itself_is_asked_as_it_was_said():
    question = build_query("Why that instead of sessions?", ())
    assert question == SearchQuery.of("Why that instead of sessions?")


def test_a_follow_up_keeps_its_own_words_and_adds_those_before_at_less_weight():
    alone, question = build_query("Why that?", ()), build_query("Why that?", [CHOICE])
    assert question.terms[: len(alone.terms)] == alone.terms
    assert question.texts[0] == alone.texts[0]
    assert question.terms[len(alone.terms) :] == question.context
    added = {term.alternatives[0] for term in question.context}
    assert {"jwt", "stateless", "api"} <= added
    assert all(0 < term.weight < 1 for term in question.context)
    assert not any(term.is_stop_word for term in question.context)
    assert all(0 < meaning.weight < 1 for meaning in question.texts[1:])
    assert "JWT" in question.texts[1].text


def test_a_word_that_is_said_now_keeps_its_full_weight():
    question = build_query("Why not JWT instead?", [CHOICE])
    (said,) = [term for term in question.terms if "jwt" in term.alternatives]
    assert said.weight == 1
    assert said not in question.context


def test_what_a_person_said_last_weighs_more_than_answers_and_older_words():
    older = Exchange("Tell me about Kafka", "It keeps logs.")
    weights = {
        term.alternatives[0]: term.weight
        for term in build_query("Why that?", [older, CHOICE]).context
    }
    assert weights["jwt"] > weights["stateless"] > 0
    assert weights["jwt"] > weights["kafka"] > weights["log"]


@pytest.mark.parametrize(
    "text",
    [
        "Please write a migration that adds a billing address column to every customer account"
        " in the production database tonight",
        "Which monitoring dashboards show database replication latency percentiles?",
    ],
)
def test_a_message_that_says_enough_is_not_put_into_context(text):
    assert build_query(text, [CHOICE]) == build_query(text, ())


def test_long_messages_are_not_put_into_context_even_if_they_point_back():
    text = "That is why " + "we should look at this part of it once more and then again " * 2
    assert build_query(text, [CHOICE]).context == ()


def test_exchanges_are_the_last_three_in_order():
    history = []
    for number in range(5):
        history += [
            {"role": "user", "content": f"question {number}"},
            {"role": "assistant", "content": f"answer {number}"},
        ]
    assert recent_exchanges(history) == tuple(
        Exchange(f"question {number}", f"answer {number}") for number in (2, 3, 4)
    )


def test_an_exchange_is_what_people_said_and_not_what_tools_did():
    history = [
        {"role": "system", "content": "You are terse"},
        {"role": "assistant", "content": "Hello"},
        {"role": "user", "content": "<system-reminder>x</system-reminder>List\nthe files"},
        {
            "role": "assistant",
            "content": [
                {"type": "text", "text": "Looking."},
                {"type": "tool_use", "id": "1", "name": "ls", "input": {}},
            ],
        },
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "1", "content": "a"}]},
        {"role": "assistant", "content": "There is one."},
        Message("user", "Which?"),
    ]
    assert recent_exchanges(history) == (
        Exchange("List the files", "Looking. There is one."),
        Exchange("Which?", ""),
    )
    assert recent_exchanges([]) == ()


def test_a_short_text_is_embedded_as_it_is():
    text = "Why do we deploy Kestrel to eu-west-3 on port 8443?"
    assert build_query(text, ()).texts[0].text == text


def test_a_long_text_is_embedded_by_its_names_and_numbers():
    filler = "and then it was as if we had been there with them for all of it so "
    text = f"{filler * 9}Kestrel {filler * 9}8443 {filler * 9}replication latency"
    (meaning,) = build_query(text, ()).texts
    assert estimate_tokens(meaning.text) <= 80
    assert {"Kestrel", "8443", "replication", "latency"} <= set(meaning.text.split())
    words = iter(text.split())
    assert all(word in words for word in meaning.text.split())


def test_only_the_beginning_of_a_long_text_is_matched_by_words():
    text = "kestrel " + "x " * 400 + "falcon"
    found = {term.alternatives[0] for term in build_query(text, ()).terms}
    assert "kestrel" in found
    assert "falcon" not in found


def test_long_exchanges_are_capped_as_well():
    long = Exchange("Kestrel speaks gRPC to Osprey. " * 99, "It does, on port 8443. " * 99)
    question = build_query("Why that?", [long, long])
    assert all(len(meaning.text.split()) < 50 for meaning in question.texts)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("what is my dog called?", False),
        ("Wie heißt mein Hund?", False),
        ("comment s'appelle mon chien, déjà ?", False),
        ("Where did we meet Kōji in Kraków last year, do you know?", False),
        ("犬の名前は何ですか？", True),
        ("Как зовут мою собаку?", True),
        ("我住在哪里？", True),
        ("Jak się wabi mój pies, którego się boją?", True),
        ("Gdzie mieszka Łukasz?", True),
        ("Co to jest Łódź?", True),
        ("Jak się mam do pracy dostać?", True),
        ("Šéf má nový pes", True),
        ("Şükrü nerede oturuyor?", True),
        ("Köpeğimin adı ne?", True),
        ("Bu yıl nereye gidiyoruz, İstanbul'a mı?", True),
        ("Where is Москва?", True),
        ("Где живёт Anna?", True),
    ],
)
def test_a_text_in_a_script_that_no_local_model_has_learned_is_unread(text, expected):
    assert is_unread(text) is expected


@pytest.mark.parametrize(
    "text",
    [
        "Where does Şükrü live?",
        "where does şükrü live?",
        "Who is Božena?",
        "Wann fliege ich nach Łódź?",
        "Wo wohnt Şükrü?",
        "Which pills does Božena swallow?",
        "Où habite Łukasz ?",
        "¿Dónde vive Łukasz?",
        "Dove vive Łukasz?",
        "Onde mora o Łukasz?",
        "Waar woont Łukasz?",
    ],
)
def test_a_name_in_other_latin_letters_leaves_a_message_readable(text):
    assert not is_unread(text)
