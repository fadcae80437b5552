"""Statements: what a text states of what, and which of two statements holds.

Parse (`parser`, on `clauses`, `words`, `verbs`), compare (`comparison`, `subjects`,
`partial_change`), decide (`decision`, with a model through `judge`; `precedence` for several
memories that conflict), list (`conflict_list`).

A memory is *replaced* if it clearly no longer holds; two memories *conflict* if they may not both
hold.
"""
