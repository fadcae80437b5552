"""Importing what people have elsewhere: nothing is lost or made up, and nothing comes in twice."""

import io
import json
import re
import sys

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from yaml.reader import Reader

from tacit import Tacit
from tacit.core.errors import ArchiveError, InvalidInput
from tacit.writing.archive.contents import read_contents
from tacit.writing.archive.files import Format
from tests.properties import examples
from tests.serving import served

NOTES = """\
---
owner: Ann
tags: [a, b]
---
# Notes

The shop opens
at nine.

## Style
We write it so:

- tabs, not
  spaces
  - in Go too
- no `eval`

Run this first:

```sh
make test

make run
```

| command | what it does | who |
|---|---|---|
| make | builds | all |
| make a \\| b | | nobody | yet |

<!-- nobody sees this -->

## Later
"""

TEA = {
    "id": "a1",
    "memory": "Likes tea",
    "hash": "h1",
    "metadata": {"seen": 2},
    "user_id": "ann",
    "agent_id": "planner",
    "run_id": "s1",
    "categories": ["food", "drink"],
    "created_at": "2024-07-20T01:30:36-07:00",
    "updated_at": "2024-08-01T00:00:00+00:00",
}
CLAUDE_CHATS = [{"uuid": "1", "chat_messages": []}]
CLAUDE_EXPORT = [
    {
        "conversations_memory": "**Work context**\n\nAnn bakes.\n\n**Style**\n\n- short answers",
        "project_memories": {"p-1": "# Plan\n\nUse hexagons."},
        "account_uuid": "u-1",
        "memory_files": ["?"],
    }
]


@pytest.fixture
def tacit():
    with Tacit.open(":memory:", embedder="none") as opened:
        yield opened


def _import(tacit, data, **options):
    data = data if isinstance(data, str | bytes) else json.dumps(data, indent=1)
    return tacit.archive.import_from(
        io.BytesIO(data.encode() if isinstance(data, str) else data), **options
    )


def _contents(tacit):
    return [memory.content for memory in tacit.list(sort="created", limit=1_000)]


def _rejected(report):
    return [(each.line, each.reason) for each in report.rejected]


