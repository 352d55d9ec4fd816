import { isIP } from 'node:net';
import { isNetwork, networksOf } from '#src/domain/tokens/networks.js';

/**
 * The worker's own way out, as its environment names it for curl and git (`https_proxy`, `no_proxy`…).
 * @param url http:// or https://
 * @returns undefined when it is connected to directly
 */
export function ownProxyOf(url: string, env: Readonly<Record<string, string | undefined>>): string | undefined {
  const { protocol, hostname } = new URL(url);
  const named = (name: string) => env[name] || env[name.toUpperCase()] || undefined;
  const proxy = named(`${protocol.slice(0, -1)}_proxy`) ?? named('all_proxy');
  return proxy !== undefined && !isExempt(hostname, named('no_proxy') ?? '') ? proxy : undefined;
}

function isExempt(hostname: string, noProxy: string): boolean {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const list = noProxy
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((one) => one !== '');
  if (list.includes('*')) return true;
  if (isIP(host) !== 0) return networksOf(list.filter(isNetwork)).contains(host);
  return list.some((one) => {
    const domain = one.replace(/^\*?\./, '');
    return host === domain || host.endsWith(`.${domain}`);
  });
}
