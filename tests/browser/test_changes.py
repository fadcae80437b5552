"""The page of changes: what memory did by itself, both wordings, and one click that undoes it."""

from playwright.sync_api import expect

from tests.browser.furnishing import HOSTILE


def test_a_change_is_shown_with_both_wordings_and_undone_by_one_click(memory, someone):
    page = someone.go("/changes")
    expect(page.get_by_text("No changes", exact=True)).to_be_visible()
    old = memory.remember(f"The vault is red {HOSTILE}", key="vault.color", by="agent")
    new = memory.remember(f"The vault is blue {HOSTILE}", key="vault.color", by="agent")
    gone = memory.remember("The lunch was late", by="agent")
    memory.forget(gone.id, by="agent")

    page = someone.go("/changes")
    expect(page.get_by_role("heading", name="2 changes")).to_be_visible()
    vault = page.locator(".change").filter(has_text="vault")
    expect(vault.locator("del")).to_have_text("red")
    expect(vault.locator("ins")).to_have_text("blue")
    expect(vault.get_by_text("A newer value of vault.color.")).to_be_visible()
    expect(vault.get_by_text("by an agent")).to_be_visible()
    expect(vault.get_by_role("link").nth(1)).to_have_attribute("href", f"/memories/{new.id}")
    lunch = page.locator(".change").filter(has_text="lunch")
    expect(lunch.get_by_text("The agent took it back.")).to_be_visible()

    vault.get_by_role("button", name="Undo").click()
    told = page.get_by_role("status").filter(has_text="holds again")
    expect(told).to_be_visible()
    expect(vault.get_by_text("Undone", exact=True)).to_be_visible()
    expect(vault.get_by_role("button")).to_have_count(0)
    expect(vault.get_by_role("link").first).to_be_focused()
    assert memory.get(old.id).superseded_by is None
    assert memory.memories.history(old.id)[-1].by == "user"

    lunch.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("button", name="Undo")).to_have_count(0)
    assert memory.get(gone.id).content == "The lunch was late"
