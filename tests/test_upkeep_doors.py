"""Upkeep through every door: the server, its job, the client, the command line and the settings."""

import json
from dataclasses import asdict
from datetime import UTC, datetime, timedelta

import pytest

from tacit import FakeEmbedder, Tacit, UpkeepReport
from tacit.core.errors import ConfigError
from tacit.settings.definition import SettingGroup, list_definitions
from tacit.settings.writing import UpkeepSettings
from tests.serving import served

FAINT = {"by": "agent", "importance": 0.1}
SKY, RIVER = "the sky was grey", "the river was high"
OF_SOUTH = {"Tacit-Workspace": "south"}


def _long_ago():
    return datetime.now(UTC) - timedelta(days=40)


def _filled(path, texts=(SKY,), workspace="default", embedder=None):
    """A store with memories that have faded; the ids of those."""
    fake = FakeEmbedder() if embedder is None else embedder
    with Tacit.open(path, workspace, embedder=fake, clock=_long_ago) as tacit:
        return [tacit.remember(text, **FAINT).id for text in texts]


def test_defaults_and_ranges_are_these():
    assert {each.name: (each.default, each.low, each.high) for each in _defined()} == {
        "automatic": (True, None, None),
        "batch": (1_000, 1, 100_000),
        "prune_below": (0.1, 0, 1),
        "prune_after_days": (30, 1, 3_650),
        "merge_at": (0.95, 0.9, 1),
        "link_at": (0.85, 0.5, 1),
    }
    assert {each.group for each in _defined()} == {SettingGroup.UPKEEP}
    assert asdict(UpkeepSettings()) == {each.name: each.default for each in _defined()}


def _defined():
    return list_definitions(UpkeepSettings)


def test_the_file_and_the_environment_steer_a_pass(tmp_path, monkeypatch):
    config = tmp_path / "tacit.toml"
    config.write_text("[upkeep]\nprune_below = 0.0\nbatch = 1\n")
    _filled(tmp_path / "m.db", [SKY, RIVER])
    with Tacit.open(tmp_path / "m.db", embedder="none", config=config) as tacit:
        assert _did(tacit.upkeep()) == (1, 0)
        config.write_text("[upkeep]\nbatch = 1\n")
        assert _did(tacit.upkeep()) == (1, 1)
    monkeypatch.setenv("TACIT_UPKEEP_BATCH", "7")
    with Tacit.open(tmp_path / "m.db", embedder="none", config=config) as tacit:
        assert _did(tacit.upkeep()) == (1, 1)
        assert tacit.list() == []


def test_a_setting_out_of_range_names_its_place(tmp_path):
    config = tmp_path / "tacit.toml"
    config.write_text("[upkeep]\nmerge_at = 0.5\n")
    with pytest.raises(ConfigError, match=r"line 2: upkeep.merge_at: 0.5 is out of range; 0.9"):
        Tacit.open(":memory:", embedder="none", config=config)


def _did(report):
    return report.looked_at, len(report.pruned)


def test_a_report_survives_json(tmp_path):
    _filled(tmp_path / "m.db", [SKY, RIVER])
    with Tacit.open(tmp_path / "m.db", embedder=FakeEmbedder()) as tacit:
        report = tacit.upkeep(dry_run=True)
    assert len(report.pruned) == 2
    assert UpkeepReport.from_dict(json.loads(json.dumps(report.to_dict()))) == report


def test_others_who_watch_are_told(tmp_path):
    (faint,) = _filled(tmp_path / "m.db")
    with Tacit.open(tmp_path / "m.db", embedder=FakeEmbedder()) as tacit:
        before = tacit.workspace.events().last
        tacit.upkeep()
        (event,) = tacit.workspace.events(after=before).events
    assert event.data["by"] == "system"
    assert event.data["changes"] == [{"action": "forget", "memory": faint}]


def test_a_server_does_one_pass_when_asked(tmp_path):
    (faint,) = _filled(tmp_path / "m.db", workspace="south")
    with served(tmp_path / "m.db") as house:
        asked = {"json": {"dry_run": True, "limit": 10}, "headers": OF_SOUTH}
        would = house.client.post("/v1/upkeep", **asked).json()
        done = house.client.post("/v1/upkeep", headers=OF_SOUTH).json()
        assert house.client.get(f"/v1/memories/{faint}", headers=OF_SOUTH).status_code == 404
    assert (would.pop("dry_run"), done.pop("dry_run")) == (True, False)
    assert would == done
    (deed,) = done["pruned"]
    assert (deed["memory"], deed["content"], deed["other"]) == (faint, SKY, None)
    assert done["looked_at"] == 1
    assert done["done"]


