import { shellQuoted } from './shell-quoted.js';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createLazyProxy } from '#activities/network/lazy-proxy.js';
import type { NetworkGuard } from '#activities/network/network-guard.js';
import { environmentProxy } from '#activities/network/environment-proxy.js';
import { programArguments } from '#activities/processes/program-arguments.js';

/** Network access of git: all its connections go through the worker's network guard. */
export interface GitNetwork {
  /** Git settings for all URLs: HTTP goes through the guard proxy. */
  settings: [name: string, value: string][];
  /** Environment for git://, which names a program that git starts with host and port. */
  env: Record<string, string>;
  /** Options for ssh. Proxy settings of the worker's user take precedence if its settings are used. */
  sshOptions(workerSshSettings: boolean): string[];
  /**
   * The HTTP proxy of the worker's environment for a URL; undefined: use the guard proxy.
   * @throws the signal's reason
   */
  proxyOf(url: string, signal: AbortSignal): Promise<string | undefined>;
  /** See GuardProxy. */
  failureAt(url: string): Promise<string | undefined>;
  close(): Promise<void>;
}

/**
 * @param folder of this worker, for scripts that ssh and git start
 * @throws the system's error when the proxy cannot be started
 */
export async function openGitNetwork(guard: NetworkGuard, folder: string): Promise<GitNetwork> {
  const proxy = createLazyProxy(guard);
  const url = await proxy.url();
  const tunnel = join(folder, 'git-tunnel');
  const command = [process.execPath, ...programArguments('../network/tunnel-process', url)].map(shellQuoted);
  await writeFile(tunnel, `#!/bin/sh\nexec ${command.join(' ')} "$1" "$2"\n`);
  await chmod(tunnel, 0o700);
  const proxyCommand = `ProxyCommand ${shellQuoted(tunnel).replaceAll('%', '%%')} %h %p`;
  const sshConfig = join(folder, 'git-ssh-config');
  await writeFile(sshConfig, `Include ~/.ssh/config\nInclude /etc/ssh/ssh_config\nHost *\n  ${proxyCommand}\n`, {
    mode: 0o600,
  });
  return {
    settings: [['http.proxy', url]],
    env: { GIT_PROXY_COMMAND: tunnel },
    sshOptions: (workerSshSettings) =>
      workerSshSettings
        ? [`-F ${shellQuoted(sshConfig)}`]
        : ['-F /dev/null', `-o ${shellQuoted(proxyCommand.replace(' ', '='))}`],
    async proxyOf(address, signal) {
      const configured = guard.isRestricted ? undefined : environmentProxy(address, process.env);
      if (configured === undefined) return undefined;
      return (await isRefused(guard, new URL(address).hostname, signal)) ? undefined : configured;
    },
    failureAt: (address) => proxy.failureAt(address),
    close: () => proxy.close(),
  };
}

/** Names that this machine cannot resolve are left to the proxy. */
async function isRefused(guard: NetworkGuard, hostname: string, signal: AbortSignal): Promise<boolean> {
  try {
    guard.checkHost(hostname);
  } catch {
    return true;
  }
  return await new Promise((done, fail) => {
    // A lookup cannot be canceled.
    const giveUp = () => fail(signal.reason as Error);
    signal.addEventListener('abort', giveUp, { once: true });
    if (signal.aborted) giveUp();
    guard.lookup(hostname.replace(/^\[(.*)\]$/, '$1'), { all: true }, (error) =>
      done((error as NodeJS.ErrnoException | null)?.code === 'NETWORK_REFUSED'),
    );
  });
}
