"""What tests of agent frameworks share: messages of theirs go through Tacit and come back.

What was given comes back as the same objects, unchanged, and what is new is of the same classes.
"""

import copy
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tests.frameworks.agent_memory import (
    ASKED,
    ASKED_NEXT,
    JWT,
    REPLY,
    REPLY_NEXT,
    blocks_in,
    said_in,
)

BE_BRIEF = "Be brief."


@dataclass(frozen=True)
class Conversation:
    """Messages of a framework: what was said before, which has a loop of tools, and a turn.

    `send` gives messages to the framework as a program would.
    """

    history: Sequence[object]
    said: object
    reply: object
    kinds: type | tuple[type, ...]
    send: Callable[[list], object]
    chunks: Sequence[object] = ()


def _those_given(messages, given):
    """Those of the messages that are the objects that were given."""
    return [each for each in messages if any(each is one for one in given)]


def _assert_same(messages, given):
    assert len(messages) == len(given)
    assert all(one is other for one, other in zip(messages, given, strict=True))


def check_turn(tacit, told):
    """A turn sends the objects that it was given and one more, and keeps them for the next."""
    before = copy.deepcopy(list(told.history))
    with tacit.turn(session="m1", user="ann", text=told.said, history=told.history) as turn:
        sent = turn.messages
        told.send(sent)
        turn.commit(told.reply)
    assert len(sent) == len(told.history) + 2
    assert all(isinstance(each, told.kinds) for each in sent)
    _assert_same(_those_given(sent, [*told.history, told.said]), [*told.history, told.said])
    (block,) = blocks_in(map(str, sent))
    assert JWT in block
    history = turn.history
    given = [*told.history, told.said, told.reply]
    _assert_same(_those_given(history, given), given)
    with tacit.turn(session="m1", user="ann", text=ASKED_NEXT, history=history) as later:
        told.send(later.messages)
        *again, _ = later.messages
        later.commit(REPLY_NEXT)
    assert len(again) == len(history)
    _assert_same(_those_given(again, given), given)
    assert all(isinstance(each, told.kinds) for each in later.history)
    assert list(told.history) == before
    assert said_in(tacit, "m1") == [ASKED, REPLY, ASKED_NEXT, REPLY_NEXT]


def check_stream(tacit, told):
    """A stream passes its chunks on, and its end is a message of the framework."""
    with tacit.turn(session="m1", user="ann", text=told.said, history=told.history) as turn:
        _assert_same(list(turn.stream(told.chunks)), told.chunks)
    assert isinstance(turn.history[-1], told.kinds)
    assert REPLY in str(turn.history[-1])
    assert said_in(tacit, "m1") == [ASKED, REPLY]
    with tacit.turn(session="m1", user="ann", text=ASKED_NEXT, history=turn.history) as later:
        later.commit(list(told.chunks))
    assert REPLY in str(later.history[-1])


def check_compaction(tacit, told):
    """A compaction keeps instructions and the newest messages, and adds one of the framework."""
    history = [*told.history, told.said, told.reply]
    before = copy.deepcopy(history)
    whole = tacit.compact(session="m1", history=history, level="none")
    _assert_same(whole.messages, history)
    for level in ("background", "emergency"):
        done = tacit.compact(session="m1", history=history, level=level)
        told.send(list(done.messages))
        assert done.dropped > 0
        assert all(isinstance(each, told.kinds) for each in done.messages)
        assert (BE_BRIEF in str(done.messages[0])) is (BE_BRIEF in str(history[0]))
        _assert_same(done.messages[-2:], history[-2:])
        assert str(done.messages).count("Look at this.") == 0
    assert history == before


def check_grounding(tacit, told):
    """A grounded prompt has what a message says, and later the words of its reply."""
    with tacit.ground(told.said, user="ann", context="c") as grounding:
        assert ASKED in grounding.user
        assert JWT in grounding.user
        grounding.commit(told.reply)
    with tacit.ground([told.said], user="ann", context="c") as later:
        assert REPLY in later.user


CHECKS = [check_turn, check_compaction, check_grounding]
