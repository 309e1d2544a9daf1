// The table of a report, from the study's rows in the element "study", and what may be done with its plots: other
// measures, axes and lines, another report beside them, and the numbers under the pointer. Plots come drawn (chart.cpp);
// each line carries its points as "column,row", each measure its scales, and a line is moved by writing its path anew.
// What is chosen stands in the address.
(() => {
'use strict';

const study = JSON.parse(document.getElementById('study').textContent);
const dimensions = study.dimensions;  // each axis, then the input, then the shape
const inputAt = dimensions.length - 2, shapeAt = dimensions.length - 1;
const mostPictures = 6;   // of one plot, below each other
const firstRows = 200;    // of the table
const height = 400;       // of a plot, in its own units
const mostLabelled = 4;   // lines that have their names beside them and no legend

const byId = id => document.getElementById(id);
function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

// --- the study ---

const points = study.points;
const rows = study.rows.map(([point, input, shape, estimates, results, special, histogram], index) => ({
  index, point: points[point], pointIndex: point, results, special, histogram,
  place: [...(points[point].values.length ? points[point].values : Array(inputAt).fill(-1)), input, shape],
  estimates: estimates.map(estimate => estimate.map(Number)),
}));
const isReference = row => row.point.reference !== '';
const valueName = (d, value) => d < inputAt || dimensions[d].numeric ? `${dimensions[d].name} = ${dimensions[d].values[value]}`
                                                                    : dimensions[d].values[value];

function text(value) {
  if (value === null || Number.isNaN(value)) return '–';
  if (!Number.isFinite(value)) return value > 0 ? '∞' : '−∞';
  const size = Math.abs(value);
  const digits = size !== 0 && (size < 1e-3 || size >= 1e6) ? value.toExponential(3).replace(/\.?0*e\+?/, 'e') : String(parseFloat(value.toPrecision(5)));
  return digits.replace('-', '−').replace('e-', 'e−');
}
const isPercent = m => study.measures[m].scale === 'percent';
const shown = (m, value) => isPercent(m) ? 100 * value : value;
const measureText = (row, m) => text(shown(m, row.estimates[m][0]));
function measureWithInterval(row, m) {
  const [mean, low, high] = row.estimates[m];
  return measureText(row, m) + (low === mean && high === mean ? '' : ` (${text(shown(m, low))} to ${text(shown(m, high))})`);
}

// --- what is shown ---

const allowed = dimensions.map(dimension => new Set(dimension.values.keys()));
const allowedReferences = new Set(points.flatMap((point, i) => point.reference === '' ? [] : [i]));
const referenceCount = allowedReferences.size;
let over = study.x;
let chosen = rows[study.chosen];

const isShown = row => isReference(row)
    ? allowedReferences.has(row.pointIndex) && allowed[inputAt].has(row.place[inputAt]) && allowed[shapeAt].has(row.place[shapeAt])
    : row.place.every((value, d) => allowed[d].has(value));

// What a plot comes from: every line there may be over a dimension, and the dimensions of which a picture shows one value.
const frames = new Map([...document.querySelectorAll('[data-frame]'), ...byId('frames').content.children].map(frame => [frame.dataset.frame, frame]));
const splitOf = frame => frame.dataset.split.split(' ').filter(d => d !== '').map(Number);

// Everything; where pictures are split, what the chosen row has.
function allowFirst() {
  dimensions.forEach((dimension, d) => { allowed[d] = new Set(dimension.values.keys()); });
  for (const d of splitOf(frames.get(String(over)))) allowed[d] = new Set([Math.max(chosen.place[d], 0)]);
}

// One {title, shows(row)} for each picture: every combination of values of `split` that is shown.
function picturesOf(split, isWanted = () => true) {
  let all = [[]];
  for (const d of split) all = all.flatMap(places => [...allowed[d]].sort((a, b) => a - b).map(value => [...places, value]));
  return all.map(places => ({
    title: split.map((d, i) => valueName(d, places[i])).join(', '),
    shows: row => isShown(row) && split.every((d, i) => row.place[d] < 0 || row.place[d] === places[i]),
  })).filter(picture => rows.some(row => !isReference(row) && isWanted(row) && picture.shows(row)));
}

function checkbox(set, value, name) {
  const box = element('input', {type: 'checkbox'});
  box.checked = set.has(value);
  box.addEventListener('change', () => { box.checked ? set.add(value) : set.delete(value); showAll(); });
  return element('label', {}, box, ' ' + name);
}

function filterBox(name, set, choices) {
  const boxes = choices.map(([value, label]) => checkbox(set, value, label));
  const all = element('button', {type: 'button'}, 'all'), none = element('button', {type: 'button'}, 'none');
  const setAll = on => {
    for (const [i, [value]] of choices.entries()) {
      boxes[i].firstChild.checked = on;
      on ? set.add(value) : set.delete(value);
    }
    showAll();
  };
  all.addEventListener('click', () => setAll(true));
  none.addEventListener('click', () => setAll(false));
  return element('fieldset', {}, element('legend', {}, name), ...boxes, ...(choices.length > 3 ? [all, ' ', none] : []));
}

function buildFilters() {
  const boxes = byId('filters');
  boxes.replaceChildren();
  dimensions.forEach((dimension, d) => {
    if (dimension.values.length < 2) return;
    const box = filterBox(dimension.name, allowed[d], [...dimension.values.entries()]);
    boxes.append(dimension.values.length <= 8 ? box
                     : element('details', {}, element('summary', {}, `Values of ${dimension.name}`), box));
  });
  if (referenceCount > 0)
    boxes.append(filterBox('references', allowedReferences, points.flatMap((point, i) => point.reference === '' ? [] : [[i, point.reference]])));
}

// --- pictures ---

function drawn(tag, attributes, words = '') {
  const made = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.textContent = words;
  return made;
}

// How a scale goes; ticks.cpp has the same.
const along = {linear: x => x, logarithmic: Math.log, both_ways: x => Math.asinh(x / study.narrow)};

// Where a value stands, from the top; null where it has no place.
function heights(scale) {
  const at = along[scale.spacing], low = at(scale.low), high = at(scale.high);
  return value => !Number.isFinite(value) || (scale.spacing === 'logarithmic' && value <= 0) ? null
      : height * (1 - (at(value) - low) / (high - low));
}

const superscript = number => [...String(number)].map(digit => digit === '-' ? '⁻' : '⁰¹²³⁴⁵⁶⁷⁸⁹'[digit]).join('');
const powerText = power => power === 0 ? '1' : `10${superscript(power)}`;
const every = (list, count) => list.filter((_, i) => i % Math.ceil(list.length / count) === 0);

// Ends of an axis and the numbers marked on it, for values that no scale of the study holds: another report's, or changes.
const ends = {
  logarithmic: values => {
    const low = Math.floor(Math.log10(Math.min(...values)) + 1e-9), high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...values)) - 1e-9));
    const powers = Array.from({length: high - low + 1}, (_, i) => low + i);
    return {low: 10 ** low, high: 10 ** high, ticks: every(powers, 9).map(power => [10 ** power, powerText(power)])};
  },
  linear: values => {
    const least = Math.min(...values), most = Math.max(...values), span = most - least || Math.abs(most) || 1;
    const size = 10 ** Math.floor(Math.log10(span / 4)), step = size * [1, 2, 5, 10].find(factor => factor * size >= span / 6);
    const low = Math.floor(least / step - 1e-9), high = Math.ceil(most / step + 1e-9);
    const marks = Array.from({length: high - low + 1}, (_, i) => (low + i) * step);
    return {low: marks[0], high: marks[marks.length - 1], ticks: marks.map(mark => [mark, text(mark)])};
  },
  both_ways: values => {
    const reach = Math.max(study.narrow, ...values.map(Math.abs)), last = Math.ceil(Math.log10(reach)), first = Math.min(last, Math.round(Math.log10(study.narrow)));
    const powers = every(Array.from({length: last - first + 1}, (_, i) => last - i), 4);
    return {low: -(10 ** last), high: 10 ** last,
            ticks: [[0, '0'], ...powers.flatMap(power => [[10 ** power, powerText(power)], [-(10 ** power), '−' + powerText(power)]])]};
  },
};

