"""History: blocks enter it, are found again, and leave it; nothing else is touched."""

import copy
from itertools import chain, pairwise
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.core.messages import Message, is_human, is_tool_result, parts_of, role_of, text_of
from tacit.core.sessions import Placement, prune_placements
from tacit.language.injection_blocks import (
    block_id_in,
    compute_anchor,
    compute_block_id,
    insert_blocks,
    is_injection_block,
    locate_placements,
    matches_block_id,
    remove_blocks,
)
from tacit.language.prompt_templates import INJECTION_BLOCK_PREFIX

IMAGE = {"type": "image", "source": {"type": "base64", "data": "iVBOR"}}
RESULT = {"type": "tool_result", "tool_use_id": "t1", "content": "42"}


def _user(content):
    return {"role": "user", "content": content}


def _assistant(content):
    return {"role": "assistant", "content": content}


def _text(text):
    return {"type": "text", "text": text}


def _block(number=0, body="[Fact] Billing runs on MySQL"):
    id = compute_block_id("s1", number, body)
    return id, f"{INJECTION_BLOCK_PREFIX} #{id}\n{body}"


def _placement(history, ordinal, number=0):
    id, text = _block(number)
    humans = [message for message in history if is_human(message)]
    return Placement(id=id, text=text, anchor=compute_anchor(humans[ordinal]), ordinal=ordinal)


def _known(placements):
    return {placement.id: placement.text for placement in placements}


ID, BLOCK = _block()
KNOWN = {ID: BLOCK}


def test_the_id_of_a_block_depends_on_session_turn_and_body():
    ids = {
        compute_block_id("s1", 1, "x"),
        compute_block_id("s2", 1, "x"),
        compute_block_id("s1", 2, "x"),
    }
    ids |= {compute_block_id("s1", 1, "y"), compute_block_id("s", 11, "x")}
    assert len(ids) == 5
    assert compute_block_id("s1", 1, "x") == compute_block_id("s1", 1, "x")
    assert all(block_id_in(f"{INJECTION_BLOCK_PREFIX} #{id}\nbody") == id for id in ids)
    assert compute_block_id("s1", 1, "a lone \ud800") == compute_block_id("s1", 1, "a lone \ud800")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "hi",
        INJECTION_BLOCK_PREFIX,
        f"{INJECTION_BLOCK_PREFIX} 7f3a9c21",
        f"{INJECTION_BLOCK_PREFIX} #7f3a9c2",
        f"{INJECTION_BLOCK_PREFIX} #7f3a9c219",
        f"{INJECTION_BLOCK_PREFIX} #7F3A9C21",
        f"{INJECTION_BLOCK_PREFIX} #7f3a9c21 what is this?",
        f"{INJECTION_BLOCK_PREFIX}  #7f3a9c21\nx",
        f" {INJECTION_BLOCK_PREFIX} #7f3a9c21\nx",
        f"look:\n{INJECTION_BLOCK_PREFIX} #7f3a9c21\nx",
    ],
)
def test_only_a_first_line_that_is_a_header_carries_an_id(text):
    assert block_id_in(text) is None


@pytest.mark.parametrize(
    "part",
    [
        BLOCK,
        _text(BLOCK),
        {"type": "input_text", "text": BLOCK},
        SimpleNamespace(type="text", text=BLOCK),
        _user(BLOCK),
        _user([_text(BLOCK)]),
        Message("user", BLOCK),
    ],
)
def test_a_users_text_part_or_message_with_a_known_id_is_a_block(part):
    assert is_injection_block(part, {ID})


@pytest.mark.parametrize(
    "part",
    [
        "hi",
        f"{INJECTION_BLOCK_PREFIX} is what your messages start with, why?",
        f"{INJECTION_BLOCK_PREFIX} #00000000\n[Fact] forged",
        _text("hi"),
        _user("hi"),
        _user([_text(BLOCK), _text("hi")]),
        _assistant(BLOCK),
        _assistant([_text(BLOCK)]),
        {"role": "tool", "content": BLOCK, "tool_call_id": "t1"},
        {"role": "system", "content": BLOCK},
        {"type": "tool_result", "content": BLOCK, "text": BLOCK},
        {"role": "user"},
        IMAGE,
        None,
    ],
)
def test_everything_else_is_no_block(part):
    assert not is_injection_block(part, {ID})


def test_blocks_leave_and_everything_else_is_the_same_object():
    history = [
        {"role": "system", "content": "Be brief"},
        _user(BLOCK),
        _user("hi"),
        _assistant(BLOCK),
        Message("user", BLOCK),
        _user([_text(BLOCK)]),
        _user([IMAGE]),
        _user(f"{INJECTION_BLOCK_PREFIX} #00000000\nmine"),
        _user([]),
    ]
    left = remove_blocks(history, KNOWN)
    kept = [history[index] for index in (0, 2, 3, 6, 7, 8)]
    assert [id(message) for message in left] == [id(message) for message in kept]


