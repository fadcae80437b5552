"""Erasing what was said: by id, session, owner and filters, with memories and against a writer."""

import shutil
import threading
from contextlib import suppress

import pytest

from tacit import FakeEmbedder, NotFound, Tacit
from tacit.api.tacit import find_access
from tacit.core.permissions import Viewer
from tacit.store.episodes import EpisodeTable, from_row
from tacit.store.workspaces import episodes_workspace
from tacit.turn.record import TurnRecorder
from tacit.writing.learning.episodes import EpisodeWriter
from tests.support import HandClock
from tests.test_erased_words import WORD, holding, kill_at_every_step

pytestmark = pytest.mark.episodes

SAID = f"By the way, the boat is painted {WORD} and lies in the old harbour."
OTHER = "We are in Hamburg now, Jonas got a job at the hospital there."
LEARNED = f"Before we start on the crane: my name is {WORD.title()} Brown."
ALL = {"contextual_min_score": 0.0}


def open_store(folder):
    return Tacit.open(folder / "memory.db", embedder=FakeEmbedder(), clock=HandClock())


def say(tacit, text, **asked):
    """One turn in which a person says something, and what was kept of it."""
    asked = {"session": "s", "user": "ann", **asked}
    turn = tacit.turn(text=text, **asked)
    turn.commit("Noted.")
    tacit.learn()
    return turn


def episodes(tacit, workspace="default"):
    """All that is kept, oldest first."""
    with tacit._context.store.read(episodes_workspace(workspace)) as unit:
        return [from_row(row) for row in EpisodeTable(unit).scan(None, 1_000)]


def texts(tacit):
    return [each.text for each in episodes(tacit)]


def find(tacit, text):
    return next(each for each in episodes(tacit) if each.text == text)


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    """A data folder in which the words stand wherever what was said can stand."""
    folder = tmp_path_factory.mktemp("data")
    with open_store(folder) as tacit:
        say(tacit, OTHER)
        tacit.ground(SAID, user="ann", context="c", session="c").commit(f"So {SAID}")
        tacit.learn()
        shown = say(tacit, "What colour is the boat in the harbour?", session="later", **ALL)
        assert WORD in shown.block
        follow_up = tacit.turn(
            session="later", text="And why?", history=shown.history, user="ann", **ALL
        )
        follow_up.commit("Who knows.")
        tacit.learn()
        tacit.turn(session="open", text="Where does the boat lie?", user="ann", **ALL)
        tacit.sessions.set_variables("later", {"handoff": f"Known: {SAID}"})
    assert holding(folder) >= {"memory.db", "+c.md", "memories", "blocks", "open_turns"}
    return folder


@pytest.fixture
def said(data, tmp_path):
    return shutil.copytree(data, tmp_path / "said")


ERASURES = {
    "id": lambda tacit: tacit.erase(_id_of(tacit)),
    "session": lambda tacit: tacit.memories.erase_session("c"),
    "owner": lambda tacit: tacit.memories.erase_owner("user:ann"),
    "filters": lambda tacit: tacit.memories.erase_matching(contains=f"painted {WORD.upper()}"),
}
erasures = pytest.mark.parametrize("erase", ERASURES.values(), ids=ERASURES)


def _id_of(tacit):
    """The id of the episode, also where it is gone."""
    with suppress(StopIteration):
        return find(tacit, SAID).id
    with tacit._context.store.read(episodes_workspace("default")) as unit:
        return next(entry.memory for entry in unit.audit.scan(None, 99))


@erasures
def test_erased_episodes_are_in_no_file_of_the_data_folder(said, erase):
    with open_store(said) as tacit:
        done = erase(tacit)
        assert holding(said) == set()
        assert done.removed["episodes"] >= 1
        assert not any(erase(tacit).removed.values())
        again = tacit.turn(session="t", text="What colour is the boat?", user="ann", **ALL)
        assert WORD not in str(again.block)
    assert holding(said) == set()
    for kind in ("blocks", "ledger", "receipts", "turns", "variables"):
        assert done.removed[kind], kind
    assert done.removed["chat_entries"] >= 1


@erasures
def test_what_else_was_said_stays_unless_it_is_the_owners(said, erase):
    with open_store(said) as tacit:
        erase(tacit)
        assert (OTHER in texts(tacit)) is (erase is not ERASURES["owner"])


