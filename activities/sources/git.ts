import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { ProcessRunner } from '#activities/processes/run-process.js';
import type { GitNetwork } from './git-network.js';
import { SourceError, SourceStoppedError } from './source-error.js';

/** What git may say before we stop listening, in bytes. */
const MOST_OUTPUT = 1024 * 1024;

/** Of the worker's environment. No home: no settings, no .netrc; no ssh agent; no proxy: see GitNetwork. */
const ALLOWED = ['PATH', 'TMPDIR', 'SSL_CERT_FILE', 'SSL_CERT_DIR', 'GIT_SSL_CAINFO'];

/** In place of all settings of the machine and its people. */
const SETTINGS: [name: string, value: string][] = [
  ['core.hooksPath', '/dev/null'],
  ['core.attributesFile', '/dev/null'],
  ['core.fsmonitor', 'false'],
  ['core.symlinks', 'true'],
  ['core.autocrlf', 'false'],
  ['credential.helper', ''],
  ['submodule.recurse', 'false'],
  ['fetch.recurseSubmodules', 'false'],
  ['gc.autoDetach', 'false'],
  ['maintenance.autoDetach', 'false'],
  ['http.lowSpeedLimit', '1000'],
  ['http.lowSpeedTime', '60'],
  ['advice.detachedHead', 'false'],
];

/** What gives git the way to a private repository, for one call. */
export interface GitAccess {
  settings: [name: string, value: string][];
  env: Record<string, string>;
  /** The system's code for why the last connection failed, where git only knows that it did. */
  failure?: () => Promise<string | undefined>;
}

export interface GitCall {
  args: string[];
  signal: AbortSignal;
  access?: GitAccess;
  /** Variables of git's own, such as GIT_INDEX_FILE. */
  env?: Record<string, string>;
  /** A file: the call waits until no process of this machine holds its lock. */
  lock?: string;
}

export interface GitResult {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs git. @throws SourceError when there is none, SourceStoppedError when the signal was aborted */
export type Git = (call: GitCall) => Promise<GitResult>;

export interface GitOptions {
  processes: ProcessRunner;
  /** Those that may be used: https, ssh… */
  protocols: readonly string[];
  /** The only way out. */
  network: Pick<GitNetwork, 'settings' | 'env'>;
}

/**
 * Runs git as a child process that nothing of it outlives, with an environment that is the same on every machine. It
 * never asks, runs no hooks, filters (LFS) or submodules, and goes no way that is not allowed.
 */
export function createGit({ processes, protocols, network }: GitOptions): Git {
  const hasFlock = isOnPath('flock');
  return async ({ args, signal, access, env = {}, lock }) => {
    const settings = [...SETTINGS, ...network.settings, ...(access?.settings ?? [])];
    const output = { stdout: '', stderr: '', system: '' };
    const log = {
      write: async (stream: keyof typeof output, chunk: Buffer | string) => {
        if (output[stream].length < MOST_OUTPUT) output[stream] += chunk.toString();
      },
    };
    const exit = await processes.run(
      {
        // The kernel gives the lock back when its holders die, however they do.
        command: [...(lock && hasFlock ? ['flock', lock] : []), 'git', ...args],
        cwd: '/',
        env: {
          ...Object.fromEntries(ALLOWED.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : []))),
          HOME: '/nonexistent',
          LC_ALL: 'C',
          GIT_TERMINAL_PROMPT: '0',
          GIT_CONFIG_NOSYSTEM: '1',
          GIT_CONFIG_GLOBAL: '/dev/null',
          GIT_ALLOW_PROTOCOL: protocols.join(':'),
          GIT_LFS_SKIP_SMUDGE: '1',
          ...network.env,
          ...access?.env,
          ...env,
          GIT_CONFIG_COUNT: String(settings.length),
          ...Object.fromEntries(
            settings.flatMap(([name, value], index) => [
              [`GIT_CONFIG_KEY_${index}`, name],
              [`GIT_CONFIG_VALUE_${index}`, value],
            ]),
          ),
        },
      },
      { log, signal },
    );
    if ('isStopped' in exit) {
      if (exit.isStopped) throw new SourceStoppedError();
      if (exit.signal) throw new SourceError(`git was killed by ${exit.signal}. Trigger the run again.`);
      return { code: exit.code ?? -1, stdout: output.stdout, stderr: output.stderr };
    }
    if (exit.status === 'stopped') throw new SourceStoppedError();
    throw new SourceError(
      exit.errorCode === 'COMMAND_NOT_FOUND'
        ? 'git is not installed on this worker. Install it, or run the test in a pool whose workers have it.'
        : (exit.errorMessage ?? 'git could not be started.'),
    );
  };
}

function isOnPath(program: string): boolean {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
