// `npm run record:histories`: runs the cases of the workflow tests on a real Temporal and writes their histories to
// test/histories/. Needed for a new case. Existing histories are kept, because they represent
// workflows in progress. To replace one whose case has changed, name it: npm run record:histories -- NAME
import { existsSync } from 'node:fs';
import { startWorkflowEnvironment } from '../test/workflows/support/environment.ts';
import { firstRunOf } from '../test/workflows/support/suite-chain.ts';
import { reconcileCases, retentionCases } from '../test/workflows/support/maintenance-cases.ts';
import { historyFile, writeHistory } from '../test/workflows/support/histories.ts';
import { scheduleCases } from '../test/workflows/support/schedule-cases.ts';
import { suiteLineCases } from '../test/workflows/support/suite-line-cases.ts';
import { suiteRunCases } from '../test/workflows/support/suite-run-cases.ts';
import { testRunCases } from '../test/workflows/support/test-run-cases.ts';

const named = process.argv.slice(2);
const cases = Object.entries({
  testRun: testRunCases,
  suiteRun: suiteRunCases,
  suiteLine: suiteLineCases,
  reconcileRuns: reconcileCases,
  removeExpiredRuns: retentionCases,
  scheduledTrigger: scheduleCases,
}).flatMap(([workflow, its]) => Object.entries(its).map(([name, run]) => ({ name: `${workflow}-${name}`, run })));
const unknown = named.filter((name) => !cases.some((one) => one.name === name));
if (unknown.length > 0) {
  console.error(`There is no case ${unknown.join(', ')}. Cases: ${cases.map(({ name }) => name).join(', ')}`);
  process.exit(1);
}

const requested = ({ name }) => named.includes(name) || !existsSync(historyFile(name));
const environment = await startWorkflowEnvironment();
try {
  for (const { name, run } of cases.filter(requested)) {
    const { handle, runs = 1 } = await run(environment);
    await writeHistory(name, handle);
    if (runs > 1) await writeHistory(`${name}--first-run`, await firstRunOf(environment.temporal.client, handle));
    console.log(`recorded ${name}`);
  }
} finally {
  await environment.close();
}
