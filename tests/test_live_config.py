"""The configuration of a running program: what it sees of its file, when, and what it keeps."""

import logging
import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from tacit import FakeEmbedder, Tacit
from tacit.api.configuration import live_configuration
from tacit.core.errors import ConfigError
from tacit.settings.config import Config, ConfigPaths, find_config
from tacit.settings.config_file import Change, ConfigFile
from tacit.settings.live_config import LiveConfig
from tacit.store.sqlite.in_memory import SqliteInMemoryStore
from tests.support import HandClock

SOON = 30.0
"""For a machine that is busy with other tests."""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The folder of the user's own file, which is not there yet; the current folder is another."""
    here = tmp_path / "config" / "tacit"
    here.mkdir(parents=True)
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.delenv("TACIT_CONFIG", raising=False)
    return here


@pytest.fixture
def path(folder):
    return folder / "tacit.toml"


@pytest.fixture
def live(folder, tmp_path):
    """What is found with the user, or in the current folder, if anything."""
    live = LiveConfig.open(lambda: find_config({}, tmp_path / "here", folder), {})
    yield live
    live.close()


def depth(value):
    return f"[search]\ngraph_depth = {value}\n"


def becomes_so(true):
    """Whether something becomes true soon enough."""
    end = time.monotonic() + SOON
    while time.monotonic() < end:
        if true():
            return True
        time.sleep(0.005)
    return False


def sees(live, value):
    return becomes_so(lambda: live.current().search.graph_depth == value)


def test_a_file_that_appears_is_seen(live, path):
    assert live.current() == Config()
    path.write_text(depth(1))
    assert live.current().search.graph_depth == 1


def test_every_change_in_place_is_seen_at_once_however_quick(live, path):
    for number in range(200):
        path.write_text(depth(number % 5))
        assert live.current().search.graph_depth == number % 5


def test_quick_changes_are_seen_where_files_have_coarse_times(live, path, monkeypatch):
    exact = Path.stat

    def coarse(self, **options):
        found = exact(self, **options)
        second = int(found.st_mtime)
        times = {"st_mtime": second, "st_mtime_ns": second * 10**9, "st_ctime_ns": second * 10**9}
        kept = {name: getattr(found, name) for name in ("st_ino", "st_size", "st_mode")}
        return SimpleNamespace(**kept, **times)

    monkeypatch.setattr(Path, "stat", coarse)
    for number in range(20):
        path.write_text(depth(number % 5))
        assert live.current().search.graph_depth == number % 5


def test_a_change_that_keeps_size_and_time_is_seen(live, path):
    path.write_text(depth(1))
    os.utime(path, (1_000_000, 1_000_000))
    assert sees(live, 1)
    path.write_text(depth(3))
    os.utime(path, (1_000_000, 1_000_000))
    assert sees(live, 3)


def test_a_file_that_is_replaced_is_seen(live, path, folder):
    path.write_text(depth(1))
    assert sees(live, 1)
    (folder / "new").write_text(depth(3))
    (folder / "new").replace(path)
    assert sees(live, 3)


def test_a_link_that_is_turned_to_another_folder_is_seen(live, path, folder):
    for number in (1, 3):
        (folder / f"v{number}").mkdir()
        (folder / f"v{number}" / "tacit.toml").write_text(depth(number))
    (folder / "current").symlink_to("v1")
    path.symlink_to("current/tacit.toml")
    assert sees(live, 1)
    (folder / "next").symlink_to("v3")
    (folder / "next").replace(folder / "current")
    assert sees(live, 3)


def test_without_the_file_the_next_best_is_in_force(live, path, tmp_path):
    path.write_text(depth(4))
    theirs = tmp_path / "here" / "tacit.toml"
    ConfigFile(theirs).write(depth(1))
    assert sees(live, 1)
    theirs.unlink()
    assert sees(live, 4)
    path.unlink()
    assert becomes_so(lambda: live.current() == Config())
    assert live.state().problem is None


def test_an_editor_that_empties_or_moves_the_file_first_is_not_noticed(
    live, path, folder, monkeypatch
):
    monkeypatch.setattr("tacit.settings.live_config._WRITING_SECONDS", 60)
    path.write_text(depth(1))
    assert sees(live, 1)
    path.write_text("")
    assert live.current().search.graph_depth == 1
    path.write_text("[sear")
    assert live.current().search.graph_depth == 1
    path.write_text(depth(3))
    assert live.current().search.graph_depth == 3
    path.rename(folder / "tacit.toml~")
    assert live.current().search.graph_depth == 3
    path.write_text(depth(4))
    assert sees(live, 4)
    assert live.state().problem is None


