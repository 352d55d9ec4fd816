#!/usr/bin/env node
// Makes a fresh clone ready: packages, compiled code, the two servers. Uses Node's own modules only, and nothing that
// an old Node lacks at load time, so that its complaint about an old Node is what people see.
import path from 'node:path';
import { spawn } from 'node:child_process';
import { build } from './lib/build.mjs';
import { installPackages } from './lib/install.mjs';
import { root, underBuildLock } from './lib/repository.mjs';

const NEEDED = [20, 19];

function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > NEEDED[0] || (major === NEEDED[0] && minor >= NEEDED[1])) return;
  throw new Error(`Runhook needs Node ${NEEDED.join('.')} or newer; this is ${process.version} (${process.execPath}).`);
}

/** In a process of its own: that code is compiled by the step before. Its output goes straight through. */
async function getServers() {
  const child = spawn(process.execPath, [path.join(root, 'dist/tools/stack/get-servers.js')], { stdio: 'inherit' });
  const code = await new Promise((resolve, reject) => child.once('error', reject).once('exit', resolve));
  if (code !== 0) process.exit(code ?? 1);
}

try {
  checkNode();
  await underBuildLock(async () => {
    await installPackages(root);
    await build(root);
  });
  await getServers();
} catch (error) {
  console.error(`\n${error.message}\n`);
  process.exit(1);
}
