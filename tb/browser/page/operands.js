"use strict";
// The table of operands, and the bits of the one that is chosen.

// An element with attributes, listeners (on..) and children.
function el(name, attributes, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (value !== false && value !== undefined && value !== null) element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.flat().filter(child => child !== null && child !== undefined));
  return element;
}

const by_id = id => document.getElementById(id);
const put = (element, ...children) => element.replaceChildren(...children.flat().filter(child => child !== null));

// The name of one code: a[3]; c alone.
const code_name = (list, i) => list.codes.length === 1 ? list.name : `${list.name}[${i}]`;

const to_bits = (code, width) => BigInt("0x" + code).toString(2).padStart(width, "0");
const to_code = (bits, digits) => BigInt("0b" + bits).toString(16).padStart(digits, "0");

// How many rows say something: up to the last code that is not zero, and one more.
function used_rows(lists) {
  let used = 0;
  for (const list of lists) if (list.codes.length > 1 && ["a", "b"].includes(list.name)) used = Math.max(used, shortened(list.codes, list.zero).length);
  return used + 1;
}

class OperandTable {
  // set(name, index, code): a code was changed; read(name, text): the code of a text, or {error}; chosen("a[3]"): its
  // bits are shown.
  constructor({set, read, chosen, say}) {
    Object.assign(this, {set, read, tell_chosen: chosen, say, lists: [], chosen: null, shape: ""});
  }

  // `all`: every term; `bits`: the code whose bits are shown, "a[3]", or "".
  show(lists, all, bits) {
    this.lists = lists;
    this.chosen = chosen_of(bits);
    const rows = Math.min(Math.max(...lists.map(list => list.codes.length)), all ? Infinity : Math.max(used_rows(lists), 4));
    const shape = JSON.stringify([rows, lists.map(list => [list.name, list.format, list.codes.length])]);
    if (shape !== this.shape) this.build(rows);
    this.shape = shape;
    for (const list of lists) {
      for (let i = 0; i < Math.min(list.codes.length, rows); ++i) {
        const input = by_id(`${list.name}-${i}`);
        if (input !== document.activeElement || !input.dataset.typing) input.value = list.codes[i];
        by_id(`${list.name}-${i}-value`).textContent = list.values[i];
      }
    }
    this.show_bits();
  }

  build(rows) {
    const table = by_id("operands");
    const had = document.activeElement?.id;
    put(table.tHead, el("tr", {}, el("th", {scope: "col"}, "term"), this.lists.map(list => el("th", {scope: "col", class: "word"}, `${list.name}: ${list.format.name}`))));
    put(table.tBodies[0], Array.from({length: rows}, (_, i) => el("tr", {}, el("th", {scope: "row"}, `${i}`),
      this.lists.map(list => el("td", {class: "word"}, i < list.codes.length ? this.cell(list, i) : "")))));
    if (had) by_id(had)?.focus();
  }

  cell(list, i) {
    const name = code_name(list, i), id = `${list.name}-${i}`;
    return [el("input", {id, "aria-label": `${name}, ${list.format.name}`, "aria-describedby": `${id}-value`, autocomplete: "off", spellcheck: "false",
      onfocus: () => this.choose(list.name, i),
      oninput: event => { event.target.dataset.typing = "1"; },
      onchange: event => this.typed(list.name, i, event.target),
      onkeydown: event => { if (event.key === "Enter") this.typed(list.name, i, event.target); }}),
    el("span", {class: "value", id: `${id}-value`})];
  }

  // A key and the change that follows it come here both; what was typed is read once.
  typed(name, i, input) {
    if (!input.dataset.typing) return;
    delete input.dataset.typing;
    const read = this.read(name, input.value.trim());
    input.classList.toggle("wrong", Boolean(read.error));
    input.setAttribute("aria-invalid", Boolean(read.error));
    if (read.error) return this.say(`${name}[${i}]: ${read.error}`, true);
    const list = this.list(name);
    if (read.rounded) this.say(`${input.value.trim()} is no number of ${list.format.name}; ${read.code} is the nearest.`);
    else this.say("");
    this.set(name, i, read.code);
  }

  list(name) { return this.lists.find(list => list.name === name); }

  choose(name, i) {
    this.chosen = {name, i};
    this.tell_chosen(`${name}[${i}]`);
    this.show_bits();
  }

  show_bits() {
    const {name, i} = this.chosen || {};
    const list = this.list(name), place = by_id("bits");
    place.hidden = !list || i >= list.codes.length;
    if (place.hidden) return;
    const bits = to_bits(list.codes[i], list.format.bits);
    const of = `${name}-${i}-${list.format.name}`;
    if (place.dataset.of !== of) {
      place.dataset.of = of;
      put(place, el("p", {class: "note", id: "bits-name", role: "status"}), this.code_cells(list));
    }
    by_id("bits-name").textContent = `${code_name(list, i)}: ${list.codes[i]}, ${list.values[i]}`;
    [...place.querySelectorAll(".cells button")].forEach((cell, at) => {
      cell.textContent = bits[at];
      cell.setAttribute("aria-pressed", bits[at] === "1");
    });
  }

  // Pressing a bit turns it; drawing over others makes them the same.
  code_cells(list) {
    let at = 0, painting = null;
    const cells = () => [...by_id("bits").querySelectorAll(".cells button")];
    const make = (index, bit) => {
      const {name, i} = this.chosen, format = this.list(name).format;
      const bits = [...to_bits(this.list(name).codes[i], format.bits)];
      if (bits[index] === bit) return;
      bits[index] = bit;
      this.set(name, i, to_code(bits.join(""), Math.ceil(format.bits / 4)));
    };
    const turn = cell => make(Number(cell.dataset.at), cell.textContent === "1" ? "0" : "1");
    const cell = name => {
      const index = at++;
      return el("button", {type: "button", "data-at": index, "aria-label": `${name}, bit ${list.format.bits - 1 - index}`, tabindex: index === 0 ? "0" : "-1",
        onpointerdown: event => {
          event.target.releasePointerCapture?.(event.pointerId);
          turn(event.target);
          painting = event.target.textContent;
        },
        onclick: event => { if (event.detail === 0) turn(event.target); },
        onkeydown: event => {
          const by = {ArrowLeft: -1, ArrowRight: 1}[event.key];
          const next = by && cells()[index + by];
          if (!next) return;
          event.preventDefault();
          event.target.tabIndex = -1;
          next.tabIndex = 0;
          next.focus();
        }});
    };
    return el("div", {class: "code", role: "group", "aria-labelledby": "bits-name",
      onpointermove: event => {
        if (painting === null) return;
        if (event.buttons === 0) { painting = null; return; }
        const over = document.elementFromPoint(event.clientX, event.clientY);
        if (over?.dataset?.at !== undefined && over.closest("#bits")) make(Number(over.dataset.at), painting);
      },
      onpointerup: () => { painting = null; }},
    list.format.fields.map(field => el("div", {class: "field"}, el("span", {}, field.name),
      el("div", {class: "cells"}, Array.from({length: field.width}, () => cell(field.name))))));
  }
}
