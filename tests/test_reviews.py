"""Reviews: what waits for a person, and what becomes of it when one decides."""

import io
import json
import threading
from dataclasses import dataclass, replace
from datetime import timedelta

import pytest

from tacit import FakeEmbedder, Status, Tacit, Trust
from tacit.core.errors import AlreadyKnown, InvalidInput, NotFound, TacitError
from tacit.core.events import EventKind
from tacit.core.fields import check_field
from tacit.core.kinds import Action, Actor, Relation, Subject
from tacit.settings.config import Config
from tacit.settings.writing import WritingSettings
from tacit.store.protocols.store import Store
from tacit.store.sqlite.in_memory import SqliteInMemoryStore
from tacit.writing.archive.records import build_header
from tacit.writing.author import Author
from tacit.writing.reviews import propose_memory
from tests.support import START, CountedIds, HandClock, make_memory, open_backend

NOBODY = "01890a5d-ac96-774b-bcce-b302099a8057"
OTHERS = ("agent", "tool", "import", "system")


@dataclass
class Desk:
    """A store with its clock, and somebody who proposes."""

    tacit: Tacit
    store: Store
    clock: HandClock
    ids: CountedIds

    def propose(self, content, *, by="agent", **fields):
        """Let a new memory wait, as what learns by itself does."""
        with self.store.write("default") as unit:
            author = Author(unit=unit, by=Actor(by), now=self.clock(), new_id=self.ids)
            return propose_memory(author, make_memory(content, by=by, **fields))

    def vector(self, id):
        with self.store.read("default") as unit:
            return unit.vectors.get([id], FakeEmbedder().model).get(id)

    def everything(self):
        """All that there is but events."""
        file = io.BytesIO()
        self.tacit.archive.export_to(file, embeddings=True)
        return file.getvalue()


@pytest.fixture
def desk(store):
    clock, ids = HandClock(), CountedIds()
    tacit = Tacit(store, "default", embedder=FakeEmbedder(), clock=clock, new_id=ids)
    return Desk(tacit, store, clock, ids)


@pytest.fixture
def tacit(desk):
    return desk.tacit


def _update(desk):
    first = desk.tacit.remember("We indent with tabs")
    return desk.tacit.edit(first.id, content="We indent with spaces", by="agent").review


def _forget(desk):
    return desk.tacit.forget(desk.tacit.remember("We indent with tabs").id, by="agent").review


def _restore(desk):
    first = desk.tacit.remember("We indent with tabs")
    desk.tacit.forget(first.id)
    return desk.tacit.restore(first.id, by="agent").review


def _supersede(desk):
    desk.tacit.remember("4 spaces", key="indent", confidence=0.8, trust="unverified")
    return desk.tacit.remember("2 spaces", key="indent", by="agent").review


def _relate(desk):
    mine = desk.tacit.remember("Billing runs on MySQL", confidence=0.9)
    theirs = desk.tacit.remember("Billing runs on PostgreSQL", confidence=0.9, by="agent")
    return desk.tacit.conflicts.resolve(keep_both=[mine.id, theirs.id], by="agent")[0].review


def _propose(desk):
    return desk.propose("Ann likes tea")


WISHES = {
    "update": _update,
    "forget": _forget,
    "restore": _restore,
    "supersede": _supersede,
    "relate": _relate,
    "propose": _propose,
}
every_wish = pytest.mark.parametrize("wish", WISHES.values(), ids=WISHES)


# Accepting.


def test_an_accepted_edit_is_the_persons_own(desk, tacit):
    review = _update(desk)
    later = desk.clock.advance(days=1)
    written = tacit.reviews.accept(review.id, reason="the team agreed", by="operator")
    assert (written.status, written.review) == (Status.UPDATED, None)
    memory = tacit.get(review.memory)
    assert memory == written.memory
    assert memory.content == "We indent with spaces"
    assert (memory.explicit, memory.trust, memory.updated_at) == (True, Trust.TRUSTED, later)
    row = tacit.memories.history(memory.id)[-1]
    assert (row.action, row.by, row.at) == (Action.UPDATE, Actor.OPERATOR, later)
    assert row.old == {"content": "We indent with tabs"}
    assert row.new == {"content": "We indent with spaces", "reason": "the team agreed"}
    assert tacit.reviews.list() == []


