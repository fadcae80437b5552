"""What is closed leaves no thread."""

import threading

import pytest

from tacit import FakeEmbedder, Tacit
from tacit.api.configuration import live_configuration
from tacit.runtime.workers import Deadline
from tacit.server.lifecycle import running_service
from tests.support import BACKENDS, open_backend


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_memory_that_is_closed_leaves_no_thread(backend, tmp_path):
    before = set(threading.enumerate())
    live = live_configuration(None)
    store = open_backend(backend, tmp_path)
    with (
        Tacit(store, "default", embedder=FakeEmbedder(), config=live) as tacit,
        running_service(tacit, live) as service,
    ):
        tacit.remember("We always deploy with a script called ship")
        turn = tacit.turn(session="s", text="I prefer to deploy in the morning. How do we deploy?")
        turn.commit("With ship.")
        tacit.learn()
        tacit.search("deploy")
        tacit.documents.search("deploy")
        tacit.workspace.open("other").remember("Others deploy by hand")
        service.jobs.run("all vectors").result(60)
        service.learning.submit(tacit.learn).result(60)
        Deadline(60).run(lambda: None)
        assert set(threading.enumerate()) - before
    assert set(threading.enumerate()) <= before
