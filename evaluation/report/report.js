// The list of questions: filters, order, search, keys, links. All are drawn at once, so that the browser's own search
// and its printer find every text; those out of sight cost no layout (content-visibility).
"use strict";

const data = JSON.parse(document.getElementById("data").textContent);
const MANY = 120; // questions from which on the squares have no labels
const REST = 1e-9;
const OF_ALL_RUNS = new Set(["all", "flips", "given", "differs"]); // filters and orders that are not of the run shown
const SIGNS = { right: "✓", wrong: "✗", part: "◐" };
const NARROW = matchMedia("(max-width: 900px)"); // as in the style sheet
const state = { run: 0, show: "all", kinds: {}, search: [], order: data.runs.length > 1 ? "differs" : "given" };
const cards = data.questions.map((question, place) => ({ question, place }));
const byAnchor = new Map(cards.map((card) => [card.question.anchor, card]));
const list = document.getElementById("list");
const shared = sharedPrefix(data.questions.map((question) => question.name));

const answerOf = (card) => card.question.runs[state.run];
const drawnOf = (card) => answerOf(card).drawn || {};

/** How many characters all names begin with alike, up to a mark between words. */
function sharedPrefix(names) {
  let length = names.length > 1 ? names[0].length : 0;
  for (const name of names) while (!name.startsWith(names[0].slice(0, length))) length -= 1;
  while (length > 0 && /[\p{L}\p{N}]/u.test(names[0][length - 1])) length -= 1;
  return length;
}

function status(score) {
  return score >= 1 - REST ? "right" : score <= REST ? "wrong" : "part";
}

function verdict(card) {
  const { score } = answerOf(card);
  const { worth } = card.question;
  const points = worth ? ` · ${+(score * worth).toFixed(2)} of ${worth}` : "";
  const words = { right: "right", wrong: "wrong", part: `${data.measure} ${score.toFixed(2)}` };
  return `${SIGNS[status(score)]} ${words[status(score)]}${points}`;
}

/** How far apart the runs are on a question: by score first, then by the answers. */
function distance(card) {
  const scores = card.question.runs.map((run) => run.score);
  const answers = new Set(card.question.runs.map((run) => run.answer || (run.drawn || {}).answer));
  return Math.max(...scores) - Math.min(...scores) + (answers.size > 1 ? 0.001 : 0);
}

const filters = {
  all: () => true,
  right: (card) => status(answerOf(card).score) === "right",
  partly: (card) => status(answerOf(card).score) === "part",
  wrong: (card) => status(answerOf(card).score) === "wrong",
  unsure: (card) => Boolean(drawnOf(card).unsure),
  unsupported: (card) => Boolean(answerOf(card).unsupported),
  flips: (card) => new Set(card.question.runs.map((run) => status(run.score))).size > 1,
};

const orders = {
  given: ["as in the gold", (card) => card.place],
  narrow: ["narrowest lead first", (card) => drawnOf(card).margin ?? Infinity],
  wide: ["widest lead first", (card) => -(drawnOf(card).margin ?? -Infinity)],
  low: ["lowest score first", (card) => answerOf(card).score],
  differs: ["what differs most first", (card) => -distance(card)],
};

/** A text as it is searched: without case, full and half width alike. */
const folded = (text) => text.normalize("NFKC").toLowerCase();

function searchable(card) {
  if (card.words === undefined) {
    const { question } = card;
    const texts = question.runs.flatMap((run) => [run.answer, ...((run.drawn || {}).candidates || []).map((one) => textOf(one.text))]);
    card.words = folded([question.name, question.text, ...(question.gold || []), ...texts].join("\n"));
  }
  return card.words;
}

function isShown(card) {
  const kinds = Object.entries(state.kinds).every(([name, kind]) => !kind || (card.question.kinds || {})[name] === kind);
  return kinds && filters[state.show](card) && state.search.every((word) => searchable(card).includes(word));
}

function chips(card) {
  const kinds = card.question.kinds || {};
  const drawn = drawnOf(card);
  const named = Object.entries(kinds).filter(([name]) => name !== "knowledge type" && name !== "answer type");
  return [
    element("span", { class: "chip verdict" }, verdict(card)),
    confidence(drawn),
    answerOf(card).unsupported && element("span", { class: "chip unsure" }, answerOf(card).unsupported),
    ...named.map(([name, kind]) => element("span", { class: "chip" }, name === "shape" ? kind : `${name} ${kind}`)),
  ].filter(Boolean);
}

