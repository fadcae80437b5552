"""The contract of a store for conversations: sessions, blocks, ledgers, receipts, marks."""

from dataclasses import replace
from datetime import timedelta

import pytest

from tacit import Tacit
from tacit.core.kinds import Actor, Scope
from tacit.core.marks import Mark, MarkAuthor
from tacit.core.open_turn import ChatMessage, NotRecorded, OpenTurn, SettlementPlan
from tacit.core.receipt import Candidate, CandidateSource, Fate, Receipt, SkipReason
from tacit.core.sessions import Block, BlockState, LedgerEntry, Placement, Session
from tacit.settings.config import Config
from tacit.store.sqlite.store import SqliteStore
from tests.support import START, HandClock, make_memory, next_id

DAY = timedelta(days=1)


def _session(id="s", **fields):
    return Session(**{"id": id, "created_at": START, "updated_at": START, **fields})


def _block(id="7f3a9c21", session="s", turn=1, text="words", **fields):
    placement = Placement(id=id, text=text, anchor="a" * 64, ordinal=0)
    return Block(**{"session": session, "turn": turn, "placement": placement, **fields})


def _entry(memory, session="s", turn=1, block="7f3a9c21", **fields):
    return LedgerEntry(
        session=session, turn=turn, memory=memory, content_hash=b"\x00\xff", block=block, **fields
    )


def _receipt(session="s", turn=1, **fields):
    return Receipt(**{"id": next_id(), "session": session, "turn": turn, "at": START, **fields})


def _full_receipt():
    """A receipt in which every field says something."""
    hit = Candidate(
        memory=next_id(),
        found=CandidateSource.CONTEXTUAL,
        type="decision",
        score=0.8125,
        relevance=0.5,
        signals={"lexical_rank": 1.0, "vector": 0.25},
        fate=Fate.INJECTED,
    )
    fact = Candidate(
        memory=next_id(),
        found=CandidateSource.FACT,
        type="fact",
        fate=Fate.SHADOWED,
        by=hit.memory,
        note="n",
    )
    return _receipt(
        agent="coder",
        user="ann",
        project="shop",
        org="acme",
        query="Why that — 日本?",
        context=("jwt", "token"),
        kind="coding",
        skipped=SkipReason.LOW_INFORMATION,
        candidates=(hit, fact),
        block="7f3a9c21",
        standing_block="7f3a9c22",
        tokens=12,
        characters=48,
        pruned=("00000001",),
        degraded=("search: late",),
        notes=("history: kept by the host",),
        timings_ms={"search": 1.25, "total": 2.5},
        cpu_ms={"search": 0.5},
    )


def _keep(store, *memories, workspace="default"):
    with store.write(workspace) as unit:
        for memory in memories:
            unit.memories.insert(replace(memory, workspace=workspace))


def test_a_session_comes_back_with_every_field_it_had(store):
    session = _session(turns=3, speakers=("bob", "ann", "日本"), updated_at=START + DAY)
    with store.write("default") as unit:
        assert unit.sessions.get("s") is None
        unit.sessions.put(session)
    with store.read("default") as unit:
        assert unit.sessions.get("s") == session


def test_a_session_is_replaced_but_stays_as_old_as_it_is(store):
    later = _session(turns=2, speakers=("ann",), created_at=START + DAY, updated_at=START + DAY)
    with store.write("default") as unit:
        unit.sessions.put(_session())
        unit.sessions.put(later)
        assert unit.sessions.get("s") == replace(later, created_at=START)
        assert len(unit.sessions.recent(9)) == 1


def test_sessions_are_listed_by_their_last_activity(store):
    with store.write("default") as unit:
        for id, days in (("b", 1), ("a", 1), ("newest", 2), ("oldest", 0)):
            unit.sessions.put(_session(id, updated_at=START + days * DAY))
        assert [each.id for each in unit.sessions.recent(9)] == ["newest", "a", "b", "oldest"]
        assert [each.id for each in unit.sessions.recent(2)] == ["newest", "a"]


