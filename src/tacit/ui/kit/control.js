// One form control made of native elements, with a label, a hint and a value.
// While a person types, their value wins; it is sent `wait` milliseconds later, or on blur.
// Every message has a number, and the server acknowledges the last one (`heard`): a value that was
// sent before that is out of date and does not undo what was done here.
// A date is a day of the viewer: its value is the start of that day in their time zone.
let made = 0;

export default {
  props: {
    kind: String,
    label: String,
    hidden: Boolean,
    hint: String,
    problem: String,
    modelValue: null,
    heard: { type: Number, default: 0 },
    options: { type: Array, default: () => [] },
    low: Number,
    high: Number,
    step: Number,
    rows: Number,
    placeholder: String,
    disabled: Boolean,
    wait: { type: Number, default: 0 },
  },
  emits: ["update:model-value", "enter", "overtaken"],
  data() {
    return {
      name: `control-${++made}`,
      own: this.modelValue,
      agreed: this.modelValue,
      told: this.heard,
      timer: null,
      isOvertaken: false,
    };
  },
  watch: {
    answer({ value, heard }) {
      if (heard < this.told) return;
      if (this.timer === null) this.own = value;
      else if (value !== this.agreed) this.isOvertaken = true;
      this.agreed = value;
    },
  },
  computed: {
    answer() {
      return { value: this.modelValue, heard: this.heard };
    },
    day() {
      const at = new Date(this.own || NaN);
      const two = (number) => String(number).padStart(2, "0");
      const year = String(at.getFullYear()).padStart(4, "0");
      return isNaN(at) ? "" : `${year}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
    },
    described() {
      return this.problem ? `${this.name}-problem` : this.hint ? `${this.name}-hint` : null;
    },
    isGroup() {
      return this.kind === "checks" || this.kind === "order";
    },
    places() {
      const chosen = this.own || [];
      const others = this.options.filter((each) => !chosen.includes(each.value));
      const known = (value) => this.options.find((each) => each.value === value);
      return [...chosen.map(known).filter(Boolean), ...others];
    },
  },
  methods: {
    tell() {
      clearTimeout(this.timer);
      this.timer = null;
      if (this.isOvertaken) this.$emit("overtaken");
      this.isOvertaken = false;
      this.agreed = this.own;
      this.$emit("update:model-value", { value: this.own, number: ++this.told });
    },
    typed(value) {
      this.own = value;
      clearTimeout(this.timer);
      if (this.wait) this.timer = setTimeout(() => this.tell(), this.wait);
      else this.tell();
    },
    left() {
      if (this.timer !== null) this.tell();
    },
    entered() {
      this.left();
      this.$emit("enter");
    },
    dated(text) {
      const at = new Date(`${text}T00:00`);
      this.typed(isNaN(at) ? text : at.toISOString());
    },
    counted(text) {
      this.typed(text === "" ? null : Number(text));
    },
    toggled(value, isOn) {
      const chosen = this.own || [];
      const next = isOn ? [...chosen, value] : chosen.filter((each) => each !== value);
      const order = this.options.map((each) => each.value);
      this.typed(this.kind === "checks" ? order.filter((each) => next.includes(each)) : next);
    },
    moved(value, by) {
      const next = [...this.own];
      const at = next.indexOf(value);
      next.splice(at, 1);
      next.splice(at + by, 0, value);
      this.typed(next);
    },
  },
  template: `
    <div class="control" :class="[kind, { invalid: problem }]" :role="isGroup ? 'group' : null"
         :aria-labelledby="isGroup ? name + '-label' : null">
      <component :is="isGroup ? 'span' : 'label'" class="label" :class="{ unseen: hidden }"
                 :id="name + '-label'" :for="isGroup ? null : name">{{ label }}</component>

      <select v-if="kind === 'select'" :id="name" :value="own" :disabled="disabled"
              :aria-describedby="described"
              @change="typed(options[$event.target.selectedIndex].value)">
        <option v-for="each in options" :key="String(each.value)" :value="each.value">{{ each.label }}</option>
      </select>

      <span v-else-if="kind === 'switch'" class="track">
        <input type="checkbox" role="switch" :id="name" :checked="own" :disabled="disabled"
               :aria-describedby="described" @change="typed($event.target.checked)" />
      </span>

      <textarea v-else-if="kind === 'area'" :id="name" :value="own" :rows="rows || 4" :disabled="disabled"
                :placeholder="placeholder" :aria-describedby="described" spellcheck="false"
                @input="typed($event.target.value)" @blur="left"
                @keydown.ctrl.enter="entered" @keydown.meta.enter="entered"></textarea>

      <span v-else-if="kind === 'range'" class="range">
        <input type="range" :id="name" :value="own" :min="low" :max="high" :step="step" :disabled="disabled"
               :aria-describedby="described" @input="counted($event.target.value)" @blur="left" />
        <input type="number" :aria-label="label + ', exact'" :value="own" :min="low" :max="high" :step="step"
               :disabled="disabled" @input="counted($event.target.value)" @blur="left" />
      </span>

      <input v-else-if="kind === 'number'" type="number" :id="name" :value="own" :min="low" :max="high"
             :step="step || 1" :disabled="disabled" :placeholder="placeholder" :aria-describedby="described"
             @input="counted($event.target.value)" @blur="left" @keydown.enter="entered" />

      <span v-else-if="kind === 'checks'" class="checks">
        <label v-for="each in options" :key="each.value" class="check">
          <input type="checkbox" :checked="(own || []).includes(each.value)" :disabled="disabled"
                 @change="toggled(each.value, $event.target.checked)" />
          <span>{{ each.label }}</span>
        </label>
      </span>

      <ol v-else-if="kind === 'order'" class="order">
        <li v-for="each in places" :key="each.value">
          <label class="check">
            <input type="checkbox" :checked="(own || []).includes(each.value)" :disabled="disabled"
                   @change="toggled(each.value, $event.target.checked)" />
            <span>{{ each.label }}</span>
          </label>
          <template v-if="(own || []).includes(each.value)">
            <button type="button" class="button quiet" :aria-label="'Move ' + each.label + ' up'"
                    :disabled="disabled || own[0] === each.value" @click="moved(each.value, -1)">↑</button>
            <button type="button" class="button quiet" :aria-label="'Move ' + each.label + ' down'"
                    :disabled="disabled || own[own.length - 1] === each.value" @click="moved(each.value, 1)">↓</button>
          </template>
        </li>
      </ol>

      <input v-else-if="kind === 'date'" type="date" :id="name" :value="day" :disabled="disabled"
             :aria-describedby="described" @input="dated($event.target.value)" @keydown.enter="entered" />

      <input v-else :type="kind" :id="name" :value="own" :disabled="disabled" :placeholder="placeholder"
             :aria-describedby="described" autocomplete="off" spellcheck="false"
             @input="typed($event.target.value)" @blur="left" @keydown.enter="entered" />

      <span v-if="problem" class="problem" :id="name + '-problem'" role="alert">{{ problem }}</span>
      <span v-else-if="hint" class="hint" :id="name + '-hint'">{{ hint }}</span>
    </div>
  `,
};
