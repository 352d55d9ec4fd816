import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { GitSource } from '#src/domain/targets/test-source.js';
import {
  problemOfFolder,
  problemOfRef,
  splitGitAddress,
  splitUserinfo,
  type GitProtocol,
} from '#src/domain/targets/git-address.js';
import { fillIn } from '#activities/fill-in.js';
import type { GitAccess } from './git.js';
import type { GitNetwork } from './git-network.js';
import { shellQuoted } from './shell-quoted.js';
import { SourceError } from './source-error.js';

/**
 * The repository and commit that an attempt needs, with variables substituted and checked for safe use as git
 * arguments.
 */
export interface RequestedTree {
  /** Without credentials, because it is displayed and passed as an argument. */
  url: string;
  protocol: GitProtocol;
  ref?: string;
  path?: string;
  credentials?: { user: string; password: string };
}

/** User and password before the host, with variables not yet substituted. */
const USERINFO = /^(https?:\/\/)((?:\{\{[^}]*\}\}|[^/?#@{}])*)@/i;

/**
 * @param protocols allowed on this worker
 * @throws SourceError with the reason for a refusal, VariableMissingError
 */
export function requestedTree(
  { url, ref, path }: GitSource,
  variables: Readonly<Record<string, string>>,
  protocols: readonly string[],
): RequestedTree {
  const filled = (text: string) => fillIn(text, variables);
  // Split before variables are substituted, because a token may contain any character.
  const [before = '', scheme = '', written = ''] = USERINFO.exec(url) ?? [];
  const address = splitGitAddress(before ? scheme + filled(url.slice(before.length)) : filled(url).trim());
  if (typeof address === 'string')
    throw new SourceError(`git.url ${address}. Correct it, or the variable that it contains.`);
  if (!protocols.includes(address.protocol))
    throw new SourceError(
      `git.url: this worker allows only ${protocols.map((one) => `${one}://`).join(' and ')}. Use one of these, or allow ${address.protocol} in RUNHOOK_GIT_PROTOCOLS of the worker.`,
    );
  const tree: RequestedTree = {
    url: address.url,
    protocol: address.protocol,
    ...checked('ref', ref, filled, problemOfRef),
    ...checked('path', path, filled, problemOfFolder),
  };
  const userinfo = before
    ? splitUserinfo(written).map((part) => filled(decoded(part)))
    : parseUserinfo(address.userinfo);
  if (!userinfo) return tree;
  const [user = '', password = ''] = userinfo;

  if (/[\u0000\r\n]/.test(user + password))
    throw new SourceError('git.url: user and password must be on one line. Correct the variable.');
  return { ...tree, credentials: { user, password } };
}

function checked<Name extends 'ref' | 'path'>(
  name: Name,
  value: string | undefined,
  filled: (text: string) => string,
  problemOf: (value: string) => string | undefined,
): { [name in Name]?: string } {
  if (value === undefined) return {};
  const text = filled(value);
  const problem = problemOf(text);
  if (problem) throw new SourceError(`git.${name} ${problem}. Correct it, or the variable that it contains.`);
  return { [name]: text } as { [name in Name]?: string };
}

const parseUserinfo = (userinfo: string | undefined) => (userinfo ? splitUserinfo(userinfo).map(decoded) : undefined);

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * Access of git to a repository. Passwords are passed in the environment and only for the URL's host; SSH keys
 * (variable GIT_SSH_KEY) in a file that only the worker's user can read. SSH keys, agent and settings of the worker's
 * user are only used if the operator of the worker allows it.
 * @param options.folder of the attempt, for the key; removed with the attempt
 * @throws the signal's reason
 */
export async function accessTo(
  { url, protocol, credentials }: RequestedTree,
  variables: Readonly<Record<string, string>>,
  options: GitAccessOptions,
): Promise<GitAccess> {
  if (protocol === 'ssh') return accessBySsh(variables, options);
  if (protocol !== 'http' && protocol !== 'https') return { settings: [], env: {} };
  const { network, signal } = options;
  const proxy = await network.proxyOf(url, signal);
  const settings: GitAccess['settings'] = proxy === undefined ? [] : [['http.proxy', proxy]];
  const failure = () => network.failureAt(url);
  if (!credentials) return { settings, env: {}, failure };
  const { origin } = new URL(url);
  const helper = `!f() { test "$1" = get && printf 'username=%s\\npassword=%s\\n' "$RUNHOOK_GIT_USER" "$RUNHOOK_GIT_PASSWORD"; }; f`;
  // Git hosts accept a token with any user name.
  const user = credentials.password ? credentials.user : 'x-access-token';
  const password = credentials.password || credentials.user;
  return {
    settings: [...settings, [`credential.${origin}.helper`, helper]],
    env: { RUNHOOK_GIT_USER: user, RUNHOOK_GIT_PASSWORD: password },
    failure,
  };
}

/** What git and ssh may use on this worker. */
export interface GitAccessOptions {
  /** Folder of the attempt. */
  folder: string;
  knownHosts: string;
  /** Whether keys, agent and settings of the worker's own user are used. */
  workerSshKeys: boolean;
  network: Pick<GitNetwork, 'sshOptions' | 'proxyOf' | 'failureAt'>;
  signal: AbortSignal;
}

async function accessBySsh(
  variables: Readonly<Record<string, string>>,
  { folder, knownHosts, workerSshKeys, network }: GitAccessOptions,
): Promise<GitAccess> {
  const { GIT_SSH_KEY: key, GIT_SSH_KNOWN_HOSTS: hosts } = variables;
  const options = ['-o BatchMode=yes', '-o ConnectTimeout=30', ...network.sshOptions(workerSshKeys)];
  const write = async (name: string, text: string) => {
    const file = join(folder, name);
    await rm(file, { force: true });
    await writeFile(file, `${text.trim()}\n`, { mode: 0o600, flag: 'wx' });
    return file;
  };
  if (!workerSshKeys) options.push('-o IdentityAgent=none', '-o IdentitiesOnly=yes');
  if (key) options.push(`-i ${shellQuoted(await write('ssh-key', key))}`, '-o IdentitiesOnly=yes');
  // By default, ssh tries the keys in its user's home.
  else if (!workerSshKeys) options.push('-o IdentityFile=none');
  // Unknown hosts are trusted on first use, unless the project specifies host keys.
  if (hosts)
    options.push(
      `-o UserKnownHostsFile=${shellQuoted(await write('ssh-known-hosts', hosts))}`,
      '-o StrictHostKeyChecking=yes',
    );
  else options.push(`-o UserKnownHostsFile=${shellQuoted(knownHosts)}`, '-o StrictHostKeyChecking=accept-new');
  const { SSH_AUTH_SOCK } = process.env;
  const agent: Record<string, string> = workerSshKeys && SSH_AUTH_SOCK ? { SSH_AUTH_SOCK } : {};
  return { settings: [], env: { GIT_SSH_COMMAND: ['ssh', ...options].join(' '), ...agent } };
}
