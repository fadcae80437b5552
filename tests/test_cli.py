"""The command line: what people type, what they see, and how it ends."""

import json
import os
import subprocess
import sys
import time

import apsw
import pytest

from tacit import Tacit, __version__
from tacit.api.calls.memories import Memories
from tacit.cli.commands import LISTING
from tacit.core.errors import ModelUnavailable
from tests.support import say

_WITHOUT_STORE = (
    "demo",
    "model",
    "eval",
    "extract",
    "migrate",
    "settings",
    "trust",
    "doctor",
    "keys",
    "serve",
    "proxy",
    "ui",
    "hook",
    "daemon",
    "install",
    "mcp",
)
NOBODY = "01890a5d-ac96-774b-bcce-b302099a8057"


def _json(ran):
    assert ran.code == 0, ran.err
    return json.loads(ran.out)


def _remember(run, content, *options):
    return _json(run("remember", content, "--json", *options))["memory"]


def test_remember_get_and_list_tell_the_same(run):
    memory = _remember(run, "JWT over sessions", "-t", "decision", "--tag", "api", "--pin")
    assert (memory["type"], memory["tags"], memory["pinned"]) == ("decision", ["api"], True)
    assert _json(run("get", memory["id"], "--json")) == memory | {"links": []}
    assert _json(run("list", "--json")) == [memory]
    shown = run("list").out
    assert "JWT over sessions" in shown
    assert memory["id"][-8:] in shown


def test_every_field_has_an_option(run):
    memory = _remember(
        run, "x", "--type", "goal", "--key", "a.b", "--importance", "0.1", "--confidence", "0.2",
        "--scope", "project", "--scope-id", "shop", "--agent", "coder", "--trust", "unverified",
        "--tag", "t", "--tag", "u", "--metadata", '{"n": 1}', "--origin", '{"speaker": "Ann"}',
        "--pin", "--valid-from", "2026-01-01T00:00Z", "--valid-to", "2030-01-01T00:00Z",
        "--expires", "2031-01-01T00:00Z", "--by", "agent",
    )  # fmt: skip
    expected = {
        "type": "goal", "key": "a.b", "importance": 0.1, "confidence": 0.2, "scope": "project",
        "scope_id": "shop", "agent": "coder", "trust": "unverified", "tags": ["t", "u"],
        "metadata": {"n": 1}, "origin": {"speaker": "Ann"}, "pinned": True, "source": "agent",
        "valid_from": "2026-01-01T00:00:00.000000Z", "valid_to": "2030-01-01T00:00:00.000000Z",
        "expires_at": "2031-01-01T00:00:00.000000Z",
    }  # fmt: skip
    assert {name: memory[name] for name in expected} == expected


def test_ids_can_be_shortened_to_their_ending(run):
    memory = _remember(run, "x")
    assert _json(run("get", memory["id"][-8:], "--json"))["id"] == memory["id"]


def test_edit_changes_and_clears(run):
    memory = _remember(run, "x", "--key", "k", "--expires", "2031-01-01")
    edited = _json(run("edit", memory["id"], "--content", "y", "--clear", "expires", "--json"))
    assert edited["status"] == "updated"
    assert edited["memory"]["content"] == "y"
    assert edited["memory"]["key"] == "k"
    assert edited["memory"]["expires_at"] is None


def test_what_was_replaced_names_the_words_that_replaced_it_and_comes_back(run):
    old = _remember(run, "Standup is at 9:30", "--key", "standup")
    new = _remember(run, "Standup is at 10", "--key", "standup")
    told = run("history", old["id"]).out
    assert f"supersede  by {new['id'][-8:]}: Standup is at 10" in told
    assert run("restore", old["id"]).out.startswith("restored")
    assert {each["id"] for each in _json(run("list", "--json"))} == {old["id"], new["id"]}


