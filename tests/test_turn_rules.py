"""What a turn admits, what it takes for a duplicate, and what it has room for."""

import pytest

from tacit import FakeEmbedder, Tacit
from tacit.core.errors import InvalidInput
from tacit.core.receipt import CandidateSource, Fate
from tacit.language.tokens import estimate_tokens
from tacit.settings.injection import MIN_BLOCK_CHARACTERS, MIN_BLOCK_TOKENS
from tests.support import HandClock

LENIENT = {"contextual_min_score": 0.05}
"""A deadline that a busy machine keeps too, and a floor that a single shared word reaches."""

CODING = "Please refactor the parser function"
"""A request of the kind coding that shares no word with any memory here."""

INDENT = "Please refactor the editor and its indent"
DEPLOY = "Please refactor how we deploy the billing service at lunch time, day by day"
"""Requests of the kind coding that name what a key names."""


@pytest.fixture
def clock():
    return HandClock()


@pytest.fixture
def words(clock):
    """A Tacit that finds memories by their words alone."""
    with Tacit.open(":memory:", embedder="none", clock=clock) as tacit:
        yield tacit


@pytest.fixture
def near(clock):
    """A Tacit with vectors: texts that share most words are near each other."""
    with Tacit.open(":memory:", embedder=FakeEmbedder(), clock=clock) as tacit:
        yield tacit


def _begin(tacit, text, **asked):
    return tacit.turn(**{"session": "s1", **LENIENT, **asked, "text": text})


def _say(tacit, text, history=(), **asked):
    turn = _begin(tacit, text, history=history, **asked)
    turn.commit("Noted.")
    return turn


def _fates(tacit, turn):
    """Content to fates, in the order of the receipt."""
    fates = {}
    for each in turn.receipt.candidates:
        fates.setdefault(tacit.get(each.memory).content, []).append(each.fate)
    return fates


def _first_fates(tacit, turn):
    """Content to its fate as what it was found as first: pinned, a fact, or a hit."""
    return {content: fates[0] for content, fates in _fates(tacit, turn).items()}


def _candidate(tacit, turn, content):
    (found,) = [
        each for each in turn.receipt.candidates if tacit.get(each.memory).content == content
    ]
    return found


def _block(turn):
    return turn.block or ""


# Whose memories.


def test_only_memories_of_the_caller_are_considered(words):
    owners = {
        "session": ("s1", "s2"),
        "project": ("atlas", "borealis"),
        "user": ("alice", "bob"),
        "org": ("acme", "globex"),
    }
    for scope, (own, foreign) in owners.items():
        words.remember(f"Gherkins of the {scope} are green", scope=scope, scope_id=own)
        words.remember(f"Gherkins of another {scope} are blue", scope=scope, scope_id=foreign)
    asked = {"project": "atlas", "user": "alice", "org": "acme"}
    turn = _begin(words, "Are the gherkins green?", **asked)
    assert turn.block.count("are green") == 4
    assert "blue" not in turn.block
    assert all("green" in content for content in _fates(words, turn))
    nobody = _begin(words, "Are the gherkins green?", session="s3")
    assert nobody.receipt.candidates == ()


def test_a_memory_of_one_agent_is_for_that_agent_only(words):
    words.remember("Gherkins are green", agent="cook")
    assert "Gherkins" in _block(_begin(words, "Which gherkins?", agent="cook"))
    assert _begin(words, "Which gherkins?", agent="coder").receipt.candidates == ()
    assert _begin(words, "Which gherkins?").receipt.candidates == ()


def test_another_workspace_is_another_world(tmp_path):
    path = tmp_path / "memory.db"
    with Tacit.open(path, "one", embedder="none") as one:
        one.remember("Gherkins are green")
    with Tacit.open(path, "other", embedder="none") as other:
        assert _begin(other, "Which gherkins?").receipt.candidates == ()


# Confidence, trust, validity.


def test_what_is_less_sure_than_the_threshold_is_not_injected(words):
    words.remember("Gherkins are green", confidence=0.7)
    words.remember("Gherkins keep for years", confidence=0.69)
    turn = _begin(words, "Which gherkins?")
    assert _fates(words, turn) == {
        "Gherkins are green": [Fate.INJECTED],
        "Gherkins keep for years": [Fate.LOW_CONFIDENCE],
    }
    lower = _begin(words, "Which gherkins?", memory_confidence_threshold=0.6)
    assert "keep for years" in lower.block


def test_a_general_request_asks_for_surer_facts(words):
    words.remember("vim", key="editor.name", confidence=0.79, type="preference")
    words.remember("dark", key="editor.theme", confidence=0.8, type="preference")
    turn = _begin(words, "Which editor do I like?", standing_lines=0)
    assert _fates(words, turn) == {"vim": [Fate.LOW_CONFIDENCE], "dark": [Fate.INJECTED]}
    assert _fates(words, _begin(words, "Refactor the editor", standing_lines=0)) == {
        "vim": [Fate.INJECTED],
        "dark": [Fate.INJECTED],
    }


