"""Settings: every control is saved and in force, and nobody's change is lost or overwritten."""

from contextlib import suppress

import pytest
from playwright.sync_api import TimeoutError as PlaywrightTimeout
from playwright.sync_api import expect

from tacit.settings.config import SettingSource, SettingsTable
from tests.browser.chromium import person
from tests.browser.form import another, choose, field, number, save, unsaved

TYPING = """() => {
    const area = document.querySelector(".raw textarea");
    window.typing = setInterval(() => {
        area.value += "#";
        area.dispatchEvent(new Event("input"));
    }, 50);
}"""
CONNECT = """() => {
    window.socket.io.opts.query.next_message_id = window.nextMessageId;
    window.socket.connect();
}"""
"""Comes back as after a connection that was lost by itself, where this is told before each try."""
HOSTILE = "<img src=x onerror=alert(1)>{{ 7*7 }}"


CROSSED = """(element) => {
    const id = element.closest(".control").id.slice(1);
    const sent = structuredClone(Vue.toRaw(mounted_app.elements[id].props));
    element.click();
    mounted_app.elements[id] = {...mounted_app.elements[id], props: sent};
}"""
"""Clicks while an update of the control, sent by the server before it heard of that, comes in."""


@pytest.fixture(autouse=True)
def fresh(memory):
    """Every test begins with an empty file."""
    memory.settings.write_file("")


def value(memory, name, table=SettingsTable.MEMORY_INJECTION):
    return memory.settings.show().tables[table][name].value


def in_order(entries):
    """What goes away when another is switched off comes before that one."""
    defined = [each.definition for each in entries.values()]
    on = {each.name for each in defined if each.default is True}
    return sorted(defined, key=lambda each: each.needs not in on)


def test_every_control_is_saved_and_in_force(someone, memory):
    tables = memory.settings.show().tables
    page = someone.go("/settings")
    wanted = {}
    for summary in page.locator("details > summary").all():
        summary.click()
    for table, entries in tables.items():
        for setting in in_order(entries):
            wanted[table, setting.name] = another(setting)
            choose(page, setting, another(setting))
    expect(page.get_by_text(f"{len(wanted)} unsaved changes")).to_be_visible()
    save(page, f"Saved {len(wanted)} settings")
    told = memory.settings.show().tables
    assert {place: told[place[0]][place[1]].value for place in wanted} == wanted
    assert {each.source for table in told.values() for each in table.values()} == {
        SettingSource.FILE
    }
    expect(unsaved(page)).to_be_hidden()


def test_nothing_moves_from_under_the_mouse_when_a_change_is_heard(someone):
    page = someone.go("/settings")
    below = field(page, "max_injected_blocks_in_history")
    below.scroll_into_view_if_needed()
    switch = field(page, "context_aware_query").get_by_role("switch")
    number(page, "max_total").fill("9")
    switch.scroll_into_view_if_needed()
    place = below.bounding_box()
    switch.click()
    expect(unsaved(page)).to_contain_text("2 unsaved changes")
    assert below.bounding_box() == place


def test_a_value_that_was_on_its_way_does_not_undo_a_click(someone):
    page = someone.go("/settings")
    switch = field(page, "enabled").get_by_role("switch")
    expect(switch).to_be_checked()
    switch.evaluate(CROSSED)
    expect(unsaved(page)).to_contain_text("1 unsaved change")
    expect(switch).not_to_be_checked()
    unsaved(page).get_by_role("button", name="Discard").click()
    expect(switch).to_be_checked()


def test_the_next_turn_goes_by_what_was_saved(someone, memory):
    for when in ("four", "five", "noon"):
        memory.remember(f"tea is served at {when}", type="event")
    ask = {"session": "s", "text": "when is tea served?"}
    assert len(memory.preview(**ask).receipt.injected) == 3
    page = someone.go("/settings")
    number(page, "max_total").fill("2")
    save(page)
    assert len(memory.preview(**ask).receipt.injected) == 2
    field(page, "enabled").get_by_role("switch").uncheck()
    save(page)
    assert len(memory.preview(**ask).receipt.injected) == 0