def test_new_words_are_found_by_their_own_vector(desk, tacit):
    review = _update(desk)
    before = desk.vector(review.memory)
    tacit.reviews.accept(review.id)
    (expected,) = FakeEmbedder().embed(["We indent with spaces"])
    after = desk.vector(review.memory)
    assert list(after) != list(before)
    assert list(after) == pytest.approx(list(expected), abs=1e-3)


def test_an_accepted_edit_of_other_fields_changes_only_these(tacit):
    first = tacit.remember("Tabs", tags=["a"], expires_at="2027-01-01").memory
    wish = {"pinned": True, "tags": ["b"], "expires_at": None, "origin": {"speaker": "Ann"}}
    written = tacit.reviews.accept(tacit.edit(first.id, by="agent", **wish).review.id)
    changed = check_field("origin", wish["origin"])
    assert written.memory == replace(
        first, pinned=True, tags=("b",), expires_at=None, origin=changed
    )


def test_an_accepted_edit_of_the_key_supersedes_as_the_persons_would(tacit):
    old = tacit.remember("4 spaces", key="indent")
    other = tacit.remember("2 spaces")
    review = tacit.edit(other.id, key="indent", by="agent").review
    assert tacit.reviews.accept(review.id).superseded == (old.id,)
    assert [memory.id for memory in tacit.list()] == [other.id]


def test_what_an_agent_wanted_forgotten_is_forgotten_and_can_be_restored(desk, tacit):
    review = _forget(desk)
    written = tacit.reviews.accept(review.id, reason="outdated")
    assert written.status is Status.FORGOTTEN
    assert tacit.list() == []
    row = tacit.memories.history(review.memory)[-1]
    assert (row.action, row.by, row.new) == (
        Action.FORGET,
        Actor.USER,
        {"forgotten": True, "reason": "outdated"},
    )
    assert tacit.restore(review.memory).status is Status.RESTORED


def test_what_a_person_forgot_is_back_when_one_accepts_it(desk, tacit):
    review = _restore(desk)
    assert tacit.reviews.accept(review.id).status is Status.RESTORED
    assert tacit.get(review.memory).content == "We indent with tabs"


def test_what_had_ended_is_true_again_when_a_person_accepts_it(desk, tacit):
    first = tacit.remember("The sale is on", expires_at=START + timedelta(days=1))
    desk.clock.advance(days=2)
    review = tacit.remember("The sale is on", by="agent").review
    assert review.action is Action.RESTORE
    written = tacit.reviews.accept(review.id)
    assert (written.status, written.id) == (Status.RESTORED, first.id)
    assert [memory.id for memory in tacit.list()] == [first.id]


def test_a_successor_takes_the_place_when_a_person_accepts_it(desk, tacit):
    review = _supersede(desk)
    written = tacit.reviews.accept(review.id)
    assert (written.status, written.id) == (Status.SUPERSEDED, review.memory)
    assert [memory.content for memory in tacit.list()] == ["2 spaces"]
    row = tacit.memories.history(review.memory)[-1]
    assert (row.action, row.by) == (Action.SUPERSEDE, Actor.USER)
    assert row.new["superseded_by"] == review.change["superseded_by"]


@pytest.mark.parametrize(("said", "kept"), [("", "newer"), ("I checked", "I checked")])
def test_the_reason_is_the_persons_or_else_the_one_that_was_given(tacit, said, kept):
    mine = tacit.remember("Billing runs on MySQL").id
    theirs = tacit.remember("Billing runs on PostgreSQL", by="agent").id
    asked = {"keep": theirs, "supersede": [mine], "reason": "newer", "by": "agent"}
    (wish,) = tacit.conflicts.resolve(**asked)
    tacit.reviews.accept(wish.review.id, reason=said)
    assert tacit.memories.history(mine)[-1].new["reason"] == kept
    assert tacit.conflicts.list() == []


