import type { Delivery } from '#src/db/runs/run-status-store.js';
import type { RunStep } from '#src/domain/runs/run-step.js';
import type { SecretMask } from './run-log/masker.js';
import type { StepLog } from './runners/runner.js';

const FLUSH_MS = 250;
const BATCH = 200;
/** Maximum number of steps of an attempt. */
const MAX_STEPS = 5000;
const RETRY_MS = [200, 500, 1000, 2000, 5000];

export interface StepStore {
  /** Idempotent: the same steps may come again after a failure. */
  insert(steps: RunStep[]): Promise<void>;
}

export interface RunStepsOptions {
  steps: StepStore;
  runId: string;
  delivery: Delivery;
  mask?: SecretMask | undefined;
  /** Called when steps could not be written. */
  warn?: (message: string) => void;
}

/** Writes the steps of an attempt in batches while it runs, their secrets masked. Its writes never throw. */
export function createRunSteps(options: RunStepsOptions): StepLog & { close(): Promise<void> } {
  const { steps, runId, delivery, mask, warn = (message) => process.emitWarning(message) } = options;
  const masked = (text: string) => mask?.text(text) ?? text;
  let queue: RunStep[] = [];
  let numbers = 0;
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<void> = Promise.resolve();

  function send(): void {
    clearTimeout(timer);
    timer = undefined;
    const batch = queue;
    queue = [];
    if (batch.length > 0) sending = sending.then(() => insert(batch));
  }

  async function insert(batch: RunStep[]): Promise<void> {
    for (const waitMs of [...RETRY_MS, undefined]) {
      try {
        return await steps.insert(batch);
      } catch (error) {
        if (waitMs !== undefined) await new Promise((resolve) => setTimeout(resolve, waitMs));
        else warn(`${batch.length} steps of run ${runId}, attempt ${delivery.attempt}, were lost: ${String(error)}`);
      }
    }
  }

  return {
    async write({ number = numbers + 1, title, message, details, ...rest }) {
      numbers = Math.max(numbers, number);
      if (number > MAX_STEPS) return;
      queue.push({
        _id: `${runId}:${delivery.attempt}:${delivery.delivery}:${number}`,
        runId,
        attempt: delivery.attempt,
        delivery: delivery.delivery,
        number,
        title: masked(title),
        message: message && masked(message),
        details: details?.map(masked),
        ...rest,
      });
      if (queue.length >= BATCH) send();
      else timer ??= setTimeout(send, FLUSH_MS);
    },
    async close() {
      send();
      await sending;
    },
  };
}
