"""The inspector: a message, what memory shows for it, what it leaves out, and why."""

import re

import pytest
from playwright.sync_api import expect

from tacit import Tacit
from tests.browser.chromium import NARROW, person

QUESTION = "Where is the office of the team?"
CODE = "<img src=x onerror=alert(1)>"
MOUSTACHE = "{{ 7*7 }}"


@pytest.fixture(scope="module", autouse=True)
def filled(server):
    """A few memories."""
    with Tacit.connect(server.url, key="") as memory:
        memory.remember("The office is in Lisbon")
        memory.remember("The office is in Porto")
        memory.remember("The billing team has 12 people")
        memory.remember("Cats sleep for most of the day, wherever the sun is")


def asked(page, text):
    page.get_by_label("Ask as an agent would").fill(text)
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("heading", name="What the model sees")).to_be_visible()


def shown_block(page):
    return "\n".join(page.locator(".account .line .text").all_text_contents())


def candidate(page, content):
    return page.locator(".candidate").filter(has=page.get_by_role("link", name=content)).first


def test_shows_the_block_that_an_agent_gets_and_why_others_were_left_out(someone, memory):
    page = someone.go("/inspector")
    asked(page, QUESTION)
    expected = memory.preview(session="inspector", text=QUESTION, history=None)
    assert shown_block(page) == expected.block
    expect(page.get_by_text(f"{expected.receipt.tokens} tokens")).to_be_visible()
    expect(page).to_have_url(re.compile("text=Where"))

    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy").click()
    expect(page.get_by_text("Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == expected.block

    lost = candidate(page, "Cats sleep")
    expect(lost.get_by_text("not relevant enough", exact=True)).to_be_visible()
    expect(lost.get_by_text("Not relevant enough")).to_be_visible()
    old = page.locator(".candidate").filter(has_text="superseded")
    expect(old.get_by_text("Current instead:")).to_be_visible()
    expect(old.locator(".other").get_by_role("link")).to_have_text("The office is in Porto")

    page.get_by_role("button", name="superseded").click()
    expect(page.locator(".candidate")).to_have_count(1)
    page.get_by_role("button", name="all", exact=True).click()
    expect(page.locator(".candidate")).to_have_count(len(expected.receipt.candidates))

    page.mouse.move(0, 0)  # what the pointer leaves goes dark, whatever has the focus
    page.locator(".line.shows").filter(has_text="Porto").get_by_role("link").focus()
    expect(page.locator(".candidate.lit")).to_contain_text("The office is in Porto")
    page.keyboard.press("Enter")
    expect(page.locator(".candidate.lit")).to_be_focused()


def test_says_in_words_why_nothing_is_shown(someone):
    page = someone.go("/inspector?text=thanks!")
    expect(page.get_by_text("The message says too little to search by.")).to_be_visible()
    page.get_by_label("Ask as an agent would").fill(" ")
    page.get_by_role("button", name="Ask", exact=True).click()
    expect(page.get_by_text("Type a message first.")).to_be_visible()


def test_settings_are_tried_at_once_and_saved_only_when_told(someone, memory):
    def saved():
        table = memory.settings.show().tables["memory_injection"]
        return {name: each.value for name, each in table.items()}

    def previewed(**who):
        text = "How many people has the billing team?"
        return memory.preview(session="inspector", text=text, history=None, **who)

    before = saved()
    page = someone.go("/inspector?text=How many people has the billing team%3F")
    gone = page.locator(".difference .went")
    limit = page.get_by_label("Minimum Relevance, exact")
    limit.fill("1")
    expect(gone).to_contain_text("The billing team has 12 people")
    expect(page.locator(".difference")).to_contain_text("was: injected → now: not relevant enough")
    expect(page.locator(".difference")).to_contain_text("→ 0 tokens")
    assert saved() == before

    page.get_by_role("button", name="Discard").click()
    expect(page.locator(".difference")).to_have_count(0)
    expect(limit).to_have_value(str(before["contextual_min_score"]))

    limit.fill("1")
    page.get_by_role("button", name="Save for agent …").click()
    page.get_by_role("dialog").get_by_label("Agent").fill("reviewer")
    page.get_by_role("dialog").get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("Saved for agent reviewer.")).to_be_visible()
    assert saved() == before
    assert previewed(agent="reviewer").block is None
    assert previewed().block is not None

    limit.fill("1")
    page.get_by_role("button", name="Save as default").click()
    expect(page.get_by_text("Saved as default")).to_be_visible()
    assert saved() == before | {"contextual_min_score": 1}
    assert previewed().block is None
    memory.settings.change({"memory_injection": {"contextual_min_score": None}})


def test_what_somebody_else_saved_meanwhile_is_not_overwritten(someone, memory):
    page = someone.go("/inspector?text=Where is the office%3F")
    page.get_by_role("spinbutton", name="Max Total").fill("7")
    expect(page.get_by_role("button", name="Save as default")).to_be_visible()
    memory.settings.change({"memory_injection": {"max_total": 9}})
    page.get_by_role("button", name="Save as default").click()
    expect(page.get_by_text("Somebody else changed the settings meanwhile")).to_be_visible()
    assert memory.settings.show().tables["memory_injection"]["max_total"].value == 9
    expect(page.get_by_role("spinbutton", name="Max Total")).to_have_value("7")
    page.get_by_role("button", name="Save as default").click()
    expect(page.get_by_text("Saved as default")).to_be_visible()
    assert memory.settings.show().tables["memory_injection"]["max_total"].value == 7


def test_a_line_is_marked_as_of_no_use_and_the_mark_taken_back(someone, memory):
    text = "Which animals sleep for most of the day?"
    page = someone.go("/inspector")
    asked(page, text)
    line = page.locator(".line.shows").filter(has_text="Cats sleep")
    line.hover()
    line.get_by_role("button", name="Not useful here").click()
    expect(page.locator(".difference")).to_contain_text("After the mark")
    expect(page.locator(".difference .went")).to_contain_text("Cats sleep")
    assert memory.preview(session="x", text=text, history=None).block is None
    expect(page.get_by_text("Nothing is injected now; Undo brings it back.")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".difference .came")).to_contain_text("Cats sleep")
    assert memory.preview(session="x", text=text, history=None).block is not None


