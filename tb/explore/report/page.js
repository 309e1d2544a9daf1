// The plots and the table of a report, from the study's rows in the element "study".
(() => {
'use strict';

const study = JSON.parse(document.getElementById('study').textContent);
const dimensions = study.dimensions;  // each axis, then the input, then the shape
const inputAt = dimensions.length - 2, shapeAt = dimensions.length - 1;
const mostLines = 60;     // drawn in one plot
const firstLines = 10;    // shown before anyone has chosen
const firstRows = 200;    // of the table
const colours = 6;
const narrow = 0.1;       // about zero, where a scale of both signs is linear
const dashes = [[], [8, 3], [2, 3], [9, 3, 2, 3]];
const dotted = [[1, 4], [1, 4, 6, 4], [1, 4, 1, 4, 6, 4], [12, 4]];

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
const firstReference = points.findIndex(point => point.reference !== '');
const valueName = (d, value) => d < inputAt || dimensions[d].numbers ? `${dimensions[d].name} = ${dimensions[d].values[value]}`
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

// Everything, unless that were too many lines to say anything: then of one dimension after the other what the chosen row
// has, as the SVG files are split.
function allowFewLines() {
  dimensions.forEach((dimension, d) => { allowed[d] = new Set(dimension.values.keys()); });
  const lines = () => allowed.reduce((product, values, d) => d === over ? product : product * values.size, 1);
  while (lines() > firstLines) {
    const free = [shapeAt, inputAt, ...Array(inputAt).keys()].filter(d => d !== over && allowed[d].size > 1);
    const enough = free.filter(d => lines() / allowed[d].size <= firstLines);
    const sizes = (enough.length ? enough : free).map(d => allowed[d].size);
    const size = enough.length ? Math.min(...sizes) : Math.max(...sizes);
    const d = (enough.length ? enough : free).find(d => allowed[d].size === size);
    allowed[d] = new Set([Math.max(chosen.place[d], 0)]);
  }
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

// --- lines ---

// As the SVG files have it: inputs have colours where there are several, what differs otherwise is dashed.
const tells = d => d !== over && allowed[d].size > 1;

function look(row) {
  const reference = row.pointIndex - firstReference;
  const coloured = tells(inputAt) ? inputAt : dimensions.findIndex((_, d) => tells(d));
  const ordinal = coloured < 0 ? (isReference(row) ? 1 + reference : 0)
      : row.place[coloured] >= 0 ? row.place[coloured] : dimensions[coloured].values.length + reference;
  if (isReference(row)) return {colour: ordinal % colours, dash: dotted[reference % dotted.length]};
  let kind = 0;
  for (const d of dimensions.keys())
    if (tells(d) && d !== coloured) kind = kind * allowed[d].size + [...allowed[d]].sort((a, b) => a - b).indexOf(row.place[d]);
  // Where the colours have all been had, they come again with the next dash.
  return {colour: ordinal % colours, dash: dashes[(kind + Math.floor(ordinal / colours)) % dashes.length]};
}

function lineName(row) {
  const names = row.place.map((value, d) => value >= 0 && tells(d) ? valueName(d, value) : '');
  return [row.point.reference, ...names].filter(name => name !== '').join(', ') || study.title;
}

// Rows along `over`, those of one line together; a reference without a place there goes all the way across.
function linesOver(shownRows, count) {
  const lines = new Map();
  for (const row of shownRows) {
    const key = JSON.stringify([isReference(row) ? row.pointIndex : -1, row.place.map((value, d) => d === over ? -1 : value)]);
    if (!lines.has(key)) lines.set(key, {name: lineName(row), ...look(row), isReference: isReference(row), rows: Array(count).fill(null)});
    const line = lines.get(key);
    if (row.place[over] < 0) line.rows.fill(row); else line.rows[row.place[over]] = row;
  }
  return [...lines.values()].sort((a, b) => a.isReference - b.isReference);
}

// --- charts ---

function colourOf(name) {
  const probe = element('span');
  probe.style.color = `var(--${name})`;
  document.body.append(probe);
  const colour = getComputedStyle(probe).color;
  probe.remove();
  return colour;
}
const faint = colour => colour.replace('rgb(', 'rgba(').replace(')', ', 0.15)');

// Every n-th of the places, zero among them where it is one, so that the labels have room.
function thinned(places, labels, width) {
  const longest = Math.max(...labels.map(label => label.length));
  const step = Math.max(1, Math.ceil(places.length * (longest * 8 + 12) / Math.max(width - 90, 1)));
  const zero = Math.max(places.indexOf(0), 0);
  return places.filter((_, i) => (i - zero) % step === 0);
}

function legendOf(lines) {
  const list = element('ul', {class: 'legend'});
  for (const line of lines) {
    const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
    const path = document.createElementNS('http://www.w3.org/2000/svg', line.bare ? 'circle' : 'path');
    for (const [name, value] of Object.entries(line.bare ? {cx: 17, cy: 5, r: 4} : {d: 'M2 5h30', 'stroke-linecap': line.isReference ? 'round' : 'butt'})) path.setAttribute(name, value);
    path.style[line.bare ? 'fill' : 'stroke'] = `var(--line${line.colour})`;
    path.style.strokeWidth = '2.5';
    path.style.strokeDasharray = line.dash.join(' ');
    svg.setAttribute('aria-hidden', 'true');
    svg.append(path);
    list.append(element('li', {}, svg, line.name));
  }
  return list;
}

// One figure: canvas, what is under the pointer, legend, note and the numbers behind it, made anew by every show().
// A picture is {xs, xLabels, xName, byFactors, yName, logarithmic, rule, lines, bars, note, describe}, where lines are
// {name, colour, dash, bare, y, low, high, rows, extra}: `bare` without a line, `extra` not for pointing at.
class Chart {
  constructor(id, chooses) {
    this.figure = byId(id);
    this.canvas = element('div', {class: 'canvas', tabindex: 0, role: 'application', 'aria-roledescription': 'plot'});
    this.after = element('div');
    this.said = element('div', {class: 'tip', role: 'status', hidden: ''});
    this.spot = element('div', {class: 'spot', hidden: ''});
    this.chooses = chooses;
    this.figure.append(this.canvas, this.after);
    this.canvas.addEventListener('keydown', event => this.key(event));
    this.canvas.addEventListener('blur', () => this.leave());
    this.canvas.addEventListener('mouseleave', () => this.leave());
    this.canvas.addEventListener('click', () => this.choose());
    new ResizeObserver(() => this.resize()).observe(this.canvas);
  }

  show(picture) {
    this.picture = picture;
    this.current = null;
    this.canvas.setAttribute('aria-label', `${picture.yName} over ${picture.xName}, ${picture.lines.filter(l => !l.extra).length} lines. ` +
        'Arrow keys go from point to point; the numbers are in the table below.');
    this.draw();
    const details = element('details', {}, element('summary', {}, 'The numbers of this plot'));
    details.addEventListener('toggle', () => { if (details.open && details.children.length === 1) details.append(this.numbers()); });
    this.after.replaceChildren(legendOf(picture.lines.filter(line => !line.extra && line.name !== '')),
                               ...(picture.note ? [element('p', {class: 'note'}, picture.note)] : []), details);
  }

  size() { return {width: Math.max(this.canvas.clientWidth, 200), height: this.canvas.clientHeight}; }

  resize() {
    const size = this.size();
    if (this.picture && (size.width !== this.plot.width || size.height !== this.plot.height)) this.draw();
  }

  draw() {
    if (this.plot) this.plot.destroy();
    const p = this.picture, ink = colourOf('ink'), grid = colourOf('grid'), size = this.size();
    const drawable = value => value !== null && Number.isFinite(value) && (!p.logarithmic || value > 0) ? value : null;
    const data = [p.xs], series = [{}], bands = [];
    for (const line of p.lines) {
      const stroke = colourOf(`line${line.colour}`);
      const y = line.y.map(drawable);
      data.push(y);
      series.push({
        stroke, width: line.bare ? 0 : line.isReference ? 2 : 1.8, dash: line.dash, spanGaps: false,
        fill: p.bars ? stroke : undefined,
        paths: line.bare ? () => null : p.bars ? uPlot.paths.bars({size: [0.85, 60]}) : line.stepped ? uPlot.paths.stepped({align: 1}) : undefined,
        points: {show: line.bare || (!p.bars && !line.stepped && !line.isReference && p.xs.length <= 64), size: line.bare ? 8 : 5, fill: stroke, stroke},
      });
      if (!line.low) continue;
      const known = side => line[side].map((value, i) => y[i] === null ? null : drawable(value));
      const invisible = {stroke: 'transparent', width: 0, points: {show: false}};
      data.push(known('low'), known('high'));
      series.push(invisible, invisible);
      bands.push({series: [series.length - 1, series.length - 2], fill: faint(stroke)});
    }
    const axis = {stroke: ink, grid: {stroke: grid, width: 1}, ticks: {stroke: grid}, font: '12px system-ui, sans-serif', labelFont: '13px system-ui, sans-serif'};
    // Lines at whole powers of ten alone, where the scale goes by them.
    const byPowers = p.logarithmic || this.isBothWays();
    const whole = (_, at) => at.map(y => !byPowers || y === 0 || Number.isInteger(parseFloat(Math.log10(Math.abs(y)).toFixed(6))) ? y : null);
    const labels = new Map(p.xs.map((x, i) => [x, p.xLabels ? p.xLabels[i] : text(x)]));
    const places = p.xLabels ? thinned(p.xs, p.xLabels, size.width) : null;
    this.plot = new uPlot({
      ...size,
      scales: {
        x: {time: false, distr: p.byFactors ? 3 : 1, log: 2, range: this.xRange()},
        y: {distr: p.logarithmic ? 3 : this.isBothWays() ? 4 : 1, asinh: narrow, range: this.yRange()},
      },
      axes: [
        {...axis, label: p.xName, ...(places ? {splits: () => places, values: () => places.map(x => labels.get(x))} : {values: (_, at) => at.map(x => x === null ? '' : text(x))})},
        {...axis, label: p.yName, size: 68, grid: {...axis.grid, filter: whole}, ticks: {...axis.ticks, filter: whole},
         ...(this.isBothWays() ? {splits: (_, axis, low, high) => this.bothWays(low, high), filter: (_, at) => at} : {}), values: (_, at) => at.map(y => y === null ? '' : p.logarithmic ? y.toExponential(0).replace('-', '−').replace('+', '') : text(y))},
      ],
      series, bands,
      legend: {show: false},
      cursor: {points: {show: false}, drag: {x: false, y: false}, y: false},
      hooks: {setCursor: [plot => this.pointed(plot)], drawAxes: [plot => this.drawRule(plot, ink)]},
    }, data, this.canvas);
    this.plot.over.append(this.spot);
    this.canvas.append(this.said);
    this.hide();
  }

  // Of a scale of both signs: powers of ten on either side of zero, about nine of them.
  bothWays(low, high) {
    const decades = size => size <= narrow ? 0 : Math.ceil(Math.log10(size / narrow) - 1e-9);
    const down = decades(-low), up = decades(high), step = Math.max(1, Math.ceil((down + up) / 9));
    const side = count => Array.from({length: Math.floor(count / step)}, (_, i) => narrow * 10 ** ((i + 1) * step));
    return [...side(down).map(y => -y).reverse(), 0, ...side(up)].filter(y => low <= y && y <= high);
  }

  xRange() {
    const {bars, byFactors, lines} = this.picture;
    if (bars) return (_, low, high) => [low - 0.6, high + 0.6];
    if (byFactors) return (_, low, high) => [low, high];
    if (lines.some(line => line.bare)) return (_, low, high) => [low - 0.03 * (high - low) - 1e-9, high + 0.03 * (high - low) + 1e-9];
    return undefined;
  }

  // Of both signs and over many decades: linear about zero and by factors beyond.
  isBothWays() {
    const {rule, lines} = this.picture;
    return rule !== undefined && lines.some(line => line.y.some(y => y !== null && Math.abs(y) > 20));
  }

  // Whole decades; of measures around zero, zero too.
  yRange() {
    const p = this.picture;
    return (_, low, high) => {
      if (low === null || high === null) return p.logarithmic ? [0.1, 1] : [0, 1];
      if (p.logarithmic) return [10 ** Math.floor(Math.log10(p.bars ? low / 2 : low)), 10 ** Math.max(Math.ceil(Math.log10(high)), Math.floor(Math.log10(low)) + 1)];
      const least = p.rule === undefined ? low : Math.min(low, p.rule), greatest = p.rule === undefined ? high : Math.max(high, p.rule);
      if (this.isBothWays()) return [least < 0 ? least * 1.5 : -narrow, greatest > 0 ? greatest * 1.5 : narrow];
      if (p.percent) return [Math.max(-2, least - 2), Math.min(102, greatest + 2)];
      const room = (greatest - least) * 0.06 || Math.abs(greatest) * 0.1 || 1;
      return [least - room, greatest + room];
    };
  }

  drawRule(plot, ink) {
    if (this.picture.rule === undefined) return;
    const y = Math.round(plot.valToPos(this.picture.rule, 'y', true)), {ctx, bbox} = plot;
    if (y < bbox.top || y > bbox.top + bbox.height) return;
    ctx.save();
    ctx.strokeStyle = ink;
    ctx.beginPath();
    ctx.moveTo(bbox.left, y);
    ctx.lineTo(bbox.left + bbox.width, y);
    ctx.stroke();
    ctx.restore();
  }

  // Where a line's i-th point is, in CSS pixels of the plotting area; null where it is not drawn.
  position(line, i) {
    const y = line.y[i];
    if (line.extra || y === null || !Number.isFinite(y) || (this.picture.logarithmic && y <= 0)) return null;
    return {left: this.plot.valToPos(this.picture.xs[i], 'x'), top: this.plot.valToPos(y, 'y')};
  }

  // What is nearest to the pointer: of the nearest x, except where points lie anywhere.
  pointed(plot) {
    const {left, top, idx} = plot.cursor;
    if (left < 0 || idx === null || idx === undefined) return;
    let nearest = null, least = Infinity;
    const isBare = this.picture.lines.some(line => line.bare);
    for (const line of this.picture.lines) {
      for (const i of isBare ? this.picture.xs.keys() : [idx]) {
        const at = this.position(line, i);
        const distance = at ? Math.hypot(at.left - left, at.top - top) : Infinity;
        if (distance < least) { least = distance; nearest = {line, i}; }
      }
    }
    if (nearest) this.point(nearest);
  }

  point(current) {
    const at = this.position(current.line, current.i);
    if (!at) return;
    this.current = current;
    this.spot.hidden = this.said.hidden = false;
    this.spot.style.left = `${at.left}px`;
    this.spot.style.top = `${at.top}px`;
    const [title, ...facts] = this.picture.describe(current.line, current.i);
    this.said.replaceChildren(element('b', {}, title), ...facts.map(fact => element('span', {}, fact)));
    const origin = this.plot.over.offsetLeft, room = this.canvas.clientWidth - this.said.offsetWidth;
    const right = origin + at.left + 14;
    this.said.style.left = `${Math.max(0, right <= room ? right : Math.min(room, origin + at.left - 14 - this.said.offsetWidth))}px`;
    this.said.style.top = `${Math.max(0, Math.min(at.top + 14, this.canvas.clientHeight - this.said.offsetHeight))}px`;
  }

  hide() { this.spot.hidden = this.said.hidden = true; }
  leave() { this.current = null; this.hide(); }
  choose() { if (this.current && this.chooses) this.chooses(this.current.line.rows[this.current.i]); }

  key(event) {
    const step = {ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0]}[event.key];
    if (event.key === 'Enter') this.choose();
    if (event.key === 'Escape') this.leave();
    if (!step) return;
    event.preventDefault();
    const lines = this.picture.lines.filter(line => !line.extra), count = this.picture.xs.length;
    let line = this.current ? lines.indexOf(this.current.line) : 0, i = this.current ? this.current.i : step[1] < 0 ? count : -1;
    if (!this.current && step[0] !== 0) i = 0;
    // Past what is not drawn, to the next that is; at the end it stays.
    do {
      line += step[0], i += step[1];
      if (line < 0 || i < 0 || line >= lines.length || i >= count) return;
    } while (!this.position(lines[line], i));
    this.point({line: lines[line], i});
  }

  numbers() {
    const p = this.picture, lines = p.lines.filter(line => !line.extra);
    const head = element('tr', {}, element('th', {scope: 'col'}, p.xName), ...lines.map(line => element('th', {scope: 'col'}, line.name || p.yName)));
    const body = p.xs.map((x, i) => element('tr', {}, element('th', {scope: 'row'}, p.xLabels ? p.xLabels[i] : text(x)),
                                            ...lines.map(line => element('td', {}, text(line.y[i])))));
    return element('div', {class: 'box', tabindex: 0, role: 'region', 'aria-label': 'The numbers of this plot'},
                   element('table', {}, element('thead', {}, head), element('tbody', {}, ...body)));
  }
}

function describeRow(row, m) {
  const others = study.measures.map((_, i) => i).filter(i => i !== m);
  const input = dimensions[inputAt].values[row.place[inputAt]], shape = valueName(shapeAt, row.place[shapeAt]);
  return [`${row.point.name}, ${input}, ${shape}`, `${study.measures[m].name}: ${measureWithInterval(row, m)}`,
          ...others.map(i => `${study.measures[i].name}: ${measureText(row, i)}`)];
}

// --- the plots ---

function overPicture(m) {
  const dimension = dimensions[over], measure = study.measures[m];
  const all = linesOver(rows.filter(isShown), dimension.values.length);
  const lines = all.slice(0, mostLines);
  const order = [...dimension.values.keys()].filter(i => allowed[over].has(i));
  if (dimension.numbers) order.sort((i, j) => dimension.numbers[i] - dimension.numbers[j]);
  const xs = order.map((i, place) => dimension.numbers ? dimension.numbers[i] : place);
  for (const line of lines) {
    line.rows = order.map(i => line.rows[i]);
    const value = which => line.rows.map(row => row && shown(m, row.estimates[m][which]));
    line.y = value(0);
    if (!line.isReference) { line.low = value(1); line.high = value(2); }
  }
  const logarithmic = measure.scale === 'logarithmic';
  const missing = lines.some(line => line.y.some(y => y !== null && (!Number.isFinite(y) || (logarithmic && y === 0))));
  const one = [...dimensions.keys()].filter(d => d !== over && allowed[d].size === 1 && dimensions[d].values.length > 1);
  const note = [
    one.map(d => `Of ${dimensions[d].name} this is ${[...allowed[d]].map(value => dimensions[d].values[value])} alone.`).join(' '),
    all.length > lines.length ? `${all.length} lines fit what is shown; these are the first ${lines.length}.` : '',
    missing ? `Values that have no place here (${logarithmic ? 'zero, ' : ''}infinite or NaN) are left out; the table has them.` : '',
  ].join(' ').trim();
  return {
    xs, xLabels: order.map(i => dimension.values[i]), xName: dimension.name, byFactors: xs.length > 1 && dimension.by_factors,
    yName: measure.name, percent: isPercent(m), logarithmic, rule: measure.scale === 'around_zero' ? 0 : undefined, lines, note,
    describe: (line, i) => describeRow(line.rows[i], m),
  };
}

// The least distance of a bin: "8" of 8 to 15.
const binText = bin => bin === 0 ? '0' : (bin < 0 ? '−' : '') + (Math.abs(bin) <= 14 ? 2 ** (Math.abs(bin) - 1) : `2^${Math.abs(bin) - 1}`);
function binRange(bin) {
  const size = Math.abs(bin), side = bin < 0 ? 'below' : 'above';
  if (bin === 0) return 'correctly rounded';
  if (size === 1) return `1 ulp ${side}`;
  return size === study.zero ? `${2 ** (size - 1)} ulps or more ${side}` : `${2 ** (size - 1)} to ${2 ** size - 1} ulps ${side}`;
}

function ulpsPicture() {
  const xs = [], counts = [], [first, ...bins] = chosen.histogram;
  const reach = Math.max(8, Math.abs(first - study.zero), Math.abs(first + bins.length - 1 - study.zero));
  for (let bin = -reach; bin <= reach; ++bin) { xs.push(bin); counts.push(bins[bin + study.zero - first] || 0); }
  const total = counts.reduce((sum, count) => sum + count, 0) || 1;
  const special = chosen.special ? ` ${chosen.special} results are NaN or infinite where the exact one is not.` : '';
  return {
    xs, xLabels: xs.map(binText), xName: 'ulps from the correctly rounded result', yName: 'share of results (%)', logarithmic: true, bars: true,
    lines: [{name: '', colour: 0, dash: [], y: counts.map(count => 100 * count / total), rows: xs.map(() => chosen)}],
    note: `${describeRow(chosen, 0)[0]}: ${chosen.results} results.${special}`,
    describe: (line, i) => [binRange(xs[i]), `${counts[i]} of ${total} results`, `${text(line.y[i])} %`],
  };
}

function costPicture() {
  const withCost = rows.filter(row => isShown(row) && row.point.cost).sort((a, b) => a.point.cost[1] - b.point.cost[1]);
  const groups = new Map();
  for (const row of withCost) {
    const key = [row.place[shapeAt], row.place[inputAt]].join();
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(row);
  }
  const lines = [...groups.entries()].sort(([a], [b]) => a < b ? -1 : 1).slice(0, mostLines).flatMap(([, group], g) => {
    const members = new Set(group), mine = withCost.map(row => members.has(row) ? row : null);
    let best = Infinity;
    const front = mine.map(row => row && row.estimates[0][0] < best ? (best = row.estimates[0][0]) : null);
    const name = [inputAt, shapeAt].map(d => valueName(d, group[0].place[d])).join(', ');
    // A front goes on past the points behind it.
    const stairs = front.map((y, i) => y !== null ? y : front.slice(0, i).reduce((last, one) => one ?? last, null));
    return [{name, colour: g % colours, dash: [], bare: true, y: mine.map(row => row && row.estimates[0][0]), rows: mine, front},
            {name: '', colour: g % colours, dash: dashes[Math.floor(g / colours) % dashes.length], extra: true, stepped: true, y: stairs, rows: mine}];
  });
  return {
    xs: withCost.map(row => row.point.cost[1]), xName: 'area (square micrometres)', yName: study.measures[0].name, logarithmic: true, lines,
    note: 'The stairs join the points of which no other is both smaller and more exact.',
    describe: (line, i) => {
      const row = line.rows[i], [cells, area, depth, delay] = row.point.cost;
      return [...describeRow(row, 0).slice(0, 2), `area: ${text(area)} µm²`, `cells: ${cells}`, `longest path: ${depth} cells, ${text(delay)} ns`,
              line.front[i] === null ? 'behind the front' : 'on the front'];
    },
  };
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

const charts = {};

function choose(row) {
  if (!row) return;
  chosen = row;
  byId('point').value = row.pointIndex;
  byId('input').value = row.place[inputAt];
  byId('shape').value = row.place[shapeAt];
  charts.ulps.show(ulpsPicture());
  document.querySelectorAll('#rows tr.chosen').forEach(one => one.classList.remove('chosen'));
  document.querySelectorAll(`#rows tr[data-row="${row.index}"]`).forEach(one => one.classList.add('chosen'));
}

function showCost() {
  const picture = costPicture(), reasons = [...new Set(points.flatMap(point => point.cost || !point.why ? [] : [point.why]))];
  const some = points.some(point => point.cost);
  byId('cost').hidden = !some;
  byId('no-cost').textContent = [some ? '' : 'No point of this study has a cost.', reasons.length && some ? 'Without a cost:' : '', ...reasons.slice(0, 5)].join(' ').trim();
  if (some) charts.cost.show(picture);
}

const showError = () => charts.error.show(overPicture(Number(byId('measure').value)));
const showBias = () => charts.bias.show(overPicture(Number(byId('bias-measure').value)));

function showAll() {
  showError();
  showBias();
  showCost();
  showTable();
}

function redraw() { for (const chart of Object.values(charts)) if (chart.picture) chart.draw(); }

// On paper everything is light and as wide as a sheet, whatever the screen is.
function fitPaper() {
  const root = document.documentElement;
  let before = null;
  const set = printing => {
    if (printing === (before !== null)) return;
    if (printing) { before = root.dataset.theme || ''; root.dataset.theme = 'light'; }
    else { before ? root.dataset.theme = before : delete root.dataset.theme; before = null; }
    root.classList.toggle('paper', printing);
    redraw();
  };
  addEventListener('beforeprint', () => set(true));
  addEventListener('afterprint', () => set(false));
  matchMedia('print').addEventListener('change', event => set(event.matches));
}

function buildTheme() {
  const root = document.documentElement, system = matchMedia('(prefers-color-scheme: dark)'), button = byId('theme');
  const isDark = () => root.dataset.theme ? root.dataset.theme === 'dark' : system.matches;
  const name = () => { button.textContent = isDark() ? 'Light' : 'Dark'; };
  button.addEventListener('click', () => { root.dataset.theme = isDark() ? 'light' : 'dark'; name(); redraw(); });
  system.addEventListener('change', () => { name(); redraw(); });
  name();
}

function build() {
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
  charts.error = new Chart('error', choose);
  charts.bias = new Chart('bias', choose);
  charts.ulps = new Chart('ulps', null);
  charts.cost = new Chart('cost', choose);
  byId('measure').addEventListener('change', showError);
  byId('bias-measure').addEventListener('change', showBias);
  byId('over').addEventListener('change', event => {
    over = Number(event.target.value);
    allowFewLines();
    buildFilters();
    showAll();
  });
  for (const id of ['point', 'input', 'shape']) {
    byId(id).addEventListener('change', () => choose(rows.find(row => row.pointIndex === Number(byId('point').value) &&
        row.place[inputAt] === Number(byId('input').value) && row.place[shapeAt] === Number(byId('shape').value))));
  }
  allowFewLines();
  buildFilters();
  buildTable();
  buildTheme();
  fitPaper();
  showAll();
  choose(chosen);
}

build();
})();
