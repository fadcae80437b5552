"""The command line on turns: what they would inject, what they did, and their sessions."""

import json

import pytest

from tacit import Tacit
from tacit.core.receipt import NOTE_MARKED
from tacit.search.searcher import Searcher
from tests.support import say

NOBODY = "01890a5d-ac96-774b-bcce-b302099a8057"
QUESTION = "which tokens did we choose for the API?"
NO_FLOOR = ("--set", "contextual_min_score=0")


@pytest.fixture
def tacit(tmp_path):
    """The store that the commands work on, in the hands of an application."""
    with Tacit.open(tmp_path / "cli.db", embedder="none") as tacit:
        yield tacit


def _json(ran):
    assert ran.code == 0, ran.err
    return json.loads(ran.out)


def _words(text):
    """Text without the layout of tables and panels."""
    return " ".join(text.replace("│", " ").split())


def _take_turn(tacit, text, session="chat", **settings):
    """A turn that is committed; returns it."""
    turn = tacit.turn(
        session=session,
        text=text,
        **{"contextual_min_score": 0.0} | settings,
    )
    turn.commit("Well.")
    return turn


def _explained(run, text, *options):
    """The fates in an explanation, by memory."""
    told = _json(run("explain", text, *NO_FLOOR, "--json", *options))
    return {each["memory"]: each["fate"] for each in told["candidates"]}


def _tokens(tacit, **fields):
    return tacit.remember("We chose JWT tokens for the API", type="decision", **fields).id


def test_explain_shows_the_block_and_each_candidate_with_its_fate(run, tacit):
    id = _tokens(tacit)
    shown = run("explain", QUESTION, *NO_FLOOR)
    assert shown.code == 0
    assert shown.err == ""
    assert "[Relevant to this message]" in shown.out
    assert "[Decision] We chose JWT tokens for the API (importance: 0.8)" in shown.out
    lines = shown.out.splitlines()
    (place,) = [number for number, line in enumerate(lines) if line.startswith("injected")]
    assert f"{id[-8:]}  decision We chose JWT tokens for the API" in lines[place]
    assert lines[place + 1].strip().startswith("contextual · score ")
    assert "words █" in lines[place + 1]


def test_the_line_about_the_project_breaks_after_the_path_and_never_inside_it(
    run, tacit, tmp_path, monkeypatch
):
    monkeypatch.setenv("COLUMNS", "60")
    folder = tmp_path / ("shop" * 20)
    folder.mkdir()
    monkeypatch.chdir(folder)
    lines = run("explain", QUESTION).out.splitlines()
    place = next(number for number, line in enumerate(lines) if folder.name in line)
    assert lines[place].endswith(f"/{folder.name};")
    assert max(len(line) for line in lines if folder.name not in line) <= 60


@pytest.mark.parametrize("width", [80, 120])
@pytest.mark.parametrize("command", ["explain", "last"])
def test_a_turn_fits_a_terminal_and_keeps_its_sentences_together(
    run, tacit, monkeypatch, command, width
):
    monkeypatch.setenv("COLUMNS", str(width))
    tacit.remember("The API takes JWT tokens, since mobile clients keep no cookies", confidence=0.9)
    _tokens(tacit)
    _take_turn(tacit, QUESTION)
    asked = ("explain", QUESTION, *NO_FLOOR) if command == "explain" else ("last",)
    lines = run(*asked, "--no-project").out.splitlines()
    assert max(map(len, lines)) <= width
    rows = [line for line in lines if line.startswith(("injected", "seen_in_window"))]
    assert any(line.rstrip().endswith("decision We chose JWT tokens for the API") for line in rows)
    assert all(len(line.split()) > 6 for line in rows)
    (figures, *_) = [line for line in lines if "relevance" in line]
    assert ("words" in figures) == (width == 120)


