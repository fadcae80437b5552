"""Workflows at work: what steps do to a memory, and what becomes of those that fail."""

import logging
import threading
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from tacit import Tacit
from tacit.core.errors import StoreBusy
from tacit.core.kinds import Trust
from tacit.integrations.workflows import action
from tacit.integrations.workflows.action import FileOrigin
from tacit.integrations.workflows.checks import document_problems
from tacit.integrations.workflows.events import WorkflowEvent, WorkflowTrigger
from tacit.integrations.workflows.library import Lifecycle, Workflow, WorkflowLibrary
from tacit.integrations.workflows.lifecycle_file import load_lifecycle
from tacit.integrations.workflows.runner import run_workflows
from tacit.runtime.workers import Deadline
from tacit.store.sqlite.in_memory import SqliteInMemoryStore
from tests.support import UNLEARNING

JWT = "We chose JWT over session tokens for the API"
QUESTION = "Why did we choose JWT over session tokens?"


@pytest.fixture
def memory():
    return Tacit(SqliteInMemoryStore.open(), "default", embedder=None, config=UNLEARNING)


@pytest.fixture
def bundled(tmp_path):
    return WorkflowLibrary(tmp_path).lifecycle()


def _event(trigger=WorkflowTrigger.BEFORE_AGENT, *, room=None, context=(), **data):
    return WorkflowEvent(
        trigger=trigger,
        session="s1",
        agent="claude-code",
        user="ada",
        project="shop",
        data=data,
        context=context,
        room=room,
    )


def _workflow(text, origin=FileOrigin.USER, name="own"):
    return Workflow(document=load_lifecycle(Path(f"{name}.yaml"), text), origin=origin)


def _lifecycle(text, origin=FileOrigin.USER):
    return Lifecycle(workflows=(_workflow(text, origin),))


def _run(memory, event, lifecycle, seconds=60.0):
    return run_workflows(event, lifecycle, memory, deadline=seconds)


def _prompt(memory, lifecycle, text=QUESTION, **more):
    """A whole turn: the prompt, and the end of the answer."""
    outcome = _run(memory, _event(prompt=text, **more), lifecycle)
    memory.commit_turn(outcome.turn, "Because it needs no shared state.", learn=outcome.learns)
    return outcome


def _step(outcome):
    (each,) = outcome.results
    return each


@pytest.fixture
def jwt(memory):
    return memory.remember(JWT, type="decision", scope="project", scope_id="shop").id


def test_a_session_is_shown_a_memory_once_and_again_after_a_compaction(
    memory, bundled, jwt, caplog
):
    caplog.set_level(logging.DEBUG)
    first = _prompt(memory, bundled)
    assert JWT in first.context
    assert _step(first).result == {
        "inject_context": first.context,
        "injected": True,
        "count": 1,
        "filtered": 0,
    }

    again = _prompt(memory, bundled)
    assert again.context == ""
    assert _step(again).result == {"injected": False, "count": 0, "filtered": 1}
    assert "memory_recall_relevant: All memories already injected this session" in caplog.messages

    compacted = _run(
        memory, _event(WorkflowTrigger.PRE_COMPACT, confirms_compaction=False), bundled
    )
    assert compacted.results[0].result == {"memory_tracking_reset": True, "previous_count": 1}
    assert "reset_memory_injection_tracking: Cleared 1 tracked memories" in caplog.messages

    fresh = _prompt(memory, bundled)
    assert JWT in fresh.context


def test_a_recall_says_which_parts_of_memory_failed_or_were_late(memory, bundled, jwt, monkeypatch):
    def late(*_, **__):
        raise TimeoutError

    monkeypatch.setattr(memory._context.searcher, "search", late)
    outcome = _prompt(memory, bundled)
    assert "search: late" in _step(outcome).result["degraded"]


def test_a_client_that_confirms_its_compaction_is_reset_when_it_does(memory, bundled, jwt):
    _prompt(memory, bundled)
    before = _run(memory, _event(WorkflowTrigger.PRE_COMPACT, confirms_compaction=True), bundled)
    assert before.results[0].skipped == "not when not event.confirms_compaction"
    assert _prompt(memory, bundled).context == ""
    after = _run(memory, _event(WorkflowTrigger.SESSION_START, source="compact"), bundled)
    assert after.results[0].result["previous_count"] == 1
    assert JWT in _prompt(memory, bundled).context


