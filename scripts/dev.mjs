#!/usr/bin/env node
// `npm run dev`: the local stack, whose server and worker are restarted after each change of a source.
import fs from 'node:fs';
import path from 'node:path';
import { spawn } from 'node:child_process';
import { build } from './lib/build.mjs';
import { root, underBuildLock } from './lib/repository.mjs';

const QUIET_MS = 200;
const WATCHED = ['src', 'workflows', 'activities'];

const stack = spawn(process.execPath, [path.join(root, 'dist/tools/stack/start.js'), ...process.argv.slice(2)], {
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
});
stack.once('exit', (code) => process.exit(code ?? 1));
// The stack gets a Ctrl-C of the terminal itself and ends in its own time; we end after it.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => stack.kill('SIGTERM'));

let timer;
let work = Promise.resolve();
for (const folder of WATCHED) {
  fs.watch(path.join(root, folder), { recursive: true }, () => {
    clearTimeout(timer);
    timer = setTimeout(() => (work = work.then(rebuild)), QUIET_MS);
  });
}

async function rebuild() {
  try {
    if (!(await underBuildLock(() => build(root)))) return;
    console.error('  Sources changed: restarting server and worker.');
    if (stack.connected) stack.send('restart');
  } catch (error) {
    console.error(`  Not built, what ran before runs on:\n${error.message}`);
  }
}
