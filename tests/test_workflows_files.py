"""Lifecycle files: what they say, which of them run, and what is wrong with them."""

import logging
import os
from pathlib import Path

import pytest

from tacit.core.errors import ConfigError
from tacit.integrations.workflows.action import FileOrigin, action_names
from tacit.integrations.workflows.checks import document_problems
from tacit.integrations.workflows.events import WorkflowTrigger
from tacit.integrations.workflows.library import WorkflowLibrary
from tacit.integrations.workflows.lifecycle_file import load_lifecycle
from tests.support import agree

_GREETING = "on_session_start:\n  - action: inject_context\n    text: {text}\n"


@pytest.fixture
def home(tmp_path):
    return tmp_path / "home"


@pytest.fixture
def library(home):
    return WorkflowLibrary(home)


@pytest.fixture
def project(tmp_path):
    return tmp_path / "project"


def _put(folder: Path, name: str, text: str) -> Path:
    path = folder / "workflows" / "lifecycle" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def _running(library, folder=None):
    return {
        each.document.stem: (each.origin, each.document)
        for each in library.lifecycle(folder).workflows
    }


def _parsed(text):
    return load_lifecycle(Path("own.yaml"), text)


def test_a_file_says_what_is_done_when():
    document = _parsed(
        "name: mine\n"
        "description: Hello.\n"
        "variables:\n  greeted: false\n"
        "on_prompt_submit:\n"
        "  - action: inject_context\n"
        "    when: not variables.greeted\n"
        "    into: greeting\n"
        "    text: Hello\n"
        "on_before_agent:\n"
        "  - action: memory_recall_relevant\n"
        "on_stop:\n"
    )
    assert (document.name, document.description, document.is_enabled) == ("mine", "Hello.", True)
    assert document.variables == {"greeted": False}
    first, second = document.steps[WorkflowTrigger.BEFORE_AGENT]
    assert (first.action, first.arguments) == ("inject_context", {"text": "Hello"})
    assert (first.when, first.into, first.line) == ("not variables.greeted", "greeting", 6)
    assert second.action == "memory_recall_relevant"
    assert document.steps[WorkflowTrigger.STOP] == ()


def test_a_name_is_that_of_the_file_unless_it_says_otherwise():
    assert _parsed("").name == "own"


@pytest.mark.parametrize(
    ("text", "line", "told"),
    [
        ("on_sesion_start: []\n", 1, "did you mean on_session_start?"),
        ("name: x\nwhatever: 1\n", 2, "known: on_session_start"),
        ("on_stop:\n  action: x\n", 1, "expected a list of steps"),
        ("on_stop:\n  - memory_extract\n", 2, "write - action: NAME"),
        ("on_stop:\n  - when: true\n", 2, "write - action: NAME"),
        ("on_stop:\n  - action: 3\n", 2, "expected text, not 3"),
        ("on_stop:\n  - action: x\n    when: [1]\n", 3, "expected text"),
        ("enabled: maybe\n", 1, "expected true or false"),
        ("variables: 3\n", 1, "expected a value under each name"),
        ("- a\n", 1, "expected a list of steps under each of"),
        ("name: x\nname: y\n", 2, "name: is there twice"),
        ("a: [\n", 2, "is not valid YAML"),
        ("variables:\n  a: &a [1]\n  b: *a\n", 3, "aliases"),
        ("variables:\n  a: !!python/object:os.system x\n", 2, "is not valid YAML"),
        ("variables:\n  a: .nan\n", 2, "is not taken"),
        ("variables:\n  1: x\n", 2, "is not a name"),
        ("variables: " + "[" * 60 + "]" * 60, 1, "nested too deeply"),
        ("name: \x07", 1, "is not valid YAML"),
    ],
)
def test_what_is_wrong_is_told_with_file_line_and_what_would_be_right(text, line, told):
    with pytest.raises(ConfigError) as caught:
        _parsed(text)
    assert str(caught.value).startswith(f"own.yaml, line {line}: ")
    assert told in str(caught.value)


def test_dates_are_text():
    assert _parsed("variables:\n  since: 2026-03-01\n").variables == {"since": "2026-03-01"}


def test_the_bundled_file_runs_and_is_valid(library):
    (each,) = library.lifecycle().workflows
    assert each.origin is FileOrigin.BUNDLED
    assert each.document.stem == "session-lifecycle"
    assert list(document_problems(each.document, FileOrigin.USER)) == []


