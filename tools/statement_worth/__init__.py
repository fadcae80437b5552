"""Make `src/tacit/embedding/minilm/statement_weights.npz`: what is worth remembering of a message.

    python -m tools.statement_worth train FILE
    python -m tools.statement_worth show FILE

The first command reads the messages of `data/` with the rules and the local model, and fits the
weights: about four minutes on two cores. The second says how well a table does on the messages that
were set aside.

**The model.** The network that reads two texts together (`tools/pair_reading`) reads a statement
beside its message, and the statement alone. Of both readings the state of the first token and the
mean of all tokens are kept: 1,536 numbers. A logistic regression makes a likelihood of them. The
network itself is not changed, so that comparing statements stays as it is.

**The data** (`data/`) was written for this project by language models that worked from a
description of what is worth noting, and not from the code: 5,909 messages of people to an
assistant, English 3,780, German 730, French 700, Spanish 699, half of them with nothing worth
remembering. Each names what a careful assistant would note, by the words that the note must have.
`aside_en.jsonl` has 299 more messages, of which thresholds were chosen. The development halves of
the sets `messages` and `chat` of `tacit eval` are trained on too; no message is in a half that is
held out, and a test compares them. 2,400 short statements come from `tools/pair_reading`: what
replaced a note and what holds of one person is worth remembering by itself, and what was said where
the subject of a note only comes up is not. Without them a table took "I quit Brightloop" for a
passing remark, since it had seen few messages that are nothing but a statement.

**The examples** of a message are what the rules take of it and its clauses. One that has all the
words of a note is worth remembering, one that has none is not, and one that has some is left out.
"""
