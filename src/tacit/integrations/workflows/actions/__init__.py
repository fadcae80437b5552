"""The actions that come with Tacit; packages offer others the same way."""
