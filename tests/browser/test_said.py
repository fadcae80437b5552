"""What was said: listed, searched, kept as a memory, forgotten and erased."""

import re

import pytest
from playwright.sync_api import expect

from tests.support import say

pytestmark = pytest.mark.episodes

MOVED = "we're in Hamburg now, Jonas got a job at the university hospital"
BOILER = "the boiler in the cellar makes a noise like a kettle"
BEES = "the tenants of the attic keep bees"


@pytest.fixture
def said(memory):
    if not memory.episodes.list(user="ann"):
        say(memory, MOVED, session="move", user="ann")
        say(memory, BOILER, session="house", user="ann", project="home")
        say(memory, BEES, session="attic", user="ben")
    return memory


def test_a_user_is_chosen_among_those_who_spoke_and_sees_only_their_words(someone, said):
    page = someone.go("/said")
    expect(page.get_by_text("Whose words?")).to_be_visible()
    page.get_by_role("link", name="ann", exact=True).click()
    expect(page.locator(".said > li")).to_have_count(2)
    expect(page.locator(".said > li").first).to_contain_text(BOILER)
    expect(page.locator(".said > li").last.get_by_role("link", name="Session move")).to_be_visible()
    expect(page.get_by_text("bees")).to_have_count(0)


def test_words_are_searched_and_limited_to_a_session(someone, said):
    page = someone.go("/said?user=ann")
    page.get_by_label("Search what was said").fill("which noise is in the cellar")
    expect(page.get_by_text("Searched: what was said in no project")).to_be_visible()
    page.get_by_label("Project").fill("home")
    expect(page.locator(".said > li").first).to_contain_text(BOILER)
    page.get_by_label("Search what was said").fill("")
    page.get_by_label("Session").fill("move")
    expect(page.locator(".said > li")).to_have_count(1)
    expect(page.locator(".said")).to_contain_text(MOVED)


def test_words_are_forgotten_and_restored(someone, said):
    page = someone.go("/said?user=ann")
    page.get_by_role("button", name=f"Forget: {MOVED}").click()
    restore = page.get_by_role("button", name=f"Restore: {MOVED}")
    expect(restore).to_be_visible()
    assert [each.text for each in said.episodes.list(user="ann")] == [BOILER]
    restore.click()
    expect(restore).to_have_count(0)
    assert len(said.episodes.list(user="ann")) == 2


def test_words_become_a_memory(someone, said):
    page = someone.go("/said?user=ann")
    page.get_by_role("button", name=f"Keep as a memory: {MOVED}").click()
    expect(page.locator(".memory-statement")).to_contain_text(MOVED)
    (kept,) = said.list(contains="Hamburg", user="ann")
    assert kept.owner == ("user", "ann")


def test_words_are_erased_once_a_word_is_typed(someone, said):
    say(said, "the cellar key hangs behind the door", session="keys", user="cleo")
    page = someone.go("/said?user=cleo")
    page.get_by_role("button", name="Erase: the cellar key").click()
    page.get_by_label("Type ERASE").fill("ERASE")
    page.get_by_role("button", name="Erase for good").click()
    expect(page.get_by_text("Nothing was kept of what was said")).to_be_visible()
    assert said.episodes.list(user="cleo", forgotten=True) == []


def test_pages_of_many_words_go_back_in_time(someone, said):
    for number in range(27):
        say(said, f"crate number {number} holds old maps", session=f"c{number}", user="dora")
    page = someone.go("/said?user=dora")
    expect(page.locator(".said > li")).to_have_count(25)
    page.get_by_role("button", name="Older").click()
    expect(page.locator(".said > li")).to_have_count(2)
    expect(page.locator(".said > li").last).to_contain_text("crate number 0 ")
    page.get_by_role("button", name="Newest").click()
    expect(page.locator(".said > li").first).to_contain_text("crate number 26 ")


def test_a_session_shows_what_was_said_earlier_and_whether_it_may_come_again(someone, said):
    say(said, "who keeps bees in the attic?", session="asked", user="ben")
    page = someone.go("/sessions/asked")
    expect(page.get_by_text("1 episode injected")).to_be_visible()
    expect(page.locator(".injected li").get_by_role("link", name=BEES)).to_be_visible()
    expect(page.locator(".ledger tbody tr")).to_contain_text(BEES)


def test_somebody_without_words_reads_what_is_kept_and_how_to_switch_it_off(someone, said):
    page = someone.go("/said?user=nobody")
    expect(page.get_by_text("set Keep What Was Said to off")).to_be_visible()
    page.get_by_role("link", name="Open the settings").click()
    expect(page).to_have_url(re.compile("/settings$"))


def test_a_receipt_shows_what_was_said_and_leads_to_it(someone, said):
    asked = "who keeps bees in the attic?"
    page = someone.go(f"/inspector?text={asked}&user=ben")
    line = page.locator(".line", has_text=BEES)
    expect(line).to_be_visible()
    shown = page.locator(".candidate", has_text=BEES)
    expect(shown.locator(".badge", has_text="said on ")).to_be_visible()
    shown.get_by_role("link", name=BEES).click()
    expect(page.locator(".said > li")).to_have_count(1)
    expect(page.get_by_role("link", name="All that was said")).to_be_visible()
