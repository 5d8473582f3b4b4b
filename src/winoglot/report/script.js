"use strict";
(() => {
  const PER_PAGE = 10;
  const LETTERS = "ABCDEFGH";
  const OPEN_UP_TO = 8; // with more solvers than these the table of an item opens on demand
  const data = JSON.parse(document.getElementById("data").textContent);
  const byId = (id) => document.getElementById(id);
  const fields = Object.fromEntries(
    ["search", "column", "kind", "tag", "solver", "outcome", "order"].map((name) => [name, byId("f-" + name)]),
  );
  let shown = [];
  let page = 0;

  const make = (name, attributes = {}, ...children) => {
    const node = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    node.append(...children);
    return node;
  };
  const addressOf = (item) => "item:" + data.columns[item.c].key + "/" + item.i;
  const plainText = (item) => item.t.filter((_, place) => place % 2 === 0).join("");

  const outcome = (item, answer) => {
    if (answer[1] < 0) return "abstained";
    if (item.a === null) return "unlabelled";
    return answer[1] === item.a ? "right" : "wrong";
  };
  const countRight = (item) => item.o.filter((answer) => outcome(item, answer) === "right").length;

  // Lowered once, on the first search.
  let haystacks = null;
  const haystack = (place) => {
    haystacks ??= data.items.map((item) =>
      [item.i, plainText(item), ...item.n, ...(item.t.length ? [] : item.r.flatMap(([, all]) => all.flat()))]
        .join("\n")
        .toLocaleLowerCase(),
    );
    return haystacks[place];
  };

  const OUTCOMES = {
    "": ["any", () => true],
    right: ["right", (found) => found.length > 0 && found.every((one) => one === "right")],
    wrong: ["wrong", (found) => found.length > 0 && found.every((one) => one === "wrong")],
    abstained: ["abstained", (found) => found.includes("abstained")],
    mixed: ["some right, some not", (found) => found.includes("right") && found.some((one) => one !== "right")],
  };

  const fill = (select, options) => {
    select.replaceChildren(...options.map(([value, text]) => make("option", { value }, text)));
  };
  const numbered = (names) => names.map((name, place) => [String(place), name]);
  const kinds = [...new Set(data.items.map((item) => item.k))];
  const hide = (name, count) => {
    if (count < 2) fields[name].closest(".field").hidden = true;
  };

  const setUp = () => {
    fill(fields.column, [["", "all"], ...numbered(data.columns.map((column) => column.label))]);
    fill(fields.kind, [["", "all"], ...kinds.map((kind) => [kind, kind])]);
    const tags = numbered(data.tags).sort((one, other) => one[1].localeCompare(other[1]));
    fill(fields.tag, [["", "all"], ...tags]);
    fill(fields.solver, [["", "all of them"], ...numbered(data.solvers)]);
    fill(fields.outcome, Object.entries(OUTCOMES).map(([value, [text]]) => [value, text]));
    fill(fields.order, [["", "as given"], ["hard", "fewest right first"], ["easy", "most right first"]]);
    hide("column", data.columns.length);
    hide("kind", kinds.length);
    hide("tag", data.tags.length + 1);
    hide("solver", data.solvers.length);
    byId("filters").hidden = false;
  };

  const choose = () => {
    const words = fields.search.value.toLocaleLowerCase().trim();
    const [column, kind, tag, solver] = ["column", "kind", "tag", "solver"].map((name) => fields[name].value);
    const holds = OUTCOMES[fields.outcome.value][1];
    shown = data.items.filter((item, place) => {
      if (column && item.c !== Number(column)) return false;
      if (kind && item.k !== kind) return false;
      if (tag && !item.s.includes(Number(tag))) return false;
      const answers = solver ? item.o.filter((answer) => answer[0] === Number(solver)) : item.o;
      if (solver && !answers.length) return false;
      if (!holds(answers.map((answer) => outcome(item, answer)))) return false;
      return !words || haystack(place).includes(words);
    });
    const way = { hard: 1, easy: -1 }[fields.order.value];
    if (way) {
      const share = new Map(shown.map((item) => [item, item.o.length ? countRight(item) / item.o.length : 2]));
      shown.sort((one, other) => way * (share.get(one) - share.get(other)));
    }
  };

  const marked = (item) => {
    const nodes = [];
    for (let place = 0; place < item.t.length; place += 2) {
      const [text, bits] = [item.t[place], item.t[place + 1]];
      let node = document.createTextNode(text || (bits & 1 ? "∅" : ""));
      if (bits & 2) node = make("span", { class: "segment" }, node);
      item.n.forEach((_, index) => {
        if (!(bits & (4 << index))) return;
        const ends = !(item.t[place + 3] & (4 << index));
        node = make("span", { class: "candidate c" + index }, node, ends ? make("sup", {}, LETTERS[index] ?? "") : "");
      });
      if (bits & 1) node = make("mark", { class: "pronoun" }, node);
      nodes.push(node);
      // The space beside what is not spoken, in scripts that have spaces: "porque ∅ ia".
      const following = item.t[place + 2] ?? "";
      if (!text && bits & 1 && /^(?![\u3000-\u9fff\uff00-\uffef])[\p{L}\p{N}]/u.test(following)) nodes.push(" ");
    }
    return nodes;
  };

  // What the text has before or after its pronoun, where a reading says that it is the same there.
  const around = (item, after) => {
    let text = "";
    let seen = false;
    for (let place = 0; place < item.t.length; place += 2) {
      if (item.t[place + 1] & 1) seen = true;
      else if (seen === after) text += item.t[place];
    }
    return text;
  };

  const readingLine = (item, [before, inserted, after, reason], index, lang) => {
    // The letter stands outside: within, it would lay out Hebrew and Arabic from left to right.
    const text = make("span", { lang, dir: "auto" }, before === 0 ? around(item, false) : before);
    text.append(make("b", {}, inserted), after === 0 ? around(item, true) : after);
    const line = make("li", {}, (LETTERS[index] ?? index) + ": ", text);
    if (reason) line.append(make("small", {}, " (not derived: " + reason + ")"));
    return line;
  };

  const SIGNS = { right: "✓ right", wrong: "✗ wrong", abstained: "– abstained", unlabelled: "unlabelled" };
  const score = (value) => (value === null || value === undefined ? "–" : String(value).replace("-", "−"));

  const answersTable = (item) => {
    const count = Math.max(item.n.length, ...item.o.map((answer) => answer[2].length));
    const letters = [...LETTERS].slice(0, count);
    const hasScores = item.o.some((answer) => answer[2].length);
    const head = ["solver", "choice", "outcome", ...(hasScores ? letters.map((letter) => "score of " + letter) : [])];
    const rows = item.o.map((answer) => {
      const result = outcome(item, answer);
      const note = answer.length > 3 ? make("small", {}, " " + data.notes[answer[3]]) : "";
      return make(
        "tr",
        {},
        make("th", { scope: "row" }, data.solvers[answer[0]]),
        make("td", {}, answer[1] < 0 ? "–" : (LETTERS[answer[1]] ?? String(answer[1]))),
        make("td", {}, make("span", { class: result }, SIGNS[result]), note),
        ...(hasScores ? letters.map((_, index) => make("td", { class: "number" }, score(answer[2][index]))) : []),
      );
    });
    const region = { class: "scroll", role: "group", tabindex: "0", "aria-label": "Answers to " + item.i };
    return make(
      "div",
      region,
      make(
        "table",
        {},
        make("thead", {}, make("tr", {}, ...head.map((name) => make("th", { scope: "col" }, name)))),
        make("tbody", {}, ...rows),
      ),
    );
  };

  const card = (item) => {
    const column = data.columns[item.c];
    const lang = column.lang;
    const address = addressOf(item);
    const about = [column.label, item.k, ...item.s.map((tag) => data.tags[tag])].join(" · ");
    const node = make("li", { class: "item", id: address, tabindex: "-1" });
    node.append(make("h3", {}, make("a", { href: "#" + encodeURI(address) }, item.i)));
    node.append(make("p", { class: "about" }, about));
    if (item.t.length) node.append(make("p", { class: "text", lang, dir: "auto" }, ...marked(item)));
    if (item.q) node.append(make("p", { lang, dir: "auto" }, item.q));
    const candidates = item.n.map((name, index) => {
      const line = make("li", {}, (LETTERS[index] ?? index) + ": ", make("span", { lang, dir: "auto" }, name));
      if (index === item.a) line.append(make("b", { class: "right" }, " ✓ answer"));
      return line;
    });
    if (candidates.length) node.append(make("ul", {}, ...candidates));
    if (item.a === null) node.append(make("p", {}, make("small", {}, "unlabelled: no answer is right or wrong")));
    item.r.forEach(([style, all], number) => {
      const lines = all.map((reading, index) => readingLine(item, reading, index, lang));
      const folded = make("details", {}, make("summary", {}, "Readings, " + style), make("ul", {}, ...lines));
      folded.open = number === 0;
      node.append(folded);
    });
    if (!item.o.length) return node;
    const sum = item.a === null ? item.o.length + " answers" : countRight(item) + " of " + item.o.length + " right";
    const details = make("details", {}, make("summary", {}, "Solvers: " + sum), answersTable(item));
    details.open = item.o.length <= OPEN_UP_TO;
    node.append(details);
    return node;
  };

  const pages = () => Math.max(1, Math.ceil(shown.length / PER_PAGE));
  const show = () => {
    const start = page * PER_PAGE;
    const part = shown.slice(start, start + PER_PAGE);
    byId("list").replaceChildren(...part.map(card));
    const number = (value) => value.toLocaleString("en");
    byId("count").textContent = !shown.length
      ? "No item fits. “Show all” takes the filters away."
      : "Items " + number(start + 1) + " to " + number(start + part.length) + " of " + number(shown.length) +
        (shown.length < data.items.length ? " that fit, of " + number(data.items.length) : "") + ".";
    byId("pager").hidden = pages() < 2;
    byId("previous").disabled = page === 0;
    byId("next").disabled = page >= pages() - 1;
    byId("page").value = String(page);
    setStops();
  };
  const restart = () => {
    choose();
    page = 0;
    fill(byId("page"), Array.from({ length: pages() }, (_, place) => [String(place), place + 1 + " of " + pages()]));
    show();
  };
  const turn = (to) => {
    page = Math.min(Math.max(0, to), pages() - 1);
    show();
    byId("list").firstElementChild?.focus({ preventScroll: true });
    byId("count").scrollIntoView();
  };

  const follow = () => {
    let address = "";
    try {
      address = decodeURI(location.hash.slice(1));
    } catch {
      return;
    }
    if (!address.startsWith("item:")) return;
    const wanted = data.items.find((item) => addressOf(item) === address);
    if (!wanted) return;
    if (!shown.includes(wanted)) {
      byId("filters").reset();
      restart();
    }
    page = Math.floor(shown.indexOf(wanted) / PER_PAGE);
    show();
    const node = byId(address);
    node.classList.add("aimed");
    node.querySelectorAll("details").forEach((details) => (details.open = true));
    node.scrollIntoView();
    node.focus({ preventScroll: true });
  };

  // A region that does not scroll is no stop on the way of the Tab key.
  const setStops = () => {
    for (const node of document.querySelectorAll(".scroll")) {
      node.tabIndex = node.scrollWidth > node.clientWidth ? 0 : -1;
    }
  };

  setUp();
  restart();
  let waiting = 0;
  byId("filters").addEventListener("input", (event) => {
    clearTimeout(waiting);
    if (event.target === fields.search) waiting = setTimeout(restart, 120);
    else restart();
  });
  byId("filters").addEventListener("reset", () => setTimeout(restart));
  byId("filters").addEventListener("submit", (event) => event.preventDefault());
  byId("previous").addEventListener("click", () => turn(page - 1));
  byId("next").addEventListener("click", () => turn(page + 1));
  byId("page").addEventListener("change", (event) => turn(Number(event.target.value)));
  addEventListener("hashchange", follow);
  addEventListener("resize", setStops);
  document.addEventListener("toggle", setStops, true);
  follow();
  // On paper everything folded is open, as nobody can open it there.
  let folded = [];
  addEventListener("beforeprint", () => {
    folded = [...document.querySelectorAll("details:not([open])")];
    folded.forEach((details) => (details.open = true));
  });
  addEventListener("afterprint", () => folded.forEach((details) => (details.open = false)));
})();
