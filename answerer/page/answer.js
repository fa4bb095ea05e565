// Draws one answer from its data. Text only ever becomes text nodes and attributes: nothing here parses markup.
"use strict";

const SHOWN_CANDIDATES = 6;
const SHOWN_PARTS = 4;
const LONGEST_MARK = 4; // characters of an id that stands before its candidate; a longer one stands below

/** An element with attributes and children; children that are null or false are left out. */
function element(tag, attributes, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value !== null && value !== false) made.setAttribute(name, value);
  }
  made.append(...children.flat(Infinity).filter((child) => child !== null && child !== false && child !== undefined));
  return made;
}

const signed = (value) => (value < 0 ? "−" : "+") + plain(Math.abs(value));

function plain(value) {
  const size = Math.abs(value);
  const digits = size >= 100 ? 1 : size >= 0.095 || size === 0 ? 2 : 4;
  return (value < 0 ? "−" : "") + size.toFixed(digits);
}

/** A text in pieces: strings as they are, marked pieces as <mark> with what they count. */
function drawPieces(pieces) {
  return (pieces || []).map((piece) => {
    if (typeof piece === "string") return piece;
    if (piece.kind === "label") return element("span", { class: "label" }, piece.note);
    const sign = piece.kind !== "name" ? "" : piece.value < 0 ? " against" : " for";
    const said = piece.kind === "name" ? `${piece.note || piece.text}: ${signed(piece.value || 0)}` : piece.kind === "term" ? plain(piece.value || 0) : "";
    const mark = element("mark", { class: `${piece.kind}${sign} ${piece.printed || ""}`.trim(), title: said || null }, piece.text);
    if (sign) mark.style.setProperty("--strength", Math.min(0.12 + Math.abs(piece.value || 0) / 14, 0.5));
    return mark;
  });
}

const textOf = (pieces) => (pieces || []).map((piece) => (typeof piece === "string" ? piece : piece.kind === "label" ? `[${piece.note}] ` : piece.text)).join("");

/** Where bars begin and end: at 0, but below the least where all scores are negative, so that the best has the longest. */
function scaleOf(scores) {
  const low = Math.min(...scores);
  const high = Math.max(...scores);
  if (high > 0 || low === high) return { zero: 0, low: Math.min(0, low), high: Math.max(0, high) };
  const zero = low - (high - low) / 18;
  return { zero, low: zero, high };
}

/** The bar of a score, from zero to the score, on the scale of the question's scores. */
function drawBar(score, low, high) {
  const at = (value) => ((value - low) / (high - low || 1)) * 100;
  const fill = element("i");
  fill.style.left = `${at(Math.min(0, score))}%`;
  fill.style.width = `${Math.max(at(Math.max(0, score)) - at(Math.min(0, score)), 1)}%`;
  const zero = element("b");
  zero.style.left = `${at(0)}%`;
  return element("span", { class: "bar", "aria-hidden": "true" }, fill, low < 0 && zero);
}

function drawReason(reason) {
  const parts = reason.parts || [];
  const words = parts.slice(0, SHOWN_PARTS).map((part) =>
    element("span", {}, `${part.words} `, element("span", { class: "number dim" }, signed(part.value))));
  const rest = parts.slice(SHOWN_PARTS).reduce((sum, part) => sum + part.value, 0);
  if (parts.length > SHOWN_PARTS) {
    words.push(element("span", { class: "dim" }, "all else ", element("span", { class: "number" }, signed(rest))));
  }
  if (reason.value === undefined) {
    return element("li", {}, element("span", { class: "wide parts" },
      reason.name && element("span", { class: "dim" }, `${reason.name}:`), words));
  }
  const value = element("span", { class: `number ${reason.value < 0 ? "down" : "up"}` }, signed(reason.value));
  const name = element("span", { class: "name", dir: "auto" }, reason.name, reason.link && element("span", { class: "dim" }, ` → ${reason.link}`));
  const counted = (reason.counted || []).map((line) => element("span", { class: "counted dim", dir: "auto" }, line));
  return parts.length
    ? element("li", {}, name, value, element("span", { class: "parts" }, words, counted))
    : element("li", {}, element("span", { class: "wide" }, reason.name, " ", value));
}

function drawPassage(passage) {
  const terms = Object.entries(passage.terms || {}).sort((one, other) => other[1] - one[1]);
  const added = terms.map(([term, value]) => `${term} ${plain(value)}`).join(" · ");
  const source = [passage.title, passage.doc_id].filter(Boolean).join(" · ");
  const score = added ? ` · ${plain(passage.score || 0)} = ${added}` : passage.score ? ` · ${plain(passage.score)}` : "";
  return element("blockquote", { class: "passage" },
    passage.says && element("p", { class: "says dim", dir: "auto" }, passage.says),
    passage.text && element("p", { dir: "auto" }, drawPieces(passage.text)),
    element("footer", {}, source, score));
}

/** A part of a table, with the answer and the cells that led to it, or that hold words of the question, outlined. */
function drawTable(table) {
  const said = { answer: "the answer", used: "compared", matched: "holds a word of the question" };
  const cell = (one, tag, scope) => element(tag, { class: one.kind || null, title: said[one.kind] || null, scope }, one.text);
  return element("figure", { class: "grid" },
    (table.title || table.whole) && element("figcaption", { dir: "auto" }, table.title, table.whole && element("span", { class: "dim" }, ` ${table.whole}`)),
    element("div", { class: "scrolled", tabindex: "0", role: "region", "aria-label": table.title || "table" },
      element("table", {},
        element("thead", {}, element("tr", {}, (table.heads || []).map((one) => cell(one, "th", "col")))),
        element("tbody", {}, (table.rows || []).map((row) => element("tr", {},
          row.map((one) => (one.kind === "label" ? cell(one, "th", "row") : cell(one, "td", null)))))))));
}

