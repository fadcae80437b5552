"""Learning through every door: the server, its jobs and figures, and the settings."""

import threading

import pytest

from tacit import Tacit
from tacit.api.background import BackgroundLearning
from tacit.core.open_turn import CapturedTurn
from tacit.store.sqlite.store import SqliteStore
from tests.fake_llm import fake_llm, note, notes
from tests.serving import running, served
from tests.support import START

TABS = "I always use tabs for indentation"
HEARD = BackgroundLearning.heard
NEW_TURN = "01890a5d-ac96-7000-8000-00000000000a"


@pytest.fixture(autouse=True)
def _nobody_reads_unasked(monkeypatch):
    """What was said waits until somebody asks for it."""
    monkeypatch.setattr(BackgroundLearning, "heard", lambda _: None)


@pytest.fixture
def house():
    with served() as house:
        yield house


def _say(client, text, session="s1", headers=None, **places):
    """A turn that is committed, over the API."""
    asked = {"session": session, "text": text, **places}
    begun = client.post("/v1/turns", json=asked, headers=headers)
    assert begun.status_code == 201, begun.text
    turn = begun.json()["id"]
    done = client.post(f"/v1/turns/{turn}/commit", json={"reply": "Well."}, headers=headers)
    assert done.status_code == 200, done.text
    return turn


def _learn(client, headers=None, **params):
    answer = client.post("/v1/learn", headers=headers, params=params)
    assert answer.status_code == 200, answer.text
    return answer.json()


def _contents(client, headers=None):
    found = client.get("/v1/memories", headers=headers).json()["items"]
    return [each["content"] for each in found]


def _configured(folder, text):
    config = folder / "tacit.toml"
    config.write_text(text)
    return config


def test_what_was_said_is_learned_and_the_answer_says_what_became_of_it(house):
    turn = _say(house.client, TABS, user="ann")
    learned = _learn(house.client)
    (lesson,) = learned["lessons"]
    assert (learned["turns"], learned["tokens"]) == (1, 0)
    assert (lesson["content"], lesson["verdict"], lesson["session"]) == (TABS, "learned", "s1")
    assert lesson["superseded"] == []
    memory = house.client.get(f"/v1/memories/{lesson['memory']}").json()
    assert (memory["content"], memory["scope_id"], memory["explicit"]) == (TABS, "ann", False)
    assert memory["metadata"] == {"learned_by": lesson["rule"], "turn": turn, "stands": True}
    assert _learn(house.client) == {"turns": 0, "lessons": [], "tokens": 0}


def test_a_request_that_comes_again_is_answered_with_what_was_learned_then(house):
    _say(house.client, TABS)
    asked = {"headers": {"Idempotency-Key": "once"}}
    first, second = (house.client.post("/v1/learn", **asked) for _ in range(2))
    assert first.json()["turns"] == 1
    assert second.json() == first.json()
    assert second.headers["Idempotent-Replayed"] == "true"


def test_what_the_rules_would_take_is_shown_and_nothing_happens(house):
    asked = {"text": f"{TABS}. Should I always use tabs?"}
    found = house.client.post("/v1/extract", json=asked).json()
    (finding,) = found["findings"]
    assert (finding["content"], finding["confidence"] >= 0.9) == (TABS, True)
    (refused,) = found["refused"]
    assert refused["reason"] == "question"
    assert "Should I" in refused["sentence"]
    assert _learn(house.client)["turns"] == 0
    assert _contents(house.client) == []


def test_a_reader_may_look_and_only_a_writer_may_have_it_learned(house):
    reader = house.key("read", workspace="w")
    writer = house.key("write", workspace="w")
    for path in ("/v1/learn", "/v1/sessions/s1/end"):
        assert house.client.post(path, headers=reader).status_code == 403
        assert house.client.post(path, headers=writer).status_code == 200
    asked = {"json": {"text": TABS}, "headers": reader}
    assert house.client.post("/v1/extract", **asked).status_code == 200


def test_an_agent_is_not_told_what_repeats_another_agents_own_memory(house):
    own = "We always deploy the falcon service on Thursdays"
    keys = {
        name: house.key("write", workspace="w", agent=name, name=name)
        for name in ("planner", "coder")
    }
    planner = {"headers": keys["planner"]}
    memory = house.client.post("/v1/memories", json={"content": own, "agent": "planner"}, **planner)
    for session in ("s1", "s2"):
        ask = {"session": session, "agent": "planner", **planner}
        _say(house.client, "When do we deploy the falcon service?", **ask)
        _say(house.client, f"{own}. {TABS} in {session}.", **ask)
        assert _learn(house.client, keys["coder"]) == {"turns": 0, "lessons": [], "tokens": 0}
        learned = _learn(house.client, keys["planner"])
        verdicts = {each["verdict"]: each["memory"] for each in learned["lessons"]}
        assert learned["turns"] == 2
        assert verdicts["restated"] == memory.json()["memory"]["id"]
    assert house.client.post("/v1/learn?agent=planner", headers=keys["coder"]).status_code == 403


