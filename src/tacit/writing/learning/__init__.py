"""Memory that fills itself: from what people said in turns, once, without echoes and junk."""
