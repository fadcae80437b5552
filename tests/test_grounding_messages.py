"""Prompts are grounded for messages as a turn takes them, and end with replies of any shape."""

from types import SimpleNamespace

import pytest

from tacit import FakeEmbedder, InvalidInput, Message, Tacit
from tests.serving import running


@pytest.fixture(params=["library", "client"])
def tacit(request, tmp_path):
    if request.param == "library":
        with Tacit.open(tmp_path / "memory.db", embedder=FakeEmbedder()) as found:
            yield found
    else:
        with running(tmp_path / "memory.db") as server, Tacit.connect(server.url) as found:
            yield found


SAID = {"role": "user", "content": "Which region?"}
PARTS = [{"type": "input_text", "text": "Which region?"}, {"type": "input_image", "image_url": "x"}]


def test_a_prompt_is_grounded_for_messages_of_any_shape(tacit):
    shapes = [SAID, [SAID], {**SAID, "content": PARTS}, SimpleNamespace(**SAID)]
    for said in [*shapes, Message("user", "Which region?"), ["Which region?"]]:
        with tacit.ground(said, context="c") as grounding:
            assert grounding.user.endswith("Which region?")
    with tacit.ground(["Which region?", {**SAID, "content": "And why?"}]) as grounding:
        assert grounding.user.endswith("Which region?\n\nAnd why?")
    assert tacit.grounding.prompt(SAID).text.endswith("Which region?")


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (5, "text: give text, a message with a role and content, or a list of these, not int"),
        (["a", 5], "text: give text, a message with a role and content, or a list of these"),
        ({"content": "a"}, "text: give text, a message with a role and content"),
        ([SAID, {"role": "assistant", "content": "b"}], "text[1]: 'assistant' speaks in it; pass"),
        ([], "text: is empty; give what was said"),
        ({"role": "user", "content": PARTS[1:]}, "text: is empty; give what was said"),
    ],
)
def test_what_is_no_word_of_a_user_is_refused_with_what_to_pass(tacit, said, told):
    for ground in (tacit.ground, tacit.grounding.prompt):
        with pytest.raises(InvalidInput) as refused:
            ground(said)
        assert str(refused.value).startswith(told)


def _completion(text):
    message = SimpleNamespace(role="assistant", content=text, refusal=None)
    return SimpleNamespace(choices=[SimpleNamespace(index=0, message=message)])


def _chunk(text):
    return SimpleNamespace(choices=[SimpleNamespace(index=0, delta=SimpleNamespace(content=text))])


REPLIES = [
    "To eu-central-1.",
    {"role": "assistant", "content": "To eu-central-1."},
    _completion("To eu-central-1."),
    [_chunk("To eu-"), _chunk("central-1.")],
    ["To eu-", "central-1."],
]


def test_a_prompt_is_committed_with_replies_of_any_shape(tacit):
    for number, reply in enumerate(REPLIES):
        with tacit.ground(SAID, context=f"c{number}") as grounding:
            assert grounding.commit(reply).not_recorded is None
        with tacit.ground("And?", context=f"c{number}") as later:
            assert "To eu-central-1." in later.user
            later_id = later.receipt.id
            later.commit()
        assert not tacit.grounding.end(later_id, reply).was_open


def test_a_stream_is_no_reply_to_a_grounded_prompt(tacit):
    with tacit.ground(SAID) as grounding:
        with pytest.raises(InvalidInput, match=r"reply: .* is a stream"):
            grounding.commit(iter(["To"]))
        assert grounding.is_open