def test_a_block_beside_a_users_parts_leaves_them_alone():
    own = [_text("hi"), IMAGE]
    message = {**_user([_text(BLOCK), *own]), "name": "ada"}
    assert remove_blocks([message], KNOWN) == [{**_user(own), "name": "ada"}]
    assert message["content"][0] == _text(BLOCK)


@pytest.mark.parametrize("between", ["\n", "\n\n", "\n \t\n\r\n", " "])
def test_words_behind_a_block_in_one_string_stay(between):
    left = remove_blocks([_user(BLOCK + between + "  my words\n")], KNOWN)
    assert [text_of(message).lstrip(" ") for message in left] == ["my words\n"]


def test_several_blocks_before_ones_words_all_leave():
    other, text = _block(1)
    merged = f"{BLOCK}\n\n{text}\n\nmy words"
    assert remove_blocks([_user(merged)], {**KNOWN, other: text}) == [_user("my words")]


def test_a_block_that_was_pasted_thousands_of_times_leaves_whole():
    block = f"{INJECTION_BLOCK_PREFIX} #0123abcd\nA body."
    pasted = f"{block}\n\n" * 5_000
    known = {"0123abcd": block}
    assert remove_blocks([_user(f"{pasted}Hello")], known) == [_user("Hello")]
    assert remove_blocks([_user(pasted)], known) == []


def test_a_user_who_quotes_the_header_of_a_block_keeps_their_words():
    history = [_user(f"{BLOCK.splitlines()[0]}\nwhat does this line mean?")]
    assert remove_blocks(history, KNOWN)[0] is history[0]


def test_a_block_whose_text_was_erased_is_told_by_its_digest():
    id = compute_block_id("s", 3, "secret words")
    text = f"{INJECTION_BLOCK_PREFIX} #{id}\nsecret words"
    assert matches_block_id(text, "s", 3, id)
    assert not matches_block_id(f"{text} and mine", "s", 3, id)
    assert not matches_block_id(text, "s", 4, id)
    assert not matches_block_id("secret words", "s", 3, id)


@pytest.mark.parametrize(
    "message",
    [
        _user([_text("hi")]),
        _user(["hi"]),
        _user(({"type": "input_text", "text": "hi"},)),
        _user([{**_text("hi"), "cache_control": {"type": "ephemeral"}}]),
        Message("user", "hi"),
        SimpleNamespace(role="user", content="hi"),
        SimpleNamespace(role="user", content=[SimpleNamespace(type="text", text="hi")]),
    ],
)
def test_the_same_words_have_the_same_anchor_in_every_shape(message):
    assert compute_anchor(message) == compute_anchor(_user("hi"))


def test_an_anchor_depends_on_all_that_is_said():
    other = {**IMAGE, "source": {"type": "base64", "data": "AAAAA"}}
    contents = ["hi", "hi ", [IMAGE], [other], [_text("hi"), IMAGE], [IMAGE, _text("hi")]]
    contents += [["h", "i"], [RESULT, _text("hi")], '["hi"]', [{"type": "file", "data": b"hi"}]]
    assert len({compute_anchor(_user(content)) for content in contents}) == len(contents)


def test_an_image_has_the_same_anchor_as_a_dict_and_as_an_object_wherever_the_cache_ends():
    source = SimpleNamespace(**IMAGE["source"])
    shapes = [
        {**IMAGE, "cache_control": {"type": "ephemeral"}},
        SimpleNamespace(type="image", source=source, title=None),
        dict(reversed(IMAGE.items())),
    ]
    assert {compute_anchor(_user([each])) for each in shapes} == {compute_anchor(_user([IMAGE]))}


def test_a_block_stands_in_a_message_of_its_own_directly_before_its_message():
    history = [_user("hi"), _assistant("hello"), _user("why?")]
    placed = insert_blocks(history, [_placement(history, 1)])
    assert placed == [_user("hi"), _assistant("hello"), _user(BLOCK), _user("why?")]


def test_a_block_has_the_shape_of_the_history():
    history = [Message("user", "hi")]
    assert insert_blocks(history, [_placement(history, 0)]) == [Message("user", BLOCK), *history]


def test_a_block_never_comes_between_a_tool_call_and_its_result():
    call = _assistant([{"type": "tool_use", "id": "t1", "name": "add", "input": {}}])
    history = [_user("add"), call, _user([RESULT, _text("and then?"), IMAGE])]
    placements = [_placement(history, 1)]
    placed = insert_blocks(history, placements)
    assert placed[:2] == history[:2]
    assert placed[2:] == [_user([RESULT, _text(BLOCK), _text("and then?"), IMAGE])]
    assert remove_blocks(placed, _known(placements)) == history


