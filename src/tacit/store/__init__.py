"""Where memories are kept: small protocols, one algorithm, several backends."""
