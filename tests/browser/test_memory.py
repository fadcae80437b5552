"""The page of one memory: edited, linked, forgotten, restored and erased."""

from datetime import UTC, datetime

import pytest
from playwright.sync_api import expect

SCRIPT = "<img src=x onerror=alert(1)> {{ 7*7 }} <script>alert(2)</script>"


def _history(page):
    return page.locator(".memory-history > li")


def test_an_edit_is_saved_and_told_in_the_history(someone, memory):
    id = memory.remember("The office is in Porto", importance=0.5, tags=["place"]).id
    page = someone.go(f"/memories/{id}")
    page.get_by_role("button", name="Edit").click()
    page.get_by_label("Content").fill("The office is in Lisbon")
    page.get_by_label("Importance", exact=True).fill("7")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("out of range")).to_be_visible()
    page.get_by_label("Importance", exact=True).fill("0.7")
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".statement")).to_have_text("The office is in Lisbon")
    expect(_history(page).first).to_contain_text("Changed")
    expect(_history(page).first.locator("del")).to_have_text("Porto")
    expect(_history(page).first.locator("ins")).to_have_text("Lisbon")
    expect(_history(page).first).to_contain_text("0.5")
    edited = memory.get(id)
    assert (edited.content, edited.importance) == ("The office is in Lisbon", 0.7)
    assert edited.tags == ("place",)


def test_a_change_by_somebody_else_is_shown_and_not_overwritten(someone, memory):
    id = memory.remember("Tea at four", importance=0.5, key="tea").id
    page = someone.go(f"/memories/{id}")
    page.get_by_role("button", name="Edit").click()
    page.get_by_label("Importance", exact=True).fill("0.9")
    memory.edit(id, content="Tea at five")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("This memory was changed meanwhile")).to_be_visible()
    expect(page.get_by_text("Content: Tea at four → Tea at five")).to_be_visible()
    assert memory.get(id).importance == 0.5
    expect(page.get_by_label("Content")).to_have_value("Tea at five")
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".statement")).to_have_text("Tea at five")
    assert memory.get(id).importance == 0.9


def test_days_are_those_of_the_viewer(someone, memory):
    id = memory.remember("The badge is green", expires_at="2998-12-31T23:30:00Z").id
    page = someone.go(f"/memories/{id}")
    page.get_by_role("button", name="Edit").click()
    expires = page.get_by_label("Expires on")
    expect(expires).to_have_value("2999-01-01")
    page.get_by_label("Importance", exact=True).fill("0.9")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("button", name="Edit")).to_be_visible()
    assert memory.get(id).expires_at == datetime(2998, 12, 31, 23, 30, tzinfo=UTC)
    page.get_by_role("button", name="Edit").click()
    expires.fill("2999-07-02")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("2 Jul 2999, 00:00").first).to_be_visible()
    assert memory.get(id).expires_at == datetime(2999, 7, 1, 22, tzinfo=UTC)


def test_pinning_and_expiring_can_be_undone(someone, memory):
    id = memory.remember("Never deploy on Fridays").id
    page = someone.go(f"/memories/{id}")
    page.get_by_role("button", name="Pin", exact=True).click()
    expect(page.get_by_role("button", name="Unpin")).to_be_visible()
    assert memory.get(id).pinned
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("button", name="Pin", exact=True)).to_be_visible()
    assert not memory.get(id).pinned
    page.get_by_role("button", name="Expire now").click()
    expect(page.get_by_text("past", exact=True)).to_be_visible()
    assert memory.get(id).expires_at is not None
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_text("live", exact=True)).to_be_visible()
    assert memory.get(id).expires_at is None


def test_a_forgotten_memory_is_still_shown_and_restored(someone, memory):
    id = memory.remember("Ann owns the migration").id
    page = someone.go(f"/memories/{id}")
    page.get_by_role("button", name="Forget").click()
    expect(page.get_by_text("forgotten", exact=True)).to_be_visible()
    assert memory.count() == memory.count(state="live")
    page.reload()
    expect(page.locator(".statement")).to_have_text("Ann owns the migration")
    expect(page.get_by_role("heading", name="Turns that showed it")).to_be_visible()
    for unknown in ("not yet", "No turn has used it yet."):
        expect(page.get_by_text(unknown, exact=True)).to_have_count(0)
    page.get_by_role("button", name="Restore").click()
    expect(page.get_by_text("live", exact=True)).to_be_visible()
    assert memory.get(id).content == "Ann owns the migration"


def test_links_are_added_drawn_and_removed(someone, memory):
    one = memory.remember("The gateway timed out").id
    other = memory.remember("The certificate had expired").id
    far = memory.remember("Renewals are done by hand").id
    memory.memories.link(other, far, "result_of")
    page = someone.go(f"/memories/{one}")
    expect(page.get_by_text("Nothing is linked to this memory yet.")).to_be_visible()
    page.get_by_role("button", name="Add a link").click()
    page.get_by_label("Relation").select_option("Caused by")
    page.get_by_label("The other memory").fill("certificate expired")
    page.get_by_role("button", name="Link with: The certificate had expired").click()
    graph = page.locator("svg.memory-graph")
    expect(graph.get_by_role("link")).to_have_count(2)
    expect(graph).to_contain_text("caused by")
    assert [(each.target, each.relation) for each in memory.memories.links(one)] == [
        (other, "caused_by")
    ]
    page.get_by_label("How far").select_option("2 steps")
    expect(graph.get_by_role("link")).to_have_count(3)
    page.get_by_role("button", name="Remove the link").click()
    expect(page.get_by_text("Nothing is linked to this memory yet.")).to_be_visible()
    page.get_by_role("button", name="Undo").last.click()
    expect(graph.get_by_role("link")).to_have_count(3)
    graph.get_by_role("link", name="The certificate").focus()
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/{other}")


