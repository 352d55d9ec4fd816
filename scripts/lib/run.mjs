import fs from 'node:fs';
import path from 'node:path';
import { spawn } from 'node:child_process';

const [HEAD_LINES, TAIL_LINES] = [4, 10];

/**
 * Runs a program to its end with its output in a log file.
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd: string, logFile: string, env?: NodeJS.ProcessEnv }} options
 * @returns {Promise<void>}
 * @throws {Error} when it cannot start or does not end with 0; the message holds an excerpt of its output
 */
export async function run(command, args, { cwd, logFile, env = process.env }) {
  fs.mkdirSync(path.dirname(logFile), { recursive: true });
  const log = fs.openSync(logFile, 'w');
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', log, log] });
  const outcome = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(signal ?? code));
  }).finally(() => fs.closeSync(log));
  if (outcome === 0) return;
  const what = [path.basename(command), ...args].join(' ');
  throw new Error(`\`${what}\` ended with ${outcome}. From its output (all in ${logFile}):\n${excerpt(logFile)}`);
}

/** The beginning, where npm reports what is wrong, and the end, where most others do. */
function excerpt(logFile) {
  const lines = fs.readFileSync(logFile, 'utf8').trimEnd().split('\n');
  if (lines.length <= HEAD_LINES + TAIL_LINES) return lines.join('\n');
  return [...lines.slice(0, HEAD_LINES), '…', ...lines.slice(-TAIL_LINES)].join('\n');
}
