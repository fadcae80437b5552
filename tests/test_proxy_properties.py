"""What holds of every request that passes the proxy, however the client changes its history."""

import itertools
import json
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit import FakeEmbedder, Tacit
from tacit.api.configuration import live_configuration
from tacit.core.keys import Role
from tacit.proxy.caller_names import Names
from tacit.proxy.memory import GivenUp, ProxiedRequest, end_turn, recall
from tacit.server.access import Caller
from tacit.server.jobs import Jobs
from tacit.server.service import Service
from tacit.settings.proxy import MemoryMode
from tests.properties import examples
from tests.proxied_histories import DIALECTS, Exchange, Step, is_block, model_reply
from tests.test_history_properties import MEMORIES

MORE = {
    "obelisk": "The obelisk casts its shadow on pier eleven",
    "walrus": "That walrus likes trumpets",
    "pagoda": "Each pagoda roof drips onto lanterns",
    "turnip": "Grandma turnip soup wants nutmeg",
}
TOPICS = (*MEMORIES, *MORE)
PROJECT = "zoo"
LIMIT = 200
"""A limit of tokens that a few blocks reach."""

_SETTINGS = """
[defaults.memory_injection]
contextual_min_score = 0.0
context_aware_query = false
history_block_tokens = {limit}

[writing]
learn = false
"""


