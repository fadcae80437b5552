// The details of a turn: block, funnel and candidates, which are highlighted together.
export default {
  props: { view: Object },
  emits: ["mark", "unmark", "more"],
  data() {
    return { lit: null, wanted: null, copied: "" };
  },
  watch: {
    view() {
      const fates = this.view.candidates.map((each) => each.fate);
      if (this.wanted && !fates.includes(this.wanted)) this.wanted = null;
      this.copied = "";
    },
  },
  computed: {
    listed() {
      return this.view.candidates.filter((each) => !this.wanted || each.fate === this.wanted);
    },
    unseen() {
      return this.view.count - this.view.candidates.length;
    },
    numbers() {
      return Object.fromEntries(
        this.view.candidates.filter((each) => each.fate === "injected").map((each) => [each.memory, each.rank]),
      );
    },
  },
  methods: {
    want(fate) {
      this.wanted = this.wanted === fate ? null : fate;
    },
    width(part) {
      return { width: `${(100 * part) / Math.max(this.view.count, 1)}%` };
    },
    share(value) {
      return { width: `${100 * Math.min(Math.max(value, 0), 1)}%` };
    },
    async copy() {
      try {
        await navigator.clipboard.writeText(this.view.block);
        this.copied = "Copied";
      } catch {
        getSelection().selectAllChildren(this.$refs.lines);
        this.copied = "Selected; copy it with Ctrl+C";
      }
    },
    async reveal(memory) {
      if (this.wanted && this.wanted !== "injected") this.wanted = null;
      await this.$nextTick();
      const found = this.$el.querySelector(`[data-candidate="${CSS.escape(memory)}"]`);
      found?.scrollIntoView({ block: "nearest" });
      found?.focus({ preventScroll: true });
    },
  },
  template: `
    <div class="account">
      <section class="card">
        <div class="spread">
          <h2>What the model sees</h2>
          <div class="row" v-if="!view.why">
            <span class="quiet size">{{ view.tokens.toLocaleString() }} tokens, {{ view.characters.toLocaleString() }} characters</span>
            <span class="quiet" role="status">{{ copied }}</span>
            <button type="button" class="button plain" @click="copy">Copy</button>
          </div>
        </div>
        <div v-if="view.why" class="empty">
          <p class="title">There is no block to show</p>
          <p class="quiet">{{ view.why }}</p>
        </div>
        <div v-else class="lines" ref="lines" role="group" aria-label="The block, line by line">
          <div v-for="(line, place) in view.lines" :key="place" class="line"
               :class="{ shows: line.memory, lit: line.memory && lit === line.memory }"
               @mouseenter="lit = line.memory" @mouseleave="lit = null"
               @focusin="lit = line.memory" @focusout="lit = null">
            <a v-if="line.memory" class="text" :href="'#' + line.memory" @click.prevent="reveal(line.memory)">{{ line.text }}</a>
            <span v-else class="text">{{ line.text }}</span>
            <button v-if="line.isMarkable" type="button" class="button quiet mark"
                    :aria-label="'Not useful here: ' + line.text"
                    @click="$emit('mark', line.memory)">Not useful</button>
          </div>
        </div>
      </section>

      <section class="card" v-if="view.count">
        <div class="spread">
          <h2>From retrieved to injected</h2>
          <span class="quiet">Choose a fate to see those candidates alone.</span>
        </div>
        <ol class="funnel">
          <li>
            <span class="name">Retrieved</span>
            <span class="track"><span class="left" :style="width(view.count)"></span></span>
            <span class="count">{{ view.count }}</span>
            <span class="fates">
              <button type="button" class="chip" :aria-pressed="String(!wanted)" @click="wanted = null">all</button>
              <span class="quiet">{{ view.sources }}</span>
            </span>
          </li>
          <li v-for="stage in view.stages" :key="stage.name" :class="{ idle: !stage.lost }">
            <span class="name">{{ stage.name }}</span>
            <span class="track">
              <span class="left" :style="width(stage.left)"></span><span class="lost" :style="width(stage.lost)"></span>
            </span>
            <span class="count">{{ stage.left }}</span>
            <span class="fates">
              <button v-for="each in stage.fell" :key="each.fate" type="button" class="chip"
                      :title="each.meaning"
                      :aria-pressed="String(wanted === each.fate)" @click="want(each.fate)">−{{ each.count }} {{ each.word }}</button>
            </span>
          </li>
          <li class="end">
            <span class="name">Injected</span>
            <span class="track"><span class="left" :style="width(view.injected)"></span></span>
            <span class="count">{{ view.injected }}</span>
            <span class="fates">
              <button v-if="view.injected" type="button" class="chip" :aria-pressed="String(wanted === 'injected')"
                      @click="want('injected')">{{ view.injected }} injected</button>
            </span>
          </li>
        </ol>

        <p v-if="view.isSearched" class="quiet note">
          The search looks at more memories than the Search Limit, so that others can take the place of duplicates.
        </p>

        <ol class="candidates" aria-label="Candidates">
          <li v-for="each in listed" :key="each.rank" class="candidate" tabindex="-1"
              :data-candidate="each.fate === 'injected' ? each.memory : null" :data-memory="each.memory"
              :class="{ injected: each.fate === 'injected', lit: each.fate === 'injected' && lit === each.memory }"
              @mouseenter="lit = each.memory" @mouseleave="lit = null"
              @focusin="lit = each.memory" @focusout="lit = null">
            <span class="rank" :aria-label="'No. ' + each.rank">{{ each.rank }}</span>
            <div class="words">
              <p v-if="each.content === null" class="quiet">{{ each.gone }}</p>
              <p v-else class="statement"><code v-if="each.key" class="code">{{ each.key }}</code><a :href="each.page">{{ each.content }}</a></p>
              <div class="row facts">
                <span class="badge" :class="each.isConflict ? 'warn' : each.fate === 'injected' ? 'good' : 'neutral'">{{ each.word }}</span>
                <span v-if="each.isMarked" class="badge warn">marked as not useful</span>
                <span v-if="each.was" class="badge accent">was {{ each.was }}</span>
                <span class="badge neutral">{{ each.type }}</span>
                <span v-if="each.doubt" class="badge warn">{{ each.doubt }}</span>
              </div>
              <p class="reason">{{ each.reason }}</p>
              <p v-if="each.other" class="other">
                <span class="quiet">{{ each.other.title }}:</span>
                <a v-if="each.other.content !== null" :href="each.other.page">{{ each.other.content }}</a>
                <span v-else class="quiet">{{ each.other.gone }}</span>
                <span v-if="numbers[each.other.memory]" class="quiet">(no. {{ numbers[each.other.memory] }}, injected)</span>
              </p>
              <p class="quiet source">{{ each.source }}</p>
              <button v-if="each.mayTakeBack" type="button" class="button plain small"
                      :aria-label="'Take back that it is not useful: ' + each.content"
                      @click="$emit('unmark', each.memory)">Take back</button>
              <button v-if="each.isMarkable" type="button" class="button plain small"
                      :aria-label="'Not useful here: ' + each.content"
                      @click="$emit('mark', each.memory)">Not useful here</button>
            </div>
            <div v-if="each.isHit" class="bars">
              <div class="bar main" role="img" :aria-label="'relevance: ' + each.relevance.toFixed(2)">
                <span class="name">relevance</span>
                <span class="track"><span class="fill" :class="{ neutral: view.floor !== null && each.relevance < view.floor }" :style="share(each.relevance)"></span>
                  <span v-if="view.floor !== null" class="floor" :style="{ left: 100 * view.floor + '%' }"></span></span>
                <span class="told">{{ each.relevance.toFixed(2) }}</span>
              </div>
              <div v-for="signal in each.signals" :key="signal.name" class="bar" role="img"
                   :aria-label="signal.name + ': ' + signal.value.toFixed(3)">
                <span class="name">{{ signal.name }}</span>
                <span class="track"><span class="fill neutral" :style="share(signal.share)"></span></span>
                <span class="told">{{ signal.value.toFixed(3) }}</span>
              </div>
              <div class="sum"><span>score</span><span class="told">{{ each.score.toFixed(3) }}</span></div>
            </div>
          </li>
        </ol>
        <p v-if="!listed.length" class="quiet">None of the candidates shown has this fate; show the others below.</p>
        <div v-if="unseen > 0" class="row">
          <button type="button" class="button plain" @click="$emit('more')">Show the other {{ unseen.toLocaleString() }}</button>
          <span class="quiet">They stand further down, and none of them is injected.</span>
        </div>
        <p v-if="view.floor !== null" class="quiet note">
          The tick at relevance is the least that a memory needs ({{ view.floor.toFixed(2) }}), besides
          {{ view.share }} of the best score.
          The bars below it are the parts of the score, which orders the candidates of one message.
        </p>
      </section>
    </div>
  `,
};
