"""Memory in the calls of a model: blocks go in once and stay, the reply is recorded once."""

import asyncio
import logging
import socket
import threading
from dataclasses import dataclass, field
from types import SimpleNamespace

import pytest

from tacit import AsyncTacit, FakeEmbedder, InvalidInput, Message, Tacit, identify
from tacit.api.model_calls.memory import CallMemory, KeptConversation
from tacit.language.prompt_templates import INJECTION_BLOCK_PREFIX
from tests.serving import running

JWT = "We chose JWT over session tokens for the API"
ASKED = "Why did we choose JWT for the API?"
REPLY = "Because the API has no state."
CALLING = {
    "role": "assistant",
    "content": "",
    "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "look"}}],
}
RESULT = {"role": "tool", "tool_call_id": "c1", "content": "no sessions here"}

_names = iter(f"w{number}" for number in range(10_000))


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with running(tmp_path_factory.mktemp("served") / "memory.db") as found:
        yield found


@pytest.fixture(params=["library", "server"])
def tacit(request):
    if request.param == "server":
        server = request.getfixturevalue("server")
        with Tacit.connect(server.url, workspace=next(_names)) as found:
            found.remember(JWT, type="decision", scope_id="ann")
            yield found
        return
    with Tacit.open(":memory:", embedder=FakeEmbedder()) as found:
        found.remember(JWT, type="decision", scope_id="ann")
        yield found


@pytest.fixture
def memory(tacit):
    return CallMemory(tacit, user="ann", session="s1")


def user(content):
    return {"role": "user", "content": content}


def assistant(content):
    return {"role": "assistant", "content": content}


def texts_in(message):
    content = message["content"]
    return [content] if isinstance(content, str) else [each["text"] for each in content]


def blocks_in(messages):
    return [
        text
        for message in messages
        for text in texts_in(message)
        if text.startswith(INJECTION_BLOCK_PREFIX)
    ]


# Placing and replay


def test_a_block_is_a_part_of_the_message_that_it_was_made_for(memory):
    messages = [{"role": "system", "content": "Be brief."}, user(ASKED)]
    call = memory.begin(messages)
    assert call.messages[0] is messages[0]
    said, block = texts_in(call.messages[1])
    assert said == ASKED
    assert JWT in block
    assert messages == [{"role": "system", "content": "Be brief."}, user(ASKED)]
    assert call.session == "s1"
    assert call.receipt.session == "s1"


def test_a_retry_and_a_tool_loop_have_the_same_block_and_one_turn(memory, tacit):
    first = memory.begin([user(ASKED)])
    retried = memory.begin([user(ASKED)])
    retried.end(CALLING)
    looped = memory.begin([user(ASKED), CALLING, RESULT])
    assert retried.messages == first.messages
    assert looped.messages == [*first.messages, CALLING, RESULT]
    assert retried.receipt is looped.receipt is None
    looped.end(assistant(REPLY))
    looped.end(assistant(REPLY))
    assert [each.turn for each in tacit.turns.list(session="s1")] == [1]


def test_the_next_turn_replays_the_block_where_it_was(memory, tacit):
    first = memory.begin([user(ASKED)])
    first.end(assistant(REPLY))
    history = [user(ASKED), assistant(REPLY), user("Fine, and the expiry of a JWT?")]
    second = memory.begin(history)
    assert second.messages[:2] == [*first.messages, assistant(REPLY)]
    assert blocks_in(second.messages[:1]) == blocks_in(first.messages)
    second.end("A day.")
    assert [each.turn for each in tacit.turns.list(session="s1")] == [2, 1]
    assert memory.begin([*history, CALLING, RESULT]).messages[:3] == second.messages


def test_a_conversation_that_the_provider_keeps_is_sent_a_block_once(memory, tacit):
    kept = KeptConversation("conv_1")
    first = memory.begin([user(ASKED)], kept=kept)
    assert len(blocks_in(first.messages)) == 1
    first.end(CALLING)
    looped = memory.begin([RESULT], kept=kept)
    assert looped.messages == [RESULT]
    looped.end(assistant(REPLY))
    second = memory.begin([user("And the expiry of a JWT?")], kept=kept)
    assert not any(JWT in each for each in blocks_in(second.messages))
    second.end("A day.")
    assert [each.turn for each in tacit.turns.list(session="s1")] == [2, 1]
    assert memory.begin([RESULT], kept=kept).messages == [RESULT]


