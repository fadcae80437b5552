"""`tacit install`: what it puts into a client's configuration, and that it undoes it exactly."""

import json
import os
import pty
import shlex
import subprocess
import sys
import sysconfig
import threading
import tomllib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit import __version__
from tacit.core.errors import ConfigChanged, ConfigError
from tacit.integrations.installer import plan as install_plan
from tacit.integrations.installer.jsonc import JsonDocument
from tacit.integrations.installer.plan import apply_plan, plan_install, plan_uninstall
from tacit.integrations.installer.program import Program, find_program
from tacit.integrations.installer.targets import (
    ClientName,
    InstallFolders,
    InstallScope,
    find_installed_hooks,
    find_targets,
)
from tests.properties import examples

EVENTS = {
    "claude-code": ["SessionStart", "UserPromptSubmit", "Stop", "PreCompact", "SessionEnd"],
    "codex": ["SessionStart", "UserPromptSubmit", "Stop", "PreCompact", "SessionEnd"],
    "gemini": ["SessionStart", "BeforeAgent", "AfterAgent", "SessionEnd"],
}
HOOKS = {
    "claude-code": ".claude/settings.json",
    "codex": ".codex/hooks.json",
    "gemini": ".gemini/settings.json",
}
SERVERS = {
    "claude-code": ".claude.json",
    "codex": ".codex/config.toml",
    "gemini": ".gemini/settings.json",
}


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A home of its own, and a project below it to stand in."""
    home = tmp_path / "home"
    (home / "project").mkdir(parents=True)
    monkeypatch.setenv("HOME", str(home))
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(home / "project")
    return home


@pytest.fixture
def install(run, home):
    """Run `tacit install`, which must go well."""

    def install(client, *options):
        ran = run("install", client, *options)
        assert (ran.code, ran.err) == (0, "")
        return ran.out

    return install


def _tree(folder):
    """Everything in a folder; what libraries cache is not ours."""
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None
        for path in sorted(folder.rglob("*"))
        if ".cache" not in path.parts
    }


def _plain(path):
    return JsonDocument(path.read_bytes().decode(), path).root.to_plain()


def _commands(path, event):
    groups = _plain(path)["hooks"][event]
    return [entry["command"] for group in groups for entry in group["hooks"]]


def _chosen(client, home):
    around = InstallFolders(home=home, project=home, environment={})
    return find_targets(client, InstallScope.USER, Program(words=("tacit",)), around)


def _installed(client, home):
    """Install without asking, by the quick way; returns how many files changed."""
    plan = plan_install(_chosen(client, home), mcp=True)
    apply_plan(plan)
    return len(plan.changes)


def _uninstalled(client, home):
    apply_plan(plan_uninstall(_chosen(client, home)))


def _forget_record(tmp_path):
    (tmp_path / "share/tacit/installed.json").unlink()


# What is put in


@pytest.mark.parametrize("client", ClientName)
def test_every_event_has_a_hook_and_the_server_is_named(client, install, home):
    install(client, "--yes")
    command = find_program().hook(client)
    hooks = _plain(home / HOOKS[client])["hooks"]
    assert list(hooks) == EVENTS[client]
    for groups in hooks.values():
        ((entry,),) = [group["hooks"] for group in groups]
        assert (entry["type"], entry["command"]) == ("command", command)
        assert entry["timeout"] in ((10_000, 5_000) if client == "gemini" else (10, 5, 3))
    server = home / SERVERS[client]
    named = (
        tomllib.loads(server.read_text())["mcp_servers"]
        if server.suffix == ".toml"
        else _plain(server)["mcpServers"]
    )
    assert named["tacit"]["command"] == find_program().command
    assert named["tacit"]["args"][-1] == "mcp"


@pytest.mark.parametrize("client", ClientName)
def test_a_project_has_files_of_its_own(client, install, home):
    install(client, "--project", "--yes")
    assert list(_plain(home / "project" / HOOKS[client])["hooks"]) == EVENTS[client]
    servers = ".mcp.json" if client == "claude-code" else SERVERS[client]
    assert "tacit" in (home / "project" / servers).read_text()
    assert {name.partition("/")[0] for name in _tree(home)} == {"project"}


def test_a_client_that_was_moved_is_found(install, home, tmp_path, monkeypatch):
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "claude"))
    monkeypatch.setenv("CODEX_HOME", str(tmp_path / "codex"))
    install("claude-code", "--yes")
    install("codex", "--yes")
    assert sorted(_tree(tmp_path / "claude")) == [".claude.json", "settings.json"]
    assert sorted(_tree(tmp_path / "codex")) == ["config.toml", "hooks.json"]
    assert sorted(_tree(home)) == ["project"]


@pytest.mark.parametrize("client", ClientName)
def test_without_mcp_only_hooks_are_written(client, install, home):
    install(client, "--no-mcp", "--yes")
    text = b"".join(filter(None, _tree(home).values())).decode()
    assert f"hook {client}" in text
    assert "mcp" not in text


def test_a_server_that_is_there_stays_when_hooks_alone_are_installed_anew(install, home):
    install("gemini", "--yes")
    file = home / HOOKS["gemini"]
    file.write_text(file.read_text().replace(find_program().hook("gemini"), "tacit hook gemini x"))
    file.write_text(file.read_text().replace("tacit hook gemini x", "/gone/tacit hook gemini"))
    install("gemini", "--no-mcp", "--yes")
    assert _commands(file, "BeforeAgent") == [find_program().hook("gemini")]
    assert "tacit" in _plain(file)["mcpServers"]


@pytest.mark.parametrize("client", ClientName)
def test_hooks_around_tools_come_when_they_are_asked_for_and_go_again(client, install, home):
    events = {
        "gemini": {"BeforeTool", "AfterTool"},
    }.get(client, {"PreToolUse", "PostToolUse"})
    install(client, "--yes")
    usual = (home / HOOKS[client]).read_bytes()
    install(client, "--yes", "--tools")
    written = _plain(home / HOOKS[client])["hooks"]
    assert events <= set(written)
    assert set(written) - events == set(EVENTS[client])
    install(client, "--yes")
    assert not events & set(_plain(home / HOOKS[client])["hooks"])
    assert (home / HOOKS[client]).read_bytes() == usual
    install(client, "--uninstall", "--yes")
    assert not (home / HOOKS[client]).exists()


def test_codex_passes_on_what_says_which_memory_is_meant(install, home):
    install("codex", "--yes")
    server = tomllib.loads((home / ".codex/config.toml").read_text())["mcp_servers"]["tacit"]
    assert {"TACIT_DB", "TACIT_WORKSPACE", "TACIT_CONFIG", "TACIT_USER"} <= set(server["env_vars"])


def test_codex_users_are_told_to_trust_the_hooks_and_nothing_is_trusted_for_them(install, home):
    assert "/hooks" in install("codex", "--yes")
    assert list(tomllib.loads((home / ".codex/config.toml").read_text())) == ["mcp_servers"]
    assert list(_plain(home / ".codex/hooks.json")) == ["hooks"]


def test_what_is_missing_and_how_to_undo_it_is_said(install, monkeypatch, tmp_path):
    monkeypatch.setenv("TACIT_EMBEDDER", "minilm")
    monkeypatch.setenv("TACIT_CACHE", str(tmp_path / "nothing"))
    told = install("gemini", "--project", "--yes")
    assert "tacit model pull" in told
    assert "tacit install gemini --project --uninstall" in told
    assert "tacit doctor" in told


# The command that is written


@pytest.fixture
def own(tmp_path, monkeypatch):
    """An installation in a folder with a space in its name."""
    own = tmp_path / "my tools" / "tacit"
    own.parent.mkdir()
    own.write_text("#!/bin/sh\n")
    own.chmod(0o755)
    monkeypatch.setattr(sysconfig, "get_path", lambda _: str(own.parent))
    return own


def test_a_program_that_every_shell_finds_is_called_by_its_name(own, tmp_path):
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/tacit").symlink_to(own)
    program = find_program({"PATH": str(tmp_path / "bin")})
    assert program.hook("codex") == "tacit hook codex"
    assert (program.command, program.arguments) == ("tacit", ["mcp"])


def test_a_program_that_others_shells_do_not_find_is_called_by_its_path(own, tmp_path):
    for path in ("", str(own.parent)):
        program = find_program({"PATH": path})
        assert shlex.split(program.hook("codex")) == [str(own), "hook", "codex"]
        assert program.command == str(own)


def test_another_installation_on_the_path_is_not_taken_for_this_one(own, tmp_path):
    other = tmp_path / "tacit"
    other.write_text("#!/bin/sh\n")
    other.chmod(0o755)
    assert find_program({"PATH": str(tmp_path)}).command == str(own)


def test_a_quoted_path_is_recognised_again(own, install, home, monkeypatch):
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    before = _tree(home)
    install("claude-code", "--yes")
    assert _commands(home / HOOKS["claude-code"], "Stop") == [f"'{own}' hook claude-code"]
    assert "Nothing to do" in install("claude-code")
    install("claude-code", "--uninstall", "--yes")
    assert _tree(home) == before


def test_without_a_script_python_runs_the_package(monkeypatch, tmp_path):
    monkeypatch.setattr(sysconfig, "get_path", lambda _: str(tmp_path))
    program = find_program({"PATH": str(tmp_path)})
    assert program.words == (sys.executable, "-P", "-m", "tacit")
    assert program.arguments == ["-P", "-m", "tacit", "mcp"]


# Before it is made


@pytest.mark.parametrize(
    ("client", "name"),
    [
        ("codex", ".codex/config.toml"),
        ("claude-code", ".claude/settings.json"),
        ("gemini", ".gemini/settings.json"),
    ],
)
def test_a_pipe_in_place_of_a_client_s_file_holds_nothing_up(client, name, home, run):
    path = home / "project" / name
    path.parent.mkdir()
    os.mkfifo(path)
    around = InstallFolders(home=home, project=home / "project", environment={})
    done = []

    def work():
        done.append(list(find_installed_hooks(Program(words=("tacit",)), around)))
        done.append(run("install", client, "--project", "--dry-run"))

    worker = threading.Thread(target=work, daemon=True)
    worker.start()
    worker.join(30)
    assert len(done) == 2
    assert done[1].code != 0
    assert "cannot be read (not a regular file)" in done[1].err


def test_the_change_is_shown_and_a_dry_run_makes_none(install, home):
    before = _tree(home)
    shown = install("gemini", "--dry-run")
    assert f"+++ {home}/.gemini/settings.json" in shown
    assert '+    "BeforeAgent": [' in shown
    assert "Nothing was changed." in shown
    assert _tree(home) == before


def test_without_a_terminal_yes_is_asked_for(run, home):
    before = _tree(home)
    ran = run("install", "gemini")
    assert ran.code == 2
    assert "--yes" in ran.err
    assert _tree(home) == before


@pytest.mark.parametrize(("answer", "is_made"), [("y", True), ("n", False)])
def test_on_a_terminal_it_asks(answer, is_made, home):
    outer, inner = pty.openpty()
    os.write(outer, f"{answer}\n".encode())
    ran = subprocess.run(
        [sys.executable, "-m", "tacit", "install", "gemini"],
        stdin=inner,
        capture_output=True,
        text=True,
        check=False,
    )
    os.close(outer)
    os.close(inner)
    assert "Make this change?" in ran.stderr
    assert ran.returncode == (0 if is_made else 1)
    assert (home / ".gemini/settings.json").exists() is is_made


def test_programs_are_told_what_was_done(install, home):
    told = json.loads(install("claude-code", "--yes", "--json"))
    assert (told["client"], told["action"], told["done"]) == ("claude-code", "install", True)
    assert [(each["path"], each["change"]) for each in told["files"]] == [
        (str(home / ".claude/settings.json"), "create"),
        (str(home / ".claude.json"), "create"),
    ]
    assert json.loads(install("claude-code", "--json"))["files"] == []
    told = json.loads(install("claude-code", "--uninstall", "--yes", "--json"))
    assert [each["change"] for each in told["files"]] == ["remove", "remove"]


# Nothing is lost


_gaps = st.sampled_from(["", "", " ", "  ", "\n", "\n  ", "\n\t", "\r\n", " /* so */ ", " // so\n"])
_scalars = st.sampled_from(["1", "-2.5e3", "true", "null", '"x"', '"a // b"', '"\\" } ]"', '"é"'])
_names = st.sampled_from(["a", "b", "hooks", "mcpServers", "Stop", "é", ""])


@st.composite
def _written(draw, items, opening, closing, least=0, most=3):
    """Items between brackets, in any layout."""
    chosen = draw(st.lists(items, min_size=least, max_size=most, unique_by=lambda each: each[:4]))
    parts = [draw(_gaps) + each + draw(_gaps) for each in chosen]
    last = "," + draw(_gaps) if parts and draw(st.booleans()) else ""
    return opening + (",".join(parts) + last if parts else draw(_gaps)) + closing


def _member(names, values):
    return st.builds(
        lambda name, colon, gap, value: json.dumps(name, ensure_ascii=False) + colon + gap + value,
        names,
        st.sampled_from([":", " :", ": "]),
        _gaps,
        values,
    )


def _containers(inner):
    return _written(inner, "[", "]") | _written(_member(_names, inner), "{", "}")


_values = _scalars | _containers(_scalars | _containers(_scalars))


def _configurations(least):
    """Files as clients read them: hooks of others, servers of others, and anything else."""
    entry = st.just('{"type": "command", "command": "lint.sh"}')
    inside = _written(entry, "[", "]", 1, 1)
    group = _written(_member(st.just("hooks"), inside), "{", "}", 1, 1)
    events = _member(
        st.sampled_from(["Other", *EVENTS["gemini"]]), _written(group, "[", "]", least)
    )
    servers = _member(st.just("files"), st.just('{"command": "files"}'))
    members = (
        _member(st.just("hooks"), _written(events, "{", "}", least))
        | _member(st.just("mcpServers"), _written(servers, "{", "}", least, 1))
        | _member(st.sampled_from(["a", "b", "é"]), _values)
    )
    whole = _written(members, "{", "}", least)
    return st.builds(
        lambda a, b, c, d: a + b + c + d, st.sampled_from(["", "\ufeff"]), _gaps, whole, _gaps
    )


@settings(max_examples=examples(10))
@given(text=_configurations(least=0))
def test_installing_and_undoing_gives_the_same_bytes_whatever_the_layout(text, home):
    file = home / HOOKS["gemini"]
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(text.encode())
    before = _plain(file)
    assert _installed(ClientName.GEMINI, home)
    once = file.read_bytes()
    assert _without_ours(_plain(file)) == _filled(before)
    assert _installed(ClientName.GEMINI, home) == 0
    assert file.read_bytes() == once
    _uninstalled(ClientName.GEMINI, home)
    assert file.read_bytes() == text.encode()


def _without_ours(content):
    """What is there besides the last group of each event, which must be ours, and our server."""
    for event in EVENTS["gemini"]:
        last = content["hooks"][event].pop()
        assert [each["command"] for each in last["hooks"]] == ["tacit hook gemini"]
    assert content["mcpServers"].pop("tacit")["args"][-1] == "mcp"
    return content


def _filled(content):
    hooks = {**{event: [] for event in EVENTS["gemini"]}, **content.get("hooks", {})}
    return {**content, "hooks": hooks, "mcpServers": content.get("mcpServers", {})}


@settings(max_examples=examples(10))
@given(text=_configurations(least=1))
def test_without_a_record_it_is_the_same_where_nothing_was_empty(text, home, tmp_path):
    file = home / HOOKS["gemini"]
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(text.encode())
    assert _installed(ClientName.GEMINI, home)
    _forget_record(tmp_path)
    assert _installed(ClientName.GEMINI, home) == 0
    _uninstalled(ClientName.GEMINI, home)
    assert file.read_bytes() == text.encode()


_statements = st.lists(
    st.sampled_from(
        [
            "# a remark",
            "",
            "[tui]\nnotifications = true",
            "[mcp_servers.files]\ncommand = 'files' # there\nargs = []",
            '[mcp_servers.notes]\ncommand = "notes"\n\n[mcp_servers.notes.env]\nA = "[x]"',
            '[[more]]\ntext = """\n[mcp_servers.tacit]\n"""',
        ]
    ),
    unique=True,
    max_size=5,
)


@settings(max_examples=examples(10))
@given(
    lines=_statements,
    head=st.sampled_from(["", 'model = "m"\n', "# mine\n\nmodel = 'm'\n\n"]),
    newline=st.sampled_from(["\n", "\r\n"]),
    end=st.sampled_from(["", "\n", "\n\n"]),
    is_kept=st.booleans(),
)
def test_toml_is_the_same_after_undoing(lines, head, newline, end, is_kept, home, tmp_path):
    file = home / SERVERS["codex"]
    file.parent.mkdir(exist_ok=True)
    text = (head + "\n".join(lines) + end).replace("\n", newline)
    file.write_bytes(text.encode())
    assert _installed(ClientName.CODEX, home)
    once = file.read_bytes()
    content = tomllib.loads(once.decode())
    assert content["mcp_servers"].pop("tacit")["args"][-1] == "mcp"
    assert {"mcp_servers": {}, **tomllib.loads(text)} == content
    if not is_kept:
        _forget_record(tmp_path)
    assert _installed(ClientName.CODEX, home) == 0
    assert file.read_bytes() == once
    _uninstalled(ClientName.CODEX, home)
    if is_kept:
        assert file.read_bytes() == text.encode()
    else:
        assert file.read_bytes().rstrip() == text.encode().rstrip()


@pytest.mark.parametrize(
    "text",
    [
        'mcp_servers = {files = {command = "f"}} # mine\na = 1\n',
        'mcp_servers.files.command = "f"\n',
        '[mcp_servers]\nfiles = {command = "f"}\n\n[tui]\na = 1\n',
    ],
)
@pytest.mark.parametrize("is_kept", [True, False])
def test_servers_that_are_written_inline_are_kept_so(text, is_kept, install, home, tmp_path):
    file = home / SERVERS["codex"]
    file.parent.mkdir()
    file.write_text(text)
    install("codex", "--yes")
    assert list(tomllib.loads(file.read_text())["mcp_servers"]) == ["files", "tacit"]
    if not is_kept:
        _forget_record(tmp_path)
    install("codex", "--uninstall", "--yes")
    assert file.read_text() == text


@pytest.mark.parametrize("client", ClientName)
@pytest.mark.parametrize("scope", ["--user", "--project"])
def test_files_and_folders_that_were_made_are_gone_again(client, scope, install, home, tmp_path):
    before = _tree(home)
    install(client, scope, "--yes")
    install(client, scope, "--uninstall", "--yes")
    assert _tree(home) == before
    assert not (tmp_path / "share/tacit").exists()


def test_a_folder_that_others_use_by_now_stays(install, home):
    install("gemini", "--yes")
    (home / ".gemini/other").write_text("x")
    install("gemini", "--uninstall", "--yes")
    assert [path.name for path in (home / ".gemini").iterdir()] == ["other"]


def test_a_file_that_others_fill_by_now_loses_ours_only(install, home):
    install("claude-code", "--yes")
    file = home / ".claude.json"
    content = json.loads(file.read_text())
    file.write_text(json.dumps({"first": 1, **content, "last": {"a": []}}, indent=2))
    install("claude-code", "--uninstall", "--yes")
    assert file.read_text() == json.dumps({"first": 1, "last": {"a": []}}, indent=2)


def test_what_people_changed_around_ours_stays_byte_for_byte(install, home):
    install("gemini", "--yes")
    file = home / HOOKS["gemini"]
    command = json.dumps(find_program().hook("gemini"))
    mine = '{"type": "command", "command": "mine.sh"}'
    text = f"""{{ // my settings
  "theme": "dark", "hooks": {{
    "Other": [],
    "BeforeAgent": [
      {{"matcher": "*", "hooks": [{mine}, {{"type": "command", "command": {command}}}]}}, // two
    ],
    "AfterAgent": [{{"hooks": [{{"command": {command}, "timeout": 1}}]}}, {{"hooks": [{mine}]}}],
    "SessionEnd": [ /* later */ {{"hooks": [{{"command": "/old/bin/tacit hook gemini"}}]}}],
  }},
}}
"""
    file.write_text(text)
    install("gemini", "--uninstall", "--yes")
    assert (
        file.read_text()
        == f"""{{ // my settings
  "theme": "dark", "hooks": {{
    "Other": [],
    "BeforeAgent": [
      {{"matcher": "*", "hooks": [{mine}]}}, // two
    ],
    "AfterAgent": [{{"hooks": [{mine}]}}],
    "SessionEnd": [ /* later */],
  }},
}}
"""
    )


def test_hooks_of_an_older_place_are_replaced(install, home):
    install("codex", "--yes")
    wanted = _tree(home)
    for name in (HOOKS["codex"], SERVERS["codex"]):
        file = home / name
        program = find_program().command
        file.write_text(file.read_text().replace(program, "/old/bin/tacit"))
        assert "/old/bin/tacit" in file.read_text()
    shown = install("codex", "--yes")
    assert '-            "command": "/old/bin/tacit hook codex",' in shown
    assert _tree(home) == wanted


def test_a_timeout_and_variables_that_people_set_stay(install, home):
    install("claude-code", "--yes")
    file = home / HOOKS["claude-code"]
    command = find_program().hook("claude-code")
    text = (
        file.read_text()
        .replace(command, f"TACIT_USER=ann {command}")
        .replace('"timeout": 10', '"timeout": 20')
    )
    file.write_text(text)
    assert "Nothing to do" in install("claude-code")
    assert file.read_text() == text


def test_commands_that_only_look_like_ours_stay(install, home):
    file = home / HOOKS["codex"]
    file.parent.mkdir()
    others = ["tacit hook gemini", "echo tacit hook codex", "my-tacit hook codex", "tacit 'hook"]
    groups = [{"hooks": [{"type": "command", "command": each} for each in others]}]
    text = json.dumps({"hooks": {"Stop": groups}})
    file.write_text(text)
    install("codex", "--yes")
    assert _commands(file, "Stop") == [*others, find_program().hook("codex")]
    install("codex", "--uninstall", "--yes")
    assert file.read_text() == text


def test_a_link_stays_a_link_and_the_file_keeps_its_mode(install, home):
    real = home / "dotfiles/gemini.json"
    real.parent.mkdir()
    real.write_text('{\n    "theme": "dark"\n}\n')
    real.chmod(0o640)
    (home / ".gemini").mkdir()
    link = home / HOOKS["gemini"]
    link.symlink_to(real)
    install("gemini", "--yes")
    assert link.is_symlink()
    assert '\n    "hooks": {\n        "SessionStart": [' in real.read_text()
    assert real.stat().st_mode & 0o777 == 0o640
    install("gemini", "--uninstall", "--yes")
    assert real.read_text() == '{\n    "theme": "dark"\n}\n'


def test_uninstalling_what_is_not_there_does_nothing(install, home):
    before = _tree(home)
    assert "Nothing to do: Tacit is not installed" in install("codex", "--uninstall")
    assert _tree(home) == before


def test_an_empty_file_is_empty_again(install, home):
    for text in ("", "\n", "// nothing yet"):
        file = home / HOOKS["gemini"]
        file.parent.mkdir(exist_ok=True)
        file.write_text(text)
        install("gemini", "--yes")
        assert list(_plain(file)) == ["hooks", "mcpServers"]
        install("gemini", "--uninstall", "--yes")
        assert file.read_text() == text


# What cannot be done is refused, and then nothing is done


@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        ('{\n  "a": 1\n  "b": 2\n}', 3, "expected , or }"),
        ('{\n  "a": [1, 2\n', 2, "does not end"),
        ("{\n\n  a: 1}", 3, "a name in quotes"),
        ('{"a" 1}', 1, "expected :"),
        ('{"a": nope}', 1, "expected a JSON value"),
        ('{"a": 1.2.3}', 1, "is not JSON"),
        ('{"a": "\\x"}', 1, "is not JSON"),
        ("{}\n{}", 2, "follows the end"),
        ('{"mcpServers": []}', 1, "mcpServers: expected an object"),
        ("[\n1]", 1, "expected an object"),
        ('{\n"mcpServers": {"tacit": {"url": "http://x"}}}', 2, "another program's"),
        ("[" * 100_000, 1, "too deeply"),
    ],
)
def test_a_broken_file_is_named_with_its_line_and_none_is_touched(text, line, problem, run, home):
    (home / ".claude.json").write_text(text)
    before = _tree(home)
    ran = run("install", "claude-code", "--yes")
    assert ran.code == 2
    assert f"{home}/.claude.json, line {line}: " in ran.err
    assert problem in ran.err
    assert _tree(home) == before


def test_hooks_of_another_shape_are_refused(run, home):
    for text in ('{"hooks": []}', '{"hooks": {"Stop": {}}}'):
        (home / ".claude").mkdir(exist_ok=True)
        (home / ".claude/settings.json").write_text(text)
        ran = run("install", "claude-code", "--yes")
        assert ran.code == 2
        assert "settings.json, line 1" in ran.err
        assert not (home / ".claude.json").exists()


@pytest.mark.parametrize(
    "text", ["a = \n", '[mcp_servers.tacit]\nurl = "http://x"\n', "mcp_servers = 1\n"]
)
def test_a_toml_file_that_cannot_be_changed_is_named(text, run, home):
    file = home / SERVERS["codex"]
    file.parent.mkdir()
    file.write_text(text)
    before = _tree(home)
    ran = run("install", "codex", "--yes")
    assert ran.code == 2
    assert str(file) in ran.err
    assert _tree(home) == before


def test_a_file_that_is_no_text_is_named(run, home):
    (home / ".claude.json").write_bytes(b'{\n"a": "\xff"}')
    ran = run("install", "claude-code", "--yes")
    assert (ran.code, "line 2: is not UTF-8" in ran.err) == (2, True)
    (home / ".claude.json").unlink()
    (home / ".claude.json").mkdir()
    ran = run("install", "claude-code", "--yes")
    assert (ran.code, "cannot be read" in ran.err) == (2, True)


def _plan(home):
    return plan_install(_chosen(ClientName.CLAUDE_CODE, home), mcp=True)


def test_a_file_that_changed_since_it_was_shown_is_not_overwritten(home):
    plan = _plan(home)
    (home / ".claude.json").write_text('{"new": 1}')
    before = _tree(home)
    with pytest.raises(ConfigChanged, match="run this again"):
        apply_plan(plan)
    assert _tree(home) == before


@pytest.mark.parametrize("is_there", [True, False])
def test_if_one_file_cannot_be_written_all_is_as_before(is_there, home, monkeypatch, tmp_path):
    if is_there:
        (home / ".claude").mkdir()
        (home / ".claude/settings.json").write_text("{}")
    before = _tree(home)
    usual = install_plan.replace_file

    def failing(path):
        if path.name == ".claude.json":
            raise OSError(28, "No space left on device")
        return usual(path)

    monkeypatch.setattr(install_plan, "replace_file", failing)
    with pytest.raises(ConfigError, match=r"claude\.json: cannot be written \(No space left"):
        apply_plan(_plan(home))
    assert _tree(home) == before
    assert not (tmp_path / "share").exists()


def test_options_that_contradict_each_other_are_refused(run, home):
    assert run("install", "codex", "--plugin", home / "p", "--yes").code == 2
    assert run("install", "codex", "--uninstall", "--no-mcp", "--yes").code == 2


# A plugin of Claude Code


def test_a_plugin_folder_holds_all_and_goes_again(install, home):
    before = _tree(home)
    folder = home / "plugins/tacit"
    install("claude-code", "--plugin", folder, "--yes")
    manifest = json.loads((folder / ".claude-plugin/plugin.json").read_text())
    assert (manifest["name"], manifest["version"]) == ("tacit", __version__)
    assert list(_plain(folder / "hooks/hooks.json")["hooks"]) == EVENTS["claude-code"]
    assert _plain(folder / ".mcp.json")["mcpServers"]["tacit"]["alwaysLoad"] is True
    assert "Nothing to do" in install("claude-code", "--plugin", folder)
    install("claude-code", "--plugin", folder, "--uninstall", "--yes")
    assert _tree(home) == before


def test_a_plugin_of_another_version_is_brought_up_to_date(install, home):
    install("claude-code", "--plugin", "tacit-plugin", "--yes")
    file = home / "project/tacit-plugin/.claude-plugin/plugin.json"
    wanted = file.read_text()
    file.write_text(wanted.replace(__version__, "0.0.1"))
    install("claude-code", "--plugin", "tacit-plugin", "--yes")
    assert file.read_text() == wanted


def test_a_folder_of_another_plugin_is_refused(run, home):
    file = home / "p/.claude-plugin/plugin.json"
    file.parent.mkdir(parents=True)
    file.write_text('{"name": "other"}')
    before = _tree(home)
    ran = run("install", "claude-code", "--plugin", home / "p", "--yes")
    assert (ran.code, "name another folder" in ran.err) == (2, True)
    assert _tree(home) == before


# What the doctor says


@pytest.fixture
def found(run, home):
    def found():
        told = json.loads(run("doctor", "--json").out)
        return [each for each in told["findings"] if each["what"] == "clients"]

    return found


def test_the_doctor_says_which_clients_have_hooks(found, install, home):
    assert found() == []
    install("gemini", "--yes")
    install("codex", "--project", "--yes")
    assert [(each["level"], each["found"].split(":")[0]) for each in found()] == [
        ("ok", f"Codex, {home}/project/.codex/hooks.json"),
        ("ok", f"Gemini CLI, {home}/.gemini/settings.json"),
    ]


def test_the_doctor_finds_hooks_that_cannot_run(found, install, home):
    install("codex", "--project", "--yes")
    file = home / "project" / HOOKS["codex"]
    file.write_text(file.read_text().replace(find_program().command, "/gone/tacit"))
    (finding,) = found()
    assert finding["level"] == "error"
    assert "/gone/tacit" in finding["found"]
    assert finding["mend"] == "run: tacit install codex --project"


@pytest.mark.parametrize(
    ("client", "switch"),
    [("claude-code", '"disableAllHooks": true'), ("gemini", '"hooksConfig": {"enabled": false}')],
)
def test_the_doctor_finds_that_hooks_are_turned_off(client, switch, found, install, home):
    file = home / HOOKS[client]
    file.parent.mkdir()
    file.write_text(f"{{{switch}}}")
    install(client, "--yes")
    (finding,) = found()
    assert (finding["level"], "turns all hooks off" in finding["found"]) == ("warning", True)


def test_the_doctor_finds_hooks_that_are_missing_and_files_that_are_broken(found, install, home):
    install("gemini", "--yes")
    file = home / HOOKS["gemini"]
    content = json.loads(file.read_text())
    del content["hooks"]["AfterAgent"]
    file.write_text(json.dumps(content))
    (finding,) = found()
    assert (finding["level"], "AfterAgent" in finding["found"]) == ("warning", True)
    file.write_text("{")
    (finding,) = found()
    assert (finding["level"], "line 1" in finding["found"]) == ("warning", True)