def test_both_are_right_when_a_person_accepts_that(desk, tacit):
    review = _relate(desk)
    assert len(tacit.conflicts.list()) == 1
    written = tacit.reviews.accept(review.id, reason="two shops")
    assert (written.status, written.id) == (Status.KEPT, review.memory)
    assert tacit.conflicts.list() == []
    (edge,) = tacit.memories.links(review.memory)
    assert edge.relation is Relation.COMPATIBLE_WITH
    row = tacit.memories.history(edge.source)[-1]
    assert (row.subject, row.by, row.new["reason"]) == (
        Subject.ASSOCIATION,
        Actor.USER,
        "two shops",
    )


@every_wish
def test_an_accepted_wish_leaves_one_row_in_the_history(desk, tacit, wish):
    review = wish(desk)
    with desk.store.read("default") as unit:
        before = unit.audit.scan(None, 99)
    written = tacit.reviews.accept(review.id)
    with desk.store.read("default") as unit:
        (row,) = unit.audit.scan(before[-1].id if before else None, 99)
    assert (row.memory, row.by) == (written.id, Actor.USER)
    assert tacit.reviews.list() == []


# New memories.


def test_a_new_memory_that_is_accepted_is_a_persons_word(desk, tacit):
    about = {"type": "preference", "key": "ann.drink", "scope": "project", "scope_id": "shop"}
    origin = {"session": "s", "ordinal": 3, "speaker": "Ann", "url": "https://example.org"}
    review = desk.propose("I like tea", tags=["t"], metadata={"n": 1}, origin=origin, **about)
    assert tacit.list(state=None) == []
    later = desk.clock.advance(days=1)
    written = tacit.reviews.accept(review.id, reason="she said so", by="operator")
    assert written.status is Status.CREATED
    memory = tacit.get(written.id)
    assert (memory.explicit, memory.trust, memory.confidence) == (True, Trust.TRUSTED, 1.0)
    assert (memory.source, memory.created_at) == (Actor.AGENT, later)
    assert (memory.content, memory.tags, memory.metadata) == ("I like tea", ("t",), {"n": 1})
    assert {name: getattr(memory, name) for name in about} == about
    assert memory.origin.to_dict() == origin
    (row,) = tacit.memories.history(memory.id)
    assert (row.action, row.by, row.new["reason"]) == (Action.INSERT, "operator", "she said so")
    (expected,) = FakeEmbedder().embed(["Ann: ann drink: I like tea"])
    assert list(desk.vector(memory.id)) == pytest.approx(list(expected), abs=1e-3)


def test_the_id_of_an_accepted_memory_is_of_its_own_time(desk, tacit):
    review = desk.propose("Ann likes tea")
    known = tacit.remember("Bob likes coffee").id
    assert check_field("id", review.memory) == review.memory
    assert tacit.reviews.accept(review.id).id > known


def test_a_new_memory_that_is_accepted_replaces_the_old_value_of_its_key(desk, tacit):
    old = tacit.remember("Ann lives in Bonn", key="ann.home").id
    review = desk.propose("Ann lives in Berlin", key="ann.home", confidence=0.75)
    assert tacit.reviews.accept(review.id).superseded == (old,)


def test_the_same_statement_waits_once_whoever_proposes_it(desk, tacit):
    first = desk.propose("Ann likes tea")
    desk.clock.advance(days=1)
    assert desk.propose("Ann likes tea", by="tool", importance=0.1) == first
    assert desk.propose("Ann likes tea", type="preference") != first
    assert desk.propose("Ann likes tea", scope_id="ann") != first
    assert len(tacit.reviews.list()) == 3


@pytest.mark.parametrize(("by", "status"), [("user", Status.KNOWN), ("agent", Status.UPDATED)])
def test_what_became_known_meanwhile_is_recognised(desk, tacit, by, status):
    review = desk.propose("Ann likes tea")
    known = tacit.remember("Ann likes tea", by=by)
    written = tacit.reviews.accept(review.id)
    assert (written.status, written.id) == (status, known.id)
    assert [memory.explicit for memory in tacit.list(state=None)] == [True]
    assert tacit.reviews.list() == []


def test_what_was_forgotten_meanwhile_is_back_when_a_person_accepts_it(desk, tacit):
    review = desk.propose("Ann likes tea")
    known = tacit.remember("Ann likes tea").id
    tacit.forget(known)
    written = tacit.reviews.accept(review.id)
    assert (written.status, written.id) == (Status.RESTORED, known)


