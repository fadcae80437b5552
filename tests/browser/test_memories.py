"""The page of all memories: finding, and doing something with many."""

import json
import re
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import httpx2
import pytest
from playwright.sync_api import expect

SCRIPT = "<img src=x onerror=alert(1)> {{ 7*7 }} <script>alert(2)</script>"
PAST_THE_BROWSER = """async () => {
    const file = new FormData();
    file.append("large.txt", new Blob(["x".repeat(9_000_000)]), "large.txt");
    const picker = [...document.querySelectorAll(".q-uploader")].pop();
    const url = getElement(picker.id.slice(1)).$props.url;
    await fetch(url, {method: "POST", body: file});
}"""
"""Sends a large file without asking the browser's own part of the page."""


@pytest.fixture
def workspace(memory, request):
    """A workspace of the test's own, as a program sees it."""
    name = request.node.name[:60].replace("_", "-")
    return memory.workspace.open(name)


@pytest.fixture
def open_page(someone, workspace):
    def opened(query=""):
        return someone.go(f"/memories?workspace={workspace.workspace.name}{query}")

    return opened


def _rows(page):
    return page.locator(".memories-table tbody tr")


def _select(page, *contents):
    for content in contents:
        page.get_by_label(f"Select: {content}").check()


def test_filters_narrow_the_table_and_stay_in_the_address(open_page, workspace):
    workspace.remember("We chose JWT for the API", type="decision", tags=["auth"])
    workspace.remember("Never deploy on Fridays", type="constraint", pinned=True)
    workspace.remember("Tea at four", type="fact", importance=0.2)
    page = open_page()
    expect(page.get_by_text("1–3 of 3")).to_be_visible()
    page.get_by_label("Search", exact=True).fill("jwt")
    expect(_rows(page)).to_have_count(1)
    expect(_rows(page)).to_contain_text("We chose JWT")
    page.get_by_label("Search", exact=True).fill("")
    expect(_rows(page)).to_have_count(3)
    page.get_by_label("Pinned", exact=True).select_option("Pinned")
    expect(_rows(page)).to_contain_text(["Never deploy"])
    page.get_by_label("Pinned", exact=True).select_option("Pinned or not")
    expect(_rows(page)).to_have_count(3)
    page.locator(".types-choice summary").click()
    page.get_by_label("Decision").check()
    expect(_rows(page)).to_contain_text(["We chose JWT"])
    page.keyboard.press("Escape")
    expect(page.get_by_label("Decision")).to_be_hidden()
    page.get_by_text("More filters").click()
    page.get_by_label("Tag", exact=True).fill("auth")
    expect(page.get_by_text("More filters (1 active)")).to_be_visible()
    page.wait_for_url("**types=decision**tag=auth**")
    page.reload()
    expect(_rows(page)).to_contain_text(["We chose JWT"])
    expect(page.get_by_label("Tag", exact=True)).to_have_value("auth")
    _rows(page).get_by_role("link").click()
    expect(page.get_by_role("heading", name="Memory", exact=True)).to_be_visible()
    page.go_back()
    expect(page.get_by_label("Tag", exact=True)).to_have_value("auth")
    page.get_by_label("Key", exact=True).fill("two words")
    expect(page.get_by_text("a key is one word").first).to_be_visible()
    expect(page.get_by_text("A filter makes no sense")).to_be_visible()
    expect(_rows(page)).to_have_count(0)
    page.get_by_role("button", name="Clear filters").click()
    expect(_rows(page)).to_have_count(3)
    page.get_by_label("Importance to", exact=True).fill("0.3")
    expect(_rows(page)).to_contain_text(["Tea at four"])


def test_a_day_to_filter_by_is_one_of_the_viewer(open_page, workspace):
    workspace.remember("Tea at four")
    page = open_page()
    page.get_by_text("More filters").click()
    page.get_by_label("Written before").fill("2026-07-02")
    expect(page.get_by_text("No memory matches")).to_be_visible()
    page.wait_for_url("**created_to=2026-07-01T22%3A00%3A00.000Z*")
    page.reload()
    expect(page.get_by_label("Written before")).to_have_value("2026-07-02")
    page.get_by_label("Written before").fill("")
    expect(_rows(page)).to_have_count(1)


def test_by_meaning_says_how_relevant_each_is(open_page, workspace):
    workspace.remember("The invoices go out on Mondays", pinned=True)
    workspace.remember("Invoices are in euros")
    page = open_page("&text=invoices&meaning=yes")
    expect(page.get_by_role("columnheader", name="Relevance")).to_be_visible()
    expect(_rows(page)).to_have_count(2)
    page.get_by_label("Pinned", exact=True).select_option("Pinned")
    expect(_rows(page)).to_contain_text(["Mondays"])
    page.get_by_label("By meaning").uncheck()
    expect(page.get_by_role("columnheader", name="Relevance")).to_have_count(0)