/** How sure an answer is: by its probability, or else by its margin before the next candidate. */
function confidence({ margin, probability, unsure }) {
  if (margin < 0) return element("span", { class: "chip unsure" }, `${plain(-margin, 1)} below the best`);
  if (probability !== undefined) {
    return element("span", { class: unsure ? "chip unsure" : "chip" }, `${unsure ? "unsure" : "sure"}: ${percent(probability)}`);
  }
  if (margin === undefined) return null;
  return element("span", { class: unsure ? "chip unsure" : "chip" }, `${unsure ? "unsure: " : ""}${plain(margin, 1)} ahead of the next`);
}

function runButtons(card) {
  if (data.runs.length < 2) return null;
  return element("div", { class: "runs", role: "group", "aria-label": "Runs" }, data.runs.map((name, place) => {
    const run = card.question.runs[place];
    const answer = run.answer || (run.drawn || {}).answer || "";
    const said = `${SIGNS[status(run.score)]} ${name}${answer && answer.length < 40 ? `: ${answer}` : ""}`;
    const button = element("button", { type: "button", "aria-pressed": String(place === state.run) }, said);
    button.addEventListener("click", () => chooseRun(place, card));
    return button;
  }));
}

function draw(card) {
  const copy = element("button", { type: "button", class: "push", title: "Copy the data of this question as JSON" }, "copy JSON");
  copy.addEventListener("click", () => copyJson(card, copy));
  const header = card.article.querySelector("header");
  header.replaceChildren(header.querySelector("h2"), ...chips(card), copy);
  card.article.className = status(answerOf(card).score);
  card.article.replaceChildren(...[header, runButtons(card), ...drawAnswer(card.question, answerOf(card), data.language)].filter(Boolean));
}

function copyJson(card, button) {
  const text = JSON.stringify(card.question, null, 1);
  const done = () => {
    button.textContent = "copied";
    setTimeout(() => { button.textContent = "copy JSON"; }, 1500);
  };
  navigator.clipboard.writeText(text).then(done, () => {
    const area = element("textarea", { readonly: "", class: "unseen" }, text);
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
    done();
  });
}

function skeleton(card) {
  const { name, anchor } = card.question;
  const title = element("h2", { id: `title-${card.place}` }, element("a", { href: `#${encodeURIComponent(anchor)}` }, name));
  card.article = element("article", { tabindex: "-1", "aria-labelledby": `title-${card.place}` }, element("header", {}, title));
  card.article.id = anchor;
  card.square = element("a", { href: `#${encodeURIComponent(anchor)}` });
  return card.article;
}

/** The square of a question: its mark and its name, of many questions the mark alone. */
function drawSquare(card) {
  const { score } = answerOf(card);
  card.square.className = `${status(score)}${drawnOf(card).unsure ? " unsure" : ""}`;
  const name = card.question.name.slice(shared) || card.question.name;
  card.square.replaceChildren(...[element("b", {}, SIGNS[status(score)]), cards.length <= MANY && ` ${name}`].filter(Boolean));
  card.square.title = `${card.question.name}: ${verdict(card)}`;
  card.square.setAttribute("aria-label", card.square.title);
}

function chooseRun(place, held) {
  const before = held && held.article.getBoundingClientRect().top;
  const within = held && held.article !== document.activeElement && held.article.contains(document.activeElement);
  state.run = place;
  for (const card of cards) {
    drawSquare(card);
    draw(card);
  }
  if (!OF_ALL_RUNS.has(state.show) || !OF_ALL_RUNS.has(state.order)) update();
  drawControls();
  if (!held) return;
  window.scrollBy(0, held.article.getBoundingClientRect().top - before);
  (within ? held.article.querySelector(".runs [aria-pressed='true']") : held.article).focus({ preventScroll: true });
}

function update() {
  const key = orders[state.order][1];
  const shown = cards.filter(isShown);
  const ordered = [...shown].sort((one, other) => key(one) - key(other) || one.place - other.place);
  const kept = new Set(shown);
  for (const card of cards) card.square.hidden = !kept.has(card);
  list.replaceChildren(...ordered.map((card) => card.article));
  state.ordered = ordered;
  document.getElementById("count").textContent = ordered.length === cards.length
    ? `${cards.length} questions` : `${ordered.length} of ${cards.length} questions`;
}

function toggle(name, value, text) {
  const button = element("button", { type: "button", "aria-pressed": String(state[name] === value), "data-show": value }, text);
  button.addEventListener("click", () => {
    if (name === "run") chooseRun(value);
    else {
      state[name] = value;
      update();
      drawControls();
    }
  });
  return button;
}

