"""Settings over HTTP: what is shown, what is written, who wins, and what an invalid file does."""

import json
import os
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import quote

import pytest

from tacit.settings.config import SettingsTable
from tacit.settings.definition import list_definitions
from tests.serving import running, served

PLAIN = {"Content-Type": "text/plain"}
HOUSE = """# Ours. Ask Ann first.
[defaults.memory_injection]  # for all
max_total   =  7   # not more

[search]
# the constant
rrf_k = 50

[[agents]]
id = "reviewer"

[agents.memory_injection]
# it reads little
max_total = 3
fact_limit = 2
"""


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "tacit.toml"
    path.write_text(HOUSE)
    return path


@pytest.fixture
def client(file):
    with served(config=file) as here:
        yield here.client


def _age(path):
    """Let nobody take the file for one that is being written."""
    os.utime(path, (1_000_000, 1_000_000))


def _injection(answer):
    return answer.json()["tables"]["memory_injection"]


def _put(client, content, **headers):
    return client.put("/v1/settings", json=content, headers=headers)


def test_every_setting_is_shown_with_all_that_a_form_needs(client, file):
    answer = client.get("/v1/settings")
    told = answer.json()
    assert answer.headers["ETag"] == f'"{told["version"]}"'
    assert (told["path"], told["problem"], told["agents"]) == (str(file), None, ["reviewer"])
    assert list(told["tables"]) == list(SettingsTable)
    for table in SettingsTable:
        names = [each.name for each in list_definitions(table.settings_class)]
        assert list(told["tables"][table]) == names
    assert told["tables"]["memory_injection"]["max_total"] == {
        "value": 7,
        "source": "file",
        "default": 25,
        "kind": "int",
        "low": 1,
        "high": 200,
        "choices": [],
        "label": "Max Total",
        "help": "The most memories that a turn shows, whatever they come from.",
        "group": "Contextual search",
        "needs": None,
        "guidance": None,
        "caution": None,
        "in_project": True,
    }
    pinned = told["tables"]["memory_injection"]["pinned_types"]
    assert (pinned["needs"], pinned["caution"]["values"]) == (
        "ambient_enabled",
        ["fact", "event", "observation"],
    )
    assert told["tables"]["search"]["fusion"]["choices"] == ["score", "rrf"]
    assert told["tables"]["search"]["fusion"]["source"] == "built_in"


def test_a_change_is_partial_in_force_at_once_and_keeps_every_comment(client, file):
    changes = {"memory_injection": {"max_total": 9}, "server": {"max_batch": 5}}
    answer = _put(client, changes)
    assert answer.status_code == 200
    assert _injection(answer)["max_total"]["value"] == 9
    assert answer.json()["tables"]["server"]["max_batch"]["value"] == 5
    assert answer.json()["tables"]["search"]["rrf_k"]["value"] == 50
    assert answer.headers["ETag"] == client.get("/v1/settings").headers["ETag"]
    assert file.read_text() == HOUSE.replace("=  7", "=  9") + "\n[server]\nmax_batch = 5\n"


def test_null_leaves_a_setting_to_its_default(client, file):
    answer = _put(client, {"memory_injection": {"max_total": None}, "search": {"rrf_k": None}})
    assert _injection(answer)["max_total"]["value"] == 25
    assert _injection(answer)["max_total"]["source"] == "built_in"
    assert "# the constant" in file.read_text()


def test_each_table_can_be_changed(client):
    for table in SettingsTable:
        each = next(
            one for one in list_definitions(table.settings_class) if one.kind in ("int", "float")
        )
        answer = _put(client, {str(table): {each.name: each.high}})
        assert answer.json()["tables"][table][each.name]["value"] == each.high


@pytest.mark.parametrize(
    ("content", "field", "said"),
    [
        ({"search": {"rrf_k": 0}}, "search.rrf_k", "1 to 1000"),
        ({"memory_injection": {"max_totl": 1}}, "memory_injection.max_totl", "mean max_total?"),
        ({"memory_injection": {"enabled": "yes"}}, "memory_injection.enabled", "true or false"),
        ({"grounding": {"x": 1}}, "grounding.x", ""),
        ({"search": 5}, "search", "object"),
    ],
)
def test_what_is_wrong_is_named_and_nothing_of_the_request_is_written(
    client, file, content, field, said
):
    answer = _put(client, {"server": {"max_batch": 5}, **content})
    assert answer.status_code == 422
    assert answer.json()["field"] == field
    assert said in answer.json()["detail"]
    assert file.read_text() == HOUSE


