"""Fixtures of all frameworks: no test touches the memories of the user, or a network."""

import pytest


@pytest.fixture(autouse=True)
def _own_data_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.delenv("TACIT_DB", raising=False)
    monkeypatch.delenv("TACIT_WORKSPACE", raising=False)
    monkeypatch.setenv("TACIT_EMBEDDER", "none")