def test_explain_lists_what_is_injected_first(run, tacit):
    tacit.remember("We chose tokens for the API, which tokens did we choose?", trust="untrusted")
    _tokens(tacit)
    told = _json(run("explain", QUESTION, *NO_FLOOR, "--json"))
    assert {each["fate"] for each in told["candidates"]} == {"untrusted", "injected"}
    fates = [line.split()[0] for line in run("explain", QUESTION, *NO_FLOOR).out.splitlines()]
    assert [fate for fate in fates if fate in ("untrusted", "injected")] == [
        "injected",
        "untrusted",
    ]


def test_explain_ends_with_figures(run, tacit):
    _tokens(tacit)
    told = _json(run("explain", QUESTION, *NO_FLOOR, "--json"))
    headline, cost, spent, note = run("explain", QUESTION, *NO_FLOOR).out.splitlines()[-4:]
    assert headline.startswith("memory injection: 0 pinned + 1 contextual = 1 total, took ")
    assert cost == (
        f"{told['kind']} request · {told['tokens']} tokens, {told['characters']} characters"
    )
    for stage in told["timings_ms"].keys() - {"total"}:
        assert f"{stage} " in spent.partition("ms: ")[2]
    assert note == "note: vectors: no embedding model"


def test_explain_leaves_no_trace(run, tacit):
    id = _tokens(tacit)
    _take_turn(tacit, QUESTION)
    before = tacit.sessions.get("chat").to_dict(), tacit.get(id).to_dict()
    assert run("explain", QUESTION, "--session", "chat").code == 0
    assert run("explain", QUESTION, "--session", "other").code == 0
    assert (tacit.sessions.get("chat").to_dict(), tacit.get(id).to_dict()) == before
    assert [each.id for each in tacit.sessions.list()] == ["chat"]
    assert len(tacit.turns.list()) == 1


def test_explain_as_json_is_the_receipt_with_the_words_of_the_block(run, tacit):
    id = _tokens(tacit)
    told = _json(run("explain", QUESTION, *NO_FLOOR, "--session", "chat", "--json"))
    assert (told["session"], told["turn"], told["query"]) == ("chat", 1, QUESTION)
    assert (told["injected"], told["count"], told["filtered"]) == (True, 1, 0)
    assert told["block_text"].startswith(f"[Context from memory] #{told['block']}\n")
    (candidate,) = told["candidates"]
    assert candidate["memory"] == id
    assert candidate["signals"]["lexical"] > 0


def test_explain_is_more_patient_than_a_turn(run, tacit, monkeypatch):
    id = _tokens(tacit)
    monkeypatch.setenv("TACIT_MEMORY_INJECTION_DEADLINE_MS", "1")
    assert _explained(run, QUESTION) == {id: "injected"}


def test_explain_says_when_there_is_nothing(run, tacit):
    _tokens(tacit)
    shown = run("explain", "thanks")
    assert "Nothing to inject, so there is no block." in shown.out
    assert "skipped (low_information)" in shown.out
    assert _json(run("explain", "thanks", "--json"))["block_text"] is None


def test_what_is_below_the_floor_is_counted_and_shown_on_request(run, tacit):
    id = _tokens(tacit)
    high = ("explain", QUESTION, "--set", "contextual_min_score=1")
    counted = run(*high).out
    assert "1 candidate not relevant; --all shows them" in counted
    assert id[-8:] not in counted
    shown = run(*high, "--all").out
    assert "candidate not relevant" not in shown
    (row,) = [line for line in shown.splitlines() if line.startswith("below_floor")]
    assert id[-8:] in row
    assert "nothing is relevant enough" in shown


def test_a_session_is_not_shown_twice_what_it_has_in_view(run, tacit):
    id = _tokens(tacit)
    _take_turn(tacit, QUESTION)
    assert _explained(run, QUESTION, "--session", "chat") == {id: "seen_in_window"}
    assert _explained(run, QUESTION, "--session", "other") == {id: "injected"}
    assert _explained(run, QUESTION) == {id: "injected"}


