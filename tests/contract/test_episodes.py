"""The contract of a store for episodes: each message once, whose it is, and until when."""

from dataclasses import replace
from datetime import timedelta

import pytest

from tacit.core.episodes import Episode, EpisodeRole, to_episode_id
from tacit.core.kinds import Scope, Trust
from tacit.store.episodes import (
    EpisodeRecord,
    EpisodeTable,
    corrected_by,
    has_episodes,
    learned_from,
    replaced_by,
)
from tacit.store.workspaces import episodes_workspace, list_tenants
from tests.support import START, next_id

ANN, BOB = (Scope.USER, "ann"), (Scope.USER, "bob")


def _episode(text="We are in Hamburg now", **fields):
    id = to_episode_id(next_id())
    values = {"id": id, "session": "s", "place": 1, "role": EpisodeRole.USER, "user": "ann"}
    return Episode(**{**values, "at": START, "text": text, **fields})


@pytest.fixture
def write(store):
    """Work on the episodes of a workspace, in a transaction of its own."""

    def run(work, workspace="w"):
        with store.write(episodes_workspace(workspace)) as unit:
            return work(EpisodeTable(unit))

    return run


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"project": "shop", "agent": "coder", "turn": "t", "only_asks": True},
        {"role": EpisodeRole.ASSISTANT, "trust": Trust.UNVERIFIED, "user": None},
        {"scope": Scope.SESSION, "user": None, "forgotten": True, "place": 7},
    ],
)
def test_an_episode_is_read_as_it_was_written(write, fields):
    said = _episode(**fields)
    assert write(lambda table: table.add(said, "one.0"))
    assert write(lambda table: table.get([said.id, next_id()])) == {said.id: said}


def test_a_message_is_kept_once_for_each_owner(write):
    said = _episode()
    again = replace(said, id=to_episode_id(next_id()), at=START + timedelta(days=1))
    his = replace(again, id=to_episode_id(next_id()), user="bob")
    assert write(lambda table: table.add(said, "one.0"))
    assert not write(lambda table: table.add(again, "one.0"))
    assert not write(lambda table: table.add(replace(again, text="Other words"), "one.0"))
    assert write(lambda table: table.add(again, "two.0"))
    assert write(lambda table: table.add(his, "one.0"))
    assert write(lambda table: table.add(_episode(), "one.0"), workspace="theirs") is True
    assert write(lambda table: (table.count(ANN), table.count(BOB))) == (2, 1)


def test_records_come_in_pages_by_id_and_are_the_same_in_another_workspace(write):
    said = [_episode(f"Sentence number {number}") for number in range(5)]
    for number, each in enumerate(said):
        write(lambda table, each=each, number=number: table.add(each, f"{number}.0"))
    write(lambda table: table.note_learned([said[0].id], next_id(), "ab12"))
    write(lambda table: table.note_replaced(said[0].id, said[1].id))

    def pages(table):
        found, after = [], None
        while page := table.scan(after, 2):
            found += page
            after = page[-1].id
        return found

    records = [EpisodeRecord.of(row) for row in write(pages)]
    assert [each.episode.id for each in records] == sorted(each.id for each in said)
    for record in records:
        copy = EpisodeRecord.from_dict(record.to_dict())
        assert write(lambda table, copy=copy: table.put(copy), workspace="theirs")
        assert not write(lambda table, copy=copy: table.put(copy), workspace="theirs")
    assert [EpisodeRecord.of(row) for row in write(pages, workspace="theirs")] == records


def test_links_are_added_once_and_last(write):
    first, second = _episode(), _episode("We moved to Bremen")
    memory = next_id()

    def work(table):
        for number, each in enumerate((first, second)):
            table.add(each, f"{number}.0")
        for _ in range(2):
            table.note_replaced(first.id, second.id)
            table.note_replaced(second.id, first.id, in_part=True)
            table.note_learned([first.id], memory, "ab12")
        return table.scan(None, 9)

    row, other = write(work)
    assert (replaced_by(row), corrected_by(row)) == ([second.id], [])
    assert (replaced_by(other), corrected_by(other)) == ([], [first.id])
    assert [(each.id, each.wording) for each in learned_from(row)] == [(memory, "ab12")]


def test_places_and_turns_are_those_of_an_owner_in_a_session(write):
    said = [
        _episode(place=1, turn="a"),
        _episode("Second", place=2, turn="b", at=START + timedelta(minutes=1)),
        _episode("His", place=9, user="bob", turn="b"),
        _episode("Elsewhere", place=5, session="t", turn="b"),
    ]
    for number, each in enumerate(said):
        write(lambda table, each=each, number=number: table.add(each, f"{number}.0"))
    assert write(lambda table: table.last_place("s", ANN, START)) == 2
    assert write(lambda table: table.last_place("none", ANN, START)) == 0
    assert write(lambda table: table.of_turn("b", "s", ANN, START)) == [said[1]]


def test_the_oldest_are_removed_beyond_a_day_or_a_number_and_others_stay(write):
    for number in range(6):
        at = START + timedelta(days=number)
        write(
            lambda table, number=number, at=at: table.add(
                _episode(f"Day {number}", at=at), f"{number}.0"
            )
        )
    write(lambda table: table.add(_episode("His", user="bob", at=START), "his.0"))
    before = START + timedelta(days=2)
    assert write(lambda table: table.prune(ANN, before, 3, START)) == 3
    left = [row.content for row in write(lambda table: table.scan(None, 9))]
    assert left == ["Day 3", "Day 4", "Day 5", "His"]
    assert write(lambda table: table.prune(ANN, None, 9, START)) == 0


def test_a_removed_episode_can_be_said_again_and_a_session_has_what_is_left(store, write):
    said = _episode()
    write(lambda table: table.add(said, "one.0"))
    assert has_episodes(store, "w", "s")
    assert not has_episodes(store, "w", "t")
    assert not has_episodes(store, "theirs", "s")
    assert write(lambda table: table.remove([said.id, next_id()])) == 1
    assert not has_episodes(store, "w", "s")
    assert write(lambda table: table.add(replace(said, id=to_episode_id(next_id())), "one.0"))


def test_episodes_change_owners_and_projects_without_being_kept_twice(write):
    first, second = _episode(user=None), _episode("We moved to Bremen", user=None, project="shop")
    write(lambda table: table.add(first, "one.0"))
    write(lambda table: table.add(second, "two.0"))
    write(lambda table: table.add(_episode(), "one.0"))
    nobody = (Scope.USER, "")
    assert write(lambda table: table.assign(nobody, ANN, 9)) == 2
    assert write(lambda table: (table.count(nobody), table.count(ANN))) == (0, 2)
    assert write(lambda table: table.assign(nobody, ANN, 9)) == 0
    last = write(lambda table: table.move_project("shop", "market", None, 9))
    assert write(lambda table: table.move_project("shop", "market", last, 9)) is None
    assert sorted(str(row.agent) for row in write(lambda table: table.scan(None, 9))) == [
        "None",
        "market",
    ]


def test_a_forgotten_episode_comes_back_as_it_was(write):
    said = _episode()
    write(lambda table: table.add(said, "one.0"))
    write(lambda table: table.set_forgotten(said.id, forgotten=True))
    assert write(lambda table: table.get([said.id]))[said.id].forgotten
    write(lambda table: table.set_forgotten(said.id, forgotten=False))
    assert write(lambda table: table.get([said.id])) == {said.id: said}


def test_what_is_beside_a_workspace_is_no_tenant(store, write):
    write(lambda table: table.add(_episode(), "one.0"))
    assert episodes_workspace("w") in store.workspaces()
    assert list_tenants(store) == []