function scaleAround(spacing, values) {
  const known = values.filter(value => Number.isFinite(value) && (spacing !== 'logarithmic' || value > 0));
  const made = {spacing, ...ends[spacing](known.length ? known : [1])}, at = heights(made);
  return {...made, ticks: made.ticks.map(([value, words]) => [100 * at(value) / height, words])};
}

const holds = (scale, values) => values.every(value => !Number.isFinite(value) || (value >= scale.low && value <= scale.high) ||
                                                       (scale.spacing === 'logarithmic' && value <= 0));

const place = (x, y) => `${x.toFixed(1)} ${y.toFixed(1)}`;
const within = y => Math.min(height, Math.max(0, y));

// The path of each part of a line, from its points in order of x.
const paths = {
  stroke: points => points.map((p, i) => p.y === null ? '' : (i > 0 && points[i - 1].y !== null ? 'L' : 'M') + place(p.x, p.y)).join(''),
  dots: points => points.filter(p => p.y !== null).map(p => `M${place(p.x, p.y)}h0`).join(''),
  band: points => {
    const known = points.filter(p => p.y !== null && p.low !== null && p.high !== null);
    const there = known.map((p, i) => (i ? 'L' : 'M') + place(p.x, within(p.high)));
    const back = known.map(p => 'L' + place(p.x, within(p.low))).reverse();
    return known.length ? [...there, ...back, 'z'].join('') : '';
  },
  stairs: points => frontOf(points).map((p, i) => (i ? `H${p.x.toFixed(1)}L` : 'M') + place(p.x, p.y)).join(''),
  bars: (points, columns) => {
    const half = 0.42 * (columns[1] - columns[0]);
    return points.filter(p => p.y !== null).map(p => `M${(p.x - half).toFixed(1)} ${height}.0V${p.y.toFixed(1)}H${(p.x + half).toFixed(1)}V${height}.0z`).join('');
  },
};

// The points of which no other is both smaller and more exact.
function frontOf(points) {
  let best = Infinity;
  const sorted = points.filter(p => p.y !== null).sort((a, b) => a.x - b.x || a.value - b.value);
  return sorted.filter(p => p.value < best && (best = p.value, true));
}

// Of the legend: chart.cpp has the same.
function entryOf(line) {
  const dots = line.g.querySelector('g.dots'), part = dots || line.g.querySelector('.stroke');
  const sample = drawn('path', {...Object.fromEntries([...part.attributes].map(one => [one.name, one.value])), d: dots ? 'M16 4h0' : 'M0 4h32'});
  const g = line.g.cloneNode(), svg = drawn('svg', {width: 32, height: 8, 'aria-hidden': true});
  g.append(sample);
  svg.append(g);
  return element('li', {}, svg, line.name);
}

// Where a line runs, as small boxes along it.
function inkOf(points) {
  const rim = 3, step = 4;  // pixels
  return points.flatMap((from, i) => {
    const to = points[i + 1] || from, count = Math.max(1, Math.ceil(Math.hypot(to.x - from.x, to.y - from.y) / step));
    return Array.from({length: count}, (_, j) => {
      const x = from.x + (to.x - from.x) * j / count, y = from.y + (to.y - from.y) * j / count;
      return {left: x - rim, right: x + rim, top: y - rim, bottom: y + rim};
    });
  });
}

// One picture, made of a frame. A view is {yName, scaleOf(rows), rule, valuesOf(row, column), describe(line, point),
// columnName(column, points), note, bins, anywhere, beside}: valuesOf gives [value, low, high]; `bins` where nothing is
// nothing to speak of; `anywhere` where points do not stand in columns; `beside` is {name, valuesOf(row), describe(row)} of
// a broad pale line behind each.
class Picture {
  constructor(frame, title, choose, view) {
    this.view = view;
    this.box = frame.cloneNode(true);
    this.box.querySelector('h3').textContent = title;
    this.canvas = this.box.querySelector('.canvas');
    this.plot = this.box.querySelector('svg.plot');
    this.area = this.plot.querySelector('.area');
    this.xName = this.box.querySelector('.x-name').textContent;
    this.columns = this.area.dataset.x.split(' ').map(Number);
    this.lines = [...this.area.children].map(g => ({
      g, name: g.dataset.name,
      all: g.dataset.points ? g.dataset.points.split(' ').map(pair => pair.split(',').map(Number)).map(([column, row]) => ({column, row: rows[row]})) : null,
    }));
    if (view.beside) this.lines.unshift(...this.lines.filter(line => line.all && !('reference' in line.g.dataset)).map(line => this.paleOf(line)));
    this.choose = () => { if (choose && this.current) choose(this.current.point.row); };
    this.said = element('div', {class: 'tip', role: 'status', hidden: ''});
    this.spot = element('div', {class: 'spot', hidden: ''});
    this.labels = drawn('g', {class: 'labels'});
    this.plot.append(this.labels);
    this.canvas.append(this.spot, this.said);
    for (const [name, value] of [['role', 'application'], ['aria-roledescription', 'plot'], ['tabindex', 0]]) this.canvas.setAttribute(name, value);
    this.canvas.addEventListener('keydown', event => this.key(event));
    this.canvas.addEventListener('blur', () => this.leave());
    this.canvas.addEventListener('mousemove', event => this.pointed(event));
    this.canvas.addEventListener('mouseleave', () => this.leave());
    this.canvas.addEventListener('click', this.choose);
  }