def test_untrusted_words_are_injected_only_on_request_and_marked(words):
    origin = {"url": "https://example.com"}
    words.remember("Gherkins are green", by="agent", origin=origin)
    turn = _begin(words, "Which gherkins?")
    assert _fates(words, turn) == {"Gherkins are green": [Fate.UNTRUSTED]}
    asked = _begin(words, "Which gherkins?", inject_untrusted=True)
    assert "Gherkins are green (importance: 0.6) (untrusted)" in asked.block


def test_unverified_facts_stay_out_of_the_frame(words):
    words.remember("vim", key="editor.name", by="agent", type="preference")
    words.remember("dark", key="editor.theme", type="preference")
    turn = _begin(words, "Refactor the editor", standing_lines=0)
    frame, rest = turn.block.split("[Relevant to this message]")
    assert "- editor.theme: dark" in frame
    assert "vim" not in frame
    assert "[Preference] editor.name: vim" in rest


def test_without_the_marker_facts_stand_outside_a_frame(words):
    words.remember("dark", key="editor.theme", type="preference")
    asked = {"memory_read_only_marker": False, "standing_lines": 0}
    turn = _begin(words, "Refactor the editor theme", **asked)
    assert "[Known facts]\n- editor.theme: dark (preference, user, confidence 1.00)" in turn.block
    assert "READ-ONLY" not in turn.block


def test_the_frame_is_for_what_a_person_wrote_and_learned_facts_stand_under_known_facts(words):
    _say(words, "My name is Ann Weber.", session="earlier")
    words.learn()
    words.remember("Sasha", key="user.nickname", type="identity")
    asked = "Which user nickname, and which user name?"
    block = _begin(words, asked, standing_lines=0).block
    frame, rest = block.split("[Known facts]")
    assert "PERSISTENT MEMORY (READ-ONLY)" in frame
    assert "- user.nickname: Sasha" in frame
    assert "Ann Weber" not in frame
    assert "- user.name: My name is Ann Weber (identity, user, confidence 0.95)" in rest


def test_a_learned_fact_alone_is_not_framed(words):
    _say(words, "My name is Ann Weber.", session="earlier")
    words.learn()
    block = _begin(words, "What is my name?").block
    assert "[Known facts]\n- user.name: My name is Ann Weber" in block
    assert "READ-ONLY" not in block


def test_a_fact_in_an_undecided_conflict_loses_the_frame(words):
    words.remember("blue", key="team.colour", confidence=0.9)
    words.remember("red", key="team.colour", confidence=0.88, by="operator")
    block = _begin(words, "What is the colour of the team?").block
    assert "[Known facts]\n- team.colour: " in block
    assert block.count("(conflict: ") == 2
    assert "READ-ONLY" not in block


def test_what_is_no_longer_true_is_not_considered(words, clock):
    words.remember("Gherkins are green", valid_to=clock.now.replace(hour=13))
    words.remember("Gherkins are on sale", expires_at=clock.now.replace(hour=14))
    forgotten = words.remember("Gherkins are smelly")
    assert len(_begin(words, "Which gherkins?").receipt.injected) == 3
    words.forget(forgotten.id)
    assert len(_begin(words, "Which gherkins?").receipt.injected) == 2
    clock.advance(hours=1)
    assert len(_begin(words, "Which gherkins?").receipt.injected) == 1
    clock.advance(hours=1)
    assert _begin(words, "Which gherkins?").receipt.candidates == ()


# Request kinds and facts.


def test_a_fact_of_a_type_that_suits_the_request_needs_less(words):
    words.remember("dark", key="editor.theme", type="preference")
    words.remember("last Friday", key="editor.release", type="event")
    asked = "Refactor the editor"
    found = {
        each.memory: each for each in _begin(words, asked, standing_lines=0).receipt.candidates
    }
    (relevance,) = {round(each.relevance, 6) for each in found.values()}
    turn = _begin(words, asked, contextual_min_score=relevance / 0.9, standing_lines=0)
    assert _fates(words, turn) == {"dark": [Fate.INJECTED], "last Friday": [Fate.BELOW_FLOOR]}
    debugging = "There is a crash of the editor"
    turn = _begin(words, debugging, contextual_min_score=relevance / 0.9, standing_lines=0)
    assert _fates(words, turn) == {"dark": [Fate.INJECTED], "last Friday": [Fate.INJECTED]}


def test_a_general_request_gets_only_facts_that_match_it(words):
    words.remember("vim", key="editor.name", type="preference")
    words.remember("Oslo", key="home.town", type="fact")
    words.remember("every evening the fjord", key="walk.place", type="fact")
    turn = _begin(words, "Which editor suits the fjord?")
    injected = {each.memory for each in turn.receipt.injected}
    assert {words.get(id).content for id in injected} == {"vim", "every evening the fjord"}
    assert "Oslo" not in _fates(words, turn)


def test_contextual_hits_are_judged_by_relevance_and_not_by_type(words):
    words.remember("The parser function crashed on Friday", type="event")
    assert "crashed on Friday" in _block(_begin(words, CODING))


