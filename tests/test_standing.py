"""Standing rules: what comes whatever words a message has, in a block of its own."""

import pytest

from tacit import FakeEmbedder, Tacit
from tacit.core.receipt import (
    NOTE_HOW_TO_ANSWER,
    NOTE_OF_FOOD,
    NOTE_OF_PERSON,
    NOTE_OF_PROJECT,
    NOTE_TOUCHED,
    CandidateSource,
    Fate,
)
from tacit.core.sessions import BlockState

GERMAN = "Always answer in German"
EMOJIS = "Don't use emojis"
LOGS = "Customer names never appear in logs"
BILLING = "Billing runs on PostgreSQL 16"
BREAD = "How do I bake sourdough bread?"
LOGGING = "May customer names appear in logs?"
HEADING = "[Standing rules]"


@pytest.fixture
def bare():
    """A memory with things that no question here is about."""
    with Tacit.open(":memory:", embedder="none") as tacit:
        tacit.memories.remember_all([f"Plant number {n} on the sill wants water" for n in range(8)])
        yield tacit


@pytest.fixture
def tacit(bare):
    bare.remember(GERMAN, type="preference")
    bare.remember(LOGS, type="constraint")
    bare.remember(BILLING, type="fact")
    return bare


def _say(tacit, text, history=(), session="s", **asked):
    history = history if history is None else list(history)
    with tacit.turn(session=session, history=history, text=text, **asked) as turn:
        turn.commit("Understood.")
    return turn


def _rules(block):
    """The rules that a text shows."""
    _, _, after = (block or "").partition(f"{HEADING}\n")
    lines = after.split("\n\n")[0].splitlines()
    return [line.partition("] ")[2] for line in lines]


def _sections(messages):
    return [each["content"] for each in messages if HEADING in str(each["content"])]


def _fates(tacit, turn):
    return {
        tacit.get(each.memory).content: each.fate
        for each in turn.receipt.candidates
        if each.found is CandidateSource.STANDING
    }


# When they come


def test_a_rule_on_how_to_answer_comes_with_the_first_message_that_asks(tacit):
    turn = _say(tacit, BREAD)
    assert turn.block.endswith(f"{HEADING}\n[Preference] {GERMAN}")
    (candidate,) = turn.receipt.injected
    assert candidate.found is CandidateSource.STANDING
    assert turn.receipt.blocks == (turn.receipt.standing_block,) == tuple(turn.blocks)
    assert turn.receipt.headline.startswith("memory injection: 1 standing + 0 pinned")


@pytest.mark.parametrize("said", ["hi", "thanks!", "/help", "👍"])
def test_small_talk_and_commands_bring_no_rules(tacit, said):
    first = _say(tacit, said)
    assert first.block is None
    assert not first.receipt.candidates
    assert _rules(_say(tacit, BREAD, first.history).block) == [GERMAN]


def test_a_turn_of_the_system_brings_no_rules(tacit):
    assert tacit.turn(session="s", history=[], text=BREAD, trigger="system").block is None


def test_rules_in_view_do_not_come_again(tacit):
    first = _say(tacit, BREAD)
    second = _say(tacit, "And how do I bake rye bread?", first.history)
    assert second.block is None
    assert _fates(tacit, second)[GERMAN] is Fate.SEEN_IN_WINDOW


def test_rules_come_again_after_their_message_was_cut_off(tacit):
    first = _say(tacit, BREAD)
    again = _say(tacit, "How do I bake rye bread?", first.history[-1:])
    assert _rules(again.block) == [GERMAN]


def test_rules_come_again_although_a_later_block_of_rules_stands(tacit):
    tacit.remember("Deploy with Argo", type="constraint")
    history = _say(tacit, BREAD).history
    touched = _say(tacit, "Which Argo deploy?", history, contextual_min_score=1)
    assert _rules(touched.block) == ["Deploy with Argo"]
    cut = touched.history[len(history) :]
    assert _rules(_say(tacit, "How do I bake rye bread?", cut).block) == [GERMAN]