def test_a_mark_is_seen_after_a_reload_and_taken_back_there(someone, memory):
    text = "Which drinks are served in the canteen?"
    kept = memory.remember("The canteen serves drinks from nine").id
    for asked_before in (text, "Which drinks does the canteen serve in winter?"):
        memory.turns.mark_irrelevant_for(asked_before, kept)
    page = someone.go(f"/inspector?text={text}")
    marked = candidate(page, "The canteen serves")
    expect(marked.get_by_text("marked as not useful", exact=True)).to_be_visible()
    marked.get_by_role("button", name="Take back").click()
    expect(page.get_by_role("dialog")).to_contain_text("Take back all 2 marks")
    page.get_by_role("dialog").get_by_role("button", name="Take back").click()
    expect(page.locator(".difference")).to_contain_text("After the mark was taken back")
    expect(marked.get_by_text("marked as not useful", exact=True)).to_have_count(0)
    assert memory.turns.marks(kept) == []


def test_on_a_narrow_screen_a_link_leads_to_the_settings_and_nothing_covers_them(browser, server):
    with person(browser, server.url, size=NARROW) as somebody:
        page = somebody.go("/inspector?text=Where is the office%3F")
        panel = page.locator("#try-settings")
        expect(panel).not_to_be_in_viewport()
        page.get_by_role("link", name="Try settings").click()
        expect(panel).to_be_in_viewport()
        page.get_by_role("spinbutton", name="Max Total").fill("11")
        expect(page.get_by_role("button", name="Discard")).to_be_visible()
        page.keyboard.press("Shift+Tab")
        limit = page.get_by_role("spinbutton", name="Search Limit")
        expect(limit).to_be_focused()
        box = page.locator(".actions-of-panel").bounding_box()
        assert limit.bounding_box()["y"] >= box["y"] + box["height"]
        assert somebody.errors == []


def test_a_past_turn_is_shown_as_it_was_and_run_again_as_it_would_be_now(someone, memory):
    lost = memory.remember("The sauna opens at nine on Sundays").id
    with memory.turn(session="talk", text="When does the sauna open?") as turn:
        turn.commit("At nine.")
    memory.forget(lost)
    page = someone.go("/inspector")
    page.get_by_role("link", name="When does the sauna open?").click()
    expect(page.get_by_text("Turn 1 of")).to_be_visible()
    expect(page.get_by_text("Asked for session talk", exact=True)).to_be_visible()
    assert shown_block(page) == turn.block
    expect(page.locator(".candidate.injected")).to_contain_text("This memory is gone")
    page.get_by_role("button", name="Run it again now").click()
    expect(page.get_by_role("heading", name="Then and now")).to_be_visible()
    expect(page.locator(".difference .went")).to_contain_text("The sauna opens at nine")
    expect(page).to_have_url(re.compile("session=talk"))


def test_a_turn_that_is_not_known_is_said_to_be_so(someone):
    page = someone.go("/inspector?receipt=nonsense")
    expect(page.get_by_text("There is no account of this turn")).to_be_visible()


def test_stored_code_is_shown_as_text(someone, memory):
    opened = []
    someone.page.on("dialog", lambda dialog: (opened.append(dialog.message), dialog.dismiss()))
    memory.remember(f"Gadget one {CODE} {MOUSTACHE}", key="gadget.code")
    memory.remember(f"Gadget two {CODE} {MOUSTACHE}", key="gadget.code")
    text = f"gadget {CODE} {MOUSTACHE}"
    with memory.turn(session=f"talk {CODE}", text=text) as turn:
        turn.commit("")
    page = someone.go(f"/inspector?receipt={turn.receipt.id}")
    for said in (CODE, MOUSTACHE):
        expect(page.locator(".account .lines")).to_contain_text(said)
        expect(page.locator(".candidates")).to_contain_text(said)
    page.get_by_text("Past turns").click()
    expect(page.locator(".past")).to_contain_text(CODE)
    page.get_by_role("button", name="Run it again now").click()
    expect(page.get_by_role("heading", name="Then and now")).to_be_visible()
    assert opened == []
    assert page.locator("img[src=x]").count() == 0
