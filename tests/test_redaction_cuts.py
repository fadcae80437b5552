"""Texts that are cut before they are kept: a secret across the cut leaves no half behind."""

import io
import json
import random
import string
import sys

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tacit import Tacit
from tacit.core.errors import ModelUnavailable
from tacit.embedding.llm import ChatModel
from tacit.grounding.chat_log import EntryKind, format_entry
from tacit.grounding.rolling_summary import load_summary
from tacit.integrations.hooks.event_handler import handle_event
from tacit.language.redaction.redact import clip_redacted, redact, redact_lines, redact_start
from tacit.settings.grounding import GroundingSettings
from tests.fake_llm import Reply, fake_llm
from tests.support import START, HandClock

SECRET = "sk-" + "ant-api03-" + "x9Kq2mZ7LpV4tRw8Jd3Bn6Hc1Gf5Sy0A" * 3
OTHER = "AKIA" + "IOSFODNN7ABCDQRS"
PRIVATE = f"<private>{'diary ' * 1_500}</private> "


def body(length):
    """Characters of Base64 that are the same in every run."""
    drawn = random.Random(length)
    return "".join(drawn.choice(string.ascii_letters + string.digits + "+/") for _ in range(length))


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
    assert clip_redacted("key [redacted: aws-access-key] done", 20) == "key "
    assert (
        clip_redacted("key [redacted: aws-access-key] done", 33)
        == "key [redacted: aws-access-key] do"
    )
    assert clip_redacted("key", 20) == "key"


def test_a_hook_keeps_no_half_of_a_secret_in_its_last_exchanges(tmp_path):
    with Tacit.open(":memory:", embedder="none") as tacit:
        for name, fields in (
            ("UserPromptSubmit", {"prompt": _across(2_000)}),
            ("Stop", {"last_assistant_message": _across(2_000)}),
        ):
            event = {"session_id": "s", "cwd": str(tmp_path), "hook_event_name": name, **fields}
            handle_event(tacit, "claude-code", {"event": event, "cwd": None, "user": None})
            assert _is_clean(json.dumps(tacit.sessions.variables("s")))
        (exchange,) = tacit.sessions.variables("s")["tacit.host"]["exchanges"]
    assert all("gateway listens" in said for said in exchange)


def test_neither_a_receipt_nor_what_waits_to_be_learned_has_half_of_a_secret():
    hidden = f"<private>{'diary ' * 4_100}</private> "
    with Tacit.open(":memory:", embedder="none", clock=HandClock()) as tacit:
        for said in (_across(800), _across(25_000, start=hidden)):
            with tacit.turn(session="s", text=said) as turn:
                turn.commit(said)
            assert _is_clean(tacit.turns.list()[0].query)
            with tacit._context.store.read("default") as unit:
                waiting = [each.turn for each in unit.heard.scan(None, 10)]
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
    log.write_bytes(format_entry(EntryKind.INBOUND, said, START))
    assert load_summary(log, summary, GroundingSettings(), START).refreshed
    assert _is_clean(summary.read_text())


LINES = [
    "-----BEGIN RSA " + "PRIVATE KEY-----",
    *(body(64 - line) for line in range(5)),
    "Xk3+aQ==",
    "-----END RSA " + "PRIVATE KEY-----",
]
KEY = "\n".join(LINES)


def _secret_lines(said):
    return [line for line in LINES[1:-1] if line in said]


def _stored(tacit):
    return "\n".join(each.content for each in tacit.list(limit=1_000))


IMPORTS = {
    "lines": ("notes.txt", f"We deploy on Mondays\n{KEY}\nWe use tabs\n"),
    "lines around blank ones": ("notes.txt", "\n\n".join(["We use tabs", *LINES])),
    "private lines": ("notes.txt", "We use tabs\n<private>\nmy diary\nmore diary\n</private>\n"),
    "markdown": ("notes.md", "# Keys\n\n- " + "\n- ".join(LINES) + "\n\nWe use tabs\n"),
    "markdown table": ("notes.md", "|key|\n|---|\n" + "".join(f"|{line}|\n" for line in LINES)),
    "claude": ("CLAUDE.md", "We use tabs\n\n" + "\n\n".join(LINES)),
    "chatgpt": ("saved.txt", "".join(f"[2026-01-01] - {line}\n" for line in LINES)),
    "jsonl": ("a.jsonl", "\n".join(json.dumps({"content": line}) for line in LINES)),
    "mem0": ("a.json", json.dumps({"results": [{"id": i, "memory": i} for i in LINES]})),
    "claude export": ("a.json", json.dumps([{"conversations_memory": "\n\n".join(LINES)}])),
}


