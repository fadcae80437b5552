"""Erased words: in no file of the data folder, whatever interrupts the erasure."""

import shutil
import zlib
from contextlib import closing, contextmanager, suppress

import apsw
import pytest

from tacit import FakeEmbedder, Tacit
from tacit.api import bulk_erase
from tacit.core.errors import NotFound
from tacit.core.vectors import EmbeddingModel
from tacit.grounding import log_erasure
from tacit.store.sqlite.store import SqliteStore
from tests.support import HandClock

pytestmark = pytest.mark.episodes

WORD = "heliotropium"
SAID = f"The vault opens with {WORD}"
ANN = {"scope": "user", "scope_id": "ann"}


class Killed(BaseException):
    """The process ends here; nothing that runs after it counts."""


def _open(folder):
    return Tacit.open(folder / "memory.db", embedder=FakeEmbedder(), clock=HandClock())


def holding(folder):
    """The files that hold the word, and the tables in which a packed value does."""
    word = WORD.encode()
    files = [path for path in folder.rglob("*") if path.is_file()]
    found = {path.name for path in files if word in path.read_bytes().lower()}
    with closing(apsw.Connection(str(folder / "memory.db"))) as connection:
        tables = connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")
        for (table,) in tables.fetchall():
            for row in connection.execute(f"SELECT * FROM {table}"):
                if any(word in _unpacked(value).lower() for value in row):
                    found.add(table)
    return found


def _unpacked(value):
    if not isinstance(value, bytes):
        return str(value).encode()
    with suppress(zlib.error):
        return zlib.decompress(value)
    return value


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    """A data folder in which the words of one memory stand wherever words can stand."""
    folder = tmp_path_factory.mktemp("data")
    with _open(folder) as tacit:
        tacit.memories.remember_all([f"Plant number {n} wants water" for n in range(5)])
        memory = tacit.remember("The vault was closed", key="vault", **ANN)
        tacit.edit(memory.id, content=SAID)
        plant = tacit.list(contains="number 1")[0].id
        tacit.memories.link(memory.id, plant)
        _put_codes(tacit, memory.id, ())
        _put_codes(tacit, plant, (memory.id,))
        tacit.forget(memory.id, by="agent")
        asked = {"user": "ann", "contextual_min_score": 0.0, "context": "c", "session": "c"}
        tacit.ground(f"{SAID}, note that.", **asked).commit(f"Noted: {SAID}.")
        tacit.ground("Why that one?", **asked).commit("Because of the garden.")
        shown = tacit.turn(session="t", text="What opens the vault?", user="ann", **_ALL)
        shown.commit(f"{SAID}.")
        follow_up = tacit.turn(session="t", text="And why?", history=shown.history, **_ALL)
        follow_up.commit("Who knows.")
        tacit.sessions.set_variables("t", {"handoff": f"Known: {SAID}"})
        tacit.turn(session="open", text=f"Is it so that {SAID}?", user="bob")
        tacit.learn()
        assert WORD in shown.block
    assert holding(folder) >= {
        "memory.db",
        "+c.md",
        "c.md",
        "memories",
        "audit",
        "blocks",
        "receipts",
        "open_turns",
        "token_codes",
        "variables",
    }
    return folder


_ALL = {"contextual_min_score": 0.0}


def _put_codes(tacit, memory, context):
    """Codes that know the word: those of the memory, and those of one that stands behind it."""
    with tacit._context.store.write("default") as unit:
        unit.token_codes.put(memory, EmbeddingModel("tiny", 256, "a"), WORD.encode() * 99, context)


def _erase_one(tacit):
    """The memory by its id, also where it is gone."""
    known = tacit.list(state=None, key="vault")
    return tacit.erase(known[0].id if known else _erased_id(tacit))


def _erased_id(tacit):
    return next(
        entry.memory
        for entry in tacit._context.read(lambda unit: unit.audit.scan(None, 1_000))
        if entry.action == "erase"
    )


ERASURES = {
    "by id": _erase_one,
    "by filter": lambda tacit: tacit.memories.erase_matching(key="vault"),
    "by owner": lambda tacit: tacit.memories.erase_owner("user:ann"),
}
erasures = pytest.mark.parametrize("erase", ERASURES.values(), ids=ERASURES)


@erasures
def test_erased_words_are_in_no_file_of_the_data_folder(data, tmp_path, erase):
    folder = shutil.copytree(data, tmp_path / "data")
    with _open(folder) as tacit:
        done = erase(tacit)
        assert holding(folder) == set()
        again = tacit.turn(session="t", text="What opens the vault?", **_ALL)
        assert WORD not in str(again.block)
    assert holding(folder) == set()
    for kind in ("memories", "audit_values", "blocks", "ledger", "receipts", "turns", "variables"):
        assert done.removed[kind], kind
    assert done.removed["chat_entries"] >= 2
    assert any("in other words" in place for place in done.not_reached)