  paleOf(line) {
    const g = line.g.cloneNode();
    g.classList.add('pale');
    g.append(drawn('path', {class: 'stroke', fill: 'none', 'stroke-width': 7, 'stroke-opacity': 0.35, 'stroke-linejoin': 'round'}));
    this.area.prepend(g);
    return {...line, g, pale: true, name: `${line.name}${line.name ? ': ' : ''}${this.view.beside.name}`};
  }

  // Leaves the points of rows that are shown; gives their rows.
  take(shows) {
    for (const line of this.lines) {
      const all = line.all || this.columns.map((_, column) => ({column, row: chosen}));
      line.points = all.filter(point => shows(point.row));
    }
    return this.lines.flatMap(line => line.points.map(point => point.row));
  }

  // Of every point [value, low, high]; gives the values.
  measure() {
    const {view} = this;
    for (const line of this.lines) {
      line.points = line.points.map(point => ({...point, measured: (line.pale ? view.beside : view).valuesOf(point.row, point.column)}));
    }
    return this.lines.flatMap(line => line.points.map(point => point.measured[0]));
  }

  draw(scale) {
    const {view} = this;
    this.scale = scale;
    const at = heights(scale);
    for (const line of this.lines) {
      for (const point of line.points) {
        const [value, low, high] = point.measured;
        Object.assign(point, {x: this.columns[point.column], value, y: at(value), low: at(low), high: at(high)});
      }
      this.write(line);
    }
    this.axis(at);
    const pale = this.shown().find(line => line.pale);
    this.entries = [...this.named().map(entryOf), ...(pale ? [entryOf({...pale, name: `broad and pale: ${view.beside.name}`})] : [])];
    this.canvas.setAttribute('aria-label', `${view.yName} over ${this.xName}, ${this.shown().length} lines. ` +
        'Arrow keys go from point to point; the numbers are in the table below.');
  }

  write(line) {
    for (const part of line.g.children) {
      const path = paths[part.classList[0]](line.points, this.columns);
      if (part.localName === 'path') part.setAttribute('d', path); else part.replaceChildren(drawn('path', {d: path}));
    }
    line.isDrawn = line.points.some(point => point.y !== null);
    line.g.style.display = line.isDrawn ? '' : 'none';
  }

  axis(at) {
    const across = (y, name) => drawn('line', {x2: '100%', y1: `${y}%`, y2: `${y}%`, ...(name ? {class: name, stroke: '#777777'} : {})});
    const rule = this.view.rule === undefined ? null : at(this.view.rule);
    this.box.querySelector('.grid').replaceChildren(...this.scale.ticks.map(([y]) => across(y, '')),
        ...(rule !== null && rule === within(rule) ? [across(100 * rule / height, 'rule')] : []));
    this.box.querySelector('.y-ticks').replaceChildren(...this.scale.ticks.map(([y, words]) => drawn('text', {x: -8, y: `${y}%`, dy: 4}, words)));
    this.box.querySelector('.y-name').textContent = this.view.yName;
  }

  shown() { return this.lines.filter(line => line.isDrawn); }
  named() { return this.shown().filter(line => line.name !== '' && !line.pale); }

  // Names beside the lines where they are few and have room, else in the legend; and beside the points of a front. Again
  // whenever the plot's size changes.
  label() {
    const {width: wide, height: high} = this.plot.getBoundingClientRect(), legend = this.box.querySelector('.legend');
    this.labels.replaceChildren();
    legend.replaceChildren(...this.entries);
    if (this.view.bins || wide === 0) return;
    if (this.view.anywhere) this.labelFronts(wide, high);
    else if (this.labelLines(wide, high)) legend.replaceChildren(...this.entries.slice(this.named().length));
  }

  // A name in the line's colour, not yet anywhere.
  name(line, words) {
    const g = line.g.cloneNode(), label = drawn('text', {stroke: '#ffffff', 'stroke-width': 3, 'paint-order': 'stroke'}, words);
    g.removeAttribute('stroke');
    for (const data of ['data-points', 'data-name', 'data-reference']) g.removeAttribute(data);
    g.append(label);
    this.labels.append(g);
    return label;
  }

  // Puts a name beside the first of these points, in pixels of the plot, where it hides nothing of what is taken; false
  // where there is no such place.
  put(label, points, taken, wide, high, sides) {
    const width = label.getComputedTextLength();
    for (const {x, y} of points) {
      for (const [aside, down] of sides) {
        const left = x + aside - (aside < 0 ? width : aside === 0 ? width / 2 : 0), base = y + down;
        const box = {left, right: left + width, top: base - 10, bottom: base + 3};
        const isFree = left >= 2 && box.right <= wide - 2 && box.top >= 2 && box.bottom <= high - 2 &&
            taken.every(other => box.right < other.left || other.right < left || box.bottom < other.top || other.bottom < box.top);
        if (!isFree) continue;
        taken.push(box);
        label.setAttribute('x', `${(100 * left / wide).toFixed(2)}%`);
        label.setAttribute('y', `${(100 * base / high).toFixed(2)}%`);
        return true;
      }
    }
    return false;
  }

  labelLines(wide, high) {
    const lines = this.named();
    if (lines.length === 0 || lines.length > mostLabelled) return false;
    const inPixels = point => ({x: point.x / this.width() * wide, y: point.y / height * high});
    const columns = this.columnsByRoom(lines), taken = this.shown().flatMap(line => inkOf(line.points.filter(point => point.y !== null).map(inPixels)));
    for (const line of lines) {
      const points = columns.flatMap(column => line.points.filter(point => point.column === column && point.y !== null)).map(inPixels);
      const label = this.name(line, line.name);
      if (!this.put(label, points, taken, wide, high, [[6, -7], [-6, -7], [0, -9], [6, 16], [-6, 16], [0, 18]])) {
        this.labels.replaceChildren();
        return false;
      }
    }
    return true;
  }

