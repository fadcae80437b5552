"""LoCoMo's conversations, as texts that everyone can take."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from benchmarks.peers.peer import Item

_EVIDENCE = re.compile(r"D:?(\d+):0*(\d+)")
_SESSION = re.compile(r"session_(\d+)")
_TIME = "%I:%M %p on %d %B, %Y"


@dataclass(frozen=True, slots=True)
class Conversation:
    """Turns, and questions with the keys of the turns that answer them."""

    name: str
    items: list[Item]
    questions: list[tuple[str, set[str]]]


def read(path: Path) -> list[Conversation]:
    """All of them."""
    samples = json.loads(path.read_text("utf-8"))
    return [
        Conversation(str(each["sample_id"]), list(_items(each)), list(_questions(each)))
        for each in samples
    ]


def _items(sample: Mapping[str, Any]) -> Iterator[Item]:
    for name, turns in sample["conversation"].items():
        if match := _SESSION.fullmatch(name):
            time = datetime.strptime(sample["conversation"][f"{name}_date_time"], _TIME)
            for turn in turns:
                yield _item(match.group(1), time, turn)


def _item(session: str, time: datetime, turn: Mapping[str, Any]) -> Item:
    caption = turn.get("blip_caption")
    said = (f"{turn['text']} [{caption}]" if caption else turn["text"] or "…").strip()
    origin = {
        "session": session,
        "ordinal": int(turn["dia_id"].split(":")[1]),
        "speaker": turn["speaker"],
        "time": time,
    }
    draft = {"content": said, "type": "observation", "key": turn["dia_id"], "origin": origin}
    return Item(turn["dia_id"], f"{turn['speaker']}: {said}", draft)


def _questions(sample: Mapping[str, Any]) -> Iterator[tuple[str, set[str]]]:
    for question in sample["qa"]:
        pairs = _EVIDENCE.findall(" ".join(map(str, question.get("evidence", []))))
        if gold := {f"D{session}:{turn}" for session, turn in pairs}:
            yield question["question"].strip(), gold
