"use strict";
// What the page shows, as one value that the address holds:
//   units     [{instruction | text, words: {key: value}}], one or two
//   operands  {a: ["3c00", ..], ..}, what is zero at the end left out
//   at        the adder that is looked at; d: what a vector file recorded, or `by` a device
//   zeros, all  whether addends and products that are zero are shown, and every term; bits: of which code, "a[3]"

const listed = words => Object.entries(words || {}).map(([key, value]) => `${key}=${value}`).join(",");

const word_texts = text => (text || "").split(",").filter(Boolean);

// Without those that have no value, of which unused_in tells.
const words_of = text => Object.fromEntries(word_texts(text).filter(word => word.includes("=")).map(word => {
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

// Name and value of the parameters of an address; as a map, of several of one name the last.
const pairs_in = address => [...new URLSearchParams(address.replace(/^#/, ""))];
const parameters = address => new Map(pairs_in(address));

// "" and "2", of the units that an address holds.
const units_in = all => ["", "2"].filter(which => all.has("unit" + which) || all.has("text" + which));

// Nothing where the address holds no unit.
function state_of(address) {
  const all = parameters(address);
  const units = units_in(all).map(which => {
    const words = words_of(all.get("words" + which));
    return all.has("text" + which) ? {text: all.get("text" + which), words} : {instruction: all.get("unit" + which), words};
  });
  if (units.length === 0) return null;
  const operands = Object.fromEntries([...all].filter(([name]) => !not_operands.includes(name)).map(([name, codes]) => [name, codes.split(",")]));
  return {units, operands, at: all.get("at") || "", d: all.get("d") || "", by: all.get("by") || "",
    zeros: all.get("zeros") === "1", all: all.get("terms") === "all", bits: all.get("bits") || ""};
}

// The name and the number of "a[3]"; nothing of another text.
function chosen_of(bits) {
  const at = /^(\w+)\[(\d+)\]$/.exec(bits);
  return at && {name: at[1], i: Number(at[2])};
}

// What an address holds and nothing takes, a sentence each. `lists` are the operands and `sites` the adders of its unit;
// neither is there where it cannot be built.
function unused_in(address, lists, sites) {
  const all = parameters(address), units = units_in(all), sentences = [];
  if (all.size === 0) return [];
  if (units.length === 0) return ["The address names no unit (unit=ARCHITECTURE:INSTRUCTION or text=FILE): nothing of it is used."];
  const leave = (name, why) => sentences.push(`${name} in the address is not used: ${why}.`);
  const names = pairs_in(address).map(([name]) => name);
  for (const name of all.keys())
    if (names.indexOf(name) !== names.lastIndexOf(name)) leave(`An earlier ${name}`, "the last one counts");
  for (const which of ["", "2"]) {
    if (all.has("unit" + which) && all.has("text" + which)) leave(`unit${which}`, `text${which} stands in its place`);
    if (all.has("words" + which) && !units.includes(which)) leave(`words${which}`, `there is no unit${which} whose words they are`);
    for (const word of word_texts(all.get("words" + which)).filter(text => !text.includes("=")))
      leave(`'${word}' of words${which}`, `it has no value; write ${word}=VALUE`);
  }
  if (all.get("by") && !all.get("d")) leave("by", "there is no d that it gave");
  if (all.has("zeros") && all.get("zeros") !== "1") leave(`zeros=${all.get("zeros")}`, "what is known is zeros=1");
  if (all.has("terms") && all.get("terms") !== "all") leave(`terms=${all.get("terms")}`, "what is known is terms=all");
  if (!lists) return sentences;
  for (const name of all.keys())
    if (!not_operands.includes(name) && !lists.some(list => list.name === name)) leave(name, `a case of this unit has ${lists.map(list => list.name).join(", ")}`);
  if (all.get("at") && !sites.includes(all.get("at"))) leave(`at=${all.get("at")}`, "this unit has no such adder");
  const bits = chosen_of(all.get("bits")), chosen = bits && lists.find(list => list.name === bits.name);
  if (all.get("bits") && !(chosen && bits.i < chosen.codes.length)) leave(`bits=${all.get("bits")}`, "a case of this unit has no such code");
  return sentences;
}

// The codes without those at the end that the model fills up with: `zero`, the code of zero, which need not be all zeros.
function shortened(codes, zero) {
  let end = codes.length;
  while (end > 1 && codes[end - 1] === zero) --end;
  return codes.slice(0, end);
}