  // From where the lines lie farthest apart to where they meet.
  columnsByRoom(lines) {
    const room = column => {
      const ys = lines.flatMap(line => line.points.filter(point => point.column === column && point.y !== null).map(point => point.y)).sort((a, b) => a - b);
      return Math.min(height, ...ys.slice(1).map((y, i) => y - ys[i]));
    };
    return [...this.columns.keys()].reverse().map(column => [column, room(column)]).sort((a, b) => b[1] - a[1]).map(([column]) => column);
  }

  // The ends of each front first. Below a front nothing of its own lies, so a name stands there where it can; one that would
  // hide a point, a stair or another name is left to the pointer.
  labelFronts(wide, high) {
    const inPixels = point => ({x: point.x / this.width() * wide, y: point.y / height * high});
    const corners = points => points.flatMap((point, i) => i ? [{x: point.x, y: points[i - 1].y}, point] : [point]);
    const taken = this.shown().flatMap(line => [...inkOf(corners(frontOf(line.points)).map(inPixels)),
                                                ...line.points.filter(point => point.y !== null).flatMap(point => inkOf([inPixels(point)]))]);
    for (const line of this.shown()) {
      const [first, ...others] = frontOf(line.points);
      for (const point of [first, ...others.reverse()]) {
        const label = this.name(line, point.row.point.name);
        if (!this.put(label, [inPixels(point)], taken, wide, high, [[-6, 17], [6, -8], [-6, -8], [6, 17]])) label.parentNode.remove();
      }
    }
  }

  // The same as a part of a file, `top` units down.
  drawing(top) {
    const g = drawn('g', {transform: `translate(0 ${top})`}), plot = this.plot.cloneNode(true);
    for (const [name, value] of [['x', 84], ['y', 60], ['width', this.width()], ['height', height]]) plot.setAttribute(name, value);
    for (const line of plot.querySelectorAll('.area > g')) {
      if (line.style.display === 'none') line.remove();
      line.removeAttribute('data-points');
    }
    if (document.body.classList.contains('without-bands')) plot.querySelectorAll('.band').forEach(band => band.remove());
    g.append(drawn('text', {x: 84, y: 28, 'font-size': 16, 'font-weight': 'bold'}, this.view.yName),
             drawn('text', {x: 84, y: 48, fill: '#555555'}, study.title + (this.title() ? ` (${this.title()})` : '')), plot);
    [...this.box.querySelectorAll('.legend li')].forEach((entry, i) => {
      const sample = entry.querySelector('g').cloneNode(true), at = height + 130 + 18 * i;
      sample.setAttribute('transform', `translate(84 ${at - 8})`);
      g.append(sample, drawn('text', {x: 124, y: at}, entry.textContent));
    });
    return {g, tall: height + 140 + 18 * this.box.querySelectorAll('.legend li').length};
  }
  isMissing() { return this.lines.some(line => line.points.some(point => point.y === null)); }

  // What is nearest to the pointer: of the nearest column, except where points stand anywhere.
  pointed(event) {
    const box = this.plot.getBoundingClientRect(), wide = box.width / this.width(), high = box.height / height;
    const across = (event.clientX - box.left) / wide, down = (event.clientY - box.top) / high;
    const points = this.shown().flatMap(line => line.points.filter(point => point.y !== null).map(point => ({line, point})));
    const column = Math.min(...points.map(({point}) => Math.abs(point.x - across)));
    let nearest = null, least = Infinity;
    for (const one of points) {
      if (!this.view.anywhere && Math.abs(one.point.x - across) > column + 1e-6) continue;
      const distance = Math.hypot((one.point.x - across) * wide, (one.point.y - down) * high);
      if (distance < least) { least = distance; nearest = one; }
    }
    if (nearest) this.show(nearest);
  }

  width() { return this.area.viewBox.baseVal.width; }

  show(current) {
    this.current = current;
    const {line, point} = current, box = this.plot.getBoundingClientRect(), canvas = this.canvas.getBoundingClientRect();
    const left = box.left - canvas.left + box.width * point.x / this.width(), top = box.top - canvas.top + box.height * point.y / height;
    this.spot.hidden = this.said.hidden = false;
    this.spot.style.left = `${left}px`;
    this.spot.style.top = `${top}px`;
    const [title, ...facts] = line.pale ? this.view.beside.describe(point.row) : this.view.describe(line, point);
    this.said.replaceChildren(element('b', {}, title), ...facts.map(fact => element('span', {}, fact)));
    const room = this.canvas.clientWidth - this.said.offsetWidth, right = left + 14;
    this.said.style.left = `${Math.max(0, right <= room ? right : Math.min(room, left - 14 - this.said.offsetWidth))}px`;
    this.said.style.top = `${Math.max(0, Math.min(top + 14, this.canvas.clientHeight - this.said.offsetHeight))}px`;
  }

  leave() { this.current = null; this.spot.hidden = this.said.hidden = true; }

  key(event) {
    const step = {ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0]}[event.key];
    if (event.key === 'Enter') this.choose();
    if (event.key === 'Escape') this.leave();
    if (!step) return;
    event.preventDefault();
    const lines = this.shown(), count = this.columns.length;
    let line = this.current ? lines.indexOf(this.current.line) : 0;
    let column = this.current ? this.current.point.column : step[1] < 0 ? count : -1;
    if (!this.current && step[0] !== 0) column = 0;
    // Past what is not drawn, to the next that is; at the end it stays.
    for (;;) {
      line += step[0], column += step[1];
      if (line < 0 || column < 0 || line >= lines.length || column >= count) return;
      const point = lines[line].points.find(point => point.column === column && point.y !== null);
      if (point) return this.show({line: lines[line], point});
    }
  }

  numbers() {
    const lines = this.lines.filter(line => line.points.length > 0);
    const used = this.columns.map((_, column) => ({column, points: lines.map(line => line.points.find(point => point.column === column))}))
        .filter(one => one.points.some(point => point));
    const head = element('tr', {}, element('th', {scope: 'col'}, this.xName), ...lines.map(line => element('th', {scope: 'col'}, line.name || this.view.yName)));
    const body = used.map(({column, points}) => element('tr', {}, element('th', {scope: 'row'}, this.view.columnName(column, points)),
                                                        ...points.map(point => element('td', {}, text(point ? point.value : null)))));
    return element('table', {}, ...(this.title() ? [element('caption', {}, this.title())] : []), element('thead', {}, head), element('tbody', {}, ...body));
  }

  title() { return this.box.querySelector('h3').textContent; }
}

// The pictures of one figure, and below them a note and the numbers.
class Figure {
  constructor(id, choose) {
    this.id = id;
    this.watcher = new ResizeObserver(() => this.pictures.forEach(picture => picture.label()));
    this.holder = byId(id).querySelector('.pictures');
    this.after = element('div');
    this.holder.after(this.after);
    this.choose = choose;
  }

