import type { TargetKind } from '#src/domain/targets/target-kind.js';
import type { FoundTarget, TargetFinder } from '#src/db/targets/find-target.js';
import { DuplicateRunError, type AnsweredRun, type RunInserter } from '#src/db/runs/insert-run.js';
import type { TokenUses } from '#src/db/tokens/token-uses.js';
import type { Clock } from '#src/domain/clock.js';
import type { SuiteDefinition, TestDefinition } from '#src/domain/targets/definitions.js';
import {
  ConflictError,
  IdempotencyConflictError,
  InvalidInputError,
  TargetNotFoundError,
  UnavailableError,
} from '#src/domain/errors.js';
import { randomId, runIdOfKey } from '#src/domain/ids.js';
import type { Run, TriggeredBy } from '#src/domain/runs/run.js';
import { hashOfToken } from '#src/domain/tokens/token-format.js';
import { isOpenTo } from '#src/domain/tokens/webhook-token.js';
import type { Dispatcher } from './dispatcher.js';
import type { Permit, TriggerLimiter } from '#src/services/limits/trigger-limiter.js';
import { SERVICE_RESPONSE_MS, withinResponseTime } from '#src/services/within-response-time.js';

const BACKLOG_RETRY_AFTER_SECONDS = 20;
const IDEMPOTENCY_KEY = /^[\x20-\x7e]{1,255}$/;
/** Longer ones belong to nothing: not worth sending to the database. */
const LONGEST_ID = 64;

export interface WebhookTrigger {
  token: string;
  kind: TargetKind;
  targetId: string;
  idempotencyKey?: string | undefined;
  /** The caller's network address. */
  address: string;
}

/** What a call may give a run beside its target. */
export type RunExtras = Pick<Run, 'variables' | 'profileId' | 'profileName' | 'rerun' | 'creation'>;

/** A start by somebody whose right to start runs of the project is checked. */
export interface ApiTrigger extends RunExtras {
  projectId: string;
  kind: TargetKind;
  targetId: string;
  triggeredBy: TriggeredBy;
  idempotencyKey?: string | undefined;
  /** Instead of a key, from the service itself: the id of the run. */
  runId?: string | undefined;
  /** Of a suite: only these of its tests. */
  onlyTests?: string[];
}

/** `isNew`: not the run of an earlier call with the same key. */
export interface StartedRun {
  run: AnsweredRun;
  isNew: boolean;
}

/** A start whose target is found and is the caller's. */
interface Order {
  kind: TargetKind;
  target: FoundTarget;
  triggeredBy: TriggeredBy;
  idempotencyKey: string | undefined;
  runId?: string | undefined;
  extras: RunExtras;
}

export interface RunTriggerDeps {
  finder: TargetFinder;
  inserter: RunInserter;
  limiter: TriggerLimiter;
  tokenUses: Pick<TokenUses, 'note'>;
  /** The database's: what is ordered or expires by it was written by many processes. */
  clock: Clock;
  dispatcher: Pick<Dispatcher, 'enqueue' | 'firstSweepAt' | 'isFull'>;
  /** How long a run of a project is kept, in ms; from memory: there is no third look-up. */
  retentionMs(projectId: string): number;
}

export interface RunTrigger {
  /**
   * Starts one run: look-ups, commit of its record, and the start of its workflow behind the answer. The same
   * idempotency key for the same target is the same run.
   * @throws TargetNotFoundError, InvalidInputError (key), IdempotencyConflictError, TooManyError, UnavailableError
   */
  byWebhook(request: WebhookTrigger): Promise<AnsweredRun>;
  /**
   * The same for the API, the command line and the web app. Keys are the project's: one that a webhook was called with
   * is used for the API too, and the other way round.
   * @throws ConflictError (archived), InvalidInputError (key), IdempotencyConflictError, TooManyError, UnavailableError
   */
  byApi(request: ApiTrigger): Promise<StartedRun>;
}

