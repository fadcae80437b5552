"""Make `src/tacit/embedding/minilm/pair_updates.npz`: what lets MiniLM read two texts together.

    python -m tools.pair_reading train FOLDER
    python -m tools.pair_reading average FOLDER/*.npz
    python -m tools.pair_reading continue FOLDER

The first command trains the four runs of `runs.py` and writes each into the folder; the second
averages them and writes the table of the package, or the file that `--out` names; the third trains
a table further, after more data was written. Training needs PyTorch and transformers, which are no
dependency of Tacit and are imported by `training.py` alone. A GPU takes one to three minutes for a
run; on two cores a step takes two seconds, so that 600 steps further take twenty minutes.

**The model.** MiniLM (all-MiniLM-L6-v2 as published) reads `[CLS] old [SEP] new [SEP]`, at most 64
tokens of each text, all of token type 0. Each of the six matrices of its six layers gets an update
of low rank (LoRA), the norms of the layers are trained as well, and a head makes five numbers of
the first token's state: how likely the later text replaces the earlier one, says the same, adds to
it, is about something else, or tells of the past or of what is not real. The loss is cross entropy
with label smoothing .05; batches have 64 pairs; an average over time of the trained weights is
what is kept. Four runs with other ranks, seeds and shares of data are averaged, and the average of
each matrix is cut to rank 24 by its singular values; that rank is kept when it is trained further.

**The data** (`data/`) was written for this project, pair by pair, by language models that worked
from a description of the relations and not from the code. It has 19,616 pairs: English 12,302,
German 2,520, French 2,421, Spanish 2,373.

- `talk_en`, `talk_de_fr_es`: a noted statement, and a message in which the newer one is a part
- `notes_en`, `notes_de_fr_es`: two short notes, often one or two words apart
- `facts_en`: facts about people, works, firms and places, in several wordings
- `neighbours_en`: what is said of the same thing and changes nothing, beside what does
- `mentions`: a noted statement, and chat in which its subject only comes up
- `mixed`, `mixed_de_fr_es`: both kinds of pairs
- `lives`: 60 people and teams with 40 statements each that all hold at the same time; `pairs.py`
  takes two of one life, mostly with a word in common, as a pair that replaces nothing
- `attributes_en`: 260 attributes with subjects, values and ways to state them, of which
  `pairs.py` makes further pairs while training; `chatter_en.txt` is what it puts around these

No pair is in the sets of `tacit eval`; a test compares them.

**What cannot be repeated exactly.** The four runs were trained with an earlier form of this code on
an NVIDIA H200, with what was then written (8,935 pairs and 160 attributes), from the published
weights rounded to half precision; two runs at a time shared one stream of random numbers. Their
average was then trained further on two cores, twice: 700 steps (learning rate 4e-4, seed 21,
shares .72 and .13) with `neighbours_en`, `mixed_de_fr_es`, `lives` and more of `talk_en` and
`attributes_en`, and 600 steps as `runs.py` says with `mentions` as well. The table is the average
of what the first of these gave and twice what the second gave. A new training gives other numbers,
and its quality has to be measured (`tacit eval supersession`). Graphs that are built of the table
are cached: another table needs another `BUILD` in `model_files.py`.
"""
