import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

export interface StartOptions {
  /** Absolute paths of project files to import. */
  projects: string[];
  /** Preferred port of the web app. */
  port?: number;
  /** Absolute path. */
  dataDir: string;
  help: boolean;
}

export const USAGE = `Usage: npm start -- [options]

Starts Temporal, MongoDB, and Runhook's server and worker on this machine.

  --project FILE   import this project file (repeatable)
  --port N         port of the web app (default 4000; if taken, the next free port)
  --data-dir DIR   folder for data and logs (default .runhook)
  --help           show this help
`;

/** The command line is not valid. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/**
 * @param argv arguments after the script
 * @param folder base of relative paths
 * @throws UsageError
 */
export function parseArguments(argv: string[], folder: string): StartOptions {
  const { project, port, 'data-dir': dataDir, help } = parse(argv);
  return {
    projects: project.map((file) => resolve(folder, file)),
    port: port === undefined ? undefined : portNumber(port),
    dataDir: resolve(folder, dataDir),
    help,
  };
}

function parse(argv: string[]) {
  try {
    return parseArgs({
      args: argv,
      options: {
        project: { type: 'string', multiple: true, default: [] },
        port: { type: 'string' },
        'data-dir': { type: 'string', default: '.runhook' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    }).values as { project: string[]; port?: string; 'data-dir': string; help: boolean };
  } catch (error) {
    throw new UsageError((error as Error).message, { cause: error });
  }
}

function portNumber(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port >= 1 && port <= 65_535) return port;
  throw new UsageError(`--port must be a number from 1 to 65535, not "${text}"`);
}
