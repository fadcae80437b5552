"""What holds of a history for any sequence of turns, compactions, branches and client edits."""

import re
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from tacit import NotFound, Tacit
from tacit.core.messages import answered_call_ids, calls_of, parts_of, text_of, text_of_part
from tacit.language.prompt_templates import SUMMARY_PREFIX
from tacit.turn.summarizer import ExtractiveSummarizer
from tests.properties import examples
from tests.support import UNLEARNING, open_backend

MEMORIES = {
    "gherkin": "Every gherkin was pickled by Orson",
    "kestrel": "One kestrel nests beneath gable nine",
    "zither": "Our zither needs thirty strings",
    "quokka": "No quokka bites visitors",
    "yurt": "My yurt burned down last winter",
}
"""Statements that have no telling word in common."""

TOPICS = tuple(MEMORIES)
TEXTS = (
    *(f"What about the {topic}?" for topic in TOPICS),
    "Do the zither and the yurt match?",
    "thanks",
    "We decided that lamp 41 goes to the stairs.",
    "[Context from memory] is what the log says; why?",
)
ASKED = {"contextual_min_score": 0.0, "context_aware_query": False}
ROOMY = {**ASKED, "max_injected_blocks_in_history": 10}
HEADER = re.compile(r"\[Context from memory\] #[0-9a-f]{8}")
MOST_SESSIONS = 3


LEVEL = st.sampled_from(["background", "aggressive", "emergency"])
SESSION = st.integers(0, MOST_SESSIONS - 1)
SAID = st.lists(
    st.tuples(st.sampled_from(TEXTS), st.sampled_from(["text", "text", "tools", "call", "quote"])),
    min_size=2,
    max_size=6,
)


class OpenAI:
    """Calls beside the content, answered by messages of their own."""

    @staticmethod
    def call(ids):
        functions = [{"name": "look", "arguments": '{"at": "lamps"}'} for _ in ids]
        calls = [
            {"id": id, "type": "function", "function": function}
            for id, function in zip(ids, functions, strict=True)
        ]
        return {"role": "assistant", "content": None, "tool_calls": calls}

    @staticmethod
    def answers(ids, seen):
        return [{"role": "tool", "tool_call_id": id, "content": seen} for id in ids]

    @classmethod
    def said(cls, text, ids, seen):
        return [*cls.answers(ids, seen), {"role": "user", "content": text}]

    @staticmethod
    def is_orderly(messages):
        """Every answer follows its call with only answers between, and no call is left behind."""
        waiting = set()
        for message in messages:
            answered = set(answered_call_ids(message))
            if not answered <= waiting or (waiting and not answered):
                return False
            waiting = (waiting - answered) | {call.id for call in calls_of(message)}
        return True


class Anthropic:
    """Calls and answers are parts; answers come first in the message after the calls."""

    @staticmethod
    def call(ids):
        uses = [{"type": "tool_use", "id": id, "name": "look", "input": {}} for id in ids]
        return {"role": "assistant", "content": [{"type": "text", "text": "I look."}, *uses]}

    @staticmethod
    def answers(ids, seen):
        return [{"role": "user", "content": Anthropic._results(ids, seen)}]

    @classmethod
    def said(cls, text, ids, seen):
        parts = [*cls._results(ids, seen), {"type": "text", "text": text}]
        return [{"role": "user", "content": parts if ids else text}]

    @staticmethod
    def _results(ids, seen):
        return [{"type": "tool_result", "tool_use_id": id, "content": seen} for id in ids]

    @staticmethod
    def is_orderly(messages):
        """The message after calls answers all of them, before anything else in it."""
        waiting = []
        for message in messages:
            answered = answered_call_ids(message)
            first = [part for part in parts_of(message)[: len(answered)] if answered]
            if sorted(answered) != sorted(waiting) or any(map(text_of_part, first)):
                return False
            waiting = [call.id for call in calls_of(message)]
        return True


class Recorder:
    """The summariser that needs no model, and all that it was given."""

    def __init__(self):
        self.transcripts = []

    def summarize(self, transcript, characters):
        self.transcripts.append(transcript)
        return ExtractiveSummarizer().summarize(transcript, characters)


