import type { Server } from '@hapi/hapi';
import { expect } from 'chai';
import { BROWSER, pageServer } from '#test/support/page-server.js';

describe('Content-Security-Policy of pages', () => {
  let server: Server;
  before(async () => {
    ({ server } = await pageServer({}));
  });

  const policyFor = async (host: string) =>
    (await server.inject({ url: '/no-such-page', headers: { ...BROWSER, host } })).headers['content-security-policy'];
  const policyWith = (scripts: string) =>
    `default-src 'none'; script-src ${scripts}; style-src 'self'; img-src 'self' data:; connect-src 'self'; ` +
    `base-uri 'none'; form-action 'self'; frame-ancestors 'none'`;
  const OF_PUBLIC_URL = 'https://runs.example.test/assets/';

  for (const host of ['runs.example.test', 'runhook.internal:4000', 'localhost:4000', '127.0.0.1:4000'])
    it(`allows only scripts in /assets/, of the public URL and of ${host}`, async () => {
      expect(await policyFor(host)).to.equal(policyWith(`${OF_PUBLIC_URL} ${host}/assets/`));
    });

  // CSP 3, 6.7.2.9: a policy cannot contain these hosts with a path.
  for (const host of ['192.0.2.7:4000', '[::1]:4000'])
    it(`allows scripts of the origin for the host ${host}`, async () => {
      expect(await policyFor(host)).to.equal(policyWith("'self'"));
    });

  it('ignores a Host header that is not a host', async () => {
    for (const host of ["a; script-src 'unsafe-inline'", 'evil.test/x https:', "evil.test 'unsafe-eval'", '*'])
      expect(await policyFor(host), host).to.be.oneOf([policyWith("'self'"), undefined]);
  });
});