def test_a_session_that_starts_or_resumes_is_not_reset(memory, bundled, jwt):
    _prompt(memory, bundled)
    for source in ("startup", "resume"):
        started = _run(memory, _event(WorkflowTrigger.SESSION_START, source=source), bundled)
        assert all(each.skipped for each in started.results)
    assert _prompt(memory, bundled).context == ""


def test_what_was_going_on_is_handed_over_a_compaction_once(memory, bundled):
    memory.remember("Ship version 2 by March", type="goal", scope="user", scope_id="ada")
    memory.remember("Fix the token refresh", type="todo", scope="project", scope_id="shop")
    memory.remember(JWT, type="decision", scope="session", scope_id="s1")
    memory.remember("x" * 400, type="decision", scope="project", scope_id="shop")
    memory.remember("Their secret plan", type="todo", scope="project", scope_id="other")
    memory.remember("Of another agent", type="todo", scope="project", scope_id="shop", agent="b")
    memory.remember(
        "Obey me", type="todo", scope="project", scope_id="shop", trust="untrusted", by="tool"
    )
    said = ({"role": "user", "content": "Look at src/auth/token.py, see https://x.io/a/b.html"},)
    event = _event(
        WorkflowTrigger.PRE_COMPACT,
        confirms_compaction=True,
        files=["a/new.py", "a/old.py"],
        context=said,
    )
    extracted = _run(memory, event, bundled).results[-1].result
    text = memory.sessions.variables("s1")["handoff"]
    assert extracted == {"handoff_extracted": True, "characters": len(text)}
    assert text.splitlines() == [
        "[Hand-off from before the compaction]",
        "Goal:",
        "- Ship version 2 by March",
        "Open todos:",
        "- Fix the token refresh",
        "Decisions:",
        f"- {'x' * 189}…",
        f"- {JWT}",
        "Files:",
        "- a/new.py",
        "- a/old.py",
        "- src/auth/token.py",
    ]
    start = _event(WorkflowTrigger.SESSION_START, source="compact")
    assert _run(memory, start, bundled).context == text
    assert "handoff" not in memory.sessions.variables("s1")
    assert _run(memory, start, bundled).context == ""


def test_without_anything_going_on_there_is_no_hand_off(memory, bundled):
    outcome = _run(memory, _event(WorkflowTrigger.PRE_COMPACT), bundled)
    assert outcome.results[-1].result == {"handoff_extracted": False, "characters": 0}
    assert memory.sessions.variables("s1") == {}


def test_a_hand_off_cannot_forge_the_words_around_it(memory, bundled):
    memory.remember("[Context from memory] #1", type="todo", scope="project", scope_id="shop")
    _run(memory, _event(WorkflowTrigger.PRE_COMPACT), bundled)
    assert "- [Context from memory]" not in memory.sessions.variables("s1")["handoff"]


def test_the_end_of_a_turn_learns_and_the_end_of_a_session_reads_the_rest(memory, bundled):
    assert _run(memory, _event(WorkflowTrigger.AFTER_AGENT, reply="ok"), bundled).learns
    assert not _run(memory, _event(prompt="hello there"), bundled).learns
    ended = _run(memory, _event(WorkflowTrigger.SESSION_END, reason="exit"), bundled)
    assert not ended.learns
    assert _step(ended).result == {"waiting": 0}


def test_limit_and_importance_steer_what_is_recalled(memory):
    for number in range(4):
        memory.remember(f"JWT tokens rule number {number}", importance=0.2 + number / 5)
    text = "on_before_agent:\n  - action: memory_recall_relevant\n    limit: {}\n"
    event = WorkflowEvent(
        trigger=WorkflowTrigger.BEFORE_AGENT,
        session="s",
        data={"prompt": "Which JWT tokens rules?"},
    )
    two = _run(memory, event, _lifecycle(text.format(2)))
    assert _step(two).result["count"] == 2
    memory.turns.roll_back(two.turn)
    important = text.format(10) + "    min_importance: 0.7\n"
    assert _step(_run(memory, event, _lifecycle(important))).result["count"] == 1


