"""What every backend knows of memories that may contradict each other."""

from dataclasses import replace

import pytest

from tacit.language.terms import signed_term_code
from tests.support import make_memory

LOWEST = -(1 << 63)


def _keep(store, claims, *memories, workspace="default"):
    with store.write(workspace) as unit:
        for memory in memories:
            unit.memories.insert(memory)
            unit.claims.put(memory.id, claims)


def _shared(store, start=LOWEST, limit=99, workspace="default"):
    with store.read(workspace) as unit:
        return unit.claims.shared(start, limit)


def _keys(store, workspace="default"):
    with store.read(workspace) as unit:
        return unit.claims.shared_keys()


def test_a_shared_claim_names_those_that_make_it_and_their_owners(store):
    one, two, three = make_memory("one"), make_memory("two", scope="org"), make_memory("three")
    _keep(store, ["x", "alone"], one)
    _keep(store, ["x", "y"], two)
    _keep(store, ["y"], three)
    expected = {
        signed_term_code("x"): [(one.id, ("user", "")), (two.id, ("org", ""))],
        signed_term_code("y"): [(two.id, ("org", "")), (three.id, ("user", ""))],
    }
    assert _shared(store) == sorted(expected.items())


def test_shared_claims_come_in_pages_by_their_codes(store):
    claims = [f"claim {number}" for number in range(7)]
    _keep(store, claims, make_memory("one"), make_memory("two"))
    codes = sorted(map(signed_term_code, claims))
    assert [code for code, _ in _shared(store, limit=3)] == codes[:3]
    assert [code for code, _ in _shared(store, start=codes[2], limit=3)] == codes[2:5]
    assert [code for code, _ in _shared(store, start=codes[6])] == codes[6:]
    assert _shared(store, start=codes[6] + 1) == []


@pytest.mark.parametrize("gone", [{"forgotten": True}, {"superseded_by": make_memory().id}])
def test_what_is_no_longer_said_makes_no_claim_and_holds_no_key(store, gone):
    here, past = make_memory("here", key="a"), make_memory("past", key="a")
    _keep(store, ["x"], here, past)
    assert _keys(store) == [("a", [here.id, past.id])]
    with store.write("default") as unit:
        unit.memories.update(replace(past, **gone))
    assert _shared(store) == [(signed_term_code("x"), [(here.id, ("user", ""))])]
    assert _keys(store) == []


def test_a_page_goes_on_behind_claims_that_nobody_makes_any_more(store):
    past = [make_memory(name, forgotten=True) for name in ("one", "two")]
    _keep(store, ["x"], *past)
    assert _shared(store) == [(signed_term_code("x"), [])]


def test_keys_are_shared_by_memories_of_one_owner(store):
    mine = [make_memory(f"mine {n}", key="k", agent=agent) for n, agent in enumerate((None, "a"))]
    project = [make_memory(f"p {n}", key="k", scope="project", scope_id="p") for n in range(2)]
    others = [make_memory("theirs", key="k", scope_id="u"), make_memory("b", key="b")]
    _keep(store, [], *mine, *project, *others, make_memory("one"), make_memory("two"))
    assert _keys(store) == [("k", [each.id for each in pair]) for pair in (project, mine)]


def test_another_workspace_shares_nothing(store):
    _keep(store, ["x"], make_memory("one", key="k"))
    _keep(store, ["x"], make_memory("two", key="k"), workspace="other")
    assert _shared(store) == _shared(store, workspace="other") == []
    assert _keys(store) == _keys(store, workspace="other") == []
