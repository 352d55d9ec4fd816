import fs from 'node:fs';
import path from 'node:path';
import { createHash } from 'node:crypto';
import { run } from './run.mjs';
import { withProgress } from './progress.mjs';

/**
 * Runs `npm ci` when node_modules is missing, incomplete or older than the lock file.
 * @param {string} root the repository
 */
export async function installPackages(root) {
  const stamp = path.join(root, 'node_modules/.runhook-lock-hash');
  const hash = createHash('sha256')
    .update(fs.readFileSync(path.join(root, 'package-lock.json')))
    .digest('hex');
  if (readIfExists(stamp) === hash) return;
  if (!installedByHand(root, stamp)) {
    const [command, ...args] = npm();
    await withProgress('Installing packages (npm ci)', () =>
      run(command, [...args, 'ci', '--include=dev', '--include=optional', '--loglevel=error'], {
        cwd: root,
        logFile: path.join(root, '.runhook/logs/npm-ci.log'),
      }),
    );
  }
  fs.writeFileSync(stamp, hash);
}

/** Someone ran npm since our last time: npm writes its own copy of the lock at the end of an install. */
function installedByHand(root, stamp) {
  const installed = modified(path.join(root, 'node_modules/.package-lock.json'));
  return installed > modified(stamp) && installed >= modified(path.join(root, 'package-lock.json'));
}

/** The npm that runs us, else the one on PATH. */
function npm() {
  const cli = process.env.npm_execpath;
  return cli && path.basename(cli) === 'npm-cli.js' ? [process.execPath, cli] : ['npm'];
}

function modified(file) {
  return fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function readIfExists(file) {
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : undefined;
}
