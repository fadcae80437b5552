"""The command line on learning: what was learned, what would be, and the end of sessions."""

import json

import pytest

from tacit import Tacit
from tacit.api.background import BackgroundLearning
from tacit.cli.learn import REASONS
from tacit.language.extraction.findings import RefusalReason

TABS = "I always use tabs for indentation"


@pytest.fixture(autouse=True)
def _nobody_reads_unasked(monkeypatch):
    """What was said waits until somebody asks for it."""
    monkeypatch.setattr(BackgroundLearning, "heard", lambda _: None)


@pytest.fixture
def tacit(tmp_path):
    """The store that the commands work on, in the hands of an application."""
    with Tacit.open(tmp_path / "cli.db", embedder="none") as tacit:
        yield tacit


def _say(tacit, text, session="chat"):
    with tacit.turn(session=session, text=text) as turn:
        turn.commit("Well.")


def _json(ran):
    assert ran.code == 0, ran.err
    return json.loads(ran.out)


def _rows(ran):
    """The rows of a table, without their layout."""
    return [line.split() for line in ran.out.splitlines()]


def test_learn_shows_each_statement_with_what_became_of_it(run, tacit):
    _say(tacit, TABS)
    shown = run("learn")
    (memory,) = tacit.list()
    rule = memory.metadata["learned_by"]
    assert (shown.code, shown.err) == (0, "")
    assert _rows(shown)[0] == ["verdict", "type", "rule", "id", "content"]
    assert _rows(shown)[1] == ["learned", memory.type, rule, memory.id[-8:], *TABS.split()]
    assert shown.out.splitlines()[-1] == "1 turn read, 1 found"


def test_learn_says_what_was_replaced_and_what_waits_for_a_person(run, tacit, monkeypatch):
    old = tacit.remember("My name is Anna", key="user.name", by="agent")
    _say(tacit, "My name is Bertha")
    shown = run("learn")
    assert f"supersedes {old.id[-8:]}" in shown.out
    monkeypatch.setenv("TACIT_WRITING_WRITE_POLICY", "review")
    _say(tacit, TABS)
    proposed = run("learn")
    assert _rows(proposed)[1][0] == "proposed"
    (review,) = tacit.reviews.list()
    assert f"waits for a person: tacit review accept {review.id[-8:]}" in proposed.out


def test_learn_says_when_nothing_was_said_and_when_nothing_was_worth_keeping(run, tacit):
    assert run("learn").out == "There is nothing to learn now.\n"
    _say(tacit, "Where are the keys?")
    _say(tacit, "And the doors?")
    assert run("learn").out == "2 turns read, nothing found\n"


def test_learn_as_json_is_what_the_library_gives(run, tacit):
    _say(tacit, TABS)
    told = _json(run("learn", "--json"))
    (lesson,) = told["lessons"]
    assert (told["turns"], told["tokens"]) == (1, 0)
    assert (lesson["content"], lesson["verdict"], lesson["session"]) == (TABS, "learned", "chat")
    assert _json(run("learn", "--json")) == {"turns": 0, "lessons": [], "tokens": 0}


def test_learn_has_nothing_to_do_in_a_store_that_is_not_there(run, tmp_path):
    ran = run("learn", db=tmp_path / "nowhere.db")
    assert ran.code == 2
    assert "there are no memories" in ran.err
    assert not (tmp_path / "nowhere.db").exists()


def test_extract_shows_what_would_be_remembered_and_what_not_and_why(run, tmp_path):
    shown = run("extract", f"{TABS}. Should I always use tabs?")
    rows = [" ".join(row) for row in _rows(shown)]
    assert shown.code == 0
    assert "Would be remembered" in rows
    assert any(row.endswith(TABS) for row in rows)
    assert "Would not be remembered" in rows
    assert "a question Should I always use tabs?" in rows
    assert not (tmp_path / "cli.db").exists()


def test_extract_says_what_is_not_sure_enough(run, monkeypatch):
    monkeypatch.setenv("TACIT_WRITING_MIN_CONFIDENCE", "0.99")
    assert "not sure enough: min_confidence is 0.99" in run("extract", TABS).out


def test_extract_shows_keys_places_and_ends(run):
    shown = run("extract", "My name is Bertha. For this session, always answer in German.")
    assert "user.name: My name is Bertha" in shown.out
    assert "for this session" in shown.out


def test_extract_reads_standard_input(run):
    assert TABS in run("extract", "-", stdin=f"{TABS}\n".encode()).out
    assert run("extract", "-", stdin=b"\xff").code == 2


def test_extract_says_when_there_is_nothing(run):
    shown = run("extract", "The weather is nice").out
    assert shown.startswith("Nothing in this would be remembered.\n")
    assert "states nothing to remember" in shown


def test_extract_as_json_is_what_the_library_gives(run):
    said = f"{TABS}. Should I always use tabs?"
    told = _json(run("extract", said, "--json"))
    with Tacit.open(":memory:", embedder="none") as tacit:
        assert told == tacit.extract(said).to_dict()


def test_every_reason_is_told_in_words():
    assert REASONS.keys() == set(RefusalReason)


def test_the_end_of_a_session_says_what_waits_for_the_model(run, tacit, monkeypatch):
    _say(tacit, TABS)
    _say(tacit, "I never drink coffee")
    assert run("session", "end", "chat").out == "session chat is over: nothing waits\n"
    monkeypatch.setenv("TACIT_WRITING_LLM_MODEL", "m")
    monkeypatch.setenv("TACIT_WRITING_LLM_BASE_URL", "http://127.0.0.1:9/v1")
    _say(tacit, "And where are the keys?")
    told = run("session", "end", "chat").out
    assert told == "session chat is over: 1 turn waits for the model; tacit learn has it read now\n"
    assert _json(run("session", "end", "chat", "--json")) == {"session": "chat", "waiting": 0}


def test_a_session_that_never_was_cannot_end(run, tacit):
    assert tacit.sessions.list() == []
    ran = run("session", "end", "nowhere")
    assert (ran.code, "no session 'nowhere'" in ran.err) == (2, True)


def _set_aside(tacit, text):
    """Say something that could not be read."""
    with tacit.turn(session="chat", text=text) as turn:
        turn.commit("Well.")
    with tacit._context.store.write("default") as unit:
        unit.heard.set_aside([turn.receipt.id], "RecursionError: too deep")
    return turn.receipt.id


def test_what_could_not_be_read_is_listed_tried_again_and_dropped(run, tacit):
    first, second = _set_aside(tacit, TABS), _set_aside(tacit, "My dog is called Rex")
    assert "2 turns could not be read: tacit learn --unread" in run("learn").out
    shown = run("learn", "--unread")
    assert all(each in shown.out for each in (first[-8:], "too deep", "--retry ID", "--drop ID"))
    assert [each["id"] for each in _json(run("learn", "--unread", "--json"))] == [first, second]
    assert second[-8:] not in run("learn", "--drop", second[-8:]).out
    assert "1 turn read, 1 found" in run("learn", "--retry", first[-8:]).out
    assert run("learn", "--unread").out == "Every turn could be read.\n"
    assert [each.content for each in tacit.list()] == [TABS]
    gone = run("learn", "--retry", first)
    assert (gone.code != 0, "tacit learn --unread lists" in gone.err) == (True, True)
