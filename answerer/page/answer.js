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

let language = null; // of the texts that are drawn: their fonts, and how they are read aloud

/** An element whose text is the question's, its corpus's or an answer's: in their language, from either side. */
const words = (tag, attributes, ...children) => element(tag, { dir: "auto", lang: language, ...attributes }, ...children);

const percent = (share) => (share > 0.995 ? "> 99 %" : share < 0.005 ? "< 1 %" : `${Math.round(100 * share)} %`);
const signed = (value, most) => (value < 0 ? "−" : "+") + plain(Math.abs(value), most);

/** A number with as many digits as the greatest that stands beside it needs. */
function plain(value, most = Math.abs(value)) {
  const digits = most >= 100 ? 1 : most >= 0.095 || most === 0 ? 2 : 4;
  return (value < 0 ? "−" : "") + Math.abs(value).toFixed(digits);
}

/** A text in pieces: strings as they are, marked pieces as <mark> with what they count. */
function drawPieces(pieces) {
  return (pieces || []).map((piece) => {
    if (typeof piece === "string") return piece;
    if (piece.kind === "label") return element("span", { class: "label" }, piece.note);
    if (piece.kind === "verdict") return element("b", { lang: "en" }, piece.text);
    const sign = piece.kind !== "name" ? "" : piece.value < 0 ? " against" : " for";
    const said = piece.kind === "name" ? `${piece.note || piece.text}: ${signed(piece.value || 0)}` : piece.kind === "term" ? plain(piece.value || 0) : "";
    const mark = element("mark", { class: `${piece.kind}${sign} ${piece.printed || ""}`.trim(), title: said || null }, piece.text);
    if (sign) mark.style.setProperty("--strength", Math.min(0.12 + Math.abs(piece.value || 0) / 14, 0.5));
    return mark;
  });
}

const textOf = (pieces) => (pieces || []).map((piece) => (typeof piece === "string" ? piece : piece.kind === "label" ? `[${piece.note}] ` : piece.text)).join("");

/** The bar of a score, from zero: on the left where no score of the question is negative, else from a centre line. */
function drawBar(score, { most, negative }) {
  const zero = negative ? 50 : 0;
  const length = Math.max((Math.abs(score) / (most || 1)) * (100 - zero), 1);
  const fill = element("i", { class: score < 0 ? "below" : null });
  fill.style.left = `${score < 0 ? zero - length : zero}%`;
  fill.style.width = `${length}%`;
  return element("span", { class: negative ? "bar signed" : "bar", "aria-hidden": "true" }, fill);
}

function drawReason(reason) {
  const parts = reason.parts || [];
  const shown = parts.slice(0, SHOWN_PARTS).map((part) =>
    element("span", {}, `${part.words} `, element("span", { class: "number dim" }, signed(part.value))));
  const rest = parts.slice(SHOWN_PARTS).reduce((sum, part) => sum + part.value, 0);
  if (parts.length > SHOWN_PARTS) {
    shown.push(element("span", { class: "dim" }, "all else ", element("span", { class: "number" }, signed(rest))));
  }
  if (reason.value === undefined) {
    return element("li", {}, element("span", { class: "wide parts" },
      reason.name && element("span", { class: "dim" }, `${reason.name}:`), shown));
  }
  const value = element("span", { class: `number ${reason.value < 0 ? "down" : "up"}` }, signed(reason.value));
  const name = words("span", { class: "name" }, reason.name, reason.link && element("span", { class: "dim" }, ` → ${reason.link}`));
  const counted = (reason.counted || []).map((line) => words("span", { class: "counted dim" }, line));
  return parts.length
    ? element("li", {}, name, value, element("span", { class: "parts" }, shown, counted))
    : element("li", {}, element("span", { class: "wide" }, reason.name, " ", value));
}

function drawPassage(passage) {
  const terms = Object.entries(passage.terms || {}).sort((one, other) => other[1] - one[1]);
  const added = terms.map(([term, value]) => `${term} ${plain(value)}`).join(" · ");
  const source = [passage.title, passage.doc_id].filter(Boolean).join(" · ");
  const score = added ? ` · ${plain(passage.score || 0)} = ${added}` : passage.score ? ` · ${plain(passage.score)}` : "";
  return element("blockquote", { class: "passage" },
    passage.says && words("p", { class: "says dim" }, passage.says),
    passage.text && words("p", {}, drawPieces(passage.text)),
    element("footer", {}, source, score));
}

/** A part of a table, with the answer and the cells that led to it, or that hold words of the question, outlined. */
function drawTable(table) {
  const said = { answer: "the answer", used: "compared", matched: "holds a word of the question" };
  const cell = (one, tag, scope) => words(tag, { class: one.kind || null, title: said[one.kind] || null, scope }, one.text);
  return element("figure", { class: "grid" },
    (table.title || table.whole) && words("figcaption", {}, table.title, table.whole && element("span", { class: "dim" }, ` ${table.whole}`)),
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
      words("p", {}, drawPieces(sentence.text)),
      element("p", { class: "source dim" }, [sentence.title, sentence.doc_id].filter(Boolean).join(" · "), covers && ` · first to cover: ${covers}`));
  }));
}