def test_the_first_change_makes_the_file_where_the_server_looks_for_it(tmp_path):
    made = tmp_path / "config" / "tacit" / "tacit.toml"
    with served() as here:
        before = here.client.get("/v1/settings").json()
        assert (before["path"], before["agents"]) == (str(made), [])
        assert here.client.get("/v1/settings/raw").text == ""
        assert not made.exists()
        _put(here.client, {}, **{"If-Match": f'"{before["version"]}"'})
        assert not made.exists()
        answer = _put(here.client, {"search": {"rrf_k": 5}})
        assert answer.json()["tables"]["search"]["rrf_k"]["source"] == "file"
    assert made.read_text() == "[search]\nrrf_k = 5\n"


def test_the_environment_wins_and_the_answer_says_so(file, monkeypatch):
    monkeypatch.setenv("TACIT_SEARCH_RRF_K", "8")
    with served(config=file) as here:
        answer = _put(here.client, {"search": {"rrf_k": 5}})
    told = answer.json()["tables"]["search"]["rrf_k"]
    assert (told["value"], told["source"]) == (8, "environment")
    assert "rrf_k = 5" in file.read_text()


def test_of_many_who_read_the_same_version_one_writes_and_the_others_read_again(client, file):
    tag = client.get("/v1/settings").headers["ETag"]

    def write(value):
        return value, _put(client, {"search": {"rrf_k": value}}, **{"If-Match": tag})

    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(write, range(1, 5)))
    ((value, won),) = [each for each in answers if each[1].status_code == 200]
    lost = [answer for _, answer in answers if answer is not won]
    assert {answer.json()["type"] for answer in lost} == {"urn:tacit:problem:changed_meanwhile"}
    assert {answer.status_code for answer in lost} == {412}
    assert won.headers["ETag"] != tag
    assert f"rrf_k = {value}\n" in file.read_text()
    raw = client.put(
        "/v1/settings/raw", content="[search]\n", headers={**PLAIN, "If-Match": f'"x", {tag}'}
    )
    own = client.put("/v1/agents/a/config", json={}, headers={"If-Match": tag})
    assert (raw.status_code, own.status_code) == (412, 412)


@pytest.mark.parametrize("shape", ["*", "{}", 'W/"0", {}'])
def test_the_version_that_is_there_matches_in_every_way_to_say_it(client, shape):
    tag = client.get("/v1/settings").headers["ETag"]
    answer = _put(client, {"search": {"rrf_k": 5}}, **{"If-Match": shape.format(tag)})
    assert answer.status_code == 200


def test_many_who_write_different_settings_at_once_lose_nothing(client, file):
    wanted = {"rrf_k": 11, "graph_depth": 4, "max_results": 12, "graph_seed_limit": 13}

    def write(name):
        return name, _put(client, {"search": {name: wanted[name]}})

    with ThreadPoolExecutor(4) as pool:
        for name, answer in pool.map(write, wanted):
            assert answer.json()["tables"]["search"][name]["value"] == wanted[name]
    found = client.get("/v1/settings").json()["tables"]["search"]
    assert {name: found[name]["value"] for name in wanted} == wanted


def test_the_text_goes_out_and_in_as_it_is(client, file):
    read = client.get("/v1/settings/raw")
    assert read.text == HOUSE
    assert read.headers["Content-Type"] == "text/plain; charset=utf-8"
    text = "# ä\r\n[search]\r\nrrf_k = 4\r\n"
    headers = {**PLAIN, "If-Match": read.headers["ETag"]}
    answer = client.put("/v1/settings/raw", content=text.encode(), headers=headers)
    assert answer.json()["tables"]["search"]["rrf_k"]["value"] == 4
    assert answer.json()["agents"] == []
    assert file.read_bytes() == text.encode()
    again = client.get("/v1/settings/raw")
    assert (again.text, again.headers["ETag"]) == (text, answer.headers["ETag"])


def test_an_emptied_file_is_in_force_at_once(client, file):
    answer = client.put("/v1/settings/raw", content="", headers=PLAIN)
    assert _injection(answer)["max_total"]["value"] == 25
    assert client.get("/v1/settings").json()["tables"]["search"]["rrf_k"]["value"] == 60
    assert file.read_text() == ""


