// Times are told by the viewer's own clock and in their zone.
const whole = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
const short = new Intl.DateTimeFormat(undefined, { month: "short", day: "numeric", hour: "numeric", minute: "2-digit" });
const day = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" });

// A short time of another year is its day, with the year.
function shorten(at) {
  return (at.getFullYear() === new Date().getFullYear() ? short : day).format(at);
}

class TacitTime extends HTMLElement {
  static observedAttributes = ["datetime"];
  connectedCallback() {
    this.show();
  }
  attributeChangedCallback() {
    this.show();
  }
  show() {
    const at = new Date(this.getAttribute("datetime"));
    if (isNaN(at)) return;
    const told = this.hasAttribute("short") ? shorten(at) : whole.format(at);
    if (this.textContent !== told) this.textContent = told;
    this.title = at.toISOString();
  }
}
customElements.define("tacit-time", TacitTime);

// A page with changes that are not saved asks before it is left.
window.tacitUnsaved = false;
window.addEventListener("beforeunload", (event) => {
  if (!window.tacitUnsaved) return;
  event.preventDefault();
  setTimeout(tellWhoStayed);
});

// A server that was started anew does not know the page, which is then loaded again. Whoever stays
// for what is not saved has a page that nobody answers, and no try to reconnect is under way.
function tellWhoStayed() {
  if (window.socket?.connected !== false || window.socket.active) return;
  const [what, todo] = document.querySelectorAll("#popup > span");
  what.textContent = "The server was started anew and does not know this page any more.";
  todo.textContent = "Copy what is not saved, then load the page again.";
}
