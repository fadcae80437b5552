"""Documents: indexed as the files are, found again, and never given when they are out of date."""

import os
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tacit import FakeEmbedder, InvalidInput, NotFound, Tacit
from tacit.core.errors import StoreTooNew
from tacit.core.vectors import EmbeddingModel
from tacit.grounding.documents import index
from tacit.grounding.documents.files import DEEPEST, list_documents, stat_document
from tacit.grounding.documents.results import DocumentFolder
from tacit.settings.config import Config
from tacit.settings.grounding import GroundingSettings
from tacit.store.journal import context_of
from tacit.store.workspaces import documents_workspace
from tests.support import HandClock, open_backend

_MODEL = EmbeddingModel("tiny", 256, "a")
LONG = "\n\n".join(f"Filler paragraph {number} about nothing much." for number in range(60))


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "handbook"
    folder.mkdir()
    _write(folder, "coffee.md", "# Coffee\n\nThe espresso machine is cleaned on Fridays.")
    _write(folder, "deep/deploy.rst", "Deploying\n=========\n\nRun ``make ship`` at dawn.")
    return folder


def _write(folder: Path, name: str, text: str | bytes) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def _sources(tacit, text, limit=3):
    return [hit.source for hit in tacit.documents.search(text, limit).hits]


@pytest.fixture
def read(tacit, folder):
    """A workspace that has read the handbook."""
    tacit.documents.add(folder)
    tacit.documents.index()
    yield tacit
    tacit._context.shared.watcher.close()


def test_a_passage_is_found_with_its_file_its_headings_and_its_lines(read, folder):
    hit = read.documents.search("who cleans the espresso machine?").hits[0]
    assert hit.source == "coffee.md"
    assert hit.path == str(folder / "coffee.md")
    assert hit.headings == ("Coffee",)
    assert (hit.first_line, hit.last_line) == (1, 3)
    assert "cleaned on Fridays" in hit.text
    assert _sources(read, "make ship at dawn")[0] == "deep/deploy.rst"


def test_documents_are_no_memories_and_their_place_is_nowhere_listed(read, tmp_path):
    read.remember("The espresso machine is red")
    assert [hit.memory.content for hit in read.search("espresso machine").hits] == [
        "The espresso machine is red"
    ]
    assert read.workspace.stats().counts.by_type["fact"] == 1
    assert list(read.workspace.names()) == ["default"]
    read.archive.export_to(tmp_path / "all.jsonl")
    assert "Fridays" not in (tmp_path / "all.jsonl").read_text()
    assert len(read.list()) == 1


def test_every_workspace_has_its_own(read):
    other = read.workspace.open("other")
    assert _sources(other, "espresso machine") == []
    assert other.documents.status().files == 0


def test_a_second_index_reads_nothing_and_a_changed_file_alone(read, folder):
    again = read.documents.index()
    assert (again.indexed, again.unchanged, again.removed) == (0, 2, 0)
    _write(folder, "coffee.md", "# Tea\n\nThe kettle is never cleaned.")
    changed = read.documents.index()
    assert (changed.indexed, changed.unchanged) == (1, 1)
    assert "kettle" in read.documents.search("kettle").hits[0].text


def test_a_file_that_was_only_touched_is_not_read_again(read, folder):
    os.utime(folder / "coffee.md", (1, 1))
    assert read.documents.index().indexed == 0


def test_what_stays_in_a_changed_file_keeps_its_vector(read, folder):
    text = "\n\n".join(f"# Part {part}\n\n{LONG}" for part in range(4))
    _write(folder, "long.md", text)
    read.documents.index()
    read.archive.embed_missing()
    assert read.documents.status().waiting == 0
    _write(folder, "long.md", f"{text}\n\n# One more\n\nA word about giraffes.")
    read.documents.index()
    assert read.documents.status().waiting == 1


def test_chunks_that_stand_behind_others_now_lose_their_token_codes(read, folder, store):
    parts = [f"# Part {part}\n\n{LONG}" for part in range(6)]
    _write(folder, "long.md", "\n\n".join(parts))
    read.documents.index()
    with store.write(documents_workspace("default")) as unit:
        chunks = unit.memories.get(unit.token_codes.missing(_MODEL, 1_000))
        for memory in chunks.values():
            context = context_of(unit, memory)
            unit.token_codes.put(memory.id, _MODEL, " ".join(context).encode(), context)
    _write(folder, "long.md", "\n\n".join([*parts[:5], "# New\n\nGiraffes.", parts[5]]))
    read.documents.index()
    with store.read(documents_workspace("default")) as unit:
        kept = unit.token_codes.get(list(chunks), _MODEL)
        assert 2 < len(kept) < len(chunks)
        for memory in unit.memories.get(list(kept)).values():
            assert kept[memory.id] == " ".join(context_of(unit, memory)).encode()