def test_a_history_says_what_is_in_view_and_what_a_follow_up_is_about(run, tacit, tmp_path):
    id = _tokens(tacit)
    turn = _take_turn(tacit, QUESTION)
    (tmp_path / "whole.json").write_text(json.dumps(turn.history))
    (tmp_path / "none.json").write_text("[]")
    in_chat = ("--session", "chat", "--history")
    assert _explained(run, QUESTION, *in_chat, tmp_path / "whole.json") == {id: "seen_in_window"}
    assert _explained(run, QUESTION, *in_chat, tmp_path / "none.json") == {id: "injected"}
    follow_up = ("explain", "why that one?", "--json", *in_chat)
    assert "token" in _json(run(*follow_up, tmp_path / "whole.json"))["context"]
    assert _json(run(*follow_up, tmp_path / "none.json"))["context"] == []


@pytest.mark.parametrize("scope", ["user", "project", "org", "session"])
def test_explain_sees_what_belongs_to_those_who_are_named(run, tacit, scope):
    id = _tokens(tacit, scope=scope, scope_id="mine")
    assert _explained(run, QUESTION, f"--{scope}", "mine") == {id: "injected"}
    assert _explained(run, QUESTION, f"--{scope}", "theirs") == {}


def test_explain_sees_what_the_agent_may_see(run, tacit):
    id = _tokens(tacit, agent="coder")
    assert _explained(run, QUESTION, "--agent", "coder") == {id: "injected"}
    assert _explained(run, QUESTION, "--agent", "writer") == {}


def test_settings_of_every_kind_can_be_changed_for_once(run, tacit):
    todo = tacit.remember("Paint the fence", type="todo").id
    goal = tacit.remember("Own a boat", type="goal").id
    event = tacit.remember("It rained", type="event").id
    pinning = ("explain", "thanks", "--json", "--set", "ambient_enabled=true", "--set")
    told = _json(run(*pinning, "pinned_types=todo, goal"))
    assert {each["memory"] for each in told["candidates"]} == {todo, goal}
    told = _json(run(*pinning, "pinned_types=event", "--set", "memory_confidence_threshold=0.5"))
    assert [each["memory"] for each in told["candidates"]] == [event]
    told = _json(run(*pinning, "pinned_types=goal,todo", "--set", "max_total=1"))
    assert [each["fate"] for each in told["candidates"]] == ["injected", "over_slots"]


def test_conflicting_memories_name_each_other(run, tacit):
    old = tacit.remember("Billing runs on MySQL", confidence=1.0).id
    new = tacit.remember("Billing runs on PostgreSQL", by="operator", confidence=1.0).id
    asked = ("explain", "what does billing run on?", *NO_FLOOR)
    shown = run(*asked).out
    assert f"with {old[-8:]}: conflict" in shown
    assert f"with {new[-8:]}: conflict" in shown
    omitted = run(*asked, "--set", "conflict_policy=omit").out
    assert f"with {new[-8:]}: same confidence, different sources" in omitted
    assert "conflict_omitted" in omitted


def test_a_shadowed_fact_names_what_is_current(run, tacit):
    indent = {"type": "preference", "key": "editor.indent"}
    near = tacit.remember("2 spaces", scope="session", scope_id="default", **indent).id
    tacit.remember("4 spaces", scope="project", scope_id="shop", **indent)
    shown = run("explain", "how to indent in the editor?", "--project", "shop").out
    assert "shadowed" in shown
    assert f"by {near[-8:]}: session over project" in shown
    assert "editor.indent: 4 spaces" in shown


def test_fates_have_their_colours(run, tacit, monkeypatch):
    _tokens(tacit)
    _take_turn(tacit, QUESTION)
    tacit.remember("Tokens for the API expire hourly", trust="untrusted")
    tacit.remember("Clients choose the API tokens they send")
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    asked = ("explain", QUESTION, "--session", "chat", "--all", "--set")
    shown = run(*asked, "contextual_min_score=0").out
    assert "\x1b[32minjected" in shown
    assert "\x1b[33mseen_in_window" in shown
    assert "\x1b[31muntrusted" in shown
    assert "\x1b[90mbelow_floor" in run(*asked, "contextual_min_score=1").out


