"""What `tacit trust` shows before it asks: all of it, at any width, quickly, and as it will act."""

import json
import os
import sys

import pytest
import typer
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tacit import FakeEmbedder, Tacit
from tacit.api.configuration import load_configuration
from tacit.cli.terminal_text import spell_out
from tacit.core.errors import ConfigError
from tacit.grounding.file_layout import load_cues
from tacit.integrations.hooks.project_files import find_project_files
from tacit.integrations.workflows.library import WorkflowLibrary
from tacit.runtime.trust import MAX_PROJECT_FILE_BYTES, TrustRecord
from tacit.settings.loader import read_project_layer
from tests.properties import examples
from tests.support import agree

INJECTING = "on_before_agent:\n  - action: inject_context\n    text: {}\n"
WIDTHS = st.integers(40, 200)
TEXTS = st.text(min_size=1, max_size=400).filter(lambda text: text.strip())
NAMES = st.text("abcxyz-_. ", min_size=1, max_size=100).filter(lambda name: name.strip())
USUAL = settings(
    max_examples=examples(10, 25), suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    """The current folder, a repository."""
    folder = tmp_path / "here"
    (folder / ".git").mkdir(parents=True)
    (folder / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    monkeypatch.chdir(folder)
    monkeypatch.delenv("TACIT_CONFIG", raising=False)
    return folder


@pytest.fixture
def workflow(here):
    path = here / ".tacit" / "workflows" / "lifecycle" / "a.yaml"
    path.parent.mkdir(parents=True)
    return path


@pytest.fixture
def directives(here):
    path = here / "memory.db.workspaces" / "_policy" / "directives.md"
    path.parent.mkdir(parents=True)
    return path


@pytest.fixture
def answering(monkeypatch):
    """Somebody sits at the terminal and says yes, after doing something else."""
    asked = []

    def say_yes(act=lambda: None):
        def confirm(question, **_):
            asked.append(question)
            act()
            return True

        monkeypatch.setattr(typer, "confirm", confirm)
        monkeypatch.setattr("tacit.cli.trust._is_interactive", lambda: True)
        return asked

    return say_yes


def _bare(text):
    """A text without the spaces and the bars that lines begin with."""
    return "".join(text.replace("\n     | ", "").split())


# Nothing is hidden


@pytest.mark.parametrize("width", [40, 80, 100, 200])
def test_a_long_name_beside_it_hides_no_text(here, workflow, run, monkeypatch, width):
    monkeypatch.setenv("COLUMNS", str(width))
    evil = "EVILTEXT " + "and more of it " * 20
    workflow.write_text(INJECTING.format(json.dumps(evil)))
    (here / "tacit.toml").write_text(
        f"[[agents]]\nid = '{'x' * 300}'\nmemory_injection = {{max_total = 2, enabled = false}}\n"
    )
    shown = run("trust").out
    assert _bare(evil) in _bare(shown)
    assert "x" * 300 in _bare(shown)
    assert "1. acts: memory_injection.max_total" in " ".join(shown.split())
    assert "ignored, a project cannot set it" in " ".join(shown.split())
    assert max(len(line.rstrip()) for line in shown.splitlines()) <= width


@USUAL
@given(texts=st.lists(TEXTS, min_size=1, max_size=4), width=WIDTHS)
def test_every_character_of_a_workflow_is_shown_at_any_width(workflow, run, texts, width):
    steps = [{"action": "inject_context", "text": text, "when": "true"} for text in texts]
    workflow.write_text(yaml.safe_dump({"on_before_agent": steps}, width=10_000))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COLUMNS", str(width))
        shown = run("trust").out
    if "cannot act" in shown:  # such as a text with braces, which is no valid template
        return
    for text in texts:
        assert _bare(spell_out(text)) in _bare(shown)
    assert f"{len(texts)} step" in " ".join(shown.split("In all: ")[1].split())


@USUAL
@given(agents=st.lists(NAMES, min_size=1, max_size=4, unique_by=str.strip), width=WIDTHS)
def test_every_setting_of_a_file_is_shown_at_any_width(here, run, agents, width):
    (here / "tacit.toml").write_text(
        "".join(f"[[agents]]\nid = '{each}'\nmemory_injection.max_total = 2\n" for each in agents)
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COLUMNS", str(width))
        shown = run("trust").out
    if "cannot act" in shown:
        return
    for each in agents:
        assert _bare(f"memory_injection.max_total of {each.strip()}") in _bare(shown)
    assert f"{len(agents)} setting" in " ".join(shown.split("In all: ")[1].split())


@USUAL
@given(text=TEXTS, width=WIDTHS)
def test_every_character_of_directives_is_shown_at_any_width(directives, run, text, width):
    directives.write_bytes(text.encode())
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COLUMNS", str(width))
        shown = run("trust").out
    assert _bare(spell_out(text.strip())) in _bare(shown)  # blanks around it are not injected


def test_no_line_of_a_text_passes_for_one_of_ours(directives, run):
    directives.write_text("a\nIn all: nothing acts.\nYou have agreed to it.\n")
    lines = run("trust").out.splitlines()
    assert [line for line in lines if line.startswith("In all")] == [
        "In all: 1 file acts, 1 text of 46 characters would be injected."
    ]
    assert not any(line.startswith("You") for line in lines)


@pytest.mark.parametrize("hiding", ["\ufe0f", "\u3164", "\u2800", "\u200d", "\u034f"])
def test_what_cannot_be_seen_is_spelled_out(directives, run, hiding):
    directives.write_text(f"a{hiding}b")
    assert f"a\\u{ord(hiding):04x}b" in run("trust").out


def test_it_ends_with_how_much_acts(here, workflow, run):
    (here / "tacit.toml").write_text(
        "[search]\nrrf_k = 9\nmax_results = 3\n[writing]\nlearn = false\n"
    )
    workflow.write_text(
        "variables: {a: 1}\n" + INJECTING.format("hello") + "  - action: memory_recall_relevant\n"
    )
    shown = " ".join(run("trust").out.split())
    assert "In all: 2 settings act, 1 setting is ignored." in shown
    assert "1 variable acts, 1 step acts, 1 step is ignored, 1 text of" in shown


# What can be agreed to


@pytest.mark.parametrize(
    "text",
    [
        INJECTING.format("EVILTEXT") + f"  - action: {'x' * 300}\n",
        INJECTING.format("EVILTEXT") + "    when: '1 +'\n",
        INJECTING.format("EVILTEXT") + "    txet: hello\n",
    ],
)
def test_a_workflow_with_a_mistake_cannot_be_agreed_to(workflow, run, text):
    workflow.write_text(text)
    ran = run("trust", "--yes")
    assert (ran.code, TrustRecord().files()) == (2, ())
    assert "cannot act" in ran.out


def test_a_policy_that_leads_out_of_its_folder_is_refused_as_prompts_refuse_it(
    here, directives, run
):
    (here / "outside.md").write_text("Obey.\n")
    directives.symlink_to(here / "outside.md")
    ran = run("trust", "--yes")
    assert "leads out of its folder" in " ".join(ran.out.split())
    assert TrustRecord().files() == ()
    found = json.loads(run("doctor", "--json").out)["findings"]
    assert any("leads out of its folder" in each["found"] for each in found)
    with Tacit.open(here / "memory.db", embedder=FakeEmbedder()) as tacit:
        assert "leads out of its folder" in "".join(tacit.grounding.policy().degraded)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("_policy/directives.md", b"\xff"),
        ("_policy/directives.md", b"x" * (MAX_PROJECT_FILE_BYTES + 1)),
        ("default/policy/contexts/c/directives.md", b"\xff"),
        ("default/cues.toml", b'nonsense = ["a"]\n'),
        ("default/cues.toml", b"a = "),
    ],
)
def test_what_no_prompt_would_take_cannot_be_agreed_to(here, run, name, data):
    path = here / "memory.db.workspaces" / name
    path.parent.mkdir(parents=True)
    path.write_bytes(data)
    assert "cannot act" in run("trust", "--yes").out
    assert TrustRecord().files() == ()


def test_a_file_that_no_policy_is_made_of_is_not_asked_for(here, directives, run):
    (directives.parent / "README.md").write_text("About.\n")
    (directives.parent / "deep").mkdir()
    (directives.parent / "deep" / "directives.md").write_text("Obey.\n")
    assert "nothing to agree to" in run("trust").out
    assert "not a file of a project" in run("trust", directives.parent / "README.md").err


def test_all_that_a_policy_is_made_of_can_be_agreed_to(here, run):
    root = here / "memory.db.workspaces"
    names = ["_policy/roles/admin.md", "_policy/directives.md", "_policy/SOUL.md"]
    names += ["_policy/actions.md", "default/policy/directives.md", "default/policy/SOUL.md"]
    names += ["default/policy/contexts/c/directives.md", "default/policy/contexts/c/skills/a.md"]
    names += ["default/policy/roles/admin/skills/b.MD", "default/policy/skills/d.md"]
    names += ["default/policy/actions.md"]
    for number, name in enumerate(names):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(f"Rule {number}.\n")
    assert run("trust", "--yes").code == 0
    assert len(TrustRecord().files()) == len(names)
    with Tacit.open(here / "memory.db", embedder=FakeEmbedder()) as tacit:
        policy = tacit.grounding.policy(context="c", role="admin")
        assert policy.degraded == ()
        shadowed = {5, 10}  # the nearer of each kind counts
        said = {number for number in range(len(names)) if f"Rule {number}." in policy.text}
        assert len(said) >= len(names) - len(shadowed)


# What is shown is what acts


def test_a_file_replaced_while_one_is_asked_does_not_act(here, run, answering):
    theirs = here / "tacit.toml"
    theirs.write_text("[search]\nrrf_k = 9\n")
    asked = answering(lambda: theirs.write_text("[search]\nrrf_k = 8\n"))
    ran = run("trust")
    assert len(asked) == 1
    assert "changed since it was shown" in " ".join(ran.out.split())
    assert load_configuration(None).search.rrf_k == 60
    theirs.write_text("[search]\nrrf_k = 9\n")
    assert load_configuration(None).search.rrf_k == 9


def test_the_question_has_no_words_of_others(here, workflow, run, answering):
    path = workflow.with_name("x act? y-N: n " + "y" * 200 + ".yaml")
    path.write_text(INJECTING.format("hello"))
    asked = answering()
    ran = run("trust")
    assert asked == ["Let it act as shown above?"]
    assert _bare(path.name) in _bare(ran.out.split("In all")[1])


@pytest.mark.skipif(os.name != "posix", reason="links are those of POSIX")
def test_a_linked_folder_is_named_and_can_be_agreed_to(here, tmp_path, run):
    there = tmp_path / "elsewhere" / "workflows" / "lifecycle"
    there.mkdir(parents=True)
    (there / "a.yaml").write_text(INJECTING.format("hello"))
    (here / ".tacit").symlink_to(tmp_path / "elsewhere")
    ran = run("trust", "--yes")
    assert ran.code == 0
    assert _bare(str(there / "a.yaml")) in _bare(ran.out)
    assert len(WorkflowLibrary().lifecycle(here).workflows) == 2
    (there / "a.yaml").write_text(INJECTING.format("worse"))
    assert len(WorkflowLibrary().lifecycle(here).workflows) == 1


def test_names_that_differ_in_case_need_a_yes_each(workflow, here, run):
    workflow.write_text(INJECTING.format("hello"))
    upper = workflow.with_name("A.yaml")
    if upper.exists():
        pytest.skip("this file system does not tell case apart")
    upper.write_text(INJECTING.format("hello"))
    assert run("trust", workflow, "--yes").code == 0
    lifecycle = WorkflowLibrary().lifecycle(here)
    assert [each.file for each in lifecycle.ignored] == [str(upper)]


# Files that are made to take long


def _agents(number):
    return "".join(f'[[agents]]\nid = "a{each}"\n' for each in range(number))


HOSTILE = {
    "large": ("# x\n" * 20_000, "larger than 65,536 bytes"),
    "long keys": ("".join(f"{'a.' * 300}b{each} = 1\n" for each in range(100)), "parts"),
    "one long key": ("a" + ".a" * 4_900 + " = 1\n", "parts"),
    "quoted keys": ('"a" . ' * 40 + "b = 1\n", "parts"),
    "long headers": ("[" + "a." * 4_900 + "a]\n", "parts"),
    "agents": (_agents(101), "may have 100"),
    "deep lists": ("a = " + "[" * 300 + "]" * 300 + "\n", "nested"),
    "long list": ("[search]\nrrf_k = [\n" + "1,\n" * 20_000 + "]\n", "whole number"),
    "long text": ('a = """' + '""\n' * 20_000 + '"""\n', "nothing has this name"),
}


@pytest.mark.parametrize("hostile", HOSTILE)
def test_a_settings_file_made_to_take_long_is_ignored_with_the_reason(here, run, hostile):
    text, reason = HOSTILE[hostile]
    path = here / "tacit.toml"
    path.write_text(text)
    ran = run("trust", "--yes")
    assert reason in " ".join(ran.out.split())
    assert TrustRecord().files() == ()
    if len(text) <= MAX_PROJECT_FILE_BYTES:
        agree(path)
    layer = read_project_layer(path, TrustRecord())
    assert reason in str(layer.ignored[0])
    assert load_configuration(None).search.rrf_k == 60


@pytest.mark.parametrize("text", ["a: " + "[" * 29_000, "a: " + "{a: " * 7_000, "- " * 14_000])
def test_a_workflow_nested_deep_is_refused(workflow, run, text):
    workflow.write_text(text)
    assert "nested too deeply" in " ".join(run("trust", "--yes").out.split())


def test_a_workflow_larger_than_is_read_cannot_be_agreed_to(workflow, here, run):
    workflow.write_text(INJECTING.format("x" * 31_000))
    assert "larger than 30,000 bytes" in " ".join(run("trust", "--yes").out.split())
    assert [each.path for each in find_project_files(here) if each.content] == []


@pytest.mark.parametrize("needs_consent", [False, True])
def test_cues_made_to_take_long_are_refused(tmp_path, needs_consent):
    path = tmp_path / "cues.toml"
    path.write_text("a" + ".a" * 4_900 + " = 1\n")
    agree(path)
    with pytest.raises(ConfigError, match="parts"):
        load_cues(tmp_path, needs_consent=needs_consent)


def test_nobody_is_asked_where_nobody_is(here, run):
    assert not sys.stdin.isatty()
    (here / "tacit.toml").write_text("[search]\nrrf_k = 9\n")
    assert run("trust").code == 2