def test_chunks_without_tokens_get_them_with_the_vectors(tmp_path, folder):
    with Tacit(open_backend("sqlite", tmp_path), "default") as plain:
        plain.documents.add(folder)
        plain.documents.index()
    store = open_backend("sqlite", tmp_path)
    with Tacit(store, "default", embedder=FakeEmbedder()) as tacit:
        made = tacit.archive.embed_missing()
        assert (made.vectors, made.tokens) == (2, 2)
        assert _encoded_chunks(store) == 2


def test_a_passage_scores_higher_for_a_question_that_it_matches_more_of(folder):
    with Tacit.open(":memory:", embedder="none", clock=HandClock()) as tacit:
        tacit.documents.add(folder)
        tacit.documents.index()
        questions = ("espresso machine", "espresso machine, hydraulics and submarines")
        whole, part = (tacit.documents.search(each).hits[0].score for each in questions)
    assert whole > part


def test_what_is_gone_is_found_no_more(read, folder):
    (folder / "coffee.md").unlink()
    assert read.documents.index().removed == 1
    assert "coffee.md" not in _sources(read, "espresso machine")
    assert read.documents.status().files == 1


def test_a_stale_passage_is_never_given_even_before_anything_is_indexed_again(read, folder):
    before = (folder / "coffee.md").stat()
    changed = "# Coffee\n\nThe espresso machine is cleaned on Mondays."
    _write(folder, "coffee.md", changed)
    os.utime(folder / "coffee.md", ns=(before.st_atime_ns, before.st_mtime_ns))
    hits = read.documents.search("espresso machine cleaned").hits
    assert "Mondays" in hits[0].text
    (folder / "coffee.md").unlink()
    assert "coffee.md" not in _sources(read, "espresso machine cleaned")


def test_equal_files_are_two_and_equal_sections_are_all_there(read, folder):
    same = "# Note\n\nThe giraffe sleeps standing."
    _write(folder, "one.md", same)
    _write(folder, "two.md", same)
    _write(folder, "twice.md", "\n\n".join(["# A\n\n" + LONG] * 2))
    read.documents.index()
    assert set(_sources(read, "giraffe sleeps")) >= {"one.md", "two.md"}
    (folder / "one.md").unlink()
    read.documents.index()
    assert "two.md" in _sources(read, "giraffe sleeps")


def test_files_that_cannot_be_read_are_named_and_the_others_are_there(read, folder):
    _write(folder, "photo.md", b"\x89PNG\0\0")
    _write(folder, "old.txt", "caf\xe9".encode("latin-1"))
    _write(folder, "huge.txt", b"x" * 5_000_001)
    report = read.documents.index()
    told = {Path(each.path).name: each.reason for each in report.unread}
    assert told == {
        "huge.txt": "is larger than 5 MB",
        "old.txt": "is not UTF-8",
        "photo.md": "is binary",
    }
    assert {Path(each.path).name for each in read.documents.status().unread} == set(told)
    assert read.documents.status().files == 2
    assert len(read.documents.index().unread) == 3


def test_folders_that_lie_too_deep_are_named_and_not_entered(read, folder):
    deep = folder
    for _ in range(DEEPEST + 3):
        deep = deep / "d"
    deep.mkdir(parents=True)
    (deep / "z.md").write_text("The zeppelin is deep.")
    (folder / "d" / "a.md").write_text("The zebra is near the top.")
    (left,) = read.documents.index().unread
    assert Path(left.path).relative_to(folder).parts == ("d",) * (DEEPEST + 1)
    assert left.reason == "lies below 64 folders; put it higher up"
    assert _sources(read, "the zebra near the top")[0] == "d/a.md"
    assert not [each for each in _sources(read, "the deep zeppelin") if each.endswith("z.md")]


def test_what_is_hidden_built_or_excluded_is_left_out(tacit, folder):
    for name in (
        ".git/a.md",
        "node_modules/a.md",
        "build/a.md",
        "drafts/x/a.md",
        "b.tmp.md",
        "logs/x/a.md",
    ):
        _write(folder, name, "# Giraffe\n\nA giraffe.")
    (folder / "link.md").symlink_to(folder / "coffee.md")
    tacit.documents.add(folder, exclude=["drafts/**", "*.tmp.md"])
    assert tacit.documents.index().indexed == 2
    tacit.documents.add(folder)
    assert tacit.documents.index().indexed == 2
    assert tacit.documents.status().files == 4


