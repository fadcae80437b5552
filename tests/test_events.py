"""Events: what happens in a workspace is told, whoever does it, in words that hold no memory."""

from tacit.core.events import EventKind

ASKED = {"contextual_min_score": 0.05}


def _told(tacit, after=0):
    return [(str(each.kind), each.data) for each in tacit.workspace.events(after=after).events]


def test_a_write_is_one_event_however_much_it_writes(tacit):
    written = tacit.memories.remember_all(
        [f"jar {number} holds salt" for number in range(150)], by="tool"
    )
    ((kind, data),) = _told(tacit)
    assert (kind, data["by"], data["count"]) == ("memories_changed", "tool", 150)
    assert [each["memory"] for each in data["changes"]] == [each.id for each in written[:100]]


def test_what_changes_nothing_is_no_event(tacit):
    tacit.remember("the well is deep")
    tacit.remember("the well is deep")
    assert [data["count"] for _, data in _told(tacit)] == [1]


def test_a_committed_turn_tells_what_it_showed_and_a_rolled_back_one_nothing(tacit):
    memory = tacit.remember("the well is deep", scope="org").id
    last = tacit.workspace.events().last
    tacit.turn(session="s", text="How deep is the well?", **ASKED).roll_back()
    assert _told(tacit, last) == []
    with tacit.turn(session="s", text="How deep is the well?", **ASKED) as turn:
        turn.commit("Deep.")
    ((kind, data),) = _told(tacit, last)
    assert (kind, data["memories"], data["receipt"]) == (
        "memory_injected",
        [memory],
        turn.receipt.id,
    )


def test_a_turn_that_showed_nothing_says_why(tacit):
    with tacit.turn(session="s", text="thanks!") as turn:
        turn.commit("You are welcome.")
    ((kind, data),) = _told(tacit)
    assert (kind, data["skipped"]) == ("nothing_injected", "low_information")


def test_memories_that_stand_against_each_other_are_told(tacit):
    tacit.remember("The office is in Lisbon", scope="org", by="tool")
    tacit.remember("The office is in Porto", scope="org", by="agent")
    last = tacit.workspace.events().last
    with tacit.turn(session="s", text="Where is the office?", **ASKED) as turn:
        turn.commit("I do not know.")
    assert turn.receipt.conflicts
    assert "conflict_detected" in [kind for kind, _ in _told(tacit, last)]


def test_compaction_and_reset_are_told(tacit):
    said = [
        {"role": role, "content": f"{role} {number} spoke of many things"}
        for number in range(10)
        for role in ("user", "assistant")
    ]
    tacit.compact(session="s", history=said, level="aggressive")
    tacit.sessions.reset_memory_injection_tracking("s")
    assert [kind for kind, _ in _told(tacit)] == ["compaction", "session_reset"]


def test_events_hold_no_words_of_memories(tacit):
    id = tacit.remember("the xylophone is broken", scope="org").id
    with tacit.turn(session="s", text="Is the xylophone broken?", **ASKED) as turn:
        turn.commit("Yes.")
    tacit.edit(id, content="the xylophone is mended")
    tacit.erase(id)
    assert "xylophone" not in str(_told(tacit))


def test_old_events_go_and_numbers_go_on(tacit):
    for number in range(5):
        tacit.workspace.note(EventKind.SETTINGS_CHANGED, {"number": number})
    assert tacit.workspace.prune_events(2) == 3
    page = tacit.workspace.events()
    assert (page.first, page.last, [each.number for each in page.events]) == (4, 5, [4, 5])