/** Every way to start a run goes through here. */
export function createRunTrigger(deps: RunTriggerDeps): RunTrigger {
  const { finder, inserter, dispatcher, limiter } = deps;

  async function create(order: Order, expiresAt: number, tokenHash?: string): Promise<StartedRun> {
    const repeatable = repeatableId(order);
    const id = repeatable ?? randomId();
    let permit: Permit;
    try {
      permit = await admit(order, tokenHash);
    } catch (error) {
      // What is on record already adds nothing.
      if (repeatable !== undefined && (await inserter.find(id, expiresAt))) return earlierRun(id, order, expiresAt);
      throw error;
    }
    const run = newRun(id, order);
    let isNew = true;
    try {
      await inserter.insert(run, expiresAt);
    } catch (error) {
      if (!(error instanceof DuplicateRunError) || repeatable === undefined) throw error;
      isNew = false;
      return await earlierRun(id, order, expiresAt);
    } finally {
      permit.end(isNew);
    }
    // Variables may be large, and a start needs none.
    const { variables: _variables, ...pending } = run;
    dispatcher.enqueue(pending);
    return { run, isNew };
  }

  /** @throws UnavailableError when the backlog is full, TooManyError */
  async function admit({ target, kind }: Order, tokenHash: string | undefined): Promise<Permit> {
    if (dispatcher.isFull())
      throw new UnavailableError('Too many runs are waiting to start. Try again later.', BACKLOG_RETRY_AFTER_SECONDS);
    return limiter.admit({
      projectId: target.projectId,
      tokenHash,
      lineOf: kind === 'suite' && hasLine(target.definition as SuiteDefinition) ? target._id : undefined,
    });
  }

  async function earlierRun(id: string, order: Order, expiresAt: number): Promise<StartedRun> {
    const { kind, target, extras } = order;
    const earlier = await inserter.find(id, expiresAt);
    // Retention took it between the two calls: the next try makes a new one.
    if (!earlier)
      throw new UnavailableError('The previous run of this Idempotency-Key is being deleted. Try again.', 1);
    if (order.runId !== undefined) return { run: earlier, isNew: false };
    if (earlier.kind !== kind || earlier.targetId !== target._id)
      throw new IdempotencyConflictError(
        'This Idempotency-Key was already used for a different test or suite. Use a new key for each run.',
      );
    if (earlier.creation !== extras.creation)
      throw new IdempotencyConflictError(
        'This Idempotency-Key was already used by someone else, or with different variables or a different variable set. Use a new key for each run.',
      );
    return { run: earlier, isNew: false };
  }

  function newRun(id: string, { kind, target, triggeredBy, extras }: Order): Run {
    const now = deps.clock.now();
    const base = {
      _id: id,
      projectId: target.projectId,
      targetId: target._id,
      targetName: target.name,
      targetRevision: target.revision,
      status: 'queued' as const,
      seq: 0,
      dispatch: { after: dispatcher.firstSweepAt(now, target.projectId), attempts: 0 },
      queuedAt: now,
      modified: now,
      triggeredBy,
      expiresAt: new Date(now.getTime() + deps.retentionMs(target.projectId)),
      ...extras,
    };
    return kind === 'test'
      ? { ...base, kind, definition: target.definition as TestDefinition, attempt: 0, attempts: [] }
      : {
          ...base,
          kind,
          definition: target.definition as SuiteDefinition,
          ...(target.changeNumber === undefined ? {} : { changeNumber: target.changeNumber }),
        };
  }

  return {
    byWebhook({ token, kind, targetId, idempotencyKey, address }) {
      checkKey(idempotencyKey);
      return withinResponseTime(SERVICE_RESPONSE_MS, async (expiresAt) => {
        const wantedId = targetId.length > LONGEST_ID ? '' : targetId.toLowerCase();
        const hash = hashOfToken(token);
        limiter.prepare(hash);
        // Always both look-ups: every refusal costs the same, so that it tells nothing.
        const [found, target] = await Promise.all([
          finder.token(hash, expiresAt),
          finder.target(kind, wantedId, expiresAt),
        ]);
        if (!found || target?.projectId !== found.projectId || !isOpenTo(found, address, deps.clock.now()))
          throw new TargetNotFoundError();
        const order = { kind, target, triggeredBy: { type: 'webhook' as const }, idempotencyKey, extras: {} };
        const { run } = await create(order, expiresAt, hash);
        deps.tokenUses.note(found);
        return run;
      });
    },

    byApi({ projectId, kind, targetId, triggeredBy, idempotencyKey, runId, onlyTests, ...extras }) {
      checkKey(idempotencyKey);
      return withinResponseTime(SERVICE_RESPONSE_MS, async (expiresAt) => {
        const target = await finder.target(kind, targetId, expiresAt);
        // The door has seen it: it can only be archived.
        if (target?.projectId !== projectId)
          throw new ConflictError('archived', `This ${kind} is archived. Restore it before you run it.`);
        const wanted = onlyTests ? withTests(target, onlyTests) : target;
        return create({ kind, target: wanted, triggeredBy, idempotencyKey, runId, extras }, expiresAt);
      });
    },
  };
}

/** The id that a repeat of the call has too; undefined when each call is a new run. */
function repeatableId({ runId, idempotencyKey, target }: Order): string | undefined {
  if (runId !== undefined || idempotencyKey === undefined) return runId;
  return runIdOfKey(target.projectId, idempotencyKey);
}

/** Whether a suite's runs must not overlap. Suites of older versions do not specify it. */
function hasLine({ overlap = 'allow' }: Partial<Pick<SuiteDefinition, 'overlap'>>): boolean {
  return overlap !== 'allow';
}

/** @throws InvalidInputError */
function checkKey(idempotencyKey: string | undefined): void {
  if (idempotencyKey !== undefined && !IDEMPOTENCY_KEY.test(idempotencyKey))
    throw new InvalidInputError('Idempotency-Key must be 1 to 255 printable ASCII characters.');
}

function withTests(suite: FoundTarget, tests: string[]): FoundTarget {
  return { ...suite, definition: { ...(suite.definition as SuiteDefinition), tests } };
}
