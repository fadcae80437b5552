"""Anthropic's memory tool on items, beside the tool of the SDK that keeps files in a folder."""

import asyncio
import json

import httpx2
import pytest
from anthropic import Anthropic, AsyncAnthropic
from anthropic.lib.tools import ToolError
from anthropic.tools import BetaLocalFilesystemMemoryTool

from tacit import AsyncTacit, Tacit
from tacit.integrations.anthropic_memory import AsyncTacitMemoryTool, TacitMemoryTool
from tests.frameworks.agent_memory import closed_tacit, remembering, run_sample, samples_of

pytestmark = pytest.mark.frameworks

NOTES = "/memories/notes.md"
TEXT = "# Notes\nAnn likes dates.\nBen likes walnuts.\nBoth like tea.\nCleo likes rye.\nEnd"


@pytest.fixture
def tacit():
    with remembering() as found:
        yield found


@pytest.fixture
def tool(tacit):
    return TacitMemoryTool(tacit)


@pytest.fixture
def folder(tmp_path):
    return BetaLocalFilesystemMemoryTool(str(tmp_path))


def run(tool, command, path=None, **more):
    named = {} if path is None else {"path": path}
    try:
        return tool.call({"command": command, **named, **more})
    except ToolError as error:
        return f"error: {error.content}"


def create(tool, path, text=TEXT):
    return run(tool, "create", path, file_text=text)


def rename(tool, old, new):
    return run(tool, "rename", old_path=old, new_path=new)


def view(tool, path=NOTES):
    return run(tool, "view", path)


# The same answers as the tool of the SDK


def replace(old, new=""):
    return "str_replace", NOTES, {"old_str": old, "new_str": new}


def insert(line, text):
    return "insert", NOTES, {"insert_line": line, "insert_text": text}


def ranged(*span):
    return "view", NOTES, {"view_range": list(span)}


def move(old, new):
    return "rename", None, {"old_path": old, "new_path": new}


SAME = [
    ("view", NOTES, {}),
    ranged(2, 3),
    ranged(3, -1),
    ranged(-4, 2),
    ranged(5, 99),
    ranged(9, 12),
    ("view", "/memories/none.md", {}),
    ("view", "/etc/passwd", {}),
    ("view", "/memories/../../etc/passwd", {}),
    ("view", "/memories/a/../notes.md", {}),
    ("view", "/memories/notes.md/inside", {}),
    ("create", NOTES, {"file_text": "again"}),
    ("create", "/memories/a", {"file_text": "a folder"}),
    ("create", "/memories/new.md", {"file_text": ""}),
    ("create", "/memories/x/y/z.md", {"file_text": "deep\r\n"}),
    replace("Ann likes dates.", "Ann likes figs\nand plums."),
    replace("likes"),
    replace("nobody"),
    replace("# Notes\n"),
    insert(0, "First\n"),
    insert(2, "Between"),
    insert(6, "Last\n\n"),
    insert(7, "Beyond"),
    insert(-1, "Before"),
    ("str_replace", "/memories/none.md", {"old_str": "a", "new_str": "b"}),
    ("str_replace", "/memories/a", {"old_str": "a", "new_str": "b"}),
    ("insert", "/memories/none.md", {"insert_line": 0, "insert_text": "b"}),
    ("insert", "/memories/a", {"insert_line": 0, "insert_text": "b"}),
    ("delete", NOTES, {}),
    ("delete", "/memories/a", {}),
    ("delete", "/memories/none.md", {}),
    ("delete", "/memories", {}),
    move(NOTES, "/memories/b/other.md"),
    move("/memories/a", "/memories/b"),
    move("/memories/none.md", "/memories/b.md"),
    move(NOTES, "/memories/a/one.md"),
    move(NOTES, "/memories/a"),
    move("/memories", "/memories/b"),
    move(NOTES, "/notes.md"),
]