def test_pages_follow_each_other_and_lead_back(open_page, workspace):
    workspace.memories.remember_all([f"memory number {number:03}" for number in range(120)])
    page = open_page("&sort=created")
    expect(page.get_by_text("1–50 of 120")).to_be_visible()
    _rows(page).first.get_by_role("checkbox").check()
    page.get_by_role("button", name="Next").click()
    expect(page.get_by_text("51–100 of 120")).to_be_visible()
    second = _rows(page).first.inner_text()
    _rows(page).first.get_by_role("checkbox").check()
    expect(page.get_by_text("2 memories selected")).to_be_visible()
    page.get_by_role("button", name="Next").click()
    expect(page.get_by_text("101–120 of 120")).to_be_visible()
    expect(page.get_by_role("button", name="Next")).to_have_count(0)
    page.get_by_role("button", name="Previous").click()
    expect(page.get_by_text("51–100 of 120")).to_be_visible()
    assert _rows(page).first.inner_text() == second
    page.reload()
    expect(page.get_by_text("51–100 of 120")).to_be_visible()
    page.get_by_role("button", name="Previous").click()
    expect(page.get_by_text("1–50 of 120")).to_be_visible()


def test_many_are_forgotten_and_come_back_by_undo(open_page, workspace):
    workspace.memories.remember_all([f"memory {number}" for number in range(5)])
    page = open_page()
    page.get_by_label("Select all on this page").check()
    expect(page.get_by_text("5 memories selected")).to_be_visible()
    page.get_by_role("button", name="Forget").click()
    expect(page.get_by_text("5 memories forgotten.")).to_be_visible()
    expect(_rows(page)).to_have_count(0)
    assert workspace.count() == 0
    page.get_by_role("button", name="Undo").click()
    expect(_rows(page)).to_have_count(5)
    assert workspace.count() == 5


def test_many_are_changed_and_put_back_as_they_were(open_page, workspace):
    one = workspace.remember("plain", importance=0.3).id
    other = workspace.remember("ripe", pinned=True, expires_at="2999-01-01", tags=["old"]).id
    before = [workspace.get(id).to_dict() | {"updated_at": ""} for id in (one, other)]

    def now():
        return [workspace.get(id).to_dict() | {"updated_at": ""} for id in (one, other)]

    def undo(text):
        expect(page.get_by_text(text)).to_be_visible()
        assert now() != before
        page.get_by_role("button", name="Undo").click()
        expect(page.get_by_text(text)).to_have_count(0)
        expect(page.locator(".memories-actions")).to_be_hidden()
        assert now() == before

    page = open_page("&state=any")
    _select(page, "plain", "ripe")
    page.get_by_role("button", name="Pin", exact=True).click()
    undo("1 memory pinned, 1 as wished already.")
    _select(page, "plain", "ripe")
    page.get_by_role("button", name="Expire now").click()
    undo("2 memories expired.")
    _select(page, "plain", "ripe")
    page.get_by_role("button", name="Add a tag").click()
    page.get_by_role("dialog").get_by_label("Tag").fill("new")
    page.get_by_role("dialog").get_by_role("button", name="Add a tag").click()
    undo("2 memories tagged new.")
    _select(page, "plain", "ripe")
    page.get_by_role("button", name="Set importance").click()
    page.get_by_label("Importance, exact").fill("0.9")
    page.get_by_role("dialog").get_by_role("button", name="Set importance").click()
    undo("2 memories set to importance 0.9.")


def test_what_could_not_be_done_with_some_is_told(open_page, workspace):
    workspace.remember("here")
    workspace.forget(workspace.remember("gone").id)
    page = open_page("&state=any")
    _select(page, "here", "gone")
    page.get_by_role("button", name="Pin", exact=True).click()
    expect(page.get_by_text("Not everything was done")).to_be_visible()
    expect(page.get_by_role("alert")).to_contain_text("1 memory pinned. 1 failed:")
    assert [each.content for each in workspace.list(pinned=True)] == ["here"]


