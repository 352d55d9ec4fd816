import type { Trap } from '#test/chaos/system/link.js';

/** The beginning of a MongoDB command with its collection, in BSON. */
const command = (name: string, collection: string) =>
  Buffer.from(`\x02${name}\0${String.fromCharCode(collection.length + 1)}\0\0\0${collection}\0`, 'latin1');

const INSERT_RUNS = command('insert', 'runs');
const MODIFY_RUNS = command('findAndModify', 'runs');
/** A workflow's type and queue are plain text in the request that starts it. */
const isStart = (bytes: Buffer) =>
  bytes.includes('runhook') && (bytes.includes('testRun') || bytes.includes('suiteRun'));
/** Protocol Buffers: field 1, 36 bytes: the execution's id, in the response to a start. */
const STARTED = /\n\$[0-9a-f]{8}-[0-9a-f]{4}-/;

/** The exact points at which a process is killed. */
export const TRAPS = {
  beforeInsert: { request: (bytes) => bytes.includes(INSERT_RUNS) },
  // A connection to MongoDB carries one command at a time, so the next message is its response.
  afterInsert: { request: (bytes) => bytes.includes(INSERT_RUNS), answer: () => true },
  beforeStart: { request: isStart },
  afterStart: { request: isStart, answer: (bytes) => STARTED.test(bytes.toString('latin1')) },
  beforeAnswer: {
    request: (bytes) => bytes.includes('POST /webhooks/'),
    answer: (bytes) => bytes.subarray(0, 12).toString('latin1') === 'HTTP/1.1 200',
  },
  // Only a write that ends an attempt or a run sets this field.
  beforeVerdict: { request: (bytes) => bytes.includes(MODIFY_RUNS) && bytes.includes('endedAt') },
} satisfies Record<string, Trap>;

/** The first run id in a message, for the timeline. */
export function runIdIn(bytes: Buffer): string | undefined {
  return /[0-9a-f]{8}-[0-9a-f]{4}-[48][0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/.exec(bytes.toString('latin1'))?.[0];
}
