"""Prompt policy: the system side of a prompt, in layers that people write as files."""
