"""The proxy: what it costs a request, and what its blocks cost a provider's prompt cache."""
