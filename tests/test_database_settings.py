"""Each database has settings of its own, over those of its user."""

import json
from contextlib import contextmanager

import pytest

from tacit import Tacit
from tacit.api.configuration import live_configuration, load_configuration, writable_path
from tacit.core.errors import ConfigError
from tacit.settings.config import SettingSource
from tests.hooking import wait_until
from tests.serving import served


@pytest.fixture
def user_file(tmp_path):
    path = tmp_path / "config/tacit/tacit.toml"
    path.parent.mkdir(parents=True)
    path.write_text("[defaults.memory_injection]\nsearch_limit = 11\nmax_total = 12\n")
    return path


@contextmanager
def _server(database):
    with served(database, live_configuration(None, database=database)) as house:
        yield house


def _set(house, **values):
    answer = house.client.put("/v1/settings", json={"memory_injection": values})
    assert answer.status_code == 200, answer.text
    return answer.json()


def _entry(house, name):
    return house.client.get("/v1/settings").json()["tables"]["memory_injection"][name]


@pytest.mark.parametrize("has_user_file", [False, True])
def test_two_servers_of_one_user_do_not_change_each_others_settings(
    tmp_path, request, has_user_file
):
    if has_user_file:
        request.getfixturevalue("user_file")
    with _server(tmp_path / "m.db") as one, _server(tmp_path / "c.db") as other:
        before = _entry(other, "search_limit")
        told = _set(one, search_limit=7)
        assert _entry(one, "search_limit")["value"] == 7
        assert _entry(one, "search_limit")["source"] == "file"
        assert _entry(other, "search_limit") == before
        _set(other, search_limit=9)
        assert _entry(one, "search_limit")["value"] == 7
    assert told["path"].startswith(str(tmp_path / "config/tacit/databases/m-"))


def test_what_a_database_does_not_say_comes_from_its_users_file(tmp_path, user_file):
    with _server(tmp_path / "m.db") as house:
        _set(house, search_limit=7)
        assert house.service.config.injection(None).search_limit == 7
        assert _entry(house, "max_total")["value"] == 12
        assert _entry(house, "max_total")["source"] == "user_file"
        user_file.write_text("[defaults.memory_injection]\nsearch_limit = 3\nmax_total = 13\n")
        assert _entry(house, "max_total")["value"] == 13
        assert _entry(house, "search_limit")["value"] == 7
        _set(house, search_limit=None)
        assert _entry(house, "search_limit")["value"] == 3
    assert "search_limit = 3" in user_file.read_text()


def test_every_program_that_opens_a_database_has_its_settings(tmp_path, user_file):
    with _server(tmp_path / "m.db") as house:
        _set(house, search_limit=7)
    assert load_configuration(None, database=tmp_path / "m.db").injection(None).search_limit == 7
    with Tacit.open(tmp_path / "m.db") as same, Tacit.open(tmp_path / "c.db") as other:
        limits = [
            each._context.current_config().injection(None).search_limit for each in (same, other)
        ]
    assert limits == [7, 11]


def test_a_named_file_is_shared_on_purpose(tmp_path, monkeypatch, user_file):
    named = tmp_path / "shared.toml"
    named.write_text("")
    monkeypatch.setenv("TACIT_CONFIG", str(named))
    with _server(tmp_path / "m.db") as one, _server(tmp_path / "c.db") as other:
        assert _set(one, search_limit=7)["path"] == str(named)
        assert _entry(other, "search_limit")["value"] == 7
        assert _entry(other, "max_total")["source"] == "built_in"


def test_settings_of_an_agent_are_joined_field_by_field(tmp_path, user_file):
    user_file.write_text(
        '[[agents]]\nid = "coder"\n[agents.memory_injection]\nmax_total = 4\nsearch_limit = 5\n'
    )
    with _server(tmp_path / "m.db") as house:
        answer = house.client.put(
            "/v1/agents/coder/config", json={"memory_injection": {"max_total": 6}}
        )
        assert answer.status_code == 200, answer.text
        chosen = house.service.config.injection("coder")
    assert (chosen.max_total, chosen.search_limit) == (6, 5)


@pytest.mark.parametrize("broken", ["user", "database"])
def test_an_invalid_file_of_either_keeps_the_settings_and_is_named(tmp_path, user_file, broken):
    database = tmp_path / "m.db"
    with _server(database) as house:
        _set(house, search_limit=7)
        path = user_file if broken == "user" else writable_path(database)
        path.write_text("[search]\nrrf_k = 'many'\n")
        wait_until(lambda: house.service.state.problem is not None)  # nobody is writing it
        assert str(path) in house.service.state.problem.message
        assert _entry(house, "search_limit")["value"] == 7
    with pytest.raises(ConfigError, match="rrf_k"):
        load_configuration(None, database=database)


def test_a_database_is_known_by_where_it_is_and_not_by_who_opens_it(tmp_path, monkeypatch):
    (tmp_path / "link.db").symlink_to(tmp_path / "m.db")
    monkeypatch.chdir(tmp_path)
    same = {writable_path(each) for each in ("m.db", tmp_path / "m.db", "link.db")}
    assert len(same) == 1
    urls = ("postgresql://ann:secret@db/tacit", "postgresql://ben@db:5432/tacit")
    assert len({writable_path(each) for each in urls}) == 1
    assert "secret" not in str(writable_path(urls[0]))
    others = {writable_path(each) for each in ("c.db", *urls, "postgresql://db/other", "x/m.db")}
    assert len(others) == 4
    assert not others & same


def test_a_database_in_memory_has_the_users_settings(user_file):
    assert writable_path(":memory:") == user_file


def test_the_command_shows_and_changes_the_settings_of_a_database(tmp_path, user_file, run):
    database = tmp_path / "cli.db"
    written = json.loads(
        run("settings", "set", "search_limit", "7", "--db", database, "--json").out
    )
    assert written["file"] == str(writable_path(database))
    shown = json.loads(run("settings", "show", "--json").out)
    assert shown["user_file"] == str(user_file)
    found = shown["settings"]["memory_injection"]
    assert (found["search_limit"]["value"], found["search_limit"]["source"]) == (7, "file")
    assert found["max_total"]["source"] == SettingSource.USER_FILE
    told = run("settings", "set", "search_limit", "8")
    assert f"search_limit is 8 in {user_file}" in told.out
    assert "the settings of your database say 7 and win" in told.err
    other = run("settings", "show", "--json", "--db", tmp_path / "other.db")
    assert json.loads(other.out)["settings"]["memory_injection"]["search_limit"]["value"] == 8