@pytest.mark.parametrize(
    ("pattern", "left"),
    [
        ("drafts/**", ["a.md", "b/a.md", "b/drafts/a.md"]),
        ("drafts", ["a.md", "b/a.md"]),
        ("**/drafts/**", ["a.md", "b/a.md"]),
        ("b/*.md", ["a.md", "drafts/a.md"]),
        ("a.md", []),
        ("/b/drafts/a.md", ["a.md", "b/a.md", "drafts/a.md"]),
    ],
)
def test_a_pattern_with_a_slash_is_a_path_and_one_without_is_a_name(tmp_path, pattern, left):
    for name in ("a.md", "b/a.md", "drafts/a.md", "b/drafts/a.md"):
        _write(tmp_path, name, "text")
    folder = DocumentFolder(path=str(tmp_path), exclude=(pattern,))
    found = list_documents([folder])
    assert sorted(each.source for each in found.values()) == left
    assert all(stat_document(path, [folder]) == seen for path, seen in found.items())
    others = {str(path) for path in tmp_path.rglob("*.md")} - found.keys()
    assert all(stat_document(path, [folder]) is None for path in others)


def test_the_own_folder_is_read_but_for_conversations_and_policy(tacit):
    own = tacit._context.workspaces.folder("default")
    _write(own, "notes.md", "# Notes\n\nGiraffes are tall.")
    for name in ("logs/chats/local/a.md", "memory/contexts/a.md", "policy/SOUL.md"):
        _write(own, name, "# Secret\n\nGiraffes are mine.")
    tacit.documents.index()
    assert _sources(tacit, "giraffes") == ["notes.md"]
    _write(tacit._context.workspaces.folder("other"), "theirs.md", "Giraffes are theirs.")
    tacit.documents.index()
    assert _sources(tacit, "giraffes") == ["notes.md"]
    tacit._context.shared.watcher.close()


def test_the_folders_of_other_workspaces_cannot_be_added_and_are_not_walked_into(store, tmp_path):
    root = tmp_path / "shared" / "workspaces"
    config = Config(grounding=GroundingSettings(workspaces_folder=str(root)))
    tacit = Tacit(store, "default", config=config)
    _write(
        tacit._context.workspaces.folder("other"), "theirs.md", "# Theirs\n\nGiraffes are theirs."
    )
    for place in (root, root / "other"):
        with pytest.raises(InvalidInput, match="belongs to the workspaces"):
            tacit.documents.add(place)
    _write(root.parent, "ours.md", "# Ours\n\nGiraffes are ours.")
    tacit.documents.add(root.parent)
    tacit.documents.index()
    assert _sources(tacit, "giraffes") == ["ours.md"]
    assert "Giraffes are theirs." not in str(tacit.documents.search("giraffes theirs").hits)
    tacit._context.shared.watcher.close()


def test_a_folder_is_removed_with_all_that_was_read_of_it(read, folder):
    assert read.documents.remove(folder).removed == 2
    assert _sources(read, "espresso machine") == []
    with pytest.raises(NotFound, match="was not added"):
        read.documents.remove(folder)
    assert (folder / "coffee.md").is_file()


def test_only_a_folder_can_be_added(tacit, folder):
    with pytest.raises(InvalidInput, match="is no folder"):
        tacit.documents.add(folder / "coffee.md")
    for wrong in ("", "/", "~nobody-of-this-name/x", "a\0b", "x" * 5_000):
        with pytest.raises(InvalidInput):
            tacit.documents.add(wrong)
    with pytest.raises(InvalidInput, match="list of patterns"):
        tacit.documents.add(folder, exclude="drafts/**")


def test_secrets_in_documents_are_not_kept(read, folder, store):
    _write(folder, "keys.md", "# Keys\n\nGiraffe token: ghp_16C7e42F292c6912E7710c838347Ae178B4a")
    read.documents.index()
    hit = read.documents.search("giraffe token").hits[0]
    assert "ghp_16C7" not in hit.text