def test_what_was_superseded_can_be_proposed_and_accepted_again(desk, tacit):
    first = tacit.reviews.accept(desk.propose("tea", key="drink").id)
    tacit.remember("coffee", key="drink")
    again = tacit.reviews.accept(desk.propose("tea", key="drink").id)
    assert again.status is Status.CREATED
    assert again.id != first.id
    assert [memory.content for memory in tacit.list()] == ["tea"]


def test_what_has_ended_before_anybody_decided_is_not_remembered(desk, tacit):
    review = desk.propose("The sale is on", expires_at=START + timedelta(days=1))
    desk.clock.advance(days=2)
    with pytest.raises(InvalidInput, match="until 2026-03-02 12:00 UTC, which is past"):
        tacit.reviews.accept(review.id)
    assert tacit.reviews.reject(review.id) == review
    assert tacit.list(state=None) == tacit.reviews.list() == []


def test_erasing_a_memory_takes_along_what_waits_with_its_words(desk, tacit):
    known = tacit.remember("Ann lives in Bonn")
    desk.propose("Since May ann lives in bonn, near the river")
    desk.propose("Joann lives in Bonn")
    tacit.forget(known.id, by="agent")
    assert tacit.erase(known.id).removed["reviews"] == 2
    (left,) = tacit.reviews.list()
    assert left.change["content"] == "Joann lives in Bonn"


def test_what_waits_travels_in_an_archive(desk, tacit, house):
    review = desk.propose("Ann likes tea")
    other = house.another("copy")
    report = other.archive.import_from(io.BytesIO(desk.everything()))
    assert report.rejected == ()
    assert other.reviews.list() == [review]
    assert other.archive.import_from(io.BytesIO(desk.everything())).counts == {"known": 1}
    assert other.reviews.accept(review.id).memory.workspace == "copy"
    assert [memory.content for memory in other.list()] == ["Ann likes tea"]


def test_an_archive_cannot_bring_a_new_memory_that_is_none(desk, tacit):
    line = desk.propose("Ann likes tea").to_dict() | {"kind": "review"}
    line["change"] = {"content": 5}
    lines = [json.dumps(each) for each in (build_header("default", START), line)]
    report = tacit.archive.import_from(io.BytesIO("\n".join(lines).encode()))
    assert [each.reason for each in report.rejected] == ["change.content: expected text, not int"]


# Rejecting.


@every_wish
def test_a_rejected_wish_changes_nothing_and_is_gone(desk, tacit, wish):
    review = wish(desk)
    before = desk.everything().splitlines()
    assert tacit.reviews.reject(review.id, reason="no") == review
    after = desk.everything().splitlines()
    assert [json.loads(line)["id"] for line in before if line not in after] == [review.id]
    assert [line for line in after if line not in before] == []
    assert tacit.reviews.list() == []


@every_wish
def test_what_was_decided_cannot_be_decided_again(desk, tacit, wish):
    first, second = (tacit.reviews.accept, tacit.reviews.reject)
    review = wish(desk)
    first(review.id)
    for decide in (first, second, tacit.reviews.get):
        with pytest.raises(NotFound, match="may have been decided already"):
            decide(review.id)


@pytest.mark.parametrize("by", OTHERS)
@every_wish
def test_only_persons_decide(desk, tacit, wish, by):
    review = wish(desk)
    before = desk.everything()
    for decide in (tacit.reviews.accept, tacit.reviews.reject):
        with pytest.raises(InvalidInput, match=f"by: only a person decides .* the {by}"):
            decide(review.id, by=by)
    assert desk.everything() == before
    assert tacit.reviews.list() == [review]


def test_a_review_that_never_was_cannot_be_decided(tacit):
    for decide in (tacit.reviews.accept, tacit.reviews.reject, tacit.reviews.get):
        with pytest.raises(NotFound, match=f"no review {NOBODY} waits in workspace 'default'"):
            decide(NOBODY)
        with pytest.raises(InvalidInput, match="not an id"):
            decide("soon")


def test_a_review_of_another_workspace_is_not_there(desk, house):
    review = _update(desk)
    other = desk.tacit.workspace.open("other")
    for decide in (other.reviews.accept, other.reviews.reject, other.reviews.get):
        with pytest.raises(NotFound):
            decide(review.id)
    assert desk.tacit.reviews.list() == [review]