@pytest.mark.parametrize("size", [1, 2, 3])
def test_sessions_are_listed_page_by_page_though_many_were_active_at_once(store, size):
    with store.write("default") as unit:
        for id, days in (("b", 1), ("a", 1), ("é", 1), ("newest", 2), ("c", 1), ("oldest", 0)):
            unit.sessions.put(_session(id, updated_at=START + days * DAY))
    seen, after = [], None
    with store.read("default") as unit:
        while page := unit.sessions.recent(size, after):
            seen += [each.id for each in page]
            after = (page[-1].updated_at, page[-1].id)
    assert seen == ["newest", "a", "b", "c", "é", "oldest"]


def test_what_is_paused_stays_so_until_it_is_resumed(store):
    with store.write("default") as unit:
        unit.sessions.pause(Scope.SESSION, "s")
        unit.sessions.pause(Scope.SESSION, "s")
        unit.sessions.pause(Scope.PROJECT, "s")
        assert unit.sessions.paused() == {(Scope.SESSION, "s"), (Scope.PROJECT, "s")}
        assert unit.sessions.resume(Scope.SESSION, "s") is True
        assert unit.sessions.resume(Scope.SESSION, "s") is False
    with store.read("default") as unit:
        assert unit.sessions.paused() == {(Scope.PROJECT, "s")}


def test_blocks_come_back_whole_and_in_the_order_of_their_turns(store):
    late = _block("00000001", turn=10, text="ein\nBlock — 日本", memories=("m", "n"), speaker="ann")
    early = _block("ffffffff", turn=2, state=BlockState.PRUNED)
    twin = _block("eeeeeeee", turn=2)
    with store.write("default") as unit:
        for block in (late, early, twin, _block(session="other")):
            unit.blocks.put(block)
    with store.read("default") as unit:
        assert unit.blocks.of("s") == [twin, early, late]
        assert unit.blocks.of("nobody") == []


def test_a_block_that_is_put_again_is_replaced_in_every_field(store):
    moved = Placement(id="7f3a9c21", text="other", anchor="b" * 64, ordinal=4)
    again = _block(placement=moved, turn=3, speaker="bob", state=BlockState.DROPPED)
    with store.write("default") as unit:
        unit.blocks.put(_block())
        unit.blocks.put(again)
        assert unit.blocks.of("s") == [again]


def test_one_block_id_may_stand_in_several_sessions(store):
    with store.write("default") as unit:
        unit.blocks.put(_block(session="a", text="of a"))
        unit.blocks.put(_block(session="b", text="of b"))
        assert [each.placement.text for each in unit.blocks.of("a")] == ["of a"]
        assert [each.placement.text for each in unit.blocks.of("b")] == ["of b"]


def test_the_ledger_lists_a_session_by_turn_and_memory(store):
    one, two = sorted((next_id(), next_id()))
    entries = [
        _entry(two, turn=10),
        _entry(two, turn=2, pruned_at=START + timedelta(microseconds=1)),
        _entry(one, turn=2),
        _entry(one, session="other"),
    ]
    with store.write("default") as unit:
        unit.ledger.add(entries)
    with store.read("default") as unit:
        assert unit.ledger.of("s") == [entries[2], entries[1], entries[0]]
        assert unit.ledger.of("other") == [entries[3]]


def test_a_memory_has_one_entry_for_each_turn(store):
    memory = next_id()
    again = _entry(memory, block="00000002", pruned_at=START)
    with store.write("default") as unit:
        unit.ledger.add([_entry(memory), again, _entry(memory, turn=2)])
        assert unit.ledger.of("s") == [again, _entry(memory, turn=2)]


def test_live_blocks_are_told_and_others_only_by_their_ids(store):
    live, pruned, dropped = (_block(id=each * 8) for each in "abc")
    with store.write("default") as unit:
        unit.blocks.put(live)
        unit.blocks.put(replace(pruned, state=BlockState.PRUNED))
        unit.blocks.put(replace(dropped, state=BlockState.DROPPED))
        assert [each.id for each in unit.blocks.standing("s")] == [live.id]
        named = unit.blocks.standing("s", [pruned.id, live.id, "unknown"])
        assert [each.id for each in named] == [live.id, pruned.id]
        assert unit.blocks.standing("other", [live.id]) == []