def test_facts_are_shown_in_the_order_of_their_scopes(words):
    for scope, owner in {"session": "s1", "project": "p", "user": "u", "org": "o"}.items():
        words.remember(f"{scope} value", key=f"deploy.{scope}", scope=scope, scope_id=owner)
    asked = {"project": "p", "user": "u", "org": "o", "text": "Refactor the deploy"}

    def read(**settings):
        block = _block(_begin(words, **asked, **settings))
        return [line.split(":")[0] for line in block.splitlines() if line.startswith("- ")]

    order = [f"- deploy.{scope}" for scope in ("session", "project", "user", "org")]
    assert read() == order
    assert read(fact_limit=3) == order[:3]
    assert read(memory_scope_priority=["org", "session"]) == [order[3], order[0]]
    assert read(fact_limit=0) == []


def test_a_fact_that_is_not_sure_enough_leaves_its_room_to_the_next_tier(words):
    words.remember("perhaps", key="session.one", scope="session", scope_id="s1", confidence=0.3)
    words.remember("surely", key="project.one", scope="project", scope_id="p")
    asked = "Refactor one of the session and of the project"
    assert "surely" in _block(_begin(words, asked, project="p", fact_limit=1))


# Shadowing and conflicts.


def test_the_most_specific_scope_has_the_current_value(words):
    words.remember("tabs", key="editor.indent", type="preference", scope="user", scope_id="u")
    words.remember("spaces", key="editor.indent", type="preference", scope="project", scope_id="p")
    turn = _begin(words, INDENT, user="u", project="p", standing_lines=0)
    spaces, tabs = (_candidate(words, turn, content) for content in ("spaces", "tabs"))
    assert spaces.fate == Fate.INJECTED
    assert (tabs.fate, tabs.by) == (Fate.SHADOWED, spaces.memory)
    assert "tabs" not in turn.block
    elsewhere = _begin(words, INDENT, user="u", project="q", standing_lines=0)
    assert _fates(words, elsewhere) == {"tabs": [Fate.INJECTED]}


def test_shadowing_holds_when_conflicts_are_not_looked_for(words):
    words.remember("tabs", key="editor.indent", scope="user", scope_id="u")
    words.remember("spaces", key="editor.indent", scope="project", scope_id="p")
    turn = _begin(words, INDENT, user="u", project="p", memory_detect_conflicts=False)
    assert _fates(words, turn) == {"spaces": [Fate.INJECTED], "tabs": [Fate.SHADOWED]}


MYSQL = "Billing runs on MySQL"
POSTGRES = "Billing runs on PostgreSQL 16"


def _conflict(tacit, mine, theirs):
    tacit.remember(MYSQL, confidence=mine)
    tacit.remember(POSTGRES, by="operator", confidence=theirs)


def test_an_open_conflict_is_shown_from_both_sides(words):
    _conflict(words, 0.9, 0.9)
    turn = _begin(words, "What does billing run on?")
    lines = turn.block.splitlines()
    (mysql,) = [line for line in lines if line.startswith(f"[Fact] {MYSQL}")]
    (postgres,) = [line for line in lines if line.startswith(f"[Fact] {POSTGRES}")]
    assert f'(conflict: "{POSTGRES}", same confidence' in mysql
    assert f'(conflict: "{MYSQL}", same confidence' in postgres
    ids = {words.get(each.memory).content: each.memory for each in turn.receipt.injected}
    assert _candidate(words, turn, MYSQL).by == ids[POSTGRES]


def test_an_open_conflict_can_be_left_out_instead(words):
    _conflict(words, 0.9, 0.9)
    turn = _begin(words, "What does billing run on?", conflict_policy="omit")
    assert turn.block is None
    assert _fates(words, turn) == {
        MYSQL: [Fate.CONFLICT_OMITTED],
        POSTGRES: [Fate.CONFLICT_OMITTED],
    }
    assert _candidate(words, turn, MYSQL).by == _candidate(words, turn, POSTGRES).memory


def test_without_conflict_detection_both_stand_unflagged(words):
    _conflict(words, 0.9, 0.9)
    turn = _begin(words, "What does billing run on?", memory_detect_conflicts=False)
    assert MYSQL in turn.block
    assert POSTGRES in turn.block
    assert "conflict" not in turn.block


@pytest.mark.parametrize(("mine", "theirs"), [(1.0, 0.9), (0.96, 0.9)])
def test_of_two_sources_the_surer_wins_in_the_receipt_and_not_in_the_store(words, mine, theirs):
    _conflict(words, mine, theirs)
    turn = _begin(words, "What does billing run on?")
    loser = _candidate(words, turn, POSTGRES)
    assert loser.fate == Fate.SUPERSEDED
    assert loser.by == _candidate(words, turn, MYSQL).memory
    assert words.get(loser.memory).superseded_by is None
    assert POSTGRES not in turn.block


@pytest.mark.parametrize(("mine", "theirs"), [(0.9, 0.85), (0.95, 0.9), (1.0, 0.95), (0.8, 0.75)])
def test_confidences_within_five_hundredths_are_level(words, mine, theirs):
    _conflict(words, mine, theirs)
    turn = _begin(words, "What does billing run on?")
    assert _fates(words, turn) == {MYSQL: [Fate.INJECTED], POSTGRES: [Fate.INJECTED]}