@contextmanager
def served(limit=1_000_000):
    """A memory with statements, and a caller of the server before it."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "tacit.toml"
        file.write_text(_SETTINGS.format(limit=limit))
        live = live_configuration(file)
        with Tacit.open(":memory:", embedder=FakeEmbedder(), config=live) as tacit:
            for content in (*MEMORIES.values(), *MORE.values()):
                tacit.remember(content, scope="project", scope_id=PROJECT)
            service = Service(
                tacit, live, jobs=Jobs(tacit._context.shared.worker), is_exposed=False
            )
            yield Caller(service=service, workspace="default", role=Role.ADMIN)
        live.close()


@pytest.fixture(scope="module")
def caller():
    with served() as found:
        yield found


@pytest.fixture(scope="module")
def strict_caller():
    """One whose blocks may take so few tokens that they leave now and then."""
    with served(LIMIT) as found:
        yield found


_NUMBERS = itertools.count()


class Conversation:
    """A client that keeps its history without blocks, and every rule checked on what it sends."""

    def __init__(self, caller, dialect, *, named, system, keeps_text=False, leaves=False):
        number = next(_NUMBERS)
        self.caller = caller
        self.dialect = dialect
        self.user = f"user-{number}"
        self.session = f"s-{number}" if named else None
        self.leaves = leaves
        self.system = system
        self.keeps_text = keeps_text
        self.exchanges: list[Exchange] = []
        self.said = 0
        self.sent = 0
        self.shown: dict[str, tuple[str, ...]] = {}
        """The blocks that were last seen at each message of a person, by its words."""
        self.most = 0
        self.left = 0

    # What the client does

    def say(self, topic, exchange):
        """Ask, let the model use its tools, and take its reply."""
        self.said += 1
        count = 2 if exchange.is_list else 1
        texts = tuple(f"What about the {topic}? ({self.said}.{n})" for n in range(count))
        reply = f"Reply {self.said}."
        self.exchanges.append(replace(exchange, texts=texts, reply=reply, number=self.said))
        self._run_loop()

    def regenerate(self):
        """Ask for the last reply again, without the tools that were used."""
        if self.exchanges:
            self._change_last(done=0, is_replied=False, steps=(), reply=f"Another {self.sent}.")
            self._run_loop()

    def interrupt(self):
        """Stop in the middle of the last exchange; its reply never came."""
        if self.exchanges:
            self._change_last(is_replied=False, done=min(1, self.exchanges[-1].done))

    def edit(self, place):
        """Say something else in place of an earlier message, and drop what followed."""
        if self.exchanges:
            del self.exchanges[place % len(self.exchanges) + 1 :]
            self.said += 1
            texts = (f"I meant the {TOPICS[place % len(TOPICS)]}, sorry ({self.said})",)
            self._change_last(texts=texts, done=0, is_replied=False, number=self.said)
            self._run_loop()

    def compact(self, count):
        """Put a summary in place of the first exchanges."""
        if len(self.exchanges) > 1:
            count = 1 + count % (len(self.exchanges) - 1)
            self.said += 1
            summary = Exchange((f"Summary {self.said} of what was said.",), number=self.said)
            kept = replace(summary, reply="I see.", is_replied=True)
            self.exchanges[:count] = [kept]
            if self.session is None:  # it is another conversation then
                self.shown = {}

    @property
    def is_known(self):
        """Whether requests are found to be of this conversation; without a name not at first."""
        return self.session is not None or any(each.is_begun for each in self.exchanges)

    def retry(self):
        """Send the last request again, as clients do after an error."""
        if self.exchanges and not self.exchanges[-1].is_replied:
            self._send()

    # What is sent

    def _change_last(self, **changes):
        self.exchanges[-1] = replace(self.exchanges[-1], **changes)

    def _run_loop(self):
        last = self.exchanges[-1]
        for step in range(last.done, len(last.steps) + 1):
            self._change_last(done=step)
            request, made = self._send()
            reply = model_reply(self.exchanges[-1], step)
            end_turn(request, made, replace(reply, id=f"resp_{self.sent}"))
        self._change_last(is_replied=True)

    def _send(self):
        """Send the history twice, as if the first time had failed, and check what arrives."""
        self.sent += 1
        if not self.is_known:
            self.shown = {}
        body = self.dialect.body(self.exchanges, self.system)
        raw = json.dumps(body).encode()
        request = ProxiedRequest(
            caller=self.caller,
            format=self.dialect.format,
            names=Names(session=self.session, user=self.user, project=PROJECT),
            asked=self.dialect.format.read_request(json.loads(raw)),
            body=json.loads(raw),
            mode=MemoryMode.ON,
            keeps_text=self.keeps_text,
        )
        made = recall(request, GivenUp())
        assert json.dumps(request.body).encode() == raw
        if not made.conversation.will_be_renamed:  # two that begin alike are two conversations
            again = recall(request, GivenUp())
            assert again.body == made.body
            assert again.turn == made.turn
        sent = json.loads(made.body or raw)
        if self.keeps_text:
            self._check_texts(body, sent)
        else:
            self._check(body, sent)
            self._compare(sent)
        return request, made

    def _check(self, body, sent):
        """Nothing is out of order, and without the blocks it is what the client sent."""
        assert self.dialect.is_orderly(body)
        assert self.dialect.is_orderly(sent), sent
        bare = self.dialect.without_blocks(sent)
        assert self.dialect.as_parts(bare) == self.dialect.as_parts(body)

    def _check_texts(self, body, sent):
        for came, went in zip(body["messages"], sent["messages"], strict=True):
            if came != went and isinstance(came["content"], str):
                added = went["content"].removeprefix(came["content"])
                assert is_block(added.removeprefix("\n\n"))
                assert {**went, "content": came["content"]} == came

    def _compare(self, sent):
        """The messages that are still there have the blocks that they had."""
        texts = [text for each in self.exchanges for text in each.texts]
        shown: dict[str, list[str]] = {text: [] for text in texts}
        for person, block in self.dialect.blocks(sent):
            shown[texts[person]].append(block)
        self.most = max(self.most, sum(map(len, shown.values())))
        before = {text: self.shown[text] for text in texts if self.shown.get(text)}
        now = {text: tuple(shown[text]) for text in before}
        if self.leaves and not any(now.values()):
            now = before
            self.left += bool(before)
        assert now == before
        self.shown = {text: tuple(blocks) for text, blocks in shown.items()}


STEP = st.builds(Step, st.integers(1, 3), st.booleans(), st.booleans())
EXCHANGE = st.builds(
    Exchange,
    texts=st.just(()),
    steps=st.lists(STEP, max_size=3).map(tuple),
    has_image=st.booleans(),
    is_list=st.booleans(),
    instruction=st.sampled_from([None, None, "Be brief."]),
)
SAY = st.tuples(st.just("say"), st.sampled_from(TOPICS), EXCHANGE)
CHANGE = st.one_of(
    st.tuples(st.sampled_from(["regenerate", "interrupt", "retry"])),
    st.tuples(st.sampled_from(["edit", "compact"]), st.integers(0, 5)),
)
ACTIONS = st.lists(st.one_of(SAY, SAY, CHANGE), min_size=2, max_size=7)
SYSTEM = st.sampled_from([None, "You are kind."])


def _act(conversation, actions):
    for name, *arguments in actions:
        getattr(conversation, name)(*arguments)
    return conversation


@pytest.mark.parametrize("dialect", DIALECTS)
@settings(max_examples=examples(12))
@given(actions=ACTIONS, named=st.booleans(), system=SYSTEM)
def test_whatever_a_client_does_its_order_is_kept_and_blocks_stay_with_their_messages(
    caller, dialect, actions, named, system
):
    _act(Conversation(caller, dialect, named=named, system=system), actions)


@pytest.mark.parametrize("dialect", DIALECTS)
@settings(max_examples=examples(6, 50))
@given(said=st.lists(SAY, min_size=4, max_size=9), named=st.booleans())
def test_blocks_over_the_limit_leave_together_and_only_when_a_person_speaks(
    strict_caller, dialect, said, named
):
    _act(Conversation(strict_caller, dialect, named=named, system=None, leaves=True), said)


def test_blocks_do_come_and_do_leave(caller, strict_caller):
    said = [("say", topic, Exchange((), steps=(Step(),))) for topic in TOPICS]
    for dialect in DIALECTS:
        stay = _act(Conversation(caller, dialect, named=False, system=None), said)
        assert stay.most > len(TOPICS) // 2
        leave = _act(
            Conversation(strict_caller, dialect, named=True, system=None, leaves=True), said
        )
        assert leave.left > 1


@pytest.mark.parametrize("dialect", DIALECTS[:2])
@settings(max_examples=examples(5, 50))
@given(actions=ACTIONS, named=st.booleans())
def test_a_text_that_is_kept_begins_with_what_was_said(caller, dialect, actions, named):
    _act(Conversation(caller, dialect, named=named, system=None, keeps_text=True), actions)
