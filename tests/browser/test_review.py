"""The page of what waits for a person."""

from playwright.sync_api import expect

from tacit import Tacit
from tacit.core.open_turn import CapturedTurn, QueuedTurn
from tacit.runtime.clock import new_id
from tests.browser.chromium import person
from tests.browser.furnishing import HOSTILE
from tests.support import START


def waiting(memory, count, name):
    """Memories of a person that an agent wants to change, one wish each."""
    written = [memory.remember(f"The {name} {number} is at port 8080") for number in range(count)]
    for each in written:
        changed = each.memory.content.replace("8080", f"9090 {HOSTILE}")
        memory.edit(each.id, content=changed, tags=["<b>port</b>"], by="agent")
    return [each.id for each in written]


def test_wishes_are_accepted_and_rejected_and_the_next_one_has_the_keyboard(memory, someone):
    first, second, third = waiting(memory, 3, "service")
    page = someone.go("/review")
    expect(page.get_by_role("heading", name="3 waiting")).to_be_visible()
    items = page.locator(".wish")
    expect(items.first.locator("del")).to_have_text("8080")
    expect(items.first.locator("ins")).to_have_text(f"9090 {HOSTILE}")
    expect(items.first.get_by_role("row").filter(has_text="Tags")).to_contain_text("<b>port</b>")
    expect(items.first).to_contain_text("Asked by an agent")
    for sentence in (
        "An agent wants to change a memory that a person wrote, and only a person may do that.",
        "Until you decide, the memory stays as it is, and turns go on using it.",
        "Makes the change in your name; the history keeps what was said before.",
        "Leaves the memory as it is, and drops the request.",
    ):
        expect(items.first.get_by_text(sentence)).to_be_visible()

    items.first.get_by_label("Reason").fill("it was moved")
    items.first.get_by_role("button", name="Accept").click()
    expect(page.get_by_role("heading", name="2 waiting")).to_be_visible()
    expect(items.first).to_contain_text("service 1")
    expect(items.first.get_by_role("button", name="Accept")).to_be_focused()
    assert "9090" in memory.get(first).content
    assert memory.memories.history(first)[-1].new["reason"] == "it was moved"

    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Rejected; nothing has changed.")).to_be_visible()
    expect(items).to_have_count(1)
    assert "8080" in memory.get(second).content

    memory.edit(third, content="The service 2 has no port")
    items.first.get_by_role("button", name="Accept").click()
    expect(page.get_by_text("reject it, and do yourself what is left")).to_be_visible()
    items.first.get_by_role("button", name="Reject").click()
    expect(page.get_by_text("Nothing waits for a person")).to_be_visible()


def test_what_somebody_else_has_decided_meanwhile_is_said_and_shown(memory, someone):
    waiting(memory, 2, "printer")
    page = someone.go("/review")
    memory.reviews.reject(memory.reviews.list()[0].id)
    page.get_by_role("button", name="Accept").nth(1).click()
    expect(page.get_by_text("it may have been decided already")).to_be_visible()
    expect(page.locator(".wish")).to_have_count(1)
    page.get_by_role("button", name="Reject").click()
    expect(page.get_by_text("Nothing waits for a person")).to_be_visible()


def test_all_that_is_shown_is_decided_at_once_and_what_cannot_be_done_is_told(memory, someone):
    *others, spoilt = waiting(memory, 3, "host")
    memory.edit(spoilt, content="The host 2 has no port")
    page = someone.go("/review")
    page.get_by_role("button", name="Accept all shown…").click()
    page.get_by_role("button", name="Accept all 3").click()
    expect(page.get_by_text("2 accepted.")).to_be_visible()
    expect(page.get_by_text("This one still waits")).to_be_visible()
    expect(page.locator(".wish")).to_have_count(1)
    assert all("9090" in memory.get(id).content for id in others)
    waiting(memory, 2, "node")
    page = someone.go("/review")
    page.get_by_role("button", name="Reject all shown…").click()
    page.get_by_role("button", name="Reject all 3").click()
    expect(page.get_by_text("Nothing waits for a person")).to_be_visible()
    assert memory.reviews.list() == []


def signed_in(somebody, key, path):
    page = somebody.go(f"/sign-in?next={path}")
    page.get_by_label("Key").fill(key)
    page.get_by_role("button", name="Sign in").click()
    return page


def test_turns_that_could_not_be_read_are_read_again_or_dropped(memory, someone, place):
    with Tacit.open(next(place.glob("*.db")), embedder="none") as tacit:
        for said in ("I always use tabs for indentation", "My dog is called Rex"):
            heard = CapturedTurn(id=new_id(), session=said[:4], at=START, said=(said,))
            aside = QueuedTurn(turn=heard, stage="set_aside", problem=f"deep {HOSTILE}")
            with tacit._context.store.write("default") as unit:
                unit.heard.put(aside)
    page = someone.go("/review")
    expect(page.get_by_role("heading", name="2 could not be read")).to_be_visible()
    items = page.locator(".wish")
    expect(items.first).to_contain_text(f"deep {HOSTILE}")
    items.first.get_by_role("button", name="Read again").click()
    expect(page.get_by_role("heading", name="1 could not be read")).to_be_visible()
    items.first.get_by_role("button", name="Drop").click()
    expect(page.get_by_role("heading", name="could not be read")).to_have_count(0)
    assert memory.reviews.unread_turns() == []


# The last test makes keys, and then the server asks everybody for one.


def test_whoever_may_not_decide_sees_everything_and_no_buttons(memory, browser, server):
    waiting(memory, 1, "last")
    memory.remember("The office is in Lisbon")
    memory.remember("The office is in Porto")
    with memory.turn(session="s", text="Where is the office?", history=[]) as turn:
        turn.commit("In Porto.")
    _, key = memory.keys.add("me", "admin")
    with Tacit.connect(server.url, key=key) as owner:
        _, agent = owner.keys.add("helper", "write", workspace="default", agent="helper")
        _, reader = owner.keys.add("guest", "read", workspace="default")
    with person(browser, server.url) as helper:
        page = signed_in(helper, agent, "/review")
        expect(page.get_by_text("cannot decide")).to_be_visible()
        expect(page.locator(".wish")).to_have_count(1)
        expect(page.get_by_role("button", name="Accept")).to_have_count(0)
        assert helper.errors == []
    with person(browser, server.url) as guest:
        page = signed_in(guest, reader, "/conflicts")
        expect(page.get_by_text("The office is in Porto")).to_be_visible()
        expect(page.get_by_role("button", name="Keep")).to_have_count(0)
        page = guest.go("/sessions/s")
        expect(page.locator("#turn-1")).to_be_visible()
        expect(page.get_by_role("button", name="Reset")).to_have_count(0)
        assert guest.errors == []