def test_a_turn_whose_reply_was_never_recorded_is_settled_by_the_next(memory, tacit):
    memory.begin([user(ASKED)])
    call = memory.begin([user(ASKED), assistant(REPLY), user("And the expiry?")])
    call.end("A day.")
    assert [each.turn for each in tacit.turns.list(session="s1")] == [2, 1]


def test_a_reply_may_come_as_a_response_or_in_chunks(memory, tacit):
    choice = SimpleNamespace(message=SimpleNamespace(role="assistant", content=REPLY))
    memory.begin([user(ASKED)]).end(SimpleNamespace(choices=[choice]))
    history = [user(ASKED), assistant(REPLY), user("And the expiry of a JWT?")]
    call = memory.begin(history)
    delta = SimpleNamespace(content="A ")
    chunks = [SimpleNamespace(choices=[SimpleNamespace(index=0, delta=delta)])] * 2
    assert list(call.stream(iter(chunks))) == chunks
    assert [each.turn for each in tacit.turns.list(session="s1")] == [2, 1]


def test_a_stream_that_breaks_off_leaves_the_turn_to_the_retry(memory, tacit):
    def broken():
        yield "Because"
        raise ConnectionError("gone")

    call = memory.begin([user(ASKED)])
    with pytest.raises(ConnectionError):
        list(call.stream(broken()))
    assert tacit.turns.list(session="s1") == []
    again = memory.begin([user(ASKED)])
    assert again.messages == call.messages
    again.end(REPLY)
    assert len(tacit.turns.list(session="s1")) == 1


def test_async_programs_have_the_same(tacit):
    async def talk():
        memory = CallMemory(AsyncTacit(tacit), user="ann", session="s1")
        call = await memory.abegin([user(ASKED)])

        async def chunks():
            yield "Because the API "
            yield "has no state."

        assert [each async for each in call.astream(chunks())] == [
            "Because the API ",
            "has no state.",
        ]
        return call

    assert JWT in blocks_in(asyncio.run(talk()).messages)[0]
    assert len(tacit.turns.list(session="s1")) == 1


# Kinds of messages


def test_items_of_the_responses_api_have_an_item_of_the_developer_behind_the_users(memory):
    asked = {"type": "message", **user([{"type": "input_text", "text": ASKED}])}
    call = memory.begin([asked], items=True)
    assert call.messages[0] is asked
    assert call.messages[1]["role"] == "developer"
    assert JWT in call.messages[1]["content"][0]["text"]
    loop = [
        {"type": "reasoning", "id": "r1", "summary": []},
        {"type": "function_call", "call_id": "c1", "name": "look", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "c1", "output": "no sessions here"},
    ]
    call.end(SimpleNamespace(output=loop[:2]))
    looped = memory.begin([asked, *loop], items=True)
    assert looped.messages == [*call.messages, *loop]
    assert looped.messages[2] is loop[0]


def test_a_text_stays_a_text_where_the_model_takes_no_parts(memory):
    (message,) = memory.begin([user(ASKED)], keeps_text=True).messages
    assert message["content"].startswith(f"{ASKED}\n\n{INJECTION_BLOCK_PREFIX}")


def test_images_and_bytes_beside_a_text_stay_and_do_not_hide_the_block(memory):
    parts = [{"type": "text", "text": ASKED}, {"type": "image", "data": b"\x00\xff"}]
    call = memory.begin([user(parts)])
    assert call.messages[0]["content"][:2] == parts
    again = memory.begin([user(parts)])
    assert again.messages == call.messages
    assert JWT in call.messages[0]["content"][2]["text"]


def _framework(module, **kinds):
    """Classes as a framework has them."""
    for name, kind in kinds.items():
        kind.__module__, kind.__name__ = module, name
    return SimpleNamespace(**kinds)


class _Copied:
    def model_copy(self, *, update):
        copied = type(self).__new__(type(self))
        copied.__dict__.update({**vars(self), **update})
        return copied


class Human(_Copied):
    type = "human"

    def __init__(self, content):
        self.content = content


def test_messages_of_langchain_take_a_block_in_their_own_class(memory):
    known = _framework("langchain_core.messages.human", HumanMessage=Human)
    message = known.HumanMessage(ASKED)
    (placed,) = memory.begin([message]).messages
    assert type(placed) is Human
    assert placed.content[0] == {"type": "text", "text": ASKED}
    assert JWT in placed.content[1]["text"]
    assert message.content == ASKED
    (text,) = memory.begin([message], keeps_text=True).messages
    assert text.content.startswith(f"{ASKED}\n\n{INJECTION_BLOCK_PREFIX}")


