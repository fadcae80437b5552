"""Conflicts: what is listed, what resolving them does, and what turns make of it."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit import Conflict, InvalidInput, NotFound, Relation, Status, Tacit
from tacit.api.calls import relations
from tacit.statements.conflict_list import group_conflicts
from tests.properties import examples
from tests.serving import served

MYSQL, POSTGRES, ORACLE = (f"Billing runs on {each}" for each in ("MySQL", "PostgreSQL", "Oracle"))
ASKED = "What does billing run on?"
TURN = {"session": "s", "text": ASKED, "contextual_min_score": 0.05}


def _ids(tacit, *drafts):
    return [tacit.remember(content, **fields).id for content, fields in drafts]


@pytest.fixture
def undecided(tacit):
    """Two memories of which no rule tells which is right."""
    other = {"by": "operator", "confidence": 0.9}
    return _ids(tacit, (MYSQL, {"confidence": 0.9}), (POSTGRES, other))


@pytest.fixture
def against_an_agent(tacit):
    """What a person says, and what an agent says against it."""
    return _ids(tacit, (MYSQL, {"confidence": 0.7}), (POSTGRES, {"by": "agent", "confidence": 1.0}))


def _sides(conflict):
    return [memory.content for memory in conflict.memories]


def _listed(tacit, **asked):
    return [_sides(conflict) for conflict in tacit.conflicts.list(**asked)]


def _stamp(tacit, **asked):
    """The contents that a turn shows, and those that it flags."""
    with tacit.turn(**{**TURN, **asked}) as turn:
        shown = {tacit.get(each.memory).content for each in turn.receipt.injected}
        flagged = {tacit.get(each.memory).content for each in turn.receipt.conflicts}
    return shown, flagged


# The list.


def test_memories_that_give_one_thing_two_values_are_a_conflict(tacit, undecided):
    (found,) = tacit.conflicts.list()
    assert isinstance(found, Conflict)
    assert [memory.id for memory in found.memories] == undecided
    assert found.about == "Billing runs on …"
    recommended = found.recommended
    assert (recommended.keep, recommended.supersede) == (None, ())
    assert recommended.reason == "same confidence, different sources"


def test_a_key_with_two_values_is_a_conflict(tacit, clock):
    surer, other = _ids(
        tacit,
        ("tabs", {"key": "editor.indent"}),
        ("spaces", {"key": "editor.indent", "by": "agent"}),
    )
    (found,) = tacit.conflicts.list()
    assert found.about == "editor.indent"
    assert (found.recommended.keep, found.recommended.supersede) == (surer, (other,))
    assert found.recommended.reason == "trusted over unverified"


def test_what_an_agent_says_against_a_person_is_listed_and_never_shown(tacit, against_an_agent):
    mine, agents = against_an_agent
    (found,) = tacit.conflicts.list()
    assert (found.recommended.keep, found.recommended.supersede) == (mine, (agents,))
    assert _stamp(tacit) == ({MYSQL}, set())


def test_of_one_source_the_newer_is_recommended(tacit, clock):
    old = tacit.remember(MYSQL).id
    clock.advance(days=1)
    new = tacit.remember(POSTGRES).id
    (found,) = tacit.conflicts.list()
    assert (found.recommended.keep, found.recommended.supersede) == (new, (old,))


def test_three_values_are_one_conflict(tacit, clock):
    ids = []
    for content in (MYSQL, POSTGRES, ORACLE):
        ids.append(tacit.remember(content).id)
        clock.advance(days=1)
    (found,) = tacit.conflicts.list()
    assert [memory.id for memory in found.memories] == ids
    assert (found.recommended.keep, found.recommended.supersede) == (ids[2], tuple(ids[:2]))


def test_memories_that_share_two_disputes_are_listed_once(tacit):
    tacit.remember("Billing runs on MySQL. The deploy day is Friday.")
    tacit.remember("Billing runs on Oracle. The deploy day is Monday.")
    assert len(tacit.conflicts.list()) == 1


def test_a_dispute_is_named_where_other_things_are_agreed(tacit):
    tacit.remember("Billing runs on MySQL. The deploy day is Friday.")
    tacit.remember("Billing runs on MySQL. The deploy day is Monday.")
    (found,) = tacit.conflicts.list()
    assert found.about == "The deploy day is …"


def test_a_denial_names_what_is_denied(tacit):
    tacit.remember("Always use tabs")
    tacit.remember("Never use tabs", by="agent")
    (found,) = tacit.conflicts.list()
    assert found.about == "Use tabs"


@pytest.mark.parametrize(
    ("mine", "theirs", "listed"),
    [
        ({"scope_id": "ann"}, {"scope_id": "bob"}, False),
        ({"scope_id": ""}, {"scope_id": "bob"}, False),
        ({"scope_id": "ann"}, {"scope_id": "ann"}, True),
        ({"agent": "a"}, {"agent": "b"}, False),
        ({"agent": "a"}, {}, True),
        ({"agent": "a"}, {"agent": "a"}, True),
        ({"scope_id": "ann"}, {"scope": "org"}, True),
        ({"scope": "project", "scope_id": "p"}, {"scope": "project", "scope_id": "q"}, False),
        ({"type": "event"}, {}, False),
        ({"key": "a"}, {"key": "b"}, False),
        ({"key": "a"}, {}, True),
        ({"key": "a", "scope_id": "ann"}, {"key": "a", "scope": "org"}, False),
        ({"key": "a", "agent": "x"}, {"key": "a"}, True),
        ({"expires_at": "2026-03-02"}, {}, True),
        ({"valid_to": "2026-01-01"}, {}, False),
        ({"valid_from": "2027-01-01"}, {}, False),
    ],
    ids=str,
)
def test_only_what_somebody_can_see_together_is_in_conflict(tacit, mine, theirs, listed):
    tacit.remember(MYSQL, **mine)
    tacit.remember(POSTGRES, by="agent", **theirs)
    assert bool(tacit.conflicts.list()) is listed


def test_the_more_specific_scope_is_recommended(tacit):
    wide, narrow = _ids(
        tacit, (MYSQL, {"scope": "org"}), (POSTGRES, {"scope": "project", "scope_id": "shop"})
    )
    (found,) = tacit.conflicts.list()
    recommended = found.recommended
    assert (recommended.keep, recommended.supersede) == (narrow, (wide,))
    assert recommended.reason == "project over org"


def test_two_users_against_their_organisation_are_two_conflicts(tacit):
    tacit.remember(MYSQL, scope="org")
    tacit.remember(POSTGRES, scope_id="ann")
    tacit.remember(ORACLE, scope_id="bob")
    assert sorted(_listed(tacit)) == [[MYSQL, ORACLE], [MYSQL, POSTGRES]]


def test_an_agent_sees_no_conflict_with_what_is_another_agents(tacit):
    tacit.remember(MYSQL)
    tacit.remember(POSTGRES, agent="coder", by="agent")
    assert _listed(tacit) == _listed(tacit, agent="coder") == [[MYSQL, POSTGRES]]
    assert _listed(tacit, agent="writer") == []


def test_a_forgotten_side_ends_a_conflict_and_a_restored_one_brings_it_back(tacit, undecided):
    (before,) = tacit.conflicts.list()
    tacit.forget(undecided[1])
    assert tacit.conflicts.list() == []
    tacit.restore(undecided[1])
    assert [each.id for each in tacit.conflicts.list()] == [before.id]


def test_other_workspaces_conflicts_are_not_listed(house, undecided):
    assert house.another("other").conflicts.list() == []


def _many(tacit):
    """Conflicts of keys and of statements."""
    for number in range(6):
        tacit.remember("here", key=f"place.{number}")
        tacit.remember("there", key=f"place.{number}", by="agent")
        tacit.remember(f"Service {number} runs on MySQL")
        tacit.remember(f"Service {number} runs on Oracle", by="agent")
    return [conflict.id for conflict in tacit.conflicts.list()]


@pytest.mark.parametrize("limit", [1, 5, 12, 13])
def test_pages_give_every_conflict_once_in_one_order(tacit, monkeypatch, limit):
    monkeypatch.setattr(relations, "_CLAIMS_AT_ONCE", 4)
    monkeypatch.setattr(relations, "_PLACES_AT_ONCE", 4)
    everything = _many(tacit)
    assert len(set(everything)) == 12
    found = []
    while page := tacit.conflicts.list(limit=limit, after=found[-1] if found else None):
        assert len(page) <= limit
        found += [conflict.id for conflict in page]
    assert found == everything == sorted(everything)


@pytest.mark.parametrize(("name", "most"), [("MEMORIES", 5), ("CHARACTERS", 40)])
def test_a_page_ends_once_it_has_very_much_in_it(tacit, monkeypatch, name, most):
    everything = _many(tacit)
    monkeypatch.setattr(relations, f"MAX_PAGE_{name}", most)
    compared = []
    inner = relations._find_disputes
    monkeypatch.setattr(
        relations, "_find_disputes", lambda *given: compared.append(1) or inner(*given)
    )
    monkeypatch.setattr(relations, "_MOST_PAIRS", 1)
    found = []
    while page := tacit.conflicts.list(limit=1_000, after=found[-1] if found else None):
        assert 1 <= len(page) < 6
        assert len(compared) <= 12
        compared.clear()
        found += [conflict.id for conflict in page]
    assert found == everything


def test_over_http_a_page_that_ends_early_names_the_next(monkeypatch):
    with served() as house:
        everything = _many(house.tacit)
        monkeypatch.setattr(relations, "MAX_PAGE_MEMORIES", 5)
        found, after = [], None
        while after is not None or not found:
            asked = {"limit": 1_000} | ({} if after is None else {"after": after})
            page = house.client.get("/v1/memory/conflicts", params=asked).json()
            found += [each["id"] for each in page["items"]]
            after = page["next"]
        assert found == everything


def test_a_page_goes_on_after_a_conflict_that_was_resolved(tacit):
    everything = _many(tacit)
    for place in (2, 8):
        conflict = tacit.conflicts.list()[place]
        kept, other = (memory.id for memory in conflict.memories)
        tacit.conflicts.resolve(keep=kept, supersede=[other])
        rest = [each.id for each in tacit.conflicts.list(after=conflict.id)]
        assert rest == [id for id in everything if id > conflict.id]
        everything.remove(conflict.id)


def test_of_very_many_the_newest_are_compared(tacit, monkeypatch):
    monkeypatch.setattr(relations, "_MOST_PAIRS", 3)
    for number in range(9):
        tacit.remember(f"Billing ran well in week {number}. Always use tabs.")
    tacit.remember("Never use tabs", by="agent")
    assert len(tacit.conflicts.list()) == 3


@pytest.mark.parametrize("after", ["", "k-1", "01890a5d-ac96-774b-bcce-b302099a8057", "K" * 40])
def test_what_is_no_conflicts_id_is_refused(tacit, after):
    with pytest.raises(InvalidInput, match="not the id of a conflict"):
        tacit.conflicts.list(after=after)


@pytest.mark.parametrize(
    ("pairs", "groups"),
    [
        ([], []),
        (["ab"], ["ab"]),
        (["ba", "ab"], ["ab"]),
        (["ab", "bc"], ["ab", "bc"]),
        (["ab", "bc", "ac"], ["abc"]),
        (["ab", "bc", "ac", "cd"], ["abc", "cd"]),
        (["ab", "ac", "bc", "ad", "bd"], ["abc", "abd"]),
    ],
)
def test_groups_are_such_that_each_stands_against_all_others(pairs, groups):
    assert group_conflicts(map(tuple, pairs)) == [tuple(group) for group in groups]


# Resolving.


def test_resolving_lets_one_replace_the_others(tacit, clock, undecided):
    kept, loser = undecided
    clock.advance(hours=1)
    (written,) = tacit.conflicts.resolve(keep=kept, supersede=[loser], reason="moved in March")
    assert (written.id, written.status) == (loser, Status.SUPERSEDED)
    assert (written.memory.superseded_by, written.memory.valid_to) == (kept, clock.now)
    assert tacit.conflicts.list() == []
    assert _stamp(tacit) == ({MYSQL}, set())
    entry = tacit.memories.history(loser)[-1]
    assert (entry.action, entry.by) == ("supersede", "user")
    assert entry.new["superseded_by"] == kept
    assert entry.new["reason"] == "moved in March"


def test_several_are_replaced_at_once_or_none(tacit, undecided):
    kept = tacit.remember(ORACLE).id
    stranger = tacit.remember("Tea is at four").id
    with pytest.raises(InvalidInput, match=f"{stranger} is in no conflict"):
        tacit.conflicts.resolve(keep=kept, supersede=[*undecided, stranger])
    assert len(tacit.conflicts.list()[0].memories) == 3
    written = tacit.conflicts.resolve(keep=kept, supersede=undecided)
    assert [each.status for each in written] == [Status.SUPERSEDED] * 2
    assert tacit.conflicts.list() == []


def test_resolving_again_changes_nothing(tacit, undecided):
    kept, loser = undecided
    tacit.conflicts.resolve(keep=kept, supersede=[loser, loser])
    before = tacit.memories.history(loser)
    (again,) = tacit.conflicts.resolve(keep=kept, supersede=[loser])
    assert again.status is Status.UNCHANGED
    assert tacit.memories.history(loser) == before


def test_without_a_reason_the_history_has_none(tacit, undecided):
    tacit.conflicts.resolve(keep=undecided[0], supersede=[undecided[1]])
    assert "reason" not in tacit.memories.history(undecided[1])[-1].new


def test_what_a_person_wrote_is_not_replaced_by_an_agents_wish(tacit, against_an_agent):
    mine, agents = against_an_agent
    (wish,) = tacit.conflicts.resolve(keep=agents, supersede=[mine], reason="newer", by="agent")
    assert wish.status is Status.QUEUED
    assert tacit.reviews.list() == [wish.review]
    assert (wish.review.memory, wish.review.action) == (mine, "supersede")
    assert wish.review.change == {"superseded_by": agents, "reason": "newer"}
    assert len(tacit.conflicts.list()) == 1
    (done,) = tacit.conflicts.resolve(keep=mine, supersede=[agents], by="agent")
    assert done.status is Status.SUPERSEDED


def test_only_what_is_in_conflict_is_replaced(tacit, undecided):
    mine, agents = undecided
    theirs = tacit.remember(ORACLE, scope_id="ann").id
    with pytest.raises(InvalidInput, match="in no conflict"):
        tacit.conflicts.resolve(keep=mine, supersede=[theirs])
    tacit.conflicts.resolve(keep_both=undecided)
    with pytest.raises(InvalidInput, match="in no conflict"):
        tacit.conflicts.resolve(keep=mine, supersede=[agents])


def test_what_is_not_live_is_not_resolved(tacit, undecided):
    mine, agents = undecided
    past = tacit.remember(ORACLE, valid_to="2026-01-01").id
    for asked in (
        {"keep": past, "supersede": [mine]},
        {"keep": mine, "supersede": [past]},
        {"keep_both": [mine, past]},
    ):
        with pytest.raises(InvalidInput, match="is past"):
            tacit.conflicts.resolve(**asked)
    tacit.forget(agents)
    with pytest.raises(NotFound, match="was forgotten"):
        tacit.conflicts.resolve(keep=mine, supersede=[agents])
    with pytest.raises(NotFound, match="there is no memory"):
        tacit.conflicts.resolve(keep=mine, supersede=[mine[:-4] + "ffff"])


@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"supersede": ["b"]},
        {"keep": "a"},
        {"keep": "a", "supersede": ["a"]},
        {"keep": "a", "supersede": "b"},
        {"keep": "a", "supersede": ["b"], "keep_both": ["a", "b"]},
        {"supersede": ["b"], "keep_both": ["a", "b"]},
        {"keep_both": ["a"]},
        {"keep_both": ["a", "a"]},
        {"keep_both": ["a", "nonsense"]},
        {"keep": "a", "supersede": ["b"], "reason": "x" * 501},
        {"keep": "a", "supersede": ["b"], "reason": None},
    ],
    ids=str,
)
def test_what_makes_no_sense_is_refused_and_changes_nothing(tacit, undecided, asked):
    names = dict(zip("ab", undecided, strict=True))

    def named(value):
        if isinstance(value, list):
            return [named(each) for each in value]
        return names.get(value, value)

    with pytest.raises(InvalidInput):
        tacit.conflicts.resolve(**{name: named(value) for name, value in asked.items()})
    assert len(tacit.conflicts.list()) == 1


# Keeping both.


def test_what_is_kept_is_no_conflict_in_the_list_or_in_a_turn(tacit, undecided):
    assert _stamp(tacit) == ({MYSQL, POSTGRES}, {MYSQL, POSTGRES})
    written = tacit.conflicts.resolve(keep_both=undecided[::-1], reason="two shops")
    assert [(each.id, each.status) for each in written] == [(id, "kept") for id in undecided]
    assert tacit.conflicts.list() == []
    assert _stamp(tacit, session="another") == ({MYSQL, POSTGRES}, set())
    entry = tacit.memories.history(undecided[0])[-1]
    assert (entry.action, entry.subject) == ("insert", "association")
    assert (entry.new["relation"], entry.new["reason"]) == ("compatible_with", "two shops")


def test_what_lost_to_another_is_shown_once_both_are_kept(tacit):
    ids = _ids(tacit, (MYSQL, {}), (POSTGRES, {"by": "agent"}))
    assert _stamp(tacit) == ({MYSQL}, set())
    tacit.conflicts.resolve(keep_both=ids)
    assert _stamp(tacit, session="another") == ({MYSQL, POSTGRES}, set())


def test_values_of_one_key_can_be_kept(tacit):
    ids = _ids(tacit, ("tabs", {"key": "indent"}), ("spaces", {"key": "indent", "by": "agent"}))
    asked = {"text": "Which indent: tabs or spaces?"}
    assert _stamp(tacit, **asked) == ({"tabs"}, set())
    tacit.conflicts.resolve(keep_both=ids)
    assert tacit.conflicts.list() == []
    assert _stamp(tacit, **asked, session="another") == ({"tabs", "spaces"}, set())


def test_what_is_kept_is_not_brought_in_where_only_the_other_is_found():
    with Tacit.open(":memory:", embedder="none") as words:
        ids = _ids(words, (f"{MYSQL}. Pigeons nest there.", {}), (POSTGRES, {"by": "agent"}))
        asked = TURN | {"text": "Where do pigeons nest?"}
        assert _candidates(words.preview(**asked)) == set(ids)
        words.conflicts.resolve(keep_both=ids)
        assert _candidates(words.preview(**asked)) == {ids[0]}


def _candidates(prepared):
    return {each.memory for each in prepared.receipt.candidates}


def test_a_third_value_is_still_in_conflict_with_what_was_kept(tacit):
    tacit.conflicts.resolve(
        keep_both=_ids(tacit, (MYSQL, {"by": "agent"}), (POSTGRES, {"by": "tool"}))
    )
    tacit.remember(ORACLE, by="import", confidence=0.8)
    assert sorted(_listed(tacit)) == [[MYSQL, ORACLE], [POSTGRES, ORACLE]]
    assert _stamp(tacit)[1] == {MYSQL, POSTGRES, ORACLE}


def test_keeping_again_changes_nothing(tacit, undecided):
    tacit.conflicts.resolve(keep_both=undecided)
    before = tacit.memories.history(undecided[0])
    again = tacit.conflicts.resolve(keep_both=undecided)
    assert {each.status for each in again} == {Status.UNCHANGED}
    assert tacit.memories.history(undecided[0]) == before


def test_keeping_is_taken_back_by_removing_the_association(tacit, undecided):
    tacit.conflicts.resolve(keep_both=undecided)
    tacit.memories.unlink(*undecided, Relation.COMPATIBLE_WITH)
    assert len(tacit.conflicts.list()) == 1
    assert _stamp(tacit)[1] == {MYSQL, POSTGRES}


def test_an_association_in_the_other_direction_says_the_same(tacit, undecided):
    tacit.memories.link(*undecided[::-1], Relation.COMPATIBLE_WITH)
    assert tacit.conflicts.list() == []
    assert _stamp(tacit)[1] == set()


def test_other_associations_leave_a_conflict_alone(tacit, undecided):
    for relation in Relation:
        if relation is not Relation.COMPATIBLE_WITH:
            tacit.memories.link(*undecided, relation)
    assert len(tacit.conflicts.list()) == 1
    assert _stamp(tacit)[1] == {MYSQL, POSTGRES}


def test_what_contradicts_nothing_cannot_be_kept(tacit, undecided):
    stranger = tacit.remember("Tea is at four").id
    with pytest.raises(InvalidInput, match=f"{stranger} is in no conflict"):
        tacit.conflicts.resolve(keep_both=[*undecided, stranger])
    assert len(tacit.conflicts.list()) == 1


def test_an_agent_cannot_make_peace_with_a_persons_words(tacit, against_an_agent):
    mine, agents = against_an_agent
    wishes = tacit.conflicts.resolve(keep_both=against_an_agent, by="agent")
    assert {each.status for each in wishes} == {Status.QUEUED}
    (review,) = tacit.reviews.list()
    assert (review.memory, review.action) == (mine, "insert")
    assert (review.change["relation"], review.change["target"]) == ("compatible_with", agents)
    with pytest.raises(InvalidInput, match="a person's words"):
        tacit.memories.link(*against_an_agent, Relation.COMPATIBLE_WITH, by="agent")
    assert len(tacit.conflicts.list()) == 1


def test_an_agent_may_keep_what_agents_wrote(tacit):
    ids = _ids(tacit, (MYSQL, {"by": "agent"}), (POSTGRES, {"by": "tool"}))
    assert {each.status for each in tacit.conflicts.resolve(keep_both=ids, by="agent")} == {
        Status.KEPT
    }
    assert tacit.conflicts.list() == []


# The end of all conflicts.

STATEMENTS = [MYSQL, POSTGRES, ORACLE, "Always use tabs", "Never use tabs", f"{MYSQL}. Use tabs"]
DRAFT = st.fixed_dictionaries(
    {"content": st.sampled_from(STATEMENTS), "by": st.sampled_from(["user", "agent", "tool"])},
    optional={
        "confidence": st.sampled_from([0.7, 0.9, 1.0]),
        "owner": st.sampled_from([("user", "ann"), ("user", "bob"), ("project", "p"), ("org", "")]),
        "key": st.sampled_from(["a", "b"]),
        "agent": st.sampled_from(["coder", "writer"]),
    },
)


def _remember(tacit, drafts):
    for draft in drafts:
        fields = dict(draft)
        scope, scope_id = fields.pop("owner", ("user", ""))
        tacit.remember(scope=scope, scope_id=scope_id, **fields)


def _keep_one(tacit, conflict):
    kept = conflict.recommended.keep or conflict.memories[0].id
    others = [memory.id for memory in conflict.memories if memory.id != kept]
    assert conflict.recommended.supersede in ((), tuple(others))
    tacit.conflicts.resolve(keep=kept, supersede=others)


def _keep_all(tacit, conflict):
    tacit.conflicts.resolve(keep_both=[memory.id for memory in conflict.memories])


_workspaces = iter(range(10**6))


@pytest.mark.parametrize("end", [_keep_one, _keep_all])
@settings(max_examples=examples(5, 12))
@given(st.lists(DRAFT, max_size=8))
def test_once_every_conflict_is_resolved_there_is_none_in_any_turn(house, end, drafts):
    tacit = house.another(f"w{next(_workspaces)}")
    _remember(tacit, drafts)
    for _ in range(len(drafts) ** 2):
        for conflict in tacit.conflicts.list(limit=1):
            end(tacit, conflict)
    assert tacit.conflicts.list() == []
    for user in (None, "ann", "bob"):
        for agent in (None, "coder", "writer"):
            who = {"user": user, "agent": agent, "project": "p"}
            text = "What does billing run on, and who should always use tabs?"
            assert tacit.preview(**TURN | {"text": text}, **who).receipt.conflicts == ()


# The command line.


@pytest.fixture
def shown(run):
    """Two memories in conflict, on the command line."""
    ids = []
    for words, who in ((MYSQL, "user"), (POSTGRES, "operator")):
        out = run("remember", words, "--by", who, "--confidence", "0.9", "--json").out
        ids.append(json.loads(out)["memory"]["id"])
    return ids


def test_the_list_shows_both_sides_and_what_to_do(run, shown):
    run("remember", "tabs", "--key", "indent")
    run("remember", "spaces", "--key", "indent", "--by", "agent")
    lines = run("conflicts", "list").out.splitlines()
    (place,) = [number for number, line in enumerate(lines) if MYSQL in line]
    assert lines[place].split() == ["undecided", shown[0][-8:], *MYSQL.split()]
    assert lines[place + 1].strip().startswith("written by user ")
    assert lines[place + 1].strip().endswith(" · confidence 0.90")
    assert "Billing runs on … (same confidence, different sources)" in lines
    assert [line.split()[0] for line in lines if line.rstrip().endswith(" tabs")] == ["keep"]
    assert [line.split()[0] for line in lines if line.rstrip().endswith(" spaces")] == ["replace"]
    assert any(line.strip().startswith("tacit conflicts resolve ") for line in lines)


def test_the_list_says_when_each_side_was_said_and_whose_it_is(run):
    for words, day in ((MYSQL, "2026-01-05"), (POSTGRES, "2026-02-06")):
        origin = json.dumps({"time": f"{day}T12:00:00Z"})
        run("remember", words, "--origin", origin, "--scope-id", "ann")
    out = run("conflicts").out
    assert out.index("written by user 2026-01-05") < out.index("written by user 2026-02-06")
    assert out.count(" · of user:ann") == 2


def test_the_list_is_read_at_80_columns(run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    sides = [f"The database of the billing service is called {name}" for name in ("Ann", "Ben")]
    run("remember", sides[0], "--confidence", "0.9")
    run("remember", sides[1], "--confidence", "0.9", "--by", "operator")
    lines = [line.rstrip() for line in run("conflicts").out.splitlines()]
    assert max(map(len, lines)) <= 80
    assert [line[-len(sides[0]) :] for line in lines if "service is called" in line][1:] == sides


def test_the_list_goes_on_page_by_page(run, shown):
    run("remember", "tabs", "--key", "indent")
    run("remember", "spaces", "--key", "indent", "--by", "agent")
    first = run("conflicts", "list", "-n", "1").out
    assert "indent" in first
    after = first.split("--after ")[1].strip()
    assert "Billing runs on …" in run("conflicts", "list", "--after", after).out


def test_conflicts_are_listed_as_json(run, shown):
    (found,) = json.loads(run("conflicts", "list", "--json").out)
    assert set(found) == {"id", "memories", "about", "recommended"}
    assert [memory["id"] for memory in found["memories"]] == shown
    assert set(found["recommended"]) == {"keep", "supersede", "reason"}


def test_a_conflict_is_resolved_by_the_ends_of_ids(run, shown):
    keep, other = (id[-6:] for id in shown)
    out = run("conflicts", "resolve", keep, other, "--reason", "it moved").out
    assert out == f"superseded {shown[1][-8:]} fact {POSTGRES}\n"
    assert "reason: it moved" in run("history", other).out
    assert "contradict each other" in run("conflicts", "list").out


def test_both_sides_are_kept(run, shown):
    out = run("conflicts", "keep", *shown, "--reason", "two shops").out
    assert [line.split()[0] for line in out.splitlines()] == ["kept", "kept"]
    assert json.loads(run("conflicts", "list", "--json").out) == []
    assert "reason: two shops" in run("history", shown[0]).out


def test_an_agents_wish_waits_for_a_person(run, shown):
    out = run("conflicts", "resolve", shown[1], shown[0], "--by", "agent").out
    assert "waits for a person: supersede" in out


@pytest.mark.parametrize(
    ("words", "advice"),
    [
        (("list", "1b2c"), "list takes none"),
        (("resolve",), "name the memory to keep, then one or more that it replaces"),
        (("resolve", "1b2c"), "name the memory to keep, then one or more that it replaces"),
        (("keep",), "name two or more memories"),
        (("keep", "abc", "abcd"), "'abc' is too short; give at least 4 last characters"),
        (("end",), "'resolve'"),
        (("list", "--after", "x"), "after"),
    ],
)
def test_a_command_that_makes_no_sense_says_what_would(run, shown, words, advice):
    ran = run("conflicts", *words)
    assert ran.code == 2
    assert advice in ran.err
