"""Tokens of memories and documents are made in the background, and what was left is taken up."""

import threading
import time

import numpy as np
import pytest

from tacit import EmbeddingReport, FakeEmbedder, Tacit, migrate
from tacit.api import background_encoding
from tacit.settings.config import Config
from tacit.settings.search import LateInteraction, SearchSettings
from tests.support import open_backend

PATIENCE = 60.0

pytestmark = pytest.mark.encodes


class WatchedEmbedder(FakeEmbedder):
    """Notes whose tokens it makes; it waits while its gate is closed, and some texts break it."""

    def __init__(self):
        super().__init__()
        self.encoded = []
        self.begun = threading.Event()
        self.gate = threading.Event()
        self.gate.set()

    def embed_tokens(self, texts):
        self.begun.set()
        assert self.gate.wait(PATIENCE)
        self.encoded += [each.text for each in texts]
        made = super().embed_tokens(texts)
        return [
            rows * np.nan if "unusable" in each.text else rows
            for each, rows in zip(texts, made, strict=True)
        ]


@pytest.fixture
def embedder():
    return WatchedEmbedder()


@pytest.fixture
def opened(tmp_path, embedder, monkeypatch):
    """Opens Tacits on one database that take nothing up; they are closed with the test."""
    monkeypatch.setattr(background_encoding, "_START_SECONDS", 10 * PATIENCE)
    made = []

    def open(**others):
        made.append(Tacit.open(tmp_path / "m.db", **{"embedder": embedder, **others}))
        return made[-1]

    yield open
    embedder.gate.set()
    for each in made:
        each.close()


def _encoded(tacit):
    return sum(tacit.workspace.stats().counts.token_codes.values())


def _await(check):
    end = time.monotonic() + PATIENCE
    while not check():
        assert time.monotonic() < end
        time.sleep(0.01)


def _count_background(tacit):
    """How many texts have tokens once the background has done what was scheduled."""
    tacit._context.shared.encoding_worker.submit(lambda: True).result(PATIENCE)
    return _encoded(tacit)


def test_what_is_written_gets_its_tokens_in_the_background(opened, embedder):
    tacit = opened()
    first = tacit.remember("The API speaks gRPC").memory
    tacit.remember("Deploys happen on Tuesdays")
    _await(lambda: _encoded(tacit) == 2)
    embedder.gate.clear()
    tacit.edit(first.id, content="The API speaks REST", by="user")
    assert _encoded(tacit) == 1
    embedder.gate.set()
    _await(lambda: _encoded(tacit) == 2)


def test_what_was_written_without_a_model_is_taken_up_when_a_process_lives_on(opened, monkeypatch):
    with opened(embedder="none") as plain:
        plain.remember("The API speaks gRPC")
        plain.workspace.open("other").remember("Deploys happen on Tuesdays")
    monkeypatch.setattr(background_encoding, "_START_SECONDS", 0.01)
    tacit = opened()
    other = tacit.workspace.open("other")
    _await(lambda: _encoded(tacit) == 1)
    _await(lambda: _encoded(other) == 1)
    with opened(embedder="none") as plain:
        plain.workspace.open("third").remember("Ann drinks tea")
    third = tacit.workspace.open("third")
    _await(lambda: _encoded(third) == 1)


def test_a_process_that_ends_at_once_encodes_nothing_and_does_not_wait(
    opened, embedder, monkeypatch
):
    monkeypatch.setattr(background_encoding, "_GATHER_SECONDS", 10 * PATIENCE)
    with opened() as tacit:
        tacit.remember("The API speaks gRPC")
    with opened() as tacit:
        assert _encoded(tacit) == 0
    assert embedder.encoded == []


def test_a_process_that_ends_leaves_the_rest_to_the_next(opened, embedder):
    tacit = opened()
    embedder.gate.clear()
    tacit.memories.remember_all([f"Statement {number}" for number in range(200)])
    assert embedder.begun.wait(PATIENCE)
    ending = threading.Thread(target=tacit.close)
    ending.start()
    _await(lambda: tacit._context.shared.encoding_worker.is_over)
    embedder.gate.set()
    ending.join(PATIENCE)
    assert 0 < len(embedder.encoded) < 20
    again = opened()
    left = 200 - _encoded(again)
    assert left > 180
    assert again.archive.embed_missing().tokens == left
    assert _encoded(again) == 200


def test_without_late_interaction_no_tokens_are_made(tmp_path, embedder):
    settings = Config(search=SearchSettings(late_interaction=LateInteraction.OFF))
    with Tacit(
        open_backend("sqlite", tmp_path), "default", embedder=embedder, config=settings
    ) as tacit:
        tacit.remember("The API speaks gRPC")
        assert tacit.archive.embed_missing().tokens == 0
        assert _count_background(tacit) == 0
    assert embedder.encoded == []


def test_a_changed_setting_is_followed(opened, tmp_path):
    file = tmp_path / "tacit.toml"
    file.write_text('[search]\nlate_interaction = "off"\n')
    tacit = opened(config=file)
    tacit.remember("The API speaks gRPC")
    assert _count_background(tacit) == 0
    file.write_text('[search]\nlate_interaction = "auto"\n')
    _await(lambda: tacit.archive.embed_missing().tokens == 1)


