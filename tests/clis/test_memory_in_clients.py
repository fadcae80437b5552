"""Memory at work in the real clients, against a model of our own."""

import json
import signal
from contextlib import closing, contextmanager

import apsw
import pytest

from tests.clis.conftest import install
from tests.clis.desk import DELEGATE, until
from tests.clis.sessions import Gemini, GeminiTerminal

pytestmark = pytest.mark.clis

FACT = "The staging database listens on port 6543"
ASK = "Which port does the staging database listen on?"
ASK_AGAIN = "And the staging database, on which port was it listening?"


@pytest.fixture
def warm(desk):
    """The daemon runs already."""
    desk.start_daemon()


def times(request, words=FACT):
    """How often the model reads it."""
    return request.text.count(words)


def test_a_memory_reaches_the_model_with_a_prompt_that_it_matches(warm, desk, open_session):
    desk.remember(FACT)
    session = open_session()
    assert times(session.say(ASK)) == 1


def test_the_second_prompt_does_not_repeat_it(warm, desk, open_session):
    desk.remember(FACT)
    session = open_session()
    session.say(ASK)
    assert times(session.say(ASK_AGAIN)) == 1


def test_after_a_compaction_it_comes_back_once(warm, desk, open_session):
    desk.remember(FACT)
    session = open_session()
    session.say(ASK)
    session.say("Let us talk about the weather in Lisbon")
    session.compact()
    assert times(session.say("Let us talk about the weather in Rome")) == 0
    assert times(session.say(ASK_AGAIN)) == 1
    assert times(session.say("What was the port of the staging database?")) == 1


def test_a_session_after_clear_gets_it_again(warm, desk, client, open_session):
    desk.remember(FACT)
    session = GeminiTerminal(desk, desk.project) if client is Gemini else open_session()
    try:
        assert times(session.say(ASK)) == 1
        session.clear()
        assert times(session.say(ASK_AGAIN)) == 1
    finally:
        if client is Gemini:
            session.close()


def test_what_belongs_to_a_project_stays_there(warm, desk, open_session):
    desk.remember(FACT, scope="project", scope_id=str(desk.project))
    other = open_session(desk.new_project("other"))
    assert times(other.say(ASK)) == 0
    below = desk.project / "src"
    below.mkdir()
    assert times(open_session(below).say(ASK)) == 1


def test_what_is_said_in_one_session_is_known_in_the_next(warm, desk, open_session):
    first = open_session()
    first.say("I prefer tabs over spaces in Makefiles.")
    with desk.open_memory() as memory:
        until(memory.list)
        (learned,) = memory.list()
    second = open_session(desk.new_project("other"))
    request = second.say("Should I take tabs or spaces for this Makefile?")
    assert "tabs over spaces" in learned.content
    assert times(request, learned.content) == 1


def test_a_subagent_leaves_the_main_session_as_it_is(warm, desk, open_session):
    desk.remember(FACT)
    desk.task = f"{ASK} I prefer to be called Gandalf."
    session = open_session()
    session.say(DELEGATE)
    assert times(session.say(ASK_AGAIN)) == 1
    (helper,) = desk.api.asked("Gandalf")
    assert times(helper) == 0
    with desk.open_memory() as memory:
        (known,) = memory.sessions.list()
        assert known.turns == 2
        assert [each.content for each in memory.list()] == [FACT]


def test_what_the_client_shows_by_itself_is_not_injected(warm, desk, client, open_session):
    desk.remember(FACT)
    (desk.project / client.instructions).write_text(f"# Notes\n\n- {FACT}.\n")
    assert times(open_session().say(ASK)) == 1


def test_a_prompt_goes_through_while_the_database_is_locked(desk, open_session):
    desk.remember(FACT)
    with _locked(desk.database):
        assert times(open_session().say(ASK)) == 0


def test_a_prompt_goes_through_with_a_damaged_database(desk, open_session):
    desk.database.write_bytes(b"no database at all\n" * 1_000)
    open_session().say(ASK)
    assert desk.database.read_bytes().startswith(b"no database")


def test_a_prompt_goes_through_where_there_can_be_no_database(desk, open_session):
    (desk.folder / "file").touch()
    desk.database = desk.folder / "file" / "memory.db"
    open_session().say(ASK)


def test_a_killed_daemon_costs_nothing(warm, desk, open_session):
    desk.remember(FACT)
    session = open_session()
    session.say("Let us talk about the weather in Lisbon")
    desk.end_daemon(signal.SIGKILL)
    assert times(session.say(ASK)) == 1


def test_the_tools_of_memory_are_offered_beside_the_hooks(warm, desk, client, open_session):
    install(client, desk.home)
    desk.remember(FACT)
    session = open_session()
    assert times(session.say(ASK)) == 1
    until(lambda: "tacit" in _tools(session.say("Hello again")))
    assert "remember" in _tools(session.say(ASK_AGAIN))


def _tools(request):
    return json.dumps(request.body["tools"])


@contextmanager
def _locked(database):
    """Nobody else reads or writes."""
    with closing(apsw.Connection(str(database))) as line:
        line.execute("PRAGMA locking_mode = EXCLUSIVE")
        line.execute("PRAGMA journal_mode = DELETE")
        line.execute("BEGIN EXCLUSIVE")
        yield