def test_a_degraded_part_stands_out_from_the_figures(run, tacit, monkeypatch):
    def fail(*_, **__):
        raise OSError("the disk is gone")

    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setattr(Searcher, "search", fail)
    assert "\x1b[33mdegraded: search: failed (the disk is gone)" in run("explain", QUESTION).out


def test_last_shows_the_last_turn_that_was_committed(run, tacit):
    _tokens(tacit)
    turn = _take_turn(tacit, QUESTION)
    tacit.turn(session="chat", text="never mind").roll_back()
    told = _json(run("last", "--json"))
    assert told == turn.receipt.to_dict() | {"block_text": turn.block, "waiting_prompts": []}
    heading, receipt, said, *_ = run("last").out.splitlines()
    assert heading.startswith("turn 1 of session chat, ")
    assert receipt == f"receipt {turn.receipt.id}"
    assert said == QUESTION


def test_last_prints_the_block_and_the_candidates(run, tacit):
    _tokens(tacit)
    first = _take_turn(tacit, QUESTION)
    id = tacit.remember("Boats need paint every spring").id
    turn = _take_turn(tacit, "do boats need paint?", history=first.history)
    shown = run("last").out
    assert _words(turn.block) in _words(shown)
    (row,) = [line for line in shown.splitlines() if line.startswith("injected")]
    assert id[-8:] in row


def test_last_is_of_one_session_where_one_is_named(run, tacit):
    _tokens(tacit)
    _take_turn(tacit, QUESTION, session="one")
    _take_turn(tacit, "which tokens?", session="two")
    assert _json(run("last", "--json"))["session"] == "two"
    assert _json(run("last", "--session", "one", "--json"))["session"] == "one"


def test_a_memory_that_is_gone_shows_as_gone(run, tacit):
    id = _tokens(tacit)
    _take_turn(tacit, QUESTION)
    tacit.forget(id)
    assert "(forgotten)" in run("last").out
    assert "(forgotten)" in run("session", "show", "chat").out
    tacit.erase(id)
    shown = run("last").out
    assert "JWT" not in shown
    assert "(erased)" in shown
    assert "were erased" in shown


def test_sessions_are_listed_with_their_speakers(run, tacit):
    _take_turn(tacit, "hello", session="first", user="ann")
    _take_turn(tacit, "hello", session="second", user="ann")
    _take_turn(tacit, "hello there", session="second", user="bob")
    tacit.sessions.pause(session="first")
    listed = _json(run("sessions", "--json"))
    assert [(each["id"], each["turns"], each["speakers"], each["paused"]) for each in listed] == [
        ("second", 2, ["ann", "bob"], False),
        ("first", 1, ["ann"], True),
    ]
    assert [each["id"] for each in _json(run("sessions", "-n", "1", "--json"))] == ["second"]
    _, second, first = run("sessions").out.splitlines()
    assert second.split()[:4] == ["second", "2", "ann,", "bob"]
    assert "paused" in first
    assert "paused" not in second


def test_sessions_are_told_by_their_client_their_project_and_their_first_words(run, tacit):
    made_up = "0b8f3c52-6d0e-4f7e-9d55-3a1c5e7f9b21"
    where = {"agent": "claude-code", "project": "github.com/acme/shop"}
    for said in ("Which crane is ours?", "And which is theirs?", "Thanks"):
        _take_turn(tacit, said, session=made_up, **where)
    (line,) = run("sessions").out.splitlines()[1:]
    for shown in ("5e7f9b21", "claude-code", "shop", "Which crane is ours?"):
        assert shown in line
    assert made_up not in line
    (told,) = _json(run("sessions", "--json"))
    assert (told["id"], told["client"], told["project"]) == (made_up, *where.values())
    assert told["first_words"] == "Which crane is ours?"
    assert _json(run("session", "show", "5e7f9b21", "--json"))["id"] == made_up
    run("session", "pause", "5e7f9b21")
    assert tacit.sessions.is_paused(session=made_up)


