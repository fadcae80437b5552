"""What is remembered: frozen values, their defaults and what they accept."""