def _is_block(part):
    return HEADER.match(text_of_part(part) or "") is not None


def _blocks(messages):
    spoken = [message for message in messages if message["role"] == "user"]
    return [text_of_part(part) for each in spoken for part in parts_of(each) if _is_block(part)]


def _is_spoken(part):
    return text_of_part(part) is not None and not _is_block(part)


def _id_of(block):
    return HEADER.match(block)[0][-8:]


def _own(messages):
    """The messages without blocks, told by their header alone."""
    own = []
    for message in messages:
        parts = parts_of(message)
        kept = [part for part in parts if not _is_block(part)]
        if message["role"] != "user" or len(kept) == len(parts):
            own.append(message)
        elif kept:
            own.append({**message, "content": kept})
    return own


def _shown(blocks):
    """The topics that blocks show, each as often as they show it."""
    return sorted(topic for topic in TOPICS for block in blocks if MEMORIES[topic] in block)


def _waiting(messages):
    """The calls at the end of a history that nobody answered."""
    return [call.id for call in calls_of(messages[-1])] if messages else []


def _edited(message):
    """A message of a person, said differently."""
    if isinstance(message["content"], str):
        return {**message, "content": message["content"] + " (corrected)"}
    changed = [
        {**part, "text": part["text"] + " (corrected)"} if _is_spoken(part) else part
        for part in message["content"]
    ]
    return {**message, "content": changed}


