"""The contract of a store for walking along associations."""

from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.core.kinds import Relation
from tacit.core.memory import Association
from tacit.search.candidates import FOLLOWED_RELATIONS, RELATION_WEIGHTS, walk_graph
from tests.properties import examples
from tests.support import make_memory, next_id

IDS = tuple(sorted(next_id() for _ in range(6)))
EDGES = st.dictionaries(
    st.tuples(st.sampled_from(IDS), st.sampled_from(IDS), st.sampled_from(list(Relation))).filter(
        lambda edge: edge[0] != edge[1]
    ),
    st.sampled_from([0.25, 0.5, 1.0]),
    max_size=14,
)


def _keep(store, edges):
    """Have these memories and edges in the workspace, and no others."""
    with store.write("default") as unit:
        known = unit.memories.get(IDS)
        for id in IDS:
            if id not in known:
                unit.memories.insert(make_memory(id, id=id))
            unit.associations.clear(id)
        for edge in edges:
            unit.associations.put(edge)


def _edges(drawn):
    return [
        Association(source=source, target=target, relation=relation, weight=weight)
        for (source, target, relation), weight in sorted(drawn.items())
    ]


def _at(edges, ids):
    return [edge for edge in edges if edge.source in ids or edge.target in ids]


def _within(edges, ids, depth, relations):
    """The definition: every step goes over all edges of the relations at what was reached."""
    reached = set(ids) if depth > 0 else set()
    for _ in range(depth - 1):
        walked = [edge for edge in _at(edges, reached) if edge.relation in relations]
        reached |= {id for edge in walked for id in (edge.source, edge.target)}
    return _at(edges, reached)


def _walk(edges, seeds, depth):
    """The definition: every step looks at the edges of what the last one reached."""
    reached, walked, frontier = {}, set(seeds), dict(seeds)
    for _ in range(depth):
        onward = {}
        for edge in _at(edges, frontier):
            for here, there in ((edge.source, edge.target), (edge.target, edge.source)):
                if here in frontier and there not in seeds and edge.relation in RELATION_WEIGHTS:
                    strength = frontier[here] * edge.weight * RELATION_WEIGHTS[edge.relation]
                    reached[there] = max(reached.get(there, 0.0), strength)
                    if edge.relation in FOLLOWED_RELATIONS and there not in walked:
                        onward[there] = max(onward.get(there, 0.0), strength)
        walked |= onward.keys()
        frontier = onward
    return reached


@settings(max_examples=examples(10, 40))
@given(EDGES, st.sets(st.sampled_from(IDS)), st.integers(0, 4), st.sets(st.sampled_from(Relation)))
def test_edges_within_some_steps_are_those_that_one_step_after_another_finds(
    store, drawn, ids, depth, relations
):
    edges = _edges(drawn)
    _keep(store, edges)
    with store.read("default") as unit:
        found = unit.associations.within(sorted(ids), depth, relations)
    assert found == _within(edges, ids, depth, relations)


@settings(max_examples=examples(10, 40))
@given(EDGES, st.dictionaries(st.sampled_from(IDS), st.sampled_from([0.5, 0.9])), st.integers(0, 4))
def test_a_walk_reaches_what_one_step_after_another_reaches(store, drawn, seeds, depth):
    edges = _edges(drawn)
    _keep(store, edges)
    with store.read("default") as unit:
        assert walk_graph(unit, seeds, depth) == _walk(edges, seeds, depth)


def test_nothing_is_walked_in_another_workspace(store):
    _keep(store, [Association(source=IDS[0], target=IDS[1])])
    with store.read("theirs") as unit:
        assert unit.associations.within(IDS, 3, FOLLOWED_RELATIONS) == []


@settings(max_examples=examples(10, 200))
@given(drawn=EDGES, relation=st.sampled_from(list(Relation)))
def test_the_edges_of_a_relation_are_all_of_them_in_order(store, drawn, relation):
    edges = _edges(drawn)
    _keep(store, edges)
    with store.read("default") as unit:
        found = unit.associations.of_relation(relation)
    assert found == [edge for edge in edges if edge.relation is relation]
