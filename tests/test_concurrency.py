"""Several processes at once: no error, no lost write."""

import json
import subprocess
import sys

import pytest

from tacit import Tacit

_WRITERS = _READERS = 4

_WRITE = """
import json, sys, time
from tacit import Tacit
path, name, seconds = sys.argv[1], sys.argv[2], float(sys.argv[3])
end, ids = time.monotonic() + seconds, []
with Tacit.open(path) as tacit:
    while time.monotonic() < end:
        ids.append(tacit.remember(f"{name} says {len(ids)}").id)
        if len(ids) % 10 == 0:
            tacit.edit(ids[-1], importance=0.5)
print(json.dumps(ids))
"""

_READ = """
import json, sys, time
from tacit import Tacit
path, name, seconds = sys.argv[1], sys.argv[2], float(sys.argv[3])
end, reads, most = time.monotonic() + seconds, 0, 0
with Tacit.open(path) as tacit:
    while time.monotonic() < end:
        found = tacit.list(limit=20)
        if found:
            assert tacit.get(found[-1].id).id == found[-1].id
        total = sum(tacit.workspace.stats().counts.by_state.values())
        assert total >= most, "a write that was there is gone"
        most, reads = total, reads + 1
print(json.dumps(reads))
"""


@pytest.mark.crash
def test_processes_share_a_database(tmp_path):
    _share(tmp_path / "memory.db", seconds=10)


def _share(path, seconds):
    writers = [_start(_WRITE, path, f"writer {n}", seconds) for n in range(_WRITERS)]
    readers = [_start(_READ, path, f"reader {n}", seconds) for n in range(_READERS)]
    written = [id for writer in writers for id in _result(writer)]
    assert all(_result(reader) > 0 for reader in readers)
    assert len(written) > _WRITERS
    assert len(set(written)) == len(written)
    with Tacit.open(path) as tacit:
        assert {memory.id for memory in _everything(tacit)} == set(written)
        assert tacit.workspace.stats().counts.indexed == len(written)


def _everything(tacit):
    last = None
    while page := tacit.list(sort="created", limit=1_000, after=last):
        yield from page
        last = page[-1].id


def _start(program, path, name, seconds):
    """All of them open the database at once, while it does not exist yet."""
    command = [sys.executable, "-c", program, str(path), name, str(seconds)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def _result(process):
    out, err = process.communicate()
    assert process.returncode == 0, err.decode()
    return json.loads(out)
