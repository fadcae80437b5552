"""A turn: what the model should know before it answers, and the receipt that says why.

`prepare` runs a turn: it reads the session (`session_view`), finds memories (`candidates`), decides
about each (`rules`, `budget`), renders the `block`, places it in the history
(`placement`) and records the `open_turn`. The caller holds a `Turn`, which `commit` writes once the
reply is there. `compaction` shortens a history.
"""
