"""Settings and keys: the same calls in the library and at a server."""

import itertools
from dataclasses import dataclass
from pathlib import Path

import pytest

from tacit import InvalidInput, MemoryType, NotFound, Tacit
from tacit.api.base import BaseTacit
from tacit.api.server_status import Agent
from tacit.core.errors import AlreadyKnown, ConfigChanged, ConfigError
from tacit.core.keys import Key, Role, is_token_of
from tacit.core.times import to_rfc3339
from tacit.settings.config import Config, SettingSource, SettingsTable, list_settings
from tests.serving import running

HOUSE = """# Ours.
[defaults.memory_injection]
max_total = 7

[[agents]]
id = "team/re viewer"

[agents.memory_injection]
fact_limit = 2
"""
REVIEWER = "team/re viewer"
_NUMBERS = itertools.count()


@dataclass(frozen=True)
class _Opened:
    """A store with a settings file and a key, opened here or at a server."""

    tacit: BaseTacit
    file: Path
    first: Key


@pytest.fixture(scope="module")
def served_store(tmp_path_factory):
    folder = tmp_path_factory.mktemp("served")
    file, database = folder / "tacit.toml", folder / "memory.db"
    file.write_text("")
    with Tacit.open(database, embedder="none") as store:
        first, token = store.keys.add("operator", "admin")
    with (
        running(database, environment={"TACIT_CONFIG": str(file)}) as process,
        Tacit.connect(process.url, token) as tacit,
    ):
        yield _Opened(tacit, file, first)


@pytest.fixture(params=["library", "server"])
def here(request, tmp_path):
    if request.param == "server":
        opened = request.getfixturevalue("served_store")
        opened.file.write_text(HOUSE)
        opened.tacit.settings.write_file(HOUSE)
        yield opened
        return
    file = tmp_path / "tacit.toml"
    file.write_text(HOUSE)
    with Tacit.open(tmp_path / "memory.db", embedder="none", config=file) as tacit:
        first, _ = tacit.keys.add("operator", "admin")
        yield _Opened(tacit, file, first)


def test_settings_are_the_entries_that_the_library_has(here):
    report = here.tacit.settings.show()
    assert (report.path, report.problem) == (str(here.file), None)
    assert report.agents == (REVIEWER,)
    assert list(report.tables) == list(SettingsTable)
    config = Config(path=here.file, defaults={"max_total": 7})
    assert report.tables == {table: list_settings(config, table) for table in SettingsTable}


def test_a_change_names_what_it_changes_and_leaves_the_rest(here):
    changes = {"memory_injection": {"max_total": None}, SettingsTable.SEARCH: {"rrf_k": 5}}
    report = here.tacit.settings.change(changes)
    assert report.tables["memory_injection"]["max_total"].source is SettingSource.BUILT_IN
    assert report.tables["search"]["rrf_k"].value == 5
    assert report.version == here.tacit.settings.show().version
    assert "# Ours." in here.file.read_text()


def test_values_of_the_library_travel(here):
    kept = (MemoryType.GOAL, MemoryType.CONSTRAINT)
    wanted = {"memory_injection": {"pinned_types": [*kept, "zebra"]}}
    report = here.tacit.settings.change(wanted)
    assert "'zebra' is left out" in report.warnings[0]
    assert report.tables["memory_injection"]["pinned_types"].value == kept
    assert here.tacit.settings.agent(REVIEWER).values["pinned_types"] == kept


def test_who_read_an_older_version_is_told_and_nothing_is_written(here):
    read = here.tacit.settings.show().version
    assert (
        here.tacit.settings.read_file().version
        == here.tacit.settings.agent(REVIEWER).version
        == read
    )
    here.tacit.settings.change({"search": {"rrf_k": 6}}, version=read)
    before = here.file.read_text()
    for late in (
        lambda: here.tacit.settings.change({"search": {"rrf_k": 9}}, version=read),
        lambda: here.tacit.settings.write_file("", version=read),
        lambda: here.tacit.settings.change_agent(REVIEWER, {"fact_limit": 9}, version=read),
    ):
        with pytest.raises(ConfigChanged, match="read it again"):
            late()
    assert here.file.read_text() == before


def test_a_value_that_is_wrong_is_named(here):
    with pytest.raises(InvalidInput) as caught:
        here.tacit.settings.change({"search": {"rrf_k": 0}})
    assert caught.value.field == "search.rrf_k"
    with pytest.raises(InvalidInput) as caught:
        here.tacit.settings.change_agent(REVIEWER, {"fact_limt": 1})
    assert "did you mean fact_limit?" in str(caught.value)
    assert here.file.read_text() == HOUSE