def test_rules_come_again_after_a_compaction_of_their_zone(tacit):
    history = _say(tacit, BREAD).history
    for number in range(8):
        history = _say(tacit, f"And bread number {number}?", history).history
    shorter = tacit.compact(session="s", history=history, level="emergency")
    assert not _sections(shorter.messages)
    assert _rules(_say(tacit, "How do I bake rye bread?", shorter.messages).block) == [GERMAN]


def test_rules_come_again_after_the_session_was_cleared(tacit):
    _say(tacit, BREAD)
    tacit.sessions.clear("s")
    assert _rules(_say(tacit, BREAD).block) == [GERMAN]


def test_a_rule_comes_when_a_message_touches_it(tacit):
    first = _say(tacit, BREAD)
    assert _fates(tacit, first)[LOGS] is Fate.NOT_APPLICABLE
    touched = _say(tacit, LOGGING, first.history, contextual_min_score=1)
    assert _rules(touched.block) == [LOGS]
    (candidate,) = touched.receipt.injected
    assert candidate.relevance > 0
    assert _say(tacit, LOGGING, touched.history, contextual_min_score=1).block is None


def test_a_rule_that_was_changed_comes_alone(tacit):
    tacit.remember(EMOJIS, type="preference")
    (rule,) = tacit.list(contains="German")
    first = _say(tacit, BREAD)
    assert sorted(_rules(first.block)) == sorted([GERMAN, EMOJIS])
    tacit.edit(rule.id, content="Always answer in French")
    second = _say(tacit, "How do I bake rye bread?", first.history)
    assert _rules(second.block) == ["Always answer in French"]
    assert _say(tacit, BREAD, second.history).block is None


def test_a_changed_rule_comes_also_where_the_message_does_not_touch_it(tacit):
    first = _say(tacit, LOGGING, contextual_min_score=1)
    assert LOGS in _rules(first.block)
    (rule,) = tacit.list(contains="Customer names")
    tacit.edit(rule.id, content="Customer names and streets never appear in logs")
    second = _say(tacit, BREAD, first.history)
    assert _rules(second.block) == ["Customer names and streets never appear in logs"]


def test_a_rule_that_replaces_one_in_the_history_of_a_host_comes(bare):
    own = {"key": "indent.style", "type": "preference"}
    bare.remember("Indent with tabs", **own)
    first = _say(bare, "Indent with what?", None, fact_limit=0, contextual_min_score=1)
    assert _rules(first.block) == ["indent.style: Indent with tabs"]
    bare.remember("Indent with spaces", **own)
    assert _rules(_say(bare, BREAD, None).block) == ["indent.style: Indent with spaces"]


def test_a_new_rule_comes_while_others_stand(tacit):
    first = _say(tacit, BREAD)
    tacit.remember(EMOJIS, type="preference")
    assert _rules(_say(tacit, "How do I bake rye bread?", first.history).block) == [EMOJIS]


def test_no_rules_come_where_they_are_turned_off(tacit):
    turn = _say(tacit, BREAD, standing_lines=0)
    assert turn.block is None
    assert not _fates(tacit, turn)


# Which rules come


def test_rules_are_explicit_or_learned_with_high_confidence_and_trusted(bare):
    bare.remember("Answer in German", type="preference", confidence=0.75)
    bare.remember("Answer in rhymes", type="preference", by="agent", confidence=1.0)
    bare.remember("Answer in one sentence", type="observation")
    turn = _say(bare, BREAD)
    assert _rules(turn.block) == ["Answer in German"]
    learned = {"said": "For each recipe, please always answer in bullet points."}
    _say(bare, learned["said"], session="t")
    bare.learn()
    kept = [each for each in bare.list() if "bullet points" in each.content]
    sure = [each.content for each in kept if each.confidence >= 0.9]
    assert [
        rule for rule in _rules(_say(bare, BREAD, session="u").block) if "bullet" in rule
    ] == sure


