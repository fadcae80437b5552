"""Four processes on one PostgreSQL, killed one by one, and the server restarted under them.

The server of the tests runs with fsync=off: that changes nothing for a server that is stopped or
killed, because the system keeps what was written, but it does not stand for a power cut.
"""

import contextlib
import os
import signal
import time

import psycopg
import pytest

from tests.fire.crew import at_work
from tests.fire.judge import Outage, judge
from tests.fire.worker import IN_ORDER, OVERLAPPING
from tests.postgres_server import running

_SECONDS_VARIABLE = "TACIT_TEST_SECONDS"
_DOWN_SECONDS = 2.0
_NOTICE_SECONDS = 1.0
"""How long after the server is back a call may still begin and fail: a pool that was refused
connects again after a pause that grows, and who is told of trouble waits no longer than 250 ms."""


@pytest.mark.crash
@pytest.mark.parametrize("manner", [IN_ORDER, OVERLAPPING])
def test_nothing_is_lost_under_fire(tmp_path, manner):
    seconds = float(os.environ.get(_SECONDS_VARIABLE, "30"))
    verdict = _under_fire(tmp_path, manner, seconds=seconds, every=2.5, ways=[_stop, _crash])
    assert verdict.turns > 0


def _under_fire(folder, manner, seconds, every, ways):
    """Kill a worker every so many seconds; between equal stretches the server goes down."""
    stretch, outages = seconds / (len(ways) + 1), []
    with running() as server:
        with at_work(server.url, folder, manner) as crew:
            crew.kill_until(time.monotonic() + stretch, every)
            for way in ways:
                outages.append(_outage(server, way, crew))
                crew.kill_until(time.monotonic() + stretch, every)
        verdict = judge(server.url, folder, outages, _NOTICE_SECONDS)
    print(f"{seconds} s, {crew.kills} kills, {_told(outages)}: {verdict}")
    assert verdict.errors > 0
    return verdict


def _outage(server, way, crew):
    """Down for a while, in which a worker dies and another one comes."""
    down = time.time()
    way(server)
    crew.kill_one()
    time.sleep(_DOWN_SECONDS)
    server.start()
    _wait_for_an_answer(server.url)
    return Outage(down, time.time())


def _stop(server):
    """Shut down as an administrator does: connections are ended, everything is written."""
    server.stop()


def _crash(server):
    """End it at once, without a word to the clients and without a checkpoint."""
    [file] = server.folder.rglob("postmaster.pid")
    postmaster = int(file.read_text().split()[0])
    os.kill(postmaster, signal.SIGQUIT)
    while file.exists():
        time.sleep(0.01)


def _wait_for_an_answer(url):
    while True:
        with contextlib.suppress(psycopg.OperationalError):
            psycopg.connect(url).close()
            return
        time.sleep(0.01)


def _told(outages):
    return " and ".join(f"down for {each.up - each.down:.1f} s" for each in outages)
