import { expect } from 'chai';
import { appEnvironment, type Addresses } from '#tools/stack/environment.js';

const addresses: Addresses = {
  baseUrl: 'http://127.0.0.1:4000',
  port: 4000,
  opsPort: 4001,
  temporalAddress: '127.0.0.1:7233',
  temporalNamespace: 'default',
  mongodbUrl: 'mongodb://127.0.0.1:27017/runhook',
};
const outer = { PATH: '/bin', RUNHOOK_SECRET_KEYS: 'secret', TEMPORAL_API_KEY: 'cloud', TEMPORAL_TLS: 'true' };

const OWN = { temporal: true, mongodb: true };

describe('environment of server and worker', () => {
  it('has the stack’s addresses and no secret keys', () => {
    const env = appEnvironment(outer, '/data', addresses, OWN);
    expect(env).to.include({ PATH: '/bin', TEMPORAL_ADDRESS: '127.0.0.1:7233', RUNHOOK_OPS_PORT: '4001' });
    expect(env).to.include({ MONGODB_URL: addresses.mongodbUrl, RUNHOOK_STACK_DIR: '/data' });
    expect(env.RUNHOOK_SECRET_KEYS).to.equal(undefined);
  });

  it('shuts down quickly by default', () => {
    const quick = { RUNHOOK_SHUTDOWN_GRACE_SECONDS: '1', RUNHOOK_DRAIN_SECONDS: '0' };
    expect(appEnvironment(outer, '/data', addresses, OWN)).to.include(quick);
    const own = { RUNHOOK_SHUTDOWN_GRACE_SECONDS: '3', RUNHOOK_DRAIN_SECONDS: '1' };
    expect(appEnvironment({ ...outer, ...own }, '/data', addresses, OWN)).to.include(own);
  });

  it('keeps settings for another Temporal from the stack’s own', () => {
    const env = appEnvironment(outer, '/data', addresses, OWN);
    expect(env).not.to.have.any.keys('TEMPORAL_API_KEY', 'TEMPORAL_TLS');
    expect(env.TEMPORAL_CONFIG_FILE).to.match(/temporal-config\/local\.toml$/);
  });

  it('passes them on to another Temporal', () => {
    expect(appEnvironment(outer, '/data', addresses, { temporal: false, mongodb: true })).to.include({
      TEMPORAL_API_KEY: 'cloud',
    });
  });

  it('binds the database to a new Temporal only if both belong to the stack', () => {
    const rebinds = (temporal: boolean, mongodb: boolean) =>
      appEnvironment(outer, '/data', addresses, { temporal, mongodb }).RUNHOOK_REBIND_TEMPORAL;
    expect(rebinds(true, true)).to.equal('true');
    expect([rebinds(true, false), rebinds(false, true), rebinds(false, false)]).to.deep.equal([
      undefined,
      undefined,
      undefined,
    ]);
  });
});
