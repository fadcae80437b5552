"""Histories in files."""

import json
from pathlib import Path

from tacit.core.errors import InvalidInput
from tacit.core.messages import check_history


def read_messages(file: Path) -> list[object]:
    """The messages of a history in a file."""
    try:
        return check_history(json.loads(file.read_bytes()))
    except OSError as error:
        raise InvalidInput("history", f"{file} cannot be read ({error.strerror})") from None
    except InvalidInput as error:
        raise InvalidInput("history", f"{file}: {error.problem}") from None
    except (ValueError, RecursionError) as error:
        problem = f'{file} is not JSON ({error}); write [{{"role": "user", "content": "…"}}]'
        raise InvalidInput("history", problem) from None
