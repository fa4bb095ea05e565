// Shows the questions of one status, and prints.
"use strict";
const buttons = document.querySelectorAll("button[data-show]");
for (const button of buttons) {
  button.addEventListener("click", () => {
    for (const other of buttons) other.setAttribute("aria-pressed", String(other === button));
    const shown = button.dataset.show;
    for (const article of document.querySelectorAll("article")) {
      const fits = shown === "flaw" ? "flaw" in article.dataset : article.dataset.status === shown;
      article.hidden = shown !== "" && !fits;
    }
  });
}
document.getElementById("print").addEventListener("click", () => window.print());
