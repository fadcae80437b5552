"""The inspector: funnel, block lines, differences, reasons, and the latest of several calls."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from tacit import Tacit
from tacit.core.receipt import (
    NOTE_MARKED,
    NOTE_SAID_OTHERWISE,
    NOTE_WITHDRAWN,
    Candidate,
    CandidateSource,
    Fate,
    Receipt,
    SkipReason,
)
from tacit.ui.api_calls import LatestCall
from tacit.ui.pages.inspector.block_lines import to_block_lines
from tacit.ui.pages.inspector.outcomes import (
    DispositionChange,
    InspectorOutcome,
    InspectorQuestion,
    compare_outcomes,
    mark_result_text,
    reason_text,
)
from tacit.ui.pages.inspector.view_model import (
    FUNNEL_RULES,
    ViewContext,
    build_funnel,
    largest_part,
    needed_memories,
    select_candidates,
    source_ranks_text,
    to_score_parts,
    to_view,
)
from tacit.ui.turn_labels import SKIP_LABELS, disposition_label, disposition_meaning
from tests.support import say

pytestmark = pytest.mark.episodes

HEAD = "[Context from memory] #0badcafe\n"


def candidate(memory, fate=Fate.INJECTED, found=CandidateSource.CONTEXTUAL, **named):
    return Candidate(memory=memory, found=found, type="fact", fate=fate, **named)


def receipt(*candidates, **named):
    at = datetime(2026, 1, 1, tzinfo=UTC)
    return Receipt(id="r", session="s", turn=1, at=at, candidates=candidates, **named)


def outcome(*candidates, block=None, **named):
    return InspectorOutcome(receipt=receipt(*candidates, **named), block=block)


@pytest.fixture
def memory():
    with Tacit.open(":memory:", embedder="none") as tacit:
        yield tacit


def test_every_fate_but_one_belongs_to_exactly_one_rule():
    fates = [fate for rule in FUNNEL_RULES for fate in rule.fates]
    assert sorted(fates) == sorted(set(Fate) - {Fate.INJECTED})


def test_what_breaks_several_rules_falls_at_the_first_of_them_in_the_funnel(memory):
    memory.remember("The office is in Porto", by="tool", origin={"url": "https://x.example"})
    strict = {"inject_untrusted": False, "memory_confidence_threshold": 1, "min_importance": 1}
    loose = {"inject_untrusted": True, "memory_confidence_threshold": 0, "min_importance": 0}
    asked = {"session": "s", "text": "Which office?", "contextual_min_score": 1}
    fates = []
    for count in range(len(loose) + 1):
        settings = strict | dict(list(loose.items())[:count])
        turn = memory.preview(**asked, **settings).receipt
        fates += [each.fate for each in turn.candidates]
    assert len(fates) == 4
    assert fates == [fate for rule in FUNNEL_RULES for fate in rule.fates if fate in fates]


def test_the_funnel_ends_with_what_is_injected():
    fates = [Fate.BELOW_FLOOR, Fate.BELOW_FLOOR, Fate.SHADOWED, Fate.OVER_TOKENS, Fate.INJECTED]
    stages = build_funnel([candidate(str(n), fate) for n, fate in enumerate(fates)])
    by_name = {stage.name: stage for stage in stages}
    assert by_name["Relevant enough"].fell == ((Fate.BELOW_FLOOR, 2),)
    assert [stage.left for stage in stages] == [5, 5, 5, 5, 3, 2, 2, 1]
    assert sum(stage.lost for stage in stages) == 4


def test_each_line_of_a_block_is_told_by_the_memory_that_it_shows(memory):
    memory.remember("4 spaces", type="preference", key="editor.indent")
    memory.remember("Never deploy the editor on Fridays", type="constraint", pinned=True)
    memory.remember("The editor is Vim\nand nothing else")
    memory.remember("The editor opens " + "very many long files " * 100, pinned=True)
    tried = memory.remember("Try another editor by Thursday", type="todo", by="agent")
    memory.edit(tried.id, pinned=True)
    prepared = memory.preview(session="s", text="editor", contextual_min_score=0, standing_lines=0)
    found = {each.memory: memory.get(each.memory) for each in prepared.receipt.candidates}
    injected = [each.memory for each in prepared.receipt.injected]
    lines = to_block_lines(prepared.block, injected, found)
    assert "\n".join(line.text for line in lines) == prepared.block
    shown = {line.memory: line.text for line in lines if line.memory}
    assert set(shown) == set(injected)
    assert len(shown) == 5
    for id, text in shown.items():
        assert found[id].content.split("\n")[0][:12] in text


MOVED = "we're in Hamburg now, Jonas got a job at the hospital"
LONG = (
    "Thanks for the recipe, it was a great success at the party on Sunday and everybody liked it."
    " The new kitchen has a gas stove with five burners. We still have to buy lamps for the hall,"
    " and a carpet that the dog does not ruin within a week. Jonas cooks in the evenings."
)
STOVE = "The new kitchen has a gas stove with five burners."


@pytest.fixture
def said(memory):
    """What was said in two sessions, and a turn in a third one that asks about it."""
    say(memory, MOVED)
    say(memory, LONG, session="s2")
    asked = "Which stove is in the kitchen, and where does Jonas have a job?"
    prepared = memory.preview(session="s3", text=asked, history=(), contextual_min_score=0)
    return {each.id: each for each in memory.episodes.list()}, prepared


def test_lines_of_what_was_said_are_told_by_the_episodes_that_they_quote(said):
    episodes, prepared = said
    outcome = InspectorOutcome(receipt=prepared.receipt, block=prepared.block)
    view = to_view(outcome, ViewContext(episodes=episodes), prepared.receipt.candidates)
    shown = {line["memory"]: line["text"] for line in view["lines"] if line["memory"]}
    words = {episodes[id].text: text for id, text in shown.items()}
    assert MOVED in words[MOVED]
    assert STOVE in words[LONG]
    assert "party" not in words[LONG]


def test_a_candidate_that_was_said_shows_its_words_its_day_and_its_scores(said):
    episodes, prepared = said
    context = ViewContext(episodes=episodes, page_of="/said?episode={}".format, may_mark=True)
    outcome = InspectorOutcome(receipt=prepared.receipt, block=prepared.block)
    view = to_view(outcome, context, prepared.receipt.candidates)
    (moved,) = [each for each in view["candidates"] if each["content"] == MOVED]
    day = episodes[moved["memory"]].at.date()
    assert moved["type"] == f"said on {day}"
    assert moved["source"].startswith("Said earlier: no. ")
    assert moved["page"] == f"/said?episode={moved['memory']}"
    assert (moved["isHit"], moved["isMarkable"]) == (True, True)
    assert view["sources"] == "2 said earlier"


@pytest.mark.parametrize(
    ("rules", "sources"),
    [
        (["Always answer in German"], "1 standing rule"),
        (["Always answer in German", "Don't use emojis"], "2 standing rules"),
    ],
)
def test_standing_rules_are_counted_as_what_they_are(rules, sources):
    with Tacit.open(":memory:", embedder="none") as tacit:
        for content in rules:
            tacit.remember(content, type="preference")
        prepared = tacit.preview(session="s", text="How deep is the sea?")
    outcome = InspectorOutcome(receipt=prepared.receipt, block=prepared.block)
    view = to_view(outcome, ViewContext(), prepared.receipt.candidates)
    assert view["sources"] == sources
    assert {each["source"] for each in view["candidates"]} == {"Standing rule"}


def test_words_that_are_gone_are_told_from_memories_that_are_gone(said):
    _, prepared = said
    outcome = InspectorOutcome(receipt=prepared.receipt, block=prepared.block)
    view = to_view(outcome, ViewContext(), prepared.receipt.candidates)
    assert {each["content"] for each in view["candidates"]} == {None}
    assert {each["gone"].partition(":")[0] for each in view["candidates"]} == {
        "These words are gone"
    }
    assert {each["type"] for each in view["candidates"]} == {"said earlier"}


def test_what_replaces_words_is_named_as_words_or_as_what_was_learned_from_them(said):
    episodes, _ = said
    first, second = episodes.values()
    by_words = candidate(
        first.id,
        Fate.SUPERSEDED,
        CandidateSource.EPISODE,
        by=second.id,
        note=NOTE_SAID_OTHERWISE,
    )
    by_memory = candidate(
        second.id, Fate.SUPERSEDED, CandidateSource.EPISODE, by="m", note=NOTE_WITHDRAWN
    )
    turn = outcome(by_words, by_memory)
    view = to_view(turn, ViewContext(episodes=episodes), turn.receipt.candidates)
    told = [(each["other"]["title"], each["other"]["content"]) for each in view["candidates"]]
    assert told[0][0] == "Current instead"
    assert second.text.startswith(told[0][1].removesuffix(" …"))
    assert told[1] == ("Learned from it", None)
    assert view["candidates"][1]["other"]["gone"] == "a memory that is gone"
    assert view["candidates"][0]["reason"] == "No longer current (said otherwise later)"


def test_what_was_said_is_measured_against_what_was_said():
    hit = candidate("a", score=0.9, relevance=0.9)
    best = candidate("b", found=CandidateSource.EPISODE, score=0.6, signals={"session": 0.2})
    below = candidate(
        "c", Fate.BELOW_FLOOR, CandidateSource.EPISODE, score=0.25, signals={"session": 0.2}
    )
    reason = reason_text(below, [hit, best, below])
    expected = "its score 0.05 without what its session has is under 0.10, 25% of the best one's"
    assert reason == expected


def test_a_question_that_was_asked_before_lets_nothing_in():
    named = {"found": CandidateSource.EPISODE, "note": "nothing is relevant enough"}
    asked = candidate("a", Fate.BELOW_FLOOR, relevance=0.9, **named)
    told = candidate("b", Fate.BELOW_FLOOR, relevance=0.2, **named)
    assert "only asks" in reason_text(asked, [asked, told], 0.45)
    assert reason_text(told, [asked, told], 0.45).endswith("0.20, and 0.45 is needed")


def test_the_only_line_left_over_is_that_of_the_only_memory_that_is_gone():
    block = f"{HEAD}preface\n\n[Relevant to this message]\n[Fact] Gone by now (importance: 0.6)"
    assert to_block_lines(block, ["gone"], {})[-1].memory == "gone"
    assert to_block_lines(block, ["gone", "too"], {})[-1].memory is None


def test_a_difference_is_what_came_and_went_in_the_block_and_whose_fate_changed():
    before = outcome(
        candidate("a"), candidate("b", Fate.BELOW_FLOOR), block=f"{HEAD}[Fact] a", tokens=20
    )
    after = outcome(
        candidate("a", Fate.OVER_SLOTS),
        candidate("b", Fate.BELOW_FLOOR),
        candidate("c"),
        block=f"{HEAD}[Fact] c",
        tokens=25,
    )
    found = compare_outcomes(before, after)
    assert (found.went, found.came, found.tokens) == (("[Fact] a",), ("[Fact] c",), (20, 25))
    assert found.changes == (
        DispositionChange(memory="a", was=Fate.INJECTED, now=Fate.OVER_SLOTS),
        DispositionChange(memory="c", was=None, now=Fate.INJECTED),
    )
    assert found.changes[0].to_text() == "was: injected → now: enough others before it"
    assert compare_outcomes(after, after).is_none


def test_changes_that_the_model_sees_come_first():
    before = outcome(candidate("a", Fate.SHADOWED), candidate("b"))
    after = outcome(candidate("a", Fate.BELOW_FLOOR), candidate("b", Fate.BELOW_FLOOR))
    assert [each.memory for each in compare_outcomes(before, after).changes] == ["b", "a"]


def test_says_why_the_model_sees_nothing():
    assert outcome(candidate("a"), block=HEAD).no_block_reason() is None
    assert "too little" in outcome(skipped=SkipReason.LOW_INFORMATION).no_block_reason()
    assert "No memory came to mind" in outcome().no_block_reason()
    gone = InspectorOutcome(receipt=replace(receipt(candidate("a")), block="0badcafe"))
    assert "not kept any more" in gone.no_block_reason()
    left_out = outcome(
        candidate("a", Fate.BELOW_FLOOR, note="nothing is relevant enough"),
        candidate("b", Fate.BELOW_FLOOR),
        candidate("c", Fate.SEEN_IN_WINDOW),
    )
    assert left_out.no_block_reason() == (
        "All 3 candidates were left out: 2 × not relevant enough;"
        " 1 × still in view from an earlier turn."
        " The best relevance is 0.00, less than was asked for."
    )
    assert "is 0.00, and 0.45 is needed." in left_out.no_block_reason(floor=0.45)


def test_signals_are_parts_of_the_score_beside_the_largest_and_places_are_no_parts():
    first = candidate("a", signals={"text_rank": 2.0, "vectors_rank": 1.0, "dense": 0.5})
    second = candidate("b", signals={"new_one": 0.1, "lexical": 0.25})
    most = largest_part([first, second])
    assert [(each.name, each.share) for each in to_score_parts(first, most)] == [("meaning", 1.0)]
    assert [(each.name, each.share) for each in to_score_parts(second, most)] == [
        ("words", 0.5),
        ("new one", 0.2),
    ]
    assert source_ranks_text(first) == "no. 1 by meaning, no. 2 by words"


def test_an_address_asks_the_question_that_it_was_made_of():
    question = InspectorQuestion(text="Why & how?", session="s", agent="a", user="u", afresh=True)
    assert InspectorQuestion.from_query({"workspace": "w", **question.to_query()}) == question
    assert question.to_preview_arguments() == {
        "session": "s",
        "text": "Why & how?",
        "history": (),
        "agent": "a",
        "user": "u",
    }
    assert InspectorQuestion(text="x").to_preview_arguments() == {
        "session": "inspector",
        "text": "x",
        "history": None,
    }
    assert "text" not in InspectorQuestion(text="x" * 5_000, session="s").to_query()


def test_a_turn_is_asked_again_as_if_nothing_were_in_view():
    again = InspectorQuestion.from_receipt(receipt(query="Why?", agent="a"))
    assert again == InspectorQuestion(text="Why?", session="s", agent="a", afresh=True)
    assert again.audience_text() == "session s, agent a, as if nothing were in view"
    assert again.audience_names() == "session s, agent a"


def test_what_is_drawn_names_the_memory_that_decided_and_says_what_is_gone(memory):
    one, other = memory.remember("The office is in Porto").id, memory.remember("Porto").id
    lost = candidate(one, Fate.SUPERSEDED, by=other, note="the newer of one source")
    turn = outcome(lost, candidate("gone", Fate.BELOW_FLOOR))
    assert needed_memories(turn.receipt.candidates) == [one, other, "gone"]
    known = ViewContext(
        memories={id: memory.get(id) for id in (one, other)}, page_of="/m/{}".format
    )
    first, second = to_view(turn, known, turn.receipt.candidates)["candidates"]
    assert first["content"] == "The office is in Porto"
    assert first["other"] == {
        "title": "Current instead",
        "memory": other,
        "page": f"/m/{other}",
        "content": "Porto",
        "gone": "a memory that is gone",
    }
    assert first["reason"] == "Another memory is current instead (the newer of one source)"
    assert second["content"] is None


def test_only_hits_that_are_injected_can_be_marked_and_only_by_who_may():
    turn = outcome(
        candidate("a"), candidate("b", found=CandidateSource.PINNED), candidate("c", Fate.SHADOWED)
    )

    def markable(may):
        drawn = to_view(turn, ViewContext(may_mark=may), turn.receipt.candidates)
        return [each["memory"] for each in drawn["candidates"] if each["isMarkable"]]

    assert markable(True) == ["a"]
    assert markable(False) == []


def test_the_first_candidates_are_shown_and_all_that_are_injected_or_marked():
    ranked = [candidate("a", Fate.BELOW_FLOOR), candidate("b", Fate.BELOW_FLOOR), candidate("c")]
    marked = candidate("d", Fate.BELOW_FLOOR, note=NOTE_MARKED)
    assert [each.memory for each in select_candidates([*ranked, marked], 1)] == ["a", "c", "d"]


def test_of_two_questions_the_one_asked_last_is_answered_though_the_other_ends_later():
    async def both(first_fails):
        latest, go_on = LatestCall(), asyncio.Event()

        async def slow():
            await go_on.wait()
            if first_fails:
                raise ValueError
            return "first"

        async def quick():
            return "last"

        first = asyncio.create_task(latest.run(slow()))
        await asyncio.sleep(0)
        last = await latest.run(quick())
        go_on.set()
        return await first, last

    assert asyncio.run(both(False)) == (None, "last")
    assert asyncio.run(both(True)) == (None, "last")


def test_what_is_dropped_while_it_is_under_way_is_not_answered():
    async def drop():
        latest = LatestCall()
        asked = asyncio.create_task(latest.run(asyncio.sleep(0, "late")))
        await asyncio.sleep(0)
        latest.cancel()
        return await asked

    assert asyncio.run(drop()) is None


def test_what_is_not_relevant_enough_says_by_which_measure():
    best = candidate("a", score=0.8, relevance=0.7)
    behind = candidate("b", Fate.BELOW_FLOOR, score=0.1, relevance=0.17)
    alone = candidate("c", Fate.BELOW_FLOOR, score=0.6, relevance=0.01)
    marked = candidate("d", Fate.BELOW_FLOOR, note="marked of no use for a similar question")
    all_of_them = [best, behind, alone, marked]
    assert reason_text(behind, all_of_them) == "its score 0.10 is under 0.48, 60% of the best one's"
    assert reason_text(alone, all_of_them) == "its relevance 0.01 is less than was asked for"
    assert reason_text(alone, all_of_them, 0.45) == "its relevance is 0.01, and 0.45 is needed"
    assert "marked of no use" in reason_text(marked, all_of_them)


def test_what_a_real_turn_leaves_out_is_measured_as_the_turn_measured_it(memory):
    memory.remember("The billing office is in Lisbon, on the square")
    memory.remember("The square of seven is forty-nine")
    text = "Where is the billing office in Lisbon, and which square is near?"
    turn = memory.preview(session="s", text=text, contextual_min_score=0.3).receipt
    reasons = [reason_text(each, turn.candidates, 0.3) for each in turn.candidates]
    assert reasons[0].startswith("found by")
    assert reasons[1].endswith("60% of the best one's")
    turn = memory.preview(session="s", text=text, contextual_min_score=1).receipt
    best = f"{turn.candidates[0].relevance:.2f}"
    expected = f"nothing is relevant enough: the best relevance is {best}, and 1.00 is needed"
    assert {reason_text(each, turn.candidates, 1.0) for each in turn.candidates} == {expected}


def test_a_hit_that_was_marked_says_so_and_is_taken_back_by_who_may_write(memory):
    kept = memory.remember("Cats sleep for most of the day").id
    text = "Which animals sleep for most of the day?"
    before = memory.preview(session="s", text=text)
    memory.turns.mark_irrelevant_for(text, kept)
    after = memory.preview(session="s", text=text)

    def drawn(may):
        turn = InspectorOutcome(receipt=after.receipt)
        return to_view(turn, ViewContext(may_mark=may), turn.receipt.candidates)["candidates"][0]

    assert (drawn(True)["isMarked"], drawn(True)["mayTakeBack"]) == (True, True)
    assert (drawn(False)["isMarked"], drawn(False)["mayTakeBack"]) == (True, False)
    was, now = (
        InspectorOutcome(receipt=each.receipt, block=each.block) for each in (before, after)
    )
    assert mark_result_text(was, now) == "Marked. Nothing is injected now; Undo brings it back."
    assert mark_result_text(was, was).startswith("Marked: it counts less")


def test_every_fate_and_every_skip_has_words_of_its_own():
    labels = [disposition_label(fate) for fate in Fate]
    assert len(set(labels)) == len(Fate)
    assert not any("_" in label for label in labels)
    assert len({disposition_meaning(fate) for fate in Fate}) == len(Fate)
    assert set(SKIP_LABELS) == set(SkipReason)
