"""What holds of episodes whatever hosts repeat, people say, and somebody erases."""

from collections import Counter
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit import FakeEmbedder, Tacit
from tacit.api.tacit import share_workspace
from tacit.language.prompt_templates import KNOWN_FACTS, PREFACE, RELEVANT, SAID_EARLIER
from tacit.settings.config import Config
from tacit.settings.writing import WritingSettings
from tacit.store.episodes import EpisodeTable, from_row
from tacit.store.sqlite.in_memory import SqliteInMemoryStore
from tacit.store.workspaces import episodes_workspace
from tacit.turn.block import render_block
from tests.properties import examples
from tests.support import HandClock, open_backend
from tests.test_erased_words import holding

pytestmark = pytest.mark.episodes

SENTENCES = (
    "The boat of my brother lies in the old harbour.",
    "Our neighbour painted his boat in a dark green.",
    "The lamp in the hall needs a smaller bulb.",
    "My bicycle has two bells and one mirror.",
    "Every quokka in the zoo sleeps until noon.",
)
ALL = {"contextual_min_score": 0.0}


def _open(store):
    return Tacit(store, "default", embedder=FakeEmbedder(), clock=HandClock(), config=Config())


def _episodes(tacit):
    with tacit._context.store.read(episodes_workspace("default")) as unit:
        return [from_row(row) for row in EpisodeTable(unit).scan(None, 1_000)]


def _to_message(text, role="user"):
    return {"role": role, "content": text}


class Host:
    """A program that keeps its own history, and does not say anything only once."""

    def __init__(self, tacit):
        self._tacit = tacit
        self.history = []

    def say(self, text, replies=("Fine.",)):
        """A turn; with several replies, all but the last are thrown away and asked for again."""
        for reply in replies:
            turn = self._begin(text)
            turn.commit(reply)
        self.history += [_to_message(text), _to_message(replies[-1], "assistant")]

    def fail(self, text):
        """A turn that is rolled back."""
        self._begin(text).roll_back()

    def commit_twice(self, text):
        turn = self._begin(text)
        for _ in range(2):
            self._tacit.commit_turn(turn.receipt.id, "Fine.")
        self.history += [_to_message(text), _to_message("Fine.", "assistant")]

    def send_all(self):
        """The whole conversation again, as if all of it was new."""
        if self.history:
            said = self._tacit.turn(session="s", user="ann", history=[], text=list(self.history))
            said.commit("Fine.")

    def _begin(self, text):
        return self._tacit.turn(session="s", user="ann", history=list(self.history), text=text)


ACTIONS = st.lists(
    st.tuples(
        st.sampled_from(["say", "again", "fail", "commit_twice", "send_all", "learn"]),
        st.sampled_from(SENTENCES),
    ),
    min_size=1,
    max_size=8,
)


@settings(max_examples=examples(5, 50))
@given(ACTIONS)
def test_each_message_is_kept_once_whatever_a_host_repeats(actions):
    said = Counter()
    with closing(SqliteInMemoryStore.open()) as store:
        tacit = _open(store)
        host = Host(tacit)
        for action, text in actions:
            match action:
                case "say" | "again":
                    host.say(text, ("Fine.",) if action == "say" else ("Well.", "Hm.", "Fine."))
                case "fail":
                    host.fail(text)
                case "commit_twice":
                    host.commit_twice(text)
                case "send_all":
                    host.send_all()
                case "learn":
                    tacit.learn()
            if action in ("say", "again", "commit_twice"):
                said[text] += 1
        tacit.learn()
        assert Counter(each.text for each in _episodes(tacit)) == said
        tacit.close()


SECRET = "heliotropium"
"""What must not be found again, in whatever it stands."""

HIDDEN = {
    "private": f"<private>the safe opens with {SECRET}</private>",
    "open private": f"<private>the safe opens with {SECRET}",
    "key": f"api_key = sk-{SECRET}1234567890abcdefABCDEF",
    "password": f"my password is {SECRET}-77",
}
BLOCKS = {
    "memory": f"{RELEVANT}\n[Fact] The safe opens with {SECRET} (importance: 0.6)",
    "fact": f"{KNOWN_FACTS}\n- The safe opens with {SECRET} (fact, user, confidence 0.90)",
    "said": f"{SAID_EARLIER}\n2026-03-03: the safe opens with {SECRET}",
}