def test_entries_are_released_by_their_blocks_and_counted_once(store):
    first, second, third = (next_id() for _ in range(3))
    with store.write("default") as unit:
        unit.ledger.add([_entry(first, block="aa"), _entry(second, block="bb")])
        unit.ledger.add([_entry(third, session="other", block="aa")])
        assert unit.ledger.release("s", ["aa", "unknown"], START) == 1
        assert unit.ledger.release("s", ["aa"], START + DAY) == 0
        assert unit.ledger.release("s", [], START) == 0
        assert unit.ledger.of("s") == [
            _entry(first, block="aa", pruned_at=START),
            _entry(second, block="bb"),
        ]
        assert unit.ledger.bound("s") == [_entry(second, block="bb")]
        assert unit.ledger.of("other") == [_entry(third, session="other", block="aa")]


def test_releasing_all_leaves_out_what_was_released_before(store):
    first, second = next_id(), next_id()
    with store.write("default") as unit:
        unit.ledger.add([_entry(first, pruned_at=START), _entry(second)])
        assert unit.ledger.release("s", None, START + DAY) == 1
        assert [each.pruned_at for each in unit.ledger.of("s")] == [START, START + DAY]


def test_the_standing_rules_of_a_turn_come_before_its_other_block(store):
    rules, other = _block("bbbbbbbb", has_standing_rules=True), _block("aaaaaaaa")
    later = _block("00000000", turn=2)
    with store.write("default") as unit:
        for block in (later, other, rules):
            unit.blocks.put(block)
    with store.read("default") as unit:
        assert unit.blocks.of("s") == unit.blocks.standing("s") == [rules, other, later]


def test_removing_a_memory_from_the_ledger_reaches_every_session(store):
    gone, kept = next_id(), next_id()
    with store.write("default") as unit:
        unit.ledger.add([_entry(gone), _entry(gone, turn=2), _entry(gone, session="other")])
        unit.ledger.add([_entry(kept)])
        assert unit.ledger.remove(gone) == 3
        assert unit.ledger.remove(gone) == 0
        assert unit.ledger.of("s") == [_entry(kept)]
        assert unit.ledger.of("other") == []


def test_a_memory_blanks_the_blocks_that_hold_its_words_and_no_others(store):
    gone, kept = next_id(), next_id()
    shared = _block("aaaaaaaa", text="both", memories=(kept, gone))
    own = _block("bbbbbbbb", text="kept", memories=(kept,))
    with store.write("default") as unit:
        for block in (shared, own):
            unit.blocks.put(block)
        unit.blocks.put(_block("aaaaaaaa", session="other", text="both", memories=(gone,)))
        assert unit.blocks.blank({gone, next_id()}) == 2
        assert unit.blocks.blank({gone, next_id()}) == 0
        assert unit.blocks.of("s") == [shared.to_dropped(), own]
        assert (shared.to_dropped().placement.text, shared.to_dropped().state) == (
            "",
            BlockState.DROPPED,
        )
        assert unit.blocks.of("other")[0].placement.text == ""


def test_a_receipt_comes_back_with_every_field_it_had(store):
    full, plain = _full_receipt(), _receipt()
    with store.write("default") as unit:
        unit.receipts.put(full)
        unit.receipts.put(plain)
    with store.read("default") as unit:
        assert unit.receipts.get(full.id) == full
        assert unit.receipts.get(plain.id) == plain
        assert unit.receipts.get(next_id()) is None


def test_figures_of_a_receipt_are_rounded_alike_everywhere(store):
    long = Candidate(
        memory=next_id(),
        found=CandidateSource.CONTEXTUAL,
        type="fact",
        score=1 / 3,
        relevance=2 / 3,
        signals={"vector": 1 / 7},
        fate=Fate.INJECTED,
    )
    receipt = _receipt(candidates=(long,), timings_ms={"total": 1 / 3})
    with store.write("default") as unit:
        unit.receipts.put(receipt)
        kept = unit.receipts.get(receipt.id)
    assert (kept.candidates[0].score, kept.candidates[0].relevance) == (0.3333, 0.6667)
    assert kept.candidates[0].signals == {"vector": 0.1429}
    assert kept.timings_ms == {"total": 0.33}


def test_a_receipt_that_is_put_again_is_replaced(store):
    receipt = _receipt()
    with store.write("default") as unit:
        unit.receipts.put(receipt)
        unit.receipts.put(replace(receipt, query="other"))
        assert unit.receipts.recent(None, 9) == [replace(receipt, query="other")]


