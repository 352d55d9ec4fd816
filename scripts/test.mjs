// `npm test`: types, lint, formatting and every test; prints last `N passed, N failed, N skipped`.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'runhook-test-'));
const total = { passed: 0, failed: 0, skipped: 0 };
/** Repeated at the end of the output. */
const problems = [];

/** Each is a program of the project's own; a level of tests reports its counts. */
const steps = [
  { name: 'types', program: 'tsc', args: ['--noEmit', '-p', 'tsconfig.json'] },
  { name: 'lint', program: 'eslint', args: ['--cache', '--cache-location', 'node_modules/.cache/eslint/', '.'] },
  { name: 'formatting', program: 'prettier', args: ['--check', '--log-level', 'warn', '.'] },
  { name: 'unit tests', program: 'mocha', args: ['--config', '.mocharc.json'], counted: true },
  { name: 'parts with their servers', program: 'mocha', args: ['--config', 'test/src/.mocharc.json'], counted: true },
  { name: 'runners and sources', program: 'mocha', args: ['--config', 'test/activities/.mocharc.json'], counted: true },
  { name: 'workflow tests', program: 'mocha', args: ['--config', 'test/workflows/.mocharc.json'], counted: true },
  { name: 'whole stack', program: 'mocha', args: ['--config', 'test/e2e/.mocharc.json'], counted: true },
  { name: 'browser', program: 'mocha', args: ['--config', 'test/browser/.mocharc.json'], counted: true },
  { name: 'chaos', program: 'mocha', args: ['--config', 'test/chaos/.mocharc.json'], counted: true },
];

function run({ program, args }, counts) {
  const more = counts
    ? ['--reporter', 'test/support/counting-reporter.cjs', '--reporter-option', `counts=${counts}`]
    : [];
  return new Promise((resolve) => {
    const child = spawn(join(root, 'node_modules/.bin', program), [...args, ...more], { cwd: root, stdio: 'inherit' });
    child.once('error', (error) => resolve(`could not be started: ${error.message}`));
    child.once('exit', (code, signal) => resolve(code === 0 ? undefined : `ended with ${signal ?? `status ${code}`}`));
  });
}

/** What a level counted; a level that died before it could counts as one failure. */
function countsOf(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return { passed: 0, failed: 1, skipped: 0 };
  }
}

for (const [index, step] of steps.entries()) {
  const began = Date.now();
  console.log(`\n— ${step.name}`);
  const file = step.counted ? join(folder, `${index}.json`) : undefined;
  const problem = await run(step, file);
  const counts = file ? countsOf(file) : { passed: 0, failed: problem ? 1 : 0, skipped: 0 };
  if (problem && counts.failed === 0) counts.failed = 1;
  for (const key of Object.keys(total)) total[key] += counts[key];
  problems.push(...(counts.problems ?? (problem ? ['see above'] : [])).map((text) => `${step.name}: ${text}`));
  console.log(`— ${step.name}: ${problem ?? 'done'} after ${((Date.now() - began) / 1000).toFixed(0)} s`);
}
rmSync(folder, { recursive: true });
if (problems.length > 0) console.log(`\nWhat failed:\n${problems.map((text) => `- ${text}`).join('\n')}`);
console.log(`\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exitCode = total.failed > 0 ? 1 : 0;
