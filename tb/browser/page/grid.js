"use strict";
// Numbers as bits in columns of falling weight. A value is {significand, quantum}: significand x 2^quantum.

const magnitude = value => { const all = BigInt(value.significand); return all < 0n ? -all : all; };
const is_zero = value => value.significand === "0";
const top_of = value => magnitude(value).toString(2).length - 1 + value.quantum;

// The bits of |value| from 2^top down to 2^bottom.
function bits_of(value, top, bottom) {
  if (top < bottom) return "";
  const by = BigInt(value.quantum - bottom);
  const units = by >= 0n ? magnitude(value) << by : magnitude(value) >> -by;
  return (units & ((1n << BigInt(top - bottom + 1)) - 1n)).toString(2).padStart(top - bottom + 1, "0");
}

const count_of = bits => bits === 1 ? "1 bit" : `${bits} bits`;

const least_fold = 13;

// Columns in which every row repeats the bit before it are folded: [{from, to, folded}], from the left.
function pieces_of(rows, columns) {
  const repeats = at => at > 0 && rows.every(row => row.text[at] === row.text[at - 1] && row.is_cut[at] === row.is_cut[at - 1]);
  const pieces = [];
  let from = 0;
  for (let at = 0; at < columns; at = Math.max(at, from)) {
    let end = at + 1;
    while (end < columns && repeats(end)) ++end;
    if (end - at >= least_fold && columns > 90) {
      if (at > from) pieces.push({from, to: at, folded: false});
      pieces.push({from: at, to: end, folded: true});
      from = end;
    }
    at = end;
  }
  if (from < columns) pieces.push({from, to: columns, folded: false});
  return pieces;
}

// One sum, laid out: rows of {name, sign, text, is_cut, note, total}; text has a character for each column, blank where
// the number has no bit.
function sum_layout(places, site) {
  const own = places.filter(p => p.place.startsWith(site + "."));
  const window = own.find(p => p.stage === "window");
  const addends = own.filter(p => p.stage === "align");
  const reduce = own.find(p => p.stage === "reduce");
  const rounds = own.filter(p => p.stage === "round" || p.stage === "scale");
  const rounded = own.find(p => p.stage === "round" && p.value);
  const spans = [];
  const span = (top, bottom) => spans.push({top, bottom});
  for (const p of [...addends, reduce]) if (p.value) span(p.grid + p.width - 2, p.grid);
  for (const p of addends) if (p.cut) span(p.cut_at - 1, p.cut_at - p.cut.length);
  for (const p of rounds) if (p.value && !is_zero(p.value)) span(top_of(p.value), p.value.quantum);
  if (spans.length === 0) return {window, rows: [], columns: 0, top: 0};
  const top = Math.max(...spans.map(s => s.top)), bottom = Math.min(...spans.map(s => s.bottom));
  const columns = top - bottom + 1;
  const row = (name, place, from, to, cut_below, cut_bits, note) => {
    const text = [], is_cut = [];
    const kept = bits_of(place.value, from, to);
    for (let weight = top; weight >= bottom; --weight) {
      const in_kept = weight <= from && weight >= to;
      const cut = cut_bits ? cut_bits[cut_below - 1 - weight] : undefined;
      text.push(in_kept ? kept[from - weight] : cut === undefined ? " " : cut);
      is_cut.push(in_kept ? weight < cut_below && !cut_bits : cut !== undefined);
    }
    return {name, sign: place.value.significand.startsWith("-") ? "−" : "+", text, is_cut, note, place: place.place};
  };
  const rows = addends.filter(p => p.value).map(p => ({
    ...row(p.place.slice(site.length + 1), p, p.grid + p.width - 2, p.grid, p.cut_at ?? p.grid, p.cut || null,
      p.label + (p.dropped ? ", dropped whole" : p.cut ? `; ${count_of(p.cut.length)} cut off` : "")),
    zero: is_zero(p.value) && !p.cut && is_zero(p.item || p.value)}));
  const last_kept = rounded && rounded.class === "finite" && !is_zero(rounded.value)
    ? rounded.exponent - (rounded.fields.find(f => f.name === "significand").width - 1) : undefined;
  if (reduce && reduce.value) {
    const rounded_off = last_kept === undefined ? 0 : Math.max(0, last_kept - reduce.grid);
    rows.push({...row("reduce", reduce, reduce.grid + reduce.width - 2 - (reduce.sticky === undefined ? 0 : 1), reduce.grid,
      last_kept === undefined ? -Infinity : last_kept, null, "sum" + (reduce.sticky ? ", and ones were cut off (sticky)" : "") + (rounded_off ? `; ${count_of(rounded_off)} rounded away` : "")), total: true});
  }
  for (const p of rounds) {
    const name = p.place.slice(site.length + 1);
    if (p.value && !is_zero(p.value)) {
      const width = p.fields.find(f => f.name === "significand").width;
      const end = Math.min(p.value.quantum, Math.max(bottom, p.exponent - (width - 1)));
      rows.push({...row(name, p, top_of(p.value), end, -Infinity, null, `${p.label}: ${p.value.decimal}`), total: p.stage === "round"});
    } else {
      rows.push({name, sign: "", text: [], is_cut: [], total: true, place: p.place, note: p.value ? `${p.label}: ${p.negative ? "−0" : "+0"}` : `${p.label}: ${p.class}`});
    }
  }
  return {window, rows, columns, top};
}
