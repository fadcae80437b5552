"""The inspector, for keys that may not do everything."""

import pytest
from playwright.sync_api import expect

from tacit import Tacit
from tests.browser.chromium import person

SIGN_IN = "/sign-in?next=%2Finspector%3Ftext%3DWhere%20is%20the%20office"


@pytest.fixture(scope="module")
def keys(server):
    """Keys by what they may do; from the first one on, everybody needs one."""
    with Tacit.connect(server.url, key="") as memory:
        memory.remember("The office is in Porto")
        _, admin = memory.keys.add("admin", "admin")
    with Tacit.connect(server.url, key=admin) as memory:
        wanted = {
            "reader": {"role": "read", "workspace": "default"},
            "agent": {"role": "write", "workspace": "default", "agent": "coder"},
            "auditor": {"role": "read"},
        }
        return {name: memory.keys.add(name, **each)[1] for name, each in wanted.items()}


@pytest.fixture
def inspector(browser, server, keys):
    """Somebody who signed in and asked a question."""
    opened = []

    def open_as(name):
        made = person(browser, server.url)
        somebody = made.__enter__()
        opened.append((made, somebody))
        page = somebody.go(SIGN_IN)
        page.get_by_label("Key").fill(keys[name])
        page.get_by_role("button", name="Sign in").click()
        expect(page.get_by_role("heading", name="What the model sees")).to_be_visible()
        return page

    yield open_as
    for made, somebody in opened:
        assert somebody.errors == []
        made.__exit__(None, None, None)


def test_a_reader_of_one_workspace_sees_the_outcome_and_no_buttons(inspector):
    page = inspector("reader")
    expect(page.locator(".line.shows")).to_contain_text("The office is in Porto")
    expect(page.get_by_text("Settings can be tried with a key")).to_be_visible()
    expect(page.get_by_role("heading", name="Try settings")).to_have_count(0)
    expect(page.get_by_role("button", name="Not useful here")).to_have_count(0)


def test_the_key_of_an_agent_asks_as_that_agent_and_may_mark(inspector):
    page = inspector("agent")
    page.locator("summary").first.click()
    name = page.get_by_label("Agent", exact=True)
    expect(name).to_have_value("coder")
    expect(name).to_be_disabled()
    page.get_by_role("button", name="Not useful here").last.click()
    expect(page.locator(".difference .went")).to_contain_text("The office is in Porto")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".difference .came")).to_contain_text("The office is in Porto")


def test_a_reader_of_everything_tries_settings_and_cannot_save_them(inspector):
    page = inspector("auditor")
    page.get_by_label("Minimum Relevance, exact").fill("1")
    expect(page.locator(".difference .went")).to_contain_text("The office is in Porto")
    expect(page.get_by_role("button", name="Discard")).to_be_visible()
    expect(page.get_by_role("button", name="Save")).to_have_count(0)
