import { expect } from 'chai';
import { DEFAULT_LIMITS, LIMITS } from '#src/domain/limits.js';
import { ConfigError, importConfig, serverConfig, setUpConfig, workerConfig } from '#src/config.js';

const MONGODB_URL = 'mongodb://127.0.0.1:27017/runhook';
const BASE = { MONGODB_URL, RUNHOOK_SECRET_KEYS: Buffer.alloc(32, 1).toString('base64') };

describe('configuration', () => {
  it('fills in defaults', () => {
    expect(serverConfig({ ...BASE })).to.include({
      mongodbUrl: MONGODB_URL,
      host: '127.0.0.1',
      port: 4000,
      opsPort: 4001,
      publicUrl: 'http://127.0.0.1:4000',
      startDeadlineMs: 24 * 3_600_000,
    });
    expect(workerConfig({ ...BASE }, 3)).to.deep.include({ pools: ['default'], workflows: true, slots: 3 });
    expect(setUpConfig({ MONGODB_URL })).to.include({ mongodbUrl: MONGODB_URL });
  });

  it('reads numbers, lists and addresses', () => {
    const server = serverConfig({ ...BASE, RUNHOOK_PORT: '80', RUNHOOK_PUBLIC_URL: 'https://runs.example.com/' });
    expect(server).to.include({ port: 80, publicUrl: 'https://runs.example.com' });
    const worker = workerConfig({ ...BASE, RUNHOOK_POOLS: 'gpu, arm', RUNHOOK_WORKFLOWS: 'false' }, 1);
    expect(worker).to.deep.include({ pools: ['gpu', 'arm'], workflows: false });
    expect(workerConfig({ ...BASE, RUNHOOK_POOLS: 'none' }, 1).pools).to.deep.equal([]);
    const key = Buffer.alloc(32, 7).toString('base64');
    expect(importConfig({ RUNHOOK_SECRET_KEYS: `${key},${key}` }).secretKeys).to.have.length(2);
  });

  it('knows every limit by its variable, and leaves a burst to the rate', () => {
    expect(serverConfig(BASE).limits).to.deep.equal(DEFAULT_LIMITS);
    const set = Object.values(LIMITS).map(({ variable }, index) => [variable, String(index + 1)]);
    const { limits } = serverConfig({ ...BASE, ...(Object.fromEntries(set) as Record<string, string>) });
    expect(Object.keys(limits)).to.have.members(Object.keys(LIMITS));
    expect(() => serverConfig({ ...BASE, RUNHOOK_LIMIT_OPEN_RUNS: '0' })).to.throw(
      ConfigError,
      'RUNHOOK_LIMIT_OPEN_RUNS',
    );
  });

  it('takes addresses and networks of trusted proxies, and nothing else', () => {
    expect(serverConfig(BASE).trustedProxies).to.deep.equal([]);
    const trusted = '10.0.0.0/8, ::1';
    expect(serverConfig({ ...BASE, RUNHOOK_TRUSTED_PROXIES: trusted }).trustedProxies).to.deep.equal(
      trusted.split(', '),
    );
    expect(() => serverConfig({ ...BASE, RUNHOOK_TRUSTED_PROXIES: 'proxy.local' })).to.throw(
      ConfigError,
      'RUNHOOK_TRUSTED',
    );
  });

  it('takes an empty variable for one that is not set', () => {
    expect(serverConfig({ ...BASE, RUNHOOK_PORT: ' ' }).port).to.equal(4000);
  });

  it('lists every problem at once', () => {
    const env = { RUNHOOK_PORT: 'many', RUNHOOK_LOG_LEVEL: 'loud', RUNHOOK_RETENTION_DAYS: '-1' };
    expect(() => serverConfig(env))
      .to.throw(ConfigError)
      .with.property('problems')
      .that.satisfies((problems: string[]) =>
        ['MONGODB_URL', 'RUNHOOK_PORT', 'RUNHOOK_LOG_LEVEL', 'RUNHOOK_RETENTION_DAYS'].every((name) =>
          problems.some((problem) => problem.includes(name)),
        ),
      );
  });

  it('takes the address of a replica set, and refuses what is no address of MongoDB', () => {
    const addresses = [
      'mongodb://one:27017,two:27017/runhook?replicaSet=rs0',
      'mongodb://user:p%40ss@one:27017,two:27018,three/runhook',
      'mongodb+srv://user:pass@cluster.example.test/runhook',
      'mongodb://%2Ftmp%2Fmongodb.sock/runhook',
      'mongodb://127.0.0.1',
    ];
    for (const address of addresses) expect(setUpConfig({ MONGODB_URL: address }).mongodbUrl).to.equal(address);
    for (const address of ['postgres://db/runhook', 'mongodb://', 'mongodb:///runhook', '127.0.0.1:27017'])
      expect(() => setUpConfig({ MONGODB_URL: address }), address).to.throw(
        ConfigError,
        /MONGODB_URL must be.*mongodb:/,
      );
    expect(() => setUpConfig({})).to.throw(ConfigError, 'MONGODB_URL is required');
  });

  it('has no version unless it is given a build id', () => {
    expect(workerConfig({ ...BASE, RUNHOOK_DEPLOYMENT_NAME: 'ci' }, 1).deployment).to.equal(undefined);
    expect(workerConfig({ ...BASE, RUNHOOK_BUILD_ID: '2026-08-02' }, 1).deployment).to.deep.equal({
      name: 'runhook',
      buildId: '2026-08-02',
      versioning: 'PINNED',
    });
    const env = { RUNHOOK_BUILD_ID: 'v1', RUNHOOK_DEPLOYMENT_NAME: 'ci', RUNHOOK_VERSIONING: 'auto-upgrade' };
    expect(workerConfig({ ...BASE, ...env }, 1).deployment).to.deep.equal({
      name: 'ci',
      buildId: 'v1',
      versioning: 'AUTO_UPGRADE',
    });
    const wrong = { ...BASE, RUNHOOK_BUILD_ID: 'a b', RUNHOOK_VERSIONING: 'sometimes' };
    expect(() => workerConfig(wrong, 1))
      .to.throw(ConfigError)
      .with.property('problems')
      .with.length(2);
  });

  it("has a worker's own limits of tests, none where none is set", () => {
    expect(workerConfig({ ...BASE }, 1).testLimits).to.deep.equal({});
    const env = { RUNHOOK_TEST_PROCESSES: '64', RUNHOOK_TEST_DISK_MIB: '512' };
    expect(workerConfig({ ...BASE, ...env }, 1).testLimits).to.deep.equal({ processes: 64, diskMiB: 512 });
    expect(() => workerConfig({ ...BASE, RUNHOOK_TEST_MEMORY_MIB: 'all' }, 1)).to.throw(
      /RUNHOOK_TEST_MEMORY_MIB must be/,
    );
  });

  it('assigns slots by memory up to a limit if configured', () => {
    expect(workerConfig({ ...BASE }, 3)).to.not.have.property('targetMemory');
    expect(workerConfig({ ...BASE, RUNHOOK_SLOTS: 'auto' }, 3)).to.include({ slots: 12, targetMemory: 0.8 });
    const env = { RUNHOOK_SLOTS: 'auto', RUNHOOK_MAX_SLOTS: '16', RUNHOOK_TARGET_MEMORY: '0.5' };
    expect(workerConfig({ ...BASE, ...env }, 3)).to.include({ slots: 16, targetMemory: 0.5 });
    for (const slots of ['0', 'many', '1.5'])
      expect(() => workerConfig({ ...BASE, RUNHOOK_SLOTS: slots }, 3), slots).to.throw(
        ConfigError,
        'RUNHOOK_SLOTS must be a whole number from 1 to 1000, or auto',
      );
  });

  it('reads how long to wait, fractions too', () => {
    expect(serverConfig({ ...BASE })).to.include({ noRunnerMs: 3_600_000, drainMs: 2000 });
    expect(workerConfig({ ...BASE }, 1).shutdownGraceMs).to.equal(20_000);
    const env = { RUNHOOK_NO_RUNNER_MINUTES: '0.1', RUNHOOK_DRAIN_SECONDS: '0.5' };
    expect(serverConfig({ ...BASE, ...env })).to.include({ noRunnerMs: 6000, drainMs: 500 });
  });

  it('reads how often workers heartbeat and how long they may be silent', () => {
    expect(serverConfig({ ...BASE })).to.include({ heartbeatTimeoutMs: 60_000 });
    expect(workerConfig({ ...BASE }, 1)).to.include({ heartbeatMs: 10_000, heartbeatTimeoutMs: 60_000 });
    const env = { RUNHOOK_HEARTBEAT_SECONDS: '0.5', RUNHOOK_HEARTBEAT_TIMEOUT_SECONDS: '5' };
    expect(workerConfig({ ...BASE, ...env }, 1)).to.include({ heartbeatMs: 500, heartbeatTimeoutMs: 5000 });
    expect(() => workerConfig({ ...BASE, RUNHOOK_HEARTBEAT_TIMEOUT_SECONDS: '1' }, 1)).to.throw(
      ConfigError,
      'RUNHOOK_HEARTBEAT_TIMEOUT_SECONDS',
    );
  });

  it('refuses keys that are not of 32 bytes', () => {
    for (const bytes of [0, 16, 31, 33, 64])
      expect(
        () => importConfig({ RUNHOOK_SECRET_KEYS: Buffer.alloc(bytes, 7).toString('base64') }),
        String(bytes),
      ).to.throw(ConfigError, /RUNHOOK_SECRET_KEYS.*/);
    const key = Buffer.alloc(32, 7).toString('base64');
    expect(() => importConfig({ RUNHOOK_SECRET_KEYS: `${key},short` })).to.throw(ConfigError, '32-byte');
  });

  it('refuses a worker without anything to do, and a name that is no pool’s', () => {
    const nothing = { ...BASE, RUNHOOK_POOLS: 'none', RUNHOOK_WORKFLOWS: 'false' };
    expect(() => workerConfig(nothing, 1)).to.throw(ConfigError, 'nothing to do');
    for (const name of ['GPU', 'a b', '-a', 'a/b', 'x'.repeat(64)])
      expect(() => workerConfig({ ...BASE, RUNHOOK_POOLS: `default,${name}` }, 1), name)
        .to.throw(ConfigError, 'RUNHOOK_POOLS[1]')
        .with.property('message')
        .that.does.not.contain(name);
  });

  it('repeats no value in its problems: it may be a secret', () => {
    const secret = 'c2VjcmV0LXNlY3JldC1zZWNyZXQ=';
    const wrong = [
      () => importConfig({ RUNHOOK_SECRET_KEYS: secret }),
      () => serverConfig({ ...BASE, MONGODB_URL: 'postgres://user:hidden-password@db' }),
    ];
    for (const read of wrong) {
      const error = (() => {
        try {
          return read();
        } catch (thrown) {
          return thrown;
        }
      })() as Error;
      expect(error).to.be.instanceOf(ConfigError);
      expect(error.message).to.not.contain(secret).and.to.not.contain('hidden-password');
    }
  });
});