@dataclass
class Prompt:
    content: object
    part_kind: str = "user-prompt"


@dataclass
class Request:
    parts: list = field(default_factory=list)
    kind: str = "request"


def test_messages_of_pydantic_ai_take_a_block_in_the_users_part(memory):
    known = _framework("pydantic_ai.messages", UserPromptPart=Prompt, ModelRequest=Request)
    message = known.ModelRequest([known.UserPromptPart(ASKED)])
    (placed,) = memory.begin([message]).messages
    said, block = placed.parts[0].content
    assert said == ASKED
    assert JWT in block
    assert message.parts[0].content == ASKED


def test_messages_of_our_own_stay_texts(memory):
    (placed,) = memory.begin([Message("user", ASKED)]).messages
    assert isinstance(placed, Message)
    assert JWT in placed.content


# Whose call it is


def test_a_context_says_whose_the_calls_inside_are(tacit):
    memory = CallMemory(tacit, user="ben", session="s1")
    assert blocks_in(memory.begin([user(ASKED)]).messages) == []
    with identify(user="ann"):
        call = memory.begin([user(ASKED)])
        assert call.session != "s1"
        with identify(session="s2"):
            assert memory.begin([user(ASKED)]).session == "s2"
        assert memory.begin([user(ASKED)], session="s3").session == "s3"
    assert JWT in blocks_in(call.messages)[0]
    assert memory.begin([user(ASKED)]).session == "s1"


def test_two_users_are_kept_apart_in_threads_and_tasks(tacit):
    memory = CallMemory(tacit)
    tacit.remember("Ben likes opaque tokens for the API", type="preference", scope_id="ben")
    both, found = threading.Barrier(2), {}

    def speak(name):
        with identify(user=name, session=f"of-{name}"):
            both.wait(30)
            call = memory.begin([user("Which tokens are for the API, JWT or opaque?")])
            found[name] = "".join(blocks_in(call.messages))

    async def speak_in_tasks():
        await asyncio.gather(*(asyncio.to_thread(speak, name) for name in ("ann", "ben")))

    threads = [threading.Thread(target=speak, args=(name,)) for name in ("ann", "ben")]
    for run in (lambda: [each.start() for each in threads], lambda: asyncio.run(speak_in_tasks())):
        run()
        for each in threads:
            each.join(30)
        assert JWT in found["ann"]
        assert "Ben likes" not in found["ann"]
        assert "Ben likes" in found["ben"]
        assert JWT not in found["ben"]


def test_a_conversation_without_a_session_is_found_again(tacit):
    memory = CallMemory(tacit, user="ann")
    first = memory.begin([user(ASKED)])
    first.end(assistant(REPLY))
    second = memory.begin([user(ASKED), assistant(REPLY), user("And the expiry of a JWT?")])
    assert second.session == first.session
    assert second.messages[0] == first.messages[0]
    other = memory.begin([user(ASKED)])
    assert other.session != first.session
    other.end(assistant("Since sessions need a store."))
    assert memory.begin([user(ASKED), assistant(REPLY), user("Go on")]).session == first.session


def test_conversations_that_began_alike_are_told_apart_later(tacit):
    memory = CallMemory(tacit, user="ann")
    sessions = []
    for topic in ("logging", "billing"):
        history = [user("Hello"), assistant("Hi!"), user(topic), assistant(f"About {topic}.")]
        for count in (1, 3):
            call = memory.begin(history[:count])
            call.end(history[count])
        sessions.append(memory.begin([*history, user("Go on")]).session)
    assert sessions[0] != sessions[1]


def test_a_call_that_failed_for_good_leaves_no_session_behind(tacit):
    memory = CallMemory(tacit, user="ann")
    call = memory.begin([user(ASKED)])
    call.fail()
    assert call.session not in {each.id for each in tacit.sessions.list()}


def test_names_that_cannot_be_are_refused_at_once(tacit):
    with pytest.raises(InvalidInput):
        CallMemory(tacit, user="")
    with pytest.raises(InvalidInput), identify(session=""):
        pass


# Nothing stops a call


