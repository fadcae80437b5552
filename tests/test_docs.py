"""The docs tell the truth: samples run, and everything there is to know is in them."""

import dataclasses
import inspect
import json
import os
import re
import shlex
import shutil
import subprocess
import warnings
from pathlib import Path

import pytest

import tacit
from tacit.cli.commands import LISTING
from tacit.core.events import EventKind
from tacit.core.kinds import MemoryType, State
from tacit.core.memory import Memory
from tacit.server import problems
from tacit.server.access import RequireRole
from tacit.server.routes import ROUTERS
from tacit.settings.definition import list_definitions
from tacit.settings.injection import InjectionSettings
from tacit.settings.proxy import ProxySettings
from tacit.settings.search import SearchSettings
from tacit.settings.server import DaemonSettings, PostgresSettings, ServerSettings
from tacit.settings.writing import UpkeepSettings, WritingSettings
from tests.forking import ForkedProcess
from tests.proxying import provider_on_loopback
from tests.serving import running

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]

_SAMPLE = re.compile(r"```python\n(.*?)```\n\n```text\n(.*?)```", re.DOTALL)
_CONSOLE = re.compile(r"```console\n(.*?)```", re.DOTALL)


def _samples(pattern):
    """The samples of the pages; those of frameworks run in environments of their own."""
    elsewhere = {path.stem for path in (ROOT / "tests/frameworks/requirements").glob("*.in")}
    return [
        pytest.param(match, id=f"{page.stem}-{number}")
        for page in PAGES
        if page.stem not in elsewhere
        for number, match in enumerate(pattern.findall(page.read_text()), start=1)
    ]


_AT_LEISURE = {
    "TACIT_EMBEDDER": "minilm",
    "TACIT_MEMORY_INJECTION_DEADLINE_MS": "20000",
    "TACIT_SEARCH_EMBEDDING_TIMEOUT_MS": "20000",
}
"""The model, and time for it on a machine that is busy with other tests."""


@pytest.mark.parametrize("sample", _samples(_SAMPLE))
def test_python_samples_print_what_the_page_shows(sample, tmp_path):
    code, shown = sample
    with provider_on_loopback() as provider:
        provider.reply = "Because the API keeps no sessions."
        environment = {**os.environ, **_AT_LEISURE, **_reaching(provider)}
        process = ForkedProcess(_run_sample, code, environment=environment, cwd=tmp_path)
        with process.output:
            assert process.output.read() == shown
        assert process.wait() == 0


def _reaching(provider):
    """Where the clients of the SDKs find a provider."""
    return {
        "OPENAI_BASE_URL": f"{provider.url}/v1",
        "OPENAI_API_KEY": "none",
        "ANTHROPIC_BASE_URL": provider.url,
        "ANTHROPIC_API_KEY": "none",
    }


def _run_sample(code):
    warnings.simplefilter("error")
    exec(compile(code, "sample", "exec"), {"__name__": "__main__"})


