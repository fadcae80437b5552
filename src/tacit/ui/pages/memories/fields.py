"""The fields of a memory as controls, for new ones and for those that are edited."""

from collections.abc import Callable, Mapping
from typing import Any

from tacit.core.errors import InvalidInput
from tacit.core.memory.kinds import MemoryType, Scope
from tacit.ui.kit.control import Control, Kind
from tacit.ui.kit.element import box, say
from tacit.ui.pages.memories.form import Values

_TYPES = {str(each): str(each).capitalize() for each in MemoryType}
_SCOPES = {str(each): str(each).capitalize() for each in Scope}


_PINNED = "In view whatever is asked, while Ambient Awareness is on in the settings"


class FieldControls:
    """Controls for every field; what a server refuses is said at the field."""

    def __init__(self, values: Values, on_change: Callable[[], Any] | None = None) -> None:
        self._controls: dict[str, Control] = {}
        self._values = values
        self._on_change = on_change
        self._add(Kind.AREA, "content", "Content", rows=4, hint="One statement worth knowing later")
        with box("memory-fields"):
            self._main()
        with box("more-fields", "details"):
            say("More fields", tag="summary")
            with box("memory-fields"):
                self._rest()

    @property
    def values(self) -> dict[str, Any]:
        """What the controls say."""
        return {name: control.value for name, control in self._controls.items()}

    def show(self, values: Values) -> None:
        """Let the controls say something else."""
        for name, control in self._controls.items():
            control.set_value(values[name])

    def object_to(self, error: InvalidInput) -> bool:
        """Say at a field what is wrong with it; whether there is such a field."""
        self.accept()
        control = self._controls.get(error.field.rpartition(".")[2])
        if control is not None:
            control.object_to(error.problem)
        return control is not None

    def accept(self) -> None:
        """Take back what was wrong."""
        for control in self._controls.values():
            control.object_to(None)

    def _main(self) -> None:
        self._add(Kind.SELECT, "type", "Type", options=_TYPES)
        self._add(Kind.TEXT, "key", "Key", hint="For facts with one current value")
        self._number("importance", "Importance", "0 to 1; how much it matters")
        self._number("confidence", "Confidence", "0 to 1; how sure one is")
        self._add(Kind.SELECT, "scope", "Scope", options=_SCOPES)
        self._add(Kind.TEXT, "scope_id", "Owner", hint="The id of the user, project, …")
        self._add(Kind.DATE, "expires_at", "Expires on", hint="Gone from the beginning of that day")
        self._add(Kind.SWITCH, "pinned", "Pinned", hint=_PINNED)

    def _rest(self) -> None:
        self._add(Kind.AREA, "tags", "Tags", rows=3, hint="One on each line")
        self._add(Kind.AREA, "metadata", "Metadata", rows=3, hint="A JSON object of your own")
        self._add(Kind.TEXT, "agent", "For one agent only", hint="Empty for all agents")
        self._add(Kind.DATE, "valid_from", "True from", hint="From the beginning of that day")
        self._add(Kind.DATE, "valid_to", "True until", hint="No longer on that day")

    def _number(self, name: str, label: str, hint: str) -> None:
        self._add(
            Kind.NUMBER, name, label, low=0, high=1, step=0.05, hint=hint, placeholder="as usual"
        )

    def _add(self, kind: Kind, name: str, label: str, **options: Any) -> None:
        self._controls[name] = Control(
            kind, label, self._values[name], on_change=self._on_change, **options
        )


LABELS: Mapping[str, str] = {
    "content": "Content",
    "type": "Type",
    "key": "Key",
    "importance": "Importance",
    "confidence": "Confidence",
    "scope": "Scope",
    "scope_id": "Owner",
    "agent": "Agent",
    "source": "Written by",
    "origin": "Origin",
    "trust": "Trust",
    "explicit": "By a person",
    "pinned": "Pinned",
    "tags": "Tags",
    "metadata": "Metadata",
    "valid_from": "True from",
    "valid_to": "True until",
    "superseded_by": "Replaced by",
    "successor": "Until",
    "expires_at": "Expires",
}
"""What fields are called on the pages."""
