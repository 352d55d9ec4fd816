// Draws the charts of a project's insights from the table of days beside them.
(() => {
  const DAY = 86_400;
  /** Of a chart without its legend, in pixels. */
  const HEIGHT = 210;
  const rows = [...document.querySelectorAll('[data-days] tbody tr')].reverse();
  const of = (name) => rows.map((row) => (row.dataset[name] === undefined ? null : Number(row.dataset[name])));
  const days = rows.map((row) => Date.parse(row.dataset.day) / 1000);

  const dayText = (seconds) =>
    new Date(seconds * 1000).toLocaleDateString(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' });
  const percent = (value) => `${Math.round(value * 1000) / 10} %`;
  function duration(ms) {
    if (ms < 1000) return `${Math.round(ms)} ms`;
    if (ms < 60_000) return `${Math.round(ms / 100) / 10} s`;
    return `${Math.round(ms / 6000) / 10} min`;
  }

  const CHARTS = {
    'pass-rate': {
      text: percent,
      range: () => [0, 1],
      series: [
        { label: 'Tests', values: of('tests'), colour: '--rh-accent' },
        // One run a day is all or nothing: a line would only jump.
        { label: 'Suites', values: of('suites'), colour: '--rh-warn', isDots: true },
      ],
    },
    cases: {
      text: (value) => Math.round(value).toLocaleString('en'),
      range: (_chart, _low, high) => [0, high > 0 ? high * 1.1 : 1],
      series: [
        { label: 'Passed', values: of('casesPassed'), colour: '--rh-accent' },
        { label: 'Failed', values: of('casesFailed'), colour: '--rh-bad' },
      ],
    },
    duration: {
      text: duration,
      range: (_chart, _low, high) => [0, high > 0 ? high * 1.1 : 1],
      series: [{ label: 'A test', values: of('duration'), colour: '--rh-accent' }],
    },
  };

  function optionsOf({ text, range, series }, { clientWidth }) {
    const colours = getComputedStyle(document.documentElement);
    const colour = (name) => colours.getPropertyValue(name).trim();
    const font = '12px system-ui, sans-serif';
    const axis = {
      stroke: colour('--rh-muted'),
      font,
      grid: { stroke: colour('--bs-border-color'), width: 1 },
      ticks: { show: false },
    };
    return {
      width: clientWidth,
      height: HEIGHT,
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
      cursor: { drag: { x: false, y: false } },
      scales: { y: { range } },
      axes: [
        {
          ...axis,
          incrs: [1, 2, 7, 14, 28].map((count) => count * DAY),
          values: (_chart, ticks) => ticks.map(dayText),
        },
        { ...axis, size: 64, values: (_chart, ticks) => ticks.map(text) },
      ],
      series: [
        { label: 'Day', value: (_chart, day) => (day === null ? '–' : dayText(day)) },
        ...series.map(({ label, colour: name, isDots }) => ({
          label,
          stroke: colour(name),
          width: 2,
          // A day without runs breaks no line.
          spanGaps: true,
          points: { size: isDots ? 7 : 5, fill: colour(name), ...(isDots ? { show: true } : {}) },
          ...(isDots ? { paths: () => null } : {}),
          value: (_chart, value) => (value === null || value === undefined ? '–' : text(value)),
        })),
      ],
    };
  }

  const drawn = new Map();
  function draw(box) {
    drawn.get(box)?.destroy();
    const chart = CHARTS[box.dataset.chart];
    const data = [days, ...chart.series.map(({ values }) => values)];
    drawn.set(box, new uPlot(optionsOf(chart, box), data, box));
  }

  const boxes = [...document.querySelectorAll('[data-chart]')];
  for (const section of document.querySelectorAll('[data-chart-section]')) section.hidden = false;
  boxes.forEach(draw);
  const resized = new ResizeObserver((entries) => {
    for (const { target } of entries) drawn.get(target)?.setSize({ width: target.clientWidth, height: HEIGHT });
  });
  boxes.forEach((box) => resized.observe(box));
  // Another theme has other colours.
  new MutationObserver(() => boxes.forEach(draw)).observe(document.documentElement, {
    attributeFilter: ['data-bs-theme'],
  });
})();