class Histories(RuleBasedStateMachine):
    """Sessions and their branches, whose caller does with the histories what callers do."""

    backend = "memory"

    @initialize(
        shape=st.sampled_from([OpenAI, Anthropic]),
        cap=st.sampled_from([2, 2, 1, 0]),
        policy=st.sampled_from(["cap", "cap", "prefix"]),
        is_instructed=st.booleans(),
        said=SAID,
    )
    def open(self, shape, cap, policy, is_instructed, said):
        self.folder = TemporaryDirectory()
        store = open_backend(self.backend, Path(self.folder.name))
        self.tacit = Tacit(store, "default", config=UNLEARNING)
        written = self.tacit.memories.remember_all(MEMORIES.values())
        self.topics = {each.id: topic for each, topic in zip(written, TOPICS, strict=True)}
        self.shape = shape
        self.most = cap * 2 if policy == "prefix" else cap
        self.settings = {**ASKED, "max_injected_blocks_in_history": cap, "cache_policy": policy}
        instructions = [{"role": "system", "content": "Be kind."}]
        self.histories = {"s0": instructions if is_instructed and shape is OpenAI else []}
        self.calls = 0
        self.recorder = Recorder()
        self.talk(0, said)

    def teardown(self):
        if hasattr(self, "tacit"):
            self.tacit.close()
            self.folder.cleanup()

    # What happens.

    @rule(which=SESSION, said=SAID)
    def talk(self, which, said):
        session = self._session(which)
        for text, answer in said:
            others = self._reports(but=session)
            turn, incoming = self._begin(session, text)
            replies = self._replies(turn, answer)
            turn.commit(replies)
            own = [*_own(self.histories[session]), *incoming, *replies]
            assert _own(turn.history) == own
            assert len(_blocks(turn.history)) <= self.most
            self.histories[session] = turn.history
            self._check_ledger(session)
            assert self._reports(but=session) == others

    @rule(which=SESSION, text=st.sampled_from(TEXTS))
    def fail(self, which, text):
        session = self._session(which)
        before = self._reports()
        turn, _ = self._begin(session, text)
        turn.roll_back()
        assert turn.history == self.histories[session]
        assert self._reports() == before

    @rule(
        which=SESSION,
        texts=st.lists(st.sampled_from(TEXTS), min_size=1, max_size=3),
        landed=st.booleans(),
    )
    def leave_open(self, which, texts, landed):
        session = self._session(which)
        for text in texts:
            turn, _ = self._begin(session, text)
            if landed:
                self.histories[session] = [*turn.messages, *self._replies(turn, "text")]

    @rule(which=SESSION, said=st.just([]) | SAID, levels=st.lists(LEVEL, min_size=1, max_size=3))
    def compact(self, which, said, levels):
        """Again and again, so that blocks which stand late go too."""
        self.talk(which, said)
        for level in levels:
            self._compact(self._session(which), level)

    def _settled(self, session):
        """The blocks of turns that have ended; an open turn is settled by the next one."""
        try:
            return {block.id for block in self.tacit.sessions.get(session).blocks}
        except NotFound:
            return set()

    def _compact(self, session, level):
        history, others = list(self.histories[session]), self._reports(but=session)
        stood, bound = self._standing(session), self._bound(session)
        done = self.tacit.compact(
            session=session, history=history, level=level, summarizer=self.recorder
        )
        self.histories[session] = list(done.messages)
        assert done.degraded == ()
        self._check_compacted(history, done)
        self._check_nothing_injected_was_told(done)
        standing, settled = self._standing(session), self._settled(session)
        gone = [each for each in stood if each not in standing and _id_of(each) in settled]
        assert sorted(done.blocks) == sorted(map(_id_of, gone))
        assert sorted(bound) == sorted([*self._bound(session), *_shown(gone)])
        assert self._reports(but=session) == others
        self._check_all_is_in_context_once(session)

    @precondition(lambda self: len(self.histories) < MOST_SESSIONS)
    @rule(which=SESSION)
    def fork(self, which):
        session = self._session(which)
        if self._report(session) is None:
            return
        before, branch = self._reports(), f"s{len(self.histories)}"
        self.tacit.sessions.fork(session, branch)
        assert self._reports() == before
        self.histories[branch] = list(self.histories[session])
        assert self._standing(branch) == self._standing(session)
        assert self._bound(branch) == self._bound(session)

    @rule(which=SESSION)
    def reset(self, which):
        session = self._session(which)
        others = self._reports(but=session)
        self.tacit.sessions.reset_memory_injection_tracking(session)
        assert self._bound(session) == []
        assert self._reports(but=session) == others

    @rule(which=SESSION, share=st.floats(0, 1))
    def cut_at_the_front(self, which, share):
        session = self._session(which)
        history = self.histories[session]
        starts = [
            start for start in range(len(history) + 1) if self.shape.is_orderly(history[start:])
        ]
        self.histories[session] = history[starts[int(share * (len(starts) - 1))] :]

    @rule(which=SESSION)
    def drop_the_blocks(self, which):
        session = self._session(which)
        self.histories[session] = _own(self.histories[session])

    @rule(which=SESSION, share=st.floats(0, 0.99))
    def edit_a_message(self, which, share):
        session = self._session(which)
        history = list(self.histories[session])
        spoken = self._spoken(history)
        if spoken:
            index = spoken[int(share * len(spoken))]
            history[index] = _edited(history[index])
            self.histories[session] = history

    @rule(which=SESSION, answer=st.sampled_from(["text", "tools"]))
    def regenerate_the_last_answer(self, which, answer):
        session = self._session(which)
        history = self.histories[session]
        spoken = self._spoken(history)
        if not spoken:
            return
        text = text_of(_own([history[spoken[-1]]])[0])
        start = spoken[-1]
        while start and history[start - 1]["role"] in ("tool", "user"):
            start -= 1
        self.histories[session] = history[:start]
        self.talk(which, [(text, answer)])

    @rule(which=SESSION)
    def start_over(self, which):
        self.histories[self._session(which)] = []

    # How it is done.

    def _session(self, which):
        return f"s{which % len(self.histories)}"

    def _begin(self, session, text):
        """Begin a turn, and check what would be sent."""
        history = self.histories[session]
        before = list(history)
        incoming = self.shape.said(text, _waiting(history), "Lamps were seen.")
        turn = self.tacit.turn(session=session, history=history, text=incoming, **self.settings)
        assert history == before
        assert turn.receipt.degraded == ()
        assert _own(turn.messages) == [*_own(history), *incoming]
        assert self.shape.is_orderly(turn.messages)
        blocks = _blocks(turn.messages)
        assert len(blocks) <= max(self.most, 1)
        assert len(_shown(blocks)) == len(set(_shown(blocks)))
        assert turn.block is None or blocks[-1] == turn.block
        return turn, incoming

    def _replies(self, turn, answer):
        self.calls += 2
        ids = [f"call{self.calls}", f"call{self.calls + 1}"]
        done = {"role": "assistant", "content": "So it is."}
        if answer == "call":
            return [self.shape.call(ids[:1])]
        if answer == "tools":
            return [self.shape.call(ids), *self.shape.answers(ids, "Lamps were seen."), done]
        if answer == "quote" and turn.block:
            return [
                self.shape.call(ids[:1]),
                *self.shape.answers(ids[:1], f"Log: {turn.block}"),
                {"role": "assistant", "content": f"I was told:\n{turn.block}\nSo it is."},
            ]
        return [done]

    def _spoken(self, history):
        """Where people speak, as far as the caller can tell."""
        return [
            index
            for index, message in enumerate(history)
            if message["role"] == "user"
            and any(map(_is_spoken, parts_of(message)))
            and not text_of(message).startswith(SUMMARY_PREFIX)
        ]

    def _preview(self, session, text):
        """A turn without effect, on a history whose caller kept no block."""
        history = _own(self.histories[session])
        incoming = self.shape.said(text, _waiting(history), "Lamps were seen.")
        return self.tacit.preview(session=session, history=history, text=incoming, **ROOMY)

    def _standing(self, session):
        """The blocks that belong in the session's history, kept there by its caller or not."""
        return _blocks(self._preview(session, "thanks").messages)

    def _bound(self, session):
        """The topics that the ledger holds back."""
        report = self._report(session)
        ledger = () if report is None else report.ledger
        return [self.topics[each.memory] for each in ledger if each.pruned_at is None]

    def _report(self, session):
        try:
            return self.tacit.sessions.get(session)
        except NotFound:
            return None

    def _reports(self, but=None):
        return {each: self._report(each) for each in self.histories if each != but}

    # What holds.

    def _check_ledger(self, session):
        """What is held back is what the model has before it, no more and no less."""
        assert sorted(self._bound(session)) == _shown(_blocks(self.histories[session]))

    def _check_all_is_in_context_once(self, session):
        for topic in TOPICS:
            asked = self._preview(session, f"What about the {topic}?")
            assert _shown(_blocks(asked.messages)).count(topic) == 1

    def _check_compacted(self, history, done):
        """What stays is the end of what was; a summary stands for the rest."""
        assert self.shape.is_orderly(done.messages)
        if not done.dropped:
            assert list(done.messages) == history
            return
        head = history[: len(history) - len(self._without_instructions(history))]
        *front, summary = done.messages[: len(head) + 1]
        kept = done.messages[len(head) + 1 :]
        assert front == head
        assert text_of(summary).startswith(SUMMARY_PREFIX)
        assert len(kept) >= 2
        assert list(kept) == history[-len(kept) :]

    def _without_instructions(self, history):
        is_instructed = bool(history) and history[0]["role"] == "system"
        return history[1:] if is_instructed else history

    def _check_nothing_injected_was_told(self, done):
        summaries = [text for text in map(text_of, done.messages) if SUMMARY_PREFIX in text]
        for told in (*self.recorder.transcripts, done.summary or "", *summaries):
            assert HEADER.search(told) is None, told
            assert not any(content in told for content in MEMORIES.values()), told


