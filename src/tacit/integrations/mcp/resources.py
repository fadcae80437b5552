"""The resources: sessions and receipts of this place, as JSON."""

from collections.abc import Mapping
from itertools import islice
from typing import Any

from mcp.server.mcpserver import MCPServer

from tacit.core.explanations import explain_candidate
from tacit.core.receipt import Fate, Receipt
from tacit.integrations.mcp.place import asking
from tacit.integrations.mcp.view import Source, View
from tacit.language.structure.neutral import neutralised

_MOST_LISTED = 20
_MOST_CANDIDATES = 50
_MOST_BLOCKS = 20
_MOST_ENTRIES = 200


class Resources:
    """The resources, on a store."""

    def __init__(self, tacit: Source) -> None:
        self._tacit = tacit

    def offer(self, server: MCPServer) -> None:
        """Let a server offer them."""
        for uri, title, read in (
            ("tacit://sessions", "Sessions", self.sessions),
            ("tacit://sessions/{id}", "A session", self.session),
            ("tacit://receipts", "Receipts of the last turns", self.receipts),
            ("tacit://receipts/{id}", "The receipt of a turn", self.receipt),
        ):
            server.resource(uri, title=title, mime_type="application/json")(read)

    def sessions(self) -> dict[str, Any]:
        """The sessions of this project that were active last, newest first."""
        return _shown({"sessions": list(islice(self._view().sessions(), _MOST_LISTED))})

    def session(self, id: str) -> dict[str, Any]:
        """One session: the blocks it was given, what may come again, and its last receipts."""
        view = self._view()
        report = self._tacit.session(view.own_session(id), agent=view.place.name)
        told = report.to_dict()
        return _shown(told) | {
            "blocks": told["blocks"][-_MOST_BLOCKS:],
            "ledger": told["ledger"][-_MOST_ENTRIES:],
            "receipts": list(map(_summary, report.receipts)),
        }

    def receipts(self) -> dict[str, Any]:
        """The last turns of this project, newest first: what was asked and what was injected."""
        return {"receipts": list(map(_summary, islice(self._view().receipts(), _MOST_LISTED)))}

    def receipt(self, id: str) -> dict[str, Any]:
        """One turn: every memory that it thought of, and why it was injected or left out."""
        receipt = self._view().receipt(id)
        ordered = sorted(receipt.candidates, key=lambda each: each.fate is not Fate.INJECTED)
        shown = [each.to_dict() | {"reason": explain_candidate(each)} for each in ordered]
        told = receipt.to_dict() | {"candidates": shown[:_MOST_CANDIDATES]}
        return _shown(told) | {"candidates_left_out": max(len(shown) - _MOST_CANDIDATES, 0)}

    def _view(self) -> View:
        return View(self._tacit, asking.get())


def _summary(receipt: Receipt) -> dict[str, Any]:
    return _shown(receipt.summary() | {"query": receipt.query})


def _shown(values: Mapping[str, Any]) -> dict[str, Any]:
    """The same with every text in it as one line that cannot pass for structure."""
    return {name: _neutral(value) for name, value in values.items()}


def _neutral(value: Any) -> Any:
    if isinstance(value, str):
        return neutralised(value)
    if isinstance(value, Mapping):
        return _shown(value)
    return list(map(_neutral, value)) if isinstance(value, list | tuple) else value