def test_forget_restore_and_history(run):
    memory = _remember(run, "x")
    assert _json(run("forget", memory["id"], "--json"))["status"] == "forgotten"
    assert _json(run("list", "--json")) == []
    assert run("get", memory["id"]).code == 2
    assert _json(run("restore", memory["id"], "--json"))["status"] == "restored"
    actions = [row["action"] for row in _json(run("history", memory["id"], "--json"))]
    assert actions == ["insert", "forget", "restore"]
    assert "forgotten: false → true" in run("history", memory["id"]).out


def test_link_shows_at_both_ends_and_can_be_removed(run):
    a, b = _remember(run, "a")["id"], _remember(run, "b")["id"]
    edge = {"source": a, "target": b, "relation": "part_of", "weight": 0.7}
    assert _json(run("link", a, b, "-r", "part_of", "--weight", "0.7", "--json")) == edge | {
        "removed": False
    }
    assert _json(run("get", b, "--json"))["links"] == [edge]
    assert run("link", a, b, "-r", "part_of", "--remove").code == 0
    assert _json(run("get", b, "--json"))["links"] == []


def test_erase_asks_unless_told_not_to(run):
    memory = _remember(run, "x")
    assert run("erase", memory["id"], stdin=b"n\n").code == 1
    assert _json(run("get", memory["id"], "--json"))["content"] == "x"
    receipt = _json(run("erase", memory["id"], "--yes", "--json"))
    assert receipt["removed"]["memories"] == 1
    assert run("get", memory["id"]).code == 2
    actions = [each["action"] for each in _json(run("history", memory["id"], "--json"))]
    assert actions == ["insert", "erase"]


def test_erase_of_many_shows_what_would_go_and_asks(run):
    for content, whose in (("Ann has a cat", "ann"), ("Ann has tea", "ann"), ("A dog", "bob")):
        _remember(run, content, "--scope-id", whose)
    asked = run("erase", "--owner", "user:ann", stdin=b"n\n")
    assert asked.code == 1
    assert "Ann has a cat" in asked.err
    assert "2 memories" in asked.err
    dry = _json(run("erase", "--contains", "A DOG", "--dry-run", "--json"))
    assert (dry["dry_run"], dry["removed"]["memories"]) == (True, 1)
    assert len(_json(run("list", "--json"))) == 3
    assert _json(run("erase", "--owner", "user:ann", "-y", "--json"))["removed"]["memories"] == 2
    assert "nothing was erased" in run("erase", "--session", "s", "--yes").out
    assert "nothing was erased" in run("erase", "--owner", "user:Ann", "--dry-run").out
    assert [each["content"] for each in _json(run("list", "--all", "--json"))] == ["A dog"]
    for mixed in ([], ["--owner", "user:bob", "--tag", "x"], ["--session", "s", "--state", "live"]):
        assert "name one: a memory" in run("erase", *mixed, "--yes").err
    for nobody, example in (("user", "user:NAME"), ("user:", "user:NAME"), ("bob", "user:bob")):
        unsaid = run("erase", "--owner", nobody, "--yes")
        assert unsaid.code == 2
        assert f"write {example}, or --unnamed" in " ".join(unsaid.err.split())
    assert "leaves something out" in " ".join(run("erase", "--state", "live", "--yes").err.split())
    _remember(run, "A cat of my own")
    mine = run("erase", "--unnamed", "user", "--yes")
    assert "not reached: what others asked and wrote" in " ".join(mine.out.split())
    assert [each["content"] for each in _json(run("list", "--all", "--json"))] == ["A dog"]
    assert unsaid.code == 2


def test_an_erasure_that_is_interrupted_says_what_is_gone(run, monkeypatch):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    _remember(run, "Ann has a cat", "--scope-id", "ann")
    monkeypatch.setattr(Memories, "erase_owner", interrupted)
    ran = run("erase", "--owner", "user:ann", "--yes")
    assert ran.code == 130
    assert "gone for good; run it again to go on" in " ".join(ran.err.split())


