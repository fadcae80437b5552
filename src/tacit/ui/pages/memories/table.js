// The memories of a page as a table. Rows are data; whatever is stored is shown as text.
// It tells the ids that are selected, on this page and on others.
export default {
  props: {
    rows: { type: Array, default: () => [] },
    selected: { type: Array, default: () => [] },
    selectable: Boolean,
    relevance: Boolean,
  },
  emits: ["select"],
  data() {
    return { own: new Set(this.selected), opened: new Set() };
  },
  watch: {
    selected(value) {
      this.own = new Set(value);
    },
    rows() {
      this.opened = new Set();
    },
  },
  computed: {
    isWhole() {
      return this.rows.length > 0 && this.rows.every((row) => this.own.has(row.id));
    },
    isPart() {
      return !this.isWhole && this.rows.some((row) => this.own.has(row.id));
    },
  },
  methods: {
    choose(ids, isOn) {
      const next = new Set(this.own);
      ids.forEach((id) => (isOn ? next.add(id) : next.delete(id)));
      this.own = next;
      this.$emit("select", { ids: [...next] });
    },
    toggle(id) {
      const next = new Set(this.opened);
      if (!next.delete(id)) next.add(id);
      this.opened = next;
    },
    isLong(row) {
      return row.content.length > 180 || row.content.includes("\n");
    },
    share(value) {
      return `${Math.round(100 * value)}%`;
    },
  },
  template: `
    <table class="table memories-table">
      <caption class="unseen">Memories</caption>
      <thead>
        <tr>
          <th v-if="selectable" scope="col" class="pick">
            <input type="checkbox" aria-label="Select all on this page" :checked="isWhole"
                   :indeterminate.prop="isPart"
                   @change="choose(rows.map((row) => row.id), $event.target.checked)" />
          </th>
          <th scope="col" class="content-cell">Content</th>
          <th v-if="relevance" scope="col">Relevance</th>
          <th scope="col">Type</th>
          <th scope="col">Whose</th>
          <th scope="col">Importance</th>
          <th scope="col">Written by</th>
          <th scope="col" class="number">Used</th>
          <th scope="col" class="when">Changed</th>
        </tr>
      </thead>
      <tbody>
        <tr v-for="row in rows" :key="row.id" :class="{ chosen: own.has(row.id) }">
          <td v-if="selectable" class="pick">
            <input type="checkbox" :aria-label="'Select: ' + row.content.slice(0, 80)"
                   :checked="own.has(row.id)" @change="choose([row.id], $event.target.checked)" />
          </td>
          <td class="content-cell">
            <a :href="row.address" class="statement" :class="{ whole: opened.has(row.id) }"
               :title="row.content">{{ row.content }}</a>
            <span class="marks" v-if="row.pinned || row.state || row.key || row.tags.length || isLong(row)">
              <span v-if="row.pinned" class="badge accent">pinned</span>
              <span v-if="row.state" class="badge warn">{{ row.state }}</span>
              <span v-if="row.key" class="code">{{ row.key }}</span>
              <span v-for="tag in row.tags" :key="tag" class="badge">{{ tag }}</span>
              <button v-if="isLong(row)" type="button" class="button quiet more"
                      :aria-expanded="String(opened.has(row.id))"
                      @click="toggle(row.id)">{{ opened.has(row.id) ? "Less" : "More" }}</button>
            </span>
          </td>
          <td v-if="relevance" data-label="Relevance">
            <span class="meter" role="img" :aria-label="'relevance ' + row.relevance.toFixed(2)">
              <span class="track"><span class="fill" :style="{ width: share(row.relevance) }"></span></span>
              <span class="told">{{ row.relevance.toFixed(2) }}</span>
            </span>
          </td>
          <td data-label="Type">{{ row.type }}</td>
          <td data-label="Whose" class="breaking">{{ row.whose }}</td>
          <td data-label="Importance">
            <span class="meter" role="img" :aria-label="'importance ' + row.importance.toFixed(2)">
              <span class="track"><span class="fill" :style="{ width: share(row.importance) }"></span></span>
              <span class="told">{{ row.importance.toFixed(2) }}</span>
            </span>
          </td>
          <td data-label="Written by">{{ row.source }}<span class="quiet trust">{{ row.trust }}</span></td>
          <td data-label="Used" class="number">{{ row.used.toLocaleString() }}</td>
          <td data-label="Changed" class="when"><tacit-time :datetime="row.updated" short></tacit-time></td>
        </tr>
      </tbody>
    </table>
  `,
};