def test_rules_of_others_stay_out(bare):
    bare.remember("Answer in German", type="preference", scope="user", scope_id="ann")
    bare.remember("Answer in French", type="preference", scope="project", scope_id="blog")
    bare.remember("Answer in Latin", type="preference", agent="scribe")
    assert _say(bare, BREAD, user="ben", project="shop", agent="clerk").block is None
    assert _rules(_say(bare, BREAD, session="t", user="ann").block) == ["Answer in German"]


def test_only_the_types_that_a_turn_asks_for_are_rules(tacit):
    asked = {"session": "s", "history": [], "text": BREAD}
    assert tacit.preview(**asked, types=["constraint", "fact"]).block is None
    assert _rules(tacit.preview(**asked, types=["preference"]).block) == [GERMAN]


def test_a_persons_own_rules_come_first_then_specific_scopes_then_important_rules(bare):
    bare.remember("Answer in French", type="preference", importance=1.0)
    bare.remember("Answer in short words", type="preference", importance=0.2)
    bare.remember("Answer in bullet points", type="preference", scope="project", scope_id="p")
    asked = {"project": "p", "memory_detect_conflicts": False}
    ranked = ["Answer in French", "Answer in short words", "Answer in bullet points"]
    assert _rules(_say(bare, BREAD, **asked).block) == ranked
    few = _say(bare, BREAD, session="t", standing_lines=2, **asked)
    assert _rules(few.block) == [ranked[0], ranked[2]]
    assert _fates(bare, few)[ranked[1]] is Fate.OVER_SLOTS


def test_what_did_not_fit_does_not_follow_in_the_next_turns(bare):
    for number in range(12):
        bare.remember(f"Answer in style {number}", type="preference")
    asked = {"memory_detect_conflicts": False, "semantic_threshold": 1.0}
    first = _say(bare, BREAD, **asked)
    assert len(_rules(first.block)) == 8
    assert _say(bare, "How do I bake rye bread?", first.history, **asked).block is None


def test_long_rules_take_at_most_a_quarter_of_the_budget_and_do_not_follow(bare):
    for number in range(6):
        words = " ".join(f"w{number}x{n}" for n in range(40))
        bare.remember(f"Answer in style {number}: {words}", type="preference")
    asked = {"memory_detect_conflicts": False, "max_tokens": 1_000}
    first = _say(bare, BREAD, **asked)
    assert 1 <= len(_rules(first.block)) < 6
    assert first.receipt.tokens <= 250
    assert first.receipt.characters == len(first.block)
    assert Fate.OVER_TOKENS in _fates(bare, first).values()
    assert _say(bare, "How do I bake rye bread?", first.history, **asked).block is None


def test_rules_are_at_most_half_of_all_that_is_shown(bare):
    for number in range(4):
        bare.remember(f"Answer in style {number}", type="preference")
    asked = {"memory_detect_conflicts": False, "semantic_threshold": 1.0}
    assert len(_rules(_say(bare, BREAD, max_total=5, **asked).block)) == 2


def test_a_hit_and_a_fact_keep_their_place_and_are_not_shown_twice(tacit):
    turn = _say(tacit, LOGGING)
    assert turn.block.count(LOGS) == 1
    assert _rules(turn.block) == [GERMAN]
    found = {tacit.get(each.memory).content: each.found for each in turn.receipt.injected}
    assert found == {GERMAN: CandidateSource.STANDING, LOGS: CandidateSource.CONTEXTUAL}


def test_a_pinned_rule_is_shown_as_pinned_alone(bare):
    bare.remember(GERMAN, type="preference", pinned=True)
    turn = _say(bare, BREAD)
    assert turn.block.count(GERMAN) == 1
    assert [each.found for each in turn.receipt.injected] == [CandidateSource.PINNED]


