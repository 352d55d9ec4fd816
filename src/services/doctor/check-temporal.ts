import type { Check } from '../../domain/check.js';
import { createInstallationStore, type InstallationStore } from '../../db/installation.js';
import type { Collections } from '../../db/collections.js';
import { openTemporal, type InstallationTemporal, type Temporal } from '../../temporal/connect.js';
import { closeConnection } from '../../temporal/deadline.js';
import { identityOf, WrongTemporalError } from '../../temporal/identity.js';
import { isTemporalServing } from '../../temporal/is-serving.js';
import { hasSchedules } from '../../temporal/schedules.js';
import { checkNamespace, missingAttributes } from '../../temporal/set-up.js';
import { createTemporalBinding, type TemporalBinding } from '../temporal-binding.js';

/**
 * Looks at Temporal, as its own variables name it: whether it answers, and has what `runhook setup` makes in it.
 * @param collections of the database that uses it; absent, what belongs to one installation is not looked at
 */
export async function checkTemporal(collections?: Collections): Promise<Check[]> {
  const temporal = openTemporal();
  try {
    const binding =
      collections &&
      createTemporalBinding({
        temporal,
        identify: () => identityOf(temporal),
        store: lookingOnly(createInstallationStore(collections)),
        follows: false,
        log: { warn: () => {} },
      });
    return await lookAtTemporal(temporal, binding);
  } finally {
    await closeConnection(temporal.connection);
  }
}

/** Binds nothing: an unbound database may be bound by whoever uses it first. */
function lookingOnly({ find }: Pick<InstallationStore, 'find'>): Pick<InstallationStore, 'bind' | 'rebind'> {
  return { bind: async (temporal) => ({ temporal, ...(await find()) }), rebind: async () => {} };
}

/** The same of a connection that is there. */
export async function lookAtTemporal(temporal: Temporal, binding?: Pick<TemporalBinding, 'use'>): Promise<Check[]> {
  if (!(await isTemporalServing(temporal))) {
    const remedy = 'Check that it runs, TEMPORAL_ADDRESS and its TLS settings. Until then accepted runs wait.';
    return [{ level: 'fail', name: 'Temporal', message: 'it does not answer', remedy }];
  }
  const answers: Check = { level: 'ok', name: 'Temporal', message: 'it answers' };
  const namespace = await looked('Namespace', () => checkNamespaceOf(temporal));
  if (namespace.level === 'fail') return [answers, namespace];
  const attributes = await looked('Search attributes', () => checkAttributes(temporal));
  if (!binding) return [answers, namespace, attributes];
  const bound = await looked('Binding', () => checkBinding(binding));
  if (bound.level === 'fail') return [answers, namespace, attributes, bound];
  return [
    answers,
    namespace,
    attributes,
    bound,
    await looked('Schedules', async () => checkSchedules(await binding.use())),
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

async function checkBinding(binding: Pick<TemporalBinding, 'use'>): Promise<Omit<Check, 'name'>> {
  try {
    const { installationId } = await binding.use();
    return { level: 'ok', message: `the database belongs to this Temporal, as installation ${installationId}` };
  } catch (error) {
    if (!(error instanceof WrongTemporalError)) throw error;
    return { level: 'fail', message: error.message, remedy: 'runhook setup --rebind-temporal' };
  }
}

async function checkSchedules(temporal: InstallationTemporal): Promise<Omit<Check, 'name'>> {
  if (await hasSchedules(temporal)) return { level: 'ok', message: 'all there' };
  return {
    level: 'fail',
    message: 'missing: stale runs are not mended, old ones not removed',
    remedy: 'runhook setup',
  };
}
