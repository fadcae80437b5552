"""From one store to another: everything, as it is, and proof that it arrived."""