def test_a_rule_of_a_nearer_scope_shadows_the_other(bare):
    bare.remember("German", key="answer.language", type="preference")
    bare.remember("French", key="answer.language", type="preference", scope="project", scope_id="p")
    turn = _say(bare, BREAD, project="p", fact_limit=0)
    assert _rules(turn.block) == ["answer.language: French"]
    assert _fates(bare, turn)["German"] is Fate.SHADOWED


# The block in the history


def test_the_rules_stand_directly_before_the_other_block(tacit):
    turn = _say(tacit, "What does billing run on?")
    standing, ordinary = turn.blocks.values()
    said = ["What does billing run on?", "Understood."]
    assert [each["content"] for each in turn.history] == [standing, ordinary, *said]
    assert turn.block == f"{standing}\n\n{ordinary}"
    assert BILLING in ordinary
    assert [*turn.blocks] == [turn.receipt.standing_block, turn.receipt.block]
    assert turn.receipt.characters == len(standing) + len(ordinary)


@pytest.mark.parametrize("cap", [0, 1])
def test_the_rules_stay_whatever_the_cap_on_blocks(tacit, cap):
    told = ["Gherkins keep in vinegar", "Kestrels nest under roofs", "Zithers need new strings"]
    tacit.memories.remember_all(told)
    history = []
    for words in told:
        turn = _say(tacit, f"{words}?", history, max_injected_blocks_in_history=cap)
        assert words in turn.block
        history = turn.history
        assert len(_sections(history)) == 1
        blocks = [each for each in history if each["content"].startswith("[Context from memory]")]
        assert len(blocks) == cap + 1


def test_the_history_stays_the_same_byte_for_byte(tacit):
    tacit.remember("The gherkin stands in hall nine")
    history = _say(tacit, "What does billing run on?").history
    for asked in (BREAD, LOGGING, "Where does the gherkin stand?"):
        turn = _say(tacit, asked, history, max_injected_blocks_in_history=10)
        assert turn.messages[: len(history)] == history
        assert turn.receipt.recached_tokens == 0
        own = [each for each in turn.history if not each["content"].startswith("[Context")]
        again = tacit.preview(session="s", history=own, text=BREAD)
        assert list(again.messages[: len(turn.history)]) == turn.history
        history = turn.history


def test_a_text_in_one_piece_is_recognised_as_its_blocks(tacit):
    turn = _say(tacit, "What does billing run on?")
    for content in (
        f"{turn.block}\n\nWhat does billing run on?",
        [
            {"type": "text", "text": turn.block},
            {"type": "text", "text": "What does billing run on?"},
        ],
    ):
        history = [{"role": "user", "content": content}, turn.history[-1]]
        assert _sections(_say(tacit, BREAD, history).messages) == _sections(turn.history)


def test_a_rollback_leaves_nothing(tacit):
    with tacit.turn(session="s", history=[], text="What does billing run on?") as turn:
        assert len(turn.blocks) == 2
    assert turn.history == []
    assert not tacit.sessions.list()
    assert _rules(_say(tacit, BREAD).block) == [GERMAN]


def test_forgetting_a_rule_takes_its_block_out_and_brings_the_others_again(tacit):
    tacit.remember(EMOJIS, type="preference")
    first = _say(tacit, "What does billing run on?")
    (rule,) = tacit.list(contains="emojis")
    tacit.forget(rule.id)
    second = _say(tacit, BREAD, first.history)
    assert _rules(second.block) == [GERMAN]
    assert not any(EMOJIS in str(each["content"]) for each in second.messages)
    assert BILLING in str(second.messages)


def test_an_erased_rule_leaves_a_text_that_was_inserted_in_one_piece(tacit):
    turn = _say(tacit, "What does billing run on?")
    (rule,) = tacit.list(contains="German")
    tacit.erase(rule.id)
    said = {"type": "text", "text": "What does billing run on?"}
    history = [
        {"role": "user", "content": [{"type": "text", "text": turn.block}, said]},
        turn.history[-1],
    ]
    assert GERMAN not in str(_say(tacit, BREAD, history).messages)


