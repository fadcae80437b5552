// The memories around one, drawn. All of it is data; labels are shown as text.
export default {
  props: {
    width: Number,
    height: Number,
    dots: { type: Array, default: () => [] },
    lines: { type: Array, default: () => [] },
    half: { type: Array, default: () => [0, 0] },
    named: Boolean,
  },
  methods: {
    path(line) {
      const { x1, y1, x2, y2, bend } = line;
      const [mx, my] = this.middle(line);
      return bend ? `M${x1},${y1} Q${mx},${my} ${x2},${y2}` : `M${x1},${y1} L${x2},${y2}`;
    },
    middle({ x1, y1, x2, y2, bend }) {
      return [(x1 + x2) / 2 + bend * (y2 - y1), (y1 + y2) / 2 - bend * (x2 - x1)];
    },
  },
  template: `
    <svg class="memory-graph" :viewBox="'0 0 ' + width + ' ' + height" :width="width" :height="height"
         role="group" aria-label="Graph of linked memories">
      <defs>
        <marker id="graph-arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7"
                orient="auto-start-reverse"><path d="M0,0 L8,4 L0,8 z" class="head" /></marker>
      </defs>
      <g v-for="line in lines" :key="line.key" class="line" :class="line.relation">
        <path :d="path(line)" marker-end="url(#graph-arrow)"><title>{{ line.told }}</title></path>
        <text v-if="named" :x="middle(line)[0]" :y="middle(line)[1] - 4" text-anchor="middle">{{ line.name }}</text>
      </g>
      <a v-for="dot in dots" :key="dot.id" :href="dot.address" class="dot" :class="[dot.type, { centre: dot.step === 0 }]"
         :aria-label="dot.type + ': ' + dot.content" :aria-current="dot.step === 0 ? 'true' : null">
        <title>{{ dot.content }}</title>
        <rect :x="dot.x - half[0]" :y="dot.y - half[1]" :width="2 * half[0]" :height="2 * half[1]" rx="9" />
        <text :x="dot.x" :y="dot.y - 4" text-anchor="middle" class="kind">{{ dot.type }}</text>
        <text :x="dot.x" :y="dot.y + 12" text-anchor="middle">{{ dot.label }}</text>
      </a>
    </svg>
  `,
};
