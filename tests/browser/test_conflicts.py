"""The page of conflicts: side by side, and ended by one click."""

from playwright.sync_api import expect

from tests.browser.furnishing import HOSTILE


def test_conflicts_are_shown_decided_and_taken_back(memory, someone):
    mine = memory.remember(f"Billing runs on MySQL {HOSTILE}", confidence=0.9)
    theirs = memory.remember(f"Billing runs on SQLite {HOSTILE}", confidence=0.9, by="operator")
    old = memory.remember("The office is in Lisbon")
    new = memory.remember("The office is in Porto")
    page = someone.go("/conflicts")
    expect(page.get_by_role("heading", name="2 conflicts")).to_be_visible()
    billing = page.locator(".conflict").filter(has_text="MySQL")
    expect(billing.get_by_text(HOSTILE).first).to_be_visible()
    expect(
        billing.get_by_text("No rule decides: same confidence, different sources.")
    ).to_be_visible()
    expect(billing.get_by_role("heading", name="About: Billing runs on …")).to_be_visible()
    expect(billing.get_by_text("Written by an operator; trusted")).to_be_visible()
    expect(page.get_by_text("“Keep this” makes the others past")).to_be_visible()
    expect(billing.locator("mark")).to_have_text(["MySQL", "SQLite"])
    office = page.locator(".conflict").filter(has_text="Lisbon")
    best = office.get_by_role("article").filter(has_text="Recommended")
    expect(best).to_contain_text("The office is in Porto")

    billing.get_by_role("textbox", name="Reason").fill("two shops")
    billing.get_by_role("button", name="Keep both").click()
    expect(page.get_by_role("heading", name="1 conflict", exact=True)).to_be_visible()
    expect(office.get_by_role("button", name="Keep this").first).to_be_focused()
    (kept,) = memory.memories.links(mine.id)
    assert kept.relation == "compatible_with"
    assert memory.memories.history(kept.source)[-1].new["reason"] == "two shops"
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("heading", name="2 conflicts")).to_be_visible()
    assert memory.memories.links(mine.id) == []

    office.get_by_role("textbox", name="Reason").fill("moved in March")
    best.get_by_role("button", name="Keep this").click()
    told = page.get_by_role("status").filter(has_text="Kept “The office is in Porto”")
    expect(told.get_by_role("link", name="Its history")).to_have_attribute(
        "href", f"/memories/{old.id}"
    )
    assert memory.get(old.id).superseded_by == new.id
    assert memory.memories.history(old.id)[-1].new["reason"] == "moved in March"

    expect(page.get_by_role("heading", name="1 conflict", exact=True)).to_be_visible()
    billing.get_by_role("article").filter(has_text="SQLite").get_by_role("button").click()
    expect(page.get_by_text("No conflicts", exact=True)).to_be_visible()
    expect(page.get_by_role("heading", name="0 conflicts")).to_be_focused()
    assert memory.get(mine.id).superseded_by == theirs.id


def test_a_conflict_that_somebody_else_ended_is_told_and_goes(memory, someone):
    old = memory.remember("The kitchen is on floor 2")
    memory.remember("The kitchen is on floor 3")
    page = someone.go("/conflicts")
    kitchen = page.locator(".conflict").filter(has_text="floor 2")
    expect(kitchen).to_be_visible()
    memory.forget(old.id)
    kitchen.get_by_role("button", name="Keep both").click()
    expect(page.get_by_text("was forgotten; restore it first")).to_be_visible()
    expect(kitchen).to_have_count(0)
