"""A language model behind an address, asked over a real connection."""

import json

import pytest

from tacit.core.errors import InvalidInput, ModelLate, ModelUnavailable
from tacit.embedding.llm import ChatModel
from tacit.language.tokens import estimate_tokens
from tests.fake_llm import Reply, fake_llm

QUESTION = [
    {"role": "system", "content": "Be brief."},
    {"role": "user", "content": "Which port does the gateway use?"},
]


@pytest.fixture(autouse=True)
def waits(monkeypatch):
    """How long it would have waited between tries."""
    waited = []
    monkeypatch.setattr("tacit.runtime.retries.time.sleep", waited.append)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    return waited


@pytest.fixture
def llm():
    with fake_llm(" 8443. ") as llm:
        yield llm


def _ask(llm, **options):
    return ChatModel("small", llm.url, **options).ask(QUESTION)


def _planned(*replies):
    """Answers in this order, and then a good one."""
    left = list(replies)
    return lambda asked: left.pop(0) if left else "8443."


def test_a_model_gets_the_messages_and_its_words_come_back_bare(llm):
    assert _ask(llm).text == "8443."
    (asked,) = llm.asked
    assert asked.path == "/v1/chat/completions"
    assert asked.body == {"model": "small", "messages": QUESTION}


def test_a_schema_is_sent_as_structured_output(llm):
    schema = {"type": "object", "properties": {"port": {"type": "integer"}}}
    ChatModel("small", llm.url).ask(QUESTION, schema)
    described = {"name": "answer", "strict": True, "schema": schema}
    assert llm.asked[0].body["response_format"] == {
        "type": "json_schema", "json_schema": described,
    }  # fmt: skip


def test_the_key_is_read_from_the_environment(llm, monkeypatch):
    model = ChatModel("small", llm.url)
    model.ask(QUESTION)
    monkeypatch.setenv("OPENAI_API_KEY", "s3cret\n")
    model.ask(QUESTION)
    assert [asked.key for asked in llm.asked] == [None, "Bearer s3cret"]


@pytest.mark.parametrize("key", ["schlüssel", "sk-first\nsk-second"])
def test_a_key_that_cannot_be_sent_is_never_shown(llm, monkeypatch, key):
    monkeypatch.setenv("OPENAI_API_KEY", key)
    with pytest.raises(ModelUnavailable, match="OPENAI_API_KEY") as failure:
        _ask(llm)
    assert not any(part in str(failure.value) for part in key.split())
    assert llm.asked == []


def test_the_address_may_be_in_the_environment(llm, monkeypatch):
    monkeypatch.setenv("OPENAI_BASE_URL", f"{llm.url}/")
    assert ChatModel("small").ask(QUESTION).text == "8443."
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    assert ChatModel("small", llm.url).ask(QUESTION).text == "8443."


def test_an_address_that_is_none_says_so():
    with pytest.raises(InvalidInput, match="is not a web address"):
        ChatModel("small", "http://[::1").ask(QUESTION)


def test_tokens_are_those_that_the_server_counted(llm):
    llm.tokens = 77
    assert _ask(llm).tokens == 77


@pytest.mark.parametrize("usage", [None, {}, [], {"total_tokens": "many"}, {"total_tokens": True}])
def test_tokens_are_estimated_where_the_server_tells_none(llm, usage):
    body = {"choices": [{"message": {"content": "8443."}}], "usage": usage}
    llm.answer = lambda asked: Reply(body=body)
    said = [*(each["content"] for each in QUESTION), "8443."]
    assert _ask(llm).tokens == sum(map(estimate_tokens, said))


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_passing_failure_is_tried_again(llm, waits, status):
    llm.answer = _planned(Reply(status), Reply(status, headers={"Retry-After": "2"}))
    assert _ask(llm).text == "8443."
    assert waits == [0.5, 2]


def test_a_broken_answer_is_tried_again(llm, waits):
    llm.answer = _planned(Reply(body=b"no gzip", headers={"Content-Encoding": "gzip"}))
    assert _ask(llm).text == "8443."
    assert waits == [0.5]


def test_three_tries_are_enough(llm):
    llm.answer = lambda asked: Reply(500, {"error": "the GPU is on fire"})
    with pytest.raises(ModelUnavailable, match=r"answers 500; .*the GPU is on fire"):
        _ask(llm)
    assert len(llm.asked) == 3


@pytest.mark.parametrize(
    ("status", "advice"),
    [
        (401, "set the key in the environment, in OPENAI_API_KEY"),
        (403, "check that the key may use this model"),
        (404, "check the address and the name of the model"),
        (400, "see what the server says"),
    ],
)
def test_a_refusal_is_not_tried_again_and_says_what_to_do(llm, status, advice):
    llm.answer = lambda asked: Reply(status, {"error": {"message": "not like this"}})
    with pytest.raises(ModelUnavailable, match=f"answers {status}; {advice}.*not like this"):
        _ask(llm)
    assert len(llm.asked) == 1


def test_a_limit_that_stays_reached_is_told_in_words(llm):
    llm.answer = lambda asked: Reply(429)
    with pytest.raises(ModelUnavailable, match="wait, or raise the limit there"):
        _ask(llm)


def test_nobody_there_is_said(waits):
    with (
        fake_llm(is_up=False) as llm,
        pytest.raises(ModelUnavailable, match=r"chat/completions \(small\): cannot be reached"),
    ):
        _ask(llm)
    assert len(waits) == 2


def test_a_model_that_is_late_is_not_asked_again(llm, waits):
    llm.hold()
    with pytest.raises(ModelLate, match="does not answer in time"):
        _ask(llm, timeout=0.05)
    llm.wait_until_asked()
    assert (len(llm.asked), waits) == (1, [])


@pytest.mark.parametrize("body", [b"<html>Welcome!</html>", b"", b"[" * 100_000])
def test_an_answer_that_is_no_json_is_refused(llm, body):
    llm.answer = lambda asked: Reply(body=body)
    with pytest.raises(ModelUnavailable, match="answers without JSON"):
        _ask(llm)


@pytest.mark.parametrize(
    "document",
    [
        {},
        [],
        None,
        "8443",
        {"error": {"message": "overloaded"}},
        {"choices": []},
        {"choices": None},
        {"choices": [{}]},
        {"choices": [{"message": None}]},
        {"choices": [{"message": {}}]},
    ],
)
def test_an_answer_of_another_kind_is_refused(llm, document):
    llm.answer = lambda asked: Reply(body=json.dumps(document).encode())
    with pytest.raises(ModelUnavailable, match="does not answer like"):
        _ask(llm)


@pytest.mark.parametrize("content", [None, "", "  \n"])
def test_a_model_may_have_nothing_to_say(llm, content):
    llm.answer = lambda asked: Reply(body={"choices": [{"message": {"content": content}}]})
    assert _ask(llm).text == ""


def test_any_text_can_be_sent(llm):
    ChatModel("small", llm.url).ask([{"role": "user", "content": "a\ud800b\x00 – 会議"}])
    assert llm.asked[0].prompt == "a?b\x00 – 会議"
