"""What the API takes and gives, as its description shows it."""
