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
/** Longer IDs cannot exist: skip the query. */
const MAX_ID_LENGTH = 64;

export interface WebhookTrigger {
  token: string;
  kind: TargetKind;
  targetId: string;
  idempotencyKey?: string | undefined;
  /** The caller's network address. */
  address: string;
}

/** Optional fields of a new run. */
export type RunExtras = Pick<Run, 'variables' | 'profileId' | 'profileName' | 'rerun' | 'creation'>;

/** A request whose right to start runs of the project has been checked. */
export interface ApiTrigger extends RunExtras {
  projectId: string;
  kind: TargetKind;
  targetId: string;
  triggeredBy: TriggeredBy;
  idempotencyKey?: string | undefined;
  /** ID of the run, instead of a key; only for callers inside the service. */
  runId?: string | undefined;
  /** Runs only these tests of a suite. */
  onlyTests?: string[];
}

/** `isNew` is false for the run of an earlier call with the same key. */
export interface StartedRun {
  run: AnsweredRun;
  isNew: boolean;
}

/** A request whose target was found and is accessible to the caller. */
interface ResolvedRequest {
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
  /** The database's clock, because many processes write the times that are compared. */
  clock: Clock;
  dispatcher: Pick<Dispatcher, 'enqueue' | 'firstSweepAt' | 'isFull'>;
  /** Retention of a project's runs, in ms; cached to save a third query. */
  retentionMs(projectId: string): number;
}

export interface RunTrigger {
  /**
   * Starts a run: looks up token and target, commits the record, and starts the workflow after the response. A repeat
   * with the same idempotency key for the same target returns the same run.
   * @throws TargetNotFoundError, InvalidInputError (key), IdempotencyConflictError, TooManyError, UnavailableError
   */
  byWebhook(request: WebhookTrigger): Promise<AnsweredRun>;
  /**
   * Starts a run for the API, the CLI or the web app. Webhooks and the API share the idempotency keys of a project.
   * @throws ConflictError (archived), InvalidInputError (key), IdempotencyConflictError, TooManyError, UnavailableError
   */
  byApi(request: ApiTrigger): Promise<StartedRun>;
}

/** Starts all runs: webhook, API, CLI, web and schedule. */
export function createRunTrigger(deps: RunTriggerDeps): RunTrigger {
  const { finder, inserter, dispatcher, limiter } = deps;

  async function create(request: ResolvedRequest, expiresAt: number, tokenHash?: string): Promise<StartedRun> {
    const repeatable = repeatableId(request);
    const id = repeatable ?? randomId();
    let permit: Permit;
    try {
      permit = await admit(request, tokenHash);
    } catch (error) {
      // A repeat of a recorded run does not count against the limits.
      if (repeatable !== undefined && (await inserter.find(id, expiresAt))) return earlierRun(id, request, expiresAt);
      throw error;
    }
    const run = newRun(id, request);
    let isNew = true;
    try {
      await inserter.insert(run, expiresAt);
    } catch (error) {
      if (!(error instanceof DuplicateRunError) || repeatable === undefined) throw error;
      isNew = false;
      return await earlierRun(id, request, expiresAt);
    } finally {
      permit.end(isNew);
    }
    // Variables may be large, and a workflow start does not need them.
    const { variables: _variables, ...pending } = run;
    dispatcher.enqueue(pending);
    return { run, isNew };
  }

  /** @throws UnavailableError when the backlog is full, TooManyError */
  async function admit({ target, kind }: ResolvedRequest, tokenHash: string | undefined): Promise<Permit> {
    if (dispatcher.isFull())
      throw new UnavailableError('Too many runs are waiting to start. Try again later.', BACKLOG_RETRY_AFTER_SECONDS);
    return limiter.admit({
      projectId: target.projectId,
      tokenHash,
      serialSuiteId: kind === 'suite' && isSerial(target.definition as SuiteDefinition) ? target._id : undefined,
    });
  }

  async function earlierRun(id: string, request: ResolvedRequest, expiresAt: number): Promise<StartedRun> {
    const { kind, target, extras } = request;
    const earlier = await inserter.find(id, expiresAt);
    // Retention has just deleted the run: the next request creates a new one.
    if (!earlier)
      throw new UnavailableError('The previous run of this Idempotency-Key is being deleted. Try again.', 1);
    if (request.runId !== undefined) return { run: earlier, isNew: false };
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

  function newRun(id: string, { kind, target, triggeredBy, extras }: ResolvedRequest): Run {
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
      : { ...base, kind, definition: target.definition as SuiteDefinition, changeNumber: target.changeNumber };
  }

  return {
    byWebhook({ token, kind, targetId, idempotencyKey, address }) {
      checkKey(idempotencyKey);
      return withinResponseTime(SERVICE_RESPONSE_MS, async (expiresAt) => {
        const id = targetId.length > MAX_ID_LENGTH ? '' : targetId.toLowerCase();
        const hash = hashOfToken(token);
        limiter.prepare(hash);
        // Always both queries: the time of a rejection must not reveal which of them failed.
        const [found, target] = await Promise.all([finder.token(hash, expiresAt), finder.target(kind, id, expiresAt)]);
        if (!found || target?.projectId !== found.projectId || !isOpenTo(found, address, deps.clock.now()))
          throw new TargetNotFoundError();
        const request = { kind, target, triggeredBy: { type: 'webhook' as const }, idempotencyKey, extras: {} };
        const { run } = await create(request, expiresAt, hash);
        deps.tokenUses.note(found);
        return run;
      });
    },

    byApi({ projectId, kind, targetId, triggeredBy, idempotencyKey, runId, onlyTests, ...extras }) {
      checkKey(idempotencyKey);
      return withinResponseTime(SERVICE_RESPONSE_MS, async (expiresAt) => {
        const target = await finder.target(kind, targetId, expiresAt);
        // Authorization has found the target, so it can only be archived.
        if (target?.projectId !== projectId)
          throw new ConflictError('archived', `This ${kind} is archived. Restore it before you run it.`);
        const selected = onlyTests ? withTests(target, onlyTests) : target;
        return create({ kind, target: selected, triggeredBy, idempotencyKey, runId, extras }, expiresAt);
      });
    },
  };
}

/** The ID that repeats of the request share; undefined when each request starts a new run. */
function repeatableId({ runId, idempotencyKey, target }: ResolvedRequest): string | undefined {
  if (runId !== undefined || idempotencyKey === undefined) return runId;
  return runIdOfKey(target.projectId, idempotencyKey);
}

/** Whether the runs of a suite must not overlap. Suites of older versions lack the field. */
function isSerial({ overlap = 'allow' }: Partial<Pick<SuiteDefinition, 'overlap'>>): boolean {
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