def test_the_users_file_takes_the_place_of_ours_whole_and_a_projects_takes_none(
    library, home, project
):
    own = _put(home, "session-lifecycle.yaml", "on_stop:\n  - action: memory_extract\n")
    assert _running(library)["session-lifecycle"][0] is FileOrigin.USER
    theirs = _put(project / ".tacit", "session-lifecycle.yaml", _GREETING.format(text="hi"))
    agree(theirs)
    ran = [(each.document.path, each.origin) for each in library.lifecycle(project).workflows]
    assert ran == [(own, FileOrigin.USER), (theirs, FileOrigin.PROJECT)]
    shelf = library.list_workflows(project)
    assert [each.path for each in shelf][::2] == [own, theirs]
    assert [each.shadowed_by for each in shelf] == [None, own, None]


def test_other_files_run_too_by_name_and_a_projects_last(library, home, project):
    _put(home, "zebra.yaml", _GREETING.format(text="z"))
    agree(_put(project / ".tacit", "ant.yml", _GREETING.format(text="a")))
    _put(home, "notes.txt", "no workflow")
    assert list(_running(library, project)) == ["session-lifecycle", "zebra", "ant"]


def test_a_file_that_is_switched_off_hides_what_is_behind_it(library, home):
    _put(home, "session-lifecycle.yaml", "enabled: false\n")
    assert _running(library) == {}


def test_behind_a_broken_file_the_next_one_runs_and_the_log_says_so_once(library, home, caplog):
    broken = _put(home, "session-lifecycle.yaml", "on_stop: 3\n")
    with caplog.at_level(logging.WARNING, "tacit.workflows"):
        for _ in range(3):
            assert _running(library)["session-lifecycle"][0] is FileOrigin.BUNDLED
    assert [record.getMessage() for record in caplog.records] == [
        f"a workflow is left out: {broken}, line 1: on_stop: expected a list of steps;"
        " begin each with - action:"
    ]


def test_a_change_is_seen_at_once(library, home):
    path = _put(home, "own.yaml", _GREETING.format(text="one"))
    assert (
        _running(library)["own"][1].steps[WorkflowTrigger.SESSION_START][0].arguments["text"]
        == "one"
    )
    path.write_text(_GREETING.format(text="two"))
    os.utime(path, ns=(1, 1))
    assert (
        _running(library)["own"][1].steps[WorkflowTrigger.SESSION_START][0].arguments["text"]
        == "two"
    )
    path.unlink()
    assert "own" not in _running(library)


def test_a_file_that_is_too_large_or_no_text_is_left_out(library, home):
    _put(home, "large.yaml", "# " + "x" * 30_001)
    _put(home, "bytes.yaml", "").write_bytes(b"\xff\xfe\x00")
    told = {each.path.stem: each.problem for each in library.list_workflows()}
    assert "larger than" in told["large"]
    assert "UTF-8" in told["bytes"]


def test_no_more_files_are_read_than_a_prompt_can_wait_for(library, home):
    for number in range(30):
        _put(home, f"own{number:02}.yaml", "on_stop: []\n")
    told = {each.path.stem: each.problem for each in library.list_workflows()}
    assert [name for name, problem in told.items() if problem] == ["own20"]
    assert "join some of them" in told["own20"]
    assert len(told) == 22


@pytest.mark.parametrize(
    ("step", "told"),
    [
        ("action: memory_recal", "there is none called 'memory_recal'; known: extract_handoff"),
        ("action: memory_recall_relevant\n    limits: 5", "no such argument; known: limit, min_"),
        ("action: memory_recall_relevant\n    limit: five", "expected a whole number, not 'five'"),
        ("action: memory_recall_relevant\n    limit: true", "expected a whole number, not True"),
        ("action: set_variable\n    name: a", "set_variable needs it; write value: VALUE"),
        ("action: inject_context\n    text: '{{ os }}'", "unknown name 'os'"),
        ("action: memory_extract\n    when: event.x ===", "cannot be read"),
        ("action: memory_extract\n    into: injected_memory_ids", "only tells what was shown"),
        ("action: memory_extract\n    into: a b", "is not a name"),
    ],
)
def test_check_finds_what_would_go_wrong(step, told):
    (problem,) = document_problems(_parsed(f"on_stop:\n  - {step}\n"), FileOrigin.USER)
    assert str(problem).startswith(f"own.yaml, line {problem.line}: {problem.key}: ")
    assert problem.key.startswith("on_stop.")
    assert told in str(problem)


def test_check_takes_numbers_and_places_for_what_they_can_become():
    text = (
        "on_before_agent:\n  - action: memory_recall_relevant\n    limit: '{{ variables.n }}'\n"
        "    min_importance: 1\n"
    )
    assert list(document_problems(_parsed(text), FileOrigin.USER)) == []


def test_the_built_in_actions_come_as_entry_points():
    assert {
        "memory_recall_relevant",
        "reset_memory_injection_tracking",
        "inject_context",
        "memory_extract",
        "memory_save",
        "extract_handoff_context",
        "set_variable",
    } <= set(action_names())
