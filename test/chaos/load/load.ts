import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunAnswer } from '#src/domain/runs/run.js';
import { answerTo } from '#test/support/servers/http-answer.js';
import { watchBacklog } from './backlog.js';
import { TARGETS, type Target } from './known-runs.js';
import type { Random } from '#test/chaos/random.js';
import type { System } from '#test/chaos/system/system.js';
import { SERVERS } from '#test/chaos/system/topology.js';

const CALLERS = 4;
const PAUSE_MS = [500, 1800] as const;
/** Like curl's --max-time. */
const MAX_TIME_MS = 10_000;
/** How long a caller retries. */
const GIVE_UP_MS = 120_000;
/** Callers wait while this many runs are in progress, so that a slow machine is not overloaded. */
const MAX_OPEN = 40;
const KEYED = 0.4;
const TWICE = 0.3;

/** One request and its outcome. */
export interface Attempt {
  server: string;
  /** In ms since the epoch. */
  at: number;
  ms: number;
  /** Absent: there was no response. */
  status?: number;
  id?: string;
  error?: string;
}

/** A call with all its attempts. */
export interface Call extends Target {
  key?: string;
  attempts: Attempt[];
}

export interface Load {
  calls: Call[];
  /** Makes one more call, whose first attempt goes to this server. Resolves when it is over. */
  call(target: Target, server?: string): Promise<void>;
  /** Stops the callers once each has its response. */
  end(): Promise<void>;
}

/** Callers that trigger at a modest pace and retry like curl: after a 503, a lost connection or a timeout. */
export function startLoad(system: Pick<System, 'link' | 'project' | 'collections'>, random: Random): Load {
  const backlog = watchBacklog(system.collections);
  const calls: Call[] = [];
  const extra = new Set<Promise<void>>();
  let going = true;

  async function attempt(call: Call, server: string): Promise<boolean> {
    const { kind, name, key } = call;
    const { webhookToken } = system.project;
    const began = performance.now();
    const made: Attempt = { server, at: Date.now(), ms: 0 };
    call.attempts.push(made);
    try {
      const answer = await answerTo(
        request({
          host: '127.0.0.1',
          port: system.link(`caller→${server}`).port,
          path: `/webhooks/${webhookToken}/${kind}/run/${system.project[kind][name]}`,
          method: 'POST',
          agent: false,
          headers: key ? { 'Idempotency-Key': key } : {},
          signal: AbortSignal.timeout(MAX_TIME_MS),
        }),
      );
      made.status = answer.status;
      if (answer.status === 200) made.id = (JSON.parse(answer.body) as RunAnswer).id;
    } catch (error) {
      made.error = String((error as Error).cause ?? error);
    }
    made.ms = performance.now() - began;
    return made.status === 200;
  }

  async function keepTrying(call: Call, first: string): Promise<void> {
    const deadline = Date.now() + GIVE_UP_MS;
    const others = SERVERS.filter((server) => server !== first);
    for (let tries = 0; Date.now() < deadline; tries++) {
      if (await attempt(call, tries % 2 === 0 ? first : others[0]!)) return;
      await sleep(Math.min(250 * 2 ** tries, 2000));
    }
  }

  async function makeCall(target: Target, draw: Random, server: string): Promise<void> {
    const key = draw.next() < KEYED ? randomUUID() : undefined;
    const twice = key !== undefined && draw.next() < TWICE;
    const call: Call = { ...target, ...(key ? { key } : {}), attempts: [] };
    calls.push(call);
    // The same call twice concurrently, to both servers.
    await Promise.all((twice ? SERVERS : [server]).map((first) => keepTrying(call, first)));
  }

  async function caller(draw: Random): Promise<void> {
    while (going) {
      const [target, server] = [draw.pick(TARGETS), draw.pick(SERVERS)];
      const isTooMuch = backlog.total() >= MAX_OPEN || backlog.of(target.name) >= (target.maxOpen ?? MAX_OPEN);
      if (!isTooMuch) await makeCall(target, draw, server);
      if (going) await sleep(draw.between(...PAUSE_MS));
    }
  }

  const callers = Array.from({ length: CALLERS }, (_, index) => caller(random.fork(`caller ${index}`)));
  const extraDraws = random.fork('extra');
  return {
    calls,
    call(target, server = extraDraws.pick(SERVERS)) {
      const made = makeCall(target, extraDraws, server).finally(() => extra.delete(made));
      extra.add(made);
      return made;
    },
    async end() {
      going = false;
      await Promise.all(callers);
      await Promise.all(extra);
      await backlog.stop();
    },
  };
}
