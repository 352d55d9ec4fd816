import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

export interface StartOptions {
  /** Project files to import, absolute. */
  projects: string[];
  /** Port of the web address to try first. */
  port?: number;
  /** Absolute. */
  dataDir: string;
  help: boolean;
}

export const USAGE = `Usage: npm start -- [options]

Starts Temporal, MongoDB, Runhook's server and one worker on this machine.

  --project FILE   import this project file too (may be repeated)
  --port N         port of the web address (4000; a taken one: the next free one)
  --data-dir DIR   where data and logs are kept (.runhook)
  --help           this text
`;

/** The command line is wrong; the message says what. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/**
 * @param argv arguments after the script
 * @param folder against which relative paths are resolved
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
