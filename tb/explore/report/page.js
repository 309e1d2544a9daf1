// The table of a report, from the study's rows in the element "study", and what may be done with its plots: other
// measures, axes and lines, and the numbers under the pointer. Plots come drawn (chart.cpp); each line carries its points
// as "column,row", each measure its scales, and a line is moved by writing its path anew.
(() => {
'use strict';

const study = JSON.parse(document.getElementById('study').textContent);
const dimensions = study.dimensions;  // each axis, then the input, then the shape
const inputAt = dimensions.length - 2, shapeAt = dimensions.length - 1;
const mostPictures = 6;   // of one plot, below each other
const firstRows = 200;    // of the table
const height = 400;       // of a plot, in its own units

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
  if (allowedReferences.size > 0)
    boxes.append(filterBox('references', allowedReferences, [...allowedReferences].map(i => [i, points[i].reference])));
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

// One picture, made of a frame. A view is {yName, scaleOf(rows), rule, valuesOf(row, column), describe(line, point),
// columnName(column, points), note, bins, anywhere}: valuesOf gives [value, low, high]; `bins` where nothing is nothing to
// speak of; `anywhere` where points do not stand in columns.
class Picture {
  constructor(frame, title, choose) {
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
    this.choose = () => { if (choose && this.current) choose(this.current.point.row); };
    this.said = element('div', {class: 'tip', role: 'status', hidden: ''});
    this.spot = element('div', {class: 'spot', hidden: ''});
    this.canvas.append(this.spot, this.said);
    for (const [name, value] of [['role', 'application'], ['aria-roledescription', 'plot'], ['tabindex', 0]]) this.canvas.setAttribute(name, value);
    this.canvas.addEventListener('keydown', event => this.key(event));
    this.canvas.addEventListener('blur', () => this.leave());
    this.canvas.addEventListener('mousemove', event => this.pointed(event));
    this.canvas.addEventListener('mouseleave', () => this.leave());
    this.canvas.addEventListener('click', this.choose);
  }

  // Leaves the points of rows that are shown; gives their rows.
  take(shows) {
    for (const line of this.lines) {
      const all = line.all || this.columns.map((_, column) => ({column, row: chosen}));
      line.points = all.filter(point => shows(point.row));
    }
    return this.lines.flatMap(line => line.points.map(point => point.row));
  }

  draw(view, scale) {
    this.view = view;
    this.scale = scale;
    const at = heights(scale);
    for (const line of this.lines) {
      for (const point of line.points) {
        const [value, low, high] = view.valuesOf(point.row, point.column);
        Object.assign(point, {x: this.columns[point.column], value, y: at(value), low: at(low), high: at(high)});
      }
      this.write(line);
    }
    this.axis(at);
    this.box.querySelector('.legend').replaceChildren(...this.shown().filter(line => line.name !== '').map(entryOf));
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
    const across = (y, name) => drawn('line', {x2: '100%', y1: `${y}%`, y2: `${y}%`, class: name});
    const rule = this.view.rule === undefined ? null : at(this.view.rule);
    this.box.querySelector('.grid').replaceChildren(...this.scale.ticks.map(([y]) => across(y, '')),
        ...(rule !== null && rule === within(rule) ? [across(100 * rule / height, 'rule')] : []));
    this.box.querySelector('.y-ticks').replaceChildren(...this.scale.ticks.map(([y, words]) => drawn('text', {x: -8, y: `${y}%`, dy: 4}, words)));
    this.box.querySelector('.y-name').textContent = this.view.yName;
  }

  shown() { return this.lines.filter(line => line.isDrawn); }
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
    const [title, ...facts] = this.view.describe(line, point);
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
    this.holder = byId(id).querySelector('.pictures');
    this.after = element('div');
    this.holder.after(this.after);
    this.choose = choose;
  }

  show(frame, view, wanted) {
    const pictures = wanted.slice(0, mostPictures).map(({title}) => new Picture(frame, title, this.choose));
    const scale = view.scaleOf(pictures.flatMap((picture, i) => picture.take(wanted[i].shows)));  // one for all of them
    for (const picture of pictures) picture.draw(view, scale);
    this.holder.replaceChildren(...pictures.map(picture => picture.box));
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
    this.after.replaceChildren(...(notes ? [element('p', {class: 'note'}, notes)] : []), details);
  }
}

function describeRow(row, m) {
  const others = study.measures.map((_, i) => i).filter(i => i !== m);
  const input = dimensions[inputAt].values[row.place[inputAt]], shape = valueName(shapeAt, row.place[shapeAt]);
  return [`${row.point.name}, ${input}, ${shape}`, `${study.measures[m].name}: ${measureWithInterval(row, m)}`,
          ...others.map(i => `${study.measures[i].name}: ${measureText(row, i)}`)];
}

// --- the plots ---

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

function buildTable() {
  const head = element('tr');
  columns.forEach((column, c) => {
    const button = element('button', {type: 'button'}, column.name);
    button.addEventListener('click', () => {
      sorted = {column: c, descending: sorted.column === c && !sorted.descending};
      showTable();
    });
    head.append(element('th', {scope: 'col', ...(column.word ? {class: 'word'} : {})}, button));
  });
  byId('rows').tHead.append(head);
  byId('more').addEventListener('click', () => { allRows = true; showTable(); });
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
  document.querySelectorAll('#rows tr.chosen').forEach(one => one.classList.remove('chosen'));
  document.querySelectorAll(`#rows tr[data-row="${row.index}"]`).forEach(one => one.classList.add('chosen'));
}

const showError = () => showOver(figures.error, Number(byId('measure').value));
const showBias = () => showOver(figures.bias, Number(byId('bias-measure').value));
function showAll() {
  showError();
  showBias();
  if (figures.cost) showCosts(figures.cost);
  showTable();
}

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
  byId('measure').addEventListener('change', showError);
  byId('bias-measure').addEventListener('change', showBias);
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
  byId('bands').addEventListener('change', event => document.body.classList.toggle('without-bands', !event.target.checked));
  addEventListener('beforeprint', () => { for (const rest of document.querySelectorAll('details.rest')) rest.open = true; });
  allowFirst();
  buildFilters();
  buildTable();
  showAll();
  choose(chosen);
}

build();
})();