def test_broken_memory_leaves_the_messages_as_they_are_and_says_so_once(caplog, tmp_path):
    with Tacit.open(tmp_path / "memory.db", embedder=FakeEmbedder()) as tacit:
        memory = CallMemory(tacit, session="s1")
    messages = [user(ASKED)]
    with caplog.at_level(logging.WARNING):
        for _ in range(2):
            call = memory.begin(messages)
            assert call.messages == messages
            assert call.messages[0] is messages[0]
            call.end(REPLY)
            call.fail()
    (warning,) = [each.message for each in caplog.records if each.name == "tacit.calls"]
    assert warning.startswith("memory was left out of a model call: ")


def test_a_server_that_cannot_be_reached_leaves_the_messages_as_they_are(caplog):
    with Tacit.connect("http://127.0.0.1:1", timeout=1) as remote:
        call = CallMemory(remote, session="s1").begin([user(ASKED)])
    assert call.messages == [user(ASKED)]
    assert call.session is None


def test_a_server_that_never_answers_is_not_waited_for_longer_than_its_client_does():
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        with Tacit.connect(url, workspace="w", timeout=0.2) as remote:
            call = CallMemory(remote, session="s1").begin([user(ASKED)])
            call.end(REPLY)
    assert call.messages == [user(ASKED)]


def test_memory_that_is_switched_off_adds_nothing(tmp_path):
    file = tmp_path / "tacit.toml"
    file.write_text("[defaults.memory_injection]\nenabled = false\n")
    with Tacit.open(":memory:", embedder=FakeEmbedder(), config=file) as tacit:
        tacit.remember(JWT, type="decision", scope_id="ann")
        call = CallMemory(tacit, user="ann", session="s1").begin([user(ASKED)])
        assert call.messages == [user(ASKED)]


def test_what_is_no_message_goes_through(memory):
    assert memory.begin([object, 3]).messages == [object, 3]


def test_nothing_is_begun_to_count_tokens(tacit):
    asked = {"session": "s1", "user": "ann", "messages": [user(ASKED)]}
    seen = tacit.turns.begin_call(**asked, preview=True)
    assert seen.turn is None
    assert JWT in seen.placements[0].text
    begun = tacit.turns.begin_call(**asked)
    assert begun.turn is not None
    assert tacit.turns.begin_call(**asked).placements == begun.placements


def test_what_is_no_memory_is_refused_with_what_to_pass():
    with pytest.raises(InvalidInput, match=r"'str' is no memory; pass what Tacit\.open"):
        CallMemory("memory.db")


# Hosts that keep the conversation, and the blocks in it, themselves


def test_a_host_that_keeps_blocks_gets_each_once(memory, tacit):
    first = memory.begin_kept(ASKED)
    first.end(REPLY)
    second = memory.begin_kept("And the expiry of a JWT?", context=[user(ASKED), assistant(REPLY)])
    second.end("A day.")
    assert JWT in first.blocks[0].text
    assert second.blocks == ()
    assert [each.turn for each in tacit.turns.list(session="s1")] == [2, 1]
    memory.show_again("s1")
    assert JWT in memory.begin_kept(ASKED).blocks[0].text


def test_a_block_that_is_too_long_for_the_host_is_made_again(memory, tacit):
    for told in (
        "Deploys go out on Tuesdays",
        "Berlin hosts the staging cluster",
        "Reviews need two",
    ):
        tacit.remember(f"{told}; {told.lower()} since spring", pinned=True, scope_id="ann")
    whole = memory.begin_kept(ASKED, session="s2")
    short = memory.begin_kept(ASKED, most_characters=len(whole.blocks[0].text) - 1)
    assert 0 < len(short.blocks[0].text) < len(whole.blocks[0].text)
    short.end(REPLY)
    assert [each.turn for each in tacit.turns.list(session="s1")] == [1]


def test_a_host_without_memory_goes_on(caplog):
    with Tacit.open(":memory:", embedder=FakeEmbedder()) as closed:
        memory = CallMemory(closed, session="s1")
    with caplog.at_level(logging.WARNING):
        call = asyncio.run(memory.abegin_kept(ASKED))
        call.end(REPLY)
        memory.show_again("s1")
    assert call.blocks == ()
    assert "tacit.calls" in {each.name for each in caplog.records}


def test_a_commit_may_add_a_note_to_the_receipt(tacit):
    turn = tacit.turn(session="s9", text=ASKED)
    tacit.commit_turn(turn.receipt.id, REPLY, note=f"by a test with {'x' * 600}")
    (receipt,) = tacit.turns.list(session="s9")
    (note,) = (each for each in receipt.notes if each.startswith("by a test"))
    assert len(note) <= 510
