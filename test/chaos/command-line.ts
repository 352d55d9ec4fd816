import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import type { PlanOptions } from './plan.js';

export const USAGE = `Usage: npm run chaos -- [--seed N] [--faults M] [--minutes T]

  --seed N      Draws the faults and the load; the same seed, the same plan. Without it a random one
  --faults M    How many (10)
  --minutes T   Time over which they are spread (12 s a fault)`;

const SECONDS_A_FAULT = 12;

/** @returns the options, or what is wrong with the arguments */
export function chaosOptions(args: string[]): PlanOptions | string {
  let values;
  try {
    const option = { type: 'string' } as const;
    ({ values } = parseArgs({ args, options: { seed: option, faults: option, minutes: option } }));
  } catch (error) {
    return (error as Error).message;
  }
  const seed = Number(values.seed ?? randomInt(1_000_000));
  const faults = Number(values.faults ?? 10);
  const minutes = Number(values.minutes ?? (faults * SECONDS_A_FAULT) / 60);
  if (!Number.isSafeInteger(seed)) return '--seed must be a whole number';
  if (!Number.isInteger(faults) || faults < 1) return '--faults must be a whole number from 1 on';
  if (!(minutes > 0)) return '--minutes must be a number above 0';
  return { seed, faults, minutes };
}
