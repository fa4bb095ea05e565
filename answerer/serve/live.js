// The live page: what is typed or dropped goes to /answer, and what comes back is drawn as the report draws it.
"use strict";

const page = JSON.parse(document.getElementById("data").textContent);
const form = document.getElementById("ask");
const run = document.getElementById("run");
const stop = document.getElementById("stop");
const progress = document.getElementById("progress");
const seconds = document.getElementById("seconds"); // not in the status, which a screen reader would read each second
const status = document.getElementById("status");
const answers = document.getElementById("answers");
const LONGEST_LINE = 80; // characters of a question, and of its answer, in the list of a file's questions
let busy = false; // from a form's being sent until its answer is drawn
let underWay = null; // what ends the request that is under way
let asked = 0;

function say(text, refused) {
  status.textContent = text;
  status.classList.toggle("refused", Boolean(refused));
}

/** The lines of an answer as they come, each a JSON object. */
async function* linesOf(response) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = [];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const parts = value.split("\n");
    while (parts.length > 1) {
      yield JSON.parse([...rest, parts.shift()].join(""));
      rest = [];
    }
    rest.push(parts[0]);
  }
}

function showProgress(label, done, total) {
  progress.hidden = false;
  const bar = progress.querySelector("progress");
  if (total) Object.assign(bar, { max: total, value: done });
  else bar.removeAttribute("value");
  progress.querySelector("span").textContent = label + (total ? ` ${done} of ${total}` : done ? ` ${done}` : "");
}

/** Send a request; its notes and progress are shown, its result is returned. An Error says what went wrong. */
async function answered(request) {
  underWay = new AbortController();
  const started = Date.now();
  const clock = setInterval(() => { seconds.textContent = `${Math.round((Date.now() - started) / 1000)} s`; }, 1000);
  const notes = [];
  say("answering …");
  seconds.textContent = "";
  showProgress("", 0, 0);
  try {
    const response = await fetch("/answer", {
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: "application/x-ndjson" },
      body: JSON.stringify(request),
      signal: underWay.signal,
    });
    if (!response.ok) {
      const { error } = await response.json().catch(() => ({})); // a server without a free connection says no JSON
      throw new Error(error || `the server answered with status ${response.status}`);
    }
    for await (const line of linesOf(response)) {
      if (line.progress) showProgress(line.progress.label, line.progress.done, line.progress.total);
      if (line.note) notes.push(line.note);
      if (line.error) throw new Error(line.error);
      if (line.result) return { notes, ...line.result };
    }
    throw new Error("the server ended before it answered");
  } catch (error) {
    if (error.name === "AbortError") throw new Error("stopped");
    throw error instanceof TypeError ? new Error("the server cannot be reached: is it still running?") : error;
  } finally {
    clearInterval(clock);
    progress.hidden = true;
    underWay = null;
  }
}

/** A card on top of the others, with a title that names it. */
function showCard(title, about, ...content) {
  asked += 1;
  const heading = element("h2", { id: `title-${asked}`, dir: "auto" }, title);
  const card = element("article", { tabindex: "-1", "aria-labelledby": `title-${asked}` },
    element("header", {}, heading, element("span", {}, about)), ...content.flat());
  answers.prepend(card);
  card.focus({ preventScroll: true });
  card.scrollIntoView({ block: "nearest" });
}

function showAnswer(request, reply) {
  const best = reply.answers.length ? reply.answers[0].text : "No answer";
  const drawn = reply.drawn && { ...reply.drawn, notes: [...(reply.drawn.notes || []), ...reply.notes] };
  showCard(best, `${reply.kind} ${reply.address}`,
    reply.doubt && element("p", { class: "doubt" }, reply.answers.length ? `Not sure: ${reply.doubt}.` : `${reply.doubt}.`),
    ...(drawn ? drawAnswer({}, { drawn }) : [element("p", { class: "asked", dir: "auto" }, request.question), ...drawSources(reply)]));
}

/** What bears the answers of a reply without the row of a trace: the sentences that are the answers themselves. */
function drawSources(reply) {
  return reply.answers.flatMap((answer) => answer.sources.map((source) => drawPassage({ ...source, text: [source.text] })));
}

/** Do what a form asks for, unless something is under way; what goes wrong is said. */
async function attempt(event, work) {
  event.preventDefault();
  if (busy) {
    say("one thing at a time: wait for its end, or stop it");
    return;
  }
  busy = true;
  try {
    await work();
    say("");
  } catch (error) {
    say(error.message, true);
  } finally {
    busy = false;
  }
}

/** The indexes that are ticked in a form, as a request names them; nothing where none is. */
function chosenIndexes(asking) {
  const index = [...asking.querySelectorAll("input[name=index]:checked")].map((box) => box.value);
  return index.length ? { index } : {};
}

