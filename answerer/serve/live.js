// The live page: what is typed or dropped goes to /answer (a textbook to /index), and what comes back is drawn as the
// report draws it. A question stands in the page's address, which repeats it.
"use strict";

const page = JSON.parse(document.getElementById("data").textContent);
const form = document.getElementById("ask");
const stop = document.getElementById("stop");
const progress = document.getElementById("progress");
const seconds = document.getElementById("seconds"); // not in the status, which a screen reader would read each second
const status = document.getElementById("status");
const answers = document.getElementById("answers");
const LONGEST_LINE = 80; // characters of a question, and of its answer, in the list of a file's questions
let busy = false; // from a form's being sent until its answer is drawn
let underWay = null; // what ends the request that is under way
const waiting = []; // files that were dropped meanwhile, as they were dropped
let cards = 0; // that were shown

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
async function answered(request, where = "/answer") {
  underWay = new AbortController();
  const started = Date.now();
  const clock = setInterval(() => { seconds.textContent = `${Math.round((Date.now() - started) / 1000)} s`; }, 1000);
  const notes = [];
  say("answering …");
  seconds.textContent = "";
  showProgress("", 0, 0);
  try {
    const response = await fetch(where, {
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: "application/x-ndjson" },
      body: JSON.stringify(request),
      signal: underWay.signal,
    });
    if (!response.ok) {
      const refusal = await response.json().catch(() => ({})); // a server without a free connection says no JSON
      const error = new Error(refusal.error || `the server answered with status ${response.status}`);
      throw Object.assign(error, { noQuestions: refusal.no_questions });
    }
    for await (const line of linesOf(response)) {
      if (line.progress) showProgress(line.progress.label, line.progress.done, line.progress.total);
      if (line.note) notes.push({ text: line.note, warning: line.warning });
      if (line.error) throw Object.assign(new Error(line.error), { noQuestions: line.no_questions });
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

/** The notes on a request: amber what may be wrong, the rest in grey. */
const drawNotes = (notes) =>
  notes.map(({ text, warning }) => element("p", { class: warning ? "note" : "note dim", dir: "auto" }, warning ? `⚠ ${text}` : text));

/** A card on top of the others, with a title that names it. */
function showCard(title, about, ...content) {
  cards += 1;
  const heading = element("h2", { id: `title-${cards}`, dir: "auto" }, title);
  const card = element("article", { tabindex: "-1", "aria-labelledby": `title-${cards}` },
    element("header", {}, heading, about), ...content.flat());
  answers.prepend(card);
  card.focus({ preventScroll: true });
  card.scrollIntoView({ block: "nearest" });
}

/** What the page knows of the index of an address. */
const indexAt = (address) =>
  page.indexes.find((index) => index.address === address || index.shown === address) || { name: address };

function showAnswer(request, reply) {
  const silent = reply.nearest ? "The book does not seem to say" : "No answer";
  const best = reply.answers.length ? reply.answers[0].text : silent;
  const marks = reply.drawn ? (reply.drawn.notes || []).filter((note) => !(reply.doubt || "").includes(note)) : []; // a doubt is said once
  const drawn = reply.drawn && { ...reply.drawn, notes: [...marks, ...reply.notes.map((note) => note.text)] };
  const { name: index, language: spoken } = indexAt(reply.address);
  language = spoken;
  const link = element("a", { href: addressOf(request), class: "push" }, "link to this question");
  const also = (reply.asked_also || []).map((address) => indexAt(address).name);
  const from = [`from ${index}`, also.length && `asked also: ${also.join(", ")}`].filter(Boolean).join("; ");
  // A doubt that says why is not to stand beside a number that does not count it.
  const isSureYesNo = !drawn && !reply.doubt && /^(yes|no)$/.test(best);
  const right = isSureYesNo && `${percent(reply.answers[0].score)} of such answers are right`;
  showCard(best, [right, page.indexes.length > 1 && from, link],
    reply.doubt && element("p", { class: "doubt" }, reply.answers.length ? `Not sure: ${reply.doubt}.` : `${reply.doubt}.`),
    ...(drawn ? drawAnswer({}, { drawn }, spoken) : [words("p", { class: "asked" }, request.question), ...drawSources(reply)]));
}

/** What supports the answers of a reply without the row of a trace: the sentences that are the answers themselves, or the nearest. */
function drawSources(reply) {
  const answers = reply.nearest ? [{ sources: [reply.nearest] }] : reply.answers;
  return answers.flatMap((answer) => answer.sources.map((source) => drawPassage({ ...source, text: [source.text] })));
}

/** Do what a form asks for, unless something is under way; what goes wrong is said. */
async function attempt(event, work) {
  event.preventDefault();
  if (busy) {
    say("one request at a time: wait until it ends, or stop it");
    return;
  }
  busy = true;
  try {
    await work();
    say("");
  } catch (error) {
    // The line is for what comes next.
    if (waiting.length) showCard("Not answered", null, element("p", { class: "doubt" }, error.message));
    else say(error.message, true);
  } finally {
    busy = false;
  }
  if (waiting.length) take(waiting.shift());
}

/** The index that is chosen, as a request names it; nothing where none is. */
function chosenIndex() {
  const box = form.querySelector("input[name=index]:checked");
  return box && box.value ? { index: box.value } : {};
}

function typed() {
  const choices = form.choices.value.split("\n").map((line) => line.trim()).filter(Boolean);
  const request = { question: form.question.value, evidence: true };
  if (choices.length) Object.assign(request, { choices }, !form.task.value && form.method.value && { method: form.method.value });
  return Object.assign(request, chosenIndex());
}

/** The address of this page that asks a question again. */
function addressOf({ question, choices, method, index }) {
  const fields = [["q", question], ...(choices || []).map((choice) => ["choice", choice]), ...(method ? [["method", method]] : []), ...(index ? [["index", index]] : [])];
  return `?${new URLSearchParams(fields)}`;
}

/** Fill the form as the page's address says. Whether it holds a question. */
function fromAddress() {
  const fields = new URLSearchParams(location.search);
  if (!fields.get("q")) return false;
  form.question.value = fields.get("q");
  form.choices.value = fields.getAll("choice").join("\n");
  form.method.value = fields.get("method") || "";
  for (const box of form.querySelectorAll("input[name=index]")) box.checked = box.value === (fields.get("index") || "");
  return true;
}

async function ask() {
  const request = typed();
  if (!request.question.trim()) throw new Error("type a question, or choose a file");
  showAnswer(request, await answered(request));
  if (addressOf(request) !== location.search) history.pushState(null, "", addressOf(request));
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

const BOOK = /\.(epub|html?)$/i;
const DOCUMENT = /\.(pdf|docx|xlsx?|ods|epub)$/i; // no task of several files takes one
const ONE_FILE = "One file at a time: drop the book first, then the quiz.";
const TEXT = /\.(txt|text|md|pdf|docx)$/i; // a quiz, or else a book
const NOTE = /\.(txt|text|md)$/i; // or, of one short line, neither
const LONGEST_NOTE = 1000; // bytes: half a page

async function answerFiles() {
  const files = [...form.file.files];
  if (files.length > 1 && files.some((file) => DOCUMENT.test(file.name))) throw new Error(ONE_FILE);
  const [first] = files.splice(form.first.selectedIndex, 1);
  if ([first, ...files].reduce((size, file) => size + file.size, 0) > page.largest) {
    throw new Error(`${[first, ...files].map((file) => file.name).join(", ")}: larger than ${Math.floor(page.largest / 2 ** 20)} MiB, which this server takes`);
  }
  const [file, ...more] = await Promise.all([first, ...files].map(async (chosen) => ({ name: chosen.name, content: await contentOf(chosen) })));
  if (form.task.value === "book" || (!form.task.value && !more.length && BOOK.test(file.name))) {
    if (more.length) throw new Error("give one textbook at a time");
    showBook(file.name, await answered({ file }, "/index"));
    return;
  }
  const request = { file, ...(more.length && { more }), evidence: true };
  Object.assign(request, chosenIndex());
  for (const name of ["task", "method"]) if (form[name].value) request[name] = form[name].value;
  let reply;
  try {
    reply = await answered(request);
  } catch (error) {
    if (!error.noQuestions || !TEXT.test(file.name)) throw error;
    if (NOTE.test(file.name) && first.size < LONGEST_NOTE && !(await first.text()).trim().includes("\n")) {
      throw new Error(`${file.name} holds no question with choices, and one line is no textbook: to ask it all the same, choose “a textbook” under Options`);
    }
    const book = await answered({ file, guess: true }, "/index");
    showBook(file.name, book, "It holds no questions: it was taken for a textbook.");
    return;
  }
  showRun([file, ...more].map((sent) => sent.name).join(", "), reply);
}

/** A textbook that is an index now: it is asked alone until another is chosen, and may be removed where it is new. */
function showBook(name, reply, why) {
  const known = page.indexes.some((index) => index.shown === reply.shown);
  if (!known) page.indexes.push({ ...reply, name: reply.shown });
  offerBooks(reply.shown);
  const remove = element("button", { type: "button" }, "remove this book");
  remove.addEventListener("click", (event) => attempt(event, () => removeBook(reply.shown, remove)));
  showCard(name, null, element("p", {}, `is ${known ? "" : "now "}the book ${reply.shown} (${reply.language}); ask it a question, or drop its quiz.`),
    why && element("p", { class: "note dim" }, why),
    drawNotes(reply.notes.filter((note) => note.warning)),
    element("details", { class: "note dim" }, element("summary", {}, "how it was read"), drawNotes(reply.notes.filter((note) => !note.warning))),
    !known && element("p", { class: "row" }, remove));
  form.question.focus();
}

/** The books to choose from, with one of them chosen. */
function offerBooks(chosen) {
  const { indexes } = page;
  document.getElementById("from").textContent = indexes.length > 1 ? "the books below" : indexes.length ? indexes[0].name : "your textbook";
  form.querySelector("fieldset")?.remove();
  if (!indexes.length) return;
  form.choices.after(element("fieldset", {}, element("legend", {}, "Book"), indexes.length > 1 && allBox(), indexes.map(indexBox)));
  for (const choice of form.querySelectorAll("input[name=index]")) choice.checked = choice.value === chosen;
}

async function removeBook(shown, button) {
  const response = await fetch(`/index?${new URLSearchParams({ name: shown })}`, { method: "DELETE" });
  if (!response.ok) throw new Error((await response.json()).error);
  page.indexes = page.indexes.filter((index) => index.shown !== shown);
  offerBooks(page.indexes.length > 1 ? "" : page.indexes.map((index) => index.shown)[0]);
  button.replaceWith("removed");
}

const allBox = () => element("label", {}, element("input", { type: "radio", name: "index", value: "" }), " all in the question's language");

function indexBox({ name, shown, kind, language: spoken }) {
  return element("label", { title: shown }, element("input", { type: "radio", name: "index", value: shown }), ` ${name} `,
    element("span", { class: "dim" }, [kind, spoken].filter(Boolean).join(", ")));
}

/** Of several files offer which is the first: the gold, where one is called so. Whether that is plain. */
function offerFirst() {
  const names = [...form.file.files].map((file) => file.name);
  const gold = names.findIndex((name) => /gold/i.test(name));
  form.first.replaceChildren(...names.map((name) => element("option", {}, name)));
  form.first.selectedIndex = Math.max(gold, 0);
  document.getElementById("first").hidden = names.length < 2;
  if (names.length > 1) document.getElementById("options").open = true;
  form.querySelector(".do").textContent = names.length ? "Answer the file" : "Ask";
  return names.length === 1 || gold >= 0;
}

/** An address in this page's memory for a file as it came. */
function addressIn({ content }, type) {
  const bytes = Uint8Array.from(atob(content), (character) => character.charCodeAt(0));
  return URL.createObjectURL(new Blob([bytes], { type }));
}

/** A button that saves a file as it came. */
function download(file, label) {
  const button = element("button", { type: "button", title: file.name }, label);
  button.addEventListener("click", () => {
    const address = addressIn(file, "application/octet-stream");
    element("a", { href: address, download: file.name }).click();
    setTimeout(() => URL.revokeObjectURL(address), 60000);
  });
  return button;
}

function shortened(text) {
  const characters = [...text];
  return characters.length > LONGEST_LINE ? `${characters.slice(0, LONGEST_LINE).join("")} …` : text;
}

/** A question of a file: one line that opens, with the notes on its answer and what the book says of its key. */
function drawQuestion({ name, drawn }, spoken, checked) {
  const chosen = (drawn.candidates || []).find((candidate) => candidate.chosen);
  const answer = chosen ? textOf(chosen.text) : drawn.answer || "–";
  const line = element("details", { class: "given" },
    element("summary", {}, element("b", {}, name), " ",
      checked && checked.status !== "key agrees" && [element("span", { class: "status" }, checked.status), " "],
      element("bdi", { class: "dim" }, shortened(drawn.asked || "")),
      " → ", element("bdi", {}, shortened(answer)),
      checked && checked.key && element("span", { class: "dim" }, " · key: ", element("bdi", {}, shortened(checked.key))),
      (drawn.notes || []).map((note) => element("span", { class: "dim" }, ` ⚠ ${note}`))));
  line.append(...drawAnswer({}, { drawn }, spoken));
  return line;
}

/** How the keys of a quiz stand to the book, with the report to open or save. */
function drawCheck({ counts, page: report, table }) {
  const keys = Object.entries(counts).map(([state, number]) => `${number} ${state}`).join(", ");
  // Kept while this page is open: the report may be opened again, or loaded anew.
  const link = element("a", { href: addressIn(report, "text/html"), target: "_blank" }, "open the check of the keys");
  return element("div", { class: "check" }, element("p", {}, `The quiz holds its key: ${keys}.`),
    element("p", { class: "row" }, link, download(report, "save the check"), download(table, "save it as CSV")));
}

function showRun(name, reply) {
  const { run, questions } = reply;
  const isQuiz = reply.task === "ntcir-mc";
  const isDefault = isQuiz && run.method === page.methods[""][0];
  const about = [isQuiz ? "quiz" : reply.task, !isDefault && run.method, run.index && `from ${indexAt(run.index).name}`, `${questions.length} question${questions.length === 1 ? "" : "s"}`];
  showCard(name, element("span", {}, about.filter(Boolean).join(" · ")),
    element("p", { class: "row" }, download(reply.submission, isQuiz ? "save the answers" : "save the submission"),
      download(reply.trace, isQuiz ? "save what they rest on" : "save the trace")),
    reply.check && drawCheck(reply.check),
    drawNotes(reply.notes),
    inOrder(questions, reply.check).map(([question, checked]) => drawQuestion(question, run.language, checked)));
}

/** The questions of a file, each with the check of its key: where there are checks, in their order. */
function inOrder(questions, check) {
  if (!check) return questions.map((question) => [question, null]);
  const named = new Map(questions.map((question) => [question.name, question]));
  return check.questions.filter(({ name }) => named.has(name)).map((checked) => [named.get(checked.name), checked]);
}

/** The methods of the task that is chosen; without one those that judge the choices of a question. */
function offerMethods() {
  const methods = page.methods[form.task.value] || [];
  form.method.replaceChildren(element("option", { value: "" }, "the default"),
    methods.length ? element("optgroup", { label: "for shared tasks" }, methods.map((name) => element("option", { value: name }, name))) : "");
}

function onDrag(event) {
  if (![...event.dataTransfer.types].includes("Files")) return;
  event.preventDefault();
  form.classList.toggle("over", event.type === "dragover");
  const files = [...event.dataTransfer.files];
  if (event.type !== "drop" || !files.length) return;
  if (!busy) return take(files);
  waiting.push(files);
  say(`answering … ${files.map((file) => file.name).join(", ")} comes next`);
}

/** Answer files that were dropped together, unless it is to be said which is the first. */
function take(files) {
  const dropped = new DataTransfer();
  for (const file of files) dropped.items.add(file);
  form.file.files = dropped.files;
  if (files.length > 1 && files.some((file) => DOCUMENT.test(file.name))) {
    form.file.value = "";
    offerFirst();
    say(ONE_FILE, true);
  } else if (offerFirst()) form.requestSubmit();
  else say("Which of these files is the first? Choose it under Options, then answer the files.");
}

/** What the form holds: files, which are then put away, or else a question. */
async function submitted() {
  const { files } = form.file;
  if (!files.length) return ask();
  await answerFiles();
  if (form.file.files !== files) return; // others were chosen meanwhile
  form.file.value = "";
  offerFirst();
}

form.addEventListener("submit", (event) => attempt(event, submitted));
form.file.addEventListener("change", offerFirst);
form.task.addEventListener("change", offerMethods);
form.question.addEventListener("input", () => { // a file that was refused is not answered in place of the question
  if (busy || !form.file.files.length) return;
  form.file.value = "";
  offerFirst();
});
for (const kind of ["dragover", "dragleave", "drop"]) document.addEventListener(kind, onDrag);
stop.addEventListener("click", () => underWay && underWay.abort());
form.question.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
    event.preventDefault();
    form.requestSubmit();
  }
});
addEventListener("popstate", () => fromAddress() && form.requestSubmit());
offerMethods();
if (fromAddress()) form.requestSubmit();
