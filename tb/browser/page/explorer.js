"use strict";
// The page: its state, what the model says of it, and what is drawn.

let ask, unzstd, state, answer, operands;
const editors = [];
const nothing_chosen = {at: "", d: "", by: "", zeros: false, all: false, bits: ""};
const zeros_shown = () => state.zeros;

function say(text, is_wrong) {
  by_id("said").textContent = is_wrong ? "" : text;
  by_id("message").textContent = is_wrong ? text : "";
  by_id("message").hidden = !is_wrong;
}

// Part of what the address holds, and nothing that the model is asked.
function note(changes) {
  state = {...state, ...changes};
  history.replaceState(null, "", address_of(state));
}

function change(changes) {
  note(changes);
  render();
}

const change_unit = (i, unit) => change({units: state.units.map((u, at) => at === i ? unit : u), at: "", d: i === 0 ? "" : state.d});

// --- units ---

function unit_box(i) {
  const box = by_id(`unit${i + 1}`);
  const which = i === 0 ? "Shown" : "Beside it";
  const instruction = el("input", {class: "instruction", id: `instruction${i + 1}`, list: "instructions", autocomplete: "off", spellcheck: "false",
    placeholder: "ARCHITECTURE:INSTRUCTION", onchange: event => choose_instruction(i, event.target.value.trim())});
  editors[i] = new DatapathEditor(`${which}: datapath file`, text => change_unit(i, {text}));
  editors[i].element.id = `editor${i + 1}`;
  box.append(el("label", {}, "Instruction", instruction),
    el("p", {class: "control"},
      el("button", {type: "button", id: `edit${i + 1}`, onclick: () => edit(i)}, "Edit as a file"), " ",
      i === 0 ? el("button", {type: "button", id: "copy-beside", onclick: () => beside()}, "Put the same beside") :
        el("button", {type: "button", id: "remove", onclick: () => change({units: state.units.slice(0, 1)})}, "Take away")),
    editors[i].element,
    el("ul", {class: "errors", id: `errors${i + 1}`, role: "alert"}));
}

function choose_instruction(i, name) {
  const units = state.units.slice();
  if (name === "" && i === 1) return change({units: units.slice(0, 1)});
  units[i] = {instruction: name};
  change({units, at: "", d: i === 0 ? "" : state.d});
}

function edit(i) {
  if (!state.units[i] || state.units[i].text !== undefined) return;
  const read = ask({ask: "text", unit: state.units[i]});
  if (read.error) return say(read.error, true);
  change_unit(i, {text: read.text});
  editors[i].focus();
}

function beside() { change({units: [state.units[0], {...state.units[0], words: {...state.units[0].words}}]}); }

// "datapath.yaml:12: adders[0]: .." as the line and the sentence.
function line_of(sentence) {
  const found = /^datapath\.yaml:(\d+): (.*)$/s.exec(sentence);
  return found ? {line: Number(found[1]), sentence: found[2]} : {line: 0, sentence};
}

function show_unit(i) {
  const unit = state.units[i], input = by_id(`instruction${i + 1}`);
  if (input !== document.activeElement) input.value = unit?.instruction ?? "";
  const problem = unit && unit_problem(unit);
  const errors = (problem || "").split("\n").filter(Boolean).map(line_of);
  input.setAttribute("aria-invalid", Boolean(problem) && unit.text === undefined);
  put(by_id(`errors${i + 1}`), errors.map(({line, sentence}) => el("li", {},
    line ? el("button", {type: "button", onclick: () => editors[i].choose_line(line)}, `Line ${line}`) : "", line ? ": " : "", sentence)));
  editors[i].show(unit?.text, errors);
  by_id(`edit${i + 1}`).disabled = !unit || unit.text !== undefined;
  if (i === 1) by_id("remove").disabled = !unit;
}

function unit_problem(unit) { return ask({ask: "text", unit}).error; }

// --- the whole ---

// A state that an address, or the page, has begun with; what it holds and nothing takes is said beside what is wrong.
function arrive(wanted, address) {
  state = {...nothing_chosen, ...wanted};
  const is_shown = render();
  const [unit] = is_shown ? answer.units : [];
  const unused = unused_in(address, unit?.operands, unit && sites_of(unit.explanation));
  if (unused.length) say([by_id("message").textContent, ...unused].filter(Boolean).join(" "), true);
}