def test_without_a_session_the_list_says_so(run, tacit):
    assert "There was no turn in this workspace yet." in run("sessions").out
    assert _json(run("sessions", "--json")) == []


def test_a_session_is_shown_as_a_timeline_with_what_may_come_again(run, tacit):
    tokens = _tokens(tacit)
    boats = tacit.remember("Boats need paint every spring").id
    first = _take_turn(tacit, QUESTION, max_injected_blocks_in_history=1)
    second = _take_turn(
        tacit, "do boats need paint?", history=first.history, max_injected_blocks_in_history=1
    )
    third = _take_turn(tacit, "thanks", history=second.history, max_injected_blocks_in_history=1)
    assert third.block is None
    shown = run("session", "show", "chat").out.splitlines()
    rows = {line.split()[0]: _words(line) for line in shown if line.strip()}
    assert [name for name in rows if name.isdigit() and len(name) == 1] == ["1", "2", "3"]
    assert f"1 contextual {first.receipt.block} pruned {QUESTION}" in rows["1"]
    assert f"1 contextual {second.receipt.block} live" in rows["2"]
    assert "skipped (low_information)" in rows["3"]
    assert f"{first.receipt.block} may come decision We chose" in rows[tokens[-8:]]
    assert f"{second.receipt.block} in view fact Boats" in rows[boats[-8:]]


def test_a_memory_with_new_words_may_come_again(run, tacit):
    id = _tokens(tacit)
    _take_turn(tacit, QUESTION)
    assert "in view" in run("session", "show", "chat").out
    tacit.edit(id, content="We chose JWT tokens for the public API")
    assert "may come" in run("session", "show", "chat").out
    assert _explained(run, QUESTION, "--session", "chat") == {id: "injected"}


def test_a_long_session_says_from_which_turn_on_it_is_shown(run, tacit):
    for number in range(22):
        _take_turn(tacit, f"good morning {number}")
    shown = run("session", "show", "chat").out
    assert "turns before 3 are not shown" in shown
    assert "good morning 1 " not in shown
    assert "good morning 2" in shown


def test_a_session_as_json_is_its_report(run, tacit):
    _tokens(tacit)
    _take_turn(tacit, QUESTION)
    assert _json(run("session", "show", "chat", "--json")) == tacit.sessions.get("chat").to_dict()


def test_after_a_reset_everything_may_come_again(run, tacit):
    id = _tokens(tacit)
    _take_turn(tacit, QUESTION)
    assert "1 memory cleared" in run("session", "reset", "chat").out
    assert _explained(run, QUESTION, "--session", "chat") == {id: "injected"}
    assert _json(run("session", "reset", "chat", "--json")) == {
        "session": "chat",
        "memory_tracking_reset": True,
        "previous_count": 0,
        "abandoned_turns": 0,
    }


@pytest.mark.parametrize("kind", ["session", "project"])
def test_what_is_paused_gets_nothing_until_it_is_resumed(run, tacit, kind):
    id = _tokens(tacit)
    option = ("--project",) if kind == "project" else ()
    asked = (QUESTION, f"--{kind}", "quiet")
    assert f"{kind} quiet is paused" in run("session", "pause", "quiet", *option).out
    assert "skipped (paused)" in run("explain", *asked).out
    assert _explained(run, *asked) == {}
    assert f"{kind} quiet is served again" in run("session", "resume", "quiet", *option).out
    assert f"{kind} quiet was not paused" in run("session", "resume", "quiet", *option).out
    assert tacit.preview(session="quiet", text=QUESTION).receipt.skipped is None
    assert _explained(run, QUESTION, "--session", "quiet") == {id: "injected"}


def test_nothing_that_is_said_while_paused_is_written_down(run, tacit):
    assert run("session", "pause", "chat").code == 0
    _take_turn(tacit, "the surprise party is on Friday")
    assert run("last").code == 2