def test_those_who_watch_hear_of_every_decision(desk, tacit):
    update, new, third = _update(desk), desk.propose("Ann likes tea"), desk.propose("x y z")
    tacit.reviews.accept(update.id, by="operator")
    written = tacit.reviews.accept(new.id)
    tacit.reviews.reject(third.id, reason="not true")
    told = [
        each.data
        for each in tacit.workspace.events().events
        if each.kind is EventKind.REVIEW_DECIDED
    ]
    assert told == [
        {"review": update.id, "memory": update.memory, "decision": "accepted", "by": "operator"},
        {"review": new.id, "memory": written.id, "decision": "accepted", "by": "user"},
        {
            "review": third.id,
            "memory": third.memory,
            "decision": "rejected",
            "by": "user",
            "reason": "not true",
        },
    ]
    kinds = [each.kind for each in tacit.workspace.events().events]
    assert kinds.count(EventKind.MEMORIES_CHANGED) == 3


def test_no_secret_in_a_reason_is_kept(desk, tacit):
    secret = "hunter2" + "!x9"
    reason = f"the password is {secret}"
    written = tacit.reviews.accept(_update(desk).id, reason=reason)
    tacit.reviews.reject(desk.propose("Ann likes tea").id, reason=reason)
    told = [tacit.memories.history(written.id)[-1].new["reason"]]
    told += [
        each.data["reason"] for each in tacit.workspace.events().events if "reason" in each.data
    ]
    assert len(told) == 3
    for each in told:
        assert "redacted" in each
        assert secret not in each