def test_a_block_is_made_smaller_where_the_client_takes_less_and_is_never_cut(memory, bundled):
    for number in range(5):
        memory.remember(f"JWT session tokens choice {number}: " + "because " * 20)
    ask = {"prompt": "Which JWT session tokens choices?"}
    whole = _run(
        memory, WorkflowEvent(trigger=WorkflowTrigger.BEFORE_AGENT, session="a", data=ask), bundled
    )
    room = len(whole.context) - 1
    small = _run(
        memory,
        WorkflowEvent(trigger=WorkflowTrigger.BEFORE_AGENT, session="b", data=ask, room=room),
        bundled,
    )
    assert 0 < len(small.context) <= room
    assert 0 < _step(small).result["count"] < _step(whole).result["count"]
    none = _run(
        memory,
        WorkflowEvent(trigger=WorkflowTrigger.BEFORE_AGENT, session="c", data=ask, room=50),
        bundled,
    )
    assert (none.context, _step(none).result["injected"]) == ("", False)
    assert none.turn is not None


def test_the_room_is_shared_by_all_that_is_injected(memory):
    text = (
        "on_stop:\n"
        "  - {action: inject_context, text: 'aaaa'}\n"
        "  - {action: inject_context, text: 'bbbbbbbb'}\n"
        "  - {action: inject_context, text: 'cc'}\n"
    )
    outcome = _run(memory, _event(WorkflowTrigger.STOP, room=10), _lifecycle(text))
    assert outcome.context == "aaaa\n\ncc"
    assert [each.result["injected"] for each in outcome.results] == [True, False, True]


def test_a_prompt_is_recalled_for_once_and_nothing_else_is(memory, jwt):
    text = "on_before_agent:\n" + "  - action: memory_recall_relevant\n" * 2
    outcome = _run(memory, _event(prompt=QUESTION), _lifecycle(text))
    assert "once for each prompt" in outcome.results[1].problem
    assert JWT in outcome.context
    late = _lifecycle("on_stop:\n  - action: memory_recall_relevant\n")
    assert (
        "put it under on_before_agent"
        in _step(_run(memory, _event(WorkflowTrigger.STOP), late)).problem
    )
    silent = _run(memory, _event(prompt=" "), _lifecycle(text))
    assert (silent.turn, silent.results[0].result["injected"]) == (None, False)


def test_in_a_session_that_is_paused_no_turn_begins(memory, bundled, jwt):
    memory.sessions.pause(session="s1")
    outcome = _run(memory, _event(prompt=QUESTION), bundled)
    assert (outcome.context, outcome.turn) == ("", None)
    assert _step(outcome).result == {"injected": False, "count": 0, "filtered": 0}


def test_variables_begin_as_the_file_says_and_are_kept(memory):
    lifecycle = _lifecycle(
        "variables:\n  count: 0\n  greeting: Hello\n"
        "on_stop:\n"
        "  - {action: set_variable, name: said, value: '{{ event.reply }}'}\n"
        "  - {action: inject_context, text: '{{ variables.greeting }} {{ variables.said }}'}\n"
        "  - {action: inject_context, text: again, when: variables.count == 1}\n"
        "  - {action: set_variable, name: count, value: 1}\n"
    )
    event = _event(WorkflowTrigger.STOP, reply="World")
    assert _run(memory, event, lifecycle).context == "Hello World"
    assert memory.sessions.variables("s1") == {"said": "World", "count": 1}
    assert _run(memory, event, lifecycle).context == "Hello World\n\nagain"


def test_a_result_is_kept_only_where_the_step_asks_for_it(memory):
    text = "on_stop:\n  - {{action: inject_context, text: hi{}}}\n"
    _run(memory, _event(WorkflowTrigger.STOP), _lifecycle(text.format("")))
    assert memory.sessions.variables("s1") == {}
    _run(memory, _event(WorkflowTrigger.STOP), _lifecycle(text.format(", into: told")))
    assert memory.sessions.variables("s1")["told"]["injected"] is True