def test_the_text_of_the_file_goes_out_and_in_as_it_is(here):
    edition = here.tacit.settings.read_file()
    assert edition.text == HOUSE
    text = "# ä\r\n[search]\r\nrrf_k = 4\r\n"
    report = here.tacit.settings.write_file(text, version=edition.version)
    assert report.tables["search"]["rrf_k"].value == 4
    assert here.tacit.settings.read_file().text == text
    assert here.file.read_bytes() == text.encode()


def test_a_text_is_checked_before_it_is_written(here):
    wrong = "[search]\nrrf_k = 0\n"
    assert here.tacit.settings.check_file(HOUSE).ok
    assert "line 2: search.rrf_k" in here.tacit.settings.check_file(wrong).problem
    with pytest.raises(ConfigError, match=r"line 2: search\.rrf_k"):
        here.tacit.settings.write_file(wrong)
    with pytest.raises(InvalidInput, match="half a character"):
        here.tacit.settings.write_file("# \ud800")
    assert here.file.read_text() == HOUSE


def test_an_agent_has_values_of_its_own_until_it_gives_them_up(here):
    assert here.tacit.settings.agents() == [Agent(id=REVIEWER, is_overridden=True)]
    own = here.tacit.settings.agent(REVIEWER)
    assert (own.id, own.is_overridden) == (REVIEWER, True)
    assert (own.values["fact_limit"], own.sources["fact_limit"]) == (2, SettingSource.AGENT)
    assert (own.values["max_total"], own.sources["max_total"]) == (7, SettingSource.FILE)
    own = here.tacit.settings.change_agent(
        REVIEWER, {"max_total": 3}, reset=True, version=own.version
    )
    assert own.sources["fact_limit"] is SettingSource.BUILT_IN
    assert own.values["max_total"] == 3
    own = here.tacit.settings.change_agent(REVIEWER, {"max_total": None})
    assert (own.is_overridden, own.values["max_total"]) == (False, 7)
    assert here.tacit.settings.agent("nobody").is_overridden is False


def test_a_key_is_made_told_once_and_revoked(here):
    name = f"desk {next(_NUMBERS)}"
    key, token = here.tacit.keys.add(name, "write", workspace="shop", agent="coder")
    assert (key.name, key.role, key.workspace, key.agent) == (name, Role.WRITE, "shop", "coder")
    assert key == here.tacit.keys.list()[-1]
    assert is_token_of(key, token) == isinstance(here.tacit, Tacit)
    assert token.startswith("tacit_")
    with pytest.raises(AlreadyKnown):
        here.tacit.keys.add(name, "read")
    with pytest.raises(InvalidInput, match="role"):
        here.tacit.keys.add("other", "king")
    here.tacit.keys.revoke(key.id)
    assert here.tacit.keys.list()[-1].revoked_at is not None
    with pytest.raises(NotFound):
        here.tacit.keys.revoke("../status")


def test_keys_that_were_there_are_told_without_their_secrets(here):
    first = here.tacit.keys.list()[0]
    assert (first.id, first.workspace) == (here.first.id, None)
    assert to_rfc3339(first.created_at) == to_rfc3339(here.first.created_at)


def test_what_is_changed_is_in_force_from_the_next_turn_on(here):
    for number in range(4):
        here.tacit.remember(f"Ann's train number {number} leaves at {number} o'clock")
    here.tacit.settings.change({"memory_injection": {"contextual_min_score": 0, "max_total": 1}})
    asked = {"session": f"s{next(_NUMBERS)}", "text": "When does Ann's train leave?"}
    assert len(here.tacit.preview(**asked).receipt.injected) == 1


def test_settings_that_a_program_gave_are_shown_and_have_no_file():
    config = Config(defaults={"max_total": 7})
    with Tacit.open(":memory:", embedder="none") as opened:
        tacit = Tacit(opened._context.store, config=config)
        report = tacit.settings.show()
        assert (report.path, report.version) == ("", None)
        assert report.tables[SettingsTable.MEMORY_INJECTION]["max_total"].value == 7
        for call in (
            lambda: tacit.settings.change({"search": {"rrf_k": 5}}),
            tacit.settings.read_file,
            lambda: tacit.settings.write_file(""),
        ):
            with pytest.raises(ConfigError, match="config=PATH"):
                call()