@pytest.mark.parametrize("name", IMPORTS)
def test_no_import_keeps_a_key_that_stands_in_several_lines(name):
    file, text = IMPORTS[name]
    with Tacit.open(":memory:", embedder="none") as tacit:
        tacit.archive.import_from(io.BytesIO(text.encode()), name=file)
        kept = _stored(tacit)
    assert not _secret_lines(kept)
    assert "diary" not in kept
    assert "[redacted: private-key]" in kept or name == "private lines"
    assert ("We use tabs" in kept) == ("We use tabs" in text)


def test_lines_keep_their_numbers_where_a_key_stood():
    text = f"good\n{KEY}\n{'x' * 200_000}\n"
    with Tacit.open(":memory:", embedder="none") as tacit:
        report = tacit.archive.import_from(io.BytesIO(text.encode()))
    assert [reject.line for reject in report.rejected] == [2 + len(LINES)]
    assert report.counts == {"created": 2, "known": len(LINES) - 1}


def test_a_key_longer_than_a_part_of_a_large_file_goes_too(monkeypatch):
    monkeypatch.setattr(sys.modules["tacit.writing.archive.contents"], "_SECTION_BYTES", 100)
    with Tacit.open(":memory:", embedder="none") as tacit:
        tacit.archive.import_from(io.BytesIO(f"We use tabs\n{KEY}\nWe use spaces\n".encode()))
        kept = _stored(tacit)
    assert not _secret_lines(kept)
    assert "We use spaces" in kept


def test_statements_one_after_the_other_hide_no_key_and_no_other_statement():
    with Tacit.open(":memory:", embedder="none") as tacit:
        said = ["We use tabs", *LINES, "Say <private> and go on", "We use spaces"]
        assert len(tacit.memories.remember_all(said)) == len(said)
        assert len(tacit.memories.remember_all([{"content": each} for each in said])) == len(said)
        kept = _stored(tacit)
    assert not _secret_lines(kept)
    assert {"We use tabs", "We use spaces"} <= set(kept.split("\n"))


def test_messages_of_one_turn_and_values_of_a_list_hide_no_key():
    history = [{"role": "user", "content": line} for line in LINES]
    with Tacit.open(":memory:", embedder="none", clock=HandClock()) as tacit:
        with tacit.turn(session="s", text=history) as turn:
            turn.commit("I see.")
        with tacit.turn(session="s", history=turn.history, text="Is that what we use?") as turn:
            turn.commit("Yes.")
        with tacit._context.store.read("default") as unit:
            heard = [each.turn for each in unit.heard.scan(None, 10)]
        assert not _secret_lines("\n".join(text for each in heard for text in each.said))
        assert not _secret_lines(json.dumps([each.to_dict() for each in tacit.turns.list()]))
        tacit.remember("We use tabs", metadata={"lines": LINES})
        assert not _secret_lines(json.dumps(dict(tacit.list()[0].metadata)))


def test_a_line_of_a_key_that_is_all_of_a_text_goes():
    assert redact(f" {LINES[1]}\n").text == " [redacted: private-key]\n"
    digest = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
    assert redact(digest).text == digest


PIECES = [*LINES, "<private>", "</private>", "password: hunter2!x", "", "a <b> c"]


@given(st.lists(st.sampled_from(PIECES)))
def test_lines_stay_as_many_as_they_were(lines):
    kept = redact_lines(lines)
    assert len(kept) == len(lines)
    assert "hunter2" not in "".join(kept)
    assert redact_lines(kept) == kept
