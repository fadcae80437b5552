"""Documents at the doors: the command line, the server and its client."""

import json

import pytest

from tacit.api.client.grounding import RemoteDocuments
from tacit.evals.corpus import SetHalf, load_entries
from tacit.evals.documents import evaluate_documents
from tests.serving import running, served


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "handbook"
    folder.mkdir()
    (folder / "coffee.md").write_text("# Coffee\n\nThe espresso machine is cleaned on Fridays.")
    (folder / "photo.md").write_bytes(b"\0\1")
    return folder


def test_the_command_adds_indexes_searches_and_removes(run, folder):
    added = run("docs", "add", folder, "--exclude", "drafts/**")
    assert added.code == 0
    assert f"Added {folder}." in added.out.replace("\n", "")
    assert "Files: 1 read, 0 unchanged" in added.out
    assert "photo.md: is binary" in added.err
    found = run("docs", "search", "espresso machine")
    assert "coffee.md:1-3" in found.out
    assert "cleaned on Fridays" in found.out
    (folder / "tea.txt").write_text("The kettle is red.")
    assert json.loads(run("docs", "index", "--json").out)["indexed"] == 1
    status = json.loads(run("docs", "status", "--json").out)
    assert (status["files"], status["folders"][-1]["exclude"]) == (2, ["drafts/**"])
    assert "drafts/**" in run("docs", "status").out
    assert "no more: 2." in run("docs", "remove", folder).out
    assert "Nothing found" in run("docs", "search", "kettle").out


def test_the_command_gives_json(run, folder):
    added = json.loads(run("docs", "add", folder, "--json").out)
    assert added["folder"]["path"] == str(folder)
    assert added["report"]["unread"] == [{"path": str(folder / "photo.md"), "reason": "is binary"}]
    (hit,) = json.loads(run("docs", "search", "espresso", "--json").out)["hits"]
    assert (hit["source"], hit["headings"]) == ("coffee.md", ["Coffee"])
    assert json.loads(run("docs", "remove", folder, "--json").out)["removed"] == 1


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("add",), "tacit docs add FOLDER"),
        (("search",), "tacit docs search TEXT"),
        (("index", "x"), "tacit docs index"),
        (("status", "--exclude", "x"), "--exclude is for add"),
        (("add", "nowhere"), "is no folder"),
    ],
)
def test_what_is_missing_or_needless_is_said(run, words, told):
    run("remember", "something")
    ran = run("docs", *words)
    assert ran.code != 0
    assert told in ran.err.replace("\n", " ")


def test_chunks_without_vectors_are_counted(run, folder):
    run("docs", "add", folder)
    status = json.loads(run("docs", "status", "--json").out)
    assert status["waiting"] == status["chunks"] == 1


def test_the_server_reads_searches_and_tells_how_it_stands(folder):
    with served() as here:
        admin = here.key()
        added = here.client.post("/v1/documents", json={"path": str(folder)}, headers=admin)
        assert added.status_code == 201
        assert added.json() == {"path": str(folder), "exclude": [], "is_own": False}
        report = here.client.post("/v1/documents/index", headers=admin).json()
        assert (report["indexed"], len(report["unread"])) == (1, 1)
        asked = {"text": "espresso machine", "max_bytes": 30}
        (hit,) = here.client.get("/v1/documents/search", params=asked, headers=admin).json()["hits"]
        assert hit["path"] == str(folder / "coffee.md")
        assert len(hit["text"].encode()) <= 30
        status = here.client.get("/v1/documents", headers=admin).json()
        assert (status["files"], status["chunks"]) == (1, 1)
        assert here.client.get("/v1/workspaces", headers=admin).json()["items"] == ["default"]
        gone = here.client.delete("/v1/documents", params={"folder": str(folder)}, headers=admin)
        assert gone.json()["removed"] == 1
        again = here.client.delete("/v1/documents", params={"folder": str(folder)}, headers=admin)
        assert again.status_code == 404


def test_only_who_runs_the_server_names_folders_of_its_disk_or_hears_where_they_are(folder):
    with served() as here:
        admin, own, reader = (
            here.key(),
            here.key(workspace="default"),
            here.key("read", workspace="default"),
        )
        relative = here.client.post("/v1/documents", json={"path": "handbook"}, headers=admin)
        assert (relative.status_code, relative.json()["field"]) == (422, "path")
        body = {"path": str(folder)}
        assert here.client.post("/v1/documents", json=body, headers=own).status_code == 403
        named = {"folder": str(folder)}
        assert here.client.delete("/v1/documents", params=named, headers=own).status_code == 403
        here.client.post("/v1/documents", json=body, headers=admin)
        assert here.client.post("/v1/documents/index", headers=reader).status_code == 403
        assert here.client.post("/v1/documents/index", headers=own).json()["unread"] == []
        found = here.client.get("/v1/documents/search?text=espresso", headers=reader)
        assert found.json()["hits"][0]["source"] == "coffee.md"
        status = here.client.get("/v1/documents", headers=reader)
        assert str(folder) not in found.text + status.text
        other = here.key("read", workspace="other")
        assert (
            here.client.get("/v1/documents/search?text=espresso", headers=other).json()["hits"]
            == []
        )


def test_a_client_has_the_calls_of_the_library(folder, tmp_path):
    from tacit import Tacit
    from tacit.grounding.documents.library import Documents

    with running(tmp_path / "memory.db") as server, Tacit.connect(server.url) as remote:
        assert remote.documents.add(folder, exclude=["x/**"]).exclude == ("x/**",)
        assert remote.documents.index().indexed == 1
        (hit,) = remote.documents.search("espresso machine").hits
        assert hit.heading == "Coffee"
        assert remote.documents.excerpts("espresso machine", 1, 20)[0].text != hit.text
        assert remote.documents.status().unread[0].reason == "is binary"
        assert remote.documents.remove(folder).removed == 1
        assert remote.documents.search("espresso machine").hits == ()
    calls = {name for name in vars(Documents) if not name.startswith("_")}
    assert calls == {name for name in vars(RemoteDocuments) if not name.startswith("_")}


def test_the_evaluation_tells_how_often_the_right_page_is_among_the_first(tmp_path, monkeypatch):
    monkeypatch.setenv("TACIT_CACHE", str(tmp_path / "cache"))
    pages = tmp_path / "pages"
    for entry in load_entries("documents", SetHalf.DEV):
        page = pages / entry["pages"][0]
        page.parent.mkdir(parents=True, exist_ok=True)
        with page.open("a") as file:
            file.write(f"{entry['question']}\n\n")
    figures = evaluate_documents(pages, lambda done, total: None, SetHalf.DEV)
    assert figures["questions"] >= 60
    assert figures["recall"] > 0.95
    assert figures["full_text_recall"] > 0.9
    assert len(figures["failures"]) == round((1 - figures["recall"]) * figures["questions"])
