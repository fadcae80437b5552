"""The contract holds for every backend, so its tests run on all of them."""

import pytest

from tests.support import BACKENDS, open_backend


@pytest.fixture(params=(*BACKENDS, "sqlite_in_memory"))
def store(request, tmp_path):
    """An empty store of each backend; SQLite's in a file and in memory."""
    store = open_backend(request.param, tmp_path)
    yield store
    store.close()
