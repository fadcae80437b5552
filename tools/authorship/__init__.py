"""Fits the network that tells whether a message holds somebody else's text.

    python -m tools.authorship train FILE     # the weights for a message, part of the package
    python -m tools.authorship exchange FILE  # those for two messages that follow each other
    python -m tools.authorship show           # how well it does on each writer, fitted without them

`data/` has 2,200 messages, one file a writer: 940 in English (320 of technology, 320 of work, 300
of home), 500 in German, 380 in French and 380 in Spanish. Of these 1,354 hand over a text in many
ways and 846 are the person's own and look alike; each says which sentences are whose. They were
written for this project by language models that worked from a description of the task and had not
seen the code. The development half of `tacit eval authorship` (300 messages) is used as well, and
so are messages of `tools/statement_worth` in which the patterns see nobody else's text, as the
person's own, at half the weight. The held half never is.

The network reads the states of a message's tokens after the third layer of the model that reads
seven languages, which is not changed: one layer of attention with 4 heads over 64 numbers a token.
It is fitted by Adam to whole messages and to tokens whose owner is known, 12 times through the
data, with a fifth of the states dropped. `show` leaves out one writer at a time and prints what
thresholds do on the messages left out; the thresholds of the package were chosen by that. On one
processor `train` takes about two minutes, and `show` nine times as long.

Two messages are read as one, with weights of their own: whose a text is only the message before or
after it may tell. Besides the messages above they are fitted to `two_messages.toml`, in which each
text is once the person's and once another's by what stands beside it, and to messages in a row that
say nothing of each other. That file was written by somebody who knew the code.
"""
