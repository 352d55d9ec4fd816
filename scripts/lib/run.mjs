import fs from 'node:fs';
import path from 'node:path';
import { spawn } from 'node:child_process';

const TAIL_LINES = 15;

/**
 * Runs a program to its end with its output in a log file.
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd: string, logFile: string, env?: NodeJS.ProcessEnv }} options
 * @returns {Promise<void>}
 * @throws {Error} when it cannot start or does not end with 0; the message holds the last lines of its output
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
  const tail = fs.readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-TAIL_LINES).join('\n');
  throw new Error(
    `\`${[path.basename(command), ...args].join(' ')}\` ended with ${outcome}. Its last lines (all in ${logFile}):\n${tail}`,
  );
}