def test_receipts_are_listed_newest_first(store):
    receipts = [_receipt(session=name) for name in ("a", "b", "a", "a")]
    with store.write("default") as unit:
        for receipt in reversed(receipts):
            unit.receipts.put(receipt)
        assert unit.receipts.recent(None, 3) == receipts[:0:-1]
        assert unit.receipts.recent("a", 9) == [receipts[3], receipts[2], receipts[0]]
        assert unit.receipts.recent("a", 1) == [receipts[3]]
        assert unit.receipts.recent("nobody", 9) == []


def test_receipts_go_on_with_those_before_the_last_one(store):
    receipts = [_receipt(session=name) for name in ("a", "b", "a", "a")]
    with store.write("default") as unit:
        for receipt in receipts:
            unit.receipts.put(receipt)
        assert unit.receipts.recent(None, 2, receipts[3].id) == [receipts[2], receipts[1]]
        assert unit.receipts.recent("a", 9, receipts[2].id) == [receipts[0]]
        assert unit.receipts.recent(None, 9, receipts[0].id) == []


def test_pruning_keeps_the_last_receipt_of_each_session(store):
    old, last = _receipt(at=START - 2 * DAY), _receipt(at=START - DAY)
    alone = _receipt("alone", at=START - 9 * DAY)
    first, recent = _receipt("busy", at=START - DAY), _receipt("busy", at=START)
    with store.write("default") as unit:
        for receipt in (old, last, alone, first, recent):
            unit.receipts.put(receipt)
        assert unit.receipts.prune(START) == 2
        assert unit.receipts.prune(START) == 0
        assert unit.receipts.recent(None, 9) == [recent, alone, last]


def test_a_receipt_of_the_very_moment_is_not_pruned(store):
    receipts = [_receipt(at=START), _receipt(at=START)]
    with store.write("default") as unit:
        for receipt in receipts:
            unit.receipts.put(receipt)
        assert unit.receipts.prune(START) == 0
        assert unit.receipts.prune(START + timedelta(microseconds=1)) == 1


def test_a_turn_is_open_until_it_is_closed(store):
    memory = next_id()
    bare = OpenTurn(receipt=_receipt(turn=1), anchor="", counts=False)
    full = OpenTurn(
        receipt=_full_receipt(),
        anchor="a" * 64,
        blocks=(
            _block("aaaa0001", memories=(memory,), has_standing_rules=True),
            _block(text="ein\nBlock — 日本", memories=(memory,), speaker="ann"),
        ),
        entries=(_entry(memory), _entry(next_id())),
        chat=ChatMessage(text="Grüße 日本", context="c", connector="slack", external_id="C1"),
        settlement=SettlementPlan(
            completed=("one",),
            abandoned=("two", "three"),
            moved={"0011": 7},
            left={"2233": BlockState.PRUNED},
            keeps_block=False,
            keeps_standing_block=False,
            releases=False,
            receipt_days=3,
        ),
    )
    with store.write("default") as unit:
        for turn in (full, bare, OpenTurn(receipt=_receipt("other"), anchor="")):
            unit.receipts.open_turn(turn)
    with store.write("default") as unit:
        assert unit.receipts.open_turns("s") == [bare, full]
        assert unit.receipts.get(full.id) is None
        assert unit.receipts.close_turn("other", full.id) is False
        assert unit.receipts.close_turn("s", full.id) is True
        assert unit.receipts.close_turn("s", full.id) is False
        assert unit.receipts.open_turns("s") == [bare]


def test_blocks_are_found_by_their_ids_in_every_session_of_the_workspace_alone(store):
    kept = [_block(id, session) for session, id in (("s", "aaaa0001"), ("t", "aaaa0001"))]
    other = _block("aaaa0002", "t", state=BlockState.PRUNED)
    shown = [
        OpenTurn(receipt=_receipt(name), anchor="", blocks=(_block("aaaa0003", name),))
        for name in ("u", "v")
    ]
    rules = _block("aaaa0005", "w", has_standing_rules=True)
    both = OpenTurn(receipt=_receipt("w"), anchor="", blocks=(rules, _block("aaaa0006", "w")))
    with store.write("default") as unit:
        for block in (*kept, other):
            unit.blocks.put(block)
        for turn in (*shown, both, OpenTurn(receipt=_receipt("u"), anchor="")):
            unit.receipts.open_turn(turn)
        unit.receipts.abandon_turn(shown[1], NotRecorded.SESSION_CLEARED)
    with store.write("theirs") as unit:
        unit.blocks.put(_block("aaaa0004", "s"))
    with store.read("default") as unit:
        assert unit.blocks.made(["aaaa0001", "ffffffff"]) == kept
        assert unit.blocks.made({"aaaa0002", "aaaa0004"}) == [other]
        assert unit.blocks.made([]) == unit.receipts.open_turns_showing([]) == []
        assert unit.receipts.open_turns_showing(["aaaa0003", "aaaa0001"]) == shown[:1]
        for ids in (["aaaa0005"], ["aaaa0006"], ["aaaa0005", "aaaa0006"]):
            assert unit.receipts.open_turns_showing(ids) == [both]
    with store.read("theirs") as unit:
        assert (
            unit.blocks.made(["aaaa0001"]) == unit.receipts.open_turns_showing(["aaaa0003"]) == []
        )