// Whether the state is what is shown.
function render() {
  for (const i of [0, 1]) show_unit(i);
  by_id("zeros").checked = state.zeros;
  by_id("all-terms").setAttribute("aria-pressed", state.all);
  const wanted = {ask: "explain", units: state.units, operands: state.operands, ...(state.d ? {d: state.d} : {})};
  let got = ask(wanted);
  // A second unit that is wrong or takes other operands leaves the first one to be looked at.
  const problem = got.error;
  if (problem && state.units.length === 2) got = ask({...wanted, units: state.units.slice(0, 1)});
  if (got.error) {
    if (unit_problem(state.units[0])) say("What is below is of the unit before: this one cannot be built.", true);
    else say(got.error, true);
    return false;
  }
  if (problem && !unit_problem(state.units[1])) say(problem, true);
  else if (!by_id("message").hidden) say("");
  answer = got;
  operands.show(answer.units[0].operands, state.all, state.bits);
  show_keeps();
  show_result();
  show_sites();
  show_sums();
  show_products();
  show_differences();
  show_budget();
  show_command();
  return true;
}

// --- F: how many bits are kept ---

function show_keeps() {
  const sliders = answer.units.flatMap((unit, i) => {
    const groups = new Map();
    for (const keep of unit.keeps) groups.set(keep.adder, [...(groups.get(keep.adder) || []), keep]);
    return [...groups].map(([adder, keeps]) => ({i, adder, keeps}));
  });
  const shape = JSON.stringify(sliders.map(s => [s.i, s.adder, s.keeps.map(k => k.key)]));
  const place = by_id("keeps");
  if (place.dataset.shape !== shape) {
    place.dataset.shape = shape;
    put(place, sliders.map(({i, adder, keeps}) => {
      const most = Math.ceil(Math.max(...keeps.map(k => k.keep + 1)) / 64) * 64;
      const name = answer.units.length === 2 ? `${adder}, ${i === 0 ? "shown" : "beside"}` : adder;
      return el("p", {class: "control"}, el("label", {}, `Bits kept in ${name}: `,
        el("input", {type: "range", min: 0, max: most, id: `keep-${i}-${adder}`, oninput: event => keep_bits(i, keeps, event.target.value)})),
        " ", el("output", {id: `kept-${i}-${adder}`}));
    }));
  }
  for (const {i, adder, keeps} of sliders) {
    const all = keeps.map(k => k.keep);
    const kept = new Set(all).size === 1 ? `F = ${all[0]}` : keeps.map(k => `${k.input} ${k.keep}`).join(", ");
    by_id(`keep-${i}-${adder}`).value = all[0];
    by_id(`keep-${i}-${adder}`).setAttribute("aria-valuetext", `${kept}, d = ${answer.units[i].explanation.d}`);
    by_id(`kept-${i}-${adder}`).textContent = kept;
  }
}

function keep_bits(i, keeps, value) {
  const unit = state.units[i];
  const words = {...unit.words};
  for (const keep of keeps) words[keep.key] = String(value);
  change({units: state.units.map((u, at) => at === i ? {...unit, words} : u)});
}

// --- what comes out ---

function grouped(unit, code) {
  const bits = to_bits(code, unit.d_format.bits);
  let at = 0;
  return unit.d_format.fields.map(field => bits.slice(at, at += field.width)).join("|");
}

function show_result() {
  const [first] = answer.units, exact = first.explanation.exact;
  const row = (name, cells) => el("tr", {}, el("th", {scope: "row", class: "word"}, name), cells.map(cell => el("td", {class: "word"}, cell ?? "")));
  const number = n => n === undefined ? "" : n.value ? n.value.decimal : n.class === "nan" ? "NaN" : `${n.negative ? "−" : "+"}inf`;
  const results = answer.units.map((unit, i) => row(answer.units.length === 2 ? (i === 0 ? "d, shown" : "d, beside") : "d",
    [unit.explanation.d, grouped(unit, unit.explanation.d), number(unit.explanation.result.number), unit.explanation.result.error?.ulps ?? "none"]));
  const rows = [...results, row("exact sum", ["", "", number(exact.sum), ""])];
  if (exact.nearest) rows.push(row("nearest to it", [exact.nearest, grouped(first, exact.nearest), "", ""]));
  const {recorded} = answer;
  if (recorded) rows.push(row(state.by || "recorded", recorded.error ? [state.d, "", "", ""] : [recorded.code, grouped(first, recorded.code), recorded.value, ""]));
  put(by_id("result").tHead, el("tr", {}, ["", "code", "bits", "value", "error in ulp"].map(name => el("th", {scope: "col", class: "word"}, name))));
  put(by_id("result").tBodies[0], rows);
  let parting = "";
  if (answer.differences) {
    parting = answer.differences.length === 0 ? "The two hold the same at every place that both have." : `The two part first at ${answer.differences[0].place}.`;
    if (answer.units[0].explanation.d === answer.units[1].explanation.d) parting += " Their d is the same.";
  }
  by_id("parting").textContent = parting + recorded_words(first.explanation);
}

