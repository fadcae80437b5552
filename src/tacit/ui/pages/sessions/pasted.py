"""Messages that somebody pasted."""

import json
from collections.abc import Sequence
from typing import Any

from tacit.core.errors import InvalidInput
from tacit.core.messages.shape import checked

FIELD = "history"
EXAMPLE = """[
  {"role": "user", "content": "Where do invoices go out from?"},
  {"role": "assistant", "content": "From billing@shop.example."}
]"""


def pasted(text: str) -> Sequence[Any]:
    """The messages in a text of JSON; says what is wrong with it and where."""
    try:
        found = json.loads(text)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise InvalidInput(FIELD, f"this is not JSON ({error.msg}, {place})") from None
    except RecursionError:
        raise InvalidInput(FIELD, "this is nested too deeply; paste a list of messages") from None
    if not isinstance(found, list) or not found:
        raise InvalidInput(FIELD, "paste a list of messages, as in the example")
    return checked(found)


def written(messages: Sequence[Any]) -> str:
    """Messages as JSON that can be pasted elsewhere."""
    return json.dumps(list(messages), ensure_ascii=False, indent=2)
