"""Documents and prompt layers."""

from playwright.sync_api import expect


def test_a_folder_is_added_searched_and_removed(someone, memory, tmp_path):
    (tmp_path / "doors.md").write_text("# Doors\n\nThe door code is kept in the safe.\n")
    page = someone.go("/documents")
    page.get_by_label("Path on the server").fill(str(tmp_path))
    page.get_by_role("button", name="Add and read it").click()
    expect(page.get_by_text("Read 1 files")).to_be_visible()
    page.get_by_label("What is asked").fill("where is the door code")
    expect(page.get_by_text("The door code is kept in the safe.")).to_be_visible()
    page.get_by_role("button", name=f"Remove the folder {tmp_path}").click()
    page.get_by_role("button", name="Remove", exact=True).click()
    expect(page.get_by_text(str(tmp_path))).to_have_count(0)
    assert memory.documents.status().files == 0


def test_a_folder_that_is_not_there_is_told(someone):
    page = someone.go("/documents")
    page.get_by_label("Path on the server").fill("no/such/folder")
    page.get_by_role("button", name="Add and read it").click()
    expect(page.get_by_text("write the whole path of a folder on the server")).to_be_visible()


def test_the_layers_of_a_prompt_are_shown_for_a_role(someone):
    page = someone.go("/prompt")
    expect(page.get_by_text("You are talking to somebody from outside.")).to_be_visible()
    page.get_by_label("Role").select_option("admin")
    expect(page.get_by_text("You are talking to somebody from outside.")).to_have_count(0)