// How the d that something else gave stands to the model's.
function recorded_words({d, result}) {
  const {recorded} = answer, who = state.by ? `${state.by} has d =` : "The recorded d is";
  if (!recorded || recorded.code === d) return "";
  if (recorded.error) return ` ${who} ${state.d}, which is no code: ${recorded.error}`;
  const is_nan = recorded.value === "NaN" && result.number.class === "nan";
  return ` ${who} ${recorded.code}, ${is_nan ? "another NaN than the model's" : "which is not the model's"}.`;
}

// --- adders ---

const sites_of = explanation => explanation.places.filter(p => p.stage === "reduce").map(p => p.place.slice(0, -".reduce".length));

function current_site() {
  const sites = sites_of(answer.units[0].explanation);
  if (sites.includes(state.at)) return state.at;
  const parted = answer.differences?.map(d => sites.find(site => d.place.startsWith(site + "."))).find(Boolean);
  if (parted) return parted;
  const busy = site => answer.units[0].explanation.places.some(p => p.place.startsWith(site + ".align") && p.value && !is_zero(p.value));
  return sites.find(busy) || sites[0];
}

function show_sites() {
  const sites = sites_of(answer.units[0].explanation), select = by_id("site");
  const parted = new Set((answer.differences || []).map(d => sites.find(site => d.place.startsWith(site + "."))));
  put(select, sites.map(site => el("option", {value: site}, site + (parted.has(site) ? " (they part)" : ""))));
  select.value = current_site();
  by_id("before").disabled = select.selectedIndex <= 0;
  by_id("after").disabled = select.selectedIndex >= sites.length - 1;
}

function step_by(by) {
  const sites = sites_of(answer.units[0].explanation);
  change({at: sites[sites.indexOf(current_site()) + by]});
}

function grid_row(row, layout, pieces, point) {
  const parts = new Set((answer.differences || []).map(d => d.place)).has(row.place);
  const bits = el("td", {class: "bits"});
  let run = null;
  const add = (text, kind) => {
    if (run && run.className === kind) run.textContent += text;
    else bits.append(run = el("span", kind ? {class: kind} : {}, text));
  };
  for (const piece of pieces) {
    if (piece.folded) {
      const bit = row.text[piece.from] ?? " ";
      const count = String(piece.to - piece.from);
      add(bit === " " ? " ".repeat(count.length + 4) : `[${bit}×${count}]`.padEnd(count.length + 4), row.is_cut[piece.from] ? "cut" : "");
    } else {
      for (let at = piece.from; at < piece.to; ++at) {
        add(row.text[at] ?? " ", row.is_cut[at] ? "cut" : "");
        if (at === point) add(row.text[at] === " " && row.text[at + 1] === " " || row.text.length === 0 ? " " : ".", "point");
      }
    }
  }
  return el("tr", {class: [row.total ? "total" : "", parts ? "parts" : ""].join(" ").trim()}, el("th", {scope: "row"}, row.name), el("td", {}, row.sign), bits, el("td", {class: "note"}, row.note + (parts ? " (differs)" : "")));
}

// What NaNs and infinities of its step decide, whatever the sum is.
function decided(unit, site) {
  const step = site.match(/^.*step\[\d+\]/)?.[0];
  const special = unit.explanation.places.find(p => p.place === `${step}.special`);
  return !special || special.outcome === "none" ? null
    : el("p", {class: "warning"}, `NaNs and infinities decide what ${step} leaves: ${special.outcome === "nan" ? "NaN" : special.outcome}. The sum below does not count.`);
}

// Of two units which one, too: both may be called datapath.yaml.
const name_of = i => answer.units.length === 2 ? `${i === 0 ? "shown" : "beside it"}: ${answer.units[i].name}` : answer.units[i].name;

