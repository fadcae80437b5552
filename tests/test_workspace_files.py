"""The files of workspaces: two databases in one folder never see each other's."""

import os
import shutil
import threading

import pytest

from tacit import InvalidInput, Tacit
from tacit.api.workspace_files import files_beside, files_of_server, read_files_owner
from tests.postgres_server import empty_database, new_database

SECRET = "The vault opens with heliotrope"
HERE = {"connector": "chat", "external_id": "room"}


def _open(path):
    return Tacit.open(path, embedder="none")


def _say(path, text=SECRET):
    with _open(path) as tacit:
        tacit.grounding.log_chat("INBOUND", text, **HERE)


def _prompt(path):
    with _open(path) as tacit:
        return tacit.grounding.prompt("What was said about the vault?", **HERE).text


def _found(path):
    with _open(path) as tacit:
        tacit.documents.index()
        return tacit.documents.search("heliotrope").hits


def _as_before(folder, name="a.db"):
    """The files where former versions kept them."""
    (folder / f"{name}.workspaces").rename(folder / "workspaces")


def test_two_databases_in_one_folder_share_no_chat_log_and_no_document(tmp_path):
    one, other = tmp_path / "a.db", tmp_path / "b.db"
    _say(one)
    notes = tmp_path / "a.db.workspaces" / "default" / "notes.md"
    notes.write_text(f"# Notes\n{SECRET}\n")
    assert "heliotrope" in _prompt(one)
    assert len(_found(one)) == 1
    assert "heliotrope" not in _prompt(other)
    assert _found(other) == ()


def test_files_of_a_former_version_are_found_by_the_first_database_and_no_other(tmp_path):
    one, other = tmp_path / "a.db", tmp_path / "b.db"
    _say(one)
    _as_before(tmp_path)
    assert "heliotrope" in _prompt(one)
    assert read_files_owner(tmp_path / "workspaces") == "a.db"
    assert "heliotrope" not in _prompt(other)
    _say(other, "Nothing but marigolds")
    assert "heliotrope" in _prompt(one)
    assert "marigolds" not in _prompt(one)
    assert "marigolds" in _prompt(other)


def test_a_folder_that_moves_with_its_database_goes_on(tmp_path):
    old, new = tmp_path / "old", tmp_path / "new"
    old.mkdir()
    _say(old / "a.db")
    _as_before(old)
    assert "heliotrope" in _prompt(old / "a.db")
    old.rename(new)
    assert "heliotrope" in _prompt(new / "a.db")


def test_of_several_databases_that_come_at_once_one_gets_the_former_files(tmp_path):
    (tmp_path / "workspaces").mkdir()
    places = [files_beside(tmp_path / f"{name}.db") for name in "abcd"]
    gate, found = threading.Barrier(len(places)), []

    def find(place):
        gate.wait()
        found.append(place.find())

    workers = [threading.Thread(target=find, args=(place,)) for place in places]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert found.count(tmp_path / "workspaces") == 1
    assert len(set(found)) == len(places)
    assert [each.name for each in (tmp_path / "workspaces").iterdir()] == [".database"]


def test_the_files_of_another_database_are_no_documents(tmp_path):
    one, other = tmp_path / "home" / "a.db", tmp_path / "b.db"
    one.parent.mkdir()
    _say(one)
    notes = one.parent / "a.db.workspaces" / "default"
    (notes / "notes.md").write_text(f"# Notes\n{SECRET}\n")
    with _open(other) as tacit:
        with pytest.raises(InvalidInput, match="belongs to the workspaces"):
            tacit.documents.add(notes)
        tacit.documents.add(one.parent)
        assert tacit.documents.search("heliotrope").hits == ()


def test_doctor_finds_files_whose_database_has_another_name_now(run, tmp_path):
    old, new = tmp_path / "a.db", tmp_path / "cli.db"
    _say(old)
    _as_before(tmp_path)
    _prompt(old)
    old.rename(new)
    told = " ".join(run("doctor").out.split())
    assert "has the files of a.db" in told
    assert "if this database was called a.db before, run: mv" in told
    shutil.move(tmp_path / "workspaces", tmp_path / "cli.db.workspaces")
    assert "heliotrope" in _prompt(new)
    assert "has the files of" not in run("doctor").out


def test_the_command_line_looks_where_the_library_does(run, tmp_path):
    _say(tmp_path / "cli.db")
    assert "cli.db.workspaces" in "".join(run("prompt", "paths").out.split())


@pytest.mark.other_store
def test_databases_of_a_server_have_folders_of_their_own(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    one, other = empty_database(), new_database(f"tacit_files_{os.getpid()}")
    _say(one)
    assert "heliotrope" in _prompt(one)
    assert "heliotrope" not in _prompt(other)
    with _open(one) as tacit:
        place = files_of_server(tacit.workspace.describe()["identity"])
    assert place.own.is_dir()
