"""Readers: what other programs and people keep memories in, one module for each format."""
