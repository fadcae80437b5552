"""Jobs: what is done now and then, and what may wait, one after the other on one worker."""