def test_a_turn_whose_rule_is_erased_before_its_commit_is_not_recorded(tacit):
    turn = tacit.turn(session="s", history=[], text="What does billing run on?")
    (rule,) = tacit.list(contains="German")
    tacit.erase(rule.id)
    assert turn.commit("PostgreSQL.").not_recorded == "erased"
    assert GERMAN not in str(_say(tacit, BREAD, turn.history).messages)


def test_a_speakers_own_rules_never_reach_another_speaker(bare):
    bare.remember("Answer in German", type="preference", scope="user", scope_id="ann")
    bare.remember("Answer in French", type="preference", scope="user", scope_id="ben")
    first = _say(bare, BREAD, user="ann")
    second = _say(bare, "How do I bake rye bread?", first.history, user="ben")
    assert _rules(second.block) == ["Answer in French"]
    assert "German" not in str(second.messages)
    assert not _sections(second.history)


def test_a_branch_keeps_the_rules_and_loses_them_by_itself(tacit):
    first = _say(tacit, BREAD)
    tacit.sessions.fork("s", "branch")
    asked = {"text": "How do I bake rye bread?", "session": "branch"}
    assert _say(tacit, history=first.history, **asked).block is None
    assert _rules(_say(tacit, history=[], **asked).block) == [GERMAN]
    assert _say(tacit, "How do I bake rye bread?", first.history).block is None


def test_a_branch_of_an_open_turn_has_its_rules(tacit):
    turn = tacit.turn(session="s", history=[], text=BREAD)
    tacit.sessions.fork("s", "branch")
    again = _say(tacit, "How do I bake rye bread?", turn.messages, session="branch")
    assert again.block is None
    assert _sections(again.history) == [turn.block]


def test_a_turn_that_was_left_open_counts_once_its_message_is_in_the_history(tacit):
    turn = tacit.turn(session="s", history=[], text="What does billing run on?")
    second = _say(tacit, BREAD, [*turn.messages, {"role": "assistant", "content": "PostgreSQL."}])
    assert second.block is None
    live = [each for each in tacit.sessions.get("s").blocks if each.state is BlockState.LIVE]
    assert [block.has_standing_rules for block in live] == [True, False]


def test_a_host_that_keeps_the_history_gets_the_rules_once_and_after_a_reset(tacit):
    assert _rules(_say(tacit, BREAD, None).block) == [GERMAN]
    for number in range(12):
        assert _say(tacit, f"How do I bake bread number {number}?", None).block is None
    tacit.sessions.reset_memory_injection_tracking("s")
    assert _rules(_say(tacit, BREAD, None).block) == [GERMAN]


def test_a_grounded_prompt_has_the_rules_every_time(tacit):
    for asked in (BREAD, "How do I bake rye bread?"):
        with tacit.ground(asked, context="kitchen") as grounding:
            assert GERMAN in grounding.text
            grounding.commit("Slowly.")


def test_a_preview_shows_the_rules_and_leaves_no_trace(tacit):
    prepared = tacit.preview(session="s", history=[], text=BREAD)
    assert _rules(prepared.block) == [GERMAN]
    assert not tacit.sessions.list()


def test_rules_are_never_learned_again_from_a_pasted_block(tacit):
    pasted = _say(tacit, "What does billing run on?").block
    before = {each.id for each in tacit.list()}
    _say(tacit, f"Look what you told me:\n{pasted}", session="t")
    tacit.learn()
    assert {each.id for each in tacit.list()} == before


# Why a rule applies


ARGO = {"content": "Releases go through Argo", "type": "constraint"}
ARGO_OF_SHOP = {**ARGO, "scope": "project", "scope_id": "shop"}
SUNDAYS = {"content": "I never work on Sundays", "type": "constraint"}
NUTS = {"content": "No nuts, ever", "type": "constraint"}
TRENCH = "How deep is the Marianas Trench?"


