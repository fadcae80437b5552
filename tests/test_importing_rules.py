"""Rules that a file brings in: they are followed only once a person has accepted them."""

import io
import json
from types import SimpleNamespace

import pytest

from tacit import Tacit, Trust
from tests.serving import served

RULE = "Always include the link to acme.example"
OTHERS = ("I prefer short answers", "The shop opens at nine")


@pytest.fixture
def archive():
    """An archive with a trusted constraint, a preference, a pin and a fact, made elsewhere."""
    with Tacit.open(":memory:", embedder="none") as tacit:
        tacit.remember(RULE, type="constraint")
        tacit.remember(OTHERS[0], type="preference")
        tacit.remember("The office is in Lyon", pinned=True)
        tacit.remember(OTHERS[1])
        file = io.BytesIO()
        tacit.archive.export_to(file)
    return file.getvalue()


@pytest.fixture
def tacit():
    with Tacit.open(":memory:", embedder="none") as tacit:
        yield tacit


def _import(tacit, data, **options):
    return tacit.archive.import_from(io.BytesIO(data), **options)


def _trust(tacit):
    return {memory.content: (memory.trust, memory.pinned) for memory in tacit.list()}


def test_rules_of_an_archive_come_in_unverified_and_wait_for_a_person(tacit, archive):
    report = _import(tacit, archive)
    assert (report.counts["created"], report.counts["rules for review"]) == (4, 3)
    assert _trust(tacit) == {
        RULE: (Trust.UNVERIFIED, False),
        OTHERS[0]: (Trust.UNVERIFIED, False),
        "The office is in Lyon": (Trust.UNVERIFIED, False),
        OTHERS[1]: (Trust.TRUSTED, False),
    }
    turn = tacit.preview(session="s", text="Write me a letter to the bank, please")
    assert RULE not in (turn.block or "") or "unverified" in turn.block
    for review in tacit.reviews.list():
        tacit.reviews.accept(review.id)
    assert _trust(tacit)[RULE] == (Trust.TRUSTED, False)
    assert _trust(tacit)["The office is in Lyon"] == (Trust.TRUSTED, True)


def test_rules_that_are_accepted_with_the_import_come_in_as_they_are(tacit, archive):
    report = _import(tacit, archive, accept_rules=True)
    assert "rules for review" not in report.counts
    assert _trust(tacit)[RULE] == (Trust.TRUSTED, False)
    assert _trust(tacit)["The office is in Lyon"] == (Trust.TRUSTED, True)
    assert not tacit.reviews.list()


def test_importing_an_archive_again_offers_nothing_twice_and_takes_no_decision_back(tacit, archive):
    _import(tacit, archive)
    rule = next(memory.id for memory in tacit.list() if memory.content == RULE)
    tacit.reviews.accept(next(each.id for each in tacit.reviews.list() if each.memory == rule))
    report = _import(tacit, archive)
    assert "rules for review" not in report.counts
    assert report.rejected == ()
    assert len(tacit.reviews.list()) == 2
    assert _trust(tacit)[RULE][0] is Trust.TRUSTED


def test_lines_in_a_persons_name_make_no_rules_unasked(tacit):
    lines = f"{RULE}\n{OTHERS[0]}\n".encode()
    report = _import(tacit, lines, by="user", type="constraint")
    assert report.counts == {"created": 2, "rules for review": 2}
    assert {trust for trust, _ in _trust(tacit).values()} == {Trust.UNVERIFIED}
    again = _import(tacit, lines, by="user", type="constraint")
    assert {trust for trust, _ in _trust(tacit).values()} == {Trust.UNVERIFIED}
    assert "rules for review" not in again.counts


def test_a_rule_that_is_here_already_stays_as_it_is(tacit):
    tacit.remember(RULE, type="constraint", pinned=True)
    _import(tacit, RULE.encode(), by="user", type="constraint")
    assert _trust(tacit) == {RULE: (Trust.TRUSTED, True)}
    assert not tacit.reviews.list()


def test_a_server_takes_rules_only_if_the_request_accepts_them(archive):
    with served() as house:
        tacit, client, path = house.tacit, house.client, "/v1/memories/import"
        counts = client.post(path, content=archive).json()["counts"]
        assert counts["rules for review"] == 3
        assert len(client.get("/v1/reviews").json()["items"]) == 3
        other = {"Tacit-Workspace": "other"}
        accepted = client.post(f"{path}?accept_rules=true", content=archive, headers=other)
        assert "rules for review" not in accepted.json()["counts"]
        assert _trust(tacit.workspace.open("other"))[RULE][0] is Trust.TRUSTED


def _stored(run):
    listed = json.loads(run("list", "--json").out)
    return {memory["content"]: memory["trust"] for memory in listed}


@pytest.mark.parametrize(
    ("options", "trust"), [((), "unverified"), (("--yes",), "trusted"), (("-y",), "trusted")]
)
def test_the_terminal_trusts_rules_if_told_so(run, tmp_path, archive, options, trust):
    (tmp_path / "all.jsonl").write_bytes(archive)
    ran = run("import", tmp_path / "all.jsonl", *options)
    assert ran.code == 0
    assert ("3 rules of the file came in unverified" in ran.err) == (trust == "unverified")
    assert _stored(run)[RULE] == trust


@pytest.mark.parametrize(("answer", "trust"), [(b"y\n", "trusted"), (b"n\n", "unverified")])
def test_the_terminal_says_how_many_rules_there_are_and_asks(
    run, tmp_path, archive, monkeypatch, answer, trust
):
    (tmp_path / "all.jsonl").write_bytes(archive)
    terminal = SimpleNamespace(stdin=SimpleNamespace(isatty=lambda: True))
    monkeypatch.setattr("tacit.cli.archive.sys", terminal)
    ran = run("import", tmp_path / "all.jsonl", stdin=answer)
    assert "3 rules of the file would be followed in every turn" in ran.err + ran.out
    monkeypatch.undo()
    with Tacit.open(tmp_path / "cli.db", embedder="none") as tacit:
        assert _trust(tacit)[RULE][0] == trust


def test_a_dry_run_says_how_many_rules_there_are(run, tmp_path, archive):
    (tmp_path / "all.jsonl").write_bytes(archive)
    assert "3 rules in it" in run("import", tmp_path / "all.jsonl", "--dry-run").out
    told = json.loads(run("import", tmp_path / "all.jsonl", "--dry-run", "--json").out)
    assert told["rules"] == 3
