import type { Server } from '@hapi/hapi';
import { pino } from 'pino';
import type { Drain } from '#src/server/plugins/draining.js';
import { createServer } from '#src/server/server.js';
import type { RunReader } from '#src/services/runs/run-reader.js';
import { serverDeps } from '#test/builders/server-deps.js';

/** Headers of a browser. */
export const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

export interface PageServer {
  server: Server;
  /** Lines of the server's log so far. */
  logged: string[];
}

/** The real server with a reader of the test; call it with `inject`. */
export async function pageServer(reader: Partial<RunReader>, drain: Drain = 'serving'): Promise<PageServer> {
  const logged: string[] = [];
  const server = await createServer(
    { host: '127.0.0.1', port: 0 },
    serverDeps({
      reader: reader as RunReader,
      temporalUi: { url: 'http://ui.test', namespace: 'team a' },
      log: pino({ level: 'info' }, { write: (line: string) => void logged.push(line) }),
      drain: () => drain,
    }),
  );
  return { server, logged };
}
