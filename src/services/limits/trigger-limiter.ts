import QuickLRU from 'quick-lru';
import type { OpenRunCounter } from '#src/db/runs/count-open-runs.js';
import type { RateBuckets } from '#src/db/instance/rate-buckets.js';
import { TooManyError } from '#src/domain/errors.js';
import type { ProjectLimits } from '#src/domain/limits.js';
import { createLeasedBucket, type LeasedBucket } from './leased-bucket.js';
import { createOpenRunLimit, type OpenRunLimit } from './open-run-limit.js';

/** Number of tokens, projects and suites that a server caches. */
const MAX_CACHED = 10_000;
/** Retry-After while too many runs are open, in seconds. */
const OPEN_RETRY_SECONDS = 10;

/** An admitted trigger. */
export interface Permit {
  /** @param isNew false: no run was created, so the trigger does not count */
  end(isNew: boolean): void;
}

/** The limits that a trigger counts against. */
export interface TriggerOrigin {
  projectId: string;
  /** Of the webhook token; absent for other triggers. */
  tokenHash?: string | undefined;
  /** ID of a suite whose runs must not overlap. */
  serialSuiteId?: string | undefined;
}

export type TriggerLimiter = ReturnType<typeof createTriggerLimiter>;

export interface TriggerLimiterDeps {
  buckets: RateBuckets;
  countOpen: OpenRunCounter;
  /** Counts the runs of a suite that have not begun. */
  countWaiting: OpenRunCounter;
  /** Cached. */
  limitsOf(projectId: string): ProjectLimits;
}

/** Trigger limits, shared by all servers (see docs/decisions/operations/rate-limits.md). */
export function createTriggerLimiter({ buckets, countOpen, countWaiting, limitsOf }: TriggerLimiterDeps) {
  const tokens = new QuickLRU<string, { projectId: string; bucket: LeasedBucket }>({ maxSize: MAX_CACHED });
  const projects = new QuickLRU<string, { bucket: LeasedBucket; open: OpenRunLimit }>({ maxSize: MAX_CACHED });
  const serialSuites = new QuickLRU<string, OpenRunLimit>({ maxSize: MAX_CACHED });

  const tokenBucket = (hash: string, projectId: string) =>
    getOrCreate(tokens, hash, () => ({
      projectId,
      bucket: createLeasedBucket(buckets, `token:${hash}`, () => {
        const { tokenTriggersPerMinute, tokenBurst } = limitsOf(projectId);
        return { perMinute: tokenTriggersPerMinute, burst: tokenBurst };
      }),
    }));

  const projectLimits = (projectId: string) =>
    getOrCreate(projects, projectId, () => ({
      bucket: createLeasedBucket(buckets, `project:${projectId}`, () => {
        const { projectTriggersPerMinute, projectBurst } = limitsOf(projectId);
        return { perMinute: projectTriggersPerMinute, burst: projectBurst };
      }),
      open: createOpenRunLimit(projectId, countOpen),
    }));

  const serialSuiteLimit = (suiteId: string) =>
    getOrCreate(serialSuites, suiteId, () => createOpenRunLimit(suiteId, countWaiting));

  /** @throws TooManyError at the limit, without side effects */
  async function admitRun(runs: OpenRunLimit, limit: number, problem: string): Promise<void> {
    if (await runs.admit(limit)) return;
    throw new TooManyError(problem, OPEN_RETRY_SECONDS, { limit, remaining: 0, resetSeconds: OPEN_RETRY_SECONDS });
  }

  /** @throws TooManyError, without side effects */
  async function acquirePermit(bucket: LeasedBucket, owner: string, perMinute: number): Promise<void> {
    const waitMs = await bucket.acquire();
    if (waitMs === undefined) return;
    const seconds = Math.max(1, Math.ceil(waitMs / 1000));
    throw new TooManyError(
      `The ${owner} has reached its limit of ${perMinute} triggers per minute. Try again later.`,
      seconds,
      { limit: perMinute, remaining: 0, resetSeconds: seconds },
    );
  }

  return {
    /** Draws permits in the background for a cached token, while the token is looked up. */
    prepare(tokenHash: string) {
      const token = tokens.peek(tokenHash);
      if (!token) return;
      token.bucket.prepare();
      projects.peek(token.projectId)?.bucket.prepare();
    },

    /** @throws TooManyError; the driver's error when the database does not respond */
    async admit({ projectId, tokenHash, serialSuiteId }: TriggerOrigin): Promise<Permit> {
      const limits = limitsOf(projectId);
      const project = projectLimits(projectId);
      const token = tokenHash === undefined ? undefined : tokenBucket(tokenHash, projectId).bucket;
      // Draws from both buckets concurrently.
      if (token) project.bucket.prepare();
      const serialSuite = serialSuiteId === undefined ? undefined : serialSuiteLimit(serialSuiteId);
      const undo: (() => void)[] = [];
      try {
        await admitRun(
          project.open,
          limits.openRuns,
          `The project has reached its limit of ${limits.openRuns} open runs. Try again when some have ended.`,
        );
        undo.push(() => project.open.end(false));
        if (serialSuite) {
          await admitRun(
            serialSuite,
            limits.waitingSuiteRuns,
            `The suite has reached its limit of ${limits.waitingSuiteRuns} waiting runs. Try again when some have started.`,
          );
          undo.push(() => serialSuite.end(false));
        }
        if (token) {
          await acquirePermit(token, 'webhook token', limits.tokenTriggersPerMinute);
          undo.push(() => token.refund());
        }
        await acquirePermit(project.bucket, 'project', limits.projectTriggersPerMinute);
      } catch (error) {
        undo.forEach((step) => step());
        throw error;
      }
      return {
        end(isNew) {
          project.open.end(isNew);
          serialSuite?.end(isNew);
          if (isNew) return;
          token?.refund();
          project.bucket.refund();
        },
      };
    },
  };
}

function getOrCreate<Value>(values: Map<string, Value>, key: string, create: () => Value): Value {
  const existing = values.get(key);
  if (existing !== undefined) return existing;
  const created = create();
  values.set(key, created);
  return created;
}
