"""Replies that come in chunks, whole responses of SDKs, and what is no message at all."""

import asyncio
import logging
from types import SimpleNamespace

import pytest

from tacit import AsyncTacit, FakeEmbedder, InvalidInput, Tacit
from tests.serving import running


@pytest.fixture
def tacit():
    with Tacit.open(":memory:", embedder=FakeEmbedder()) as found:
        yield found


def chat_chunk(content=None, calls=None):
    delta = SimpleNamespace(content=content, tool_calls=calls)
    return SimpleNamespace(choices=[SimpleNamespace(index=0, delta=delta)])


def event(type, **fields):
    return SimpleNamespace(type=type, **fields)


CHAT = [chat_chunk("It is "), chat_chunk("JWT."), SimpleNamespace(choices=[])]
MESSAGES = [
    event("message_start"),
    event("content_block_start", index=0, content_block=event("text", text="")),
    event("content_block_delta", index=0, delta=event("text_delta", text="It is ")),
    event("content_block_delta", index=0, delta=event("text_delta", text="JWT.")),
    event("message_stop"),
]
RESPONSES = [
    event("response.created"),
    event("response.output_text.delta", delta="It is "),
    event("response.output_text.delta", delta="JWT."),
    event("response.completed"),
]


def _queued(tacit):
    with tacit._context.store.read("default") as unit:
        return [each.turn.reply for each in unit.heard.scan(None, 10)]


@pytest.fixture(autouse=True)
def _nothing_is_learned(monkeypatch):
    """What was captured waits, so that it can be looked at."""
    monkeypatch.setattr("tacit.api.background.BackgroundLearning.heard", lambda self: None)


@pytest.mark.parametrize("chunks", [["It is ", "JWT."], CHAT, MESSAGES, RESPONSES])
def test_a_stream_passes_and_its_end_commits_the_turn(tacit, chunks):
    with tacit.turn(session="s", text="How do users log in?") as turn:
        assert list(turn.stream(chunks)) == chunks
    assert turn.history[-1] == {"role": "assistant", "content": "It is JWT."}
    assert _queued(tacit) == ["It is JWT."]


def test_an_async_stream_passes_and_its_end_commits_the_turn():
    async def talk():
        async def chunks():
            for each in CHAT:
                yield each

        async with (
            await AsyncTacit.open(":memory:", embedder=FakeEmbedder()) as tacit,
            tacit.turn(session="s", text="How do users log in?") as turn,
        ):
            passed = [each async for each in turn.stream(chunks())]
        return passed, turn.history

    passed, history = asyncio.run(talk())
    assert passed == CHAT
    assert history[-1]["content"] == "It is JWT."


def test_a_stream_that_breaks_off_is_recorded_as_what_was_seen(tacit):
    def broken():
        yield from CHAT[:1]
        raise ConnectionError("gone")

    with (
        pytest.raises(ConnectionError),
        tacit.turn(session="s", text="How do users log in?") as turn,
    ):
        list(turn.stream(broken()))
    assert _queued(tacit) == ["It is "]
    assert tacit.turns.list()[0].turn == 1


def test_a_stream_that_nobody_reads_on_is_recorded_as_what_was_seen(tacit):
    with tacit.turn(session="s", text="How do users log in?") as turn:
        passing = turn.stream(CHAT)
        next(passing)
        passing.close()
    assert _queued(tacit) == ["It is "]


def test_a_stream_that_is_left_before_its_end_is_recorded_where_the_turn_ends(tacit):
    with tacit.turn(session="s", text="How do users log in?") as turn:
        passing = turn.stream(iter(CHAT))
        next(passing)
    passing.close()
    assert turn.history[-1] == {"role": "assistant", "content": "It is "}
    assert _queued(tacit) == ["It is "]


def test_a_stream_is_not_recorded_where_the_program_fails(tacit, caplog):
    with (
        pytest.raises(ValueError, match="mine"),
        tacit.turn(session="s", text="How do users log in?") as turn,
    ):
        for _ in turn.stream(CHAT):
            raise ValueError("mine")
    assert turn.history == []
    assert (_queued(tacit), caplog.records) == ([], [])


def test_a_stream_whose_reader_goes_away_is_recorded_as_what_was_seen(tacit):
    def reply():
        with tacit.turn(session="s", text="How do users log in?") as turn:
            yield from turn.stream(CHAT)

    passing = reply()
    next(passing)
    passing.close()
    assert _queued(tacit) == ["It is "]


def test_an_async_stream_whose_reader_is_cancelled_is_recorded_as_what_was_seen(tacit):
    async def chunks():
        yield CHAT[0]
        await asyncio.sleep(3600)

    async def talk(seen):
        async with AsyncTacit(tacit).turn(session="s", text="How do users log in?") as turn:
            async for _ in turn.stream(chunks()):
                seen.set()

    async def give_up():
        seen = asyncio.Event()
        talking = asyncio.create_task(talk(seen))
        await seen.wait()
        talking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await talking

    asyncio.run(give_up())
    assert _queued(tacit) == ["It is "]


