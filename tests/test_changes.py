"""What memory did by itself: it is listed with both wordings, undone, and not done again."""

import pytest

from tacit import InvalidInput, NotFound, Status
from tacit.core.changes import ChangeKind
from tacit.core.kinds import Action, Relation, State
from tacit.core.review_reasons import explain_review
from tests.support import FixedPairReader

VIM = "I use Vim as my editor"
EMACS = "I use Emacs as my editor now"
AGAIN = "I use Emacs as my main editor now, with evil-mode"
WHO = {"user": "ana"}


@pytest.fixture(autouse=True)
def replacing(monkeypatch):
    """A model for which every later statement replaces an earlier one that is like it."""
    FixedPairReader(0.97).use(monkeypatch)


def _say(tacit, text, session="first"):
    with tacit.turn(session=session, text=text, history=[], **WHO) as turn:
        turn.commit("Noted.")
    return tacit.learn()


def _shown(tacit, text):
    prepared = tacit.preview(
        session="later", text=text, history=[], contextual_min_score=0.0, **WHO
    )
    return "\n".join(prepared.blocks.values())


def _live(tacit):
    return {each.content for each in tacit.list()}


@pytest.fixture
def replaced(tacit, clock):
    """What was said, and what replaced it by itself."""
    _say(tacit, f"{VIM}.")
    clock.advance(days=3)
    _say(tacit, f"{EMACS}.", "second")
    clock.advance(hours=1)
    return tacit


# The list


def test_what_later_words_replaced_is_listed_with_both_wordings_and_why(replaced):
    (change,) = replaced.changes.list()
    assert (change.kind, str(change.by)) == (ChangeKind.REPLACED, "system")
    assert (change.memory.content, change.other.content) == (VIM, EMACS)
    assert change.reason == "the later statement says otherwise"
    assert change.likelihood == pytest.approx(0.97)
    assert not change.undone


def test_a_newer_value_of_an_agent_is_listed_without_a_likelihood(tacit, clock):
    tacit.remember("tabs", key="editor.indent", by="agent")
    clock.advance(days=1)
    tacit.remember("spaces", key="editor.indent", by="agent")
    (change,) = tacit.changes.list()
    assert (str(change.by), change.memory.content, change.other.content) == (
        "agent",
        "tabs",
        "spaces",
    )
    assert (change.reason, change.likelihood) == ("a newer value of editor.indent", None)


def test_what_a_person_did_is_not_listed(tacit, clock):
    tacit.remember("tabs", key="editor.indent")
    clock.advance(days=1)
    tacit.remember("spaces", key="editor.indent")
    tacit.forget(tacit.remember("The sky is green", by="agent").id)
    assert tacit.changes.list() == []


def test_what_an_agent_took_back_and_what_faded_are_hidden(tacit, clock):
    told = tacit.remember("The build takes nine minutes", by="agent")
    tacit.forget(told.id, by="agent")
    tacit.remember("The lunch was late", by="agent", type="observation", importance=0.05)
    clock.advance(days=60)
    tacit.upkeep()
    faded, taken_back = tacit.changes.list()
    assert {faded.kind, taken_back.kind} == {ChangeKind.HIDDEN}
    assert faded.reason.startswith("importance faded to")
    assert taken_back.reason == "the agent took it back"
    assert (str(faded.by), str(taken_back.by)) == ("system", "agent")


def test_what_expired_is_listed_when_it_did(tacit, clock):
    tacit.remember("The office is closed", by="agent", expires_at="2026-03-05")
    assert tacit.changes.list() == []
    clock.advance(days=5)
    (change,) = tacit.changes.list()
    assert (change.kind, f"{change.at:%Y-%m-%d}") == (ChangeKind.EXPIRED, "2026-03-05")
    assert change.reason == "it was to hold until 2026-03-05 00:00 UTC"


def test_what_a_person_let_expire_is_not_listed(tacit, clock):
    tacit.remember("The office is closed", expires_at="2026-03-05")
    clock.advance(days=5)
    assert tacit.changes.list() == []


def test_the_list_goes_on_page_by_page_newest_first(tacit, clock):
    tacit.remember("The office is closed", by="agent", expires_at="2026-03-04T13:00:00Z")
    for value in ("one", "two", "three", "four"):
        tacit.remember(value, key="the.key", by="agent")
        clock.advance(days=1)
    clock.advance(days=1)
    everything = tacit.changes.list()
    assert [each.memory.content for each in everything] == [
        "The office is closed",
        "three",
        "two",
        "one",
    ]
    paged, after = [], None
    while page := tacit.changes.list(limit=1, after=after):
        paged += page
        after = page[-1].id
    assert paged == list(everything)


def test_what_was_erased_or_forgotten_since_is_not_listed(replaced):
    (change,) = replaced.changes.list()
    replaced.forget(change.other.id)
    (change,) = replaced.changes.list()
    assert change.other is None
    replaced.erase(change.memory.id)
    assert replaced.changes.list() == []


def test_a_user_sees_the_changes_of_their_own_memories(replaced):
    assert len(replaced.changes.list(user="ana")) == 1
    assert replaced.changes.list(user="ben") == []


# Undoing


def test_undoing_lets_both_statements_hold(replaced):
    (change,) = replaced.changes.list()
    written = replaced.changes.undo(change.id)
    assert (written.status, written.memory.content) == (Status.RESTORED, VIM)
    assert written.memory.superseded_by is written.memory.valid_to is None
    assert _live(replaced) == {VIM, EMACS}
    (change,) = replaced.changes.list()
    assert change.undone
    assert replaced.changes.undo(change.id).status is Status.UNCHANGED
    assert replaced.conflicts.list() == []


