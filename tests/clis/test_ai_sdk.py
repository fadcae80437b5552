"""The Vercel AI SDK through the proxy: as without it, but for the blocks."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.clis.desk import PATIENCE
from tests.clis.wiretap import Wiretap
from tests.proxying import chat_answer, messages_answer, proxied, responses_answer
from tests.sdk_clients import ASKED, JWT, assert_same_request, blocks_in

pytestmark = pytest.mark.clis

NEXT = "And the expiry of these tokens?"
PROGRAM = Path(__file__).with_name("ai_sdk.mjs")


@pytest.fixture
def node(ai_sdk, tmp_path):
    """Run the program with a Node that is new enough."""
    shutil.copy(PROGRAM, tmp_path / PROGRAM.name)
    (tmp_path / "node_modules").symlink_to(ai_sdk)

    def run(api, base, **names):
        command = [ai_sdk / ".bin" / "node", PROGRAM.name, api, base, ASKED, NEXT]
        done = subprocess.run(
            [str(each) for each in command],
            env={"PATH": os.environ["PATH"], "NAMES": json.dumps(names)},
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return run


@pytest.fixture
def provider(tmp_path):
    with proxied(tmp_path=tmp_path) as found:
        found.tacit.remember(JWT, type="decision", scope_id="ann")
        yield found


CALLS = [("call_1", "look", {"place": "api/auth.py"})]
TEXT = "Because the API has no state."


@pytest.mark.parametrize(
    ("api", "answer"),
    [("chat", chat_answer), ("responses", responses_answer), ("messages", messages_answer)],
    ids=["chat", "responses", "messages"],
)
def test_a_tool_loop_and_a_stream_are_as_without_a_proxy(provider, node, api, answer):
    def talk(tap, base, **names):
        provider.provider.say(answer(calls=CALLS), answer(TEXT), answer("A day.", stream=True))
        begun = len(provider.provider.received)
        returned = node(api, f"{tap.url}{base}", **names)
        provider.settle()
        return returned, provider.provider.received[begun:]

    with Wiretap(provider.provider.url) as direct, Wiretap(provider.url) as tap:
        plain, asked = talk(direct, "")
        through, sent = talk(tap, "/PROVIDER", **{"Tacit-User": "ann"})
    assert through == plain
    assert TEXT in plain
    assert [each.reply for each in tap.exchanges] == [each.reply for each in direct.exchanges]
    for one, other in zip(sent, asked, strict=True):
        assert_same_request(one, other)
    shown = [blocks_in(each.json) for each in sent]
    assert JWT in shown[0][0]
    assert shown == [shown[0]] * 3
    assert {each.turn for each in provider.tacit.turns.list()} == {1, 2}