def test_what_came_to_nothing_is_not_told_to_agents(tmp_path):
    """It may be what only another agent was shown."""
    config = _configured(tmp_path, "[writing]\nmin_confidence = 1.0\n")
    with served(config=config) as house:
        key = house.key("write", workspace="w", agent="coder")
        whole = house.key("write", workspace="w")
        _say(house.client, TABS, headers=key)
        assert _learn(house.client, key) == {"turns": 1, "lessons": [], "tokens": 0}
        _say(house.client, TABS, headers=key)
        (lesson,) = _learn(house.client, whole)["lessons"]
        assert (lesson["verdict"], lesson["memory"]) == ("unsure", None)


def test_the_end_of_a_session_has_the_model_read_the_rest(tmp_path):
    answer = notes(note("Ann plays the oboe", quote="plays the oboe"))
    with fake_llm(answer, tokens=77) as llm:
        text = f'[writing]\nllm_model = "m"\nllm_base_url = "{llm.url}"\n'
        with served(config=_configured(tmp_path, text)) as house:
            _say(house.client, "My sister Ann plays the oboe", session="a/b")
            assert _learn(house.client)["tokens"] == 0
            assert llm.asked == []
            ended = house.client.post("/v1/sessions/a%2Fb/end").json()
            assert ended == {"session": "a/b", "waiting": 1}
            learned = _learn(house.client)
            assert (learned["tokens"], len(llm.asked)) == (77, 1)
            assert [each["content"] for each in learned["lessons"] if each["rule"] == "llm"] == [
                "Ann plays the oboe"
            ]
            figures = house.client.get("/metrics").text
            assert "tacit_llm_tokens_total 77.0" in figures


def test_without_a_model_nothing_waits_for_one(house):
    _say(house.client, TABS)
    assert house.client.post("/v1/sessions/s1/end").json() == {"session": "s1", "waiting": 0}
    _learn(house.client)
    assert house.client.post("/v1/sessions/s1/end").json() == {"session": "s1", "waiting": 0}


def test_the_servers_figures_count_statements_by_what_became_of_them(house):
    _say(house.client, TABS)
    _learn(house.client)
    _say(house.client, TABS, session="s2", settings={"enabled": False})
    _learn(house.client)
    figures = house.client.get("/metrics").text.splitlines()
    assert 'tacit_lessons_total{verdict="learned"} 1.0' in figures
    assert 'tacit_lessons_total{verdict="known"} 1.0' in figures
    assert 'tacit_lessons_total{verdict="restated"} 0.0' in figures


def test_what_restates_injected_memory_is_counted(house):
    house.tacit.remember(TABS, type="constraint", pinned=True)
    _say(house.client, "Which indentation do I use?")
    _say(house.client, f"Right. {TABS}.")
    (lesson,) = _learn(house.client)["lessons"]
    assert lesson["verdict"] == "restated"
    assert 'tacit_lessons_total{verdict="restated"} 1.0' in house.client.get("/metrics").text


def test_who_asks_is_told_what_would_have_been_read_soon(monkeypatch):
    monkeypatch.setattr(BackgroundLearning, "heard", HEARD)
    with Tacit.open(":memory:", embedder="none") as tacit:
        pause, told = threading.Event(), []
        tacit._context.shared.learning_workers.closing.wait = lambda _: pause.wait(30)
        with tacit.turn(session="s1", text=TABS) as turn:
            turn.commit("Well.")
        asking = threading.Thread(target=lambda: told.append(tacit.learn()))
        asking.start()
        assert _eventually(lambda: not tacit._context.learning._is_scheduled)
        pause.set()
        asking.join(30)
    assert [each.content for each in told[0].lessons] == [TABS]


@pytest.mark.parametrize(("job", "is_asked_for"), [("learning", True), ("all learning", False)])
def test_what_still_waits_is_learned_by_a_job(tmp_path, job, is_asked_for):
    _leave_waiting(tmp_path / "m.db", "north")
    with served(tmp_path / "m.db") as house:
        north = {"Tacit-Workspace": "north"}
        if is_asked_for:
            house.client.get("/v1/stats", headers=north)
        house.service.jobs.run(job).result(30)
        outcome = {each.name: each for each in house.service.jobs.outcomes()}[job]
        assert outcome.last_result == "read 1 turns and found 1 statements"
        assert _contents(house.client, north) == [TABS]


def test_a_model_that_hangs_holds_up_neither_turns_nor_other_jobs(tmp_path):
    with fake_llm() as llm:
        text = f'[writing]\nllm_model = "m"\nllm_base_url = "{llm.url}"\npersist_every = 1\n'
        with served(config=_configured(tmp_path, text)) as house:
            llm.hold()
            _say(house.client, TABS)
            waiting = house.service.jobs.run("learning")
            llm.wait_until_asked()
            house.service.jobs.run("tidying").result(30)
            _say(house.client, "And where are the keys?", session="s2")
            assert not waiting.done()
            assert _contents(house.client) == [TABS]
            llm.release()
            waiting.result(30)