@pytest.mark.parametrize("what", ["session", "owner", "filters"])
def test_a_dry_run_counts_episodes_and_erases_none(said, what):
    ways = {
        "session": lambda tacit, **asked: tacit.memories.erase_session("c", **asked),
        "owner": lambda tacit, **asked: tacit.memories.erase_owner("user:ann", **asked),
        "filters": lambda tacit, **asked: tacit.memories.erase_matching(contains=WORD, **asked),
    }
    with open_store(said) as tacit:
        before = texts(tacit)
        wished = ways[what](tacit, dry_run=True).removed
        assert texts(tacit) == before
        done = ways[what](tacit).removed
    kinds = ("memories", "episodes", "reviews", "heard", "variables", "turns", "receipts")
    assert [wished[kind] for kind in kinds] == [done[kind] for kind in kinds]


@pytest.mark.parametrize(
    "erase",
    [ERASURES["id"], pytest.param(ERASURES["owner"], marks=pytest.mark.slow)],
    ids=["id", "owner"],
)
def test_an_erasure_that_was_killed_at_any_step_is_finished_by_a_repeat(said, tmp_path, erase):
    assert kill_at_every_step(said, tmp_path, open_store, erase) > 15


def test_filters_that_episodes_do_not_have_select_none(said):
    with open_store(said) as tacit:
        kept = texts(tacit)
        for filters in ({"types": ["fact"]}, {"key": "a"}, {"tag": "a"}, {"pinned": False}):
            tacit.memories.erase_matching(contains=WORD, **filters)
        key = next(iter(_message_keys(tacit)))
        assert tacit.memories.erase_matching(contains=key[:8]).removed["episodes"] == 0
        assert tacit.episodes.list(user="ann", contains=key[:8]) == []
        assert texts(tacit) == kept


def test_the_command_shows_an_episode_and_erases_it_when_told_to(said, run):
    with open_store(said) as tacit:
        id, place = find(tacit, SAID).id, said / "memory.db"
    refused = run("erase", id, stdin=b"n\n", db=place)
    assert refused.code == 1
    assert WORD in refused.err
    assert holding(said)
    assert "episodes" in run("erase", id, stdin=b"y\n", db=place).out
    assert holding(said) == set()
    assert run("erase", id, "--yes", db=place).code == 0


def _message_keys(tacit):
    with tacit._context.store.read(episodes_workspace("default")) as unit:
        return [row.key for row in EpisodeTable(unit).scan(None, 99)]


def test_filters_select_by_time_session_and_owner(tmp_path):
    with open_store(tmp_path) as tacit:
        say(tacit, SAID)
        tacit._context.clock.advance(days=2)
        day = tacit._context.clock().date()
        say(tacit, OTHER, session="t", user="bob")
        assert (
            tacit.memories.erase_matching(created_from=day, dry_run=True).removed["episodes"] == 1
        )
        assert tacit.memories.erase_matching(session="s", dry_run=True).removed["episodes"] == 1
        bob = {"scope": "user", "scope_id": "bob"}
        assert tacit.memories.erase_matching(**bob).removed["episodes"] == 1
        assert texts(tacit) == [SAID]


def test_an_owner_loses_what_they_said_in_every_project_and_nobody_else_does(tmp_path):
    with open_store(tmp_path) as tacit:
        say(tacit, SAID, project="shop")
        say(tacit, OTHER, project="barn")
        say(tacit, "My bicycle is green and has two bells.", user="bob", session="his")
        assert tacit.memories.erase_owner("user:ann").removed["episodes"] == 2
        assert [each.user for each in episodes(tacit)] == ["bob"]


def test_what_nobody_is_named_for_in_a_users_own_session_goes_with_the_user(tmp_path):
    with open_store(tmp_path) as tacit:
        say(tacit, SAID)
        say(tacit, OTHER, user=None)
        say(tacit, "My bicycle is green and has two bells.", user=None, session="unnamed")
        assert tacit.memories.erase_owner("user:ann").removed["episodes"] == 2
        assert [each.session for each in episodes(tacit)] == ["unnamed"]


def test_a_project_loses_what_was_said_in_it_by_anybody(tmp_path):
    with open_store(tmp_path) as tacit:
        say(tacit, SAID, project="shop")
        say(tacit, "My bicycle is green and has two bells.", user="bob", project="shop")
        say(tacit, OTHER)
        assert tacit.memories.erase_owner("project:shop").removed["episodes"] == 2
        assert texts(tacit) == [OTHER]
        assert holding(tmp_path) == set()