function drawWhy(candidate) {
  const reasons = candidate.reasons || [];
  const passages = candidate.passages || [];
  if (!reasons.length && !passages.length && !candidate.table) return null;
  const held = [candidate.table && "table", passages.length && "passages", reasons.length && "how it was weighed"].filter(Boolean).join(", ");
  return element("details", { class: "why" },
    element("summary", {}, held),
    candidate.table && drawTable(candidate.table),
    passages.map(drawPassage),
    reasons.length > 0 && element("ul", { class: "reasons" }, reasons.map(drawReason)));
}

/** What opens a candidate's evidence, always in sight: verdict, derivation, claim; without a verdict, where `quoted`, also
 * the first of its passages. */
function drawSaid(candidate, quoted) {
  const said = candidate.said || [];
  const judged = said.flat().some((piece) => piece.kind === "verdict");
  const first = quoted && !judged && !candidate.table && (candidate.passages || []).find((passage) => passage.text);
  const lines = first ? [...said, ["“", ...first.text, "”", first.title ? ` (${first.title})` : ""]] : said;
  return lines.map((line) => words("p", { class: "said" }, drawPieces(line)));
}

function drawCandidate(candidate, scale, quoted) {
  const id = candidate.candidate_id || "";
  const classes = [candidate.gold && "gold", candidate.chosen && "chosen"].filter(Boolean).join(" ");
  const fact = candidate.fact && element("span", { class: "fact" },
    candidate.fact.flatMap((part, place) => (place ? [element("i", { "aria-hidden": "true" }, "→"), part] : [part])));
  const score = candidate.score || 0;
  return element("li", { class: classes || null },
    element("div", { class: "line" },
      element("span", { class: "id" }, id.length <= LONGEST_MARK ? id : ""),
      words("span", { class: "text" }, fact || drawPieces(candidate.text)),
      drawBar(score, scale),
      element("span", { class: "number" }, scale.negative ? signed(score, scale.most) : plain(score, scale.most)),
      element("span", { class: "number likely" }, candidate.probability === undefined ? "" : percent(candidate.probability)),
      element("span", { class: "tags" },
        candidate.chosen && element("span", { class: "tag" }, "▸ our answer"),
        candidate.gold && element("span", { class: "tag right" }, "★ key"))),
    drawSaid(candidate, quoted),
    id.length > LONGEST_MARK && element("p", { class: "said source" }, id),
    drawWhy(candidate));
}

/** The candidates: the first few, our answer and the gold; the others folded, where a search still finds them. */
function drawCandidates(candidates, expanded, quoted) {
  const scores = candidates.map((candidate) => candidate.score || 0);
  const scale = { most: Math.max(...scores.map(Math.abs)), negative: Math.min(...scores) < 0 };
  const list = element("ol", { class: "candidates" });
  const few = candidates.length <= SHOWN_CANDIDATES + 2;
  const shown = (candidate, place) => few || candidate.chosen || candidate.gold || place < (expanded ? SHOWN_CANDIDATES : 0);
  const draw = (candidate) => drawCandidate(candidate, scale, quoted);
  list.append(...candidates.filter(shown).map(draw));
  const others = candidates.filter((candidate, place) => !shown(candidate, place));
  return [list, others.length > 0 && element("details", { class: "others" },
    element("summary", {}, `${others.length} other candidates`),
    element("ol", { class: "candidates" }, others.map(draw)))];
}

/** What a question asks, what was answered, what is right, and the candidates with their reasons; texts are `spoken`. */
function drawAnswer(question, answered, spoken) {
  language = spoken || null;
  const drawn = answered.drawn || {};
  const candidates = drawn.candidates || [];
  const essay = Boolean(drawn.written);
  const given = drawn.written ? drawPieces(drawn.written) : [answered.answer || drawn.answer || ""];
  const marked = (question.gold_ids || []).length > 0 || !(question.gold || []).length; // beside its candidate
  const named = candidates.some((candidate) => candidate.chosen) && !essay && marked;
  const facts = (drawn.facts || []).flatMap(([name, value]) => [`${name} `, element("b", {}, value), " · "]).slice(0, -1);
  const gold = (question.gold || []).map((text) => words("dd", {}, text));
  const goldIds = (question.gold_ids || []).join(", ");
  return [
    words("p", { class: "asked" }, drawn.text ? drawPieces(drawn.text) : question.text || ""),
    (drawn.around || []).map((line) => words("p", { class: "around" }, drawPieces(line))),
    drawn.items && element("ul", { class: "items" }, drawn.items.map((item) => words("li", {}, drawPieces(item)))),
    facts.length > 0 && element("p", { class: "facts" }, facts),
    (drawn.notes || []).map((note) => element("p", { class: "note" }, "⚠ ", note)),
    !named && element("dl", { class: "pair" },
      element("dt", {}, "our answer"), words("dd", { class: essay ? null : "given" }, given[0] === "" ? "–" : given),
      gold.length > 0 && [element("dt", {}, "gold"), gold.slice(0, 1), gold.slice(1).map((one) => [element("dt"), one])],
      gold.length === 0 && goldIds && [element("dt", {}, "gold"), element("dd", {}, goldIds)]),
    (drawn.sentences || []).length > 0 && [element("h3", { class: "dim" }, "made of"), drawSentences(drawn.sentences)],
    candidates.length > 0 && drawCandidates(candidates, !essay, !drawn.items), // what the items are made of, all candidates show alike
  ].flat(Infinity).filter(Boolean);
}
