"use strict";
// What the page shows, as one value that the address holds:
//   units     [{instruction | text, words: {key: value}}], one or two
//   operands  {a: ["3c00", ..], ..}, what is zero at the end left out
//   at        the adder that is looked at; d: what a vector file recorded, or `by` a device
//   zeros, all  whether addends and products that are zero are shown, and every term; bits: of which code, "a[3]"

const listed = words => Object.entries(words || {}).map(([key, value]) => `${key}=${value}`).join(",");

const words_of = text => Object.fromEntries((text || "").split(",").filter(Boolean).map(word => {
  const end = word.indexOf("=");
  return [word.slice(0, end), word.slice(end + 1)];
}));

function address_of(state) {
  const all = new URLSearchParams();
  state.units.forEach((unit, i) => {
    const which = i === 0 ? "" : "2";
    if (unit.text !== undefined) all.set("text" + which, unit.text);
    else all.set("unit" + which, unit.instruction);
    if (listed(unit.words)) all.set("words" + which, listed(unit.words));
  });
  for (const [name, codes] of Object.entries(state.operands)) all.set(name, codes.join(","));
  if (state.at) all.set("at", state.at);
  if (state.d) all.set("d", state.d);
  if (state.d && state.by) all.set("by", state.by);
  if (state.zeros) all.set("zeros", "1");
  if (state.all) all.set("terms", "all");
  if (state.bits) all.set("bits", state.bits);
  return "#" + all.toString().replaceAll("%3A", ":").replaceAll("%2C", ",").replaceAll("%3D", "=").replaceAll("%5B", "[").replaceAll("%5D", "]");
}

const not_operands = ["unit", "text", "words", "unit2", "text2", "words2", "at", "d", "by", "zeros", "terms", "bits"];

// Nothing where the address holds no unit.
function state_of(address) {
  const all = new URLSearchParams(address.replace(/^#/, ""));
  const units = ["", "2"].filter(which => all.has("unit" + which) || all.has("text" + which)).map(which => {
    const words = words_of(all.get("words" + which));
    return all.has("text" + which) ? {text: all.get("text" + which), words} : {instruction: all.get("unit" + which), words};
  });
  if (units.length === 0) return null;
  const operands = {};
  for (const [name, codes] of all) if (!not_operands.includes(name)) operands[name] = codes.split(",");
  return {units, operands, at: all.get("at") || "", d: all.get("d") || "", by: all.get("by") || "",
    zeros: all.get("zeros") === "1", all: all.get("terms") === "all", bits: all.get("bits") || ""};
}

// The codes without those at the end that the model fills up with: `zero`, the code of zero, which need not be all zeros.
function shortened(codes, zero) {
  let end = codes.length;
  while (end > 1 && codes[end - 1] === zero) --end;
  return codes.slice(0, end);
}
