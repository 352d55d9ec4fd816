import fs from 'node:fs';
import path from 'node:path';
import { createHash } from 'node:crypto';
import { run } from './run.mjs';
import { withProgress } from './progress.mjs';

const SOURCE_FOLDERS = ['src', 'workflows', 'activities', 'tools', 'scripts/lib', 'examples/ci'];
const SETTINGS = ['package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json'];
const STAMP = 'dist/.build-stamp';
const BUNDLE = 'dist/workflow-bundle.js';

/**
 * Compiles into dist/, copies static files and prebuilds the workflow bundle; nothing when no source has changed.
 * @param {string} root the repository
 * @returns {Promise<boolean>} whether anything was built
 * @throws {Error} with the compiler's messages
 */
export async function build(root) {
  const sources = SOURCE_FOLDERS.flatMap((folder) => filesUnder(root, folder));
  const outputs = sources.map(outputOf).filter(Boolean);
  const hash = hashOf(root, [...sources, ...SETTINGS]);
  const stamp = path.join(root, STAMP);
  const complete = [...outputs, BUNDLE].every((file) => fs.existsSync(path.join(root, file)));
  if (complete && fs.existsSync(stamp) && fs.readFileSync(stamp, 'utf8') === hash) return false;

  // Removed first and written last: a build killed half-way is begun again.
  fs.rmSync(stamp, { force: true });
  // The compiler does not write again what it believes to be there.
  if (!complete) fs.rmSync(path.join(root, 'dist/build.tsbuildinfo'), { force: true });
  writeImports(root);
  await withProgress('Compiling', () =>
    runNode(root, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json']),
  );
  for (const file of sources.filter((file) => !isTypeScript(file))) copy(root, file);
  removeStale(root, new Set(outputs));
  await withProgress('Bundling the workflows', () => runNode(root, ['dist/src/bin/bundle-workflows.js', BUNDLE]));
  fs.writeFileSync(stamp, hash);
  return true;
}

/**
 * Gives dist/ a package.json of its own with the same `imports`: Node resolves `#src/…` from the nearest one, so compiled
 * code imports compiled code, and sources run by tsx import sources.
 */
function writeImports(root) {
  const { type, imports } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'));
  fs.mkdirSync(path.join(root, 'dist'), { recursive: true });
  fs.writeFileSync(path.join(root, 'dist/package.json'), JSON.stringify({ type, imports }, null, 2));
}

const isTypeScript = (file) => /\.m?tsx?$/.test(file);

/** The file in dist/ of a source; undefined for type declarations. */
function outputOf(file) {
  if (/\.d\.m?ts$/.test(file)) return undefined;
  return path.join('dist', file.replace(/\.tsx?$/, '.js'));
}

function runNode(root, args) {
  return run(process.execPath, args, { cwd: root, logFile: path.join(root, '.runhook/logs/build.log') });
}

function copy(root, file) {
  const target = path.join(root, 'dist', file);
  fs.mkdirSync(path.dirname(target), { recursive: true });
  fs.copyFileSync(path.join(root, file), target);
}

/** Removes output of deleted sources from dist/, so that no import or test finds it. */
function removeStale(root, outputs) {
  for (const folder of SOURCE_FOLDERS) {
    for (const file of filesUnder(root, path.join('dist', folder))) {
      if (!outputs.has(file.replace(/\.map$/, ''))) fs.rmSync(path.join(root, file));
    }
  }
}

function hashOf(root, files) {
  const hash = createHash('sha256');
  for (const file of files.toSorted()) {
    hash.update(`${file}\0`);
    hash.update(fs.readFileSync(path.join(root, file)));
  }
  return hash.digest('hex');
}

/** Paths relative to the repository. */
function filesUnder(root, folder) {
  if (!fs.existsSync(path.join(root, folder))) return [];
  return fs
    .readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath ?? entry.path, entry.name)));
}