@pytest.mark.parametrize("confidence", [1.0, 0.95, 0.9, 0.8])
def test_of_one_person_the_newer_wins_whatever_the_confidence(words, clock, confidence):
    words.remember(MYSQL, confidence=1.0)
    clock.advance(days=1)
    words.remember(POSTGRES, confidence=confidence)
    turn = _begin(words, "What does billing run on?")
    assert _candidate(words, turn, POSTGRES).fate == Fate.INJECTED
    assert _candidate(words, turn, MYSQL).fate == Fate.SUPERSEDED


def test_of_one_agent_the_newer_loses_if_it_is_less_sure(words, clock):
    words.remember(MYSQL, confidence=0.9, by="agent")
    clock.advance(days=1)
    words.remember(POSTGRES, confidence=0.8, by="agent")
    turn = _begin(words, "What does billing run on?", inject_untrusted=True)
    assert _candidate(words, turn, MYSQL).fate == Fate.INJECTED
    assert _candidate(words, turn, POSTGRES).fate == Fate.SUPERSEDED


ASKED = "When is deploy day, by the way?"


def _value(tacit, content, **fields):
    return tacit.remember(content, key="deploy.day", **fields)


@pytest.mark.parametrize("asked", [ASKED, "Please refactor what runs on deploy day"])
@pytest.mark.parametrize("by", ["user", "agent"])
def test_the_newest_value_of_one_author_stands_for_the_surer_one_outside_the_frame(
    words, clock, asked, by
):
    _value(words, "Monday", confidence=1.0, by=by)
    clock.advance(days=1)
    _value(words, "Friday", confidence=0.7, by=by)
    turn = _begin(words, asked, standing_lines=0)
    assert _fates(words, turn) == {"Friday": [Fate.INJECTED], "Monday": [Fate.SUPERSEDED]}
    assert "PERSISTENT MEMORY" not in turn.block
    assert "deploy.day: Friday" in turn.block
    assert "(newest value, less sure)" in turn.block
    assert "Monday" not in turn.block


def test_a_newest_value_that_is_not_sure_enough_to_be_shown_still_ends_the_older_one(words, clock):
    _value(words, "Monday")
    clock.advance(days=1)
    _value(words, "Friday", confidence=0.6)
    turn = _begin(words, ASKED, standing_lines=0)
    assert _fates(words, turn) == {"Friday": [Fate.LOW_CONFIDENCE], "Monday": [Fate.SUPERSEDED]}
    assert turn.block is None


def test_the_newest_of_three_values_is_the_value_and_a_sure_one_has_no_remark(words, clock):
    for content, confidence in (("Monday", 1.0), ("Tuesday", 0.7), ("Friday", 0.9)):
        _value(words, content, confidence=confidence)
        clock.advance(days=1)
    block = _begin(words, ASKED, standing_lines=0).block
    assert "PERSISTENT MEMORY" in block
    assert "deploy.day: Friday" in block
    assert "less sure" not in block
    assert "Monday" not in block
    assert "Tuesday" not in block


def test_another_authors_or_scopes_unsure_value_leaves_the_surer_one_in_the_frame(words, clock):
    _value(words, "Monday", scope_id="ann")
    clock.advance(days=1)
    _value(words, "Friday", confidence=0.7, scope="org", scope_id="default")
    _value(words, "Sunday", confidence=0.7, scope_id="ann", by="agent")
    block = _begin(words, ASKED, user="ann", standing_lines=0).block
    assert "PERSISTENT MEMORY" in block
    assert "deploy.day: Monday" in block
    assert "Friday" not in block
    assert "Sunday" not in block


def test_an_unsure_value_that_says_the_same_leaves_the_surer_one_in_the_frame(words, clock):
    _value(words, "on Monday")
    clock.advance(days=1)
    _value(words, "On Monday.", confidence=0.7)
    block = _begin(words, ASKED, standing_lines=0).block
    assert "PERSISTENT MEMORY" in block
    assert "less sure" not in block


STRICT = {"ambient_enabled": True, "contextual_min_score": 1.0}
"""What is pinned is shown, and no hit is relevant enough by itself."""


def test_a_newer_memory_that_is_a_weak_hit_is_shown_for_the_one_it_contradicts(words, clock):
    words.remember(MYSQL)
    clock.advance(days=1)
    words.remember(POSTGRES)
    words.remember("Billing needs no lunch break", type="event")
    turn = _begin(words, "Does billing have MySQL tables?", contextual_min_score=0.6)
    assert _first_fates(words, turn) == {
        MYSQL: Fate.SUPERSEDED,
        POSTGRES: Fate.INJECTED,
        "Billing needs no lunch break": Fate.BELOW_FLOOR,
    }


def test_the_last_of_three_is_shown_though_it_says_what_the_first_did(words, clock):
    words.remember(MYSQL, pinned=True)
    clock.advance(days=1)
    words.remember(POSTGRES)
    clock.advance(days=1)
    words.remember("The billing runs on MySQL")
    turn = _begin(words, "Has billing had lunch?", **STRICT)
    assert _first_fates(words, turn) == {
        MYSQL: Fate.SUPERSEDED,
        POSTGRES: Fate.SUPERSEDED,
        "The billing runs on MySQL": Fate.INJECTED,
    }