class TestMarkdown:
    def test_each_bullet_paragraph_and_row_is_a_memory_below_its_headings(self, tacit):
        report = _import(tacit, NOTES, name="Notes.md")
        assert _contents(tacit) == [
            "The shop opens at nine.",
            "Style > We write it so: tabs, not spaces\n- in Go too",
            "Style > We write it so: no `eval`",
            "Style: Run this first:\n```sh\nmake test\n\nmake run\n```",
            "Style: command: make; what it does: builds; who: all",
            "Style: command: make a | b; who: nobody; yet",
        ]
        assert report.counts == {"created": 6}
        assert [line for line, _ in _rejected(report)] == [31, 33]
        assert "comment" in report.rejected[0].reason
        assert "nothing below it" in report.rejected[1].reason

    def test_a_memory_says_where_it_is_from_and_is_not_trusted_yet(self, tacit):
        _import(tacit, NOTES, name="Notes.md")
        eval_ = next(each for each in tacit.list() if "eval" in each.content)
        assert (eval_.source, eval_.trust, eval_.explicit) == ("import", "unverified", False)
        assert eval_.origin.to_dict() == {"file": "Notes.md"}
        front = {"owner": "Ann", "tags": ["a", "b"]}
        assert eval_.metadata == {"line": 16, "front_matter": front}

    def test_a_file_is_told_by_its_name_and_otherwise_read_by_lines(self, tacit, tmp_path):
        path = tmp_path / "list.md"
        path.write_text("- one\n- two\n")
        tacit.archive.import_from(path)
        assert _contents(tacit) == ["one", "two"]
        assert tacit.list()[0].origin.file == "list.md"
        _import(tacit, "- one\n")
        assert _contents(tacit)[-1] == "- one"

    def test_titles_are_in_front_of_what_they_lead_over_and_of_no_more(self, tacit):
        text = (
            "# A\n\none\n\n**Bold part**\n\ntwo\n\n## B ##\n[tee]: x\n\nC\n=\n\nfour\n\n**alone**"
        )
        _import(tacit, text, format="markdown")
        said = ["A: one", "A > Bold part: two", "A > B: [tee]: x", "C: four", "C: **alone**"]
        assert _contents(tacit) == said

    @pytest.mark.parametrize(
        ("front", "told"),
        [
            ("a: 1\nb: c: d", "line 3: mapping values"),
            ("x: &a [1]\ny: *a", "it has aliases"),
            ("[{" * 101, "nested too deeply"),
            ("- " * 2_000, "nested too deeply"),
            ("- list", "has no fields"),
            ('x: "\x01"', "special characters"),
        ],
        ids=["broken", "aliases", "brackets", "deep", "list", "unreadable"],
    )
    def test_front_matter_without_plain_fields_is_kept_as_text_and_told(self, tacit, front, told):
        report = _import(tacit, f"---\n{front}\n---\ntea\n", format="markdown")
        assert tacit.list()[0].metadata["front_matter"] == front
        assert _contents(tacit) == ["tea"]
        assert [(line, told in reason) for line, reason in _rejected(report)] == [(1, True)]

    @pytest.mark.parametrize(
        ("front", "told"),
        [(f"a: {'b' * 5_000}\n---\n", "is longer than"), ("name: Tea\nx:\n - y\n", "has no end")],
        ids=["long", "endless"],
    )
    def test_front_matter_that_is_none_stays_out_and_is_told(self, tacit, front, told):
        report = _import(tacit, f"---\n{front}\ntea\n", format="markdown")
        assert [(memory.content, len(memory.metadata)) for memory in tacit.list()] == [("tea", 1)]
        assert [(line, told in reason) for line, reason in _rejected(report)] == [(1, True)]

    @pytest.mark.parametrize("text", ["---\n# A\n\none", "---\nA: one\nand two", "---"])
    def test_a_rule_at_the_top_is_no_front_matter(self, tacit, text):
        assert _import(tacit, text, format="markdown").rejected == ()

    @pytest.mark.parametrize("front", ["a: b", "name: Tea\ntype: user"], ids=["notes", "memory"])
    def test_front_matter_is_parsed_once(self, tacit, monkeypatch, front):
        parsed = []
        begin = Reader.__init__

        def counted(reader, stream):
            parsed.append(stream)
            begin(reader, stream)

        monkeypatch.setattr(Reader, "__init__", counted)
        _import(tacit, f"---\n{front}\n---\ntea\n", name="notes.md")
        assert parsed == [front]

    def test_a_very_long_title_is_a_statement_and_not_in_front_of_others(self, tacit):
        title, column = "a " * 100 + "b", "c" * 1_001
        table = f"|{column}|\n|---|\n|1|\n|2|"
        _import(tacit, f"# Top\n\n## {title}\n\n- one\n\n{table}\n", format="markdown")
        assert _contents(tacit) == [f"Top: {title}", "Top: one", f"Top:\n{table}"]

    def test_lines_end_as_they_do_elsewhere(self, tacit):
        _import(tacit, b"\xef\xbb\xbf# A\r\n\r\n- one\r\n- two\r\n", format="markdown")
        assert _contents(tacit) == ["A: one", "A: two"]