def test_an_agents_wish_is_queued_and_shown(run):
    memory = _remember(run, "x")
    queued = run("forget", memory["id"], "--by", "agent")
    assert queued.code == 0
    assert "waits for a person" in queued.out
    assert _json(run("stats", "--json"))["reviews"] == 1


def test_list_filters_sorts_and_pages(run):
    for n in range(5):
        tag = "odd" if n % 2 else "even"
        _remember(run, f"number {n}", "--importance", str(n / 10), "--tag", tag)
    listed = _json(run("list", "--sort", "importance", "-n", "2", "--json"))
    assert [memory["content"] for memory in listed] == ["number 4", "number 3"]
    more = _json(run("list", "--sort", "importance", "--after", listed[-1]["id"][-8:], "--json"))
    assert [memory["content"] for memory in more] == ["number 2", "number 1", "number 0"]
    assert len(_json(run("list", "--tag", "even", "--json"))) == 3
    assert _json(run("list", "--type", "goal", "--type", "todo", "--json")) == []
    assert "more: --after" in run("list", "-n", "2").out


def test_workspaces_are_apart(run):
    memory = _remember(run, "mine", "-w", "one")
    assert _json(run("list", "-w", "two", "--json")) == []
    assert run("get", memory["id"], "-w", "two").code == 2


def test_standard_input_is_content(run):
    memory = _json(run("remember", "-", "--json", stdin="läuft\nweiter\n".encode()))["memory"]
    assert memory["content"] == "läuft\nweiter"


@pytest.mark.parametrize(
    ("name", "text", "counts", "first"),
    [
        ("notes.txt", "Likes tea\nBakes bread\n", "memories 2", "Likes tea"),
        ("notes.md", "# Ann\n\n- Likes tea\n- Bakes bread\n", "memories 2", "Ann: Likes tea"),
        ("list.json", '[{"content": "Likes tea"}, "Bakes bread"]', "memories 2", "Likes tea"),
        (
            "conversations.json",
            '[{"id": "c", "current_node": "n", "create_time": 1771580000, "mapping": {"n":'
            ' {"message": {"author": {"role": "user"}, "content": {"content_type": "text", "parts":'
            ' ["My bicycle has two bells."]}}}}}]',
            "episodes 1",
            "My bicycle has two bells.",
        ),
    ],
    ids=["lines", "markdown", "json", "chatgpt"],
)
def test_a_dry_run_shows_what_is_in_a_file_and_writes_nothing(
    run, tmp_path, name, text, counts, first
):
    (tmp_path / name).write_text(text)
    ran = run("import", tmp_path / name, "--dry-run", db=tmp_path / "new.db")
    shown = [" ".join(line.split()) for line in ran.out.splitlines()]
    assert (ran.code, shown[1], shown[2]) == (0, counts, first)
    assert not (tmp_path / "new.db").exists()
    told = _json(run("import", tmp_path / name, "--dry-run", "--json"))
    assert told["first"][0] == first


def test_import_and_export_travel_whole(run, tmp_path):
    (tmp_path / "notes.txt").write_text("First\nSecond\n")
    report = _json(run("import", tmp_path / "notes.txt", "--type", "observation", "--json"))
    assert report == {
        "format": "lines",
        "counts": {"created": 2},
        "rejected": [],
        "rejected_count": 0,
    }
    archive = tmp_path / "all.jsonl"
    assert run("export", archive).code == 0
    exported = archive.read_bytes()
    other = tmp_path / "other.db"
    assert run("import", archive, db=other).code == 0
    assert [memory["content"] for memory in _json(run("list", "--json", db=other))] == [
        "Second",
        "First",
    ]
    assert run("export", db=other).out.splitlines()[1:] == exported.decode().splitlines()[1:]