def test_a_weak_hit_stays_out_where_somebody_said_that_both_are_right(words, clock):
    old = words.remember(MYSQL)
    clock.advance(days=1)
    new = words.remember(POSTGRES)
    words.conflicts.resolve(keep_both=[old.id, new.id])
    turn = _begin(words, "Does billing have MySQL tables?", contextual_min_score=0.6)
    assert _first_fates(words, turn) == {MYSQL: Fate.INJECTED, POSTGRES: Fate.BELOW_FLOOR}


def test_a_mark_on_what_is_current_does_not_bring_back_what_it_replaced(words, clock):
    words.remember(MYSQL)
    clock.advance(days=1)
    current = words.remember(POSTGRES)
    question = "What does billing run on?"
    words.turns.mark_irrelevant_for(question, current.id)
    turn = _begin(words, question)
    assert turn.block is None
    assert _fates(words, turn) == {MYSQL: [Fate.SUPERSEDED], POSTGRES: [Fate.BELOW_FLOOR]}
    assert _candidate(words, turn, MYSQL).by == current.id


@pytest.mark.parametrize("policy", ["flag", "omit"])
def test_a_marked_memory_has_no_say_where_no_rule_decides(words, policy):
    _conflict(words, 0.9, 0.9)
    question = "What does billing run on?"
    marked = next(each.id for each in words.list() if each.content == MYSQL)
    words.turns.mark_irrelevant_for(question, marked)
    turn = _begin(words, question, conflict_policy=policy)
    assert POSTGRES in turn.block
    assert "MySQL" not in turn.block
    assert "conflict" not in turn.block


@pytest.mark.parametrize(
    ("fields", "question"),
    [
        ({"type": "decision"}, "Why does billing crash in MySQL?"),
        ({"confidence": 0.7}, "Does billing have MySQL tables?"),
    ],
    ids=["of another type", "not sure enough as a fact"],
)
def test_a_keyed_rival_is_shown_once_whatever_else_spoke_against_it(words, clock, fields, question):
    words.remember(MYSQL, **({} if "type" in fields else fields))
    clock.advance(days=1)
    words.remember(POSTGRES, key="billing.db", **fields)
    turn = _begin(words, question, contextual_min_score=0.4)
    assert turn.block.count(POSTGRES) == 1
    assert MYSQL not in turn.block
    fates = _fates(words, turn)
    assert Fate.SUPERSEDED in fates[MYSQL]
    assert fates[POSTGRES] == [Fate.INJECTED]


def test_keyed_facts_of_two_sources_conflict_as_well(words):
    words.remember("weekly on Monday", key="deploy.day", confidence=0.9)
    words.remember("weekly on Friday", key="deploy.day", confidence=0.88, by="operator")
    turn = _begin(words, DEPLOY)
    assert turn.block.count("(conflict: ") == 2


# Duplicates.


def test_a_memory_that_two_ways_lead_to_is_shown_once(words):
    words.remember("Ship the gherkins", type="todo")
    asked = {"ambient_enabled": True, "pinned_types": ["todo"]}
    turn = _begin(words, "Which gherkins?", **asked)
    assert turn.block.count("Ship the gherkins") == 1
    assert _fates(words, turn) == {"Ship the gherkins": [Fate.INJECTED]}


def test_the_same_words_of_another_memory_are_shown_once(words):
    words.remember("Gherkins are green", scope="project", scope_id="p")
    words.remember("gherkins  are GREEN", scope="session", scope_id="s1")
    turn = _begin(words, "Which gherkins?", project="p")
    (shown,) = turn.receipt.injected
    (left,) = [each for each in turn.receipt.candidates if each.fate != Fate.INJECTED]
    assert (left.fate, left.by) == (Fate.SAME_CONTENT, shown.memory)
    one = _say(words, "Which gherkins?", project="p")
    two = _begin(words, "So which gherkins?", history=one.history, project="p")
    assert sorted(each.fate for each in two.receipt.candidates) == [
        Fate.SAME_CONTENT,
        Fate.SEEN_IN_WINDOW,
    ]


TOOK = "The backup of the billing archive took 30 minutes"


@pytest.mark.parametrize(
    "other",
    [
        "The backup of the billing archive took 45 minutes",
        "The backup of the billing archive never took 30 minutes",
        "The backup of the billing archive took Ingrid 30 minutes",
        "The backup of the billing archive took 30 minutes on 3 May 2026",
    ],
    ids=["number", "negation", "name", "date"],
)
def test_what_differs_in_a_telling_word_is_no_near_duplicate(near, other):
    near.remember(TOOK, type="event")
    near.remember(other, type="event")
    turn = _begin(near, "How long does the backup of billing take?", semantic_threshold=0.5)
    assert _fates(near, turn) == {TOOK: [Fate.INJECTED], other: [Fate.INJECTED]}


