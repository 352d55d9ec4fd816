import { isIP } from 'node:net';
import { isNetwork, networksOf } from '#src/domain/tokens/networks.js';

/**
 * The proxy of the worker's environment for a URL, as curl and git read it (`https_proxy`, `no_proxy`…).
 * @param url http:// or https://
 * @returns undefined for a direct connection
 */
export function environmentProxy(url: string, env: Readonly<Record<string, string | undefined>>): string | undefined {
  const { protocol, hostname } = new URL(url);
  const read = (name: string) => env[name] || env[name.toUpperCase()] || undefined;
  const proxy = read(`${protocol.slice(0, -1)}_proxy`) ?? read('all_proxy');
  return proxy !== undefined && !isExempt(hostname, read('no_proxy') ?? '') ? proxy : undefined;
}

function isExempt(hostname: string, noProxy: string): boolean {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const list = noProxy
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((entry) => entry !== '');
  if (list.includes('*')) return true;
  if (isIP(host) !== 0) return networksOf(list.filter(isNetwork)).contains(host);
  return list.some((entry) => {
    const domain = entry.replace(/^\*?\./, '');
    return host === domain || host.endsWith(`.${domain}`);
  });
}
