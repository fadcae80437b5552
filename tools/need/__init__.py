"""Make `src/tacit/search/need_weights.npz`: whether a message needs what is remembered.

python -m tools.need gather build/need.npz    # plays the people and asks them, half a minute each
python -m tools.need show build/need.npz      # what is told of people who were left out
python -m tools.need train build/need.npz src/tacit/search/need_weights.npz

Questions of the people of `tools/people`, of whom some need what was said before and others do not,
and the messages to the stores of the development half of `tacit eval injection`.
"""