  show(frame, view, wanted) {
    const pictures = wanted.slice(0, mostPictures).map(({title}) => new Picture(frame, title, this.choose, view));
    let scale = view.scaleOf(pictures.flatMap((picture, i) => picture.take(wanted[i].shows)));  // one for all of them
    const values = pictures.flatMap(picture => picture.measure());
    if (view.beside && !holds(scale, values)) scale = scaleAround(scale.spacing, values);
    for (const picture of pictures) picture.draw(scale);
    this.pictures = pictures;
    this.holder.replaceChildren(...pictures.map(picture => picture.box));
    this.watcher.disconnect();
    for (const picture of pictures) {
      picture.label();
      this.watcher.observe(picture.canvas);
    }
    const notes = [
      view.note || '',
      wanted.length === 0 ? 'Nothing of this study fits what is shown.' : '',
      wanted.length > mostPictures ? `${wanted.length} pictures fit what is shown; these are the first ${mostPictures}.` : '',
      !view.bins && pictures.some(picture => picture.isMissing())
          ? `Values that have no place here (${pictures[0].scale.spacing === 'logarithmic' ? 'zero, ' : ''}infinite or NaN) are left out; the table has them.` : '',
    ].filter(note => note !== '').join(' ');
    const box = element('div', {class: 'box', tabindex: 0, role: 'region', 'aria-label': 'The numbers of this plot'});
    const details = element('details', {}, element('summary', {}, 'The numbers of this plot'), box);
    details.addEventListener('toggle', () => { if (details.open && !box.firstChild) box.append(...pictures.map(picture => picture.numbers())); });
    const button = element('button', {type: 'button', class: 'control'}, 'Save as SVG');
    button.addEventListener('click', () => save(`${this.id}.svg`, 'image/svg+xml', fileOf(this.pictures)));
    this.after.replaceChildren(...(notes ? [element('p', {class: 'note'}, notes)] : []), details, ...(pictures.length ? [button] : []));
  }
}

function fileOf(pictures) {
  let tall = 0;
  const parts = pictures.map(picture => {
    const part = picture.drawing(tall);
    tall += part.tall;
    return part.g;
  });
  const wide = 84 + pictures[0].width() + 30;
  const root = drawn('svg', {width: wide, height: tall, viewBox: `0 0 ${wide} ${tall}`, 'font-family': 'DejaVu Sans, Verdana, Arial, sans-serif', 'font-size': 12, fill: '#222222'});
  root.append(drawn('rect', {width: '100%', height: '100%', fill: '#ffffff'}), ...parts);
  return new XMLSerializer().serializeToString(root) + '\n';
}

function save(name, type, content) {
  const url = URL.createObjectURL(new Blob([content], {type}));
  element('a', {href: url, download: `${study.name}-${name}`}).click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}

function describeRow(row, m) {
  const others = study.measures.map((_, i) => i).filter(i => i !== m);
  const input = dimensions[inputAt].values[row.place[inputAt]], shape = valueName(shapeAt, row.place[shapeAt]);
  return [`${row.point.name}, ${input}, ${shape}`, `${study.measures[m].name}: ${measureWithInterval(row, m)}`,
          ...others.map(i => `${study.measures[i].name}: ${measureText(row, i)}`)];
}

// --- the plots ---

// --- another report ---

let other = null;  // {title, rows: how many it has}; a row that both have has its estimates there as row.other

const keyOf = (reference, axes, input, shape) => JSON.stringify([reference, axes.map(pair => pair.join('=')).sort(), input, shape]);
for (const row of rows) {
  const axes = isReference(row) ? [] : dimensions.slice(0, inputAt).map((dimension, d) => [dimension.name, dimension.values[row.place[d]]]);
  row.key = keyOf(row.point.reference, axes, dimensions[inputAt].values[row.place[inputAt]], study.shapes[row.place[shapeAt]]);
}

// Of a page as it carries its study, and of result.json: {title, rows: key to estimates}, the measures in our order.
function reportOf(content) {
  const opening = '<' + 'script type="application/json" id="study">', from = content.indexOf(opening);
  const read = JSON.parse(from < 0 ? content : content.slice(from + opening.length, content.indexOf('</' + 'script>', from)));
  return read.axes ? resultOf(read) : pageOf(read);
}

function pageOf(read) {
  const last = read.dimensions.length - 2;
  const order = study.measures.map(({key}) => read.measures.findIndex(measure => measure.key === key));
  return {title: read.title, rows: new Map(read.rows.map(([point, input, shape, estimates]) => {
    const {reference, values} = read.points[point];
    const axes = values.map((value, d) => [read.dimensions[d].name, read.dimensions[d].values[value]]);
    return [keyOf(reference, axes, read.dimensions[last].values[input], read.shapes[shape]), order.map(m => m < 0 ? [NaN, NaN, NaN] : estimates[m].map(Number))];
  }))};
}

function resultOf(read) {
  // To the six digits that a page has (data.cpp), so that equal numbers are equal here.
  const number = value => ({infinity: Infinity, '-infinity': -Infinity})[value] ?? Number(Number(value).toPrecision(6));
  const named = {sqnr: 'sqnr_db', bias: 'bias_ulps', shrink: 'shrink_ulps'};  // measure_names() of study.cpp
  const estimate = one => one ? [one.mean, one.low, one.high].map(number) : [NaN, NaN, NaN];
  return {title: read.title, rows: new Map(read.rows.map(row => {
    const {reference, values} = read.points[row.point], {m, n, k} = read.shapes[row.shape];
    const axes = values.map((value, d) => [read.axes[d].name, read.axes[d].values[value]]);
    return [keyOf(reference, axes, read.inputs[row.input], `${m} x ${n} x ${k}`), study.measures.map(({key}) => estimate(row[named[key] || key]))];
  }))};
}

async function takeOther(file) {
  if (!file) return;
  let read;
  try {
    read = reportOf(await file.text());
  } catch {
    byId('compared').textContent = `${file.name} is neither a report.html nor a result.json of assay explore.`;
    return;
  }
  const common = rows.filter(row => read.rows.has(row.key));
  if (common.length === 0) {
    byId('compared').textContent = `No row of ${file.name} has the axes, input and shape of a row here: there is nothing to compare.`;
    return;
  }
  for (const row of rows) row.other = read.rows.get(row.key);
  other = {title: read.title, name: file.name, count: read.rows.size, common};
  fillBeside('other');
  showAll();
}

