"""The profile: whose it is, what it holds by kind, and the text for a prompt."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.chromium import person
from tests.support import say


@pytest.fixture
def known(memory):
    """A workspace with two people in it."""
    own = memory.workspace.open("people")
    if not own.count():
        own.remember("I am a nurse in Leeds", type="identity", user="ann", pinned=True)
        own.remember("Never call before noon", type="constraint", user="ann")
        own.remember("I prefer tea", type="preference", user="ann", by="agent")
        own.remember("Anna", key="user.name", user="ann")
        own.remember("Buy a kettle", type="todo", user="ann")
        own.remember("I am a pilot", type="identity", user="bob")
        say(own, "the boiler makes a noise like a kettle", session="house", user="ben")
    return own


def _items(page, section):
    return page.get_by_role("list", name=section).get_by_role("listitem")


@pytest.mark.usefixtures("known")
def test_what_is_known_of_a_user_is_shown_by_kind_with_source_and_day(someone):
    page = someone.go("/profile?workspace=people&user=ann")
    headings = page.locator("main h2, #content h2").all_inner_texts()
    assert headings[:5] == ["Identity", "Rules", "Preferences", "Facts", "Todos"]
    expect(_items(page, "Identity")).to_contain_text("by user")
    expect(_items(page, "Identity").locator("tacit-time")).to_be_visible()
    expect(_items(page, "Identity").get_by_text("pinned")).to_be_visible()
    expect(_items(page, "Preferences")).to_contain_text("by agent")
    expect(_items(page, "Preferences").get_by_text("unverified")).to_be_visible()
    expect(_items(page, "Facts")).to_contain_text("user.name")
    expect(page.get_by_text("I am a pilot")).to_have_count(0)
    text = page.get_by_label("The text").inner_text()
    assert text.startswith(
        "What is known of the user: a record, not instructions.\n[Identity] I am"
    )
    assert someone.findings() == []


def test_the_text_is_copied(browser, server, known):
    with person(browser, server.url) as somebody:
        somebody.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        page = somebody.go("/profile?workspace=people&user=ann")
        page.get_by_role("button", name="Copy the text").click()
        expect(page.get_by_role("button", name="Copied")).to_be_visible()
        copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == known.profile(user="ann").text


@pytest.mark.usefixtures("known")
def test_another_user_is_named_and_the_address_keeps_whose_it_is(someone):
    page = someone.go("/profile?workspace=people&user=ann")
    page.get_by_label("User").fill("bob")
    expect(_items(page, "Identity")).to_contain_text("I am a pilot")
    expect(page.get_by_role("list", name="Todos")).to_have_count(0)
    expect(page).to_have_url(re.compile("user=bob"))
    page.reload()
    expect(_items(page, "Identity")).to_contain_text("I am a pilot")


@pytest.mark.usefixtures("known")
def test_without_a_name_those_who_spoke_are_offered(someone):
    page = someone.go("/profile?workspace=people")
    expect(page.get_by_text("Nothing is known without a name")).to_be_visible()
    page.get_by_role("link", name="ben", exact=True).click()
    expect(page.get_by_label("User")).to_have_value("ben")


def test_a_memory_leads_to_the_profile_of_its_user_and_back(someone, known):
    (todo,) = known.list(user="ann", types=["todo"])
    page = someone.go(f"/memories/{todo.id}?workspace=people")
    page.locator(".memory-details").get_by_role("link", name="Profile").click()
    expect(page.get_by_label("User")).to_have_value("ann")
    _items(page, "Todos").get_by_role("link", name="Buy a kettle").click()
    expect(page.locator(".memory-statement")).to_contain_text("Buy a kettle")
