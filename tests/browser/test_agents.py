"""Agents: which differ from the defaults, in what, and how they go back."""

import pytest
from playwright.sync_api import expect

from tacit.settings.config import SettingSource
from tests.browser.form import field, number, save, unsaved

HOSTILE = "<img src=x onerror=alert(1)>{{ 7*7 }}"


@pytest.fixture(autouse=True)
def fresh(memory):
    """Every test begins with defaults that are not the built-in ones."""
    memory.settings.write_file("[defaults.memory_injection]\nmax_total = 12\n")


def own(memory, id):
    told = memory.settings.agent(id)
    return {
        name: told.values[name]
        for name, each in told.sources.items()
        if each is SettingSource.AGENT
    }


def test_an_agent_gets_settings_of_its_own_and_reverts_to_the_defaults(someone, memory):
    memory.remember("tea is served at four", type="event")
    page = someone.go("/agents")
    expect(page.get_by_text("Every agent uses the defaults")).to_be_visible()
    page.get_by_label("Name of the agent").fill("team/re viewer")
    page.get_by_role("button", name="Show its settings").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Agent team/re viewer")
    expect(page.get_by_text("Using Default")).to_be_visible()
    expect(number(page, "max_total")).to_have_value("12")
    number(page, "max_total").fill("5")
    field(page, "enabled").get_by_role("switch").uncheck()
    save(page, "Saved 2 settings")
    assert own(memory, "team/re viewer") == {"max_total": 5, "enabled": False}
    asked = {"session": "s", "text": "when is tea served?"}
    assert memory.preview(**asked, agent="team/re viewer").receipt.injected == ()
    assert len(memory.preview(**asked).receipt.injected) == 1
    expect(page.get_by_text("Override", exact=True)).to_be_visible()
    expect(field(page, "max_total")).to_contain_text("default: 12")

    page.get_by_role("button", name="Use default: Max Total").click()
    expect(number(page, "max_total")).to_have_value("12")
    save(page)
    assert own(memory, "team/re viewer") == {"enabled": False}

    page.get_by_role("link", name="All agents").click()
    row = page.get_by_role("row").filter(has_text="team/re viewer")
    expect(row).to_contain_text("Override")
    expect(row).to_contain_text("1 setting of its own")
    row.get_by_role("link").click()
    page.get_by_role("button", name="Revert to Default").click()
    page.get_by_role("dialog").get_by_role("button", name="Revert to Default").click()
    expect(page.get_by_text("Using Default")).to_be_visible()
    expect(field(page, "enabled").get_by_role("switch")).to_be_checked()
    assert own(memory, "team/re viewer") == {}
    assert len(memory.preview(**asked, agent="team/re viewer").receipt.injected) == 1


def test_what_others_change_is_followed_or_asked_about(someone, memory):
    page = someone.go("/agents/reviewer")
    number(page, "fact_limit").fill("3")
    expect(page.get_by_text("1 unsaved change")).to_be_visible()
    memory.settings.change({"memory_injection": {"max_total": 9}})
    expect(number(page, "max_total")).to_have_value("9")
    memory.settings.change_agent("reviewer", {"fact_limit": 4})
    expect(page.get_by_text("was 10, theirs is 4, yours is 3")).to_be_visible()
    page.get_by_role("button", name="Take theirs").click()
    expect(number(page, "fact_limit")).to_have_value("4")
    expect(unsaved(page)).to_be_hidden()
    assert own(memory, "reviewer") == {"fact_limit": 4}


def test_an_agent_is_named_as_it_is_and_never_as_markup(someone, memory):
    memory.settings.change_agent(HOSTILE, {"max_total": 3})
    page = someone.go("/agents")
    page.get_by_role("link", name=HOSTILE).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(f"Agent {HOSTILE}")
    expect(number(page, "max_total")).to_have_value("3")
    assert page.locator("img").count() == 0
    page.goto(someone.url + "/agents")
    page.get_by_label("Name of the agent").fill("x" * 600)
    page.get_by_role("button", name="Show its settings").click()
    expect(page.get_by_role("alert")).to_be_visible()