class TestMem0:
    @pytest.mark.parametrize(
        "data",
        [
            {"results": [TEA]},
            {"memories": [TEA], "count": 1, "next": None},
            [TEA],
            TEA,
            json.dumps({"results": [TEA]}),
            f"{json.dumps(TEA)}\n",
        ],
        ids=["get_all", "older", "list", "one", "on one line", "lines"],
    )
    def test_every_field_finds_its_place(self, tacit, data):
        report = _import(tacit, data)
        assert (report.counts, report.rejected) == ({"created": 1}, ())
        tea = tacit.list()[0]
        assert (tea.content, tea.scope, tea.scope_id) == ("Likes tea", "user", "ann")
        assert (tea.agent, tea.tags) == ("planner", ("food", "drink"))
        said = {"session": "s1", "time": "2024-07-20T08:30:36.000000Z"}
        assert tea.origin.to_dict() == said
        rest = {name: TEA[name] for name in TEA if name not in ("memory", "metadata")}
        assert tea.metadata == {"seen": 2, "mem0": rest}

    def test_other_spellings_are_understood(self, tacit):
        _import(tacit, [{"memory": "x", "userId": "ann", "createdAt": 0, "runId": 7}])
        memory = tacit.list()[0]
        assert (memory.scope_id, memory.origin.session) == ("ann", "7")
        assert memory.origin.time.year == 1970

    def test_a_backup_of_openmemory_comes_in_without_what_was_deleted(self, tacit):
        said = {"user_id": "0-0", "content": "Works at night", "category_ids": ["c1"]}
        data = {
            "user": {"user_id": "ann"},
            "categories": [{"id": "c1", "name": "work"}],
            "memories": [
                {**said, "state": "active"},
                {**said, "content": "Gone", "state": "deleted"},
            ],
        }
        report = _import(tacit, data)
        memory = tacit.list()[0]
        assert (memory.content, memory.scope_id, memory.tags) == (
            "Works at night",
            "ann",
            ("work",),
        )
        assert _rejected(report) == [(2, "state: it is deleted in OpenMemory, not active")]

    def test_a_backup_of_nobody_is_refused(self, tacit):
        with pytest.raises(InvalidInput, match="control characters"):
            _import(tacit, {"user": {"user_id": "\x01"}, "memories": [{"memory": "x"}] * 2})

    def test_a_structured_export_is_read_where_somebody_says_what_it_is(self, tacit):
        jobs = [{"company": "Shop", "title": "Baker"}, {"company": "Mill"}]
        data = {"full_name": "Ann Lee", "jobs": jobs, "city": None, "age": 41}
        _import(tacit, data, format="mem0")
        assert _contents(tacit) == [
            "full_name: Ann Lee",
            "jobs: company: Shop; title: Baker",
            "jobs: company: Mill",
            "age: 41",
        ]

    @pytest.mark.parametrize(
        "data", [{"results": []}, {"count": 0, "next": None, "memories": []}], ids=["now", "older"]
    )
    def test_an_export_without_memories_brings_nothing(self, tacit, data):
        report = _import(tacit, data)
        assert (report.counts, report.rejected) == ({}, ())

    def test_what_names_more_than_no_memories_is_not_passed_over(self, tacit):
        report = _import(tacit, json.dumps({"content": "x", "results": []}))
        assert [line for line, _ in _rejected(report)] == [1]

    def test_what_cannot_come_in_is_told_with_its_place(self, tacit):
        bad = [{"id": "2"}, "text", {"memory": "x", "user_id": "a\nb"}]
        data = {"results": [TEA, *bad], "next": "/page/2", "relations": [{"source": "ann"}]}
        report = _import(tacit, data)
        told = [(line, reason.split(":")[0]) for line, reason in _rejected(report)]
        assert told == [
            (2, "memory"),
            (3, "memory"),
            (4, "scope_id"),
            (5, "next"),
            (5, "relations"),
        ]

    def test_what_the_one_who_imports_says_counts_more(self, tacit):
        said = {"scope_id": "", "tags": ["moved"], "metadata": {"batch": 1}, "type": "preference"}
        _import(tacit, [TEA], **said)
        tea = tacit.list()[0]
        assert (tea.scope_id, tea.tags, tea.type) == ("", ("moved",), "preference")
        assert (tea.metadata["batch"], tea.metadata["mem0"]["user_id"]) == (1, "ann")
        assert tea.origin.session == "s1"


class TestChatGPT:
    @pytest.mark.parametrize(
        "text",
        [
            "Likes tea.\nHas two\tcats.\nBakes bread",
            "Likes tea.\n\nHas two\ncats.\n\nBakes bread",
            "- Likes tea.\n- Has two\n  cats.\n- Bakes bread",
            "1. Likes tea.\n\n2. Has two cats.\n\n3. Bakes bread",
            "  Likes tea.\n  Has two cats.\n  Bakes bread\n",
        ],
        ids=["lines", "paragraphs", "bullets", "numbers", "indented"],
    )
    def test_each_paragraph_or_bullet_is_a_memory(self, tacit, text):
        _import(tacit, text, format="chatgpt")
        found = [" ".join(each.split()) for each in _contents(tacit)]
        assert found == ["Likes tea.", "Has two cats.", "Bakes bread"]

    @pytest.mark.parametrize(
        "text",
        [
            "Likes tea.\nJan 5, 2025\n\nHas two cats.\n5 March 2025",
            "2025-01-05\nLikes tea.\n2025-03-05\nHas two cats.",
            "[2025-01-05] - Likes tea.\n[2025-03-05] - Has two cats.",
            "1. [2025-01-05]. Likes tea.\n2. [2025-03-05]. Has two cats.",
        ],
        ids=["below", "above", "slot", "numbered"],
    )
    def test_dates_are_when_a_memory_was_saved(self, tacit, text):
        _import(tacit, text, format="chatgpt")
        found = [(each.content, f"{each.origin.time:%m-%d}") for each in tacit.list(sort="created")]
        assert found == [("Likes tea.", "01-05"), ("Has two cats.", "03-05")]

    def test_an_answer_with_all_memories_is_recognised(self, tacit):
        _import(tacit, "[2025-01-05] - Likes tea\n[unknown] - Bakes\n")
        assert _contents(tacit) == ["Likes tea", "Bakes"]
        assert tacit.list(sort="created")[1].metadata["saved"] == "unknown"

    def test_a_very_long_title_is_a_memory(self, tacit):
        title = "# " + "a" * 201
        _import(tacit, f"{title}\n\n- tea", format="chatgpt")
        assert _contents(tacit) == [title, "tea"]

    def test_what_is_said_around_the_block_of_memories_is_left_out_and_told(self, tacit):
        text = "Here they are:\n```\n## Food\n[2025-01-05] - Likes tea\n```\nThat is all."
        report = _import(tacit, text, format="chatgpt")
        assert _contents(tacit) == ["Food: Likes tea"]
        assert [line for line, _ in _rejected(report)] == [1, 6]