def test_pausing_as_json_names_what_was_paused(run, tacit):
    pause, resume = ("session", "pause", "x", "--json"), ("session", "resume", "x", "--json")
    assert _json(run(*pause)) == {"session": "x", "paused": True}
    assert _json(run(*resume)) == {"session": "x", "paused": False, "was_paused": True}
    assert _json(run(*resume)) == {"session": "x", "paused": False, "was_paused": False}
    assert _json(run(*pause, "--project")) == {"project": "x", "paused": True}


def test_a_memory_of_no_use_counts_less_where_the_same_is_asked(run, tacit):
    id = _tokens(tacit)
    turn = _take_turn(tacit, QUESTION)
    asked = ("explain", QUESTION, *NO_FLOOR)
    (before,) = _json(run(*asked, "--json"))["candidates"]
    marked = run("irrelevant", id[-8:])
    assert f"{id[-8:]} counts less where something like this is said: {QUESTION}" in marked.out
    (after,) = _json(run(*asked, "--json"))["candidates"]
    assert after["score"] < before["score"]
    assert "marked of no use for a similar question" in run(*asked, "--all").out
    assert _json(run("irrelevant", id, "--receipt", turn.receipt.id, "--json")) == {
        "memory": id,
        "receipt": turn.receipt.id,
    }


def test_a_memory_of_an_earlier_turn_is_marked_by_its_receipt(run, tacit):
    id = _tokens(tacit)
    turn = _take_turn(tacit, QUESTION)
    _take_turn(tacit, "thanks")
    refused = run("irrelevant", id)
    assert refused.code == 2
    assert "is no candidate" in refused.err
    assert run("irrelevant", id, "--receipt", turn.receipt.id).code == 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["explain", "x", "--session", ""], "session"),
        (["explain", "x", "--set", "search_limit"], "write search_limit=5"),
        (["explain", "x", "--set", "serch_limit=3"], "did you mean search_limit?"),
        (["explain", "x", "--set", "session=3"], "no such setting"),
        (["explain", "x", "--set", "search_limit=many"], "whole number from 1 to 100"),
        (["explain", "x", "--set", "search_limit=0"], "out of range; 1 to 100"),
        (["explain", "x", "--set", "enabled=perhaps"], "true or false"),
        (["explain", "x", "--set", "pinned_sort=odd"], "recent, importance"),
        (["explain", "x", "--set", "memory_scope_priority=galaxy"], "session, project, user, org"),
        (["explain", "x", "--history", "missing.json"], "missing.json cannot be read (No such"),
        (["explain", "x", "--history", "words.json"], "words.json is not JSON"),
        (["explain", "x", "--history", "latin.json"], "latin.json is not JSON"),
        (["explain", "x", "--history", "object.json"], "object.json: expected a list of messages"),
        (["explain", "x", "--history", "null.json"], "null.json: expected a list of messages"),
        (["explain", "x", "--history", "roles.json"], "history[0]"),
        (["last"], "there was no turn in workspace 'default' yet"),
        (["last", "--session", "nowhere"], "there was no turn in session 'nowhere'"),
        (["sessions", "--limit", "0"], "1 to 1000"),
        (["session", "show", "nowhere"], "there is no session 'nowhere'"),
        (["session", "reset", "nowhere"], "there is no session 'nowhere'"),
        (["session", "show", "shop", "--project"], "cannot show a project"),
        (["session", "reset", "shop", "--project"], "cannot reset a project"),
        (["session", "pause", ""], "session"),
        (["session", "halt", "chat"], "halt"),
        (["irrelevant", "zzzz"], "zzzz"),
        (["irrelevant", "fence", "--receipt", NOBODY], "there is no receipt"),
        (["irrelevant", "fence"], "there was no turn"),
    ],
)
def test_bad_input_ends_with_two_and_says_what_would_be_right(
    run, tacit, tmp_path, monkeypatch, arguments, words
):
    fence = tacit.remember("Paint the fence").id
    monkeypatch.chdir(tmp_path)
    (tmp_path / "words.json").write_text("hello")
    (tmp_path / "latin.json").write_bytes(b'["caf\xe9"]')
    (tmp_path / "object.json").write_text('{"role": "user"}')
    (tmp_path / "null.json").write_text("null")
    (tmp_path / "roles.json").write_text('["hello"]')
    ran = run(*(fence if argument == "fence" else argument for argument in arguments))
    assert ran.code == 2
    assert words in _words(ran.err)
    assert ran.out == ""


