"""`tacit settings`: what is shown, what is written, and what happens with an editor."""

import json
import shlex
import sys
import tempfile
from pathlib import Path

import pytest

from tacit.settings.config import SettingsTable
from tacit.settings.definition import list_definitions


@pytest.fixture(autouse=True)
def own(tmp_path, monkeypatch):
    """The user's own file, which is not there yet; nor is there one in the current folder."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.delenv("TACIT_CONFIG", raising=False)
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path / "config" / "tacit" / "tacit.toml"


@pytest.fixture
def settings(run):
    def settings(*arguments, **more):
        return run("settings", *arguments, **more)

    return settings


def _json(ran):
    assert ran.code == 0, ran.err
    return json.loads(ran.out)


def _row(ran, name):
    (line,) = [line for line in ran.out.splitlines() if line.strip().startswith(name + " ")]
    return line.split()[1:]


def test_everything_is_shown_by_group_with_where_it_comes_from(settings, own, monkeypatch):
    own.parent.mkdir(parents=True)
    own.write_text(
        "[defaults.memory_injection]\nmax_total = 5\nfact_limit = 4\nenabled = false\n"
        "[[agents]]\nid = 'coder'\nmemory_injection.max_total = 6\n"
        "[search]\nrrf_k = 7\nmax_results = 9\n"
    )
    monkeypatch.setenv("AGENT_RUNTIME_MEMORY_INJECTION_FACT_LIMIT", "3")
    monkeypatch.setenv("TACIT_SEARCH_RRF_K", "8")
    shown = settings("show")
    assert str(own) in shown.out
    assert _row(shown, "max_total") == ["5", "file", "may", "set"]
    assert _row(shown, "fact_limit") == ["3", "environment"]
    assert _row(shown, "enabled") == ["false", "file"]
    assert _row(shown, "rrf_k") == ["8", "environment", "may", "set"]
    assert _row(shown, "max_results") == ["9", "file", "may", "set"]
    assert _row(shown, "pinned_types") == ["[]", "built-in", "may", "set"]
    assert _row(shown, "memory_scope_priority") == ["session,project,user,org", "built-in"]
    assert _row(shown, "llm_model") == ['""', "built-in"]
    for table in SettingsTable:
        for each in list_definitions(table.settings_class):
            assert f"  {each.name} " in shown.out[shown.out.index(each.group) :]
    assert _row(settings("show", "--agent", "coder"), "max_total") == ["6", "agent", "may", "set"]
    assert "none of its own" in settings("show", "--agent", "writer").out


def test_every_setting_has_a_name_of_its_own():
    names = [
        each.name for table in SettingsTable for each in list_definitions(table.settings_class)
    ]
    assert len(names) == len(set(names))


def test_as_json_every_value_has_its_source(settings, own):
    assert _json(settings("show", "--json"))["file"] is None
    settings("set", "max_total", "5", "--agent", "coder")
    shown = _json(settings("show", "--agent", "coder", "--json"))
    assert (shown["file"], shown["agent"]) == (str(own), "coder")
    own_value = shown["settings"]["memory_injection"]["max_total"]
    assert own_value == {"value": 5, "source": "agent", "in_project": True}
    built_in = shown["settings"]["writing"]["learn"]
    assert built_in == {"value": True, "source": "built_in", "in_project": False}
    assert list(shown["settings"]) == [str(table) for table in SettingsTable]


def test_without_a_file_the_users_own_is_made_and_named(settings, own):
    assert settings("set", "max_total", "5").out == f"max_total is 5 in {own}\n"
    assert own.read_text() == "[defaults.memory_injection]\nmax_total = 5\n"


def test_the_file_that_is_named_is_written(settings, own, tmp_path, monkeypatch):
    named = tmp_path / "named.toml"
    monkeypatch.setenv("TACIT_CONFIG", str(named))
    settings("set", "pool_size", "5")
    assert named.read_text() == "[postgres]\npool_size = 5\n"
    assert not own.exists()


@pytest.mark.parametrize(
    ("name", "written", "kept"),
    [
        ("enabled", "off", "enabled = false"),
        ("semantic_threshold", " .9 ", "semantic_threshold = 0.9"),
        ("pinned_types", "todo, goal", 'pinned_types = ["todo", "goal"]'),
        ("pinned_types", "", "pinned_types = []"),
        ("pinned_types", "[]", "pinned_types = []"),
        ("conflict_policy", "omit", 'conflict_policy = "omit"'),
        ("fusion", "rrf", 'fusion = "rrf"'),
        ("llm_model", " qwen3 ", 'llm_model = "qwen3"'),
        ("llm_base_url", "", 'llm_base_url = ""'),
    ],
)
def test_values_are_written_as_in_the_environment(settings, own, name, written, kept):
    assert settings("set", name, written).code == 0
    assert own.read_text().splitlines()[1] == kept


def test_what_the_environment_overrules_is_said(settings, monkeypatch):
    monkeypatch.setenv("TACIT_SEARCH_RRF_K", "8")
    said = settings("set", "rrf_k", "5").err
    assert said == "TACIT_SEARCH_RRF_K says 8, and the environment wins\n"
    assert settings("set", "rrf_k", "8", "--table", "search").code == 0
    told = _json(settings("set", "rrf_k", "5", "--json"))
    assert (told["table"], told["value"], told["source"]) == ("search", 8, "environment")


def test_reset_takes_out_what_is_named(settings, own):
    for name in ("max_total", "fact_limit", "rrf_k"):
        settings("set", name, "5")
        settings("set", name, "6", *(["--agent", "a"] if name != "rrf_k" else []))
    assert settings("reset", "max_total", "rrf_k").out == f"Reset in {own}\n"
    assert "says nothing of it" in settings("reset", "max_total").out
    shown = _json(settings("show", "--json"))["settings"]
    assert shown["memory_injection"]["max_total"]["source"] == "built_in"
    assert shown["memory_injection"]["fact_limit"]["source"] == "file"
    assert shown["search"]["rrf_k"]["source"] == "built_in"
    assert _json(settings("reset", "all", "--agent", "a", "--json"))["changed"]
    shown = _json(settings("show", "--agent", "a", "--json"))["settings"]["memory_injection"]
    assert {each["source"] for each in shown.values()} == {"built_in", "file"}


def test_reset_all_leaves_agents_and_comments(settings, own):
    own.parent.mkdir(parents=True)
    own.write_text(
        "# a\n[defaults.memory_injection]\nmax_total = 5\n# b\n[[agents]]\nid = 'a'\n"
        "memory_injection.max_total = 6\n[search]\nrrf_k = 5\n"
    )
    settings("reset", "all", "--table", "search")
    assert "rrf_k" not in own.read_text()
    assert "max_total = 5" in own.read_text()
    settings("reset", "all")
    assert own.read_text() == (
        "# a\n[defaults.memory_injection]\n# b\n[[agents]]\nid = 'a'\n"
        "memory_injection.max_total = 6\n[search]\n"
    )


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("set", "max_totl", "5"), "did you mean max_total?"),
        (("set", "max_result", "5"), "did you mean max_results?"),
        (("set", "max_total", "many"), "expected a whole number from 1 to 200, not 'many'"),
        (("set", "max_total"), "write: tacit settings set NAME VALUE"),
        (("set", "max_total", "5", "--table", "search"), "no such setting"),
        (("set", "rrf_k", "5", "--agent", "a"), "the same for every agent"),
        (("reset",), "write: tacit settings reset NAME…, or: tacit settings reset all"),
        (("reset", "max_totl"), "did you mean max_total?"),
        (("show", "max_total"), "write: tacit settings show"),
        (("check", "--agent", "a"), "check takes the whole file"),
        (("edit", "--table", "search"), "edit takes all tables"),
    ],
)
def test_bad_input_is_told_and_writes_nothing(settings, own, arguments, problem):
    ran = settings(*arguments)
    assert ran.code == 2
    assert problem in ran.err
    assert not own.exists()


def test_check_says_that_all_is_well(settings, own):
    assert settings("check").out == "The environment, without a file, is valid.\n"
    settings("set", "max_total", "5")
    assert settings("check").out == f"{own} is valid.\n"
    assert _json(settings("check", "--json")) == {"ok": True, "problem": None, "warnings": []}


def test_check_names_file_line_key_and_problem(settings, monkeypatch):
    Path("other.toml").write_text("# x\n[search]\nrrf_k = 0\n")
    ran = settings("check", "other.toml")
    assert (ran.code, ran.out) == (
        1,
        "other.toml, line 3: search.rrf_k: 0 is out of range; 1 to 1000\n",
    )
    told = settings("check", "other.toml", "--json")
    problem = {"ok": False, "problem": ran.out.strip(), "warnings": []}
    assert (told.code, json.loads(told.out)) == (1, problem)
    assert settings("check", "gone.toml").code == 1
    monkeypatch.setenv("TACIT_SEARCH_RRF_K", "0")
    assert settings("check").out == "TACIT_SEARCH_RRF_K: 0 is out of range; 1 to 1000\n"


def test_what_is_left_out_of_a_value_is_told(settings, own):
    told = settings("set", "pinned_types", "zebra,goal")
    assert "pinned_types is goal in" in told.out
    assert "memory_injection.pinned_types: 'zebra' is left out: no such type" in told.err
    (warning,) = _json(settings("set", "pinned_types", "zebra", "--json"))["warnings"]
    assert "'zebra' is left out" in warning
    own.write_text("[defaults.memory_injection]\npinned_types = ['zebra']\n")
    assert "line 2: defaults.memory_injection.pinned_types: 'zebra'" in settings("check").err


@pytest.fixture
def editor(tmp_path, monkeypatch):
    """An editor that runs a line of Python, one for each time it is opened; `path` is the file."""

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "copies"))
    (tmp_path / "copies").mkdir()

    def editor(*lines):
        script = tmp_path / "editor.py"
        script.write_text(
            "import sys\nfrom pathlib import Path\n"
            "path, turn = Path(sys.argv[1]), Path(__file__).with_name('turn')\n"
            "number = int(turn.read_text()) if turn.exists() else 0\n"
            "turn.write_text(str(number + 1))\n"
            f"exec({list(lines)!r}[number])\n"
        )
        monkeypatch.delenv("VISUAL", raising=False)
        monkeypatch.setenv("EDITOR", shlex.join([sys.executable, str(script)]))

    return editor


def test_what_was_edited_is_written_and_no_copy_is_left(settings, own, editor, tmp_path):
    editor("path.write_text(path.read_text() + '# mine\\n[search]\\nrrf_k = 5\\n')")
    settings("set", "max_total", "5")
    assert settings("edit").out == f"{own} is written\n"
    assert own.read_text() == (
        "[defaults.memory_injection]\nmax_total = 5\n# mine\n[search]\nrrf_k = 5\n"
    )
    assert not list((tmp_path / "copies").iterdir())


def test_an_invalid_text_is_edited_again(settings, own, editor):
    editor("path.write_text('[search]\\nrrf_k = 0')", "path.write_text('[search]\\nrrf_k = 1')")
    ran = settings("edit", stdin=b"y\n")
    assert ran.code == 0
    assert f"{own}, line 2: search.rrf_k: 0 is out of range" in ran.err
    assert own.read_text() == "[search]\nrrf_k = 1"


@pytest.mark.parametrize("answer", [b"n\n", b""])
def test_an_invalid_text_is_kept_for_later(settings, own, editor, answer):
    editor("path.write_text('[search]\\nrrf_k = 0')")
    ran = settings("edit", stdin=answer)
    assert ran.code == 1
    assert not own.exists()
    assert Path(ran.err.split("kept in")[1].strip()).read_text() == "[search]\nrrf_k = 0"


def test_what_others_wrote_meanwhile_is_not_lost(settings, own, editor):
    own.parent.mkdir(parents=True)
    own.write_text("")
    editor(
        "path.write_text('[search]\\nrrf_k = 5')"
        f"; Path({str(own)!r}).write_text('[search]\\nrrf_k = 6')"
    )
    ran = settings("edit")
    assert ran.code == 2
    assert "changed by someone else meanwhile" in ran.err
    assert own.read_text() == "[search]\nrrf_k = 6"
    assert Path(ran.err.split("kept in")[1].strip()).read_text() == "[search]\nrrf_k = 5"


def test_an_editor_that_gives_up_changes_nothing(settings, own, editor, monkeypatch, tmp_path):
    editor("sys.exit(3)", "pass")
    assert settings("edit").code == 1
    assert settings("edit").out == f"{own} is as it was\n"
    assert not own.exists()
    monkeypatch.setenv("VISUAL", "/no/such/editor --wait")
    assert "name your editor in EDITOR" in settings("edit").err
    assert not list((tmp_path / "copies").iterdir())