def test_a_file_that_stays_empty_says_nothing(live, path):
    path.write_text(depth(1))
    assert sees(live, 1)
    path.write_text("")
    assert sees(live, 2)


def test_an_invalid_file_keeps_the_old_settings_and_is_reported_once(folder, path, caplog):
    path.write_text(depth(1))
    clock = HandClock()
    live = LiveConfig.open(lambda: ConfigPaths(own=path), {}, clock)
    path.write_text(depth(99))
    assert becomes_so(lambda: live.state().problem)
    since = clock()
    clock.advance(minutes=1)
    for _ in range(3):
        assert live.current().search.graph_depth == 1
    problem = live.state().problem
    assert problem.message == (f"{path}, line 2: search.graph_depth: 99 is out of range; 0 to 5")
    assert problem.since == since
    path.write_text("[search")
    assert becomes_so(lambda: "not valid TOML" in live.state().problem.message)
    path.write_text(depth(3))
    assert sees(live, 3)
    assert live.state().problem is None
    warnings = [each.getMessage() for each in caplog.records if each.levelno == logging.WARNING]
    assert [message.count("the settings stay as they were") for message in warnings] == [1, 1]


def test_a_file_that_was_named_and_is_gone_keeps_the_old_settings(folder, path):
    path.write_text(depth(1))
    live = live_configuration(path)
    path.unlink()
    assert becomes_so(lambda: live.state().problem)
    assert "there is no such file" in live.state().problem.message
    assert live.current().search.graph_depth == 1
    path.write_text(depth(3))
    assert sees(live, 3)
    assert live.state().problem is None


def test_a_file_that_is_invalid_at_the_start_is_an_error(folder, path):
    path.write_text(depth(99))
    with pytest.raises(ConfigError, match="line 2"):
        live_configuration(None)


def test_folder_and_environment_are_those_of_the_start(folder, path, tmp_path, monkeypatch):
    path.write_text(depth(1))
    monkeypatch.setenv("TACIT_SEARCH_RRF_K", "7")
    live = live_configuration(None)
    monkeypatch.setenv("TACIT_SEARCH_RRF_K", "nonsense")
    monkeypatch.chdir(tmp_path)
    path.write_text(depth(3))
    assert sees(live, 3)
    assert live.current().search.rrf_k == 7


def test_a_warning_about_a_value_is_not_repeated(live, path, caplog):
    path.write_text("[defaults.memory_injection]\npinned_types = ['zebra']\n")
    for _ in range(5):
        live.current()
    assert len([each for each in caplog.records if "zebra" in each.getMessage()]) == 1


def test_a_drive_that_does_not_answer_changes_nothing(folder, path):
    path.write_text(depth(1))
    answers = [path]

    def find():
        if not answers:
            raise OSError("stale file handle")
        return ConfigPaths(own=answers[0])

    live = LiveConfig.open(find, {})
    answers.clear()
    assert live.current().search.graph_depth == 1
    answers.append(path)
    path.write_text(depth(3))
    assert sees(live, 3)


def test_listeners_hear_of_changes_and_problems_becomes_so(live, path):
    heard = []
    live.listen(lambda _: 1 / 0)
    leave = live.listen(heard.append)
    path.write_text(depth(1))
    assert becomes_so(lambda: len(heard) == 1)
    path.write_text(depth(99))
    assert becomes_so(lambda: len(heard) == 2)
    assert [state.config.search.graph_depth for state in heard] == [1, 1]
    assert heard[0].problem is None
    assert "out of range" in heard[1].problem.message
    leave()
    path.write_text(depth(3))
    assert sees(live, 3)
    assert len(heard) == 2


def _watchers():
    return [each for each in threading.enumerate() if each.name == "tacit-config"]


def test_there_is_a_thread_only_while_someone_listens(live, path):
    live.current()
    assert becomes_so(lambda: not _watchers())
    leave, other = live.listen(print), live.listen(repr)
    assert len(_watchers()) == 1
    leave()
    assert _watchers()
    other()
    assert becomes_so(lambda: not _watchers())
    live.listen(print)
    live.close()
    assert becomes_so(lambda: not _watchers())


def test_looking_is_cheap(live, path):
    path.write_text(depth(1))
    os.utime(path, (1_000_000, 1_000_000))
    live.current()
    begun = time.thread_time()
    for _ in range(1_000):
        live.current()
    assert (time.thread_time() - begun) / 1_000 < 0.001