WRONG = [
    ("[search]\nrrf_k = 0\n", "tacit.toml, line 2: search.rrf_k: 0 is out of range"),
    ("[search\n", "line 1"),
    ("[nowhere]\n", "line 1: nowhere: nothing has this name here"),
]


@pytest.mark.parametrize(("text", "said"), WRONG)
def test_a_text_that_is_wrong_is_not_written_and_the_line_is_named(client, file, text, said):
    refused = client.put("/v1/settings/raw", content=text, headers=PLAIN)
    assert refused.status_code == 422
    assert said in refused.json()["detail"]
    checked = client.post("/v1/settings/check", content=text, headers=PLAIN)
    assert checked.status_code == 200
    assert checked.json() == {"ok": False, "problem": refused.json()["detail"], "warnings": []}
    assert file.read_text() == HOUSE


def test_an_unknown_type_is_left_out_and_the_answer_says_so(client, file):
    wanted = {"memory_injection": {"pinned_types": ["goal", "zebra"]}}
    answer = _put(client, wanted)
    assert answer.status_code == 200
    assert _injection(answer)["pinned_types"]["value"] == ["goal"]
    (warning,) = answer.json()["warnings"]
    assert warning.startswith("memory_injection.pinned_types: 'zebra' is left out: no such type;")
    assert client.get("/v1/settings").json()["warnings"] == []
    agent = client.put("/v1/agents/reviewer/config", json=wanted).json()
    assert agent["memory_injection"]["pinned_types"] == ["goal"]
    assert agent["warnings"] == [warning]


def test_a_text_with_an_unknown_type_is_taken_and_the_answer_names_the_line(client, file):
    text = "[defaults.memory_injection]\npinned_types = ['zebra']\n"
    written = client.put("/v1/settings/raw", content=text, headers=PLAIN).json()
    (warning,) = written["warnings"]
    where = "line 2: defaults.memory_injection.pinned_types: 'zebra' is left out"
    assert f"{file}, {where}" in warning
    assert client.get("/v1/settings").json()["warnings"] == [warning]
    checked = client.post("/v1/settings/check", content=text, headers=PLAIN).json()
    assert checked == {"ok": True, "problem": None, "warnings": [warning]}


def test_a_check_writes_nothing(client, file):
    answer = client.post("/v1/settings/check", content="[search]\nrrf_k = 1\n", headers=PLAIN)
    assert answer.json() == {"ok": True, "problem": None, "warnings": []}
    assert file.read_text() == HOUSE


def test_a_text_must_come_as_text(client, file):
    as_json = client.put("/v1/settings/raw", json="[search]")
    assert as_json.status_code == 415
    garbled = client.put("/v1/settings/raw", content=b"# \xff", headers=PLAIN)
    assert (garbled.status_code, garbled.json()["field"]) == (422, "body")
    assert file.read_text() == HOUSE


def test_agents_are_listed_with_whether_they_differ(client):
    client.put("/v1/agents/b/config", json={"memory_injection": {"max_total": 4}})
    client.put("/v1/agents/b/config", json={"memory_injection": {"max_total": None}})
    assert client.get("/v1/agents").json()["items"] == [
        {"id": "reviewer", "memory_injection_overridden": True},
        {"id": "b", "memory_injection_overridden": False},
    ]


def test_an_agent_without_an_entry_goes_by_the_defaults(client):
    answer = client.get("/v1/agents/nobody/config")
    told = answer.json()
    assert told["memory_injection_overridden"] is False
    assert (told["memory_injection"]["max_total"], told["sources"]["max_total"]) == (7, "file")
    assert told["sources"]["fact_limit"] == "built_in"
    assert answer.headers["ETag"] == f'"{told["version"]}"'


@pytest.mark.parametrize("id", ["coder", "team/a b", "ünïcode", "config"])
def test_an_agent_gets_settings_of_its_own(client, id):
    address = f"/v1/agents/{quote(id, safe='')}/config"
    answer = client.put(address, json={"memory_injection": {"max_total": 4, "enabled": False}})
    told = answer.json()
    assert (told["id"], told["memory_injection_overridden"]) == (id, True)
    assert (told["memory_injection"]["max_total"], told["sources"]["max_total"]) == (4, "agent")
    assert client.get(address).json() == told
    assert _injection(client.get("/v1/settings"))["max_total"]["value"] == 7
    assert id in client.get("/v1/settings").json()["agents"]


