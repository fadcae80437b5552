"""A turn that finds nothing says how many memories belong to no user or to others."""

import pytest

from tacit import FakeEmbedder, Tacit
from tacit.cli.doctor.findings import Installation, Severity
from tacit.cli.doctor.stored_data import check_memories
from tacit.core.receipt import Unseen
from tacit.store.sqlite.memories import SqliteMemories

ASKED = "Which protocol does the API speak?"
SAID = "The API speaks gRPC"


@pytest.fixture
def tacit():
    with Tacit.open(":memory:", embedder=FakeEmbedder()) as tacit:
        yield tacit


def _asked(tacit, **who):
    with tacit.turn(session="s1", history=[], text=ASKED, **who) as turn:
        turn.commit("Well.")
    return turn.receipt


def test_a_receipt_counts_what_belongs_to_no_user_and_says_how_to_assign_it(tacit):
    tacit.remember(SAID)
    receipt = _asked(tacit, user="ann")
    assert receipt.unseen == Unseen(unowned=1, others=0)
    assert str(receipt).splitlines()[1] == (
        "not seen: 1 memory belongs to no user (tacit assign --user ann gives it an owner)"
    )
    assert tacit.turns.get(receipt.id).unseen == receipt.unseen


def test_a_receipt_counts_memories_of_other_users_without_their_names_or_words(tacit):
    tacit.remember(SAID, scope_id="bob")
    tacit.remember("The API listens on port 8080", scope_id="zoe")
    receipt = _asked(tacit, user="ann")
    assert receipt.unseen == Unseen(unowned=0, others=2)
    assert receipt.hint == "not seen: 2 memories belong to other users"
    told = str(receipt.to_dict())
    assert not any(word in told for word in ("bob", "zoe", "gRPC", "8080"))


def test_a_turn_without_a_user_is_told_that_it_named_none(tacit):
    tacit.remember(SAID, scope_id="ann")
    receipt = _asked(tacit)
    assert receipt.unseen == Unseen(unowned=0, others=1)
    assert receipt.hint == (
        "not seen: 1 memory belongs to users with a name, and this turn named no user"
    )


def test_only_live_memories_that_the_agent_may_see_are_counted(tacit):
    tacit.forget(tacit.remember("The API speaks SOAP").id)
    tacit.remember("The API speaks Thrift", expires_at="2999-01-01", agent="coder")
    tacit.remember("The API speaks REST", agent="writer")
    tacit.remember("Projects have other owners", scope="project", scope_id="api")
    assert _asked(tacit, user="ann", agent="coder").unseen == Unseen(unowned=1, others=0)


def test_a_turn_that_found_something_counts_nothing_and_a_preview_does(tacit):
    tacit.remember(SAID, scope_id="ann")
    tacit.remember("The API speaks SOAP")
    assert _asked(tacit, user="ann").unseen is None
    preview = tacit.preview(session="s2", history=[], text=ASKED, user="ann")
    assert preview.receipt.injected
    assert preview.receipt.unseen == Unseen(unowned=1, others=0)


def test_a_turn_that_looks_for_nothing_counts_nothing(tacit):
    tacit.remember(SAID)
    with tacit.turn(session="s1", history=[], text="thanks", user="ann") as turn:
        assert turn.receipt.unseen is None


def test_a_count_that_fails_neither_fails_nor_degrades_the_turn(tacit, monkeypatch):
    tacit.remember(SAID)

    def fail(*_):
        raise OSError("the disk is gone")

    monkeypatch.setattr(SqliteMemories, "unseen", fail)
    receipt = _asked(tacit, user="ann")
    assert receipt.unseen is None
    assert receipt.degraded == ()


def test_explain_shows_the_hint(run):
    run("remember", SAID)
    shown = run("explain", ASKED, "--user", "ann").out
    assert "Not seen: 1 memory belongs to no user (tacit assign --user ann gives it an" in shown
    assert '"unowned": 1' in run("explain", ASKED, "--user", "ann", "--json").out


def test_the_hint_says_where_it_stopped_counting():
    assert "1,000 or more memories belong to no user" in Unseen(unowned=1_000).hint("ann")
    assert "--user 'ann smith'" in Unseen(unowned=1).hint("ann smith")
    assert Unseen().hint("ann") == ""


def test_doctor_warns_of_memories_without_an_owner_where_users_have_names(tmp_path):
    path = tmp_path / "memory.db"
    with Tacit.open(path, embedder=FakeEmbedder()) as tacit:
        tacit.remember(SAID)
        assert _findings(path) == []
        _asked(tacit, user="ann")
    (warned,) = _findings(path)
    assert warned.found == (
        "1 memory belongs to no user, so no user with a name sees it (0 have an owner), in"
        " workspace default"
    )
    assert warned.mend == "give it an owner: tacit assign --user NAME"


def _findings(path):
    found = check_memories(Installation(db=str(path)))
    return [each for each in found if each.level is Severity.WARNING]
