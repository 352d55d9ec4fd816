import type { Check } from '#src/domain/check.js';
import { createInstallationStore, type InstallationStore } from '#src/db/instance/installation-store.js';
import type { Collections } from '#src/db/schema/collections.js';
import { openTemporal, type InstallationTemporal, type Temporal } from '#src/temporal/connect.js';
import { closeConnection } from '#src/temporal/deadline.js';
import { identityOf, WrongTemporalError } from '#src/temporal/identity.js';
import { isTemporalServing } from '#src/temporal/is-serving.js';
import { hasSchedules } from '#src/temporal/schedules.js';
import { checkNamespace, missingAttributes } from '#src/temporal/set-up.js';
import { createTemporalBinding, type TemporalBinding } from '#src/services/instance/temporal-binding.js';

/**
 * Checks that the configured Temporal responds and has what `runhook setup` creates.
 * @param collections of the database that uses it; absent: only checks that do not depend on an installation
 */
export async function checkTemporal(collections?: Collections): Promise<Check[]> {
  const temporal = openTemporal();
  try {
    const binding =
      collections &&
      createTemporalBinding({
        temporal,
        identify: () => identityOf(temporal),
        store: readOnlyStore(createInstallationStore(collections)),
        rebinds: false,
        log: { warn: () => {} },
      });
    return await checkOpenTemporal(temporal, binding);
  } finally {
    await closeConnection(temporal.connection);
  }
}

/** The check must not bind an unbound database: the first server or worker does. */
function readOnlyStore({ find }: Pick<InstallationStore, 'find'>): Pick<InstallationStore, 'bind' | 'rebind'> {
  return { bind: async (temporal) => ({ temporal, ...(await find()) }), rebind: async () => {} };
}

/** Checks an open connection. */
export async function checkOpenTemporal(temporal: Temporal, binding?: Pick<TemporalBinding, 'use'>): Promise<Check[]> {
  if (!(await isTemporalServing(temporal))) {
    const remedy =
      'Check that Temporal is running, and check TEMPORAL_ADDRESS and the TLS settings. Accepted runs stay queued until then.';
    return [{ level: 'fail', name: 'Temporal', message: 'not responding', remedy }];
  }
  const responding: Check = { level: 'ok', name: 'Temporal', message: 'responding' };
  const namespace = await runCheck('Namespace', () => checkNamespaceOf(temporal));
  if (namespace.level === 'fail') return [responding, namespace];
  const attributes = await runCheck('Search attributes', () => checkAttributes(temporal));
  if (!binding) return [responding, namespace, attributes];
  const bound = await runCheck('Binding', () => checkBinding(binding));
  if (bound.level === 'fail') return [responding, namespace, attributes, bound];
  return [
    responding,
    namespace,
    attributes,
    bound,
    await runCheck('Schedules', async () => checkSchedules(await binding.use())),
  ];
}

/** A check that throws counts as failed. */
async function runCheck(name: string, check: () => Promise<Omit<Check, 'name'>>): Promise<Check> {
  try {
    return { name, ...(await check()) };
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
  if (missing.length === 0) return { level: 'ok', message: 'complete' };
  return { level: 'fail', message: `missing: ${missing.join(', ')}`, remedy: 'runhook setup' };
}

async function checkBinding(binding: Pick<TemporalBinding, 'use'>): Promise<Omit<Check, 'name'>> {
  try {
    const { installationId } = await binding.use();
    return { level: 'ok', message: `the database is bound to this Temporal (installation ${installationId})` };
  } catch (error) {
    if (!(error instanceof WrongTemporalError)) throw error;
    return { level: 'fail', message: error.message, remedy: 'runhook setup --rebind-temporal' };
  }
}

async function checkSchedules(temporal: InstallationTemporal): Promise<Omit<Check, 'name'>> {
  if (await hasSchedules(temporal)) return { level: 'ok', message: 'complete' };
  return {
    level: 'fail',
    message: 'missing: runs are not reconciled, and expired runs are not deleted',
    remedy: 'runhook setup',
  };
}
