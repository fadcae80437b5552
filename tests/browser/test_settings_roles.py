"""Settings for those who may only look, and those that the environment decides."""

import pytest
from playwright.sync_api import expect

from tests.browser.form import field, save
from tests.browser.pages import pages


@pytest.fixture(scope="module")
def server(place):
    """A server with a variable in its environment, and an agent in its file."""
    settings = '[[agents]]\nid = "coder"\nmemory_injection.max_total = 6\n'
    with pages(place, settings, TACIT_MEMORY_INJECTION_FACT_LIMIT="4") as server:
        yield server


def limit(page):
    return field(page, "fact_limit")


def test_what_the_environment_decides_is_fixed_for_all_but_not_for_an_agent(someone, memory):
    page = someone.go("/settings")
    expect(limit(page).locator("input")).to_be_disabled()
    expect(limit(page)).to_contain_text("The environment decides")
    page = someone.go("/agents/coder")
    limit(page).locator("input").fill("2")
    save(page)
    assert memory.settings.agent("coder").values["fact_limit"] == 2


def test_a_reader_sees_every_setting_and_changes_none(someone, memory):
    _, token = memory.keys.add("onlooker", "read")
    page = someone.page
    while "/sign-in" not in page.url:  # the server hears of its first key within a second
        someone.go("/settings")
    page.get_by_label("Key").fill(token)
    page.get_by_role("button", name="Sign in").click()
    for path in ("/settings", "/agents/coder"):
        page = someone.go(path)
        expect(page.get_by_text("that needs a key with the role admin")).to_be_visible()
        assert page.locator(".setting input, .setting select").count() > 30
        assert page.locator(".setting :is(input, select, textarea):enabled").count() == 0
        assert page.get_by_role("button", name="Revert to Default").count() == 0
        assert page.get_by_role("button", name="Use default").count() == 0
    page = someone.go("/agents")
    expect(page.get_by_role("row").filter(has_text="coder")).to_contain_text("Override")