class HistoriesInPostgres(Histories):
    backend = "postgres"


def _settings(max_examples):
    return settings(
        max_examples=max_examples,
        stateful_step_count=15,
        deadline=None,
        derandomize=True,
        phases=(Phase.explicit, Phase.generate),  # shrinking takes minutes: add it to debug
    )


TestHistories = Histories.TestCase
TestHistories.settings = _settings(examples(5, 30))
TestHistoriesInPostgres = pytest.mark.other_store(HistoriesInPostgres.TestCase)
TestHistoriesInPostgres.settings = _settings(examples(3, 10))


# The validation checklist; the rest of it is in test_turn.py, test_compacting.py, test_branches.py.


@pytest.fixture
def tacit():
    with Tacit.open(":memory:", embedder="none") as tacit:
        tacit.memories.remember_all(MEMORIES.values())
        yield tacit


def _say(tacit, text, history=(), **asked):
    with tacit.turn(session="s", history=history, text=text, **{**ASKED, **asked}) as turn:
        turn.commit("So it is.")
    return turn


def _talked(tacit, *topics, **asked):
    """A history in which these were asked about, one after the other."""
    history = []
    for topic in topics:
        history = _say(tacit, f"What about the {topic}?", history, **asked).history
    return history


def _landed(tacit, history=()):
    """A history with a turn that was answered and never committed."""
    turn = tacit.turn(session="s", history=history, text="What about the yurt?", **ASKED)
    return [*turn.messages, {"role": "assistant", "content": "It burned down, I was told."}]


