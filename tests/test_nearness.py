"""Which memories are near a vector, in a workspace in memory and in one that is too large."""

from datetime import timedelta

import pytest

from tacit import FakeEmbedder, Tacit
from tacit.core.kinds import Scope
from tacit.search.filter import Filter
from tacit.settings.server import PostgresSettings
from tacit.store.postgres.store import PostgresStore
from tests.postgres_server import empty_database
from tests.support import START

ORCHARD = "the orchard has apple trees and pear trees"
MEADOW = "the orchard has apple trees and plum trees"
HARBOUR = "ships leave the harbour at noon"


def _vector(text):
    (vector,) = FakeEmbedder().embed([text])
    return vector


def _cosine(one, other):
    return sum(a * b for a, b in zip(_vector(one), _vector(other), strict=True))


def _near(tacit, *texts, limit=10, least=0.5, **conditions):
    filter = Filter(**{"now": START, **conditions})
    vectors = [_vector(text) for text in texts]
    return tacit._context.searcher.nearest(
        tacit.workspace.name, vectors, FakeEmbedder().model, limit, least, filter
    )


def test_what_is_near_comes_best_first_with_its_plain_cosine(tacit):
    orchard, meadow, harbour = (tacit.remember(text).id for text in (ORCHARD, MEADOW, HARBOUR))
    near, far = _near(tacit, ORCHARD, HARBOUR)
    assert [id for id, _ in near] == [orchard, meadow]
    assert [id for id, _ in far] == [harbour]
    assert near[0][1] == pytest.approx(1.0, abs=1e-3)
    assert near[1][1] == pytest.approx(_cosine(ORCHARD, MEADOW), abs=1e-3)


def test_least_and_limit_are_kept(tacit):
    tacit.memories.remember_all([ORCHARD, MEADOW, HARBOUR])
    between = (1 + _cosine(ORCHARD, MEADOW)) / 2
    assert [len(near) for near in _near(tacit, ORCHARD, least=-1.0)] == [3]
    assert [len(near) for near in _near(tacit, ORCHARD, least=-1.0, limit=2)] == [2]
    assert [len(near) for near in _near(tacit, ORCHARD, least=between)] == [1]


def test_only_what_is_live_and_passes_the_filter_is_near(tacit):
    gone = tacit.remember(ORCHARD).id
    tacit.remember(ORCHARD, type="event", expires_at=START + timedelta(days=1))
    kept = tacit.remember(ORCHARD, scope="project", scope_id="garden").id
    tacit.forget(gone)
    later = START + timedelta(days=2)
    assert len(_near(tacit, ORCHARD)[0]) == 2
    assert [id for id, _ in _near(tacit, ORCHARD, now=later)[0]] == [kept]
    owned = {"scope": Scope.PROJECT, "scope_id": "garden"}
    assert [id for id, _ in _near(tacit, ORCHARD, **owned)[0]] == [kept]


def test_a_write_is_seen_by_the_next_who_asks(tacit):
    assert _near(tacit, ORCHARD) == [[]]
    written = tacit.remember(ORCHARD).id
    assert [id for id, _ in _near(tacit, ORCHARD)[0]] == [written]
    tacit.edit(written, content=HARBOUR)
    assert _near(tacit, ORCHARD) == [[]]


def test_another_workspace_is_never_near(house):
    house.another("other").remember(ORCHARD)
    assert _near(house.tacit, ORCHARD) == [[]]


def test_without_an_embedder_nothing_is_near(house):
    house.tacit.remember(ORCHARD)
    plain = Tacit(house.store, "default", clock=house.clock)
    assert _near(plain, ORCHARD, HARBOUR) == [[], []]


def _open(url, resident):
    store = PostgresStore.open(url, PostgresSettings(partitions=2, resident_memories=resident))
    return Tacit(store, "default", embedder=FakeEmbedder())


def test_a_large_workspace_answers_like_one_in_memory():
    url = empty_database()
    with _open(url, 10) as there, _open(url, 1_000) as here:
        here.memories.remember_all(
            [f"{ORCHARD}, row {number} of {number * 7}" for number in range(40)]
        )
        here.remember(HARBOUR, scope="org")
        there._context.store.settle("default")
        asked = {"limit": 7, "least": 0.6, "now": here._context.clock()}
        one, other = (_near(each, ORCHARD, HARBOUR, **asked) for each in (there, here))
        assert [len(near) for near in one] == [7, 1]
        for near, twins in zip(one, other, strict=True):
            assert [id for id, _ in near] == [id for id, _ in twins]
            assert [cosine for _, cosine in near] == pytest.approx(
                [cosine for _, cosine in twins], abs=1e-3
            )
        assert _near(there, HARBOUR, **asked, scope=Scope.USER) == [[]]
        assert there._context.searcher._cache.find("default", FakeEmbedder().model) is None
