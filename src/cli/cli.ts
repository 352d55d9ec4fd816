import { createHttp, type Http } from './api/http.js';
import { UsageError } from './cli-error.js';
import type { Io } from './io.js';
import { DEFAULT_URL, readSettings, type ConnectionOptions, type Settings } from './settings.js';
import { formatSeconds } from './text.js';
import { createOutput, type Output, type OutputOptions } from './output.js';

/** Options of all commands. */
export type CommonOptions = ConnectionOptions & OutputOptions;

/** Dependencies of actions. */
export interface Cli {
  io: Io;
  output: Output;
  settings: Settings;
  userAgent: string;
  /** The API with the caller's token. @throws UsageError when there is none */
  http(): Http;
}

/** @throws UsageError when the settings are malformed */
export async function openCli(io: Io, options: CommonOptions, version: string): Promise<Cli> {
  const output = createOutput(io, options);
  const settings = await readSettings(io.env, options);
  const userAgent = `runhook/${version} node/${process.versions.node}`;
  let http: Http | undefined;
  return {
    io,
    output,
    settings,
    userAgent,
    http() {
      const { url = DEFAULT_URL, token } = settings;
      if (!token && settings.tokenIsFor !== undefined)
        throw new UsageError(
          `You are not signed in to ${url}. The stored token is only used for ${settings.tokenIsFor}. Run \`runhook login --url ${url}\`, or set RUNHOOK_API_TOKEN.`,
        );
      if (!token)
        throw new UsageError(
          'You are not signed in. Run `runhook login`. In CI, set RUNHOOK_URL and RUNHOOK_API_TOKEN.',
        );
      return (http ??= createHttp({ url, token, userAgent, ...connectionReports(output) }));
    },
  };
}

/** Reports connection problems and recovery. */
export function connectionReports(output: Output) {
  return {
    onFailure: (reason: string, patienceMs: number) =>
      output.note(`The server is not responding (${reason}). Retrying for up to ${formatSeconds(patienceMs / 1000)}…`),
    onRecovery: () => output.note('The server is responding again.'),
  };
}
