import type { Check } from '../../domain/check.js';
import { openTemporal, type Temporal } from '../../temporal/connect.js';
import { closeConnection } from '../../temporal/deadline.js';
import { isTemporalServing } from '../../temporal/is-serving.js';
import { hasSchedules } from '../../temporal/schedules.js';
import { checkNamespace, missingAttributes } from '../../temporal/set-up.js';

/** Looks at Temporal, as its own variables name it: whether it answers, and has what `runhook setup` makes in it. */
export async function checkTemporal(): Promise<Check[]> {
  const temporal = openTemporal();
  try {
    return await lookAtTemporal(temporal);
  } finally {
    await closeConnection(temporal.connection);
  }
}

/** The same of a connection that is there. */
export async function lookAtTemporal(temporal: Temporal): Promise<Check[]> {
  if (!(await isTemporalServing(temporal))) {
    const remedy = 'Check that it runs, TEMPORAL_ADDRESS and its TLS settings. Until then accepted runs wait.';
    return [{ level: 'fail', name: 'Temporal', message: 'it does not answer', remedy }];
  }
  const answers: Check = { level: 'ok', name: 'Temporal', message: 'it answers' };
  const namespace = await looked('Namespace', () => checkNamespaceOf(temporal));
  if (namespace.level === 'fail') return [answers, namespace];
  return [
    answers,
    namespace,
    await looked('Search attributes', () => checkAttributes(temporal)),
    await looked('Schedules', () => checkSchedules(temporal)),
  ];
}

/** A look that fails is a finding too. */
async function looked(name: string, look: () => Promise<Omit<Check, 'name'>>): Promise<Check> {
  try {
    return { name, ...(await look()) };
  } catch (error) {
    return { level: 'fail', name, message: (error as Error).message };
  }
}

async function checkNamespaceOf(temporal: Temporal): Promise<Omit<Check, 'name'>> {
  await checkNamespace(temporal);
  return { level: 'ok', message: temporal.namespace };
}

async function checkAttributes(temporal: Temporal): Promise<Omit<Check, 'name'>> {
  const missing = await missingAttributes(temporal);
  if (missing.length === 0) return { level: 'ok', message: 'all there' };
  return { level: 'fail', message: `missing: ${missing.join(', ')}`, remedy: 'runhook setup' };
}

async function checkSchedules(temporal: Temporal): Promise<Omit<Check, 'name'>> {
  if (await hasSchedules(temporal)) return { level: 'ok', message: 'all there' };
  return {
    level: 'fail',
    message: 'missing: stale runs are not mended, old ones not removed',
    remedy: 'runhook setup',
  };
}