def test_an_export_of_an_owner_holds_what_is_theirs(run, tmp_path):
    _remember(run, "Ann likes tea", "--user", "ann")
    _remember(run, "Bob likes coffee", "--user", "bob")
    archive = tmp_path / "ann.jsonl"
    assert run("export", archive, "--owner", "user:ann").code == 0
    assert b"tea" in archive.read_bytes()
    assert b"coffee" not in archive.read_bytes()
    refused = run("export", "--owner", "ann")
    assert (refused.code, "write user:ann" in refused.err) == (2, True)


def test_an_export_does_not_overwrite_unless_told_to(run, tmp_path):
    target = tmp_path / "all.jsonl"
    target.write_text("precious")
    _remember(run, "x")
    refused = run("export", target)
    assert refused.code == 2
    assert "--force" in refused.err
    assert target.read_text() == "precious"
    assert run("export", target, "--force").code == 0
    assert target.read_text().startswith('{"kind": "header"')
    assert list(tmp_path.glob(".all*")) == []


def test_lines_left_out_are_listed_and_the_exit_code_says_so(run, tmp_path):
    (tmp_path / "in.jsonl").write_text('{"content": "fine"}\n{"content": ""}\n')
    ran = run("import", tmp_path / "in.jsonl")
    assert ran.code == 2
    assert "1 line left out" in ran.out
    assert "empty" in ran.out
    assert len(_json(run("list", "--json"))) == 1


def test_stats_in_words_and_numbers(run):
    _remember(run, "x", "-t", "goal")
    assert _json(run("stats", "--json"))["by_type"] == {"goal": 1}
    shown = run("stats").out
    assert "goal" in shown
    assert "SQLite" in shown


@pytest.mark.episodes
def test_stats_count_what_was_said(run, tmp_path):
    with Tacit.open(tmp_path / "cli.db") as tacit:
        say(tacit, "we're in Hamburg now, Jonas got a job at the hospital")
    assert _json(run("stats", "--json"))["episodes"] == 1
    assert "episodes" in run("stats").out


def test_without_a_path_there_is_one_store_for_the_user(run, tmp_path, monkeypatch):
    _remember(run, "shared", "--db", tmp_path / "share" / "tacit" / "memory.db")
    monkeypatch.delenv("TACIT_DB")
    with Tacit.open() as tacit:
        assert [memory.content for memory in tacit.list()] == ["shared"]


@pytest.mark.parametrize(
    ("arguments", "stdin", "words"),
    [
        (["remember", ""], b"", "empty"),
        (["remember", "-"], b"", "empty"),
        (["remember", "-"], b"caf\xe9", "byte 4 of standard input is not UTF-8"),
        (["remember", "-"], b"a\0b", "NUL"),
        (["remember", "-"], b"x" * 50_001, "50,000"),
        (["remember", "x", "--type", "opinion"], b"", "opinion"),
        (["remember", "x", "--importance", "2"], b"", "0 to 1"),
        (["remember", "x", "--importance", "high"], b"", "valid number"),
        (["remember", "x", "--expires", "soon"], b"", "2026-12-31"),
        (["remember", "x", "--metadata", "{"], b"", "JSON"),
        (["remember", "x", "-w", ""], b"", "workspace"),
        (["get", "zzzz"], b"", "zzzz"),
        (["get", NOBODY], b"", NOBODY),
        (["edit", NOBODY, "--clear", "content"], b"", "cannot be empty"),
        (["list", "--limit", "0"], b"", "1 to 1000"),
        (["link", NOBODY, NOBODY], b"", NOBODY),
        (["import", "/no/such/file"], b"", "/no/such/file"),
        (["import", "/"], b"", "cannot be read"),
        (["export", "/no/such/folder/x.jsonl"], b"", "cannot be written"),
        (["lst"], b"", "Did you mean"),
        (["list", "--db", "/"], b"", "folder"),
    ],
)
def test_bad_input_ends_with_two_and_says_what_would_be_right(run, arguments, stdin, words):
    run("remember", "something that was there before")
    ran = run(*arguments, stdin=stdin)
    assert ran.code == 2
    assert words in " ".join(ran.err.replace("│", " ").split())
    assert ran.out == ""


