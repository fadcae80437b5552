"""`tacit workflow`: what is listed, shown, found wrong and run."""

import inspect
import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tacit.integrations.workflows.action import action_names, find_action
from tacit.integrations.workflows.events import TRIGGER_ALIASES, WorkflowTrigger

ROOT = Path(__file__).parent.parent
JWT = "We chose JWT over session tokens for the API"
QUESTION = "Why did we choose JWT over session tokens?"


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    """A project without any workflow of its own, as the current folder."""
    (tmp_path / "here" / ".git").mkdir(parents=True)
    (tmp_path / "here" / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.delenv("TACIT_USER", raising=False)
    return tmp_path / "here"


@pytest.fixture
def own(tmp_path):
    folder = tmp_path / "config" / "tacit" / "workflows" / "lifecycle"
    folder.mkdir(parents=True)
    return folder


@pytest.fixture
def theirs(here):
    folder = here / ".tacit" / "workflows" / "lifecycle"
    folder.mkdir(parents=True)
    return folder


@pytest.fixture
def workflow(run):
    def workflow(*arguments, code=0):
        ran = run("workflow", *arguments)
        assert ran.code == code, ran.err
        return ran

    return workflow


def _json(ran):
    return json.loads(ran.out)


def test_every_file_is_listed_with_where_it_is_from_and_what_hides_it(workflow, own, theirs):
    (own / "session-lifecycle.yaml").write_text("on_stop:\n  - action: memory_extract\n")
    (own / "off.yaml").write_text("enabled: false\n")
    (theirs / "broken.yaml").write_text("on_stop: 1\n")
    listed = {(each["name"], each["origin"]): each for each in _json(workflow("list", "--json"))}
    assert listed["session-lifecycle", "user"]["runs"]
    assert listed["session-lifecycle", "user"]["triggers"] == ["on_stop"]
    hidden = listed["session-lifecycle", "bundled"]
    assert hidden["shadowed_by"] == str(own / "session-lifecycle.yaml")
    assert not listed["off", "user"]["runs"]
    theirs_told = listed["broken", "project"]
    assert (theirs_told["trusted"], theirs_told["runs"]) == (False, False)
    (own / "broken.yaml").write_text("on_stop: 1\n")
    drawn = workflow("list").out
    states = ("runs", "shadowed", "off", "broken", "not trusted", "bundled", "user", "project")
    assert all(word in drawn for word in states)


def test_in_a_folder_of_the_project_its_workflows_are_the_same(workflow, theirs, here, monkeypatch):
    (theirs / "mine.yaml").write_text("on_stop: []\n")
    (here / "src").mkdir()
    monkeypatch.chdir(here / "src")
    assert "mine" in {each["name"] for each in _json(workflow("list", "--json"))}


def test_a_workflow_is_shown_as_it_runs(workflow, own):
    assert "memory_recall_relevant" in workflow("show").out
    (own / "session-lifecycle.yaml").write_text("# my own words\non_stop: []\n")
    shown = workflow("show", "session-lifecycle").out
    assert "# my own words" in shown
    assert "memory_recall_relevant" not in shown
    (one,) = _json(workflow("show", "--json"))
    assert (one["origin"], one["text"]) == ("user", "# my own words\non_stop: []\n")
    assert "list shows them" in workflow("show", "nobody", code=2).err


def test_check_reports_every_error_of_every_file_with_file_line_and_key(workflow, own, theirs):
    assert "valid" in workflow("check").out
    mine = own / "a.yaml"
    mine.write_text(
        "name: 3\n"
        "on_sesion_start: []\n"
        "on_before_agent:\n"
        "  - action: memory_recall_relevant\n"
        "    limit: five\n"
        "    limits: 5\n"
        "    when: event.x ===\n"
        "  - memory_extract\n"
        "  - action: nobody\n"
        "variables:\n"
        "  b c: 1\n"
        "  d: .nan\n"
        "  d: 2\n"
    )
    (theirs / "b.yaml").write_text("on_stop: 1\nenabled: maybe\n")
    (theirs / "c.yaml").write_text("a: *one\nb: *two\n")
    told = _json(workflow("check", "--json", code=2))
    assert not told["ok"]
    found = [(Path(each["file"]).name, each["line"], each["key"]) for each in told["problems"]]
    assert found == [
        ("a.yaml", 1, "name"),
        ("a.yaml", 2, "on_sesion_start"),
        ("a.yaml", 5, "on_before_agent.limit"),
        ("a.yaml", 6, "on_before_agent.limits"),
        ("a.yaml", 7, "on_before_agent.when"),
        ("a.yaml", 8, "on_before_agent"),
        ("a.yaml", 9, "on_before_agent.action"),
        ("a.yaml", 11, "variables.b c"),
        ("a.yaml", 12, "d"),
        ("a.yaml", 13, "d"),
        ("b.yaml", 1, "on_stop"),
        ("b.yaml", 2, "enabled"),
        ("c.yaml", 1, "*one"),
        ("c.yaml", 1, "a"),
        ("c.yaml", 2, "*two"),
        ("c.yaml", 2, "b"),
    ]
    drawn = workflow("check", code=2).out
    assert f"{mine}, line 5: on_before_agent.limit: memory_recall_relevant: expected a" in drawn
    assert len(workflow("check", theirs / "b.yaml", code=2).out.splitlines()) == 2


def test_check_ends_with_two_if_a_file_is_wrong(workflow, own, theirs):
    (own / "a.yaml").write_text("on_stop:\n  - action: nobody\n")
    (theirs / "b.yaml").write_text("on_stop: 1\n")
    assert "there is none called 'nobody'" in workflow("check", code=2).out
    assert "expected a list" in workflow("check", theirs / "b.yaml", code=2).out
    assert "cannot be read" in workflow("check", own / "missing.yaml", code=2).out
    (own / "good.yaml").write_text("on_stop: []\n")
    assert "valid" in workflow("check", own / "good.yaml").out


def test_run_takes_the_steps_for_real(workflow, run):
    run("remember", JWT, "--type", "decision")
    asked = ("run", "on_prompt_submit", "--session", "s1", "--prompt", QUESTION)
    ran = _json(workflow(*asked, "--json"))
    assert ran["event"] == "on_before_agent"
    assert JWT in ran["context"]
    assert ran["results"][0]["result"]["count"] == 1
    again = workflow(*asked).out
    assert "injected: false, count: 0, filtered: 1" in again
    reset = workflow("run", "on_session_start", "--session", "s1", "--set", "source=compact").out
    assert "previous_count: 1" in reset
    assert JWT in workflow(*asked).out


def test_run_shows_what_failed_and_what_was_not_due(workflow, run, own):
    run("remember", JWT)
    (own / "a.yaml").write_text(
        "on_stop:\n  - action: nobody\n  - {action: memory_extract, when: event.n == 2}\n"
        "  - {action: inject_context, text: 'n is {{ event.n }}'}\n"
    )
    told = workflow("run", "on_stop", "--set", "n=1").out
    assert "failed" in told
    assert "not when event.n == 2" in told
    assert "n is 1" in told
    assert "No workflow does anything" in workflow("run", "on_after_tool").out


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["run"], "tacit workflow run EVENT"),
        (["run", "on_lunch"], "known: on_session_start"),
        (["run", "on_stop", "--set", "n"], "write NAME=VALUE"),
        (["list", "x"], "tacit workflow list"),
    ],
)
def test_what_cannot_be_meant_is_refused_with_what_would_be_right(workflow, arguments, told):
    assert told in workflow(*arguments, code=2).err