@pytest.mark.parametrize(("command", "path", "more"), SAME)
def test_it_answers_as_the_tool_of_the_sdk(tool, folder, command, path, more):
    for each in (tool, folder):
        create(each, NOTES)
        create(each, "/memories/a/one.md", "one\n")
        create(each, "/memories/a/deep/two.md", "two\n")
    assert run(tool, command, path, **more) == run(folder, command, path, **more)
    for left in (NOTES, "/memories/a/one.md", "/memories/b/other.md", "/memories/b/deep/two.md"):
        assert view(tool, left) == view(folder, left)


def test_it_lists_what_the_tool_of_the_sdk_lists(tool, folder):
    paths = ["z.md", "a/one.md", "a/deep/two.md", "a/deep/er/three.md", ".hidden", ".h/four.md"]
    for each in (tool, folder):
        for path in paths:
            create(each, f"/memories/{path}", "12345\n" * 300)
    for path in ("/memories", "/memories/a"):
        ours, theirs = (
            [line.split("\t") for line in view(each, path).splitlines()] for each in (tool, folder)
        )
        assert [line[-1] for line in ours] == [line[-1] for line in theirs]
        sizes = [[line[0] for line in each if line[-1].endswith(".md")] for each in (ours, theirs)]
        assert sizes[0] == sizes[1]


def test_a_new_memory_is_an_empty_folder(tool):
    assert view(tool, "/memories").splitlines()[1:] == ["0B\t/memories"]


def test_a_file_is_no_folder(tool):
    create(tool, NOTES)
    assert create(tool, f"{NOTES}/inside.md") == f"error: {NOTES} is a file, not a directory"


def test_a_folder_is_not_moved_into_itself(tool):
    create(tool, "/memories/a/one.md")
    assert rename(tool, "/memories/a", "/memories/a/b").startswith("error: Cannot move")
    assert "Ann likes" in view(tool, "/memories/a/one.md")


def test_all_can_be_cleared(tool, tacit):
    other = TacitMemoryTool(tacit, namespace=("other",))
    for each in (tool, other):
        create(each, NOTES)
    assert tool.clear_all_memory() == "All memory cleared"
    assert "does not exist" in view(tool)
    assert "Ann likes" in view(other)


# What is Tacit's


def test_namespaces_and_workspaces_are_isolated(tacit):
    ann, ben = (TacitMemoryTool(tacit, namespace=("files", name)) for name in ("ann", "ben"))
    create(ann, NOTES)
    elsewhere = TacitMemoryTool(tacit.workspace.open("other"), namespace=("files", "ann"))
    for each in (ben, elsewhere):
        assert "does not exist" in view(each)
        assert view(each, "/memories").splitlines()[1:] == ["0B\t/memories"]


def test_files_survive_the_process(tmp_path):
    for _ in range(2):
        with Tacit.open(tmp_path / "memory.db", embedder="none") as tacit:
            create(TacitMemoryTool(tacit), NOTES)
    with Tacit.open(tmp_path / "memory.db", embedder="none") as tacit:
        assert "Ann likes" in view(TacitMemoryTool(tacit))


def test_files_are_no_memories(tool, tacit):
    create(tool, NOTES, "We deploy the API from Berlin on Fridays.")
    shown = tacit.preview(session="s", text="Where do we deploy the API?").block
    assert "Berlin" not in (shown or "")
    assert tacit.count() == 1


def test_files_are_found_by_what_is_in_them(tool):
    create(tool, NOTES)
    create(tool, "/memories/other.md", "Trains leave at noon.")
    best = tool.files.items.search(("memories",), query="Who likes walnuts?")[0]
    assert best.item.key == "notes.md"


def test_a_secret_is_refused_and_nothing_is_changed(tool):
    create(tool, NOTES)
    told = create(tool, "/memories/keys.md", "the key is AKIAIOSFODNN7EXAMPLE, keep it")
    assert told.startswith("error: ")
    assert "secret" in told
    told = run(tool, "insert", NOTES, insert_line=0, insert_text="password: hunter2secret9")
    assert "secret" in told
    assert "hunter2" not in view(tool)


def test_a_file_that_is_too_long_is_refused(tool):
    assert "too long" in create(tool, NOTES, "word " * 250_000)


