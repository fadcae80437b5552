"""Each line earns its place: what comes with a message, and what does not."""

import pytest

from tacit import Tacit
from tacit.core.receipt import NOTE_BY_CONTEXT, NOTE_EVIDENCE, CandidateSource, Fate

JWT = "We chose JWT over session tokens for the API because the mobile app cannot keep cookies"
AUTH = "The auth module lives in src/auth and uses JWT"
DOG = "The dog Pixel sleeps in the kitchen"
BILLING = "Billing runs every night at 02:30 and writes invoices to the ledger"
pytestmark = pytest.mark.encodes

QUIET = {"standing_lines": 0, "episode_lines": 0}


@pytest.fixture
def tacit(tmp_path):
    with Tacit.open(tmp_path / "t.db", embedder="minilm") as opened:
        opened.warm()
        yield opened


def _injected(tacit, text, **given):
    tacit.archive.embed_missing()
    receipt = tacit.preview(**{"session": "s", "text": text, **QUIET, **given}).receipt
    return {tacit.get(each.memory).content: each for each in receipt.injected}


def _say(tacit, history, text, reply):
    with tacit.turn(session="s", history=history, text=text, **QUIET) as turn:
        turn.commit(reply)
    return turn.history


def test_every_injected_line_reaches_the_floor(tacit):
    for content in (JWT, AUTH, DOG, BILLING, "The kitchen is painted blue", "Tea is at four"):
        tacit.remember(content, origin={"session": "told"})
    shown = _injected(tacit, "Why did we choose JWT over sessions for the API?")
    assert JWT in shown
    assert all(each.relevance >= 0.45 for each in shown.values())
    assert {DOG, BILLING, "Tea is at four"}.isdisjoint(shown)


def test_a_question_that_names_two_things_gets_both(tacit):
    office, team = "The office is in Porto", "The billing team has 12 people"
    for content in (office, team, DOG, JWT):
        tacit.remember(content)
    shown = _injected(tacit, "Where is the office of the billing team?")
    assert set(shown) == {office, team}


def test_what_is_in_view_brings_nothing_else_with_it(tacit):
    for content in (JWT, AUTH, DOG, BILLING):
        tacit.remember(content)
    question = "Why did we choose JWT over session tokens for the API?"
    history = _say(tacit, [], question, "Because of the mobile app.")
    turn = tacit.preview(session="s", history=history, text=question, **QUIET)
    assert turn.receipt.injected == ()
    assert {each.fate for each in turn.receipt.candidates} <= {
        Fate.SEEN_IN_WINDOW,
        Fate.BELOW_FLOOR,
    }


@pytest.mark.parametrize(
    "text",
    ["How do I bake sourdough bread?", "make it shorter", "perfect, send it", "are you sure?"],
)
def test_after_a_remembered_topic_other_messages_bring_nothing(tacit, text):
    for content in (BILLING, "The ledger is kept for ten years", DOG):
        tacit.remember(content)
    history = _say(tacit, [], "When does billing run?", "Every night at 02:30.")
    assert _injected(tacit, text, history=history) == {}


def test_a_follow_up_brings_what_the_exchange_does_not_say(tacit):
    for content in (JWT, AUTH, DOG, BILLING):
        tacit.remember(content)
    history = [
        {"role": "user", "content": "What do we know about the auth system?"},
        {"role": "assistant", "content": "The auth module lives in src/auth and uses JWT."},
    ]
    shown = _injected(tacit, "Why that instead of sessions?", history=history)
    assert list(shown) == [JWT]


def test_the_receipt_says_what_came_because_of_the_exchanges_before(tacit):
    for content in ("The backups are kept for 35 days", DOG, BILLING):
        tacit.remember(content)
    history = [
        {"role": "user", "content": "Where do our database backups end up?"},
        {"role": "assistant", "content": "In an S3 bucket in Frankfurt."},
    ]
    shown = _injected(tacit, "how long do we hold on to them?", history=history)
    assert shown["The backups are kept for 35 days"].note == NOTE_BY_CONTEXT


def test_a_weaker_line_comes_only_beside_a_relevant_one_and_says_so(tacit):
    said = [
        "I adopted a cat last Sunday from the shelter in Riverside",
        "Oh nice! What is it called?",
        "Her name is Miso, she is three years old",
    ]
    for place, content in enumerate(said):
        tacit.remember(content, origin={"session": "chat", "ordinal": place, "speaker": "Ann"})
    for number in range(40):
        tacit.remember(f"Invoice {number} was paid in full on time")
    shown = _injected(tacit, "Where did Ann adopt her cat from?")
    assert shown[said[0]].note == ""
    evidence = [each for each in shown.values() if each.note == NOTE_EVIDENCE]
    assert len(evidence) <= len(shown) - len(evidence)
    assert all(each.by is not None for each in evidence)


