import { isGrpcServiceError } from '@temporalio/client';
import { searchAttributes } from '#workflows/messages.js';
import type { InstallationTemporal, Temporal } from './connect.js';
import { withinDeadline } from './deadline.js';
import { putSchedules } from './schedules.js';

const CALL_MS = 10_000;
/** gRPC status codes. */
const ALREADY_EXISTS = 6;
/** Permission denied; unimplemented, as Temporal Cloud says it of its operator service. */
const DENIED = [7, 12];
/** temporal.api.enums.v1.IndexedValueType */
const KEYWORD = 2;
const VISIBLE_WITHIN_MS = 60_000;

/** What only somebody with more rights in Temporal can do. */
export class SetUpDeniedError extends Error {
  override name = 'SetUpDeniedError';
}

/**
 * Checks the namespace, creates the schedules and registers the search attributes. Safe to repeat. Schedules come first:
 * without search attributes everything but the filters in the Temporal UI works.
 * @throws SetUpDeniedError when the search attributes may not be registered from here
 * @throws an error that states what is missing and what to do
 */
export async function setUpTemporal(temporal: InstallationTemporal): Promise<void> {
  await checkNamespace(temporal);
  await putSchedules(temporal);
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

/** @throws an error that says what to do when the namespace is not there, or Temporal does not answer */
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

/** Our search attributes that Temporal does not have. @throws when it does not answer */
export async function missingAttributes(temporal: Temporal): Promise<string[]> {
  const listed = await listedAttributes(temporal);
  return Object.values(searchAttributes)
    .map(({ name }) => name)
    .filter((name) => !listed.has(name));
}

async function addSearchAttributes(temporal: Temporal): Promise<void> {
  const { connection, namespace } = temporal;
  const missing = () => missingAttributes(temporal);
  const wanted = await missing();
  if (wanted.length === 0) return;
  await withinDeadline(connection, CALL_MS, () =>
    connection.operatorService.addSearchAttributes({
      namespace,
      searchAttributes: Object.fromEntries(wanted.map((name) => [name, KEYWORD])),
    }),
  ).catch((error: unknown) => {
    if (!hasCode(error, ALREADY_EXISTS)) throw error;
  });
  // Temporal's servers learn of them with a delay.
  for (const deadline = Date.now() + VISIBLE_WITHIN_MS; (await missing()).length > 0;) {
    if (Date.now() > deadline) throw new Error(`Temporal does not list the search attributes ${wanted.join(', ')}`);
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}
