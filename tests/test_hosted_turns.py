"""Turns of a host that keeps the history itself, as coding tools do."""

import pytest

from tacit import InvalidInput, Tacit
from tacit.core.receipt import Fate
from tests.support import HandClock

LENIENT = {"contextual_min_score": 0.01}
JWT = "We chose JWT over session tokens for the API"


@pytest.fixture
def clock():
    return HandClock()


@pytest.fixture
def tacit(clock):
    with Tacit.open(":memory:", embedder="none", clock=clock) as tacit:
        yield tacit


@pytest.fixture
def busy(tacit):
    """One that knows of other things too, so that words tell memories apart."""
    tacit.memories.remember_all([f"Plant number {n} on the sill wants water" for n in range(8)])
    return tacit


def _say(tacit, text, reply="Noted.", **asked):
    turn = tacit.turn(session="s", history=None, text=text, **{**LENIENT, **asked})
    turn.commit(reply)
    return turn


def _fate(tacit, turn, content):
    return next(
        each for each in turn.receipt.candidates if tacit.get(each.memory).content == content
    )


def test_the_last_messages_help_to_understand_a_follow_up(busy):
    tacit = busy
    tacit.remember(JWT, type="decision")
    asked = "Why that one instead?"
    context = [
        {"role": "user", "content": "How do clients of the API log in?"},
        {"role": "assistant", "content": "They send a JWT with each request to the API."},
    ]
    assert _say(tacit, asked).block is None
    assert JWT in _say(tacit, asked, context=context).block


def test_what_the_host_shows_by_itself_is_not_shown_again(busy):
    tacit = busy
    tacit.remember("Use pnpm for packages, never npm")
    tacit.remember("The packages are published every Friday")
    shown = ["**Use pnpm for packages, never npm.**", "Run the tests first"]
    turn = _say(tacit, "How do I add packages?", shown=shown)
    assert "pnpm" not in turn.block
    assert "Friday" in turn.block
    told = _fate(tacit, turn, "Use pnpm for packages, never npm")
    assert (told.fate, told.note) == (Fate.SEEN_IN_WINDOW, "shown by the host")


@pytest.mark.parametrize(
    ("memory", "line"),
    [
        (
            "The parser is released every 30 days",
            "The parser is released every 90 days",
        ),
        ("Always format the parser with tabs", "Never format the parser with tabs"),
        ("The parser is kept by Anna", "The parser is kept by Boris"),
        ("The parser is written in Rust", "The parser"),
        ("The parser is kept by Anna", "It is wrong that the parser is kept by Anna"),
        ("The parser is kept by Anna", "If Boris leaves, the parser is kept by Anna"),
        ("The parser is kept by Anna", "The parser is kept by Anna, which is outdated"),
        ("The parser is kept by Anna", "Wrong: the parser is kept by Anna"),
        ("The parser is kept by Anna", "“The parser is kept by Anna”"),
        ("The parser is kept by Anna", "~~The parser is kept by Anna~~"),
        ("The parser is kept by Anna", "The parser is kept by Anna?"),
        ("The parser is kept by Anna", "Somebody may say the parser is kept by Anna"),
        ("Den Parser pflegt Anna", "Es ist falsch, dass den Parser pflegt Anna"),
        ("Le parser est tenu par Anna", "Il est faux que le parser est tenu par Anna"),
        ("El parser lo cuida Anna", "Es falso que el parser lo cuida Anna"),
    ],
)
def test_a_line_that_says_something_else_hides_nothing(tacit, memory, line):
    tacit.remember(memory)
    assert memory in _say(tacit, "Tell me of the parser", shown=[line]).block


@pytest.mark.parametrize(
    "shown",
    [
        ["Outdated, wrong:\n- The parser is kept by Anna."],
        ["# Myths", "", "The parser is kept by Anna."],
        ["The parser is kept by Anna.", "Wrong. Do not believe it."],
        ["<!--", "The parser is kept by Anna.", "-->"],
        ["```", "The parser is kept by Anna.", "```"],
        ["- [ ] The parser is kept by Anna."],
        ["❌ The parser is kept by Anna."],
        ["Veraltet:", "The parser is kept by Anna."],
    ],
)
def test_a_sentence_that_its_surroundings_deny_does_not_count_as_shown(tacit, shown):
    tacit.remember("The parser is kept by Anna")
    assert "kept by Anna" in _say(tacit, "Tell me of the parser", shown=shown).block


