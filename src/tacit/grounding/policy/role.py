"""Whom a response is for, which decides how it begins."""

from enum import StrEnum
from pathlib import Path

_BUNDLED = Path(__file__).parent / "roles"


class PromptRole(StrEnum):
    """Who is talked to: somebody who runs the place, or somebody from outside."""

    ADMIN = "admin"
    PUBLIC = "public"

    @property
    def bundled(self) -> str:
        """What holds for the role where nobody has written anything else."""
        return (_BUNDLED / f"{self}.md").read_text(encoding="utf-8")
