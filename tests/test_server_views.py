"""Views of memory over the API: context, selection, conflicts, counts, import and export."""

import json
from dataclasses import replace

import pytest

from tacit.core.explanations import explain_candidate
from tacit.core.receipt import Candidate, CandidateSource, Fate
from tests.serving import served

ASKED = "Which database do we use for orders?"


@pytest.fixture
def house():
    with served() as house:
        yield house


def _context(house, headers=None, **query):
    given = {"user_request": ASKED, **query}
    return house.client.get("/v1/memory/context", params=given, headers=headers).json()


def _select(house, headers=None, **asked):
    given = {"user_request": ASKED, **asked}
    return house.client.post("/v1/memory/select", json=given, headers=headers).json()


def _contents(selection):
    return {each["memory"]["content"] for each in selection["selected"]}


def test_the_context_of_a_request_is_the_block_it_would_get(house):
    house.tacit.remember("The database for orders is PostgreSQL")
    told = _context(house)
    assert "The database for orders is PostgreSQL" in told["context"]
    assert (told["count"], told["user_request"]) == (1, ASKED)
    assert told["tokens"] == told["receipt"]["tokens"] > 0
    assert house.tacit.sessions.list() == house.tacit.turns.list() == []


def test_without_memories_the_context_is_empty(house):
    assert (_context(house)["context"], _context(house)["count"]) == ("", 0)


def test_the_threshold_says_how_sure_a_memory_must_be(house):
    house.tacit.remember("The database for orders is PostgreSQL", confidence=0.6)
    assert _context(house)["count"] == 0
    assert _context(house, confidence_threshold=0.5)["count"] == 1
    refused = house.client.get(
        "/v1/memory/context", params={"user_request": ASKED, "confidence_threshold": 2}
    )
    assert refused.status_code == 422


def test_the_context_is_for_those_who_are_named(house):
    house.tacit.remember("The database for orders is PostgreSQL", scope="user", scope_id="ann")
    assert _context(house, user="ann")["count"] == 1
    assert _context(house, user="bob")["count"] == 0


def test_a_selection_says_why_each_was_chosen_and_why_not(house):
    chosen = house.tacit.remember("The database for orders is PostgreSQL").id
    unsure = house.tacit.remember("The database for orders may be SQLite", confidence=0.2).id
    selection = _select(house)
    assert [each["memory"]["id"] for each in selection["selected"]] == [chosen]
    assert selection["selected"][0]["reason"].startswith("found by its ")
    assert selection["omitted"] == [
        {"memory": unsure, "fate": "low_confidence", "reason": "not sure enough", "by": None}
    ]


def test_what_is_selected_is_not_omitted_as_well(house):
    fact = house.tacit.remember("The database for orders is PostgreSQL", key="orders.database").id
    selection = _select(house)
    assert [each["memory"]["id"] for each in selection["selected"]] == [fact]
    assert selection["omitted"] == []


def test_only_what_passes_the_filters_is_selected_and_spends_the_budget(tmp_path):
    config = tmp_path / "tacit.toml"
    config.write_text("[defaults.memory_injection]\nsearch_limit = 2\ncontextual_min_score = 0\n")
    decisions = {"Orders are in PostgreSQL", "The database is in Kyiv"}
    with served(config=config) as house:
        for number in range(30):
            house.tacit.remember(f"{ASKED} was asked on day {number}", type="event")
        house.tacit.remember("Orders are in PostgreSQL", type="decision")
        house.tacit.remember("The database is in Kyiv", scope="org", type="decision")
        assert _contents(_select(house)).isdisjoint(decisions)
        decided = _select(house, category_filter=["decision"])
        assert (_contents(decided), decided["omitted"]) == (decisions, [])
        assert _contents(_select(house, scope_filter=["org"])) == {"The database is in Kyiv"}
        nothing = _select(house, scope_filter=["org"], category_filter=["event"])
        assert nothing == {"selected": [], "omitted": []}


def test_filters_are_for_pinned_memories_and_facts_too(tmp_path):
    config = tmp_path / "tacit.toml"
    config.write_text(
        "[defaults.memory_injection]\nambient_enabled = true\npinned_types = ['goal']\n"
        "contextual_min_score = 0\n"
    )
    with served(config=config) as house:
        house.tacit.remember("PostgreSQL", key="orders.database", type="fact")
        house.tacit.remember("MySQL", key="spare.database.orders", type="decision")
        house.tacit.remember("Ship on Friday", type="goal")
        house.tacit.remember("Be kind", type="preference", pinned=True)
        assert len(_select(house)["selected"]) == 4
        fact = _select(house, category_filter=["fact"])
        assert [each["found"] for each in fact["selected"]] == ["fact"]
        assert _contents(_select(house, category_filter=["goal"])) == {"Ship on Friday"}


