"""The view model of a session: squares, timeline, ledger, and pasted messages."""

import json
from dataclasses import replace

import pytest

from tacit import Tacit
from tacit.core.errors import InvalidInput
from tacit.core.sessions import BlockState
from tacit.ui.pages.sessions.view_model import (
    EXAMPLE_MESSAGES,
    blocks_text,
    format_messages,
    latest_entries,
    number_blocks,
    parse_messages,
    reinjection_label,
    to_squares,
    to_timeline,
)
from tacit.ui.turn_labels import ProxyLabel, proxy_label

TALK = ("Where is the office?", "ok", "Who owns the migration?", "When does billing ship?")


@pytest.fixture
def memory():
    with Tacit.open(":memory:", embedder="none") as tacit:
        for content in ("The office is in Porto", "Ann owns the migration", "Billing ships in May"):
            tacit.remember(content)
        history = []
        for text in TALK:
            with tacit.turn(
                session="s",
                text=text,
                history=history,
                contextual_min_score=0,
                search_limit=1,
                max_injected_blocks_in_history=1,
            ) as turn:
                turn.commit("(the model answers)")
            history = turn.history
        yield tacit


def test_squares_tell_which_blocks_stand_and_which_left(memory):
    report = memory.sessions.get("s")
    squares = to_squares(report.session.turns, number_blocks(report.blocks, report.ledger))
    pruned, live = BlockState.PRUNED, BlockState.LIVE
    assert [square.state for square in squares] == [pruned, None, pruned, live]
    assert squares[1].description == "Turn 2: no block. This turn put nothing into the history."
    assert blocks_text(report.blocks) == "1 block stands in the history; 2 pruned."
    memory.sessions.clear("s")
    assert blocks_text(memory.sessions.get("s").blocks) == (
        "No blocks stand in the history; 2 pruned, 1 dropped."
    )


def test_standing_rules_are_told_apart_from_the_memories_of_their_turn(memory):
    memory.remember("Always answer in German", type="preference")
    history = []
    for text in TALK:
        with memory.turn(
            session="ruled", text=text, history=history, max_injected_blocks_in_history=1
        ) as turn:
            turn.commit("(the model answers)")
        history = turn.history
    report = memory.sessions.get("ruled")
    assert blocks_text(report.blocks) == (
        "1 block stands in the history; 2 pruned. 1 block of standing rules stands in the history."
    )
    *_, first = to_timeline(report.receipts, report.blocks, is_all=True)
    assert first.state is BlockState.PRUNED
    assert [label.word for label in first.state_labels] == ["Pruned", "Rules in the history"]
    square, *_ = to_squares(report.session.turns, number_blocks(report.blocks, report.ledger))
    assert square.state is BlockState.PRUNED
    assert square.description.startswith("Turn 1: pruned. ")
    assert "rules in the history. The model still sees these" in square.description


def test_only_the_last_turns_have_squares():
    squares = to_squares(1_000, ())
    assert (squares[0].turn, squares[-1].turn) == (881, 1_000)
    assert to_squares(0, ()) == ()


def test_steps_are_turns_with_their_blocks_newest_first(memory):
    report = memory.sessions.get("s")
    steps = to_timeline(report.receipts, report.blocks, is_all=True)
    assert [step.turn for step in steps] == [4, 3, 2, 1]
    assert steps[0].state is BlockState.LIVE
    assert steps[0].outcome_text == ""
    assert steps[2].blocks == ()
    assert steps[2].outcome_text == "The message says too little to search by."


def test_older_blocks_wait_for_their_receipts(memory):
    report = memory.sessions.get("s")
    steps = to_timeline(report.receipts[:2], report.blocks, is_all=False)
    assert [step.turn for step in steps] == [4, 3]
    steps = to_timeline(report.receipts[:2], report.blocks, is_all=True)
    assert [(step.turn, step.receipt is None) for step in steps] == [
        (4, False),
        (3, False),
        (1, True),
    ]
    assert steps[-1].outcome_text == "The receipt of this turn is no longer kept."


def test_turns_that_nobody_spoke_in_have_no_number(memory):
    with memory.turn(session="s", text="(timer)", history=[], trigger="system") as turn:
        turn.commit()
    with memory.turn(session="s", text="And now?", history=[]) as turn:
        turn.commit("(the model answers)")
    report = memory.sessions.get("s")
    steps = to_timeline(report.receipts, report.blocks, is_all=True)
    told = [(step.name, step.is_counted) for step in steps[:3]]
    assert told == [("Turn 5", True), ("System turn", False), ("Turn 4", True)]


def test_a_branch_names_the_session_that_its_blocks_are_from(memory):
    memory.sessions.fork("s", "branch")
    report = memory.sessions.get("branch")
    steps = to_timeline(report.receipts, report.blocks, is_all=True)
    assert "made in session s," in steps[0].outcome_text


def test_the_ledger_tells_what_may_come_again_and_why(memory):
    report = memory.sessions.get("s")
    entries = latest_entries(report.ledger)
    assert [entry.turn for entry in entries] == [4, 3, 1]
    in_view, gone = memory.get(entries[0].memory), memory.get(entries[2].memory)
    assert reinjection_label(entries[0], in_view.content).word == "not yet"
    assert reinjection_label(entries[2], gone.content).word == "yes"
    edited = memory.edit(in_view.id, content="Billing ships in June").memory
    assert reinjection_label(entries[0], edited.content).meaning == "Its words have changed."
    assert reinjection_label(entries[2], None).word == "no"


def test_pasted_messages_are_read_and_written_back():
    assert json.loads(format_messages(parse_messages(EXAMPLE_MESSAGES))) == json.loads(
        EXAMPLE_MESSAGES
    )


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "not JSON"),
        ("[{]", "line 1, column 3"),
        ("{}", "list of messages"),
        ("[]", "list of messages"),
        ("[1]", "message"),
        ("[" * 100_000, "nested too deeply"),
    ],
)
def test_what_is_no_list_of_messages_is_refused_with_a_reason(text, problem):
    with pytest.raises(InvalidInput, match=problem):
        parse_messages(text)


def test_a_turn_that_came_through_the_proxy_is_marked_with_its_api(memory):
    note = "proxy: chat completions, gpt-5; the provider had 12 of 20 input tokens in its cache"
    (receipt, *_) = memory.turns.list()
    assert proxy_label(receipt) is None
    assert proxy_label(replace(receipt, notes=("other", note))) == ProxyLabel(
        "proxy: chat completions", note
    )
    assert proxy_label(replace(receipt, notes=("proxy: messages",))).label == "proxy: messages"
