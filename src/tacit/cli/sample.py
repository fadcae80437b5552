"""A sample workspace: a small team's memories, to look at and to play with."""

from tacit.api.tacit import Tacit

SAMPLE = "sample"

_MEMORIES = (
    {"content": "We chose JWT over session tokens for the API", "type": "decision"},
    {"content": "The billing service ships on 14 March", "type": "event"},
    {"content": "4 spaces", "type": "preference", "key": "editor.indent"},
    {"content": "2 spaces", "type": "preference", "key": "editor.indent"},
    {"content": "Invoices go out from billing@shop.example", "type": "fact"},
    {"content": "Staging has 4 replicas, production 12", "type": "fact"},
    {"content": "Ann owns the migration, Ben the rollback plan", "type": "fact"},
    {"content": "Never deploy on Fridays", "type": "constraint", "pinned": True},
    {"content": "Write the runbook for the payment gateway", "type": "todo"},
    {"content": "Cut the checkout's p95 below 300 ms this quarter", "type": "goal"},
    {"content": "The payment gateway timed out twice in May", "type": "observation"},
    {"content": "The office is in Lisbon", "type": "fact"},
    {"content": "The office is in Porto", "type": "fact"},
)
_TALK = ("How do users of the API log in?", "Who owns the migration?", "thanks!")


def fill(tacit: Tacit) -> None:
    """Put the sample into an empty workspace; one that has something stays as it is."""
    if tacit.list(state=None, limit=1):
        return
    written = tacit.remember_all(_MEMORIES)
    tacit.link(written[8].id, written[10].id, "caused_by", weight=0.8)
    history: list[object] = []
    for text in _TALK:
        with tacit.turn(session="sample-talk", text=text, history=history) as turn:
            turn.commit("(the model answers)")
        history = turn.history
