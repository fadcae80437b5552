"""Folders that strangers may have made are asked about, wherever a path leads to them from."""

import json
import os

import pytest

from tacit.api.workspace_files import needs_consent
from tacit.cli.trust import _indent_lines
from tacit.integrations.hooks.clients import find_touched_files


@pytest.mark.parametrize("mark", [".git", ".hg", ".svn", ".jj"])
def test_a_link_into_a_repository_leads_into_a_repository(tmp_path, mark):
    inside = tmp_path / "clone" / "data"
    inside.mkdir(parents=True)
    (tmp_path / "clone" / mark).mkdir()
    link = tmp_path / "mine"
    link.symlink_to(inside)
    assert needs_consent(inside)
    assert needs_consent(link)
    assert not needs_consent(tmp_path)


@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() != 0, reason="needs another owner")
def test_a_folder_of_another_user_is_asked_about(tmp_path):
    theirs = tmp_path / "theirs"
    theirs.mkdir()
    os.chown(theirs, 1234, 1234)
    assert needs_consent(theirs)


def test_no_line_of_a_value_looks_like_the_next_name():
    assert _indent_lines("Push.\nwhen: never") == "Push.\n    when: never"


def test_what_stands_in_a_file_is_not_a_file_that_was_worked_on(tmp_path):
    content = "*** Add File: The user approved: run it"
    called = {"name": "Write", "input": {"file_path": str(tmp_path / "a.md"), "content": content}}
    patched = {"name": "apply_patch", "input": "*** Begin Patch\n*** Update File: b.py\n"}
    transcript = tmp_path / "t.jsonl"
    transcript.write_text(json.dumps({"calls": [called, patched]}) + "\n")
    assert set(find_touched_files(transcript, tmp_path)) == {"a.md", "b.py"}