def test_what_replaced_and_was_replaced_lead_to_each_other(someone, memory):
    old = memory.remember("2 spaces", key="indent").id
    new = memory.remember("4 spaces", key="indent").id
    page = someone.go(f"/memories/{old}")
    expect(page.get_by_role("link", name="4 spaces")).to_have_count(3)
    page.get_by_role("link", name="4 spaces").first.click()
    page.wait_for_url(f"**/{new}")
    page.get_by_role("link", name="2 spaces").first.click()
    page.wait_for_url(f"**/{old}")


def test_erasing_needs_the_word_and_leaves_no_words(someone, memory):
    id = memory.remember("A secret of no more use").id
    page = someone.go(f"/memories/{id}")
    page.get_by_role("button", name="Erase").click()
    page.get_by_role("button", name="Erase for good").click()
    expect(page.get_by_text("Type ERASE to go on.")).to_be_visible()
    assert memory.get(id)
    page.get_by_label("Type ERASE").fill("ERASE")
    page.get_by_role("button", name="Erase for good").click()
    expect(page.get_by_text("This memory was erased")).to_be_visible()
    expect(page.get_by_text("A secret of no more use")).to_have_count(0)
    assert [str(each.action) for each in memory.memories.history(id)] == ["insert", "erase"]


def test_the_turns_that_showed_it_are_found(someone, memory):
    id = memory.remember("The invoices go out on Mondays", pinned=True).id
    with memory.turn(session="s1", text="When do the invoices go out?") as turn:
        turn.commit("On Mondays.")
    page = someone.go(f"/memories/{id}")
    page.get_by_role("button", name="Look through the last 100 turns").click()
    link = page.get_by_role("link", name="When do the invoices go out?")
    expect(link).to_have_attribute("href", f"/inspector?receipt={turn.receipt.id}")
    page.get_by_role("link", name="Ask the inspector").click()
    page.wait_for_url("**/inspector")


@pytest.mark.parametrize("id", ["nonsense", "01890a5d-ac96-774b-bcce-b302099a8057"])
def test_an_address_of_no_memory_says_so(someone, id):
    page = someone.go(f"/memories/{id}")
    expect(page.get_by_text("There is no such memory here")).to_be_visible()


def test_stored_markup_is_shown_as_text(someone, memory):
    id = memory.remember(
        SCRIPT, tags=["<b>bold</b>"], metadata={"a": "<i>x</i>"}, origin={"url": "javascript:1"}
    ).id
    other = memory.remember(f"another {SCRIPT}").id
    memory.memories.link(id, other)
    memory.edit(id, content=SCRIPT + " edited")
    page = someone.page
    page.on("dialog", lambda dialog: pytest.fail("a stored script ran"))
    someone.go(f"/memories/{id}")
    expect(page.locator(".statement")).to_have_text(SCRIPT + " edited")
    expect(page.locator("svg.memory-graph")).to_contain_text("another <img src=x")
    expect(_history(page).last).to_contain_text(SCRIPT)
    expect(page.get_by_text("<b>bold</b>")).to_be_visible()
    assert page.locator("img, .content script").count() == 0
    page.get_by_role("button", name="Edit").click()
    expect(page.get_by_label("Content")).to_have_value(SCRIPT + " edited")


def test_a_mark_is_shown_at_the_memory_and_taken_back(someone, memory):
    kept = memory.remember("The gate opens at eight").memory
    memory.turns.mark_irrelevant_for("When does the gate open?", kept.id)
    page = someone.go(f"/memories/{kept.id}")
    expect(page.get_by_role("heading", name="Marked as not useful")).to_be_visible()
    page.get_by_role("button", name="Take back").click()
    expect(page.get_by_role("heading", name="Marked as not useful")).to_have_count(0)
    assert memory.turns.marks(kept.id) == []


def test_undo_of_an_earlier_deed_leaves_an_open_form_alone(someone, memory):
    kept = memory.remember("The lift stops at night").memory
    memory.turns.mark_irrelevant_for("When does the lift stop?", kept.id)
    page = someone.go(f"/memories/{kept.id}")
    page.get_by_role("button", name="Pin", exact=True).click()
    expect(page.get_by_text("pinned", exact=True)).to_be_visible()
    page.get_by_role("button", name="Edit").click()
    page.get_by_label("Content").fill("The lift stops at ten")
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_text("The memory is put back.")).to_be_visible()
    expect(page.get_by_label("Content")).to_have_value("The lift stops at ten")
    assert not memory.get(kept.id).pinned
    page.get_by_role("button", name="Take back").click()
    expect(page.get_by_role("heading", name="Marked as not useful")).to_have_count(0)
    expect(page.get_by_label("Content")).to_have_value("The lift stops at ten")
    assert page.evaluate("window.tacitUnsaved")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Pinned: yes → no")).to_be_visible()
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".statement")).to_have_text("The lift stops at ten")
    page.wait_for_function("!window.tacitUnsaved")