def test_a_stream_that_nobody_began_to_read_rolls_the_turn_back(tacit):
    with tacit.turn(session="s", text="How do users log in?") as turn:
        passing = turn.stream(CHAT)
    assert _queued(tacit) == []
    with pytest.raises(InvalidInput, match="is over; read its stream inside"):
        next(passing)


def _break_off(tacit):
    """An async turn whose stream is left after its first chunk; returns its history."""

    async def chunks():
        for each in CHAT:
            yield each

    async def talk():
        async with tacit.turn(session="s", text="How do users log in?") as turn:
            async for _ in turn.stream(chunks()):
                break
        await asyncio.sleep(0)
        return turn.history

    return asyncio.run(talk())


def test_an_async_stream_that_is_left_is_recorded_as_what_was_seen(tacit, caplog):
    with caplog.at_level(logging.WARNING):
        history = _break_off(AsyncTacit(tacit))
    assert history[-1] == {"role": "assistant", "content": "It is "}
    assert (_queued(tacit), caplog.records) == (["It is "], [])


def test_streams_that_are_left_are_recorded_at_a_server_too(tmp_path, caplog):
    with running(tmp_path / "memory.db") as server, Tacit.connect(server.url) as remote:
        with remote.turn(session="r", text="How do users log in?") as turn:
            passing = turn.stream(iter(CHAT))
            next(passing)
        passing.close()
        assert turn.history[-1]["content"] == "It is "
        with caplog.at_level(logging.WARNING):
            assert _break_off(AsyncTacit(remote))[-1]["content"] == "It is "
        assert {each.session for each in remote.turns.list()} == {"r", "s"}
    assert caplog.records == []


def test_a_list_of_texts_is_the_pieces_of_one_reply(tacit):
    with tacit.turn(session="s", text="How do users log in?") as turn:
        turn.commit(["With ", "a JWT"])
    assert turn.history[1:] == [{"role": "assistant", "content": "With a JWT"}]
    assert _queued(tacit) == ["With a JWT"]


async def _async_chunks():
    yield "It"


@pytest.mark.parametrize("chunks", [iter(["It"]), (each for each in CHAT), _async_chunks()])
def test_a_stream_is_not_taken_for_a_reply(tacit, chunks):
    with tacit.turn(session="s", text="How do users log in?") as turn:
        with pytest.raises(InvalidInput, match=r"reply: .* is a stream; .* turn\.stream\(chunks\)"):
            turn.commit(chunks)
        assert turn.is_open


def test_a_list_of_chunks_is_one_reply(tacit):
    with tacit.turn(session="s", text="How do users log in?") as turn:
        turn.commit(MESSAGES)
    assert turn.history[-1] == {"role": "assistant", "content": "It is JWT."}


def test_calls_of_tools_in_chunks_are_put_together(tacit):
    def call(**fields):
        return SimpleNamespace(index=0, **fields)

    chunks = [
        chat_chunk(calls=[call(id="c1", function=SimpleNamespace(name="look", arguments=""))]),
        chat_chunk(calls=[call(id=None, function=SimpleNamespace(name=None, arguments='{"a"'))]),
        chat_chunk(calls=[call(id=None, function=SimpleNamespace(name=None, arguments=":1}"))]),
    ]
    with tacit.turn(session="s", text="How do users log in?") as turn:
        turn.commit(chunks)
    (made,) = turn.history[-1]["tool_calls"]
    assert made == {
        "id": "c1",
        "type": "function",
        "function": {"name": "look", "arguments": '{"a":1}'},
    }


def test_a_whole_response_joins_the_history_as_items_that_a_request_may_have(tacit):
    call = {"type": "function_call", "call_id": "c1", "name": "look", "arguments": "{}"}
    said = {
        "type": "message",
        "id": "m1",
        "role": "assistant",
        "status": "completed",
        "content": [{"type": "output_text", "text": "It is JWT.", "annotations": []}],
    }
    response = SimpleNamespace(output=[said, call], id="r1", usage=None)
    with tacit.turn(session="s", text="How do users log in?") as turn:
        turn.commit(response)
    assert turn.history[1:] == [said, call]
    assert _queued(tacit) == ["It is JWT."]
    result = {"type": "function_call_output", "call_id": "c1", "output": "found"}
    with tacit.turn(session="s", history=[*turn.history, result], text="And then?") as later:
        later.commit("Done.")
    assert later.history[1:4] == [said, call, result]


@pytest.mark.parametrize(
    ("history", "told"),
    [
        ([7], "history[0]: 'int' is not a message; pass a dict with role and content"),
        ([{"role": "user", "content": "a"}, {"content": "b"}], "history[1]: a dict without a role"),
        (iter(()), "history: expected a list of messages"),
    ],
)
def test_what_is_no_message_is_named_with_its_place(tacit, history, told):
    with pytest.raises(InvalidInput) as refused:
        tacit.turn(session="s", text="hello", history=history)
    assert str(refused.value).startswith(told)


@pytest.mark.parametrize("argument", ["history", "context"])
def test_what_is_no_message_is_named_with_its_argument(tacit, argument):
    with pytest.raises(InvalidInput, match=rf"^{argument}\[0\]: 'int' is not a message"):
        tacit.turn(session="s", text="hello", **{argument: [1]})