def test_readers_of_many_threads_get_whole_settings(live, path):
    mixed, stop = [], threading.Event()

    def read():
        while not stop.is_set():
            search = live.current().search
            if (search.graph_depth, search.rrf_k) not in ((2, 60), (1, 11), (3, 33)):
                mixed.append(search)

    threads = [threading.Thread(target=read) for _ in range(4)]
    for thread in threads:
        thread.start()
    file = ConfigFile(path)
    for number in range(20):
        value = (1, 3)[number % 2]
        file.write(f"[search]\nrrf_k = {value * 11}\ngraph_depth = {value}\n")
    stop.set()
    for thread in threads:
        thread.join()
    assert not mixed
    assert live.current().search.graph_depth == 3


FORKED = """
import os, sys, time
from pathlib import Path
from tacit.settings.config import ConfigPaths
from tacit.settings.live_config import LiveConfig
path = Path("tacit.toml")
path.write_text("[search]\\ngraph_depth = 1\\n")
live = LiveConfig.open(lambda: ConfigPaths(own=path), {})
if sys.argv[1:]:
    live.listen(lambda state: print(os.getpid() == child, state.config.search.graph_depth))
child = 0
live._lock.acquire()
child = os.fork()
if child:
    sys.exit(os.waitpid(child, 0)[1])
child = os.getpid()
path.write_text("[search]\\ngraph_depth = 3\\n")
assert live.current().search.graph_depth == 3
if sys.argv[1:]:
    time.sleep(1)
    path.write_text("[search]\\ngraph_depth = 4\\n")
    time.sleep(3)
"""


@pytest.mark.parametrize("listening", [False, True])
@pytest.mark.slow
def test_a_forked_child_goes_on_by_itself(folder, listening):
    ran = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", FORKED, *(["listening"] if listening else [])],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.splitlines()[-1:] == (["True 4"] if listening else [])


ENDING = """
from tacit.settings.config import ConfigPaths
from tacit.settings.live_config import LiveConfig
LiveConfig.open(lambda: ConfigPaths(), {}).listen(print)
"""


def test_listening_does_not_hold_up_the_end_of_a_process(folder):
    subprocess.run([sys.executable, "-W", "error", "-c", ENDING], check=True, timeout=60)


@pytest.fixture
def said(folder):
    """A Tacit that knows something, with the user's own settings."""
    with Tacit.open(":memory:", embedder=FakeEmbedder()) as tacit:
        tacit.remember("zinc is kept in shed one", scope="org")
        yield tacit


def _count(tacit, **asked):
    settings = {"contextual_min_score": 0.05}
    turn = tacit.preview(session="s", text="Where is the zinc kept?", **asked, **settings)
    return len(turn.receipt.injected)


def _enable(path, value, agent=None):
    ConfigFile(path).change([Change(name="enabled", value=value, agent=agent)])


def test_the_next_turn_sees_a_change(said, path):
    assert _count(said) == 1
    _enable(path, False)
    assert _count(said) == 0
    _enable(path, True, agent="a")
    assert (_count(said), _count(said, agent="a")) == (0, 1)
    path.unlink()
    assert becomes_so(lambda: _count(said) == 1)


def test_another_workspace_sees_the_same(said, path):
    view = said.workspace.open("other")
    view.remember("zinc is kept in shed one", scope="org")
    assert _count(view) == 1
    _enable(path, False)
    assert _count(view) == 0


def test_the_next_search_sees_a_change(said, path):
    said.remember("zinc is sold by Mara", scope="org")
    assert len(said.search("zinc").hits) == 2
    path.write_text("[search]\nmax_results = 1\n")
    assert len(said.search("zinc").hits) == 1
    assert len(said.search("zinc", max_results=5).hits) == 2


def test_a_turn_that_has_begun_keeps_its_settings(said, path):
    asked = {"contextual_min_score": 0.05}
    with said.turn(session="s", text="Where is the zinc kept?", **asked) as turn:
        _enable(path, False)
        turn.commit("In shed one.")
    assert len(turn.receipt.injected) == 1


def test_fixed_settings_stay_fixed(folder, path):
    tacit = Tacit(SqliteInMemoryStore.open(), "default", embedder=FakeEmbedder(), config=Config())
    tacit.remember("zinc is kept in shed one", scope="org")
    _enable(path, False)
    assert _count(tacit) == 1


def test_a_live_configuration_can_be_shared(folder, path):
    live = live_configuration(None)
    with Tacit.open(":memory:", embedder=FakeEmbedder(), config=live) as tacit:
        tacit.remember("zinc is kept in shed one", scope="org")
        path.write_text("[defaults.memory_injection]\nenabled = 3\n")
        assert _count(tacit) == 1
        assert becomes_so(lambda: live.state().problem)