@pytest.mark.slow
def test_a_server_answers_while_somebody_waits_for_the_model(tmp_path):
    with fake_llm() as llm:
        text = f'[writing]\nllm_model = "m"\nllm_base_url = "{llm.url}"\npersist_every = 1\n'
        config = _configured(tmp_path, f"{text}[server]\nthreads = 1\n")
        environment = {"TACIT_CONFIG": str(config)}
        with running(tmp_path / "m.db", environment=environment) as server:
            llm.hold()
            learned = []
            with server.client() as client, server.client() as other:
                _say(client, TABS)
                llm.wait_until_asked()
                asking = threading.Thread(target=lambda: learned.append(_learn(other)))
                asking.start()
                for _ in range(20):
                    assert _contents(client) == [TABS]
                assert learned == []
                llm.release()
                asking.join(60)
            assert len(learned) == 1


def test_a_server_that_starts_learns_what_was_left_waiting(tmp_path):
    _leave_waiting(tmp_path / "m.db", "default")
    with running(tmp_path / "m.db") as server, server.client() as client:
        assert _eventually(lambda: _contents(client) == [TABS])


def test_the_next_turn_goes_by_settings_that_changed(tmp_path):
    config = _configured(tmp_path, "")
    with served(config=config) as house:
        client = house.client
        for is_on in (False, True, False):
            changed = client.put("/v1/settings", json={"writing": {"learn": is_on}})
            assert changed.json()["tables"]["writing"]["learn"]["value"] is is_on
            _say(client, TABS)
            assert _learn(client)["turns"] == int(is_on)
        config.write_text('[writing]\nwrite_policy = "review"\n')
        _say(client, "I never drink coffee after noon")
        (lesson,) = _learn(client)["lessons"]
        assert lesson["verdict"] == "proposed"
        (review,) = client.get("/v1/reviews").json()["items"]
        assert review["id"] == lesson["memory"]
        assert _contents(client) == [TABS]


def test_a_setting_that_is_no_text_is_refused(house):
    answer = house.client.put("/v1/settings", json={"writing": {"llm_model": 7}})
    assert (answer.status_code, answer.json()["field"]) == (422, "writing.llm_model")


def test_a_client_has_the_same_calls(tmp_path):
    _leave_waiting(tmp_path / "m.db", "north")
    with running(tmp_path / "m.db") as server, Tacit.connect(server.url) as tacit:
        north = tacit.workspace.open("north")
        assert north.extract(TABS).findings[0].content == TABS
        north.learn()
        assert [each.content for each in north.list()] == [TABS]
        assert north.learn().turns == 0
        assert north.end_session("s1") == 0


def _leave_waiting(path, workspace):
    """A store in which somebody said something, and the process died before it was read."""
    store = SqliteStore.open(path)
    with store.write(workspace) as unit:
        unit.heard.add(CapturedTurn(id=NEW_TURN, session="s1", at=START, said=(TABS,)))
    store.close()


def _eventually(holds):
    pause = threading.Event()
    return any(holds() or pause.wait(0.05) for _ in range(600))


def _set_aside(house, said, headers=None, **places):
    turn = _say(house.client, said, headers=headers, **places)
    with house.tacit._context.store.write("default") as unit:
        unit.heard.set_aside([turn], "RecursionError: too deep")
    return turn


def test_what_could_not_be_read_is_decided_over_the_api(house):
    first, second = _set_aside(house, TABS), _set_aside(house, "My dog is called Rex")
    listed = house.client.get("/v1/learn/unread").json()["items"]
    assert [(each["id"], each["said"]) for each in listed] == [
        (first, TABS),
        (second, "My dog is called Rex"),
    ]
    assert listed[0]["problem"] == "RecursionError: too deep"
    retry = f"/v1/learn/unread/{first}/retry"
    assert house.client.post(retry).status_code == 204
    assert house.client.delete(f"/v1/learn/unread/{second}").status_code == 204
    assert house.client.get("/v1/learn/unread").json()["items"] == []
    assert house.client.post(retry).status_code == 404
    _learn(house.client)
    assert _contents(house.client) == [TABS]


def test_only_the_person_who_spoke_decides_what_could_not_be_read(tmp_path):
    with served(tmp_path / "m.db") as house:
        whose = {"ann": {"user": "ann"}, "bob": {"user": "bob"}, "agent": {"agent": "bot"}}
        keys = {name: house.key("write", **who) for name, who in whose.items()}
        turn = _set_aside(house, TABS, headers=keys["ann"])
        asked = {
            name: (
                len(house.client.get("/v1/learn/unread", headers=key).json()["items"]),
                house.client.delete(f"/v1/learn/unread/{turn}", headers=key).status_code,
            )
            for name, key in sorted(keys.items(), reverse=True)
        }
        assert asked == {"bob": (0, 404), "ann": (1, 204), "agent": (0, 403)}
