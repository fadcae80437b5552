"""Texts that are cut before they are kept: a secret across the cut leaves no half behind."""

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tacit import Tacit
from tacit.errors import ModelUnavailable
from tacit.grounding.entry import Kind, written
from tacit.grounding.rolling import summary_of
from tacit.hooks.handling import handle
from tacit.llm import ChatModel
from tacit.redaction import clip, redact_start
from tacit.settings import GroundingSettings
from tests.fake_llm import Reply, fake_llm
from tests.support import START, HandClock

SECRET = "sk-" + "ant-api03-" + "x9Kq2mZ7LpV4tRw8Jd3Bn6Hc1Gf5Sy0A" * 3
OTHER = "AKIA" + "IOSFODNN7ABCDQRS"
PRIVATE = f"<private>{'diary ' * 1_500}</private> "


def _across(cut, *, back=20, start=""):
    """A text whose secret stands across a cut, and which goes on for long."""
    words = start + "The gateway listens on a port. " * (cut // 31 + 1)
    return words[: cut - back - 1] + " " + SECRET + " and so on" * 1_000


def _is_clean(kept):
    return "api03-x9Kq" not in kept


@given(
    cut=st.integers(60, 300),
    back=st.integers(0, 59),
    start=st.sampled_from(["", f"{OTHER} ", PRIVATE]),
)
@example(cut=100, back=59, start=PRIVATE)
@example(cut=100, back=5, start="")
@example(cut=60, back=0, start=f"{OTHER} ")
def test_no_start_of_a_text_has_half_a_secret_or_half_a_marker(cut, back, start):
    kept = redact_start(start + _across(cut, back=back), cut).text
    assert _is_clean(kept)
    assert len(kept) <= cut
    assert kept.count("[redacted") == kept.count("]")


@pytest.mark.parametrize("read", range(5_150, 5_450, 10))
def test_what_becomes_short_by_redaction_brings_no_half_secret_from_behind_the_cut(read):
    start = f"<private>{'diary ' * 840}</private> "
    assert _is_clean(redact_start(_across(read, start=start), 300).text)


def test_a_text_that_was_redacted_is_cut_before_a_marker():
    assert clip("key [redacted: aws-access-key] done", 20) == "key "
    assert clip("key [redacted: aws-access-key] done", 33) == "key [redacted: aws-access-key] do"
    assert clip("key", 20) == "key"


def test_a_hook_keeps_no_half_of_a_secret_in_its_last_exchanges(tmp_path):
    with Tacit.open(":memory:", embedder="none") as tacit:
        for name, fields in (
            ("UserPromptSubmit", {"prompt": _across(2_000)}),
            ("Stop", {"last_assistant_message": _across(2_000)}),
        ):
            event = {"session_id": "s", "cwd": str(tmp_path), "hook_event_name": name, **fields}
            handle(tacit, "claude-code", {"event": event, "cwd": None, "user": None})
            assert _is_clean(json.dumps(tacit.variables("s")))
        (exchange,) = tacit.variables("s")["tacit.host"]["exchanges"]
    assert all("gateway listens" in said for said in exchange)


def test_neither_a_receipt_nor_what_waits_to_be_learned_has_half_of_a_secret():
    hidden = f"<private>{'diary ' * 4_100}</private> "
    with Tacit.open(":memory:", embedder="none", clock=HandClock()) as tacit:
        for said in (_across(800), _across(25_000, start=hidden)):
            with tacit.turn(session="s", text=said) as turn:
                turn.commit(said)
            assert _is_clean(tacit.receipts()[0].query)
            with tacit._store.read("default") as unit:
                waiting = [*unit.heard.fresh(10), *unit.heard.waiting("s", 10)]
            assert _is_clean(json.dumps([(each.said, each.reply) for each in waiting]))


def test_the_error_of_a_model_shows_no_half_of_a_key_that_the_server_repeats():
    said = "The request was refused. " * 7 + f"key: {SECRET}"
    refusing = fake_llm(lambda _: Reply(401, said.encode()))
    with refusing as llm, pytest.raises(ModelUnavailable, match="was refused") as caught:
        ChatModel("small", llm.url).ask([{"role": "user", "content": "Hello"}])
    assert "sk-ant" not in str(caught.value)


def test_a_summary_of_a_log_that_others_wrote_has_no_half_of_a_secret(tmp_path):
    log, summary = tmp_path / "log.md", tmp_path / "summary.md"
    wish = " We decided to deploy the shop by "
    said = "The gateway listens on a port.".ljust(980 - len(wish), ".") + wish + SECRET
    log.write_bytes(written(Kind.INBOUND, said, START))
    assert summary_of(log, summary, GroundingSettings(), START).refreshed
    assert _is_clean(summary.read_text())
