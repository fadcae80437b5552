"""`tacit model`."""

import json

import pytest
import typer
from typer.testing import CliRunner

from tacit.cli.maintenance import COMMANDS
from tacit.embedding.minilm.model_files import ModelCache


@pytest.fixture
def model():
    app = typer.Typer()
    app.command("model")(COMMANDS["model"])
    return lambda *arguments: CliRunner().invoke(app, arguments)


def test_pull_leaves_a_model_that_verifies(model):
    pulled = model("pull", "--json")
    assert (pulled.exit_code, pulled.stderr) == (0, "")
    assert json.loads(pulled.stdout)["built"] is True
    assert json.loads(model("verify", "--json").stdout) == {"ok": True, "problems": []}
    assert "answers as it should" in model("verify").stdout


def test_status_shows_what_there_is_and_where(model):
    model("pull")
    shown = json.loads(model("status", "--json").stdout)
    assert shown["folder"] == str(ModelCache.of_user().folder)
    assert shown["bytes"] > 50_000_000
    assert f"{shown['folder']}, {shown['bytes'] / 1e6:.1f} MB" in model("status").stdout
    assert all(source in model("status").stdout for source in shown["sources"])


def test_status_of_nothing_says_how_to_get_it(model, tmp_path, monkeypatch):
    monkeypatch.setenv("TACIT_CACHE", str(tmp_path))
    monkeypatch.setenv("TACIT_MODEL_SOURCE", "/media/models")
    shown = model("status").stdout
    assert "tacit model pull" in shown
    assert "folder /media/models" in shown
    assert not list(tmp_path.iterdir())


def test_verify_fails_where_there_is_no_model(model, tmp_path, monkeypatch):
    monkeypatch.setenv("TACIT_CACHE", str(tmp_path))
    verified = model("verify")
    assert verified.exit_code == 2
    assert "not built" in verified.stdout
    assert json.loads(model("verify", "--json").stdout)["ok"] is False
