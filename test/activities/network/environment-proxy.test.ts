import { expect } from 'chai';
import { environmentProxy } from '#activities/network/environment-proxy.js';

describe('environmentProxy', () => {
  const proxy = 'http://proxy.test:3128';
  const of = (url: string, env: Record<string, string>) => environmentProxy(url, env);

  it('reads the variables for each protocol or for all', () => {
    expect(of('https://git.test/a', { https_proxy: proxy })).to.equal(proxy);
    expect(of('https://git.test/a', { HTTPS_PROXY: proxy })).to.equal(proxy);
    expect(of('http://git.test/a', { HTTPS_PROXY: proxy })).to.equal(undefined);
    expect(of('http://git.test/a', { ALL_PROXY: proxy })).to.equal(proxy);
    expect(of('http://git.test/a', { http_proxy: '' })).to.equal(undefined);
  });

  const EXEMPT: [url: string, noProxy: string, isExempt: boolean][] = [
    ['https://git.test/a', '*', true],
    ['https://git.test/a', 'other.test, git.test', true],
    ['https://a.git.test/a', '.git.test', true],
    ['https://a.git.test/a', 'GIT.test', true],
    ['https://agit.test/a', 'git.test', false],
    ['https://10.1.2.3/a', '10.0.0.0/8', true],
    ['https://[fe80::1]:8443/a', 'fe80::/10', true],
    ['https://11.1.2.3/a', '10.0.0.0/8,1.2.3', false],
  ];
  for (const [url, noProxy, isExempt] of EXEMPT)
    it(`${isExempt ? 'ignores the proxy' : 'returns the proxy'} for ${url} with no_proxy=${noProxy}`, () => {
      expect(of(url, { https_proxy: proxy, no_proxy: noProxy })).to.equal(isExempt ? undefined : proxy);
    });
});
