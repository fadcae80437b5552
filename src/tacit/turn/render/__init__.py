"""The block that goes into the context: fixed words around stored text that cannot forge them."""
