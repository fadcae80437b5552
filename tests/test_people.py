"""The people to choose and to measure by: what is asked about them was really said."""

import json
import re
from pathlib import Path

import pytest

PEOPLE = Path(__file__).parents[1] / "tools" / "people"
FOUND = [
    pytest.param(person, id=person["id"])
    for file in sorted(PEOPLE.glob("*.json"))
    for person in json.loads(file.read_text("utf-8"))["personas"]
]


def test_there_are_forty_people():
    assert len({each.id for each in FOUND}) == len(FOUND) == 40


@pytest.mark.parametrize("person", FOUND)
def test_every_answer_and_every_outdated_value_was_said(person):
    messages = [each for session in person["sessions"] for each in session["messages"]]
    said = [each["user"] for each in messages]
    together = "\n".join(said)
    everything = "\n".join([together, *(each["assistant"] for each in messages)])
    assert len(person["questions"]) == 30
    for question in person["questions"]:
        for words in (*question["gold"], *question["also"]):
            assert words in together
        for pattern in question.get("stale", ()):
            assert re.search(pattern, everything, re.IGNORECASE)
        has_needs = bool(question.get("needs"))
        assert has_needs == (question["kind"] != "none")
