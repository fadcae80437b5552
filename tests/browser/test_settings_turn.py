"""Settings: each control that steers a turn, used in a browser, changes what the next turn does."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import pytest

from tacit.api.client.remote import RemoteTacit
from tacit.core.receipt import CandidateSource
from tacit.language.tokens import estimate_tokens
from tacit.settings.config import SettingsTable
from tacit.settings.definition import list_definitions
from tacit.settings.injection import InjectionSettings
from tests.browser.form import choose, save, unfold
from tests.browser.pages import pages

TOPICS = ("gherkin", "kestrel", "zither", "quokka", "yurt")

TODOS = {
    "Water the ferns": 0.9,
    "Renew the passport": 0.7,
    "Call a plumber": 0.8,
    "Sharpen every chisel": 0.6,
}
FERNS, PASSPORT, PLUMBER, CHISEL = TODOS

HARBOUR = [
    {"role": "user", "content": "Who keeps the parrot at the harbour?"},
    {"role": "assistant", "content": "The harbour master."},
]


@dataclass(frozen=True)
class Scene:
    """What a person chooses, and what a turn shows of it before and after."""

    chosen: Any
    look: Callable[[RemoteTacit], Any]
    before: Any
    after: Any
    given: Mapping[str, Any] = field(default_factory=dict)


def _say(memory, text, history=(), session="s", **asked):
    with memory.turn(session=session, text=text, history=history, **asked) as turn:
        turn.commit("Noted.")
    return turn


def _shown(memory, text, **asked):
    """What a turn shows of memory."""
    turn = _say(memory, text, **asked)
    return [memory.get(each.memory).content for each in turn.receipt.injected]


def _blocks(messages):
    return sum(str(each["content"]).startswith("[Context from memory]") for each in messages)


def _talk(memory):
    """A conversation whose every turn finds something."""
    history = []
    for topic in TOPICS:
        memory.remember(f"The {topic} stands in hall {topic[:2]}")
        history = _say(memory, f"Where does the {topic} stand?", history).history
    return history


def tea(memory):
    """How many of three memories that fit the message are shown."""
    for when in ("four", "five", "noon"):
        memory.remember(f"Tea is served at {when}", type="event")
    return len(_shown(memory, "When is tea served?"))


def needed(memory):
    """Whether something stays shown when its tokens tell how well it fits the message."""
    memory.remember("Tea is served at four", type="event")
    sessions = count()
    return not _comes(
        lambda: not _shown(memory, "When is tea served?", session=f"s{next(sessions)}"), seconds=6
    )


def sure(memory):
    """Whether something is shown that is near the question, before and after its tokens are."""
    memory.remember("The harbour master sells tickets for boats")
    return bool(_shown(memory, "Which ferries leave the harbour for the islands on Sunday?"))


def follow_up(memory):
    """Whether a question is understood by what was said before it."""
    memory.remember("The parrot of the harbour speaks Danish and sings at night")
    return bool(_shown(memory, "Why that instead?", history=HARBOUR))


def kept(memory):
    """How many blocks stay in a history."""
    return _blocks(_talk(memory))


def nearly_the_same(memory):
    """How many of two memories that say nearly the same are shown."""
    memory.remember("The backup of the billing archive took 30 minutes", type="event")
    memory.remember("Generally the backup of the billing archive took 30 minutes", type="event")
    assert _comes(lambda: sum(memory.workspace.stats().counts.vectors.values()) == 2)
    return len(_shown(memory, "How long did the backup of the billing archive take?"))


def again(memory):
    """In which of four equal turns a memory is shown, where the host keeps the history."""
    memory.remember("Replicas live in Frankfurt")
    return [bool(_shown(memory, "Where do replicas live?", history=None)) for _ in range(4)]


def pruned(memory):
    """Whether a memory comes again when its block has left the history."""
    memory.remember("Replicas live in Frankfurt")
    _say(memory, "Where do replicas live?")
    return bool(_shown(memory, "Where do replicas live?", history=[]))


def todos(memory):
    """Which todos are shown for a message about something else."""
    for content, importance in TODOS.items():
        memory.remember(content, type="todo", importance=importance)
    return _shown(memory, "Sing a song about the sea")


def confidence(memory):
    """Which of two memories is shown, one of which is not sure."""
    memory.remember("Gherkins are green", confidence=0.9)
    memory.remember("Gherkins keep for years", confidence=0.65)
    return len(_shown(memory, "Which gherkins?"))


def importance(memory):
    """Which of two memories is shown, one of which hardly matters."""
    memory.remember("Gherkins are green", importance=0.9)
    memory.remember("Gherkins keep for years", importance=0.2)
    return len(_shown(memory, "Which gherkins?"))


def general(memory):
    """Whether a fact that is not quite sure is told for a request of no particular kind."""
    memory.remember("vim", key="editor.name", confidence=0.75, type="preference")
    turn = _say(memory, "Which editor do I like?")
    return CandidateSource.FACT in {each.found for each in turn.receipt.injected}


def facts(memory):
    """Which current facts are shown, in their order."""
    for scope, owner in {"session": "s", "project": "p"}.items():
        memory.remember(f"of the {scope}", key=f"boat.{scope}", scope=scope, scope_id=owner)
    block = _say(memory, "Which boat?", project="p").block
    return [line.split(" (")[0] for line in block.splitlines() if line.startswith("- ")]


def contradiction(memory):
    """How the block tells of two statements that contradict each other."""
    memory.remember("Billing runs on MySQL", confidence=0.9)
    memory.remember("Billing runs on PostgreSQL 16", by="operator", confidence=0.9)
    block = _say(memory, "What does billing run on?").block or ""
    return block.count("Fact] Billing runs on"), block.count("(conflict: ")


def foreign(memory):
    """Whether what a web page said is shown."""
    origin = {"url": "https://example.com"}
    memory.remember("Gherkins are green", by="agent", origin=origin)
    return _shown(memory, "Which gherkins?")


def room(memory):
    """How many of many memories there is room for."""
    for number in ("one", "two", "three", "four", "five", "six", "seven", "eight"):
        memory.remember(f"Shelf {number} of the larder holds preserved gherkins", type="event")
    return len(_shown(memory, "Which shelf of the larder holds gherkins?")) == 8


def frame(memory):
    """Whether facts stand in a frame."""
    memory.remember("dark", key="editor.theme", type="preference")
    return "READ-ONLY" in (_say(memory, "Which theme has the editor?").block or "")


def standing(memory):
    """Which rules are shown although the message says nothing of them."""
    memory.remember("Always answer in German", type="preference")
    return _shown(memory, "How do I bake sourdough bread?")


def said(memory):
    """Whether something is shown of what was said in another session."""
    words = "oh, and the gherkins of Jonas, cellar and all"
    _say(memory, words, session="past", user="ann")
    memory.learn()
    turn = _say(memory, "The gherkins of Jonas in the cellar?", session="now", user="ann")
    return words in (turn.block or "")


def compacted(memory):
    """How far a history is compacted."""
    history = [{"role": "user", "content": f"{number} " + "word " * 400} for number in range(8)]
    _say(memory, "Where do replicas live?", history)
    return memory.compact(session="s", history=history).level


def exact(memory):
    """Whether a block is counted as smaller than it is estimated."""
    memory.remember("Replicas live in Frankfurt, backups run at night")
    turn = _say(memory, "Where do replicas live?")
    return turn.receipt.tokens < estimate_tokens(turn.block)


def in_time(memory):
    """Whether a turn has its memories in time."""
    memory.remember("Replicas live in Frankfurt")
    return memory.turn(session="s", text="Where do replicas live?").block is not None


def receipts(memory):
    """Whether the receipt of the turn before stays."""
    first = _say(memory, "Where do replicas live?").receipt.id
    _say(memory, "When do backups run?")
    days = memory.settings.show().tables[SettingsTable.MEMORY_INJECTION]["receipt_days"].value
    patience = 3 if days else 60
    return not _comes(lambda: first not in {each.id for each in memory.turns.list()}, patience)


def _comes(is_so, seconds=60):
    """Whether something that is done beside the turns happens in time."""
    end = time.monotonic() + seconds
    while not is_so() and time.monotonic() < end:
        time.sleep(0.05)
    return is_so()


OF_SESSION, OF_PROJECT = "- boat.session: of the session", "- boat.project: of the project"
PINNED = {"ambient_enabled": True, "pinned_types": ["todo"]}

SCENES = {
    "enabled": Scene(False, tea, before=3, after=0),
    "search_limit": Scene(1, tea, before=3, after=1),
    "episode_lines": Scene(0, said, before=True, after=False),
    "standing_lines": Scene(0, standing, before=["Always answer in German"], after=[]),
    "max_total": Scene(2, tea, before=3, after=2),
    "contextual_min_score": Scene(1, sure, before=True, after=False),
    "least_need": Scene(1, needed, before=True, after=False),
    "context_aware_query": Scene(False, follow_up, before=True, after=False),
    "max_injected_blocks_in_history": Scene(1, kept, before=3, after=1),
    "semantic_threshold": Scene(1, nearly_the_same, before=1, after=2),
    "context_window_depth": Scene(
        2, again, before=[True, False, False, False], after=[True, False, False, True]
    ),
    "reinject_when_pruned": Scene(False, pruned, before=True, after=False),
    "ambient_enabled": Scene(
        True,
        todos,
        before=[],
        after=[CHISEL, PLUMBER, PASSPORT],
        given={"pinned_types": ["todo"]},
    ),
    "pinned_types": Scene(
        ("todo",),
        todos,
        before=[],
        after=[CHISEL, PLUMBER, PASSPORT],
        given={"ambient_enabled": True},
    ),
    "pinned_limit": Scene(
        1,
        todos,
        before=[CHISEL, PLUMBER, PASSPORT],
        after=[CHISEL],
        given=PINNED,
    ),
    "pinned_sort": Scene(
        "importance",
        todos,
        before=[CHISEL, PLUMBER, PASSPORT],
        after=[FERNS, PLUMBER, PASSPORT],
        given=PINNED,
    ),
    "memory_confidence_threshold": Scene(0.6, confidence, before=1, after=2),
    "min_importance": Scene(0.5, importance, before=2, after=1),
    "general_min_confidence": Scene(0.7, general, before=False, after=True),
    "memory_scope_priority": Scene(
        ("project", "session", "user", "org"),
        facts,
        before=[OF_SESSION, OF_PROJECT],
        after=[OF_PROJECT, OF_SESSION],
    ),
    "fact_limit": Scene(1, facts, before=[OF_SESSION, OF_PROJECT], after=[OF_SESSION]),
    "memory_detect_conflicts": Scene(False, contradiction, before=(2, 2), after=(2, 0)),
    "conflict_policy": Scene("omit", contradiction, before=(2, 2), after=(0, 0)),
    "inject_untrusted": Scene(True, foreign, before=[], after=["Gherkins are green"]),
    "max_tokens": Scene(144, room, before=True, after=False),
    "memory_context_max_chars": Scene(447, room, before=True, after=False),
    "memory_read_only_marker": Scene(False, frame, before=True, after=False),
    "cache_policy": Scene("prefix", kept, before=3, after=5),
    "history_block_tokens": Scene(
        141, kept, before=len(TOPICS), after=2, given={"cache_policy": "tokens"}
    ),
    "context_window": Scene(3_300, compacted, before="none", after="emergency"),
    "token_counter": Scene("cl100k_base", exact, before=False, after=True),
    "deadline_ms": Scene(1, in_time, before=True, after=False),
    "receipt_days": Scene(0, receipts, before=True, after=False),
}


@pytest.fixture(scope="module")
def server(place):
    """`tacit serve` with the model that people have."""
    with pages(place, TACIT_EMBEDDER="minilm") as server:
        yield server


def _to_case(setting):
    """A setting as a case; what is said is kept only where a scene is about it."""
    marks = pytest.mark.episodes if setting.name == "episode_lines" else ()
    return pytest.param(setting, id=setting.name, marks=marks)


STEERED = [each for each in list_definitions(InjectionSettings) if each.name != "first_turn_ms"]
"""All but the bound of what a process loads once, which a server has loaded before it listens."""


@pytest.mark.parametrize("setting", [*map(_to_case, STEERED)])
def test_what_is_saved_steers_the_next_turn(someone, memory, setting):
    scene = SCENES[setting.name]
    memory.settings.write_file("")
    memory.settings.change({"memory_injection": dict(scene.given)})
    assert scene.look(memory.workspace.open(f"{setting.name}-before")) == scene.before
    page = someone.go("/settings")
    unfold(page, setting.name)
    choose(page, setting, scene.chosen)
    save(page)
    assert scene.look(memory.workspace.open(f"{setting.name}-after")) == scene.after