def test_a_filter_does_not_wake_a_project_that_is_paused(house):
    house.tacit.remember("The database for orders is PostgreSQL", scope="org")
    house.tacit.sessions.pause(project="shop")
    asked = {"project": "shop", "scope_filter": ["org"]}
    assert _select(house, **asked) == {"selected": [], "omitted": []}


@pytest.mark.parametrize("filter", [{"scope_filter": []}, {"category_filter": ["nonsense"]}])
def test_a_filter_that_nothing_can_pass_is_refused(house, filter):
    answer = house.client.post("/v1/memory/select", json={"user_request": ASKED, **filter})
    assert answer.status_code == 422


def test_views_do_not_show_an_agent_what_is_another_agents_own(house):
    house.tacit.remember("The database for orders is PostgreSQL", agent="planner")
    coder = house.key("read", "default", agent="coder")
    planner = house.key("read", "default", agent="planner")
    assert _select(house, coder) == {"selected": [], "omitted": []}
    assert _context(house, coder)["count"] == 0
    assert _context(house, planner)["count"] == 1
    asked = {"user_request": ASKED, "agent": "planner"}
    assert house.client.post("/v1/memory/select", json=asked, headers=coder).status_code == 403


@pytest.mark.parametrize("fate", Fate)
def test_every_fate_can_be_told_in_words(fate):
    candidate = Candidate(
        memory="m", found=CandidateSource.CONTEXTUAL, type="fact", fate=fate, note="so"
    )
    assert explain_candidate(candidate).endswith("(so)")


def _disagree(house, **fields):
    """Two memories that contradict each other, of which no rule says which is right."""
    sure = {"key": "orders.database", "confidence": 0.9}
    unsure = {**sure, "confidence": 0.87}
    return [
        house.tacit.remember(content, **values, **fields).id
        for content, values in (("PostgreSQL", sure), ("SQLite", unsure))
    ]


def _conflicts(house, **asked):
    return house.client.get("/v1/memory/conflicts", **asked).json()["items"]


def test_conflicts_are_listed_with_both_sides_and_end_when_resolved(house):
    keep, lose = _disagree(house)
    (conflict,) = _conflicts(house)
    assert {each["id"] for each in conflict["memories"]} == {keep, lose}
    assert conflict["about"] == "orders.database"
    asked = {"keep": keep, "supersede": [lose], "reason": "we checked"}
    (written,) = house.client.post("/v1/memory/conflicts/resolve", json=asked).json()["items"]
    assert (written["status"], written["memory"]["superseded_by"]) == ("superseded", keep)
    assert _conflicts(house) == []


def test_both_sides_of_a_conflict_can_be_right(house):
    both = _disagree(house)
    answer = house.client.post("/v1/memory/conflicts/resolve", json={"keep_both": both})
    assert {each["status"] for each in answer.json()["items"]} == {"kept"}
    assert _conflicts(house) == []


def test_conflicts_come_page_by_page(house):
    for number in range(3):
        for content, confidence in (("tabs", 0.9), ("spaces", 0.87)):
            house.tacit.remember(content, key=f"style.{number}", confidence=confidence)
    first = house.client.get("/v1/memory/conflicts?limit=2").json()
    rest = house.client.get(f"/v1/memory/conflicts?limit=2&after={first['next']}").json()
    told = [each["about"] for each in (*first["items"], *rest["items"])]
    assert sorted(told) == ["style.0", "style.1", "style.2"]
    assert rest["next"] is None


def test_an_agent_cannot_decide_what_is_a_persons(house):
    keep, lose = _disagree(house)
    key = house.key("write", "default", agent="coder")
    asked = {"keep": keep, "supersede": [lose]}
    answer = house.client.post("/v1/memory/conflicts/resolve", json=asked, headers=key)
    assert answer.json()["items"][0]["status"] == "queued"
    assert len(_conflicts(house, headers=key)) == 1


def test_a_conflict_ends_in_the_name_of_who_is_named(house):
    keep, lose = _disagree(house)
    asked = {"keep": keep, "supersede": [lose], "by": "operator"}
    house.client.post("/v1/memory/conflicts/resolve", json=asked).raise_for_status()
    assert house.tacit.memories.history(lose)[-1].by == "operator"


def test_an_agent_neither_sees_nor_ends_conflicts_of_another_agents_own(house):
    keep, lose = _disagree(house, agent="planner")
    assert len(_conflicts(house, params={"agent": "planner"})) == 1
    assert _conflicts(house, params={"agent": "coder"}) == []
    key = house.key("write", "default", agent="coder")
    assert _conflicts(house, headers=key) == []
    other = house.client.get("/v1/memory/conflicts?agent=planner", headers=key)
    assert other.status_code == 403
    asked = {"keep": keep, "supersede": [lose]}
    answer = house.client.post("/v1/memory/conflicts/resolve", json=asked, headers=key)
    assert answer.status_code == 404


def test_stats_count_what_is_there(house):
    house.tacit.remember("The database for orders is PostgreSQL", type="decision")
    told = house.client.get("/v1/stats").json()
    assert told == json.loads(json.dumps(house.tacit.workspace.stats().to_dict()))
    assert told["by_type"] == {"decision": 1}


