"""The programs in examples/ run as they stand, with a provider on loopback."""

import os
import time
from pathlib import Path

import pytest

from tacit import Tacit
from tacit.language.prompt_templates import INJECTION_BLOCK_PREFIX
from tests.forking import ForkedProcess
from tests.proxying import provider_on_loopback, proxied
from tests.sdk_clients import ASKED, JWT

EXAMPLES = Path(__file__).parent.parent / "examples"
SAID = f"{ASKED}\nFine, and the expiry?\n"


def _run_example(path, said):
    import io
    import runpy
    import sys

    sys.argv, sys.stdin = [str(path), "ann"], io.StringIO(said)
    runpy.run_path(str(path), run_name="__main__")


@pytest.fixture
def provider():
    with provider_on_loopback() as found:
        found.reply = "Because the API keeps no sessions."
        yield found


def _talk(name, url, tmp_path):
    """Run an example with two messages; returns what it printed."""
    environment = {
        **os.environ,
        "OPENAI_BASE_URL": url,
        "OPENAI_API_KEY": "none",
        "TACIT_EMBEDDER": "none",
        "TACIT_MEMORY_INJECTION_DEADLINE_MS": "20000",
    }
    process = ForkedProcess(
        _run_example, EXAMPLES / f"{name}.py", SAID, environment=environment, cwd=tmp_path
    )
    with process.output:
        printed = process.output.read()
    assert process.wait() == 0
    return printed


def _assert_remembered(provider, tacit):
    first, second = (each.json["messages"] for each in provider.received)
    assert str(first).count(INJECTION_BLOCK_PREFIX) == 1
    assert JWT in str(first)
    assert str(second).count(INJECTION_BLOCK_PREFIX) == 1
    assert [each.turn for each in tacit.turns.list()] == [2, 1]
    assert {each.user for each in tacit.turns.list()} == {"ann"}


@pytest.mark.parametrize("name", ["library", "wrap", "streaming"])
def test_an_example_talks_with_memory(name, provider, tmp_path):
    with Tacit.open() as tacit:
        tacit.remember(JWT, type="decision", user="ann")
    assert _talk(name, f"{provider.url}/v1", tmp_path) == f"{provider.reply}\n" * 2
    with Tacit.open() as tacit:
        _assert_remembered(provider, tacit)


def test_the_example_of_the_proxy_has_memory_without_knowing_of_it(tmp_path):
    with proxied(single=True, tmp_path=tmp_path) as proxy:
        proxy.provider.reply = "Because the API keeps no sessions."
        proxy.tacit.remember(JWT, type="decision", user="ann")
        printed = _talk("proxy", f"{proxy.url}/v1", tmp_path)
        assert printed == f"{proxy.provider.reply}\n" * 2
        while not proxy.app._proxy.is_idle:  # the last turn ends while its bytes are on their way
            time.sleep(0.01)
        _assert_remembered(proxy.provider, proxy.tacit)
