import Joi from 'joi';
import { wholeNumber } from './definition-fields.js';
import type { TestLimits } from './definitions.js';

/* Resource limits of tests. */

export type LimitName = keyof TestLimits;

interface LimitRule {
  /** For the documentation. */
  text: string;
  max: number;
  min: number;
  /** The worker's limit: the default and the maximum for tests. */
  variable: string;
  /** Description of the limit. */
  shown(limit: number): string;
  /** Completes `The test …`. */
  exceeded(limit: number): string;
  advice: string;
}

export const LIMIT_RULES: Record<LimitName, LimitRule> = {
  memoryMiB: {
    text: 'Memory of all its processes together, in MiB',
    min: 16,
    max: 1_048_576,
    variable: 'RUNHOOK_TEST_MEMORY_MIB',
    shown: (limit) => `memory ${limit} MiB`,
    exceeded: (limit) => `used more than ${limit} MiB of memory`,
    advice: 'Reduce its memory usage',
  },
  processes: {
    text: 'Processes and threads at the same time',
    min: 1,
    max: 100_000,
    variable: 'RUNHOOK_TEST_PROCESSES',
    shown: (limit) => (limit === 1 ? '1 process' : `${limit} processes`),
    exceeded: (limit) => `ran more than ${limit} processes and threads at the same time`,
    advice: 'Start fewer processes',
  },
  outputMiB: {
    text: 'Output in total, in MiB',
    min: 1,
    max: 1024,
    variable: 'RUNHOOK_TEST_OUTPUT_MIB',
    shown: (limit) => `output ${limit} MiB`,
    exceeded: (limit) => `printed more than ${limit} MiB`,
    advice: 'The log contains the beginning and the end. Reduce the output',
  },
  diskMiB: {
    text: 'Growth of its working folder, in MiB',
    min: 1,
    max: 1_048_576,
    variable: 'RUNHOOK_TEST_DISK_MIB',
    shown: (limit) => `disk ${limit} MiB`,
    exceeded: (limit) => `wrote more than ${limit} MiB to its working folder`,
    advice: 'Write less',
  },
};

export const LIMIT_NAMES = Object.keys(LIMIT_RULES) as LimitName[];

export const testLimits = Joi.object<TestLimits>(
  Object.fromEntries(Object.entries(LIMIT_RULES).map(([name, { min, max }]) => [name, wholeNumber(min, max)])),
).messages({
  'object.base': '{{#label}} must be a map with the fields memoryMiB, processes, outputMiB, diskMiB',
  'object.unknown': '{{#label}} is not a limit; the limits are memoryMiB, processes, outputMiB, diskMiB',
});

/** The lower limit of the test and its worker. */
export function limitsInForce(ofTest: TestLimits, ofWorker: TestLimits): TestLimits {
  const both = LIMIT_NAMES.map(
    (name) => [name, Math.min(ofTest[name] ?? Infinity, ofWorker[name] ?? Infinity)] as const,
  );
  return Object.fromEntries(both.filter(([, limit]) => limit < Infinity));
}

/** Such as `memory 512 MiB, 64 processes`. */
export function shownLimits(limits: TestLimits): string {
  return LIMIT_NAMES.flatMap((name) =>
    limits[name] === undefined ? [] : [LIMIT_RULES[name].shown(limits[name])],
  ).join(', ');
}

/**
 * Why a test was killed, and what to do.
 * @param used the measured value, in the unit of the limit
 */
export function whyExceeded(name: LimitName, limit: number, isWorkers: boolean, used?: number): string {
  const { exceeded, advice, variable } = LIMIT_RULES[name];
  const seen = used === undefined ? '' : ` (measured: ${used})`;
  const raise = isWorkers ? `the limit of this worker (${variable})` : `the test's limits.${name}`;
  return `The test ${exceeded(limit)}${seen} and was killed. ${advice}, or raise ${raise}.`;
}
