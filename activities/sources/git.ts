import { programOnPath } from '#activities/processes/find-program.js';
import type { ProcessRunner } from '#activities/processes/run-process.js';
import type { GitNetwork } from './git-network.js';
import { SourceError, SourceStoppedError } from './source-error.js';

/** Output of git beyond this is discarded, in bytes. */
const MAX_OUTPUT = 1024 * 1024;

/**
 * Variables of the worker's environment that git receives: no HOME (settings, .netrc), no ssh agent, no proxy (see
 * GitNetwork).
 */
const ALLOWED = ['PATH', 'TMPDIR', 'SSL_CERT_FILE', 'SSL_CERT_DIR', 'GIT_SSL_CAINFO'];

/** Replace all settings of the machine and its users. */
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

/** Access to a repository for one call of git. */
export interface GitAccess {
  settings: [name: string, value: string][];
  env: Record<string, string>;
  /** The system's error code of the last failed connection, which git does not report. */
  failure?: () => Promise<string | undefined>;
}

export interface GitCall {
  args: string[];
  signal: AbortSignal;
  access?: GitAccess;
  /** Git's variables, such as GIT_INDEX_FILE. */
  env?: Record<string, string>;
  /** A lock file: the call waits until no other process of this machine holds the lock. */
  lock?: string;
}

export interface GitResult {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs git. @throws SourceError if git is not installed, SourceStoppedError if the signal was aborted */
export type Git = (call: GitCall) => Promise<GitResult>;

export interface GitOptions {
  processes: ProcessRunner;
  /** Allowed protocols: https, ssh… */
  protocols: readonly string[];
  /** Network access. */
  network: Pick<GitNetwork, 'settings' | 'env'>;
}

/**
 * Runs git as a child process, with an environment that is the same on every machine. It never prompts, runs no hooks,
 * filters (LFS) or submodules, only uses allowed protocols, and leaves no process behind.
 */
export function createGit({ processes, protocols, network }: GitOptions): Git {
  const hasFlock = programOnPath('flock') !== undefined;
  return async ({ args, signal, access, env = {}, lock }) => {
    const settings = [...SETTINGS, ...network.settings, ...(access?.settings ?? [])];
    const output = { stdout: '', stderr: '', system: '' };
    const log = {
      write: async (stream: keyof typeof output, chunk: Buffer | string) => {
        if (output[stream].length < MAX_OUTPUT) output[stream] += chunk.toString();
      },
    };
    const exit = await processes.run(
      {
        // The kernel releases the lock when its holder dies.
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