def test_a_near_duplicate_is_left_out_within_the_block_and_across_blocks(near):
    again = "Generally the backup of the billing archive took 30 minutes"
    near.remember(TOOK, type="event", importance=1.0)
    near.remember(again, type="event", importance=0.0)
    question = "How long did the backup of the billing archive take?"
    asked = {"semantic_threshold": 0.8}
    one = _say(near, question, **asked)
    (shown,) = one.receipt.injected
    (left,) = [each for each in one.receipt.candidates if each.fate != Fate.INJECTED]
    assert (left.fate, left.by) == (Fate.NEAR_DUPLICATE, shown.memory)
    two = _begin(near, question, history=one.history, **asked)
    assert {each.memory: each.fate for each in two.receipt.candidates} == {
        shown.memory: Fate.SEEN_IN_WINDOW,
        left.memory: Fate.NEAR_DUPLICATE,
    }
    strict = _begin(near, question, semantic_threshold=1.0)
    assert len(strict.receipt.injected) == 2
    gone = _begin(near, question, **asked, session="s2")
    assert len(gone.receipt.injected) == 1


def test_the_fuller_of_two_near_duplicates_takes_the_place_of_the_better_hit(near):
    less = "the alerts of billing go to slack"
    full = "the alerts of billing go to slack and email at night too"
    other = "the alerts of billing wake somebody"
    for content in (less, full, other):
        near.remember(content, type="event")
    question = "alerts of billing go slack wake?"
    asked = {"semantic_threshold": 0.75, "max_total": 1}
    ranked = near.search(question).hits
    assert [hit.memory.content for hit in ranked] == [less, other, full]
    turn = _begin(near, question, **asked)
    assert [near.get(each.memory).content for each in turn.receipt.injected] == [full]


def test_the_semantic_window_ends_with_the_window(near):
    again = "Generally the backup of the billing archive took 30 minutes"
    near.remember(TOOK, type="event")
    asked = {"history": None, "context_window_depth": 2, "semantic_threshold": 0.8}
    question = "How long did the backup of the billing archive take?"
    _say(near, question, **asked)
    near.forget(near.list()[0].id)
    near.remember(again, type="event")
    injected = [_say(near, question, **asked).block is not None for _ in range(3)]
    assert injected == [False, False, True]


def test_members_of_an_open_conflict_are_no_near_duplicates(near):
    first = "deploy the billing service carefully after lunch"
    second = "deploy the billing service carefully after lunch break"
    near.remember(first, key="deploy.time", confidence=0.9)
    near.remember(second, key="deploy.time", confidence=0.88, by="operator")
    turn = _begin(near, DEPLOY, semantic_threshold=0.5)
    assert _first_fates(near, turn) == {first: Fate.INJECTED, second: Fate.INJECTED}
    assert turn.block.count("(conflict: ") == 2


def test_a_new_value_of_a_key_is_no_near_duplicate_of_the_old_one(near, clock):
    first = "deploy the billing service carefully after lunch"
    second = "deploy the billing service carefully after lunch break"
    near.remember(first, key="deploy.time")
    one = _say(near, DEPLOY)
    assert first in one.block
    clock.advance(days=1)
    near.remember(second, key="deploy.time")
    two = _begin(near, DEPLOY, history=one.history, semantic_threshold=0.5)
    assert second in _block(two)


def test_changed_content_is_eligible_again_at_once(near):
    memory = near.remember("Gherkins are green").memory
    one = _say(near, "Which gherkins?")
    near.edit(memory.id, content="Gherkins are green and crisp")
    two = _say(near, "Which gherkins?", one.history, semantic_threshold=0.5)
    assert "Gherkins are green and crisp" in two.block
    assert _begin(near, "Which gherkins?", history=two.history).block is None


def test_duplicates_do_not_starve_the_turn(words):
    contents = [f"Gherkin {name} is in a jar" for name in "abcdefghijklmnopqrst"]
    words.memories.remember_all([{"content": content, "type": "event"} for content in contents])
    history, shown = [], []
    asked = {
        "search_limit": 1,
        "max_injected_blocks_in_history": 10,
        "context_aware_query": False,
    }
    for _ in range(9):
        turn = _say(words, "Which gherkin is in a jar?", history, **asked)
        (injected,) = turn.receipt.injected
        shown.append(injected.memory)
        history = turn.history
    assert len(set(shown)) == 9


def test_search_limit_bounds_what_survives_duplicates(words):
    words.memories.remember_all(
        [{"content": f"Gherkin {name}", "type": "event"} for name in "abcdefgh"]
    )
    turn = _begin(words, "gherkin", search_limit=5)
    assert len(turn.receipt.injected) == 5
    assert {each.fate for each in turn.receipt.candidates} == {Fate.INJECTED, Fate.OVER_SLOTS}


# The floor.


def test_nothing_is_injected_for_what_memory_knows_nothing_of(words):
    words.remember("The gherkins are in a jar")
    turn = _begin(words, "Why is the sky in the north so blue?", contextual_min_score=0.5)
    assert turn.block is None
    assert turn.receipt.outcome()["injected"] is False
    assert all(each.fate == Fate.BELOW_FLOOR for each in turn.receipt.candidates)


