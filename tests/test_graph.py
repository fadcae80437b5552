"""The memories around one: how far, in which order, and as whom; and many at once."""

import pytest

from tacit.core.errors import InvalidInput, NotFound


@pytest.fixture
def chain(tacit):
    """Four memories in a row, related in both directions."""
    ids = [each.id for each in tacit.memories.remember_all(["well", "pump", "pipe", "tap"])]
    tacit.memories.link(ids[0], ids[1])
    tacit.memories.link(ids[2], ids[1], "part_of")
    tacit.memories.link(ids[2], ids[3], "caused_by")
    return ids


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_what_is_so_many_steps_away_is_found_nearest_first(tacit, chain, depth):
    found = tacit.memories.graph(chain[0], depth=depth)
    assert [each.id for each in found.nodes] == chain[: depth + 1]
    assert len(found.edges) == depth


def test_edges_are_between_the_memories_that_are_shown(tacit, chain):
    found = tacit.memories.graph(chain[0], depth=3, limit=2)
    assert [each.id for each in found.nodes] == chain[:2]
    assert [(each.source, each.target) for each in found.edges] == [(chain[0], chain[1])]


def test_what_was_forgotten_is_left_out(tacit, chain):
    tacit.forget(chain[2])
    assert [each.id for each in tacit.memories.graph(chain[1], depth=2).nodes] == [
        chain[1],
        chain[0],
    ]


def test_an_agent_does_not_see_what_is_anothers_own(tacit, chain):
    own = tacit.remember("the key to the pump", agent="planner").id
    tacit.memories.link(chain[1], own)
    for agent, is_seen in (("planner", True), ("coder", False), (None, True)):
        found = tacit.memories.graph(chain[1], agent=agent)
        assert (own in {each.id for each in found.nodes}) is is_seen
    with pytest.raises(NotFound, match=own):
        tacit.memories.graph(own, agent="coder")


@pytest.mark.parametrize("depth", [0, 5])
def test_a_depth_out_of_range_is_refused(tacit, chain, depth):
    with pytest.raises(InvalidInput, match="1 to 4"):
        tacit.memories.graph(chain[0], depth=depth)


def test_many_are_read_at_once_in_the_order_they_are_asked_for(tacit, chain):
    nobody = "01890a5d-ac96-774b-bcce-b302099a8057"
    asked = [chain[2], nobody, chain[0], chain[2].upper(), chain[1]]
    tacit.forget(chain[1])
    read = tacit.memories.get_all(asked)
    assert list(read) == [chain[2], chain[0]]
    assert read[chain[0]] == tacit.get(chain[0])
    assert tacit.memories.get_all(chain[:1] * 1_001).keys() == {chain[0]}


def test_many_are_forgotten_and_restored_at_once_or_not_at_all(tacit, chain):
    nobody = "01890a5d-ac96-774b-bcce-b302099a8057"
    with pytest.raises(NotFound, match=nobody):
        tacit.memories.forget_all([chain[0], nobody])
    assert tacit.get(chain[0]).content == "well"
    assert [str(each.status) for each in tacit.memories.forget_all(chain[:2])] == ["forgotten"] * 2
    assert {each.id for each in tacit.list()} == set(chain[2:])
    assert [str(each.status) for each in tacit.memories.restore_all(chain[:2])] == ["restored"] * 2
    assert {each.id for each in tacit.list()} == set(chain)