def _talk(folder, turns, policy):
    """Turns in which something stands before or after a sentence; returns what was kept."""
    with closing(open_backend("sqlite", folder)) as store:
        tacit = Tacit(
            store,
            "default",
            embedder=FakeEmbedder(),
            clock=HandClock(),
            config=Config(writing=WritingSettings(episodes=policy)),
        )
        for number, (sentence, other, is_first) in enumerate(turns):
            parts = [other, sentence] if is_first else [sentence, other]
            turn = tacit.turn(session=f"s{number}", user="ann", text="\n".join(parts))
            turn.commit(f"I see.\n{other}")
        tacit.learn()
        kept = [each.text for each in _episodes(tacit)]
        tacit.close()
    return kept


def _turns(others):
    one = st.tuples(st.sampled_from(SENTENCES), st.sampled_from(others), st.booleans())
    return st.lists(one, min_size=1, max_size=4)


POLICY = st.sampled_from(["user", "both"])


@settings(max_examples=examples(4, 40))
@given(_turns(sorted(HIDDEN.values())), POLICY)
def test_nothing_private_and_no_secret_is_kept_in_any_file(turns, policy):
    with TemporaryDirectory() as folder:
        _talk(Path(folder), turns, policy)
        assert holding(Path(folder)) == set()


@settings(max_examples=examples(3, 40))
@given(
    _turns([render_block("7f3a9c21", f"{PREFACE}\n\n{each}") for each in BLOCKS.values()]), POLICY
)
def test_no_line_of_a_block_is_kept_as_said(turns, policy):
    with TemporaryDirectory() as folder:
        kept = _talk(Path(folder), turns, policy)
        assert kept
        assert not any(SECRET in text for text in kept)


WHO = st.tuples(
    st.sampled_from(["ann", "bob", None]),
    st.sampled_from(["shop", "barn", None]),
    st.sampled_from(["s", "t"]),
)


@settings(max_examples=examples(3, 30))
@given(
    st.lists(st.tuples(WHO, st.booleans()), min_size=1, max_size=6),
    st.sampled_from(["id", "session", "owner", "filters"]),
)
def test_erased_words_are_gone_from_every_file(turns, way):
    with TemporaryDirectory() as folder:
        tacit = _open(open_backend("sqlite", Path(folder)))
        for number, ((user, project, session), is_meant) in enumerate(turns):
            subject = SECRET if is_meant else "green"
            turn = tacit.turn(
                session="meant" if is_meant and way == "session" else session,
                user="cid" if is_meant and way == "owner" else user or "dan",
                project=project,
                text=f"The boat number {number} is painted {subject} all over.",
                **ALL,
            )
            turn.commit("I see.")
            tacit.learn()
        others = [each.text for each in _episodes(tacit) if SECRET not in each.text]
        match way:
            case "id":
                for each in _episodes(tacit):
                    if SECRET in each.text:
                        tacit.erase(each.id)
            case "session":
                tacit.memories.erase_session("meant")
            case "owner":
                tacit.memories.erase_owner("user:cid")
            case "filters":
                tacit.memories.erase_matching(contains=SECRET)
        assert [each.text for each in _episodes(tacit)] == others
        assert holding(Path(folder)) == set()
        tacit.close()
        tacit._context.store.close()


@settings(max_examples=examples(5, 40))
@given(st.lists(WHO, min_size=1, max_size=6), st.lists(WHO, min_size=1, max_size=3), st.booleans())
def test_a_turn_and_a_search_see_only_what_their_own_user_said_in_their_project(
    said, asked, is_served
):
    with closing(SqliteInMemoryStore.open()) as store:
        root = _open(store)
        tacit = share_workspace(root, "default") if is_served else root
        for number, (user, project, session) in enumerate(said):
            text = f"The boat number {number} lies in the harbour."
            turn = tacit.turn(session=session, user=user, project=project, text=text)
            turn.commit("I see.")
        tacit.learn()
        kept = _episodes(tacit)
        assert len(kept) == len(said)
        for user, project, session in asked:
            own = {
                each.id
                for each in kept
                if each.project in (None, project) and _is_heard_by(each, user, session, is_served)
            }
            turn = tacit.turn(
                session=session, user=user, project=project, text="Where lies the boat?", **ALL
            )
            turn.roll_back()
            ids = {each.memory for each in turn.receipt.candidates}
            assert ids & {each.id for each in kept} <= own
            found = tacit.search("boat in the harbour", user=user, episodes=True, project=project)
            seen = {hit.episode.id for hit in found.episodes}
            assert seen <= {each.id for each in kept if each.user == user}
            assert seen <= own or (user is None and is_served)
        root.close()


def _is_heard_by(episode, user, session, is_served):
    if user is None and is_served:
        return episode.user is None and episode.session == session
    return episode.user == user
