"""`tacit profile`: what is known of a person, as a table and as JSON."""

import json

import pytest


@pytest.fixture
def known(run):
    run("remember", "I am a nurse", "-t", "identity", "--user", "ann")
    run("remember", "Never call before noon", "-t", "constraint", "--user", "ann")
    run("remember", "Anna", "--key", "user.name", "--user", "ann")
    run("remember", "Hull", "--key", "user.city", "--user", "ann", "--by", "agent")
    run("remember", "I am a pilot", "-t", "identity", "--user", "bob")


@pytest.mark.usefixtures("known")
def test_a_profile_is_shown_by_kind_with_source_and_day(run):
    head, *lines = run("profile", "--user", "ann").out.splitlines()
    assert head.split() == ["type", "content", "by", "said", "id"]
    assert lines[0].split()[:6] == ["Identity", "identity", "I", "am", "a", "nurse"]
    assert lines[1].split()[:2] == ["Rules", "constraint"]
    (name,) = (line for line in lines if "user.name: Anna" in line)
    day, id = name.split()[-2:]
    assert (len(day), len(id)) == (10, 8)
    (city,) = (number for number, line in enumerate(lines) if "user.city: Hull" in line)
    assert "agent" in lines[city]
    assert lines[city + 1].strip() == "unverified"
    assert "pilot" not in "".join(lines)


@pytest.mark.usefixtures("known")
def test_a_profile_as_json_has_the_text_for_a_prompt_too(run):
    told = json.loads(run("profile", "--user", "ann", "--limit", "1", "--json").out)
    assert [each["content"] for each in told["identity"]] == ["I am a nurse"]
    assert len(told["facts"]) == 1
    assert "[Identity] I am a nurse" in told["text"]


@pytest.mark.usefixtures("known")
def test_of_whom_nothing_is_known_that_is_said(run):
    assert run("profile", "--user", "cleo").out == "Nothing is known of cleo.\n"
    assert "--user names one" in run("profile").out
    refused = run("profile", "--limit", "0")
    assert (refused.code, "limit" in refused.err) == (2, True)