def test_after_openai_tool_results_the_block_stands_before_the_next_question():
    call = {"role": "assistant", "content": None, "tool_calls": [{"id": "t1"}]}
    result = {"role": "tool", "tool_call_id": "t1", "content": "42"}
    history = [_user("add"), call, result, _user("thanks")]
    placed = insert_blocks(history, [_placement(history, 1)])
    assert placed == [_user("add"), call, result, _user(BLOCK), _user("thanks")]


def test_messages_of_tool_results_alone_are_not_counted():
    history = [_user("add"), _assistant("…"), _user([RESULT]), _assistant("42"), _user("ok")]
    assert locate_placements(history, [_placement(history, 1)]) == {ID: 4}


def _said(*texts):
    return [_user(text) for text in texts]


def _found(history, placements):
    return list(locate_placements(history, placements).values())


def test_of_equal_messages_the_one_at_the_ordinal_is_meant():
    history = _said("ok", "a", "ok", "b", "ok")
    assert _found(history, [_placement(history, 2)]) == [2]


def test_a_history_that_was_cut_at_the_front_keeps_the_blocks_of_what_is_left():
    history = _said("a", "b", "c", "d")
    placements = [_placement(history, ordinal, ordinal) for ordinal in range(4)]
    assert locate_placements(history[2:], placements) == {placements[2].id: 0, placements[3].id: 1}


def test_messages_that_repeat_keep_their_blocks_when_the_front_is_cut():
    history = _said(*["continue"] * 6)
    placements = [_placement(history, ordinal, ordinal) for ordinal in (3, 4, 5)]
    assert _found(history[2:], placements) == [1, 2, 3]


def test_what_was_put_in_front_moves_the_blocks_along():
    history = _said("a", "ok", "ok", "b")
    placements = [_placement(history, ordinal, ordinal) for ordinal in (1, 2, 3)]
    assert _found([*_said("summary"), *history], placements) == [2, 3, 4]


def test_the_nearest_of_several_equal_messages_is_taken():
    history = _said("ok", "a", "b", "c", "ok", "d")
    moved = _said("ok", "b", "c", "ok", "d")
    assert _found(moved, [_placement(history, 4)]) == [3]
    assert _found(_said("b", "ok", "c", "d", "e", "ok"), [_placement(history, 0)]) == [1]


def test_an_exact_ordinal_counts_more_than_nearness():
    history = _said("ok", "ok", "ok", "a", "b", "ok")
    placements = [_placement(history, ordinal, ordinal) for ordinal in (1, 2)]
    assert _found(_said("ok", "ok", "a", "b", "c", "ok"), placements) == [1, 5]


def test_a_block_whose_message_was_edited_is_absent_and_the_others_stay():
    history = _said("a", "b", "c")
    placements = [_placement(history, ordinal, ordinal) for ordinal in range(3)]
    edited = _said("a", "B", "c")
    assert locate_placements(edited, placements) == {placements[0].id: 0, placements[2].id: 2}
    assert len(insert_blocks(edited, placements)) == 5


def test_placements_of_one_message_stand_before_it_together_and_others_never_do():
    history = _said("ok", "ok")
    first, again = _placement(history, 1, 1), _placement(history, 1, 2)
    assert _found(history, [first, again]) == [1, 1]
    both = [text_of(message) for message in insert_blocks(history, [first, again])]
    assert both == ["ok", first.text, again.text, "ok"]
    other = _placement(history, 0, 0)
    assert locate_placements(history[:1], [other, first]) == {other.id: 0}


def test_placements_stay_in_the_order_in_which_they_were_made():
    history = _said("a", "b")
    late, early = _placement(history, 1, 1), _placement(history, 0, 0)
    assert len(locate_placements(history, [late, early])) == 1


def test_pruning_over_the_cap_removes_the_oldest_and_leaves_other_messages_alone():
    history = [_user("a"), _assistant("A"), _user("b"), _assistant("B"), _user("c")]
    placements = [_placement(history, ordinal, ordinal) for ordinal in range(3)]
    kept, pruned = prune_placements(placements, 2)
    assert (kept, pruned) == (tuple(placements[1:]), tuple(placements[:1]))
    placed = insert_blocks(history, kept)
    assert [text_of(message) for message in placed] == [
        *("a", "A", placements[1].text, "b", "B", placements[2].text, "c")
    ]
    assert all(any(each is message for each in placed) for message in history)


def test_a_cap_of_0_removes_all():
    history = _said("a", "b")
    placements = tuple(_placement(history, ordinal, ordinal) for ordinal in range(2))
    assert prune_placements(placements, 0) == ((), placements)


