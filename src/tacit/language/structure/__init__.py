"""The fixed words of every prompt, and stored text that cannot pass for them."""
