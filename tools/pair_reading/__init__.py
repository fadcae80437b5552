"""Make `src/tacit/embedding/minilm/pair_updates.npz`: what lets MiniLM read two texts together.

    python -m tools.pair_reading train FOLDER
    python -m tools.pair_reading train FOLDER --run student_rank_48
    python -m tools.pair_reading average FILE... --out FILE

The first command trains the teachers of `runs.py` side by side, then the students, each into a file
of the folder, averages these as `students.npz`, refines the average twice, and writes the result as
`pair_updates.npz` beside them. The second trains one of them, with the files of those before it
that are in the folder; the third averages files. With `--steps 2` all of it is tried out. Training
needs PyTorch and transformers, which are no dependency of Tacit and are imported by `training.py`,
`network.py` and `batches.py` alone. Teachers and students need a GPU: on two cores a step of a
teacher takes several seconds, and the time of a run is over after a few. The refining runs were
made on two cores.

**The model.** MiniLM (all-MiniLM-L6-v2 as published) reads `[CLS] old [SEP] new [SEP]`, at most 64
tokens of each text, all of token type 0. Each of the six matrices of its six layers gets an update
of rank 48 (LoRA), the norms of the layers are trained as well, and a head makes five numbers of
the first token's state: how likely the later text replaces the earlier one, says the same, adds to
it, is about something else, or tells of the past or of what is not real.

**The data** (`data/`) was written for this project, pair by pair, by language models that worked
from a description of the relations and not from the code. It has 27,840 pairs: English 18,125,
German 3,322, French 3,221, Spanish 3,172. A twelfth of them, by the earlier text, is never trained
on.

- `talk_en`, `talk_de_fr_es`: a noted statement, and a message in which the newer one is a part
- `notes_en`, `notes_de_fr_es`: two short notes, often one or two words apart
- `facts_en`: facts about people, works, firms and places, in several wordings
- `neighbours_en`: what is said of the same thing and changes nothing, beside what does
- `mentions`: a noted statement, and chat in which its subject only comes up
- `mixed`, `mixed_de_fr_es`: both kinds of pairs
- `lives`: 112 people and teams with 40 statements each that all hold at the same time; two of one
  life, mostly with a word in common, are a pair that replaces nothing
- `misread_lives`: 328 pairs of `lives`, with a word in common, that a table took for a change with
  a likelihood over .15 before it was refined
- `attributes_en`: 350 attributes with subjects, values and ways to state them, of which
  `attributes.py` makes further pairs; `chatter_en.txt` is what `variation.py` puts around these
- `switches.toml`: ways to say what one uses and that one gave it up for something else, in four
  languages, which `switches.py` fills with values of attributes or invented names

Names in written and in made pairs are often replaced by invented ones (`names.py`), since names
that come up again and again were learned by heart instead of compared; full stops come and go
(`variation.py`), since the first training took one for a sign that nothing changes. No pair is in
the sets of `tacit eval`; a test compares them.

**The training.** Four teachers learn from labels: two with updates of rank 64 and 32, two that
change whole matrices, which is then cut to rank 64 by its singular values. The average of what they
change, cut to the rank of each, is where two students of rank 32 and 48 begin. These learn from
labels with weight .3 and from the mean of their teachers' shares with weight .7, and from the
teachers alone where an earlier text is crossed with another that has a word in common, of which
nobody wrote down how they relate. What is refined is the average of both students, cut to rank 48.
The loss is cross entropy with label smoothing .05; batches have 128 pairs; the learning rate rises
for 150 steps and then falls to nothing; an average over time of the weights is what is kept. Rates,
seeds and shares of the data are in `runs.py`.

**The refining.** Two kinds of mistakes were left. Two statements of one person were still taken for
a change at times: the run `refined` begins with the students' average and learns from the lives
that were misread, and from two attributes of one subject ("Ann lives in Turin", "Ann drives a
van"), which leave each other alone. And that something is given up was missed where it is named
("we ditched Y and picked X", "I switched from X back to Y"): the run `refined_again` begins with
the average of `refined` and the students' average, learns from switches as well, and is the table.
So that nothing else is forgotten, most pairs are those of before, and the students' average is the
teacher of both, with weight .6. Where it takes a pair for a change that is known to be unrelated,
with a likelihood over .15, it is corrected: it would teach the mistake again. Batches have 48
pairs, the learning rate rises for 25 steps, and each step counts .02 in the average over time,
since steps are few.

**What cannot be repeated exactly.** All was made by a forerunner of this code: the students on an
NVIDIA H200 in about eight minutes, 180 seconds for the teachers side by side and 240 for the
students, the refined tables on two cores of a CPU. A training ends with its time, and the learning
rate falls with the larger of the steps taken and the seconds spent: how many steps that are, the
machine decides. `refined` took about 260 in 15 minutes, `refined_again` about 340; these steps in
`runs.py` keep a faster machine from taking more. Random numbers are drawn in another
order, and the forerunner began with the published weights rounded to half precision. Its shares
were: teachers written .62, life .14, unlike .03, the rest made; students written .5, life .12,
unlike .03, crossed .12, the rest made; .25 of the written pairs renamed. The refining runs drew one
kind after the other, of what the ones before left: `refined` two of one .17, misread .13, then
written .62, life .12, unlike .03, the rest made; `refined_again` switches .14, two of one .12,
misread .09, then written .66, life .1, unlike .03, the rest made; `runs.py` has what these are of
all pairs, rounded. It wrote .7 for made pairs with invented names, but left a quarter of those as
they were, hence .53 in `drawing.py`. 32 pairs that were written twice have been dropped since the
students were trained. A new training gives other numbers, and its quality has to be measured
(`tacit eval supersession`) before it replaces the table of the package. Graphs that are built of
the table are cached: another table needs another `BUILD` in `model_files.py`.
"""