def test_an_abandoned_turn_is_not_open_and_keeps_only_why(store):
    held = [OpenTurn(receipt=_receipt("s"), anchor="a" * 64, blocks=(_block(),)) for _ in range(2)]
    for workspace in ("theirs", "default"):
        with store.write(workspace) as unit:
            for turn in held:
                unit.receipts.open_turn(turn)
    with store.write("default") as unit:
        assert unit.receipts.abandon_turn(held[0], NotRecorded.ERASED) is True
        assert unit.receipts.abandon_turn(held[0], NotRecorded.SESSION_CLEARED) is False
        assert (
            unit.receipts.abandon_turn(
                OpenTurn(receipt=_receipt("s"), anchor=""), NotRecorded.ERASED
            )
            is False
        )
        assert unit.receipts.open_turns("s") == held[1:]
        kept = unit.receipts.get_open_turn(held[0].id)
        assert kept == held[0].abandon(NotRecorded.ERASED)
        assert (kept.blocks, kept.receipt.query, kept.captured) == ((), "", None)
        assert unit.receipts.scan_open_turns(None, 9) == [kept, held[1]]
        assert unit.receipts.prune(kept.receipt.at) == 0
        assert unit.receipts.prune(kept.receipt.at + timedelta(seconds=1)) == 1
        assert unit.receipts.get_open_turn(held[0].id) is None
        assert unit.receipts.open_turns("s") == held[1:]
    with store.read("theirs") as unit:
        assert unit.receipts.open_turns("s") == held


MARK_AUTHORS = (
    MarkAuthor(),
    MarkAuthor(by=Actor.AGENT, agent="coder"),
    MarkAuthor(by=Actor.OPERATOR, agent="", user="ann"),
    MarkAuthor(by=Actor.TOOL, agent="coder", user=""),
)


def test_marks_come_back_for_the_memories_that_are_asked_for(store):
    one, two, three = (make_memory(name) for name in ("one", "two", "three"))
    _keep(store, one, two, three)
    marks = [
        Mark(id=next_id(), memory=memory.id, terms=b"\x00\x01\xff", at=START, author=author)
        for memory, author in zip((two, one, two, three), MARK_AUTHORS, strict=True)
    ]
    with store.write("default") as unit:
        for mark in reversed(marks):
            unit.marks.add(mark)
        changed = replace(marks[0], terms=b"", author=marks[1].author)
        unit.marks.add(changed)
    with store.read("default") as unit:
        expected = [marks[1], changed, marks[2]]
        assert unit.marks.of([two.id, one.id, next_id()]) == expected
        assert unit.marks.of([]) == []


def test_a_mark_is_taken_back_and_the_others_stay(store):
    memory = make_memory()
    _keep(store, memory)
    _keep(store, make_memory(), workspace="other")
    one, two = (Mark(id=next_id(), memory=memory.id, terms=b"t", at=START) for _ in range(2))
    with store.write("default") as unit:
        unit.marks.add(one)
        unit.marks.add(two)
        assert unit.marks.get(one.id) == one
    with store.write("other") as unit:
        assert unit.marks.get(one.id) is None
        unit.marks.remove(one)
    with store.write("default") as unit:
        assert unit.marks.of([memory.id]) == [one, two]
        unit.marks.remove(one)
    with store.read("default") as unit:
        assert unit.marks.get(one.id) is None
        assert unit.marks.of([memory.id]) == [two]


