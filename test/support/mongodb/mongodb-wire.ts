import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { BSON, type Document } from 'mongodb';

/** A command sent to MongoDB. */
export interface WireCommand {
  /** `insert`, `find`, … */
  name: string;
  /** The command's document, without the separate documents of an insert. */
  body: Document;
}

/** A TCP proxy on 127.0.0.1 that reads MongoDB's protocol. */
export interface WireProxy {
  port: number;
  /** All commands so far, in order. */
  commands: WireCommand[];
  close(): Promise<void>;
}

/** The role that the server reports. */
export type Pose = 'as it is' | 'replica set' | 'mongos';

const [OP_REPLY, OP_QUERY, OP_MSG] = [1, 2004, 2013];
const HEADER = 16;
const HELLO = new Set(['hello', 'isMaster', 'ismaster']);

/**
 * Records every command to the server at `targetPort`.
 * @param pose what `hello` reports: a standalone server can be seen as the primary of a replica set, or as a mongos
 */
export async function startWireProxy(targetPort: number, pose: Pose = 'as it is'): Promise<WireProxy> {
  const commands: WireCommand[] = [];
  const sockets = new Set<Socket>();

  const server = createServer({ noDelay: true }, (near) => {
    const far = connect({ port: targetPort, host: '127.0.0.1', noDelay: true });
    const hellos = new Set<number>();
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
    onMessages(near, (message) => {
      const body = bodyOf(message);
      const name = Object.keys(body)[0]!;
      if (HELLO.has(name)) hellos.add(message.readInt32LE(4));
      commands.push({ name, body });
      far.write(message);
    });
    onMessages(far, (message) => {
      const isHello = hellos.delete(message.readInt32LE(8));
      near.write(isHello && pose !== 'as it is' ? posed(message, pose) : message);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  function posed(message: Buffer, as: Exclude<Pose, 'as it is'>): Buffer {
    const { msg: _msg, ...hello } = bodyOf(message);
    const me = `127.0.0.1:${port}`;
    const isPrimary = { setName: 'rs', setVersion: 1, hosts: [me], me, primary: me, secondary: false };
    return withBody(message, { ...hello, ...(as === 'mongos' ? { msg: 'isdbgrid' } : isPrimary) });
  }

  return {
    port,
    commands,
    close() {
      sockets.forEach((socket) => socket.destroy());
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** Calls back with each complete message of a connection. */
function onMessages(socket: Socket, onMessage: (message: Buffer) => void): void {
  let pending: Buffer = Buffer.alloc(0);
  socket.on('data', (bytes: Buffer) => {
    pending = pending.length > 0 ? Buffer.concat([pending, bytes]) : bytes;
    while (pending.length >= HEADER && pending.length >= pending.readInt32LE(0)) {
      const length = pending.readInt32LE(0);
      onMessage(pending.subarray(0, length));
      pending = pending.subarray(length);
    }
  });
}

/** Offset of the command's or the response's document. @throws Error for a message type that drivers do not send */
function bodyAt(message: Buffer): number {
  const opCode = message.readInt32LE(12);
  // Flags, collection name, numberToSkip, numberToReturn.
  if (opCode === OP_QUERY) return message.indexOf(0, HEADER + 4) + 1 + 8;
  // Flags, cursor, startingFrom, numberReturned.
  if (opCode === OP_REPLY) return HEADER + 20;
  if (opCode !== OP_MSG) throw new Error(`unknown message ${opCode}`);
  for (let at = HEADER + 4; ;) {
    if (message[at] === 0) return at + 1;
    // A document sequence: its length follows its kind.
    at += 1 + message.readInt32LE(at + 1);
  }
}

function bodyOf(message: Buffer): Document {
  const at = bodyAt(message);
  return BSON.deserialize(message.subarray(at, at + message.readInt32LE(at)));
}

/** A response with its only document replaced. */
function withBody(message: Buffer, body: Document): Buffer {
  const changed = Buffer.concat([message.subarray(0, bodyAt(message)), BSON.serialize(body)]);
  changed.writeInt32LE(changed.length, 0);
  return changed;
}

const WRITES = new Set(
  'insert update delete findAndModify create createIndexes drop dropIndexes collMod renameCollection dropDatabase'.split(
    ' ',
  ),
);
const READS = new Set('find aggregate count distinct getMore listIndexes listCollections explain'.split(' '));
/** Commands that neither store nor decide anything. */
const OTHERS = new Set([...HELLO, ...'ping endSessions killCursors buildInfo'.split(' ')]);

/**
 * The weakness of a command to a replica set: a write that a failover may lose, a read from a secondary, or an unknown
 * command.
 */
export function weaknessOf({ name, body }: WireCommand): string | undefined {
  const described = `${name} ${JSON.stringify({
    of: body[name],
    writeConcern: body.writeConcern,
    readConcern: body.readConcern,
    readPreference: body.$readPreference,
  })}`;
  if (OTHERS.has(name)) return undefined;
  if (!WRITES.has(name) && !READS.has(name)) return `${described}: unknown command`;
  const mode = body.$readPreference?.mode ?? 'primary';
  if (mode !== 'primary') return `${described}: not from the primary`;
  const level = body.readConcern?.level ?? 'local';
  if (!['local', 'majority'].includes(level)) return `${described}: weak read concern`;
  if (!WRITES.has(name) && !stores(body)) return undefined;
  const { w, j } = body.writeConcern ?? {};
  return w === 'majority' && j === true ? undefined : `${described}: weak write concern`;
}

const stores = ({ pipeline }: Document) =>
  Array.isArray(pipeline) && pipeline.some((stage) => '$out' in stage || '$merge' in stage);