def test_what_was_undone_is_not_done_again_by_the_same_words(replaced, clock):
    replaced.changes.undo(replaced.changes.list()[0].id)
    clock.advance(days=1)
    _say(replaced, f"{EMACS}.", "third")
    replaced.learn()
    replaced.upkeep()
    assert _live(replaced) == {VIM, EMACS}


def test_what_was_undone_is_not_done_again_by_other_words(replaced, clock):
    (change,) = replaced.changes.list()
    replaced.changes.undo(change.id)
    clock.advance(days=1)
    _say(replaced, f"{AGAIN}.", "third")
    assert replaced.get(change.memory.id).state(clock()) is State.LIVE


def test_a_person_still_replaces_what_was_brought_back(tacit, clock):
    old = tacit.remember("tabs", key="editor.indent", by="agent").id
    tacit.remember("spaces", key="editor.indent", by="agent")
    tacit.changes.undo(tacit.changes.list()[0].id)
    tacit.remember("spaces", key="editor.indent", by="agent", importance=0.9)
    assert tacit.get(old).superseded_by is None
    waiting = tacit.remember("two spaces", key="editor.indent", by="agent")
    assert tacit.get(old).superseded_by is None
    assert waiting.review.action is Action.SUPERSEDE
    tacit.remember("four spaces", key="editor.indent")
    assert tacit.get(old).state(clock()) is State.PAST


@pytest.mark.episodes
def test_a_turn_shows_what_was_brought_back_beside_the_later_words(replaced):
    question = "Which editor do I use, Vim or Emacs?"
    assert VIM not in _shown(replaced, question)
    replaced.changes.undo(replaced.changes.list()[0].id)
    replaced.learn()
    shown = _shown(replaced, question)
    assert VIM in shown
    assert EMACS in shown


def test_what_faded_or_expired_comes_back_for_good(tacit, clock):
    tacit.remember("The lunch was late", by="agent", type="observation", importance=0.05)
    tacit.remember("The office is closed", by="agent", expires_at="2026-03-05")
    clock.advance(days=60)
    tacit.upkeep()
    for change in tacit.changes.list():
        assert tacit.changes.undo(change.id).status is Status.RESTORED
    clock.advance(days=60)
    tacit.upkeep()
    assert _live(tacit) == {"The lunch was late", "The office is closed"}


def test_an_agent_does_not_hide_again_what_a_person_brought_back(tacit):
    told = tacit.remember("The build takes nine minutes", by="agent")
    tacit.forget(told.id, by="agent")
    tacit.changes.undo(tacit.changes.list()[0].id)
    assert tacit.forget(told.id, by="agent").status is Status.QUEUED
    assert tacit.get(told.id).content == "The build takes nine minutes"


def test_an_agent_asks_a_person_to_undo_what_a_persons_words_did(replaced, clock):
    (change,) = replaced.changes.list()
    written = replaced.changes.undo(change.id, by="agent")
    assert (written.status, written.review.action) == (Status.QUEUED, Action.RESTORE)
    assert _live(replaced) == {EMACS}
    told = explain_review(replaced.reviews.get(written.review.id), clock())
    assert "a memory that was replaced" in told.why
    assert told.accept == "Lets it hold again beside what replaced it, and turns use both."
    replaced.reviews.accept(written.review.id)
    assert _live(replaced) == {VIM, EMACS}


def test_an_agent_undoes_what_only_agents_said(tacit):
    tacit.remember("tabs", key="editor.indent", by="agent")
    tacit.remember("spaces", key="editor.indent", by="agent")
    written = tacit.changes.undo(tacit.changes.list()[0].id, by="agent")
    assert written.status is Status.RESTORED
    assert _live(tacit) == {"tabs", "spaces"}


def test_restore_works_on_a_replaced_memory(replaced):
    (change,) = replaced.changes.list()
    written = replaced.restore(change.memory.id)
    assert written.status is Status.RESTORED
    assert _live(replaced) == {VIM, EMACS}
    assert [edge.relation for edge in replaced.memories.links(written.id)] == [
        Relation.COMPATIBLE_WITH
    ]


def test_everything_that_replaced_it_in_turn_stays_beside_it(tacit):
    for value in ("one", "two", "three"):
        tacit.remember(value, key="the.key", by="agent")
    first = next(each for each in tacit.list(state="past") if each.content == "one")
    tacit.restore(first.id)
    assert _live(tacit) == {"one", "three"}
    assert tacit.conflicts.list() == []


def test_what_is_no_change_of_memory_is_not_found(tacit):
    written = tacit.remember("tabs")
    (entry,) = tacit.memories.history(written.id)
    for id in (written.id, entry.id):
        with pytest.raises(NotFound, match="tacit changes"):
            tacit.changes.undo(id)
    with pytest.raises(InvalidInput):
        tacit.changes.undo("no id")


# What was said stays findable


@pytest.mark.episodes
def test_a_search_of_what_was_said_finds_replaced_words_and_marks_them(replaced):
    found = {
        hit.episode.text: hit
        for hit in replaced.search("Vim or Emacs as my editor", episodes=True, user="ana").episodes
    }
    (change,) = replaced.changes.list()
    assert found[f"{EMACS}."].replaced is None
    mark = found[f"{VIM}."].replaced
    assert (mark.by, mark.at) == (change.other.id, change.at)
    replaced.changes.undo(change.id)
    hits = replaced.search("Vim or Emacs as my editor", episodes=True, user="ana").episodes
    assert [hit.replaced for hit in hits] == [None, None]


@pytest.mark.episodes
def test_a_search_of_what_was_said_leaves_out_what_was_forgotten(replaced):
    (change,) = replaced.changes.list()
    replaced.forget(change.other.id)
    hits = replaced.search("Vim or Emacs as my editor", episodes=True, user="ana").episodes
    assert f"{EMACS}." not in [hit.episode.text for hit in hits]
