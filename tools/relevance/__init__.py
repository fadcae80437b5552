"""Fits what makes a memory relevant to a message: `TOKEN_ODDS` in `src/tacit/search/ranking.py`.

    python -m tools.relevance gather build/relevance.npz             # messages to the stores
    python -m tools.relevance gather build/relevance.npz --people    # and questions of the people
    python -m tools.relevance show build/relevance.npz               # measures on who is left out
    python -m tools.relevance fit build/relevance.npz                # prints weights fitted to all

`--model minilm-en` gathers with the other local model. Examples are pairs of a message and a text
that a search with tokens found for it: the messages to the stores of the development half of `tacit
eval injection`, fresh and after each opener, and the questions of `tools/people`. A text is
relevant if the store says that it answers or is of use, or if it meets a pattern of the question's
needs. All of it was written for this project (`tools/people/README.md`, docs/measurements.md) and
has its licence.

The weights are those of a logistic regression, held small. What stays as it is: what is taken off
where a model finds a whole language alike, how much common words prove, and what follow-ups and
other languages add. `show` leaves out each store and person in turn and prints, at several floors,
which share of the messages that need nothing would get a line, and for which share of the others a
relevant one passes: by the weights of the package, and by weights that were fitted to the others.
Weights belong to a model: after another one, gather anew, and keep the old ones if `show` does not
say that the new ones are better.
"""