def test_erasing_a_memory_erases_what_it_was_learned_from_and_leaves_other_memories(tmp_path):
    with open_store(tmp_path) as tacit:
        say(tacit, f"{LEARNED} I live in Lisbon.")
        say(tacit, OTHER)
        known = {memory.content: memory.id for memory in tacit.list()}
        assert len(known) >= 2
        name = next(id for content, id in known.items() if WORD.title() in content)
        done = tacit.erase(name)
        assert done.removed["episodes"] == done.removed["memories"] == 1
        assert texts(tacit) == [OTHER]
        assert {memory.id for memory in tacit.list()} == {*known.values()} - {name}


def test_erasing_an_episode_erases_what_was_learned_from_it_but_nothing_a_person_wrote(tmp_path):
    with open_store(tmp_path) as tacit:
        own = tacit.remember("Lisbon is where I live", scope="user", scope_id="ann")
        say(tacit, LEARNED)
        (episode,) = episodes(tacit)
        done = tacit.erase(episode.id)
        assert (done.memory, done.removed["memories"]) == (episode.id, 1)
        assert [memory.id for memory in tacit.list()] == [own.id]
        assert holding(tmp_path) == set()


def test_a_memory_that_a_person_kept_of_an_erased_episode_stays_and_is_named(tmp_path):
    with open_store(tmp_path) as tacit:
        say(tacit, SAID)
        (episode,) = episodes(tacit)
        kept = tacit.episodes.promote(episode.id).memory
        done = tacit.erase(episode.id)
        assert [memory.id for memory in tacit.list()] == [kept.id]
        assert any(kept.id in place for place in done.not_reached)


def test_an_unknown_episode_is_not_found_and_an_erased_one_can_be_erased_again(said):
    with open_store(said) as tacit:
        id = find(tacit, SAID).id
        tacit.erase(id)
        assert not any(tacit.erase(id).removed.values())
        for place, unknown in (
            (tacit, "01890a5d-ac96-8000-8000-00000000dead"),
            (tacit.workspace.open("other"), id),
        ):
            with pytest.raises(NotFound, match="said"):
                place.erase(unknown)


def test_a_bound_caller_erases_its_own_episodes_only(tmp_path):
    with open_store(tmp_path) as tacit:
        say(tacit, SAID, agent="coder")
        say(tacit, OTHER, user="bob", session="his", agent="writer")
        his = find(tacit, OTHER).id
        for reach in (Viewer(user="ann"), Viewer(agent="coder")):
            eraser = tacit.memories.erasures_of(reach)
            with pytest.raises(NotFound):
                eraser.erase(his, by="user")
            assert eraser.erase_session("his", dry_run=False, by="user").removed["episodes"] == 0
            wished = eraser.erase_matching(contains="a", dry_run=True, by="user")
            assert wished.removed["episodes"] == 1
        assert tacit.memories.erasures_of(Viewer(user="ann")).erase(find(tacit, SAID).id, by="user")
        assert texts(tacit) == [OTHER]


def test_a_turn_that_showed_an_erased_episode_ends_without_a_record(tmp_path):
    with open_store(tmp_path) as tacit:
        say(tacit, SAID)
        held = tacit.turn(session="t", text="What colour is the boat?", user="ann", **ALL)
        assert WORD in held.block
        tacit.erase(find(tacit, SAID).id)
        assert held.commit("Nice.").not_recorded == "erased"
        assert holding(tmp_path) == set()


def test_a_turn_that_is_recorded_after_the_episode_it_shows_was_erased_is_abandoned(
    tmp_path, monkeypatch
):
    record = TurnRecorder.write
    with open_store(tmp_path) as tacit:
        say(tacit, SAID)
        id = find(tacit, SAID).id

        def record_late(self):
            tacit.erase(id)
            return record(self)

        monkeypatch.setattr(TurnRecorder, "write", record_late)
        held = tacit.turn(session="t", text="What colour is the boat?", user="ann", **ALL)
        monkeypatch.undo()
        assert WORD in held.block
        assert held.commit("Nice.").not_recorded == "erased"
        tacit._context.store.purge()
        assert holding(tmp_path) == set()


