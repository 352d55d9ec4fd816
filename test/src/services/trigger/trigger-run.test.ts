import { expect } from 'chai';
import { MongoNetworkError } from 'mongodb';
import type { FoundTarget } from '#src/db/targets/find-target.js';
import { DuplicateRunError, type AnsweredRun } from '#src/db/runs/insert-run.js';
import type { PendingRun } from '#src/db/runs/pending-starts.js';
import {
  ConflictError,
  IdempotencyConflictError,
  InvalidInputError,
  TargetNotFoundError,
  TooManyError,
  UnavailableError,
} from '#src/domain/errors.js';
import { runIdOfKey } from '#src/domain/ids.js';
import type { Run } from '#src/domain/runs/run.js';
import { hashOfToken } from '#src/domain/tokens/token-format.js';
import type { TokenConditions } from '#src/domain/tokens/webhook-token.js';
import { createRunTrigger, type RunTriggerDeps } from '#src/services/trigger/trigger-run.js';
import { aClock } from '#test/builders/clock.js';
import { aSuiteDefinition } from '#test/builders/run.js';
import { aTarget } from '#test/builders/target.js';

describe('trigger a run', () => {
  const TOKEN = 'rhwh_token';
  const target = aTarget();
  let records: Map<string, Run>;
  let enqueued: string[];
  let pending: PendingRun[];
  let lookUps: string[];
  let conditions: TokenConditions;
  let noted: string[];
  /** The `isNew` of each ended permit. */
  let ended: boolean[];

  beforeEach(() => {
    records = new Map();
    enqueued = [];
    pending = [];
    lookUps = [];
    conditions = {};
    noted = [];
    ended = [];
  });

  /** Maps instead of a database. */
  function trigger(some: Partial<RunTriggerDeps> = {}) {
    return createRunTrigger({
      clock: aClock(),
      finder: {
        async token(hash) {
          lookUps.push('token');
          return hash === hashOfToken(TOKEN) ? { _id: hash, projectId: target.projectId, ...conditions } : undefined;
        },
        async target(kind, id): Promise<FoundTarget | undefined> {
          lookUps.push(kind);
          return kind === 'test' && id === target._id ? target : undefined;
        },
      },
      inserter: {
        async insert(run) {
          if (records.has(run._id)) throw new DuplicateRunError();
          records.set(run._id, run);
        },
        find: async (id): Promise<AnsweredRun | undefined> => records.get(id),
      },
      dispatcher: {
        enqueue(run) {
          enqueued.push(run._id);
          pending.push(run);
        },
        firstSweepAt: (now) => new Date(now.getTime() + 10_000),
        isFull: () => false,
      },
      limiter: { prepare: () => {}, admit: async () => ({ end: (isNew) => void ended.push(isNew) }) },
      tokenUses: { note: ({ _id }) => void noted.push(_id) },
      retentionMs: (projectId) => (projectId === target.projectId ? 1000 : 9999),
      ...some,
    });
  }
  const request = { token: TOKEN, kind: 'test', targetId: target._id, address: '192.0.2.1' } as const;
  const refusal = (promise: Promise<unknown>) =>
    promise.then(
      () => expect.fail('was accepted'),
      (error: unknown) => error,
    );

  it('limits waiting runs only of a suite whose runs must not overlap', async () => {
    const lines: (string | undefined)[] = [];
    const limiter = {
      prepare: () => {},
      admit: async ({ serialSuiteId }: { serialSuiteId?: string | undefined }) => (
        lines.push(serialSuiteId),
        { end: () => {} }
      ),
    };
    const suite = aTarget();
    for (const definition of [
      aSuiteDefinition({ overlap: 'queue' }),
      aSuiteDefinition({ overlap: 'skip' }),
      aSuiteDefinition({ overlap: 'allow' }),
    ]) {
      const finder = { token: async () => undefined, target: async () => ({ ...suite, definition }) };
      await trigger({ finder, limiter }).byApi({
        kind: 'suite',
        projectId: suite.projectId,
        targetId: suite._id,
        triggeredBy: { type: 'schedule' },
      });
    }
    await trigger({ limiter }).byWebhook(request);
    expect(lines).to.deep.equal([suite._id, suite._id, undefined, undefined]);
  });

  it('pins a suite run to the change number that came with its look-up', async () => {
    const suite = aTarget({ definition: aSuiteDefinition(), changeNumber: 7 });
    const { byApi } = trigger({ finder: { token: async () => undefined, target: async () => suite } });
    const start = {
      kind: 'suite',
      projectId: suite.projectId,
      targetId: suite._id,
      triggeredBy: { type: 'api' },
    } as const;
    for (const more of [{}, { onlyTests: ['one'] }]) {
      const { run } = await byApi({ ...start, ...more });
      expect(records.get(run._id)).to.include({ kind: 'suite', changeNumber: 7 });
    }
  });

  it('commits a queued record with the snapshot and enqueues it', async () => {
    const answer = await trigger().byWebhook(request);
    const record = records.get(answer._id)!;
    expect(record).to.deep.include({ kind: 'test', status: 'queued', seq: 0, projectId: target.projectId });
    expect(record.definition).to.deep.equal(target.definition);
    expect(record.triggeredBy).to.deep.equal({ type: 'webhook' });
    expect(record.modified).to.deep.equal(record.queuedAt);
    expect(record.expiresAt.getTime() - record.queuedAt.getTime()).to.equal(1000);
    expect(record.dispatch!.after.getTime() - record.queuedAt.getTime()).to.equal(10_000);
    expect(enqueued).to.deep.equal([answer._id]);
  });

  it('dates the record by the database’s clock, not by that of the process', async () => {
    const now = new Date('2031-01-01T12:00:00Z');
    const { _id } = await trigger({ clock: { now: () => now } }).byWebhook(request);
    const { queuedAt, modified, expiresAt } = records.get(_id)!;
    expect({ queuedAt, modified }).to.deep.equal({ queuedAt: now, modified: now });
    expect(expiresAt).to.deep.equal(new Date(now.getTime() + 1000));
  });

  it('expires a token by the database’s clock', async () => {
    conditions = { expiresAt: new Date(Date.now() + 60_000) };
    const late = trigger({ clock: aClock(5 * 60_000) });
    expect(await refusal(late.byWebhook(request))).to.be.instanceOf(TargetNotFoundError);
    conditions = { expiresAt: new Date(Date.now() - 60_000) };
    await trigger({ clock: aClock(-5 * 60_000) }).byWebhook(request);
    expect(records.size).to.equal(1);
  });

  it('never merges two triggers without a key', async () => {
    const { byWebhook } = trigger();
    const answers = await Promise.all([byWebhook(request), byWebhook(request)]);
    expect(answers[0]!._id).to.not.equal(answers[1]!._id);
    expect(records.size).to.equal(2);
  });

  it('accepts an uppercase ID', async () => {
    await trigger().byWebhook({ ...request, targetId: target._id.toUpperCase() });
    expect(records.size).to.equal(1);
  });

  const refused: [string, Partial<typeof request> | Record<string, string>][] = [
    ['a bad token', { token: 'other' }],
    ['an unknown test', { targetId: 'a'.repeat(36) }],
    ['a suite under the id of a test', { kind: 'suite' }],
    ['an id of 10,000 characters', { targetId: 'a'.repeat(10_000) }],
  ];
  for (const [what, some] of refused)
    it(`refuses ${what}, after both look-ups`, async () => {
      const error = await refusal(trigger().byWebhook({ ...request, ...(some as Partial<typeof request>) }));
      expect(error).to.be.instanceOf(TargetNotFoundError);
      expect(lookUps).to.have.length(2);
      expect(records.size).to.equal(0);
    });

  it('refuses another project’s test', async () => {
    const finder = {
      token: async (_id: string) => ({ _id, projectId: 'another project' }),
      target: async () => target,
    };
    expect(await refusal(trigger({ finder }).byWebhook(request))).to.be.instanceOf(TargetNotFoundError);
  });

  it('records the use of the token and the new run', async () => {
    await trigger().byWebhook(request);
    expect(noted).to.deep.equal([hashOfToken(TOKEN)]);
    expect(ended).to.deep.equal([true]);
  });

  const conditionsOfOthers: [string, () => TokenConditions][] = [
    ['an expired token', () => ({ expiresAt: new Date(Date.now() - 1) })],
    ['a token from outside its networks', () => ({ allowedNetworks: ['198.51.100.0/24', '2001:db8::/32'] })],
    ['a token that is open to no network', () => ({ allowedNetworks: [] })],
  ];
  for (const [what, condition] of conditionsOfOthers)
    it(`refuses ${what}, after both look-ups`, async () => {
      conditions = condition();
      expect(await refusal(trigger().byWebhook(request))).to.be.instanceOf(TargetNotFoundError);
      expect(lookUps).to.have.length(2);
      expect([records.size, noted.length]).to.deep.equal([0, 0]);
    });

  it('accepts a token from its networks before its expiry', async () => {
    conditions = { expiresAt: new Date(Date.now() + 60_000), allowedNetworks: ['192.0.2.0/30'] };
    await trigger().byWebhook(request);
    expect(records.size).to.equal(1);
  });

  describe('at a limit', () => {
    const admit = async () => {
      throw new TooManyError('too many', 7);
    };
    const full = { prepare: () => {}, admit };

    it('rejects, and inserts no record', async () => {
      expect(await refusal(trigger({ limiter: full }).byWebhook(request))).to.be.instanceOf(TooManyError);
      expect(records.size).to.equal(0);
    });

    it('returns a recorded run', async () => {
      const keyed = { ...request, idempotencyKey: 'deploy 3' };
      const { _id } = await trigger().byWebhook(keyed);
      expect(await trigger({ limiter: full }).byWebhook(keyed)).to.include({ _id });
    });
  });

  describe('with an idempotency key', () => {
    const keyed = { ...request, idempotencyKey: 'deploy 1' };

    it('starts one run once, and returns its current state', async () => {
      const { byWebhook } = trigger();
      const first = await byWebhook(keyed);
      records.get(first._id)!.status = 'running';
      const second = await byWebhook(keyed);
      expect(first._id).to.equal(runIdOfKey(target.projectId, 'deploy 1'));
      expect(second).to.include({ _id: first._id, status: 'running' });
      expect(enqueued).to.deep.equal([first._id]);
      expect(ended, 'the second does not count').to.deep.equal([true, false]);
    });

    it('refuses the key for another target', async () => {
      const other = { ...aTarget(), projectId: target.projectId };
      const { byWebhook } = trigger({
        finder: {
          token: async (_id) => ({ _id, projectId: target.projectId }),
          target: async (_kind, id) => (id === other._id ? other : target),
        },
      });
      await byWebhook(keyed);
      const error = await refusal(byWebhook({ ...keyed, targetId: other._id }));
      expect(error).to.be.instanceOf(IdempotencyConflictError);
      expect(records.size).to.equal(1);
    });

    for (const key of ['', 'x'.repeat(256), 'tab\there', 'caf\u00e9', 'line\nbreak'])
      it(`refuses the malformed key ${JSON.stringify(key.slice(0, 12))} before any look-up`, () => {
        const { byWebhook } = trigger();
        expect(() => byWebhook({ ...keyed, idempotencyKey: key })).to.throw(InvalidInputError);
        expect(lookUps).to.deep.equal([]);
      });
  });

  describe('by the API', () => {
    const { projectId } = target;
    const api = { projectId, kind: 'test', targetId: target._id, triggeredBy: { type: 'cli', name: 'Ada' } } as const;
    const keyed = { ...api, idempotencyKey: 'deploy 3', creation: 'of this' };

    it('records the fields of the run; the workflow start gets no variables', async () => {
      const variables = [{ key: 'A', value: '1', isSecret: false }];
      const { run } = await trigger().byApi({
        ...api,
        variables,
        profileId: 'p',
        profileName: 'P',
        rerun: { of: 'r' },
      });
      const given = { variables, profileId: 'p', profileName: 'P', rerun: { of: 'r' }, triggeredBy: api.triggeredBy };
      expect(records.get(run._id)).to.deep.include(given);
      expect(records.get(run._id)).not.to.have.any.keys('onlyTests', 'idempotencyKey', 'creation');
      expect(pending[0]).to.include({ _id: run._id }).and.not.have.property('variables');
    });

    it('starts one run per key, and rejects the key for different content and for a webhook’s run', async () => {
      const { byApi, byWebhook } = trigger();
      const first = await byApi(keyed);
      expect(first.isNew).to.equal(true);
      const again = await byApi(keyed);
      expect([again.run._id, again.isNew]).to.deep.equal([first.run._id, false]);
      const others = [
        byApi({ ...keyed, creation: 'of that' }),
        byWebhook({ ...request, idempotencyKey: keyed.idempotencyKey }),
      ];
      for (const other of others) expect(await refusal(other)).to.be.instanceOf(IdempotencyConflictError);
      await byWebhook({ ...request, idempotencyKey: 'deploy 4' });
      expect(await refusal(byApi({ ...keyed, idempotencyKey: 'deploy 4' }))).to.be.instanceOf(IdempotencyConflictError);
      expect(enqueued).to.have.length(2);
    });

    it('refuses an archived target', async () => {
      const error = await refusal(trigger().byApi({ ...api, targetId: 'gone' }));
      expect(error).to.be.instanceOf(ConflictError).and.include({ code: 'archived' });
    });
  });

  it('is unavailable, with Retry-After, when the database fails', async () => {
    const failing = async () => {
      throw new MongoNetworkError('gone');
    };
    const inserter = { insert: failing, find: failing };
    const error = await refusal(trigger({ inserter }).byWebhook(request));
    expect(error).to.be.instanceOf(UnavailableError);
    expect((error as UnavailableError).retryAfterSeconds).to.be.greaterThan(0);
    expect(enqueued).to.deep.equal([]);
  });

  it('is unavailable within 6 s when the database never responds', async () => {
    const began = performance.now();
    const never = () => new Promise<never>(() => {});
    const error = await refusal(trigger({ finder: { token: never, target: never } }).byWebhook(request));
    expect(error).to.be.instanceOf(UnavailableError);
    expect(performance.now() - began).to.be.lessThan(6000);
  });

  it('is unavailable when too many runs are pending, and inserts no record', async () => {
    const dispatcher = { enqueue: () => {}, firstSweepAt: (now: Date) => now, isFull: () => true };
    expect(await refusal(trigger({ dispatcher }).byWebhook(request))).to.be.instanceOf(UnavailableError);
    expect(records.size).to.equal(0);
  });

  it('returns a recorded run although too many runs are pending', async () => {
    const keyed = { ...request, idempotencyKey: 'deploy 2' };
    const { _id } = await trigger().byWebhook(keyed);
    const dispatcher = { enqueue: () => {}, firstSweepAt: (now: Date) => now, isFull: () => true };
    expect(await trigger({ dispatcher }).byWebhook(keyed)).to.include({ _id });
  });

  it('does not report a defect in the code as an unavailable database', async () => {
    const finder = {
      token: async () => {
        throw new TypeError('a defect');
      },
      target: async () => target,
    };
    expect(await refusal(trigger({ finder }).byWebhook(request))).to.be.instanceOf(TypeError);
  });
});