@pytest.mark.parametrize("backend", ["sqlite", "postgres"])
def test_of_two_who_decide_at_once_one_does(backend, tmp_path):
    store = open_backend(backend, tmp_path)
    tacit = Tacit(store, "default")
    mine = tacit.remember("tabs").id
    review = tacit.edit(mine, content="spaces", by="agent").review
    start, done = threading.Barrier(4), []

    def decide(act):
        start.wait()
        try:
            act(review.id)
            done.append(act.__name__)
        except NotFound:
            done.append(None)

    acts = [tacit.reviews.accept, tacit.reviews.reject] * 2
    threads = [threading.Thread(target=decide, args=(act,)) for act in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    (winner,) = [each for each in done if each is not None]
    assert tacit.get(mine).content == ("spaces" if winner == "accept" else "tabs")
    assert len(tacit.memories.history(mine)) == (2 if winner == "accept" else 1)
    store.close()


# What happened meanwhile.


def _refused(tacit, review, problem):
    """It cannot be carried out, still waits, and can be got rid of."""
    with pytest.raises(InvalidInput, match=problem) as caught:
        tacit.reviews.accept(review.id)
    assert caught.value.field == "review"
    assert "; reject it" in caught.value.problem
    assert review in tacit.reviews.list()
    tacit.reviews.reject(review.id)
    assert review not in tacit.reviews.list()


@pytest.mark.parametrize("wish", [_update, _forget, _supersede])
def test_later_words_of_a_person_are_not_lost(desk, tacit, wish):
    review = wish(desk)
    tacit.edit(review.memory, content="We indent with care")
    _refused(tacit, review, rf"memory {review.memory} was changed \(content\) after this was asked")
    assert tacit.get(review.memory).content == "We indent with care"


def test_a_change_of_something_else_is_in_nobodys_way(desk, tacit):
    review = _update(desk)
    tacit.edit(review.memory, pinned=True)
    memory = tacit.reviews.accept(review.id).memory
    assert (memory.content, memory.pinned) == ("We indent with spaces", True)


def test_a_change_that_was_there_before_the_wish_is_in_nobodys_way(tacit):
    first = tacit.remember("tabs")
    tacit.edit(first.id, content="spaces")
    review = tacit.edit(first.id, content="tabs again", by="agent").review
    assert tacit.reviews.accept(review.id).memory.content == "tabs again"


def test_a_wish_that_comes_up_again_is_about_what_is_said_now(desk, tacit):
    review = _update(desk)
    desk.clock.advance(minutes=1)
    tacit.edit(review.memory, content="We indent with care")
    again = tacit.edit(review.memory, content="We indent with spaces", by="agent").review
    assert tacit.reviews.list() == [again]
    assert tacit.reviews.accept(again.id).memory.content == "We indent with spaces"


def test_of_two_wishes_for_the_same_words_only_one_can_be_carried_out(tacit):
    first = tacit.remember("tabs")
    one, two = (
        tacit.edit(first.id, content=content, by="agent").review for content in ("spaces", "both")
    )
    tacit.reviews.accept(one.id)
    _refused(tacit, two, "was changed")
    assert tacit.get(first.id).content == "spaces"


@pytest.mark.parametrize("wish", [_update, _supersede, _relate])
def test_what_was_forgotten_meanwhile_is_left_alone(desk, tacit, wish):
    review = wish(desk)
    tacit.forget(review.memory)
    _refused(tacit, review, f"memory {review.memory} was forgotten")


@pytest.mark.parametrize("wish", [_update, _forget, _restore, _supersede, _relate])
def test_what_is_gone_cannot_be_changed(desk, tacit, wish):
    review = wish(desk)
    tacit.erase(review.memory)
    assert tacit.reviews.list() == []
    with desk.store.write("default") as unit:
        unit.reviews.add(review)
    _refused(tacit, review, f"memory {review.memory} is gone")


def test_what_was_replaced_meanwhile_is_not_edited(tacit):
    first = tacit.remember("4 spaces", key="indent")
    review = tacit.edit(first.id, content="8 spaces", by="agent").review
    second = tacit.remember("2 spaces", key="indent")
    _refused(tacit, review, f"memory {first.id} was replaced by {second.id}")


def test_what_was_replaced_by_another_meanwhile_stays_so(desk, tacit):
    review = _supersede(desk)
    other = tacit.remember("tabs", key="indent")
    _refused(tacit, review, f"memory {review.memory} was replaced by {other.id}")


@pytest.mark.parametrize(
    ("happen", "told"),
    [
        (lambda tacit, id: tacit.forget(id), "was forgotten"),
        (lambda tacit, id: tacit.erase(id), "is gone"),
        (lambda tacit, id: tacit.edit(id, valid_to="2026-02-01"), "has ended"),
        (lambda tacit, id: tacit.edit(id, valid_from="2027-01-01"), "is not true yet"),
    ],
)
def test_a_successor_that_is_not_live_replaces_nothing(desk, tacit, happen, told):
    review = _supersede(desk)
    happen(tacit, review.change["superseded_by"])
    _refused(tacit, review, f"memory {review.change['superseded_by']} {told}")
    assert tacit.get(review.memory).superseded_by is None


def test_what_has_ended_and_was_replaced_does_not_come_back(desk, tacit):
    first = tacit.remember("The sale is on", key="sale", expires_at=START + timedelta(days=1))
    desk.clock.advance(days=2)
    review = tacit.remember("The sale is on", key="sale", by="agent").review
    tacit.edit(first.id, expires_at=None)
    other = tacit.remember("The sale is over", key="sale")
    _refused(tacit, review, f"memory {first.id} was replaced by {other.id}")


@pytest.mark.parametrize("wish", [_update, _forget, _restore, _supersede, _relate])
def test_what_was_done_meanwhile_needs_no_doing(desk, tacit, wish):
    review = wish(desk)
    tacit.reviews.accept(review.id)
    with desk.store.write("default") as unit:
        unit.reviews.add(review)
    before = tacit.memories.history(review.memory)
    assert tacit.reviews.accept(review.id).status is Status.UNCHANGED
    assert tacit.memories.history(review.memory) == before
    assert tacit.reviews.list() == []


def test_an_edit_that_would_make_a_twin_still_waits(tacit):
    first = tacit.remember("tabs")
    review = tacit.edit(first.id, content="spaces", by="agent").review
    twin = tacit.remember("spaces")
    with pytest.raises(AlreadyKnown, match=twin.id):
        tacit.reviews.accept(review.id)
    assert tacit.reviews.list() == [review]


@pytest.mark.parametrize(
    ("action", "change", "problem"),
    [
        ("update", {"colour": "red"}, "change.colour: no such field"),
        ("update", {"importance": 7}, "change.importance"),
        ("supersede", {}, "review: it does not say what would replace"),
        ("insert", {"relation": "part_of"}, "change"),
        ("insert", {"content": "x"}, "change.source"),
        ("erase", {}, "review: to erase is nothing"),
        ("delete", {}, "review: to delete is nothing"),
    ],
)
def test_a_wish_that_makes_no_sense_is_refused_and_can_be_rejected(desk, action, change, problem):
    known = desk.tacit.remember("tabs").id
    wish = desk.propose("x y z")
    review = replace(wish, id=desk.ids(), memory=known, action=Action(action), change=change)
    with desk.store.write("default") as unit:
        unit.reviews.add(review)
    with pytest.raises(InvalidInput, match=problem):
        desk.tacit.reviews.accept(review.id)
    assert desk.tacit.reviews.get(review.id).to_dict()
    assert desk.tacit.reviews.reject(review.id) == review


# Looking.


@pytest.mark.parametrize(
    ("wish", "present", "wished"),
    [
        (_update, "We indent with tabs", "We indent with spaces"),
        (_forget, "We indent with tabs", None),
        (_restore, None, "We indent with tabs"),
        (_supersede, "4 spaces", "2 spaces"),
        (_relate, "Billing runs on MySQL", "Billing runs on MySQL"),
        (_propose, None, "Ann likes tea"),
    ],
)
def test_a_person_sees_what_is_said_beside_what_is_wished(desk, tacit, wish, present, wished):
    review = wish(desk)
    report = tacit.reviews.get(review.id)
    assert (report.review, report.present, report.wished) == (review, present, wished)
    assert type(report).from_dict(json.loads(json.dumps(report.to_dict()))) == report


def test_the_other_memory_is_shown_too(desk, tacit):
    for wish, content in ((_supersede, "2 spaces"), (_relate, "Billing runs on PostgreSQL")):
        assert tacit.reviews.get(wish(desk).id).other.content == content


def test_what_was_forgotten_is_not_shown_unless_it_would_be_back(desk, tacit):
    review = _update(desk)
    tacit.forget(review.memory)
    assert tacit.reviews.get(review.id).memory is None
    assert tacit.reviews.get(_restore(desk).id).memory.forgotten


def test_an_agent_sees_what_is_about_everybodys_and_its_own(desk, tacit):
    mine = tacit.forget(tacit.remember("the planner's", agent="planner").id, by="agent").review
    shared = tacit.forget(tacit.remember("everybody's").id, by="agent").review
    new = desk.propose("the planner's new one", agent="planner")
    last = desk.propose("everybody's new one")
    for limit in (1, 2, 50):
        assert tacit.reviews.list(agent="coder", limit=limit) == [shared, last][:limit]
    assert tacit.reviews.list(agent="coder", after=shared.id, limit=1) == [last]
    assert tacit.reviews.list(agent="planner") == tacit.reviews.list() == [mine, shared, new, last]
    assert tacit.reviews.get(mine.id, agent="planner").memory.agent == "planner"
    for hidden in (mine, new):
        with pytest.raises(NotFound, match="no review"):
            tacit.reviews.get(hidden.id, agent="coder")


def test_every_refusal_is_one_of_ours(desk, tacit):
    review = _update(desk)
    for asked in ({"by": "nobody"}, {"reason": 7}, {"reason": "x" * 1_000}):
        for decide in (tacit.reviews.accept, tacit.reviews.reject):
            with pytest.raises(TacitError):
                decide(review.id, **asked)
    assert tacit.reviews.list() == [review]


@pytest.mark.parametrize("who", ["agent", "tool"])
def test_where_writing_is_reviewed_what_others_keep_waits_and_what_a_person_keeps_does_not(who):
    config = Config(writing=WritingSettings(write_policy="review"))
    tacit = Tacit(SqliteInMemoryStore.open(), "w", config=config)
    wished = tacit.remember("The queue is NATS", by=who)
    assert wished.status is Status.QUEUED
    assert tacit.list() == []
    assert tacit.remember("The queue is NATS", by=who).review == wished.review
    assert tacit.remember("The cache is Redis").status is Status.CREATED
    assert tacit.remember("The cache is Redis", by=who).status is Status.KNOWN
    (waiting,) = tacit.reviews.list()
    assert tacit.reviews.accept(waiting.id).memory.content == "The queue is NATS"