def test_these_commands_make_no_database(run, tmp_path):
    for command in (["explain", "x"], ["last"], ["sessions"], ["session", "pause", "x"]):
        ran = run(*command, db=tmp_path / "typo" / "no.db")
        assert ran.code == 2
        assert "there are no memories" in ran.err
    assert not (tmp_path / "typo").exists()


def test_what_was_stored_and_said_cannot_steer_the_terminal(run, tacit):
    tacit.remember("Tokens \x1b[2J\u202e\x07 of the API")
    _take_turn(tacit, "which tokens \x1b[2J has the API?")
    for command in (["explain", "API tokens", *NO_FLOOR], ["last"], ["session", "show", "chat"]):
        shown = run(*command)
        assert shown.code == 0
        assert not {"\x1b", "\u202e", "\x07"} & set(shown.out)
        assert r"\u001b[2J" in shown.out
    assert "\x1b" not in run("irrelevant", tacit.list()[0].id).out


def test_markup_in_names_is_text(run, tacit):
    _take_turn(tacit, "hello [bold", session="[red]chat", user="[b]ann")
    for command in (["last"], ["sessions"], ["session", "show", "[red]chat"]):
        assert "[red]chat" in run(*command).out
    assert "[b]ann" in run("sessions").out
    assert "hello [bold" in run("last").out
    assert "session [red]chat is paused" in run("session", "pause", "[red]chat").out


MOVED = "we're in Hamburg now, Jonas got a job at the university hospital"
ASKED = "where did Jonas get a job?"


@pytest.mark.episodes
def test_explain_shows_what_was_said_with_its_day_and_its_scores(run, tacit):
    say(tacit, MOVED)
    (said,) = tacit.episodes.list()
    shown = run("explain", ASKED, "--session", "other", *NO_FLOOR)
    assert shown.code == 0
    table = _words(shown.out.partition("as the model sees it")[2].partition("fate")[2])
    assert f"said {said.at:%Y-%m-%d}: we're in Hamburg" in table
    assert said.id[-8:] in table
    assert "1 said earlier = 1 total" in table
    told = _json(run("explain", ASKED, "--session", "other", *NO_FLOOR, "--json"))
    assert f"{told['candidates'][0]['relevance']:.2f}" in table


@pytest.mark.episodes
def test_forgotten_words_are_told_as_such_in_what_a_session_was_shown(run, tacit):
    say(tacit, MOVED)
    (said,) = tacit.episodes.list()
    _take_turn(tacit, ASKED, history=())
    shown = run("session", "show", "chat").out
    assert "1 episode" in shown
    assert "we're in Hamburg" in _words(shown)
    tacit.episodes.forget(said.id)
    shown = _words(run("session", "show", "chat").out)
    assert "we're in Hamburg" not in shown
    assert "(forgotten)" in shown


@pytest.mark.episodes
def test_words_that_were_said_are_marked_as_not_useful_in_a_turn(run, tacit):
    say(tacit, MOVED)
    (said,) = tacit.episodes.list()
    _take_turn(tacit, ASKED, history=())
    assert run("irrelevant", said.id[-8:]).code == 0
    told = _json(run("explain", ASKED, "--session", "other", *NO_FLOOR, "--json"))["candidates"]
    assert [each["note"] for each in told if each["memory"] == said.id] == [NOTE_MARKED]