def test_a_file_that_is_no_database_ends_with_two(run, tmp_path):
    (tmp_path / "letter").write_text("Dear diary " * 500)
    ran = run("list", db=tmp_path / "letter")
    assert ran.code == 2
    assert "not a database" in ran.err


def test_stored_text_cannot_steer_the_terminal(run):
    evil = "a\x1b[2Jb\u202ec\x07"
    memory = _remember(run, evil)
    for shown in (run("list").out, run("get", memory["id"]).out, run("history", memory["id"]).out):
        assert not {"\x1b", "\u202e", "\x07"} & set(shown)
        assert r"a\u001b[2Jb\u202ec\u0007" in shown
    assert memory["content"] == evil


def test_markup_in_stored_text_is_text(run):
    _remember(run, "[red]not red[/red] [bold", "--key", "[k]", "--scope-id", "[b]")
    assert "[red]not red[/red] [bold" in run("list").out


@pytest.mark.parametrize("name", LISTING)
def test_the_help_page_says_what_the_command_says(run, name):
    command = LISTING[name].load()
    assert command.help.splitlines()[0] == LISTING[name].summary
    assert run(name, "--help").code == 0


@pytest.mark.parametrize("name", [name for name in LISTING if name not in _WITHOUT_STORE])
def test_every_command_on_a_store_takes_json_db_and_workspace(run, name):
    options = {option for each in LISTING[name].load().params for option in each.opts}
    assert {"--json", "--db", "--workspace"} <= options


def test_the_demo_shows_memory_at_work(run):
    shown = run("demo").out
    for words in ("created", "known", "supersedes", "█", "waits for a person", "restored"):
        assert words in shown


def test_the_version_is_told(run):
    assert run("--version").out == f"tacit {__version__}\n"


def test_completion_can_be_shown(tmp_path):
    environment = {**os.environ, "_TACIT_COMPLETE": "complete_bash", "COMP_WORDS": "tacit re"}
    command = [sys.executable, "-c", "from tacit.cli.entry import main; main()"]
    ran = subprocess.run(
        command, env=environment | {"COMP_CWORD": "1"}, capture_output=True, text=True, check=False
    )
    assert ran.stdout.split() == ["remember", "restore", "review"]


def test_the_real_command_in_a_real_process(tmp_path):
    command = [sys.executable, "-m", "tacit", "remember", b"caf\xe9", "--db", tmp_path / "x.db"]
    ran = subprocess.run(command, capture_output=True, check=False)
    assert ran.returncode == 2
    assert b"not valid Unicode" in ran.stderr
    assert b"Traceback" not in ran.stderr
    reader = subprocess.run(
        f"{sys.executable} -m tacit list --db {tmp_path / 'x.db'} | head -0",
        shell=True,
        capture_output=True,
        check=False,
    )
    assert b"Traceback" not in reader.stderr


def test_a_damaged_database_and_one_of_a_newer_version_end_with_two(run, tmp_path):
    newer, damaged = tmp_path / "newer.db", tmp_path / "damaged.db"
    for path in (newer, damaged):
        assert run("remember", "x " * 5_000, db=path).code == 0
    connection = apsw.Connection(str(newer))
    connection.pragma("user_version", 99)
    connection.close()
    os.truncate(damaged, damaged.stat().st_size - 4_096)
    for path, words in ((newer, "pip install --upgrade"), (damaged, "damaged")):
        ran = run("list", "--all", db=path)
        assert ran.code == 2
        assert words in ran.err


def test_several_ids_are_all_known_before_anything_is_done(run):
    memory = _remember(run, "x")
    assert run("forget", memory["id"], "zzzz").code == 2
    assert _json(run("get", memory["id"], "--json"))["forgotten"] is False


