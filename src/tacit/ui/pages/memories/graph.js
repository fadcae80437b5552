// The graph around a memory. Labels are shown as text, never as markup.
export default {
  props: {
    width: Number,
    height: Number,
    nodes: { type: Array, default: () => [] },
    edges: { type: Array, default: () => [] },
    half: { type: Array, default: () => [0, 0] },
    named: Boolean,
  },
  methods: {
    path(edge) {
      const { x1, y1, x2, y2, bend } = edge;
      const [mx, my] = this.middle(edge);
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
      <g v-for="edge in edges" :key="edge.key" class="line" :class="edge.relation">
        <path :d="path(edge)" marker-end="url(#graph-arrow)"><title>{{ edge.title }}</title></path>
        <text v-if="named" :x="middle(edge)[0]" :y="middle(edge)[1] - 4" text-anchor="middle">{{ edge.name }}</text>
      </g>
      <a v-for="node in nodes" :key="node.id" :href="node.address" class="dot" :class="[node.type, { centre: node.step === 0 }]"
         :aria-label="node.type + ': ' + node.content" :aria-current="node.step === 0 ? 'true' : null">
        <title>{{ node.content }}</title>
        <rect :x="node.x - half[0]" :y="node.y - half[1]" :width="2 * half[0]" :height="2 * half[1]" rx="9" />
        <text :x="node.x" :y="node.y - 4" text-anchor="middle" class="kind">{{ node.type }}</text>
        <text :x="node.x" :y="node.y + 12" text-anchor="middle">{{ node.label }}</text>
      </a>
    </svg>
  `,
};
