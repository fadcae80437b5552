"""The contract of a store for writes that share a transaction: all are kept, or none."""

from contextlib import suppress

import pytest

from tacit.core.errors import AlreadyKnown
from tacit.store.transactions import call_after_commit, shared_transaction
from tests.support import make_memory


def _put(store, content, workspace="w"):
    memory = make_memory(content)
    with store.write(workspace) as unit:
        unit.memories.insert(memory)
    return memory.id


def _known(store, *ids, workspace="w"):
    with store.read(workspace) as unit:
        return unit.memories.known(ids)


def test_writes_that_share_a_transaction_are_kept_together(store):
    begun, over = [], []
    with shared_transaction("w", begun.append):
        assert begun == []
        one = _put(store, "one")
        call_after_commit(lambda: over.append(_known(store, one)))
        other = _put(store, "other")
        assert _known(store, one, other) == {one, other}
        assert (len(begun), over) == (1, [])
    assert over == [{one}]
    assert _known(store, one, other) == {one, other}


def test_a_write_that_fails_undoes_those_it_shares_a_transaction_with(store):
    with pytest.raises(KeyError), shared_transaction("w", lambda _: None):
        one = _put(store, "one")
        raise KeyError
    assert _known(store, one) == set()


def test_an_error_that_somebody_catches_undoes_the_transaction_all_the_same(store):
    kept = make_memory("kept")
    with pytest.raises(AlreadyKnown), shared_transaction("w", lambda _: None):
        one = _put(store, "one")
        with suppress(AlreadyKnown), store.write("w") as unit:
            unit.memories.insert(kept)
            raise AlreadyKnown("it is there")
    assert _known(store, one, kept.id) == set()


def test_other_workspaces_are_not_part_of_it(store):
    with pytest.raises(KeyError), shared_transaction("w", lambda _: None):
        there, here = _put(store, "there", workspace="v"), _put(store, "here")
        raise KeyError
    assert (_known(store, here), _known(store, there, workspace="v")) == (set(), {there})


def test_a_shared_transaction_in_which_nothing_is_written_never_begins(store):
    with shared_transaction("w", pytest.fail):
        assert _known(store, "x") == set()
    assert "w" not in store.workspaces()