def test_an_agent_gives_up_its_own_table_and_comments_stay(client, file):
    answer = client.put(
        "/v1/agents/reviewer/config", json={"reset_memory_injection_override": True}
    )
    assert answer.json()["memory_injection_overridden"] is False
    assert answer.json()["memory_injection"]["max_total"] == 7
    head, _ = HOUSE.split("[agents.memory_injection]")
    assert file.read_text() == head + "# it reads little\n"


@pytest.mark.parametrize(
    "entry",
    [
        '[[agents]]\nid = "a"\nmemory_injection.max_total = 3\nmemory_injection.fact_limit = 2\n',
        '[[agents]]\nid = "a"\nmemory_injection = {max_total = 3, fact_limit = 2}\n',
        'agents = [{id = "a", memory_injection = {max_total = 3, fact_limit = 2}}]\n',
        '[[agents]]\nid = "a"\nmemory_injection = {}\n',
        '[[agents]]\nid = "a"\n[agents.memory_injection]\nmax_total = 3\n',
        '[[agents]]\nid = "a"\n[agents.memory_injection]\n',
        '[[agents]]\nid = "a"\n',
    ],
)
def test_an_override_is_reset_however_it_is_written_and_new_values_come_after(client, file, entry):
    others = '[[agents]]\nid = "z"\n[agents.memory_injection]\nmax_total = 4\n'
    is_inline = entry.startswith("agents")
    file.write_text(entry if is_inline else others + entry + others.replace("z", "y"))
    changes = {"memory_injection": {"pinned_limit": 5}, "reset_memory_injection_override": True}
    told = client.put("/v1/agents/a/config", json=changes).json()
    own = [name for name, source in told["sources"].items() if source == "agent"]
    assert own == ["pinned_limit"]
    for other in () if is_inline else ("z", "y"):
        told = client.get(f"/v1/agents/{other}/config").json()
        assert (told["memory_injection"]["max_total"], told["sources"]["max_total"]) == (4, "agent")


def test_what_is_wrong_with_an_agents_setting_is_named(client, file):
    changes = {"memory_injection": {"max_total": 0}, "reset_memory_injection_override": True}
    answer = client.put("/v1/agents/reviewer/config", json=changes)
    assert (answer.status_code, answer.json()["field"]) == (422, "memory_injection.max_total")
    assert client.get(f"/v1/agents/{'x' * 501}/config").json()["field"] == "agent"
    assert file.read_text() == HOUSE


def test_an_invalid_file_is_told_and_the_old_settings_stay(client, file):
    file.write_text("[search]\nrrf_k = 0\n")
    _age(file)
    answer = client.get("/v1/settings")
    told = answer.json()
    assert "line 2: search.rrf_k" in told["problem"]["message"]
    assert told["problem"]["since"]
    assert (_injection(answer)["max_total"]["value"], told["agents"]) == (7, ["reviewer"])
    assert client.get("/v1/settings/raw").text == "[search]\nrrf_k = 0\n"
    assert client.get("/v1/agents/reviewer/config").status_code == 200
    other = _put(client, {"memory_injection": {"max_total": 5}})
    assert (other.status_code, "line 2" in other.json()["detail"]) == (422, True)
    mended = _put(client, {"search": {"rrf_k": 3}}, **{"If-Match": answer.headers["ETag"]})
    assert mended.json()["problem"] is None
    assert mended.json()["tables"]["search"]["rrf_k"]["value"] == 3


def test_a_file_that_is_no_text_is_told_and_can_be_replaced(client, file):
    file.write_bytes(b"\xff\xfe")
    _age(file)
    answer = client.get("/v1/settings")
    assert "UTF-8" in answer.json()["problem"]["message"]
    headers = {**PLAIN, "If-Match": answer.headers["ETag"]}
    mended = client.put("/v1/settings/raw", content=HOUSE, headers=headers)
    assert mended.json()["problem"] is None


def test_a_file_that_cannot_be_read_is_told(client, file):
    file.unlink()
    file.mkdir()
    _age(file)
    answer = client.get("/v1/settings")
    assert answer.status_code == 200
    assert answer.json()["version"] is None
    assert "ETag" not in answer.headers
    assert answer.json()["problem"] is not None


