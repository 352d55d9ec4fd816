import path from 'node:path';
import { parseArgs } from 'node:util';
import { check } from './texts/check.mjs';
import { readTexts } from './texts/read-texts.mjs';

const USAGE = `npm run texts -- [options]
Lists every text that users may see, with file and line, by area.
  --check        list the phrases that may not come back (texts, comments, names, Markdown), with what to write instead;
                 exits with 1 when there are any
  --area <name>  only this area
  --path <path>  only files whose path begins so
  --json         as JSON`;

const { values } = parseArgs({
  options: {
    check: { type: 'boolean' },
    area: { type: 'string' },
    path: { type: 'string', default: '' },
    json: { type: 'boolean' },
    help: { type: 'boolean' },
  },
});

if (values.help) {
  console.log(USAGE);
} else {
  const written = readTexts(path.resolve(import.meta.dirname, '..'), { isComplete: values.check });
  const all = values.check ? check(written) : written.texts;
  const shown = all
    .filter(({ area, file }) => (!values.area || area === values.area) && file.startsWith(values.path))
    .sort((a, b) => (a.area === b.area ? 0 : a.area < b.area ? -1 : 1));
  console.log(values.json ? JSON.stringify(shown, undefined, 2) : plain(shown));
  if (values.check && shown.length > 0) process.exitCode = 1;
}

/** One line each below their area, then the counts. */
function plain(shown) {
  const lines = [...grouped(shown, ({ area }) => area)].flatMap(([area, ones]) => [
    `\n## ${area}: ${ones.length}`,
    ...ones.map(lineOf),
  ]);
  return [...lines, ...countsOf(shown, 'area'), ...countsOf(shown, 'rule'), ...countsOf(shown, 'folder')].join('\n');
}

/** `Map.groupBy`, which Node 20 lacks. */
function grouped(items, keyOf) {
  const groups = new Map();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}

function lineOf({ file, line, text, rule, excerpt, found, instead }) {
  if (rule) return `${file}:${line}  [${rule}] “${found}” in: ${excerpt}  → ${instead}`;
  return `${file}:${line}  ${text.replaceAll(/\s*\n\s*/g, ' ⏎ ')}`;
}

function countsOf(shown, key) {
  const keyOf = (one) => (key === 'folder' ? path.dirname(one.file) : one[key]);
  const counts = [...grouped(shown, keyOf)].filter(([name]) => name).map(([name, ones]) => [name, ones.length]);
  if (counts.length === 0) return [];
  const sum = counts.reduce((total, [, count]) => total + count, 0);
  return [
    `\n## by ${key}: ${sum}`,
    ...counts.toSorted(([, a], [, b]) => b - a).map(([name, count]) => `${String(count).padStart(6)}  ${name}`),
  ];
}
