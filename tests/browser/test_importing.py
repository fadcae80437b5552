"""The dialog that takes in files: what it is told, and what it tells."""

import pytest
from playwright.sync_api import expect


@pytest.fixture
def workspace(memory):
    return memory.workspace.open("importing")


def test_files_of_other_programs_come_in_by_their_name_or_as_they_are_said_to_be(
    someone, workspace, tmp_path
):
    notes, saved = tmp_path / "CLAUDE.md", tmp_path / "saved.txt"
    notes.write_text("## Style\n- Use tabs\n- @docs/more.md\n")
    saved.write_text("Likes tea.\nJan 5, 2025\n")
    page = someone.go(f"/memories?workspace={workspace.workspace.name}")
    page.get_by_role("button", name="Import").click()
    for file, format, told in [
        (notes, "Recognise it", "@docs/more.md is another file and is not followed"),
        (saved, "mem0", "it looks like text"),
        (saved, "ChatGPT memories or conversations", "1 created"),
    ]:
        page.get_by_label("Format").select_option(format)
        with page.expect_file_chooser() as choice:
            page.get_by_role("button", name="Choose a file").click()
        choice.value.set_files(file)
        expect(page.get_by_role("dialog").get_by_text(told)).to_be_visible()
    expect(
        page.get_by_role("dialog").get_by_text("Read as: ChatGPT memories or conversations.")
    ).to_be_visible()
    found = {each.content: each.origin.file for each in workspace.list()}
    assert found == {"Style: Use tabs": "CLAUDE.md", "Likes tea.": "saved.txt"}


def test_a_file_that_says_nothing_of_it_comes_in_as_somebodys(someone, workspace, tmp_path):
    lines, nothing = tmp_path / "ann.txt", tmp_path / "bad.json"
    lines.write_text("Ann rows on Sundays\n")
    nothing.write_text("{\n")
    page = someone.go(f"/memories?workspace={workspace.workspace.name}")
    page.get_by_role("button", name="Import").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_text("Whose they are").click()
    dialog.get_by_label("Scope").select_option("User")
    dialog.get_by_label("Owner").fill("ann")
    dialog.get_by_label("Type").select_option("Preference")
    dialog.get_by_label("Tags").fill("sport\nwater")
    for file, told in [(lines, "1 created"), (nothing, "Nothing was taken in")]:
        with page.expect_file_chooser() as choice:
            dialog.get_by_role("button", name="Choose a file").click()
        choice.value.set_files(file)
        expect(dialog.get_by_text(told)).to_be_visible()
    (ann,) = workspace.list(scope="user", scope_id="ann")
    assert (ann.type, ann.tags) == ("preference", ("sport", "water"))