def test_deleting_a_memory_takes_its_marks_along(store):
    gone, kept = make_memory("gone"), make_memory("kept")
    _keep(store, gone, kept)
    with store.write("default") as unit:
        for memory in (gone, kept):
            unit.marks.add(Mark(id=next_id(), memory=memory.id, terms=b"", at=START))
        unit.memories.delete(gone.id)
        assert [mark.memory for mark in unit.marks.of([gone.id, kept.id])] == [kept.id]


def test_nothing_of_a_conversation_crosses_workspaces(store):
    memory = make_memory("mine")
    _keep(store, memory, workspace="mine")
    receipt, turn = _receipt(), OpenTurn(receipt=_receipt(), anchor="a")
    mark = Mark(id=next_id(), memory=memory.id, terms=b"t", at=START)
    with store.write("mine") as unit:
        unit.sessions.put(_session(turns=1))
        unit.sessions.pause(Scope.PROJECT, "shop")
        unit.blocks.put(_block(memories=(memory.id,)))
        unit.ledger.add([_entry(memory.id)])
        unit.receipts.put(receipt)
        unit.receipts.open_turn(turn)
        unit.marks.add(mark)
    with store.write("theirs") as unit:
        assert unit.sessions.get("s") is None
        assert unit.sessions.recent(9) == []
        assert unit.sessions.paused() == set()
        assert unit.sessions.resume(Scope.PROJECT, "shop") is False
        assert unit.blocks.of("s") == []
        assert unit.blocks.blank({memory.id}) == 0
        assert unit.ledger.of("s") == []
        assert unit.ledger.release("s", None, START) == 0
        assert unit.ledger.release("s", ["7f3a9c21"], START) == 0
        assert unit.ledger.remove(memory.id) == 0
        assert unit.receipts.get(receipt.id) is None
        assert unit.receipts.recent(None, 9) == unit.receipts.recent("s", 9) == []
        assert unit.receipts.open_turns("s") == []
        assert unit.receipts.close_turn("s", turn.id) is False
        assert unit.receipts.prune(START + 99 * DAY) == 0
        assert unit.marks.of([memory.id]) == []
        unit.sessions.put(_session(turns=9))
        unit.blocks.put(_block(text="theirs"))
        unit.ledger.add([_entry(memory.id, block="00000009")])
        unit.receipts.put(replace(receipt, query="theirs"))
        unit.memories.delete(memory.id)
    with store.read("mine") as unit:
        assert unit.sessions.get("s") == _session(turns=1)
        assert unit.sessions.paused() == {(Scope.PROJECT, "shop")}
        assert unit.blocks.of("s") == [_block(memories=(memory.id,))]
        assert unit.ledger.of("s") == [_entry(memory.id)]
        assert unit.receipts.recent(None, 9) == [receipt]
        assert unit.receipts.open_turns("s") == [turn]
        assert unit.marks.of([memory.id]) == [mark]


def test_a_failed_transaction_leaves_no_trace_of_a_conversation(store):
    memory = make_memory("x")
    _keep(store, memory)
    with store.write("default") as unit:
        unit.ledger.add([_entry(memory.id)])
    with pytest.raises(ZeroDivisionError), store.write("default") as unit:
        unit.sessions.put(_session())
        unit.sessions.pause(Scope.SESSION, "s")
        unit.blocks.put(_block())
        unit.ledger.release("s", None, START)
        unit.receipts.put(_receipt())
        unit.receipts.open_turn(OpenTurn(receipt=_receipt(), anchor=""))
        unit.marks.add(Mark(id=next_id(), memory=memory.id, terms=b"", at=START))
        raise ZeroDivisionError
    with store.read("default") as unit:
        assert unit.sessions.recent(9) == unit.blocks.of("s") == unit.receipts.open_turns("s") == []
        assert unit.sessions.paused() == set()
        assert unit.ledger.of("s") == [_entry(memory.id)]
        assert unit.receipts.recent(None, 9) == unit.marks.of([memory.id]) == []


def test_a_conversation_changes_nothing_that_is_searched(store):
    memory = make_memory("x")
    _keep(store, memory)
    with store.write("default") as unit:
        unit.texts.put(memory.id, ["x"])
    with store.read("default") as unit:
        before = unit.revision()
    with store.write("default") as unit:
        unit.sessions.put(_session())
        unit.blocks.put(_block())
        unit.ledger.add([_entry(memory.id)])
        unit.receipts.put(_receipt())
        unit.memories.count_access([memory.id], START)
    with store.read("default") as unit:
        changed = [each.id for batch in unit.changed(before, None) for each in batch]
        assert (changed, unit.removed(before)) == ([], [])