def test_a_command_that_only_reads_makes_no_database(run, tmp_path):
    for command in ("list", "stats", "export"):
        ran = run(command, db=tmp_path / "typo" / "no.db")
        assert ran.code == 2
        assert "there are no memories" in ran.err
    assert not (tmp_path / "typo").exists()


def test_errors_are_json_where_json_was_asked_for(run):
    _remember(run, "x")
    ran = run("get", NOBODY, "--json")
    assert json.loads(ran.err)["error"] == "NotFound"


def test_dates_without_a_zone_are_in_the_readers_zone(run, monkeypatch):
    monkeypatch.setenv("TZ", "America/New_York")
    time.tzset()
    try:
        memory = _remember(run, "x", "--expires", "2030-12-31")
        assert memory["expires_at"] == "2030-12-31T05:00:00.000000Z"
        assert "2030-12-31 00:00 EST" in run("get", memory["id"]).out
    finally:
        monkeypatch.undo()
        time.tzset()


def test_joiners_and_marks_are_shown_as_they_are(run):
    family = "👩\u200d👧 می\u200cخواهم"
    _remember(run, family)
    assert family in run("list").out


def test_a_long_memory_takes_little_room_in_a_list(run):
    _remember(run, "word " * 3_000)
    assert len(run("list").out) < 1_500


def test_fields_can_be_emptied(run):
    memory = _remember(run, "x", "--tag", "a", "--metadata", '{"n": 1}')
    edited = _json(run("edit", memory["id"], "--clear", "tags", "--clear", "metadata", "--json"))
    assert (edited["memory"]["tags"], edited["memory"]["metadata"]) == ([], {})


def test_search_shows_hits_with_bars_and_json(run):
    _remember(run, "JWT over session tokens", "-t", "decision")
    _remember(run, "Deploys run on Tuesdays")
    shown = run("search", "which token?")
    assert "JWT over session tokens" in shown.out
    assert "█" in shown.out
    assert "Deploys" not in shown.out
    assert "degraded: vectors: no embedding model" in shown.err
    found = _json(run("search", "which token?", "--json"))
    assert [hit["memory"]["content"] for hit in found["hits"]] == ["JWT over session tokens"]
    assert found["degraded"] == ["vectors: no embedding model"]
    assert "Nothing found." in run("search", "qqqq").out
    assert run("search", "x", "--mode", "psychic").code == 2


def test_search_inside_a_session_shows_its_memories_and_those_of_no_other(run):
    _remember(run, "The token lasts an hour", "--session", "one")
    _remember(run, "The token lasts a day", "--session", "two")
    found = _json(run("search", "token", "--session", "one", "--json"))
    assert [hit["memory"]["content"] for hit in found["hits"]] == ["The token lasts an hour"]


def test_without_a_model_a_command_goes_on_and_says_so(run, tmp_path, monkeypatch):
    monkeypatch.setenv("TACIT_EMBEDDER", "minilm")
    monkeypatch.setenv("TACIT_CACHE", str(tmp_path / "empty"))
    monkeypatch.setenv("TACIT_MODEL_SOURCE", str(tmp_path / "no such folder"))
    monkeypatch.setattr("tacit.cli.options.open_embedder", _no_model)
    ran = run("remember", "kept all the same")
    assert ran.code == 0
    assert "Going on without vectors. nobody has it" in ran.err
    assert len(_json(run("list", "--json"))) == 1


def _no_model(name, progress):
    raise ModelUnavailable("nobody has it")


def test_vectors_are_filled_in_with_the_real_model(run, monkeypatch):
    _remember(run, "The feline rested upon the rug")
    monkeypatch.setenv("TACIT_EMBEDDER", "minilm")
    assert _json(run("embed", "--json")) == {"vectors": 1, "tokens": 1}
    assert "Nothing lacks a vector or tokens." in run("embed").out
    found = _json(run("search", "cat asleep", "--json"))
    assert found["degraded"] == []
    assert set(found["hits"][0]["sources"]) == {"vectors"}
