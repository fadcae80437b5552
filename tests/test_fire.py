"""Four processes serve the same conversations and are killed one by one: all that holds."""

import time

import pytest

from tests.fire.crew import at_work
from tests.fire.judge import judge
from tests.fire.worker import IN_ORDER, OVERLAPPING


@pytest.mark.crash
def test_conversations_survive_thirty_kills(tmp_path):
    verdict = _kill_servers(tmp_path, seconds=30, every=1)
    assert verdict.turns > 0


@pytest.mark.crash
def test_turns_that_overlap_show_nothing_twice(tmp_path):
    _kill_servers(tmp_path, seconds=10, every=2.5, manner=OVERLAPPING)


def _kill_servers(folder, seconds, every, manner=IN_ORDER):
    database = str(folder / "memory.db")
    with at_work(database, folder, manner) as crew:
        crew.kill_until(time.monotonic() + seconds, every)
    verdict = judge(database, folder)
    print(f"{seconds} s, {crew.kills} kills: {verdict}")
    return verdict