class TestClaude:
    def test_instructions_come_in_and_files_they_name_are_told(self, tacit):
        text = (
            "# CLAUDE.md\n\nSee @README.md ( @README.md ), not `@src/x.md`.\n\n## Git\n"
            "- @docs/git.md\n- Use @dataclass from @types/node\n\n```sh\n@run/all.md\n```\n"
        )
        report = _import(tacit, text, name="CLAUDE.md")
        assert _contents(tacit) == [
            "See @README.md ( @README.md ), not `@src/x.md`.",
            "Git: Use @dataclass from @types/node\n```sh\n@run/all.md\n```",
        ]
        told = [(line, reason.split()[1]) for line, reason in _rejected(report)]
        assert told == [(3, "@README.md"), (6, "@docs/git.md")]

    def test_a_memory_file_of_claude_code_is_one_memory(self, tacit):
        text = (
            "---\nname: Short answers\ndescription: How to answer\ntype: feedback\n"
            "originSessionId: s-1\n---\n\nAnswer briefly.\n\n**Why:** Ann is busy.\n"
        )
        _import(tacit, text, name="feedback_short.md")
        memory = tacit.list()[0]
        assert memory.content == "Short answers: Answer briefly.\n\n**Why:** Ann is busy."
        assert (memory.type, memory.origin.session) == ("preference", "s-1")
        assert memory.metadata["front_matter"]["description"] == "How to answer"
        assert (memory.origin.file, memory.metadata["line"]) == ("feedback_short.md", 8)
        empty = _import(tacit, "---\nname: Tea\ntype: user\n---\n", name="tea.md")
        assert [reason.split(";")[0] for _, reason in _rejected(empty)] == ["text: is missing"]

    def test_a_memory_file_with_broken_front_matter_says_so(self, tacit):
        text = "---\nname: Tea\ntype: [user\n---\nLikes tea.\n"
        report = _import(tacit, text, name="tea.md")
        assert _contents(tacit) == ["Likes tea."]
        assert [reason.split(" (")[0] for _, reason in _rejected(report)] == [
            "front matter: is not plain YAML"
        ]

    def test_what_has_a_sentence_for_a_name_is_no_memory_file(self, tacit):
        _import(tacit, f"---\nname: {'a' * 201}\ntype: user\n---\n- tea\n", name="tea.md")
        assert _contents(tacit) == ["tea"]

    def test_a_memory_file_with_headings_is_cut_at_them(self, tacit):
        front = "---\nname: Plans\nmetadata:\n  type: project\n---\n"
        _import(tacit, f"{front}# Plans\n## Soon\n- ovens\n- mills\n", name="plans.md")
        assert _contents(tacit) == ["Plans > Soon: ovens", "Plans > Soon: mills"]

    def test_the_memories_of_an_export_come_in_by_project(self, tacit):
        report = _import(tacit, CLAUDE_EXPORT)
        found = [(each.content, each.scope, each.scope_id) for each in tacit.list(sort="created")]
        assert found == [
            ("Work context: Ann bakes.", "user", ""),
            ("Style: short answers", "user", ""),
            ("Plan: Use hexagons.", "project", "p-1"),
        ]
        assert [reason.split(":")[0] for _, reason in _rejected(report)] == ["memory_files"]

    def test_a_project_that_has_no_name_is_left_out_once(self, tacit):
        report = _import(
            tacit, [{"conversations_memory": "", "project_memories": {"\t": "a\n\nb"}}]
        )
        assert (report.counts, len(report.rejected)) == ({}, 1)


