"""`make test-frameworks`: a framework that cannot be installed is told, not skipped."""

import pytest

from tests.frameworks import environments

pytestmark = pytest.mark.slow


@pytest.fixture
def folders(tmp_path, monkeypatch):
    (tmp_path / "requirements").mkdir()
    monkeypatch.setattr(environments, "REQUIREMENTS", tmp_path / "requirements")
    monkeypatch.setattr(environments, "ENVIRONMENTS", tmp_path / "built")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    return tmp_path


def test_a_framework_that_cannot_be_installed_is_told_with_the_reason(folders, capsys):
    pinned = f"no-such-framework==1.0 --hash=sha256:{'0' * 64}\n"
    (folders / "requirements" / "nowhere.lock").write_text(pinned)
    assert environments.main([]) == 1
    line, total = capsys.readouterr().out.splitlines()
    assert line.startswith("nowhere")
    assert "NOT TESTED" in line
    assert "No matching distribution" in line
    assert total == "0 of 1 frameworks passed; not nowhere"


def test_an_environment_is_built_again_when_its_lock_file_has_changed(folders, monkeypatch):
    built = []
    monkeypatch.setattr(environments.Environment, "_install", lambda each: built.append(each.name))
    lock = folders / "requirements" / "somewhere.lock"
    for pinned in ("some==1.0", "some==1.0", "some==1.1"):
        lock.write_text(pinned)
        environments.find_environments()[0].prepare()
    assert built == ["somewhere"] * 2


def test_a_package_without_a_hash_is_not_installed(folders, capsys):
    (folders / "requirements" / "unhashed.lock").write_text(f"some @ {folders.as_uri()}\n")
    assert environments.main([]) == 1
    assert "Can't verify hashes" in capsys.readouterr().out


def test_a_name_that_is_no_framework_is_refused(folders):
    (folders / "requirements" / "nowhere.lock").write_text("")
    with pytest.raises(SystemExit, match="there are nowhere"):
        environments.main(["somewhere"])


def test_every_framework_has_tests_and_a_page():
    for each in environments.find_environments():
        name = each.name.replace("-", "_")
        assert (environments.TESTS / f"test_{name}.py").is_file()
        assert (environments.ROOT / f"docs/frameworks/{each.name}.md").is_file()