def test_a_new_memory_is_written_with_its_fields(open_page, workspace):
    page = open_page()
    expect(page.get_by_text("Nothing is remembered yet")).to_be_visible()
    page.get_by_role("button", name="New memory").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Remember").click()
    expect(dialog.get_by_text("a memory needs at least one visible character")).to_be_visible()
    dialog.get_by_label("Content").fill("Ann prefers tea")
    page.keyboard.press("Escape")
    page.mouse.click(5, 5)
    expect(dialog.get_by_label("Content")).to_have_value("Ann prefers tea")
    page.wait_for_function("window.tacitUnsaved")
    dialog.get_by_label("Type").select_option("Preference")
    dialog.get_by_label("Key").fill("drink")
    dialog.get_by_label("Pinned").check()
    dialog.get_by_text("More fields").click()
    dialog.get_by_label("Tags").fill("people\nkitchen")
    dialog.get_by_role("button", name="Remember").click()
    expect(_rows(page)).to_contain_text(["Ann prefers tea"])
    page.wait_for_function("!window.tacitUnsaved")
    written = workspace.list()[0]
    assert (written.type, written.key, written.pinned) == ("preference", "drink", True)
    assert written.tags == ("people", "kitchen")


def test_files_are_taken_in_and_everything_is_given_out(open_page, workspace, tmp_path):
    lines = [{"content": "from a file", "type": "goal"}, {"content": ""}, {"content": "and more"}]
    file = tmp_path / "in.jsonl"
    file.write_text("\n".join(map(json.dumps, lines)))
    page = open_page()
    page.get_by_role("button", name="Import").click()
    with page.expect_file_chooser() as choice:
        page.get_by_role("button", name="Choose a file").click()
    choice.value.set_files(file)
    expect(page.get_by_text("2 created")).to_be_visible()
    expect(page.get_by_text("a memory needs at least one visible character")).to_be_visible()
    assert {each.content for each in workspace.list()} == {"from a file", "and more"}
    page.get_by_role("button", name="Close").click()
    expect(_rows(page)).to_have_count(2)
    with page.expect_download() as download:
        page.get_by_role("link", name="Export").click()
    given = download.value.path().read_text().splitlines()
    kept = tmp_path / "kept.jsonl"
    workspace.archive.export_to(kept)
    name = re.escape(workspace.workspace.name)
    assert re.fullmatch(rf"tacit-{name}-[\d-]+\.jsonl", download.value.suggested_filename)
    assert given[1:] == kept.read_text().splitlines()[1:]


def test_many_exports_at_once_are_all_given_out(server, workspace):
    workspace.remember("worth keeping")
    address = f"{server.url}/memories/export?workspace={workspace.workspace.name}"
    with ThreadPoolExecutor(24) as people:
        given = list(people.map(lambda _: httpx2.get(address, timeout=60), range(24)))
    assert {each.status_code for each in given} == {200}
    assert all("worth keeping" in each.text for each in given)


def test_a_file_that_is_too_large_is_refused_with_the_reason(open_page, workspace, tmp_path):
    file = tmp_path / "large.txt"
    file.write_bytes(b"x" * 9_000_000)
    page = open_page()
    page.get_by_role("button", name="Import").click()
    expect(page.get_by_text("Up to 8 MB")).to_be_visible()
    with page.expect_file_chooser() as choice:
        page.get_by_role("button", name="Choose a file").click()
    choice.value.set_files(file)
    expect(page.get_by_text("the server takes 8 MB at once")).to_be_visible()
    page.get_by_role("button", name="Close").click()
    expect(page.get_by_text("Up to 8 MB")).to_have_count(0)
    page.get_by_role("button", name="Import").click()
    expect(page.get_by_text("Up to 8 MB")).to_be_visible()
    expect(page.get_by_text("the server takes 8 MB at once")).to_have_count(0)
    page.evaluate(PAST_THE_BROWSER)
    expect(page.get_by_text("the server takes 8 MB at once")).to_be_visible()
    assert workspace.count() == 0


def test_stored_markup_is_shown_as_text(open_page, workspace):
    workspace.remember(SCRIPT, key="{{7*7}}", tags=["<b>bold</b>"], scope_id="<i>me</i>")
    page = open_page()
    page.on("dialog", lambda dialog: pytest.fail("a stored script ran"))
    expect(_rows(page)).to_contain_text([SCRIPT])
    expect(_rows(page)).to_contain_text(["<b>bold</b>"])
    expect(_rows(page)).to_contain_text(["<i>me</i>"])
    page.get_by_label("Select all on this page").check()
    expect(page.get_by_text("1 memory selected")).to_be_visible()
    assert page.locator("img").count() == 0


def test_a_short_time_of_another_year_names_the_year(someone, memory):
    page = someone.go("/memories")
    told = page.evaluate(
        """(times) => times.map((time) => {
            const made = document.createElement("tacit-time");
            made.setAttribute("short", "");
            made.setAttribute("datetime", time);
            document.body.append(made);
            return made.textContent;
        })""",
        ["2020-03-15T12:00:00Z", f"{datetime.now(UTC):%Y}-03-15T12:00:00Z"],
    )
    assert told[0] == "15 Mar 2020"
    assert told[1].startswith("15 Mar, ")