WRONG = [
    (CLAUDE_CHATS, "auto", "memories.json"),
    ('[\n {"memory": "Likes', "auto", "export it again"),
    ("a\n" * 100_001, "markdown", "more than 100,000 lines"),
    ("|" * 300_001, "markdown", "more than 300,000 cells"),
    ([{"conversations_memory": "a\n" * 100_001}], "claude", "100,000 lines; split"),
    ([TEA], "markdown", "looks like mem0"),
    ([TEA], "claude", "looks like mem0"),
    (json.dumps([TEA]), "jsonl", "looks like mem0"),
    (CLAUDE_EXPORT, "mem0", "looks like claude"),
    ({"a": 1}, "chatgpt", "this is JSON"),
    ("# Notes\n", "mem0", "looks like text"),
    (b"caf\xe9", "markdown", "byte 4 is not UTF-8"),
    (b"PK\x03\x04", "auto", "unpack it"),
]


@pytest.mark.parametrize(("data", "format", "told"), WRONG, ids=[told for *_, told in WRONG])
def test_a_file_in_the_wrong_format_says_what_it_looks_like(tacit, data, format, told):
    with pytest.raises(ArchiveError, match=told):
        _import(tacit, data, format=format)
    assert tacit.list() == []


@pytest.mark.parametrize(
    ("data", "options"),
    [
        (NOTES, {"name": "n.md"}),
        ({"results": [TEA, {**TEA, "run_id": "s2"}]}, {}),
        ("- tea\n- tea\n- 2025-01-05\n", {"format": "chatgpt"}),
        (CLAUDE_EXPORT, {}),
    ],
    ids=["markdown", "mem0", "chatgpt", "claude"],
)
def test_importing_twice_changes_nothing(tacit, data, options):
    _import(tacit, data, **options)
    before = [memory.to_dict() for memory in tacit.list()]
    again = _import(tacit, data, **options)
    assert set(again.counts) == {"known"}
    assert [memory.to_dict() for memory in tacit.list()] == before


def test_what_is_known_here_is_not_changed_by_a_file_of_another_program(tacit):
    mine = tacit.remember("Likes tea", scope_id="ann", agent="planner", tags=["mine"]).memory
    assert _import(tacit, [TEA]).counts == {"known": 1}
    assert tacit.get(mine.id) == mine
    assert tacit.reviews.list() == []


@pytest.mark.parametrize("name", ["", "a\n.md", "x" * 501], ids=["empty", "unprintable", "long"])
def test_a_name_that_is_none_is_dropped(tacit, name):
    _import(tacit, CLAUDE_EXPORT, name=name)
    assert {memory.origin.file for memory in tacit.list()} == {None}


def test_a_name_that_is_no_text_is_refused(tacit):
    with pytest.raises(InvalidInput, match="expected text"):
        _import(tacit, "x", name=5)


@pytest.mark.parametrize(
    "text",
    ["[ ] buy milk", "[urgent] call bob", "[Docs](http://x)", "[[Tea]] is hot", "[2025] tea"],
)
def test_text_that_begins_with_a_bracket_is_read_by_lines(tacit, text):
    _import(tacit, f"\n{text}\n- {{\n")
    assert _contents(tacit) == [text, "- {"]


LARGE = {
    "paragraph": lambda size: "some words on a line of the text\n" * size,
    "code": lambda size: "words\n\n" + "```\nmake it\n```\n\n" * size,
    "bullets": lambda size: "- some words\n" * size,
    "categories": lambda size: {
        "memories": [{"content": "x", "category_ids": [1]}] * size,
        "categories": [{"id": id, "name": f"c{id}"} for id in range(size)],
    },
}


@pytest.mark.parametrize("kind", LARGE)
def test_reading_takes_work_in_proportion_to_the_size(kind):
    small, large = (_work(LARGE[kind](size)) for size in (100, 300))
    assert large < 4 * small