// What the two reports have in common, and where they are farthest apart.
function sayCompared(m) {
  if (!other) return;
  const name = study.measures[m].name, {common} = other;
  const changed = common.filter(row => text(row.estimates[m][0]) !== text(row.other[m][0]));
  const change = row => isRatio(m) ? Math.abs(Math.log(row.other[m][0] / row.estimates[m][0])) : Math.abs(row.other[m][0] - row.estimates[m][0]);
  const most = changed.filter(row => !Number.isNaN(change(row))).sort((a, b) => change(b) - change(a))[0];
  const here = `${common.length} of ${rows.length} rows are in ${other.name} (${other.title}) too, which has ${other.count}.`;
  byId('compared').textContent = changed.length === 0 ? `${here} In none of them is the ${name} another.`
      : `${here} In ${changed.length} of them the ${name} is another` +
        (most ? `, most so for ${describeRow(most, m)[0]}: ${measureText(most, m)} here, ${text(shown(m, most.other[m][0]))} there.` : '.');
}

const isRatio = m => study.measures[m].scale === 'logarithmic';
const quantisation = study.measures.findIndex(measure => measure.key === 'quantisation');

// What may stand beside the lines: what rounding the operands did, another report's lines, or instead of both the change.
function fillBeside(selected) {
  const choices = [['', 'nothing']];
  if (rows.some(row => row.estimates[quantisation][0] > 0)) choices.push(['quantisation', 'quantisation error']);
  if (other) choices.push(['other', 'the other report'], ['change', 'instead: the change']);
  fill(byId('beside'), choices, selected);
  byId('beside').parentNode.hidden = choices.length === 1;
}

// Where a study's rows differ in quantisation, of one input and shape, the sums alone would not say what is lost.
function isOfOperands() {
  const first = new Map();
  return rows.some(row => {
    const key = `${row.place[inputAt]},${row.place[shapeAt]}`, error = row.estimates[quantisation][0];
    if (!first.has(key)) first.set(key, error);
    return !isReference(row) && Math.abs(error - first.get(key)) > 0.01 * error;
  });
}

function besideOf(m) {
  const wanted = byId('beside').value, ofOther = wanted === 'other' && other, value = ofOther ? m : quantisation;
  if (!ofOther && (wanted !== 'quantisation' || !isRatio(m) || m === quantisation)) return undefined;
  const estimates = row => ofOther ? row.other : row.estimates;
  const measured = row => estimates(row) ? estimates(row)[value].map(one => shown(m, one)) : [NaN, NaN, NaN];
  const name = ofOther ? `the other report, ${other.name}` : study.measures[value].name;
  return {name, valuesOf: measured, describe: row => [describeRow(row, m)[0], `${name}: ${text(measured(row)[0])}`, `here: ${measureText(row, m)}`]};
}

// Instead of a measure, how the other report differs in it: as a quotient where errors are, else as a difference.
function changeOf(m) {
  if (byId('beside').value !== 'change' || !other) return {};
  const value = row => !row.other ? NaN : isRatio(m) ? row.other[m][0] / row.estimates[m][0] : shown(m, row.other[m][0]) - shown(m, row.estimates[m][0]);
  const yName = isRatio(m) ? `${study.measures[m].name}, other / here` : `${study.measures[m].name}, other − here`;
  const spacingOf = values => !isRatio(m) ? (study.measures[m].scale === 'around_zero' ? 'both_ways' : 'linear')
      : Math.max(...values) < 10 * Math.min(...values) ? 'linear' : 'logarithmic';
  return {
    yName, rule: isRatio(m) ? 1 : 0, valuesOf: row => [value(row), NaN, NaN],
    scaleOf: shownRows => {
      const values = shownRows.map(value).filter(one => Number.isFinite(one) && (!isRatio(m) || one > 0));
      return scaleAround(spacingOf(values), [...values, isRatio(m) ? 1 : 0]);
    },
    describe: (_, {row}) => [describeRow(row, m)[0], `${yName}: ${text(value(row))}`, `here: ${measureText(row, m)}`,
                             `there: ${row.other ? text(shown(m, row.other[m][0])) : '–'}`],
  };
}

// The narrowest of the scales that hold all these rows; charts.cpp chooses alike.
function scaleOf(m, shownRows) {
  const {whole, of, scales} = study.measures[m];
  const own = of.flatMap((which, d) => {
    const values = new Set(shownRows.map(row => row.place[d]).filter(value => value >= 0));
    return values.size === 1 ? [which[[...values][0]]] : [];
  });
  return scales[Math.min(whole, ...own)];
}

function showOver(figure, m) {
  const frame = frames.get(String(over)), split = splitOf(frame), measure = study.measures[m], dimension = dimensions[over];
  const one = [...dimensions.keys()].filter(d => d !== over && allowed[d].size === 1 && dimensions[d].values.length > 1);
  figure.show(frame, {
    yName: measure.name, scaleOf: shownRows => scaleOf(m, shownRows), rule: measure.scale === 'around_zero' ? 0 : undefined,
    valuesOf: row => row.estimates[m].map((value, i) => shown(m, isReference(row) ? row.estimates[m][0] : value)),
    columnName: (_, made) => dimension.values[made.find(point => point && point.row.place[over] >= 0)?.row.place[over]] ?? '',
    describe: (_, point) => describeRow(point.row, m),
    note: one.map(d => `Of ${dimensions[d].name} this is ${[...allowed[d]].map(value => dimensions[d].values[value])} alone.`).join(' '),
    beside: besideOf(m),
    ...changeOf(m),
  }, picturesOf(split));
}

// The least distance of a bin: "8" of 8 to 15.
const binText = bin => bin === 0 ? '0' : (bin < 0 ? '−' : '') + (Math.abs(bin) <= 14 ? 2 ** (Math.abs(bin) - 1) : `2^${Math.abs(bin) - 1}`);
function binRange(bin) {
  const size = Math.abs(bin), side = bin < 0 ? 'below' : 'above';
  if (bin === 0) return 'correctly rounded';
  if (size === 1) return `1 ulp ${side}`;
  return size === study.zero ? `${2 ** (size - 1)} ulps or more ${side}` : `${2 ** (size - 1)} to ${2 ** size - 1} ulps ${side}`;
}

