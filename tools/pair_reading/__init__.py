"""Make `src/tacit/embedding/minilm/pair_updates.npz`: what lets MiniLM read two texts together.

    python -m tools.pair_reading train FOLDER
    python -m tools.pair_reading train FOLDER --run student_rank_48
    python -m tools.pair_reading average FILE... --out FILE

The first command trains the teachers of `runs.py` side by side, then the students, each into a file
of the folder, and writes the average of these as `pair_updates.npz` beside them. The second trains
one of them, with the files of those before it that are in the folder; the third averages files.
With `--steps 2` all of it is tried out. Training needs PyTorch and transformers, which are no
dependency of Tacit and are imported by `training.py`, `network.py` and `batches.py` alone, and a
GPU: on two cores a step of a teacher takes several seconds, and the time of a run is over after a
few.

**The model.** MiniLM (all-MiniLM-L6-v2 as published) reads `[CLS] old [SEP] new [SEP]`, at most 64
tokens of each text, all of token type 0. Each of the six matrices of its six layers gets an update
of rank 48 (LoRA), the norms of the layers are trained as well, and a head makes five numbers of
the first token's state: how likely the later text replaces the earlier one, says the same, adds to
it, is about something else, or tells of the past or of what is not real.

**The data** (`data/`) was written for this project, pair by pair, by language models that worked
from a description of the relations and not from the code. It has 44,589 pairs: English 25,924,
German 6,312, French 6,201, Spanish 6,152. A twelfth of them, by the earlier text, is never trained
on, and neither is a twelfth of the lives.

- `talk_en`, `talk_de_fr_es`: a noted statement, and a message in which the newer one is a part
- `notes_en`, `notes_de_fr_es`: two short notes, often one or two words apart
- `facts_en`: facts about people, works, firms and places, in several wordings
- `neighbours_en`: what is said of the same thing and changes nothing, beside what does
- `mentions`: a noted statement, and chat in which its subject only comes up
- `mixed`, `mixed_de_fr_es`: both kinds of pairs
- `changes_en`, `changes_de_fr_es`: changes as people tell them in passing, mostly without the old
  value ("the fox had the hens"), beside what only sounds like one
- `near_en`, `near_de_fr_es`: what looks like a change and is none, with a twin that is one
- `contrasts`: "X, not Y", slips and what was meant
- `world_en`: facts as an encyclopedia has them, each in sentences of different forms
- `lives`: 204 people and teams with 36 to 40 statements each that all hold at the same time; two of
  one life, mostly with a word in common, are a pair that replaces nothing
- `misread_lives`: 805 pairs of `lives`, with a word in common, that an earlier table took for a
  change with a likelihood over .15
- `attributes_en`: 350 attributes with subjects, values and ways to state them, of which
  `attributes.py` makes further pairs; `chatter_en.txt` is what `variation.py` puts around these
- `switches.toml`: ways to say what one uses and that one gave it up for something else, in four
  languages, which `switches.py` fills with values of attributes or invented names

Names in written and in made pairs are often replaced by invented ones (`names.py`), since names
that come up again and again were learned by heart instead of compared; full stops come and go
(`variation.py`), since the first training took one for a sign that nothing changes. No pair is in
the sets of `tacit eval`; a test compares them. One English pair more, whose later text is also a
sentence of an evaluation ("I'm on Node 22 now, we upgraded the repo last week"), was removed after
the shipped table had been trained with it.

**The training.** Four teachers learn from labels: two with updates of rank 64 and 32, two that
change whole matrices, which is then cut to rank 64 by its singular values. The average of what they
change, cut to the rank of each, is where two students of rank 32 and 48 begin. These learn from
labels with weight .3 and from the mean of their teachers' shares with weight .7, and from the
teachers alone where an earlier text is crossed with another that has a word in common, of which
nobody wrote down how they relate. Where teachers take a pair for a change that is known to be
unrelated, with a likelihood over .15, they are corrected: they would teach the mistake. The table
is the average of both students, cut to rank 48. The loss is cross entropy with label smoothing
.05; batches have 128 pairs; the learning rate rises for 150 steps and then falls to nothing; an
average over time of the weights is what is kept. Rates, seeds and shares of the data are in
`runs.py`.

**What cannot be repeated exactly.** A training ends with its time, and the learning rate falls with
the larger of the steps taken and the seconds spent: how many steps that are, the machine decides.
On an NVIDIA H200 with 16 cores the teachers took 4,400 and 6,000 steps in 200 seconds side by side,
the students 2,400 in 225 seconds. It began with the published weights rounded to half precision. A
new training gives other numbers, and its quality has to be measured (`tacit eval supersession`)
before it replaces the table of the package. Graphs that are built of the table are cached: another
table needs another `BUILD` in `model_files.py`.
"""