def _work(data):
    """How many steps the readers go, and how many characters they put together on the way."""
    seen, steps = set(), 0

    def watch(frame, event, _):
        nonlocal steps
        if "readers" not in frame.f_code.co_filename and frame.f_code.co_name != "__init__":
            return None
        steps += 1
        for value in list(frame.f_locals.values()):
            last = value[-1] if isinstance(value, list) and value else value
            if isinstance(last, str):
                seen.add((id(last), len(last)))
        return watch

    data = data if isinstance(data, str) else json.dumps(data)
    format = "claude" if data[0] != "{" else "auto"
    before = sys.gettrace()
    sys.settrace(watch)
    try:
        for _ in read_contents(io.BytesIO(data.encode()), Format(format)).lines:
            pass
    finally:
        sys.settrace(before)
    return steps + sum(length for _, length in seen)


@pytest.mark.parametrize(
    ("data", "named", "format"),
    [
        (b"Likes tea.\n", {}, "lines"),
        (b"Likes tea.\n", {"name": "tea.md"}, "markdown"),
        (b"Likes tea.\n", {"name": "CLAUDE.md"}, "claude"),
        (b"Likes tea.\n", {"format": "chatgpt"}, "chatgpt"),
        (b"[2025-01-05] - Likes tea.\n", {}, "chatgpt"),
        (b'{"content": "Likes tea."}\n', {}, "jsonl"),
        (b'[{"memory": "Likes tea."}]', {}, "mem0"),
        (b"---\nname: tea\ntype: user\n---\nLikes tea.\n", {"name": "tea.md"}, "claude"),
        (b"", {}, "lines"),
    ],
)
def test_the_report_tells_as_what_a_file_was_read(tacit, data, named, format):
    report = tacit.archive.import_from(io.BytesIO(data), **named)
    assert report.format == format
    assert report.rejected == ()


def test_wide_characters_are_told_from_what_is_no_text(tacit):
    with pytest.raises(ArchiveError, match="save it as UTF-8"):
        tacit.archive.import_from(io.BytesIO("Likes tea.\n".encode("utf-16")))


def test_blank_lines_at_the_top_are_counted(tacit):
    report = _import(tacit, "\n \n" + "x" * 50_001 + "\ntea")
    assert [line for line, _ in _rejected(report)] == [3]


def test_progress_adds_up_to_the_size_of_the_file(tacit):
    seen = []
    _import(tacit, NOTES, name="n.md", progress=seen.append)
    assert sum(seen) == len(NOTES)


def test_the_command_line_and_the_server_take_in_the_same(run, tmp_path):
    path = tmp_path / "NOTES.md"
    path.write_text(NOTES)
    ran = run("import", path, "--json")
    assert ran.code == 2
    with served() as house:
        asked = {"params": {"name": path.name}, "content": NOTES.encode()}
        answer = house.client.post("/v1/memories/import", **asked).json()
        assert answer == json.loads(ran.out)
        assert {each.origin.file for each in house.tacit.list()} == {"NOTES.md"}
        wrong = house.client.post("/v1/memories/import?format=mem0", content=NOTES.encode())
        assert (wrong.status_code, "looks like text" in wrong.text) == (422, True)


_WORD = re.compile(r"\w+")
_words = st.lists(st.from_regex(r"[a-zé]{2,8}", fullmatch=True), min_size=1, max_size=6)
_phrase = _words.map(" ".join)
_bullet = st.tuples(st.sampled_from(["- ", "* ", "1. ", "  - ", "    - "]), _phrase).map("".join)
_block = st.one_of(
    _phrase,
    _phrase.map("# {}\n\nbelow".format),
    _phrase.map("**{}**\n\nbelow".format),
    _phrase.map("{}:\n\n- item".format),
    _phrase.map("```\n{}\n```".format),
    _phrase.map("> {}".format),
    st.lists(_bullet, min_size=1, max_size=4).map("\n".join),
    st.tuples(_phrase, _phrase).map(lambda cells: "| {} |\n|---|\n| {} |".format(*cells)),
)


@settings(max_examples=examples(30, 150))
@given(
    blocks=st.lists(_block, min_size=1, max_size=8),
    format=st.sampled_from(["markdown", "claude", "chatgpt"]),
)
def test_no_reader_loses_or_makes_up_words(blocks, format):
    text = "\n\n".join(blocks)
    with Tacit.open(":memory:", embedder="none") as tacit:
        report = _import(tacit, text, format=format)
        contents = _contents(tacit)
    # Letters at random can spell "pwd" above a word, which then is a password.
    assume(not any("[redacted:" in content for content in contents))
    found = {word for content in contents for word in _WORD.findall(content)}
    assert report.rejected == ()
    assert found - set(_WORD.findall(text)) == set()
    assert {word for word in _WORD.findall(text) if word.isalpha()} - found == set()