@pytest.mark.parametrize(
    ("rule", "said", "reason"),
    [
        (ARGO_OF_SHOP, "Please refactor the parser function", NOTE_OF_PROJECT),
        (ARGO_OF_SHOP, "Write a poem on hedgehogs for the landing page", NOTE_OF_PROJECT),
        (ARGO_OF_SHOP, "What do I need before lunch?", NOTE_OF_PROJECT),
        (ARGO_OF_SHOP, TRENCH, None),
        (ARGO, "Please refactor the parser function", None),
        (ARGO, "Is Argo ready for releases?", NOTE_TOUCHED),
        (SUNDAYS, "Plan my journey to Rome", NOTE_OF_PERSON),
        (SUNDAYS, "Plan a journey to Rome for my sister", None),
        (SUNDAYS, TRENCH, None),
        ({**SUNDAYS, "type": "preference"}, "Plan my journey to Rome", None),
        (NUTS, "Suggest a dessert for eight people", NOTE_OF_FOOD),
        (NUTS, "Suggest a game for eight people", None),
        ({"content": GERMAN, "type": "preference"}, TRENCH, NOTE_HOW_TO_ANSWER),
    ],
)
def test_the_receipt_says_why_a_rule_applies(bare, rule, said, reason):
    bare.remember(**rule)
    turn = _say(bare, said, project="shop", contextual_min_score=1)
    (found,) = [
        (each.fate, each.note)
        for each in turn.receipt.candidates
        if each.found is CandidateSource.STANDING
    ]
    assert found == ((Fate.NOT_APPLICABLE, "") if reason is None else (Fate.INJECTED, reason))


@pytest.mark.parametrize("said", ["what a week", "brb, back in ten", "ich bin müde"])
def test_no_rule_applies_to_what_asks_for_nothing(bare, said):
    for rule in (ARGO_OF_SHOP, SUNDAYS, NUTS, {"content": GERMAN, "type": "preference"}):
        bare.remember(**rule)
    assert _say(bare, said, project="shop").block is None


def test_a_language_is_not_asked_for_in_that_language(bare):
    bare.remember(GERMAN, type="preference")
    more = "Always answer in German, in short sentences, and say where each figure comes from"
    bare.remember(more, type="preference")
    asked = {"memory_detect_conflicts": False, "semantic_threshold": 1.0}
    in_german = _say(bare, "Wie tief ist der Marianengraben im Pazifik?", **asked)
    assert _rules(in_german.block) == [more]
    in_french = _say(bare, "Quelle est la profondeur de la fosse ?", session="t", **asked)
    assert set(_rules(in_french.block)) == {GERMAN, more}


def test_a_rule_is_touched_although_many_memories_match_the_message_better(bare):
    bare.remember("The gherkin jars stay sealed during transport", type="constraint")
    bare.memories.remember_all([f"My gherkin order number {n} arrived" for n in range(60)])
    turn = _say(bare, "Which gherkin order arrived for me?", search_limit=2)
    (rule,) = [each for each in turn.receipt.candidates if each.found is CandidateSource.STANDING]
    assert all(each.memory != rule.memory for each in turn.receipt.candidates if each != rule)
    assert (rule.fate, rule.note) == (Fate.INJECTED, NOTE_TOUCHED)
    assert rule.relevance > 0


# Whether a rule is about answers


ABOUT_ANSWERS = [
    "Always answer me in bullet points, no long prose.",
    "Keep your replies short",
    "I prefer concise answers",
    "Explain things step by step",
    "Don't apologise and don't praise my questions, get to the point.",
    "No emojis, please",
    "Use British spelling in everything you write for me.",
    "Antworte immer auf Deutsch",
    "Bitte duze mich",
    "Ich möchte kurze Antworten",
    "Réponds toujours en français",
    "Explique-moi tout simplement",
    "Responde siempre en español",
    "Prefiero respuestas cortas",
]
ABOUT_OTHER_THINGS = [
    "Customer names never appear in logs",
    "No deployments on Fridays after noon",
    "API responses must be JSON",
    "Reply to customers within a day",
    "Keine Deployments am Freitag",
    "Pas de noix dans les recettes",
    "Nunca uses SQL directo",
    "I'm vegetarian and I can't stand coriander.",
]


