"""The pages of sessions: what happened in them, and what can be done with them."""

import json
import re

import pytest
from playwright.sync_api import expect

from tests.browser.furnishing import HOSTILE
from tests.hooking import wait_until
from tests.proxying import provider_on_loopback

TALK = (
    f"Where is the office? {HOSTILE}",
    "ok",
    "Who owns the migration?",
    "When does billing ship?",
)


def talked(memory, session, *, again=1):
    """A session with a turn for every line of the talk, of which one block stays."""
    for content in (f"The office is in Porto {HOSTILE}", "Ann owns the migration"):
        memory.remember(content)
    memory.remember("Billing ships in May")
    history = []
    for text in TALK * again:
        with memory.turn(
            session=session,
            text=text,
            history=history,
            contextual_min_score=0,
            search_limit=1,
            context_aware_query=False,
            max_injected_blocks_in_history=1,
        ) as turn:
            turn.commit("(the model answers)")
        history = turn.history
    return history


def turn_of(page, number):
    return page.locator(f"#turn-{number}")


def test_a_session_shows_its_turns_what_they_injected_and_where_the_blocks_are(memory, someone):
    talked(memory, "support/4711")
    memory.sessions.set_variables("support/4711", {"stage": "<b>triage</b>"})
    memory.sessions.fork("support/4711", "resting")
    memory.sessions.pause(session="resting")
    page = someone.go("/sessions")
    resting = page.get_by_role("row").filter(has_text="resting")
    expect(resting.get_by_text("Paused")).to_be_visible()
    row = page.get_by_role("row").filter(has_text="support/4711")
    expect(row.get_by_text("Served")).to_be_visible()
    row.get_by_role("link").click()
    expect(page.get_by_role("heading", name="Session support/4711")).to_be_visible()
    expect(page.get_by_text("1 block stands in the history; 2 pruned.")).to_be_visible()
    expect(turn_of(page, 1).get_by_text("Pruned", exact=True)).to_be_visible()
    for told in (f"Where is the office? {HOSTILE}", f"The office is in Porto {HOSTILE}"):
        expect(turn_of(page, 1).get_by_text(told, exact=True)).to_be_visible()
    expect(turn_of(page, 2).get_by_text("says too little to search by")).to_be_visible()
    last = turn_of(page, 4)
    expect(last.get_by_text("In the history")).to_be_visible()
    expect(last.get_by_text("1 memory injected")).to_be_visible()
    expect(last.get_by_text("Took out the block of turn 3")).to_be_visible()
    expect(last.locator("pre")).to_be_hidden()
    last.get_by_text("The block as the model saw it").click()
    expect(last.locator("pre")).to_contain_text("[Fact] Billing ships in May")
    why = last.get_by_role("link", name="open in the Inspector")
    assert memory.turns.list(session="support/4711")[0].id in why.get_attribute("href")
    ledger = page.get_by_role("region", name="Ledger").get_by_role("row")
    expect(ledger.filter(has_text="Billing ships")).to_contain_text("not yet")
    expect(ledger.filter(has_text="Ann owns")).to_contain_text("since")
    expect(page.get_by_text('"<b>triage</b>"')).to_be_visible()


def test_a_turn_shows_its_standing_rules_apart_and_that_they_stay(memory, someone):
    rule = memory.remember("Always answer in German", type="preference")
    talked(memory, "ruled")
    page = someone.go("/sessions/ruled")
    expect(page.get_by_text("1 block of standing rules stands in the history.")).to_be_visible()
    first = turn_of(page, 1)
    for word in ("Pruned", "Rules in the history"):
        expect(first.get_by_text(word, exact=True)).to_be_visible()
    expect(first.get_by_text("1 standing rule and 1 memory injected")).to_be_visible()
    headings = first.locator("p.kind")
    expect(headings).to_have_text(["Standing rules", "For this message"])
    expect(first.locator("ul").first).to_contain_text("Always answer in German")
    expect(first.locator("summary").first).to_contain_text("block of standing rules")
    memory.erase(rule.id)  # the other sessions of this server have none


def test_a_session_is_paused_resumed_reset_and_cleared(memory, someone):
    talked(memory, "s1")
    page = someone.go("/sessions/s1")
    page.get_by_role("button", name="Pause").click()
    resume = page.get_by_role("button", name="Resume")
    expect(resume).to_be_focused()
    assert memory.sessions.get("s1").is_paused
    resume.press("Enter")
    expect(page.get_by_text("Served", exact=True)).to_be_visible()
    assert not memory.sessions.get("s1").is_paused
    page.get_by_role("button", name="Reset…").click()
    expect(page.get_by_role("dialog")).to_contain_text("cannot be undone")
    assert any(entry.pruned_at is None for entry in memory.sessions.get("s1").ledger)
    page.get_by_role("button", name="Reset", exact=True).click()
    expect(page.get_by_text("1 memory may come again.")).to_be_visible()
    expect(turn_of(page, 4).get_by_text("Dropped")).to_be_visible()
    assert all(entry.pruned_at for entry in memory.sessions.get("s1").ledger)
    expect(page.get_by_text("Reset or cleared", exact=True)).to_be_visible()
    page.get_by_role("button", name="End…").click()
    expect(page.get_by_role("dialog")).to_contain_text("Nothing is closed")
    page.get_by_role("button", name="End", exact=True).click()
    expect(page.get_by_text("Ended. Nothing waits to be learned.")).to_be_visible()
    page.get_by_role("button", name="Clear…").click()
    page.get_by_role("button", name="Clear", exact=True).click()
    expect(page.get_by_text("0 memories may come again.")).to_be_visible()