def test_the_groups_and_texts_are_there_and_ambient_awareness_is_closed_until_it_is_wanted(someone):
    page = someone.go("/settings")
    shown = page.get_by_role("heading", level=3).all_inner_texts()
    assert shown[:3] == ["Contextual search", "Deduplication", "Ambient awareness"]
    assert page.get_by_text("Experimental").count() == 1
    switch = field(page, "ambient_enabled").get_by_role("switch")
    expect(switch).to_be_hidden()
    page.get_by_role("heading", name="Ambient awareness").click()
    expect(page.get_by_text("A bot of a community does well without")).to_be_visible()
    expect(field(page, "pinned_types")).to_be_hidden()
    switch.check()
    expect(field(page, "pinned_types").get_by_role("checkbox")).to_have_count(9)
    field(page, "pinned_types").get_by_label("Event").check()
    expect(page.get_by_text("Event: There are many of these")).to_be_visible()
    switch.uncheck()
    expect(field(page, "pinned_types")).to_be_hidden()


def test_a_value_can_be_put_back_or_left_to_the_default(someone, memory):
    memory.settings.change({"memory_injection": {"max_total": 7}})
    page = someone.go("/settings")
    here = field(page, "max_total")
    expect(here.get_by_text("file", exact=True)).to_be_visible()
    number(page, "max_total").fill("9")
    here.get_by_role("button", name="Put back").click()
    expect(number(page, "max_total")).to_have_value("7")
    expect(unsaved(page)).to_be_hidden()
    here.get_by_role("button", name="Use default").click()
    expect(number(page, "max_total")).to_have_value("25")
    save(page)
    assert memory.settings.show().tables["memory_injection"]["max_total"].source == "built_in"


def test_what_is_wrong_is_said_at_the_control_and_nothing_is_saved(someone, memory):
    page = someone.go("/settings")
    number(page, "max_total").fill("0")
    expect(field(page, "max_total").get_by_role("alert")).to_have_text(
        "Give a whole number from 1 to 200."
    )
    number(page, "fact_limit").fill("3")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("Fix the errors below to save.")).to_be_visible()
    number(page, "max_total").fill("5")
    page.get_by_role("heading", name="Writing").click()
    field(page, "llm_model").get_by_role("textbox").fill("m" * 501)
    page.get_by_role("button", name="Save", exact=True).click()
    expect(field(page, "llm_model").get_by_role("alert")).to_contain_text("at most 500 characters")
    assert (value(memory, "fact_limit"), value(memory, "max_total")) == (10, 25)
    field(page, "llm_model").get_by_role("textbox").fill("")
    save(page, "Saved 2 settings")
    assert (value(memory, "fact_limit"), value(memory, "max_total")) == (3, 5)


def test_of_two_who_change_one_setting_the_second_decides_before_anything_is_saved(
    someone, browser, server, memory
):
    page = someone.go("/settings")
    number(page, "search_limit").fill("33")
    expect(page.get_by_text("1 unsaved change")).to_be_visible()
    with person(browser, server.url) as other:
        first = other.go("/settings")
        number(first, "search_limit").fill("44")
        number(first, "fact_limit").fill("4")
        save(first, "Saved 2 settings")
    notice = page.get_by_role("status").filter(has_text="Changed by someone else")
    expect(notice).to_contain_text("was 20, theirs is 44, yours is 33")
    expect(number(page, "fact_limit")).to_have_value("4")
    expect(number(page, "search_limit")).to_have_value("33")
    expect(page.get_by_role("button", name="Save", exact=True)).to_be_hidden()
    assert value(memory, "search_limit") == 44
    page.get_by_role("link", name="Choose").click()
    expect(notice).to_be_in_viewport()
    page.get_by_role("button", name="Keep mine").click()
    save(page)
    assert (value(memory, "search_limit"), value(memory, "fact_limit")) == (33, 4)
    expect(notice).to_be_hidden()


def test_saving_over_a_change_that_was_not_seen_yet_overwrites_nothing(someone, memory):
    page = someone.go("/settings")
    number(page, "search_limit").fill("33")
    expect(page.get_by_text("1 unsaved change")).to_be_visible()
    memory.settings.change({"memory_injection": {"search_limit": 44}})
    with suppress(PlaywrightTimeout):  # where the change was just seen, there is nothing to press
        page.get_by_role("button", name="Save", exact=True).click(timeout=2_000)
    page.get_by_role("button", name="Take theirs").click()
    expect(number(page, "search_limit")).to_have_value("44")
    expect(unsaved(page)).to_be_hidden()
    assert value(memory, "search_limit") == 44
    number(page, "search_limit").fill("35")
    memory.settings.change({"memory_injection": {"fact_limit": 5}})
    save(page)
    assert (value(memory, "search_limit"), value(memory, "fact_limit")) == (35, 5)


