"""Secrets, taken out of texts before anything is stored or logged."""
