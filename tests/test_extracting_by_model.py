"""`extract(…, with_model=True)`: what a model adds to the rules, in the library and at a server."""

import json

import pytest

from tacit import InvalidInput, Tacit
from tacit.core.errors import ModelUnavailable, NotAllowed
from tests.fake_llm import Reply, fake_llm, note, notes
from tests.serving import running

RULED = "I prefer tea to coffee."
TOLD = "Marguerite waters the ferns."
SAID = f"{RULED} {TOLD}"
ANSWER = notes(
    note("The user prefers tea to coffee", RULED, type="preference"),
    note("The ferns are watered by Marguerite", TOLD, confidence=0.5),
    note("The user owns a boat in Hull", "I own a boat in Hull"),
)


@pytest.fixture
def llm():
    with fake_llm(ANSWER, tokens=77) as llm:
        yield llm


@pytest.fixture
def config(tmp_path, llm):
    """A settings file with a model, and what else it says."""

    def write(**more):
        values = {"llm_model": "small", "llm_base_url": llm.url, **more}
        lines = [f"{name} = {json.dumps(value)}" for name, value in values.items()]
        path = tmp_path / "tacit.toml"
        path.write_text("\n".join(["[writing]", *lines, ""]))
        return path

    return write


@pytest.fixture(params=["library", "server"])
def tacit(request, tmp_path, config):
    path = tmp_path / "memory.db"
    if request.param == "library":
        with Tacit.open(path, config=config()) as tacit:
            yield tacit
    else:
        with (
            running(path, environment={"TACIT_CONFIG": str(config())}) as server,
            Tacit.connect(server.url) as tacit,
        ):
            yield tacit


def test_what_the_model_adds_comes_with_what_the_rules_found(tacit, llm):
    found = tacit.extract(SAID, with_model=True)
    assert (found.model.name, found.model.tokens, found.model.problem) == ("small", 77, None)
    assert [(each.finding.content, each.found_by_rules) for each in found.model.findings] == [
        ("The user prefers tea to coffee", True),
        ("The ferns are watered by Marguerite", False),
    ]
    assert [each.verdict for each in found.model.refused] == ["unfounded"]
    assert len(llm.asked) == 1
    alone = tacit.extract(SAID)
    assert (alone.model, alone.findings) == (None, found.findings)
    assert len(llm.asked) == 1
    assert tacit.list() == []


def test_secrets_are_not_sent_to_the_model(tacit, llm):
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    tacit.extract(f"{TOLD} The token is {token}.", with_model=True)
    assert token not in llm.asked[0].prompt


def test_an_answer_that_cannot_be_used_is_a_problem_and_no_error(tacit, llm):
    llm.answer = lambda asked: "nothing to note"
    found = tacit.extract(SAID, with_model=True)
    assert "no JSON" in found.model.problem
    assert found.findings


def test_a_model_that_does_not_answer_is_an_error_that_costs_nothing(tacit, llm):
    llm.answer = lambda asked: Reply(status=400)
    with pytest.raises(ModelUnavailable):
        tacit.extract(SAID, with_model=True)


def test_without_a_model_it_says_how_to_set_one_up():
    with Tacit.open(":memory:") as tacit, pytest.raises(InvalidInput, match="tacit settings llm"):
        tacit.extract(SAID, with_model=True)


def test_the_tokens_count_among_those_of_the_day(config, llm):
    llm.tokens = 9_000
    with Tacit.open(":memory:", config=config(llm_tokens_per_day=10_000)) as tacit:
        llm.answer = lambda asked: Reply(status=400)
        for _ in range(4):
            with pytest.raises(ModelUnavailable):
                tacit.extract(SAID, with_model=True)
        llm.answer = lambda asked: ANSWER
        tacit.extract(SAID, with_model=True)
        with pytest.raises(InvalidInput, match="llm_tokens_per_day"):
            tacit.extract(SAID, with_model=True)
        assert tacit.extract(SAID).findings


def test_a_readers_key_spends_no_tokens(tmp_path, config, llm):
    path = tmp_path / "memory.db"
    with Tacit.open(path) as tacit:
        tokens = {role: tacit.keys.add(role, role)[1] for role in ("read", "write")}
    with running(path, environment={"TACIT_CONFIG": str(config())}) as server:
        for role, token in tokens.items():
            with Tacit.connect(server.url, token, workspace="default") as remote:
                if role == "read":
                    with pytest.raises(NotAllowed, match="write"):
                        remote.extract(SAID, with_model=True)
                else:
                    assert remote.extract(SAID, with_model=True).model.findings
    assert len(llm.asked) == 1