@pytest.mark.parametrize("session", _samples(_CONSOLE))
def test_console_samples_print_what_the_page_shows(session, run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for step in session.split("$ ")[1:]:
        command, _, shown = step.partition("\n")
        arguments = shlex.split(command)
        assert arguments[0] == "tacit"
        ran = run(*arguments[1:])
        assert ran.err == ""
        assert _comparable(ran.out) == _comparable(shown)


def _has_curl():
    """Whether there is a curl that can send JSON, and a shell to call it from."""
    if shutil.which("curl") is None or shutil.which("bash") is None:
        return False
    told = subprocess.run(["curl", "--help", "all"], capture_output=True, text=True, check=False)
    return "--json" in told.stdout


@pytest.mark.skipif(not _has_curl(), reason="curl 7.82 or newer, or bash, is not installed")
def test_the_servers_samples_answer_what_the_page_shows(tmp_path):
    page = (ROOT / "docs/server.md").read_text()
    commands = re.findall(r"^curl -s localhost:8377.*", page, re.MULTILINE)
    shown = re.findall(r"```json\n(.*?)\n```", page)
    with running(tmp_path / "m.db", environment=_AT_LEISURE) as server:
        known = {"localhost:8377": server.url}
        answers = []
        for command in commands:
            for name, value in known.items():
                command = command.replace(name, value)
            ran = subprocess.run(
                ["bash", "-c", command], capture_output=True, text=True, check=True
            )
            answers.append(json.loads(ran.stdout))
            known["$ID"] = answers[-1].get("id", known.get("$ID", "$ID"))
    assert answers[1]["block"] is not None
    known["$REQUEST"] = answers[-1]["request_id"]
    for name, value in known.items():
        shown = [each.replace(name, value) for each in shown]
    assert [json.loads(each) for each in shown] == [answers[2], answers[-1]]


def _comparable(output):
    """Ids and times differ from run to run, and columns are as wide as the terminal."""
    output = re.sub(r"\b[0-9a-f]{8}\b", "<id>", output)
    output = re.sub(r"\d{4}-\d\d-\d\d \d\d:\d\d", "<time>", output)
    return [line.split() for line in output.splitlines()]


def test_every_python_sample_has_its_output():
    for page in PAGES:
        text = page.read_text()
        assert len(re.findall(r"```python\n", text)) == len(_SAMPLE.findall(text)), page


def test_every_public_name_and_method_is_in_the_library_page():
    page = (ROOT / "docs/library.md").read_text()
    for name in tacit.__all__:
        assert name == "__version__" or f"`{name}" in page or f" {name}" in page, name
    for name, _ in inspect.getmembers(tacit.Tacit, inspect.isfunction):
        assert name.startswith("_") or f"`{name}(" in page, name


def test_every_command_and_option_is_in_the_command_line_page():
    page = (ROOT / "docs/cli.md").read_text()
    for name, listed in LISTING.items():
        assert f"`tacit {name}" in page, name
        for parameter in listed.load().params:
            for option in (*parameter.opts, *parameter.secondary_opts):
                assert not option.startswith("-") or f"`{option}" in page, (name, option)


def test_every_field_type_and_state_is_in_the_concepts_page():
    page = (ROOT / "docs/concepts.md").read_text()
    names = [field.name for field in dataclasses.fields(Memory)]
    for name in (*names, *MemoryType, *State, *tacit.Status, *tacit.Relation, *tacit.Actor):
        assert f"`{name}`" in page, name


def test_every_search_setting_is_in_the_search_page_with_its_default_and_range():
    page = (ROOT / "docs/search.md").read_text()
    for field in dataclasses.fields(SearchSettings):
        (row,) = [line for line in page.splitlines() if line.startswith(f"| `{field.name}` |")]
        default = field.default
        shown = f"{default:g}" if isinstance(default, float) else str(default)
        assert f"| {shown} |" in row
        if "low" in field.metadata:
            assert f"{field.metadata['low']:g}–{field.metadata['high']:g}" in row


def test_every_injection_setting_is_in_the_turn_page_with_its_default_range_and_help():
    page = (ROOT / "docs/turn.md").read_text()
    for definition in list_definitions(InjectionSettings):
        (row,) = [line for line in page.splitlines() if line.startswith(f"| `{definition.name}` |")]
        assert f"| {_shown(definition.default)} |" in row
        assert definition.help in row
        if definition.low is not None:
            assert f"{definition.low:.10g}–{definition.high:.10g}" in row
        for choice in definition.choices or ():
            assert choice in row
        advice = (definition.guidance, definition.caution and definition.caution.text)
        for text in filter(None, advice):
            assert text in " ".join(page.split())


@pytest.mark.parametrize(
    ("name", "settings_class"),
    [
        ("coding-clis", DaemonSettings),
        ("postgres", PostgresSettings),
        ("proxy", ProxySettings),
        ("server", ServerSettings),
        ("writing", WritingSettings),
        ("upkeep", UpkeepSettings),
    ],
)
def test_every_shared_setting_is_in_its_page_with_its_default_range_and_help(name, settings_class):
    page = (ROOT / f"docs/{name}.md").read_text()
    for definition in list_definitions(settings_class):
        (row,) = [line for line in page.splitlines() if line.startswith(f"| `{definition.name}` |")]
        assert f"| {_shown(definition.default)} |" in row
        assert definition.help in row
        if definition.low is not None:
            assert f"{definition.low:.10g}–{definition.high:.10g}" in row


def test_every_call_of_the_server_is_in_its_page_with_its_role():
    page = (ROOT / "docs/server.md").read_text()
    routes = (route for router in ROUTERS for route in router.routes)
    for route in (route for route in routes if route.include_in_schema):
        needs = [each.call for each in route.dependant.dependencies]
        (role,) = [each for each in needs if isinstance(each, RequireRole)] or [None]
        star = " ★" if role and role.server_wide else ""
        needed = f"{role.role}{star}" if role else "–"
        (method,), path = route.methods, route.path.replace(":path", "")
        assert f"| `{method} {path}` | {needed} | {route.endpoint.__doc__.splitlines()[0]}" in page


def test_every_problem_and_event_is_in_the_servers_page():
    page = (ROOT / "docs/server.md").read_text()
    for code in (
        value for value in vars(problems).values() if isinstance(value, problems.ProblemCode)
    ):
        assert f"| `{code.type}` | {code.status} | {code.title} |" in page
    for kind in EventKind:
        assert f"| `{kind}` |" in page


def _shown(default):
    if isinstance(default, bool):
        return str(default).lower()
    if isinstance(default, tuple):
        return "[" + ", ".join(f'"{each}"' for each in default) + "]"
    if default == "":
        return '""'
    return f"{default:g}" if isinstance(default, float) else str(default)


def test_every_verdict_is_in_the_writing_page():
    page = (ROOT / "docs/writing.md").read_text()
    for verdict in tacit.Verdict:
        assert f"| `{verdict}` |" in page, verdict


def test_every_fate_is_in_the_turn_page():
    page = (ROOT / "docs/turn.md").read_text()
    for fate in tacit.Fate:
        assert f"`{fate}`" in page, fate


def test_every_make_target_is_documented():
    targets = re.findall(r"^([a-z-]+):.*##", (ROOT / "Makefile").read_text(), re.MULTILINE)
    pages = (ROOT / "CONTRIBUTING.md").read_text() + (ROOT / "README.md").read_text()
    for target in targets:
        assert f"make {target}" in pages or f"`{target}`" in pages, target


def test_links_between_pages_lead_somewhere():
    for page in [*PAGES, ROOT / "CONTRIBUTING.md"]:
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text()):
            assert (page.parent / target).exists(), (page, target)


def test_the_page_of_conflicts_helps_before_it_explains_the_training():
    page = (ROOT / "docs/conflicts.md").read_text()
    help_for_users = ("When you change your mind", "Where you see it", "Deciding", "Undoing it")
    reasons = ("What replaces what", "How two statements are compared")
    places = [page.index(f"## {heading}\n") for heading in (*help_for_users, *reasons)]
    assert places == sorted(places)
    assert page.index("trained") > places[-1]
    assert page.index("likelihood") > places[len(help_for_users) - 1]
