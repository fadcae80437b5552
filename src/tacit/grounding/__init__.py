"""Grounding: one prompt of policy, memory, conversation and documents for a response."""