function sum_picture(unit, i, site) {
  const layout = sum_layout(unit.explanation.places, site);
  const rows = layout.rows.filter(row => zeros_shown() || !row.zero), hidden = layout.rows.length - rows.length;
  const pieces = pieces_of(rows.filter(row => row.text.length), layout.columns);
  const point = layout.window ? layout.top - layout.window.exponent : -1;
  const holders = layout.window ? `window 2^${layout.window.exponent}, ${layout.window.label}` : "";
  return el("div", {class: "sum"}, el("h3", {}, answer.units.length === 2 ? `${site}, ${name_of(i)}` : site),
    el("p", {class: "note"}, `${holders}; the point stands behind 2^${layout.window?.exponent}` + (hidden ? `; ${hidden} ${hidden === 1 ? "addend is" : "addends are"} zero and left out` : "")),
    decided(unit, site),
    el("div", {class: "box", tabindex: "0", role: "region", "aria-label": `${site}, bit by bit`},
      el("table", {}, el("tbody", {}, rows.map(row => grid_row(row, layout, pieces, point))))));
}

function show_sums() {
  const site = current_site();
  put(by_id("sums"), answer.units.map((unit, i) => site && sites_of(unit.explanation).includes(site) ? sum_picture(unit, i, site)
    : el("p", {}, site ? `${unit.name} has no ${site}.` : "This unit has no sum.")));
}

// --- the tables below ---

function show_products() {
  const {places} = answer.units[0].explanation;
  const at = new Map(places.map(p => [p.place, p]));
  const [a, b] = ["a", "b"].map(name => answer.units[0].operands.find(list => list.name === name));
  const number = p => !p ? "" : p.value ? p.value.decimal : p.class === "nan" ? "NaN" : `${p.negative ? "−" : "+"}inf`;
  const exponent = p => p?.value ? `2^${p.exponent} ${significand(p)}` : "";
  const significand = p => p?.fields?.find(f => f.name === "significand")?.bits ?? "";
  const is_plain = i => a.codes[i] === a.zero && b.codes[i] === b.zero;
  const rows = a.codes.map((_, i) => i).filter(i => zeros_shown() || !is_plain(i)).map(i => {
    const [pa, pb, product] = [at.get(`decode.a[${i}]`), at.get(`decode.b[${i}]`), at.get(`multiply[${i}]`)];
    return el("tr", {}, el("th", {scope: "row"}, `${i}`), [number(pa), exponent(pa), number(pb), exponent(pb), number(product), exponent(product)].map(text => el("td", {class: "word"}, text)));
  });
  put(by_id("products").tHead, el("tr", {}, ["term", "a", "exponent, significand", "b", "exponent, significand", "a × b", "exponent, significand"].map(name => el("th", {scope: "col", class: "word"}, name))));
  put(by_id("products").tBodies[0], rows.length ? rows : el("tr", {}, el("td", {colspan: 7, class: "word"}, "Every a and b is zero.")));
}

// The characters of one that the other has not, marked.
function marked(one, other) {
  const parts = [];
  [...one].forEach((character, i) => {
    const differs = character !== other[i], last = parts[parts.length - 1];
    if (last && last.differs === differs) last.text += character;
    else parts.push({differs, text: character});
  });
  return parts.map(part => part.differs ? el("span", {class: "differs"}, part.text) : part.text);
}

function show_differences() {
  by_id("differences-section").hidden = !answer.differences?.length;
  put(by_id("differences").tHead, el("tr", {}, ["place", "shown", "beside"].map(name => el("th", {scope: "col", class: "word"}, name))));
  put(by_id("differences").tBodies[0], (answer.differences || []).map(d => el("tr", {}, el("th", {scope: "row", class: "word"}, d.place),
    el("td", {class: "word"}, marked(d.first, d.second)), el("td", {class: "word"}, marked(d.second, d.first)))));
}

function show_budget() {
  put(by_id("budget"), answer.units.map((unit, i) => {
    const {budget} = unit.explanation, name = answer.units.length === 2 ? el("h3", {}, name_of(i)) : null;
    if (budget.none) return [name, el("p", {}, budget.none[0].toUpperCase() + budget.none.slice(1) + ".")];
    if (budget.parts.length === 0) return [name, el("p", {}, "d is the exact sum.")];
    const forecasts = budget.forecasts.map(f => el("li", {}, `${f.key}: ${f.value} (${f.words}): error ${f.measured?.ulps ?? f.predicted.ulps} ulp`));
    return [name, el("div", {class: "box", tabindex: "0", role: "region", "aria-label": "parts of the error"}, el("table", {}, el("thead", {}, el("tr", {}, ["place", "what", "ulp"].map(t => el("th", {scope: "col", class: "word"}, t)))),
      el("tbody", {}, budget.parts.map(part => el("tr", {}, el("th", {scope: "row", class: "word"}, part.place), el("td", {class: "word"}, part.words), el("td", {class: "word"}, part.error.ulps)))))),
    forecasts.length ? [el("p", {}, "With one word changed:"), el("ul", {}, forecasts)] : null].flat();
  }).flat());
}