def test_a_store_that_fails_is_an_error_of_the_tool():
    with remembering() as tacit:
        tool = TacitMemoryTool(tacit)
    assert view(tool).startswith("error: ")
    with pytest.raises(ToolError):
        TacitMemoryTool(closed_tacit()).call({"command": "view", "path": NOTES})


# In a conversation


class Model:
    """A model on a transport: it calls the tool as it is told, then replies."""

    def __init__(self, *commands):
        self.commands = list(commands)
        self.requests = []

    def __call__(self, request):
        self.requests.append(json.loads(request.content))
        content = [{"type": "text", "text": "Done."}]
        if self.commands:
            used = {"type": "tool_use", "id": f"t{len(self.requests)}", "name": "memory"}
            content = [{**used, "input": self.commands.pop(0)}]
        about = {"id": "m", "type": "message", "role": "assistant", "model": "fake"}
        usage = {"input_tokens": 1, "output_tokens": 1}
        stop = "tool_use" if content[0]["type"] == "tool_use" else "end_turn"
        body = {**about, "content": content, "stop_reason": stop, "usage": usage}
        return httpx2.Response(200, json={**body, "stop_sequence": None})

    def results(self):
        return [
            part
            for request in self.requests
            for message in request["messages"]
            if message["role"] == "user" and isinstance(message["content"], list)
            for part in message["content"]
            if part["type"] == "tool_result"
        ]


COMMANDS = (
    {"command": "create", "path": NOTES, "file_text": TEXT},
    {"command": "view", "path": NOTES},
    {"command": "view", "path": "/memories/none.md"},
)
ASKING = {
    "model": "fake",
    "max_tokens": 50,
    "messages": [{"role": "user", "content": "Who likes dates?"}],
}


def check_conversation(model):
    assert model.requests[0]["tools"] == [{"type": "memory_20250818", "name": "memory"}]
    created, viewed, missing = model.results()
    assert "created successfully" in json.dumps(created)
    assert "Ann likes dates." in json.dumps(viewed)
    assert missing["is_error"]


def test_a_conversation_uses_it(tool):
    model = Model(*COMMANDS)
    http = httpx2.Client(transport=httpx2.MockTransport(model))
    client = Anthropic(api_key="k", http_client=http)
    last = client.beta.messages.tool_runner(**ASKING, tools=[tool]).until_done()
    assert last.content[0].text == "Done."
    check_conversation(model)


def test_an_async_conversation_uses_it(tacit):
    model = Model(*COMMANDS)
    http = httpx2.AsyncClient(transport=httpx2.MockTransport(model))
    client = AsyncAnthropic(api_key="k", http_client=http)
    tool = AsyncTacitMemoryTool(AsyncTacit(tacit))

    async def talk():
        return await client.beta.messages.tool_runner(**ASKING, tools=[tool]).until_done()

    assert asyncio.run(talk()).content[0].text == "Done."
    check_conversation(model)
    assert asyncio.run(tool.clear_all_memory()) == "All memory cleared"


@pytest.mark.parametrize("thread", [None, False])
def test_a_wrapped_client_has_memories_and_the_tool(tacit, tool, thread):
    model = Model(*COMMANDS)
    http = httpx2.Client(transport=httpx2.MockTransport(model))
    client = tacit.wrap(Anthropic(api_key="k", http_client=http), user="ann", session="s1")
    messages = [{"role": "user", "content": "Why did we choose JWT for the API?"}]
    asked = {**ASKING, "messages": messages}
    client.beta.messages.tool_runner(**asked, tools=[tool], thread=thread).until_done()
    shown = ["JWT over session tokens" in json.dumps(each) for each in model.requests]
    assert shown == [True, *[thread is False] * len(COMMANDS)]
    assert [each.turn for each in tacit.turns.list(session="s1")] == [1]


@pytest.mark.parametrize(("code", "shown"), samples_of("anthropic-memory"))
def test_the_sample_of_the_page_prints_what_it_shows(code, shown):
    assert run_sample(code) == shown
