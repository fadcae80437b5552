"""Episodes in archives, in migrations, and when they are given to another user or project."""

import io
import json

import pytest

from tacit import FakeEmbedder, Tacit, migrate
from tacit.core.episodes import to_episode_id
from tacit.core.permissions import Viewer
from tacit.core.projects import Checkout
from tacit.settings.config import Config
from tacit.store.episodes import EpisodeRecord, EpisodeTable
from tacit.store.workspaces import episodes_workspace
from tests.support import CountedIds, HandClock, next_id

pytestmark = pytest.mark.episodes

CASHEWS = "Oh wait, I should mention that I am allergic to cashews, and Jonas is vegetarian."
HARBOUR = "The boat of my brother lies in the old harbour since last week."


def _open(store, workspace="default", **options):
    return Tacit(
        store,
        workspace,
        embedder=FakeEmbedder(),
        clock=HandClock(),
        config=Config(),
        **options,
    )


def _say(tacit, text, **asked):
    tacit.turn(text=text, **{"session": "s", "user": "ann", **asked}).commit("Noted.")
    tacit.learn()
    tacit._context.clock.advance(days=1)


def _records(tacit):
    """All that is kept of what was said."""
    with tacit._context.store.read(episodes_workspace(tacit.workspace.name)) as unit:
        return [EpisodeRecord.of(row) for row in EpisodeTable(unit).scan(None, 1_000)]


@pytest.fixture
def said(store):
    """Episodes of two users and of nobody, linked to memories and to each other."""
    tacit = _open(store, new_id=CountedIds())
    _say(tacit, "My name is Ann Brown, by the way, and I paint boats.")
    _say(tacit, CASHEWS, project="shop", agent="coder")
    _say(tacit, HARBOUR, user="bob", session="his")
    _say(tacit, "The garden behind the house has three apple trees.", user=None, session="t")
    first, *_, last = _records(tacit)
    with store.write(episodes_workspace("default")) as unit:
        table = EpisodeTable(unit)
        table.note_replaced(first.episode.id, last.episode.id)
        table.note_replaced(first.episode.id, last.episode.id, in_part=True)
        table.set_forgotten(last.episode.id, forgotten=True)
    return tacit


def _exported(tacit, **options):
    file = io.BytesIO()
    tacit.archive.export_to(file, **options)
    return file.getvalue()


def _import(tacit, data, **options):
    return tacit.archive.import_from(io.BytesIO(data), **options)


def test_an_archive_carries_episodes_with_their_links_times_keys_and_state(said, store):
    kept = _records(said)
    assert any(each.learned for each in kept)
    assert any(each.replaced_by and each.corrected_by for each in kept)
    assert any(each.episode.forgotten for each in kept)
    other = _open(store, "elsewhere")
    report = _import(other, _exported(said, embeddings=True), accept_rules=True)
    assert (report.counts["episodes"], report.rejected) == (len(kept), ())
    assert _records(other) == kept
    assert (
        _exported(other, embeddings=True).split(b"\n")[1:]
        == (_exported(said, embeddings=True).split(b"\n")[1:])
    )


def test_an_archive_that_is_imported_twice_adds_nothing(said, store):
    other = _open(store, "elsewhere")
    _import(other, _exported(said))
    kept = _records(other)
    report = _import(other, _exported(said))
    assert "episodes" not in report.counts
    assert report.rejected == ()
    assert _records(other) == kept


def test_what_was_learned_of_an_episode_is_what_is_known_here(said, store):
    other = _open(store, "elsewhere")
    (memory,) = [each for each in said.list() if "Ann Brown" in each.content]
    twin = other.remember(
        memory.content, type=memory.type, key=memory.key, scope="user", scope_id="ann"
    )
    _import(other, _exported(said))
    learned = [id for each in _records(other) for id in each.learned]
    assert twin.id in learned
    assert memory.id not in learned


def test_a_line_that_is_no_whole_episode_is_rejected_and_the_rest_comes_in(said, store):
    header, *lines = [json.loads(line) for line in _exported(said).splitlines()]
    whole = next(line for line in lines if line["kind"] == "episode")
    broken = [
        {**whole, "id": next_id()},
        {**whole, "id": to_episode_id(next_id()), "text": 3},
        {**whole, "id": to_episode_id(next_id()), "session": ""},
        {name: value for name, value in whole.items() if name != "message_key"},
        {**whole, "text": "Other words under the same id"},
    ]
    data = b"\n".join(json.dumps(each).encode() for each in (header, whole, *broken))
    report = _import(_open(store, "elsewhere"), data)
    assert report.counts == {"episodes": 1}
    assert [each.line for each in report.rejected] == [3, 4, 5, 6, 7]


