"""What holds for any sequence of turns, failures, resets and edits."""

import io
import re
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from tacit import FakeEmbedder, Tacit
from tacit.core.receipt import CandidateSource, Fate
from tacit.language.prompt_templates import INJECTION_BLOCK_PREFIX
from tacit.language.tokens import estimate_tokens
from tests.properties import examples
from tests.support import UNLEARNING, CountedIds, HandClock, open_backend

LIMITS = {
    "max_total": 4,
    "max_tokens": 170,
    "memory_context_max_chars": 660,
    "search_limit": 4,
    "fact_limit": 2,
    "pinned_limit": 1,
    "max_injected_blocks_in_history": 2,
}
ASKED = {
    **LIMITS,
    "contextual_min_score": 0.05,
    "semantic_threshold": 0.8,
    "ambient_enabled": True,
    "pinned_types": ["todo"],
}

SESSIONS = {
    "s1": {"project": "atlas"},
    "s2": {"project": "borealis", "agent": "cook"},
}
USERS = (None, "alice", "bob")
TEXTS = (
    "Whose gherkins are crisp, sour or nameless?",
    "Tell me about green gherkins in the jar",
    "What does billing run on?",
    "Please refactor the parser function",
    "Are gherkins, billing and the walrus related?",
    "And the walrus?",
    "Why that?",
    "ok",
)

MEMORIES = (
    {"content": "Gherkins are green", "scope": "org"},
    {"content": "Green gherkins are in the jar", "scope": "org"},
    {"content": "In the green jar gherkins are", "scope": "org", "type": "event"},
    {"content": "Crisp gherkins belong to Alice", "scope_id": "alice"},
    {"content": "Sour gherkins belong to Bob", "scope_id": "bob"},
    {"content": "Nameless gherkins belong to whoever says no name"},
    {"content": "Atlas stores gherkins", "scope": "project", "scope_id": "atlas"},
    {"content": "Borealis sells gherkins", "scope": "project", "scope_id": "borealis"},
    {"content": "Cooks salt gherkins", "scope": "org", "agent": "cook"},
    {"content": "Session one likes the walrus", "scope": "session", "scope_id": "s1"},
    {"content": "Session two likes the walrus", "scope": "session", "scope_id": "s2"},
    {"content": "Billing runs on MySQL", "scope": "org", "confidence": 0.9},
    {"content": "Billing runs on Oracle", "scope": "org", "confidence": 0.9, "by": "agent"},
    {"content": "Feed the walrus", "scope": "org", "type": "todo"},
    {"content": "Buy gherkins", "scope": "org", "type": "todo"},
    {"content": "tabs are it", "scope": "org", "key": "editor.indent", "type": "preference"},
    {
        "content": "spaces are it",
        "scope": "project",
        "scope_id": "atlas",
        "key": "editor.indent",
        "type": "preference",
    },
    {"content": "dark it is", "scope": "org", "key": "editor.theme", "type": "preference"},
    {"content": "Walrus lore: " + "the walrus swims far and eats well. " * 12, "scope": "org"},
    {"content": "Doubtful gherkins glow", "scope": "org", "confidence": 0.3},
)
EDITED = "Truly, "
LINE = re.compile(r"(?:\[\w+\] |- )(?:[\w]+\.[\w.]+: )?(.*)")


def _opening(content):
    """What a memory is recognised by in a block, where it may be shortened."""
    return content[:24]


def _shows(block, content):
    """How many lines of a block show this content."""
    told = [found[1] for line in block.splitlines() if (found := LINE.match(line))]
    return sum(each.startswith(_opening(content)) for each in told)


def _is_block(message):
    return message["content"].startswith(INJECTION_BLOCK_PREFIX)


def _blocks(messages):
    return [message["content"] for message in messages if _is_block(message)]


def _bare(messages):
    return [message for message in messages if not _is_block(message)]


def _owners(session, user):
    asked = SESSIONS[session]
    return {
        ("session", session),
        ("project", asked["project"]),
        ("user", user or ""),
        ("org", ""),
    }


