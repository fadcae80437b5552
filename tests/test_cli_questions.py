"""Before the command line asks, what it asks about is on the screen, whoever wrote the names."""

import io
import json

import pytest
from rich.console import Console

from tacit import FakeEmbedder, Tacit
from tacit.cli.output import make_table

LONG = "x" * 250


@pytest.fixture(params=[40, 80, 200])
def width(request, run, monkeypatch):
    monkeypatch.setenv("COLUMNS", str(request.param))
    return request.param


def _bare(text):
    return "".join(text.split())


def _in_column(text, letters):
    """The letters of a text that are among some, in their order."""
    return "".join(each for each in text if each in letters)


@pytest.mark.parametrize("width", [40, 80, 200])
@pytest.mark.parametrize("headings", [("id", "what", "content"), ("content", "owner", "when")])
def test_no_cell_of_a_table_hides_another(headings, width):
    drawn = make_table(*headings)
    drawn.add_row("a" * 300, "b" * 300, "c" * 300)
    drawn.add_row("d", "e", "f")
    out = io.StringIO()
    Console(file=out, width=width).print(drawn)
    body = out.getvalue().split("\n", 1)[1] if width > 40 else out.getvalue()
    for letter in "abc":
        assert body.count(letter) >= 300
    for letter in "def":
        assert letter in body


def test_an_erasure_shows_the_words_beside_a_long_owner(run, tmp_path, width):
    with Tacit.open(tmp_path / "cli.db", embedder=FakeEmbedder()) as tacit:
        tacit.remember("QQQ" * 30, scope="project", scope_id="z" * 120, agent="w" * 100)
    shown = run("erase", "--contains", "QQQ", "--dry-run")
    assert _in_column(shown.err, "Q") == "QQQ" * 30
    assert _in_column(shown.err, "z").count("z") >= 120


def test_what_would_be_accepted_is_shown_whole(run, tmp_path, width):
    with Tacit.open(tmp_path / "cli.db", embedder=FakeEmbedder()) as tacit:
        kept = tacit.remember("Deploys are on Monday", by="user")
        tacit.edit(kept.memory.id, content=f"Deploys {LONG} EVILTEXT", by="agent")
        assert len(tacit.reviews.list()) == 1
    asked = run("review", "accept", "--all")
    assert asked.code != 0
    assert "EVILTEXT" in _bare(asked.err)
    assert "Accept all 1?" in asked.err


def test_a_change_of_a_clients_file_is_shown_whole(run, tmp_path, monkeypatch, width):
    folder = tmp_path / "repository"
    (folder / ".claude").mkdir(parents=True)
    monkeypatch.chdir(folder)
    written = {"a": "y" * 400 + "THEEND", "hooks": {}}
    (folder / ".claude" / "settings.json").write_text(json.dumps(written))
    shown = run("install", "claude-code", "--project", "--dry-run")
    assert "THEEND" in shown.out
