// SPDX-License-Identifier: MIT
// What moves in the page: figures on hovering, lines that can be hidden, downloads. All numbers come from the
// tables in the element #data; text goes into the page as text, never as markup.
'use strict';
(() => {
  const tables = JSON.parse(document.getElementById('data').textContent);
  const tip = document.getElementById('tip');

  // ---- downloads
  const rowsOf = table => table.groups.flatMap(group => group.rows.map(row => group.key.concat(row)));
  const isNumber = text => /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text);
  const csvField = value => {
    // a spreadsheet takes text that starts so for a formula, and executes it
    const isFormula = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) && !isNumber(value);
    const text = value === null ? '' : (isFormula ? "'" : '') + String(value);
    return /[",\r\n]/.test(text) ? '"' + text.replaceAll('"', '""') + '"' : text;
  };
  const toCsv = table => [table.columns, ...rowsOf(table)].map(row => row.map(csvField).join(',') + '\n').join('');
  const toJson = table =>
    JSON.stringify(rowsOf(table).map(row => Object.fromEntries(table.columns.map((c, i) => [c, row[i]]))), null, 1) + '\n';
  const save = (name, type, text) => {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([text], {type}));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  };
  for (const button of document.querySelectorAll('button[data-table]')) {
    button.addEventListener('click', () => {
      const {table, as} = button.dataset;
      const isCsv = as === 'csv';
      save(`${table}.${as}`, isCsv ? 'text/csv' : 'application/json', (isCsv ? toCsv : toJson)(tables[table]));
    });
  }

  // ---- lines that can be hidden
  for (const button of document.querySelectorAll('button[data-toggle]')) {
    button.addEventListener('click', () => {
      const isShown = button.getAttribute('aria-pressed') === 'false';
      button.setAttribute('aria-pressed', String(isShown));
      for (const line of button.closest('[data-scope]').querySelectorAll('[data-line]')) {
        if (line.dataset.line === button.dataset.toggle) {
          line.classList.toggle('off', !isShown);
        }
      }
    });
  }

  // ---- hovering
  const cellColumns = 6;
  const timesOfCell = new Map();
  for (const group of tables.times?.groups ?? []) {
    const key = JSON.stringify(group.key.slice(0, cellColumns));
    if (!timesOfCell.has(key)) {
      timesOfCell.set(key, []);
    }
    timesOfCell.get(key).push(group);
  }
  const digits = number => Number(number.toPrecision(3)).toString();
  const timeText = us =>
    us === null ? '' : us >= 999500 ? digits(us / 1e6) + ' s' : us >= 999.5 ? digits(us / 1e3) + ' ms' : digits(us) + ' us';
  const scaleOf = text => {
    const [from, to, low, high] = text.split(' ').map(Number);
    return {
      position: value => from + (to - from) * (Math.log2(value) - low) / (high - low),
      value: position => 2 ** (low + (high - low) * (position - from) / (to - from)),
    };
  };
  const nearest = (sizes, bytes) =>
    sizes.reduce((a, b) => Math.abs(Math.log(b / bytes)) < Math.abs(Math.log(a / bytes)) ? b : a);
  const pointIn = (svg, event) => new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());

  const show = (event, title, rows) => {
    tip.replaceChildren();
    const head = document.createElement('b');
    head.textContent = title;
    const body = document.createElement('table');
    for (const {cells, isNear} of rows) {
      const line = body.insertRow();
      line.className = isNear ? 'near' : '';
      for (const cell of cells) {
        line.insertCell().textContent = cell;
      }
    }
    tip.append(head, body);
    tip.hidden = false;
    const {width, height} = tip.getBoundingClientRect();
    tip.style.left = Math.max(4, Math.min(event.clientX + 14, innerWidth - width - 4)) + 'px';
    tip.style.top = Math.max(4, event.clientY + 18 + height > innerHeight ? event.clientY - height - 10 : event.clientY + 18) + 'px';
  };
  const hide = () => {
    tip.hidden = true;
    document.querySelector('.cursor')?.remove();
  };
  const drawCursor = (svg, x, [bottom, top]) => {
    document.querySelector('.cursor')?.remove();
    const line = document.createElementNS(svg.namespaceURI, 'line');
    for (const [name, value] of Object.entries({x1: x, x2: x, y1: top, y2: bottom, class: 'cursor'})) {
      line.setAttribute(name, value);
    }
    svg.append(line);
  };

  const hoverCurves = (svg, event) => {
    const groups = timesOfCell.get(JSON.stringify(tables.choices.groups[svg.dataset.cell].key));
    const x = scaleOf(svg.dataset.x);
    const y = scaleOf(svg.dataset.y);
    const point = pointIn(svg, event);
    const sizes = [...new Set(groups.flatMap(group => group.rows.map(row => row[0])))].filter(size => size > 0);
    const bytes = nearest(sizes, x.value(point.x));
    const found = groups.flatMap(group => group.rows.filter(row => row[0] === bytes).map(row => ({algorithm: group.key[cellColumns], row})));
    found.sort((a, b) => a.row[1] - b.row[1]);
    const distance = ({row}) => Math.abs(y.position(row[1] / 1e6) - point.y);
    const near = found.reduce((a, b) => distance(b) < distance(a) ? b : a);
    drawCursor(svg, x.position(bytes), svg.dataset.y.split(' '));
    show(event, `${bytes} bytes`, found.map(entry => {
      const [, median, low, high, samples, predicted] = entry.row;
      return {
        isNear: entry === near,
        cells: [entry.algorithm, timeText(median), low === null || high === null ? '' : `${timeText(low)} to ${timeText(high)}`,
                `n ${samples}`, predicted === null ? '' : `model ${timeText(predicted)}`],
      };
    }));
  };
  const hoverGains = (svg, event) => {
    const row = event.target.closest('[data-cell]');
    if (!row) {
      hide();
      return;
    }
    const group = tables.choices.groups[row.dataset.cell];
    const bytes = nearest(group.rows.map(r => r[0]), scaleOf(svg.dataset.x).value(pointIn(svg, event).x));
    const [, algorithm, byRule, factor, isVerified] = group.rows.find(r => r[0] === bytes);
    const [network, nodes, ppn] = group.key;
    show(event, `${bytes} bytes on ${network} ${nodes}x${ppn}`, [
      {cells: [byRule ? `rule: ${algorithm}` : `left to the library${algorithm ? ': ' + algorithm : ''}`]},
      {cells: [factor === null ? 'the gain is not known' : `default / tuned ${factor}${isVerified ? ', verified' : ''}`]},
    ]);
  };

  // Fields of a map: which layout and size it is, and what the field says about its rule
  for (const title of document.querySelectorAll('svg[data-kind=layouts] title')) {
    title.parentNode.dataset.tip = title.textContent;
    title.remove();  // the browser's own tooltip would be shown, too
  }
  const hoverLayouts = (svg, event) => {
    const rule = event.target.closest('[data-tip]');
    if (!rule) {
      hide();
      return;
    }
    const grid = JSON.parse(svg.dataset.grid);
    const point = pointIn(svg, event);
    const within = (list, position, length) =>
      Math.max(0, Math.min(list.length - 1, Math.floor(position / length)));
    const left = grid.lefts.findLast(x => x <= point.x) ?? grid.lefts[0];
    const panel = Math.max(0, grid.bottoms.findIndex(y => point.y <= y));
    const nodes = grid.nodes[within(grid.nodes, point.x - left, grid.width)];
    const ppn = grid.ppn[within(grid.ppn, grid.bottoms[panel] - point.y, grid.height)];
    const mapping = grid.mapping === 'block' ? '' : ' ' + grid.mapping;
    show(event, `${nodes} x ${ppn}${mapping}, ${grid.bytes[panel]} bytes`, rule.dataset.tip.split('\n').map(line => ({cells: [line]})));
  };

  // ---- traces: what they show is in their attributes, with times in microseconds
  const linear = text => {
    const [from, to, longest] = text.split(' ').map(Number);
    return us => from + (to - from) * us / longest;
  };
  const distanceTo = (point, [x1, y1], [x2, y2]) => {
    const length = (x2 - x1) ** 2 + (y2 - y1) ** 2;
    const part = length === 0 ? 0 : Math.max(0, Math.min(1, ((point.x - x1) * (x2 - x1) + (point.y - y1) * (y2 - y1)) / length));
    return Math.hypot(point.x - x1 - part * (x2 - x1), point.y - y1 - part * (y2 - y1));
  };
  const reach = 12;  // units of the figure
  // The entry that is nearest to the point, if it is near
  const nearestOf = (entries, distance) => {
    if (entries.length === 0) return null;  // a call without messages
    const best = entries.reduce((a, b) => distance(b) < distance(a) ? b : a);
    return distance(best) <= reach ? best : null;
  };
  const hoverMessages = (svg, event) => {
    const x = linear(svg.dataset.x);
    const [top, lane] = svg.dataset.y.split(' ').map(Number);
    const y = place => top + lane * (place + .5);
    const ranks = JSON.parse(svg.dataset.ranks);
    const point = pointIn(svg, event);
    const found = nearestOf(JSON.parse(svg.dataset.messages), ([from, to, , , sent, received]) =>
      distanceTo(point, [x(sent), y(from)], [x(received), y(to)]));
    if (!found) {
      hide();
      return;
    }
    const [from, to, bytes, stage, sent, received, began] = found;
    show(event, `rank ${ranks[from]} to rank ${ranks[to]}`, [
      {cells: ['bytes', bytes]},
      {cells: ['stage', stage]},
      {cells: ['sent at', timeText(sent)]},
      {cells: ['both were there at', timeText(began)]},
      {cells: ['received at', timeText(received)]},
    ]);
  };
  const hoverTimemap = (svg, event) => {
    const x = linear(svg.dataset.x);
    const [top, bottom] = svg.dataset.y.split(' ').map(Number);
    const point = pointIn(svg, event);
    const points = JSON.parse(svg.dataset.lines).flatMap(({label, ends}) => ends.map((us, i) => (
      {label, us, took: us - (ends[i - 1] ?? 0), stage: i + 1, stages: ends.length,
       at: [x(us), top + (bottom - top) * (i + 1) / ends.length]})));
    const found = nearestOf(points, ({at}) => distanceTo(point, at, at));
    if (!found) {
      hide();
      return;
    }
    show(event, found.label, [
      {cells: [found.stage === found.stages ? 'exit' : `stage ${found.stage} is done`, timeText(found.us)]},
      {cells: ['it takes', timeText(found.took)]},
    ]);
  };
  const hovers = {curves: hoverCurves, gains: hoverGains, layouts: hoverLayouts, messages: hoverMessages, timemap: hoverTimemap};
  for (const svg of document.querySelectorAll('svg[data-kind]')) {
    const hover = hovers[svg.dataset.kind];
    if (hover) {
      for (const name of ['pointermove', 'pointerdown']) {
        svg.addEventListener(name, event => hover(svg, event));
      }
      svg.addEventListener('pointerleave', hide);
    }
  }
  document.addEventListener('scroll', hide, {passive: true});
})();