class _Engine:
    """A Tacit of its own, filled like every other."""

    def __init__(self, store, workspace):
        self.clock = HandClock()
        self.store = store
        self.workspace = workspace
        self.tacit = self._open(workspace)
        self._open("elsewhere").remember("Foreign gherkins and the walrus run billing")
        self.ids = [
            self.tacit.remember(
                given["content"], **{name: given[name] for name in given if name != "content"}
            ).id
            for given in MEMORIES
        ]

    def _open(self, workspace):
        return Tacit(
            self.store,
            workspace,
            embedder=FakeEmbedder(),
            config=UNLEARNING,
            clock=self.clock,
            new_id=CountedIds(),
        )

    def state(self):
        """All that it keeps: memories, sessions, receipts, and turns that have not ended."""
        file = io.BytesIO()
        self.tacit.archive.export_to(file)
        sessions = [
            self.tacit.sessions.get(each.id).to_dict() for each in self.tacit.sessions.list()
        ]
        receipts = [each.to_dict() for each in self.tacit.turns.list()]
        with self.store.read(self.workspace) as unit:
            found = [unit.receipts.open_turns(session) for session in SESSIONS]
        opened = [[replace(turn, is_overtaken=False) for turn in turns] for turns in found]
        return file.getvalue(), sessions, receipts, opened


class _Failure(Exception):
    pass


