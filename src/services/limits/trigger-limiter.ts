import QuickLRU from 'quick-lru';
import type { OpenRunCounter } from '#src/db/runs/count-open-runs.js';
import type { RateBuckets } from '#src/db/instance/rate-buckets.js';
import { TooManyError } from '#src/domain/errors.js';
import type { ProjectLimits } from '#src/domain/limits.js';
import { createLeasedBucket, type LeasedBucket } from './leased-bucket.js';
import { createOpenRunLimit, type OpenRunLimit } from './open-run-limit.js';

/** Tokens and projects that a server keeps in mind at most. */
const REMEMBERED = 10_000;
/** When to come back while too many runs are open, in seconds. */
const OPEN_RETRY_SECONDS = 10;

/** A trigger that was let through. */
export interface Permit {
  /** @param isNew false: it started nothing new, and does not count */
  end(isNew: boolean): void;
}

/** Whom a trigger counts for. */
export interface TriggerOrigin {
  projectId: string;
  /** Of its webhook token; none, it came another way. */
  tokenHash?: string | undefined;
  /** Id of the suite, when its runs must not overlap. */
  lineOf?: string | undefined;
}

/** The limits of triggers, right over all servers (see docs/decisions/operations/rate-limits.md). */
export interface TriggerLimiter {
  /** Gets permits in the background for a token that was good here before, while it is looked up. */
  prepare(tokenHash: string): void;
  /** @throws TooManyError, or the driver's error when the database does not answer */
  admit(origin: TriggerOrigin): Promise<Permit>;
}

export interface TriggerLimiterDeps {
  buckets: RateBuckets;
  countOpen: OpenRunCounter;
  /** Runs of a suite that have not begun. */
  countWaiting: OpenRunCounter;
  /** From memory. */
  limitsOf(projectId: string): ProjectLimits;
}

export function createTriggerLimiter({
  buckets,
  countOpen,
  countWaiting,
  limitsOf,
}: TriggerLimiterDeps): TriggerLimiter {
  const tokens = new QuickLRU<string, { projectId: string; bucket: LeasedBucket }>({ maxSize: REMEMBERED });
  const projects = new QuickLRU<string, { bucket: LeasedBucket; open: OpenRunLimit }>({ maxSize: REMEMBERED });
  const lines = new QuickLRU<string, OpenRunLimit>({ maxSize: REMEMBERED });

  const ofToken = (hash: string, projectId: string) =>
    findOrMake(tokens, hash, () => ({
      projectId,
      bucket: createLeasedBucket(buckets, `token:${hash}`, () => {
        const { tokenTriggersPerMinute, tokenBurst } = limitsOf(projectId);
        return { perMinute: tokenTriggersPerMinute, burst: tokenBurst };
      }),
    }));

  const ofProject = (projectId: string) =>
    findOrMake(projects, projectId, () => ({
      bucket: createLeasedBucket(buckets, `project:${projectId}`, () => {
        const { projectTriggersPerMinute, projectBurst } = limitsOf(projectId);
        return { perMinute: projectTriggersPerMinute, burst: projectBurst };
      }),
      open: createOpenRunLimit(projectId, countOpen),
    }));

  const ofLine = (suiteId: string) => findOrMake(lines, suiteId, () => createOpenRunLimit(suiteId, countWaiting));

  /** @throws TooManyError when there is no place left, with none taken */
  async function takePlace(places: OpenRunLimit, limit: number, problem: string): Promise<void> {
    if (await places.take(limit)) return;
    throw new TooManyError(problem, OPEN_RETRY_SECONDS, {
      limit,
      remaining: 0,
      resetSeconds: OPEN_RETRY_SECONDS,
    });
  }

  /** @throws TooManyError, with nothing taken */
  async function takeFrom(bucket: LeasedBucket, owner: string, perMinute: number): Promise<void> {
    const waitMs = await bucket.take();
    if (waitMs === undefined) return;
    const seconds = Math.max(1, Math.ceil(waitMs / 1000));
    throw new TooManyError(
      `The ${owner} has reached its limit of ${perMinute} triggers per minute. Try again later.`,
      seconds,
      {
        limit: perMinute,
        remaining: 0,
        resetSeconds: seconds,
      },
    );
  }

  return {
    prepare(tokenHash) {
      const token = tokens.peek(tokenHash);
      if (!token) return;
      token.bucket.prepare();
      projects.peek(token.projectId)?.bucket.prepare();
    },

    async admit({ projectId, tokenHash, lineOf }) {
      const limits = limitsOf(projectId);
      const project = ofProject(projectId);
      const token = tokenHash === undefined ? undefined : ofToken(tokenHash, projectId).bucket;
      // Both draws at the same time, where there has to be one.
      if (token) project.bucket.prepare();
      const line = lineOf === undefined ? undefined : ofLine(lineOf);
      const taken: (() => void)[] = [];
      try {
        await takePlace(
          project.open,
          limits.openRuns,
          `The project has reached its limit of ${limits.openRuns} open runs. Try again when some have ended.`,
        );
        taken.push(() => project.open.end(false));
        if (line) {
          await takePlace(
            line,
            limits.waitingSuiteRuns,
            `The suite has reached its limit of ${limits.waitingSuiteRuns} waiting runs. Try again when some have started.`,
          );
          taken.push(() => line.end(false));
        }
        if (token) {
          await takeFrom(token, 'webhook token', limits.tokenTriggersPerMinute);
          taken.push(() => token.giveBack());
        }
        await takeFrom(project.bucket, 'project', limits.projectTriggersPerMinute);
      } catch (error) {
        taken.forEach((giveBack) => giveBack());
        throw error;
      }
      return {
        end(isNew) {
          project.open.end(isNew);
          line?.end(isNew);
          if (isNew) return;
          token?.giveBack();
          project.bucket.giveBack();
        },
      };
    },
  };
}

function findOrMake<Value>(values: Map<string, Value>, key: string, make: () => Value): Value {
  const found = values.get(key);
  if (found !== undefined) return found;
  const made = make();
  values.set(key, made);
  return made;
}
