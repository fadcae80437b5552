"""Workflows: what is done at which moment of a session, as files say it.

A lifecycle file lists steps under the moments at which they run. One comes with Tacit; a user's own
file of the same name takes its place. A project's files run after these, once the user has agreed.
"""