def test_an_erasure_by_id_tells_the_same_as_one_by_a_filter_that_leaves_that_memory(data, tmp_path):
    receipts = []
    for name in ("by id", "by filter"):
        with _open(shutil.copytree(data, tmp_path / name)) as tacit:
            done = ERASURES[name](tacit)
            left = {place.replace(str(tmp_path / name), "") for place in done.not_reached}
            receipts.append((done.removed, left))
    assert receipts[0] == receipts[1]


def test_a_dry_run_counts_the_turns_that_hold_the_words(data, tmp_path):
    with _open(shutil.copytree(data, tmp_path / "data")) as tacit:
        wished = tacit.memories.erase_matching(key="vault", dry_run=True).removed
        done = tacit.memories.erase_matching(key="vault").removed
    kinds = ("memories", "reviews", "heard", "variables", "turns", "receipts")
    assert [wished[kind] for kind in kinds] == [done[kind] for kind in kinds]


STEPS = (
    (SqliteStore, "write"),
    (SqliteStore, "purge"),
    (bulk_erase, "drop_words_from_files"),
    (bulk_erase, "drop_conversation_files"),
    (log_erasure, "_drop_entries"),
    (log_erasure, "replace_file"),
    (log_erasure, "_drop_summary"),
)
"""What an erasure does one after the other; each is a step when it begins and when it ends."""


class Fault:
    """Kills an erasure at one of its steps: what is in the data folder then is kept aside."""

    def __init__(self, monkeypatch, folder, at):
        self._folder, self._left = folder, at
        for place, name in STEPS:
            monkeypatch.setattr(place, name, self._watched(getattr(place, name)))

    def _watched(self, step):
        def watched(*given, **named):
            self._passed()
            result = step(*given, **named)
            if hasattr(result, "__exit__"):
                return self._around(result)
            self._passed()
            return result

        return watched

    @contextmanager
    def _around(self, manager):
        with manager as entered:
            yield entered
            self._passed()
        self._passed()

    def _passed(self):
        if self._left == 0:
            shutil.copytree(self._folder, self._folder.with_name("killed"))
        self._left -= 1
        if self._left < 0:
            raise Killed


def kill_at_every_step(data, tmp_path, open_folder, erase, check=lambda *_: None):
    """Kill an erasure at each of its steps, and finish it by a repeat; returns how many there are.

    What is left then, `check` looks at before the repeat; after it, no word is left.
    """
    step = 0
    while True:
        room = tmp_path / str(step)
        folder = shutil.copytree(data, room / "data")
        with pytest.MonkeyPatch.context() as patch, open_folder(folder) as tacit:
            Fault(patch, folder, step)
            try:
                erase(tacit)
            except Killed:
                patch.undo()
            else:
                return step
        with open_folder(room / "killed") as tacit:
            check(tacit, room / "killed")
            erase(tacit)
            assert holding(room / "killed") == set(), step
        shutil.rmtree(room)
        step += 1


def _has_what_its_files_repeat(tacit, folder):
    if any(path.suffix == ".md" for path in map(folder.joinpath, holding(folder))):
        assert tacit.list(state=None, key="vault")


@pytest.mark.parametrize(
    "erase",
    [ERASURES["by id"], pytest.param(ERASURES["by owner"], marks=pytest.mark.slow)],
    ids=["id", "owner"],
)
def test_an_erasure_that_was_killed_at_any_step_is_finished_by_a_repeat(data, tmp_path, erase):
    steps = kill_at_every_step(data, tmp_path, _open, erase, _has_what_its_files_repeat)
    assert steps > 15


def test_an_erased_memory_can_be_erased_again_and_an_unknown_one_is_not_found(data, tmp_path):
    with _open(shutil.copytree(data, tmp_path / "data")) as tacit:
        id = tacit.list(state=None, key="vault")[0].id
        tacit.erase(id)
        assert not any(tacit.erase(id).removed.values())
        with pytest.raises(NotFound):
            tacit.erase("01890a5d-ac96-7000-8000-00000000dead")
        with pytest.raises(NotFound):
            tacit.workspace.open("other").erase(id)


def test_what_a_memory_was_learned_from_is_erased_with_it(tmp_path):
    with _open(tmp_path) as tacit:
        said = f"Before we start on the crane: my name is {WORD.title()} Brown. Where is it?"
        tacit.ground(said, context="c", session="c", user="ann").commit("In the harbour.")
        tacit.learn()
        (memory,) = tacit.list()
        assert memory.metadata["turn"] == tacit.turns.list()[0].id
        tacit.sessions.set_variables("c", {"last": said})
        done = tacit.erase(memory.id)
        assert (done.removed["receipts"], done.removed["variables"]) == (1, 1)
        assert holding(tmp_path) == set()


def test_a_turn_that_showed_an_erased_memory_ends_without_a_record(tmp_path):
    with _open(tmp_path) as tacit:
        memory = tacit.remember(SAID)
        held = tacit.turn(session="s", text="What opens the vault?", **_ALL)
        assert WORD in held.block
        tacit.erase(memory.id)
        assert tacit.commit_turn(held.receipt.id, SAID).not_recorded == "erased"
        assert held.commit(SAID).not_recorded == "erased"
        assert WORD not in str(held.history[:-1])
        assert holding(tmp_path) == set()