/** The sentences of an essay: each with its keywords marked, where it is from, and what it is the first to cover. */
function drawSentences(sentences) {
  return element("ol", { class: "sentences" }, sentences.map((sentence) => {
    const covers = (sentence.covers || []).map((part) => `${part.words} ${plain(part.value)}`).join(" · ");
    return element("li", {},
      element("p", { dir: "auto" }, drawPieces(sentence.text)),
      element("p", { class: "source dim" }, [sentence.title, sentence.doc_id].filter(Boolean).join(" · "), covers && ` · first to cover: ${covers}`));
  }));
}

function drawWhy(candidate, open) {
  const reasons = candidate.reasons || [];
  const passages = candidate.passages || [];
  if (!reasons.length && !passages.length && !candidate.table) return null;
  return element("details", { class: "why", open: open ? "" : null },
    element("summary", {}, "why"),
    candidate.table && drawTable(candidate.table),
    reasons.length > 0 && element("ul", { class: "reasons" }, reasons.map(drawReason)),
    passages.map(drawPassage));
}

function drawCandidate(candidate, scale, open) {
  const id = candidate.candidate_id || "";
  const classes = [candidate.gold && "gold", candidate.chosen && "chosen"].filter(Boolean).join(" ");
  const fact = candidate.fact && element("span", { class: "fact" },
    candidate.fact.flatMap((part, place) => (place ? [element("i", { "aria-hidden": "true" }, "→"), part] : [part])));
  return element("li", { class: classes || null },
    element("div", { class: "line" },
      element("span", { class: "id" }, id.length <= LONGEST_MARK ? id : ""),
      element("span", { class: "text", dir: "auto" }, fact || drawPieces(candidate.text)),
      drawBar((candidate.score || 0) - scale.zero, scale.low - scale.zero, scale.high - scale.zero),
      element("span", { class: "number" }, Math.min(scale.low, candidate.score || 0) < 0 ? signed(candidate.score || 0) : plain(candidate.score || 0)),
      element("span", { class: "tags" },
        candidate.chosen && element("span", { class: "tag" }, "▸ our answer"),
        candidate.gold && element("span", { class: "tag right" }, "★ gold"))),
    (candidate.said || []).map((line) => element("p", { class: "said", dir: "auto" }, drawPieces(line))),
    id.length > LONGEST_MARK && element("p", { class: "said source" }, id),
    drawWhy(candidate, open));
}

/** The candidates: the first few, our answer and the gold; the others on request. */
function drawCandidates(candidates, expanded, wrong) {
  const scores = candidates.map((candidate) => candidate.score || 0);
  const scale = scaleOf(scores);
  const list = element("ol", { class: "candidates" });
  const few = candidates.length <= SHOWN_CANDIDATES + 2;
  const shown = (candidate, place) => few || candidate.chosen || candidate.gold || place < (expanded ? SHOWN_CANDIDATES : 0);
  const told = wrong && candidates.some((candidate) => candidate.gold);
  const draw = (candidate) => drawCandidate(candidate, scale, told && candidate.gold !== candidate.chosen);
  list.append(...candidates.filter(shown).map(draw));
  const hidden = candidates.length - list.childElementCount;
  if (!hidden) return [list];
  const more = element("button", { class: "more", type: "button" }, `all ${candidates.length} candidates`);
  more.addEventListener("click", () => {
    list.replaceChildren(...candidates.map(draw));
    more.remove();
  });
  return [list, more];
}

/** What a question asks, what was answered, what is right, and the candidates with their reasons. */
function drawAnswer(question, answered) {
  const drawn = answered.drawn || {};
  const candidates = drawn.candidates || [];
  const essay = Boolean(drawn.written);
  const given = drawn.written ? drawPieces(drawn.written) : [answered.answer || drawn.answer || ""];
  const marked = (question.gold_ids || []).length > 0 || !(question.gold || []).length; // beside its candidate
  const named = candidates.some((candidate) => candidate.chosen) && !essay && marked;
  const facts = (drawn.facts || []).flatMap(([name, value]) => [`${name} `, element("b", {}, value), " · "]).slice(0, -1);
  const gold = (question.gold || []).map((text) => element("dd", { dir: "auto" }, text));
  const goldIds = (question.gold_ids || []).join(", ");
  return [
    element("p", { class: "asked", dir: "auto" }, drawn.text ? drawPieces(drawn.text) : question.text || ""),
    (drawn.around || []).map((line) => element("p", { class: "around", dir: "auto" }, drawPieces(line))),
    facts.length > 0 && element("p", { class: "facts" }, facts),
    (drawn.notes || []).map((note) => element("p", { class: "note" }, "⚠ ", note)),
    !named && element("dl", { class: "pair" },
      element("dt", {}, "our answer"), element("dd", { class: essay ? null : "given", dir: "auto" }, given[0] === "" ? "–" : given),
      gold.length > 0 && [element("dt", {}, "gold"), gold.slice(0, 1), gold.slice(1).map((one) => [element("dt"), one])],
      gold.length === 0 && goldIds && [element("dt", {}, "gold"), element("dd", {}, goldIds)]),
    (drawn.sentences || []).length > 0 && [element("h3", { class: "dim" }, "made of"), drawSentences(drawn.sentences)],
    candidates.length > 0 && drawCandidates(candidates, !essay, answered.score < 1),
  ].flat(Infinity).filter(Boolean);
}