def test_a_page_with_unsaved_changes_asks_before_it_is_left(someone):
    page = someone.go("/settings")
    number(page, "max_total").fill("9")
    expect(page.get_by_text("1 unsaved change")).to_be_visible()
    asked = []

    def stay(question):
        asked.append(question.type)
        question.dismiss()

    page.once("dialog", stay)
    page.wait_for_function("window.tacitUnsaved")
    page.get_by_role("link", name="Health").click()
    expect(number(page, "max_total")).to_have_value("9")
    assert asked == ["beforeunload"]
    page.get_by_role("button", name="Discard").first.click()
    expect(number(page, "max_total")).to_have_value("25")
    page.wait_for_function("!window.tacitUnsaved")
    page.get_by_role("link", name="Health").click()
    expect(page.get_by_role("heading", name="Health")).to_be_visible()
    assert asked == ["beforeunload"]


def test_what_is_unsaved_outlives_a_connection_that_was_lost_for_a_while(someone):
    page = someone.go("/settings")
    number(page, "max_total").fill("9")
    expect(page.get_by_text("1 unsaved change")).to_be_visible()
    page.evaluate("window.socket.disconnect()")
    page.wait_for_timeout(4_000)  # longer than NiceGUI would wait
    page.evaluate(CONNECT)
    page.get_by_role("button", name="Put back: Max Total").click()
    expect(unsaved(page)).to_be_hidden()
    expect(number(page, "max_total")).to_have_value("25")


def test_settings_are_found_in_every_part_of_the_page(someone):
    page = someone.go("/settings")
    page.get_by_label("Find a setting").fill("rrf")
    expect(field(page, "rrf_k")).to_be_visible()
    expect(field(page, "max_total")).to_be_hidden()
    assert page.locator(".setting:visible").count() < 4
    page.get_by_label("Find a setting").fill("no such words")
    expect(page.get_by_text("No setting has these words")).to_be_visible()
    page.get_by_label("Find a setting").fill("")
    expect(field(page, "max_total")).to_be_visible()
    expect(field(page, "rrf_k")).to_be_hidden()


def test_the_text_of_the_file_is_checked_saved_and_never_written_over_a_newer_one(someone, memory):
    page = someone.go("/settings")
    page.get_by_role("heading", name="The file itself").click()
    text = page.get_by_label("Text of the file")
    text.fill("[search]\nrrf_k = 0\n")
    page.get_by_role("button", name="Check").click()
    expect(page.get_by_text("search.rrf_k: 0 is out of range")).to_be_visible()
    text.fill("# ours\n[search]\nrrf_k = 9\n")
    page.get_by_role("button", name="Save the text").click()
    expect(page.get_by_text("Saved the settings file")).to_be_visible()
    expect(number(page, "rrf_k")).to_have_value("9")
    page.evaluate(TYPING)
    memory.settings.change({"search": {"rrf_k": 8}})
    expect(number(page, "rrf_k")).to_have_value("8")
    page.evaluate("clearInterval(window.typing)")
    page.get_by_role("button", name="Save the text").click()
    page.get_by_role("button", name="Take their text").click()
    expect(text).to_have_value("# ours\n[search]\nrrf_k = 8\n")
    assert memory.settings.read_file().text == "# ours\n[search]\nrrf_k = 8\n"


def test_an_invalid_file_is_shown_with_what_is_wrong_until_it_is_mended(someone, place):
    page = someone.go("/settings")
    (place / "tacit.toml").write_text("[search]\nrrf_k = 0\n")
    problem = page.get_by_role("alert").filter(has_text="The settings file is not used as it is")
    expect(problem).to_contain_text("line 2: search.rrf_k")
    page.get_by_role("heading", name="The file itself").click()
    expect(page.get_by_label("Text of the file")).to_have_value("[search]\nrrf_k = 0\n")
    page.get_by_label("Text of the file").fill("[search]\nrrf_k = 5\n")
    page.get_by_role("button", name="Save the text").click()
    expect(problem).to_be_hidden()
    expect(number(page, "rrf_k")).to_have_value("5")


def test_markup_in_settings_is_shown_as_text(someone, memory):
    memory.settings.change({"writing": {"learn": False, "llm_model": HOSTILE}})
    page = someone.go("/settings")
    page.get_by_role("heading", name="Writing").click()
    model = field(page, "llm_model").get_by_role("textbox")
    expect(model).to_have_value(HOSTILE)
    model.fill("plain")
    expect(field(page, "llm_model")).to_contain_text(f"was {HOSTILE}")
    memory.settings.change({"writing": {"llm_model": HOSTILE + "!"}})
    expect(page.get_by_text(f"theirs is {HOSTILE}!, yours is plain")).to_be_visible()
    assert page.locator("img").count() == 0