const word = text => /^[\w\-./:=,@%+]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

function show_command() {
  const own = unit => unit.text !== undefined || Object.keys(unit.words || {}).length > 0;
  const [unit, other] = state.units;
  const subject = own(unit) ? "--datapath datapath.yaml" : `--instruction ${unit.instruction}`;
  const option = {a: "--a", b: "--b", c: "--c", scale_a: "--scale-a", scale_b: "--scale-b"};
  const given = answer.units[0].operands.map(list => {
    const codes = shortened(list.codes, list.zero).join(",");
    if (option[list.name]) return `${option[list.name]} ${codes}`;
    return state.operands[list.name] ? `--operand ${list.name}=${codes}` : "";
  }).filter(Boolean);
  const device = other ? ` --device ${word(own(other) ? "model:beside.yaml" : "model:" + other.instruction)}` : "";
  const files = state.units.map((u, i) => own(u) ? [`# ${i === 0 ? "datapath" : "beside"}.yaml`, ...ask({ask: "text", unit: u}).text?.trimEnd().split("\n").map(line => "#   " + line) ?? []] : []).flat();
  by_id("command").textContent = [...files, `assay explain ${subject} ${given.join(" ")}${device}`].join("\n");
}

// --- vector files ---

// What packed a file is told by its first bytes, as elsewhere.
async function unpacked_file(packed) {
  const begins = (...bytes) => bytes.every((byte, i) => packed[i] === byte);
  if (begins(0x1f, 0x8b)) return gunzip_members(packed);
  if (!begins(0x28, 0xb5, 0x2f, 0xfd)) return packed;
  const bytes = unzstd(packed);
  if (!bytes) throw new Error("damaged");
  return bytes;
}

// With a byte order mark where it begins with one, which the model says something of.
async function text_of(file) {
  return new TextDecoder("utf-8", {ignoreBOM: true}).decode(await unpacked_file(new Uint8Array(await file.arrayBuffer())));
}

// What was held to the model, and what came of it.
function verdict_on(got) {
  const all = `${got.cases} cases` + (got.matrices ? `, ${got.sums} dot products` : "");
  const nan = got.nan === "any" ? " One NaN is as good as another." : "";
  if (got.sums === got.without_d) return `${all}; ${got.sums ? "none has a d" : "there is none"}, and nothing was held to the model.`;
  if (got.without_d === 0) return `${all}; ${got.differ} of them have another d than the model gives.${nan}`;
  return `${all}; ${got.differ} of the ${got.sums - got.without_d} with a d have another than the model gives.${nan} ${got.without_d} without one are not held to it.`;
}

async function open_vectors(file) {
  const place = by_id("vectors");
  let text;
  try { text = await text_of(file); } catch { return put(place, el("p", {class: "warning"}, `${file.name} cannot be unpacked: it is damaged, or ends too early.`)); }
  const got = ask({ask: "vectors", text, name: file.name});
  if (got.error) return put(place, el("p", {class: "warning"}, got.error.startsWith(file.name) ? got.error : `${file.name}: ${got.error}`));
  const lines = text.split("\n");
  const open = (line, element) => {
    const one = ask({ask: "case", header: lines[0], line: lines[line - 1], ...(element ? {element} : {})});
    if (one.error) return say(`${file.name}:${line}: ${one.error}`, true);
    change({units: [one.unit], operands: one.operands, at: "", d: one.d || "", by: ""});
    say(`Line ${line} of ${file.name}${element ? `, element [${element}]` : ""}` +
      (one.instructions > 1 ? `: the last of ${one.instructions} instructions along K; its c is what the model has before it.` : "."));
    by_id("h-unit").scrollIntoView();
  };
  const number = el("input", {type: "number", min: 2, max: lines.length, value: got.listed[0]?.line ?? 2, id: "line", "aria-label": "line of the file"});
  const element = el("input", {id: "element", value: got.listed[0]?.element?.join(",") ?? "0,0", "aria-label": "row and column of the element"});
  const element_of = () => got.matrices ? element.value.split(",").map(Number) : undefined;
  put(place, el("p", {}, `${file.name}, ${got.name}: ${verdict_on(got)}`),
    got.warning ? el("p", {class: "warning"}, got.warning) : null,
    el("p", {}, el("label", {}, "Line ", number), " ", got.matrices ? [el("label", {}, "Element ", element), " "] : "",
      el("button", {type: "button", id: "open-line", onclick: () => open(Number(number.value), element_of())}, "Show it")),
    got.listed.length ? el("div", {class: "box", tabindex: "0", role: "region", "aria-label": "cases that differ"}, el("table", {},
      el("thead", {}, el("tr", {}, ["line", "recorded", "model"].map(t => el("th", {scope: "col", class: "word"}, t)))),
      el("tbody", {}, got.listed.map(d => el("tr", {}, el("td", {class: "word"}, el("button", {type: "button", onclick: () => open(d.line, d.element)}, `${d.line}${d.element ? ` [${d.element}]` : ""}`)),
        el("td", {class: "word"}, d.recorded), el("td", {class: "word"}, d.model)))))) : null);
}