function showDistances() {
  const ulpsFrame = frames.get('ulps');
  const [first, ...bins] = chosen.histogram, total = bins.reduce((sum, count) => sum + count, 0) || 1;
  const reach = (ulpsFrame.querySelector('.area').dataset.x.split(' ').length - 1) / 2;
  const binAt = column => column - reach, count = column => bins[binAt(column) + study.zero - first] || 0;
  const special = chosen.special ? ` ${chosen.special} results are NaN or infinite where the exact one is not.` : '';
  figures.ulps.show(ulpsFrame, {
    yName: 'share of results (%)', scaleOf: () => study.shares, bins: true,
    valuesOf: (_, column) => [100 * count(column) / total],
    columnName: column => binText(binAt(column)),
    describe: (_, point) => [binRange(binAt(point.column)), `${count(point.column)} of ${total} results`, `${text(point.value)} %`],
    note: `${describeRow(chosen, 0)[0]}: ${chosen.results} results.${special}`,
  }, [{title: '', shows: () => true}]);
}

function showCosts(figure) {
  const frame = frames.get('cost');
  figure.show(frame, {
    yName: study.measures[0].name, scaleOf: () => study.costed, anywhere: true,
    valuesOf: row => row.estimates[0],
    columnName: (_, made) => text(made.find(point => point).row.point.cost[1]),
    describe: (line, {row}) => {
      const [cells, area, depth, delay] = row.point.cost;
      return [...describeRow(row, 0).slice(0, 2), `area: ${text(area)} µm²`, `cells: ${cells}`, `longest path: ${depth} cells, ${text(delay)} ns`,
              frontOf(line.points).some(point => point.row === row) ? 'on the front' : 'behind the front'];
    },
    note: 'The stairs join the points of which no other is both smaller and more exact.',
  }, picturesOf(splitOf(frame), row => row.point.cost));
}

// --- the table ---

const byOrder = get => ({get, cell: row => get(row)});
const columns = [
  {name: 'point', word: true, get: row => row.pointIndex, cell: row => row.point.name},
  {name: 'input', word: true, get: row => row.place[inputAt], cell: row => dimensions[inputAt].values[row.place[inputAt]]},
  {name: dimensions[shapeAt].name, get: row => row.place[shapeAt], cell: row => dimensions[shapeAt].values[row.place[shapeAt]]},
  ...study.measures.map((measure, m) => ({name: measure.name, get: row => row.estimates[m][0], cell: row => measureText(row, m)})),
  {name: 'results', ...byOrder(row => row.results)},
  {name: 'NaN or infinite', ...byOrder(row => row.special)},
  ...(points.some(point => point.cost) ? ['cells', 'area (µm²)', 'depth', 'delay (ns)'] : []).map((name, c) =>
      ({name, get: row => row.point.cost ? row.point.cost[c] : NaN, cell: row => text(row.point.cost && row.point.cost[c])})),
  {name: 'path', word: true, get: row => row.point.path, cell: row => row.point.path},
];
let sorted = {column: 0, descending: false};
let allRows = false;

function compare(a, b) {
  const x = columns[sorted.column].get(a), y = columns[sorted.column].get(b);
  if (Number.isNaN(x) || Number.isNaN(y)) return Number.isNaN(x) - Number.isNaN(y) || a.index - b.index;  // last, either way
  return (x < y ? -1 : x > y ? 1 : 0) * (sorted.descending ? -1 : 1) || a.index - b.index;
}

function tableRow(row) {
  const name = element('button', {type: 'button', title: 'Shows the distances in ulps of this row'}, columns[0].cell(row));
  name.addEventListener('click', () => { choose(row); byId('ulps').scrollIntoView({block: 'center'}); });
  const made = element('tr', {'data-row': row.index}, element('td', {class: 'word'}, name));
  for (const column of columns.slice(1)) {
    const cell = document.createElement('td');
    if (column.word) cell.className = 'word';
    cell.textContent = column.cell(row);
    made.append(cell);
  }
  if (row === chosen) made.className = 'chosen';
  return made;
}

function showTable() {
  const table = byId('rows');
  const found = rows.filter(isShown).sort(compare);
  const shownRows = allRows ? found : found.slice(0, firstRows);
  table.tBodies[0].replaceChildren(...shownRows.map(tableRow));
  [...table.tHead.rows[0].cells].forEach((cell, c) =>
      cell.setAttribute('aria-sort', c !== sorted.column ? 'none' : sorted.descending ? 'descending' : 'ascending'));
  byId('row-count').textContent = `${found.length} of ${rows.length} rows fit what is shown` +
      (shownRows.length < found.length ? `; the first ${shownRows.length} of them stand here.` : '.');
  byId('more').hidden = shownRows.length === found.length;
}

