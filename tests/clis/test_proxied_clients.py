"""The real clients through `tacit proxy`: as without it, but for the blocks."""

import json
from dataclasses import replace

import pytest

from tests.clis.conftest import install
from tests.clis.desk import READ, Desk
from tests.clis.fake_api import Answer, FakeApi
from tests.clis.proxied import assert_untouched, behind_proxy
from tests.clis.sessions import ClaudeCode, Codex
from tests.sdk_clients import blocks_in

pytestmark = pytest.mark.clis

FACT = "The staging database listens on port 6543"
ASK = "Which port does the staging database listen on?"
COMPACTION = "Your task is to create a detailed summary of the conversation"
SUMMARY = "The weather in Lisbon was discussed."
ASK_AGAIN = "And who runs the staging database on its port?"


@pytest.fixture
def desk(clis, tmp_path, tmp_path_factory):
    (tmp_path / "home").mkdir()
    with FakeApi() as api:
        found = Desk(tmp_path, clis, api, runtime=tmp_path_factory.mktemp("run"))
        found.remember(FACT)
        yield found
        found.leave()


@pytest.fixture
def proxied(desk):
    with behind_proxy(desk) as found:
        yield found


class Claude:
    """Claude Code, one process for each prompt."""

    kind = ClaudeCode

    def __init__(self, proxied):
        self._proxied = proxied

    def say(self, prompt, *options):
        self._proxied.run(
            self._proxied.desk.binaries / "claude",
            "-p",
            *options,
            prompt,
            ANTHROPIC_BASE_URL=self._proxied.url,
            ANTHROPIC_API_KEY="dummy",
            DISABLE_TELEMETRY="1",
            DISABLE_AUTOUPDATER="1",
            CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC="1",
        )

    def go_on(self, prompt):
        self.say(prompt, "--continue")


class CodexExec:
    """Codex with its built-in provider, one process for each prompt."""

    kind = Codex

    def __init__(self, proxied):
        self._proxied = proxied

    def say(self, prompt, *command):
        provider = f'openai_base_url="{self._proxied.url}/v1"'
        self._proxied.run(
            self._proxied.desk.binaries / "codex",
            *("-c", provider, "-c", 'model="gpt-5.1-codex"', "exec"),
            *(*command, "--dangerously-bypass-hook-trust", "--skip-git-repo-check", prompt),
            CODEX_API_KEY="dummy",
        )

    def go_on(self, prompt):
        self.say(prompt, "resume", "--last")


@pytest.fixture(params=[Claude, CodexExec], ids=["claude", "codex"])
def cli(request, proxied):
    return request.param(proxied)


def statuses(proxied):
    return [passed.told.get("tacit-memory") for passed, _ in proxied.pairs]


def test_a_block_comes_once_and_is_replayed_with_the_same_bytes(proxied, cli):
    cli.say(ASK)
    cli.go_on(ASK_AGAIN)
    (first, then) = [blocks_in(came.body) for _, came in proxied.pairs]
    assert len(first) == 1
    assert FACT in first[0]
    assert then == first
    assert statuses(proxied) == ["injected", "replayed"]
    assert_untouched(proxied.pairs, proxied.desk.api)


def test_every_step_of_a_tool_loop_has_the_block_of_its_turn(proxied, cli):
    answer = proxied.desk.api.answer
    proxied.desk.api.answer = lambda request: replace(answer(request), tokens=100)
    cli.say(f"{READ} {ASK}")
    shown = [blocks_in(came.body) for _, came in proxied.pairs]
    assert len(shown) > 1
    assert all(each == shown[0] and len(each) == 1 for each in shown)
    assert_untouched(proxied.pairs, proxied.desk.api)
    with proxied.desk.open_memory() as memory:
        (known,) = memory.sessions.list()
        assert known.turns == 1


def test_requests_that_no_person_made_recall_nothing(proxied):
    claude = Claude(proxied)
    answer = proxied.desk.api.answer
    proxied.desk.api.answer = lambda request: (
        Answer(f"<summary>{SUMMARY}</summary>") if COMPACTION in request.text else answer(request)
    )
    claude.say("Let us talk about the weather in Lisbon")
    before = len(proxied.pairs)
    claude.go_on("/compact")
    compacting = proxied.pairs[before:]
    assert compacting
    assert not any(blocks_in(came.body) for _, came in compacting)
    assert "tacit-receipt" not in {name for passed, _ in compacting for name in passed.told}
    claude.go_on(ASK)
    assert statuses(proxied)[-1] == "injected"
    assert_untouched(proxied.pairs, proxied.desk.api)


def test_codex_falls_back_from_a_websocket_to_requests(proxied):
    CodexExec(proxied).say(ASK)
    upgrades = [each for each in proxied.tap.exchanges if "upgrade" in each.headers]
    assert {each.status for each in upgrades} == {426}
    assert statuses(proxied) == ["injected"]
    log = (proxied.desk.folder / "proxy.log").read_text()
    assert "handshake" not in log


def test_a_session_that_hooks_serve_passes_as_it_came(proxied, cli):
    proxied.desk.start_daemon()
    install(cli.kind, proxied.desk.home, "--no-mcp")
    cli.say(ASK)
    ((passed, came),) = proxied.pairs
    assert passed.told["tacit-memory"] == "hooks"
    assert came.body == json.loads(passed.body)
    assert came.text.count(FACT) == 1
    assert_untouched(proxied.pairs, proxied.desk.api)
