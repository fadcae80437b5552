"""Two revisions beside each other: the table, the ratios, and what is said of a wrong name."""

import io
import json
import sys

import pytest
from benchmarks.compare import probe
from benchmarks.compare.__main__ import ROOT, main
from benchmarks.compare.probes import PROBES, Task
from benchmarks.compare.ratios import Rounds, compare_rounds, spread, to_report
from benchmarks.compare.revision import UnknownRevision, find_current, find_revision
from rich.console import Console

pytestmark = pytest.mark.skipif(not (ROOT / ".git").exists(), reason="needs the repository")

OLD = Rounds(tuple({"search": value} for value in (10.0, 11.0, 12.0, 10.5)))
FAST = Rounds(tuple({"search": value} for value in (5.0, 5.5, 6.0, 5.2)))


def _printed(*comparisons):
    out = io.StringIO()
    Console(file=out, width=140).print(to_report(comparisons, "old one", "new one", 4))
    return out.getvalue()


def test_the_ratio_is_the_new_median_by_the_old_one():
    (line,) = compare_rounds("search", OLD, FAST)
    assert line.ratio == pytest.approx(5.35 / 10.75)
    assert line.verdict == "faster"
    (back,) = compare_rounds("search", FAST, OLD)
    assert back.ratio == pytest.approx(10.75 / 5.35)
    assert back.verdict == "slower"
    (same,) = compare_rounds("search", OLD, OLD)
    assert (same.ratio, same.verdict) == (1.0, "unclear")


def test_few_rounds_give_no_verdict():
    old, new = Rounds(OLD.figures[:3]), Rounds(FAST.figures[:3])
    assert compare_rounds("search", old, new)[0].verdict == "too few rounds"


def test_the_spread_is_the_share_between_the_slowest_and_the_fastest_round():
    assert spread([10.0, 11.0, 12.0]) == pytest.approx(2 / 11)
    assert spread([5.0]) == 0.0
    assert spread([]) is None


def test_what_a_revision_lacks_is_said_and_the_rest_is_compared():
    (gone,) = compare_rounds("learn", Rounds(), Rounds(({"learn": 2.0},)))
    assert (gone.ratio, gone.verdict) == (None, "not there")
    (none,) = compare_rounds("learn", Rounds(), Rounds())
    assert (none.measure, none.verdict) == ("learn", "not there")
    (failed,) = compare_rounds("learn", Rounds(absence="failed"), Rounds())
    assert failed.verdict == "failed"
    new = Rounds(({"search": 5.0, "search, first": 50.0},))
    whole, partly = compare_rounds("search", OLD, new)
    assert whole.ratio is not None
    assert (partly.measure, partly.ratio) == ("search, first", None)
    drawn = _printed(gone, whole, partly)
    assert "new one against old one" in drawn
    assert drawn.count("not there") == 4
    assert "10.8" in drawn
    assert "0.47" in drawn
    assert "19%" in drawn
    assert json.loads(json.dumps(gone.to_dict()))["old"] is None


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["HEAD", "serach"], "choose from import, open, remember, ingest, search, hybrid"),
        (["no-such-revision", "open"], "Name a tag, a branch or a commit, such as HEAD~1"),
        (["--upload-pack=x", "open"], "unrecognized arguments"),
        (["HEAD", "open", "--rounds", "0"], "give 1 or more"),
    ],
)
def test_a_wrong_argument_is_an_error_that_says_what_would_be_right(capsys, words, told):
    with pytest.raises(SystemExit) as stopped:
        main(words)
    assert stopped.value.code == 2
    assert told in " ".join(capsys.readouterr().err.split())


def test_a_revision_is_known_by_its_commit_and_the_tree_by_its_content():
    head = find_revision(ROOT, "HEAD")
    assert head.commit.startswith(head.key)
    assert find_revision(ROOT, head.commit).key == head.key
    current = find_current(ROOT)
    assert current.key == head.key or current.key.startswith("tree-")
    with pytest.raises(UnknownRevision):
        find_revision(ROOT, "HEAD~1000000")


@pytest.mark.parametrize("name", ["import", "open", "remember", "search", "hybrid", "turn"])
def test_every_probe_measures_something_with_this_revision(name, tmp_path):
    figures = PROBES[name](Task(tmp_path, memories=5, repeats=2))
    assert figures
    assert all(value > 0 for value in figures.values())


def test_a_probe_says_what_a_revision_lacks_and_fails_on_everything_else(
    tmp_path, capsys, monkeypatch
):
    def lack(_):
        raise AttributeError("'Tacit' object has no attribute 'learn'")

    def fail(_):
        raise OSError("the disk is full")

    asked = {"name": "learn", "folder": str(tmp_path), "memories": 1, "repeats": 1}
    monkeypatch.setattr(sys, "argv", ["probe", json.dumps(asked)])
    monkeypatch.setattr(probe, "PROBES", {"learn": lack})
    monkeypatch.setattr(probe.logging, "disable", lambda: None)
    probe.main()
    assert "no attribute 'learn'" in json.loads(capsys.readouterr().out)["missing"]
    monkeypatch.setattr(probe, "PROBES", {"learn": fail})
    with pytest.raises(OSError, match="full"):
        probe.main()


@pytest.mark.slow
def test_this_tree_is_compared_with_another_revision_for_real(capsys):
    names = ["learn", "extract"]
    main(["HEAD", *names, "--rounds", "2", "--repeats", "2", "--memories", "50", "--json"])
    printed = capsys.readouterr()
    told = json.loads(printed.out)
    assert {each["name"] for each in told["figures"]} == set(names)
    assert all(each["ratio"] > 0 for each in told["figures"])
    assert "round 2 of 2" in printed.err
