// The verdict table: search, filter, sort, pages, CSV; and copying the names of the selected
// columns. Names are hostile input: they reach the page through textContent and attributes only.
"use strict";
(() => {
  const PAGE = 100;
  const PRINTED = 200;
  const SELECTED = ["relevant", "supporting"];
  const find = (id) => document.getElementById(id);
  const data = JSON.parse(find("verdict-data").textContent);
  const place = Object.fromEntries(data.fields.map((key, k) => [key, k]));
  const body = find("table").tBodies[0];
  const headings = [...find("table").querySelectorAll("th")];
  const labels = Object.fromEntries(headings.map((th) => [th.dataset.key, th.textContent.trim()]));
  const state = { words: [], kind: "", key: "", direction: 1, first: 0 };
  let shown = data.rows;
  let texts = null;

  const cell = (row, key) => row[place[key]] ?? null;
  const isNumeric = (key) => ["score", "p_value", "chosen_in", "step"].includes(key);
  const whole = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });

  // Control characters, direction overrides and odd spaces as escapes, as Python's repr does.
  const visible = (text) =>
    text.replace(/[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu, (c) => {
      const code = c.codePointAt(0);
      const known = { 9: "\\t", 10: "\\n", 13: "\\r" }[code];
      if (known) return known;
      const hex = code.toString(16);
      if (code < 256) return "\\x" + hex.padStart(2, "0");
      return code < 65536 ? "\\u" + hex.padStart(4, "0") : "\\U" + hex.padStart(8, "0");
    });

  const figure = (value, digits = 3) => {
    const size = Math.abs(value);
    let text = String(Number(size.toPrecision(digits)));
    if ((size > 0 && size < 1e-4) || size >= 1e9)
      text = size.toExponential(digits - 1).replace(/\.?0*e\+?/, "e");
    else if (size >= 999.5) text = whole.format(size);
    return value < 0 && size > 0 ? "\u2212" + text : text;
  };
  const percent = (share) =>
    share > 0 && share < 0.01 ? (100 * share).toFixed(1) + " %" : Math.round(100 * share) + " %";

  const element = (tag, className, text) => {
    const made = document.createElement(tag);
    if (className) made.className = className;
    if (text !== undefined) made.textContent = text;
    return made;
  };
  const named = (text) => {
    if (text === "") return element("em", "name", "(empty name)");
    const full = visible(text);
    const cut = full.length > 160 ? full.slice(0, 159) + "\u2026" : full;
    const made = element("bdi", "name", text.trim() ? cut : "\u201c" + cut + "\u201d");
    made.title = full.slice(0, 10000);
    return made;
  };
  const content = (key, value) => {
    if (value === null || (value === "" && key !== "name")) return null;
    if (key === "name" || key === "masked_by") return named(value);
    if (key === "reason") return element("bdi", "", visible(value));
    if (key === "kind") {
      const tag = element("span", "tag " + value);
      const glyph = element("span", "glyph " + value);
      glyph.setAttribute("aria-hidden", "true");
      tag.append(glyph, value);
      return tag;
    }
    if (key === "chosen_in") return percent(value);
    if (key === "p_value") return value < 1e-16 ? "< 1e-16" : figure(value, 2);
    return key === "step" ? String(value) : figure(value);
  };

  const draw = (count) => {
    const lines = shown.slice(state.first, state.first + count).map((row) => {
      const line = element("tr");
      line.setAttribute("role", "row");
      for (const key of data.fields) {
        const td = element("td", "cell-" + key + (isNumeric(key) ? " numeric" : ""));
        td.setAttribute("role", "cell");
        td.dataset.label = labels[key];
        const inside = content(key, cell(row, key));
        if (inside !== null) td.append(inside);
        line.append(td);
      }
      return line;
    });
    body.replaceChildren(...lines);
    const last = Math.min(state.first + count, shown.length);
    const some = shown.length < data.rows.length ? ` of ${whole.format(data.rows.length)}` : "";
    find("found").textContent = shown.length
      ? `${whole.format(shown.length)}${some} columns`
      : "No column fits the search.";
    find("place").textContent = `${whole.format(state.first + 1)} to ${whole.format(last)}`;
    find("previous").disabled = state.first === 0;
    find("next").disabled = last >= shown.length;
    find("previous").parentElement.hidden = shown.length <= PAGE;
  };

  const compare = (a, b) => {
    const [x, y] = [cell(a, state.key), cell(b, state.key)];
    if (x === null || y === null) return (x === null) - (y === null); // gaps last, either way
    const order = isNumeric(state.key) ? x - y : collator.compare(x, y);
    return state.direction * order;
  };
  const collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

  const update = () => {
    if (state.words.length && texts === null) {
      const told = ["name", "reason", "masked_by"];
      texts = new Map(
        data.rows.map((row) => [
          row,
          told.map((key) => visible(cell(row, key) ?? "")).join("\u0001").toLowerCase(),
        ]),
      );
    }
    shown = data.rows.filter(
      (row) =>
        (!state.kind || cell(row, "kind") === state.kind) &&
        state.words.every((word) => texts.get(row).includes(word)),
    );
    if (state.key) shown.sort(compare);
    state.first = 0;
    draw(PAGE);
  };

  const sortBy = (th) => {
    const key = th.dataset.key;
    const falling = ["score", "chosen_in"].includes(key); // the best first
    if (state.key !== key) Object.assign(state, { key, direction: falling ? -1 : 1 });
    else if (state.direction === (falling ? -1 : 1)) state.direction = -state.direction;
    else state.key = ""; // the third time: as it was
    for (const other of headings) other.removeAttribute("aria-sort");
    if (state.key) th.setAttribute("aria-sort", state.direction > 0 ? "ascending" : "descending");
    update();
  };
  for (const th of headings) {
    const button = element("button", "", th.textContent.trim());
    button.type = "button";
    button.addEventListener("click", () => sortBy(th));
    th.replaceChildren(button);
  }

  let waiting = 0;
  find("search").addEventListener("input", (event) => {
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      state.words = event.target.value.toLowerCase().split(/\s+/).filter(Boolean);
      update();
    }, 120);
  });
  const filters = [...document.querySelectorAll("[data-kind]")];
  for (const button of filters) {
    button.addEventListener("click", () => {
      state.kind = button.dataset.kind;
      for (const other of filters) other.setAttribute("aria-pressed", String(other === button));
      update();
    });
  }
  const turn = (by) => {
    state.first += by * PAGE;
    draw(PAGE);
    find("verdicts").scrollIntoView({ block: "start" });
  };
  find("previous").addEventListener("click", () => turn(-1));
  find("next").addEventListener("click", () => turn(1));

  // A spreadsheet would run a cell that begins so as a formula.
  const quoted = (value) => {
    let text = value === null ? "" : String(value);
    if (typeof value === "string" && /^[=+\-@\t\r]/.test(text)) text = "'" + text;
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const asCsv = () =>
    [data.fields, ...shown.map((row) => data.fields.map((key) => cell(row, key)))]
      .map((line) => line.map(quoted).join(","))
      .join("\r\n") + "\r\n";
  find("export").addEventListener("click", () => {
    const link = element("a");
    link.href = URL.createObjectURL(new Blob(["\ufeff", asCsv()], { type: "text/csv" }));
    link.download = "verdicts.csv";
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  });

  // JSON strings are Python strings too, once invisible characters are escaped.
  const asPython = (text) =>
    JSON.stringify(text).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (c) =>
      "\\U" + c.codePointAt(0).toString(16).padStart(8, "0"));
  const copy = async () => {
    const names = data.rows.filter((row) => SELECTED.includes(cell(row, "kind")));
    const list = `[${names.map((row) => asPython(cell(row, "name"))).join(", ")}]`;
    let done = true;
    try {
      await navigator.clipboard.writeText(list);
    } catch {
      const field = element("textarea", "", list); // older browsers, and pages without the right
      document.body.append(field);
      field.select();
      done = document.execCommand("copy");
      field.remove();
    }
    find("copied").textContent = done ? "Copied." : "The browser does not allow it.";
  };
  find("copy")?.addEventListener("click", copy);

  const details = [...document.querySelectorAll("details")];
  let closed = [];
  addEventListener("beforeprint", () => {
    closed = details.filter((own) => !own.open);
    for (const own of closed) own.open = true;
    draw(PRINTED);
  });
  addEventListener("afterprint", () => {
    for (const own of closed) own.open = false;
    draw(PAGE);
  });
  document.documentElement.classList.add("js");
  draw(PAGE);
})();