@pytest.mark.parametrize("limit", [0, 100_001, "many", 1.5])
def test_a_server_refuses_a_limit_that_makes_no_sense(limit):
    with served() as house:
        answer = house.client.post("/v1/upkeep", json={"limit": limit})
    assert answer.status_code == 422
    assert answer.json()["field"] == "limit"


def test_only_who_administers_a_workspace_may_ask_and_no_agent():
    with served() as house:
        for role, workspace, agent, status in (
            ("read", "south", None, 403),
            ("write", "south", None, 403),
            ("admin", "south", "cook", 403),
            ("admin", "south", None, 200),
            ("admin", None, None, 200),
        ):
            headers = house.key(role, workspace=workspace, agent=agent)
            assert house.client.post("/v1/upkeep", headers=headers).status_code == status


def test_the_job_goes_over_the_workspaces_that_are_served(tmp_path):
    for workspace in ("south", "north"):
        _filled(tmp_path / "m.db", workspace=workspace)
    with served(tmp_path / "m.db") as house:
        house.client.get("/v1/stats", headers=OF_SOUTH)
        assert _job(house) == "forgot 1, merged 0 and related 0 memories"
        assert house.tacit.workspace.open("south").list() == []
        assert len(house.tacit.workspace.open("north").list()) == 1


def test_the_job_can_be_switched_off(tmp_path):
    (faint,) = _filled(tmp_path / "m.db")
    config = tmp_path / "tacit.toml"
    config.write_text("[upkeep]\nautomatic = false\n")
    with served(tmp_path / "m.db", config) as house:
        house.client.get("/v1/stats")
        assert _job(house) == "is switched off"
        assert house.tacit.get(faint).content == SKY
        assert house.client.post("/v1/upkeep").json()["pruned"] != []


def _job(house):
    house.service.jobs.run("upkeep").result(30)
    (upkeep,) = [each for each in house.service.jobs.outcomes() if each.name == "upkeep"]
    assert upkeep.last_error is None
    return upkeep.last_result


def test_the_command_shows_what_it_did_and_why(run, tmp_path):
    (faint,) = _filled(tmp_path / "m.db")
    shown = run("upkeep", "--dry-run", db=tmp_path / "m.db")
    assert (shown.code, shown.err) == (0, "")
    assert "1 would be pruned" in shown.out
    assert "importance faded to 0.045, 40 days old" in shown.out
    assert faint[-8:] in shown.out
    assert "1 looked at; that was the last." in shown.out
    done = run("upkeep", db=tmp_path / "m.db")
    assert "1 pruned" in done.out
    assert SKY in done.out
    again = run("upkeep", db=tmp_path / "m.db")
    assert again.out.splitlines() == ["Nothing to do.", "0 looked at; that was the last."]


def test_the_command_goes_on_and_goes_through(run, tmp_path):
    texts = [f"a passing thought, number {number}" for number in range(25)]
    _filled(tmp_path / "m.db", texts)
    first = run("upkeep", "--limit", "10", db=tmp_path / "m.db")
    assert "10 looked at; there are more: run it again, or with --all." in first.out
    whole = run("upkeep", "--dry-run", "--all", "--json", db=tmp_path / "m.db")
    assert len(json.loads(whole.out)["pruned"]) == 15
    rest = run("upkeep", "--limit", "4", "--all", db=tmp_path / "m.db")
    assert "15 pruned" in rest.out
    assert "15 looked at; that was the last." in rest.out


def test_the_command_shows_the_first_of_many_and_all_of_them_as_json(run, tmp_path):
    _filled(tmp_path / "m.db", [f"a passing thought, number {number}" for number in range(25)])
    assert "and 5 more; --json lists all" in run("upkeep", "--dry-run", db=tmp_path / "m.db").out
    told = json.loads(run("upkeep", "--json", db=tmp_path / "m.db").out)
    assert len(told["pruned"]) == 25
    assert told["dry_run"] is False


def test_the_command_says_what_could_not_be_compared(run, tmp_path):
    with Tacit.open(tmp_path / "m.db", embedder="none") as tacit:
        tacit.remember(SKY)
    shown = run("upkeep", db=tmp_path / "m.db")
    assert "1 looked at, 1 without a vector (tacit embed makes them)" in shown.out


def test_nothing_stored_can_write_on_the_terminal(run, tmp_path):
    _filled(tmp_path / "m.db", ["grey \x1b[2J [bold]sky[/]"])
    shown = run("upkeep", db=tmp_path / "m.db").out
    assert "\x1b" not in shown
    assert "[bold]sky[/]" in shown


def test_a_limit_that_makes_no_sense_is_said_in_words(run, tmp_path):
    _filled(tmp_path / "m.db")
    refused = run("upkeep", "--limit", "0", db=tmp_path / "m.db")
    assert refused.code != 0
    assert "limit: expected a whole number from 1 to 100000, not 0" in refused.err