def _longer(history):
    said = [{"role": "user", "content": "Is it late?"}, {"role": "assistant", "content": "No."}]
    return [*history, *said * 4]


def test_by_default_a_host_is_told_again_after_ten_turns_and_not_before(tacit):
    asked = "What about the yurt?"
    injected = [_say(tacit, asked, None).block is not None for _ in range(12)]
    assert injected == [True, *[False] * 10, True]


@pytest.mark.parametrize("length", range(13))
def test_an_emergency_passes_over_blocks_wherever_they_stand(tacit, length):
    history = _talked(tacit, *TOPICS[:4])[-length:] if length else []
    done = tacit.compact(session="s", history=history, level="emergency")
    assert len(_own(done.messages)) >= min(2, len(_own(history)))
    again = [
        _say(tacit, f"What about the {topic}?", list(done.messages)).messages for topic in TOPICS
    ]
    assert all(
        _shown(_blocks(messages)).count(topic) == 1
        for topic, messages in zip(TOPICS, again, strict=True)
    )


def test_a_branch_that_forks_while_a_turn_is_open_sees_its_block(tacit):
    history = _talked(tacit, "zither")
    turn = tacit.turn(session="s", history=history, text="What about the yurt?", **ASKED)
    tacit.sessions.fork("s", "branch")
    asked = {"session": "branch", "history": turn.messages, **ASKED}
    seen = tacit.preview(text="What about the yurt?", **asked)
    assert seen.block is None
    assert _blocks(seen.messages) == _blocks(turn.messages)


def test_a_branch_may_fork_in_the_first_turn_of_its_session(tacit):
    turn = tacit.turn(session="s", text="What about the yurt?", **ASKED)
    tacit.sessions.fork("s", "branch")
    asked = {"session": "branch", "history": turn.messages, **ASKED}
    assert tacit.preview(text="What about the yurt?", **asked).block is None


def test_the_block_of_a_turn_that_was_never_committed_is_not_summed_up(tacit):
    recorder = Recorder()
    history = _longer(_landed(tacit))
    done = tacit.compact(session="s", history=history, level="aggressive", summarizer=recorder)
    for told in (*recorder.transcripts, done.summary):
        assert HEADER.search(told) is None
        assert MEMORIES["yurt"] not in told


def test_what_is_asked_for_stays_in_view_when_its_block_makes_room(tacit):
    history = _talked(tacit, "yurt", max_injected_blocks_in_history=1)
    both = "Do the zither and the yurt match?"
    turn = _say(tacit, both, history, max_injected_blocks_in_history=1)
    assert _shown(_blocks(turn.messages)) == ["yurt", "zither"]


def test_a_question_that_was_lost_and_asked_again_is_not_taken_for_two_turns(tacit):
    tacit.turn(session="s", text="What about the yurt?", **ASKED)
    seen = tacit.turn(session="s", history=_landed(tacit), text="thanks", **ASKED)
    assert _shown(_blocks(seen.messages)) == ["yurt"]
    seen.commit("Gladly.")
    assert tacit.sessions.get("s").session.turns == 2
