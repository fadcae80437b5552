"""Files that somebody else may have made: nothing in a folder holds up who reads it."""

import ast
import os
import re
import threading
from pathlib import Path

import pytest

import tacit
from tacit.grounding.documents.files import read_document
from tacit.grounding.policy_files import read_policy_file
from tacit.integrations.hooks.clients import find_compaction, find_touched_files
from tacit.integrations.hooks.project_files import find_project_files
from tacit.runtime.files import MAX_FOLDER_ENTRIES, find_files, list_folder, read_file, read_start
from tacit.runtime.trust import read_content

SOURCE = Path(tacit.__file__).parent

ELSEWHERE = {
    "runtime/files.py": "this is where files are opened; and our own file of the machine",
    "writing/archive/files.py": "a file that a person names, which may be a pipe",
    "cli/options.py": "a file that a person names, which may be a pipe",
    "cli/settings.py": "the copy that the editor was given",
    "integrations/daemon.py": "our own file, in a folder of the user alone",
    "integrations/hooks/daemon_client.py": "our own file, in a folder of the user alone",
    "integrations/hooks/sender.py": "our own log; standard library only",
    "integrations/hooks/project.py": "a folder, opened for its name alone",
    "grounding/chat_log.py": "a log that is written: a pipe is refused when it is sought in",
    "grounding/file_layout.py": "made anew, or refused",
    "runtime/logs.py": "our own log",
    "runtime/prompt_spool.py": "our own files, in a folder of the user alone",
    "store/sqlite/schema.py": "made anew beside the database",
    "store/sqlite/store.py": "the database itself",
    "embedding": "the model's files, in the user's cache",
    "evals": "benchmark data that a person names",
}
"""Where files are opened otherwise, and why."""

MAY_OPEN = re.compile(r"open\(|read_(?:text|bytes)")
PACKAGED = ("files(", "_BUNDLED", "_PIECES", "file.read_text", "folder /")
"""What is read of the package itself."""


def within(seconds, work):
    """The result of work that must not wait for ever."""
    found = []
    worker = threading.Thread(target=lambda: found.append(work()), daemon=True)
    worker.start()
    worker.join(seconds)
    assert found, "still waiting"
    return found[0]


def refused(work):
    def result():
        try:
            return work()
        except Exception as error:
            return error

    return within(20, result)


@pytest.fixture(params=["pipe", "link to a pipe", "device", "folder"])
def other(request, tmp_path):
    """What is no regular file, in the place of one."""
    path = tmp_path / "other.md"
    if request.param == "folder":
        path.mkdir()
    elif request.param == "device":
        path.symlink_to("/dev/zero")
    else:
        os.mkfifo(tmp_path / "pipe")
        path.symlink_to(tmp_path / "pipe")
        if request.param == "pipe":
            path.unlink()
            (tmp_path / "pipe").rename(path)
    return path


def test_what_is_no_regular_file_is_refused_at_once(other):
    assert isinstance(refused(lambda: read_start(other, 10)), OSError)
    assert isinstance(refused(lambda: read_file(other)), OSError)
    assert isinstance(refused(lambda: read_content(other)), tacit.ConfigError)


def test_no_reader_of_a_folder_waits_for_what_is_no_file(other, tmp_path):
    assert within(20, lambda: read_document(str(other))).problem
    assert within(20, lambda: read_policy_file(other, tmp_path)).problem
    assert within(20, lambda: find_touched_files(other, tmp_path)) == ()
    assert within(20, lambda: find_compaction(other)) is None


def test_a_file_is_read_up_to_a_size(tmp_path):
    path = tmp_path / "a"
    path.write_bytes(b"0123456789")
    assert read_start(path, 4) == b"0123"
    assert read_file(path, 10) == b"0123456789"
    with pytest.raises(OSError, match="larger than 9 bytes"):
        read_file(path, 9)


def test_a_walk_stays_in_its_folder_and_ends(tmp_path):
    folder, elsewhere = tmp_path / "folder", tmp_path / "elsewhere"
    (folder / "a" / "b").mkdir(parents=True)
    elsewhere.mkdir()
    for path in (folder / "1.md", folder / "a" / "b" / "2.md", elsewhere / "3.md"):
        path.write_text("x")
    (folder / "out").symlink_to(elsewhere)
    (folder / "out.md").symlink_to(elsewhere / "3.md")
    (folder / "a" / "loop").symlink_to(folder)
    (folder / "a" / "again.md").symlink_to(folder / "1.md")
    os.mkfifo(folder / "pipe.md")
    found = [folder / "1.md", folder / "a" / "again.md", folder / "a" / "b" / "2.md"]
    assert find_files(folder, folder, ".md") == found
    assert find_files(folder / "out", folder, ".md") == []


def test_a_folder_without_end_is_looked_at_in_part(tmp_path):
    for number in range(MAX_FOLDER_ENTRIES + 50):
        (tmp_path / f"{number}.md").touch()
    assert len(list_folder(tmp_path)) == MAX_FOLDER_ENTRIES
    assert len(find_files(tmp_path, tmp_path, ".md")) == MAX_FOLDER_ENTRIES


def test_directives_that_lead_out_of_a_folder_are_none_of_its_files(tmp_path):
    (tmp_path / "repository" / ".git").mkdir(parents=True)
    (tmp_path / "repository" / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    policies = tmp_path / "repository" / "memory.db.workspaces"
    policies.mkdir()
    (policies / "_policy").symlink_to("/")
    assert within(20, lambda: find_project_files(tmp_path / "repository")) == []


def test_every_file_is_opened_where_nothing_holds_it_up():
    """A new reader uses files/reading.py, or has a reason in ELSEWHERE."""
    found = {}
    for path in sorted(SOURCE.rglob("*.py")):
        place, text = str(path.relative_to(SOURCE)), path.read_text("utf-8")
        if any(place == each or place.startswith(f"{each}/") for each in ELSEWHERE):
            continue
        if MAY_OPEN.search(text):  # parsing every module takes seconds
            found[place] = [each for each in _openings(text) if not _is_packaged(each)]
    assert [each for each in found.items() if each[1]] == []


def _openings(text):
    """The calls in a module that open a file to read it."""
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        is_open = isinstance(node.func, ast.Name) and node.func.id == "open"
        is_mode = any(isinstance(each, ast.Constant) and each.value == "rb" for each in node.args)
        is_os = name in ("open", "fdopen") and ast.unparse(node.func) in ("os.open", "os.fdopen")
        if name in ("read_text", "read_bytes") or is_open or is_os or (name == "open" and is_mode):
            yield ast.unparse(node)


def _is_packaged(call):
    return any(each in call for each in PACKAGED)
