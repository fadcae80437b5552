"""The door for coding CLIs: their events come in, and what they should show goes out.

Nothing is imported here: the process behind a hook has to start at once.
"""