def _shown(tacit, content, session="s"):
    """A memory that a session was shown, and the turn that showed it."""
    written = tacit.remember(content)
    turn = tacit.turn(
        session=session, text=f"What about this: {content}?", contextual_min_score=0.0
    )
    turn.commit("I see.")
    assert content in turn.block
    return written.id, turn


def test_erasing_a_memory_removes_it_from_every_conversation(store, tacit):
    kept, _ = _shown(tacit, "Ravens winter in the north tower", session="other")
    gone, turn = _shown(tacit, "The vault opens with heliotrope")
    tacit.turns.mark_irrelevant(turn.receipt.id, gone)
    with store.write("default") as unit:
        unit.claims.put(gone, ["one claim"])
        unit.claims.put(kept, ["one claim"])
    erasure = tacit.erase(gone)
    assert (erasure.removed["blocks"], erasure.removed["ledger"]) == (1, 1)
    with store.read("default") as unit:
        (blank,) = unit.blocks.of("s")
        assert (blank.placement.text, blank.state) == ("", BlockState.DROPPED)
        assert gone not in {entry.memory for entry in unit.ledger.of("s")}
        assert unit.marks.of([gone]) == []
        assert unit.claims.rivals([kept], 9) == []
        assert [entry.memory for entry in unit.ledger.of("other")] == [kept]
        assert "Ravens" in unit.blocks.of("other")[0].placement.text


def test_the_words_of_an_erased_memory_are_nowhere_in_the_file(tmp_path):
    path = tmp_path / "memory.db"
    store = SqliteStore.open(path)
    tacit = Tacit(store, "default", clock=HandClock(), config=Config())
    gone = tacit.remember("The vault opens with heliotrope").id
    turn = tacit.turn(session="s", text="What opens the vault?", contextual_min_score=0.0)
    turn.commit("I know.")
    assert "heliotrope" in turn.block
    assert b"heliotrope" in _bytes(path)
    tacit.erase(gone)
    assert b"heliotrope" not in _bytes(path)
    assert turn.receipt.id in {receipt.id for receipt in tacit.turns.list()}
    tacit.close()
    assert b"heliotrope" not in _bytes(path)


def _bytes(path):
    files = [path, *path.parent.glob(f"{path.name}-*")]
    return b"".join(file.read_bytes() for file in files)


def test_a_turn_that_ends_after_an_erasure_does_not_bring_the_words_back(store, tacit):
    gone = tacit.remember("The vault opens with heliotrope").id
    turn = tacit.turn(session="s", text="What opens the vault?", contextual_min_score=0.0)
    assert "heliotrope" in turn.block
    tacit.erase(gone)
    turn.commit("I know.")
    with store.read("default") as unit:
        kept = [block.placement.text for block in unit.blocks.of("s")]
        assert not any("heliotrope" in text for text in kept)
        assert unit.ledger.of("s") == []


def test_an_erasure_reaches_turns_that_have_not_ended(store, tacit):
    gone = tacit.remember("The vault opens with heliotrope").id
    turn = tacit.turn(session="s", text="What opens the vault?", contextual_min_score=0.0)
    assert "heliotrope" in turn.block
    tacit.erase(gone)
    with store.read("default") as unit:
        blocks = [opened.block for opened in unit.receipts.open_turns("s")]
    assert not any("heliotrope" in block.placement.text for block in blocks if block)


def test_an_erased_memory_is_not_quoted_by_the_rival_it_had(store, tacit):
    shown = tacit.remember("The deploy region is Frankfurt").id
    quoted = tacit.remember("The deploy region is Marseille", by="operator").id
    turn = tacit.turn(
        session="s", text="What is the deploy region?", contextual_min_score=0.0, max_total=1
    )
    turn.commit("I know.")
    injected = {each.memory for each in turn.receipt.injected}
    gone = ({shown, quoted} - injected).pop()
    words = "Marseille" if gone == quoted else "Frankfurt"
    tacit.erase(gone)
    with store.read("default") as unit:
        assert not any(words in block.placement.text for block in unit.blocks.of("s"))
