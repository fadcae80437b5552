"""The memories page: queries, rows, bulk actions, forms, histories and graph layouts."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import combinations
from types import SimpleNamespace

import pytest

from tacit import FakeEmbedder, Tacit
from tacit.core.errors import InvalidInput
from tacit.core.kinds import Sort
from tacit.core.memory import Association, Filters, Graph
from tacit.ui.pages.memories.bulk_actions import (
    BulkAssign,
    BulkEdit,
    BulkForget,
    BulkRestore,
    BulkResult,
    expire_action,
    importance_action,
    pin_action,
    run_step,
    tag_action,
)
from tacit.ui.pages.memories.details import inspector_query, times_text
from tacit.ui.pages.memories.graph_layout import HALF_HEIGHT, HALF_WIDTH, lay_out_graph
from tacit.ui.pages.memories.import_export import export_file_name
from tacit.ui.pages.memories.list_query import (
    FILTERS,
    ListQuery,
    SearchMode,
    filter_problem_text,
    find_memories,
)
from tacit.ui.pages.memories.toolbars import BulkActionBar
from tacit.ui.pages.memories.view_model import (
    EMPTY_VALUES,
    changed_fields,
    diff_fields,
    filled_fields,
    last_known_memory,
    owner_text,
    range_text,
    rebase_values,
    successor_ids,
    to_form_values,
    to_history,
    to_row,
)
from tests.simulating import simulated

NOW = datetime(2026, 5, 1, tzinfo=UTC)


@pytest.fixture
def tacit():
    with Tacit.open(":memory:", embedder="none") as opened:
        yield opened


async def _nothing():
    pass


def _done(tacit, action, ids):
    outcome = BulkResult()
    for step in action.steps(tacit, ids):
        outcome += run_step(step)[0]
    return outcome


def _undone(tacit, action, outcome):
    undone = BulkResult()
    for step in action.undo_steps(tacit, outcome.done):
        undone += run_step(step)[0]
    return undone


class TestWish:
    def test_an_address_says_all_of_it_and_is_read_back(self):
        query = {
            "text": "jwt",
            "meaning": "yes",
            "types": "fact,goal",
            "pinned": "no",
            "min_importance": "0.5",
            "created_from": "2026-01-31",
            "sort": "importance",
            "after": "x",
            "skipped": "50",
        }
        assert ListQuery.from_query(query).to_query() == query

    def test_what_is_usual_is_not_in_the_address(self):
        assert (
            ListQuery.from_query({"sort": "recent", "skipped": "no", "workspace": "w"}).to_query()
            == {}
        )

    def test_conditions_become_the_filters_of_the_client(self):
        wish = ListQuery.from_query(
            {"text": " tea ", "types": "fact,goal", "pinned": "no", "state": "any", "tag": "a"}
        )
        assert wish.filters() == {
            "contains": "tea",
            "types": ("fact", "goal"),
            "pinned": False,
            "state": None,
            "tag": "a",
        }

    def test_a_text_that_is_meant_is_no_filter(self):
        assert "contains" not in ListQuery(text="tea", mode=SearchMode.MEANING).filters()

    @pytest.mark.parametrize(
        ("name", "said"),
        [("min_importance", "much"), ("created_to", "soon"), ("key", "two words"), ("types", "x")],
    )
    def test_what_makes_no_sense_is_said_of_its_condition(self, name, said):
        with pytest.raises(InvalidInput) as raised:
            ListQuery.from_query({name: said}).filters()
        assert raised.value.field in (name, name.rstrip("s"))
        label = next(each.label for each in FILTERS if each.name == name)
        assert filter_problem_text(raised.value) == f"{label}: {raised.value.problem}"

    def test_another_condition_begins_at_the_first_page(self):
        wish = ListQuery.from_query({"after": "x", "skipped": "50", "tag": "a"})
        assert wish.with_condition("tag", "").to_query() == {}
        assert wish.with_text("tea", SearchMode.WORDS).to_query() == {"tag": "a", "text": "tea"}

    def test_conditions_out_of_sight_are_counted(self):
        assert (
            ListQuery.from_query({"pinned": "yes", "tag": "a", "scope": "org"}).hidden_filter_count
            == 2
        )

    def test_every_condition_is_a_filter_of_the_client(self):
        assert {each.name for each in FILTERS} <= set(Filters.__annotations__)


class TestFinding:
    def test_by_meaning_it_says_what_has_no_tokens_yet(self):
        with Tacit.open(":memory:", embedder=FakeEmbedder()) as tacit:
            tacit.remember("Invoices go out on Mondays")
            query = ListQuery(text="invoices", mode=SearchMode.MEANING)
            before = find_memories(tacit, query, {}, datetime.now(UTC))
            tacit.archive.embed_missing()
            after = find_memories(tacit, query, {}, datetime.now(UTC))
        assert before.notes == (
            "tokens: 1 of 1 candidates have none yet and are ranked by their vectors",
        )
        assert after.notes == before.degraded == ()

    def test_by_meaning_every_condition_holds_as_in_the_list(self, tacit):
        tacit.memories.remember_all(
            [
                {"content": "tea a", "type": "goal", "tags": ["x"], "pinned": True, "key": "k"},
                {
                    "content": "tea b",
                    "scope": "project",
                    "scope_id": "p",
                    "expires_at": "2999-01-01",
                },
                {"content": "tea c", "agent": "ann", "importance": 0.1, "confidence": 0.2},
            ]
        )
        tacit.remember("tea e", by="tool", origin={"session": "s", "url": "https://x.example"})
        now, wish = datetime.now(UTC), ListQuery(text="tea", mode=SearchMode.MEANING)
        asked = [
            {},
            {"types": ["goal"]},
            {"state": "future"},
            {"scope": "project", "scope_id": "p"},
            {"agent": "bob"},
            {"agent": "ann"},
            {"key": "k"},
            {"tag": "x"},
            {"pinned": True},
            {"pinned": False},
            {"source": "tool"},
            {"trust": "untrusted"},
            {"explicit": False},
            {"session": "s"},
            {"expires": True},
            {"expires": False},
            {"min_importance": 0.6, "max_importance": 0.7},
            {"min_confidence": 0.5},
            {"created_from": now - timedelta(hours=1), "created_to": now},
            {"created_to": "2026-01-01"},
        ]
        for filters in asked:
            listed = {each.content for each in tacit.list(**filters)}
            found = find_memories(tacit, wish, filters, now).memories
            assert {each.content for each in found} == listed, filters


class TestRow:
    def test_tells_what_is_not_usual(self, tacit):
        memory = tacit.remember("x" * 2000, scope="project", scope_id="p", agent="ann").memory
        row = to_row(replace(memory, forgotten=True), NOW, "/here")
        assert (row["state"], row["whose"]) == ("forgotten", "project p, agent ann only")
        assert row["content"].endswith("…")
        assert len(row["content"]) == 800

    def test_the_org_without_a_name_is_everybody(self, tacit):
        assert owner_text(tacit.remember("x", scope="org").memory) == "everybody"

    def test_the_part_in_sight_is_counted_from_one(self):
        assert range_text(50, 50, 100_000) == "51–100 of 100,000"
        assert range_text(0, 0, 0) == "0 memories"
        assert range_text(0, 50, None) == "1–50 of …"


class TestDeeds:
    def test_what_was_done_is_put_back_and_nothing_else(self, tacit):
        plain = tacit.remember("plain").id
        ripe = tacit.remember("ripe", pinned=True, expires_at="2999-01-01", tags=["a"]).id
        before = {id: tacit.get(id) for id in (plain, ripe)}
        for action in (
            pin_action(True),
            expire_action(datetime.now(UTC)),
            importance_action(0.1),
            tag_action("a"),
        ):
            outcome = _done(tacit, action, [plain, ripe])
            assert outcome.done
            assert _undone(tacit, action, outcome).is_complete
            for id, memory in before.items():
                assert replace(tacit.get(id), updated_at=memory.updated_at) == memory

    def test_what_was_so_already_is_not_undone(self, tacit):
        pinned, other = tacit.remember("a", pinned=True).id, tacit.remember("b").id
        outcome = _done(tacit, pin_action(True), [pinned, other])
        assert ([each.id for each in outcome.done], outcome.unchanged) == ([other], 1)
        _undone(tacit, pin_action(True), outcome)
        assert tacit.get(pinned).pinned

    def test_forgetting_and_restoring_undo_each_other_for_those_concerned(self, tacit):
        here, gone = tacit.remember("here").id, tacit.remember("gone").id
        tacit.forget(gone)
        outcome = _done(tacit, BulkForget(), [here, gone])
        _undone(tacit, BulkForget(), outcome)
        assert [each.id for each in tacit.list()] == [here]
        outcome = _done(tacit, BulkRestore(), [here, gone])
        _undone(tacit, BulkRestore(), outcome)
        assert [each.id for each in tacit.list()] == [here]

    def test_an_assignment_is_undone_unless_another_memory_changed_with_it(self, tacit):
        alone, same = tacit.remember("alone").id, tacit.remember("same").id
        tacit.remember("same", scope_id="ann")
        outcome = _done(tacit, BulkAssign("ann"), [alone, same])
        assert outcome.to_text("assigned to ann") == "2 memories assigned to ann."
        undone = _undone(tacit, BulkAssign("ann"), outcome)
        assert [tacit.get(id).scope_id for id in (alone, same)] == ["", "ann"]
        assert "another memory of the user changed with it" in undone.to_text("put back")

    def test_what_somebody_changed_meanwhile_is_not_put_back(self, tacit):
        id = tacit.remember("a", importance=0.2).id
        outcome = _done(tacit, importance_action(0.9), [id])
        tacit.edit(id, importance=0.5)
        undone = _undone(tacit, importance_action(0.9), outcome)
        assert tacit.get(id).importance == 0.5
        assert "meanwhile" in undone.to_text("put back")

    def test_what_fails_is_told_beside_what_was_done(self, tacit):
        here, gone = tacit.remember("here").id, tacit.remember("gone").id
        tacit.forget(gone)
        told = _done(tacit, pin_action(True), [here, gone]).to_text("pinned")
        assert told.startswith("1 memory pinned. 1 failed: ")

    def test_nothing_that_happened_is_left_out_of_the_words(self):
        outcome = BulkResult(unchanged=2, queued=3, untried=4)
        expected = "0 memories pinned, 2 as wished already, 3 waiting for a person at Review"
        assert outcome.to_text("pinned") == f"{expected}, 4 not tried."


class TestActions:
    def test_the_buttons_come_back_after_a_failure_that_nobody_foresaw(self, tacit):
        memory = tacit.remember("tea").memory
        bars = []

        def page():
            bars.append(BulkActionBar(SimpleNamespace(tacit=tacit), _nothing))
            bars[0].show([memory])

        async def fail():
            async with simulated(page) as user:
                await user.open("/")
                with user, pytest.raises(ZeroDivisionError):
                    await bars[0].run_action(BulkEdit("broken", lambda _: 1 / 0))
                await user.should_see("Forget")
                await user.should_see("1 memory selected")

        asyncio.run(fail())


class TestUses:
    def test_one_asks_for_whom_the_memory_is(self, tacit):
        theirs = tacit.remember("tea", scope="project", scope_id="p", agent="ann").memory
        assert inspector_query(theirs) == {"project": "p", "agent": "ann"}
        assert inspector_query(tacit.remember("milk").memory) == {}

    def test_how_often_it_was_used_is_told_in_words(self):
        assert [times_text(count) for count in (0, 1, 2000)] == ["not yet", "once", "2,000 times"]


class TestForm:
    def test_only_what_changed_is_sent(self, tacit):
        memory = tacit.remember("a", key="k", tags=["x, y"], expires_at="2999-01-02T03:04").memory
        assert changed_fields(memory, to_form_values(memory)) == {}
        values = {
            **to_form_values(memory),
            "key": "",
            "tags": "x, y\nz\n",
            "expires_at": "2999-02-01T00:00:00.000Z",
        }
        assert changed_fields(memory, values) == {
            "key": None,
            "tags": ("x, y", "z"),
            "expires_at": "2999-02-01T00:00:00.000Z",
        }

    def test_empty_fields_of_a_new_memory_take_their_defaults(self, tacit):
        written = tacit.remember(**filled_fields({**EMPTY_VALUES, "content": "a", "type": "goal"}))
        assert (written.memory.importance, written.memory.tags) == (0.9, ())

    @pytest.mark.parametrize(
        ("name", "value"), [("importance", None), ("metadata", "[1]"), ("metadata", "{")]
    )
    def test_what_cannot_be_meant_is_said_of_its_field(self, tacit, name, value):
        memory = tacit.remember("a", metadata={"b": 1}).memory
        with pytest.raises(InvalidInput) as raised:
            changed_fields(memory, {**to_form_values(memory), name: value})
        assert raised.value.field == name

    def test_over_anothers_change_own_ones_stay_and_the_rest_follows(self, tacit):
        base = tacit.remember("a", importance=0.2).memory
        fresh = tacit.edit(base.id, content="b", importance=0.3).memory
        mine = {**to_form_values(base), "importance": 0.9}
        values = rebase_values(base, fresh, mine)
        assert (values["content"], values["importance"]) == ("b", 0.9)
        assert changed_fields(fresh, values) == {"importance": 0.9}
        assert [each.field for each in diff_fields(base, fresh)] == ["content", "importance"]


@pytest.mark.parametrize(
    ("workspace", "spelled"), [("team:web/../\r\n", "team-web"), ("é", "workspace"), ("a_1", "a_1")]
)
def test_a_file_is_named_in_letters_that_every_disk_takes(workspace, spelled):
    assert export_file_name(workspace).rsplit("-", 3)[0] == f"tacit-{spelled}"


class TestChronicle:
    def test_tells_every_change_newest_first(self, tacit):
        one, other = tacit.remember("a", key="k").id, tacit.remember("b").id
        tacit.edit(one, content="a2")
        tacit.memories.link(one, other, "part_of")
        tacit.forget(one)
        told = to_history(tacit.memories.history(one))
        assert [each.title for each in told] == ["Forgotten", "Linked", "Changed", "Written"]
        assert told[1].link.target == other
        changed = told[2].differences[0]
        assert (changed.field, changed.old, changed.new) == ("content", "a", "a2")
        assert [each.field for each in told[3].differences] == ["content", "type", "key"]

    def test_a_forgotten_memory_is_what_its_history_says(self, tacit):
        one = tacit.remember("a", tags=["x"], scope="project", scope_id="p").id
        tacit.edit(one, content="a2", pinned=True)
        before = tacit.get(one)
        tacit.forget(one)
        known = last_known_memory(tacit.memories.history(one), tacit.workspace.name)
        assert replace(known, forgotten=False, updated_at=before.updated_at) == before
        assert known.forgotten

    def test_what_replaced_a_memory_is_named_once(self, tacit):
        one = tacit.remember("2 spaces", key="indent").id
        other = tacit.remember("4 spaces", key="indent").id
        assert successor_ids(tacit.get(one), tacit.memories.history(one)) == (other,)
        assert successor_ids(tacit.get(other), tacit.memories.history(other)) == ()

    def test_of_an_erased_memory_nothing_is_known(self, tacit):
        one = tacit.remember("a").id
        tacit.erase(one)
        history = tacit.memories.history(one)
        assert last_known_memory(history, tacit.workspace.name) is None
        assert to_history(history)[0].title == "Erased"


class TestDrawing:
    def _graph(self, tacit, count, pairs):
        memories = [tacit.remember(f"memory number {n}").memory for n in range(count)]
        edges = [
            Association(source=memories[a].id, target=memories[b].id, relation=relation)
            for a, b, relation in pairs
        ]
        return Graph(nodes=tuple(memories), edges=tuple(edges)), memories

    def test_the_centre_is_in_the_middle_and_steps_lead_outwards(self, tacit):
        pairs = [(0, 1, "updates"), (2, 1, "part_of"), (2, 3, "related_to")]
        graph, memories = self._graph(tacit, 5, pairs)
        layout = lay_out_graph(graph, memories[0].id)
        assert [node.id for node in layout.nodes] == [each.id for each in memories[:4]]
        assert [node.step for node in layout.nodes] == [0, 1, 2, 3]
        centre = layout.nodes[0]
        assert (centre.x, centre.y) == (
            pytest.approx(layout.width / 2, abs=0.1),
            pytest.approx(layout.height / 2, abs=0.1),
        )
        assert {str(each) for each in layout.relations} == {"updates", "part_of", "related_to"}

    @pytest.mark.parametrize("count", [2, 9, 40])
    def test_no_label_covers_another_or_leaves_the_frame(self, tacit, count):
        pairs = [(0 if n % 3 else n // 2, n, "related_to") for n in range(1, count)]
        graph, memories = self._graph(tacit, count, pairs)
        layout = lay_out_graph(graph, memories[0].id)
        assert len(layout.nodes) == count
        for one, other in combinations(layout.nodes, 2):
            beside = abs(one.x - other.x) >= 2 * HALF_WIDTH
            assert beside or abs(one.y - other.y) >= 2 * HALF_HEIGHT
        for node in layout.nodes:
            assert HALF_WIDTH <= node.x <= layout.width - HALF_WIDTH
            assert HALF_HEIGHT <= node.y <= layout.height - HALF_HEIGHT

    def test_two_lines_between_a_pair_do_not_lie_on_each_other(self, tacit):
        graph, memories = self._graph(tacit, 2, [(0, 1, "updates"), (1, 0, "contradicts")])
        one, other = lay_out_graph(graph, memories[0].id).edges
        assert one.bend != other.bend

    def test_a_memory_without_links_stands_alone(self, tacit):
        graph, memories = self._graph(tacit, 1, [])
        layout = lay_out_graph(graph, memories[0].id)
        assert (len(layout.nodes), layout.edges) == (1, ())


def test_sorts_of_the_page_are_those_of_the_client():
    assert {ListQuery.from_query({"sort": str(each)}).sort for each in Sort} == set(Sort)