@pytest.mark.parametrize("keep", [2, 3, 10])
def test_under_the_cap_nothing_is_removed(keep):
    history = _said("a", "b")
    placements = tuple(_placement(history, ordinal, ordinal) for ordinal in range(2))
    assert prune_placements(placements, keep) == (placements, ())


def _called(content):
    """A tool call and what follows it, as Anthropic has it."""
    return [_assistant([{"type": "tool_use", "id": "t1"}]), _user(content)]


CALLED = [
    {"role": "assistant", "content": None, "tool_calls": [{"id": "t1"}]},
    {"role": "tool", "tool_call_id": "t1", "content": "42"},
]
WORDS = st.sampled_from(["ok", "continue", "why?", f"{INJECTION_BLOCK_PREFIX} hm", ""]) | st.text()
PASSAGES = st.one_of(
    WORDS.map(lambda text: [_user(text)]),
    WORDS.map(lambda text: [_assistant(text)]),
    WORDS.map(lambda text: [_user([_text(text), IMAGE])]),
    WORDS.map(lambda text: [SimpleNamespace(role="user", content=[text])]),
    WORDS.map(lambda text: [Message("user", text), Message("assistant", text)]),
    st.just([_user([IMAGE])]),
    st.just(CALLED),
    st.just(_called([RESULT])),
    WORDS.map(lambda text: _called([RESULT, _text(text)])),
    WORDS.map(lambda text: _called((RESULT, IMAGE, text))),
)
HISTORIES = st.lists(PASSAGES, max_size=8).map(lambda passages: list(chain.from_iterable(passages)))


@st.composite
def scenes(draw):
    """A history, and placements made in it or in an earlier, longer form of it."""
    history = draw(HISTORIES)
    humans = sum(map(is_human, history))
    left_out = draw(st.sets(st.integers(0, 9)))
    ordinals = [ordinal for ordinal in range(humans) if ordinal not in left_out]
    placements = [_placement(history, ordinal, ordinal) for ordinal in ordinals]
    start = draw(st.integers(0, len(history)))
    stop = draw(st.integers(start, len(history)) | st.just(len(history)))
    return draw(st.sampled_from([history, history[start:stop]])), placements


@given(scene=scenes())
def test_blocks_that_entered_leave_again_and_nothing_is_ever_changed(scene):
    history, placements = scene
    before = copy.deepcopy(history)
    placed = insert_blocks(history, placements)
    assert remove_blocks(placed, _known(placements)) == before
    assert history == before
    assert placed == insert_blocks(history, placements)
    assert remove_blocks(history, _known(placements)) == before


@given(scene=scenes())
def test_each_block_stands_at_most_once_and_all_stand_in_order(scene):
    history, placements = scene
    texts = [text_of(message) for message in insert_blocks(history, placements)]
    shown = [
        text for whole in texts for text in (each.text for each in placements) if text in whole
    ]
    found = locate_placements(history, placements)
    assert shown == [each.text for each in placements if each.id in found]
    assert len(set(found.values())) == len(found)
    assert list(found.values()) == sorted(found.values())


@given(scene=scenes())
def test_a_block_is_found_before_a_human_message_that_says_the_same(scene):
    history, placements = scene
    found = locate_placements(history, placements)
    anchors = {each.id: each.anchor for each in placements}
    assert all(is_human(history[index]) for index in found.values())
    assert all(compute_anchor(history[index]) == anchors[id] for id, index in found.items())


def _calls_a_tool(message):
    return isinstance(message, dict) and (
        "tool_calls" in message or {"type": "tool_use", "id": "t1"} in parts_of(message)
    )


@given(scene=scenes())
def test_what_follows_a_tool_call_still_begins_with_its_result(scene):
    history, placements = scene
    placed = insert_blocks(history, placements)
    for message, answer in pairwise(placed):
        if _calls_a_tool(message):
            assert role_of(answer) == "tool" or is_tool_result(parts_of(answer)[0])


@given(history=HISTORIES)
def test_where_nothing_moved_every_block_is_found_where_it_was_made(history):
    humans = [index for index, message in enumerate(history) if is_human(message)]
    placements = [_placement(history, ordinal, ordinal) for ordinal in range(len(humans))]
    assert _found(history, placements) == humans


@given(history=HISTORIES)
def test_a_history_without_blocks_goes_through_as_it_is(history):
    for passed in (insert_blocks(history, []), remove_blocks(history, KNOWN)):
        assert passed is not history
        assert [id(message) for message in passed] == [id(message) for message in history]


@given(numbers=st.lists(st.integers(0, 99), unique=True, max_size=8), keep=st.integers(0, 10))
def test_pruning_keeps_the_newest_and_loses_none(numbers, keep):
    history = _said("a")
    placements = tuple(_placement(history, 0, number) for number in numbers)
    kept, pruned = prune_placements(placements, keep)
    assert pruned + kept == placements
    assert len(kept) == min(keep, len(placements))