// --- once ---

function listen() {
  by_id("before").addEventListener("click", () => step_by(-1));
  by_id("after").addEventListener("click", () => step_by(1));
  by_id("site").addEventListener("change", event => change({at: event.target.value}));
  by_id("zeros").addEventListener("change", event => change({zeros: event.target.checked}));
  by_id("all-terms").addEventListener("click", () => change({all: !state.all}));
  by_id("clear").addEventListener("click", () => change({operands: {}, d: ""}));
  by_id("copy").addEventListener("click", async () => {
    try { await navigator.clipboard.writeText(location.href); say("The link is copied."); } catch { say("Copying is not allowed here; the address of this page is the link."); }
  });
  by_id("theme").addEventListener("click", () => {
    const dark = getComputedStyle(document.documentElement).colorScheme === "dark" || (!document.documentElement.dataset.theme && matchMedia("(prefers-color-scheme: dark)").matches);
    document.documentElement.dataset.theme = dark ? "light" : "dark";
    by_id("theme").textContent = dark ? "Dark" : "Light";
  });
  if (matchMedia("(prefers-color-scheme: dark)").matches) by_id("theme").textContent = "Light";
  by_id("file").addEventListener("click", event => { event.target.value = ""; });  // the same file may be chosen again, changed
  by_id("file").addEventListener("change", event => event.target.files[0] && open_vectors(event.target.files[0]));
  const drop = by_id("drop");
  document.addEventListener("dragover", event => { event.preventDefault(); drop.classList.add("over"); });
  document.addEventListener("dragleave", () => drop.classList.remove("over"));
  document.addEventListener("drop", event => {
    event.preventDefault();
    drop.classList.remove("over");
    if (event.dataTransfer.files[0]) open_vectors(event.dataTransfer.files[0]);
  });
  addEventListener("hashchange", () => {
    const wanted = state_of(location.hash);
    document.activeElement?.blur();  // so that no field keeps what was typed for the state before
    arrive(wanted || state, location.hash);
    if (wanted) by_id("h-unit").scrollIntoView();
  });
}

async function main() {
  try {
    ({ask, unzstd} = await start_engine(by_id("engine").textContent, JSON.parse(by_id("configs").textContent)));
  } catch (error) {
    return say(`This browser cannot run the model: ${error.message}. It needs WebAssembly with exceptions: Chromium 95, Firefox 113, Safari 16.4 or newer.`, true);
  }
  const names = ask({ask: "list"}).architectures.flatMap(a => a.instructions.map(i => `${a.name}:${i}`));
  put(by_id("instructions"), names.map(name => el("option", {value: name})));
  operands = new OperandTable({
    set: (name, i, code) => {
      const list = answer.units[0].operands.find(one => one.name === name), codes = list.codes.slice();
      codes[i] = code;
      change({operands: {...state.operands, [name]: shortened(codes, list.zero)}, d: ""});
    },
    read: (name, text) => ask({ask: "read", unit: state.units[0], operand: name, text}),
    chosen: id => note({bits: id}),
    say,
  });
  for (const i of [0, 1]) unit_box(i);
  listen();
  arrive(state_of(location.hash) || {operands: {}, ...JSON.parse(by_id("case").textContent)}, location.hash);
  document.body.dataset.ready = String(Math.round(performance.now()));
}

main();