// A row as table.csv has it, as far as the page knows it: six digits.
function csvOf(shownRows) {
  const field = value => /[",\r\n]/.test(value) ? `"${String(value).replaceAll('"', '""')}"` : String(value);
  const of = (d, row) => row.place[d] < 0 ? '' : dimensions[d].values[row.place[d]];
  const parts = [
    ['point', row => row.point.name], ['reference', row => row.point.reference],
    ...dimensions.map((dimension, d) => [dimension.name, row => of(d, row)]),
    ...study.measures.flatMap(({key}, m) => ['', '_low', '_high'].map((end, i) => [key + end, row => row.estimates[m][i]])),
    ...(other ? study.measures.map(({key}, m) => [key + '_other', row => row.other ? row.other[m][0] : '']) : []),
    ['results', row => row.results], ['special', row => row.special],
    ...['cells', 'area', 'depth', 'delay'].map((name, c) => [name, row => row.point.cost ? row.point.cost[c] : '']),
  ];
  return [parts.map(([name]) => name), ...shownRows.map(row => parts.map(([, get]) => get(row)))].map(line => line.map(field).join(',') + '\r\n').join('');
}

function buildTable() {
  const head = element('tr');
  columns.forEach((column, c) => {
    const button = element('button', {type: 'button'}, column.name);
    button.addEventListener('click', () => {
      sorted = {column: c, descending: sorted.column === c && !sorted.descending};
      showTable();
      showAddress();
    });
    head.append(element('th', {scope: 'col', ...(column.word ? {class: 'word'} : {})}, button));
  });
  byId('rows').tHead.append(head);
  byId('more').addEventListener('click', () => { allRows = true; showTable(); });
  byId('csv').addEventListener('click', () => save('rows.csv', 'text/csv', csvOf(rows.filter(isShown).sort(compare))));
}

// --- everything ---

function fill(select, choices, selected) {
  select.replaceChildren(...choices.map(([value, name]) => element('option', {value}, name)));
  select.value = String(selected);
}

const figures = {};
function choose(row) {
  if (!row) return;
  chosen = row;
  byId('point').value = row.pointIndex;
  byId('input').value = row.place[inputAt];
  byId('shape').value = row.place[shapeAt];
  showDistances();
  showAddress();
  document.querySelectorAll('#rows tr.chosen').forEach(one => one.classList.remove('chosen'));
  document.querySelectorAll(`#rows tr[data-row="${row.index}"]`).forEach(one => one.classList.add('chosen'));
}

function showError() {
  const m = Number(byId('measure').value);
  showOver(figures.error, m);
  sayCompared(m);
}
const showBias = () => showOver(figures.bias, Number(byId('bias-measure').value));
function showAll() {
  showError();
  showBias();
  if (figures.cost) showCosts(figures.cost);
  showTable();
  showAddress();
}

// --- the address ---

const keyOfMeasure = id => study.measures[byId(id).value].key;
let opened = '';  // the address of the page as it opens, which need not be said

// What is chosen, as measure=bias&over=1&d0=3.4; of values that are all shown nothing is said.
function addressNow() {
  const said = new URLSearchParams({measure: keyOfMeasure('measure'), bias: keyOfMeasure('bias-measure'), over, row: chosen.index});
  const isOther = ['other', 'change'].includes(byId('beside').value);  // a file that no address can hold
  said.set('beside', isOther ? '' : byId('beside').value);
  if (!byId('bands').checked) said.set('bands', 'no');
  allowed.forEach((set, d) => { if (set.size < dimensions[d].values.length) said.set(`d${d}`, [...set].sort((a, b) => a - b).join('.')); });
  if (allowedReferences.size < referenceCount) said.set('references', [...allowedReferences].sort((a, b) => a - b).join('.'));
  if (sorted.column || sorted.descending) said.set('sort', `${sorted.descending ? '-' : ''}${sorted.column}`);
  return said.toString();
}

function showAddress() {
  const now = addressNow();
  history.replaceState(null, '', now === opened ? location.pathname + location.search : '#' + now);
}

// Chooses what an address says; what it does not say, or says of another study, is as the page opens.
function chooseAddress(address) {
  const said = new URLSearchParams(address || opened);
  const numbersOf = key => (said.get(key) ?? '').split('.').filter(part => /^\d+$/.test(part)).map(Number);
  const measureOf = (key, id) => {
    const m = study.measures.findIndex(measure => measure.key === said.get(key));
    if ([...byId(id).options].some(option => option.value === String(m))) byId(id).value = m;
  };
  measureOf('measure', 'measure');
  measureOf('bias', 'bias-measure');
  if ([...byId('over').options].some(option => option.value === said.get('over'))) byId('over').value = over = Number(said.get('over'));
  if ([...byId('beside').options].some(option => option.value === said.get('beside'))) byId('beside').value = said.get('beside');
  byId('bands').checked = said.get('bands') !== 'no';
  dimensions.forEach((dimension, d) => {
    allowed[d] = said.has(`d${d}`) ? new Set(numbersOf(`d${d}`).filter(value => value < dimension.values.length)) : new Set(dimension.values.keys());
  });
  for (const [i, point] of points.entries()) {
    if (point.reference !== '' && (!said.has('references') || numbersOf('references').includes(i))) allowedReferences.add(i);
    else allowedReferences.delete(i);
  }
  const sort = /^(-?)(\d+)$/.exec(said.get('sort') ?? '0');
  sorted = sort && Number(sort[2]) < columns.length ? {column: Number(sort[2]), descending: sort[1] === '-'} : {column: 0, descending: false};
  chosen = rows[said.get('row') ?? study.chosen] || rows[study.chosen];
  showBands();
  buildFilters();
  choose(chosen);
  showAll();
}

const showBands = () => document.body.classList.toggle('without-bands', !byId('bands').checked);

function buildTheme() {
  const root = document.documentElement, system = matchMedia('(prefers-color-scheme: dark)'), button = byId('theme');
  const isDark = () => root.dataset.theme ? root.dataset.theme === 'dark' : system.matches;
  const name = () => { button.textContent = isDark() ? 'Light' : 'Dark'; };
  button.addEventListener('click', () => { root.dataset.theme = isDark() ? 'light' : 'dark'; name(); });
  system.addEventListener('change', name);
  name();
}

function build() {
  buildTheme();
  if (rows.length === 0) {
    for (const id of ['error', 'bias', 'ulps']) byId(id).closest('section').remove();
    byId('row-count').textContent = 'This study has no rows.';
    return;
  }
  const named = keys => study.measures.flatMap((measure, m) => keys === null || keys.includes(measure.key) ? [[m, measure.name]] : []);
  fill(byId('measure'), named(null), 0);
  fill(byId('bias-measure'), named(['bias', 'shrink']), study.measures.findIndex(measure => measure.key === 'bias'));
  fill(byId('over'), dimensions.flatMap((dimension, d) => dimension.values.length > 1 || d === study.x ? [[d, dimension.name]] : []), over);
  fill(byId('point'), points.map((point, i) => [i, point.name]), chosen.pointIndex);
  fill(byId('input'), [...dimensions[inputAt].values.entries()], chosen.place[inputAt]);
  fill(byId('shape'), [...dimensions[shapeAt].values.entries()], chosen.place[shapeAt]);
  for (const id of ['error', 'bias', 'cost']) if (byId(id)) figures[id] = new Figure(id, choose);
  figures.ulps = new Figure('ulps', null);
  for (const id of ['measure', 'bias-measure', 'beside']) byId(id).addEventListener('change', showAll);
  byId('other').addEventListener('change', event => takeOther(event.target.files[0]));
  addEventListener('dragover', event => event.preventDefault());
  addEventListener('drop', event => {
    event.preventDefault();
    takeOther(event.dataTransfer.files[0]);
  });
  byId('over').addEventListener('change', event => {
    over = Number(event.target.value);
    allowFirst();
    buildFilters();
    showAll();
  });
  for (const id of ['point', 'input', 'shape']) {
    byId(id).addEventListener('change', () => choose(rows.find(row => row.pointIndex === Number(byId('point').value) &&
        row.place[inputAt] === Number(byId('input').value) && row.place[shapeAt] === Number(byId('shape').value))));
  }
  byId('bands').addEventListener('change', () => { showBands(); showAddress(); });
  addEventListener('beforeprint', () => { for (const rest of document.querySelectorAll('details.rest, details.budget')) rest.open = true; });
  fillBeside(isOfOperands() ? 'quantisation' : '');
  allowFirst();
  buildTable();
  opened = addressNow();
  addEventListener('hashchange', () => chooseAddress(location.hash.slice(1)));
  chooseAddress(location.hash.slice(1));
}

build();
})();