@pytest.mark.parametrize(
    ("method", "address", "content"),
    [
        ("PUT", "/v1/settings", {"json": {}}),
        ("PUT", "/v1/settings/raw", {"content": "", "headers": PLAIN}),
        ("PUT", "/v1/agents/a/config", {"json": {}}),
        ("GET", "/v1/settings", {}),
        ("GET", "/v1/settings/raw", {}),
        ("POST", "/v1/settings/check", {"content": "", "headers": PLAIN}),
        ("GET", "/v1/agents", {}),
        ("GET", "/v1/agents/a/config", {}),
        ("GET", "/v1/workspaces", {}),
    ],
)
def test_reading_needs_a_key_for_every_workspace_and_writing_an_admins(
    file, method, address, content
):
    with served(config=file) as here:

        def status(**key):
            headers = here.key(**key) | content.get("headers", {})
            return here.client.request(method, address, **{**content, "headers": headers})

        assert status(role="admin", workspace="shop").status_code == 403
        assert status(role="admin").status_code == 200
        expected = 403 if method == "PUT" else 200
        assert status(role="read").status_code == expected
        assert status(role="write").status_code == expected
        assert here.client.request(method, address, **content).status_code == 401


def test_workspaces_are_listed():
    with served() as here:
        for name in ("shop", "default"):
            here.client.post(
                "/v1/memories", json={"content": "tea"}, headers={"Tacit-Workspace": name}
            )
        assert here.client.get("/v1/workspaces").json() == {"items": ["default", "shop"]}


def _soon(true):
    """Whether something becomes true, however busy the machine is."""
    end = time.monotonic() + 30
    while not (found := true()) and time.monotonic() < end:
        time.sleep(0.01)
    return found


def _injected(client):
    """How many memories the next turn gets."""
    begun = client.post("/v1/turns/preview", json={"session": "s", "text": "when is tea served?"})
    return begun.json()["receipt"]["count"]


def test_a_running_server_sees_a_changed_file_at_the_very_next_turn(tmp_path, file):
    with (
        running(tmp_path / "m.db", environment={"TACIT_CONFIG": str(file)}) as server,
        server.client() as client,
    ):
        for when in ("four", "five", "noon"):
            content = f"tea is served at {when}"
            client.post("/v1/memories", json={"content": content, "type": "event"})
        assert _injected(client) == 3
        file.write_text("[defaults.memory_injection]\nmax_total = 1\n")
        assert _injected(client) == 1
        _put(client, {"memory_injection": {"max_total": 2}})
        assert _injected(client) == 2


def test_a_running_server_with_an_invalid_file_goes_on_and_says_so_everywhere(tmp_path, file, run):
    with (
        running(tmp_path / "m.db", environment={"TACIT_CONFIG": str(file)}) as server,
        server.client() as client,
    ):
        file.write_text("[search]\nrrf_k = 0\n")
        assert _soon(lambda: client.get("/v1/status").json()["settings"]["problem"])
        said = "line 2: search.rrf_k: 0 is out of range"
        assert said in client.get("/v1/status").json()["settings"]["problem"]["message"]
        told = client.get("/v1/settings").json()
        assert said in told["problem"]["message"]
        assert told["tables"]["search"]["rrf_k"]["value"] == 50
        doctor = run("doctor", "--url", server.url, "--json")
        assert doctor.code == 1
        findings = json.loads(doctor.out)["findings"]
        assert any(said in each["found"] for each in findings if each["what"] == "server")
        assert _soon(lambda: any(said in line for line in server.log))
        file.write_text("[search]\nrrf_k = 9\n")
        told = client.get("/v1/settings").json()
        assert (told["problem"], told["tables"]["search"]["rrf_k"]["value"]) == (None, 9)


def test_writers_of_two_processes_lose_nothing(tmp_path, file, run, monkeypatch):
    monkeypatch.setenv("TACIT_CONFIG", str(file))
    with running(tmp_path / "m.db") as server, server.client() as client:
        other = threading.Thread(
            target=lambda: [
                _put(client, {"search": {"max_results": number}}) for number in range(1, 11)
            ]
        )
        other.start()
        for number in range(1, 11):
            assert run("settings", "set", "max_total", str(number)).code == 0
        other.join()
        told = client.get("/v1/settings")
    assert _injection(told)["max_total"]["value"] == 10
    assert told.json()["tables"]["search"]["max_results"]["value"] == 10
    assert "# Ours. Ask Ann first." in file.read_text()