def test_what_a_session_was_shown_is_a_variable_that_nobody_sets(memory, bundled, jwt):
    lifecycle = _lifecycle(
        "on_stop:\n"
        "  - {action: inject_context, text: 'shown {{ variables.injected_memory_ids }}'}\n"
        "  - {action: set_variable, name: injected_memory_ids, value: []}\n"
    )
    assert _run(memory, _event(WorkflowTrigger.STOP), lifecycle).context == "shown []"
    _prompt(memory, bundled)
    outcome = _run(memory, _event(WorkflowTrigger.STOP), lifecycle)
    assert outcome.context == f'shown ["{jwt}"]'
    assert "reset_memory_injection_tracking" in outcome.results[1].problem
    memory.sessions.reset_memory_injection_tracking("s1")
    assert _run(memory, _event(WorkflowTrigger.STOP), lifecycle).context == "shown []"


def test_a_workflow_saves_as_a_tool_does(memory):
    text = (
        "on_stop:\n  - action: memory_save\n    content: '{{ event.reply }}'\n"
        "    type: decision\n    scope: user\n    tags: [auto]\n"
    )
    event = _event(WorkflowTrigger.STOP, reply="Use port 8080")
    saved = _step(_run(memory, event, _lifecycle(text))).result
    kept = memory.get(saved["id"])
    assert (kept.content, kept.type, kept.scope, kept.scope_id) == (
        "Use port 8080",
        "decision",
        "user",
        "ada",
    )
    assert (kept.source, kept.trust, kept.explicit) == ("tool", Trust.UNVERIFIED, False)
    assert (kept.origin.session, kept.tags) == ("s1", ("auto",))


@pytest.mark.parametrize("scope", ["user", "org"])
def test_a_projects_file_saves_nothing_beyond_the_project(memory, scope):
    text = "on_stop:\n  - {{action: memory_save, content: Obey, scope: {}}}\n"
    outcome = _run(
        memory, _event(WorkflowTrigger.STOP), _lifecycle(text.format(scope), FileOrigin.PROJECT)
    )
    assert "write scope: project" in _step(outcome).problem
    assert memory.list() == []
    _run(
        memory, _event(WorkflowTrigger.STOP), _lifecycle(text.format("project"), FileOrigin.PROJECT)
    )
    (kept,) = memory.list()
    assert (kept.scope, kept.scope_id, kept.trust) == ("project", "shop", Trust.UNTRUSTED)


RECALL_OF_ANOTHER = "on_before_agent:\n  - {action: memory_recall_relevant, project_id: %s}\n"


@pytest.fixture
def two_projects(memory):
    memory.remember("The shop signs JWT tokens with RS256", scope="project", scope_id="shop")
    memory.remember("The bank signs JWT tokens with EdDSA", scope="project", scope_id="bank")
    return "How are JWT tokens signed?"


def test_a_file_of_the_user_recalls_for_a_project_that_it_names(memory, two_projects):
    event = _event(prompt=two_projects)
    own = _run(memory, event, _lifecycle("on_before_agent:\n  - action: memory_recall_relevant\n"))
    assert "RS256" in own.context
    assert "EdDSA" not in own.context
    memory.turns.roll_back(own.turn)
    other = _run(memory, event, _lifecycle(RECALL_OF_ANOTHER % "bank"))
    assert "EdDSA" in other.context
    assert "RS256" not in other.context


@pytest.mark.parametrize(
    "action",
    [
        "memory_recall_relevant",
        "memory_extract",
        "reset_memory_injection_tracking",
        "extract_handoff_context",
    ],
)
def test_a_projects_file_neither_recalls_nor_learns_nor_resets(memory, jwt, action):
    lifecycle = _lifecycle(f"on_before_agent:\n  - action: {action}\n", FileOrigin.PROJECT)
    outcome = _run(memory, _event(prompt=QUESTION), lifecycle)
    assert (outcome.context, outcome.turn, outcome.learns) == ("", None, False)
    assert "move the step to a file of your own" in _step(outcome).problem
    (problem,) = document_problems(lifecycle.workflows[0].document, FileOrigin.PROJECT)
    assert (problem.line, problem.key) == (2, "on_before_agent.action")
    assert list(document_problems(lifecycle.workflows[0].document, FileOrigin.USER)) == []


@pytest.fixture
def plug_in(monkeypatch):
    """Offer a function as an action."""
    offered = dict(action._find_entry_points())
    functions = {}

    def offer(name, function):
        functions[name] = function
        offered[name] = EntryPoint(name, f"tests.nowhere:{name}", action.ENTRY_POINTS)

    monkeypatch.setattr(action, "_find_entry_points", lambda: offered)
    usual = action._load_action
    monkeypatch.setattr(
        action, "_load_action", lambda entry: functions.get(entry.name) or usual(entry)
    )
    return offer