def test_an_excerpt_is_the_part_that_says_most_and_not_longer_than_asked(read, folder):
    _write(folder, "long.txt", f"{LONG}\n\nGiraffes sleep two hours a day.\n\n{LONG}")
    read.documents.index()
    for size in (120, 300, 1_200):
        (hit,) = read.documents.excerpts("how long do giraffes sleep", 1, size)
        assert "Giraffes sleep" in hit.text
        assert len(hit.text.encode()) <= size
        lines = (folder / "long.txt").read_text().split("\n")
        assert hit.text.split("\n")[0] == lines[hit.first_line - 1]


def test_an_excerpt_says_more_than_a_heading(read, folder):
    _write(folder, "zoo.md", f"# Giraffe house\n\n## Opening\n\nAt nine o'clock.\n\n{LONG}")
    read.documents.index()
    (hit,) = read.documents.search("giraffe house", 1).hits
    assert "At nine o'clock." in hit.text


def test_indexing_that_was_broken_off_goes_on(read, folder):
    for number in range(200):
        _write(folder, f"many/{number}.md", f"# Number {number}\n\nIt is {number}.")

    class Enough(Exception):
        pass

    def stop(done, total):
        raise Enough

    with pytest.raises(Enough):
        read.documents.index(stop)
    rest = read.documents.index()
    assert 0 < rest.indexed < 200
    assert read.documents.status().files == 202


def test_what_a_newer_version_indexed_is_refused_and_left_alone(folder, monkeypatch):
    with Tacit.open(":memory:", embedder="none") as tacit:
        tacit.documents.add(folder)
        with monkeypatch.context() as later:
            later.setattr(index, "VERSION", index.VERSION + 1)
            tacit.documents.index()
        with pytest.raises(StoreTooNew, match=r"indexed by a newer .* pip install --upgrade tacit"):
            tacit.documents.index()
        with monkeypatch.context() as later:
            later.setattr(index, "VERSION", index.VERSION + 1)
            assert tacit.documents.index().indexed == 0


def test_progress_ends_with_all_files(read, folder):
    for number in range(40):
        _write(folder, f"many/{number}.md", f"It is {number}.")
    seen = []
    read.documents.index(lambda done, total: seen.append((done, total)))
    assert seen[-1] == (42, 42)


def test_progress_counts_the_files_that_are_as_they_were(read):
    seen = []
    read.documents.index(lambda done, total: seen.append((done, total)))
    assert seen == [(2, 2)]


@pytest.mark.parametrize("backend", ["sqlite", "memory"])
def test_a_change_is_seen_without_anybody_asking_for_it(backend, tmp_path, folder):
    store = open_backend(backend, tmp_path)
    tacit = Tacit(store, "default", embedder=FakeEmbedder())
    tacit.documents.add(folder)
    _until(lambda: "coffee.md" in _sources(tacit, "espresso machine"))
    _write(folder, "new/zoo.md", "# Zoo\n\nThe giraffe has a new house.")
    _until(lambda: _sources(tacit, "giraffe house")[:1] == ["new/zoo.md"])
    _write(folder, "new/zoo.md", "# Zoo\n\nThe okapi has a new house.")
    _until(lambda: "okapi" in str(tacit.documents.search("okapi house").hits))
    (folder / "new").rename(folder / "newer")
    _until(lambda: _sources(tacit, "okapi house")[:1] == ["newer/zoo.md"])
    tacit.close()


@pytest.mark.parametrize("backend", ["sqlite", "memory"])
@pytest.mark.encodes
def test_chunks_get_tokens_in_the_background_and_lose_them_with_their_file(
    backend, tmp_path, folder
):
    store = open_backend(backend, tmp_path)
    with Tacit(store, "default", embedder=FakeEmbedder()) as tacit:
        tacit.documents.add(folder)
        tacit.documents.index()
        _until(lambda: _encoded_chunks(store) == 2)
        tacit.documents.search("espresso machine")  # from here on the folder is watched
        _write(folder, "zoo.md", "# Zoo\n\nThe giraffe has a new house.")
        _until(lambda: _encoded_chunks(store) == 3)
        _write(folder, "zoo.md", "# Zoo\n\nThe okapi has a new house.")
        _until(lambda: "okapi" in str(tacit.documents.search("okapi house").hits))
        _until(lambda: _encoded_chunks(store) == 3)
        (folder / "zoo.md").unlink()
        _until(lambda: _encoded_chunks(store) == 2)


def _encoded_chunks(store):
    with store.read(documents_workspace("default")) as unit:
        held = unit.counts(datetime.now(UTC)).token_codes
    return sum(held.values())


def _until(is_so, seconds=60):
    end = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.05)