RACES = {
    "session": lambda tacit: tacit.memories.erase_session("s"),
    "owner": lambda tacit: tacit.memories.erase_owner("user:ann"),
    "project": lambda tacit: tacit.memories.erase_owner("project:shop"),
    "memory": lambda tacit: tacit.memories.erase_matching(key="boat"),
}


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("erase", RACES.values(), ids=RACES)
def test_a_turn_that_is_erased_while_it_is_kept_does_not_bring_its_words_back(
    tmp_path, monkeypatch, erase, when
):
    keep = EpisodeWriter.keep
    with open_store(tmp_path) as tacit:
        tacit.remember(f"the boat is painted {WORD}", key="boat")

        def keep_slowly(*asked):
            if when == "before":
                erase(tacit)
            kept = keep(*asked)
            if when == "after":
                erase(tacit)
            return kept

        monkeypatch.setattr(EpisodeWriter, "keep", keep_slowly)
        say(tacit, SAID, project="shop")
        assert episodes(tacit) == []
        if erase is not RACES["memory"]:
            tacit.memories.erase_matching(key="boat")
        tacit._context.store.purge()
        assert holding(tmp_path) == set()


@pytest.mark.parametrize(
    "erase",
    [
        RACES["memory"],
        *(
            pytest.param(RACES[each], id=each, marks=pytest.mark.slow)
            for each in ("session", "owner", "project")
        ),
    ],
)
def test_a_turn_that_is_kept_at_any_step_of_an_erasure_leaves_no_words(tmp_path, erase):
    """A learner has read the turn, keeps it at one step, and goes on at that or a later step."""
    first = second = 0
    while True:
        folder = tmp_path / f"{first}-{second}"
        with pytest.MonkeyPatch.context() as patch, open_store(folder) as tacit:
            patch.setattr(tacit._context.learning, "heard", lambda: None)
            tacit.remember(f"the boat is painted {WORD}", key="boat")
            turn = tacit.turn(session="s", user="ann", project="shop", text=SAID)
            turn.commit("Noted.")
            learner = SlowLearner(patch, tacit, first, second)
            erase(tacit)
            steps = learner.finish()
            patch.undo()
            assert episodes(tacit) == [], (first, second)
            if erase is not RACES["memory"]:
                tacit.memories.erase_matching(key="boat")
            tacit._context.store.purge()
            assert holding(folder) == set(), (first, second)
        second += 1
        if second > steps:
            first += 1
            second = first
        if first > steps:
            break
    assert steps > 2


class SlowLearner:
    """Learns from a turn that it has read, in two parts, each before a transaction of an erasure.

    What it has not done by the end of the erasure it does then.
    """

    def __init__(self, patch, tacit, first, second):
        self._places, self._steps = (first, second), 0
        self._gates = (threading.Event(), threading.Event())
        self._kept = threading.Event()
        self._write, self._keep = tacit._context.store.write, EpisodeWriter.keep
        self._ready = threading.Event()
        patch.setattr(EpisodeWriter, "keep", lambda *asked: self._keep_slowly(*asked))
        self._thread = threading.Thread(target=tacit._context.learning._learner.learn_by_rules)
        self._thread.start()
        assert self._ready.wait(60)
        patch.setattr(tacit._context.store, "write", self._watch)

    def finish(self):
        """Let it end; returns how many transactions the erasure had."""
        for gate in self._gates:
            gate.set()
        self._thread.join()
        return self._steps

    def _keep_slowly(self, *asked):
        self._ready.set()
        self._gates[0].wait()
        kept = self._keep(*asked)
        self._kept.set()
        self._gates[1].wait()
        return kept

    def _watch(self, workspace):
        if threading.current_thread() is threading.main_thread():
            if self._steps == self._places[0]:
                self._gates[0].set()
                self._kept.wait()
            if self._steps == self._places[1]:
                self._gates[1].set()
                self._thread.join()
            self._steps += 1
        return self._write(workspace)


def test_a_name_under_which_something_said_is_kept_is_in_use(tmp_path):
    with open_store(tmp_path) as tacit:
        say(tacit, SAID)
        with tacit._context.store.write("default") as unit:  # as after an import
            unit.sessions.remove("s")
            unit.blocks.clear("s")
            unit.ledger.clear("s")
            unit.receipts.drop([each.id for each in unit.receipts.recent("s", 9)])
            unit.participants.clear("s")
        bob = find_access(tacit, Viewer(user="bob"))
        with pytest.raises(Exception, match="is taken"):
            bob.claim("s")
        tacit.memories.erase_session("s")
        assert bob.claim("s") == "s"