@pytest.mark.slow
def test_the_package_in_the_docs_is_a_plug_in(own, tmp_path):
    page = (ROOT / "docs/workflows.md").read_text()
    site = tmp_path / "site"
    told = site / "tacit_weekday-1.0.dist-info"
    told.mkdir(parents=True)
    project = tomllib.loads(_fenced(page, "toml", "build-system"))["project"]
    (group,) = project["entry-points"]
    offered = "\n".join(f"{name} = {at}" for name, at in project["entry-points"][group].items())
    (told / "entry_points.txt").write_text(f"[{group}]\n{offered}\n")
    (told / "METADATA").write_text("Metadata-Version: 2.1\nName: tacit-weekday\nVersion: 1.0\n")
    (site / "tacit_weekday.py").write_text(_fenced(page, "py", "tell_weekday"))
    (own / "weekday.yaml").write_text(_fenced(page, "yaml", "tell_weekday"))

    def tacit(*arguments):
        paths = os.pathsep.join([str(site), os.environ.get("PYTHONPATH", "")])
        ran = subprocess.run(
            [sys.executable, "-m", "tacit", *arguments],
            env={**os.environ, "PYTHONPATH": paths, "TACIT_DB": str(tmp_path / "own.db")},
            capture_output=True,
            text=True,
            check=True,
        )
        return ran.stdout

    tacit("remember", JWT)
    assert "valid" in tacit("workflow", "check")
    assert "By the way, it is " in tacit("workflow", "run", "on_before_agent", "--prompt", "Hello")
    assert "By the way" not in tacit("workflow", "run", "on_before_agent", "--prompt", "Hello")


def _fenced(page, language, word):
    """The sample of a language that has a word in it."""
    samples = re.findall(rf"```{language}\n(.*?)```", page, re.DOTALL)
    (sample,) = [each for each in samples if word in each]
    return sample


def test_every_moment_and_action_is_in_the_page_and_so_are_their_arguments():
    page = (ROOT / "docs/workflows.md").read_text()
    for trigger in [*WorkflowTrigger, *TRIGGER_ALIASES]:
        assert f"`{trigger}`" in page
    for name in action_names():
        row = next(line for line in page.splitlines() if line.startswith(f"| `{name}` |"))
        for argument in list(inspect.signature(find_action(name)).parameters)[1:]:
            assert f"`{argument}`" in row, (name, argument)