def test_a_branch_has_a_page_of_its_own_and_a_name_that_is_new(memory, someone):
    talked(memory, "stem")
    memory.sessions.fork("stem", "twig")
    page = someone.go("/sessions/stem")
    page.get_by_role("button", name="Fork…").click()
    name = page.get_by_label("Id of the branch")
    name.fill("twig")
    page.get_by_role("button", name="Fork", exact=True).click()
    expect(page.get_by_text("name a new one")).to_be_visible()
    name.fill("twig/2 <i>")
    page.get_by_role("button", name="Fork", exact=True).click()
    expect(page.get_by_role("heading", name="Session twig/2 <i>")).to_be_visible()
    expect(turn_of(page, 4).get_by_text("made in session stem")).to_be_visible()
    assert memory.sessions.get("twig/2 <i>").session.turns == 4


def test_a_history_is_compacted_from_what_was_pasted(memory, someone):
    history = talked(memory, "full", again=3)
    page = someone.go("/sessions/full")
    page.get_by_role("button", name="Compact…").click()
    messages = page.get_by_label("Messages, as JSON")
    messages.fill("[{]")
    go = page.get_by_role("button", name="Compact", exact=True)
    go.click()
    expect(page.get_by_text("line 1, column 3")).to_be_visible()
    messages.fill(json.dumps(history))
    go.click()
    expect(page.get_by_text("Nothing had to go")).to_be_visible()
    page.get_by_label("How much goes").select_option(label="Aggressive: the older half")
    go.click()
    expect(page.get_by_role("heading", name="Compacted")).to_be_focused()
    expect(page.get_by_role("heading", name="The summary")).to_be_visible()
    left = json.loads(page.get_by_role("region", name="Messages to go on with").inner_text())
    assert 0 < len(left) < len(history)
    assert left[-1] == history[-1]
    page.get_by_role("button", name="Close").click()
    expect(page.get_by_role("dialog")).to_be_hidden()


def test_older_turns_and_older_sessions_are_reached(memory, someone):
    talked(memory, "long", again=6)
    page = someone.go("/sessions/long")
    expect(turn_of(page, 5)).to_be_visible()
    expect(turn_of(page, 4)).to_be_hidden()
    page.get_by_role("button", name="Show earlier turns").click()
    expect(turn_of(page, 4)).to_be_focused()
    expect(turn_of(page, 1)).to_be_visible()
    expect(page.get_by_role("button", name="Show earlier turns")).to_be_hidden()
    for number in range(26):
        memory.sessions.fork("long", f"branch {number:02}")
    page = someone.go("/sessions")
    expect(page.get_by_role("link", name="branch 25")).to_be_visible()
    page.get_by_role("link", name="Older").click()
    expect(page.get_by_role("link", name="long", exact=True)).to_be_visible()


@pytest.mark.parametrize("id", ["s/1?a=b#c%20", "späte Sitzung"])
def test_a_session_is_found_by_its_id_whatever_it_is_made_of(memory, someone, id):
    with memory.turn(session=id, text="Where is the office?", history=[]) as turn:
        turn.commit("There.")
    page = someone.go("/sessions")
    wanted = page.get_by_label("Find a session by its id")
    wanted.fill("nowhere")
    wanted.press("Enter")
    expect(page.get_by_text("There is no session with this id")).to_be_visible()
    wanted.fill(id)
    page.get_by_role("button", name="Open").click()
    expect(page.get_by_role("heading", name=f"Session {id}")).to_be_visible()
    expect(turn_of(page, 1)).to_be_visible()


def test_a_turn_that_came_through_the_proxy_is_marked_wherever_it_is_listed(
    server, memory, someone
):
    memory.remember("Proxied questions are answered in Porto", scope_id="ann")
    with provider_on_loopback() as provider:
        memory.settings.change({"proxy": {"openai_upstream": provider.url}})
        question = "Where are proxied questions answered?"
        body = {"model": "gpt-5", "messages": [{"role": "user", "content": question}]}
        headers = {"Tacit-User": "ann", "Tacit-Session": "proxied"}
        with server.client(headers=headers) as client:
            answered = client.post("/openai/v1/chat/completions", json=body)
    assert answered.headers["tacit-memory"] == "injected"
    wait_until(lambda: bool(memory.turns.list(session="proxied")))
    page = someone.go("/sessions/proxied")
    badge = turn_of(page, 1).get_by_text("proxy: chat completions", exact=True)
    expect(badge).to_have_attribute("title", re.compile("gpt-5; the provider had 12 of 20"))
    turn_of(page, 1).get_by_role("link", name="open in the Inspector").click()
    expect(page.get_by_text("proxy: chat completions", exact=True)).to_be_visible()
    someone.go("/inspector")
    row = page.get_by_role("row").filter(has_text=question)
    expect(row.get_by_text("proxy: chat completions", exact=True)).to_be_visible()