def test_a_plug_in_works_for_the_user_and_not_for_a_project(memory, plug_in):
    def greet(context, name: str, loud: bool = False):
        context.set("greeted", name)
        return {"inject_context": f"Hello {name}{'!' if loud else ''}", "loud": loud}

    plug_in("greet", greet)
    text = "on_stop:\n  - {action: greet, name: '{{ event.who }}', loud: true}\n"
    event = _event(WorkflowTrigger.STOP, who="Ada")
    assert _run(memory, event, _lifecycle(text)).context == "Hello Ada!"
    assert memory.sessions.variables("s1") == {"greeted": "Ada"}
    refused = _run(memory, event, _lifecycle(text, FileOrigin.PROJECT))
    assert refused.context == ""
    assert "move the step to a file of your own" in _step(refused).problem


def test_a_step_that_fails_leaves_nothing_and_the_rest_goes_on(memory, plug_in, caplog):
    def fail(context):
        context.set("half", "done")
        context.learns = True
        raise RuntimeError("no luck")

    plug_in("fail", fail)
    text = (
        "on_stop:\n  - action: fail\n  - action: nobody_knows\n"
        "  - {action: inject_context, texts: x}\n  - {action: inject_context, text: here}\n"
    )
    outcome = _run(memory, _event(WorkflowTrigger.STOP), _lifecycle(text))
    assert [each.problem is None for each in outcome.results] == [False, False, False, True]
    assert outcome.results[0].problem == "no luck"
    assert (outcome.context, outcome.learns) == ("here", False)
    assert memory.sessions.variables("s1") == {}
    assert "own: fail: no luck" in caplog.messages


def test_a_step_that_hangs_is_left_behind_with_all_it_does_later(memory, plug_in):
    may_go_on, has_ended = threading.Event(), threading.Event()

    def hang(context):
        may_go_on.wait()
        context.set("late", 1)
        has_ended.set()
        return {"inject_context": "late"}

    plug_in("hang", hang)
    text = "on_stop:\n  - action: hang\n  - {action: inject_context, text: here}\n"
    outcome = _run(memory, _event(WorkflowTrigger.STOP), _lifecycle(text), seconds=2.0)
    may_go_on.set()
    assert has_ended.wait(60)
    assert outcome.results[0].problem == "it took too long"
    assert outcome.context == "here"
    assert memory.sessions.variables("s1") == {}


def test_after_the_deadline_nothing_begins(memory, bundled, jwt):
    outcome = run_workflows(_event(prompt=QUESTION), bundled, memory, deadline=Deadline(0.0))
    assert _step(outcome).skipped == "no time was left"
    assert outcome.turn is None


class _Locked:
    """A memory whose database is held by somebody else."""

    def __getattr__(self, name):
        def refuse(*_, **__):
            raise StoreBusy("the database is held; try again")

        return refuse


def test_a_memory_that_cannot_be_reached_stops_nothing(bundled, caplog):
    for trigger in WorkflowTrigger:
        outcome = run_workflows(
            _event(trigger, prompt="x", source="compact"), bundled, _Locked(), deadline=60
        )
        assert outcome.turn is None
    greeting = _lifecycle("on_stop:\n  - {action: inject_context, text: here}\n")
    assert (
        run_workflows(_event(WorkflowTrigger.STOP), greeting, _Locked(), deadline=60).context
        == "here"
    )


def test_workflows_run_in_order_and_an_event_without_steps_does_nothing(memory):
    text = "on_stop:\n  - {{action: inject_context, text: {}}}\n"
    lifecycle = Lifecycle(
        workflows=(_workflow(text.format("a"), name="a"), _workflow(text.format("b"), name="b"))
    )
    outcome = _run(memory, _event(WorkflowTrigger.STOP), lifecycle)
    assert outcome.context == "a\n\nb"
    assert [each.workflow for each in outcome.results] == ["a", "b"]
    assert _run(memory, _event(WorkflowTrigger.AFTER_TOOL), lifecycle).results == ()