def test_a_large_workspace_does_not_hold_up_what_is_written_to_another(opened, embedder):
    tacit = opened()
    embedder.gate.clear()
    tacit.memories.remember_all([f"Statement {number}" for number in range(300)])
    assert embedder.begun.wait(PATIENCE)
    tacit.workspace.open("other").remember("Ann drinks tea")
    embedder.gate.set()
    _await(lambda: _encoded(tacit) == 300)
    assert embedder.encoded.index("Ann drinks tea") < 200


def test_the_newest_memories_get_their_tokens_first(opened, embedder):
    with opened(embedder="none") as plain:
        plain.memories.remember_all([f"Statement {number}" for number in range(200)])
    opened().archive.embed_missing(stage="tokens")
    assert set(embedder.encoded[:64]) == {f"Statement {number}" for number in range(136, 200)}


def test_a_text_whose_tokens_cannot_be_used_holds_up_no_other(opened, embedder):
    tacit = opened()
    bad = [tacit.remember(f"unusable {number}").memory for number in range(80)]
    tacit.remember("The API speaks gRPC")
    tacit.archive.embed_missing()
    tacit.remember("Ann drinks tea")
    tacit.archive.embed_missing()
    assert _encoded(tacit) == 2
    assert len(embedder.encoded) == 82
    tacit.edit(bad[0].id, content="Bob drinks coffee", by="user")
    tacit.archive.embed_missing()
    assert _encoded(tacit) == 3


def test_an_embedder_that_fails_is_tried_again_with_the_next_write(opened, embedder, caplog):
    tacit = opened()
    embedder.embed_tokens, works = lambda _: [], embedder.embed_tokens
    tacit.remember("The API speaks gRPC")
    _await(lambda: "kept without tokens: hashed-words" in caplog.text)
    embedder.embed_tokens = works
    tacit.remember("Ann drinks tea")
    _await(lambda: _encoded(tacit) == 2)


def test_tokens_are_made_anew_from_an_archive_and_after_a_migration(opened, embedder, tmp_path):
    tacit = opened()
    tacit.memories.remember_all([f"Statement {number}" for number in range(3)])
    tacit.archive.embed_missing()
    tacit.archive.export_to(tmp_path / "all.jsonl", embeddings=True)
    tacit.close()
    migrate(tmp_path / "m.db", tmp_path / "moved.db")
    with Tacit.open(tmp_path / "moved.db", embedder=embedder) as moved:
        assert _encoded(moved) == 0
        assert moved.archive.embed_missing().to_dict() == {"vectors": 0, "tokens": 3}
    with Tacit.open(tmp_path / "imported.db", embedder=embedder) as imported:
        imported.archive.import_from(tmp_path / "all.jsonl")
        _await(lambda: _encoded(imported) == 3)


def test_the_background_takes_nothing_from_what_embedding_reports(opened, embedder, monkeypatch):
    with opened(embedder="none") as plain:
        plain.memories.remember_all([f"Statement {number}" for number in range(100)])
    tacit = opened()
    tacit.archive.embed_missing(stage="vectors")
    embedder.gate.clear()
    seen = []
    filling = threading.Thread(
        target=lambda: seen.append(
            tacit.archive.embed_missing(progress=lambda *each: seen.append(each))
        )
    )
    filling.start()
    assert embedder.begun.wait(PATIENCE)
    tacit._context.encoding.schedule()
    embedder.gate.set()
    filling.join(PATIENCE)
    assert seen[-2:] == [("tokens", 100, 100), EmbeddingReport(tokens=100)]


def test_both_stages_tell_their_progress_with_the_total_of_memories_and_documents(opened, tmp_path):
    (tmp_path / "handbook").mkdir()
    for name in ("tea", "coffee"):
        (tmp_path / "handbook" / f"{name}.md").write_text(f"# {name}\n\nWe drink {name}.")
    with opened(embedder="none") as plain:
        plain.memories.remember_all([f"Statement {number}" for number in range(70)])
        plain.documents.add(tmp_path / "handbook")
        plain.documents.index()
    seen = []
    tacit = opened()
    made = tacit.archive.embed_missing(progress=lambda *each: seen.append(each))
    assert (made.vectors, made.tokens) == (72, 72)
    vectors = [each for each in seen if each[0] == "vectors"]
    tokens = seen[len(vectors) :]
    for stage, told in (("vectors", vectors), ("tokens", tokens)):
        assert {each[0] for each in told} == {stage}
        assert {each[2] for each in told} == {72}
        assert [each[1] for each in told] == sorted(each[1] for each in told)
        assert told[-1][1] == 72
    assert tacit.archive.embed_missing(stage="vectors").to_dict() == {"vectors": 0, "tokens": 0}


def test_what_was_learned_has_its_tokens_when_learning_returns(tmp_path, embedder):
    with Tacit.open(tmp_path / "memory.db", embedder=embedder) as tacit:
        turn = tacit.turn(session="s", text="My sister lives in Oslo and I work at Acme.")
        turn.commit("Noted.")
        learned = tacit.learn()
        assert learned.turns == 1
        result = tacit.search("Who lives in Oslo?")
        assert result.hits
        assert result.notes == ()