async function ask() {
  const choices = form.choices.value.split("\n").map((line) => line.trim()).filter(Boolean);
  const request = { question: form.question.value, evidence: true };
  if (choices.length) Object.assign(request, { choices }, form.method.value && { method: form.method.value });
  Object.assign(request, chosenIndexes(form));
  showAnswer(request, await answered(request));
}

/** A file's bytes in base64. */
function contentOf(file) {
  return new Promise((done, failed) => {
    const reader = new FileReader();
    reader.onload = () => done(reader.result.slice(reader.result.indexOf(",") + 1));
    reader.onerror = () => failed(new Error(`${file.name} cannot be read`));
    reader.readAsDataURL(file);
  });
}

async function answerFiles() {
  const files = [...run.file.files];
  const [first] = files.splice(run.first.selectedIndex, 1);
  if ([first, ...files].reduce((size, file) => size + file.size, 0) > page.largest) {
    throw new Error(`${[first, ...files].map((file) => file.name).join(", ")}: larger than this server takes`);
  }
  const [file, ...more] = await Promise.all([first, ...files].map(async (one) => ({ name: one.name, content: await contentOf(one) })));
  const request = { file, ...(more.length && { more }), evidence: true };
  Object.assign(request, chosenIndexes(run));
  for (const name of ["task", "method"]) if (run[name].value) request[name] = run[name].value;
  showRun([file, ...more].map((one) => one.name).join(", "), await answered(request));
}

/** Of several files offer which is the first: the gold, where one is called so. Whether that is plain. */
function offerFirst() {
  const names = [...run.file.files].map((file) => file.name);
  const gold = names.findIndex((name) => /gold/i.test(name));
  run.first.replaceChildren(...names.map((name) => element("option", {}, name)));
  run.first.selectedIndex = Math.max(gold, 0);
  document.getElementById("first").hidden = names.length < 2;
  return names.length === 1 || gold >= 0;
}

/** A button that saves a file as it came. */
function download({ name, content }, label) {
  const button = element("button", { type: "button", title: name }, label);
  button.addEventListener("click", () => {
    const bytes = Uint8Array.from(atob(content), (character) => character.charCodeAt(0));
    const address = URL.createObjectURL(new Blob([bytes], { type: "application/octet-stream" }));
    element("a", { href: address, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(address), 60000);
  });
  return button;
}

function shortened(text) {
  const characters = [...text];
  return characters.length > LONGEST_LINE ? `${characters.slice(0, LONGEST_LINE).join("")} …` : text;
}

/** A question of a file: one line, drawn whole when it is opened. */
function drawGiven({ name, drawn }) {
  const chosen = (drawn.candidates || []).find((candidate) => candidate.chosen);
  const answer = chosen ? textOf(chosen.text) : drawn.answer || "–";
  const given = element("details", { class: "given" },
    element("summary", {}, element("b", {}, name), element("bdi", { class: "dim" }, shortened(drawn.asked || "")),
      " → ", element("bdi", {}, shortened(answer))));
  given.addEventListener("toggle", () => given.append(...drawAnswer({}, { drawn })), { once: true });
  return given;
}

function showRun(name, reply) {
  const { run: made, questions } = reply;
  const about = [reply.task, made.method, made.index, `${questions.length} questions`].filter(Boolean).join(" · ");
  showCard(name, about,
    element("p", { class: "row" }, download(reply.submission, "save the submission"), download(reply.trace, "save the trace")),
    reply.notes.map((note) => element("p", { class: "note", dir: "auto" }, "⚠ ", note)),
    questions.map(drawGiven));
}

/** The methods of the task that is chosen. */
function offerMethods() {
  const methods = page.methods[run.task.value] || [];
  run.method.replaceChildren(element("option", { value: "" }, "the task's own"),
    ...methods.map((name) => element("option", { value: name }, name)));
}

function onDrag(event) {
  if (![...event.dataTransfer.types].includes("Files")) return;
  event.preventDefault();
  run.classList.toggle("over", event.type === "dragover");
  if (event.type !== "drop" || !event.dataTransfer.files.length) return;
  run.file.files = event.dataTransfer.files;
  if (offerFirst()) run.requestSubmit();
  else say("Which of these files is the first? Choose it, then answer the files.");
}

form.addEventListener("submit", (event) => attempt(event, ask));
run.addEventListener("submit", (event) => attempt(event, answerFiles));
run.file.addEventListener("change", offerFirst);
run.task.addEventListener("change", offerMethods);
for (const kind of ["dragover", "dragleave", "drop"]) document.addEventListener(kind, onDrag);
stop.addEventListener("click", () => underWay && underWay.abort());
form.question.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
    event.preventDefault();
    form.requestSubmit();
  }
});