function select(label, options, value, chosen) {
  const box = element("select", {}, options.map(([name, text]) =>
    element("option", { value: name, selected: name === value ? "" : null }, text)));
  box.addEventListener("change", () => { chosen(box.value); update(); });
  return element("label", {}, label, box);
}

function kindNames() {
  const found = new Map();
  for (const { question } of cards) {
    for (const [name, kind] of Object.entries(question.kinds || {})) {
      if (!found.has(name)) found.set(name, new Map());
      found.get(name).set(kind, (found.get(name).get(kind) || 0) + 1);
    }
  }
  return [...found].filter(([, kinds]) => kinds.size > 1);
}

function drawControls() {
  const box = document.getElementById("controls");
  const focused = document.activeElement && box.contains(document.activeElement) && document.activeElement.dataset.show;
  const useful = Object.keys(filters).filter((name) => name === "all" || name === state.show || cards.some(filters[name]));
  const search = element("input", { type: "search", id: "search", value: state.search.join(" ") });
  search.addEventListener("input", () => { state.search = folded(search.value).split(/\s+/).filter(Boolean); update(); });
  box.replaceChildren(...[
    data.runs.length > 1 && element("div", { class: "row", role: "group", "aria-label": "Run shown" },
      data.runs.map((name, place) => toggle("run", place, name))),
    element("div", { class: "row", role: "group", "aria-label": "Filter" }, useful.map((name) => toggle("show", name, name))),
    element("label", {}, "search", search),
    ...kindNames().map(([name, kinds]) => select(name,
      [["", "any"], ...[...kinds].map(([kind, count]) => [kind, `${kind} (${count})`])],
      state.kinds[name] || "", (value) => { state.kinds[name] = value; })),
    select("order", Object.entries(orders).filter(([name]) => name !== "differs" || data.runs.length > 1)
      .map(([name, [text]]) => [name, text]), state.order, (value) => { state.order = value; }),
  ].filter(Boolean));
  if (focused) box.querySelector(`[data-show="${CSS.escape(focused)}"]`)?.focus();
}

function goTo(card) {
  if (!card) return;
  if (!state.ordered.includes(card)) {
    Object.assign(state, { show: "all", kinds: {}, search: [] });
    update();
    drawControls();
  }
  if (NARROW.matches) overview.open = false;
  state.current = card;
  for (const other of document.querySelectorAll("#squares [aria-current]")) other.removeAttribute("aria-current");
  card.square.setAttribute("aria-current", "true");
  card.article.focus({ preventScroll: true });
  card.article.scrollIntoView({ block: "start" });
}

function step(by) {
  const at = state.ordered.indexOf(state.current);
  const card = state.ordered[at < 0 ? (by > 0 ? 0 : state.ordered.length - 1) : at + by];
  if (!card) return;
  history.replaceState(null, "", `#${encodeURIComponent(card.question.anchor)}`);
  goTo(card);
}

function openReasons() {
  const found = [...(state.current ? state.current.article.querySelectorAll("details.why") : [])];
  const open = !found.every((one) => one.open);
  for (const one of found) one.open = open;
}

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.matches("input, select, textarea")) {
    if (event.key === "Escape") event.target.blur();
    return;
  }
  const keys = {
    j: () => step(1),
    k: () => step(-1),
    o: openReasons,
    r: () => data.runs.length > 1 && chooseRun((state.run + 1) % data.runs.length, state.current),
    "/": () => document.getElementById("search").focus(),
  };
  if (!keys[event.key]) return;
  event.preventDefault();
  keys[event.key]();
}

function fromLink() {
  let anchor = location.hash.slice(1);
  try {
    anchor = decodeURIComponent(anchor);
  } catch {
    return;
  }
  goTo(byAnchor.get(anchor));
}

/** Narrow screens begin with the questions: squares and filters open on request. */
function fold() {
  overview.open = !NARROW.matches;
}

const overview = document.getElementById("overview");
cards.forEach(skeleton);
cards.forEach(draw);
cards.forEach(drawSquare);
const squares = document.getElementById("squares");
squares.classList.toggle("many", cards.length > MANY);
squares.append(...cards.map((card) => card.square));
drawControls();
update();
addEventListener("hashchange", fromLink);
addEventListener("keydown", onKey);
NARROW.addEventListener("change", fold);
fold();
fromLink();
