import { createHash, createHmac, randomUUID } from 'node:crypto';
import type { ProjectItemKind } from '#src/domain/targets/target-kind.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Whether `text` is a UUID in the canonical lower-case form. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** A random UUID: the id of a run triggered without an idempotency key. */
export const randomId = randomUUID;

/** Shapes the first 16 bytes of a digest as a UUID of version 8 (RFC 9562, section 5.8). */
function uuidFrom(digest: Buffer): string {
  const bytes = digest.subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x80;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** The run id of an idempotency key: the same for the same project and key, on every server. */
export function runIdOfKey(projectId: string, idempotencyKey: string): string {
  return uuidFrom(createHmac('sha256', projectId).update(idempotencyKey).digest());
}

/** The run id of a scheduled time: the same at every delivery, and never that of a caller's idempotency key. */
export function runIdOfScheduleTime(scheduleId: string, at: Date): string {
  return uuidFrom(
    createHash('sha256')
      .update(JSON.stringify(['schedule time', scheduleId, at.toISOString()]))
      .digest(),
  );
}

/** The run id of a suite's test: the same each time the suite run is expanded. */
export function runIdOfPosition(suiteRunId: string, position: number): string {
  return uuidFrom(createHmac('sha256', suiteRunId).update(`position ${position}`).digest());
}

/** The project id that earlier versions derived from the name in the file, so that the file still finds its project. */
export function legacyProjectIdOf(name: string): string {
  return uuidFrom(
    createHash('sha256')
      .update(JSON.stringify(['project', name]))
      .digest(),
  );
}

/** A test's, suite's or schedule's id from its project and name: the same at every import. */
export function targetIdOf(projectId: string, kind: ProjectItemKind, name: string): string {
  return uuidFrom(
    createHash('sha256')
      .update(JSON.stringify([kind, projectId, name]))
      .digest(),
  );
}

/** The id of a resource created with an idempotency key: the same for the same creator, kind and key. */
export function idOfCreation(creator: string, kind: string, idempotencyKey: string): string {
  return uuidFrom(
    createHmac('sha256', creator)
      .update(JSON.stringify([kind, idempotencyKey]))
      .digest(),
  );
}