def test_where_the_store_is_is_told_to_those_who_run_the_server(tmp_path):
    with served(tmp_path / "m.db") as house:
        told = {
            workspace: house.client.get("/v1/stats", headers=house.key("read", workspace)).json()
            for workspace in ("default", None)
        }
    assert told["default"]["store"] == {"backend": "sqlite"}
    assert str(tmp_path) in json.dumps(told[None]["store"])


def test_an_export_can_be_imported_elsewhere(house):
    house.tacit.memories.remember_all([f"The order {number} was paid" for number in range(1_200)])
    gone = house.tacit.remember("The order 3 was lost").id
    house.tacit.forget(gone)
    exported = house.client.get("/v1/memories/export?embeddings=true")
    assert exported.headers["content-type"].startswith("application/x-ndjson")
    other = {"Tacit-Workspace": "other"}
    answer = house.client.post("/v1/memories/import", content=exported.content, headers=other)
    assert answer.json()["rejected"] == []
    assert answer.json()["counts"]["created"] == 1_201
    there, here = (
        house.tacit.workspace.open("other").workspace.stats().counts,
        house.tacit.workspace.stats().counts,
    )
    assert replace(there, token_codes={}) == replace(here, token_codes={})


def test_lines_of_text_are_imported_as_such_if_so_said(house):
    body = b'{"content": 1}\n\nTea at four\n'
    as_text = house.client.post("/v1/memories/import?format=lines", content=body).json()
    assert as_text == {
        "format": "lines",
        "counts": {"created": 2},
        "rejected": [],
        "rejected_count": 0,
    }
    as_json = house.client.post("/v1/memories/import", content=body).json()
    assert as_json["format"] == "jsonl"
    assert [each["line"] for each in as_json["rejected"]] == [1, 3]


def test_what_is_no_text_is_refused(house):
    answer = house.client.post("/v1/memories/import", content=b"PK\x03\x04\x00\x00")
    assert (answer.status_code, answer.json()["type"]) == (422, "urn:tacit:problem:invalid_input")


def test_an_import_that_is_sent_again_with_its_key_is_done_once(house):
    headers = {"Idempotency-Key": "import-1"}
    answers = [
        house.client.post("/v1/memories/import", content=b"tea at four\n", headers=headers)
        for _ in range(2)
    ]
    assert [each.json()["counts"] for each in answers] == [{"created": 1}] * 2
    assert answers[1].headers["idempotent-replayed"] == "true"


def test_what_an_agent_imports_is_its_own_word(house):
    key = house.key("write", "default", agent="coder")
    house.client.post("/v1/memories/import", content=b"tea at four\n", headers=key)
    assert [each.source for each in house.tacit.list()] == ["agent"]
    for said in ({"by": "import"}, {"by": "user"}, {"defaults": '{"agent": "planner"}'}):
        refused = house.client.post(
            "/v1/memories/import", content=b"cake\n", headers=key, params=said
        )
        assert refused.status_code == 403
    assert len(house.tacit.list()) == 1


def test_lines_are_imported_by_who_is_named_with_what_is_said_of_them_all(house):
    said = {"by": "operator", "defaults": json.dumps({"type": "goal", "tags": ["été"]})}
    lines = b'{"content": "ship"}\n{"content": "paid", "type": "event"}\n'
    house.client.post("/v1/memories/import", content=lines, params=said).raise_for_status()
    told = [(each.type, each.tags, each.source) for each in house.tacit.list(sort="created")]
    assert told == [("goal", ("été",), "operator"), ("event", ("été",), "operator")]


@pytest.mark.parametrize(
    ("defaults", "field"),
    [
        ("", "defaults"),
        ("tea", "defaults"),
        ("[1]", "defaults"),
        ("[" * 9_999, "defaults"),
        ('{"content": "tea"}', "content"),
        ('{"format": "lines"}', "format"),
        ('{"importance": 3}', "importance"),
        ('{"\\ud800": 3}', "?"),
    ],
)
def test_defaults_that_cannot_be_are_refused_before_a_line_is_read(house, defaults, field):
    answer = house.client.post(
        "/v1/memories/import", content=b"tea\n", params={"defaults": defaults}
    )
    assert (answer.status_code, answer.json()["field"]) == (422, field)
    assert house.tacit.list() == []


def test_an_agent_cannot_take_everything_out(house):
    key = house.key("admin", "default", agent="coder")
    assert house.client.get("/v1/memories/export", headers=key).status_code == 403


def test_a_body_that_is_too_large_is_not_imported(tmp_path):
    config = tmp_path / "tacit.toml"
    config.write_text("[server]\nmax_body_kb = 1\n")
    with served(config=config) as house:
        sent = iter([b"tea at four\n"] * 200)
        answer = house.client.post("/v1/memories/import", content=sent)
        assert answer.status_code == 413
        assert house.tacit.list() == []
