import { isGrpcServiceError } from '@temporalio/client';
import { searchAttributes } from '#workflows/messages.js';
import type { InstallationTemporal, Temporal } from './connect.js';
import { withinDeadline } from './deadline.js';
import { upsertSchedules } from './schedules.js';

const CALL_MS = 10_000;
/** gRPC status codes. */
const ALREADY_EXISTS = 6;
/** Permission denied; unimplemented (Temporal Cloud's operator service). */
const DENIED = [7, 12];
/** temporal.api.enums.v1.IndexedValueType */
const KEYWORD = 2;
const VISIBLE_WITHIN_MS = 60_000;

/** Registering search attributes requires more rights in Temporal. */
export class SetUpDeniedError extends Error {
  override name = 'SetUpDeniedError';
}

/**
 * Checks the namespace, creates the schedules and registers the search attributes. Safe to repeat. Search attributes come
 * last, because only filters in the Temporal UI depend on them.
 * @throws SetUpDeniedError when the search attributes must not be registered with these credentials
 * @throws an error with advice
 */
export async function setUpTemporal(temporal: InstallationTemporal): Promise<void> {
  await checkNamespace(temporal);
  await upsertSchedules(temporal);
  await addSearchAttributes(temporal).catch(explain);
}

const WITHOUT_ATTRIBUTES =
  'Until then, runs start without them, and lists in the Temporal UI cannot be filtered by them.';

function explain(error: unknown): never {
  if (!DENIED.some((code) => hasCode(error, code)))
    throw new Error(
      `Could not register search attributes in Temporal (${(error as Error).message}). Run \`runhook setup\` again. ${WITHOUT_ATTRIBUTES}`,
      { cause: error },
    );
  const names = Object.values(searchAttributes).map((key) => key.name);
  throw new SetUpDeniedError(
    `Runhook is not allowed to register search attributes in Temporal. Create these, with type Keyword: ${names.join(', ')} (temporal operator search-attribute create --type Keyword --name NAME). ${WITHOUT_ATTRIBUTES}`,
    { cause: error },
  );
}

function hasCode(error: unknown, code: number): boolean {
  return isGrpcServiceError(error) && (error.code as number) === code;
}

/** @throws an error with advice when the namespace is missing, or Temporal does not respond */
export async function checkNamespace({ connection, namespace }: Temporal): Promise<void> {
  try {
    await withinDeadline(connection, CALL_MS, () => connection.workflowService.describeNamespace({ namespace }));
  } catch (error) {
    throw new Error(
      `The Temporal namespace "${namespace}" is not available. Check TEMPORAL_ADDRESS, or create the namespace: temporal operator namespace create ${namespace}`,
      { cause: error },
    );
  }
}

async function listedAttributes({ connection, namespace }: Temporal): Promise<Set<string>> {
  const { customAttributes } = await withinDeadline(connection, CALL_MS, () =>
    connection.operatorService.listSearchAttributes({ namespace }),
  );
  return new Set(Object.keys(customAttributes ?? {}));
}

/** Search attributes of Runhook that are not registered. @throws when Temporal does not respond */
export async function missingAttributes(temporal: Temporal): Promise<string[]> {
  const listed = await listedAttributes(temporal);
  return Object.values(searchAttributes)
    .map(({ name }) => name)
    .filter((name) => !listed.has(name));
}

async function addSearchAttributes(temporal: Temporal): Promise<void> {
  const { connection, namespace } = temporal;
  const missing = () => missingAttributes(temporal);
  const names = await missing();
  if (names.length === 0) return;
  await withinDeadline(connection, CALL_MS, () =>
    connection.operatorService.addSearchAttributes({
      namespace,
      searchAttributes: Object.fromEntries(names.map((name) => [name, KEYWORD])),
    }),
  ).catch((error: unknown) => {
    if (!hasCode(error, ALREADY_EXISTS)) throw error;
  });
  // Registered search attributes become visible with a delay.
  for (const deadline = Date.now() + VISIBLE_WITHIN_MS; (await missing()).length > 0;) {
    if (Date.now() > deadline) throw new Error(`Temporal does not list the search attributes ${names.join(', ')}`);
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}
