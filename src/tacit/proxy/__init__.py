"""The proxy: memory for any program that changes the URL of its model provider.

A request goes to the provider with what memory adds, and the response comes back byte for byte.
"""
