"""Memories that a turn does not see because of their owner, and giving them one."""

import pytest
from playwright.sync_api import expect

ASKED = "/inspector?workspace={}&user=ann&text=Where%20is%20the%20office%3F"


@pytest.fixture
def workspace(memory, request):
    """A memory of each test's own, with two statements that belong to no user."""
    own = memory.workspace.open(request.node.name)
    own.remember("The office is in Lisbon")
    own.remember("The canteen is on the second floor")
    own.remember("The office of Bob is in Porto", scope_id="bob")
    return own


def test_what_no_user_owns_is_counted_at_the_inspector_and_assigned_there(someone, workspace):
    page = someone.go(ASKED.format(workspace.workspace.name))
    hint = page.get_by_role("status").filter(has_text="Some memories are not seen")
    expect(hint).to_contain_text("2 memories belong to no user; 1 memory belongs to other users.")
    assert "Bob" not in page.content()
    assert someone.findings() == []

    page.get_by_role("button", name="Assign to ann").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("2 memories assigned to ann")
    dialog.get_by_role("button", name="Assign", exact=True).click()
    expect(page.get_by_role("heading", name="After the assignment")).to_be_visible()
    expect(hint).to_have_count(0)
    expect(page.get_by_role("link", name="The office is in Lisbon").first).to_be_visible()
    assert workspace.count(scope_id="ann") == 2


def test_selected_memories_are_assigned_and_given_back(someone, workspace):
    page = someone.go(f"/memories?workspace={workspace.workspace.name}")
    page.get_by_label("Select: The canteen is on the second floor").check()
    page.get_by_role("button", name="Assign to a user").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("User").fill("ann")
    dialog.get_by_role("button", name="Assign to a user").click()
    expect(page.get_by_text("1 memory assigned to ann.")).to_be_visible()
    assert workspace.count(scope_id="ann") == 1
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_text("1 memory put back.")).to_be_visible()
    assert workspace.count(scope_id="ann") == 0