def test_an_association_is_evidence_only_if_it_has_to_do_with_the_message(tacit):
    sent = "Customers get their papers as PDF from the mail gateway"
    billing, others = tacit.remember(BILLING).id, {}
    for content in (sent, DOG):
        others[content] = tacit.remember(content).id
        tacit.memories.link(billing, others[content], "updates")
    tacit.memories.remember_all([JWT, AUTH, "The office is in Porto"])
    shown = _injected(tacit, "When does billing write its nightly invoices?")
    assert set(shown) == {BILLING, sent}
    assert (shown[sent].note, shown[sent].by) == (NOTE_EVIDENCE, billing)
    assert shown[sent].relevance < 0.45
    tacit.erase(others[sent])
    assert set(_injected(tacit, "When does billing write its nightly invoices?")) == {BILLING}


def test_a_fact_competes_by_its_key_and_value_whatever_its_type(tacit):
    tacit.remember("eu-central-1", key="deploy.region")
    tacit.remember("Pixel", key="dog.name")
    tacit.remember("tabs", key="editor.indent", type="preference")
    shown = _injected(tacit, "Fix the failing unit test of the parser")
    assert shown == {}
    shown = _injected(tacit, "Which region do we deploy to?")
    assert [each.found for each in shown.values()] == [CandidateSource.FACT]
    assert list(shown) == ["eu-central-1"]


def test_a_shadowed_fact_takes_no_place(tacit):
    for scope, value in (("org", "tabs"), ("user", "2 spaces")):
        owner = {"scope_id": "acme"} if scope == "org" else {}
        tacit.remember(f"Indent with {value}", key="editor.indent", scope=scope, **owner)
    shown = _injected(tacit, "How do we indent in the editor?", org="acme", fact_limit=1)
    assert list(shown) == ["Indent with 2 spaces"]


@pytest.mark.parametrize(
    ("priority", "value"),
    [(["user", "org"], "2 spaces"), (["org", "user"], "tabs"), (["org"], "tabs")],
)
def test_the_configured_order_of_scopes_decides_and_others_are_not_read(tacit, priority, value):
    tacit.remember("Indent with tabs", key="editor.indent", scope="org", scope_id="acme")
    tacit.remember("Indent with 2 spaces", key="editor.indent")
    asked = "How do we indent in the editor?"
    shown = _injected(tacit, asked, org="acme", memory_scope_priority=priority)
    assert list(shown) == [f"Indent with {value}"]


def test_texts_in_a_language_that_look_alike_to_the_model_are_not_taken_for_relevant(tacit):
    for content in (
        "Wir verwalten 34 Häuser mit zusammen 412 Wohnungen",
        "Die Kaution beträgt drei Monatsmieten",
        "Der Hausmeister heißt Uwe Petersen und kommt dienstags",
        "Besichtigungen lege ich auf Donnerstag",
        "Der Aufzug in der Arndtstraße wird im Mai gewartet",
        "Die Heizung wurde 2019 erneuert",
        "Schlüssel gebe ich nur gegen Unterschrift heraus",
        "Frau Yilmaz aus dem dritten Stock zahlt per Dauerauftrag",
    ):
        tacit.remember(content)
    for text in (
        "Wie backe ich ein Sauerteigbrot?",
        "Wer hat die Zauberflöte komponiert?",
        "Wie viele Einwohner hat Portugal?",
        "Schreib ein kurzes Gedicht über einen Igel",
    ):
        assert _injected(tacit, text) == {}
    assert list(_injected(tacit, "Wann kommt der Hausmeister?")) == [
        "Der Hausmeister heißt Uwe Petersen und kommt dienstags"
    ]


GERMAN = [
    "Der Hausmeister heißt Uwe Petersen und kommt dienstags",
    "Die Kaution beträgt drei Monatsmieten",
    "Besichtigungen lege ich auf Donnerstag",
]
SPANISH = [
    "Mi hermana vive en Valencia con dos gatos",
    "El taller abre los lunes a las nueve",
    "Trabajo en una panadería del barrio de Gracia",
]
OTHER_THINGS_IN_GERMAN = [
    "Wie backe ich ein Sauerteigbrot?",
    "Erkläre mir die Photosynthese",
    "Schreib ein kurzes Gedicht über einen Igel",
]
OTHER_THINGS_IN_SPANISH = [
    "¿Cómo se hace una tortilla de patatas?",
    "¿Quién escribió Don Quijote?",
    "¿Cuántos habitantes tiene Portugal?",
]


@pytest.mark.parametrize("count", [1, 2, 3])
@pytest.mark.parametrize(
    ("memories", "others", "asked"),
    [
        (GERMAN, OTHER_THINGS_IN_GERMAN, "Wann kommt der Hausmeister?"),
        (SPANISH, OTHER_THINGS_IN_SPANISH, "¿Dónde vive mi hermana?"),
    ],
    ids=["german", "spanish"],
)
def test_a_few_memories_in_another_language_are_silent_until_asked_for(
    tacit, memories, others, asked, count
):
    tacit.memories.remember_all(memories[:count])
    for text in others:
        assert _injected(tacit, text) == {}
    assert list(_injected(tacit, asked)) == [memories[0]]


def test_the_one_german_memory_among_english_ones_does_not_answer_every_german_question(tacit):
    tacit.memories.remember_all([GERMAN[0], JWT, AUTH, DOG, BILLING, "The office is in Porto"])
    for text in OTHER_THINGS_IN_GERMAN:
        assert _injected(tacit, text) == {}
    assert list(_injected(tacit, "Wann kommt der Hausmeister?")) == [GERMAN[0]]