@pytest.mark.parametrize(
    "line",
    [
        "- The parser is kept by Anna.",
        "It has tests. The parser is kept by Anna. It is small.",
        "1. It has tests\n2. the parser is kept by anna",
    ],
)
def test_a_whole_sentence_that_says_the_same_counts_as_shown(tacit, line):
    tacit.remember("The parser is kept by Anna")
    assert _say(tacit, "Tell me of the parser", shown=[line]).block is None


def test_a_preference_that_a_person_wrote_is_shown_beside_the_host_and_a_learned_one_is_not(busy):
    learned, written = "I prefer pnpm for packages", "I prefer small packages"
    with busy.turn(session="before", text=learned) as turn:
        turn.commit("Noted.")
    busy.learn()
    busy.remember(written, type="preference")
    asked = {"shown": [learned, written], "standing_lines": 0, "episode_lines": 0}
    turn = _say(busy, "Which packages do I prefer?", **asked)
    assert written in turn.block
    assert _fate(busy, turn, learned).note == "shown by the host"


def test_what_was_said_in_a_session_is_not_told_to_it_until_its_history_begins_anew(tacit, clock):
    _say(tacit, "My name is Ada Kovacs and I live in Lisbon. Please remember that.")
    tacit.learn()
    assert "Lisbon" in str(tacit.list())
    clock.advance(minutes=1)
    asked = "Where does Ada Kovacs live?"
    same = _say(tacit, asked)
    assert same.block is None
    assert Fate.SEEN_IN_WINDOW in {each.fate for each in same.receipt.candidates}
    clock.advance(minutes=1)
    tacit.sessions.reset_memory_injection_tracking("s")
    assert "Lisbon" in _say(tacit, asked).block


def test_memories_of_little_importance_stay_out_unless_they_are_pinned(busy):
    tacit = busy
    tacit.remember("The parser was slow once", importance=0.2)
    tacit.remember("The parser is generated", importance=0.3)
    tacit.remember("The parser has a nickname", importance=0.1, pinned=True)
    turn = _say(tacit, "Tell me of the parser", min_importance=0.3, ambient_enabled=True)
    assert "slow" not in turn.block
    assert "generated" in turn.block
    assert "nickname" in turn.block
    assert _fate(tacit, turn, "The parser was slow once").fate is Fate.BELOW_IMPORTANCE


def test_a_turn_can_end_without_anything_being_learned_from_it(tacit):
    for learn, count in ((False, 0), (True, 1)):
        turn = tacit.turn(session=f"s{count}", history=None, text="Always answer in French, please")
        tacit.commit_turn(turn.receipt.id, "Oui.", learn=learn)
        tacit.learn()
        assert len(tacit.list()) == count


@pytest.mark.parametrize("shown", ["one text", [3]])
def test_what_is_shown_is_a_list_of_texts(tacit, shown):
    with pytest.raises(InvalidInput, match="list of texts"):
        tacit.turn(session="s", history=None, text="Hello there", shown=shown)


def test_what_is_noted_about_a_session_is_kept_without_secrets_until_it_is_taken_back(tacit):
    tacit.sessions.set_variables(
        "s", {"phase": "review", "count": 3, "key": "sk-proj-" + "a1B2" * 12}
    )
    tacit.sessions.set_variables("s", {"count": None, "files": ["a.py"]})
    noted = tacit.sessions.variables("s")
    assert noted["phase"] == "review"
    assert noted["files"] == ["a.py"]
    assert "a1B2" not in noted["key"]
    assert "count" not in noted
    assert tacit.sessions.variables("other") == {}


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"injected_memory_ids": []}, "reset_memory_injection_tracking"),
        ({"two words": 1}, "no name"),
        ({"a": {1, 2}}, "plain JSON"),
        ({"a": float("nan")}, "JSON can hold"),
        ({"a": "x" * 60_000}, "keep it under"),
    ],
)
def test_what_cannot_be_noted_is_refused_whole(tacit, changes, problem):
    with pytest.raises(InvalidInput, match=problem):
        tacit.sessions.set_variables("s", {"fine": 1, **changes})
    assert tacit.sessions.variables("s") == {}


def test_erasing_a_memory_takes_its_words_out_of_what_is_noted(tacit):
    memory = tacit.remember("The vault opens with heliotrope")
    tacit.sessions.set_variables(
        "s", {"handoff": "Known: the vault opens with heliotrope", "phase": "x"}
    )
    tacit.erase(memory.id)
    assert tacit.sessions.variables("s") == {"phase": "x"}
