import fs from 'node:fs';
import path from 'node:path';
import { extract } from './extract.mjs';

const CODE = ['src', 'workflows', 'activities', 'tools', 'scripts', 'test'];
const DOCS = ['README.md', 'CONTRIBUTING.md', 'docs', 'examples'];
/** Files that name the phrases themselves, and recorded ones. */
const LEFT_OUT = /^scripts\/texts\/|^test\/scripts\/texts\/|^test\/histories\/|\.d\.m?ts$|\.min\.js$/;

/** The first that fits. */
const AREAS = [
  [/^test\//, 'tests'],
  [/^(src\/server\/(forms|pages|live)|src\/web)\//, 'web'],
  [/^src\/server\/(api|routes\/api)\//, 'api'],
  [/^src\/cli\//, 'cli'],
  [/^(tools|scripts)\//, 'stack'],
  [/^(activities|src\/runner)\//, 'attempts'],
  [/^workflows\//, 'workflows'],
  [/^src\/(config\.ts$|bin\/)/, 'configuration'],
  [/./, 'services'],
];

/** By the use of a text, where that says more than its file. */
const AREAS_OF_USE = { log: 'logs', metric: 'metrics' };

/**
 * @typedef {import('./extract.mjs').Found & { file: string, area: string }} Text
 * @typedef {{ texts: Text[], others: Text[], docs: { file: string, text: string }[] }} Written
 */

/**
 * Everything written in the repository: texts that users may see, the rest of the code (comments, names), and Markdown.
 * @param {string} root the repository
 * @param {{ isComplete?: boolean }} [options] with tests and Markdown
 * @returns {Written}
 */
export function readTexts(root, { isComplete = false } = {}) {
  const written = CODE.filter((folder) => isComplete || folder !== 'test')
    .flatMap((folder) => filesUnder(root, folder))
    .filter((file) => /\.([mc]?[jt]s|tsx)$/.test(file) && !LEFT_OUT.test(file))
    .flatMap((file) => {
      const found = extract(file, fs.readFileSync(path.join(root, file), 'utf8'));
      return found.map((one) => ({ ...one, file, area: areaOf(file, one.use) }));
    });
  const docs = (isComplete ? DOCS : [])
    .flatMap((folder) => filesUnder(root, folder))
    .filter((file) => file.endsWith('.md'))
    .map((file) => ({ file, text: proseOf(fs.readFileSync(path.join(root, file), 'utf8')) }));
  const isText = ({ place, area }) => place === 'text' && area !== 'tests';
  return { texts: written.filter(isText), others: written.filter((one) => !isText(one)), docs };
}

/** Which users read a text of this file. */
export function areaOf(file, use) {
  const [, area] = AREAS.find(([pattern]) => pattern.test(file));
  return area === 'tests' ? area : (AREAS_OF_USE[use] ?? area);
}

/** Markdown with blanks for its code, every line where it was. */
export function proseOf(markdown) {
  return markdown
    .replaceAll(/^(`{3,})[^\n]*\n[\s\S]*?^\1[ \t]*$/gm, (code) => code.replaceAll(/[^\n]/g, ' '))
    .replaceAll(/`[^`\n]+`|\]\([^)\n]*\)/g, (code) => '·'.repeat(code.length));
}

/** Paths relative to the repository; a file stands for itself. */
function filesUnder(root, name) {
  const full = path.join(root, name);
  if (!fs.existsSync(full)) return [];
  if (fs.statSync(full).isFile()) return [name];
  return fs
    .readdirSync(full, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath ?? entry.path, entry.name)))
    .sort();
}