def test_secrets_in_the_episodes_of_an_archive_do_not_come_in(said, store):
    key = "sk-ant-api03-" + "Zx9" * 31 + "AA"
    header, *lines = [json.loads(line) for line in _exported(said, embeddings=True).splitlines()]
    for line in lines:
        if line["kind"] == "episode":
            line["text"] = f"{line['text']} My key is {key}."
    data = b"\n".join(json.dumps(each).encode() for each in (header, *lines))
    other = _open(store, "elsewhere")
    _import(other, data)
    assert len(_records(other)) == len(_records(said))
    assert not any(key in each.episode.text for each in _records(other))
    assert key.encode() not in _exported(other)
    assert not any(
        line.get("memory", "")[14:15] == "8"
        for line in map(json.loads, _exported(other, embeddings=True).splitlines())
    )


def test_an_import_for_one_user_takes_in_what_that_user_said_only(said, store):
    other = _open(store, "elsewhere")
    report = _import(other, _exported(said), only_for=Viewer(user="ann"))
    assert {each.episode.user for each in _records(other)} == {"ann"}
    assert report.counts["episodes"] == 2
    coder = _open(store, "coders")
    _import(coder, _exported(said), only_for=Viewer(agent="coder"))
    assert _records(coder) == []


def test_an_archive_without_episodes_is_imported_as_before(said, store):
    lines = [line for line in _exported(said).splitlines() if b'"kind": "episode"' not in line]
    other = _open(store, "elsewhere")
    assert _import(other, b"\n".join(lines)).rejected == ()
    assert _records(other) == []
    assert other.count() == said.count()


def test_an_imported_episode_is_found_and_shown(said, store):
    other = _open(store, "elsewhere")
    _import(other, _exported(said))
    turn = other.turn(
        session="new",
        user="ann",
        project="shop",
        text="Who is allergic to cashews?",
        contextual_min_score=0.0,
    )
    assert "cashews" in turn.block


def test_a_migration_copies_and_compares_what_was_said(tmp_path):
    with Tacit.open(tmp_path / "a.db", embedder=FakeEmbedder(), clock=HandClock()) as tacit:
        _say(tacit, CASHEWS)
        _say(tacit, HARBOUR)
        first, second = _records(tacit)
        with tacit._context.store.write(episodes_workspace("default")) as unit:
            EpisodeTable(unit).note_replaced(first.episode.id, second.episode.id)
        tacit.erase(second.episode.id)
        kept = _records(tacit)
    stages = []
    report = migrate(
        tmp_path / "a.db", tmp_path / "b.db", progress=lambda stage, *_: stages.append(stage)
    )
    assert report.is_complete
    (workspace,) = report.workspaces
    kinds = {kind.name: (kind.source, kind.target, kind.copied) for kind in workspace.kinds}
    assert kinds["episodes"] == (1, 1, 1)
    assert kinds["audit entries of episodes"] == (1, 1, 1)
    assert any(name.startswith("vectors of") and "episodes" in name for name in kinds)
    assert "copying episodes of default" in stages
    again = migrate(tmp_path / "a.db", tmp_path / "b.db")
    assert {kind.copied for kind in again.workspaces[0].kinds} == {0}
    with Tacit.open(tmp_path / "b.db", embedder=FakeEmbedder(), clock=HandClock()) as moved:
        assert _records(moved) == kept
        assert list(moved.workspace.names()) == ["default"]
        assert (
            "cashews"
            in moved.turn(
                session="n",
                user="ann",
                text="Who is allergic to cashews?",
                contextual_min_score=0.0,
            ).block
        )


def test_all_that_nobody_is_named_for_is_assigned_with_what_was_said(said):
    assert said.memories.assign("cid", dry_run=True).episodes == 1
    done = said.memories.assign("cid")
    assert done.episodes == 1
    assert "1 episode assigned to cid" in done.lines
    assert [each.episode.user for each in _records(said)].count("cid") == 1
    assert said.memories.assign("cid").episodes == 0
    assert said.memories.assign("cid", from_user="bob").episodes == 1
    assert said.memories.assign("cid", from_user="ann", types=["fact"]).episodes == 0
    assert said.memories.assign("cid", ids=[said.list(user="ann")[0].id]).episodes == 0
    assert {each.episode.user for each in _records(said)} == {"ann", "cid"}


def test_a_message_that_the_new_owner_has_already_is_not_kept_twice(store):
    tacit = _open(store)
    for user in (None, "ann"):
        _say(tacit, CASHEWS, user=user, history=[])
    assert len(_records(tacit)) == 2
    assert tacit.memories.assign("ann").episodes == 1
    assert [each.episode.user for each in _records(tacit)] == ["ann"]


def test_what_was_said_in_a_folder_that_joins_a_project_goes_along(store):
    tacit = _open(store)
    here = Checkout(path="/home/ann/shop", host="a")
    own = tacit.projects.match(here).project
    _say(tacit, CASHEWS, project=own)
    _say(tacit, HARBOUR, project="barn")
    tacit.remember("The market is open", scope="project", scope_id="market")
    tacit.projects.join(here, "market")
    assert [each.episode.project for each in _records(tacit)] == ["market", "barn"]