class Conversation(RuleBasedStateMachine):
    """Two sessions with several speakers; a twin hears nothing of what is rolled back."""

    backend = "memory"

    @initialize()
    def open(self):
        self.folder = TemporaryDirectory()
        self.store = open_backend(self.backend, Path(self.folder.name))
        self.engine, self.twin = _Engine(self.store, "default"), _Engine(self.store, "twin")
        self.bare = {session: [] for session in SESSIONS}
        self.history = {session: [] for session in SESSIONS}
        self.contents = [given["content"] for given in MEMORIES]
        self.turn = None

    def teardown(self):
        if hasattr(self, "store"):
            self.store.close()
            self.folder.cleanup()

    @rule(
        session=st.sampled_from(sorted(SESSIONS)),
        said=st.lists(
            st.tuples(st.sampled_from(USERS), st.sampled_from(TEXTS)), min_size=1, max_size=4
        ),
    )
    def talk(self, session, said):
        for user, text in said:
            self._talk(session, user, text)

    def _talk(self, session, user, text):
        first, second = self._begin(session, user, text), self._begin_twin(session, user, text)
        assert first.messages == second.messages
        for turn in (first, second):
            turn.commit("So it is.")
        assert first.history == second.history
        cap = LIMITS["max_injected_blocks_in_history"]
        assert len(_blocks(first.history)) <= cap
        said = [{"role": "user", "content": text}, {"role": "assistant", "content": "So it is."}]
        self.bare[session] += said
        self.history[session] = first.history
        assert _bare(first.history) == self.bare[session]

    @rule(
        session=st.sampled_from(sorted(SESSIONS)),
        user=st.sampled_from(USERS),
        text=st.sampled_from(TEXTS),
        fails=st.booleans(),
    )
    def roll_back(self, session, user, text, fails):
        before = self.engine.state()
        with suppress(_Failure), self._begin(session, user, text) as turn:
            if fails:
                raise _Failure
        assert turn.history == self.history[session]
        *kept, opened = self.engine.state()
        assert kept == list(before[:-1])
        for left, had in zip(opened, before[-1], strict=True):
            assert all(each in had for each in left)  # a turn that was lost is settled by a begin

    @rule(
        session=st.sampled_from(sorted(SESSIONS)),
        user=st.sampled_from(USERS),
        text=st.sampled_from(TEXTS),
        landed=st.booleans(),
    )
    def leave_open(self, session, user, text, landed):
        turn = self._begin(session, user, text)
        self._begin_twin(session, user, text)
        if landed:
            reply = {"role": "assistant", "content": "So it is."}
            self.history[session] = [*turn.messages, reply]
            self.bare[session] = _bare(self.history[session])

    @rule(session=st.sampled_from(sorted(SESSIONS)))
    def reset(self, session):
        for engine in (self.engine, self.twin):
            engine.tacit.sessions.reset_memory_injection_tracking(session)

    @rule(number=st.integers(0, len(MEMORIES) - 1))
    def edit(self, number):
        content = self.contents[number]
        was_edited = content.startswith(EDITED)
        changed = content.removeprefix(EDITED) if was_edited else EDITED + content
        for engine in (self.engine, self.twin):
            engine.tacit.restore(engine.ids[number])
            engine.tacit.edit(engine.ids[number], content=changed)
        self.contents[number] = changed

    @rule(number=st.integers(0, len(MEMORIES) - 1))
    def forget(self, number):
        for engine in (self.engine, self.twin):
            engine.tacit.restore(engine.ids[number])
            engine.tacit.forget(engine.ids[number])

    @rule(days=st.integers(1, 3))
    def wait(self, days):
        for engine in (self.engine, self.twin):
            engine.clock.advance(days=days)

    @rule(session=st.sampled_from(sorted(SESSIONS)), how=st.sampled_from("abcd"))
    def change_the_history(self, session, how):
        history = self.history[session]
        if how == "a":
            history = history[len(history) // 2 :]
        elif how == "b":
            history = _bare(history)
        elif how == "c":
            history = _before_the_last_message(history)
        else:
            history = []
        self.history[session], self.bare[session] = history, _bare(history)

    def _begin(self, session, user, text):
        before = list(self.history[session])
        turn = self._ask(self.engine, session, user, text)
        assert self.history[session] == before
        assert _bare(turn.messages) == [
            *self.bare[session],
            {"role": "user", "content": text},
        ]
        assert turn.receipt.degraded == ()
        self._check_live_context(turn)
        self._check_budgets(turn)
        self._check_fates(turn)
        self._check_visibility(turn, session, user)
        return turn

    def _begin_twin(self, session, user, text):
        return self._ask(self.twin, session, user, text)

    def _ask(self, engine, session, user, text):
        return engine.tacit.turn(
            session=session,
            user=user,
            text=text,
            history=self.history[session],
            **SESSIONS[session],
            **ASKED,
        )

    def _check_live_context(self, turn):
        blocks = _blocks(turn.messages)
        assert len(blocks) <= LIMITS["max_injected_blocks_in_history"]
        for given in MEMORIES:
            for content in (given["content"], EDITED + given["content"]):
                assert sum(_shows(block, content) for block in blocks) <= 1, content

    def _check_budgets(self, turn):
        block = turn.block or ""
        assert len(turn.receipt.injected) <= LIMITS["max_total"]
        assert estimate_tokens(block) <= LIMITS["max_tokens"]
        assert len(block) <= LIMITS["memory_context_max_chars"]
        facts = [each for each in turn.receipt.injected if each.found is CandidateSource.FACT]
        hits = [each for each in turn.receipt.injected if each.found is CandidateSource.CONTEXTUAL]
        assert len(facts) <= LIMITS["fact_limit"]
        assert len(hits) <= LIMITS["search_limit"]

    def _check_fates(self, turn):
        found = [each.memory for each in turn.receipt.candidates]
        assert len(found) == len(set(found))
        assert all(each.fate in Fate for each in turn.receipt.candidates)
        injected = sorted(each.memory for each in turn.receipt.injected)
        shown = sorted(
            id
            for id, content in zip(self.engine.ids, self.contents, strict=True)
            for _ in range(_shows(turn.block or "", content))
        )
        assert injected == shown
        assert (turn.receipt.block is None) == (turn.block is None)
        assert _blocks(turn.messages)[-1:] == [turn.block] or turn.block is None

    def _check_visibility(self, turn, session, user):
        everything = "\n".join(_blocks(turn.messages))
        assert "Foreign" not in everything
        owners, agent = _owners(session, user), SESSIONS[session].get("agent")
        for given in MEMORIES:
            owner = (given.get("scope", "user"), given.get("scope_id", ""))
            if owner not in owners or given.get("agent") not in (None, agent):
                assert _opening(given["content"]) not in everything, given["content"]
        assert "Doubtful" not in everything

    @invariant()
    def both_engines_remember_the_same(self):
        if hasattr(self, "engine"):
            assert self.engine.tacit.sessions.list() == self.twin.tacit.sessions.list()


def _before_the_last_message(history):
    """The history before the last thing that a person said."""
    spoken = [
        index
        for index, message in enumerate(history)
        if message["role"] == "user" and not _is_block(message)
    ]
    before = history[: spoken[-1]] if spoken else []
    return before[:-1] if before and _is_block(before[-1]) else before


class ConversationInPostgres(Conversation):
    backend = "postgres"


def _settings(max_examples):
    return settings(
        max_examples=max_examples,
        stateful_step_count=15,
        deadline=None,
        derandomize=True,
        phases=(Phase.explicit, Phase.generate),  # shrinking takes minutes: add it to debug
    )


TestConversation = Conversation.TestCase
TestConversation.settings = _settings(examples(6, 30))
TestConversationInPostgres = pytest.mark.other_store(ConversationInPostgres.TestCase)
TestConversationInPostgres.settings = _settings(examples(3, 6))
