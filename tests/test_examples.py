"""The programs in examples/ run as they stand, with a provider on loopback."""

import os
from pathlib import Path

import pytest

from tacit import Tacit
from tacit.language.prompt_templates import INJECTION_BLOCK_PREFIX
from tests.forking import ForkedProcess
from tests.proxying import provider_on_loopback
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


@pytest.mark.parametrize("name", ["wrap", "streaming"])
def test_an_example_talks_with_memory(name, provider, tmp_path):
    environment = {
        **os.environ,
        "OPENAI_BASE_URL": f"{provider.url}/v1",
        "OPENAI_API_KEY": "none",
        "TACIT_EMBEDDER": "none",
        "TACIT_MEMORY_INJECTION_DEADLINE_MS": "20000",
    }
    with Tacit.open() as tacit:
        tacit.remember(JWT, type="decision", scope_id="ann")
    process = ForkedProcess(
        _run_example, EXAMPLES / f"{name}.py", SAID, environment=environment, cwd=tmp_path
    )
    with process.output:
        assert process.output.read() == f"{provider.reply}\n" * 2
    assert process.wait() == 0
    first, second = (each.json["messages"] for each in provider.received)
    assert str(first).count(INJECTION_BLOCK_PREFIX) == 1
    assert JWT in str(first)
    assert str(second).count(INJECTION_BLOCK_PREFIX) == 1
    with Tacit.open() as tacit:
        assert [each.turn for each in tacit.turns.list()] == [2, 1]
        assert {each.user for each in tacit.turns.list()} == {"ann"}