@pytest.mark.parametrize("rule", ABOUT_ANSWERS)
def test_a_rule_on_how_to_answer_applies_to_every_message(bare, rule):
    bare.remember(rule, type="preference")
    assert _rules(_say(bare, "How deep is the Marianas Trench?").block) == [rule]


@pytest.mark.parametrize("rule", ABOUT_OTHER_THINGS)
def test_any_other_rule_does_not_apply_to_a_message_that_does_not_touch_it(bare, rule):
    bare.remember(rule, type="constraint")
    turn = _say(bare, "How deep is the Marianas Trench?")
    assert turn.block is None
    assert _fates(bare, turn) == {rule: Fate.NOT_APPLICABLE}


def test_rules_stay_in_the_store_of_another_process(tmp_path):
    where = {"embedder": FakeEmbedder()}
    with Tacit.open(tmp_path / "memory.db", **where) as one:
        one.remember(GERMAN, type="preference")
        first = _say(one, BREAD)
    with Tacit.open(tmp_path / "memory.db", **where) as other:
        assert _say(other, "How do I bake rye bread?", first.history).block is None
        assert [block.has_standing_rules for block in other.sessions.get("s").blocks] == [True]


def test_an_agents_word_against_a_rule_on_how_to_answer_is_not_shown(bare):
    bare.remember("The answer language is German", key="answer.language", type="preference")
    bare.remember("French", key="answer.language", type="fact", by="agent")
    turn = _say(bare, BREAD, fact_limit=0)
    assert _rules(turn.block) == ["answer.language: The answer language is German"]


def test_rules_on_how_to_answer_come_although_the_search_is_late(tacit, monkeypatch):
    def fail(*_, **__):
        raise TimeoutError

    monkeypatch.setattr(type(tacit._context.searcher), "search", fail)
    turn = _say(tacit, BREAD)
    assert _rules(turn.block) == [GERMAN]
    assert "search: late" in turn.receipt.degraded


def test_many_rules_of_a_project_push_out_none_of_a_persons_own(bare):
    own = ["Answer in short words", "Answer in French"]
    for place, rule in enumerate(own):
        bare.remember(rule, type="preference", importance=0.2 - place / 10)
    for number in range(205):
        content = f"Answer with word {number}"
        bare.remember(content, type="constraint", scope="project", scope_id="p", importance=1.0)
    asked = {"project": "p", "memory_detect_conflicts": False, "semantic_threshold": 1.0}
    shown = _rules(_say(bare, BREAD, **asked).block)
    assert shown[:2] == own
    assert len(shown) == 8


def test_a_project_keeps_its_share_of_the_lines_beside_many_own_rules(bare):
    for number in range(40):
        bare.remember(f"Answer with word {number}", type="preference")
        project = {"scope": "project", "scope_id": "p"}
        bare.remember(f"Answer with image {number}", type="constraint", **project)
    asked = {"project": "p", "memory_detect_conflicts": False, "semantic_threshold": 1.0}
    shown = _rules(_say(bare, BREAD, **asked).block)
    assert ["word" in each for each in shown] == [True] * 4 + [False] * 4


def test_own_rules_come_though_those_of_others_fill_the_section_in_view(bare):
    asked = {"project": "p", "memory_detect_conflicts": False, "semantic_threshold": 1.0}
    for number in range(20):
        content = f"Answer with image {number}"
        bare.remember(content, type="constraint", scope="project", scope_id="p")
    first = _say(bare, BREAD, **asked)
    assert len(_rules(first.block)) == 8
    bare.remember("Answer in French", type="preference")
    later = _say(bare, "How do I bake rye bread?", first.history, **asked)
    assert _rules(later.block) == ["Answer in French"]
