import { readFileSync } from 'node:fs';
import { Binary, ObjectId } from 'mongodb';
import type { Collections } from '#src/db/schema/collections.js';
import { insertRunCases } from '#src/db/runs/run-cases.js';
import { insertRunSteps } from '#src/db/runs/run-steps.js';
import type { AttemptVerdict, TestRun } from '#src/domain/runs/run.js';
import type { RunStep } from '#src/domain/runs/run-step.js';
import { aCase } from '#test/builders/case.js';
import { aTestRun } from '#test/builders/run.js';

/* Runs of every runner type as their workers record them: their pages always show the same. */

const PICTURE = readFileSync(new URL('./pictures/checkout.png', import.meta.url));
const BEGIN_AGO_MS = 45 * 60_000;

export interface RunnerRuns {
  browserFailed: string;
  httpFailed: string;
  withCases: string;
  fromGit: string;
}

/** @param tests ids of the project's tests, by name */
export async function addRunnerRuns(collections: Collections, tests: Record<string, string>): Promise<RunnerRuns> {
  const add = async (name: string, verdict: AttemptVerdict, some: Partial<TestRun> = {}) => {
    const run = await ended(collections, tests[name]!, verdict, some);
    await collections.runs.insertOne(run);
    return run;
  };

  const browser = await add('Pay by card in the browser', {
    status: 'failed',
    errorMessage:
      'Step 8 of 9, click the button “Pay now”: the element is disabled.\nDuring this step, POST https://staging.webshop.example/api/cards returned 402. The page was at https://staging.webshop.example/checkout.',
  });
  await insertRunSteps(collections, stepsOf(browser, BROWSER_STEPS));
  await addPicture(collections, browser, 'screenshots/8.png');

  const http = await add('Orders in the API', {
    status: 'failed',
    errorMessage: 'Request 3, GET /orders/4711: $.total is 10.4, expected 12.4.',
  });
  await insertRunSteps(collections, stepsOf(http, HTTP_STEPS));

  const cases = await add('Unit tests of the cart', {
    status: 'failed',
    exitCode: 0,
    errorMessage: '2 of 24 cases did not pass, although the command exited with 0.',
    cases: { passed: 21, failed: 2, error: 0, skipped: 1 },
    notes: ['out/old.xml is older than this run and was left out.'],
  });
  await insertRunCases(collections, casesOf(cases._id));

  const git = await add(
    'End-to-end tests of the repository',
    {
      status: 'passed',
      exitCode: 0,
      commit: '4f0c2a9d1be7c35a8f6c1f7b02b0f9d4f3a1c8e7',
      limits: 'cgroup: memory 512 MiB, 64 processes; watched: output 64 MiB, disk 1024 MiB',
    },
    {},
  );
  return { browserFailed: browser._id, httpFailed: http._id, withCases: cases._id, fromGit: git._id };
}

async function ended(
  collections: Collections,
  testId: string,
  verdict: AttemptVerdict,
  some: Partial<TestRun>,
): Promise<TestRun> {
  const {
    _id: targetId,
    name: targetName,
    projectId,
    definition,
  } = (await collections.tests.findOne({ _id: testId }))!;
  const startedAt = new Date(Date.now() - BEGIN_AGO_MS);
  const endedAt = new Date(startedAt.getTime() + 14_200);
  return {
    ...aTestRun({
      projectId,
      targetId,
      targetName,
      definition,
      triggeredBy: { type: 'web', name: 'olivia@webshop.example' },
    }),
    status: verdict.status,
    seq: 3,
    queuedAt: new Date(startedAt.getTime() - 200),
    startedAt,
    endedAt,
    modified: endedAt,
    expiresAt: new Date(Date.now() + 30 * 24 * 3_600_000),
    attempt: 1,
    attempts: [{ number: 1, delivery: 1, worker: 'ci-1:4711', startedAt, endedAt, verdict }],
    ...some,
  };
}

type StepOutcome = Pick<RunStep, 'title' | 'status' | 'durationMs'> & Partial<RunStep>;

const passed = (title: string, durationMs: number, depth = 0): StepOutcome => ({
  title,
  status: 'passed',
  durationMs,
  depth,
});

const BROWSER_STEPS: StepOutcome[] = [
  passed('open /', 412),
  passed('click the link “Tea, green, 100 g”', 87),
  passed('click the button “Add to basket”', 64),
  passed('group “sign in”', 402),
  passed('fill the field “Email” with “ada@shop.example”', 31, 1),
  passed('fill the field “Password” with “***”', 28, 1),
  passed('expect that the heading “Your order” is visible', 12),
  {
    title: 'click the button “Pay now”',
    status: 'failed',
    durationMs: 10_004,
    message: 'the element is disabled.',
    details: [
      'POST https://staging.webshop.example/api/cards returned 402',
      'console: Error: card_declined at checkout.js:218',
    ],
    screenshot: 'screenshots/8.png',
  },
  { title: 'expect that the heading “Thank you” is visible', status: 'skipped', durationMs: 0 },
];

const HTTP_STEPS: StepOutcome[] = [
  { ...passed('POST /sign-in', 38), details: ['Status 200', 'Captured TOKEN (secret)'] },
  { ...passed('POST /orders', 61), details: ['Status 201', 'Captured ORDER = 4711'] },
  {
    title: 'GET /orders/4711',
    status: 'failed',
    durationMs: 22,
    message: '$.total is 10.4, expected 12.4.',
    details: ['Status 200', 'content-type is application/json; charset=utf-8'],
  },
  { title: 'DELETE /orders/4711', status: 'skipped', durationMs: 0 },
];

function stepsOf({ _id, startedAt }: TestRun, outcomes: StepOutcome[]): RunStep[] {
  return outcomes.map((step, index) => ({
    _id: `${_id}:1:1:${index + 1}`,
    runId: _id,
    attempt: 1,
    delivery: 1,
    number: index + 1,
    depth: 0,
    startedAt: startedAt!,
    ...step,
  }));
}

function casesOf(runId: string) {
  return Array.from({ length: 24 }, (_, index) => {
    const number = index + 1;
    const some = { group: number < 13 ? 'cart › prices' : 'cart › vouchers', name: `case ${number}` };
    if (number === 7 || number === 19)
      return aCase(runId, number, {
        ...some,
        name: number === 7 ? 'adds the VAT of each line' : 'takes a voucher once',
        status: 'failed',
        message: number === 7 ? 'expected 10.4 to equal 12.4' : 'expected 409, got 200',
        details:
          'AssertionError: expected 10.4 to equal 12.4\n    at prices.test.ts:41:18\n    at processTicksAndRejections',
      });
    return aCase(runId, number, { ...some, ...(number === 12 ? { status: 'skipped' as const } : {}) });
  });
}

async function addPicture(
  { artifactFiles, artifactChunks }: Collections,
  { _id: runId, projectId }: TestRun,
  filename: string,
): Promise<void> {
  const _id = new ObjectId();
  await artifactFiles.insertOne({
    _id,
    filename,
    length: PICTURE.length,
    chunkSize: 255 * 1024,
    uploadDate: new Date(),
    metadata: { runId, projectId, attempt: 1, delivery: 1, contentType: 'image/png' },
  });
  await artifactChunks.insertOne({ _id: new ObjectId(), files_id: _id, n: 0, data: new Binary(PICTURE) });
}