def test_hits_that_fall_far_behind_a_relevant_one_stay_out(words):
    words.remember("Redis holds the counters of the gateway")
    words.remember("The gateway of the city is old, and nobody there holds a grudge against it")
    turn = _begin(words, "Redis counters gateway", contextual_min_score=0.5)
    best, *rest = turn.receipt.candidates
    assert best.fate == Fate.INJECTED
    assert {each.fate for each in rest if each.score < best.score / 4} <= {Fate.BELOW_FLOOR}
    assert all(each.score >= best.score / 4 for each in turn.receipt.injected)
    assert "Redis" in turn.block


def test_context_does_not_push_what_the_words_name_below_the_floor(words):
    words.memories.remember_all(
        [{"content": f"Gherkin {name} is in a jar"} for name in "abcdefghijklmnopqrst"]
    )
    question = "Which gherkin is in a jar?"
    alone = _begin(words, question)
    history = [
        {"role": "user", "content": question},
        {"role": "assistant", "content": "Noted."},
    ]
    later = _begin(words, question, history=history, session="s2")
    assert alone.receipt.injected
    assert later.receipt.injected


# Pinned memories.


@pytest.fixture
def ambient(words, clock):
    """Todos, oldest the most important, and some gherkins."""
    for number, name in enumerate(("first", "second", "third", "fourth")):
        words.remember(f"Do the {name} task", type="todo", importance=0.9 - number / 10)
        clock.advance(hours=1)
    words.memories.remember_all(
        [{"content": f"Gherkin {name}", "type": "event"} for name in "abcdef"]
    )
    return words


def _pinned(tacit, turn):
    found = [each for each in turn.receipt.injected if each.found is CandidateSource.PINNED]
    return [tacit.get(each.memory).content for each in found]


def test_pinned_types_are_empty_by_default_and_only_hits_are_injected(ambient):
    turn = _begin(ambient, "gherkin", ambient_enabled=True)
    assert {each.found for each in turn.receipt.candidates} == {CandidateSource.CONTEXTUAL}
    assert "[Pinned context]" not in turn.block


def test_the_ambient_switch_turns_pinned_memories_off(ambient):
    assert _begin(ambient, "Sing a song", pinned_types=["todo"]).block is None
    turn = _begin(ambient, "Sing a song", pinned_types=["todo"], ambient_enabled=True)
    assert "[Pinned context]\n[Todo] Do the " in turn.block


def test_so_many_of_each_pinned_type_are_taken_in_the_order_asked_for(ambient):
    asked = {"ambient_enabled": True, "pinned_types": ["todo"]}
    recent = _begin(ambient, "Sing a song", **asked)
    assert _pinned(ambient, recent) == [
        "Do the fourth task",
        "Do the third task",
        "Do the second task",
    ]
    important = _begin(ambient, "Sing a song", **asked, pinned_sort="importance", pinned_limit=2)
    assert _pinned(ambient, important) == ["Do the first task", "Do the second task"]


def test_one_memory_can_be_pinned_by_itself_also_where_no_types_are(ambient):
    ambient.remember("Be kind", pinned=True, type="observation")
    for ambient_enabled in (True, False):
        turn = _begin(ambient, "Sing a song", ambient_enabled=ambient_enabled)
        assert _pinned(ambient, turn) == ["Be kind"]


def test_types_are_pinned_only_where_ambient_awareness_is_on(ambient):
    ambient.remember("Be kind", type="observation")
    pinned = {"pinned_types": ["observation"]}
    assert _begin(ambient, "Sing a song", **pinned).block is None
    assert _pinned(ambient, _begin(ambient, "Sing a song", ambient_enabled=True, **pinned))


def test_pinned_memories_are_exempt_from_type_rules_only(words, clock):
    asked = {"ambient_enabled": True, "pinned_types": ["event"], "pinned_limit": 20}
    words.remember("The fair was fun", type="event")
    words.remember("The fair was dull", type="event", confidence=0.5)
    origin = {"url": "https://example.com"}
    words.remember("The fair was free", type="event", by="agent", origin=origin)
    words.remember("The fair was hers", type="event", scope="user", scope_id="alice")
    words.remember("The fair is over", type="event", expires_at=clock.now.replace(hour=13))
    clock.advance(hours=2)
    turn = _begin(words, CODING, **asked)
    assert _first_fates(words, turn) == {
        "The fair was fun": Fate.INJECTED,
        "The fair was dull": Fate.LOW_CONFIDENCE,
        "The fair was free": Fate.UNTRUSTED,
    }


# Budgets.


def test_the_cap_holds_over_all_sources_and_pinned_memories_come_first(ambient):
    asked = {"ambient_enabled": True, "pinned_types": ["todo"]}
    turn = _begin(ambient, "gherkin", **asked, max_total=5)
    found = [each.found for each in turn.receipt.injected]
    assert found == [CandidateSource.PINNED] * 3 + [CandidateSource.CONTEXTUAL] * 2
    dropped = [each.fate for each in turn.receipt.candidates if each.fate != Fate.INJECTED]
    assert dropped == [Fate.OVER_SLOTS] * 4
    fewer = _begin(ambient, "gherkin", **asked, max_total=2)
    assert [each.found for each in fewer.receipt.injected] == [CandidateSource.PINNED] * 2


