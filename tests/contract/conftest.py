"""The contract holds for every backend, so its tests run on all of them.

A test takes six times as long on PostgreSQL as on another: `make test-slow` runs those.
"""

import pytest

from tests.support import open_backend

_BACKENDS = (
    "sqlite",
    "memory",
    pytest.param("postgres", marks=pytest.mark.other_store),
)


@pytest.fixture(params=_BACKENDS)
def store(request, tmp_path):
    """An empty store of each backend; SQLite's in a file and in memory."""
    store = open_backend(request.param, tmp_path)
    yield store
    store.close()