def test_facts_come_before_hits(words):
    words.remember("dark", key="editor.theme", type="preference")
    words.remember("The parser function is long")
    turn = _begin(words, f"{CODING}, the editor theme", max_total=1, standing_lines=0)
    assert [each.found for each in turn.receipt.injected] == [CandidateSource.FACT]


def test_the_whole_block_keeps_to_its_characters_and_tokens(ambient):
    for number in range(12):
        ambient.remember(f"Gherkin number {number} stands on shelf {number}")
    for limit in (447, 600, 1_000):
        turn = _begin(ambient, "gherkin", memory_context_max_chars=limit)
        assert len(_block(turn)) <= limit
        assert turn.receipt.characters == len(_block(turn))
    tight = _begin(ambient, "gherkin", memory_context_max_chars=447)
    assert Fate.OVER_CHARS in {each.fate for each in tight.receipt.candidates}
    for limit in (141, 150, 200):
        turn = _begin(ambient, "gherkin", max_tokens=limit)
        assert estimate_tokens(_block(turn)) <= limit
        assert turn.receipt.tokens >= estimate_tokens(_block(turn))
    tight = _begin(ambient, "gherkin", max_tokens=141, memory_context_max_chars=5_000)
    assert Fate.OVER_TOKENS in {each.fate for each in tight.receipt.candidates}


def test_the_least_budgets_that_are_accepted_show_a_short_fact(words):
    words.remember("4 spaces", key="editor.indent", type="preference")
    least = {
        "max_tokens": MIN_BLOCK_TOKENS,
        "memory_context_max_chars": MIN_BLOCK_CHARACTERS,
    }
    assert "editor.indent: 4 spaces" in _begin(words, INDENT, **least, standing_lines=0).block
    for name, value in least.items():
        with pytest.raises(InvalidInput, match=f"{name}.*{value}"):
            _begin(words, CODING, **{name: value - 1})


def test_a_long_memory_is_shortened_and_marked(words):
    words.remember("Gherkins are green. " + "They float in a large jar of vinegar. " * 20)
    turn = _begin(words, "Which gherkins?", memory_context_max_chars=800)
    assert len(turn.block) <= 800
    assert "… (importance: 0.6) (shortened)" in turn.block
    assert "vinegar. …" in turn.block


def test_what_does_not_fit_leaves_its_room_to_something_shorter(words):
    long = [
        f"Gherkins gherkins gherkins in {vessel}, {'which stands ' * 3}there"
        for vessel in ("oak barrels", "tin buckets", "clay amphorae")
    ]
    for content in (*long, "A jar of gherkins"):
        words.remember(content, type="observation")
    turn = _begin(words, "gherkins", memory_context_max_chars=480)
    fates = _fates(words, turn)
    ends = sorted(fates[content] for content in long)
    assert ends == [[Fate.INJECTED], [Fate.INJECTED], [Fate.OVER_CHARS]]
    assert fates["A jar of gherkins"] == [Fate.INJECTED]


def test_a_conflict_that_nobody_can_decide_is_said_in_the_log(words, caplog):
    one = words.remember("Billing runs on MySQL").id
    other = words.remember("Billing runs on PostgreSQL", by="operator").id
    with caplog.at_level("INFO", logger="tacit.turn"):
        turn = _begin(words, "What does billing run on?", contextual_min_score=0.0)
    assert {each.memory for each in turn.receipt.conflicts} == {one, other}
    assert f"conflict_detected: {one} and {other}" in caplog.text


@pytest.mark.parametrize("keeps_blocks", [True, False])
def test_what_was_forgotten_leaves_the_history_too(words, keeps_blocks):
    id = words.remember("The depot is in hall 4711").id
    turn = _begin(words, "Where is the depot?", contextual_min_score=0.0)
    assert "4711" in turn.block
    turn.commit("I know it.")
    words.forget(id)
    history = turn.history if keeps_blocks else turn.history[-2:]
    after = _begin(words, "thanks", history=history)
    assert not any("4711" in each["content"] for each in after.messages)


def test_a_value_that_search_finds_is_shown_under_its_key(words):
    words.remember("four spaces", key="editor.indent")
    turn = _begin(words, "Are four spaces right?", contextual_min_score=0.0, fact_limit=0)
    assert "[Fact] editor.indent: four spaces (importance: 0.6)" in turn.block


def test_a_question_about_oneself_is_worth_looking_for(words):
    assert _begin(words, "Who am I?").receipt.skipped is None
    assert _begin(words, "Why?").receipt.skipped is not None


def test_a_line_that_has_nothing_to_do_with_it_does_not_ride_along():
    with Tacit.open(":memory:", embedder="minilm") as tacit:
        tacit.remember("We chose JWT over session tokens for the API", type="decision")
        tacit.remember("We deploy from main with a script called ship")
        tacit.remember("We use ruff for linting")
        turn = _begin(tacit, "How do we deploy?")
        assert "ship" in turn.block
        assert "ruff" not in turn.block
